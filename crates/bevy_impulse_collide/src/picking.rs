//! Pointer events on bodies: a backend for Bevy's picking. With the feature `picking`.

use bevy::{
    camera::visibility::RenderLayers,
    picking::{
        PickingSystems,
        backend::{HitData, PointerHits, ray::RayMap},
    },
    prelude::*,
};

use crate::query::{SpatialFilter, SpatialQuery};

/// Bodies under a mouse or a finger get Bevy's pointer events. Add it after `DefaultPlugins`, which has Bevy's picking.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_impulse_collide::prelude::*;
///
/// App::new()
///     .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default(), ImpulsePickingPlugin))
///     .add_systems(Startup, |mut commands: Commands| {
///         commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 2.0, 9.0)));
///         commands.spawn(Particle::new(0.5)).observe(
///             |click: On<Pointer<Click>>, mut balls: Query<&mut LinearVelocity>| {
///                 balls.get_mut(click.entity).unwrap().0 = Vec3::Y * 5.0;
///             },
///         );
///     })
///     .run();
/// ```
///
/// A pointer hits the shape of a body, not its mesh: a smooth ball, from its outside. It hits the bodies that the camera's
/// [`ImpulsePickingFilter`] finds, whose [`RenderLayers`] the camera sees, and that are not hidden. [`Pickable::IGNORE`] takes a
/// body out. A body whose [`Pickable`] does not block lower ones lets the pointer hit the bodies behind it too.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImpulsePickingPlugin;

impl Plugin for ImpulsePickingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ImpulsePickingSettings>()
            .register_type::<(ImpulsePickingSettings, ImpulsePickingCamera)>()
            .add_systems(PreUpdate, find_hits.in_set(PickingSystems::Backend));
    }
}

/// What the [`ImpulsePickingPlugin`] looks at.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(ImpulsePickingSettings { require_markers: true });
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct ImpulsePickingSettings {
    /// Whether only cameras with [`ImpulsePickingCamera`] pick, and only bodies with [`Pickable`] are picked. Default: false.
    pub require_markers: bool,
}

/// Marks a camera that picks bodies, if [`ImpulsePickingSettings::require_markers`] is true.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct ImpulsePickingCamera;

/// The bodies that a camera picks. Without this component, it picks all.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     let balls = SpatialFilter::of([RigidBody::Dynamic]);
///     commands.spawn((Camera3d::default(), ImpulsePickingFilter(balls)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct ImpulsePickingFilter(pub SpatialFilter);

/// Casts the ray of each pointer and camera.
fn find_hits(
    settings: Res<ImpulsePickingSettings>,
    rays: Res<RayMap>,
    cameras: Query<(
        &Camera,
        Option<&RenderLayers>,
        Option<&ImpulsePickingFilter>,
        Has<ImpulsePickingCamera>,
    )>,
    bodies: Query<(
        Option<&Pickable>,
        Option<&RenderLayers>,
        Option<&InheritedVisibility>,
    )>,
    query: SpatialQuery,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, &ray) in rays.iter() {
        let Ok((camera, seen_layers, filter, is_marked)) = cameras.get(id.camera) else {
            continue;
        };
        if !camera.is_active || settings.require_markers && !is_marked {
            continue;
        }
        let seen_layers = seen_layers.cloned().unwrap_or_default();
        let can_be_hit = |body: Entity| {
            let Ok((pickable, layers, visibility)) = bodies.get(body) else {
                return false;
            };
            let is_wanted =
                pickable.map_or(!settings.require_markers, |it| *it != Pickable::IGNORE);
            let is_visible = visibility.is_none_or(|it| it.get());
            is_wanted && is_visible && seen_layers.intersects(&layers.cloned().unwrap_or_default())
        };
        let blocks = |body: Entity| match bodies.get(body) {
            Ok((Some(pickable), ..)) => pickable.should_block_lower,
            _ => true,
        };
        let filter = filter.cloned().unwrap_or_default();
        let mut picks = Vec::new();
        for hit in query.ray_hits(ray, f32::MAX, &filter) {
            if can_be_hit(hit.entity) {
                let data = HitData::new(id.camera, hit.distance, Some(hit.point), Some(hit.normal));
                picks.push((hit.entity, data));
                if blocks(hit.entity) {
                    break;
                }
            }
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}
