//! Events: every impact at its own time, from a queue.
//!
//! |d + w·t| = r₁ + r₂, d = x₁ − x₂, w = v₁ − v₂; then n·w becomes −e·n·w
//!
//! Between two kicks of gravity the balls fly straight, and the time of an impact is the root of a quadratic equation. A queue holds the
//! next impact of each pair of neighbours. A ball that leaves the neighbourhood that its list was made for is an event too: so an event
//! costs the logarithm of the number of balls, and no time is lost where nothing happens. Nothing overlaps.
//!
//! Balls at rest have an impact after each kick, then another one, sooner and sooner, without end. An impact that follows another one
//! within the time that a contact lasts is elastic therefore. The planet is a dense gas that costs more, the calmer it is.
//!
//! Sources: B. Alder and T. Wainwright, J. Chem. Phys. 31 (1959) 459; D. Rapaport, J. Comput. Phys. 34 (1980) 184 (the queue);
//! A. Donev, S. Torquato and F. Stillinger, J. Comput. Phys. 202 (2005) 737 (lists of neighbours); S. Luding and S. McNamara, Granular
//! Matter 1 (1998) 113 (contacts that last).

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use bevy::{
    math::{DVec3, IVec3},
    platform::collections::HashMap,
    prelude::*,
};
use bevy_impulse_collide::{Shape, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::replace::replace_step;

/// Impacts of hard balls, soonest first.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Events {
    /// e, the part of its speed that an approach gives back, 0 to 1. Default: 0.5.
    pub elasticity: f32,
    /// An impact within this time in s after another one of either ball is elastic. Default: 1e-4.
    pub contact_time: f32,
    /// Most impacts of a step, for each ball. Later ones are left out, and balls overlap. Default: 100.
    pub impacts_per_ball: u32,
    /// Width of the neighbourhood of a ball, in its radii, above zero. Default: 0.3.
    pub neighbourhood: f32,
}

impl Default for Events {
    fn default() -> Self {
        Self {
            elasticity: 0.5,
            contact_time: 1e-4,
            impacts_per_ball: 100,
            neighbourhood: 0.3,
        }
    }
}

impl Plugin for Events {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        add_newton(app);
        replace_step(app, step);
    }
}

fn step(
    mut bodies: ResMut<Bodies>,
    newton: Res<Newton>,
    method: Res<Events>,
    mut last_impacts: Local<HashMap<Entity, f64>>,
) {
    let bodies = &mut *bodies;
    attract(bodies, &newton, false);
    let numbers: Vec<usize> = (0..bodies.len())
        .filter(|&i| {
            bodies.get(i).is_dynamic() && matches!(bodies.get(i).shape(), Shape::Particle { .. })
        })
        .collect();
    let ball = |&i: &usize| {
        let last_impact = last_impacts.get(&bodies.get(i).entity());
        let last_impact =
            last_impact.map_or(f64::NEG_INFINITY, |time| time - f64::from(bodies.substep()));
        Ball::new(bodies, i, &method, last_impact)
    };
    let balls = numbers.iter().map(ball).collect();
    let mut gas = Gas::new(balls, *method, f64::from(bodies.substep()));
    gas.run();
    last_impacts.clear();
    for (&i, ball) in numbers.iter().zip(&gas.balls) {
        let mut body = bodies.get_mut(i);
        body.set_position(ball.at(gas.end).as_vec3());
        body.set_velocity(ball.v.as_vec3());
        last_impacts.insert(body.entity(), ball.last_impact);
    }
}

/// A ball on its straight way.
struct Ball {
    /// Position in m at `time`.
    x: DVec3,
    time: f64,
    v: DVec3,
    mass: f64,
    radius: f64,
    /// Time of its last impact in s from the start of this step.
    last_impact: f64,
    /// Number of changes of its velocity: an event that was predicted before the last one is void.
    changes: u32,
    /// The middle of its neighbourhood, how far it may go from there, and the balls whose neighbourhoods touch its own.
    middle: DVec3,
    reach: f64,
    neighbours: Vec<usize>,
}

impl Ball {
    fn new(bodies: &Bodies, i: usize, method: &Events, last_impact: f64) -> Self {
        let x = bodies.get(i).position().as_dvec3();
        let radius = f64::from(bodies.get(i).shape().radius());
        Self {
            x,
            time: 0.0,
            v: bodies.get(i).velocity().as_dvec3(),
            mass: f64::from(bodies.get(i).mass()),
            radius,
            last_impact,
            changes: 0,
            middle: x,
            reach: radius * f64::from(method.neighbourhood.max(1e-3)),
            neighbours: Vec::new(),
        }
    }

    fn at(&self, time: f64) -> DVec3 {
        self.x + self.v * (time - self.time)
    }

    fn move_to(&mut self, time: f64) {
        self.x = self.at(time);
        self.time = time;
    }

    /// Time at which it leaves its neighbourhood: |x + v·t − middle| = reach.
    fn leaves_at(&self) -> f64 {
        let apart = self.x - self.middle;
        let (speed, along) = (self.v.length_squared(), apart.dot(self.v));
        let room = (self.reach * self.reach - apart.length_squared()).max(0.0);
        let root = (along * along + speed * room).sqrt();
        let wait = if along > 0.0 {
            room / (along + root)
        } else if speed > 0.0 {
            (root - along) / speed
        } else {
            f64::INFINITY
        };
        self.time + wait
    }
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Impact(usize, usize),
    Leaves(usize),
}

/// An event, void if a velocity of its balls has changed since.
struct Event {
    time: f64,
    kind: Kind,
    changes: (u32, u32),
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time)
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

/// The balls of a step, and their events.
struct Gas {
    balls: Vec<Ball>,
    method: Events,
    /// Length of the step in s.
    end: f64,
    queue: BinaryHeap<Reverse<Event>>,
    /// The balls by the cell of the middle of their neighbourhoods. Two that touch are in the same cell or beside each other.
    cells: HashMap<IVec3, Vec<usize>>,
    cell_size: f64,
}

impl Gas {
    fn new(balls: Vec<Ball>, method: Events, end: f64) -> Self {
        let most = balls.iter().map(|ball| ball.radius + ball.reach);
        let cell_size = 2.0 * most.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let mut gas = Self {
            balls,
            method,
            end,
            queue: BinaryHeap::new(),
            cells: HashMap::default(),
            cell_size,
        };
        for i in 0..gas.balls.len() {
            let cell = gas.cell_of(i);
            gas.cells.entry(cell).or_default().push(i);
        }
        for i in 0..gas.balls.len() {
            gas.list_neighbours(i);
        }
        for i in 0..gas.balls.len() {
            gas.predict(i, |j| j > i);
        }
        gas
    }

    /// Goes from event to event up to the end of the step.
    fn run(&mut self) {
        let most = self.method.impacts_per_ball as usize * self.balls.len();
        let mut impacts = 0;
        while let Some(Reverse(event)) = self.queue.pop() {
            if event.changes != self.changes_of(event.kind) {
                continue;
            }
            match event.kind {
                Kind::Impact(a, b) if impacts < most => {
                    impacts += 1;
                    self.collide(a, b, event.time);
                }
                Kind::Impact(..) => {}
                Kind::Leaves(i) => self.enter_another_neighbourhood(i, event.time),
            }
        }
    }

    fn changes_of(&self, kind: Kind) -> (u32, u32) {
        let changes = |i: usize| self.balls[i].changes;
        match kind {
            Kind::Impact(a, b) => (changes(a), changes(b)),
            Kind::Leaves(i) => (changes(i), 0),
        }
    }

    fn push(&mut self, time: f64, kind: Kind) {
        if time <= self.end {
            let changes = self.changes_of(kind);
            self.queue.push(Reverse(Event {
                time,
                kind,
                changes,
            }));
        }
    }

    /// Predicts when ball `i` will leave its neighbourhood, and when it will hit each neighbour j for which `is_wanted`.
    fn predict(&mut self, i: usize, is_wanted: impl Fn(usize) -> bool) {
        self.push(self.balls[i].leaves_at(), Kind::Leaves(i));
        let now = self.balls[i].time;
        for k in 0..self.balls[i].neighbours.len() {
            let j = self.balls[i].neighbours[k];
            if is_wanted(j)
                && let Some(time) = self.impact_time(i, j, now)
            {
                self.push(time, Kind::Impact(i.min(j), i.max(j)));
            }
        }
    }

    /// When two balls will hit each other. Balls that overlap and approach do so now.
    fn impact_time(&self, a: usize, b: usize, now: f64) -> Option<f64> {
        let (a, b) = (&self.balls[a], &self.balls[b]);
        let (d, w) = (a.at(now) - b.at(now), a.v - b.v);
        let approach = -d.dot(w);
        if approach <= 0.0 {
            return None;
        }
        let reach = a.radius + b.radius;
        let room = d.length_squared() - reach * reach;
        let root = approach * approach - w.length_squared() * room;
        (root >= 0.0).then(|| now + (room / (approach + root.sqrt())).max(0.0))
    }

    fn collide(&mut self, a: usize, b: usize, time: f64) {
        let lasts = f64::from(self.method.contact_time);
        for i in [a, b] {
            self.balls[i].move_to(time);
        }
        let (of_a, of_b) = (&self.balls[a], &self.balls[b]);
        let is_new = time - of_a.last_impact.max(of_b.last_impact) > lasts;
        let elasticity = if is_new {
            f64::from(self.method.elasticity)
        } else {
            1.0
        };
        let normal = (of_a.x - of_b.x).normalize_or_zero();
        let approach = normal.dot(of_a.v - of_b.v).min(0.0);
        let mass = 1.0 / (1.0 / of_a.mass + 1.0 / of_b.mass);
        let impulse = normal * (-(1.0 + elasticity) * approach * mass);
        for (i, sign) in [(a, 1.0), (b, -1.0)] {
            let ball = &mut self.balls[i];
            ball.v += impulse * (sign / ball.mass);
            ball.last_impact = time;
            ball.changes += 1;
        }
        self.predict(a, |_| true);
        self.predict(b, |j| j != a);
    }

    fn enter_another_neighbourhood(&mut self, i: usize, time: f64) {
        self.balls[i].move_to(time);
        let before = self.cell_of(i);
        self.balls[i].middle = self.balls[i].x;
        let now = self.cell_of(i);
        if now != before {
            if let Some(cell) = self.cells.get_mut(&before) {
                cell.retain(|&j| j != i);
            }
            self.cells.entry(now).or_default().push(i);
        }
        let old = std::mem::take(&mut self.balls[i].neighbours);
        for &j in &old {
            self.balls[j].neighbours.retain(|&k| k != i);
        }
        self.list_neighbours(i);
        for k in 0..self.balls[i].neighbours.len() {
            let j = self.balls[i].neighbours[k];
            self.balls[j].neighbours.push(i);
        }
        // The impacts with the old neighbours are in the queue already.
        self.predict(i, |j| !old.contains(&j));
    }

    fn cell_of(&self, i: usize) -> IVec3 {
        (self.balls[i].middle / self.cell_size).floor().as_ivec3()
    }

    /// Lists the balls whose neighbourhoods touch that of ball `i`.
    fn list_neighbours(&mut self, i: usize) {
        let (own, middle) = (&self.balls[i], self.balls[i].middle);
        let cell = self.cell_of(i);
        let beside = || -1..=1;
        let around = beside().flat_map(|x| {
            beside().flat_map(move |y| beside().map(move |z| cell + IVec3::new(x, y, z)))
        });
        let near = around
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied();
        let touches = |&j: &usize| {
            let other = &self.balls[j];
            let reach = own.radius + own.reach + other.radius + other.reach;
            j != i && other.middle.distance_squared(middle) <= reach * reach
        };
        let neighbours = near.filter(touches).collect();
        self.balls[i].neighbours = neighbours;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, v: f64, mass: f64) -> Ball {
        Ball {
            x: DVec3::X * x,
            time: 0.0,
            v: DVec3::X * v,
            mass,
            radius: 0.5,
            last_impact: f64::NEG_INFINITY,
            changes: 0,
            middle: DVec3::X * x,
            reach: 0.15,
            neighbours: Vec::new(),
        }
    }

    /// A ball hits a row of equal ones that stand apart: each stops at the next one, and the last one flies off with its speed.
    #[test]
    fn a_row_hands_the_speed_on() {
        let mut balls = vec![ball(-3.0, 20.0, 1.0)];
        balls.extend((0..10).map(|k| ball(1.5 * f64::from(k), 0.0, 1.0)));
        let method = Events {
            elasticity: 1.0,
            ..default()
        };
        let mut gas = Gas::new(balls, method, 1.0);
        gas.run();
        for (k, ball) in gas.balls.iter().enumerate() {
            let v = if k == 10 { 20.0 } else { 0.0 };
            assert!((ball.v.x - v).abs() < 1e-12, "ball {k}: {}", ball.v.x);
        }
        // The speed has gone 20 m, and each of the ten impacts has handed it on over a diameter.
        let last = gas.balls[10].at(1.0).x;
        assert!((last - (-3.0 + 20.0 + 10.0)).abs() < 1e-9, "{last}");
    }
}
