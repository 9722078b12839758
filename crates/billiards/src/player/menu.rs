//! The menu: the game and the opponent.

use std::num::NonZeroU32;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

use crate::{
    play::{
        matches::{Seat, Setup, Skill},
        referee::Ask,
    },
    rules::{Calls, Discipline, straight_pool},
};

/// Games, with their names and descriptions. Without a game, drills are practised.
pub const GAMES: [(Option<Discipline>, &str, &str); 8] = [
    (
        Some(Discipline::EightBall(Calls::EightOnly)),
        "Eight-ball",
        "Sink your seven, solids or stripes, then the 8 in the pocket you name.",
    ),
    (
        Some(Discipline::NineBall),
        "Nine-ball",
        "Always hit the lowest number first. Whoever sinks the 9 wins.",
    ),
    (
        Some(Discipline::TenBall),
        "Ten-ball",
        "The lowest number first, and every shot called. Sink the 10 last to win.",
    ),
    (
        Some(Discipline::StraightPool(straight_pool::POINTS)),
        "Straight pool",
        "Call any ball, a point each. With one ball left, the others are racked again.",
    ),
    (
        Some(Discipline::Snooker),
        "Snooker",
        "A red, a colour, a red; then yellow to black. The higher score wins.",
    ),
    (
        Some(Discipline::ThreeCushion),
        "Three-cushion",
        "No pockets: hit both balls, and three cushions before the second. Ten points win.",
    ),
    (
        Some(Discipline::FreeTable),
        "Free table",
        "No rules: put the white ball where you like and shoot.",
    ),
    (
        None,
        "Drills",
        "The same shot again and again: stop, follow, draw, cuts, banks and kicks.",
    ),
];

/// Opponents, with their names.
pub const OPPONENTS: [(Seat, &str); 4] = [
    (Seat::Human, "Two players"),
    (Seat::Computer(Skill::Beginner), "Beginner"),
    (Seat::Computer(Skill::Club), "Club player"),
    (Seat::Computer(Skill::Expert), "Expert"),
];

/// Frames to win.
pub const RACES: [u32; 4] = [1, 3, 5, 7];

/// Points that win straight pool.
pub const POINTS: [u32; 4] = [25, 50, straight_pool::POINTS.get(), 150];

/// The menu, and the ticked items.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Menu {
    /// Shown or hidden.
    pub open: bool,
    /// The number of the game in [`GAMES`].
    pub game: usize,
    /// The number of the opponent in [`OPPONENTS`].
    pub opponent: usize,
    /// The number of the frames to win in [`RACES`].
    pub race: usize,
    /// The number of the points to win in [`POINTS`].
    pub points: usize,
    /// The number of the drill in [`DRILLS`](crate::play::drill::DRILLS).
    pub drill: usize,
}

impl Default for Menu {
    fn default() -> Self {
        Self {
            open: true,
            game: 0,
            opponent: 2,
            race: 0,
            points: 1,
            drill: 0,
        }
    }
}

impl Menu {
    /// Asks for the match or the drill that is ticked.
    pub fn ask(&self) -> Ask {
        let (Some(discipline), ..) = GAMES[self.game] else {
            return Ask::Practise(self.drill);
        };
        let other = match discipline {
            Discipline::FreeTable => Seat::Human,
            _ => OPPONENTS[self.opponent].0,
        };
        let (frames, points) = (RACES[self.race], POINTS[self.points]);
        let or_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        // A match of straight pool is one frame.
        let (discipline, goal) = match discipline {
            Discipline::StraightPool(_) => {
                (Discipline::StraightPool(or_one(points)), NonZeroU32::MIN)
            }
            other => (other, or_one(frames)),
        };
        Ask::Begin(Setup {
            discipline,
            seats: [Seat::Human, other],
            goal,
        })
    }
}

/// Opens and closes the menu on a key.
pub(super) struct MenuPlugin;

impl Plugin for MenuPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Menu>().add_systems(
            Update,
            (|mut menu: ResMut<Menu>| menu.open = !menu.open)
                .run_if(input_just_pressed(KeyCode::KeyM))
                .run_if(keys_are_free),
        );
    }
}
