//! Where to put a cue ball in hand.

use bevy::math::Vec2;

use super::planner::{Candidate, Planner, Position, easiest_first};
use crate::{
    rules::{Area, Ball, BallSet},
    table::spec::D_RADIUS,
};

/// Distances from the ghost ball, in metres, and cuts, in radians, at which a pot is tried.
const DISTANCES: [f32; 4] = [0.15, 0.3, 0.5, 0.8];
const CUTS: [f32; 5] = [0.0, 0.25, -0.25, 0.6, -0.6];
/// Places along and across the table where other shots are tried.
const GRID: (u8, u8) = (8, 4);

impl Planner {
    /// For every target and pocket the easiest pot from a place in `area`, the easiest first; if there is none, the
    /// easiest safety or kick. The places are the candidates' [`cue`](Candidate::cue).
    pub fn in_hand(&self, balls: &[(Ball, Vec2)], targets: BallSet, area: Area) -> Vec<Candidate> {
        let aims = balls
            .iter()
            .filter(|(ball, _)| targets.contains(*ball))
            .flat_map(|target| (0..self.layout.pockets.len()).map(move |pocket| (*target, pocket)));
        let pots = aims.filter_map(|(target, pocket)| {
            let shots = self
                .places(target.1, pocket)
                .filter(|cue| self.is_free(*cue, balls, area))
                .filter_map(|cue| self.pot(&Position { cue, balls }, target, pocket).ok());
            shots.max_by(|a, b| a.tolerance.total_cmp(&b.tolerance))
        });
        let pots = easiest_first(pots.collect());
        if !pots.is_empty() {
            return pots;
        }
        let shots = self
            .grid()
            .filter(|cue| self.is_free(*cue, balls, area))
            .flat_map(|cue| self.candidates(&Position { cue, balls }, targets));
        easiest_first(shots.collect()).into_iter().take(1).collect()
    }

    /// Whether the cue ball may be put at `place`.
    pub fn is_free(&self, place: Vec2, balls: &[(Ball, Vec2)], area: Area) -> bool {
        let apart = |(_, at): &(Ball, Vec2)| at.distance(place) > 2.0 * self.layout.radius;
        let in_area = match area {
            Area::Table => true,
            Area::BehindHeadString => place.x < self.layout.head_string,
            Area::D => {
                let from_middle = place - self.layout.baulk;
                from_middle.x <= 0.0 && from_middle.length() <= D_RADIUS
            }
        };
        in_area && self.layout.holds(place) && balls.iter().all(apart)
    }

    /// Places behind a ball at `at`, seen from a pocket.
    fn places(&self, at: Vec2, pocket: usize) -> impl Iterator<Item = Vec2> {
        let radius = self.layout.radius;
        let mouth = self.layout.pockets.get(pocket);
        let window = mouth.and_then(|mouth| mouth.window(at, radius));
        window.into_iter().flat_map(move |window| {
            let ghost = at - 2.0 * radius * window.direction;
            let way = move |cut| Vec2::from_angle(cut).rotate(window.direction);
            CUTS.into_iter()
                .flat_map(move |cut| DISTANCES.map(|distance| ghost - way(cut) * distance))
        })
    }

    fn grid(&self) -> impl Iterator<Item = Vec2> {
        let reach = self.layout.reach();
        let part = |i: u8, of: u8| 2.0 * f32::from(i) / f32::from(of) - 1.0;
        (0..=GRID.0).flat_map(move |i| {
            (0..=GRID.1).map(move |j| Vec2::new(part(i, GRID.0), part(j, GRID.1)) * reach)
        })
    }
}
