//! The system parameter that foretells hits.

use std::borrow::Cow;

use bevy::{ecs::system::SystemParam, prelude::*};
use glam::DVec3;

use super::{
    body::Body,
    filter::SpatialFilter,
    flight::{Flight, FlightHit},
    flight_cast::{FlightCast, Motion},
    round::Round,
    spatial_query::SpatialQuery,
};
use crate::{
    body::Bodies,
    collision::Aabb,
    components::{
        Acceleration, AngularVelocity, CollisionLayers, ExternalForce, GravityScale,
        LinearVelocity, Mass, RigidBody, Sleep,
    },
    config::CollisionConfig,
    field::Gravity,
    shape::geometry::Course,
};

/// Longest flight in s.
const LONGEST: f32 = 3600.0;

/// A system parameter that foretells what a body in flight will hit, when and where: an aiming line for billiards or golf.
///
/// The flight is the parabola x + v·t + a·t²/2, as the step flies it, so the answer is what the step will do:
///
/// - The other bodies go on as they do now, each on its own parabola: with its [`LinearVelocity`], and with the accelerations of
///   its last step by fields and by contacts. A body that has made no step feels [`Gravity`] and [`ExternalForce`]; if it lies on a
///   static or kinematic body, it stays on it.
/// - They meet nothing on their way, and do not turn. A body that sleeps stays where it is; so does a body that contacts hold and
///   that is slower than [`CollisionConfig::sleep_speed`].
/// - The bodies on which the flying body lies at its start hold it: they take the part of its velocity and acceleration that
///   presses into them, without friction, and it does not hit them while it slides on them.
/// - A body that it touches at its start, and that it approaches faster than [`CollisionConfig::resting_speed`], is hit at once.
///
/// The time is exact to about 1e-6 of the radius over the speed of approach. Where transforms are smoothed, ask in a fixed
/// schedule.
///
/// ```
/// use bevy::{ecs::system::RunSystemOnce, prelude::*};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins(ImpulseCollidePlugin { interpolate: false });
/// let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
///
/// // A ball is thrown up at 5 m/s from a height of 1 m: t = (v + √(v² + 2·g·h))/g.
/// let throw = |flights: FlightQuery| {
///     let flight = Flight {
///         position: Vec3::Y * 1.5,
///         velocity: Vec3::new(3.0, 5.0, 0.0),
///         acceleration: Vec3::NEG_Y * 9.81,
///     };
///     flights.cast_ball(0.5, &flight, 10.0, &SpatialFilter::default())
/// };
/// let hit = app.world_mut().run_system_once(throw).unwrap().unwrap();
/// let expected = (5.0 + (25.0f32 + 2.0 * 9.81).sqrt()) / 9.81;
/// assert_eq!((hit.entity, hit.normal), (floor, Vec3::Y));
/// assert!((hit.time - expected).abs() < 1e-6);
/// assert!((hit.point.x - 3.0 * expected).abs() < 1e-5);
/// ```
#[derive(SystemParam)]
pub struct FlightQuery<'w, 's> {
    spatial: SpatialQuery<'w, 's>,
    motions: Query<
        'w,
        's,
        (
            &'static LinearVelocity,
            Option<&'static AngularVelocity>,
            Option<&'static Acceleration>,
            Option<&'static GravityScale>,
            Option<&'static ExternalForce>,
            Option<&'static Mass>,
            Option<&'static Sleep>,
        ),
    >,
    layers: Query<'w, 's, &'static CollisionLayers>,
    gravity: Res<'w, Gravity>,
    config: Res<'w, CollisionConfig>,
    bodies: Res<'w, Bodies>,
}

impl FlightQuery<'_, '_> {
    /// The first hit of a ball of a `radius` in m, in `max_time` seconds, up to one hour.
    pub fn cast_ball(
        &self,
        radius: f32,
        flight: &Flight,
        max_time: f32,
        filter: &SpatialFilter,
    ) -> Option<FlightHit> {
        self.cast(&Round::ball(radius), flight, max_time, |body| {
            filter.finds(body)
        })
    }

    /// The first hit of a capsule that does not turn, in `max_time` seconds, up to one hour. It is a cylinder of a `radius` along
    /// local Y of `rotation`, with this `length` between the half-balls on its ends, in m.
    pub fn cast_capsule(
        &self,
        (radius, length): (f32, f32),
        rotation: Quat,
        flight: &Flight,
        max_time: f32,
        filter: &SpatialFilter,
    ) -> Option<FlightHit> {
        if length.is_nan() || length < 0.0 {
            return None;
        }
        let capsule = Round::capsule(radius, length, rotation);
        self.cast(&capsule, flight, max_time, |body| filter.finds(body))
    }

    /// The first hit of a ball or a capsule of the world as it flies now, in `max_time` seconds, up to one hour. It hits the bodies
    /// with which its [`CollisionLayers`] let it collide. A capsule is taken as one that does not turn.
    pub fn cast_body(
        &self,
        entity: Entity,
        max_time: f32,
        filter: &SpatialFilter,
    ) -> Option<FlightHit> {
        self.cast_thrown(entity, &self.flight_of(entity)?, max_time, filter)
    }

    /// The same for another flight of the body: the shot that a player aims.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_impulse_collide::prelude::*;
    /// # #[derive(Component)]
    /// # struct CueBall;
    /// fn aim(cue_ball: Single<Entity, With<CueBall>>, flights: FlightQuery, mut gizmos: Local<Vec<Vec3>>) {
    ///     let Some(now) = flights.flight_of(*cue_ball) else { return };
    ///     let shot = Flight { velocity: Vec3::X * 3.0, ..now };
    ///     if let Some(hit) = flights.cast_thrown(*cue_ball, &shot, 5.0, &SpatialFilter::default()) {
    ///         info!("it hits {} in {} s", hit.entity, hit.time);
    ///         gizmos.extend((0..=20).map(|k| hit.flight.at(hit.time * k as f32 / 20.0)));
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(aim);
    /// ```
    pub fn cast_thrown(
        &self,
        entity: Entity,
        flight: &Flight,
        max_time: f32,
        filter: &SpatialFilter,
    ) -> Option<FlightHit> {
        let body = self.body(entity)?;
        let round = Round::of(&body);
        let layers_of = |entity| self.layers.get(entity).copied().unwrap_or_default();
        let own = layers_of(entity);
        self.cast(&round, flight, max_time, |other| {
            other.mover().0 != body.mover().0
                && filter.finds(other)
                && own.interacts_with(layers_of(other.entity))
        })
    }

    /// How a ball or a capsule of the world flies now, by the fields alone: a cast finds out what it lies on.
    pub fn flight_of(&self, entity: Entity) -> Option<Flight> {
        let body = self.body(entity)?;
        let motion = self.free_motion(&body);
        Some(Flight {
            position: body.position,
            velocity: motion.velocity.as_vec3(),
            acceleration: motion.acceleration.as_vec3(),
        })
    }

    /// A ball or a capsule.
    fn body(&self, entity: Entity) -> Option<Body> {
        self.spatial
            .body(entity)
            .filter(|body| body.shape.is_round())
    }

    fn cast(
        &self,
        round: &Round,
        flight: &Flight,
        max_time: f32,
        is_wanted: impl Fn(&Body) -> bool,
    ) -> Option<FlightHit> {
        let course = Course {
            x: flight.position.as_dvec3(),
            velocity: flight.velocity.as_dvec3(),
            acceleration: flight.acceleration.as_dvec3(),
        };
        if !(course.is_finite() && round.is_good() && max_time >= 0.0) {
            return None;
        }
        let mut cast = FlightCast::new(*round, course);
        let resting = f64::from(self.config.resting_speed);
        for body in self
            .near(cast.bounds((0.0, 0.0)))
            .filter(|body| is_wanted(body))
        {
            cast.lie_on(&body, self.motion(&body), resting);
        }
        let mut end = f64::from(max_time.min(LONGEST));
        let mut first = None;
        let mut look = |body: &Body, motion, (from, until): (f64, f64), end: &mut f64| {
            if let Some(hit) = cast.meet(body, motion, (from, until.min(*end)))
                && first.is_none_or(|first| hit.is_before(&first))
            {
                *end = hit.time;
                first = Some(hit);
            }
        };
        for body in self.spatial.bodies() {
            let motion = self.motion(body);
            if !motion.is_still() && is_wanted(body) {
                look(body, motion, (0.0, end), &mut end);
            }
        }
        for piece in cast.pieces(end) {
            if piece.0 > end {
                break;
            }
            for body in self.near(cast.bounds(piece)) {
                let motion = self.motion(&body);
                if motion.is_still() && is_wanted(&body) {
                    look(&body, motion, piece, &mut end);
                }
            }
        }
        first.map(|first| cast.hit(&first))
    }

    /// The bodies whose boxes meet the box between two corners, and all bodies without a box.
    fn near(&self, (low, high): (Vec3, Vec3)) -> impl Iterator<Item = Cow<'_, Body>> {
        let about = Aabb {
            min: low.into(),
            max: high.into(),
        };
        self.spatial
            .candidates(move |bounds| bounds.overlaps(&about))
    }

    /// How a body goes on, if it meets nothing.
    fn motion(&self, body: &Body) -> Motion {
        let free = self.free_motion(body);
        let (mover, _) = body.mover();
        let Ok((_, _, acceleration, .., sleep)) = self.motions.get(mover) else {
            return free;
        };
        if !body.kind.is_dynamic() {
            return free;
        }
        let Some(last) = acceleration.filter(|_| self.has_stepped(mover)) else {
            return self.on_ground(body, free);
        };
        let is_slow = free.velocity.length() < f64::from(self.config.sleep_speed);
        if sleep.is_some_and(Sleep::is_asleep) || is_slow && last.contact != Vec3::ZERO {
            return Motion::STILL;
        }
        Motion {
            acceleration: free.acceleration + last.contact.as_dvec3(),
            ..free
        }
    }

    /// Whether a step has found the accelerations of a body.
    fn has_stepped(&self, entity: Entity) -> bool {
        let body = self.bodies.index_of(entity);
        body.is_some_and(|i| self.bodies.is_dynamic(i) && !self.bodies.is_fresh(i))
    }

    /// How a body would go on without contacts. A part has the velocity of its body there: v + ω × r.
    fn free_motion(&self, body: &Body) -> Motion {
        let (mover, arm) = body.mover();
        let Ok((velocity, spin, acceleration, scale, force, mass, _)) = self.motions.get(mover)
        else {
            return Motion::STILL;
        };
        let stepped = acceleration.filter(|_| self.has_stepped(mover));
        let acceleration = match (body.kind, stepped) {
            (RigidBody::Static, _) => return Motion::STILL,
            (RigidBody::Kinematic, _) => Vec3::ZERO,
            (RigidBody::Dynamic, Some(last)) => last.field,
            (RigidBody::Dynamic, None) => {
                let force = force.zip(mass).map(|(force, mass)| force.0 / mass.0);
                let scale = scale.copied().unwrap_or_default();
                self.gravity.0 * scale.0 + force.unwrap_or_default()
            }
        };
        let spin = spin.map_or(DVec3::ZERO, |spin| spin.0.as_dvec3());
        let motion = Motion {
            velocity: velocity.0.as_dvec3() + spin.cross(arm.as_dvec3()),
            acceleration: acceleration.as_dvec3(),
        };
        motion.finite_or_still()
    }

    /// The motion of a body that no step has laid on its ground yet.
    fn on_ground(&self, body: &Body, motion: Motion) -> Motion {
        let course = Course {
            x: body.position.as_dvec3(),
            velocity: motion.velocity,
            acceleration: motion.acceleration,
        };
        let mut cast = FlightCast::new(Round::of(body), course);
        let resting = f64::from(self.config.resting_speed);
        let near = self.near(cast.bounds((0.0, 0.0)));
        for ground in near.filter(|ground| !ground.kind.is_dynamic()) {
            cast.lie_on(&ground, self.motion(&ground), resting);
        }
        cast.motion()
    }
}
