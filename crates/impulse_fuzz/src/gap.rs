//! How far joined bodies are apart where a joint holds them together.

use bevy::{platform::collections::HashSet, prelude::*};
use bevy_impulse_collide::prelude::*;

use crate::{
    failure::Law,
    settings::is_sound,
    simulation::{LiveTie, SETTLE, Simulation},
    world::{Body, Kind, World},
};

/// Turn in rad, or way over the lever of a joint, in a substep, from which on limbs are fast: the joints promise nothing for them.
const FAST: f32 = 0.1;

/// The most that joined bodies may be apart, over the lever of their joint, where nothing is fast.
pub const APART: f32 = 1e-2;

/// Looks at the joints after each step.
pub struct GapChecker {
    /// A substep in s.
    substep: f32,
    /// Whether gaps have a limit in this world.
    checks_gaps: bool,
    /// Whether bodies come, go and jump.
    has_jumps: bool,
    /// The first step in which the limit holds.
    calm_at: u32,
}

/// A joint in the app, as it is after a step.
struct Now {
    joint: Joint,
    /// The dynamic bodies; `None` for the world, and for what stands in it as it does.
    ends: [Option<u32>; 2],
    /// Its frames on both bodies, in the world.
    frames: [Isometry3d; 2],
    /// Distance in m of the bodies' centres, or of the body's from the world's point; not less than a radius.
    lever: f32,
    /// Whether a body turns or moves fast.
    is_fast: bool,
}

impl GapChecker {
    /// For a world before its first step.
    pub fn new(world: &World) -> Self {
        // Kinematic bodies may pull a joint apart without limit.
        let is_held = world.has_moving_parts() || world.has_motors();
        Self {
            substep: (1.0 / world.hz) as f32 / world.config.substeps.max(1) as f32,
            checks_gaps: is_sound(&world.config) && !is_held,
            has_jumps: matches!(world.kind, Kind::Events | Kind::Chaos),
            calm_at: SETTLE,
        }
    }

    /// The law that a joint has broken in the last step.
    pub fn check(&mut self, simulation: &Simulation) -> Option<Law> {
        let forces = simulation.ties.iter().filter_map(|live| {
            let force = simulation.app.world().get::<JointForce>(live.entity)?;
            let is_finite = force.force.is_finite() && force.torque.is_finite();
            (!is_finite).then_some(Law::JointForce(live.tie.id))
        });
        if let Some(law) = forces.into_iter().next() {
            return Some(law);
        }
        if !self.checks_gaps {
            return None;
        }
        let ties = simulation.ties.iter();
        let now: Vec<(&LiveTie, Now)> = ties
            .filter_map(|live| Some((live, self.now(simulation, live)?)))
            .collect();
        if now.iter().any(|(_, now)| now.is_fast) {
            self.calm_at = self.calm_at.max(simulation.step + SETTLE);
        }
        // A joint is slow to bring back a body that has jumped.
        if simulation.is_disturbed && self.has_jumps {
            self.calm_at = u32::MAX;
        }
        if simulation.step < self.calm_at {
            return None;
        }
        let looped = looped(now.iter().map(|(live, now)| (live.tie.id, now.ends)));
        let in_trees = now
            .iter()
            // Bodies that collide may be pressed apart where they are joined.
            .filter(|(live, _)| !looped.contains(&live.tie.id) && !live.tie.bodies_collide);
        in_trees.into_iter().find_map(|(live, now)| {
            let apart = now.gap(live) / now.lever;
            (apart > APART).then_some(Law::Apart {
                tie: live.tie.id,
                apart,
            })
        })
    }

    /// A joint that acts, as it is now.
    fn now(&self, simulation: &Simulation, live: &LiveTie) -> Option<Now> {
        let world = simulation.app.world();
        if live.bad.is_some()
            || world.get::<JointDisabled>(live.entity).is_some()
            || simulation.is_cut(&live.tie)
        {
            return None;
        }
        let joint = *world.get::<Joint>(live.entity)?;
        let place = |end: Entity| {
            let own = *world.get::<Transform>(end)?;
            let parent = world.get::<ChildOf>(end).map(ChildOf::parent);
            let whole = parent.and_then(|parent| world.get::<Transform>(parent));
            Some(whole.map_or(own, |whole| *whole * own))
        };
        let [a, b] = live.ends;
        let (a, b) = (a.and_then(place), place(b?)?);
        let frames = joint.frames(a.as_ref(), &b)?;
        let body = |id: u32| {
            let mut lives = simulation.bodies.iter();
            lives
                .find(|live| live.body.id == id)
                .and_then(|live| simulation.present(live))
        };
        let bodies = [live.tie.a.and_then(body), body(live.tie.b)];
        let [a, b] = &bodies;
        let b = b.as_ref()?;
        let (from, velocity, radius) = match a {
            Some(a) => (a.position, a.velocity, a.radius.min(b.radius)),
            None => (frames[0].translation.into(), Vec3::ZERO, b.radius),
        };
        let lever = b.position.distance(from).max(radius);
        let way = b.velocity.distance(velocity) * self.substep;
        let turns = |body: &Body| body.spin.length() * self.substep > FAST;
        let dynamic = |body: &Option<Body>| {
            let body = body.as_ref().filter(|body| body.motion.is_dynamic());
            body.map(|body| body.id)
        };
        Some(Now {
            joint,
            ends: bodies.each_ref().map(dynamic),
            frames,
            lever,
            is_fast: way > FAST * lever || bodies.iter().flatten().any(turns),
        })
    }
}

/// The joints of bodies that are joined in a loop. There they may hold more than can be.
fn looped(ties: impl Iterator<Item = (u32, [Option<u32>; 2])>) -> HashSet<u32> {
    // Groups of bodies that are joined, with their joints, and with whether there is a loop.
    let mut groups: Vec<(HashSet<Option<u32>>, HashSet<u32>, bool)> = Vec::new();
    for (id, ends) in ties {
        let is_of = |group: &(HashSet<Option<u32>>, HashSet<u32>, bool)| {
            ends.iter().any(|end| group.0.contains(end))
        };
        let (joined, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_of);
        groups = others;
        let is_loop = joined
            .iter()
            .any(|(bodies, _, is_loop)| *is_loop || ends.iter().all(|end| bodies.contains(end)));
        let mut all = (HashSet::from_iter(ends), HashSet::from_iter([id]), is_loop);
        for (bodies, ties, _) in joined {
            all.0.extend(bodies);
            all.1.extend(ties);
        }
        groups.push(all);
    }
    let looped = groups.into_iter().filter(|(.., is_loop)| *is_loop);
    looped.flat_map(|(_, ties, _)| ties).collect()
}

impl Now {
    /// The gap in m.
    fn gap(&self, live: &LiveTie) -> f32 {
        let [a, b] = self.frames;
        let between = Vec3::from(b.translation - a.translation);
        let drives = live.tie.drives;
        match self.joint.kind {
            JointKind::Fixed | JointKind::Spherical if drives.spring.is_some() => 0.0,
            JointKind::Fixed | JointKind::Spherical | JointKind::Revolute => between.length(),
            JointKind::Prismatic | JointKind::Wheel { .. } => {
                between.reject_from(a.rotation * Vec3::X).length()
            }
            JointKind::Distance(length) => {
                let (now, length) = (between.length(), length.unwrap_or_default());
                match drives.limits {
                    Some(JointLimits { min, max }) => (now - max).max(min - now).max(0.0),
                    None if drives.spring.is_some() => 0.0,
                    None => (now - length).abs(),
                }
            }
        }
    }
}
