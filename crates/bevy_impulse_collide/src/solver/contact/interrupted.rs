//! Contacts that an impact interrupts.

use bevy::prelude::*;

use super::{contacts::Contacts, row::Rows};
use crate::{body::Bodies, shape::Shape, solver::impact::Impacts};

/// The contacts with the ground, or with what else nothing moves, that balls had until they were hit in this substep. Of a
/// ball that touches others too, as in a heap, it is left to the sweeps: what one contact gave it, another took.
///
/// A substep gives the impulse of the time from t−h/2 to t+h/2, and the sweeps find it as if the contact had been all that
/// time as it is after the impacts. But a ball that another hits as it rolls on a table rolls until then and slides from
/// then on, and one that is knocked off the table lay on it until then. With the impact at s, contacts should give
/// p_before·(h/2 + s)/h + p·(h/2 − s)/h for the impulses p_before of the last substep and p of this one: the second term,
/// negative for an impact in the second half, takes back what the velocity after the impact needs in order to be right at
/// its own time.
#[derive(Debug, Default)]
pub(super) struct Interrupted {
    contacts: Vec<Before>,
    /// Of each body: its last impact. Empty without any.
    hit: Vec<Hit>,
}

/// A body's last impact, and what it touched before.
#[derive(Clone, Copy, Debug)]
struct Hit {
    /// Seconds from the start of the substep; NaN if nothing hit the body.
    time: f32,
    contacts: u32,
}

impl Hit {
    const NONE: Self = Self {
        time: f32::NAN,
        contacts: 0,
    };
}

/// What a contact gave a ball in the last substep.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// The bodies, the lower first.
    bodies: (u32, u32),
    ball: usize,
    /// Of the impact.
    time: f32,
    /// Unit vector to the ball.
    normal: Vec3,
    radius: f32,
    given: Given,
}

/// Impulses and couple on a ball.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    normal: f32,
    friction: Vec3,
    couple: Vec3,
}

impl Given {
    fn new(rows: &Rows, k: usize, sign: f32) -> Self {
        let row = &rows.rows[k];
        Self {
            normal: row.normal_impulse,
            friction: row.friction_impulse * sign,
            couple: rows.general[k].couple * sign,
        }
    }
}

impl Interrupted {
    /// Finds them among the `previous` rows, which were those of `entities`; `contacts` are all of that substep.
    pub fn find(
        &mut self,
        bodies: &Bodies,
        previous: &Rows,
        entities: &[Entity],
        contacts: &Contacts,
        impacts: &Impacts,
    ) {
        self.contacts.clear();
        self.hit.clear();
        if previous.rows.is_empty() {
            return;
        }
        self.find_hit(bodies, impacts);
        if self.hit.is_empty() {
            return;
        }
        for contact in contacts.iter() {
            for i in [contact.a, contact.b] {
                if let Some(i) = bodies.index_of(i) {
                    self.hit[i].contacts += 1;
                }
            }
        }
        for (k, old) in previous.rows.iter().enumerate() {
            let pair = (entities[old.a as usize], entities[old.b as usize]);
            let (Some(a), Some(b)) = (bodies.index_of(pair.0), bodies.index_of(pair.1)) else {
                continue;
            };
            let Some((ball, sign)) = bodies.free_on_held(a, b) else {
                continue;
            };
            let Hit { time, contacts } = self.hit[ball];
            let (Shape::Particle { radius }, false) = (bodies.shape[ball], time.is_nan()) else {
                continue;
            };
            if contacts == 1 {
                self.contacts.push(Before {
                    bodies: (a.min(b) as u32, a.max(b) as u32),
                    ball,
                    time,
                    normal: old.point.normal * sign,
                    radius,
                    given: Given::new(previous, k, sign),
                });
            }
        }
    }

    fn find_hit(&mut self, bodies: &Bodies, impacts: &Impacts) {
        let now = impacts
            .resolved
            .iter()
            .rev()
            .take_while(|impact| impact.time >= bodies.time);
        for impact in now {
            self.hit.resize(bodies.len(), Hit::NONE);
            for i in [impact.a, impact.b]
                .into_iter()
                .filter_map(|entity| bodies.index_of(entity))
            {
                // The last comes first.
                if self.hit[i].time.is_nan() {
                    self.hit[i].time = impact.time - bodies.time;
                }
            }
        }
    }

    /// Gives the difference to the balls, once the sweeps have found what the contacts give now.
    pub fn apply(&self, bodies: &mut Bodies, rows: &Rows) {
        let h = bodies.h;
        for before in &self.contacts {
            let i = before.ball;
            // Rows are in the order of their pairs.
            let row = rows
                .rows
                .binary_search_by_key(&before.bodies, |row| (row.a, row.b));
            let now = row.map_or(Given::default(), |k| {
                let sign = if rows.rows[k].a as usize == i {
                    1.0
                } else {
                    -1.0
                };
                Given::new(rows, k, sign)
            });
            let given = &before.given;
            let friction = given.friction - now.friction;
            // What presses harder now than before is the sweeps' own: to give less would let the ball in.
            let normal = before.normal * (given.normal - now.normal).max(0.0);
            let couple = given.couple - now.couple - before.radius * before.normal.cross(friction);
            let part = 0.5 + before.time / h;
            let dv = (normal + friction) * bodies.inverse_mass[i];
            bodies.add_velocity(i, (dv * part).as_dvec3());
            bodies.angular_velocity[i] += couple * (bodies.inverse_inertia[i].transverse * part);
            // The launch goes back along the parabola that the ball would have come on: x − Δa·s²/2.
            bodies.launch_position[i] -= dv * (0.5 * before.time * before.time / h);
        }
    }
}
