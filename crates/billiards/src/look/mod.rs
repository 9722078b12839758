//! The player's view of the game.

mod account;
mod camera;
mod contact_shade;
mod digits;
mod furniture;
mod gauges;
mod hud;
mod menu;
mod paint;
mod pockets;
mod room;
mod shapes;
mod shelf;
mod stick;
mod textures;

use bevy::{platform::collections::HashMap, prelude::*};

use self::textures::{Paint, Skin};
use crate::{
    play::{matches::Match, state::Game},
    rules::{Ball, Player, three_cushion},
    table::{
        bed::Table,
        rack::Rack,
        spec::{TableKind, TableSpec},
    },
};

/// Meshes, materials, lights, camera and texts.
pub(super) struct LookPlugin;

impl Plugin for LookPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<BallLooks>()
            .add_plugins((
                room::RoomPlugin,
                camera::CameraPlugin,
                contact_shade::ContactShadePlugin,
                stick::StickPlugin,
                menu::MenuPlugin,
                hud::HudPlugin,
                gauges::GaugesPlugin,
                account::AccountPanelPlugin,
            ))
            .add_systems(
                Update,
                (
                    furniture::spawn_furniture.run_if(resource_changed::<Table>),
                    dress_balls,
                ),
            );
    }
}

/// Meshes and skins of the balls that were on the table so far.
#[derive(Resource, Default)]
struct BallLooks {
    meshes: HashMap<TableKind, Handle<Mesh>>,
    skins: HashMap<Skin, Handle<StandardMaterial>>,
}

/// The skin of a ball in this game: on a carom table, of the ball of the first player, of the second one, or of the red ball.
fn skin_of(ball: Ball, rack: Rack, on: &Match) -> Skin {
    match (rack, ball) {
        (Rack::Carom, Ball::CUE | three_cushion::OTHER) => {
            let is_second = on.player() == Some(Player::Two);
            Skin::Carom(if is_second { 1 - ball.0 } else { ball.0 })
        }
        (Rack::Carom, ball) => Skin::Carom(ball.0),
        (Rack::Snooker, Ball(number)) if number > 0 => Skin::Plain(number),
        (_, ball) => Skin::Pool(ball.0),
    }
}

impl BallLooks {
    fn mesh(&mut self, table: &TableSpec, meshes: &mut Assets<Mesh>) -> Handle<Mesh> {
        let radius = table.ball.radius;
        let of_kind = self.meshes.entry(TableKind::of(table));
        let make = || meshes.add(Sphere::new(radius).mesh().uv(48, 24));
        of_kind.or_insert_with(make).clone()
    }

    fn skin(
        &mut self,
        skin: Skin,
        images: &mut Assets<Image>,
        materials: &mut Assets<StandardMaterial>,
    ) -> Handle<StandardMaterial> {
        let make = || {
            let (base_color, picture) = match textures::ball_skin(skin) {
                Paint::Color(color) => (Color::from(color), None),
                Paint::Picture(picture) => (Color::WHITE, Some(images.add(*picture))),
            };
            materials.add(StandardMaterial {
                base_color,
                base_color_texture: picture,
                perceptual_roughness: 0.08,
                // Phenolic resin breaks light a little more than glass does.
                reflectance: 0.6,
                ..default()
            })
        };
        self.skins.entry(skin).or_insert_with(make).clone()
    }
}

/// Gives a mesh to new balls, and the skins to the balls when a new player comes to the table.
fn dress_balls(
    mut commands: Commands,
    balls: Query<(
        Entity,
        &Ball,
        Has<Mesh3d>,
        Option<&MeshMaterial3d<StandardMaterial>>,
    )>,
    mut looks: ResMut<BallLooks>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    table: Res<Table>,
    game: Res<Game>,
    on: Res<Match>,
) {
    for (entity, ball, has_mesh, dressed) in &balls {
        if !has_mesh {
            let mesh = looks.mesh(table.spec, &mut meshes);
            commands.entity(entity).insert(Mesh3d(mesh));
        }
        // When the frame is over, the balls stay as they are.
        if dressed.is_some() && on.is_over() {
            continue;
        }
        let skin = looks.skin(skin_of(*ball, game.rack, &on), &mut images, &mut materials);
        if dressed.is_none_or(|dressed| dressed.0 != skin) {
            commands.entity(entity).insert(MeshMaterial3d(skin));
        }
    }
}
