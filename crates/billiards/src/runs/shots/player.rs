//! Plays shots from a file, one after another.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, headless, scene_app};

use super::{
    file::{BallState, End, Kind, Shot, ShotFile, ShotReport, from_world, to_world},
    watch::{Hit, Laws, Met, Motion, Watch},
};
use crate::table::materials::materials;

/// Seconds after which a shot ends, though a ball may still move: on a cloth without friction it always will.
const LONGEST: f64 = 120.0;
/// Where the cushion's nose is, and half its length, in m.
const NOSE_X: f32 = 0.2;
const NOSE_HALF_LENGTH: f32 = 20.0;
/// The nose is an edge: this is as sharp as it need be, in m.
const NOSE_RADIUS: f32 = 1e-3;

/// An entity of a shot. It is despawned when the shot is over.
#[derive(Component)]
struct OfShot;

/// The name of a ball in the file.
#[derive(Component)]
struct Id(String);

#[derive(Component)]
struct Cloth;

#[derive(Component)]
struct Cushion;

/// Seconds since the shot.
#[derive(Resource, Default)]
struct Clock(f64);

/// Plays the shots.
pub struct Player {
    app: App,
    laws: Laws,
    materials: Materials,
}

/// Material of the cushion, and height of its nose.
#[derive(Clone, Copy)]
struct Materials {
    cushion: (Restitution, Friction),
    nose_height: f32,
}

impl Player {
    /// A player for the shots of `file`.
    pub fn new(file: &ShotFile, options: &RunOptions) -> Self {
        let ball = &file.ball;
        let mut app = scene_app("Shots", options);
        app.insert_resource(materials())
            .insert_resource(Gravity(Vec3::NEG_Y * ball.g))
            .init_resource::<Clock>()
            .add_systems(FixedPostUpdate, watch.after(ImpulseSystems::WriteBack));
        headless::start(&mut app);
        app.world_mut().spawn((
            Cloth,
            Plane::new(Vec3::Y),
            Restitution(0.0),
            Friction(ball.u_s),
            RollingFriction(ball.u_r),
            SpinningFriction(ball.u_sp_proportionality * ball.r),
        ));
        Self {
            app,
            laws: Laws {
                mass: ball.m,
                radius: ball.r,
                slide: 3.5 * ball.u_s * ball.g,
                roll: ball.u_r * ball.g,
                spin: 2.5 * ball.u_sp_proportionality * ball.g,
            },
            materials: Materials {
                cushion: (Restitution(ball.e_c), Friction(ball.f_c)),
                nose_height: file.cushion_height,
            },
        }
    }

    /// Plays one, until all balls lie still.
    pub fn play(&mut self, shot: &Shot) -> ShotReport {
        self.set_up(shot);
        let world = self.app.world_mut();
        world.resource_mut::<Clock>().0 = 0.0;
        let mut watched = world.query::<&Watch>();
        loop {
            self.app.update();
            let world = self.app.world();
            if watched.iter(world).all(Watch::is_still) || world.resource::<Clock>().0 > LONGEST {
                break;
            }
        }
        let report = self.report();
        self.clear();
        report
    }

    fn set_up(&mut self, shot: &Shot) {
        let Self {
            app,
            laws,
            materials,
        } = self;
        let world = app.world_mut();
        if shot.kind == Kind::Cushion {
            world.spawn((OfShot, nose(laws.radius, materials)));
        }
        for (id, BallState { x, v, w }) in &shot.init {
            let [x, v, w] = [x, v, w].map(|vector| to_world(*vector));
            world.spawn((
                OfShot,
                Id(id.clone()),
                Watch::new(*laws, x, v, w),
                Particle::new(laws.radius),
                Mass(laws.mass),
                Restitution(1.0),
                Friction(0.0),
                Transform::from_translation(x),
                LinearVelocity(v),
                AngularVelocity(w),
            ));
        }
    }

    fn report(&mut self) -> ShotReport {
        let world = self.app.world_mut();
        let mut report = ShotReport::default();
        let mut balls = world.query::<(&Id, &Watch)>();
        for (Id(id), watch) in balls.iter(world) {
            let end = End {
                state: state(watch.motion()),
                t: watch.is_still().then_some(watch.still_since()),
            };
            report.end.insert(id.clone(), end);
            if let Some(motion) = &watch.after_ball {
                report.after_ball.insert(id.clone(), state(motion));
            }
            if let Some(motion) = &watch.after_cushion {
                report.after_cushion.insert(id.clone(), state(motion));
            }
            if !watch.rolling_at.is_empty() {
                let times = watch.rolling_at.clone();
                report.rolling_at.insert(id.clone(), times);
            }
        }
        report
    }

    fn clear(&mut self) {
        let world = self.app.world_mut();
        let mut all = world.query_filtered::<Entity, With<OfShot>>();
        let all: Vec<Entity> = all.iter(world).collect();
        for entity in all {
            world.despawn(entity);
        }
    }
}

/// A straight cushion along the file's y, which meets a ball of `radius` at its nose's height.
fn nose(radius: f32, materials: &Materials) -> impl Bundle {
    let sine = (materials.nose_height - radius) / radius;
    let height = radius + (radius + NOSE_RADIUS) * sine;
    (
        Cushion,
        Capsule::new(NOSE_RADIUS, 2.0 * NOSE_HALF_LENGTH),
        RigidBody::Static,
        materials.cushion,
        Transform::from_xyz(NOSE_X + NOSE_RADIUS, height, 0.0)
            .with_rotation(Quat::from_rotation_arc(Vec3::Y, Vec3::Z)),
    )
}

fn state(motion: &Motion) -> BallState {
    BallState {
        x: from_world(motion.x),
        v: from_world(motion.v),
        w: from_world(motion.w),
    }
}

/// Records the events of each ball in this step.
fn watch(
    mut impacts: MessageReader<Impact>,
    mut balls: Query<(
        Entity,
        &Transform,
        &LinearVelocity,
        &AngularVelocity,
        &Acceleration,
        &mut Watch,
    )>,
    cloth: Query<(), With<Cloth>>,
    cushions: Query<(), With<Cushion>>,
    mut clock: ResMut<Clock>,
    time: Res<Time>,
) {
    let impacts: Vec<Impact> = impacts.read().copied().collect();
    let h = time.delta_secs_f64();
    for (entity, transform, velocity, angular_velocity, acceleration, mut watch) in &mut balls {
        let hits: Vec<Hit> = impacts
            .iter()
            .filter_map(|impact| {
                let (sign, other) = if impact.a == entity {
                    (1.0, impact.b)
                } else if impact.b == entity {
                    (-1.0, impact.a)
                } else {
                    return None;
                };
                let met = if cloth.contains(other) {
                    Met::Cloth
                } else if cushions.contains(other) {
                    Met::Cushion
                } else {
                    Met::Ball
                };
                Some(Hit {
                    time: impact.time,
                    met,
                    normal: impact.normal * sign,
                    impulse: impact.impulse * sign,
                })
            })
            .collect();
        let now = Motion::new(transform, velocity, angular_velocity, acceleration);
        watch.step(clock.0, h, &hits, now);
    }
    clock.0 += h;
}
