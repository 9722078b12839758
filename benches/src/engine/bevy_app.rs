//! An app without a window that makes one fixed step in each update.

use std::time::Duration;

use bevy::{
    app::{Plugins, TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy},
    prelude::*,
    time::TimeUpdateStrategy,
};

use super::Engine;
use crate::scene::{Ball, HZ, Scene};

/// An engine that is a Bevy plugin. A step is a whole update of its app: what a user pays, the ECS's share included.
pub struct BevyEngine {
    /// The app.
    pub app: App,
    /// The balls and their radii.
    balls: Vec<(Entity, f32)>,
    velocity: fn(EntityRef) -> Option<Vec3>,
}

/// The app of [`MinimalPlugins`], with `physics`. Its compute threads and the main thread, which works with them, are
/// `threads`; but Bevy needs at least one of the former.
pub(super) fn minimal_app<M>(threads: usize, physics: impl Plugins<M>) -> App {
    let default = TaskPoolOptions::default();
    let workers = threads.saturating_sub(1).max(1);
    let task_pool_options = TaskPoolOptions {
        compute: TaskPoolThreadAssignmentPolicy {
            min_threads: workers,
            max_threads: workers,
            ..default.compute
        },
        ..default
    };
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.set(TaskPoolPlugin { task_pool_options }))
        .add_plugins(TransformPlugin)
        .add_plugins(physics)
        .insert_resource(Time::<Fixed>::from_hz(HZ));
    app.finish();
    app.cleanup();
    app
}

impl BevyEngine {
    /// Runs the app's startup, in an update in which no time passes. `entities` are the scene's balls, and `velocity` is
    /// read from them.
    pub(super) fn new(
        mut app: App,
        scene: &Scene,
        entities: &[Entity],
        velocity: fn(EntityRef) -> Option<Vec3>,
    ) -> Self {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        app.update();
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let radii = scene.balls.iter().map(|ball| ball.radius);
        Self {
            app,
            balls: entities.iter().copied().zip(radii).collect(),
            velocity,
        }
    }
}

impl Engine for BevyEngine {
    fn step(&mut self) {
        self.app.update();
    }

    fn balls(&self) -> Result<Vec<Ball>, String> {
        let read = |&(entity, radius): &(Entity, f32)| {
            let ball = self.app.world().get_entity(entity).ok()?;
            Some(Ball {
                radius,
                position: ball.get::<Transform>()?.translation,
                velocity: (self.velocity)(ball)?,
            })
        };
        let balls: Option<Vec<Ball>> = self.balls.iter().map(read).collect();
        balls.ok_or_else(|| "a ball or its velocity is gone".to_owned())
    }
}
