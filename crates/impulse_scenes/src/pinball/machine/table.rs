//! Everything that stands: playfield, glass, walls, guides, bumpers, slingshots and the ramp.

use bevy::{math::vec2, prelude::*};
use bevy_impulse_collide::prelude::*;

use super::{
    Side,
    kickers::{Bumper, Slingshot},
    measures::*,
    outline::{Outline, Path},
};

/// What a part is made of. The view chooses its look by this.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuff {
    /// Lacquered wood.
    Playfield,
    /// The pane over the table.
    Glass,
    /// Steel rails and posts.
    Metal,
    /// The clear plastic of the ramp.
    Plastic,
    /// Rubber rings.
    Rubber,
    /// Painted targets.
    Target,
    /// The skirt of a bumper.
    Bumper,
}

impl Stuff {
    /// Restitution and friction against the steel ball. They are for the speeds of the game, about 2 m/s: steel on lacquered wood
    /// hardly bounces, rubber rings are there to bounce. Lacquer is waxed and slippery.
    pub fn material(self) -> (Restitution, Friction) {
        let (restitution, friction) = match self {
            Self::Playfield => (0.3, 0.2),
            Self::Glass => (0.5, 0.1),
            Self::Metal => (0.45, 0.1),
            Self::Plastic => (0.35, 0.15),
            Self::Rubber => (0.75, 0.4),
            Self::Target => (0.4, 0.2),
            Self::Bumper => (0.6, 0.2),
        };
        (Restitution(restitution), Friction(friction))
    }
}

/// Rolling friction of the ball on the playfield: steel on hard lacquer.
const ROLLING: f32 = 0.003;

/// Solids reach from under the playfield to over the glass: no ball comes to lie on top of one, and its edges touch no ball. The
/// view draws the lower part; the rest is clear plastic.
pub const REACH: [f32; 2] = [-0.01, GLASS + 0.01];

/// A standing part, which the view can draw to another height.
#[derive(Component, Clone, Debug)]
pub enum Part {
    /// A solid.
    Solid(Outline),
    /// A wall that is seen from the right side of the path.
    Wall(Path),
    /// The road of the ramp.
    Road(Mesh),
}

/// The collider of a prism, which is as smooth as its outline.
pub fn prism(outline: &Outline) -> Collider {
    Collider::smooth_from_mesh(&outline.prism(REACH[0], REACH[1]), MeshSides::Solid)
}

fn solid(outline: Outline, stuff: Stuff) -> impl Bundle {
    (
        prism(&outline),
        stuff,
        stuff.material(),
        Part::Solid(outline),
    )
}

/// Puts up everything that stands.
pub fn spawn_table(mut commands: Commands) {
    commands.spawn((
        Plane::new(Vec3::Y),
        Stuff::Playfield,
        Stuff::Playfield.material(),
        RollingFriction(ROLLING),
    ));
    commands.spawn((
        Plane::new(Vec3::NEG_Y),
        Stuff::Glass,
        Stuff::Glass.material(),
        Transform::from_xyz(0.0, GLASS, 0.0),
    ));
    commands.spawn((
        Plane::new(Vec3::NEG_Z),
        Stuff::Metal.material(),
        Transform::from_xyz(0.0, 0.0, HALF_LENGTH),
    ));
    let cabinet = cabinet();
    commands.spawn((
        Collider::smooth_from_mesh(&cabinet.sheet(REACH[0], REACH[1]), MeshSides::One),
        Stuff::Metal,
        Stuff::Metal.material(),
        Part::Wall(cabinet),
    ));

    let rail = |[a, b]: [Vec2; 2]| solid(Outline::bar(a, b, RAIL), Stuff::Metal);
    commands.spawn(rail([
        vec2(DIVIDER, HALF_LENGTH + 0.01),
        vec2(DIVIDER, DIVIDER_TOP),
    ]));
    commands.spawn(solid(
        Outline::hull(&WEDGE.map(|corner| (corner, RAIL))),
        Stuff::Metal,
    ));
    commands.spawn(rail(BANK));
    for x in LANE_POSTS {
        let [top, bottom] = LANE_ENDS.map(|z| vec2(x, z));
        commands.spawn(solid(Outline::bar(top, bottom, LANE_POST), Stuff::Rubber));
    }

    for side in Side::BOTH {
        let [end, bend, top] = inlane_guide(side);
        commands.spawn(rail([end, bend]));
        commands.spawn(rail([bend, top]));
        let mut corners = slingshot(side).map(|corner| (corner, RUBBER));
        if side == Side::Right {
            // Mirrored, they run the other way around.
            corners.reverse();
        }
        commands.spawn((
            Slingshot(side),
            solid(Outline::hull(&corners), Stuff::Rubber),
        ));
    }
    for (index, at) in BUMPERS.into_iter().enumerate() {
        commands.spawn((
            Bumper(index),
            Collider::cylinder(BUMPER_RADIUS, GLASS),
            Stuff::Bumper,
            Stuff::Bumper.material(),
            Transform::from_xyz(at.x, 0.5 * GLASS, at.y),
        ));
    }

    let road = ramp::path();
    // A little wider than the clear width, so that no gap is between the road and its walls.
    let road = road.road(ramp::HALF + 0.5 * RAIL, |along| {
        ramp::profile(along, road.length())
    });
    commands.spawn((
        Collider::smooth_from_mesh(&road, MeshSides::Two),
        Stuff::Plastic,
        Stuff::Plastic.material(),
        Part::Road(road),
    ));
    commands.spawn(solid(ramp::outer_wall(), Stuff::Plastic));
    commands.spawn(solid(Outline::hull(&ramp::island()), Stuff::Plastic));
    commands.spawn(rail(ramp::roof()));
    commands.spawn(rail(ramp::seal()));
}
