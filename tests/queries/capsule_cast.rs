//! Capsules that move without turning.

use super::*;

/// Steps of the search for the point of a core that is nearest to a body: each leaves two thirds of the core.
const THIRDS: usize = 60;

/// Difference in m of two radii: one capsule overlaps what the other does not, if it touches it.
const SHELL: f32 = 1e-3;

/// A capsule that moves: its radius, its length and its start.
#[derive(Clone, Copy, Debug)]
struct Moving {
    radius: f32,
    length: f32,
    from: Isometry3d,
}

impl Moving {
    /// The ends of its core after a way.
    fn ends(&self, way: DVec3) -> [DVec3; 2] {
        let axis = self.from.rotation.as_dquat().normalize() * DVec3::Y;
        let half = axis * (0.5 * f64::from(self.length));
        let centre = Vec3::from(self.from.translation).as_dvec3() + way;
        [centre - half, centre + half]
    }

    /// Its gap to a convex body after a way: the distance is a convex function of the place on the core.
    fn gap(&self, body: &Solid, way: DVec3) -> f64 {
        let [start, end] = self.ends(way);
        let distance = |t: f64| body.distance(start.lerp(end, t));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..THIRDS {
            let third = (high - low) / 3.0;
            if distance(low + third) < distance(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        distance(0.5 * (low + high)) - f64::from(self.radius)
    }

    fn cast(&self, app: &mut App, direction: Dir3) -> Option<CastHit> {
        ask(app, |query| {
            query.cast_capsule(self.radius, self.length, self.from, direction, MAX, &all())
        })
    }

    /// The bodies that it overlaps after a way, if its radius were larger by `growth`.
    fn overlaps(&self, app: &mut App, way: DVec3, growth: f32) -> usize {
        let place = Isometry3d {
            translation: self.from.translation + way.as_vec3a(),
            ..self.from
        };
        let found = ask(app, |query| {
            query.overlap_capsule(self.radius + growth, self.length, place, &all())
        });
        found.len()
    }
}

fn moving() -> impl Strategy<Value = Moving> {
    let measures = (0.05..0.5f32, 0.0..3.0f32);
    (measures, vector(6.0), rotation()).prop_map(|((radius, length), x, rotation)| Moving {
        radius,
        length,
        from: Isometry3d::new(x, rotation),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..default() })]

    /// A moving capsule touches the body that it hits, and none before.
    #[test]
    fn a_moving_capsule_ends_at_the_first_touch(
        solids in solids(),
        capsule in moving(),
        direction in direction(),
    ) {
        let free = |body: &Solid| capsule.gap(body, DVec3::ZERO) > ROUNDING;
        let solids: Vec<Solid> = solids.into_iter().filter(free).collect();
        let (mut app, entities) = app_of(&solids);
        let hit = capsule.cast(&mut app, direction);
        let way = direction.as_dvec3().normalize();
        if let Some(hit) = hit {
            let body = solids[index(&entities, hit.entity)];
            let moved = way * f64::from(hit.distance);
            let gap = capsule.gap(&body, moved);
            prop_assert!(gap.abs() < ROUNDING, "{body:?}: {gap}");
            prop_assert!(body.distance(hit.point.as_dvec3()).abs() < ROUNDING);
            // The normal leads from the point to the core.
            let on_core = hit.point.as_dvec3() + hit.normal.as_dvec3() * f64::from(capsule.radius);
            let [start, end] = capsule.ends(moved);
            let t = (on_core - start).dot(end - start) / (end - start).length_squared().max(1e-12);
            let miss = start.lerp(end, t.clamp(0.0, 1.0)).distance(on_core);
            prop_assert!(miss < ROUNDING, "{miss}");
        }
        let end = hit.map_or(MAX, |hit| hit.distance);
        for x in points_on_way(Vec3::ZERO, direction, f64::from(end)).step_by(5) {
            for body in &solids {
                let gap = capsule.gap(body, x);
                prop_assert!(gap > -ROUNDING, "{body:?}: {gap}");
            }
        }
    }

    /// One capsule moves to the other as far as the other to the one.
    #[test]
    fn two_capsules_may_change_places(one in moving(), other in moving(), direction in direction()) {
        let standing = |capsule: &Moving| Solid {
            form: Form::Capsule { radius: capsule.radius, half: 0.5 * capsule.length },
            place: Transform::from_isometry(capsule.from),
        };
        prop_assume!(one.gap(&standing(&other), DVec3::ZERO) > ROUNDING);
        let there = one.cast(&mut app_of(&[standing(&other)]).0, direction);
        let back = other.cast(&mut app_of(&[standing(&one)]).0, -direction);
        match (there, back) {
            (None, None) => {}
            (Some(there), Some(back)) => {
                prop_assert!((there.distance - back.distance).abs() < ROUNDING as f32);
                prop_assert!(there.normal.distance(-back.normal) < 1e-2);
            }
            // One of the two just misses the other.
            (Some(hit), None) | (None, Some(hit)) => {
                prop_assert!(hit.normal.dot(*direction).abs() < 1e-2, "{hit:?}");
            }
        }
    }

    /// A capsule without length is a ball.
    #[test]
    fn a_capsule_without_length_is_a_ball(solids in solids(), capsule in moving(), direction in direction()) {
        let (mut app, _) = app_of(&solids);
        let ball = Moving { length: 0.0, ..capsule };
        let hit = ball.cast(&mut app, direction);
        let from = capsule.from.translation.into();
        let expected = ask(&mut app, |query| query.cast_ball(ball.radius, from, direction, MAX, &all()));
        prop_assert_eq!(hit, expected);
    }

    /// On its way to a mesh, a capsule overlaps nothing. Where it hits, a capsule that is a little thicker overlaps the mesh.
    /// Beyond its rim, a capsule may come to the mesh from behind, where it has no surface.
    #[test]
    fn a_capsule_moves_down_to_a_mesh(
        heights in vec(-0.6..0.6f32, 25),
        capsule in moving(),
        down in direction(),
        place in rotation(),
    ) {
        let mut app = app(60.0);
        let field = Collider::height_field(&heights, 5, Vec2::splat(6.0));
        app.world_mut().spawn((field, Transform::from_rotation(place)));
        // From above the mesh, wherever the mesh's up is.
        let up = place * Vec3::Y;
        let from = place * (Vec3::from(capsule.from.translation) * Vec3::new(0.4, 0.0, 0.4));
        let capsule = Moving { from: Isometry3d::new(from + up * 4.0, capsule.from.rotation), ..capsule };
        let direction = Dir3::new(-2.0 * up + *down).unwrap();
        let hit = capsule.cast(&mut app, direction);
        let way = direction.as_dvec3().normalize();
        let end = hit.map_or(MAX, |hit| hit.distance);
        if hit.is_some() {
            let touch = way * f64::from(end);
            prop_assert_eq!(capsule.overlaps(&mut app, touch, SHELL), 1);
        }
        let is_within_rim = |end: DVec3| {
            let local = place.inverse() * end.as_vec3();
            local.xz().abs().max_element() < 3.0
        };
        let ways = points_on_way(Vec3::ZERO, direction, f64::from(end)).step_by(5);
        for x in ways.filter(|&x| capsule.ends(x).into_iter().all(is_within_rim)) {
            prop_assert_eq!(capsule.overlaps(&mut app, x, -SHELL), 0, "{}", x.length());
        }
    }
}

/// A capsule in a pipe of curved triangles touches it where a circle in a circle does: the end that is farther from the axis is
/// at the distance R − r from it.
#[test]
fn a_capsule_touches_a_curved_pipe_with_an_end() {
    let (pipe, radius) = (1.0, 0.25);
    let mut app = app(60.0);
    app.world_mut().spawn(curved_pipe(pipe));
    for k in 0..60 {
        let angle = TAU * k as f32 / 60.0 + 0.01;
        let tilt = Quat::from_rotation_x(0.5 * TAU / 4.0 * (k % 7) as f32 / 7.0);
        let axis_along_pipe = Quat::from_rotation_x(TAU / 4.0);
        let capsule = Moving {
            radius,
            length: 0.8,
            from: Isometry3d::new(Vec3::new(0.1, 0.1, 0.4), tilt * axis_along_pipe),
        };
        let way = Dir3::new(Vec3::new(angle.cos(), angle.sin(), 0.3)).unwrap();
        let hit = capsule.cast(&mut app, way).expect("the pipe is around it");
        let ends = capsule.ends(way.as_dvec3() * f64::from(hit.distance));
        let farther = ends.map(|end| end.truncate().length());
        let farther = farther[0].max(farther[1]);
        assert_near("end in pipe", farther, f64::from(pipe - radius), 2e-4);
    }
}
