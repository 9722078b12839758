//! A comet that is thrown at a heap.

use bevy::prelude::*;
use serde::Serialize;

use super::heap::HeapShape;

/// Where a comet starts, in the heap's radii from the heap's centre.
const START: f64 = 6.0;

/// How a comet is thrown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Throw {
    /// Its part of the heap's mass.
    pub mass: f64,
    /// Speed at which it strikes the surface, in escape speeds.
    pub speed: f64,
    /// How far its course passes the heap's centre, in the heap's radii.
    pub off_center: f64,
}

/// A comet as it was thrown, and its target.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Comet {
    /// When it was thrown, in s.
    pub time: f64,
    /// In kg.
    pub mass: f64,
    /// In m.
    pub radius: f64,
    /// Speed relative to the heap at which it is to reach `radius90`, in m/s.
    pub impact_speed: f64,
    /// From the heap's surface, in m/s.
    pub escape_speed: f64,
    #[serde(skip)]
    pub position: Vec3,
    #[serde(skip)]
    pub velocity: Vec3,
}

impl Comet {
    /// A comet of some radius that comes from the direction `from` and passes the centre on the side of `aside`; both unit
    /// vectors, across each other.
    pub(crate) fn new(
        heap: &HeapShape,
        gravity_constant: f32,
        (throw, radius): (Throw, f64),
        (from, aside): (Vec3, Vec3),
        time: f64,
    ) -> Self {
        let escape_speed = heap.escape_speed(gravity_constant);
        let reach = START * heap.radius90;
        Self {
            time,
            mass: throw.mass * heap.mass,
            radius,
            impact_speed: throw.speed * escape_speed,
            escape_speed,
            position: (heap.center
                + reach * from.as_dvec3()
                + throw.off_center * heap.radius90 * aside.as_dvec3())
            .as_vec3(),
            velocity: (heap.drift - throw.start_speed(escape_speed) * from.as_dvec3()).as_vec3(),
        }
    }
}

impl Throw {
    /// Speed at the start from which the heap's pull brings the comet to its speed at the surface: ½v² − GM/r stays.
    fn start_speed(&self, escape_speed: f64) -> f64 {
        escape_speed * (self.speed * self.speed - 1.0 + 1.0 / START).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;

    #[test]
    fn it_reaches_the_surface_at_its_speed() {
        let heap = HeapShape {
            radius90: 20.0,
            mass: 900.0,
            center: DVec3::new(1.0, 2.0, 3.0),
            drift: DVec3::new(-4.0, 0.0, 1.0),
            ..default()
        };
        const G: f32 = 500.0;
        let throw = Throw {
            mass: 0.1,
            speed: 4.0,
            off_center: 0.4,
        };
        let comet = Comet::new(&heap, G, (throw, 4.0), (Vec3::X, Vec3::Z), 0.0);
        let (mut x, mut v) = (
            comet.position.as_dvec3() - heap.center,
            comet.velocity.as_dvec3() - heap.drift,
        );
        // The heap pulls as its mass in its centre would.
        let h = 1e-5;
        while x.length() > heap.radius90 {
            x += 0.5 * h * v;
            v -= h * f64::from(G) * heap.mass / x.length().powi(3) * x;
            x += 0.5 * h * v;
        }
        let escape = (2.0 * f64::from(G) * heap.mass / heap.radius90).sqrt();
        assert!(
            (v.length() / escape - 4.0).abs() < 1e-3,
            "{}",
            v.length() / escape
        );
        // Off-centre, and not past the heap.
        let passes = x.cross(v).length() / v.length() / heap.radius90;
        assert!((0.35..0.45).contains(&passes), "{passes}");
    }
}
