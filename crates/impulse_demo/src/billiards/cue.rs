//! The player's cue: the mouse aims it, pulls it back and lets it go; keys raise it and choose where its tip meets the ball.

use bevy::{input::common_conditions::input_just_pressed, prelude::*, window::PrimaryWindow};

use super::{
    balls::{Ball, RADIUS},
    game::{Game, Phase, Rerack, Shot},
    strike::{Blow, MISCUE},
    table::{RAIL_HEIGHT, Table},
};
use crate::window::{keys_are_free, pointer_is_free};

/// How far the cue can be pulled back, in metres.
pub const LONGEST_PULL: f32 = 0.45;
/// Speed in m/s of a ball shot from there, hit squarely.
pub const FASTEST_SHOT: f32 = 10.0;
/// A shorter pull is no shot.
const SHORTEST_PULL: f32 = 0.01;
/// How fast the keys move the tip, in ball radii per second.
const TIP_SPEED: f32 = 0.5;
/// Just inside what the tip holds, whatever rounding makes of it.
const LARGEST_OFFSET: f32 = 0.999 * MISCUE;
/// How fast the keys raise the cue, in radians per second, and how far.
const RAISING_SPEED: f32 = 0.4;
const STEEPEST: f32 = 1.4;
/// Even on the open bed the butt is a little higher than the tip, in radians.
const FLATTEST: f32 = 0.04;
/// Between the rail and the middle of the cue over it, in metres.
const OVER_RAIL: f32 = 0.02;

/// What the player does with the cue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stroke {
    /// Aims; the cue follows the mouse.
    #[default]
    Aim,
    /// Holds the button; the aim stays.
    Pull {
        /// Point of the bed where the button went down.
        grip: Vec2,
        /// How far the tip is drawn back, in metres.
        back: f32,
    },
    /// Let go: the tip is on its way to the ball.
    Strike {
        /// How far it was drawn back.
        back: f32,
        /// How far it still has to go.
        left: f32,
    },
    /// The ball is hit.
    Done,
}

/// The cue in the player's hands.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// Where it points: a unit vector on the bed.
    pub direction: Vec2,
    /// Where its tip meets the ball: right and up from the centre, in ball radii.
    pub tip: Vec2,
    /// How far the player raises its butt, in radians.
    pub raised: f32,
    /// What the player does with it.
    pub stroke: Stroke,
}

impl Default for Cue {
    fn default() -> Self {
        Self {
            direction: Vec2::X,
            tip: Vec2::ZERO,
            raised: 0.0,
            stroke: Stroke::Aim,
        }
    }
}

impl Cue {
    /// Speed in m/s of a shot pulled `back` metres. It grows with the square, so that soft shots are easy to measure out.
    pub fn speed(back: f32) -> f32 {
        FASTEST_SHOT * (back / LONGEST_PULL).powi(2)
    }

    /// How far the butt is raised for a ball at `at`, in radians: as the player wants, but at least as far as it must be to
    /// pass over the rail behind that ball.
    pub fn elevation(&self, at: Vec2, table: &Table) -> f32 {
        let spec = table.spec;
        let to_rail = (spec.half + at * self.direction.signum()) / self.direction.abs();
        let over = RAIL_HEIGHT + OVER_RAIL - spec.ball.radius;
        let least = (over / to_rail.min_element().max(spec.ball.radius)).atan();
        self.raised.max(least).clamp(FLATTEST, STEEPEST)
    }
}

/// Lets the player use the cue.
pub(super) struct CuePlugin;

impl Plugin for CuePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Cue>().add_systems(
            Update,
            (
                put_away.run_if(|game: Res<Game>| game.phase == Phase::Roll),
                (
                    aim.run_if(pointer_is_free),
                    cancel,
                    pull,
                    strike,
                    (move_tip, raise).run_if(keys_are_free),
                )
                    .chain()
                    .run_if(|game: Res<Game>| game.phase == Phase::Aim),
                rack_again
                    .run_if(input_just_pressed(KeyCode::KeyR))
                    .run_if(keys_are_free),
            )
                .chain(),
        );
    }
}

/// The point at the height of the balls' centres that the mouse points at.
fn pointed_at(window: &Window, camera: (&Camera, &GlobalTransform)) -> Option<Vec2> {
    let (camera, transform) = camera;
    let ray = camera
        .viewport_to_world(transform, window.cursor_position()?)
        .ok()?;
    let point = ray.plane_intersection_point(Vec3::Y * RADIUS, InfinitePlane3d::new(Vec3::Y))?;
    Some(point.xz())
}

type Pointer<'w, 's> = (
    Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
);

fn aim(
    (window, camera): Pointer,
    mut cue: ResMut<Cue>,
    balls: Query<(&Ball, &Transform)>,
    buttons: Res<ButtonInput<MouseButton>>,
) {
    if cue.stroke != Stroke::Aim {
        return;
    }
    let Some(point) = pointed_at(&window, *camera) else {
        return;
    };
    let Some((_, ball)) = balls.iter().find(|(ball, _)| **ball == Ball::CUE) else {
        return;
    };
    let way = point - ball.translation.xz();
    if way.length() > RADIUS {
        cue.direction = way.normalize();
    }
    if buttons.just_pressed(MouseButton::Left) {
        cue.stroke = Stroke::Pull {
            grip: point,
            back: 0.0,
        };
    }
}

fn pull((window, camera): Pointer, mut cue: ResMut<Cue>, buttons: Res<ButtonInput<MouseButton>>) {
    let Stroke::Pull { grip, back } = cue.stroke else {
        return;
    };
    // A pointer outside the window keeps the pull as it is.
    let back = pointed_at(&window, *camera).map_or(back, |point| {
        (grip - point).dot(cue.direction).clamp(0.0, LONGEST_PULL)
    });
    cue.stroke = match buttons.pressed(MouseButton::Left) {
        true => Stroke::Pull { grip, back },
        false if back < SHORTEST_PULL => Stroke::Aim,
        false => Stroke::Strike { back, left: back },
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

fn strike(
    mut cue: ResMut<Cue>,
    mut shots: MessageWriter<Shot>,
    balls: Query<(&Ball, &Transform)>,
    table: Res<Table>,
    time: Res<Time>,
) {
    let Stroke::Strike { back, left } = cue.stroke else {
        return;
    };
    // The cue speeds up on its way, so on average it is half as fast as in the end.
    let left = left - (Cue::speed(back) / 2.0).max(1.0) * time.delta_secs();
    if left > 0.0 {
        cue.stroke = Stroke::Strike { back, left };
        return;
    }
    cue.stroke = Stroke::Done;
    let Some((_, ball)) = balls.iter().find(|(ball, _)| **ball == Ball::CUE) else {
        return;
    };
    let spec = table.spec;
    shots.write(Shot(Blow {
        elevation: cue.elevation(ball.translation.xz(), &table),
        tip: cue.tip,
        ..Blow::centered(&spec.cue, &spec.ball, cue.direction, Cue::speed(back))
    }));
}

fn move_tip(mut cue: ResMut<Cue>, keys: Res<ButtonInput<KeyCode>>, time: Res<Time>) {
    let axis = |plus, minus| f32::from(keys.pressed(plus)) - f32::from(keys.pressed(minus));
    let way = Vec2::new(
        axis(KeyCode::ArrowRight, KeyCode::ArrowLeft),
        axis(KeyCode::ArrowUp, KeyCode::ArrowDown),
    );
    if way != Vec2::ZERO {
        cue.tip = (cue.tip + way * TIP_SPEED * time.delta_secs()).clamp_length_max(LARGEST_OFFSET);
    }
}

fn raise(mut cue: ResMut<Cue>, keys: Res<ButtonInput<KeyCode>>, time: Res<Time>) {
    let way = f32::from(keys.pressed(KeyCode::PageUp)) - f32::from(keys.pressed(KeyCode::PageDown));
    if way != 0.0 {
        cue.raised = (cue.raised + way * RAISING_SPEED * time.delta_secs()).clamp(0.0, STEEPEST);
    }
}

/// After a shot the next one starts afresh, but for where the cue points.
fn put_away(mut cue: ResMut<Cue>) {
    let fresh = Cue {
        direction: cue.direction,
        ..default()
    };
    if *cue != fresh {
        *cue = fresh;
    }
}

fn rack_again(mut asked: MessageWriter<Rerack>, mut cue: ResMut<Cue>) {
    asked.write(Rerack);
    *cue = default();
}
