//! The laboratory without a window: every scene under every method, as JSON, as a table, and as plots.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use scene_kit::{
    RunOptions,
    headless::progress_bar,
    report::{open_output, open_report, write_json},
};
use serde::Serialize;

use super::{
    LabOptions,
    figures::{Sample, Summary},
    plots::plot,
    world::LabWorld,
};

/// A scene under a method.
#[derive(Serialize)]
pub struct Run {
    pub scene: &'static str,
    pub method: &'static str,
    #[serde(skip)]
    pub title: &'static str,
    pub summary: Summary,
    /// Thinned, from the start to the end.
    pub curve: Vec<Sample>,
    #[serde(skip)]
    pub drifts: Vec<(f64, f64)>,
}

/// Runs what the options ask for, and writes it.
pub fn run_lab(run: &RunOptions, options: &LabOptions) -> Result<(), String> {
    let mut to_report = open_report(run)?;
    let origin = Vec3::X * options.far;
    let wanted: Vec<_> = options
        .scenes()
        .flat_map(|scene| options.methods(scene).map(move |method| (scene, method)))
        .collect();
    if wanted.is_empty() {
        return Err("no scene of this choice has a method of this choice".to_owned());
    }
    let bar = progress_bar(wanted.len() as u64, "worlds");
    let runs: Vec<Run> = wanted
        .into_iter()
        .map(|(scene, method)| {
            let hz = run.hz.unwrap_or(scene.hz);
            let seconds = run.seconds.unwrap_or(scene.seconds);
            let mut world = LabWorld::new(scene, method, origin, hz);
            for _ in 0..(f64::from(seconds) * hz).round() as u64 {
                world.step();
            }
            bar.inc(1);
            let figures = &world.figures;
            Run {
                scene: scene.name,
                method: method.name,
                title: method.title,
                summary: figures.summary(),
                drifts: figures
                    .curve
                    .iter()
                    .map(|s| (s.seconds, figures.drift(s)))
                    .collect(),
                curve: figures.curve.clone(),
            }
        })
        .collect();
    bar.finish_and_clear();
    let failed = |problem: std::io::Error| problem.to_string();
    if let Some(to) = &mut to_report {
        write_json(&runs, to).map_err(failed)?;
    }
    if let Some(folder) = &options.plots {
        fs::create_dir_all(folder).map_err(failed)?;
        plot_all(&runs, folder)?;
    }
    let table = table(&runs, options);
    match &options.table {
        Some(file) => open_output(file)?
            .write_all(table.as_bytes())
            .map_err(failed)?,
        None if run.report.is_none() => println!("{table}"),
        None => {}
    }
    Ok(())
}

fn plot_all(runs: &[Run], folder: &Path) -> Result<(), String> {
    for of_scene in runs.chunk_by(|a, b| a.scene == b.scene) {
        let file: PathBuf = folder.join(format!("{}.svg", of_scene[0].scene));
        plot(of_scene, &file).map_err(|problem| problem.to_string())?;
    }
    Ok(())
}

/// What stands above the tables.
const HEAD: &str = "# The laboratory's figures

`cargo run --example lab -- --headless --scene all --table docs/lab/table.md --plots docs/lab` writes this page and its curves.

- Energy drift: (E − E₀) over |E₀| + ½·M·(1 m/s)², at the end; and at its highest.
- ΔL: change of the angular momentum over Σ m·|x|·|v| at the start.
- Approach: the greatest speed at which two bodies in contact still approach each other after the last step.
- Overlap: over the smaller radius, mean over all pairs in contact at the end; and of the worst pair at any time.
- rms speed: at the end; of a planet, beside its rotation.
- Farthest: distance of the farthest body from the centre of mass at the end.
- Restitution: √(h₁/h₀) of a ball that falls from h₀ and comes up to h₁.

";

/// One table a scene, in Markdown.
fn table(runs: &[Run], options: &LabOptions) -> String {
    let mut text = String::from(HEAD);
    for of_scene in runs.chunk_by(|a, b| a.scene == b.scene) {
        let Some(scene) = options
            .scenes()
            .find(|scene| scene.name == of_scene[0].scene)
        else {
            continue;
        };
        let _ = writeln!(text, "## {}\n\n{}\n", scene.title, scene.about);
        text += "| method | energy drift | energy, highest | ΔL | approach, m/s | overlap, mean | overlap, worst | rms speed, m/s | \
                 farthest, m | restitution | ms a step |\n";
        text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
        for run in of_scene {
            let s = &run.summary;
            let numbers = [
                s.energy_drift,
                s.energy_growth,
                s.angular_momentum_drift.unwrap_or(f64::NAN),
                s.approach,
                s.overlap,
                s.worst_overlap,
                s.rms_speed,
                s.farthest,
            ];
            let cells: Vec<String> = numbers.into_iter().map(cell).collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.3} |",
                run.title,
                cells.join(" | "),
                s.restitution
                    .map_or_else(|| "–".to_owned(), |e| format!("{e:.3}")),
                s.step_ms
            );
        }
        if let Some(folder) = &options.plots {
            let link = options.table.as_ref().and_then(|table| table.parent());
            let folder = link
                .and_then(|parent| folder.strip_prefix(parent).ok())
                .unwrap_or(folder);
            let file = folder.join(format!("{}.svg", scene.name));
            let _ = writeln!(text, "\n![Curves of {}]({})", scene.title, file.display());
        }
        text.push('\n');
    }
    text
}

fn cell(x: f64) -> String {
    if x.is_nan() {
        "–".to_owned()
    } else if x == 0.0 {
        "0".to_owned()
    } else {
        format!("{x:.1e}")
    }
}
