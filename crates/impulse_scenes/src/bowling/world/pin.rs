//! A pin: the outline of the drawing, the capsules and balls that fill it, and the mass of the solid that it bounds.

use std::f32::consts::{PI, TAU};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::measures::{INCH, PINS, spot};

/// Mass in kg: 3 pounds 6 ounces, the least that is allowed. The most is 3 pounds 10 ounces.
pub const MASS: f32 = 1.531;

/// Height: 15 inches.
pub const HEIGHT: f32 = 15.0 * INCH;

/// Heights over the floor and diameters in inches, from the drawing "Tenpin" of the USBC's Equipment Specifications.
pub const DRAWING: [(f32, f32); 13] = [
    (0.75, 2.828),
    (2.25, 3.906),
    (3.375, 4.510),
    (4.5, 4.766),
    (5.875, 4.563),
    (7.25, 3.703),
    (8.625, 2.472),
    (9.375, 1.965),
    (10.0, 1.797),
    (10.875, 1.870),
    (11.75, 2.094),
    (12.625, 2.406),
    (13.5, 2.547),
];

/// Radius of the flat base of the drawing, 2.031 inches across.
pub const BASE: f32 = 0.5 * 2.031 * INCH;
/// Radius of the round edge of the base: 5⁄32 inches.
pub const EDGE: f32 = 5.0 / 32.0 * INCH;
/// Radius of the top of the head: 1.273 inches.
const HEAD: f32 = 1.273 * INCH;

/// Balls under the base. With ten, the base is round within 5 %: the edge of a decagon is at cos(π/10) of its corner.
pub const FEET: usize = 10;

/// The capsules along the axis: the heights of the two ends of each one's segment, and its radius, in mm. A capsule without length is
/// a ball. A random search made the largest distance from the drawing, in the radius at any height, small.
pub const PARTS: [(f32, f32, f32); 9] = [
    (47.3, 73.4, 44.7),
    (71.2, 86.8, 52.3),
    (98.1, 139.3, 59.4),
    (139.4, 161.8, 52.0),
    (150.0, 184.2, 44.0),
    (215.5, 215.5, 31.8),
    (230.6, 286.7, 24.0),
    (304.0, 321.4, 28.2),
    (327.0, 348.7, 32.1),
];

/// Restitution of a pin against a pin or a ball. The USBC allows 0.65 to 0.78 for a ball against a pin (Equipment Specifications).
const RESTITUTION: f32 = 0.7;
/// Friction of a pin against a pin or a ball: plastic on plastic. No measurement was found.
const FRICTION: f32 = 0.2;

/// A pin, 1 to 10.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin(pub usize);

/// The radius of the drawing at a height over the floor, in m. Between its heights the outline is a cubic curve through them, with
/// the slope of a parabola through three neighbours.
pub fn radius(height: f32) -> f32 {
    let last = DRAWING.len() - 1;
    let point = |k: usize| (DRAWING[k].0 * INCH, 0.5 * DRAWING[k].1 * INCH);
    let (first, (end, end_radius)) = (point(0), point(last));
    let head = HEIGHT - HEAD;
    if height <= EDGE {
        let below = EDGE - height;
        return BASE + (EDGE * EDGE - below * below).max(0.0).sqrt();
    }
    if height < first.0 {
        let part = (height - EDGE) / (first.0 - EDGE);
        return (BASE + EDGE).lerp(first.1, part);
    }
    if height >= head {
        return (HEAD * HEAD - (height - head).powi(2)).max(0.0).sqrt();
    }
    if height >= end {
        return end_radius;
    }
    let chord = |k: usize| (point(k + 1).1 - point(k).1) / (point(k + 1).0 - point(k).0);
    let slope = |k: usize| match k {
        0 => chord(0),
        // The head is widest here.
        _ if k == last => 0.0,
        _ => {
            let (below, above) = (point(k).0 - point(k - 1).0, point(k + 1).0 - point(k).0);
            (above * chord(k - 1) + below * chord(k)) / (below + above)
        }
    };
    let k = (0..last)
        .rfind(|&k| point(k).0 <= height)
        .unwrap_or_default();
    let ((low, a), (high, b)) = (point(k), point(k + 1));
    let length = high - low;
    let t = (height - low) / length;
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a
        + (t3 - 2.0 * t2 + t) * length * slope(k)
        + (3.0 * t2 - 2.0 * t3) * b
        + (t3 - t2) * length * slope(k + 1)
}

/// The radius at a height of the body that collides, feet aside, in m.
pub fn radius_of_parts(height: f32) -> f32 {
    let part = |(low, high, radius): (f32, f32, f32)| {
        let off = height - height.clamp(1e-3 * low, 1e-3 * high);
        (1e-6 * radius * radius - off * off).max(0.0).sqrt()
    };
    PARTS.into_iter().map(part).fold(0.0, f32::max)
}

/// The mass of a solid of the drawing's outline that is the same everywhere within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Height of its centre of mass in m.
    pub centre: f32,
    /// Moments of inertia about its axis, and across it through the centre, in kg·m².
    pub inertia: [f32; 2],
}

/// Sums discs of the radius r at the height y: dm = π·r²·dy, dI about the axis = dm·r²/2, across it dm·(r²/4 + y²), then Steiner's
/// theorem.
pub fn solid() -> Solid {
    const DISCS: usize = 2_000;
    let thickness = f64::from(HEIGHT) / DISCS as f64;
    let (mut volume, mut moment, mut axial, mut across) = (0.0, 0.0, 0.0, 0.0);
    for k in 0..DISCS {
        let y = (k as f64 + 0.5) * thickness;
        let r2 = f64::from(radius(y as f32)).powi(2);
        let disc = f64::from(PI) * r2 * thickness;
        volume += disc;
        moment += disc * y;
        axial += disc * 0.5 * r2;
        across += disc * (0.25 * r2 + y * y);
    }
    let centre = moment / volume;
    let mass = f64::from(MASS);
    Solid {
        centre: centre as f32,
        inertia: [
            (mass * axial / volume) as f32,
            (mass * (across / volume - centre * centre)) as f32,
        ],
    }
}

/// The angle in rad by which a pin on these feet must lean to tip: over the edge between two feet, and over one foot. A foot is a
/// ball; the pin turns about its centre, which is [`EDGE`] over the floor.
pub fn tipping_angles() -> [f32; 2] {
    let above = solid().centre - EDGE;
    let corner = BASE;
    let edge = corner * (PI / FEET as f32).cos();
    [edge.atan2(above), corner.atan2(above)]
}

/// Whether a pin at rest stands. A pin that leans by more than it can without a support lies, or leans on something.
pub fn stands(transform: &Transform) -> bool {
    let [_, most] = tipping_angles();
    transform.up().y > most.cos() && transform.translation.y.abs() < 0.5 * INCH
}

/// Sets a pin up with its base at a place. The parts share the mass; its centre and its inertia are those of the solid.
pub fn spawn_pin(commands: &mut Commands, number: usize, base: Transform) {
    let solid = solid();
    let share = Mass(MASS / (PARTS.len() + FEET) as f32);
    let plastic = (Restitution(RESTITUTION), Friction(FRICTION));
    let [axial, across] = solid.inertia;
    let pin = (
        Pin(number),
        Compound,
        CenterOfMass(Vec3::Y * solid.centre),
        Inertia::new(Vec3::new(across, axial, across)),
        base,
        Visibility::default(),
    );
    commands.spawn(pin).with_children(|pin| {
        for (low, high, radius) in PARTS {
            let [low, high, radius] = [low, high, radius].map(|mm| 1e-3 * mm);
            let place = Transform::from_xyz(0.0, 0.5 * (low + high), 0.0);
            if low == high {
                pin.spawn((Particle::new(radius), share, plastic, place));
            } else {
                pin.spawn((Capsule::new(radius, high - low), share, plastic, place));
            }
        }
        for foot in 0..FEET {
            let (sin, cos) = (TAU * foot as f32 / FEET as f32).sin_cos();
            let place = Transform::from_xyz(BASE * cos, EDGE, BASE * sin);
            pin.spawn((Particle::new(EDGE), share, plastic, place));
        }
    });
}

/// Sets all ten pins on their spots, each moved by so much.
pub fn spawn_rack(commands: &mut Commands, mut off: impl FnMut() -> Vec3) {
    for index in 0..PINS {
        let place = Transform::from_translation(spot(index) + off());
        spawn_pin(commands, index + 1, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_leads_through_the_drawing() {
        for (height, diameter) in DRAWING {
            let off = 2.0 * radius(height * INCH) - diameter * INCH;
            assert!(off.abs() < 1e-6, "{off} m at {height} inches");
        }
        assert!(radius(HEIGHT) < 1e-4);
    }

    /// Above the feet. It prints the largest distance: `cargo test the_parts_fill -- --nocapture`.
    #[test]
    fn the_parts_fill_the_outline() {
        let heights = (0..=1000).map(|k| {
            let part = k as f32 / 1000.0;
            (0.75 * INCH).lerp(HEIGHT - 1e-3, part)
        });
        let off = heights.map(|height| (radius_of_parts(height) - radius(height), height));
        let (most, height) = off
            .map(|(off, height)| (off.abs(), height))
            .fold((0.0, 0.0), |a: (f32, f32), b| if b.0 > a.0 { b } else { a });
        println!("largest deviation {most} m, at the height {height} m");
        // A tenth of the radius of the belly is 6 mm, and of the neck 2.3 mm.
        assert!(most < 1.5e-3, "{most} m at {height} m");
    }

    /// USBC: the centre of gravity is 5 5⁄8 to 5 15⁄16 inches high. Nothing in the code asks for it.
    #[test]
    fn the_solid_of_the_drawing_has_its_centre_where_the_rules_want_it() {
        let Solid { centre, inertia } = solid();
        println!("centre {centre} m, inertia {inertia:?} kg·m²");
        assert!((5.625 * INCH..5.9375 * INCH).contains(&centre));
        // A rod of this length has more, and one of the length of the belly less.
        assert!(inertia[1] < MASS * HEIGHT * HEIGHT / 12.0 && inertia[0] < inertia[1]);
    }

    #[test]
    fn no_part_but_the_feet_touches_the_floor() {
        for (low, _, radius) in PARTS {
            assert!(low - radius > 1.0, "{low} mm");
        }
    }
}
