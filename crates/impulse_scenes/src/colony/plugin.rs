//! The colony as a plugin, and its laws.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{has_window, pace};

use super::{
    birth::name_daughters,
    cell::Cell,
    course::{self, Course},
    founding::found,
    options::ColonyOptions,
    view,
};

/// The contact solver. A single step of a large colony would need more products with its matrix. But each step begins with the
/// impulses of the step before, so the steps solve the system together. As drag soon ends every motion, velocities may part
/// overlapping cells.
const SOLVER: GlobalSolver = GlobalSolver {
    iterations: 120,
    tolerance: 0.1,
    regularisation: 1e-5,
    friction_passes: 1,
    stabilisation: 0.2,
};

/// Gap, as a part of the radius, within which cells are contacts: at the rim of a large colony they come fast.
const MARGIN: f32 = 0.25;

/// The scene: puts the first cell down at start-up, and shows the colony if there is a window.
pub struct ColonyPlugin(pub ColonyOptions);

impl Plugin for ColonyPlugin {
    fn build(&self, app: &mut App) {
        pace::plugin(app);
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            .init_resource::<Course>()
            .register_type::<Cell>()
            .add_systems(Startup, found)
            .add_systems(
                FixedLast,
                (
                    name_daughters,
                    course::record.run_if(resource_changed::<pace::LastStep>),
                    course::end_at_size,
                )
                    .chain(),
            )
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<ColonyOptions>),
            );
        if has_window(app) {
            app.add_plugins(view::ColonyViewPlugin);
        }
    }
}

/// Sets the physics, and the present cells, by the options.
fn set_laws(
    mut config: ResMut<CollisionConfig>,
    mut growing: Query<&mut Growth>,
    options: Res<ColonyOptions>,
) {
    // Nothing bounces, rubs or falls asleep.
    config.stages.impulse_jolt = false;
    config.friction.default = 0.0;
    config.sleep_speed = 0.0;
    config.contact_method = ContactMethod::Global(SOLVER);
    config.contact_margin = MARGIN;
    for mut growth in &mut growing {
        growth.inertia = options.inertia;
    }
}
