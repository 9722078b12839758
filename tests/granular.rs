//! Balls in bulk: they flow out of a hopper by Beverloo's law, and pile up the steeper, the rougher they are.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::{
    prelude::RngExt,
    test_runner::{RngAlgorithm, TestRng},
};
use std::f32::consts::{PI, TAU};

const G: f32 = 9.81;

/// Mean diameter of a ball in m. The diameters are spread evenly over a tenth of it, so that balls do not stand in rows.
const D: f32 = 0.01;
const SPREAD: f32 = 0.1;

/// Density of a ball in kg/m³: glass.
const DENSITY: f32 = 2500.0;

/// A round vessel about Y through rings, each with a radius and a height in m.
fn vessel(rings: &[(f32, f32)]) -> Collider {
    revolved(rings, 64, MeshSides::Two)
}

/// The material of a bulk.
#[derive(Clone, Copy)]
struct Material {
    e: f32,
    mu: f32,
    rolling: f32,
}

/// Balls in a round container about Y.
struct Bulk {
    app: App,
    /// Steps in a second.
    hz: f64,
    balls: Vec<Entity>,
    sites: Vec<Vec2>,
}

impl Bulk {
    /// Fills balls loosely into a container of this radius, from the height 0 up to `height` times 1.6.
    fn fill(hz: f64, radius: f32, height: f32, material: Material) -> Self {
        let mut app = awake(hz);
        let step = D * (1.0 + SPREAD);
        let n = (radius / step) as i32;
        let sites: Vec<Vec2> = (-n..=n)
            .flat_map(|x| (-n..=n).map(move |z| Vec2::new(x as f32, z as f32) * step))
            .filter(|site| site.length() < radius - 0.6 * step)
            .collect();
        let layers = (1.6 * height / step) as usize;
        let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]);
        let mut random = || rng.random_range(-0.5..0.5f32);
        let balls = (0..layers)
            .flat_map(|layer| sites.iter().map(move |site| (layer, site)))
            .map(|(layer, site)| {
                // Each layer lies over the gaps of the layer below.
                let shift = 0.3 * D * (layer % 2) as f32;
                let x = Vec3::new(site.x + shift, (layer as f32 + 0.6) * step, site.y);
                let jitter = Vec3::new(random(), 0.0, random()) * (0.2 * D);
                let ball = (
                    Particle::new(0.5 * D * (1.0 + SPREAD * random())),
                    Density(DENSITY),
                    Restitution(material.e),
                    Friction(material.mu),
                    RollingFriction(material.rolling),
                    Transform::from_translation(x + jitter),
                );
                app.world_mut().spawn(ball).id()
            })
            .collect();
        Self {
            app,
            hz,
            balls,
            sites,
        }
    }

    fn run(&mut self, seconds: f64) {
        steps(&mut self.app, (seconds * self.hz) as usize);
    }

    fn spawn(&mut self, collider: Collider, material: Material) -> Entity {
        let material = (
            Restitution(material.e),
            Friction(material.mu),
            RollingFriction(material.rolling),
        );
        self.app.world_mut().spawn((collider, material)).id()
    }

    fn places(&self) -> impl Iterator<Item = Vec3> {
        self.balls.iter().map(|&ball| position(&self.app, ball))
    }
}

/// A hopper with a flat bottom and an open hole.
struct Hopper {
    bulk: Bulk,
    /// Density of the bulk at rest in kg/m³.
    density: f32,
    /// Height in m from which balls fall onto the filling again.
    top: f32,
    /// How many have done so.
    recycled: usize,
}

impl Hopper {
    /// Radius of the container in m: it is 2.5 times as wide as the widest hole.
    const RADIUS: f32 = 10.0 * D;

    /// A ball that begins to fall takes 20 steps for its own diameter.
    const HZ: f64 = 480.0;

    const MATERIAL: Material = Material {
        e: 0.3,
        mu: 0.5,
        rolling: 0.0,
    };

    /// With a hole of this diameter and a filling of this height, both in m.
    fn open(hole: f32, height: f32) -> Self {
        let mut bulk = Bulk::fill(Self::HZ, Self::RADIUS, height, Self::MATERIAL);
        let high = 4.0 * height;
        let container = [(0.5 * hole, 0.0), (Self::RADIUS, 0.0), (Self::RADIUS, high)];
        bulk.spawn(vessel(&container), Self::MATERIAL);
        let lid = bulk.app.world_mut().spawn(Plane::new(Vec3::Y)).id();
        bulk.run(0.8);
        // The mass in a slice away from the floor and from the surface.
        let slice = 0.2 * height..0.8 * height;
        let mass: f32 = bulk
            .balls
            .iter()
            .filter(|&&ball| slice.contains(&position(&bulk.app, ball).y))
            .map(|&ball| get::<Mass>(&bulk.app, ball).0)
            .sum();
        let density = mass / (PI * Self::RADIUS.powi(2) * (slice.end - slice.start));
        bulk.app.world_mut().despawn(lid);
        Self {
            bulk,
            density,
            top: height + 5.0 * D,
            recycled: 0,
        }
    }

    /// The flow in kg/s, over this time in s after it has become steady.
    fn steady_flow(&mut self, seconds: f64) -> f32 {
        self.flow(0.4);
        self.flow(seconds) / seconds as f32
    }

    /// The mass in kg that flows out in this time in s. It comes back to the top, so that the height of the filling stays.
    fn flow(&mut self, seconds: f64) -> f32 {
        let mut mass = 0.0;
        for _ in 0..(seconds * Self::HZ) as usize {
            steps(&mut self.bulk.app, 1);
            for &ball in &self.bulk.balls {
                if position(&self.bulk.app, ball).y > -2.0 * D {
                    continue;
                }
                mass += get::<Mass>(&self.bulk.app, ball).0;
                let site = self.bulk.sites[self.recycled * 7 % self.bulk.sites.len()];
                self.recycled += 1;
                let x = Vec3::new(site.x, self.top, site.y);
                let motion = (
                    Transform::from_translation(x),
                    LinearVelocity(Vec3::ZERO),
                    AngularVelocity(Vec3::ZERO),
                );
                self.bulk.app.world_mut().entity_mut(ball).insert(motion);
            }
        }
        mass
    }
}

/// The flow in kg/s through a hole of this diameter in ball diameters by Beverloo's law with the textbook's C = 0.58 and k = 1.4.
fn textbook_flow(hole: f32, density: f32) -> f32 {
    0.58 * density * G.sqrt() * ((hole - 1.4) * D).powf(2.5)
}

/// Measures the flow through holes of these diameters, in ball diameters, for this time in s, and asserts Beverloo's law (W. A.
/// Beverloo, H. A. Leniger and J. van de Velde, The flow of granular solids through orifices, 1961): W = C·ρ·√g·(D − k·d)^(5/2).
///
/// So W^(2/5) is a line over D. Its slope gives C, and its zero gives k. Both depend strongly on small errors of the flow: the
/// measure that does not is the flow itself.
fn assert_beverloo(holes: &[f32], seconds: f64) {
    let mut density = 0.0;
    let mut points = Vec::new();
    for &hole in holes {
        let mut hopper = Hopper::open(hole * D, 14.0 * D);
        let flow = hopper.steady_flow(seconds);
        let part = flow / textbook_flow(hole, hopper.density);
        println!("{hole} d: {flow} kg/s, {part} of the textbook's");
        assert_near("the textbook's flow", part.into(), 1.0, 0.2);
        density += hopper.density / holes.len() as f32;
        points.push((hole * D, flow.powf(0.4)));
    }
    let (a, b) = line(&points);
    let (c, k) = (a.powf(2.5) / (density * G.sqrt()), -b / (a * D));
    println!("C = {c}, k = {k}, density {density} kg/m³");
    assert_near("C", c.into(), 0.55, 0.1);
    assert_near("k", k.into(), 1.5, 0.3);
    for (x, y) in points {
        assert_near("the line", (y / (a * x + b)).into(), 1.0, 0.025);
    }
}

#[test]
fn hoppers_follow_beverloos_law() {
    assert_beverloo(&[5.0, 6.5, 8.0], 1.0);
}

#[test]
#[ignore = "it takes minutes: `cargo test -p laws --test granular -- --ignored --nocapture`"]
fn hoppers_follow_beverloos_law_over_five_holes() {
    assert_beverloo(&[5.0, 6.0, 7.0, 8.0, 9.0], 2.5);
}

/// The flow is the same at twice the height, because the walls and the floor carry the weight (H. A. Janssen, 1895). A liquid would
/// flow √2 times as fast.
#[test]
fn the_flow_does_not_depend_on_the_height() {
    let [low, high] = [8.0, 16.0].map(|height| {
        let mut hopper = Hopper::open(7.0 * D, height * D);
        hopper.steady_flow(1.0) / hopper.density
    });
    println!("{high} m³/s at twice the height of {low} m³/s");
    assert_near("the flow", (high / low).into(), 1.0, 0.1);
}

/// Angle of the slope of a heap in degrees. A tube full of balls stands on a round table with a kerb, and is slowly lifted. The
/// balls that the slope cannot hold roll over the kerb.
fn angle_of_repose(mu: f32, rolling: f32) -> f32 {
    const TABLE: f32 = 10.0 * D;
    let material = Material {
        e: 0.3,
        mu,
        rolling,
    };
    let mut bulk = Bulk::fill(240.0, TABLE, 7.0 * D, material);
    let table = [(1e-3, 0.0), (TABLE, 0.0), (TABLE, 0.5 * D)];
    bulk.spawn(vessel(&table), material);
    let smooth = Material {
        mu: 0.0,
        ..material
    };
    let tube = [(TABLE, 0.0), (TABLE, 20.0 * D)];
    let tube = bulk.spawn(vessel(&tube), smooth);
    bulk.run(0.8);
    let lift = (RigidBody::Kinematic, LinearVelocity(Vec3::Y * 0.1));
    bulk.app.world_mut().entity_mut(tube).insert(lift);
    bulk.run(2.5);
    // The highest ball of each cell between the top and the kerb, in rings and sectors.
    const SECTORS: usize = 12;
    let rings = 2..9;
    let mut heights = vec![[0f32; SECTORS]; rings.end];
    for x in bulk.places().filter(|x| x.y > 0.0) {
        let ring = (x.xz().length() / D) as usize;
        let sector = ((x.z.atan2(x.x) / TAU + 0.5) * SECTORS as f32) as usize % SECTORS;
        if ring < rings.end {
            heights[ring][sector] = heights[ring][sector].max(x.y);
        }
    }
    let profile: Vec<(f32, f32)> = rings
        .map(|ring| {
            (
                ring as f32 + 0.5,
                heights[ring].iter().sum::<f32>() / (SECTORS as f32 * D),
            )
        })
        .collect();
    let angle = (-line(&profile).0).atan().to_degrees();
    println!("friction {mu}, rolling friction {rolling}: {angle} degrees");
    angle
}

/// The line y = a·x + b through points by least squares: a and b.
fn line(points: &[(f32, f32)]) -> (f32, f32) {
    let n = points.len() as f32;
    let mean = |value: fn(&(f32, f32)) -> f32| points.iter().map(value).sum::<f32>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f32 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    let below: f32 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    (above / below, y - above / below * x)
}

/// Sliding friction and rolling friction make a heap steeper (Y. C. Zhou, B. H. Xu, A. B. Yu and P. Zulli, Numerical investigation
/// of the angle of repose of monosized spheres, 2001). Smooth balls still have a small angle, because they lie in each other's
/// gaps (P.-E. Peyneau and J.-N. Roux, Frictionless bead packs have macroscopic friction, but no dilatancy, 2008). The angle of one
/// heap of this size scatters by some 3 degrees.
#[test]
fn friction_makes_heaps_steeper() {
    let materials = [[0.0, 0.0], [0.2, 0.0], [0.5, 0.0], [0.5, 0.1]];
    let angles = materials.map(|[mu, rolling]| angle_of_repose(mu, rolling));
    assert!((2.0..13.0).contains(&angles[0]), "{angles:?}");
    for pair in angles.windows(2) {
        assert!(pair[1] > pair[0] + 2.0, "{angles:?}");
    }
}
