//! The sentences that the game shows to its players.

use super::{
    cue::{Cue, Stroke},
    matches::{Match, Seat},
    state::{Game, Phase},
};
use crate::rules::{
    Area, Ball, BallSet, Call, CueBall, Discipline, Frame, Player, Ruling, ShotRecord, Turn,
};

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
pub(super) fn tell(ruling: &Ruling, shot: Option<&ShotRecord>, seats: [Seat; 2]) -> Vec<String> {
    let mut news = Vec::new();
    if let Some(shot) = shot {
        let down = shot.down();
        let passes = ruling.turn.player() == Some(ruling.player.other());
        match down.len() {
            0 if passes && ruling.fouls.is_empty() => news.push("Nothing down.".to_owned()),
            0 => {}
            1 => news.push(format!("{} is down.", balls(down))),
            _ => news.push(format!("{} are down.", balls(down))),
        }
    }
    if !ruling.fouls.is_empty() {
        let fouls: Vec<String> = ruling.fouls.iter().map(ToString::to_string).collect();
        news.push(format!("Foul! {}.", fouls.join(". ")));
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
        news.push(format!("The {} comes back to the foot spot.", ball.0));
    }
    if ruling.racked {
        news.push("The balls are racked again.".to_owned());
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
    let Some(frame) = &on.frame else {
        return "M opens the menu".to_owned();
    };
    match (game.phase, frame.turn()) {
        (Phase::Replay, _) => return "Replay at a quarter of the speed. Space ends it.".to_owned(),
        (Phase::Roll, _) | (_, Turn::Over { .. }) => return String::new(),
        _ => {}
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
        Stroke::Aim if on.needs_call() => {
            "The 8 is on. Click the pocket that you will sink it in.".to_owned()
        }
        Stroke::Aim => match frame.turn() {
            Turn::Choose { .. } => "Choose how to go on.".to_owned(),
            _ => [placing(on), &on_now(on, frame), shooting(on, game)].concat(),
        },
    }
}

fn placing(on: &Match) -> &'static str {
    match on.area() {
        Some(_) if on.discipline() == Some(Discipline::FreeTable) => "",
        Some(Area::Table) => "Drag the white ball to any free place. ",
        Some(Area::BehindHeadString) => "Drag the white ball behind the line. ",
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
        return "Break: hit the rack hard.".to_owned();
    }
    if frame.called() == Some(Call::PushOut) {
        return "Push out: no ball has to be hit.".to_owned();
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
            _ if frame.must_call() => "Sink the 8 in the pocket with the green ring.".to_owned(),
            Some(group) => format!("Hit one of your {group} first."),
            None => "Open table: hit any ball but the 8; the first you sink decides your group."
                .to_owned(),
        },
        Some(Discipline::FreeTable) | None => String::new(),
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

/// "The 3", "The 3 and the 7", "The 1, the 3 and the 7".
pub fn balls(set: BallSet) -> String {
    let names: Vec<String> = set.iter().map(|ball| format!("the {}", ball.0)).collect();
    let text = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
