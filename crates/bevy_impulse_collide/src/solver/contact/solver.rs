//! The state of the contact stage, and its steps in order.

use std::sync::Arc;

use bevy::prelude::*;
use glam::DVec3;

use super::{
    constraints::Constraints,
    division::Split,
    energy_limit::EnergyLimit,
    graph::ContactGraph,
    impact_split::ImpactSplit,
    kick::{contact_rate, prediction_limits},
    method::ContactProblem,
    methods::Methods,
    result::Contacts,
    slip::SlipPrediction,
    substep::{Substep, WarmStart},
    switched::SwitchedContacts,
};
use crate::{
    body::{Bodies, BodyFlags},
    collision::BroadPhase,
    config::{CollisionConfig, ContactMethod},
    shape::Shape,
    solver::{
        impact::Impacts,
        partition::{CellLayout, Partition},
        report::SolverReport,
    },
};

/// The state of the contact stage, kept from one substep to the next.
#[derive(Resource, Default)]
pub struct ContactSolver {
    /// Shared with [`Contacts`], which lets go of it before each substep.
    pub(crate) graph: Arc<ContactGraph>,
    pub(super) splits: Vec<Split>,
    methods: Methods,
    energy_limit: EnergyLimit,
    impact_split: ImpactSplit,
    slip: SlipPrediction,
    switched: SwitchedContacts,
    /// The time in s for which the impulses of the last substep count: its length, and half of that if they were those of new contacts.
    pub(super) h_before: f32,
}

impl ContactSolver {
    /// Records bodies that have divided: the next substep gives each of their contacts to the one of the two on the contact's side.
    pub(crate) fn split(&mut self, bodies: &Bodies, splits: &[Split]) {
        // If the contact stage has not run, there are no contacts to hand over.
        if self.graph.entities == bodies.entity {
            self.splits.extend_from_slice(splits);
        }
    }

    /// Finds the contacts of a substep and their impulses, and gives them to the bodies.
    pub(crate) fn run(
        &mut self,
        bodies: &mut Bodies,
        config: &CollisionConfig,
        broad_phase: &BroadPhase,
        impacts: &Impacts,
        partition: &mut Partition,
        constraints: &mut Constraints,
        contacts: &mut Contacts,
        report: &mut SolverReport,
    ) {
        let h = bodies.h;
        // Where all contacts are new, they give the impulses of half a substep.
        let are_all_new = std::mem::take(&mut bodies.are_all_switched);
        let time = if are_all_new { 0.5 * h } else { h };
        let warm_start = WarmStart::new(config, self.h_before, time);
        self.h_before = time;
        reset_growth_speeds(bodies);
        contacts.clear();
        let Some(graph) = Arc::get_mut(&mut self.graph) else {
            // A user has taken [`Contacts`] out of the world and still holds the state: the solver starts anew.
            self.graph = Arc::default();
            self.splits.clear();
            return self.run(
                bodies,
                config,
                broad_phase,
                impacts,
                partition,
                constraints,
                contacts,
                report,
            );
        };
        self.impact_split
            .find(bodies, graph, &partition.layout, impacts);
        partition.update(bodies, broad_phase);
        let layout = &partition.layout;
        if !config.stages.contact {
            graph.clear();
            self.splits.clear();
            apply_sums(bodies, graph, layout);
            bodies.place_parts();
            return;
        }
        self.switched.halve(graph);
        graph.divide(&self.splits);
        self.splits.clear();
        graph.update(bodies, config, broad_phase, partition);
        let substep = Substep::new(config, warm_start, h);
        graph.find_surfaces(bodies, config, &substep, impacts, layout);
        graph.prepare(constraints, bodies, substep, impacts, layout);
        // Only sweeps know other kinds of constraints.
        let method = match constraints.is_empty() {
            true => config.contact_method,
            false => ContactMethod::Sweeps,
        };
        report.iterations = self.methods.get(method).solve(&mut ContactProblem {
            graph,
            constraints,
            bodies,
            config,
            layout,
        });
        graph.take_halves(constraints);
        self.energy_limit.apply(bodies, graph, constraints, layout);
        graph.remember_surfaces(bodies);
        graph.list_touching();
        graph.list_given(bodies, layout);
        self.slip.find(bodies, graph, layout);
        apply_sums(bodies, graph, layout);
        graph.give_halves(bodies);
        bodies.place_parts();
        graph.correct_ends(bodies, layout);
        change_growth_speeds(bodies, graph);
        if report.measures_residual {
            report.residual = graph.residual(bodies);
        }
        self.impact_split.apply(bodies, graph);
        self.slip.apply(bodies);
        self.switched.add(bodies, graph);
        bodies.place_parts();
        contacts.show(&self.graph);
    }
}

/// Before v(t) is corrected: what the contacts gave that a user has switched is no longer taken back from v(t).
pub(crate) fn end_switched_contacts(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    mut solver: ResMut<ContactSolver>,
    constraints: Res<Constraints>,
) {
    let (bodies, solver) = (&mut *bodies, &mut *solver);
    let rules = Some([
        config.friction,
        config.rolling_friction,
        config.spinning_friction,
    ]);
    let before = std::mem::replace(&mut bodies.last_step.rules, rules);
    if before.is_some() && before != rules {
        bodies.start_all_anew();
    }
    let graph = &solver.graph;
    let ended = constraints.ended();
    solver.switched.find(bodies, graph, ended, solver.h_before);
    bodies.clear(BodyFlags::SWITCHED);
    bodies.place_parts();
    bodies.last_step.have_merged = false;
    bodies.last_step.absorbed.clear();
}

/// Sets each velocity anew from the sum of the impulses in f64. The solver has rounded at each of its small changes, differently
/// for the two bodies of a pair. This sum is rounded once, so momenta do not drift.
///
/// The contact acceleration is kept as the prediction for the next substep. An impact that the jolt stage has left predicts
/// nothing, so the acceleration is at most a few times the field that presses the body on its neighbours, the acceleration
/// with which a curved surface turns it, and what other constraints have given it.
fn apply_sums(bodies: &mut Bodies, graph: &ContactGraph, layout: &CellLayout) {
    let h = bodies.h;
    bodies.for_each_run(|first, mut run| {
        for i in 0..run.len() {
            let radius = match run.shape[i] {
                Shape::Particle { radius }
                | Shape::Capsule { radius, .. }
                | Shape::Compound { radius } => radius,
                Shape::Plane | Shape::Collider => continue,
            };
            if !run.is_dynamic(i) {
                continue;
            }
            if run.is_asleep(i) {
                run.balance(i);
                continue;
            }
            let shift = run.flight_shift[i];
            let (linear, angular) = graph.sum_of(layout, first + i).about(shift);
            let dv: DVec3 = linear / f64::from(run.mass[i]);
            let dw = run.inverse_inertia[i].mul(run.flight_rotation[i], angular.as_vec3());
            run.velocity[i] += dv;
            run.add_spin(i, dw);

            let rate = contact_rate(run.is_fresh(i), h);
            let turning = graph.turning_of(first + i);
            let (most, most_angular) = prediction_limits(run.acceleration[i], turning, radius);
            let (by_rows, angular_by_rows) = graph.given_to(first + i);
            let (most, most_angular) =
                (most + by_rows * rate, most_angular + angular_by_rows * rate);
            run.contact_acceleration[i] = (dv.as_vec3() * rate).clamp_length_max(most);
            run.contact_angular_acceleration[i] = (dw * rate).clamp_length_max(most_angular);
        }
    });
}

/// Sets the growth speed of each capsule that grows to its rate.
fn reset_growth_speeds(bodies: &mut Bodies) {
    bodies.for_each_run(|_, run| {
        for growth in run.growth.iter_mut() {
            // In most worlds nothing grows: this only reads then.
            if growth.speed != growth.rate {
                growth.speed = growth.rate;
            }
        }
    });
}

/// Changes the growth speeds by the impulses found: ΔL̇ = ⟨P, â⟩·s/(L·G).
fn change_growth_speeds(bodies: &mut Bodies, graph: &ContactGraph) {
    if graph.growth_speeds.is_empty() {
        return;
    }
    for contact in graph.active_points() {
        let point = contact.point(&graph.poses).point;
        for (i, sign) in [(contact.a as usize, 1.0), (contact.b as usize, -1.0)] {
            let inverse_inertia = bodies.growth[i].inverse_inertia;
            if inverse_inertia > 0.0 {
                let stretch = bodies.stretch(i, point - bodies.position[i].as_vec3());
                bodies.growth[i].speed += sign * stretch.dot(contact.impulse()) * inverse_inertia;
            }
        }
    }
}
