//! The snapshot of the world at the moment of a query. It is made anew only if the world has changed since the last one.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::{
    ecs::{
        change_detection::Tick,
        system::{SystemChangeTick, SystemParam},
    },
    prelude::*,
};

use super::{
    body::{Body, bounds_of_ball, bounds_of_capsule},
    snapshot::Snapshot,
};
use crate::{
    components::{
        Capsule, Collider, CollisionLayers, MovedByTransform, Particle, Plane, RigidBody, Sensor,
    },
    config::CollisionConfig,
    ecs::{
        ancestors::Ancestors,
        compounds::{Compounds, Part},
        gather::{PlacedShape, ShapeData, ticks},
        kind::{AnyShape, kind_of, may_follow},
    },
    flat::flatten,
    kernel::unit,
};

/// The components that say what a query finds, and when they were changed.
type Watched = (
    Entity,
    Ref<'static, Transform>,
    Option<Ref<'static, Particle>>,
    Option<Ref<'static, Plane>>,
    Option<Ref<'static, Capsule>>,
    Option<Ref<'static, Collider>>,
    Option<Ref<'static, RigidBody>>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Sensor>>,
    Option<Ref<'static, MovedByTransform>>,
    Option<Ref<'static, ChildOf>>,
);

/// The last snapshot. All systems share it.
#[derive(Resource, Default)]
pub(crate) struct LastSnapshot(Mutex<Last>);

#[derive(Default)]
struct Last {
    snapshot: Arc<Snapshot>,
    /// When the snapshot was made; `None` before the first one.
    made_at: Option<Tick>,
    tables: Vec<Table>,
    /// Whether the world was flat, and the changes of compounds.
    made_for: (bool, u64),
}

/// The bodies of one table, and which of the watched components they have.
#[derive(Default)]
struct Table {
    has: [bool; 9],
    entities: Vec<Entity>,
}

/// The components that give the box of a ball or a capsule.
type Measures = (
    Entity,
    &'static Transform,
    Option<&'static Particle>,
    Option<&'static Capsule>,
    (Has<Plane>, Has<Collider>, Has<ChildOf>),
);

/// Reads the bodies of the world.
#[derive(SystemParam)]
pub(super) struct WorldReader<'w, 's> {
    bodies: Query<
        'w,
        's,
        (
            ShapeData,
            &'static Transform,
            Option<&'static RigidBody>,
            Option<&'static CollisionLayers>,
            (Has<Sensor>, Has<MovedByTransform>),
            Option<&'static ChildOf>,
        ),
        AnyShape,
    >,
    shapes: Query<'w, 's, Measures, AnyShape>,
    ancestors: Ancestors<'w, 's>,
    compounds: Res<'w, Compounds>,
    children: Query<'w, 's, Ref<'static, ChildOf>, AnyShape>,
    transforms: Query<'w, 's, (Ref<'static, Transform>, Option<&'static ChildOf>)>,
    watched: Query<'w, 's, Watched, AnyShape>,
    tick: SystemChangeTick,
    last: Res<'w, LastSnapshot>,
    config: Res<'w, CollisionConfig>,
}

impl WorldReader<'_, '_> {
    /// The world as it is now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        let mut last = self.last.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made_for = (self.config.flat, self.compounds.changes());
        let is_other = std::mem::replace(&mut last.made_for, made_for) != made_for;
        if self.has_changed(&mut last) || is_other {
            if let Some(snapshot) = Arc::get_mut(&mut last.snapshot) {
                snapshot.update(|snapshot| self.add_boxes(snapshot));
            } else {
                // Another system still looks at the old one.
                let mut snapshot = Snapshot::default();
                snapshot.update(|snapshot| self.add_boxes(snapshot));
                last.snapshot = Arc::new(snapshot);
            }
        }
        last.made_at = Some(self.now(&last));
        Arc::clone(&last.snapshot)
    }

    /// A body as it is now; `None` for an entity that is no body, or has a bad value: the step reports that.
    pub fn body(&self, entity: Entity) -> Option<Body> {
        let (shape, transform, kind, layers, (is_sensor, is_moved), child_of) =
            self.bodies.get(entity).ok()?;
        let (parent, flat) = (child_of.map(ChildOf::parent), self.config.flat);
        let mut place = match parent {
            Some(parent) => self.ancestors.parents.place(parent, transform).ok()?,
            None => *transform,
        };
        if flat {
            flatten(&mut place, shape.1.is_some());
        }
        let around = (Vec3::ZERO, flat);
        let placed = PlacedShape::new(shape, &place, around, &mut |_| {}).ok()?;
        let is_round = placed.shape.is_round();
        let follows = is_moved && may_follow(is_round, kind);
        let own_kind = kind_of(is_round, kind, follows);
        let (kind, whole) = match (self.compounds.part(entity), parent) {
            (Some(part), _) => (part.kind, Some((part.whole, self.arm(part)))),
            (None, Some(parent)) if own_kind.is_static() => {
                match self.ancestors.carrier(parent, transform).ok()? {
                    Some(it) => (
                        RigidBody::Kinematic,
                        Some((it.body, self.ancestors.arm(&it))),
                    ),
                    None => (own_kind, None),
                }
            }
            _ => (own_kind, None),
        };
        Some(Body::new(entity, kind, whole, layers, is_sensor, placed))
    }

    /// The way in m from a compound's centre of mass to its part.
    fn arm(&self, part: &Part) -> Vec3 {
        let map = self.ancestors.parents.map_of(part.whole);
        let (_, rotation, _) = map.to_scale_rotation_translation();
        rotation.as_quat() * part.offset
    }

    /// Adds all bodies with their boxes. Those of balls and capsules are found from whole tables; one with a bad value may
    /// be among them.
    fn add_boxes(&self, to: &mut Snapshot) {
        let add_read = |entity: Entity, to: &mut Snapshot| {
            if let Some(body) = self.body(entity) {
                to.add_body(body);
            }
        };
        let Ok(tables) = self.shapes.contiguous_iter() else {
            let all = self.shapes.iter();
            return all.for_each(|(entity, ..)| add_read(entity, to));
        };
        for (entities, places, particles, capsules, (is_plane, is_collider, has_parent)) in tables {
            let is_plain = !(is_plane || is_collider || has_parent || self.config.flat);
            let placed = entities.iter().zip(places);
            match (particles, capsules) {
                (Some(particles), None) if is_plain => {
                    for ((&entity, place), particle) in placed.zip(particles) {
                        let radius = particle.radius * place.scale.x;
                        to.add(entity, bounds_of_ball(place.translation, radius));
                    }
                }
                (None, Some(capsules)) if is_plain => {
                    for ((&entity, place), capsule) in placed.zip(capsules) {
                        let axis = unit(place.rotation) * Vec3::Y;
                        let [radius, length] =
                            [capsule.radius, capsule.length].map(|it| it * place.scale.x);
                        let bounds =
                            bounds_of_capsule(place.translation, axis, (radius, 0.5 * length));
                        to.add(entity, bounds);
                    }
                }
                _ => entities.iter().for_each(|&entity| add_read(entity, to)),
            }
        }
    }

    /// The tick of this system. A system that runs at the same time, and began later, may have made the snapshot: then its tick.
    fn now(&self, last: &Last) -> Tick {
        let own = self.tick.this_run();
        let is_later = |made_at: &Tick| (made_at.get().wrapping_sub(own.get()) as i32) > 0;
        last.made_at.filter(is_later).unwrap_or(own)
    }

    /// Whether the world is another one than that of the last snapshot, from the change ticks of whole tables.
    fn has_changed(&self, last: &mut Last) -> bool {
        let Ok(tables) = self.watched.contiguous_iter() else {
            return true;
        };
        // The system that made the snapshot may have moved bodies after that, in the same tick.
        let since = last
            .made_at
            .map(|tick| Tick::new(tick.get().wrapping_sub(1)));
        let now = self.now(last);
        let (mut has_changed, mut count) = (since.is_none(), 0);
        for (
            entities,
            transform,
            particle,
            plane,
            capsule,
            collider,
            kind,
            layers,
            sensor,
            moved,
            parent,
        ) in tables
        {
            let has = [
                particle.is_some(),
                plane.is_some(),
                capsule.is_some(),
                collider.is_some(),
                kind.is_some(),
                layers.is_some(),
                sensor.is_some(),
                moved.is_some(),
                parent.is_some(),
            ];
            if count == last.tables.len() {
                last.tables.push(Table::default());
            }
            let known = &mut last.tables[count];
            count += 1;
            if known.has != has || known.entities != entities {
                has_changed = true;
                known.has = has;
                known.entities.clear();
                known.entities.extend_from_slice(entities);
            }
            let is_newer =
                |ticks: &[Tick]| since.is_none_or(|since| is_any_newer(ticks, since, now));
            has_changed = has_changed
                || is_newer(transform.changed_ticks_slice())
                || is_newer(ticks(&particle))
                || is_newer(ticks(&plane))
                || is_newer(ticks(&capsule))
                || is_newer(ticks(&collider))
                || is_newer(ticks(&kind))
                || is_newer(ticks(&layers));
        }
        has_changed |= count < last.tables.len();
        has_changed = has_changed || since.is_some_and(|since| self.have_parents_moved(since, now));
        last.tables.truncate(count);
        has_changed
    }
}

impl WorldReader<'_, '_> {
    /// Whether a body has got another parent, or one of its ancestors has moved.
    fn have_parents_moved(&self, since: Tick, now: Tick) -> bool {
        self.children.iter().any(|child_of| {
            let has_moved = |entity: Entity| {
                let ancestor = self.transforms.get(entity);
                ancestor
                    .is_ok_and(|(transform, _)| transform.last_changed().is_newer_than(since, now))
            };
            let mut next = Some(child_of.parent());
            let mut chain = std::iter::from_fn(|| {
                let entity = next?;
                let ancestor = self.transforms.get(entity).ok();
                next = ancestor.and_then(|(_, child_of)| child_of.map(ChildOf::parent));
                Some(entity)
            });
            child_of.last_changed().is_newer_than(since, now) || chain.any(has_moved)
        })
    }
}

/// Without an early exit, the compiler can check several ticks at a time.
fn is_any_newer(ticks: &[Tick], since: Tick, now: Tick) -> bool {
    let is_newer = |tick: &Tick| tick.is_newer_than(since, now);
    ticks.iter().fold(false, |any, tick| any | is_newer(tick))
}
