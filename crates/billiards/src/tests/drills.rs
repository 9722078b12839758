//! Practice drills.

use std::f32::consts::TAU;

use bevy::tasks::block_on;

use super::*;
use crate::{
    plan::{Planner, Position},
    play::{
        ahead::{Ahead, Laws, Until},
        drill::{DRILLS, Drill, Miss},
        matches::Match,
        practice::Practice,
        referee::Ask,
        snapshot::Snapshot,
    },
    rules::BallSet,
};

fn practise(app: &mut App, drill: usize) -> Snapshot {
    app.world_mut().write_message(Ask::Practise(drill));
    app.update();
    Snapshot::take(app.world_mut())
}

fn practice(app: &App) -> Practice {
    app.world().resource::<Match>().practice.unwrap()
}

/// Directions that may do it, in radians: about the lines of pots, if the 1 has to fall, or all around.
fn directions(drill: &Drill, start: &Snapshot, table: &Table) -> Vec<f32> {
    const FINE: f32 = TAU / 3600.0;
    let balls = start.object_balls();
    let cue = start.place(Ball::CUE).unwrap();
    if drill.goal.pots && drill.goal.pocket.is_none() {
        let planner = Planner::new(table.spec, &table.pockets, &table.cushions);
        let position = Position { cue, balls: &balls };
        let pots = planner.pots(&position, BallSet::one(Ball(1)));
        let about = |way: f32| (-6..=6).map(move |k| way + k as f32 * FINE);
        return pots
            .iter()
            .take(2)
            .flat_map(|pot| about(pot.direction.to_angle()))
            .collect();
    }
    if drill.goal.pots {
        let way = (balls[0].1 - cue).to_angle();
        return (-50..=50).map(|k| way + k as f32 * FINE).collect();
    }
    (0..720).map(|k| k as f32 * 5.0 * FINE).collect()
}

/// A blow that makes the drill.
fn solution(
    ahead: &mut Ahead,
    laws: &Laws,
    drill: &Drill,
    start: &Snapshot,
    table: &Table,
) -> Option<Blow> {
    for height in [0.0, 0.25, -0.25, 0.45, -0.45] {
        for speed in [1.2, 1.8, 2.6, 3.6, 4.5] {
            for way in directions(drill, start, table) {
                let blow = Blow {
                    direction: Vec2::from_angle(way),
                    elevation: 0.05,
                    tip: Vec2::new(0.0, height),
                    speed,
                };
                let tried = block_on(ahead.play(laws, start, blow, Until::Rest));
                let Some(tried) = tried else {
                    continue;
                };
                let end = tried.after.place(Ball::CUE);
                if drill.judge(&tried.record, end, table).is_ok() {
                    return Some(blow);
                }
            }
        }
    }
    None
}

#[test]
fn every_drill_can_be_made() {
    let mut app = table();
    let laws = Laws::of(app.world());
    let table = app.world().resource::<Table>().clone();
    let mut ahead = Ahead::new(&table, &laws);
    for (number, drill) in DRILLS.iter().enumerate() {
        let start = practise(&mut app, number);
        assert_eq!(start.lying.len(), drill.balls.len(), "{}", drill.name);
        let blow = solution(&mut ahead, &laws, drill, &start, &table);
        let blow = blow.unwrap_or_else(|| panic!("nothing makes {}", drill.name));
        // On the table as in the game played ahead.
        app.world_mut().write_message(Shot(blow));
        app.update();
        for _ in 0..(30.0 * RATE) as usize {
            if app.world().resource::<Game>().phase == Phase::Aim {
                break;
            }
            app.update();
        }
        let after = practice(&app);
        assert_eq!(after.result, Some(Ok(())), "{}", drill.name);
        assert_eq!((after.tries, after.made, after.row), (1, 1, 1));
    }
}

#[test]
fn a_try_is_judged_once_and_set_up_again() {
    let mut app = table();
    let start = practise(&mut app, 0);
    let away = Shot(Blow {
        direction: Vec2::NEG_X,
        elevation: 0.05,
        tip: Vec2::ZERO,
        speed: 0.5,
    });
    app.world_mut().write_message(away);
    roll(&mut app, 8.0);
    let missed = practice(&app);
    assert_eq!(missed.result, Some(Err(Miss::NoBall)));
    assert_eq!((missed.tries, missed.made, missed.row), (1, 0, 0));
    // No shot from where the balls lie now.
    app.world_mut().write_message(away);
    roll(&mut app, 1.0);
    assert_eq!(practice(&app), missed);
    app.world_mut().write_message(Ask::NextFrame);
    app.update();
    assert_eq!(practice(&app).result, None);
    assert_eq!(Snapshot::take(app.world_mut()), start);
}
