//! What is drawn lies where the physics is.

use std::any::TypeId;

use bevy::{
    color::Mix,
    gizmos::GizmoHandles,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};

use super::{ImpulseGizmos, ImpulseGizmosPlugin};
use crate::prelude::*;

/// An app with the earth's gravity that draws nothing yet.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .init_resource::<Assets<GizmoAsset>>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_plugins(ImpulseGizmosPlugin);
    draw(&mut app, |gizmos| {
        gizmos.bodies = false;
        gizmos.colliders = false;
        gizmos.contacts = false;
        gizmos.joints = false;
    });
    app.update();
    app
}

fn draw(app: &mut App, change: impl FnOnce(&mut ImpulseGizmos)) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    change(store.config_mut::<ImpulseGizmos>().1);
}

/// The lines of the last frame in a colour, or in any.
fn lines(app: &App, color: Option<Color>) -> Vec<[Vec3; 2]> {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&TypeId::of::<ImpulseGizmos>()) else {
        return Vec::new();
    };
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let drawn = assets.get(handle).expect("it is drawn").buffer().buffer();
    let color = color.map(LinearRgba::from);
    let is_of_color = |of: LinearRgba| color.is_none_or(|color| color == of);
    let (pairs, _) = drawn.list_positions.as_chunks::<2>();
    let (colors, _) = drawn.list_colors.as_chunks::<2>();
    let single = pairs.iter().zip(colors);
    let single = single.filter(|(_, colors)| is_of_color(colors[0]));
    // NaN parts two strips.
    let strips = drawn.strip_positions.windows(2).zip(drawn.strip_colors);
    let strips =
        strips.filter(|(ends, color)| ends.iter().all(|x| x.is_finite()) && is_of_color(**color));
    let strips = strips.map(|(ends, _)| [ends[0], ends[1]]);
    single.map(|(ends, _)| *ends).chain(strips).collect()
}

fn points(lines: &[[Vec3; 2]]) -> impl Iterator<Item = Vec3> {
    lines.iter().flatten().copied()
}

/// Balls of radius 0.5 that lie in columns on a floor, three metres apart, each with this number of balls.
fn columns(app: &mut App, heights: &[u32]) -> Vec<Vec<Entity>> {
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let column = |(i, &height): (usize, &u32)| {
        let place = |k: u32| Transform::from_xyz(3.0 * i as f32, 0.5 + k as f32, 0.0);
        let balls = (0..height).map(|k| (Particle::new(0.5), Friction(0.5), place(k)));
        app.world_mut()
            .spawn_batch(balls.collect::<Vec<_>>())
            .collect()
    };
    heights.iter().enumerate().map(column).collect()
}

fn steps(app: &mut App, n: usize) {
    for _ in 0..n {
        app.update();
    }
}

#[test]
fn the_lines_of_round_bodies_lie_on_their_surface() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    draw(&mut app, |gizmos| gizmos.bodies = true);
    let place = Transform::from_xyz(1.0, 2.0, 3.0)
        .with_rotation(Quat::from_rotation_x(0.7))
        .with_scale(Vec3::splat(2.0));
    let ball = app.world_mut().spawn((Particle::new(0.3), place)).id();
    app.update();
    let drawn = lines(&app, None);
    assert!(!drawn.is_empty());
    for x in points(&drawn) {
        assert!((x.distance(place.translation) - 0.6).abs() < 1e-5);
    }

    app.world_mut().despawn(ball);
    app.world_mut().spawn((Capsule::new(0.3, 1.0), place));
    app.update();
    let drawn = lines(&app, None);
    assert!(!drawn.is_empty());
    let axis = place.rotation * Vec3::Y;
    for x in points(&drawn) {
        let along = axis.dot(x - place.translation).clamp(-1.0, 1.0);
        let core = place.translation + axis * along;
        assert!((x.distance(core) - 0.6).abs() < 1e-5, "{x}");
    }
}

#[test]
fn a_collider_is_drawn_where_it_stands() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.colliders = true);
    let place = Transform::from_xyz(1.0, 2.0, 3.0)
        .with_rotation(Quat::from_rotation_z(0.7))
        .with_scale(Vec3::new(1.0, 2.0, 3.0));
    app.world_mut()
        .spawn((Collider::cuboid(2.0, 2.0, 2.0), place));
    app.update();
    let drawn = lines(&app, None);
    assert_eq!(drawn.len(), 12);
    let corner = Vec3::new(1.0, 2.0, 3.0);
    for x in points(&drawn) {
        let local = place.rotation.inverse() * (x - place.translation);
        assert!(local.abs().distance(corner) < 1e-5, "{local}");
    }
}

#[test]
fn the_colour_tells_kind_and_sleep() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.bodies = true);
    let colors = ImpulseGizmos::default();
    columns(&mut app, &[1]);
    let at = |x: f32| Transform::from_xyz(x, 5.0, 0.0);
    let kinds = [RigidBody::Kinematic, RigidBody::Static];
    for (kind, x) in kinds.into_iter().zip([10.0, 20.0]) {
        app.world_mut().spawn((Particle::new(0.5), kind, at(x)));
    }
    let is_drawn = |app: &App, color: Color, at: Vec3| {
        let drawn = lines(app, Some(color));
        points(&drawn).any(|x| (x.distance(at) - 0.5).abs() < 0.01)
    };
    let ball = Vec3::new(0.0, 0.5, 0.0);
    steps(&mut app, 3);
    assert!(is_drawn(&app, colors.dynamic_color, ball));
    assert!(!is_drawn(&app, colors.asleep_color, ball));
    assert!(is_drawn(
        &app,
        colors.kinematic_color,
        Vec3::new(10.0, 5.0, 0.0)
    ));
    assert!(is_drawn(
        &app,
        colors.static_color,
        Vec3::new(20.0, 5.0, 0.0)
    ));
    steps(&mut app, 300);
    assert!(!is_drawn(&app, colors.dynamic_color, ball));
    assert!(is_drawn(&app, colors.asleep_color, ball));
}

#[test]
fn each_contact_has_an_arrow_along_its_normal() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.contacts = true);
    columns(&mut app, &[2, 1]);
    steps(&mut app, 30);
    let drawn = lines(&app, Some(ImpulseGizmos::default().contact_color));
    let contacts: Vec<Contact> = app.world().resource::<Contacts>().iter().copied().collect();
    assert_eq!(contacts.len(), 3);
    for contact in &contacts {
        let arrow = [contact.point, contact.point + 0.5 * contact.normal];
        assert!(drawn.contains(&arrow), "{contact:?}");
    }
    // Nothing is drawn that belongs to no contact.
    for x in points(&drawn) {
        let is_near = |contact: &Contact| contact.point.distance(x) < 0.51;
        assert!(contacts.iter().any(is_near), "{x}");
    }
}

#[test]
fn contacts_are_those_of_all_bodies_or_of_the_selected_one() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.contacts = true);
    let columns = columns(&mut app, &[1, 1]);
    let selected = columns[1][0];
    steps(&mut app, 30);
    let are_drawn = |app: &mut App| {
        app.update();
        let drawn = lines(app, Some(ImpulseGizmos::default().contact_color));
        [0.0, 3.0].map(|x| points(&drawn).any(|point| (point.x - x).abs() < 0.6))
    };
    assert_eq!(are_drawn(&mut app), [true, true]);
    draw(&mut app, |gizmos| gizmos.selected_only = true);
    assert_eq!(are_drawn(&mut app), [false, false]);
    draw(&mut app, |gizmos| gizmos.selected = Some(selected));
    assert_eq!(are_drawn(&mut app), [false, true]);
}

/// Two radii are the impulse that carries the weight of a ball; a column's lowest contact carries all of it.
#[test]
fn the_impulse_under_a_column_is_as_long_as_the_column_is_heavy() {
    let mut app = app();
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    draw(&mut app, |gizmos| gizmos.impulses = true);
    columns(&mut app, &[3]);
    steps(&mut app, 300);
    let drawn = lines(&app, Some(ImpulseGizmos::default().impulse_color));
    let longest = drawn.iter().map(|[start, end]| start.distance(*end));
    let longest = longest.fold(0.0, f32::max);
    assert!((longest - 3.0 * 2.0 * 0.5).abs() < 0.03, "{longest} m");
}

#[test]
fn a_velocity_leads_to_where_the_body_will_be() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    draw(&mut app, |gizmos| {
        gizmos.velocities = true;
        gizmos.velocity_seconds = 0.5;
    });
    let velocity = LinearVelocity(Vec3::new(3.0, 4.0, 0.0));
    app.world_mut().spawn((Particle::new(0.1), velocity));
    app.update();
    let ends: Vec<Vec3> = lines(&app, None).iter().map(|line| line[1]).collect();
    let there = (1.0 / 64.0 + 0.5) * velocity.0;
    assert!(
        ends.iter().any(|end| end.distance(there) < 1e-4),
        "{ends:?}"
    );
}

#[test]
fn links_join_the_bodies_of_an_island_in_one_colour() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.islands = true);
    columns(&mut app, &[3, 2, 1]);
    steps(&mut app, 20);
    let drawn = lines(&app, None);
    let in_column = |i: usize| {
        let is_there = move |x: &Vec3| (x.x - 3.0 * i as f32).abs() < 0.1;
        drawn
            .iter()
            .filter(move |line| line.iter().all(is_there))
            .count()
    };
    assert_eq!([0, 1, 2].map(in_column), [2, 1, 0]);
    assert_eq!(drawn.len(), 3);
    // Once all sleep, all have the colour of sleep.
    let asleep = Some(ImpulseGizmos::default().asleep_color);
    assert_eq!(lines(&app, asleep).len(), 0);
    steps(&mut app, 300);
    assert_eq!(lines(&app, asleep).len(), 3);
}

#[test]
fn a_box_holds_its_body() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.bounds = true);
    let ball = columns(&mut app, &[1])[0][0];
    for _ in 0..30 {
        app.update();
        let drawn = lines(&app, None);
        let low = points(&drawn).fold(Vec3::INFINITY, Vec3::min);
        let high = points(&drawn).fold(Vec3::NEG_INFINITY, Vec3::max);
        let x = app.world().get::<Transform>(ball).unwrap().translation;
        assert!((x - 0.5).cmpge(low).all() && (x + 0.5).cmple(high).all());
        assert!(
            (high - low).max_element() < 2.0,
            "it is no wider than need be"
        );
    }
}

/// A ball that a joint holds to the world, 1 m from its point.
fn held_ball(app: &mut App, drives: impl Bundle) -> Entity {
    app.insert_resource(Gravity::ZERO);
    let place = Transform::from_xyz(1.0, 0.0, 0.0);
    let ball = app.world_mut().spawn((Particle::new(0.3), place)).id();
    let hinge = Joint::revolute(None, ball, Vec3::Z).at(Vec3::ZERO);
    app.world_mut().spawn((hinge, drives)).id()
}

#[test]
fn a_joint_is_drawn_from_its_point_to_the_body() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.joints = true);
    held_ball(&mut app, ());
    steps(&mut app, 2);
    let drawn = lines(&app, None);
    let ends = [Vec3::X, Vec3::ZERO];
    let is_arm = |line: &&[Vec3; 2]| (0..2).all(|k| line[k].distance(ends[k]) < 1e-3);
    assert_eq!(drawn.iter().filter(is_arm).count(), 1, "{drawn:?}");
    assert!(lines(&app, Some(ImpulseGizmos::default().strained_color)).is_empty());
}

#[test]
fn a_joint_whose_body_has_gone_or_that_is_off_does_no_harm() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.joints = true);
    let joint = held_ball(&mut app, JointDisabled);
    steps(&mut app, 2);
    let colors = ImpulseGizmos::default();
    assert!(!lines(&app, Some(colors.disabled_color)).is_empty());
    let ball = app.world().get::<Joint>(joint).expect("it is a joint").b;
    app.world_mut().despawn(ball);
    steps(&mut app, 2);
    assert!(lines(&app, None).is_empty());
}

/// The ball on an arm of 1 m turns at 1 rad/s: with half of the strength that its centripetal force takes, the colour is half red.
#[test]
fn the_colour_of_a_joint_tells_how_near_it_is_to_break() {
    let mut app = app();
    draw(&mut app, |gizmos| gizmos.joints = true);
    let joint = held_ball(&mut app, JointStrength::force(2.0));
    let ball = app.world().get::<Joint>(joint).expect("it is a joint").b;
    let motion = (Mass(1.0), LinearVelocity(Vec3::Y), AngularVelocity(Vec3::Z));
    app.world_mut().entity_mut(ball).insert(motion);
    steps(&mut app, 5);
    let colors = ImpulseGizmos::default();
    let force = app.world().get::<JointForce>(joint).expect("it is a joint");
    let load = force.force.length() / 2.0;
    assert!((load - 0.5).abs() < 0.01, "{load}");
    let [free, strained] = [colors.joint_color, colors.strained_color].map(Hsla::from);
    let half = free.mix(&strained, load).into();
    assert!(!lines(&app, Some(half)).is_empty());
}

#[test]
fn gizmos_that_are_off_draw_nothing() {
    let mut app = app();
    draw(&mut app, |gizmos| *gizmos = ImpulseGizmos::default());
    columns(&mut app, &[2]);
    steps(&mut app, 10);
    assert!(!lines(&app, None).is_empty());
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<ImpulseGizmos>().0.enabled = false;
    app.update();
    assert!(lines(&app, None).is_empty());
}
