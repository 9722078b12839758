//! One world in an app: spawns it, and makes its events happen.

use bevy::{platform::collections::HashSet, prelude::*};
use bevy_impulse_collide::{prelude::*, snapshot::PhysicsSnapshot};

use crate::{
    components::{dress, dress_tie, spawn_wall, spoil, spoil_tie},
    tie::{BadTie, Tie},
    world::{Action, BadValue, Body, Round, Start, Wall, World},
};

/// Steps that overlapping bodies have to come inside the box.
pub const SETTLE: u32 = 60;

/// A world in an app.
pub struct Simulation {
    /// The app.
    pub app: App,
    /// The step that comes next or was just made.
    pub step: u32,
    /// The bodies that are there.
    pub bodies: Vec<Live>,
    /// The joints that are there.
    pub ties: Vec<LiveTie>,
    /// The bodies that are too far away to take part.
    pub lost: HashSet<Entity>,
    /// The bad values that are there.
    pub spoiled: Vec<Spoiled>,
    /// The walls of the world.
    walls: Vec<Wall>,
    /// The first step after which every body must be inside the box.
    pub settled_at: u32,
    /// Whether an event happened just before this step.
    pub is_disturbed: bool,
    /// After how many steps a world that was put back had other bits.
    pub rewound: Option<u32>,
}

/// A body in the app.
pub struct Live {
    /// The body at its start.
    pub body: Body,
    /// Its entity.
    pub entity: Entity,
    /// Its bad value.
    pub bad: Option<BadValue>,
}

/// A joint in the app.
pub struct LiveTie {
    /// The joint at its start.
    pub tie: Tie,
    /// Its entity.
    pub entity: Entity,
    /// The entities that it joins; none for the world.
    pub ends: [Option<Entity>; 2],
    /// Its bad value.
    pub bad: Option<BadTie>,
}

/// A bad value, and how often it was told.
pub struct Spoiled {
    /// Whose value it is.
    pub entity: Entity,
    /// The problem that must be told.
    pub problem: InputProblem,
    /// How often it was told.
    pub told: u32,
}

impl Simulation {
    /// The world at its start.
    pub fn new(world: &World) -> Self {
        let mut app = laws::app(world.hz);
        app.insert_resource(Gravity(world.gravity))
            .insert_resource(world.config.clone());
        for wall in &world.walls {
            spawn_wall(&mut app, wall);
        }
        let mut simulation = Self {
            app,
            step: 0,
            bodies: Vec::new(),
            ties: Vec::new(),
            lost: HashSet::default(),
            spoiled: Vec::new(),
            walls: world.walls.clone(),
            settled_at: match world.start {
                Start::Clear => 0,
                Start::Overlapping => SETTLE,
            },
            is_disturbed: false,
            rewound: None,
        };
        for body in &world.bodies {
            simulation.spawn(body);
        }
        for tie in &world.ties {
            simulation.spawn_tie(tie);
        }
        simulation
    }

    fn spawn(&mut self, body: &Body) {
        let entity = self.app.world_mut().spawn_empty().id();
        dress(&mut self.app, entity, body);
        self.bodies.push(Live {
            body: body.clone(),
            entity,
            bad: None,
        });
    }

    /// A joint comes, if its bodies are there.
    fn spawn_tie(&mut self, tie: &Tie) {
        let is_there = |id: &u32| self.index(*id).is_some();
        if ![tie.a, Some(tie.b)].iter().flatten().all(is_there) {
            return;
        }
        let ends = [tie.a, Some(tie.b)].map(|id| self.end(tie, id?));
        let entity = self.app.world_mut().spawn_empty().id();
        dress_tie(&mut self.app, entity, tie, ends);
        self.ties.push(LiveTie {
            tie: tie.clone(),
            entity,
            ends,
            bad: None,
        });
    }

    /// The entity that a joint joins: a body, or a part of it.
    fn end(&self, tie: &Tie, id: u32) -> Option<Entity> {
        let live = &self.bodies[self.index(id)?];
        match live.body.shape {
            Round::Dumbbell(_) if tie.is_on_parts => {
                let parts = self.app.world().get::<Children>(live.entity)?;
                parts.iter().next()
            }
            _ => Some(live.entity),
        }
    }

    /// Whether a joint has a body that is not there, or takes no part.
    pub fn is_cut(&self, tie: &Tie) -> bool {
        let takes_part = |id: u32| {
            let live = self.index(id).map(|i| &self.bodies[i]);
            live.is_some_and(|live| {
                live.bad.is_none_or(|bad| !bad.leaves_out()) && !self.lost.contains(&live.entity)
            })
        };
        ![tie.a, Some(tie.b)].into_iter().flatten().all(takes_part)
    }

    /// The body with its present place, if the app still has it.
    pub fn present(&self, live: &Live) -> Option<Body> {
        let world = self.app.world();
        let transform = world.get::<Transform>(live.entity)?;
        Some(Body {
            position: transform.translation,
            rotation: transform.rotation,
            velocity: world.get::<LinearVelocity>(live.entity)?.0,
            spin: world.get::<AngularVelocity>(live.entity)?.0,
            ..live.body.clone()
        })
    }

    /// The dynamic bodies with their present places.
    pub fn dynamic_lives(&self) -> impl Iterator<Item = (&Live, Body)> {
        let present = self
            .bodies
            .iter()
            .filter_map(|live| Some((live, self.present(live)?)));
        present.filter(|(_, body)| body.motion.is_dynamic())
    }

    /// The dynamic bodies.
    pub fn dynamic(&self) -> impl Iterator<Item = Body> {
        self.dynamic_lives().map(|(_, body)| body)
    }

    /// Makes the events of this step happen.
    pub fn happen(&mut self, world: &World) {
        let step = self.step;
        self.is_disturbed = world.events.iter().any(|event| event.step == step);
        for event in world.events.iter().filter(|event| event.step == step) {
            self.act(&event.action);
        }
    }

    fn act(&mut self, action: &Action) {
        match action {
            Action::Spawn(body) => {
                self.spawn(body);
                self.settle_if_overlapping(body.id);
            }
            &Action::Despawn(id) => {
                if let Some(i) = self.index(id) {
                    let live = self.bodies.swap_remove(i);
                    self.app.world_mut().despawn(live.entity);
                    self.forget(live.entity);
                    self.forget_ties_of(id);
                }
            }
            &Action::Teleport(id, position, velocity) => self.teleport(id, position, velocity),
            &Action::Spoil(id, bad) => {
                let takes = |live: &Live| {
                    // The mass of a static sensor says nothing.
                    live.bad.is_none()
                        && live.body.takes(bad)
                        && !(live.body.is_sensor && bad == BadValue::ZeroMass)
                };
                if let Some(i) = self.index(id).filter(|&i| takes(&self.bodies[i])) {
                    self.bodies[i].bad = Some(bad);
                    let entity = self.bodies[i].entity;
                    spoil(&mut self.app, entity, bad);
                    let problem = bad.problem(&self.bodies[i].body);
                    self.expect(entity, problem);
                    self.forget_ties_of(id);
                }
            }
            &Action::Mend(id) => {
                if let Some(i) = self.index(id).filter(|&i| self.bodies[i].bad.is_some()) {
                    self.bodies[i].bad = None;
                    let (entity, body) = (self.bodies[i].entity, self.bodies[i].body.clone());
                    dress(&mut self.app, entity, &body);
                    self.forget(entity);
                    self.settle_if_overlapping(id);
                }
            }
            Action::SpawnTie(tie) => self.spawn_tie(tie),
            &Action::DespawnTie(id) => {
                if let Some(i) = self.tie_index(id) {
                    let live = self.ties.swap_remove(i);
                    self.app.world_mut().despawn(live.entity);
                    self.forget(live.entity);
                }
            }
            &Action::SwitchTie(id, is_on) => {
                if let Some(i) = self.tie_index(id).filter(|&i| self.ties[i].bad.is_none()) {
                    let mut it = self.app.world_mut().entity_mut(self.ties[i].entity);
                    match is_on {
                        true => it.remove::<JointDisabled>(),
                        false => it.insert(JointDisabled),
                    };
                }
            }
            &Action::SpoilTie(id, bad) => self.spoil_tie(id, bad),
            &Action::MendTie(id) => {
                if let Some(i) = self.tie_index(id).filter(|&i| self.ties[i].bad.is_some()) {
                    self.ties[i].bad = None;
                    let LiveTie {
                        entity, ends, tie, ..
                    } = &self.ties[i];
                    let (entity, ends, tie) = (*entity, *ends, tie.anew());
                    dress_tie(&mut self.app, entity, &tie, ends);
                    self.forget(entity);
                }
            }
            &Action::Rewind(steps) => self.rewind(steps),
            Action::SpawnBadPlane => {
                let plane = self.app.world_mut().spawn(Plane::new(Vec3::ZERO)).id();
                self.expect(
                    plane,
                    InputProblem::of_field::<Plane>(
                        "normal",
                        ProblemReason::NoDirection,
                        Vec3::ZERO,
                    ),
                );
            }
        }
    }

    /// Gives a joint a bad value. That of a joint which does not act is not told.
    fn spoil_tie(&mut self, id: u32, bad: BadTie) {
        let Some(i) = self.tie_index(id) else {
            return;
        };
        let LiveTie {
            entity,
            bad: known,
            ref tie,
            ..
        } = self.ties[i];
        let is_off = self.app.world().get::<JointDisabled>(entity).is_some();
        if known.is_none() && !is_off && !self.is_cut(tie) {
            self.ties[i].bad = Some(bad);
            spoil_tie(&mut self.app, entity, bad);
            self.expect(entity, bad.problem());
        }
    }

    fn tie_index(&self, id: u32) -> Option<usize> {
        self.ties.iter().position(|live| live.tie.id == id)
    }

    /// A joint without one of its bodies tells that, and nothing else.
    fn forget_ties_of(&mut self, id: u32) {
        let joined = self.ties.iter().filter(|live| live.tie.joins(id));
        let joined: Vec<Entity> = joined.map(|live| live.entity).collect();
        joined.into_iter().for_each(|entity| self.forget(entity));
    }

    /// Goes on from here twice, and then stands here again.
    fn rewind(&mut self, steps: u32) {
        let start = PhysicsSnapshot::take(self.app.world_mut());
        let mut end = || {
            for _ in 0..steps {
                self.app.update();
            }
            let end = PhysicsSnapshot::take(self.app.world_mut()).checksum();
            start.restore(self.app.world_mut());
            end
        };
        if end() != end() {
            self.rewound = Some(steps);
        }
    }

    fn teleport(&mut self, id: u32, position: Vec3, velocity: Vec3) {
        let Some(live) = self.bodies.iter_mut().find(|live| live.body.id == id) else {
            return;
        };
        if live.bad.is_some() {
            return;
        }
        let (entity, is_static) = (live.entity, live.body.motion.is_static());
        let velocity = if is_static { Vec3::ZERO } else { velocity };
        (live.body.position, live.body.velocity) = (position, velocity);
        if let Some(mut transform) = self.app.world_mut().get_mut::<Transform>(entity) {
            transform.translation = position;
        }
        self.app
            .world_mut()
            .entity_mut(entity)
            .insert(LinearVelocity(velocity));
        self.settle_if_overlapping(id);
    }

    fn index(&self, id: u32) -> Option<usize> {
        self.bodies.iter().position(|live| live.body.id == id)
    }

    fn expect(&mut self, entity: Entity, problem: InputProblem) {
        self.spoiled.push(Spoiled {
            entity,
            problem,
            told: 0,
        });
    }

    fn forget(&mut self, entity: Entity) {
        self.spoiled.retain(|spoiled| spoiled.entity != entity);
    }

    /// Gives all bodies time to come inside again, if this one overlaps another one or a wall.
    fn settle_if_overlapping(&mut self, id: u32) {
        let (it, others): (Vec<_>, Vec<_>) =
            self.bodies.iter().partition(|live| live.body.id == id);
        let Some(it) = it.first().and_then(|live| self.present(live)) else {
            return;
        };
        let mut others = others.into_iter().filter_map(|live| self.present(live));
        let overlaps = |other: &Body| it.can_meet(other) && it.gap(other) < 0.0;
        if !it.is_over(&self.walls, 1.0) || others.any(|other| overlaps(&other)) {
            self.settled_at = self.settled_at.max(self.step + SETTLE);
        }
    }
}
