//! A planet of balls that fell together under their own gravity: it keeps its rotation, neither boils nor leaks, and a
//! projection that does not conserve tears it apart.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;

/// 200 balls in the plane z = 0, apart from each other in a disc of 60 m, that turns at 0.1 rad/s. Clouds differ by the order
/// of their balls' sizes.
fn cloud(config: CollisionConfig, order: f32) -> App {
    let mut app = app(100.0);
    app.insert_resource(SelfGravity {
        constant: 500.0,
        ..default()
    })
    .insert_resource(config);
    for i in 0..200 {
        let turn = i as f32 * 2.399_963;
        let x = Vec3::new(turn.cos(), turn.sin(), 0.0) * (60.0 * ((i as f32 + 0.5) / 200.0).sqrt());
        let radius = 0.5 + 1.2 * (i as f32 * order).fract();
        app.world_mut().spawn((
            Particle::new(radius),
            Mass(radius * radius),
            Restitution(0.25),
            LinearVelocity(0.1 * Vec3::Z.cross(x)),
            AngularVelocity(0.1 * Vec3::Z),
            Transform::from_translation(x),
        ));
    }
    app
}

#[derive(Debug)]
struct Figure {
    /// Radius about the centre of mass that holds 90 % of the mass, in m.
    radius_90: f64,
    /// Angular momentum over moment of inertia, in rad/s.
    omega: f64,
    /// Kinetic energy beyond rigid rotation, over the magnitude of the potential energy.
    vibration: f64,
    measured: Measurement,
}

fn figure(app: &mut App) -> Figure {
    let measured = measure(app);
    let mut balls = app.world_mut().query::<(&Transform, &Mass, &Particle)>();
    let mut inertia = 0.0;
    let mut by_distance: Vec<(f64, f64)> = balls
        .iter(app.world())
        .map(|(transform, mass, particle)| {
            let x = transform.translation.as_dvec3() - measured.center_of_mass;
            let (m, r) = (f64::from(mass.0), f64::from(particle.radius));
            inertia += m * x.truncate().length_squared() + 0.4 * m * r * r;
            (x.length(), m)
        })
        .collect();
    by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = 0.9 * by_distance.iter().map(|ball| ball.1).sum::<f64>();
    let mut held = 0.0;
    let edge = by_distance.iter().find(|ball| {
        held += ball.1;
        held >= wanted
    });
    let omega = measured.angular_momentum.z / inertia;
    let rigid = 0.5 * inertia * omega * omega;
    Figure {
        radius_90: edge.map_or(0.0, |ball| ball.0),
        omega,
        vibration: (measured.kinetic_energy - rigid) / measured.potential_energy.abs(),
        measured,
    }
}

#[test]
fn a_turning_planet_keeps_its_rotation_and_lies_still() {
    let mut still = 0;
    for order in [0.624, 0.636, 0.649] {
        let config = CollisionConfig {
            friction_warm_start: 0.5,
            ..default()
        };
        let mut app = cloud(config, order);
        let start = figure(&mut app);
        steps(&mut app, 4000);
        let middle = figure(&mut app);
        steps(&mut app, 2000);
        let end = figure(&mut app);

        assert!(middle.radius_90 < 0.5 * start.radius_90, "it fell together");
        assert!(end.measured.overlap_mean < 0.01, "{end:?}");
        let change = end.measured.angular_momentum - start.measured.angular_momentum;
        // Of the three moments, the scale is largest where the cloud arrives; that of the start is a lower bound.
        let scale = start.measured.angular_momentum_scale;
        assert!(change.length() < 1e-5 * scale, "{change} of {scale}");
        assert_eq!(change * DVec3::new(1.0, 1.0, 0.0), DVec3::ZERO);
        let lies_still = (end.radius_90 / middle.radius_90 - 1.0).abs() < 0.01
            && (end.omega / middle.omega - 1.0).abs() < 0.005
            && end.vibration < 2e-4;
        still += u32::from(lies_still);
    }
    // In some clouds a ball that was thrown out falls back that late.
    assert!(still >= 2, "{still} planets of 3 lie still");
}

#[test]
fn a_projection_that_does_not_conserve_spins_it_up() {
    let naive = |law| CollisionConfig {
        contact_iterations: 16,
        contact_relaxation: 1.4,
        warm_start: 0.0,
        projection_iterations: 16,
        projection: ProjectionStrength::Factor(1.0),
        projection_law: law,
        ..default()
    };
    let growth = |law| {
        let mut app = cloud(naive(law), 0.618);
        let start = measure(&mut app).angular_momentum.z;
        steps(&mut app, 3000);
        measure(&mut app).angular_momentum.z / start
    };
    assert_near("conserving", growth(ProjectionLaw::Conserving), 1.0, 1e-4);
    let grown = growth(ProjectionLaw::Naive);
    assert!(grown > 3.0, "naive: {grown}");
}
