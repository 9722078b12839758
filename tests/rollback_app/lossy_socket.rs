//! A UDP socket on the loopback that loses and delays packets.

use std::{
    collections::VecDeque,
    io::ErrorKind,
    net::{Ipv4Addr, SocketAddr, UdpSocket},
};

use ggrs::{Message, NonBlockingSocket};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Share of the packets that are lost.
const LOSS: f64 = 0.1;
/// Most rounds of receiving by which a packet comes later.
const MOST_DELAY: u32 = 6;

pub struct LossySocket {
    socket: UdpSocket,
    random: ChaCha8Rng,
    /// Packets that have come, each with the rounds that it still waits: some overtake others.
    delayed: VecDeque<(u32, SocketAddr, Message)>,
}

impl LossySocket {
    /// On a free port.
    pub fn bind(seed: u64) -> Self {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        socket
            .set_nonblocking(true)
            .expect("a socket that does not block");
        Self {
            socket,
            random: ChaCha8Rng::seed_from_u64(seed),
            delayed: VecDeque::new(),
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.socket.local_addr().expect("it is bound")
    }
}

impl NonBlockingSocket<SocketAddr> for LossySocket {
    fn send_to(&mut self, message: &Message, to: &SocketAddr) {
        if self.random.random_bool(LOSS) {
            return;
        }
        let bytes = serde_json::to_vec(message).expect("a message can be written");
        // A packet that does not go out is one that is lost.
        let _ = self.socket.send_to(&bytes, to);
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut bytes = [0; 1 << 16];
        loop {
            match self.socket.recv_from(&mut bytes) {
                Ok((count, from)) => {
                    let message = serde_json::from_slice(&bytes[..count]);
                    let message = message.expect("only the other peer sends here");
                    let delay = self.random.random_range(0..=MOST_DELAY);
                    self.delayed.push_back((delay, from, message));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("{error}"),
            }
        }
        let mut come = Vec::new();
        self.delayed.retain_mut(|(delay, from, message)| {
            if *delay == 0 {
                come.push((*from, message.clone()));
                return false;
            }
            *delay -= 1;
            true
        });
        come
    }
}
