//! The same scenes far from the origin, and with everything in motion.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

/// A closed box of width 2 m around `centre`, with 60 balls of this `radius` over its floor. All of it moves with `velocity`.
fn closed_box(centre: Vec3, velocity: Vec3, radius: f32, gravity: bool) -> (App, Vec<Entity>) {
    let mut app = if gravity {
        app_with_gravity(60.0)
    } else {
        app(60.0)
    };
    let material = (Friction(0.3), Restitution(0.2));
    for side in [Vec3::X, Vec3::Y, Vec3::Z] {
        for side in [side, -side] {
            let place = Transform::from_translation(centre - side * 10.0 * radius);
            let wall = (Plane::new(side), material, place);
            if velocity == Vec3::ZERO {
                app.world_mut().spawn(wall);
            } else {
                app.world_mut()
                    .spawn((wall, RigidBody::Kinematic, LinearVelocity(velocity)));
            }
        }
    }
    let balls = (0..60)
        .map(|i| {
            let at = Vec3::new((i % 4) as f32 - 1.5, (i / 16) as f32 - 1.5, (i / 4 % 4) as f32 - 1.5);
            let aside = Vec3::new(0.05, 0.0, 0.03) * (i % 3) as f32;
            let place = centre + (at * 2.3 + aside) * radius;
            app.world_mut()
                .spawn((
                    Particle::new(radius),
                    material,
                    LinearVelocity(velocity),
                    Transform::from_translation(place),
                ))
                .id()
        })
        .collect();
    (app, balls)
}

#[test]
fn far_boxes_keep_their_balls() {
    for (distance, radius) in [(0.0, 0.1), (0.0, 1.0), (1e3f32, 0.1f32), (1e4, 0.5), (1e4, 1.0), (1e4, 0.1)] {
        for v in [0.0, 100.0] {
            let centre = Vec3::new(distance, 0.6 * distance, -0.3 * distance);
            let velocity = Vec3::new(0.8, 0.0, 0.6) * v;
            let (mut app, balls) = closed_box(centre, velocity, radius, true);
            let mut worst = 0f32;
            let mut moved = 0f32;
            let mut before = Vec::new();
            for step in 0..900 {
                app.update();
                let centre = centre + velocity * (step + 1) as f32 / 60.0;
                for &ball in &balls {
                    let off = (position(&app, ball) - centre).abs().max_element();
                    worst = worst.max((off - 9.0 * radius) / radius);
                }
                if step == 599 {
                    before = balls.iter().map(|&b| position(&app, b) - centre).collect();
                }
                if step == 899 {
                    for (&b, x) in balls.iter().zip(&before) {
                        moved = moved.max((position(&app, b) - centre).distance(*x) / radius);
                    }
                }
            }
            let mut q = app.world_mut().query::<(&Plane, &Transform)>();
            let walls = q.iter(app.world()).map(|(p, t)| ((t.translation - centre - velocity * 15.0).dot(p.normal) + 10.0 * radius) / radius).fold(0f32, |m, x| m.max(x.abs()));
            let mut q = app.world_mut().query::<&Sleep>();
            let awake = q.iter(app.world()).filter(|s| !s.is_asleep()).count();
            eprint!("walls off {walls} r, awake {awake}: ");
            let far = messages::<BadInput>(&app).len();
            eprintln!("FAR {distance} r {radius} v {v}: worst {worst} r outside, moved {moved} r in the last 5 s, told {far}");
        }
    }
}
