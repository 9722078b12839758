//! Shots against their closed forms.
//!
//! Cloth is level, so of a sliding ball the velocity u of its lowest point falls at 7/2·μ_s·g and keeps its direction, its
//! path is a parabola, and it rolls from t = 2·|u|/(7·μ_s·g) on, with v − 2/7·u. From there it goes v²/(2·μ_r·g) straight on.

use std::collections::BTreeMap;

use bevy::prelude::*;
use scene_kit::RunOptions;

use super::{
    file::{BallLaws, BallState, Kind, Shot, ShotFile, ShotReport},
    player::Player,
};

const BALL: BallLaws = BallLaws {
    m: 0.17,
    r: 0.0286,
    u_s: 0.2,
    u_r: 0.01,
    u_sp_proportionality: 0.4,
    e_c: 0.85,
    f_c: 0.2,
    g: 9.81,
};

/// The height at which a nose meets a ball on its equator.
const EQUATOR: f32 = BALL.r;
const NOSE: f32 = 1.27 * BALL.r;

/// A ball on the cloth at `x`; all in the file's axes.
fn ball(x: Vec2, v: Vec2, w: Vec3) -> BallState {
    BallState {
        x: [x.x, x.y, BALL.r],
        v: [v.x, v.y, 0.0],
        w: w.to_array(),
    }
}

fn rolling(x: Vec2, v: Vec2) -> BallState {
    ball(x, v, Vec3::new(-v.y, v.x, 0.0) / BALL.r)
}

fn play_on(
    ball: BallLaws,
    cushion_height: f32,
    hz: f64,
    kind: Kind,
    balls: &[BallState],
) -> ShotReport {
    let init: BTreeMap<_, _> = (0..)
        .map(|i: u32| i.to_string())
        .zip(balls.to_vec())
        .collect();
    let shot = Shot { kind, init };
    let file = ShotFile {
        ball,
        cushion_height,
        shots: vec![shot.clone()],
    };
    let options = RunOptions {
        headless: true,
        hz: Some(hz),
        ..default()
    };
    Player::new(&file, &options).play(&shot)
}

fn play(hz: f64, kind: Kind, balls: &[BallState]) -> ShotReport {
    play_on(BALL, NOSE, hz, kind, balls)
}

/// Velocity of the lowest point: v + ω × (0, 0, −R).
fn slip(state: &BallState) -> Vec2 {
    let [x, y, _] = state.v;
    Vec2::new(x - BALL.r * state.w[1], y + BALL.r * state.w[0])
}

fn flat([x, y, _]: [f32; 3]) -> Vec2 {
    Vec2::new(x, y)
}

/// Seconds until `state` rolls, where it then is and how fast.
fn until_roll(state: &BallState) -> (f64, Vec2, Vec2) {
    let slip = slip(state);
    let t = 2.0 * slip.length() / (7.0 * BALL.u_s * BALL.g);
    let v = flat(state.v);
    let slowing = BALL.u_s * BALL.g * slip.normalize_or_zero();
    (
        t.into(),
        flat(state.x) + v * t - slowing * (0.5 * t * t),
        v - slowing * t,
    )
}

/// Where `state` comes to rest on open cloth, and after how many seconds.
fn rest(state: &BallState) -> (Vec2, f64) {
    let (t, x, v) = until_roll(state);
    let slowing = BALL.u_r * BALL.g;
    let spins = state.w[2].abs() / (2.5 * BALL.u_sp_proportionality * BALL.g);
    (
        x + v * (v.length() / (2.0 * slowing)),
        (t + f64::from(v.length() / slowing)).max(spins.into()),
    )
}

#[track_caller]
fn assert_near(what: &str, value: f64, expected: f64, tolerance: f64) {
    let off = (value - expected).abs();
    assert!(off <= tolerance, "{what}: {value}, expected {expected}");
}

#[test]
fn a_ball_slides_on_a_parabola_rolls_straight_on_and_stops() {
    let r = BALL.r;
    let stun = Vec3::ZERO;
    let (draw, follow) = (Vec3::NEG_Y * 4.0 / r, Vec3::Y * 5.0 / r);
    let masse = Vec3::new(-3.0 / r, 0.5 / r, 40.0);
    let side = Vec3::Z * 80.0;
    for hz in [60.0, 120.0, 240.0] {
        for spin in [stun, draw, follow, masse, side] {
            let start = ball(Vec2::ZERO, Vec2::new(2.0, 0.3), spin);
            let report = play(hz, Kind::Slide, &[start]);
            let (rolls, rolls_at, _) = until_roll(&start);
            let (stops_at, stops) = rest(&start);
            let path = f64::from(rolls_at.length() + stops_at.distance(rolls_at));
            let end = report.end["0"];
            let off = flat(end.state.x).distance(stops_at);
            assert_near("end", off.into(), 0.0, 3e-4 * path);
            assert_near("rolling", report.rolling_at["0"][0], rolls, 1e-4);
            assert_near("rest", end.t.unwrap(), stops, 2e-3 * stops);
            // A shot ends when neither is above the motion that counts as none. The ball may have a part of a step to go.
            let (v, w) = (Vec3::from(end.state.v), Vec3::from(end.state.w));
            let left = v.length().max(BALL.r * w.length());
            assert_near("motion left", left.into(), 0.0, 1e-4);
        }
    }
}

#[test]
fn the_draw_comes_back_and_the_masse_turns() {
    let end = |spin| {
        let start = ball(Vec2::ZERO, Vec2::X, spin);
        flat(play(120.0, Kind::Slide, &[start]).end["0"].state.x)
    };
    assert!(end(Vec3::NEG_Y * 3.5 / BALL.r).x < -0.01);
    let masse = end(Vec3::new(-2.0 / BALL.r, 0.0, 0.0));
    assert!(masse.y > 0.5, "{masse}");
}

#[test]
fn a_ball_that_spins_in_place_stays_there_until_its_spin_is_gone() {
    let start = ball(Vec2::ZERO, Vec2::ZERO, Vec3::Z * 60.0);
    let end = play(120.0, Kind::Slide, &[start]).end["0"];
    let expected = 60.0 / (2.5 * BALL.u_sp_proportionality * BALL.g);
    assert_near("time", end.t.unwrap(), expected.into(), 1e-3);
    assert!(flat(end.state.x).length() < 1e-6);
    assert_eq!(end.state.w, [0.0; 3]);
}

#[test]
fn balls_part_at_right_angles_wherever_in_a_step_they_meet() {
    // Without spin, the cue ball keeps the velocity across the line of centres.
    let offset = BALL.r;
    for distance in [0.302, 0.3085, 0.314] {
        let cue = ball(Vec2::ZERO, Vec2::X * 2.0, Vec3::ZERO);
        let object = ball(Vec2::new(distance, offset), Vec2::ZERO, Vec3::ZERO);
        let report = play(120.0, Kind::Pair, &[cue, object]);
        let (cue, object) = (report.after_ball["0"], report.after_ball["1"]);
        let centers = (flat(object.x) - flat(cue.x)).normalize();
        assert_near(
            "reach",
            flat(object.x).distance(flat(cue.x)).into(),
            (2.0 * BALL.r).into(),
            1e-6,
        );
        let way = distance - (4.0 * BALL.r.powi(2) - offset * offset).sqrt();
        let before = (4.0 - 2.0 * BALL.u_s * BALL.g * way).sqrt() * Vec2::X;
        let normal = before.dot(centers) * centers;
        let off = flat(object.v).distance(normal) + flat(cue.v).distance(before - normal);
        assert_near("velocities", off.into(), 0.0, 1e-4);
        // And all that follows is as from there.
        for (id, state) in [("0", cue), ("1", object)] {
            let (end, _) = rest(&state);
            let off = flat(report.end[id].state.x).distance(end);
            assert_near(
                id,
                off.into(),
                0.0,
                1e-3 * f64::from(end.distance(flat(state.x))),
            );
        }
    }
}

#[test]
fn a_rolling_ball_follows_with_two_sevenths() {
    for distance in [0.4, 0.4055, 0.411] {
        let start = 1.5;
        let cue = rolling(Vec2::ZERO, Vec2::X * start);
        let object = ball(Vec2::X * distance, Vec2::ZERO, Vec3::ZERO);
        let report = play(120.0, Kind::Pair, &[cue, object]);
        let slowing = BALL.u_r * BALL.g;
        let way = distance - 2.0 * BALL.r;
        let v = (start * start - 2.0 * slowing * way).sqrt();
        let hit = (start - v) / slowing;
        // Both slide for 2·v/(7·μ_s·g): one ball gains speed from its spin, the other ball loses some to its spin.
        let slide = 2.0 * v / (7.0 * BALL.u_s * BALL.g);
        for (id, from, slid, part) in [
            ("0", way, v * slide / 7.0, 2.0 / 7.0),
            ("1", distance, v * slide * 6.0 / 7.0, 5.0 / 7.0),
        ] {
            let [rolls] = report.rolling_at[id][..] else {
                panic!("{id} begins to roll {:?}", report.rolling_at[id]);
            };
            assert_near("rolling", rolls, (hit + slide).into(), 2e-3 * rolls);
            let end = from + slid + (part * v).powi(2) / (2.0 * slowing);
            let off = f64::from(report.end[id].state.x[0] - end);
            assert_near(id, off, 0.0, 1e-3 * f64::from(end - from));
        }
    }
}

/// The motion after a cushion, from `v` and `w` just before.
fn rebound(laws: BallLaws, nose: f32, v: Vec2, w: Vec3) -> BallState {
    let reach = (BALL.r.powi(2) - (nose - BALL.r).powi(2)).sqrt();
    let start = ball(Vec2::new(0.2 - reach, 0.0) - v / 50.0, v, w);
    play_on(laws, nose, 120.0, Kind::Cushion, &[start]).after_cushion["0"]
}

/// A cloth that does nothing on the way to the cushion.
const ICE: BallLaws = BallLaws {
    u_s: 0.0,
    u_sp_proportionality: 0.0,
    ..BALL
};

#[test]
fn a_smooth_cushion_returns_the_part_e_whatever_its_height() {
    // The slate takes the vertical velocity. The normal velocity v·cos θ comes back e times, so v does too.
    let laws = BallLaws { f_c: 0.0, ..ICE };
    for nose in [EQUATOR, NOSE, 1.4 * BALL.r] {
        let after = rebound(laws, nose, Vec2::new(1.2, 0.7), Vec3::new(3.0, -5.0, 7.0));
        assert_near("normal", after.v[0].into(), -0.85 * 1.2, 1e-3);
        assert_near("along", after.v[1].into(), 0.7, 1e-5);
        assert_near("up", after.v[2].into(), 0.0, 1e-5);
        let w = Vec3::from(after.w).distance(Vec3::new(3.0, -5.0, 7.0));
        assert_near("spin", w.into(), 0.0, 1e-3);
    }
}

#[test]
fn english_on_a_nose_at_the_equator_is_coulombs() {
    // There the slate has no part. The nose gives (1 + e)·m·v_n and, against the sliding s of the surface, friction of μ
    // times that, but at most 2/7·m·s.
    for (v, w) in [
        (Vec2::new(1.0, 0.2), Vec3::Z * 60.0),
        (Vec2::new(1.0, 0.2), Vec3::Z * -20.0),
        (Vec2::new(1.0, 0.5), Vec3::ZERO),
        (Vec2::new(0.6, 0.1), Vec3::new(0.0, 25.0, 10.0)),
    ] {
        let after = rebound(ICE, EQUATOR, v, w);
        // The point of contact is at (R, 0, 0): v + ω × r, across the normal.
        let sliding = Vec2::new(v.y + w.z * BALL.r, -w.y * BALL.r);
        let most = BALL.f_c * 1.85 * v.x;
        let friction = -sliding.normalize() * most.min(2.0 / 7.0 * sliding.length());
        assert_near("along", after.v[1].into(), (v.y + friction.x).into(), 2e-3);
        let spin = w.z + 2.5 * friction.x / BALL.r;
        assert_near("spin", after.w[2].into(), spin.into(), 0.1);
    }
}

#[test]
fn a_ball_that_does_not_slide_on_the_nose_comes_back_as_it_came() {
    // Spinning so that its point of contact has no tangential velocity, and held there by friction, the ball has one way to
    // move, along and back, and on it the part e comes back, of velocity and spin.
    let laws = BallLaws { f_c: 20.0, ..ICE };
    let sine = NOSE / BALL.r - 1.0;
    let v = 1.3;
    let w = -v * sine / BALL.r;
    let after = rebound(laws, NOSE, Vec2::X * v, Vec3::Y * w);
    assert_near("velocity", after.v[0].into(), (-0.85 * v).into(), 0.01);
    assert_near("spin", after.w[1].into(), (-0.85 * w).into(), 0.2);
}
