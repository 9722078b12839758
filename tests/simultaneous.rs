//! Impacts at the same moment: symmetry, Newton's cradle, energy and momentum, all at once.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

const RADIUS: f32 = 0.028575;

fn elastic_ball(app: &mut App, x: Vec3, v: Vec3) -> Entity {
    app.world_mut()
        .spawn((
            Particle::new(RADIUS),
            Mass(0.17),
            Restitution(1.0),
            Friction(0.0),
            Transform::from_translation(x),
            LinearVelocity(v),
        ))
        .id()
}

#[test]
fn newtons_cradle_sends_out_as_many_as_come_in() {
    for coming in 1..=4 {
        let mut app = app(60.0);
        let balls: Vec<_> = (0..5)
            .map(|i| {
                let comes = i < coming;
                let x = 2.0 * RADIUS * i as f32 - if comes { 0.1 } else { 0.0 };
                let v = if comes { Vec3::X } else { Vec3::ZERO };
                elastic_ball(&mut app, Vec3::X * x, v)
            })
            .collect();
        steps(&mut app, 30);
        for (i, &ball) in balls.iter().enumerate() {
            let leaves = i >= 5 - coming;
            let expected = if leaves { 1.0 } else { 0.0 };
            let case = format!("ball {i} of a cradle that {coming} come into");
            assert_near(&case, velocity(&app, ball).x.into(), expected, 1e-3);
        }
    }
}

/// A rack of fifteen touching balls and a cue ball that comes in at its apex at `speed`; ball and mirror ball in pairs.
fn break_shot(hz: f64, speed: f32) -> (App, Vec<(Entity, Entity)>) {
    let mut app = app(hz);
    let mut pairs = Vec::new();
    for row in 0..5 {
        let balls: Vec<_> = (0..=row)
            .map(|place| {
                let x = row as f32 * RADIUS * 3f32.sqrt();
                let z = (2 * place - row) as f32 * RADIUS;
                elastic_ball(&mut app, Vec3::new(x, 0.0, z), Vec3::ZERO)
            })
            .collect();
        pairs.extend(balls.iter().copied().zip(balls.iter().rev().copied()));
    }
    let cue = elastic_ball(&mut app, Vec3::NEG_X * 0.3, Vec3::X * speed);
    pairs.push((cue, cue));
    (app, pairs)
}

#[test]
fn a_symmetric_break_stays_symmetric() {
    for hz in [60.0, 240.0] {
        let (mut app, pairs) = break_shot(hz, 10.0);
        let start = measure(&mut app);
        steps(&mut app, (0.3 * hz) as usize);
        let end = measure(&mut app);
        for (ball, mirror) in pairs {
            let (x, y) = (position(&app, ball), position(&app, mirror));
            let off = (x - Vec3::new(y.x, y.y, -y.z)).length() / RADIUS;
            assert_near(
                "distance from the mirror image, in radii",
                off.into(),
                0.0,
                1e-3,
            );
        }
        assert_near("energy", end.energy() / start.energy(), 1.0, 1e-5);
        let off = (end.momentum - start.momentum).length() / start.momentum.length();
        assert_near("momentum", off, 0.0, 1e-5);
    }
}

#[test]
fn a_break_does_not_depend_on_the_rate() {
    // 50 ms after the cue ball, 0.3 m less two radii away, has met the rack.
    let velocities = |hz: f64| {
        let (mut app, pairs) = break_shot(hz, 10.0);
        let contact = f64::from(0.3 - 2.0 * RADIUS) / 10.0;
        steps(&mut app, ((contact + 0.05) * hz).round() as usize);
        pairs
            .iter()
            .map(|&(ball, _)| velocity(&app, ball))
            .collect::<Vec<_>>()
    };
    let fast = velocities(240.0);
    for hz in [30.0, 60.0] {
        for (slow, fast) in velocities(hz).into_iter().zip(&fast) {
            let off = slow.distance(*fast);
            let tolerance = 0.01 * f64::from(fast.length().max(0.1));
            assert_near(&format!("velocity at {hz} Hz"), off.into(), 0.0, tolerance);
        }
    }
}

#[test]
fn collisions_between_a_wall_and_two_balls_spell_pi() {
    // G. Galperin, Playing pool with π, 2003: with masses 1 : 100^k there are ⌊10^k·π⌋ collisions.
    for (digits, expected) in [(1, 3), (2, 31), (3, 314), (4, 3141)] {
        let mut app = app(60.0);
        app.insert_resource(CollisionConfig {
            resting_speed: 0.0,
            impacts_per_body: u32::MAX,
            impacts_per_substep: 1e6,
            ..default()
        });
        app.world_mut()
            .spawn((Plane::new(Vec3::X), Restitution(1.0), Friction(0.0)));
        let mut ball = |x: f32, mass: f32, v: f32| {
            app.world_mut().spawn((
                Particle::new(0.1),
                Mass(mass),
                Restitution(1.0),
                Friction(0.0),
                Transform::from_xyz(x, 0.0, 0.0),
                LinearVelocity(Vec3::X * v),
            ));
        };
        ball(0.5, 1.0, 0.0);
        ball(1.0, 100f32.powi(digits - 1), -1.0);
        let mut collisions = 0;
        for _ in 0..600 {
            app.update();
            collisions += messages::<Impact>(&app).len();
        }
        assert_eq!(collisions, expected, "{digits} digits");
    }
}
