//! Stage 6: what still overlaps is pushed apart. Balls that contacts have lanes for are pushed several pairs at a time, pairs
//! with a capsule from the points at which they overlap; all other pairs go the general way, from the manifold.

mod balls;
mod capsules;

use bevy::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::{DVec3, Vec4};

use self::{
    balls::{Overlaps, Spot, Terms},
    capsules::{Point, points},
};
use super::slabs::{Partition, Parts, Slabs};
use crate::{
    bodies::{Bodies, Columns, IMMOVABLE, Shape, smaller_radius},
    config::{CollisionConfig, ProjectionLaw},
    find::{BroadPhase, ManifoldPoint, Placed, manifold},
    kernel::{
        InverseInertia, projection_shift, projection_velocity_change, reduced_mass,
        reduced_mass_ratio, turn,
    },
    parallel::{fill_chunks, for_each},
    solver::contact::{BallGroup, ContactGraph, ContactSolver},
};

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 1024;

/// What the projection stage keeps between calls so as not to allocate.
#[derive(Default)]
pub struct Projector {
    parts: Parts<Part>,
    spots: Vec<Spot>,
    shifts: Vec<Shift>,
    turnings: Vec<Turning>,
}

/// Pairs that are pushed apart together: those that overlap.
#[derive(Debug, Default)]
struct Part {
    balls: Vec<Overlaps>,
    on_planes: Vec<Overlaps>,
    points: Vec<Point>,
    others: Vec<(u32, u32)>,
    moved: bool,
}

/// What projection has changed of a body's position and velocity. The changes are so small against the position and velocity
/// themselves that in f32 they do not round a turning heap's momenta away.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Shift {
    /// Of the position; beside it the body's inverse mass.
    x: Vec4,
    /// Of the velocity; beside it 1 if anything of the body has changed.
    v: Vec4,
}

impl Shift {
    const NOBODY: Self = Self {
        x: Vec4::ZERO,
        v: Vec4::ZERO,
    };

    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: Vec3::ZERO.extend(bodies.inverse_mass[i]),
            v: Vec4::ZERO,
        }
    }

    fn x(&self) -> Vec3 {
        self.x.truncate()
    }

    fn v(&self) -> Vec3 {
        self.v.truncate()
    }

    fn has_moved(&self) -> bool {
        self.v.w > 0.0
    }

    fn set(&mut self, x: Vec3, v: Vec3) {
        self.x = x.extend(self.x.w);
        self.v = v.extend(1.0);
    }

    fn add(&mut self, x: Vec3, v: Vec3) {
        self.set(self.x() + x, self.v() + v);
    }

    fn write(&self, run: &mut Columns, i: usize) {
        run.set_position(i, run.precise_position(i) + self.x().as_dvec3());
        run.add_velocity(i, self.v().as_dvec3());
        run.launch_position[i] = run.position[i];
    }
}

/// How a body turns, and what projection has changed of that.
#[derive(Clone, Copy, Debug)]
struct Turning {
    turn: Turn,
    /// By how much a capsule turns about its centre when the stage ends; its axis and its angular velocity stay as if it had
    /// not turned until then.
    angle: Vec3,
}

impl Turning {
    const NOBODY: Self = Self {
        turn: Turn {
            w: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            axis: Vec3::Y,
        },
        angle: Vec3::ZERO,
    };

    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            turn: Turn::of(bodies, i),
            angle: Vec3::ZERO,
        }
    }

    fn write(&self, run: &mut Columns, i: usize) {
        let turn = self.turn.turned(self.angle, run.inverse_inertia[i]);
        run.angular_velocity[i] = turn.w;
        run.rotation[i] = turn.rotation;
        run.axis[i] = turn.axis;
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

    /// The body after what projection has changed of it.
    fn moved(self, shift: &Shift, turning: &Turning) -> Self {
        Self {
            x: self.x + shift.x().as_dvec3(),
            v: self.v + shift.v().as_dvec3(),
            turn: turning.turn,
            ..self
        }
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
    solver: Res<ContactSolver>,
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
        turnings,
    } = &mut *projector;
    partition.update(bodies, &broad_phase);
    let slabs = &partition.slabs;
    find_overlaps(
        parts,
        spots,
        bodies,
        &config,
        &broad_phase,
        &partition,
        &solver.graph,
    );
    if parts.iter().all(Part::is_empty) {
        return;
    }
    slabs.fill(shifts, Shift::NOBODY, |i| Shift::of(bodies, i));
    let turns = parts.iter().any(Part::turns);
    if turns {
        slabs.fill(turnings, Turning::NOBODY, |i| Turning::of(bodies, i));
    }
    let terms = Terms::new(&config, bodies.h);
    for _ in 0..config.projection_iterations {
        if turns {
            let none: &mut [()] = &mut [];
            slabs.for_each_part_of_all(
                parts,
                (&mut shifts[..], &mut turnings[..], none),
                |part, first, shifts, turnings, _| {
                    part.push_balls_apart(&terms, shifts);
                    part.push_others_apart(bodies, &config, slabs, first, shifts, turnings);
                },
            );
        } else {
            slabs.for_each_part(parts, shifts, |part, _, shifts| {
                part.push_balls_apart(&terms, shifts);
            });
        }
        if !parts.iter().any(|part| part.moved) {
            break;
        }
    }
    bodies.for_each_run(|first, mut run| {
        for i in 0..run.len() {
            let place = slabs.place(first + i);
            if run.is_pushed(i) && shifts[place].has_moved() {
                shifts[place].write(&mut run, i);
                if turns {
                    turnings[place].write(&mut run, i);
                }
            }
        }
    });
}

/// Finds what overlaps in each part.
fn find_overlaps(
    parts: &mut Parts<Part>,
    spots: &mut Vec<Spot>,
    bodies: &Bodies,
    config: &CollisionConfig,
    broad_phase: &BroadPhase,
    partition: &Partition,
    graph: &ContactGraph,
) {
    let slabs = &partition.slabs;
    fill_chunks(bodies.len(), BODIES_PER_TASK, spots, Spot::NONE, |i| {
        Spot::of(bodies, i)
    });
    parts.resize(slabs);
    let terms = Terms::new(config, bodies.h);
    let own = partition.pairs.iter();
    for_each(parts.iter_mut().zip(own).enumerate(), |(k, (part, own))| {
        part.clear();
        let unseated = match graph.pairs_of_cell(broad_phase, k) {
            Some((balls, others)) => {
                part.find_balls(&terms, spots, balls);
                others
            }
            None => own,
        };
        let first = slabs.reach(k).start;
        for &pair in unseated {
            part.find_other(
                bodies,
                config,
                slabs,
                first,
                broad_phase.pairs[pair as usize],
            );
        }
    });
}

impl Part {
    fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.on_planes.is_empty() && !self.turns()
    }

    /// Whether there are pairs of which a push may turn a body.
    fn turns(&self) -> bool {
        !(self.points.is_empty() && self.others.is_empty())
    }

    fn clear(&mut self) {
        self.balls.clear();
        self.on_planes.clear();
        self.points.clear();
        self.others.clear();
    }

    /// Takes those pairs of balls that overlap.
    fn find_balls<'a>(
        &mut self,
        terms: &Terms,
        spots: &[Spot],
        groups: impl Iterator<Item = BallGroup<'a>>,
    ) {
        dispatch!(Level::new(), simd => for balls in groups {
            if balls.on_planes {
                let overlaps = Overlaps::on_planes(simd, terms, spots, &balls);
                self.on_planes.extend(overlaps);
            } else {
                let (overlaps, near) = Overlaps::find(simd, terms, spots, &balls);
                self.balls.extend(overlaps);
                let near = near.iter().map(|lane| (balls.a[lane], balls.b[lane]));
                self.others.extend(near);
            }
        });
    }

    /// Takes a pair if it overlaps. `first` is the part's first place.
    fn find_other(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        first: usize,
        pair: (u32, u32),
    ) {
        let (a, b) = (pair.0 as usize, pair.1 as usize);
        if bodies.is_at_rest(a) && bodies.is_at_rest(b) {
            return;
        }
        if is_capsule(bodies, a) || is_capsule(bodies, b) {
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

    fn push_balls_apart(&mut self, terms: &Terms, shifts: &mut [Shift]) {
        self.moved = dispatch!(Level::new(), simd => {
            let mut moved = false;
            for overlaps in &self.balls {
                moved |= overlaps.push_apart::<_, false>(simd, terms, shifts);
            }
            for overlaps in &self.on_planes {
                moved |= overlaps.push_apart::<_, true>(simd, terms, shifts);
            }
            moved
        });
    }

    fn push_others_apart(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        first: usize,
        shifts: &mut [Shift],
        turnings: &mut [Turning],
    ) {
        for point in &self.points {
            self.moved |= point.push_apart(config, bodies.h, shifts, turnings);
        }
        for &(a, b) in &self.others {
            let place = |i| slabs.place(i) - first;
            let (a, b) = (a as usize, b as usize);
            self.moved |= project_pair(bodies, config, shifts, turnings, place, a, b);
        }
    }
}

fn is_capsule(bodies: &Bodies, i: usize) -> bool {
    matches!(bodies.shape[i], Shape::Capsule { .. })
}

/// Whether two bodies of any shape overlap by more than may be.
fn overlap(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    points.iter().any(|point| point.depth > slop)
}

/// Pushes the pair apart; whether it overlapped.
fn project_pair(
    bodies: &Bodies,
    config: &CollisionConfig,
    shifts: &mut [Shift],
    turnings: &mut [Turning],
    place: impl Fn(usize) -> usize,
    a: usize,
    b: usize,
) -> bool {
    // What nothing moves has no place among the shifts.
    let mover = |i: usize| {
        let mover = Mover::of(bodies, i);
        match bodies.is_free(i) {
            true => mover.moved(&shifts[place(i)], &turnings[place(i)]),
            false => mover,
        }
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
                let x = (mover.x - bodies.precise_position(i)).as_vec3();
                let v = (mover.v - bodies.precise_velocity(i)).as_vec3();
                shifts[place(i)].set(x, v);
                turnings[place(i)].turn = mover.turn;
            }
        }
    }
    moved
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
