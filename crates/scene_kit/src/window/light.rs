//! Light.

use bevy::{
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder},
    prelude::*,
};

/// The sun: a directional light of `illuminance` lux that shines from `from` towards the origin and casts shadows up to
/// `shadow_distance` metres from the camera.
pub fn sun(
    illuminance: f32,
    from: Vec3,
    shadow_distance: f32,
) -> (DirectionalLight, CascadeShadowConfig, Transform) {
    let light = DirectionalLight {
        illuminance,
        shadow_maps_enabled: true,
        ..default()
    };
    let shadows = CascadeShadowConfigBuilder {
        num_cascades: 1,
        maximum_distance: shadow_distance,
        ..default()
    };
    (
        light,
        shadows.build(),
        Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y),
    )
}
