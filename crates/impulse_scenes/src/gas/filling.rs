//! The box, and the balls that fill it.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::{Rng, seq::IteratorRandom};
use scene_kit::RunOptions;

use super::{
    options::{GasOptions, RADIUS},
    statistics::GasStatistics,
};

/// Greatest speed at the start along each axis, in m/s. Velocities uniform up to it have k·T/m = 1 m²/s².
const TOP_SPEED: f32 = 1.732_050_8;

/// Boxes filled so far; each has random numbers of its own.
#[derive(Resource, Default)]
pub(super) struct Fillings(u64);

/// Six walls, and the balls on a lattice, with velocities that are far from Maxwell–Boltzmann's and add up to nothing.
pub(super) fn fill(
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
