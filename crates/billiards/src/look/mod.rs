//! The player's view of the game.

mod camera;
mod digits;
mod furniture;
mod gauges;
mod hud;
mod menu;
mod paint;
mod room;
mod shapes;
mod stick;
mod textures;

use bevy::prelude::*;

use crate::{rules::Ball, table::spec::RADIUS};

/// Meshes, materials, lights, camera and texts.
pub(super) struct LookPlugin;

impl Plugin for LookPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<BallLooks>()
            .add_plugins((
                room::RoomPlugin,
                camera::CameraPlugin,
                stick::StickPlugin,
                menu::MenuPlugin,
                hud::HudPlugin,
                gauges::GaugesPlugin,
            ))
            .add_systems(Startup, furniture::spawn_furniture)
            .add_observer(dress_ball);
    }
}

/// Data that all racks of balls share.
#[derive(Resource)]
struct BallLooks {
    mesh: Handle<Mesh>,
    /// By number.
    skins: Vec<Handle<StandardMaterial>>,
}

impl FromWorld for BallLooks {
    fn from_world(world: &mut World) -> Self {
        let mesh = world
            .resource_mut::<Assets<Mesh>>()
            .add(Sphere::new(RADIUS).mesh().uv(48, 24));
        let skin = |number| {
            let skin = world
                .resource_mut::<Assets<Image>>()
                .add(textures::ball_skin(Ball(number)));
            world
                .resource_mut::<Assets<StandardMaterial>>()
                .add(StandardMaterial {
                    base_color_texture: Some(skin),
                    perceptual_roughness: 0.12,
                    ..default()
                })
        };
        let skins = (0..16).map(skin).collect();
        Self { mesh, skins }
    }
}

fn dress_ball(
    added: On<Add, Ball>,
    mut commands: Commands,
    balls: Query<&Ball>,
    looks: Res<BallLooks>,
) -> Result {
    let ball = balls.get(added.entity)?;
    if let Some(skin) = looks.skins.get(usize::from(ball.0)) {
        commands
            .entity(added.entity)
            .insert((Mesh3d(looks.mesh.clone()), MeshMaterial3d(skin.clone())));
    }
    Ok(())
}
