//! Pushes everything apart that overlaps, cell by cell of the partition.

use super::{
    balls::{Spot, Terms},
    cell::Part,
    shift::Shift,
    turning::Turning,
};
use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::CollisionConfig,
    parallel::{fill_chunks, for_each},
    solver::{
        contact::Contacts,
        partition::{Partition, Parts},
    },
};

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 1024;

/// What the projection stage keeps between calls so as not to allocate.
#[derive(Default)]
pub struct Projector {
    parts: Parts<Part>,
    spots: Vec<Spot>,
    shifts: Vec<Shift>,
    turnings: Vec<Turning>,
}

impl Projector {
    /// Pushes apart what overlaps, as often as `config` says.
    pub(crate) fn push_apart(
        &mut self,
        bodies: &mut Bodies,
        config: &CollisionConfig,
        broad_phase: &BroadPhase,
        partition: &mut Partition,
        contacts: &Contacts,
    ) {
        let Projector {
            parts,
            spots,
            shifts,
            turnings,
        } = self;
        partition.update(bodies, broad_phase);
        let slabs = &partition.slabs;
        find_overlaps(
            parts,
            spots,
            bodies,
            config,
            broad_phase,
            partition,
            contacts,
        );
        if parts.iter().all(Part::is_empty) {
            return;
        }
        slabs.fill(shifts, Shift::NOBODY, |i| Shift::of(bodies, i));
        let turns = parts.iter().any(Part::turns);
        if turns {
            slabs.fill(turnings, Turning::NOBODY, |i| Turning::of(bodies, i));
        }
        let terms = Terms::new(config, bodies.h);
        for _ in 0..config.projection_iterations {
            if turns {
                slabs.for_each_part_of_both(
                    parts,
                    shifts,
                    turnings,
                    |part, first, shifts, turnings| {
                        part.push_balls_apart(&terms, shifts);
                        part.push_others_apart(bodies, config, slabs, first, shifts, turnings);
                    },
                );
            } else {
                slabs.for_each_part(parts, shifts, |part, _, shifts| {
                    part.push_balls_apart(&terms, shifts);
                });
            }
            if !parts.iter().any(|part| part.moved) {
                break;
            }
        }
        bodies.for_each_run(|first, mut run| {
            for i in 0..run.len() {
                let place = slabs.place(first + i);
                if run.is_pushed(i) && shifts[place].has_moved() {
                    shifts[place].write(&mut run, i);
                    if turns {
                        turnings[place].write(&mut run, i);
                    }
                }
            }
        });
    }
}

/// Finds what overlaps in each part.
fn find_overlaps(
    parts: &mut Parts<Part>,
    spots: &mut Vec<Spot>,
    bodies: &Bodies,
    config: &CollisionConfig,
    broad_phase: &BroadPhase,
    partition: &Partition,
    contacts: &Contacts,
) {
    let slabs = &partition.slabs;
    fill_chunks(bodies.len(), BODIES_PER_TASK, spots, Spot::NONE, |i| {
        Spot::of(bodies, i)
    });
    parts.resize(slabs);
    let terms = Terms::new(config, bodies.h);
    let own = partition.pairs.iter();
    for_each(parts.iter_mut().zip(own).enumerate(), |(k, (part, own))| {
        part.clear();
        let unseated = match contacts.seating(broad_phase, k) {
            Some(seating) => {
                part.find_balls(&terms, spots, seating.balls());
                seating.others
            }
            None => own,
        };
        let first = slabs.reach(k).start;
        for &pair in unseated {
            part.find_other(
                bodies,
                config,
                slabs,
                first,
                broad_phase.pairs[pair as usize],
            );
        }
    });
}
