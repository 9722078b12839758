//! How the pile looks: thousands of balls in calm colours, in a box of glass or in a drum on rollers.

mod panel;
mod stage;
mod throw;

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    color::{BLUE_TO_RED, ramp},
    pace::{self, keep_up},
    press::{Press, press},
    window::{KeyHelp, StatusLine, keys_are_free},
};

use self::{stage::Turntable, throw::Heavy};
use super::{
    DENSITY, PileOptions, RADIUS,
    drum::Drum,
    pour::{Stream, set_up},
    vessel::Vessel,
};

pub(super) struct PileViewPlugin;

impl Plugin for PileViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((stage::plugin, throw::plugin, pace::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "pour anew"),
                ("Space", "throw a heavy ball"),
                ("D", "box or drum"),
                ("V", "colours: hue, speed, pressure"),
            ]))
            .init_resource::<ColorBy>()
            .add_systems(Startup, (make_looks, keep_up))
            .add_systems(
                Update,
                (
                    next_colors.run_if(pressed(KeyCode::KeyV)),
                    next_vessel.run_if(pressed(KeyCode::KeyD)),
                    empty.run_if(pressed(KeyCode::KeyR)),
                )
                    .chain()
                    .before(stage::furnish)
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    (dress_balls, dress_lifters),
                    press.run_if(resource_equals(ColorBy::Pressure)),
                    paint,
                    show_status,
                )
                    .chain()
                    .after(stage::furnish),
            )
            .add_systems(EguiPrimaryContextPass, panel::show_controls);
    }
}

fn pressed(key: KeyCode) -> impl FnMut(Res<ButtonInput<KeyCode>>) -> bool + Clone {
    bevy::input::common_conditions::input_just_pressed(key)
}

/// Takes all away and pours anew.
fn empty(
    mut commands: Commands,
    bodies: Query<Entity, Or<(With<Particle>, With<Plane>, With<Capsule>)>>,
) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
    commands.queue(set_up);
}

fn next_vessel(mut commands: Commands, mut options: ResMut<PileOptions>) {
    options.drum ^= true;
    commands.run_system_cached(empty);
}

/// What the colours show.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ColorBy {
    /// Nothing but which ball is which.
    #[default]
    Hue,
    /// Speed; in a drum, as this sees it.
    Speed,
    /// Pressure that the neighbours put on a ball.
    Pressure,
}

fn next_colors(mut color_by: ResMut<ColorBy>) {
    *color_by = match *color_by {
        ColorBy::Hue => ColorBy::Speed,
        ColorBy::Speed => ColorBy::Pressure,
        ColorBy::Pressure => ColorBy::Hue,
    };
}

/// In m/s, what the last colour stands for: that of a fall from a tenth of the vessel's width, so that one sees what flows.
fn fastest(vessel: &Vessel) -> f32 {
    (0.2 * Gravity::default().length() * vessel.width()).sqrt()
}

/// In N/m², what the last colour stands for: the mean stress of balls under a heap as high as half of the vessel.
fn highest_pressure(vessel: &Vessel) -> f32 {
    0.5 * DENSITY * Gravity::default().length() * vessel.width()
}

/// One mesh for all balls, and one material for each colour, so that equal balls are drawn together.
#[derive(Resource)]
struct Looks {
    /// From few triangles to many.
    balls: [Handle<Mesh>; 3],
    /// The hues, then the levels of speed and pressure.
    colors: Vec<Handle<StandardMaterial>>,
    heavy: Handle<StandardMaterial>,
    lifter: Handle<StandardMaterial>,
}

const LEVELS: usize = 16;

/// Cream, sand, ochre, terracotta, sage, slate.
const HUES: [Srgba; 6] = [
    Srgba::rgb(0.92, 0.87, 0.76),
    Srgba::rgb(0.85, 0.67, 0.44),
    Srgba::rgb(0.85, 0.52, 0.13),
    Srgba::rgb(0.70, 0.25, 0.14),
    Srgba::rgb(0.33, 0.48, 0.38),
    Srgba::rgb(0.13, 0.29, 0.44),
];

fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let levels = (0..LEVELS).map(|level| ramp(&BLUE_TO_RED, level as f32 / (LEVELS - 1) as f32));
    let colors = HUES
        .into_iter()
        .chain(levels)
        .map(|color| {
            materials.add(StandardMaterial {
                base_color: color.into(),
                perceptual_roughness: 0.4,
                ..default()
            })
        })
        .collect();
    let mut ball = |subdivisions| {
        let mesh = Sphere::new(1.0).mesh().ico(subdivisions)?;
        Ok::<_, BevyError>(meshes.add(mesh))
    };
    let balls = [ball(1)?, ball(2)?, ball(3)?];
    let mut metal = |color: Color, roughness: f32| {
        materials.add(StandardMaterial {
            base_color: color,
            metallic: 1.0,
            perceptual_roughness: roughness,
            ..default()
        })
    };
    commands.insert_resource(Looks {
        balls,
        colors,
        heavy: metal(Color::srgb(0.30, 0.31, 0.34), 0.25),
        lifter: metal(Color::srgb(0.80, 0.55, 0.28), 0.35),
    });
    Ok(())
}

/// Which of [`Looks`]' colours a ball wears, and which of [`HUES`] is its own.
#[derive(Component)]
struct Look {
    hue: usize,
    worn: usize,
}

fn dress_balls(
    mut commands: Commands,
    looks: Res<Looks>,
    balls: Query<(Entity, &Transform, Has<Heavy>), Added<Particle>>,
    turntable: Option<Single<Entity, With<Turntable>>>,
    options: Res<PileOptions>,
) {
    let mesh = match options.balls {
        ..2_000 => &looks.balls[2],
        2_000..20_000 => &looks.balls[1],
        20_000.. => &looks.balls[0],
    };
    for (ball, transform, is_heavy) in &balls {
        let mut ball = commands.entity(ball);
        if is_heavy {
            ball.try_insert((
                Mesh3d(looks.balls[2].clone()),
                MeshMaterial3d(looks.heavy.clone()),
            ));
        } else {
            // The last bits of a random place are as good as another random number.
            let bits = transform.translation.x.to_bits() ^ transform.translation.z.to_bits();
            let hue = bits as usize % HUES.len();
            ball.try_insert((
                Mesh3d(mesh.clone()),
                MeshMaterial3d(looks.colors[hue].clone()),
                Look { hue, worn: hue },
                Press::default(),
            ));
        }
        if let Some(turntable) = &turntable {
            ball.try_insert(ChildOf(**turntable));
        }
    }
}

fn dress_lifters(
    mut commands: Commands,
    looks: Res<Looks>,
    lifters: Query<Entity, Added<Capsule>>,
    turntable: Option<Single<Entity, With<Turntable>>>,
) {
    let Some(turntable) = turntable else {
        return;
    };
    for lifter in &lifters {
        commands.entity(lifter).try_insert((
            scene_kit::window::BodyMesh,
            MeshMaterial3d(looks.lifter.clone()),
            ChildOf(*turntable),
        ));
    }
}

fn paint(
    mut balls: Query<(
        &Press,
        &Transform,
        &LinearVelocity,
        &mut Look,
        &mut MeshMaterial3d<StandardMaterial>,
    )>,
    looks: Res<Looks>,
    color_by: Res<ColorBy>,
    vessel: Res<Vessel>,
) {
    let (fastest, highest) = (fastest(&vessel), highest_pressure(&vessel));
    let level = |x: f32| HUES.len() + (x.clamp(0.0, 1.0) * (LEVELS - 1) as f32).round() as usize;
    for (press, transform, velocity, mut look, mut material) in &mut balls {
        let wanted = match *color_by {
            ColorBy::Hue => look.hue,
            // The root, so that slow and fast are both seen.
            ColorBy::Speed => level((velocity.length() / fastest).sqrt()),
            ColorBy::Pressure => {
                let surface = 2.0 * std::f32::consts::TAU * transform.scale.x.powi(2);
                level(press.force() / surface / highest)
            }
        };
        if wanted != look.worn {
            look.worn = wanted;
            material.0 = looks.colors[wanted].clone();
        }
    }
}

fn show_status(
    options: Res<PileOptions>,
    stream: Option<Res<Stream>>,
    drum: Option<Res<Drum>>,
    mut status: ResMut<StatusLine>,
) {
    let mut line = format!("{} balls", options.balls);
    if options.polydisperse {
        line += " from 1 to 100 in size";
    } else {
        line += &format!(" of {RADIUS} m");
    }
    match drum {
        Some(drum) => {
            line += &format!(
                " in a drum that turns at {:.2} rad/s",
                drum.angular_velocity().z
            )
        }
        None => line += " in a box",
    }
    if let Some(stream) = stream {
        line += &format!("; {} are still to come", stream.len());
    }
    status.set_if_neq(StatusLine(line));
}
