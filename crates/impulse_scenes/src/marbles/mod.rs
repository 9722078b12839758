//! A marble run: glass marbles on a spiral, through a loop, over a jump, down a funnel, a mixer, stairs and a Galton board.
//!
//! The tracks are meshes with normals, so a marble rolls on them as on the smooth curves that they stand for. A marble that rolls
//! has the energy per mass E/m = v²/2 + r²·ω²/5 + g·y. Friction and impacts take from it; only the lift and the mixer give.

mod course;
mod laps;
mod lift;
mod marble;
mod options;
mod path;
mod report;
mod sheet;
#[cfg(test)]
mod tests;
mod view;
mod walk;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{app::steps_now, has_window};

pub use self::{
    course::Station,
    options::MarblesOptions,
    report::{MarblesReport, marbles_report},
};

/// The scene: puts up the run and fills its tray at start-up, and shows it if there is a window.
pub struct MarblesPlugin(pub MarblesOptions);

impl Plugin for MarblesPlugin {
    fn build(&self, app: &mut App) {
        let mut config = CollisionConfig::default();
        config.restitution.default = 0.4;
        config.friction.default = 0.25;
        app.insert_resource(config)
            .insert_resource(self.0.clone())
            .init_resource::<marble::NextNumber>()
            .init_resource::<lift::Lift>()
            .init_resource::<laps::Record>()
            .add_systems(Startup, (make_steps_short, marble::build, marble::fill))
            .add_systems(
                FixedUpdate,
                (laps::follow_runs, laps::bring_back, lift::raise, lift::take)
                    .chain()
                    .run_if(steps_now),
            );
        if has_window(app) {
            app.add_plugins(view::MarblesViewPlugin);
        }
    }
}

/// Steps in a second with which the fastest marbles stay in the loop: they turn through a fifth of a right angle in one.
const LEAST_RATE: f32 = 100.0;

/// Steps in a second with which no marble passes a gate unseen: between two looks it runs through less than a third of the loop.
const LEAST_LOOKS: f32 = 20.0;

/// Cuts the steps into parts where they are too long for the loop. Where they are too long to follow the runs, it says so.
fn make_steps_short(mut config: ResMut<CollisionConfig>, fixed: Res<Time<Fixed>>) {
    let step = fixed.timestep().as_secs_f32();
    config.substeps = (LEAST_RATE * step).ceil() as u32;
    if LEAST_LOOKS * step > 1.001 {
        warn!(
            "--hz {:.0}: the scene looks where the marbles are at each step; with less than {LEAST_LOOKS} steps a second it misses \
             some at a station, and counts their laps wrong",
            step.recip()
        );
    }
}
