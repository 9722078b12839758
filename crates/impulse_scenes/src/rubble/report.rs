//! The report of a headless run of the rubble.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, app::StepsMade, headless::MeasureStart};
use serde::Serialize;

use super::{
    boulder::Body,
    cloud::Clouds,
    comet::throw,
    options::RubbleOptions,
    pile::{FindPile, Pile},
};
use crate::gathering::{
    comet::Comet,
    heap::{HeapShape, Rock, escaped},
    past::{Course, Past, comet_is_due, halfway},
};

/// The scene's part of the report. Lengths in metres, angular velocities in rad/s.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct RubbleReport {
    /// Boulders, the one from outside included.
    pub boulders: usize,
    /// Balls of all boulders.
    pub balls: usize,
    /// The largest pile at the end.
    pub pile: Pile,
    /// Radius about the centre of mass that holds 90 % of the mass.
    pub radius90: Course,
    /// |L| over the moment of inertia about L's axis, of the boulders within `radius90`.
    pub omega: Course,
    /// `omega` at the end over √(GM/R³), at which the equator of a ball of this mass and radius would float off.
    pub omega_of_break_up: f64,
    /// Boulders that the gravity of the rest cannot hold.
    pub escaped: usize,
    /// Kinetic energy of the boulders within `radius90`, spins included, beyond that of their rigid rotation and common
    /// translation, over the magnitude of the potential energy at the end; null without gravity.
    pub vibration: Course,
    /// How far kinetic and potential energy together have risen above their lowest value before, over the magnitude of the potential
    /// energy at the end. Collisions and friction only take energy.
    pub energy_gained: f64,
    /// Change of the momentum, over the largest sum of m·|v| in the run.
    pub momentum_error: f64,
    /// Change of the angular momentum about the centre of mass, over the largest sum of m·|x|·|v| in the run.
    pub angular_momentum_error: f64,
    /// How far the centre of mass of all has moved beyond what its velocity at the start says.
    pub center_moved: f64,
    /// The boulder thrown at the pile. The `start` then has energy, momentum and angular momentum just after the throw, and the
    /// errors count from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comet: Option<Comet>,
}

/// What must stay, watched since the first step or since the comet was thrown.
#[derive(Resource, Default)]
struct Watched {
    start: Measurement,
    seconds: f64,
    /// The lowest energy so far, and how far it has risen above that.
    lowest: f64,
    gained: f64,
    /// The largest sums of m·|v| and m·|x|·|v|.
    momentum: f64,
    angular_momentum: f64,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Past>()
        .init_resource::<Watched>()
        .add_systems(
            PostStartup,
            |mut past: ResMut<Past>, bodies: Query<Body>| {
                past.start = shape(&bodies);
            },
        )
        .add_systems(FixedUpdate, throw_comet.run_if(is_due));
    if !scene_kit::has_window(app) {
        app.add_systems(FixedLast, (measure_middle.run_if(halfway), watch));
    }
}

fn shape(bodies: &Query<Body>) -> HeapShape {
    HeapShape::of(bodies.iter().map(Rock::from))
}

fn measure_middle(mut past: ResMut<Past>, bodies: Query<Body>) {
    past.middle = shape(&bodies);
}

fn is_due(options: Res<RubbleOptions>, steps: Res<StepsMade>, run: Res<RunOptions>) -> bool {
    comet_is_due(options.comet, steps.0, &run)
}

/// Throws a boulder along −X. The end of this step counts as the start of the run: after it nothing comes from outside.
fn throw_comet(
    mut commands: Commands,
    (mut past, mut clouds): (ResMut<Past>, ResMut<Clouds>),
    (options, run): (Res<RubbleOptions>, Res<RunOptions>),
    bodies: Query<Body>,
    time: Res<Time>,
) {
    let now = time.elapsed_secs_f64();
    let mut rng = clouds.rng(&run);
    let pile = (&shape(&bodies), &*options);
    let (_, comet) = throw(&mut commands, &mut rng, pile, (Vec3::X, Vec3::Z), now);
    past.comet = Some(comet);
    commands.insert_resource(MeasureStart);
}

fn watch(
    mut watched: ResMut<Watched>,
    measure: Measure,
    bodies: Query<Body>,
    (steps, time): (Res<StepsMade>, Res<Time>),
    (is_new, mut commands): (Option<Res<MeasureStart>>, Commands),
) {
    const STEPS: u64 = 10;
    // Masses of compounds are known after the first step only.
    let is_first = steps.0 == 1;
    if is_first {
        commands.insert_resource(MeasureStart);
    }
    if is_new.is_some_and(|start| start.is_changed()) || is_first {
        let start = measure.measure();
        *watched = Watched {
            start,
            lowest: start.energy(),
            ..default()
        };
        return;
    }
    watched.seconds += time.delta_secs_f64();
    if steps.0.is_multiple_of(STEPS) {
        let energy = measure.measure().energy();
        watched.gained = watched.gained.max(energy - watched.lowest);
        watched.lowest = watched.lowest.min(energy);
    }
    let rocks: Vec<Rock> = bodies.iter().map(Rock::from).collect();
    let mass: f64 = rocks.iter().map(|rock| rock.mass).sum();
    let moment: DVec3 = rocks.iter().map(|rock| rock.mass * rock.position).sum();
    let center = moment / mass;
    let (mut momentum, mut angular_momentum) = (0.0, 0.0);
    for rock in &rocks {
        let part = rock.mass * rock.velocity.length();
        momentum += part;
        angular_momentum += part * rock.position.distance(center);
    }
    watched.momentum = watched.momentum.max(momentum);
    watched.angular_momentum = watched.angular_momentum.max(angular_momentum);
}

/// The scene's part of the report.
pub fn rubble_report(world: &mut World) -> RubbleReport {
    let rocks: Vec<Rock> = world.query::<Body>().iter(world).map(Rock::from).collect();
    let shape = HeapShape::of(rocks.iter().copied());
    let constant = world.resource::<RubbleOptions>().g;
    let measured = world
        .run_system_cached(|measure: Measure, find: FindPile| (measure.measure(), find.pile()));
    let (end, pile) = measured.unwrap_or_default();
    let balls = world.query::<&Particle>().iter(world).count();
    let past = world.resource::<Past>();
    let watched = world.resource::<Watched>();
    let start = &watched.start;
    let mass: f64 = rocks.iter().map(|rock| rock.mass).sum();
    let whole = end.potential_energy.abs();
    let went = end.center_of_mass - start.center_of_mass;
    let mut vibration = past.course(&shape, |shape| shape.vibration_energy);
    for value in [
        &mut vibration.start,
        &mut vibration.middle,
        &mut vibration.end,
    ] {
        *value /= whole;
    }
    RubbleReport {
        boulders: rocks.len(),
        balls,
        pile,
        radius90: past.course(&shape, |shape| shape.radius90),
        omega: past.course(&shape, |shape| shape.omega),
        omega_of_break_up: shape.omega
            / (f64::from(constant) * shape.mass / shape.radius90.powi(3)).sqrt(),
        escaped: escaped(rocks, constant),
        vibration,
        energy_gained: watched.gained / whole,
        momentum_error: (end.momentum - start.momentum).length() / watched.momentum,
        angular_momentum_error: (end.angular_momentum - start.angular_momentum).length()
            / watched.angular_momentum,
        center_moved: (went - start.momentum * (watched.seconds / mass)).length(),
        comet: past.comet,
    }
}
