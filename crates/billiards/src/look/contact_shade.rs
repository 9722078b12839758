//! The dark spot under each ball, where it keeps the room's light from the cloth. The shadows of the lamps come on top of it.

use bevy::{image::ImageAddressMode, light::NotShadowCaster, prelude::*};

use super::textures::image;
use crate::{
    rules::Ball,
    table::bed::{Table, above},
};

/// Radius of the spot, in ball radii.
const REACH: f32 = 2.4;
/// How dark it is in its middle.
const DARKEST: f32 = 0.62;
/// Height above the cloth in m: over the marks on it, under the lines.
const ON_CLOTH: f32 = 7e-4;

pub(super) struct ContactShadePlugin;

impl Plugin for ContactShadePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, spawn_shades)
            .add_systems(PostUpdate, follow_balls.before(TransformSystems::Propagate));
    }
}

/// The spot under this ball.
#[derive(Component)]
struct ShadeOf(Entity);

/// What all spots look like.
struct Look(Handle<Mesh>, Handle<StandardMaterial>);

fn spawn_shades(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut look: Local<Option<Look>>,
    balls: Query<Entity, Added<Ball>>,
) {
    for ball in &balls {
        let Look(mesh, material) = look.get_or_insert_with(|| {
            let material = StandardMaterial {
                base_color_texture: Some(images.add(spot())),
                unlit: true,
                alpha_mode: AlphaMode::Blend,
                ..default()
            };
            let square = Plane3d::new(Vec3::Y, Vec2::splat(REACH));
            Look(meshes.add(square), materials.add(material))
        });
        commands.spawn((
            Name::new("Contact shade"),
            ShadeOf(ball),
            NotShadowCaster,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material.clone()),
        ));
    }
}

/// Black that lets the cloth through as far as a sphere on it lets light come in.
fn spot() -> Image {
    // Part of the light from all sides that a sphere of radius 1 on a plane takes away, by the distance from where it lies.
    let taken = |distance: f32| (1.0 + distance * distance).powf(-1.5);
    image(UVec2::splat(64), ImageAddressMode::ClampToEdge, |uv| {
        let distance = REACH * (2.0 * uv - 1.0).length();
        let edge = taken(REACH);
        let part = (taken(distance) - edge).max(0.0) / (1.0 - edge);
        Srgba::BLACK.with_alpha(DARKEST * part)
    })
}

fn follow_balls(
    mut commands: Commands,
    mut shades: Query<(Entity, &ShadeOf, &mut Transform, &mut Visibility)>,
    balls: Query<&Transform, (With<Ball>, Without<ShadeOf>)>,
    table: Res<Table>,
) {
    let radius = table.spec.ball.radius;
    for (entity, of, mut place, mut visibility) in &mut shades {
        let Ok(ball) = balls.get(of.0) else {
            commands.entity(entity).despawn();
            continue;
        };
        let at = ball.translation;
        // Neither in a pocket nor in the air.
        let lies = (at.y / radius - 1.0).abs() < 0.2 && at.xz().abs().cmplt(table.spec.half).all();
        visibility.set_if_neq(if lies {
            Visibility::Inherited
        } else {
            Visibility::Hidden
        });
        *place =
            Transform::from_translation(above(at.xz(), ON_CLOTH)).with_scale(Vec3::splat(radius));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_dark_in_the_middle_and_ends_softly() {
        let data = spot().data.unwrap_or_default();
        let alpha = |x: usize| data[4 * (32 * 64 + x) + 3];
        assert!(alpha(32) > 140 && alpha(0) == 0);
        let steepest = (1..64).map(|x| alpha(x).abs_diff(alpha(x - 1))).max();
        assert!(steepest < Some(20));
    }
}
