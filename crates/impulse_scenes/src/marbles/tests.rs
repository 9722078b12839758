use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless::start};

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
        ImpulseCollidePlugin { interpolate: false },
        MarblesPlugin(MarblesOptions { marbles, lift }),
    ))
    .insert_resource(RunOptions::default())
    .insert_resource(Time::<Fixed>::from_hz(120.0));
    start(&mut app);
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

/// E/m = v²/2 + r²·ω²/5 + g·y. Nothing but the lift and the mixer gives energy.
#[test]
fn a_marble_has_less_energy_at_each_station_down_to_the_mixer() {
    let mut app = run_with(1, 4.0);
    let mixer = Station::ALL
        .iter()
        .position(|&station| station == Station::Mixer);
    let mut energies = Vec::new();
    for _ in 0..120 * 20 {
        app.update();
        let world = app.world_mut();
        let mut running = world.query::<(&Run, &Transform, &LinearVelocity, &AngularVelocity)>();
        let Ok((run, transform, velocity, spin)) = running.single(world) else {
            continue;
        };
        if run.passed < energies.len() || Some(run.passed) > mixer {
            continue;
        }
        let energy = 0.5 * velocity.length_squared()
            + 0.2 * MARBLE * MARBLE * spin.length_squared()
            + Gravity::default().length() * transform.translation.y;
        energies.push(energy);
    }
    assert_eq!(Some(energies.len()), mixer.map(|mixer| mixer + 1));
    assert!(energies.is_sorted_by(|a, b| a > b), "{energies:?} J/kg");
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
