//! The menu: the game and the opponent.

use std::num::NonZeroU32;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

use crate::{
    play::matches::{Seat, Setup, Skill},
    rules::{Calls, Discipline},
};

/// Games, with their names and descriptions.
pub const GAMES: [(Discipline, &str, &str); 5] = [
    (
        Discipline::EightBall(Calls::EightOnly),
        "Eight-ball",
        "Sink your seven, solids or stripes, then the 8 in the pocket you name.",
    ),
    (
        Discipline::NineBall,
        "Nine-ball",
        "Always hit the lowest number first. Whoever sinks the 9 wins.",
    ),
    (
        Discipline::Snooker,
        "Snooker",
        "A red, a colour, a red; then yellow to black. The higher score wins.",
    ),
    (
        Discipline::ThreeCushion,
        "Three-cushion",
        "No pockets: hit both balls, and three cushions before the second. Ten points win.",
    ),
    (
        Discipline::FreeTable,
        "Free table",
        "No rules: put the white ball where you like and shoot.",
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
}

impl Default for Menu {
    fn default() -> Self {
        Self {
            open: true,
            game: 0,
            opponent: 2,
            race: 0,
        }
    }
}

impl Menu {
    /// The match that is ticked.
    pub fn setup(&self) -> Setup {
        let (discipline, ..) = GAMES[self.game];
        let other = match discipline {
            Discipline::FreeTable => Seat::Human,
            _ => OPPONENTS[self.opponent].0,
        };
        Setup {
            discipline,
            seats: [Seat::Human, other],
            goal: NonZeroU32::new(RACES[self.race]).unwrap_or(NonZeroU32::MIN),
        }
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
