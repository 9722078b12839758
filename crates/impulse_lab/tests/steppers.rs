//! Each stepper does what the head of its file says: where it is exact, and how it fails.

use std::time::Duration;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use impulse_lab::stepper::{
    HalfStepCorrected, Leapfrog, Spook, Springs, TimeOfImpact, WithoutContact,
    one_dimension::{self, Law, Stepper},
};

const G: f32 = 9.81;
const RADIUS: f32 = 0.1;
const HZ: f32 = 100.0;

/// A world with a floor, stepped by this method.
fn world(method: impl Plugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
        .add_plugins(method)
        .insert_resource(Gravity(Vec3::NEG_Y * G));
    app.world_mut().resource_mut::<StepControl>().paused = true;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    app
}

/// A ball of 1 kg whose lowest point is this many metres above the floor.
fn drop_ball(app: &mut App, height: f32, restitution: f32) -> Entity {
    let x = Vec3::Y * (RADIUS + height);
    let ball = (
        Particle::new(RADIUS),
        Mass(1.0),
        Restitution(restitution),
        Friction(0.0),
    );
    app.world_mut()
        .spawn((ball, Transform::from_translation(x)))
        .id()
}

/// The heights of the ball's lowest point after each step.
fn heights(app: &mut App, ball: Entity, seconds: f32) -> Vec<f32> {
    let steps = (seconds * HZ) as usize;
    (0..steps)
        .map(|_| {
            bevy_impulse_collide::step(app.world_mut(), Duration::from_secs_f32(1.0 / HZ));
            let at = app.world().get::<Transform>(ball).map(|at| at.translation);
            at.unwrap_or(Vec3::NAN).y - RADIUS
        })
        .collect()
}

fn greatest(heights: &[f32]) -> f32 {
    heights.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn least(heights: &[f32]) -> f32 {
    heights.iter().copied().fold(f32::INFINITY, f32::min)
}

/// The greatest height in the last two seconds over the height of the drop, for an elastic ball.
fn elastic_height(method: impl Plugin) -> f32 {
    const DROP: f32 = 1.0;
    let mut app = world(method);
    let ball = drop_ball(&mut app, DROP, 1.0);
    let heights = heights(&mut app, ball, 20.0);
    greatest(&heights[heights.len() - 200..]) / DROP
}

/// The least and greatest height in the last second after an inelastic ball has come to rest.
fn rest(method: impl Plugin) -> (f32, f32) {
    let mut app = world(method);
    let ball = drop_ball(&mut app, 1.0, 0.6);
    let heights = heights(&mut app, ball, 20.0);
    let last = &heights[heights.len() - 100..];
    (least(last), greatest(last))
}

/// The greatest distance in m, over two seconds, between a ball in the world and the same method as written in one dimension.
fn distance_from_one_dimension(method: impl Plugin, stepper: Stepper, restitution: f32) -> f64 {
    const DROP: f32 = 1.0;
    let mut app = world(method);
    let ball = drop_ball(&mut app, DROP, restitution);
    let law = Law {
        gravity: G.into(),
        restitution: restitution.into(),
        step: (1.0 / HZ).into(),
    };
    let mut line = one_dimension::Leapfrog::at_rest(DROP.into(), law);
    let heights = heights(&mut app, ball, 2.0);
    let distances = heights.into_iter().map(|height| {
        line = stepper(line, law);
        (line.x - f64::from(height)).abs()
    });
    distances.fold(0.0, f64::max)
}

#[test]
fn one_ball_on_a_plane_is_the_method_in_one_dimension() {
    for restitution in [1.0, 0.6] {
        for (name, distance) in [
            (
                "leapfrog",
                distance_from_one_dimension(Leapfrog, one_dimension::leapfrog, restitution),
            ),
            (
                "half-step correction",
                distance_from_one_dimension(
                    HalfStepCorrected,
                    one_dimension::half_step_corrected,
                    restitution,
                ),
            ),
            (
                "without contact",
                distance_from_one_dimension(
                    WithoutContact,
                    one_dimension::without_contact,
                    restitution,
                ),
            ),
        ] {
            assert!(distance < 1e-4, "{name}, e = {restitution}: {distance} m");
        }
    }
}

#[test]
fn impacts_at_the_velocity_of_half_a_step_before_lose_height() {
    assert!(elastic_height(Leapfrog) < 0.99);
}

#[test]
fn projection_lifts_a_ball_with_half_step_correction() {
    assert!(elastic_height(HalfStepCorrected) > 1.02);
}

#[test]
fn without_contacts_an_elastic_ball_keeps_its_height() {
    let height = elastic_height(WithoutContact);
    assert!((height - 1.0).abs() < 2e-3, "{height}");
}

#[test]
fn without_contacts_an_inelastic_ball_creeps_into_the_plane() {
    let (_, highest) = rest(WithoutContact);
    assert!(highest < -0.1, "{highest} m");
}

#[test]
fn the_time_of_impact_keeps_the_height_of_an_elastic_ball() {
    let height = elastic_height(TimeOfImpact);
    assert!((height - 1.0).abs() < 5e-3, "{height}");
}

#[test]
fn with_contacts_a_ball_rests_on_the_plane() {
    // A hop of one step is g·h².
    let hop = G / (HZ * HZ);
    for (lowest, highest) in [rest(Leapfrog), rest(HalfStepCorrected), rest(TimeOfImpact)] {
        assert!(lowest > -hop && highest < hop, "{lowest} to {highest} m");
    }
}

/// m·g/k, the closed form.
#[test]
fn a_ball_sinks_into_springs_by_its_weight_over_the_stiffness() {
    let springs = Springs {
        stiffness: 2e3,
        damping: 40.0,
    };
    let (lowest, highest) = rest(springs);
    let sunk = -G / springs.stiffness;
    assert!((lowest / sunk - 1.0).abs() < 1e-2, "{lowest}, not {sunk} m");
    assert!(
        (highest / sunk - 1.0).abs() < 1e-2,
        "{highest}, not {sunk} m"
    );
}

/// exp(−π·ζ/√(1 − ζ²)) while the steps are short beside the impact and gravity is weak beside the spring.
#[test]
fn springs_bounce_with_the_restitution_of_a_damped_oscillator() {
    let springs = Springs {
        stiffness: 1e3,
        damping: 6.0,
    };
    let mut app = world(springs);
    app.insert_resource(Gravity::ZERO);
    let ball = drop_ball(&mut app, 0.05, 1.0);
    let fall = LinearVelocity(Vec3::NEG_Y * 1.0);
    app.world_mut().entity_mut(ball).insert(fall);
    for _ in 0..20_000 {
        bevy_impulse_collide::step(app.world_mut(), Duration::from_micros(100));
    }
    let up = app.world().get::<LinearVelocity>(ball).map(|v| v.y);
    let zeta = springs.damping / (2.0 * springs.stiffness.sqrt());
    let e = (-std::f32::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
    // The force does not pull, so the ball leaves a little earlier, and faster.
    let up = up.unwrap_or(f32::NAN);
    assert!((up / e - 1.0).abs() < 0.03, "{up}, not {e} m/s");
}

/// The step is longer than 2·√(m/k): the oscillation grows.
#[test]
fn stiff_springs_throw_a_ball_up() {
    let springs = Springs {
        stiffness: 5e4,
        damping: 0.0,
    };
    assert!(elastic_height(springs) > 2.0);
}

/// In a rest position λ = m·g·h, and so x = −m·g/k·(1 + …): the regularisation gives the sinking of the true stiffness.
#[test]
fn spook_sinks_by_the_weight_over_its_stiffness() {
    let spook = Spook {
        stiffness: 1e5,
        ..default()
    };
    let (lowest, highest) = rest(spook);
    let sunk = -G / spook.stiffness;
    assert!((lowest / sunk - 1.0).abs() < 5e-2, "{lowest}, not {sunk} m");
    assert!(
        (highest / sunk - 1.0).abs() < 5e-2,
        "{highest}, not {sunk} m"
    );
}

/// A column of ten balls: impulses alone sink, SPOOK stands with the sum of its springs.
#[test]
fn a_column_stands_on_regularised_contacts() {
    let sink = |app: &mut App| {
        let balls: Vec<Entity> = (0..10)
            .map(|i| drop_ball(app, 2.0 * RADIUS * i as f32, 0.0))
            .collect();
        let top = balls[9];
        let heights = heights(app, top, 10.0);
        18.0 * RADIUS - least(&heights[heights.len() - 100..])
    };
    let spook = Spook {
        iterations: 200,
        ..default()
    };
    let regularised = sink(&mut world(spook));
    // The contact under ball i bears 10 − i balls: 1 + 2 + … + 10 = 55 weights over k.
    let expected = 55.0 * G / spook.stiffness;
    assert!(
        regularised > 0.0 && regularised < 2.0 * expected + 1e-4 * RADIUS,
        "{regularised} m, {expected} m"
    );
    assert!(sink(&mut world(WithoutContact)) > 0.1 * RADIUS);
}
