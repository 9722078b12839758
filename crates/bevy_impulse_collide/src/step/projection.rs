use bevy::prelude::*;
use glam::DVec3;

use super::slabs::{NO_BODY, Partition, Parts, Slabs};
use crate::{
    bodies::{Bodies, Columns, Shape, smaller_radius},
    config::{CollisionConfig, ProjectionLaw},
    find::{BroadPhase, ManifoldPoint, Placed, manifold},
    kernel::{
        InverseInertia, projection_shift, projection_velocity_change, reduced_mass,
        reduced_mass_ratio, turn,
    },
    parallel::for_each,
};

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 1024;

/// What the projection stage keeps between calls so as not to allocate.
#[derive(Default)]
pub struct Projector {
    parts: Parts<Part>,
    movers: Vec<Mover>,
}

/// Pairs that are pushed apart together: those that overlap.
#[derive(Debug, Default)]
struct Part {
    balls: Vec<Balls>,
    others: Vec<(u32, u32)>,
    moved: bool,
}

/// Two free balls: where they are among the part's movers, and how near they may come.
#[derive(Clone, Copy, Debug)]
struct Balls {
    places: [u32; 2],
    reach: f32,
}

/// What projection changes of a body, in f64, so that the many small pushes do not round a turning heap's momenta away.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Mover {
    // What a pair of balls needs comes first, in one cache line.
    x: DVec3,
    v: DVec3,
    inverse_mass: f32,
    moved: bool,
    mass: f64,
    shape: Shape,
    w: Vec3,
    rotation: Quat,
    axis: Vec3,
    inverse_inertia: InverseInertia,
}

impl Mover {
    const NOBODY: Self = Self {
        x: DVec3::ZERO,
        v: DVec3::ZERO,
        inverse_mass: 0.0,
        moved: false,
        mass: 0.0,
        shape: Shape::Plane,
        w: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        axis: Vec3::Y,
        inverse_inertia: InverseInertia::ZERO,
    };

    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: bodies.precise_position(i),
            v: bodies.precise_velocity(i),
            w: bodies.angular_velocity[i],
            rotation: bodies.rotation[i],
            axis: bodies.axis[i],
            shape: bodies.shape[i],
            mass: f64::from(bodies.mass[i]),
            inverse_mass: bodies.inverse_mass[i],
            inverse_inertia: bodies.inverse_inertia[i],
            moved: false,
        }
    }

    fn write(&self, run: &mut Columns, i: usize) {
        run.set_position(i, self.x);
        run.set_velocity(i, self.v);
        run.angular_velocity[i] = self.w;
        run.rotation[i] = self.rotation;
        run.axis[i] = self.axis;
        run.launch_position[i] = run.position[i];
        run.launch_rotation[i] = run.rotation[i];
    }

    fn placed(&self) -> Placed {
        Placed {
            shape: self.shape,
            x: self.x.as_vec3(),
            axis: self.axis,
        }
    }

    /// Turns a capsule by I⁻¹·`l`, and keeps its angular momentum: its angular velocity follows the inertia tensor round.
    fn turn(&mut self, l: Vec3) {
        let inertia = self.inverse_inertia;
        let momentum = inertia.inverse_mul(self.axis, self.w);
        let rotation = turn(inertia.mul(self.axis, l), 1.0) * self.rotation;
        self.rotation = rotation.normalize();
        self.axis = self.rotation * Vec3::Y;
        self.w = inertia.mul(self.axis, momentum);
    }
}

/// Stage 6: overlap that is left is pushed out with factor k_p, pair by pair. Velocities change only so far as to keep the
/// pair's angular momentum, which the push alone would raise whenever the pair turns.
///
/// The pairs are those that overlap when the stage begins. What their pushes make overlap waits for the next substep.
pub fn projection(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    mut partition: ResMut<Partition>,
    mut projector: Local<Projector>,
) {
    if !config.stages.projection || config.projection_iterations == 0 {
        return;
    }
    let bodies = &mut *bodies;
    let Projector { parts, movers } = &mut *projector;
    partition.update(bodies, &broad_phase);
    let slabs = &partition.slabs;
    parts.resize(slabs);
    let own = partition.pairs.iter();
    for_each(parts.iter_mut().zip(own).enumerate(), |(k, (part, own))| {
        let pairs = own.iter().map(|&k| broad_phase.pairs[k as usize]);
        part.collect(bodies, &config, slabs, slabs.reach(k).start, pairs);
    });
    if parts.iter().all(Part::is_empty) {
        return;
    }
    pack(movers, slabs, bodies);
    for _ in 0..config.projection_iterations {
        slabs.for_each_part(parts, movers, |part, first, movers| {
            part.moved = false;
            for balls in &part.balls {
                part.moved |= push_balls_apart(&config, bodies.h, movers, balls);
            }
            for &(a, b) in &part.others {
                let place = |i| slabs.place(i) - first;
                part.moved |= project_pair(bodies, &config, movers, place, a as usize, b as usize);
            }
        });
        if !parts.iter().any(|part| part.moved) {
            break;
        }
    }
    bodies.for_each_run(|first, mut run| {
        for i in 0..run.len() {
            if run.is_free(i) && movers[slabs.place(first + i)].moved {
                movers[slabs.place(first + i)].write(&mut run, i);
            }
        }
    });
}

impl Part {
    fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.others.is_empty()
    }

    /// Takes those of the pairs that overlap. `first` is the part's first place.
    fn collect(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        first: usize,
        pairs: impl Iterator<Item = (u32, u32)>,
    ) {
        self.balls.clear();
        self.others.clear();
        for pair in pairs {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            if bodies.is_at_rest(a) && bodies.is_at_rest(b) {
                continue;
            }
            let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
            if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
                (bodies.shape[a], bodies.shape[b])
            {
                let reach = r_a + r_b - slop;
                if bodies.position[a].distance_squared(bodies.position[b]) >= reach * reach {
                    continue;
                }
                if bodies.is_free(a) && bodies.is_free(b) {
                    let places = [a, b].map(|i| (slabs.place(i) - first) as u32);
                    self.balls.push(Balls { places, reach });
                } else {
                    self.others.push(pair);
                }
            } else {
                let points = manifold(&bodies.placed(a), &bodies.placed(b));
                if points.iter().any(|point| point.depth > slop) {
                    self.others.push(pair);
                }
            }
        }
    }
}

fn pack(movers: &mut Vec<Mover>, slabs: &Slabs, bodies: &Bodies) {
    movers.resize(slabs.body_at().len(), Mover::NOBODY);
    let chunks = movers.chunks_mut(BODIES_PER_TASK);
    let bodies_at = slabs.body_at().chunks(BODIES_PER_TASK);
    for_each(chunks.zip(bodies_at), |(movers, body_at)| {
        for (mover, &i) in movers.iter_mut().zip(body_at) {
            if i != NO_BODY {
                *mover = Mover::of(bodies, i as usize);
            }
        }
    });
}

/// Pushes the pair apart; whether it overlapped.
fn project_pair(
    bodies: &Bodies,
    config: &CollisionConfig,
    movers: &mut [Mover],
    place: impl Fn(usize) -> usize,
    a: usize,
    b: usize,
) -> bool {
    // What nothing moves has no place among the movers.
    let get = |movers: &[Mover], i: usize| {
        if bodies.is_free(i) {
            movers[place(i)]
        } else {
            Mover::of(bodies, i)
        }
    };
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let (mut mover_a, mut mover_b) = (get(movers, a), get(movers, b));
    let mut moved = false;
    for point in &manifold(&mover_a.placed(), &mover_b.placed()) {
        if point.depth > slop {
            let overlap = point.depth - slop;
            push_apart(config, bodies.h, &mut mover_a, &mut mover_b, point, overlap);
            moved = true;
        }
    }
    if moved {
        for (i, mover) in [(a, mover_a), (b, mover_b)] {
            if bodies.is_free(i) {
                movers[place(i)] = Mover {
                    moved: true,
                    ..mover
                };
            }
        }
    }
    moved
}

/// Pushes two free balls apart if they are nearer than they may be; whether they were.
///
/// The centres move by Δ·n against each other, shared by mass, and v_t becomes v_t·d/(d + Δ): the angular momentum
/// m_ab·d·n × v stays.
fn push_balls_apart(config: &CollisionConfig, h: f32, movers: &mut [Mover], balls: &Balls) -> bool {
    let Ok([a, b]) = movers.get_disjoint_mut(balls.places.map(|place| place as usize)) else {
        return false;
    };
    let reach = f64::from(balls.reach);
    let x_ab = a.x - b.x;
    let d_squared = x_ab.length_squared();
    if d_squared >= reach * reach {
        return false;
    }
    let d = d_squared.sqrt();
    let k_p = config.projection.factor(a.inverse_mass + b.inverse_mass, h);
    let push = f64::from(k_p) * (reach - d);
    if d <= 4.0 * push {
        // Of balls that nearly coincide, the velocities alone cannot keep the angular momentum.
        for point in &manifold(&a.placed(), &b.placed()) {
            push_apart(config, h, a, b, point, (reach - d) as f32);
        }
    } else {
        let n = x_ab / d;
        let share_a = b.mass / (a.mass + b.mass);
        a.x += n * (push * share_a);
        b.x -= n * (push * (1.0 - share_a));
        if config.projection_law == ProjectionLaw::Conserving {
            let v_ab = a.v - b.v;
            let change = (v_ab - n * n.dot(v_ab)) * (push / (d + push));
            a.v -= change * share_a;
            b.v += change * (1.0 - share_a);
        }
    }
    (a.moved, b.moved) = (true, true);
    true
}

/// Moves and turns the pair by a positional impulse P along the normal at the contact point: Δx = P/m, Δθ = I⁻¹·(r × P).
fn push_apart(
    config: &CollisionConfig,
    h: f32,
    a: &mut Mover,
    b: &mut Mover,
    point: &ManifoldPoint,
    overlap: f32,
) {
    let n = point.normal;
    let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
    // A ball's normal goes through its centre: nothing turns it.
    let torque = |mover: &Mover| match mover.shape {
        Shape::Capsule { .. } => (point.point - mover.x.as_vec3()).cross(n),
        _ => Vec3::ZERO,
    };
    let (torque_a, torque_b) = (torque(a), torque(b));
    let ease = w_a
        + w_b
        + a.inverse_inertia.quadratic(a.axis, torque_a)
        + b.inverse_inertia.quadratic(b.axis, torque_b);
    let k_p = config.projection.factor(ease, h);
    let p = projection_shift(k_p, ease.recip(), overlap);
    let conserves = w_a > 0.0 && w_b > 0.0 && config.projection_law == ProjectionLaw::Conserving;
    let momentum_before = orbital_momentum(a, b);
    if conserves {
        let push = n * (p / reduced_mass(w_a, w_b));
        let (x_ab, v_ab) = ((a.x - b.x).as_vec3(), (a.v - b.v).as_vec3());
        let change = projection_velocity_change(x_ab, v_ab, push).as_dvec3();
        a.v += change * f64::from(reduced_mass_ratio(w_a, w_b));
        b.v -= change * f64::from(reduced_mass_ratio(w_b, w_a));
    }
    for (mover, sign, torque) in [(&mut *a, 1.0, torque_a), (&mut *b, -1.0, torque_b)] {
        mover.x += (n * (sign * p)).as_dvec3() * f64::from(mover.inverse_mass);
        if torque != Vec3::ZERO && mover.inverse_mass > 0.0 {
            mover.turn(torque * (sign * p));
        }
    }
    if conserves {
        let lack = momentum_before - orbital_momentum(a, b);
        give_to_spins(a, b, lack.as_vec3());
    }
}

/// m_ab·x_ab × v_ab: the pair's angular momentum about its own centre of mass.
fn orbital_momentum(a: &Mover, b: &Mover) -> DVec3 {
    (a.x - b.x).cross(a.v - b.v) * (a.mass * b.mass / (a.mass + b.mass))
}

/// Gives the angular momentum that the velocities could not take, and what rounding of the positions has changed, to the
/// spins: to each body in proportion to its inertia, so both change their spin alike.
fn give_to_spins(a: &mut Mover, b: &mut Mover, lack: Vec3) {
    let (inertia_a, inertia_b) = (a.inverse_inertia, b.inverse_inertia);
    let share_a = inertia_b.transverse / (inertia_a.transverse + inertia_b.transverse);
    a.w += inertia_a.mul(a.axis, lack * share_a);
    b.w += inertia_b.mul(b.axis, lack * (1.0 - share_a));
}
