//! The command line of films.

use std::{path::PathBuf, str::FromStr, time::Duration};

use bevy::{
    prelude::*,
    reflect::enums::{DynamicEnum, DynamicVariant},
};
use clap::Args;

use crate::number::number;

/// The longest frame that the clock of a scene does not cut, in hundredths of a second.
const LONGEST: u16 = 25;

const FILMS: &str = "Films and pictures";

/// How a scene is filmed. The options of every scene have these.
#[derive(Args, Clone, Debug, Default)]
pub struct FilmOptions {
    /// Film the window into FILE, an animated GIF, and close. The clock goes on by one picture of the film for each frame that is
    /// drawn, so that a slow machine films as smoothly as a fast one. A FILE that ends in .png gets one picture
    #[arg(help_heading = FILMS, long, value_name = "FILE", value_parser = film_file)]
    pub film: Option<PathBuf>,
    /// Seconds of the scene before the first picture [default: 0]
    #[arg(help_heading = FILMS, long, value_name = "S", requires = "film", value_parser = from)]
    pub film_from: Option<f32>,
    /// Seconds that the film shows [default: 6]
    #[arg(help_heading = FILMS, long, value_name = "S", requires = "film", value_parser = seconds)]
    pub film_seconds: Option<f32>,
    /// Pictures in a second; a GIF shows each for whole hundredths of a second [default: 20]
    #[arg(help_heading = FILMS, long, value_name = "N", requires = "film", value_parser = rate)]
    pub film_rate: Option<f32>,
    /// Width of the film in pixels; its height follows from the window [default: 480]
    #[arg(help_heading = FILMS, long, value_name = "W", requires = "film", value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub film_width: Option<u32>,
    /// Press keys, each at a second of the scene: 1:Enter,2.5:KeyC. The names of keys are those of Bevy's KeyCode
    #[arg(help_heading = FILMS, long, value_name = "S:KEY", requires = "film", value_delimiter = ',')]
    pub film_press: Vec<Press>,
    /// Leave out the texts and the panels
    #[arg(help_heading = FILMS, long, requires = "film")]
    pub film_without_panels: bool,
}

impl FilmOptions {
    pub(super) fn from(&self) -> f32 {
        self.film_from.unwrap_or(0.0)
    }

    pub(super) fn seconds(&self) -> f32 {
        self.film_seconds.unwrap_or(6.0)
    }

    pub(super) fn width(&self) -> u32 {
        self.film_width.unwrap_or(480)
    }

    /// Hundredths of a second that a picture is shown.
    pub(super) fn hundredths(&self) -> u16 {
        (100.0 / self.film_rate.unwrap_or(20.0)).round() as u16
    }

    /// Time from one picture to the next.
    pub(super) fn step(&self) -> Duration {
        Duration::from_millis(10 * u64::from(self.hundredths()))
    }

    /// Frames by which the clock may go on at once.
    pub(super) fn longest_leap(&self) -> u32 {
        u32::from((LONGEST / self.hundredths()).max(1))
    }

    /// The frame nearest to that second, at least one.
    pub(super) fn frames(&self, seconds: f32) -> u32 {
        ((100.0 * seconds / f32::from(self.hundredths())).round() as u32).max(1)
    }
}

/// A key that is pressed in a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// When, in seconds of the scene.
    pub seconds: f32,
    /// The key.
    pub key: KeyCode,
}

impl FromStr for Press {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (seconds, name) = text
            .split_once(':')
            .ok_or("give S:KEY, such as 1.5:Enter")?;
        let mut key = KeyCode::Space;
        key.try_apply(&DynamicEnum::new(name, DynamicVariant::Unit))
            .map_err(|_| format!("`{name}` is no key; Enter, Space, KeyC and Digit1 are"))?;
        let seconds = from(seconds)?;
        Ok(Self { seconds, key })
    }
}

fn film_file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    let ending = file.extension();
    match ending.is_some_and(|ending| ending == "gif" || ending == "png") {
        true => Ok(file),
        false => Err("give a name that ends in .gif or .png".to_owned()),
    }
}

fn from(text: &str) -> Result<f32, String> {
    number(
        text,
        |it| (0.0..=3600.0).contains(&it),
        "number from 0 to 3600 seconds",
    )
}

fn seconds(text: &str) -> Result<f32, String> {
    number(
        text,
        |it| it > 0.0 && it <= 60.0,
        "number above 0 and at most 60 seconds",
    )
}

fn rate(text: &str) -> Result<f32, String> {
    // Down to one in LONGEST.
    number(
        text,
        |it| (4.0..=50.0).contains(&it),
        "number from 4 to 50 pictures",
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Scene {
        #[command(flatten)]
        film: FilmOptions,
    }

    fn parse(words: &str) -> Result<FilmOptions, clap::Error> {
        Scene::try_parse_from(words.split_whitespace()).map(|scene| scene.film)
    }

    #[test]
    fn the_clock_goes_on_by_what_a_gif_shows() -> Result<(), clap::Error> {
        for (rate, ms) in [("20", 50), ("50", 20), ("30", 30), ("12.5", 80)] {
            let film = parse(&format!("scene --film a.gif --film-rate {rate}"))?;
            assert_eq!(film.step(), Duration::from_millis(ms));
            assert_eq!(film.hundredths(), ms as u16 / 10);
        }
        let film = parse("scene --film a.gif")?;
        assert_eq!((film.frames(6.0), film.frames(0.0)), (120, 1));
        Ok(())
    }

    #[test]
    fn keys_have_times_and_bevys_names() -> Result<(), clap::Error> {
        let film = parse("scene --film a.gif --film-press 1:Enter,2.5:KeyC")?;
        let press = |seconds, key| Press { seconds, key };
        assert_eq!(
            film.film_press,
            [press(1.0, KeyCode::Enter), press(2.5, KeyCode::KeyC)]
        );
        for wrong in ["Enter", "x:Enter", "1:Return", "1:Unidentified", "-1:Enter"] {
            assert!(
                parse(&format!("scene --film a.gif --film-press={wrong}")).is_err(),
                "{wrong}"
            );
        }
        Ok(())
    }

    #[test]
    fn a_film_has_a_file_that_can_be_a_film() {
        for wrong in [
            "--film a.mp4",
            "--film gif",
            "--film-seconds 2",
            "--film a.gif --film-rate 60",
        ] {
            assert!(parse(&format!("scene {wrong}")).is_err(), "{wrong}");
        }
    }
}
