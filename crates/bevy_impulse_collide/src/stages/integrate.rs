//! Stage 5: from x(t) to x(t+h).

use bevy::prelude::*;

use crate::{
    body::{Bodies, BodyFlags},
    config::CollisionConfig,
    kernel::free_rotation,
    shape::Shape,
    solver::{
        impact::Impacts,
        position::{PoseBefore, StaticPlanes},
    },
};

/// Stage 5: x(t+h) = x(t) + h·v(t+h/2) from where the flight after the last impact starts, and the free rotation over h. Then capsules grow
/// by h·L̇. A body that the impulse jolt has paused stays where it is. Contacts of a light body with a heavy one may push it so
/// that it would fly behind a static plane: its centre stops at the plane.
pub fn integrate(mut bodies: ResMut<Bodies>, config: Res<CollisionConfig>, impacts: Res<Impacts>) {
    let h = bodies.h;
    impacts.resume_paused(&mut bodies);
    let planes = config.stages.contact.then(|| StaticPlanes::of(&bodies));
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            if run.is_asleep(i) || run.is_part(i) {
                continue;
            }
            if config.stages.integrate && !run.is_static(i) {
                let before = PoseBefore::of(&run, i);
                run.hold_rotation(i);
                let travelled = run.velocity[i] * f64::from(h);
                run.position[i] += run.flight_shift[i].as_dvec3() + travelled;
                let (rotation, w) = free_rotation(
                    run.flight_rotation[i],
                    run.angular_velocity[i],
                    &run.inverse_inertia[i],
                    h,
                );
                run.rotation[i] = rotation;
                run.angular_velocity[i] = w;
                match run.shape[i] {
                    Shape::Capsule { .. } => {
                        run.axis[i] = rotation * Vec3::Y;
                        run.grow(i, h);
                    }
                    Shape::Plane => run.axis[i] = rotation * run.local_axis[i],
                    Shape::Particle { .. } | Shape::Collider | Shape::Compound { .. } => {}
                }
                if let Some(planes) = &planes
                    && run.is_dynamic(i)
                {
                    planes.stop(&mut run, i, &before);
                }
            }
            run.flight_shift[i] = Vec3::ZERO;
            run.flight_rotation[i] = run.rotation[i];
            run.flags[i].remove(BodyFlags::FRESH);
        }
    });
    match &planes {
        Some(planes) => planes.place_parts(&mut bodies),
        None => bodies.place_parts(),
    }
    if config.stages.integrate {
        bodies.turn_spinners();
    }
    bodies.time += h;
}
