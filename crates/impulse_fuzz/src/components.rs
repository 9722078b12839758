//! Gives entities the components of bodies, walls and joints.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    tie::{BadTie, Tie},
    world::{BadValue, Body, Material, Round, Wall},
};

/// Spawns a wall.
pub fn spawn_wall(app: &mut App, wall: &Wall) {
    let plane = app.world_mut().spawn((
        Plane::new(wall.normal),
        wall.motion,
        LinearVelocity(wall.velocity),
        AngularVelocity(wall.spin),
        Transform::from_translation(wall.point),
    ));
    let plane = plane.id();
    if wall.belt != Vec3::ZERO {
        app.world_mut()
            .entity_mut(plane)
            .insert(SurfaceVelocity(wall.belt));
    }
    set_material(app, plane, &wall.material);
}

/// Gives an entity all components of a body at its start.
pub fn dress(app: &mut App, entity: Entity, body: &Body) {
    let mut it = app.world_mut().entity_mut(entity);
    it.insert((
        body.motion,
        Mass(body.mass),
        Transform::from_translation(body.position).with_rotation(body.rotation),
        LinearVelocity(body.velocity),
        AngularVelocity(body.spin),
    ));
    match body.shape {
        Round::Ball => it.insert(Particle::new(body.radius)),
        Round::Capsule(length) => it.insert(Capsule::new(body.radius, length)),
        Round::Dumbbell(length) => {
            it.insert(Compound);
            if body.is_sleepless {
                it.insert(SleepingDisabled);
            }
            return dress_balls(app, entity, body, length);
        }
    };
    if let Some(layers) = body.layers {
        it.insert(layers);
    }
    if body.is_sensor {
        it.insert(Sensor);
    }
    if body.is_sleepless {
        it.insert(SleepingDisabled);
    }
    set_material(app, entity, &body.material);
}

/// Gives a dumbbell its two balls, or the components of these again.
fn dress_balls(app: &mut App, entity: Entity, body: &Body, length: f32) {
    let children = app.world().get::<Children>(entity);
    let mut balls: Vec<Entity> = children.map_or(Vec::new(), |them| them.iter().collect());
    while balls.len() < 2 {
        balls.push(app.world_mut().spawn(ChildOf(entity)).id());
    }
    for (ball, end) in balls.into_iter().zip([-0.5, 0.5]) {
        let mut it = app.world_mut().entity_mut(ball);
        it.insert((
            Particle::new(body.radius),
            Mass(0.5 * body.mass),
            Transform::from_xyz(0.0, end * length, 0.0),
        ));
        if let Some(layers) = body.layers {
            it.insert(layers);
        }
        set_material(app, ball, &body.material);
    }
}

fn set_material(app: &mut App, entity: Entity, material: &Material) {
    let mut it = app.world_mut().entity_mut(entity);
    macro_rules! set {
        ($($field:ident: $component:ident),*) => {
            $(match material.$field {
                Some(value) => it.insert($component(value)),
                None => it.remove::<$component>(),
            };)*
        };
    }
    set!(restitution: Restitution, friction: Friction, rolling: RollingFriction, spinning: SpinningFriction);
}

/// Gives an entity a bad value.
pub fn spoil(app: &mut App, entity: Entity, bad: BadValue) {
    let mut it = app.world_mut().entity_mut(entity);
    let transform = it.get::<Transform>().copied().unwrap_or_default();
    match bad {
        BadValue::NanPosition => it.insert(transform.with_translation(Vec3::NAN)),
        BadValue::ZeroRotation => {
            it.insert(transform.with_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)))
        }
        BadValue::UnevenScale => it.insert(transform.with_scale(Vec3::new(1.0, 2.0, 1.0))),
        BadValue::NanVelocity => it.insert(LinearVelocity(Vec3::NAN)),
        BadValue::InfiniteSpin => it.insert(AngularVelocity(Vec3::INFINITY)),
        BadValue::NegativeRadius => {
            if let Some(mut particle) = it.get_mut::<Particle>() {
                particle.radius = -1.0;
            }
            if let Some(mut capsule) = it.get_mut::<Capsule>() {
                capsule.radius = -1.0;
            }
            &mut it
        }
        BadValue::ZeroMass => it.insert(Mass(0.0)),
        BadValue::HighRestitution => it.insert(Restitution(1.5)),
        BadValue::NegativeFriction => it.insert(Friction(-1.0)),
    };
}

/// Gives an entity all components of a joint at its start, between these bodies.
pub fn dress_tie(app: &mut App, entity: Entity, tie: &Tie, [a, b]: [Option<Entity>; 2]) {
    let Some(b) = b else {
        return;
    };
    let mut it = app.world_mut().entity_mut(entity);
    it.insert(tie.joint(a, b));
    macro_rules! set {
        ($($value:expr => $component:ty),*) => {
            $(match $value {
                Some(value) => it.insert(value),
                None => it.remove::<$component>(),
            };)*
        };
    }
    set!(
        tie.drives.limits => JointLimits,
        tie.drives.swing => SwingLimit,
        tie.drives.motor => JointMotor,
        tie.drives.spring => JointSpring,
        tie.strength.map(JointStrength::force) => JointStrength
    );
}

/// Gives a joint a bad value.
pub fn spoil_tie(app: &mut App, entity: Entity, bad: BadTie) {
    let nobody = match bad {
        BadTie::Nobody => app.world_mut().spawn_empty().id(),
        _ => Entity::PLACEHOLDER,
    };
    let mut it = app.world_mut().entity_mut(entity);
    let Some(mut joint) = it.get::<Joint>().copied() else {
        return;
    };
    match bad {
        BadTie::Nobody => joint.b = nobody,
        BadTie::SameBody => joint.a = Some(joint.b),
        BadTie::NanPoint => {
            joint = joint.in_frames(JointFrame::at(Vec3::NAN), JointFrame::default());
        }
        BadTie::ZeroRotation => {
            let rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let on_b = JointFrame {
                rotation,
                ..default()
            };
            joint = joint.in_frames(JointFrame::default(), on_b);
        }
        BadTie::NegativeLength => joint.kind = JointKind::Distance(Some(-1.0)),
        BadTie::NanSteering => joint.kind = JointKind::Wheel { steering: f32::NAN },
        _ => {}
    }
    it.insert(joint);
    match bad {
        BadTie::CrossedLimits => it.insert(JointLimits::new(1.0, -1.0)),
        BadTie::NanMotor => it.insert(JointMotor::velocity(f32::NAN)),
        BadTie::NegativeSpring => it.insert(JointSpring::stiffness(-1.0, 0.0)),
        BadTie::NanStrength => it.insert(JointStrength::force(f32::NAN)),
        _ => return,
    };
}
