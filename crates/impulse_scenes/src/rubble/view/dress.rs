//! Meshes and materials of the boulders.

use bevy::{
    asset::RenderAssetUsages, input::common_conditions::input_just_pressed, math::DVec3,
    mesh::PrimitiveTopology, prelude::*,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::keys_are_free;

use crate::rubble::{
    boulder::{Boulder, balls_in_world},
    comet::FromOutside,
    sphere::{Sphere, outline},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(Startup, make_looks)
        .add_systems(
            Update,
            (
                next.run_if(input_just_pressed(KeyCode::KeyV).and_then(keys_are_free)),
                dress,
                change.run_if(resource_changed::<Shown>),
            )
                .chain(),
        );
}

/// What one sees of a boulder.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shown {
    /// The surface around its balls.
    #[default]
    Stones,
    /// The balls that collide.
    Balls,
}

fn next(mut shown: ResMut<Shown>) {
    *shown = match *shown {
        Shown::Stones => Shown::Balls,
        Shown::Balls => Shown::Stones,
    };
}

/// Greys and browns of stones.
const COLORS: [Srgba; 7] = [
    Srgba::rgb(0.40, 0.36, 0.32),
    Srgba::rgb(0.34, 0.33, 0.31),
    Srgba::rgb(0.43, 0.37, 0.30),
    Srgba::rgb(0.28, 0.27, 0.26),
    Srgba::rgb(0.37, 0.31, 0.25),
    Srgba::rgb(0.47, 0.44, 0.40),
    Srgba::rgb(0.32, 0.27, 0.23),
];

/// Of a boulder from outside: rusty iron.
const IRON: Srgba = Srgba::rgb(0.31, 0.14, 0.09);

/// The directions in which a stone has its corners, and the materials.
#[derive(Resource)]
struct Looks {
    stone: Sphere,
    ball: Sphere,
    colors: Vec<Handle<StandardMaterial>>,
    iron: Handle<StandardMaterial>,
}

fn make_looks(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
    let mut material = |color: Srgba| {
        materials.add(StandardMaterial {
            base_color: color.into(),
            perceptual_roughness: 0.95,
            reflectance: 0.2,
            ..default()
        })
    };
    let looks = Looks {
        stone: Sphere::new(3),
        ball: Sphere::new(2),
        colors: COLORS.map(&mut material).to_vec(),
        iron: material(IRON),
    };
    commands.insert_resource(looks);
}

/// Triangles without common corners, so that each is flat, in tones about 1.
#[derive(Default)]
struct Facets {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
}

impl Facets {
    fn add(&mut self, corners: [Vec3; 3], tone: f32) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        self.positions.extend(corners);
        self.normals.extend([normal; 3]);
        self.colors.extend([[tone, tone, tone, 1.0]; 3]);
    }

    fn mesh(self) -> Mesh {
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
    }
}

/// The surface around the balls of a stone. What lies deep is dark, as dust and shade make it.
fn stone_mesh(sphere: &Sphere, balls: &[(Vec3, f32)]) -> Mesh {
    let distances = outline(&sphere.directions, balls);
    let largest = distances.iter().copied().fold(0.0, f32::max);
    let mut facets = Facets::default();
    for &triangle in &sphere.triangles {
        let corners = triangle.map(|k| sphere.directions[k as usize] * distances[k as usize]);
        let [a, b, c] = corners;
        let middle = (a + b + c) / 3.0;
        let outward = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let slope = outward.dot(middle.normalize_or(Vec3::Y));
        let spot = (9.0 * middle.x / largest).sin() * (8.0 * middle.y / largest + 1.0).sin()
            + (7.0 * middle.z / largest + 2.0).sin();
        let grain = (triangle[0].wrapping_mul(2_654_435_761) >> 24) as f32 / 255.0;
        facets.add(corners, 0.68 + 0.26 * slope + 0.05 * spot + 0.12 * grain);
    }
    facets.mesh()
}

/// The balls of a stone, each in a tone of its own.
fn ball_mesh(sphere: &Sphere, balls: &[(Vec3, f32)]) -> Mesh {
    let mut facets = Facets::default();
    for (number, &(center, radius)) in balls.iter().enumerate() {
        let tone = 0.75 + 0.1 * (number % 6) as f32;
        for &triangle in &sphere.triangles {
            let corner = |k: u32| center + radius * sphere.directions[k as usize];
            facets.add(triangle.map(corner), tone);
        }
    }
    facets.mesh()
}

type Balls = (&'static Particle, &'static Transform);

fn mesh(
    (looks, shown): (&Looks, Shown),
    children: &Children,
    balls: &Query<Balls, Without<Boulder>>,
) -> Mesh {
    let own = balls.iter_many(children.iter());
    let balls: Vec<_> = balls_in_world(&Transform::IDENTITY, own, DVec3::ZERO).collect();
    match shown {
        Shown::Stones => stone_mesh(&looks.stone, &balls),
        Shown::Balls => ball_mesh(&looks.ball, &balls),
    }
}

fn dress(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    (looks, shown): (Res<Looks>, Res<Shown>),
    boulders: Query<(Entity, &Boulder, &Children, Has<FromOutside>), Added<Boulder>>,
    balls: Query<Balls, Without<Boulder>>,
) {
    for (entity, boulder, children, is_from_outside) in &boulders {
        // The last bits of a random volume are as good as another random number.
        let color = boulder.volume.to_bits() as usize % COLORS.len();
        let material = match is_from_outside {
            true => &looks.iron,
            false => &looks.colors[color],
        };
        let mesh = meshes.add(mesh((&looks, *shown), children, &balls));
        let look = (Mesh3d(mesh), MeshMaterial3d(material.clone()));
        commands.entity(entity).try_insert(look);
    }
}

/// Gives all boulders the meshes that are to be shown.
fn change(
    mut meshes: ResMut<Assets<Mesh>>,
    (looks, shown): (Res<Looks>, Res<Shown>),
    mut boulders: Query<(&mut Mesh3d, &Children), With<Boulder>>,
    balls: Query<Balls, Without<Boulder>>,
) {
    for (mut shown_mesh, children) in &mut boulders {
        shown_mesh.0 = meshes.add(mesh((&looks, *shown), children, &balls));
    }
}
