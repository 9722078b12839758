//! The machine: the table, its moving parts, the ball, and the rules. It needs no window.
//!
//! - [`measures`]: the measures of the table, and where its parts are
//! - [`outline`]: curves, and the meshes of the solids that they bound
//! - [`table`]: everything that stands
//! - [`flipper`], [`plunger`], [`targets`]: everything that moves by itself
//! - [`kickers`]: bumpers and slingshots, which kick the ball
//! - [`spinner`]: a plate that the ball throws round
//! - [`switches`]: lines that the ball crosses
//! - [`nudge`]: pushes of the player against the table
//! - [`rules`]: the game, without ECS
//! - [`play`]: the ball, and the game on the table
//! - [`search`]: the ball search
//! - [`robot`]: an automatic player
//! - [`watch`]: what must never happen, counted

pub mod flipper;
pub mod kickers;
pub mod measures;
pub mod nudge;
pub mod outline;
pub mod play;
pub mod plunger;
pub mod robot;
pub mod rules;
pub mod search;
pub mod spinner;
pub mod switches;
pub mod table;
pub mod targets;
pub mod watch;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// A side of the table, as the player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// −x.
    Left,
    /// +x.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// −1 on the left, 1 on the right.
    pub fn sign(self) -> f32 {
        match self {
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }
}

/// What the player's hands do. Keys or the [`robot`] write it, the machine reads it in each step.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Hands {
    /// Whether the buttons of the left and of the right flipper are pressed.
    pub flip: [bool; 2],
    /// Whether the plunger is pulled.
    pub pull: bool,
    /// A push against the table: its direction in the playfield's plane. The machine takes it.
    pub push: Option<Vec2>,
    /// A new game is wanted. The machine takes it.
    pub new_game: bool,
}

/// A pinball machine.
pub struct MachinePlugin;

impl Plugin for MachinePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hands>()
            .init_resource::<play::Game>()
            .init_resource::<nudge::Push>()
            .init_resource::<search::Search>()
            .init_resource::<spinner::Spinner>()
            .init_resource::<watch::Watch>()
            .add_message::<switches::Closed>()
            .insert_resource(Gravity(measures::gravity()))
            .insert_resource(CollisionConfig {
                // A single ball costs little awake, and a machine has no moment in which it should lie down.
                sleep_speed: 0.0,
                ..default()
            })
            .add_systems(
                Startup,
                (
                    table::spawn_table,
                    flipper::spawn_flippers,
                    plunger::spawn_plunger,
                    targets::spawn_targets,
                    play::spawn_ball,
                ),
            )
            .add_systems(
                FixedUpdate,
                (
                    play::start_again,
                    nudge::push_table,
                    flipper::turn_flippers,
                    plunger::move_plunger,
                    targets::move_targets,
                    targets::move_gate,
                )
                    .chain()
                    .in_set(Machine),
            )
            .add_systems(
                FixedLast,
                (
                    kickers::kick,
                    targets::hit_targets,
                    spinner::spin,
                    switches::cross_lines,
                    play::score,
                    (play::serve, play::note_served).chain(),
                    search::search,
                    watch::watch,
                )
                    .chain(),
            );
    }
}

/// The systems of the machine that run before each step of the physics. Hands act before it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine;
