//! An app without a window that makes one fixed step in each update.

use std::time::Duration;

use bevy::{
    app::{Plugins, TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy},
    prelude::*,
    time::TimeUpdateStrategy,
};

use super::Engine;
use crate::scene::{Body, HZ, Scene, Shape};

/// An engine that is a Bevy plugin. A step is a whole update of its app: the user's cost, the ECS included.
pub struct BevyEngine {
    /// The app.
    pub app: App,
    /// The bodies, with their shapes.
    bodies: Vec<(Entity, Shape)>,
    velocity: fn(EntityRef) -> Option<Vec3>,
}

/// The app of [`MinimalPlugins`], with `physics`. Its compute threads and the main thread, which works with them, are
/// `threads`; but Bevy needs at least one of the former.
pub fn minimal_app<M>(threads: usize, physics: impl Plugins<M>) -> App {
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
    /// Runs the app's startup, in an update in which no time passes. `entities` are the scene's bodies, and `velocity` is
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
        let shapes = scene.bodies.iter().map(|body| body.shape);
        Self {
            app,
            bodies: entities.iter().copied().zip(shapes).collect(),
            velocity,
        }
    }
}

impl Engine for BevyEngine {
    fn step(&mut self) {
        self.app.update();
    }

    fn bodies(&self) -> Result<Vec<Body>, String> {
        let read = |&(entity, shape): &(Entity, Shape)| {
            let body = self.app.world().get_entity(entity).ok()?;
            let place = body.get::<Transform>()?;
            Some(Body {
                shape,
                position: place.translation,
                rotation: place.rotation,
                velocity: (self.velocity)(body)?,
            })
        };
        let bodies: Option<Vec<Body>> = self.bodies.iter().map(read).collect();
        bodies.ok_or_else(|| "a body or its velocity is gone".to_owned())
    }
}
