//! How hard to shoot: a rough estimate from friction alone.

/// How balls lose speed, and the speeds that shots aim for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Deceleration of a ball that slides, in m/s².
    pub sliding: f32,
    /// Deceleration of a ball that rolls, in m/s².
    pub rolling: f32,
    /// Coefficient of restitution between balls.
    pub restitution: f32,
    /// The part of its speed that a ball keeps at a cushion.
    pub cushion: f32,
    /// Speed of a ball that arrives at a pocket, in m/s.
    pub at_pocket: f32,
    /// Speed of a ball that a soft shot drives to a cushion, in m/s.
    pub at_cushion: f32,
    /// The hardest shot, and the break, in m/s.
    pub hardest: f32,
}

impl Default for Pace {
    /// A common cloth: friction 0.2 for a ball that slides, 0.01 for one that rolls.
    fn default() -> Self {
        Self {
            sliding: 0.2 * 9.81,
            rolling: 0.01 * 9.81,
            restitution: 0.95,
            cushion: 0.75,
            at_pocket: 0.8,
            at_cushion: 0.3,
            hardest: 10.0,
        }
    }
}

impl Pace {
    /// The speed at which a ball without spin has to start to arrive after `distance` metres with the speed `arrival`.
    ///
    /// It slides until its speed fell to 5/7 of that at the start, after 12·v²/(49·a_s), and rolls from there on. With
    /// v the start and u the arrival, v² = u² + 2·a_s·d if it still slides there, and else
    /// (25/49 + 24/49·a_r/a_s)·v² = u² + 2·a_r·d.
    pub fn start(&self, arrival: f32, distance: f32) -> f32 {
        let slides = (arrival * arrival + 2.0 * self.sliding * distance).sqrt();
        if arrival >= slides * (5.0 / 7.0) {
            return slides;
        }
        let kept = (25.0 + 24.0 * self.rolling / self.sliding) / 49.0;
        ((arrival * arrival + 2.0 * self.rolling * distance) / kept).sqrt()
    }

    /// The speed of a cue ball that gives a ball the speed `ball` at the cut angle `cut`: of equal balls, the hit ball gets
    /// (1 + e)/2 of the velocity along the line of centres.
    pub fn to_give(&self, ball: f32, cut: f32) -> f32 {
        2.0 * ball / ((1.0 + self.restitution) * cut.cos())
    }

    /// The speed of a cue ball that starts `to_ball` metres from a ball and cuts it by `cut` so that it runs `onward`
    /// metres and arrives with `arrival`.
    pub fn shot(&self, to_ball: f32, cut: f32, onward: f32, arrival: f32) -> f32 {
        let ball = self.start(arrival, onward);
        self.start(self.to_give(ball, cut), to_ball)
            .min(self.hardest)
    }
}
