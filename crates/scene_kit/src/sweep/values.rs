//! The values of one option in a sweep's file: a single value, a list, or a range.

use std::collections::HashSet;

use toml::{Table, Value};

/// Most values of an option, and most runs of a sweep. More are a slip of the pen: they would fill the memory.
pub(super) const MOST: usize = 1_000_000;

/// What a run sets an option to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// A value in the words of the command line.
    Value(String),
    /// An option without a value: given or not.
    Flag(bool),
}

impl Setting {
    /// The argument that sets `option` to this; none for a flag that is not given.
    pub fn argument(&self, option: &str) -> Option<String> {
        match self {
            Self::Value(value) => Some(format!("--{option}={value}")),
            Self::Flag(true) => Some(format!("--{option}")),
            Self::Flag(false) => None,
        }
    }

    /// The setting in a cell of the table.
    pub fn text(&self) -> String {
        match self {
            Self::Value(value) => value.clone(),
            Self::Flag(given) => given.to_string(),
        }
    }
}

/// All values that the file gives an option.
pub(super) fn settings(value: &Value) -> Result<Vec<Setting>, String> {
    let settings = match value {
        Value::Array(values) => values.iter().map(setting).collect::<Result<Vec<_>, _>>()?,
        Value::Table(table) => range(table)?,
        single => vec![setting(single)?],
    };
    let mut seen = HashSet::new();
    match settings.iter().find(|setting| !seen.insert(*setting)) {
        Some(twice) => Err(format!("`{}` is there twice", twice.text())),
        None if settings.is_empty() => Err("the list is empty".to_owned()),
        None => Ok(settings),
    }
}

fn setting(value: &Value) -> Result<Setting, String> {
    match value {
        Value::Boolean(given) => Ok(Setting::Flag(*given)),
        Value::String(text) => Ok(Setting::Value(text.clone())),
        Value::Integer(number) => Ok(Setting::Value(number.to_string())),
        Value::Float(number) if number.is_finite() => Ok(Setting::Value(number.to_string())),
        other => Err(format!(
            "`{other}` is no finite number, text, `true` or `false`"
        )),
    }
}

/// `{ from, to }` in whole steps, `{ from, to, step }`, or `{ from, to, count }` with equal steps. Both ends belong to the range.
fn range(table: &Table) -> Result<Vec<Setting>, String> {
    let known = ["from", "to", "step", "count"];
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!(
            "a range has `from`, `to`, and `step` or `count`, but no `{key}`"
        ));
    }
    let number = |key| table.get(key).map(|value| finite(key, value)).transpose();
    let end = |key| number(key)?.ok_or_else(|| format!("the range has no `{key}`"));
    let (from, to) = (end("from")?, end("to")?);
    if from >= to {
        return Err(format!("`from = {from}` is not below `to = {to}`"));
    }
    let (step, steps) = match (number("step")?, number("count")?) {
        (Some(_), Some(_)) => return Err("give `step` or `count`, not both".to_owned()),
        (None, Some(count)) => {
            if count < 2.0 || count.fract() != 0.0 {
                return Err(format!("`count = {count}` is no whole number from 2 on"));
            }
            ((to - from) / (count - 1.0), count - 1.0)
        }
        (None, None) if from.fract() != 0.0 || to.fract() != 0.0 => {
            return Err("give `step` or `count`, as the ends are not whole numbers".to_owned());
        }
        (step, None) => {
            let step = step.unwrap_or(1.0);
            if step <= 0.0 {
                return Err(format!("`step = {step}` is not above 0"));
            }
            // 0.3 / 0.1 is a little less than 3.
            (step, ((to - from) / step * (1.0 + 1e-12)).floor())
        }
    };
    if steps >= MOST as f64 {
        return Err(format!("the range has more than {MOST} values"));
    }
    let decimals = decimals(from.abs().max(to.abs()));
    let whole = from.fract() == 0.0 && step.fract() == 0.0;
    let value = |k| {
        let value = from + f64::from(k) * step;
        let value = if whole {
            value
        } else {
            rounded(value, decimals)
        };
        Setting::Value(value.to_string())
    };
    Ok((0..=steps as u32).map(value).collect())
}

/// A number whose neighbours are at most 1 apart.
fn finite(key: &str, value: &Value) -> Result<f64, String> {
    const LARGEST: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let number = match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        other => return Err(format!("`{key} = {other}` is no number")),
    };
    if number.abs() < LARGEST {
        return Ok(number);
    }
    Err(format!(
        "`{key} = {number}` is not between -{LARGEST} and {LARGEST}"
    ))
}

/// Decimal places after which no number up to `largest` has more than 12 digits: 0.1 + 2·0.1 is then 0.3.
fn decimals(largest: f64) -> usize {
    (11.0 - largest.log10().floor()).max(0.0) as usize
}

fn rounded(value: f64, decimals: usize) -> f64 {
    let rounded: f64 = format!("{value:.decimals$}").parse().unwrap_or(value);
    // Not -0.
    rounded + 0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(value: &str) -> Result<Vec<String>, String> {
        let table: Table = format!("key = {value}").parse().unwrap();
        let settings = settings(&table["key"])?;
        Ok(settings.iter().map(Setting::text).collect())
    }

    #[test]
    fn a_range_holds_both_ends_and_decimal_steps() {
        for (range, expected) in [
            ("{ from = 3, to = 6 }", "3 4 5 6"),
            ("{ from = 0.1, to = 0.5, count = 5 }", "0.1 0.2 0.3 0.4 0.5"),
            (
                "{ from = -0.3, to = 0.3, step = 0.1 }",
                "-0.3 -0.2 -0.1 0 0.1 0.2 0.3",
            ),
            ("{ from = 0, to = 100, step = 40 }", "0 40 80"),
            ("{ from = 0, to = 1, count = 3 }", "0 0.5 1"),
        ] {
            assert_eq!(texts(range).unwrap().join(" "), expected, "{range}");
        }
    }

    #[test]
    fn an_error_names_the_value() {
        for (value, part) in [
            ("[]", "empty"),
            ("[1, 2, 1]", "`1` is there twice"),
            ("[1, nan]", "`nan`"),
            ("[[1]]", "`[1]`"),
            ("1979-05-27", "`1979-05-27`"),
            ("{ from = 1 }", "no `to`"),
            ("{ from = 2, to = 1 }", "`from = 2`"),
            ("{ from = 0, to = \"x\" }", "`to = \"x\"`"),
            ("{ from = 0, to = inf }", "`to = inf`"),
            ("{ from = 0.5, to = 2 }", "`step` or `count`"),
            ("{ from = 0, to = 1, steps = 3 }", "no `steps`"),
            ("{ from = 0, to = 1, step = 0 }", "`step = 0`"),
            ("{ from = 0, to = 1, count = 1 }", "`count = 1`"),
            ("{ from = 0, to = 1, count = 2.5 }", "`count = 2.5`"),
            ("{ from = 0, to = 1, count = 3, step = 1 }", "not both"),
            ("{ from = 0, to = 1e9 }", "more than"),
        ] {
            let problem = texts(value).unwrap_err();
            assert!(problem.contains(part), "{value}: {problem}");
        }
    }

    proptest! {
        #[test]
        fn a_range_of_n_values_has_equal_steps(from in -1e6..1e6_f64, span in 1e-3..1e6_f64, count in 2_u32..100) {
            let to = from + span;
            let values = texts(&format!("{{ from = {from:?}, to = {to:?}, count = {count} }}")).unwrap();
            let values: Vec<f64> = values.iter().map(|text| text.parse().unwrap()).collect();
            prop_assert_eq!(values.len(), count as usize);
            // Half a unit of the twelfth digit, and twice the rounding of f64.
            let scale = f64::max(from.abs(), to.abs());
            let bound = scale * (5e-12 + 2.0 * f64::EPSILON);
            for (k, value) in (0..count).zip(values) {
                let exact = from + span * f64::from(k) / f64::from(count - 1);
                prop_assert!((value - exact).abs() <= bound, "value {k} is {value}, not {exact}");
            }
        }
    }
}
