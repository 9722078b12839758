//! What a scene needs to be watched: a camera to fly, light, coloured meshes for its bodies, shared keys and on-screen help.

use std::ops::RangeInclusive;

use bevy::{
    anti_alias::smaa::Smaa,
    input::{
        common_conditions::input_just_pressed,
        mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollUnit},
    },
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder},
    math::FloatOrd,
    platform::collections::HashMap,
    prelude::*,
};
use bevy_egui::input::EguiWantsInput;
use bevy_impulse_collide::prelude::*;
use bevy_impulse_overlay::{OverlayPointer, keyboard_in_overlay};

/// Everything in this module. [`scene_app`](crate::scene_app) adds it to an app that has a window.
pub struct WindowedScenePlugin;

impl Plugin for WindowedScenePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<OrbitCamera>()
            .register_type::<BodyColor>()
            .register_type::<BodyMesh>()
            .init_resource::<KeyHelp>()
            .init_resource::<StatusLine>()
            .init_resource::<BodyMeshes>()
            .add_systems(Startup, spawn_texts)
            .add_systems(
                Update,
                (
                    toggle_pause.run_if(input_just_pressed(KeyCode::KeyP)),
                    step_once.run_if(input_just_pressed(KeyCode::KeyN)),
                )
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    (steer_cameras, place_cameras).chain(),
                    dress_bodies,
                    show_key_help.run_if(resource_changed::<KeyHelp>),
                    show_status.run_if(resource_changed::<StatusLine>),
                    show_paused.run_if(resource_changed::<StepControl>),
                ),
            );
    }
}

/// A camera that circles a point: drag with the right button to orbit, with the middle one (or Shift and the right one) to
/// pan, turn the wheel to zoom. Set the fields at any time; the view glides there.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Debug, Clone)]
// Smoothed edges for a fraction of multisampling's work, which a renderer without a GPU cannot do in time.
#[require(Camera3d, Msaa::Off, Smaa)]
pub struct OrbitCamera {
    /// The point looked at.
    pub focus: Vec3,
    /// Angle about Y in radians; at 0 the camera is on the +Z side of the focus.
    pub yaw: f32,
    /// Angle above the horizon in radians, between -π/2 and π/2.
    pub pitch: f32,
    /// Metres to the focus.
    pub distance: f32,
    /// How near and how far the wheel may take the camera, in metres.
    pub distances: RangeInclusive<f32>,
    /// Radians above the horizon that dragging can reach.
    pub pitches: RangeInclusive<f32>,
    /// Turns by itself at this many rad/s, until the player takes over.
    pub turn_rate: f32,
    /// Where the view is on its glide: focus, yaw, pitch and distance.
    shown: Option<(Vec3, f32, f32, f32)>,
}

impl OrbitCamera {
    /// Seconds in which a glide covers all but 1/e of its way.
    const GLIDE: f32 = 0.08;

    /// Looks at `focus` from `distance` metres, `yaw` about Y and `pitch` above the horizon, both in radians.
    pub fn new(focus: Vec3, yaw: f32, pitch: f32, distance: f32) -> Self {
        Self {
            focus,
            yaw,
            pitch,
            distance,
            distances: 0.1 * distance..=5.0 * distance,
            pitches: -1.5..=1.5,
            turn_rate: 0.0,
            shown: None,
        }
    }

    /// The same camera, turning by itself at `turn_rate` rad/s until the player takes over.
    pub fn turning(mut self, turn_rate: f32) -> Self {
        self.turn_rate = turn_rate;
        self
    }

    /// Keeps dragging within `pitches` radians above the horizon: start at 0 to stay above the ground.
    pub fn with_pitches(mut self, pitches: RangeInclusive<f32>) -> Self {
        self.pitches = pitches;
        self
    }

    fn rotation(yaw: f32, pitch: f32) -> Quat {
        Quat::from_euler(EulerRot::YXZ, yaw, -pitch, 0.0)
    }
}

/// What the pressed mouse button does to the camera.
#[derive(Clone, Copy, PartialEq)]
enum Drag {
    Orbit,
    Pan,
}

fn steer_cameras(
    mut cameras: Query<&mut OrbitCamera>,
    mut drag: Local<Option<Drag>>,
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<AccumulatedMouseMotion>,
    scroll: Res<AccumulatedMouseScroll>,
    overlay: OverlayPointer,
    egui: Option<Res<EguiWantsInput>>,
    time: Res<Time<Real>>,
) {
    let free = !overlay.is_over() && !egui.is_some_and(|egui| egui.is_pointer_over_area());
    let held = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    if !held {
        *drag = None;
    } else if free && buttons.any_just_pressed([MouseButton::Right, MouseButton::Middle]) {
        let pan = buttons.pressed(MouseButton::Middle)
            || keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        *drag = Some(if pan { Drag::Pan } else { Drag::Orbit });
    }
    let notches = match scroll.unit {
        MouseScrollUnit::Line => scroll.delta.y,
        MouseScrollUnit::Pixel => scroll.delta.y / 100.0,
    };
    for mut camera in &mut cameras {
        if free && notches != 0.0 {
            let (near, far) = (*camera.distances.start(), *camera.distances.end());
            camera.distance = (camera.distance * 0.88f32.powf(notches)).clamp(near, far);
        }
        match *drag {
            Some(Drag::Orbit) => {
                camera.turn_rate = 0.0;
                let (low, high) = (*camera.pitches.start(), *camera.pitches.end());
                camera.yaw -= 0.005 * motion.delta.x;
                camera.pitch = (camera.pitch + 0.005 * motion.delta.y).clamp(low, high);
            }
            Some(Drag::Pan) => {
                // About one world length at the focus per length on the screen.
                let metres = 0.0012 * camera.distance * motion.delta;
                let shift = OrbitCamera::rotation(camera.yaw, camera.pitch)
                    * Vec3::new(-metres.x, metres.y, 0.0);
                camera.focus += shift;
            }
            None if camera.turn_rate != 0.0 => camera.yaw += camera.turn_rate * time.delta_secs(),
            None => {}
        }
    }
}

fn place_cameras(mut cameras: Query<(&mut OrbitCamera, &mut Transform)>, time: Res<Time<Real>>) {
    let kept = (-time.delta_secs() / OrbitCamera::GLIDE).exp();
    for (mut camera, mut transform) in &mut cameras {
        let target = (camera.focus, camera.yaw, camera.pitch, camera.distance);
        let (focus, yaw, pitch, distance) = camera.shown.map_or(target, |shown| {
            (
                target.0.lerp(shown.0, kept),
                target.1.lerp(shown.1, kept),
                target.2.lerp(shown.2, kept),
                target.3.lerp(shown.3, kept),
            )
        });
        let rotation = OrbitCamera::rotation(yaw, pitch);
        transform.set_if_neq(Transform {
            translation: focus + rotation * Vec3::Z * distance,
            rotation,
            ..default()
        });
        camera.bypass_change_detection().shown = Some((focus, yaw, pitch, distance));
    }
}

/// The sun: a directional light of `illuminance` lux that shines from `from` towards the origin and casts shadows up to
/// `shadow_distance` metres from the camera.
pub fn sun(
    illuminance: f32,
    from: Vec3,
    shadow_distance: f32,
) -> (DirectionalLight, CascadeShadowConfig, Transform) {
    let light = DirectionalLight {
        illuminance,
        shadow_maps_enabled: true,
        ..default()
    };
    let shadows = CascadeShadowConfigBuilder {
        num_cascades: 1,
        maximum_distance: shadow_distance,
        ..default()
    };
    (
        light,
        shadows.build(),
        Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y),
    )
}

/// Gives a [`Particle`], [`Capsule`] or [`Plane`] a mesh of its size. Without a window it does nothing.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct BodyMesh;

/// Gives a body a mesh of its size in this colour. For a material of your own, spawn [`BodyMesh`] beside it instead.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(BodyMesh)]
pub struct BodyColor(pub Color);

/// Meshes and materials that bodies of the same size or colour share, so that they are drawn together.
#[derive(Resource, Default)]
struct BodyMeshes {
    balls: HashMap<FloatOrd, Handle<Mesh>>,
    capsules: HashMap<(FloatOrd, FloatOrd), Handle<Mesh>>,
    materials: HashMap<[u8; 4], Handle<StandardMaterial>>,
}

/// Metres from its point to which a half-space is drawn.
const PLANE_HALF_SIZE: f32 = 200.0;

fn dress_bodies(
    mut commands: Commands,
    mut cache: ResMut<BodyMeshes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    shapes: Query<
        (Entity, Option<&Particle>, Option<&Capsule>, Option<&Plane>),
        (
            With<BodyMesh>,
            Or<(
                Added<BodyMesh>,
                Changed<Particle>,
                Changed<Capsule>,
                Changed<Plane>,
            )>,
        ),
    >,
    colors: Query<(Entity, &BodyColor), Changed<BodyColor>>,
) {
    for (entity, particle, capsule, plane) in &shapes {
        let mesh = if let Some(&Particle { radius }) = particle {
            let ball = || meshes.add(Sphere::new(radius).mesh().uv(32, 18));
            cache
                .balls
                .entry(FloatOrd(radius))
                .or_insert_with(ball)
                .clone()
        } else if let Some(&Capsule { radius, length }) = capsule {
            let capsule = || meshes.add(Capsule3d::new(radius, length));
            cache
                .capsules
                .entry((FloatOrd(radius), FloatOrd(length)))
                .or_insert_with(capsule)
                .clone()
        } else if let Some(normal) = plane.and_then(|plane| Dir3::new(plane.normal).ok()) {
            meshes.add(Plane3d::new(*normal, Vec2::splat(PLANE_HALF_SIZE)))
        } else {
            continue;
        };
        commands.entity(entity).try_insert(Mesh3d(mesh));
    }
    for (entity, color) in &colors {
        let material = || {
            materials.add(StandardMaterial {
                base_color: color.0,
                perceptual_roughness: 0.5,
                ..default()
            })
        };
        let shared = cache
            .materials
            .entry(color.0.to_srgba().to_u8_array())
            .or_insert_with(material);
        commands
            .entity(entity)
            .try_insert(MeshMaterial3d(shared.clone()));
    }
}

/// Run condition for systems that read keys: no text field of the inspector is taking them.
pub fn keys_are_free(egui: Option<Res<EguiWantsInput>>) -> bool {
    !keyboard_in_overlay(egui)
}

/// Run condition for systems that read the mouse: it is not on the inspector.
pub fn pointer_is_free(pointer: OverlayPointer) -> bool {
    !pointer.is_over()
}

fn toggle_pause(mut control: ResMut<StepControl>) {
    control.paused = !control.paused;
    control.pending_steps = 0;
}

fn step_once(mut control: ResMut<StepControl>) {
    control.paused = true;
    control.pending_steps += 1;
}

/// What the scene's keys do, drawn at the bottom left above the shared keys. Change it at any time.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyHelp(pub Vec<(String, String)>);

impl KeyHelp {
    /// Keys every scene has.
    const SHARED: [(&str, &str); 5] = [
        ("Right drag", "orbit"),
        ("Wheel", "zoom"),
        ("P", "pause"),
        ("N", "single step"),
        ("F1", "inspector"),
    ];

    /// Of pairs of a key's name and what it does.
    pub fn new<K: Into<String>, A: Into<String>>(lines: impl IntoIterator<Item = (K, A)>) -> Self {
        Self(
            lines
                .into_iter()
                .map(|(key, action)| (key.into(), action.into()))
                .collect(),
        )
    }
}

/// A line at the top, for what the player should know now: the score, whose turn it is, how fast it spins. Empty: none.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct StatusLine(pub String);

#[derive(Component)]
struct KeyHelpPanel;

#[derive(Component)]
struct StatusPanel;

#[derive(Component)]
struct StatusText;

#[derive(Component)]
struct PausedSign;

const PANEL_COLOR: Color = Color::srgba(0.02, 0.025, 0.04, 0.84);
const KEY_COLOR: Color = Color::srgb(1.0, 0.82, 0.45);
const TEXT_COLOR: Color = Color::srgb(0.92, 0.93, 0.95);

fn panel(node: Node) -> impl Bundle {
    (
        Node {
            padding: UiRect::axes(px(12), px(8)),
            border_radius: BorderRadius::all(px(6)),
            ..node
        },
        BackgroundColor(PANEL_COLOR),
        // What is under the panel stays clickable.
        Pickable::IGNORE,
    )
}

fn label(text: impl Into<String>, size: f32, color: Color) -> impl Bundle {
    (
        Text::new(text),
        TextFont::from_font_size(size),
        TextColor(color),
        Pickable::IGNORE,
    )
}

fn spawn_texts(mut commands: Commands) {
    commands.spawn((
        KeyHelpPanel,
        panel(Node {
            position_type: PositionType::Absolute,
            left: px(12),
            bottom: px(12),
            display: Display::Grid,
            grid_template_columns: vec![GridTrack::max_content(), GridTrack::max_content()],
            column_gap: px(14),
            row_gap: px(3),
            ..default()
        }),
    ));
    // The inspector opens at the right, so this column is at the left.
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            left: px(12),
            top: px(12),
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::FlexStart,
            row_gap: px(8),
            ..default()
        },
        Pickable::IGNORE,
        children![
            (
                StatusPanel,
                panel(default()),
                children![(StatusText, label("", 18.0, TEXT_COLOR))]
            ),
            (
                PausedSign,
                panel(default()),
                children![label(
                    "Paused: P goes on, N makes one step",
                    18.0,
                    KEY_COLOR
                )],
            ),
        ],
    ));
}

fn show_key_help(
    mut commands: Commands,
    help: Res<KeyHelp>,
    panel: Single<Entity, With<KeyHelpPanel>>,
) {
    let shared = KeyHelp::SHARED.into_iter();
    let own = help
        .0
        .iter()
        .map(|(key, action)| (key.as_str(), action.as_str()));
    let lines: Vec<_> = own
        .chain(shared)
        .map(|(key, action)| (key.to_owned(), action.to_owned()))
        .collect();
    commands
        .entity(*panel)
        .despawn_related::<Children>()
        .with_children(|panel| {
            for (key, action) in lines {
                panel.spawn(label(key, 16.0, KEY_COLOR));
                panel.spawn(label(action, 16.0, TEXT_COLOR));
            }
        });
}

fn show_status(
    status: Res<StatusLine>,
    panel: Single<&mut Visibility, With<StatusPanel>>,
    text: Single<&mut Text, With<StatusText>>,
) {
    let visibility = if status.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    };
    panel.into_inner().set_if_neq(visibility);
    text.into_inner().set_if_neq(Text::new(status.0.clone()));
}

fn show_paused(control: Res<StepControl>, sign: Single<&mut Visibility, With<PausedSign>>) {
    let visibility = if control.paused {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    sign.into_inner().set_if_neq(visibility);
}
