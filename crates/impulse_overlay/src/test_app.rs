//! A world with a window and a camera for tests, without anything that draws.

use bevy::{
    camera::{CameraProjection, PerspectiveProjection, RenderTargetInfo},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
    window::PrimaryWindow,
};
use bevy_impulse_collide::prelude::*;

use crate::{
    Overlay, drag, input,
    select::{Selection, select_clicked},
};

const SIZE: UVec2 = UVec2::new(800, 600);

/// With the earth's gravity. The camera at z = 10 looks along −Z, and the cursor is in the middle.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        TransformPlugin,
        ImpulseCollidePlugin { interpolate: false },
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(Gravity(Vec3::NEG_Y * 9.81))
    .insert_resource(Overlay {
        open: true,
        key: None,
    })
    .init_resource::<ButtonInput<MouseButton>>()
    .init_resource::<ButtonInput<KeyCode>>()
    .init_resource::<input::PanelArea>()
    .init_resource::<Selection>()
    .add_systems(Update, select_clicked)
    .add_systems(Last, forget_presses);
    drag::plugin(&mut app);
    let window = Window {
        resolution: SIZE.into(),
        ..default()
    };
    app.world_mut().spawn((window, PrimaryWindow));
    add_camera(&mut app, ());
    point_at(&mut app, Vec3::ZERO);
    app.update();
    app
}

/// A camera as Bevy's renderer would make it.
pub(crate) fn add_camera(app: &mut App, more: impl Bundle) -> Entity {
    let lens = PerspectiveProjection {
        aspect_ratio: SIZE.x as f32 / SIZE.y as f32,
        ..default()
    };
    let mut camera = Camera::default();
    camera.computed.clip_from_view = lens.get_clip_from_view();
    camera.computed.target_info = Some(RenderTargetInfo {
        physical_size: SIZE,
        scale_factor: 1.0,
    });
    let place = Transform::from_xyz(0.0, 0.0, 10.0);
    app.world_mut()
        .spawn((camera, Camera3d::default(), place, more))
        .id()
}

fn forget_presses(
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
) {
    buttons.clear();
    keys.clear();
}

/// Moves the cursor to where a point of the world is seen.
pub(crate) fn point_at(app: &mut App, point: Vec3) {
    let world = app.world_mut();
    let mut cameras = world.query::<(&Camera, &Transform)>();
    let (camera, place) = cameras.iter(world).next().expect("it has a camera");
    let seen = camera.world_to_viewport(&GlobalTransform::from(*place), point);
    let cursor = seen.expect("it is before the camera");
    let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
    let mut window = windows.single_mut(world).expect("it has a window");
    window.set_cursor_position(Some(cursor));
}

pub(crate) fn press(app: &mut App) {
    buttons(app).press(MouseButton::Left);
}

pub(crate) fn release(app: &mut App) {
    buttons(app).release(MouseButton::Left);
}

fn buttons(app: &mut App) -> Mut<'_, ButtonInput<MouseButton>> {
    app.world_mut().resource_mut()
}

/// A press and a release.
pub(crate) fn click(app: &mut App) {
    press(app);
    app.update();
    release(app);
    app.update();
}

pub(crate) fn place(app: &App, entity: Entity) -> Transform {
    let place = app.world().get::<Transform>(entity);
    *place.expect("it has a place")
}
