//! Messages for game code. They are written once a fixed step; read them with a `MessageReader`, in any schedule.

use bevy::prelude::*;

pub use crate::check::BadInput;
use crate::{bodies::Bodies, find::Contacts, step::Impacts};

/// Two bodies touch that did not touch in the step before.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionStarted {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies touch no longer, or one of them is gone.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionEnded {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies hit each other: one message for each impact that the jolt stage resolved, in time order.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Impact {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Impulse on `a` in N·s, friction included; `b` gets the opposite.
    pub impulse: Vec3,
    /// Where they met, in world coordinates.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Speed in m/s at which the surfaces approached along the normal. Above zero, but where the impact is that of a plane on
    /// which a ball lies with the ball, because something hit the ball and pressed it on the plane.
    pub approach_speed: f32,
    /// Seconds from the start of the fixed step to the impact.
    pub time: f32,
}

/// A ball has been absorbed by another: one message for each that is gone. Written where [`Accretion`] is switched on.
///
/// The survivor's components are up to date, but its mesh is yours to change. Give it a new one of the new radius; or let
/// a mesh of radius 1 grow with the `Transform`:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn grow(mut merged: MessageReader<Merged>, mut balls: Query<(&mut Transform, &mut Particle)>) {
///     for ball in merged.read() {
///         if let Ok((mut transform, mut particle)) = balls.get_mut(ball.survivor) {
///             transform.scale = Vec3::splat(ball.radius);
///             particle.radius = 1.0;
///         }
///     }
/// }
/// ```
///
/// [`Accretion`]: crate::accretion::Accretion
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Merged {
    /// The ball that stays.
    pub survivor: Entity,
    /// The ball that is gone; its entity is despawned.
    pub absorbed: Entity,
    /// Mass in kg that the absorbed ball had.
    pub absorbed_mass: f32,
    /// The survivor's mass in kg, with all that it absorbed in this step.
    pub mass: f32,
    /// The survivor's radius in m, in world measures, likewise.
    pub radius: f32,
}

/// A capsule has divided into two: see [`Division`](crate::body::Division).
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Divided {
    /// The one at the lower end of the mother's axis; its entity was the mother's.
    pub first: Entity,
    /// The other one: a new entity, with clones of all the mother's components.
    pub second: Entity,
}

/// The pairs that touched in the last fixed step, sorted.
#[derive(Resource, Debug, Default)]
pub(crate) struct TouchingPairs {
    /// Indices into [`Bodies`], the lower first.
    pub now: Vec<Pair>,
    before: Vec<Pair>,
    hits: Vec<Pair>,
    /// The bodies that these are of.
    entities: Vec<Entity>,
}

type Pair = (u32, u32);

/// Writes what happened in this fixed step: impacts first, then which pairs began and ceased to touch.
pub(crate) fn write_messages(
    bodies: Res<Bodies>,
    contacts: Res<Contacts>,
    impacts: Res<Impacts>,
    mut touching: ResMut<TouchingPairs>,
    mut started: MessageWriter<CollisionStarted>,
    mut ended: MessageWriter<CollisionEnded>,
    mut impact_messages: MessageWriter<Impact>,
) {
    impact_messages.write_batch(impacts.resolved.iter().copied());

    let TouchingPairs {
        now,
        before,
        hits,
        entities,
    } = &mut *touching;
    std::mem::swap(now, before);
    let entity = |entities: &[Entity], (a, b): Pair| {
        let (a, b) = (entities[a as usize], entities[b as usize]);
        (a.min(b), a.max(b))
    };
    if *entities != bodies.entity {
        for &pair in before.iter() {
            let (a, b) = entity(entities, pair);
            if bodies.index_of(a).is_none() || bodies.index_of(b).is_none() {
                ended.write(CollisionEnded { a, b });
            }
        }
        let pairs = bodies.renumber(entities, before.iter().copied());
        before.clear();
        before.extend(pairs.iter().map(|found| found.pair));
        entities.clone_from(&bodies.entity);
    }

    let pair = |a: Entity, b: Entity| {
        let (a, b) = (bodies.index_of(a)? as u32, bodies.index_of(b)? as u32);
        Some((a.min(b), a.max(b)))
    };
    hits.clear();
    hits.extend(
        impacts
            .resolved
            .iter()
            .filter_map(|impact| pair(impact.a, impact.b)),
    );
    hits.sort_unstable();
    hits.dedup();
    now.clear();
    contacts.extend_with_touching(now);
    now.dedup();
    let touching = now.len();
    hits.retain(|hit| now[..touching].binary_search(hit).is_err());
    if !hits.is_empty() {
        now.append(hits);
        // Two sorted runs: that takes one pass.
        now.sort();
    }

    started.write_batch(missing_in(before, now).map(|pair| {
        let (a, b) = entity(entities, pair);
        CollisionStarted { a, b }
    }));
    ended.write_batch(missing_in(now, before).map(|pair| {
        let (a, b) = entity(entities, pair);
        CollisionEnded { a, b }
    }));
}

/// The pairs of `wanted` that are not in `list`; both are sorted.
fn missing_in(list: &[Pair], wanted: &[Pair]) -> impl Iterator<Item = Pair> {
    let (mut list, mut wanted) = (list, wanted);
    std::iter::from_fn(move || {
        loop {
            // From one step to the next, little changes: most pairs are passed over many at a time.
            while let (Some((list_head, list_rest)), Some((wanted_head, wanted_rest))) = (
                list.split_first_chunk::<STRIDE>(),
                wanted.split_first_chunk::<STRIDE>(),
            ) && list_head == wanted_head
            {
                (list, wanted) = (list_rest, wanted_rest);
            }
            let (&pair, rest) = wanted.split_first()?;
            let lower = list.iter().take_while(|&&other| other < pair).count();
            list = &list[lower..];
            if let Some(rest_of_list) = list.strip_prefix(&[pair]) {
                (list, wanted) = (rest_of_list, rest);
                continue;
            }
            wanted = rest;
            return Some(pair);
        }
    })
}

/// Pairs that are compared in one go.
const STRIDE: usize = 32;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// As looking each of them up tells.
        #[test]
        fn missing_pairs_are_those_that_the_other_list_lacks(
            common in prop::collection::btree_set((0..40u32, 0..40u32), 0..400),
            one in prop::collection::btree_set((0..40u32, 0..40u32), 0..20),
            other in prop::collection::btree_set((0..40u32, 0..40u32), 0..20),
        ) {
            let list: Vec<Pair> = common.union(&one).copied().collect();
            let wanted: Vec<Pair> = common.union(&other).copied().collect();
            let expected: Vec<Pair> =
                wanted.iter().copied().filter(|pair| !list.contains(pair)).collect();
            prop_assert_eq!(missing_in(&list, &wanted).collect::<Vec<_>>(), expected);
        }
    }
}
