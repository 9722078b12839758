//! A comet: one ball of the planet's rock, thrown so that it strikes at four times the escape speed.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

use super::{
    options::{Dimensions, PlanetOptions},
    rock::rock,
    shape::PlanetShape,
};

/// The comet's part of the planet's mass.
const MASS: f64 = 0.1;
/// Speed at which it strikes the surface, in escape speeds.
const SPEED: f64 = 4.0;
/// How far its course passes the planet's centre, in planet's radii.
const OFF_CENTER: f64 = 0.4;
/// Where it starts, in planet's radii from the planet's centre.
const START: f64 = 6.0;

/// A comet as it was thrown, and its target.
#[derive(Serialize, Clone, Copy, Debug)]
pub(super) struct Comet {
    /// When it was thrown, in s.
    pub time: f64,
    /// In kg.
    pub mass: f64,
    /// In m.
    pub radius: f64,
    /// Speed relative to the planet at which it is to reach `radius90`, in m/s.
    pub impact_speed: f64,
    /// From the planet's surface, in m/s.
    pub escape_speed: f64,
    #[serde(skip)]
    position: Vec3,
    #[serde(skip)]
    velocity: Vec3,
}

impl Comet {
    /// A comet that comes from the direction `from` and passes the centre on the side of `aside`; both unit vectors, across
    /// each other.
    pub fn new(
        planet: &PlanetShape,
        options: &PlanetOptions,
        (from, aside): (Vec3, Vec3),
        time: f64,
    ) -> Self {
        let mass = MASS * planet.mass;
        let radius = match options.dim {
            Dimensions::Two => mass.sqrt(),
            Dimensions::Three => mass.cbrt(),
        };
        let escape_speed = planet.escape_speed(options.g);
        let reach = START * planet.radius90;
        Self {
            time,
            mass,
            radius,
            impact_speed: SPEED * escape_speed,
            escape_speed,
            position: (planet.center
                + reach * from.as_dvec3()
                + OFF_CENTER * planet.radius90 * aside.as_dvec3())
            .as_vec3(),
            velocity: (planet.drift - start_speed(escape_speed) * from.as_dvec3()).as_vec3(),
        }
    }

    pub fn spawn(&self, commands: &mut Commands) -> Entity {
        commands
            .spawn((
                rock(self.radius as f32, self.mass as f32, self.position),
                LinearVelocity(self.velocity),
            ))
            .id()
    }
}

/// Speed at the start from which the planet's pull brings it to [`SPEED`] at the surface: ½v² − GM/r stays.
fn start_speed(escape_speed: f64) -> f64 {
    escape_speed * (SPEED * SPEED - 1.0 + 1.0 / START).sqrt()
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;

    #[test]
    fn it_reaches_the_surface_at_four_times_the_escape_speed() -> Result<(), clap::Error> {
        let planet = PlanetShape {
            radius90: 20.0,
            mass: 900.0,
            center: DVec3::new(1.0, 2.0, 3.0),
            drift: DVec3::new(-4.0, 0.0, 1.0),
            ..default()
        };
        let options = crate::planet::options::tests::options("")?;
        let comet = Comet::new(&planet, &options, (Vec3::X, Vec3::Z), 0.0);
        let (mut x, mut v) = (
            comet.position.as_dvec3() - planet.center,
            comet.velocity.as_dvec3() - planet.drift,
        );
        // The planet pulls as its mass in its centre would.
        let h = 1e-5;
        while x.length() > planet.radius90 {
            x += 0.5 * h * v;
            v -= h * f64::from(options.g) * planet.mass / x.length().powi(3) * x;
            x += 0.5 * h * v;
        }
        let escape = (2.0 * f64::from(options.g) * planet.mass / planet.radius90).sqrt();
        assert!(
            (v.length() / escape - 4.0).abs() < 1e-3,
            "{}",
            v.length() / escape
        );
        // Off-centre, and not past the planet.
        let passes = x.cross(v).length() / v.length() / planet.radius90;
        assert!((0.35..0.45).contains(&passes), "{passes}");
        Ok(())
    }
}
