//! A player aims a golf ball at a hole 20 m away, behind a wall, while a ball of another player rolls by. For each angle the query
//! foretells the first hit. Then the ball is struck, and the impact comes where and when it was foretold.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example aim
//! ```

use bevy::{
    ecs::system::RunSystemOnce,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

const RADIUS: f32 = 0.0213;
/// In m/s.
const SPEED: f32 = 15.0;
const HZ: f64 = 120.0;
/// Longest flight in s.
const LONGEST: f32 = 5.0;

#[derive(Component)]
struct GolfBall;

/// The first impact of the golf ball.
#[derive(Resource, Default)]
struct Landing(Option<(f64, Impact)>);

fn main() {
    println!("angle  foretold: it hits   after, s     at x, m   happens: after, s     at x, m");
    for degrees in [10.0, 20.0, 30.0, 45.0, 60.0] {
        let mut app = course();
        let aim = move |golf_ball: Single<Entity, With<GolfBall>>, flights: FlightQuery| {
            let now = flights.flight_of(*golf_ball)?;
            let angle = f32::to_radians(degrees);
            let shot = Flight {
                velocity: Vec3::new(angle.cos(), angle.sin(), 0.0) * SPEED,
                ..now
            };
            let filter = SpatialFilter::default();
            let hit = flights.cast_thrown(*golf_ball, &shot, LONGEST, &filter)?;
            Some((shot, hit))
        };
        let world = app.world_mut();
        let foretold = world.run_system_once(aim).expect("the plugin is there");
        let (shot, hit) = foretold.expect("the ground is everywhere");
        let strike = move |mut velocity: Single<&mut LinearVelocity, With<GolfBall>>| {
            velocity.0 = shot.velocity
        };
        world.run_system_once(strike).expect("there is a golf ball");
        while app.world().resource::<Landing>().0.is_none() {
            app.update();
        }
        let name = app.world().get::<Name>(hit.entity);
        let name = name.map_or("", |name| name.as_str());
        let Some((time, impact)) = app.world().resource::<Landing>().0 else {
            continue;
        };
        println!(
            "{degrees:4}° {name:>18} {:10.4} {:11.4} {time:20.4} {:11.4}",
            hit.time, hit.point.x, impact.point.x
        );
    }
}

fn course() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(HZ))
        .init_resource::<Landing>()
        .add_systems(FixedPostUpdate, land.after(ImpulseSystems::WriteBack));
    let world = app.world_mut();
    world.spawn((Name::new("ground"), Plane::new(Vec3::Y)));
    world.spawn((
        Name::new("wall"),
        Collider::cuboid(0.5, 3.0, 10.0),
        Transform::from_xyz(10.0, 1.5, 0.0),
    ));
    world.spawn((
        Name::new("other ball"),
        Particle::new(0.5),
        Friction(0.0),
        LinearVelocity(Vec3::new(0.0, 0.0, -2.0)),
        Transform::from_xyz(19.86, 0.5, 5.3),
    ));
    world.spawn((
        GolfBall,
        Particle::new(RADIUS),
        Transform::from_xyz(0.0, RADIUS, 0.0),
    ));
    // The clock starts: no time passes in the first update.
    app.update();
    app
}

/// Keeps the first impact of the golf ball, and the seconds from the strike to it.
fn land(
    golf_ball: Single<Entity, With<GolfBall>>,
    mut impacts: MessageReader<Impact>,
    time: Res<Time>,
    mut landing: ResMut<Landing>,
) {
    let of_ball = impacts.read().find(|it| it.other(*golf_ball).is_some());
    if let (None, Some(&impact)) = (landing.0, of_ball) {
        let start = time.elapsed_secs_f64() - time.delta_secs_f64();
        landing.0 = Some((start + f64::from(impact.time), impact));
    }
}
