//! The lamp over the table: three green shades on a brass bar, the light that they give, and when they would hide the table.

use bevy::prelude::*;

use super::interior::CEILING;
use crate::{
    look::shapes::Facets,
    table::{
        bed::Table,
        cushion::RAIL_WIDTH,
        spec::{POOL_9, TableSpec},
    },
};

/// Shades in a row along the table.
pub(super) const COUNT: usize = 3;
/// The shades' rims hang so high above the cloth, in m.
pub(super) const RIM: f32 = 0.92;
/// Radius of the rims in m.
pub(super) const RADIUS: f32 = 0.19;
/// Top of the shades and the bar above the rims, in m.
const TOP: f32 = 0.24;
const BAR: f32 = 0.33;
const BRASS: LinearRgba = LinearRgba::rgb(0.26, 0.175, 0.065);
/// Sides of what is turned round.
const SIDES: usize = 32;

/// The middles of the openings.
pub(super) fn places(spec: &TableSpec) -> [Vec3; COUNT] {
    let pitch = 0.62 * spec.half.x;
    [-1.0, 0.0, 1.0].map(|k| Vec3::new(k * pitch, RIM, 0.0))
}

/// The lamp as it is seen.
#[derive(Component)]
pub(super) struct Lamp;

/// The lamp's mesh. It glows by itself.
pub(super) fn mesh(spec: &TableSpec) -> Mesh {
    let mut lamp = Facets::new(Vec3::X);
    let places = places(spec);
    for at in places {
        shade(&mut lamp, at);
    }
    brass(&mut lamp, &places);
    lamp.painted(|_, _| Vec3::ONE)
}

/// Radius and height above the rim of the outline, and how bright the green glass shines there.
const SHADE: [(f32, f32, f32); 7] = [
    (0.025, TOP, 0.05),
    (0.050, TOP - 0.01, 0.08),
    (0.060, TOP - 0.05, 0.14),
    (0.085, 0.15, 0.34),
    (0.130, 0.075, 0.62),
    (0.178, 0.016, 1.00),
    (RADIUS, 0.0, 0.80),
];

fn shade(lamp: &mut Facets, at: Vec3) {
    const GLASS: LinearRgba = LinearRgba::rgb(0.022, 0.17, 0.075);
    const INSIDE: LinearRgba = LinearRgba::rgb(1.0, 0.86, 0.62);
    /// Bands that each piece of the outline is cut into, so that it darkens evenly.
    const BANDS: usize = 5;
    for pair in SHADE.windows(2) {
        let along = |part: f32| {
            let [from, to] = [pair[0], pair[1]].map(Vec3::from);
            from.lerp(to, part)
        };
        for band in 0..BANDS {
            let [above, middle, below] =
                [0.0, 0.5, 1.0].map(|part| along((band as f32 + part) / BANDS as f32));
            let outline = [(above.x, above.y), (below.x, below.y)];
            lamp.tint = GLASS * middle.z;
            lamp.turned(at, &outline, SIDES);
            lamp.tint = INSIDE * (0.3 + middle.z);
            lamp.turned(at, &[outline[1], outline[0]], SIDES);
        }
    }
    lamp.tint = BRASS;
    lamp.turned(
        at,
        &[(RADIUS + 0.001, 0.006), (RADIUS + 0.001, -0.003)],
        SIDES,
    );
    // The bulb's frosted glass.
    lamp.tint = INSIDE * 4.0;
    let bulb = [(0.05, 0.10), (0.055, 0.07), (0.035, 0.045), (0.002, 0.04)];
    lamp.turned(at, &bulb, SIDES);
}

/// The bar over the shades, with a stem to each of them, and the rods that it hangs by.
fn brass(lamp: &mut Facets, places: &[Vec3; COUNT]) {
    const THICK: f32 = 0.011;
    let bar = RIM + BAR;
    let end = places[COUNT - 1].x;
    lamp.tint = BRASS;
    lamp.block(
        Vec3::new(-end - 0.12, bar - THICK, -THICK),
        Vec3::new(end + 0.12, bar + THICK, THICK),
    );
    for at in places {
        lamp.turned(
            *at,
            &[(0.009, BAR), (0.009, TOP), (0.03, TOP - 0.004)],
            SIDES / 2,
        );
    }
    lamp.tint = BRASS * 0.4;
    for x in [-0.5 * end, 0.5 * end] {
        lamp.turned(Vec3::X * x, &[(0.007, CEILING), (0.007, bar)], SIDES / 4);
    }
}

/// The lights in the shades: what falls on the table. The middle one casts shadows.
pub(super) fn lights(spec: &TableSpec) -> [(SpotLight, Transform); COUNT] {
    let longer = spec.half.x / POOL_9.half.x;
    places(spec).map(|at| {
        let light = SpotLight {
            color: Color::srgb(1.0, 0.965, 0.905),
            intensity: 22_000.0 * longer.powf(1.6),
            range: 8.0,
            // Of the round lights that the balls mirror.
            radius: 0.6 * RADIUS,
            inner_angle: 0.75,
            outer_angle: 1.2,
            // Each light with shadows draws all balls once more, so one has to do.
            shadow_maps_enabled: at.x == 0.0,
            shadow_depth_bias: 0.006,
            shadow_normal_bias: 1.0,
            ..default()
        };
        (
            light,
            Transform::from_translation(at).looking_to(Vec3::NEG_Y, Vec3::Z),
        )
    })
}

/// Hides the lamp while it would hide a part of the table.
pub(super) fn clear_view(
    camera: Single<&Transform, (With<Camera3d>, Without<Lamp>)>,
    table: Res<Table>,
    mut lamps: Query<&mut Visibility, With<Lamp>>,
) {
    let hides = hides_table(camera.translation, table.spec);
    for mut lamp in &mut lamps {
        lamp.set_if_neq(if hides {
            Visibility::Hidden
        } else {
            Visibility::Inherited
        });
    }
}

/// Whether the lamp lies between `eye` and the table.
fn hides_table(eye: Vec3, spec: &TableSpec) -> bool {
    let end = places(spec)[COUNT - 1].x + RADIUS;
    let table = spec.half + RAIL_WIDTH;
    let along = (-8..=8).map(|k| end * k as f32 / 8.0);
    along.into_iter().any(|x| {
        [(RIM, -RADIUS), (RIM, RADIUS), (RIM + BAR, 0.0)]
            .into_iter()
            .any(|(height, z)| {
                let at = Vec3::new(x, height, z);
                // Where the line of sight comes down to the cloth.
                let seen = eye.lerp(at, eye.y / (eye.y - height));
                eye.y > height && seen.xz().abs().cmplt(table).all()
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lamp_is_never_between_the_eye_and_the_table() {
        assert!(hides_table(Vec3::new(0.0, 3.0, 0.0), &POOL_9), "from above");
        assert!(
            !hides_table(Vec3::new(-1.8, 0.3, 0.1), &POOL_9),
            "along the cue"
        );
        assert!(
            hides_table(Vec3::new(2.4, 2.2, 0.0), &POOL_9),
            "from the foot, the lamps cover the head"
        );
    }
}
