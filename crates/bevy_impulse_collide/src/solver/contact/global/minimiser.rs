//! Minimises a quadratic function within bounds by conjugate gradients, with the directions of E. Polak and G. Ribière (1969). They
//! use the gradient without the components that point out of the bounds. A step that leaves the bounds is brought back to them.

use super::system::{PER_TASK, System};
use crate::parallel::for_each;

/// Number of partial sums side by side.
const LANES: usize = 8;

/// Buffers of the search, kept to avoid allocation.
#[derive(Debug, Default)]
pub(super) struct Minimiser {
    /// Gradient of the function at the impulses: K·λ + v.
    gradient: Vec<f32>,
    /// The gradient without the components that point out of the bounds: zero at the minimum.
    residual: Vec<f32>,
    direction: Vec<f32>,
    /// K times the direction.
    product: Vec<f32>,
    along: Vec<Along>,
    sums: Vec<Sums>,
}

/// The function along the direction p: ⟨p, K·p⟩, ⟨p, gradient⟩, and the greatest step length within the bounds.
#[derive(Clone, Copy, Debug)]
struct Along {
    curvature: f64,
    slope: f64,
    room: f32,
}

impl Along {
    const NONE: Self = Self {
        curvature: 0.0,
        slope: 0.0,
        room: f32::INFINITY,
    };
}

/// Sums at the present impulses.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Twice the function.
    value: f64,
    /// The residual's square, and the product of the residual with its change.
    square: f64,
    change: f64,
}

impl Minimiser {
    /// Minimises ½·λᵀKλ + vᵀλ within the bounds, from the present impulses, until the residual is at most `tolerance` times the
    /// residual without impulses. Returns the number of products with K, at most `most` + 2.
    pub fn minimise(&mut self, system: &mut System, tolerance: f32, most: u32) -> u32 {
        let unknowns = system.len();
        self.resize(unknowns);
        let without = square_without_impulses(system);
        if without == 0.0 {
            system.impulses.fill(0.0);
            return 0;
        }
        let small_enough = without * f64::from(tolerance) * f64::from(tolerance);

        system.bring_within_bounds();
        self.find_gradient(system);
        let mut sums = self.look_round(system);
        self.turn_direction(system, 0.0);
        let mut products = 1;
        while sums.square > small_enough && products < most {
            let along = self.multiply_direction(system);
            products += 1;
            let length = ratio(along.slope, along.curvature);
            let leaves_bounds = length > along.room;
            self.advance(system, length);
            if leaves_bounds {
                self.find_gradient(system);
                products += 1;
            }
            let before = sums;
            sums = self.look_round(system);
            if leaves_bounds && sums.value > before.value {
                // Bringing the step back to the bounds cost more than the step gained. A short step down the gradient always gains.
                self.step_down(system);
                self.find_gradient(system);
                products += 1;
                sums = self.look_round(system);
                self.turn_direction(system, 0.0);
            } else {
                self.turn_direction(system, ratio(sums.change, before.square).max(0.0));
            }
        }
        products
    }

    fn resize(&mut self, unknowns: usize) {
        let vectors = [
            &mut self.gradient,
            &mut self.residual,
            &mut self.direction,
            &mut self.product,
        ];
        for vector in vectors {
            vector.clear();
            vector.resize(unknowns, 0.0);
        }
        let tasks = unknowns.div_ceil(PER_TASK);
        self.sums.resize(tasks, Sums::default());
        self.along.resize(tasks, Along::NONE);
    }

    /// Computes the gradient from scratch.
    fn find_gradient(&mut self, system: &mut System) {
        let impulses = std::mem::take(&mut system.impulses);
        let velocities = std::mem::take(&mut system.velocities);
        let nothing = &mut self.sums;
        system.multiply(
            &impulses,
            &mut self.gradient,
            nothing,
            |first, gradient, _| {
                for (gradient, v) in gradient.iter_mut().zip(&velocities[first..]) {
                    *gradient += v;
                }
            },
        );
        (system.impulses, system.velocities) = (impulses, velocities);
    }

    /// Multiplies K by the direction. Returns the function along it.
    fn multiply_direction(&mut self, system: &mut System) -> Along {
        let (impulses, bounds) = (
            std::mem::take(&mut system.impulses),
            std::mem::take(&mut system.bounds),
        );
        let Self {
            gradient,
            direction,
            product,
            along,
            ..
        } = self;
        system.multiply(direction, product, along, |first, product, along| {
            let run = first..first + product.len();
            let (direction, gradient) = (&direction[run.clone()], &gradient[run.clone()]);
            let (impulses, bounds) = (&impulses[run.clone()], &bounds[run]);
            let mut lanes = [[0.0f32; LANES]; 2];
            let mut room = [f32::INFINITY; LANES];
            for (k, product) in product.iter().enumerate() {
                let (p, [lower, upper], lane) = (direction[k], bounds[k], k % LANES);
                lanes[0][lane] += p * product;
                lanes[1][lane] += p * gradient[k];
                let bound = if p > 0.0 { lower } else { upper };
                let way = (impulses[k] - bound) / p;
                room[lane] = if p == 0.0 {
                    room[lane]
                } else {
                    room[lane].min(way)
                };
            }
            let [curvature, slope] = lanes.map(|lanes| lanes.map(f64::from).iter().sum());
            *along = Along {
                curvature,
                slope,
                room: room.into_iter().fold(f32::INFINITY, f32::min),
            };
        });
        (system.impulses, system.bounds) = (impulses, bounds);
        // In the order of the tasks, so that threads make no difference.
        along.iter().fold(Along::NONE, |a, b| Along {
            curvature: a.curvature + b.curvature,
            slope: a.slope + b.slope,
            room: a.room.min(b.room),
        })
    }

    /// Goes `length` against the direction, and back to the bounds if need be. The new gradient is right if no bound was crossed.
    fn advance(&mut self, system: &mut System, length: f32) {
        let Self {
            gradient,
            direction,
            product,
            ..
        } = self;
        let bounds = &system.bounds;
        let runs = system.impulses.chunks_mut(PER_TASK);
        let runs = runs.zip(gradient.chunks_mut(PER_TASK)).enumerate();
        for_each(runs, |(chunk, (impulses, gradient))| {
            let numbers = impulses.iter_mut().zip(gradient);
            for (k, (x, g)) in (chunk * PER_TASK..).zip(numbers) {
                *x = within(*x - length * direction[k], bounds[k]);
                *g -= length * product[k];
            }
        });
    }

    /// A step down the gradient, so short that it overshoots nowhere.
    fn step_down(&mut self, system: &mut System) {
        let length = system.largest_eigenvalue.recip();
        for (k, x) in system.impulses.iter_mut().enumerate() {
            *x = within(*x - length * self.gradient[k], system.bounds[k]);
        }
    }

    /// Finds the residual at the present impulses.
    fn look_round(&mut self, system: &System) -> Sums {
        let Self {
            gradient,
            residual,
            sums,
            ..
        } = self;
        let runs = residual.chunks_mut(PER_TASK).zip(&mut *sums).enumerate();
        for_each(runs, |(chunk, (residual, sums))| {
            let run = chunk * PER_TASK..chunk * PER_TASK + residual.len();
            let (impulses, gradient) = (&system.impulses[run.clone()], &gradient[run.clone()]);
            let (velocities, bounds) = (&system.velocities[run.clone()], &system.bounds[run]);
            // With partial sums side by side, the compiler can use SIMD.
            let mut lanes = [[0.0f32; LANES]; 3];
            for (k, residual) in residual.iter_mut().enumerate() {
                let (x, g) = (impulses[k], gradient[k]);
                let new = inwards(x, g, bounds[k]);
                let lane = k % LANES;
                lanes[0][lane] += x * (g + velocities[k]);
                lanes[1][lane] += new * new;
                lanes[2][lane] += new * (new - *residual);
                *residual = new;
            }
            let [value, square, change] = lanes.map(|lanes| lanes.map(f64::from).iter().sum());
            *sums = Sums {
                value,
                square,
                change,
            };
        });
        sums.iter().fold(Sums::default(), |a, b| Sums {
            value: a.value + b.value,
            square: a.square + b.square,
            change: a.change + b.change,
        })
    }

    /// The next direction: the residual plus `turn` times the last direction, without components that would leave the bounds at
    /// once.
    fn turn_direction(&mut self, system: &System, turn: f32) {
        let residual = &self.residual;
        let runs = self.direction.chunks_mut(PER_TASK).enumerate();
        for_each(runs, |(chunk, direction)| {
            for (k, direction) in (chunk * PER_TASK..).zip(direction) {
                let next = residual[k] + turn * *direction;
                *direction = inwards(system.impulses[k], next, system.bounds[k]);
            }
        });
    }
}

impl System {
    fn bring_within_bounds(&mut self) {
        for (x, bounds) in self.impulses.iter_mut().zip(&self.bounds) {
            *x = within(*x, *bounds);
        }
    }
}

fn within(x: f32, [lower, upper]: [f32; 2]) -> f32 {
    x.max(lower).min(upper)
}

/// A gradient's or direction's component `p` at `x`, or zero if a step against it would leave the bounds.
#[inline]
fn inwards(x: f32, p: f32, [lower, upper]: [f32; 2]) -> f32 {
    let points_out = ((x <= lower) & (p > 0.0)) | ((x >= upper) & (p < 0.0));
    if points_out { 0.0 } else { p }
}

/// Square of the residual without impulses.
fn square_without_impulses(system: &System) -> f64 {
    let velocities = system.velocities.iter().zip(&system.bounds);
    let residuals = velocities.map(|(&v, &bounds)| f64::from(inwards(0.0, v, bounds)));
    residuals.map(|residual| residual * residual).sum()
}

fn ratio(a: f64, b: f64) -> f32 {
    if b > 0.0 { (a / b) as f32 } else { 0.0 }
}
