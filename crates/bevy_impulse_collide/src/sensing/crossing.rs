//! The times at which a gap opens and closes.

use super::gap::Encounter;

/// Steps after which the tolerance doubles. A body that goes on along the surface of a sensor would need very many steps.
const STEPS_PER_DOUBLING: i32 = 16;

/// Bisections of the time of a crossing: to a ten-millionth of a step of the search.
const BISECTIONS: u32 = 24;

/// Where a search along a way has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Inside,
    Outside,
}

/// Finds the crossings between `from` and `to` seconds into the substep, and hands each time and new side to `cross`. Returns the
/// side at the end.
///
/// A gap g that changes no faster than V stays open, or closed, for |g|/V. So the search goes on by such steps. Source: B. Mirtich,
/// Impulse-based dynamic simulation of rigid body systems (1996), 2.3.2: conservative advancement. A body crosses when the gap is
/// larger than the tolerance on the other side: a body that stays on the surface does not enter and leave all the time. A visit
/// that is shorter than the tolerance is not seen.
pub(super) fn find_crossings(
    encounter: &Encounter,
    (from, to): (f32, f32),
    mut side: Side,
    mut cross: impl FnMut(f32, Side),
) -> Side {
    let (fastest, least) = (encounter.fastest(), encounter.tolerance());
    let side_of = |gap: f32, before: Side| match before {
        Side::Inside if gap > least => Side::Outside,
        Side::Outside if gap < -least => Side::Inside,
        same => same,
    };
    let (mut s, mut gap) = (from, encounter.gap(from));
    let at_start = side_of(gap, side);
    if at_start != side {
        side = at_start;
        cross(s, side);
    }
    let mut steps = 0;
    while s < to {
        let tolerance = least * libm::ldexpf(1.0, steps / STEPS_PER_DOUBLING);
        let way = gap.abs().max(tolerance);
        steps += 1;
        // A gap without bounds, or bodies at rest: no crossing on the way.
        let end = s + way / fastest;
        let next = if end < to { end.max(s.next_up()) } else { to };
        gap = encounter.gap(next);
        let after = side_of(gap, side);
        if after != side {
            cross(first_time(encounter, (s, next), side), after);
            side = after;
        }
        s = next;
    }
    side
}

/// The time at which the gap is zero between two times, from a `side` to the other one.
fn first_time(encounter: &Encounter, (mut low, mut high): (f32, f32), side: Side) -> f32 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        let is_outside = encounter.gap(middle) > 0.0;
        if is_outside == (side == Side::Outside) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
