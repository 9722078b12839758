//! The marbles, and where they lie at the start.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    course::{Form, HARD, MARBLE, MOUTH_RADIUS, Piece, TRAY_RADIUS, pieces, tray_height},
    lift::Lift,
    options::MarblesOptions,
};

/// Density of glass in kg/m³.
const DENSITY: f32 = 2500.0;
/// A marble, by its number.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marble(pub u32);

/// The number that the next marble gets.
#[derive(Resource, Default)]
pub(super) struct NextNumber(u32);

impl NextNumber {
    /// Numbers given so far.
    fn count(&self) -> usize {
        self.0 as usize
    }

    pub fn take(&mut self) -> Marble {
        self.0 += 1;
        Marble(self.0 - 1)
    }
}

/// A marble at rest.
pub(super) fn marble(marble: Marble, position: Vec3) -> impl Bundle {
    (
        marble,
        Particle::new(MARBLE),
        Density(DENSITY),
        RollingFriction(HARD),
        Transform::from_translation(position),
    )
}

/// A piece of the run, with its number in [`pieces`].
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct PieceOf(pub usize);

/// Puts up the run.
pub(super) fn build(mut commands: Commands) {
    for (number, piece) in pieces().into_iter().enumerate() {
        let body = (
            PieceOf(number),
            piece.form.collider(),
            RollingFriction(piece.rolling_friction),
            piece.place,
        );
        let mut body = commands.spawn(body);
        if piece.turn != 0.0 {
            let spin = piece.place.rotation * Vec3::Y * piece.turn;
            body.insert((RigidBody::Kinematic, AngularVelocity(spin)));
        }
    }
    // The glass over the tray's edge: nothing leaves.
    for k in 0..WALLS {
        let (sin, cos) = libm::sincosf(2.0 * PI * k as f32 / WALLS as f32);
        let out = Vec3::new(cos, 0.0, sin);
        let at = Transform::from_translation(out * (TRAY_RADIUS + 0.02));
        commands.spawn((Plane::new(-out), at));
    }
}

/// Planes around the tray.
const WALLS: u32 = 16;

/// Puts marbles into the lift, so that it begins in full work, and lays the others into the tray, from the middle outwards.
pub(super) fn fill(
    mut commands: Commands,
    mut next: ResMut<NextNumber>,
    lift: Res<Lift>,
    options: Res<MarblesOptions>,
) {
    let count = options.marbles as usize;
    let lifted = lift.filled(options.lift).take(count);
    for (lifted, place) in lifted {
        let mut marble = commands.spawn(marble(next.take(), place));
        marble.remove::<Particle>().insert(lifted);
    }
    let left = count - next.count();
    for place in places().take(left) {
        commands.spawn(marble(next.take(), place));
    }
}

/// Places of marbles in the tray that do not touch each other: layer over layer, in each from the middle outwards.
fn places() -> impl Iterator<Item = Vec3> {
    const PITCH: f32 = 2.2 * MARBLE;
    let half = (TRAY_RADIUS / PITCH) as i32;
    let posts: Vec<(Vec2, f32)> = pieces().iter().filter_map(foot).collect();
    let is_free = move |x: Vec2| {
        let far = posts
            .iter()
            .all(|(post, radius)| post.distance(x) > radius + 1.1 * MARBLE);
        far && (MOUTH_RADIUS + 2.0 * MARBLE..TRAY_RADIUS - 3.0 * MARBLE).contains(&x.length())
    };
    let mut sites: Vec<Vec2> = (-half..=half)
        .flat_map(|i| (-half..=half).map(move |k| PITCH * Vec2::new(i as f32, k as f32)))
        .filter(|&x| is_free(x))
        .collect();
    sites.sort_by(|a, b| a.length().total_cmp(&b.length()));
    (0..).flat_map(move |layer| {
        let layer = sites.iter().map(move |site| {
            let height = tray_height(site.length()) + PITCH * (0.6 + layer as f32);
            Vec3::new(site.x, height, site.y)
        });
        layer.collect::<Vec<Vec3>>()
    })
}

/// Where an upright post stands, and its radius.
fn foot(piece: &Piece) -> Option<(Vec2, f32)> {
    let is_upright = piece.place.rotation == Quat::IDENTITY;
    match piece.form {
        Form::Post(radius, _) if is_upright => Some((piece.place.translation.xz(), radius)),
        _ => None,
    }
}
