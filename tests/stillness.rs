//! A heap that may not sleep lies still, with little overlap.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

/// Root of the mean square of the speeds in m/s, its median over the steps from 1,000 to 1,200, and the mean overlap over the radius,
/// of 2,000 balls of radius 0.1 m that are dropped into a box. Now and then a few balls of a heap slip, and lie still again: the mean
/// would tell whether that happened in these steps.
fn rest_of_a_heap(friction: f32) -> (f64, f64) {
    const WIDTH: f32 = 2.76;
    const PITCH: f32 = 0.24;
    let mut app = awake(60.0);
    let material = (Friction(friction), Restitution(0.2));
    app.world_mut().spawn((Plane::new(Vec3::Y), material));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let place = Transform::from_translation(-side * 0.5 * WIDTH);
        app.world_mut().spawn((Plane::new(side), material, place));
    }
    let side = (WIDTH / PITCH) as usize;
    for i in 0..2000 {
        // No two layers are in line.
        let shift = |prime: usize| 0.015 * ((prime * i) % 13) as f32 / 13.0;
        let at = |k: usize| ((k % side) as f32 + 0.5) * PITCH - 0.5 * WIDTH;
        let height = (i / (side * side) + 1) as f32 * PITCH;
        let place = Vec3::new(at(i) + shift(7), height, at(i / side) - shift(5));
        let place = Transform::from_translation(place);
        app.world_mut()
            .spawn((Particle::new(0.1), Density(1000.0), material, place));
    }
    steps(&mut app, 1000);
    let mut speeds: Vec<f64> = (0..20)
        .map(|_| {
            steps(&mut app, 10);
            let mut velocities = app.world_mut().query::<(&LinearVelocity, &Particle)>();
            let balls = velocities.iter(app.world());
            let squares = balls.map(|(v, _)| f64::from(v.0.length_squared()));
            (squares.sum::<f64>() / 2000.0).sqrt()
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    (speeds[10], measure(&mut app).overlap_mean)
}

#[test]
fn a_heap_lies_still() {
    let (rms, overlap) = rest_of_a_heap(0.3);
    assert!(rms < 1e-3, "{rms:e} m/s");
    assert!(overlap < 6e-3, "overlap {overlap:e}");
}

/// Pushes without a limit of their speed keep smooth balls moving, at 2e-2 m/s.
#[test]
fn a_heap_without_friction_lies_still() {
    let (rms, overlap) = rest_of_a_heap(0.0);
    assert!(rms < 1e-2, "{rms:e} m/s");
    assert!(overlap < 1.2e-2, "overlap {overlap:e}");
}

/// Balls of any size that overlap and do not move come apart, though slowly.
#[test]
fn a_column_loses_its_overlap() {
    for radius in [0.01, 1.0, 100.0] {
        let mut app = awake(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let spacing = 1.98 * radius;
        for i in 0..10 {
            let place = Transform::from_xyz(0.0, radius + spacing * i as f32, 0.0);
            app.world_mut().spawn((Particle::new(radius), place));
        }
        let start = measure(&mut app).overlap_mean;
        assert!(start > 1e-2, "overlap {start:e} at the start");
        steps(&mut app, 600);
        let overlap = measure(&mut app).overlap_mean;
        assert!(overlap < 5e-3, "overlap {overlap:e}, radius {radius}");
    }
}
