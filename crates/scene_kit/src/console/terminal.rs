//! A scene in a terminal.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
};

/// The words of the command line; the first one is the program.
pub fn arguments() -> Vec<OsString> {
    env::args_os().collect()
}

/// Where results are written.
pub fn output() -> impl Write {
    io::stdout()
}

/// Says why something failed.
pub fn tell_error(problem: &str) {
    eprintln!("error: {problem}");
}

/// Says what is wrong with the arguments, or the help that they ask for, and ends the program.
pub fn exit_with(problem: &clap::Error) -> ! {
    problem.exit()
}
