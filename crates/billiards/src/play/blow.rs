//! The effect of the cue's blow on a ball.
//!
//! The blow is short and hits one point, and the tip holds there: the classic model of W. Leckie and M. Greenspan, An
//! event-based pool physics simulator, 2005, and D. G. Alciatore, technical proof A.30. For how far the ball's path turns
//! away from the cue's, see technical proof A.31 (<https://billiards.colostate.edu/technical_proofs/>).

use bevy::prelude::*;

use crate::table::{
    bed::above,
    spec::{BallSpec, CueSpec},
};

/// Farther from the centre than this, in ball radii, the tip slips off the ball.
pub const MISCUE: f32 = 0.5;

/// A blow of the cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// Where the cue points, as seen from above: a unit vector on the bed.
    pub direction: Vec2,
    /// How far the butt is raised, in radians.
    pub elevation: f32,
    /// Where the tip meets the ball, as the player sees it along the cue: right and up from the centre, in ball radii.
    pub tip: Vec2,
    /// Speed of the cue in m/s.
    pub speed: f32,
}

/// A ball's motion just after a blow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Struck {
    /// In m/s. From a raised cue it goes down into the cloth too.
    pub velocity: Vec3,
    /// In rad/s.
    pub spin: Vec3,
}

/// The tip was too far from the centre, and slipped off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miscue;

impl Blow {
    /// A level blow at the centre that gives `ball` the speed `speed` m/s.
    pub fn centered(cue: &CueSpec, ball: &BallSpec, direction: Vec2, speed: f32) -> Self {
        Self {
            direction,
            elevation: 0.0,
            tip: Vec2::ZERO,
            speed: speed * (1.0 + ball.mass / cue.mass) / (1.0 + cue.restitution),
        }
    }

    /// The motion of `ball`, at rest before the blow.
    ///
    /// With the offset d = R·(a, b) of the tip across the cue, the point of the ball that is hit weighs
    /// 1/(1/m + d²/I) along the cue, I = 2/5·m·R². The cue of mass M and speed V and this point part at e·V, so the impulse
    /// is J = (1 + e)·V/(1/m + 1/M + d²/I). It gives v = J/m along the cue and the spin r × J/I; of a ball hit squarely with
    /// e = 1 that is v = 2·V·M/(M + m), of one hit a height b·R off, ω = 5/2·b·v/R.
    pub fn strike(&self, cue: &CueSpec, ball: &BallSpec) -> Result<Struck, Miscue> {
        let off = self.tip.length_squared();
        if off > MISCUE * MISCUE {
            return Err(Miscue);
        }
        let (sin, cos) = self.elevation.sin_cos();
        let along = above(self.direction * cos, -sin);
        let right = above(self.direction.perp(), 0.0);
        let up = right.cross(along);
        let speed = (1.0 + cue.restitution) * self.speed / (1.0 + ball.mass / cue.mass + 2.5 * off);
        let arm = self.tip.x * right + self.tip.y * up - (1.0 - off).sqrt() * along;
        let squirt = Quat::from_rotation_y(self.squirt(cue, ball));
        Ok(Struck {
            velocity: squirt * (speed * along),
            spin: 2.5 * speed / ball.radius * arm.cross(along),
        })
    }

    /// Angle in radians by which the ball leaves the cue's line, to the left for a tip to the right.
    ///
    /// The ball turns under the tip that holds it, and pushes the end of the shaft aside, of mass m_e; the end pushes the
    /// ball: tan α = 5/2·a·√(1 − a²)/(1 + m/m_e + 5/2·(1 − a²)).
    fn squirt(&self, cue: &CueSpec, ball: &BallSpec) -> f32 {
        let a = self.tip.x;
        let inside = 1.0 - a * a;
        let aside = 2.5 * a * inside.sqrt();
        aside.atan2(1.0 + ball.mass / cue.end_mass + 2.5 * inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::spec::POOL_9;

    const ELASTIC: CueSpec = CueSpec {
        restitution: 1.0,
        ..POOL_9.cue
    };
    const BALL: BallSpec = POOL_9.ball;

    fn blow(tip: Vec2, elevation: f32) -> Blow {
        Blow {
            direction: Vec2::X,
            elevation,
            tip,
            speed: 3.0,
        }
    }

    fn struck(tip: Vec2, elevation: f32) -> Struck {
        blow(tip, elevation).strike(&ELASTIC, &BALL).unwrap()
    }

    /// Speed of the cue after the blow: it has lost the momentum that the ball has gained.
    fn cue_after(struck: &Struck, elevation: f32) -> f32 {
        let (sin, cos) = elevation.sin_cos();
        let along = Vec3::new(cos, -sin, 0.0);
        3.0 - BALL.mass / ELASTIC.mass * struck.velocity.length() * along.length()
    }

    #[test]
    fn a_square_hit_is_a_head_on_impact() {
        let (m, cue) = (BALL.mass, ELASTIC.mass);
        let Struck { velocity, spin } = struck(Vec2::ZERO, 0.0);
        assert!((velocity.x - 2.0 * 3.0 * cue / (cue + m)).abs() < 1e-5);
        assert_eq!(spin, Vec3::ZERO);
        assert_eq!(velocity.yz(), Vec2::ZERO);
        let centered = Blow::centered(&POOL_9.cue, &BALL, Vec2::X, 4.0);
        let Struck { velocity, .. } = centered.strike(&POOL_9.cue, &BALL).unwrap();
        assert!((velocity.x - 4.0).abs() < 1e-5);
    }

    #[test]
    fn an_elastic_blow_keeps_the_energy() {
        for (a, b) in [(0.0, 0.4), (0.3, -0.2), (-0.4, 0.1)] {
            for elevation in [0.0, 0.3, 1.0] {
                let struck = struck(Vec2::new(a, b), elevation);
                let inertia = 0.4 * BALL.mass * BALL.radius.powi(2);
                let of_ball = BALL.mass * struck.velocity.length_squared()
                    + inertia * struck.spin.length_squared();
                let of_cue = ELASTIC.mass * cue_after(&struck, elevation).powi(2);
                let before = ELASTIC.mass * 9.0;
                assert!(((of_ball + of_cue) / before - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn the_spin_is_five_halves_of_the_offset() {
        for b in [-0.5f32, -0.2, 0.4] {
            let Struck { velocity, spin } = struck(Vec2::Y * b, 0.0);
            let expected = -2.5 * b * velocity.x / BALL.radius;
            assert!((spin.z - expected).abs() < 1e-3 * expected.abs());
        }
        // Two fifths above the centre the ball rolls at once.
        let Struck { velocity, spin } = struck(Vec2::Y * 0.4, 0.0);
        let contact = velocity + spin.cross(BALL.radius * Vec3::NEG_Y);
        assert!(contact.length() < 1e-5, "{contact}");
    }

    #[test]
    fn a_tip_to_the_right_turns_the_ball_to_the_left_and_squirts_it_there() {
        let Struck { velocity, spin } = struck(Vec2::X * 0.5, 0.0);
        assert!(
            spin.y > 0.0 && spin.x == 0.0 && spin.z.abs() < 1e-5,
            "{spin}"
        );
        // World +z is to the right of +x.
        let angle = (-velocity.z).atan2(velocity.x).to_degrees();
        assert!((1.0..3.0).contains(&angle), "{angle}");
        // No end of the shaft, no squirt.
        let light = CueSpec {
            end_mass: 1e-9,
            ..ELASTIC
        };
        let blow = blow(Vec2::X * 0.5, 0.0);
        let straight = blow.strike(&light, &BALL).unwrap().velocity;
        assert!(straight.z.abs() < 1e-6);
    }

    #[test]
    fn a_raised_cue_drives_the_ball_into_the_cloth_and_tilts_its_side_spin() {
        let elevation = 0.5f32;
        let Struck { velocity, spin } = struck(Vec2::X * 0.4, elevation);
        assert!((velocity.y / velocity.length() + elevation.sin()).abs() < 1e-6);
        // The axis is across the cue: side spin leans over, which bends a massé.
        let along = Vec3::new(elevation.cos(), -elevation.sin(), 0.0);
        assert!(spin.dot(along).abs() < 1e-4);
        assert!(spin.x > 0.0 && spin.y > 0.0);
    }

    #[test]
    fn beyond_half_a_radius_the_tip_slips() {
        let strike = |tip| blow(tip, 0.0).strike(&ELASTIC, &BALL);
        assert!(strike(Vec2::new(0.3, 0.39)).is_ok());
        assert_eq!(strike(Vec2::new(0.3, 0.41)), Err(Miscue));
    }
}
