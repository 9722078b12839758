//! The largest pile: the boulders that hang together by contacts, and how densely they lie.

use bevy::{
    ecs::{entity::EntityHashMap, system::SystemParam},
    math::DVec3,
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

use super::{
    boulder::{Boulder, DENSITY, balls_in_world},
    sphere::{Sphere, outline},
};

/// The largest pile.
#[derive(Serialize, Clone, Copy, Debug, Default)]
pub struct Pile {
    /// Boulders that hang together by contacts.
    pub boulders: usize,
    /// Their part of all boulders.
    pub share: f64,
    /// Mass over the volume of the outline, in kg/m³. The outline is a skin around the pile: in each direction from its centre of
    /// mass it goes to the outermost point of a boulder.
    pub bulk_density: f64,
    /// The part of the volume in the outline that is empty.
    pub porosity: f64,
}

impl Pile {
    /// Whether it is worth the name: boulders that fall together meet before.
    pub(super) fn is_one(&self) -> bool {
        self.boulders > 3 && self.share > 0.3
    }
}

/// Finds the largest pile.
#[derive(SystemParam)]
pub(super) struct FindPile<'w, 's> {
    contacts: Res<'w, Contacts>,
    parents: Query<'w, 's, &'static ChildOf>,
    boulders: Query<
        'w,
        's,
        (
            Entity,
            &'static Boulder,
            &'static Transform,
            &'static Children,
        ),
    >,
    balls: Query<'w, 's, (&'static Particle, &'static Transform), Without<Boulder>>,
}

impl FindPile<'_, '_> {
    /// The largest pile now.
    pub fn pile(&self) -> Pile {
        let entities: Vec<Entity> = self.boulders.iter().map(|boulder| boulder.0).collect();
        let numbers: EntityHashMap<usize> = entities.iter().copied().zip(0..).collect();
        let number = |part: Entity| {
            let parent = self.parents.get(part).ok()?.parent();
            numbers.get(&parent).copied()
        };
        let mut sets = Sets((0..entities.len()).collect());
        for contact in self.contacts.iter().filter(|contact| contact.is_touching) {
            if let (Some(a), Some(b)) = (number(contact.a), number(contact.b)) {
                sets.join(a, b);
            }
        }
        let members = sets.largest();
        let boulders = members.iter().map(|&k| self.boulders.get(entities[k]));
        let boulders: Vec<_> = boulders.flatten().collect();
        let (mut volume, mut center) = (0.0, DVec3::ZERO);
        for (_, boulder, transform, _) in &boulders {
            volume += boulder.volume;
            center += boulder.volume * transform.translation.as_dvec3();
        }
        if volume <= 0.0 {
            return default();
        }
        let mut balls = Vec::new();
        for (_, _, transform, children) in &boulders {
            let own = self.balls.iter_many(children.iter());
            balls.extend(balls_in_world(transform, own, center / volume));
        }
        let sphere = Sphere::new(3);
        let within = sphere.volume(&outline(&sphere.directions, &balls));
        Pile {
            boulders: boulders.len(),
            share: boulders.len() as f64 / entities.len() as f64,
            bulk_density: DENSITY * volume / within,
            porosity: 1.0 - volume / within,
        }
    }
}

/// Sets of numbers: each number leads to another one of its set, and the last to itself.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut k: usize) -> usize {
        while self.0[k] != k {
            self.0[k] = self.0[self.0[k]];
            k = self.0[k];
        }
        k
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The numbers of the largest set.
    fn largest(&mut self) -> Vec<usize> {
        let all = self.0.len();
        let roots: Vec<usize> = (0..all).map(|k| self.root(k)).collect();
        let mut sizes = vec![0; all];
        roots.iter().for_each(|&root| sizes[root] += 1);
        let Some(largest) = (0..all).max_by_key(|&k| sizes[k]) else {
            return Vec::new();
        };
        (0..all).filter(|&k| roots[k] == largest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_set_is_found() {
        let mut sets = Sets((0..7).collect());
        for (a, b) in [(0, 1), (5, 3), (3, 6), (6, 5)] {
            sets.join(a, b);
        }
        assert_eq!(sets.largest(), [3, 5, 6]);
        assert!(Sets(Vec::new()).largest().is_empty());
    }
}
