//! The report of a headless run of the colony.

use std::{
    f32::consts::PI,
    io::{self, Write},
};

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

use super::{
    alignment::{Rod, correlation_length},
    cell::Cell,
    course::{Course, Doubling},
};

/// The scene's part of the report, at the end of the run.
#[derive(Serialize, Clone, Debug)]
pub struct ColonyReport {
    /// How many there are.
    pub cells: usize,
    /// Cells that have divided.
    pub divisions: u64,
    /// Divisions between the first cell and the cell that has most of them behind it.
    pub generations: u32,
    /// Of the even disc in which the mean square of the cells' distances from their centre is the same, in m.
    pub colony_radius: f64,
    /// Mean over the cells of the pressure on them in N/m: the forces of all contacts over the circumference.
    pub mean_pressure: f64,
    /// The greatest of these.
    pub greatest_pressure: f64,
    /// Iterations of the contact solver in a step, mean over the steps since the number of cells last doubled.
    pub solver_iterations: f64,
    /// Mean over touching cells of the overlap over the radius, in the step in which it was largest.
    pub greatest_mean_overlap: f64,
    /// Distance in m over which cells lie alike: there ⟨cos 2(θᵢ − θⱼ)⟩ has fallen to 1/e. Null if it does not fall so far.
    pub correlation_length: Option<f64>,
    /// Wall-clock seconds since the first cell.
    pub wall_seconds: f64,
    /// How the run went, doubling by doubling.
    doublings: Vec<Doubling>,
}

/// All cells as they lie, in the order of their ids.
pub(super) struct Cells(pub Vec<(Entity, Cell, Transform, Capsule)>);

impl Cells {
    pub fn of(world: &mut World) -> Self {
        let mut cells: Vec<_> = world
            .query::<(Entity, &Cell, &Transform, &Capsule)>()
            .iter(world)
            .map(|(entity, cell, transform, capsule)| (entity, *cell, *transform, *capsule))
            .collect();
        cells.sort_by_key(|(_, cell, ..)| cell.id);
        Self(cells)
    }

    fn rods(&self) -> Vec<Rod> {
        let rod = |transform: &Transform| {
            let axis = transform.local_y().truncate();
            Rod::new(transform.translation.truncate(), axis)
        };
        self.0
            .iter()
            .map(|(_, _, transform, _)| rod(transform))
            .collect()
    }

    /// Of the even disc with the same mean square of distances from the centre: ⟨r²⟩ = R²/2.
    fn radius(&self) -> f64 {
        let places = || self.0.iter().map(|(_, _, at, _)| at.translation.as_dvec3());
        let count = self.0.len().max(1) as f64;
        let center = places().sum::<bevy::math::DVec3>() / count;
        let square = places()
            .map(|place| place.distance_squared(center))
            .sum::<f64>()
            / count;
        (2.0 * square).sqrt()
    }
}

/// Circumference of a cell seen from above, in m.
pub(super) fn circumference(capsule: &Capsule) -> f32 {
    2.0 * (capsule.length + PI * capsule.radius)
}

/// Writes the cells as CSV, a line for each in the order of their ids; lengths in m, the axis as a unit vector.
pub(super) fn write_cells(cells: &Cells, to: &mut impl Write) -> io::Result<()> {
    let mut to = io::BufWriter::new(to);
    writeln!(to, "id,parent,generation,x,y,axis_x,axis_y,length,radius")?;
    for (_, cell, transform, capsule) in &cells.0 {
        let Cell {
            id,
            parent,
            generation,
            ..
        } = cell;
        let Vec3 { x, y, .. } = transform.translation;
        let axis = transform.local_y();
        let (axis_x, axis_y) = (axis.x, axis.y);
        let Capsule { length, radius } = capsule;
        writeln!(
            to,
            "{id},{parent},{generation},{x},{y},{axis_x},{axis_y},{length},{radius}"
        )?;
    }
    to.flush()
}

/// Forces of all contacts on each body, along their normals, in N.
fn forces(world: &World) -> EntityHashMap<f32> {
    let h = world.resource::<Bodies>().substep();
    let mut forces = EntityHashMap::default();
    for contact in world.resource::<Contacts>().iter() {
        let force = contact.impulse.dot(contact.normal).abs() / h;
        for body in [contact.a, contact.b] {
            *forces.entry(body).or_default() += force;
        }
    }
    forces
}

/// The scene's part of the report.
pub fn colony_report(world: &mut World) -> ColonyReport {
    let cells = Cells::of(world);
    let forces = forces(world);
    let pressures: Vec<f64> = cells
        .0
        .iter()
        .map(|(entity, _, _, capsule)| {
            let force = forces.get(entity).copied().unwrap_or_default();
            f64::from(force / circumference(capsule))
        })
        .collect();
    let count = cells.0.len();
    let course = world.resource::<Course>();
    ColonyReport {
        cells: count,
        divisions: course.divisions,
        generations: cells
            .0
            .iter()
            .map(|(_, cell, ..)| cell.generation)
            .max()
            .unwrap_or_default(),
        colony_radius: cells.radius(),
        mean_pressure: pressures.iter().sum::<f64>() / count.max(1) as f64,
        greatest_pressure: pressures.iter().copied().fold(0.0, f64::max),
        solver_iterations: course
            .doublings
            .last()
            .map_or(0.0, |last| last.solver_iterations),
        greatest_mean_overlap: course.greatest_overlap(),
        correlation_length: correlation_length(&cells.rods()),
        wall_seconds: course.wall_seconds(),
        doublings: course.doublings.clone(),
    }
}
