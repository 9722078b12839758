//! The lift: it takes marbles from the pit of the tray, and sets them onto the track one by one.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    course::{MARBLE, MOUTH_RADIUS, lift},
    laps::Run,
    marble::Marble,
    options::MarblesOptions,
    path::Path,
};

/// Speed of the lift in m/s.
const SPEED: f32 = 0.6;
/// Least distance in m between two marbles in the lift.
const SPACE: f32 = 2.5 * MARBLE;

/// Where the lift goes, and when it takes the next marble.
#[derive(Resource)]
pub(super) struct Lift {
    path: Path,
    /// Marbles that it could have taken since the last one; one at the most.
    due: f32,
}

impl Default for Lift {
    fn default() -> Self {
        Self {
            path: lift(),
            due: 0.0,
        }
    }
}

impl Lift {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The marbles that are on their way in a lift that has brought up so many in a second for long, from the top down.
    pub fn filled(&self, marbles_per_second: f32) -> impl Iterator<Item = (Lifted, Vec3)> {
        // Without marbles, the distance is infinite.
        let apart = (SPEED / marbles_per_second).max(SPACE);
        let places = (1..).map(move |k| self.path.length() - apart * k as f32);
        places
            .take_while(|&distance| distance > 0.0)
            .map(|distance| (Lifted { distance }, self.path.at(distance)))
    }
}

/// A marble in the lift. It touches nothing: it has no [`Particle`].
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Lifted {
    /// From the lower end of the lift, in m.
    distance: f32,
}

/// A marble enters the lift.
pub(super) fn enter(marble: &mut EntityCommands) {
    marble
        .remove::<(Particle, Run)>()
        .insert(Lifted { distance: 0.0 });
}

/// Moves the marbles in the lift, and sets the first one onto the track.
pub(super) fn raise(
    mut commands: Commands,
    mut lifted: Query<(Entity, &mut Lifted, &mut Transform)>,
    running: Query<&Transform, (With<Run>, Without<Lifted>)>,
    lift: Res<Lift>,
    time: Res<Time>,
) {
    let end = lift.path.end();
    let is_blocked = running
        .iter()
        .any(|marble| marble.translation.distance(end.at) < SPACE);
    if is_blocked {
        return;
    }
    for (entity, mut lifted, mut transform) in &mut lifted {
        lifted.distance += SPEED * time.delta_secs();
        transform.translation = lift.path.at(lifted.distance);
        if lifted.distance >= lift.path.length() {
            let rolling = Vec3::Y.cross(end.forward) * SPEED / MARBLE;
            commands.entity(entity).remove::<Lifted>().insert((
                Particle::new(MARBLE),
                Run::default(),
                LinearVelocity(end.forward * SPEED),
                AngularVelocity(rolling),
            ));
        }
    }
}

/// Takes a marble that lies in the pit, if one is due.
pub(super) fn take(
    mut commands: Commands,
    mut lift: ResMut<Lift>,
    free: Query<(Entity, &Marble, &Transform), (With<Particle>, Without<Run>)>,
    lifted: Query<&Lifted>,
    options: Res<MarblesOptions>,
    time: Res<Time>,
) {
    lift.due = (lift.due + options.lift * time.delta_secs()).min(1.0);
    let has_room = lifted.iter().all(|lifted| lifted.distance >= SPACE);
    if lift.due < 1.0 || !has_room {
        return;
    }
    let in_pit = |x: Vec3| x.xz().length() < MOUTH_RADIUS && x.y < MARBLE;
    let lowest = free
        .iter()
        .filter(|(.., transform)| in_pit(transform.translation))
        .min_by(|(_, a, at_a), (_, b, at_b)| {
            let (low, high) = (at_a.translation.y, at_b.translation.y);
            low.total_cmp(&high).then(a.cmp(b))
        });
    if let Some((entity, ..)) = lowest {
        lift.due -= 1.0;
        enter(&mut commands.entity(entity));
    }
}
