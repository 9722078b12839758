//! A planet: a turning cloud of balls falls together under its own gravity.
//!
//! The cloud is uniform, so all of it arrives at about the same time; a ball of radius R and mass M takes
//! t = π/2·√(R³/2GM). It turns, and what turns and shrinks turns faster: the planet ends up flattened at its poles.

mod comet;
mod report;
mod shape;
mod view;

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::{Args, ValueEnum};
use rand::Rng;
use scene_kit::{
    RunOptions, has_window,
    number::{coefficient, finite, not_negative, number, positive},
};

pub use report::{PlanetReport, planet_report};

/// What the command line says about the cloud and its world.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct PlanetOptions {
    /// Space, or the plane z = 0
    #[arg(long, value_name = "D", value_enum, default_value_t)]
    pub dim: Dimensions,
    /// Balls in the cloud [default: 1000 in 3D, 500 in 2D]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub balls: Option<u32>,
    /// Angular velocity of the cloud in rad/s, about Y in 3D and about Z in 2D
    #[arg(long, value_name = "W", default_value_t = 0.1, value_parser = finite, allow_negative_numbers = true)]
    pub spin: f32,
    /// Radius of the cloud in metres; it grows if the balls do not fit
    #[arg(long, value_name = "R", default_value_t = 100.0, value_parser = positive, allow_negative_numbers = true)]
    pub radius: f32,
    /// Gravitational constant in m³/(kg·s²); a ball weighs r³ kg in 3D, r² kg in 2D
    #[arg(long, value_name = "G", default_value_t = 500.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub g: f32,
    /// Coefficient of restitution of all impacts, 0 to 1
    #[arg(long, value_name = "E", default_value_t = 0.25, value_parser = coefficient, allow_negative_numbers = true)]
    pub restitution: f32,
    /// Balls that touch become one where their gravity holds them together
    #[arg(long)]
    pub accretion: bool,
    /// How overlap is pushed out
    #[arg(long, value_name = "LAW", value_enum, default_value_t)]
    pub projection: Projection,
    /// How the balls' pulls are summed
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    pub gravity: GravitySum,
    /// Opening angle of the tree, 0 to 0.9: the larger, the faster and the less exact
    #[arg(long, value_name = "T", default_value_t = 0.5, value_parser = opening_angle, allow_negative_numbers = true)]
    pub theta: f32,
    /// Throw a comet at four times the escape speed, at second S or halfway through the run; a headless run then reports
    /// energy and momenta from just after the throw on
    #[arg(long, value_name = "S", num_args = 0..=1, value_parser = positive, allow_negative_numbers = true)]
    pub comet: Option<Option<f32>>,
}

/// Whether the scene is flat.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimensions {
    /// A disc in the plane z = 0, of balls whose mass is their radius squared
    #[value(name = "2")]
    Two,
    /// A ball, of balls whose mass is their radius cubed
    #[default]
    #[value(name = "3")]
    Three,
}

/// What becomes of overlap, by the names that the command line has for it.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// The library's own way: contacts that remember their impulses leave little overlap, and pushing that out keeps momentum and
    /// angular momentum
    #[default]
    Conserving,
    /// The position-based way: 16 sweeps of impulses, forgotten after the step, then 16 sweeps that push all overlap out and
    /// leave velocities alone; the planet spins itself apart
    Naive,
}

impl Projection {
    fn config(self) -> CollisionConfig {
        match self {
            Self::Conserving => CollisionConfig {
                // So that the planet creeps to its figure and stays there.
                friction_warm_start: 0.5,
                // Where all fall on each other at once, most bounces are over before they are seen.
                impacts_per_substep: 0.2,
                ..default()
            },
            Self::Naive => CollisionConfig {
                contact_iterations: 16,
                contact_relaxation: 1.4,
                warm_start: 0.0,
                projection_iterations: 16,
                projection: ProjectionStrength::Factor(1.0),
                projection_law: ProjectionLaw::Naive,
                ..default()
            },
        }
    }
}

/// How self-gravity is summed: [`GravityMethod`], by the names that the command line has for it.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GravitySum {
    /// Pair by pair
    Direct,
    /// Distant balls in groups
    #[default]
    Tree,
}

impl PlanetOptions {
    fn ball_count(&self) -> u32 {
        self.balls.unwrap_or(match self.dim {
            Dimensions::Two => 500,
            Dimensions::Three => 1000,
        })
    }

    /// The axis that the cloud turns about.
    fn spin_axis(&self) -> Vec3 {
        match self.dim {
            Dimensions::Two => Vec3::Z,
            Dimensions::Three => Vec3::Y,
        }
    }
}

fn opening_angle(text: &str) -> Result<f32, String> {
    number(
        text,
        |value| (0.0..=0.9).contains(&value),
        "number from 0 to 0.9",
    )
}

/// The scene: scatters the cloud at start-up, and shows it if there is a window.
pub struct PlanetPlugin(pub PlanetOptions);

impl Plugin for PlanetPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .init_resource::<Clouds>()
            .insert_resource(Gravity::ZERO)
            .add_plugins(report::plugin)
            .add_systems(Startup, scatter)
            .add_systems(FixedPostUpdate, grow.after(ImpulseSystems::WriteBack))
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<PlanetOptions>),
            );
        if has_window(app) {
            app.add_plugins(view::PlanetViewPlugin);
        }
    }
}

/// Brings the physics to what the options say.
fn set_laws(mut commands: Commands, options: Res<PlanetOptions>) {
    commands.insert_resource(SelfGravity {
        constant: options.g,
        method: match options.gravity {
            GravitySum::Direct => GravityMethod::Direct,
            GravitySum::Tree => GravityMethod::Tree {
                opening_angle: options.theta,
            },
        },
        ..default()
    });
    commands.insert_resource(CollisionConfig {
        restitution: MaterialRule::new(CombineRule::GeometricMean, options.restitution),
        ..options.projection.config()
    });
    if options.accretion {
        commands.insert_resource(Accretion::Bound);
    } else {
        commands.remove_resource::<Accretion>();
    }
}

/// Gives a ball that has absorbed others its new size: its mesh grows with its transform, and its radius in local units
/// stays 1.
fn grow(mut merged: MessageReader<Merged>, mut balls: Query<(&mut Transform, &mut Particle)>) {
    for ball in merged.read() {
        if let Ok((mut transform, mut particle)) = balls.get_mut(ball.survivor) {
            transform.scale = Vec3::splat(ball.radius);
            particle.radius = 1.0;
        }
    }
}

/// Clouds scattered so far; each has random numbers of its own.
#[derive(Resource, Default)]
struct Clouds(u64);

/// Radii of the balls in metres.
const RADII: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// A ball of the planet. Its size is its scale, so that all can share one mesh.
fn rock(radius: f32, mass: f32, position: Vec3) -> impl Bundle {
    (
        Particle::new(1.0),
        Mass(mass),
        Transform::from_translation(position).with_scale(Vec3::splat(radius)),
    )
}

/// A new cloud, at rest but for its rotation about its centre of mass, the origin.
fn scatter(
    mut commands: Commands,
    mut clouds: ResMut<Clouds>,
    options: Res<PlanetOptions>,
    run: Res<RunOptions>,
) {
    let mut rng = run.rng(clouds.0);
    clouds.0 += 1;
    let radii: Vec<f32> = (0..options.ball_count())
        .map(|_| rng.random_range(RADII))
        .collect();
    let centers = place_apart(&mut rng, &radii, options.dim, options.radius);

    let mass = |radius: f32| match options.dim {
        Dimensions::Two => radius.powi(2),
        Dimensions::Three => radius.powi(3),
    };
    let weighted: Vec3 = centers
        .iter()
        .zip(&radii)
        .map(|(&center, &radius)| mass(radius) * center)
        .sum();
    let center_of_mass = weighted / radii.iter().copied().map(mass).sum::<f32>();
    let spin = options.spin * options.spin_axis();
    for (radius, center) in radii.into_iter().zip(centers) {
        let position = center - center_of_mass;
        commands.spawn((
            rock(radius, mass(radius), position),
            LinearVelocity(spin.cross(position)),
            AngularVelocity(spin),
        ));
    }
}

/// Centres for balls of `radii`, uniform in a ball or disc of `cloud_radius`, none touching another. If they do not fit, the
/// cloud grows until they do.
fn place_apart(
    rng: &mut impl Rng,
    radii: &[f32],
    dim: Dimensions,
    mut cloud_radius: f32,
) -> Vec<Vec3> {
    const TRIES: u32 = 200;
    // A cell holds whatever can touch a ball in it within its own 27 neighbours.
    let cell = 2.0 * RADII.end();
    let mut placed: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::default();
    let mut place = |radius: f32| {
        let mut tries = 0;
        loop {
            let center = cloud_radius * random_in_unit(rng, dim);
            let key = (center / cell).floor().as_ivec3();
            let neighbours =
                (0..27).map(|i| key + IVec3::new(i % 3, i / 3 % 3, i / 9) - IVec3::ONE);
            let clear = neighbours.filter_map(|key| placed.get(&key)).flatten().all(
                |&(other, other_radius)| {
                    center.distance_squared(other) > (radius + other_radius).powi(2)
                },
            );
            if clear {
                placed.entry(key).or_default().push((center, radius));
                return center;
            }
            tries += 1;
            if tries % TRIES == 0 {
                cloud_radius *= 1.02;
            }
        }
    };
    radii.iter().map(|&radius| place(radius)).collect()
}

/// Uniform in the unit ball, or in the unit disc of the plane z = 0.
fn random_in_unit(rng: &mut impl Rng, dim: Dimensions) -> Vec3 {
    loop {
        let mut point = Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..=1.0)));
        if dim == Dimensions::Two {
            point.z = 0.0;
        }
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Scene {
        #[command(flatten)]
        planet: PlanetOptions,
    }

    /// What a command line says.
    pub(super) fn options(words: &str) -> Result<PlanetOptions, clap::Error> {
        let words = ["planet"].into_iter().chain(words.split_whitespace());
        Scene::try_parse_from(words).map(|scene| scene.planet)
    }

    #[test]
    fn scattered_balls_do_not_touch_even_if_the_cloud_must_grow() {
        for dim in [Dimensions::Two, Dimensions::Three] {
            let mut rng = RunOptions::default().rng(0);
            let radii: Vec<f32> = (0..200).map(|_| rng.random_range(RADII)).collect();
            let centers = place_apart(&mut rng, &radii, dim, 3.0);
            for i in 0..radii.len() {
                assert!(dim == Dimensions::Three || centers[i].z == 0.0);
                for j in 0..i {
                    assert!(centers[i].distance(centers[j]) > radii[i] + radii[j]);
                }
            }
        }
    }
}
