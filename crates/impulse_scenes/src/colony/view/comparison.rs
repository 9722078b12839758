//! The plot that compares the two contact solvers: the remaining approach over the work.

use bevy::{
    input::common_conditions::input_just_pressed,
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, block_on, poll_once},
};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui_plot::{Corner, Legend, Line, MarkerShape, Plot, PlotPoints, Points};
use scene_kit::{
    panel::{ACCENT, FAINT},
    window::keys_are_free,
};

use crate::colony::{
    compare::{Attempt, Method, Trial},
    course::Course,
    options::ColonyOptions,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Comparison>()
        .add_systems(
            Update,
            (
                ask_or_close.run_if(input_just_pressed(KeyCode::KeyC).and_then(keys_are_free)),
                finish,
            ),
        )
        .add_systems(
            FixedLast,
            // Between two steps, where transforms are the physics' own and not smoothed ones.
            start.run_if(is_asked),
        )
        .add_systems(EguiPrimaryContextPass, show);
}

/// The results of the two methods.
#[derive(Resource, Default)]
enum Comparison {
    /// Not asked for.
    #[default]
    None,
    /// Asked for with C.
    Asked,
    /// Being computed on another thread, for this number of cells.
    Running(Task<Vec<Attempt>>, usize),
    /// Known for this number of cells.
    Done(Vec<Attempt>, usize),
}

fn ask_or_close(mut comparison: ResMut<Comparison>) {
    *comparison = match *comparison {
        Comparison::None => Comparison::Asked,
        _ => Comparison::None,
    };
}

/// Asked for with the key, or by the command line once the colony is grown.
fn is_asked(
    comparison: Res<Comparison>,
    options: Res<ColonyOptions>,
    course: Res<Course>,
    mut was_grown: Local<bool>,
) -> bool {
    let just_grown = course.is_grown && !*was_grown;
    *was_grown = course.is_grown;
    matches!(*comparison, Comparison::Asked) || (just_grown && options.compare.is_some())
}

fn start(world: &mut World) {
    let Ok(trial) = world.run_system_cached(Trial::of) else {
        return;
    };
    let cells = trial.cell_count();
    let task = AsyncComputeTaskPool::get().spawn(async move { trial.run() });
    *world.resource_mut::<Comparison>() = Comparison::Running(task, cells);
}

fn finish(mut comparison: ResMut<Comparison>) {
    if let Comparison::Running(task, cells) = &mut *comparison
        && let Some(attempts) = block_on(poll_once(task))
    {
        *comparison = Comparison::Done(attempts, *cells);
    }
}

fn show(mut contexts: EguiContexts, comparison: Res<Comparison>) -> Result {
    let (attempts, cells) = match &*comparison {
        Comparison::None | Comparison::Asked => return Ok(()),
        Comparison::Running(_, cells) => (None, *cells),
        Comparison::Done(attempts, cells) => (Some(attempts), *cells),
    };
    let frame = egui::Frame::new()
        .fill(egui::Color32::from_rgba_unmultiplied(5, 6, 10, 225))
        .corner_radius(6.0)
        .inner_margin(10.0);
    let place = (egui::Align2::RIGHT_BOTTOM, [-12.0, -12.0]);
    let context = contexts.ctx_mut()?;
    scene_kit::panel::window(context, "solvers", place, frame).show(context, |ui| {
        ui.set_width(430.0);
        ui.label(format!(
            "One step of {cells} cells: speed at which some still approach, in m/s"
        ));
        match attempts {
            Some(attempts) => plot(ui, attempts),
            None => {
                ui.colored_label(FAINT, "being solved, again and again …");
            }
        }
    });
    Ok(())
}

/// Both axes show powers of ten.
fn plot(ui: &mut egui::Ui, attempts: &[Attempt]) {
    let mark = |mark: egui_plot::GridMark| {
        let value = 10f64.powf(mark.value);
        match mark.value.fract().abs() {
            0.0 if mark.value < 0.0 => format!("{value:.0e}"),
            0.0 => format!("{value}"),
            _ => String::new(),
        }
    };
    Plot::new("residuals")
        .height(170.0)
        .sense(egui::Sense::hover())
        .show_x(false)
        .show_y(false)
        .legend(Legend::default().position(Corner::LeftBottom))
        .x_axis_label("sweeps, or products with the matrix")
        .x_axis_formatter(move |at, _| mark(at))
        .y_axis_formatter(move |at, _| mark(at))
        .show(ui, |plot| {
            for (method, color) in Method::ALL.into_iter().zip([FAINT, ACCENT]) {
                let points: Vec<[f64; 2]> = attempts
                    .iter()
                    .filter(|attempt| attempt.method == method && attempt.residual > 0.0)
                    .map(|attempt| {
                        let (x, y) = (attempt.iterations, attempt.residual);
                        [f64::from(x).log10(), f64::from(y).log10()]
                    })
                    .collect();
                let line = PlotPoints::from(points.clone());
                plot.line(Line::new(method.name(), line).color(color).width(1.8));
                let dots = Points::new(method.name(), points).color(color).radius(3.0);
                plot.points(dots.shape(MarkerShape::Circle));
            }
        });
}
