//! How the planet looks: rock that glows where it was hit, under one sun, before the stars.

mod again;
mod colors;
mod dress;
mod history;
mod measure;
mod panel;
mod sky;
mod tail;

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
    history::History,
    measure::{Legend, Shape, measure_shape},
};

pub(super) struct PlanetViewPlugin;

impl Plugin for PlanetViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((sky::plugin, tail::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "scatter anew"),
                ("C", "comet from the pointer"),
                ("V", "colours: heat, speed, pressure"),
            ]))
            .init_resource::<Shape>()
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
                    measure_shape,
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
            .add_systems(
                FixedLast,
                history::sample.run_if(resource_changed::<Contacts>),
            )
            .add_systems(
                EguiPrimaryContextPass,
                (panel::show_controls, panel::show_plots).chain(),
            );
    }
}

/// A cloud of a hundred metres and G = 500 falls together in about a second: too fast to watch.
fn slow_down(mut time: ResMut<Time<Virtual>>) {
    time.set_relative_speed(0.25);
}

fn show_shape(shape: Res<Shape>, balls: Query<(), With<Particle>>, mut status: ResMut<StatusLine>) {
    let line = format!(
        "{} balls, 90 % of the mass within {:.1} m, turning at {:.3} rad/s",
        balls.iter().len(),
        shape.all.radius90,
        shape.all.omega,
    );
    status.set_if_neq(StatusLine(line));
}
