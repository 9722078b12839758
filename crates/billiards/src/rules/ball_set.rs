//! A set of balls.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ball::Ball;

/// Balls by their numbers, 0 to 31. A ball of a higher number is in no set.
#[derive(Serialize, Deserialize, Clone, Copy, Default, PartialEq, Eq)]
pub struct BallSet(u32);

impl BallSet {
    /// No ball.
    pub const EMPTY: Self = Self(0);

    /// The balls `first` to `last`, both included.
    pub const fn numbers(first: u8, last: u8) -> Self {
        let mut set = 0;
        let mut number = first;
        while number <= last {
            set |= bit(Ball(number));
            number += 1;
        }
        Self(set)
    }

    /// One ball.
    pub const fn one(ball: Ball) -> Self {
        Self(bit(ball))
    }

    /// Whether `ball` is in the set.
    pub const fn contains(self, ball: Ball) -> bool {
        self.0 & bit(ball) != 0
    }

    /// Adds `ball`.
    pub const fn insert(&mut self, ball: Ball) {
        self.0 |= bit(ball);
    }

    /// The balls of either set.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The balls of both sets.
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The balls of this set that are not in `other`.
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many balls there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no ball.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The balls by rising numbers.
    pub fn iter(self) -> impl Iterator<Item = Ball> {
        (0..u32::BITS as u8)
            .map(Ball)
            .filter(move |ball| self.contains(*ball))
    }
}

const fn bit(ball: Ball) -> u32 {
    match 1_u32.checked_shl(ball.0 as u32) {
        Some(bit) => bit,
        None => 0,
    }
}

impl Extend<Ball> for BallSet {
    fn extend<T: IntoIterator<Item = Ball>>(&mut self, balls: T) {
        balls.into_iter().for_each(|ball| self.insert(ball));
    }
}

impl FromIterator<Ball> for BallSet {
    fn from_iter<T: IntoIterator<Item = Ball>>(balls: T) -> Self {
        let mut set = Self::EMPTY;
        set.extend(balls);
        set
    }
}

impl fmt::Debug for BallSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|ball| ball.0))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_went_in_once_and_in_order() {
        let set: BallSet = [9, 3, 9, 0, 31].map(Ball).into_iter().collect();
        let numbers: Vec<u8> = set.iter().map(|ball| ball.0).collect();
        assert_eq!(numbers, [0, 3, 9, 31]);
        assert_eq!(set.len(), 4);
        assert_eq!(format!("{set:?}"), "{0, 3, 9, 31}");
    }

    #[test]
    fn a_set_is_its_common_part_and_its_difference() {
        let (a, b) = (BallSet::numbers(1, 7), BallSet::numbers(5, 15));
        assert_eq!(a.intersection(b).union(a.difference(b)), a);
        assert!(a.difference(b).intersection(b).is_empty());
        assert_eq!(a.union(b), BallSet::numbers(1, 15));
    }

    #[test]
    fn a_number_out_of_range_is_in_no_set() {
        let mut set = BallSet::EMPTY;
        set.insert(Ball(32));
        assert!(set.is_empty() && !BallSet::numbers(0, 31).contains(Ball(200)));
    }
}
