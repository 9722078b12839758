//! The game holds what was measured and what is exact.

use scene_kit::RunOptions;

use super::{Subject, comparison::Comparison};

fn compare(subject: Subject) -> Vec<Comparison> {
    subject.compare(&RunOptions {
        headless: true,
        ..RunOptions::default()
    })
}

#[test]
fn a_masse_ends_where_coriolis_says() {
    for comparison in compare(Subject::Masse) {
        for curve in comparison.curves {
            for point in curve.points {
                let off = point.ours - point.published;
                assert!(off.abs() < 1.0, "{}: {point:?}", curve.name);
            }
        }
    }
}
