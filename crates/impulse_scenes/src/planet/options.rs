//! The command line of the planet.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::{Args, ValueEnum};
use scene_kit::number::{coefficient, finite, not_negative, number, positive};

use crate::gathering::view::sky::CloudSize;

/// Command line options of the cloud and its world.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct PlanetOptions {
    /// Space, or the plane z = 0
    #[arg(long, value_name = "D", value_enum, default_value_t)]
    pub dim: Dimensions,
    /// Balls in the cloud [default: 1000 in 3D, 500 in 2D]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub balls: Option<u32>,
    /// Angular velocity of the cloud in rad/s, about Y in 3D and about Z in 2D
    #[arg(long, value_name = "W", default_value_t = 0.1, value_parser = finite, allow_negative_numbers = true)]
    pub spin: f32,
    /// Radius of the cloud in metres; it grows if the balls do not fit
    #[arg(long, value_name = "R", default_value_t = 100.0, value_parser = positive, allow_negative_numbers = true)]
    pub radius: f32,
    /// Gravitational constant in m³/(kg·s²); a ball weighs r³ kg in 3D, r² kg in 2D
    #[arg(long, value_name = "G", default_value_t = 500.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub g: f32,
    /// Coefficient of restitution of all impacts, 0 to 1
    #[arg(long, value_name = "E", default_value_t = 0.25, value_parser = coefficient, allow_negative_numbers = true)]
    pub restitution: f32,
    /// Balls that touch become one where their gravity holds them together
    #[arg(long)]
    pub accretion: bool,
    /// How overlap is pushed out
    #[arg(long, value_name = "LAW", value_enum, default_value_t)]
    pub projection: Projection,
    /// How the balls' pulls are summed
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    pub gravity: GravitySum,
    /// Opening angle of the tree, 0 to 0.9: the larger, the faster and the less exact
    #[arg(long, value_name = "T", default_value_t = 0.5, value_parser = opening_angle, allow_negative_numbers = true)]
    pub theta: f32,
    /// Throw a comet at four times the escape speed, at second S or halfway through the run; a headless run then reports
    /// energy and momenta from just after the throw on
    #[arg(long, value_name = "S", num_args = 0..=1, value_parser = positive, allow_negative_numbers = true)]
    pub comet: Option<Option<f32>>,
}

/// Whether the scene is flat.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimensions {
    /// A disc in the plane z = 0, of balls whose mass is their radius squared
    #[value(name = "2")]
    Two,
    /// A ball, of balls whose mass is their radius cubed
    #[default]
    #[value(name = "3")]
    Three,
}

/// The treatment of overlap, by its names on the command line.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// The library's own way: contacts that remember their impulses leave little overlap, and pushing that out keeps momentum and
    /// angular momentum
    #[default]
    Conserving,
    /// The position-based way: 16 sweeps of impulses, forgotten after the step, then 16 sweeps that push all overlap out and
    /// leave velocities alone; the planet spins itself apart
    Naive,
}

impl Projection {
    pub(super) fn config(self) -> CollisionConfig {
        match self {
            Self::Conserving => CollisionConfig {
                // So that the planet creeps to its figure and stays there.
                friction_warm_start: 0.5,
                // Where all fall on each other at once, most bounces are over before they are seen.
                impacts_per_substep: 0.2,
                ..default()
            },
            Self::Naive => CollisionConfig {
                contact_iterations: 16,
                contact_relaxation: 1.4,
                warm_start: 0.0,
                projection_iterations: 16,
                projection: ProjectionStrength::Factor(1.0),
                projection_law: ProjectionLaw::Naive,
                ..default()
            },
        }
    }
}

/// How self-gravity is summed: [`GravityMethod`], by the names that the command line has for it.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GravitySum {
    /// Pair by pair
    Direct,
    /// Distant balls in groups
    #[default]
    Tree,
}

impl PlanetOptions {
    pub(super) fn ball_count(&self) -> u32 {
        self.balls.unwrap_or(match self.dim {
            Dimensions::Two => 500,
            Dimensions::Three => 1000,
        })
    }

    pub(super) fn is_flat(&self) -> bool {
        self.dim == Dimensions::Two
    }

    pub(super) fn cloud_size(&self) -> CloudSize {
        CloudSize {
            radius: self.radius,
            is_flat: self.is_flat(),
            turn_rate: 0.06,
        }
    }

    /// The axis that the cloud turns about.
    pub(super) fn spin_axis(&self) -> Vec3 {
        match self.dim {
            Dimensions::Two => Vec3::Z,
            Dimensions::Three => Vec3::Y,
        }
    }
}

fn opening_angle(text: &str) -> Result<f32, String> {
    number(
        text,
        |value| (0.0..=0.9).contains(&value),
        "number from 0 to 0.9",
    )
}
