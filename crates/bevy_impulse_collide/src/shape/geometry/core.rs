//! The core of a round body: the point or the segment within it, at the distance of its radius from its surface.

use glam::{DVec3, Quat, Vec3};

/// The core of a ball or a capsule in the frame of a collider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core {
    /// Centre. In f64, so that a wide floor is as exact far from its corners.
    pub x: DVec3,
    /// From the centre to an end; zero for a ball.
    pub half: Vec3,
    pub radius: f32,
}

impl Core {
    /// The core at `x` with `half`, in the frame of a collider that is at `origin` with `rotation`.
    pub fn in_frame(
        (x, half): (DVec3, Vec3),
        radius: f32,
        (origin, rotation): (Vec3, Quat),
    ) -> Self {
        let apart = x - origin.as_dvec3();
        if rotation == Quat::IDENTITY {
            return Self {
                x: apart,
                half,
                radius,
            };
        }
        let back = rotation.inverse();
        Self {
            x: back.as_dquat().normalize() * apart,
            half: back * half,
            radius,
        }
    }

    pub fn is_ball(&self) -> bool {
        self.half == Vec3::ZERO
    }

    /// The point of the core at `t`, from −1 at one end to 1 at the other.
    pub fn at(&self, t: f32) -> DVec3 {
        self.x + (self.half * t).as_dvec3()
    }

    /// The corners of the box that holds the body and everything nearer than `reach` to it.
    pub fn bounds(&self, reach: f32) -> (Vec3, Vec3) {
        let half = self.half.abs() + (self.radius + reach);
        let x = self.x.as_vec3();
        // The position is rounded.
        let half = half + x.abs() * f32::EPSILON;
        (x - half, x + half)
    }
}
