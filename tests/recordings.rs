//! A recorded world is played again to the same bits, whatever was done to it from outside, and a damaged file is told.

use std::{num::NonZero, path::PathBuf};

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_recorder::{
    Outcome, Recorder, RecorderPlugin, Recording, Replay, play, play_headless, recording_of,
};
use laws::*;

/// A recorder that writes no files by itself.
fn recorder(seconds: f32, key_frame_every: f32) -> RecorderPlugin {
    RecorderPlugin {
        seconds,
        key_frame_every,
        key: None,
        on_bad_input: false,
        ..default()
    }
}

fn recorded_app(plugin: RecorderPlugin) -> App {
    let mut app = app_with_gravity(60.0);
    app.add_plugins(plugin);
    app
}

/// A world in which everything is changed while it runs.
struct Busy {
    app: App,
    balls: Vec<Entity>,
    asleep: Vec<Entity>,
    platform: Entity,
    follower: Entity,
    floor: Entity,
    slab: Entity,
    tower: Entity,
    shelf: Entity,
    joint: Option<Entity>,
    arm: Entity,
}

impl Busy {
    fn new(plugin: RecorderPlugin) -> Self {
        let mut app = recorded_app(plugin);
        // The order of entities is not that of their coming.
        let free: Vec<Entity> = (0..40)
            .map(|_| app.world_mut().spawn_empty().id())
            .collect();
        (0..40).for_each(|k| {
            app.world_mut().despawn(free[k * 17 % 40]);
        });
        let world = app.world_mut();
        let floor = world.spawn(Plane::new(Vec3::Y)).id();
        let slab = (
            Collider::cuboid(1.0, 0.2, 1.0),
            Transform::from_xyz(2.0, 0.1, 0.0),
        );
        let slab = world.spawn(slab).id();
        let ball = |k: usize| {
            let place = Transform::from_xyz(
                0.1 * (k % 3) as f32,
                0.2 + 0.25 * k as f32,
                0.07 * (k % 4) as f32,
            );
            (Particle::new(0.11), Friction(0.4), place)
        };
        let balls = (0..24).map(|k| world.spawn(ball(k)).id()).collect();
        let asleep = (0..4)
            .map(|k| {
                world
                    .spawn((
                        Particle::new(0.1),
                        Transform::from_xyz(-6.0 + 0.2 * k as f32, 0.1, 0.0),
                    ))
                    .id()
            })
            .collect();
        let platform = (
            Collider::cuboid(1.0, 0.1, 1.0),
            RigidBody::Kinematic,
            LinearVelocity::default(),
            Transform::from_xyz(0.0, 0.6, 1.0),
        );
        let platform = world.spawn(platform).id();
        let follower = (
            Collider::cuboid(0.5, 0.5, 0.5),
            MovedByTransform::default(),
            Transform::from_xyz(1.0, 0.3, -0.6),
        );
        let follower = world.spawn(follower).id();
        // A static part under two entities that are no bodies.
        let tower = world.spawn(Transform::from_xyz(-1.0, 0.0, 0.0)).id();
        let storey = world
            .spawn((Transform::from_xyz(0.0, 0.5, 0.0), ChildOf(tower)))
            .id();
        world.spawn((
            Collider::cuboid(0.4, 0.2, 0.4),
            Transform::IDENTITY,
            ChildOf(storey),
        ));
        // The compound lists its parts in another order than they have come in.
        let part = |x: f32, radius: f32| (Particle::new(radius), Transform::from_xyz(x, 0.0, 0.0));
        let parts = [(0.3, 0.1), (-0.2, 0.15), (0.05, 0.12), (0.1, 0.13)];
        let parts = parts.map(|(x, radius)| world.spawn(part(x, radius)).id());
        let order = [3, 0, 2, 1].map(|k| parts[k]);
        let whole = (Compound, Transform::from_xyz(0.4, 3.0, 0.4));
        world.spawn(whole).add_children(&order);
        let shelf = world.spawn(Transform::from_xyz(-1.6, 0.3, 0.1)).id();
        let arm = world
            .spawn((Capsule::new(0.08, 0.4), Transform::from_xyz(1.5, 2.0, 0.0)))
            .id();
        let goal = (
            Collider::cuboid(1.0, 1.0, 1.0),
            Sensor,
            Transform::from_xyz(0.0, 0.5, 0.0),
        );
        world.spawn(goal);
        Self {
            app,
            balls,
            asleep,
            platform,
            follower,
            floor,
            slab,
            tower,
            shelf,
            joint: None,
            arm,
        }
    }

    /// What happens before a step, again and again. `step` counts from zero.
    fn edit(&mut self, step: usize) {
        let ball = self.balls[step % self.balls.len()];
        let world = self.app.world_mut();
        let push = Vec3::new(0.0, 1.5, 0.2 * (step % 7) as f32);
        let t = step as f32 / 60.0;
        world.get_mut::<LinearVelocity>(self.platform).unwrap().0 = Vec3::X * (3.0 * t).sin();
        world
            .get_mut::<Transform>(self.follower)
            .unwrap()
            .translation
            .x = 1.0 + 0.3 * (2.0 * t).sin();
        match step % 60 {
            3 => world.get_mut::<LinearVelocity>(ball).unwrap().0 = push,
            7 => world.get_mut::<Transform>(ball).unwrap().translation = Vec3::new(0.3, 2.5, 0.1),
            11 => world.get_mut::<Mass>(ball).unwrap().0 *= 1.7,
            13 => {
                world.entity_mut(ball).insert(ExternalForce(Vec3::X * 40.0));
            }
            // The same value again: the physics tells a force that is written each step from one that is switched on.
            14..=18 => {
                let mut forces = world.query::<&mut ExternalForce>();
                forces
                    .iter_mut(world)
                    .for_each(|mut force| force.set_changed());
            }
            19 => {
                let new = (
                    Particle::new(0.14),
                    Restitution(0.7),
                    Transform::from_xyz(0.2, 3.0, 0.3),
                );
                let new = world.spawn(new).id();
                self.balls.push(new);
            }
            23 => {
                let gone = self.balls.swap_remove(step % self.balls.len());
                world.despawn(gone);
            }
            27 => {
                let other = self.balls[(step + 5) % self.balls.len()];
                self.joint = Some(
                    world
                        .spawn((Joint::distance(ball, other), JointStrength::force(900.0)))
                        .id(),
                );
            }
            45 => {
                if let Some(joint) = self.joint.take() {
                    world.despawn(joint);
                }
            }
            29 => {
                world.entity_mut(ball).insert((Sensor, SleepingDisabled));
            }
            31 => {
                world.entity_mut(ball).remove::<(Sensor, Friction)>();
            }
            33 => world.resource_mut::<Gravity>().0 = Vec3::new(0.4, -9.0, 0.1 * t),
            35 => {
                world.insert_resource(SelfGravity {
                    constant: 1e-6,
                    ..default()
                });
            }
            37 => {
                world.remove_resource::<SelfGravity>();
            }
            39 => {
                let turned = if step < 60 {
                    Vec3::new(0.05, 1.0, 0.0)
                } else {
                    Vec3::Y
                };
                world.get_mut::<Plane>(self.floor).unwrap().normal = turned;
            }
            41 => {
                *world.get_mut::<Collider>(self.slab).unwrap() =
                    Collider::cylinder(0.5 + 0.1 * t, 0.3);
            }
            43 => {
                world
                    .get_mut::<Transform>(self.tower)
                    .unwrap()
                    .translation
                    .y += 0.05
            }
            47 => {
                let sleeper = self.asleep[step / 60 % self.asleep.len()];
                world.get_mut::<LinearVelocity>(sleeper).unwrap().0 = Vec3::new(1.0, 2.0, 0.0);
            }
            49 => {
                // Of the shelf nobody has known.
                world.entity_mut(self.arm).insert(ChildOf(self.tower));
                world.entity_mut(self.slab).insert(ChildOf(self.shelf));
            }
            51 => {
                world.entity_mut(self.arm).remove::<ChildOf>();
            }
            57 => {
                world.entity_mut(self.slab).remove::<ChildOf>();
            }
            53 => {
                world.entity_mut(self.arm).insert(Disabled);
            }
            55 => {
                world.entity_mut(self.arm).remove::<Disabled>();
            }
            _ => {
                if let Ok(mut body) = world.get_entity_mut(ball)
                    && step.is_multiple_of(5)
                    && let Some(mut spin) = body.get_mut::<AngularVelocity>()
                {
                    spin.0 += Vec3::Y * 3.0;
                }
            }
        }
    }

    fn run(&mut self, steps: std::ops::Range<usize>) {
        for step in steps {
            self.edit(step);
            self.app.update();
        }
    }

    fn recording(&mut self) -> Recording {
        recording_of(self.app.world_mut(), "a test").expect("it has made steps")
    }
}

fn text(recording: &Recording) -> String {
    recording.to_text().expect("it can be written")
}

fn replayed(text: &str) -> Outcome {
    play_headless(Recording::from_text(text).expect("it can be read"), None)
}

#[test]
fn a_world_that_is_edited_in_all_ways_is_played_to_the_same_bits() {
    let mut busy = Busy::new(recorder(60.0, 60.0));
    busy.run(0..200);
    let recording = busy.recording();
    assert!(recording.edited_steps() > 150);
    assert_eq!(
        replayed(&text(&recording)),
        Outcome::SameBits { steps: 200 }
    );
}

/// Several key frames have been dropped, and the recording begins in the middle of the run.
#[test]
fn the_last_seconds_of_a_long_run_are_played_to_the_same_bits() {
    let mut busy = Busy::new(recorder(1.5, 0.5));
    busy.run(0..415);
    let recording = busy.recording();
    let steps = recording.steps();
    assert!((90..=120).contains(&steps), "{steps} steps are kept");
    assert_eq!(replayed(&text(&recording)), Outcome::SameBits { steps });
}

/// It does not grow: what is older than it must be is dropped.
#[test]
fn a_recorder_keeps_no_more_than_it_must() {
    let mut busy = Busy::new(recorder(1.0, 0.5));
    for step in 0..400 {
        busy.run(step..step + 1);
        let kept = busy.app.world().resource::<Recorder>().steps();
        let most = if step < 60 { step + 1 } else { 90 };
        let least = (step + 1).min(60);
        assert!(
            (least..=most).contains(&kept),
            "{kept} steps are kept after {step}"
        );
    }
}

#[test]
fn any_number_of_threads_plays_the_same_bits() {
    let mut busy = Busy::new(recorder(2.0, 1.0));
    busy.run(0..150);
    let text = text(&busy.recording());
    for threads in [1, 2, 4] {
        // A process has one pool of threads: each number has a process of its own.
        let program = std::env::current_exe().expect("it runs");
        let folder = folder(&format!("threads-{threads}"));
        let file = folder.join("recording.txt");
        std::fs::write(&file, &text).expect("it can be written");
        let played = std::process::Command::new(program)
            .args(["--ignored", "--exact", "plays_a_file_on_so_many_threads"])
            .env("RECORDING", &file)
            .env("THREADS", threads.to_string())
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&played.stdout).into_owned();
        assert!(
            played.status.success() && told.contains("1 passed"),
            "{threads} threads: {told}"
        );
        std::fs::remove_dir_all(folder).expect("it is ours");
    }
}

#[test]
#[ignore = "a part of any_number_of_threads_plays_the_same_bits"]
fn plays_a_file_on_so_many_threads() {
    let variable = |name| std::env::var(name).expect("the test that starts this one sets it");
    let threads: usize = variable("THREADS").parse().expect("it is a number");
    let recording = Recording::read(variable("RECORDING")).expect("it can be read");
    let steps = recording.steps();
    let outcome = play_headless(recording, NonZero::new(threads));
    assert_eq!(outcome, Outcome::SameBits { steps });
    assert_eq!(
        bevy::tasks::ComputeTaskPool::get().thread_num(),
        threads - 1
    );
}

/// Balls in layers on the floor.
fn heap(count: usize, plugin: RecorderPlugin) -> App {
    let mut app = recorded_app(plugin);
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    for k in 0..count {
        let [x, y, z] = [k % 10, k / 100, k / 10 % 10].map(|number| 0.21 * number as f32);
        let place = Transform::from_xyz(x, y + 0.1, z);
        world.spawn((Particle::new(0.1), place));
    }
    app
}

/// A large world is sorted by place, and a settled one sleeps.
#[test]
fn a_large_heap_and_a_sleeping_one_are_played_to_the_same_bits() {
    for (count, steps_before) in [(1300, 60), (30, 500)] {
        let mut app = heap(count, recorder(1.0, 0.5));
        let balls: Vec<Entity> = (app.world_mut().query_filtered::<Entity, With<Particle>>())
            .iter(app.world())
            .collect();
        steps(&mut app, steps_before);
        app.world_mut()
            .get_mut::<LinearVelocity>(balls[3])
            .unwrap()
            .0 = Vec3::new(2.0, 3.0, 0.0);
        app.world_mut().despawn(balls[7]);
        app.world_mut()
            .spawn((Particle::new(0.1), Transform::from_xyz(0.5, 3.0, 0.5)));
        steps(&mut app, 50);
        let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
        let steps = recording.steps();
        assert_eq!(
            replayed(&text(&recording)),
            Outcome::SameBits { steps },
            "{count} balls"
        );
    }
}

/// Cells that divide have daughters, and balls that merge are gone, in the replay too.
#[test]
fn bodies_that_divide_and_merge_are_played_to_the_same_bits() {
    let mut app = recorded_app(recorder(10.0, 1.0));
    app.insert_resource(Accretion::Always);
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let mut mothers = Vec::new();
    for k in 0..3 {
        let growth = (Growth::new(1.2, 1.0), Division::new(1.0));
        let lying = Quat::from_rotation_z(1.5);
        let place = Transform::from_xyz(2.0 * k as f32, 0.3, 0.0).with_rotation(lying);
        mothers.push(world.spawn((Capsule::new(0.2, 0.5), growth, place)).id());
        world.spawn((
            Particle::new(0.1),
            Transform::from_xyz(0.1 * k as f32, 1.0 + 0.3 * k as f32, 4.0),
        ));
    }
    steps(&mut app, 100);
    // A daughter that a step has made is pushed by the game.
    let cells = |app: &mut App| -> Vec<Entity> {
        let mut cells = app.world_mut().query_filtered::<Entity, With<Capsule>>();
        cells.iter(app.world()).collect()
    };
    let is_new = |cell: &Entity| !mothers.contains(cell);
    let daughter = cells(&mut app)
        .into_iter()
        .find(is_new)
        .expect("they have divided");
    let mut velocity = app.world_mut().get_mut::<LinearVelocity>(daughter).unwrap();
    velocity.0 = Vec3::new(0.0, 3.0, 1.0);
    steps(&mut app, 50);
    assert!(cells(&mut app).len() > 6);
    let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
    assert_eq!(
        replayed(&text(&recording)),
        Outcome::SameBits { steps: 150 }
    );
}

/// What an entity had lost before the recording began, it lacks in the replay, and a parent lists its children in the same order.
#[test]
fn a_lost_component_stays_lost_and_children_keep_their_order() {
    let mut app = recorded_app(recorder(10.0, 10.0));
    let ball = app.world_mut().spawn(Particle::new(0.1)).id();
    app.world_mut().entity_mut(ball).remove::<Sleep>();
    let parts = [1.0, 2.0, 3.0].map(|x| {
        let part = (Particle::new(0.1), Transform::from_xyz(x, 0.0, 0.0));
        app.world_mut().spawn(part).id()
    });
    // Another order than that of their entities.
    let mut order = parts;
    order.sort_unstable_by(|a, b| b.cmp(a));
    let whole = app
        .world_mut()
        .spawn((Compound, Transform::default()))
        .add_children(&order)
        .id();
    steps(&mut app, 2);
    let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
    let mut again = laws::app(60.0);
    play(recording, &mut again);
    let replay = again.world().resource::<Replay>();
    let there = |recorded| replay.entity(recorded).expect("it is recorded");
    let children = again.world().get::<Children>(there(whole));
    let children = children.expect("it has parts");
    assert_eq!(children.to_vec(), order.map(there));
    let ball = again.world().entity(there(ball));
    assert!(ball.contains::<Particle>() && !ball.contains::<Sleep>());
}

/// A number that is changed in the file makes other bits, and the replay tells where and what.
#[test]
fn a_replay_tells_at_which_step_it_left_the_bits() {
    let mut app = recorded_app(recorder(10.0, 10.0));
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    steps(&mut app, 20);
    app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::new(0.0, 3.0, 0.0);
    steps(&mut app, 10);
    let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
    let good = text(&recording);
    let edit = good
        .lines()
        .position(|line| line.starts_with("set LinearVelocity"));
    assert!(edit.is_some(), "the change of the velocity is recorded");
    let other = resealed(&good, |line| {
        if line.starts_with("set LinearVelocity") {
            line.replace("3.0", "4.0")
        } else {
            line.to_owned()
        }
    });
    let Outcome::LeftTheBits { step, difference } = replayed(&other) else {
        panic!("the bits are the same");
    };
    assert_eq!(step, 21);
    let difference = difference.expect("the end is recorded");
    assert_eq!(
        (difference.entity, difference.component),
        (ball, "LinearVelocity")
    );
    assert_eq!(difference.steps, 30);
    assert!(difference.recorded != difference.here);
}

/// The same text with other lines and the right sum, as a file that another build has written.
fn resealed(text: &str, change: impl Fn(&str) -> String) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let body: String = lines[..lines.len() - 1]
        .iter()
        .map(|line| change(line) + "\n")
        .collect();
    let sum = bevy_impulse_recorder::sum(&body);
    format!("{body}sum {sum}\n")
}

#[test]
fn a_damaged_file_is_an_error() {
    let mut busy = Busy::new(recorder(1.0, 1.0));
    busy.run(0..60);
    let good = text(&busy.recording());
    assert!(Recording::from_text(&good).is_ok());
    // Cut off anywhere, or with another byte.
    for k in 0..200 {
        let at = good.len() * k / 200;
        assert!(
            Recording::from_text(&good[..at]).is_err(),
            "cut off at {at}"
        );
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        let changed = String::from_utf8(bytes).expect("it is ASCII");
        assert!(Recording::from_text(&changed).is_err(), "changed at {at}");
    }
    // With the right sum, but nonsense in a line.
    let lines = good.lines().count();
    for k in 1..lines - 1 {
        let number = std::cell::Cell::new(0);
        let broken = resealed(&good, |line| {
            number.set(number.get() + 1);
            if number.get() == k + 1 {
                format!("x{line}")
            } else {
                line.to_owned()
            }
        });
        let error = Recording::from_text(&broken)
            .err()
            .expect("the line is nonsense");
        assert!(
            error.to_string().contains(&format!("line {}", k + 1)),
            "{error}"
        );
    }
    for (text, wanted) in [
        ("", "no recording"),
        ("a poem\nof two lines\n", "no recording"),
        ("impulse recording 99\nsum 1\n", "the format 99"),
    ] {
        let error = Recording::from_text(text)
            .err()
            .expect("it is no recording")
            .to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

/// A file of another version says so, and one that another build has written is doubted.
#[test]
fn another_version_and_another_build_are_told() {
    let mut busy = Busy::new(recorder(1.0, 1.0));
    busy.run(0..10);
    let good = text(&busy.recording());
    assert_eq!(
        Recording::from_text(&good).map(|it| it.doubt()).ok(),
        Some(None)
    );
    let other = resealed(&good, |line| match line.split_once(' ') {
        Some(("build", _)) => "build 1".to_owned(),
        Some(("version", _)) => "version \"0.0.9\"".to_owned(),
        _ => line.to_owned(),
    });
    let doubt = Recording::from_text(&other)
        .ok()
        .and_then(|it| it.doubt())
        .expect("it is another build");
    assert!(
        doubt.contains("0.0.9") && doubt.contains("another build"),
        "{doubt}"
    );
    let unknown = resealed(&other, |line| line.replace("is Particle", "is Particule"));
    let error = Recording::from_text(&unknown)
        .err()
        .expect("no such component")
        .to_string();
    assert!(
        error.contains("Particule") && error.contains("0.0.9"),
        "{error}"
    );
}

/// Systems within the steps are in no file: the recording says so.
#[test]
fn a_recording_says_what_it_misses() {
    let mut app = recorded_app(recorder(1.0, 1.0));
    app.world_mut().spawn(Particle::new(0.1));
    steps(&mut app, 2);
    let doubt = |app: &mut App| {
        let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
        Recording::from_text(&text(&recording))
            .ok()
            .and_then(|it| it.doubt())
    };
    assert_eq!(doubt(&mut app), None);
    app.add_systems(PairHooks, || ());
    steps(&mut app, 1);
    assert!(doubt(&mut app).is_some_and(|doubt| doubt.contains("PairHooks")));
}

/// No edit tells that a world was put back, or that its past was forgotten: the recording begins anew there.
#[test]
fn a_recording_begins_anew_where_the_past_is_put_back_or_forgotten() {
    let ways: [fn(&mut World, &PhysicsSnapshot); 3] = [
        |world, _| drop(PhysicsSnapshot::take(world)),
        |world, snapshot| drop(snapshot.restore(world)),
        |world, _| bevy_impulse_collide::forget_past(world),
    ];
    for (number, way) in ways.into_iter().enumerate() {
        let mut app = heap(60, recorder(10.0, 10.0));
        let snapshot = PhysicsSnapshot::take(app.world_mut());
        steps(&mut app, 60);
        assert_eq!(app.world().resource::<Recorder>().steps(), 60);
        way(app.world_mut(), &snapshot);
        steps(&mut app, 40);
        let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
        let played = replayed(&text(&recording));
        assert_eq!(played, Outcome::SameBits { steps: 40 }, "way {number}");
    }
}

/// The step that panics is the last one of the recording, with what came before it: a replay panics too.
#[test]
fn a_step_that_panics_is_recorded() {
    let mut app = recorded_app(recorder(10.0, 10.0));
    let ball = app.world_mut().spawn(Particle::new(0.1)).id();
    steps(&mut app, 5);
    app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::Y;
    app.add_systems(ImpulseStep, || panic!("a test"));
    let length = std::time::Duration::from_nanos(16_666_667);
    let world = app.world_mut();
    let step = || bevy_impulse_collide::step(world, length);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(step)).is_err());
    let recording = recording_of(app.world_mut(), "a test").expect("it has steps");
    let text = text(&recording);
    assert!(
        text.contains("set LinearVelocity") && text.contains(" unfinished\n"),
        "{text}"
    );
    // Without the system that panics, the replay goes through.
    assert_eq!(replayed(&text), Outcome::SameBits { steps: 6 });
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("recordings-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("it can be made");
    folder
}

fn files(folder: &PathBuf) -> usize {
    std::fs::read_dir(folder).expect("it is there").count()
}

/// The first bad value of a run writes a file, with the step that met it, and the next ones write none.
#[test]
fn bad_input_writes_one_file() {
    let folder = folder("bad-input");
    let mut app = recorded_app(RecorderPlugin {
        on_bad_input: true,
        folder: folder.clone(),
        ..recorder(10.0, 10.0)
    });
    let balls: Vec<Entity> = (0..20)
        .map(|k| {
            app.world_mut()
                .spawn((Particle::new(0.1), Transform::from_xyz(k as f32, 1.0, 0.0)))
                .id()
        })
        .collect();
    steps(&mut app, 10);
    assert_eq!(files(&folder), 0);
    for &ball in &balls {
        app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::NAN;
        steps(&mut app, 1);
    }
    assert_eq!(files(&folder), 1);
    let recording = Recording::read(folder.join("recording-1.txt")).expect("it can be read");
    assert!(
        recording.header.why.contains("LinearVelocity"),
        "{}",
        recording.header.why
    );
    assert_eq!(
        play_headless(recording, None),
        Outcome::SameBits { steps: 11 }
    );
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_key_writes_a_file_each_time() {
    let folder = folder("key");
    let mut app = recorded_app(RecorderPlugin {
        key: Some(KeyCode::F12),
        folder: folder.clone(),
        ..recorder(10.0, 10.0)
    });
    app.init_resource::<ButtonInput<KeyCode>>();
    app.world_mut().spawn(Particle::new(0.1));
    steps(&mut app, 3);
    for k in 1..3 {
        app.world_mut()
            .resource_mut::<ButtonInput<KeyCode>>()
            .press(KeyCode::F12);
        app.update();
        app.world_mut()
            .resource_mut::<ButtonInput<KeyCode>>()
            .reset_all();
        steps(&mut app, 3);
        assert_eq!(files(&folder), k);
    }
    let read = |k: usize| Recording::read(folder.join(format!("recording-{k}.txt")));
    assert!(read(1).is_ok() && read(2).is_ok());
    std::fs::remove_dir_all(folder).expect("it is ours");
}

/// All types of components and resources that the physics registers are recorded: a new one must be listed too.
#[test]
fn every_component_of_the_physics_is_recorded() {
    let app = app(60.0);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let recorded = bevy_impulse_recorder::recorded_types();
    // A mesh is an asset. Steps are paused and counted from outside. What is in a world follows from `InWorld`.
    let others = ["MeshCollider", "StepControl", "WorldBodies"];
    let mut count = 0;
    for registration in registry.iter() {
        let info = registration.type_info().type_path_table();
        let is_ours = info.crate_name() == Some("bevy_impulse_collide");
        let is_kept = registration.data::<ReflectComponent>().is_some()
            || registration.data::<ReflectResource>().is_some();
        if is_ours
            && is_kept
            && !["Report", "picking"]
                .iter()
                .any(|other| info.path().contains(other))
        {
            let name = info.short_path();
            assert!(
                recorded.contains(&name) || others.contains(&name),
                "{name} is not recorded"
            );
            count += 1;
        }
    }
    assert!(count > 45, "only {count} types are found");
}
