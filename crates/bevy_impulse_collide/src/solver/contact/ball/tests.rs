//! The kernel for balls against the contact laws written out.

use bevy::prelude::*;
use fearless_simd::{Level, dispatch};
use proptest::prelude::*;

use super::*;
use crate::{
    body::{Bodies, BodyFlags},
    collision::manifold,
    config::CollisionConfig,
    kernel::InverseInertia,
    shape::Shape,
    solver::contact::{
        entry::PairEntry,
        reference::{ReferenceMotion, ReferencePoint},
        substep::WarmStart,
    },
    solver::impact::Unresolved,
};

fn bodies(balls: [(Vec3, Vec3, f32, f32); 2]) -> Bodies {
    let mut bodies = Bodies::default();
    bodies.resize(2);
    for (i, (v, w, radius, mass)) in balls.into_iter().enumerate() {
        bodies.position[i] = (Vec3::new(0.6, 0.7, -0.2) * i as f32).as_dvec3();
        bodies.flight_shift[i] = Vec3::ZERO;
        bodies.shape[i] = Shape::Particle { radius };
        bodies.velocity[i] = v.as_dvec3();
        bodies.angular_velocity[i] = w.as_dvec3();
        bodies.flags[i].insert(BodyFlags::DYNAMIC);
        bodies.inverse_mass[i] = mass.recip();
        bodies.inverse_inertia[i] = InverseInertia::sphere(mass, radius);
    }
    bodies
}

fn vector() -> impl Strategy<Value = Vec3> {
    let axis = || -2.0..2.0f32;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

fn substep(h: f32) -> Substep {
    let config = CollisionConfig::default();
    Substep::new(&config, WarmStart::new(&config, h, h), h)
}

proptest! {
    /// The angular impulse on a free body is about the start of its flight; on a body on the ground, about its centre.
    #[test]
    fn sums_are_those_of_impulses_at_the_contact_point(
        (x_b, shift_a, shift_b) in (vector(), vector(), vector()),
        (normal, friction) in (0.0..3.0f32, vector()),
        on_ground in any::<bool>(),
    ) {
        prop_assume!(x_b.length() > 0.1);
        let mut bodies = bodies([(Vec3::ZERO, Vec3::ZERO, 0.6, 1.0); 2]);
        bodies.position[1] = (bodies.position[0].as_vec3() + x_b.normalize() * 1.19).as_dvec3();
        let shifts = [shift_a, shift_b].map(|shift| shift * 0.01);
        for (i, shift) in shifts.into_iter().enumerate() {
            bodies.flight_shift[i] = shift;
        }
        let entry = PairEntry {
            pair: 0,
            bodies: (0, 1),
            slots: (1, if on_ground { 0 } else { 2 }),
            friction: 1.0,
            impulse: StoredImpulse { normal, friction, ..default() },
            ..PairEntry::NONE
        };
        let (mut contacts, mut pairs) = BallContacts::pack(&EntryGroup::new([entry]), false, 0);
        let poses = [SolverPose::of(&bodies, 0, Unresolved::Nothing), SolverPose::of(&bodies, 1, Unresolved::Nothing)];
        let velocities = [
            SolverVelocity::GROUND,
            SolverVelocity::of(&bodies, 0),
            SolverVelocity::of(&bodies, 1),
        ];
        let mut sums = [ImpulseAccumulator::default(); 3];
        let touching = dispatch!(Level::new(), simd => {
            contacts.prepare::<_, false>(simd, &mut pairs, &substep(1.0), &poses, &velocities);
            contacts.accumulate(simd, &pairs, &poses, &mut sums)
        });
        prop_assert!(touching.has(0));

        let impulse = contacts.point(&pairs, 0, 0).impulse();
        let point = manifold(&bodies.placed(0), &bodies.placed(1), f32::INFINITY)[0].point;
        for (i, sign) in [(0, 1.0), (1, -1.0)].into_iter().take(2 - usize::from(on_ground)) {
            let from = bodies.position[i].as_vec3() + if on_ground { Vec3::ZERO } else { shifts[i] };
            let (linear, angular) = sums[i + 1].about(shifts[i]);
            prop_assert!(linear.as_vec3().abs_diff_eq(sign * impulse, 1e-6));
            let expected = (point - from).cross(sign * impulse);
            prop_assert!(angular.as_vec3().abs_diff_eq(expected, 1e-5), "{angular} {expected}");
            let presses = if normal > 0.0 { 1.0 } else { 0.0 };
            prop_assert_eq!(sums[i + 1].contacts(), presses);
        }
    }

    /// The kernel agrees with the contact laws written out.
    #[test]
    fn sweeps_agree_with_the_reference(
        (v_a, w_a, v_b, w_b) in (vector(), vector(), vector(), vector()),
        (r_a, r_b) in (0.5..0.8f32, 0.5..0.8f32),
        (m_a, m_b) in (0.2..5.0f32, 0.2..5.0f32),
        friction in 0.0..1.0f32,
    ) {
        let bodies = bodies([(v_a, w_a, r_a, m_a), (v_b, w_b, r_b, m_b)]);
        let mut velocities = [
            SolverVelocity::GROUND,
            SolverVelocity::of(&bodies, 0),
            SolverVelocity::of(&bodies, 1),
        ];
        let entry = PairEntry {
            pair: 0,
            bodies: (0, 1),
            slots: (1, 2),
            friction,
            ..PairEntry::NONE
        };
        let (mut contacts, mut pairs) = BallContacts::pack(&EntryGroup::new([entry]), false, 0);
        let poses = [SolverPose::of(&bodies, 0, Unresolved::Nothing), SolverPose::of(&bodies, 1, Unresolved::Nothing)];
        let is_active = dispatch!(Level::new(), simd => {
            contacts.prepare::<_, false>(simd, &mut pairs, &substep(1e-3), &poses, &velocities)
        });
        prop_assert!(is_active);

        let mut motions = [0, 1].map(|i| ReferenceMotion::of(&bodies, i));
        let contact = contacts.point(&pairs, 0, 0);
        let mut reference = ReferencePoint::new(&bodies, &contact, &motions, (0.0, 0.0));
        for _ in 0..4 {
            let contacts = std::slice::from_mut(&mut contacts);
            dispatch!(Level::new(), simd => sweep(simd, contacts, &[0], 1.0, &mut velocities));
            reference.solve(&mut motions);
        }
        for (found, expected) in velocities[1..].iter().zip(&motions) {
            prop_assert!(found.linear.truncate().abs_diff_eq(expected.v.as_vec3(), 1e-4));
            prop_assert!(found.angular.truncate().abs_diff_eq(expected.w.as_vec3(), 1e-3));
        }
        let contact = contacts.point(&pairs, 0, 0);
        prop_assert!((contact.normal_impulse - reference.normal_impulse as f32).abs() < 1e-4);
        let expected = reference.friction_impulse.as_vec3();
        prop_assert!(contact.friction_impulse.abs_diff_eq(expected, 1e-4));
        let limit = friction * contact.normal_impulse;
        prop_assert!(contact.friction_impulse.length() <= limit + 1e-5);
    }
}
