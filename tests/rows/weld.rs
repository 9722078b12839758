//! A kind of constraint from outside of the solver: it holds two bodies together as if they were one.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::{
    Bodies,
    kernel::rotation_vector,
    solver::{PositionError, RowBody, RowInput, RowSums, RowVelocities, Rows, Wrench},
};

/// Solutions in one sweep: the six rows of a weld are solved three by three.
const ROUNDS: usize = 8;

/// All welds of a world.
#[derive(Default)]
pub struct Welds {
    pub welds: Vec<Weld>,
    h: f32,
}

/// Two bodies, the point of each that is at one place, and the rotation of the second one in the axes of the first one.
pub struct Weld {
    pub bodies: [Entity; 2],
    pub anchors: [Vec3; 2],
    pub turn: Quat,
    given: Wrench,
    prepared: Option<Prepared>,
}

struct Prepared {
    bodies: [RowBody; 2],
    /// From a gap in m and a turn in rad to the impulses that close them, without the sign.
    mass: Mat3,
    inertia: Mat3,
}

impl Weld {
    /// Holds two bodies as they are now.
    pub fn new(a: (Entity, Transform), b: (Entity, Transform)) -> Self {
        let back = [a.1, b.1].map(|x| x.rotation.inverse());
        let middle = 0.5 * (a.1.translation + b.1.translation);
        let anchor = |k: usize, x: Vec3| back[k] * (middle - x);
        Self {
            bodies: [a.0, b.0],
            anchors: [anchor(0, a.1.translation), anchor(1, b.1.translation)],
            turn: back[0] * b.1.rotation,
            given: Wrench::default(),
            prepared: None,
        }
    }

    /// How far apart the two points are, in m, and how far the rotations are from each other, in rad.
    fn errors(&self, [a, b]: [(DVec3, Quat); 2]) -> (Vec3, Vec3) {
        let [arm_a, arm_b] = [a.1 * self.anchors[0], b.1 * self.anchors[1]];
        let apart = (a.0 - b.0).as_vec3() + arm_a - arm_b;
        (apart, rotation_vector(b.1, a.1 * self.turn))
    }

    fn indices(&self, bodies: &Bodies) -> Option<[usize; 2]> {
        let [a, b] = self.bodies.map(|entity| bodies.index_of(entity));
        Some([a?, b?])
    }
}

impl Welds {
    fn given(&self) -> impl Iterator<Item = ([&RowBody; 2], Wrench)> {
        let welds = self.welds.iter();
        welds.filter_map(|weld| Some((weld.prepared.as_ref()?.bodies.each_ref(), weld.given)))
    }
}

impl Rows for Welds {
    fn prepare(&mut self, input: &RowInput) {
        self.h = input.substep();
        for weld in &mut self.welds {
            let [a, b] = weld.bodies.map(|entity| input.body(entity));
            let bodies = a.zip(b).filter(|(a, b)| a.moves() || b.moves());
            weld.prepared = bodies.map(|(a, b)| {
                let point = a.position + (a.rotation * weld.anchors[0]).as_dvec3();
                weld.given.point = point;
                let k = |of: &RowBody| of.mobility_at((point - of.position).as_vec3());
                Prepared {
                    bodies: [a, b],
                    mass: (k(&a) + k(&b)).inverse(),
                    inertia: (a.inverse_inertia + b.inverse_inertia).inverse(),
                }
            });
        }
    }

    fn warm_start(&mut self, velocities: &mut RowVelocities) {
        for (bodies, wrench) in self.given() {
            velocities.push_both(bodies, &wrench);
        }
    }

    fn solve(&mut self, _relaxation: f32, velocities: &mut RowVelocities) {
        let h = self.h;
        for weld in &mut self.welds {
            let Some(Prepared {
                bodies: [a, b],
                mass,
                inertia,
            }) = &weld.prepared
            else {
                continue;
            };
            for _ in 0..ROUNDS {
                // As it will be at the end of the substep.
                let ends = [a, b].map(|body| body.end(velocities.of(body), h));
                let (apart, turned) = weld.errors(ends);
                let change = Wrench {
                    point: weld.given.point,
                    impulse: (*mass * apart / -h).as_dvec3(),
                    couple: (*inertia * turned / -h).as_dvec3(),
                };
                velocities.push_both([a, b], &change);
                weld.given.impulse += change.impulse;
                weld.given.couple += change.couple;
            }
        }
    }

    fn accumulate(&self, sums: &mut RowSums) {
        for (bodies, wrench) in self.given() {
            sums.add(bodies, wrench);
        }
    }

    fn links(&self, bodies: &Bodies, link: &mut dyn FnMut(usize, usize)) {
        for [a, b] in self.welds.iter().filter_map(|weld| weld.indices(bodies)) {
            link(a, b);
        }
    }

    fn position_errors(&mut self, bodies: &Bodies, errors: &mut Vec<PositionError>) {
        for weld in &self.welds {
            let Some(of) = weld.indices(bodies) else {
                continue;
            };
            let places = of.map(|i| bodies.get(i));
            let ends = places.map(|body| (body.position().as_dvec3(), body.rotation()));
            let arms = [0, 1].map(|k| places[k].rotation() * weld.anchors[k]);
            let (apart, turned) = weld.errors(ends);
            errors.push(PositionError::apart(of, arms, apart));
            errors.push(PositionError::turned(of, turned));
        }
    }
}
