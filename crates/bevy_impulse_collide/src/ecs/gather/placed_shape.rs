//! The checked shape of one body, and its place.

use bevy::prelude::*;

use crate::{
    components::{Capsule, Collider, Particle, Plane},
    ecs::bad_input::checked_scale,
    flat::OUT_OF_PLANE,
    kernel::unit,
    messages::InputProblem,
    shape::{ColliderProblem, Shape, SharedGeometry},
};

/// The components that say which shape a body has.
pub(crate) type ShapeData = (
    Option<&'static Particle>,
    Option<&'static Plane>,
    Option<&'static Capsule>,
    Option<&'static Collider>,
);

/// The components of [`ShapeData`], as a query gives them.
pub(crate) type ShapeItem<'a> = (
    Option<&'a Particle>,
    Option<&'a Plane>,
    Option<&'a Capsule>,
    Option<&'a Collider>,
);

/// A shape in world measures, with its place.
pub(crate) struct PlacedShape {
    pub shape: Shape,
    pub geometry: SharedGeometry,
    pub position: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    pub local_axis: Vec3,
}

impl PlacedShape {
    /// Checks the components.
    pub fn new(
        entity: Entity,
        components: ShapeItem,
        transform: &Transform,
        report: &mut impl FnMut(Entity, InputProblem),
    ) -> Result<Self, InputProblem> {
        Self::about(entity, components, transform, Vec3::ZERO, report)
    }

    /// Checks the components. The surface of a collider is relative to `centre`, a point of its own frame in world measures.
    pub fn about(
        entity: Entity,
        components: ShapeItem,
        transform: &Transform,
        centre: Vec3,
        report: &mut impl FnMut(Entity, InputProblem),
    ) -> Result<Self, InputProblem> {
        if !transform.translation.is_finite() {
            return Err(InputProblem::Position(transform.translation));
        }
        if !transform.rotation.is_finite() || transform.rotation.length_squared() < 1e-6 {
            return Err(InputProblem::Rotation(transform.rotation));
        }
        let mut geometry = SharedGeometry::NONE;
        let (shape, local_axis) = match components {
            (Some(particle), None, None, None) => {
                let scale = checked_scale(transform.scale)?;
                let radius = positive(particle.radius * scale, InputProblem::Radius)?;
                (Shape::Particle { radius }, Vec3::Y)
            }
            (None, Some(plane), None, None) => {
                let normal = plane.normal.try_normalize();
                let normal = normal.ok_or(InputProblem::Normal(plane.normal))?;
                (Shape::Plane, normal)
            }
            (None, None, None, Some(collider)) => {
                geometry = checked_collider(entity, collider, (transform.scale, -centre), report)?;
                (Shape::Collider, Vec3::Y)
            }
            (None, None, Some(capsule), None) => {
                let scale = checked_scale(transform.scale)?;
                let radius = positive(capsule.radius * scale, InputProblem::Radius)?;
                let half_length = 0.5 * capsule.length * scale;
                if !(half_length.is_finite() && half_length >= 0.0) {
                    return Err(InputProblem::Length(capsule.length));
                }
                let shape = Shape::Capsule {
                    radius,
                    half_length,
                };
                (shape, Vec3::Y)
            }
            _ => return Err(InputProblem::SeveralShapes),
        };
        Ok(Self {
            shape,
            geometry,
            position: transform.translation,
            rotation: unit(transform.rotation),
            local_axis,
        })
    }

    /// In a flat world, the normal of a half-space lies in the plane.
    pub fn check_flat(&self) -> Result<(), InputProblem> {
        let axis = self.axis();
        match self.shape.is_plane() && axis.z.abs() > OUT_OF_PLANE {
            true => Err(InputProblem::NormalOutOfPlane(axis)),
            false => Ok(()),
        }
    }

    /// Unit vector along a capsule, or out of a plane.
    pub fn axis(&self) -> Vec3 {
        self.shape.axis_at(self.rotation, self.local_axis)
    }
}

/// The surface of a collider with this scale, and then shifted. Problems of its data are reported.
fn checked_collider(
    entity: Entity,
    collider: &Collider,
    (scale, shift): (Vec3, Vec3),
    report: &mut impl FnMut(Entity, InputProblem),
) -> Result<SharedGeometry, InputProblem> {
    if !(scale.is_finite() && scale.abs().min_element() > 0.0) {
        for &problem in collider.problems() {
            report(entity, InputProblem::Collider(problem));
        }
        return Err(InputProblem::ColliderScale(scale));
    }
    let (geometry, problems) = collider.scaled(scale, shift);
    for &problem in &problems {
        report(entity, InputProblem::Collider(problem));
    }
    match geometry {
        Some(geometry) => Ok(SharedGeometry(Some(geometry))),
        None => Err(InputProblem::Collider(ColliderProblem::Empty)),
    }
}

pub(super) fn positive(value: f32, problem: fn(f32) -> InputProblem) -> Result<f32, InputProblem> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(problem(value))
    }
}
