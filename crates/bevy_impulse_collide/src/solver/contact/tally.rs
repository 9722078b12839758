//! What the impulses of a substep come to for each body, summed in f64.

use bevy::prelude::*;
use glam::{DVec3, DVec4};

use super::{general::General, place::Place, row::Row};
use crate::{body::Bodies, solver::partition::CellLayout};

/// Sum of the impulses on a body, and of the angular impulses about its centre: of those of contacts with what nothing moves, as
/// they would be if it were where its flight is launched from. The fourth numbers are nothing: four are added at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Sum {
    linear: DVec4,
    angular: DVec4,
}

impl Sum {
    /// Sums of the impulses, and of the angular impulses about where the body's flight is `launch`ed from, as seen from its centre.
    ///
    /// Two free bodies see a contact from where they launch, as the integration will have it, which after an impact is not where
    /// they are: so their angular momentum stays. A contact with the ground goes with the body.
    pub fn about(&self, launch: Vec3) -> (DVec3, DVec3) {
        let linear = self.linear.truncate();
        let angular = self.angular.truncate();
        (linear, angular - launch.as_dvec3().cross(linear))
    }

    /// Adds an impulse and an angular impulse.
    #[inline(always)]
    pub fn add(&mut self, linear: DVec4, angular: DVec4) {
        self.linear += linear;
        self.angular += angular;
    }
}

/// Where the impulses of a part are summed.
pub(super) struct Tally<'a> {
    bodies: &'a Bodies,
    layout: &'a CellLayout,
    pub places: &'a [Place],
    /// The number of the first of the bodies' places that `sums` has.
    first: usize,
    pub sums: &'a mut [Sum],
}

impl<'a> Tally<'a> {
    pub fn new(
        bodies: &'a Bodies,
        layout: &'a CellLayout,
        places: &'a [Place],
        first: usize,
        sums: &'a mut [Sum],
    ) -> Self {
        Self {
            bodies,
            layout,
            places,
            first,
            sums,
        }
    }

    /// Adds what a row gives.
    pub fn push_row(&mut self, row: &Row, general: &General) {
        let of = (row.a, row.b);
        self.push(of, row.point.point, row.impulse(), general.couple);
    }

    /// Adds the impulse on `a` and the couple of a contact at `point`, and what `b` gets back.
    pub fn push(&mut self, (a, b): (u32, u32), point: Vec3, impulse: Vec3, couple: Vec3) {
        let (point, impulse, couple) = (point.as_dvec3(), impulse.as_dvec3(), couple.as_dvec3());
        let is_free = |i: u32| self.bodies.is_free(i as usize);
        let on_ground = !(is_free(a) && is_free(b));
        for (i, sign) in [(a, 1.0), (b, -1.0)] {
            if !is_free(i) {
                continue;
            }
            let place = &self.places[i as usize];
            let mut arm = point - place.position();
            if on_ground {
                arm += place.launch();
            }
            let impulse = sign * impulse;
            let angular = arm.cross(impulse) + sign * couple;
            let sum = &mut self.sums[self.layout.solver_index(i as usize) - self.first];
            sum.add(impulse.extend(0.0), angular.extend(0.0));
        }
    }
}
