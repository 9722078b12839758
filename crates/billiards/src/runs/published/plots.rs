//! Curves of a comparison, as a drawing: points are published, lines are the game's.

use std::{error::Error, path::Path};

use plotters::prelude::*;

use super::comparison::{Comparison, Curve, Point};

const SIZE: (u32, u32) = (640, 420);

/// Draws a comparison into an SVG file.
pub fn plot(comparison: &Comparison, file: &Path) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let all = || comparison.curves.iter().flat_map(|curve| &curve.points);
    let end = all().map(|point| point.at).fold(0.0, f64::max);
    let values = all().flat_map(|point| [point.published, point.ours]);
    let highest = values.filter(|y| y.is_finite()).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption(comparison.title, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..1.05 * end, 0.0..1.15 * highest)?;
    chart
        .configure_mesh()
        .x_desc(comparison.over)
        .y_desc(comparison.of)
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (k, Curve { name, points, .. }) in comparison.curves.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let ours = points.iter().filter(|point| point.ours.is_finite());
        let line = ours.map(|point| (point.at, point.ours));
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
        let dot = |point: &Point| Circle::new((point.at, point.published), 4, color.filled());
        chart.draw_series(points.iter().map(dot))?;
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .position(SeriesLabelPosition::LowerLeft)
        .draw()?;
    area.present()?;
    Ok(())
}
