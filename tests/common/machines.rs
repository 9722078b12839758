//! Things with joints of all kinds: ragdolls, a chain, a mill, a car, a door.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// A limb between two points, with a radius.
fn limb(world: &mut World, from: Vec3, to: Vec3, radius: f32) -> Entity {
    let along = to - from;
    let turned = Quat::from_rotation_arc(Vec3::Y, along.normalize());
    let place = Transform::from_translation(0.5 * (from + to)).with_rotation(turned);
    let length = (along.length() - 2.0 * radius).max(0.05);
    world
        .spawn((
            Capsule::new(radius, length),
            Density(900.0),
            Friction(0.6),
            place,
        ))
        .id()
}

/// What slows the limbs of a doll.
const FLESH: JointDamping = JointDamping(20.0);

/// A doll of fourteen bodies whose pelvis is at a place. Returns its bodies and its joints.
pub fn spawn_ragdoll(world: &mut World, at: Vec3) -> (Vec<Entity>, Vec<Entity>) {
    let p = |x: f32, y: f32| at + Vec3::new(x, y, 0.0);
    let pelvis = limb(world, p(-0.1, 0.0), p(0.1, 0.0), 0.09);
    let chest = limb(world, p(0.0, 0.2), p(0.0, 0.55), 0.13);
    let place = Transform::from_translation(p(0.0, 0.78));
    let head = world
        .spawn((Particle::new(0.12), Density(900.0), Friction(0.6), place))
        .id();
    let mut bodies = vec![pelvis, chest, head];
    let mut joints = Vec::new();
    let join = |world: &mut World, joint: Joint, swing: f32, twist: f32| {
        let limits = (SwingLimit(swing), JointLimits::new(-twist, twist));
        world.spawn((joint, limits, FLESH)).id()
    };
    let along = |a, b, at, axis: Vec3| Joint::spherical(a, b).at(at).along(axis);
    joints.push(join(
        world,
        along(pelvis, chest, p(0.0, 0.12), Vec3::Y),
        0.5,
        0.4,
    ));
    joints.push(join(
        world,
        along(chest, head, p(0.0, 0.66), Vec3::Y),
        0.6,
        0.8,
    ));
    for side in [-1.0, 1.0] {
        let arm = limb(world, p(0.2 * side, 0.5), p(0.48 * side, 0.5), 0.05);
        let forearm = limb(world, p(0.5 * side, 0.5), p(0.78 * side, 0.5), 0.045);
        let thigh = limb(world, p(0.1 * side, -0.08), p(0.1 * side, -0.48), 0.07);
        let shin = limb(world, p(0.1 * side, -0.5), p(0.1 * side, -0.9), 0.055);
        let foot_to = p(0.1 * side, -0.95) + 0.2 * Vec3::Z;
        let foot = limb(world, p(0.1 * side, -0.95), foot_to, 0.05);
        bodies.extend([arm, forearm, thigh, shin, foot]);
        let out = side * Vec3::X;
        joints.push(join(
            world,
            along(chest, arm, p(0.17 * side, 0.5), out),
            1.3,
            0.8,
        ));
        joints.push(join(
            world,
            along(pelvis, thigh, p(0.1 * side, -0.04), Vec3::NEG_Y),
            1.0,
            0.5,
        ));
        joints.push(join(
            world,
            along(shin, foot, p(0.1 * side, -0.92), Vec3::Z),
            0.4,
            0.2,
        ));
        let elbow = Joint::revolute(arm, forearm, Vec3::Y).at(p(0.49 * side, 0.5));
        let knee = Joint::revolute(thigh, shin, Vec3::X).at(p(0.1 * side, -0.49));
        for (joint, limits) in [
            (
                elbow,
                JointLimits::new(-2.3 * f32::from(side > 0.0), 2.3 * f32::from(side < 0.0)),
            ),
            (knee, JointLimits::new(0.0, 2.3)),
        ] {
            joints.push(world.spawn((joint, limits, FLESH)).id());
        }
    }
    (bodies, joints)
}

/// A chain of balls that hangs from a point of the world, with a heavier ball at its end.
fn spawn_chain(world: &mut World, at: Vec3, links: usize) {
    let mut before = None;
    for k in 1..=links {
        let radius = if k == links { 0.15 } else { 0.06 };
        let place = Transform::from_translation(at + 0.15 * k as f32 * Vec3::X);
        let link = world
            .spawn((Particle::new(radius), Density(3000.0), place))
            .id();
        let end = at + 0.15 * (k as f32 - 1.0) * Vec3::X;
        let joint = match (before, k % 2) {
            (None, _) => Joint::distance(None, link).at(end),
            (Some(before), 0) => Joint::spherical(before, link).at(end),
            (Some(before), _) => Joint::distance(before, link),
        };
        world.spawn(joint);
        before = Some(link);
    }
}

/// A car of a capsule on four balls with springs, that drives along X.
fn spawn_car(world: &mut World, at: Vec3) {
    let turned = Quat::from_rotation_z(0.5 * std::f32::consts::PI);
    let place = Transform::from_translation(at).with_rotation(turned);
    let chassis = world
        .spawn((Capsule::new(0.2, 0.8), Mass(60.0), place))
        .id();
    for (x, z) in [(0.5, 0.35), (0.5, -0.35), (-0.5, 0.35), (-0.5, -0.35)] {
        let hub = at + Vec3::new(x, -0.15, z);
        let wheel = (
            Particle::new(0.2),
            Mass(8.0),
            Friction(0.9),
            Transform::from_translation(hub),
        );
        let wheel = world.spawn(wheel).id();
        world.spawn((
            Joint::wheel(chassis, wheel, Vec3::Y, Vec3::Z),
            JointLimits::new(-0.15, 0.15),
            JointSpring::frequency(3.0, 0.5),
            JointMotor::velocity(-6.0).with_max_force(10.0),
        ));
    }
}

/// All of these in a box of 3 m, above its floor.
pub fn spawn_machines(world: &mut World, ragdolls: usize) {
    world.spawn((Plane::new(Vec3::Y), Friction(0.6)));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        world.spawn((Plane::new(side), Transform::from_translation(-3.0 * side)));
    }
    for k in 0..ragdolls {
        let x = 0.5 * (k % 3) as f32 - 0.5;
        let at = Vec3::new(x, 1.5 + 0.9 * k as f32, 0.3 * (k % 2) as f32);
        spawn_ragdoll(world, at);
    }
    spawn_chain(world, Vec3::new(-2.0, 2.5, 1.0), 9);
    spawn_car(world, Vec3::new(-1.5, 0.5, -1.5));
    let door = Transform::from_xyz(1.7, 0.6, 1.5);
    let door = world.spawn((Capsule::new(0.1, 0.8), door)).id();
    world.spawn((
        Joint::revolute(None, door, Vec3::Y).at(Vec3::new(1.3, 0.6, 1.5)),
        JointLimits::new(-1.0, 1.0),
        JointMotor::velocity(2.0).with_max_force(5.0),
    ));
    let bob = Transform::from_xyz(2.0, 2.0, -1.0);
    let bob = world.spawn((Particle::new(0.15), bob)).id();
    world.spawn((
        Joint::distance(None, bob).at(Vec3::new(1.5, 2.6, -1.0)),
        JointSpring::frequency(2.0, 0.1),
        JointStrength::force(1e6),
    ));
}
