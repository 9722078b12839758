//! The score of a game of ten-pin bowling, without ECS (USBC Playing Rules, rule 2).

/// Frames of a game.
pub const FRAMES: usize = 10;

/// What a player is about to throw at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The frame, from 0.
    pub frame: usize,
    /// The ball of this frame, from 0.
    pub ball: usize,
    /// Pins that stand.
    pub standing: u8,
}

/// The next ball of a game with these balls, each with the number of pins that fell; none if the game is over.
pub fn turn(balls: &[u8]) -> Option<Turn> {
    let mut rest = balls;
    for frame in 0..FRAMES - 1 {
        match *rest {
            [] => {
                return Some(Turn {
                    frame,
                    ball: 0,
                    standing: 10,
                });
            }
            [10, ..] => rest = &rest[1..],
            [first] => {
                return Some(Turn {
                    frame,
                    ball: 1,
                    standing: 10 - first,
                });
            }
            [_, _, ..] => rest = &rest[2..],
        }
    }
    // A strike or a spare in the tenth frame gives three balls in all. Pins are set up again whenever all have fallen.
    let standing = match *rest {
        [] | [10] | [10, 10] => 10,
        [first] => 10 - first,
        [10, second] => 10 - second,
        [first, second] if first + second == 10 => 10,
        _ => return None,
    };
    Some(Turn {
        frame: FRAMES - 1,
        ball: rest.len(),
        standing,
    })
}

/// The score after each frame, as far as it is known: a strike waits for two more balls, and a spare for one.
pub fn score(balls: &[u8]) -> [Option<u16>; FRAMES] {
    let mut scores = [None; FRAMES];
    let mut total = 0;
    let mut rest = balls;
    for score in &mut scores {
        let (used, counted) = match *rest {
            [10, ..] => (1, 3),
            [first, second, ..] if first + second == 10 => (2, 3),
            _ => (2, 2),
        };
        let Some(counted) = rest.get(..counted) else {
            break;
        };
        total += counted.iter().map(|&pins| u16::from(pins)).sum::<u16>();
        *score = Some(total);
        rest = &rest[used..];
    }
    scores
}

/// Whether the last ball left no pin.
fn clears(balls: &[u8]) -> bool {
    let Some((last, before)) = balls.split_last() else {
        return false;
    };
    turn(before).is_some_and(|turn| turn.standing == *last)
}

/// The marks of each frame on the sheet: X is a strike, / a spare, - a miss.
pub fn marks(balls: &[u8]) -> [String; FRAMES] {
    let mut marks = [const { String::new() }; FRAMES];
    for k in 0..balls.len() {
        let Some(turn) = turn(&balls[..k]) else {
            break;
        };
        let is_fresh = turn.ball == 0 || clears(&balls[..k]);
        let mark = match balls[k] {
            10 if is_fresh => 'X',
            pins if pins == turn.standing => '/',
            0 => '-',
            pins => char::from(b'0' + pins),
        };
        marks[turn.frame].push(mark);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(balls: &[u8]) -> u16 {
        assert_eq!(turn(balls), None, "the game is not over");
        score(balls)[FRAMES - 1].expect("the game is over")
    }

    #[test]
    fn twelve_strikes_are_300() {
        assert_eq!(total(&[10; 12]), 300);
        assert_eq!(marks(&[10; 12])[9], "XXX");
        assert!(turn(&[10; 11]).is_some());
    }

    #[test]
    fn spares_with_five_are_150() {
        assert_eq!(total(&[5; 21]), 150);
        assert_eq!(marks(&[5; 21])[9], "5/5");
    }

    #[test]
    fn gutter_balls_are_nothing() {
        assert_eq!(total(&[0; 20]), 0);
    }

    #[test]
    fn nine_and_a_miss_ten_times_is_90() {
        assert_eq!(total(&[9, 0].repeat(10)), 90);
    }

    /// The example of many rule books: X, 7/, 72, 9/, X, X, X, 23, 6/, 7/3 is 168.
    #[test]
    fn a_known_game() {
        let balls = [10, 7, 3, 7, 2, 9, 1, 10, 10, 10, 2, 3, 6, 4, 7, 3, 3];
        let scores = score(&balls).map(Option::unwrap);
        assert_eq!(scores, [20, 37, 46, 66, 96, 118, 133, 138, 155, 168]);
        assert_eq!(total(&balls), 168);
        assert_eq!(marks(&balls).join(" "), "X 7/ 72 9/ X X X 23 6/ 7/3");
    }

    #[test]
    fn a_strike_waits_for_two_balls_and_a_spare_for_one() {
        assert_eq!(score(&[10, 3])[0], None);
        assert_eq!(score(&[10, 3, 4])[..2], [Some(17), Some(24)]);
        assert_eq!(score(&[6, 4])[0], None);
        assert_eq!(score(&[6, 4, 5])[..2], [Some(15), None]);
    }

    #[test]
    fn the_tenth_frame_has_three_balls_after_a_strike_or_a_spare_alone() {
        let nine = [0; 18];
        let after = |tenth: &[u8]| {
            let turn = turn(&[&nine, tenth].concat());
            turn.map(|turn| (turn.ball, turn.standing))
        };
        assert_eq!(after(&[]), Some((0, 10)));
        assert_eq!(after(&[7]), Some((1, 3)));
        assert_eq!(after(&[7, 2]), None);
        assert_eq!(after(&[7, 3]), Some((2, 10)));
        assert_eq!(after(&[10, 4]), Some((2, 6)));
        assert_eq!(after(&[10, 10]), Some((2, 10)));
        assert_eq!(after(&[10, 4, 6]), None);
    }

    /// Zero, then ten: that is a spare, not a strike.
    #[test]
    fn ten_with_the_second_ball_is_a_spare() {
        assert_eq!(marks(&[0, 10, 3])[0], "-/");
        assert_eq!(marks(&[&[0; 18][..], &[0, 10, 10]].concat())[9], "-/X");
        assert_eq!(marks(&[&[0; 18][..], &[10, 0, 10]].concat())[9], "X-/");
        assert_eq!(score(&[0, 10, 3, 4])[0], Some(13));
    }

    /// However the balls fall, the score never falls, and a game ends after 11 to 21 balls.
    #[test]
    fn any_game_ends_and_its_score_never_falls() {
        let mut seed = 1_u32;
        for _ in 0..1000 {
            let mut balls = Vec::new();
            while let Some(turn) = turn(&balls) {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                balls.push(((seed >> 16) % (u32::from(turn.standing) + 1)) as u8);
            }
            assert!((11..=21).contains(&balls.len()), "{balls:?}");
            let scores = score(&balls).map(Option::unwrap);
            assert!(scores.is_sorted() && scores[9] <= 300, "{balls:?}");
        }
    }
}
