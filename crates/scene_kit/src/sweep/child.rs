//! One run of a sweep: the same program once more, as a child process.

use std::{
    env, fs,
    hash::{DefaultHasher, Hasher},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{self, Command, ExitStatus, Stdio},
    thread,
};

use super::{flat::columns, journal::Outcome};

/// The argument that ends a run as soon as its standard input ends.
pub(super) const STOP_WITH_STDIN: &str = "stop-with-stdin";

/// The file of this program. On Linux it stays that of this build, even if another build has replaced it since.
pub fn program() -> Result<PathBuf, String> {
    let itself = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && itself.exists() {
        return Ok(itself.to_owned());
    }
    env::current_exe().map_err(|problem| format!("cannot find this program's file: {problem}"))
}

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

/// Why a run failed, in one line: the message of a panic, else the last error. The same failure gives the same line; so the line
/// above a panic's message is left out, as it has the number of the process.
fn cause(status: ExitStatus, errors: &str) -> String {
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

/// Ends this process when its standard input ends.
pub(super) fn stop_with_stdin() {
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
