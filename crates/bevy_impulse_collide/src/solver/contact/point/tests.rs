//! The general kernel against the contact laws written out.

use bevy::prelude::*;
use proptest::prelude::*;

use super::*;
use crate::solver::impact::Unresolved;
use crate::{
    body::{Bodies, BodyFlags, Growing},
    config::CollisionConfig,
    kernel::InverseInertia,
    shape::Shape,
    solver::contact::{
        entry::PairEntry,
        pose::{BodyExtras, SolverInertia, SolverPose},
        reference::{ReferenceMotion, ReferencePoint},
        substep::{Substep, WarmStart},
        velocity::SolverVelocity,
    },
    solver::partition::CellLayout,
};

fn vector() -> impl Strategy<Value = Vec3> {
    let axis = || -2.0..2.0f32;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

/// Two capsules and their contact.
#[derive(Clone, Debug)]
struct Setup {
    motions: [(Vec3, Vec3); 2],
    axes: [Vec3; 2],
    /// Nearly parallel: they touch at two points.
    is_along: bool,
    masses: [f32; 2],
    friction: f32,
    rolling_friction: f32,
    spinning_friction: f32,
    /// Speeds and inverse inertias of the growth; zero for none.
    growth: [(f32, f32); 2],
}

fn setup() -> impl Strategy<Value = Setup> {
    let coefficient = || prop_oneof![Just(0.0), 0.0..1.0f32];
    let growth = || prop_oneof![Just((0.0, 0.0)), (-1.0..1.0f32, 0.1..5.0f32)];
    (
        [(vector(), vector()), (vector(), vector())],
        [vector(), vector()],
        any::<bool>(),
        [0.2..5.0f32, 0.2..5.0f32],
        (coefficient(), coefficient(), coefficient()),
        [growth(), growth()],
    )
        .prop_map(|(motions, axes, is_along, masses, frictions, growth)| {
            let (friction, rolling_friction, spinning_friction) = frictions;
            Setup {
                motions,
                axes,
                is_along,
                masses,
                friction,
                rolling_friction,
                spinning_friction,
                growth,
            }
        })
}

fn bodies(setup: &Setup) -> Bodies {
    let mut bodies = Bodies {
        h: 1e-3,
        ..default()
    };
    bodies.resize(2);
    for i in 0..2 {
        let mass = setup.masses[i];
        bodies.position[i] = (Vec3::new(0.1, 0.7, -0.2) * i as f32).as_dvec3();
        bodies.flight_shift[i] = Vec3::ZERO;
        bodies.axis[i] = setup.axes[i].try_normalize().unwrap_or(Vec3::Y);
        bodies.local_axis[i] = Vec3::Y;
        bodies.flight_rotation[i] = Quat::from_rotation_arc(Vec3::Y, bodies.axis[i]);
        bodies.shape[i] = Shape::Capsule {
            radius: 0.6,
            half_length: 0.5,
        };
        let (v, w) = setup.motions[i];
        (bodies.velocity[i], bodies.angular_velocity[i]) = (v.as_dvec3(), w.as_dvec3());
        bodies.flags[i].insert(BodyFlags::DYNAMIC);
        bodies.inverse_mass[i] = mass.recip();
        bodies.inverse_inertia[i] = InverseInertia::capsule(mass, 0.6, 1.0);
        let (speed, inverse_inertia) = setup.growth[i];
        bodies.growth[i] = Growing {
            rate: speed,
            speed,
            inverse_inertia,
            uptake: 0.0,
        };
    }
    if setup.is_along {
        bodies.axis = vec![Vec3::X, (Vec3::X + 0.04 * setup.axes[1]).normalize()];
        for i in 0..2 {
            bodies.flight_rotation[i] = Quat::from_rotation_arc(Vec3::Y, bodies.axis[i]);
        }
    }
    bodies
}

proptest! {
    /// The kernel, with each of its optional terms, agrees with the contact laws written out.
    #[test]
    fn sweeps_agree_with_the_reference(mut setup in setup()) {
        if setup.is_along {
            // The kernel solves two points together, the reference one after the other. Without friction both reach the same
            // impulses.
            setup.friction = 0.0;
            setup.rolling_friction = 0.0;
            setup.spinning_friction = 0.0;
        }
        let bodies = bodies(&setup);
        let grows = setup.growth.iter().any(|&growth| growth != (0.0, 0.0));
        let entry = PairEntry {
            pair: 0,
            bodies: (0, 1),
            slots: (1, 2),
            friction: setup.friction,
            rolling_friction: setup.rolling_friction,
            spinning_friction: setup.spinning_friction,
            grows,
            ..PairEntry::NONE
        };
        let is_extended =
            grows || setup.rolling_friction > 0.0 || setup.spinning_friction > 0.0;
        let mut contacts = PointContacts::default();
        let class = PairClass::of(&bodies, 0, 1, is_extended);
        contacts.add(&EntryGroup::new([entry]), class, None);
        let config = CollisionConfig::default();
        let substep = Substep::new(&config, WarmStart::new(&config, 1e-3, 1e-3), 1e-3);
        let poses = [0, 1].map(|i| SolverPose::of(&bodies, i, Unresolved::ToContacts));
        let extras = [0, 1].map(|i| BodyExtras::of(&bodies, i));
        let mut velocities = [
            SolverVelocity::GROUND,
            SolverVelocity::of(&bodies, 0),
            SolverVelocity::of(&bodies, 1),
        ];
        let mut growth_speeds = [0.0, bodies.growth[0].speed, bodies.growth[1].speed];
        let inertias = [0, 1].map(|i| SolverInertia::of(&bodies, i));
        let input = RowInput {
            bodies: &bodies,
            layout: &CellLayout::default(),
            substep,
            poses: &poses,
            inertias: &inertias,
            extras: &extras,
            belts: &[],
            asides: &[],
            velocities: &velocities,
            growth_speeds: &growth_speeds,
        };
        contacts.prepare(&input);

        let mut motions = [0, 1].map(|i| ReferenceMotion::of(&bodies, i));
        let frictions = (setup.rolling_friction, setup.spinning_friction);
        let mut references: Vec<_> = contacts
            .points_of(0, 0)
            .map(|contact| ReferencePoint::new(&bodies, &contact, &motions, frictions))
            .collect();
        prop_assert!(!references.is_empty());
        // Free axes are rarely so parallel that the capsules touch at two points.
        prop_assume!(setup.is_along || references.len() == 1);
        for _ in 0..if references.len() == 1 { 4 } else { 1000 } {
            let mut velocities = RowVelocities {
                velocities: &mut velocities,
                growth_speeds: &mut growth_speeds,
            };
            contacts.solve(1.0, &mut velocities);
            for reference in &mut references {
                reference.solve(&mut motions);
            }
        }
        for i in 0..2 {
            let (found, expected) = (&velocities[i + 1], &motions[i]);
            prop_assert!(found.linear.truncate().abs_diff_eq(expected.v.as_vec3(), 2e-3));
            prop_assert!(found.angular.truncate().abs_diff_eq(expected.w.as_vec3(), 2e-2));
            prop_assert!((growth_speeds[i + 1] - expected.growth as f32).abs() < 2e-3);
        }
        for (contact, reference) in contacts.points_of(0, 0).zip(&references) {
            prop_assert!((contact.normal_impulse - reference.normal_impulse as f32).abs() < 2e-3);
            let friction = reference.friction_impulse.as_vec3();
            prop_assert!(contact.friction_impulse.abs_diff_eq(friction, 2e-3));
            prop_assert!(contact.couple.abs_diff_eq(reference.couple.as_vec3(), 2e-3));
        }
    }
}
