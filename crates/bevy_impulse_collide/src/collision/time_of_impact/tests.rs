//! Laws of the filters.

use bevy::prelude::*;
use proptest::prelude::*;

use super::{ball_filter::BallFilter, next_impact::next_impact};
use crate::{body::Bodies, config::CollisionConfig, shape::Shape};

fn vector(range: f32) -> impl Strategy<Value = Vec3> {
    let axis = || -range..range;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Two balls about to touch. Their speeds and accelerations are near the limit between impact and rest.
    #[test]
    fn first_look_misses_no_impact(
        direction in vector(1.0),
        gap in -0.02..0.02f32,
        sizes in (-1.0..1.0f32, -1.0..1.0f32),
        velocities in (vector(1.0), vector(1.0)),
        speed in -4.0..2.0f32,
        fields in (vector(1.0), vector(1.0)),
        field in -2.0..2.0f32,
        contacts in (vector(1.0), vector(1.0)),
        pressure in -2.0..2.0f32,
        offset in prop::sample::select(vec![0.0, 100.0]),
    ) {
        let size = |size: f32| 0.1 * 10f32.powf(size);
        let (r_a, r_b) = (size(sizes.0), size(sizes.1));
        let [speed, field, pressure] = [speed, field, pressure].map(|power| 10f32.powf(power));
        let d = direction.normalize_or(Vec3::X) * ((r_a + r_b) * (1.0 + gap));
        let mut bodies = Bodies { h: 0.01, ..default() };
        for (x, radius, v, a, contact) in [
            (d, r_a, velocities.0, fields.0, contacts.0),
            (Vec3::ZERO, r_b, velocities.1, fields.1, contacts.1),
        ] {
            let shape = Shape::Particle { radius };
            bodies.push_for_test(shape, x + offset, v * speed, 1.0);
            let i = bodies.len() - 1;
            bodies.acceleration[i] = (a * field).as_dvec3();
            bodies.contact_acceleration[i] = contact * pressure;
        }
        let config = CollisionConfig::default();
        if next_impact(&bodies, &config, 0, 1, 0.0).is_some() {
            let [a, b] = [0, 1].map(|i| BallFilter::of(&bodies, i));
            let pairs = [(&a, &b), (&b, &a), (&a, &b), (&b, &a)];
            let may_hit = BallFilter::may_hit(pairs, config.resting_speed, bodies.h);
            prop_assert_eq!(may_hit, 0b1111);
        }
    }
}
