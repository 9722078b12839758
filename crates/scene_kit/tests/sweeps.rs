//! Laws of sweeps: a table depends on its file alone.

use std::{
    env, fs,
    io::Read,
    path::{Path, PathBuf},
    process::{self, Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_falling_ball");

/// A folder of this test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("sweeps_{test}_{}", process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.0.join(name), text).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Rows of a table without its head, split at commas.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().skip(1);
    rows.map(|row| row.split(',').collect()).collect()
}

const GRID: &str = "[grid]\nheight = [0.5, 2, 5.0]\nseed = { from = 1, to = 20 }\nseconds = 20";

/// Waits until the journal has so many lines, or the sweep ends.
fn wait_for_lines(folder: &Path, count: usize, sweep: &mut Child) {
    let lines = || {
        let journal = fs::read_to_string(folder.join("fall.csv.partial"));
        journal.map_or(0, |text| text.lines().count())
    };
    while lines() < count && sweep.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_interrupted_sweep_ends_in_the_table_of_one_that_was_not() {
    let folder = Folder::new("interrupted");
    folder.write("fall.toml", GRID);
    assert!(
        folder
            .run("--sweep fall.toml --sweep-table whole.csv")
            .status
            .success()
    );
    let mut interruptions = 0;
    for (count, jobs) in [(4, 1), (10, 3), (18, 2)] {
        let mut sweep = folder
            .command(&format!("--sweep fall.toml --jobs {jobs}"))
            .spawn()
            .unwrap();
        wait_for_lines(&folder.0, count, &mut sweep);
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        let journal = folder.read("fall.csv.partial");
        if journal.lines().count() >= count {
            interruptions += 1;
            // The last line is torn.
            folder.write("fall.csv.partial", &journal[..journal.len() - 9]);
        }
    }
    assert!(interruptions > 0, "the sweep was over each time");
    assert!(folder.run("--sweep fall.toml").status.success());
    assert_eq!(folder.read("fall.csv"), folder.read("whole.csv"));
    assert_eq!(rows(&folder.read("fall.csv")).len(), 60);
    assert!(!folder.has("fall.csv.partial"), "the journal is left over");
}

#[test]
fn rows_are_the_reports_of_their_options() {
    let folder = Folder::new("reports");
    folder.write(
        "fall.toml",
        "[grid]\nheight = [2, 5]\nseed = [7, 8]\nseconds = 1",
    );
    assert!(folder.run("--sweep fall.toml").status.success());
    let table = folder.read("fall.csv");
    let head: Vec<_> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let rows = rows(&table);
    assert_eq!(rows.len(), 4);
    for row in rows {
        let (height, seed) = (row[column("option.height")], row[column("option.seed")]);
        let alone = folder.run(&format!(
            "--headless --seconds 1 --height {height} --seed {seed} --report -"
        ));
        let report: serde_json::Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert_eq!(row[column("state_hash")], report["state_hash"]);
        let end: f64 = row[column("height")].parse().unwrap();
        assert_eq!(end, report["height"].as_f64().unwrap());
        assert_eq!(row[column("error")], "");
    }
}

#[test]
fn a_run_that_fails_is_a_row_and_is_made_again() {
    let folder = Folder::new("fails");
    folder.write(
        "fall.toml",
        "[grid]\nheight-file = ['low', 'high']\nseed = [1, 2]\nseconds = 1",
    );
    folder.write("low", "1");
    let first = folder.run("--sweep fall.toml");
    assert_eq!(first.status.code(), Some(1));
    assert!(
        errors(&first).contains("4 runs, of which 2 failed"),
        "{}",
        errors(&first)
    );
    let table = folder.read("fall.csv");
    let failed: Vec<_> = rows(&table).iter().map(|row| row[3].to_owned()).collect();
    assert!(failed[0].is_empty() && failed[1].is_empty(), "{failed:?}");
    assert!(
        failed[2].contains("no height") && failed[3].contains("no height"),
        "{failed:?}"
    );

    folder.write("high", "9");
    let list = folder.run("--sweep fall.toml --sweep-list");
    assert_eq!(String::from_utf8_lossy(&list.stdout).lines().count(), 2);
    assert!(folder.run("--sweep fall.toml").status.success());
    let table = folder.read("fall.csv");
    assert!(rows(&table).iter().all(|row| row[3].is_empty()), "{table}");
}

#[test]
fn a_crash_of_one_run_leaves_the_others_alone() {
    let folder = Folder::new("crash");
    folder.write(
        "fall.toml",
        "[grid]\ncrash = [false, true]\nseed = [1, 2]\nseconds = 1",
    );
    assert_eq!(folder.run("--sweep fall.toml").status.code(), Some(1));
    let table = folder.read("fall.csv");
    let crashed: Vec<_> = rows(&table).iter().map(|row| !row[3].is_empty()).collect();
    assert_eq!(crashed, [false, false, true, true], "{table}");
}

#[test]
fn runs_made_one_by_one_make_the_same_table() {
    let folder = Folder::new("one_by_one");
    folder.write(
        "fall.toml",
        "[grid]\nheight = [1, 2]\nseed = [1, 2]\nseconds = 1",
    );
    assert!(
        folder
            .run("--sweep fall.toml --sweep-table whole.csv")
            .status
            .success()
    );
    let list = folder.run("--sweep fall.toml --sweep-list");
    let mut journal = folder.read("fall.csv.partial");
    for line in String::from_utf8_lossy(&list.stdout).lines().rev() {
        let listed: serde_json::Value = serde_json::from_str(line).unwrap();
        let one = folder.run(&format!("--sweep fall.toml --sweep-run {}", listed["run"]));
        journal += &String::from_utf8_lossy(&one.stdout);
    }
    assert_eq!(journal.lines().count(), 5);
    folder.write("fall.csv.partial", &journal);
    assert!(folder.run("--sweep fall.toml --jobs 1").status.success());
    assert_eq!(folder.read("fall.csv"), folder.read("whole.csv"));
}

#[test]
fn a_wrong_option_is_told_before_the_first_run() {
    let folder = Folder::new("wrong");
    for (grid, parts) in [
        ("hieght = [1, 2]", ["fall.toml: run 1", "--hieght"]),
        ("height = [1, 'tall']", ["fall.toml: run 2", "tall"]),
        ("seconds = [1, -1]", ["fall.toml: run 2", "--seconds"]),
        ("headless = true", ["fall.toml: grid.headless", "cannot"]),
        ("seed = { from = 3, to = 1 }", ["grid.seed", "`from = 3`"]),
        ("seed = [1", ["fall.toml", "line 2"]),
    ] {
        let output = folder
            .write("fall.toml", &format!("[grid]\n{grid}"))
            .run("--sweep fall.toml");
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{grid}: {errors}");
        assert!(
            parts.iter().all(|part| errors.contains(part)),
            "{grid}: {errors}"
        );
        assert!(
            !folder.has("fall.csv.partial") && !folder.has("fall.csv"),
            "{grid}"
        );
    }
    folder.write("fall.toml", "[grid]\nseed = 1");
    for (arguments, part) in [
        ("--sweep fall.toml --seed 3", "--seed"),
        ("--sweep none.toml", "none.toml"),
        ("--sweep fall.toml --sweep-run 2", "--sweep-run 2"),
        ("--sweep fall.toml --sweep-table ./fall.toml", "replace"),
        ("--jobs 2", "--sweep"),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(
            errors(&output).contains(part),
            "{arguments}: {}",
            errors(&output)
        );
    }
}

#[test]
fn a_run_ends_with_the_sweep_that_made_it() {
    // Ten simulated days: longer than any test may take.
    let arguments = "--headless --seconds 864000 --hz 1000 --stop-with-stdin";
    let folder = Folder::new("ends");
    let mut run = folder
        .command(arguments)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    drop(run.stdin.take());
    let mut errors = String::new();
    run.stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert!(!run.wait().unwrap().success(), "{errors}");
}
