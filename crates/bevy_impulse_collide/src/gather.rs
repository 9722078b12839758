//! From components to the packed arrays and back, once a fixed step.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bevy::{
    ecs::{
        query::QueryData,
        system::{NonSendMarker, SystemParam},
    },
    prelude::*,
};
use glam::DVec3;

use crate::{
    bodies::{Bodies, Columns, Material, Shape},
    body::{
        Acceleration, AngularVelocity, Capsule, Density, ExternalForce, ExternalTorque, Fixed,
        Friction, GravityScale, LinearVelocity, Mass, Particle, Plane, Restitution,
        RollingFriction, Sleep, SpinningFriction,
    },
    check::{InputProblem, Reports, checked_material, checked_scale},
    config::CollisionConfig,
    events::BadInput,
    kernel::InverseInertia,
    order::SORTED_FROM,
    parallel::compute_pool,
    step::Impacts,
};

#[derive(QueryData)]
struct BodyData {
    entity: Entity,
    shape: (
        Option<&'static Particle>,
        Option<&'static Plane>,
        Option<&'static Capsule>,
    ),
    transform: &'static Transform,
    mass: Option<&'static Mass>,
    velocity: Option<&'static LinearVelocity>,
    angular_velocity: Option<&'static AngularVelocity>,
    acceleration: Option<&'static Acceleration>,
    gravity_scale: Option<&'static GravityScale>,
    force: Option<&'static ExternalForce>,
    torque: Option<&'static ExternalTorque>,
    restitution: Option<&'static Restitution>,
    friction: Option<&'static Friction>,
    rolling_friction: Option<&'static RollingFriction>,
    spinning_friction: Option<&'static SpinningFriction>,
    is_fixed: Has<Fixed>,
    sleep: Option<&'static Sleep>,
}

/// Reads all bodies of the world into [`Bodies`].
#[derive(SystemParam)]
pub(crate) struct BodyReader<'w, 's> {
    query: Query<'w, 's, BodyData, Or<(With<Particle>, With<Plane>, With<Capsule>)>>,
}

impl BodyReader<'_, '_> {
    /// Fills `bodies` and hands every problem to `report`. A body with a problem that cannot be mended is left out.
    pub fn read(&self, bodies: &mut Bodies, mut report: impl FnMut(Entity, InputProblem)) {
        if !self.read_again(bodies) {
            self.read_anew(bodies, &mut report);
        }
    }

    /// Reads the same bodies as in the step before, on all threads. False if they are not the same, or if one of them has a
    /// problem.
    fn read_again(&self, bodies: &mut Bodies) -> bool {
        if bodies.order.is_new || bodies.is_empty() || bodies.len() != self.query.iter().len() {
            return false;
        }
        let (are_sound, have_changed) = (AtomicBool::new(true), AtomicBool::new(false));
        let half = 0.5 * bodies.h;
        bodies.for_each_run(|_, mut run| {
            let (mut is_sound, mut has_changed) = (true, false);
            for i in 0..run.len() {
                let body = self.query.get(run.entity[i]).ok();
                let gathered = body
                    .and_then(|body| Gathered::new(&body, half, &mut |_, _| is_sound = false).ok());
                let Some(gathered) = gathered else {
                    is_sound = false;
                    break;
                };
                has_changed |= run.set(i, &gathered);
            }
            are_sound.fetch_and(is_sound, Relaxed);
            have_changed.fetch_or(has_changed, Relaxed);
        });
        if have_changed.into_inner() {
            bodies.revision += 1;
            bodies.index();
        }
        are_sound.into_inner()
    }

    fn read_anew(&self, bodies: &mut Bodies, report: &mut impl FnMut(Entity, InputProblem)) {
        let before = bodies.len();
        let order = self.order(bodies);
        let was_rearranged = std::mem::take(&mut bodies.order.is_new);
        bodies.rearrange(&order);
        let (mut count, mut has_changed) = (0, false);
        let half = 0.5 * bodies.h;
        let mut columns = bodies.columns();
        for body in order
            .into_iter()
            .filter_map(|entity| self.query.get(entity).ok())
        {
            match Gathered::new(&body, half, report) {
                Ok(gathered) => {
                    has_changed |= columns.set(count, &gathered);
                    count += 1;
                }
                Err(problem) => report(body.entity, problem),
            }
        }
        bodies.resize(count);
        if has_changed || was_rearranged || count != before {
            bodies.revision += 1;
            bodies.index();
        }
    }
}

impl BodyReader<'_, '_> {
    /// All bodies: those that were there before in the order in which they were, then the new ones.
    fn order(&self, bodies: &Bodies) -> Vec<Entity> {
        let known = bodies.entity.iter().copied();
        let mut order: Vec<Entity> = known
            .filter(|&entity| self.query.contains(entity))
            .collect();
        let survivors = order.len();
        let all = self.query.iter().map(|body| body.entity);
        order.extend(all.filter(|&entity| bodies.index_of(entity).is_none()));
        order[survivors..].sort_unstable();
        if order.len() < SORTED_FROM {
            order.sort_unstable();
        }
        order
    }
}

/// What the components say of a body.
struct Gathered {
    entity: Entity,
    shape: Shape,
    position: Vec3,
    rotation: Quat,
    axis: Vec3,
    velocity: Vec3,
    angular_velocity: Vec3,
    mass: f32,
    inverse_mass: f32,
    inverse_inertia: InverseInertia,
    material: Material,
    gravity_scale: f32,
    external_force: Vec3,
    external_torque: Vec3,
    contact_acceleration: Vec3,
    contact_angular_acceleration: Vec3,
    steps: u32,
    asleep: bool,
    quiet_for: f32,
    /// Whether it was asleep, and someone has moved it.
    was_moved: bool,
}

impl Gathered {
    /// Checks the components. `half` is half a substep in seconds.
    fn new(
        body: &BodyDataItem,
        half: f32,
        report: &mut impl FnMut(Entity, InputProblem),
    ) -> Result<Self, InputProblem> {
        let transform = body.transform;
        if !transform.translation.is_finite() {
            return Err(InputProblem::Position(transform.translation));
        }
        if !transform.rotation.is_finite() || transform.rotation.length_squared() < 1e-6 {
            return Err(InputProblem::Rotation(transform.rotation));
        }
        let rotation = transform.rotation.normalize();
        let (shape, axis) = match body.shape {
            (Some(particle), None, None) => {
                let scale = checked_scale(transform.scale)?;
                let radius = positive(particle.radius * scale, InputProblem::Radius)?;
                (Shape::Particle { radius }, Vec3::Y)
            }
            (None, Some(plane), None) => {
                let normal = plane.normal.try_normalize();
                let normal = normal.ok_or(InputProblem::Normal(plane.normal))?;
                (Shape::Plane, rotation * normal)
            }
            (None, None, Some(capsule)) => {
                let scale = checked_scale(transform.scale)?;
                let radius = positive(capsule.radius * scale, InputProblem::Radius)?;
                let half_length = 0.5 * capsule.length * scale;
                if !(half_length.is_finite() && half_length >= 0.0) {
                    return Err(InputProblem::Length(capsule.length));
                }
                let shape = Shape::Capsule {
                    radius,
                    half_length,
                };
                (shape, rotation * Vec3::Y)
            }
            _ => return Err(InputProblem::SeveralShapes),
        };
        let is_plane = matches!(shape, Shape::Plane);
        let is_free = !is_plane && !body.is_fixed;

        let velocity = body.velocity.map_or(Vec3::ZERO, |v| v.0);
        let angular_velocity = body.angular_velocity.map_or(Vec3::ZERO, |w| w.0);
        let acceleration = body.acceleration.copied().unwrap_or_default();
        let gravity_scale = body.gravity_scale.map_or(1.0, |s| s.0);
        let force = body.force.map_or(Vec3::ZERO, |f| f.0);
        let torque = body.torque.map_or(Vec3::ZERO, |t| t.0);
        let mass = if is_plane {
            0.0
        } else {
            positive(body.mass.map_or(1.0, |m| m.0), InputProblem::Mass)?
        };
        for (value, problem) in [
            (
                velocity,
                InputProblem::LinearVelocity as fn(Vec3) -> InputProblem,
            ),
            (angular_velocity, InputProblem::AngularVelocity),
            (force, InputProblem::ExternalForce),
            (torque, InputProblem::ExternalTorque),
        ] {
            if !value.is_finite() {
                return Err(problem(value));
            }
        }
        if !gravity_scale.is_finite() {
            return Err(InputProblem::GravityScale(gravity_scale));
        }

        let mut coefficient =
            |value: Option<f32>, range_end: f32, problem: fn(f32) -> InputProblem| {
                let (value, problem) = checked_material(value, range_end, problem);
                if let Some(problem) = problem {
                    report(body.entity, problem);
                }
                value
            };
        let material = Material {
            restitution: coefficient(
                body.restitution.map(|c| c.0),
                1.0,
                InputProblem::Restitution,
            ),
            friction: coefficient(body.friction.map(|c| c.0), f32::MAX, InputProblem::Friction),
            rolling_friction: coefficient(
                body.rolling_friction.map(|c| c.0),
                f32::MAX,
                InputProblem::RollingFriction,
            ),
            spinning_friction: coefficient(
                body.spinning_friction.map(|c| c.0),
                f32::MAX,
                InputProblem::SpinningFriction,
            ),
        };

        // Components hold v(t); the step starts from v(t−h/2), as the last step's accelerations tell it.
        let (dv, dw) = if acceleration.steps == 0 {
            (Vec3::ZERO, Vec3::ZERO)
        } else {
            (
                (acceleration.field + acceleration.contact) * half,
                (acceleration.angular_field + acceleration.angular_contact) * half,
            )
        };
        let inverse_inertia = match shape {
            _ if !is_free => InverseInertia::ZERO,
            Shape::Particle { radius } => InverseInertia::sphere(mass, radius),
            Shape::Capsule {
                radius,
                half_length,
            } => InverseInertia::capsule(mass, radius, 2.0 * half_length),
            Shape::Plane => InverseInertia::ZERO,
        };
        let sleep = body.sleep.copied().unwrap_or_default();
        let is_still = velocity == Vec3::ZERO && angular_velocity == Vec3::ZERO;
        let asleep =
            is_free && is_still && sleep.place == Some((transform.translation, transform.rotation));
        let was_moved = sleep.is_asleep() && !asleep;
        Ok(Self {
            entity: body.entity,
            shape,
            position: transform.translation,
            rotation,
            axis,
            velocity: if is_free { velocity - dv } else { Vec3::ZERO },
            angular_velocity: if is_free {
                angular_velocity - dw
            } else {
                Vec3::ZERO
            },
            mass,
            inverse_mass: if is_free { mass.recip() } else { 0.0 },
            inverse_inertia,
            material,
            gravity_scale,
            external_force: force,
            external_torque: torque,
            contact_acceleration: acceleration.contact,
            contact_angular_acceleration: acceleration.angular_contact,
            steps: acceleration.steps,
            asleep,
            quiet_for: if was_moved { 0.0 } else { sleep.quiet_for },
            was_moved,
        })
    }
}

impl Columns<'_> {
    /// Puts a body in its place; whether what a step leaves as it is has changed.
    fn set(&mut self, i: usize, body: &Gathered) -> bool {
        let mut has_changed = false;
        let is_another = self.entity[i] != body.entity;
        macro_rules! set_constant {
            ($($name:ident),*) => {
                $(if self.$name[i] != body.$name {
                    self.$name[i] = body.$name;
                    has_changed = true;
                })*
            };
        }
        set_constant!(entity, shape, mass, inverse_mass, inverse_inertia, material);
        if body.inverse_mass == 0.0 {
            set_constant!(position, rotation, axis);
        }
        self.position[i] = body.position;
        self.position_rest[i] = Vec3::ZERO;
        self.rotation[i] = body.rotation;
        self.axis[i] = body.axis;
        self.velocity[i] = body.velocity;
        self.velocity_rest[i] = Vec3::ZERO;
        self.angular_velocity[i] = body.angular_velocity;
        self.gravity_scale[i] = body.gravity_scale;
        self.external_force[i] = body.external_force;
        self.external_torque[i] = body.external_torque;
        self.acceleration[i] = DVec3::ZERO;
        self.angular_acceleration[i] = Vec3::ZERO;
        self.contact_acceleration[i] = body.contact_acceleration;
        self.contact_angular_acceleration[i] = body.contact_angular_acceleration;
        self.launch_position[i] = body.position;
        self.launch_rotation[i] = body.rotation;
        self.steps[i] = body.steps;
        self.asleep[i] = body.asleep;
        self.quiet_for[i] = body.quiet_for;
        self.disturbed[i] = body.was_moved || (has_changed && !is_another);
        has_changed
    }
}

fn positive(value: f32, problem: fn(f32) -> InputProblem) -> Result<f32, InputProblem> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(problem(value))
    }
}

/// Keeps the mass of bodies with a [`Density`] at density times volume.
pub(crate) fn mass_from_density(
    mut query: Query<(
        Entity,
        &Density,
        &Transform,
        Option<&Particle>,
        Option<&Capsule>,
        &mut Mass,
    )>,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
    names: Query<NameOrEntity>,
) {
    for (entity, density, transform, particle, capsule, mut mass) in &mut query {
        if !(density.0.is_finite() && density.0 > 0.0) {
            reports.report(
                entity,
                InputProblem::Density(density.0),
                &names,
                &mut messages,
            );
            continue;
        }
        let volume = match (particle, capsule) {
            (Some(particle), None) => particle.volume(),
            (None, Some(capsule)) => capsule.volume(),
            _ => continue,
        };
        let scaled = density.0 * volume * transform.scale.x.powi(3);
        // Without a sound volume there is no sound mass; the shape's own problem is reported by the gathering.
        if scaled.is_finite() && scaled > 0.0 {
            mass.set_if_neq(Mass(scaled));
        }
    }
}

/// Fills the packed arrays for this fixed step.
pub(crate) fn gather(
    reader: BodyReader,
    config: Res<CollisionConfig>,
    time: Res<Time>,
    names: Query<NameOrEntity>,
    mut bodies: ResMut<Bodies>,
    mut impacts: ResMut<Impacts>,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
    _: NonSendMarker,
) {
    impacts.resolved.clear();
    bodies.h = time.delta_secs() / config.substeps.max(1) as f32;
    bodies.time = 0.0;
    bodies.sort_in_space();
    reports.begin();
    reader.read(&mut bodies, |entity, problem| {
        reports.report(entity, problem, &names, &mut messages);
    });
    reports.forget_mended();
}

/// Gives the results back to the components.
///
/// On the main thread, where it and the compute threads share the work; so does [`gather`].
pub(crate) fn write_back(
    bodies: Res<Bodies>,
    mut query: Query<(
        Entity,
        &mut Transform,
        &mut LinearVelocity,
        &mut AngularVelocity,
        &mut Acceleration,
        &mut Sleep,
    )>,
    _: NonSendMarker,
) {
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
