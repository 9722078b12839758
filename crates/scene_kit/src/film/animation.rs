//! A film as an animated GIF: one palette for all of it, and of each picture only what has changed.

use std::collections::HashMap;

use color_quant::NeuQuant;
use gif::{Encoder, EncodingError, Frame, Repeat};
use image::{Rgb, RgbImage};

/// Colours of the palette; one more stands for what stays as it was.
const COLORS: usize = 255;
const UNCHANGED: u8 = COLORS as u8;

/// A channel that changes by no more than this is seen as unchanged. The error does not add up: it is that from the colour drawn last.
const TOLERANCE: u8 = 6;

/// Pixels from which the palette is learned, and as many of what moves.
const SAMPLES: usize = 200_000;

/// Pictures of one size, each shown for so many hundredths of a second, again and again.
pub(super) fn encode(pictures: &[RgbImage], hundredths: u16) -> Result<Vec<u8>, EncodingError> {
    let (width, height) = pictures[0].dimensions();
    let palette = Palette::of(pictures);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u16, height as u16, &palette.colors())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut canvas = Canvas {
        palette,
        drawn: None,
    };
    for picture in pictures {
        let mut frame = canvas.draw(picture);
        frame.delay = hundredths;
        encoder.write_frame(&frame)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Whether one sees that the colour is another one.
fn differ(Rgb(old): &Rgb<u8>, Rgb(new): &Rgb<u8>) -> bool {
    let mut channels = old.iter().zip(new);
    channels.any(|(old, new)| old.abs_diff(*new) > TOLERANCE)
}

/// Adds [`SAMPLES`] of these pixels at the most.
fn add_samples<'a>(samples: &mut Vec<u8>, pixels: impl Iterator<Item = &'a Rgb<u8>> + Clone) {
    // An odd stride: one of a row's length would take single columns.
    let stride = (pixels.clone().count() / SAMPLES) | 1;
    let pixels = pixels.step_by(stride);
    samples.extend(pixels.flat_map(|&Rgb([r, g, b])| [r, g, b, u8::MAX]));
}

struct Palette {
    learned: NeuQuant,
    /// The nearest colour to each that was asked for.
    nearest: HashMap<Rgb<u8>, u8>,
}

impl Palette {
    fn of(pictures: &[RgbImage]) -> Self {
        let mut samples = Vec::new();
        let all = pictures.iter().flat_map(RgbImage::pixels);
        add_samples(&mut samples, all);
        // What moves is what one looks at, and it may be small.
        let moved = pictures.windows(2).flat_map(|pair| {
            let pixels = pair[0].pixels().zip(pair[1].pixels());
            pixels
                .filter(|(old, new)| differ(old, new))
                .map(|(_, new)| new)
        });
        add_samples(&mut samples, moved);
        Self {
            learned: NeuQuant::new(1, COLORS, &samples),
            nearest: HashMap::new(),
        }
    }

    /// Of the file, with one for what stays.
    fn colors(&self) -> Vec<u8> {
        let mut colors = self.learned.color_map_rgb();
        colors.resize(3 * (COLORS + 1), 0);
        colors
    }

    fn index(&mut self, color: Rgb<u8>) -> u8 {
        let Rgb([r, g, b]) = color;
        let learned = &self.learned;
        *(self.nearest.entry(color)).or_insert_with(|| learned.index_of(&[r, g, b, u8::MAX]) as u8)
    }
}

/// What a viewer shows before the next picture.
struct Canvas {
    palette: Palette,
    /// The colours for which its pixels were drawn.
    drawn: Option<RgbImage>,
}

impl Canvas {
    /// The part of the picture that has changed.
    fn draw(&mut self, picture: &RgbImage) -> Frame<'static> {
        let (width, height) = picture.dimensions();
        let Some(mut drawn) = self.drawn.take() else {
            self.drawn = Some(picture.clone());
            let pixels = picture.pixels().map(|&color| self.palette.index(color));
            let pixels = pixels.collect::<Vec<_>>();
            return Frame::from_indexed_pixels(width as u16, height as u16, pixels, None);
        };
        let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
        for ((x, y, new), old) in picture.enumerate_pixels().zip(drawn.pixels()) {
            if differ(old, new) {
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
            }
        }
        if right == 0 {
            // A film needs each of its pictures, for the time that it takes.
            (left, top, right, bottom) = (0, 0, 1, 1);
        }
        let mut pixels = Vec::with_capacity(((right - left) * (bottom - top)) as usize);
        for y in top..bottom {
            for x in left..right {
                let new = picture[(x, y)];
                if differ(&drawn[(x, y)], &new) {
                    drawn[(x, y)] = new;
                    pixels.push(self.palette.index(new));
                } else {
                    pixels.push(UNCHANGED);
                }
            }
        }
        self.drawn = Some(drawn);
        let size = [right - left, bottom - top].map(|side| side as u16);
        let mut frame = Frame::from_indexed_pixels(size[0], size[1], pixels, Some(UNCHANGED));
        (frame.left, frame.top) = (left as u16, top as u16);
        frame
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    const SIZE: (u32, u32) = (64, 36);

    /// A square that goes over a ground of many colours, and stands still for a while.
    fn film() -> Vec<RgbImage> {
        let picture = |at: u32| {
            RgbImage::from_fn(SIZE.0, SIZE.1, |x, y| {
                match x.wrapping_sub(at) < 6 && y > 20 {
                    true => Rgb([250, 240, 60]),
                    false => Rgb([x as u8, 2 * y as u8, 90]),
                }
            })
        };
        [0, 7, 14, 14, 14, 21, 28].map(picture).to_vec()
    }

    /// The delays, and the pictures as a viewer draws them.
    fn read(bytes: &[u8]) -> (Vec<u16>, Vec<RgbImage>) {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        assert_eq!(
            (decoder.width(), decoder.height()),
            (SIZE.0 as u16, SIZE.1 as u16)
        );
        let mut canvas = RgbImage::new(SIZE.0, SIZE.1);
        let (mut delays, mut pictures) = (Vec::new(), Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(frame.delay);
            let (left, top) = (u32::from(frame.left), u32::from(frame.top));
            for (number, pixel) in (0..).zip(frame.buffer.as_chunks().0) {
                let [r, g, b, opacity] = *pixel;
                let (x, y) = (
                    number % u32::from(frame.width),
                    number / u32::from(frame.width),
                );
                if opacity > 0 {
                    canvas[(left + x, top + y)] = Rgb([r, g, b]);
                }
            }
            pictures.push(canvas.clone());
        }
        (delays, pictures)
    }

    #[test]
    fn a_viewer_sees_each_picture_for_its_time() {
        let film = film();
        let (delays, seen) = read(&encode(&film, 5).unwrap());
        assert_eq!(delays, vec![5; film.len()]);
        assert_eq!(seen.len(), film.len());
        let errors = |one: &RgbImage, other: &RgbImage| -> Vec<u8> {
            let pairs = one.iter().zip(other.iter());
            pairs.map(|(one, other)| one.abs_diff(*other)).collect()
        };
        // A viewer sees the colours of the palette. What is left as it was, is off by the tolerance too.
        let mut palette = Palette::of(&film);
        let colors = palette.colors();
        for (filmed, seen) in film.iter().zip(&seen) {
            let mut nearest = filmed.clone();
            for pixel in nearest.pixels_mut() {
                let at = 3 * usize::from(palette.index(*pixel));
                *pixel = Rgb([colors[at], colors[at + 1], colors[at + 2]]);
            }
            let of_palette = errors(filmed, &nearest);
            let most = of_palette.iter().max().unwrap() + TOLERANCE;
            assert!(errors(filmed, seen).iter().all(|&error| error <= most));
            // It is the palette of this film: 255 of 2,304 colours are apart by some four steps of a channel.
            let mean = of_palette
                .iter()
                .map(|&error| f64::from(error))
                .sum::<f64>()
                / of_palette.len() as f64;
            assert!(mean < 4.0, "{mean}");
        }
    }

    #[test]
    fn what_stands_still_takes_no_room() {
        let film = film();
        let still = vec![film[0].clone(); 40];
        let (one, many) = (encode(&still[..1], 5).unwrap(), encode(&still, 5).unwrap());
        // Each picture more is a head and one pixel.
        assert!(
            many.len() < one.len() + 40 * 40,
            "{} {}",
            one.len(),
            many.len()
        );
        assert_eq!(read(&many).0.len(), 40);
    }
}
