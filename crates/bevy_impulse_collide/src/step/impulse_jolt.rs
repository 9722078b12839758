use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    bodies::{Bodies, Flight, Shape, smaller_radius},
    config::CollisionConfig,
    events::Impact,
    find::{BroadPhase, ManifoldPoint, Placed, manifold},
    kernel::{
        ContactClass, EffectiveMass, contact_class, impact_impulse, parabola_impact_time,
        sphere_impact_time,
    },
};

/// The impacts of this fixed step, in time order, and what the stage keeps between calls so as not to allocate.
#[derive(Resource, Default)]
pub struct Impacts {
    /// Resolved impacts of all substeps so far.
    pub resolved: Vec<Impact>,
    queue: BinaryHeap<Reverse<Predicted>>,
    /// How often each body's flight has changed in this substep: a prediction made before is void.
    changes: Vec<u32>,
    met: Vec<u32>,
    new_pairs: Vec<(u32, u32)>,
}

/// An impact that will happen if neither body's flight changes before.
#[derive(Clone, Copy, Debug)]
struct Predicted {
    time: f32,
    a: u32,
    b: u32,
    changes: (u32, u32),
}

impl Ord for Predicted {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then_with(|| (self.a, self.b, self.changes).cmp(&(other.a, other.b, other.changes)))
    }
}

impl PartialOrd for Predicted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Predicted {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Predicted {}

/// Stage 3: the impacts inside this substep, soonest first, each at its own place on the bodies' parabolas
/// x(s) = x + v·s + a·s²/2. After each, only the flights of its two bodies are predicted anew. Then the second half kick
/// takes v(t) to v(t+h/2); that is given even with the stage off, or gravity would be halved.
///
/// An impact changes v by Δv and back-dates the launch by −Δv·s, so that integrating over the whole substep lands where
/// the flight after the impact does. Approaches too slow to be impacts are left to the contact stage, and so is whatever
/// is left when the impacts allowed are used up.
pub fn impulse_jolt(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    mut broad_phase: ResMut<BroadPhase>,
    mut impacts: ResMut<Impacts>,
) {
    let bodies = &mut *bodies;
    if config.stages.impulse_jolt {
        resolve_impacts(bodies, &config, &mut broad_phase, &mut impacts);
    }
    let h = bodies.h;
    for i in 0..bodies.len() {
        let predicted = config.stages.half_step_correction && bodies.steps[i] > 0;
        // The contacts' half kick served the flights only; the contact stage gives it in full.
        let (kick, unkick) = match (config.stages.half_step_correction, predicted) {
            (true, true) => (0.5 * h, 0.5 * h),
            (true, false) => (0.5 * h, 0.0),
            (false, _) => (h, 0.0),
        };
        let dv = bodies.acceleration[i] * f64::from(kick)
            - bodies.contact_acceleration[i].as_dvec3() * f64::from(unkick);
        let dw =
            bodies.angular_acceleration[i] * kick - bodies.contact_angular_acceleration[i] * unkick;
        bodies.add_velocity(i, dv);
        // The change was meant for the rotation at t. For a capsule that an impact has re-launched from another one, its
        // angular momentum is what must come over.
        let inertia = bodies.inverse_inertia[i];
        let momentum = inertia.inverse_mul(bodies.axis[i], dw);
        let launch_axis = bodies.launch_axis(i);
        bodies.angular_velocity[i] += inertia.mul(launch_axis, momentum);
    }
}

fn resolve_impacts(
    bodies: &mut Bodies,
    config: &CollisionConfig,
    broad_phase: &mut BroadPhase,
    impacts: &mut Impacts,
) {
    let Impacts {
        resolved,
        queue,
        changes,
        met,
        new_pairs,
    } = impacts;
    queue.clear();
    changes.clear();
    changes.resize(bodies.len(), 0);
    new_pairs.clear();
    for &(a, b) in &broad_phase.pairs {
        if let Some(time) = predict(bodies, config, a as usize, b as usize, 0.0) {
            queue.push(Reverse(Predicted {
                time,
                a,
                b,
                changes: (0, 0),
            }));
        }
    }
    let mut left = (config.impacts_per_substep * bodies.len() as f32) as u64;
    while let Some(Reverse(next)) = queue.pop() {
        let (a, b) = (next.a as usize, next.b as usize);
        if next.changes != (changes[a], changes[b]) {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let Some(impact) = resolve(bodies, config, a, b, next.time) else {
            continue;
        };
        resolved.push(impact);
        for i in [a, b].into_iter().filter(|&i| bodies.is_free(i)) {
            changes[i] += 1;
        }
        for i in [a, b] {
            if !bodies.is_free(i) || changes[i] >= config.impacts_per_body {
                continue;
            }
            met.clear();
            broad_phase.resweep(bodies, i, next.time, config.contact_margin, |j| {
                met.push(j as u32);
            });
            for &j in met.iter() {
                let (low, high) = (j.min(i as u32), j.max(i as u32));
                new_pairs.push((low, high));
                // The pair that has just met is predicted once, from its first body.
                if i == b && j as usize == a && bodies.is_free(a) {
                    continue;
                }
                if let Some(time) = predict(bodies, config, low as usize, high as usize, next.time)
                {
                    queue.push(Reverse(Predicted {
                        time,
                        a: low,
                        b: high,
                        changes: (changes[low as usize], changes[high as usize]),
                    }));
                }
            }
        }
    }
    if !new_pairs.is_empty() {
        broad_phase.pairs.append(new_pairs);
        broad_phase.pairs.sort_unstable();
        broad_phase.pairs.dedup();
    }
}

/// When, from `from` seconds into the substep on, `a` and `b` will hit each other faster than resting bodies do.
fn predict(
    bodies: &Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    from: f32,
) -> Option<f32> {
    let until = bodies.h - from;
    let time = match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) => {
            let (at_a, at_b) = (bodies.fly(a, from), bodies.fly(b, from));
            sphere_impact_time(
                at_a.x - at_b.x,
                at_a.v - at_b.v,
                bodies.flight_acceleration(a) - bodies.flight_acceleration(b),
                r_a + r_b,
                until,
            )?
        }
        (Shape::Particle { radius }, Shape::Plane) => ball_on_plane(bodies, a, b, radius, from)?,
        (Shape::Plane, Shape::Particle { radius }) => ball_on_plane(bodies, b, a, radius, from)?,
        _ => advance(bodies, a, b, from)?,
    } + from;
    let point = contact_points(bodies, a, b, time).into_iter().next()?;
    let (at_a, at_b) = (bodies.fly(a, time), bodies.fly(b, time));
    let v_n = approach(&at_a, &at_b, &point);
    let tolerance = resting_speed(bodies, config, a, b, point.normal);
    (contact_class(v_n, tolerance) == ContactClass::Impacting).then_some(time)
}

fn ball_on_plane(
    bodies: &Bodies,
    ball: usize,
    plane: usize,
    radius: f32,
    from: f32,
) -> Option<f32> {
    let normal = bodies.axis[plane];
    let at = bodies.fly(ball, from);
    parabola_impact_time(
        (at.x - bodies.position[plane]).dot(normal) - radius,
        at.v.dot(normal),
        bodies.flight_acceleration(ball).dot(normal),
        bodies.h - from,
    )
}

/// Time until two shapes meet of which one is a capsule, by conservative advancement: go on by the gap over the greatest
/// speed at which it can shrink, until it is gone (B. Mirtich, Impulse-based Dynamic Simulation, 1996, 2.3).
fn advance(bodies: &Bodies, a: usize, b: usize, from: f32) -> Option<f32> {
    let until = bodies.h - from;
    let reach = |i: usize| match bodies.shape[i] {
        Shape::Capsule { half_length, .. } => bodies.angular_velocity[i].length() * half_length,
        _ => 0.0,
    };
    let relative_a = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let turning = reach(a) + reach(b);
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let tolerance = 1e-5 * radius;
    let mut s = 0.0;
    for _ in 0..48 {
        let (at_a, at_b) = (bodies.fly(a, from + s), bodies.fly(b, from + s));
        let points = manifold(&placed(bodies, a, &at_a), &placed(bodies, b, &at_b));
        let nearest = points.iter().max_by(|p, q| p.depth.total_cmp(&q.depth))?;
        let gap = -nearest.depth;
        let v_n = points
            .iter()
            .filter(|p| -p.depth <= tolerance)
            .map(|p| approach(&at_a, &at_b, p))
            .fold(f32::INFINITY, f32::min);
        if gap <= tolerance && v_n < 0.0 {
            return Some(s);
        }
        // No plane is passed sideways: only the speed along its normal counts.
        let is_plane = |i: usize| matches!(bodies.shape[i], Shape::Plane);
        let closing = if is_plane(a) || is_plane(b) {
            (-(at_a.v - at_b.v).dot(nearest.normal)).max(0.0)
        } else {
            (at_a.v - at_b.v).length()
        };
        let fastest = closing + relative_a.length() * (until - s) + turning;
        if fastest <= 0.0 {
            return None;
        }
        s += gap.max(tolerance) / fastest;
        if s > until {
            return None;
        }
    }
    None
}

/// Resolves the impact of `a` and `b` at `s` seconds into the substep. `None` if they turn out not to approach.
fn resolve(
    bodies: &mut Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    s: f32,
) -> Option<Impact> {
    let (at_a, at_b) = (bodies.fly(a, s), bodies.fly(b, s));
    let points = contact_points(bodies, a, b, s);
    let approaching = points.iter().filter(|p| approach(&at_a, &at_b, p) < 0.0);
    let count = approaching.clone().count();
    if count == 0 {
        return None;
    }
    // A capsule that lands flat lands on the middle of its two points.
    let share = 1.0 / count as f32;
    let point = approaching.clone().map(|p| p.point * share).sum::<Vec3>();
    let normal = approaching.map(|p| p.normal).sum::<Vec3>().normalize();
    let (arm_a, arm_b) = (point - at_a.x, point - at_b.x);
    let velocity = at_a.v + at_a.w.cross(arm_a) - at_b.v - at_b.w.cross(arm_b);
    let v_n = normal.dot(velocity);
    if v_n >= 0.0 {
        return None;
    }
    let (material_a, material_b) = (bodies.material[a], bodies.material[b]);
    let impulse = impact_impulse(
        EffectiveMass::new(
            (
                bodies.inverse_mass[a],
                bodies.inverse_inertia[a],
                at_a.axis,
                arm_a,
            ),
            (
                bodies.inverse_mass[b],
                bodies.inverse_inertia[b],
                at_b.axis,
                arm_b,
            ),
        ),
        normal,
        velocity,
        config
            .restitution
            .combine(material_a.restitution, material_b.restitution),
        config
            .friction
            .combine(material_a.friction, material_b.friction),
    );
    let couples = conserving_couples(bodies, (a, &at_a), (b, &at_b), s, impulse);
    for (i, at, arm, impulse, couple) in [
        (a, &at_a, arm_a, impulse, couples.0),
        (b, &at_b, arm_b, -impulse, couples.1),
    ] {
        if bodies.is_free(i) {
            let dv = impulse * bodies.inverse_mass[i];
            let dw = bodies.inverse_inertia[i].mul(at.axis, arm.cross(impulse) + couple);
            bodies.jolt(i, at, s, dv, dw);
        }
    }
    Some(Impact {
        a: bodies.entity[a],
        b: bodies.entity[b],
        impulse,
        point,
        normal,
        approach_speed: -v_n,
        time: bodies.time + s,
    })
}

/// The couples that keep the angular momentum of a free pair to round-off where its bodies accelerate differently.
///
/// Over the whole substep a body goes straight, with v(t+h/2): there its path at s is y(s) = x + v(t+h/2)·s, beside the
/// parabola on which the impact is. The impulse pair acts along y_a − y_b for the balance and along x_a − x_b in truth;
/// the small difference, (y_a − y_b − x_a + x_b) × P, is taken back from the spins. In a uniform field it is nothing.
fn conserving_couples(
    bodies: &Bodies,
    (a, at_a): (usize, &Flight),
    (b, at_b): (usize, &Flight),
    s: f32,
    impulse: Vec3,
) -> (Vec3, Vec3) {
    if !(bodies.is_free(a) && bodies.is_free(b)) {
        return (Vec3::ZERO, Vec3::ZERO);
    }
    let beside = |i: usize, at: &Flight| {
        let half_kick =
            (bodies.acceleration[i].as_vec3() - bodies.contact_acceleration[i]) * (0.5 * bodies.h);
        bodies.launch_position[i] + (bodies.velocity[i] + half_kick) * s - at.x
    };
    let excess = (beside(a, at_a) - beside(b, at_b)).cross(impulse);
    let (ease_a, ease_b) = (
        bodies.inverse_inertia[a].transverse,
        bodies.inverse_inertia[b].transverse,
    );
    let share_a = ease_b / (ease_a + ease_b);
    (-excess * share_a, -excess * (1.0 - share_a))
}

/// The points at which `a` and `b` touch at `s` seconds into the substep: the deepest, and any as good as it.
fn contact_points(bodies: &Bodies, a: usize, b: usize, s: f32) -> SmallVec<[ManifoldPoint; 2]> {
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
fn approach(at_a: &Flight, at_b: &Flight, p: &ManifoldPoint) -> f32 {
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
