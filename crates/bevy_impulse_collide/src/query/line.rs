//! Where a line enters balls, capsules, half-spaces and grown parallelograms, in closed form.

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

    /// The distance at which a line that starts outside enters the body of all points nearer than `radius` to the parallelogram
    /// `centre` ± `one` ± `other`: through a face, or through the capsule about a side.
    pub fn enters_parallelogram(
        &self,
        centre: DVec3,
        (one, other): (DVec3, DVec3),
        radius: f64,
    ) -> Option<f64> {
        let sides = [(one, other), (-one, other), (other, one), (-other, one)];
        let of_sides = sides.map(|(apart, half)| self.enters_capsule(centre + apart, half, radius));
        let entries = of_sides
            .into_iter()
            .chain([self.enters_face(centre, (one, other), radius)]);
        entries.flatten().min_by(f64::total_cmp)
    }

    /// The plane in front of the parallelogram, at the distance `radius`.
    fn enters_face(&self, centre: DVec3, (one, other): (DVec3, DVec3), radius: f64) -> Option<f64> {
        let normal = one.cross(other).try_normalize()?;
        let height = normal.dot(self.origin - centre);
        let closing = -height.signum() * normal.dot(self.direction);
        let entry = (height.abs() - radius) / closing;
        let (u, v) = in_parallelogram(self.at(entry) - centre, one, other)?;
        (closing > 0.0 && entry >= 0.0 && u.abs() <= 1.0 && v.abs() <= 1.0).then_some(entry)
    }

    /// The distance at which a line enters the half-space that is `gap` from its origin.
    pub fn enters_half_space(&self, gap: f64, normal: DVec3) -> Option<f64> {
        let closing = -normal.dot(self.direction);
        (closing > 0.0).then(|| gap / closing)
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

/// The point `centre` + u·`one` + v·`other`, −1 ≤ u, v ≤ 1, that is nearest to `x`: its u and v.
pub(super) fn nearest_in_parallelogram(
    x: DVec3,
    centre: DVec3,
    (one, other): (DVec3, DVec3),
) -> (f64, f64) {
    let x = x - centre;
    if let Some((u, v)) = in_parallelogram(x, one, other)
        && u.abs() <= 1.0
        && v.abs() <= 1.0
    {
        return (u, v);
    }
    let along = |apart: DVec3, half: DVec3| {
        let t = (x - apart).dot(half) / half.length_squared();
        // A side without a length has no direction.
        if t.is_nan() { 0.0 } else { t.clamp(-1.0, 1.0) }
    };
    let on_sides = [-1.0, 1.0].into_iter().flat_map(|side| {
        [
            (side, along(one * side, other)),
            (along(other * side, one), side),
        ]
    });
    let miss = |&(u, v): &(f64, f64)| (x - one * u - other * v).length_squared();
    let nearest = on_sides.min_by(|a, b| miss(a).total_cmp(&miss(b)));
    nearest.unwrap_or_default()
}

/// The coordinates u and v of the foot of a point on the plane u·`one` + v·`other`, if the two are not parallel.
fn in_parallelogram(x: DVec3, one: DVec3, other: DVec3) -> Option<(f64, f64)> {
    let normal = one.cross(other);
    let area = normal.length_squared();
    let is_flat = area <= PARALLEL * one.length_squared() * other.length_squared();
    (!is_flat).then(|| {
        (
            x.cross(other).dot(normal) / area,
            one.cross(x).dot(normal) / area,
        )
    })
}
