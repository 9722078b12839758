//! Contacts in general, one at a time: with rolling or spinning friction, and of what grows.

use bevy::prelude::*;

use super::{
    motion::{Motion, change_both},
    row::Row,
};
use crate::{
    body::Bodies, collision::ManifoldPoint, kernel::InverseInertia, shape::smaller_radius,
};

/// What a contact needs besides its [`Row`].
#[derive(Clone, Copy, Debug)]
pub(super) struct General {
    a: Lever,
    b: Lever,
    normal_mass: f32,
    tangents: (Vec3, Vec3),
    /// Inverse of K on the two tangents: xx, xy, yy.
    tangent_mass: (f32, f32, f32),
    turn_mass: f32,
    /// Impulse in N·s that would stop the sliding that the contact comes with; zero without rolling friction, which alone
    /// asks for it.
    sliding: f32,
    /// Largest rolling and spinning couple for a unit of normal impulse, in m.
    rolling_arm: f32,
    spinning_arm: f32,
    pub couple: Vec3,
}

/// How the contact turns one of its bodies.
#[derive(Clone, Copy, Debug)]
struct Lever {
    arm: Vec3,
    axis: Vec3,
    inverse_inertia: InverseInertia,
    /// Velocity of the point for a unit of growth speed, and 1/G.
    stretch: Vec3,
    inverse_growth_inertia: f32,
}

impl Lever {
    fn turn(&self, impulse: Vec3) -> Vec3 {
        self.twist(self.arm.cross(impulse))
    }

    fn twist(&self, couple: Vec3) -> Vec3 {
        self.inverse_inertia.mul(self.axis, couple)
    }

    fn point_velocity(&self, motion: &Motion) -> Vec3 {
        let growth = self.stretch * motion.growth_speed();
        motion.velocity() + motion.angular_velocity().cross(self.arm) + growth
    }

    /// Gives the body an impulse at the point.
    fn push(&self, motion: &mut Motion, impulse: Vec3) {
        motion.add(impulse * motion.inverse_mass(), self.turn(impulse));
        if self.inverse_growth_inertia > 0.0 {
            motion.add_growth(self.stretch.dot(impulse) * self.inverse_growth_inertia);
        }
    }
}

impl General {
    pub fn new(
        bodies: &Bodies,
        a: usize,
        b: usize,
        point: &ManifoldPoint,
        (rolling_friction, spinning_friction): (f32, f32),
    ) -> Self {
        let lever = |i: usize| {
            let arm = point.point - bodies.position[i];
            Lever {
                arm,
                axis: bodies.axis[i],
                inverse_inertia: bodies.inverse_inertia[i],
                stretch: bodies.stretch(i, arm),
                inverse_growth_inertia: bodies.growth[i].inverse_inertia,
            }
        };
        let (lever_a, lever_b) = (lever(a), lever(b));
        let w = bodies.inverse_mass[a] + bodies.inverse_mass[b];
        // ⟨u, K·v⟩ for unit vectors u and v.
        let k = |u: Vec3, v: Vec3| {
            let turned = |lever: &Lever| {
                if lever.inverse_inertia == InverseInertia::ZERO {
                    return 0.0;
                }
                lever.arm.cross(u).dot(lever.turn(v))
                    + lever.stretch.dot(u) * lever.stretch.dot(v) * lever.inverse_growth_inertia
            };
            w * u.dot(v) + turned(&lever_a) + turned(&lever_b)
        };
        let n = point.normal;
        let (t, s) = tangents(n);
        let (tt, ts, ss) = (k(t, t), k(t, s), k(s, s));
        let determinant = tt * ss - ts * ts;
        // A capsule turns most easily about its axis: with that ease, no couple overshoots, about whatever axis.
        let ease = |lever: &Lever| {
            let inertia = lever.inverse_inertia;
            inertia.axial.max(inertia.transverse)
        };
        let turn_ease = ease(&lever_a) + ease(&lever_b);
        // For a ball the bracket is 7/5, which makes the deceleration of a free roll μ_r·g.
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let roll = 1.0 + w / (turn_ease * radius * radius).max(f32::MIN_POSITIVE);
        let mut general = Self {
            a: lever_a,
            b: lever_b,
            normal_mass: k(n, n).recip(),
            tangents: (t, s),
            tangent_mass: (ss / determinant, -ts / determinant, tt / determinant),
            turn_mass: if turn_ease > 0.0 {
                turn_ease.recip()
            } else {
                0.0
            },
            sliding: 0.0,
            rolling_arm: radius * roll * rolling_friction,
            spinning_arm: radius * spinning_friction,
            couple: Vec3::ZERO,
        };
        if rolling_friction > 0.0 {
            let slide = velocity_before(bodies, a, general.a.arm)
                - velocity_before(bodies, b, general.b.arm);
            general.sliding = general.stop(slide).length();
        }
        general
    }

    /// The same contact, without couple.
    pub fn without_couple(self) -> Self {
        Self {
            couple: Vec3::ZERO,
            ..self
        }
    }

    /// The tangential impulse, in N·s, that would have stopped the sliding that the contact came with; zero without rolling
    /// friction.
    pub fn slid(&self) -> f32 {
        self.sliding
    }

    /// The tangential impulse that would stop a sliding with velocity `v`.
    pub fn stop(&self, v: Vec3) -> Vec3 {
        let (t, s) = self.tangents;
        let (v_t, v_s) = (v.dot(t), v.dot(s));
        let (xx, xy, yy) = self.tangent_mass;
        t * (-xx * v_t - xy * v_s) + s * (-xy * v_t - yy * v_s)
    }

    /// Largest rolling couple, in N·m·s, with `normal_impulse`.
    ///
    /// Rolling friction is what rolls: while the contact slides, which `friction` ends after the part
    /// `sliding`/(`friction`·`normal_impulse`) of the substep, there is none.
    fn rolling_limit(&self, friction: f32, normal_impulse: f32) -> f32 {
        self.rolling_arm * (normal_impulse - self.sliding / friction).max(0.0)
    }

    fn push(&self, a: &mut Motion, b: &mut Motion, impulse: Vec3) {
        self.a.push(a, impulse);
        self.b.push(b, -impulse);
    }

    fn twist(&self, a: &mut Motion, b: &mut Motion, couple: Vec3) {
        a.add(Vec3::ZERO, self.a.twist(couple));
        b.add(Vec3::ZERO, -self.b.twist(couple));
    }
}

/// Velocity in m/s of the point at `arm` from the centre of body `i`, before the fields' kick of this substep.
fn velocity_before(bodies: &Bodies, i: usize, arm: Vec3) -> Vec3 {
    let kick = if bodies.steps[i] == 0 { 0.5 } else { 1.0 } * bodies.h;
    let dv = bodies.acceleration[i].as_vec3() + bodies.angular_acceleration[i].cross(arm);
    bodies.point_velocity(i, arm) - dv * kick
}

/// Two unit vectors across `n` and each other. For a normal in the x–y plane they are in it and along z, exactly, so that a
/// flat scene stays flat.
pub(super) fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let helper = if n.z.abs() < 0.7 { Vec3::Z } else { Vec3::X };
    let s = (helper - n * n.dot(helper)).normalize();
    (s.cross(n), s)
}

/// A general row with its bodies' places among the motions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    pub row_index: u32,
    bodies: (u32, u32),
    pub row: Row,
    pub general: General,
}

impl Single {
    pub fn new(row_index: u32, row: Row, general: General, bodies: (u32, u32)) -> Self {
        Self {
            row_index,
            bodies,
            row,
            general,
        }
    }

    /// Gives the impulses found so far.
    pub fn push_all(&self, motions: &mut [Motion]) {
        change_both(motions, self.bodies, |a, b| {
            self.general.push(a, b, self.row.impulse());
            self.general.twist(a, b, self.general.couple);
        });
    }

    /// Brings the contact closer to what it must hold: friction first, then rolling, then what keeps the bodies apart.
    pub fn sweep(&mut self, motions: &mut [Motion]) {
        let Self {
            bodies,
            row,
            general,
            ..
        } = self;
        change_both(motions, *bodies, |a, b| {
            let n = row.point.normal;
            let velocity =
                |a: &Motion, b: &Motion| general.a.point_velocity(a) - general.b.point_velocity(b);

            if row.friction > 0.0 {
                let stop = general.stop(velocity(a, b));
                let impulse = (row.friction_impulse + stop)
                    .clamp_length_max(row.friction * row.normal_impulse);
                let change = impulse - row.friction_impulse;
                row.friction_impulse = impulse;
                general.push(a, b, change);
            }

            if general.rolling_arm > 0.0 || general.spinning_arm > 0.0 {
                let w = a.angular_velocity() - b.angular_velocity();
                let wanted = general.couple - w * general.turn_mass;
                let spin = wanted.dot(n);
                let limit = general.spinning_arm * row.normal_impulse;
                let couple = (wanted - n * spin)
                    .clamp_length_max(general.rolling_limit(row.friction, row.normal_impulse))
                    + n * spin.clamp(-limit, limit);
                let change = couple - general.couple;
                general.couple = couple;
                general.twist(a, b, change);
            }

            let v_n = velocity(a, b).dot(n);
            let impulse =
                (row.normal_impulse - general.normal_mass * (v_n + row.closing_allowed)).max(0.0);
            let change = impulse - row.normal_impulse;
            row.normal_impulse = impulse;
            general.push(a, b, n * change);
        });
    }
}
