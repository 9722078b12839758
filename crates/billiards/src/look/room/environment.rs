//! What shiny things mirror, as cube maps: the lit cloth below, and the walls of a room in half dark.
//!
//! The lamp is no part of it. Its lights have a size, so that each ball mirrors them where they are.

use bevy::{image::ImageAddressMode, prelude::*};
use scene_kit::picture::cube_map;

use crate::{
    look::textures::image,
    table::{cushion::RAIL_HEIGHT, spec::POOL_9},
};

/// Brightness of white in these pictures, in cd/m².
const WHITE: f32 = 1_000.0;
/// Pixels along the edge of a cube's side.
const SIZE: u32 = 64;

/// The surroundings as seen from the middle of the table.
pub(super) fn environment(images: &mut Assets<Image>) -> EnvironmentMapLight {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        images,
        Color::linear_rgb(0.30, 0.265, 0.22),
        Color::linear_rgb(0.20, 0.18, 0.15),
        Color::linear_rgb(0.07, 0.085, 0.06),
    );
    let specular = cube_map(|direction| {
        image(UVec2::splat(SIZE), ImageAddressMode::ClampToEdge, |uv| {
            seen_along(direction(uv)).into()
        })
    });
    EnvironmentMapLight {
        specular_map: images.add(specular),
        intensity: WHITE,
        ..diffuse
    }
}

/// What a ball sees in the direction of this unit vector.
fn seen_along(direction: Vec3) -> LinearRgba {
    const CLOTH: LinearRgba = LinearRgba::rgb(0.03, 0.13, 0.075);
    const RAIL: LinearRgba = LinearRgba::rgb(0.13, 0.05, 0.025);
    let eye = Vec3::Y * POOL_9.ball.radius;
    let reach = |height: f32| eye.xz() + direction.xz() * ((height - eye.y) / direction.y);
    if direction.y < 0.0 && reach(0.0).abs().cmplt(POOL_9.half).all() {
        return CLOTH;
    }
    if direction.y < 0.0 || reach(RAIL_HEIGHT).abs().cmpgt(POOL_9.half).any() {
        return RAIL;
    }
    wall(direction)
}

/// Walls catch some light half-way up, most from the lights on them; the ceiling is dark.
fn wall(direction: Vec3) -> LinearRgba {
    const DARK: Vec3 = Vec3::new(0.020, 0.015, 0.012);
    const LIT: Vec3 = Vec3::new(0.50, 0.29, 0.16);
    let round = direction.z.atan2(direction.x);
    let lights = 0.5 + 0.5 * (6.0 * round).cos();
    let height = (-(8.0 * (direction.y - 0.22)).powi(2)).exp();
    LinearRgba::from_vec3(DARK + LIT * (0.35 + 0.65 * lights) * height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_mirrors_the_cloth_below_and_a_warm_room_above() {
        let [below, beside] = [Vec3::NEG_Y, Vec3::new(1.0, 0.3, 0.0)].map(seen_along);
        assert!(below.green > below.red && below.green > below.blue);
        assert!(beside.red > beside.green && beside.green > beside.blue);
    }
}
