//! Shots as files: the places of the balls, the state of the rules, and the blow. Played from its file a shot ends in the same bits
//! as it did when it was saved.

use std::{fs, path::Path};

use bevy::prelude::*;
use clap::ValueEnum;
use scene_kit::app::rate;
use serde::{Deserialize, Serialize};

use super::{
    blow::{Blow, MISCUE},
    cue::Cue,
    history::{self, History},
    matches::Match,
    snapshot::{Lying, Present, Snapshot},
    state::Shot,
};
use crate::{
    rules::{Ball, BallSet},
    table::{
        bed::Table,
        cushion::CUSHION_DEPTH,
        spec::{TableKind, TableSpec},
    },
};

/// A shot to keep.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The table, by the name that the command line has for it.
    pub table: String,
    /// Fixed steps per second that it is played with.
    pub hz: f64,
    /// The game before the shot.
    pub before: Snapshot,
    /// The shot.
    pub blow: WrittenBlow,
}

/// A [`Blow`] in a file; see there.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub struct WrittenBlow {
    direction: [f32; 2],
    elevation: f32,
    tip: [f32; 2],
    speed: f32,
}

impl From<Blow> for WrittenBlow {
    fn from(blow: Blow) -> Self {
        Self {
            direction: blow.direction.to_array(),
            elevation: blow.elevation,
            tip: blow.tip.to_array(),
            speed: blow.speed,
        }
    }
}

impl From<WrittenBlow> for Blow {
    fn from(written: WrittenBlow) -> Self {
        Self {
            direction: written.direction.into(),
            elevation: written.elevation,
            tip: written.tip.into(),
            speed: written.speed,
        }
    }
}

impl Sheet {
    /// The last shot that was played, be it taken back since, or the one that the cue is held for; none if there is no cue ball.
    pub fn of(world: &World) -> Option<Self> {
        let last = world.resource::<History>().to_keep().cloned();
        let (before, blow) = match last {
            Some(shot) => shot,
            None => {
                let before = world.resource::<Present>().0.clone()?;
                let cue = world.resource::<Cue>();
                let blow = cue.blow_in(&before, world.resource::<Table>(), cue.pull())?;
                (before, blow)
            }
        };
        Some(Self {
            table: name_of(world.resource::<Table>().spec)?,
            hz: rate(world.resource()),
            before,
            blow: blow.into(),
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let in_file = |problem: String| format!("{}: {problem}", path.display());
        let text = fs::read_to_string(path).map_err(|problem| in_file(problem.to_string()))?;
        Self::parse(&text).map_err(in_file)
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let sheet: Self = serde_json::from_str(text).map_err(|problem| problem.to_string())?;
        sheet.check()?;
        Ok(sheet)
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        self.text()
            .and_then(|text| fs::write(path, text + "\n").map_err(|problem| problem.to_string()))
            .map_err(|problem| format!("{}: {problem}", path.display()))
    }

    /// The text of its file.
    pub fn text(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|problem| problem.to_string())
    }

    /// The table.
    pub fn kind(&self) -> Result<TableKind, String> {
        TableKind::from_str(&self.table, false)
            .map_err(|_| format!("table: there is no `{}`", self.table))
    }

    fn check(&self) -> Result<(), String> {
        let spec = self.kind()?.spec();
        let edge = spec.half + CUSHION_DEPTH;
        for lying in self.before.lying.iter().chain(&self.before.before_shot) {
            let Ball(number) = lying.ball;
            let at = Vec3::from(lying.at);
            if !(at.is_finite() && at.xz().abs().cmple(edge).all()) {
                return Err(format!(
                    "ball {number} lies at {at}, which is not on the table"
                ));
            }
            if Quat::from_array(lying.turned).length_squared().is_nan() {
                return Err(format!("ball {number}: its rotation is no quaternion"));
            }
        }
        let balls = |lying: &[Lying]| lying.iter().map(|lying| lying.ball).collect::<BallSet>();
        let seen = balls(&self.before.lying);
        if !seen.contains(Ball::CUE) {
            return Err("there is no cue ball (0) on the table".to_owned());
        }
        let object_balls = seen.difference(BallSet::one(Ball::CUE));
        if let Some(frame) = &self.before.frame
            && frame.balls() != object_balls
        {
            return Err(format!(
                "the rules know the balls {:?} on the table, but {object_balls:?} lie there",
                frame.balls()
            ));
        }
        if let Some(frame) = &self.before.frame
            && frame.turn().offers_play_again()
            && balls(&self.before.before_shot)
                != frame.balls_before().union(BallSet::one(Ball::CUE))
        {
            return Err("nothing says where the balls lay before the last shot".to_owned());
        }
        let blow = Blow::from(self.blow);
        let finite = blow.elevation.is_finite() && blow.speed.is_finite() && blow.tip.is_finite();
        if !finite || (blow.direction.length() - 1.0).abs() > 1e-3 || blow.tip.length() > MISCUE {
            return Err(format!("no cue can strike like this: {blow:?}"));
        }
        Ok(())
    }

    /// Lays it out in `world`. In a window the cue is held for the shot.
    pub fn open(&self, world: &mut World) {
        let hz = rate(world.resource());
        if (hz / self.hz - 1.0).abs() > 1e-6 {
            warn!(
                "the shot was saved at {} Hz: at {hz} Hz it may go another way",
                self.hz
            );
        }
        history::forget(world);
        world.resource_mut::<Match>().practice = None;
        self.before.put(world);
        let blow = Blow::from(self.blow);
        world.resource_mut::<History>().open(blow);
        let spec = world.resource::<Table>().spec;
        let at_one = Blow::centered(&spec.cue, &spec.ball, Vec2::X, 1.0).speed;
        let mut cue = world.resource_mut::<Cue>();
        *cue = Cue {
            direction: blow.direction,
            tip: blow.tip,
            raised: blow.elevation,
            usual: Cue::pull_for(blow.speed / at_one),
            ..default()
        };
    }

    /// Plays it, in a world in which it is open.
    pub fn play(&self, world: &mut World) {
        world.write_message(Shot(self.blow.into()));
    }
}

fn name_of(spec: &'static TableSpec) -> Option<String> {
    let kinds = TableKind::value_variants().iter();
    let kind = kinds.copied().find(|kind| kind.spec() == spec)?;
    Some(kind.to_possible_value()?.get_name().to_owned())
}
