//! The vector instructions that a step may use.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use fearless_simd::Level;

/// Sets of vector instructions, from the plainest to the best.
///
/// A step ends in the same bits with all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLimit {
    /// The set that every processor of this kind has: SSE2 on x86-64.
    Baseline,
    /// SSE4.2 at most.
    Sse4_2,
    /// AVX2 at most.
    Avx2,
    /// The best set that this processor has.
    Best,
}

impl SimdLimit {
    /// All limits.
    pub const ALL: [Self; 4] = [Self::Baseline, Self::Sse4_2, Self::Avx2, Self::Best];

    /// Limits the instructions of the contact and projection stages, for all apps of this process, from now on. It is for tests:
    /// to compare the bits, or the speed.
    ///
    /// ```
    /// use bevy_impulse_collide::solver::SimdLimit;
    ///
    /// SimdLimit::Baseline.set();
    /// # SimdLimit::Best.set();
    /// ```
    pub fn set(self) {
        LIMIT.store(self as u8, Relaxed);
    }
}

static LIMIT: AtomicU8 = AtomicU8::new(SimdLimit::Best as u8);

/// The instructions to use: the best that this processor has, up to the limit.
pub(super) fn level() -> Level {
    let best = Level::new();
    let limit = LIMIT.load(Relaxed);
    if limit == SimdLimit::Best as u8 {
        return best;
    }
    up_to(best, limit).unwrap_or(Level::baseline())
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn up_to(best: Level, limit: u8) -> Option<Level> {
    let avx2 = (limit >= SimdLimit::Avx2 as u8)
        .then(|| best.as_avx2())
        .flatten();
    let sse4_2 = (limit >= SimdLimit::Sse4_2 as u8)
        .then(|| best.as_sse4_2())
        .flatten();
    let sse2 = best.as_sse2().map(Level::Sse2);
    avx2.map(Level::Avx2).or(sse4_2.map(Level::Sse4_2)).or(sse2)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn up_to(_best: Level, _limit: u8) -> Option<Level> {
    None
}
