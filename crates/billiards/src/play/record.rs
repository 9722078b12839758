//! The events of a shot that the rules ask for: from the physics' impacts to a [`ShotRecord`].

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    plan::{
        Planner, Position,
        path::{full_ways, touching},
    },
    rules::{Ball, Contact, ShotRecord},
    table::bed::Table,
};

/// A ball nearer to a cushion than this part of its radius is frozen to it.
const FROZEN: f32 = 0.02;

/// An impact slower than this, in m/s, with a ball that the cue ball touched before the shot is none: the cue ball is played away.
const PLAYED_AWAY: f32 = 0.01;

/// Steps of the game within which a second impact with the same cushion is the same contact.
const STEPS_AT_CUSHION: u32 = 3;

/// The record of the shot that is being played, or of the last one.
#[derive(Resource, Clone, Debug, Default)]
pub struct Recorder {
    /// The events so far.
    pub record: ShotRecord,
    /// Balls and cushions that touch since before the shot: to meet such a cushion counts only once the ball has left
    /// it (WPA 2.7).
    frozen: Vec<(Entity, Entity)>,
    /// The cushion that the cue ball met last, and the step.
    last_cushion: Option<(Entity, u32)>,
    /// Steps since the shot.
    steps: u32,
}

/// Starts a new record.
pub(super) fn start(world: &mut World) {
    let mut balls = world.query::<(Entity, &Ball, &Transform, &Particle)>();
    let mut cushions = world.query::<(Entity, &Transform, &Capsule)>();
    let mut frozen = Vec::new();
    for (ball, _, at, particle) in balls.iter(world) {
        for (cushion, place, capsule) in cushions.iter(world) {
            if gap(at, particle, place, capsule) < FROZEN * particle.radius {
                frozen.push((ball, cushion));
            }
        }
    }
    let lying: Vec<(Ball, Vec2)> = balls
        .iter(world)
        .map(|(_, ball, at, _)| (*ball, at.translation.xz()))
        .collect();
    let mut record = ShotRecord::default();
    if let Some((_, cue)) = lying.iter().find(|(ball, _)| *ball == Ball::CUE) {
        let radius = world.resource::<Table>().spec.ball.radius;
        let others = lying.iter().filter(|(ball, _)| *ball != Ball::CUE);
        let others: Vec<(Ball, Vec2)> = others.copied().collect();
        record.touching = touching(*cue, radius, &others);
        record.full_ways = full_ways(*cue, radius, &others);
        let table = world.resource::<Table>();
        let planner = Planner::new(table.spec, &table.pockets, &table.cushions);
        record.in_sight = planner.in_sight(&Position {
            cue: *cue,
            balls: &others,
        });
    }
    world.insert_resource(Recorder {
        record,
        frozen,
        ..default()
    });
}

/// Between a ball's surface and a cushion's, in m.
fn gap(ball: &Transform, particle: &Particle, place: &Transform, capsule: &Capsule) -> f32 {
    let half = place.rotation * Vec3::Y * (0.5 * capsule.length);
    let axis = Segment3d::new(place.translation - half, place.translation + half);
    let distance = axis
        .closest_point(ball.translation)
        .distance(ball.translation);
    distance - capsule.radius - particle.radius
}

/// Adds the impacts of a step.
pub(super) fn note_impacts(
    mut impacts: MessageReader<Impact>,
    mut recorder: ResMut<Recorder>,
    balls: Query<(&Ball, &Transform, &Particle)>,
    cushions: Query<(&Transform, &Capsule)>,
    table: Res<Table>,
) {
    let Recorder {
        record,
        frozen,
        last_cushion,
        steps,
    } = &mut *recorder;
    *steps += 1;
    let head_string = table.spec.head_spot().x;
    for impact in impacts.read() {
        match (balls.get(impact.a), balls.get(impact.b)) {
            (Ok(a), Ok(b)) => {
                let met = match (*a.0, *b.0) {
                    (Ball::CUE, _) => b,
                    (_, Ball::CUE) => a,
                    _ => continue,
                };
                if record.touching.contains(*met.0) && impact.approach_speed < PLAYED_AWAY {
                    continue;
                }
                let contact = Contact::Ball(*met.0);
                if record.cue_ball_met.last() != Some(&contact) {
                    record.cue_ball_met.push(contact);
                }
                if record.first_hit.is_none() {
                    record.first_hit = Some(*met.0);
                    record.past_head_string |= met.1.translation.x >= head_string;
                }
            }
            (Ok((ball, ..)), Err(_)) | (Err(_), Ok((ball, ..))) => {
                let pairs = [(impact.a, impact.b), (impact.b, impact.a)];
                let cushion = cushions.contains(impact.a) || cushions.contains(impact.b);
                if cushion && !pairs.iter().any(|pair| frozen.contains(pair)) {
                    record.to_cushion.insert(*ball);
                    let with = if cushions.contains(impact.a) {
                        impact.a
                    } else {
                        impact.b
                    };
                    // A ball in a cushion may have several impacts with it: they are one contact.
                    let is_new = last_cushion.is_none_or(|(last, step)| {
                        last != with || *steps > step + STEPS_AT_CUSHION
                    });
                    if *ball == Ball::CUE {
                        *last_cushion = Some((with, *steps));
                        if is_new {
                            record.cue_ball_met.push(Contact::Cushion);
                        }
                    }
                    record.cushion_after_contact |= record.first_hit.is_some();
                }
            }
            (Err(_), Err(_)) => {}
        }
    }
    frozen.retain(|(ball, cushion)| {
        let (Ok((_, at, particle)), Ok((place, capsule))) =
            (balls.get(*ball), cushions.get(*cushion))
        else {
            return false;
        };
        gap(at, particle, place, capsule) < FROZEN * particle.radius
    });
    if record.first_hit.is_none() {
        let mut cue_ball = balls.iter().filter(|(ball, ..)| **ball == Ball::CUE);
        record.past_head_string |= cue_ball.any(|(_, at, _)| at.translation.x > head_string);
    }
}
