//! The table of runs, in Markdown.

use std::ops::Range;

use crate::run::{Outcome, Run};

/// Its first two lines.
pub const HEAD: &str = "\
| bodies | engine | ms a step, median | ratio | worst | mean overlap / radius | rms speed, m/s, median | first step, s | spawn, s |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// The line of a run: medians are over the `timed` steps. The ratio is of the time to `reference`, which is set if it is none.
pub fn row(
    run: &Run,
    outcome: &Outcome,
    timed: Range<usize>,
    reference: &mut Option<f64>,
) -> String {
    let times = sorted(&outcome.step_ms[timed]);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let speeds = sorted(&outcome.rms_speeds);
    let ratio = median / *reference.get_or_insert(median);
    let state = outcome.state;
    format!(
        "| {} | {} | {median:.2} | {ratio:.2} | {worst:.2} | {:.1e} | {:.1e} | {:.3} | {:.3} |",
        run.bodies,
        run.engine.title(),
        state.overlap_mean,
        speeds[speeds.len() / 2],
        1e-3 * outcome.step_ms[0],
        outcome.spawn_s,
    )
}

fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}
