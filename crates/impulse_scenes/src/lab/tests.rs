//! Every world of the laboratory runs under each of its methods, and the stages keep in it what they must keep.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    method::{Method, PLANETS, STEPPERS},
    scene::{SCENES, Scene},
    world::LabWorld,
};

fn scene(name: &str) -> &'static Scene {
    let found = SCENES.iter().find(|scene| scene.name == name);
    found.unwrap_or(&SCENES[0])
}

/// A scene after so many steps.
fn run(name: &str, method: &'static Method, far: f32, steps: usize) -> LabWorld {
    let scene = scene(name);
    let mut world = LabWorld::new(scene, method, Vec3::X * far, scene.hz);
    for _ in 0..steps {
        world.step();
    }
    world
}

#[test]
fn every_scene_runs_under_each_of_its_methods() {
    for scene in &SCENES {
        for name in scene.first {
            let is_known = scene.methods.iter().any(|method| method.name == name);
            assert!(is_known, "{}: {name}", scene.name);
        }
        let methods = scene.methods.iter();
        for method in methods.filter(|method| !scene.too_slow.contains(&method.name)) {
            let world = run(scene.name, method, 0.0, 3);
            let now = world.figures.now;
            let is_measured = now.energy.is_finite() && now.overlap.is_finite();
            assert!(
                is_measured && (now.seconds * scene.hz - 3.0).abs() < 1e-6,
                "{} {}",
                scene.name,
                method.name
            );
        }
    }
}

#[test]
fn names_are_the_methods_own() {
    for methods in [&STEPPERS[..], &PLANETS[..]] {
        let mut names: Vec<_> = methods.iter().map(|method| method.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), methods.len());
    }
}

#[test]
fn the_stages_give_back_the_restitution_of_the_ball() {
    for (name, expected) in [("ball", 1.0), ("rest", 0.6)] {
        let summary = run(name, &STEPPERS[0], 0.0, 300).figures.summary();
        let restitution = summary.restitution.unwrap_or(f64::NAN);
        assert!(
            (restitution - expected).abs() < 2e-3,
            "{name}: {restitution}"
        );
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy_under_the_stages() {
    let summary = run("ball", &STEPPERS[0], 0.0, 2000).figures.summary();
    assert!(summary.energy_drift.abs() < 1e-3, "{summary:?}");
}

#[test]
fn a_planet_keeps_its_angular_momentum_under_the_stages() {
    let summary = run("planet", &PLANETS[0], 0.0, 1000).figures.summary();
    let change = summary.angular_momentum_drift;
    assert!(
        change.is_some_and(|change| change.abs() < 1e-4),
        "{summary:?}"
    );
}

/// s = ½·g·(sin − μ·cos)·t², after a second.
#[test]
fn on_the_ramp_the_upper_three_stay_and_the_lower_three_slide() {
    let places = |world: &mut LabWorld| -> Vec<Vec3> {
        let world = world.app.world_mut();
        let mut logs = world.query_filtered::<&Transform, With<Capsule>>();
        let mut places: Vec<Vec3> = logs.iter(world).map(|at| at.translation).collect();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        places
    };
    let before = places(&mut run("ramp", &STEPPERS[0], 0.0, 0));
    let after = places(&mut run("ramp", &STEPPERS[0], 0.0, 100));
    let (sin, cos) = 20f32.to_radians().sin_cos();
    let slide = 0.5 * 9.81 * (sin - 0.2 * cos);
    for (k, (before, after)) in before.iter().zip(&after).enumerate() {
        let moved = before.distance(*after);
        let expected = if k < 3 { 0.0 } else { slide };
        assert!(
            (moved - expected).abs() < 1e-3,
            "{k}: {moved} m, not {expected}"
        );
    }
}

/// Rounding is coarser there, and nothing else changes.
#[test]
fn a_pyramid_stands_far_from_the_origin_too() {
    for far in [0.0, 1000.0] {
        let summary = run("logs", &STEPPERS[0], far, 300).figures.summary();
        assert!(summary.worst_overlap < 0.05, "{far} m: {summary:?}");
        assert!(summary.rms_speed < 0.01, "{far} m: {summary:?}");
    }
}

/// A reset keeps the parameters that the user has edited.
#[test]
fn parameters_go_from_world_to_world() {
    let springs = STEPPERS.iter().find(|method| method.name == "springs");
    let Some(method) = springs else {
        panic!("no springs");
    };
    let mut edited = run("ball", method, 0.0, 0);
    edited
        .app
        .world_mut()
        .resource_mut::<impulse_lab::stepper::Springs>()
        .stiffness = 123.0;
    let mut anew = run("ball", method, 0.0, 0);
    anew.take_parameters(&mut edited);
    assert_eq!(
        anew.app
            .world()
            .resource::<impulse_lab::stepper::Springs>()
            .stiffness,
        123.0
    );
}
