//! Shots as they were tracked, as JSON. The table's middle is at (0, 0), lengths are in m, times in s.

use std::collections::BTreeMap;

use bevy::math::DVec2;
use serde::Deserialize;

/// A ball has left its place when it is farther from it than this, in m. A camera sees a ball at rest move by a part of it.
const LEFT: f64 = 0.004;

/// Tracked shots.
#[derive(Deserialize, Clone, Debug)]
pub struct TrackFile {
    /// The shots.
    pub shots: Vec<TrackedShot>,
}

/// A shot. The ball that moves first is the cue ball.
#[derive(Deserialize, Clone, Debug)]
pub struct TrackedShot {
    /// Its number.
    pub id: u64,
    /// The balls by name.
    pub balls: BTreeMap<String, Samples>,
}

/// A ball's centre at some times. The first sample is the ball's place before the shot.
#[derive(Deserialize, Clone, Debug)]
pub struct Samples {
    /// The times, in order.
    pub t: Vec<f64>,
    /// One coordinate.
    pub x: Vec<f64>,
    /// The other coordinate.
    pub y: Vec<f64>,
}

impl Samples {
    /// Where the ball was at sample `i`.
    pub fn at(&self, i: usize) -> DVec2 {
        DVec2::new(self.x[i], self.y[i])
    }

    /// Index of the first sample at which the ball has left its place.
    pub fn leaves(&self) -> Option<usize> {
        (1..self.t.len()).find(|i| self.at(*i).distance(self.at(0)) > LEFT)
    }

    fn check(&self) -> Result<(), String> {
        let Self { t, x, y } = self;
        if t.is_empty() || x.len() != t.len() || y.len() != t.len() {
            return Err(format!(
                "{} times, {} x and {} y: give as many of each, and at least one",
                t.len(),
                x.len(),
                y.len()
            ));
        }
        if let Some(value) = [t, x, y]
            .into_iter()
            .flatten()
            .find(|value| !value.is_finite())
        {
            return Err(format!("{value} is no number"));
        }
        match t.windows(2).find(|pair| pair[1] < pair[0]) {
            Some(pair) => Err(format!("the time {} comes after {}", pair[1], pair[0])),
            None => Ok(()),
        }
    }
}

impl TrackedShot {
    /// Name of the cue ball and index of the first sample at which it has left its place; none if nothing moves.
    pub fn cue_ball(&self) -> Option<(&str, usize)> {
        let leaving = self.balls.iter().filter_map(|(name, samples)| {
            let i = samples.leaves()?;
            Some((name.as_str(), i, samples.t[i]))
        });
        leaving
            .min_by(|a, b| a.2.total_cmp(&b.2))
            .map(|(name, i, _)| (name, i))
    }

    /// Time of the last sample.
    pub fn end(&self) -> f64 {
        let last = |samples: &Samples| samples.t[samples.t.len() - 1];
        self.balls.values().map(last).fold(0.0, f64::max)
    }
}

impl TrackFile {
    /// Reads the shots. The error names the shot and the ball.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Self = serde_json::from_str(text).map_err(|problem| problem.to_string())?;
        if file.shots.is_empty() {
            return Err("there are no shots".to_owned());
        }
        for shot in &file.shots {
            for (name, samples) in &shot.balls {
                let problem = |problem| format!("shot {}, ball {name}: {problem}", shot.id);
                samples.check().map_err(problem)?;
            }
            if shot.cue_ball().is_none() {
                return Err(format!("shot {}: no ball moves", shot.id));
            }
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(t: &str, x: &str) -> Result<TrackFile, String> {
        TrackFile::parse(&format!(
            r#"{{"shots": [{{"id": 4, "balls": {{"1": {{"t": [0, 9], "x": [0, 0.001], "y": [0, 0]}},
                "2": {{"t": {t}, "x": {x}, "y": [0, 0, 0]}}}}}}]}}"#
        ))
    }

    #[test]
    fn the_ball_that_moves_first_is_the_cue_ball() {
        let file = shot("[0, 0.02, 0.04]", "[0, 0.001, 0.05]").unwrap();
        assert_eq!(file.shots[0].cue_ball(), Some(("2", 2)));
        assert_eq!(file.shots[0].end(), 9.0);
    }

    #[test]
    fn tracks_that_make_no_sense_are_named() {
        let late = shot("[0, 0.02, 0.01]", "[0, 0.1, 0.2]").unwrap_err();
        assert!(late.contains("shot 4, ball 2"), "{late}");
        let short = shot("[0, 0.02, 0.04]", "[0, 0.1]").unwrap_err();
        assert!(short.contains("2 x"), "{short}");
        let still = shot("[0, 0.02, 0.04]", "[0, 0, 0]").unwrap_err();
        assert!(still.contains("no ball moves"), "{still}");
        assert!(TrackFile::parse(r#"{"shots": []}"#).is_err());
    }
}
