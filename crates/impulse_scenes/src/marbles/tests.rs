use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;
use scene_kit::RunOptions;

use super::{
    MarblesOptions, MarblesPlugin, MarblesReport, Station,
    course::MARBLE,
    laps::{Record, Run},
    marbles_report,
};

/// A run with so many marbles, and a lift that brings up so many in a second.
fn run_with(marbles: u32, lift: f32) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        ImpulseCollidePlugin { interpolate: false },
        MarblesPlugin(MarblesOptions { marbles, lift }),
    ))
    .insert_resource(RunOptions::default())
    .insert_resource(Time::<Fixed>::from_hz(120.0))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.finish();
    app.cleanup();
    app.update();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

fn seconds(app: &mut App, seconds: u32) -> MarblesReport {
    for _ in 0..120 * seconds {
        app.update();
    }
    marbles_report(app.world_mut())
}

#[test]
fn marbles_pass_all_stations_and_come_back() {
    let mut app = run_with(60, 4.0);
    let report = seconds(&mut app, 40);
    let fell: u32 = report.fell.iter().map(|(_, count)| count).sum();
    assert_eq!(
        (report.marbles, report.lost, report.stuck),
        (60, 0, 0),
        "{report:?}"
    );
    assert!(report.laps > 40 && fell * 20 <= report.laps, "{report:?}");
    let messages = app.world().resource::<Messages<BadInput>>();
    assert_eq!(messages.len(), 0);
}

/// The velocity of a step of h seconds with the acceleration a is known to a·h/2, and the energy per mass to half of its square: with
/// a = v²/R in the loop, 5 m²/s² over 77 mm at 120 Hz, that is 0.04 J/kg.
const KNOWN: f32 = 0.05;

/// E/m = v²/2 + r²·ω²/5 + g·y. Nothing but the lift and the mixer gives energy.
#[test]
fn a_marble_gains_no_energy_on_its_way_to_the_mixer() {
    let mut app = run_with(1, 4.0);
    let mixer = Station::ALL
        .iter()
        .position(|&station| station == Station::Mixer);
    let mut least = f32::INFINITY;
    let mut seen = 0;
    for _ in 0..120 * 20 {
        app.update();
        let world = app.world_mut();
        let mut running = world.query::<(&Run, &Transform, &LinearVelocity, &AngularVelocity)>();
        let Ok((run, transform, velocity, spin)) = running.single(world) else {
            continue;
        };
        if Some(run.passed) > mixer || run.seconds < 0.05 {
            continue;
        }
        let energy = 0.5 * velocity.length_squared()
            + 0.2 * MARBLE * MARBLE * spin.length_squared()
            + Gravity::default().length() * transform.translation.y;
        assert!(
            energy < least + KNOWN,
            "{energy} J/kg after {least} at {run:?}"
        );
        least = least.min(energy);
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
    assert_eq!(app.world().resource::<Record>().fell.iter().sum::<u32>(), 0);
}

#[test]
fn every_gate_is_below_the_one_before_it_but_the_loops() {
    let heights = Station::ALL.map(|station| station.gate().0.y);
    for (k, pair) in heights.windows(2).enumerate() {
        let is_loop = Station::ALL[k + 1] == Station::Loop;
        assert!(is_loop || pair[1] < pair[0], "{heights:?}");
    }
}
