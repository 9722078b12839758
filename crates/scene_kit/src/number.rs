//! Numbers of the command line: parsers for clap's `value_parser`.

/// A finite number that passes the test `holds`; if `text` is none, the error asks for `wanted`.
pub fn number(text: &str, holds: fn(f32) -> bool, wanted: &str) -> Result<f32, String> {
    let value: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    if value.is_finite() && holds(value) {
        Ok(value)
    } else {
        Err(format!("give a {wanted}"))
    }
}

/// Any finite number.
pub fn finite(text: &str) -> Result<f32, String> {
    number(text, |_| true, "finite number")
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f32, String> {
    number(text, |value| value > 0.0, "number above 0")
}

/// A number of 0 or more.
pub fn not_negative(text: &str) -> Result<f32, String> {
    number(text, |value| value >= 0.0, "number of 0 or more")
}

/// A number from 0 to 1.
pub fn coefficient(text: &str) -> Result<f32, String> {
    number(
        text,
        |value| (0.0..=1.0).contains(&value),
        "number from 0 to 1",
    )
}
