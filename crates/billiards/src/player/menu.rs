//! The menu: the game and the opponent.

use std::num::NonZeroU32;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use scene_kit::window::keys_are_free;

use super::files::{Shelf, open_in_window};
use crate::{
    play::{
        drill::DRILLS,
        matches::{Seat, Setup, Skill},
        referee::Ask,
    },
    rules::{Calls, Discipline, straight_pool},
    table::rack::Rack,
};

/// What one may do at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Play this game.
    Game(Discipline),
    /// Practise.
    Drills,
    /// Open a saved shot.
    Saved,
}

/// What the menu offers, with names and descriptions.
pub const ITEMS: [(Item, &str, &str); 9] = [
    (
        Item::Game(Discipline::EightBall(Calls::EightOnly)),
        "Eight-ball",
        "Sink your seven, solids or stripes, then the 8 in the pocket you name.",
    ),
    (
        Item::Game(Discipline::NineBall),
        "Nine-ball",
        "Always hit the lowest number first. Whoever sinks the 9 wins.",
    ),
    (
        Item::Game(Discipline::TenBall),
        "Ten-ball",
        "The lowest number first, and every shot called. Sink the 10 last to win.",
    ),
    (
        Item::Game(Discipline::StraightPool(straight_pool::POINTS)),
        "Straight pool",
        "Call any ball, a point each. With one ball left, the others are racked again.",
    ),
    (
        Item::Game(Discipline::Snooker),
        "Snooker",
        "A red, a colour, a red; then yellow to black. The higher score wins.",
    ),
    (
        Item::Game(Discipline::ThreeCushion),
        "Three-cushion",
        "No pockets: hit both balls, and three cushions before the second. Ten points win.",
    ),
    (
        Item::Game(Discipline::FreeTable),
        "Free table",
        "No rules: put the white ball where you like and shoot.",
    ),
    (
        Item::Drills,
        "Drills",
        "The same shot again and again: stop, follow, draw, cuts, banks and kicks.",
    ),
    (
        Item::Saved,
        "Saved shots",
        "F5 saves the last shot. Play it again, or try another way.",
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
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Menu {
    /// Shown or hidden.
    pub open: bool,
    /// The number of the item in [`ITEMS`].
    pub item: usize,
    /// The number of the opponent in [`OPPONENTS`].
    pub opponent: usize,
    /// The number of the frames to win in [`RACES`].
    pub race: usize,
    /// The number of the points to win in [`POINTS`].
    pub points: usize,
    /// The number of the drill in [`DRILLS`].
    pub drill: usize,
    /// The number of the shot on the [`Shelf`].
    pub saved: usize,
}

impl Default for Menu {
    fn default() -> Self {
        Self {
            open: true,
            item: 0,
            opponent: 2,
            race: 0,
            points: 1,
            drill: 0,
            saved: 0,
        }
    }
}

impl Menu {
    /// A menu with the game ticked that is played from this rack.
    pub fn with(rack: Rack) -> Self {
        let of_rack = |(item, ..): &(Item, _, _)| match *item {
            Item::Game(Discipline::FreeTable) | Item::Drills | Item::Saved => false,
            Item::Game(game) => Rack::from(game) == rack,
        };
        Self {
            item: ITEMS.iter().position(of_rack).unwrap_or_default(),
            ..default()
        }
    }

    /// What is ticked.
    pub fn chosen(&self) -> Item {
        ITEMS[self.item].0
    }

    /// Asks for the match or the drill that is ticked; none for a saved shot.
    pub fn ask(&self) -> Option<Ask> {
        let discipline = match self.chosen() {
            Item::Game(discipline) => discipline,
            Item::Drills => return Some(Ask::Practise(self.drill)),
            Item::Saved => return None,
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
        Some(Ask::Begin(Setup {
            discipline,
            seats: [Seat::Human, other],
            goal,
        }))
    }

    /// The row of choices below the items, and how many there are; none if the item has no such row.
    fn row(&mut self, saved: usize) -> Option<(&mut usize, usize)> {
        match self.chosen() {
            Item::Game(Discipline::FreeTable) => None,
            Item::Game(_) => Some((&mut self.opponent, OPPONENTS.len())),
            Item::Drills => Some((&mut self.drill, DRILLS.len())),
            Item::Saved => Some((&mut self.saved, saved)),
        }
    }

    /// How far the match goes; none if that is no choice.
    fn goal(&mut self) -> Option<(&mut usize, usize)> {
        match self.chosen() {
            Item::Game(Discipline::FreeTable) | Item::Drills | Item::Saved => None,
            Item::Game(Discipline::StraightPool(_)) => Some((&mut self.points, POINTS.len())),
            Item::Game(_) => Some((&mut self.race, RACES.len())),
        }
    }
}

/// Begins what is ticked, and closes the menu. A saved shot that there is not keeps it open.
pub fn start(world: &mut World) {
    let menu = *world.resource::<Menu>();
    if let Some(ask) = menu.ask() {
        world.write_message(ask);
        world.resource_mut::<Menu>().open = false;
    } else if let Some(shot) = world.resource::<Shelf>().shots.get(menu.saved).cloned() {
        open_in_window(world, &shot.sheet);
    }
}

/// Opens and closes the menu on a key, and lets keys choose.
pub(super) struct MenuPlugin(pub Rack);

impl Plugin for MenuPlugin {
    fn build(&self, app: &mut App) {
        // Over the network there is nothing to choose: the scene has closed it.
        if !app.world().contains_resource::<Menu>() {
            app.insert_resource(Menu::with(self.0));
        }
        app.add_systems(
            Update,
            (
                (
                    choose,
                    start.run_if(
                        input_just_pressed(KeyCode::Enter)
                            .or_else(input_just_pressed(KeyCode::NumpadEnter)),
                    ),
                )
                    .chain()
                    .run_if(|menu: Res<Menu>| menu.open),
                (|mut menu: ResMut<Menu>| menu.open = !menu.open)
                    .run_if(input_just_pressed(KeyCode::KeyM)),
            )
                .chain()
                .run_if(keys_are_free),
        );
    }
}

/// The arrow keys tick what the menu offers.
fn choose(mut menu: ResMut<Menu>, shelf: Res<Shelf>, keys: Res<ButtonInput<KeyCode>>) {
    let pressed = |plus: KeyCode, minus: KeyCode| {
        i32::from(keys.just_pressed(plus)) - i32::from(keys.just_pressed(minus))
    };
    let move_on = |at: &mut usize, count: usize, by: i32| {
        if by != 0 && count > 0 {
            *at = (*at as i32 + by).rem_euclid(count as i32) as usize;
        }
    };
    let down = pressed(KeyCode::ArrowDown, KeyCode::ArrowUp);
    let right = pressed(KeyCode::ArrowRight, KeyCode::ArrowLeft);
    let further = pressed(KeyCode::PageDown, KeyCode::PageUp);
    if (down, right, further) == (0, 0, 0) {
        return;
    }
    move_on(&mut menu.item, ITEMS.len(), down);
    if let Some((at, count)) = menu.row(shelf.shots.len()) {
        move_on(at, count, right);
    }
    if let Some((at, count)) = menu.goal() {
        move_on(at, count, further);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tick_every_item_and_come_round() {
        let mut app = App::new();
        app.init_resource::<Menu>()
            .init_resource::<Shelf>()
            .init_resource::<ButtonInput<KeyCode>>()
            .add_systems(Update, choose);
        let press = |app: &mut App, key| {
            let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
            keys.reset_all();
            keys.press(key);
            app.update();
            *app.world().resource::<Menu>()
        };
        for item in (1..ITEMS.len()).chain([0]) {
            assert_eq!(press(&mut app, KeyCode::ArrowDown).item, item);
        }
        assert_eq!(press(&mut app, KeyCode::ArrowUp).chosen(), Item::Saved);
        // An empty shelf has nothing to tick.
        assert_eq!(press(&mut app, KeyCode::ArrowRight).saved, 0);
        press(&mut app, KeyCode::ArrowDown);
        assert_eq!(press(&mut app, KeyCode::ArrowRight).opponent, 3);
        assert_eq!(press(&mut app, KeyCode::ArrowRight).opponent, 0);
        assert_eq!(press(&mut app, KeyCode::PageDown).race, 1);
    }

    #[test]
    fn the_rack_of_the_command_line_ticks_its_game() {
        for (rack, name) in [
            (Rack::EightBall, "Eight-ball"),
            (Rack::NineBall, "Nine-ball"),
            (Rack::TenBall, "Ten-ball"),
            (Rack::StraightPool, "Straight pool"),
            (Rack::Snooker, "Snooker"),
            (Rack::Carom, "Three-cushion"),
        ] {
            assert_eq!(ITEMS[Menu::with(rack).item].1, name);
        }
    }
}
