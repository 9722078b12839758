//! A ball above a plane in one dimension: its exact motion, and three simple ways to step it.
//!
//! All three are leapfrog, x(t) with v(t−h/2), which is exact as long as the ball flies freely. They differ in how they
//! treat the plane, at x = 0, and none of them asks when in a step the ball met it. Projection leaves the ball at x = 0, so
//! touching means x ≤ 0.

/// The gravity and the restitution of the ball.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// g in m/s², downward.
    pub gravity: f64,
    /// e: the part of its speed that an impact gives back.
    pub restitution: f64,
    /// h: length of a step in seconds.
    pub step: f64,
}

/// A ball between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leapfrog {
    /// x(t): height in metres.
    pub x: f64,
    /// v(t−h/2) in m/s, upward.
    pub v: f64,
}

impl Leapfrog {
    /// At rest at height `x`.
    pub fn at_rest(x: f64, law: Law) -> Self {
        Self {
            x,
            v: 0.5 * law.gravity * law.step,
        }
    }

    /// v(t) = v(t−h/2) − g·h/2, if the ball flies freely.
    pub fn velocity(self, law: Law) -> f64 {
        self.v - 0.5 * law.gravity * law.step
    }

    /// Touches the plane and goes on into it.
    fn is_hitting(self) -> bool {
        self.x <= 0.0 && self.v < 0.0
    }
}

/// A step: from the ball at t to the ball at t + h.
pub type Stepper = fn(Leapfrog, Law) -> Leapfrog;

/// Plain leapfrog with impulses:
///
/// 1. impact: if x ≤ 0 and v < 0, v = −e·v
/// 2. gravity: v = v − g·h
/// 3. contact: if x ≤ 0 and v < 0, v = 0
/// 4. integrate: x = x + h·v
/// 5. project: if x < 0, x = 0
///
/// The impact sees v(t−h/2), not the velocity of its own time.
pub fn leapfrog(mut ball: Leapfrog, law: Law) -> Leapfrog {
    if ball.is_hitting() {
        ball.v *= -law.restitution;
    }
    ball.v -= law.gravity * law.step;
    project(integrate(contact(ball), law))
}

/// [`leapfrog`] with half-step correction: the impact sees v(t) = v(t−h/2) − g·h/2.
///
/// 1. half-step correction: v = v − g·h/2
/// 2. impact: if x ≤ 0 and v < 0, v = −e·v
/// 3. the other half: v = v − g·h/2
/// 4. contact, integrate and project as before
///
/// Gravity is balanced now. The remaining error comes from projection: it lifts the ball, and so gives it energy.
pub fn half_step_corrected(ball: Leapfrog, law: Law) -> Leapfrog {
    project(integrate(contact(corrected_impact(ball, law)), law))
}

/// [`half_step_corrected`] without a treatment of contacts, neither v = 0 nor x = 0: impacts alone must carry the ball.
///
/// 1. half-step correction: v = v − g·h/2
/// 2. impact: if x ≤ 0 and v < 0, v = −e·v
/// 3. the other half: v = v − g·h/2
/// 4. integrate: x = x + h·v
///
/// With e = 1 such a bounce runs the same steps back up, and keeps its height; with less, the ball creeps into the plane.
pub fn without_contact(ball: Leapfrog, law: Law) -> Leapfrog {
    integrate(corrected_impact(ball, law), law)
}

fn corrected_impact(mut ball: Leapfrog, law: Law) -> Leapfrog {
    let half_kick = 0.5 * law.gravity * law.step;
    ball.v -= half_kick;
    if ball.is_hitting() {
        ball.v *= -law.restitution;
    }
    ball.v -= half_kick;
    ball
}

fn contact(mut ball: Leapfrog) -> Leapfrog {
    if ball.is_hitting() {
        ball.v = 0.0;
    }
    ball
}

fn integrate(ball: Leapfrog, law: Law) -> Leapfrog {
    Leapfrog {
        x: ball.x + law.step * ball.v,
        ..ball
    }
}

fn project(ball: Leapfrog) -> Leapfrog {
    Leapfrog {
        x: ball.x.max(0.0),
        ..ball
    }
}

/// Height of a ball `time` seconds after it was dropped from height `drop`, exactly.
///
/// It lands after √(2·drop/g) at speed v₀. Bounce k starts at speed eᵏ·v₀ and takes 2·eᵏ·v₀/g. The durations are a
/// geometric series, so the number m of whole bounces before a time has a closed form, and so has the moment at which all
/// of them are over.
pub fn exact_height(drop: f64, gravity: f64, restitution: f64, time: f64) -> f64 {
    let fall = (2.0 * drop / gravity).sqrt();
    if time <= fall {
        return drop - 0.5 * gravity * time * time;
    }
    let (e, landing_speed) = (restitution, gravity * fall);
    // In units of the bounce that would lose nothing: bounce k takes e^k.
    let unit = 2.0 * landing_speed / gravity;
    let since = (time - fall) / unit;
    // Durations of the first m bounces: e + … + e^m.
    let series = |m: f64| {
        if e == 1.0 {
            m
        } else {
            e * (1.0 - e.powf(m)) / (1.0 - e)
        }
    };
    let whole = if e == 1.0 {
        since.floor()
    } else {
        let left = 1.0 - since * (1.0 - e) / e;
        if e == 0.0 || left <= 0.0 {
            return 0.0;
        }
        (left.ln() / e.ln()).floor()
    };
    let tau = (since - series(whole)) * unit;
    let speed = landing_speed * e.powf(whole + 1.0);
    (tau * (speed - 0.5 * gravity * tau)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DROP: f64 = 2.0;

    fn law(restitution: f64, hz: f64) -> Law {
        Law {
            gravity: 9.81,
            restitution,
            step: 1.0 / hz,
        }
    }

    fn run(stepper: Stepper, law: Law, seconds: f64) -> Vec<Leapfrog> {
        let mut ball = Leapfrog::at_rest(DROP, law);
        (0..(seconds / law.step) as usize)
            .map(|_| {
                ball = stepper(ball, law);
                ball
            })
            .collect()
    }

    #[test]
    fn free_fall_is_exact() {
        let law = law(1.0, 60.0);
        for stepper in [leapfrog, half_step_corrected, without_contact] {
            for (i, ball) in run(stepper, law, 0.6).iter().enumerate() {
                let exact = exact_height(DROP, law.gravity, 1.0, (i + 1) as f64 * law.step);
                assert!((ball.x - exact).abs() < 1e-12, "{ball:?} is not at {exact}");
            }
        }
    }

    #[test]
    fn only_contact_treatment_keeps_a_ball_on_the_plane() {
        let law = law(0.6, 60.0);
        let lowest_and_highest = |stepper| {
            let heights = run(stepper, law, 20.0);
            let late = heights.iter().rev().take(60).map(|ball| ball.x);
            (
                late.clone().fold(f64::INFINITY, f64::min),
                late.fold(f64::NEG_INFINITY, f64::max),
            )
        };
        assert_eq!(lowest_and_highest(leapfrog), (0.0, 0.0));
        let hop = law.gravity * law.step * law.step;
        let (lowest, highest) = lowest_and_highest(half_step_corrected);
        assert!(lowest >= 0.0 && highest < hop);
        let (_, highest) = lowest_and_highest(without_contact);
        assert!(highest < -0.1, "{highest} m");
    }

    #[test]
    fn elastic_bounces_of_the_steppers() {
        let law = law(1.0, 60.0);
        let last_apex = |stepper| {
            let heights = run(stepper, law, 20.0);
            let last = heights.iter().rev().take(120);
            last.map(|ball| ball.x).fold(0.0, f64::max)
        };
        assert!(last_apex(leapfrog) < 0.99 * DROP);
        assert!(last_apex(half_step_corrected) > 1.1 * DROP);
        assert!((last_apex(without_contact) / DROP - 1.0).abs() < 1e-3);
    }

    #[test]
    fn exact_apexes_are_powers_of_the_restitution() {
        let fall = (2.0 * DROP / 9.81f64).sqrt();
        for e in [1.0, 0.8, 0.6f64] {
            let mut landing = fall;
            for bounce in 1..=10 {
                let half = fall * e.powi(bounce);
                let apex = exact_height(DROP, 9.81, e, landing + half);
                assert!((apex / DROP - e.powi(2 * bounce)).abs() < 1e-9);
                landing += 2.0 * half;
                assert!(exact_height(DROP, 9.81, e, landing) < 1e-9);
            }
        }
        assert_eq!(exact_height(DROP, 9.81, 0.6, 100.0), 0.0);
        assert_eq!(exact_height(DROP, 9.81, 0.0, fall + 1e-3), 0.0);
    }
}
