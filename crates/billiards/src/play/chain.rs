//! Racks that are hit: balls touch for a quarter of a millisecond, and in this time a fast ball closes the gaps of a rack. So
//! the rack is one elastic chain. Rigid impacts one after another, or all at once, send the balls elsewhere.
//!
//! The physics' impacts take no time. Here, where a ball hits one of several that nearly touch, the balls of that rack follow
//! the law of H. Hertz (1881) for one step: two balls squeezed by δ push with F = k·δ^(3/2)·(1 + 3/2·(1 − e)·δ'/v),
//! k = 4/3·E*·√(R/2), with the speed v of their approach. The bracket takes the energy that the restitution e says (K. Hunt and
//! F. Crossley, 1975).

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    leaving::Falling,
    state::{Phase, phase_is},
};
use crate::{
    rules::Ball,
    table::{bed::Table, spec::BallSpec},
};

/// Young's modulus in Pa and Poisson's ratio of phenolic resin.
const YOUNG: f32 = 5.8e9;
const POISSON: f32 = 0.34;
/// Balls with a gap of less than this in m are a rack: at a few m/s the gap closes while they touch.
const REACH: f32 = 5e-4;
/// Slower than this, in m/s, a contact of one quarter of a millisecond closes no gap.
const FAST: f32 = 0.5;
/// Step in s in which balls that touch are followed.
const TICK: f32 = 1e-6;

/// A ball at the start of a step.
#[derive(Clone, Copy, Debug)]
struct Link {
    entity: Entity,
    ball: Ball,
    x: Vec3,
    v: Vec3,
    w: Vec3,
}

/// The balls at the start of the step.
#[derive(Resource, Default)]
struct Before(Vec<Link>);

/// Two balls of a rack.
#[derive(Clone, Copy, Debug)]
struct Touch {
    a: usize,
    b: usize,
    /// Their fastest approach in m/s, while they touch.
    met_at: Option<f32>,
}

/// Lets racks be elastic.
pub(super) struct ChainPlugin;

impl Plugin for ChainPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Before>().add_systems(
            FixedPostUpdate,
            (
                note_balls.before(ImpulseSystems::Gather),
                squeeze.after(ImpulseSystems::WriteBack),
            )
                .run_if(phase_is(Phase::Roll)),
        );
    }
}

type OnTable = (With<Ball>, With<Particle>, Without<Falling>);

fn note_balls(
    mut before: ResMut<Before>,
    balls: Query<(Entity, &Ball, &Transform, &LinearVelocity, &AngularVelocity), OnTable>,
) {
    before.0.clear();
    before
        .0
        .extend(balls.iter().map(|(entity, ball, place, v, w)| Link {
            entity,
            ball: *ball,
            x: place.translation,
            v: v.0,
            w: w.0,
        }));
    // The order of the balls is the same on all machines; that of the entities need not be.
    before.0.sort_unstable_by_key(|link| link.ball.0);
}

/// Where a rack was hit in this step, its balls move as an elastic chain does.
fn squeeze(
    mut before: ResMut<Before>,
    table: Res<Table>,
    gravity: Res<Gravity>,
    time: Res<Time>,
    mut balls: Query<(&mut Transform, &mut LinearVelocity, &mut AngularVelocity), OnTable>,
) {
    let (spec, h) = (table.spec, time.delta_secs());
    let chain = hit_rack(&before.0, &spec.ball, h);
    if chain.is_empty() {
        return;
    }
    let links = &mut before.0;
    follow(links, &chain, &spec.ball, h);
    // At a cushion the physics' own impacts hold: the chain knows none.
    let inside = spec.half - spec.ball.radius;
    if chain
        .iter()
        .any(|i| links[*i].x.xz().abs().cmpgt(inside).any())
    {
        return;
    }
    for &i in &chain {
        let link = &mut links[i];
        slide(
            link,
            spec.ball.radius,
            spec.cloth.sliding * gravity.0.length() * h,
        );
        if let Ok((mut place, mut v, mut w)) = balls.get_mut(link.entity) {
            place.translation = link.x;
            (v.0, w.0) = (link.v, link.w);
        }
    }
}

/// Indices of the balls of racks that are hit within `h` seconds, and of the balls that hit them.
fn hit_rack(links: &[Link], ball: &BallSpec, h: f32) -> Vec<usize> {
    let across = 2.0 * ball.radius;
    let gap = |i: usize, j: usize| links[i].x.distance(links[j].x) - across;
    let count = links.len();
    let pairs = || (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)));
    let is_hit = |i: usize, j: usize| {
        let (apart, way) = (links[j].x - links[i].x, links[i].v - links[j].v);
        let speed = way.dot(apart.normalize_or_zero());
        let aside = || {
            let along = way.normalize_or_zero();
            apart.reject_from_normalized(along).length()
        };
        speed > FAST && gap(i, j) < way.length() * h && (gap(i, j) < REACH || aside() < across)
    };
    let hits: Vec<(usize, usize)> = pairs().filter(|(i, j)| is_hit(*i, *j)).collect();
    if hits.is_empty() {
        return Vec::new();
    }
    // Balls that a chain of small gaps connects have the same root.
    let mut root: Vec<usize> = (0..count).collect();
    for (i, j) in pairs().filter(|(i, j)| gap(*i, *j) < REACH) {
        let (kept, other) = (root[i].min(root[j]), root[i].max(root[j]));
        root.iter_mut()
            .filter(|root| **root == other)
            .for_each(|root| *root = kept);
    }
    let size = |i: usize| root.iter().filter(|other| **other == root[i]).count();
    let mut chain = Vec::new();
    for (i, j) in hits {
        // Two balls that meet alone are no chain.
        if size(i).max(size(j)) + usize::from(root[i] != root[j]) < 3 {
            continue;
        }
        let hit = [root[i], root[j]];
        chain.extend((0..count).filter(|k| hit.contains(&root[*k])));
    }
    // Balls that the chain can throw on others in this step.
    let fastest = chain
        .iter()
        .map(|i: &usize| links[*i].v.length())
        .fold(0.0, f32::max);
    let may_meet = |i: usize, j: usize| gap(i, j) < 2.0 * fastest * h;
    chain.sort_unstable();
    chain.dedup();
    let mut next = 0;
    while let Some(&i) = chain.get(next) {
        for j in 0..count {
            if may_meet(i, j) && !chain.contains(&j) {
                chain.push(j);
            }
        }
        next += 1;
    }
    chain.sort_unstable();
    chain
}

/// Moves the balls of the chain by `h` seconds without cloth and cushions.
fn follow(links: &mut [Link], chain: &[usize], ball: &BallSpec, h: f32) {
    let across = 2.0 * ball.radius;
    let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    let stiffness = 4.0 / 3.0 * modulus * (0.5 * ball.radius).sqrt() / ball.mass;
    let mut touches: Vec<Touch> = Vec::new();
    for (k, &a) in chain.iter().enumerate() {
        let others = chain[k + 1..].iter();
        touches.extend(others.map(|&b| Touch { a, b, met_at: None }));
    }
    let mut left = h;
    while left > 0.0 {
        let tick = quiet_time(links, &touches, across).min(left);
        for touch in &mut touches {
            push(links, touch, ball, stiffness, across, tick);
        }
        for &i in chain {
            links[i].x += links[i].v * tick;
        }
        left -= tick;
    }
}

/// Time in s until the next two balls can touch, and a tick if some do.
fn quiet_time(links: &[Link], touches: &[Touch], across: f32) -> f32 {
    let mut quiet = f32::INFINITY;
    for Touch { a, b, met_at } in touches {
        if met_at.is_some() {
            return TICK;
        }
        let apart = links[*b].x - links[*a].x;
        let gap = apart.length() - across;
        let speed = (links[*a].v - links[*b].v).length();
        if apart.dot(links[*a].v - links[*b].v) > 0.0 {
            quiet = quiet.min(0.9 * gap / speed);
        }
    }
    quiet.max(TICK)
}

/// Lets two balls push each other for `tick` seconds. `stiffness` is k over the mass.
fn push(
    links: &mut [Link],
    touch: &mut Touch,
    ball: &BallSpec,
    stiffness: f32,
    across: f32,
    tick: f32,
) {
    let (a, b) = (links[touch.a], links[touch.b]);
    let apart = b.x - a.x;
    let square = apart.length_squared();
    if square >= across * across {
        touch.met_at = None;
        return;
    }
    let distance = square.sqrt();
    let (n, squeezed) = (apart / distance, across - distance);
    let speed = (a.v - b.v).dot(n);
    // Balls of a rack may touch before they are squeezed.
    let met_at = touch.met_at.unwrap_or(1e-3).max(speed);
    touch.met_at = Some(met_at);
    let lossy = 1.0 + 1.5 * (1.0 - ball.restitution) * speed / met_at;
    let impulse = (stiffness * squeezed * squeezed.sqrt() * lossy * tick).max(0.0);
    // Friction: at most what stops the sliding.
    let surface = a.v - b.v + ball.radius * (a.w + b.w).cross(n);
    let sliding = surface - n * surface.dot(n);
    let sliding_speed = sliding.length();
    let friction = ball.friction.at(sliding_speed);
    let slow = (friction * impulse / sliding_speed.max(1e-9)).min(1.0 / 7.0);
    let (along, aside) = (n * impulse, -sliding * slow);
    let spin = n.cross(aside) * (2.5 / ball.radius);
    let Ok([a, b]) = links.get_disjoint_mut([touch.a, touch.b]) else {
        return;
    };
    a.v += aside - along;
    b.v += along - aside;
    a.w += spin;
    b.w += spin;
    // The cloth holds what friction presses down.
    for link in [a, b] {
        link.v.y = link.v.y.max(0.0);
    }
}

/// The cloth slows the sliding of a ball by `most` m/s.
fn slide(link: &mut Link, radius: f32, most: f32) {
    let slip = link.v - radius * link.w.cross(Vec3::Y);
    let slip = Vec3::new(slip.x, 0.0, slip.z);
    let speed = slip.length();
    if speed > 0.0 {
        let dv = -slip / speed * most.min(speed * 2.0 / 7.0);
        link.v += dv;
        link.w += (2.5 / radius) * Vec3::NEG_Y.cross(dv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{
        rack::{Gaps, Rack},
        spec::{BallFriction, POOL_9},
    };

    const SMOOTH: BallSpec = BallSpec {
        friction: BallFriction::constant(0.0),
        ..POOL_9.ball
    };

    fn link(at: Vec2, v: Vec3) -> Link {
        Link {
            entity: Entity::PLACEHOLDER,
            ball: Ball::CUE,
            x: Vec3::new(at.x, SMOOTH.radius, at.y),
            v,
            w: Vec3::ZERO,
        }
    }

    /// A ball that goes at `speed` m/s at one at rest, 0.1 mm away.
    fn pair(speed: f32) -> [Link; 2] {
        let far = 2.0 * SMOOTH.radius + 1e-4;
        [
            link(Vec2::ZERO, speed * Vec3::X),
            link(far * Vec2::X, Vec3::ZERO),
        ]
    }

    #[test]
    fn two_balls_part_with_their_restitution_after_hertz_time() {
        for speed in [1.0f32, 3.0, 9.0] {
            let mut links = pair(speed);
            follow(&mut links, &[0, 1], &SMOOTH, 2e-3);
            let parting = links[1].v.x - links[0].v.x;
            // The bracket's law holds to first order in 1 − e.
            let expected = SMOOTH.restitution * speed;
            assert!((parting / expected - 1.0).abs() < 0.01, "{parting}");
            let momentum = links[0].v.x + links[1].v.x;
            assert!((momentum / speed - 1.0).abs() < 1e-4, "{momentum}");

            // T = 2.868·(m'²/(R'·E*²·v))^(1/5), with half the mass and half the radius (K. L. Johnson, Contact Mechanics).
            let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
            let (mass, radius) = (0.5 * SMOOTH.mass, 0.5 * SMOOTH.radius);
            let time = 2.868 * (mass * mass / (radius * modulus * modulus * speed)).powf(0.2);
            let parts_after = |seconds: f32| {
                let mut links = pair(speed);
                follow(&mut links, &[0, 1], &SMOOTH, 1e-4 / speed + seconds);
                links[0].x.distance(links[1].x) > 2.0 * SMOOTH.radius
            };
            assert!(!parts_after(0.93 * time) && parts_after(1.07 * time));
        }
    }

    #[test]
    fn a_rack_keeps_momentum_and_gains_no_energy() {
        for rack in 0..5 {
            let places = Rack::EightBall.places(&POOL_9, Gaps::Triangle { rack });
            let mut links: Vec<Link> = places.iter().map(|(_, at)| link(*at, Vec3::ZERO)).collect();
            let apex = links[1].x;
            links[0].x = apex - Vec3::new(2.0 * SMOOTH.radius + 0.01, 0.0, 0.002);
            links[0].v = 8.0 * Vec3::X;
            let chain = hit_rack(&links, &SMOOTH, 1.0 / 120.0);
            assert_eq!(chain.len(), 16);
            follow(&mut links, &chain, &SMOOTH, 1.0 / 120.0);
            let momentum: Vec3 = links.iter().map(|link| link.v).sum();
            assert!(momentum.distance(8.0 * Vec3::X) < 1e-3, "{momentum}");
            let energy: f32 = links.iter().map(|link| link.v.length_squared()).sum();
            assert!((0.3..1.0).contains(&(energy / 64.0)), "{energy}");
            // No ball of a real rack stays where it was.
            let slowest = links.iter().map(|link| link.v.length()).fold(9.0, f32::min);
            assert!(slowest > 0.02, "{slowest}");
        }
    }

    #[test]
    fn two_balls_that_meet_alone_are_no_chain() {
        assert!(hit_rack(&pair(3.0), &SMOOTH, 1.0 / 120.0).is_empty());
        let resting = pair(0.0);
        assert!(hit_rack(&resting, &SMOOTH, 1.0 / 120.0).is_empty());
    }
}
