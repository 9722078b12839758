//! How the count looks: beads on a rod between a wall and nowhere, in slow motion where it matters, under a large counter.

use std::f64::consts::PI;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    RunOptions,
    window::{BodyColor, KeyHelp, OrbitCamera, StatusLine, keys_are_free, sun},
};

use super::count::{
    Collisions, HEAVY_SPEED, Heavy, LIGHT_GAP, LIGHT_RADIUS, Light, PiOptions, count, is_over,
    set_up,
};

pub(super) struct PiViewPlugin;

impl Plugin for PiViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(BACKGROUND))
            .insert_resource(GlobalAmbientLight {
                color: Color::srgb(0.8, 0.88, 1.0),
                brightness: 350.0,
                ..default()
            })
            .insert_resource(KeyHelp::new([
                ("1 to 5", "digits to count"),
                ("R", "start anew"),
                ("S", "slow motion on or off"),
            ]))
            .init_resource::<SlowMotion>()
            .add_systems(Startup, (spawn_room, spawn_counter))
            .add_systems(
                Update,
                (
                    restart.run_if(input_just_pressed(KeyCode::KeyR)),
                    choose_digits,
                    toggle_slow_motion.run_if(input_just_pressed(KeyCode::KeyS)),
                )
                    .run_if(keys_are_free),
            )
            .add_systems(Update, (dress_balls, (show_count, show_status)))
            .add_systems(FixedLast, slow_down.after(count));
    }
}

/// Simulated seconds in a second of the watcher's.
#[derive(Resource)]
struct SlowMotion {
    on: bool,
    speed: f64,
}

impl Default for SlowMotion {
    fn default() -> Self {
        Self {
            on: true,
            speed: 1.0,
        }
    }
}

/// Slows clock and steps alike, so that impacts come evenly.
///
/// Scaled by the roots of their masses, the gaps of both balls are the coordinates of a point that flies straight through a fan of
/// mirrors; each impact is a mirror that the point passes. So the rate of impacts follows the point's angular velocity about the
/// corner, h/ρ², for its distance ρ and its areal velocity h, which is constant.
fn slow_down(
    mut slow_motion: ResMut<SlowMotion>,
    mut clock: ResMut<Time<Virtual>>,
    mut steps: ResMut<Time<Fixed>>,
    run: Res<RunOptions>,
    options: Res<PiOptions>,
    light: Single<&Transform, With<Light>>,
    heavy: Single<&Transform, With<Heavy>>,
) {
    /// Radians in a second of the watcher's: all impacts are on half a turn.
    const TURN_RATE: f64 = PI / 10.0;
    let root_ratio = f64::from(options.mass_ratio()).sqrt();
    let light_gap = f64::from(light.translation.x - LIGHT_RADIUS);
    let heavy_gap = f64::from(heavy.translation.x - 2.0 * LIGHT_RADIUS - options.heavy_radius());
    let square = heavy_gap.powi(2) + (light_gap / root_ratio).powi(2);
    let areal = f64::from(HEAVY_SPEED * LIGHT_GAP) / root_ratio;
    slow_motion.speed = if slow_motion.on {
        (TURN_RATE * square / areal).clamp(1e-5, 1.0)
    } else {
        1.0
    };
    clock.set_relative_speed_f64(slow_motion.speed);
    let before = steps.timestep().as_secs_f64();
    // A clock cannot count less than a nanosecond.
    steps.set_timestep_seconds((slow_motion.speed / run.rate()).max(1e-9));
    // The remaining time of this frame stays the same number of steps.
    let shrunk = (1.0 - steps.timestep().as_secs_f64() / before).max(0.0);
    let excess = steps.overstep().mul_f64(shrunk);
    steps.discard_overstep(excess);
}

fn toggle_slow_motion(mut slow_motion: ResMut<SlowMotion>) {
    slow_motion.on = !slow_motion.on;
}

fn choose_digits(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut options: ResMut<PiOptions>,
) {
    let chosen = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
    ]
    .into_iter()
    .zip(1..)
    .find(|(key, _)| keys.just_pressed(*key));
    if let Some((_, digits)) = chosen {
        options.digits = digits;
        commands.run_system_cached(restart);
    }
}

fn restart(mut commands: Commands, bodies: Query<Entity, Or<(With<Particle>, With<Plane>)>>) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
    commands.run_system_cached(set_up);
}

const BACKGROUND: Color = Color::srgb(0.045, 0.055, 0.075);

/// Of the rod through the balls, in metres.
const ROD_LENGTH: f32 = 30.0;

/// Height of the floor: the largest ball, of five digits, is just above it.
const FLOOR: f32 = -0.56;

fn spawn_room(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((
        OrbitCamera::new(Vec3::new(0.75, 0.22, 0.0), 0.2, 0.13, 3.1),
        // The floor ends nowhere.
        DistanceFog {
            color: BACKGROUND,
            falloff: FogFalloff::from_visibility(14.0),
            ..default()
        },
    ));
    commands.spawn(sun(9_000.0, Vec3::new(1.5, 4.0, 2.5), 16.0));

    let mut part = |mesh: Mesh, color: Color, roughness: f32, at: Transform| {
        commands.spawn((
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: color,
                perceptual_roughness: roughness,
                ..default()
            })),
            at,
        ));
    };
    part(
        Cuboid::new(0.3, 1.1, 1.1).into(),
        Color::srgb(0.62, 0.30, 0.24),
        0.9,
        Transform::from_xyz(-0.15, FLOOR + 0.55, 0.0),
    );
    part(
        Cylinder::new(0.018, ROD_LENGTH).into(),
        Color::srgb(0.75, 0.77, 0.8),
        0.3,
        Transform::from_xyz(0.5 * ROD_LENGTH, 0.0, 0.0)
            .with_rotation(Quat::from_rotation_z(0.5 * std::f32::consts::PI)),
    );
    part(
        Plane3d::new(Vec3::Y, Vec2::splat(60.0)).into(),
        Color::srgb(0.13, 0.15, 0.19),
        0.95,
        Transform::from_xyz(0.0, FLOOR, 0.0),
    );
}

fn dress_balls(
    mut commands: Commands,
    light: Query<Entity, Added<Light>>,
    heavy: Query<Entity, Added<Heavy>>,
) {
    for ball in &light {
        let color = Color::srgb(1.0, 0.66, 0.16);
        commands.entity(ball).try_insert(BodyColor(color));
    }
    for ball in &heavy {
        let color = Color::srgb(0.22, 0.46, 0.86);
        commands.entity(ball).try_insert(BodyColor(color));
    }
}

#[derive(Component)]
struct Counter;

#[derive(Component)]
struct Caption;

fn spawn_counter(mut commands: Commands) {
    let text = |size: f32| {
        (
            Text::default(),
            TextFont::from_font_size(size),
            TextColor::WHITE,
            TextShadow::default(),
        )
    };
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            top: px(44),
            width: percent(100),
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::Center,
            ..default()
        },
        children![(Counter, text(120.0)), (Caption, text(24.0))],
    ));
}

/// The count with a point after its first digit; gold when it is complete.
fn show_count(
    collisions: Res<Collisions>,
    options: Res<PiOptions>,
    counter: Single<(&mut Text, &mut TextColor), With<Counter>>,
    caption: Single<&mut Text, (With<Caption>, Without<Counter>)>,
    light: Single<&LinearVelocity, With<Light>>,
    heavy: Single<&LinearVelocity, With<Heavy>>,
) {
    let count = collisions.0;
    let decimals = options.digits as usize - 1;
    let number = count as f64 / 10f64.powi(decimals as i32);
    let (color, meaning) = if count > 0 && is_over(&light, &heavy) {
        let digits = match options.digits {
            1 => "the first digit of pi".to_owned(),
            several => format!("the first {several} digits of pi"),
        };
        (
            Color::srgb(1.0, 0.8, 0.35),
            format!("{count} impacts: {digits}"),
        )
    } else {
        (Color::WHITE, format!("{count} impacts so far"))
    };
    let (mut text, mut text_color) = counter.into_inner();
    text.set_if_neq(Text(format!("{number:.decimals$}")));
    text_color.set_if_neq(TextColor(color));
    caption.into_inner().set_if_neq(Text(meaning));
}

fn show_status(
    options: Res<PiOptions>,
    slow_motion: Res<SlowMotion>,
    mut status: ResMut<StatusLine>,
) {
    let mut line = format!("Masses 1 : {}", options.mass_ratio());
    // So little that one reads "1" is not worth a word.
    let slower = slow_motion.speed.recip().round();
    if slower > 1.0 {
        line += &format!(", slow motion: {slower:.0} times slower");
    }
    status.set_if_neq(StatusLine(line));
}
