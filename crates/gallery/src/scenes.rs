//! The list of scenes. Each is an example of its own too.

use bevy::prelude::*;

#[path = "../../../examples/billiards.rs"]
mod billiards;
#[path = "../../../examples/bounce.rs"]
mod bounce;
#[path = "../../../examples/bowling.rs"]
mod bowling;
#[path = "../../../examples/colony.rs"]
mod colony;
#[path = "../../../examples/cradle.rs"]
mod cradle;
#[path = "../../../examples/flat.rs"]
mod flat;
#[path = "../../../examples/gas.rs"]
mod gas;
#[path = "../../../examples/gltf.rs"]
mod gltf;
#[path = "../../../examples/lab.rs"]
mod lab;
#[path = "../../../examples/machines.rs"]
mod machines;
#[path = "../../../examples/marbles.rs"]
mod marbles;
#[path = "../../../examples/pi.rs"]
mod pi;
#[path = "../../../examples/pile.rs"]
mod pile;
#[path = "../../../examples/pinball.rs"]
mod pinball;
#[path = "../../../examples/planet.rs"]
mod planet;
#[path = "../../../examples/rubble.rs"]
mod rubble;

/// A scene.
pub struct Scene {
    /// Its name: that of the example.
    pub name: &'static str,
    /// What it shows, in one sentence or two.
    pub sentence: &'static str,
    /// Runs it by the command line, or by the address of the page.
    pub main: fn() -> AppExit,
    /// The options with which its picture is taken.
    pub picture: &'static str,
    /// Its picture, as a PNG.
    #[cfg(not(target_arch = "wasm32"))]
    pub png: &'static [u8],
}

/// All scenes, in the order in which they are shown.
pub static SCENES: [Scene; 16] = [
    Scene {
        name: "billiards",
        sentence: "Eight-ball, nine-ball, ten-ball, straight pool, snooker, three-cushion, a free table or drills, against the computer too.",
        main: billiards::main,
        picture: "--shot assets/shots/break.json --film-press 0.5:Enter --film-from 1.6 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/billiards.png"),
    },
    Scene {
        name: "pinball",
        sentence: "A pinball table with two flippers. C lets the computer play.",
        main: pinball::main,
        picture: "--demo --film-from 5 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/pinball.png"),
    },
    Scene {
        name: "bowling",
        sentence: "Ten-pin bowling by the rules, on a lane with oil.",
        main: bowling::main,
        picture: "--demo --film-from 5",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/bowling.png"),
    },
    Scene {
        name: "machines",
        sentence: "Joints at work: a wrecking ball on a chain, a hanging bridge, ragdolls on stairs, a car to drive.",
        main: machines::main,
        picture: "--film-from 1.8 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/machines.png"),
    },
    Scene {
        name: "marbles",
        sentence: "A marble run with a spiral, a loop, a jump, a lift and a Galton board.",
        main: marbles::main,
        picture: "--film-press 5:Escape --film-from 12 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/marbles.png"),
    },
    Scene {
        name: "pile",
        sentence: "Thousands of balls are poured into a box.",
        main: pile::main,
        picture: "--balls 3000 --film-from 2.5 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/pile.png"),
    },
    Scene {
        name: "planet",
        sentence: "A thousand balls fall together under their own gravity. C throws a comet.",
        main: planet::main,
        picture: "--comet 2 --film-from 8.4 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/planet.png"),
    },
    Scene {
        name: "rubble",
        sentence: "Boulders of many balls fall together into a pile that friction holds.",
        main: rubble::main,
        picture: "--film-from 12 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/rubble.png"),
    },
    Scene {
        name: "colony",
        sentence: "One cell grows and divides into thousands.",
        main: colony::main,
        picture: "--cells 1024 --film-from 34 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/colony.png"),
    },
    Scene {
        name: "lab",
        sentence: "One world by six methods side by side.",
        main: lab::main,
        picture: "--film-from 6",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/lab.png"),
    },
    Scene {
        name: "gas",
        sentence: "Elastic balls in a box find the speeds of Maxwell and Boltzmann.",
        main: gas::main,
        picture: "--film-from 2",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/gas.png"),
    },
    Scene {
        name: "cradle",
        sentence: "Newton's cradle.",
        main: cradle::main,
        picture: "--film-from 0.8 --film-without-panels",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/cradle.png"),
    },
    Scene {
        name: "bounce",
        sentence: "Balls with different restitutions, each beside its exact height.",
        main: bounce::main,
        picture: "--film-from 1.3",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/bounce.png"),
    },
    Scene {
        name: "pi",
        sentence: "Two balls and a wall: the number of collisions gives the digits of π.",
        main: pi::main,
        picture: "--film-from 2",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/pi.png"),
    },
    Scene {
        name: "gltf",
        sentence: "A skate bowl from a glTF file, in which marbles roll.",
        main: gltf::main,
        picture: "--film-from 9",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/gltf.png"),
    },
    Scene {
        name: "flat",
        sentence: "A flat game with Bevy's 2D camera.",
        main: flat::main,
        picture: "--film-from 3",
        #[cfg(not(target_arch = "wasm32"))]
        png: include_bytes!("../../../assets/gallery/flat.png"),
    },
];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

impl Scene {
    /// Runs it, in this process.
    pub fn run(&'static self) -> AppExit {
        scene_kit::console::choose_scene(self.name);
        (self.main)()
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn read(file: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        fs::read_to_string(root.join(file)).unwrap()
    }

    #[test]
    fn every_example_but_the_gallery_is_a_scene() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        let examples: BTreeSet<String> = files
            .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| !["gallery", "replay"].contains(&name.as_str()))
            .collect();
        let scenes: BTreeSet<String> = SCENES.iter().map(|scene| scene.name.to_owned()).collect();
        assert_eq!(examples, scenes);
    }

    #[test]
    fn the_readme_has_each_scene() {
        let readme = read("README.md");
        for Scene { name, .. } in &SCENES {
            let command = format!("`cargo run --example {name}`");
            assert!(readme.contains(&command), "README.md lacks {command}");
        }
    }

    /// In the same order, with the same sentence and the same picture.
    #[test]
    fn the_list_of_pages_is_this_list() {
        let page = read("web/page/index.html");
        let entries = page.split("<li>").skip(1);
        let entries: Vec<&str> = entries
            .map(|entry| entry.split("</li>").next().unwrap())
            .collect();
        assert_eq!(entries.len(), SCENES.len());
        for (entry, Scene { name, sentence, .. }) in entries.into_iter().zip(&SCENES) {
            let opens = [
                format!("\"scene.html?{name}\""),
                format!("\"scene.html?{name}&amp;"),
            ];
            assert!(
                opens.iter().any(|it| entry.contains(it)),
                "{entry} is not {name}"
            );
            for part in [
                format!("<b>{name}</b>"),
                (*sentence).to_owned(),
                format!("pictures/{name}.png"),
            ] {
                assert!(entry.contains(&part), "{entry} lacks {part}");
            }
        }
    }
}
