//! Laws of the machines.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless::start, scene_app};

use super::{Machine, MachinesOptions, MachinesPlugin, RATE, car, machines_report};

fn app(machine: Machine) -> App {
    let run = RunOptions {
        headless: true,
        ..default()
    };
    let mut app = scene_app("Machines", &run.or_hz(RATE));
    app.add_plugins(MachinesPlugin(MachinesOptions { machine }));
    start(&mut app);
    app
}

/// What moves keeps to its joints, also while it falls, swings and hits.
#[test]
fn the_machines_hold_together() {
    for machine in [
        Machine::Crane,
        Machine::Bridge,
        Machine::Dolls,
        Machine::Car,
    ] {
        let mut app = app(machine);
        let mut apart = 0.0_f32;
        for _ in 0..8 * RATE as usize {
            app.update();
            apart = apart.max(machines_report(app.world_mut()).apart);
        }
        println!("{machine:?}: apart by {apart} m at most");
        // Where limbs turn far in a substep, or after the ball of 2.5 t has hit the logs, Newton's method may find no solution: then the
        // velocities alone are held, and the projection closes what that opens.
        let most = match machine {
            Machine::Dolls => 0.1,
            Machine::Crane => 5e-3,
            Machine::Bridge | Machine::Car => 2e-3,
        };
        assert!(apart < most, "{machine:?}: apart by {apart} m");
    }
}

type Places = QueryState<&'static Transform, (With<Friction>, With<Capsule>)>;

/// The wrecking ball throws logs off the stack.
#[test]
fn the_ball_of_the_crane_hits_the_logs() {
    let mut app = app(Machine::Crane);
    let mut logs = app
        .world_mut()
        .query_filtered::<&Transform, (With<Friction>, With<Capsule>)>();
    let highest = |app: &App, logs: &mut Places| {
        let heights = logs.iter(app.world()).map(|place| place.translation.y);
        heights.fold(0.0, f32::max)
    };
    app.update();
    let before = highest(&app, &mut logs);
    for _ in 0..8 * RATE as usize {
        app.update();
    }
    let after = highest(&app, &mut logs);
    assert!(
        after < 0.8 * before,
        "the highest log lies at {after} m of {before} m"
    );
}

/// The car drives where it is steered.
#[test]
fn the_car_drives_where_it_is_steered() {
    for steer in [-1.0, 0.0, 1.0] {
        let mut app = app(Machine::Car);
        app.insert_resource(car::Wheel { gas: 0.4, steer });
        for _ in 0..3 * RATE as usize {
            app.update();
        }
        let mut car = app
            .world_mut()
            .query_filtered::<&Transform, With<car::Chassis>>();
        let place = car
            .single(app.world())
            .expect("there is one car")
            .translation;
        println!("steered {steer}: at {place}");
        assert!(place.xz().length() > 1.0, "{steer}: it stays at {place}");
        // To the left of +X is −Z.
        let aside = -place.z * steer;
        assert!(steer == 0.0 || aside > 0.3, "{steer}: {place}");
        assert!(steer != 0.0 || place.z.abs() < 0.3, "{steer}: {place}");
    }
}
