//! The sentences that the game shows to its players.

use super::{
    cue::{Cue, Stroke},
    matches::{Match, Seat},
    practice::Practice,
    state::{Game, Phase},
};
use crate::rules::{
    Area, Ball, BallSet, Call, Calls, CueBall, Discipline, Frame, Player, Ruling, ShotRecord, Turn,
    discipline::capital, snooker, three_cushion::CUSHIONS,
};

/// How to shoot.
const AIM: &str = "Aim with the mouse, hold the left button, pull back, let go.";

/// After this number of shots the players know how to shoot.
const LEARNT: u32 = 8;

/// The name of `player`: "You" against the computer or over the network.
pub fn name(player: Player, seats: [Seat; 2]) -> String {
    match (seats[player.index()], seats[player.other().index()]) {
        (Seat::Human, Seat::Computer(_) | Seat::Remote) => "You".to_owned(),
        (Seat::Computer(_), Seat::Human) => "Computer".to_owned(),
        (Seat::Remote, _) => "Other player".to_owned(),
        _ => player.to_string(),
    }
}

/// "You `verb`" or "Player 1 `verb`s".
pub fn does(player: Player, seats: [Seat; 2], verb: &str) -> String {
    let name = name(player, seats);
    let you = name == "You";
    match verb {
        "have" if !you => format!("{name} has"),
        _ if you => format!("{name} {verb}"),
        _ => format!("{name} {verb}s"),
    }
}

/// The sentences about the result of a shot, or of a choice if there was no shot.
pub(super) fn tell(
    ruling: &Ruling,
    shot: Option<&ShotRecord>,
    seats: [Seat; 2],
    game: Discipline,
) -> Vec<String> {
    let mut news = Vec::new();
    if let Some(shot) = shot {
        let down = shot.down();
        let passes = ruling.turn.player() == Some(ruling.player.other());
        match down.len() {
            0 if game == Discipline::ThreeCushion => news.extend(carom(ruling, shot)),
            0 if passes && ruling.fouls.is_empty() => news.push("Nothing down.".to_owned()),
            0 => {}
            1 => news.push(format!("{} is down.", balls(down, game))),
            _ => news.push(format!("{} are down.", balls(down, game))),
        }
    }
    if !ruling.fouls.is_empty() {
        let fouls: Vec<String> = ruling
            .fouls
            .iter()
            .map(|foul| foul.sentence(game))
            .collect();
        news.push(format!("Foul! {}.", fouls.join(". ")));
    }
    if let Some((player, points)) = ruling.points {
        let plural = if points.abs() == 1 { "" } else { "s" };
        let verb = does(player, seats, if points < 0 { "lose" } else { "get" });
        news.push(format!("{verb} {} point{plural}.", points.abs()));
    }
    if let Turn::Shoot {
        player,
        cue: CueBall::InHand(area),
    } = &ruling.turn
        && !ruling.fouls.is_empty()
    {
        let verb = does(*player, seats, "have");
        news.push(format!("{verb} the cue ball in hand {area}."));
    }
    if let Some(group) = ruling.group {
        let verb = does(ruling.player, seats, "have");
        news.push(format!("{verb} the {group} from now on."));
    }
    for ball in &ruling.spotted {
        let (name, spot) = (capital(&game.name_of(*ball)), spot_name(game));
        news.push(format!("{name} comes back to {spot}."));
    }
    if let Some(rack) = ruling.new_rack {
        news.push(match rack.left_out {
            Some(ball) => format!("The balls are racked again beside {}.", game.name_of(ball)),
            None => "All balls are racked again.".to_owned(),
        });
    }
    if ruling.put_back {
        news.push("The balls are back where they lay.".to_owned());
    }
    if ruling.racked {
        news.push(match &ruling.turn {
            Turn::Shoot { player, .. } if game == Discipline::ThreeCushion => {
                let verb = does(*player, seats, "have");
                format!("{verb} one more inning, from the opening position.")
            }
            _ => "The balls are racked again.".to_owned(),
        });
    }
    if let Turn::Over { winner, ending } = &ruling.turn {
        news.push(format!(
            "{ending}. {} the frame!",
            does(*winner, seats, "win")
        ));
    }
    news
}

/// The next action of the player.
pub fn hint(game: &Game, on: &Match, cue: &Cue, thinks: bool) -> String {
    match game.phase {
        Phase::Replay => return "Replay at a quarter of the speed. Space ends it.".to_owned(),
        Phase::Roll => return String::new(),
        Phase::Aim => {}
    }
    let Some(frame) = &on.frame else {
        return match on.practice.map(|practice| practice.result) {
            None => "M opens the menu".to_owned(),
            Some(None) => AIM.to_owned(),
            Some(Some(_)) => "Enter: once more. Tab: the next drill.".to_owned(),
        };
    };
    if matches!(frame.turn(), Turn::Over { .. }) {
        return String::new();
    }
    if on.player().map(|player| on.seat(player)) == Some(Seat::Remote) {
        return "The other player's turn ...".to_owned();
    }
    if !on.is_human_turn() {
        let what = if thinks { "thinks" } else { "plays" };
        return format!("The computer {what} ...");
    }
    match cue.stroke {
        Stroke::Pull { .. } => {
            "Farther back is harder. Let go to shoot; Esc puts the cue back.".to_owned()
        }
        Stroke::Strike { .. } | Stroke::Done => String::new(),
        Stroke::Aim if on.needs_call() => [placing(on), &to_call(frame)].concat(),
        Stroke::Aim => match frame.turn() {
            Turn::Choose { .. } => "Choose how to go on.".to_owned(),
            _ => [placing(on), &on_now(on, frame), shooting(on, game)].concat(),
        },
    }
}

/// What the shooter has to call.
fn to_call(frame: &Frame) -> String {
    let mut targets = frame.targets().iter();
    match (frame.discipline(), targets.next()) {
        (Discipline::TenBall, Some(lowest)) => format!(
            "Hit the {} first. Click the pocket that you will sink it in, or click another ball to sink.",
            lowest.0
        ),
        (Discipline::EightBall(Calls::EightOnly), _) => {
            "The 8 is on. Click the pocket that you will sink it in.".to_owned()
        }
        _ => "Click the ball that you will sink, then its pocket.".to_owned(),
    }
}

/// What the shooter has called.
fn called(frame: &Frame) -> String {
    match frame.called() {
        Some(Call::Pot { ball, .. }) => {
            format!("Sink the {} in the pocket with the green ring.", ball.0)
        }
        Some(Call::Safety) => "Safety: no ball is called.".to_owned(),
        Some(Call::PushOut) => "Push out: no ball has to be hit.".to_owned(),
        None => String::new(),
    }
}

fn placing(on: &Match) -> &'static str {
    match on.area() {
        Some(_) if on.discipline() == Some(Discipline::FreeTable) => "",
        Some(Area::Table) => "Drag the white ball to any free place. ",
        Some(Area::BehindHeadString) => "Drag the white ball behind the line. ",
        Some(Area::D) => "Drag the white ball to a place in the D. ",
        None => "",
    }
}

fn shooting(on: &Match, game: &Game) -> &'static str {
    match on.discipline() {
        Some(Discipline::FreeTable) => {
            "Aim with the mouse, hold the left button, pull back, let go. Drag the white ball to move it; R racks again."
        }
        _ if game.shots > LEARNT => "",
        _ => "\nAim with the mouse, hold the left button, pull back, let go.",
    }
}

/// The balls that the shooter has to hit.
fn on_now(on: &Match, frame: &Frame) -> String {
    if matches!(frame.turn(), Turn::Break(_)) {
        return match on.discipline() {
            Some(Discipline::Snooker) => "Break off: hit a red first.".to_owned(),
            Some(Discipline::StraightPool(_)) => {
                "Break: the white ball and two others have to meet a cushion.".to_owned()
            }
            _ => "Break: hit the rack hard.".to_owned(),
        };
    }
    if frame.called() == Some(Call::PushOut) {
        return called(frame);
    }
    let Some(player) = on.player() else {
        return String::new();
    };
    match on.discipline() {
        Some(Discipline::NineBall) => {
            let lowest = frame.targets().iter().next();
            lowest.map_or_else(String::new, |ball| format!("Hit the {} first.", ball.0))
        }
        Some(Discipline::EightBall(_)) => match frame.group(player) {
            _ if frame.must_call() => called(frame),
            Some(group) => format!("Hit one of your {group} first."),
            None => "Open table: hit any ball but the 8; the first you sink decides your group."
                .to_owned(),
        },
        Some(Discipline::TenBall) => {
            let lowest = frame.targets().iter().next();
            let first = lowest.map(|ball| format!("Hit the {} first. ", ball.0));
            first.unwrap_or_default() + &called(frame)
        }
        Some(Discipline::StraightPool(_)) => called(frame),
        Some(Discipline::Snooker) => snooker_on(frame),
        Some(Discipline::ThreeCushion) if frame.targets().len() == 1 => {
            format!("First shot: hit the red first, then {CUSHIONS} cushions, then the other ball.")
        }
        Some(Discipline::ThreeCushion) => {
            format!("Hit both balls, and {CUSHIONS} cushions before the second one.")
        }
        Some(Discipline::FreeTable) | None => String::new(),
    }
}

/// The balls that are on in snooker.
fn snooker_on(frame: &Frame) -> String {
    let last = frame.misses() + 1 == snooker::MISSES;
    let warning = if last {
        "One more miss from here loses the frame. "
    } else {
        ""
    };
    format!("{warning}{}", snooker_balls_on(frame))
}

fn snooker_balls_on(frame: &Frame) -> String {
    let game = Discipline::Snooker;
    let targets = frame.targets();
    if frame.has_free_ball() {
        return "Free ball: hit and pot any ball.".to_owned();
    }
    let mut on = targets.iter();
    match (on.next(), on.next()) {
        (Some(Ball(1..=15)), _) => "Pot a red.".to_owned(),
        (Some(ball), None) => format!("Pot {}.", game.name_of(ball)),
        _ => "Pot any colour: you choose it as you hit it.".to_owned(),
    }
}

/// The result of a three-cushion shot.
fn carom(ruling: &Ruling, shot: &ShotRecord) -> Option<String> {
    if ruling.points.is_some() || !ruling.fouls.is_empty() {
        return None;
    }
    let (balls, cushions) = shot.until_second_ball();
    Some(match balls {
        2 => format!("Both balls, but {cushions} cushions before the second one."),
        1 => "Only one ball.".to_owned(),
        _ => "No ball.".to_owned(),
    })
}

/// The spot to which a ball comes back.
fn spot_name(game: Discipline) -> &'static str {
    match game {
        Discipline::Snooker | Discipline::ThreeCushion => "its spot",
        _ => "the foot spot",
    }
}

/// How a try went, in practice.
pub fn tried(practice: &Practice) -> String {
    match practice.result {
        None => String::new(),
        Some(Ok(())) => "Made it!".to_owned(),
        Some(Err(miss)) => format!("Missed: {miss}."),
    }
}

/// The result of a shot on a table without rules.
pub(super) fn without_rules(shot: &ShotRecord) -> String {
    if shot.pocket_of(Ball::CUE).is_some() {
        "Scratch: the cue ball comes back to the head string.".to_owned()
    } else if shot.off_table.contains(Ball::CUE) {
        "Off the table: the cue ball comes back to the head string.".to_owned()
    } else if let Some(ball) = shot.off_table.iter().next() {
        format!("Off the table: the {} comes back to the foot spot.", ball.0)
    } else {
        String::new()
    }
}

/// "The 3", "The 3 and the 7", "The 1, the 3 and the 7". Of balls with the same name there is one: "The red".
pub fn balls(set: BallSet, game: Discipline) -> String {
    let mut names: Vec<String> = set.iter().map(|ball| game.name_of(ball)).collect();
    names.dedup();
    let text = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    capital(&text)
}
