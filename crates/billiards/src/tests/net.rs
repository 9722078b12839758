//! A match over the network: both tables end in the same bits, whatever the network does.

use std::{collections::BTreeMap, num::NonZeroU32, thread::sleep, time::Duration};

use super::*;
use crate::{
    net::{NetPlugin, link::Link, wire::Request},
    play::{
        matches::{Match, Seat, Skill},
        snapshot::Snapshot,
    },
    rules::{Discipline, Player, Turn},
};

#[path = "../../../../tests/rollback_app/lossy_socket.rs"]
mod lossy_socket;

use lossy_socket::LossySocket;

/// More updates than a frame takes.
const ENDLESS: u32 = 400_000;

/// Of each rest after a shot, by the number of the shot: the game, and the hash of the physics.
type Rests = BTreeMap<u32, (Snapshot, u64)>;

/// The machine of one player. The computer plays for the player.
struct Peer {
    app: App,
    rests: Rests,
}

impl Peer {
    fn new(link: Link) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            ImpulseCollidePlugin { interpolate: false },
            BilliardsPlugin(Options {
                host: Some(0),
                ..Options::default()
            }),
            NetPlugin,
        ))
        .insert_resource(RunOptions::default())
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(link);
        start(&mut app);
        Self {
            app,
            rests: Rests::new(),
        }
    }

    fn update(&mut self) {
        self.app.update();
        let world = self.app.world_mut();
        let game = world.resource::<Game>();
        if game.phase == Phase::Aim && !self.rests.contains_key(&game.shots) {
            let shots = game.shots;
            let snapshot = Snapshot::take(world);
            let hash = super::play::state_hash(&mut self.app);
            self.rests.insert(shots, (snapshot, hash));
        }
    }

    fn is_over(&self) -> bool {
        self.app.world().resource::<Match>().is_over()
    }
}

/// A frame of nine-ball of two computers, each at a machine of its own.
fn play_over(sockets: [LossySocket; 2]) -> [Rests; 2] {
    let addresses = sockets.each_ref().map(LossySocket::address);
    let mut sockets = sockets.into_iter();
    let mut peers = [Player::One, Player::Two].map(|own| {
        let seat = Seat::Computer(Skill::Expert);
        let other = addresses[own.other().index()];
        let socket = sockets.next().unwrap();
        let mut link = Link::new(own, seat, other, socket).unwrap();
        if own == Player::One {
            link.ask(Request::Begin(Discipline::NineBall, NonZeroU32::MIN));
        }
        Peer::new(link)
    });
    for update in 0..ENDLESS {
        peers.iter_mut().for_each(Peer::update);
        if peers.iter().all(Peer::is_over) {
            return peers.map(|peer| peer.rests);
        }
        if update % 16 == 0 {
            // Packets on their way, and the computer that thinks, get time.
            sleep(Duration::from_millis(1));
        }
    }
    panic!("nobody wins");
}

#[test]
fn a_frame_over_a_bad_network_is_the_same_on_both_machines() {
    let [host, guest] = play_over([1, 2].map(LossySocket::bind));
    assert!(host.len() > 2, "{} shots", host.len());
    assert_eq!(host, guest);
    let (last, _) = host.values().next_back().unwrap();
    let frame = last.frame.as_ref().unwrap();
    assert!(matches!(frame.turn(), Turn::Over { .. }));
}
