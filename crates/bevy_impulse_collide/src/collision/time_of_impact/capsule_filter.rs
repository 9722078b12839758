//! The time-of-impact filter for pairs with a capsule: rules out pairs that cannot hit each other in a substep.

use glam::Vec3A;

use super::flight_path::asymmetric_tip_acceleration;
use crate::{body::Bodies, kernel::closest_segment_points, shape::Shape};

/// The filter's data of the flight of a capsule, a ball (a capsule without length) or a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapsuleFilter {
    origin: Vec3A,
    velocity: Vec3A,
    acceleration: Vec3A,
    /// The acceleration from contacts in the last substep, in m/s².
    contact_acceleration: Vec3A,
    /// Vector from the centre to the centre of a half-ball; for a plane, its normal.
    half: Vec3A,
    /// Velocity of that centre relative to the body's centre, or of the normal: ω × half.
    tip_velocity: Vec3A,
    /// Largest change of that velocity in the substep, as the axis turns.
    tip_change: f32,
    /// Of a part: largest change of its centre's velocity in the substep, as its body turns.
    turn_change: f32,
    radius: f32,
    is_plane: bool,
    is_collider: bool,
}

impl CapsuleFilter {
    pub const NONE: Self = Self {
        origin: Vec3A::ZERO,
        velocity: Vec3A::ZERO,
        acceleration: Vec3A::ZERO,
        contact_acceleration: Vec3A::ZERO,
        half: Vec3A::ZERO,
        tip_velocity: Vec3A::ZERO,
        tip_change: 0.0,
        turn_change: 0.0,
        radius: 0.0,
        is_plane: false,
        is_collider: false,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let filter = Self {
            origin: bodies.flight_origin(i).into(),
            velocity: bodies.velocity[i].as_vec3().into(),
            acceleration: bodies.flight_acceleration(i).into(),
            contact_acceleration: bodies.contact_acceleration[i].into(),
            radius: bodies.shape[i].radius(),
            turn_change: match bodies.is_aside(i) {
                true => {
                    let arm = bodies.offset[i].length() + bodies.shape[i].core_reach();
                    asymmetric_tip_acceleration(bodies.fastest_turn(i), arm) * bodies.h
                }
                false => 0.0,
            },
            ..Self::NONE
        };
        match bodies.shape[i] {
            Shape::Particle { .. } | Shape::Compound { .. } => filter,
            Shape::Collider => Self {
                is_collider: true,
                ..filter
            },
            Shape::Plane => Self {
                half: bodies.axis[i].into(),
                tip_velocity: bodies.tilting(i).into(),
                is_plane: true,
                ..filter
            },
            Shape::Capsule { half_length, .. } => {
                let half = Vec3A::from(bodies.flight_axis(i) * half_length);
                let w = Vec3A::from(bodies.angular_velocity[i].as_vec3());
                let tip_velocity = w.cross(half);
                let is_symmetric = bodies.inverse_inertia[i].is_symmetric_about_y();
                let tip_acceleration = match is_symmetric && !bodies.is_part(i) {
                    true => tip_velocity.length() * w.length(),
                    false => asymmetric_tip_acceleration(bodies.fastest_turn(i), half_length),
                };
                Self {
                    half,
                    tip_velocity,
                    tip_change: tip_acceleration * bodies.h,
                    ..filter
                }
            }
        }
    }

    /// Whether two bodies may have an impact in a substep of `h` seconds. A pair is ruled out if it is too far apart, or approaches
    /// no faster than bodies that rest on each other.
    #[inline]
    pub fn may_hit(&self, other: &Self, resting_speed: f32, h: f32) -> bool {
        if self.is_collider || other.is_collider {
            // The search along the path has a filter of its own.
            return true;
        }
        match (self.is_plane, other.is_plane) {
            (false, false) => self.may_hit_round(other, resting_speed, h),
            (false, true) => self.may_hit_plane(other, resting_speed, h),
            (true, false) => other.may_hit_plane(self, resting_speed, h),
            (true, true) => false,
        }
    }

    fn may_hit_plane(&self, plane: &Self, resting_speed: f32, h: f32) -> bool {
        let n = plane.half;
        let (apart, velocity) = (self.origin - plane.origin, self.velocity - plane.velocity);
        let gap = n.dot(apart) - n.dot(self.half).abs() - self.radius;
        let gained = n.dot(self.acceleration).abs() * h + self.tip_change + self.turn_change;
        let fastest = n.dot(self.tip_velocity).abs() + gained - n.dot(velocity);
        let tilting = plane.tip_velocity.length();
        if tilting > 0.0 {
            // The normal turns, and so a point falls behind it with ⟨ω × n, d⟩.
            let gained = self.acceleration.length() * h + self.turn_change;
            let way = (velocity.length() + gained) * h;
            let distance = apart.length() + self.half.length() + 2.0 * way;
            return gap <= (fastest + tilting * distance + self.tip_velocity.length()) * h;
        }
        gap <= fastest * h && fastest >= resting_speed + n.dot(self.contact_acceleration).abs() * h
    }

    fn may_hit_round(&self, other: &Self, resting_speed: f32, h: f32) -> bool {
        let velocity = self.velocity - other.velocity;
        let gained = (self.acceleration - other.acceleration).length() * h
            + (self.turn_change + other.turn_change);
        let speed = velocity.length() + self.tip_velocity.length() + other.tip_velocity.length();
        let path = (speed + gained) * h;
        let reach = self.radius + other.radius;

        let centres = self.origin - other.origin;
        let (s, t) = closest_segment_points(
            self.origin.into(),
            self.half.into(),
            other.origin.into(),
            other.half.into(),
        );
        let nearest = centres + self.half * s - other.half * t;
        let distance_squared = nearest.length_squared();
        let far = reach + path;
        if distance_squared > far * far {
            return false;
        }
        let distance = distance_squared.sqrt();
        if distance < 0.5 * reach || 2.0 * path > distance {
            return true;
        }
        // If the points of two convex bodies move by no more than a path q relative to each other, the vector between the nearest
        // points, of length d, turns by no more than an angle of cosine 1 − q/d. In that direction they approach no faster than
        // this, at any point along them.
        let n = nearest / distance;
        let sine = (2.0 * path / distance).sqrt();
        let tip_speeds = n.dot(self.tip_velocity).abs() + n.dot(other.tip_velocity).abs();
        let tip_changes = self.tip_change + other.tip_change;
        let fastest = tip_speeds + tip_changes + gained + sine * speed - n.dot(velocity);
        let pressure = |filter: &Self| {
            n.dot(filter.contact_acceleration).abs() - sine * filter.contact_acceleration.length()
        };
        let resting = resting_speed + h * pressure(self).max(pressure(other)).max(0.0);
        fastest >= resting
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Quat, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::{
        body::{BodyFlags, IMMOVABLE},
        collision::next_impact,
        config::CollisionConfig,
        kernel::InverseInertia,
    };

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        let axis = move || -size..size;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

        /// Balls (of no length), capsules, static and kinematic planes, near each other, at any speed.
        #[test]
        fn no_impact_is_ruled_out(
            between in vector(0.6),
            turns in [vector(3.0), vector(3.0)],
            speed in -3.0..1.0f32,
            velocities in [vector(1.0), vector(1.0)],
            spins in [vector(5.0), vector(5.0)],
            pressures in [vector(10.0), vector(10.0)],
            lengths in [0.01..0.5f32, 0.01..0.5f32],
            other in 0..4,
        ) {
            let speed = 10f32.powf(speed);
            let mut bodies = Bodies { h: 1.0 / 60.0, ..Bodies::default() };
            bodies.resize(2);
            for i in 0..2 {
                bodies.shape[i] = match (i, other) {
                    (1, 1) => Shape::Particle { radius: 0.1 },
                    (1, 2 | 3) => Shape::Plane,
                    _ => Shape::Capsule { radius: 0.1, half_length: lengths[i] },
                };
                bodies.position[i] = (between * i as f32).as_dvec3();
                bodies.flight_shift[i] = Vec3::ZERO;
                bodies.rotation[i] = Quat::from_scaled_axis(turns[i]);
                bodies.flight_rotation[i] = bodies.rotation[i];
                bodies.axis[i] = bodies.rotation[i] * Vec3::Y;
                if bodies.shape[i] != Shape::Plane {
                    bodies.velocity[i] = (velocities[i] * speed).as_dvec3();
                    bodies.angular_velocity[i] = (spins[i] * speed).as_dvec3();
                    bodies.flags[i] = BodyFlags::DYNAMIC;
                    bodies.inverse_mass[i] = 1.0;
                    bodies.inverse_inertia[i] = InverseInertia::capsule(1.0, 0.1, 2.0 * lengths[i]);
                    bodies.acceleration[i] = DVec3::NEG_Y * 9.81;
                    bodies.contact_acceleration[i] = pressures[i];
                } else if other == 3 {
                    bodies.velocity[i] = (velocities[i] * speed).as_dvec3();
                    bodies.angular_velocity[i] = (spins[i] * speed).as_dvec3();
                    bodies.flags[i] = BodyFlags::KINEMATIC;
                    bodies.inverse_mass[i] = IMMOVABLE;
                    bodies.inverse_inertia[i] = InverseInertia::isotropic(IMMOVABLE);
                }
            }
            let config = CollisionConfig::default();
            if next_impact(&bodies, &config, 0, 1, 0.0).is_some() {
                let [a, b] = [0, 1].map(|i| CapsuleFilter::of(&bodies, i));
                prop_assert!(a.may_hit(&b, config.resting_speed, bodies.h));
            }
        }
    }
}
