//! Runs a world step by step, until a law breaks.

use std::{
    cell::{Cell, RefCell},
    panic::{self, AssertUnwindSafe},
};

use bevy::prelude::default;
use bevy_impulse_recorder::{RecorderPlugin, Recording, recording_of};

use crate::{
    check::Checker,
    failure::{Failure, Law},
    simulation::Simulation,
    world::World,
};

thread_local! {
    /// The step that this thread makes, while it runs a world.
    static STEP: Cell<Option<u32>> = const { Cell::new(None) };
    /// The text and the place of the last panic of this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the texts of panics inside a world for the failures, and prints none of them.
pub fn catch_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if STEP.get().is_some() {
            PANIC.set(Some(info.to_string().replace('\n', " ")));
        } else {
            print(info);
        }
    }));
}

/// Runs a world up to its failure, and records it. `None`: no step was made.
///
/// The recording begins with the first step, or after the last time that the world was put back.
pub fn record(world: &World, failure: &Failure) -> Option<Recording> {
    let mut simulation = Simulation::new(world);
    simulation.app.add_plugins(RecorderPlugin {
        seconds: f32::INFINITY,
        key_frame_every: f32::INFINITY,
        key: None,
        on_bad_input: false,
        ..default()
    });
    for step in 0..=failure.step {
        STEP.set(Some(step));
        let mut make_step = || {
            simulation.step = step;
            simulation.happen(world);
            simulation.app.update();
        };
        if panic::catch_unwind(AssertUnwindSafe(&mut make_step)).is_err() {
            break;
        }
    }
    STEP.take();
    let why = format!("impulse_fuzz: seed {}, {failure}", world.seed);
    recording_of(simulation.app.world_mut(), &why)
}

/// Runs a world for so many steps. Gives back the first failure.
pub fn run(world: &World, steps: u32) -> Option<Failure> {
    let run = || {
        let mut simulation = Simulation::new(world);
        let mut checker = Checker::new(world, &simulation);
        (0..steps).find_map(|step| {
            STEP.set(Some(step));
            simulation.step = step;
            simulation.happen(world);
            simulation.app.update();
            let law = checker.check(&mut simulation)?;
            Some(Failure { step, law })
        })
    };
    STEP.set(Some(0));
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    let step = STEP.take().unwrap_or_default();
    outcome.unwrap_or_else(|_| {
        let law = Law::Panic(PANIC.take().unwrap_or_default());
        Some(Failure { step, law })
    })
}
