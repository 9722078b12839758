//! Reads the components of bodies into the packed arrays.

use std::sync::{Mutex, PoisonError};

use bevy::{
    ecs::{entity::EntityHashSet, system::SystemParam},
    prelude::*,
};

use super::{body_data::BodyData, context::Context, gathered::Gathered};
use crate::{
    body::{Bodies, BodyFlags, SORTED_FROM, Switch},
    ecs::{compounds::Compounds, hierarchy::Hierarchy, kind::AnyBody, parents::Parents},
    messages::InputProblem,
};

/// Reads all bodies of the world into [`Bodies`].
#[derive(SystemParam)]
pub(crate) struct BodyReader<'w, 's> {
    query: Query<'w, 's, BodyData, AnyBody>,
    entities: Query<'w, 's, Entity, AnyBody>,
    parents: Parents<'w, 's>,
    compounds: Res<'w, Compounds>,
}

/// What threads find while they read bodies.
#[derive(Default)]
struct Found {
    /// Whether one of the bodies cannot take part.
    is_unsound: bool,
    told: Vec<(Entity, InputProblem)>,
    switches: Vec<Switch>,
    changed: Vec<u32>,
}

impl BodyReader<'_, '_> {
    /// Fills `bodies` and hands every problem to `report`. A body with a problem that cannot be mended is left out.
    pub fn read(&self, bodies: &mut Bodies, report: impl FnMut(Entity, InputProblem)) {
        self.enlist(bodies);
        bodies.mark_all_changed();
        self.read_changed(bodies, None, report);
        bodies.place_parts();
    }

    /// Reads the marked bodies, and the bodies that were never read, between two steps. What has changed since an
    /// earlier reading disturbs no body.
    pub fn read_marked(&self, bodies: &mut Bodies) {
        let mut has_changed = false;
        let applied = std::mem::take(&mut bodies.applied);
        let last_step = std::mem::take(&mut bodies.last_step);
        let context = Context::new(
            bodies,
            &applied,
            &last_step,
            (&self.parents, &self.compounds),
            None,
        );
        let mut columns = bodies.columns();
        for i in (0..columns.len())
            .filter(|&i| columns.must_be_read(i))
            .collect::<Vec<_>>()
        {
            let Ok(body) = self.query.get(columns.entity[i]) else {
                continue;
            };
            // A body that cannot take part is found again, and told, in the next step.
            if let Ok(gathered) = Gathered::new(&body, context, &mut |_| {}) {
                has_changed |= columns.set(i, &gathered).has_changed;
            }
        }
        bodies.applied = applied;
        bodies.last_step = last_step;
        if has_changed {
            bodies.index();
        }
        bodies.place_parts();
        bodies.clear(BodyFlags::DISTURBED | BodyFlags::APPEARED | BodyFlags::SWITCHED);
    }

    /// The place in the world of a body that is a child.
    pub fn place_of_child(&self, entity: Entity) -> Option<Transform> {
        let body = self.query.get(entity).ok()?;
        self.parents
            .place(body.child_of?.parent(), body.transform)
            .ok()
    }

    /// Whether the entity is a body.
    pub fn has(&self, entity: Entity) -> bool {
        self.entities.contains(entity)
    }

    /// All bodies of the world that are not in `bodies`, in the order in which a step would enlist them.
    pub fn unlisted(&self, bodies: &Bodies) -> Vec<Entity> {
        let all = self.entities.iter();
        let mut unlisted: Vec<_> = all
            .filter(|&body| bodies.index_of(body).is_none())
            .collect();
        self.sort_by_key(&mut unlisted);
        unlisted
    }

    /// Gives each present body its place in `bodies`. New bodies are still to be read.
    pub(super) fn enlist(&self, bodies: &mut Bodies) {
        let is_gone = |&i: &usize| !self.has(bodies.entity[i]);
        let gone: Vec<usize> = (0..bodies.len()).filter(is_gone).collect();
        let new = self.unlisted(bodies);
        let count = bodies.len() + new.len() - gone.len();
        if count.min(bodies.len()) >= SORTED_FROM {
            if !(gone.is_empty() && new.is_empty()) {
                bodies.are_others |= !bodies.last_step.have_merged;
                bodies.exchange(&gone, &new);
            }
            return;
        }
        let known = bodies.entity.iter().copied();
        let mut order: Vec<Entity> = known.filter(|&entity| self.has(entity)).collect();
        order.extend(new);
        if order.len() < SORTED_FROM {
            self.sort_by_key(&mut order);
        }
        if order != bodies.entity {
            bodies.are_others |= !bodies.last_step.have_merged;
            bodies.rearrange(&order);
            bodies.entity.copy_from_slice(&order);
            bodies.index();
        }
    }

    /// Reads the bodies that have changed. The other bodies continue from the step before.
    pub(super) fn read_changed(
        &self,
        bodies: &mut Bodies,
        hierarchy: Option<&Hierarchy>,
        mut report: impl FnMut(Entity, InputProblem),
    ) {
        // Reported problems of these bodies must be found again, or they count as mended.
        for entity in std::mem::take(&mut bodies.told) {
            if let Some(i) = bodies.index_of(entity) {
                bodies.mark_changed(i);
            }
        }
        if !(bodies.are_sound && self.try_read_changed(bodies, hierarchy, &mut report)) {
            bodies.are_sound = true;
            self.read_all(bodies, hierarchy, &mut report);
        }
    }

    /// Reads on all threads. Returns false, and reports nothing, if one of the bodies cannot take part.
    fn try_read_changed(
        &self,
        bodies: &mut Bodies,
        hierarchy: Option<&Hierarchy>,
        report: &mut impl FnMut(Entity, InputProblem),
    ) -> bool {
        let found = Mutex::new(Found::default());
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let applied = std::mem::take(&mut bodies.applied);
        let last_step = std::mem::take(&mut bodies.last_step);
        let context = Context::new(
            bodies,
            &applied,
            &last_step,
            (&self.parents, &self.compounds),
            hierarchy,
        );
        bodies.for_each_run(|first, mut run| {
            for i in 0..run.len() {
                if !run.must_be_read(i) && run.is_sound(i) {
                    run.resume(i);
                    continue;
                }
                run.flags[i].remove(BodyFlags::CHANGED);
                let entity = run.entity[i];
                let mut tell = |problem| lock().told.push((entity, problem));
                let body = self.query.get(entity).ok();
                let gathered = body.and_then(|body| Gathered::new(&body, context, &mut tell).ok());
                let Some(gathered) = gathered else {
                    lock().is_unsound = true;
                    break;
                };
                let set = run.set(i, &gathered);
                if set.has_changed {
                    lock().changed.push((first + i) as u32);
                }
                if let Some(switch) = set.switch {
                    lock().switches.push(switch);
                }
            }
        });
        bodies.applied = applied;
        bodies.last_step = last_step;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !found.changed.is_empty() {
            bodies.index_at(&found.changed);
        }
        if !found.is_unsound {
            bodies.note_switches(found.switches);
            // Stable: the problems of one body stay in their order.
            found.told.sort_by_key(|(entity, _)| *entity);
            for (entity, problem) in found.told {
                report(entity, problem);
                bodies.told.push(entity);
            }
        }
        !found.is_unsound
    }

    /// Reads every body, and leaves out the bodies that cannot take part.
    fn read_all(
        &self,
        bodies: &mut Bodies,
        hierarchy: Option<&Hierarchy>,
        report: &mut impl FnMut(Entity, InputProblem),
    ) {
        self.enlist(bodies);
        let before = bodies.len();
        let mut told = Vec::new();
        let applied = std::mem::take(&mut bodies.applied);
        let last_step = std::mem::take(&mut bodies.last_step);
        let context = Context::new(
            bodies,
            &applied,
            &last_step,
            (&self.parents, &self.compounds),
            hierarchy,
        );
        let mut sound = Vec::with_capacity(before);
        for body in self.query.iter_many(&bodies.entity) {
            let mut tell = |problem| {
                told.push(body.entity);
                report(body.entity, problem);
            };
            match Gathered::new(&body, context, &mut tell) {
                Ok(gathered) => sound.push(gathered),
                Err(problem) => report(body.entity, problem),
            }
        }
        bodies.applied = applied;
        bodies.last_step = last_step;
        leave_out_parts(&mut sound);
        bodies.are_sound = sound.len() == before;
        if !bodies.are_sound {
            let order: Vec<Entity> = sound.iter().map(|body| body.entity).collect();
            bodies.rearrange(&order);
        }
        let (mut has_changed, mut switches) = (false, Vec::new());
        let mut columns = bodies.columns();
        for (i, body) in sound.iter().enumerate() {
            columns.flags[i].remove(BodyFlags::CHANGED);
            let set = columns.set(i, body);
            has_changed |= set.has_changed;
            switches.extend(set.switch);
        }
        bodies.told = told;
        bodies.note_switches(switches);
        if has_changed || !bodies.are_sound {
            bodies.index();
        }
    }
}

/// Leaves out the parts of compounds that are left out.
fn leave_out_parts(sound: &mut Vec<Gathered>) {
    if sound.iter().all(|body| body.whole == Entity::PLACEHOLDER) {
        return;
    }
    let is_compound = |body: &&Gathered| body.shape.is_compound();
    let wholes: EntityHashSet = sound
        .iter()
        .filter(is_compound)
        .map(|it| it.entity)
        .collect();
    sound.retain(|body| body.whole == Entity::PLACEHOLDER || wholes.contains(&body.whole));
}

impl BodyReader<'_, '_> {
    /// Sorts bodies by their [`BodyOrder`](crate::components::BodyOrder), then by their entities.
    pub fn sort_by_key(&self, order: &mut [Entity]) {
        // With a few bodies this is no work, and with many it is done at the load of a saved world.
        order.sort_by_cached_key(|&entity| match self.query.get(entity) {
            Ok(body) => body.key(),
            Err(_) => (u64::MAX, entity),
        });
    }
}
