//! Shots as tests tell them, and the tests of the rules.

use crate::rules::{
    Area, Ball, BallSet, Calls, CueBall, Discipline, Frame, Player, Potted, ShotRecord, Turn,
};

mod eight_ball;
mod eight_ball_break;
mod frame;
mod nine_ball;
mod random;
mod snooker;
mod straight_pool;
mod ten_ball;
mod three_cushion;

const EIGHT_ONLY: Discipline = Discipline::EightBall(Calls::EightOnly);
const EVERY_SHOT: Discipline = Discipline::EightBall(Calls::EveryShot);

const IN_HAND: CueBall = CueBall::InHand(Area::Table);
/// In hand behind the head string.
const KITCHEN: CueBall = CueBall::InHand(Area::BehindHeadString);

/// A legal shot that pockets nothing: `first` is met first, then a ball meets a cushion.
fn hit(first: u8) -> ShotRecord {
    ShotRecord {
        first_hit: Some(Ball(first)),
        cushion_after_contact: true,
        past_head_string: true,
        ..ShotRecord::default()
    }
}

/// A legal break that pockets nothing.
fn open_break() -> ShotRecord {
    ShotRecord {
        to_cushion: BallSet::numbers(1, 4),
        ..hit(1)
    }
}

impl ShotRecord {
    fn pot(self, ball: u8) -> Self {
        self.pot_into(ball, 0)
    }

    fn pot_all(self, balls: impl IntoIterator<Item = u8>) -> Self {
        balls.into_iter().fold(self, Self::pot)
    }

    fn pot_into(mut self, ball: u8, pocket: usize) -> Self {
        self.potted.push(Potted {
            ball: Ball(ball),
            pocket,
        });
        self
    }

    fn scratch(self) -> Self {
        self.pot(0)
    }

    fn off(mut self, ball: u8) -> Self {
        self.off_table.insert(Ball(ball));
        self
    }
}

fn shoot(player: Player, cue: CueBall) -> Turn {
    Turn::Shoot { player, cue }
}

/// A frame of `discipline` that player one broke legally without pocketing a ball: player two is to shoot.
fn broken(discipline: Discipline) -> Frame {
    let mut frame = Frame::new(discipline, Player::One);
    frame.shoot(&open_break()).unwrap();
    assert_eq!(*frame.turn(), shoot(Player::Two, CueBall::AsItLies));
    frame
}
