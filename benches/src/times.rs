//! Times of steps: worlds that are timed in turn, and what is said of the times.

use std::time::Instant;

/// Times of the steps of a world, in ms.
#[derive(Clone, Debug)]
pub struct Times {
    sorted: Vec<f64>,
}

impl Times {
    /// Of steps in any order; at least one.
    pub fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { sorted: times }
    }

    /// The time that this part of the steps does not exceed.
    pub fn at(&self, part: f64) -> f64 {
        self.sorted[(part * (self.sorted.len() - 1) as f64) as usize]
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.sorted[self.sorted.len() / 2]
    }

    /// The longest.
    pub fn worst(&self) -> f64 {
        self.at(1.0)
    }
}

/// A step of a world.
pub type Step<'a> = &'a mut dyn FnMut();

/// Times worlds in turn, step by step, so that a busy machine slows all alike. From each time that of a step of `nothing` is taken.
pub fn in_turn(nothing: Step, worlds: &mut [Step], steps: usize) -> Vec<Times> {
    let mut times = vec![Vec::new(); worlds.len()];
    for _ in 0..steps {
        let least = step_ms(nothing);
        for (world, times) in worlds.iter_mut().zip(&mut times) {
            times.push(step_ms(*world) - least);
        }
    }
    times.into_iter().map(Times::new).collect()
}

/// The time of a step in ms.
pub fn step_ms(step: Step) -> f64 {
    let start = Instant::now();
    step();
    1e3 * start.elapsed().as_secs_f64()
}
