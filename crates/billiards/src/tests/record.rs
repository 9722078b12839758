//! The record of a shot for the rules.

use super::*;
use crate::{
    play::{account::Account, record::Recorder},
    rules::{BallSet, ShotRecord},
    table::cushion::NOSE_RADIUS,
};

const FAR: Vec2 = Vec2::new(0.9, -0.4);

/// A table with the cue ball and ball 1 alone, `seconds` after the cue ball is sent off at `speed` m/s.
fn two_balls(cue: Vec2, one: Vec2, direction: Vec2, speed: f32, seconds: f64) -> App {
    let mut app = table();
    let world = app.world_mut();
    let mut balls = world.query::<(Entity, &Ball)>();
    let others = balls.iter(world).filter(|(_, ball)| ball.0 > 1);
    for entity in others.map(|(entity, _)| entity).collect::<Vec<_>>() {
        world.despawn(entity);
    }
    for (ball, at) in [(Ball(1), one), (Ball::CUE, cue)] {
        send(&mut app, ball, at, Vec3::ZERO);
    }
    app.world_mut().resource_mut::<Game>().phase = Phase::Aim;
    app.world_mut().write_message(Shot(Blow::centered(
        &POOL_9.cue,
        &POOL_9.ball,
        direction,
        speed,
    )));
    roll(&mut app, seconds);
    app
}

/// The record of such a shot.
fn record(cue: Vec2, one: Vec2, direction: Vec2, speed: f32, seconds: f64) -> ShotRecord {
    let app = two_balls(cue, one, direction, speed, seconds);
    app.world().resource::<Recorder>().record.clone()
}

/// Where a ball lies that touches the cushion at the +y side.
fn frozen() -> Vec2 {
    let height = POOL_9.nose_axis(NOSE_RADIUS) - RADIUS;
    let apart = ((RADIUS + NOSE_RADIUS).powi(2) - height * height).sqrt();
    Vec2::new(0.3, HALF.y + NOSE_RADIUS - apart)
}

#[test]
fn a_cushion_without_a_ball_is_no_contact() {
    let record = record(Vec2::new(-0.8, 0.0), FAR, Vec2::Y, 2.0, 1.0);
    assert_eq!(record.to_cushion, BallSet::one(Ball::CUE));
    assert_eq!(record.first_hit, None);
    assert!(!record.cushion_after_contact && !record.past_head_string);
}

#[test]
fn a_ball_that_touches_is_met_only_if_it_is_played_at() {
    let one = Vec2::new(0.3, 0.1);
    for (way, meets) in [(Vec2::Y, true), (Vec2::X, false), (Vec2::NEG_Y, false)] {
        let record = record(one - 2.0 * RADIUS * Vec2::Y, one, way, 0.5, 0.5);
        assert_eq!(record.touching, BallSet::one(Ball(1)));
        assert_eq!(record.first_hit, meets.then_some(Ball(1)), "{way}");
    }
}

#[test]
fn a_ball_is_in_sight_before_the_shot() {
    let record = record(Vec2::ZERO, FAR, Vec2::NEG_X, 0.5, 0.5);
    let one = BallSet::one(Ball(1));
    assert_eq!(record.in_sight, one);
    assert_eq!(record.full_ways, [(Ball(1), BallSet::EMPTY)]);
    assert_eq!((record.touching, record.first_hit), (BallSet::EMPTY, None));
}

#[test]
fn a_ball_and_then_a_cushion_make_a_legal_shot() {
    let (cue, one) = (Vec2::new(0.3, -0.2), Vec2::new(0.3, 0.1));
    let record = record(cue, one, Vec2::Y, 3.0, 1.0);
    assert_eq!(record.first_hit, Some(Ball(1)));
    assert!(record.to_cushion.contains(Ball(1)));
    assert!(record.cushion_after_contact && record.past_head_string);
}

#[test]
fn a_ball_frozen_to_a_cushion_has_not_met_it() {
    let free = frozen() - Vec2::Y * 0.01;
    for (one, counts) in [(frozen(), false), (free, true)] {
        let cue = Vec2::new(one.x, 0.2);
        let record = record(cue, one, Vec2::Y, 1.0, 0.6);
        assert_eq!(record.first_hit, Some(Ball(1)));
        assert_eq!(record.to_cushion.contains(Ball(1)), counts, "{one}");
    }
}

#[test]
fn a_ball_that_falls_is_told_with_its_pocket() {
    let pocket = POCKETS[3].center;
    let way = Vec2::splat(std::f32::consts::FRAC_1_SQRT_2);
    let record = record(pocket - 0.8 * way, pocket - 0.4 * way, way, 2.5, 3.0);
    assert_eq!(record.pocket_of(Ball(1)), Some(3));
    assert!(record.off_table.is_empty());
}

/// A full hit passes the part (1 + e)/2 of the speed on, and a hit at half of the radius is a cut of 30°.
#[test]
fn the_account_of_a_shot_has_its_cut_and_its_speeds() {
    for (aside, cut) in [(0.0, 0.0f32), (RADIUS, 30.0)] {
        let (cue, one) = (Vec2::new(0.3 + aside, -0.1), Vec2::new(0.3, 0.1));
        let app = two_balls(cue, one, Vec2::Y, 4.0, 0.2);
        let account = app.world().resource::<Account>();
        let hit = account.hit.unwrap();
        assert_eq!(hit.ball, Ball(1));
        assert!((account.start.speed() - 4.0).abs() < 1e-3);
        assert!((hit.cut.to_degrees() - cut).abs() < 0.5, "{}", hit.cut);
        let speed = hit.leaves.unwrap().speed;
        let along = hit.before.speed() * hit.cut.cos();
        let passed = 0.5 * (1.0 + POOL_9.ball.restitution) * along;
        assert!((speed / passed - 1.0).abs() < 0.02, "{speed} {passed}");
    }
}
