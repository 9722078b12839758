//! Platforms that a system moves by their `Transform`, with a ball on each.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// A platform that goes round the place where it starts.
#[derive(Component)]
struct Platform(Vec3);

/// An app with so many platforms.
pub fn platforms(count: usize) -> App {
    let mut app = super::empty_app();
    app.add_systems(
        FixedUpdate,
        |mut platforms: Query<(&Platform, &mut Transform)>, time: Res<Time>| {
            for (Platform(middle), mut place) in &mut platforms {
                let angle = time.elapsed_secs() + middle.x;
                place.translation = middle + 0.5 * Vec3::new(angle.cos(), angle.sin(), 0.0);
            }
        },
    );
    let side = (count as f32).sqrt().ceil() as usize;
    let shape = Collider::cuboid(1.5, 0.2, 1.5);
    for i in 0..count {
        let middle = 4.0 * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
        let world = app.world_mut();
        world.spawn((
            Platform(middle),
            shape.clone(),
            RigidBody::Kinematic,
            MovedByTransform::default(),
            Transform::from_translation(middle),
        ));
        let on_it = middle + Vec3::new(0.5 * middle.x.cos(), 0.4 + 0.5 * middle.x.sin(), 0.0);
        world.spawn((
            Particle::new(0.25),
            Friction(0.5),
            Transform::from_translation(on_it),
        ));
    }
    app
}
