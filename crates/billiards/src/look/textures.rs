//! Pictures computed at start: balls, cloth and wood.

use std::f32::consts::{PI, TAU};

use bevy::{
    image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
};
use scene_kit::picture::picture;

use super::digits;
use crate::rules::{Ball, Kind};

/// Colours of the balls 1 to 8; 9 to 15 repeat the first seven as stripes.
const COLORS: [Srgba; 8] = [
    Srgba::rgb(0.98, 0.74, 0.05),
    Srgba::rgb(0.05, 0.16, 0.66),
    Srgba::rgb(0.82, 0.06, 0.05),
    Srgba::rgb(0.30, 0.08, 0.48),
    Srgba::rgb(0.96, 0.36, 0.03),
    Srgba::rgb(0.03, 0.38, 0.16),
    Srgba::rgb(0.44, 0.05, 0.08),
    Srgba::rgb(0.025, 0.025, 0.03),
];
const IVORY: Srgba = Srgba::rgb(0.97, 0.94, 0.86);

/// A ball's skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Skin {
    /// A pool ball by its number, with the number on it. The cue ball (0) has dots.
    Pool(u8),
    /// A snooker ball by its number, of one colour.
    Plain(u8),
    /// A carom ball with dots: white, yellow, red.
    Carom(u8),
}

/// The look of a ball.
pub(super) enum Paint {
    Color(Srgba),
    /// For a UV sphere.
    Picture(Box<Image>),
}

/// Snooker's colours, from yellow to black.
const SNOOKER: [Srgba; 6] = [
    Srgba::rgb(0.93, 0.76, 0.06),
    Srgba::rgb(0.02, 0.32, 0.12),
    Srgba::rgb(0.33, 0.17, 0.06),
    Srgba::rgb(0.04, 0.20, 0.70),
    Srgba::rgb(0.93, 0.45, 0.56),
    Srgba::rgb(0.02, 0.02, 0.025),
];
const RED: Srgba = Srgba::rgb(0.66, 0.03, 0.04);

/// The colour of a snooker ball.
pub(super) fn snooker_color(ball: Ball) -> Srgba {
    let color = usize::from(ball.0).checked_sub(16);
    match (ball, color.and_then(|at| SNOOKER.get(at))) {
        (_, Some(color)) => *color,
        (Ball::CUE, None) => IVORY,
        _ => RED,
    }
}

/// The colour of a carom ball.
pub(super) fn carom_color(ball: Ball) -> Srgba {
    [IVORY, COLORS[0], COLORS[2]][usize::from(ball.0).min(2)]
}

/// The colour of a ball's body, or of its stripe.
pub(super) fn ball_color(ball: Ball) -> Srgba {
    match ball.0 {
        0 => IVORY,
        number => COLORS[usize::from(number - 1) % 8 % COLORS.len()],
    }
}

/// How a ball is painted.
pub(super) fn ball_skin(skin: Skin) -> Paint {
    const DOTS: Srgba = Srgba::rgb(0.75, 0.04, 0.04);
    match skin {
        Skin::Pool(0) => Paint::Picture(Box::new(dotted(IVORY, DOTS))),
        Skin::Pool(number) => Paint::Picture(Box::new(numbered(Ball(number)))),
        Skin::Plain(number) => Paint::Color(snooker_color(Ball(number))),
        Skin::Carom(number) => {
            let dots = if number == 2 { IVORY } else { DOTS };
            Paint::Picture(Box::new(dotted(carom_color(Ball(number)), dots)))
        }
    }
}

const SKIN_SIZE: UVec2 = UVec2::new(512, 256);

/// A skin for a UV sphere, by the direction from the ball's centre.
fn skin(paint: impl Fn(Vec3) -> Srgba) -> Image {
    image(SKIN_SIZE, ImageAddressMode::Repeat, |uv| {
        let (sin, cos) = (PI * (0.5 - uv.y)).sin_cos();
        paint((Vec2::from_angle(TAU * uv.x) * cos).extend(sin))
    })
}

/// How much of a texel a shape covers, if its edge is so far inside, in ball radii. Edges are blurred over about a texel.
fn cover(outside: f32) -> f32 {
    (0.5 - outside / BLUR).clamp(0.0, 1.0)
}

const BLUR: f32 = PI / SKIN_SIZE.y as f32;

/// Six dots: they show how the ball spins.
fn dotted(color: Srgba, dots: Srgba) -> Image {
    const DOT: f32 = 0.14;
    skin(|direction| {
        let off = direction.abs().max_element().min(1.0).acos() - DOT;
        color.mix(&dots, cover(off))
    })
}

/// Numbers face its +x and -x, upright along +z.
fn numbered(ball: Ball) -> Image {
    /// Of the circle round the number and of half the stripe, in ball radii.
    const CIRCLE: f32 = 0.54;
    const STRIPE: f32 = 0.58;
    const INK: Srgba = Srgba::rgb(0.03, 0.03, 0.03);
    let color = ball_color(ball);
    skin(|direction: Vec3| {
        let mut skin = match ball.kind() {
            Kind::Stripe => IVORY.mix(&color, cover(direction.z.abs() - STRIPE)),
            _ => color,
        };
        let off = direction.yz().length() - CIRCLE;
        if off < BLUR {
            skin = skin.mix(&IVORY, cover(off));
            let mirrored = Vec2::new(direction.y * direction.x.signum(), direction.z);
            let size = if ball.0 < 10 { 0.40 } else { 0.32 };
            let pen = digits::distance(ball.0, mirrored / size) * size - 0.08;
            skin = skin.mix(&INK, cover(pen));
        }
        skin
    })
}

/// Woven wool, in tones of grey to be tinted.
pub(super) fn cloth() -> Image {
    const SIZE: u32 = 256;
    image(UVec2::splat(SIZE), ImageAddressMode::Repeat, |uv| {
        let fibre = noise(uv * 128.0, IVec2::splat(128)) - 0.5;
        let patch = noise(uv * 6.0, IVec2::splat(6)) - 0.5;
        let tone = 0.9 + 0.10 * fibre + 0.03 * patch;
        Srgba::rgb(tone, tone, tone)
    })
}

/// Polished wood with its grain along u, in its own colours.
pub(super) fn wood() -> Image {
    const DARK: Srgba = Srgba::rgb(0.19, 0.075, 0.035);
    const LIGHT: Srgba = Srgba::rgb(0.40, 0.185, 0.085);
    image(UVec2::new(512, 256), ImageAddressMode::Repeat, |uv| {
        let bend = noise(uv * Vec2::new(3.0, 4.0), IVec2::new(3, 4));
        let ring = (TAU * (uv.y * 7.0 + 1.6 * bend)).sin() * 0.5 + 0.5;
        let fibre = noise(uv * Vec2::new(12.0, 160.0), IVec2::new(12, 160));
        DARK.mix(&LIGHT, 0.2 + 0.35 * ring + 0.45 * fibre)
    })
}

/// Length and width in m of the piece of floor that [`boards`] shows.
pub(super) const BOARDS: Vec2 = Vec2::new(2.4, 0.96);

/// Boards of wood beside each other, their grain along u.
pub(super) fn boards() -> Image {
    const DARK: Srgba = Srgba::rgb(0.35, 0.25, 0.18);
    const LIGHT: Srgba = Srgba::rgb(0.60, 0.46, 0.33);
    const JOINT: Srgba = Srgba::rgb(0.14, 0.08, 0.05);
    const ROWS: f32 = 8.0;
    /// Half the width of a joint, in m.
    const GAP: f32 = 0.003;
    image(UVec2::splat(512), ImageAddressMode::Repeat, |uv| {
        let row = (uv.y * ROWS).floor();
        // Two boards in each row, and no end beside another one.
        let along = uv.x + row * 0.37;
        let board = (along * 2.0).floor().rem_euclid(2.0) + 2.0 * row;
        let tone = noise(Vec2::new(board * 1.7, 0.5), IVec2::new(64, 64));
        let fibre = noise(uv * Vec2::new(10.0, 160.0), IVec2::new(10, 160));
        let wave = noise(uv * Vec2::new(4.0, 24.0), IVec2::new(4, 24));
        let wood = DARK.mix(&LIGHT, 0.10 + 0.45 * tone + 0.25 * fibre + 0.20 * wave);
        let to_edge = |at: f32, length: f32| (at - at.round()).abs() * length;
        let off = to_edge(uv.y * ROWS, BOARDS.y / ROWS).min(to_edge(along * 2.0, BOARDS.x / 2.0));
        wood.mix(&JOINT, (1.5 - off / GAP).clamp(0.0, 0.8))
    })
}

/// Smooth noise between 0 and 1 with a cell of size 1, which repeats after `period` cells.
fn noise(at: Vec2, period: IVec2) -> f32 {
    let cell = at.floor();
    let part = at - cell;
    let part = part * part * (3.0 - 2.0 * part);
    let value = |dx: i32, dy: i32| {
        let cell = (cell.as_ivec2() + IVec2::new(dx, dy))
            .rem_euclid(period)
            .as_uvec2();
        let mut hash = cell.x.wrapping_mul(0x9e37_79b1) ^ cell.y.wrapping_mul(0x85eb_ca6b);
        hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
        hash = (hash ^ (hash >> 12)).wrapping_mul(0x297a_2d39);
        (hash >> 8) as f32 / (1 << 24) as f32
    };
    let top = value(0, 0).lerp(value(1, 0), part.x);
    let bottom = value(0, 1).lerp(value(1, 1), part.x);
    top.lerp(bottom, part.y)
}

/// An image of a power-of-two `size` with all its smaller copies, so that it does not flicker from afar.
pub(super) fn image(size: UVec2, edge: ImageAddressMode, color: impl Fn(Vec2) -> Srgba) -> Image {
    let mut image = picture(size, color);
    let mut data = image.data.take().unwrap_or_default();
    let mut level: Vec<LinearRgba> = data
        .as_chunks::<4>()
        .0
        .iter()
        .map(|pixel| Srgba::from_u8_array(*pixel).into())
        .collect();
    let mut size = size;
    let mut levels = 1;
    while size.max_element() > 1 {
        let smaller = (size / 2).max(UVec2::ONE);
        let step = size / smaller;
        let texel = |x: u32, y: u32| level[(y * size.x + x) as usize];
        level = (0..smaller.y)
            .flat_map(|y| (0..smaller.x).map(move |x| UVec2::new(x, y) * step))
            .map(|from| {
                let to = from + step - UVec2::ONE;
                (texel(from.x, from.y)
                    + texel(to.x, from.y)
                    + texel(from.x, to.y)
                    + texel(to.x, to.y))
                    * 0.25
            })
            .collect();
        data.extend(
            level
                .iter()
                .flat_map(|color| Srgba::from(*color).to_u8_array()),
        );
        size = smaller;
        levels += 1;
    }
    image.data = Some(data);
    image.texture_descriptor.mip_level_count = levels;
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: edge,
        address_mode_v: edge,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luma(image: &Image, texel: usize) -> u32 {
        let data = image.data.as_deref().unwrap_or_default();
        data[4 * texel..4 * texel + 3]
            .iter()
            .map(|byte| u32::from(*byte))
            .sum()
    }

    #[test]
    fn an_image_carries_every_level() {
        let skin = numbered(Ball(8));
        let texels: usize = (0..10)
            .map(|level| (512usize >> level).max(1) * (256usize >> level).max(1))
            .sum();
        assert_eq!(skin.data.as_ref().map(Vec::len), Some(4 * texels));
        assert_eq!(skin.texture_descriptor.mip_level_count, 10);
    }

    #[test]
    fn a_black_eight_has_a_white_circle() {
        let skin = numbered(Ball(8));
        let at = |u: f32, v: f32| luma(&skin, (v * 256.0) as usize * 512 + (u * 512.0) as usize);
        assert!(at(0.25, 0.5) < 60, "its side is black");
        assert!(at(0.0, 0.457) > 600, "inside the upper loop it is white");
    }

    #[test]
    fn stripes_repeat_the_colours_of_solids() {
        assert_eq!(ball_color(Ball(9)), ball_color(Ball(1)));
        assert_eq!(ball_color(Ball(15)), ball_color(Ball(7)));
    }
}
