//! Bodies that stay where they are.

use glam::Vec3;

use super::store::Bodies;
use crate::kernel::{compose, turn, unit};

/// Ratio of the masses of two bodies in contact from which sweeps carry the load of the heavy one too slowly.
pub(crate) const HEAVY: f32 = 20.0;

/// Ratio of the masses of two bodies from which the heavier one can hold the lighter one where it overlaps others: that of balls of
/// which one has twice the radius.
pub(crate) const SQUEEZES: f32 = 8.0;

impl Bodies {
    /// Whether the body stays where it is in this substep: it sleeps, or it is static.
    pub(crate) fn is_at_rest(&self, i: usize) -> bool {
        self.asleep[i] || !self.is_free(i)
    }

    /// Whether both bodies of a pair stay where they are in this substep.
    pub(crate) fn are_at_rest(&self, (a, b): (u32, u32)) -> bool {
        self.is_at_rest(a as usize) && self.is_at_rest(b as usize)
    }

    /// Whether no impulse moves the body in this substep: it sleeps, or is static or kinematic.
    pub(crate) fn is_held(&self, i: usize) -> bool {
        self.asleep[i] || !self.is_pushed(i)
    }

    /// Whether no impulse moves either body of a pair in this substep.
    pub(crate) fn are_held(&self, (a, b): (u32, u32)) -> bool {
        self.is_held(a as usize) && self.is_held(b as usize)
    }

    /// Whether both bodies of a pair are dynamic, and one is much heavier than the other.
    pub(crate) fn are_heavy_and_light(&self, a: usize, b: usize) -> bool {
        let (m_a, m_b) = (self.mass[a], self.mass[b]);
        m_a.max(m_b) >= HEAVY * m_a.min(m_b) && self.is_pushed(a) && self.is_pushed(b)
    }

    /// Whether one of two bodies that press on each other can squeeze the other one: it is heavier, or kinematic.
    pub(crate) fn may_squeeze(&self, a: usize, b: usize) -> bool {
        let (m_a, m_b) = (self.mass[a], self.mass[b]);
        match (self.is_pushed(a), self.is_pushed(b)) {
            (true, true) => m_a.max(m_b) >= SQUEEZES * m_a.min(m_b),
            (true, false) => self.is_free(b),
            (false, true) => self.is_free(a),
            (false, false) => false,
        }
    }

    /// Whether any body sleeps.
    pub(crate) fn any_sleeps(&self) -> bool {
        self.asleep.contains(&true)
    }

    /// Whether other bodies can rest on the body: it is static, or kinematic without a velocity, and its surface does not move.
    pub(crate) fn stands_still(&self, i: usize) -> bool {
        let has_velocity = self.velocity[i] != Vec3::ZERO || self.angular_velocity[i] != Vec3::ZERO;
        !self.is_pushed(i) && !has_velocity && !self.is_belt(i)
    }

    /// Puts a body to sleep: its contacts balance every field. A ball that spins on the spot goes on spinning.
    pub(crate) fn put_to_sleep(&mut self, i: usize, spins: bool) {
        self.asleep[i] = true;
        self.position_rest[i] = Vec3::ZERO;
        self.velocity[i] = Vec3::ZERO;
        self.velocity_rest[i] = Vec3::ZERO;
        if spins {
            self.spinners.push(i as u32);
        } else {
            self.angular_velocity[i] = Vec3::ZERO;
        }
        self.columns().balance(i);
    }

    /// Lists the bodies that spin in their sleep. Before this, the list is right for the blocks that are not active.
    pub(crate) fn list_spinners(&mut self) {
        let mut spinners = std::mem::take(&mut self.spinners);
        spinners.retain(|&i| !self.is_active(i as usize));
        let spins = |&i: &usize| self.asleep[i] && self.angular_velocity[i] != Vec3::ZERO;
        spinners.extend(self.active().filter(spins).map(|i| i as u32));
        self.spinners = spinners;
    }

    /// Turns the bodies that spin in their sleep by a substep.
    pub(crate) fn turn_spinners(&mut self) {
        for k in 0..self.spinners.len() {
            let i = self.spinners[k] as usize;
            if self.asleep[i] {
                let turned = compose(turn(self.angular_velocity[i], self.h), self.rotation[i]);
                self.rotation[i] = unit(turned);
                self.launch_rotation[i] = self.rotation[i];
            }
        }
    }

    /// Wakes a body.
    pub(crate) fn wake(&mut self, i: usize) {
        self.asleep[i] = false;
        self.quiet_for[i] = 0.0;
        self.activate(i);
    }
}
