//! Writes a failing world as a test for the laws crate.

use std::fmt::{Result, Write};

use bevy::{prelude::*, reflect::structs::Struct};
use bevy_impulse_collide::prelude::*;

use crate::{
    check::BEHIND_WALL,
    failure::{Failure, Law},
    print_ties,
    print_ties::vector,
    shrink::Failing,
    world::{Action, BadValue, Body, Material, Round, Wall, World},
};

/// The text of a `#[test]` that fails as the world does. It belongs into a file of `tests/`, after `use laws::*;`.
pub fn as_test(failing: &Failing) -> String {
    let mut text = String::new();
    match write_test(&mut text, failing) {
        Ok(()) => text,
        Err(error) => format!("// no test: {error}"),
    }
}

fn write_test(f: &mut String, Failing { world, failure }: &Failing) -> Result {
    writeln!(
        f,
        "/// Seed {}, {:?}, {:?}: {failure}.",
        world.seed, world.kind, world.start
    )?;
    writeln!(f, "#[test]\n#[allow(unused)]\nfn seed_{}() {{", world.seed)?;
    writeln!(
        f,
        "    use {{CombineRule::*, ContactMethod::*, ImpactLaw::*, ProjectionLaw::*, ProjectionStrength::*}};"
    )?;
    writeln!(f, "    let mut app = app({:?});", world.hz)?;
    if world.gravity != Vec3::ZERO {
        writeln!(
            f,
            "    app.insert_resource(Gravity({}));",
            vector(world.gravity)
        )?;
    }
    write_config(f, &world.config)?;
    for wall in &world.walls {
        write_wall(f, wall)?;
    }
    for body in &world.bodies {
        let id = body.id;
        writeln!(
            f,
            "    let mut body_{id} = app.world_mut().spawn({}).id();",
            bundle(body)
        )?;
    }
    for tie in &world.ties {
        let spawned = print_ties::spawned(tie, &world.bodies);
        writeln!(f, "    let mut tie_{} = {spawned};", tie.id)?;
    }
    let at_start = world.ties.len();
    for tie in world.all_ties().skip(at_start) {
        writeln!(f, "    let mut tie_{} = Entity::PLACEHOLDER;", tie.id)?;
    }
    for id in spawned_later(world) {
        writeln!(f, "    let mut body_{id} = Entity::PLACEHOLDER;")?;
    }
    write_start(f, &failure.law)?;
    writeln!(f, "    for step in 0..{} {{", failure.step + 1)?;
    write_events(f, world)?;
    writeln!(f, "        app.update();")?;
    write_check(f, world, failure)?;
    writeln!(f, "    }}\n}}")
}

/// Writes the fields that differ from the default. `Debug` gives Rust, as the test imports all variants.
fn write_config(f: &mut String, config: &CollisionConfig) -> Result {
    let default = CollisionConfig::default();
    let fields = (0..config.field_len()).filter_map(|i| {
        let (name, value) = (config.name_at(i)?, config.field_at(i)?);
        let is_default = value.reflect_partial_eq(default.field_at(i)?) == Some(true);
        (!is_default).then(|| format!("{name}: {value:?}, "))
    });
    let fields: String = fields.collect();
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(
        f,
        "    app.insert_resource(CollisionConfig {{ {fields}..default() }});"
    )
}

fn write_wall(f: &mut String, wall: &Wall) -> Result {
    write!(
        f,
        "    app.world_mut().spawn((Plane::new({}), ",
        vector(wall.normal)
    )?;
    write!(f, "Transform::from_translation({}), ", vector(wall.point))?;
    if wall.motion.is_kinematic() {
        write!(
            f,
            "RigidBody::Kinematic, LinearVelocity({}), ",
            vector(wall.velocity)
        )?;
        write!(f, "AngularVelocity({}), ", vector(wall.spin))?;
    }
    if wall.belt != Vec3::ZERO {
        write!(f, "SurfaceVelocity({}), ", vector(wall.belt))?;
    }
    writeln!(f, "{}));", material(&wall.material))
}

fn bundle(body: &Body) -> String {
    let radius = body.radius;
    if let Round::Dumbbell(length) = body.shape {
        return dumbbell(body, length);
    }
    let shape = match body.shape {
        Round::Ball => format!("Particle::new({radius:?})"),
        Round::Capsule(length) | Round::Dumbbell(length) => {
            format!("Capsule::new({radius:?}, {length:?})")
        }
    };
    let q = body.rotation;
    let turned = if q == Quat::IDENTITY {
        String::new()
    } else {
        format!(
            ".with_rotation(Quat::from_xyzw({:?}, {:?}, {:?}, {:?}))",
            q.x, q.y, q.z, q.w
        )
    };
    let layers = body.layers.map_or_else(String::new, |it| {
        let (LayerMask(of), LayerMask(with)) = (it.memberships, it.filters);
        format!(", CollisionLayers::new(LayerMask({of}), LayerMask({with}))")
    });
    let sensor = if body.is_sensor { ", Sensor" } else { "" };
    let sleepless = if body.is_sleepless {
        ", SleepingDisabled"
    } else {
        ""
    };
    format!(
        "({shape}, RigidBody::{:?}, Mass({:?}), Transform::from_translation({}){turned}, LinearVelocity({}), AngularVelocity({}), {}{layers}{sensor}{sleepless})",
        body.motion,
        body.mass,
        vector(body.position),
        vector(body.velocity),
        vector(body.spin),
        material(&body.material),
    )
}

/// A compound of two balls: the bundle of a ball, without what its parts have.
fn dumbbell(body: &Body, length: f32) -> String {
    let plain = Body {
        shape: Round::Ball,
        material: Material::default(),
        layers: None,
        ..body.clone()
    };
    let ball = format!("(Particle::new({:?})", body.radius);
    let whole = bundle(&plain).replacen(&ball, "(Compound", 1);
    let layers = body.layers.map_or_else(String::new, |it| {
        let (LayerMask(of), LayerMask(with)) = (it.memberships, it.filters);
        format!(", CollisionLayers::new(LayerMask({of}), LayerMask({with}))")
    });
    let part = |end: f32| {
        format!(
            "(Particle::new({:?}), Mass({:?}), Transform::from_xyz(0.0, {:?}, 0.0), {}{layers})",
            body.radius,
            0.5 * body.mass,
            end * length,
            material(&body.material),
        )
    };
    format!("({whole}, children![{}, {}])", part(-0.5), part(0.5))
}

fn material(material: &Material) -> String {
    let parts = [
        ("Restitution", material.restitution),
        ("Friction", material.friction),
        ("RollingFriction", material.rolling),
        ("SpinningFriction", material.spinning),
    ];
    let stated = parts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}({:?}), ", value?)));
    format!("({})", stated.collect::<String>())
}

fn spawned_later(world: &World) -> impl Iterator<Item = u32> {
    world.events.iter().filter_map(|event| match &event.action {
        Action::Spawn(body) => Some(body.id),
        _ => None,
    })
}

fn write_events(f: &mut String, world: &World) -> Result {
    // A body is mended at the place where it was last set.
    let mut known = world.bodies.clone();
    for event in &world.events {
        let text = match &event.action {
            Action::Spawn(body) => {
                known.push(body.clone());
                format!(
                    "body_{} = app.world_mut().spawn({}).id();",
                    body.id,
                    bundle(body)
                )
            }
            Action::Despawn(id) => format!("app.world_mut().despawn(body_{id});"),
            Action::Teleport(id, position, velocity) => {
                for body in known.iter_mut().filter(|body| body.id == *id) {
                    (body.position, body.velocity) = (*position, *velocity);
                }
                format!(
                    "app.world_mut().get_mut::<Transform>(body_{id}).unwrap().translation = {}; app.world_mut().entity_mut(body_{id}).insert(LinearVelocity({}));",
                    vector(*position),
                    vector(*velocity)
                )
            }
            Action::Spoil(id, bad) => format!("app.world_mut().{};", spoiling(*id, *bad)),
            Action::Mend(id) => {
                let body = known.iter().find(|body| body.id == *id);
                let all = body.map(bundle).unwrap_or_default();
                format!("app.world_mut().entity_mut(body_{id}).insert({all});")
            }
            Action::Rewind(steps) => format!(
                "let start = bevy_impulse_collide::snapshot::PhysicsSnapshot::take(app.world_mut()); let ends = [0, 1].map(|_| {{ for _ in 0..{steps} {{ app.update(); }} let end = bevy_impulse_collide::snapshot::PhysicsSnapshot::take(app.world_mut()).checksum(); start.restore(app.world_mut()); end }}); assert_eq!(ends[0], ends[1]);"
            ),
            Action::SpawnTie(tie) => {
                let spawned = print_ties::spawned(tie, &known);
                format!("tie_{} = {spawned};", tie.id)
            }
            Action::DespawnTie(id) => format!("app.world_mut().despawn(tie_{id});"),
            Action::SwitchTie(id, true) => {
                format!("app.world_mut().entity_mut(tie_{id}).remove::<JointDisabled>();")
            }
            Action::SwitchTie(id, false) => {
                format!("app.world_mut().entity_mut(tie_{id}).insert(JointDisabled);")
            }
            Action::SpoilTie(id, bad) => print_ties::spoiling(*id, *bad),
            Action::MendTie(id) => {
                let tie = world.all_ties().find(|tie| tie.id == *id);
                let all = tie.map(|tie| print_ties::bundle(&tie.anew(), &known));
                let all = all.unwrap_or_default();
                format!(
                    "{{ let joint = {all}; app.world_mut().entity_mut(tie_{id}).insert(joint); }}"
                )
            }
            Action::SpawnBadPlane => "app.world_mut().spawn(Plane::new(Vec3::ZERO));".to_owned(),
        };
        writeln!(f, "        if step == {} {{ {text} }}", event.step)?;
    }
    Ok(())
}

fn spoiling(id: u32, bad: BadValue) -> String {
    let insert = |what: &str| format!("entity_mut(body_{id}).insert({what})");
    let transform = |what: &str| format!("get_mut::<Transform>(body_{id}).unwrap().{what}");
    match bad {
        BadValue::NanPosition => transform("translation = Vec3::NAN"),
        BadValue::ZeroRotation => transform("rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)"),
        BadValue::UnevenScale => transform("scale = Vec3::new(1.0, 2.0, 1.0)"),
        BadValue::NanVelocity => insert("LinearVelocity(Vec3::NAN)"),
        BadValue::InfiniteSpin => insert("AngularVelocity(Vec3::INFINITY)"),
        BadValue::NegativeRadius => insert("Particle::new(-1.0)"),
        BadValue::ZeroMass => insert("Mass(0.0)"),
        BadValue::HighRestitution => insert("Restitution(1.5)"),
        BadValue::NegativeFriction => insert("Friction(-1.0)"),
    }
}

fn write_start(f: &mut String, law: &Law) -> Result {
    match law {
        Law::Energy(_) | Law::ShownEnergy(_) | Law::Burst(_) | Law::Momentum(_) => {
            writeln!(f, "    let start = measure(&mut app);")
        }
        Law::BadInput { .. } => writeln!(f, "    let mut told = 0;"),
        Law::Told(..) => writeln!(
            f,
            "    let (mut touching, mut stays) = (std::collections::HashSet::new(), std::collections::HashMap::<(Entity, Entity), i32>::new());"
        ),
        _ => Ok(()),
    }
}

/// Writes the check of one step, inside the loop. The last step is `failure.step`.
fn write_check(f: &mut String, world: &World, failure: &Failure) -> Result {
    let text = match &failure.law {
        Law::Panic(_) => return Ok(()),
        Law::NotFinite(id) => format!(
            "assert!(get::<Transform>(&app, body_{id}).is_finite() && velocity(&app, body_{id}).is_finite() && spin(&app, body_{id}).is_finite());"
        ),
        Law::BeyondWall { body, wall, .. } => {
            let check = beyond_wall(world, *body, *wall);
            format!("if step == {} {{ {check} }}", failure.step)
        }
        Law::Momentum(_) => "let off = measure(&mut app).momentum - start.momentum; let total_mass: f64 = app.world_mut().query::<&Mass>().iter(app.world()).map(|mass| f64::from(mass.0)).sum(); assert_near(\"momentum\", off.length() / (2.0 * start.kinetic_energy * total_mass).sqrt(), 0.0, 1e-4);".to_owned(),
        Law::Energy(_) | Law::ShownEnergy(_) => "let ratio = measure(&mut app).kinetic_energy / start.kinetic_energy; assert!(ratio < 1.001, \"step {step}: the energy is {ratio} times that at the start\");".to_owned(),
        Law::Burst(_) => {
            let weight: f32 = world.bodies.iter().map(|body| body.mass).sum();
            let work = f64::from(weight * world.gravity.length()) * world.size();
            format!("let grown = measure(&mut app).energy() - start.energy(); assert!(grown < start.kinetic_energy + {work:?}, \"step {{step}}: {{grown}} J more\");")
        }
        Law::BadInput { problem, due, .. } => format!(
            "told += messages::<BadInput>(&app).iter().map(|message| message.problem).filter(|it| format!(\"{{}} {{}} {{:?}}\", it.component, it.field, it.reason) == {problem:?}).count(); assert!(step < {} || told == {due}, \"told {{told}} times\");",
            failure.step
        ),
        Law::HeldBody(id) => held_body(world, *id),
        // The event asserts it.
        Law::Rewound(_) => return Ok(()),
        Law::JointForce(id) => format!(
            "let force = get::<JointForce>(&app, tie_{id}); assert!(force.force.is_finite() && force.torque.is_finite());"
        ),
        Law::Apart { tie, .. } => format!(
            "let (joint, at) = (get::<Joint>(&app, tie_{tie}), |body: Entity| get::<Transform>(&app, body)); println!(\"{{step}} {{:?}}\", joint.frames(joint.a.map(at).as_ref(), &at(joint.b)));"
        ),
        Law::Told(..) => [
            "for it in messages::<CollisionEnded>(&app) { assert!(touching.remove(&(it.a, it.b)), \"{it:?}\"); }",
            "for it in messages::<CollisionStarted>(&app) { assert!(touching.insert((it.a, it.b)), \"{it:?}\"); }",
            "for it in messages::<SensorEntered>(&app) { *stays.entry((it.sensor, it.body)).or_insert(0) += 1; }",
            "for it in messages::<SensorLeft>(&app) { *stays.entry((it.sensor, it.body)).or_insert(0) -= 1; }",
            "for ((sensor, body), count) in &stays { let inside = app.world().resource::<Sensors>().inside(*sensor).any(|other| other == *body); assert_eq!(*count, i32::from(inside), \"{sensor} {body}\"); }",
        ]
        .join(" "),
    };
    writeln!(f, "        {text}")
}

/// A body of the world, at the start or spawned by an event.
fn find(world: &World, id: u32) -> Option<&Body> {
    let spawned = world.events.iter().filter_map(|event| match &event.action {
        Action::Spawn(body) => Some(body),
        _ => None,
    });
    world
        .bodies
        .iter()
        .chain(spawned)
        .find(|body| body.id == id)
}

fn beyond_wall(world: &World, id: u32, wall: usize) -> String {
    let (Some(body), Some(wall)) = (find(world, id), world.walls.get(wall)) else {
        return String::new();
    };
    let half_length = match body.shape {
        Round::Ball => 0.0,
        Round::Capsule(length) | Round::Dumbbell(length) => 0.5 * length,
    };
    format!(
        "let place = get::<Transform>(&app, body_{id}); for end in [{:?}, {half_length:?}] {{ let height = {}.dot(place.translation + place.rotation * Vec3::Y * end - {}); assert!(height > -{:?}, \"height {{height}}\"); }}",
        -half_length,
        vector(wall.normal),
        vector(wall.point),
        BEHIND_WALL * body.radius,
    )
}

fn held_body(world: &World, id: u32) -> String {
    find(world, id).map_or_else(String::new, |body| {
        if body.motion.is_static() {
            format!(
                "assert_eq!(position(&app, body_{id}), {});",
                vector(body.position)
            )
        } else {
            format!(
                "assert_eq!(velocity(&app, body_{id}), {});",
                vector(body.velocity)
            )
        }
    })
}
