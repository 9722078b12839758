//! Division: a capsule that is long enough becomes two.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::Bodies,
    components::{
        Acceleration, AngularVelocity, Capsule, Division, LinearVelocity, Mass, inverse_inertia,
    },
    ecs::bad_input::check_division,
    kernel::{compose, turn, unit},
    messages::Divided,
    shape::Shape,
    solver::contact::{ContactSolver, Split},
};

/// One of the two capsules that a division makes, in world measures.
#[derive(Clone, Copy, Debug)]
struct Daughter {
    half_length: f32,
    mass: f32,
    position: DVec3,
    velocity: DVec3,
    rotation: Quat,
    angular_velocity: Vec3,
}

/// Divides the capsules that are long enough. It works on the packed arrays, before they are written back. A second daughter is
/// a clone of the first one.
pub(crate) fn divide(
    mut bodies: ResMut<Bodies>,
    capsules: Query<&Division, With<Capsule>>,
    mut solver: ResMut<ContactSolver>,
    mut messages: MessageWriter<Divided>,
    mut commands: Commands,
) {
    if capsules.is_empty() {
        return;
    }
    let mut splits = Vec::new();
    for i in 0..bodies.len() {
        let Shape::Capsule {
            radius,
            half_length,
        } = bodies.shape[i]
        else {
            continue;
        };
        let mother = bodies.entity[i];
        let Ok(division) = capsules.get(mother) else {
            continue;
        };
        let scale = bodies.scale[i].x;
        let is_due = 2.0 * half_length >= (division.length * scale).max(2.0 * radius);
        if !is_due
            || !bodies.is_dynamic(i)
            || bodies.is_part(i)
            || check_division(division).is_err()
        {
            continue;
        }
        let [first, second] = daughters(&bodies, i, radius, half_length, division);

        // A daughter appears in her place and does not slide there. The clone comes after this.
        #[cfg(feature = "interpolation")]
        commands
            .entity(mother)
            .queue_silenced(|mut mother: EntityWorldMut| crate::smoothing::end_easing(&mut mother));
        let mut clone = commands.entity(mother);
        let mut clone = clone.clone_and_spawn();
        clone.insert((
            Capsule::new(radius / scale, 2.0 * second.half_length / scale),
            Mass(second.mass),
            LinearVelocity(second.velocity.as_vec3()),
            AngularVelocity(second.angular_velocity),
            Acceleration::default(),
            Transform {
                translation: second.position.as_vec3(),
                rotation: second.rotation,
                scale: bodies.scale[i],
            },
        ));
        // Her place is in world coordinates.
        clone.remove::<ChildOf>();
        messages.write(Divided {
            first: mother,
            second: clone.id(),
        });
        let axis = bodies.axis[i];
        splits.push(Split {
            first: i as u32,
            second: clone.id(),
            point: first.position.as_vec3() + axis * (first.half_length + radius),
            axis,
        });
        bodies.become_daughter(i, radius, &first);
    }
    if !splits.is_empty() {
        bodies.last_step.have_merged = true;
        solver.split(&bodies, &splits);
    }
}

/// The two capsules that body `i` becomes. They move as the mother's parts did. The rest of the mother's angular momentum
/// becomes their spin, in proportion to their inertia.
fn daughters(
    bodies: &Bodies,
    i: usize,
    radius: f32,
    half_length: f32,
    division: &Division,
) -> [Daughter; 2] {
    let (axis, rotation) = (bodies.axis[i], bodies.rotation[i]);
    let (velocity, w) = (bodies.velocity[i], bodies.angular_velocity[i].as_vec3());
    let halves = [division.share, 1.0 - division.share].map(|share| (half_length - radius) * share);
    let over_all = half_length + radius;
    let offsets = [radius + halves[0] - over_all, over_all - radius - halves[1]];
    let masses = halves.map(|half| bodies.mass[i] * (half + radius) / over_all);
    // The centre of mass of the two stays where the mother's was; unequal ones would lie off it by rounding alone.
    let arms = offsets.map(|offset| (axis * offset).as_dvec3());
    let shift = (arms[0] * f64::from(masses[0]) + arms[1] * f64::from(masses[1]))
        / f64::from(bodies.mass[i]);
    let arms = arms.map(|arm| arm - shift);

    let inertia = |k: usize| {
        let half_length = halves[k];
        let shape = Shape::Capsule {
            radius,
            half_length,
        };
        let (is_rod, is_locked) = (bodies.has_rod_inertia(i), bodies.has_locked_rotation(i));
        inverse_inertia(&shape, masses[k], None, (is_rod, is_locked))
    };
    let mut spin =
        (bodies.inverse_inertia[i]).precise_momentum(rotation, bodies.angular_velocity[i]);
    for k in 0..2 {
        spin -= arms[k].cross(w.as_dvec3().cross(arms[k])) * f64::from(masses[k]);
    }
    let weights = [0, 1].map(|k| inertia(k).across().recip());
    std::array::from_fn(|k| {
        let angle = [-0.5, 0.5][k] * division.bend;
        let rotation = unit(compose(rotation, turn(Vec3::Z, angle)));
        let share = f64::from(weights[k] / (weights[0] + weights[1]));
        Daughter {
            half_length: halves[k],
            mass: masses[k],
            position: bodies.position[i] + arms[k],
            velocity: velocity + w.as_dvec3().cross(arms[k]),
            rotation,
            angular_velocity: inertia(k).mul(rotation, (spin * share).as_vec3()),
        }
    })
}

impl Bodies {
    /// Replaces the mother by a daughter.
    fn become_daughter(&mut self, i: usize, radius: f32, daughter: &Daughter) {
        let mut all = self.columns();
        all.set_capsule(i, radius, daughter.half_length, daughter.mass);
        all.position[i] = daughter.position;
        all.velocity[i] = daughter.velocity;
        all.rotation[i] = daughter.rotation;
        all.axis[i] = daughter.rotation * Vec3::Y;
        all.angular_velocity[i] = daughter.angular_velocity.as_dvec3();
        // The mother's contacts predict nothing for the daughters: both are new.
        all.start_anew(i);
        all.flight_shift[i] = Vec3::ZERO;
        all.flight_rotation[i] = all.rotation[i];
    }
}
