//! Bodies that are children of other entities. They step in world coordinates; their `Transform`s are relative to their parents.
//!
//! - A dynamic child, or a kinematic one, moves in the world by itself. A parent that moves does not drag it: the step writes its
//!   `Transform` anew.
//! - A static child of a kinematic body moves with it, as a part of it.
//! - A ball or a capsule under a compound is a part of it: see `compounds.rs`.
//! - Any other static child stands where its parents put it.
//!
//! A user takes a body from its parent in place with the command `LeaveParent`, in `teleport.rs`.

use bevy::{ecs::system::SystemChangeTick, prelude::*};
use glam::DVec3;

use super::{
    ancestors::{Ancestors, Carrier, Kind, motion},
    bad_input::Checked,
    compounds::Compounds,
    kind::AnyBody,
    parents::{Parents, map_by},
};
use crate::{
    body::{Bodies, BodyFlags},
    flat::flatten,
    kernel::{compose, turn, unit},
};

/// A body with a parent.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub entity: Entity,
    parent: Entity,
    /// The number of its ancestors.
    depth: u32,
    /// Its place in the world at the start of the step.
    pub place: Checked<Transform>,
    /// The kinematic body of which it is a part.
    pub carrier: Option<Carrier>,
    /// Its `Transform` at the end of the last step.
    local: Transform,
}

/// All bodies with a parent, sorted by entity.
#[derive(Resource, Default)]
pub(crate) struct Hierarchy {
    children: Vec<Child>,
}

impl Hierarchy {
    /// The child that an entity's body is.
    pub fn get(&self, entity: Entity) -> Option<&Child> {
        let found = self
            .children
            .binary_search_by_key(&entity, |child| child.entity);
        found.ok().map(|k| &self.children[k])
    }

    /// Whether the body of an entity has moved in the world by itself in the last step, and this is still the `Transform` that the
    /// step has given it.
    pub fn moves_alone(&self, entity: Entity, local: &Transform, bodies: &Bodies) -> bool {
        let is_its_own = |child: &Child| child.carrier.is_none() && child.local == *local;
        let is_free = |i: usize| !bodies.is_static(i) && !bodies.keeps_transform(entity);
        !bodies.flat
            && self.get(entity).is_some_and(is_its_own)
            && bodies.index_of(entity).is_some_and(is_free)
    }
}

/// Finds the bodies with parents and their places, and marks those that others have moved since the last step.
pub(crate) fn find_children(
    query: Query<(Entity, &Transform, &ChildOf, Kind), AnyBody>,
    compounds: Res<Compounds>,
    ancestors: Ancestors,
    mut bodies: ResMut<Bodies>,
    mut hierarchy: ResMut<Hierarchy>,
) {
    if query.is_empty() && hierarchy.children.is_empty() {
        return;
    }
    let before = std::mem::take(&mut *hierarchy);
    bodies.carried.clear();
    for (entity, local, child_of, kind) in &query {
        let Some((kind, follows)) = motion(kind) else {
            continue;
        };
        // A part has its place from its compound.
        if compounds.part(entity).is_some() {
            continue;
        }
        let (old, parent) = (before.get(entity), child_of.parent());
        let mut child = Child {
            entity,
            parent,
            depth: ancestors.parents.chain(parent).count() as u32,
            place: ancestors.parents.place(parent, local),
            carrier: None,
            local: *local,
        };
        // A body that has not been read yet has no scale.
        let i = bodies.index_of(entity);
        let is_known = old.is_some_and(|old| old.parent == parent && old.local == *local)
            && i.is_some_and(|i| bodies.scale[i] != Vec3::ZERO);
        if kind.is_static() {
            match ancestors.carrier(parent, local) {
                Ok(carrier) => {
                    child.carrier = carrier;
                    // A compound turns about its centre of mass.
                    if let Some(carrier) = &mut child.carrier
                        && let Some(whole) = compounds.whole(carrier.body)
                    {
                        carrier.relative.translation -= whole.centre;
                    }
                    if let (true, Some(carrier)) = (bodies.flat, &mut child.carrier) {
                        flatten(&mut carrier.relative, false);
                    }
                }
                Err(problem) => child.place = Err(problem),
            }
        } else if !follows
            && is_known
            && let (Some(i), Ok(place)) = (i, &mut child.place)
        {
            let z = place.translation.z;
            place.translation = bodies.shown_position(i);
            place.rotation = bodies.rotation[i];
            if bodies.flat {
                place.translation.z = z;
            }
        }
        if child.carrier.is_some() {
            bodies.carried.push(entity);
        }
        if let Some(i) = i {
            let stays = match (&child.place, child.carrier, old) {
                (Ok(place), Some(_), Some(old)) => {
                    old.carrier == child.carrier && place.scale == bodies.scale[i]
                }
                (Ok(place), None, Some(old)) => old.carrier.is_none() && bodies.stands_at(i, place),
                _ => false,
            };
            if !stays {
                bodies.mark_changed(i);
            }
        }
        hierarchy.children.push(child);
    }
    hierarchy
        .children
        .sort_unstable_by_key(|child| child.entity);
    bodies.carried.sort_unstable();
    compounds.mark_static_parts(&mut bodies);
}

/// Way, as a fraction of the distance from the origin, that is rounding.
const ROUNDING: f32 = 1e-5;

/// Gives the bodies that kinematic bodies carry their places and their velocities.
///
/// A collider turns about the same point as its carrier, so it is exact at each time of the step. A ball, a capsule and a plane
/// move on a straight line from the start to the end of their arc.
pub(crate) fn carry_children(hierarchy: Res<Hierarchy>, mut bodies: ResMut<Bodies>) {
    let bodies = &mut *bodies;
    for child in &hierarchy.children {
        let (Some(carrier), Some(i)) = (child.carrier, bodies.index_of(child.entity)) else {
            continue;
        };
        let Some(c) = bodies.index_of(carrier.body) else {
            continue;
        };
        let (x, q) = (bodies.position[c], bodies.rotation[c]);
        let (v, w) = (bodies.velocity[c], bodies.angular_velocity[c]);
        let relative = carrier.relative;
        let arm = match bodies.shape[i].is_compound() {
            true => relative.translation + relative.rotation * bodies.centre[i],
            false => relative.translation,
        };
        let (before, rotation_before) = (bodies.position[i].as_vec3(), bodies.rotation[i]);
        if bodies.shape[i].is_collider() {
            bodies.position[i] = x;
            bodies.velocity[i] = v;
        } else {
            let (start, turned) = (q * arm, turn(w.as_vec3(), bodies.step) * (q * arm));
            bodies.position[i] = x + start.as_dvec3();
            bodies.velocity[i] = v + ((turned - start) / bodies.step).as_dvec3();
        }
        bodies.angular_velocity[i] = w;
        let rotation = unit(compose(q, carrier.relative.rotation));
        bodies.rotation[i] = rotation;
        bodies.axis[i] = bodies.shape[i].axis_at(rotation, bodies.local_axis[i]);
        bodies.flight_shift[i] = Vec3::ZERO;
        bodies.flight_rotation[i] = rotation;
        let way = bodies.position[i].as_vec3() - before;
        // A user has turned the carrier.
        let is_turned = w == DVec3::ZERO && !rotation.abs_diff_eq(rotation_before, ROUNDING);
        if is_turned || way.length() > ROUNDING * (1.0 + before.length()) {
            bodies.flags[i].insert(BodyFlags::DISTURBED);
        }
    }
    bodies.mark_parts();
    bodies.place_parts();
}

/// Writes the places of the children that move by themselves, relative to their parents, the parents first.
pub(crate) fn write_children(
    mut hierarchy: ResMut<Hierarchy>,
    mut bodies: ResMut<Bodies>,
    mut transforms: ParamSet<(Parents, Query<&mut Transform>)>,
    tick: SystemChangeTick,
) {
    if hierarchy.children.is_empty() {
        return;
    }
    let children = &mut hierarchy.children;
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by_key(|&k| children[k].depth);
    for k in order {
        let child = &mut children[k];
        let Some(i) = bodies.index_of(child.entity) else {
            continue;
        };
        if bodies.is_static(i) || bodies.keeps_transform(child.entity) {
            continue;
        }
        let mut x = bodies.shown_position(i);
        if let (true, Ok(place)) = (bodies.flat, &child.place) {
            // The z of a flat world is for drawing.
            x.z = place.translation.z;
        }
        let place = Transform {
            translation: x,
            rotation: bodies.rotation[i],
            scale: bodies.scale[i],
        };
        let local = transforms.p0().map_of(child.parent).inverse() * map_by(&place);
        let (_, rotation, translation) = local.to_scale_rotation_translation();
        if let (true, Ok(mut transform)) = (
            rotation.is_finite() && translation.is_finite(),
            transforms.p1().get_mut(child.entity),
        ) {
            let scale = transform.scale;
            transform.set_if_neq(Transform {
                translation: translation.as_vec3(),
                rotation: rotation.as_quat(),
                scale,
            });
            child.local = *transform;
        }
    }
    // These changes are the step's own.
    bodies.written_at = tick.this_run();
}
