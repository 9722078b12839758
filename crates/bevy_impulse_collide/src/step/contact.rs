//! Stage 4: resting and rolling contacts. A contact is a [`Row`]; rows are built, warm-started, swept, and applied, in the
//! order of the functions below.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    bodies::{Bodies, Shape, smaller_radius},
    config::CollisionConfig,
    find::{BroadPhase, Contact, Contacts, ManifoldPoint, manifold},
    kernel::tangential_velocity,
};

/// What the contact stage keeps from one substep to the next.
#[derive(Resource, Default)]
pub struct ContactSolver {
    rows: Vec<Row>,
    /// The last substep's rows, sorted as they were.
    previous: Vec<Row>,
    velocity_before: Vec<DVec3>,
    angular_velocity_before: Vec<Vec3>,
    /// Sums of the impulses and of the angular impulses on each body.
    impulses: Vec<(DVec3, DVec3)>,
}

/// One contact point: what the sweeps need of it, and the impulses found so far.
#[derive(Clone, Copy, Debug)]
struct Row {
    a: u32,
    b: u32,
    /// The pair, and which point of its contact set: what finds the row again in the next substep.
    key: (Entity, Entity, u32),
    point: ManifoldPoint,
    arm_a: Vec3,
    arm_b: Vec3,
    /// Speed at which the gap may close: so fast that it is just gone when the substep ends.
    closing_allowed: f32,
    normal_mass: f32,
    tangents: (Vec3, Vec3),
    /// Inverse of K on the two tangents: xx, xy, yy.
    tangent_mass: (f32, f32, f32),
    turn_mass: f32,
    friction: f32,
    /// Largest rolling and spinning couple for a unit of normal impulse, in m.
    rolling_arm: f32,
    spinning_arm: f32,
    normal_impulse: f32,
    friction_impulse: Vec3,
    couple: Vec3,
}

impl Row {
    /// Impulse on `a` so far, in N·s: normal and friction.
    fn impulse(&self) -> Vec3 {
        self.point.normal * self.normal_impulse + self.friction_impulse
    }
}

/// Stage 4: resting and rolling contacts. Each contact point holds the velocity along its normal at or above the speed at
/// which its gap may close, with an impulse that only pushes; Coulomb friction holds the point of contact, rolling and
/// spinning friction hold the turning. Sequential impulses, clamped as accumulated, start from those of the last substep.
pub fn contact(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    mut solver: ResMut<ContactSolver>,
    mut contacts: ResMut<Contacts>,
) {
    let bodies = &mut *bodies;
    let solver = &mut *solver;
    std::mem::swap(&mut solver.rows, &mut solver.previous);
    solver.rows.clear();
    if config.stages.contact {
        for &(a, b) in &broad_phase.pairs {
            add_rows(&mut solver.rows, bodies, &config, a as usize, b as usize);
        }
    }
    remember(&mut solver.rows, &solver.previous, config.warm_start);

    solver.velocity_before.clear();
    solver
        .velocity_before
        .extend((0..bodies.len()).map(|i| bodies.precise_velocity(i)));
    solver
        .angular_velocity_before
        .clone_from(&bodies.angular_velocity);
    for row in &solver.rows {
        let impulse = row.impulse();
        push(bodies, row, impulse);
        twist(bodies, row, row.couple);
    }
    for _ in 0..config.contact_iterations {
        for row in &mut solver.rows {
            sweep(bodies, row);
        }
    }
    apply_sums(bodies, solver);
    remember_accelerations(bodies, solver);

    contacts.0.clear();
    contacts.0.extend(solver.rows.iter().map(|row| Contact {
        a: row.key.0,
        b: row.key.1,
        feature: row.key.2,
        point: row.point.point,
        normal: row.point.normal,
        depth: row.point.depth,
        impulse: row.impulse(),
    }));
}

fn add_rows(rows: &mut Vec<Row>, bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) {
    let h = bodies.h;
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let margin = config.contact_margin * radius;
    let field = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let slow = config.resting_speed + field.length() * h;
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        // Most pairs are balls too far apart: they need no contact set to tell.
        let reach = r_a + r_b + margin + slow * h;
        if bodies.position[a].distance_squared(bodies.position[b]) > reach * reach {
            return;
        }
    }
    for (feature, &point) in manifold(&bodies.placed(a), &bodies.placed(b))
        .iter()
        .enumerate()
    {
        let n = point.normal;
        let (arm_a, arm_b) = (
            point.point - bodies.position[a],
            point.point - bodies.position[b],
        );
        let velocity = bodies.point_velocity(a, arm_a) - bodies.point_velocity(b, arm_b);
        let gap = -point.depth;
        let approach = (-n.dot(velocity)).max(0.0);
        if gap > margin + h * approach.min(slow) {
            continue;
        }
        let launch = (bodies.launch_position[a] - bodies.position[a])
            - (bodies.launch_position[b] - bodies.position[b]);
        let centre_velocity = bodies.velocity[a] - bodies.velocity[b];
        if point.depth <= config.overlap_slop * radius
            && centre_velocity.length() * h > margin
            && parts_again(bodies, a, b, launch + centre_velocity * h)
        {
            continue;
        }
        let closing_allowed = gap.max(0.0) / h
            + n.dot(launch) / h
            + round_off_the_path(bodies, a, b, tangential_velocity(centre_velocity, n), h);
        rows.push(row(
            bodies,
            config,
            (a, b, feature as u32),
            point,
            (arm_a, arm_b),
            closing_allowed,
        ));
    }
}

/// Whether a ball that passes another body in this substep, by `path` relative to it, is clear of it at the end. The jolt
/// stage has seen to what they had to do with each other: the flat contact of a glancing pass would only take energy.
fn parts_again(bodies: &Bodies, a: usize, b: usize, path: Vec3) -> bool {
    let end = bodies.position[a] - bodies.position[b] + path;
    match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) => {
            end.length() >= r_a + r_b
        }
        (Shape::Particle { radius }, Shape::Plane) => end.dot(bodies.axis[b]) >= radius,
        (Shape::Plane, Shape::Particle { radius }) => -end.dot(bodies.axis[a]) >= radius,
        _ => false,
    }
}

/// Speed at which two round surfaces that slide past each other may close at first: v_t²·h/2 over their distance, which a
/// straight path over the substep opens up again. Without it every turning heap would swell.
fn round_off_the_path(bodies: &Bodies, a: usize, b: usize, v_t: Vec3, h: f32) -> f32 {
    let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    else {
        return 0.0;
    };
    let reach = r_a + r_b;
    // Past half the distance in a step the expansion means nothing.
    let slide = (v_t.length() * h).min(0.5 * reach);
    0.5 * slide * slide / (reach * h)
}

fn row(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b, feature): (usize, usize, u32),
    point: ManifoldPoint,
    (arm_a, arm_b): (Vec3, Vec3),
    closing_allowed: f32,
) -> Row {
    let (w, inertia_a, inertia_b) = (
        bodies.inverse_mass[a] + bodies.inverse_mass[b],
        bodies.inverse_inertia[a],
        bodies.inverse_inertia[b],
    );
    let (axis_a, axis_b) = (bodies.axis[a], bodies.axis[b]);
    // ⟨u, K·v⟩ for unit vectors u and v.
    let k = |u: Vec3, v: Vec3| {
        w * u.dot(v)
            + arm_a.cross(u).dot(inertia_a.mul(axis_a, arm_a.cross(v)))
            + arm_b.cross(u).dot(inertia_b.mul(axis_b, arm_b.cross(v)))
    };
    let n = point.normal;
    let (t, s) = tangents(n);
    let (tt, ts, ss) = (k(t, t), k(t, s), k(s, s));
    let determinant = tt * ss - ts * ts;
    let (material_a, material_b) = (bodies.material[a], bodies.material[b]);
    // A capsule turns most easily about its axis: with that ease, no couple overshoots, about whatever axis.
    let turn_ease =
        inertia_a.axial.max(inertia_a.transverse) + inertia_b.axial.max(inertia_b.transverse);
    // For a ball the bracket is 7/5, which makes the deceleration of a free roll μ_r·g.
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let roll = 1.0 + w / (turn_ease * radius * radius).max(f32::MIN_POSITIVE);
    Row {
        a: a as u32,
        b: b as u32,
        key: (bodies.entity[a], bodies.entity[b], feature),
        point,
        arm_a,
        arm_b,
        closing_allowed,
        normal_mass: k(n, n).recip(),
        tangents: (t, s),
        tangent_mass: (ss / determinant, -ts / determinant, tt / determinant),
        turn_mass: if turn_ease > 0.0 {
            turn_ease.recip()
        } else {
            0.0
        },
        friction: config
            .friction
            .combine(material_a.friction, material_b.friction),
        rolling_arm: radius
            * roll
            * config
                .rolling_friction
                .combine(material_a.rolling_friction, material_b.rolling_friction),
        spinning_arm: radius
            * config
                .spinning_friction
                .combine(material_a.spinning_friction, material_b.spinning_friction),
        normal_impulse: 0.0,
        friction_impulse: Vec3::ZERO,
        couple: Vec3::ZERO,
    }
}

/// Two unit vectors across `n` and each other. For a normal in the x–y plane they are in it and along z, exactly, so that a
/// flat scene stays flat.
fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let helper = if n.z.abs() < 0.7 { Vec3::Z } else { Vec3::X };
    let s = (helper - n * n.dot(helper)).normalize();
    (s.cross(n), s)
}

/// Takes over the impulses of rows that were there before. Both lists are sorted by key, so one pass finds them all.
fn remember(rows: &mut [Row], previous: &[Row], share: f32) {
    let mut old = previous.iter().peekable();
    for row in rows {
        while old.next_if(|old| old.key < row.key).is_some() {}
        if let Some(old) = old.next_if(|old| old.key == row.key) {
            row.normal_impulse = share * old.normal_impulse;
            row.friction_impulse =
                share * tangential_velocity(old.friction_impulse, row.point.normal);
            row.couple = share * old.couple;
        }
    }
}

fn sweep(bodies: &mut Bodies, row: &mut Row) {
    let n = row.point.normal;
    let velocity = |bodies: &Bodies| {
        bodies.point_velocity(row.a as usize, row.arm_a)
            - bodies.point_velocity(row.b as usize, row.arm_b)
    };

    if row.friction > 0.0 {
        let v = velocity(bodies);
        let (t, s) = row.tangents;
        let (v_t, v_s) = (v.dot(t), v.dot(s));
        let (xx, xy, yy) = row.tangent_mass;
        let stop = t * (-xx * v_t - xy * v_s) + s * (-xy * v_t - yy * v_s);
        let impulse =
            (row.friction_impulse + stop).clamp_length_max(row.friction * row.normal_impulse);
        let change = impulse - row.friction_impulse;
        row.friction_impulse = impulse;
        push(bodies, row, change);
    }

    if row.rolling_arm > 0.0 || row.spinning_arm > 0.0 {
        let w = bodies.angular_velocity[row.a as usize] - bodies.angular_velocity[row.b as usize];
        let wanted = row.couple - w * row.turn_mass;
        let spin = wanted.dot(n);
        let limit = row.spinning_arm * row.normal_impulse;
        let couple = (wanted - n * spin).clamp_length_max(row.rolling_arm * row.normal_impulse)
            + n * spin.clamp(-limit, limit);
        let change = couple - row.couple;
        row.couple = couple;
        twist(bodies, row, change);
    }

    let v_n = velocity(bodies).dot(n);
    let impulse = (row.normal_impulse - row.normal_mass * (v_n + row.closing_allowed)).max(0.0);
    let change = impulse - row.normal_impulse;
    row.normal_impulse = impulse;
    push(bodies, row, n * change);
}

/// Gives `impulse` to `a` at the contact point and the opposite to `b`.
#[inline]
fn push(bodies: &mut Bodies, row: &Row, impulse: Vec3) {
    let (a, b) = (row.a as usize, row.b as usize);
    bodies.velocity[a] += impulse * bodies.inverse_mass[a];
    bodies.velocity[b] -= impulse * bodies.inverse_mass[b];
    bodies.angular_velocity[a] +=
        bodies.inverse_inertia[a].mul(bodies.axis[a], row.arm_a.cross(impulse));
    bodies.angular_velocity[b] -=
        bodies.inverse_inertia[b].mul(bodies.axis[b], row.arm_b.cross(impulse));
}

/// Gives a couple to `a` and the opposite to `b`.
#[inline]
fn twist(bodies: &mut Bodies, row: &Row, couple: Vec3) {
    let (a, b) = (row.a as usize, row.b as usize);
    bodies.angular_velocity[a] += bodies.inverse_inertia[a].mul(bodies.axis[a], couple);
    bodies.angular_velocity[b] -= bodies.inverse_inertia[b].mul(bodies.axis[b], couple);
}

/// Sets each velocity anew from the sum of the impulses found, taken in f64. The sweeps have rounded at every one of their
/// small changes, here and there differently for the two bodies of a pair; this rounds once, so momenta do not wander.
fn apply_sums(bodies: &mut Bodies, solver: &mut ContactSolver) {
    solver.impulses.clear();
    solver.impulses.resize(bodies.len(), default());
    for row in &solver.rows {
        let impulse = row.impulse();
        let impulse = impulse.as_dvec3();
        let couple = row.couple.as_dvec3();
        let point = row.point.point.as_dvec3();
        for (i, sign) in [(row.a as usize, 1.0), (row.b as usize, -1.0)] {
            let (linear, angular) = &mut solver.impulses[i];
            // Seen from where the body launches, as the integration will have it: after an impact that is not its position.
            let arm = point - bodies.launch_position[i].as_dvec3();
            *linear += sign * impulse;
            *angular += sign * (arm.cross(impulse) + couple);
        }
    }
    for i in 0..bodies.len() {
        let (linear, angular) = solver.impulses[i];
        let dv = if bodies.is_free(i) {
            linear / f64::from(bodies.mass[i])
        } else {
            DVec3::ZERO
        };
        let dw = bodies.inverse_inertia[i].mul(bodies.launch_axis(i), angular.as_vec3());
        bodies.set_velocity(i, solver.velocity_before[i] + dv);
        bodies.angular_velocity[i] = solver.angular_velocity_before[i] + dw;
    }
}

/// Keeps what contacts did to each body, as the next substep's best guess. A hit that the jolt stage left over is no such
/// guess, so the guess is at most a few times the field that presses the body on its neighbours.
fn remember_accelerations(bodies: &mut Bodies, solver: &ContactSolver) {
    for i in 0..bodies.len() {
        // The first substep of a body kicks it from v(t), not from v(t−h/2): half as long.
        let rate = if bodies.steps[i] == 0 { 2.0 } else { 1.0 } / bodies.h;
        let limit = 2.0 * bodies.acceleration[i].length() as f32;
        let dv = (bodies.precise_velocity(i) - solver.velocity_before[i]).as_vec3();
        let dw = bodies.angular_velocity[i] - solver.angular_velocity_before[i];
        bodies.contact_acceleration[i] = (dv * rate).clamp_length_max(limit);
        let angular_limit = match bodies.shape[i] {
            Shape::Plane => 0.0,
            shape => 2.5 * limit / shape.radius(),
        };
        bodies.contact_angular_acceleration[i] = (dw * rate).clamp_length_max(angular_limit);
    }
}
