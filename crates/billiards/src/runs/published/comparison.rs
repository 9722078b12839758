//! Published figures, and the game's.

use serde::Serialize;

/// Curves of one figure over another.
#[derive(Serialize, Clone, Debug)]
pub struct Comparison {
    /// What it shows.
    pub title: &'static str,
    /// Who published the figures, and whether they were measured or computed.
    pub source: &'static str,
    /// What the curves run over, with its unit.
    pub over: &'static str,
    /// What the curves show, with its unit.
    pub of: &'static str,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One curve.
#[derive(Serialize, Clone, Debug)]
pub struct Curve {
    /// What it is of.
    pub name: &'static str,
    /// Its points.
    pub points: Vec<Point>,
    /// The greatest distance between both, over the greatest published value.
    pub worst: f64,
    /// The mean distance, over the same.
    pub mean: f64,
}

/// The published value and the game's.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Point {
    /// Where.
    pub at: f64,
    /// The published value.
    pub published: f64,
    /// The game's.
    pub ours: f64,
}

impl Curve {
    /// A curve through these points.
    pub fn new(name: &'static str, points: Vec<Point>) -> Self {
        // A value that is missing is NaN, and so is the greatest one then.
        let greatest = |of: &dyn Fn(&Point) -> f64| {
            let values = points.iter().map(of);
            values.fold(
                0.0,
                |most: f64, x| {
                    if most.is_nan() || x <= most { most } else { x }
                },
            )
        };
        let off = |point: &Point| (point.ours - point.published).abs();
        let scale = greatest(&|point| point.published.abs());
        let sum: f64 = points.iter().map(off).sum();
        Self {
            name,
            worst: greatest(&off) / scale,
            mean: sum / points.len() as f64 / scale,
            points,
        }
    }
}
