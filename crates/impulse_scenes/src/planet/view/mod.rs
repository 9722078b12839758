//! How the planet looks: rock that glows where it was hit, under one sun, before the stars.

mod again;
mod colors;
mod dress;
mod measure;
mod panel;
mod throw;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::EguiPrimaryContextPass;
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    press::press,
    window::{KeyHelp, StatusLine, keys_are_free},
};

use self::{
    again::refill,
    colors::{ColorBy, next_colors},
    dress::{cool, dress_rocks, heat_by_impacts, make_looks, paint},
    measure::{Legend, measure_shape},
};
use super::{options::PlanetOptions, rock::Ball};
use crate::gathering::{
    heap::Rock,
    view::{
        history::History,
        measured::{MeasureHeap, Measured},
        plots, sky, tail,
    },
};

pub(super) struct PlanetViewPlugin;

impl Plugin for PlanetViewPlugin {
    fn build(&self, app: &mut App) {
        let cloud = app.world().resource::<PlanetOptions>().cloud_size();
        app.insert_resource(cloud)
            .add_plugins((sky::plugin, tail::plugin, throw::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "scatter anew"),
                ("C", "comet from the pointer"),
                ("V", "colours: heat, speed, pressure"),
            ]))
            .init_resource::<Measured>()
            .init_resource::<ColorBy>()
            .init_resource::<Legend>()
            .init_resource::<History>()
            .add_systems(Startup, (make_looks, slow_down))
            .add_systems(
                Update,
                (
                    refill.run_if(input_just_pressed(KeyCode::KeyR)),
                    next_colors.run_if(input_just_pressed(KeyCode::KeyV)),
                )
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    measure_shape.in_set(MeasureHeap),
                    (
                        show_shape,
                        (
                            dress_rocks,
                            heat_by_impacts,
                            cool,
                            press.run_if(resource_equals(ColorBy::Pressure)),
                            paint,
                        )
                            .chain(),
                    ),
                )
                    .chain(),
            )
            .add_systems(FixedLast, sample.run_if(resource_changed::<Contacts>))
            .add_systems(
                EguiPrimaryContextPass,
                (panel::show_controls, plots::show_plots).chain(),
            );
    }
}

/// A cloud of a hundred metres and G = 500 falls together in about a second: too fast to watch.
fn slow_down(mut time: ResMut<Time<Virtual>>) {
    time.set_relative_speed(0.25);
}

fn sample(
    mut history: ResMut<History>,
    measure: Measure,
    balls: Query<Ball>,
    options: Res<PlanetOptions>,
    time: Res<Time>,
) {
    let rocks = || balls.iter().map(Rock::from).collect();
    history.sample(rocks, &measure, options.spin_axis(), time.delta_secs_f64());
}

fn show_shape(
    heap: Res<Measured>,
    balls: Query<(), With<Particle>>,
    mut status: ResMut<StatusLine>,
) {
    let line = format!(
        "{} balls, 90 % of the mass within {:.1} m, turning at {:.3} rad/s",
        balls.iter().len(),
        heap.all.radius90,
        heap.all.omega,
    );
    status.set_if_neq(StatusLine(line));
}
