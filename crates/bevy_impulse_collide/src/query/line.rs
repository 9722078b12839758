//! Where a line enters balls, capsules and half-spaces, in closed form.

use glam::DVec3;

/// Square of the sine of the angle between a line and an axis up to which they are parallel: above the rounding of `f64`.
const PARALLEL: f64 = 1e-20;

/// A line from an origin along a unit vector, in metres. In f64, so that far hits are exact too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub origin: DVec3,
    pub direction: DVec3,
}

impl Line {
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// The distance at which the line enters the ball of a `radius`, if its centre is ahead: |o + s·d|² = r². Below zero, the line
    /// starts inside.
    pub fn enters_ball(&self, centre: DVec3, radius: f64) -> Option<f64> {
        let from_centre = self.origin - centre;
        let along = -from_centre.dot(self.direction);
        if along <= 0.0 {
            return None;
        }
        // Not |o|² − (o·d)²: far from the ball, this difference would lose all digits.
        let miss = (from_centre + self.direction * along).length_squared();
        let chord = radius * radius - miss;
        (chord >= 0.0).then(|| along - chord.sqrt())
    }

    /// The distance at which a line that starts outside enters the capsule of a `radius` about the segment from `centre` − `half`
    /// to `centre` + `half`: through its side, or through an end.
    pub fn enters_capsule(&self, centre: DVec3, half: DVec3, radius: f64) -> Option<f64> {
        if let Some(side) = self.enters_side(centre, half, radius) {
            return Some(side);
        }
        let ends = [centre - half, centre + half];
        let entries = ends.map(|end| self.enters_ball(end, radius).filter(|&entry| entry >= 0.0));
        entries.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// The quadratic of a ball, in the plane across the axis.
    fn enters_side(&self, centre: DVec3, half: DVec3, radius: f64) -> Option<f64> {
        let length = half.length();
        let axis = half.try_normalize()?;
        let from_centre = self.origin - centre;
        let across = |v: DVec3| v - axis * axis.dot(v);
        let (o, d) = (across(from_centre), across(self.direction));
        let speed = d.length_squared();
        if speed < PARALLEL {
            return None;
        }
        let along = -o.dot(d) / speed;
        let chord = radius * radius - (o + d * along).length_squared();
        if chord < 0.0 {
            return None;
        }
        let entry = along - (chord / speed).sqrt();
        let height = (from_centre + self.direction * entry).dot(axis);
        (entry >= 0.0 && height.abs() <= length).then_some(entry)
    }
}

/// The point of the segment from `centre` − `half` to `centre` + `half` that is nearest to `x`.
pub(super) fn nearest_on_segment(x: DVec3, centre: DVec3, half: DVec3) -> DVec3 {
    let length = half.length_squared();
    if length == 0.0 {
        return centre;
    }
    centre + half * ((x - centre).dot(half) / length).clamp(-1.0, 1.0)
}
