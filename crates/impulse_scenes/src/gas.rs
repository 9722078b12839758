//! A gas of hard balls in a box: elastic, without friction or gravity, so that all it does is statistics.
//!
//! Whatever velocities it starts from, it comes to Maxwell–Boltzmann's, shares its kinetic energy evenly between the three
//! directions, and presses on its walls as the equation of state of hard spheres says.

mod statistics;
mod view;

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use rand::{Rng, seq::IteratorRandom};
use scene_kit::{RunOptions, has_window};

pub use statistics::{GasReport, gas_report};
use statistics::{GasStatistics, observe};

/// What the command line says about the gas.
#[derive(Args, Resource, Clone, Debug)]
pub struct GasOptions {
    /// Balls in the box
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub balls: u32,
    /// Packing fraction: the balls' part of the box's volume
    #[arg(long, value_name = "PHI", default_value_t = 0.1, value_parser = fraction, allow_negative_numbers = true)]
    pub fraction: f32,
}

impl GasOptions {
    /// Edge of the box in metres.
    fn side(&self) -> f32 {
        (self.balls as f32 * BALL_VOLUME / self.fraction).cbrt()
    }

    /// Greatest coordinate that the centre of a ball inside the box can have, in metres.
    fn reach(&self) -> f32 {
        0.5 * self.side() - RADIUS
    }
}

fn fraction(text: &str) -> Result<f32, String> {
    let value: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    (0.01..=0.4)
        .contains(&value)
        .then_some(value)
        .ok_or_else(|| "give at least 0.01 and at most 0.4".to_owned())
}

/// Of a ball, in metres.
const RADIUS: f32 = 0.1;

const BALL_VOLUME: f32 = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;

/// Greatest speed at the start along each axis, in m/s. Velocities uniform up to it have k·T/m = 1 m²/s².
const TOP_SPEED: f32 = 1.732_050_8;

/// The scene: fills the box at start-up and keeps statistics, and shows both if there is a window.
pub struct GasPlugin(pub GasOptions);

impl Plugin for GasPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            // However slowly two balls meet, they bounce: nothing rests in a gas.
            .insert_resource(CollisionConfig {
                resting_speed: 0.0,
                ..default()
            })
            .init_resource::<Fillings>()
            .init_resource::<GasStatistics>()
            .add_systems(Startup, fill)
            // The physics rewrites its contacts in each step that it makes; paused, it makes none.
            .add_systems(FixedLast, observe.run_if(resource_changed::<Contacts>));
        if has_window(app) {
            app.add_plugins(view::GasViewPlugin);
        }
    }
}

/// Boxes filled so far; each has random numbers of its own.
#[derive(Resource, Default)]
struct Fillings(u64);

/// Six walls, and the balls on a lattice, with velocities that are far from Maxwell–Boltzmann's and add up to nothing.
fn fill(
    mut commands: Commands,
    mut fillings: ResMut<Fillings>,
    mut statistics: ResMut<GasStatistics>,
    options: Res<GasOptions>,
    run: Res<RunOptions>,
) {
    let elastic = (Restitution(1.0), Friction(0.0));
    for outward in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
        commands.spawn((
            Plane::new(-outward),
            Transform::from_translation(0.5 * options.side() * outward),
            elastic,
        ));
    }

    let mut rng = run.rng(fillings.0);
    fillings.0 += 1;
    let positions = lattice(&mut rng, options.balls as usize, options.reach());
    let velocities: Vec<Vec3> = positions
        .iter()
        .map(|_| {
            Vec3::from_array(std::array::from_fn(|_| {
                rng.random_range(-TOP_SPEED..=TOP_SPEED)
            }))
        })
        .collect();
    let drift = velocities.iter().sum::<Vec3>() / velocities.len() as f32;
    for (position, velocity) in positions.into_iter().zip(velocities) {
        commands.spawn((
            Particle::new(RADIUS),
            Mass(1.0),
            elastic,
            Transform::from_translation(position),
            LinearVelocity(velocity - drift),
        ));
    }
    *statistics = GasStatistics::new(&run);
}

/// `count` random sites of a lattice that fills the cube from −`reach` to `reach`: the simple cubic one, or every other
/// site of a finer one, whichever keeps them farther apart.
fn lattice(rng: &mut impl Rng, count: usize, reach: f32) -> Vec<Vec3> {
    let edge_for = |every: usize| {
        (2..)
            .find(|edge: &usize| edge.pow(3).div_ceil(every) >= count)
            .unwrap_or(count)
    };
    let (cubic, checkered) = (edge_for(1), edge_for(2));
    let spacing = |edge: usize| 2.0 * reach / (edge - 1) as f32;
    let (edge, every) = if spacing(cubic) >= 2f32.sqrt() * spacing(checkered) {
        (cubic, 1)
    } else {
        (checkered, 2)
    };
    let site = |i: usize| [i % edge, i / edge % edge, i / (edge * edge)];
    (0..edge.pow(3))
        .map(site)
        .filter(|site| site.iter().sum::<usize>().is_multiple_of(every))
        .choose_multiple(rng, count)
        .into_iter()
        .map(|site| Vec3::from_array(site.map(|i| i as f32 * spacing(edge) - reach)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_start_apart_and_inside_at_the_highest_fraction() {
        for balls in [100, 137, 512, 513] {
            let options = GasOptions {
                balls,
                fraction: 0.4,
            };
            let mut rng = RunOptions::default().rng(0);
            let sites = lattice(&mut rng, balls as usize, options.reach());
            assert_eq!(sites.len(), balls as usize);
            for (i, site) in sites.iter().enumerate() {
                assert!(site.abs().max_element() <= 1.000_001 * options.reach());
                for other in &sites[..i] {
                    assert!(site.distance(*other) > 2.0 * RADIUS, "{balls} balls");
                }
            }
        }
    }
}
