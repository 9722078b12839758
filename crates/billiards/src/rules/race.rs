//! The score over several frames.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::turn::Player;

/// Who breaks the next frame.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreakOrder {
    /// The players take turns (WPA 1.3).
    #[default]
    Alternate,
    /// Whoever won the last frame.
    Winner,
}

/// A race to a number of frames.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    goal: NonZeroU32,
    order: BreakOrder,
    breaker: Player,
    won: [u32; 2],
}

impl Race {
    /// A race to `goal` frames. `breaker` breaks in the first frame.
    pub fn new(goal: NonZeroU32, order: BreakOrder, breaker: Player) -> Self {
        Self {
            goal,
            order,
            breaker,
            won: [0; 2],
        }
    }

    /// How many frames win the race.
    pub fn goal(&self) -> NonZeroU32 {
        self.goal
    }

    /// How many frames `player` won.
    pub fn won(&self, player: Player) -> u32 {
        self.won[player.index()]
    }

    /// Who breaks the next frame.
    pub fn breaker(&self) -> Player {
        self.breaker
    }

    /// Who won the race.
    pub fn winner(&self) -> Option<Player> {
        [Player::One, Player::Two]
            .into_iter()
            .find(|player| self.won(*player) >= self.goal.get())
    }

    /// Counts a frame for `winner`; false, and nothing changes, if the race is over.
    pub fn count(&mut self, winner: Player) -> bool {
        if self.winner().is_some() {
            return false;
        }
        self.won[winner.index()] += 1;
        self.breaker = match self.order {
            BreakOrder::Alternate => self.breaker.other(),
            BreakOrder::Winner => winner,
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{One, Two};

    fn race(order: BreakOrder) -> Race {
        Race::new(NonZeroU32::new(2).unwrap(), order, One)
    }

    #[test]
    fn first_to_the_goal_wins_and_later_frames_do_not_count() {
        let mut race = race(BreakOrder::Alternate);
        assert!(race.count(Two) && race.count(One));
        assert_eq!(race.winner(), None);
        assert!(race.count(Two));
        assert_eq!(race.winner(), Some(Two));
        assert!(!race.count(One));
        assert_eq!((race.won(One), race.won(Two)), (1, 2));
    }

    #[test]
    fn breaks_alternate_whoever_wins() {
        let mut race = race(BreakOrder::Alternate);
        race.count(One);
        assert_eq!(race.breaker(), Two);
        race.count(Two);
        assert_eq!(race.breaker(), One);
    }

    #[test]
    fn with_winner_breaks_the_winner_breaks() {
        let mut race = race(BreakOrder::Winner);
        race.count(Two);
        assert_eq!(race.breaker(), Two);
        race.count(One);
        assert_eq!(race.breaker(), One);
    }
}
