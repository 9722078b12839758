//! The pairs that a user's systems see.

use bevy::prelude::*;

use crate::{
    body::PairRule,
    messages::{other_of, sign_on},
};

/// A rule of a pair of entities.
pub(super) type RuledPair = ((Entity, Entity), PairRule);

/// Two bodies that are near each other at the start of a substep, and what a user's systems say about them.
///
/// A rule holds until a system gives another one, or the two are no longer near each other.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearPair {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// The gap between the surfaces in m; zero or less if they touch. If one is deep inside the other, it may be an earlier gap.
    pub gap: f32,
    /// Unit vector from `b` to `a`, between the nearest points. If one is deep inside the other, it may be that of any face.
    pub normal: Vec3,
    /// The point of the surface of `b` that is nearest to `a`, in m.
    pub point: Vec3,
    /// Velocity of `a` relative to `b` at the nearest points, in m/s.
    pub velocity: Vec3,
    /// Whether the two pass through each other. At first: no.
    pub is_ignored: bool,
    /// The pair's coefficient of friction; `None`, as at first, for the one that the materials give. Below zero counts as zero.
    pub friction: Option<f32>,
    /// The pair's restitution; `None`, as at first, for the one that the materials give. It counts from 0 to 1.
    pub restitution: Option<f32>,
    /// The pair's tangential restitution β, which counts from 0 to 1; `None`, as at first, for 0.
    ///
    /// An impact turns the sliding v_t of two balls, or of a ball and an immovable body, round to −β·v_t, as far as friction can: so
    /// do superballs, and cushions that give way along themselves. Contacts that last, and other bodies, do not know it.
    pub tangential_restitution: Option<f32>,
}

impl NearPair {
    /// The other body; `None` if `body` is none of the two.
    pub fn other(&self, body: Entity) -> Option<Entity> {
        other_of((self.a, self.b), body)
    }

    /// Unit vector from the other body to `body`; `None` if `body` is none of the two.
    pub fn normal_on(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.normal)
    }

    /// Velocity of `body` relative to the other one in m/s; `None` if `body` is none of the two.
    pub fn velocity_of(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.velocity)
    }

    /// The pair with other entities: `a` is again the body whose entity sorts first.
    pub(crate) fn mapped(self, mut map: impl FnMut(Entity) -> Entity) -> Self {
        let (a, b) = (map(self.a), map(self.b));
        if a < b {
            return Self { a, b, ..self };
        }
        Self {
            a: b,
            b: a,
            normal: -self.normal,
            velocity: -self.velocity,
            ..self
        }
    }

    /// The rules that the systems have given. A coefficient that is not a number counts as none.
    pub(super) fn rule(&self) -> PairRule {
        let number = |value: Option<f32>| value.filter(|value| !value.is_nan());
        PairRule {
            is_ignored: self.is_ignored,
            friction: number(self.friction).map(|value| value.clamp(0.0, f32::MAX)),
            restitution: number(self.restitution).map(|value| value.clamp(0.0, 1.0)),
            tangential_restitution: number(self.tangential_restitution)
                .map(|value| value.clamp(0.0, 1.0)),
        }
    }
}

/// The pairs of bodies with [`CollisionHooks`](crate::components::CollisionHooks) that are near each other, sorted by entities.
///
/// It is for the systems in [`PairHooks`](crate::schedule::PairHooks). All dynamic bodies that a body may meet in the substep are
/// there, fast ones too.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// #[derive(Component)]
/// struct Ice;
///
/// /// Ice is smooth for everybody.
/// fn ice(mut pairs: ResMut<NearPairs>, ice: Query<(), With<Ice>>) {
///     for pair in pairs.iter_mut() {
///         if ice.contains(pair.a) || ice.contains(pair.b) {
///             pair.friction = Some(0.0);
///         }
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(PairHooks, ice);
/// # bevy::ecs::system::assert_is_system(ice);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct NearPairs {
    pub(super) pairs: Vec<NearPair>,
    /// The rules that the stages know, sorted.
    pub(super) ruled: Vec<RuledPair>,
}

impl NearPairs {
    /// The rules that the systems have given, sorted. The other pairs have no rule.
    pub(super) fn rules(&self) -> Vec<RuledPair> {
        let rules = self
            .pairs
            .iter()
            .map(|pair| ((pair.a, pair.b), pair.rule()));
        rules
            .filter(|(_, rule)| *rule != PairRule::default())
            .collect()
    }

    /// The rules with the pairs of bodies that are joined and pass through each other. All are sorted.
    pub(super) fn with_parted(
        mut rules: Vec<RuledPair>,
        parted: &[(Entity, Entity)],
    ) -> Vec<RuledPair> {
        if parted.is_empty() {
            return rules;
        }
        for (_, rule) in rules
            .iter_mut()
            .filter(|(pair, _)| parted.binary_search(pair).is_ok())
        {
            rule.is_ignored = true;
        }
        let known = rules.len();
        let is_new = |pair: &&(Entity, Entity)| {
            let found = rules[..known].binary_search_by_key(*pair, |rule| rule.0);
            found.is_err()
        };
        let ignored = PairRule {
            is_ignored: true,
            ..default()
        };
        let new: Vec<RuledPair> = (parted.iter().filter(is_new))
            .map(|&pair| (pair, ignored))
            .collect();
        rules.extend(new);
        rules.sort_by_key(|rule| rule.0);
        rules
    }

    /// All pairs.
    pub fn iter(&self) -> impl Iterator<Item = &NearPair> {
        self.pairs.iter()
    }

    /// Replaces all pairs, after a world was put back to an earlier state, in which joints parted these bodies.
    pub(crate) fn put_back(&mut self, mut pairs: Vec<NearPair>, parted: &[(Entity, Entity)]) {
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        self.pairs = pairs;
        // The stages have known these rules already: nothing wakes.
        self.ruled = Self::with_parted(self.rules(), parted);
    }

    /// All pairs, to say something about them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut NearPair> {
        self.pairs.iter_mut()
    }
}
