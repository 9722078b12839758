//! A ball of steel that the player throws into the heap.

use bevy::{input::common_conditions::input_just_pressed, prelude::*, window::PrimaryWindow};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::{OrbitCamera, keys_are_free};

use crate::pile::{ball::flying_ball, drum::Drum, vessel::Vessel};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        throw.run_if(input_just_pressed(KeyCode::Space).and_then(keys_are_free)),
    );
}

/// A ball that was thrown.
#[derive(Component)]
pub(super) struct Heavy;

/// In kg/m³.
const STEEL: f32 = 7850.0;

/// Of the ball, as a part of the vessel's width.
const RADIUS: f32 = 0.08;

/// Throws a ball from above at the point under the pointer, or at the middle if the pointer is elsewhere.
fn throw(
    mut commands: Commands,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    vessel: Res<Vessel>,
    drum: Option<Res<Drum>>,
) {
    let (camera, eye) = *camera;
    let ray = window
        .cursor_position()
        .and_then(|pointer| camera.viewport_to_world(eye, pointer).ok());
    let radius = RADIUS * vessel.width();
    let (from, target) = match *vessel {
        Vessel::Box { width } => {
            let level = Vec3::Y * 0.4 * width;
            let pointed = ray
                .and_then(|ray| ray.plane_intersection_point(level, InfinitePlane3d::new(Vec3::Y)))
                .unwrap_or(level);
            let reach = Vec3::splat(0.5 * width - radius).with_y(f32::INFINITY);
            let target = pointed.clamp(-reach, reach);
            (target.with_y(1.3 * width), target)
        }
        Vessel::Drum { radius: wall, .. } => {
            let pointed = ray
                .and_then(|ray| {
                    ray.plane_intersection_point(Vec3::ZERO, InfinitePlane3d::new(Vec3::Z))
                })
                .unwrap_or(-Vec3::Y);
            (Vec3::Y * 0.4 * wall, pointed.clamp_length_max(wall))
        }
    };
    let speed = 2.0 * (Gravity::default().length() * vessel.width()).sqrt();
    let velocity = speed * (target - from).normalize_or(Vec3::NEG_Y);
    let drum = drum.as_deref();
    commands.spawn((Heavy, flying_ball(radius, STEEL, from, velocity, drum)));
}
