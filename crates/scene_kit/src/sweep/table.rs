//! The table of a sweep, as CSV: one row for each run, in the order of the grid.

use std::{collections::HashMap, fs, io, path::Path};

use super::{
    grid::{Grid, Run},
    journal::Outcome,
    values::Setting,
};

/// Writes the table to `path`. The old file stays until the new one is whole.
pub fn write(path: &Path, grid: &Grid, rows: &[(&Run, &Outcome)]) -> Result<(), String> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = fs::File::create(&new).and_then(|file| write_csv(file, grid, rows));
    written
        .and_then(|()| fs::rename(&new, path))
        .map_err(|problem| format!("cannot write {}: {problem}", path.display()))
}

/// The columns are the options of the grid, `error`, and every value of the reports in the order in which they first occur. Runs
/// differ in what they report: what a run lacks is empty.
fn write_csv(to: impl io::Write, grid: &Grid, rows: &[(&Run, &Outcome)]) -> io::Result<()> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|(_, outcome)| report(outcome)) {
        places.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        });
    }
    let mut csv = csv::Writer::from_writer(to);
    let options = grid.options().map(|option| format!("option.{option}"));
    let head = options.chain(["error".to_owned()]);
    csv.write_record(head.chain(names.iter().map(|name| name.to_string())))?;
    for (run, outcome) in rows {
        let mut values = vec![""; names.len()];
        for (name, text) in report(outcome) {
            values[places[name.as_str()]] = text;
        }
        let settings: Vec<_> = run.settings.iter().map(Setting::text).collect();
        let error = match outcome {
            Outcome::Error(error) => error.as_str(),
            Outcome::Report(_) => "",
        };
        let row = settings.iter().map(String::as_str).chain([error]);
        csv.write_record(row.chain(values))?;
    }
    csv.flush()
}

fn report(outcome: &Outcome) -> &[(String, String)] {
    match outcome {
        Outcome::Report(columns) => columns,
        Outcome::Error(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(columns: &[(&str, &str)]) -> Outcome {
        let text = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Outcome::Report(columns.iter().map(text).collect())
    }

    #[test]
    fn every_run_is_a_row_and_every_value_a_column() {
        let grid = Grid::parse("[grid]\ndrum = [false, true]\nseed = [1, 2]").unwrap();
        let runs = grid.runs();
        let outcomes = [
            reported(&[("a", "1.50"), ("b", "2")]),
            Outcome::Error("fell over, \"badly\"".to_owned()),
            reported(&[("c", "3"), ("a", "4")]),
            reported(&[]),
        ];
        let rows: Vec<_> = runs.iter().zip(&outcomes).collect();
        let mut text = Vec::new();
        write_csv(&mut text, &grid, &rows).unwrap();
        let expected = "option.drum,option.seed,error,a,b,c\n\
            false,1,,1.50,2,\n\
            false,2,\"fell over, \"\"badly\"\"\",,,\n\
            true,1,,4,,3\n\
            true,2,,,,\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
