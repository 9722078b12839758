//! What acts along a freedom that a joint leaves: limits, a motor, a spring.

use std::f64::consts::PI;

/// Most of a half turn that a spring without damping turns its phase by in a substep. A stiffer one acts as if it had this frequency: near
/// a half turn, small turns of its bodies would change its energy much.
const MOST_PHASE: f64 = 0.7 * PI;

/// What acts along one freedom: q is an angle in rad or a length in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drive {
    pub limits: [f64; 2],
    pub act: Act,
    /// The greatest force in N, or torque in N·m, of a motor.
    pub most: f64,
}

impl Drive {
    pub const FREE: Self = Self {
        limits: [f64::NEG_INFINITY, f64::INFINITY],
        act: Act::Nothing,
        most: f64::INFINITY,
    };
}

/// What drives a freedom between its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    Nothing,
    /// A motor that holds q̇.
    Rate(f64),
    /// A spring, or a motor that holds q.
    Spring {
        stiffness: Stiffness,
        rest: f64,
    },
}

/// How stiff a spring is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stiffness {
    /// Of the oscillation of its two bodies, without damping: f in Hz, and the ratio of its damping to the critical one.
    Frequency(f64, f64),
    /// In N/m and N·s/m; in N·m/rad and N·m·s/rad about an axis.
    Newton(f64, f64),
}

impl Stiffness {
    /// ω² in 1/s² and 2·ζ·ω in 1/s for bodies with this effective mass.
    pub fn of_mass(self, mass: f64) -> (f64, f64) {
        match self {
            Self::Frequency(frequency, ratio) => {
                let w = 2.0 * PI * frequency;
                (w * w, 2.0 * ratio * w)
            }
            Self::Newton(stiffness, damping) => (stiffness / mass, damping / mass),
        }
    }
}

/// The impulses of a spring in the two halves of a substep: −(a₁·q₁ + a₀·q₀) + o in the first one, with q from its rest, and likewise in the second one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SpringImpulses {
    pub first: [f64; 3],
    pub second: [f64; 3],
    /// Whether both are the same, whatever the places are.
    pub is_steady: bool,
}

/// What a spring acts on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oscillator {
    /// ω² and 2·ζ·ω.
    pub square: f64,
    pub damping: f64,
    /// The effective mass in kg, or the moment of inertia in kg·m².
    pub mass: f64,
    /// The acceleration q̈ that fields alone give.
    pub field: f64,
}

impl Oscillator {
    /// P in (q, q̇) → P·(q, q̇) over a time of h, without fields: the solution of q̈ + 2ζω·q̇ + ω²·q = 0.
    fn propagator(&self, h: f64) -> [[f64; 2]; 2] {
        let a = 0.5 * self.damping;
        let d = a * a - self.square;
        // e^(−a·h)·cosh(b·h), and e^(−a·h)·sinh(b·h)/b.
        let (even, odd) = if d < 0.0 {
            let b = (-d).sqrt().min(MOST_PHASE / h);
            let decay = libm::exp(-a * h);
            let (sin, cos) = libm::sincos(b * h);
            (decay * cos, decay * sin / b)
        } else {
            let b = d.sqrt();
            let (slow, fast) = (libm::exp((b - a) * h), libm::exp(-(a + b) * h));
            let odd = match b * h < 1e-4 {
                true => h * libm::exp(-a * h),
                false => 0.5 * (slow - fast) / b,
            };
            (0.5 * (slow + fast), odd)
        };
        [[even + a * odd, odd], [-self.square * odd, even - a * odd]]
    }

    /// The impulses with which two bodies alone move as the closed form says, at any stiffness: the first one brings q to q₁, and
    /// the second one q̇ to q̇₁, with (q₁, q̇₁) = P·(q₀, q̇₀). As q̇₀ = (q₁ − P₁₁·q₀)/P₁₂, they depend on places alone.
    pub fn exact(&self, h: f64) -> SpringImpulses {
        let [[p11, p12], [p21, p22]] = self.propagator(h);
        let determinant = p11 * p22 - p12 * p21;
        let (first, second) = (
            [1.0 / p12 - 1.0 / h, 1.0 / h - p11 / p12],
            [1.0 / h - p22 / p12, determinant / p12 - 1.0 / h],
        );
        self.with_field(first, second, h)
    }

    /// The impulses of the mean of the places at both ends, which no stiffness makes unstable, whatever else acts. The stiffness
    /// and the damping are those with which the eigenvalues of a substep are e^(p·h): s = (2/h)·tanh(p·h/2) for p.
    pub fn stable(&self, h: f64) -> SpringImpulses {
        let a = 0.5 * self.damping;
        let d = a * a - self.square;
        let (square, damping) = if d < 0.0 {
            let b = (-d).sqrt().min(MOST_PHASE / h);
            // tanh((−a + i·b)·h/2) = (−sinh(a·h) + i·sin(b·h)) / (cosh(a·h) + cos(b·h)), with both sides over cosh.
            let decay = libm::exp(-2.0 * a * h);
            let over_cosh = 2.0 * libm::exp(-a * h) / (1.0 + decay);
            let (sin, cos) = libm::sincos(b * h);
            let below = 1.0 + cos * over_cosh;
            let re = -(1.0 - decay) / (1.0 + decay) / below;
            let im = sin * over_cosh / below;
            (re * re + im * im, -2.0 * re)
        } else {
            let b = d.sqrt();
            let [s, t] = [b - a, -b - a].map(|p| libm::tanh(0.5 * p * h));
            (s * t, -(s + t))
        };
        let (square, damping) = (square * 4.0 / (h * h), damping * 2.0 / h);
        let half = |sign: f64| 0.25 * h * square + 0.5 * sign * damping;
        let each = [half(1.0), half(-1.0)];
        self.with_field(each, each, h)
    }

    /// With what holds q where the field and the spring balance: there q is the field over ω².
    fn with_field(&self, first: [f64; 2], second: [f64; 2], h: f64) -> SpringImpulses {
        let with = |[a1, a0]: [f64; 2]| {
            // Of next to nothing, the rest is far away, and its pull would be rounding.
            let offset = match self.square * h * h > 1e-9 {
                true => (a1 + a0) * self.field / self.square - 0.5 * h * self.field,
                false => 0.0,
            };
            [a1, a0, offset].map(|x| x * self.mass)
        };
        SpringImpulses {
            first: with(first),
            second: with(second),
            is_steady: first == second,
        }
    }
}

/// What a row of a joint does in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowState {
    /// It brings its value to this one at the end, and its rate to the second one.
    Held { value: f64, rate: f64 },
    /// As that, at a limit: with impulses up if it is the lower one, down if it is the upper one.
    AtLimit { value: f64, is_upper: bool },
    /// A spring.
    Spring,
    /// It gives this impulse in each half: none, or all that a motor can.
    Given(f64),
}

impl RowState {
    /// Whether its impulse follows from the motion.
    pub fn acts(self) -> bool {
        !matches!(self, Self::Given(_))
    }

    /// Whether it holds a value, with any impulse that it takes.
    pub fn holds(self) -> bool {
        matches!(self, Self::Held { .. } | Self::AtLimit { .. })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A substep of leapfrog with half the spring's impulses before the drift and half after it, beside a constant field.
    fn step(of: &Oscillator, impulses: &SpringImpulses, q: f64, v: f64, h: f64) -> (f64, f64) {
        let kick = 0.5 * h * of.field;
        let [a1, a0, offset] = impulses.first;
        // m·(v₁ − v) = −(a₁·(q + h·v₁) + a₀·q) + o, for v₁ in the middle.
        let middle = (of.mass * (v + kick) - (a1 + a0) * q + offset) / (of.mass + a1 * h);
        let end = q + h * middle;
        let [b1, b0, offset] = impulses.second;
        let after = middle + kick + (offset - b1 * end - b0 * q) / of.mass;
        (end, after)
    }

    proptest! {
        /// The exact impulses follow the closed form, with damping and a field.
        #[test]
        fn a_spring_follows_its_closed_form(
            w in 0.01..170.0f64, ratio in 0.0..3.0f64, mass in 0.01..100.0f64, field in -10.0..10.0f64,
            q in -1.0..1.0f64, v in -1.0..1.0f64,
        ) {
            let h = 1.0 / 60.0;
            let of = Oscillator { square: w * w, damping: 2.0 * ratio * w, mass, field };
            let (mut x, mut u) = (q, v);
            let impulses = of.exact(h);
            for _ in 0..20 {
                (x, u) = step(&of, &impulses, x, u, h);
            }
            let rest = field / (w * w);
            let [[p11, p12], [p21, p22]] = (0..20).fold([[1.0, 0.0], [0.0, 1.0]], |p, _| {
                let by = of.propagator(h);
                [0, 1].map(|r| [0, 1].map(|c| by[r][0] * p[0][c] + by[r][1] * p[1][c]))
            });
            let (x_wanted, u_wanted) = (rest + p11 * (q - rest) + p12 * v, p21 * (q - rest) + p22 * v);
            let scale = q.abs() + rest.abs() + v.abs() / w + 1e-3;
            prop_assert!((x - x_wanted).abs() < 1e-6 * scale, "{x} {x_wanted}");
            prop_assert!((u - u_wanted).abs() < 1e-6 * scale * w.max(1.0), "{u} {u_wanted}");
        }

        /// The stable ones hang where the closed form says, swing with its period, and never gain energy.
        #[test]
        fn a_stable_spring_hangs_where_forces_balance(
            w in 0.01..2000.0f64, ratio in 0.0..3.0f64, mass in 0.01..100.0f64, field in -10.0..10.0f64,
        ) {
            let h = 1.0 / 60.0;
            let of = Oscillator { square: w * w, damping: 2.0 * ratio * w, mass, field };
            let impulses = of.stable(h);
            let rest = field / (w * w);
            let (x, u) = step(&of, &impulses, rest, 0.0, h);
            prop_assert!((x - rest).abs() < 1e-9 * rest.abs().max(1e-9) && u.abs() < 1e-9 * (1.0 + field.abs()));
            // The trace and the determinant of a substep are those of the propagator.
            let of = Oscillator { field: 0.0, ..of };
            let impulses = of.stable(h);
            let columns = [step(&of, &impulses, 1.0, 0.0, h), step(&of, &impulses, 0.0, 1.0, h)];
            let p = of.propagator(h);
            let trace = columns[0].0 + columns[1].1;
            let wanted = p[0][0] + p[1][1];
            prop_assert!((trace - wanted).abs() < 1e-7, "{trace} {wanted}");
        }
    }
}
