//! The motion of an island as a whole.

use glam::DVec3;

use crate::body::{Accelerations, Bodies};

/// Part of the speed that a steady acceleration would have given, from which an island counts as accelerated. The acceleration of one
/// step alone is noise in a heap.
const EVIDENCE: f64 = 0.5;

/// How the bodies of an island move together. The impulses between them cancel in it, and so does the noise of a heap.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drift {
    momentum: DVec3,
    /// In N.
    force: DVec3,
    mass: f64,
    /// The least time in s for which one of its bodies has been quiet.
    quiet_for: f32,
}

impl Drift {
    /// Adds a body.
    pub fn add(&mut self, bodies: &Bodies, i: usize) {
        let mass = f64::from(bodies.mass[i]);
        let quiet_for = bodies.quiet_for[i];
        self.quiet_for = match self.mass {
            0.0 => quiet_for,
            _ => self.quiet_for.min(quiet_for),
        };
        self.momentum += bodies.velocity[i] * mass;
        self.force += Accelerations::of(bodies, i).linear.as_dvec3() * mass;
        self.mass += mass;
    }

    /// Whether the bodies, which have been quiet for a while, will together be faster than `speed` in m/s within `horizon` seconds.
    pub fn leads_on(&self, speed: f32, horizon: f32) -> bool {
        if self.mass == 0.0 || self.quiet_for >= horizon {
            return false;
        }
        let (v, a) = (self.momentum / self.mass, self.force / self.mass);
        let least = EVIDENCE * f64::from(speed * self.quiet_for / horizon);
        let later = v + a * f64::from(horizon);
        later.length() >= f64::from(speed) && v.length() >= least
    }
}
