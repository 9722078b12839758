//! Camera, sun and stars.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    camera::Hdr,
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder, NotShadowCaster},
    mesh::{Indices, PrimitiveTopology},
    post_process::bloom::Bloom,
    prelude::*,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scene_kit::window::{OrbitCamera, sun};

use super::measured::{MeasureHeap, Measured};
use crate::gathering::cloud::random_in_unit;

/// The cloud that the camera shows at first. A scene inserts it before it adds the plugin, and again when the cloud is another.
#[derive(Resource, Clone, Copy)]
pub(crate) struct CloudSize {
    /// In m.
    pub radius: f32,
    /// Whether it is a disc in the plane z = 0.
    pub is_flat: bool,
    /// How fast the camera goes round it in space, in rad/s, until the player takes over.
    pub turn_rate: f32,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.004, 0.005, 0.011)))
        .insert_resource(GlobalAmbientLight {
            color: Color::srgb(0.7, 0.8, 1.0),
            brightness: 130.0,
            ..default()
        })
        .init_resource::<Following>()
        .add_systems(Startup, (spawn_sky, frame_cloud).chain())
        .add_systems(Update, (follow.after(MeasureHeap), fit_shadows).chain());
}

/// Metres from which a ball of `radius` fills most of the view.
fn good_distance(radius: f32) -> f32 {
    3.7 * radius
}

fn spawn_sky(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    cloud: Res<CloudSize>,
) {
    let sky_radius = 60.0 * cloud.radius;
    commands.spawn((
        OrbitCamera::new(Vec3::ZERO, 0.0, 0.0, good_distance(cloud.radius)),
        Projection::from(PerspectiveProjection {
            far: 2.0 * sky_radius,
            ..default()
        }),
        Hdr,
        Bloom {
            intensity: 0.1,
            ..Bloom::NATURAL
        },
    ));
    commands.spawn(sun(12_000.0, Vec3::new(2.2, 1.7, 2.0), 600.0));
    let stars = StandardMaterial {
        unlit: true,
        cull_mode: None,
        ..default()
    };
    commands.spawn((
        Mesh3d(meshes.add(star_mesh(sky_radius))),
        MeshMaterial3d(materials.add(stars)),
        NotShadowCaster,
    ));
}

/// Small triangles on a sphere of `radius` that face its centre, in the colours of stars.
fn star_mesh(radius: f32) -> Mesh {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    for _ in 0..4000 {
        let direction = random_in_unit(&mut rng, false).normalize_or(Vec3::X);
        let (right, up) = direction.any_orthonormal_pair();
        // Few are bright.
        let brightness = rng.random::<f32>().powi(6);
        let size = radius * (0.0009 + 0.0014 * brightness);
        let warmth = rng.random_range(0.7..=1.0);
        let color = LinearRgba::rgb(warmth, 0.85, 1.7 - warmth) * (0.3 + 2.0 * brightness);
        for angle in [0.0, TAU / 3.0, 2.0 * TAU / 3.0] {
            let corner = right * f32::cos(angle) + up * f32::sin(angle);
            positions.push(radius * direction + size * corner);
            colors.push(color.to_f32_array());
        }
    }
    let corners = positions.len() as u32;
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![Vec3::Y; positions.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
    .with_inserted_indices(Indices::U32((0..corners).collect()))
}

/// The camera's focus and distance as the scene last set them. A player who zooms or pans changes them, and then keeps them.
#[derive(Resource, Default)]
pub(crate) struct Following {
    focus: Option<Vec3>,
    distance: Option<f32>,
}

/// Shows a new cloud whole: a flat one from the front, one in space from a little above.
pub(crate) fn frame_cloud(
    camera: Single<&mut OrbitCamera>,
    mut following: ResMut<Following>,
    cloud: Res<CloudSize>,
) {
    let mut camera = camera.into_inner();
    *following = default();
    camera.focus = Vec3::ZERO;
    camera.distance = good_distance(cloud.radius);
    (camera.yaw, camera.pitch, camera.turn_rate) = match cloud.is_flat {
        true => (0.0, 0.0, 0.0),
        false => (0.4, 0.35, cloud.turn_rate),
    };
}

/// Keeps the heap in the middle, until the player pans, and at a good size, until the player zooms.
fn follow(
    camera: Single<&mut OrbitCamera>,
    mut following: ResMut<Following>,
    heap: Res<Measured>,
    time: Res<Time<Real>>,
) {
    // Slow enough to see the fall as a fall.
    let kept = (-0.9 * time.delta_secs()).exp();
    let mut camera = camera.into_inner();
    if following.focus.is_none_or(|focus| focus == camera.focus) {
        camera.focus = heap.core.center.as_vec3().lerp(camera.focus, kept);
        following.focus = Some(camera.focus);
    }
    if following
        .distance
        .is_none_or(|distance| distance == camera.distance)
    {
        let radius = (heap.core.radius90 as f32).max(5.0);
        camera.distance = good_distance(radius).lerp(camera.distance, kept);
        following.distance = Some(camera.distance);
    }
}

/// Limits the shadow map to the part of the heap that the camera sees, so that shadows stay sharp when it is near.
fn fit_shadows(
    camera: Single<&OrbitCamera>,
    mut suns: Query<&mut CascadeShadowConfig, With<DirectionalLight>>,
    mut fitted: Local<f32>,
) {
    if (0.8..1.25).contains(&(camera.distance / *fitted)) {
        return;
    }
    *fitted = camera.distance;
    for mut shadows in &mut suns {
        *shadows = CascadeShadowConfigBuilder {
            num_cascades: 1,
            maximum_distance: 1.6 * camera.distance,
            ..default()
        }
        .build();
    }
}
