//! Accretion: balls that touch become one.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use glam::DVec3;

use crate::{
    body::Bodies,
    components::{Density, Inertia, Mass, Particle, inverse_inertia},
    ecs::messages::TouchingPairs,
    field::SelfGravity,
    messages::Merged,
    shape::Shape,
    solver::contact::Contacts,
};

/// The rule by which balls merge when they touch. Insert this resource to switch accretion on, remove it to switch it off.
///
/// At the end of a fixed step, all balls of a group that touch each other become one ball. The heaviest ball survives; among
/// equal masses it is the ball whose entity sorts first. The other balls are despawned with their children. The message
/// [`Merged`] names each of them.
///
/// The survivor gets the sums of masses, volumes, momenta and angular momenta. The angular momenta include the orbits of the
/// balls about each other. Its position is the centre of mass. Energy is lost, as in any impact without a bounce.
/// [`Particle::radius`], [`Mass`] and [`Density`], if it is there, get new values. All other components stay.
///
/// Planes, capsules, static and kinematic bodies never merge. Balls collide with them as usual.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(SelfGravity::default())
///     .insert_resource(Accretion::Bound);
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum Accretion {
    /// All pairs that touch.
    #[default]
    Always,
    /// Pairs whose centres have a relative speed below this after the bounce, in m/s.
    SlowerThan(f32),
    /// Pairs that their gravity holds: after the bounce they are slower than their mutual escape speed. Their energy, kinetic
    /// about each other and potential in [`SelfGravity`], is below zero. Without self-gravity, no pair merges.
    Bound,
}

impl Accretion {
    fn merges(self, bodies: &Bodies, a: usize, b: usize, gravity: Option<&SelfGravity>) -> bool {
        let velocity = |i: usize| bodies.velocity[i].as_vec3();
        let speed = f64::from((velocity(a) - velocity(b)).length());
        match self {
            Self::Always => true,
            Self::SlowerThan(limit) => speed < f64::from(limit),
            Self::Bound => gravity.is_some_and(|gravity| {
                let (m_a, m_b) = (f64::from(bodies.mass[a]), f64::from(bodies.mass[b]));
                let x_ab = bodies.position[a] - bodies.position[b];
                let reach =
                    f64::from(bodies.shape[a].radius()) + f64::from(bodies.shape[b].radius());
                let potential = gravity.pair_energy(m_a, m_b, x_ab, reach);
                0.5 * m_a * m_b / (m_a + m_b) * speed * speed + potential < 0.0
            }),
        }
    }
}

/// Merges the balls that touched in this step. It works on the packed arrays, before they are written back.
pub(crate) fn accrete(
    accretion: Res<Accretion>,
    gravity: Option<Res<SelfGravity>>,
    touching: Res<TouchingPairs>,
    mut bodies: ResMut<Bodies>,
    mut contacts: ResMut<Contacts>,
    mut balls: Query<(&mut Particle, &mut Mass, Option<&mut Density>), Without<Inertia>>,
    mut messages: MessageWriter<Merged>,
    mut commands: Commands,
) {
    let bodies = &mut *bodies;
    // A ball that a system has despawned since, or taken out of the physics, does not merge; nor does one with an inertia of its own, or a part of a compound.
    let may_merge = |i: usize| {
        let is_ball = bodies.shape[i].is_ball() && !bodies.is_part(i);
        bodies.is_dynamic(i) && is_ball && balls.contains(bodies.entity[i])
    };
    let pairs: Vec<(usize, usize)> = touching
        .iter()
        .map(|(a, b)| (a as usize, b as usize))
        .filter(|&(a, b)| may_merge(a) && may_merge(b))
        .filter(|&(a, b)| accretion.merges(bodies, a, b, gravity.as_deref()))
        .collect();

    let mut survivors = EntityHashMap::default();
    for group in groups(&pairs) {
        let Some(survivor) = heaviest(bodies, &group) else {
            continue;
        };
        let entity = bodies.entity[survivor];
        let Ok((mut particle, mut mass, density)) = balls.get_mut(entity) else {
            continue;
        };
        let absorbed: Vec<(Entity, f32)> = group
            .iter()
            .filter(|&&i| i != survivor)
            .map(|&i| (bodies.entity[i], bodies.mass[i]))
            .collect();
        let radius = merge(bodies, &group, survivor);
        bodies.activate(survivor);
        mass.0 = bodies.mass[survivor];
        particle.radius = radius / bodies.scale[survivor].x;
        if let Some(mut density) = density {
            density.0 = mass.0 / Particle::new(radius).volume();
        }
        for (absorbed, absorbed_mass) in absorbed {
            survivors.insert(absorbed, entity);
            commands.entity(absorbed).try_despawn();
            messages.write(Merged {
                survivor: entity,
                absorbed,
                absorbed_mass,
                mass: mass.0,
                radius,
            });
        }
    }
    if !survivors.is_empty() {
        bodies.last_step.have_merged = true;
        let absorbed = survivors
            .iter()
            .map(|(&absorbed, &survivor)| (absorbed, survivor));
        bodies.last_step.absorbed.extend(absorbed);
        bodies.last_step.absorbed.sort_unstable();
        give_contacts_to(&mut contacts, &survivors);
    }
}

/// The groups of bodies that the pairs connect, directly or through other bodies.
fn groups(pairs: &[(usize, usize)]) -> Vec<BTreeSet<usize>> {
    // Each body that is not the first of its group points to one before it.
    let mut before = BTreeMap::new();
    let first = |before: &BTreeMap<usize, usize>, mut i: usize| {
        while let Some(&earlier) = before.get(&i) {
            i = earlier;
        }
        i
    };
    for &(a, b) in pairs {
        let (a, b) = (first(&before, a), first(&before, b));
        if a != b {
            before.insert(a.max(b), a.min(b));
        }
    }
    let mut groups = BTreeMap::<usize, BTreeSet<usize>>::new();
    for &(a, b) in pairs {
        let group = groups.entry(first(&before, a)).or_default();
        group.extend([a, b]);
    }
    groups.into_values().collect()
}

/// The heaviest body; among equal masses, the body whose entity sorts first.
fn heaviest(bodies: &Bodies, group: &BTreeSet<usize>) -> Option<usize> {
    let by_mass = |a: &usize, b: &usize| {
        let mass = bodies.mass[*a].total_cmp(&bodies.mass[*b]);
        mass.then(bodies.entity[*b].cmp(&bodies.entity[*a]))
    };
    group.iter().copied().max_by(by_mass)
}

/// Sets the survivor to the sum of the group, and returns its radius in m.
///
/// M = Σm, R³ = Σr³, X = Σm·x/M, V = Σm·v/M, 2/5·M·R²·Ω = Σ(2/5·m·r²·ω + m·(x − X)×(v − V)).
///
/// The momenta hold for v(t+h/2); the velocities have had another half kick since. The kicks of the contacts have a torque about the
/// common centre. The kicks of the fields have none, because a field acts at the centre of the one ball.
fn merge(bodies: &mut Bodies, group: &BTreeSet<usize>, survivor: usize) -> f32 {
    let m = |i: usize| f64::from(bodies.mass[i]);
    let inertia = |i: usize| f64::from(bodies.inverse_inertia[i].across()).recip();
    let cube = |x: f64| x * x * x;
    let volume = |i: usize| cube(f64::from(bodies.shape[i].radius()));
    let contact = |i: usize| bodies.contact_acceleration[i].as_dvec3();

    let mass: f64 = group.iter().map(|&i| m(i)).sum();
    let radius = libm::cbrt(group.iter().map(|&i| volume(i)).sum::<f64>()) as f32;
    let mean = |value: &dyn Fn(usize) -> DVec3| {
        group.iter().map(|&i| m(i) * value(i)).sum::<DVec3>() / mass
    };
    let mean_position = mean(&|i| bodies.position[i]);
    let mean_velocity = mean(&|i| bodies.velocity[i]);
    let mean_field = mean(&|i| bodies.acceleration[i]);
    let mean_contact = mean(&contact);
    let half = f64::from(0.5 * bodies.h);
    let without_field = |v: DVec3, a: DVec3| v - a * half;

    let mut spin = DVec3::ZERO;
    let mut field_torque = DVec3::ZERO;
    let mut contact_torque = DVec3::ZERO;
    for &i in group {
        let arm = m(i) * (bodies.position[i] - mean_position);
        let velocity = without_field(bodies.velocity[i], bodies.acceleration[i])
            - without_field(mean_velocity, mean_field);
        spin += inertia(i) * bodies.angular_velocity[i] + arm.cross(velocity);
        field_torque += inertia(i) * bodies.angular_acceleration[i].as_dvec3();
        contact_torque += inertia(i) * bodies.contact_angular_acceleration[i].as_dvec3()
            + arm.cross(contact(i) - mean_contact);
    }

    let shape = Shape::Particle { radius };
    let is_locked = bodies.has_locked_rotation(survivor);
    let inverse_inertia = inverse_inertia(&shape, mass as f32, None, (false, is_locked));
    let turned_by = |l: DVec3| (l * f64::from(inverse_inertia.across())).as_vec3();
    bodies.shape[survivor] = shape;
    bodies.mass[survivor] = mass as f32;
    bodies.inverse_mass[survivor] = (mass as f32).recip();
    bodies.inverse_inertia[survivor] = inverse_inertia;
    bodies.position[survivor] = mean_position;
    bodies.flight_shift[survivor] = Vec3::ZERO;
    bodies.velocity[survivor] = mean_velocity;
    bodies.angular_velocity[survivor] = turned_by(spin).as_dvec3();
    bodies.acceleration[survivor] = mean_field;
    bodies.angular_acceleration[survivor] = turned_by(field_torque);
    bodies.contact_acceleration[survivor] = mean_contact.as_vec3();
    bodies.contact_angular_acceleration[survivor] = turned_by(contact_torque);
    radius
}

/// Gives the contacts of absorbed balls to their survivors, and removes the contacts between them.
fn give_contacts_to(contacts: &mut Contacts, survivors: &EntityHashMap<Entity>) {
    for contact in contacts.runs_mut().flatten() {
        for entity in [&mut contact.a, &mut contact.b] {
            if let Some(&survivor) = survivors.get(entity) {
                *entity = survivor;
            }
        }
        if contact.b < contact.a {
            std::mem::swap(&mut contact.a, &mut contact.b);
            contact.normal = -contact.normal;
            contact.impulse = -contact.impulse;
        }
    }
    for run in contacts.runs_mut() {
        run.retain(|contact| contact.a != contact.b);
    }
}
