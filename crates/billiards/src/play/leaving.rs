//! Balls that leave the bed: into a pocket or off the table, and their way back.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{matches::Match, record::Recorder, state::Game};
use crate::{
    rules::{Ball, Potted},
    table::{
        balls::{LastPosition, body, remove_body},
        bed::Table,
        cushion::{CUSHION_DEPTH, RAIL_WIDTH},
        pocket::Pocket,
        spec::{BallSpec, TableKind, TableSpec},
    },
};

/// Depth of a pocket under the cloth.
pub const POCKET_DEPTH: f32 = 0.15;
/// The floor under the cloth.
pub const FLOOR: f32 = -0.78;
/// Height of the centres of the balls in an open tray, and in a drawer under the slate.
const TRAY_HEIGHT: f32 = -0.02;
const DRAWER_HEIGHT: f32 = -0.10;
/// Balls that the tray has room for: all of snooker.
const TRAY_PLACES: f32 = 21.0;

/// The tray for the balls that fell, along the outside of the table. A snooker table has a drawer inside instead.
#[derive(Clone, Copy, Debug)]
pub struct Tray {
    /// It runs along x at this z.
    pub z: f32,
    /// Height of the centres of its balls.
    pub height: f32,
    /// Whether its balls are seen.
    pub is_open: bool,
    /// Half its length.
    pub half_length: f32,
    /// Radius of its balls.
    pub radius: f32,
    pitch: f32,
}

impl Tray {
    /// The tray of such a table.
    pub fn of(table: &TableSpec) -> Self {
        let radius = table.ball.radius;
        let pitch = 2.0 * radius + 0.002;
        let is_open = TableKind::of(table) != TableKind::Snooker;
        let (z, height) = if is_open {
            (table.half.y + RAIL_WIDTH + 0.05, TRAY_HEIGHT)
        } else {
            (table.half.y - 0.1, DRAWER_HEIGHT)
        };
        Self {
            z,
            height,
            is_open,
            half_length: 0.5 * TRAY_PLACES * pitch + 0.01,
            radius,
            pitch,
        }
    }

    /// Where the balls roll in.
    fn entry(&self) -> Vec3 {
        Vec3::new(-self.half_length + self.radius, self.height, self.z)
    }

    /// Where the ball lies that was the `place`th to leave the table, counted from 0.
    pub(super) fn place(&self, place: usize) -> Vec3 {
        let x = self.half_length - self.radius - place as f32 * self.pitch;
        Vec3::new(x, self.height, self.z)
    }
}

/// Speed in m/s of a ball that rolls along the tray.
const TRAY_SPEED: f32 = 1.2;

/// An object ball that fell, with where and how fast it was when it did.
#[derive(Component, Clone, Copy, Debug)]
pub struct Pocketed {
    /// Its centre.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// A ball on its way down, no body any more.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Falling {
    velocity: Vec3,
    /// The pocket that it falls into; none if it falls to the floor.
    pocket: Option<Pocket>,
}

impl Falling {
    /// Whether it falls into a pocket, not to the floor.
    pub fn is_in_pocket(&self) -> bool {
        self.pocket.is_some()
    }
}

/// A ball that comes back to its spot when the others lie still.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Returning;

/// A ball in the tray, at its place or on the way there.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct InTray;

/// Lays a ball on the bed, at rest, wherever it was.
pub(super) fn lay_at_rest(ball: &mut EntityWorldMut, spec: &BallSpec, place: Transform) {
    ball.remove::<(Falling, Returning, InTray, Pocketed)>()
        .insert((
            body(spec),
            LastPosition(place.translation),
            place,
            LinearVelocity::default(),
            AngularVelocity::default(),
            Acceleration::default(),
            Sleep::default(),
        ));
}

/// Takes balls that came over a pocket or flew off the table out of the physics.
pub(super) fn catch_balls(
    mut commands: Commands,
    table: Res<Table>,
    mut game: ResMut<Game>,
    mut recorder: ResMut<Recorder>,
    on: Res<Match>,
    mut balls: Query<
        (
            Entity,
            &Ball,
            &Transform,
            &LinearVelocity,
            &mut LastPosition,
        ),
        With<Particle>,
    >,
) {
    let edge = table.spec.half + CUSHION_DEPTH;
    let mut leaving = Vec::new();
    for (entity, ball, transform, velocity, mut last) in &mut balls {
        let position = transform.translation;
        let before = std::mem::replace(&mut last.0, position);
        let mut pockets = table.pockets.iter();
        let pocket = pockets.position(|pocket| pocket.takes(before, position));
        if pocket.is_some() || position.xz().abs().cmpgt(edge).any() {
            leaving.push((*ball, entity, position, velocity.0, pocket));
        }
    }
    // The order of the entities depends on the machine.
    leaving.sort_unstable_by_key(|(ball, ..)| ball.0);
    for (ball, entity, position, velocity, index) in leaving {
        let record = &mut recorder.record;
        match index {
            Some(pocket) => record.potted.push(Potted { ball, pocket }),
            None => record.off_table.insert(ball),
        }
        let mut commands = commands.entity(entity);
        remove_body(&mut commands);
        commands.insert(Falling {
            velocity,
            pocket: index.map(|index| table.pockets[index]),
        });
        // Where there are rules, they say which balls come back.
        let stays_off = ball != Ball::CUE && (index.is_some() || on.frame.is_some());
        if stays_off {
            game.pocketed.push(ball);
            commands.insert(Pocketed { position, velocity });
        } else {
            commands.insert(Returning);
        }
    }
}

/// Lets balls fall, inside their pocket if they have one; at the bottom, balls that stay down go to the tray.
pub(super) fn drop_balls(
    mut commands: Commands,
    mut balls: Query<(Entity, &mut Transform, &mut Falling, Has<Returning>), With<Ball>>,
    gravity: Res<Gravity>,
    time: Res<Time>,
    table: Res<Table>,
) {
    let dt = time.delta_secs();
    let radius = table.spec.ball.radius;
    for (entity, mut transform, mut falling, returning) in &mut balls {
        falling.velocity += gravity.0 * dt;
        transform.translation += falling.velocity * dt;
        let bottom = if let Some(pocket) = falling.pocket {
            let off = transform.translation.xz() - pocket.center;
            let kept = off.clamp_length_max(pocket.radius - radius);
            if kept != off {
                // The lining takes most of the speed.
                let pulled = transform.translation.xz() + (kept - off) * (20.0 * dt).min(1.0);
                transform.translation.x = pulled.x;
                transform.translation.z = pulled.y;
                let slower = (-40.0 * dt).exp();
                falling.velocity.x *= slower;
                falling.velocity.z *= slower;
            }
            -POCKET_DEPTH - radius
        } else {
            FLOOR + radius
        };
        if transform.translation.y > bottom {
            continue;
        }
        transform.translation.y = bottom;
        let mut commands = commands.entity(entity);
        commands.remove::<Falling>();
        if !returning {
            transform.translation = Tray::of(table.spec).entry();
            commands.insert(InTray);
        }
    }
}

/// Rolls balls along the tray to their places.
pub(super) fn roll_into_tray(
    mut balls: Query<(&Ball, &mut Transform), With<InTray>>,
    game: Res<Game>,
    table: Res<Table>,
    time: Res<Time>,
) {
    let tray = Tray::of(table.spec);
    let step = TRAY_SPEED * time.delta_secs();
    for (ball, mut transform) in &mut balls {
        let Some(place) = game.pocketed.iter().position(|other| other == ball) else {
            continue;
        };
        let way = (tray.place(place).x - transform.translation.x).clamp(-step, step);
        if way != 0.0 {
            transform.translation.x += way;
            transform.rotate(Quat::from_rotation_z(-way / tray.radius));
        }
    }
}
