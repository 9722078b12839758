//! Components that have no effect where they are.

use bevy::prelude::*;

use super::body_data::BodyDataItem;
use crate::{
    components::{
        AngularDamping, Capsule, Collider, CollisionHooks, Density, Division, ExternalForce,
        ExternalTorque, Friction, Growth, Inertia, LinearDamping, LockedRotation, Mass,
        MovedByTransform, Particle, Pivot, Plane, Restitution, RigidBody, RodInertia,
        RollingFriction, Sensor, SleepingDisabled, SpinningFriction, SurfaceVelocity,
    },
    ecs::bad_input::Reports,
    messages::{BadInput, InputProblem},
    shape::Shape,
};

/// Reports the components of a body that have no effect on it. Mass, density, damping and gravity scale may stay on a static or
/// kinematic body: they count again when the body becomes dynamic.
pub(super) fn report_meaningless(
    body: &BodyDataItem,
    shape: &Shape,
    kind: RigidBody,
    mut tell: impl FnMut(InputProblem),
) {
    if !shape.is_round() {
        let mass = body.mass.map(|mass| mass.0);
        let density = body.density.map(|density| density.0);
        let of_plane = [
            (density, 0.0, InputProblem::DensityOfPlane as fn(f32) -> _),
            // A density brings a mass along.
            (
                mass.filter(|_| density.is_none()),
                0.0,
                InputProblem::MassOfPlane,
            ),
            (
                body.gravity_scale.map(|scale| scale.0),
                1.0,
                InputProblem::GravityScaleOfPlane,
            ),
            (
                body.linear_damping.map(|damping| damping.0),
                0.0,
                InputProblem::LinearDampingOfPlane,
            ),
            (
                body.angular_damping.map(|damping| damping.0),
                0.0,
                InputProblem::AngularDampingOfPlane,
            ),
        ];
        for (value, harmless, problem) in of_plane {
            if let Some(value) = value.filter(|&value| value != harmless) {
                tell(problem(value));
            }
        }
    }
    if !shape.is_capsule() {
        if let Some(growth) = body.growth {
            tell(InputProblem::GrowthWithoutCapsule(growth.rate));
        }
        if let Some(division) = body.division {
            tell(InputProblem::DivisionWithoutCapsule(division.length));
        }
        if body.has_rod_inertia {
            tell(InputProblem::RodInertiaWithoutCapsule);
        }
    } else if !kind.is_dynamic() {
        if let Some(growth) = body.growth.filter(|growth| growth.rate != 0.0) {
            tell(InputProblem::GrowthOfHeldBody(growth.rate));
        }
        if let Some(division) = body.division {
            tell(InputProblem::DivisionOfHeldBody(division.length));
        }
    }
    if !kind.is_dynamic() {
        if let Some(inertia) = body.inertia {
            tell(InputProblem::InertiaOfHeldBody(inertia.principal));
        }
        if body.has_locked_rotation {
            tell(InputProblem::LockedRotationOfHeldBody);
        }
        if let Some(force) = body.force.as_ref().filter(|force| force.0 != Vec3::ZERO) {
            tell(InputProblem::ExternalForceOnHeldBody(force.0));
        }
        if let Some(torque) = body.torque.as_ref().filter(|torque| torque.0 != Vec3::ZERO) {
            tell(InputProblem::ExternalTorqueOnHeldBody(torque.0));
        }
    }
}

/// The components that need a shape.
type OfBodies = (
    (Has<RigidBody>, Has<Mass>, Has<Density>),
    (
        Has<Restitution>,
        Has<Friction>,
        Has<RollingFriction>,
        Has<SpinningFriction>,
    ),
    (Has<ExternalForce>, Has<ExternalTorque>),
    (Has<MovedByTransform>, Has<SurfaceVelocity>, Has<Pivot>),
    (Has<Sensor>, Has<CollisionHooks>, Has<SleepingDisabled>),
    (
        Has<LinearDamping>,
        Has<AngularDamping>,
        Has<LockedRotation>,
        Has<Inertia>,
    ),
    (Has<Growth>, Has<Division>, Has<RodInertia>),
);

type AnyOfBodies = Or<(
    Or<(With<RigidBody>, With<Mass>, With<Density>)>,
    Or<(
        With<Restitution>,
        With<Friction>,
        With<RollingFriction>,
        With<SpinningFriction>,
    )>,
    Or<(With<ExternalForce>, With<ExternalTorque>)>,
    Or<(With<MovedByTransform>, With<SurfaceVelocity>, With<Pivot>)>,
    Or<(With<Sensor>, With<CollisionHooks>, With<SleepingDisabled>)>,
    Or<(With<LinearDamping>, With<AngularDamping>)>,
    Or<(With<Growth>, With<Division>, With<RodInertia>)>,
    Or<(With<Inertia>, With<LockedRotation>)>,
)>;

/// An entity that was never a ball or a capsule. A user who takes the shape away from a body does so on purpose.
type NeverRound = (
    Without<Particle>,
    Without<Plane>,
    Without<Capsule>,
    Without<Collider>,
    Without<crate::components::Acceleration>,
);

/// Reports entities that have components of a body, but no shape.
pub(crate) fn report_shapeless(
    shapeless: Query<(Entity, OfBodies), (AnyOfBodies, NeverRound)>,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
    names: Query<NameOrEntity>,
) {
    for (entity, (matter, material, forces, surface, senses, damping, growth)) in &shapeless {
        let has = [
            (matter.0, "RigidBody"),
            (matter.2, "Density"),
            (matter.1, "Mass"),
            (material.0, "Restitution"),
            (material.1, "Friction"),
            (material.2, "RollingFriction"),
            (material.3, "SpinningFriction"),
            (forces.0, "ExternalForce"),
            (forces.1, "ExternalTorque"),
            (surface.0, "MovedByTransform"),
            (surface.1, "SurfaceVelocity"),
            (surface.2, "Pivot"),
            (senses.0, "Sensor"),
            (senses.1, "CollisionHooks"),
            (senses.2, "SleepingDisabled"),
            (damping.0, "LinearDamping"),
            (damping.1, "AngularDamping"),
            (damping.2, "LockedRotation"),
            (damping.3, "Inertia"),
            (growth.0, "Growth"),
            (growth.1, "Division"),
            (growth.2, "RodInertia"),
        ];
        if let Some((_, component)) = has.into_iter().find(|(has, _)| *has) {
            let problem = InputProblem::NoShape(component);
            reports.report(entity, problem, &names, &mut messages);
        }
    }
}
