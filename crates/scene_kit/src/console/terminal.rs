//! A scene in a terminal.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
};

/// The words of the command line. The first one is the program, or the scene in a program that holds many.
pub fn arguments() -> Vec<OsString> {
    let words = env::args_os();
    match super::scene() {
        None => words.collect(),
        Some(scene) => words.skip_while(|word| word != scene).collect(),
    }
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
