//! Components that have no effect where they are.

use std::ops::Deref;

use bevy::{ecs::query::ROQueryItem, prelude::*};

use super::body_data::BodyDataItem;
use crate::{
    components::{
        Acceleration, AngularDamping, Capsule, CenterOfMass, Collider, CollisionHooks,
        CollisionLayers, Density, Division, ExternalForce, ExternalTorque, Friction, Growth,
        InWorld, Inertia, LinearDamping, LockedRotation, Mass, MovedByTransform,
        OverlapCountedOnce, Particle, Pivot, Plane, Restitution, RigidBody, RodInertia,
        RollingFriction, Sensor, SleepingDisabled, SpinningFriction, SurfaceVelocity,
    },
    ecs::bad_input::{Check, Reporter, Value},
    messages::{InputProblem, ProblemReason as R, ProblemValue::Nothing},
    shape::Shape,
};

/// Reports the components of a body that have no effect on it. Mass, density, damping and gravity scale may stay on a static or
/// kinematic body: they count again when the body becomes dynamic.
pub(super) fn report_meaningless(
    body: &BodyDataItem,
    shape: &Shape,
    kind: RigidBody,
    tell: &mut impl FnMut(InputProblem),
) {
    if !shape.is_round() {
        report_other_than(0.0, body.density, R::OnPlaneOrCollider, tell);
        // A density brings a mass along.
        let mass = body.mass.filter(|_| body.density.is_none());
        report_other_than(0.0, mass, R::OnPlaneOrCollider, tell);
        report_other_than(1.0, body.gravity_scale, R::OnPlaneOrCollider, tell);
        report_other_than(0.0, body.linear_damping, R::OnPlaneOrCollider, tell);
        report_other_than(0.0, body.angular_damping, R::OnPlaneOrCollider, tell);
    }
    let (is_dynamic, is_capsule) = (kind.is_dynamic(), shape.is_capsule());
    if !is_dynamic || !is_capsule {
        let reason = match is_capsule {
            true => R::OnHeldBody,
            false => R::WithoutCapsule,
        };
        if let Some(Growth { rate, .. }) = body.growth.filter(|it| it.rate != 0.0 || !is_capsule) {
            tell(InputProblem::of_field::<Growth>("rate", reason, *rate));
        }
        if let Some(Division { length, .. }) = body.division {
            let problem = InputProblem::of_field::<Division>("length", reason, *length);
            tell(problem);
        }
    }
    if let Some(centre) = body.center_of_mass.filter(|_| !shape.is_compound()) {
        tell(CenterOfMass::problem(R::WithoutCompound, centre.0));
    }
    if body.counts_overlap_once && !shape.is_compound() {
        tell(OverlapCountedOnce::problem(R::WithoutCompound, Nothing));
    }
    if body.has_rod_inertia && !is_capsule {
        tell(RodInertia::problem(R::WithoutCapsule, Nothing));
    }
    if !is_dynamic {
        if let Some(inertia) = body.inertia {
            tell(Inertia::problem(R::OnHeldBody, inertia.principal));
        }
        if body.has_locked_rotation {
            tell(LockedRotation::problem(R::OnHeldBody, Nothing));
        }
        report_other_than(Vec3::ZERO, body.force.as_deref(), R::OnHeldBody, tell);
        report_other_than(Vec3::ZERO, body.torque.as_deref(), R::OnHeldBody, tell);
    }
}

/// Reports the components of a part that count on its compound alone.
pub(super) fn report_on_part(body: &BodyDataItem, tell: &mut impl FnMut(InputProblem)) {
    report_other_than(Vec3::ZERO, body.velocity, R::OnPart, tell);
    report_other_than(Vec3::ZERO, body.angular_velocity, R::OnPart, tell);
    report_other_than(Vec3::ZERO, body.force.as_deref(), R::OnPart, tell);
    report_other_than(Vec3::ZERO, body.torque.as_deref(), R::OnPart, tell);
    if body.growth.is_some() {
        tell(Growth::problem(R::OnPart, Nothing));
    }
    if body.division.is_some() {
        tell(Division::problem(R::OnPart, Nothing));
    }
    if body.has_rod_inertia {
        tell(RodInertia::problem(R::OnPart, Nothing));
    }
    if let Some(inertia) = body.inertia {
        tell(Inertia::problem(R::OnPart, inertia.principal));
    }
    if body.has_locked_rotation {
        tell(LockedRotation::problem(R::OnPart, Nothing));
    }
}

/// Reports the components of a compound that count on its parts alone.
pub(super) fn report_on_compound(body: &BodyDataItem, tell: &mut impl FnMut(InputProblem)) {
    if body.is_sensor {
        tell(Sensor::problem(R::OnCompound, Nothing));
    }
    if body.has_hooks {
        tell(CollisionHooks::problem(R::OnCompound, Nothing));
    }
    if body.layers.is_some() {
        tell(CollisionLayers::problem(R::OnCompound, Nothing));
    }
    if let Some(restitution) = body.restitution {
        tell(Restitution::problem(R::OnCompound, restitution.0));
    }
    if let Some(friction) = body.friction {
        tell(Friction::problem(R::OnCompound, friction.0));
    }
    if let Some(friction) = body.rolling_friction {
        tell(RollingFriction::problem(R::OnCompound, friction.0));
    }
    if let Some(friction) = body.spinning_friction {
        tell(SpinningFriction::problem(R::OnCompound, friction.0));
    }
    if let Some(density) = body.density {
        tell(Density::problem(R::OnCompound, density.0));
    }
}

/// Reports a component without effect, unless its value would have no effect anywhere.
fn report_other_than<C: Check + Deref<Target: Value + PartialEq>>(
    harmless: C::Target,
    component: Option<&C>,
    reason: R,
    tell: &mut impl FnMut(InputProblem),
) {
    if let Some(component) = component.filter(|component| ***component != harmless) {
        tell(C::problem(reason, **component));
    }
}

/// The components that need a shape, in groups: a tuple has room for fifteen.
macro_rules! components_of_bodies {
    ($(($($has:ident: $component:ident,)*))*) => {
        type OfBodies = ($(($(Has<$component>,)*),)*);
        type AnyOfBodies = Or<($(Or<($(With<$component>,)*)>,)*)>;

        /// The problem of the first component that an entity without a shape has.
        fn problem_of(($(($($has,)*),)*): ROQueryItem<OfBodies>) -> Option<InputProblem> {
            $($(if $has {
                return Some($component::problem(R::WithoutShape, Nothing));
            })*)*
            None
        }
    };
}
components_of_bodies! {
    (body: RigidBody, density: Density, mass: Mass,)
    (bounce: Restitution, friction: Friction, rolling: RollingFriction, spinning: SpinningFriction,)
    (force: ExternalForce, torque: ExternalTorque,)
    (moved: MovedByTransform, belt: SurfaceVelocity, pivot: Pivot,)
    (sensor: Sensor, hooks: CollisionHooks, awake: SleepingDisabled,)
    (drag: LinearDamping, spin_drag: AngularDamping, locked: LockedRotation, inertia: Inertia,)
    (growth: Growth, division: Division, rod: RodInertia,)
}

/// An entity that was never a ball or a capsule. A user who takes the shape away from a body does so on purpose.
type NeverRound = (
    Without<InWorld>,
    Without<Particle>,
    Without<Plane>,
    Without<Capsule>,
    Without<Collider>,
    Without<Acceleration>,
);

/// Reports entities that have components of a body, but no shape.
pub(crate) fn report_shapeless(
    shapeless: Query<(Entity, OfBodies), (AnyOfBodies, NeverRound)>,
    mut reporter: Reporter,
) {
    for (entity, has) in &shapeless {
        if let Some(problem) = problem_of(has) {
            reporter.report(entity, problem);
        }
    }
}
