//! The same program once more, as a child process.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::{self, ExitStatus},
    thread,
};

/// The file of this program. On Linux it stays that of this build, even if another build has replaced it since.
pub fn program() -> Result<PathBuf, String> {
    let itself = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && itself.exists() {
        return Ok(itself.to_owned());
    }
    env::current_exe().map_err(|problem| format!("cannot find this program's file: {problem}"))
}

/// Why a child failed, in one line: the message of a panic, else the last error. The same failure gives the same line; so the line
/// above a panic's message is left out, as it has the number of the process.
pub fn cause(status: ExitStatus, errors: &str) -> String {
    let mut lines = errors.lines();
    let panicked = lines.find(|line| line.contains(" panicked at "));
    let message = panicked.and_then(|_| lines.next()).or_else(|| {
        let mut lines = errors.lines().rev();
        lines.find_map(|line| line.strip_prefix("error: "))
    });
    match message {
        Some(message) => format!("{}: {}", status, message.trim()),
        None => status.to_string(),
    }
}

/// Ends this process when its standard input ends. A parent that holds the other end of it ends its child so, even if it is killed.
pub fn stop_with_stdin() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(1);
    });
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn a_failure_is_one_line_without_the_number_of_its_process() {
        let failed = ExitStatus::from_raw(101 << 8);
        let panic = |id| {
            format!(
                "INFO log\nthread 'main' ({id}) panicked at src/main.rs:2:3:\nno room\nnote: run\nerror: later\n"
            )
        };
        assert_eq!(cause(failed, &panic(7)), cause(failed, &panic(8)));
        assert_eq!(cause(failed, &panic(7)), "exit status: 101: no room");
        assert_eq!(
            cause(failed, "error: first\nerror: last\n"),
            "exit status: 101: last"
        );
        assert_eq!(cause(ExitStatus::from_raw(9), ""), "signal: 9 (SIGKILL)");
    }
}
