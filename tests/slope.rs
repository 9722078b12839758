//! Static friction: a body on a slope stays where it lies, or slides as Coulomb says.

use std::ops::Range;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

/// A body on a slope.
#[derive(Clone, Debug)]
struct OnSlope {
    /// Length of a capsule's segment in radii; zero for a ball.
    length: f32,
    /// Angle between the segment and the direction down the slope.
    yaw: f32,
    mass: f32,
    friction: f32,
    /// Tangent of the slope's angle, as a part of the friction.
    slope: f32,
    hz: f64,
}

const RADIUS: f32 = 0.1;
const G: f32 = 9.81;

fn on_slope(
    lengths: Range<f32>,
    yaws: Range<f32>,
    slopes: Range<f32>,
) -> impl Strategy<Value = OnSlope> {
    let hz = prop_oneof![Just(30.0), Just(60.0), Just(240.0)];
    let exponent = -3.0..3.0f32;
    (lengths, yaws, exponent, 0.05..1.0f32, slopes, hz).prop_map(
        |(length, yaw, exponent, friction, slope, hz)| OnSlope {
            length,
            yaw,
            mass: 10f32.powf(exponent),
            friction,
            slope,
            hz,
        },
    )
}

impl OnSlope {
    fn angle(&self) -> f32 {
        (self.slope * self.friction).atan()
    }

    fn down(&self) -> Vec3 {
        Vec3::new(self.angle().cos(), -self.angle().sin(), 0.0)
    }

    fn spawn(&self, rolling: f32) -> (App, Entity) {
        let mut app = awake(self.hz);
        let normal = Vec3::new(self.angle().sin(), self.angle().cos(), 0.0);
        let axis = self.down() * self.yaw.cos() + Vec3::Z * self.yaw.sin();
        let material = (
            Friction(self.friction),
            Restitution(0.0),
            RollingFriction(rolling),
        );
        let world = app.world_mut();
        world.spawn((Plane::new(normal), material));
        let place = Transform::from_translation(normal * RADIUS)
            .with_rotation(Quat::from_rotation_arc(Vec3::Y, axis));
        let mut body = world.spawn((Mass(self.mass), material, place));
        if self.length > 0.0 {
            body.insert(Capsule::new(RADIUS, self.length * RADIUS));
        } else {
            body.insert(Particle::new(RADIUS));
        }
        let body = body.id();
        (app, body)
    }

    fn stays(&self, rolling: f32, first: f32) -> Result<(), TestCaseError> {
        let (mut app, body) = self.spawn(rolling);
        stays_still(&mut app, body, self.hz, first)
    }
}

/// A body moves by less than `first` radii in the first second, while its contacts find their impulses. Afterwards it moves by less
/// than 1e-4 radii in nine seconds, and shows that it is still.
fn stays_still(app: &mut App, body: Entity, hz: f64, first: f32) -> Result<(), TestCaseError> {
    let mut from = position(app, body);
    for second in 0..10 {
        steps(app, hz as usize);
        let gone = position(app, body).distance(from) / RADIUS;
        let most = if second == 0 { first } else { 1e-4 };
        prop_assert!(gone < most, "{gone:e} r after second {second}");
        let speed = velocity(app, body).length();
        prop_assert!(speed < 1e-5, "{speed:e} m/s after second {second}");
        if second == 0 {
            from = position(app, body);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..default() })]

    /// Along the slope, sliding friction holds a capsule. Without any rolling friction it would roll aside: it does
    /// not lie along the slope to the last bit.
    #[test]
    fn a_capsule_along_a_slope_stays(body in on_slope(2.0..40.0, 0.0..1e-6, 0.2..0.99)) {
        body.stays(0.05, 0.03)?;
    }

    /// Elsewhere, rolling friction must help.
    #[test]
    fn a_capsule_across_a_slope_stays(body in on_slope(2.0..40.0, 0.0..1.58, 0.2..0.9)) {
        body.stays(1.2, 0.02)?;
    }

    #[test]
    fn a_ball_with_rolling_friction_stays(body in on_slope(0.0..1e-6, 0.0..1e-6, 0.2..0.9)) {
        OnSlope { length: 0.0, ..body }.stays(1.2, 0.02)?;
    }

    /// Outside of Coulomb's cone: g·(sin α − μ·cos α).
    #[test]
    fn a_capsule_slides_as_coulomb_says(body in on_slope(4.0..40.0, 0.0..1e-6, 1.01..1.5)) {
        let (mut app, capsule) = body.spawn(0.0);
        // Its contacts find their impulses in the first steps.
        steps(&mut app, body.hz as usize / 2);
        let before = velocity(&app, capsule).dot(body.down());
        steps(&mut app, body.hz as usize);
        let gained = velocity(&app, capsule).dot(body.down()) - before;
        let expected = G * (body.angle().sin() - body.friction * body.angle().cos());
        prop_assert!((gained - expected).abs() < 1e-4 * G, "{gained} m/s², not {expected}");
    }

    /// Three planes about the vertical, each so steep that one alone could not hold the ball.
    #[test]
    fn a_ball_in_a_corner_stays(
        tilts in [0.4..1.4f32, 0.4..1.4f32, 0.4..1.4f32],
        (friction, exponent) in (0.2..1.0f32, -3.0..3.0f32),
    ) {
        let mut app = awake(60.0);
        let material = (Friction(friction), Restitution(0.0));
        for (tilt, third) in tilts.into_iter().zip(0u8..) {
            let about = f32::from(third) * std::f32::consts::TAU / 3.0;
            let normal = Vec3::new(tilt.sin() * about.cos(), tilt.cos(), tilt.sin() * about.sin());
            let place = Transform::from_translation(-normal * RADIUS);
            app.world_mut().spawn((Plane::new(normal), material, place));
        }
        let body = (Particle::new(RADIUS), Mass(10f32.powf(exponent)), material);
        let ball = app.world_mut().spawn(body).id();
        stays_still(&mut app, ball, 60.0, 5e-3)?;
    }
}

/// As long as anyone would watch.
#[test]
fn a_long_capsule_stays_for_a_hundred_seconds() {
    for (length, yaw, rolling) in [(20.0, 0.0, 0.0), (40.0, 0.8, 0.5), (20.0, 1.57, 0.5)] {
        let body = OnSlope {
            length,
            yaw,
            mass: 1.0,
            friction: 0.4,
            slope: 0.67,
            hz: 60.0,
        };
        let (mut app, capsule) = body.spawn(rolling);
        steps(&mut app, 60);
        let settled = position(&app, capsule);
        steps(&mut app, 100 * 60);
        let gone = position(&app, capsule).distance(settled) / RADIUS;
        assert!(gone < 1e-4, "{gone:e} r, {length} r, {yaw} rad");
    }
}
