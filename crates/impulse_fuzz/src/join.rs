//! Joints of all kinds between the bodies of a world, and what happens to them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::ValueEnum;
use rand::{Rng, seq::IndexedRandom};

use crate::{
    dice::{Dice, direction, log_uniform, maybe},
    tie::{BadTie, Drives, Tie},
    world::{Action, Body, Event, Kind, Start, World},
};

/// The most joints of a world.
const MOST: f32 = 40.0;

/// The largest gap between two bodies that a joint with a lever joins, over the radius of the smaller one.
const LEVER: f32 = 10.0;

/// The last step before which something happens to a joint.
const LAST_STEP: u32 = 200;

/// Joins bodies of a world: neighbours mostly, so that there are chains and loops.
pub fn add(dice: &mut Dice, world: &mut World) {
    let maker = Maker {
        has_motors: world.kind != Kind::Energy && dice.random_bool(0.4),
        // In a box that holds bodies which overlap its walls, one that the world holds too may have no place to go.
        has_world: match world.kind {
            Kind::Bodies => false,
            Kind::Chaos => true,
            Kind::Walls | Kind::Energy | Kind::Events => world.start == Start::Clear,
        },
    };
    // Chains, trees, and a loop here and there.
    let most = MOST.min(1.2 * world.bodies.len() as f32).max(1.0);
    let count = log_uniform(dice, 1.0, most).round() as u32;
    for id in 0..count {
        let tie = maker.tie(dice, &world.bodies, id);
        world.ties.extend(tie);
    }
    if matches!(world.kind, Kind::Events | Kind::Chaos) {
        let events = maker.events(dice, world, count);
        world.events.extend(events);
        world.events.sort_by_key(|event| event.step);
    }
}

/// Makes the joints of a world.
struct Maker {
    has_motors: bool,
    has_world: bool,
}

impl Maker {
    /// A joint of a body with a neighbour, with any other body, or with the world.
    fn tie(&self, dice: &mut Dice, bodies: &[Body], id: u32) -> Option<Tie> {
        let b = bodies.choose(dice)?;
        let others = || {
            let others = bodies.iter().filter(|body| body.id != b.id);
            others.filter(|a| a.motion.is_dynamic() || b.motion.is_dynamic())
        };
        let with_world = self.has_world && b.motion.is_dynamic() && dice.random_bool(0.25);
        let a = if with_world {
            None
        } else if dice.random_bool(0.85) {
            let mut near: Vec<&Body> = others().collect();
            near.sort_by(|one, other| one.gap(b).total_cmp(&other.gap(b)));
            near.truncate(3);
            Some(*near.choose(dice)?)
        } else {
            Some(*others().collect::<Vec<_>>().choose(dice)?)
        };
        let axis = direction(dice);
        let kinds = [
            JointKind::Distance(None),
            JointKind::Fixed,
            JointKind::Spherical,
            JointKind::Revolute,
            JointKind::Prismatic,
            // What steers gives energy, as a motor does.
            JointKind::Wheel {
                steering: match self.has_motors {
                    true => dice.random_range(-0.5..0.5),
                    false => 0.0,
                },
            },
        ];
        // Far from its bodies, a joint has a lever that turns them as nothing else could. Those are joined by rods.
        let is_far = a.is_some_and(|a| a.gap(b) > LEVER * a.radius.min(b.radius));
        let few = if is_far && !dice.random_bool(0.02) {
            &kinds[..1]
        } else {
            &kinds[..]
        };
        let kind = *few.choose(dice)?;
        let on_b = b.radius * direction(dice);
        let point = match (a, kind) {
            // A rod needs a length.
            (None, JointKind::Distance(_)) => {
                let away = b.radius * dice.random_range(0.5..10.0);
                Some(b.position + away * direction(dice))
            }
            (Some(_), JointKind::Distance(_)) => None,
            _ => maybe(dice, 0.5, |_| b.position + on_b),
        };
        let length = match (a, point) {
            (Some(a), None) => a.position.distance(b.position),
            (_, Some(point)) => point.distance(b.position),
            (None, None) => 0.0,
        };
        Some(Tie {
            id,
            a: a.map(|a| a.id),
            b: b.id,
            is_on_parts: dice.random_bool(0.3),
            kind,
            point,
            axis,
            across: axis.any_orthonormal_vector(),
            bodies_collide: dice.random_bool(0.2),
            drives: self.drives(dice, kind, b.radius, length),
            strength: maybe(dice, 0.1, |dice| log_uniform(dice, 1e-2, 1e4)),
        })
    }

    /// Drives that a joint of this kind has a freedom for. Its limits allow what is.
    fn drives(&self, dice: &mut Dice, kind: JointKind, radius: f32, length: f32) -> Drives {
        let limits = maybe(dice, 0.3, |dice| {
            let mut of = |most: f32| dice.random_range(0.0..most);
            match kind {
                JointKind::Fixed => None,
                JointKind::Spherical | JointKind::Revolute => {
                    Some(JointLimits::new(-of(2.0), of(2.0)))
                }
                JointKind::Prismatic | JointKind::Wheel { .. } => {
                    Some(JointLimits::new(-of(5.0 * radius), of(5.0 * radius)))
                }
                // A rope, or a rod that gives a little.
                JointKind::Distance(_) => Some(JointLimits::new(
                    length * of(1.0).round() * 0.9,
                    length * (1.0 + of(1.0)),
                )),
            }
        });
        let is_spherical = kind == JointKind::Spherical;
        let takes_motor = !matches!(kind, JointKind::Fixed | JointKind::Spherical);
        Drives {
            limits: limits.flatten(),
            swing: maybe(dice, 0.3, |dice| SwingLimit(dice.random_range(0.0..2.0)))
                .filter(|_| is_spherical),
            motor: maybe(dice, 0.4, motor).filter(|_| takes_motor && self.has_motors),
            spring: maybe(dice, 0.2, spring),
        }
    }

    /// Up to four events. What is spoiled may be mended later.
    fn events(&self, dice: &mut Dice, world: &World, first_free: u32) -> Vec<Event> {
        let mut events = Vec::new();
        for k in 0..dice.random_range(0..=4) {
            let step = dice.random_range(1..LAST_STEP);
            let Some(tie) = world.ties.choose(dice) else {
                break;
            };
            let id = tie.id;
            let later = step + dice.random_range(1..50);
            let action = match dice.random_range(0..6) {
                0 => Some(Action::DespawnTie(id)),
                1 => {
                    events.push(Event {
                        step: later,
                        action: Action::SwitchTie(id, true),
                    });
                    Some(Action::SwitchTie(id, false))
                }
                2 => {
                    // Bodies have gone on: a point of the start may be far away from them.
                    let tie = self.tie(dice, &world.bodies, first_free + k);
                    tie.map(|tie| Action::SpawnTie(tie.anew()))
                }
                // Its body goes, and it joins nothing.
                3 => Some(Action::Despawn(tie.b)),
                _ => {
                    if dice.random() {
                        events.push(Event {
                            step: later,
                            action: Action::MendTie(id),
                        });
                    }
                    let bad = BadTie::value_variants().choose(dice).copied();
                    bad.map(|bad| Action::SpoilTie(id, bad))
                }
            };
            events.extend(action.map(|action| Event { step, action }));
        }
        events
    }
}

fn motor(dice: &mut Dice) -> JointMotor {
    let target = if dice.random() {
        let speed = log_uniform(dice, 0.01, 100.0);
        JointMotor::velocity(if dice.random() { speed } else { -speed })
    } else {
        JointMotor::position(dice.random_range(-1.0..1.0), spring(dice))
    };
    match maybe(dice, 0.7, |dice| log_uniform(dice, 1e-3, 1e4)) {
        Some(force) => target.with_max_force(force),
        None => target,
    }
}

fn spring(dice: &mut Dice) -> JointSpring {
    let damping = maybe(dice, 0.5, |dice| dice.random_range(0.0..2.0)).unwrap_or_default();
    if dice.random() {
        JointSpring::frequency(log_uniform(dice, 0.1, 1e3), damping)
    } else {
        JointSpring::stiffness(log_uniform(dice, 1e-2, 1e6), damping)
    }
}
