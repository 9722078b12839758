//! Spatial queries against closed forms, and against a search through all bodies.

use std::f32::consts::TAU;

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_impulse_collide::prelude::*;
use glam::DVec3;
use laws::*;
use proptest::{collection::vec, prelude::*};

#[path = "queries/capsule_cast.rs"]
mod capsule_cast;

/// Rounding of a distance in a scene of 10 m, in m.
const ROUNDING: f64 = 1e-5;

/// Largest distance in m between two looks along a way.
const SAMPLE: f64 = 0.02;

/// A shape with a distance in closed form.
#[derive(Clone, Copy, Debug)]
enum Form {
    Ball { radius: f32 },
    Capsule { radius: f32, half: f32 },
    Plane,
    Cuboid { half: Vec3 },
    Cylinder { radius: f32, half: f32 },
    Line { half: f32 },
}

#[derive(Clone, Copy, Debug)]
struct Solid {
    form: Form,
    place: Transform,
}

impl Solid {
    fn spawn(&self, world: &mut World) -> Entity {
        match self.form {
            Form::Ball { radius } => world.spawn((Particle::new(radius), self.place)).id(),
            Form::Capsule { radius, half } => world
                .spawn((Capsule::new(radius, 2.0 * half), self.place))
                .id(),
            Form::Plane => world.spawn((Plane::new(Vec3::Y), self.place)).id(),
            Form::Cuboid { half } => {
                let Vec3 { x, y, z } = 2.0 * half;
                world.spawn((Collider::cuboid(x, y, z), self.place)).id()
            }
            Form::Cylinder { radius, half } => {
                let collider = Collider::cylinder(radius, 2.0 * half);
                world.spawn((collider, self.place)).id()
            }
            Form::Line { half } => {
                let end = Vec3::Y * half;
                world.spawn((Collider::segment(-end, end), self.place)).id()
            }
        }
    }

    /// The signed distance of a point in m.
    fn distance(&self, x: DVec3) -> f64 {
        let back = self.place.rotation.as_dquat().normalize().inverse();
        let p = back * (x - self.place.translation.as_dvec3());
        // The distance from a box in as many dimensions as there are numbers.
        let box_distance =
            |outside: DVec3| outside.max(DVec3::ZERO).length() + outside.max_element().min(0.0);
        match self.form {
            Form::Ball { radius } => p.length() - f64::from(radius),
            Form::Capsule { radius, half } => {
                let half = f64::from(half);
                (p - DVec3::Y * p.y.clamp(-half, half)).length() - f64::from(radius)
            }
            Form::Plane => p.y,
            Form::Cuboid { half } => box_distance(p.abs() - half.as_dvec3()),
            Form::Cylinder { radius, half } => {
                let across = DVec3::new(p.x, 0.0, p.z).length() - f64::from(radius);
                let along = p.y.abs() - f64::from(half);
                box_distance(DVec3::new(across, along, f64::NEG_INFINITY))
            }
            Form::Line { half } => {
                let half = f64::from(half);
                (p - DVec3::Y * p.y.clamp(-half, half)).length()
            }
        }
    }
}

fn app_of(solids: &[Solid]) -> (App, Vec<Entity>) {
    let mut app = app(60.0);
    let entities = solids.iter().map(|solid| solid.spawn(app.world_mut()));
    let entities = entities.collect();
    (app, entities)
}

/// Asks in a system that runs for the first time.
fn ask<R>(app: &mut App, question: impl FnOnce(&SpatialQuery) -> R) -> R {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).expect("the plugin is there");
    question(&query)
}

fn all() -> SpatialFilter {
    SpatialFilter::default()
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from)
}

fn direction() -> impl Strategy<Value = Dir3> {
    vector(1.0).prop_filter_map("no direction", |v| {
        (v.length() > 0.1).then(|| Dir3::new(v).ok()).flatten()
    })
}

fn rotation() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(Quat::from_scaled_axis)
}

fn solid() -> impl Strategy<Value = Solid> {
    let measure = || 0.1..1.0f32;
    let form = prop_oneof![
        4 => measure().prop_map(|radius| Form::Ball { radius }),
        4 => (measure(), 0.0..1.0f32).prop_map(|(radius, half)| Form::Capsule { radius, half }),
        1 => Just(Form::Plane),
        2 => [measure(), measure(), measure()].prop_map(|half| Form::Cuboid { half: half.into() }),
        2 => (measure(), measure()).prop_map(|(radius, half)| Form::Cylinder { radius, half }),
        1 => measure().prop_map(|half| Form::Line { half }),
    ];
    (form, vector(5.0), rotation()).prop_map(|(form, x, rotation)| {
        // Planes stand aside, or they would hold half of all points.
        let x = match form {
            Form::Plane => x - rotation * Vec3::Y * 6.0,
            _ => x,
        };
        let place = Transform::from_translation(x).with_rotation(rotation);
        Solid { form, place }
    })
}

fn solids() -> impl Strategy<Value = Vec<Solid>> {
    vec(solid(), 1..20)
}

/// Points on the way from `from` along `direction` to `end` m, without its end.
fn points_on_way(from: Vec3, direction: Dir3, end: f64) -> impl Iterator<Item = DVec3> {
    let direction = direction.as_dvec3().normalize();
    let count = (end / SAMPLE).ceil() as usize;
    (0..count).map(move |k| from.as_dvec3() + direction * (end * k as f64 / count as f64))
}

/// The index of an entity.
fn index(entities: &[Entity], entity: Entity) -> usize {
    let found = entities.iter().position(|&other| other == entity);
    found.expect("it is in the scene")
}

const MAX: f32 = 20.0;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..default() })]

    /// The point of a hit is on the surface, the normal leads out of it, and the ray enters no other body before.
    #[test]
    fn a_ray_ends_at_the_first_surface(solids in solids(), from in vector(6.0), direction in direction()) {
        let (mut app, entities) = app_of(&solids);
        let hit = ask(&mut app, |query| query.cast_ray(Ray3d::new(from, direction), MAX, &all()));
        if let Some(hit) = hit {
            let body = solids[index(&entities, hit.entity)];
            let x = hit.point.as_dvec3();
            let expected = from + *direction * hit.distance;
            prop_assert!(hit.point.distance(expected) < 1e-4);
            prop_assert!(body.distance(x).abs() < ROUNDING, "{}", body.distance(x));
            prop_assert!(hit.normal.dot(*direction) <= 0.0 && hit.normal.is_normalized());
            // The distance grows along the normal.
            let outside = x + hit.normal.as_dvec3() * 0.01;
            prop_assert!((body.distance(outside) - 0.01).abs() < 3.0 * ROUNDING);
        }
        let end = hit.map_or(MAX, |hit| hit.distance);
        let outside: Vec<_> = solids.iter().filter(|it| it.distance(from.as_dvec3()) > 0.0).collect();
        for x in points_on_way(from, direction, f64::from(end)) {
            for body in &outside {
                prop_assert!(body.distance(x) > -ROUNDING, "{body:?}: {}", body.distance(x));
            }
        }
    }

    /// A moving ball touches the body that it hits, and none before.
    #[test]
    fn a_moving_ball_ends_at_the_first_touch(
        solids in solids(),
        from in vector(6.0),
        direction in direction(),
        radius in 0.05..0.5f32,
    ) {
        let r = f64::from(radius);
        let free = |body: &Solid| body.distance(from.as_dvec3()) > r + ROUNDING;
        let solids: Vec<Solid> = solids.into_iter().filter(free).collect();
        let (mut app, entities) = app_of(&solids);
        let hit = ask(&mut app, |query| query.cast_ball(radius, from, direction, MAX, &all()));
        let way = direction.as_dvec3().normalize();
        if let Some(hit) = hit {
            let body = solids[index(&entities, hit.entity)];
            let centre = from.as_dvec3() + way * f64::from(hit.distance);
            let gap = body.distance(centre) - r;
            prop_assert!((-ROUNDING..ROUNDING).contains(&gap), "{gap}");
            prop_assert!(body.distance(hit.point.as_dvec3()).abs() < ROUNDING);
            let touch = centre - hit.normal.as_dvec3() * r;
            prop_assert!(touch.distance(hit.point.as_dvec3()) < ROUNDING);
        }
        let end = hit.map_or(MAX, |hit| hit.distance);
        for x in points_on_way(from, direction, f64::from(end)) {
            for body in &solids {
                prop_assert!(body.distance(x) > r - ROUNDING, "{body:?}: {}", body.distance(x) - r);
            }
        }
    }

    /// A ball that overlaps a body at its start hits it at once if it moves on into it. If it moves out, it does not.
    #[test]
    fn an_overlapping_ball_hits_at_once_or_leaves(solid in solid(), out in direction(), depth in 0.01..0.9f32) {
        let radius = 0.3;
        let (mut app, entities) = app_of(&[solid]);
        // A point of the surface, with its normal.
        let far = solid.place.translation + *out * 3.0;
        let Some(near) = ask(&mut app, |query| query.nearest_point(far, MAX, &all())) else {
            return Ok(());
        };
        let from = near.point + near.normal * radius * (1.0 - depth);
        let cast = |app: &mut App, way: Vec3| {
            let way = Dir3::new(way).unwrap();
            ask(app, |query| query.cast_ball(radius, from, way, MAX, &all()))
        };
        let hit = cast(&mut app, -near.normal).unwrap();
        prop_assert_eq!((hit.entity, hit.distance), (entities[0], 0.0));
        prop_assert!(solid.distance(hit.point.as_dvec3()).abs() < ROUNDING);
        prop_assert_eq!(cast(&mut app, near.normal), None);
    }

    /// The nearest point is on the surface, at its distance, and no body is nearer.
    #[test]
    fn no_body_is_nearer(solids in solids(), x in vector(6.0)) {
        let (mut app, entities) = app_of(&solids);
        let least = solids.iter().map(|body| body.distance(x.as_dvec3()));
        let least = least.fold(f64::INFINITY, f64::min);
        let near = ask(&mut app, |query| query.nearest_point(x, MAX, &all()));
        let near = near.unwrap();
        let body = solids[index(&entities, near.entity)];
        prop_assert!((f64::from(near.distance) - least).abs() < ROUNDING);
        prop_assert!((near.point.distance(x) - near.distance.abs()).abs() < 1e-5);
        prop_assert!(body.distance(near.point.as_dvec3()).abs() < ROUNDING);
        let reach = near.distance.abs();
        let shorter = ask(&mut app, |query| query.nearest_point(x, 0.99 * reach, &all()));
        prop_assert_eq!(shorter.is_some(), near.distance < 0.0);
    }

    /// A ball overlaps the bodies that are nearer to its centre than its radius.
    #[test]
    fn a_ball_overlaps_what_is_near(solids in solids(), x in vector(6.0), radius in 0.05..3.0f32) {
        let (mut app, entities) = app_of(&solids);
        let found = ask(&mut app, |query| query.overlap_ball(radius, x, &all()));
        prop_assert!(found.is_sorted());
        for (body, entity) in solids.iter().zip(entities) {
            let gap = body.distance(x.as_dvec3()) - f64::from(radius);
            prop_assert!(gap.abs() < ROUNDING || found.contains(&entity) == (gap < 0.0), "{body:?}: {gap}");
        }
    }

    /// A capsule overlaps the bodies that are nearer to a point of its core than its radius.
    #[test]
    fn a_capsule_overlaps_what_is_near_its_core(
        solids in solids(),
        x in vector(6.0),
        rotation in rotation(),
        (radius, length) in (0.05..1.0f32, 0.0..3.0f32),
    ) {
        let (mut app, entities) = app_of(&solids);
        let place = Isometry3d::new(x, rotation);
        let found = ask(&mut app, |query| query.overlap_capsule(radius, length, place, &all()));
        prop_assert!(found.is_sorted());
        let axis = Dir3::new(rotation * Vec3::Y).unwrap();
        let start = x - *axis * (0.5 * length);
        let end = start + *axis * length;
        let core = points_on_way(start, axis, f64::from(length)).chain([end.as_dvec3()]);
        let core: Vec<DVec3> = core.collect();
        for (body, entity) in solids.iter().zip(entities) {
            let gaps = core.iter().map(|&x| body.distance(x) - f64::from(radius));
            let gap = gaps.fold(f64::INFINITY, f64::min);
            let is_found = found.contains(&entity);
            // Between two samples, a distance changes by a sample at most.
            if is_found {
                prop_assert!(gap < SAMPLE + ROUNDING, "{body:?}: {gap}");
            } else {
                prop_assert!(gap > -ROUNDING, "{body:?}: {gap}");
            }
        }
    }

    /// A box overlaps the bodies that hold one of its points.
    #[test]
    fn a_box_overlaps_what_holds_one_of_its_points(
        solids in solids(),
        x in vector(6.0),
        rotation in rotation(),
        half in [0.05..1.0f32, 0.05..1.0, 0.05..1.0],
    ) {
        const CELLS: i32 = 8;
        let half = Vec3::from(half);
        let (mut app, entities) = app_of(&solids);
        let place = Isometry3d::new(x, rotation);
        let found = ask(&mut app, |query| query.overlap_cuboid(half, place, &all()));
        prop_assert!(found.is_sorted());
        let range = -CELLS..=CELLS;
        let points = range.clone().flat_map(|i| range.clone().flat_map({
            let range = range.clone();
            move |j| range.clone().map(move |k| Vec3::new(i as f32, j as f32, k as f32) / CELLS as f32)
        }));
        let points: Vec<DVec3> = points.map(|at| (x + rotation * (at * half)).as_dvec3()).collect();
        let half_cell = f64::from(half.length()) / f64::from(2 * CELLS);
        for (body, entity) in solids.iter().zip(entities) {
            let least = points.iter().map(|&x| body.distance(x)).fold(f64::INFINITY, f64::min);
            let is_found = found.contains(&entity);
            if is_found {
                prop_assert!(least < half_cell + ROUNDING, "{body:?}: {least}");
            } else {
                prop_assert!(least > -ROUNDING, "{body:?}: {least}");
            }
        }
    }

    /// All hits of a ray: those that it has with each body alone, in the order of their distances. Many rays at once have the
    /// same hits as one after another.
    #[test]
    fn all_hits_are_there_in_order(solids in solids(), from in vector(6.0), direction in direction()) {
        let (mut app, entities) = app_of(&solids);
        let ray = Ray3d::new(from, direction);
        let (hits, first, many, mut alone) = ask(&mut app, |query| {
            let alone: Vec<RayHit> = entities
                .iter()
                .filter_map(|&body| query.cast_ray_predicate(ray, MAX, &all(), |entity| entity == body))
                .collect();
            (
                query.ray_hits(ray, MAX, &all()),
                query.cast_ray(ray, MAX, &all()),
                query.cast_rays(&[ray; 200], MAX, &all()),
                alone,
            )
        });
        prop_assert_eq!(first, hits.first().copied());
        prop_assert!(many.len() == 200 && many.iter().all(|&hit| hit == first));
        prop_assert!(hits.is_sorted_by(|one, other| one.distance <= other.distance));
        alone.sort_by(|one, other| one.distance.total_cmp(&other.distance).then(one.entity.cmp(&other.entity)));
        prop_assert_eq!(hits, alone);
    }

    /// A system that asks again and again, a little or much, sees each change at once: it finds the same as a system that asks for
    /// the first time.
    #[test]
    fn a_query_sees_every_change(
        solids in solids(),
        edits in vec((0..6u8, 0..1000usize, solid()), 1..20),
        rays in vec((vector(6.0), direction()), 4),
    ) {
        let (mut app, mut entities) = app_of(&solids);
        let mut known: Vec<Solid> = solids;
        let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
        for (kind, which, solid) in edits {
            let which = (!entities.is_empty()).then(|| which % entities.len());
            match (kind, which) {
                (0, _) | (_, None) => {
                    entities.push(solid.spawn(app.world_mut()));
                    known.push(solid);
                }
                (1, Some(i)) => {
                    app.world_mut().despawn(entities.remove(i));
                    known.remove(i);
                }
                (2, Some(i)) => {
                    app.world_mut().entity_mut(entities[i]).insert(solid.place);
                    known[i].place = solid.place;
                }
                (3, Some(i)) => {
                    let mut body = app.world_mut().entity_mut(entities[i]);
                    if let (Form::Ball { radius: new }, Form::Ball { radius }) = (solid.form, &mut known[i].form) {
                        body.get_mut::<Particle>().unwrap().radius = new;
                        *radius = new;
                    }
                }
                (4, Some(i)) => {
                    // Without its shape, it is no body.
                    let mut body = app.world_mut().entity_mut(entities.remove(i));
                    body.remove::<(Particle, Capsule, Plane, Collider)>();
                    known.remove(i);
                }
                // The ticks of a step are other ticks.
                _ => {
                    app.update();
                    for (entity, solid) in entities.iter().zip(&mut known) {
                        solid.place = get(&app, *entity);
                    }
                }
            }
            let (mut fresh, others) = app_of(&known);
            let mut of_fresh = SystemState::<SpatialQuery>::new(fresh.world_mut());
            let again = state.get(app.world()).unwrap();
            let of_fresh = of_fresh.get(fresh.world()).unwrap();
            // Once a look at each box, once the last tree, and once a new one.
            let times = [1, 5, 60][usize::from(kind) % 3];
            for &(from, direction) in rays.iter().cycle().take(times * rays.len()) {
                let ray = Ray3d::new(from, direction);
                let hits = |query: &SpatialQuery, of: &[Entity]| -> Vec<(usize, f32)> {
                    let hits = query.ray_hits(ray, MAX, &all()).into_iter();
                    let mut hits: Vec<_> = hits.map(|hit| (index(of, hit.entity), hit.distance)).collect();
                    hits.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
                    hits
                };
                prop_assert_eq!(hits(&again, &entities), hits(&of_fresh, &others));
            }
        }
    }

    /// No ray slips through a mesh along the edges and corners of its triangles.
    #[test]
    fn a_mesh_has_no_cracks(
        heights in vec(-0.3..0.3f32, 25),
        from in vector(1.0),
        (cell, along) in (0..16usize, 0.0..=1.0f32),
        rotation in rotation(),
    ) {
        let mut app = app(60.0);
        let place = Transform::from_rotation(rotation);
        let point = |i: usize| {
            let (row, column) = (i / 5, i % 5);
            Vec3::new(column as f32 - 2.0, heights[i], row as f32 - 2.0)
        };
        app.world_mut().spawn((Collider::height_field(&heights, 5, Vec2::splat(4.0)), place));
        let corner = cell / 4 * 5 + cell % 4;
        // From above, on an edge within the field: the diagonal of a cell, or a corner.
        let target = point(corner + 1).lerp(point(corner + 5), along);
        let start = target + Vec3::new(from.x, 2.0 + from.y, from.z);
        let way = Dir3::new(rotation * (target - start)).unwrap();
        let ray = Ray3d::new(rotation * start, way);
        let hit = ask(&mut app, |query| query.cast_ray(ray, MAX, &all()));
        let is_rim = |x: f32| x.abs() > 1.999;
        if !(is_rim(target.x) || is_rim(target.z)) {
            prop_assert!(hit.is_some_and(|hit| hit.distance <= target.distance(start) + 1e-4), "{hit:?}");
        }
    }
}

/// A ball that lies on a flat mesh and moves along it meets no edge of a triangle. A step in the floor stops it, where
/// (x − x₀)² + (r − h)² = r².
#[test]
fn a_ball_moves_along_a_flat_mesh_to_the_first_step() {
    let (radius, step) = (0.3f32, 0.1f32);
    let heights: Vec<f32> = (0..5)
        .flat_map(|_| (0..21).map(|column| if column > 15 { step } else { 0.0 }))
        .collect();
    let mut app = app(60.0);
    app.world_mut()
        .spawn(Collider::height_field(&heights, 21, Vec2::new(20.0, 4.0)));
    // The slope from height 0 at x = 5 to the step at x = 6 touches the ball at its normal.
    let slope = Vec2::new(1.0, step).normalize();
    let expected = 5.0 - radius * (1.0 - slope.x) / slope.y;
    for z in [0.0, 0.5, 0.77, 1.0] {
        let from = Vec3::new(-8.0, radius, z);
        let hit = ask(&mut app, |query| {
            query.cast_ball(radius, from, Dir3::X, 30.0, &all())
        });
        let reached = from.x + hit.expect("the step is in the way").distance;
        assert_near("way to the step", reached.into(), expected.into(), 1e-3);
        let free = ask(&mut app, |query| {
            query.cast_ball(radius, from, Dir3::X, 12.0, &all())
        });
        assert_eq!(free, None);
    }
}

/// A pipe of a radius in m about the Z axis, from z = −2 to 2, of curved triangles.
fn curved_pipe(pipe: f32) -> Collider {
    let ring = |k: u32, z: f32| {
        let (sin, cos) = (TAU * (k % 24) as f32 / 24.0).sin_cos();
        let out = Vec3::new(cos, sin, 0.0);
        (out * pipe + Vec3::Z * z, -out)
    };
    let vertices = (0..24).flat_map(|k| [ring(k, -2.0), ring(k, 2.0)]);
    let triangles = (0..24u32).flat_map(|k| {
        let (a, b) = (2 * k, 2 * ((k + 1) % 24));
        [[a, b, a + 1], [b, b + 1, a + 1]]
    });
    Collider::smooth_trimesh(vertices, triangles, MeshSides::Two)
}

/// A ball in a pipe of curved triangles touches it where a circle in a circle does: at the distance R − r from the axis.
#[test]
fn a_ball_touches_a_curved_pipe_where_the_circle_is() {
    let (pipe, radius) = (1.0, 0.25);
    let mut app = app(60.0);
    app.world_mut().spawn(curved_pipe(pipe));
    for k in 0..40 {
        let angle = TAU * k as f32 / 40.0 + 0.01;
        let from = Vec3::new(0.3 * (3.0 * angle).cos(), 0.2 * angle.sin(), 0.4);
        let way = Dir3::new(Vec3::new(angle.cos(), angle.sin(), 0.3)).unwrap();
        let cast = ask(&mut app, |query| {
            query.cast_ball(radius, from, way, 5.0, &all())
        });
        let hit = cast.expect("the pipe is around it");
        let axis_distance = |x: Vec3| f64::from(x.xy().length());
        let centre = from + *way * hit.distance;
        assert_near(
            "ball in pipe",
            axis_distance(centre),
            f64::from(pipe - radius),
            1e-4,
        );
        let ray = ask(&mut app, |query| {
            query.cast_ray(Ray3d::new(from, way), 5.0, &all())
        });
        let ray = ray.expect("the pipe is around it");
        assert_near("ray in pipe", axis_distance(ray.point), pipe.into(), 1e-4);
        let out = ray.point.xy().normalize().extend(0.0);
        assert!(ray.normal.dot(out) < -0.999, "{}", ray.normal);
    }
}

/// A mesh with one side is met from its front. A ball that comes from behind passes, and hits the next thing.
#[test]
fn a_mesh_with_one_side_is_met_from_its_front() {
    let mut app = app(60.0);
    let corners = [
        Vec3::NEG_ONE,
        Vec3::new(-1.0, -1.0, 3.0),
        Vec3::new(3.0, -1.0, -1.0),
    ];
    let sides = [MeshSides::One, MeshSides::Two];
    let meshes = sides.map(|sides| Collider::trimesh(corners, [[0, 1, 2]], sides));
    let up = Transform::from_xyz(0.0, 2.0, 0.0);
    let one = app.world_mut().spawn(meshes[0].clone()).id();
    let two = app.world_mut().spawn((meshes[1].clone(), up)).id();
    // The first is at the height −1, the second at the height 1.
    for (from, way, bodies, ball_way) in [
        (-3.0, Dir3::Y, vec![two], 3.75),
        (3.0, Dir3::NEG_Y, vec![two, one], 1.75),
        (0.0, Dir3::NEG_Y, vec![one], 0.75),
    ] {
        let from = Vec3::new(-0.5, from, -0.5);
        let (hits, ball) = ask(&mut app, |query| {
            (
                query.ray_hits(Ray3d::new(from, way), 10.0, &all()),
                query.cast_ball(0.25, from, way, 10.0, &all()).unwrap(),
            )
        });
        assert_eq!(
            hits.iter().map(|hit| hit.entity).collect::<Vec<_>>(),
            bodies
        );
        assert_eq!(ball.entity, bodies[0]);
        assert_near("way of the ball", ball.distance.into(), ball_way, 1e-5);
        assert_eq!(ball.normal, -*way);
    }
}

/// Of bodies at one distance, the first entity is the first hit.
#[test]
fn equal_distances_are_in_the_order_of_the_entities() {
    let mut app = app(60.0);
    let spawn = |app: &mut App| {
        let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.0, 3.0));
        app.world_mut().spawn(ball).id()
    };
    let mut balls: Vec<Entity> = (0..1000).map(|_| spawn(&mut app)).collect();
    balls.sort_unstable();
    let ray = Ray3d::new(Vec3::ZERO, Dir3::Z);
    let hits = ask(&mut app, |query| query.ray_hits(ray, 10.0, &all()));
    assert_eq!(hits.iter().map(|hit| hit.entity).collect::<Vec<_>>(), balls);
    for k in [0, 1, 10, 999] {
        let filter = SpatialFilter::default().without(balls[..k].iter().copied());
        // The last ones in a tree.
        for _ in 0..200 {
            let first = ask(&mut app, |query| query.cast_ray(ray, 10.0, &filter)).unwrap();
            assert_eq!(first.entity, balls[k]);
        }
    }
}

/// A filter finds bodies in its layers, also after they change.
#[test]
fn a_filter_finds_its_layers() {
    let mut app = app(60.0);
    let balls = [0b01, 0b10, 0b11].map(|layers| {
        let layers = CollisionLayers::new(LayerMask(layers), LayerMask::ALL);
        app.world_mut().spawn((Particle::new(0.5), layers)).id()
    });
    let plain = app.world_mut().spawn(Particle::new(0.5)).id();
    let sorted = |bodies: &[Entity]| {
        let mut bodies = bodies.to_vec();
        bodies.sort_unstable();
        bodies
    };
    let found = |app: &mut App, layers: u32| {
        let filter = SpatialFilter::default().in_layers(LayerMask(layers));
        ask(app, |query| query.overlap_ball(0.1, Vec3::ZERO, &filter))
    };
    assert_eq!(found(&mut app, 0b01), sorted(&[balls[0], balls[2], plain]));
    assert_eq!(found(&mut app, 0b10), sorted(&[balls[1], balls[2]]));
    assert_eq!(found(&mut app, 0), []);
    app.world_mut()
        .entity_mut(plain)
        .insert(CollisionLayers::ALL);
    app.world_mut()
        .get_mut::<CollisionLayers>(balls[2])
        .unwrap()
        .memberships = LayerMask::NONE;
    assert_eq!(found(&mut app, 0b10), sorted(&[balls[1], plain]));
}

/// A filter finds bodies of its kinds, and no excluded ones.
#[test]
fn a_filter_finds_its_kinds() {
    let mut app = app(60.0);
    let kinds = [RigidBody::Dynamic, RigidBody::Kinematic, RigidBody::Static];
    let balls = kinds.map(|kind| app.world_mut().spawn((Particle::new(1.0), kind)).id());
    // A plane that asks to be dynamic is static.
    let plane = app
        .world_mut()
        .spawn((Plane::new(Vec3::Y), RigidBody::Dynamic));
    let plane = plane.id();
    for (kind, ball) in kinds.into_iter().zip(balls) {
        let filter = SpatialFilter::of([kind]);
        let mut expected = vec![ball];
        if kind.is_static() {
            expected.push(plane);
        }
        expected.sort_unstable();
        let found = ask(&mut app, |query| {
            query.overlap_ball(0.5, Vec3::ZERO, &filter)
        });
        assert_eq!(found, expected);
        let without = filter.without([ball]);
        let found = ask(&mut app, |query| {
            query.overlap_ball(0.5, Vec3::ZERO, &without)
        });
        assert!(!found.contains(&ball));
    }
    let ray = Ray3d::new(Vec3::Y * 5.0, Dir3::NEG_Y);
    let hit = ask(&mut app, |query| {
        query.cast_ray_predicate(ray, 10.0, &all(), |entity| entity == balls[1])
    });
    assert_eq!(hit.map(|hit| hit.entity), Some(balls[1]));
    // Its kind changes when the component goes.
    app.world_mut().entity_mut(balls[2]).remove::<RigidBody>();
    let dynamic = SpatialFilter::of([RigidBody::Dynamic]);
    let found = ask(&mut app, |query| {
        query.overlap_ball(0.5, Vec3::ZERO, &dynamic)
    });
    assert!(found.contains(&balls[2]));
}

/// A system may ask, move a body, and ask again.
#[test]
fn a_system_sees_its_own_changes() {
    let mut app = app(60.0);
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    app.world_mut()
        .spawn(Particle::new(0.5))
        .insert(Transform::from_xyz(0.0, -9.0, 0.0));
    let mut state: SystemState<ParamSet<(SpatialQuery, Query<&mut Transform>)>> =
        SystemState::new(app.world_mut());
    for step in 0..10 {
        let mut params = state.get_mut(app.world_mut()).unwrap();
        for half in 0..2 {
            let height = step as f32 + 0.5 * half as f32;
            params.p1().get_mut(ball).unwrap().translation.y = height;
            let ray = Ray3d::new(Vec3::Y * 20.0, Dir3::NEG_Y);
            let hit = params.p0().cast_ray(ray, 100.0, &all()).unwrap();
            assert_eq!((hit.entity, hit.point.y), (ball, height + 0.5));
        }
    }
}

/// Values that are no numbers find nothing, and bodies that have them are not found.
#[test]
fn bad_values_find_nothing() {
    let mut app = app(60.0);
    let good = app.world_mut().spawn(Particle::new(1.0)).id();
    app.world_mut().spawn(Plane::new(Vec3::Y));
    app.world_mut().spawn(Collider::cuboid(1.0, 1.0, 1.0));
    let huge = Transform::from_xyz(f32::MAX, -f32::MAX, 1e30);
    app.world_mut().spawn((Particle::new(f32::MAX), huge));
    app.world_mut()
        .spawn((Particle::new(f32::NAN), Transform::default()));
    app.world_mut()
        .spawn((Capsule::new(1.0, -3.0), Transform::from_xyz(0.0, 3.0, 0.0)));
    app.world_mut()
        .spawn((Particle::new(9.0), Transform::from_xyz(f32::NAN, 0.0, 0.0)));
    app.world_mut()
        .spawn((Plane::new(Vec3::NAN), Transform::default()));
    ask(&mut app, |query| {
        let filter = SpatialFilter::of([RigidBody::Dynamic]);
        let ray = |x: f32| Ray3d::new(Vec3::new(0.0, x, 0.0), Dir3::NEG_Y);
        let first = query.cast_ray(ray(9.0), f32::INFINITY, &filter).unwrap();
        assert_eq!((first.entity, first.distance), (good, 8.0));
        for x in [f32::NAN, f32::INFINITY] {
            assert_eq!(query.cast_ray(ray(x), 10.0, &all()), None);
            assert_eq!(query.ray_hits(ray(x), 10.0, &all()), []);
            let at = Vec3::new(x, 0.0, 0.0);
            assert_eq!(query.cast_ball(1.0, at, Dir3::X, 10.0, &all()), None);
            assert_eq!(query.nearest_point(at, 10.0, &all()), None);
            assert_eq!(query.overlap_ball(1.0, at, &all()), []);
            let place = Isometry3d::from_translation(at);
            let hit = query.cast_capsule(1.0, 1.0, place, Dir3::X, 10.0, &all());
            assert_eq!(hit, None);
            assert_eq!(query.overlap_capsule(1.0, 1.0, place, &all()), []);
            assert_eq!(query.overlap_cuboid(Vec3::ONE, place, &all()), []);
        }
        for bad in [f32::NAN, -1.0] {
            assert_eq!(query.cast_ray(ray(9.0), bad, &all()), None);
            assert_eq!(
                query.cast_ball(bad, Vec3::ZERO, Dir3::X, 10.0, &all()),
                None
            );
            assert_eq!(query.cast_ball(1.0, Vec3::ZERO, Dir3::X, bad, &all()), None);
            assert_eq!(query.nearest_point(Vec3::ZERO, bad, &all()), None);
            assert_eq!(query.overlap_ball(bad, Vec3::ZERO, &all()), []);
            let place = Isometry3d::IDENTITY;
            for (radius, length, max) in [(bad, 1.0, 10.0), (1.0, bad, 10.0), (1.0, 1.0, bad)] {
                let hit = query.cast_capsule(radius, length, place, Dir3::X, max, &all());
                assert_eq!(hit, None);
            }
            assert_eq!(query.overlap_capsule(bad, 1.0, place, &all()), []);
            assert_eq!(query.overlap_capsule(1.0, bad, place, &all()), []);
            assert_eq!(
                query.overlap_cuboid(Vec3::new(1.0, bad, 1.0), place, &all()),
                []
            );
        }
        // Huge numbers are numbers.
        query.cast_ray(ray(f32::MAX), f32::MAX, &all());
        query.cast_ball(f32::MAX, Vec3::splat(f32::MAX), Dir3::X, f32::MAX, &all());
        let place = Isometry3d::from_translation(Vec3::splat(f32::MAX));
        query.cast_capsule(f32::MAX, f32::MAX, place, Dir3::X, f32::MAX, &all());
        query.nearest_point(Vec3::splat(f32::MAX), f32::MAX, &all());
        query.overlap_ball(f32::MAX, Vec3::splat(-f32::MAX), &all());
    });
    let mut empty = App::new();
    empty.add_plugins(ImpulseCollidePlugin { interpolate: false });
    ask(&mut empty, |query| {
        let ray = Ray3d::new(Vec3::ZERO, Dir3::X);
        assert_eq!(query.cast_ray(ray, 10.0, &all()), None);
        assert_eq!(query.cast_rays(&[], 10.0, &all()), []);
    });
}
