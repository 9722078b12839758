//! The heap as it is now.

use bevy::prelude::*;

use crate::gathering::heap::{HeapShape, Rock};

/// The heap as it is now. A scene measures it once a frame, in [`MeasureHeap`].
#[derive(Resource, Default)]
pub(crate) struct Measured {
    /// Of all bodies, as the line at the top tells.
    pub all: HeapShape,
    /// Without the bodies that a comet has thrown out.
    pub core: HeapShape,
    /// From the surface of the core, in m/s.
    pub escape_speed: f64,
}

/// The system that measures the heap.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MeasureHeap;

impl Measured {
    pub fn set(&mut self, rocks: impl IntoIterator<Item = Rock> + Clone, gravity_constant: f32) {
        self.all = HeapShape::of(rocks.clone());
        self.core = HeapShape::of_core(rocks);
        if self.core.radius90 > 0.0 {
            self.escape_speed = self.core.escape_speed(gravity_constant);
        }
    }
}
