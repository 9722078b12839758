//! The checked components of one body.

use bevy::prelude::*;

use super::{
    body_data::{BodyDataItem, was_written},
    context::{Context, centre_of},
    meaningless::{report_meaningless, report_on_compound, report_on_part},
    placed_shape::PlacedShape,
};
use crate::{
    body::{BodyFlags, Growing, IMMOVABLE, Material, Switch, velocities_between},
    components::{
        AngularVelocity, AppliedForces, CenterOfMass, CollisionLayers, Compound, ExternalForce,
        ExternalTorque, GravityScale, Inertia, LinearVelocity, Mass, MovedByTransform, RigidBody,
        SurfaceVelocity, inverse_inertia,
    },
    ecs::{
        applied_forces::applied_to,
        bad_input::{Check, Checked, check_division, checked_growth, coefficient, or_instead},
        kind::{kind_of, may_follow},
    },
    flat::{about_z, flatten, in_plane},
    kernel::InverseInertia,
    messages::{InputProblem, ProblemReason as R, ProblemValue::Nothing},
    shape::{Shape, SharedGeometry},
};

/// The data of a body, from its components.
pub(super) struct Gathered {
    pub(super) entity: Entity,
    pub(super) flags: BodyFlags,
    pub(super) shape: Shape,
    pub(super) geometry: SharedGeometry,
    pub(super) position: Vec3,
    /// Of its `Transform`, in the world.
    pub(super) origin: (Vec3, Quat),
    pub(super) centre: Vec3,
    /// Whether another body carries it: then that one gives it its pose.
    pub(super) is_carried: bool,
    /// Of a part: its compound, and its place in it.
    pub(super) whole: Entity,
    pub(super) offset: Vec3,
    pub(super) part_rotation: Quat,
    pub(super) rotation: Quat,
    pub(super) axis: Vec3,
    pub(super) local_axis: Vec3,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) mass: f32,
    pub(super) inverse_mass: f32,
    pub(super) inverse_inertia: InverseInertia,
    pub(super) growth: Growing,
    pub(super) linear_damping: f32,
    pub(super) angular_damping: f32,
    pub(super) material: Material,
    pub(super) layers: CollisionLayers,
    pub(super) surface_velocity: Vec3,
    pub(super) gravity_scale: f32,
    pub(super) external_force: Vec3,
    pub(super) external_torque: Vec3,
    pub(super) quiet_for: f32,
    /// Whether loads that change count as samples of the same load: they change in every step.
    pub(super) is_sampled: bool,
    /// Whether it is a kinematic body whose `Transform` leads it, or its parent.
    pub(super) is_moved: bool,
    /// Whether a user has written to its loads since the last step, be it the same values.
    pub(super) is_written: bool,
    /// Whether a user has applied forces for this step.
    pub(super) is_loaded: bool,
    /// How its loads, or its velocities, were other ones in the last step than before it.
    pub(super) switch_before: Option<Switch>,
    /// Half of the fixed step, and of the substep, in s.
    pub(super) halves: (f32, f32),
    /// Whether it was asleep when its components were last written.
    pub(super) was_asleep: bool,
    pub(super) scale: Vec3,
}

/// Spacing of `f32` at a body's position, as a fraction of its radius, above which its contacts are not exact.
const COARSE: f32 = 0.01;

/// Whether `f32` is too coarse for a body of this shape at a position. A plane has no radius.
pub(super) fn is_too_far(position: Vec3, shape: &Shape) -> bool {
    let spacing = position.abs().max_element() * f32::EPSILON;
    shape.is_round() && spacing > COARSE * shape.radius()
}

impl Gathered {
    /// Checks the components.
    pub fn new(
        body: &BodyDataItem,
        context: Context,
        tell: &mut impl FnMut(InputProblem),
    ) -> Checked<Self> {
        let (mut place, carrier) = context.place(body)?;
        let flat = context.flat;
        if flat {
            let is_plane = body.shape.1.is_some();
            if !is_plane {
                let rotation = Transform::check_field("rotation", R::OutOfPlane, place.rotation);
                or_instead(rotation, Quat::IDENTITY, tell);
            }
            flatten(&mut place, is_plane);
        }
        let transform = &place;
        let (whole, part) = (
            context.compounds.whole(body.entity),
            context.compounds.part(body.entity),
        );
        let centre = centre_of(body, place.scale, (carrier, whole, flat), tell);
        let has_shape = [
            body.shape.0.is_some(),
            body.shape.1.is_some(),
            body.shape.2.is_some(),
            body.shape.3.is_some(),
        ];
        if body.is_compound && has_shape.contains(&true) {
            return Err(Compound::problem(R::SeveralShapes, Nothing));
        }
        let PlacedShape {
            shape,
            geometry,
            position,
            rotation,
            local_axis,
        } = match whole {
            Some(whole) => PlacedShape::of_compound(whole, transform)?,
            None => PlacedShape::new(body.shape, transform, (centre, flat), tell)?,
        };
        if is_too_far(position, &shape) {
            let problem = InputProblem::of_field::<Transform>("translation", R::TooFar, position);
            tell(problem);
        }
        let is_ground = !shape.is_round();
        if is_ground && body.kind == Some(&RigidBody::Dynamic) {
            tell(RigidBody::problem(R::OnPlaneOrCollider, Nothing));
        }
        let follows = body.moved.filter(|_| may_follow(!is_ground, body.kind));
        if body.moved.is_some() && follows.is_none() {
            tell(MovedByTransform::problem(R::OnDynamicBody, Nothing));
        }
        let is_moved = follows.is_some() || carrier.is_some();
        let kind = match part {
            Some(part) => part.kind,
            None => kind_of(!is_ground, body.kind, is_moved),
        };
        let (is_free, is_dynamic) = (!kind.is_static(), kind.is_dynamic());

        let (along, about): (fn(Vec3) -> Vec3, fn(Vec3) -> Vec3) = match flat {
            true => (in_plane, about_z),
            false => (|v| v, |w| w),
        };
        let mut velocity = body.velocity.map_or(Vec3::ZERO, |v| along(v.0));
        let mut angular_velocity = body.angular_velocity.map_or(Vec3::ZERO, |w| about(w.0));
        let has_locked_rotation = body.has_locked_rotation && is_dynamic;
        if has_locked_rotation && angular_velocity.is_finite() {
            angular_velocity = Vec3::ZERO;
        }
        let about_centre = |(x, q): (Vec3, Quat)| match centre {
            Vec3::ZERO => (x, q),
            centre => (x + q * centre, q),
        };
        let origin = (position, transform.rotation);
        let target = about_centre((position, rotation));
        let mut start = target;
        // Between two steps, the velocities are those of the last one.
        if let Some(moved) = follows.filter(|_| context.step > 0.0) {
            start = moved.reached.map_or(target, about_centre);
            let between = velocities_between(start, target, context.step);
            (velocity, angular_velocity) = (between.linear, between.angular);
        }
        let gravity_scale = body.gravity_scale.map_or(1.0, |s| s.0);
        let mut force = body.force.as_ref().map_or(Vec3::ZERO, |f| along(f.0));
        let mut torque = body.torque.as_ref().map_or(Vec3::ZERO, |t| about(t.0));
        let mass = if let Some(whole) = whole {
            whole.mass
        } else if is_ground || (body.is_sensor && !is_dynamic) {
            0.0
        } else {
            Mass::check(R::NotPositive, body.mass.map_or(1.0, |m| m.0))?
        };
        LinearVelocity::check(R::NotFinite, velocity)?;
        AngularVelocity::check(R::NotFinite, angular_velocity)?;
        ExternalForce::check(R::NotFinite, force)?;
        ExternalTorque::check(R::NotFinite, torque)?;
        GravityScale::check(R::NotFinite, gravity_scale)?;

        let applied = applied_to(context.applied, body.entity);
        let rejected = AppliedForces::check(R::NotFinite, applied.rejected);
        if or_instead(rejected, Vec3::ZERO, tell) != Vec3::ZERO {
            tell(AppliedForces::problem(R::OnHeldBody, applied.rejected));
        }
        let is_for_part =
            part.is_some() && (applied.force != Vec3::ZERO || applied.torque != Vec3::ZERO);
        if is_for_part {
            tell(AppliedForces::problem(R::OnPart, applied.force));
        }
        let is_loaded = applied.force != Vec3::ZERO || applied.torque != Vec3::ZERO;
        if is_loaded && is_dynamic {
            force += along(applied.force);
            torque += about(applied.torque);
        }

        if !is_free && velocity != Vec3::ZERO {
            tell(LinearVelocity::problem(R::OnStaticBody, velocity));
            velocity = Vec3::ZERO;
        }
        if !is_free && angular_velocity != Vec3::ZERO {
            tell(AngularVelocity::problem(R::OnStaticBody, angular_velocity));
            angular_velocity = Vec3::ZERO;
        }
        match part {
            Some(_) => report_on_part(body, tell),
            None => report_meaningless(body, &shape, kind, tell),
        }
        if whole.is_some() {
            report_on_compound(body, tell);
        }
        if let Some(centre) = body.center_of_mass.filter(|_| body.is_compound) {
            or_instead(
                CenterOfMass::check(R::NotFinite, centre.0),
                Vec3::ZERO,
                tell,
            );
        }
        let is_growing = is_dynamic && shape.is_capsule() && part.is_none();
        let growth = body.growth.filter(|_| is_growing);
        let growth = growth.map_or(Ok(Growing::NONE), |it| {
            checked_growth(it, transform.scale.x)
        });
        let growth = or_instead(growth, Growing::NONE, tell);
        let division = body.division.filter(|_| is_growing);
        if let Some(division) = division {
            or_instead(check_division(division), (), tell);
        }

        let surface_velocity = body.surface_velocity.map_or(Vec3::ZERO, |v| along(v.0));
        let surface_velocity = SurfaceVelocity::check(R::NotFinite, surface_velocity);
        let mut surface_velocity = or_instead(surface_velocity, Vec3::ZERO, tell);
        if is_dynamic && surface_velocity != Vec3::ZERO {
            tell(SurfaceVelocity::problem(R::OnDynamicBody, surface_velocity));
            surface_velocity = Vec3::ZERO;
        }
        let material = Material {
            restitution: coefficient(body.restitution, R::OutOfRange, tell),
            friction: coefficient(body.friction, R::Negative, tell),
            rolling_friction: coefficient(body.rolling_friction, R::Negative, tell),
            spinning_friction: coefficient(body.spinning_friction, R::Negative, tell),
        };
        let linear_damping = coefficient(body.linear_damping, R::Negative, tell);
        let angular_damping = coefficient(body.angular_damping, R::Negative, tell);

        let grows = growth != Growing::NONE || division.is_some();
        let own_inertia = body.inertia.filter(|own| {
            if grows {
                tell(Inertia::problem(R::OnGrowingBody, own.principal));
            } else if !own.is_possible() {
                tell(Inertia::problem(R::Impossible, own.principal));
            }
            !grows && own.is_possible()
        });
        let of_part = part.and_then(|part| Some((part, context.compounds.whole(part.whole)?)));
        let mass = of_part.map_or(mass, |(_, whole)| whole.mass);
        let (inverse_mass, inverse_inertia) = if is_dynamic {
            let of_shape = (body.has_rod_inertia, has_locked_rotation);
            let mut inertia = match (whole, of_part) {
                (Some(whole), _) => whole.inverse_inertia,
                (_, Some((part, whole))) => {
                    whole.inverse_inertia.seen_from(part.rotation.inverse())
                }
                _ => inverse_inertia(&shape, mass, own_inertia, of_shape),
            };
            // In a flat world a body turns about Z alone, with I_zz.
            let is_free = !has_locked_rotation && whole.is_none() && part.is_none();
            if flat && let Some(own) = own_inertia.filter(|_| is_free) {
                inertia = InverseInertia::isotropic(own.tensor().z_axis.z.recip());
            }
            (mass.recip(), inertia)
        } else if is_free {
            (IMMOVABLE, InverseInertia::isotropic(IMMOVABLE))
        } else {
            (0.0, InverseInertia::ZERO)
        };
        let switch_before = context.last_step.switch_of(body.entity).copied();
        let is_sampled = !is_loaded && switch_before.is_some_and(|switch| !switch.is_applied);
        let sleep = body.sleep.copied().unwrap_or_default();
        let asleep = is_dynamic
            && part.is_none()
            && velocity == Vec3::ZERO
            && !is_loaded
            && !body.never_sleeps
            && sleep.asleep_at == Some((transform.translation, transform.rotation));
        let rotation = start.1;
        let flags = [
            (BodyFlags::DYNAMIC, is_dynamic),
            (BodyFlags::KINEMATIC, is_free && !is_dynamic),
            (BodyFlags::SENSOR, body.is_sensor && whole.is_none()),
            (BodyFlags::HOOKS, body.has_hooks && whole.is_none()),
            (BodyFlags::ROD_INERTIA, body.has_rod_inertia),
            (BodyFlags::LOCKED_ROTATION, has_locked_rotation),
            (BodyFlags::NEVER_SLEEPS, body.never_sleeps),
            (BodyFlags::ASLEEP, asleep),
            (BodyFlags::BALL, whole.is_some_and(|whole| whole.is_ball)),
            (BodyFlags::PART, part.is_some()),
            (
                BodyFlags::ASIDE,
                part.is_some_and(|part| part.offset != Vec3::ZERO),
            ),
        ];
        let flags = flags.into_iter().filter(|(_, has)| *has);
        let flags = flags.map(|(flag, _)| flag).collect();
        Ok(Self {
            entity: body.entity,
            flags,
            shape,
            geometry,
            position: start.0,
            origin,
            centre,
            is_carried: carrier.is_some() || part.is_some_and(|part| !part.kind.is_static()),
            whole: part.map_or(Entity::PLACEHOLDER, |part| part.whole),
            offset: part.map_or(Vec3::ZERO, |part| part.offset),
            part_rotation: part.map_or(Quat::IDENTITY, |part| part.rotation),
            rotation,
            axis: shape.axis_at(rotation, local_axis),
            local_axis,
            velocity,
            angular_velocity,
            mass,
            inverse_mass,
            inverse_inertia,
            growth,
            linear_damping: linear_damping.filter(|_| is_dynamic).unwrap_or(0.0),
            angular_damping: angular_damping.filter(|_| is_dynamic).unwrap_or(0.0),
            material,
            layers: body.layers.copied().unwrap_or_default(),
            surface_velocity,
            gravity_scale,
            external_force: force,
            external_torque: torque,
            quiet_for: sleep.quiet_for,
            is_sampled,
            is_moved,
            // A restored world has written all that it restores.
            is_written: if context.is_restored {
                switch_before.is_some()
            } else {
                was_written(&body.force) || was_written(&body.torque)
            },
            is_loaded: is_loaded && is_dynamic,
            switch_before,
            halves: (0.5 * context.step, context.half),
            was_asleep: sleep.is_asleep(),
            scale: transform.scale,
        })
    }
}
