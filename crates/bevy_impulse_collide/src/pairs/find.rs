//! Finds the pairs that a user's systems shall see.

use bevy::prelude::*;
use parry3d::{
    bounding_volume::Aabb as TreeBox,
    partitioning::{Bvh, BvhBuildStrategy},
};

use super::near_pairs::{NearPair, NearPairs};
use crate::{
    body::Bodies,
    collision::{joined_manifold, swept_aabb},
    config::CollisionConfig,
    parallel::map_chunks,
    schedule::PairHooks,
    shape::{geometry::Core, smaller_radius},
};

/// Number of bodies whose pairs one task finds.
const BODIES_PER_TASK: usize = 1024;

/// So few boxes are looked at one by one: a tree would cost more to build.
const MAX_LISTED: usize = 32;

/// Finds the near pairs at the start of a substep. Pairs that were near before keep their rules.
pub(crate) fn find_near_pairs(
    bodies: Res<Bodies>,
    config: Res<CollisionConfig>,
    mut near: ResMut<NearPairs>,
    mut found: Local<Vec<Vec<NearPair>>>,
) {
    if bodies.hooked.is_empty() {
        near.pairs.clear();
        return;
    }
    let hooked = bodies.hooked.iter().map(|&i| i as usize);
    let (planes, boxed): (Vec<usize>, Vec<usize>) =
        hooked.partition(|&i| bodies.shape[i].is_plane());
    let margin = config.contact_margin;
    let boxes = boxed.iter().map(|&i| tree_box(&bodies, i, margin));
    let boxes = if boxed.len() <= MAX_LISTED {
        Boxes::List(boxes.collect())
    } else {
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
        Boxes::Tree(Box::new(tree))
    };
    let (bodies, known) = (&*bodies, &near.pairs);
    let found = map_chunks(bodies.len(), BODIES_PER_TASK, &mut found, |range, found| {
        found.clear();
        for i in range {
            if bodies.shape[i].is_plane() {
                // The other body finds the pair.
                continue;
            }
            let own = tree_box(bodies, i, margin);
            let mut meet = |j: usize| {
                if i != j {
                    found.extend(near_pair(bodies, (i, j), &config, known));
                }
            };
            boxes.for_each_at(&own, |k| meet(boxed[k]));
            planes.iter().copied().for_each(&mut meet);
            if bodies.has_hooks(i) {
                bodies.planes.iter().for_each(|&plane| meet(plane as usize));
            }
        }
    });
    let mut pairs: Vec<NearPair> = found.iter().flatten().copied().collect();
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    // Two hooked bodies find each other.
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
    near.pairs = pairs;
}

/// The boxes of the bodies with hooks.
enum Boxes {
    List(Vec<TreeBox>),
    Tree(Box<Bvh>),
}

impl Boxes {
    /// Calls `meet` for the index of each box that overlaps `own`.
    fn for_each_at(&self, own: &TreeBox, mut meet: impl FnMut(usize)) {
        let overlaps =
            |mins: Vec3, maxs: Vec3| mins.cmple(own.maxs).all() && own.mins.cmple(maxs).all();
        match self {
            Self::List(boxes) => boxes
                .iter()
                .enumerate()
                .filter(|(_, other)| overlaps(other.mins, other.maxs))
                .for_each(|(k, _)| meet(k)),
            Self::Tree(tree) => tree
                .leaves(|node| overlaps(node.mins(), node.maxs()))
                .for_each(|leaf| meet(leaf as usize)),
        }
    }
}

/// Runs the user's systems.
pub(crate) fn run_pair_hooks(world: &mut World) {
    if !world.resource::<NearPairs>().pairs.is_empty() {
        world.run_schedule(PairHooks);
    }
}

/// The box that a body, which is no plane, sweeps in the substep.
fn tree_box(bodies: &Bodies, i: usize, margin: f32) -> TreeBox {
    let swept = swept_aabb(bodies, i, 0.0, margin);
    TreeBox::new(swept.min.into(), swept.max.into())
}

/// A pair of bodies, if both can meet within the substep.
fn near_pair(
    bodies: &Bodies,
    (i, j): (usize, usize),
    config: &CollisionConfig,
    known: &[NearPair],
) -> Option<NearPair> {
    if !(bodies.is_dynamic(i) || bodies.is_dynamic(j)) || !bodies.may_meet(i, j) {
        return None;
    }
    let (i, j) = if bodies.entity[i] < bodies.entity[j] {
        (i, j)
    } else {
        (j, i)
    };
    let (a, b) = (bodies.entity[i], bodies.entity[j]);
    let found = known.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b));
    let before = found.ok().map(|k| known[k]);
    let way = |i: usize| {
        let a = bodies.flight_acceleration(i).length();
        let spin = bodies.angular_velocity[i].as_vec3().length()
            * (bodies.shape[i].bounding_radius().min(f32::MAX) + bodies.offset[i].length());
        let speed = bodies.velocity[i].as_vec3().length() + a * bodies.h;
        bodies.h
            * if bodies.shape[i].is_round() {
                speed + spin
            } else {
                speed
            }
    };
    let margin = config.contact_margin * smaller_radius(&bodies.shape[i], &bodies.shape[j]);
    let reach = margin + way(i) + way(j);
    let places = [&bodies.placed(i), &bodies.placed(j)];
    let points = joined_manifold(bodies, (i, j), 0.0, places, reach);
    let nearest = points
        .iter()
        .max_by(|one, other| one.depth.total_cmp(&other.depth));
    let Some(nearest) = nearest else {
        // Deep inside a solid there are no contacts.
        return before;
    };
    let gap = gap_to_collider(bodies, i, j).unwrap_or(-nearest.depth);
    if gap > reach {
        return None;
    }
    let velocity =
        |i: usize| bodies.point_velocity(i, nearest.point - bodies.position[i].as_vec3());
    let pair = NearPair {
        a,
        b,
        gap,
        normal: nearest.normal,
        point: nearest.point,
        velocity: velocity(i) - velocity(j),
        is_ignored: false,
        friction: None,
        restitution: None,
        tangential_restitution: None,
    };
    Some(before.map_or(pair, |before| NearPair {
        is_ignored: before.is_ignored,
        friction: before.friction,
        restitution: before.restitution,
        tangential_restitution: before.tangential_restitution,
        ..pair
    }))
}

/// The gap in m between a round body and a collider, one of two bodies. Deep inside a solid, contacts do not tell it.
fn gap_to_collider(bodies: &Bodies, i: usize, j: usize) -> Option<f32> {
    let (body, collider) = match (bodies.geometry[i].get(), bodies.geometry[j].get()) {
        (Some(_), None) => (j, i),
        (None, Some(_)) => (i, j),
        _ => return None,
    };
    let geometry = bodies.geometry[collider].get()?;
    let shape = bodies.shape[body];
    if shape.is_plane() {
        return None;
    }
    let (radius, half) = (shape.radius(), shape.core_half(bodies.axis[body]));
    let frame = (
        bodies.position[collider].as_vec3(),
        bodies.rotation[collider],
    );
    let core = Core::in_frame((bodies.position[body], half), radius, frame);
    Some(geometry.core_distance(&core) - radius)
}
