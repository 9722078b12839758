//! Tracks made with known strokes.

use std::{collections::BTreeMap, f64::consts::FRAC_PI_4};

use super::{
    calibrate::calibrate,
    constants::Constants,
    file::{Samples, TrackedShot},
    fit::{Search, Target},
    replay,
    stroke::Stroke,
};
use crate::{
    plugin::RATE,
    table::spec::{CAROM, TableSpec},
};

/// Three balls at rest, the first of which is known to move.
fn at_rest(places: [[f64; 2]; 3]) -> TrackedShot {
    let samples = |(k, [x, y]): (usize, [f64; 2])| {
        let moved = if k == 0 { 0.01 } else { 0.0 };
        let samples = Samples {
            t: vec![0.0, 0.02],
            x: vec![x, x + moved],
            y: vec![y, y],
        };
        (format!("{k}"), samples)
    };
    TrackedShot {
        id: 0,
        balls: places
            .into_iter()
            .enumerate()
            .map(samples)
            .collect::<BTreeMap<_, _>>(),
    }
}

fn table() -> &'static TableSpec {
    &CAROM
}

fn strokes() -> [Stroke; 3] {
    let stroke = |direction, speed, tip, elevation| Stroke {
        elevation,
        ..Stroke::of_ball(table(), direction, speed, tip, 0.01)
    };
    [
        stroke(0.35, 3.0, [0.2, 0.2], 0.03),
        stroke(FRAC_PI_4, 4.5, [-0.3, 0.1], 0.05),
        stroke(2.0, 2.0, [0.1, -0.3], 0.2),
    ]
}

const PLACES: [[f64; 2]; 3] = [[-0.9, -0.3], [0.7, 0.25], [0.2, -0.5]];

/// The shot as a camera sees it: 50 times a second, to the millimetre.
fn tracked(search: &Search, stroke: Stroke) -> TrackedShot {
    let mut shot = at_rest(PLACES);
    let target = Target::new(&shot).unwrap();
    let ways = search.play(&target, stroke, 9.0);
    for (k, samples) in shot.balls.values_mut().enumerate() {
        let times = (0..=450).map(|frame| f64::from(frame) / 50.0);
        let millimetres = |value: f64| (1e3 * value).round() / 1e3;
        *samples = Samples {
            t: times.clone().collect(),
            x: times
                .clone()
                .map(|t| millimetres(ways.at(k, t - stroke.time).x))
                .collect(),
            y: times
                .map(|t| millimetres(-ways.at(k, t - stroke.time).y))
                .collect(),
        };
    }
    shot
}

#[test]
fn the_game_and_the_laws_in_closed_form_agree() {
    let search = Search::new(*table());
    let target = Target::new(&at_rest(PLACES)).unwrap();
    for stroke in strokes() {
        let game = replay::ways(table(), RATE, &target, stroke, 4.0);
        let laws = search.play(&target, stroke, 4.0);
        for ball in 0..3 {
            for tenth in 0..40 {
                let t = f64::from(tenth) / 10.0;
                let off = game.at(ball, t).distance(laws.at(ball, t));
                assert!(off < 0.01, "ball {ball}: {off} m after {t} s of {stroke:?}");
            }
        }
    }
}

#[test]
fn a_stroke_is_found_in_its_tracks() {
    let search = Search::new(*table());
    for stroke in strokes() {
        let target = Target::new(&tracked(&search, stroke)).unwrap();
        assert_eq!(target.cue_ball, 0);
        let found = search.find(&target);
        assert!(found.rmse < 0.005, "{} m for {stroke:?}", found.rmse);
        let turned = (found.stroke.direction - stroke.direction).abs();
        assert!(turned < 0.01, "{:?} for {stroke:?}", found.stroke);
    }
}

#[test]
fn constants_are_found_in_tracks() {
    let real = Constants::default();
    let search = Search::new(real.on(table()));
    let targets = strokes().map(|stroke| Target::new(&tracked(&search, stroke)).unwrap());
    let guessed = real
        .changed(&[0.8, -0.8, 0.5, -1.0, 0.5, -1.5, 0.0, 0.0, 0.5, 0.5])
        .possible();
    let found = calibrate(table(), guessed, &targets);
    for fitted in &found.strokes {
        assert!(fitted.rmse < 0.005, "{fitted:?}");
    }
    let off = |constants: Constants| {
        let (found, real) = (constants.to_array(), real.to_array());
        std::array::from_fn::<f64, 6, _>(|k| (found[k] - real[k]).abs())
    };
    // Three shots, to the millimetre, tell these constants.
    let (before, after) = (off(guessed), off(found.constants));
    for k in [0, 1, 5] {
        assert!(
            after[k] < 0.3 * before[k],
            "{:?} for {real:?}",
            found.constants
        );
    }
}
