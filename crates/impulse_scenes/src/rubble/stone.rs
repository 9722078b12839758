//! The shape of a boulder: a stone with facets, filled with balls.

use bevy::{
    math::{DMat3, DVec3},
    prelude::*,
};
use rand::Rng;

use super::sphere::{Sphere, outline};
use crate::gathering::{cloud::random_in_unit, heap::Rock};

/// Balls of a stone.
pub(super) const BALLS: std::ops::RangeInclusive<usize> = 5..=50;

/// The smallest ball of a stone, over the stone's half length.
const SMALLEST: f32 = 0.18;

/// A stone, made of balls that overlap.
#[derive(Clone, Debug)]
pub(super) struct Stone {
    /// Centres, about the centre of mass, and radii, in m.
    pub balls: Vec<(Vec3, f32)>,
    /// Of the solid inside its surface, in m³.
    pub volume: f64,
}

/// A convex solid about the origin: the points x with n·x ≤ h for each facet (n, h).
struct Facets(Vec<(Vec3, f32)>);

impl Facets {
    /// An ellipsoid of half length 1 that is cut flat in random places. Its axes are as those of fragments, about 1 : 0.7 : 0.5.
    fn random(rng: &mut impl Rng) -> Self {
        const CUTS: usize = 9;
        let axes = Vec3::new(1.0, rng.random_range(0.6..0.95), rng.random_range(0.5..0.8));
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter();
        let mut normals: Vec<Vec3> = sides.flat_map(|side| [side, -side]).collect();
        for _ in 0..CUTS {
            normals.push(random_in_unit(rng, false).normalize_or(Vec3::X));
        }
        let facets = normals.into_iter().map(|normal| {
            let normal = (normal + 0.35 * random_in_unit(rng, false)).normalize_or(Vec3::X);
            // The ellipsoid reaches as far along the normal.
            let reach = (axes * normal).length();
            (normal, reach * rng.random_range(0.74..1.0))
        });
        Self(facets.collect())
    }

    /// Distance of a point inside from the surface.
    fn depth(&self, point: Vec3) -> f32 {
        let depths = self.0.iter().map(|(n, h)| h - n.dot(point));
        depths.fold(f32::INFINITY, f32::min)
    }

    /// Distance of the surface from the origin.
    fn reach(&self, direction: Vec3) -> f32 {
        let reaches = self.0.iter().map(|(n, h)| {
            let slope = n.dot(direction);
            if slope > 1e-6 {
                h / slope
            } else {
                f32::INFINITY
            }
        });
        reaches.fold(f32::INFINITY, f32::min)
    }
}

/// Depth of a point in a ball; below zero outside.
fn depth_in((center, radius): (Vec3, f32), point: Vec3) -> f32 {
    radius - center.distance(point)
}

impl Stone {
    /// A random stone of about the half length `size` in m, filled with at most `count` balls. `sphere` says how exactly its
    /// volume is found.
    pub fn random(rng: &mut impl Rng, size: f32, count: usize, sphere: &Sphere) -> Self {
        let facets = Facets::random(rng);
        let mut balls = fill(&facets, rng, count);
        for (center, radius) in &mut balls {
            *center *= size;
            *radius *= size;
        }
        let mass: f32 = balls.iter().map(|ball| weight(*ball)).sum();
        let moment: Vec3 = balls.iter().map(|ball| weight(*ball) * ball.0).sum();
        for (center, _) in &mut balls {
            *center -= moment / mass;
        }
        let volume = sphere.volume(&outline(&sphere.directions, &balls));
        Self { balls, volume }
    }

    /// The same stone in the size at which it has this volume in m³.
    pub fn with_volume(mut self, volume: f64) -> Self {
        let factor = (volume / self.volume).cbrt() as f32;
        for (center, radius) in &mut self.balls {
            *center *= factor;
            *radius *= factor;
        }
        self.volume = volume;
        self
    }

    /// Radius in m of the ball about the centre of mass that holds it.
    pub fn reach(&self) -> f32 {
        let reaches = self.balls.iter().map(|(center, r)| center.length() + r);
        reaches.fold(0.0, f32::max)
    }

    /// The masses of its balls in kg, which share its mass by their volumes.
    pub fn masses(&self, density: f64) -> impl Iterator<Item = f64> {
        let all: f64 = self.balls.iter().map(|ball| f64::from(weight(*ball))).sum();
        let share = density * self.volume / all;
        let balls = self.balls.iter();
        balls.map(move |ball| share * f64::from(weight(*ball)))
    }

    /// Inertia about the centre of mass, in its own axes, in kg·m².
    pub fn inertia(&self, density: f64) -> DMat3 {
        let balls = self.masses(density).zip(&self.balls);
        balls.fold(DMat3::ZERO, |sum, (m, (center, radius))| {
            let x: DVec3 = center.as_dvec3();
            // Huygens and Steiner.
            sum + Rock::ball_inertia(m, f64::from(*radius))
                + DMat3::from_diagonal(DVec3::splat(m * x.length_squared()))
                - DMat3::from_cols(m * x.x * x, m * x.y * x, m * x.z * x)
        })
    }
}

/// What a ball has of the mass of its stone.
fn weight((_, radius): (Vec3, f32)) -> f32 {
    radius * radius * radius
}

/// Fills a solid with balls. The first is about its middle. Each further one covers, as well as one ball can, the place that the balls
/// so far have missed by most. All overlap with the first: from there one sees the whole surface.
fn fill(facets: &Facets, rng: &mut impl Rng, count: usize) -> Vec<(Vec3, f32)> {
    const PLACES: usize = 160;
    const STEPS: usize = 16;
    /// Nobody sees a gap of this size.
    const SMALL: f32 = 0.012;
    let first = (Vec3::ZERO, facets.depth(Vec3::ZERO));
    // For a place at the surface: the largest ball, on the way from it to the middle, that covers it, or else the nearest.
    let cover = |place: Vec3| {
        let on_way = (0..=STEPS).map(|k| {
            let center = place * (k as f32 / STEPS as f32);
            (center, facets.depth(center))
        });
        let fits = |&(center, radius): &(Vec3, f32)| {
            radius >= SMALLEST && center.length() <= radius + 0.8 * first.1
        };
        let depth = |ball: &(Vec3, f32)| depth_in(*ball, place);
        let nearer = |a: (Vec3, f32), b: (Vec3, f32)| {
            let (of_a, of_b) = (depth(&a), depth(&b));
            let is_better = match of_a >= 0.0 && of_b >= 0.0 {
                true => b.1 > a.1,
                false => of_b > of_a,
            };
            if is_better { b } else { a }
        };
        on_way.filter(fits).reduce(nearer)
    };
    let places = (0..PLACES).map(|_| {
        let direction = random_in_unit(rng, false).normalize_or(Vec3::X);
        direction * facets.reach(direction) * rng.random_range(0.85..1.0)
    });
    let mut places: Vec<(Vec3, (Vec3, f32), f32)> = places
        .filter_map(|place| Some((place, cover(place)?, depth_in(first, place))))
        .collect();
    let mut balls = vec![first];
    while balls.len() < count {
        let gain = |&(place, ball, covered): &(Vec3, (Vec3, f32), f32)| {
            depth_in(ball, place).min(0.0) - covered.min(0.0)
        };
        let best = places.iter().max_by(|a, b| gain(a).total_cmp(&gain(b)));
        let Some(&best) = best.filter(|best| balls.len() < *BALLS.start() || gain(best) > SMALL)
        else {
            break;
        };
        balls.push(best.1);
        for (place, _, covered) in &mut places {
            *covered = covered.max(depth_in(best.1, *place));
        }
    }
    balls
}
