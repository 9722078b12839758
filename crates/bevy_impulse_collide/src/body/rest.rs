//! Bodies that stay where they are.

use super::store::Bodies;

impl Bodies {
    /// Whether the body stays where it is in this substep: it sleeps, or nothing moves it.
    pub(crate) fn is_at_rest(&self, i: usize) -> bool {
        self.asleep[i] || !self.is_free(i)
    }

    /// Puts a body to sleep: its contacts balance every field.
    pub(crate) fn put_to_sleep(&mut self, i: usize) {
        self.asleep[i] = true;
        self.columns().hold(i);
    }
}
