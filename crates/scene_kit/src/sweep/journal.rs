//! The journal of a sweep: one line for each finished run, so that an interrupted sweep goes on where it stopped.
//!
//! Its first line names the program. A line is written at once; a line that is torn, because the power failed, is as if it were not
//! there, and its run is made again.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// A finished run.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The arguments of the run. They name it, so that its place in the grid may change.
    pub arguments: Vec<String>,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Name and text of each value of its report.
    Report(Vec<(String, String)>),
    /// Why it has no report.
    Error(String),
}

#[derive(Serialize, Deserialize)]
struct Head {
    program: String,
}

/// The finished runs of a sweep, in memory and in a file.
pub struct Journal {
    path: PathBuf,
    file: File,
    outcomes: HashMap<Vec<String>, Outcome>,
}

impl Journal {
    /// Opens the journal of a program, or begins it. No other process can open it until this one ends.
    ///
    /// # Errors
    ///
    /// If another process has it open, if it is of another program, or if the file cannot be read or written.
    pub fn open(path: &Path, program: &str) -> Result<Self, String> {
        let named = |problem: io::Error| format!("{}: {problem}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(named)?;
        file.try_lock().map_err(|problem| match problem {
            fs::TryLockError::WouldBlock => {
                format!("another sweep is writing {}", path.display())
            }
            fs::TryLockError::Error(problem) => named(problem),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(named)?;
        let last_end = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(last_end.map_or(0, |end| end + 1));
        file.set_len(bytes.len() as u64).map_err(named)?;
        file.seek(io::SeekFrom::End(0)).map_err(named)?;

        let mut journal = Self {
            path: path.to_owned(),
            file,
            outcomes: HashMap::new(),
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        match lines.next() {
            None => journal.write(&Head {
                program: program.to_owned(),
            })?,
            Some(head) if !is_of(head, program) => {
                return Err(format!(
                    "{} has runs of another build of this program, which may end otherwise; remove it to make all runs again",
                    path.display()
                ));
            }
            Some(_) => {}
        }
        for line in lines.filter_map(|line| serde_json::from_str(line).ok()) {
            journal.remember(line);
        }
        Ok(journal)
    }

    /// How the run with these arguments ended, if it has.
    pub fn outcome(&self, arguments: &[String]) -> Option<&Outcome> {
        self.outcomes.get(arguments)
    }

    /// Whether the run with these arguments has a report. A run that failed is worth another try.
    pub fn has_report(&self, arguments: &[String]) -> bool {
        matches!(self.outcome(arguments), Some(Outcome::Report(_)))
    }

    /// Adds a finished run.
    pub fn add(&mut self, line: Line) -> Result<(), String> {
        self.write(&line)?;
        self.remember(line);
        Ok(())
    }

    /// Ends the journal, and removes its file.
    pub fn remove(self) -> Result<(), String> {
        let cannot = |problem| format!("cannot remove {}: {problem}", self.path.display());
        fs::remove_file(&self.path).map_err(cannot)
    }

    /// What a report says stays: only an error is replaced.
    fn remember(&mut self, line: Line) {
        if !self.has_report(&line.arguments) {
            self.outcomes.insert(line.arguments, line.outcome);
        }
    }

    /// In one call, so that no other line gets between.
    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        text.and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()))
            .map_err(|problem| format!("cannot write {}: {problem}", self.path.display()))
    }
}

fn is_of(head: &str, program: &str) -> bool {
    serde_json::from_str(head).is_ok_and(|head: Head| head.program == program)
}

#[cfg(test)]
mod tests {
    use std::{env, process};

    use proptest::prelude::*;

    use super::*;

    /// A file name of this test's own.
    fn path(test: &str) -> PathBuf {
        let path = env::temp_dir().join(format!("scene_kit_{test}_{}", process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn line(seed: usize, outcome: Outcome) -> Line {
        let arguments = vec![format!("--seed={seed}"), "--name=\"ä, ö\"\n".to_owned()];
        Line { arguments, outcome }
    }

    fn report(seed: usize) -> Outcome {
        Outcome::Report(vec![("seed".to_owned(), seed.to_string())])
    }

    #[test]
    fn a_journal_is_for_one_process_and_one_program() {
        let path = path("one_program");
        let journal = Journal::open(&path, "first");
        assert!(journal.is_ok());
        assert!(Journal::open(&path, "first").is_err());
        drop(journal);
        assert!(Journal::open(&path, "second").is_err());
        Journal::open(&path, "first").unwrap().remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_report_replaces_an_error_and_stays() {
        let path = path("replaces");
        let mut journal = Journal::open(&path, "program").unwrap();
        let error = || Outcome::Error("it fell".to_owned());
        let arguments = line(1, error()).arguments;
        for (next, kept) in [
            (error(), error()),
            (report(1), report(1)),
            (error(), report(1)),
        ] {
            journal.add(line(1, next)).unwrap();
            assert_eq!(journal.outcome(&arguments), Some(&kept));
        }
        drop(journal);
        let journal = Journal::open(&path, "program").unwrap();
        assert_eq!(journal.outcome(&arguments), Some(&report(1)));
        journal.remove().unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Wherever a journal is cut off, its whole lines are there, and new lines can follow.
        #[test]
        fn a_torn_line_is_as_if_it_were_not_there(cut in 0.0..1.0) {
            const RUNS: usize = 5;
            let path = path("torn");
            let mut journal = Journal::open(&path, "program").unwrap();
            for seed in 0..RUNS {
                journal.add(line(seed, report(seed))).unwrap();
            }
            drop(journal);
            let bytes = fs::read(&path).unwrap();
            let kept = &bytes[..(cut * bytes.len() as f64) as usize];
            fs::write(&path, kept).unwrap();
            let lines = kept.iter().filter(|byte| **byte == b'\n').count();
            let whole = lines.saturating_sub(1);
            for again in [false, true] {
                let mut journal = Journal::open(&path, "program").unwrap();
                for seed in 0..RUNS {
                    let arguments = line(seed, report(seed)).arguments;
                    prop_assert_eq!(journal.has_report(&arguments), again || seed < whole);
                    journal.add(line(seed, report(seed))).unwrap();
                }
            }
            prop_assert!(fs::remove_file(&path).is_ok());
        }
    }
}
