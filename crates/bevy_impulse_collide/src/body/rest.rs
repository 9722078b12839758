//! Bodies that stay where they are.

use glam::DVec3;

use super::{flags::BodyFlags, store::Bodies};
use crate::kernel::{compose, turn, unit};

/// Ratio of the masses of two bodies in contact from which sweeps carry the load of the heavy one too slowly.
pub(crate) const HEAVY: f32 = 20.0;

/// Ratio of the masses of two bodies from which the heavier one can hold the lighter one where it overlaps others: that of balls of
/// which one has twice the radius.
pub(crate) const SQUEEZES: f32 = 8.0;

impl Bodies {
    /// Whether both bodies of a pair stay where they are in this substep.
    pub(crate) fn both_stay(&self, (a, b): (u32, u32)) -> bool {
        !self.moves(a as usize) && !self.moves(b as usize)
    }

    /// Whether no impulse moves either body of a pair in this substep.
    pub(crate) fn are_held(&self, (a, b): (u32, u32)) -> bool {
        !self.responds(a as usize) && !self.responds(b as usize)
    }

    /// Whether both bodies of a pair are dynamic, and one is much heavier than the other.
    pub(crate) fn are_heavy_and_light(&self, a: usize, b: usize) -> bool {
        let (m_a, m_b) = (self.mass[a], self.mass[b]);
        m_a.max(m_b) >= HEAVY * m_a.min(m_b) && self.is_dynamic(a) && self.is_dynamic(b)
    }

    /// Whether one of two bodies that press on each other can squeeze the other one: it is heavier, or kinematic.
    pub(crate) fn may_squeeze(&self, a: usize, b: usize) -> bool {
        let (m_a, m_b) = (self.mass[a], self.mass[b]);
        match (self.is_dynamic(a), self.is_dynamic(b)) {
            (true, true) => m_a.max(m_b) >= SQUEEZES * m_a.min(m_b),
            (true, false) => self.is_kinematic(b),
            (false, true) => self.is_kinematic(a),
            (false, false) => false,
        }
    }

    /// Whether other bodies can rest on the body: it is static, or kinematic without a velocity, and its surface does not move.
    pub(crate) fn is_steady(&self, i: usize) -> bool {
        let has_velocity =
            self.velocity[i] != DVec3::ZERO || self.angular_velocity[i] != DVec3::ZERO;
        !self.is_dynamic(i) && !has_velocity && !self.is_belt(i)
    }

    /// Puts a body to sleep: its contacts balance every field. A ball that spins on the spot goes on spinning.
    pub(crate) fn put_to_sleep(&mut self, i: usize, spins: bool) {
        self.flags[i].insert(BodyFlags::ASLEEP);
        self.velocity[i] = DVec3::ZERO;
        if spins {
            self.spinners.push(i as u32);
        } else {
            self.angular_velocity[i] = DVec3::ZERO;
        }
        let mut columns = self.columns();
        // What its components show is all that a restored world knows of it.
        columns.round_motion(i);
        columns.balance(i);
        self.place_parts_of(i);
    }

    /// Lists the bodies that spin in their sleep. Before this, the list is right for the blocks that are not active.
    pub(crate) fn list_spinners(&mut self) {
        let mut spinners = std::mem::take(&mut self.spinners);
        spinners.retain(|&i| (i as usize) < self.len() && !self.is_active(i as usize));
        let spins = |&i: &usize| self.is_asleep(i) && self.angular_velocity[i] != DVec3::ZERO;
        spinners.extend(self.active().filter(spins).map(|i| i as u32));
        self.spinners = spinners;
    }

    /// Turns the bodies that spin in their sleep by a substep.
    pub(crate) fn turn_spinners(&mut self) {
        for k in 0..self.spinners.len() {
            let i = self.spinners[k] as usize;
            if self.is_asleep(i) {
                let turned = compose(
                    turn(self.angular_velocity[i].as_vec3(), self.h),
                    self.rotation[i],
                );
                self.rotation[i] = unit(turned);
                self.flight_rotation[i] = self.rotation[i];
            }
        }
    }

    /// Wakes a body.
    pub(crate) fn wake(&mut self, i: usize) {
        self.flags[i].remove(BodyFlags::ASLEEP);
        self.quiet_for[i] = 0.0;
        self.activate(i);
        for part in self.with_parts(i).skip(1) {
            self.flags[part].remove(BodyFlags::ASLEEP);
            self.quiet_for[part] = 0.0;
            self.activate(part);
        }
    }
}
