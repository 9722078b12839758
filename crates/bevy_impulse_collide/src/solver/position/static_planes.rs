//! The last resort at a wall: no centre passes a static plane.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use crate::{
    body::{Bodies, Columns},
    components::CollisionLayers,
    kernel::{compose, unit},
};

/// Largest number of times that a body is moved in front of the planes. In an acute corner, the way back from one plane may lead
/// behind another.
const PASSES: usize = 8;

/// Depth behind a plane that stays, as a fraction of the radius. The rounding of positions is smaller.
const TOLERANCE: f32 = 1e-4;

/// Depth behind a plane from which on a core counts as behind it from the start, as a fraction of the radius. A core that is less
/// deep comes out whole: what stays of each step would add up under a heavy body.
const BEHIND: f32 = 5e-4;

/// The static planes of the world that bodies collide with.
pub(crate) struct StaticPlanes(SmallVec<[StaticPlane; 8]>);

struct StaticPlane {
    point: Vec3,
    normal: Vec3,
    layers: CollisionLayers,
    /// The bodies that pass through it by a rule of the user.
    ignored_by: SmallVec<[Entity; 2]>,
}

impl StaticPlane {
    /// Whether it stops a body.
    fn meets(&self, layers: CollisionLayers, entity: Entity) -> bool {
        self.layers.interacts_with(layers) && !self.ignored_by.contains(&entity)
    }

    /// The bodies that ignore a plane.
    fn ignoring(bodies: &Bodies, plane: usize) -> SmallVec<[Entity; 2]> {
        let rules = bodies.pair_rules.iter().filter(|rule| rule.1.is_ignored);
        let others = rules.filter_map(|&((a, b), _)| match plane {
            _ if a as usize == plane => Some(b),
            _ if b as usize == plane => Some(a),
            _ => None,
        });
        others.map(|i| bodies.entity[i as usize]).collect()
    }

    /// Height of the lower end over the plane.
    fn height(&self, ends: [Vec3; 2]) -> f32 {
        let [a, b] = ends.map(|end| self.normal.dot(end - self.point));
        a.min(b)
    }
}

/// The position and rotation of a body before it is moved.
#[derive(Clone, Copy)]
pub(crate) struct PoseBefore {
    x: DVec3,
    rotation: Quat,
    axis: Vec3,
    ends: [Vec3; 2],
}

impl PoseBefore {
    pub fn of(run: &Columns, i: usize) -> Self {
        Self {
            x: run.position[i],
            rotation: run.rotation[i],
            axis: run.axis[i],
            ends: core_ends(run, i),
        }
    }
}

/// The ends of a body's core.
fn core_ends(run: &Columns, i: usize) -> [Vec3; 2] {
    let half = run.shape[i].core_half(run.axis[i]);
    [
        run.position[i].as_vec3() + half,
        run.position[i].as_vec3() - half,
    ]
}

impl StaticPlanes {
    pub fn of(bodies: &Bodies) -> Self {
        let planes = bodies.planes.iter().map(|&plane| plane as usize);
        let fixed = planes.filter(|&plane| bodies.is_static(plane) && !bodies.is_sensor(plane));
        Self(
            fixed
                .map(|plane| StaticPlane {
                    point: bodies.position[plane].as_vec3(),
                    normal: bodies.axis[plane],
                    layers: bodies.layers[plane],
                    ignored_by: StaticPlane::ignoring(bodies, plane),
                })
                .collect(),
        )
    }

    /// Whether the middle of a body's core is farther in front of every plane than its ends can be from it: so of nearly all bodies.
    fn are_all_before(&self, run: &Columns, i: usize) -> bool {
        let (x, reach) = (run.position[i].as_vec3(), run.shape[i].core_reach());
        let is_before = |plane: &StaticPlane| plane.normal.dot(x - plane.point) > reach;
        self.0.iter().all(is_before)
    }

    /// Moves a body back along the normals of the planes that its core has passed since `before`. A core that was behind a plane
    /// already goes no deeper. If there is no way along the normals, the body stays where it was. A body that is stopped starts its
    /// next flight from where it is.
    pub fn stop(&self, run: &mut Columns, i: usize, before: &PoseBefore) {
        // Of a compound the parts are stopped.
        if run.shape[i].is_compound() || self.are_all_before(run, i) {
            return;
        }
        let tolerance = TOLERANCE * run.shape[i].radius();
        let ends = core_ends(run, i);
        let meets = |plane: &StaticPlane| plane.meets(run.layers[i], run.entity[i]);
        let is_behind = |plane: &StaticPlane| plane.height(ends) < -tolerance && meets(plane);
        if run.is_sensor(i) || !self.0.iter().any(is_behind) {
            return;
        }
        let is_in_front = (0..PASSES).any(|_| !self.move_back(run, i, before));
        if !is_in_front {
            run.position[i] = before.x;
            (run.rotation[i], run.axis[i]) = (before.rotation, before.axis);
        }
        run.flight_shift[i] = Vec3::ZERO;
        run.flight_rotation[i] = run.rotation[i];
    }

    /// Puts the parts of all compounds where these have moved, and moves compounds back of which the core of a part has passed a
    /// plane. Until now the parts stand where they were before.
    pub fn place_parts(&self, bodies: &mut Bodies) {
        if bodies.parts.is_empty() {
            return;
        }
        let wholes: Vec<usize> = bodies.parts.wholes().collect();
        for whole in wholes {
            self.place_parts_of(bodies, whole);
        }
    }

    /// The same for one body.
    pub fn place_parts_of(&self, bodies: &mut Bodies, whole: usize) {
        let reach = bodies.shape[whole].bounding_radius();
        let x = bodies.position[whole].as_vec3();
        let is_before = |plane: &StaticPlane| plane.normal.dot(x - plane.point) > reach;
        if !bodies.responds(whole) || self.0.iter().all(is_before) {
            return bodies.place_parts_of(whole);
        }
        let parts = bodies.with_parts(whole).skip(1);
        let run = bodies.columns();
        let parts: SmallVec<[(usize, PoseBefore); 8]> = parts
            .filter(|&part| !run.is_sensor(part))
            .map(|part| (part, PoseBefore::of(&run, part)))
            .collect();
        bodies.place_parts_of(whole);
        let before = parts.first().map(|(part, before)| {
            let rotation = compose(before.rotation, bodies.part_rotation[*part].inverse());
            let arm = rotation * bodies.offset[*part];
            (before.x - arm.as_dvec3(), unit(rotation))
        });
        let mut moved = false;
        for pass in 0..=PASSES {
            let Some((normal, depth)) = self.deepest(bodies, &parts) else {
                break;
            };
            moved = true;
            match before {
                Some(before) if pass == PASSES => {
                    (bodies.position[whole], bodies.rotation[whole]) = before;
                }
                _ => bodies.position[whole] += (normal * depth).as_dvec3(),
            }
            bodies.place_parts_of(whole);
        }
        if moved {
            bodies.flight_shift[whole] = Vec3::ZERO;
            bodies.flight_rotation[whole] = bodies.rotation[whole];
            bodies.place_parts_of(whole);
        }
    }

    /// The plane that a part has passed farthest since before: its normal, and how far, in m.
    fn deepest(&self, bodies: &Bodies, parts: &[(usize, PoseBefore)]) -> Option<(Vec3, f32)> {
        let passed = self.0.iter().flat_map(|plane| {
            parts.iter().filter_map(move |(part, before)| {
                let (radius, half) = (
                    bodies.shape[*part].radius(),
                    bodies.shape[*part].core_half(bodies.axis[*part]),
                );
                let height_before = plane.height(before.ends);
                let was_behind = height_before < -BEHIND * radius;
                let least_height = if was_behind { height_before } else { 0.0 };
                let x = bodies.position[*part].as_vec3();
                let depth = least_height - plane.height([x + half, x - half]);
                let meets = plane.meets(bodies.layers[*part], bodies.entity[*part]);
                (depth > TOLERANCE * radius && meets).then_some((plane.normal, depth))
            })
        });
        passed.max_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// Moves a body back from one plane after another. Whether it was behind one.
    fn move_back(&self, run: &mut Columns, i: usize, before: &PoseBefore) -> bool {
        let radius = run.shape[i].radius();
        let mut moved = false;
        for plane in &self.0 {
            let height_before = plane.height(before.ends);
            let was_behind = height_before < -BEHIND * radius;
            let least_height = if was_behind { height_before } else { 0.0 };
            let depth = least_height - plane.height(core_ends(run, i));
            let meets = plane.meets(run.layers[i], run.entity[i]);
            if depth > TOLERANCE * radius && meets {
                run.position[i] += (plane.normal * depth).as_dvec3();
                moved = true;
            }
        }
        moved
    }
}
