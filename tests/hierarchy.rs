//! Bodies anywhere in a hierarchy, and colliders that turn about another point than their origin.

use bevy::{
    ecs::{entity_disabling::Disabled, system::SystemState},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

/// The place of an entity in the world, from the `Transform`s of its parents.
fn world_place(app: &App, mut entity: Entity) -> GlobalTransform {
    let mut place = GlobalTransform::from(get::<Transform>(app, entity));
    while let Some(child_of) = app.world().get::<ChildOf>(entity) {
        entity = child_of.parent();
        place = GlobalTransform::from(get::<Transform>(app, entity)) * place;
    }
    place
}

fn elastic() -> impl Bundle {
    (Restitution(1.0), Friction(0.0))
}

fn any_place() -> impl Strategy<Value = Transform> {
    let vector = |most: f32| prop::array::uniform3(-most..most).prop_map(Vec3::from);
    (vector(3.0), vector(3.0), 0.5..2.0f32).prop_map(|(x, turn, scale)| Transform {
        translation: x,
        rotation: Quat::from_scaled_axis(turn),
        scale: Vec3::splat(scale),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A child flies as the same body without parents, also if its parents move in each step: they do not drag it.
    #[test]
    fn parents_do_not_change_the_flight_of_a_dynamic_child(
        parent in any_place(),
        middle in any_place(),
        local in any_place(),
        moves in any::<bool>(),
    ) {
        let mut app = app_with_gravity(60.0);
        let world = app.world_mut();
        world.spawn((Plane::new(Vec3::Y), Transform::from_xyz(0.0, -20.0, 0.0)));
        let parent = world.spawn(parent).id();
        let middle = world.spawn((middle, ChildOf(parent))).id();
        let motion = (LinearVelocity(Vec3::X), AngularVelocity(Vec3::Z));
        let body = (Capsule::new(0.2, 0.5), Mass(2.0), Restitution(0.5), motion);
        let child = world.spawn((body, local, ChildOf(middle))).id();
        let alone = world_place(&app, child).compute_transform();
        // Far enough not to be met.
        let far = Vec3::Z * 100.0;
        let alone = alone.with_translation(alone.translation + far);
        let body = (Capsule::new(0.2, 0.5), Mass(2.0), Restitution(0.5), motion);
        let alone = app.world_mut().spawn((body, alone)).id();
        for k in 0..90 {
            // The place before the first step is the place in which it starts.
            if moves && k > 0 {
                let mut place = app.world_mut().get_mut::<Transform>(parent).expect("it has one");
                place.translation.x += 0.01 * k as f32;
                place.rotate_y(0.05);
            }
            steps(&mut app, 1);
            let place = world_place(&app, child);
            let (x, law) = (place.translation(), position(&app, alone) - far);
            prop_assert!(x.abs_diff_eq(law, 1e-3), "step {k}: {x} is not {law}");
            prop_assert!(velocity(&app, child).abs_diff_eq(velocity(&app, alone), 2e-3));
        }
    }

    /// A child collider of a kinematic body is a part of it: it hits an elastic ball with the velocity of its point, v + ω × r.
    #[test]
    fn a_child_collider_hits_with_the_velocity_of_its_point(
        is_moved_by_transform in any::<bool>(),
        is_grandchild in any::<bool>(),
        w in 1.0..8.0f32,
        d in 1.0..3.0f32,
        scale in 0.5..2.0f32,
        parts in 1..3u32,
    ) {
        let hz = 240.0;
        let mut app = app(hz);
        app.world_mut().resource_mut::<CollisionConfig>().substeps = parts;
        let world = app.world_mut();
        let hub = (Collider::cuboid(0.1, 0.1, 0.1), Transform::from_scale(Vec3::splat(scale)));
        let hub = match is_moved_by_transform {
            true => world.spawn((hub, MovedByTransform::default())).id(),
            false => world.spawn((hub, RigidBody::Kinematic, AngularVelocity(Vec3::Z * w))).id(),
        };
        let mut parent = hub;
        let mut at = Transform::from_xyz(d / scale, 0.0, 0.0);
        if is_grandchild {
            let arm = Transform::from_xyz(0.5 * d / scale, 0.1, 0.0).with_rotation(Quat::from_rotation_x(0.4));
            parent = world.spawn((arm, ChildOf(hub))).id();
            at = Transform::from_matrix((arm.to_matrix().inverse()) * at.to_matrix());
        }
        let pad = (Collider::cuboid(0.4 / scale, 0.2 / scale, 0.4 / scale), elastic());
        let pad = world.spawn((pad, at, ChildOf(parent))).id();
        // The pad's upper face is flat on the ball at this angle.
        let turned = Quat::from_rotation_z(0.3);
        let place = Transform::from_translation(turned * Vec3::new(d, 0.1 + 0.05, 0.0));
        let ball = world.spawn((Particle::new(0.05), elastic(), place)).id();
        let n = (0.3 / w * hz as f32) as usize + 4;
        for k in 1..=n {
            if is_moved_by_transform {
                let turned = Quat::from_rotation_z(w * k as f32 / hz as f32);
                app.world_mut().get_mut::<Transform>(hub).expect("it has one").rotation = turned;
            }
            steps(&mut app, 1);
            let law = world_place(&app, hub).rotation() * Vec3::X * d;
            let x = world_place(&app, pad).translation();
            prop_assert!(x.abs_diff_eq(law, 1e-4), "{x} is not {law}");
        }
        let law = turned * Vec3::Y * (2.0 * w * d);
        let v = velocity(&app, ball);
        prop_assert!(v.abs_diff_eq(law, 3e-3 * w * d), "{v} is not {law}");
    }

    /// The pivot stays where it is, and the angle is ω·t. A ball that the flipper hits at the distance d from the pivot leaves with
    /// 2·ω·d.
    #[test]
    fn a_flipper_swings_about_its_pivot(
        w in 1.0..12.0f32,
        d in 0.4..1.6f32,
        yaw in -3.0..3.0f32,
        hz in prop::sample::select(vec![60.0, 120.0, 240.0]),
        is_moved_by_transform in any::<bool>(),
    ) {
        let mut app = app(hz);
        let start = Transform::from_xyz(1.0, 2.0, 3.0).with_rotation(Quat::from_rotation_y(yaw));
        let pivot = Vec3::new(-1.0, 0.05, 0.0);
        let hinge = start.transform_point(pivot);
        let axis = start.rotation * Vec3::Z;
        let flipper = (Collider::cuboid(2.0, 0.1, 0.4), elastic(), Pivot(pivot), start);
        let flipper = match is_moved_by_transform {
            true => app.world_mut().spawn((flipper, MovedByTransform::default())).id(),
            false => {
                let spins = (RigidBody::Kinematic, AngularVelocity(axis * w));
                app.world_mut().spawn((flipper, spins)).id()
            }
        };
        let upright = start.rotation * Quat::from_rotation_z(0.4);
        let ball = Transform::from_translation(hinge + upright * Vec3::new(d, 0.08, 0.0));
        let ball = app.world_mut().spawn((Particle::new(0.08), elastic(), ball)).id();
        let n = (0.4 / w * hz as f32) as usize + 3;
        for k in 1..=n {
            let turned = Quat::from_axis_angle(axis, w * k as f32 / hz as f32);
            let law = hinge + turned * (start.translation - hinge);
            if is_moved_by_transform {
                let mut place = app.world_mut().get_mut::<Transform>(flipper).expect("it has one");
                place.translation = law;
                place.rotation = turned * start.rotation;
            }
            steps(&mut app, 1);
            let place = get::<Transform>(&app, flipper);
            let still = place.transform_point(pivot);
            prop_assert!(still.abs_diff_eq(hinge, 1e-5), "{still} is not {hinge}");
            let (x, q) = (place.translation, turned * start.rotation);
            prop_assert!(x.abs_diff_eq(law, 1e-5), "{x} is not {law}");
            prop_assert!(place.rotation.angle_between(q) < 1e-3 || place.rotation.dot(q).abs() > 1.0 - 1e-6);
        }
        let law = upright * Vec3::Y * (2.0 * w * d);
        let v = velocity(&app, ball);
        prop_assert!(v.abs_diff_eq(law, 5e-3 * w * d), "{v} is not {law}");
    }
}

/// After ten thousand steps of constant ω, and with a write of ω in each, the pivot has not moved by more than rounding.
#[test]
fn a_pivot_does_not_drift() {
    for writes in [false, true] {
        let mut app = app(60.0);
        let start = Transform::from_xyz(0.3, -0.7, 0.2);
        let pivot = Vec3::new(-0.4, 0.1, 0.7);
        let hinge = start.transform_point(pivot);
        let w = AngularVelocity(Vec3::new(0.3, 1.0, -0.2) * 3.0);
        let door = (
            Collider::cuboid(1.0, 2.0, 0.1),
            RigidBody::Kinematic,
            Pivot(pivot),
            w,
            start,
        );
        let door = app.world_mut().spawn(door).id();
        for _ in 0..10_000 {
            if writes {
                app.world_mut().entity_mut(door).insert(w);
            }
            steps(&mut app, 1);
        }
        let still = get::<Transform>(&app, door).transform_point(pivot);
        assert!(still.abs_diff_eq(hinge, 1e-5), "{still} is not {hinge}");
    }
}

/// A child of a scaled, moved parent collides where it is, and rests there.
#[test]
fn a_child_collides_where_it_is_seen() {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    let place = Transform::from_xyz(5.0, 1.0, 0.0).with_scale(Vec3::splat(2.0));
    let parent = world.spawn(place).id();
    world.spawn((Collider::cuboid(2.0, 0.5, 2.0), ChildOf(parent)));
    // A second ball is a child itself: its radius is 0.2 in the world.
    let balls = [
        world
            .spawn((
                Particle::new(0.2),
                Restitution(0.0),
                Transform::from_xyz(5.0, 2.0, 0.0),
            ))
            .id(),
        world
            .spawn((
                Particle::new(0.1),
                Restitution(0.0),
                Transform::from_xyz(0.4, 0.5, 0.3),
                ChildOf(parent),
            ))
            .id(),
    ];
    steps(&mut app, 240);
    for ball in balls {
        let x = world_place(&app, ball).translation();
        assert_near("on the box", x.y.into(), 1.0 + 0.5 + 0.2, 1e-3);
        assert!(get::<Sleep>(&app, ball).is_asleep());
    }
    // Where a sleeping child is does not change with its parent.
    let before = world_place(&app, balls[1]).translation();
    app.world_mut()
        .get_mut::<Transform>(parent)
        .expect("it has one")
        .translation
        .y += 1e-3;
    steps(&mut app, 1);
    let x = world_place(&app, balls[1]).translation();
    assert!(x.abs_diff_eq(before, 2e-3), "{x}");
}

/// Queries see a child where it is.
#[test]
fn queries_see_children() {
    use bevy::ecs::system::SystemState;
    let mut app = app(60.0);
    let world = app.world_mut();
    let parent = world.spawn(Transform::from_xyz(5.0, 0.0, 0.0)).id();
    let child = (
        Collider::cuboid(1.0, 1.0, 1.0),
        Transform::from_xyz(0.0, 0.0, 2.0),
        ChildOf(parent),
    );
    let child = world.spawn(child).id();
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    for x in [5.0, 7.0] {
        let mut place = app
            .world_mut()
            .get_mut::<Transform>(parent)
            .expect("it has one");
        place.translation.x = x;
        app.world_mut().increment_change_tick();
        let query = state.get(app.world()).expect("the plugin is there");
        let ray = Ray3d::new(Vec3::new(x, 3.0, 2.0), Dir3::NEG_Y);
        let hit = query.cast_ray(ray, 10.0, &SpatialFilter::default());
        let hit = hit.expect("the child is under it");
        assert_eq!(hit.entity, child);
        assert_near("distance", hit.distance.into(), 2.5, 1e-5);
    }
}

/// Shear by parents, and a static child of a dynamic body, are told, and the body is left out.
#[test]
fn what_no_body_can_be_is_told() {
    let told = |parent: &dyn Fn(&mut World) -> Entity, child: &dyn Fn(&mut World) -> Entity| {
        let mut app = app(60.0);
        let parent = parent(app.world_mut());
        let child = child(app.world_mut());
        app.world_mut().entity_mut(child).insert(ChildOf(parent));
        let mut told = Vec::new();
        for _ in 0..5 {
            steps(&mut app, 1);
            let all = messages::<BadInput>(&app);
            told.extend(
                all.iter()
                    .filter(|bad| bad.entity == child)
                    .map(|bad| bad.problem),
            );
        }
        assert_eq!(told.len(), 1, "{told:?}");
        told[0]
    };
    let stretched = |world: &mut World| {
        world
            .spawn(Transform::from_scale(Vec3::new(1.0, 2.0, 1.0)))
            .id()
    };
    let turned = Transform::from_rotation(Quat::from_rotation_z(0.5));
    let problem = told(&stretched, &|world| {
        world.spawn((Collider::cuboid(1.0, 1.0, 1.0), turned)).id()
    });
    let of_scale = |problem: InputProblem, reason| {
        let expected = InputProblem::of_field::<Transform>("scale", reason, Vec3::ONE);
        assert!(problem.is_like(&expected), "{problem:?}");
    };
    of_scale(problem, ProblemReason::Sheared);
    let problem = told(&stretched, &|world| world.spawn(Particle::new(0.5)).id());
    of_scale(problem, ProblemReason::UnevenScale);
    let ball = |world: &mut World| world.spawn(Particle::new(0.5)).id();
    let problem = told(&ball, &|world| {
        world.spawn(Collider::cuboid(1.0, 1.0, 1.0)).id()
    });
    assert_eq!(
        problem,
        InputProblem::of::<ChildOf>(ProblemReason::ChildOfDynamicBody, ProblemValue::Nothing)
    );
    let problem = told(&ball, &|world| {
        world.spawn((Capsule::new(0.1, 0.5), Pivot(Vec3::X))).id()
    });
    assert_eq!(
        problem,
        InputProblem::of::<Pivot>(ProblemReason::WithoutCollider, Vec3::X)
    );
}

/// The height in m at which a ray from above, at this x and z, meets a body.
fn height_at(app: &mut App, x: Vec3) -> f32 {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).expect("the plugin is there");
    let ray = Ray3d::new(x.with_y(100.0), Dir3::NEG_Y);
    let hit = query.cast_ray(ray, 200.0, &SpatialFilter::default());
    100.0 - hit.expect("something is below").distance
}

/// A static child stands where its parents put it, also while one of them is disabled: in the step, and for queries. What sleeps on it
/// sleeps on.
#[test]
fn a_disabled_parent_keeps_its_static_children_where_they_are() {
    type Dress = fn(EntityWorldMut);
    let parents: [(&str, Dress); 4] = [
        ("a node", |_| {}),
        ("a static body", |mut it| {
            it.insert(Collider::cuboid(0.5, 0.5, 0.5));
        }),
        ("a kinematic body", |mut it| {
            it.insert((Collider::cuboid(0.5, 0.5, 0.5), RigidBody::Kinematic));
        }),
        ("a body that moves", |mut it| {
            let motion = (
                LinearVelocity(Vec3::X * 0.5),
                AngularVelocity(Vec3::Y * 0.2),
            );
            it.insert((
                Collider::cuboid(0.5, 0.5, 0.5),
                RigidBody::Kinematic,
                motion,
            ));
        }),
    ];
    for (name, dress) in parents {
        for is_outer in [false, true] {
            let mut app = app_with_gravity(60.0);
            let world = app.world_mut();
            let turned = Quat::from_rotation_y(0.7);
            let outer = Transform::from_xyz(1.0, 2.0, 0.0).with_rotation(turned);
            let outer = world.spawn(outer).id();
            let inner = Transform::from_xyz(0.5, 3.0, 1.0).with_scale(Vec3::splat(2.0));
            let inner = world.spawn((inner, ChildOf(outer))).id();
            let parent = if is_outer { outer } else { inner };
            dress(world.entity_mut(parent));
            let slab = (
                Collider::cuboid(1.0, 0.5, 1.0),
                Transform::from_xyz(2.0, 0.25, 0.0),
            );
            let child = world.spawn((slab, ChildOf(inner))).id();
            let top = |app: &App| world_place(app, child).transform_point(Vec3::Y * 0.25);
            let start = top(&app);
            let moves = name == "a body that moves";
            let above = Transform::from_translation(start + Vec3::Y * 0.1);
            let ball = (Particle::new(0.1), above);
            let ball = (!moves).then(|| app.world_mut().spawn(ball).id());
            steps(&mut app, 120);
            let lies_at = ball.map_or(Vec3::ZERO, |ball| position(&app, ball));
            for k in 0..4 {
                let before = top(&app);
                let mut it = app.world_mut().entity_mut(parent);
                if k % 2 == 0 {
                    it.insert(Disabled);
                } else {
                    it.remove::<Disabled>();
                }
                let mut stays = !moves || k % 2 == 0;
                for step in 0..30 {
                    app.update();
                    let law = format!("{name}, outer: {is_outer}, change {k}, step {step}");
                    let now = top(&app);
                    let beside = now + Vec3::new(0.3, 0.0, 0.3);
                    let height = height_at(&mut app, beside);
                    assert_near(&law, height.into(), now.y.into(), 1e-5);
                    assert_eq!(now == before, stays, "{law}");
                    if let Some(ball) = ball {
                        let sinks = position(&app, ball).distance(lies_at);
                        assert_near(&law, sinks.into(), 0.0, 1e-5);
                        // A part of a kinematic body becomes a static body.
                        let is_part = name == "a kinematic body";
                        assert!(is_part || get::<Sleep>(&app, ball).is_asleep(), "{law}");
                    }
                    stays &= !moves || k % 2 == 0;
                }
            }
        }
    }
}
