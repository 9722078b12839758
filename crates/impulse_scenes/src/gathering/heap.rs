//! A heap of bodies in a few numbers: its size, its rotation, its remaining motion, and the bodies that have left it.

use bevy::{
    math::{DMat3, DVec3},
    prelude::*,
};

/// A body of the heap in numbers, in SI units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rock {
    pub mass: f64,
    /// The centre of mass.
    pub position: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
    /// Tensor about the centre of mass, in world axes.
    pub inertia: DMat3,
}

impl Rock {
    /// Inertia of a homogeneous ball: 2/5·m·r².
    pub fn ball_inertia(mass: f64, radius: f64) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius))
    }
}

/// Bodies as one.
struct Whole {
    mass: f64,
    center: DVec3,
    drift: DVec3,
    /// About the centre, spins included.
    angular_momentum: DVec3,
    /// Tensor about the centre.
    inertia: DMat3,
    kinetic_energy: f64,
}

impl Whole {
    fn of(rocks: &[Rock]) -> Self {
        let (center, drift, mass) = mean(rocks.iter());
        let mut whole = Self {
            mass,
            center,
            drift,
            angular_momentum: DVec3::ZERO,
            inertia: DMat3::ZERO,
            kinetic_energy: 0.0,
        };
        for rock in rocks {
            let (x, v) = (rock.position - center, rock.velocity - drift);
            let m = rock.mass;
            whole.angular_momentum += m * x.cross(v) + rock.inertia * rock.spin;
            // Huygens and Steiner.
            whole.inertia += rock.inertia
                + DMat3::from_diagonal(DVec3::splat(m * x.length_squared()))
                - DMat3::from_cols(m * x.x * x, m * x.y * x, m * x.z * x);
            whole.kinetic_energy +=
                0.5 * (m * v.length_squared() + rock.spin.dot(rock.inertia * rock.spin));
        }
        whole
    }
}

/// Centre of mass, mean velocity, and mass.
fn mean<'a>(rocks: impl Iterator<Item = &'a Rock>) -> (DVec3, DVec3, f64) {
    let (mut x, mut v, mut mass) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for rock in rocks {
        x += rock.mass * rock.position;
        v += rock.mass * rock.velocity;
        mass += rock.mass;
    }
    if mass > 0.0 {
        (x / mass, v / mass, mass)
    } else {
        default()
    }
}

/// The heap as a whole.
///
/// *It* are the bodies nearest to the centre of mass of all that hold 90 % of the mass: bodies that fly about it are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HeapShape {
    /// Radius in metres about the centre of mass of all that holds 90 % of the mass.
    pub radius90: f64,
    /// Of the heap, in kg.
    pub mass: f64,
    /// The heap's own centre of mass, in m.
    pub center: DVec3,
    /// Velocity of that centre, in m/s.
    pub drift: DVec3,
    /// Mean angular velocity in rad/s about the axis of the heap's angular momentum L: |L| over the moment of inertia.
    pub omega: f64,
    /// Kinetic energy in J, spins included, above the energy of a rigid body of the same momentum and angular momentum.
    pub vibration_energy: f64,
    /// Of all bodies about the centre of mass of all, spins included, in kg·m²/s.
    pub angular_momentum: DVec3,
}

impl HeapShape {
    pub fn of(rocks: impl IntoIterator<Item = Rock>) -> Self {
        let mut rocks: Vec<Rock> = rocks.into_iter().collect();
        if rocks.is_empty() {
            return Self::default();
        }
        let all = Whole::of(&rocks);
        let distance = |rock: &Rock| rock.position.distance(all.center);
        rocks.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let mut held = 0.0;
        let inner = rocks.iter().take_while(|rock| {
            let short = held < 0.9 * all.mass;
            held += rock.mass;
            short
        });
        let inner = inner.count();
        rocks.truncate(inner);

        let heap = Whole::of(&rocks);
        let momentum = heap.angular_momentum;
        let axis = momentum.normalize_or_zero();
        let about_axis = axis.dot(heap.inertia * axis);
        // A rigid body's L = I·ω and T = L·ω/2.
        let rigid = 0.5 * momentum.dot(heap.inertia.inverse() * momentum);
        Self {
            radius90: rocks.last().map_or(0.0, distance),
            mass: heap.mass,
            center: heap.center,
            drift: heap.drift,
            omega: if about_axis > 0.0 {
                momentum.length() / about_axis
            } else {
                0.0
            },
            vibration_energy: (heap.kinetic_energy - rigid).max(0.0),
            angular_momentum: all.angular_momentum,
        }
    }

    /// The heap without any bodies that fly about it: the bodies within twice the radius that holds half of the mass, about the
    /// centre of that half.
    pub fn of_core(rocks: impl IntoIterator<Item = Rock>) -> Self {
        let mut rocks: Vec<Rock> = rocks.into_iter().collect();
        let (mut center, _, mass) = mean(rocks.iter());
        let mut radius = 0.0;
        // From the centre of mass of all to that of the half next to it, and on, until it lies in the middle of the heap.
        for _ in 0..4 {
            let distance = |rock: &Rock| rock.position.distance_squared(center);
            rocks.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            let mut held = 0.0;
            let half = rocks
                .iter()
                .take_while(|rock| {
                    let short = held < 0.5 * mass;
                    held += rock.mass;
                    short
                })
                .count();
            radius = rocks[..half].last().map_or(0.0, distance).sqrt();
            (center, ..) = mean(rocks[..half].iter());
        }
        rocks.retain(|rock| rock.position.distance(center) <= 2.0 * radius);
        Self::of(rocks)
    }

    /// Speed in m/s that just escapes from the heap's surface: √(2GM/R).
    pub fn escape_speed(&self, gravity_constant: f32) -> f64 {
        (2.0 * f64::from(gravity_constant) * self.mass / self.radius90).sqrt()
    }
}

/// The number of bodies that have left. Their kinetic energy, relative to the centre of mass of the rest, is more than the rest's
/// gravity can hold. Spins do not count.
///
/// Unbound bodies are taken out, and the rest is tested again, until no body leaves (Benz and Asphaug 1999). For the pull on a body,
/// the mass of the rest is spread over spheres about its centre, so that a round costs N·log N.
pub(crate) fn escaped(rocks: impl IntoIterator<Item = Rock>, gravity_constant: f32) -> usize {
    let mut bound: Vec<Rock> = rocks.into_iter().collect();
    let all = bound.len();
    loop {
        let (center, drift, _) = mean(bound.iter());
        let distance = |rock: &Rock| rock.position.distance(center);
        bound.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        // Of a sphere of mass m and radius s: −G·m/s inside, −G·m/r outside.
        let shell = |rock: &Rock| rock.mass / distance(rock).max(f64::MIN_POSITIVE);
        let mut inside = 0.0;
        let mut outside: f64 = bound.iter().map(shell).sum();
        let before = bound.len();
        bound.retain(|rock| {
            outside -= shell(rock);
            let r = distance(rock).max(f64::MIN_POSITIVE);
            let hold = f64::from(gravity_constant) * (inside / r + outside.max(0.0));
            inside += rock.mass;
            0.5 * rock.velocity.distance_squared(drift) <= hold
        });
        if bound.len() == before || bound.is_empty() {
            return all - bound.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rock(position: DVec3, velocity: DVec3) -> Rock {
        Rock {
            mass: 2.0,
            position,
            velocity,
            spin: DVec3::ZERO,
            inertia: Rock::ball_inertia(2.0, 0.5),
        }
    }

    /// Seven balls, as an octahedron and its centre, that turn and drift as one. Its moments of inertia are equal.
    fn rigid(spin: DVec3, drift: DVec3) -> Vec<Rock> {
        [
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            DVec3::NEG_X,
            DVec3::NEG_Y,
            DVec3::NEG_Z,
        ]
        .map(|x| Rock {
            spin,
            ..rock(x + DVec3::ONE, spin.cross(x) + drift)
        })
        .into()
    }

    #[test]
    fn a_rigidly_turning_drifting_body_turns_at_its_rate_and_does_not_vibrate() {
        let shape = HeapShape::of(rigid(DVec3::new(0.3, 0.0, 0.4), DVec3::new(5.0, -3.0, 2.0)));
        assert!((shape.omega - 0.5).abs() < 1e-12, "{shape:?}");
        assert!(shape.vibration_energy < 1e-12, "{shape:?}");
        assert!((shape.radius90 - 1.0).abs() < 1e-12, "{shape:?}");
        assert!(shape.center.distance(DVec3::ONE) < 1e-12, "{shape:?}");
    }

    #[test]
    fn a_balls_own_spin_vibrates() {
        let mut rocks = rigid(DVec3::ZERO, DVec3::ZERO);
        // Two against each other: there is no angular momentum in sum.
        rocks[1].spin = DVec3::X * 3.0;
        rocks[2].spin = DVec3::X * -3.0;
        let energy = 2.0 * 0.5 * rocks[1].inertia.x_axis.x * 9.0;
        let shape = HeapShape::of(rocks);
        assert!(
            (shape.vibration_energy / energy - 1.0).abs() < 1e-12,
            "{shape:?}"
        );
        assert!(shape.omega < 1e-12);
    }

    #[test]
    fn what_is_faster_than_escape_speed_has_escaped() {
        let constant = 3f32;
        let planet = Rock {
            mass: 1e6,
            ..rock(DVec3::ZERO, DVec3::ZERO)
        };
        let distance = 100.0;
        let escape = (2.0 * f64::from(constant) * planet.mass / distance).sqrt();
        for (share, expected) in [(0.99, 0), (1.01, 1)] {
            let moon = rock(distance * DVec3::X, share * escape * DVec3::Y);
            // Which way the two fly together changes nothing.
            for drift in [DVec3::ZERO, DVec3::new(1e4, -2e4, 0.0)] {
                let pair = [planet, moon].map(|rock| Rock {
                    velocity: rock.velocity + drift,
                    ..rock
                });
                assert_eq!(escaped(pair, constant), expected, "{share} of it");
            }
        }
    }

    #[test]
    fn the_core_is_where_the_heap_is() {
        let drift = DVec3::new(1.0, 2.0, 3.0);
        let heap = rigid(DVec3::Z, drift);
        // A third of the mass, far away on one side, and gone from the heap's point of view.
        let strewn = (1..=3).map(|i| rock(1e3 * f64::from(i) * DVec3::X, 50.0 * DVec3::X));
        let core = HeapShape::of_core(heap.iter().copied().chain(strewn));
        assert!((core.radius90 - 1.0).abs() < 1e-12, "{core:?}");
        assert!(core.center.distance(DVec3::ONE) < 1e-12, "{core:?}");
        assert!(core.drift.distance(drift) < 1e-12, "{core:?}");
        assert!((core.omega - 1.0).abs() < 1e-12, "{core:?}");
    }

    #[test]
    fn nobody_and_single_balls() {
        assert_eq!(HeapShape::of([]), HeapShape::default());
        assert_eq!(HeapShape::of_core([]), HeapShape::default());
        assert_eq!(escaped([], 1.0), 0);
        let one = rock(DVec3::X, DVec3::Y);
        assert_eq!(HeapShape::of([one]).omega, 0.0);
        assert_eq!(escaped([one], 1.0), 0);
    }
}
