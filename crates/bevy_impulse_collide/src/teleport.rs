//! To put a body somewhere else at once, or under another parent, from any schedule.
//!
//! A `Transform` that you write teleports a body. Two things stand in the way, and these commands see to both:
//!
//! - Smoothing shows a body between its last two places. A jump inside a step would be drawn as a streak, and one after the step
//!   may be lost. In the fixed schedules the module `smoothing` finds out by itself that a ball or a capsule has jumped by more than
//!   its size; with [`TeleportTo`] any jump, of any body, is shown at once.
//! - In `Update`, the `Transform` is the smoothed one, and the `GlobalTransform` is of the last frame. So Bevy's
//!   `remove_parent_in_place` puts a body up to a step back. [`LeaveParent`] and [`JoinParent`] take its true place.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_impulse_collide::prelude::*;
//! # #[derive(Component)]
//! # struct Player;
//! /// In any schedule, and in an observer.
//! fn respawn(player: Single<Entity, With<Player>>, mut commands: Commands) {
//!     commands
//!         .entity(*player)
//!         .queue(TeleportTo::new(Vec3::new(0.0, 2.0, 0.0)).stopped());
//! }
//! # bevy::ecs::system::assert_is_system(respawn);
//! ```

use bevy::prelude::*;
use glam::DAffine3;

use crate::{
    body::Bodies,
    components::{AngularVelocity, LinearVelocity, MovedByTransform},
    ecs::{
        hierarchy::Hierarchy,
        parents::{map_by, without_shear},
    },
};

/// An entity command: the body is somewhere else at once. It is drawn there in the same frame, it gives no velocity to what it
/// leaves or meets, and it wakes what leant on it and what it meets.
///
/// The body keeps its rotation and its velocities if you give no others. The place is in the frame of its `Transform`: that of its
/// parent, if it has one. A body with [`MovedByTransform`] makes a [`jump`](MovedByTransform::jump).
///
/// The command works in every schedule and in observers, but not between the stages of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeleportTo {
    translation: Vec3,
    rotation: Option<Quat>,
    linear_velocity: Option<Vec3>,
    angular_velocity: Option<Vec3>,
}

impl TeleportTo {
    /// To this `translation`, in m.
    pub const fn new(translation: Vec3) -> Self {
        Self {
            translation,
            rotation: None,
            linear_velocity: None,
            angular_velocity: None,
        }
    }

    /// Turned like this.
    #[must_use]
    pub const fn with_rotation(mut self, rotation: Quat) -> Self {
        self.rotation = Some(rotation);
        self
    }

    /// With this velocity in m/s, in world axes.
    #[must_use]
    pub const fn with_velocity(mut self, velocity: Vec3) -> Self {
        self.linear_velocity = Some(velocity);
        self
    }

    /// With this angular velocity in rad/s, in world axes.
    #[must_use]
    pub const fn with_angular_velocity(mut self, angular_velocity: Vec3) -> Self {
        self.angular_velocity = Some(angular_velocity);
        self
    }

    /// With no velocity.
    #[must_use]
    pub const fn stopped(self) -> Self {
        self.with_velocity(Vec3::ZERO)
            .with_angular_velocity(Vec3::ZERO)
    }
}

impl EntityCommand for TeleportTo {
    type Out = ();

    fn apply(self, mut entity: EntityWorldMut) {
        let Some(mut transform) = true_transform(entity.world(), entity.id()) else {
            return;
        };
        transform.translation = self.translation;
        transform.rotation = self.rotation.unwrap_or(transform.rotation);
        put(&mut entity, transform);
        if let Some(velocity) = self.linear_velocity
            && let Some(mut v) = entity.get_mut::<LinearVelocity>()
        {
            v.0 = velocity;
        }
        if let Some(velocity) = self.angular_velocity
            && let Some(mut w) = entity.get_mut::<AngularVelocity>()
        {
            w.0 = velocity;
        }
    }
}

/// An entity command: the body has no parent any more, and stays where it is in the world.
///
/// Bevy's `remove_parent_in_place` takes the place of the last frame that was drawn.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn let_go(held: Query<Entity, (With<Particle>, With<ChildOf>)>, mut commands: Commands) {
///     for ball in &held {
///         commands.entity(ball).queue(LeaveParent);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(let_go);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveParent;

impl EntityCommand for LeaveParent {
    type Out = ();

    fn apply(self, mut entity: EntityWorldMut) {
        let place = true_place(entity.world(), entity.id());
        entity.remove::<ChildOf>();
        if let Ok(place) = without_shear(place) {
            put(&mut entity, place);
        }
    }
}

/// An entity command: the body is a child of this entity, and stays where it is in the world.
///
/// Bevy's `set_parent_in_place` takes the places of the last frame that was drawn. A parent that moves before the next step takes the
/// body along; after that step, it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinParent(pub Entity);

impl EntityCommand for JoinParent {
    type Out = ();

    fn apply(self, mut entity: EntityWorldMut) {
        let world = entity.world();
        let place = true_place(world, entity.id());
        let local = true_place(world, self.0).inverse() * place;
        entity.insert(ChildOf(self.0));
        if let Ok(local) = without_shear(local) {
            put(&mut entity, local);
        }
    }
}

/// Sets the `Transform` of an entity, and shows it there at once.
fn put(entity: &mut EntityWorldMut, place: Transform) {
    #[cfg(feature = "interpolation")]
    crate::smoothing::end_easing(entity);
    if let Some(mut transform) = entity.get_mut::<Transform>() {
        *transform = place;
    }
    if let Some(mut moved) = entity.get_mut::<MovedByTransform>() {
        moved.jump();
    }
}

/// The `Transform` of an entity without smoothing.
fn true_transform(world: &World, entity: Entity) -> Option<Transform> {
    let entity = world.get_entity(entity).ok()?;
    #[cfg_attr(
        not(feature = "interpolation"),
        expect(unused_mut, reason = "smoothing changes it")
    )]
    let mut transform = *entity.get::<Transform>()?;
    #[cfg(feature = "interpolation")]
    crate::smoothing::undo_easing(world, entity, &mut transform);
    Some(transform)
}

/// The map from the frame of an entity to the world, without smoothing.
fn true_place(world: &World, entity: Entity) -> DAffine3 {
    let mut map = DAffine3::IDENTITY;
    let mut next = Some(entity);
    while let Some(entity) = next {
        next = world.get::<ChildOf>(entity).map(ChildOf::parent);
        let Some(transform) = true_transform(world, entity) else {
            continue;
        };
        // A body moves in the world by itself, whatever its parent has done since the step.
        if let (Some(bodies), Some(hierarchy)) = (
            world.get_resource::<Bodies>(),
            world.get_resource::<Hierarchy>(),
        ) && hierarchy.moves_alone(entity, &transform, bodies)
            && let Some(i) = bodies.index_of(entity)
        {
            let place = Transform {
                translation: bodies.shown_position(i),
                rotation: bodies.rotation[i],
                scale: bodies.scale[i],
            };
            return map_by(&place) * map;
        }
        map = map_by(&transform) * map;
    }
    map
}
