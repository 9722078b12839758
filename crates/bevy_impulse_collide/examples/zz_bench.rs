use std::time::{Duration, Instant};
use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;

#[derive(Resource, Default)]
struct Marks { last: Option<Instant>, sums: Vec<Vec<f64>>, k: usize, on: bool }
fn mark(mut m: ResMut<Marks>) {
    let now = Instant::now();
    if let Some(last) = m.last { let k = m.k; if m.on { if m.sums.len() <= k { m.sums.resize(k+1, vec![]); } m.sums[k].push((now-last).as_secs_f64()*1e3); } m.k += 1; }
    m.last = Some(now);
}
fn reset(mut m: ResMut<Marks>) { m.last = Some(Instant::now()); m.k = 0; }
fn env(name: &str, d: f32) -> f32 { std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(d) }

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mode = args[1].as_str();
    let n: usize = args[2].parse().unwrap();
    let steps: usize = args[3].parse().unwrap();
    let hz = env("HZ", if mode == "planet" {100.0} else {60.0}) as f64;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, ImpulseCollidePlugin { interpolate: false }));
    app.insert_resource(Time::<Fixed>::from_hz(hz));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0/hz)));
    let mut config = CollisionConfig::default();
    config.contact_iterations = env("CI", config.contact_iterations as f32) as u32;
    config.projection_iterations = env("PI", config.projection_iterations as f32) as u32;
    config.substeps = env("SUB", 1.0) as u32;
    config.impacts_per_substep = env("IPS", if mode=="planet" {0.2} else {config.impacts_per_substep});
    config.impacts_per_body = env("IPB", config.impacts_per_body as f32) as u32;
    config.contact_margin = env("MARGIN", config.contact_margin);
    config.sleep_speed = env("SLEEP", 0.0);
    config.projection = ProjectionStrength::Factor(env("KP", 0.4)); config.overlap_slop = env("SLOP", config.overlap_slop); config.contact_relaxation = env("RELAX", config.contact_relaxation); config.resting_speed = env("REST", config.resting_speed);
    app.insert_resource(config);
    app.init_resource::<Marks>();
    app.add_systems(FixedPostUpdate, (reset.before(ImpulseSystems::Gather), mark.after(ImpulseSystems::Gather).before(ImpulseSystems::Step), mark.after(ImpulseSystems::Step).before(ImpulseSystems::WriteBack), mark.after(ImpulseSystems::WriteBack)));
    app.add_systems(ImpulseStep, (
        mark.before(StepSystems::Gravity),
        mark.after(StepSystems::Gravity).before(StepSystems::HalfStepCorrection),
        mark.after(StepSystems::HalfStepCorrection).before(StepSystems::ImpulseJolt),
        mark.after(StepSystems::ImpulseJolt).before(StepSystems::Contact),
        mark.after(StepSystems::Contact).before(StepSystems::Integrate),
        mark.after(StepSystems::Integrate).before(StepSystems::Projection),
        mark.after(StepSystems::Projection),
    ));
    let mut seed = 12345u32;
    let mut rnd = move || { seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5; seed as f32 / u32::MAX as f32 };
    let r = 0.1f32;
    match mode {
        "box" | "poly" | "pour" => {
            app.insert_resource(Gravity(Vec3::NEG_Y * 9.81));
            // settled height 2/3 of width: n*4/3 pi r^3/0.6 = w^2 * 2/3 w
            let radius = |rnd: &mut dyn FnMut() -> f32| if mode == "poly" { 0.01 * 100f32.powf(rnd()) } else { r };
            let radii: Vec<f32> = (0..n).map(|_| radius(&mut rnd)).collect();
            let vol: f32 = radii.iter().map(|r| 4.19 * r*r*r).sum();
            let w = (vol / 0.6 * 1.5).cbrt();
            let w = if mode == "poly" { w.max(4.0) } else { w };
            for (nrm, at) in [(Vec3::Y, Vec3::ZERO), (Vec3::X, Vec3::X * -0.5*w), (Vec3::NEG_X, Vec3::X*0.5*w), (Vec3::Z, Vec3::Z * -0.5*w), (Vec3::NEG_Z, Vec3::Z*0.5*w)] {
                app.world_mut().spawn((Plane::new(nrm), Friction(0.3), Restitution(0.2), Transform::from_translation(at)));
            }
            let t = Instant::now();
            if mode == "poly" {
                // layers: place big ones first on a lattice of their own
                let mut order: Vec<f32> = radii.clone(); order.sort_by(|a,b| b.total_cmp(a));
                let mut y = 0.0; let mut k = 0;
                while k < n { let big = order[k]; let d = 2.2*big; let m = ((w / d) as usize).max(1);
                    for i in 0..m*m { if k < n { let rr = order[k];
                        let x = Vec3::new((i % m) as f32 * d + big*1.05 - 0.5*w, y + big, (i / m) as f32 * d + big*1.05 - 0.5*w);
                        app.world_mut().spawn((Particle::new(rr), Density(1000.0), Friction(0.3), Restitution(0.2), Transform::from_translation(x)));
                        k += 1; } }
                    y += d; }
            } else {
                let d = if mode == "pour" {2.6*r} else {2.1 * r}; let m = ((w - 0.1*r) / d) as usize;
                for k in 0..n {
                    let (i, j, l) = (k % m, (k / m) % m, k / (m*m));
                    let jit = Vec3::new(rnd(), rnd(), rnd()) * 0.04*r;
                    let off = 0.5*(w - m as f32*d) + 0.5*d;
                    let x = Vec3::new(i as f32*d + off - 0.5*w, l as f32 * d + r*1.1, j as f32*d + off - 0.5*w) + jit;
                    app.world_mut().spawn((Particle::new(r), Friction(0.3), Restitution(0.2), Transform::from_translation(x)));
                }
            }
            eprintln!("spawn {:.3} s", t.elapsed().as_secs_f64());
        }
        "planet" => {
            app.insert_resource(SelfGravity { constant: 500.0, ..default() });
            let rad = 4.0 * 100.0 * (n as f32/1000.0).cbrt() / 4.0;
            for _ in 0..n {
                let x = loop { let x = Vec3::new(rnd(), rnd(), rnd())*2.0 - 1.0; if x.length() < 1.0 { break x * rad; } };
                let rr = 0.5 + 1.5*rnd();
                app.world_mut().spawn((Particle::new(rr), Mass(rr*rr*rr), LinearVelocity(Vec3::Y.cross(x)*0.1), Friction(0.5), Restitution(0.3), Transform::from_translation(x)));
            }
        }
        _ => panic!(),
    }
    let cpu = || { let t = std::fs::read_to_string("/proc/self/stat").unwrap(); let f: Vec<f64> = t.rsplit(')').next().unwrap().split_whitespace().skip(11).take(2).map(|x| x.parse().unwrap()).collect(); (f[0]*10.0, f[1]*10.0) };
    let mut cpu0 = (0.0, 0.0);
    let from = env("FROM", 200.0) as usize;
    let mut total = vec![];
    for s in 0..steps {
        if s == from { cpu0 = cpu(); }
        let t = Instant::now();
        app.update();
        let ms = t.elapsed().as_secs_f64()*1e3;
        if s >= from { total.push(ms); app.world_mut().resource_mut::<Marks>().on = true; }
        if std::env::var("WATCH").is_ok() && s + 30 > steps { let b = app.world().resource::<Bodies>(); let mut v: Vec<(f32,usize)> = (0..b.len()).filter(|&i| b.is_free(i)).map(|i| (b.velocity[i].length(), i)).collect(); v.sort_by(|a,b| b.0.total_cmp(&a.0)); let line: Vec<String> = v[..3].iter().map(|&(q,i)| { let e = b.entity[i]; let cs = app.world().resource::<Contacts>(); let n = cs.iter().filter(|c| c.is_touching && (c.a==e||c.b==e)).count(); format!("{e} v {:.3?} {q:.3} at {:.3?} n {n} |", b.velocity[i].to_array(), b.position[i].to_array()) }).collect(); println!("{s} {}", line.join(" ")); }
        if std::env::var("EVERY").is_ok() && s % 20 == 0 { eprintln!("step {s} {ms:.2} ms contacts {} pairs {}", app.world().resource::<Contacts>().len(), 0); }
    }
    let med = |v: &mut Vec<f64>| { v.sort_by(f64::total_cmp); v[v.len()/2] };
    let m = app.world_mut().resource_mut::<Marks>().sums.clone();
    let names = ["gather", "pre", "gravity", "half", "jolt", "contact", "integrate", "projection", "post", "write"];
    let mut line = String::new();
    for (k, mut v) in m.into_iter().enumerate().take(10) { line += &format!("{} {:.2}  ", names.get(k).unwrap_or(&"?"), med(&mut v)); }
    let max = total.iter().copied().fold(0.0, f64::max);
    let bodies = app.world().resource::<Bodies>();
    let mut v2 = 0.0; let mut top = 0f32;
    for i in 0..bodies.len() { if bodies.is_free(i) { v2 += bodies.velocity[i].length_squared() as f64; top = top.max(bodies.position[i].y); } }
    let mut top_v: Vec<(f32, f32, f32)> = (0..bodies.len()).filter(|&i| bodies.is_free(i)).map(|i| (bodies.velocity[i].length().max(bodies.angular_velocity[i].length()*bodies.shape[i].radius()), bodies.velocity[i].length(), bodies.position[i].y)).collect();
    top_v.sort_by(|a,b| b.0.total_cmp(&a.0)); println!("fastest {:?}", &top_v[..4.min(top_v.len())]);
    let rest: f32 = top_v.iter().skip(10).map(|t| t.1*t.1).sum(); println!("rms without the top ten {:.2e}", (rest / n as f32).sqrt());
    let rms = (v2 / n as f64).sqrt();
    let c1 = cpu(); let per = (steps - from) as f64;
    println!("CPU user {:.2} sys {:.2} ms/step", (c1.0-cpu0.0)/per, (c1.1-cpu0.1)/per);
    println!("{mode} {n}: median {:.2} ms max {max:.2}; {line} rms v {rms:.2e} top {top:.2} contacts {}", med(&mut total), app.world().resource::<Contacts>().len());
    let measure = app.world_mut().run_system_cached(|m: Measure| m.measure()).unwrap();
    println!("   overlap mean {:.2e} max {:.2e} touching {} hash {:x} L {:.3e} scale {:.3e}", measure.overlap_mean, measure.overlap_max, measure.touching, measure.state_hash, measure.angular_momentum.length(), measure.angular_momentum_scale);
}
