//! A picture as a PNG.

use image::RgbImage;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

pub(super) fn encode(picture: &RgbImage) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::Rgb;

    use super::*;

    #[test]
    fn a_picture_is_read_as_it_was_written() {
        let picture = RgbImage::from_fn(7, 5, |x, y| Rgb([40 * x as u8, 50 * y as u8, 200]));
        let bytes = encode(&picture).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut read).unwrap();
        assert_eq!((info.width, info.height), picture.dimensions());
        assert_eq!(read, picture.into_raw());
    }
}
