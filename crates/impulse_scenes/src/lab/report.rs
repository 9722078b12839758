//! The laboratory without a window: every scene under every method, as JSON, as a table, and as plots.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use scene_kit::{
    RunOptions, console,
    headless::progress_bar,
    report::{open_output, open_report, write_json},
};
use serde::Serialize;

use super::{
    LabOptions,
    figures::{Sample, Summary},
    method::{Method, STEPPERS},
    plots::plot,
    scene::Scene,
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
    /// Time in s and distance from the reference in m, root mean square over all bodies. Empty without a reference.
    pub errors: Vec<(f64, f64)>,
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
    let mut runs = Vec::new();
    for of_scene in wanted.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b)) {
        let (scene, _) = of_scene[0];
        let course = Course {
            scene,
            origin,
            hz: run.hz.unwrap_or(scene.hz),
            seconds: run.seconds.unwrap_or(scene.seconds),
        };
        let reference = scene.has_reference.then(|| course.reference());
        for (_, method) in of_scene {
            runs.push(course.run(method, reference.as_deref()));
            bar.inc(1);
        }
    }
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
        None if run.report.is_none() => {
            writeln!(console::output(), "{table}").map_err(failed)?;
        }
        None => {}
    }
    Ok(())
}

/// A scene from its start to its end.
struct Course {
    scene: &'static Scene,
    origin: Vec3,
    hz: f64,
    seconds: f32,
}

impl Course {
    /// Steps of the reference in one step of a method.
    const REFINEMENT: u32 = 16;

    fn steps(&self) -> u64 {
        (f64::from(self.seconds) * self.hz).round() as u64
    }

    /// The positions after each step, by the six stages in finer steps.
    fn reference(&self) -> Vec<Vec<Vec3>> {
        let hz = self.hz * f64::from(Self::REFINEMENT);
        let mut world = LabWorld::new(self.scene, &STEPPERS[0], self.origin, hz);
        let step = |_| {
            for _ in 0..Self::REFINEMENT {
                world.step();
            }
            world.positions()
        };
        (0..self.steps()).map(step).collect()
    }

    fn run(&self, method: &'static Method, reference: Option<&[Vec<Vec3>]>) -> Run {
        let mut world = LabWorld::new(self.scene, method, self.origin, self.hz);
        let mut errors = Vec::new();
        for k in 0..self.steps() {
            world.step();
            if let Some(reference) = reference {
                let error = distance(&world.positions(), &reference[k as usize]);
                errors.push((world.figures.now.seconds, error));
            }
        }
        let every = errors.len().div_ceil(ERRORS).max(1);
        let last = errors.last().copied();
        let mut errors: Vec<_> = errors.into_iter().step_by(every).collect();
        errors.extend(last);
        let figures = &world.figures;
        let drift = |sample: &Sample| (sample.seconds, figures.drift(sample));
        Run {
            scene: self.scene.name,
            method: method.name,
            title: method.title,
            summary: figures.summary(),
            errors,
            drifts: figures.curve.iter().map(drift).collect(),
            curve: figures.curve.clone(),
        }
    }
}

/// Most points of a curve of errors.
const ERRORS: usize = 200;

/// Root mean square of the distances between points and those of the reference, in m.
fn distance(points: &[Vec3], reference: &[Vec3]) -> f64 {
    let squares = points.iter().zip(reference);
    let sum: f64 = squares
        .map(|(x, there)| f64::from(x.distance_squared(*there)))
        .sum();
    (sum / reference.len().max(1) as f64).sqrt()
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
- Bold: the least of a column in which less is better in every scene. Energy is not one: in most scenes balls should lose some.
- Error: root mean square of the bodies' distances from where the six stages with steps of 1/16 have them, at the end. It is
  measured where small errors stay small: there the finer steps of every sound method lead to the same places.

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
                 farthest, m | error, m | restitution | ms a step |\n";
        text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
        let rows: Vec<_> = of_scene.iter().map(numbers).collect();
        for (run, numbers) in of_scene.iter().zip(&rows) {
            let s = &run.summary;
            let cells: Vec<String> = (0..numbers.len())
                .map(|k| {
                    let all = rows.iter().map(|row| row[k].abs());
                    let least = all.fold(f64::INFINITY, f64::min);
                    let text = cell(numbers[k]);
                    let is_best = SMALL_IS_GOOD.contains(&k) && text != cell(f64::NAN);
                    if is_best && cell(numbers[k].abs()) == cell(least) {
                        format!("**{text}**")
                    } else {
                        text
                    }
                })
                .collect();
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

/// The columns of [`numbers`] in which the least number is the best in every scene.
const SMALL_IS_GOOD: [usize; 5] = [2, 3, 4, 5, 8];

fn numbers(run: &Run) -> [f64; 9] {
    let s = &run.summary;
    [
        s.energy_drift,
        s.energy_growth,
        s.angular_momentum_drift.unwrap_or(f64::NAN),
        s.approach,
        s.overlap,
        s.worst_overlap,
        s.rms_speed,
        s.farthest,
        run.errors.last().map_or(f64::NAN, |&(_, error)| error),
    ]
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
