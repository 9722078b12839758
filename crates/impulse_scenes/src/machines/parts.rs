//! What machines are built of: balls, bars, blocks, and the joints between them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Marks what belongs to the machine, and goes with it.
#[derive(Component)]
pub(super) struct Thing;

/// What a thing is made of, which is how it looks.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stuff {
    Steel,
    Wood,
    Stone,
    Skin,
    Cloth,
    Rubber,
    Paint,
    Grass,
}

/// Where a machine is built.
pub(super) struct Yard<'a, 'w, 's>(pub &'a mut Commands<'w, 's>);

impl Yard<'_, '_, '_> {
    fn add(&mut self, stuff: Stuff, more: impl Bundle) -> Entity {
        self.0.spawn((Thing, stuff, more)).id()
    }

    /// A ball with a mass in kg.
    pub fn ball(&mut self, stuff: Stuff, at: Vec3, radius: f32, mass: f32) -> Entity {
        let place = Transform::from_translation(at);
        self.add(stuff, (Particle::new(radius), Mass(mass), place))
    }

    /// A bar with round ends from one point to another, and a density in kg/m³.
    pub fn bar(&mut self, stuff: Stuff, ends: [Vec3; 2], radius: f32, density: f32) -> Entity {
        let [from, to] = ends;
        let along = to - from;
        let length = (along.length() - 2.0 * radius).max(0.01);
        let turned = Quat::from_rotation_arc(Vec3::Y, along.normalize_or(Vec3::Y));
        let place = Transform::from_translation(0.5 * (from + to)).with_rotation(turned);
        self.add(
            stuff,
            (Capsule::new(radius, length), Density(density), place),
        )
    }

    /// A block that stands still.
    pub fn block(&mut self, stuff: Stuff, size: Vec3, at: Vec3) -> Entity {
        let place = Transform::from_translation(at);
        self.add(
            stuff,
            (Collider::cuboid(size.x, size.y, size.z), Size(size), place),
        )
    }

    /// The level ground.
    pub fn floor(&mut self) -> Entity {
        self.add(Stuff::Grass, (Plane::new(Vec3::Y), Friction(0.6)))
    }

    /// A surface of this height over each point of a square that stands still.
    pub fn ground(&mut self, size: f32, points: u32, height: impl Fn(Vec2) -> f32) -> Entity {
        let place = |k: u32| size * (k as f32 / (points - 1) as f32 - 0.5);
        let at = |row: u32, column: u32| height(Vec2::new(place(column), place(row)));
        let heights = (0..points).flat_map(|row| (0..points).map(move |column| (row, column)));
        let heights: Vec<f32> = heights.map(|(row, column)| at(row, column)).collect();
        let surface = Collider::height_field(&heights, points, Vec2::splat(size));
        let hills = Hills {
            size,
            points,
            heights,
        };
        self.add(Stuff::Grass, (surface, hills, Friction(0.9)))
    }

    /// Changes a body.
    pub fn give(&mut self, body: Entity, more: impl Bundle) {
        self.0.entity(body).insert(more);
    }

    pub fn join(&mut self, joint: Joint, more: impl Bundle) -> Entity {
        self.0.spawn((Thing, joint, more)).id()
    }
}

/// The size of a block in m.
#[derive(Component, Clone, Copy)]
pub(super) struct Size(pub Vec3);

/// Heights in m over the points of a square, row by row along Z.
#[derive(Component)]
pub(super) struct Hills {
    pub size: f32,
    pub points: u32,
    pub heights: Vec<f32>,
}
