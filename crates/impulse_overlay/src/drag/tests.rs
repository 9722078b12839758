//! Dragged bodies follow the cursor, and are let go.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{Drag, DragSettings, IsDrag};
use crate::{
    Overlay,
    input::OverlayPointer,
    test_app::{app, place, point_at, press, release},
};

fn add_ball(app: &mut App, more: impl Bundle) -> Entity {
    let ball = app.world_mut().spawn((Particle::new(0.5), more)).id();
    app.update();
    ball
}

/// Presses Ctrl and the button at a point.
fn grab(app: &mut App, at: Vec3) {
    point_at(app, at);
    app.world_mut()
        .resource_mut::<ButtonInput<KeyCode>>()
        .press(KeyCode::ControlLeft);
    press(app);
}

fn dragged(app: &App) -> Option<Entity> {
    app.world().resource::<Drag>().body()
}

fn springs(app: &mut App) -> usize {
    let mut springs = app.world_mut().query::<&IsDrag>();
    springs.iter(app.world()).count()
}

/// The held point of the body.
fn grip(app: &App) -> Vec3 {
    let held = app.world().resource::<Drag>().0.expect("it is dragged");
    place(app, held.body).transform_point(held.grip)
}

#[test]
fn a_body_of_any_mass_comes_to_the_cursor_within_a_second_and_is_let_go() {
    for mass in [1e-3, 1.0, 1e3] {
        let mut app = app();
        app.insert_resource(Gravity::ZERO);
        let ball = add_ball(&mut app, Mass(mass));
        app.insert_resource(Gravity(Vec3::NEG_Y * 9.81));
        grab(&mut app, Vec3::ZERO);
        app.update();
        assert_eq!(dragged(&app), Some(ball), "{mass} kg");
        let start = grip(&app);
        let goal = Vec3::new(2.0, 1.0, 0.5);
        point_at(&mut app, goal);
        let way = goal - start;
        let mut farthest = 0.0_f32;
        for _ in 0..64 {
            app.update();
            let done = (grip(&app) - start).dot(way) / way.length_squared();
            farthest = farthest.max(done);
        }
        let off = grip(&app).distance(goal);
        println!("{mass} kg: {off} m off after 1 s, and {farthest} of the way at most");
        assert!(off < 0.05, "{mass} kg: {off} m off");
        assert!(farthest < 1.2, "{mass} kg: {farthest} of the way");

        release(&mut app);
        app.update();
        assert_eq!((dragged(&app), springs(&mut app)), (None, 0));
        let velocity = |app: &App| app.world().get::<LinearVelocity>(ball).unwrap().0;
        let before = velocity(&app);
        for _ in 0..64 {
            app.update();
        }
        let fall = velocity(&app) - before;
        assert!(
            fall.distance(Vec3::NEG_Y * 9.81) < 0.01,
            "{mass} kg: {fall}"
        );
    }
}

#[test]
fn it_takes_ctrl_and_a_dynamic_body_and_an_open_overlay() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    let ball = add_ball(&mut app, ());
    press(&mut app);
    app.update();
    assert_eq!(dragged(&app), None, "without Ctrl");
    release(&mut app);
    app.update();

    app.world_mut().resource_mut::<Overlay>().open = false;
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(dragged(&app), None, "hidden");
    release(&mut app);
    app.update();

    app.insert_resource(DragSettings {
        while_hidden: true,
        ..default()
    });
    grab(&mut app, Vec3::X * 3.0);
    app.update();
    assert_eq!(dragged(&app), None, "beside it");
    release(&mut app);
    app.update();

    app.world_mut().entity_mut(ball).insert(RigidBody::Static);
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(dragged(&app), None, "static");
    release(&mut app);
    app.update();

    app.world_mut().entity_mut(ball).insert(RigidBody::Dynamic);
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(dragged(&app), Some(ball));
}

/// The wall may be of glass. But another body in front is the one that is taken.
#[test]
fn a_wall_in_front_does_not_count_and_a_body_does() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    let ball = add_ball(&mut app, ());
    let wall = Transform::from_xyz(0.0, 0.0, 3.0);
    app.world_mut()
        .spawn((Collider::cuboid(1.0, 1.0, 0.1), wall));
    app.update();
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(dragged(&app), Some(ball));
    release(&mut app);
    app.update();
    let other = add_ball(&mut app, Transform::from_xyz(0.0, 0.0, 5.0));
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(dragged(&app), Some(other));
}

#[test]
fn a_scene_leaves_the_mouse_alone_until_the_release_is_over() {
    #[derive(Resource, Default)]
    struct IsFree(Vec<bool>);
    let mut app = app();
    app.insert_resource(Gravity::ZERO)
        .init_resource::<IsFree>()
        .add_systems(
            Update,
            |pointer: OverlayPointer, mut free: ResMut<IsFree>| {
                free.0.push(!pointer.is_over());
            },
        );
    add_ball(&mut app, ());
    app.world_mut().resource_mut::<IsFree>().0.clear();
    app.update();
    grab(&mut app, Vec3::ZERO);
    app.update();
    app.update();
    release(&mut app);
    app.update();
    app.update();
    let free = &app.world().resource::<IsFree>().0;
    assert_eq!(free[..], [true, false, false, false, true]);
}

/// The body goes in a frame with several steps, as one that merges with another does.
#[test]
fn a_body_that_goes_ends_the_drag() {
    let mut app = app();
    let ball = add_ball(&mut app, ());
    grab(&mut app, Vec3::ZERO);
    app.update();
    assert_eq!(springs(&mut app), 1);
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(3))
        .add_systems(FixedUpdate, move |mut commands: Commands| {
            if let Ok(mut ball) = commands.get_entity(ball) {
                ball.try_despawn();
            }
        });
    app.update();
    assert_eq!((dragged(&app), springs(&mut app)), (None, 0));
    let problems = app.world().resource::<Messages<BadInput>>();
    assert_eq!(problems.len(), 0, "no step looked for the body");
}

#[test]
fn a_joint_or_a_camera_that_goes_ends_the_drag() {
    for takes_camera in [false, true] {
        let mut app = app();
        app.insert_resource(Gravity::ZERO);
        add_ball(&mut app, ());
        grab(&mut app, Vec3::ZERO);
        app.update();
        let held = app.world().resource::<Drag>().0.expect("it is dragged");
        let gone = if takes_camera {
            held.camera
        } else {
            held.joint
        };
        app.world_mut().despawn(gone);
        app.update();
        assert_eq!((dragged(&app), springs(&mut app)), (None, 0));
    }
}

#[test]
fn a_pause_holds_the_body_until_it_is_over() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    let ball = add_ball(&mut app, ());
    app.world_mut().resource_mut::<StepControl>().paused = true;
    grab(&mut app, Vec3::ZERO);
    app.update();
    point_at(&mut app, Vec3::new(1.0, 0.0, 0.5));
    for _ in 0..30 {
        app.update();
    }
    assert_eq!(place(&app, ball).translation, Vec3::ZERO);
    app.world_mut().resource_mut::<StepControl>().paused = false;
    for _ in 0..64 {
        app.update();
    }
    assert!(grip(&app).distance(Vec3::new(1.0, 0.0, 0.5)) < 0.02);
}

#[test]
fn a_drag_wakes_a_sleeping_body() {
    let mut app = app();
    let floor = (Plane::new(Vec3::Y), Transform::from_xyz(0.0, -0.5, 0.0));
    app.world_mut().spawn(floor);
    let ball = add_ball(&mut app, Friction(0.5));
    for _ in 0..200 {
        app.update();
    }
    let sleeps = |app: &App| app.world().get::<Sleep>(ball).unwrap().is_asleep();
    assert!(sleeps(&app));
    grab(&mut app, Vec3::ZERO);
    app.update();
    point_at(&mut app, Vec3::new(0.0, 1.0, 0.5));
    for _ in 0..64 {
        app.update();
    }
    assert!(grip(&app).distance(Vec3::new(0.0, 1.0, 0.5)) < 0.05);
}

/// The part of a compound carries the whole, with a scale.
#[test]
fn a_part_pulls_its_compound() {
    let mut app = app();
    app.insert_resource(Gravity::ZERO);
    let parts = children![
        (Particle::new(0.2), Transform::from_xyz(-0.5, 0.0, 0.0)),
        (Particle::new(0.2), Transform::from_xyz(0.5, 0.0, 0.0)),
    ];
    let whole = (Compound, Transform::from_scale(Vec3::splat(2.0)), parts);
    let whole = app.world_mut().spawn(whole).id();
    app.update();
    grab(&mut app, Vec3::X);
    app.update();
    assert!(dragged(&app).is_some_and(|part| part != whole));
    point_at(&mut app, Vec3::new(3.0, 0.0, 0.4));
    for _ in 0..64 {
        app.update();
    }
    let drag = app.world().resource::<Drag>().0.expect("it is dragged");
    let part = app.world().get::<GlobalTransform>(drag.body).unwrap();
    let off = part.transform_point(drag.grip).distance(drag.target);
    assert!(off < 0.05, "{off} m off");
    assert!(place(&app, whole).translation.x > 1.0);
}
