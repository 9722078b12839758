//! Tables, balls and cues by their published measures, in SI units.
//!
//! Sources, by the marks used below:
//!
//! - *WPA*: World Pool Association, Equipment Specifications (<https://wpapool.com/equipment-specifications/>)
//! - *BCA*: Billiard Congress of America, for the 7-foot table, which the WPA does not know
//! - *WPBSA*: World Professional Billiards and Snooker Association, Official Rules of the Games of Snooker and English
//!   Billiards, section 1: Equipment
//! - *UMB*: Union Mondiale de Billard, World Rules of Carom Billiard, chapter II: Equipment
//! - *Alciatore*: D. G. Alciatore, Physical properties of pool balls and tables, and the technical proofs cited with it
//!   (<https://billiards.colostate.edu/faq/physics/physical-properties/>)
//! - *Mathavan*: S. Mathavan, M. R. Jackson, R. M. Parkin, A theoretical analysis of billiard ball dynamics under cushion
//!   impacts, 2010, and Application of high-speed imaging to determine the dynamics of billiards, 2009: measured on a
//!   snooker table
//!
//! Standards rule sizes and masses. They do not rule frictions and bounces: those are typical of a table in good order.

use bevy::math::Vec2;
use clap::ValueEnum;

const INCH: f32 = 0.0254;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallSpec {
    /// In m.
    pub radius: f32,
    /// In kg.
    pub mass: f32,
    /// Coefficient of restitution between two balls.
    pub restitution: f32,
    /// Sliding friction between two balls: it throws an object ball off the line of centres.
    pub friction: BallFriction,
}

/// Coefficient of sliding friction between two balls, by their sliding speed v: lasting + vanishing·exp(−fading·v).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallFriction {
    /// At high speeds.
    pub lasting: f32,
    /// How much greater it is at v = 0.
    pub vanishing: f32,
    /// How fast it falls, in s/m.
    pub fading: f32,
}

/// Alciatore, technical proof A.14, fitted to the measurements of W. C. Marlow, The Physics of Pocket Billiards, 1995.
pub const MARLOW: BallFriction = BallFriction {
    lasting: 9.951e-3,
    vanishing: 0.108,
    fading: 1.088,
};

/// The cloth on the bed, as a ball feels it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothSpec {
    /// Coefficient of sliding friction μ_s.
    pub sliding: f32,
    /// Rolling friction μ_r: a rolling ball slows by μ_r·g.
    pub rolling: f32,
    /// How fast side spin dies, in rad/s²: 5/2·μ_sp·g/R.
    pub spin_decay: f32,
    /// Coefficient of restitution of a ball dropped on it.
    pub restitution: f32,
}

impl ClothSpec {
    /// Spinning friction μ_sp of a ball of `radius` m under the gravity `g` m/s².
    pub fn spinning(&self, radius: f32, g: f32) -> f32 {
        0.4 * self.spin_decay * radius / g
    }
}

/// The cushions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CushionSpec {
    /// Height in m above the cloth at which the nose meets a ball.
    pub nose_height: f32,
    /// Coefficient of restitution of slow balls.
    pub restitution: f32,
    /// Speed of approach in m/s above which the restitution falls, or [`NEVER`].
    pub yield_speed: f32,
    /// Tangential restitution β: the part of its sliding speed along the cushion that a ball gets back.
    pub tangential_restitution: f32,
    /// Coefficient of sliding friction.
    pub friction: f32,
}

/// A yield speed in m/s that no ball reaches.
pub const NEVER: f32 = 100.0;

/// A kind of pocket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PocketSpec {
    /// Between the two tips of cushion, in m.
    pub mouth: f32,
    /// By how much a cushion's end turns away from its nose line into the pocket, in degrees: 180° less the cut angle.
    pub turn: f32,
    /// From the middle of the mouth to the edge of the hole, in m.
    pub shelf: f32,
    /// Radius of the hole in m.
    pub hole: f32,
}

/// The pockets of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PocketSpecs {
    /// The four in the corners.
    pub corner: PocketSpec,
    /// The two in the middle of the long sides.
    pub side: PocketSpec,
}

/// A cue stick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CueSpec {
    /// In kg.
    pub mass: f32,
    /// Mass in kg of the end of the shaft that a blow beside the centre pushes aside.
    pub end_mass: f32,
    /// Coefficient of restitution of the tip on a ball.
    pub restitution: f32,
}

/// A table with its equipment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableSpec {
    /// Half the length and half the width of the playing surface, from nose to nose, in m.
    pub half: Vec2,
    /// Its balls.
    pub ball: BallSpec,
    /// Its cloth.
    pub cloth: ClothSpec,
    /// Its cushions.
    pub cushion: CushionSpec,
    /// Its pockets, if it has any.
    pub pockets: Option<PocketSpecs>,
    /// The cue that is played on it.
    pub cue: CueSpec,
}

impl TableSpec {
    /// A quarter of the table from the head cushion.
    pub const fn head_spot(&self) -> Vec2 {
        Vec2::new(-0.5 * self.half.x, 0.0)
    }

    /// A quarter of the table from the foot cushion.
    pub const fn foot_spot(&self) -> Vec2 {
        Vec2::new(0.5 * self.half.x, 0.0)
    }

    /// Snooker's baulk line is the line x = this, 29 in from the bottom cushion: WPBSA.
    pub const fn baulk_line(&self) -> f32 {
        BAULK - self.half.x
    }

    /// Height of the axis of a nose of `nose_radius` m that meets a ball at the cushion's height.
    pub fn nose_axis(&self, nose_radius: f32) -> f32 {
        let (nose, radius) = (self.cushion.nose_height, self.ball.radius);
        radius + (nose - radius) * (radius + nose_radius) / radius
    }

    /// Distance on the bed between that axis and the centre of a ball that lies on the cloth and touches the nose.
    pub fn nose_distance(&self, nose_radius: f32) -> f32 {
        let both = self.ball.radius + nose_radius;
        let up = self.nose_axis(nose_radius) - self.ball.radius;
        (both * both - up * up).sqrt()
    }
}

/// The tables, by the names that the command line has for them.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// Pool, 7 feet
    #[value(name = "7ft")]
    Pool7,
    /// Pool, 8 feet
    #[value(name = "8ft")]
    Pool8,
    /// Pool, 9 feet
    #[default]
    #[value(name = "9ft")]
    Pool9,
    /// Snooker, 12 feet
    Snooker,
    /// Carom, without pockets
    Carom,
}

impl TableKind {
    /// The kind of a table of such measures.
    pub fn of(spec: &TableSpec) -> Self {
        let kinds = Self::value_variants().iter().copied();
        let mut same = kinds.filter(|kind| kind.spec() == spec);
        same.next().unwrap_or_default()
    }

    /// The measures of such a table.
    pub fn spec(self) -> &'static TableSpec {
        match self {
            Self::Pool7 => &POOL_7,
            Self::Pool8 => &POOL_8,
            Self::Pool9 => &POOL_9,
            Self::Snooker => &SNOOKER,
            Self::Carom => &CAROM,
        }
    }
}

/// From snooker's bottom cushion to the baulk line, and the radius of the D on it, in m: WPBSA.
const BAULK: f32 = 0.737;
/// Radius of snooker's D in m: WPBSA.
pub const D_RADIUS: f32 = 0.292;

/// A playing surface of `length` by `width` m.
const fn surface(length: f32, width: f32) -> Vec2 {
    Vec2::new(0.5 * length, 0.5 * width)
}

/// 2¼ in across and 6 oz, the upper end of WPA's 5½ to 6; restitution: Alciatore, 0.92 to 0.98. Friction: Marlow.
const POOL_BALL: BallSpec = BallSpec {
    radius: 1.125 * INCH,
    mass: 0.1701,
    restitution: 0.95,
    friction: MARLOW,
};

/// Corner mouths of 4½ to 4⅝ in cut at 142° with a shelf of 1 to 2¼ in, side mouths of 5 to 5⅛ in cut at 104° with a shelf
/// of 0 to ⅜ in: WPA.
pub const POOL_POCKETS: PocketSpecs = PocketSpecs {
    corner: PocketSpec {
        mouth: 4.5625 * INCH,
        turn: 180.0 - 142.0,
        shelf: 1.5 * INCH,
        hole: 0.062,
    },
    side: PocketSpec {
        mouth: 5.0625 * INCH,
        turn: 180.0 - 104.0,
        shelf: 0.1875 * INCH,
        hole: 0.0645,
    },
};

/// A pool table of `length` by `width` m. The nose at 63½ % of the ball's diameter: WPA. The cloth, the bounce of cushions
/// and cloth, the cue's mass (19 oz) and its leather tip: Alciatore; friction on the cushions as on the cloth, which covers
/// them. Yield speed of the cushions: by the lengths of the table that fast balls run, technical proof B.6. Tangential restitution:
/// not measured on pool tables; a little less than the tracks of shots on carom tables tell (`docs/billiards.md`).
const fn pool(length: f32, width: f32) -> TableSpec {
    TableSpec {
        half: surface(length, width),
        ball: POOL_BALL,
        cloth: ClothSpec {
            sliding: 0.2,
            rolling: 0.01,
            spin_decay: 10.9,
            restitution: 0.5,
        },
        cushion: CushionSpec {
            nose_height: 0.635 * 2.0 * POOL_BALL.radius,
            restitution: 0.85,
            yield_speed: 4.0,
            tangential_restitution: 0.05,
            friction: 0.2,
        },
        pockets: Some(POOL_POCKETS),
        cue: CueSpec {
            mass: 0.54,
            end_mass: 0.0057,
            restitution: 0.73,
        },
    }
}

/// 78 by 39 in: BCA. Corner mouths of 4½ in between parallel facings, with a shelf of ¾ in: as on the tables of bars (D. G. Alciatore,
/// Table Difficulty, Billiards Digest, November 2013).
pub const POOL_7: TableSpec = TableSpec {
    pockets: Some(PocketSpecs {
        corner: PocketSpec {
            mouth: 4.5 * INCH,
            turn: 45.0,
            shelf: 0.75 * INCH,
            hole: POOL_POCKETS.corner.hole,
        },
        side: POOL_POCKETS.side,
    }),
    ..pool(78.0 * INCH, 39.0 * INCH)
};

/// 92 by 46 in: WPA.
pub const POOL_8: TableSpec = pool(92.0 * INCH, 46.0 * INCH);

/// 100 by 50 in: WPA.
pub const POOL_9: TableSpec = pool(100.0 * INCH, 50.0 * INCH);

/// Half the length and half the width of the 9-foot pool table's playing surface, from nose to nose, in m.
pub const HALF: Vec2 = POOL_9.half;
/// Radius of a pool ball in m.
pub const RADIUS: f32 = POOL_9.ball.radius;
/// Where the cue ball starts on the 9-foot pool table.
pub const HEAD_SPOT: Vec2 = POOL_9.head_spot();
/// Where the first ball of the rack stands on the 9-foot pool table.
pub const FOOT_SPOT: Vec2 = POOL_9.foot_spot();

/// 3.569 by 1.778 m, balls of 52.5 mm: WPBSA. Mass of the balls, frictions of cloth and cushions, the bounce of balls and cushions,
/// their yield speed, and a nose at 7/10 of the ball's diameter: Mathavan. WPBSA rules pockets by templates that it does not publish:
/// these are straight where a snooker table's are round, with mouths as usual in tournaments.
pub const SNOOKER: TableSpec = TableSpec {
    half: surface(3.569, 1.778),
    ball: BallSpec {
        radius: 0.02625,
        mass: 0.1406,
        restitution: 0.98,
        friction: MARLOW,
    },
    cloth: ClothSpec {
        sliding: 0.212,
        rolling: 0.01,
        spin_decay: 10.9,
        restitution: 0.5,
    },
    cushion: CushionSpec {
        nose_height: 0.7 * 2.0 * 0.02625,
        restitution: 0.98,
        yield_speed: 1.9,
        tangential_restitution: 0.0,
        friction: 0.14,
    },
    pockets: Some(PocketSpecs {
        corner: PocketSpec {
            mouth: 0.089,
            turn: 45.0,
            shelf: 0.03,
            hole: 0.045,
        },
        side: PocketSpec {
            mouth: 0.104,
            turn: 60.0,
            shelf: 0.005,
            hole: 0.048,
        },
    }),
    cue: CueSpec {
        mass: 0.5,
        end_mass: 0.0047,
        restitution: 0.73,
    },
};

/// 2.84 by 1.42 m, balls of 61 to 61.5 mm and 205 to 220 g: UMB. The other constants of balls, cloth and cushions were fitted
/// to every other one of 91 three-cushion shots that cameras tracked on real tables; `docs/billiards.md` has the command, and
/// the errors of the other half. UMB's cushions are 36 to 37 mm high; the fit finds half a millimetre more.
pub const CAROM: TableSpec = TableSpec {
    half: surface(2.84, 1.42),
    ball: BallSpec {
        radius: 0.030_75,
        mass: 0.2125,
        restitution: 0.929,
        friction: BallFriction::constant(0.0585),
    },
    cloth: ClothSpec {
        sliding: 0.1725,
        rolling: 0.004_54,
        spin_decay: 4.04,
        restitution: 0.5,
    },
    cushion: CushionSpec {
        nose_height: 1.2278 * 0.030_75,
        restitution: 0.8947,
        yield_speed: NEVER,
        tangential_restitution: 0.0,
        friction: 0.185,
    },
    pockets: None,
    cue: CueSpec {
        mass: 0.52,
        end_mass: 0.0057,
        restitution: 0.73,
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_known_by_its_measures() {
        for kind in TableKind::value_variants() {
            let measures = *kind.spec();
            assert_eq!(TableKind::of(&measures), *kind);
        }
    }

    #[test]
    fn tables_are_what_the_standards_call_them() {
        for kind in TableKind::value_variants() {
            let TableSpec {
                half,
                ball,
                cushion,
                pockets,
                ..
            } = *kind.spec();
            assert!((half.x / half.y - 2.0).abs() < 0.01, "{kind:?}");
            // A solid ball of phenolic resin.
            let density = ball.mass / (4.0 / 3.0 * std::f32::consts::PI * ball.radius.powi(3));
            assert!((1600.0..1900.0).contains(&density), "{kind:?}: {density}");
            // A nose below 7/10 of the diameter neither traps the ball nor lets it jump.
            let nose = cushion.nose_height / (2.0 * ball.radius);
            assert!((0.58..=0.7001).contains(&nose), "{kind:?}: {nose}");
            for pocket in pockets.into_iter().flat_map(|p| [p.corner, p.side]) {
                assert!(pocket.mouth > 3.2 * ball.radius, "{kind:?}");
                assert!(pocket.hole > ball.radius, "{kind:?}");
            }
        }
    }
}
