//! The system parameter.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use bevy::{ecs::system::SystemParam, math::Vec3A, prelude::*};

use super::{
    body::Body,
    filter::SpatialFilter,
    hit::{CastHit, NearestPoint, RayHit},
    line::Line,
    measure::Found,
    moment::WorldReader,
    round::Round,
    snapshot::Snapshot,
};
use crate::{collision::Aabb, parallel::fill_chunks, shape::geometry::BoxEntry};

/// Rays that a thread casts before it takes others.
const RAYS_PER_TASK: usize = 64;

/// A system parameter that asks where things are: see [the module](super).
#[derive(SystemParam)]
pub struct SpatialQuery<'w, 's> {
    reader: WorldReader<'w, 's>,
    /// Made by the first query. It ends with this parameter.
    snapshot: Local<'s, OnceLock<Arc<Snapshot>>>,
}

impl Drop for SpatialQuery<'_, '_> {
    fn drop(&mut self) {
        self.snapshot.take();
    }
}

impl SpatialQuery<'_, '_> {
    /// The first body that a ray meets within `max_distance` metres.
    ///
    /// A ray meets surfaces from outside: it does not meet a body in which it starts. Lines of colliders have no width, so no ray
    /// meets them.
    pub fn cast_ray(
        &self,
        ray: Ray3d,
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Option<RayHit> {
        self.cast_ray_predicate(ray, max_distance, filter, |_| true)
    }

    /// The first body that a ray meets, among the bodies for which `predicate` returns true: see [`cast_ray`](Self::cast_ray).
    pub fn cast_ray_predicate(
        &self,
        ray: Ray3d,
        max_distance: f32,
        filter: &SpatialFilter,
        predicate: impl Fn(Entity) -> bool,
    ) -> Option<RayHit> {
        self.first_hit(ray, max_distance, |body| {
            filter.finds(body) && predicate(body.entity)
        })
    }

    /// The first body that each ray meets. The rays are shared out to Bevy's compute threads.
    pub fn cast_rays(
        &self,
        rays: &[Ray3d],
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Vec<Option<RayHit>> {
        // Before the threads begin.
        self.snapshot();
        let mut hits = Vec::new();
        fill_chunks(rays.len(), RAYS_PER_TASK, &mut hits, None, |i| {
            self.first_hit(rays[i], max_distance, |body| filter.finds(body))
        });
        hits
    }

    /// All bodies that a ray meets within `max_distance` metres, each where it meets them first: in the order of their distances,
    /// and of their entities at equal ones. See [`cast_ray`](Self::cast_ray).
    pub fn ray_hits(&self, ray: Ray3d, max_distance: f32, filter: &SpatialFilter) -> Vec<RayHit> {
        let Some((line, max)) = checked(ray.origin, ray.direction, max_distance) else {
            return Vec::new();
        };
        let boxes = BoxEntry::new(line.origin, line.direction, Vec3::ZERO);
        let bodies = self.candidates(|bounds| boxes.entry(bounds.min, bounds.max) <= max);
        let bodies = bodies.filter(|body| filter.finds(body));
        let hits = bodies.filter_map(|body| {
            let found = body.cast_ray(&line, max)?;
            Some(ray_hit(&line, body.entity, found))
        });
        let mut hits: Vec<RayHit> = hits.filter(|hit| hit.distance <= max).collect();
        hits.sort_by(|one, other| {
            let order = one.distance.total_cmp(&other.distance);
            order.then(one.entity.cmp(&other.entity))
        });
        hits
    }

    /// The first body that a ball of a `radius` in m touches, if its centre moves from `from` along `direction` by `max_distance`
    /// metres at most.
    ///
    /// A ball that touches a body at the start hits it at a distance of zero, unless it moves away from it or along it. A mesh
    /// with one side is touched from its outside only.
    pub fn cast_ball(
        &self,
        radius: f32,
        from: Vec3,
        direction: Dir3,
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Option<CastHit> {
        self.cast_round(
            &Round::ball(radius),
            (from, direction),
            max_distance,
            filter,
        )
    }

    /// The first body that a capsule touches, if it moves from `from` along `direction` by `max_distance` metres at most, without
    /// turning. It is a cylinder of a `radius` along local Y, with this `length` between the half-balls on its ends, in m.
    ///
    /// At the start, it hits as a ball does: see [`cast_ball`](Self::cast_ball).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_impulse_collide::prelude::*;
    /// /// How far a character of 1.8 m can walk.
    /// fn free_way(character: Single<(Entity, &Transform), With<Capsule>>, query: SpatialQuery) {
    ///     let (entity, at) = *character;
    ///     let others = SpatialFilter::default().without([entity]);
    ///     let hit = query.cast_capsule(0.3, 1.2, at.to_isometry(), at.forward(), 2.0, &others);
    ///     info!("{} m", hit.map_or(2.0, |hit| hit.distance));
    /// }
    /// # bevy::ecs::system::assert_is_system(free_way);
    /// ```
    pub fn cast_capsule(
        &self,
        radius: f32,
        length: f32,
        from: Isometry3d,
        direction: Dir3,
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Option<CastHit> {
        if length.is_nan() || length < 0.0 {
            return None;
        }
        let capsule = Round::capsule(radius, length, from.rotation);
        let from = Vec3::from(from.translation);
        self.cast_round(&capsule, (from, direction), max_distance, filter)
    }

    fn cast_round(
        &self,
        round: &Round,
        (from, direction): (Vec3, Dir3),
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Option<CastHit> {
        let (line, max) = checked(from, direction, max_distance)?;
        if !round.is_good() {
            return None;
        }
        let boxes = BoxEntry::new(line.origin, line.direction, round.extent());
        let (entity, (distance, touch)) = self.nearest(
            max,
            |bounds| boxes.entry(bounds.min, bounds.max),
            |body, limit| {
                let is_wanted = filter.finds(body);
                is_wanted
                    .then(|| body.cast_round(&line, round, limit))
                    .flatten()
            },
        )?;
        Some(CastHit {
            entity,
            distance,
            point: round.point(line.at(f64::from(distance)), &touch),
            normal: touch.normal,
        })
    }

    /// The point of all surfaces that is nearest to a point, within `max_distance` metres. Inside a solid, the distance is
    /// negative. Among several bodies it is the one with the least distance: where the point is inside two, the one in which it
    /// is deeper.
    pub fn nearest_point(
        &self,
        point: Vec3,
        max_distance: f32,
        filter: &SpatialFilter,
    ) -> Option<NearestPoint> {
        if !point.is_finite() || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        let x = point.as_dvec3();
        let (entity, (distance, normal)) = self.nearest(
            max_distance,
            |bounds| distance_to_box(point.into(), bounds),
            |body, _| {
                let is_wanted = filter.finds(body);
                is_wanted.then(|| body.signed_distance(x)).flatten()
            },
        )?;
        Some(NearestPoint {
            entity,
            point: (x - normal.as_dvec3() * f64::from(distance)).as_vec3(),
            distance,
            normal,
        })
    }

    fn first_hit(
        &self,
        ray: Ray3d,
        max_distance: f32,
        is_wanted: impl Fn(&Body) -> bool,
    ) -> Option<RayHit> {
        let (line, max) = checked(ray.origin, ray.direction, max_distance)?;
        let boxes = BoxEntry::new(line.origin, line.direction, Vec3::ZERO);
        let (entity, found) = self.nearest(
            max,
            |bounds| boxes.entry(bounds.min, bounds.max),
            |body, limit| {
                is_wanted(body)
                    .then(|| body.cast_ray(&line, limit))
                    .flatten()
            },
        )?;
        Some(ray_hit(&line, entity, found))
    }

    fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.reader.snapshot())
    }

    /// See [`Snapshot::nearest`].
    fn nearest<T: Copy>(
        &self,
        most: f32,
        to_box: impl Fn(&Aabb) -> f32,
        to_body: impl Fn(&Body, f32) -> Option<(f32, T)>,
    ) -> Option<(Entity, (f32, T))> {
        let body_of = |entity| self.reader.body(entity);
        self.snapshot().nearest(most, body_of, to_box, to_body)
    }

    /// See [`Snapshot::candidates`].
    pub(super) fn candidates(
        &self,
        test: impl Fn(&Aabb) -> bool,
    ) -> impl Iterator<Item = Cow<'_, Body>> {
        let body_of = |entity| self.reader.body(entity);
        self.snapshot().candidates(body_of, test)
    }

    /// A body as it is now.
    pub(super) fn body(&self, entity: Entity) -> Option<Body> {
        self.reader.body(entity)
    }

    /// All bodies.
    pub(super) fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.snapshot().bodies(|entity| self.reader.body(entity))
    }
}

fn ray_hit(line: &Line, entity: Entity, (distance, normal): Found) -> RayHit {
    RayHit {
        entity,
        distance,
        point: line.at(f64::from(distance)).as_vec3(),
        normal,
    }
}

/// The way from an origin, and its length in m; `None` for values that are not numbers or below zero.
fn checked(origin: Vec3, direction: Dir3, max_distance: f32) -> Option<(Line, f32)> {
    let line = Line {
        origin: origin.as_dvec3(),
        // A `Dir3` is rounded: over 1 km, its length is wrong by 0.1 mm.
        direction: direction.as_dvec3().try_normalize()?,
    };
    // `f32::MAX` says that a way does not enter a box.
    let max = max_distance.min(f32::MAX.next_down());
    (origin.is_finite() && max_distance >= 0.0).then_some((line, max))
}

/// The distance of a point from a box; negative inside. A body in the box is no nearer, and the point is no deeper in it.
fn distance_to_box(x: Vec3A, bounds: &Aabb) -> f32 {
    let outside = (bounds.min - x).max(x - bounds.max);
    let apart = outside.max(Vec3A::ZERO);
    apart.length() + outside.max_element().min(0.0)
}

/// Whether a radius or a side in m can be used: it is above zero.
pub(super) fn is_measure(value: f32) -> bool {
    value.is_finite() && value > 0.0
}
