//! Colliders from `Mesh` assets.

use bevy::{
    mesh::{Mesh, PrimitiveTopology},
    prelude::*,
};

use crate::{
    components::Collider,
    shape::{ColliderProblem, MeshSides},
};

/// Gives its entity a [`Collider`] with the triangles of a mesh: as soon as the mesh has loaded, and again whenever the mesh
/// changes.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     // A track with the normals of its model: balls roll on it as on a smooth surface.
///     let mesh = assets.load("track.glb#Mesh0/Primitive0");
///     commands.spawn((
///         MeshCollider::smooth(mesh.clone(), MeshSides::Two),
///         Mesh3d(mesh),
///     ));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(Transform)]
pub struct MeshCollider {
    /// The mesh. It must be a list of triangles, in the main world: a mesh with `RenderAssetUsages::RENDER_WORLD` alone has no
    /// data here.
    pub mesh: Handle<Mesh>,
    /// Which sides bodies collide with.
    pub sides: MeshSides,
    /// Whether the triangles are curved, as the mesh's normals say.
    pub is_smooth: bool,
}

impl MeshCollider {
    /// A collider of flat triangles.
    pub const fn flat(mesh: Handle<Mesh>, sides: MeshSides) -> Self {
        Self {
            mesh,
            sides,
            is_smooth: false,
        }
    }

    /// A collider of curved triangles, with the normals of the mesh.
    pub const fn smooth(mesh: Handle<Mesh>, sides: MeshSides) -> Self {
        Self {
            mesh,
            sides,
            is_smooth: true,
        }
    }
}

impl Collider {
    /// A collider of the flat triangles of a mesh.
    pub fn from_mesh(mesh: &Mesh, sides: MeshSides) -> Self {
        match read(mesh) {
            Some((vertices, triangles)) => Self::trimesh(vertices, triangles, sides),
            None => Self::with_problem(ColliderProblem::NoTriangles),
        }
    }

    /// A collider of curved triangles, with the normals of a mesh: see [`Collider::smooth_trimesh`]. A mesh without normals has
    /// flat triangles.
    pub fn smooth_from_mesh(mesh: &Mesh, sides: MeshSides) -> Self {
        let normals = mesh.try_attribute_option(Mesh::ATTRIBUTE_NORMAL);
        let normals = normals
            .ok()
            .flatten()
            .and_then(|normals| normals.as_float3());
        match (read(mesh), normals) {
            (Some((vertices, triangles)), Some(normals)) => {
                let normals = normals.iter().map(|&normal| Vec3::from(normal));
                Self::smooth_trimesh(vertices.zip(normals), triangles, sides)
            }
            _ => Self::from_mesh(mesh, sides),
        }
    }
}

/// The vertices and the triangles of a mesh; `None` if it has none.
fn read(mesh: &Mesh) -> Option<(impl Iterator<Item = Vec3>, Vec<[u32; 3]>)> {
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return None;
    }
    // The data of a mesh may have gone to the render world.
    let positions = mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION).ok()??;
    let positions = positions.as_float3()?;
    let indices: Vec<u32> = match mesh.try_indices_option().ok()? {
        Some(indices) => indices.iter().map(|i| i as u32).collect(),
        None => (0..positions.len() as u32).collect(),
    };
    let (triangles, _) = indices.as_chunks::<3>();
    let vertices = positions.iter().map(|&x| Vec3::from(x));
    Some((vertices, triangles.to_vec()))
}

/// Makes the colliders of meshes that have loaded or changed.
pub(crate) fn make_colliders(
    mut commands: Commands,
    meshes: Option<Res<Assets<Mesh>>>,
    events: Option<MessageReader<AssetEvent<Mesh>>>,
    bodies: Query<(Entity, Ref<MeshCollider>, Has<Collider>)>,
) {
    let (Some(meshes), Some(mut events)) = (meshes, events) else {
        return;
    };
    let modified: Vec<AssetId<Mesh>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } | AssetEvent::Added { id } => Some(*id),
            _ => None,
        })
        .collect();
    let mut made: Vec<(&MeshCollider, Collider)> = Vec::new();
    let is_due = |wish: &Ref<MeshCollider>, has_collider: bool| {
        !has_collider || wish.is_changed() || modified.contains(&wish.mesh.id())
    };
    for (entity, wish, has_collider) in &bodies {
        let Some(mesh) = meshes
            .get(&wish.mesh)
            .filter(|_| is_due(&wish, has_collider))
        else {
            continue;
        };
        let known = made.iter().find(|(other, _)| **other == *wish);
        let collider = match known {
            Some((_, collider)) => collider.clone(),
            None if wish.is_smooth => Collider::smooth_from_mesh(mesh, wish.sides),
            None => Collider::from_mesh(mesh, wish.sides),
        };
        commands.entity(entity).insert(collider.clone());
        made.push((Ref::into_inner(wish), collider));
    }
}
