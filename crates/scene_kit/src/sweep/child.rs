//! One run of a sweep, as a child process.

use std::{
    fs,
    hash::{DefaultHasher, Hasher},
    io::{self, Read},
    path::Path,
    process::{Command, Stdio},
};

use super::{flat::columns, journal::Outcome};
use crate::{
    child::{cause, program},
    console,
};

/// The argument that ends a run as soon as its standard input ends.
pub(super) const STOP_WITH_STDIN: &str = "stop-with-stdin";

/// A hash of the file of this program: another build has another.
pub fn program_hash() -> Result<String, String> {
    let unreadable = |problem: io::Error| format!("cannot read this program's file: {problem}");
    let mut file = fs::File::open(program()?).map_err(unreadable)?;
    let mut hasher = DefaultHasher::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part).map_err(unreadable)? {
            0 => return Ok(format!("{:016x}", hasher.finish())),
            length => hasher.write(&part[..length]),
        }
    }
}

/// Runs `program` headless with these arguments, on one thread, until it ends.
pub fn make(program: &Path, arguments: &[String]) -> Outcome {
    try_make(program, arguments).unwrap_or_else(Outcome::Error)
}

fn try_make(program: &Path, arguments: &[String]) -> Result<Outcome, String> {
    let mut child = Command::new(program)
        .args(console::scene())
        .args(["--headless", "--threads=1", "--report=-"])
        .arg(format!("--{STOP_WITH_STDIN}"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|problem| format!("cannot start the run: {problem}"))?;
    // The system closes this end when this process ends, even if it is killed. The run then stops too.
    let held = child.stdin.take();
    let output = child.wait_with_output();
    drop(held);
    let output = output.map_err(|problem| format!("cannot read the report: {problem}"))?;
    if output.status.success() {
        return columns(&output.stdout).map(Outcome::Report);
    }
    Err(cause(
        output.status,
        &String::from_utf8_lossy(&output.stderr),
    ))
}
