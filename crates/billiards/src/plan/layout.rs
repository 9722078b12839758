//! The table as a plan sees it: a rectangle with the mouths of pockets.

use bevy::math::Vec2;

use super::path::turn;
use crate::table::{cushion::Cushion, pocket::Pocket, spec::TableSpec};

/// A table. Its centre is the origin, x runs along it towards the foot, y across it.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Half the playing surface, from nose to nose, in metres.
    pub half: Vec2,
    /// Radius of a ball in metres.
    pub radius: f32,
    /// The head string is the line x = this; behind it x is less.
    pub head_string: f32,
    /// The middle of snooker's D, on the baulk line.
    pub baulk: Vec2,
    /// The pockets.
    pub pockets: Vec<Mouth>,
}

/// The way into a pocket.
#[derive(Clone, Copy, Debug)]
pub struct Mouth {
    /// Centre of the hole.
    pub center: Vec2,
    /// Radius of the hole: a ball whose centre comes over it falls.
    pub hole: f32,
    /// The tips of cushion on both sides.
    pub tips: [Vec2; 2],
}

/// The directions in which a ball runs into a pocket without touching a cushion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The middle one, a unit vector.
    pub direction: Vec2,
    /// From there to either end, in radians.
    pub half_width: f32,
    /// How far the ball's centre runs until it is nearest to the hole's centre, in metres.
    pub distance: f32,
}

impl Layout {
    /// A table of these measures. A pocket's mouth is between the two tips of cushion nearest to it.
    pub fn new(spec: &TableSpec, pockets: &[Pocket], cushions: &[Cushion]) -> Self {
        let (half, radius) = (spec.half, spec.ball.radius);
        let mouth = |pocket: &Pocket| {
            let distance = |tip: &Vec2| tip.distance(pocket.center);
            let tips = cushions.iter().flat_map(|cushion| cushion.tips);
            let mut near: Vec<Vec2> = tips.collect();
            near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            let [a, b, ..] = near[..] else {
                return None;
            };
            Some(Mouth {
                center: pocket.center,
                hole: pocket.radius,
                tips: [a, b],
            })
        };
        Self {
            half,
            radius,
            head_string: -0.5 * half.x,
            baulk: Vec2::X * spec.baulk_line(),
            pockets: pockets.iter().filter_map(mouth).collect(),
        }
    }

    /// Half the rectangle that the balls' centres run in.
    pub fn reach(&self) -> Vec2 {
        self.half - self.radius
    }

    /// Whether a ball can lie at `place` without touching a cushion; a frozen one counts.
    pub fn holds(&self, place: Vec2) -> bool {
        place.abs().cmple(self.reach() + 1e-5).all()
    }

    /// Whether `place` is in front of a pocket, where there is no cushion.
    pub fn in_mouth(&self, place: Vec2) -> bool {
        self.pockets.iter().any(|mouth| {
            let [a, b] = mouth.tips;
            place.distance(a.midpoint(b)) < 0.5 * a.distance(b)
        })
    }
}

impl Mouth {
    /// The directions in which a ball of `radius` at `from` runs into the pocket; none if no direction leads there.
    ///
    /// Its centre has to pass both tips at a distance of at least `radius` and the hole's centre at less than
    /// [`hole`](Self::hole). A ball behind the tips has passed them.
    pub fn window(&self, from: Vec2, radius: f32) -> Option<Window> {
        let to_center = self.center - from;
        let distance = to_center.length();
        let axis = to_center.try_normalize()?;
        let over_hole = (self.hole / distance).min(1.0).asin();
        let (mut low, mut high) = (-over_hole, over_hole);
        let middle = self.tips[0].midpoint(self.tips[1]);
        if (from - middle).dot(self.center - middle) < 0.0 {
            let angle = |tip: Vec2| turn(axis, tip - from);
            let [right, left] = if angle(self.tips[0]) < angle(self.tips[1]) {
                self.tips
            } else {
                [self.tips[1], self.tips[0]]
            };
            let room = |tip: Vec2| (radius / tip.distance(from)).min(1.0).asin();
            low = low.max(angle(right) + room(right));
            high = high.min(angle(left) - room(left));
        }
        let aim = 0.5 * (low + high);
        (low < high).then(|| Window {
            direction: Vec2::from_angle(aim).rotate(axis),
            half_width: 0.5 * (high - low),
            distance: distance * aim.cos(),
        })
    }
}
