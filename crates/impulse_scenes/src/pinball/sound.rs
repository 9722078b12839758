//! Sounds: bells for switches, knocks of coils and flippers, clicks of the ball against steel and rubber.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::sound::{Tone, make, play};

use super::machine::{flipper::Flipper, rules::Switch, switches::Closed};

/// Approach speed in m/s of the loudest hits, and of the softest that are heard.
const LOUDEST: f32 = 4.0;
const SOFTEST: f32 = 0.08;
/// Clicks that begin in one frame, at most.
const MOST_AT_ONCE: usize = 4;

#[derive(Resource)]
struct Sounds {
    click: Handle<AudioSource>,
    coil: Handle<AudioSource>,
    flipper: Handle<AudioSource>,
    bell: Handle<AudioSource>,
    chime: Handle<AudioSource>,
    drain: Handle<AudioSource>,
}

/// Plays sounds to the switches and the impacts of the machine.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, make_sounds)
        .add_systems(Update, (hear_switches, hear_flippers, hear_impacts));
}

fn make_sounds(mut commands: Commands, mut sources: ResMut<Assets<AudioSource>>) {
    let mut sound = |tones: &[Tone]| make(&mut sources, tones);
    commands.insert_resource(Sounds {
        click: sound(&[
            (3_100.0, 0.5, 0.003),
            (5_200.0, 0.3, 0.002),
            (900.0, 0.2, 0.008),
        ]),
        coil: sound(&[
            (110.0, 0.6, 0.035),
            (260.0, 0.3, 0.015),
            (2_000.0, 0.1, 0.004),
        ]),
        flipper: sound(&[
            (170.0, 0.6, 0.02),
            (620.0, 0.3, 0.008),
            (2_400.0, 0.1, 0.003),
        ]),
        bell: sound(&[
            (1_046.5, 0.6, 0.16),
            (2_800.0, 0.25, 0.06),
            (5_400.0, 0.15, 0.02),
        ]),
        chime: sound(&[(659.3, 0.4, 0.35), (830.6, 0.35, 0.35), (987.8, 0.25, 0.35)]),
        drain: sound(&[(98.0, 0.6, 0.3), (146.8, 0.4, 0.25)]),
    });
}

fn hear_switches(mut commands: Commands, mut closed: MessageReader<Closed>, sounds: Res<Sounds>) {
    for Closed(switch) in closed.read() {
        let (sound, volume) = match switch {
            Switch::Bumper(_) | Switch::Slingshot(_) => (&sounds.coil, 0.8),
            Switch::Spinner => (&sounds.click, 0.3),
            Switch::Lane(_) | Switch::Drop(_) | Switch::Standup(_) | Switch::Inlane(_) => {
                (&sounds.bell, 0.4)
            }
            Switch::Ramp => (&sounds.chime, 0.6),
            Switch::Drain | Switch::Outlane(_) => (&sounds.drain, 0.6),
            Switch::Launch | Switch::RampMouth | Switch::Orbit => continue,
        };
        commands.spawn(play(sound, volume));
    }
}

fn hear_flippers(
    mut commands: Commands,
    flippers: Query<Ref<Flipper>, Changed<Flipper>>,
    sounds: Res<Sounds>,
) {
    // A new flipper counts as changed, but it has not moved.
    for flipper in flippers.iter().filter(|flipper| !flipper.is_added()) {
        let volume = if flipper.is_up { 0.5 } else { 0.2 };
        commands.spawn(play(&sounds.flipper, volume));
    }
}

fn hear_impacts(
    mut commands: Commands,
    mut impacts: MessageReader<Impact>,
    planes: Query<(), With<Plane>>,
    sounds: Res<Sounds>,
) {
    let heard = impacts
        .read()
        .filter(|impact| impact.approach_speed > SOFTEST)
        .filter(|impact| !planes.contains(impact.a) && !planes.contains(impact.b));
    for impact in heard.take(MOST_AT_ONCE) {
        let volume = (impact.approach_speed / LOUDEST).min(1.0);
        commands.spawn(play(&sounds.click, 0.7 * volume));
    }
}
