//! From the packed arrays back to the components, once a fixed step.

use bevy::{
    ecs::system::{NonSendMarker, SystemChangeTick},
    prelude::*,
};

use crate::{
    bodies::{Bodies, Shape},
    body::{Acceleration, AngularVelocity, Capsule, Division, Growth, LinearVelocity, Mass, Sleep},
    parallel::compute_pool,
};

/// Gives the results back to the components.
///
/// On the main thread, where it and the compute threads share the work; so does [`gather`](crate::gather::gather).
pub(crate) fn write_back(
    mut bodies: ResMut<Bodies>,
    mut query: Query<(
        Entity,
        &mut Transform,
        &mut LinearVelocity,
        &mut AngularVelocity,
        &mut Acceleration,
        &mut Sleep,
    )>,
    tick: SystemChangeTick,
    _: NonSendMarker,
) {
    bodies.are_written = true;
    bodies.written_at = tick.this_run();
    let bodies = &*bodies;
    compute_pool();
    let half = 0.5 * bodies.h;
    query.par_iter_mut().for_each(
        |(
            entity,
            mut transform,
            mut velocity,
            mut angular_velocity,
            mut acceleration,
            mut sleep,
        )| {
            let Some(i) = bodies.index_of(entity).filter(|&i| bodies.is_free(i)) else {
                return;
            };
            let field = bodies.acceleration[i].as_vec3();
            let contact = bodies.contact_acceleration[i];
            let angular_field = bodies.angular_acceleration[i];
            let angular_contact = bodies.contact_angular_acceleration[i];
            transform.set_if_neq(Transform {
                translation: bodies.position[i],
                rotation: bodies.rotation[i],
                scale: transform.scale,
            });
            velocity.set_if_neq(LinearVelocity(
                bodies.velocity[i] + (field + contact) * half,
            ));
            angular_velocity.set_if_neq(AngularVelocity(
                bodies.angular_velocity[i] + (angular_field + angular_contact) * half,
            ));
            *acceleration = Acceleration {
                field,
                contact,
                angular_field,
                angular_contact,
                steps: bodies.steps[i],
            };
            sleep.set_if_neq(Sleep {
                quiet_for: bodies.quiet_for[i],
                place: bodies.asleep[i].then_some((transform.translation, transform.rotation)),
            });
        },
    );
}

/// Gives capsules that grow or divide their measures.
pub(crate) fn write_growth(
    bodies: Res<Bodies>,
    mut query: Query<
        (
            Entity,
            &Transform,
            &mut Capsule,
            &mut Mass,
            Option<&mut Growth>,
        ),
        Or<(With<Growth>, With<Division>)>,
    >,
) {
    if query.is_empty() {
        return;
    }
    let bodies = &*bodies;
    compute_pool();
    query
        .par_iter_mut()
        .for_each(|(entity, transform, mut capsule, mut mass, growth)| {
            let Some(i) = bodies.index_of(entity).filter(|&i| bodies.is_free(i)) else {
                return;
            };
            let Shape::Capsule { half_length, .. } = bodies.shape[i] else {
                return;
            };
            let (scale, speed) = (transform.scale.x, bodies.growth[i].speed);
            let length = 2.0 * half_length / scale;
            capsule.set_if_neq(Capsule { length, ..*capsule });
            mass.set_if_neq(Mass(bodies.mass[i]));
            if let Some(mut growth) = growth {
                growth.set_if_neq(Growth {
                    speed: speed / scale,
                    ..*growth
                });
            }
        });
}
