//! The contacts of a round body with a surface: one for each direction in which the surface is near.

use glam::Vec3;
use smallvec::{SmallVec, smallvec};

use super::{
    core::Core,
    part::Nearest,
    seam::Foot,
    surface::{Geometry, MeshSides, Part},
};

/// Cosine of the angle between normals up to which they count as one: parts that lie flat beside each other are one face.
const SAME_NORMAL: f32 = 0.999_99;

/// Whether two normals are those of one face.
pub(crate) fn is_same_normal(one: Vec3, other: Vec3) -> bool {
    one.dot(other) > SAME_NORMAL
}

/// Depth of a point between the ends of a core, over the radius, that is rounding.
const STRAIGHT_CORE: f32 = 1e-5;

/// Least cosine of the angle between the normals of a contact at two places.
const SAME_CONTACT: f32 = 0.5;

/// Depth of a centre behind a surface with one side, as a fraction of the radius, up to which the body still belongs in front: it
/// is pressed in. A body that is deeper comes from behind, and passes.
const SHALLOW: f32 = 0.05;

/// Most contacts of a body with one surface.
const MAX_CONTACTS: usize = 8;

/// A contact of a body with a surface, in the frame of the surface.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceContact {
    /// Unit vector from the surface to the body.
    pub normal: Vec3,
    /// One point, or two of a capsule that lies along the surface.
    pub points: SmallVec<[SurfacePoint; 2]>,
    /// Upper limit of the curvature of the surface there in 1/m; zero if it is flat.
    pub curvature: f32,
}

/// A point of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePoint {
    /// Where on the core, from −1 to 1.
    pub t: f32,
    /// Overlap in m; negative across a gap.
    pub depth: f32,
}

impl SurfaceContact {
    /// The depth of the deeper point.
    pub fn depth(&self) -> f32 {
        let depths = self.points.iter().map(|point| point.depth);
        depths.fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The points of a contact while they are found, the deepest first.
struct FoundPoints {
    deepest: SurfacePoint,
    /// Those with the least and the greatest place on the core.
    ends: [SurfacePoint; 2],
}

impl FoundPoints {
    fn new(deepest: SurfacePoint) -> Self {
        Self {
            deepest,
            ends: [deepest; 2],
        }
    }

    fn add(&mut self, point: SurfacePoint) {
        let [low, high] = &mut self.ends;
        if point.t < low.t {
            *low = point;
        } else if point.t > high.t {
            *high = point;
        }
    }

    /// The two ends of a core that lies along the surface. If a point between them is deeper, that point and the farther end.
    fn points(&self, radius: f32) -> SmallVec<[SurfacePoint; 2]> {
        let Self { deepest, ends } = *self;
        let [low, high] = ends;
        let (below, above) = (deepest.t - low.t, high.t - deepest.t);
        if below + above == 0.0 {
            return smallvec![deepest];
        }
        let along = low.depth + (high.depth - low.depth) * (below / (below + above));
        if deepest.depth <= along + STRAIGHT_CORE * radius {
            smallvec![low, high]
        } else if below < above {
            smallvec![deepest, high]
        } else {
            smallvec![low, deepest]
        }
    }
}

/// The contacts of a body with a surface, the deepest first.
pub(crate) type SurfaceContacts = SmallVec<[SurfaceContact; 4]>;

/// Curvature times half the square of the way, as a fraction of the radius, up to which a surface does not leave its tangent plane:
/// the rounding of positions hides it.
const STRAIGHT: f32 = 1e-6;

/// A nearest point, with the number of its shell.
type Candidate = (usize, Nearest);

/// The nearest points of the parts near a body. Few bodies have more; only these take memory from the heap.
type Candidates = SmallVec<[Candidate; 64]>;

/// The curved triangles that a ball is behind, with lower limits of their distances.
type Behind = SmallVec<[(Part, f32); 32]>;

impl Geometry {
    /// The contacts of the body around a core with the parts that are nearer than `reach` to it.
    pub(crate) fn contacts(&self, core: &Core, reach: f32) -> SurfaceContacts {
        self.contacts_beside(core, reach, |_| false)
    }

    /// The same if other colliders are near, which cover the foot of a contact if this is true.
    pub(crate) fn contacts_beside(
        &self,
        core: &Core,
        reach: f32,
        covers: impl Fn(&Foot) -> bool,
    ) -> SurfaceContacts {
        let most = core.radius + reach;
        let (mut candidates, mut behind) = (Candidates::new(), Behind::new());
        let add = |part: Part, candidates: &mut Candidates| {
            let shell = self.shell_of(part);
            let found = self.nearest_points(part, core, most);
            candidates.extend(found.into_iter().map(|nearest| (shell, nearest)));
        };
        let collect = |part: Part| match self.glance(part, core, most) {
            Some(glance) if glance.clear_way > 0.0 => {}
            Some(glance) if glance.way_behind > 0.0 && core.is_ball() => {
                behind.push((part, glance.least_distance));
            }
            _ => add(part, &mut candidates),
        };
        if core.is_ball() {
            self.parts_near(core.x.as_vec3(), most).for_each(collect);
        } else {
            self.parts_in(core.bounds(reach)).for_each(collect);
        }
        // The nearest part of a shell decides on which side the body is. A part behind which it is counts only if it is the nearest.
        for (part, least) in behind {
            let shell = self.shell_of(part);
            let is_front = |(other, nearest): &Candidate| {
                *other == shell && !nearest.is_behind() && nearest.distance < least
            };
            if !candidates.iter().any(is_front) {
                add(part, &mut candidates);
            }
        }
        let mut contacts = SurfaceContacts::new();
        self.keep_one_side(&mut candidates, core);
        let mut found: SmallVec<[FoundPoints; 4]> = SmallVec::new();
        for (_, nearest) in &candidates {
            if !nearest.is_behind() && self.is_ghost(nearest, core, &covers) {
                continue;
            }
            let point = SurfacePoint {
                t: nearest.t,
                depth: core.radius - nearest.distance,
            };
            let is_same = |contact: &SurfaceContact| is_same_normal(contact.normal, nearest.normal);
            match contacts.iter().position(is_same) {
                Some(k) => {
                    let contact = &mut contacts[k];
                    contact.curvature = contact.curvature.max(nearest.curvature);
                    // The edge of another face has a tilted way to the core: rounding.
                    if nearest.is_straight_up(contact.normal) {
                        contact.normal = nearest.normal;
                    }
                    found[k].add(point);
                }
                None => {
                    found.push(FoundPoints::new(point));
                    contacts.push(SurfaceContact {
                        normal: nearest.normal,
                        points: SmallVec::new(),
                        curvature: nearest.curvature,
                    });
                }
            }
        }
        for (contact, found) in contacts.iter_mut().zip(&found) {
            contact.points = found.points(core.radius);
        }
        contacts.sort_by(|one, other| other.depth().total_cmp(&one.depth()));
        contacts.truncate(MAX_CONTACTS);
        contacts
    }

    /// The change of the gap in m at a point of the core by which the surface leaves its tangent plane, on the `way` to another
    /// place along this plane: a `contact` was found at the point.
    ///
    /// If the core moves from there by `way` and by −(gap + bend) along the normal, it touches the surface.
    pub(crate) fn bend(
        &self,
        core: &Core,
        (contact, point): (&SurfaceContact, SurfacePoint),
        way: Vec3,
    ) -> f32 {
        let normal = contact.normal;
        let along = way - normal * normal.dot(way);
        if 0.5 * contact.curvature * along.length_squared() <= STRAIGHT * core.radius {
            return 0.0;
        }
        let there = Core {
            x: core.at(point.t) + along.as_dvec3(),
            half: Vec3::ZERO,
            radius: core.radius,
        };
        let reach = along.length() + (-point.depth).max(0.0);
        match self.gap_along(&there, normal, reach) {
            Some(gap) => point.depth + gap,
            // The surface ends on the way.
            None => reach,
        }
    }

    /// The way in m along `normal` by which a body may come nearer to the surface until it touches it, if it is nearer than
    /// `reach`.
    pub(crate) fn gap_along(&self, core: &Core, normal: Vec3, reach: f32) -> Option<f32> {
        let contacts = self.contacts(core, reach);
        let cosine = |contact: &SurfaceContact| contact.normal.dot(normal);
        let nearest = contacts
            .iter()
            .max_by(|one, other| cosine(one).total_cmp(&cosine(other)))?;
        let cosine = cosine(nearest);
        (cosine > SAME_CONTACT).then(|| -nearest.depth() / cosine)
    }

    /// Keeps the candidates of the side of each shell on which the body is, the nearest first. The nearest part decides: a body is
    /// inside if that part faces away from it. It is then pushed out through this part alone.
    ///
    /// A core with both ends outside, and that goes through no face, is outside: at a point between, the nearest candidate may be
    /// an edge that lies behind a face, and that face is nearest to other points only.
    fn keep_one_side(&self, candidates: &mut Candidates, core: &Core) {
        candidates.sort_by(|(shell_1, one), (shell_2, other)| {
            let order = one.distance.abs().total_cmp(&other.distance.abs());
            shell_1
                .cmp(shell_2)
                .then(one.t.total_cmp(&other.t))
                .then(order)
        });
        let (mut start, mut kept) = (0, 0);
        let (mut shell_before, mut enters) = (None, false);
        let radius = core.radius;
        while let Some(&(shell, nearest)) = candidates.get(start) {
            let group = candidates[start..]
                .iter()
                .take_while(|(other, it)| *other == shell && it.t == nearest.t);
            let end = start + group.count();
            if shell_before != Some(shell) {
                shell_before = Some(shell);
                enters = self.enters(shell, &candidates[start..], radius);
            }
            let (is_outside, is_pressed) = self.side(shell, &candidates[start..end], radius);
            let is_between = shell < self.shells.len() && nearest.t.abs() < 1.0 && !core.is_ball();
            let is_outside = is_outside || (is_between && !nearest.is_on_face() && !enters);
            for k in start..end {
                let is_kept = match is_outside {
                    true => !candidates[k].1.is_behind(),
                    false => k == start && is_pressed,
                };
                if is_kept {
                    candidates[kept] = candidates[k];
                    kept += 1;
                }
            }
            start = end;
        }
        candidates.truncate(kept);
        candidates.sort_by(|(_, one), (_, other)| {
            let order = one.distance.total_cmp(&other.distance);
            order.then(one.t.total_cmp(&other.t))
        });
    }

    /// Whether a core goes through a face of a shell, or has an end inside. The shell's candidates are the first ones, sorted.
    fn enters(&self, shell: usize, candidates: &[Candidate], radius: f32) -> bool {
        let count = candidates.iter().take_while(|(other, _)| *other == shell);
        let own = &candidates[..count.count()];
        let at_end = |t: f32| {
            let start = own.partition_point(|(_, it)| it.t < t);
            let end = own.partition_point(|(_, it)| it.t <= t);
            end > start && !self.side(shell, &own[start..end], radius).0
        };
        own.iter().any(|(_, it)| it.is_piercing()) || at_end(-1.0) || at_end(1.0)
    }

    /// Whether a body is outside a shell, and if not, whether the nearest part pushes it out. The nearest of these candidates is
    /// the first.
    fn side(&self, shell: usize, group: &[Candidate], radius: f32) -> (bool, bool) {
        let (_, nearest) = &group[0];
        // At an edge, two parts are equally near.
        let limit = nearest.distance.abs() * (1.0 + 1e-4) + 1e-6 * radius;
        let is_outside = group
            .iter()
            .any(|(_, other)| !other.is_behind() && other.distance <= limit);
        let sides = self.shells.get(shell).map(|it| it.sides);
        let is_solid = sides.is_none_or(|sides| sides == MeshSides::Solid);
        let is_shallow = nearest.is_on_face() && -nearest.distance < SHALLOW * radius;
        (is_outside, is_solid || is_shallow)
    }
}
