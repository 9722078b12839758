//! The arrays of [`Bodies`] by columns: runs of bodies that threads work on at once.

use bevy::{ecs::storage::TableId, prelude::*};
use glam::DVec3;

use super::{
    flags::BodyFlags,
    growing::Growing,
    material::Material,
    store::{Bodies, shown_position},
};
use crate::{
    components::{CollisionLayers, inverse_inertia},
    kernel::InverseInertia,
    parallel::for_each,
    shape::{Shape, SharedGeometry},
};

/// Lists every array of [`Bodies`], with its type and the value for new bodies, and defines the methods that go through all.
macro_rules! columns {
    ($($name:ident: $type:ty = $filling:expr),* $(,)?) => {
        /// A run of bodies, with one slice per quantity. Each thread works on one run.
        pub(crate) struct Columns<'a> {
            $(pub $name: &'a mut [$type]),*
        }

        impl Columns<'_> {
            fn split_at(self, at: usize) -> (Self, Self) {
                $(let $name = self.$name.split_at_mut(at);)*
                (Self { $($name: $name.0),* }, Self { $($name: $name.1),* })
            }
        }

        impl Bodies {
            pub(crate) fn columns(&mut self) -> Columns<'_> {
                Columns { $($name: &mut self.$name),* }
            }

            /// Resizes every array to this number of bodies.
            pub(crate) fn resize(&mut self, bodies: usize) {
                $(self.$name.resize(bodies, $filling);)*
            }

            /// Puts the bodies in the order of these entities, and adds the new bodies.
            pub(crate) fn rearrange(&mut self, order: &[Entity]) {
                let before = self.len();
                let is_same = order.len() >= before && order[..before] == self.entity;
                if !is_same {
                    let from: Vec<_> = order.iter().map(|&entity| self.index_of(entity)).collect();
                    $(self.$name = from
                        .iter()
                        .map(|from| from.map_or_else(|| $filling, |from| self.$name[from].clone()))
                        .collect();)*
                }
                self.resize(order.len());
            }

            /// Takes a body out. The last one takes its place.
            pub(super) fn swap_remove(&mut self, i: usize) {
                $(self.$name.swap_remove(i);)*
            }

            /// Puts a body, which is still to be read, in the place of another one.
            pub(super) fn replace(&mut self, i: usize, entity: Entity) {
                $(self.$name[i] = $filling;)*
                self.entity[i] = entity;
            }
        }
    };
}

columns! {
    entity: Entity = Entity::PLACEHOLDER,
    flags: BodyFlags = BodyFlags::CHANGED.union(BodyFlags::FRESH),
    shape: Shape = Shape::Plane,
    geometry: SharedGeometry = SharedGeometry::NONE,
    position: DVec3 = DVec3::ZERO,
    rotation: Quat = Quat::IDENTITY,
    centre: Vec3 = Vec3::ZERO,
    axis: Vec3 = Vec3::Y,
    local_axis: Vec3 = Vec3::Y,
    velocity: DVec3 = DVec3::ZERO,
    angular_velocity: DVec3 = DVec3::ZERO,
    mass: f32 = 0.0,
    inverse_mass: f32 = 0.0,
    inverse_inertia: InverseInertia = InverseInertia::ZERO,
    growth: Growing = Growing::NONE,
    linear_damping: f32 = 0.0,
    angular_damping: f32 = 0.0,
    material: Material = Material::default(),
    layers: CollisionLayers = CollisionLayers::DEFAULT,
    surface_velocity: Vec3 = Vec3::ZERO,
    gravity_scale: f32 = 1.0,
    external_force: Vec3 = Vec3::ZERO,
    external_torque: Vec3 = Vec3::ZERO,
    acceleration: DVec3 = DVec3::ZERO,
    angular_acceleration: Vec3 = Vec3::ZERO,
    field_before: Vec3 = Vec3::ZERO,
    angular_field_before: Vec3 = Vec3::ZERO,
    contact_acceleration: Vec3 = Vec3::ZERO,
    contact_angular_acceleration: Vec3 = Vec3::ZERO,
    joint_acceleration: Vec3 = Vec3::ZERO,
    joint_angular_acceleration: Vec3 = Vec3::ZERO,
    flight_shift: Vec3 = Vec3::ZERO,
    flight_rotation: Quat = Quat::IDENTITY,
    quiet_for: f32 = 0.0,
    whole: Entity = Entity::PLACEHOLDER,
    offset: Vec3 = Vec3::ZERO,
    part_rotation: Quat = Quat::IDENTITY,
    scale: Vec3 = Vec3::ZERO,
    table: Option<TableId> = None,
}

/// An angular velocity after a change by what turns the body. The solver knows it in `f32`: what is zero there is zero, so friction ends a
/// spin exactly.
#[inline]
pub(crate) fn turned_on(spin: DVec3, change: Vec3) -> DVec3 {
    if change == Vec3::ZERO {
        return spin;
    }
    let in_solver = spin.as_vec3() + change;
    DVec3::select(
        in_solver.cmpeq(Vec3::ZERO),
        DVec3::ZERO,
        spin + change.as_dvec3(),
    )
}

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 2048;

impl Columns<'_> {
    /// Number of bodies in the run.
    pub fn len(&self) -> usize {
        self.entity.len()
    }

    /// The position that the body's `Transform` shows.
    pub fn shown_position(&self, i: usize) -> Vec3 {
        shown_position(self.position[i].as_vec3(), self.rotation[i], self.centre[i])
    }

    /// Whether the body is a ball about its centre of mass whose inertia is the same about every axis.
    pub fn is_plain_ball(&self, i: usize) -> bool {
        let is_ball = self.shape[i].is_ball() && !self.is_aside(i);
        (is_ball || self.is_one_ball(i)) && self.inverse_inertia[i].is_isotropic()
    }

    /// Rounds position, velocity and acceleration to what the components show. Between two steps the components are the state, so it
    /// makes no difference which bodies are read. A kinematic body's place keeps its digits, as its rounding errors must not add up; so
    /// does the angular velocity of a body that is no ball, which would change its energy as it turns freely; and so does the velocity of
    /// a joined body, as bodies that pull at each other in every step would lose their momentum.
    pub fn round_motion(&mut self, i: usize) {
        let round = |v: DVec3| v.as_vec3().as_dvec3();
        if self.joint_acceleration[i] == Vec3::ZERO {
            self.velocity[i] = round(self.velocity[i]);
        }
        self.acceleration[i] = round(self.acceleration[i]);
        if self.is_dynamic(i) {
            self.position[i] = round(self.position[i]);
        }
        if self.inverse_inertia[i].is_isotropic() {
            self.angular_velocity[i] = round(self.angular_velocity[i]);
        }
    }

    /// Changes the angular velocity by what turns the body: see [`turned_on`].
    #[inline]
    pub fn add_spin(&mut self, i: usize, change: Vec3) {
        self.angular_velocity[i] = turned_on(self.angular_velocity[i], change);
    }

    /// Notes the fields of the last substep, before those of this one are found.
    pub fn note_fields(&mut self, i: usize) {
        self.field_before[i] = self.acceleration[i].as_vec3();
        self.angular_field_before[i] = self.angular_acceleration[i];
    }

    /// The impulse-free half kicks of body `i`, from v(t) to v(t+h/2): the fields' half of this substep, without the contacts' half
    /// kick that v(t) has had already. The contact stage gives the contacts' impulse of the time from t−h/2 to t+h/2 in full.
    pub fn first_half_kick(&self, i: usize, h: f32) -> (DVec3, Vec3) {
        let half = 0.5 * h;
        let contact = self.contact_acceleration[i].as_dvec3();
        (
            (self.acceleration[i] - contact) * f64::from(half),
            (self.angular_acceleration[i] - self.contact_angular_acceleration[i]) * half,
        )
    }

    /// Forgets the contacts of the last substep: the body starts at v(t), as a new one.
    pub fn start_anew(&mut self, i: usize) {
        self.contact_acceleration[i] = Vec3::ZERO;
        self.contact_angular_acceleration[i] = Vec3::ZERO;
        self.joint_acceleration[i] = Vec3::ZERO;
        self.joint_angular_acceleration[i] = Vec3::ZERO;
        self.flags[i].insert(BodyFlags::FRESH);
    }

    /// Lets the contacts of a sleeping body balance every acceleration.
    pub fn balance(&mut self, i: usize) {
        self.contact_acceleration[i] = -self.acceleration[i].as_vec3() - self.joint_acceleration[i];
        self.contact_angular_acceleration[i] =
            -self.angular_acceleration[i] - self.joint_angular_acceleration[i];
    }

    /// Lets a capsule grow for `s` seconds. The added mass was at rest; momentum and angular momentum stay.
    pub fn grow(&mut self, i: usize, s: f32) {
        let Shape::Capsule {
            radius,
            half_length,
        } = self.shape[i]
        else {
            return;
        };
        let growth = self.growth[i];
        let grown = (half_length + 0.5 * growth.speed * s).max(0.0);
        let mass = self.mass[i] + growth.uptake * 2.0 * (grown - half_length);
        if grown == half_length || mass <= 0.0 {
            return;
        }
        let momentum = self.velocity[i] * f64::from(self.mass[i]);
        let before = self.inverse_inertia[i];
        self.set_capsule(i, radius, grown, mass);
        self.velocity[i] = momentum / f64::from(mass);
        let spin = before.precise_momentum(self.rotation[i], self.angular_velocity[i]);
        self.angular_velocity[i] = self.inverse_inertia[i].precise_mul(self.rotation[i], spin);
    }

    /// Gives a free capsule these measures and this mass.
    pub fn set_capsule(&mut self, i: usize, radius: f32, half_length: f32, mass: f32) {
        self.shape[i] = Shape::Capsule {
            radius,
            half_length,
        };
        self.mass[i] = mass;
        self.inverse_mass[i] = mass.recip();
        let (is_rod, is_locked) = (self.has_rod_inertia(i), self.has_locked_rotation(i));
        self.inverse_inertia[i] = inverse_inertia(&self.shape[i], mass, None, (is_rod, is_locked));
    }
}

impl Bodies {
    /// The bodies of the active blocks, in runs that threads work on at once: `work` gets each run with the number of its first
    /// body.
    pub(crate) fn for_each_run(&mut self, work: impl Fn(usize, Columns) + Sync) {
        let blocks = std::mem::take(&mut self.blocks);
        let (bodies, mut rest, mut cut) = (self.len(), Some(self.columns()), 0);
        let runs = blocks.runs(bodies, BODIES_PER_TASK).map_while(|range| {
            let mut run = rest.take()?;
            if range.start > cut {
                run = run.split_at(range.start - cut).1;
            }
            // In a small world all bodies are one run: there is nothing to cut.
            if range.len() < run.len() {
                let (before, after) = run.split_at(range.len());
                (run, rest) = (before, Some(after));
            }
            cut = range.end;
            Some((range.start, run))
        });
        for_each(runs, |(start, run)| work(start, run));
        self.blocks = blocks;
    }
}
