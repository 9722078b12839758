//! Colliders from `Mesh` assets: `cargo test -p laws --features mesh --test mesh_assets`.

use bevy::{asset::AssetPlugin, mesh::MeshPlugin, prelude::*};
use bevy_impulse_collide::{prelude::*, shape::ColliderProblem};
use laws::*;

fn app_with_assets() -> App {
    let mut app = awake(60.0);
    app.add_plugins((
        bevy::app::TaskPoolPlugin::default(),
        AssetPlugin::default(),
        MeshPlugin,
    ));
    app
}

/// A ball falls on a box that comes from a mesh, flat or smooth, once the mesh is there, and falls on as the mesh gets lower.
#[test]
fn a_mesh_holds_a_ball() {
    for is_smooth in [false, true] {
        let mut app = app_with_assets();
        let handle = app.world().resource::<Assets<Mesh>>().reserve_handle();
        let wish = match is_smooth {
            true => MeshCollider::smooth(handle.clone(), MeshSides::Solid),
            false => MeshCollider::flat(handle.clone(), MeshSides::Solid),
        };
        let floor = app.world_mut().spawn(wish).id();
        let ball = (
            Particle::new(0.1),
            Restitution(0.0),
            Transform::from_xyz(0.0, 1.0, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 2);
        assert!(app.world().get::<Collider>(floor).is_none());
        for height in [0.4, 0.2] {
            let mesh = Mesh::from(Cuboid::new(2.0, height, 2.0));
            let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
            meshes.insert(&handle, mesh).expect("the handle is strong");
            steps(&mut app, 120);
            let expected = f64::from(0.5 * height + 0.1);
            assert_near("the height", position(&app, ball).y.into(), expected, 1e-4);
        }
    }
}

#[test]
fn a_mesh_without_triangles_is_told() {
    let mut app = app_with_assets();
    let line = Mesh::from(Segment3d::new(Vec3::ZERO, Vec3::X));
    let handle = app.world_mut().resource_mut::<Assets<Mesh>>().add(line);
    let floor = MeshCollider::flat(handle, MeshSides::Two);
    let floor = app.world_mut().spawn(floor).id();
    let mut told = Vec::new();
    for _ in 0..10 {
        steps(&mut app, 1);
        told.extend(
            messages::<BadInput>(&app)
                .iter()
                .map(|bad| (bad.entity, bad.problem)),
        );
    }
    let data = ColliderProblem::NoTriangles;
    let expected = InputProblem::of::<Collider>(ProblemReason::UnusableData, data);
    let expected = (floor, expected);
    assert_eq!(
        told.iter().filter(|&&problem| problem == expected).count(),
        1,
        "{told:?}"
    );
}
