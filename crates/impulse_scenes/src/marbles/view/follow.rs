//! The camera that follows a marble, and the marble's energy.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    app::steps_now,
    window::{OrbitCamera, StatusLine},
};

use super::stage::overview;
use crate::marbles::{
    course::{MARBLE, Station},
    laps::{Record, Run},
    marble::Marble,
    options::MarblesOptions,
};

/// The marble that the camera follows.
#[derive(Resource, Default)]
pub(super) struct Followed(pub Option<Entity>);

/// While it is on, the camera goes from marble to marble: when one has come to the tray, it follows the last one from the lift.
#[derive(Resource)]
pub(super) struct Tour(pub bool);

impl Default for Tour {
    fn default() -> Self {
        Self(true)
    }
}

/// Metres from the camera to the marble that it follows, at first.
const NEAR: f32 = 0.5;

/// Follows the marble that has run longest after the one that is followed now; else the one that has left the lift last.
pub(super) fn follow_next(
    mut followed: ResMut<Followed>,
    mut tour: ResMut<Tour>,
    running: Query<(Entity, &Run)>,
    camera: Single<&mut OrbitCamera>,
) {
    tour.0 = true;
    let age = |(_, run): &(Entity, &Run)| run.seconds;
    let now = followed.0.and_then(|entity| running.get(entity).ok());
    let limit = now.map_or(f32::INFINITY, |(_, run)| run.seconds);
    let oldest = |limit: f32| {
        running
            .iter()
            .filter(|marble| age(marble) < limit)
            .max_by(|a, b| age(a).total_cmp(&age(b)))
    };
    let youngest = running.iter().min_by(|a, b| age(a).total_cmp(&age(b)));
    let next = if now.is_some() { oldest(limit) } else { None };
    if let Some((entity, _)) = next.or(youngest) {
        follow(&mut followed, entity, &mut camera.into_inner());
    }
}

/// Goes on to the next marble of the tour.
pub(super) fn go_on(
    mut followed: ResMut<Followed>,
    tour: Res<Tour>,
    running: Query<(Entity, &Run)>,
    camera: Single<&mut OrbitCamera>,
) {
    let is_on_its_way = followed.0.is_some_and(|marble| running.contains(marble));
    if !tour.0 || is_on_its_way {
        return;
    }
    let youngest = running
        .iter()
        .min_by(|(_, a), (_, b)| a.seconds.total_cmp(&b.seconds));
    if let Some((marble, _)) = youngest {
        follow(&mut followed, marble, &mut camera.into_inner());
    }
}

/// Follows a marble from near.
pub(super) fn follow(followed: &mut Followed, marble: Entity, camera: &mut OrbitCamera) {
    if followed.0.is_none() {
        camera.distance = NEAR;
    }
    followed.0 = Some(marble);
}

/// Looks at the whole run again.
pub(super) fn let_go(
    mut followed: ResMut<Followed>,
    mut tour: ResMut<Tour>,
    camera: Single<&mut OrbitCamera>,
) {
    (followed.0, tour.0) = (None, false);
    let mut camera = camera.into_inner();
    let overview = overview();
    (camera.focus, camera.distance) = (overview.focus, overview.distance);
    (camera.yaw, camera.pitch) = (overview.yaw, overview.pitch);
}

pub(super) fn aim_camera(
    mut followed: ResMut<Followed>,
    marbles: Query<&Transform, With<Marble>>,
    camera: Single<&mut OrbitCamera>,
) {
    let Some(marble) = followed.0 else { return };
    match marbles.get(marble) {
        Ok(transform) => camera.into_inner().focus = transform.translation,
        Err(_) => followed.0 = None,
    }
}

/// Energy per mass of a marble at a time, over that of a marble at rest on the table, in J/kg.
#[derive(Clone, Copy)]
pub(super) struct Energy {
    pub seconds: f64,
    pub height: f64,
    pub motion: f64,
    pub spin: f64,
}

/// The energy of the followed marble over the last seconds, oldest first.
#[derive(Resource, Default)]
pub(super) struct EnergyCurve {
    pub samples: VecDeque<Energy>,
    marble: Option<Entity>,
}

impl EnergyCurve {
    /// Seconds that are kept.
    pub const SPAN: f64 = 12.0;
}

pub(super) fn sample_energy(
    mut curve: ResMut<EnergyCurve>,
    followed: Res<Followed>,
    marbles: Query<(&Transform, &LinearVelocity, &AngularVelocity), With<Particle>>,
    gravity: Res<Gravity>,
    control: Res<StepControl>,
    time: Res<Time>,
) {
    if curve.marble != followed.0 {
        *curve = EnergyCurve {
            marble: followed.0,
            ..default()
        };
    }
    let marble = followed.0.and_then(|entity| marbles.get(entity).ok());
    let Some((transform, velocity, spin)) = marble.filter(|_| steps_now(control)) else {
        return;
    };
    let seconds = time.elapsed_secs_f64();
    // The spin of a ball has the energy I·ω²/2 with I = 2/5·m·r².
    curve.samples.push_back(Energy {
        seconds,
        height: f64::from(gravity.length() * transform.translation.y),
        motion: f64::from(0.5 * velocity.length_squared()),
        spin: f64::from(0.2 * MARBLE * MARBLE * spin.length_squared()),
    });
    while (curve.samples.front()).is_some_and(|old| old.seconds < seconds - EnergyCurve::SPAN) {
        curve.samples.pop_front();
    }
}

pub(super) fn show_status(
    mut status: ResMut<StatusLine>,
    followed: Res<Followed>,
    marbles: Query<(&Marble, &LinearVelocity, Option<&Run>)>,
    record: Res<Record>,
    options: Res<MarblesOptions>,
) {
    let line = match followed.0.and_then(|entity| marbles.get(entity).ok()) {
        Some((marble, velocity, run)) => {
            let place = match run {
                None => "in the tray or the lift".to_owned(),
                Some(run) => {
                    let next = Station::ALL.get(run.passed);
                    let to = next.map_or("tray", |station| station.name());
                    format!("{:.1} s on its way, next: {to}", run.seconds)
                }
            };
            let speed = velocity.length();
            format!("Marble {}: {speed:.2} m/s, {place}", marble.0 + 1)
        }
        None => format!(
            "{} marbles, {} laps; the lift brings up {:.0} in a second",
            marbles.iter().len(),
            record.laps,
            options.lift,
        ),
    };
    status.set_if_neq(StatusLine(line));
}
