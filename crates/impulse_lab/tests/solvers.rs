//! Each solver of many contacts keeps the laws of a single contact, and differs from the others as the head of its file says.

use std::time::Duration;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use impulse_lab::solver::{
    ConjugateGradient, Direct, GaussSeidel, Hybrid, Jacobi, SoftSteps, VertexBlockDescent, Xpbd,
};

const G: f32 = 9.81;
const RADIUS: f32 = 0.1;
const STEP: Duration = Duration::from_millis(10);

/// A world with a floor of this normal.
fn world(add: fn(&mut App), normal: Vec3) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Gravity(Vec3::NEG_Y * G));
    add(&mut app);
    app.world_mut().resource_mut::<StepControl>().paused = true;
    app.world_mut().spawn((Plane::new(normal), Friction(1.0)));
    app
}

fn ball(app: &mut App, at: Vec3, radius: f32, mass: f32, restitution: f32) -> Entity {
    let ball = (
        Particle::new(radius),
        Mass(mass),
        Restitution(restitution),
        Friction(0.3),
        Transform::from_translation(at),
    );
    app.world_mut().spawn(ball).id()
}

fn step(app: &mut App) {
    bevy_impulse_collide::step(app.world_mut(), STEP);
}

fn at(app: &App, entity: Entity) -> Vec3 {
    let at = app.world().get::<Transform>(entity);
    at.map_or(Vec3::NAN, |at| at.translation)
}

fn speed(app: &App, entity: Entity) -> f32 {
    let v = app.world().get::<LinearVelocity>(entity);
    v.map_or(f32::NAN, |v| v.length())
}

/// The methods, with what they are called.
const METHODS: [(&str, fn(&mut App)); 8] = [
    ("Jacobi", |app| {
        app.add_plugins(Jacobi::default());
    }),
    ("Gauss-Seidel", |app| {
        app.add_plugins(GaussSeidel::default());
    }),
    ("conjugate gradients", |app| {
        app.add_plugins(ConjugateGradient::default());
    }),
    ("direct", |app| {
        app.add_plugins(Direct::default());
    }),
    ("hybrid", |app| {
        app.add_plugins(Hybrid::default());
    }),
    ("soft steps", |app| {
        app.add_plugins(SoftSteps::default());
    }),
    ("vertex block descent", |app| {
        app.add_plugins(VertexBlockDescent::default());
    }),
    ("XPBD", |app| {
        app.add_plugins(Xpbd::default());
    }),
];

#[test]
fn a_bounce_gives_back_what_the_restitution_says() {
    for (name, add) in METHODS {
        let mut app = world(add, Vec3::Y);
        let ball = ball(&mut app, Vec3::Y * (1.0 + RADIUS), RADIUS, 1.0, 0.6);
        let mut apex: f32 = 0.0;
        for k in 0..90 {
            step(&mut app);
            if k > 50 {
                apex = apex.max(at(&app, ball).y - RADIUS);
            }
        }
        // One step is 1 % of a second, and the impact may be off by a part of it.
        assert!((apex - 0.36).abs() < 0.05, "{name}: {apex} m");
    }
}

#[test]
fn a_column_of_balls_stands() {
    for (name, add) in METHODS {
        let mut app = world(add, Vec3::Y);
        let balls: Vec<Entity> = (0..5)
            .map(|k| {
                ball(
                    &mut app,
                    Vec3::Y * RADIUS * (1.0 + 2.0 * k as f32),
                    RADIUS,
                    1.0,
                    0.0,
                )
            })
            .collect();
        for _ in 0..500 {
            step(&mut app);
        }
        let sunk = 9.0 * RADIUS - at(&app, balls[4]).y;
        let fastest = balls
            .iter()
            .map(|&ball| speed(&app, ball))
            .fold(0.0, f32::max);
        assert!(sunk.abs() < 0.1 * RADIUS, "{name}: {sunk} m");
        assert!(fastest < 0.02, "{name}: {fastest} m/s");
    }
}

/// A ball rolls off another one, and falls on the floor with a contact that is new.
#[test]
fn a_ball_that_falls_off_another_lies_on_the_floor() {
    for (name, add) in METHODS {
        let mut app = world(add, Vec3::Y);
        ball(&mut app, Vec3::Y * RADIUS, RADIUS, 1.0, 0.0);
        let beside = Vec3::new(0.6, 2.9, 0.0) * RADIUS;
        let upper = ball(&mut app, beside, RADIUS, 1.0, 0.0);
        for _ in 0..200 {
            step(&mut app);
        }
        let sunk = 1.0 - at(&app, upper).y / RADIUS;
        assert!(sunk.abs() < 0.05, "{name}: {sunk} radii");
    }
}

/// How far a log slides down a slope of 20° in one second.
fn slide(add: fn(&mut App), friction: f32) -> f32 {
    let tilt = Quat::from_rotation_z(-20f32.to_radians());
    let mut app = world(add, tilt * Vec3::Y);
    let log = (
        Capsule::new(RADIUS, 0.6),
        Restitution(0.0),
        Friction(friction),
        Transform::from_translation(tilt * Vec3::Y * RADIUS)
            .with_rotation(tilt * Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)),
    );
    let log = app.world_mut().spawn(log).id();
    let start = at(&app, log);
    for _ in 0..100 {
        step(&mut app);
    }
    at(&app, log).distance(start)
}

#[test]
fn a_log_slides_outside_the_friction_cone_only() {
    for (name, add) in METHODS {
        // The friction of a pair is the geometric mean; the slope's is 1.
        let held = slide(add, 0.36);
        assert!(held < 0.01, "{name}: {held} m");
        let slid = slide(add, 0.04);
        let (sin, cos) = 20f32.to_radians().sin_cos();
        let expected = 0.5 * G * (sin - 0.2 * cos);
        assert!(
            (slid / expected - 1.0).abs() < 0.05,
            "{name}: {slid} m, not {expected}"
        );
    }
}

/// How far the top of a column of twenty balls sinks in half a second, in radii.
fn sinking_of_a_column(method: impl Plugin) -> f32 {
    let mut app = world(|_| {}, Vec3::Y);
    app.add_plugins(method);
    let balls: Vec<Entity> = (0..20)
        .map(|k| {
            ball(
                &mut app,
                Vec3::Y * RADIUS * (1.0 + 2.0 * k as f32),
                RADIUS,
                1.0,
                0.0,
            )
        })
        .collect();
    for _ in 0..50 {
        step(&mut app);
    }
    39.0 - at(&app, balls[19]).y / RADIUS
}

#[test]
fn with_the_same_sweeps_gauss_seidel_gets_further_than_jacobi_and_conjugate_gradients_further_still()
 {
    let cold = |warm_start| GaussSeidel {
        warm_start,
        ..default()
    };
    let jacobi = sinking_of_a_column(Jacobi {
        warm_start: 0.0,
        ..default()
    });
    let seidel = sinking_of_a_column(cold(0.0));
    let relaxed = sinking_of_a_column(GaussSeidel {
        relaxation: 1.5,
        ..cold(0.0)
    });
    let conjugate = sinking_of_a_column(ConjugateGradient {
        warm_start: 0.0,
        ..default()
    });
    let warm = sinking_of_a_column(cold(1.0));
    assert!(seidel < 0.8 * jacobi, "{seidel} and {jacobi} radii");
    assert!(relaxed < 0.8 * seidel, "{relaxed} and {seidel} radii");
    assert!(conjugate < 0.8 * seidel, "{conjugate} and {seidel} radii");
    assert!(warm < 0.2 * seidel, "{warm} and {seidel} radii");
}

#[test]
fn a_direct_solve_holds_a_tall_column_without_a_warm_start() {
    let direct = sinking_of_a_column(Direct {
        warm_start: 0.0,
        ..default()
    });
    let hybrid = sinking_of_a_column(Hybrid {
        warm_start: 0.0,
        ..default()
    });
    // The slop of one contact is a thousandth.
    assert!(direct.abs() < 0.03, "{direct} radii");
    assert!(hybrid.abs() < 0.03, "{hybrid} radii");
}

/// A heap with friction collapses in a box, with contacts that slide and contacts that stick.
#[test]
fn a_direct_solve_fulfils_the_laws_of_hundreds_of_contacts() {
    let mut app = world(|_| {}, Vec3::Y);
    app.add_plugins(Direct::default());
    for inwards in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let at = Transform::from_translation(-inwards * 5.0 * RADIUS);
        let wall = (Plane::new(inwards), at, Friction(0.2));
        app.world_mut().spawn(wall);
    }
    for k in 0..128 {
        let (layer, place) = (k / 16, k % 16);
        let shift = if layer % 2 == 0 { 0.1 } else { -0.1 };
        let x = Vec3::new(
            (place % 4) as f32 * 2.05 - 3.1 + shift,
            1.0 + 2.0 * layer as f32,
            (place / 4) as f32 * 2.05 - 3.1 - shift,
        );
        ball(&mut app, x * RADIUS, RADIUS, 1.0, 0.0);
    }
    let (mut residuals, mut most) = (Vec::new(), 0);
    for _ in 0..100 {
        step(&mut app);
        let solve = app.world().resource::<Direct>();
        residuals.push(solve.residual);
        most = most.max(solve.contacts);
    }
    residuals.sort_by(f64::total_cmp);
    assert!(most > 250, "{most} contacts");
    assert!(residuals[80] < 1e-7, "{} m/s", residuals[80]);
    assert!(residuals[99] < 1e-4, "{} m/s", residuals[99]);
}

/// The greatest speed in m/s after a second in a pyramid of balls between two walls.
fn fastest_in_a_pyramid(relaxation: f32) -> f32 {
    const ROWS: usize = 10;
    let mut app = world(|_| {}, Vec3::Y);
    app.add_plugins(Jacobi {
        relaxation,
        ..default()
    });
    app.world_mut().resource_mut::<CollisionConfig>().flat = true;
    for side in [-1.0, 1.0] {
        let at = Transform::from_xyz(side * RADIUS * ROWS as f32, 0.0, 0.0);
        app.world_mut().spawn((Plane::new(Vec3::NEG_X * side), at));
    }
    let mut balls = Vec::new();
    for row in 0..ROWS {
        for k in 0..ROWS - row {
            let x = RADIUS * (2.0 * k as f32 - (ROWS - row - 1) as f32);
            let y = RADIUS * (1.0 + 3f32.sqrt() * row as f32);
            balls.push(ball(&mut app, Vec3::new(x, y, 0.0), RADIUS, 1.0, 0.0));
        }
    }
    for _ in 0..100 {
        step(&mut app);
    }
    balls
        .iter()
        .map(|&ball| speed(&app, ball))
        .fold(0.0, |a: f32, b| if b <= a { a } else { b })
}

#[test]
fn jacobi_needs_relaxation_in_a_dense_heap() {
    let (tame, wild) = (fastest_in_a_pyramid(0.4), fastest_in_a_pyramid(1.0));
    assert!(tame < 1.0, "{tame} m/s");
    assert!(wild.is_nan() || wild > 10.0, "{wild} m/s");
}

#[test]
fn a_heavy_ball_sinks_into_a_light_one_under_sweeps_and_not_under_the_stages() {
    let sunk = |add: fn(&mut App)| {
        let mut app = world(add, Vec3::Y);
        ball(&mut app, Vec3::Y * RADIUS, RADIUS, 1.0, 0.0);
        let heavy = ball(&mut app, Vec3::Y * 3.0 * RADIUS, RADIUS, 1000.0, 0.0);
        for _ in 0..300 {
            step(&mut app);
        }
        (3.0 * RADIUS - at(&app, heavy).y) / RADIUS
    };
    let stages = sunk(|_| {});
    assert!(stages.abs() < 1e-3, "{stages} radii");
    for add in [METHODS[3].1, METHODS[4].1] {
        let direct = sunk(add);
        assert!(direct.abs() < 2e-3, "{direct} radii");
    }
    let sweeps = sunk(METHODS[1].1);
    assert!(sweeps > 0.1, "{sweeps} radii");
}
