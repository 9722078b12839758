//! Routes the requests of both players to the game, and lets each step wait for them.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    link::{Link, News},
    meeting::tell_guest,
    wire::{HeldCue, Input, Request},
};
use crate::{
    play::{
        cue::Cue,
        history::{Replay, Undo},
        matches::{Match, Seat},
        referee::Ask,
        state::{Game, Phase, Rerack, Shot},
    },
    rules::{Ball, Player},
};

/// Before each step: takes the requests of the player at this machine from the game, sends them, and gives the game those of both
/// players for this step. If they are not all there, this step makes nothing.
pub(super) fn exchange(world: &mut World) {
    let table_hash = table_hash(world);
    let left = world.resource_scope(|world, mut link: Mut<Link>| {
        take_requests(world, &mut link);
        let held = HeldCue::from(world.resource::<Cue>());
        let inputs = link.advance(held, table_hash);
        world.resource_mut::<StepControl>().paused = inputs.is_none();
        if let Some(inputs) = inputs {
            follow(world, &link, inputs);
        }
        if link.own() == Player::Two {
            tell_guest(&mut world.resource_mut::<Game>(), link.is_meeting());
        }
        let news = link.news();
        for news in &news {
            tell(world, *news);
        }
        news.contains(&News::Left)
    });
    if left {
        leave(world);
    }
}

/// At the end of a step: outside of it, a table that waits is not paused, and nobody is told so.
pub(super) fn end_wait(mut control: ResMut<StepControl>) {
    control.paused = false;
}

/// Takes the requests that were made since the last step. Shots are not taken back or shown once more: the other player would have
/// to wait.
fn take_requests(world: &mut World, link: &mut Link) {
    let asks: Vec<Ask> = world.resource_mut::<Messages<Ask>>().drain().collect();
    for ask in asks {
        match Request::of(ask) {
            Some(request) => link.ask(request),
            None => {
                world.resource_mut::<Game>().note = "Drills are for one player.".to_owned();
            }
        }
    }
    let shots: Vec<Shot> = world.resource_mut::<Messages<Shot>>().drain().collect();
    for shot in shots {
        link.ask(shot.into());
    }
    world.resource_mut::<Messages<Rerack>>().clear();
    world.resource_mut::<Messages<Undo>>().clear();
    world.resource_mut::<Messages<Replay>>().clear();
}

/// Gives the game the requests of both players, and shows the other player's cue.
fn follow(world: &mut World, link: &Link, inputs: [Input; 2]) {
    if inputs[0].table_hash != inputs[1].table_hash && inputs.iter().all(|i| i.table_hash != 0) {
        error!("the tables of the two players differ");
        world.resource_mut::<Game>().note =
            "The two tables differ: both players need the same version of the game.".to_owned();
    }
    for player in [Player::One, Player::Two] {
        if let Some(request) = inputs[player.index()].request
            && may_ask(world, player, request)
        {
            request.write(world, link.seats());
        }
    }
    let other = link.own().other();
    let on = world.resource::<Match>();
    if on.player() == Some(other) && world.resource::<Game>().phase == Phase::Aim {
        let held = inputs[other.index()].cue;
        held.show(&mut world.resource_mut::<Cue>());
    }
}

/// Whether a player may ask for this now: the host begins a match, and each plays in turn.
fn may_ask(world: &World, player: Player, request: Request) -> bool {
    let on = world.resource::<Match>();
    match request {
        Request::Begin(..) => player == Player::One,
        Request::NextFrame => on.is_over(),
        Request::Place(_) | Request::Call(_) | Request::Choose(_) | Request::Shoot(_) => {
            on.player() == Some(player)
        }
    }
}

fn tell(world: &mut World, news: News) {
    world.resource_mut::<Game>().note = match news {
        News::Silent => "The other player does not answer ...".to_owned(),
        News::Answers => String::new(),
        News::Left => "The other player has left. You may play on for both.".to_owned(),
    };
}

/// The game goes on at this machine alone.
fn leave(world: &mut World) {
    world.remove_resource::<Link>();
    world.resource_mut::<StepControl>().paused = false;
    for seat in &mut world.resource_mut::<Match>().seats {
        if *seat == Seat::Remote {
            *seat = Seat::Human;
        }
    }
}

/// A hash of all that the game and the physics know of the balls. It is never 0.
fn table_hash(world: &mut World) -> u64 {
    let mut balls = world.query::<(
        &Ball,
        &Transform,
        Option<&LinearVelocity>,
        Option<&AngularVelocity>,
    )>();
    let mut words: Vec<[u32; 14]> = balls
        .iter(world)
        .map(|(ball, place, velocity, spin)| {
            let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
            let spin = spin.map_or(Vec3::ZERO, |spin| spin.0);
            let [x, y, z] = place.translation.to_array();
            let [a, b, c, d] = place.rotation.to_array();
            let mut words = [0; 14];
            let numbers = [x, y, z, a, b, c, d].into_iter();
            let numbers = numbers.chain(velocity.to_array()).chain(spin.to_array());
            for (word, number) in words.iter_mut().zip(numbers) {
                *word = number.to_bits();
            }
            words[13] = ball.0.into();
            words
        })
        .collect();
    words.sort_unstable_by_key(|words| words[13]);
    let game = world.resource::<Game>();
    let mut hasher = DefaultHasher::new();
    (words, game.shots, game.phase as u8).hash(&mut hasher);
    hasher.finish().max(1)
}
