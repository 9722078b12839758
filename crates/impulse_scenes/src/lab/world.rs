//! One world of the laboratory: a scene, stepped by a method in an app of its own.

use std::time::Duration;

use bevy::{platform::time::Instant, prelude::*};
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};
use impulse_lab::contact::find_contacts;

use super::{
    figures::{Figures, Sample},
    method::Method,
    scene::Scene,
};

/// A scene under a method, and its course so far.
pub struct LabWorld {
    pub method: &'static Method,
    pub app: App,
    pub figures: Figures,
    step: Duration,
}

impl LabWorld {
    /// The scene at its start, about `origin`, with `hz` steps per second.
    pub fn new(scene: &'static Scene, method: &'static Method, origin: Vec3, hz: f64) -> Self {
        let step = Duration::from_secs_f64(1.0 / hz);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
            .insert_resource(Time::<Fixed>::from_duration(step));
        let mut config = app.world_mut().resource_mut::<CollisionConfig>();
        config.flat = true;
        config.sleep_speed = 0.0;
        (method.add)(&mut app);
        app.finish();
        app.cleanup();
        (scene.spawn)(app.world_mut(), origin);
        let start = sample(app.world_mut(), 0.0);
        Self {
            method,
            figures: Figures::new(start),
            app,
            step,
        }
    }

    /// Takes the parameters of the same method in another world.
    pub fn take_parameters(&mut self, from: &mut Self) {
        let Some(parameters) = self.method.parameters else {
            return;
        };
        let (here, there) = (self.app.world_mut(), from.app.world_mut());
        if let (Some(mut here), Some(there)) = ((parameters.of)(here), (parameters.of)(there)) {
            here.apply(there.into_inner());
        }
    }

    /// One step.
    pub fn step(&mut self) {
        let started = Instant::now();
        bevy_impulse_collide::step(self.app.world_mut(), self.step);
        let wall = started.elapsed();
        let seconds = self.figures.now.seconds + self.step.as_secs_f64();
        let sample = sample(self.app.world_mut(), seconds);
        self.figures.add(sample, wall);
    }

    /// The positions of all balls and capsules, in the order in which they were spawned.
    pub fn positions(&mut self) -> Vec<Vec3> {
        let world = self.app.world_mut();
        let mut bodies =
            world.query_filtered::<(Entity, &Transform), Or<(With<Particle>, With<Capsule>)>>();
        let mut found: Vec<_> = bodies.iter(world).collect();
        found.sort_by_key(|(entity, _)| *entity);
        found.into_iter().map(|(_, at)| at.translation).collect()
    }
}

/// Measures a world.
fn sample(world: &mut World, seconds: f64) -> Sample {
    let measured = world.run_system_cached(|measure: Measure| measure.measure());
    let measured = measured.unwrap_or_default();
    let approach = world
        .run_system_cached(greatest_approach)
        .unwrap_or(f64::NAN);
    let mut balls = world.query::<(&Transform, &LinearVelocity, &Mass)>();
    let (mut mass, mut heat) = (0.0, 0.0);
    let about = measured.center_of_mass;
    // About the axis of view: planets are flat.
    let (mut inertia, mut turning) = (0.0, 0.0);
    let of = |x: &Transform, v: &LinearVelocity, m: &Mass| {
        (
            x.translation.as_dvec3() - about,
            v.0.as_dvec3(),
            f64::from(m.0),
        )
    };
    let planet = world.contains_resource::<SelfGravity>();
    for (x, v, m) in balls.iter(world) {
        let (x, v, m) = of(x, v, m);
        mass += m;
        inertia += m * x.length_squared();
        turning += m * x.cross(v).z;
    }
    let spin = if planet { turning / inertia } else { 0.0 };
    let mut farthest: f64 = 0.0;
    for (x, v, m) in balls.iter(world) {
        let (x, v, m) = of(x, v, m);
        heat += m * (v - spin * bevy::math::DVec3::Z.cross(x)).length_squared();
        farthest = farthest.max(x.length());
    }
    Sample {
        seconds,
        energy: measured.energy(),
        angular_momentum: measured.angular_momentum.z,
        angular_momentum_scale: measured.angular_momentum_scale,
        overlap: measured.overlap_mean,
        worst_overlap: measured.overlap_max,
        approach,
        rms_speed: (heat / mass).sqrt(),
        farthest,
        mass,
        height: height(world),
    }
}

/// The height in m of a ball over a plane, if the world has just these two.
fn height(world: &mut World) -> Option<f64> {
    let mut planes = world.query::<(&Plane, &Transform)>();
    let (plane, at) = planes.single(world).ok()?;
    let (normal, point) = (at.rotation * plane.normal, at.translation);
    let mut balls = world.query::<(&Particle, &Transform)>();
    let (ball, at) = balls.single(world).ok()?;
    Some(f64::from(normal.dot(at.translation - point) - ball.radius))
}

/// The greatest speed in m/s at which two bodies in contact approach each other.
fn greatest_approach(
    bodies: Res<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
) -> f64 {
    find_contacts(&bodies, &pairs, &config)
        .iter()
        .map(|point| -point.velocity(&bodies).dot(point.normal))
        .fold(0.0, f32::max)
        .into()
}
