//! Sounds made of tones that die away.

use std::{f32::consts::TAU, io::Cursor};

use bevy::{audio::Volume, prelude::*};
use hound::{SampleFormat, WavSpec, WavWriter};

/// Samples a second.
const RATE: u32 = 44_100;

/// A tone that dies away: its pitch in Hz, its share of the sound, and the seconds in which it falls to 1/e.
pub type Tone = (f32, f32, f32);

/// Makes a sound of these tones. If that fails, it warns, and the sound is silent.
pub fn make(sources: &mut Assets<AudioSource>, tones: &[Tone]) -> Handle<AudioSource> {
    match wav(tones) {
        Ok(bytes) => sources.add(AudioSource {
            bytes: bytes.into(),
        }),
        Err(problem) => {
            warn!("a sound cannot be made: {problem}");
            Handle::default()
        }
    }
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

/// Plays a sound once, at a volume from 0 to 1.
pub fn play(sound: &Handle<AudioSource>, volume: f32) -> impl Bundle {
    (
        AudioPlayer::new(sound.clone()),
        PlaybackSettings::DESPAWN.with_volume(Volume::Linear(volume)),
    )
}
