//! Sounds: a click where balls meet, a thud where a ball meets a cushion, a knock of the cue; the harder the hit, the louder.

use std::{f32::consts::TAU, io::Cursor};

use bevy::{audio::Volume, prelude::*};
use bevy_impulse_collide::prelude::*;
use hound::{SampleFormat, WavSpec, WavWriter};

use crate::{play::state::Game, rules::Ball};

/// Samples a second.
const RATE: u32 = 44_100;
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

/// A tone that dies away: its pitch in Hz, its share of the sound, and the seconds in which it falls to 1/e.
type Tone = (f32, f32, f32);

fn make_sounds(mut commands: Commands, mut sources: ResMut<Assets<AudioSource>>) {
    let mut make = |tones: &[Tone]| match wav(tones) {
        Ok(bytes) => sources.add(AudioSource {
            bytes: bytes.into(),
        }),
        Err(problem) => {
            warn!("a sound cannot be made: {problem}");
            Handle::default()
        }
    };
    commands.insert_resource(Sounds {
        click: make(&[
            (2_900.0, 0.6, 0.004),
            (6_800.0, 0.3, 0.002),
            (950.0, 0.1, 0.008),
        ]),
        thud: make(&[(140.0, 0.7, 0.03), (420.0, 0.3, 0.012)]),
        knock: make(&[(1_300.0, 0.6, 0.006), (520.0, 0.4, 0.012)]),
    });
}

/// The file of a sound of these tones: 16 bits, one channel.
fn wav(tones: &[Tone]) -> Result<Vec<u8>, hound::Error> {
    let mut file = Cursor::new(Vec::new());
    let spec = WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut writer = WavWriter::new(&mut file, spec)?;
    let longest = tones.iter().map(|tone| tone.2).fold(0.0, f32::max);
    for sample in 0..(6.0 * longest * RATE as f32) as u32 {
        let t = sample as f32 / RATE as f32;
        let tone =
            |&(pitch, share, decay): &Tone| share * (TAU * pitch * t).sin() * (-t / decay).exp();
        let level: f32 = tones.iter().map(tone).sum();
        writer.write_sample((level * f32::from(i16::MAX)) as i16)?;
    }
    writer.finalize()?;
    Ok(file.into_inner())
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

fn play(sound: &Handle<AudioSource>, volume: f32) -> impl Bundle {
    (
        AudioPlayer::new(sound.clone()),
        PlaybackSettings::DESPAWN.with_volume(Volume::Linear(volume)),
    )
}
