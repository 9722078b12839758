//! A report as columns of a table: `{"energy": {"end": 2.0}, "speeds": [3, 4]}` is `energy.end`, `speeds.0` and `speeds.1`.

use json_event_parser::{JsonEvent, JsonSyntaxError, SliceJsonParser};

use crate::report::MACHINE_KEYS;

/// Name and text of each value, in the order of the report.
///
/// The text of a number is that of the report: to read it as `f64` and to write it again could change its last digit. `null` is
/// empty. What [`MACHINE_KEYS`] names is left out.
pub fn columns(report: &[u8]) -> Result<Vec<(String, String)>, String> {
    read(report).map_err(|problem| format!("the report is not JSON: {problem}"))
}

/// Where the reader is in an object or an array.
enum Level {
    Object(String),
    Array(usize),
}

impl Level {
    fn name(&self) -> String {
        match self {
            Self::Object(key) => key.clone(),
            Self::Array(index) => index.to_string(),
        }
    }

    fn is_of_the_machine(&self) -> bool {
        matches!(self, Self::Object(key) if MACHINE_KEYS.contains(&key.as_str()))
    }
}

fn read(report: &[u8]) -> Result<Vec<(String, String)>, JsonSyntaxError> {
    let mut parser = SliceJsonParser::new(report);
    let mut columns = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    loop {
        let text = match parser.parse_next()? {
            JsonEvent::Eof => return Ok(columns),
            JsonEvent::ObjectKey(key) => {
                if let Some(Level::Object(last)) = levels.last_mut() {
                    *last = key.into_owned();
                }
                continue;
            }
            JsonEvent::StartObject => {
                levels.push(Level::Object(String::new()));
                continue;
            }
            JsonEvent::StartArray => {
                levels.push(Level::Array(0));
                continue;
            }
            JsonEvent::EndObject | JsonEvent::EndArray => {
                levels.pop();
                None
            }
            JsonEvent::String(text) | JsonEvent::Number(text) => Some(text.into_owned()),
            JsonEvent::Boolean(value) => Some(value.to_string()),
            JsonEvent::Null => Some(String::new()),
        };
        if let Some(text) = text
            && !levels.iter().any(Level::is_of_the_machine)
        {
            let names: Vec<_> = levels.iter().map(Level::name).collect();
            columns.push((names.join("."), text));
        }
        if let Some(Level::Array(index)) = levels.last_mut() {
            *index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn flat(report: &str) -> String {
        let columns = columns(report.as_bytes()).unwrap();
        let pairs: Vec<_> = columns
            .iter()
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        pairs.join(" ")
    }

    #[test]
    fn each_value_is_a_column_in_the_order_of_the_report() {
        let report = r#"{ "b": {"start": 1, "end": null}, "a": [{"id": 1, "at": [0.5, -2e-7]}, {"id": 2}], "t": true, "s": "x" }"#;
        let expected = "b.start=1 b.end= a.0.id=1 a.0.at.0=0.5 a.0.at.1=-2e-7 a.1.id=2 t=true s=x";
        assert_eq!(flat(report), expected);
        assert_eq!(flat(r#"{"empty": [], "none": {}}"#), "");
    }

    #[test]
    fn times_of_the_machine_are_left_out_at_any_depth() {
        let report =
            r#"{"step_ms": {"p95": 1}, "rows": [{"cells": 2, "step_ms": 3}], "wall_seconds": 4}"#;
        assert_eq!(flat(report), "rows.0.cells=2");
    }

    #[test]
    fn a_broken_report_is_an_error() {
        for report in ["", "{", "[1,", "error", r#"{"a": 1} {"a": 2}"#] {
            assert!(columns(report.as_bytes()).is_err(), "{report}");
        }
    }

    proptest! {
        #[test]
        fn numbers_keep_their_bits(values in prop::collection::vec(prop::num::f64::NORMAL, 0..20)) {
            let report = json!({ "values": values }).to_string();
            let columns = columns(report.as_bytes()).unwrap();
            let read: Vec<u64> = columns.iter().map(|(_, text)| text.parse::<f64>().unwrap().to_bits()).collect();
            let written: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
            prop_assert_eq!(read, written);
        }
    }
}
