//! The two contact solvers on the same colony: the remaining approach of each, over its work.

use std::{
    io::{self, Write},
    time::Duration,
};

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use bevy_impulse_collide::{forget_past, prelude::*};
use scene_kit::headless;

use super::cell::Cell;

/// Iterations that a method may take: powers of two up to this one.
const MOST_ITERATIONS: u32 = 512;

/// A way to solve the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Sweeps,
    Global,
}

impl Method {
    pub const ALL: [Self; 2] = [Self::Sweeps, Self::Global];

    /// As the CSV and the plot call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sweeps => "sweeps",
            Self::Global => "global",
        }
    }

    /// `config`, with this method and `iterations` of its own.
    fn config(self, config: &CollisionConfig, iterations: u32) -> CollisionConfig {
        let contact_method = match self {
            Self::Sweeps => ContactMethod::Sweeps,
            Self::Global => ContactMethod::Global(GlobalSolver {
                iterations,
                tolerance: 0.0,
                ..default()
            }),
        };
        CollisionConfig {
            contact_method,
            contact_iterations: iterations,
            // Plain sweeps, as Gauss and Seidel have them: over-relaxed ones are another method, and end a small colony sooner.
            contact_relaxation: 1.0,
            ..config.clone()
        }
    }
}

/// Result of a method for the same step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub method: Method,
    /// Sweeps over all contacts, or products with the matrix of the system of all contacts.
    pub iterations: u32,
    /// Greatest speed in m/s at which two cells still approach.
    pub residual: f32,
}

/// A world to try the methods on.
pub(super) struct Trial {
    cells: Vec<(
        Transform,
        LinearVelocity,
        AngularVelocity,
        Capsule,
        Mass,
        Growth,
    )>,
    walls: Vec<(Plane, Transform)>,
    config: CollisionConfig,
    step: Duration,
}

impl Trial {
    /// The colony as it lies, between two steps.
    pub fn of(
        cells: Query<
            (
                &Transform,
                &LinearVelocity,
                &AngularVelocity,
                &Capsule,
                &Mass,
                &Growth,
            ),
            With<Cell>,
        >,
        walls: Query<(&Plane, &Transform)>,
        config: Res<CollisionConfig>,
        time: Res<Time<Fixed>>,
    ) -> Self {
        Self {
            cells: cells
                .iter()
                .map(|(&at, &v, &w, &capsule, &mass, &growth)| (at, v, w, capsule, mass, growth))
                .collect(),
            walls: walls.iter().map(|(&wall, &at)| (wall, at)).collect(),
            config: config.clone(),
            step: time.timestep(),
        }
    }

    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Makes the next step anew with every method and number of iterations, each time from nothing: without the impulses of
    /// the steps before.
    pub fn run(self) -> Vec<Attempt> {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
            ImpulseCollidePlugin { interpolate: false },
        ))
        .insert_resource(Gravity::ZERO)
        .insert_resource(SolverReport {
            measures_residual: true,
            ..default()
        })
        .insert_resource(Time::<Fixed>::from_duration(self.step));
        let world = app.world_mut();
        world.spawn_batch(self.walls.clone());
        headless::start(&mut app);

        let budgets = std::iter::successors(Some(1), |budget| Some(2 * budget))
            .take_while(|&budget| budget <= MOST_ITERATIONS);
        let attempts = Method::ALL
            .into_iter()
            .flat_map(|method| budgets.clone().map(move |budget| (method, budget)));
        attempts
            .map(|(method, budget)| {
                let cells: Vec<Entity> = app.world_mut().spawn_batch(self.cells.clone()).collect();
                app.insert_resource(method.config(&self.config, budget));
                app.update();
                let world = app.world_mut();
                let report = *world.resource::<SolverReport>();
                for cell in cells {
                    world.despawn(cell);
                }
                forget_past(world);
                Attempt {
                    method,
                    iterations: report.iterations,
                    residual: report.residual,
                }
            })
            .collect()
    }
}

/// Writes the attempts as CSV, with the residual in m/s.
pub(super) fn write_attempts(attempts: &[Attempt], to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "method,iterations,residual")?;
    for attempt in attempts {
        let Attempt {
            method,
            iterations,
            residual,
        } = attempt;
        writeln!(to, "{},{iterations},{residual}", method.name())?;
    }
    Ok(())
}
