//! A kind of constraint: the interface between the contact stage and what it solves, in this crate and outside of it.

use std::{any::Any, sync::atomic::AtomicBool};

use bevy::prelude::*;
use glam::{DVec3, Mat3, Vec4};

use super::{
    accumulator::ImpulseAccumulator,
    pose::{Aside, BodyExtras, SolverInertia, SolverPose},
    substep::Substep,
    velocity::SolverVelocity,
};
use crate::{
    body::Bodies,
    kernel::{InverseInertia, free_rotation},
    solver::partition::CellLayout,
};

/// A kind of constraint. Each of its constraints is one or more rows: a row is a velocity that an impulse between two bodies
/// brings to a given value.
///
/// Balls, points of other shapes, and points on colliders are three kinds. A kind of your own, such as a joint, is added to
/// [`Constraints`](super::Constraints). In every substep it goes through the same verbs as the contacts do: prepare, then warm
/// start, then a number of sweeps, then accumulate. The last word of a sweep is yours: where a contact and your constraint
/// cannot both hold, yours does.
///
/// The bodies move through the whole substep with one velocity, that of its middle: x(t+h) = x(t) + h·v(t+h/2). So a constraint
/// on places holds at the end of the substep if `solve` brings the *places at the end* together, by the velocities: that is SHAKE
/// (J. Ryckaert, G. Ciccotti, H. Berendsen, 1977), and it keeps the energy over time.
pub trait Rows: Any + Send + Sync {
    /// Brings the rows up to date with the bodies, at the start of a substep's contact stage. The impulses of the last substep are
    /// the best guess of the new ones.
    fn prepare(&mut self, input: &RowInput);

    /// Gives the bodies the impulses that the rows start with.
    fn warm_start(&mut self, velocities: &mut RowVelocities);

    /// One sweep: brings each row closer to its law. Contacts change their normal impulses by `relaxation` times the change that
    /// satisfies each of them alone; it is 1 in the last sweeps.
    fn solve(&mut self, relaxation: f32, velocities: &mut RowVelocities);

    /// Calls `unsettled` with the bodies whose velocities the last sweep has changed by so much that their contacts should be swept
    /// once more.
    fn list_unsettled(&self, unsettled: &mut dyn FnMut(&RowBody)) {
        let _ = unsettled;
    }

    /// Responds to what a sweep over the contacts has changed, where more sweeps follow: by default as `solve` does. A kind that is costly
    /// to solve may answer in short here.
    fn respond(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        self.solve(relaxation, velocities);
    }

    /// Adds the impulses of all rows to the `sums` of the bodies. The velocities are then set anew from these sums, in f64.
    fn accumulate(&self, sums: &mut RowSums);

    /// For kinds that act on the step from t to t+h, half of it before the bodies move and half after, as fields do: calls `give` with
    /// the first half, for each body once. They add nothing to the sums. Contacts act from t−h/2 to t+h/2.
    fn give_first_half(&mut self, give: &mut dyn FnMut(HalfImpulse)) {
        let _ = give;
    }

    /// Gives the second half, where the bodies have come to.
    fn give_second_half(&mut self, bodies: &mut Bodies) {
        let _ = bodies;
    }

    /// Calls `link` with the bodies of each constraint that is there now. Bodies with a link fall asleep and wake together, and a
    /// static body with a link holds them up. A body that the world holds has a link with itself. The links of contacts are found
    /// from their impulses.
    fn links(&self, bodies: &Bodies, link: &mut dyn FnMut(usize, usize)) {
        let _ = (bodies, link);
    }

    /// Adds the errors of places and rotations that are left at the end of a substep: the projection takes them away. Contacts have
    /// a kernel of their own for their overlaps.
    fn position_errors(&mut self, bodies: &Bodies, errors: &mut Vec<PositionError>) {
        let _ = (bodies, errors);
    }
}

/// What the rows of a substep are made from.
#[derive(Clone, Copy)]
pub struct RowInput<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) layout: &'a CellLayout,
    pub(super) substep: Substep,
    pub(super) poses: &'a [SolverPose],
    pub(super) inertias: &'a [SolverInertia],
    pub(super) extras: &'a [BodyExtras],
    /// Velocities of the surfaces along themselves; empty in a world without belts.
    pub(super) belts: &'a [Vec4],
    /// Where the cores of parts lie; empty in a world without compounds.
    pub(super) asides: &'a [Aside],
    /// By the indices among the cell's solver bodies.
    pub(super) velocities: &'a [SolverVelocity],
    pub(super) growth_speeds: &'a [f32],
}

impl RowInput<'_> {
    /// Length of the substep in s.
    pub fn substep(&self) -> f32 {
        self.substep.h
    }

    /// All bodies.
    pub fn bodies(&self) -> &Bodies {
        self.bodies
    }

    /// The body of an entity, if it takes part. Of a part it is the compound, with the compound's centre of mass and axes.
    pub fn body(&self, entity: Entity) -> Option<RowBody> {
        self.bodies.index_of(entity).map(|i| self.body_at(i))
    }

    /// The body with this index in [`Bodies`], or the compound of which that is a part.
    pub fn body_at(&self, i: usize) -> RowBody {
        let bodies = self.bodies;
        let i = bodies.whole_of(i);
        let moves = bodies.moves(i);
        RowBody {
            index: i,
            entity: bodies.entity[i],
            slot: if moves {
                self.layout.solver_index(i)
            } else {
                0
            },
            moves,
            position: bodies.position[i] + bodies.flight_shift[i].as_dvec3(),
            rotation: bodies.flight_rotation[i],
            inertia: bodies.inverse_inertia[i],
            inverse_mass: if moves { bodies.inverse_mass[i] } else { 0.0 },
            inverse_inertia: match moves {
                true => bodies.inverse_inertia[i].matrix(bodies.flight_rotation[i]),
                false => Mat3::ZERO,
            },
        }
    }
}

/// A body as the rows of a substep see it: where its flight through the substep starts. Without an impact that is where it is.
#[derive(Clone, Copy, Debug)]
pub struct RowBody {
    index: usize,
    entity: Entity,
    /// Index among the solver bodies; zero for a body that does not move.
    slot: usize,
    moves: bool,
    inertia: InverseInertia,
    /// In m.
    pub position: DVec3,
    /// From the body's axes to the world's.
    pub rotation: Quat,
    /// 1/m in 1/kg; zero for a body that does not move in this substep, as it is static or asleep.
    pub inverse_mass: f32,
    /// I⁻¹ in world axes, in 1/(kg·m²); zero for such a body.
    pub inverse_inertia: Mat3,
}

impl RowBody {
    /// Its index among the solver bodies.
    pub(super) fn slot(&self) -> usize {
        self.slot
    }

    /// Its index in [`Bodies`], in this substep.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether it moves in this substep. Where neither body of a constraint does, its rows have nothing to solve.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// A body at the time of an impact, which moves it if it is dynamic.
    pub(in crate::solver) fn struck(bodies: &Bodies, i: usize, pose: (DVec3, Quat)) -> Self {
        let moves = bodies.is_dynamic(i);
        let inertia = bodies.inverse_inertia[i];
        Self {
            index: i,
            entity: bodies.entity[i],
            slot: 0,
            moves,
            inertia,
            position: pose.0,
            rotation: pose.1,
            inverse_mass: if moves { bodies.inverse_mass[i] } else { 0.0 },
            inverse_inertia: match moves {
                true => inertia.matrix(pose.1),
                false => Mat3::ZERO,
            },
        }
    }

    /// Where it is at the end of a substep of `h` seconds that it flies with this velocity and angular velocity, and its rotation.
    pub fn end(&self, (v, w): (Vec3, Vec3), h: f32) -> (DVec3, Quat) {
        self.precise_end(v.as_dvec3(), w.as_dvec3(), h)
    }

    /// The same in f64.
    pub(in crate::solver) fn precise_end(&self, v: DVec3, w: DVec3, h: f32) -> (DVec3, Quat) {
        if self.slot == 0 {
            return (self.position, self.rotation);
        }
        let (rotation, _) = free_rotation(self.rotation, w, &self.inertia, h);
        (self.position + v * f64::from(h), rotation)
    }

    /// Where it comes to from another pose in `s` seconds.
    pub(in crate::solver) fn moved(
        &self,
        x: DVec3,
        rotation: Quat,
        v: DVec3,
        w: DVec3,
        s: f32,
    ) -> (DVec3, Quat) {
        let (rotation, _) = free_rotation(rotation, w, &self.inertia, s);
        (x + v * f64::from(s), rotation)
    }

    /// I·ω in world axes for another rotation of the body, in f64.
    pub(in crate::solver) fn momentum(&self, rotation: Quat, w: DVec3) -> DVec3 {
        self.inertia.precise_momentum(rotation, w)
    }

    /// K of a point at `arm` in m from its centre: the change of the point's velocity is K·P for an impulse P there. In 1/kg.
    pub fn mobility_at(&self, arm: Vec3) -> Mat3 {
        let lever = cross_matrix(arm);
        Mat3::from_diagonal(Vec3::splat(self.inverse_mass)) - lever * self.inverse_inertia * lever
    }
}

/// The matrix of a ×.
fn cross_matrix(a: Vec3) -> Mat3 {
    Mat3::from_cols(
        Vec3::new(0.0, a.z, -a.y),
        Vec3::new(-a.z, 0.0, a.x),
        Vec3::new(a.y, -a.x, 0.0),
    )
}

/// The velocities of the bodies while the rows are solved: of the middle of the substep, in world axes.
pub struct RowVelocities<'a> {
    pub(super) velocities: &'a mut [SolverVelocity],
    pub(super) growth_speeds: &'a mut [f32],
}

impl RowVelocities<'_> {
    /// Velocity of the centre in m/s, and angular velocity in rad/s.
    pub fn of(&self, body: &RowBody) -> (Vec3, Vec3) {
        let SolverVelocity { linear, angular } = self.velocities[body.slot];
        (linear.truncate(), angular.truncate())
    }

    /// Gives a body an impulse in N·s and an angular impulse about its centre in N·m·s. A body that does not move stays as it is.
    pub fn push(&mut self, body: &RowBody, impulse: Vec3, angular_impulse: Vec3) {
        if body.slot == 0 {
            return;
        }
        let SolverVelocity { linear, angular } = &mut self.velocities[body.slot];
        *linear += (impulse * body.inverse_mass).extend(0.0);
        *angular += (body.inverse_inertia * angular_impulse).extend(0.0);
    }

    /// Sets the velocity and the angular velocity of a body. One that does not move stays as it is.
    pub(in crate::solver) fn set(&mut self, body: &RowBody, [v, w]: [DVec3; 2]) {
        if body.slot != 0 {
            let SolverVelocity { linear, angular } = &mut self.velocities[body.slot];
            *linear = v.as_vec3().extend(linear.w);
            *angular = w.as_vec3().extend(angular.w);
        }
    }

    /// Gives two bodies opposite impulses at one point.
    pub fn push_both(&mut self, [a, b]: [&RowBody; 2], wrench: &Wrench) {
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            let (impulse, couple) = (sign * wrench.impulse, sign * wrench.couple);
            let arm = wrench.point - body.position;
            let angular = arm.cross(impulse) + couple;
            self.push(body, impulse.as_vec3(), angular.as_vec3());
        }
    }
}

/// What a constraint gives two bodies: the one gets the impulse and the couple, the other one the opposite, at the same point. So
/// momentum and angular momentum stay, whatever the numbers are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wrench {
    /// In m, where the flights of the substep start.
    pub point: DVec3,
    /// On the first body, in N·s.
    pub impulse: DVec3,
    /// On the first body, in N·m·s.
    pub couple: DVec3,
}

impl Wrench {
    fn is_finite(&self) -> bool {
        self.point.is_finite() && self.impulse.is_finite() && self.couple.is_finite()
    }
}

/// What a kind of constraints gives a body in the first half of a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfImpulse {
    /// Its index in [`Bodies`], in this substep.
    pub body: usize,
    /// In N·s.
    pub impulse: DVec3,
    /// About its centre, where its flight starts, in N·m·s.
    pub angular: DVec3,
    /// The number of the group of bodies that hold each other and nothing else holds; `None` if something does.
    pub group: Option<usize>,
    /// Whether it says nothing of the next substep, as the bodies turn too fast.
    pub is_sudden: bool,
}

impl HalfImpulse {
    /// The changes of its velocity and of its angular velocity.
    pub(super) fn changes(&self, bodies: &Bodies) -> [DVec3; 2] {
        let i = self.body;
        [
            self.impulse / f64::from(bodies.mass[i]),
            bodies.inverse_inertia[i].precise_mul(bodies.flight_rotation[i], self.angular),
        ]
    }

    pub(super) fn scale(&mut self, fraction: f64) {
        self.impulse *= fraction;
        self.angular *= fraction;
    }
}

/// The sums of the impulses on each body.
pub struct RowSums<'a> {
    pub(super) poses: &'a [SolverPose],
    pub(super) sums: &'a mut [ImpulseAccumulator],
    /// Whether each pair touches.
    pub(super) touches: &'a [AtomicBool],
    /// What constraints other than contacts have given.
    pub(super) given: &'a mut Vec<Given>,
}

impl RowSums<'_> {
    /// Adds what a constraint has given to two bodies.
    ///
    /// What is not finite is left out, and told once.
    pub fn add(&mut self, [a, b]: [&RowBody; 2], wrench: Wrench) {
        if !wrench.is_finite() {
            warn_once!(
                "a constraint of bodies {} and {} gives {wrench:?}",
                a.index,
                b.index
            );
            return;
        }
        for (body, sign) in [(a, 1.0), (b, -1.0)]
            .into_iter()
            .filter(|(of, _)| of.slot != 0)
        {
            let (impulse, couple) = (sign * wrench.impulse, sign * wrench.couple);
            // About the body's place; the flight's shift × impulse is taken off again.
            let arm = wrench.point - self.poses[body.index].position();
            let angular = arm.cross(impulse) + couple;
            self.sums[body.slot].add(impulse.extend(0.0), angular.extend(1.0));
        }
        self.given.push(Given {
            bodies: [a, b].map(|body| body.entity),
            arms: [a, b].map(|body| (wrench.point - body.position).as_vec3()),
            impulse: wrench.impulse.as_vec3(),
            couple: wrench.couple.as_vec3(),
        });
    }
}

/// What a constraint other than a contact has given to two bodies in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub bodies: [Entity; 2],
    /// From where their flights started.
    pub arms: [Vec3; 2],
    /// On the first body.
    pub impulse: Vec3,
    pub couple: Vec3,
}

impl Given {
    /// The impulse and the angular impulse on each body.
    pub fn pushes(&self) -> [(Entity, Vec3, Vec3); 2] {
        [(0, 1.0), (1, -1.0)].map(|(k, sign)| {
            let (impulse, couple) = (sign * self.impulse, sign * self.couple);
            (
                self.bodies[k],
                impulse,
                self.arms[k].cross(impulse) + couple,
            )
        })
    }
}

/// An error in the place or in the rotation of two bodies, which the projection takes away: it moves and turns both, the lighter
/// one more. The centre of mass stays where it is, and so do momentum and angular momentum.
#[derive(Clone, Copy, Debug)]
pub struct PositionError {
    /// Indices of the bodies; none for the world.
    pub(crate) bodies: [Option<usize>; 2],
    /// From the bodies' centres to the points, in m; none if it is an error of the rotations.
    pub(crate) arms: Option<[Vec3; 2]>,
    /// In m or rad.
    pub(crate) error: Vec3,
    /// A first estimate of the push on the first body that takes it away together with the others, in kg·m or kg·m²·rad.
    pub(crate) push: Vec3,
}

impl PositionError {
    /// Of two points that should be at one place: the bodies by their indices, from their centres to the points, and the first one's
    /// point less the second one's, in m.
    pub fn apart(bodies: [usize; 2], arms: [Vec3; 2], error: Vec3) -> Self {
        Self::apart_of(bodies.map(Some), arms, error)
    }

    pub(crate) fn apart_of(bodies: [Option<usize>; 2], arms: [Vec3; 2], error: Vec3) -> Self {
        let arms = Some(arms);
        Self {
            bodies,
            arms,
            error,
            push: Vec3::ZERO,
        }
    }

    /// Of two rotations that should be the same: the bodies by their indices, and the rotation vector that takes the second one's
    /// rotation to the first one's, in rad.
    pub fn turned(bodies: [usize; 2], error: Vec3) -> Self {
        Self::turned_of(bodies.map(Some), error)
    }

    pub(crate) fn turned_of(bodies: [Option<usize>; 2], error: Vec3) -> Self {
        Self {
            bodies,
            arms: None,
            error,
            push: Vec3::ZERO,
        }
    }

    pub(crate) fn with_push(self, push: Vec3) -> Self {
        Self { push, ..self }
    }
}
