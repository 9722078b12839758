//! The mass that balls and capsules which overlap have in common: what a sum over them counts more than once.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// Error of each integral, over the volume of all solids together: one over a line, and one over the lines.
const ERROR: f64 = 1e-7;

/// How often an interval may be cut in two.
const CUTS: u32 = 12;

/// Gauss and Legendre's nodes of order 14 on −1..1, and their weights.
const NODES: [(f64, f64); 7] = [
    (-0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
    (-0.741_531_185_599_394_4, 0.279_705_391_489_276_7),
    (-0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.0, 0.417_959_183_673_469_4),
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.741_531_185_599_394_4, 0.279_705_391_489_276_7),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
];

/// A ball or a capsule with the same density everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Solid {
    /// The ends of its core, in m: twice the centre of a ball.
    pub ends: [DVec3; 2],
    /// In m.
    pub radius: f64,
    /// In kg/m³.
    pub density: f64,
}

/// A mass in kg, ∫ρ·x in kg·m, and ∫ρ·x⊗x in kg·m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassMoments {
    pub mass: f64,
    pub first: DVec3,
    pub second: DMat3,
}

/// 1, x, y, z, x², y², z², xy, xz and yz, each integrated.
type Integrals = [f64; 10];

/// The mass of the solids' sum beyond that of their union, where the densest of the solids at a point counts.
///
/// Rays along the last axis meet each solid in one interval, so the integral along a ray is exact. What is left is an integral over a
/// plane: over the lines of one axis, and over the rays of a line. It is cut where a line or a ray begins to meet a solid, and from
/// there on by halves, until Gauss' rule finds the same for a piece and for its halves. There are no random numbers and no functions
/// beyond the square root: the bits are the same on every machine.
pub(crate) fn shared_mass(solids: &[Solid]) -> MassMoments {
    let Some(frame) = Frame::of(solids) else {
        return MassMoments::ZERO;
    };
    let scaled: Vec<Solid> = solids.iter().map(|solid| frame.scaled(solid)).collect();
    let volume: f64 = scaled.iter().map(Solid::volume).sum();
    let rays = Rays {
        solids: &scaled,
        error: ERROR * volume,
    };
    frame.unscaled(rays.integrate())
}

impl Solid {
    /// Between this and the volume of its cylinder and its ball; it is a measure alone.
    fn volume(&self) -> f64 {
        let length = self.ends[0].distance(self.ends[1]);
        self.density * self.radius * self.radius * (length + self.radius)
    }

    /// From where to where it is along the first axis.
    fn extent(&self) -> Interval {
        let [a, b] = self.ends.map(|end| end.x);
        Some((a.min(b) - self.radius, a.max(b) + self.radius))
    }

    /// From where to where along the second axis rays meet it, on the line at x.
    fn width_at(&self, x: f64) -> Interval {
        let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
        let [from, to] = self.ends.map(flat);
        self.chord(from, to, DVec3::new(x, 0.0, 0.0), DVec3::Y)
    }

    /// From where to where a ray is in it.
    fn chord_at(&self, x: f64, y: f64) -> Interval {
        let [from, to] = self.ends;
        self.chord(from, to, DVec3::new(x, y, 0.0), DVec3::Z)
    }

    /// From where to where the line o + t·d is not further than a radius from the core. The solid is convex: its ball at each end and
    /// its cylinder are met in a row.
    fn chord(&self, from: DVec3, to: DVec3, origin: DVec3, line: DVec3) -> Interval {
        let ball = |centre: DVec3| {
            let arm = centre - origin;
            let middle = arm.dot(line);
            let across = arm - line * middle;
            let square = self.radius * self.radius - across.length_squared();
            let half = (square > 0.0).then(|| square.sqrt())?;
            Some((middle - half, middle + half))
        };
        let both = hull(ball(from), ball(to));
        let core = to - from;
        let length = core.length();
        if length == 0.0 {
            return both;
        }
        let axis = core / length;
        hull(both, self.cylinder_chord(origin - from, line, axis, length))
    }

    /// From where to where a line is in the cylinder of this length along an axis from zero.
    fn cylinder_chord(&self, origin: DVec3, line: DVec3, axis: DVec3, length: f64) -> Interval {
        let (along, slope) = (origin.dot(axis), line.dot(axis));
        // |o + t·d|² − ((o + t·d)·axis)² = r²
        let a = 1.0 - slope * slope;
        // A line along the axis is met by the balls.
        if a < 1e-12 {
            return None;
        }
        let half_b = origin.dot(line) - along * slope;
        let c = origin.length_squared() - along * along - self.radius * self.radius;
        let square = half_b * half_b - a * c;
        let root = (square > 0.0).then(|| square.sqrt())?;
        let (mut low, mut high) = ((-half_b - root) / a, (-half_b + root) / a);
        if slope == 0.0 {
            return (0.0..=length).contains(&along).then_some((low, high));
        }
        let (one, other) = (-along / slope, (length - along) / slope);
        low = low.max(one.min(other));
        high = high.min(one.max(other));
        (low < high).then_some((low, high))
    }
}

/// From where to where; nothing.
type Interval = Option<(f64, f64)>;

/// Both intervals, which touch.
fn hull(one: Interval, other: Interval) -> Interval {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}

/// Axes in which the solids lie within one unit, along the first axis most of all.
struct Frame {
    centre: DVec3,
    size: f64,
    density: f64,
    /// The first axis is the one after this of x, y and z.
    turns: usize,
}

impl Frame {
    fn of(solids: &[Solid]) -> Option<Self> {
        let reach = |solid: &Solid| DVec3::splat(solid.radius);
        let low = |solid: &Solid| solid.ends[0].min(solid.ends[1]) - reach(solid);
        let high = |solid: &Solid| solid.ends[0].max(solid.ends[1]) + reach(solid);
        let low = solids.iter().map(low).reduce(DVec3::min)?;
        let high = solids.iter().map(high).reduce(DVec3::max)?;
        let extent = high - low;
        let size = extent.max_element();
        let longest = (0..3).find(|&k| extent[k] == size)?;
        Some(Self {
            centre: 0.5 * (low + high),
            size,
            density: solids.iter().map(|it| it.density).fold(0.0, f64::max),
            turns: longest,
        })
    }

    /// From the solids' axes to the frame's.
    fn turned(&self, v: DVec3) -> DVec3 {
        match self.turns {
            0 => v,
            1 => DVec3::new(v.y, v.z, v.x),
            _ => DVec3::new(v.z, v.x, v.y),
        }
    }

    fn turned_back(&self, v: DVec3) -> DVec3 {
        match self.turns {
            0 => v,
            1 => DVec3::new(v.z, v.x, v.y),
            _ => DVec3::new(v.y, v.z, v.x),
        }
    }

    fn scaled(&self, solid: &Solid) -> Solid {
        Solid {
            ends: (solid.ends).map(|end| self.turned(end - self.centre) / self.size),
            radius: solid.radius / self.size,
            density: solid.density / self.density,
        }
    }

    fn unscaled(&self, of: Integrals) -> MassMoments {
        let [mass, x, y, z, xx, yy, zz, xy, xz, yz] = of;
        let cubic = self.density * self.size * self.size * self.size;
        let columns = [
            DVec3::new(xx, xy, xz),
            DVec3::new(xy, yy, yz),
            DVec3::new(xz, yz, zz),
        ];
        let [a, b, c] = columns.map(|column| self.turned_back(column));
        // Rows turn as columns do.
        let second = match self.turns {
            0 => DMat3::from_cols(a, b, c),
            1 => DMat3::from_cols(c, a, b),
            _ => DMat3::from_cols(b, c, a),
        };
        let about_centre = MassMoments {
            mass: mass * cubic,
            first: self.turned_back(DVec3::new(x, y, z)) * (cubic * self.size),
            second: second * (cubic * self.size * self.size),
        };
        about_centre.moved(self.centre)
    }
}

/// v⊗w
fn outer(v: DVec3, w: DVec3) -> DMat3 {
    DMat3::from_cols(v * w.x, v * w.y, v * w.z)
}

impl MassMoments {
    /// No mass.
    pub const ZERO: Self = Self {
        mass: 0.0,
        first: DVec3::ZERO,
        second: DMat3::ZERO,
    };

    /// The moments of the mass that lies further on by a vector.
    fn moved(&self, by: DVec3) -> Self {
        Self {
            mass: self.mass,
            first: self.first + by * self.mass,
            second: self.second
                + outer(self.first, by)
                + outer(by, self.first)
                + outer(by, by) * self.mass,
        }
    }

    /// The inertia tensor about a point, in kg·m².
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        let second = self.moved(-point).second;
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        DMat3::IDENTITY * trace - second
    }
}

/// The integral over all rays.
struct Rays<'a> {
    solids: &'a [Solid],
    error: f64,
}

impl Rays<'_> {
    fn integrate(&self) -> Integrals {
        let extents: Vec<Interval> = self.solids.iter().map(Solid::extent).collect();
        let mut sum = [0.0; 10];
        for (from, to, met) in pieces(self.solids, &extents) {
            let of_line = |x: f64| self.line(x, &met);
            add(&mut sum, &over_piece(from, to, self.error, &of_line), 1.0);
        }
        sum
    }

    /// The integral over the line at x, of solids that it meets.
    fn line(&self, x: f64, met: &[Solid]) -> Integrals {
        let widths: Vec<Interval> = met.iter().map(|solid| solid.width_at(x)).collect();
        let mut sum = [0.0; 10];
        for (from, to, met) in pieces(met, &widths) {
            let of_ray = |y: f64| ray(x, y, &met);
            add(&mut sum, &over_piece(from, to, self.error, &of_ray), 1.0);
        }
        sum
    }
}

/// The integral along a ray, of solids that it meets.
fn ray(x: f64, y: f64, met: &[Solid]) -> Integrals {
    let chord = |solid: &Solid| {
        let (from, to) = solid.chord_at(x, y)?;
        Some((from, to, solid.density))
    };
    let chords: SmallVec<[(f64, f64, f64); 8]> = met.iter().filter_map(chord).collect();
    let mut sum = [0.0; 10];
    if chords.len() < 2 {
        return sum;
    }
    let ends = chords.iter().flat_map(|&(from, to, _)| [from, to]);
    let mut ends: SmallVec<[f64; 16]> = ends.collect();
    ends.sort_unstable_by(f64::total_cmp);
    for pair in ends.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (mut all, mut most) = (0.0, 0.0f64);
        for &(from, to, density) in &chords {
            if from <= a && b <= to {
                all += density;
                most = most.max(density);
            }
        }
        let shared = all - most;
        if shared == 0.0 {
            continue;
        }
        let one = shared * (b - a);
        let z = shared * 0.5 * (b * b - a * a);
        let zz = shared / 3.0 * (b * b * b - a * a * a);
        let of_ray = [
            one,
            x * one,
            y * one,
            z,
            x * x * one,
            y * y * one,
            zz,
            x * y * one,
            x * z,
            y * z,
        ];
        add(&mut sum, &of_ray, 1.0);
    }
    sum
}

/// The pieces of a line between the ends of these intervals, one of each solid, that two solids or more have in common: with those.
fn pieces(solids: &[Solid], of: &[Interval]) -> Vec<(f64, f64, Vec<Solid>)> {
    let ends = of.iter().flatten().flat_map(|&(from, to)| [from, to]);
    let mut ends: Vec<f64> = ends.collect();
    ends.sort_unstable_by(f64::total_cmp);
    ends.dedup();
    let piece = |pair: &[f64]| {
        let (from, to) = (pair[0], pair[1]);
        let middle = 0.5 * (from + to);
        let is_met =
            |interval: &Interval| interval.is_some_and(|(from, to)| (from..=to).contains(&middle));
        let met = solids.iter().zip(of).filter(|(_, it)| is_met(it));
        let met: Vec<Solid> = met.map(|(solid, _)| *solid).collect();
        (met.len() > 1).then_some((from, to, met))
    };
    ends.windows(2).filter_map(piece).collect()
}

fn add(sum: &mut Integrals, other: &Integrals, times: f64) {
    for (one, other) in sum.iter_mut().zip(other) {
        *one += other * times;
    }
}

/// The integral of a function over a piece at whose ends it may grow as a root does.
fn over_piece(from: f64, to: f64, error: f64, of: &impl Fn(f64) -> Integrals) -> Integrals {
    // x = from + (to − from)·s²·(3 − 2s): a root of x is smooth in s.
    let smooth = |s: f64| {
        let mut value = of(from + (to - from) * s * s * (3.0 - 2.0 * s));
        let slope = (to - from) * 6.0 * s * (1.0 - s);
        value.iter_mut().for_each(|value| *value *= slope);
        value
    };
    let whole = gauss(0.0, 1.0, &smooth);
    halved(0.0, 1.0, &whole, error, CUTS, &smooth)
}

/// The integral over both halves of an interval; each is halved again as long as that changes the sum.
fn halved(
    from: f64,
    to: f64,
    whole: &Integrals,
    error: f64,
    cuts: u32,
    of: &impl Fn(f64) -> Integrals,
) -> Integrals {
    let middle = 0.5 * (from + to);
    let (left, right) = (gauss(from, middle, of), gauss(middle, to, of));
    let changes = |k: usize| (left[k] + right[k] - whole[k]).abs() > error;
    let [left, right] = match cuts > 0 && (0..10).any(changes) {
        true => [
            halved(from, middle, &left, error, cuts - 1, of),
            halved(middle, to, &right, error, cuts - 1, of),
        ],
        false => [left, right],
    };
    let mut sum = left;
    add(&mut sum, &right, 1.0);
    sum
}

fn gauss(from: f64, to: f64, of: &impl Fn(f64) -> Integrals) -> Integrals {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let mut sum = [0.0; 10];
    for (node, weight) in NODES {
        add(&mut sum, &of(middle + half * node), half * weight);
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn ball(centre: DVec3, radius: f64) -> Solid {
        Solid {
            ends: [centre; 2],
            radius,
            density: 1.0,
        }
    }

    /// The volume of the lens of two balls, and its moment of inertia about the line of their centres, from the caps of the balls:
    /// V = π·h²·(3r − h)/3 and ∫π/2·(r² − x²)²dx.
    fn lens(r: f64, s: f64, d: f64) -> (f64, f64) {
        // The plane of the circle in which the surfaces meet, from the first centre.
        let x = (d * d + r * r - s * s) / (2.0 * d);
        let cap = |r: f64, from: f64| {
            let h = r - from;
            let of = |x: f64| r.powi(4) * x - 2.0 / 3.0 * r * r * x.powi(3) + 0.2 * x.powi(5);
            (
                PI * h * h * (3.0 * r - h) / 3.0,
                0.5 * PI * (of(r) - of(from)),
            )
        };
        let (a, b) = (cap(r, x), cap(s, d - x));
        (a.0 + b.0, a.1 + b.1)
    }

    #[test]
    fn two_balls_share_their_lens() {
        let along = [
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            DVec3::new(1.0, 2.0, -3.0).normalize(),
        ];
        for axis in along {
            for (r, s, d) in [(1.0, 1.0, 1.2), (1.0, 0.4, 0.9), (2.0, 1.9, 3.0)] {
                let from = DVec3::new(0.3, -0.2, 5.0);
                let shared = shared_mass(&[ball(from, r), ball(from + axis * d, s)]);
                let (volume, moment) = lens(r, s, d);
                let all = 4.0 / 3.0 * PI * (r * r * r + s * s * s);
                let off = (shared.mass - volume).abs() / all;
                let about_axis = shared.inertia_about(from).mul_vec3(axis).dot(axis);
                let turned = (about_axis - moment).abs() / (all * r * r);
                println!("{axis} {r} {s} {d}: {off:.1e} {turned:.1e}");
                assert!(off < 1e-6 && turned < 1e-6, "{off} {turned}");
            }
        }
    }

    #[test]
    fn what_is_inside_is_shared_and_what_is_apart_is_not() {
        let outer = Solid {
            ends: [DVec3::NEG_X, DVec3::X],
            radius: 0.5,
            density: 2.0,
        };
        let inner = ball(DVec3::new(0.3, 0.1, -0.1), 0.2);
        let shared = shared_mass(&[outer, inner]);
        let mass = 4.0 / 3.0 * PI * 0.2f64.powi(3);
        assert!((shared.mass - mass).abs() < 1e-6, "{shared:?}");
        let centre = shared.first / shared.mass;
        assert!((centre - inner.ends[0]).length() < 1e-5, "{centre}");
        let tensor = shared.inertia_about(centre);
        let off = tensor - DMat3::IDENTITY * (0.4 * mass * 0.04);
        assert!(off.to_cols_array().iter().all(|it| it.abs() < 1e-7));
        let apart = shared_mass(&[outer, ball(2.0 * DVec3::Y, 0.5)]);
        assert_eq!(apart, MassMoments::ZERO);
        assert_eq!(shared_mass(&[]), MassMoments::ZERO);
    }

    /// Two crossed cylinders of the same radius share 16/3·r³ (Archimedes, The Method).
    #[test]
    fn two_crossed_capsules_share_the_solid_of_steinmetz() {
        let crossed = |axis: DVec3| Solid {
            ends: [-axis, axis],
            radius: 0.3,
            density: 1.0,
        };
        for (one, other) in [
            (DVec3::X, DVec3::Y),
            (DVec3::Y, DVec3::Z),
            (DVec3::X, DVec3::Z),
        ] {
            let shared = shared_mass(&[crossed(one), crossed(other)]);
            let off = shared.mass - 16.0 / 3.0 * 0.3f64.powi(3);
            println!("{off:.1e}");
            assert!(off.abs() < 1e-6, "{off}");
        }
    }
}
