//! The frame of the solvers by sweeps: everything but the sweeps.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::rows::{Memory, Row, rows};
use crate::{
    contact::find_contacts,
    replace::{drift, kick},
};

/// What a step by sweeps needs of the world.
#[derive(SystemParam)]
pub struct SweepStep<'w, 's> {
    bodies: ResMut<'w, Bodies>,
    pairs: Res<'w, BroadPhase>,
    config: Res<'w, CollisionConfig>,
    gravity: Res<'w, Gravity>,
    memory: Local<'s, Memory>,
}

impl SweepStep<'_, '_> {
    /// A substep: rows, v = v + g·h, `solve`, x = x + v·h. Of an overlap, the fraction `bias` is to vanish. The rows start from the
    /// fraction `warm_start` of the impulses that they had in the substep before.
    pub fn run(mut self, bias: f32, warm_start: f32, solve: impl FnOnce(&mut Bodies, &mut [Row])) {
        let bodies = &mut *self.bodies;
        let points = find_contacts(bodies, &self.pairs, &self.config);
        let mut rows = rows(bodies, &points, &self.config, bias);
        let h = bodies.substep();
        kick(bodies, self.gravity.0, h);
        self.memory.warm_start(bodies, &mut rows, warm_start);
        solve(bodies, &mut rows);
        self.memory.keep(bodies, &rows);
        drift(bodies, h);
    }
}
