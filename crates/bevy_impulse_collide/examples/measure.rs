//! Eight spinning balls fly together, hit and rub each other. The energy may only fall. Nothing acts from outside, so the
//! momentum and the angular momentum stay as they were.
//!
//! ```sh
//! cargo run -p bevy_impulse_collide --example measure
//! ```

use bevy::{
    ecs::system::RunSystemOnce,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

fn main() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO);
    app.update();

    for i in 0..8 {
        let corner = Vec3::new(
            if i & 1 == 0 { 1.0 } else { -1.0 },
            if i & 2 == 0 { 1.1 } else { -1.1 },
            if i & 4 == 0 { 1.2 } else { -1.2 },
        );
        app.world_mut().spawn((
            Particle::new(0.3),
            Mass(1.0 + i as f32),
            Restitution(0.6),
            Friction(0.4),
            LinearVelocity(Vec3::new(0.1, 0.2, 0.3) - 2.0 * corner),
            AngularVelocity(Vec3::Y * i as f32),
            Transform::from_translation(corner),
        ));
    }

    println!("  t, s   energy, J   momentum, kg·m/s   angular momentum, kg·m²/s");
    for step in 0..=120 {
        if step % 12 == 0 {
            let t = f64::from(step) / 120.0;
            let measured = app
                .world_mut()
                .run_system_once(|measure: Measure| measure.measure())
                .expect("the plugin is there");
            let energy = measured.energy();
            let [p, l] = [measured.momentum, measured.angular_momentum];
            println!("{t:6.2} {energy:11.4}   {p:.4}   {l:.4}");
        }
        app.update();
    }
}
