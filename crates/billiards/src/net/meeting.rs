//! How the two players find each other: the host waits at a port, and the guest knows the host's address.

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};

use bevy::prelude::*;
use ggrs::UdpNonBlockingSocket;

use super::{link::Link, wire::Request};
use crate::{
    play::{
        matches::{Seat, Setup},
        state::Game,
    },
    rules::Player,
};

/// Told to both players once they have met.
const MET: &str = "The other player is here.";

/// The host waits for the first packet of the guest.
#[derive(Resource, Debug)]
pub struct Waiting {
    socket: UdpSocket,
    /// The match that the host wants to play.
    setup: Setup,
}

impl Waiting {
    /// Waits at a UDP port of this machine.
    ///
    /// Fails if the port cannot be used, with a sentence that says why.
    pub fn at(port: u16, setup: Setup) -> Result<Self, String> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port));
        let socket = socket.and_then(|socket| {
            socket.set_nonblocking(true)?;
            Ok(socket)
        });
        let socket = socket.map_err(|problem| format!("cannot wait at port {port}: {problem}"))?;
        Ok(Self { socket, setup })
    }

    fn port(&self) -> u16 {
        self.socket.local_addr().map_or(0, |address| address.port())
    }
}

/// The guest's session with the host at `address`, such as `192.168.0.7:7000`.
///
/// Fails if there is no such address, with a sentence that says why.
pub fn join(address: &str) -> Result<Link, String> {
    let problem = |problem: String| format!("cannot join {address}: {problem}");
    let mut found = address
        .to_socket_addrs()
        .map_err(|p| problem(p.to_string()))?;
    let host = found
        .find(SocketAddr::is_ipv4)
        .ok_or_else(|| problem("it has no IPv4 address".to_owned()))?;
    let socket = UdpNonBlockingSocket::bind_to_port(0).map_err(|p| problem(p.to_string()))?;
    Link::new(Player::Two, Seat::Human, host, socket).map_err(|p| problem(p.to_string()))
}

/// Opens the host's session when the guest's first packet is there.
pub(super) fn meet(mut commands: Commands, waiting: Res<Waiting>, mut game: ResMut<Game>) {
    let port = waiting.port();
    let note = format!("Waiting for the other player at port {port} ...");
    if game.note != note {
        game.note = note;
    }
    // The packet stays in no queue: the guest sends the next one soon.
    let Ok((_, guest)) = waiting.socket.peek_from(&mut [0; 1]) else {
        return;
    };
    commands.remove_resource::<Waiting>();
    let setup = waiting.setup;
    commands.queue(move |world: &mut World| {
        // The port is free again only now.
        let link = UdpNonBlockingSocket::bind_to_port(port)
            .map_err(|problem| problem.to_string())
            .and_then(|socket| {
                Link::new(Player::One, Seat::Human, guest, socket)
                    .map_err(|problem| problem.to_string())
            });
        match link {
            Ok(mut link) => {
                link.ask(Request::Begin(setup.discipline, setup.goal));
                world.insert_resource(link);
                world.resource_mut::<Game>().note = MET.to_owned();
            }
            Err(problem) => world.resource_mut::<Game>().note = problem,
        }
    });
}

/// Tells the guest that the host has not answered yet, and then that it has.
pub(super) fn tell_guest(game: &mut Game, is_meeting: bool) {
    const JOINING: &str = "Joining the other player ...";
    if is_meeting && game.note != JOINING {
        game.note = JOINING.to_owned();
    } else if !is_meeting && game.note == JOINING {
        game.note = MET.to_owned();
    }
}
