//! The balls, the wall, and the count of their impacts.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use serde::Serialize;

/// Command line options of the balls.
#[derive(Args, Resource, Clone, Debug)]
pub struct PiOptions {
    /// Digits of π to count: the heavy ball has 100^(D-1) times the mass of the light one
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=5))]
    pub digits: u32,
}

impl PiOptions {
    /// Of the heavy ball to the light one.
    pub(super) fn mass_ratio(&self) -> f32 {
        100f32.powi(self.digits as i32 - 1)
    }

    /// In metres: half a light ball's more for each factor of ten in the mass.
    pub(super) fn heavy_radius(&self) -> f32 {
        LIGHT_RADIUS * (1.0 + 0.5 * self.mass_ratio().log10())
    }
}

/// Of the light ball, in metres.
pub(super) const LIGHT_RADIUS: f32 = 0.1;

/// Gap in metres between the wall and the light ball at the start.
pub(super) const LIGHT_GAP: f32 = 1.0;

/// Gap in metres between the balls at the start.
const HEAVY_GAP: f32 = 0.6;

/// Of the heavy ball at the start, in m/s.
pub(super) const HEAVY_SPEED: f32 = 1.0;

/// The ball between the wall and the other one.
#[derive(Component)]
pub(super) struct Light;

/// The ball that comes in.
#[derive(Component)]
pub(super) struct Heavy;

/// Impacts so far.
#[derive(Resource, Default)]
pub(super) struct Collisions(pub u64);

/// The wall faces along X from the origin: near it, coordinates are small and have the most digits.
pub(super) fn set_up(
    mut commands: Commands,
    mut collisions: ResMut<Collisions>,
    options: Res<PiOptions>,
) {
    let elastic = (Restitution(1.0), Friction(0.0));
    commands.spawn((Plane::new(Vec3::X), elastic));
    let light = LIGHT_GAP + LIGHT_RADIUS;
    commands.spawn((
        Light,
        Particle::new(LIGHT_RADIUS),
        Mass(options.mass_ratio().recip()),
        elastic,
        Transform::from_xyz(light, 0.0, 0.0),
    ));
    let heavy = light + LIGHT_RADIUS + HEAVY_GAP + options.heavy_radius();
    commands.spawn((
        Heavy,
        Particle::new(options.heavy_radius()),
        Mass(1.0),
        elastic,
        Transform::from_xyz(heavy, 0.0, 0.0),
        LinearVelocity(-HEAVY_SPEED * Vec3::X),
    ));
    collisions.0 = 0;
}

pub(super) fn count(mut impacts: MessageReader<Impact>, mut collisions: ResMut<Collisions>) {
    collisions.0 += impacts.read().count() as u64;
}

/// The counts of the scene.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct PiReport {
    /// Impacts between the balls and on the wall.
    pub collisions: u64,
    /// Whether these are all: both balls go away from the wall, the light one no faster than the heavy one.
    pub finished: bool,
}

/// The scene's part of the report.
pub fn pi_report(world: &mut World) -> PiReport {
    let mut light = world.query_filtered::<&LinearVelocity, With<Light>>();
    let mut heavy = world.query_filtered::<&LinearVelocity, With<Heavy>>();
    let finished = match (light.single(world), heavy.single(world)) {
        (Ok(light), Ok(heavy)) => is_over(light, heavy),
        _ => false,
    };
    PiReport {
        collisions: world.resource::<Collisions>().0,
        finished,
    }
}

/// Whether the balls, with these velocities, will meet neither each other nor the wall any more.
pub(super) fn is_over(light: &LinearVelocity, heavy: &LinearVelocity) -> bool {
    0.0 <= light.x && light.x <= heavy.x
}
