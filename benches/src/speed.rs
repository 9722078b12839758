//! Runs all scenes, this plugin beside other engines, and prints the tables of `docs/speed.md`.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --features box3d --bin speed -- --write
//! ```
//!
//! With `--write` the tables go into the page, and a line for each run is added to `benches/results/speed.csv`, with the date, the
//! commit and the machine: so a regression is seen. Each engine has its own defaults and runs in a process of its own.

use std::{
    error::Error,
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::Write as _,
    num::NonZero,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread::available_parallelism,
};

use benches::{
    engine::EngineName,
    exit::exit_code,
    run::{Outcome, Part, Run},
    scene::SceneKind,
    times::{Step, Times, in_turn},
    worlds::{
        COUNTS,
        churn::Churn,
        empty_app,
        level::{Level, LevelKind},
        platforms::platforms,
    },
};
use bevy::{ecs::system::SystemState, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Parser;

/// Runs all scenes, this plugin beside other engines, and prints the tables of `docs/speed.md`
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    part: Option<Part>,
    /// Engines; the ratios are to the first
    #[arg(long, value_delimiter = ',', value_enum, default_value = ALL_ENGINES)]
    engines: Vec<EngineName>,
    /// Scenes whose names contain this alone
    #[arg(long)]
    scenes: Option<String>,
    /// Most bodies in a scene
    #[arg(long, default_value = "1000000")]
    most_bodies: NonZero<usize>,
    /// Writes the tables into docs/speed.md, and adds lines to benches/results/speed.csv
    #[arg(long)]
    write: bool,
}

#[cfg(feature = "box3d")]
const ALL_ENGINES: &str = "impulse,box3d,rapier,avian";
#[cfg(not(feature = "box3d"))]
const ALL_ENGINES: &str = "impulse,rapier,avian";

/// A scene that all engines run.
struct SceneRuns {
    name: &'static str,
    kind: SceneKind,
    /// First and last step that are timed.
    timed: [usize; 2],
    bodies: &'static [usize],
}

/// With more bodies an engine is left out: it would take too long.
fn most_bodies(engine: EngineName) -> usize {
    match engine {
        EngineName::Impulse => usize::MAX,
        EngineName::Avian => 1_000,
        EngineName::Rapier | EngineName::RapierMultibody => 10_000,
        #[cfg(feature = "box3d")]
        EngineName::Box3d => 10_000,
    }
}

fn scenes() -> Vec<SceneRuns> {
    let pour = SceneKind {
        pour: true,
        ..default()
    };
    let capsules = SceneKind {
        capsules: true,
        ..default()
    };
    let scene = |name, kind, timed, bodies| SceneRuns {
        name,
        kind,
        timed,
        bodies,
    };
    vec![
        scene(
            "balls that pour",
            pour,
            [0, 120],
            &[100, 1_000, 10_000, 100_000],
        ),
        scene(
            "a million balls that begin to pour",
            pour,
            [0, 5],
            &[1_000_000],
        ),
        scene(
            "capsules that pour",
            SceneKind {
                pour: true,
                ..capsules
            },
            [0, 120],
            &[100, 1_000, 10_000, 100_000],
        ),
        scene(
            "balls at rest",
            default(),
            [200, 400],
            &[100, 1_000, 10_000, 100_000],
        ),
        scene(
            "capsules at rest",
            capsules,
            [200, 400],
            &[100, 1_000, 10_000],
        ),
        scene(
            "balls in a mesh of 100,000 triangles",
            SceneKind {
                mesh: Some(100_000),
                ..default()
            },
            [200, 300],
            &[10_000],
        ),
        scene(
            "balls with radii from 5 mm to 0.5 m, which fall",
            SceneKind {
                polydisperse: true,
                ..default()
            },
            [0, 200],
            &[10_000],
        ),
        scene(
            "balls that have fallen asleep",
            SceneKind {
                sleep: true,
                ..default()
            },
            [1200, 1300],
            &[10_000],
        ),
    ]
}

/// A line of a table.
struct Figure {
    scene: String,
    bodies: usize,
    engine: String,
    threads: usize,
    times: Times,
    /// Mean overlap over the radius, rms speed in m/s, and the [`COUNTS`].
    overlap: Option<f64>,
    speed: Option<f64>,
    counts: Option<[f64; COUNTS.len()]>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    exit_code(match &options.part {
        Some(part) => part.run(),
        None => options.measure(),
    })
}

impl Options {
    fn measure(&self) -> Result<(), Box<dyn Error>> {
        let threads = available_parallelism()?.get();
        let is_wanted = |name: &str| {
            let part = self.scenes.as_ref();
            part.is_none_or(|part| name.contains(part.as_str()))
        };
        let mut figures = Vec::new();
        let mut page = format!(
            "Commit {}, {}, on {threads} x86-64 cores: {}.\n",
            commit(),
            today(),
            machine()
        );
        let most = self.most_bodies.get();
        let is_small = |scene: &&SceneRuns| scene.bodies.iter().any(|&bodies| bodies <= most);
        let all = scenes();
        let wanted = all.iter().filter(|scene| is_wanted(scene.name));
        for scene in wanted.filter(is_small) {
            let table = self.scene_table(scene, threads, &mut figures)?;
            print!("{table}");
            page += &table;
        }
        if is_wanted(ALONE) {
            let table = alone_table(threads, &mut figures);
            print!("{table}");
            page += &table;
        }
        if self.write {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            write_page(&root.join("../docs/speed.md"), &page)?;
            add_lines(&root.join("results/speed.csv"), &figures)?;
        }
        Ok(())
    }

    fn scene_table(
        &self,
        scene: &SceneRuns,
        threads: usize,
        figures: &mut Vec<Figure>,
    ) -> Result<String, Box<dyn Error>> {
        let [from, to] = scene.timed;
        let mut table = format!(
            "\n### {}\n\nSteps {from} to {to}.\n\n\
            | bodies | engine | threads | ms a step, median | ratio | 99 of 100 under | worst | overlap / radius | rms speed, m/s |\n\
            | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            capital(scene.name)
        );
        let mut held = String::new();
        let most = self.most_bodies.get();
        for &bodies in scene.bodies.iter().filter(|&&bodies| bodies <= most) {
            let mut reference = None;
            for (engine, threads) in self.runs_of(bodies, threads) {
                let is_own = engine == EngineName::Impulse;
                let run = Run {
                    engine,
                    bodies,
                    kind: scene.kind,
                    threads,
                    from,
                    steps: to,
                    counts: is_own && threads > 1 && bodies <= 10_000,
                };
                eprintln!(
                    "{}, {bodies} bodies, {}, {threads} threads",
                    scene.name,
                    engine.title()
                );
                let outcome = run.apart()?;
                let figure = figure(scene.name, &run, &outcome);
                let median = figure.times.median();
                let ratio = median / *reference.get_or_insert(median);
                writeln!(
                    table,
                    "| {bodies} | {} | {threads} | {median:.2} | {ratio:.2} | {:.2} | {:.2} | {:.1e} | {:.1e} |",
                    figure.engine,
                    figure.times.at(0.99),
                    figure.times.worst(),
                    figure.overlap.unwrap_or_default(),
                    figure.speed.unwrap_or_default(),
                )?;
                if let Some([pairs, impacts, contacts]) = figure.counts {
                    writeln!(
                        held,
                        "{bodies} bodies: {pairs:.0} pairs, {impacts:.0} impacts and {contacts:.0} contacts in a step, on average.  "
                    )?;
                }
                figures.push(figure);
            }
        }
        if !held.is_empty() {
            table += "\n";
            table += held.trim_end();
            table += "\n";
        }
        Ok(table)
    }

    /// The engines that run a scene of so many bodies, each with its number of threads: this plugin with one thread too.
    fn runs_of(&self, bodies: usize, threads: usize) -> Vec<(EngineName, usize)> {
        let mut runs = Vec::new();
        for &engine in self.engines.iter().filter(|&&it| bodies <= most_bodies(it)) {
            runs.push((engine, threads));
            if engine == EngineName::Impulse && threads > 1 && (1_000..=10_000).contains(&bodies) {
                runs.push((engine, 1));
            }
        }
        runs
    }
}

fn figure(scene: &str, run: &Run, outcome: &Outcome) -> Figure {
    Figure {
        scene: scene.to_owned(),
        bodies: run.bodies,
        engine: run.engine.title().to_owned(),
        threads: run.threads,
        times: Times::new(outcome.step_ms[run.from..].to_vec()),
        overlap: Some(outcome.state.overlap_mean),
        speed: Some(outcome.rms_speed()),
        counts: outcome.counts,
    }
}

/// The table of what no other engine runs.
const ALONE: &str = "this plugin alone";

/// Steps before the first that is timed, and steps that are timed.
const SETTLING: usize = 120;
const TIMED: usize = 300;

fn alone_table(threads: usize, figures: &mut Vec<Figure>) -> String {
    let mut table = format!(
        "\n### {}\n\nEach is timed in turn with an empty app, whose time is taken from it.\n\n\
        | world | ms a step, median | 99 of 100 under | worst |\n| --- | ---: | ---: | ---: |\n",
        capital(ALONE)
    );
    let mut add = |name: &str, bodies: usize, times: Times| {
        eprintln!("{name}");
        let (median, worst) = (times.median(), times.worst());
        table += &format!(
            "| {name} | {median:.3} | {:.3} | {worst:.3} |\n",
            times.at(0.99)
        );
        figures.push(Figure {
            scene: name.to_owned(),
            bodies,
            engine: EngineName::Impulse.title().to_owned(),
            threads,
            times,
            overlap: None,
            speed: None,
            counts: None,
        });
    };
    let mut level = Level::new(LevelKind::default());
    add(
        "a game's level: 800 balls and 200 capsules thrown about on a mesh, 50 movers, 20 sensors, 30 rays, 10 come and go",
        1_000,
        alone(&mut || level.step()),
    );
    for count in [1_000, 5_000] {
        let mut app = platforms(count);
        let name = format!("{count} platforms moved by their Transform, a ball on each");
        add(&name, 2 * count, alone(&mut || app.update()));
    }
    let mut still = Churn::new(10_000, SETTLING);
    add(
        "10000 balls at rest, all awake",
        10_000,
        alone(&mut || still.step(0, false)),
    );
    let mut churn = Churn::new(10_000, SETTLING);
    add(
        "the same, 20 come and go in their places",
        10_000,
        alone(&mut || churn.step(20, false)),
    );
    add(
        "the same, 20 go, and 20 fall from above",
        10_000,
        alone(&mut || churn.step(20, true)),
    );
    let mut few = ten_balls();
    add("10 balls that bounce", 10, alone(&mut || few.update()));
    let mut moving = moving_balls();
    add(
        "10000 balls that fly",
        10_000,
        alone(&mut || moving.update()),
    );
    let mut rays = Rays::new(moving_balls());
    add(
        "the same, and a ray in each step",
        10_000,
        alone(&mut || rays.step()),
    );
    table
}

/// The times of a world's steps, less those of an empty app.
fn alone(step: Step) -> Times {
    let mut empty = empty_app();
    let mut nothing = || empty.update();
    in_turn(&mut nothing, &mut [&mut *step], SETTLING);
    let mut times = in_turn(&mut nothing, &mut [step], TIMED);
    times.remove(0)
}

/// Ten balls on a floor, from which they bounce for ever.
fn ten_balls() -> App {
    let mut app = empty_app();
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Restitution(1.0)));
    for i in 0..10 {
        let place = Transform::from_xyz(i as f32, 1.0 + 0.1 * i as f32, 0.0);
        world.spawn((Particle::new(0.2), Restitution(1.0), place));
    }
    app
}

/// Balls that fly apart from each other.
fn moving_balls() -> App {
    let mut app = empty_app();
    app.insert_resource(Gravity(Vec3::ZERO));
    for i in 0..10_000 {
        let x = Vec3::new((i % 22) as f32, (i / 22 % 22) as f32, (i / 484) as f32);
        let place = Transform::from_translation(x - 11.0);
        let v = LinearVelocity((x - 11.0) * 0.1);
        app.world_mut().spawn((Particle::new(0.2), place, v));
    }
    app
}

/// An app, and a ray in each step.
struct Rays {
    app: App,
    query: SystemState<SpatialQuery<'static, 'static>>,
}

impl Rays {
    fn new(mut app: App) -> Self {
        let query = SystemState::new(app.world_mut());
        Self { app, query }
    }

    fn step(&mut self) {
        let ray = Ray3d::new(Vec3::new(-50.0, 0.3, 0.2), Dir3::X);
        if let Ok(query) = self.query.get(self.app.world()) {
            std::hint::black_box(query.cast_ray(ray, 100.0, &SpatialFilter::default()));
        }
        self.app.update();
    }
}

/// Puts the tables into the page, between its two marks.
fn write_page(path: &PathBuf, tables: &str) -> Result<(), Box<dyn Error>> {
    const MARKS: [&str; 2] = ["<!-- figures -->", "<!-- end of the figures -->"];
    let page = fs::read_to_string(path)?;
    let missing = || format!("{}: no {MARKS:?}", path.display());
    let (before, rest) = page.split_once(MARKS[0]).ok_or_else(missing)?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or_else(missing)?;
    fs::write(
        path,
        format!("{before}{}\n\n{tables}\n{}{after}", MARKS[0], MARKS[1]),
    )?;
    Ok(())
}

/// Adds a line for each figure.
fn add_lines(path: &PathBuf, figures: &[Figure]) -> Result<(), Box<dyn Error>> {
    let is_new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if is_new {
        writeln!(
            file,
            "date,commit,machine,threads,scene,bodies,engine,median_ms,p99_ms,worst_ms,overlap_per_radius,rms_m_per_s,{}",
            COUNTS.join(",")
        )?;
    }
    for it in figures {
        let number = |value: Option<f64>| value.map_or_else(String::new, |it| format!("{it:.3e}"));
        let counts: Vec<_> = (0..COUNTS.len())
            .map(|k| {
                it.counts
                    .map_or_else(String::new, |counts| format!("{:.0}", counts[k]))
            })
            .collect();
        writeln!(
            file,
            "{},{},{},{},\"{}\",{},{},{:.4},{:.4},{:.4},{},{},{}",
            today(),
            commit(),
            machine(),
            it.threads,
            it.scene,
            it.bodies,
            it.engine,
            it.times.median(),
            it.times.at(0.99),
            it.times.worst(),
            number(it.overlap),
            number(it.speed),
            counts.join(",")
        )?;
    }
    Ok(())
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// What a command prints; a question mark if there is none.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.ok().and_then(|it| String::from_utf8(it.stdout).ok());
    let text = text.map(|text| text.trim().to_owned());
    text.filter(|text| !text.is_empty())
        .unwrap_or_else(|| "?".to_owned())
}

fn commit() -> String {
    output("git", &["rev-parse", "--short", "HEAD"])
}

fn today() -> String {
    output("date", &["+%Y-%m-%d"])
}

/// The name of the processor.
fn machine() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut lines = known.lines().filter_map(|line| line.split_once(':'));
    let name = lines.find(|(key, _)| key.trim() == "model name");
    name.map_or_else(|| "?".to_owned(), |(_, name)| name.trim().replace(',', " "))
}
