//! Laws of the broad phase.

use bevy::prelude::*;
use proptest::prelude::*;

use super::{
    bounds::{may_meet, swept_aabb},
    broad_phase::BroadPhase,
    fat_plane::FatPlane,
};
use crate::{
    body::{Bodies, BodyFlags, IMMOVABLE},
    kernel::turn,
    shape::Shape,
};

/// Balls with these places, radii and velocities over a plane. The first ball is static, so it has no velocity.
fn bodies(balls: &[(Vec3, f32, Vec3)]) -> Bodies {
    let mut bodies = Bodies {
        h: 0.01,
        ..default()
    };
    for (i, &(x, radius, v)) in balls.iter().enumerate() {
        let shape = Shape::Particle { radius };
        let (v, inverse_mass) = if i == 0 { (Vec3::ZERO, 0.0) } else { (v, 1.0) };
        bodies.push_for_test(shape, x, v, inverse_mass);
    }
    bodies.planes.push(balls.len() as u32);
    bodies.push_for_test(Shape::Plane, Vec3::ZERO, Vec3::ZERO, 0.0);
    bodies
}

/// Whether two balls come nearer to each other in the substep than the contact `margin`.
fn come_near(bodies: &Bodies, i: usize, j: usize, margin: f32) -> bool {
    let [x, y] = [i, j].map(|i| bodies.flight_origin(i).as_dvec3());
    let (d, v) = (x - y, bodies.velocity[i] - bodies.velocity[j]);
    let s = (-d.dot(v) / v.length_squared().max(1e-300)).clamp(0.0, f64::from(bodies.h));
    let reach = (bodies.shape[i].radius() + bodies.shape[j].radius()) * (1.0 + margin);
    (d + v * s).length() <= f64::from(reach)
}

/// Every pair that may meet while each body is in its AABB, by a test of all pairs, and whether it comes near.
fn all_pairs(bodies: &Bodies, margin: f32) -> Vec<((u32, u32), bool)> {
    let plane = bodies.len() - 1;
    let aabbs: Vec<_> = (0..plane)
        .map(|i| swept_aabb(bodies, i, 0.0, margin))
        .collect();
    let bound = FatPlane::new(bodies, plane);
    let mut pairs = Vec::new();
    for i in 0..plane {
        for j in i + 1..plane {
            if may_meet(bodies, &aabbs, i, j, margin) {
                pairs.push(((i as u32, j as u32), come_near(bodies, i, j, margin)));
            }
        }
        if !bodies.is_static(i) && bound.is_reached(bodies, i, &aabbs[i], margin) {
            pairs.push(((i as u32, plane as u32), true));
        }
    }
    pairs
}

fn vector(range: f32) -> impl Strategy<Value = Vec3> {
    let axis = || -range..range;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

/// While one body moves on for a long time, its old pairs do not pile up.
#[test]
fn pairs_do_not_pile_up() {
    let row = (0..2000).map(|k| (Vec3::X * k as f32, 0.5, Vec3::ZERO));
    let mut bodies = bodies(&row.collect::<Vec<_>>());
    let mut broad_phase = BroadPhase::default();
    let mut most = 0;
    for step in 0..1900 {
        bodies.position[1] = (Vec3::new(step as f32 + 0.5, 0.9, 0.0)).as_dvec3();
        bodies.flight_shift[1] = Vec3::ZERO;
        broad_phase.update(&bodies, 0.01);
        most = most.max(broad_phase.pairs().count());
    }
    let at_first = 2 * 2000;
    assert!(most < at_first + at_first / 4, "{most} pairs");
}

/// A few bodies that go, come and change in each step are followed one by one.
#[test]
fn a_few_changes_are_followed() {
    let ball = |k: usize| (Vec3::X * k as f32, 0.5, Vec3::ZERO);
    let mut bodies = bodies(&(0..400).map(ball).collect::<Vec<_>>());
    let entity = |k: usize| Entity::from_raw_u32(k as u32).unwrap();
    for i in 0..bodies.len() {
        bodies.entity[i] = entity(i);
    }
    bodies.index();
    let mut broad_phase = BroadPhase::default();
    broad_phase.update(&bodies, 0.01);
    let revision = broad_phase.revision;
    for round in 1..10 {
        bodies.begin_step();
        let new = entity(1000 + round);
        bodies.exchange(&[round], &[new]);
        let changed = [bodies.index_of(new).unwrap(), 100 + round];
        for i in changed {
            put(&mut bodies, i, ball(round));
            bodies.index_at(&[i as u32]);
        }
        broad_phase.update(&bodies, 0.01);
        assert_eq!(broad_phase.revision, revision, "in round {round}");
    }
}

/// Any bodies, as [`ball`] makes them.
type Balls = Vec<(Vec3, f32, Vec3)>;

fn ball() -> impl Strategy<Value = (Vec3, f32, Vec3)> {
    let ball = (vector(10.0), -1.5..1.0f32, vector(20.0));
    ball.prop_map(|(x, size, v)| (x, 10f32.powf(size), v))
}

/// Puts a ball in the place of body `i`.
fn put(bodies: &mut Bodies, i: usize, (x, radius, v): (Vec3, f32, Vec3)) {
    bodies.set_for_test(i, Shape::Particle { radius }, x, v, 1.0);
}

proptest! {
    /// Bodies come, go and change. All pairs that may meet are there, each once, and no pair has a body that is gone.
    #[test]
    fn follows_bodies_that_come_go_and_change(
        start in prop::collection::vec(ball(), 400),
        changes in prop::collection::vec(
            (prop::collection::btree_set(1..300usize, 0..4),
             prop::collection::vec(ball(), 0..4),
             prop::collection::vec((1..300usize, ball()), 0..2)), 1..20),
    ) {
        // None so fast that its pairs are those of one substep alone.
        let mut bodies = Bodies { h: 1e-4, ..default() };
        // An entity for each, as they are found by them.
        let entity = |k: usize| Entity::from_raw_u32(k as u32).unwrap();
        let mut known = 0;
        bodies.push_for_test(Shape::Plane, Vec3::ZERO, Vec3::ZERO, 0.0);
        for &(x, radius, v) in &start {
            bodies.push_for_test(Shape::Particle { radius }, x, v, 1.0);
        }
        for i in 0..bodies.len() {
            bodies.entity[i] = entity(known);
            known += 1;
        }
        bodies.index();
        let mut broad_phase = BroadPhase::default();
        broad_phase.update(&bodies, 0.01);
        for (gone, new, changed) in changes {
            bodies.begin_step();
            let gone: Vec<usize> = gone.into_iter().collect();
            let entities: Vec<Entity> = (known..known + new.len()).map(entity).collect();
            known += new.len();
            bodies.exchange(&gone, &entities);
            for (&entity, &ball) in entities.iter().zip(&new as &Balls) {
                let i = bodies.index_of(entity).unwrap();
                put(&mut bodies, i, ball);
                bodies.index_at(&[i as u32]);
            }
            for &(i, ball) in &changed {
                put(&mut bodies, i, ball);
                bodies.index_at(&[i as u32]);
            }
            broad_phase.update(&bodies, 0.01);
            let pairs: Vec<(u32, u32)> = broad_phase.pairs().collect();
            let unique: std::collections::HashSet<_> = pairs.iter().copied().collect();
            prop_assert_eq!(pairs.len(), unique.len());
            prop_assert!(pairs.iter().all(|&(a, b)| a < b && (b as usize) < bodies.len()));
            let count = bodies.len();
            let aabbs: Vec<_> = (0..count).map(|i| swept_aabb(&bodies, i, 0.0, 0.01)).collect();
            let bound = FatPlane::new(&bodies, 0);
            for i in 1..count {
                let on_plane = (0, i as u32);
                prop_assert!(!bound.is_reached(&bodies, i, &aabbs[i], 0.01) || unique.contains(&on_plane));
                for j in i + 1..count {
                    let pair = (i as u32, j as u32);
                    let may_meet = may_meet(&bodies, &aabbs, i, j, 0.01) && come_near(&bodies, i, j, 0.01);
                    prop_assert!(!may_meet || unique.contains(&pair));
                }
            }
        }
    }

    #[test]
    fn finds_what_looking_at_all_pairs_finds(
        balls in prop::collection::vec(
            (vector(20.0), -2.0..2.0f32, vector(1.0), 0.0..4.0f32), 2..60),
        offset in prop::sample::select(vec![0.0, 3e3, -5e4]),
    ) {
        // Radii from a hundredth to a hundred, speeds from one to ten thousand.
        let balls: Vec<_> = balls
            .into_iter()
            .map(|(x, size, v, speed)| {
                (x + offset, 10f32.powf(size), v * 10f32.powf(speed))
            })
            .collect();
        let bodies = bodies(&balls);
        let mut broad_phase = BroadPhase::default();
        broad_phase.update(&bodies, 0.01);
        prop_assert!(broad_phase.pairs.is_sorted_by(|a, b| a < b));
        for (pair, comes_near) in all_pairs(&bodies, 0.01) {
            prop_assert!(!comes_near || broad_phase.pairs.contains(&pair));
        }
    }

    #[test]
    fn finds_all_on_a_path_that_has_changed(
        balls in prop::collection::vec((vector(10.0), -1.5..1.0f32, vector(100.0)), 2..40),
        // Slow enough to stay, and fast enough to cross everything.
        changes in prop::collection::vec((1..40usize, vector(2.0), 0.0..3.0f32), 1..20),
    ) {
        let balls: Vec<_> = balls
            .into_iter()
            .map(|(x, size, v)| (x, 10f32.powf(size), v))
            .collect();
        let mut bodies = bodies(&balls);
        let mut broad_phase = BroadPhase::default();
        broad_phase.update(&bodies, 0.01);
        for (i, v, speed) in changes {
            let (i, v) = (i % balls.len(), v * 10f32.powf(speed));
            if bodies.is_static(i) {
                continue;
            }
            bodies.velocity[i] = v.as_dvec3();
            let mut candidates = Vec::new();
            broad_phase.resweep(&bodies, i, 0.0, 0.01);
            broad_phase.find_candidates(&bodies, i, 0.01, |_| false, &mut candidates);
            let i = i as u32;
            let may_meet = all_pairs(&bodies, 0.01);
            let mut of_body: Vec<(u32, bool)> = may_meet
                .into_iter()
                .filter(|&((a, b), _)| a == i || b == i)
                .map(|((a, b), comes_near)| (a + b - i, comes_near))
                .collect();
            let count = candidates.len();
            candidates.sort_unstable();
            candidates.dedup();
            prop_assert_eq!(candidates.len(), count);
            for &candidate in &candidates {
                prop_assert!(of_body.iter().any(|&(other, _)| other == candidate));
            }
            of_body.retain(|&(_, comes_near)| comes_near);
            for (other, _) in of_body {
                prop_assert!(candidates.contains(&other));
            }
        }
        broad_phase.commit_added();
        let mut pairs = broad_phase.pairs.clone();
        pairs.sort_unstable();
        prop_assert!(pairs.is_sorted_by(|a, b| a < b));
        for (pair, comes_near) in all_pairs(&bodies, 0.01) {
            prop_assert!(!comes_near || pairs.contains(&pair));
        }
    }

    /// A plane moves and turns, and changes its velocities now and then. Every body that meets it in a substep is paired with it.
    #[test]
    fn finds_all_that_a_moving_plane_meets(
        balls in prop::collection::vec((vector(10.0), -1.5..0.5f32, vector(20.0)), 1..20),
        motions in prop::collection::vec((vector(1.0), vector(1.0), -1.0..1.5f32, 1..20u32), 1..4),
        start in vector(5.0),
    ) {
        let balls: Vec<_> = balls
            .into_iter()
            .map(|(x, size, v)| (x, 10f32.powf(size), v))
            .collect();
        let mut bodies = bodies(&balls);
        let plane = balls.len();
        bodies.flags[plane] = BodyFlags::KINEMATIC;
        bodies.inverse_mass[plane] = IMMOVABLE;
        bodies.position[plane] = start.as_dvec3();

        let mut broad_phase = BroadPhase::default();
        let h = bodies.h;
        for (v, w, speed, substeps) in motions {
            bodies.velocity[plane] = (v * 10f32.powf(speed)).as_dvec3();
            bodies.angular_velocity[plane] = (w * 10f32.powf(speed)).as_dvec3();
            for _ in 0..substeps {
                broad_phase.update(&bodies, 0.01);
                let at = |i: usize, s: f32| bodies.position[i].as_vec3() + bodies.velocity[i].as_vec3() * s;
                for i in (0..plane).filter(|&i| !bodies.is_static(i)) {
                    let meets = (0..=8).any(|part| {
                        let s = h * part as f32 / 8.0;
                        let normal = turn(bodies.angular_velocity[plane].as_vec3(), s) * bodies.axis[plane];
                        normal.dot(at(i, s) - at(plane, s)) <= bodies.shape[i].radius()
                    });
                    let pair = (i as u32, plane as u32);
                    prop_assert!(!meets || broad_phase.pairs.contains(&pair));
                }
                for i in 1..=plane {
                    let way = bodies.velocity[i].as_vec3() * h;
                    bodies.position[i] += way.as_dvec3();
                    bodies.flight_shift[i] = Vec3::ZERO;
                }
                let turned = turn(bodies.angular_velocity[plane].as_vec3(), h) * bodies.axis[plane];
                bodies.axis[plane] = turned.normalize();
            }
        }
    }
}
