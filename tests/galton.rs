//! A Galton board: balls that fall through rows of pegs fill the bins as a binomial law says.
//!
//! A ball that passes a row decides at the peg below its gap: left or right. The law B(n, 1/2) needs decisions that do not depend
//! on each other. So a ball has to forget, from one row to the next, on which side it came. It forgets if it bounces many times
//! between the pegs: at each bounce on a round peg, two ways that differ a little part further.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::{
    prelude::RngExt,
    test_runner::{RngAlgorithm, TestRng},
};
use std::f32::consts::FRAC_PI_2;

/// Distance between two pegs of a row in m.
const PITCH: f32 = 0.04;

/// Distance between two rows in m. Pegs of rows below each other are as far from each other as pegs of a row, within a tenth.
const ROW: f32 = 0.82 * PITCH;

/// Radius of a peg and of a ball in m. The gap between two pegs is a tenth wider than the ball.
const PEG: f32 = 0.009;
const BALL: f32 = 0.01;

const ROWS: usize = 20;

/// Distance between two balls along the pegs in m: they do not touch.
const APART: f32 = 2.5 * BALL;

/// The ways of all balls.
struct Board {
    /// For each ball: twice the number of pitches from the middle at which it passed each row.
    gaps: Vec<Vec<i32>>,
}

impl Board {
    /// Lets smooth balls of this restitution fall, each in its own plane.
    fn play(balls: usize, e: f32) -> Self {
        let mut app = awake(240.0);
        // Every impact is resolved.
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .impacts_per_substep = 10.0;
        let material = (Restitution(e), Friction(0.0));
        let length = balls as f32 * APART;
        app.world_mut().spawn((pegs(length), material));
        let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
        let balls: Vec<Entity> = (0..balls)
            .map(|k| {
                let part = rng.random_range(-0.5..0.5f32);
                let at = Vec3::new(
                    0.1 * PITCH * part,
                    PEG + BALL + 0.3 * PITCH,
                    (k as f32 + 0.5) * APART - 0.5 * length,
                );
                let ball = (
                    Particle::new(BALL),
                    material,
                    Transform::from_translation(at),
                );
                app.world_mut().spawn(ball).id()
            })
            .collect();
        let mut gaps = vec![Vec::with_capacity(ROWS); balls.len()];
        let mut passed = 0;
        while passed < balls.len() {
            steps(&mut app, 1);
            for (gaps, &ball) in gaps.iter_mut().zip(&balls) {
                let row = gaps.len();
                let x = position(&app, ball);
                if row < ROWS && x.y < -(row as f32) * ROW {
                    let first = 0.5 * (row % 2) as f32;
                    let gap = (x.x / PITCH - first).floor() + first + 0.5;
                    gaps.push((2.0 * gap).round() as i32);
                    passed += usize::from(row + 1 == ROWS);
                }
            }
        }
        Self { gaps }
    }

    /// The decision of a ball at a row: −1 to the left, +1 to the right.
    fn decisions(gaps: &[i32]) -> impl Iterator<Item = i32> {
        let before = std::iter::once(&0).chain(gaps);
        gaps.iter().zip(before).map(|(gap, before)| gap - before)
    }

    /// The mean product of decisions of the same ball that are this number of rows apart: 0 if they do not depend on each other.
    fn correlation(&self, rows: usize) -> f64 {
        let products = self.gaps.iter().flat_map(|gaps| {
            let decisions: Vec<i32> = Self::decisions(gaps).collect();
            let products = decisions.iter().zip(&decisions[rows..]).map(|(a, b)| a * b);
            products.collect::<Vec<_>>()
        });
        let (sum, n) = products.fold((0, 0), |(sum, n), product| (sum + product, n + 1));
        f64::from(sum) / f64::from(n)
    }

    /// The part of the decisions in which a ball jumped over a peg.
    fn jumps(&self) -> f64 {
        let decisions = self.gaps.iter().flat_map(|gaps| Self::decisions(gaps));
        let jumps = decisions.filter(|decision| decision.abs() != 1).count();
        jumps as f64 / (self.gaps.len() * ROWS) as f64
    }

    /// The chance that balls of the binomial law differ as much from it as these, by Pearson's test. Bins in which fewer than five
    /// balls are expected are joined.
    fn chance(&self) -> f64 {
        let n = self.gaps.len() as f64;
        let mut bins = vec![0.0; ROWS + 1];
        for gaps in &self.gaps {
            let right = (gaps[ROWS - 1] + ROWS as i32) / 2;
            bins[right.clamp(0, ROWS as i32) as usize] += 1.0;
        }
        let mut expected = vec![n * 0.5f64.powi(ROWS as i32)];
        for k in 1..=ROWS {
            expected.push(expected[k - 1] * (ROWS + 1 - k) as f64 / k as f64);
        }
        let tail = expected.partition_point(|&expected| expected < 5.0);
        let joined = |counts: &[f64]| -> Vec<f64> {
            let (low, high) = (tail, ROWS - tail);
            let ends = [&counts[..=low], &counts[high..]].map(|end| end.iter().sum());
            let middle = counts[low + 1..high].iter().copied();
            ends.into_iter().chain(middle).collect()
        };
        let (bins, expected) = (joined(&bins), joined(&expected));
        let pairs = bins.iter().zip(&expected);
        let chi_squared: f64 = pairs.map(|(o, e)| (o - e).powi(2) / e).sum();
        let freedom = bins.len() - 1;
        println!("chi² = {chi_squared} with {freedom} degrees of freedom");
        chance_above(chi_squared, freedom)
    }
}

/// The chance of a chi² above x with an even number f of degrees of freedom: exp(−x/2)·Σ (x/2)^k/k! for k < f/2.
fn chance_above(x: f64, freedom: usize) -> f64 {
    assert!(freedom.is_multiple_of(2));
    let mut term = (-0.5 * x).exp();
    let mut sum = term;
    for k in 1..freedom / 2 {
        term *= 0.5 * x / k as f64;
        sum += term;
    }
    sum
}

/// All pegs: cylinders along Z, of this length in m. The first row has its middle peg at the origin.
fn pegs(length: f32) -> Collider {
    let peg = Collider::cylinder(PEG, length);
    let lying = Quat::from_rotation_x(FRAC_PI_2);
    let places: Vec<Isometry3d> = (0..ROWS)
        .flat_map(|row| {
            let half = 2 + row as i32 / 2;
            (-half..=half).map(move |k| {
                let x = (k as f32 + 0.5 * (row % 2) as f32) * PITCH;
                Isometry3d::new(Vec3::new(x, -(row as f32) * ROW, 0.0), lying)
            })
        })
        .collect();
    Collider::compound(places.into_iter().map(|place| (place, &peg)))
}

/// 5,000 smooth balls with e = 0.8 fall as the binomial law says: the chance of a greater chi² is above 1 %. Their decisions are
/// single steps, and those of up to three rows do not depend on each other, within four standard deviations.
#[test]
fn the_bins_fill_as_the_binomial_law_says() {
    let balls = 5000;
    let board = Board::play(balls, 0.8);
    let deviation = 1.0 / ((balls * ROWS) as f64).sqrt();
    for rows in 1..=3 {
        let law = format!("the correlation of decisions {rows} rows apart");
        assert_near(&law, board.correlation(rows), 0.0, 4.0 * deviation);
    }
    assert_near("the part of jumps over a peg", board.jumps(), 0.0, 1e-3);
    let chance = board.chance();
    assert!(chance > 0.01, "the chance of this is {chance}");
}

/// Balls that bounce little (e = 0.5) remember: each ball goes on in a pattern, and the bins do not fill as the binomial law says.
/// So the test above can fail.
#[test]
fn balls_that_bounce_little_remember() {
    let board = Board::play(300, 0.5);
    let correlation = board.correlation(2);
    assert!(correlation.abs() > 0.3, "the correlation is {correlation}");
    let chance = board.chance();
    assert!(chance < 0.01, "the chance of this is {chance}");
}
