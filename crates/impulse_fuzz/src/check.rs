//! The laws that every world must keep, checked after each step.

use bevy::{
    math::DVec3,
    platform::collections::{HashMap, HashSet},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use crate::{
    failure::Law,
    gap::GapChecker,
    motion::{Motion, leapfrog},
    settings::{cannot_add_energy, is_sound},
    simulation::{Live, Simulation},
    world::{Body, Kind, Start, Wall, World},
};

/// How far, in radii, a centre may lie behind a wall.
pub const BEHIND_WALL: f32 = 1e-3;
/// How much of √(2·E·M) the momentum may be off.
pub const MOMENTUM: f64 = 1e-4;
/// How much of the energy at the start may be added, if bodies start clear of each other.
pub const ENERGY_CLEAR: f64 = 1e-4;
/// How much of the energy at the start may be added, if bodies start with overlaps.
pub const ENERGY_OVERLAPPING: f64 = 1e-3;
/// How much of the energy at the start may be added, if bodies are joined.
pub const ENERGY_JOINED: f64 = 1e-3;
/// Speed in m/s that rounding may give to joined bodies at rest.
pub const ROUNDING: f64 = 1e-4;
/// Speed in m/s that a push out of an overlap may give to all bodies.
pub const PUSH_OUT: f64 = 1e-2;
/// By how much of its scale the sum of kinetic and potential energy may grow.
pub const BURST: f64 = 1.0;

/// Compares each step with the start.
pub struct Checker {
    start: Motion,
    /// The largest √(2·E·M) so far.
    momentum_scale: f64,
    /// Energy in J above which it has grown.
    most_energy: f64,
    walls: Vec<Wall>,
    gaps: GapChecker,
    checks_momentum: bool,
    checks_energy: bool,
    /// In worlds with gravity: the most kinetic and potential energy, and its scale, in J.
    most_total: Option<(f64, f64)>,
    has_springs: bool,
    /// Gravity in m/s², and the size of the world in m.
    gravity: DVec3,
    size: f64,
    /// Half a substep in s.
    half: f64,
    /// The pairs that touch, by the messages.
    touching: HashSet<(Entity, Entity)>,
    /// The sensors and the bodies in them, by the messages.
    inside: HashSet<(Entity, Entity)>,
}

impl Checker {
    /// Remembers the start of a world, and finds out which laws hold in it.
    pub fn new(world: &World, simulation: &Simulation) -> Self {
        let half = 0.5 / world.hz / f64::from(world.config.substeps.max(1));
        let (start, _) = motion(simulation, half);
        let holds_walls = is_sound(&world.config) && !world.has_moving_parts();
        let (part, push): (f64, f64) = match world.start {
            Start::Clear => (ENERGY_CLEAR, 0.0),
            Start::Overlapping => (ENERGY_OVERLAPPING, PUSH_OUT),
        };
        let is_joined = world.all_ties().next().is_some();
        let (part, push): (f64, f64) = match is_joined {
            true => (part.max(ENERGY_JOINED), push.max(ROUNDING)),
            false => (part, push),
        };
        let has_springs = world.all_ties().any(|tie| tie.drives.spring.is_some());
        // A body that jumps stretches its springs.
        let is_wound = has_springs && matches!(world.kind, Kind::Events | Kind::Chaos);
        let has_no_source = !world.has_motors() && cannot_add_energy(&world.config);
        let push_energy = 0.5 * start.mass * push * push;
        let mut checker = Self {
            start,
            momentum_scale: start.momentum_scale(),
            most_energy: start.energy * (1.0 + part) + push_energy,
            walls: if holds_walls {
                world.walls.clone()
            } else {
                Vec::new()
            },
            gaps: GapChecker::new(world),
            checks_momentum: world.kind == Kind::Bodies,
            checks_energy: world.kind == Kind::Energy && has_no_source,
            most_total: (holds_walls && !world.has_belts() && has_no_source && !is_wound)
                .then_some((0.0, 0.0)),
            touching: HashSet::default(),
            inside: HashSet::default(),
            has_springs,
            gravity: world.gravity.as_dvec3(),
            size: world.size(),
            half,
        };
        checker.note_total(simulation);
        checker
    }

    /// Lets the energy grow from what it is now. What springs hold now comes back later.
    fn note_total(&mut self, simulation: &Simulation) {
        if let Some((most, scale)) = self.most_total {
            let (now, now_scale) = self.total(simulation);
            self.most_total = Some(match self.has_springs {
                true => (most.max(now), scale.max(now_scale)),
                false => (now, now_scale),
            });
        }
    }

    /// Kinetic and potential energy, and the scale of both, in J: pushes out of overlaps may lift bodies.
    fn total(&self, simulation: &Simulation) -> (f64, f64) {
        let (_, shown) = motion(simulation, self.half);
        let potential: f64 = simulation
            .dynamic()
            .map(|body| -f64::from(body.mass) * self.gravity.dot(body.position.as_dvec3()))
            .sum();
        let work = shown.mass * self.gravity.length() * self.size;
        (shown.energy + potential, shown.energy + work)
    }

    /// No motion comes from nowhere: an explosion is found in worlds with gravity too.
    fn check_total(&mut self, simulation: &Simulation) -> Option<Law> {
        let (most, scale) = self.most_total?;
        if simulation.is_disturbed {
            self.note_total(simulation);
            return None;
        }
        let (total, _) = self.total(simulation);
        let part = (total - most) / scale;
        (part > BURST).then_some(Law::Burst(part))
    }

    /// The law that the last step has broken.
    pub fn check(&mut self, simulation: &mut Simulation) -> Option<Law> {
        let bodies: Vec<(&Live, Body)> = simulation
            .bodies
            .iter()
            .filter(|live| live.bad.is_none_or(|bad| !bad.leaves_out()))
            .filter_map(|live| Some((live, simulation.present(live)?)))
            .collect();
        bodies
            .iter()
            .find_map(|(live, now)| check_finite(now).or_else(|| check_held(&live.body, now)))
            .or_else(|| self.check_walls(simulation, &bodies))
            .or_else(|| self.check_motion(simulation))
            .or_else(|| self.check_total(simulation))
            .or_else(|| self.gaps.check(simulation))
            .or_else(|| check_messages(simulation))
            .or_else(|| simulation.rewound.map(Law::Rewound))
            .or_else(|| self.check_pairs(simulation))
    }

    fn check_walls(&self, simulation: &Simulation, bodies: &[(&Live, Body)]) -> Option<Law> {
        if simulation.step < simulation.settled_at {
            return None;
        }
        let dynamic = bodies.iter().filter(|(_, body)| body.motion.is_dynamic());
        let places = dynamic
            .flat_map(|(_, body)| self.walls.iter().enumerate().map(move |wall| (body, wall)));
        places.into_iter().find_map(|(body, (wall, plane))| {
            let [a, b] = body.ends().map(|end| plane.height(end));
            let radii = -a.min(b) / body.radius;
            (radii > BEHIND_WALL).then_some(Law::BeyondWall {
                body: body.id,
                wall,
                radii,
            })
        })
    }

    /// No collision starts or ends twice, and a stay in a sensor ends as often as it begins.
    fn check_pairs(&mut self, simulation: &Simulation) -> Option<Law> {
        let app = &simulation.app;
        let ended = laws::messages::<CollisionEnded>(app);
        let started = laws::messages::<CollisionStarted>(app);
        for (a, b) in ended.iter().map(|it| (it.a, it.b)) {
            if !self.touching.remove(&(a, b)) {
                return Some(Law::Told("a collision ends that did not start", a, b));
            }
        }
        for (a, b) in started.iter().map(|it| (it.a, it.b)) {
            if !self.touching.insert((a, b)) {
                return Some(Law::Told("a collision starts twice", a, b));
            }
        }
        let left = laws::messages::<SensorLeft>(app);
        let entered = laws::messages::<SensorEntered>(app);
        // In one step a body may come and go several times.
        let mut stays: HashMap<(Entity, Entity), i32> = HashMap::default();
        for message in &entered {
            *stays.entry((message.sensor, message.body)).or_default() += 1;
        }
        for message in &left {
            *stays.entry((message.sensor, message.body)).or_default() -= 1;
        }
        for ((sensor, body), change) in stays {
            let pair = (sensor, body);
            match i32::from(self.inside.contains(&pair)) + change {
                0 => self.inside.remove(&pair),
                1 => self.inside.insert(pair),
                _ => {
                    return Some(Law::Told(
                        "it enters or leaves a sensor twice",
                        sensor,
                        body,
                    ));
                }
            };
        }
        self.check_inside(simulation)
    }

    /// The resource says the same as the messages.
    fn check_inside(&self, simulation: &Simulation) -> Option<Law> {
        let now = simulation.app.world().resource::<Sensors>();
        let sensors = simulation.bodies.iter().filter(|live| live.body.is_sensor);
        let inside = sensors.flat_map(|live| {
            let pair = |body| (live.entity, body);
            now.inside(live.entity).map(pair)
        });
        let now: HashSet<(Entity, Entity)> = inside.collect();
        let (sensor, body) = self.inside.symmetric_difference(&now).next()?;
        Some(Law::Told(
            "its sensor and the messages differ",
            *sensor,
            *body,
        ))
    }

    fn check_motion(&mut self, simulation: &Simulation) -> Option<Law> {
        if !self.checks_momentum && !self.checks_energy {
            return None;
        }
        let (stored, shown) = motion(simulation, self.half);
        if self.checks_momentum {
            self.momentum_scale = self.momentum_scale.max(stored.momentum_scale());
            let off = (stored.momentum - self.start.momentum).length() / self.momentum_scale;
            return (off > MOMENTUM).then_some(Law::Momentum(off));
        }
        let ratio = |energy: f64| energy / self.start.energy;
        if stored.energy > self.most_energy {
            Some(Law::Energy(ratio(stored.energy)))
        } else if shown.energy > self.most_energy {
            Some(Law::ShownEnergy(ratio(shown.energy)))
        } else {
            None
        }
    }
}

/// The motion that the leapfrog holds, and the motion that the components show.
fn motion(simulation: &Simulation, half: f64) -> (Motion, Motion) {
    let (mut stored, mut shown) = (Motion::default(), Motion::default());
    for (live, body) in simulation.dynamic_lives() {
        let (velocity, spin) = (body.velocity.as_dvec3(), body.spin.as_dvec3());
        let acceleration = simulation.app.world().get::<Acceleration>(live.entity);
        let acceleration = acceleration.copied().unwrap_or_default();
        shown.add(&body, velocity, spin);
        let (velocity, spin) = leapfrog(velocity, spin, &acceleration, half);
        stored.add(&body, velocity, spin);
    }
    (stored, shown)
}

fn check_finite(now: &Body) -> Option<Law> {
    let is_finite = now.position.is_finite()
        && now.rotation.is_finite()
        && now.velocity.is_finite()
        && now.spin.is_finite();
    (!is_finite).then_some(Law::NotFinite(now.id))
}

/// A static body stays where it is. A kinematic body keeps its velocities.
fn check_held(start: &Body, now: &Body) -> Option<Law> {
    let has_moved = match now.motion {
        RigidBody::Dynamic => false,
        RigidBody::Kinematic => now.velocity != start.velocity || now.spin != start.spin,
        RigidBody::Static => now.position != start.position || now.rotation != start.rotation,
    };
    has_moved.then_some(Law::HeldBody(now.id))
}

/// Every bad value is told once, in the first step that sees it. Nothing else is told, but that a body flies away too far.
fn check_messages(simulation: &mut Simulation) -> Option<Law> {
    for message in laws::messages::<BadInput>(&simulation.app) {
        if message.problem.reason == ProblemReason::TooFar {
            simulation.lost.insert(message.entity);
            continue;
        }
        let is_cut = is_of_cut_tie(simulation, message.entity);
        let mut spoiled = simulation.spoiled.iter_mut();
        let known = spoiled.find(|spoiled| {
            spoiled.entity == message.entity && spoiled.problem.is_like(&message.problem)
        });
        match known {
            Some(spoiled) => spoiled.told += 1,
            None if is_cut => {}
            None => return Some(wrong_count(message.entity, &message.problem, 1, 0)),
        }
    }
    let mut spoiled = simulation.spoiled.iter();
    let wrong = spoiled.find(|spoiled| spoiled.told != 1)?;
    Some(wrong_count(wrong.entity, &wrong.problem, wrong.told, 1))
}

/// Whether this is a joint that has lost a body, or had a bad value when it did.
fn is_of_cut_tie(simulation: &Simulation, entity: Entity) -> bool {
    let mut ties = simulation.ties.iter();
    let tie = ties.find(|live| live.entity == entity);
    tie.is_some_and(|live| live.bad.is_some() || simulation.is_cut(&live.tie))
}

fn wrong_count(entity: Entity, problem: &InputProblem, told: u32, due: u32) -> Law {
    Law::BadInput {
        entity,
        problem: name_of(problem),
        told,
        due,
    }
}

/// The name of the problem, without its value.
fn name_of(problem: &InputProblem) -> String {
    let InputProblem {
        component,
        field,
        reason,
        ..
    } = problem;
    format!("{component} {field} {reason:?}")
}
