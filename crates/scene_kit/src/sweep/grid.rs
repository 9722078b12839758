//! The grid of a sweep: the options that its file lists, and the runs that their combinations make.

use std::{fs, path::Path};

use toml::{Table, Value};

use super::values::{MOST, Setting, settings};

/// Options that the sweep itself needs.
const RESERVED: [&str; 4] = ["headless", "help", "report", "threads"];

/// The options of a sweep, each with all its values.
#[derive(Clone, Debug)]
pub struct Grid {
    axes: Vec<Axis>,
}

#[derive(Clone, Debug)]
struct Axis {
    option: String,
    settings: Vec<Setting>,
}

/// One combination of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The values, in the order of the file.
    pub settings: Vec<Setting>,
    /// The same as arguments of the scene.
    pub arguments: Vec<String>,
}

impl Grid {
    /// The grid in a file. The error names the file, and the option and its value if it is one of them.
    pub fn read(file: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(file)
            .map_err(|problem| format!("cannot read {}: {problem}", file.display()))?;
        Self::parse(&text).map_err(|problem| format!("{}: {problem}", file.display()))
    }

    /// The grid in the text of a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Table = text
            .parse()
            .map_err(|problem: toml::de::Error| problem.to_string().trim_end().to_owned())?;
        if let Some(key) = file.keys().find(|key| *key != "grid") {
            return Err(format!("`{key}` is unknown: all options stand in `[grid]`"));
        }
        let Some(Value::Table(grid)) = file.get("grid") else {
            return Err("there is no table `[grid]`".to_owned());
        };
        let axes = grid.iter().map(|(option, value)| {
            let settings = if RESERVED.contains(&option.as_str()) {
                Err("a sweep cannot set this option".to_owned())
            } else {
                settings(value)
            };
            let settings = settings.map_err(|problem| format!("grid.{option}: {problem}"))?;
            let option = option.clone();
            Ok(Axis { option, settings })
        });
        let axes = axes.collect::<Result<Vec<_>, String>>()?;
        let runs = axes
            .iter()
            .try_fold(1, |runs: usize, axis| runs.checked_mul(axis.settings.len()));
        if runs.is_none_or(|runs| runs > MOST) {
            let lengths: Vec<_> = axes
                .iter()
                .map(|axis| axis.settings.len().to_string())
                .collect();
            return Err(format!("{} runs are more than {MOST}", lengths.join(" × ")));
        }
        Ok(Self { axes })
    }

    /// Names of the options, in the order of the file.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|axis| axis.option.as_str())
    }

    /// All runs. The last option of the file changes from run to run, as the innermost of nested loops.
    pub fn runs(&self) -> Vec<Run> {
        let count = self.axes.iter().map(|axis| axis.settings.len()).product();
        (0..count).map(|number| self.run(number)).collect()
    }

    /// The run with this number, whose digits are the places of its values.
    fn run(&self, mut number: usize) -> Run {
        let mut settings: Vec<_> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let digit = number % axis.settings.len();
                number /= axis.settings.len();
                axis.settings[digit].clone()
            })
            .collect();
        settings.reverse();
        let arguments = self.options().zip(&settings);
        let arguments = arguments.filter_map(|(option, setting)| setting.argument(option));
        Run {
            arguments: arguments.collect(),
            settings,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn runs_are_nested_loops_over_the_options_in_the_order_of_the_file() {
        let grid = Grid::parse(
            "[grid]\nwalls = ['box', 'none']\ndrum = [false, true]\nballs = 9\nseed = { from = 1, to = 2 }",
        );
        let runs = grid.unwrap().runs();
        let lines: Vec<_> = runs.iter().map(|run| run.arguments.join(" ")).collect();
        let expected = [
            "--walls=box --balls=9 --seed=1",
            "--walls=box --balls=9 --seed=2",
            "--walls=box --drum --balls=9 --seed=1",
            "--walls=box --drum --balls=9 --seed=2",
            "--walls=none --balls=9 --seed=1",
            "--walls=none --balls=9 --seed=2",
            "--walls=none --drum --balls=9 --seed=1",
            "--walls=none --drum --balls=9 --seed=2",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn an_error_names_the_key() {
        for (text, part) in [
            ("", "[grid]"),
            ("grid = 3", "[grid]"),
            ("[gird]\nseed = 1", "`gird`"),
            ("[grid]\nreport = 'x'", "grid.report"),
            ("[grid]\nseed = []", "grid.seed"),
            ("[grid]\nseed = 1\nseed = 2", "line 3"),
            (
                "[grid]\nseed = { from = 1, to = 100000 }\nballs = { from = 1, to = 1000 }",
                "100000 × 1000",
            ),
        ] {
            let problem = Grid::parse(text).unwrap_err();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }

    proptest! {
        #[test]
        fn every_combination_is_there_once(lengths in prop::collection::vec(1_usize..5, 0..5)) {
            let axis = |(k, length): (usize, &usize)| {
                let values: Vec<_> = (0..*length).map(|value| value.to_string()).collect();
                format!("option{k} = [{}]\n", values.join(", "))
            };
            let axes: String = lengths.iter().enumerate().map(axis).collect();
            let runs = Grid::parse(&format!("[grid]\n{axes}")).unwrap().runs();
            prop_assert_eq!(runs.len(), lengths.iter().product::<usize>());
            // One digit each: the order of the runs is that of their texts, and no two are equal.
            let texts: Vec<String> = runs.iter().map(|run| run.settings.iter().map(Setting::text).collect()).collect();
            prop_assert!(texts.is_sorted_by(|a, b| a < b));
        }
    }
}
