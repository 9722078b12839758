//! The overlay's data of a body of any shape.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_impulse_collide::prelude::*;

/// Query filter: any of the four shapes, or a body made of some.
pub(crate) type IsBody = Or<(
    With<Particle>,
    With<Capsule>,
    With<Plane>,
    With<Collider>,
    With<Compound>,
)>;

#[derive(QueryData)]
pub(crate) struct Body {
    pub entity: Entity,
    pub name: Option<&'static Name>,
    pub transform: &'static GlobalTransform,
    particle: Option<&'static Particle>,
    capsule: Option<&'static Capsule>,
    plane: Option<&'static Plane>,
    collider: Option<&'static Collider>,
    is_compound: Has<Compound>,
}

/// A body's shape where it is drawn, in world coordinates and with the scale in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    Ball {
        centre: Vec3,
        radius: f32,
    },
    Capsule {
        centre: Vec3,
        /// From the centre to the centre of the upper half-ball.
        half_axis: Vec3,
        radius: f32,
    },
    Plane {
        point: Vec3,
        normal: Dir3,
    },
    Collider {
        collider: &'a Collider,
        place: &'a GlobalTransform,
    },
}

impl BodyItem<'_, '_> {
    pub fn kind(&self) -> &'static str {
        if self.particle.is_some() {
            "Ball"
        } else if self.capsule.is_some() {
            "Capsule"
        } else if self.plane.is_some() {
            "Plane"
        } else if self.is_compound {
            "Compound"
        } else {
            "Collider"
        }
    }

    /// The name, if it has one, else its kind and entity id.
    pub fn label(&self) -> String {
        match self.name {
            Some(name) => format!("{name}  ({})", self.entity),
            None => format!("{} {}", self.kind(), self.entity),
        }
    }

    /// A compound has none: its parts do.
    pub fn shape(&self) -> Option<Shape<'_>> {
        let (scale, rotation, centre) = self.transform.to_scale_rotation_translation();
        // Bodies are scaled uniformly, so any axis will do.
        let scale = scale.x.abs();
        if let Some(particle) = self.particle {
            Some(Shape::Ball {
                centre,
                radius: particle.radius * scale,
            })
        } else if let Some(capsule) = self.capsule {
            Some(Shape::Capsule {
                centre,
                half_axis: rotation * Vec3::Y * (0.5 * capsule.length * scale),
                radius: capsule.radius * scale,
            })
        } else if let Some(plane) = self.plane {
            Dir3::new(rotation * plane.normal)
                .ok()
                .map(|normal| Shape::Plane {
                    point: centre,
                    normal,
                })
        } else {
            let place = self.transform;
            self.collider
                .map(|collider| Shape::Collider { collider, place })
        }
    }
}
