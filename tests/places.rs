//! What happens in a place does not depend on what is elsewhere.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

/// What is far away from the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Elsewhere {
    Nothing,
    /// Pairs of balls that touch and float.
    Pairs(u32),
    /// A heap of balls.
    Balls(u32),
    GrowingCapsule,
    HeavyBody,
    Belt,
    Mesh,
    Kinematic,
    Compound,
}

const ELSEWHERE: [Elsewhere; 8] = [
    Elsewhere::Pairs(100),
    Elsewhere::Balls(600),
    Elsewhere::GrowingCapsule,
    Elsewhere::HeavyBody,
    Elsewhere::Belt,
    Elsewhere::Mesh,
    Elsewhere::Kinematic,
    Elsewhere::Compound,
];

/// A place 300 m away.
const FAR: Vec3 = Vec3::new(300.0, 0.0, 0.0);

impl Elsewhere {
    fn spawn(self, world: &mut World) {
        // It does not meet the walls of the column's shaft.
        let far = CollisionLayers::new(LayerMask::DEFAULT, LayerMask::DEFAULT);
        let at = |x: f32, y: f32, z: f32| Transform::from_translation(FAR + Vec3::new(x, y, z));
        match self {
            Self::Nothing => {}
            Self::Pairs(count) => {
                for i in 0..count {
                    let x = i as f32;
                    for y in [15.0, 15.2] {
                        world.spawn((far, Particle::new(0.1), GravityScale(0.0), at(x, y, 0.0)));
                    }
                }
            }
            Self::Balls(count) => {
                for i in 0..count {
                    let (x, y, z) = (i % 30, i / 900, i / 30 % 30);
                    let place = Vec3::new(x as f32, y as f32, z as f32) * 0.21;
                    let place = FAR + place + Vec3::Y * (0.11 + 0.01 * (i % 7) as f32);
                    world.spawn((far, Particle::new(0.1), Transform::from_translation(place)));
                }
            }
            Self::GrowingCapsule => {
                world.spawn((
                    far,
                    Capsule::new(0.2, 0.5),
                    Mass(1.0),
                    Growth::new(0.01, 1.0),
                    GravityScale(0.0),
                    at(0.0, 5.0, 0.0),
                ));
            }
            Self::HeavyBody => {
                for (y, mass) in [(0.1, 1.0), (0.3, 1e5)] {
                    world.spawn((far, Particle::new(0.1), Mass(mass), at(0.0, y, 0.0)));
                }
            }
            Self::Belt => {
                world.spawn((
                    far,
                    Collider::cuboid(2.0, 1.0, 2.0),
                    SurfaceVelocity(Vec3::X),
                    at(0.0, 0.5, 0.0),
                ));
                world.spawn((far, Particle::new(0.1), at(0.0, 1.1, 0.0)));
            }
            Self::Mesh => {
                let vertices = [Vec3::ZERO, Vec3::Z, Vec3::X].map(|v| v * 5.0 + FAR + Vec3::Y);
                world.spawn((
                    far,
                    Collider::trimesh(vertices, [[0, 1, 2]], MeshSides::Two),
                ));
                world.spawn((far, Particle::new(0.1), at(1.0, 1.2, 1.0)));
            }
            Self::Kinematic => {
                world.spawn((
                    far,
                    Collider::cuboid(1.0, 1.0, 1.0),
                    RigidBody::Kinematic,
                    LinearVelocity(Vec3::X * 0.1),
                    at(0.0, 0.6, 0.0),
                ));
                world.spawn((far, Particle::new(0.1), at(0.0, 1.2, 0.0)));
            }
            Self::Compound => {
                let part = |x: f32| (far, Particle::new(0.1), Transform::from_xyz(x, 0.0, 0.0));
                world.spawn((
                    Compound,
                    at(0.0, 0.3, 0.0),
                    children![part(-0.1), part(0.2)],
                ));
            }
        }
    }
}

/// A column of five balls of 0.5 m and 1 kg in a shaft, and a ball of this mass on it.
fn column(world: &mut World, mass: f32) -> Vec<Entity> {
    tall_column(world, 5, mass)
}

/// The same with any number of balls.
fn tall_column(world: &mut World, count: usize, mass: f32) -> Vec<Entity> {
    let walls = [
        (Vec3::Y, 0.0),
        (Vec3::X, -0.5),
        (Vec3::NEG_X, -0.5),
        (Vec3::Z, -0.5),
        (Vec3::NEG_Z, -0.5),
    ];
    for (normal, distance) in walls {
        let place = Transform::from_translation(normal * distance);
        let is_floor = normal == Vec3::Y;
        let layer = LayerMask(if is_floor { 1 } else { 2 });
        let layers = CollisionLayers::new(layer, LayerMask::ALL);
        world.spawn((Plane::new(normal), layers, place));
    }
    (0..=count)
        .map(|i| {
            let mass = if i == count { mass } else { 1.0 };
            let place = Transform::from_xyz(0.0, 0.5 + i as f32, 0.0);
            world.spawn((Particle::new(0.5), Mass(mass), place)).id()
        })
        .collect()
}

/// A light, long rod that is jammed between heavy bodies that it overlaps, with high friction: sweeps over its contacts diverge.
fn jammed_rod(world: &mut World) -> Vec<Entity> {
    // Far from the column, and it meets nothing else.
    let own = CollisionLayers::new(LayerMask(4), LayerMask(4));
    let at = |x: f32, y: f32, z: f32| Transform::from_xyz(x, 5.0 + y, z);
    let turned = |x, y, z, w| Quat::from_xyzw(x, y, z, w).normalize();
    let free = (own, GravityScale(0.0));
    let rod = (Capsule::new(0.04, 0.77), Mass(0.016), Friction(10.0));
    let rod_place =
        at(-0.0604, 0.0118, 0.0562).with_rotation(turned(0.5763, 0.4238, 0.0452, -0.6973));
    let heavy = (
        Capsule::new(0.075, 0.77),
        Mass(47.0),
        LinearVelocity(Vec3::new(8.8, 52.0, -6.0)),
    );
    let heavy_place =
        at(0.0859, 0.0194, -0.0786).with_rotation(turned(0.105, 0.401, -0.9053, 0.0926));
    let short = (
        Capsule::new(0.014, 0.29),
        Mass(1.0),
        LinearVelocity(Vec3::new(46.0, -53.0, -39.0)),
    );
    let small = (
        Particle::new(0.0025),
        Mass(1.0),
        LinearVelocity(Vec3::new(13.0, 44.0, -27.0)),
    );
    let rest = (Particle::new(0.0038), Mass(1.0));
    vec![
        world.spawn((rest, free, at(0.0565, 0.07, -0.0733))).id(),
        world.spawn((rod, free, rod_place)).id(),
        world.spawn((heavy, free, heavy_place)).id(),
        world
            .spawn((short, free, at(-0.0461, 0.0595, -0.0167)))
            .id(),
        world
            .spawn((small, free, at(-0.011, -0.00718, -0.0437)))
            .id(),
    ]
}

/// Balls that a kinematic plate presses together, and then leaves alone.
fn press(world: &mut World) -> Vec<Entity> {
    let plate = (
        Collider::cuboid(1.0, 0.2, 1.0),
        RigidBody::Kinematic,
        LinearVelocity(Vec3::NEG_Y * 0.05),
    );
    world.spawn((plate, Transform::from_xyz(0.0, 0.9, 0.0)));
    world.spawn(Plane::new(Vec3::Y));
    (0..3)
        .map(|i| {
            let place = Transform::from_xyz(0.01 * i as f32, 0.1 + 0.2 * i as f32, 0.0);
            world.spawn((Particle::new(0.1), Mass(1.0), place)).id()
        })
        .collect()
}

/// Two columns that come to rest and sleep: balls of the same mass, and balls under a heavy one.
fn resting(world: &mut World) -> Vec<Entity> {
    world.spawn(Plane::new(Vec3::Y));
    let mut bodies = Vec::new();
    for (x, most) in [(0.0, 1.0), (2.0, 500.0)] {
        for i in 0..4 {
            let mass = if i == 3 { most } else { 1.0 };
            let place = Transform::from_xyz(x, 0.1 + 0.201 * i as f32, 0.0);
            bodies.push(world.spawn((Particle::new(0.1), Mass(mass), place)).id());
        }
    }
    bodies
}

/// The ends of a scene after 5 s beside what is elsewhere.
fn ends(scene: impl Fn(&mut World) -> Vec<Entity>, elsewhere: Elsewhere) -> Vec<Vec3> {
    let mut app = app_with_gravity(60.0);
    let bodies = scene(app.world_mut());
    elsewhere.spawn(app.world_mut());
    steps(&mut app, 300);
    bodies.iter().map(|&body| position(&app, body)).collect()
}

/// A scene ends in the same bits alone and beside anything that is far away. The order in which contacts are solved may depend on
/// what else there is; these scenes do not feel it.
#[test]
fn a_scene_ends_the_same_whatever_is_elsewhere() {
    let scenes: [(&str, fn(&mut World) -> Vec<Entity>); 5] = [
        ("column under 1,000 times the mass", |world| {
            column(world, 1e3)
        }),
        ("column under 10,000 times the mass", |world| {
            column(world, 1e4)
        }),
        ("jammed rod", jammed_rod),
        ("press", press),
        ("resting columns", resting),
    ];
    for (name, scene) in scenes {
        let alone = ends(scene, Elsewhere::Nothing);
        for elsewhere in ELSEWHERE {
            let beside = ends(scene, elsewhere);
            assert_eq!(alone, beside, "{name} beside {elsewhere:?}");
        }
    }
}

/// A ball that is much heavier stands on a column in a shaft, also on one of many contacts, and beside a heap of 10,000 balls.
#[test]
fn a_heavy_ball_stands_on_a_column_whatever_is_elsewhere() {
    for (count, mass, most, elsewhere) in [
        (5, 1e3, 1e-3, Elsewhere::Nothing),
        (5, 1e3, 1e-3, Elsewhere::Pairs(100)),
        (5, 1e4, 1e-3, Elsewhere::Pairs(100)),
        (20, 1e3, 1e-3, Elsewhere::Pairs(100)),
        (5, 1e3, 1e-3, Elsewhere::Balls(10_000)),
        (5, 1e4, 1e-3, Elsewhere::Balls(10_000)),
    ] {
        let mut app = app_with_gravity(60.0);
        let balls = tall_column(app.world_mut(), count, mass);
        elsewhere.spawn(app.world_mut());
        let seconds = if elsewhere == Elsewhere::Balls(10_000) {
            2
        } else {
            10
        };
        let top = 0.5 + count as f32;
        for _ in 0..60 * seconds {
            app.update();
            let sunk = (top - position(&app, balls[count]).y) / 0.5;
            assert!(
                sunk < most,
                "{mass} kg on {count} beside {elsewhere:?}: sunk by {sunk} radii"
            );
        }
    }
}

/// The island of the heavy ball is larger than any group that is solved at once, but its load goes straight to the floor: it stands.
#[test]
fn a_heavy_ball_stands_on_a_carpet_of_balls() {
    let mut app = awake(60.0);
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(0.5)));
    for i in 0..900 {
        let (x, z) = (i % 30 - 15, i / 30 - 15);
        let place = Transform::from_xyz(0.2 * x as f32, 0.1, 0.2 * z as f32);
        world.spawn((Particle::new(0.1), Mass(1.0), Friction(0.5), place));
    }
    let heavy = (Particle::new(0.1), Mass(1e3), Friction(0.5));
    let heavy = world
        .spawn((heavy, Transform::from_xyz(0.0, 0.3, 0.0)))
        .id();
    for _ in 0..60 {
        app.update();
        let sunk = (0.3 - position(&app, heavy).y) / 0.1;
        assert!(sunk < 1e-3, "sunk by {sunk} radii");
    }
}
