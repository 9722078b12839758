//! A cell: how long it grows, and how it divides.

use std::{f32::consts::FRAC_PI_2, ops::RangeInclusive};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::RunOptions;

/// Of every cell, in metres.
pub(super) const RADIUS: f32 = 0.5;

/// Length in metres that the cylinder has at birth, on average.
const BIRTH: f32 = 1.25;

/// Lengths in metres of the cylinder at which cells divide: about twice the length over all that they had at birth.
pub(super) const DIVISION: RangeInclusive<f32> = 3.25..=3.75;

/// Part of the cylinders that the first daughter gets.
const SHARE: RangeInclusive<f32> = 0.48..=0.52;

/// Angle in radians between two daughters.
const BEND: RangeInclusive<f32> = -0.15..=0.15;

/// Seconds from birth to division, on average, where nothing slows the growth.
pub(super) const GENERATION: f32 = 4.0;

/// In 1/s: a cell forgets its velocity in an eightieth of a generation, so that it moves only while it is pushed.
const DAMPING: f32 = 20.0;

/// Kilograms for each metre over all: a cell in its flat world.
const MASS_PER_LENGTH: f32 = 1.0;

/// Generations after which a lineage keeps its name, and its colour.
const NAMED_GENERATIONS: u32 = 4;

/// A cell, and where it comes from.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// Counted from 1, in the order of birth.
    pub id: u64,
    /// Of the cell that divided into this one and its sister; 0 for the first cell, which has none.
    pub parent: u64,
    /// Divisions since the first cell.
    pub generation: u32,
    /// Which of the first sixteen cells it comes from, if it is not one of their ancestors: from 0 on, sisters one after the
    /// other.
    pub lineage: u32,
}

impl Cell {
    pub fn daughter(&self, id: u64, second: bool) -> Self {
        let generation = self.generation + 1;
        let lineage = if generation <= NAMED_GENERATIONS {
            2 * self.lineage + u32::from(second)
        } else {
            self.lineage
        };
        Self {
            id,
            parent: self.id,
            generation,
            lineage,
        }
    }

    /// Place of its lineage among all lineages, 0 to 1: between the places of the daughters that it may have.
    pub fn place_of_lineage(&self) -> f32 {
        let lineages = 1u32 << self.generation.min(NAMED_GENERATIONS);
        (self.lineage as f32 + 0.5) / lineages as f32
    }

    /// How it will divide: random numbers that depend on the seed and its id alone.
    pub fn division(&self, run: &RunOptions) -> Division {
        let mut rng = run.rng(self.id);
        Division {
            length: rng.random_range(DIVISION),
            share: rng.random_range(SHARE),
            bend: rng.random_range(BEND),
        }
    }
}

/// The first cell, which lies along X in the origin.
pub(super) fn founder(run: &RunOptions, id: u64, inertia: f32) -> impl Bundle {
    let cell = Cell {
        id,
        parent: 0,
        generation: 0,
        lineage: 0,
    };
    let mean_division = 0.5 * (DIVISION.start() + DIVISION.end());
    let rate = (mean_division - BIRTH) / GENERATION;
    let mass = MASS_PER_LENGTH * (BIRTH + 2.0 * RADIUS);
    (
        cell,
        Capsule::new(RADIUS, BIRTH),
        Mass(mass),
        RodInertia,
        Growth::new(rate, mass)
            .with_inertia(inertia)
            .with_uptake(MASS_PER_LENGTH),
        cell.division(run),
        LinearDamping(DAMPING),
        AngularDamping(DAMPING),
        Transform::from_rotation(Quat::from_rotation_z(-FRAC_PI_2)),
    )
}
