//! Bodies that a user moves by their `Transform`: they follow it with a velocity.

use bevy::prelude::*;

use super::{hierarchy::Hierarchy, kind::may_follow};
use crate::{
    body::{Bodies, Follower},
    components::{
        AngularVelocity, Capsule, Compound, InWorld, LinearVelocity, MovedByTransform, Particle,
        Plane, RigidBody,
    },
    flat::flatten,
};

/// Lists the bodies that follow their `Transform`, and marks those that move in this step or have moved in the last one.
pub(crate) fn list_followers(
    query: Query<
        (
            Entity,
            &Transform,
            &MovedByTransform,
            Option<&RigidBody>,
            (Has<Particle>, Has<Capsule>, Has<Compound>),
            Has<Plane>,
        ),
        Without<InWorld>,
    >,
    hierarchy: Res<Hierarchy>,
    mut bodies: ResMut<Bodies>,
) {
    bodies.followers.clear();
    for (entity, transform, moved, kind, is_round, is_plane) in &query {
        let (is_ball, is_capsule, is_compound) = is_round;
        if !may_follow(is_ball || is_capsule || is_compound, kind) {
            continue;
        }
        let place = match hierarchy.get(entity) {
            Some(child) => child.place.as_ref().ok(),
            None => Some(transform),
        };
        let Some(mut place) = place.copied() else {
            continue;
        };
        if bodies.flat {
            flatten(&mut place, is_plane);
        }
        let follower = Follower::new(entity, &place);
        if let Some(i) = bodies.index_of(entity) {
            let has_velocity = bodies.velocity[i].as_vec3() != Vec3::ZERO
                || bodies.angular_velocity[i].as_vec3() != Vec3::ZERO;
            if has_velocity || moved.reached != Some(follower.target) {
                bodies.mark_changed(i);
            }
        }
        bodies.followers.push(follower);
    }
    bodies
        .followers
        .sort_unstable_by_key(|follower| follower.entity);
}

/// Writes the velocities of the followers, and the poses that they have reached.
pub(crate) fn write_followers(
    bodies: Res<Bodies>,
    mut query: Query<(
        &mut MovedByTransform,
        &mut LinearVelocity,
        &mut AngularVelocity,
    )>,
) {
    for follower in &bodies.followers {
        let Some(i) = bodies.index_of(follower.entity) else {
            continue;
        };
        if let Ok((mut moved, mut v, mut w)) = query.get_mut(follower.entity) {
            let reached = Some(follower.target);
            moved.set_if_neq(MovedByTransform { reached });
            v.set_if_neq(LinearVelocity(bodies.velocity[i].as_vec3()));
            w.set_if_neq(AngularVelocity(bodies.angular_velocity[i].as_vec3()));
        }
    }
}
