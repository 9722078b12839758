//! The pinball machine with the window's smoothing, without a window.

use std::time::Duration;

use bevy::{
    app::ScheduleRunnerPlugin,
    prelude::*,
    time::{Fixed, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;
use impulse_scenes::pinball::{
    PinballOptions, PinballPlugin, RATE,
    machine::{
        measures::plunger,
        play::{Ball, Game},
        rules::Phase,
    },
};
use scene_kit::RunOptions;

/// A machine with four steps in each frame, in which the robot plays.
fn machine() -> App {
    let run = RunOptions {
        headless: true,
        ..default()
    };
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
        ImpulseCollidePlugin::default(),
    ))
    .insert_resource(Time::<Fixed>::from_hz(RATE))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
        4.0 / RATE,
    )))
    .insert_resource(run)
    .add_plugins(PinballPlugin(PinballOptions::default()));
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Each ball that drains is served again, until the game is over; on its way it is drawn nowhere in between.
#[test]
fn a_game_with_smoothing_comes_to_its_end() {
    let mut app = machine();
    let mut balls = app.world_mut().query_filtered::<&Transform, With<Ball>>();
    let (mut served, mut before) = (0, Phase::Launch);
    while app.world().resource::<Game>().games == 0 {
        app.update();
        let game = app.world().resource::<Game>();
        assert!(game.seconds < 1800.0, "the game does not end: {game:?}");
        let phase = game.rules.phase;
        if phase == Phase::Launch && before != Phase::Launch {
            served += 1;
            let shown = balls
                .single(app.world())
                .expect("there is a ball")
                .translation;
            let off = shown.distance(plunger::serve());
            assert!(off < 0.05, "a ball that was served is drawn {off} m off");
        }
        before = phase;
    }
    assert!(served >= 2, "{served} balls were served");
}
