//! Bodies that stay where they are.

use glam::Vec3;

use super::store::Bodies;

impl Bodies {
    /// Whether the body stays where it is in this substep: it sleeps, or it is static.
    pub(crate) fn is_at_rest(&self, i: usize) -> bool {
        self.asleep[i] || !self.is_free(i)
    }

    /// Whether other bodies can rest on the body: it is static, or kinematic without a velocity.
    pub(crate) fn stands_still(&self, i: usize) -> bool {
        let has_velocity = self.velocity[i] != Vec3::ZERO || self.angular_velocity[i] != Vec3::ZERO;
        !self.is_pushed(i) && !has_velocity
    }

    /// Puts a body to sleep: its contacts balance every field.
    pub(crate) fn put_to_sleep(&mut self, i: usize) {
        self.asleep[i] = true;
        self.columns().hold(i);
    }
}
