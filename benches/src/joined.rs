//! Worlds of bodies with ball joints: a pendulum, chains, nets, a bridge, and ragdolls.

use std::f32::consts::PI;

use bevy::math::{Quat, Vec3};

use crate::scene::{BallJoint, Body, DENSITY, HalfSpace, Material, Scene, Shape, TurnLimits};

/// Which world.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Links of 0.2 m that start level and swing, with 50,000 times the mass of a link at the end
    Pendulum,
    /// 32 capsules of 1 m that start level, with a ball of 2 m radius at the end
    BallAndChain,
    /// Balls in a square grid, each joined to its neighbours, that hangs from the middle of its upper edge
    Grid,
    /// 200 planks, each joined to the next one at two points, between two banks
    Bridge,
    /// A net of 30 × 30 balls that hangs from its corners, with a ball of 200 times their mass in it
    Net,
    /// Ragdolls of 14 bodies that fall on each other
    Dolls,
}

impl Joined {
    /// The world. `size` is the side of the grid, the number of ragdolls, or that of the pendulum's links.
    pub fn scene(self, size: usize) -> Scene {
        match self {
            Self::Pendulum => pendulum(size),
            Self::BallAndChain => ball_and_chain(),
            Self::Grid => grid(size),
            Self::Bridge => bridge(),
            Self::Net => net(),
            Self::Dolls => dolls(size),
        }
    }
}

/// Builds a scene.
#[derive(Default)]
struct Builder {
    bodies: Vec<Body>,
    joints: Vec<BallJoint>,
}

impl Builder {
    fn add(&mut self, shape: Shape, position: Vec3, rotation: Quat) -> usize {
        self.bodies.push(Body {
            shape,
            position,
            rotation,
            velocity: Vec3::ZERO,
        });
        self.bodies.len() - 1
    }

    fn ball(&mut self, radius: f32, density: f32, position: Vec3) -> usize {
        let shape = Shape {
            radius,
            length: 0.0,
            density,
        };
        self.add(shape, position, Quat::IDENTITY)
    }

    /// A capsule whose ends are at these points.
    fn capsule(&mut self, radius: f32, from: Vec3, to: Vec3) -> usize {
        let along = to - from;
        let shape = Shape {
            radius,
            length: (along.length() - 2.0 * radius).max(0.05),
            density: DENSITY,
        };
        let rotation = Quat::from_rotation_arc(Vec3::Y, along.normalize());
        self.add(shape, 0.5 * (from + to), rotation)
    }

    fn join(&mut self, a: Option<usize>, b: usize, point: Vec3) {
        self.joints.push(BallJoint {
            a,
            b,
            point,
            limits: None,
        });
    }

    fn scene(self, half_spaces: Vec<HalfSpace>) -> Scene {
        Scene {
            half_spaces,
            prefers_boxes: true,
            mesh: None,
            material: Material {
                friction: 0.5,
                restitution: 0.0,
            },
            may_sleep: true,
            bodies: self.bodies,
            joints: self.joints,
        }
    }
}

fn pendulum(links: usize) -> Scene {
    const LENGTH: f32 = 0.2;
    let mut world = Builder::default();
    let mut last = None;
    for k in 0..links {
        let from = Vec3::X * (LENGTH * k as f32);
        let link = world.capsule(0.03, from, from + Vec3::X * LENGTH);
        world.join(last, link, from);
        last = Some(link);
    }
    let end = Vec3::X * (LENGTH * links as f32);
    let link = world.bodies[0].shape;
    let ball = 0.5;
    let density = 5e4 * link.density * link.volume() / (4.0 / 3.0 * PI * ball * ball * ball);
    let ball = world.ball(ball, density, end + Vec3::X * ball);
    world.join(last, ball, end);
    world.scene(Vec::new())
}

fn ball_and_chain() -> Scene {
    const LINKS: usize = 32;
    let mut world = Builder::default();
    let mut last = None;
    for k in 0..LINKS {
        let from = Vec3::X * k as f32;
        let link = world.capsule(0.125, from, from + Vec3::X);
        world.join(last, link, from);
        last = Some(link);
    }
    let end = Vec3::X * LINKS as f32;
    let ball = world.ball(2.0, DENSITY, end + 2.0 * Vec3::X);
    world.join(last, ball, end);
    world.scene(Vec::new())
}

fn grid(side: usize) -> Scene {
    let mut world = Builder::default();
    for row in 0..side {
        for column in 0..side {
            let at = Vec3::new(column as f32, -(row as f32), 0.0);
            let ball = world.ball(0.4, DENSITY, at);
            if column > 0 {
                world.join(Some(ball - 1), ball, at - 0.5 * Vec3::X);
            }
            if row > 0 {
                world.join(Some(ball - side), ball, at + 0.5 * Vec3::Y);
            } else if column.abs_diff(side / 2) <= 3 {
                world.join(None, ball, at);
            }
        }
    }
    world.scene(Vec::new())
}

fn bridge() -> Scene {
    const PLANKS: usize = 200;
    const WIDTH: f32 = 0.3;
    let sides = [-1.0, 1.0].map(|side| side * Vec3::Z);
    let mut world = Builder::default();
    let mut last = None;
    for k in 0..=PLANKS {
        let at = Vec3::X * (WIDTH * k as f32);
        let plank = (k < PLANKS).then(|| {
            let middle = at + 0.5 * WIDTH * Vec3::X;
            world.capsule(0.12, middle - 1.5 * Vec3::Z, middle + 1.5 * Vec3::Z)
        });
        for side in sides {
            let (a, b) = if plank.is_some() {
                (last, plank)
            } else {
                (None, last)
            };
            if let Some(b) = b {
                world.join(a, b, at + side);
            }
        }
        last = plank;
    }
    world.scene(Vec::new())
}

fn net() -> Scene {
    const SIDE: usize = 30;
    const SPACE: f32 = 0.3;
    let mut world = Builder::default();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = SPACE * Vec3::new(column as f32, 0.0, row as f32);
            let ball = world.ball(0.1, DENSITY, at);
            if column > 0 {
                world.join(Some(ball - 1), ball, at - 0.5 * SPACE * Vec3::X);
            }
            if row > 0 {
                world.join(Some(ball - SIDE), ball, at - 0.5 * SPACE * Vec3::Z);
            }
            if [0, SIDE - 1].contains(&row) && [0, SIDE - 1].contains(&column) {
                world.join(None, ball, at);
            }
        }
    }
    let middle = 0.5 * SPACE * (SIDE - 1) as f32;
    let at = Vec3::new(middle, 0.8, middle);
    world.ball(0.5, 200.0 * 0.008 * DENSITY, at);
    world.scene(Vec::new())
}

fn dolls(count: usize) -> Scene {
    let mut world = Builder::default();
    for k in 0..count {
        let (column, row, layer) = (k % 4, k / 4 % 4, k / 16);
        let x = 1.6 * (column as f32 - 1.5) + 0.3 * (layer % 2) as f32;
        let z = 0.8 * (row as f32 - 1.5) + 0.2 * (layer % 3) as f32;
        doll(&mut world, Vec3::new(x, 1.3 + 2.1 * layer as f32, z));
    }
    world.scene(vec![HalfSpace {
        normal: Vec3::Y,
        point: Vec3::ZERO,
    }])
}

/// A pelvis, two parts of the trunk, a head, two arms of two parts, and two legs of three: fourteen bodies. Everything turns within limits.
fn doll(world: &mut Builder, at: Vec3) {
    let p = |x: f32, y: f32| at + Vec3::new(x, y, 0.0);
    let join = |world: &mut Builder, a, b, point, axis, swing, twist| {
        world.joints.push(BallJoint {
            a: Some(a),
            b,
            point,
            limits: Some(TurnLimits { axis, swing, twist }),
        });
    };
    let pelvis = world.capsule(0.09, p(-0.15, 0.0), p(0.15, 0.0));
    let belly = world.capsule(0.1, p(-0.13, 0.17), p(0.13, 0.17));
    let chest = world.capsule(0.12, p(-0.17, 0.4), p(0.17, 0.4));
    let head = world.capsule(0.1, p(0.0, 0.58), p(0.0, 0.83));
    join(world, pelvis, belly, p(0.0, 0.085), Vec3::Y, 0.4, 0.3);
    join(world, belly, chest, p(0.0, 0.28), Vec3::Y, 0.4, 0.3);
    join(world, chest, head, p(0.0, 0.55), Vec3::Y, 0.6, 0.8);
    for side in [-1.0, 1.0] {
        let out = side * Vec3::X;
        let arm = world.capsule(0.05, p(0.2 * side, 0.42), p(0.48 * side, 0.42));
        let forearm = world.capsule(0.045, p(0.48 * side, 0.42), p(0.76 * side, 0.42));
        let thigh = world.capsule(0.07, p(0.1 * side, -0.06), p(0.1 * side, -0.47));
        let shin = world.capsule(0.055, p(0.1 * side, -0.47), p(0.1 * side, -0.9));
        let heel = p(0.1 * side, -0.92);
        let foot = world.capsule(0.05, heel - 0.05 * Vec3::Z, heel + 0.2 * Vec3::Z);
        join(world, chest, arm, p(0.2 * side, 0.42), out, 1.3, 0.8);
        join(world, arm, forearm, p(0.48 * side, 0.42), out, 1.2, 0.6);
        join(
            world,
            pelvis,
            thigh,
            p(0.1 * side, -0.06),
            Vec3::NEG_Y,
            1.0,
            0.5,
        );
        join(
            world,
            thigh,
            shin,
            p(0.1 * side, -0.47),
            Vec3::NEG_Y,
            1.2,
            0.3,
        );
        join(
            world,
            shin,
            foot,
            p(0.1 * side, -0.9),
            Vec3::NEG_Y,
            0.4,
            0.3,
        );
    }
}
