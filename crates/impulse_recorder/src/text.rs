//! The text of a recording: a line for each thing, in RON.
//!
//! ```text
//! impulse recording 1
//! version "0.1.0"                       of this crate
//! system "linux x86_64"
//! build 14695981039346656037            a number that stands for the build's physics
//! why "F12"
//! misses "…"                            what the recording cannot hold, if there is something
//! key                                                   a key frame: the world, and later only the motions
//! is Particle [(4294967297,(radius:0.1))]
//! is Gravity ((0.0,-9.81,0.0))
//! set LinearVelocity [(4294967297,((0.0,2.0,0.0)))]     what has come from outside since the step before
//! removed Mass 4294967297
//! despawned 4294967297
//! unset SelfGravity
//! born (4294967297,4294967311)          a body has divided
//! step 16666667 9263740284911202817     nanoseconds, and the hash of the motions after it
//! end                                   and the motions
//! sum 1469598103934665603               of all bytes before this line
//! ```

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use bevy::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    kinds::{Setting, kinds, settings},
    recording::{Header, Recording, Segment, Step},
    state_hash::mix,
    values::Values,
};

/// The first line of each recording, up to the number of the format.
const TITLE: &str = "impulse recording ";

/// The number of the format.
const FORMAT: u32 = 1;

/// Why a recording cannot be read or written.
#[derive(Debug)]
pub enum RecordingError {
    /// The file cannot be read or written.
    File(PathBuf, std::io::Error),
    /// It is something else.
    NoRecording,
    /// It has another format.
    OtherFormat(String),
    /// A line has what this build cannot read.
    Line(usize, String),
    /// Its end is missing, or something in it has changed.
    Damaged,
    /// A value cannot be written.
    Value(ron::Error),
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoRecording => write!(
                f,
                "the file is no recording: its first line is not \"{TITLE}{FORMAT}\""
            ),
            Self::OtherFormat(format) => write!(
                f,
                "the recording has the format {format}, and this version ({version}) reads the format {FORMAT}: play it with the version that wrote it"
            ),
            Self::Line(line, problem) => {
                write!(f, "line {line} of the recording cannot be read: {problem}")
            }
            Self::Damaged => write!(
                f,
                "the recording is damaged: its end is missing, or something in it has changed"
            ),
            Self::Value(error) => write!(f, "a value cannot be written: {error}"),
        }
    }
}

impl std::error::Error for RecordingError {}

impl From<ron::Error> for RecordingError {
    fn from(error: ron::Error) -> Self {
        Self::Value(error)
    }
}

impl Recording {
    /// Reads a file.
    pub fn read(path: impl Into<PathBuf>) -> Result<Self, RecordingError> {
        let path = path.into();
        match std::fs::read(&path) {
            Ok(bytes) => Self::from_text(
                std::str::from_utf8(&bytes).map_err(|_| RecordingError::NoRecording)?,
            ),
            Err(error) => Err(RecordingError::File(path, error)),
        }
    }

    /// The text of a file.
    pub fn to_text(&self) -> Result<String, RecordingError> {
        let mut text = format!("{TITLE}{FORMAT}\n");
        let Header {
            version,
            system,
            build,
            why,
            misses,
        } = &self.header;
        line(&mut text, "version", version)?;
        line(&mut text, "system", system)?;
        line(&mut text, "build", build)?;
        line(&mut text, "why", why)?;
        for miss in misses {
            line(&mut text, "misses", miss)?;
        }
        let (kinds, settings) = (kinds(), settings());
        let is_motion = |values: &&Arc<dyn Values>| {
            let kind = kinds.iter().find(|kind| kind.name == values.name());
            kind.is_some_and(|kind| kind.is_motion)
        };
        for (number, Segment { frame, steps, .. }) in
            self.segments.iter().map(|it| &**it).enumerate()
        {
            text += "key\n";
            let is_first = number == 0;
            // A replay comes to the later ones by itself. It compares the motions.
            let values = frame
                .values
                .iter()
                .filter(|values| is_first || is_motion(values));
            write_values(&mut text, "is", values)?;
            write_settings(&mut text, "is", frame.settings.iter().filter(|_| is_first))?;
            for step in steps {
                let Step {
                    edits,
                    length,
                    hash,
                    born,
                } = step;
                write_values(&mut text, "set", edits.values.iter())?;
                write_settings(&mut text, "set", edits.settings.iter())?;
                for (kind, entity) in &edits.removed {
                    text += &format!("removed {} {}\n", kinds[*kind].name, entity.to_bits());
                }
                for entity in &edits.despawned {
                    line(&mut text, "despawned", entity)?;
                }
                for kind in &edits.unset {
                    text += &format!("unset {}\n", settings[*kind].name);
                }
                for pair in born {
                    line(&mut text, "born", pair)?;
                }
                let hash = hash.map_or("unfinished".to_owned(), |hash| hash.to_string());
                text += &format!("step {} {hash}\n", length.as_nanos());
            }
        }
        text += "end\n";
        write_values(&mut text, "is", self.end.iter())?;
        let sum = sum(&text);
        text += &format!("sum {sum}\n");
        Ok(text)
    }

    /// Reads the text of a file.
    pub fn from_text(text: &str) -> Result<Self, RecordingError> {
        let format = text
            .lines()
            .next()
            .and_then(|first| first.strip_prefix(TITLE));
        let format = format.ok_or(RecordingError::NoRecording)?;
        if format != FORMAT.to_string() {
            return Err(RecordingError::OtherFormat(format.to_owned()));
        }
        let body = text
            .trim_end()
            .rfind('\n')
            .map_or(text, |end| &text[..=end]);
        if text[body.len()..].trim_end() != format!("sum {}", sum(body)) {
            return Err(RecordingError::Damaged);
        }
        Reader::default().read(body)
    }
}

fn line(text: &mut String, word: &str, value: &impl Serialize) -> Result<(), ron::Error> {
    *text += &format!("{word} {}\n", ron::to_string(value)?);
    Ok(())
}

fn write_values<'a>(
    text: &mut String,
    word: &str,
    values: impl Iterator<Item = &'a Arc<dyn Values>>,
) -> Result<(), ron::Error> {
    for values in values {
        *text += &format!("{word} {} {}\n", values.name(), values.text()?);
    }
    Ok(())
}

fn write_settings<'a>(
    text: &mut String,
    word: &str,
    settings: impl Iterator<Item = &'a Arc<dyn Setting>>,
) -> Result<(), ron::Error> {
    for setting in settings {
        *text += &format!("{word} {} {}\n", setting.name(), setting.text()?);
    }
    Ok(())
}

/// The number of the last line, for the bytes before it.
pub fn sum(text: &str) -> u64 {
    text.bytes().fold(0, |sum, byte| mix(sum, byte.into()))
}

/// Where the lines go that come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Header,
    Segment,
    End,
}

struct Reader {
    header: Header,
    segments: Vec<Segment>,
    end: Vec<Arc<dyn Values>>,
    step: Step,
    place: Place,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            header: Header {
                version: String::new(),
                system: String::new(),
                build: 0,
                why: String::new(),
                misses: Vec::new(),
            },
            segments: Vec::new(),
            end: Vec::new(),
            step: Step::default(),
            place: Place::Header,
        }
    }
}

impl Reader {
    fn read(mut self, text: &str) -> Result<Recording, RecordingError> {
        for (number, line) in text.lines().enumerate().skip(1) {
            self.read_line(line).map_err(|problem| {
                let other = match self.header.version == env!("CARGO_PKG_VERSION") {
                    true => String::new(),
                    false => format!(
                        " (it was written by version {}, and this is {})",
                        self.header.version,
                        env!("CARGO_PKG_VERSION")
                    ),
                };
                RecordingError::Line(number + 1, problem + &other)
            })?;
        }
        if self.place != Place::End {
            return Err(RecordingError::Damaged);
        }
        Ok(Recording {
            header: self.header,
            segments: self.segments.into_iter().map(Arc::new).collect(),
            end: self.end,
        })
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, self.place) {
            ("version", Place::Header) => self.header.version = parse(rest)?,
            ("system", Place::Header) => self.header.system = parse(rest)?,
            ("build", Place::Header) => self.header.build = parse(rest)?,
            ("why", Place::Header) => self.header.why = parse(rest)?,
            ("misses", Place::Header) => self.header.misses.push(parse(rest)?),
            ("key", Place::Header | Place::Segment) => {
                self.segments.push(Segment::default());
                self.place = Place::Segment;
            }
            ("is", Place::Segment) => {
                let segment = self.segments.last_mut().ok_or("there is no key frame")?;
                match value(rest)? {
                    Value::Component(values) => segment.frame.values.push(values),
                    Value::Resource(setting) => segment.frame.settings.push(setting),
                }
            }
            ("is", Place::End) => match value(rest)? {
                Value::Component(values) => self.end.push(values),
                Value::Resource(_) => return Err("a resource is no motion".to_owned()),
            },
            ("set", Place::Segment) => match value(rest)? {
                Value::Component(values) => self.step.edits.values.push(values),
                Value::Resource(setting) => self.step.edits.settings.push(setting),
            },
            ("removed", Place::Segment) => {
                let (name, entity) = rest.split_once(' ').ok_or("no entity")?;
                let kind = kinds().iter().position(|kind| kind.name == name);
                let kind = kind.ok_or_else(|| unknown(name))?;
                self.step.edits.removed.push((kind, parse(entity)?));
            }
            ("despawned", Place::Segment) => self.step.edits.despawned.push(parse(rest)?),
            ("unset", Place::Segment) => {
                let kind = settings().iter().position(|kind| kind.name == rest);
                self.step
                    .edits
                    .unset
                    .push(kind.ok_or_else(|| unknown(rest))?);
            }
            ("born", Place::Segment) => self.step.born.push(parse(rest)?),
            ("step", Place::Segment) => {
                let (length, hash) = rest.split_once(' ').ok_or("no hash")?;
                let mut step = std::mem::take(&mut self.step);
                step.length = Duration::from_nanos(parse(length)?);
                step.hash = match hash {
                    "unfinished" => None,
                    hash => Some(parse(hash)?),
                };
                let segment = self.segments.last_mut().ok_or("there is no key frame")?;
                segment.length += step.length;
                segment.steps.push(step);
            }
            ("end", Place::Segment) => self.place = Place::End,
            _ => return Err(format!("\"{word}\" is not known here")),
        }
        Ok(())
    }
}

enum Value {
    Component(Arc<dyn Values>),
    Resource(Arc<dyn Setting>),
}

/// The name of a component or a resource, and what it is.
fn value(text: &str) -> Result<Value, String> {
    let (name, text) = text.split_once(' ').ok_or("no value")?;
    let told = |error: ron::error::SpannedError| format!("{name}: {error}");
    if let Some(kind) = kinds().iter().find(|kind| kind.name == name) {
        return (kind.read)(text).map(Value::Component).map_err(told);
    }
    let settings = settings();
    let kind = settings.iter().find(|kind| kind.name == name);
    let kind = kind.ok_or_else(|| unknown(name))?;
    (kind.read)(text).map(Value::Resource).map_err(told)
}

fn unknown(name: &str) -> String {
    format!("this version knows no {name}")
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}
