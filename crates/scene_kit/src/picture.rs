//! Pictures that a scene computes at start: textures, and cube maps of its surroundings.

use bevy::{
    asset::RenderAssetUsages,
    image::ImageSampler,
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};

/// A picture of `size` pixels. `color` gives the colour at a place in it: x from 0 at the left to 1, y from 0 at the top to 1.
pub fn picture(size: UVec2, color: impl Fn(Vec2) -> Srgba) -> Image {
    let data = (0..size.y)
        .flat_map(|y| (0..size.x).map(move |x| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)))
        .flat_map(|pixel| color(pixel / size.as_vec2()).to_u8_array())
        .collect();
    let extent = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new(
        extent,
        TextureDimension::D2,
        data,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::linear();
    image
}

/// A cube map of square pictures, all of one size. `side` paints a side of the cube. It gets the unit vector of the world that
/// leads to each place of this side.
///
/// Cube maps are left-handed: Bevy looks up the direction (x, y, z) of the world at (x, y, −z) of the map.
pub fn cube_map(side: impl Fn(&dyn Fn(Vec2) -> Vec3) -> Image) -> Image {
    let directions: [fn(f32, f32) -> Vec3; 6] = [
        |u, v| Vec3::new(1.0, v, u),
        |u, v| Vec3::new(-1.0, v, -u),
        |u, v| Vec3::new(u, 1.0, v),
        |u, v| Vec3::new(u, -1.0, -v),
        |u, v| Vec3::new(u, v, -1.0),
        |u, v| Vec3::new(-u, v, 1.0),
    ];
    let sides = directions
        .map(|direction| side(&|at| direction(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y).normalize()));
    let data = sides.iter().flat_map(|side| side.data.iter().flatten());
    let data = data.copied().collect();
    let [mut cube, ..] = sides;
    cube.data = Some(data);
    cube.texture_descriptor.size.depth_or_array_layers = 6;
    cube.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::Cube),
        ..default()
    });
    cube
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vulkan's table of the sides of a cube map, with the largest coordinate, the one to the right and the one down. The direction
    /// is one of the world: Bevy negates its z.
    fn side(direction: Vec3) -> (usize, Vec2) {
        let (x, y, z) = (direction.x, direction.y, -direction.z);
        let (side, right, down, largest) = if x.abs() > y.abs().max(z.abs()) {
            if x > 0.0 {
                (0, -z, -y, x)
            } else {
                (1, z, -y, x)
            }
        } else if y.abs() > z.abs() {
            if y > 0.0 { (2, x, z, y) } else { (3, x, -z, y) }
        } else if z > 0.0 {
            (4, x, -y, z)
        } else {
            (5, -x, -y, z)
        };
        (side, 0.5 * (Vec2::new(right, down) / largest.abs() + 1.0))
    }

    #[test]
    fn a_cube_map_shows_at_each_direction_what_is_there() {
        const SIZE: u32 = 16;
        let cube = cube_map(|direction| {
            picture(UVec2::splat(SIZE), |at| {
                let shown = 0.5 + 0.5 * direction(at);
                Srgba::rgb(shown.x, shown.y, shown.z)
            })
        });
        let data = cube.data.unwrap();
        assert_eq!(data.len(), 4 * 6 * (SIZE * SIZE) as usize);
        let steps = || (-7..=7).map(|k| k as f32 / 7.0);
        for direction in steps()
            .flat_map(|x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))))
        {
            let Some(direction) = direction.try_normalize() else {
                continue;
            };
            let (side, at) = side(direction);
            let [x, y] = (at * SIZE as f32)
                .as_uvec2()
                .min(UVec2::splat(SIZE - 1))
                .to_array();
            let pixel = side * (SIZE * SIZE) as usize + (y * SIZE + x) as usize;
            let [r, g, b] = [0, 1, 2].map(|part| f32::from(data[4 * pixel + part]) / 127.5 - 1.0);
            let shown = Vec3::new(r, g, b);
            // Half the diagonal of a pixel, and the rounding of a colour.
            let most = std::f32::consts::SQRT_2 / SIZE as f32 + 0.01;
            assert!(shown.distance(direction) < most, "{shown} at {direction}");
        }
    }
}
