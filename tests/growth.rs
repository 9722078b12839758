//! Capsules that grow and divide: growth is a degree of freedom, and mass and motion are conserved.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;

const BOTH: [ContactMethod; 2] = [
    ContactMethod::Sweeps,
    ContactMethod::Global(GlobalSolver {
        iterations: 500,
        tolerance: 1e-6,
        regularisation: 1e-5,
        friction_passes: 3,
        stabilisation: 0.0,
    }),
];

fn app_without_impacts(method: ContactMethod) -> App {
    let mut app = app(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.stages.impulse_jolt = false;
    config.sleep_speed = 0.0;
    config.contact_method = method;
    config.contact_iterations = 60;
    app
}

/// A capsule along x.
fn lying(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0).with_rotation(along_x())
}

fn along_x() -> Quat {
    Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2)
}

fn length(app: &App, entity: Entity) -> f32 {
    get::<Capsule>(app, entity).length
}

/// Component by component, to 1e-5 of the length.
#[track_caller]
fn assert_kept(law: &str, now: DVec3, before: DVec3) {
    let tolerance = 1e-5 * before.length();
    assert!(
        now.abs_diff_eq(before, tolerance),
        "{law}: {before} became {now}"
    );
}

#[test]
fn what_nothing_blocks_grows_at_its_rate() {
    let mut app = app(60.0);
    let cell = app
        .world_mut()
        .spawn((Capsule::new(0.5, 1.0), Growth::new(0.2, 1.0)))
        .id();
    steps(&mut app, 120);
    assert_near("L = L₀ + L̇·t", length(&app, cell).into(), 1.4, 1e-5);
    assert_near("mass", get::<Mass>(&app, cell).0.into(), 1.0, 0.0);
}

/// Mass taken up at rest slows translation and rotation: p and L stay.
#[test]
fn momenta_stay_while_mass_is_taken_up() {
    let mut app = app(60.0);
    app.world_mut().spawn((
        Capsule::new(0.3, 0.6),
        Mass(2.0),
        Growth::new(0.5, 2.0).with_uptake(1.5),
        LinearVelocity(Vec3::new(1.0, -0.4, 0.2)),
        AngularVelocity(Vec3::new(0.5, 2.0, -1.0)),
    ));
    let before = measure(&mut app);
    steps(&mut app, 240);
    let after = measure(&mut app);
    assert_kept("p", after.momentum, before.momentum);
    assert_kept("L", after.angular_momentum, before.angular_momentum);
    assert!(after.kinetic_energy < 0.7 * before.kinetic_energy);
}

/// Two capsules of different masses that grow into each other, the one askew to the other's side: n·(v_a + ω_a×r_a + L̇_a·∂r_a −
/// …) = 0 after the step.
#[test]
fn a_pair_that_grows_together_ends_with_no_approach() {
    for method in BOTH {
        let mut app = app_without_impacts(method);
        app.world_mut()
            .resource_mut::<SolverReport>()
            .measures_residual = true;
        let a = (
            Capsule::new(0.5, 1.0),
            Mass(1.0),
            Growth::new(1.0, 1.0),
            LinearVelocity(Vec3::X),
            lying(-0.99, 0.0),
        );
        let tilt = Quat::from_rotation_z(0.3);
        let b = (
            Capsule::new(0.5, 2.0),
            Mass(3.0),
            Growth::new(0.5, 3.0),
            lying(1.45, 0.3).with_rotation(tilt * along_x()),
        );
        let (a, b) = (app.world_mut().spawn(a).id(), app.world_mut().spawn(b).id());
        steps(&mut app, 1);
        let report = app.world().resource::<SolverReport>();
        // The surfaces approached at 1 m/s, and at 0.75 m/s by growth.
        assert!(
            report.residual < 1e-4 * 1.75,
            "{method:?}: {}",
            report.residual
        );
        let contacts = app.world().resource::<Contacts>();
        assert_eq!(contacts.len(), 1);
        for (cell, rate) in [(a, 1.0), (b, 0.5)] {
            let growth = get::<Growth>(&app, cell);
            assert!(growth.speed < 0.95 * rate, "{method:?}: {}", growth.speed);
        }
    }
}

/// Between two walls a cell can only stop: in every step their impulses undo all the momentum g = G·L̇ that drives it.
#[test]
fn walls_stop_growth_and_inertia_drives_it() {
    for method in BOTH {
        let mut app = app_without_impacts(method);
        for side in [Vec3::X, Vec3::NEG_X] {
            let wall = Transform::from_translation(side * -1.5);
            app.world_mut().spawn((Plane::new(side), wall));
        }
        let growth = Growth::new(0.3, 1.0).with_inertia(5.0);
        let cell = app
            .world_mut()
            .spawn((Capsule::new(0.5, 1.0), growth, lying(0.0, 0.0)))
            .id();
        steps(&mut app, 400);
        assert_near("the room", length(&app, cell).into(), 2.0, 1e-3);
        assert_near("speed", get::<Growth>(&app, cell).speed.into(), 0.0, 1e-4);
        // Each wall's impulse P changes L̇ by −P/(2·G): both together undo the rate.
        let contacts: Vec<Contact> = app.world().resource::<Contacts>().iter().copied().collect();
        assert_eq!(contacts.len(), 2, "{method:?}");
        for contact in contacts {
            assert_near("P = G·L̇", contact.impulse.length().into(), 5.0 * 0.3, 1e-3);
        }
    }
}

/// A cell that pushes a heavy one grows the slower, the smaller its G.
#[test]
fn what_blocks_a_cell_slows_its_growth() {
    let grown = |inertia: f32| {
        let mut app = app_without_impacts(BOTH[1]);
        let growth = Growth::new(0.2, 1.0).with_inertia(inertia);
        let cell = app
            .world_mut()
            .spawn((Capsule::new(0.5, 1.0), growth, lying(0.0, 0.0)))
            .id();
        app.world_mut()
            .spawn((Capsule::new(0.5, 1.0), RigidBody::Static, lying(-2.0, 0.0)));
        app.world_mut()
            .spawn((Capsule::new(0.5, 1.0), Mass(50.0), lying(2.0, 0.0)));
        steps(&mut app, 60);
        length(&app, cell)
    };
    let [weak, strong, unstoppable] = [1.0, 1000.0, f32::INFINITY].map(grown);
    assert!(1.0 < weak && weak < 0.999 * strong, "{weak} {strong}");
    assert_near("the rate", unstoppable.into(), 1.2, 1e-5);
}

/// A division conserves mass, momentum and angular momentum, for any shares; the two daughters lie in the place of the mother.
#[test]
fn division_keeps_what_is_conserved() {
    for (share, bend) in [(0.5, 0.0), (0.3, 0.4), (1.0, -0.2)] {
        let mut app = app_without_impacts(ContactMethod::Sweeps);
        let cell = app
            .world_mut()
            .spawn((
                Capsule::new(0.5, 2.995),
                Mass(4.0),
                Growth::new(0.5, 4.0).with_uptake(1.0),
                Division {
                    length: 3.0,
                    share,
                    bend,
                },
                Restitution(0.25),
                LinearVelocity(Vec3::new(3.0, 1.0, -2.0)),
                AngularVelocity(Vec3::new(0.7, 0.4, 1.1)),
                lying(5.0, 1.0),
            ))
            .id();
        let before = measure(&mut app);
        steps(&mut app, 1);
        let after = measure(&mut app);
        let [Divided { first, second }] = messages::<Divided>(&app)[..] else {
            panic!("one division");
        };
        assert_eq!(first, cell);
        assert_eq!(after.bodies, 2);
        let masses = [first, second].map(|cell| f64::from(get::<Mass>(&app, cell).0));
        let grown = f64::from(0.5 / 60.0f32);
        assert_near("mass", masses[0] + masses[1], 4.0 + grown, 1e-5);
        let lengths = [first, second].map(|cell| f64::from(length(&app, cell)));
        let cylinders = 2.995 + grown - 1.0;
        assert_near("cylinders", lengths[0] + lengths[1], cylinders, 1e-5);
        assert_near("share", lengths[0], f64::from(share) * cylinders, 1e-5);
        let centers = position(&app, first).distance(position(&app, second));
        let apart = 0.5 * (lengths[0] + lengths[1]) + 1.0;
        assert_near("end to end", centers.into(), apart, 1e-5);
        assert_eq!(get::<Restitution>(&app, second), Restitution(0.25));
        assert_kept("p", after.momentum, before.momentum);
        assert_kept("L", after.angular_momentum, before.angular_momentum);
        // They go on.
        steps(&mut app, 30);
        let later = measure(&mut app);
        assert_kept("p", later.momentum, before.momentum);
    }
}

/// A cluster that grows from one turning, flying cell to a hundred, pushing itself apart.
#[test]
fn a_free_cluster_keeps_its_momenta() {
    #[derive(Resource)]
    struct Draws(u32);
    fn rule(
        mut divided: MessageReader<Divided>,
        mut divisions: Query<&mut Division>,
        mut draws: ResMut<Draws>,
    ) {
        for &Divided { first, second } in divided.read() {
            for cell in [first, second] {
                if let Ok(mut division) = divisions.get_mut(cell) {
                    draws.0 += 1;
                    let draw = (draws.0 as f32 * 0.618).fract();
                    division.length = 2.8 + 0.4 * draw;
                    division.bend = 0.2 * (draw - 0.5);
                }
            }
        }
    }
    for method in BOTH {
        let mut app = app_without_impacts(method);
        app.insert_resource(Draws(0)).add_systems(FixedUpdate, rule);
        app.world_mut().spawn((
            Capsule::new(0.5, 1.0),
            Mass(2.0),
            Growth::new(2.0, 2.0).with_uptake(1.0).with_inertia(50.0),
            Division {
                bend: 0.1,
                ..Division::new(3.0)
            },
            Friction(0.0),
            LinearVelocity(Vec3::new(0.5, 1.0, 0.0)),
            AngularVelocity(Vec3::new(0.1, 0.2, 0.8)),
        ));
        let before = measure(&mut app);
        for _ in 0..70 {
            steps(&mut app, 6);
            let now = measure(&mut app);
            let change = (now.momentum - before.momentum).length();
            assert!(
                change < 1e-5 * before.momentum.length(),
                "{method:?}: {change}"
            );
            // About the origin: mass taken up at rest moves the centre of mass.
            let spin = |m: &Measurement| m.angular_momentum + m.center_of_mass.cross(m.momentum);
            let change = (spin(&now) - spin(&before)).length();
            let scale = now
                .angular_momentum_scale
                .max(before.angular_momentum.length());
            assert!(change < 1e-5 * scale, "{method:?}: {change} of {scale}");
        }
        let cells = measure(&mut app).bodies;
        assert!(cells >= 64, "{method:?}: {cells} cells");
    }
}

/// v·e^(−d·t), and the terminal speed a/d under a field.
#[test]
fn damping_is_exact() {
    let mut app = app(60.0);
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.1),
            LinearVelocity(Vec3::X),
            AngularVelocity(Vec3::Y),
            LinearDamping(3.0),
            AngularDamping(2.0),
        ))
        .id();
    steps(&mut app, 60);
    let v = velocity(&app, ball).x.into();
    assert_near("v", v, (-3.0f64).exp(), 1e-5);
    let w = spin(&app, ball).y.into();
    assert_near("ω", w, (-2.0f64).exp(), 1e-5);
    // x = ∫v: to the second order of d·h.
    let path = (1.0 - (-3.0f64).exp()) / 3.0;
    assert_near("x", position(&app, ball).x.into(), path, 2e-4);

    let mut app = app_with_gravity(60.0);
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.1), LinearDamping(3.0)))
        .id();
    steps(&mut app, 600);
    let before = position(&app, ball).y;
    steps(&mut app, 60);
    let speed = f64::from(before - position(&app, ball).y);
    assert_near("g/d", speed, 9.81 / 3.0, 1e-3);
}

#[test]
fn what_cannot_grow_or_divide_is_told_and_lives_on() {
    let mut app = app(60.0);
    let bad_growth = app
        .world_mut()
        .spawn((Capsule::new(0.5, 1.0), Growth::new(f32::NAN, 1.0)))
        .id();
    let bad_division = app
        .world_mut()
        .spawn((
            Capsule::new(0.5, 2.0),
            Transform::from_xyz(5.0, 0.0, 0.0),
            Growth::new(1.0, 1.0),
            Division {
                share: 2.0,
                ..Division::new(1.0)
            },
        ))
        .id();
    let bad_damping = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Transform::from_xyz(0.0, 5.0, 0.0),
            LinearDamping(-1.0),
            LinearVelocity(Vec3::Y),
        ))
        .id();
    let mut told = Vec::new();
    for _ in 0..30 {
        steps(&mut app, 1);
        told.extend(messages::<BadInput>(&app));
    }
    let who: Vec<Entity> = told.iter().map(|bad| bad.entity).collect();
    for cell in [bad_growth, bad_division, bad_damping] {
        assert_eq!(who.iter().filter(|&&entity| entity == cell).count(), 1);
    }
    assert_near(
        "it does not grow",
        length(&app, bad_growth).into(),
        1.0,
        0.0,
    );
    assert_near("it grows", length(&app, bad_division).into(), 2.5, 1e-4);
    assert_near("v", velocity(&app, bad_damping).y.into(), 1.0, 0.0);
    assert_eq!(measure(&mut app).bodies, 3);
}

/// With the contact stage off, cells grow through each other, divide, and go on.
#[test]
fn cells_divide_whatever_stages_run() {
    let mut app = app_without_impacts(ContactMethod::Sweeps);
    let cell = || {
        (
            Capsule::new(0.5, 1.0),
            Growth::new(2.0, 1.0),
            Division::new(1.5),
        )
    };
    app.world_mut().spawn(cell());
    steps(&mut app, 10);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .stages
        .contact = false;
    app.world_mut().spawn((cell(), lying(5.0, 0.0)));
    steps(&mut app, 30);
    assert_eq!(measure(&mut app).bodies, 4);
}
