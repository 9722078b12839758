//! Comets that the player throws.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

use super::dress::Heat;
use crate::{
    gathering::view::{
        measured::Measured,
        tail::{Aim, TailLook},
    },
    planet::{
        comet::{comet, spawn_comet},
        options::PlanetOptions,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        throw_comet.run_if(input_just_pressed(KeyCode::KeyC).and_then(keys_are_free)),
    );
}

/// Throws a comet at the planet from the side on which the pointer is.
fn throw_comet(
    mut commands: Commands,
    aim: Aim,
    heap: Res<Measured>,
    options: Res<PlanetOptions>,
    tail: Res<TailLook>,
    time: Res<Time>,
) {
    if heap.core.radius90 <= 0.0 {
        return;
    }
    let course = aim.course(heap.core.center.as_vec3(), options.is_flat());
    let comet = comet(&heap.core, &options, course, time.elapsed_secs_f64());
    let entity = spawn_comet(&mut commands, &comet);
    commands.entity(entity).insert(Heat(1.0));
    commands.spawn(tail.tail(entity, comet.radius as f32));
}
