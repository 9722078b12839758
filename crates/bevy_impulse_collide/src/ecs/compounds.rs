//! The parts of each compound: where they are in it, and the mass and the inertia that they give it.

use std::f64::consts::PI;

use bevy::prelude::*;
use glam::{DAffine3, DMat3, DVec3};

use super::{
    ancestors::Ancestors,
    bad_input::Check,
    kind::{kind_of, may_follow},
    parents::{map_by, without_shear},
};
use crate::{
    body::Bodies,
    components::{
        Capsule, CenterOfMass, Compound, CompoundMass, Density, InWorld, Inertia, LockedRotation,
        Mass, MovedByTransform, OverlapCountedOnce, Particle, RigidBody,
    },
    config::CollisionConfig,
    flat::{flatten, in_plane},
    kernel::{IMMOVABLE, InverseInertia, MassMoments, Solid, principal_moments, shared_mass, unit},
    messages::ProblemReason,
    shape::Shape,
};

/// Difference of two moments of inertia, as a fraction of them, that is rounding.
const SAME_MOMENT: f64 = 1e-6;

/// Distance of a part from the centre of mass, as a fraction of its size, that is rounding.
const SAME_PLACE: f32 = 1e-6;

/// All compounds of the world, their parts, and what these share. All are sorted by their entities.
#[derive(Resource, Default)]
pub(crate) struct Compounds {
    wholes: Vec<Whole>,
    parts: Vec<Part>,
    shared: Vec<Shared>,
    /// Number of compounds and parts that have come, gone or changed so far.
    changes: u64,
}

/// What its parts make of a compound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Whole {
    entity: Entity,
    /// In kg.
    pub mass: f32,
    /// The centre of mass in the frame of its `Transform`, in world measures.
    pub centre: Vec3,
    pub inverse_inertia: InverseInertia,
    /// Radius of the ball about the centre of mass that holds all parts, in m.
    pub radius: f32,
    /// Whether it is one ball about its centre of mass.
    pub is_ball: bool,
}

/// A ball or a capsule of a compound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    entity: Entity,
    /// The compound.
    pub whole: Entity,
    pub kind: RigidBody,
    /// The centre of the part, relative to the compound's centre of mass, in the compound's axes, in m.
    pub offset: Vec3,
    /// From the part's axes to the compound's.
    pub rotation: Quat,
    /// From its measures to world measures.
    pub scale: Vec3,
}

/// The mass that the parts of a compound share, if that counts once.
#[derive(Clone, Debug)]
struct Shared {
    entity: Entity,
    /// The parts that share it.
    solids: Vec<Solid>,
    moments: MassMoments,
}

/// A part while the mass of its compound is summed up.
struct Member {
    entity: Entity,
    shape: Shape,
    mass: f32,
    place: Transform,
}

impl Member {
    /// It, in the frame of its compound's `Transform`.
    fn solid(&self) -> Solid {
        let (half, radius) = (self.shape.core_reach(), self.shape.radius());
        let half = (unit(self.place.rotation) * Vec3::Y * half).as_dvec3();
        let (centre, radius) = (self.place.translation.as_dvec3(), f64::from(radius));
        let thirds = 4.0 * radius + 6.0 * half.length();
        Solid {
            ends: [centre - half, centre + half],
            radius,
            density: f64::from(self.mass) / (PI / 3.0 * radius * radius * thirds),
        }
    }
}

impl Compounds {
    /// Finds what the parts of a compound share, or takes it from before if they are the same.
    fn share(&mut self, entity: Entity, members: &[Member], before: &mut Self) -> MassMoments {
        let known = (before.shared).binary_search_by_key(&entity, |it| it.entity);
        let known = known.ok().map(|k| &mut before.shared[k]);
        let are_same = |it: &&mut Shared| {
            let now = members.iter().map(Member::solid);
            now.eq(it.solids.iter().copied())
        };
        let shared = match known.filter(are_same) {
            Some(known) => Shared {
                solids: std::mem::take(&mut known.solids),
                ..*known
            },
            None => {
                let solids: Vec<Solid> = members.iter().map(Member::solid).collect();
                let moments = shared_mass(&solids);
                Shared {
                    entity,
                    solids,
                    moments,
                }
            }
        };
        let moments = shared.moments;
        self.shared.push(shared);
        moments
    }

    /// The compound that an entity is, if it has sound parts.
    pub fn whole(&self, entity: Entity) -> Option<&Whole> {
        let found = self.wholes.binary_search_by_key(&entity, |it| it.entity);
        found.ok().map(|k| &self.wholes[k])
    }

    /// The part of a compound that an entity is.
    pub fn part(&self, entity: Entity) -> Option<&Part> {
        let found = self.parts.binary_search_by_key(&entity, |it| it.entity);
        found.ok().map(|k| &self.parts[k])
    }

    /// Number of compounds and parts that have come, gone or changed so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Marks the parts of static compounds that have changed: they stand where their compounds are put.
    pub fn mark_static_parts(&self, bodies: &mut Bodies) {
        for part in self.parts.iter().filter(|part| part.kind.is_static()) {
            let whole = bodies.index_of(part.whole);
            let is_moved = whole.is_some_and(|whole| bodies.must_be_read(whole));
            if let (true, Some(i)) = (is_moved, bodies.index_of(part.entity)) {
                bodies.mark_changed(i);
            }
        }
    }

    fn add(
        &mut self,
        entity: Entity,
        (kind, own, is_locked, flat): (RigidBody, Option<&Inertia>, bool, bool),
        own_centre: Option<Vec3>,
        members: &[Member],
        shared: MassMoments,
    ) {
        let mass: f64 = members.iter().map(|member| f64::from(member.mass)).sum();
        let mass = mass - shared.mass;
        let moment = members
            .iter()
            .map(|it| it.place.translation.as_dvec3() * f64::from(it.mass));
        let of_parts = ((moment.sum::<DVec3>() - shared.first) / mass).as_vec3();
        let centre = own_centre.unwrap_or(of_parts);
        let first = self.parts.len();
        self.parts.extend(members.iter().map(|member| {
            let offset = member.place.translation - centre;
            let is_rounding = offset.length() < SAME_PLACE * member.shape.bounding_radius();
            Part {
                entity: member.entity,
                whole: entity,
                kind,
                offset: if is_rounding { Vec3::ZERO } else { offset },
                rotation: unit(member.place.rotation),
                scale: member.place.scale,
            }
        }));
        let parts = self.parts[first..].iter().zip(members);
        let reach = |(part, member): (&Part, &Member)| {
            part.offset.length() + member.shape.bounding_radius()
        };
        self.wholes.push(Whole {
            entity,
            mass: mass as f32,
            centre,
            inverse_inertia: match own {
                _ if is_locked => InverseInertia::isotropic(IMMOVABLE),
                Some(own) => InverseInertia::of_moments(own.principal, own.frame),
                None => {
                    let shared = shared.inertia_about(of_parts.as_dvec3());
                    inverse_inertia(parts.clone(), of_parts - centre, shared)
                }
            }
            .in_world(flat),
            is_ball: members.len() == 1
                && members[0].shape.is_ball()
                && self.parts[first].offset == Vec3::ZERO,
            radius: parts.map(reach).fold(0.0, f32::max),
        });
    }
}

impl InverseInertia {
    /// The same, or in a flat world that of a body that turns about Z alone.
    fn in_world(self, flat: bool) -> Self {
        match flat {
            true => Self::isotropic(self.inverse_mul(Quat::IDENTITY, Vec3::Z).z.recip()),
            false => self,
        }
    }
}

/// The inverse inertia of all parts about their own centre of mass, which lies at `centre` from the compound's, in the compound's axes,
/// without the inertia that they share.
fn inverse_inertia<'a>(
    mut parts: impl ExactSizeIterator<Item = (&'a Part, &'a Member)>,
    centre: Vec3,
    shared: DMat3,
) -> InverseInertia {
    let of_part = |part: &Part, member: &Member| {
        let own = member.shape.inverse_inertia(member.mass, false);
        own.seen_from(part.rotation)
    };
    if parts.len() == 1
        && let Some((part, member)) = parts.next()
    {
        return of_part(part, member);
    }
    let tensor = parts.fold(DMat3::ZERO, |sum, (part, member)| {
        let own = of_part(part, member)
            .precise_matrix(Quat::IDENTITY)
            .inverse();
        let (m, r) = (f64::from(member.mass), (part.offset - centre).as_dvec3());
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        // m·(|r|²·1 − r⊗r) (Huygens–Steiner)
        sum + own + (DMat3::IDENTITY * r.length_squared() - outer) * m
    });
    let (mut moments, frame) = principal_moments(tensor - shared);
    let [x, y, z] = [moments.x, moments.y, moments.z];
    let are_same = |one: f64, other: f64| (one - other).abs() <= SAME_MOMENT * one.max(other);
    if are_same(x, y) && are_same(y, z) {
        moments = DVec3::splat((x + y + z) / 3.0);
    } else if are_same(x, y) {
        (moments.x, moments.y) = (0.5 * (x + y), 0.5 * (x + y));
    } else if are_same(y, z) {
        (moments.y, moments.z) = (0.5 * (y + z), 0.5 * (y + z));
    } else if are_same(x, z) {
        (moments.x, moments.z) = (0.5 * (x + z), 0.5 * (x + z));
    }
    InverseInertia::of_moments(moments.as_vec3(), frame.as_quat())
}

/// What a part, or an entity between a compound and its parts, may have.
type Node = (
    Option<&'static Transform>,
    Option<&'static Particle>,
    Option<&'static Capsule>,
    Option<&'static Mass>,
    Option<&'static Density>,
    Option<&'static Children>,
);

/// Lists the parts under an entity, whose frame has this map to the compound's.
fn find_members(
    nodes: &Query<Node, Without<Compound>>,
    children: &Children,
    map: DAffine3,
    flat: bool,
    found: &mut Vec<Member>,
) {
    for child in children.iter() {
        let Ok((transform, particle, capsule, mass, density, children)) = nodes.get(child) else {
            continue;
        };
        let map = map * map_by(&transform.copied().unwrap_or_default());
        if (particle.is_some() || capsule.is_some())
            && let Ok(mut place) = without_shear(map)
        {
            if flat {
                flatten(&mut place, false);
            }
            let scale = place.scale.x;
            let (shape, volume) = match (particle, capsule) {
                (Some(particle), None) => {
                    let radius = particle.radius * scale;
                    (Shape::Particle { radius }, particle.volume())
                }
                (None, Some(capsule)) => {
                    let (radius, half_length) =
                        (capsule.radius * scale, 0.5 * capsule.length * scale);
                    let shape = Shape::Capsule {
                        radius,
                        half_length,
                    };
                    (shape, capsule.volume())
                }
                _ => continue,
            };
            // The mass stays where the density is bad.
            let density = density.filter(|it| it.0.is_finite() && it.0 > 0.0);
            let by_density = density.map(|density| density.0 * volume * (scale * scale * scale));
            let mass = by_density.or(mass.map(|mass| mass.0)).unwrap_or(0.0);
            let is_sound = |x: f32| x.is_finite() && x > 0.0;
            // The gathering tells what is wrong with it.
            if is_sound(mass) && is_sound(shape.radius()) && place.translation.is_finite() {
                found.push(Member {
                    entity: child,
                    shape,
                    mass,
                    place,
                });
            }
        }
        if let Some(children) = children {
            find_members(nodes, children, map, flat, found);
        }
    }
}

/// Finds the compounds and their parts, marks those that have changed, and gives each compound the sum of the masses.
pub(crate) fn find_compounds(
    mut wholes: Query<
        (
            Entity,
            &Transform,
            &RigidBody,
            (
                Option<&Inertia>,
                Has<LockedRotation>,
                Option<&CenterOfMass>,
                Has<OverlapCountedOnce>,
            ),
            Option<&Children>,
            Option<&ChildOf>,
            Has<MovedByTransform>,
            (&mut Mass, &mut CompoundMass),
        ),
        (With<Compound>, Without<InWorld>),
    >,
    nodes: Query<Node, Without<Compound>>,
    ancestors: Ancestors,
    config: Res<CollisionConfig>,
    mut compounds: ResMut<Compounds>,
    mut bodies: ResMut<Bodies>,
) {
    if wholes.is_empty() && compounds.wholes.is_empty() {
        return;
    }
    let mut before = std::mem::take(&mut *compounds);
    let mut members = Vec::new();
    for (entity, transform, kind, own, children, child_of, is_moved, masses) in &mut wholes {
        let (own, is_locked, centre, counts_once) = own;
        members.clear();
        let parent = child_of.map(ChildOf::parent);
        let scale = match parent {
            Some(_) => without_shear(ancestors.parents.map_of(entity)).map(|place| place.scale),
            None => Ok(transform.scale),
        };
        let is_carried = || {
            let carrier = parent.map(|parent| ancestors.carrier(parent, transform));
            matches!(carrier, Some(Ok(Some(_))))
        };
        let is_moved = match kind.is_static() {
            true => is_moved || is_carried(),
            false => is_moved && may_follow(true, Some(kind)),
        };
        let kind = kind_of(true, Some(kind), is_moved);
        let (Some(children), Ok(scale)) = (children, scale) else {
            continue;
        };
        // A compound with another scale is left out with its parts, and told: they are not.
        let is_sound = Transform::check_field("scale", ProblemReason::UnevenScale, scale).is_ok();
        let scale = if is_sound { scale } else { Vec3::ONE };
        let map = DAffine3::from_scale(scale.as_dvec3());
        find_members(&nodes, children, map, config.flat, &mut members);
        if members.is_empty() {
            continue;
        }
        let own = own.filter(|own| own.is_possible());
        let centre = centre.filter(|centre| centre.is_finite());
        let centre = centre.map(|centre| match config.flat {
            true => in_plane(centre.0 * scale),
            false => centre.0 * scale,
        });
        let own = (kind, own, is_locked, config.flat);
        let shared = match counts_once && members.len() > 1 {
            true => compounds.share(entity, &members, &mut before),
            false => MassMoments::ZERO,
        };
        compounds.add(entity, own, centre, &members, shared);
        if let Some(whole) = compounds.wholes.last() {
            let (mut mass, mut known) = masses;
            mass.set_if_neq(Mass(whole.mass));
            known.set_if_neq(CompoundMass {
                centre: whole.centre,
                inverse_inertia: whole.inverse_inertia,
            });
        }
    }
    compounds.wholes.sort_unstable_by_key(|whole| whole.entity);
    compounds.parts.sort_unstable_by_key(|part| part.entity);
    compounds.shared.sort_unstable_by_key(|it| it.entity);

    // Those that are new, have changed, or are no longer there.
    let mut changes = before.changes;
    let mut mark = |entity: Entity| {
        changes += 1;
        if let Some(i) = bodies.index_of(entity) {
            bodies.mark_changed(i);
        }
    };
    let is_other = |whole: &&Whole, others: &Compounds| others.whole(whole.entity) != Some(*whole);
    let new = compounds.wholes.iter().filter(|it| is_other(it, &before));
    let gone = before.wholes.iter().filter(|it| is_other(it, &compounds));
    new.chain(gone).for_each(|whole| mark(whole.entity));
    let is_other = |part: &&Part, others: &Compounds| others.part(part.entity) != Some(*part);
    let new = compounds.parts.iter().filter(|it| is_other(it, &before));
    let gone = before.parts.iter().filter(|it| is_other(it, &compounds));
    new.chain(gone).for_each(|part| mark(part.entity));
    compounds.changes = changes;
}
