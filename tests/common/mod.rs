//! Shared by the tests: an app that makes exactly one fixed step per update, without window or clock; a ball on a surface.

#![allow(missing_docs, reason = "only the tests beside it use it")]

mod machines;
#[cfg(doctest)]
mod pages;

use std::f32::consts::TAU;

use bevy::{
    ecs::system::SystemState,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;
pub use machines::{spawn_machines, spawn_ragdoll};

/// An app with the physics at `hz`, without gravity.
pub fn app(hz: f64) -> App {
    let mut app = App::new();
    // Between steps, smoothed transforms lag behind: tests look at the true ones.
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(hz))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO);
    // The clock starts with this one: no time passes in it, and no step is made.
    app.update();
    app
}

/// An app with the physics at `hz` and the earth's gravity along −Y.
pub fn app_with_gravity(hz: f64) -> App {
    let mut app = app(hz);
    app.insert_resource(Gravity::default());
    app
}

/// The same, and no body sleeps.
pub fn awake(hz: f64) -> App {
    let mut app = app_with_gravity(hz);
    app.insert_resource(CollisionConfig {
        sleep_speed: 0.0,
        ..default()
    });
    app
}

pub fn steps(app: &mut App, n: usize) {
    for _ in 0..n {
        app.update();
    }
}

pub fn measure(app: &mut App) -> Measurement {
    let mut state = SystemState::<Measure>::new(app.world_mut());
    state
        .get(app.world())
        .expect("the plugin is there")
        .measure()
}

pub fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    app.world()
        .get::<C>(entity)
        .expect("the component is there")
        .clone()
}

pub fn position(app: &App, entity: Entity) -> Vec3 {
    get::<Transform>(app, entity).translation
}

pub fn velocity(app: &App, entity: Entity) -> Vec3 {
    get::<LinearVelocity>(app, entity).0
}

pub fn spin(app: &App, entity: Entity) -> Vec3 {
    get::<AngularVelocity>(app, entity).0
}

/// A ball on a surface, in an app of its own.
pub struct Ball {
    pub app: App,
    pub entity: Entity,
}

impl Ball {
    /// Spawns a surface and a ball of the same material.
    pub fn on(
        mut app: App,
        surface: Collider,
        material: (Restitution, Friction),
        ball: impl Bundle,
    ) -> Self {
        app.world_mut().spawn((surface, material));
        let entity = app.world_mut().spawn((ball, material)).id();
        Self { app, entity }
    }

    pub fn step(&mut self) {
        steps(&mut self.app, 1);
    }

    pub fn x(&self) -> Vec3 {
        position(&self.app, self.entity)
    }

    pub fn v(&self) -> Vec3 {
        velocity(&self.app, self.entity)
    }

    /// Whether it presses on the surface.
    pub fn presses(&self) -> bool {
        let contacts = self.app.world().resource::<Contacts>();
        contacts.iter().any(|contact| contact.impulse != Vec3::ZERO)
    }

    /// Kinetic energy per mass in J/kg, if this is its radius in m: v²/2 + I·ω²/(2·m), with I = 2/5·m·r².
    pub fn kinetic_energy(&self, radius: f32) -> f32 {
        let spin = 0.4 * radius * radius * spin(&self.app, self.entity).length_squared();
        0.5 * (self.v().length_squared() + spin)
    }
}

/// A surface of revolution about Y through rings, each with a radius and a height in m. It faces up and to the axis if the rings go
/// outwards and up.
pub fn revolved(rings: &[(f32, f32)], sectors: u32, sides: MeshSides) -> Collider {
    let vertices = rings.iter().flat_map(|&(radius, y)| {
        (0..sectors).map(move |sector| {
            let angle = TAU * sector as f32 / sectors as f32;
            Vec3::new(radius * angle.cos(), y, radius * angle.sin())
        })
    });
    let triangles = (1..rings.len() as u32).flat_map(|ring| {
        (0..sectors).flat_map(move |sector| {
            let next = (sector + 1) % sectors;
            let (c, d) = ((ring - 1) * sectors + sector, (ring - 1) * sectors + next);
            let (a, b) = (c + sectors, d + sectors);
            [[a, c, b], [b, c, d]]
        })
    });
    Collider::trimesh(vertices, triangles, sides)
}

/// All messages of a kind that the last update has written.
pub fn messages<M: Message + Clone>(app: &App) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    messages.iter_current_update_messages().cloned().collect()
}

/// Asserts that `actual` is within `tolerance` of `expected`, and says which law broke if it is not.
#[track_caller]
pub fn assert_near(law: &str, actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{law}: {actual} is not within {tolerance} of {expected}"
    );
}
