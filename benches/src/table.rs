//! The table of runs, in Markdown.

use std::ops::Range;

use crate::run::{Outcome, Run};

/// Its first two lines.
pub const HEAD: &str = "\
| bodies | engine | ms a step, median | ratio | worst | mean overlap / radius | rms speed, m/s | first step, s | spawn, s |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// The line of a run. The ratio is of its median time, over the `timed` steps, to `reference`, which is set if it is none.
pub fn row(
    run: &Run,
    outcome: &Outcome,
    timed: Range<usize>,
    reference: &mut Option<f64>,
) -> String {
    let mut sorted = outcome.step_ms[timed].to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let worst = sorted[sorted.len() - 1];
    let ratio = median / *reference.get_or_insert(median);
    let state = outcome.state;
    format!(
        "| {} | {} | {median:.2} | {ratio:.2} | {worst:.2} | {:.1e} | {:.1e} | {:.3} | {:.3} |",
        run.bodies,
        run.engine.title(),
        state.overlap_mean,
        state.rms_speed,
        1e-3 * outcome.step_ms[0],
        outcome.spawn_s,
    )
}
