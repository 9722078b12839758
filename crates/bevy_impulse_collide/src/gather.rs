//! From components to the packed arrays and back, once a fixed step.

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
};
use glam::DVec3;

use crate::{
    bodies::{Bodies, Material, Shape},
    body::{
        Acceleration, AngularVelocity, Capsule, Density, ExternalForce, ExternalTorque, Fixed,
        Friction, GravityScale, LinearVelocity, Mass, Particle, Plane, Restitution,
        RollingFriction, SpinningFriction,
    },
    check::{InputProblem, Reports, checked_material, checked_scale},
    config::CollisionConfig,
    events::BadInput,
    kernel::InverseInertia,
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
}

/// Reads all bodies of the world into [`Bodies`].
#[derive(SystemParam)]
pub(crate) struct BodyReader<'w, 's> {
    query: Query<'w, 's, BodyData, Or<(With<Particle>, With<Plane>, With<Capsule>)>>,
}

impl BodyReader<'_, '_> {
    /// Fills `bodies` in the order of the entities and hands every problem to `report`. A body with a problem that cannot
    /// be mended is left out.
    pub fn read(&self, bodies: &mut Bodies, mut report: impl FnMut(Entity, InputProblem)) {
        bodies.clear();
        for body in self.query.iter().sort_unstable::<Entity>() {
            if let Err(problem) = push_body(bodies, &body, &mut report) {
                report(body.entity, problem);
            }
        }
    }
}

fn push_body(
    bodies: &mut Bodies,
    body: &BodyDataItem,
    report: &mut impl FnMut(Entity, InputProblem),
) -> Result<(), InputProblem> {
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

    let mut coefficient = |value: Option<f32>, range_end: f32, problem: fn(f32) -> InputProblem| {
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

    if is_plane {
        bodies.planes.push(bodies.entity.len() as u32);
    }
    bodies.entity.push(body.entity);
    bodies.shape.push(shape);
    bodies.position.push(transform.translation);
    bodies.position_rest.push(Vec3::ZERO);
    bodies.rotation.push(rotation);
    bodies.axis.push(axis);
    bodies.mass.push(mass);
    bodies
        .inverse_mass
        .push(if is_free { mass.recip() } else { 0.0 });
    bodies.inverse_inertia.push(match shape {
        _ if !is_free => InverseInertia::ZERO,
        Shape::Particle { radius } => InverseInertia::sphere(mass, radius),
        Shape::Capsule {
            radius,
            half_length,
        } => InverseInertia::capsule(mass, radius, 2.0 * half_length),
        Shape::Plane => InverseInertia::ZERO,
    });
    bodies.material.push(material);
    bodies.gravity_scale.push(gravity_scale);
    bodies.external_force.push(force);
    bodies.external_torque.push(torque);
    bodies.acceleration.push(DVec3::ZERO);
    bodies.velocity_rest.push(Vec3::ZERO);
    bodies.angular_acceleration.push(Vec3::ZERO);
    bodies.contact_acceleration.push(acceleration.contact);
    bodies
        .contact_angular_acceleration
        .push(acceleration.angular_contact);
    bodies.launch_position.push(transform.translation);
    bodies.launch_rotation.push(rotation);
    bodies.steps.push(acceleration.steps);
    // Components hold v(t); the step starts from v(t−h/2), as the last step's accelerations tell it.
    let half = 0.5 * bodies.h;
    let (dv, dw) = if acceleration.steps == 0 || !is_free {
        (Vec3::ZERO, Vec3::ZERO)
    } else {
        (
            (acceleration.field + acceleration.contact) * half,
            (acceleration.angular_field + acceleration.angular_contact) * half,
        )
    };
    let free = if is_free { 1.0 } else { 0.0 };
    bodies.velocity.push((velocity - dv) * free);
    bodies.angular_velocity.push((angular_velocity - dw) * free);
    Ok(())
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
) {
    impacts.resolved.clear();
    bodies.h = time.delta_secs() / config.substeps.max(1) as f32;
    bodies.time = 0.0;
    reports.begin();
    reader.read(&mut bodies, |entity, problem| {
        reports.report(entity, problem, &names, &mut messages);
    });
    reports.forget_mended();
}

/// Gives the results back to the components.
pub(crate) fn write_back(
    bodies: Res<Bodies>,
    mut query: Query<(
        &mut Transform,
        &mut LinearVelocity,
        &mut AngularVelocity,
        &mut Acceleration,
    )>,
) {
    let half = 0.5 * bodies.h;
    for i in (0..bodies.len()).filter(|&i| bodies.is_free(i)) {
        // A body that a system has despawned since is simply gone.
        let Ok((mut transform, mut velocity, mut angular_velocity, mut acceleration)) =
            query.get_mut(bodies.entity[i])
        else {
            continue;
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
    }
}

impl Bodies {
    fn clear(&mut self) {
        let Self {
            h: _,
            time: _,
            entity,
            shape,
            position,
            position_rest,
            rotation,
            axis,
            velocity,
            velocity_rest,
            angular_velocity,
            mass,
            inverse_mass,
            inverse_inertia,
            material,
            gravity_scale,
            external_force,
            external_torque,
            acceleration,
            angular_acceleration,
            contact_acceleration,
            contact_angular_acceleration,
            launch_position,
            launch_rotation,
            steps,
            planes,
        } = self;
        entity.clear();
        acceleration.clear();
        shape.clear();
        rotation.clear();
        material.clear();
        inverse_inertia.clear();
        launch_rotation.clear();
        steps.clear();
        planes.clear();
        for array in [
            position,
            position_rest,
            axis,
            velocity,
            velocity_rest,
            angular_velocity,
            external_force,
            external_torque,
            angular_acceleration,
            contact_acceleration,
            contact_angular_acceleration,
            launch_position,
        ] {
            array.clear();
        }
        for array in [mass, inverse_mass, gravity_scale] {
            array.clear();
        }
    }
}
