//! The impulses of a substep, summed for each body in f64.

use bevy::prelude::*;
use glam::{DVec3, DVec4};

use super::{pose::SolverPose, view::ContactPoint};

/// Sums of the impulses on a body and of the angular impulses about its centre. A contact with the ground adds the flight shift × impulse,
/// which [`Self::about`] takes off again. The fourth component of `angular` counts the contact points that press.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct ImpulseAccumulator {
    linear: DVec4,
    angular: DVec4,
}

impl ImpulseAccumulator {
    /// The sum of the impulses in N·s, and of the angular impulses in N·m·s about the start of its flight, which lies at `shift`
    /// relative to the centre.
    ///
    /// The integration moves a body from the start of its flight. Between two free bodies, the arms of a contact start at these
    /// starts, so angular momentum is conserved. The arm of a contact with the ground starts at the body's centre.
    pub fn about(&self, shift: Vec3) -> (DVec3, DVec3) {
        let linear = self.linear.truncate();
        let angular = self.angular.truncate();
        (linear, angular - shift.as_dvec3().cross(linear))
    }

    /// The number of contact points that press on the body.
    pub fn contacts(&self) -> f64 {
        self.angular.w
    }

    /// Multiplies the sums by a fraction. A fraction of zero removes sums that are not finite, too.
    pub fn scale(&mut self, fraction: f64) {
        let of = |sum: DVec3| {
            if fraction > 0.0 {
                sum * fraction
            } else {
                DVec3::ZERO
            }
        };
        self.linear = of(self.linear.truncate()).extend(self.linear.w);
        self.angular = of(self.angular.truncate()).extend(self.angular.w);
    }

    /// Adds an impulse and an angular impulse.
    #[inline(always)]
    pub fn add(&mut self, linear: DVec4, angular: DVec4) {
        self.linear += linear;
        self.angular += angular;
    }
}

/// Adds the impulse and the couple of a contact point to its bodies' `sums`.
pub(super) fn accumulate(
    contact: &ContactPoint,
    poses: &[SolverPose],
    sums: &mut [ImpulseAccumulator],
) {
    let point = contact.point(poses).point.as_dvec3();
    let (impulse, couple) = (contact.impulse().as_dvec3(), contact.couple.as_dvec3());
    let bodies = [
        (contact.a, contact.slots.0, 1.0),
        (contact.b, contact.slots.1, -1.0),
    ];
    for (body, slot, sign) in bodies.into_iter().filter(|&(_, slot, _)| slot != 0) {
        let pose = &poses[body as usize];
        let mut arm = point - pose.position();
        if contact.is_on_ground() {
            arm += pose.flight_shift();
        }
        let impulse = sign * impulse;
        let angular = arm.cross(impulse) + sign * couple;
        let presses = if contact.normal_impulse > 0.0 {
            1.0
        } else {
            0.0
        };
        sums[slot as usize].add(impulse.extend(0.0), angular.extend(presses));
    }
}
