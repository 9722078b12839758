//! Copies the packed arrays back to the components, once per fixed step.

use bevy::{
    ecs::{
        change_detection::{ContiguousComponentTicksMut, ContiguousMut, Tick},
        system::SystemChangeTick,
    },
    prelude::*,
};

use crate::{
    body::{Bodies, PerBody},
    components::{
        Acceleration, AngularVelocity, Capsule, Collider, Division, Growth, LinearVelocity, Mass,
        Plane, Sleep,
    },
    parallel::{compute_pool, for_each},
    shape::Shape,
};

/// Rows of a table that one task writes.
const ROWS_PER_TASK: usize = 1024;

/// If fewer than one body in this many is active, the active bodies are written one by one.
const ROWS_PER_ACTIVE: usize = 8;

/// The new values of a body's components.
///
/// Rows of a table have another order than bodies. With packed values, each row waits for two cache lines, not for ten.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Results {
    /// The entity of the result; a placeholder if there is nothing to write.
    entity: Entity,
    translation: Vec3,
    rotation: Quat,
    velocity: LinearVelocity,
    angular_velocity: AngularVelocity,
    acceleration: Acceleration,
    quiet_for: f32,
    asleep: bool,
}

impl Results {
    const NONE: Self = Self {
        entity: Entity::PLACEHOLDER,
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        velocity: LinearVelocity(Vec3::ZERO),
        angular_velocity: AngularVelocity(Vec3::ZERO),
        acceleration: Acceleration {
            field: Vec3::ZERO,
            contact: Vec3::ZERO,
            angular_field: Vec3::ZERO,
            angular_contact: Vec3::ZERO,
            joint: Vec3::ZERO,
            angular_joint: Vec3::ZERO,
        },
        quiet_for: 0.0,
        asleep: false,
    };

    fn of(bodies: &Bodies, i: usize) -> Self {
        if bodies.is_part(i) {
            return Self::NONE;
        }
        if !bodies.is_dynamic(i)
            && (bodies.is_static(i) || bodies.keeps_transform(bodies.entity[i]))
        {
            return Self::NONE;
        }
        Self {
            entity: bodies.entity[i],
            translation: bodies.shown_position(i),
            rotation: bodies.rotation[i],
            velocity: LinearVelocity(bodies.velocity[i].as_vec3()),
            angular_velocity: AngularVelocity(bodies.angular_velocity[i].as_vec3()),
            acceleration: Acceleration {
                field: bodies.acceleration[i].as_vec3(),
                contact: bodies.contact_acceleration[i],
                angular_field: bodies.angular_acceleration[i],
                angular_contact: bodies.contact_angular_acceleration[i],
                joint: bodies.joint_acceleration[i],
                angular_joint: bodies.joint_angular_acceleration[i],
            },
            quiet_for: bodies.quiet_for[i],
            asleep: bodies.is_asleep(i),
        }
    }
}

/// The translation of a body's transform. In a flat world, it keeps its z.
fn shown_position(x: Vec3, old: &Transform, flat: bool) -> Vec3 {
    if flat { x.with_z(old.translation.z) } else { x }
}

impl Results {
    fn transform(&self, old: &Transform, flat: bool) -> Transform {
        Transform {
            translation: shown_position(self.translation, old, flat),
            rotation: self.rotation,
            scale: old.scale,
        }
    }

    fn sleep(&self) -> Sleep {
        Sleep {
            quiet_for: self.quiet_for,
            asleep_at: self.asleep.then_some((self.translation, self.rotation)),
        }
    }
}

type WrittenBodies<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static mut Transform,
        &'static mut LinearVelocity,
        &'static mut AngularVelocity,
        &'static mut Acceleration,
        &'static mut Sleep,
    ),
>;

/// Gives the results back to the components.
///
/// If few bodies are active, they are written one by one. Otherwise the compute threads and the calling thread write
/// whole tables together. Bevy's parallel iterators do not do that: with one compute thread, the calling thread does all the work.
pub(crate) fn write_back(
    mut bodies: ResMut<Bodies>,
    mut query: WrittenBodies,
    mut ground: Query<&mut Transform, (Or<(With<Plane>, With<Collider>)>, Without<Sleep>)>,
    mut results: Local<PerBody<Results>>,
    tick: SystemChangeTick,
) {
    bodies.are_written = true;
    bodies.written_at = tick.this_run();
    let bodies = &*bodies;
    // Of a plane or a collider only the pose changes.
    let grounds = bodies.planes.iter().chain(&bodies.colliders);
    for i in grounds.map(|&ground| ground as usize) {
        if !bodies.is_static(i)
            && !bodies.keeps_transform(bodies.entity[i])
            && let Ok(mut transform) = ground.get_mut(bodies.entity[i])
        {
            transform.set_if_neq(Transform {
                translation: shown_position(bodies.shown_position(i), &transform, bodies.flat),
                rotation: bodies.rotation[i],
                scale: transform.scale,
            });
        }
    }
    if bodies.active_count() * ROWS_PER_ACTIVE < bodies.len() {
        for i in bodies.active() {
            write_one(&mut query, &Results::of(bodies, i), bodies.flat);
        }
    } else {
        results.update(bodies, ROWS_PER_TASK, Results::NONE, |i| {
            Results::of(bodies, i)
        });
        write_tables(&mut query, bodies, &results, tick.this_run());
    }
    // Their blocks are not active, so the results of the tables are old.
    for i in bodies.spinners.iter().map(|&i| i as usize) {
        if !bodies.is_active(i) {
            write_one(&mut query, &Results::of(bodies, i), bodies.flat);
        }
    }
}

fn write_one(query: &mut WrittenBodies, new: &Results, flat: bool) {
    // If there is nothing to write, the entity is a placeholder.
    if let Ok((_, mut x, mut v, mut w, mut a, mut sleep)) = query.get_mut(new.entity) {
        x.set_if_neq(new.transform(&x, flat));
        v.set_if_neq(new.velocity);
        w.set_if_neq(new.angular_velocity);
        a.set_if_neq(new.acceleration);
        sleep.set_if_neq(new.sleep());
    }
}

fn write_tables(query: &mut WrittenBodies, bodies: &Bodies, results: &[Results], now: Tick) {
    // There is no error: all of these components lie in tables.
    for table in query.contiguous_iter_mut().into_iter().flatten() {
        let (entities, transform, velocity, angular_velocity, acceleration, sleep) = table;
        let mut columns = (
            ContiguousMut::bypass_change_detection_split(transform),
            ContiguousMut::bypass_change_detection_split(velocity),
            ContiguousMut::bypass_change_detection_split(angular_velocity),
            ContiguousMut::bypass_change_detection_split(acceleration),
            ContiguousMut::bypass_change_detection_split(sleep),
        );
        let runs = entities
            .chunks(ROWS_PER_TASK)
            .zip(ColumnRun::split(&mut columns.0, now))
            .zip(ColumnRun::split(&mut columns.1, now))
            .zip(ColumnRun::split(&mut columns.2, now))
            .zip(ColumnRun::split(&mut columns.3, now))
            .zip(ColumnRun::split(&mut columns.4, now));
        for_each(
            runs,
            |(((((entities, mut x), mut v), mut w), mut a), mut sleep)| {
                for (row, &entity) in entities.iter().enumerate() {
                    let result = bodies.candidate_index(entity).and_then(|i| results.get(i));
                    let Some(new) = result.filter(|new| new.entity == entity) else {
                        continue;
                    };
                    x.set_if_neq(row, |old| new.transform(old, bodies.flat));
                    v.set_if_neq(row, |_| new.velocity);
                    w.set_if_neq(row, |_| new.angular_velocity);
                    a.set_if_neq(row, |_| new.acceleration);
                    sleep.set_if_neq(row, |_| new.sleep());
                }
            },
        );
    }
}

/// A component in a run of rows of a table, and the tick of each row's last change.
struct ColumnRun<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<'a, T: PartialEq + Send> ColumnRun<'a, T> {
    fn split(
        (values, ticks): &'a mut (&mut [T], ContiguousComponentTicksMut),
        now: Tick,
    ) -> impl Iterator<Item = Self> + Send {
        let changed = ticks.changed_mut().chunks_mut(ROWS_PER_TASK);
        let runs = values.chunks_mut(ROWS_PER_TASK).zip(changed);
        runs.map(move |(values, changed)| Self {
            values,
            changed,
            now,
        })
    }

    /// Sets the value in a row, from the old value. A value that stays the same is not marked as changed.
    fn set_if_neq(&mut self, row: usize, value: impl Fn(&T) -> T) {
        let new = value(&self.values[row]);
        if self.values[row] != new {
            self.values[row] = new;
            self.changed[row] = self.now;
        }
    }
}

/// Writes the measures of capsules that grow or divide.
pub(crate) fn write_growth(
    bodies: Res<Bodies>,
    mut query: Query<
        (Entity, &mut Capsule, &mut Mass, Option<&mut Growth>),
        Or<(With<Growth>, With<Division>)>,
    >,
) {
    if query.is_empty() {
        return;
    }
    let bodies = &*bodies;
    let grows = |i: usize| !bodies.is_static(i) && !bodies.is_part(i);
    compute_pool();
    query
        .par_iter_mut()
        .for_each(|(entity, mut capsule, mut mass, growth)| {
            let Some(i) = bodies.index_of(entity).filter(|&i| grows(i)) else {
                return;
            };
            let Shape::Capsule { half_length, .. } = bodies.shape[i] else {
                return;
            };
            let (scale, speed) = (bodies.scale[i].x, bodies.growth[i].speed);
            let length = 2.0 * half_length / scale;
            capsule.set_if_neq(Capsule { length, ..*capsule });
            mass.set_if_neq(Mass(bodies.mass[i]));
            if let Some(mut growth) = growth {
                growth.set_if_neq(Growth {
                    speed: speed / scale,
                    ..*growth
                });
            }
        });
}
