//! How the world runs: pause, single steps, speed, the six stages, and how long a step takes.

use std::ops::RangeInclusive;

use bevy::{
    diagnostic::{
        Diagnostic, DiagnosticPath, Diagnostics, DiagnosticsStore, FrameTimeDiagnosticsPlugin,
        RegisterDiagnostic,
    },
    platform::time::Instant,
    prelude::*,
};
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use crate::{body::IsBody, overlay_open};

const STEP_TIME: DiagnosticPath = DiagnosticPath::const_new("impulse/step_time");
const SPEEDS: RangeInclusive<f32> = 0.01..=4.0;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<StepClock>()
        .register_diagnostic(Diagnostic::new(STEP_TIME).with_suffix(" ms"))
        .add_systems(
            FixedPostUpdate,
            (
                start_clock
                    .before(ImpulseSystems::Gather)
                    .run_if(overlay_open.and_then(will_step)),
                stop_clock.after(ImpulseSystems::WriteBack),
            ),
        );
}

/// Run condition before a step: it will be made.
pub(crate) fn will_step(control: Res<StepControl>) -> bool {
    !control.paused || control.pending_steps > 0
}

/// When the step that now runs began.
#[derive(Resource, Default)]
struct StepClock(Option<Instant>);

fn start_clock(mut clock: ResMut<StepClock>) {
    clock.0 = Some(Instant::now());
}

fn stop_clock(mut clock: ResMut<StepClock>, mut diagnostics: Diagnostics) {
    if let Some(start) = clock.0.take() {
        diagnostics.add_measurement(&STEP_TIME, || start.elapsed().as_secs_f64() * 1e3);
    }
}

/// One line of numbers: how much there is, and how long it takes.
pub(crate) fn show_status(
    InMut(ui): InMut<egui::Ui>,
    bodies: Query<(), IsBody>,
    contacts: Res<Contacts>,
    diagnostics: Res<DiagnosticsStore>,
) {
    let smoothed = |path: DiagnosticPath| diagnostics.get(&path).and_then(Diagnostic::smoothed);
    let mut line = format!(
        "{}   {}",
        counted(bodies.iter().len(), "body", "bodies"),
        counted(contacts.len(), "contact", "contacts"),
    );
    if let Some(milliseconds) = smoothed(STEP_TIME) {
        line += &format!("   {milliseconds:.2} ms/step");
    }
    if let Some(milliseconds) = smoothed(FrameTimeDiagnosticsPlugin::FRAME_TIME) {
        let decimals = usize::from(milliseconds < 100.0);
        line += &format!("   {milliseconds:.decimals$} ms/frame");
    }
    ui.label(line);
}

/// "1 body", "2 bodies".
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Pause, single step and speed.
pub(crate) fn show_time(
    InMut(ui): InMut<egui::Ui>,
    mut control: ResMut<StepControl>,
    mut time: ResMut<Time<Virtual>>,
) {
    ui.horizontal(|ui| {
        let label = if control.paused {
            "▶ Run"
        } else {
            "⏸ Pause"
        };
        if ui
            .add(egui::Button::new(label).min_size(egui::vec2(72.0, 0.0)))
            .clicked()
        {
            control.paused = !control.paused;
            control.pending_steps = 0;
        }
        let step = ui
            .button("⏭ Step")
            .on_hover_text("Pause, and make one fixed step");
        if step.clicked() {
            control.paused = true;
            control.pending_steps += 1;
        }
        ui.separator();

        let mut speed = time.relative_speed();
        let slider = egui::Slider::new(&mut speed, SPEEDS)
            .logarithmic(true)
            .max_decimals(2)
            .suffix("×");
        let slid = ui
            .add(slider)
            .on_hover_text("Speed of the game's time against the clock on the wall");
        let reset = ui
            .add_enabled(speed != 1.0, egui::Button::new("1×"))
            .on_hover_text("Real time");
        if reset.clicked() {
            speed = 1.0;
        }
        if slid.changed() || reset.clicked() {
            time.set_relative_speed(speed);
        }
    });
}

/// A switch for each stage of the step, in the order in which they run.
pub(crate) fn show_stages(InMut(ui): InMut<egui::Ui>, config: ResMut<CollisionConfig>) {
    let mut stages = config.stages;
    ui.columns(2, |columns| {
        columns[0].checkbox(&mut stages.gravity, "1 Gravity");
        columns[0].checkbox(&mut stages.half_step_correction, "2 Half-step correction");
        columns[0].checkbox(&mut stages.impulse_jolt, "3 Impulse jolt");
        columns[1].checkbox(&mut stages.contact, "4 Contact");
        columns[1].checkbox(&mut stages.integrate, "5 Integrate");
        columns[1].checkbox(&mut stages.projection, "6 Projection");
    });
    config
        .map_unchanged(|config| &mut config.stages)
        .set_if_neq(stages);
}
