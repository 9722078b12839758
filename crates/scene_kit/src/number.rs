//! Numbers of the command line.

/// A number that `holds`; `wanted` says which ones do.
pub(crate) fn number(text: &str, holds: fn(f32) -> bool, wanted: &str) -> Result<f32, String> {
    let value: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    if value.is_finite() && holds(value) {
        Ok(value)
    } else {
        Err(format!("give a {wanted}"))
    }
}

pub(crate) fn finite(text: &str) -> Result<f32, String> {
    number(text, |_| true, "finite number")
}

pub(crate) fn positive(text: &str) -> Result<f32, String> {
    number(text, |value| value > 0.0, "number above 0")
}

pub(crate) fn not_negative(text: &str) -> Result<f32, String> {
    number(text, |value| value >= 0.0, "number of 0 or more")
}

pub(crate) fn coefficient(text: &str) -> Result<f32, String> {
    number(
        text,
        |value| (0.0..=1.0).contains(&value),
        "number from 0 to 1",
    )
}
