//! The laboratory: one world, stepped by up to six methods side by side.
//!
//! `method` lists the methods and `scene` the worlds. `world` is one world under one method, in an app of its own, and
//! `figures` its measurements. `view` shows the worlds in a window; `report` runs all of them without one.

mod figures;
mod method;
mod plots;
mod report;
mod scene;
#[cfg(test)]
mod tests;
mod view;
mod world;

use std::path::PathBuf;

use clap::Args;

use self::{
    method::{Method, PLANETS, STEPPERS},
    scene::{SCENES, Scene},
};
pub use self::{report::run_lab, view::LabPlugin};

/// Command line options of the laboratory.
#[derive(Args, Clone, Debug)]
pub struct LabOptions {
    /// Scene to run; headless, `all` runs every one
    #[arg(long, value_name = "NAME", default_value = "ball", value_parser = scene_name())]
    pub scene: String,
    /// Methods to run, with commas between them; `all` runs every one that suits the scene
    #[arg(long, value_name = "NAMES", default_value = "all", value_delimiter = ',', value_parser = method_name())]
    pub method: Vec<String>,
    /// Metres from the origin at which the scene stands
    #[arg(long, value_name = "M", default_value_t = 0.0, value_parser = scene_kit::number::finite, allow_negative_numbers = true)]
    pub far: f32,
    /// Write the tables to FILE as Markdown; '-' is standard output
    #[arg(help_heading = scene_kit::options::RESEARCH, long, value_name = "FILE", requires = "headless")]
    pub table: Option<PathBuf>,
    /// Write the curves to FOLDER as SVG
    #[arg(help_heading = scene_kit::options::RESEARCH, long, value_name = "FOLDER", requires = "headless")]
    pub plots: Option<PathBuf>,
}

fn scene_name() -> clap::builder::PossibleValuesParser {
    let names = SCENES.iter().map(|scene| scene.name).chain(["all"]);
    clap::builder::PossibleValuesParser::new(names)
}

fn method_name() -> clap::builder::PossibleValuesParser {
    let mut names: Vec<_> = STEPPERS
        .iter()
        .chain(&PLANETS)
        .map(|method| method.name)
        .chain(["all"])
        .collect();
    names.sort_unstable();
    names.dedup();
    clap::builder::PossibleValuesParser::new(names)
}

impl LabOptions {
    /// The scenes that the options name.
    pub fn scenes(&self) -> impl Iterator<Item = &'static Scene> {
        SCENES
            .iter()
            .filter(|scene| self.scene == "all" || self.scene == scene.name)
    }

    /// The methods of a scene that the options name.
    pub fn methods(&self, scene: &'static Scene) -> impl Iterator<Item = &'static Method> {
        let all = self.method.iter().any(|name| name == "all");
        scene
            .methods
            .iter()
            .filter(|method| !scene.too_slow.contains(&method.name))
            .filter(move |method| all || self.method.iter().any(|name| name == method.name))
    }
}
