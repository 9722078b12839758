//! The search for the contacts with colliders, on all threads. It takes much more time than the search for other contacts. A world
//! may have all its pairs in one cell, so the pairs of a cell are shared out too.

use std::ops::Range;

use super::{
    cell::{ContactCell, PackingInput},
    entry::{PairEntry, StoredImpulse},
    substep::Substep,
    surface::{FoundContact, NearSurface, SurfaceMemory, take_nearest},
};
use crate::{
    parallel::{for_each, map_chunks},
    solver::{impact::Impacts, partition::Cells},
};

/// Number of pairs with colliders whose contacts one task finds.
const PAIRS_PER_TASK: usize = 8;

/// Finds the contacts with colliders.
#[derive(Debug, Default)]
pub(super) struct SurfaceSearch {
    tasks: Vec<SearchTask>,
    found: Vec<Vec<FoundContact>>,
}

/// Some of the pairs with colliders of a cell.
#[derive(Clone, Debug)]
struct SearchTask {
    cell: usize,
    pairs: Range<usize>,
}

impl SurfaceSearch {
    /// Makes the constraints with colliders anew, with the impulses of the last substep.
    pub fn run(
        &mut self,
        cells: &mut Cells<ContactCell>,
        input: &PackingInput,
        substep: &Substep,
        impacts: &Impacts,
        memory: &SurfaceMemory,
    ) {
        cells.iter_mut().for_each(ContactCell::clear_surfaces);
        self.tasks.clear();
        for (cell, contacts) in cells.iter().enumerate() {
            let count = contacts.pairs_on_surfaces().len();
            let starts = (0..count).step_by(PAIRS_PER_TASK);
            self.tasks.extend(starts.map(|start| SearchTask {
                cell,
                pairs: start..(start + PAIRS_PER_TASK).min(count),
            }));
        }
        if self.tasks.is_empty() {
            return;
        }
        let tasks = &self.tasks;
        let found = map_chunks(tasks.len(), 1, &mut self.found, |range, found| {
            for SearchTask { cell, pairs } in tasks[range].iter().cloned() {
                for &pair in &cells.get(cell).pairs_on_surfaces()[pairs] {
                    find(input, (cell, pair), substep, impacts, memory, found);
                }
            }
        });
        for (task, found) in tasks.iter().zip(found) {
            cells.get_mut(task.cell).add_found(found);
        }
        for_each(cells.iter_mut().enumerate(), |(number, cell)| {
            cell.pack_surfaces(input.layout, number);
        });
    }
}

/// Finds the contacts of a pair with a collider.
fn find(
    input: &PackingInput,
    (cell, pair): (usize, u32),
    substep: &Substep,
    impacts: &Impacts,
    memory: &SurfaceMemory,
    found: &mut Vec<FoundContact>,
) {
    let bodies = input.bodies;
    let first_slot = input.layout.range(cell).start;
    let (body, collider) = input.bodies_of(pair);
    let (i, j) = (body as usize, collider as usize);
    let class = input.class_of(i, j);
    let entry = input.entry(&input.coloring_entry(pair, first_slot), class);
    let remembered = memory.of_pair((bodies.entity[i], bodies.entity[j]));
    let mut taken = 0;
    let near = NearSurface::new(bodies, substep.h, (i, j));
    for (contact, share, normal) in near.contacts(substep, impacts.unresolved(i)) {
        let own = take_nearest(remembered, normal, &mut taken);
        let others = match near.is_joined() {
            true => memory.of_joined(bodies, &near, normal, own),
            false => None,
        };
        let mut impulse = joined(own, others, share).unwrap_or_default();
        // If one point has become two, they share its impulses.
        impulse.second_share = match (contact.points.len(), impulse.second_share) {
            (2.., 0.0) => 0.5,
            (2.., share) => share,
            _ => 0.0,
        };
        found.push(FoundContact {
            bend: near.bend(&contact, impulse.friction),
            entry: PairEntry { impulse, ..entry },
            class,
            contact,
            normal,
        });
    }
}

/// The impulse that a contact starts with: its share of its own impulse and those of the joined colliders.
fn joined(
    own: Option<StoredImpulse>,
    others: Option<StoredImpulse>,
    share: f32,
) -> Option<StoredImpulse> {
    if share == 1.0 && others.is_none() {
        return own;
    }
    let mut all = own.unwrap_or_default();
    if let Some(others) = &others {
        all.join(others);
    }
    Some(StoredImpulse {
        normal: share * all.normal,
        friction: share * all.friction,
        couple: share * all.couple,
        ..all
    })
}
