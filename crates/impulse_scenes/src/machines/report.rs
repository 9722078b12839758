//! The scene's part of a headless run's report.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

/// How well the joints hold.
#[derive(Serialize, Debug)]
pub struct MachinesReport {
    /// Joints of the machine.
    pub joints: usize,
    /// The greatest distance of the two points of a ball joint or a hinge, in m.
    pub apart: f32,
}

/// Measures the joints of `world`.
pub fn machines_report(world: &mut World) -> MachinesReport {
    let mut joints = world.query::<&Joint>();
    let places = world.query::<&Transform>();
    let apart = joints.iter(world).filter_map(|joint| {
        let is_point = matches!(joint.kind, JointKind::Spherical | JointKind::Revolute);
        let a = match joint.a {
            Some(a) => Some(places.get_manual(world, a).ok()?),
            None => None,
        };
        let b = places.get_manual(world, joint.b).ok()?;
        let [on_a, on_b] = joint.frames(a, b).filter(|_| is_point)?;
        Some(on_a.translation.distance(on_b.translation))
    });
    MachinesReport {
        apart: apart.fold(0.0, f32::max),
        joints: joints.iter(world).count(),
    }
}
