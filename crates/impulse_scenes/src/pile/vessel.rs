//! The vessel into which the balls are poured.

use std::f32::consts::{FRAC_PI_2, GOLDEN_RATIO, PI, TAU};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Sides of the prism that the drum is.
pub(super) const SIDES: u32 = 24;

/// One in every other corner of the prism.
const LIFTERS: u32 = SIDES / 2;

/// Part of the drum's volume that the settled heap fills.
const FILLING: f32 = 0.4;

/// A box or a drum, in metres.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(super) enum Vessel {
    /// It stands on the plane y = 0 with its middle over the origin, and is open at the top.
    Box {
        /// Of its square floor.
        width: f32,
    },
    /// A prism about Z with its middle in the origin.
    Drum {
        /// From the axis to its sides.
        radius: f32,
        /// Between its ends.
        length: f32,
    },
}

impl Vessel {
    /// A box that balls fill to two thirds of its width, if they take up `volume` once they have settled. `largest` is the
    /// largest one's radius.
    pub fn new_box(volume: f32, largest: f32) -> Self {
        Self::Box {
            width: (1.5 * volume).cbrt().max(5.0 * largest),
        }
    }

    /// A drum as long as half of its width, that such balls fill to [`FILLING`].
    pub fn new_drum(volume: f32, largest: f32) -> Self {
        let radius = (volume / (PI * FILLING)).cbrt().max(5.0 * largest);
        Self::Drum {
            radius,
            length: radius,
        }
    }

    /// Points of the walls, and the directions in which these face.
    pub fn walls(&self) -> Vec<(Vec3, Vec3)> {
        match *self {
            Self::Box { width } => {
                let sides = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z];
                let side = |out: Vec3| (0.5 * width * out, -out);
                [(Vec3::ZERO, Vec3::Y)]
                    .into_iter()
                    .chain(sides.map(side))
                    .collect()
            }
            Self::Drum { radius, length } => {
                let side = |k| {
                    let out = around(k as f32);
                    (radius * out, -out)
                };
                let end = |out: Vec3| (0.5 * length * out, -out);
                (0..SIDES)
                    .map(side)
                    .chain([Vec3::Z, Vec3::NEG_Z].map(end))
                    .collect()
            }
        }
    }

    /// The bars that carry the balls along, and where they are: along Z in the drum's corners, half in the wall.
    fn lifters(&self) -> Vec<(Capsule, Transform)> {
        let Self::Drum { radius, length } = *self else {
            return Vec::new();
        };
        let thickness = lifter_radius(radius);
        let bar = Capsule::new(thickness, length - 2.0 * thickness);
        let along_z = Quat::from_rotation_x(FRAC_PI_2);
        (0..LIFTERS)
            .map(|k| {
                let corner = around((SIDES / LIFTERS * k) as f32 + 0.5);
                let place = Transform::from_translation(corner_radius(radius) * corner);
                (bar, place.with_rotation(along_z))
            })
            .collect()
    }

    /// Puts up walls and lifters.
    pub fn spawn(&self, world: &mut World) {
        for (point, normal) in self.walls() {
            world.spawn((Plane::new(normal), Transform::from_translation(point)));
        }
        for (bar, place) in self.lifters() {
            world.spawn((bar, RigidBody::Static, place));
        }
    }

    /// Of the box's floor, or across the drum.
    pub fn width(&self) -> f32 {
        match *self {
            Self::Box { width } => width,
            Self::Drum { radius, .. } => 2.0 * radius,
        }
    }

    /// How far the lowest point is under the origin.
    pub fn depth(&self) -> f32 {
        match *self {
            Self::Box { .. } => 0.0,
            Self::Drum { radius, .. } => radius,
        }
    }

    /// Centres of cubes of `edge` metres side by side in the vessel, from the bottom up; a drum has a limited number of them.
    pub fn cells(&self, edge: f32) -> std::boxed::Box<dyn Iterator<Item = Vec3>> {
        let layer = move |half: Vec2, bottom: f32| {
            let sites = grid(half, edge).into_iter();
            sites.map(move |site| Vec3::new(site.x, bottom + 0.5 * edge, site.y))
        };
        match *self {
            Self::Box { width } => std::boxed::Box::new(
                (0..).flat_map(move |k| layer(Vec2::splat(0.5 * width), k as f32 * edge)),
            ),
            Self::Drum { radius, length } => {
                let reach = corner_radius(radius) - lifter_radius(radius);
                let layers = (2.0 * reach / edge) as u32;
                std::boxed::Box::new((0..layers).flat_map(move |k| {
                    let bottom = k as f32 * edge - reach;
                    let farthest = bottom.abs().max((bottom + edge).abs());
                    let half = (reach * reach - farthest * farthest).max(0.0).sqrt();
                    layer(Vec2::new(half, 0.5 * length), bottom)
                }))
            }
        }
    }

    /// Where the balls come in, as an onlooker sees it.
    pub fn inlet(&self) -> Inlet {
        match *self {
            Self::Box { width } => Inlet {
                height: 1.4 * width,
                half: Vec2::splat(0.22 * width),
            },
            Self::Drum { radius, length } => Inlet {
                height: 0.5 * radius,
                half: Vec2::new(0.25 * radius, 0.45 * length),
            },
        }
    }
}

/// The direction from the axis to the middle of side `k`; a half on, to a corner.
fn around(k: f32) -> Vec3 {
    let (sin, cos) = (TAU * k / SIDES as f32).sin_cos();
    Vec3::new(cos, sin, 0.0)
}

/// From the axis to the corners of a drum whose sides are at `radius`.
pub(super) fn corner_radius(radius: f32) -> f32 {
    radius / (PI / SIDES as f32).cos()
}

fn lifter_radius(radius: f32) -> f32 {
    0.05 * radius
}

/// A horizontal ellipse over the origin, through which balls come down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inlet {
    pub height: f32,
    /// Along X and Z.
    pub half: Vec2,
}

impl Inlet {
    /// Centres of cubes of `edge` metres in columns side by side over the inlet, without end, from the bottom up; their height
    /// is that over the inlet. No two neighbouring columns start at the same height: the stream shall not come in sheets.
    pub fn cells(self, edge: f32) -> impl Iterator<Item = Vec3> {
        // However narrow it is, one ball after another finds through.
        let half = self.half.max(Vec2::splat(0.5 * edge));
        let sites = grid(half, edge).into_iter();
        let columns: Vec<Vec3> = sites
            .filter(|&site| (site / half).length() <= 1.0)
            .enumerate()
            .map(|(i, site)| {
                let start = (i as f32 * GOLDEN_RATIO).fract();
                Vec3::new(site.x, (0.5 + start) * edge, site.y)
            })
            .collect();
        (0..).flat_map(move |k| {
            let lift = k as f32 * edge * Vec3::Y;
            let layer: Vec<Vec3> = columns.iter().map(|&column| column + lift).collect();
            layer
        })
    }
}

/// Centres of squares of `edge` metres in a rectangle about the origin, as far apart as they can be.
fn grid(half: Vec2, edge: f32) -> Vec<Vec2> {
    let counts = (2.0 * half / edge + 1e-4).floor();
    let pitch = 2.0 * half / counts;
    (0..(counts.x * counts.y) as u32)
        .map(|i| {
            let columns = counts.x as u32;
            let site = UVec2::new(i % columns, i / columns).as_vec2();
            pitch * (site + 0.5) - half
        })
        .collect()
}
