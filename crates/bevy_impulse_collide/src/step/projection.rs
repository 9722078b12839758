//! Stage 6: what still overlaps is pushed apart. Pairs of free balls, and pairs with a capsule, of which there may be many,
//! have short ways of their own; all other pairs go the general way, from the manifold.

mod capsules;

use bevy::prelude::*;
use glam::DVec3;

use self::capsules::{Point, points};
use super::slabs::{NO_BODY, Partition, Parts, Slabs};
use crate::{
    bodies::{Bodies, Columns, IMMOVABLE, Shape, smaller_radius},
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

/// Balls nearer than this part of the distance that they should have nearly coincide: their velocities alone can not keep the
/// angular momentum while a push turns them round each other.
const NEAR: f32 = 0.7;

/// What the projection stage keeps between calls so as not to allocate.
#[derive(Default)]
pub struct Projector {
    parts: Parts<Part>,
    spots: Vec<Vec4>,
    shifts: Vec<Shift>,
}

/// Pairs that are pushed apart together: those that overlap.
#[derive(Debug, Default)]
struct Part {
    balls: Vec<Balls>,
    points: Vec<Point>,
    others: Vec<(u32, u32)>,
    moved: bool,
}

/// Two free balls: where they are among the part's bodies, how they stood and moved against each other when the stage began,
/// and how near they may come.
#[derive(Clone, Copy, Debug)]
struct Balls {
    places: [u32; 2],
    x_ab: Vec3,
    v_ab: Vec3,
    reach: f32,
}

/// What projection has changed of a body's position and velocity, and how it turns now. The changes are so small against the
/// position and velocity themselves that in f32 they do not round a turning heap's momenta away.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Shift {
    // What a pair of balls needs comes first.
    x: Vec3,
    inverse_mass: f32,
    v: Vec3,
    moved: bool,
    turn: Turn,
    /// By how much a capsule turns about its centre when the stage ends; its axis and its angular velocity stay as if it had
    /// not turned until then.
    angle: Vec3,
}

impl Shift {
    const NOBODY: Self = Self {
        x: Vec3::ZERO,
        inverse_mass: 0.0,
        v: Vec3::ZERO,
        moved: false,
        turn: Turn {
            w: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            axis: Vec3::Y,
        },
        angle: Vec3::ZERO,
    };

    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            inverse_mass: bodies.inverse_mass[i],
            turn: Turn::of(bodies, i),
            ..Self::NOBODY
        }
    }

    fn write(&self, run: &mut Columns, i: usize) {
        run.set_position(i, run.precise_position(i) + self.x.as_dvec3());
        run.add_velocity(i, self.v.as_dvec3());
        let turn = self.turn.turned(self.angle, run.inverse_inertia[i]);
        run.angular_velocity[i] = turn.w;
        run.rotation[i] = turn.rotation;
        run.axis[i] = turn.axis;
        run.launch_position[i] = run.position[i];
        run.launch_rotation[i] = run.rotation[i];
    }
}

/// How a body turns and is turned.
#[derive(Clone, Copy, Debug)]
struct Turn {
    w: Vec3,
    rotation: Quat,
    axis: Vec3,
}

impl Turn {
    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            w: bodies.angular_velocity[i],
            rotation: bodies.rotation[i],
            axis: bodies.axis[i],
        }
    }

    /// After a turn of a capsule that keeps its angular momentum: its angular velocity follows the inertia tensor round.
    fn turned(self, angle: Vec3, inertia: InverseInertia) -> Self {
        if angle == Vec3::ZERO {
            return self;
        }
        let momentum = inertia.inverse_mul(self.axis, self.w);
        let rotation = (turn(angle, 1.0) * self.rotation).normalize();
        let axis = rotation * Vec3::Y;
        Self {
            w: inertia.mul(axis, momentum),
            rotation,
            axis,
        }
    }
}

/// All that a push may need to know of a body.
#[derive(Clone, Copy, Debug)]
struct Mover {
    x: DVec3,
    v: DVec3,
    mass: f64,
    inverse_mass: f32,
    inverse_inertia: InverseInertia,
    shape: Shape,
    turn: Turn,
}

impl Mover {
    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: bodies.precise_position(i),
            v: bodies.precise_velocity(i),
            mass: f64::from(bodies.mass[i]),
            inverse_mass: bodies.inverse_mass[i],
            inverse_inertia: bodies.inverse_inertia[i],
            shape: bodies.shape[i],
            turn: Turn::of(bodies, i),
        }
    }

    /// The body after a shift.
    fn shifted(self, shift: Option<&Shift>) -> Self {
        shift.map_or(self, |shift| Self {
            x: self.x + shift.x.as_dvec3(),
            v: self.v + shift.v.as_dvec3(),
            turn: shift.turn,
            ..self
        })
    }

    fn placed(&self) -> Placed {
        Placed {
            shape: self.shape,
            x: self.x.as_vec3(),
            axis: self.turn.axis,
        }
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
    let Projector {
        parts,
        spots,
        shifts,
    } = &mut *projector;
    mark_spots(spots, bodies);
    partition.update(bodies, &broad_phase);
    let slabs = &partition.slabs;
    parts.resize(slabs);
    let own = partition.pairs.iter();
    for_each(parts.iter_mut().zip(own).enumerate(), |(k, (part, own))| {
        let pairs = own.iter().map(|&k| broad_phase.pairs[k as usize]);
        part.collect(bodies, &config, spots, slabs, slabs.reach(k).start, pairs);
    });
    if parts.iter().all(Part::is_empty) {
        return;
    }
    pack(shifts, slabs, bodies);
    for _ in 0..config.projection_iterations {
        slabs.for_each_part(parts, shifts, |part, first, shifts| {
            part.moved = false;
            for balls in &part.balls {
                part.moved |= push_balls_apart(&config, bodies.h, shifts, balls);
            }
            for point in &part.points {
                part.moved |= point.push_apart(&config, bodies.h, shifts);
            }
            for &(a, b) in &part.others {
                let place = |i| slabs.place(i) - first;
                part.moved |= project_pair(bodies, &config, shifts, place, a as usize, b as usize);
            }
        });
        if !parts.iter().any(|part| part.moved) {
            break;
        }
    }
    bodies.for_each_run(|first, mut run| {
        for i in 0..run.len() {
            if run.is_pushed(i) {
                let shift = &shifts[slabs.place(first + i)];
                if shift.moved {
                    shift.write(&mut run, i);
                }
            }
        }
    });
}

impl Part {
    fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.points.is_empty() && self.others.is_empty()
    }

    /// Takes those of the pairs that overlap. `first` is the part's first place.
    fn collect(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        spots: &[Vec4],
        slabs: &Slabs,
        first: usize,
        pairs: impl Iterator<Item = (u32, u32)>,
    ) {
        self.balls.clear();
        self.points.clear();
        self.others.clear();
        for pair in pairs {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let (spot_a, spot_b) = (spots[a], spots[b]);
            let are_balls = spot_a.w.max(spot_b.w) < f32::INFINITY;
            let reach = spot_a.w + spot_b.w - config.overlap_slop * spot_a.w.min(spot_b.w);
            let d_squared = (spot_a - spot_b).truncate().length_squared();
            let is_apart = are_balls && d_squared >= reach * reach;
            if is_apart || (bodies.is_at_rest(a) && bodies.is_at_rest(b)) {
                continue;
            }
            let is_near = d_squared < (NEAR * reach) * (NEAR * reach);
            if are_balls && !is_near && bodies.is_pushed(a) && bodies.is_pushed(b) {
                self.balls.push(Balls {
                    places: [a, b].map(|i| (slabs.place(i) - first) as u32),
                    x_ab: (bodies.precise_position(a) - bodies.precise_position(b)).as_vec3(),
                    v_ab: (bodies.precise_velocity(a) - bodies.precise_velocity(b)).as_vec3(),
                    reach,
                });
            } else if !are_balls && (is_capsule(bodies, a) || is_capsule(bodies, b)) {
                let place = |i: usize| match bodies.is_free(i) {
                    true => (slabs.place(i) - first) as u32,
                    false => 0,
                };
                let found = points(bodies, config, (a, b), [place(a), place(b)]);
                self.points.extend(found);
            } else if overlap(bodies, config, a, b) {
                self.others.push(pair);
            }
        }
    }
}

fn is_capsule(bodies: &Bodies, i: usize) -> bool {
    matches!(bodies.shape[i], Shape::Capsule { .. })
}

/// Where each body is, and its radius; of all but balls, the radius is infinite.
fn mark_spots(spots: &mut Vec<Vec4>, bodies: &Bodies) {
    spots.resize(bodies.len(), Vec4::ZERO);
    let chunks = spots.chunks_mut(BODIES_PER_TASK).enumerate();
    for_each(chunks, |(k, spots)| {
        for (i, spot) in (k * BODIES_PER_TASK..).zip(spots) {
            let radius = match bodies.shape[i] {
                Shape::Particle { radius } => radius,
                _ => f32::INFINITY,
            };
            *spot = bodies.position[i].extend(radius);
        }
    });
}

/// Whether two bodies of any shape overlap by more than may be.
fn overlap(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    points.iter().any(|point| point.depth > slop)
}

fn pack(shifts: &mut Vec<Shift>, slabs: &Slabs, bodies: &Bodies) {
    shifts.resize(slabs.body_at().len(), Shift::NOBODY);
    let chunks = shifts.chunks_mut(BODIES_PER_TASK);
    let bodies_at = slabs.body_at().chunks(BODIES_PER_TASK);
    for_each(chunks.zip(bodies_at), |(shifts, body_at)| {
        for (shift, &i) in shifts.iter_mut().zip(body_at) {
            *shift = match i {
                NO_BODY => Shift::NOBODY,
                i => Shift::of(bodies, i as usize),
            };
        }
    });
}

/// Pushes the pair apart; whether it overlapped.
fn project_pair(
    bodies: &Bodies,
    config: &CollisionConfig,
    shifts: &mut [Shift],
    place: impl Fn(usize) -> usize,
    a: usize,
    b: usize,
) -> bool {
    // What nothing moves has no place among the shifts.
    let mover = |i: usize| {
        let shift = bodies.is_free(i).then(|| shifts[place(i)]);
        Mover::of(bodies, i).shifted(shift.as_ref())
    };
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let (mut mover_a, mut mover_b) = (mover(a), mover(b));
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
                let shift = &mut shifts[place(i)];
                shift.x = (mover.x - bodies.precise_position(i)).as_vec3();
                shift.v = (mover.v - bodies.precise_velocity(i)).as_vec3();
                shift.turn = mover.turn;
                shift.moved = true;
            }
        }
    }
    moved
}

/// Pushes two free balls apart if they are nearer than they may be; whether they were.
///
/// The centres move by Δ·n against each other, shared by mass, and v_t becomes v_t·d/(d + Δ): the angular momentum
/// m_ab·d·n × v stays.
#[inline]
fn push_balls_apart(config: &CollisionConfig, h: f32, shifts: &mut [Shift], balls: &Balls) -> bool {
    let Ok([a, b]) = shifts.get_disjoint_mut(balls.places.map(|place| place as usize)) else {
        return false;
    };
    let x_ab = balls.x_ab + (a.x - b.x);
    let d_squared = x_ab.length_squared();
    if d_squared >= balls.reach * balls.reach {
        return false;
    }
    let d = d_squared.sqrt().max(f32::MIN_POSITIVE);
    let ease = a.inverse_mass + b.inverse_mass;
    let push = config.projection.factor(ease, h) * (balls.reach - d);
    let n = x_ab / d;
    let (share_a, share_b) = (a.inverse_mass / ease, b.inverse_mass / ease);
    a.x += n * (push * share_a);
    b.x -= n * (push * share_b);
    if config.projection_law == ProjectionLaw::Conserving {
        let v_ab = balls.v_ab + (a.v - b.v);
        let change = (v_ab - n * n.dot(v_ab)) * (push / (d + push));
        a.v -= change * share_a;
        b.v += change * share_b;
    }
    (a.moved, b.moved) = (true, true);
    true
}

/// Moves the pair by a positional impulse P along the normal: Δx = P/m. A ball's normal goes through its centre: nothing turns
/// it.
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
    let ease = w_a + w_b;
    let k_p = config.projection.factor(ease, h);
    let p = projection_shift(k_p, ease.recip(), overlap);
    let conserves = w_a.min(w_b) > IMMOVABLE && config.projection_law == ProjectionLaw::Conserving;
    let momentum_before = orbital_momentum(a, b);
    if conserves {
        let push = n * (p / reduced_mass(w_a, w_b));
        let (x_ab, v_ab) = ((a.x - b.x).as_vec3(), (a.v - b.v).as_vec3());
        let change = projection_velocity_change(x_ab, v_ab, push).as_dvec3();
        a.v += change * f64::from(reduced_mass_ratio(w_a, w_b));
        b.v -= change * f64::from(reduced_mass_ratio(w_b, w_a));
    }
    for (mover, sign) in [(&mut *a, 1.0), (&mut *b, -1.0)] {
        mover.x += (n * (sign * p)).as_dvec3() * f64::from(mover.inverse_mass);
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
    a.turn.w += inertia_a.mul(a.turn.axis, lack * share_a);
    b.turn.w += inertia_b.mul(b.turn.axis, lack * (1.0 - share_a));
}
