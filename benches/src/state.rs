//! What the balls of any engine are measured by.

use serde::{Deserialize, Serialize};

use crate::scene::{Ball, Scene};

/// Gap over the smaller radius up to which a pair counts as touching.
const TOUCH: f32 = 1e-3;

/// How well the balls lie.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Pairs of balls, and of a ball and a half-space, that overlap or are within a thousandth of the smaller radius.
    pub touching: usize,
    /// Mean over the touching pairs of the depth over the smaller radius; a gap is a depth of 0.
    pub overlap_mean: f64,
    /// Largest depth over the smaller radius.
    pub overlap_max: f64,
    /// Root of the mean square of the speeds, in m/s.
    pub rms_speed: f64,
    /// Balls whose centre is in a half-space.
    pub outside: usize,
}

impl State {
    /// From the balls' positions and velocities alone, whatever the engine thinks of its contacts.
    pub fn of(scene: &Scene, balls: &[Ball]) -> Self {
        let mut state = Self::default();
        let squares = balls
            .iter()
            .map(|ball| ball.velocity.as_dvec3().length_squared());
        state.rms_speed = (squares.sum::<f64>() / balls.len() as f64).sqrt();

        let mut sum = 0.0;
        let mut touch = |gap: f32, radius: f32| {
            if gap <= TOUCH * radius {
                let depth = f64::from((-gap / radius).max(0.0));
                state.touching += 1;
                state.overlap_max = state.overlap_max.max(depth);
                sum += depth;
            }
        };
        for ball in balls {
            let heights = scene
                .half_spaces
                .map(|solid| (ball.position - solid.point).dot(solid.normal));
            heights
                .iter()
                .for_each(|height| touch(height - ball.radius, ball.radius));
            state.outside += usize::from(heights.iter().any(|height| *height < 0.0));
        }
        for_near_pairs(balls, |a, b| {
            let gap = a.position.distance(b.position) - a.radius - b.radius;
            touch(gap, a.radius.min(b.radius));
        });
        state.overlap_mean = sum / state.touching.max(1) as f64;
        state
    }
}

/// Calls `visit` for all pairs whose extents along x, grown by what counts as touching, meet: a sweep.
fn for_near_pairs(balls: &[Ball], mut visit: impl FnMut(&Ball, &Ball)) {
    let start = |ball: &Ball| ball.position.x - ball.radius * (1.0 + TOUCH);
    let mut sorted = balls.to_vec();
    sorted.sort_by(|a, b| start(a).total_cmp(&start(b)));
    for (i, a) in sorted.iter().enumerate() {
        let end = a.position.x + a.radius * (1.0 + TOUCH);
        for b in sorted[i + 1..].iter().take_while(|b| start(b) <= end) {
            visit(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec3;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::scene::SceneKind;

    #[test]
    fn sweep_finds_what_all_pairs_hold() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let balls: Vec<Ball> = (0..300)
            .map(|_| Ball {
                radius: rng.random_range(0.01..0.3),
                position: Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0))),
                velocity: Vec3::ZERO,
            })
            .collect();
        let reach = |a: &Ball, b: &Ball| a.position.distance(b.position) <= a.radius + b.radius;
        let mut all = 0;
        for (i, a) in balls.iter().enumerate() {
            all += balls[i + 1..].iter().filter(|b| reach(a, b)).count();
        }
        let mut swept = 0;
        for_near_pairs(&balls, |a, b| swept += usize::from(reach(a, b)));
        assert!(all > 100);
        assert_eq!(swept, all);
    }

    #[test]
    fn scenes_start_clear_of_each_other_and_of_the_walls() {
        for polydisperse in [false, true] {
            for pour in [false, true] {
                let kind = SceneKind {
                    polydisperse,
                    pour,
                    half_spaces: false,
                };
                let scene = Scene::new(2000, kind);
                assert_eq!(scene.balls.len(), 2000);
                let state = State::of(&scene, &scene.balls);
                assert_eq!((state.touching, state.outside), (0, 0), "{kind:?}");
            }
        }
    }

    #[test]
    fn depth_is_told_over_the_smaller_radius() {
        let scene = Scene {
            balls: Vec::new(),
            ..Scene::new(1000, SceneKind::default())
        };
        let ball = |radius, y| Ball {
            radius,
            position: Vec3::Y * y,
            velocity: Vec3::Y * 2.0,
        };
        // One is 1 mm into the floor, the other 3 mm into the first.
        let state = State::of(&scene, &[ball(0.1, 0.099), ball(0.05, 0.246)]);
        assert_eq!(state.touching, 2);
        assert!((state.overlap_max - 0.06).abs() < 1e-5);
        assert!((state.overlap_mean - 0.035).abs() < 1e-5);
        assert!((state.rms_speed - 2.0).abs() < 1e-12);
    }
}
