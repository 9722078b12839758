//! The rules of the game: switches go in, the score and the state of the table come out. No ECS in here.

use super::{Side, measures::DROPS};

/// A switch of the table that the ball closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The ball left the plunger's lane.
    Launch,
    /// A pop bumper.
    Bumper(usize),
    /// The kicker of a slingshot.
    Slingshot(Side),
    /// A lane at the top.
    Lane(usize),
    /// A drop target.
    Drop(usize),
    /// A standup target.
    Standup(usize),
    /// Half a turn of the spinner.
    Spinner,
    /// The mouth of the ramp.
    RampMouth,
    /// The top of the ramp, on the way round.
    Ramp,
    /// The arch at the top.
    Orbit,
    /// The lane that leads to a flipper.
    Inlane(Side),
    /// The lane that leads past the flipper.
    Outlane(Side),
    /// The drain.
    Drain,
}

/// Points of the switches.
pub mod points {
    #![allow(missing_docs, reason = "the names say it")]
    pub const BUMPER: u64 = 100;
    pub const SLINGSHOT: u64 = 10;
    pub const LANE: u64 = 500;
    pub const LANES: u64 = 2_000;
    pub const DROP: u64 = 500;
    pub const BANK: u64 = 5_000;
    pub const STANDUP: u64 = 250;
    pub const SPINNER: u64 = 100;
    pub const RAMP: u64 = 2_000;
    pub const RAMP_RISE: u64 = 1_000;
    pub const INLANE: u64 = 100;
    pub const OUTLANE: u64 = 1_000;
    pub const BONUS: u64 = 250;
}

/// Balls in a game.
pub const BALLS: u32 = 3;
/// Lanes at the top.
pub const LANES: usize = 3;
/// Largest multiplier of the bonus.
const MULTIPLIER_MAX: u64 = 5;
/// Seconds after the launch in which a ball that drains comes back.
const SAVE: f32 = 8.0;
/// Seconds from the drain to the next ball.
const PAUSE: f32 = 1.2;
/// Seconds from the last drop target to the new bank.
const BANK_PAUSE: f32 = 1.0;
/// Nudges in a row that the tilt bob bears, and the seconds in which it forgets one.
const NUDGES: f32 = 3.0;
/// See [`NUDGES`].
const FORGETS: f32 = 2.5;

/// What the table waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// A ball has to be put before the plunger.
    Serve,
    /// The player has to shoot the ball.
    Launch,
    /// The ball is in play.
    Play,
    /// The player pushed too much: all is off until the ball drains.
    Tilted,
    /// The ball drained; the seconds until the next one.
    Drained(f32),
    /// The last ball drained.
    Over,
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// What the table waits for.
    pub phase: Phase,
    /// Points so far.
    pub score: u64,
    /// The ball that is played, from 1.
    pub ball: u32,
    /// Balls that drained for good.
    pub drained: u32,
    /// Multiplier of the bonus at the end of the ball.
    pub multiplier: u64,
    /// Lanes and targets of this ball, each worth a bonus.
    pub bonus: u64,
    /// Which lanes at the top are lit.
    pub lanes: [bool; LANES],
    /// Which drop targets are down.
    pub drops: [bool; DROPS],
    /// Which standup targets are lit. Both together double the next ramp.
    pub standups: [bool; 2],
    /// Points of the next ramp.
    pub ramp: u64,
    /// Seconds for which a drained ball still comes back.
    pub save: f32,
    /// How far the tilt bob swings, in nudges.
    pub bob: f32,
    /// The last event, in words.
    pub news: String,
    bank_pause: f32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            phase: Phase::Serve,
            score: 0,
            ball: 1,
            drained: 0,
            multiplier: 1,
            bonus: 0,
            lanes: [false; LANES],
            drops: [false; DROPS],
            standups: [false; 2],
            ramp: points::RAMP,
            save: 0.0,
            bob: 0.0,
            news: String::new(),
            bank_pause: 0.0,
        }
    }
}

impl Rules {
    /// Whether flippers, bumpers and slingshots have power.
    pub fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Serve | Phase::Launch | Phase::Play)
    }

    /// Whether a drained ball would come back.
    pub fn saves(&self) -> bool {
        self.save > 0.0
    }

    /// Points of the next ramp, doubled by the standup targets.
    pub fn ramp_points(&self) -> u64 {
        self.ramp * if self.standups == [true; 2] { 2 } else { 1 }
    }

    fn tell(&mut self, news: impl Into<String>) {
        self.news = news.into();
    }

    /// The ball lies before the plunger.
    pub fn served(&mut self) {
        if self.phase == Phase::Serve {
            self.phase = Phase::Launch;
        }
    }

    /// A switch closes.
    pub fn close(&mut self, switch: Switch) {
        if switch == Switch::Drain {
            self.drain();
            return;
        }
        if !self.is_live() {
            return;
        }
        if switch == Switch::Launch {
            if self.phase == Phase::Launch {
                self.phase = Phase::Play;
                self.save = SAVE;
                self.tell("");
            }
            return;
        }
        self.score += self.worth(switch);
    }

    /// The points of a switch, after what it changes on the table.
    fn worth(&mut self, switch: Switch) -> u64 {
        match switch {
            Switch::Launch | Switch::Drain | Switch::RampMouth | Switch::Orbit => 0,
            Switch::Bumper(_) => points::BUMPER,
            Switch::Slingshot(_) => points::SLINGSHOT,
            Switch::Spinner => points::SPINNER,
            Switch::Inlane(_) => points::INLANE,
            Switch::Outlane(_) => {
                self.bonus += 1;
                points::OUTLANE
            }
            Switch::Lane(lane) => self.lane(lane),
            Switch::Drop(target) => self.drop_target(target),
            Switch::Standup(target) => {
                let is_new = !std::mem::replace(&mut self.standups[target], true);
                if is_new {
                    self.bonus += 1;
                    if self.standups == [true; 2] {
                        self.tell("The next ramp counts double");
                    }
                }
                points::STANDUP
            }
            Switch::Ramp => {
                let worth = self.ramp_points();
                self.bonus += 1;
                self.ramp += points::RAMP_RISE;
                self.standups = [false; 2];
                self.tell(format!("Ramp: {worth} points"));
                worth
            }
        }
    }

    fn lane(&mut self, lane: usize) -> u64 {
        let is_new = !std::mem::replace(&mut self.lanes[lane], true);
        if is_new {
            self.bonus += 1;
        }
        if self.lanes != [true; LANES] {
            return points::LANE;
        }
        self.lanes = [false; LANES];
        self.multiplier = (self.multiplier + 1).min(MULTIPLIER_MAX);
        self.tell(format!(
            "All lanes: the bonus counts {} times",
            self.multiplier
        ));
        points::LANE + points::LANES
    }

    fn drop_target(&mut self, target: usize) -> u64 {
        if std::mem::replace(&mut self.drops[target], true) {
            return 0;
        }
        self.bonus += 1;
        if self.drops != [true; DROPS] {
            return points::DROP;
        }
        self.bank_pause = BANK_PAUSE;
        self.tell(format!("All drop targets: {} points", points::BANK));
        points::DROP + points::BANK
    }

    fn drain(&mut self) {
        match self.phase {
            Phase::Play if self.saves() => {
                self.save = 0.0;
                self.phase = Phase::Serve;
                self.tell("Ball saved: shoot again");
            }
            // A ball that never got out of the lane, or fell back past the gate.
            Phase::Serve | Phase::Launch => self.phase = Phase::Serve,
            Phase::Play => {
                let bonus = self.bonus * points::BONUS * self.multiplier;
                self.score += bonus;
                self.end_ball(format!("The ball is lost. Bonus: {bonus}"));
            }
            Phase::Tilted => self.end_ball("The ball is lost, and the bonus too".into()),
            Phase::Drained(_) | Phase::Over => {}
        }
    }

    fn end_ball(&mut self, news: String) {
        self.drained += 1;
        self.phase = Phase::Drained(PAUSE);
        self.tell(news);
    }

    /// Seconds pass.
    pub fn tick(&mut self, dt: f32) {
        self.save = (self.save - dt).max(0.0);
        self.bob = (self.bob - dt / FORGETS).max(0.0);
        if self.drops == [true; DROPS] {
            self.bank_pause -= dt;
            if self.bank_pause <= 0.0 {
                self.drops = [false; DROPS];
            }
        }
        let Phase::Drained(left) = self.phase else {
            return;
        };
        self.phase = if left > dt {
            Phase::Drained(left - dt)
        } else if self.drained >= BALLS {
            self.tell("Game over");
            Phase::Over
        } else {
            self.ball = self.drained + 1;
            self.multiplier = 1;
            self.bonus = 0;
            self.bob = 0.0;
            Phase::Serve
        };
    }

    /// The player pushes the table. Too many pushes in a row tilt it.
    pub fn nudge(&mut self) {
        if self.phase != Phase::Play {
            return;
        }
        self.bob += 1.0;
        if self.bob > NUDGES {
            self.phase = Phase::Tilted;
            self.save = 0.0;
            self.tell("Tilt: the flippers are dead");
        } else if self.bob > NUDGES - 1.0 {
            self.tell("Careful: one more push tilts the table");
        }
    }

    /// A press of a flipper's key moves the lit lanes to its side.
    pub fn flip(&mut self, side: Side) {
        if self.is_live() {
            match side {
                Side::Left => self.lanes.rotate_left(1),
                Side::Right => self.lanes.rotate_right(1),
            }
        }
    }
}

#[cfg(test)]
mod tests;
