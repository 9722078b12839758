//! Measures energy, momentum, angular momentum and overlap, and a hash of the whole state.

use std::hash::Hasher;

use bevy::{ecs::system::SystemParam, prelude::*};
use glam::DVec3;

use crate::{
    body::Bodies,
    collision::{BroadPhase, manifold},
    components::{Acceleration, AngularVelocity, LinearVelocity},
    config::CollisionConfig,
    ecs::gather::BodyReader,
    field::{ForceError, Gravity, SelfGravity},
    shape::smaller_radius,
    solver::contact::Contacts,
};

/// A system parameter that measures the world from its components, at the time of the transforms.
///
/// Measure in a fixed schedule, for example [`FixedLast`]. In [`Update`], transforms are smoothed between two steps, but
/// velocities are not.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn watch(measure: Measure) {
///     let measured = measure.measure();
///     info!("{} J, {} kg·m/s", measured.energy(), measured.momentum);
/// }
///
/// # let mut app = App::new();
/// app.add_systems(FixedLast, watch);
/// ```
#[derive(SystemParam)]
pub struct Measure<'w, 's> {
    reader: BodyReader<'w, 's>,
    velocities: Query<'w, 's, (&'static LinearVelocity, &'static AngularVelocity)>,
    accelerations: Query<'w, 's, &'static Acceleration>,
    contacts: Res<'w, Contacts>,
    time: Res<'w, Time<Fixed>>,
    config: Res<'w, CollisionConfig>,
    gravity: Res<'w, Gravity>,
    self_gravity: Option<Res<'w, SelfGravity>>,
}

/// The state of the world in a few numbers, in SI units. Planes, static and kinematic bodies count in the overlaps only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measurement {
    /// Number of all bodies that take part, with planes and static bodies.
    pub bodies: usize,
    /// Energy of translation and rotation, in J.
    pub kinetic_energy: f64,
    /// Energy in uniform gravity (zero at the origin) and in self-gravity, in J.
    pub potential_energy: f64,
    /// Momentum in kg·m/s.
    pub momentum: DVec3,
    /// Centre of mass in m.
    pub center_of_mass: DVec3,
    /// Angular momentum about the centre of mass, with the spins, in kg·m²/s.
    pub angular_momentum: DVec3,
    /// Sum of m·|x|·|v| about the centre of mass, in kg·m²/s: the scale for an error of the angular momentum.
    pub angular_momentum_scale: f64,
    /// Depth over the smaller radius, mean over the touching pairs.
    pub overlap_mean: f64,
    /// Depth over the smaller radius, largest of all pairs.
    pub overlap_max: f64,
    /// Number of pairs that overlap or have a gap of at most a thousandth of the smaller radius.
    pub touching: usize,
    /// Hash of the bits of every position, rotation and velocity.
    pub state_hash: u64,
}

impl Measurement {
    /// Kinetic plus potential energy, in J.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }
}

impl Measure<'_, '_> {
    /// Measures the world. Under self-gravity the time for the potential energy is quadratic in the number of bodies.
    pub fn measure(&self) -> Measurement {
        // With a step of zero, velocities are read without a half step, and AABBs are not swept.
        let mut bodies = Bodies {
            flat: self.config.flat,
            ..default()
        };
        self.reader.read(&mut bodies, |_, _| {});
        let mut measurement = Measurement {
            bodies: bodies.len(),
            state_hash: self.state_hash(&bodies),
            ..default()
        };
        self.measure_motion(&bodies, &mut measurement);
        self.measure_potential(&bodies, &mut measurement);
        measure_overlap(&bodies, &mut measurement);
        measurement
    }

    /// The error of the method of [`SelfGravity`] against the direct sum, over the free bodies. `None` without self-gravity, or if
    /// no body is attracted. The time is quadratic in the number of bodies.
    pub fn force_error(&self) -> Option<ForceError> {
        let mut bodies = Bodies {
            flat: self.config.flat,
            ..default()
        };
        self.reader.read(&mut bodies, |_, _| {});
        self.self_gravity.as_ref()?.force_error(&bodies)
    }

    /// Energy and momenta of the motion.
    ///
    /// A component shows v(t+h/2) + a·h/2. The accelerations are those of the last step, at the positions before it. The forces
    /// between bodies balance at these positions, but not exactly at the present ones. So the momenta are summed from v(t+h/2),
    /// at which they hold. Forces from outside add their half step: fields, and contacts with static bodies.
    fn measure_motion(&self, bodies: &Bodies, m: &mut Measurement) {
        let half =
            0.5 * self.time.timestep().as_secs_f64() / f64::from(self.config.substeps.max(1));
        let free: Vec<usize> = (0..bodies.len())
            .filter(|&i| bodies.is_dynamic(i) && !bodies.is_part(i))
            .collect();
        let mass = |i: usize| f64::from(bodies.mass[i]);
        let acceleration = |i: usize| {
            let known = self.accelerations.get(bodies.entity[i]);
            known.copied().unwrap_or_default()
        };
        let total_mass: f64 = free.iter().map(|&i| mass(i)).sum();
        if total_mass == 0.0 {
            return;
        }
        for &i in &free {
            m.center_of_mass += bodies.position[i] * (mass(i) / total_mass);
            let contact_kick = acceleration(i).contact.as_dvec3() * half;
            m.momentum += mass(i) * (bodies.velocity[i] - contact_kick);
        }
        for (point, impulse) in self.pushes_from_outside(bodies) {
            m.momentum += 0.5 * impulse;
            m.angular_momentum += 0.5 * (point - m.center_of_mass).cross(impulse);
        }
        let mean_velocity = m.momentum / total_mass;
        for &i in &free {
            let acceleration = acceleration(i);
            let x = bodies.position[i] - m.center_of_mass;
            let v = bodies.velocity[i];
            let w = bodies.angular_velocity[i];
            let half_kick = (acceleration.field + acceleration.contact).as_dvec3() * half;
            let half_turn = acceleration.angular_contact.as_dvec3() * half;
            m.kinetic_energy += 0.5 * (mass(i) * v.length_squared() + w.dot(spin(bodies, i, w)));
            m.angular_momentum +=
                mass(i) * x.cross(v - half_kick - mean_velocity) + spin(bodies, i, w - half_turn);
            m.angular_momentum_scale += mass(i) * x.length() * (v - mean_velocity).length();
        }
    }

    /// The points and impulses with which planes, static and kinematic bodies pushed free bodies in the last substep.
    fn pushes_from_outside(&self, bodies: &Bodies) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.contacts.iter().filter_map(|contact| {
            let a = bodies.index_of(contact.a)?;
            let b = bodies.index_of(contact.b)?;
            let (point, impulse) = (contact.point.as_dvec3(), contact.impulse.as_dvec3());
            match (bodies.is_dynamic(a), bodies.is_dynamic(b)) {
                (true, false) => Some((point, impulse)),
                (false, true) => Some((point, -impulse)),
                _ => None,
            }
        })
    }

    fn measure_potential(&self, bodies: &Bodies, m: &mut Measurement) {
        let gravity = self.gravity.0.as_dvec3();
        for i in (0..bodies.len()).filter(|&i| bodies.is_dynamic(i) && !bodies.is_part(i)) {
            let weight = f64::from(bodies.mass[i] * bodies.gravity_scale[i]);
            m.potential_energy -= weight * gravity.dot(bodies.position[i]);
        }
        let Some(field) = &self.self_gravity else {
            return;
        };
        m.potential_energy += field.potential_energy(bodies);
    }

    fn state_hash(&self, bodies: &Bodies) -> u64 {
        // With its fixed keys this hasher gives the same hash in every run.
        let mut hasher = std::hash::DefaultHasher::new();
        let mut write = |v: Vec3| {
            v.to_array()
                .iter()
                .for_each(|x| hasher.write_u32(x.to_bits()))
        };
        for i in 0..bodies.len() {
            write(bodies.position[i].as_vec3());
            write(bodies.rotation[i].xyz());
            write(Vec3::splat(bodies.rotation[i].w));
            if bodies.is_static(i) && !bodies.shape[i].is_round() {
                continue;
            }
            if let Ok((velocity, angular_velocity)) = self.velocities.get(bodies.entity[i]) {
                write(velocity.0);
                write(angular_velocity.0);
            }
        }
        hasher.finish()
    }
}

/// I·ω in f64.
fn spin(bodies: &Bodies, i: usize, w: DVec3) -> DVec3 {
    bodies.inverse_inertia[i].precise_momentum(bodies.rotation[i], w)
}

fn measure_overlap(bodies: &Bodies, m: &mut Measurement) {
    const TOUCH: f32 = 1e-3;
    let mut broad_phase = BroadPhase::default();
    broad_phase.update(bodies, TOUCH);
    let mut sum = 0.0;
    for (a, b) in broad_phase.all_pairs() {
        let (a, b) = (a as usize, b as usize);
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let deepest = manifold(&bodies.placed(a), &bodies.placed(b), TOUCH * radius)
            .iter()
            .map(|point| point.depth / radius)
            .fold(f32::NEG_INFINITY, f32::max);
        if deepest >= -TOUCH {
            let overlap = f64::from(deepest.max(0.0));
            m.touching += 1;
            m.overlap_max = m.overlap_max.max(overlap);
            sum += overlap;
        }
    }
    if m.touching > 0 {
        m.overlap_mean = sum / m.touching as f64;
    }
}
