//! A planet: a turning cloud of balls falls together under its own gravity.
//!
//! The cloud is uniform, so all of it arrives at about the same time, t = π/2·√(R³/2GM). It turns, and what turns and
//! shrinks turns faster: the planet ends up flattened at its poles.

mod view;

use bevy::{math::DVec3, platform::collections::HashMap, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Args;
use rand::Rng;
use serde::Serialize;

use crate::{headless::has_window, options::RunOptions};

/// What the command line says about the cloud.
#[derive(Args, Resource, Clone, Debug)]
pub struct PlanetOptions {
    /// Balls in the cloud
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub balls: u32,
    /// Angular velocity of the cloud in rad/s
    #[arg(long, value_name = "W", default_value_t = 0.1, value_parser = finite, allow_negative_numbers = true)]
    pub spin: f32,
    /// Radius of the cloud in metres [default: 45 for 400 balls, as dense for any other number]
    #[arg(long, value_name = "R", value_parser = positive, allow_negative_numbers = true)]
    pub radius: Option<f32>,
}

impl PlanetOptions {
    fn cloud_radius(&self) -> f32 {
        self.radius
            .unwrap_or_else(|| 45.0 * (self.balls as f32 / 400.0).cbrt())
    }
}

fn finite(text: &str) -> Result<f32, String> {
    let value: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    value
        .is_finite()
        .then_some(value)
        .ok_or_else(|| "give a finite number".to_owned())
}

fn positive(text: &str) -> Result<f32, String> {
    let value = finite(text)?;
    (value > 0.0)
        .then_some(value)
        .ok_or_else(|| "give a number above 0".to_owned())
}

/// The scene: scatters the cloud at start-up, and shows it if there is a window.
pub struct PlanetPlugin(pub PlanetOptions);

impl Plugin for PlanetPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .init_resource::<Clouds>()
            .insert_resource(Gravity::ZERO)
            .insert_resource(SelfGravity {
                constant: 5.0,
                softening: 0.0,
            })
            .add_systems(Startup, scatter);
        if has_window(app) {
            app.add_plugins(view::PlanetViewPlugin);
        }
    }
}

/// Clouds scattered so far; each has random numbers of its own.
#[derive(Resource, Default)]
struct Clouds(u64);

/// Radii of the balls in metres.
const RADII: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// Rock that loses most of an impact's energy.
fn rock(radius: f32, mass: f32) -> impl Bundle {
    (
        Particle::new(radius),
        Mass(mass),
        Restitution(0.25),
        Friction(0.3),
    )
}

/// A new cloud, at rest but for its rotation about the Y axis through its centre of mass, the origin.
fn scatter(
    mut commands: Commands,
    mut clouds: ResMut<Clouds>,
    options: Res<PlanetOptions>,
    run: Res<RunOptions>,
) {
    let mut rng = run.rng(clouds.0);
    clouds.0 += 1;
    let radii: Vec<f32> = (0..options.balls)
        .map(|_| rng.random_range(RADII))
        .collect();
    let centers = place_apart(&mut rng, &radii, options.cloud_radius());

    // Mass as the cubed radius: one density for all.
    let masses = || radii.iter().map(|radius| radius.powi(3));
    let weighted: Vec3 = centers
        .iter()
        .zip(masses())
        .map(|(&center, mass)| mass * center)
        .sum();
    let center_of_mass = weighted / masses().sum::<f32>();
    let spin = options.spin * Vec3::Y;
    for ((&radius, mass), center) in radii.iter().zip(masses()).zip(centers) {
        let position = center - center_of_mass;
        commands.spawn((
            rock(radius, mass),
            Transform::from_translation(position),
            LinearVelocity(spin.cross(position)),
            AngularVelocity(spin),
        ));
    }
}

/// Centres for balls of `radii`, uniform in a ball of `cloud_radius`, none touching another. If they do not fit, the cloud
/// grows until they do.
fn place_apart(rng: &mut impl Rng, radii: &[f32], mut cloud_radius: f32) -> Vec<Vec3> {
    const TRIES: u32 = 200;
    // A cell holds whatever can touch a ball in it within its own 27 neighbours.
    let cell = 2.0 * RADII.end();
    let mut placed: HashMap<IVec3, Vec<(Vec3, f32)>> = HashMap::default();
    let mut place = |radius: f32| {
        let mut tries = 0;
        loop {
            let center = cloud_radius * random_in_ball(rng);
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

/// Uniform in the unit ball.
fn random_in_ball(rng: &mut impl Rng) -> Vec3 {
    loop {
        let point = Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..=1.0)));
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

/// The planet as a whole, without what flies about it: the balls nearest to the centre of mass that hold 90 % of the mass.
#[derive(Serialize, Clone, Copy, Debug, Default)]
pub struct PlanetShape {
    /// Radius in metres about the centre of mass that holds 90 % of the mass.
    pub radius_90: f64,
    /// Mean angular velocity of these balls in rad/s about the axis of their angular momentum L: |L| / I.
    pub spin: f64,
    /// Their own centre of mass.
    #[serde(skip)]
    center: DVec3,
}

/// What says where a ball is and how it moves.
type Ball = (
    &'static Particle,
    &'static Mass,
    &'static Transform,
    &'static LinearVelocity,
    &'static AngularVelocity,
);

impl PlanetShape {
    fn of<'a>(
        balls: impl Iterator<
            Item = (
                &'a Particle,
                &'a Mass,
                &'a Transform,
                &'a LinearVelocity,
                &'a AngularVelocity,
            ),
        >,
    ) -> Self {
        struct Rock {
            mass: f64,
            /// 2/5·m·r².
            inertia: f64,
            position: DVec3,
            velocity: DVec3,
            spin: DVec3,
        }
        let mut rocks: Vec<Rock> = balls
            .map(|(particle, mass, transform, velocity, spin)| Rock {
                mass: f64::from(mass.0),
                inertia: 0.4 * f64::from(mass.0) * f64::from(particle.radius).powi(2),
                position: transform.translation.as_dvec3(),
                velocity: velocity.as_dvec3(),
                spin: spin.as_dvec3(),
            })
            .collect();
        let mean = |rocks: &[Rock], of: fn(&Rock) -> DVec3| {
            let mass: f64 = rocks.iter().map(|rock| rock.mass).sum();
            rocks.iter().map(|rock| rock.mass * of(rock)).sum::<DVec3>() / mass
        };
        if rocks.is_empty() {
            return Self::default();
        }
        let center_of_mass = mean(&rocks, |rock| rock.position);
        let distance = |rock: &Rock| rock.position.distance(center_of_mass);
        rocks.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let wanted = 0.9 * rocks.iter().map(|rock| rock.mass).sum::<f64>();
        let mut held = 0.0;
        let inner = rocks.iter().take_while(|rock| {
            let short = held < wanted;
            held += rock.mass;
            short
        });
        let inner = inner.count();
        let planet = &rocks[..inner];

        let (center, drift) = (
            mean(planet, |rock| rock.position),
            mean(planet, |rock| rock.velocity),
        );
        let momentum_of = |rock: &Rock| {
            (rock.position - center).cross(rock.mass * (rock.velocity - drift))
                + rock.inertia * rock.spin
        };
        let angular_momentum: DVec3 = planet.iter().map(momentum_of).sum();
        let axis = angular_momentum.normalize_or_zero();
        let inertia_of = |rock: &Rock| {
            rock.mass * (rock.position - center).cross(axis).length_squared() + rock.inertia
        };
        let inertia: f64 = planet.iter().map(inertia_of).sum();
        Self {
            radius_90: planet.last().map_or(0.0, distance),
            spin: angular_momentum.length() / inertia,
            center,
        }
    }
}

/// What the report adds for this scene.
pub fn planet_report(world: &mut World) -> PlanetShape {
    PlanetShape::of(world.query::<Ball>().iter(world))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_balls_do_not_touch_even_if_the_cloud_must_grow() {
        let mut rng = RunOptions::default().rng(0);
        let radii: Vec<f32> = (0..200).map(|_| rng.random_range(RADII)).collect();
        let centers = place_apart(&mut rng, &radii, 3.0);
        for i in 0..radii.len() {
            for j in 0..i {
                assert!(centers[i].distance(centers[j]) > radii[i] + radii[j]);
            }
        }
    }

    #[test]
    fn shape_of_a_rigidly_turning_drifting_body() {
        let spin = Vec3::new(0.3, 0.0, 0.4);
        let drift = Vec3::new(5.0, -3.0, 2.0);
        let balls: Vec<_> = [
            Vec3::X,
            Vec3::Y,
            Vec3::Z,
            Vec3::NEG_X,
            Vec3::NEG_Y,
            Vec3::NEG_Z,
        ]
        .map(|position| {
            (
                Particle::new(0.5),
                Mass(2.0),
                Transform::from_translation(position),
                LinearVelocity(spin.cross(position) + drift),
                AngularVelocity(spin),
            )
        })
        .into();
        let shape = PlanetShape::of(balls.iter().map(|(a, b, c, d, e)| (a, b, c, d, e)));
        assert!((shape.spin - 0.5).abs() < 1e-6, "{shape:?}");
        assert!((shape.radius_90 - 1.0).abs() < 1e-6, "{shape:?}");
    }
}
