//! The contact points of a group, as its solve sees them.

use glam::DVec3;

use crate::{body::Bodies, solver::contact::view::ContactPoint};

/// A body of which only some contacts are in the group. In the solve nothing moves it: the contacts outside carry what presses on
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    pub body: u32,
    /// The velocities with which it leaves the substep if its contacts press as in the last one.
    pub velocity: DVec3,
    pub angular_velocity: DVec3,
}

impl Rim {
    /// A body on which nothing has pressed so far.
    pub fn new(bodies: &Bodies, body: u32) -> Self {
        let i = body as usize;
        Self {
            body,
            velocity: bodies.velocity[i],
            angular_velocity: bodies.angular_velocity[i],
        }
    }

    /// Adds the impulses that a contact of the body starts with.
    pub fn press(&mut self, bodies: &Bodies, point: &ContactPoint) {
        let is_a = bodies.whole_of(point.a as usize) == self.body as usize;
        let sign = if is_a { 1.0 } else { -1.0 };
        let arm = if is_a {
            point.arm_a.as_dvec3()
        } else {
            arm_b(bodies, point)
        };
        let impulse = sign * point.impulse().as_dvec3();
        let angular = arm.cross(impulse) + sign * point.couple.as_dvec3();
        let (dv, dw) = moved(bodies, self.body as usize, impulse, angular);
        self.velocity += dv;
        self.angular_velocity += dw;
    }
}

/// From b's centre to the contact point.
fn arm_b(bodies: &Bodies, point: &ContactPoint) -> DVec3 {
    let x = |i: u32| bodies.centre_of_mass(i as usize);
    point.arm_a.as_dvec3() + x(point.a) - x(point.b)
}

/// The normal part of a contact point, as the solve sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub sides: [Side; 2],
    /// Normal velocity plus allowed closing speed in m/s, without the normal impulses of the group. That surfaces must part which an
    /// impact has launched from inside each other is left to the sweeps: a load asks for no motion, so that bodies at rest satisfy
    /// all rows, and the solution has no more energy than there was.
    pub excess: f64,
    /// Normal impulse of the last substep in N·s.
    pub start: f64,
    pub friction: [(DVec3, DVec3); 2],
}

/// One body of a point: what a unit of normal impulse does to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// `u32::MAX` if no impulse moves the body.
    pub body: u32,
    linear: DVec3,
    angular: DVec3,
    pub dv: DVec3,
    pub dw: DVec3,
}

impl Row {
    /// The row of a point of a group with this rim, sorted.
    pub fn new(bodies: &Bodies, point: &ContactPoint, rim: &[Rim]) -> Self {
        let arm_a = point.arm_a.as_dvec3();
        let arm_b = arm_b(bodies, point);
        let of_rim = |i: u32| {
            let at = rim.binary_search_by_key(&i, |rim| rim.body).ok()?;
            Some(&rim[at])
        };
        let is_moved = |i: u32| bodies.responds(i as usize) && of_rim(i).is_none();
        let (n, friction) = (point.normal.as_dvec3(), point.friction_impulse.as_dvec3());
        let side = |i: u32, arm: DVec3, sign: f64| {
            let (linear, angular) = (sign * n, sign * arm.cross(n));
            let (dv, dw) = if is_moved(i) {
                moved(bodies, i as usize, linear, angular)
            } else {
                (DVec3::ZERO, DVec3::ZERO)
            };
            Side {
                body: if is_moved(i) { i } else { u32::MAX },
                linear,
                angular,
                dv,
                dw,
            }
        };
        let friction_of = |i: u32, arm: DVec3, sign: f64| {
            if !is_moved(i) {
                return (DVec3::ZERO, DVec3::ZERO);
            }
            let friction = sign * friction;
            moved(bodies, i as usize, friction, arm.cross(friction))
        };
        let [a, b] = [point.a, point.b].map(|i| bodies.whole_of(i as usize) as u32);
        let sides = [side(a, arm_a, 1.0), side(b, arm_b, -1.0)];
        let velocity = |i: u32, side: &Side| {
            let own = of_rim(i).copied().unwrap_or_else(|| Rim::new(bodies, i));
            side.linear.dot(own.velocity) + side.angular.dot(own.angular_velocity)
        };
        Self {
            excess: velocity(a, &sides[0])
                + velocity(b, &sides[1])
                + f64::from(point.closing_allowed.max(0.0)),
            start: f64::from(point.normal_impulse),
            friction: [friction_of(a, arm_a, 1.0), friction_of(b, arm_b, -1.0)],
            sides,
        }
    }
}

impl Side {
    /// Whether impulses move the body.
    pub fn is_moved(&self) -> bool {
        self.body != u32::MAX
    }

    /// Change of the row's normal velocity by a change of the body's velocities.
    pub fn felt(&self, (dv, dw): (DVec3, DVec3)) -> f64 {
        self.linear.dot(dv) + self.angular.dot(dw)
    }
}

/// Change of a dynamic body's velocities by an impulse and an angular impulse.
fn moved(bodies: &Bodies, i: usize, linear: DVec3, angular: DVec3) -> (DVec3, DVec3) {
    let dw = (bodies.inverse_inertia[i]).precise_mul(bodies.flight_rotation[i], angular);
    (linear * f64::from(bodies.inverse_mass[i]), dw)
}
