//! A cell of the tree.

use glam::DVec3;

use super::{moments::Moments, pull::PointMass};

/// The smallest radius of a cell, in units of the scene. It keeps the powers of a distance within f32.
const SMALLEST: f32 = 1e-7;

/// Sorted bodies `first` to before `end`, which are near each other. Lengths are in units of the scene.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TreeCell {
    /// Centre of mass.
    pub center: DVec3,
    pub moments: Moments,
    /// Radius of the ball about the centre that holds the centres of all its bodies.
    pub radius: f32,
    /// Radius of its largest body.
    pub body_radius: f32,
    pub first: usize,
    pub end: usize,
    pub first_child: usize,
    pub children: usize,
}

impl TreeCell {
    pub fn is_leaf(&self) -> bool {
        self.children == 0
    }

    pub fn child_indices(&self) -> std::ops::Range<usize> {
        self.first_child..self.first_child + self.children
    }

    pub fn measure(&mut self, bodies: &[PointMass], children: &[TreeCell]) {
        let position = |body: &PointMass| DVec3::from(body.x.map(f64::from));
        let point = |body: &PointMass| Moments {
            mass: body.mass,
            ..Default::default()
        };
        let (mut mass, mut sum) = (0.0, DVec3::ZERO);
        let mut weigh = |m: f32, x: DVec3| {
            mass += f64::from(m);
            sum += f64::from(m) * x;
        };
        if children.is_empty() {
            bodies
                .iter()
                .for_each(|body| weigh(body.mass, position(body)));
        } else {
            children
                .iter()
                .for_each(|child| weigh(child.moments.mass, child.center));
        }
        self.center = sum / mass;
        let mut largest = 0.0f32;
        if children.is_empty() {
            for body in bodies {
                let offset = (position(body) - self.center).as_vec3();
                self.moments.add(&point(body), offset);
                largest = largest.max(body.radius);
            }
        } else {
            for child in children {
                let offset = (child.center - self.center).as_vec3();
                self.moments.add(&child.moments, offset);
                largest = largest.max(child.body_radius);
            }
        }
        self.body_radius = largest;
        let farthest = bodies
            .iter()
            .map(|body| (position(body) - self.center).as_vec3().length_squared())
            .fold(0.0, f32::max);
        self.radius = farthest.sqrt().max(SMALLEST);
    }
}
