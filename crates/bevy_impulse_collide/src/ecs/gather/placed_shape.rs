//! The checked shape of one body, and its place.

use bevy::{ecs::query::ROQueryItem, prelude::*};

use crate::{
    components::{Capsule, Collider, Compound, Particle, Plane},
    ecs::{
        bad_input::{Check, Checked},
        compounds::Whole,
    },
    kernel::unit,
    messages::{InputProblem, ProblemReason as R, ProblemValue::Nothing},
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
type ShapeItem<'w, 's> = ROQueryItem<'w, 's, ShapeData>;

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
    /// Checks the components. The surface of a collider is relative to `centre`, a point of its own frame in world measures. In a
    /// flat world, the normal of a half-space lies in the plane.
    pub fn new(
        components: ShapeItem,
        transform: &Transform,
        (centre, flat): (Vec3, bool),
        tell: &mut impl FnMut(InputProblem),
    ) -> Checked<Self> {
        let (position, scale) = (transform.translation, transform.scale);
        Transform::check_field("translation", R::NotFinite, position)?;
        let rotation = Transform::check_field("rotation", R::NoRotation, transform.rotation)?;
        let rotation = unit(rotation);
        let mut geometry = SharedGeometry::NONE;
        let (shape, local_axis) = match components {
            (Some(particle), None, None, None) => {
                let scale = Transform::check_field("scale", R::UnevenScale, scale)?.x;
                let radius = particle.radius * scale;
                Particle::check_field("radius", R::NotPositive, radius)?;
                (Shape::Particle { radius }, Vec3::Y)
            }
            (None, Some(plane), None, None) => {
                let normal = Plane::check_field("normal", R::NoDirection, plane.normal)?;
                let normal = normal.normalize();
                if flat {
                    Plane::check_field("normal", R::OutOfPlane, rotation * normal)?;
                }
                (Shape::Plane, normal)
            }
            (None, None, None, Some(collider)) => {
                geometry = checked_collider(collider, (scale, -centre), tell)?;
                (Shape::Collider, Vec3::Y)
            }
            (None, None, Some(capsule), None) => {
                let scale = Transform::check_field("scale", R::UnevenScale, scale)?.x;
                let (radius, length) = (capsule.radius * scale, capsule.length * scale);
                Capsule::check_field("radius", R::NotPositive, radius)?;
                Capsule::check_field("length", R::Negative, length)?;
                let half_length = 0.5 * length;
                let shape = Shape::Capsule {
                    radius,
                    half_length,
                };
                (shape, Vec3::Y)
            }
            (Some(_), ..) => return Err(Particle::problem(R::SeveralShapes, Nothing)),
            (_, Some(_), ..) => return Err(Plane::problem(R::SeveralShapes, Nothing)),
            (None, None, None, None) => {
                return Err(Compound::problem(R::WithoutParts, Nothing));
            }
            _ => return Err(Capsule::problem(R::SeveralShapes, Nothing)),
        };
        Ok(Self {
            shape,
            geometry,
            position,
            rotation,
            local_axis,
        })
    }

    /// The same for a compound.
    pub fn of_compound(whole: &Whole, transform: &Transform) -> Checked<Self> {
        let position = transform.translation;
        Transform::check_field("translation", R::NotFinite, position)?;
        let rotation = Transform::check_field("rotation", R::NoRotation, transform.rotation)?;
        Transform::check_field("scale", R::UnevenScale, transform.scale)?;
        let radius = whole.radius;
        Ok(Self {
            shape: Shape::Compound { radius },
            geometry: SharedGeometry::NONE,
            position,
            rotation: unit(rotation),
            local_axis: Vec3::Y,
        })
    }

    /// Unit vector along a capsule, or out of a plane.
    pub fn axis(&self) -> Vec3 {
        self.shape.axis_at(self.rotation, self.local_axis)
    }
}

/// The surface of a collider with this scale, and then shifted. Problems of its data are reported.
fn checked_collider(
    collider: &Collider,
    (scale, shift): (Vec3, Vec3),
    tell: &mut impl FnMut(InputProblem),
) -> Checked<SharedGeometry> {
    let mut tell = |problem| tell(unusable(problem));
    if let Err(problem) = Transform::check_field("scale", R::NoScale, scale) {
        collider.problems().iter().copied().for_each(tell);
        return Err(problem);
    }
    let (geometry, problems) = collider.scaled(scale, shift);
    problems.into_iter().for_each(&mut tell);
    match geometry {
        Some(geometry) => Ok(SharedGeometry(Some(geometry))),
        None => Err(unusable(ColliderProblem::Empty)),
    }
}

fn unusable(problem: ColliderProblem) -> InputProblem {
    Collider::problem(R::UnusableData, problem)
}
