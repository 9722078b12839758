//! Practice drills: the same shot again and again.
//!
//! Places are in diamonds from the middle of the table, along it and across it: the cushions lie at 4 and at 2 diamonds.

use std::fmt;

use bevy::math::Vec2;

use crate::{
    rules::{Ball, Contact, ShotRecord},
    table::{bed::Table, spec::TableSpec},
};

/// A shot to practise.
#[derive(Clone, Copy, Debug)]
pub struct Drill {
    /// What players call it.
    pub name: &'static str,
    /// The task, in one sentence.
    pub task: &'static str,
    /// The balls on the table, the cue ball among them, in diamonds.
    pub balls: &'static [(u8, [f32; 2])],
    /// What has to happen.
    pub goal: Goal,
}

/// What a drill asks for. The cue ball has to stay on the table, and to meet the 1 first if it meets a ball.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Whether the 1 has to fall.
    pub pots: bool,
    /// Whether the 1 has to meet a cushion.
    pub banks: bool,
    /// The only pocket that counts, by its place in diamonds.
    pub pocket: Option<[f32; 2]>,
    /// Cushions that the cue ball has to meet before it meets a ball.
    pub cushions: usize,
    /// Where the cue ball has to stop: within a circle, by its middle and its radius in diamonds.
    pub rest: Option<([f32; 2], f32)>,
}

/// The 1 into any pocket.
const POT: Goal = Goal {
    pots: true,
    banks: false,
    pocket: None,
    cushions: 0,
    rest: None,
};

/// The 1 into any pocket, and then the cue ball stops in a circle.
const fn pot_and_stop(middle: [f32; 2], radius: f32) -> Goal {
    Goal {
        rest: Some((middle, radius)),
        ..POT
    }
}

/// All drills, from easy ones to hard ones.
pub const DRILLS: [Drill; 12] = [
    Drill {
        name: "Straight in",
        task: "Pot the 1.",
        balls: &[(0, [0.0, 0.0]), (1, [2.0, 1.0])],
        goal: POT,
    },
    Drill {
        name: "Stop",
        task: "Pot the 1, and stop the cue ball where it meets it: hit it a little below its middle.",
        balls: &[(0, [0.0, 0.0]), (1, [2.0, 1.0])],
        goal: pot_and_stop([1.84, 0.92], 0.4),
    },
    Drill {
        name: "Follow",
        task: "Pot the 1, and let the cue ball follow into the circle: hit it above its middle.",
        balls: &[(0, [-1.0, -0.5]), (1, [1.0, 0.5])],
        goal: pot_and_stop([2.2, 1.1], 0.6),
    },
    Drill {
        name: "Draw",
        task: "Pot the 1, and draw the cue ball back into the circle: hit it well below its middle.",
        balls: &[(0, [0.0, 0.0]), (1, [2.0, 1.0])],
        goal: pot_and_stop([0.4, 0.2], 0.6),
    },
    Drill {
        name: "Half ball",
        task: "Cut the 1 into a pocket: at 30°, aim the middle of the cue ball at the edge of the 1.",
        balls: &[(0, [0.76, -0.61]), (1, [3.0, 0.5])],
        goal: POT,
    },
    Drill {
        name: "Thin cut",
        task: "Cut the 1 into a pocket, at 60°.",
        balls: &[(0, [0.5, 0.66]), (1, [3.0, 0.5])],
        goal: POT,
    },
    Drill {
        name: "Along the cushion",
        task: "Pot the 1, which lies at the cushion.",
        balls: &[(0, [0.6, 1.0]), (1, [2.0, 1.9])],
        goal: POT,
    },
    Drill {
        name: "Long pot",
        task: "Pot the 1 over the whole table.",
        balls: &[(0, [-3.0, -0.6]), (1, [1.5, 0.3])],
        goal: POT,
    },
    Drill {
        name: "Two cushions",
        task: "Bring the cue ball into the circle off two cushions.",
        balls: &[(0, [-2.0, 0.0])],
        goal: Goal {
            pots: false,
            cushions: 2,
            rest: Some(([0.0, 0.0], 0.6)),
            ..POT
        },
    },
    Drill {
        name: "Kick",
        task: "The 2 is in the way: hit a cushion first, and then the 1.",
        balls: &[(0, [-2.0, 0.0]), (1, [2.0, 0.0]), (2, [1.0, 0.0])],
        goal: Goal {
            pots: false,
            cushions: 1,
            ..POT
        },
    },
    Drill {
        name: "Bank",
        task: "The 2 is in the way: bank the 1 off the far cushion into the middle pocket on this side.",
        balls: &[(0, [1.8, -1.2]), (1, [1.0, 0.5]), (2, [0.5, -0.75])],
        goal: Goal {
            banks: true,
            pocket: Some([0.0, -2.0]),
            ..POT
        },
    },
    Drill {
        name: "Position",
        task: "Pot the 1, and bring the cue ball to the middle of the table for the next shot.",
        balls: &[(0, [1.6, -0.6]), (1, [3.0, 0.5])],
        goal: pot_and_stop([0.0, 0.0], 0.9),
    },
];

/// Why a try failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Miss {
    /// The cue ball fell or left the table.
    CueBallGone,
    /// The cue ball met no ball.
    NoBall,
    /// The cue ball met another ball first.
    WrongBall,
    /// The cue ball met too few cushions, or met a ball before them.
    FewCushions,
    /// The 1 met no cushion.
    NotBanked,
    /// The 1 is still on the table.
    NotPotted,
    /// The 1 fell into another pocket.
    WrongPocket,
    /// The cue ball stopped so far outside the circle, in m.
    Outside(f32),
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::CueBallGone => write!(f, "the cue ball left the table"),
            Self::NoBall => write!(f, "the cue ball met no ball"),
            Self::WrongBall => write!(f, "the cue ball met another ball first"),
            Self::FewCushions => write!(f, "the cue ball met too few cushions first"),
            Self::NotBanked => write!(f, "the 1 met no cushion"),
            Self::NotPotted => write!(f, "the 1 did not fall"),
            Self::WrongPocket => write!(f, "the 1 fell into another pocket"),
            Self::Outside(by) => write!(
                f,
                "the cue ball stopped {:.0} cm outside the circle",
                100.0 * by
            ),
        }
    }
}

const ONE: Ball = Ball(1);

impl Drill {
    /// The balls on such a table, in m.
    pub fn places(&self, table: &TableSpec) -> Vec<(Ball, Vec2)> {
        self.balls
            .iter()
            .map(|(ball, at)| (Ball(*ball), place(*at, table)))
            .collect()
    }

    /// Whether the try was good. The cue ball came to rest at `end`; none if it is gone.
    pub fn judge(&self, shot: &ShotRecord, end: Option<Vec2>, table: &Table) -> Result<(), Miss> {
        let Goal {
            pots,
            banks,
            pocket,
            cushions,
            rest: _,
        } = self.goal;
        let Some(end) = end.filter(|_| !shot.cue_ball_gone()) else {
            return Err(Miss::CueBallGone);
        };
        let has_balls = self.balls.len() > 1;
        match shot.first_hit {
            None if has_balls => return Err(Miss::NoBall),
            Some(ball) if ball != ONE => return Err(Miss::WrongBall),
            _ => {}
        }
        let is_cushion = |contact: &&Contact| **contact == Contact::Cushion;
        let met = shot.cue_ball_met.iter().take_while(is_cushion).count();
        if met < cushions {
            return Err(Miss::FewCushions);
        }
        if banks && !shot.to_cushion.contains(ONE) {
            return Err(Miss::NotBanked);
        }
        if pots {
            let fell = shot.pocket_of(ONE).ok_or(Miss::NotPotted)?;
            if let Some(wanted) = pocket {
                let wanted = place(wanted, table.spec);
                let distance = |k: usize| table.pockets[k].center.distance(wanted);
                let is_nearest = |&k: &usize| distance(k) < distance(fell);
                if (0..table.pockets.len()).any(|k| is_nearest(&k)) {
                    return Err(Miss::WrongPocket);
                }
            }
        }
        if let Some((middle, radius)) = self.circle(table.spec) {
            let outside = end.distance(middle) - radius;
            if outside > 0.0 {
                return Err(Miss::Outside(outside));
            }
        }
        Ok(())
    }

    /// The circle in which the cue ball has to stop: its middle and its radius in m.
    pub fn circle(&self, table: &TableSpec) -> Option<(Vec2, f32)> {
        let (middle, radius) = self.goal.rest?;
        Some((place(middle, table), in_m(radius, table)))
    }
}

fn in_m(diamonds: f32, table: &TableSpec) -> f32 {
    diamonds * table.half.x / 4.0
}

fn place([along, across]: [f32; 2], table: &TableSpec) -> Vec2 {
    Vec2::new(in_m(along, table), in_m(across, table))
}
