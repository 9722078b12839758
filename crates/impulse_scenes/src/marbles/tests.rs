//! The run of the marbles, headless.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless::start};

use super::{
    MarblesOptions, MarblesPlugin, MarblesReport, Station,
    course::{MARBLE, outlet},
    laps::{Record, Run},
    marble::{Marble, marble},
    marbles_report,
    walk::Walks,
};

/// A run at 120 steps a second with so many marbles, and a lift that brings up so many in a second.
fn run_with(marbles: u32, lift: f32) -> App {
    run_at(120.0, marbles, lift)
}

fn run_at(hz: f64, marbles: u32, lift: f32) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        ImpulseCollidePlugin { interpolate: false },
        MarblesPlugin(MarblesOptions { marbles, lift }),
    ))
    .insert_resource(RunOptions::default())
    .insert_resource(Time::<Fixed>::from_hz(hz));
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

#[test]
fn marbles_stay_on_the_track_at_few_steps_a_second() {
    for hz in [30.0, 60.0] {
        let mut app = run_at(hz, 20, 2.0);
        for _ in 0..hz as u32 * 22 {
            app.update();
        }
        let report = marbles_report(app.world_mut());
        let off_the_track = &report.fell[..=Station::Loop as usize];
        assert!(
            off_the_track.iter().all(|(_, fell)| *fell == 0),
            "{hz} Hz: {report:?}"
        );
        assert!(report.laps >= 5 && report.lost == 0, "{hz} Hz: {report:?}");
    }
}

#[test]
fn something_rolls_at_once() {
    let mut app = run_with(60, 4.0);
    for _ in 0..60 {
        app.update();
    }
    assert!(marbles_report(app.world_mut()).running > 0);
}

/// Each peg decides anew, so the bins are as wide as the binomial law says. Marbles that kept their side with a correlation of 0.2
/// would make them wider by a fifth: √(1.2/0.8) = 1.22.
#[test]
fn the_board_spreads_marbles_as_the_binomial_law_says() {
    let mut app = run_with(1, 0.0);
    let mut number = 1;
    for step in 0..120 * 50 {
        if step % 20 == 0 && step < 120 * 45 {
            let aside = 0.03 * Vec2::from_angle(2.4 * number as f32);
            let at = outlet() + Vec3::new(aside.x, 0.09, aside.y);
            let dropped = (marble(Marble(number), at), Run::default());
            app.world_mut().spawn(dropped);
            number += 1;
        }
        app.update();
    }
    let walks = &app.world().resource::<Record>().walks;
    assert!(walks.count() > 250, "{walks:?}");
    let correlation = walks.correlation().unwrap();
    assert!(correlation.abs() < 0.2, "{correlation}: {walks:?}");
    let ratio = walks.spread().unwrap() / Walks::binomial_spread();
    assert!((ratio - 1.0).abs() < 0.2, "{ratio}: {walks:?}");
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
