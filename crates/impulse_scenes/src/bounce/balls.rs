//! The balls, each stepped in its own way.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use impulse_lab::stepper::one_dimension::{
    Law, Leapfrog, Stepper, half_step_corrected, leapfrog, without_contact,
};
use scene_kit::number::coefficient;
use serde::Serialize;

/// Command line options of the balls.
#[derive(Args, Resource, Clone, Debug)]
pub struct BounceOptions {
    /// Part of its speed that a bounce gives back, 0 to 1
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = coefficient, allow_negative_numbers = true)]
    pub restitution: f32,
}

/// m/s², downward.
pub(super) const GRAVITY: f32 = 9.81;
/// Metres that the balls fall.
pub(super) const DROP: f32 = 2.0;
/// Of the balls, in metres.
pub(super) const RADIUS: f32 = 0.14;

/// How a ball is stepped.
#[derive(Component, Serialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub(super) enum Method {
    Leapfrog,
    HalfStepCorrection,
    WithoutContact,
    TimeOfImpact,
}

impl Method {
    /// From left to right.
    pub const ALL: [Self; 4] = [
        Self::Leapfrog,
        Self::HalfStepCorrection,
        Self::WithoutContact,
        Self::TimeOfImpact,
    ];

    /// None: the physics steps it.
    fn stepper(self) -> Option<Stepper> {
        match self {
            Self::Leapfrog => Some(leapfrog),
            Self::HalfStepCorrection => Some(half_step_corrected),
            Self::WithoutContact => Some(without_contact),
            Self::TimeOfImpact => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Leapfrog => "Leapfrog",
            Self::HalfStepCorrection => "Half-step correction",
            Self::WithoutContact => "Without contact stage",
            Self::TimeOfImpact => "Time of impact",
        }
    }
}

/// Where ball number `lane` from the left is when it lies on the floor.
pub(super) fn rest_point(lane: usize) -> Vec3 {
    const SPACING: f32 = 1.25;
    let middle = 0.5 * (Method::ALL.len() - 1) as f32;
    Vec3::new(SPACING * (lane as f32 - middle), RADIUS, 0.0)
}

/// A ball whose steps are ours, not the physics'.
#[derive(Component)]
pub(super) struct Stepped {
    stepper: Stepper,
    ball: Leapfrog,
}

/// Time since the drop. It changes in each fixed step that is made, and in no other.
#[derive(Resource, Default)]
pub(super) struct Fall {
    pub seconds: f64,
}

/// The course of a ball since it was dropped.
#[derive(Component, Serialize, Clone, Debug, Default)]
pub(super) struct Flight {
    /// Impacts on the floor.
    pub bounces: u32,
    /// Height of the apex, over the drop, by number of bounces.
    apex_over_drop: BTreeMap<u32, f64>,
    /// The same after the last bounce, if it is known yet.
    #[serde(skip)]
    pub last_apex: Option<f64>,
    /// Now, above the floor, in metres.
    #[serde(skip)]
    pub height: f64,
}

impl Flight {
    /// Bounces whose apex is reported.
    const REPORTED: [u32; 4] = [1, 10, 100, 1000];

    /// The ball is at `height` with `velocity`, after `impacts` more impacts; `free` if nothing holds it.
    fn follow(&mut self, height: f64, velocity: f64, impacts: u32, free: bool) {
        self.height = height;
        self.bounces += impacts;
        if impacts > 0 {
            self.last_apex = None;
        }
        if free && self.last_apex.is_none() {
            // The top of the parabola that the ball is on.
            let apex = height + velocity * velocity / (2.0 * f64::from(GRAVITY));
            let over_drop = apex / f64::from(DROP);
            self.last_apex = Some(over_drop);
            if Self::REPORTED.contains(&self.bounces) {
                self.apex_over_drop.insert(self.bounces, over_drop);
            }
        }
    }
}

pub(super) fn spawn_floor(mut commands: Commands) {
    // It states no restitution, so that the ball's holds.
    commands.spawn((Name::new("Floor"), Plane::new(Vec3::Y)));
}

/// All four balls anew.
pub(super) fn drop_balls(
    mut commands: Commands,
    options: Res<BounceOptions>,
    time: Res<Time<Fixed>>,
    mut fall: ResMut<Fall>,
) {
    *fall = Fall::default();
    for (lane, method) in Method::ALL.into_iter().enumerate() {
        let start = Transform::from_translation(rest_point(lane) + DROP * Vec3::Y);
        let mut ball = commands.spawn((Name::new(method.name()), method, Flight::default(), start));
        match method.stepper() {
            Some(stepper) => ball.insert(Stepped {
                stepper,
                ball: Leapfrog::at_rest(DROP.into(), law(&options, &time)),
            }),
            None => ball.insert((Particle::new(RADIUS), Restitution(options.restitution))),
        };
    }
}

fn law(options: &BounceOptions, time: &Time<Fixed>) -> Law {
    Law {
        gravity: GRAVITY.into(),
        restitution: options.restitution.into(),
        step: time.timestep().as_secs_f64(),
    }
}

pub(super) fn tick(mut fall: ResMut<Fall>, time: Res<Time<Fixed>>) {
    fall.seconds += time.timestep().as_secs_f64();
}

pub(super) fn step_balls(
    mut balls: Query<(&mut Stepped, &mut Transform, &mut Flight)>,
    options: Res<BounceOptions>,
    time: Res<Time<Fixed>>,
) {
    let law = law(&options, &time);
    for (mut stepped, mut transform, mut flight) in &mut balls {
        let before = stepped.ball;
        let ball = (stepped.stepper)(before, law);
        stepped.ball = ball;
        let impacts = u32::from(before.v < 0.0 && ball.v > 0.0);
        flight.follow(ball.x, ball.velocity(law), impacts, ball.x > 0.0);
        transform.translation.y = RADIUS + ball.x as f32;
    }
}

/// Sees the physics' ball as it is after the step.
pub(super) fn watch_body(
    ball: Single<(
        Entity,
        &Transform,
        &LinearVelocity,
        &Acceleration,
        &mut Flight,
    )>,
    mut impacts: MessageReader<Impact>,
) {
    let (ball, transform, velocity, acceleration, mut flight) = ball.into_inner();
    let impacts = impacts
        .read()
        .filter(|impact| impact.a == ball || impact.b == ball)
        .count();
    let height = f64::from(transform.translation.y) - f64::from(RADIUS);
    let free = height > 0.0 && acceleration.contact == Vec3::ZERO;
    flight.follow(height, velocity.y.into(), impacts as u32, free);
}

/// The scene's part of the report.
#[derive(Serialize, Debug)]
pub struct BounceReport {
    /// Of the physics' ball.
    #[serde(flatten)]
    time_of_impact: Flight,
    /// Of the others.
    steppers: BTreeMap<Method, Flight>,
}

/// How often each ball bounced, and how high.
pub fn bounce_report(world: &mut World) -> BounceReport {
    let mut flights: BTreeMap<Method, Flight> = world
        .query::<(&Method, &Flight)>()
        .iter(world)
        .map(|(method, flight)| (*method, flight.clone()))
        .collect();
    BounceReport {
        time_of_impact: flights.remove(&Method::TimeOfImpact).unwrap_or_default(),
        steppers: flights,
    }
}

#[cfg(test)]
mod tests {
    use scene_kit::{RunOptions, headless::start, scene_app};

    use super::*;
    use crate::bounce::BouncePlugin;

    #[test]
    fn bounces_of_the_body_keep_what_the_restitution_leaves() {
        for restitution in [1.0, 0.8f32] {
            let run = RunOptions {
                headless: true,
                ..default()
            };
            let mut app = scene_app("Bounce", &run);
            app.add_plugins(BouncePlugin(BounceOptions { restitution }));
            start(&mut app);
            for _ in 0..60 * 14 {
                app.update();
            }
            let Flight { apex_over_drop, .. } = bounce_report(app.world_mut()).time_of_impact;
            for (bounces, apex) in [1, 10].map(|n| (n, apex_over_drop.get(&n).copied())) {
                let exact = f64::from(restitution).powi(2 * bounces as i32);
                let off = apex.unwrap_or_default() / exact - 1.0;
                assert!(
                    off.abs() < 1e-3,
                    "{apex:?} instead of {exact} after {bounces}"
                );
            }
        }
    }
}
