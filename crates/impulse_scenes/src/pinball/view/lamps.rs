//! Lit inserts in the playfield, and bumpers and slingshots that flash.

use bevy::{math::vec2, prelude::*};

use super::dress::Cap;
use crate::pinball::machine::{
    Side,
    measures::{BUMPERS, DROPS, LANE_POSTS, MIDDLE, drop_target, ramp, slingshot, standup},
    outline::Outline,
    play::Game,
    rules::{LANES, Phase, Rules, Switch},
    switches::Closed,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostStartup, spawn_lamps)
        .add_systems(Update, (light_inserts, flash).chain());
}

/// An insert, and when it is lit.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
enum Insert {
    Lane(usize),
    Drop(usize),
    Standup(usize),
    /// The bonus counts this many times.
    Multiplier(u64),
    /// Both standup targets were hit: the ramp counts double.
    Ramp,
    /// A ball that drains comes back.
    Save,
    /// A coil that has just fired.
    Kicker(Side),
}

impl Insert {
    /// Its brightness from 0 to 1.
    fn brightness(self, rules: &Rules, seconds: f32) -> f32 {
        let blink = if (4.0 * seconds).fract() < 0.5 {
            1.0
        } else {
            0.15
        };
        let when = |is_lit: bool| if is_lit { 1.0 } else { 0.0 };
        match self {
            Self::Lane(lane) => when(rules.lanes[lane]),
            Self::Drop(target) => when(!rules.drops[target]),
            Self::Standup(target) => when(rules.standups[target]),
            Self::Multiplier(times) => when(rules.multiplier >= times),
            Self::Ramp if rules.standups == [true; 2] => blink,
            Self::Ramp => 0.25,
            Self::Save if rules.phase == Phase::Play && rules.saves() => blink,
            Self::Save | Self::Kicker(_) => 0.0,
        }
    }
}

/// Its colour when lit, and how bright it is now.
#[derive(Component, Clone, Copy, Debug)]
struct Lamp {
    color: LinearRgba,
    brightness: f32,
}

/// A light in a bumper.
#[derive(Component, Clone, Copy, Debug)]
struct Glow(usize);

const YELLOW: Color = Color::srgb(1.0, 0.78, 0.20);
const ORANGE: Color = Color::srgb(1.0, 0.42, 0.08);
const CYAN: Color = Color::srgb(0.15, 0.85, 1.0);
const RED: Color = Color::srgb(1.0, 0.12, 0.10);

/// The inserts with their colours, places and radii.
fn inserts() -> Vec<(Insert, Color, Vec2, f32)> {
    let mut all = Vec::new();
    for lane in 0..LANES {
        let x = 0.5 * (LANE_POSTS[lane] + LANE_POSTS[lane + 1]);
        all.push((Insert::Lane(lane), YELLOW, vec2(x, -0.345), 0.009));
    }
    for target in 0..DROPS {
        let (at, facing) = drop_target(target);
        all.push((Insert::Drop(target), YELLOW, at + 0.018 * facing, 0.006));
    }
    for target in 0..2 {
        let (at, facing) = standup(target);
        all.push((Insert::Standup(target), RED, at + 0.018 * facing, 0.007));
    }
    for times in 2..=5 {
        let angle = 0.42 * (times as f32 - 3.5);
        let at = vec2(MIDDLE, 0.16) + 0.13 * vec2(angle.sin(), angle.cos());
        all.push((Insert::Multiplier(times), ORANGE, at, 0.009));
    }
    all.push((
        Insert::Ramp,
        CYAN,
        vec2(ramp::X[1], ramp::ENDS[0] + 0.025),
        0.010,
    ));
    all.push((Insert::Save, CYAN, vec2(MIDDLE, 0.425), 0.010));
    all
}

fn spawn_lamps(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut lamp = |insert: Insert, color: Color, mesh: Mesh, at: Vec3| {
        let dark = if matches!(insert, Insert::Kicker(_)) {
            0.3
        } else {
            0.72
        };
        let material = StandardMaterial {
            base_color: color.mix(&Color::BLACK, dark),
            perceptual_roughness: 0.7,
            reflectance: 0.1,
            ..default()
        };
        commands.spawn((
            insert,
            Lamp {
                color: color.to_linear(),
                brightness: -1.0,
            },
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(materials.add(material)),
            Transform::from_translation(at),
        ));
    };
    for (insert, color, at, radius) in inserts() {
        // Flush with the wood, but for the thickness of a lacquer.
        let disc = Cylinder::new(radius, 6e-4).mesh().resolution(24).build();
        lamp(insert, color, disc, Vec3::new(at.x, 4e-4, at.y));
    }
    for side in Side::BOTH {
        let mut corners = slingshot(side).map(|corner| (corner, 0.003));
        if side == Side::Right {
            corners.reverse();
        }
        let cover = Outline::hull(&corners).prism(0.020, 0.023);
        lamp(Insert::Kicker(side), ORANGE, cover, Vec3::ZERO);
    }
    for (index, at) in BUMPERS.into_iter().enumerate() {
        commands.spawn((
            Glow(index),
            PointLight {
                color: if index == 1 { ORANGE } else { CYAN },
                intensity: 0.0,
                range: 0.3,
                radius: 0.02,
                ..default()
            },
            Transform::from_xyz(at.x, 0.022, at.y),
        ));
    }
}

/// Gives an insert its light, where it changed.
fn light_inserts(
    mut lamps: Query<(&Insert, &mut Lamp, &MeshMaterial3d<StandardMaterial>)>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut closed: MessageReader<Closed>,
    game: Res<Game>,
    time: Res<Time>,
) {
    let closed: Vec<Switch> = closed.read().map(|closed| closed.0).collect();
    for (insert, mut lamp, material) in &mut lamps {
        let brightness = if let Insert::Kicker(side) = *insert {
            let fired = game.rules.is_live() && closed.contains(&Switch::Slingshot(side));
            let kept = lamp.brightness.max(0.0) * (-time.delta_secs() / FLASH).exp();
            let now = if fired { 1.0 } else { kept };
            if now < 0.01 { 0.0 } else { now }
        } else {
            insert.brightness(&game.rules, time.elapsed_secs())
        };
        if brightness != lamp.brightness {
            lamp.brightness = brightness;
            if let Some(mut material) = materials.get_mut(&material.0) {
                material.emissive = lamp.color * (1.6 * brightness);
            }
        }
    }
}

/// Seconds in which a flash fades to 1/e.
const FLASH: f32 = 0.09;

/// Lights up the bumpers that were hit.
fn flash(
    mut closed: MessageReader<Closed>,
    mut glows: Query<(&Glow, &mut PointLight)>,
    caps: Query<(&Cap, &MeshMaterial3d<StandardMaterial>)>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut flashes: Local<[f32; BUMPERS.len()]>,
    game: Res<Game>,
    time: Res<Time>,
) {
    let before = *flashes;
    for flash in flashes.iter_mut() {
        *flash *= (-time.delta_secs() / FLASH).exp();
        if *flash < 0.01 {
            *flash = 0.0;
        }
    }
    for Closed(switch) in closed.read() {
        if let Switch::Bumper(index) = *switch
            && game.rules.is_live()
        {
            flashes[index] = 1.0;
        }
    }
    if *flashes == before && time.elapsed_secs() > 1.0 {
        return;
    }
    // A little light always, while the machine has power.
    let idle = if game.rules.is_live() { 0.12 } else { 0.0 };
    for (glow, mut light) in &mut glows {
        light.intensity = 4_000.0 * (idle + flashes[glow.0]);
    }
    for (cap, material) in &caps {
        if let Some(mut material) = materials.get_mut(&material.0) {
            let color = material.base_color.to_linear();
            material.emissive = color * (0.15 + 4.0 * flashes[cap.0]);
        }
    }
}
