//! A stroke of the cue by the mouse: how fast the tip is when it meets the ball.

use std::collections::VecDeque;

use crate::play::cue::Stroke;

/// A hand on a mouse is slower than one on a cue: so much.
const GAIN: f32 = 2.0;
/// The speed is the mean over this time, in s: a frame may be short, and a mouse tells whole pixels.
const SPAN: f32 = 0.06;
/// A cue that comes back more slowly than this, in m/s, is put down.
const SLOWEST: f32 = 0.15;

/// The last moves of a cue that the mouse strokes.
#[derive(Default)]
pub(super) struct Swing {
    /// Way forward in m, and time in s, of the last frames.
    moves: VecDeque<(f32, f32)>,
    /// The farthest that it was drawn back, in m.
    drawn: f32,
}

impl Swing {
    /// Moves a cue that is drawn `back` metres forward by so much in so many seconds. Returns its speed in m/s if it meets the ball.
    pub fn move_by(&mut self, forward: f32, seconds: f32, back: f32) -> Option<f32> {
        self.drawn = self.drawn.max(back - forward);
        self.moves.push_back((forward, seconds));
        let mut span: f32 = self.moves.iter().map(|(_, seconds)| seconds).sum();
        while let Some(&(_, first)) = self.moves.front()
            && span - first >= SPAN
        {
            span -= first;
            self.moves.pop_front();
        }
        if !Stroke::is_shot(self.drawn) || forward <= 0.0 || forward < back {
            return None;
        }
        // The turn from back to forward is no part of the stroke.
        let last = self.moves.iter().rev();
        let (way, time) = last
            .take_while(|(way, _)| *way > 0.0)
            .fold((0.0, 0.0), |(way, time), (more, seconds)| {
                (way + more, time + seconds)
            });
        let speed = GAIN * way / time.max(1e-3);
        if speed < SLOWEST {
            self.drawn = 0.0;
            return None;
        }
        Some(speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a cue back by 0.2 m and forward again at this speed of the mouse, in frames of so many seconds.
    fn stroke(speed: f32, frame: f32) -> Option<f32> {
        let (mut swing, mut back) = (Swing::default(), 0.0);
        for forward in std::iter::repeat_n(-0.4 * frame, (0.5 / frame) as usize).chain(
            std::iter::repeat_n(speed * frame, (1.0 / speed / frame) as usize),
        ) {
            if let Some(speed) = swing.move_by(forward, frame, back) {
                return Some(speed);
            }
            back = (back - forward).max(0.0);
        }
        None
    }

    #[test]
    fn the_shot_is_as_fast_as_the_stroke_at_any_frame_rate() {
        for frame in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 20.0] {
            for speed in [0.2, 1.0, 4.0] {
                let shot = stroke(speed, frame).unwrap();
                assert!(
                    (shot / (GAIN * speed) - 1.0).abs() < 1e-3,
                    "{speed} at {frame}: {shot}"
                );
            }
        }
    }

    #[test]
    fn a_cue_that_is_put_back_slowly_makes_no_shot() {
        assert_eq!(stroke(0.05, 1.0 / 60.0), None);
    }

    #[test]
    fn a_push_without_a_draw_makes_no_shot() {
        assert_eq!(Swing::default().move_by(0.1, 0.01, 0.0), None);
    }
}
