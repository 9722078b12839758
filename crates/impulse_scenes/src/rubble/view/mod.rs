//! How the rubble looks: grey and brown stones under one sun, before the stars.

mod again;
mod dress;
mod figures;
mod panel;
mod throw;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::EguiPrimaryContextPass;
use bevy_impulse_collide::prelude::*;
use scene_kit::window::{KeyHelp, keys_are_free};

use super::{boulder::Body, options::RubbleOptions};
use crate::gathering::{
    heap::Rock,
    view::{
        history::History,
        measured::{MeasureHeap, Measured},
        plots, sky, tail,
    },
};

pub(super) struct RubbleViewPlugin;

impl Plugin for RubbleViewPlugin {
    fn build(&self, app: &mut App) {
        let cloud = app.world().resource::<RubbleOptions>().cloud_size();
        app.insert_resource(cloud)
            .add_plugins((sky::plugin, tail::plugin, dress::plugin, figures::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "scatter anew"),
                ("C", "boulder from the pointer"),
                ("V", "show stones, or their balls"),
            ]))
            .init_resource::<Measured>()
            .init_resource::<History>()
            .add_systems(
                Update,
                (
                    again::refill.run_if(input_just_pressed(KeyCode::KeyR)),
                    throw::throw_boulder.run_if(input_just_pressed(KeyCode::KeyC)),
                )
                    .run_if(keys_are_free),
            )
            .add_systems(Update, measure.in_set(MeasureHeap))
            .add_systems(FixedLast, sample.run_if(resource_changed::<Contacts>))
            .add_systems(
                EguiPrimaryContextPass,
                (panel::show_controls, plots::show_plots).chain(),
            );
    }
}

fn measure(mut heap: ResMut<Measured>, options: Res<RubbleOptions>, bodies: Query<Body>) {
    heap.set(bodies.iter().map(Rock::from), options.g);
}

fn sample(mut history: ResMut<History>, measure: Measure, bodies: Query<Body>, time: Res<Time>) {
    let rocks = || bodies.iter().map(Rock::from).collect();
    history.sample(rocks, &measure, Vec3::Y, time.delta_secs_f64());
}
