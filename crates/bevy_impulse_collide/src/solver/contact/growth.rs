//! The growth of capsules as a degree of freedom of the contact problem.

use super::row::Rows;
use crate::body::Bodies;

/// Lets every capsule that grows set out to grow at its rate.
pub(super) fn drive_growth(bodies: &mut Bodies) {
    bodies.for_each_run(|_, run| {
        for growth in run.growth.iter_mut() {
            // Most worlds do not grow: they are read, not written.
            if growth.speed != growth.rate {
                growth.speed = growth.rate;
            }
        }
    });
}

/// Changes the growth speeds by what the rows' impulses have done to them: ΔL̇ = ⟨P, â⟩·s/(L·G).
pub(super) fn slow_growth(bodies: &mut Bodies, rows: &Rows) {
    for row in &rows.rows {
        for (i, sign) in [(row.a as usize, 1.0), (row.b as usize, -1.0)] {
            let ease = bodies.growth[i].inverse_inertia;
            if ease > 0.0 {
                let stretch = bodies.stretch(i, row.point.point - bodies.position[i]);
                bodies.growth[i].speed += sign * stretch.dot(row.impulse()) * ease;
            }
        }
    }
}
