//! Sounds: a click where balls meet, a thud where a ball meets a cushion, a knock of the cue; the harder the hit, the louder.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::sound::{Tone, make, play};

use crate::{play::state::Game, rules::Ball};

/// Approach speed in m/s of the loudest hits, and of the softest that are heard.
const LOUDEST: f32 = 6.0;
const SOFTEST: f32 = 0.02;
/// Sounds that begin in one frame, at most: of a break, the first and nearest drown the others.
const MOST_AT_ONCE: usize = 6;

#[derive(Resource)]
struct Sounds {
    click: Handle<AudioSource>,
    thud: Handle<AudioSource>,
    knock: Handle<AudioSource>,
}

/// Plays sounds to the impacts of the scene.
pub(super) struct SoundPlugin;

impl Plugin for SoundPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, make_sounds)
            .add_systems(Update, (hear_impacts, hear_cue));
    }
}

fn make_sounds(mut commands: Commands, mut sources: ResMut<Assets<AudioSource>>) {
    let mut sound = |tones: &[Tone]| make(&mut sources, tones);
    commands.insert_resource(Sounds {
        click: sound(&[
            (2_900.0, 0.6, 0.004),
            (6_800.0, 0.3, 0.002),
            (950.0, 0.1, 0.008),
        ]),
        thud: sound(&[(140.0, 0.7, 0.03), (420.0, 0.3, 0.012)]),
        knock: sound(&[(1_300.0, 0.6, 0.006), (520.0, 0.4, 0.012)]),
    });
}

fn hear_impacts(
    mut commands: Commands,
    mut impacts: MessageReader<Impact>,
    sounds: Res<Sounds>,
    balls: Query<(), With<Ball>>,
    planes: Query<(), With<Plane>>,
) {
    let mut heard: Vec<&Impact> = impacts
        .read()
        .filter(|impact| impact.approach_speed > SOFTEST)
        .filter(|impact| !planes.contains(impact.a) && !planes.contains(impact.b))
        .collect();
    heard.sort_by(|a, b| b.approach_speed.total_cmp(&a.approach_speed));
    for impact in heard.into_iter().take(MOST_AT_ONCE) {
        let are_balls = balls.contains(impact.a) && balls.contains(impact.b);
        let sound = if are_balls {
            &sounds.click
        } else {
            &sounds.thud
        };
        let volume = (impact.approach_speed / LOUDEST).min(1.0);
        commands.spawn(play(sound, volume));
    }
}

fn hear_cue(mut commands: Commands, sounds: Res<Sounds>, game: Res<Game>, mut shots: Local<u32>) {
    if game.shots > *shots {
        commands.spawn(play(&sounds.knock, 0.4));
    }
    *shots = game.shots;
}
