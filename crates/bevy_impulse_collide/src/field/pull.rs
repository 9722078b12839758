//! Direct sums: the attraction of bodies by bodies, pair by pair, in vector lanes.

use std::ops::Range;

use multiversion::multiversion;

/// Number of partial sums of a direct sum. It changes the result, so it does not depend on the vectors of the processor. The
/// bits do not depend on them either, because no version below fuses a multiplication with an addition.
pub(super) const LANES: usize = 16;

/// Bodies in units of the scene, one array a quantity. Bodies without mass fill the last lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedBodies {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    mass: Vec<f32>,
    radius: Vec<f32>,
}

/// A body in units of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointMass {
    pub x: [f32; 3],
    pub mass: f32,
    pub radius: f32,
    /// Index of the body in the caller's arrays.
    pub index: u32,
}

impl PackedBodies {
    pub fn fill(&mut self, bodies: &[PointMass]) {
        let Self {
            x,
            y,
            z,
            mass,
            radius,
        } = self;
        let len = bodies.len().next_multiple_of(LANES);
        for (array, value, filler) in [
            (x, (|b| b.x[0]) as fn(&PointMass) -> f32, 0.0),
            (y, |b| b.x[1], 0.0),
            (z, |b| b.x[2], 0.0),
            (mass, |b| b.mass, 0.0),
            // The radius bounds the distance from a filler to a body at the same point from below.
            (radius, |b| b.radius, 1.0),
        ] {
            array.clear();
            array.extend(bodies.iter().map(value));
            array.resize(len, filler);
        }
    }

    pub fn position(&self, i: usize) -> [f32; 3] {
        [self.x[i], self.y[i], self.z[i]]
    }
}

/// Sum of the lanes: adds halves until one lane remains.
#[inline(always)]
fn sum(mut lanes: [f32; LANES]) -> f32 {
    let mut n = LANES;
    while n > 1 {
        n /= 2;
        for l in 0..n {
            lanes[l] += lanes[l + n];
        }
    }
    lanes[0]
}

/// Calls `found` with the acceleration of each body in `targets` by all bodies in `sources`. `sources` are ranges of whole lanes.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw+avx2", "x86_64+avx2"))]
pub(super) fn pull(
    bodies: &PackedBodies,
    sources: &[Range<usize>],
    targets: Range<usize>,
    softening_squared: f32,
    mut found: impl FnMut(usize, [f32; 3]),
) {
    let x = bodies.x.as_chunks::<LANES>().0;
    let y = bodies.y.as_chunks::<LANES>().0;
    let z = bodies.z.as_chunks::<LANES>().0;
    let mass = bodies.mass.as_chunks::<LANES>().0;
    let radius = bodies.radius.as_chunks::<LANES>().0;
    for i in targets {
        let [x_i, y_i, z_i] = bodies.position(i);
        let radius_i = bodies.radius[i];
        let mut a_x = [0.0; LANES];
        let mut a_y = [0.0; LANES];
        let mut a_z = [0.0; LANES];
        for range in sources {
            let (x, y, z) = (&x[range.clone()], &y[range.clone()], &z[range.clone()]);
            let (mass, radius) = (&mass[range.clone()], &radius[range.clone()]);
            for ((((x, y), z), mass), radius) in x.iter().zip(y).zip(z).zip(mass).zip(radius) {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x[l] - x_i, y[l] - y_i, z[l] - z_i);
                    let d_squared = dx * dx + dy * dy + dz * dz;
                    let reach = radius[l] + radius_i;
                    let reach_squared = reach * reach;
                    let nearest = if d_squared > reach_squared {
                        d_squared
                    } else {
                        reach_squared
                    };
                    let s_squared = nearest + softening_squared;
                    let pull = mass[l] / (s_squared * s_squared.sqrt());
                    a_x[l] += dx * pull;
                    a_y[l] += dy * pull;
                    a_z[l] += dz * pull;
                }
            }
        }
        found(i, [sum(a_x), sum(a_y), sum(a_z)]);
    }
}
