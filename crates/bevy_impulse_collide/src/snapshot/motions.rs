//! The components that a step writes, of all bodies.

use std::hash::Hasher;

use bevy::{ecs::query::QueryItem, prelude::*};

use super::{column::Column, index_of::IndexOf};
use crate::components::{
    Acceleration, AngularVelocity, Capsule, Collider, Compound, Division, Growth, InWorld,
    LinearVelocity, Mass, Particle, Plane, Sleep,
};

/// Any body.
pub(super) type AnyShape = (
    Or<(
        With<Particle>,
        With<Plane>,
        With<Capsule>,
        With<Collider>,
        With<Compound>,
    )>,
    Without<InWorld>,
);

/// The components of a body that a step writes. A static body has some of them.
pub(super) type ReadMotion = (
    Entity,
    &'static Transform,
    Option<&'static LinearVelocity>,
    Option<&'static AngularVelocity>,
    Option<&'static Acceleration>,
    Option<&'static Sleep>,
);

/// A body's components, as [`ReadMotion`] finds them.
pub(super) type ReadMotionItem<'w, 's> = QueryItem<'w, 's, ReadMotion>;

/// The same, to be written.
pub(super) type WriteMotion = (
    Entity,
    &'static mut Transform,
    Option<&'static mut LinearVelocity>,
    Option<&'static mut AngularVelocity>,
    Option<&'static mut Acceleration>,
    Option<&'static mut Sleep>,
);

/// Capsules that grow or divide.
pub(super) type Growing<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static Capsule,
        &'static Mass,
        Option<&'static Growth>,
    ),
    Or<(With<Growth>, With<Division>)>,
>;

/// The motion of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Motion {
    translation: Vec3,
    /// Not as a [`Quat`], which must lie at a multiple of 16 bytes.
    rotation: [f32; 4],
    velocity: Vec3,
    angular_velocity: Vec3,
    contact: Vec3,
    angular_contact: Vec3,
    quiet_for: f32,
    asleep: Asleep,
}

/// Whether a body sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Asleep {
    #[default]
    No,
    /// Where it is.
    Here,
    /// A user has moved it since.
    Elsewhere,
}

/// The motions of bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Motions {
    each: Vec<Motion>,
    field: Column<Vec3>,
    angular_field: Column<Vec3>,
    joint: Column<Vec3>,
    angular_joint: Column<Vec3>,
    /// The body and the pose in which it fell asleep, of sleepers that a user has moved since. Sorted by the body.
    moved_sleepers: Vec<(u32, Vec3, Quat)>,
    /// Of capsules that grow or divide.
    grown: Vec<(u32, Capsule, Mass, Option<Growth>)>,
}

/// The motions of bodies while they are read.
#[derive(Default)]
pub(super) struct MotionReader {
    motions: Motions,
    /// Number of the motions that are set.
    count: usize,
    /// Whether there are other bodies.
    are_others: bool,
    field: Vec<Vec3>,
    angular_field: Vec<Vec3>,
    joint: Vec<Vec3>,
    angular_joint: Vec<Vec3>,
}

impl MotionReader {
    /// Reads the motions of `entities`.
    pub fn read(
        entities: &[Entity],
        motions: &Query<ReadMotion, AnyShape>,
        growing: &Growing,
    ) -> Self {
        let index_of = IndexOf::new(entities);
        let mut read = Self::new(entities.len());
        for motion in motions {
            match index_of.get(motion.0) {
                Some(k) => read.set(k, motion),
                None => read.are_others = true,
            }
        }
        for (entity, capsule, mass, growth) in growing {
            if let Some(k) = index_of.get(entity) {
                let grown = (k as u32, *capsule, *mass, growth.copied());
                read.motions.grown.push(grown);
            }
        }
        read
    }

    fn new(count: usize) -> Self {
        Self {
            motions: Motions {
                each: vec![Motion::default(); count],
                ..default()
            },
            count: 0,
            are_others: false,
            field: vec![Vec3::ZERO; count],
            angular_field: vec![Vec3::ZERO; count],
            joint: vec![Vec3::ZERO; count],
            angular_joint: vec![Vec3::ZERO; count],
        }
    }

    /// Whether the world has just the bodies that were asked for.
    pub fn is_of_all(&self) -> bool {
        self.count == self.motions.each.len() && !self.are_others
    }

    /// Sets the motion of body `k`.
    fn set(&mut self, k: usize, (_, x, v, w, a, sleep): ReadMotionItem) {
        self.count += 1;
        let a = a.copied().unwrap_or_default();
        let sleep = sleep.copied().unwrap_or_default();
        let asleep = match sleep.asleep_at {
            None => Asleep::No,
            Some(at) if bits(at) == bits((x.translation, x.rotation)) => Asleep::Here,
            Some((place, rotation)) => {
                (self.motions.moved_sleepers).push((k as u32, place, rotation));
                Asleep::Elsewhere
            }
        };
        self.motions.each[k] = Motion {
            translation: x.translation,
            rotation: x.rotation.to_array(),
            velocity: v.map_or(Vec3::ZERO, |v| v.0),
            angular_velocity: w.map_or(Vec3::ZERO, |w| w.0),
            contact: a.contact,
            angular_contact: a.angular_contact,
            quiet_for: sleep.quiet_for,
            asleep,
        };
        self.field[k] = a.field;
        self.angular_field[k] = a.angular_field;
        self.joint[k] = a.joint;
        self.angular_joint[k] = a.angular_joint;
    }

    pub fn finish(mut self) -> Motions {
        self.motions
            .moved_sleepers
            .sort_unstable_by_key(|moved| moved.0);
        let vector = |v: &Vec3| v.to_array().map(f32::to_bits);
        Motions {
            field: Column::new(self.field, vector),
            angular_field: Column::new(self.angular_field, vector),
            joint: Column::new(self.joint, vector),
            angular_joint: Column::new(self.angular_joint, vector),
            ..self.motions
        }
    }
}

impl Motions {
    /// Writes the motion of body `k` to its components.
    pub fn write(
        &self,
        k: usize,
        (_, mut x, v, w, a, sleep): (
            Entity,
            Mut<Transform>,
            Option<Mut<LinearVelocity>>,
            Option<Mut<AngularVelocity>>,
            Option<Mut<Acceleration>>,
            Option<Mut<Sleep>>,
        ),
    ) {
        let motion = &self.each[k];
        let rotation = Quat::from_array(motion.rotation);
        // By their bits: 0 and −0 are equal, but have other futures.
        let pose = (motion.translation, rotation);
        if bits((x.translation, x.rotation)) != bits(pose) {
            (x.translation, x.rotation) = pose;
        }
        if let Some(mut v) = v {
            v.0 = motion.velocity;
        }
        if let Some(mut w) = w {
            w.0 = motion.angular_velocity;
        }
        if let Some(mut a) = a {
            *a = Acceleration {
                field: self.field.get(k),
                contact: motion.contact,
                angular_field: self.angular_field.get(k),
                angular_contact: motion.angular_contact,
                joint: self.joint.get(k),
                angular_joint: self.angular_joint.get(k),
            };
        }
        if let Some(mut sleep) = sleep {
            *sleep = Sleep {
                quiet_for: motion.quiet_for,
                asleep_at: match motion.asleep {
                    Asleep::No => None,
                    Asleep::Here => Some(pose),
                    Asleep::Elsewhere => self.fell_asleep_at(k),
                },
            };
        }
    }

    fn fell_asleep_at(&self, k: usize) -> Option<(Vec3, Quat)> {
        let moved = &self.moved_sleepers;
        let at = moved.binary_search_by_key(&k, |moved| moved.0 as usize);
        at.ok().map(|at| (moved[at].1, moved[at].2))
    }

    /// The capsules that grow or divide, each with its number.
    pub fn grown(&self) -> &[(u32, Capsule, Mass, Option<Growth>)] {
        &self.grown
    }

    pub fn hash(&self, hasher: &mut impl Hasher) {
        for (k, motion) in self.each.iter().enumerate() {
            let Motion {
                translation,
                rotation,
                velocity,
                angular_velocity,
                contact,
                angular_contact,
                quiet_for,
                asleep,
            } = *motion;
            let (field, angular_field) = (self.field.get(k), self.angular_field.get(k));
            let (joint, angular_joint) = (self.joint.get(k), self.angular_joint.get(k));
            let vectors = [
                translation,
                velocity,
                angular_velocity,
                contact,
                angular_contact,
                field,
                angular_field,
                joint,
                angular_joint,
            ];
            let numbers = rotation.into_iter().chain([quiet_for]);
            for number in numbers.chain(vectors.into_iter().flat_map(|v| v.to_array())) {
                hasher.write_u32(number.to_bits());
            }
            hasher.write_u8(asleep as u8);
        }
        for (k, capsule, mass, growth) in &self.grown {
            hasher.write_u32(*k);
            let speed = growth.map_or(0.0, |growth| growth.speed);
            for number in [capsule.radius, capsule.length, mass.0, speed] {
                hasher.write_u32(number.to_bits());
            }
        }
    }

    /// The bytes beside this value.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&self.each[..])
            + self.field.heap_bytes()
            + self.angular_field.heap_bytes()
            + self.joint.heap_bytes()
            + self.angular_joint.heap_bytes()
            + size_of_val(&self.moved_sleepers[..])
            + size_of_val(&self.grown[..])
    }
}

fn bits((place, rotation): (Vec3, Quat)) -> ([u32; 3], [u32; 4]) {
    (
        place.to_array().map(f32::to_bits),
        rotation.to_array().map(f32::to_bits),
    )
}
