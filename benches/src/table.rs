//! The table of runs, in Markdown.

use std::ops::Range;

use crate::{
    run::{Outcome, Run},
    times::Times,
};

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
    let times = Times::new(outcome.step_ms[timed].to_vec());
    let (median, worst) = (times.median(), times.worst());
    let ratio = median / *reference.get_or_insert(median);
    let state = outcome.state;
    format!(
        "| {} | {} | {median:.2} | {ratio:.2} | {worst:.2} | {:.1e} | {:.1e} | {:.3} | {:.3} |",
        run.bodies,
        run.engine.title(),
        state.overlap_mean,
        outcome.rms_speed(),
        1e-3 * outcome.step_ms[0],
        outcome.spawn_s,
    )
}
