//! Balls, or capsules, over a box without a lid: the scene that every engine runs.

use std::f32::consts::PI;

use bevy::math::{Quat, Vec3};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Steps per second of simulated time.
pub const HZ: f64 = 60.0;
/// In m/s², down.
pub const GRAVITY: f32 = 9.81;
/// In kg/m³.
pub const DENSITY: f32 = 1000.0;
/// Of the heaps.
const MATERIAL: Material = Material {
    friction: 0.3,
    restitution: 0.2,
};

/// In m, of bodies of one size.
const RADIUS: f32 = 0.1;
/// In m, between the centres of a capsule's half-balls, over its radius.
const LENGTH: f32 = 2.0;
/// In m, of the smallest and the largest ball if sizes differ.
const RADII: (f32, f32) = (0.005, 0.5);
/// Side of the cell that a body starts in, over the diameter of the ball that holds it.
const CELL: f32 = 1.2;
/// How far from the middle of its cell a body starts at most, on each axis, over the radius of the ball that holds it.
const JITTER: f32 = 0.1;
/// Part of the heap's space that bodies fill once they lie.
const SOLID_FRACTION: f32 = 0.6;

/// Which scene.
#[derive(clap::Args, Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct SceneKind {
    /// Capsules in random directions, twice as long between their half-balls' centres as these have radius, instead of balls
    #[arg(long)]
    pub capsules: bool,
    /// Radii from 5 mm to 0.5 m, as many in each octave, instead of 0.1 m
    #[arg(long)]
    pub polydisperse: bool,
    /// Start as a tall column over the middle of the box, and time the pour
    #[arg(long)]
    pub pour: bool,
    /// Bodies may fall asleep, as each engine decides
    #[arg(long)]
    pub sleep: bool,
    /// Floor and walls of the other engines are half-spaces too, instead of boxes: without bounds, these pair with every body
    #[arg(long)]
    pub half_spaces: bool,
    /// Floor and walls are one mesh of about this number of triangles
    #[arg(long, value_name = "TRIANGLES")]
    pub mesh: Option<u32>,
    /// The mesh goes on outside of the box with about this number of triangles of the same size, where no body is
    #[arg(long, value_name = "TRIANGLES", default_value_t = 0, requires = "mesh")]
    pub beyond: u32,
}

/// Coefficients of bodies and walls. All have the same, so that every rule that combines two values gives this value.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// Of Coulomb's law.
    pub friction: f32,
    /// Of Newton's law.
    pub restitution: f32,
}

/// A ball or a capsule. SI units.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// In m.
    pub radius: f32,
    /// Between the centres of a capsule's half-balls, which lie along local Y, in m; zero for a ball.
    pub length: f32,
    /// In kg/m³.
    pub density: f32,
}

impl Shape {
    /// Whether it is a capsule.
    pub fn is_capsule(&self) -> bool {
        self.length > 0.0
    }

    fn bounding_radius(&self) -> f32 {
        self.radius + 0.5 * self.length
    }

    /// In m³.
    pub fn volume(&self) -> f32 {
        PI * self.radius * self.radius * (4.0 / 3.0 * self.radius + self.length)
    }
}

/// A body at some time. SI units.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Shape of the body.
    pub shape: Shape,
    /// Of the centre, in m. The floor is y = 0.
    pub position: Vec3,
    /// From its own axes to the world's.
    pub rotation: Quat,
    /// In m/s.
    pub velocity: Vec3,
}

impl Body {
    /// From the centre to the centre of a capsule's upper half-ball, in m.
    pub fn half(&self) -> Vec3 {
        self.rotation * Vec3::Y * (0.5 * self.shape.length)
    }
}

/// A half-space: solid on one side of a plane.
#[derive(Clone, Copy, Debug)]
pub struct HalfSpace {
    /// Unit vector out of the solid.
    pub normal: Vec3,
    /// A point of the surface, in m.
    pub point: Vec3,
}

impl HalfSpace {
    /// Centre and half extents in m of a box that stands for it: far wider than the scene, and 2 m thick.
    pub fn thick_box(&self) -> (Vec3, Vec3) {
        let half_extents = Vec3::splat(100.0) - 99.0 * self.normal.abs();
        (self.point - self.normal, half_extents)
    }
}

/// Triangles, by the indices of their corners. They are counter-clockwise seen from where the bodies are.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// In m.
    pub vertices: Vec<Vec3>,
    /// Corners.
    pub triangles: Vec<[u32; 3]>,
    /// Of the smooth surface at the vertices, towards the bodies, if the mesh stands for one: for engines that can follow it.
    pub normals: Option<Vec<Vec3>>,
    /// Whether an engine leaves its own way with the edges between triangles off.
    pub plain_edges: bool,
}

impl Mesh {
    /// A floor and four walls, as high as twice the width, each a grid. The whole has about this number of triangles.
    fn of_open_box(width: f32, triangles: u32, beyond: u32) -> Self {
        let cells = (triangles as f32 / 18.0).sqrt().ceil().max(1.0) as u32;
        let half = 0.5 * width;
        let mut mesh = Self::default();
        let corner = Vec3::new(-half, 0.0, -half);
        mesh.add_grid(corner, Vec3::Z * width, Vec3::X * width, [cells, cells]);
        let up = Vec3::Y * (2.0 * width);
        for (x, z, along) in [
            (-half, half, Vec3::NEG_Z),
            (half, -half, Vec3::Z),
            (-half, -half, Vec3::X),
            (half, half, Vec3::NEG_X),
        ] {
            let start = Vec3::new(x, 0.0, z);
            mesh.add_grid(start, along * width, up, [cells, 2 * cells]);
        }
        // A strip of floor, as wide as the box.
        let rows = beyond / (2 * cells);
        if rows > 0 {
            let corner = Vec3::new(-half, 0.0, 1.1 * half);
            let length = width * rows as f32 / cells as f32;
            mesh.add_grid(corner, Vec3::Z * length, Vec3::X * width, [rows, cells]);
        }
        mesh
    }

    /// A rectangle of cells from a corner along two sides. Its front is where first × second leads.
    fn add_grid(&mut self, corner: Vec3, first: Vec3, second: Vec3, [n, m]: [u32; 2]) {
        let start = self.vertices.len() as u32;
        let step = |i: u32, n: u32| i as f32 / n as f32;
        let row = |j: u32| (0..=n).map(move |i| corner + first * step(i, n) + second * step(j, m));
        self.vertices.extend((0..=m).flat_map(row));
        for j in 0..m {
            for i in 0..n {
                let a = start + j * (n + 1) + i;
                let (b, c, d) = (a + 1, a + n + 1, a + n + 2);
                self.triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
}

/// The bodies as they start, and their box.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Floor and walls.
    pub half_spaces: Vec<HalfSpace>,
    /// Whether an engine shall take boxes for these, if it has any.
    pub prefers_boxes: bool,
    /// What the engines shall take instead, if it is there.
    pub mesh: Option<Mesh>,
    /// Of all surfaces.
    pub material: Material,
    /// Whether bodies may fall asleep.
    pub may_sleep: bool,
    /// At rest, clear of each other.
    pub bodies: Vec<Body>,
    /// Between the bodies.
    pub joints: Vec<BallJoint>,
}

/// A ball joint: a point of one body stays on a point of another one. These two bodies do not collide.
#[derive(Clone, Copy, Debug)]
pub struct BallJoint {
    /// The number of a body. None is the world.
    pub a: Option<usize>,
    /// The number of the other body.
    pub b: usize,
    /// Where it is at the start, in m.
    pub point: Vec3,
    /// How far it turns, if not freely.
    pub limits: Option<TurnLimits>,
}

/// How fast the turning of two limbs about each other decays in 1/s, in engines whose joints have a damping: the plugin and Avian.
/// The others lose energy in their joints without it.
pub const LIMB_DAMPING: f32 = 20.0;

/// How far a ball joint turns, from where it is at the start.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    /// The axis of its cone: a unit vector.
    pub axis: Vec3,
    /// The greatest angle in rad from it.
    pub swing: f32,
    /// The greatest turn about it in rad, to both sides.
    pub twist: f32,
}

impl BallJoint {
    /// The numbers of both bodies.
    pub fn sides(&self) -> [Option<usize>; 2] {
        [self.a, Some(self.b)]
    }

    /// Its point in the axes of each body, from its centre.
    pub fn anchors(&self, bodies: &[Body]) -> [Vec3; 2] {
        self.sides().map(|i| match i {
            Some(i) => bodies[i].rotation.inverse() * (self.point - bodies[i].position),
            None => self.point,
        })
    }

    /// The rotation of its axes in those of each body: the axis of its limits is their `along`.
    pub fn frames(&self, bodies: &[Body], along: Vec3) -> [Quat; 2] {
        let axis = self.limits.map_or(along, |limits| limits.axis);
        let turned = Quat::from_rotation_arc(along, axis);
        self.sides().map(|i| match i {
            Some(i) => bodies[i].rotation.inverse() * turned,
            None => turned,
        })
    }
}

impl Scene {
    /// The same for the same arguments. The box's width makes the settled heap 2/3 as high as wide.
    pub fn new(bodies: usize, kind: SceneKind) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut radii: Vec<f32> = if kind.polydisperse {
            let (least, most) = (RADII.0.ln(), RADII.1.ln());
            let radius = |_| rng.random_range(least..most).exp();
            (0..bodies).map(radius).collect()
        } else {
            vec![RADIUS; bodies]
        };
        radii.sort_by(|a, b| b.total_cmp(a));
        let length = if kind.capsules { LENGTH } else { 0.0 };
        let shape = |radius| Shape {
            radius,
            length: length * radius,
            density: DENSITY,
        };
        let shapes: Vec<_> = radii.into_iter().map(shape).collect();
        let volume: f32 = shapes.iter().map(Shape::volume).sum();
        let width = (1.5 * volume / SOLID_FRACTION).cbrt();
        let base = if kind.pour { 0.5 * width } else { width };
        Self {
            half_spaces: open_box(width).into(),
            mesh: kind
                .mesh
                .map(|triangles| Mesh::of_open_box(width, triangles, kind.beyond)),
            prefers_boxes: !kind.half_spaces,
            material: MATERIAL,
            may_sleep: kind.sleep,
            bodies: lattice(&shapes, base, &mut rng),
            joints: Vec::new(),
        }
    }
}

fn open_box(width: f32) -> [HalfSpace; 5] {
    [Vec3::Y, Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].map(|normal| HalfSpace {
        normal,
        point: if normal == Vec3::Y {
            Vec3::ZERO
        } else {
            -0.5 * width * normal
        },
    })
}

/// Layer upon layer of bodies, each in a cell of its own, over a square base. Their sizes fall; the cells of a layer have
/// room for its first body.
fn lattice(shapes: &[Shape], base: f32, rng: &mut impl Rng) -> Vec<Body> {
    let mut bodies = Vec::with_capacity(shapes.len());
    let mut rest = shapes;
    let mut height = 0.0;
    while let Some(largest) = rest.first() {
        let cell = CELL * 2.0 * largest.bounding_radius();
        let side = ((base / cell) as usize).max(1);
        let pitch = Vec3::new(base / side as f32, cell, base / side as f32);
        let corner = Vec3::new(-0.5 * base, height, -0.5 * base);
        let (layer, above) = rest.split_at((side * side).min(rest.len()));
        for (i, &shape) in layer.iter().enumerate() {
            let middle = Vec3::new((i % side) as f32 + 0.5, 0.5, (i / side) as f32 + 0.5);
            let reach = JITTER * shape.bounding_radius();
            let jitter = [(); 3].map(|()| reach * rng.random_range(-1.0..1.0));
            let rotation = if shape.is_capsule() {
                any_direction(rng)
            } else {
                Quat::IDENTITY
            };
            bodies.push(Body {
                shape,
                position: corner + middle * pitch + Vec3::from(jitter),
                rotation,
                velocity: Vec3::ZERO,
            });
        }
        rest = above;
        height += cell;
    }
    bodies
}

/// The rotation of Y into a random direction, with equal density over the sphere: the area of a slice of a sphere is in proportion
/// to its thickness (Archimedes).
fn any_direction(rng: &mut impl Rng) -> Quat {
    let (y, turn) = (
        rng.random_range(-1f32..1.0),
        rng.random_range(0.0..2.0 * PI),
    );
    let across = (1.0 - y * y).sqrt();
    let direction = Vec3::new(across * turn.cos(), y, across * turn.sin());
    Quat::from_rotation_arc(Vec3::Y, direction)
}
