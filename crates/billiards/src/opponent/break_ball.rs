//! The last ball before the next rack of straight pool. It should lie beside the rack: then the cue ball runs into the rack when the ball
//! is sunk, and the player goes on.

use bevy::prelude::*;

use super::think::Thinker;
use crate::{
    play::snapshot::Snapshot,
    rules::Discipline,
    table::{
        rack::{in_triangle, triangle_middle},
        spec::TableSpec,
    },
};

/// Value of the best such ball.
const VALUE: f32 = 25.0;
/// With more balls on the table nobody thinks of the next rack.
const FEW: usize = 6;
/// The best place is so far from the middle of the rack, in radii, and any place is as good as none if it is off by so much.
const BESIDE: f32 = 10.0;
const OFF: f32 = 8.0;

impl Thinker {
    /// The value of the balls that are left for the next rack.
    pub(super) fn next_rack(&self, after: &Snapshot) -> f32 {
        let game = after.frame.as_ref().map(|frame| frame.discipline());
        let balls = after.object_balls();
        if !matches!(game, Some(Discipline::StraightPool(_))) || balls.len() > FEW {
            return 0.0;
        }
        let fits = balls.iter().map(|(_, at)| fit(self.table.spec, *at));
        VALUE * fits.fold(0.0, f32::max)
    }
}

/// How well a ball at `at` opens the next rack, from 0 to 1.
fn fit(spec: &TableSpec, at: Vec2) -> f32 {
    if in_triangle(spec, at) {
        return 0.0;
    }
    let far = at.distance(triangle_middle(spec)) / spec.ball.radius;
    let off = (far - BESIDE).abs();
    (1.0 - off / OFF).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::spec::TableKind;

    #[test]
    fn a_ball_beside_the_rack_is_better_than_one_in_it_or_far_away() {
        let spec = TableKind::Pool9.spec();
        let middle = triangle_middle(spec);
        let at = |aside: f32| fit(spec, middle + Vec2::Y * aside * spec.ball.radius);
        assert!(at(BESIDE) > 0.9 && at(BESIDE) > at(BESIDE + 3.0));
        assert_eq!((at(2.0), fit(spec, spec.head_spot())), (0.0, 0.0));
    }
}
