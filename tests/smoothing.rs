//! Smooth transforms between steps: late by a step with interpolation, on time with extrapolation, and without effect on the steps.

#![cfg(feature = "interpolation")]

use std::time::Duration;

use bevy::{
    ecs::schedule::ScheduleLabel,
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

/// What a body is shown as, at the end of each frame.
#[derive(Resource, Default)]
struct Shown(Vec<Vec3>);

/// How the body jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Jump {
    Teleport,
    Write,
}

/// A moving body jumps once, in this schedule, with so many frames in a step or steps in a frame. It is shown where it was, and then
/// where it is, and nowhere else; its velocity stays, and so does its rotation.
fn shows_no_streak(
    schedule: impl ScheduleLabel + Clone,
    jump: Jump,
    frame: Duration,
    is_extrapolated: bool,
) {
    let mut app = smooth();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let (v, w) = (Vec3::X * 3.0, Vec3::Z);
    let motion = (Particle::new(0.1), LinearVelocity(v), AngularVelocity(w));
    let body = app.world_mut().spawn(motion).id();
    if is_extrapolated {
        app.world_mut()
            .entity_mut(body)
            .insert(TransformExtrapolation);
    }
    // Runs of the schedule before the jump.
    let mut left = 8;
    app.init_resource::<Shown>()
        .add_systems(
            schedule.clone(),
            move |mut commands: Commands, mut bodies: Query<&mut Transform, With<Particle>>| {
                left -= 1;
                if left != 0 {
                    return;
                }
                match jump {
                    Jump::Teleport => {
                        commands
                            .entity(body)
                            .queue(TeleportTo::new(Vec3::Y * 100.0));
                    }
                    Jump::Write => {
                        let mut transform = bodies.single_mut().expect("there is one");
                        transform.translation = Vec3::Y * 100.0;
                    }
                }
            },
        )
        .add_systems(
            Last,
            |bodies: Query<&Transform, With<Particle>>, mut shown: ResMut<Shown>| {
                shown
                    .0
                    .extend(bodies.iter().map(|transform| transform.translation));
            },
        );
    let start = app.world().resource::<Time<Fixed>>().elapsed_secs();
    steps(&mut app, 150);
    let case = format!("{schedule:?}, {jump:?}, {frame:?}, extrapolated: {is_extrapolated}");
    let shown = &app.world().resource::<Shown>().0;
    let at = shown.iter().position(|x| x.y > 50.0);
    let at = at.unwrap_or_else(|| panic!("{case}: the jump is lost"));
    assert!(at > 1 && at < 100, "{case}: it is shown in frame {at}");
    // In a frame it moves by this much; an interpolated one stands for up to a step after the jump.
    let most = 3.0 * (2.0 / HZ as f32 + frame.as_secs_f32()) + 1e-3;
    for (frame, x) in shown.iter().enumerate() {
        let law = if frame < at { 0.0 } else { 100.0 };
        assert!((x.y - law).abs() < 1e-3, "{case}: in frame {frame} at {x}");
        if frame > 0 && frame != at {
            let moved = x.x - shown[frame - 1].x;
            assert!(
                moved > -1e-3 && moved < most,
                "{case}: frame {frame} moves by {moved}"
            );
        }
    }
    assert!(shown[at].x.abs() < most, "{case}: {}", shown[at]);
    assert_eq!(velocity(&app, body), v, "{case}");
    assert_eq!(spin(&app, body), w, "{case}");
    let turned = get::<Transform>(&app, body).rotation.to_scaled_axis().z;
    let time = app.world().resource::<Time<Fixed>>().elapsed_secs() - start;
    let behind = (time - turned).rem_euclid(std::f32::consts::TAU);
    let behind = behind.min(std::f32::consts::TAU - behind);
    assert!(
        behind < 2.5 / HZ as f32 + frame.as_secs_f32(),
        "{case}: {behind} rad"
    );
}

#[test]
fn no_jump_is_drawn_as_a_streak() {
    let step = 1.0 / HZ;
    // Frames in a step, and steps in a frame.
    for frame in [step / 7.0, step, 2.7 * step].map(Duration::from_secs_f64) {
        for is_extrapolated in [false, true] {
            shows_no_streak(FixedFirst, Jump::Teleport, frame, is_extrapolated);
            for jump in [Jump::Teleport, Jump::Write] {
                shows_no_streak(FixedPreUpdate, jump, frame, is_extrapolated);
                shows_no_streak(FixedUpdate, jump, frame, is_extrapolated);
                shows_no_streak(FixedLast, jump, frame, is_extrapolated);
            }
            shows_no_streak(PreUpdate, Jump::Teleport, frame, is_extrapolated);
            shows_no_streak(Update, Jump::Teleport, frame, is_extrapolated);
        }
    }
}

/// A short way that a system takes in each step is a motion, and is smoothed.
#[test]
fn a_motion_in_small_parts_stays_smooth() {
    let mut app = smooth();
    let body = (Particle::new(0.5), GravityScale(0.0));
    let body = app.world_mut().spawn(body).id();
    app.add_systems(
        FixedUpdate,
        |mut bodies: Query<&mut Transform, With<Particle>>| {
            for mut transform in &mut bodies {
                transform.translation.x += 0.1;
            }
        },
    );
    steps(&mut app, 5 * FRAMES as usize);
    for _ in 0..5 * FRAMES {
        let before = position(&app, body).x;
        app.update();
        let moved = position(&app, body).x - before;
        assert_near(
            "part of a step",
            moved.into(),
            0.1 / f64::from(FRAMES),
            1e-4,
        );
    }
}

/// A child that leaves its parent, or joins one, in any schedule, goes on as its twin that never had a parent.
#[test]
fn a_body_changes_its_parent_in_its_place() {
    fn check(schedule: impl ScheduleLabel, interpolate: bool) {
        let mut app = if interpolate { smooth() } else { app(HZ) };
        let world = app.world_mut();
        let place = Transform::from_xyz(1.0, 2.0, 0.0).with_rotation(Quat::from_rotation_z(0.5));
        let parent = world.spawn(place).id();
        let motion = (Particle::new(0.1), LinearVelocity(Vec3::new(3.0, 1.0, 0.0)));
        let local = Transform::from_xyz(0.3, 0.0, 0.0);
        let start = place * local;
        let child = world.spawn((motion, local, ChildOf(parent))).id();
        let far = Vec3::Z * 50.0;
        let twin = start.with_translation(start.translation + far);
        let twin = world.spawn((motion, twin)).id();
        let mut runs = 0;
        app.add_systems(
            schedule,
            move |mut commands: Commands, mut places: Query<&mut Transform, Without<Particle>>| {
                runs += 1;
                // The parent moves too, and does not drag the child.
                if runs > 15
                    && !(40..50).contains(&runs)
                    && let Ok(mut place) = places.get_mut(parent)
                {
                    place.translation.y += 0.01;
                }
                match runs {
                    20 => drop(commands.entity(child).queue(LeaveParent)),
                    40 => drop(commands.entity(child).queue(JoinParent(parent))),
                    60 => drop(commands.entity(child).queue(LeaveParent)),
                    _ => {}
                }
            },
        );
        steps(
            &mut app,
            100 * if interpolate { FRAMES as usize } else { 1 },
        );
        assert!(!app.world().entity(child).contains::<ChildOf>());
        let apart = (position(&app, child) + far).distance(position(&app, twin));
        assert!(apart < 2e-4, "smoothed: {interpolate}: {apart} m");
        assert!(velocity(&app, child).abs_diff_eq(velocity(&app, twin), 1e-6));
    }
    for interpolate in [false, true] {
        check(Update, interpolate);
        check(FixedUpdate, interpolate);
        check(FixedLast, interpolate);
    }
}
