//! Plays strokes in a world with the physics of the game.

use std::cell::RefCell;

use bevy::{app::ScheduleRunnerPlugin, math::DVec2, prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::{forget_past, prelude::*};
use scene_kit::headless;

use super::{
    fit::{G, Target, improve},
    stroke::Stroke,
};
use crate::{
    plan::closed_form::Ways,
    table::{
        balls::body,
        bed::{Table, above, spawn_table},
        friction::rub_balls,
        materials::materials,
        rubber::give_way,
        spec::TableSpec,
    },
};

/// Fixed steps between two looks at the world.
const STEPS_AT_ONCE: u32 = 64;
/// Effort to fit a stroke that is nearly right.
const PATIENCE: usize = 4;

/// A stroke in the game and its error.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The stroke that fits best in the game.
    pub stroke: Stroke,
    /// Root of the mean square error over all samples, in m.
    pub rmse: f64,
    /// The same, ball by ball.
    pub rmse_of_balls: Vec<f64>,
}

/// The tracked ball of this number.
#[derive(Component, Clone, Copy)]
struct Number(usize);

#[derive(Resource, Default)]
struct Places(Vec<DVec2>);

/// The table in a world of its own.
struct Replay {
    app: App,
    table: &'static TableSpec,
    step: f64,
    start: Vec<DVec2>,
    cue_ball: usize,
}

/// Fits a stroke that is nearly right to `target`, in a world that makes `hz` steps a second.
pub fn polish(table: &'static TableSpec, hz: f64, target: &Target, stroke: Stroke) -> Replayed {
    let replay = RefCell::new(Replay::new(table, hz, target));
    let play = |stroke: Stroke, seconds: f64| replay.borrow_mut().play(stroke, seconds);
    let fitted = improve(&play, target, stroke, f64::INFINITY, PATIENCE);
    let ways = play(fitted.stroke, target.end - fitted.stroke.time);
    Replayed {
        stroke: fitted.stroke.possible(),
        rmse: fitted.rmse,
        rmse_of_balls: target.rmse_of_balls(&ways, fitted.stroke.time),
    }
}

/// The ways of the balls of `target` after a stroke.
#[cfg(test)]
pub fn ways(
    table: &'static TableSpec,
    hz: f64,
    target: &Target,
    stroke: Stroke,
    seconds: f64,
) -> Ways {
    Replay::new(table, hz, target).play(stroke, seconds)
}

impl Replay {
    fn new(table: &'static TableSpec, hz: f64, target: &Target) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
            ImpulseCollidePlugin { interpolate: false },
        ))
        .insert_resource(materials())
        .insert_resource(Gravity(Vec3::NEG_Y * G as f32))
        .insert_resource(Time::<Fixed>::from_hz(hz))
        .insert_resource(Table::new(table))
        .init_resource::<Places>()
        .add_systems(Startup, spawn_table)
        .add_systems(PairHooks, (rub_balls, give_way))
        .add_systems(FixedLast, note_places);
        headless::start(&mut app);
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(STEPS_AT_ONCE));
        let start: Vec<DVec2> = target.places().collect();
        for number in 0..start.len() {
            app.world_mut().spawn((
                Number(number),
                BodyOrder(1000 + number as u64),
                body(&table.ball),
                Transform::default(),
            ));
        }
        Self {
            app,
            table,
            step: 1.0 / hz,
            start,
            cue_ball: target.cue_ball,
        }
    }

    fn play(&mut self, stroke: Stroke, seconds: f64) -> Ways {
        let stroke = stroke.possible();
        let struck = stroke.strike(self.table, self.start[self.cue_ball]);
        let world = self.app.world_mut();
        forget_past(world);
        let mut balls = world.query::<(
            &Number,
            &mut Transform,
            &mut LinearVelocity,
            &mut AngularVelocity,
        )>();
        for (number, mut transform, mut velocity, mut spin) in balls.iter_mut(world) {
            let at = self.start[number.0].as_vec2();
            *transform = Transform::from_translation(above(at, self.table.ball.radius));
            let (v, w) = if number.0 == self.cue_ball {
                (struck.v.as_vec3(), struck.w.as_vec3())
            } else {
                (Vec3::ZERO, Vec3::ZERO)
            };
            (velocity.0, spin.0) = (v, w);
        }
        world.resource_mut::<Places>().0 = self.start.clone();
        let steps = (seconds / self.step).ceil() as usize + 1;
        let balls = self.start.len();
        while self.app.world().resource::<Places>().0.len() < steps * balls {
            self.app.update();
        }
        Ways {
            step: self.step,
            balls,
            places: std::mem::take(&mut self.app.world_mut().resource_mut::<Places>().0),
        }
    }
}

fn note_places(mut places: ResMut<Places>, balls: Query<(&Number, &Transform)>) {
    let first = places.0.len();
    places.0.resize(first + balls.iter().len(), DVec2::ZERO);
    for (number, transform) in &balls {
        places.0[first + number.0] = transform.translation.xz().as_dvec2();
    }
}
