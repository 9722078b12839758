//! One joint in one substep: its rows, what each of them does, and its impulses.

use bevy::prelude::*;
use glam::{DMat3, DVec3, Quat};

use super::{
    block::{Block, MOST, ZERO, invert, product, transposed},
    block_matrix::BlockMatrix,
    drive::{Act, Drive, Oscillator, RowState, SpringImpulses},
    law::{JointLaw, PerRow, PlacedFrame, Pose, Row},
    node::{Node, ROUNDED_TURN, Solved},
};
use crate::{
    body::Bodies,
    kernel::rotation_vector,
    solver::contact::{PositionError, RowBody},
};

/// Compliance of a row in a loop, over what its two bodies alone give way. In a loop, rows may hold the same, or nearly the same. With it
/// they share the load, and what rounding asks of them takes no more than a small force.
///
/// Such a row gives way as a damper does: under a load it opens in each substep, and closes by [`CLOSED_IN_LOOPS`] of its gap. So a row that
/// bears n times the weight of its own body is apart by some n·g·h²·10⁻⁶/(2·0.3): by 0.5 µm for n = 100 at 60 Hz.
const COMPLIANCE: f64 = 1e-6;

/// The part of it for velocities at the end of a substep: to take away what is not allowed never asks for what cannot be.
const RIGID: f64 = 1e-3;

/// Error in m or rad at the start of a substep, up to which a joint closes it by velocities. What is more than that is no motion of
/// the bodies: they were put there. The projection brings them together.
pub(super) const MOST_CLOSED: f64 = 1e-3;

/// The same of a row in a loop, and the part of it that one substep closes. A taut chain shortens by 0.1 mm as its middle rises by some mm:
/// to close all at once gives its bodies much energy, whatever has opened it.
const MOST_CLOSED_IN_LOOPS: f64 = 3e-5;
const CLOSED_IN_LOOPS: f64 = 0.3;

/// Gap in m or rad that any joint may close in a substep.
const CLOSED_SAFELY: f64 = 1e-5;

/// Most that an angle at which a limit acts differs from that of rows that do not turn, in rad.
const MOST_BENT: f64 = 0.1;

/// Least 2·ζ of a spring that oscillates so fast that substeps do not follow it. On bodies that turn, it would gain energy without.
const LEAST_DECAY: f64 = 0.005;

/// (ω·h)² of all springs on two bodies together, up to which the impulses of each follow its closed form.
const MOST_EXACT: f64 = 4.0;

/// One of the two things that a joint joins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// None for the world.
    pub body: Option<RowBody>,
    /// The node, if it is a dynamic body.
    pub node: Option<u32>,
    /// Where the flight of the substep starts, and where it ends.
    pub start: Pose,
    pub end: Pose,
}

impl Side {
    /// The world: its axes and its origin.
    pub const WORLD: Self = Self {
        body: None,
        node: None,
        start: (DVec3::ZERO, Quat::IDENTITY),
        end: (DVec3::ZERO, Quat::IDENTITY),
    };

    /// The velocity and the angular velocity of a body that no impulse moves.
    pub fn motion(&self, h: f64) -> [DVec3; 2] {
        let turned = rotation_vector(self.start.1, self.end.1).as_dvec3();
        [(self.end.0 - self.start.0) / h, turned / h]
    }
}

/// A joint in this substep.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub law: JointLaw,
    pub sides: [Side; 2],
    /// Its frames where the flights of the bodies start. After an impact these are others than before, and the bodies have not been there:
    /// but only with rows from there do impulses keep the angular momentum, and turn no body that they pull at its centre.
    placed: [PlacedFrame; 2],
    pub rows: PerRow<Row>,
    /// The same where the projection finds the bodies, with what the rows are off there in m or rad.
    end_rows: PerRow<Row>,
    pub errors: PerRow<f64>,
    pub states: PerRow<RowState>,
    springs: PerRow<SpringImpulses>,
    /// The velocity that each row gives way by for a unit impulse, beside what its bodies do. Infinite if nothing moves them in it.
    compliance: PerRow<f64>,
    /// Whether others hold its bodies together without it.
    pub is_in_loop: bool,
    /// The values before the substep, where the flights start it, and at its end.
    before: PerRow<f64>,
    starts: PerRow<f64>,
    pub values: PerRow<f64>,
    /// The values at its end by which a limit acts. Those of angles are nearly as if the rows did not turn: where a limb swings past
    /// the axis of its joint, the angle has a corner.
    reached: PerRow<f64>,
    /// Of each half of the substep.
    pub impulses: PerRow<f64>,
    pub second: PerRow<f64>,
    /// Of the second half, what has been given already.
    kept: PerRow<f64>,
    /// The impulses of the first half at the best solution so far.
    pub best: PerRow<f64>,
    /// The force in N on `b` in this substep, and the torque in N·m about the joint's point.
    pub reaction: (DVec3, DVec3),
    /// Whether the impulses of this substep turn so much that they change their own effect.
    pub turns_much: bool,
    /// Whether the rows stay where they are at the start of this substep.
    pub is_linear: bool,
    pub h: f64,
}

impl Link {
    pub fn new(law: JointLaw, sides: [Side; 2]) -> Self {
        Self {
            law,
            sides,
            placed: default(),
            rows: PerRow::new(),
            end_rows: PerRow::new(),
            errors: PerRow::new(),
            states: PerRow::new(),
            springs: PerRow::new(),
            compliance: PerRow::new(),
            is_in_loop: false,
            before: PerRow::new(),
            starts: PerRow::new(),
            values: PerRow::new(),
            reached: PerRow::new(),
            impulses: PerRow::new(),
            second: PerRow::new(),
            kept: PerRow::new(),
            best: PerRow::new(),
            reaction: (DVec3::ZERO, DVec3::ZERO),
            turns_much: false,
            is_linear: false,
            h: 0.0,
        }
    }

    /// Starts a substep where the flights of the bodies start it. Where they were before impacts, they were in these poses.
    pub fn begin(&mut self, h: f64, before: [Pose; 2], nodes: &[Node]) {
        self.h = h;
        self.turns_much = false;
        self.is_linear = false;
        self.placed = self.law.placed(self.sides.map(|side| side.start));
        self.find_first_rows();
        self.find_compliance(nodes);
        self.law.list_values(self.placed, &mut self.starts);
        self.values.clone_from(&self.starts);
        self.reached.clone_from(&self.starts);
        let before = self.law.placed(before);
        self.law.list_values(before, &mut self.before);
        for row in 0..self.before.len() {
            self.before[row] = self.without_jump(row, self.starts[row], self.before[row]);
        }
        let count = self.rows.len();
        for of in [&mut self.impulses, &mut self.second, &mut self.kept] {
            of.clear();
            of.resize(count, 0.0);
        }
        self.springs.clear();
        self.springs.resize(count, SpringImpulses::default());
        self.states = (0..count).map(|row| self.first_state(row)).collect();
    }

    /// The rows where the flights start the substep.
    fn find_first_rows(&mut self) {
        let centres = self.sides.map(|side| side.start.0);
        self.law.list_rows(self.placed, centres, &mut self.rows);
    }

    fn first_state(&self, row: usize) -> RowState {
        match self.law.drive(row) {
            Some(drive) => self.driven_state(row, drive),
            None => self.held(row, 0.0),
        }
    }

    /// Holds a value, up to what is not closed.
    fn held(&self, row: usize, value: f64) -> RowState {
        if self.is_linear {
            let value = self.starts[row];
            return RowState::Held { value, rate: 0.0 };
        }
        let error = self.before[row] - value;
        let (most, part) = self.closed_by_velocities(row);
        let left = error - part * error.clamp(-most, most);
        RowState::Held {
            value: value + left,
            rate: 0.0,
        }
    }

    /// The greatest error of a row that it closes by velocities, and the part of it that one substep closes.
    fn closed_by_velocities(&self, row: usize) -> (f64, f64) {
        match self.compliance[row] > 0.0 {
            true => (MOST_CLOSED_IN_LOOPS, CLOSED_IN_LOOPS),
            false => (MOST_CLOSED, 1.0),
        }
    }

    /// The values between which limits keep a row: where it lay beyond one before, it may stay, up to what is closed. Where only
    /// velocities are brought to what the joint allows, it may stay where its flight starts: so no limit gives energy.
    fn bounds(&self, row: usize, [low, high]: [f64; 2]) -> [f64; 2] {
        let (from, closed) = match self.is_linear {
            true => (self.starts[row], 0.0),
            false => (self.before[row], MOST_CLOSED),
        };
        [low.min(from + closed), high.max(from - closed)]
    }

    /// What drives a row between its limits.
    fn driven_state(&self, row: usize, drive: &Drive) -> RowState {
        match drive.act {
            Act::Nothing => RowState::Given(0.0),
            Act::Rate(rate) => RowState::Held {
                value: self.starts[row] + rate * self.h,
                rate,
            },
            // A spring that gives nothing, or that acts on what nothing moves.
            Act::Spring { .. } if self.springs[row].first[0] > 0.0 => RowState::Spring,
            Act::Spring { .. } => RowState::Given(0.0),
        }
    }

    /// Starts again where the flights start the substep.
    pub fn begin_anew(&mut self, is_linear: bool, turns_much: bool) {
        self.turns_much = turns_much;
        self.is_linear = is_linear;
        self.find_first_rows();
        self.values.clone_from(&self.starts);
        self.reached.clone_from(&self.starts);
        self.impulses.fill(0.0);
        self.states = (0..self.rows.len())
            .map(|row| self.first_state(row))
            .collect();
    }

    /// Whether it closes gaps that are more than rounding.
    pub fn closes_gaps(&self) -> bool {
        let closes = |row: usize| {
            let error = self.before[row].abs();
            let (most, part) = self.closed_by_velocities(row);
            self.law.drive(row).is_none() && part * error.min(most) > CLOSED_SAFELY
        };
        (0..self.rows.len()).any(closes)
    }

    /// Holds its rows as far apart as they are: the projection brings them together.
    pub fn keep_gaps(&mut self) {
        for row in 0..self.rows.len() {
            if self.law.drive(row).is_none() {
                let value = self.before[row];
                self.states[row] = RowState::Held { value, rate: 0.0 };
            }
        }
    }

    /// How far apart its bodies are in what it holds, in m or rad.
    pub fn apart(&self) -> f64 {
        match self.law.soft {
            Some(_) => 0.0,
            None => {
                let held = self.values.iter().take(self.law.held_rows());
                held.fold(0.0, |most, value| value.abs().max(most))
            }
        }
    }

    /// Whether a row holds a value by itself, without a drive.
    fn is_rigid(&self, row: usize) -> bool {
        self.law.drive(row).is_none() || matches!(self.states[row], RowState::AtLimit { .. })
    }

    pub fn is_at_limit(&self) -> bool {
        let is_limit = |state: &RowState| matches!(state, RowState::AtLimit { .. });
        self.states.iter().any(is_limit)
    }

    /// The work in J of the first half of the impulses of rows that hold, between these velocities and angular velocities.
    pub fn work_by_held(&self, before: [[DVec3; 2]; 2], after: [[DVec3; 2]; 2]) -> f64 {
        let means = [0, 1].map(|side| [0, 1].map(|k| 0.5 * (before[side][k] + after[side][k])));
        let rates = rates(&self.rows, means);
        (0..self.rows.len())
            .filter(|&row| self.is_rigid(row))
            .map(|row| self.impulses[row] * rates[row])
            .sum()
    }

    /// The work in J of its impulses, of both halves, as its rows close: of those that do so at once, as they are in no loop. After an impact,
    /// that is the way from where the flights start.
    pub fn work_by_closing(&self) -> f64 {
        let of_row = |row: usize| match self.states[row] {
            RowState::Held { value, .. } | RowState::AtLimit { value, .. }
                if self.is_rigid(row) && self.compliance[row] == 0.0 =>
            {
                2.0 * self.impulses[row] * (value - self.starts[row]) / self.h
            }
            _ => 0.0,
        };
        (0..self.rows.len()).map(of_row).sum()
    }

    /// The work in J of its impulses, of both halves, over ways that are rounding.
    pub fn rounded_work(&self) -> f64 {
        let of_row = |row: usize| 2.0 * self.impulses[row].abs() * self.rounding(row) / self.h;
        (0..self.rows.len()).map(of_row).sum()
    }

    /// The most energy in J that its rows give as they close in the substep by x. An impulse λ of half a substep opens a row by h·c·λ, so
    /// the work 2·λ/h·(x − h·c·λ) is x²/(2·h²·c) at most; twice of that leaves room.
    pub fn most_by_closing(&self) -> f64 {
        let of_row = |row: usize| match self.states[row] {
            RowState::Held { value, .. } if self.compliance[row] > 0.0 => {
                let opened = (self.before[row] - value) / self.h;
                opened * opened / self.compliance[row]
            }
            _ => 0.0,
        };
        (0..self.rows.len()).map(of_row).sum()
    }

    /// The rates of the rows as they are now.
    pub fn rates_now(&self, motions: [[DVec3; 2]; 2]) -> PerRow<f64> {
        rates(&self.rows, motions)
    }

    /// How fast at most what a row holds turns, in m/s or rad/s.
    pub fn turning_speed(&self, row: usize, motions: [[DVec3; 2]; 2]) -> f64 {
        let Row { linear, arms, .. } = self.rows[row];
        let spins = motions.map(|[_, w]| w.length());
        if linear == DVec3::ZERO {
            return spins[0] + spins[1];
        }
        let by_rod = match self.law.is_rod() {
            true => (motions[1][0] - motions[0][0]).length(),
            false => 0.0,
        };
        by_rod + spins[0] * arms[0].length() + spins[1] * arms[1].length()
    }

    /// The rates of the rows, of bodies in these poses with these velocities and angular velocities.
    pub fn rates(&self, poses: [Pose; 2], motions: [[DVec3; 2]; 2]) -> PerRow<f64> {
        let mut rows = PerRow::new();
        let centres = poses.map(|pose| pose.0);
        self.law
            .list_rows(self.law.placed(poses), centres, &mut rows);
        rates(&rows, motions)
    }

    /// Finds the rows of bodies in these poses.
    pub fn find_rows(&mut self, poses: [Pose; 2]) {
        let centres = poses.map(|pose| pose.0);
        self.law
            .list_rows(self.law.placed(poses), centres, &mut self.rows);
    }

    /// Finds the values where the bodies come to, and the rows that act in the middle of the ways.
    pub fn find_ways(&mut self, starts: [Pose; 2], ends: [Pose; 2]) {
        let placed = self.law.placed(ends);
        self.law.list_values(placed, &mut self.values);
        self.take_jumps_away();
        let is_middle = |row: &usize| self.is_middle(*row);
        let middle: PerRow<usize> = (0..self.rows.len()).filter(is_middle).collect();
        if middle.is_empty() {
            return;
        }
        let frames = [0, 1].map(|k| self.placed[k].middle(&placed[k]));
        let centres = [0, 1].map(|k| 0.5 * (starts[k].0 + ends[k].0));
        if middle.len() == self.rows.len() {
            self.law.list_rows(frames, centres, &mut self.rows);
            return;
        }
        let mut rows = PerRow::new();
        self.law.list_rows(frames, centres, &mut rows);
        for row in middle {
            self.rows[row] = rows[row];
        }
    }

    /// Whether a row gives the same impulse in both halves, in the middle of the ways. A spring with two impulses gives each where
    /// it acts: only so they keep the angular momentum.
    fn is_middle(&self, row: usize) -> bool {
        match (self.law.drive(row), self.states[row]) {
            _ if self.is_linear => false,
            (None, _) => self.turns_much,
            (Some(_), RowState::Spring) => self.springs[row].is_steady,
            (Some(_), RowState::AtLimit { .. }) => self.turns_much && !self.law.wraps(row),
            (Some(_), _) => false,
        }
    }

    /// Where its bodies start, and where they come to.
    pub fn ways(&self, nodes: &[Node]) -> ([Pose; 2], [Pose; 2]) {
        let ends = self.sides.map(|side| match side.node {
            Some(node) => nodes[node as usize].end,
            None => side.end,
        });
        (self.sides.map(|side| side.start), ends)
    }

    /// Where its bodies are now.
    pub fn ends(&self, bodies: &Bodies) -> [Pose; 2] {
        self.sides.map(|side| match side.body {
            Some(body) => (bodies.position[body.index()], bodies.rotation[body.index()]),
            None => side.end,
        })
    }

    /// From the velocity and the angular velocity of each body to those of the rows.
    pub fn blocks(&self) -> [Block; 2] {
        [(0, -1.0), (1, 1.0)].map(|(side, sign)| {
            let mut block = ZERO;
            for (out, row) in block.iter_mut().zip(&self.rows) {
                *out = row.of_side(side, sign);
            }
            block
        })
    }

    /// Finds how much its rows give way by themselves.
    pub fn find_compliance(&mut self, nodes: &[Node]) {
        let nodes = self
            .sides
            .map(|side| side.node.map(|node| &nodes[node as usize]));
        let are_free = nodes.iter().flatten().all(|node| node.is_free());
        let c = match are_free && !self.is_in_loop {
            true => 0.0,
            false => COMPLIANCE,
        };
        let of_row = |row: &Row| {
            let of_side = |side: usize| Some(nodes[side]?.gives_way(&row.of_side(side, 1.0)));
            let most: f64 = (0..2).filter_map(of_side).sum();
            if most > 0.0 { c * most } else { f64::INFINITY }
        };
        self.compliance = self.rows.iter().map(of_row).collect();
    }

    /// Finds the impulses of its springs. `loads` has (ω·h)² of all springs on each node.
    pub fn find_springs(&mut self, nodes: &[Node], loads: &mut [f64], is_second: bool) {
        let is_spring = |row: &usize| {
            let drive = self.law.drive(*row);
            drive.is_some_and(|drive| matches!(drive.act, Act::Spring { .. }))
        };
        let springs: PerRow<usize> = (0..self.rows.len()).filter(is_spring).collect();
        if springs.is_empty() {
            return;
        }
        let blocks = self.blocks();
        let given = [0, 1].map(|side| match self.sides[side].node {
            Some(node) => product(
                &blocks[side],
                &nodes[node as usize].inverse_mass(),
                MOST,
                MOST,
            ),
            None => ZERO,
        });
        let of_side =
            [0, 1].map(|side| product(&given[side], &transposed(&blocks[side]), MOST, MOST));
        for row in springs {
            let Some(&Drive {
                act: Act::Spring { stiffness, .. },
                ..
            }) = self.law.drive(row)
            else {
                continue;
            };
            let (among, of_row) = self.response(row, &of_side);
            let mass = match self.law.soft {
                Some(_) => self.mean_mass(row, &of_side),
                None => of_row[among.len() - 1],
            };
            // Nothing moves it beside what the joint holds.
            if mass <= 0.0 {
                continue;
            }
            let (square, damping) = stiffness.of_mass(mass);
            let stiff = square * mass * self.h * self.h;
            if !is_second {
                for (side, of_side) in self.sides.iter().zip(&of_side) {
                    if let Some(node) = side.node {
                        loads[node as usize] += stiff * of_side[row][row];
                    }
                }
                continue;
            }
            let load = self.sides.iter().filter_map(|side| side.node);
            let load: f64 = load.map(|node| loads[node as usize]).sum();
            let pulls = |r: usize| -> f64 {
                let of_sides = (0..2).filter_map(|side| {
                    let field = nodes[self.sides[side].node? as usize].field;
                    Some(
                        (0..MOST)
                            .map(|k| blocks[side][r][k] * field[k])
                            .sum::<f64>(),
                    )
                });
                of_sides.sum()
            };
            let force: f64 = among.iter().zip(of_row).map(|(&r, by)| by * pulls(r)).sum();
            let phase = square.sqrt() * self.h;
            let is_exact = load <= MOST_EXACT;
            let least = match is_exact || phase < 1.0 {
                true => 0.0,
                false => LEAST_DECAY * phase / self.h,
            };
            let of = Oscillator {
                square,
                damping: damping.max(least),
                mass,
                field: force / mass,
            };
            self.springs[row] = match is_exact {
                true => of.exact(self.h),
                false => of.stable(self.h),
            };
            self.states[row] = self.first_state(row);
        }
    }

    /// The rows that hold beside a row, with it as the last one, and what pulls at them give in it: the last line of the inverse of
    /// their mobility.
    fn response(&self, row: usize, of_side: &[Block; 2]) -> (PerRow<usize>, [f64; MOST]) {
        let mut among: PerRow<usize> = match self.law.soft {
            Some(_) => PerRow::new(),
            None => (0..self.law.held_rows()).collect(),
        };
        among.push(row);
        let mut mobility = ZERO;
        for (k, &r) in among.iter().enumerate() {
            for (l, &c) in among.iter().enumerate() {
                mobility[k][l] = of_side[0][r][c] + of_side[1][r][c];
            }
        }
        let last = among.len() - 1;
        let mut of_rows = ZERO;
        invert(&mobility, among.len(), &mut of_rows);
        (among, of_rows[last])
    }

    /// The effective mass in kg of a soft joint's points, or the moment of inertia in kg·m² of its bodies: by the mean mobility of all
    /// directions. So a spring is as stiff in all of them, and whatever way the bodies turn: else it would make energy.
    fn mean_mass(&self, row: usize, of_side: &[Block; 2]) -> f64 {
        let is_angular = |row: usize| self.rows[row].linear == DVec3::ZERO;
        let alike = (0..self.law.held_rows()).filter(|&r| is_angular(r) == is_angular(row));
        let (mut count, mut mobility) = (0.0, 0.0);
        for r in alike {
            count += 1.0;
            mobility += of_side[0][r][r] + of_side[1][r][r];
        }
        count / mobility
    }

    fn rest(&self, row: usize) -> f64 {
        match self.law.drive(row).map(|drive| drive.act) {
            Some(Act::Spring { rest, .. }) => rest,
            _ => 0.0,
        }
    }

    /// A value, from one that it goes through, without the jump of an angle after a turn.
    fn without_jump(&self, row: usize, from: f64, value: f64) -> f64 {
        let turn = 2.0 * std::f64::consts::PI;
        match self.law.wraps(row) && (value - from).abs() > std::f64::consts::PI {
            true => value - turn * (value - from).signum(),
            false => value,
        }
    }

    /// Its values where the bodies come to.
    pub fn find_values(&mut self, ends: [Pose; 2]) {
        let placed = self.law.placed(ends);
        self.law.list_values(placed, &mut self.values);
        self.take_jumps_away();
    }

    fn take_jumps_away(&mut self) {
        for row in 0..self.values.len() {
            self.values[row] = self.without_jump(row, self.starts[row], self.values[row]);
        }
    }

    /// Finds the values by which its limits act, with these velocities and angular velocities.
    pub fn find_reached(&mut self, motions: [[DVec3; 2]; 2]) {
        self.reached.clone_from(&self.values);
        let is_bent = |row: usize| self.is_linear || self.law.wraps(row);
        if !(0..self.rows.len()).any(is_bent) {
            return;
        }
        let rates = rates(&self.rows, motions);
        for row in 0..self.rows.len() {
            let straight = self.starts[row] + rates[row] * self.h;
            if self.is_linear {
                self.reached[row] = straight;
            } else if self.law.wraps(row) {
                let bent = (self.values[row] - straight).clamp(-MOST_BENT, MOST_BENT);
                self.reached[row] = straight + bent;
            }
        }
        if self.is_linear {
            self.values.clone_from(&self.reached);
        }
    }

    /// The impulse of a spring in a half of the substep, with the values as they are now.
    fn spring_impulse(&self, row: usize, [a1, a0, offset]: [f64; 3]) -> f64 {
        let rest = self.rest(row);
        // Where the bodies were, not where an impact lets their flights start: a stiff spring would have much energy there. And the
        // shortest way of an angle from its rest.
        let start = self.without_jump(row, rest, self.before[row]);
        let end = start + self.values[row] - self.before[row];
        offset - a1 * (end - rest) - a0 * (start - rest)
    }

    /// How far a row is from what it should do: of its value, or of its spring's impulse over the first factor.
    pub fn off(&self, row: usize) -> f64 {
        match self.states[row] {
            _ if self.compliance[row].is_infinite() => 0.0,
            RowState::Held { value, .. } => self.values[row] - value + self.gap(row),
            RowState::AtLimit { value, .. } => self.reached[row] - value + self.gap(row),
            RowState::Spring => {
                let first = self.springs[row].first;
                (self.impulses[row] - self.spring_impulse(row, first)) / first[0]
            }
            RowState::Given(_) => 0.0,
        }
    }

    /// How far its impulse opens a row.
    fn gap(&self, row: usize) -> f64 {
        self.h * self.compliance[row] * self.impulses[row]
    }

    /// Changes the states of driven rows by where they come to: of all, or of the first one that has to change. Returns whether one
    /// has changed.
    pub fn switch(&mut self, only_one: bool) -> bool {
        let mut has_changed = false;
        for row in self.law.held_rows().min(self.rows.len())..self.rows.len() {
            let Some(drive) = self.law.drive(row).copied() else {
                continue;
            };
            let state = self.next_state(row, &drive);
            if state == self.states[row] {
                continue;
            }
            let was_middle = self.is_middle(row);
            self.states[row] = state;
            if was_middle && !self.is_middle(row) {
                let mut first = PerRow::new();
                let centres = self.sides.map(|side| side.start.0);
                self.law.list_rows(self.placed, centres, &mut first);
                self.rows[row] = first[row];
            }
            if let RowState::Given(impulse) = state {
                self.impulses[row] = impulse;
            }
            has_changed = true;
            if only_one {
                break;
            }
        }
        has_changed
    }

    /// Holds the rows at limits as they are, whatever impulses that takes.
    pub fn hold_limits(&mut self) {
        for row in 0..self.rows.len() {
            if let RowState::AtLimit { is_upper, .. } = self.states[row] {
                let value = self.starts[row];
                self.states[row] = RowState::AtLimit { value, is_upper };
            }
        }
    }

    /// The state of a driven row with this impulse of half a substep, that comes to this value.
    fn next_state(&self, row: usize, drive: &Drive) -> RowState {
        let (impulse, reached) = (self.impulses[row], self.reached[row]);
        let tolerance = match self.law.wraps(row) {
            true => ROUNDED_TURN,
            false => self.law.rounding(),
        };
        let most = 0.5 * self.h * drive.most;
        let driven = self.driven_state(row, drive);
        let state = self.states[row];
        let [low, high] = self.bounds(row, drive.limits);
        let at = |value: f64, is_upper: bool| RowState::AtLimit { value, is_upper };
        match state {
            RowState::AtLimit { is_upper, .. } => {
                let is_left = self.leaves_limit(row, drive, is_upper, impulse, false);
                return if is_left { driven } else { state };
            }
            _ if reached > high + tolerance => return at(high, true),
            _ if reached < low - tolerance => return at(low, false),
            _ => {}
        }
        match (state, drive.act) {
            (RowState::Given(given), Act::Rate(rate)) if given != 0.0 => {
                // All that it can is more than it needs.
                let beyond = self.values[row] - self.starts[row] - rate * self.h;
                if beyond * given > tolerance * given.abs() {
                    driven
                } else {
                    state
                }
            }
            (RowState::Given(given), Act::Spring { .. }) if given != 0.0 => {
                let wanted = self.spring_impulse(row, self.springs[row].first);
                if wanted.abs() < most {
                    driven
                } else {
                    RowState::Given(most * wanted.signum())
                }
            }
            (RowState::Held { .. } | RowState::Spring, _) if impulse.abs() > most => {
                RowState::Given(most * impulse.signum())
            }
            _ => state,
        }
    }

    /// Whether a row at its limit leaves it, with this impulse of half a substep: the limit only presses back, beside what the drive
    /// gives there.
    fn leaves_limit(
        &self,
        row: usize,
        drive: &Drive,
        is_upper: bool,
        impulse: f64,
        is_second: bool,
    ) -> bool {
        let most = 0.5 * self.h * drive.most;
        let by_drive = match drive.act {
            Act::Nothing => 0.0,
            // A brake resists on both sides.
            Act::Rate(0.0) if is_upper => most,
            Act::Rate(0.0) => -most,
            Act::Rate(rate) => most * rate.signum(),
            Act::Spring { .. } => {
                let SpringImpulses { first, second, .. } = self.springs[row];
                let by_spring = self.spring_impulse(row, if is_second { second } else { first });
                by_spring.clamp(-most, most)
            }
        };
        match is_upper {
            true => impulse > by_drive,
            false => impulse < by_drive,
        }
    }

    /// The impulse on `b` of half a substep, and the couple.
    pub fn wrench(&self, impulses: &[f64]) -> (DVec3, DVec3) {
        let mut sum = (DVec3::ZERO, DVec3::ZERO);
        for (row, &impulse) in self.rows.iter().zip(impulses) {
            sum.0 += row.linear * impulse;
            sum.1 += row.angular * impulse;
        }
        sum
    }

    /// The impulse on `b` of half a substep without that of springs.
    fn held_force(&self) -> DVec3 {
        let rows = self.rows.iter().zip(&self.impulses).zip(&self.states);
        let held = rows.filter(|(_, state)| **state != RowState::Spring);
        held.map(|((row, impulse), _)| row.linear * *impulse).sum()
    }

    /// Gives impulses to the nodes.
    pub fn push(&self, impulses: &[f64], nodes: &mut [Node]) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(node) = self.sides[side].node else {
                continue;
            };
            let node = &mut nodes[node as usize];
            let (force, _) = self.wrench(impulses);
            let arm = self.rows.first().map_or(0.0, |row| row.arms[side].length());
            node.moments += force.length() * arm;
            let [p, l] = &mut node.impulse;
            for (row, impulse) in self.rows.iter().zip(impulses) {
                let turning = row.arms[side].cross(row.linear) + row.angular;
                *p += sign * impulse * row.linear;
                *l += sign * impulse * turning;
            }
        }
    }

    /// The impulses of the second half that are those of the first one again.
    pub fn repeat_first(&mut self) {
        for row in 0..self.rows.len() {
            self.second[row] = match self.is_middle(row) {
                true => self.impulses[row],
                false => 0.0,
            };
        }
    }

    /// The impulses of the second half that follow from where the bodies are: of springs, and of motors that do all that they can.
    pub fn find_second(&mut self) {
        for row in 0..self.rows.len() {
            self.second[row] = match self.states[row] {
                _ if self.is_middle(row) => 0.0,
                RowState::Spring => self.spring_impulse(row, self.springs[row].second),
                RowState::Given(impulse) => impulse,
                _ => 0.0,
            };
        }
    }

    /// Takes the impulses of the second half as given.
    pub fn keep_second(&mut self) {
        std::mem::swap(&mut self.kept, &mut self.second);
    }

    /// Keeps the force and the torque of this substep, unless they are too great for a number.
    pub fn keep_reaction(&mut self) {
        let sums = self.impulses.iter().zip(&self.second).zip(&self.kept);
        let sums: PerRow<f64> = sums.map(|((a, b), c)| (a + b + c) / self.h).collect();
        let (force, torque) = self.wrench(&sums);
        self.reaction = match force.as_vec3().is_finite() && torque.as_vec3().is_finite() {
            true => (force, torque),
            false => default(),
        };
    }

    /// The forces of rows that do not hold, as they are at the end of the substep.
    pub fn push_forces(&self, nodes: &mut [Node]) {
        let forces = (0..self.rows.len()).map(|row| match self.states[row].holds() {
            true => 0.0,
            false => (self.second[row] + self.kept[row]) * 2.0 / self.h,
        });
        let forces: PerRow<f64> = forces.collect();
        self.push(&forces, nodes);
    }

    /// The rate that each row has to have at the end of the substep, if it holds one.
    pub fn end_rate(&self, row: usize) -> Option<f64> {
        match self.states[row] {
            _ if self.compliance[row].is_infinite() => None,
            RowState::Held { rate, .. } => Some(rate),
            RowState::AtLimit { .. } => Some(0.0),
            RowState::Spring | RowState::Given(_) => None,
        }
    }

    /// The error of a row in m or rad that is rounding.
    pub fn rounding(&self, row: usize) -> f64 {
        match self.rows[row].linear == DVec3::ZERO {
            true => ROUNDED_TURN,
            false => self.law.rounding(),
        }
    }

    /// Adds to the impulses of the second half of the rows that hold. Returns whether one of them holds no more.
    pub fn take_second(&mut self, changes: &[f64; MOST]) -> bool {
        let rows = self.second.iter_mut().zip(changes).zip(&self.states);
        for ((second, change), state) in rows {
            if state.holds() {
                *second += change;
            }
        }
        self.release()
    }

    /// Lets limits go that would pull, and motors that would do more than they can. Returns whether a state has changed.
    fn release(&mut self) -> bool {
        let mut has_changed = false;
        for row in self.law.held_rows().min(self.rows.len())..self.rows.len() {
            let Some(drive) = self.law.drive(row).copied() else {
                continue;
            };
            let impulse = self.second[row] + self.kept[row];
            let most = 0.5 * self.h * drive.most;
            let state = match self.states[row] {
                RowState::AtLimit { is_upper, .. }
                    if self.leaves_limit(row, &drive, is_upper, impulse, true) =>
                {
                    match drive.act {
                        Act::Nothing => RowState::Given(0.0),
                        Act::Rate(rate) => RowState::Held { value: 0.0, rate },
                        Act::Spring { .. } => {
                            let by_spring = self.spring_impulse(row, self.springs[row].second);
                            RowState::Given(by_spring.clamp(-most, most))
                        }
                    }
                }
                RowState::Held { .. } if impulse.abs() > most => {
                    RowState::Given(most * impulse.signum())
                }
                state => state,
            };
            if state != self.states[row] {
                has_changed = true;
                self.states[row] = state;
                if let RowState::Given(impulse) = state {
                    self.second[row] = impulse - self.kept[row];
                }
            }
        }
        has_changed
    }

    /// Adds its blocks to the matrix. `edge` is the number of its first edge; returns that of the next link.
    pub fn add_to(
        &self,
        matrix: &mut BlockMatrix,
        number: usize,
        edge: usize,
        what: Solved,
    ) -> usize {
        let works = |row: usize| match (what, self.states[row]) {
            _ if self.compliance[row].is_infinite() => false,
            (Solved::Impact, _) => self.law.drive(row).is_none(),
            (Solved::Places, RowState::Spring) => true,
            (_, state) => state.holds(),
        };
        let mut edge = edge;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if self.sides[side].node.is_none() {
                continue;
            }
            for (number, row) in self.rows.iter().enumerate() {
                if works(number) {
                    matrix.add_row(edge, number, &row.of_side(side, sign));
                }
            }
            edge += 1;
        }
        let mut own = ZERO;
        for (row, own) in own.iter_mut().enumerate().take(self.rows.len()) {
            own[row] = match self.states[row] {
                RowState::Spring if what == Solved::Places => {
                    -1.0 / (self.h * self.springs[row].first[0])
                }
                _ if !works(row) => -1.0,
                _ if what == Solved::Rates => -RIGID * self.compliance[row],
                _ => -self.compliance[row],
            };
        }
        matrix.add_diagonal(number, &own);
        edge + usize::from(self.has_rod_edge())
    }

    /// Whether it needs a block between its two bodies.
    pub fn has_rod_edge(&self) -> bool {
        self.law.is_rod() && self.sides.iter().all(|side| side.node.is_some())
    }

    /// Adds to `turning` of its nodes how its impulses turn with their arms.
    ///
    /// A body that turns by δ turns its arm r too, in the middle of its way by δ/2. So a force F turns it back by
    /// ½·(⟨r, F⟩·δ − r·⟨F, δ⟩). What is not symmetric in that is small: it is the sum of all moments on the body.
    pub fn add_turning(&self, turning: &mut [DMat3]) {
        let force = self.held_force();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(node) = self.sides[side].node else {
                continue;
            };
            let (arm, force) = (self.rows[0].arms[side], 0.5 * self.h * sign * force);
            let outer = DMat3::from_cols(force.x * arm, force.y * arm, force.z * arm);
            turning[node as usize] += DMat3::from_diagonal(DVec3::splat(arm.dot(force)))
                - 0.5 * (outer + outer.transpose());
        }
    }

    /// A rod under tension turns with its ends: this adds to their masses across it. `edge` is the one between the bodies.
    pub fn add_rod(&self, matrix: &mut BlockMatrix, nodes: &[Node], edge: usize) {
        let (starts, ends) = self.ways(nodes);
        let (Some(length), Some(row)) = (self.law.rod(starts, ends), self.rows.first()) else {
            return;
        };
        let tension = -self.held_force().dot(row.linear);
        if tension <= 0.0 || length == 0.0 {
            return;
        }
        let across = across(row.linear, 0.5 * self.h * tension / length);
        // From the motions of the bodies to the velocity of the rod's end: v + ω × r.
        let of_end = [0, 1].map(|side| {
            let arm = row.arms[side];
            let mut block = ZERO;
            for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                let turning = arm.cross(axis);
                block[k] = [axis.x, axis.y, axis.z, turning.x, turning.y, turning.z];
            }
            block
        });
        let mut stiff = ZERO;
        for (k, row) in across.iter().enumerate() {
            stiff[k][..3].copy_from_slice(row);
        }
        let between = |to: usize, from: usize, sign: f64| {
            let block = product(
                &transposed(&of_end[to]),
                &product(&stiff, &of_end[from], MOST, MOST),
                MOST,
                MOST,
            );
            block.map(|row| row.map(|x| sign * x))
        };
        for side in 0..2 {
            if let Some(node) = self.sides[side].node {
                matrix.add_diagonal(node as usize, &between(side, side, 1.0));
            }
        }
        if self.has_rod_edge() {
            matrix.add_edge(edge, &between(1, 0, -1.0));
        }
    }

    /// Whether its impulses turn so much in a substep that they change their own effect: by more than `much` of it.
    pub fn turns_more(&self, nodes: &[Node], much: f64) -> bool {
        let force = self.held_force().length();
        if force == 0.0 {
            return false;
        }
        let (starts, ends) = self.ways(nodes);
        let of = |side: usize| self.sides[side].node.map(|node| &nodes[node as usize]);
        let mass = |side: usize| of(side).map_or(0.0, |node| node.inverse_masses().0);
        let by_rod = self
            .law
            .rod(starts, ends)
            .map_or(0.0, |length| (mass(0) + mass(1)) / length);
        let by_arms = (0..2).map(|side| {
            let inertia = of(side).map_or(0.0, |node| node.inverse_masses().1);
            self.rows[0].arms[side].length() * inertia
        });
        0.5 * self.h * force * by_arms.fold(by_rod, f64::max) > much
    }

    /// Finds the rows and the errors that the projection takes away, of bodies in these poses. Returns the greatest one of what holds
    /// without a drive.
    pub fn find_position_errors(&mut self, poses: [Pose; 2]) -> f64 {
        let placed = self.law.placed(poses);
        let centres = poses.map(|pose| pose.0);
        let mut values = PerRow::new();
        self.law.list_rows(placed, centres, &mut self.end_rows);
        self.law.list_values(placed, &mut values);
        let error = |k: usize| {
            let value = self.without_jump(k, self.values[k], values[k]);
            match (self.law.drive(k), self.states[k]) {
                (None, _) => value,
                (Some(drive), RowState::AtLimit { is_upper, .. }) => {
                    value - drive.limits[usize::from(is_upper)]
                }
                _ => 0.0,
            }
        };
        self.errors = (0..values.len()).map(error).collect();
        let rigid = (0..values.len()).filter(|&row| self.law.drive(row).is_none());
        rigid.fold(0.0, |most, row| self.errors[row].abs().max(most))
    }

    /// Whether a position error of a row is taken away together with those of all links.
    pub fn is_pushed(&self, row: usize) -> bool {
        self.law.drive(row).is_none() && self.compliance[row].is_finite()
    }

    /// Puts the rows of the end in the place of those in the middle, or back.
    pub fn swap_rows(&mut self) {
        std::mem::swap(&mut self.rows, &mut self.end_rows);
    }

    /// Lists its position errors, as what `a` is off from `b`, with the pushes on `a` that these impulses over places are.
    pub fn list_position_errors(&self, pushes: &[f64], errors: &mut Vec<PositionError>) {
        let of = self.sides.map(|side| side.body.map(|body| body.index()));
        let sum = |values: &[f64], part: fn(&Row) -> DVec3| {
            let rows = self.end_rows.iter().zip(values);
            -(rows.map(|(row, value)| part(row) * *value).sum::<DVec3>()).as_vec3()
        };
        let linear = |row: &Row| row.linear;
        let angular = |row: &Row| row.angular;
        let arms = self.end_rows.first().map(|row| row.arms);
        let arms = arms.unwrap_or_default().map(|arm| arm.as_vec3());
        let (apart, turned) = (sum(&self.errors, linear), sum(&self.errors, angular));
        if apart != Vec3::ZERO {
            let error = PositionError::apart_of(of, arms, apart);
            errors.push(error.with_push(sum(pushes, linear)));
        }
        if turned != Vec3::ZERO {
            let error = PositionError::turned_of(of, turned);
            errors.push(error.with_push(sum(pushes, angular)));
        }
    }
}

/// The rates of rows with the velocities and angular velocities of the two bodies.
fn rates(rows: &[Row], motions: [[DVec3; 2]; 2]) -> PerRow<f64> {
    let rate = |row: &Row| {
        let of = |side: usize| {
            let [v, w] = motions[side];
            let turning = row.arms[side].cross(row.linear) + row.angular;
            row.linear.dot(v) + turning.dot(w)
        };
        of(1) - of(0)
    };
    rows.iter().map(rate).collect()
}

/// The matrix of a factor across an axis: (1 − n·nᵀ)·factor.
fn across(axis: DVec3, factor: f64) -> [[f64; 3]; 3] {
    let n = axis.to_array();
    std::array::from_fn(|k| {
        std::array::from_fn(|l| factor * (f64::from(u8::from(k == l)) - n[k] * n[l]))
    })
}
