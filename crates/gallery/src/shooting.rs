//! Takes the scenes' pictures and the README's films anew, each in a process of its own.

use std::{path::Path, process::Command};

use scene_kit::child;

use crate::scenes::SCENES;

/// Where scenes look for the files that their options name.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A film of the README.
struct Film {
    /// Its file is `docs/pictures/NAME.gif`.
    name: &'static str,
    /// The scene, and its options.
    line: &'static str,
}

const FILMS: [Film; 3] = [
    Film {
        name: "billiards",
        line: "billiards --shot assets/shots/break.json --film-press 1.2:Enter --film-from 0.2 --film-without-panels",
    },
    Film {
        name: "planet",
        line: "planet --comet 2 --film-from 7.4 --film-seconds 5 --film-width 400 --film-without-panels",
    },
    Film {
        name: "marbles",
        line: "marbles --film-from 1 --film-seconds 5 --film-rate 12.5 --film-width 400 --film-without-panels",
    },
];

/// Width of a scene's picture, in pixels.
const WIDTH: &str = "400";

/// The names of the films.
pub(crate) fn films() -> [&'static str; FILMS.len()] {
    FILMS.map(|film| film.name)
}

/// Takes these films, or all.
pub(crate) fn take_films(names: &[&str]) -> Result<(), String> {
    for film in &FILMS {
        if names.is_empty() || names.contains(&film.name) {
            let file = format!("docs/pictures/{}.gif", film.name);
            take(film.line.split(' '), &file)?;
        }
    }
    Ok(())
}

/// Takes the pictures of these scenes, or of all.
pub(crate) fn take_pictures(names: &[&str]) -> Result<(), String> {
    for scene in &SCENES {
        if names.is_empty() || names.contains(&scene.name) {
            let words = [scene.name].into_iter().chain(scene.picture.split(' '));
            let file = format!("assets/gallery/{}.png", scene.name);
            // One frame needs no smooth way to it.
            let words = words.chain(["--film-width", WIDTH, "--film-rate", "10"]);
            take(words, &file)?;
        }
    }
    Ok(())
}

fn take<'a>(words: impl Iterator<Item = &'a str>, file: &str) -> Result<(), String> {
    let status = Command::new(child::program()?)
        .args(words)
        .args(["--film", file])
        .current_dir(Path::new(ROOT))
        .status()
        .map_err(|problem| format!("cannot start the scene: {problem}"))?;
    if !status.success() {
        return Err(format!("{file} is not taken: {status}"));
    }
    println!("{file}");
    Ok(())
}
