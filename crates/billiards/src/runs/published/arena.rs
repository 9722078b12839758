//! Many balls on one table that do not meet each other: each is a shot of its own.

use bevy::{app::ScheduleRunnerPlugin, prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;
use scene_kit::headless;

use crate::table::{
    balls::body,
    bed::{Table, spawn_table},
    materials::materials,
    rubber::give_way,
    spec::TableSpec,
};

/// The layer of the balls. The table has the one that bodies have if they name none.
const BALLS: LayerMask = LayerMask(2);

/// A ball's place on the bed, velocity in m/s and angular velocity in rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// On the bed, in m.
    pub at: Vec2,
    /// In m/s.
    pub velocity: Vec3,
    /// In rad/s.
    pub spin: Vec3,
}

impl Flight {
    /// A ball of `radius` m that moves on the bed and has `roll` of the spin with which it would roll.
    pub fn on_bed(at: Vec2, velocity: Vec2, roll: f32, radius: f32) -> Self {
        let velocity = Vec3::new(velocity.x, 0.0, velocity.y);
        Self {
            at,
            velocity,
            spin: roll * Vec3::Y.cross(velocity) / radius,
        }
    }
}

/// A table and balls that do not meet each other.
pub struct Arena {
    app: App,
    balls: Vec<Entity>,
}

impl Arena {
    /// A table without balls, stepped `hz` times per second.
    pub fn new(spec: &'static TableSpec, hz: f64) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
            ImpulseCollidePlugin { interpolate: false },
        ))
        .insert_resource(Time::<Fixed>::from_hz(hz))
        .insert_resource(Table::new(spec))
        .insert_resource(materials())
        .add_systems(Startup, spawn_table)
        .add_systems(PairHooks, give_way);
        headless::start(&mut app);
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        Self {
            app,
            balls: Vec::new(),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.app.world().resource::<Table>()
    }

    /// Puts these balls on the table in place of those before.
    pub fn throw(&mut self, flights: &[Flight]) {
        let table = self.table().clone();
        let world = self.app.world_mut();
        for ball in self.balls.drain(..) {
            world.despawn(ball);
        }
        for flight in flights {
            let ball = world.spawn((
                body(&table.spec.ball),
                CollisionLayers::new(BALLS, LayerMask::DEFAULT),
                Transform::from_translation(table.lying(flight.at)),
                LinearVelocity(flight.velocity),
                AngularVelocity(flight.spin),
            ));
            self.balls.push(ball.id());
        }
    }

    /// Makes a step, and gives the balls after it.
    pub fn step(&mut self) -> Vec<Flight> {
        self.app.update();
        let world = self.app.world();
        let of = |ball: &Entity| {
            let ball = world.entity(*ball);
            let place = ball.get::<Transform>().copied().unwrap_or_default();
            let velocity = ball.get::<LinearVelocity>().copied().unwrap_or_default();
            let spin = ball.get::<AngularVelocity>().copied().unwrap_or_default();
            Flight {
                at: place.translation.xz(),
                velocity: velocity.0,
                spin: spin.0,
            }
        };
        self.balls.iter().map(of).collect()
    }
}
