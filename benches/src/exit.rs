//! How a program of this folder ends.

use std::{fmt::Display, process::ExitCode};

/// Success, or failure with a line that tells the problem.
pub fn exit_code(done: Result<(), impl Display>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
