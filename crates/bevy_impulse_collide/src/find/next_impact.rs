//! When two bodies will hit each other: balls by a formula, capsules by advancing to where they touch.

use bevy::prelude::*;
use glam::{Mat4, Vec4};

use super::{Manifold, ManifoldPoint, Placed, Rod, manifold};
use crate::{
    bodies::{Bodies, Flight, Shape, smaller_radius},
    config::CollisionConfig,
    kernel::{
        ContactClass, contact_class, parabola_impact_time, precession, sphere_impact_time, turn,
    },
};

/// When, from `from` seconds into the substep on, `a` and `b` will hit each other faster than resting bodies do.
pub(crate) fn next_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    from: f32,
) -> Option<f32> {
    match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) => {
            return ball_on_ball(bodies, config, (a, b), r_a + r_b, from);
        }
        (Shape::Particle { radius }, Shape::Plane) => {
            return ball_on_plane(bodies, config, (a, b), radius, from);
        }
        (Shape::Plane, Shape::Particle { radius }) => {
            return ball_on_plane(bodies, config, (b, a), radius, from);
        }
        _ => {}
    }
    let (rod_a, rod_b) = (Rod::of(bodies, a), Rod::of(bodies, b));
    if from > 0.0 && !rod_a.may_hit(&rod_b, config.resting_speed, bodies.h) {
        return None;
    }
    let time = advance(bodies, a, b, from)? + from;
    let point = contact_points(bodies, a, b, time).into_iter().next()?;
    let (at_a, at_b) = (bodies.fly(a, time), bodies.fly(b, time));
    let v_n = approach(&at_a, &at_b, &point);
    is_impact(bodies, config, a, b, point.normal, v_n).then_some(time)
}

/// What a first look at a ball's flight needs, packed into one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Course {
    /// The launch, and the radius: infinite for what is no ball, which takes another first look, as a [`Rod`].
    launch: Vec4,
    velocity: Vec4,
    acceleration: Vec4,
    /// That from contacts, and its length.
    contact: Vec4,
}

impl Course {
    pub const UNKNOWN: Self = Self {
        launch: Vec4::INFINITY,
        velocity: Vec4::ZERO,
        acceleration: Vec4::ZERO,
        contact: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let radius = match bodies.shape[i] {
            Shape::Particle { radius } => radius,
            _ => f32::INFINITY,
        };
        let contact = bodies.contact_acceleration[i];
        Self {
            launch: bodies.launch_position[i].extend(radius),
            velocity: bodies.velocity[i].extend(0.0),
            acceleration: bodies.flight_acceleration(i).extend(0.0),
            contact: contact.extend(contact.length()),
        }
    }

    pub fn is_ball(&self) -> bool {
        self.launch.w < f32::INFINITY
    }

    /// Of some pairs of balls, whether it cannot be told at first sight that they have no impact in a substep of `h` seconds: they
    /// approach more slowly than at their [`resting_speed`] all the time, or are too far apart. A bit for each pair.
    #[inline]
    pub fn may_hit(pairs: [(&Self, &Self); LOOKS], resting_speed: f32, h: f32) -> u32 {
        let spread = |vector: fn(&Self, &Self) -> Vec4| {
            let [one, two, three, four] = pairs.map(|(a, b)| vector(a, b));
            Spread(Mat4::from_cols(one, two, three, four).transpose())
        };
        let d = spread(|a, b| a.launch - b.launch);
        let v = spread(|a, b| a.velocity - b.velocity);
        let a = spread(|a, b| a.acceleration - b.acceleration);
        let (c_a, c_b) = (spread(|a, _| a.contact), spread(|_, b| b.contact));
        let radii = Vec4::from_array(pairs.map(|(a, b)| a.launch.w + b.launch.w));

        let distance = sqrt(d.dot(&d));
        // No less than |v| + |a|·h.
        let fastest = sqrt(2.0 * (v.dot(&v) + a.dot(&a) * (h * h)));
        let path = fastest * h;

        // The speed of approach and what counts as rest, along the normal as it is now, both times the distance. At the end of
        // the substep ⟨n, a⟩·h may have come to the one, while half of it counts as rest.
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

/// Pairs that are looked at together.
pub(crate) const LOOKS: usize = 4;

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

fn is_impact(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
    v_n: f32,
) -> bool {
    let tolerance = resting_speed(bodies, config, a, b, normal);
    contact_class(v_n, tolerance) == ContactClass::Impacting
}

/// Most predictions are of two balls, and most of these of neighbours that rest on each other.
fn ball_on_ball(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b): (usize, usize),
    reach: f32,
    from: f32,
) -> Option<f32> {
    let until = bodies.h - from;
    let acceleration = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let launch = bodies.launch_position[a] - bodies.launch_position[b];
    let velocity = bodies.velocity[a] - bodies.velocity[b];
    let (d, v) = (
        launch + velocity * from + acceleration * (0.5 * from * from),
        velocity + acceleration * from,
    );
    // In no direction can they approach faster than this.
    let fastest = v.length() + acceleration.length() * until;
    if fastest < config.resting_speed {
        return None;
    }
    let far = reach + fastest * until;
    if d.length_squared() > far * far {
        return None;
    }
    let s = sphere_impact_time(d, v, acceleration, reach, until)?;
    let normal = (d + v * s + acceleration * (0.5 * s * s)).try_normalize()?;
    let v_n = normal.dot(v + acceleration * s);
    is_impact(bodies, config, a, b, normal, v_n).then_some(from + s)
}

fn ball_on_plane(
    bodies: &Bodies,
    config: &CollisionConfig,
    (ball, plane): (usize, usize),
    radius: f32,
    from: f32,
) -> Option<f32> {
    let normal = bodies.axis[plane];
    let at = bodies.fly(ball, from);
    let v_n = at.v.dot(normal);
    let a_n = bodies.flight_acceleration(ball).dot(normal);
    let gap = (at.x - bodies.position[plane]).dot(normal) - radius;
    let s = parabola_impact_time(gap, v_n, a_n, bodies.h - from)?;
    is_impact(bodies, config, ball, plane, normal, v_n + a_n * s).then_some(from + s)
}

/// Looks at a pair that conservative advancement takes at most, and so many within what is left of the substep at least.
const MOST_LOOKS: usize = 48;
const LEAST_LOOKS: f32 = 8.0;

/// How two shapes of which one is a capsule stand to each other at some moment.
struct Look {
    gap: f32,
    /// How fast the nearest points approach, below zero while they do.
    v_n: f32,
    /// The same for those of the contact points that touch; infinite if none does.
    touching_v_n: f32,
    /// The gap shrinks no faster than this, to the end of the substep.
    fastest: f32,
}

/// The flight of a body, without what its looks do not tell: how far it has turned about its own axis.
struct Path {
    start: Flight,
    acceleration: Vec3,
    precession: Vec3,
    half_length: f32,
    shape: Shape,
}

impl Path {
    fn of(bodies: &Bodies, i: usize) -> Self {
        let start = bodies.fly(i, 0.0);
        let (precession, half_length) = match bodies.shape[i] {
            Shape::Capsule { half_length, .. } if bodies.is_free(i) => {
                let inertia = bodies.inverse_inertia[i];
                (precession(start.axis, start.w, inertia), half_length)
            }
            _ => (Vec3::ZERO, 0.0),
        };
        Self {
            start,
            acceleration: bodies.flight_acceleration(i),
            precession,
            half_length,
            shape: bodies.shape[i],
        }
    }

    fn at(&self, s: f32) -> Flight {
        let Flight { x, axis, v, w, .. } = self.start;
        let turned = turn(self.precession, s);
        Flight {
            x: x + v * s + self.acceleration * (0.5 * s * s),
            axis: turned * axis,
            v: v + self.acceleration * s,
            w: turned * w,
            ..self.start
        }
    }

    fn placed(&self, at: &Flight) -> Placed {
        Placed {
            shape: self.shape,
            x: at.x,
            axis: at.axis,
        }
    }

    /// ⟨n, ω × r⟩ = ⟨r, n × ω⟩ for r within the capsule's half length; a little more, as a tumbling body's ω wanders. The
    /// speed of its ends does not.
    fn turning(&self, at: &Flight, n: Vec3) -> f32 {
        let along = n.cross(at.w).length() + 0.02 * at.w.length();
        self.half_length * along.min(at.w.cross(at.axis).length())
    }
}

impl Look {
    /// At `s` seconds into a substep of `h` seconds; `None` for two planes.
    fn at(a: &Path, b: &Path, s: f32, h: f32, tolerance: f32) -> Option<Self> {
        let (at_a, at_b) = (a.at(s), b.at(s));
        let points = manifold(&a.placed(&at_a), &b.placed(&at_b));
        let nearest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth))?;
        let touching = points.iter().filter(|p| -p.depth <= tolerance);
        let touching_v_n = touching
            .map(|p| approach(&at_a, &at_b, p))
            .fold(f32::INFINITY, f32::min);
        let n = nearest.normal;
        let relative = a.acceleration - b.acceleration;
        Some(Self {
            gap: -nearest.depth,
            v_n: approach(&at_a, &at_b, nearest),
            touching_v_n,
            fastest: n.dot(at_b.v - at_a.v)
                + relative.length() * (h - s)
                + a.turning(&at_a, n)
                + b.turning(&at_b, n),
        })
    }
}

/// Time until two shapes meet of which one is a capsule, by conservative advancement: go on by the gap over the greatest
/// speed at which it can shrink, until it is gone (B. Mirtich, Impulse-based Dynamic Simulation, 1996, 2.3).
///
/// That bound knows of no capsule whose one end comes while the other goes. So where it makes little way, go to where the
/// nearest points would just have met, as they move now, but not far; if the shapes overlap there, they have met between.
fn advance(bodies: &Bodies, a: usize, b: usize, from: f32) -> Option<f32> {
    let until = bodies.h - from;
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let tolerance = 1e-5 * radius;
    let (path_a, path_b) = (Path::of(bodies, a), Path::of(bodies, b));
    let look_at = |s: f32| Look::at(&path_a, &path_b, from + s, bodies.h, tolerance);
    let mut apart = None;
    let mut s = 0.0;
    for _ in 0..MOST_LOOKS {
        let look = look_at(s)?;
        if look.touching_v_n < 0.0 {
            return match apart {
                Some(before) if look.gap < -tolerance => {
                    let gap_at = |s: f32| look_at(s).map_or(0.0, |look| look.gap);
                    Some(root_between(before, (s, look.gap), tolerance, gap_at))
                }
                _ => Some(s),
            };
        }
        // Both shapes are convex: while the gap along the present normal is open, nothing meets.
        let sure = look.gap.max(tolerance) / look.fastest;
        if look.fastest <= 0.0 || s + sure > until || s >= until {
            return None;
        }
        let mut likely = until / LEAST_LOOKS;
        if look.gap > tolerance {
            apart = Some((s, look.gap));
            if look.v_n < 0.0 {
                likely = likely.min((1.01 * look.gap + tolerance) / -look.v_n);
            }
        }
        s = (s + sure.max(likely)).min(until);
    }
    None
}

/// Where a function is within `tolerance` of zero that is above it at the first place and below it at the other, given with
/// its values there: by false position, in the Illinois manner.
fn root_between(
    mut above: (f32, f32),
    mut below: (f32, f32),
    tolerance: f32,
    value_at: impl Fn(f32) -> f32,
) -> f32 {
    let mut place = above.0;
    for _ in 0..MOST_LOOKS {
        place = (above.0 * below.1 - below.0 * above.1) / (below.1 - above.1);
        let value = value_at(place);
        if value.abs() <= tolerance {
            break;
        }
        // An end that stays counts for half the next time.
        if value > 0.0 {
            above = (place, value);
            below.1 *= 0.5;
        } else {
            below = (place, value);
            above.1 *= 0.5;
        }
    }
    place
}

/// The points at which `a` and `b` touch at `s` seconds into the substep: the deepest, and any as good as it.
pub(crate) fn contact_points(bodies: &Bodies, a: usize, b: usize, s: f32) -> Manifold {
    let (at_a, at_b) = (bodies.fly(a, s), bodies.fly(b, s));
    let mut points = manifold(&placed(bodies, a, &at_a), &placed(bodies, b, &at_b));
    let deepest = points
        .iter()
        .map(|p| p.depth)
        .fold(f32::NEG_INFINITY, f32::max);
    let radius = bodies.shape[a].radius().max(bodies.shape[b].radius());
    points.retain(|p| p.depth >= deepest - 1e-4 * radius);
    points
}

fn placed(bodies: &Bodies, i: usize, at: &Flight) -> Placed {
    Placed {
        shape: bodies.shape[i],
        x: at.x,
        axis: at.axis,
    }
}

/// Relative velocity of the contact points along the normal, below zero while they approach.
pub(crate) fn approach(at_a: &Flight, at_b: &Flight, p: &ManifoldPoint) -> f32 {
    let velocity =
        at_a.v + at_a.w.cross(p.point - at_a.x) - at_b.v - at_b.w.cross(p.point - at_b.x);
    p.normal.dot(velocity)
}

/// Approach speed under which an impact is a resting contact: the configured one, and what the fields and the pressure of
/// neighbours give the pair along the normal in a substep. A bounce slower than that would be over within the substep.
fn resting_speed(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    normal: Vec3,
) -> f32 {
    let field = normal.dot(bodies.flight_acceleration(a) - bodies.flight_acceleration(b));
    let pressure = |i: usize| normal.dot(bodies.contact_acceleration[i]).abs();
    config.resting_speed + bodies.h * (0.5 * field.abs() + pressure(a).max(pressure(b)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(range: f32) -> impl Strategy<Value = Vec3> {
        let axis = || -range..range;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Two balls about to touch, with speeds and accelerations about those at which an impact is no longer one.
        #[test]
        fn first_look_misses_no_impact(
            direction in vector(1.0),
            gap in -0.02..0.02f32,
            sizes in (-1.0..1.0f32, -1.0..1.0f32),
            velocities in (vector(1.0), vector(1.0)),
            speed in -4.0..2.0f32,
            fields in (vector(1.0), vector(1.0)),
            field in -2.0..2.0f32,
            contacts in (vector(1.0), vector(1.0)),
            pressure in -2.0..2.0f32,
            offset in prop::sample::select(vec![0.0, 100.0]),
        ) {
            let size = |size: f32| 0.1 * 10f32.powf(size);
            let (r_a, r_b) = (size(sizes.0), size(sizes.1));
            let [speed, field, pressure] = [speed, field, pressure].map(|power| 10f32.powf(power));
            let d = direction.normalize_or(Vec3::X) * ((r_a + r_b) * (1.0 + gap));
            let mut bodies = Bodies { h: 0.01, ..default() };
            for (x, radius, v, a, contact) in [
                (d, r_a, velocities.0, fields.0, contacts.0),
                (Vec3::ZERO, r_b, velocities.1, fields.1, contacts.1),
            ] {
                let shape = Shape::Particle { radius };
                bodies.push_for_test(shape, x + offset, v * speed, 1.0);
                let i = bodies.len() - 1;
                bodies.acceleration[i] = (a * field).as_dvec3();
                bodies.contact_acceleration[i] = contact * pressure;
            }
            let config = CollisionConfig::default();
            if next_impact(&bodies, &config, 0, 1, 0.0).is_some() {
                let [a, b] = [0, 1].map(|i| Course::of(&bodies, i));
                let pairs = [(&a, &b), (&b, &a), (&a, &b), (&b, &a)];
                let may_hit = Course::may_hit(pairs, config.resting_speed, bodies.h);
                prop_assert_eq!(may_hit, 0b1111);
            }
        }
    }
}
