//! The four walls as places to put things on.

use bevy::prelude::*;

use crate::{
    look::shapes::Facets,
    table::{cushion::RAIL_WIDTH, spec::TableSpec},
};

/// Free floor between the table and each wall, in m: room for a cue.
const FREE: f32 = 2.3;

/// A wall. Lengths along it count from its middle to the right, as seen from inside; heights count from the cloth.
pub(super) struct Wall {
    middle: Vec3,
    /// Unit vector into the room.
    pub(super) inward: Vec3,
    /// Half its length.
    pub(super) half: f32,
}

/// From and to, in m.
pub(super) type Span = [f32; 2];

/// The four walls of a room.
pub(super) struct Walls {
    /// Behind the table as seen from the first view.
    pub(super) back: Wall,
    /// Behind the head of the table.
    pub(super) head: Wall,
    /// Behind the foot of the table.
    pub(super) foot: Wall,
    /// Behind the player in the first view.
    pub(super) front: Wall,
}

/// The walls of the room about such a table.
pub(super) fn around(spec: &TableSpec) -> Walls {
    let half = spec.half + RAIL_WIDTH + FREE;
    let wall = |inward: Vec3| Wall {
        middle: -inward * inward.abs().dot(Vec3::new(half.x, 0.0, half.y)),
        inward,
        half: inward.abs().dot(Vec3::new(half.y, 0.0, half.x)),
    };
    Walls {
        back: wall(Vec3::Z),
        head: wall(Vec3::X),
        foot: wall(Vec3::NEG_X),
        front: wall(Vec3::NEG_Z),
    }
}

impl Walls {
    pub(super) fn all(&self) -> [&Wall; 4] {
        [&self.back, &self.head, &self.foot, &self.front]
    }

    /// Half the length and half the width of the floor.
    pub(super) fn half(&self) -> Vec2 {
        Vec2::new(self.back.half, self.head.half)
    }
}

impl Wall {
    /// Unit vector to the right, as seen from inside.
    pub(super) fn right(&self) -> Vec3 {
        Vec3::Y.cross(self.inward)
    }

    /// The point so far to the right, so high, and so far in front of the wall.
    pub(super) fn at(&self, right: f32, height: f32, out: f32) -> Vec3 {
        self.middle + right * self.right() + height * Vec3::Y + out * self.inward
    }

    /// A rectangle in front of the wall.
    pub(super) fn face(&self, onto: &mut Facets, [left, right]: Span, [low, high]: Span, out: f32) {
        let corners = [(left, low), (right, low), (right, high), (left, high)];
        onto.quad(corners.map(|(right, height)| self.at(right, height, out)));
    }

    /// A block that stands out from the wall, between two distances from it.
    pub(super) fn block(&self, onto: &mut Facets, along: Span, height: Span, out: Span) {
        let ([left, right], [low, high], [back, front]) = (along, height, out);
        self.face(onto, along, height, front);
        let mut side = |corners: [(f32, f32, f32); 4]| {
            onto.quad(corners.map(|(right, height, out)| self.at(right, height, out)));
        };
        side([
            (left, high, front),
            (right, high, front),
            (right, high, back),
            (left, high, back),
        ]);
        side([
            (left, low, back),
            (right, low, back),
            (right, low, front),
            (left, low, front),
        ]);
        side([
            (left, low, back),
            (left, low, front),
            (left, high, front),
            (left, high, back),
        ]);
        side([
            (right, low, front),
            (right, low, back),
            (right, high, back),
            (right, high, front),
        ]);
    }

    /// A disc in front of the wall.
    pub(super) fn disc(&self, onto: &mut Facets, right: f32, height: f32, out: f32, radius: f32) {
        let corners = (0..24).map(|k| {
            let at = radius * Vec2::from_angle(std::f32::consts::TAU * k as f32 / 24.0);
            self.at(right + at.x, height + at.y, out)
        });
        onto.fan(&corners.collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::spec::POOL_9;

    #[test]
    fn walls_meet_at_the_corners() {
        let walls = around(&POOL_9);
        for wall in walls.all() {
            for end in [-wall.half, wall.half] {
                let corner = wall.at(end, 0.0, 0.0);
                assert!(corner.xz().abs().distance(walls.half()) < 1e-5);
            }
        }
    }
}
