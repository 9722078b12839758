//! The contact points of a substep, and impulses at them.

use bevy::prelude::*;
use bevy_impulse_collide::{
    collision::{BroadPhase, manifold},
    prelude::*,
    smaller_radius,
};

/// Fraction of the smaller radius below which a gap is none: the rounding of a body that a method has put on a surface.
const SHELL: f32 = 1e-5;

/// A point at which two bodies touch or overlap.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap in m.
    pub depth: f32,
    /// From the centre of `a` to the point, in m.
    pub arm_a: Vec3,
    /// From the centre of `b` to the point, in m.
    pub arm_b: Vec3,
    /// Coefficient of restitution of the pair.
    pub restitution: f32,
    /// Coefficient of friction of the pair.
    pub friction: f32,
}

/// Finds the contact points of all pairs that touch.
pub fn find_contacts(
    bodies: &Bodies,
    broad_phase: &BroadPhase,
    config: &CollisionConfig,
) -> Vec<ContactPoint> {
    find_contacts_within(bodies, broad_phase, config, |_, _| 0.0)
}

/// Finds the contact points of all pairs that touch, or may touch before the end of the substep.
pub fn find_coming_contacts(
    bodies: &Bodies,
    broad_phase: &BroadPhase,
    config: &CollisionConfig,
) -> Vec<ContactPoint> {
    find_contacts_within(bodies, broad_phase, config, |a, b| {
        2.0 * bodies.substep() * (bodies.get(a).velocity() - bodies.get(b).velocity()).length()
    })
}

/// Finds the contact points whose gap is at most this fraction of the smaller radius.
pub fn find_near_contacts(
    bodies: &Bodies,
    broad_phase: &BroadPhase,
    config: &CollisionConfig,
    margin: f32,
) -> Vec<ContactPoint> {
    find_contacts_within(bodies, broad_phase, config, |a, b| {
        margin * smaller_radius(&bodies.get(a).shape(), &bodies.get(b).shape())
    })
}

/// Finds the contact points whose gap is at most `reach` of the two bodies, in m.
fn find_contacts_within(
    bodies: &Bodies,
    broad_phase: &BroadPhase,
    config: &CollisionConfig,
    reach: impl Fn(usize, usize) -> f32,
) -> Vec<ContactPoint> {
    let mut points = Vec::new();
    for (a, b) in broad_phase.pairs() {
        let (a, b) = (a as usize, b as usize);
        if !(bodies.get(a).is_dynamic() || bodies.get(b).is_dynamic()) {
            continue;
        }
        let shell =
            SHELL * smaller_radius(&bodies.get(a).shape(), &bodies.get(b).shape()) + reach(a, b);
        let (of_a, of_b) = (bodies.get(a).material(), bodies.get(b).material());
        let restitution = config
            .restitution
            .combine(of_a.restitution, of_b.restitution);
        let friction = config.friction.combine(of_a.friction, of_b.friction);
        for point in manifold(&bodies.get(a).placed(), &bodies.get(b).placed(), shell) {
            if point.depth >= -shell {
                points.push(ContactPoint {
                    a,
                    b,
                    normal: point.normal,
                    depth: point.depth,
                    arm_a: point.point - bodies.get(a).position(),
                    arm_b: point.point - bodies.get(b).position(),
                    restitution,
                    friction,
                });
            }
        }
    }
    points
}

impl ContactPoint {
    /// Velocity of `a` relative to `b` at the point, in m/s. The component along the normal is negative if they approach.
    pub fn velocity(&self, bodies: &Bodies) -> Vec3 {
        let of =
            |i: usize, arm| bodies.get(i).velocity() + bodies.get(i).angular_velocity().cross(arm);
        of(self.a, self.arm_a) - of(self.b, self.arm_b)
    }

    /// The mass that an impulse along the unit vector `n` moves, in kg:
    ///
    /// 1/m = Σ 1/mᵢ + (r×n)·I⁻¹·(r×n)
    pub fn effective_mass(&self, bodies: &Bodies, n: Vec3) -> f32 {
        let of = |i: usize, arm: Vec3| {
            let lever = arm.cross(n);
            let turned = bodies.get(i).turn_by(lever);
            bodies.get(i).inverse_mass() + lever.dot(turned)
        };
        1.0 / (of(self.a, self.arm_a) + of(self.b, self.arm_b))
    }

    /// Gives `a` the impulse in N·s, and `b` the opposite one.
    pub fn push(&self, bodies: &mut Bodies, impulse: Vec3) {
        bodies.get_mut(self.a).push(impulse, self.arm_a);
        bodies.get_mut(self.b).push(-impulse, self.arm_b);
    }

    /// An impact with the restitution `e`: the normal velocity becomes −e·v, and sliding loses μ times the normal impulse, at most all
    /// of it (Newton and Coulomb).
    pub fn impact(&self, bodies: &mut Bodies, e: f32) {
        let v = self.velocity(bodies);
        let normal_speed = v.dot(self.normal);
        let impulse = -(1.0 + e) * normal_speed * self.effective_mass(bodies, self.normal);
        self.push(bodies, impulse * self.normal);
        self.rub(bodies, self.friction * impulse);
    }

    /// Friction with an impulse of at most `limit` N·s.
    pub fn rub(&self, bodies: &mut Bodies, limit: f32) {
        let sliding = self.velocity(bodies).reject_from_normalized(self.normal);
        let Some(direction) = sliding.try_normalize() else {
            return;
        };
        let stop = sliding.length() * self.effective_mass(bodies, direction);
        self.push(bodies, -stop.min(limit) * direction);
    }

    /// The overlap of the two balls where they are now, in m: a pair before this one may have moved them.
    pub fn depth_now(&self, bodies: &Bodies) -> f32 {
        let apart = bodies.get(self.a).position() - bodies.get(self.b).position();
        bodies.get(self.a).shape().radius() + bodies.get(self.b).shape().radius() - apart.length()
    }

    /// Moves both bodies apart by the `distance` in m along the normal, each by its share of the inverse masses.
    pub fn move_apart(&self, bodies: &mut Bodies, distance: f32) {
        let [a, b] = [self.a, self.b].map(|i| bodies.get(i).inverse_mass());
        let shift = self.normal * (distance / (a + b));
        for (i, shift) in [(self.a, shift * a), (self.b, -shift * b)] {
            let mut body = bodies.get_mut(i);
            body.set_position(body.position() + shift);
        }
    }
}
