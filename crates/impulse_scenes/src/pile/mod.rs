//! A pile: balls poured into a box, or into a drum that turns.
//!
//! # The drum
//!
//! Half-spaces stand still, so the drum does too: the physics sees the world from inside of it. In the frame that turns with
//! the drum, at the angle θ and the angular velocity Ω = θ'·ẑ, gravity turns backwards, and a ball at x from the axis, with
//! the velocity v and the angular velocity ω as seen there, has
//!
//! ```text
//! dv/dt = R(−θ)·g − 2·Ω × v − Ω × (Ω × x) − dΩ/dt × x + F/m
//! dω/dt = −Ω × ω − dΩ/dt + τ/I
//! ```
//!
//! - The first line holds Coriolis's, the centrifugal and Euler's acceleration.
//! - The second follows from I·d(ω + Ω)/dt = τ for the angular velocity ω + Ω that an onlooker sees: a vector that stands still
//!   for him turns with −Ω in the drum. For a ball I is a number, so nothing else comes in.
//! - Where two bodies touch, both have the same Ω × x, so contacts and friction are the same in either frame.
//!
//! This is exact, not an approximation for slow drums: a ball in free flight goes on an onlooker's parabola. The terms are a field
//! of the scene's own, in [`StepSystems::Fields`]. Velocities, energy and momenta of a report are in the drum's frame. A window
//! hangs the drum's content on a turntable, and so shows the onlooker's view.

mod ball;
mod drum;
mod options;
mod pour;
mod report;
mod stack;
#[cfg(test)]
mod tests;
mod vessel;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{app::steps_now, has_window};

use self::drum::Drum;
pub use self::{
    options::PileOptions,
    report::{PileReport, pile_report},
};

/// The scene: sets the vessel up at start-up and pours, and shows it if there is a window.
pub struct PilePlugin(pub PileOptions);

impl Plugin for PilePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .init_resource::<pour::Pourings>()
            .add_systems(Startup, pour::set_up)
            .add_systems(
                FixedUpdate,
                pour::pour.run_if(resource_exists::<pour::Stream>.and_then(steps_now)),
            )
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<PileOptions>),
            )
            .add_systems(
                ImpulseStep,
                (
                    drum::push.in_set(StepSystems::Fields),
                    drum::turn.after(StepSystems::Projection),
                )
                    .run_if(resource_exists::<Drum>),
            );
        if has_window(app) {
            app.add_plugins(view::PileViewPlugin);
        }
    }
}

/// Sets the physics by the options.
fn set_laws(
    mut config: ResMut<CollisionConfig>,
    drum: Option<ResMut<Drum>>,
    options: Res<PileOptions>,
) {
    config.restitution.default = 0.2;
    config.friction.default = options.friction;
    // Gravity may turn so slowly in a drum that sleeping balls would not notice.
    config.sleep_speed = if options.drum {
        0.0
    } else {
        CollisionConfig::default().sleep_speed
    };
    if let Some(mut drum) = drum {
        drum.set_speed(options.drum_speed);
    }
}
