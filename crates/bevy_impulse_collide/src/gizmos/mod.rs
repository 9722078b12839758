//! Draws the physics with Bevy's gizmos: shapes, contacts, impulses, velocities, boxes of the broad phase, islands,
//! joints. With the feature `gizmos`.

mod arrow;
mod body;
mod config;
mod contacts;
mod islands;
mod joints;
mod shapes;
#[cfg(test)]
mod tests;
mod velocities;

use bevy::prelude::*;

pub use config::ImpulseGizmos;

/// Draws the physics, on top of everything else. Add it after `DefaultPlugins`, which has Bevy's `GizmoPlugin`.
///
/// [`ImpulseGizmos`] says what is drawn, and its [`GizmoConfig`] how. While `GizmoConfig::enabled` is false, nothing runs.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_impulse_collide::prelude::*;
///
/// App::new()
///     .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default(), ImpulseGizmosPlugin))
///     .add_systems(Startup, |mut store: ResMut<GizmoConfigStore>| {
///         let (config, gizmos) = store.config_mut::<ImpulseGizmos>();
///         config.line.width = 1.0;
///         gizmos.velocities = true;
///     })
///     .run();
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ImpulseGizmosPlugin;

impl Plugin for ImpulseGizmosPlugin {
    fn build(&self, app: &mut App) {
        let config = GizmoConfig {
            depth_bias: -1.0,
            ..default()
        };
        app.insert_gizmo_config(ImpulseGizmos::default(), config)
            .add_systems(
                PostUpdate,
                (
                    shapes::draw_bodies,
                    islands::draw_bounds,
                    islands::draw_islands,
                    contacts::draw_contacts,
                    velocities::draw_velocities,
                    joints::draw_joints,
                    shapes::draw_selected,
                )
                    .chain()
                    .after(TransformSystems::Propagate)
                    .run_if(is_enabled),
            );
    }
}

fn is_enabled(store: Res<GizmoConfigStore>) -> bool {
    let config = store.get_config::<ImpulseGizmos>();
    config.is_some_and(|(config, _)| config.enabled)
}
