//! The camera, which follows the player's view.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy::prelude::*;
use scene_kit::window::OrbitCamera;

use crate::{
    play::{
        cue::{Cue, Stroke},
        state::{Game, Phase},
    },
    player::view::{View, choose},
    rules::Ball,
    table::{
        balls::lying,
        bed::Table,
        spec::{POOL_9, TableSpec},
    },
};

/// How far in front of the cue ball the view along the cue looks, in m.
const AHEAD: f32 = 0.25;

impl View {
    /// The camera that the view starts with. From a longer table it is farther away.
    pub(super) fn camera(self, table: &TableSpec) -> OrbitCamera {
        let longer = table.half.x / POOL_9.half.x;
        let camera = match self {
            // From the long side with the tray, nearer to the foot end.
            Self::Room => OrbitCamera::new(Vec3::new(0.0, -0.06, 0.04), 0.16, 0.88, 2.9 * longer),
            Self::Above => OrbitCamera::new(Vec3::ZERO, 0.0, FRAC_PI_2, 2.75 * longer),
            Self::Cue => OrbitCamera::new(Vec3::ZERO, 0.0, 0.3, 1.0),
        };
        let mut camera = camera.with_pitches(0.1..=FRAC_PI_2);
        // Inside the room.
        camera.distances = 0.1 * camera.distance..=1.4 * camera.distance;
        camera
    }
}

pub(super) struct CameraPlugin;

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (
                go.run_if(resource_changed::<View>.or_else(resource_changed::<Table>)),
                look_along.run_if(|view: Res<View>| *view == View::Cue),
            )
                .chain()
                .after(choose),
        );
    }
}

fn go(view: Res<View>, table: Res<Table>, mut camera: Single<&mut OrbitCamera>) {
    let OrbitCamera {
        focus,
        yaw,
        pitch,
        distance,
        distances,
        ..
    } = view.camera(table.spec);
    // Field by field, so that the view glides there.
    camera.focus = focus;
    camera.yaw = nearest(yaw, camera.yaw);
    (camera.pitch, camera.distance) = (pitch, distance);
    camera.distances = distances;
}

fn look_along(
    mut camera: Single<&mut OrbitCamera>,
    balls: Query<(&Ball, &Transform)>,
    cue: Res<Cue>,
    game: Res<Game>,
) {
    let aims = matches!(cue.stroke, Stroke::Aim | Stroke::Pull { .. });
    let Some((_, ball)) = balls.iter().find(|(ball, _)| **ball == Ball::CUE) else {
        return;
    };
    if game.phase != Phase::Aim || !aims {
        return;
    }
    camera.focus = lying(ball.translation.xz() + AHEAD * cue.direction);
    let behind = f32::atan2(-cue.direction.x, -cue.direction.y);
    camera.yaw = nearest(behind, camera.yaw);
}

/// The same angle, by whole turns nearest to `to`.
fn nearest(angle: f32, to: f32) -> f32 {
    to + (angle - to + PI).rem_euclid(TAU) - PI
}
