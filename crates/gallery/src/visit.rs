//! A scene that is open, in a process of its own: a process has one event loop, and a scene is an app.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use scene_kit::{
    child,
    way_back::{OPEN, Place},
};

use crate::{line::OPENED_AT, scenes::Scene};

/// What happens to an open scene.
#[derive(Debug, PartialEq)]
pub(crate) enum News {
    /// Its window shows it.
    Open,
    /// It has ended, well or with a failure that one line tells.
    Ended(Result<(), String>),
}

/// A scene that is open. If it is dropped, the scene ends.
pub(crate) struct Visit {
    pub scene: &'static Scene,
    pub is_open: bool,
    news: Mutex<Receiver<News>>,
    _held: Option<ChildStdin>,
}

impl Visit {
    /// Opens a scene where this window is. `wake` is called when there is news, from another thread.
    pub fn to(
        scene: &'static Scene,
        place: Place,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, String> {
        let mut command = Command::new(child::program()?);
        command
            .arg(format!("--{OPENED_AT}={place}"))
            .arg(scene.name);
        Self::begin(scene, command, wake)
    }

    fn begin(
        scene: &'static Scene,
        mut command: Command,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|problem| format!("cannot start the scene: {problem}"))?;
        let held = child.stdin.take();
        let (sender, news) = channel();
        thread::spawn(move || follow(child, &sender, wake));
        Ok(Self {
            scene,
            is_open: false,
            news: Mutex::new(news),
            _held: held,
        })
    }

    /// What has happened since it was last asked.
    pub fn news(&mut self) -> Vec<News> {
        let news = self.news.get_mut().map(|news| news.try_iter().collect());
        news.unwrap_or_default()
    }
}

/// Passes on what the scene writes, until it ends.
fn follow(mut child: Child, news: &Sender<News>, wake: impl Fn()) {
    let errors = child.stderr.take();
    let errors = thread::spawn(move || errors.map(pass_on).unwrap_or_default());
    for line in child
        .stdout
        .take()
        .into_iter()
        .flat_map(|lines| BufReader::new(lines).lines())
    {
        match line {
            Ok(line) if line == OPEN => {
                // Nobody listens any more if the gallery has gone.
                let _ = news.send(News::Open);
                wake();
            }
            Ok(line) => println!("{line}"),
            Err(_) => break,
        }
    }
    let errors = errors.join().unwrap_or_default();
    let ended = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(child::cause(status, &errors)),
        Err(problem) => Err(problem.to_string()),
    };
    let _ = news.send(News::Ended(ended));
    wake();
}

/// Writes what comes to standard error. Returns it too.
fn pass_on(mut errors: impl Read) -> String {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut part) {
        let _ = io::stderr().write_all(&part[..length]);
        all.extend_from_slice(&part[..length]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::scenes::SCENES;

    /// All news of a program in the place of the scene.
    fn news_of(script: &str) -> Vec<News> {
        let (woken, wakes) = channel();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let mut visit = Visit::begin(&SCENES[0], command, move || woken.send(()).unwrap()).unwrap();
        let mut all = Vec::new();
        while !matches!(all.last(), Some(News::Ended(_))) {
            wakes.recv().unwrap();
            all.extend(visit.news());
        }
        all
    }

    #[test]
    fn a_scene_that_opens_and_ends_is_told() {
        let script = format!("echo loading; echo {OPEN}; echo more");
        assert_eq!(news_of(&script), [News::Open, News::Ended(Ok(()))]);
    }

    #[test]
    fn a_scene_that_fails_says_why() {
        let failed = news_of("echo 'INFO log' >&2; echo 'error: no window' >&2; exit 1");
        assert_eq!(
            failed,
            [News::Ended(Err("exit status: 1: no window".to_owned()))]
        );
    }

    #[test]
    fn a_scene_ends_with_the_gallery() {
        let (woken, wakes) = channel();
        let mut command = Command::new("sh");
        // Until standard input ends, as a scene does.
        command.args(["-c", "cat"]);
        let visit = Visit::begin(&SCENES[0], command, move || woken.send(()).unwrap()).unwrap();
        drop(visit);
        assert!(wakes.recv().is_ok());
    }
}
