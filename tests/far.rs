//! The same scenes far from the origin, and with everything in motion.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

/// A closed box around `centre`, ten radii from each wall, with 60 balls of this `radius`. All of it moves with `velocity`.
fn closed_box(centre: Vec3, velocity: Vec3, radius: f32) -> (App, Vec<Entity>) {
    let mut app = app_with_gravity(60.0);
    let material = (Friction(0.3), Restitution(0.2));
    for side in [Vec3::X, Vec3::Y, Vec3::Z] {
        for side in [side, -side] {
            let place = Transform::from_translation(centre - side * 10.0 * radius);
            let wall = (Plane::new(side), material, place);
            if velocity == Vec3::ZERO {
                app.world_mut().spawn(wall);
            } else {
                app.world_mut()
                    .spawn((wall, RigidBody::Kinematic, LinearVelocity(velocity)));
            }
        }
    }
    let balls = (0..60)
        .map(|i| {
            let at = Vec3::new(
                (i % 4) as f32 - 1.5,
                (i / 16) as f32 - 1.5,
                (i / 4 % 4) as f32 - 1.5,
            );
            let aside = Vec3::new(0.05, 0.0, 0.03) * (i % 3) as f32;
            let place = centre + (at * 2.3 + aside) * radius;
            app.world_mut()
                .spawn((
                    Particle::new(radius),
                    material,
                    LinearVelocity(velocity),
                    Transform::from_translation(place),
                ))
                .id()
        })
        .collect();
    (app, balls)
}

/// Steps for ten seconds. Returns the greatest height of a centre behind a wall, in radii.
fn greatest_escape(app: &mut App, balls: &[Entity], radius: f32) -> f32 {
    let mut worst = 0f32;
    let mut walls = app.world_mut().query::<(&Plane, &Transform)>();
    for _ in 0..600 {
        app.update();
        let walls: Vec<_> = walls
            .iter(app.world())
            .map(|(p, t)| (p.normal, t.translation))
            .collect();
        for &ball in balls {
            let x = position(app, ball);
            let behind = walls.iter().map(|(n, p)| n.dot(*p - x) / radius);
            worst = behind.fold(worst, f32::max);
        }
    }
    worst
}

#[test]
fn nothing_escapes_from_a_box_far_away_or_in_motion() {
    for (distance, radius, is_too_far) in [(1e3, 0.1, false), (1e4, 0.1, true), (1e4, 0.5, false)] {
        for speed in [0.0, 100.0] {
            let centre = Vec3::new(distance, 0.6 * distance, -0.3 * distance);
            let velocity = Vec3::new(0.8, 0.0, 0.6) * speed;
            let (mut app, balls) = closed_box(centre, velocity, radius);
            app.update();
            let told = messages::<BadInput>(&app);
            let worst = greatest_escape(&mut app, &balls, radius);
            let case = format!("{distance} m away at {speed} m/s, radius {radius} m");
            assert!(worst <= 0.0, "{case}: {worst} radii behind a wall");
            let are_right = told
                .iter()
                .all(|told| told.problem.reason == ProblemReason::TooFar);
            assert!(are_right, "{case}: {told:?}");
            assert_eq!(!told.is_empty(), is_too_far, "{case}");
        }
    }
}

/// Balls that lie on a floor 10 km away stay where they are.
#[test]
fn what_rests_far_away_stays_at_rest() {
    for distance in [1e3, 1e4] {
        let mut app = app_with_gravity(60.0);
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .sleep_speed = 0.0;
        app.world_mut()
            .spawn((Plane::new(Vec3::Y), Transform::from_xyz(0.0, distance, 0.0)));
        let at = Vec3::new(distance, distance + 0.5, -distance);
        let ball = app
            .world_mut()
            .spawn((Particle::new(0.5), Transform::from_translation(at)))
            .id();
        steps(&mut app, 1200);
        let moved = position(&app, ball).distance(at);
        assert!(moved <= 1e-3 * 0.5, "{distance} m away: {moved} m");
    }
}

/// A kinematic body that moves fast and far away does not leave its path, although a step is no whole number of the spacing of f32.
#[test]
fn a_kinematic_body_far_away_keeps_to_its_path() {
    let mut app = app_with_gravity(60.0);
    let start = Vec3::new(1e4, 6e3, -3e3);
    let velocity = Vec3::new(80.0, 1.0, 60.0);
    let platform = (Collider::cuboid(4.0, 1.0, 4.0), RigidBody::Kinematic);
    let platform = app
        .world_mut()
        .spawn((
            platform,
            LinearVelocity(velocity),
            Transform::from_translation(start),
        ))
        .id();
    steps(&mut app, 900);
    let path = start.as_dvec3() + velocity.as_dvec3() * 15.0;
    let off = position(&app, platform).as_dvec3().distance(path);
    // Half of the spacing of f32 at 11 km is 4.9e-4 m.
    assert!(off <= 1e-3, "{off} m from its path");
}
