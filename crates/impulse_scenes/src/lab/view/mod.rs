//! The laboratory in a window: up to six panes of the same world, each by another method, in lockstep.

mod controls;
mod painting;
mod pane;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_impulse_overlay::{DragSettings, Overlay};
use scene_kit::{RunOptions, app::steps_now, way_back};

use super::{
    LabOptions,
    method::{Method, PLANETS, STEPPERS},
    scene::{SCENES, Scene},
    world::LabWorld,
};

/// Width of the controls, in points.
const CONTROLS: f32 = 344.0;

/// Most panes side by side.
const PANES: usize = 6;

/// The laboratory in a window.
pub struct LabPlugin(pub LabOptions);

impl Plugin for LabPlugin {
    fn build(&self, app: &mut App) {
        let hz = app
            .world()
            .get_resource::<RunOptions>()
            .and_then(|run| run.hz);
        let lab = Lab::new(&self.0, hz);
        let methods = STEPPERS.iter().chain(&PLANETS);
        for parameters in methods.filter_map(|method| method.parameters) {
            (parameters.register)(app);
        }
        // Each pane is a world of its own, and has controls of its own.
        if let Some(mut overlay) = app.world_mut().get_resource_mut::<Overlay>() {
            overlay.key = None;
        }
        app.insert_resource(DragSettings::default())
            .insert_resource(ClearColor(painting::CLEAR))
            .insert_non_send(lab)
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn(Camera2d);
            })
            .add_systems(FixedUpdate, step.run_if(steps_now))
            .add_systems(EguiPrimaryContextPass, show);
    }
}

/// The worlds on the screen. Apps stay on the thread of the window.
struct Lab {
    options: LabOptions,
    scene: &'static Scene,
    methods: Vec<&'static Method>,
    worlds: Vec<LabWorld>,
    /// Steps per second, if not the scene's own.
    hz: Option<f64>,
    /// The pane whose method the controls explain.
    selected: usize,
    /// Magnification of all panes.
    zoom: f32,
}

impl Lab {
    fn new(options: &LabOptions, hz: Option<f64>) -> Self {
        let scene = options.scenes().next().unwrap_or(&SCENES[0]);
        let mut lab = Self {
            options: options.clone(),
            scene,
            methods: Self::first_methods(options, scene),
            worlds: Vec::new(),
            hz,
            selected: 0,
            zoom: 1.0,
        };
        lab.reset();
        lab
    }

    /// The methods that the user asked for, or those that the scene shows first.
    fn first_methods(options: &LabOptions, scene: &'static Scene) -> Vec<&'static Method> {
        let asked: Vec<_> = options.methods(scene).collect();
        if asked.len() <= PANES {
            return asked;
        }
        asked
            .into_iter()
            .filter(|method| scene.first.contains(&method.name))
            .collect()
    }

    fn rate(&self) -> f64 {
        self.hz.unwrap_or(self.scene.hz)
    }

    /// All worlds at their start. Parameters that the user has edited stay.
    fn reset(&mut self) {
        let origin = Vec3::X * self.options.far;
        let hz = self.rate();
        let mut before = std::mem::take(&mut self.worlds);
        self.worlds = self
            .methods
            .iter()
            .map(|&method| {
                let mut world = LabWorld::new(self.scene, method, origin, hz);
                let same = before
                    .iter_mut()
                    .find(|old| std::ptr::eq(old.method, method));
                if let Some(old) = same {
                    world.take_parameters(old);
                }
                world
            })
            .collect();
        self.selected = self.selected.min(self.worlds.len().saturating_sub(1));
    }

    fn choose_scene(&mut self, scene: &'static Scene) {
        let is_other_family = self.scene.first != scene.first;
        self.scene = scene;
        if is_other_family {
            self.methods = Self::first_methods(&self.options, scene);
            self.selected = 0;
        }
        self.zoom = 1.0;
        self.reset();
    }
}

fn step(mut lab: NonSendMut<Lab>) {
    for world in &mut lab.worlds {
        world.step();
    }
}

fn show(
    mut contexts: EguiContexts,
    mut lab: NonSendMut<Lab>,
    mut control: ResMut<bevy_impulse_collide::prelude::StepControl>,
    mut time: ResMut<Time<Fixed>>,
    registry: Res<AppTypeRegistry>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let lab = &mut *lab;
    time.set_timestep_hz(lab.rate());
    let screen = ctx.content_rect();
    egui::Area::new("lab".into())
        .fixed_pos(screen.min)
        .order(egui::Order::Background)
        .show(ctx, |ui| {
            ui.set_min_size(screen.size());
            ui.set_max_size(screen.size());
            let (mut left, right) = screen.split_left_right_at_x(screen.left() + CONTROLS);
            left.max.y -= way_back::height();
            for part in [left, right] {
                ui.painter().rect_filled(part, 0.0, painting::BACKGROUND);
            }
            let inside = egui::UiBuilder::new().max_rect(left.shrink(8.0));
            ui.scope_builder(inside, |ui| {
                controls::show(ui, lab, &mut control, &registry)
            });
            pane::show_all(ui, right, lab);
        });
    Ok(())
}
