//! The command line of the gallery.

use bevy::prelude::*;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches, builder::PossibleValuesParser};
use scene_kit::{
    child, console,
    film::FilmOptions,
    way_back::{Place, opened_by_gallery},
};

use crate::{
    scenes::{SCENES, find},
    shooting, window,
};

/// The option with which the gallery starts a scene.
pub(crate) const OPENED_AT: &str = "opened-at";

/// How the gallery is run, unless it is a scene that runs.
#[derive(Args)]
struct Options {
    /// The gallery opens the scene, and its window is there
    #[arg(long = OPENED_AT, hide = true, value_name = "PLACE")]
    opened_at: Option<Place>,
    #[command(flatten)]
    film: FilmOptions,
}

fn command() -> Command {
    let names = || SCENES.iter().map(|scene| scene.name);
    let some = |what| {
        Arg::new("scenes")
            .value_name(what)
            .action(ArgAction::Append)
    };
    let about = "All scenes as pictures: a click opens a scene, and a click comes back.";
    let command = Options::augment_args(Command::new("gallery"))
        .about(about)
        .subcommand_help_heading("Scenes, and what else it does")
        .subcommand_value_name("SCENE [OPTIONS]")
        .disable_help_subcommand(true);
    let scenes = SCENES.iter().map(|scene| {
        let words = Arg::new("options")
            .num_args(0..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true);
        // The scene has a help of its own.
        Command::new(scene.name)
            .about(scene.sentence)
            .disable_help_flag(true)
            .arg(words)
    });
    let pictures = Command::new("pictures")
        .about("Take the pictures of these scenes anew, or those of all, into assets/gallery")
        .arg(some("SCENE").value_parser(PossibleValuesParser::new(names())));
    let films = Command::new("films")
        .about("Take these films of the README anew, or all, into docs/pictures")
        .arg(some("FILM").value_parser(PossibleValuesParser::new(shooting::films())));
    command.subcommands(scenes).subcommands([pictures, films])
}

/// Runs the gallery, or the scene that the command line names.
pub fn main() -> AppExit {
    let matches = command()
        .try_get_matches_from(console::arguments())
        .unwrap_or_else(|problem| console::exit_with(&problem));
    let options =
        Options::from_arg_matches(&matches).unwrap_or_else(|problem| console::exit_with(&problem));
    let Some((name, words)) = matches.subcommand() else {
        return window::open();
    };
    if options.film.film.is_some() {
        console::tell_error(
            "--film before a scene's name films the gallery; give it after the name",
        );
        return AppExit::error();
    }
    if let Some(scene) = find(name) {
        if let Some(place) = options.opened_at {
            opened_by_gallery(place);
            child::stop_with_stdin();
        }
        return scene.run();
    }
    let names = words.get_many::<String>("scenes").into_iter().flatten();
    let names: Vec<&str> = names.map(String::as_str).collect();
    let done = match name {
        "films" => shooting::take_films(&names),
        _ => shooting::take_pictures(&names),
    };
    match done {
        Ok(()) => AppExit::Success,
        Err(problem) => {
            console::tell_error(&problem);
            AppExit::error()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_scene_is_the_scenes() {
        command().debug_assert();
        for line in [
            "gallery planet --help",
            "gallery pile --balls 5 --headless",
            "gallery flat",
        ] {
            let matches = command().try_get_matches_from(line.split(' ')).unwrap();
            let (name, words) = matches.subcommand().unwrap();
            let words = words.get_many::<String>("options").into_iter().flatten();
            let words = words.fold(format!("gallery {name}"), |line, word| {
                format!("{line} {word}")
            });
            assert_eq!(words, line);
        }
        assert!(
            command()
                .try_get_matches_from(["gallery", "plane"])
                .is_err()
        );
    }
}
