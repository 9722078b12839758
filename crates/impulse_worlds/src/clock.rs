//! How time passes in a sub-world.

use std::time::Duration;

/// How time passes in a [`SubWorld`](crate::SubWorld) that is the component of an entity. It may be changed at any time.
///
/// To stop a world, and to make single steps of it, use its `StepControl`, or [`SubWorld::step`](crate::SubWorld::step).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldClock {
    /// The length of a step. `None`: as long as a fixed step of the app. Default: `None`.
    pub step: Option<Duration>,
    /// The seconds that pass in this world in a second of the app's. A number that is not above zero stops it. Default: 1.
    pub scale: f64,
}

impl Default for WorldClock {
    fn default() -> Self {
        Self {
            step: None,
            scale: 1.0,
        }
    }
}

impl WorldClock {
    /// A clock with so many steps in a second of its world.
    pub fn from_hz(hz: f64) -> Self {
        Self {
            step: Some(Duration::from_secs_f64(hz.recip())),
            ..Self::default()
        }
    }

    /// The same clock, of which so many seconds pass in a second of the app's.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }
}

/// The part of a step by which a world may be late. Lengths in whole nanoseconds are no exact multiples of each other, and so small a
/// rest must not make a step.
const ROUNDING: f64 = 0.01;

/// Where a world's time stands. A step is made at the start of its time: the world is ahead of its clock by less than a step, and what
/// is shown lies between the last two steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lead {
    /// Seconds by which the world is ahead.
    seconds: f64,
    /// The length of its steps in s.
    step: f64,
}

impl Lead {
    /// Lets time pass, and returns the number of steps that are to be made now.
    pub fn pass(&mut self, time: f64, step: f64) -> u32 {
        if !(step > 0.0 && time > 0.0 && time.is_finite()) {
            return 0;
        }
        self.step = step;
        self.seconds = self.seconds.min(step) - time;
        let steps = (-self.seconds / step - ROUNDING).ceil().max(0.0);
        self.seconds += steps * step;
        steps as u32
    }

    /// The world has made fewer steps than it should have: its time waits.
    pub fn wait(&mut self) {
        self.seconds = 0.0;
    }

    /// The part of the last step that has passed on the clock, from 0 to 1.
    pub fn part(&self) -> f32 {
        let part = 1.0 - self.seconds / self.step;
        if self.step > 0.0 && part < 1.0 - ROUNDING {
            part.max(0.0) as f32
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps in the first 60 passes of 1/60 s each, and the part after the last one.
    fn in_a_second(scale: f64, hz: f64) -> (u32, f32) {
        let mut lead = Lead::default();
        let steps = (0..60)
            .map(|_| lead.pass(scale / 60.0, hz.recip()))
            .sum::<u32>();
        (steps, lead.part())
    }

    #[test]
    fn a_second_has_as_many_steps_as_the_rate_says() {
        for (scale, hz, steps) in [
            (1.0, 60.0, 60),
            (1.0, 240.0, 240),
            (1.0, 30.0, 30),
            (0.5, 60.0, 30),
            (3.0, 50.0, 150),
            (0.0, 60.0, 0),
            (-1.0, 60.0, 0),
            (f64::NAN, 60.0, 0),
        ] {
            assert_eq!(in_a_second(scale, hz), (steps, 1.0), "{scale} × {hz} Hz");
        }
    }

    #[test]
    fn whole_nanoseconds_make_no_step_of_their_own() {
        let (mut lead, app, own) = (Lead::default(), 0.016_666_667, 0.008_333_333);
        for _ in 0..1000 {
            assert_eq!(lead.pass(app, own), 2);
            assert_eq!(lead.part(), 1.0);
        }
    }

    #[test]
    fn a_slow_world_is_shown_between_its_steps() {
        let mut lead = Lead::default();
        let shown: Vec<(u32, f32)> = (0..4)
            .map(|_| (lead.pass(0.25, 1.0), lead.part()))
            .collect();
        assert_eq!(shown, [(1, 0.25), (0, 0.5), (0, 0.75), (0, 1.0)]);
    }
}
