//! Augmented vertex block descent: body after body goes to the least of its own energy, and what a contact lacks is added to it.
//!
//! The step is the least of
//!
//!   ½/h²·(u − y)ᵀ·M·(u − y) + Σ ½·k·C² − λ·C,  y = v·h + g·h²
//!
//! over the moves u of all bodies, where C is the gap of a contact, or its slip. A sweep solves, for each body, the six equations
//!
//!   (M/h² + Σ k·J·Jᵀ)·Δu = −M/h²·(u − y) + Σ J·f,  f = λ − k·C
//!
//! with f ≥ 0 along the normal and |f| ≤ μ·f_n along the surface. After it each contact keeps its force, λ = f, and gets stiffer by
//! β·|C|. So a stiff contact needs no stiff equations: a soft one that is told again and again how much it lacks gets as far. Mass
//! ratios do less harm than in sweeps over contacts. But a sweep still brings news from body to body: a high column needs many, and
//! the stiffness that it has gained. The linear part of C is taken at the start of the step, with the fraction 1 − α of an overlap.
//!
//! Source: C. Giles, E. Diaz and C. Yuksel, "Augmented vertex block descent", ACM Trans. Graph. 44 (2025) 90.

use std::collections::HashMap;

use bevy::{
    math::{DMat3, DVec3},
    prelude::*,
};
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};
use nalgebra::{Matrix6, Vector6};

use super::rows::{Row, keys, rows};
use crate::{
    contact::find_near_contacts,
    replace::{drift, kick, replace_step},
};

/// Gap, as a fraction of the smaller radius, at which a contact is still one: its force is kept.
const MARGIN: f32 = 0.01;

/// Stiffness of a new contact, in units of m/h².
const LEAST_STIFFNESS: f64 = 3e-4;

/// Body after body, with contacts that grow stiffer.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct VertexBlockDescent {
    /// Sweeps over all bodies. Default: 10.
    pub iterations: u32,
    /// β, the growth of a contact's stiffness in a sweep, for an error of one radius, in units of m/h². Default: 14.
    pub stiffening: f32,
    /// α, the fraction of an overlap that a step leaves, 0 to 1. Default: 0.99.
    pub kept_overlap: f32,
    /// γ, the fraction of the last step's stiffness and force to start from, 0 to 1. Default: 0.99.
    pub warm_start: f32,
}

impl Default for VertexBlockDescent {
    fn default() -> Self {
        Self {
            iterations: 10,
            stiffening: 14.0,
            kept_overlap: 0.99,
            warm_start: 0.99,
        }
    }
}

impl Plugin for VertexBlockDescent {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

/// The forces of the contacts in N, and their stiffnesses in N/m, in the step before.
type Memory = HashMap<(Entity, Entity, usize), (DVec3, DVec3)>;

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
    gravity: Res<Gravity>,
    method: Res<VertexBlockDescent>,
    mut memory: Local<Memory>,
) {
    let bodies = &mut *bodies;
    let points = find_near_contacts(bodies, &pairs, &config, MARGIN);
    let rows = rows(bodies, &points, &config, 0.0);
    let names = keys(bodies, &rows);
    let h = bodies.substep();
    kick(bodies, gravity.0, h);
    let mut system = System::new(bodies, &rows, &method);
    for (name, contact) in names.iter().zip(&mut system.contacts) {
        if let Some(&(force, stiffness)) = memory.get(name) {
            let kept = f64::from(method.warm_start);
            contact.force = contact.frame * force * kept;
            // The frame turns with the normal; a force along the normal that pulls is none.
            contact.force.x = contact.force.x.max(0.0);
            contact.stiffness = (stiffness * kept).max(contact.stiffness);
        }
    }
    for _ in 0..method.iterations {
        system.sweep();
    }
    memory.clear();
    let kept = system.contacts.iter().map(|contact| {
        let force = contact.frame.transpose() * contact.force;
        (force, contact.stiffness)
    });
    memory.extend(names.into_iter().zip(kept));
    system.write(bodies);
    drift(bodies, h);
    // The source has no restitution: as in the positions with small steps, it is given at the end.
    for (row, contact) in rows.iter().zip(&system.contacts) {
        if contact.force.x > 0.0 && row.target > 0.0 {
            let n = row.point.normal;
            let v = row.point.velocity(bodies).dot(n);
            row.point
                .push(bodies, (row.target - v).max(0.0) * row.normal_mass * n);
        }
    }
}

/// A body, and how it moves in this step.
struct Block {
    /// M/h²: the mass and the inertia tensor, over h².
    mass: f64,
    inertia: DMat3,
    /// y, the move that it makes without contacts: in m, and as a rotation vector.
    free: (DVec3, DVec3),
    /// u.
    moved: (DVec3, DVec3),
    /// Its contacts, and whether it is the first body of each.
    contacts: Vec<(usize, bool)>,
    is_dynamic: bool,
}

/// A contact, in the frame of its normal and two tangents.
struct Contact {
    a: usize,
    b: usize,
    arm_a: DVec3,
    arm_b: DVec3,
    /// Takes a vector to its components along the normal and two tangents.
    frame: DMat3,
    /// The part of the gap in m at the start of the step that counts.
    gap: f64,
    friction: f64,
    /// λ in N, on `a`.
    force: DVec3,
    /// k in N/m.
    stiffness: DVec3,
    /// β in N/m².
    stiffening: f64,
}

impl Contact {
    fn new(bodies: &Bodies, row: &Row, method: &VertexBlockDescent) -> Self {
        let point = &row.point;
        // In f64: a tangent that is not quite perpendicular topples a column.
        let normal = point.normal.as_dvec3().normalize();
        let (one, other) = normal.any_orthonormal_pair();
        let gap = -f64::from(point.depth);
        let kept = f64::from(method.kept_overlap);
        let h = f64::from(bodies.substep());
        let scale = f64::from(row.normal_mass) / (h * h);
        let radius = [point.a, point.b].map(|i| bodies.get(i).shape().radius());
        let radius = f64::from(radius[0].max(radius[1]));
        Self {
            a: point.a,
            b: point.b,
            arm_a: point.arm_a.as_dvec3(),
            arm_b: point.arm_b.as_dvec3(),
            frame: DMat3::from_cols(normal, one, other).transpose(),
            gap: gap - kept * gap.min(0.0),
            friction: point.friction.into(),
            force: DVec3::ZERO,
            stiffness: DVec3::splat(LEAST_STIFFNESS * scale),
            stiffening: f64::from(method.stiffening) * scale / radius,
        }
    }

    /// C: the gap and the slip in m.
    fn error(&self, blocks: &[Block]) -> DVec3 {
        let moved = |i: usize, arm: DVec3| {
            let (x, turn) = blocks[i].moved;
            x + turn.cross(arm)
        };
        let apart = moved(self.a, self.arm_a) - moved(self.b, self.arm_b);
        self.frame * apart + DVec3::X * self.gap
    }

    /// f in N, and whether friction holds.
    fn force_now(&self, error: DVec3) -> (DVec3, bool) {
        let wanted = self.force - self.stiffness * error;
        let normal = wanted.x.max(0.0);
        let sideways = DVec3::new(0.0, wanted.y, wanted.z);
        let limit = self.friction * normal;
        let held = sideways.clamp_length_max(limit);
        (DVec3::X * normal + held, sideways.length() <= limit)
    }
}

/// The bodies and the contacts of a step.
struct System {
    blocks: Vec<Block>,
    contacts: Vec<Contact>,
}

impl System {
    fn new(bodies: &Bodies, rows: &[Row], method: &VertexBlockDescent) -> Self {
        let h = f64::from(bodies.substep());
        let block = |body: BodyRef| {
            let inertia = |axis: Vec3| body.spin_momentum(axis).as_dvec3() / (h * h);
            let moves = |v: Vec3| v.as_dvec3() * h;
            let free = (moves(body.velocity()), moves(body.angular_velocity()));
            Block {
                mass: f64::from(body.mass()) / (h * h),
                inertia: DMat3::from_cols(inertia(Vec3::X), inertia(Vec3::Y), inertia(Vec3::Z)),
                free,
                moved: free,
                contacts: Vec::new(),
                is_dynamic: body.is_dynamic(),
            }
        };
        let mut blocks: Vec<Block> = bodies.iter().map(block).collect();
        let contacts: Vec<Contact> = rows
            .iter()
            .map(|row| Contact::new(bodies, row, method))
            .collect();
        for (k, contact) in contacts.iter().enumerate() {
            blocks[contact.a].contacts.push((k, true));
            blocks[contact.b].contacts.push((k, false));
        }
        Self { blocks, contacts }
    }

    /// Moves each body to the least of its energy, then adds to the forces what the contacts lack.
    fn sweep(&mut self) {
        for i in 0..self.blocks.len() {
            if self.blocks[i].is_dynamic && !self.blocks[i].contacts.is_empty() {
                let (x, turn) = self.step_of(i);
                let moved = &mut self.blocks[i].moved;
                *moved = (moved.0 + x, moved.1 + turn);
            }
        }
        for contact in &mut self.contacts {
            let error = contact.error(&self.blocks);
            let (force, holds) = contact.force_now(error);
            contact.force = force;
            let grown = contact.stiffness + contact.stiffening * error.abs();
            if force.x > 0.0 {
                contact.stiffness.x = grown.x;
                if holds {
                    contact.stiffness = grown;
                }
            }
        }
    }

    /// Δu of body `i`.
    fn step_of(&self, i: usize) -> (DVec3, DVec3) {
        let block = &self.blocks[i];
        let (x, turn) = (block.moved.0 - block.free.0, block.moved.1 - block.free.1);
        let mut push = six(-block.mass * x, -(block.inertia * turn));
        let mut matrix = Matrix6::zeros();
        for row in 0..3 {
            matrix[(row, row)] = block.mass;
            for column in 0..3 {
                matrix[(row + 3, column + 3)] = block.inertia.col(column)[row];
            }
        }
        for &(k, is_first) in &block.contacts {
            let contact = &self.contacts[k];
            let (arm, sign) = if is_first {
                (contact.arm_a, 1.0)
            } else {
                (contact.arm_b, -1.0)
            };
            let (force, _) = contact.force_now(contact.error(&self.blocks));
            // A contact without a force is stiff all the same: else it opens and closes from sweep to sweep.
            let axes = contact.frame.transpose();
            for (axis, k, f) in [
                (axes.x_axis, contact.stiffness.x, force.x),
                (axes.y_axis, contact.stiffness.y, force.y),
                (axes.z_axis, contact.stiffness.z, force.z),
            ] {
                let gradient = six(axis, arm.cross(axis)) * sign;
                push += gradient * f;
                matrix += gradient * gradient.transpose() * k;
            }
        }
        // The matrix of a body with a mass is positive definite.
        let step = matrix
            .cholesky()
            .map_or_else(Vector6::zeros, |factor| factor.solve(&push));
        let part = |first: usize| DVec3::new(step[first], step[first + 1], step[first + 2]);
        (part(0), part(3))
    }

    /// v = u/h.
    fn write(&self, bodies: &mut Bodies) {
        let h = f64::from(bodies.substep());
        for (i, block) in self.blocks.iter().enumerate() {
            if block.is_dynamic {
                let (x, turn) = block.moved;
                let mut body = bodies.get_mut(i);
                body.set_velocity((x / h).as_vec3());
                body.set_angular_velocity((turn / h).as_vec3());
            }
        }
    }
}

fn six(x: DVec3, turn: DVec3) -> Vector6<f64> {
    Vector6::new(x.x, x.y, x.z, turn.x, turn.y, turn.z)
}
