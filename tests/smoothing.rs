//! Smooth transforms between steps: late by a step with interpolation, on time with extrapolation, and without effect on the steps.

#![cfg(feature = "interpolation")]

use std::time::Duration;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::{prelude::*, smoothing::TransformExtrapolation};
use laws::*;

const HZ: f64 = 30.0;

/// Frames in a step.
const FRAMES: u32 = 7;

/// An app that shows several frames in each step.
fn smooth() -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / (HZ * f64::from(FRAMES)));
    app.add_plugins((TimePlugin, ImpulseCollidePlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(Gravity::ZERO);
    app.finish();
    app.update();
    app
}

/// Free flight at a steady velocity: every frame shows x = x₀ + v·t.
#[test]
fn an_extrapolated_body_is_on_time_and_an_interpolated_one_a_step_late() {
    let mut app = smooth();
    let (v, w) = (Vec3::new(3.0, 1.0, 0.0), Vec3::Z * 2.0);
    let motion = (Particle::new(0.1), LinearVelocity(v), AngularVelocity(w));
    let late = app.world_mut().spawn(motion).id();
    let place = Transform::from_xyz(0.0, 5.0, 0.0);
    let on_time = (motion, place, TransformExtrapolation);
    let on_time = app.world_mut().spawn(on_time).id();
    for frame in 1..200 {
        app.update();
        let t = frame as f32 / (HZ * f64::from(FRAMES)) as f32;
        // Until the first step has ended, the library shows the start.
        if frame <= 2 * FRAMES {
            continue;
        }
        let error = position(&app, on_time).distance(place.translation + v * t);
        assert!(error < 2e-4, "frame {frame}: {error} m");
        let lag = position(&app, late).distance(v * (t - 1.0 / HZ as f32));
        assert!(lag < 2e-4, "frame {frame}: {lag} m");
        let turned = get::<Transform>(&app, on_time).rotation;
        let angle = turned.angle_between(Quat::from_rotation_z(w.z * t));
        assert!(angle < 2e-3, "frame {frame}: {angle} rad");
    }
}

/// The steps of a heap end in the same bits, however its bodies are shown.
#[test]
fn smoothing_changes_no_step() {
    let run = |is_extrapolated: bool| {
        let mut app = smooth();
        app.insert_resource(Gravity::default());
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let bodies: Vec<Entity> = (0..30)
            .map(|k| {
                let k = k as f32;
                let place = Transform::from_xyz((k * 1.7).sin(), 0.3 + 0.2 * k, (k * 2.3).cos());
                app.world_mut().spawn((Particle::new(0.15), place)).id()
            })
            .collect();
        if is_extrapolated {
            for &body in &bodies {
                app.world_mut()
                    .entity_mut(body)
                    .insert(TransformExtrapolation);
            }
        }
        #[derive(Resource, Default)]
        struct Steps(Vec<u64>);
        app.init_resource::<Steps>()
            .add_systems(FixedLast, |measure: Measure, mut steps: ResMut<Steps>| {
                steps.0.push(measure.measure().state_hash)
            });
        steps(&mut app, 60 * FRAMES as usize);
        std::mem::take(&mut app.world_mut().resource_mut::<Steps>().0)
    };
    let (one, other) = (run(true), run(false));
    assert!(one.len() > 50);
    assert_eq!(one, other);
}
