//! Rays go down on a ball that lies on a floor. At a distance x from its middle they meet it at the height r + √(r² − x²), and
//! beside it they meet the floor. Then a second ball is let down: it touches the first one where the centres are r + R apart.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example queries
//! ```

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.5;
const SECOND_RADIUS: f32 = 0.3;
const START: f32 = 5.0;

fn main() {
    let mut app = App::new();
    app.add_plugins(ImpulseCollidePlugin { interpolate: false });
    app.world_mut()
        .spawn((Name::new("floor"), Plane::new(Vec3::Y)));
    app.world_mut().spawn((
        Name::new("ball"),
        Particle::new(RADIUS),
        Transform::from_xyz(0.0, RADIUS, 0.0),
    ));
    // No step has been made: a query sees the components as they are.
    app.world_mut()
        .run_system_once(look_down)
        .expect("the plugin is there");
}

fn look_down(query: SpatialQuery, names: Query<&Name>) {
    let all = SpatialFilter::default();
    println!(" x, m   a ray meets   height, m   expected   a ball stops at, m   expected");
    for x in [0.0, 0.2, 0.4, 0.6, 0.79] {
        let start = Vec3::new(x, START, 0.0);
        let ray = Ray3d::new(start, Dir3::NEG_Y);
        let hit = query
            .cast_ray(ray, 10.0, &all)
            .expect("the floor is everywhere");
        let name = names.get(hit.entity).map_or("", |name| name.as_str());
        let expected = height(x, RADIUS).unwrap_or(0.0);

        let stop = query
            .cast_ball(SECOND_RADIUS, start, Dir3::NEG_Y, 10.0, &all)
            .expect("the floor is everywhere");
        let centre = START - stop.distance;
        let stop_expected = height(x, RADIUS + SECOND_RADIUS).unwrap_or(SECOND_RADIUS);
        let y = hit.point.y;
        println!("{x:5.2} {name:>13} {y:11.4} {expected:10.4} {centre:20.4} {stop_expected:10.4}");
    }
}

/// The height at x of a circle of this radius around the ball's centre.
fn height(x: f32, radius: f32) -> Option<f32> {
    (x < radius).then(|| RADIUS + (radius * radius - x * x).sqrt())
}
