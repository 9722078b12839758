//! Finds the bodies that have changed since the last step: usually few. Only these are read again.

use bevy::{
    ecs::{
        change_detection::{ContiguousRef, Tick},
        entity::EntityLocation,
        query::ContiguousQueryData,
        storage::TableId,
        system::{SystemChangeTick, SystemParam},
    },
    prelude::*,
};

use crate::{
    body::Bodies,
    components::{
        Acceleration, AngularDamping, AngularVelocity, AppliedForces, Capsule, Collider,
        CollisionLayers, Density, Division, ExternalForce, ExternalTorque, Friction, GravityScale,
        Growth, Inertia, LinearDamping, LinearVelocity, Mass, Particle, Pivot, Plane, Restitution,
        RigidBody, RollingFriction, Sleep, SpinningFriction, SurfaceVelocity,
    },
    ecs::kind::AnyBody,
    flat::in_plane,
};

/// A tuple of components, with the change ticks of all its columns.
macro_rules! columns {
    ($(#[$doc:meta])* $columns:ident, $ticks_of:ident: $($column:ident $component:ty,)*) => {
        $(#[$doc])*
        type $columns = ($(Option<Ref<'static, $component>>,)*);

        fn $ticks_of<'a>(
            ($($column,)*): &<$columns as ContiguousQueryData>::Contiguous<'a, '_>,
        ) -> impl IntoIterator<Item = &'a [Tick]> {
            [$(ticks($column),)*]
        }
    };
}
columns! {
    /// Components that a step writes to dynamic and kinematic bodies.
    Written, ticks_of_written:
    v LinearVelocity, w AngularVelocity, a Acceleration, sleep Sleep,
}
columns! {
    /// Components that a step only reads.
    Given, ticks_of_given:
    particle Particle, scale GravityScale, force ExternalForce, torque ExternalTorque, applied AppliedForces,
    restitution Restitution, friction Friction, rolling RollingFriction, spinning SpinningFriction,
    drag LinearDamping, spin_drag AngularDamping, density Density, inertia Inertia,
    layers CollisionLayers, pivot Pivot,
}
columns! {
    /// More components that a step only reads: a tuple has room for fifteen.
    GivenToo, ticks_of_given_too:
    plane Plane, collider Collider, division Division, belt SurfaceVelocity,
}
columns! {
    /// Components that a step writes to bodies that grow or divide, and only reads on other bodies.
    Grown, ticks_of_grown:
    growth Growth, capsule Capsule, mass Mass,
}

type Watched = (
    Entity,
    Ref<'static, Transform>,
    Written,
    Given,
    GivenToo,
    Grown,
    Option<Ref<'static, RigidBody>>,
);

/// Finds the bodies that someone else has changed since the last step, from the change ticks of whole tables.
#[derive(SystemParam)]
pub(crate) struct Watch<'w, 's> {
    tables: Query<'w, 's, Watched, AnyBody>,
    locations: Query<'w, 's, EntityLocation>,
    tick: SystemChangeTick,
    known: Local<'s, Vec<Known>>,
}

/// The bodies of one table, as they stood in the last step. A component added or removed puts an entity into another table.
pub(crate) struct Known {
    table: Option<TableId>,
    entities: Vec<Entity>,
}

impl Watch<'_, '_> {
    /// Marks the bodies that have changed. Whether there are other bodies than in the last step, or in other tables.
    pub fn mark_changed(&mut self, bodies: &mut Bodies) -> bool {
        let Ok(tables) = self.tables.contiguous_iter() else {
            bodies.mark_all_changed();
            return true;
        };
        let (read_at, written_at) = (self.tick.last_run(), bodies.written_at);
        let (mut count, mut are_others) = (0, false);
        for (entities, transforms, written, given, given_too, grown, kinds) in tables {
            if count == self.known.len() {
                self.known.push(Known {
                    table: None,
                    entities: Vec::new(),
                });
            }
            let known = &mut self.known[count];
            let location = entities
                .first()
                .and_then(|&first| self.locations.get(first).ok());
            let table = location.map(|location| location.table_id);
            if known.table != table || known.entities != entities {
                are_others = true;
                known.table = table;
                known.entities.clear();
                known.entities.extend_from_slice(entities);
                bodies.note_table(entities, table);
            }
            count += 1;

            // Values that the last step has written are no change. A step writes nothing to static bodies.
            let (plane, collider, division, _) = &given_too;
            let is_ground = plane.is_some() || collider.is_some();
            let of_rows = kinds.as_ref().map(|kinds| &kinds[..]);
            let marker = Marker {
                entities,
                kinds: of_rows.unwrap_or_default(),
                has_static: of_rows.map_or(is_ground, |kinds| kinds.contains(&RigidBody::Static)),
                now: self.tick.this_run(),
                read_at,
                written_at,
            };
            marker.mark(ticks(&kinds), read_at, bodies, |_, _, _| true);
            marker.mark_others_changes(
                transforms.changed_ticks_slice(),
                bodies,
                |bodies, i, row| !bodies.stands_at(i, &transforms[row]),
            );
            let (v, w, a, sleep) = &written;
            let is_written = v.is_some() && w.is_some() && a.is_some() && sleep.is_some();
            if !is_ground && !is_written {
                // The step gives nothing back to these: they are where their components say.
                bodies.mark_all_of(entities);
            }
            for ticks in ticks_of_written(&written) {
                marker.mark_others_changes(ticks, bodies, |_, _, _| true);
            }
            let is_grown = grown.0.is_some() || division.is_some();
            for ticks in ticks_of_grown(&grown) {
                if is_grown {
                    marker.mark_others_changes(ticks, bodies, |_, _, _| true);
                } else {
                    marker.mark(ticks, read_at, bodies, |_, _, _| true);
                }
            }
            let given = ticks_of_given(&given).into_iter();
            for ticks in given.chain(ticks_of_given_too(&given_too)) {
                marker.mark(ticks, read_at, bodies, |_, _, _| true);
            }
        }
        are_others |= count < self.known.len();
        self.known.truncate(count);
        are_others
    }
}

/// When each row of a table was last changed.
pub(crate) fn ticks<'a, T>(column: &Option<ContiguousRef<'a, T>>) -> &'a [Tick] {
    column
        .as_ref()
        .map_or(&[], |column| column.changed_ticks_slice())
}

/// Marks bodies by their rows in a table.
struct Marker<'a> {
    entities: &'a [Entity],
    /// Empty if the rows have no such component.
    kinds: &'a [RigidBody],
    has_static: bool,
    now: Tick,
    read_at: Tick,
    written_at: Tick,
}

impl Marker<'_> {
    /// Marks the bodies of rows that someone else than the step has changed, if they `are_others` indeed: given the body and its
    /// row.
    fn mark_others_changes(
        &self,
        ticks: &[Tick],
        bodies: &mut Bodies,
        are_others: impl Fn(&Bodies, usize, usize) -> bool,
    ) {
        self.mark(ticks, self.written_at, bodies, &are_others);
        if self.has_static {
            let is_static = |row: usize| self.kinds.get(row).is_none_or(|kind| kind.is_static());
            self.mark(ticks, self.read_at, bodies, |bodies, i, row| {
                is_static(row) && are_others(bodies, i, row)
            });
        }
    }

    /// Marks the bodies of rows that were changed after `since`, if `are_others` returns true for the body and its row.
    fn mark(
        &self,
        ticks: &[Tick],
        since: Tick,
        bodies: &mut Bodies,
        are_others: impl Fn(&Bodies, usize, usize) -> bool,
    ) {
        let is_newer = |tick: &Tick| tick.is_newer_than(since, self.now);
        // Without an early exit, the compiler can check several ticks at a time.
        if !ticks.iter().fold(false, |any, tick| any | is_newer(tick)) {
            return;
        }
        for (row, (tick, &entity)) in ticks.iter().zip(self.entities).enumerate() {
            if is_newer(tick)
                && let Some(i) = bodies.index_of(entity)
                && are_others(bodies, i, row)
            {
                bodies.mark_changed(i);
            }
        }
    }
}

impl Bodies {
    /// Records the table that entities are in, and marks the bodies that were in another table.
    fn note_table(&mut self, entities: &[Entity], table: Option<TableId>) {
        for &entity in entities {
            if let Some(i) = self.index_of(entity)
                && self.table[i] != table
            {
                self.table[i] = table;
                self.mark_changed(i);
            }
        }
    }

    fn mark_all_of(&mut self, entities: &[Entity]) {
        for &entity in entities {
            if let Some(i) = self.index_of(entity) {
                self.mark_changed(i);
            }
        }
    }

    /// Whether the body's transform is the one that the last step has written or found.
    pub(crate) fn stands_at(&self, i: usize, transform: &Transform) -> bool {
        let x = transform.translation;
        let shown = if self.flat { in_plane(x) } else { x };
        shown == self.shown_position(i)
            && transform.rotation == self.rotation[i]
            && transform.scale == self.scale[i]
    }
}
