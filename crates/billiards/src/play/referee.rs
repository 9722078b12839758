//! The referee: begins frames, carries rulings out, and heeds the players' wishes beside shots.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    history,
    leaving::{Returning, lay_at_rest},
    matches::{Match, Seat, Setup},
    practice,
    racking::{change_table, rack_balls},
    record::Recorder,
    snapshot::Snapshot,
    state::{Game, Heed, Phase},
    words,
};
use crate::{
    plan::{Planner, path::hidden},
    rules::{
        Ball, BallSet, BreakOrder, Call, Choice, Discipline, Frame, NewRack, Player, Race, Ruling,
        ShotRecord, Spot, Turn, spot::spot_place, three_cushion,
    },
    table::{bed::Table, rack::in_triangle},
};

/// Requests of players, beside shots.
#[derive(Message, Clone, Copy, Debug)]
pub enum Ask {
    /// A new match.
    Begin(Setup),
    /// To practise this one of the drills ([`DRILLS`](super::drill::DRILLS)).
    Practise(usize),
    /// The next frame, when one is over; or a new match if the race is. In practice, the drill once more.
    NextFrame,
    /// To put the cue ball here, when it is in hand.
    Place(Vec2),
    /// To call the next shot, or to take the call back.
    Call(Option<Call>),
    /// One of the ways to go on that the rules offer.
    Choose(Choice),
}

/// Answers players' requests ([`Ask`]).
pub(crate) struct RefereePlugin;

impl Plugin for RefereePlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Ask>()
            .add_systems(FixedUpdate, heed.before(Heed));
    }
}

fn heed(world: &mut World) {
    let asked: Vec<Ask> = world.resource_mut::<Messages<Ask>>().drain().collect();
    for ask in asked {
        match ask {
            Ask::Begin(setup) => begin(world, setup),
            Ask::Practise(drill) => practice::begin(world, drill),
            _ => {}
        }
        if world.resource::<Game>().phase != Phase::Aim {
            continue;
        }
        match ask {
            Ask::Begin(_) | Ask::Practise(_) => {}
            Ask::NextFrame => next_frame(world),
            Ask::Place(at) => place_cue_ball(world, at),
            Ask::Call(call) => {
                if let Some(frame) = &mut world.resource_mut::<Match>().frame
                    && let Err(problem) = frame.call(call)
                {
                    warn!("{problem}");
                }
            }
            Ask::Choose(choice) => choose(world, choice),
        }
    }
}

fn begin(world: &mut World, setup: Setup) {
    history::forget(world);
    let Setup {
        discipline,
        seats,
        goal,
    } = setup;
    let race = Race::new(goal, BreakOrder::Alternate, Player::One);
    world.insert_resource(Match {
        frame: Some(Frame::new(discipline, race.breaker())),
        race,
        seats,
        ..default()
    });
    let mut game = world.resource_mut::<Game>();
    if seats.contains(&Seat::Remote) {
        // Both machines count from the same rack.
        game.racks = 0;
        game.template = false;
    }
    game.rack = discipline.into();
    let kind = game.rack.table();
    change_table(world, kind);
    rack_balls(world);
}

fn next_frame(world: &mut World) {
    if practice::set_up(world) {
        return;
    }
    let on = world.resource::<Match>();
    let Some(discipline) = on.discipline().filter(|_| on.is_over()) else {
        return;
    };
    if on.race.winner().is_some() {
        let setup = Setup {
            discipline,
            seats: on.seats,
            goal: on.race.goal(),
        };
        begin(world, setup);
        return;
    }
    restart_frame(world);
    rack_balls(world);
}

/// Begins the frame again, or the next one if it is over.
pub(super) fn restart_frame(world: &mut World) {
    history::forget(world);
    let mut on = world.resource_mut::<Match>();
    let breaker = on.race.breaker();
    on.frame = on
        .discipline()
        .map(|discipline| Frame::new(discipline, breaker));
    on.news.clear();
    on.ruling = None;
}

fn place_cue_ball(world: &mut World, at: Vec2) {
    let Some(area) = world.resource::<Match>().area() else {
        return;
    };
    let table = world.resource::<Table>();
    let planner = Planner::new(table.spec, &table.pockets, &table.cushions);
    if planner.is_free(at, &object_balls(world), area) {
        lay(world, Ball::CUE, at);
    }
}

fn choose(world: &mut World, choice: Choice) {
    let mut on = world.resource_mut::<Match>();
    let Some(frame) = &mut on.frame else {
        return;
    };
    match frame.choose(choice) {
        Ok(ruling) => {
            follow(world, ruling, None);
            world.resource_mut::<Game>().before_shot.clear();
        }
        Err(problem) => warn!("{problem}"),
    }
}

/// When all balls lie still, asks the rules for a ruling.
pub(super) fn settle(world: &mut World) {
    let mut balls = world.query_filtered::<
        (
            &mut LinearVelocity,
            &mut AngularVelocity,
            &mut Acceleration,
        ),
        With<Ball>,
    >();
    for (mut velocity, mut spin, mut acceleration) in balls.iter_mut(world) {
        (velocity.0, spin.0) = (Vec3::ZERO, Vec3::ZERO);
        *acceleration = default();
    }
    world.resource_mut::<Game>().phase = Phase::Aim;
    let mut record = world.resource::<Recorder>().record.clone();
    let cue = lying(world)
        .into_iter()
        .find(|(ball, _)| *ball == Ball::CUE);
    if let Some((_, cue)) = cue {
        let radius = world.resource::<Table>().spec.ball.radius;
        record.hidden = hidden(cue, radius, &object_balls(world));
    }
    note_rest(world, &mut record);
    let mut on = world.resource_mut::<Match>();
    let ruling = on.frame.as_mut().map(|frame| frame.shoot(&record));
    let offered = matches!(&ruling, Some(Ok(ruling)) if ruling.turn.offers_play_again());
    if !offered {
        world.resource_mut::<Game>().before_shot.clear();
    }
    match ruling {
        Some(Ok(ruling)) => follow(world, ruling, Some(&record)),
        Some(Err(problem)) => error!("the rules refuse this shot: {problem}"),
        None => {
            practice::judge(world, &record, cue.map(|(_, at)| at));
            bring_back(world);
            world.resource_mut::<Game>().note = words::without_rules(&record);
        }
    }
}

/// Notes where the balls came to rest, as far as a new rack depends on it.
fn note_rest(world: &mut World, record: &mut ShotRecord) {
    let balls = lying(world);
    let spec = world.resource::<Table>().spec;
    let head = spec.head_spot();
    let all = |lies: &dyn Fn(Vec2) -> bool| -> BallSet {
        let those = balls.iter().filter(|(_, at)| lies(*at));
        those.map(|(ball, _)| *ball).collect()
    };
    record.in_rack = all(&|at| in_triangle(spec, at));
    record.at_head_spot = all(&|at| at.distance(head) < 2.0 * spec.ball.radius);
    record.behind_head_string = all(&|at| at.x < head.x);
}

/// Carries out a ruling.
fn follow(world: &mut World, ruling: Ruling, record: Option<&ShotRecord>) {
    if ruling.racked {
        rack_balls(world);
    } else if ruling.put_back {
        put_back(world);
    } else if let Some(rack) = &ruling.new_rack {
        rack_again(world, rack);
    } else {
        for ball in &ruling.spotted {
            spot(world, *ball);
        }
        bring_back(world);
    }
    let passes = ruling.turn.player() == Some(ruling.player.other());
    let swaps = world
        .resource::<Match>()
        .frame
        .as_ref()
        .is_some_and(Frame::swaps_cue_balls);
    if swaps && passes && !ruling.racked {
        swap_cue_balls(world);
    }
    let mut on = world.resource_mut::<Match>();
    if let Turn::Over { winner, .. } = ruling.turn {
        on.race.count(winner);
    }
    let game = on.discipline().unwrap_or(Discipline::FreeTable);
    on.news = words::tell(&ruling, record, on.seats, game);
    on.ruling = Some(ruling);
}

/// Racks the balls that fell again, in the middle of a turn. A ball that lay in their way goes to its spot first.
fn rack_again(world: &mut World, rack: &NewRack) {
    let spec = world.resource::<Table>().spec;
    if let Some((ball, spot)) = rack.moved {
        let spot = match spot {
            Spot::Head => spec.head_spot(),
            Spot::Center => Vec2::ZERO,
        };
        let others = lying(world).into_iter().filter(|(other, _)| *other != ball);
        let others: Vec<Vec2> = others.map(|(_, at)| at).collect();
        let place = world.resource::<Table>().free_place(spot, &others);
        lay(world, ball, place);
    }
    let game = world.resource::<Game>();
    let places = game
        .rack
        .places_again(spec, game.gaps_again(), rack.left_out);
    for (ball, at) in places {
        lay(world, ball, at);
    }
}

/// Puts all balls back to where they lay before the last shot.
fn put_back(world: &mut World) {
    let mut before = Snapshot::take(world);
    if before.before_shot.is_empty() {
        error!("nobody knows where the balls lay before the last shot");
        return;
    }
    before.lying = std::mem::take(&mut before.before_shot);
    let lying: BallSet = before.lying.iter().map(|lying| lying.ball).collect();
    before.pocketed.retain(|ball| !lying.contains(*ball));
    before.put(world);
}

/// Puts balls that left the table, and are to come back, on their spots.
fn bring_back(world: &mut World) {
    let mut returning = world.query_filtered::<&Ball, With<Returning>>();
    let returning: Vec<Ball> = returning.iter(world).copied().collect();
    for ball in returning {
        let table = world.resource::<Table>().clone();
        let spot = world.resource::<Game>().rack.spot(table.spec, ball);
        let taken: Vec<Vec2> = lying(world).into_iter().map(|(_, at)| at).collect();
        lay(world, ball, table.free_place(spot, &taken));
    }
}

/// Puts a ball on its spot, or as near to it as the rules say.
fn spot(world: &mut World, ball: Ball) {
    let (spec, rack) = (
        world.resource::<Table>().spec,
        world.resource::<Game>().rack,
    );
    let balls = lying(world);
    let apart = 2.0 * spec.ball.radius;
    let is_free = |at: &Vec2| balls.iter().all(|(_, other)| other.distance(*at) >= apart);
    let own = rack.spot(spec, ball);
    let others = rack.other_spots(spec);
    if let Some(free) = others.into_iter().find(is_free).filter(|_| !is_free(&own)) {
        return lay(world, ball, free);
    }
    // Along the line through the spot, which lies on y = 0 in the function's measures.
    let off_line = Vec2::Y * own.y;
    let cue = balls.iter().find(|(ball, _)| *ball == Ball::CUE);
    let others = object_balls(world);
    let others: Vec<Vec2> = others.into_iter().map(|(_, at)| at - off_line).collect();
    let at = spot_place(
        own - off_line,
        spec.half.x,
        spec.ball.radius,
        cue.map(|(_, at)| *at - off_line),
        &others,
    );
    match at {
        Some(at) => lay(world, ball, at + off_line),
        None => error!("no room on the table for ball {}", ball.0),
    }
}

/// The opponent's ball becomes the cue ball, and the cue ball the other one: their places change, and so does what they look like.
fn swap_cue_balls(world: &mut World) {
    let mut balls = world.query_filtered::<(&Ball, &mut Transform), With<Particle>>();
    let mut own: Vec<(Ball, Mut<Transform>)> = balls
        .iter_mut(world)
        .filter(|(ball, _)| [Ball::CUE, three_cushion::OTHER].contains(ball))
        .map(|(ball, place)| (*ball, place))
        .collect();
    let [(a, at_a), (b, at_b)] = own.as_mut_slice() else {
        return;
    };
    std::mem::swap(&mut **at_a, &mut **at_b);
    let places = [(*a, **at_a), (*b, **at_b)];
    for (ball, place) in places {
        lay(world, ball, place.translation.xz());
    }
}

/// The balls on the table.
fn lying(world: &mut World) -> Vec<(Ball, Vec2)> {
    let mut balls = world.query_filtered::<(&Ball, &Transform), With<Particle>>();
    balls
        .iter(world)
        .map(|(ball, place)| (*ball, place.translation.xz()))
        .collect()
}

fn object_balls(world: &mut World) -> Vec<(Ball, Vec2)> {
    let mut balls = lying(world);
    balls.retain(|(ball, _)| *ball != Ball::CUE);
    balls
}

/// Lays a ball on the bed, at rest.
fn lay(world: &mut World, ball: Ball, at: Vec2) {
    let mut balls = world.query::<(Entity, &Ball)>();
    let found = balls.iter(world).find(|(_, other)| **other == ball);
    let Some((entity, _)) = found else {
        return;
    };
    let table = world.resource::<Table>();
    let (place, spec) = (table.lying(at), table.spec.ball);
    let mut entity = world.entity_mut(entity);
    let rotation = entity
        .get::<Transform>()
        .map_or(Quat::IDENTITY, |t| t.rotation);
    let place = Transform::from_translation(place).with_rotation(rotation);
    lay_at_rest(&mut entity, &spec, place);
    let mut game = world.resource_mut::<Game>();
    game.pocketed.retain(|other| *other != ball);
}
