//! The checked components of one body.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    body_data::BodyDataItem,
    meaningless::report_meaningless,
    placed_shape::{PlacedShape, positive},
};
use crate::{
    body::{Accelerations, Columns, Growing, IMMOVABLE, Material, Velocities},
    components::{Acceleration, CollisionLayers, RigidBody},
    ecs::{
        bad_input::{checked_growth, checked_material, problem_of_division},
        shown_motion::ShownMotion,
    },
    kernel::InverseInertia,
    messages::InputProblem,
    shape::{Shape, SharedGeometry},
};

/// The data of a body, from its components.
pub(super) struct Gathered {
    entity: Entity,
    shape: Shape,
    geometry: SharedGeometry,
    position: Vec3,
    rotation: Quat,
    axis: Vec3,
    local_axis: Vec3,
    velocity: Vec3,
    angular_velocity: Vec3,
    mass: f32,
    inverse_mass: f32,
    inverse_inertia: InverseInertia,
    has_rod_inertia: bool,
    growth: Growing,
    linear_damping: f32,
    angular_damping: f32,
    material: Material,
    layers: CollisionLayers,
    gravity_scale: f32,
    external_force: Vec3,
    external_torque: Vec3,
    contact_acceleration: Vec3,
    contact_angular_acceleration: Vec3,
    steps: u32,
    asleep: bool,
    quiet_for: f32,
    /// Whether it was asleep, and a user has moved it.
    was_moved: bool,
    scale: Vec3,
}

/// Spacing of `f32` at a body's position, as a fraction of its radius, above which its contacts are not exact.
const COARSE: f32 = 0.01;

/// Whether `f32` is too coarse for a body of this shape at a position. A plane has no radius.
fn is_too_far(position: Vec3, shape: &Shape) -> bool {
    let spacing = position.abs().max_element() * f32::EPSILON;
    shape.is_round() && spacing > COARSE * shape.radius()
}

impl Gathered {
    /// Checks the components. `half` is half a substep in seconds.
    pub fn new(
        body: &BodyDataItem,
        half: f32,
        report: &mut impl FnMut(Entity, InputProblem),
    ) -> Result<Self, InputProblem> {
        let transform = body.transform;
        let placed = PlacedShape::new(body.entity, body.shape, transform, report)?;
        let (axis, kind) = (placed.axis(), placed.kind(body.kind));
        let PlacedShape {
            shape,
            geometry,
            rotation,
            local_axis,
            ..
        } = placed;
        if is_too_far(transform.translation, &shape) {
            report(body.entity, InputProblem::TooFar(transform.translation));
        }
        let is_ground = !shape.is_round();
        if is_ground && body.kind == Some(&RigidBody::Dynamic) {
            report(body.entity, InputProblem::DynamicPlane);
        }
        let (is_free, is_pushed) = (!kind.is_static(), kind.is_dynamic());

        let velocity = body.velocity.map_or(Vec3::ZERO, |v| v.0);
        let angular_velocity = body.angular_velocity.map_or(Vec3::ZERO, |w| w.0);
        let gravity_scale = body.gravity_scale.map_or(1.0, |s| s.0);
        let force = body.force.map_or(Vec3::ZERO, |f| f.0);
        let torque = body.torque.map_or(Vec3::ZERO, |t| t.0);
        let mass = if is_ground {
            0.0
        } else {
            positive(body.mass.map_or(1.0, |m| m.0), InputProblem::Mass)?
        };
        for (value, problem) in [
            (
                velocity,
                InputProblem::LinearVelocity as fn(Vec3) -> InputProblem,
            ),
            (angular_velocity, InputProblem::AngularVelocity),
            (force, InputProblem::ExternalForce),
            (torque, InputProblem::ExternalTorque),
        ] {
            if !value.is_finite() {
                return Err(problem(value));
            }
        }
        if !gravity_scale.is_finite() {
            return Err(InputProblem::GravityScale(gravity_scale));
        }

        if !is_free && velocity != Vec3::ZERO {
            report(body.entity, InputProblem::StaticVelocity(velocity));
        }
        if !is_free && angular_velocity != Vec3::ZERO {
            let problem = InputProblem::StaticAngularVelocity(angular_velocity);
            report(body.entity, problem);
        }
        report_meaningless(body, &shape, kind, |problem| report(body.entity, problem));
        let is_growing = is_pushed && shape.is_capsule();
        let growth = body.growth.filter(|_| is_growing);
        let growth = growth.map_or(Ok(Growing::NONE), |growth| {
            checked_growth(growth, transform.scale.x)
        });
        let growth = growth.unwrap_or_else(|problem| {
            report(body.entity, problem);
            Growing::NONE
        });
        let division = body.division.filter(|_| is_growing);
        if let Some(problem) = division.and_then(problem_of_division) {
            report(body.entity, problem);
        }

        let mut coefficient =
            |value: Option<f32>, range_end: f32, problem: fn(f32) -> InputProblem| {
                let (value, problem) = checked_material(value, range_end, problem);
                if let Some(problem) = problem {
                    report(body.entity, problem);
                }
                value
            };
        let material = Material {
            restitution: coefficient(
                body.restitution.map(|c| c.0),
                1.0,
                InputProblem::Restitution,
            ),
            friction: coefficient(body.friction.map(|c| c.0), f32::MAX, InputProblem::Friction),
            rolling_friction: coefficient(
                body.rolling_friction.map(|c| c.0),
                f32::MAX,
                InputProblem::RollingFriction,
            ),
            spinning_friction: coefficient(
                body.spinning_friction.map(|c| c.0),
                f32::MAX,
                InputProblem::SpinningFriction,
            ),
        };

        let mut damping =
            |value: Option<f32>, problem| coefficient(value, f32::MAX, problem).unwrap_or_default();
        let linear_damping = damping(
            body.linear_damping.map(|d| d.0),
            InputProblem::LinearDamping,
        );
        let angular_damping = damping(
            body.angular_damping.map(|d| d.0),
            InputProblem::AngularDamping,
        );

        let motion = ShownMotion {
            position: transform.translation,
            rotation: transform.rotation,
            velocity,
            angular_velocity,
            force,
            torque,
            gravity_scale,
        };
        // A motion or a load that a user has written starts anew: the motion is v(t), as that of a new body.
        let last_step = body.acceleration.copied().unwrap_or_default();
        let now = motion.checksum();
        let is_own = is_pushed && last_step.written == now;
        let acceleration = if is_own {
            last_step
        } else {
            Acceleration::default()
        };
        let last = Accelerations {
            linear: acceleration.field + acceleration.contact,
            angular: acceleration.angular_field + acceleration.angular_contact,
        };
        let shown = Velocities {
            linear: velocity,
            angular: angular_velocity,
        };
        let mut stored = shown.stored(last, half, acceleration.steps == 0);
        if !is_own && last_step.steps > 0 && last_step.written.motion == now.motion {
            // Drag acts between the half kicks: the second half of the last step's is still to come.
            stored.linear *= (-linear_damping * half).exp();
            stored.angular *= (-angular_damping * half).exp();
        }
        let (inverse_mass, inverse_inertia) = if is_pushed {
            let inertia = shape.inverse_inertia(mass, body.has_rod_inertia);
            (mass.recip(), inertia)
        } else if is_free {
            (IMMOVABLE, InverseInertia::isotropic(IMMOVABLE))
        } else {
            (0.0, InverseInertia::ZERO)
        };
        let sleep = body.sleep.copied().unwrap_or_default();
        let is_still = velocity == Vec3::ZERO && (angular_velocity == Vec3::ZERO || is_own);
        let asleep = is_pushed
            && is_still
            && sleep.asleep_at == Some((transform.translation, transform.rotation));
        let was_moved = sleep.is_asleep() && !asleep;
        Ok(Self {
            entity: body.entity,
            shape,
            geometry,
            position: transform.translation,
            rotation: if asleep { transform.rotation } else { rotation },
            // A sleeping body keeps its rotation to the bit, and so its axis.
            axis: if asleep {
                shape.axis_at(transform.rotation, local_axis)
            } else {
                axis
            },
            local_axis,
            velocity: if is_free { stored.linear } else { Vec3::ZERO },
            angular_velocity: if is_free { stored.angular } else { Vec3::ZERO },
            mass,
            inverse_mass,
            inverse_inertia,
            has_rod_inertia: body.has_rod_inertia,
            growth,
            linear_damping: if is_pushed { linear_damping } else { 0.0 },
            angular_damping: if is_pushed { angular_damping } else { 0.0 },
            material,
            layers: body.layers.copied().unwrap_or_default(),
            gravity_scale,
            external_force: force,
            external_torque: torque,
            contact_acceleration: acceleration.contact,
            contact_angular_acceleration: acceleration.angular_contact,
            steps: acceleration.steps,
            asleep,
            quiet_for: if was_moved { 0.0 } else { sleep.quiet_for },
            was_moved,
            scale: transform.scale,
        })
    }
}

impl Columns<'_> {
    /// Puts a body in its place. Returns whether anything that a step treats as constant has changed.
    pub(super) fn set(&mut self, i: usize, body: &Gathered) -> bool {
        let mut has_changed = false;
        let is_another = self.entity[i] != body.entity || self.scale[i] == Vec3::ZERO;
        macro_rules! set_constant {
            ($($name:ident),*) => {
                $(if self.$name[i] != body.$name {
                    self.$name[i].clone_from(&body.$name);
                    has_changed = true;
                })*
            };
        }
        let is_pushed = body.inverse_mass > IMMOVABLE;
        let is_moved =
            self.position[i] != body.position || !self.rotation[i].abs_diff_eq(body.rotation, 1e-6);
        set_constant!(
            entity,
            shape,
            geometry,
            mass,
            inverse_mass,
            inverse_inertia,
            material,
            layers
        );
        if body.inverse_mass == 0.0 {
            set_constant!(position, rotation, axis);
        }
        self.position[i] = body.position;
        self.position_rest[i] = Vec3::ZERO;
        self.rotation[i] = body.rotation;
        self.axis[i] = body.axis;
        self.local_axis[i] = body.local_axis;
        self.velocity[i] = body.velocity;
        self.velocity_rest[i] = Vec3::ZERO;
        self.angular_velocity[i] = body.angular_velocity;
        // A body that grows has contacts of another kind.
        has_changed |= (self.growth[i] == Growing::NONE) != (body.growth == Growing::NONE);
        self.has_rod_inertia[i] = body.has_rod_inertia;
        self.growth[i] = body.growth;
        self.linear_damping[i] = body.linear_damping;
        self.angular_damping[i] = body.angular_damping;
        self.gravity_scale[i] = body.gravity_scale;
        self.external_force[i] = body.external_force;
        self.external_torque[i] = body.external_torque;
        self.acceleration[i] = DVec3::ZERO;
        self.angular_acceleration[i] = Vec3::ZERO;
        self.contact_acceleration[i] = body.contact_acceleration;
        self.contact_angular_acceleration[i] = body.contact_angular_acceleration;
        self.launch_position[i] = body.position;
        self.launch_rotation[i] = body.rotation;
        self.steps[i] = body.steps;
        self.asleep[i] = body.asleep;
        self.quiet_for[i] = body.quiet_for;
        self.scale[i] = body.scale;
        let is_disturbed = has_changed || (is_moved && !is_pushed);
        self.disturbed[i] = body.was_moved || (is_disturbed && !is_another);
        has_changed
    }

    /// Whether all numbers of the body's motion are finite, and its position is not too far from the origin.
    pub(super) fn is_sound(&self, i: usize) -> bool {
        self.position[i].is_finite()
            && !is_too_far(self.position[i], &self.shape[i])
            && self.rotation[i].is_finite()
            && self.velocity[i].is_finite()
            && self.angular_velocity[i].is_finite()
    }

    /// Has the effect of [`set`](Self::set) with the components that the last step has written, with `half_before` for half a
    /// substep in seconds. The effect is the same to the bit, so it makes no difference which bodies are read.
    pub(super) fn go_on(&mut self, i: usize, half_before: f32, half: f32) {
        let rotation = match self.asleep[i] {
            true => self.rotation[i],
            false => self.rotation[i].normalize(),
        };
        self.rotation[i] = rotation;
        self.position_rest[i] = Vec3::ZERO;
        self.velocity_rest[i] = Vec3::ZERO;
        if self.is_free(i) {
            let last = Accelerations::of_run(self, i);
            let stored_before = Velocities {
                linear: self.velocity[i],
                angular: self.angular_velocity[i],
            };
            let shown = stored_before.shown(last, half_before);
            let stored = shown.stored(last, half, self.steps[i] == 0);
            self.velocity[i] = stored.linear;
            self.angular_velocity[i] = stored.angular;
            self.axis[i] = self.shape[i].axis_at(rotation, self.local_axis[i]);
        }
        self.acceleration[i] = DVec3::ZERO;
        self.angular_acceleration[i] = Vec3::ZERO;
        self.launch_position[i] = self.position[i];
        self.launch_rotation[i] = rotation;
        self.disturbed[i] = false;
    }
}
