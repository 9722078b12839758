//! What the gizmos read of a body.

use bevy::{ecs::query::QueryData, prelude::*};

use crate::components::{Capsule, Collider, Particle, Plane, RigidBody, Sensor, Sleep};

/// Query filter: a body of any shape.
pub(super) type IsBody = Or<(With<Particle>, With<Capsule>, With<Plane>, With<Collider>)>;

/// The components of a body that is drawn. The transform may be smoothed between two steps.
#[derive(QueryData)]
pub(super) struct DrawnBody {
    pub entity: Entity,
    place: Place,
    kind: Option<&'static RigidBody>,
    sleep: Option<&'static Sleep>,
    particle: Option<&'static Particle>,
    capsule: Option<&'static Capsule>,
    plane: Option<&'static Plane>,
    collider: Option<&'static Collider>,
    pub is_sensor: Has<Sensor>,
}

/// The components that say where a body is drawn.
#[derive(QueryData)]
pub(super) struct Place {
    local: &'static Transform,
    global: Option<&'static GlobalTransform>,
    is_child: Has<ChildOf>,
}

impl PlaceItem<'_, '_> {
    /// In the world.
    pub fn get(&self) -> Transform {
        match self.global {
            Some(global) if self.is_child => global.compute_transform(),
            _ => *self.local,
        }
    }
}

/// A body's shape in its own frame, in world measures.
pub(super) enum DrawnShape<'a> {
    Ball(Sphere),
    Capsule(Capsule3d),
    /// With its normal, of any length.
    Plane(Vec3),
    /// Before the scale.
    Collider(&'a Collider),
}

impl DrawnBodyItem<'_, '_> {
    pub fn kind(&self) -> RigidBody {
        // A body that has not been gathered yet may lack it.
        self.kind.copied().unwrap_or_default()
    }

    pub fn is_asleep(&self) -> bool {
        self.sleep.is_some_and(Sleep::is_asleep)
    }

    pub fn place(&self) -> Transform {
        self.place.get()
    }

    pub fn isometry(&self) -> Isometry3d {
        self.place().to_isometry()
    }

    pub fn shape(&self) -> Option<DrawnShape<'_>> {
        // Round bodies are scaled uniformly, so any axis will do.
        let scale = self.place().scale.x.abs();
        if let Some(particle) = self.particle {
            Some(DrawnShape::Ball(Sphere::new(particle.radius * scale)))
        } else if let Some(capsule) = self.capsule {
            let (radius, length) = (capsule.radius * scale, capsule.length * scale);
            Some(DrawnShape::Capsule(Capsule3d::new(radius, length)))
        } else if let Some(plane) = self.plane {
            Some(DrawnShape::Plane(plane.normal))
        } else {
            self.collider.map(DrawnShape::Collider)
        }
    }

    /// Radius in m of a ball or a capsule.
    pub fn radius(&self) -> Option<f32> {
        match self.shape()? {
            DrawnShape::Ball(ball) => Some(ball.radius),
            DrawnShape::Capsule(capsule) => Some(capsule.radius),
            DrawnShape::Plane(_) | DrawnShape::Collider(_) => None,
        }
    }
}
