//! The contacts of a round body with a collider that touches other colliders.
//!
//! Flush colliders are one surface: an edge that another collider covers is no edge, and a place on two colliders is one contact.

use glam::{DVec3, Quat, Vec3, Vec3A};
use smallvec::SmallVec;

use super::manifold::{Manifold, manifold, points_on_surface};
use crate::{
    body::Bodies,
    shape::{
        Placed,
        geometry::{Core, Foot, SurfaceContact, SurfaceContacts, SurfacePoint, is_same_normal},
    },
};

/// Difference of depths, over the radius, up to which two contacts at one place are equally deep.
const SAME_DEPTH: f32 = 1e-5;

/// Most colliders on the way of a body in a substep that are looked at for what holds it.
const MAX_JOINED: usize = 64;

/// Distance, over the radius, from a collider up to which a contact with its neighbour may be one with it too.
const NEAR: f32 = 0.02;

/// Depth of a point between the ends of a core, over the radius, up to which the ends hold the core alone.
const FLUSH: f32 = 1e-4;

/// Distance along a core, over the radius, up to which two points are at one place.
const SAME_PLACE: f32 = 1e-4;

/// Contacts with one collider, each with its share in the points of the joined colliders' contact.
pub(crate) type OwnContacts = SmallVec<[(SurfaceContact, f32); 4]>;

/// A round body and a collider.
#[derive(Clone, Copy)]
pub(crate) struct Joined<'a> {
    bodies: &'a Bodies,
    body: usize,
    collider: usize,
    /// The number of the collider, if it touches others.
    number: Option<u32>,
}

/// The place of a round body: its centre, and the vector to an end of its core.
pub(crate) type CorePlace = (DVec3, Vec3);

impl<'a> Joined<'a> {
    pub fn new(bodies: &'a Bodies, body: usize, collider: usize) -> Self {
        let number = match bodies.seams.is_empty() {
            true => None,
            false => number_of(bodies, collider).filter(|&k| bodies.seams.of(k).next().is_some()),
        };
        Self {
            bodies,
            body,
            collider,
            number,
        }
    }

    /// The same body and another collider.
    fn with(&self, number: u32) -> Self {
        Self {
            collider: self.bodies.colliders[number as usize] as usize,
            number: Some(number),
            ..*self
        }
    }

    /// The colliders that touch this one near a point, and that the body meets.
    fn others(&self, x: DVec3, reach: f32) -> impl Iterator<Item = Joined<'a>> + use<'a> {
        let x = Vec3A::from(x.as_vec3());
        let (this, bodies) = (*self, self.bodies);
        let numbers = self.number.into_iter().flat_map(|k| bodies.seams.of(k));
        let near = numbers.filter(move |&k| {
            let bounds = bodies.seams.boxes.get(k as usize);
            bounds.is_some_and(|bounds| bounds.is_near(x, reach))
        });
        let near = near.map(move |k| this.with(k));
        near.filter(|other| other.bodies.may_collide(other.body, other.collider))
    }

    /// Position and rotation of the collider at `s` seconds into the substep.
    fn pose(&self, s: f32) -> (Vec3, Quat) {
        let (bodies, i) = (self.bodies, self.collider);
        if s == 0.0 || bodies.is_static(i) {
            return (bodies.position[i].as_vec3(), bodies.rotation[i]);
        }
        let at = bodies.fly(i, s);
        (at.x, at.rotation)
    }

    /// Whether another collider covers the foot of a contact, which is in the frame of this collider at `s` seconds into the
    /// substep: there, another contact is nearer.
    pub fn covers(&self, foot: &Foot, s: f32) -> bool {
        if self.number.is_none() {
            return false;
        }
        let foot = foot.in_world(self.pose(s));
        self.others(foot.x, foot.slack()).any(|other| {
            let geometry = self.bodies.geometry[other.collider].get();
            geometry.is_some_and(|geometry| geometry.goes_on(&foot.in_frame(other.pose(s))))
        })
    }

    /// The contacts of the body with the collider that no other collider covers, in the collider's frame.
    pub fn contacts(
        &self,
        (place, radius): (CorePlace, f32),
        s: f32,
        reach: f32,
    ) -> SurfaceContacts {
        let Some(geometry) = self.bodies.geometry[self.collider].get() else {
            return SurfaceContacts::new();
        };
        let core = Core::in_frame(place, radius, self.pose(s));
        match self.number {
            None => geometry.contacts(&core, reach),
            Some(_) => geometry.contacts_beside(&core, reach, |foot| self.covers(foot, s)),
        }
    }

    /// Visits the contacts of the body with this collider, and with all colliders that are joined to it near the body or its `way`
    /// in m from there: the collider, and the normal in world coordinates.
    pub fn for_each_support(
        &self,
        (place, radius): (CorePlace, f32),
        (reach, way): (f32, f32),
        mut visit: impl FnMut(usize, Vec3),
    ) {
        let (x, half) = place;
        let size = half.length() + radius + reach;
        for joined in self.members(x, size + way) {
            let bounds = joined
                .number
                .and_then(|k| self.bodies.seams.boxes.get(k as usize));
            if bounds.is_none_or(|bounds| bounds.is_near(Vec3A::from(x.as_vec3()), size)) {
                let rotation = joined.pose(0.0).1;
                let contacts = joined.contacts((place, radius), 0.0, reach);
                let normals = contacts.iter().map(|contact| rotation * contact.normal);
                normals.for_each(|normal| visit(joined.collider, normal));
            }
        }
    }

    /// This collider, and all that are joined to it, from one to the next, nearer than `reach` to a point.
    fn members(&self, x: DVec3, reach: f32) -> SmallVec<[Self; 8]> {
        let mut found: SmallVec<[Self; 8]> = SmallVec::from_elem(*self, 1);
        let mut next = 0;
        while next < found.len().min(MAX_JOINED) {
            let others = found[next].others(x, reach);
            for other in others {
                if found.iter().all(|it| it.number != other.number) {
                    found.push(other);
                }
            }
            next += 1;
        }
        found
    }

    /// The same as [`contacts`](Self::contacts), less the points at which the body touches another collider too, and the other one has the contact.
    ///
    /// Each comes with its share in the points of the joined colliders' contact: the contact of a capsule may lie on several of
    /// them.
    pub fn own_contacts(&self, place: CorePlace, radius: f32, reach: f32) -> OwnContacts {
        let contacts = self.contacts((place, radius), 0.0, reach);
        if self.number.is_none() || contacts.is_empty() {
            return contacts.into_iter().map(|contact| (contact, 1.0)).collect();
        }
        let others = self.contacts_of_others(&contacts, place, radius, reach);
        let half_length = place.1.length();
        let own = contacts.into_iter().filter_map(|mut contact| {
            let share = self.keep_own(&mut contact, &others, half_length, radius)?;
            Some((contact, share))
        });
        own.collect()
    }

    /// The contacts of the body with joined colliders. A core may lie on any of those about it; a ball touches others at the places
    /// of its `own` contacts only.
    fn contacts_of_others(
        &self,
        own: &SurfaceContacts,
        (x, half): CorePlace,
        radius: f32,
        reach: f32,
    ) -> SmallVec<[(Self, SurfaceContacts); 4]> {
        let mut others: SmallVec<[Self; 8]> = SmallVec::new();
        if half != Vec3::ZERO {
            others = self.members(x, half.length() + radius + reach);
            others.remove(0);
        } else {
            let rotation = self.pose(0.0).1;
            for contact in own {
                let arm = rotation * contact.normal * (contact.depth() - radius);
                for other in self.others(x + arm.as_dvec3(), NEAR * radius) {
                    if others.iter().all(|it| it.number != other.number) {
                        others.push(other);
                    }
                }
            }
        }
        let others = others.into_iter();
        others
            .map(|other| (other, other.contacts(((x, half), radius), 0.0, reach)))
            .collect()
    }

    /// Whether it touches another collider.
    pub fn touches(&self, collider: usize) -> bool {
        let other = number_of(self.bodies, collider);
        let mut touching = (self.number.into_iter()).flat_map(|k| self.bodies.seams.of(k));
        touching.any(|k| Some(k) == other)
    }

    /// Whether it touches any other collider.
    pub fn is_joined(&self) -> bool {
        self.number.is_some()
    }

    /// Removes the points of a contact that other colliders have. The share of the points that are left, if any are.
    ///
    /// If a core lies on several colliders of one material, one of them has all the points: the solver finds the impulses of the
    /// two points of one contact at once.
    fn keep_own(
        &self,
        contact: &mut SurfaceContact,
        others: &[(Self, SurfaceContacts)],
        half_length: f32,
        radius: f32,
    ) -> Option<f32> {
        let normal = self.pose(0.0).1 * contact.normal;
        let mut points: SmallVec<[OwnedPoint; 8]> = SmallVec::new();
        let mut is_flat = contact.curvature == 0.0;
        for (other, contacts) in others {
            let rotation = other.pose(0.0).1;
            for contact in contacts {
                if is_same_normal(rotation * contact.normal, normal) {
                    is_flat &= contact.curvature == 0.0;
                    points.extend(OwnedPoint::all_of(contact, other.collider));
                }
            }
        }
        if points.is_empty() {
            return Some(1.0);
        }
        let owner = self.collider;
        points.extend(OwnedPoint::all_of(contact, owner));
        let stays = |point: &OwnedPoint| {
            let mut others = points.iter();
            !others.any(|other| other.is_before(point, half_length, radius))
                && !point.is_between(&points, half_length, radius)
        };
        let left: SmallVec<[OwnedPoint; 4]> = points.iter().copied().filter(stays).collect();
        let first = left.iter().map(|point| point.owner).min();
        let are_alike = left.iter().all(|point| self.is_like(point.owner));
        if is_flat && are_alike && left.len() == 2 {
            contact.points = left.iter().map(|point| point.point).collect();
            contact
                .points
                .sort_by(|one, other| one.t.total_cmp(&other.t));
            return (first == Some(owner)).then_some(1.0);
        }
        let own = left.iter().filter(|point| point.owner == owner);
        contact.points = own.map(|point| point.point).collect();
        let count = contact.points.len();
        (count > 0).then(|| count as f32 / left.len() as f32)
    }

    /// Whether a body feels no difference between this collider and another one.
    fn is_like(&self, other: usize) -> bool {
        let (bodies, own) = (self.bodies, self.collider);
        let is_plain = |i: usize| bodies.is_static(i) && !bodies.is_belt(i);
        other == own
            || (bodies.material[own] == bodies.material[other]
                && is_plain(own)
                && is_plain(other)
                && bodies.pair_rules.is_empty())
    }
}

/// A point of a core, and the collider that it touches.
#[derive(Clone, Copy, Debug)]
struct OwnedPoint {
    point: SurfacePoint,
    owner: usize,
}

impl OwnedPoint {
    /// The points of a contact of one collider.
    fn all_of(contact: &SurfaceContact, owner: usize) -> impl Iterator<Item = Self> {
        contact
            .points
            .iter()
            .map(move |&point| Self { point, owner })
    }

    /// Whether this point stands for another one too: it is at the same place, and deeper, of an earlier collider, or
    /// nearer to an end.
    ///
    /// The order is total, so one of several such points stays. Depths are rounded: a point that stays does not change from step
    /// to step.
    fn is_before(&self, other: &Self, half_length: f32, radius: f32) -> bool {
        let apart = (self.point.t - other.point.t).abs() * half_length;
        // −0 and 0 are one depth.
        let level = |it: &Self| (it.point.depth / (SAME_DEPTH * radius)).round() + 0.0;
        let key = |it: &Self| (it.owner, -it.point.t.abs(), it.point.t);
        let ((owner, end, t), (owner_2, end_2, t_2)) = (key(self), key(other));
        let order = level(other).total_cmp(&level(self));
        let order = order.then(owner.cmp(&owner_2));
        let order = order.then(end.total_cmp(&end_2)).then(t.total_cmp(&t_2));
        apart <= SAME_PLACE * radius && order.is_lt()
    }

    /// Whether it is between two other points of a core that are as deep: these hold the core alone.
    fn is_between(&self, all: &[Self], half_length: f32, radius: f32) -> bool {
        let SurfacePoint { t, depth } = self.point;
        let beside = SAME_PLACE * radius;
        all.iter().any(|low| {
            all.iter().any(|high| {
                let (below, above) = (t - low.point.t, high.point.t - t);
                if below * half_length <= beside || above * half_length <= beside {
                    return false;
                }
                let rise = high.point.depth - low.point.depth;
                let between = low.point.depth + rise * (below / (below + above));
                depth <= between + FLUSH * radius
            })
        })
    }
}

/// The number of a collider.
fn number_of(bodies: &Bodies, collider: usize) -> Option<u32> {
    let found = bodies.colliders.binary_search(&(collider as u32));
    found.ok().map(|number| number as u32)
}

/// The contact set of `a` and `b` at `s` seconds into the substep, where they are at these places: [`manifold`] without the points
/// that other colliders cover.
pub(crate) fn joined_manifold(
    bodies: &Bodies,
    (a, b): (usize, usize),
    s: f32,
    places: [&Placed; 2],
    reach: f32,
) -> Manifold {
    let (body, collider, sign) =
        match (bodies.shape[a].is_collider(), bodies.shape[b].is_collider()) {
            (false, true) => (a, b, 1.0),
            (true, false) => (b, a, -1.0),
            _ => return manifold(places[0], places[1], reach),
        };
    let joined = Joined::new(bodies, body, collider);
    if joined.number.is_none() || !bodies.shape[body].is_round() {
        return manifold(places[0], places[1], reach);
    }
    let [placed, surface] = if sign > 0.0 {
        places
    } else {
        [places[1], places[0]]
    };
    let (half, radius) = (placed.shape.core_half(placed.axis), placed.shape.radius());
    let contacts = joined.contacts(((placed.x.as_dvec3(), half), radius), s, reach);
    let mut points = points_on_surface(&contacts, placed.x, half, radius, surface.rotation);
    for point in &mut points {
        point.normal *= sign;
    }
    points
}
