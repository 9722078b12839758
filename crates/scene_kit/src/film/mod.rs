//! Films of a scene: what its window shows, picture by picture, as an animated GIF; or a single picture.
//!
//! The clock goes on by one picture of the film for each frame that is drawn; before the first picture, by several. So a slow machine
//! films as smoothly as a fast one, and what a film shows depends on the options alone.

mod animation;
mod options;
mod still;

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{
    input::InputSystems,
    prelude::*,
    render::{
        ExtractSchedule, MainWorld, RenderApp,
        render_resource::PipelineCache,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    time::TimeUpdateStrategy,
    winit::WinitSettings,
};
use bevy_egui::EguiGlobalSettings;
use image::{RgbImage, imageops};

pub use self::options::FilmOptions;
use crate::{
    console,
    window::{fit::Covers, texts::KeyHelpPanel},
};

/// Frames with all shaders before the clock starts: the first ones lack what is still on its way to the GPU.
const READY: u32 = 20;

/// Frames after the last one of the film in which its pictures must arrive.
const PATIENCE: u32 = 100;

/// A film, while it is taken.
#[derive(Resource)]
pub(crate) struct Film {
    options: FilmOptions,
    file: PathBuf,
    /// The first of its frames.
    first: u32,
    /// Those of its pictures that have arrived.
    pictures: Vec<Option<RgbImage>>,
    /// The frame that is drawn, by the clock of the film; it starts after frame 0.
    frame: u32,
}

impl Film {
    /// The film that the options ask for, if they do. A file that cannot be written is an error at once.
    pub fn of(options: &FilmOptions) -> Result<Option<Self>, String> {
        let Some(file) = options.film.clone() else {
            return Ok(None);
        };
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(&file)
            .map_err(|problem| unwritable(&file, problem))?;
        let count = match is_still(&file) {
            true => 1,
            false => options.frames(options.seconds()),
        };
        Ok(Some(Self {
            options: options.clone(),
            file,
            first: options.frames(options.from()),
            pictures: vec![None; count as usize],
            frame: 0,
        }))
    }

    /// The picture that this frame is, from 0.
    fn number(&self) -> Option<u32> {
        let number = self.frame.checked_sub(self.first)?;
        (number < self.pictures.len() as u32).then_some(number)
    }

    /// Frames to the next one that is drawn. Before the film begins, most need not be.
    fn leap(&self) -> u32 {
        let presses = self.options.film_press.iter();
        let presses = presses.flat_map(|press| {
            let frame = self.options.frames(press.seconds);
            [frame, frame + 1]
        });
        let needed = presses.chain([self.first]);
        let next = needed.filter(|&needed| needed > self.frame).min();
        match next.filter(|_| self.frame < self.first) {
            Some(next) => (next - self.frame).min(self.options.longest_leap()),
            None => 1,
        }
    }

    fn take(&mut self, number: u32, image: Image) -> Result<(), String> {
        let image = image.try_into_dynamic();
        let image = image.map_err(|problem| format!("cannot read the window: {problem}"))?;
        let image = image.into_rgb8();
        let width = self.options.width();
        let scale = f64::from(width) / f64::from(image.width());
        let height = ((scale * f64::from(image.height())).round() as u32).max(1);
        let filter = imageops::FilterType::Triangle;
        self.pictures[number as usize] = Some(imageops::resize(&image, width, height, filter));
        Ok(())
    }

    fn write(&mut self) -> Result<(), String> {
        let Some(pictures) = self.pictures.drain(..).collect::<Option<Vec<_>>>() else {
            return Err("the window was hidden while it was filmed".to_owned());
        };
        let size = pictures[0].dimensions();
        if pictures.iter().any(|picture| picture.dimensions() != size) {
            return Err("the window changed its shape while it was filmed".to_owned());
        }
        let bytes = match is_still(&self.file) {
            true => still::encode(&pictures[0]).map_err(|problem| problem.to_string()),
            false => animation::encode(&pictures, self.options.hundredths())
                .map_err(|problem| problem.to_string()),
        };
        let bytes = bytes.map_err(|problem| unwritable(&self.file, problem))?;
        fs::write(&self.file, bytes).map_err(|problem| unwritable(&self.file, problem))
    }
}

fn is_still(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "png")
}

fn unwritable(file: &Path, problem: impl std::fmt::Display) -> String {
    format!("cannot write {}: {problem}", file.display())
}

/// Takes the film, and closes the window.
pub(crate) fn add(app: &mut App, film: Film) {
    if film.options.film_without_panels
        && let Some(mut egui) = app.world_mut().get_resource_mut::<EguiGlobalSettings>()
    {
        egui.auto_create_primary_context = false;
    }
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(ExtractSchedule, count_ready);
    }
    app.insert_resource(film)
        .init_resource::<Ready>()
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
        .add_systems(Startup, draw_all_frames)
        .add_systems(PreUpdate, press.after(InputSystems))
        .add_systems(Update, hide_texts)
        .add_systems(Last, (go_on, close).chain());
}

/// Frames in a row for which the renderer had all shaders. It compiles them while it draws, and leaves out what needs others.
#[derive(Resource, Default)]
struct Ready(u32);

fn count_ready(mut main: ResMut<MainWorld>, shaders: Res<PipelineCache>) {
    let mut ready = main.resource_mut::<Ready>();
    ready.0 = match shaders.waiting_pipelines().next() {
        None => ready.0 + 1,
        Some(_) => 0,
    };
}

/// Whatever else the app would wait for.
fn draw_all_frames(mut winit: ResMut<WinitSettings>) {
    *winit = WinitSettings::continuous();
}

/// Nobody presses keys in a film, so it needs no help for them.
fn hide_texts(film: Res<Film>, mut texts: Query<(&mut Node, Has<KeyHelpPanel>), Added<Covers>>) {
    for (mut node, is_help) in &mut texts {
        if is_help || film.options.film_without_panels {
            node.display = Display::None;
        }
    }
}

/// Presses the keys that the options name, each for a frame.
fn press(film: Res<Film>, mut keys: ResMut<ButtonInput<KeyCode>>) {
    for press in &film.options.film_press {
        let frame = film.options.frames(press.seconds);
        if film.frame == frame {
            keys.press(press.key);
        } else if film.frame == frame + 1 {
            keys.release(press.key);
        }
    }
}

/// Asks for the picture of this frame, and sets the clock for the next one.
fn go_on(
    mut film: ResMut<Film>,
    mut clock: ResMut<TimeUpdateStrategy>,
    ready: Res<Ready>,
    mut commands: Commands,
) {
    if ready.0 < if film.frame == 0 { READY } else { 1 } {
        *clock = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
        return;
    }
    if let Some(number) = film.number() {
        commands.spawn(Screenshot::primary_window()).observe(
            move |mut captured: On<ScreenshotCaptured>,
                  mut film: ResMut<Film>,
                  mut exit: MessageWriter<AppExit>| {
                let image = std::mem::take(&mut captured.event_mut().image);
                if let Err(problem) = film.take(number, image) {
                    console::tell_error(&problem);
                    exit.write(AppExit::error());
                }
            },
        );
    }
    let leap = film.leap();
    film.frame += leap;
    *clock = TimeUpdateStrategy::ManualDuration(leap * film.options.step());
}

/// Writes the film once all of its pictures are here, and closes the window.
fn close(mut film: ResMut<Film>, mut exits: ResMut<Messages<AppExit>>, mut is_done: Local<bool>) {
    if *is_done {
        return;
    }
    let is_complete = film.pictures.iter().all(Option::is_some);
    let end = film.first + film.pictures.len() as u32;
    let done = if is_complete || film.frame > end + PATIENCE {
        film.write()
    } else if !exits.is_empty() {
        Err("the window was closed before the film was complete".to_owned())
    } else {
        return;
    };
    *is_done = true;
    exits.write(match done {
        Ok(()) => AppExit::Success,
        Err(problem) => {
            console::tell_error(&problem);
            AppExit::error()
        }
    });
}
