//! Bodies that joints hold together, solved all at once.

use bevy::prelude::*;
use glam::{DMat3, DVec3};

use super::{
    block::{Values, about_axes, positive_part, times},
    block_matrix::BlockMatrix,
    law::Pose,
    link::{Link, MOST_CLOSED, Side},
    loops::are_in_loops,
    node::{Node, ROUNDED_TURN, Solved},
};
use crate::{
    body::Bodies,
    kernel::{compose, turn, unit},
    solver::contact::{HalfImpulse, PositionError, RowBody, RowVelocities},
};

/// Change of an impulse's effect by the turning in a substep, as a part of it, from which it takes part in the equations. A chain
/// would be unstable from 0.5 on.
const MUCH: f64 = 0.1;

/// (ω·h)² of the springs on a body from which their forces at its start say little about a substep.
const MOST_STEADY: f64 = 1.0;

/// Most steps of Newton's method after each sweep. Two are enough, but for light bodies under a heavy load.
const MOST_STEPS: usize = 48;

/// Changes of states, each of all limits at once, after which they change one by one.
const MOST_SWITCHES: u32 = 12;

/// Changes of states after which limits hold as they are.
const MOST_SWITCHES_BY_ONE: u32 = 100;

/// Most steps in a row that do not halve the errors.
const MOST_IN_VAIN: usize = 6;

/// The same in the middle of the ways, where the rows change with each step.
const MOST_IN_VAIN_IN_THE_MIDDLE: usize = 16;

/// Errors, over what is rounding, that are left to the next substep.
const MOST_LEFT: f64 = 1e3;

/// Most energy of a substep that joints give up to its middle, as a part of that of the motion: that of a way that turns by 1 rad.
const MOST_GAINED: f64 = 0.25;

/// The same of a whole substep with rows in its middle, where they give nothing: up to what is closed and rounding.
const MOST_GAINED_IN_THE_MIDDLE: f64 = 5e-3;

/// Most that joints turn a body by in a substep, in rad. Beyond it, there are solutions with a turn more, which are not meant.
const MOST_TURNED: f64 = 1.0;

/// Most of its inertia that forces which press may take from a body as it turns.
const MOST_TURNED_ON: f64 = 0.9;

/// Most energy of such turns, as a part of that of the motion: what light links do in a chain that bears much more than their weight.
const MOST_OF_TURNED: f64 = 0.01;

/// Change of a velocity by the joints after a sweep over the contacts, as a part of all that they change, that the contacts need not
/// follow.
const SETTLED: f64 = 2e-3;

/// From this gap in m or rad to the greatest one, joints calm their bodies down, by up to a part of their motion in each substep.
const GAP: f64 = 5.0 * MOST_CLOSED;
const MOST_GAP: f64 = 50.0 * MOST_CLOSED;
const MOST_CALMED: f64 = 0.5;

/// Most solutions of the velocities at the end of a substep: after each, limits that would pull let go.
const MOST_SOLUTIONS: usize = 8;

/// How exact these are, over what is rounding of a place in a substep.
const EXACT: f64 = 1e-2;

/// Turn in rad of one body about another in a substep from which no acceleration predicts its way.
const SWIFT: f64 = 0.2;

/// Part of a substep over which the turning of the rows is measured, to both sides.
const PREDICTED: f64 = 0.25;

/// Way in m that is rounding.
const ROUNDED_WAY: f64 = 1e-7;

/// The velocity and the angular velocity of a body as it is struck, and what joints, and all others, have given of these since it was
/// struck last or the substep began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StruckFlight {
    pub now: [DVec3; 2],
    pub by_joints: [DVec3; 2],
    pub by_others: [DVec3; 2],
}

/// Bodies that joints hold together, and these joints.
#[derive(Debug, Default)]
pub(super) struct Articulation {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    /// The number of each link among all joints.
    pub joints: Vec<u32>,
    matrix: BlockMatrix,
    /// Whether the impulses of this substep turn so much that they change their own effect.
    turns_much: bool,
    /// How the impulses on each node turn it back as it turns.
    turning: Vec<DMat3>,
    /// (ω·h)² of all springs on each node.
    loads: Vec<f64>,
    h: f64,
    /// When the last impact of this substep was, in s into it.
    pub struck_at: f32,
    /// Whether the rows stay where they are at the start of this substep.
    is_linear: bool,
    /// Whether bodies turn about others by so much that accelerations say little.
    is_swift: bool,
    /// Whether contacts have to follow what the joints have changed.
    pub is_unsettled: bool,
    pub is_awake: bool,
}

impl Articulation {
    /// Sets the structure of the matrix to that of its links. Where a rod holds two bodies, an edge between these follows those of the link.
    pub fn find_structure(&mut self) {
        let bodies = self.nodes.len();
        let sizes: Vec<u8> = (self.links.iter())
            .map(|link| link.law.row_count() as u8)
            .collect();
        let mut edges = Vec::new();
        for (number, link) in (bodies as u32..).zip(&self.links) {
            let nodes = link.sides.iter().filter_map(|side| side.node);
            edges.extend(nodes.map(|node| [node, number]));
            if let (true, [Some(a), Some(b)]) =
                (link.has_rod_edge(), link.sides.map(|side| side.node))
            {
                edges.push([a, b]);
            }
        }
        self.matrix.set_structure(bodies, &sizes, &edges);
        let end_of_side = |side: &Side| side.node.map_or(bodies, |node| node as usize);
        let ends: Vec<[usize; 2]> = (self.links.iter())
            .map(|link| link.sides.each_ref().map(end_of_side))
            .collect();
        for (link, is_in_loop) in self.links.iter_mut().zip(are_in_loops(bodies, &ends)) {
            link.is_in_loop = is_in_loop;
        }
    }

    /// Prepares for impacts on bodies in these poses: of each side of a link.
    pub fn strike(
        &mut self,
        bodies: &Bodies,
        time: f32,
        pose_of: impl Fn(usize) -> Pose,
        ends: impl Fn(u32) -> [Option<usize>; 2],
    ) -> f32 {
        for node in &mut self.nodes {
            let i = node.body.index();
            let pose = pose_of(i);
            node.body = RowBody::struck(bodies, i, pose);
            node.start_at(pose);
        }
        let h = f64::from(bodies.h);
        for (link, &joint) in self.links.iter_mut().zip(&self.joints) {
            for (side, i) in link.sides.iter_mut().zip(ends(joint)) {
                let body = match side.node {
                    Some(node) => Some(self.nodes[node as usize].body),
                    None => i.map(|i| RowBody::struck(bodies, i, pose_of(i))),
                };
                side.body = body;
                side.start = body.map_or(side.start, |body| (body.position, body.rotation));
            }
            if link.states.is_empty() {
                link.begin(h, link.sides.map(|side| side.start), &self.nodes);
            }
            link.find_rows(link.sides.map(|side| side.start));
            link.find_compliance(&self.nodes);
        }
        self.factor(Solved::Impact);
        time - std::mem::replace(&mut self.struck_at, time)
    }

    /// How the velocities have to change for the joints to allow them where they are struck. To be called after
    /// [`strike`](Self::strike).
    ///
    /// What the joints have given since the last impact turned with the bodies, and gave no energy. On a straight flight it does: a body on
    /// a circle that has turned by θ has v + a·s, which is longer by 1 + θ²/2, and v along the new way, shorter by as much. So a part of
    /// it is taken back, up to the energy that fields and contacts leave.
    pub fn calm(
        &mut self,
        flight_of: impl Fn(usize) -> StruckFlight,
        changed: impl FnMut(usize, DVec3, DVec3),
    ) {
        let mut energy = 0.0;
        for node in &mut self.nodes {
            let StruckFlight {
                now,
                by_joints,
                by_others,
            } = flight_of(node.body.index());
            let start = [0, 1].map(|k| now[k] - by_joints[k] - by_others[k]);
            let mean = [0, 1].map(|k| 0.5 * (start[k] + now[k]));
            energy += node.energy(start) + node.product(by_others, mean);
            (node.motion, node.given) = (now, by_joints);
        }
        self.find_allowed(&flight_of, |flight| flight.now);
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.second = motion_in(self.matrix.value(number));
        }
        self.find_allowed(&flight_of, |flight| flight.by_joints);
        for (number, node) in self.nodes.iter_mut().enumerate() {
            let taken = motion_in(self.matrix.value(number));
            node.second = [0, 1].map(|k| node.motion[k] + node.second[k]);
            node.given = [0, 1].map(|k| node.given[k] + taken[k]);
        }
        // E(κ) = E₀ − 2·κ·b + κ²·c of the allowed motion less κ times what the joints gave of it.
        let (mut all, mut b, mut c) = (0.0, 0.0, 0.0);
        for node in &self.nodes {
            all += node.energy(node.second);
            b += 0.5 * node.product(node.second, node.given);
            c += node.energy(node.given);
        }
        let part = match all > energy && b > 0.0 {
            true => (b - (b * b - c * (all - energy)).max(0.0).sqrt()) / c,
            false => 0.0,
        };
        let part = if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let mut changed = changed;
        for node in &self.nodes {
            let [dv, dw] = [0, 1].map(|k| node.second[k] - part * node.given[k] - node.motion[k]);
            changed(node.body.index(), dv, dw);
        }
    }

    /// Solves for what takes the rates away that no joint allows, of these motions.
    fn find_allowed(
        &mut self,
        flight_of: impl Fn(usize) -> StruckFlight,
        motion: impl Fn(StruckFlight) -> [DVec3; 2],
    ) {
        for number in 0..self.nodes.len() {
            *self.matrix.value(number) = [0.0; 6];
        }
        for (number, link) in (self.nodes.len()..).zip(&self.links) {
            let motions = link.sides.map(|side| match side.body {
                Some(body) => motion(flight_of(body.index())),
                None => [DVec3::ZERO; 2],
            });
            let value = self.matrix.value(number);
            *value = [0.0; 6];
            for (row, rate) in link.rates_now(motions).into_iter().enumerate() {
                if link.law.drive(row).is_none() {
                    value[row] = rate;
                }
            }
        }
        self.matrix.solve();
    }

    fn list_changes(&mut self, mut changed: impl FnMut(usize, DVec3, DVec3)) {
        for (number, node) in self.nodes.iter().enumerate() {
            let [dv, dw] = motion_in(self.matrix.value(number));
            changed(node.body.index(), dv, dw);
        }
    }

    /// How impulses and angular impulses on some of the bodies change the velocities of all. To be called after [`strike`](Self::strike).
    pub fn respond(
        &mut self,
        pushes: &[(usize, DVec3, DVec3)],
        changed: impl FnMut(usize, DVec3, DVec3),
    ) {
        for number in 0..self.nodes.len() + self.links.len() {
            *self.matrix.value(number) = [0.0; 6];
        }
        for &(i, p, l) in pushes {
            let node = self.nodes.iter().position(|node| node.body.index() == i);
            if let Some(node) = node {
                let value = self.matrix.value(node);
                for (value, more) in value.iter_mut().zip([p.x, p.y, p.z, l.x, l.y, l.z]) {
                    *value += more;
                }
            }
        }
        self.matrix.solve();
        self.list_changes(changed);
    }

    /// Starts a substep: the bodies are where they start it.
    pub fn begin(&mut self, bodies: &Bodies, h: f64) {
        for node in &mut self.nodes {
            node.field = field_of(bodies, node.body.index());
            node.start_at((node.body.position, node.body.rotation));
            node.given = [DVec3::ZERO; 2];
        }
        for side in self.links.iter_mut().flat_map(|link| &mut link.sides) {
            if let Some(node) = side.node {
                side.start = self.nodes[node as usize].start;
            }
        }
        self.h = h;
        self.begin_links(|side| match side.body {
            Some(body) => end_of(bodies, &body),
            None => side.start,
        });
        self.is_linear = false;
        self.is_unsettled = false;
        self.find_turning(bodies);
        self.damp();
    }

    /// Starts a substep of the links. Before impacts, their bodies were where `before` says.
    fn begin_links(&mut self, before: impl Fn(&Side) -> Pose) {
        self.loads.clear();
        self.loads.resize(self.nodes.len(), 0.0);
        for link in &mut self.links {
            link.begin(self.h, link.sides.each_ref().map(&before), &self.nodes);
        }
        for is_second in [false, true] {
            for link in &mut self.links {
                link.find_springs(&self.nodes, &mut self.loads, is_second);
            }
        }
    }

    /// Reads the velocities that others have changed. Returns whether any are.
    fn read(&mut self, velocities: &RowVelocities) -> bool {
        let mut has_changed = false;
        for node in &mut self.nodes {
            let (v, w) = velocities.of(&node.body);
            if [v, w] != node.motion.map(|motion| motion.as_vec3()) {
                node.motion = [v.as_dvec3(), w.as_dvec3()];
                has_changed = true;
            }
        }
        has_changed
    }

    /// Whether the equations had no solution that is a number. Then the joints give nothing.
    fn is_lost(&self) -> bool {
        let mut motions = self.nodes.iter().flat_map(|node| node.motion);
        let mut impulses = self.links.iter().flat_map(|link| &link.impulses);
        !motions.all(DVec3::is_finite) || !impulses.all(|impulse| impulse.is_finite())
    }

    /// Gives the velocities back.
    pub fn write(&self, velocities: &mut RowVelocities) {
        if self.is_lost() {
            return;
        }
        for node in &self.nodes {
            velocities.set(&node.body, node.motion);
        }
    }

    /// The first estimate.
    pub fn estimate(&mut self, velocities: &RowVelocities) {
        self.read(velocities);
        for node in &mut self.nodes {
            node.motion[1] += node.body.inverse_inertia.as_dmat3() * node.damped;
        }
        self.look();
        self.links.iter_mut().for_each(|link| {
            link.switch(false);
        });
        self.factor(Solved::Places);
        if self.find_errors() > 1.0 {
            self.matrix.solve();
            self.take_impulses();
            let Self { nodes, links, .. } = &*self;
            let is_smooth = self.struck_at == 0.0 && !links.iter().any(Link::is_at_limit);
            if is_smooth && links.iter().any(|link| link.turns_more(nodes, MUCH)) {
                self.turns_much = true;
                self.links
                    .iter_mut()
                    .for_each(|link| link.turns_much = true);
            } else {
                self.move_nodes();
            }
            self.improve();
        }
    }

    /// Finds the couples that slow the turning of the bodies about each other from the velocities of the nodes: ω_b − ω_a falls by e^(−d·h).
    fn damp(&mut self) {
        for node in &mut self.nodes {
            node.damped = DVec3::ZERO;
        }
        for link in self.links.iter().filter(|link| link.law.damping > 0.0) {
            let nodes = link.sides.map(|side| side.node.map(|node| node as usize));
            let spins = [0, 1].map(|k| match (nodes[k], link.sides[k]) {
                (Some(node), _) => self.nodes[node].motion[1],
                (None, side) => side.motion(self.h)[1],
            });
            let inverse = |k: usize| match nodes[k] {
                Some(node) => self.nodes[node].body.inverse_inertia.as_dmat3(),
                None => DMat3::ZERO,
            };
            let part = libm::expm1(-link.law.damping * self.h);
            let couple = (inverse(0) + inverse(1)).inverse() * ((spins[1] - spins[0]) * part);
            if !couple.is_finite() {
                continue;
            }
            for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                if let Some(node) = node {
                    let node = &mut self.nodes[node];
                    node.motion[1] += node.body.inverse_inertia.as_dmat3() * (sign * couple);
                    node.damped += sign * couple;
                }
            }
        }
    }

    /// Finds whether the forces of the joints turn so much in a substep that they change their own effect: those that hold fields, and
    /// bodies on their ways. What follows an impact does not last.
    fn find_turning(&mut self, bodies: &Bodies) {
        self.factor(Solved::Accelerations);
        self.take_accelerations(bodies);
        let half = 0.5 * self.h;
        for node in &mut self.nodes {
            // Without the first half kick, which takes the contacts out that v(t) has had: on what rests under a load, that is no motion.
            let i = node.body.index();
            let [v, w] = motion_of(bodies, &node.body);
            let field = motion_in(&field_of(bodies, i));
            let by_contacts = contacts_of(bodies, i);
            let kick = |k: usize| (field[k] - by_contacts[k]) * half;
            node.motion = match node.body.moves() {
                true => [v - kick(0), w - kick(1)],
                false => [v, w],
            };
            node.impulse = default();
        }
        self.is_swift = self.solve_accelerations(bodies);
        for (number, link) in (self.nodes.len()..).zip(&mut self.links) {
            let forces = *self.matrix.value(number);
            for (impulse, force) in link.impulses.iter_mut().zip(forces) {
                *impulse = force * half;
            }
        }
        let Self { nodes, links, .. } = &*self;
        self.turns_much = links.iter().any(|link| link.turns_more(nodes, MUCH));
        // Newton's method starts from these forces, but where impacts, contacts or swift turns make them say little.
        let is_touched = |node: &Node| bodies.contact_acceleration[node.body.index()] != Vec3::ZERO;
        let is_estimate = self.turns_much
            && !self.is_swift
            && self.struck_at == 0.0
            && !self.nodes.iter().any(is_touched);
        for link in &mut self.links {
            link.turns_much = self.turns_much;
            if !is_estimate {
                link.impulses.fill(0.0);
            }
        }
    }

    /// Brings the joints to what they hold, after a sweep over the contacts.
    pub fn solve(&mut self, velocities: &RowVelocities) {
        self.is_unsettled = false;
        if self.read(velocities) {
            self.improve();
            self.find_unsettled(velocities);
        }
    }

    /// Takes away what contacts have changed and the joints do not allow, with the rows as they are.
    pub fn respond_to_contacts(&mut self, velocities: &RowVelocities) {
        let Self {
            nodes,
            links,
            matrix,
            ..
        } = self;
        let mut has_changed = false;
        for (number, node) in nodes.iter_mut().enumerate() {
            let (v, w) = velocities.of(&node.body);
            let now = [v.as_dvec3(), w.as_dvec3()];
            let before = std::mem::replace(&mut node.motion, now);
            node.pushed = [0, 1].map(|k| now[k] - before[k].as_vec3().as_dvec3());
            has_changed |= node.pushed != [DVec3::ZERO; 2];
            *matrix.value(number) = [0.0; 6];
        }
        self.is_unsettled = false;
        if !has_changed {
            return;
        }
        for (number, link) in (nodes.len()..).zip(&*links) {
            let pushed = link.sides.map(|side| match side.node {
                Some(node) => nodes[node as usize].pushed,
                None => [DVec3::ZERO; 2],
            });
            let value = matrix.value(number);
            *value = [0.0; 6];
            for (row, rate) in link.rates_now(pushed).into_iter().enumerate() {
                if link.states[row].acts() {
                    value[row] = rate;
                }
            }
        }
        matrix.solve();
        self.take_impulses();
        self.move_nodes();
        self.find_unsettled(velocities);
    }

    /// Finds whether the last solution has changed the velocities by so much that contacts have to follow.
    fn find_unsettled(&mut self, before: &RowVelocities) {
        let (mut changed, mut given) = ([0f64; 2], [0f64; 2]);
        for node in &self.nodes {
            let (v, w) = before.of(&node.body);
            for (k, before) in [v, w].into_iter().enumerate() {
                changed[k] = changed[k].max((node.motion[k] - before.as_dvec3()).length());
                given[k] = given[k].max(node.given[k].length());
            }
        }
        self.is_unsettled = (0..2).any(|k| changed[k] > SETTLED * given[k]);
    }

    /// Finds where the bodies come to, and the rows on their ways.
    fn look(&mut self) {
        for node in &mut self.nodes {
            let [v, w] = node.motion;
            node.end = node.body.precise_end(v, w, self.h as f32);
            node.impulse = [DVec3::ZERO; 2];
            node.moments = 0.0;
        }
        for link in &mut self.links {
            let (starts, ends) = link.ways(&self.nodes);
            link.find_ways(starts, ends);
            let motions = link.sides.map(|side| match side.node {
                Some(node) => self.nodes[node as usize].motion,
                None => side.motion(self.h),
            });
            link.find_reached(motions);
        }
    }

    /// The equations of this substep, with how the impulses turn with the bodies where that matters.
    fn factor(&mut self, what: Solved) {
        let Self {
            matrix,
            nodes,
            links,
            turns_much,
            turning,
            ..
        } = self;
        turning.clear();
        turning.resize(nodes.len(), DMat3::ZERO);
        matrix.clear();
        for (number, node) in nodes.iter().enumerate() {
            matrix.add_diagonal(number, &node.mass);
        }
        let mut edge = 0;
        for (number, link) in (nodes.len()..).zip(links) {
            edge = link.add_to(matrix, number, edge, what);
            if *turns_much && what == Solved::Places {
                link.add_turning(turning);
                link.add_rod(matrix, nodes, edge - usize::from(link.has_rod_edge()));
            }
        }
        if *turns_much && what == Solved::Places {
            for (number, (node, turning)) in nodes.iter().zip(turning.iter()).enumerate() {
                // Forces that press turn a body on. The matrix has to stay definite: of what is left of the inertia, they leave a part.
                let most = node.inertia() * MOST_TURNED_ON;
                let turning = positive_part(most + *turning) - most;
                matrix.add_diagonal(number, &about_axes(&turning));
            }
        }
        matrix.factor();
    }

    /// Sets the right side of the equations to the errors that are left. Returns the greatest of them, over what is rounding.
    fn find_errors(&mut self) -> f64 {
        let h = self.h;
        let Self {
            nodes,
            links,
            matrix,
            ..
        } = self;
        for link in &*links {
            link.push(&link.impulses, nodes);
        }
        let mut worst = 0f64;
        for (number, node) in nodes.iter().enumerate() {
            let (left, off, turned) = node.left();
            worst = larger(worst, off * h / ROUNDED_WAY);
            worst = larger(worst, turned * h / node.rounded_turn(h));
            *matrix.value(number) = left;
        }
        for (number, link) in (nodes.len()..).zip(&*links) {
            let value = matrix.value(number);
            *value = [0.0; 6];
            for (row, value) in value.iter_mut().enumerate().take(link.rows.len()) {
                let off = link.off(row);
                *value = off / h;
                worst = larger(worst, off.abs() / link.rounding(row));
            }
        }
        worst
    }

    fn take_impulses(&mut self) {
        for (number, link) in (self.nodes.len()..).zip(&mut self.links) {
            let changes = self.matrix.value(number);
            for (impulse, change) in link.impulses.iter_mut().zip(changes) {
                *impulse += *change;
            }
        }
    }

    /// Brings the places at the end to what the joints hold. Where Newton's method does not come to that, as limbs turn far in one
    /// substep, the rows stay where they are at its start; and where that does not help either, only the velocities are brought to what
    /// the joints allow: that takes energy, and never gives any.
    fn improve(&mut self) {
        if self.iterate() || self.is_linear {
            return;
        }
        // To close many gaps of one chain at once moves what hangs on it far.
        if self.links.iter().any(Link::closes_gaps) {
            self.begin_anew(false, self.turns_much);
            self.links.iter_mut().for_each(Link::keep_gaps);
            if self.iterate() {
                return;
            }
        }
        if self.turns_much {
            self.begin_anew(false, false);
            if self.iterate() {
                return;
            }
        }
        self.begin_anew(true, false);
        self.iterate();
    }

    /// Forgets what was found in this substep. From now on, the rows are those where it starts, or in the middle of the ways.
    fn begin_anew(&mut self, is_linear: bool, turns_much: bool) {
        self.turns_much = turns_much;
        self.is_linear = is_linear;
        for node in &mut self.nodes {
            let [dv, dw] = std::mem::take(&mut node.given);
            node.motion = [node.motion[0] - dv, node.motion[1] - dw];
        }
        for link in &mut self.links {
            link.begin_anew(is_linear, turns_much);
        }
        self.factor(Solved::Places);
    }

    /// Newton's method, until the errors are rounding, or get no smaller. Whether the errors are small then.
    fn iterate(&mut self) -> bool {
        let (mut least, mut since) = (f64::INFINITY, 0);
        let (mut switches, mut steps) = (0, 0);
        self.keep_best();
        while steps < MOST_STEPS {
            self.look();
            let one_by_one = switches >= MOST_SWITCHES;
            let has_switched = switches < MOST_SWITCHES_BY_ONE && self.switch(one_by_one);
            if has_switched {
                switches += 1;
            } else {
                steps += 1;
            }
            if one_by_one && !self.is_linear {
                return false;
            }
            if has_switched && switches == MOST_SWITCHES_BY_ONE {
                self.links.iter_mut().for_each(Link::hold_limits);
            }
            let worst = self.find_errors();
            // Far away from the solution, a few steps may lead farther.
            since = match worst < 0.5 * least || has_switched {
                true => 0,
                false => since + 1,
            };
            if worst <= 1.0 {
                return !self.gains();
            }
            if worst < least {
                self.keep_best();
            }
            least = least.min(worst);
            let most = if self.turns_much {
                MOST_IN_VAIN_IN_THE_MIDDLE
            } else {
                MOST_IN_VAIN
            };
            if since > most {
                break;
            }
            if has_switched || self.turns_much {
                self.factor(Solved::Places);
            }
            self.matrix.solve();
            self.take_impulses();
            self.move_nodes();
        }
        self.take_best();
        least < MOST_LEFT && !self.gains()
    }

    /// Whether the joints have given the bodies more energy than bodies on curved ways gain up to the middle of a substep.
    ///
    /// With rows at the start, the velocity in the middle is the longer one by 1/cos of half the angle that the way turns by. That is
    /// taken away at the end. Where it is much, the places at the end are not those of the motion that the bodies had.
    fn gains(&self) -> bool {
        if self.is_linear {
            return false;
        }
        let mut turned = 0.0;
        for node in &self.nodes {
            let [_, dw] = node.given;
            if dw.length() * self.h > MOST_TURNED {
                turned += 0.5 * dw.dot(node.body.momentum(node.start.1, dw));
            }
        }
        let closing: f64 = self.links.iter().map(Link::most_by_closing).sum();
        let mut gained = -closing;
        let mut rounding = 0.0;
        for link in &self.links {
            let of = |is_before: bool| {
                link.sides.map(|side| match side.node {
                    Some(node) => {
                        let Node {
                            motion: [v, w],
                            given: [dv, dw],
                            ..
                        } = self.nodes[node as usize];
                        if is_before { [v - dv, w - dw] } else { [v, w] }
                    }
                    None => side.motion(self.h),
                })
            };
            gained += match self.turns_much {
                // Both halves, in the middle: v ± λ/m.
                true => {
                    rounding += link.rounded_work();
                    gained -= link.work_by_closing();
                    2.0 * link.work_by_held(of(false), of(false))
                }
                false => link.work_by_held(of(true), of(false)),
            };
        }
        if gained <= 0.0 && turned == 0.0 {
            return false;
        }
        let (mut mass, mut momentum, mut energy) = (0.0, DVec3::ZERO, 0.0);
        for node in &self.nodes {
            let [v, w] = node.motion;
            let m = match node.body.moves() {
                true => f64::from(node.body.inverse_mass).recip(),
                false => 0.0,
            };
            mass += m;
            momentum += m * v;
            energy += 0.5 * (m * v.length_squared() + w.dot(node.body.momentum(node.start.1, w)));
        }
        if !self.is_anchored() && mass > 0.0 {
            energy -= 0.5 * momentum.length_squared() / mass;
        }
        let closed = MOST_CLOSED / self.h;
        let most = match self.turns_much {
            true => MOST_GAINED_IN_THE_MIDDLE,
            false => MOST_GAINED,
        };
        turned > MOST_OF_TURNED * energy
            || gained > most * energy + 0.5 * mass * closed * closed + rounding
    }

    /// Changes the states of driven rows by where the bodies come to. Returns whether one has changed.
    fn switch(&mut self, only_one: bool) -> bool {
        let mut has_switched = false;
        for link in &mut self.links {
            has_switched |= link.switch(only_one);
            if has_switched && only_one {
                break;
            }
        }
        has_switched
    }

    /// Whether anything else than its own bodies holds it.
    fn is_anchored(&self) -> bool {
        let mut sides = self.links.iter().flat_map(|link| &link.sides);
        sides.any(|side| side.node.is_none())
    }

    fn keep_best(&mut self) {
        for node in &mut self.nodes {
            node.best = [node.motion, node.given];
        }
        for link in &mut self.links {
            link.best.clone_from(&link.impulses);
        }
    }

    fn take_best(&mut self) {
        for node in &mut self.nodes {
            [node.motion, node.given] = node.best;
        }
        for link in &mut self.links {
            link.impulses.clone_from(&link.best);
        }
        // The rows that these act in.
        self.look();
    }

    /// Changes the velocities by what was solved.
    fn move_nodes(&mut self) {
        for (number, node) in self.nodes.iter_mut().enumerate() {
            let changes = motion_in(self.matrix.value(number));
            for (k, change) in changes.into_iter().enumerate() {
                node.motion[k] += change;
                node.given[k] += change;
            }
        }
    }

    /// Gives the first half of the impulses.
    pub fn give_first_half(&mut self, number: usize, give: &mut dyn FnMut(HalfImpulse)) {
        let is_anchored = self.is_anchored();
        let is_sudden = self.is_swift;
        if self.is_lost() {
            self.links
                .iter_mut()
                .for_each(|link| link.impulses.fill(0.0));
        }
        let Self { nodes, links, .. } = self;
        nodes.iter_mut().for_each(|node| node.impulse = default());
        for link in links {
            link.push(&link.impulses, nodes);
        }
        for node in nodes.iter().filter(|node| node.body.moves()) {
            let [impulse, angular] = node.impulse;
            give(HalfImpulse {
                body: node.body.index(),
                impulse,
                angular: angular + node.damped,
                group: (!is_anchored).then_some(number),
                is_sudden,
            });
        }
    }

    /// Lists the errors that are left where the bodies have come to. Where links are farther apart than velocities close, with what
    /// brings all of them together at once: from link to link, a chain would need as many sweeps as it has links. A loop may hold more
    /// than there can be, so to close all of it at once moves its bodies far.
    pub fn position_errors(&mut self, bodies: &Bodies, errors: &mut Vec<PositionError>) {
        let found =
            (self.links.iter_mut()).map(|link| link.find_position_errors(link.ends(bodies)));
        let apart = found.fold(0.0, larger);
        let has_loops = self.links.iter().any(|link| link.is_in_loop);
        let are_pushed = !has_loops && apart > MOST_CLOSED && apart.is_finite();
        if are_pushed {
            self.links.iter_mut().for_each(Link::swap_rows);
            self.factor(Solved::Impact);
            for number in 0..self.nodes.len() {
                *self.matrix.value(number) = [0.0; 6];
            }
            for (number, link) in (self.nodes.len()..).zip(&self.links) {
                let value = self.matrix.value(number);
                *value = [0.0; 6];
                for row in (0..link.errors.len()).filter(|&row| link.is_pushed(row)) {
                    value[row] = link.errors[row];
                }
            }
            self.matrix.solve();
            self.links.iter_mut().for_each(Link::swap_rows);
        }
        for (number, link) in (self.nodes.len()..).zip(&self.links) {
            let pushes = match are_pushed {
                true => *self.matrix.value(number),
                false => [0.0; 6],
            };
            link.list_position_errors(&pushes, errors);
        }
    }

    /// Finds the second half, where the bodies have come to.
    ///
    /// As long as the impulses turn little, these are the impulses that bring the velocities to what the joints allow there: with
    /// the first half it is RATTLE (H. Andersen, 1983), which keeps the energy over time. Else they are those of the first half again,
    /// in the middle of the ways, which no load makes unstable; then what is left of velocities that the joints do not allow is taken away.
    pub fn find_second_half(&mut self, bodies: &Bodies) {
        let Self { nodes, links, .. } = self;
        nodes.iter_mut().for_each(|node| node.impulse = default());
        for link in &mut *links {
            let poses = link.ends(bodies);
            link.find_values(poses);
            link.repeat_first();
            link.push(&link.second, nodes);
            link.keep_second();
            link.find_second();
            link.find_rows(poses);
            for (side, pose) in link.sides.iter_mut().zip(poses) {
                (side.start, side.end) = (pose, pose);
            }
        }
        for node in &mut *nodes {
            node.start_at(end_of(bodies, &node.body));
            node.given = default();
            node.second = node.changes(bodies);
        }
        self.settle(bodies);
        self.struck_at = 0.0;
        for node in &mut self.nodes {
            let [dv, dw] = node.changes(bodies);
            node.second = [node.second[0] + dv, node.second[1] + dw];
        }
        self.links.iter_mut().for_each(Link::keep_reaction);
        self.calm_down(bodies);
        self.predict(bodies);
        let mut given = self
            .nodes
            .iter()
            .flat_map(|node| [node.second, node.acceleration]);
        if !given.all(|[linear, angular]| linear.is_finite() && angular.is_finite()) {
            for node in &mut self.nodes {
                (node.second, node.acceleration) = default();
            }
            for link in &mut self.links {
                link.reaction = default();
            }
        }
    }

    /// Slows the motion of the bodies about each other where joints are apart, as they ask for more than there can be: without, errors
    /// of second order would open the gaps more and more. Momentum and angular momentum stay, but where the world holds a joint.
    fn calm_down(&mut self, bodies: &Bodies) {
        let apart = self.links.iter().map(Link::apart).fold(0.0, larger);
        let part = ((apart - GAP) / (MOST_GAP - GAP)).clamp(0.0, 1.0) * MOST_CALMED;
        if part == 0.0 {
            return;
        }
        let moving = || self.nodes.iter().filter(|node| node.body.moves());
        let motion = |node: &Node| {
            let [v, w] = motion_of(bodies, &node.body);
            [v + node.second[0], w + node.second[1]]
        };
        let mass_of = |node: &Node| f64::from(bodies.mass[node.body.index()]);
        let mass: f64 = moving().map(mass_of).sum();
        let mean = |of: &dyn Fn(&Node) -> DVec3| {
            moving().map(|node| of(node) * mass_of(node)).sum::<DVec3>() / mass
        };
        let centre = mean(&|node| node.start.0);
        let [velocity, turning] = if self.is_anchored() {
            self.carried(bodies, centre)
        } else {
            let inertia_of = |axis: DVec3| -> DVec3 {
                let of = |node: &Node| {
                    let arm = node.start.0 - centre;
                    let own = node.body.momentum(node.start.1, axis);
                    arm.cross(axis.cross(arm)) * mass_of(node) + own
                };
                moving().map(of).sum()
            };
            let inertia = DMat3::from_cols(
                inertia_of(DVec3::X),
                inertia_of(DVec3::Y),
                inertia_of(DVec3::Z),
            );
            let momentum: DVec3 = moving()
                .map(|node| {
                    let [v, w] = motion(node);
                    let arm = node.start.0 - centre;
                    arm.cross(v) * mass_of(node) + node.body.momentum(node.start.1, w)
                })
                .sum();
            let velocity = mean(&|node| motion(node)[0]);
            [velocity, inertia.inverse() * momentum]
        };
        if !turning.is_finite() {
            return;
        }
        let changes: Vec<[DVec3; 2]> = (self.nodes.iter())
            .map(|node| {
                let [v, w] = motion(node);
                let together = velocity + turning.cross(node.start.0 - centre);
                match (node.body.moves(), node.inverse_masses().1 > 0.0) {
                    (false, _) => [DVec3::ZERO; 2],
                    (true, false) => [part * (together - v), DVec3::ZERO],
                    (true, true) => [part * (together - v), part * (turning - w)],
                }
            })
            .collect();
        for (node, change) in self.nodes.iter_mut().zip(changes) {
            node.second = [0, 1].map(|k| node.second[k] + change[k]);
        }
    }

    /// The mean velocity at a point, and the mean angular velocity, of what holds it from outside: of the world, and of kinematic and
    /// static bodies.
    fn carried(&self, bodies: &Bodies, x: DVec3) -> [DVec3; 2] {
        let sides = self.links.iter().flat_map(|link| &link.sides);
        let mut sum = [DVec3::ZERO; 2];
        let mut count = 0.0;
        for side in sides.filter(|side| side.node.is_none()) {
            count += 1.0;
            if let Some(body) = side.body {
                let (i, [v, w]) = (body.index(), motion_of(bodies, &body));
                sum[0] += v + w.cross(x - bodies.position[i]);
                sum[1] += w;
            }
        }
        sum.map(|sum| sum / count)
    }

    /// The accelerations by the joints at the end of the substep, with fields and contacts as they are. They predict the flights of
    /// the next substep. What stopped a body at a limit, or followed an impact, does not act on.
    fn predict(&mut self, bodies: &Bodies) {
        self.nodes
            .iter_mut()
            .for_each(|node| node.impulse = default());
        for link in &self.links {
            link.push_forces(&mut self.nodes);
        }
        for node in &mut self.nodes {
            let [v, w] = motion_of(bodies, &node.body);
            node.motion = [v + node.second[0], w + node.second[1]];
        }
        self.take_accelerations(bodies);
        if self.solve_accelerations(bodies) {
            for node in &mut self.nodes {
                node.acceleration = [DVec3::ZERO; 2];
            }
            return;
        }
        if self.turns_much || self.loads.iter().any(|&load| load > MOST_STEADY) {
            self.predict_mean(bodies);
            return;
        }
        for (number, node) in self.nodes.iter_mut().enumerate() {
            let a = *self.matrix.value(number);
            let by_joints: Values = std::array::from_fn(|k| a[k] - node.field[k]);
            node.acceleration = motion_in(&by_joints);
        }
    }

    /// The mean acceleration in the next substep, where the forces of the joints turn so much in it that those at its start say little:
    /// by one step of Newton's method from these forces.
    fn predict_mean(&mut self, bodies: &Bodies) {
        let half = 0.5 * self.h;
        for (number, link) in (self.nodes.len()..).zip(&mut self.links) {
            let forces = *self.matrix.value(number);
            link.best = forces.map(|force| force * half)[..link.rows.len()].into();
            for side in &mut link.sides {
                if let (None, Some(body)) = (side.node, side.body) {
                    let ([v, w], (x, q)) = (motion_of(bodies, &body), side.start);
                    side.end = body.moved(x, q, v, w, self.h as f32);
                }
            }
        }
        for node in &mut self.nodes {
            let kick = motion_in(&node.field.map(|a| a * half));
            node.motion = [0, 1].map(|k| node.motion[k] + kick[k]);
            node.given = default();
            node.field = field_of(bodies, node.body.index());
        }
        self.begin_links(|side| side.start);
        for link in &mut self.links {
            link.turns_much = true;
            link.impulses.clone_from(&link.best);
        }
        self.look();
        self.switch(false);
        self.factor(Solved::Places);
        self.find_errors();
        self.matrix.solve();
        let before: f64 = self.nodes.iter().map(|node| node.energy(node.motion)).sum();
        self.move_nodes();
        let given: f64 = self.nodes.iter().map(|node| node.energy(node.given)).sum();
        // As far on, v + 2·Δv has no more energy than v. Where one step of the method is far from the solution, it would have.
        let part = (before / given).sqrt().min(1.0);
        for node in &mut self.nodes {
            node.acceleration = match part.is_finite() {
                true => node.given.map(|dv| dv * (part / half)),
                false => [DVec3::ZERO; 2],
            };
        }
    }

    /// Sets the accelerations of the nodes to those by fields and contacts.
    fn take_accelerations(&mut self, bodies: &Bodies) {
        for node in &mut self.nodes {
            let i = node.body.index();
            let [a, turning] = contacts_of(bodies, i);
            let by_contacts = [a.x, a.y, a.z, turning.x, turning.y, turning.z];
            let field = field_of(bodies, i);
            node.field = std::array::from_fn(|k| field[k] + by_contacts[k]);
        }
    }

    /// Solves J·a = −J̇·v for the accelerations, and for the forces of the rows, of bodies where the links start them: with the
    /// accelerations of the nodes' fields, and with what their impulses give as forces. The matrix is factored.
    /// Returns whether bodies turn about others by so much in a substep that these say little.
    fn solve_accelerations(&mut self, bodies: &Bodies) -> bool {
        let (h, by) = (self.h, (PREDICTED * self.h) as f32);
        let mut is_swift = false;
        let Self {
            matrix,
            nodes,
            links,
            ..
        } = self;
        for (number, node) in nodes.iter_mut().enumerate() {
            let [p, l] = node.impulse;
            let force = times(&node.mass, &node.field);
            let by_rows = [p.x, p.y, p.z, l.x, l.y, l.z];
            *matrix.value(number) = std::array::from_fn(|k| force[k] + by_rows[k]);
            let [v, w] = node.motion;
            node.around = around(node.start, v, w, by);
        }
        for (number, link) in (nodes.len()..).zip(&*links) {
            let motions = link.sides.map(|side| match (side.node, side.body) {
                (Some(node), _) => nodes[node as usize].motion,
                (None, Some(body)) => motion_of(bodies, &body),
                (None, None) => [DVec3::ZERO; 2],
            });
            let poses = [0, 1].map(|k| match (link.sides[k].node, motions[k]) {
                (Some(node), _) => nodes[node as usize].around,
                (None, [v, w]) => around(link.sides[k].start, v, w, by),
            });
            let later = |when: usize| link.rates(poses.map(|poses| poses[when]), motions);
            let (after, before) = (later(0), later(1));
            let value = matrix.value(number);
            *value = [0.0; 6];
            for row in 0..link.rows.len() {
                if link.states[row].holds() {
                    value[row] = (after[row] - before[row]) / (2.0 * f64::from(by));
                    is_swift |= value[row].abs() * h > SWIFT * link.turning_speed(row, motions);
                }
            }
        }
        matrix.solve();
        is_swift
    }

    /// Gives the second half.
    pub fn give_second_half(&self, bodies: &mut Bodies) {
        for node in &self.nodes {
            let i = node.body.index();
            add(bodies, &node.body, node.second);
            let [a, turning] = node.acceleration;
            bodies.joint_acceleration[i] = a.as_vec3();
            bodies.joint_angular_acceleration[i] = turning.as_vec3();
        }
    }

    /// Finds the impulses that take the velocities away that no joint allows, where the bodies are: J·v = 0. They come to those of
    /// the second half.
    ///
    /// In a loop that holds more than it needs, the equations are so stiff that one solution of them is not exact: then what is left
    /// is solved again.
    fn settle(&mut self, bodies: &Bodies) {
        for node in &mut self.nodes {
            let [v, w] = motion_of(bodies, &node.body);
            node.motion = [v + node.second[0], w + node.second[1]];
        }
        self.factor(Solved::Rates);
        for _ in 0..MOST_SOLUTIONS {
            let worst = self.solve_rates(bodies);
            if worst <= 1.0 {
                break;
            }
            self.move_nodes();
            let mut has_changed = false;
            for (number, link) in (self.nodes.len()..).zip(&mut self.links) {
                has_changed |= link.take_second(self.matrix.value(number));
            }
            if has_changed {
                self.factor(Solved::Rates);
            }
        }
        let Self { nodes, links, .. } = self;
        nodes.iter_mut().for_each(|node| node.impulse = default());
        for link in links {
            link.push(&link.second, nodes);
        }
    }

    /// Solves the equations for what is left of the rates. Returns the greatest of it, over what is rounding.
    fn solve_rates(&mut self, bodies: &Bodies) -> f64 {
        let h = self.h;
        let Self {
            matrix,
            nodes,
            links,
            ..
        } = self;
        nodes.iter_mut().for_each(|node| node.impulse = default());
        for link in &*links {
            link.push(&link.second, nodes);
        }
        let mut worst = 0f64;
        for (number, node) in nodes.iter().enumerate() {
            let (left, off, turned) = node.left();
            worst = worst.max(off * h / (EXACT * ROUNDED_WAY));
            worst = worst.max(turned * h / (EXACT * ROUNDED_TURN));
            *matrix.value(number) = left;
        }
        for (number, link) in (nodes.len()..).zip(&*links) {
            let value = matrix.value(number);
            *value = [0.0; 6];
            let motions = link.sides.map(|side| match (side.node, side.body) {
                (Some(node), _) => nodes[node as usize].motion,
                (None, Some(body)) => motion_of(bodies, &body),
                (None, None) => [DVec3::ZERO; 2],
            });
            let rates = link.rates_now(motions);
            value[..rates.len()].copy_from_slice(&rates);
            for (row, value) in value.iter_mut().enumerate().take(link.rows.len()) {
                match link.end_rate(row) {
                    Some(rate) => *value -= rate,
                    None => *value = 0.0,
                }
                worst = worst.max(value.abs() * h / (EXACT * link.rounding(row)));
            }
        }
        if worst > 1.0 {
            matrix.solve();
        }
        worst
    }
}

/// The larger one of two errors. One that is no number is infinite.
fn larger(a: f64, b: f64) -> f64 {
    match b.is_nan() {
        true => f64::INFINITY,
        false => a.max(b),
    }
}

/// A velocity and an angular velocity among the values of the matrix.
fn motion_in(&[vx, vy, vz, wx, wy, wz]: &Values) -> [DVec3; 2] {
    [DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz)]
}

/// The velocity and the angular velocity of a body now.
fn motion_of(bodies: &Bodies, body: &RowBody) -> [DVec3; 2] {
    let i = body.index();
    match bodies.moves(i) {
        true => [bodies.velocity[i], bodies.angular_velocity[i]],
        false => [DVec3::ZERO; 2],
    }
}

/// The acceleration and the angular acceleration of a body by fields.
fn field_of(bodies: &Bodies, i: usize) -> Values {
    let (a, turning) = (bodies.acceleration[i], bodies.angular_acceleration[i]);
    let turning = turning.as_dvec3();
    [a.x, a.y, a.z, turning.x, turning.y, turning.z]
}

/// The acceleration and the angular acceleration of a body by contacts.
fn contacts_of(bodies: &Bodies, i: usize) -> [DVec3; 2] {
    [
        bodies.contact_acceleration[i].as_dvec3(),
        bodies.contact_angular_acceleration[i].as_dvec3(),
    ]
}

/// Where a body with these velocities is `s` seconds after a pose, and before it. For a difference of both, it turns at an even rate: what
/// is left out is even in time.
fn around((x, rotation): Pose, v: DVec3, w: DVec3, s: f32) -> [Pose; 2] {
    [s, -s].map(|s| {
        let turned = unit(compose(turn(w.as_vec3(), s), rotation));
        (x + v * f64::from(s), turned)
    })
}

/// Where a body is now.
fn end_of(bodies: &Bodies, body: &RowBody) -> Pose {
    let i = body.index();
    (bodies.position[i], bodies.rotation[i])
}

fn add(bodies: &mut Bodies, body: &RowBody, [dv, dw]: [DVec3; 2]) {
    bodies.velocity[body.index()] += dv;
    bodies.angular_velocity[body.index()] += dw;
}
