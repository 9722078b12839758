//! The time-of-impact filter for pairs of balls: rules out pairs that cannot hit each other in a substep, several at a time.

use glam::{Mat4, Vec4};

use crate::{body::Bodies, shape::Shape};

/// The filter's data of a ball's flight, packed into one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BallFilter {
    /// Where the flight starts, and the radius. Infinite for a body that is not a ball: pairs with it go to the filter for capsules.
    origin: Vec4,
    velocity: Vec4,
    acceleration: Vec4,
    /// The acceleration from contacts, and its length.
    contact: Vec4,
}

impl BallFilter {
    pub const UNKNOWN: Self = Self {
        origin: Vec4::INFINITY,
        velocity: Vec4::ZERO,
        acceleration: Vec4::ZERO,
        contact: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let radius = match bodies.shape[i] {
            // A ball beside its centre of mass does not fly on a parabola.
            Shape::Particle { .. } if bodies.is_aside(i) => f32::INFINITY,
            Shape::Particle { radius } => radius,
            Shape::Capsule { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
                f32::INFINITY
            }
        };
        let contact = bodies.contact_acceleration[i];
        Self {
            origin: bodies.flight_origin(i).extend(radius),
            velocity: bodies.velocity[i].as_vec3().extend(0.0),
            acceleration: bodies.flight_acceleration(i).extend(0.0),
            contact: contact.extend(contact.length()),
        }
    }

    pub fn is_ball(&self) -> bool {
        self.origin.w < f32::INFINITY
    }

    /// Whether each pair may have an impact in a substep of `h` seconds: a bit for each pair. A pair is ruled out if it is too far
    /// apart, or always approaches more slowly than at its resting speed.
    #[inline]
    pub fn may_hit(pairs: [(&Self, &Self); PAIRS_PER_FILTER], resting_speed: f32, h: f32) -> u32 {
        let spread = |vector: fn(&Self, &Self) -> Vec4| {
            let [one, two, three, four] = pairs.map(|(a, b)| vector(a, b));
            Spread(Mat4::from_cols(one, two, three, four).transpose())
        };
        let d = spread(|a, b| a.origin - b.origin);
        let v = spread(|a, b| a.velocity - b.velocity);
        let a = spread(|a, b| a.acceleration - b.acceleration);
        let (c_a, c_b) = (spread(|a, _| a.contact), spread(|_, b| b.contact));
        let radii = Vec4::from_array(pairs.map(|(a, b)| a.origin.w + b.origin.w));

        let distance = sqrt(d.dot(&d));
        // No less than |v| + |a|·h.
        let fastest = sqrt(2.0 * (v.dot(&v) + a.dot(&a) * (h * h)));
        let path = fastest * h;

        // The approach speed and the resting speed along the present normal, both times the distance. By the end of the substep,
        // ⟨n, a⟩·h may be added to the approach speed, but half of it is part of the resting speed.
        let pressure = c_a.dot(&d).abs().max(c_b.dot(&d).abs());
        let approach = 0.5 * h * a.dot(&d).abs() - v.dot(&d);
        let resting = resting_speed * distance + h * pressure;
        // On a path so short the normal turns by no more than 2·path/distance. The rest is for rounding.
        let most = fastest + h * c_a.0.w_axis.max(c_b.0.w_axis);
        let unsure = (2.0 * path + 1e-5 * distance) * most;

        let are_slow = (approach + unsure).cmplt(resting) & (2.0 * path).cmplt(distance);
        let are_far = distance.cmpgt(radii + path);
        let may_hit = !(are_slow | are_far) | radii.cmpeq(Vec4::INFINITY);
        may_hit.bitmask()
    }
}

/// Pairs that are filtered together.
pub(crate) const PAIRS_PER_FILTER: usize = 4;

/// Vectors of several pairs: the axes hold all their x, y, z.
struct Spread(Mat4);

impl Spread {
    #[inline]
    fn dot(&self, other: &Self) -> Vec4 {
        let (a, b) = (&self.0, &other.0);
        a.x_axis * b.x_axis + a.y_axis * b.y_axis + a.z_axis * b.z_axis
    }
}

#[inline]
fn sqrt(x: Vec4) -> Vec4 {
    Vec4::from_array(x.to_array().map(f32::sqrt))
}
