//! The optional terms of a contact: a world in which they are next to nothing moves like a world without them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const RADIUS: f32 = 0.1;

/// A floor and two walls.
fn spawn_box(app: &mut App, half_width: f32) {
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for normal in [Vec3::X, Vec3::NEG_X] {
        let place = Transform::from_translation(-normal * half_width);
        app.world_mut().spawn((Plane::new(normal), place));
    }
}

/// Layers of bodies in a box, each in the hollows of the layer below, and one more body that slides and rolls towards a wall.
/// Returns the places after 60 steps.
fn heap(coefficient: f32, spawn: impl Fn(&mut App, Transform) -> Entity) -> Vec<Vec3> {
    let mut app = app_with_gravity(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.rolling_friction.default = coefficient;
    config.spinning_friction.default = coefficient;
    spawn_box(&mut app, 4.02 * RADIUS);
    // Four bodies lie side by side and touch both walls, near enough.
    let spacing = 2.003 * RADIUS;
    let mut bodies = Vec::new();
    for layer in 0..3 {
        for k in 0..4 - layer {
            let x = (k as f32 - 0.5 * (3 - layer) as f32) * spacing;
            let y = RADIUS * (1.001 + 1.735 * layer as f32);
            let place = Transform::from_xyz(x, y, 0.0);
            bodies.push(spawn(&mut app, place));
        }
    }
    let rolling = spawn(
        &mut app,
        Transform::from_xyz(0.3 * RADIUS, 1.001 * RADIUS, 30.0 * RADIUS),
    );
    app.world_mut().entity_mut(rolling).insert((
        LinearVelocity(Vec3::new(0.0, 0.0, -1.5)),
        AngularVelocity(Vec3::new(-5.0, 0.0, 3.0)),
    ));
    bodies.push(rolling);
    steps(&mut app, 60);
    bodies.iter().map(|&body| position(&app, body)).collect()
}

fn greatest_difference(one: &[Vec3], other: &[Vec3]) -> f32 {
    let distances = one.iter().zip(other).map(|(a, b)| a.distance(*b));
    distances.fold(0.0, f32::max)
}

#[test]
fn balls_with_hardly_any_rolling_friction_move_like_balls_without() {
    // Where friction stops a ball differs by some 1e-4 of the radius after one rounding error.
    let balls = |coefficient| {
        heap(coefficient, |app, place| {
            let ball = (Particle::new(RADIUS), place);
            app.world_mut().spawn(ball).id()
        })
    };
    let difference = greatest_difference(&balls(0.0), &balls(1e-7)) / RADIUS;
    assert!(difference < 1e-3, "{difference} radii");
}

#[test]
fn capsules_with_hardly_any_rolling_friction_move_like_capsules_without() {
    let capsules = |coefficient| {
        heap(coefficient, |app, place| {
            let along = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
            let capsule = (
                Capsule::new(RADIUS, 3.0 * RADIUS),
                place.with_rotation(along),
            );
            app.world_mut().spawn(capsule).id()
        })
    };
    let difference = greatest_difference(&capsules(0.0), &capsules(1e-7)) / RADIUS;
    assert!(difference < 1e-4, "{difference} radii");
}

/// The same worlds with ten per cent of rolling friction differ: the two tests above would notice a term that acts.
#[test]
fn rolling_friction_tells() {
    let balls = |coefficient| {
        heap(coefficient, |app, place| {
            let ball = (Particle::new(RADIUS), place);
            app.world_mut().spawn(ball).id()
        })
    };
    let difference = greatest_difference(&balls(0.0), &balls(0.1)) / RADIUS;
    assert!(difference > 0.1, "{difference} radii");
}
