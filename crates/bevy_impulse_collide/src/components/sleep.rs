use bevy::prelude::*;

/// Whether a body sleeps: it has come to rest, with all that it touches, and costs next to nothing until something disturbs
/// it. The step writes this.
///
/// [`CollisionConfig::sleep_speed`](crate::config::CollisionConfig::sleep_speed) says what counts as rest, and switches
/// sleeping off. What is asleep wakes by itself: when something hits or touches it, when its components change, when what it
/// lies on moves or is gone, when gravity turns.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct Sleep {
    /// Seconds for which it has hardly moved.
    pub(crate) quiet_for: f32,
    /// Where it fell asleep. If that is not where it is, someone has moved it, and it wakes.
    pub(crate) asleep_at: Option<(Vec3, Quat)>,
}

impl Sleep {
    /// Whether the body is asleep.
    pub fn is_asleep(&self) -> bool {
        self.asleep_at.is_some()
    }

    /// Wakes the body, and with it all that sleeps in one heap with it, in the next step.
    pub fn wake(&mut self) {
        *self = Self::default();
    }
}
