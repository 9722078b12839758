//! The player's hands: the mouse aims the cue, pulls it back and lets it go, puts a ball in hand down and points at the
//! pocket that is called; keys aim finely, raise the cue and choose where its tip meets the ball.

use bevy::{
    ecs::system::SystemParam,
    input::{common_conditions::input_pressed, mouse::AccumulatedMouseMotion},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::input::EguiWantsInput;
use scene_kit::window::{DragSettings, keys_are_free, pointer_is_free};

use super::{calling::Clicked, menu::Menu, pad, swing::Swing, view::View};
use crate::{
    play::{
        cue::{Cue, LARGEST_OFFSET, LONGEST_PULL, MoveCue, STEEPEST, Stroke},
        drill::DRILLS,
        history::{History, Replay, Undo},
        matches::Match,
        referee::Ask,
        state::{Game, Phase, Rerack, Shot},
    },
    rules::{Ball, Call, Discipline},
    table::bed::Table,
};

/// How fast the keys move the tip, in ball radii per second.
const TIP_SPEED: f32 = 0.5;
/// How fast the keys raise the cue and turn it, in radians per second.
const RAISING_SPEED: f32 = 0.4;
const TURNING_SPEED: f32 = 0.12;
/// How far the cue turns with the mouse seen along it, in radians per pixel, and how much less with Shift.
const TURN_PER_PIXEL: f32 = 0.002;
const FINE: f32 = 0.1;
/// How much faster time runs with the key for it.
const FAST: f32 = 4.0;
/// While it is held, the mouse strokes the cue.
const STROKE: KeyCode = KeyCode::KeyS;
/// Metres that the cue moves with a pixel of the mouse.
const STROKE_PER_PIXEL: f32 = 0.001;
/// The cue ball is grabbed within this number of radii of its centre.
const GRAB: f32 = 1.6;

/// The cue ball follows the mouse, for it is in hand.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grabbed(pub bool);

/// Lets the player play with mouse and keys.
pub(super) struct HandsPlugin;

impl Plugin for HandsPlugin {
    fn build(&self, app: &mut App) {
        // Without the inspector, only the cue moves balls.
        app.insert_resource(DragSettings::default())
            .init_resource::<Grabbed>()
            .insert_resource(pad::keys())
            .add_systems(
                Update,
                (
                    (
                        press.run_if(pointer_is_free).run_if(not(over_panels)),
                        carry,
                        aim.run_if(pointer_is_free).run_if(not(over_panels)),
                        (
                            stroke.run_if(keys_are_free),
                            pad::play,
                            pull.run_if(not(input_pressed(STROKE)).and_then(not(pad::draws))),
                        )
                            .chain(),
                        cancel,
                        (move_tip, raise, turn).run_if(keys_are_free),
                    )
                        .chain()
                        .run_if(may_play),
                    (keys, hurry)
                        .run_if(keys_are_free)
                        .run_if(not(menu_is_open)),
                )
                    .chain()
                    .before(MoveCue),
            );
    }
}

/// Run condition: the mouse is over one of the game's panels.
fn over_panels(egui: Option<Res<EguiWantsInput>>) -> bool {
    egui.is_some_and(|egui| egui.is_pointer_over_area() || egui.wants_pointer_input())
}

fn menu_is_open(menu: Res<Menu>) -> bool {
    menu.open
}

/// Run condition: it is a player's turn at this machine, and all balls lie still.
fn may_play(game: Res<Game>, on: Res<Match>, menu: Res<Menu>) -> bool {
    let waits = on
        .frame
        .as_ref()
        .is_none_or(|frame| frame.cue_ball().is_some());
    game.phase == Phase::Aim && on.is_human_turn() && waits && !menu.open
}

/// The mouse on the table.
#[derive(SystemParam)]
struct Pointer<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
    balls: Query<'w, 's, (&'static Ball, &'static Transform)>,
    table: Res<'w, Table>,
}

impl Pointer<'_, '_> {
    /// The point at the height of the balls' centres that the mouse points at.
    fn at(&self) -> Option<Vec2> {
        let (camera, transform) = *self.camera;
        let ray = camera
            .viewport_to_world(transform, self.window.cursor_position()?)
            .ok()?;
        let point =
            ray.plane_intersection_point(Vec3::Y * self.radius(), InfinitePlane3d::new(Vec3::Y))?;
        Some(point.xz())
    }

    /// Radius of the balls, in m.
    fn radius(&self) -> f32 {
        self.table.spec.ball.radius
    }

    fn cue_ball(&self) -> Option<Vec2> {
        let mut balls = self.balls.iter();
        let (_, place) = balls.find(|(ball, _)| **ball == Ball::CUE)?;
        Some(place.translation.xz())
    }

    /// What lies at a point of the table.
    fn clicked(&self, point: Vec2) -> Option<Clicked> {
        let balls = self.balls.iter();
        let balls = balls.map(|(ball, place)| (*ball, place.translation.xz()));
        Clicked::at(point, &self.table, balls)
    }

    /// The call that a click on this means.
    fn call(&self, on: &Match, clicked: Clicked) -> Option<Call> {
        let frame = on.frame.as_ref().filter(|frame| frame.must_call())?;
        let balls = self.balls.iter();
        let balls: Vec<(Ball, Vec2)> = balls
            .map(|(ball, place)| (*ball, place.translation.xz()))
            .filter(|(ball, _)| frame.balls().contains(*ball))
            .collect();
        clicked.call(frame, &self.table, self.cue_ball()?, &balls)
    }
}

/// The left button goes down: on a pocket that may be called, on a cue ball in hand, or to pull the cue back.
fn press(
    pointer: Pointer,
    mut cue: ResMut<Cue>,
    mut grabbed: ResMut<Grabbed>,
    mut asks: MessageWriter<Ask>,
    on: Res<Match>,
    buttons: Res<ButtonInput<MouseButton>>,
) {
    if !buttons.just_pressed(MouseButton::Left) || cue.stroke != Stroke::Aim {
        return;
    }
    let (Some(point), Some(ball)) = (pointer.at(), pointer.cue_ball()) else {
        return;
    };
    // A press on a ball may be the start of a shot: once there is a call, only a click calls another ball.
    let clicked = pointer.clicked(point);
    let calls = clicked.filter(|clicked| clicked.is_pocket() || on.needs_call());
    if let Some(call) = calls.and_then(|clicked| pointer.call(&on, clicked)) {
        asks.write(Ask::Call(Some(call)));
    } else if on.area().is_some() && ball.distance(point) < GRAB * pointer.radius() {
        grabbed.0 = true;
    } else if on.may_shoot() {
        cue.stroke = Stroke::Pull {
            grip: point,
            back: 0.0,
        };
    }
}

fn carry(
    pointer: Pointer,
    mut grabbed: ResMut<Grabbed>,
    mut asks: MessageWriter<Ask>,
    buttons: Res<ButtonInput<MouseButton>>,
) {
    if !grabbed.0 {
        return;
    }
    if !buttons.pressed(MouseButton::Left) {
        grabbed.0 = false;
    } else if let Some(point) = pointer.at() {
        asks.write(Ask::Place(point));
    }
}

fn aim(
    pointer: Pointer,
    mut cue: ResMut<Cue>,
    grabbed: Res<Grabbed>,
    view: Res<View>,
    motion: Res<AccumulatedMouseMotion>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut last: Local<Option<Vec2>>,
) {
    let orbits = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    let cursor = pointer.window.cursor_position();
    // Keys may have turned the cue since: a mouse at rest leaves it there.
    let rests = std::mem::replace(&mut *last, cursor) == cursor;
    if cue.stroke != Stroke::Aim || grabbed.0 || orbits || rests {
        return;
    }
    let fine = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if *view == View::Cue || fine {
        let slower = if fine { FINE } else { 1.0 };
        cue.turn(motion.delta.x * TURN_PER_PIXEL * slower);
        return;
    }
    let (Some(point), Some(ball)) = (pointer.at(), pointer.cue_ball()) else {
        return;
    };
    let way = point - ball;
    if way.length() > GRAB * pointer.radius() {
        cue.direction = way.normalize();
    }
}

fn pull(
    pointer: Pointer,
    mut cue: ResMut<Cue>,
    mut asks: MessageWriter<Ask>,
    on: Res<Match>,
    buttons: Res<ButtonInput<MouseButton>>,
) {
    let Stroke::Pull { grip, back } = cue.stroke else {
        return;
    };
    // A pointer outside the window keeps the pull as it is.
    let back = pointer.at().map_or(back, |point| {
        (grip - point).dot(cue.direction).clamp(0.0, LONGEST_PULL)
    });
    let let_go = buttons.just_released(MouseButton::Left);
    if let_go
        && !Stroke::is_shot(back)
        && let Some(clicked) = pointer.clicked(grip)
        && let Some(call) = pointer.call(&on, clicked)
    {
        asks.write(Ask::Call(Some(call)));
    }
    cue.stroke = match buttons.pressed(MouseButton::Left) {
        true => Stroke::Pull { grip, back },
        false if let_go => Stroke::let_go(back),
        false => Stroke::Aim,
    };
}

/// While its key is held, the mouse strokes the cue: back to draw it, and forward through the ball, as fast as it shall be.
fn stroke(
    mut cue: ResMut<Cue>,
    mut swing: Local<Swing>,
    on: Res<Match>,
    motion: Res<AccumulatedMouseMotion>,
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time<Real>>,
) {
    if !keys.pressed(STROKE) {
        if keys.just_released(STROKE) && matches!(cue.stroke, Stroke::Pull { .. }) {
            cue.stroke = Stroke::Aim;
        }
        return;
    }
    if keys.just_pressed(STROKE) && cue.stroke == Stroke::Aim && on.may_shoot() {
        *swing = Swing::default();
        cue.stroke = Stroke::BEGUN;
    }
    let Stroke::Pull { grip, back } = cue.stroke else {
        return;
    };
    let forward = -motion.delta.y * STROKE_PER_PIXEL;
    cue.stroke = match swing.move_by(forward, time.delta_secs(), back) {
        Some(speed) => Stroke::Strike {
            back: Cue::pull_for(speed),
            left: 0.0,
        },
        None => Stroke::Pull {
            grip,
            back: (back - forward).clamp(0.0, LONGEST_PULL),
        },
    };
}

fn cancel(
    mut cue: ResMut<Cue>,
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
) {
    let asked = buttons.just_pressed(MouseButton::Right) || keys.just_pressed(KeyCode::Escape);
    if asked && matches!(cue.stroke, Stroke::Pull { .. }) {
        cue.stroke = Stroke::Aim;
    }
}

fn axis(keys: &ButtonInput<KeyCode>, plus: KeyCode, minus: KeyCode) -> f32 {
    f32::from(keys.pressed(plus)) - f32::from(keys.pressed(minus))
}

fn move_tip(mut cue: ResMut<Cue>, keys: Res<ButtonInput<KeyCode>>, time: Res<Time>) {
    let way = Vec2::new(
        axis(&keys, KeyCode::ArrowRight, KeyCode::ArrowLeft),
        axis(&keys, KeyCode::ArrowUp, KeyCode::ArrowDown),
    );
    if way != Vec2::ZERO {
        cue.tip = (cue.tip + way * TIP_SPEED * time.delta_secs()).clamp_length_max(LARGEST_OFFSET);
    }
}

fn raise(mut cue: ResMut<Cue>, keys: Res<ButtonInput<KeyCode>>, time: Res<Time>) {
    let way = axis(&keys, KeyCode::PageUp, KeyCode::PageDown);
    if way != 0.0 {
        cue.raised = (cue.raised + way * RAISING_SPEED * time.delta_secs()).clamp(0.0, STEEPEST);
    }
}

fn turn(mut cue: ResMut<Cue>, keys: Res<ButtonInput<KeyCode>>, time: Res<Time>) {
    let way = axis(&keys, KeyCode::KeyD, KeyCode::KeyA);
    if way != 0.0 && cue.stroke == Stroke::Aim {
        cue.turn(way * TURNING_SPEED * time.delta_secs());
    }
}

/// While a key is held, balls that roll and the computer are faster than they are.
fn hurry(keys: Res<ButtonInput<KeyCode>>, game: Res<Game>, mut time: ResMut<Time<Virtual>>) {
    if game.phase == Phase::Replay {
        return;
    }
    if keys.just_pressed(KeyCode::KeyF) {
        time.set_relative_speed(FAST);
    } else if keys.just_released(KeyCode::KeyF) {
        time.set_relative_speed(1.0);
    }
}

/// Keys that need no cue.
fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    game: Res<Game>,
    on: Res<Match>,
    mut undo: MessageWriter<Undo>,
    mut replay: MessageWriter<Replay>,
    mut rerack: MessageWriter<Rerack>,
    mut asks: MessageWriter<Ask>,
    mut shots: MessageWriter<Shot>,
    history: Res<History>,
) {
    if keys.just_pressed(KeyCode::KeyZ) {
        undo.write(Undo);
    }
    let stop = game.phase == Phase::Replay && keys.just_pressed(KeyCode::Escape);
    if keys.just_pressed(KeyCode::Space) || stop {
        replay.write(Replay);
    }
    let free = matches!(on.discipline(), None | Some(Discipline::FreeTable));
    if free && keys.just_pressed(KeyCode::KeyR) {
        rerack.write(Rerack);
    }
    if let Some(practice) = on.practice.filter(|_| keys.just_pressed(KeyCode::Tab)) {
        asks.write(Ask::Practise((practice.drill + 1) % DRILLS.len()));
    }
    if keys.just_pressed(KeyCode::Enter) {
        asks.write(Ask::NextFrame);
        if let Some(blow) = history.opened() {
            shots.write(Shot(blow));
        }
    }
}
