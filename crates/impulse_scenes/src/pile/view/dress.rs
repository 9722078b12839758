//! Meshes and materials of the balls and the drum's lifters.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    color::{BLUE_TO_RED, ramp},
    press::Press,
    window::BodyMesh,
};

use super::{
    colors::{ColorBy, fastest, highest_pressure},
    stage::Turntable,
    throw::Heavy,
};
use crate::pile::{options::PileOptions, vessel::Vessel};

/// One mesh for all balls, and one material for each colour, so that equal balls are drawn together.
#[derive(Resource)]
pub(super) struct Looks {
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

pub(super) fn make_looks(
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
pub(super) struct Look {
    hue: usize,
    worn: usize,
}

pub(super) fn dress_balls(
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

pub(super) fn dress_lifters(
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
            BodyMesh,
            MeshMaterial3d(looks.lifter.clone()),
            ChildOf(*turntable),
        ));
    }
}

pub(super) fn paint(
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
