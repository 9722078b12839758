//! scratch
use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use bevy_impulse_overlay::*;

fn main() {
    let many: usize = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(10);
    App::new()
        .add_plugins((
            DefaultPlugins,
            ImpulseCollidePlugin::default(),
            ImpulseOverlayPlugin {
                open: std::env::args().nth(2).is_none(),
                ..default()
            },
        ))
        .insert_resource(Many(many))
        .insert_resource(T(std::time::Instant::now(), 0, 0.0))
        .add_systems(
            PostUpdate,
            (
                t0.before(bevy_egui::EguiPostUpdateSet::EndPass),
                t1.after(bevy_egui::EguiPostUpdateSet::EndPass)
                    .before(bevy_egui::EguiPostUpdateSet::ProcessOutput),
            ),
        )
        .add_systems(Startup, setup)
        .add_systems(
            Update,
            (
                log_step,
                log_keys.run_if(not(keyboard_in_overlay)),
                log_click.run_if(not(pointer_over_overlay)),
                kill,
            ),
        )
        .run();
}
#[derive(Resource)]
struct T(std::time::Instant, u32, f64);
fn t0(mut t: ResMut<T>) {
    t.0 = std::time::Instant::now();
}
fn t1(mut t: ResMut<T>) {
    t.1 += 1;
    t.2 += t.0.elapsed().as_secs_f64();
    if t.1 == 8 {
        println!("ui {:.3} ms", t.2 / 8.0 * 1e3);
        t.1 = 0;
        t.2 = 0.0;
    }
}
#[derive(Resource)]
struct Many(usize);

fn log_step(
    c: Res<StepControl>,
    t: Res<Time<Virtual>>,
    q: Query<&Transform, With<Particle>>,
    mut l: Local<(f32, f32)>,
) {
    let x = (q.iter().next().unwrap().translation.x, t.relative_speed());
    if c.paused && *l != x {
        *l = x;
        println!("step {c:?} {} {}", x.0, x.1);
    }
}
fn log_keys(mut r: MessageReader<bevy::input::keyboard::KeyboardInput>) {
    for k in r.read() {
        println!("{k:?}");
    }
}
fn log_click(mouse: Res<ButtonInput<MouseButton>>) {
    if mouse.just_pressed(MouseButton::Left) {
        println!("scene click");
    }
}
fn kill(keys: Res<ButtonInput<KeyCode>>, sel: Res<Selection>, mut c: Commands) {
    if keys.just_pressed(KeyCode::Delete)
        && let Some(e) = **sel
    {
        c.entity(e).despawn();
        println!("killed {e}");
    }
}

fn setup(
    mut c: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut mats: ResMut<Assets<StandardMaterial>>,
    many: Res<Many>,
) {
    let many = many.0;
    c.spawn((
        Camera3d::default(),
        Msaa::Off,
        Transform::from_xyz(0.0, 4.0, 9.0).looking_at(Vec3::new(1.0, 0.8, 0.0), Vec3::Y),
    ));
    c.spawn((
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(3.0, 8.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let floor = mats.add(Color::srgb(0.35, 0.4, 0.45));
    c.spawn((
        Name::new("Floor"),
        Plane::new(Vec3::Y),
        Mesh3d(meshes.add(Plane3d::default().mesh().size(14.0, 14.0))),
        MeshMaterial3d(floor),
    ));
    for (n, x) in [("Wall -x", 1.0), ("Wall +x", -1.0)] {
        c.spawn((
            Name::new(n),
            Plane::new(Vec3::X * x),
            Transform::from_xyz(-3.5 * x, 0.0, 0.0),
        ));
    }
    for (n, z) in [("Wall -z", 1.0), ("Wall +z", -1.0)] {
        c.spawn((
            Name::new(n),
            Plane::new(Vec3::Z * z),
            Transform::from_xyz(0.0, 0.0, -3.5 * z),
        ));
    }
    let red = mats.add(Color::srgb(0.8, 0.3, 0.25));
    let blue = mats.add(Color::srgb(0.25, 0.45, 0.8));
    let r = if many > 100 { 0.12 } else { 0.35 };
    let ball = meshes.add(Sphere::new(r));
    for i in 0..many {
        let (a, b, d) = (i % 7, (i / 7) % 7, i / 49);
        let mut e = c.spawn((
            Particle::new(r),
            Restitution(0.8),
            Friction(0.2),
            Mesh3d(ball.clone()),
            MeshMaterial3d(red.clone()),
            LinearVelocity(Vec3::new(
                (i as f32 * 1.7).sin() * 3.0,
                0.0,
                (i as f32 * 2.3).cos() * 2.0,
            )),
            Transform::from_xyz(
                a as f32 * 0.9 - 2.7,
                0.6 + d as f32 * 0.3 + b as f32 * 0.1,
                b as f32 * 0.9 - 2.0,
            ),
        ));
        if i == 0 {
            e.insert(Name::new("Cue ball"));
        }
    }
    let caps = meshes.add(Capsule3d::new(0.25, 1.0));
    for i in 0..2 {
        c.spawn((
            Capsule::new(0.25, 1.0),
            Restitution(0.4),
            Mesh3d(caps.clone()),
            MeshMaterial3d(blue.clone()),
            Transform::from_xyz(i as f32 * 1.6 - 0.5, 2.5 + i as f32, 1.0)
                .with_rotation(Quat::from_rotation_z(1.0 + i as f32)),
        ));
    }
}
