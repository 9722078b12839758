//! How the gas looks: balls coloured by their speed in a box of lines, beside plots that hold it against theory.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_impulse_collide::prelude::*;
use egui_plot::{
    Bar, BarChart, Legend, Line, MarkerShape, Plot, PlotPoints, Points, uniform_grid_spacer,
};
use scene_kit::{
    color::ramp,
    panel::{RIGHT, still_plot, window},
    window::{KeyHelp, OrbitCamera, StatusLine, keys_are_free},
};

use super::{
    filling::fill,
    options::{GasOptions, RADIUS},
    statistics::{GasReport, GasStatistics, carnahan_starling},
};

pub(super) struct GasViewPlugin;

impl Plugin for GasViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(Color::srgb(0.012, 0.015, 0.024)))
            .insert_resource(GlobalAmbientLight {
                color: Color::srgb(0.8, 0.87, 1.0),
                brightness: 500.0,
                ..default()
            })
            .insert_resource(KeyHelp::new([
                ("R", "start anew"),
                ("1 2 3 4", "packing fraction 0.1 to 0.4"),
            ]))
            .init_resource::<Speeds>()
            .init_resource::<Measured>()
            .add_systems(Startup, (make_looks, spawn_camera))
            .add_systems(
                Update,
                (
                    refill.run_if(input_just_pressed(KeyCode::KeyR)),
                    choose_fraction,
                )
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    (dress_balls, color_by_speed).chain(),
                    draw_box,
                    show_status,
                    count_speeds,
                    frame_box.run_if(resource_changed::<GasOptions>),
                ),
            )
            .add_systems(EguiPrimaryContextPass, show_plots);
    }
}

/// Colours from the slowest ball to the fastest.
const COLORS: usize = 16;

/// Speed in m/s from which all balls have the last colour.
const FASTEST: f32 = 3.2;

/// Deep blue, light blue, pale, orange, red.
fn color_of(level: usize) -> Srgba {
    const STOPS: [Srgba; 5] = [
        Srgba::rgb(0.16, 0.27, 0.85),
        Srgba::rgb(0.20, 0.66, 0.96),
        Srgba::rgb(0.95, 0.93, 0.82),
        Srgba::rgb(1.00, 0.62, 0.18),
        Srgba::rgb(0.93, 0.14, 0.12),
    ];
    ramp(&STOPS, level as f32 / (COLORS - 1) as f32)
}

fn level_of(speed: f32) -> usize {
    ((speed / FASTEST * COLORS as f32) as usize).min(COLORS - 1)
}

/// One mesh for all balls and one material for each colour, so that they are drawn together.
#[derive(Resource)]
struct Looks {
    ball: Handle<Mesh>,
    colors: [Handle<StandardMaterial>; COLORS],
}

/// Which of the colours a ball has.
#[derive(Component)]
struct Level(usize);

fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let colors = std::array::from_fn(|level| {
        let color = color_of(level);
        materials.add(StandardMaterial {
            base_color: color.into(),
            emissive: LinearRgba::from(color) * 0.12,
            perceptual_roughness: 0.45,
            ..default()
        })
    });
    // Few triangles: there are thousands of balls, and each is small.
    let ball = meshes.add(Sphere::new(RADIUS).mesh().ico(2)?);
    commands.insert_resource(Looks { ball, colors });
    Ok(())
}

fn spawn_camera(mut commands: Commands, options: Res<GasOptions>) {
    commands.spawn(OrbitCamera::new(Vec3::ZERO, 0.5, 0.38, good_distance(&options)).turning(0.05));
    // No shadows: in a crowd of thousands they would hide more than they show.
    for (illuminance, from) in [
        (7_000.0, Vec3::new(2.0, 4.0, 3.0)),
        (1_500.0, Vec3::new(-3.0, -1.0, -2.0)),
    ] {
        commands.spawn((
            DirectionalLight {
                illuminance,
                ..default()
            },
            Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y),
        ));
    }
}

/// Metres from which the whole box is in view.
fn good_distance(options: &GasOptions) -> f32 {
    2.5 * options.side()
}

/// Keeps the box as large in the view when it changes.
fn frame_box(mut cameras: Query<&mut OrbitCamera>, options: Res<GasOptions>) {
    for mut camera in &mut cameras {
        camera.distance = good_distance(&options);
    }
}

fn choose_fraction(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut options: ResMut<GasOptions>,
) {
    let chosen = [
        (KeyCode::Digit1, 0.1),
        (KeyCode::Digit2, 0.2),
        (KeyCode::Digit3, 0.3),
        (KeyCode::Digit4, 0.4),
    ]
    .into_iter()
    .find(|(key, _)| keys.just_pressed(*key));
    if let Some((_, fraction)) = chosen {
        options.fraction = fraction;
        commands.run_system_cached(refill);
    }
}

/// Empties the box and fills it anew. The old measurements stay in the plot.
fn refill(
    mut commands: Commands,
    bodies: Query<Entity, Or<(With<Particle>, With<Plane>)>>,
    mut measured: ResMut<Measured>,
    mut speeds: ResMut<Speeds>,
) {
    let now = measured.now.take();
    measured.before.extend(now);
    *speeds = default();
    for body in &bodies {
        commands.entity(body).despawn();
    }
    commands.run_system_cached(fill);
}

fn dress_balls(
    mut commands: Commands,
    looks: Res<Looks>,
    balls: Query<(Entity, &LinearVelocity), Added<Particle>>,
) {
    for (ball, velocity) in &balls {
        let level = level_of(velocity.length());
        commands.entity(ball).try_insert((
            Mesh3d(looks.ball.clone()),
            MeshMaterial3d(looks.colors[level].clone()),
            Level(level),
        ));
    }
}

fn color_by_speed(
    mut balls: Query<
        (
            &LinearVelocity,
            &mut Level,
            &mut MeshMaterial3d<StandardMaterial>,
        ),
        Changed<LinearVelocity>,
    >,
    looks: Res<Looks>,
) {
    for (velocity, mut level, mut material) in &mut balls {
        let now = level_of(velocity.length());
        if now != level.0 {
            level.0 = now;
            material.0 = looks.colors[now].clone();
        }
    }
}

fn draw_box(mut gizmos: Gizmos, options: Res<GasOptions>) {
    let size = Vec3::splat(options.side());
    gizmos.cube(
        Transform::from_scale(size),
        Color::srgba(0.75, 0.82, 0.95, 0.7),
    );
}

fn show_status(
    statistics: Res<GasStatistics>,
    options: Res<GasOptions>,
    mut status: ResMut<StatusLine>,
) {
    let report = GasReport::new(&statistics, &options);
    let line = format!(
        "{} balls fill {:.0} % of the box: {} impacts, energy changed by {:.0e} of it",
        options.balls,
        100.0 * options.fraction,
        report.impacts,
        report.energy_drift,
    );
    status.set_if_neq(StatusLine(line));
}

/// Share of the balls in each bin of speed, over the bin's width.
#[derive(Resource, Default)]
struct Speeds {
    densities: Option<[f64; BINS]>,
    /// Mean of v²/3 in m²/s²: k·T/m.
    temperature: f64,
}

const BINS: usize = 32;

/// Width of a bin in m/s.
const BIN: f64 = 0.14;

fn count_speeds(
    mut speeds: ResMut<Speeds>,
    balls: Query<&LinearVelocity, With<Particle>>,
    time: Res<Time>,
) {
    /// Seconds over which the bars are averaged, so that they do not flicker.
    const AVERAGED: f64 = 0.25;
    if balls.is_empty() {
        return;
    }
    let share = 1.0 / balls.iter().len() as f64;
    let mut now = [0.0; BINS];
    let mut squares = 0.0;
    for velocity in &balls {
        let speed = f64::from(velocity.length());
        squares += speed * speed;
        if let Some(density) = now.get_mut((speed / BIN) as usize) {
            *density += share / BIN;
        }
    }
    let kept = (-time.delta_secs_f64() / AVERAGED).exp();
    let before = speeds.densities.unwrap_or(now);
    let averaged = |i: usize| now[i].lerp(before[i], kept);
    speeds.densities = Some(std::array::from_fn(averaged));
    speeds.temperature = share * squares / 3.0;
}

/// Maxwell and Boltzmann's density of `speed` at k·T/m = `temperature`.
fn maxwell_boltzmann(speed: f64, temperature: f64) -> f64 {
    let square = speed * speed;
    (2.0 / std::f64::consts::PI).sqrt() * square / temperature.powf(1.5)
        * (-0.5 * square / temperature).exp()
}

/// Packing fraction and pressure ratio: of the gas in the box, and of earlier gases.
#[derive(Resource, Default)]
struct Measured {
    now: Option<[f64; 2]>,
    before: Vec<[f64; 2]>,
}

const PANEL: egui::Color32 = egui::Color32::from_rgba_premultiplied(9, 11, 17, 225);
const THEORY: egui::Color32 = egui::Color32::from_rgb(245, 245, 245);
const MEASURED: egui::Color32 = egui::Color32::from_rgb(255, 176, 60);

fn show_plots(
    mut contexts: EguiContexts,
    speeds: Res<Speeds>,
    mut measured: ResMut<Measured>,
    statistics: Res<GasStatistics>,
    options: Res<GasOptions>,
) -> Result {
    let report = GasReport::new(&statistics, &options);
    measured.now = report
        .middle_pressure_ratio
        .is_finite()
        .then_some([report.inner_fraction, report.middle_pressure_ratio]);
    let frame = egui::Frame::new()
        .fill(PANEL)
        .corner_radius(6)
        .inner_margin(12);
    let context = contexts.ctx_mut()?;
    window(context, "Gas", RIGHT, frame).show(context, |ui| {
        ui.visuals_mut().override_text_color = Some(egui::Color32::from_gray(225));
        ui.set_width(330.0);
        ui.strong("Speeds, m/s");
        plot_speeds(ui, &speeds);
        ui.add_space(8.0);
        ui.strong("Pressure over n k T, by packing fraction");
        plot_pressures(ui, &measured);
        let line = match measured.now {
            Some([_, ratio]) => format!(
                "{ratio:.3} on the walls, {:.3} in theory ({:+.1} %)",
                report.carnahan_starling,
                100.0 * (ratio / report.carnahan_starling - 1.0),
            ),
            None => "waiting until it forgets how it started".to_owned(),
        };
        ui.colored_label(MEASURED, line);
    });
    Ok(())
}

/// A plot with a line at each multiple of `step`.
fn plot(name: &str, step: f64) -> Plot<'_> {
    still_plot(name, 170.0).y_grid_spacer(uniform_grid_spacer(move |_| [step; 3]))
}

fn plot_speeds(ui: &mut egui::Ui, speeds: &Speeds) {
    let bar = |(bin, &density): (usize, &f64)| {
        let speed = (bin as f64 + 0.5) * BIN;
        let [r, g, b, _] = color_of(level_of(speed as f32)).to_u8_array();
        Bar::new(speed, density)
            .width(BIN)
            .fill(egui::Color32::from_rgb(r, g, b))
            .stroke(egui::Stroke::NONE)
    };
    let bars = speeds.densities.iter().flatten().enumerate().map(bar);
    let temperature = speeds.temperature;
    let theory = PlotPoints::from_explicit_callback(
        move |speed| maxwell_boltzmann(speed, temperature),
        0.0..BINS as f64 * BIN,
        100,
    );
    plot("speeds", 0.2)
        .legend(Legend::default())
        .include_y(0.85)
        .show(ui, |plot| {
            plot.bar_chart(BarChart::new("balls", bars.collect()).color(MEASURED));
            plot.line(
                Line::new("Maxwell–Boltzmann", theory)
                    .color(THEORY)
                    .width(2.0),
            );
        });
}

fn plot_pressures(ui: &mut egui::Ui, measured: &Measured) {
    let theory = PlotPoints::from_explicit_callback(carnahan_starling, 0.0..0.45, 100);
    plot("pressures", 2.0)
        .legend(Legend::default().position(egui_plot::Corner::LeftTop))
        .include_y(0.0)
        .show(ui, |plot| {
            plot.line(
                Line::new("Carnahan–Starling", theory)
                    .color(THEORY)
                    .width(2.0),
            );
            let marker = |points: Vec<[f64; 2]>, filled: bool| {
                Points::new("on the walls", points)
                    .shape(MarkerShape::Circle)
                    .color(MEASURED)
                    .filled(filled)
                    .radius(5.0)
            };
            plot.points(marker(measured.before.clone(), false));
            plot.points(marker(measured.now.into_iter().collect(), true));
        });
}
