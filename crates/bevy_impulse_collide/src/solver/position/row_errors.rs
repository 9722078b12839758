//! Errors of places and rotations that constraints other than contacts leave at the end of a substep.

use bevy::prelude::*;
use glam::{DVec3, Mat3};

use super::{position_change::PositionChange, rotation_change::RotationChange};
use crate::{
    body::{Bodies, IMMOVABLE},
    config::{CollisionConfig, ProjectionLaw},
    kernel::inertia_share,
    solver::{contact::PositionError, partition::CellLayout},
};

/// Errors under this fraction of the lengths that make them are rounding.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// An error with what its bodies need to move. Places and rotations are from the beginning of the stage: the changes are small.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowError {
    kind: Kind,
    bodies: [ErrorBody; 2],
    error: Vec3,
    /// The first push on the first body.
    first_push: Vec3,
    /// From a positional impulse to the change of the error.
    mobility: Mat3,
    /// Relative velocity when the stage began.
    v_ab: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Apart,
    Turned,
}

#[derive(Clone, Copy, Debug)]
struct ErrorBody {
    solver_index: usize,
    inverse_mass: f32,
    inverse_inertia: Mat3,
    arm: Vec3,
}

impl RowError {
    /// Of an error; `None` if it moves nothing.
    pub fn new(bodies: &Bodies, layout: &CellLayout, error: &PositionError) -> Option<Self> {
        let PositionError {
            bodies: of,
            arms,
            error,
            push,
        } = *error;
        let of = of.map(|i| Some(bodies.whole_of(i?)));
        let kind = arms.map_or(Kind::Turned, |_| Kind::Apart);
        let arms = arms.unwrap_or_default();
        let body = |i: Option<usize>, arm: Vec3| {
            let responds = i.is_some_and(|i| bodies.responds(i));
            let i = i.unwrap_or_default();
            ErrorBody {
                solver_index: if responds { layout.solver_index(i) } else { 0 },
                inverse_mass: if responds {
                    bodies.inverse_mass[i]
                } else {
                    0.0
                },
                inverse_inertia: match responds {
                    true => bodies.inverse_inertia[i].matrix(bodies.rotation[i]),
                    false => Mat3::ZERO,
                },
                arm,
            }
        };
        let [a, b] = [body(of[0], arms[0]), body(of[1], arms[1])];
        let scale = match kind {
            Kind::Turned => 1.0,
            Kind::Apart => {
                let far = |i: Option<usize>| i.map_or(0.0, |i| bodies.position[i].length() as f32);
                far(of[0]).max(far(of[1])) + arms[0].length() + arms[1].length()
            }
        };
        let velocity = |i: Option<usize>| i.map_or(DVec3::ZERO, |i| bodies.velocity[i]);
        let is_error = error.is_finite() && error.length() > ROUNDING * scale;
        let moves = is_error && a.solver_index != b.solver_index;
        moves.then(|| Self {
            kind,
            bodies: [a, b],
            error,
            first_push: push,
            mobility: a.mobility(kind) + b.mobility(kind),
            v_ab: (velocity(of[0]) - velocity(of[1])).as_vec3(),
        })
    }

    /// Moves and turns the two bodies by the first estimate.
    pub fn start(
        &self,
        config: &CollisionConfig,
        position_changes: &mut [PositionChange],
        rotation_changes: &mut [RotationChange],
    ) {
        if self.first_push != Vec3::ZERO && self.first_push.is_finite() {
            self.push(self.first_push, config, position_changes, rotation_changes);
        }
    }

    /// Moves and turns the two bodies so that the factor of the projection takes its part of the error that is left. The angular
    /// momentum that the move would change goes to the spins.
    pub fn correct(
        &self,
        config: &CollisionConfig,
        h: f32,
        position_changes: &mut [PositionChange],
        rotation_changes: &mut [RotationChange],
    ) {
        let [a, b] = &self.bodies;
        let change = |body: &ErrorBody| {
            let (x, angle) = (
                position_changes[body.solver_index].x(),
                rotation_changes[body.solver_index].angle,
            );
            match (self.kind, body.solver_index) {
                (_, 0) => Vec3::ZERO,
                (Kind::Apart, _) => x + angle.cross(body.arm),
                (Kind::Turned, _) => angle,
            }
        };
        let left = self.error + change(a) - change(b);
        let inverse_mass = self.mobility.to_cols_array_2d();
        let inverse_mass = (inverse_mass[0][0] + inverse_mass[1][1] + inverse_mass[2][2]) / 3.0;
        let inverse = self.mobility.inverse();
        if !inverse.is_finite() {
            return;
        }
        let push = inverse * left * -config.projection.factor(inverse_mass, h);
        self.push(push, config, position_changes, rotation_changes);
    }

    fn push(
        &self,
        push: Vec3,
        config: &CollisionConfig,
        position_changes: &mut [PositionChange],
        rotation_changes: &mut [RotationChange],
    ) {
        let [a, b] = &self.bodies;
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            if body.solver_index == 0 {
                continue;
            }
            let push = sign * push;
            let (x, torque) = match self.kind {
                Kind::Apart => (push * body.inverse_mass, body.arm.cross(push)),
                Kind::Turned => (Vec3::ZERO, push),
            };
            position_changes[body.solver_index].add(x, Vec3::ZERO);
            rotation_changes[body.solver_index].angle += body.inverse_inertia * torque;
        }
        let are_both_free = a.inverse_mass.min(b.inverse_mass) > IMMOVABLE;
        if self.kind == Kind::Apart
            && are_both_free
            && config.projection_law == ProjectionLaw::Conserving
        {
            // Σ m·Δx × v = P × (v_a − v_b)
            let lack = -push.cross(self.v_ab);
            let [of_a, of_b] = [a, b].map(|body| body.inverse_inertia.x_axis.length());
            let share_a = inertia_share(of_a, of_b);
            for (body, share) in [(a, share_a), (b, 1.0 - share_a)] {
                rotation_changes[body.solver_index].momentum += lack * share;
            }
        }
    }
}

impl ErrorBody {
    fn mobility(&self, kind: Kind) -> Mat3 {
        match kind {
            Kind::Turned => self.inverse_inertia,
            Kind::Apart => {
                // K·P = P/m + I⁻¹·(r × P) × r, column by column.
                let column = |axis: Vec3| {
                    let turned = self.inverse_inertia * self.arm.cross(axis);
                    axis * self.inverse_mass + turned.cross(self.arm)
                };
                Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
            }
        }
    }
}
