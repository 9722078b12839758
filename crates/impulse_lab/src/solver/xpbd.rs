//! Positions in small steps (extended position-based dynamics).
//!
//! A step is cut into n substeps of length h. In each one
//!
//! 1. v = v + g·h, x = x + v·h
//! 2. for each contact with a gap below 0: λ = −gap/(1/m + α/h²), and both bodies move by λ/mᵢ along the normal; the tangential move of
//!    the contact points is taken back, as far as μ·λ allows
//! 3. v = (x − x_before)/h, and the same for rotations
//! 4. for each contact with λ > 0: the normal speed becomes −e times the speed before the step
//!
//! Stiffness is exact: α is the inverse of a spring constant, and 0 is rigid. The velocity comes out of the moves, so a mended overlap
//! becomes a speed. Step 4 takes it away at the contact itself, and not at the neighbours'. A move about a centre carries no angular
//! momentum. One sweep in many substeps beats many sweeps.
//!
//! Source: M. Müller and others, "Detailed rigid body simulation with extended position based dynamics", Comput. Graph. Forum 39
//! (2020) 101.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::{
    rows::{Row, rows},
    small_steps::Moves,
};
use crate::{
    contact::find_contacts,
    replace::{drift, kick, replace_step},
};

/// Contacts by displacements in small steps.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Xpbd {
    /// n. Default: 20.
    pub substeps: u32,
    /// α in m/N. Default: 0.
    pub compliance: f32,
}

impl Default for Xpbd {
    fn default() -> Self {
        Self {
            substeps: 20,
            compliance: 0.0,
        }
    }
}

impl Plugin for Xpbd {
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
    method: Res<Xpbd>,
) {
    let bodies = &mut *bodies;
    let whole = bodies.substep();
    let h = whole / method.substeps.max(1) as f32;
    let softness = method.compliance / (h * h);
    for _ in 0..method.substeps.max(1) {
        let before = Moves::from(bodies);
        kick(bodies, gravity.0, h);
        drift(bodies, h);
        // A contact that is not found anew seems to open or to close where bodies slide, and to mend that gives energy.
        let points = find_contacts(bodies, &pairs, &config);
        let mut rows = rows(bodies, &points, &config, 0.0);
        let found = Moves::from(bodies);
        for row in &mut rows {
            let gap = found.gap(bodies, &row.point);
            let lambda = (-gap).max(0.0) / (1.0 / row.normal_mass + softness);
            // N·s of this substep.
            row.normal_impulse = lambda / h;
            shift(row, bodies, lambda * row.point.normal);
            let slid = before.slip(bodies, &row.point);
            let stop = (slid * row.tangent_mass).clamp_length_max(row.point.friction * lambda);
            shift(row, bodies, -stop);
        }
        before.velocities(bodies, h);
        for row in rows.iter().filter(|row| row.normal_impulse > 0.0) {
            let n = row.point.normal;
            let v = row.point.velocity(bodies).dot(n);
            row.point
                .push(bodies, (row.target - v) * row.normal_mass * n);
        }
    }
}

/// Moves and turns both bodies of a contact, as the `impulse` in kg·m does.
fn shift(row: &Row, bodies: &mut Bodies, impulse: Vec3) {
    let point = &row.point;
    for (i, arm, impulse) in [
        (point.a, point.arm_a, impulse),
        (point.b, point.arm_b, -impulse),
    ] {
        let mut body = bodies.get_mut(i);
        let turned = body.turn_by(arm.cross(impulse));
        body.set_position(body.position() + impulse * body.inverse_mass());
        body.set_rotation((Quat::from_scaled_axis(turned) * body.rotation()).normalize());
    }
}
