//! The session with the other player.

use std::{collections::VecDeque, net::SocketAddr, time::Duration};

use bevy::prelude::*;
use ggrs::{
    GgrsError, GgrsEvent, GgrsRequest, InputStatus, NonBlockingSocket, P2PSession, PlayerType,
    PredictRepeatLast, SessionBuilder, SessionState,
};

use super::wire::{HeldCue, Input, Request};
use crate::{play::matches::Seat, plugin::RATE, rules::Player};

/// Steps from a request to its effect: a tenth of a second.
pub const INPUT_DELAY: usize = 12;

/// Time without packets after which the other player has left.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The types of the session for GGRS.
pub struct Protocol;

impl ggrs::Config for Protocol {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

/// The session with the other player. While it is there, the game takes requests from it alone.
#[derive(Resource)]
pub struct Link {
    session: P2PSession<Protocol>,
    /// Who sits at this machine: the host is Player One.
    own: Player,
    /// Who holds the cue of `own`.
    seat: Seat,
    asked: VecDeque<Request>,
    /// The input that waits for its step.
    next: Option<Input>,
}

/// News of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The other player does not answer.
    Silent,
    /// The other player answers again.
    Answers,
    /// The other player has left.
    Left,
}

impl Link {
    /// A session of the player `own` with the other player at an address.
    ///
    /// Fails if GGRS refuses it.
    pub fn new(
        own: Player,
        seat: Seat,
        other: SocketAddr,
        socket: impl NonBlockingSocket<SocketAddr> + 'static,
    ) -> Result<Self, GgrsError> {
        let session = SessionBuilder::<Protocol>::new()
            .with_num_players(2)?
            // Lockstep.
            .with_max_prediction_window(0)
            .with_input_delay(INPUT_DELAY)
            .with_fps(RATE as usize)?
            .with_disconnect_timeout(TIMEOUT)
            .with_disconnect_notify_delay(Duration::from_secs(1))
            .add_player(PlayerType::Local, own.index())?
            .add_player(PlayerType::Remote(other), own.other().index())?
            .start_p2p_session(socket)?;
        Ok(Self {
            session,
            own,
            seat,
            asked: VecDeque::new(),
            next: None,
        })
    }

    /// Who sits at this machine.
    pub fn own(&self) -> Player {
        self.own
    }

    /// Who plays, as seen from this machine.
    pub fn seats(&self) -> [Seat; 2] {
        let mut seats = [Seat::Remote; 2];
        seats[self.own.index()] = self.seat;
        seats
    }

    /// Whether the two players still look for each other.
    pub fn is_meeting(&self) -> bool {
        self.session.current_state() == SessionState::Synchronizing
    }

    /// Sends a request of the player at this machine, as soon as those before it have gone.
    pub fn ask(&mut self, request: Request) {
        // Of a ball that is carried over the table, the last place counts.
        if matches!(request, Request::Place(_))
            && matches!(self.asked.back(), Some(Request::Place(_)))
        {
            self.asked.pop_back();
        }
        self.asked.push_back(request);
    }

    /// Polls the network, and returns the inputs of both players if the next step can be made. `held` and `table_hash` are those of
    /// this machine, now.
    pub fn advance(&mut self, held: HeldCue, table_hash: u64) -> Option<[Input; 2]> {
        self.session.poll_remote_clients();
        // A step that waits keeps its input: GGRS may have sent it.
        let asked = &mut self.asked;
        let input = *self.next.get_or_insert_with(|| Input {
            request: asked.pop_front(),
            cue: held,
            table_hash,
        });
        let added = self.session.add_local_input(self.own.index(), input);
        let requests = match added.and_then(|()| self.session.advance_frame()) {
            Ok(requests) => requests,
            // The peers still look for each other: the request has not gone.
            Err(GgrsError::NotSynchronized) => {
                self.asked.extend(input.request);
                self.asked
                    .rotate_right(usize::from(input.request.is_some()));
                self.next = None;
                return None;
            }
            Err(problem) => {
                error!("the session with the other player: {problem}");
                return None;
            }
        };
        let inputs = requests.into_iter().find_map(|request| match request {
            GgrsRequest::AdvanceFrame { inputs } => Some(inputs),
            // In lockstep nothing is taken back.
            GgrsRequest::SaveGameState { .. } | GgrsRequest::LoadGameState { .. } => None,
        })?;
        self.next = None;
        let known = |player: Player| match inputs[player.index()] {
            (input, InputStatus::Confirmed) => input,
            _ => Input::default(),
        };
        Some([Player::One, Player::Two].map(known))
    }

    /// The news since the last call, in their order.
    pub fn news(&mut self) -> Vec<News> {
        let events = self.session.events();
        let news = events.filter_map(|event| match event {
            GgrsEvent::NetworkInterrupted { .. } => Some(News::Silent),
            GgrsEvent::NetworkResumed { .. } => Some(News::Answers),
            GgrsEvent::Disconnected { .. } => Some(News::Left),
            _ => None,
        });
        news.collect()
    }
}
