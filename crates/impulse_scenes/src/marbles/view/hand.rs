//! The player's hand: it drops marbles, picks one to follow, and sets the lift.

use bevy::{
    math::bounding::{BoundingSphere, RayCast3d},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::OrbitCamera;

use super::follow::{Followed, Tour, follow};
use crate::marbles::{
    course::{MARBLE, bowl_place},
    laps::Run,
    marble::{Marble, NextNumber, marble},
    options::MarblesOptions,
};

/// How near to a marble a click must be to pick it, in radii.
const PICK: f32 = 1.8;
/// Height in m over a surface from which a marble is dropped.
const DROP: f32 = 0.03;
/// Marbles that are poured at once.
const POURED: u32 = 50;
/// Most marbles per second that the lift brings up.
const FASTEST_LIFT: f32 = 24.0;

/// Follows the marble under the pointer, or drops one there.
pub(super) fn click(
    mut commands: Commands,
    mut next: ResMut<NextNumber>,
    (mut followed, mut tour): (ResMut<Followed>, ResMut<Tour>),
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform, &mut OrbitCamera)>,
    marbles: Query<(Entity, &Transform), With<Marble>>,
    surfaces: Query<(&Collider, &GlobalTransform)>,
) {
    let (camera, eye, mut orbit) = camera.into_inner();
    let ray = window
        .cursor_position()
        .and_then(|pointer| camera.viewport_to_world(eye, pointer).ok());
    let Some(ray) = ray else { return };
    let hit = surfaces
        .iter()
        .filter_map(|(collider, place)| collider.cast_ray(place, ray))
        .min_by(f32::total_cmp);
    let reach = hit.unwrap_or(f32::MAX) + 2.0 * MARBLE;
    let cast = RayCast3d::from_ray(ray, reach);
    let picked = marbles
        .iter()
        .filter_map(|(entity, transform)| {
            let ball = BoundingSphere::new(transform.translation, PICK * MARBLE);
            Some((cast.sphere_intersection_at(&ball)?, entity))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, entity)) = picked {
        tour.0 = false;
        follow(&mut followed, entity, &mut orbit);
    } else if let Some(distance) = hit {
        let place = ray.get_point(distance) - DROP * *ray.direction + DROP * Vec3::Y;
        commands.spawn((marble(next.take(), place), Run::default()));
    }
}

/// Pours marbles into the mixer, in a column.
pub(super) fn pour(mut commands: Commands, mut next: ResMut<NextNumber>) {
    const PITCH: f32 = 2.2 * MARBLE;
    for k in 0..POURED {
        let (layer, site) = (k / 4, k % 4);
        let corner = Vec2::new((site % 2) as f32 - 0.5, (site / 2) as f32 - 0.5);
        let aside = PITCH * corner + Vec2::new(-0.1, 0.0);
        let place = bowl_place() + Vec3::new(aside.x, 0.09 + PITCH * layer as f32, aside.y);
        commands.spawn((marble(next.take(), place), Run::default()));
    }
}

pub(super) fn set_lift(keys: Res<ButtonInput<KeyCode>>, mut options: ResMut<MarblesOptions>) {
    let change = [(KeyCode::ArrowUp, 1.0), (KeyCode::ArrowDown, -1.0)]
        .into_iter()
        .filter(|(key, _)| keys.just_pressed(*key))
        .map(|(_, change)| change)
        .sum::<f32>();
    if change != 0.0 {
        options.lift = (options.lift + change).clamp(0.0, FASTEST_LIFT);
    }
}
