//! Curves of a scene by all methods, as a drawing.

use std::{error::Error, path::Path};

use plotters::prelude::*;

use super::report::Run;

const PANEL: (u32, u32) = (440, 420);

/// Width of the names of the curves, and the height of a line of them.
const LEGEND: u32 = 190;
const LINE: i32 = 20;

/// Nothing below this is shown: it is rounding.
const SMALLEST: f64 = 1e-8;

/// |E − E₀| over its scale, the mean overlap, and the error if there is a reference, against time.
pub fn plot(runs: &[Run], file: &Path) -> Result<(), Box<dyn Error>> {
    let has_errors = runs.iter().any(|run| !run.errors.is_empty());
    let panels = if has_errors { 3 } else { 2 };
    let size = (panels * PANEL.0 + LEGEND, PANEL.1);
    let area = SVGBackend::new(file, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (charts, names) = area.split_horizontally(panels * PANEL.0);
    let places = charts.split_evenly((1, panels as usize));
    let energy = |run: &Run| run.drifts.clone();
    let overlap = |run: &Run| run.curve.iter().map(|s| (s.seconds, s.overlap)).collect();
    curves(&places[0], runs, "|E − E₀| over its scale", energy)?;
    curves(&places[1], runs, "mean overlap over the radius", overlap)?;
    if has_errors {
        curves(&places[2], runs, "error, m", |run: &Run| run.errors.clone())?;
    }
    for (k, run) in runs.iter().enumerate() {
        let y = LINE * (k as i32 + 2);
        let color = Palette99::pick(k);
        names.draw(&PathElement::new([(0, y), (18, y)], color.stroke_width(3)))?;
        names.draw(&Text::new(run.title, (24, y - 6), ("sans-serif", 12)))?;
    }
    area.present()?;
    Ok(())
}

fn curves(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    runs: &[Run],
    title: &str,
    values: impl Fn(&Run) -> Vec<(f64, f64)>,
) -> Result<(), Box<dyn Error>> {
    let end = runs
        .iter()
        .filter_map(|run| run.curve.last())
        .fold(0.0, |end: f64, sample| end.max(sample.seconds));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(28)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..end, (SMALLEST..10.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("s")
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (k, run) in runs.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let points = values(run)
            .into_iter()
            .filter(|(_, y)| y.is_finite())
            .map(|(x, y)| (x, y.abs().clamp(SMALLEST, 10.0)));
        chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
    }
    Ok(())
}
