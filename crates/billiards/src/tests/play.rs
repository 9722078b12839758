//! Frames played to the end by the very systems of the game, shots taken back, repeated and kept in files.

use std::{f32::consts::PI, num::NonZeroU32};

use bevy::tasks::block_on;

use super::*;
use crate::{
    play::{
        history::{History, Replay, Undo},
        matches::{Match, Seat, Setup, Skill},
        referee::Ask,
        sheet::Sheet,
        snapshot::Snapshot,
    },
    player::files::{read_shelf, save_in},
    rules::{Area, BallSet, Call, Calls, Choice, CueBall, Discipline, Player, Turn},
    table::rack::Gaps,
};

const EIGHT_BALL: Discipline = Discipline::EightBall(Calls::EightOnly);
pub(super) const TWO_PLAYERS: [Seat; 2] = [Seat::Human, Seat::Human];
/// More shots than any frame takes.
const ENDLESS: u32 = 300;
/// Seconds after which a shot is overdue.
const OVERDUE: f64 = 60.0;

pub(super) fn begin(discipline: Discipline, seats: [Seat; 2]) -> App {
    let mut app = table();
    ask(
        &mut app,
        Ask::Begin(Setup {
            discipline,
            seats,
            goal: NonZeroU32::MIN,
        }),
    );
    app
}

pub(super) fn ask(app: &mut App, ask: Ask) {
    app.world_mut().write_message(ask);
    app.update();
}

fn phase(app: &App) -> Phase {
    app.world().resource::<Game>().phase
}

pub(super) fn on(app: &App) -> &Match {
    app.world().resource::<Match>()
}

fn turn(app: &App) -> Turn {
    on(app).frame.as_ref().unwrap().turn().clone()
}

fn until_still(app: &mut App) {
    for _ in 0..(OVERDUE * RATE) as u32 {
        if phase(app) == Phase::Aim {
            return;
        }
        app.update();
    }
    panic!("the shot does not end");
}

pub(super) fn shoot(app: &mut App, angle: f32, speed: f32) {
    app.world_mut().write_message(Shot(Blow {
        direction: Vec2::from_angle(angle),
        elevation: 0.04,
        tip: Vec2::new(0.1, -0.2),
        speed,
    }));
    app.update();
    assert_eq!(phase(app), Phase::Roll, "the shot was not made");
    until_still(app);
}

pub(super) fn state_hash(app: &mut App) -> u64 {
    let measured = app
        .world_mut()
        .run_system_cached(|measure: Measure| measure.measure());
    measured.unwrap().state_hash
}

/// The rules' balls are on the table, and the other balls are in the tray.
pub(super) fn check_balls(snapshot: &Snapshot) {
    let frame = snapshot.frame.as_ref().unwrap();
    let lying: BallSet = snapshot
        .object_balls()
        .iter()
        .map(|(ball, _)| *ball)
        .collect();
    let pocketed: BallSet = snapshot.pocketed.iter().copied().collect();
    assert_eq!(frame.balls(), lying);
    assert!(lying.intersection(pocketed).is_empty());
    assert_eq!(lying.len() + pocketed.len(), snapshot.rack_size());
    assert!(snapshot.place(Ball::CUE).is_some());
}

impl Snapshot {
    fn rack_size(&self) -> usize {
        self.rack.places(&POOL_9, Gaps::None).len() - 1
    }
}

pub(super) fn straight_pool(points: u32) -> Discipline {
    Discipline::StraightPool(NonZeroU32::new(points).unwrap())
}

/// Plays a frame between two computers until someone wins.
fn play_frame(discipline: Discipline, skills: [Skill; 2]) {
    let mut app = begin(discipline, skills.map(Seat::Computer));
    let (mut shots, mut players) = (0, Vec::new());
    loop {
        if let Turn::Over { winner, .. } = turn(&app) {
            assert_eq!(on(&app).race.winner(), Some(winner));
            break;
        }
        let player = on(&app).player().unwrap();
        app.update();
        if phase(&app) == Phase::Roll {
            until_still(&mut app);
            check_balls(&Snapshot::take(app.world_mut()));
            shots += 1;
            players.push(player);
            assert!(shots < ENDLESS, "nobody wins");
        }
    }
    // The computer asks for nothing after the end.
    roll(&mut app, 3.0);
    assert!(matches!(turn(&app), Turn::Over { .. }));
    ask(&mut app, Ask::NextFrame);
    assert!(matches!(turn(&app), Turn::Break(_) | Turn::Shoot { .. }));
    assert_eq!(on(&app).player(), Some(Player::One));
    assert_eq!(on(&app).race.winner(), None);
}

#[test]
fn two_computers_play_eight_ball_until_one_wins() {
    play_frame(EIGHT_BALL, [Skill::Expert, Skill::Club]);
}

#[test]
fn two_computers_play_nine_ball_until_one_wins() {
    play_frame(Discipline::NineBall, [Skill::Club, Skill::Expert]);
}

#[test]
fn two_computers_play_ten_ball_until_one_wins() {
    play_frame(Discipline::TenBall, [Skill::Expert, Skill::Club]);
}

/// More points than a rack has balls: so the balls are racked again.
#[test]
fn two_computers_play_straight_pool_until_one_wins() {
    play_frame(straight_pool(18), [Skill::Expert, Skill::Club]);
}

#[test]
fn two_computers_play_snooker_until_one_wins() {
    play_frame(Discipline::Snooker, [Skill::Expert, Skill::Club]);
}

#[test]
fn two_computers_play_three_cushion_until_one_wins() {
    play_frame(Discipline::ThreeCushion, [Skill::Expert, Skill::Club]);
}

#[test]
fn the_cue_ball_in_snooker_is_placed_in_the_d() {
    let mut app = begin(Discipline::Snooker, TWO_PLAYERS);
    let spec = app.world().resource::<Table>().spec;
    let baulk = Vec2::X * spec.baulk_line();
    for (off, may) in [
        (Vec2::new(-0.2, 0.1), true),
        (Vec2::new(-0.28, -0.05), true),
        (Vec2::new(0.05, 0.0), false),
        (Vec2::new(-0.25, 0.2), false),
    ] {
        ask(&mut app, Ask::Place(baulk + off));
        let lies = place(&mut app, Ball::CUE).xz();
        assert_eq!(lies.distance(baulk + off) < 1e-4, may, "{off}");
    }
}

#[test]
fn after_a_miss_the_balls_go_back_to_where_they_lay() {
    let mut app = begin(Discipline::Snooker, TWO_PLAYERS);
    let before = Snapshot::take(app.world_mut()).lying;
    for _ in 0..2 {
        // Away from all reds, which are in sight.
        shoot(&mut app, PI, 0.3);
        assert_ne!(Snapshot::take(app.world_mut()).lying, before);
        assert!(turn(&app).offers_play_again());
        let cue = CueBall::InHand(Area::D);
        ask(&mut app, Ask::Choose(Choice::PlayAgain { cue }));
        assert_eq!(Snapshot::take(app.world_mut()).lying, before);
        assert_eq!(turn(&app).player(), Some(Player::One));
        assert_eq!(on(&app).area(), Some(Area::D));
    }
}

#[test]
fn a_file_knows_where_the_balls_lay_before_a_miss() {
    let mut app = begin(Discipline::Snooker, TWO_PLAYERS);
    let before = Snapshot::take(app.world_mut()).lying;
    shoot(&mut app, PI, 0.3);
    let missed = Snapshot::take(app.world_mut());
    let text = serde_json::to_string(&missed).unwrap();
    let read: Snapshot = serde_json::from_str(&text).unwrap();
    let mut other = begin(Discipline::Snooker, TWO_PLAYERS);
    read.put(other.world_mut());
    let cue = CueBall::InHand(Area::D);
    ask(&mut other, Ask::Choose(Choice::PlayAgain { cue }));
    assert_eq!(Snapshot::take(other.world_mut()).lying, before);
}

/// The ball that was the cue ball is the other one for the next player, and lies where it came to rest.
#[test]
fn each_player_of_three_cushion_has_an_own_ball() {
    let mut app = begin(Discipline::ThreeCushion, TWO_PLAYERS);
    let other = place(&mut app, Ball(1));
    shoot_at(&mut app, Ball(2), 1.0);
    let rolling = |app: &mut App| place(app, Ball::CUE);
    let mut last = rolling(&mut app);
    while phase(&app) == Phase::Roll {
        last = rolling(&mut app);
        app.update();
    }
    assert_eq!(on(&app).player(), Some(Player::Two));
    assert!(place(&mut app, Ball(1)).distance(last) < 1e-3);
    assert!(place(&mut app, Ball::CUE).distance(other) < 1e-3);
}

/// The cue ball rolls towards `ball`.
fn shoot_at(app: &mut App, ball: Ball, speed: f32) {
    let way = (place(app, ball) - place(app, Ball::CUE)).xz();
    let spec = app.world().resource::<Table>().spec;
    let blow = Blow::centered(&spec.cue, &spec.ball, way.normalize(), speed);
    app.world_mut().write_message(Shot(blow));
    app.update();
    assert_eq!(phase(app), Phase::Roll);
}

#[test]
fn a_cue_ball_in_hand_goes_where_it_may() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    assert_eq!(on(&app).area(), Some(Area::BehindHeadString));
    let behind = HEAD_SPOT + Vec2::new(-0.1, 0.2);
    ask(&mut app, Ask::Place(behind));
    assert!(place(&mut app, Ball::CUE).distance(lying(behind)) < 1e-4);
    for forbidden in [FOOT_SPOT, Vec2::ZERO, Vec2::new(-2.0, 0.0)] {
        ask(&mut app, Ask::Place(forbidden));
        assert!(place(&mut app, Ball::CUE).distance(lying(behind)) < 1e-4);
    }
}

#[test]
fn a_shot_at_nothing_is_a_foul_and_gives_the_ball_in_hand() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    shoot(&mut app, 0.0, 7.0);
    let broken = turn(&app).player().unwrap();
    // After any break, a player shoots from the place of the cue ball.
    if let Turn::Choose { options, .. } = turn(&app) {
        ask(&mut app, Ask::Choose(options[0]));
    }
    let shooter = turn(&app).player().unwrap();
    shoot(&mut app, PI, 0.05);
    assert_eq!(
        turn(&app).player(),
        Some(shooter.other()),
        "after {broken:?}"
    );
    assert_eq!(on(&app).area(), Some(Area::Table));
    assert!(on(&app).news.iter().any(|line| line.starts_with("Foul")));
}

#[test]
fn choices_of_the_rules_are_done() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    // Too soft a break for four balls to reach a cushion.
    shoot(&mut app, 0.0, 1.2);
    let Turn::Choose {
        player, options, ..
    } = turn(&app)
    else {
        panic!("{:?}", turn(&app));
    };
    assert_eq!(player, Player::Two);
    assert!(options.contains(&Choice::LetBreak));
    let before = place(&mut app, Ball(1));
    ask(&mut app, Ask::Choose(Choice::LetBreak));
    assert_eq!(turn(&app), Turn::Break(Player::One));
    assert!(before.distance(place(&mut app, Ball(1))) > 0.0);
    assert!(place(&mut app, Ball(1)).distance(lying(FOOT_SPOT)) < 1e-4);
}

#[test]
fn the_8_waits_for_a_call() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    let mut snapshot = Snapshot::take(app.world_mut());
    let frame = snapshot.frame.as_mut().unwrap();
    // Player One breaks and then clears the solids in one shot.
    let record = |first, balls: std::ops::RangeInclusive<u8>| crate::rules::ShotRecord {
        first_hit: Some(Ball(first)),
        potted: balls
            .map(|ball| crate::rules::Potted {
                ball: Ball(ball),
                pocket: 0,
            })
            .collect(),
        cushion_after_contact: true,
        past_head_string: true,
        ..default()
    };
    frame.shoot(&record(1, 1..=1)).unwrap();
    frame.shoot(&record(2, 2..=7)).unwrap();
    snapshot
        .lying
        .retain(|lying| !(1..=7).contains(&lying.ball.0));
    snapshot.pocketed = (1..=7).map(Ball).collect();
    snapshot.put(app.world_mut());
    assert!(on(&app).needs_call() && !on(&app).may_shoot());
    let call = Call::Pot {
        ball: Ball(8),
        pocket: 2,
    };
    ask(&mut app, Ask::Call(Some(call)));
    assert!(on(&app).may_shoot());
    check_balls(&Snapshot::take(app.world_mut()));
}

#[test]
fn a_shot_taken_back_leaves_no_trace() {
    let mut app = begin(Discipline::NineBall, TWO_PLAYERS);
    let before = Snapshot::take(app.world_mut());
    shoot(&mut app, 0.01, 8.0);
    let once = (Snapshot::take(app.world_mut()), state_hash(&mut app));
    assert_ne!(before, once.0);
    app.world_mut().write_message(Undo);
    app.update();
    let back = Snapshot::take(app.world_mut());
    assert_eq!(back.frame, before.frame);
    assert_eq!(back.pocketed, before.pocketed);
    shoot(&mut app, 0.01, 8.0);
    assert_eq!(
        (Snapshot::take(app.world_mut()), state_hash(&mut app)),
        once
    );
}

#[test]
fn a_replay_changes_nothing() {
    let mut app = begin(Discipline::FreeTable, TWO_PLAYERS);
    shoot(&mut app, 0.02, 7.0);
    let before = Snapshot::take(app.world_mut());
    for stop_early in [false, true] {
        app.world_mut().write_message(Replay);
        app.update();
        assert_eq!(phase(&app), Phase::Replay);
        roll(&mut app, 0.5);
        if stop_early {
            app.world_mut().write_message(Replay);
            app.update();
        }
        until_still(&mut app);
        assert_eq!(Snapshot::take(app.world_mut()), before);
    }
    assert_eq!(
        app.world().resource::<Time<Virtual>>().relative_speed(),
        1.0
    );
}

#[test]
fn the_shelf_has_the_saved_shots_and_no_other_files() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    shoot(&mut app, 0.003, 9.0);
    let played = Sheet::of(app.world()).unwrap();
    // The shot that is taken back is the one to keep, and not the one before it.
    app.world_mut().write_message(Undo);
    app.update();
    assert_eq!(Sheet::of(app.world()).unwrap(), played);

    let name = format!("billiards_shelf_{}", std::process::id());
    let folder = std::env::temp_dir().join(name).join("shots");
    assert!(read_shelf(&folder).is_empty());
    for number in 1..=2 {
        let path = save_in(&folder, &played).unwrap();
        assert_eq!(path, folder.join(format!("shot-{number}.json")));
    }
    std::fs::write(folder.join("no-shot.json"), "{}").unwrap();
    std::fs::write(folder.join("notes.txt"), "practise").unwrap();
    let shelf = read_shelf(&folder);
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    assert_eq!(shelf.len(), 2);
    assert!(shelf.iter().all(|shot| shot.sheet == played));
}

#[test]
fn a_shot_from_a_file_ends_in_the_same_bits() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    shoot(&mut app, 0.003, 9.0);
    if let Turn::Choose { options, .. } = turn(&app) {
        ask(&mut app, Ask::Choose(options[0]));
    }
    roll(&mut app, 0.3);
    shoot(&mut app, 0.4, 6.0);
    let after = (Snapshot::take(app.world_mut()), state_hash(&mut app));

    let path = std::env::temp_dir().join(format!("billiards_shot_{}.json", std::process::id()));
    Sheet::of(app.world()).unwrap().write(&path).unwrap();
    let mut other = table();
    let sheet = Sheet::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    sheet.open(other.world_mut());
    sheet.play(other.world_mut());
    other.update();
    until_still(&mut other);
    assert_eq!(
        (Snapshot::take(other.world_mut()), state_hash(&mut other)),
        after
    );
}

#[test]
fn an_opened_shot_is_there_until_another_game_begins() {
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    shoot(&mut app, 0.003, 3.0);
    let sheet = Sheet::of(app.world()).unwrap();
    let opened = |app: &App| app.world().resource::<History>().opened();
    assert_eq!(opened(&app), None);
    sheet.open(app.world_mut());
    let blow = opened(&app).unwrap();
    shoot(&mut app, 0.1, 3.0);
    assert_eq!(opened(&app), None);
    // Taken back, it may be played again.
    app.world_mut().write_message(Undo);
    app.update();
    assert_eq!(opened(&app).map(|blow| blow.speed), Some(blow.speed));
    let setup = Setup {
        discipline: EIGHT_BALL,
        seats: TWO_PLAYERS,
        goal: NonZeroU32::MIN,
    };
    ask(&mut app, Ask::Begin(setup));
    assert_eq!(opened(&app), None);
}

#[test]
fn a_file_that_cannot_be_is_refused() {
    let app = begin(EIGHT_BALL, TWO_PLAYERS);
    let sheet = Sheet::of(app.world()).unwrap();
    let path = std::env::temp_dir().join(format!("billiards_bad_{}.json", std::process::id()));
    let refuse = |edit: fn(&mut Sheet), word: &str| {
        let mut bad = sheet.clone();
        edit(&mut bad);
        bad.write(&path).unwrap();
        let problem = Sheet::read(&path).unwrap_err();
        assert!(problem.contains(word), "{problem}");
    };
    refuse(|sheet| sheet.table = "moon".to_owned(), "moon");
    refuse(|sheet| sheet.before.lying[3].at[0] = 7.0, "ball 3");
    refuse(|sheet| sheet.before.lying.truncate(5), "rules");
    refuse(|sheet| sheet.before.lying.clear(), "cue ball");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn what_is_seen_ahead_is_what_happens() {
    use crate::play::ahead::{Ahead, Laws, Until};
    let mut app = begin(EIGHT_BALL, TWO_PLAYERS);
    let before = Snapshot::take(app.world_mut());
    let laws = Laws::of(app.world());
    let table = app.world().resource::<Table>().clone();
    let blow = Blow {
        direction: Vec2::from_angle(0.01),
        elevation: 0.05,
        tip: Vec2::new(0.2, 0.1),
        speed: 7.0,
    };
    let mut ahead = Ahead::new(&table, &laws);
    let seen = block_on(ahead.play(&laws, &before, blow, Until::Rest)).unwrap();
    app.world_mut().write_message(Shot(blow));
    app.update();
    until_still(&mut app);
    assert_eq!(Snapshot::take(app.world_mut()), seen.after);
    assert_eq!(on(&app).ruling, seen.ruling);
}
