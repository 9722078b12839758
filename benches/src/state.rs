//! Measurements of the bodies of any engine.

use bevy_impulse_collide::kernel::closest_segment_points;
use serde::{Deserialize, Serialize};

use crate::scene::{Body, Scene};

/// Gap over the smaller radius up to which a pair counts as touching.
const TOUCH: f32 = 1e-3;

/// How well the bodies lie.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Pairs of bodies, and of a body and a half-space, that overlap or are within a thousandth of the smaller radius.
    pub touching: usize,
    /// Mean over the touching pairs of the depth over the smaller radius; a gap is a depth of 0.
    pub overlap_mean: f64,
    /// Largest depth over the smaller radius.
    pub overlap_max: f64,
    /// Bodies whose centre is in a half-space.
    pub outside: usize,
}

/// Root of the mean square of the speeds, in m/s.
pub fn rms_speed(bodies: &[Body]) -> f64 {
    let squares = bodies
        .iter()
        .map(|body| body.velocity.as_dvec3().length_squared());
    (squares.sum::<f64>() / bodies.len() as f64).sqrt()
}

impl State {
    /// Measures the bodies' positions and velocities alone, without the engine's own contacts.
    pub fn of(scene: &Scene, bodies: &[Body]) -> Self {
        let mut state = Self::default();
        let mut sum = 0.0;
        let mut touch = |gap: f32, radius: f32| {
            if gap <= TOUCH * radius {
                let depth = f64::from((-gap / radius).max(0.0));
                state.touching += 1;
                state.overlap_max = state.overlap_max.max(depth);
                sum += depth;
            }
        };
        for body in bodies {
            let radius = body.shape.radius;
            let mut is_outside = false;
            for solid in &scene.half_spaces {
                let height = (body.position - solid.point).dot(solid.normal);
                is_outside |= height < 0.0;
                touch(
                    height - body.half().dot(solid.normal).abs() - radius,
                    radius,
                );
            }
            state.outside += usize::from(is_outside);
        }
        for_near_pairs(bodies, |a, b| {
            touch(gap(a, b), a.shape.radius.min(b.shape.radius))
        });
        state.overlap_mean = sum / state.touching.max(1) as f64;
        state
    }
}

/// Distance of the surfaces of two bodies, in m; below zero if they overlap.
fn gap(a: &Body, b: &Body) -> f32 {
    let (half_a, half_b) = (a.half(), b.half());
    let (s, t) = closest_segment_points(a.position, half_a, b.position, half_b);
    let (on_a, on_b) = (a.position + half_a * s, b.position + half_b * t);
    on_a.distance(on_b) - a.shape.radius - b.shape.radius
}

/// Calls `visit` for all pairs whose extents along x, grown by the touch distance, meet: a sweep.
fn for_near_pairs(bodies: &[Body], mut visit: impl FnMut(&Body, &Body)) {
    let reach = |body: &Body| body.shape.radius * (1.0 + TOUCH) + body.half().x.abs();
    let start = |body: &Body| body.position.x - reach(body);
    let mut sorted = bodies.to_vec();
    sorted.sort_by(|a, b| start(a).total_cmp(&start(b)));
    for (i, a) in sorted.iter().enumerate() {
        let end = a.position.x + reach(a);
        for b in sorted[i + 1..].iter().take_while(|b| start(b) <= end) {
            visit(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::{Quat, Vec3};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::scene::{DENSITY, SceneKind, Shape};

    /// Points along a body's axis.
    fn core(body: &Body) -> impl Iterator<Item = Vec3> {
        let half = body.half();
        let position = body.position;
        (-50..=50).map(move |i| position + half * (i as f32 / 50.0))
    }

    #[test]
    fn sweep_finds_what_all_pairs_hold() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let bodies: Vec<Body> = (0..300)
            .map(|i| Body {
                shape: Shape {
                    radius: rng.random_range(0.01..0.3),
                    length: if i % 2 == 0 { 0.0 } else { 0.4 },
                    density: DENSITY,
                },
                position: Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0))),
                rotation: Quat::from_rotation_z(i as f32),
                velocity: Vec3::ZERO,
            })
            .collect();
        let meet = |a: &Body, b: &Body| gap(a, b) <= 0.0;
        let mut all = 0;
        for (i, a) in bodies.iter().enumerate() {
            all += bodies[i + 1..].iter().filter(|b| meet(a, b)).count();
        }
        let mut swept = 0;
        for_near_pairs(&bodies, |a, b| swept += usize::from(meet(a, b)));
        assert!(all > 100);
        assert_eq!(swept, all);
    }

    #[test]
    fn gaps_are_those_of_the_nearest_points() {
        let kind = SceneKind {
            capsules: true,
            ..SceneKind::default()
        };
        let bodies = Scene::new(64, kind).bodies;
        for (a, b) in bodies.iter().zip(&bodies[1..]) {
            let distances = core(a).flat_map(|p| core(b).map(move |q| p.distance(q)));
            let nearest = distances.fold(f32::INFINITY, f32::min);
            let expected = nearest - a.shape.radius - b.shape.radius;
            assert!((gap(a, b) - expected).abs() < 1e-3 * a.shape.radius);
        }
    }

    #[test]
    fn scenes_start_clear_of_each_other_and_of_the_walls() {
        for choice in 0..8 {
            let kind = SceneKind {
                capsules: choice & 1 > 0,
                polydisperse: choice & 2 > 0,
                pour: choice & 4 > 0,
                ..SceneKind::default()
            };
            let scene = Scene::new(2000, kind);
            assert_eq!(scene.bodies.len(), 2000);
            let state = State::of(&scene, &scene.bodies);
            assert_eq!((state.touching, state.outside), (0, 0), "{kind:?}");
        }
    }

    #[test]
    fn depth_is_told_over_the_smaller_radius() {
        let scene = Scene {
            bodies: Vec::new(),
            ..Scene::new(1000, SceneKind::default())
        };
        let ball = |radius, y| Body {
            shape: Shape {
                radius,
                length: 0.0,
                density: DENSITY,
            },
            position: Vec3::Y * y,
            rotation: Quat::IDENTITY,
            velocity: Vec3::Y * 2.0,
        };
        // One is 1 mm into the floor, the other 3 mm into the first.
        let balls = [ball(0.1, 0.099), ball(0.05, 0.246)];
        let state = State::of(&scene, &balls);
        assert_eq!(state.touching, 2);
        assert!((state.overlap_max - 0.06).abs() < 1e-5);
        assert!((state.overlap_mean - 0.035).abs() < 1e-5);
        assert!((rms_speed(&balls) - 2.0).abs() < 1e-12);
    }
}
