//! Jacobi: all rows are solved for the same velocities, and then all impulses change at once.
//!
//! P ← max(0, P + ω·(v_wanted − n·v)·m)
//!
//! Rows of one body do not see each other's change. With ω = 1 two rows that push the same body push twice as far as they should, and
//! the impulses grow from sweep to sweep. A small ω is stable and slow. The order of the rows does not matter, so all rows can be
//! solved at the same time by many threads, and a symmetric scene stays symmetric.
//!
//! Source: Y. Saad, "Iterative methods for sparse linear systems" (2003), 4.1, with the projection of K. G. Murty, "Linear
//! complementarity" (1988).

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::rows::{Memory, rows};
use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// All rows at once.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Jacobi {
    /// Sweeps over all rows. Default: 20.
    pub iterations: u32,
    /// ω, 0 to 1. Default: 0.4.
    pub relaxation: f32,
    /// β, the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
}

impl Default for Jacobi {
    fn default() -> Self {
        Self {
            iterations: 20,
            relaxation: 0.4,
            bias: 0.1,
            warm_start: 1.0,
        }
    }
}

impl Plugin for Jacobi {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
    gravity: Res<Gravity>,
    method: Res<Jacobi>,
    mut memory: Local<Memory>,
) {
    let bodies = &mut *bodies;
    let points = find_contacts(bodies, &pairs, &config);
    let mut rows = rows(bodies, &points, &config, method.bias);
    let h = bodies.h;
    kick(bodies, gravity.0, h);
    memory.warm_start(bodies, &mut rows, method.warm_start);
    for _ in 0..method.iterations {
        let wanted: Vec<_> = rows
            .iter()
            .map(|row| row.wanted(bodies, method.relaxation))
            .collect();
        for (row, wanted) in rows.iter_mut().zip(wanted) {
            row.set(bodies, wanted);
        }
    }
    memory.keep(bodies, &rows);
    drift(bodies);
}
