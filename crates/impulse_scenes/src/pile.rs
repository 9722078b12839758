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
//! This is exact, not an approximation for slow drums: a ball in free flight goes on an onlooker's parabola. The terms are a
//! field of the scene's own, in [`StepSystems::Fields`]. Velocities, energy and momenta of a report are those that the drum
//! sees. A window hangs all that is in the drum on a turntable, and so shows what the onlooker sees.

mod drum;
mod pour;
mod report;
mod stack;
#[cfg(test)]
mod tests;
mod vessel;
mod view;

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use scene_kit::{
    app::steps_now,
    has_window,
    number::{finite, not_negative},
};

use self::drum::Drum;
pub use report::{PileReport, pile_report};

/// What the command line says about the balls and what they are poured into.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct PileOptions {
    /// Balls to pour
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub balls: u32,
    /// Pour them into a drum that turns, not into a box
    #[arg(long)]
    pub drum: bool,
    /// Angular velocity of the drum in rad/s, counter-clockwise as the window shows it [default: at which the centrifugal
    /// acceleration is 1/20 of gravity's; the heap then avalanches]
    #[arg(long, value_name = "W", requires = "drum", value_parser = finite, allow_negative_numbers = true)]
    pub drum_speed: Option<f32>,
    /// Radii from 1 to 100 times the smallest, as many in each octave; the mean volume stays
    #[arg(long)]
    pub polydisperse: bool,
    /// Have the balls in the vessel from the start, loosely stacked; what finds no room in a drum is poured
    #[arg(long)]
    pub settled: bool,
    /// Coefficient of friction
    #[arg(long, value_name = "MU", default_value_t = 0.3, value_parser = not_negative, allow_negative_numbers = true)]
    pub friction: f32,
}

/// Of a ball if all are of one size, in metres; else of the ball of mean volume.
const RADIUS: f32 = 0.1;

/// Of the balls, in kg/m³: glass.
const DENSITY: f32 = 2500.0;

fn ball_volume(radius: f32) -> f32 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// A ball. Its size is its scale, so that all can share one mesh.
fn ball(radius: f32, density: f32, position: Vec3) -> (Particle, Mass, Transform) {
    (
        Particle::new(1.0),
        Mass(density * ball_volume(radius)),
        Transform::from_translation(position).with_scale(Vec3::splat(radius)),
    )
}

/// A ball that flies without spin, where and how an onlooker sees it.
fn flying_ball(
    radius: f32,
    density: f32,
    position: Vec3,
    velocity: Vec3,
    drum: Option<&Drum>,
) -> impl Bundle {
    let (position, velocity, spin) = match drum {
        Some(drum) => drum.seen_inside(position, velocity),
        None => (position, velocity, Vec3::ZERO),
    };
    (
        ball(radius, density, position),
        LinearVelocity(velocity),
        AngularVelocity(spin),
    )
}

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

/// Brings the physics to what the options say.
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
