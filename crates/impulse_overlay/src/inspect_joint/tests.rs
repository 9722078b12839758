//! The inspector shows joints in any state, and breaks them.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use super::break_joint;
use crate::{
    Selection, inspect,
    test_app::{app, place},
};

/// The texts of the inspector for what is selected.
fn shown(app: &mut App, selected: Entity) -> Vec<String> {
    app.world_mut().resource_mut::<Selection>().0 = Some(selected);
    let context = egui::Context::default();
    let output = context.run_ui(egui::RawInput::default(), |ui| {
        inspect::show_selected(app.world_mut(), ui);
    });
    let texts = output
        .shapes
        .into_iter()
        .filter_map(|shape| match shape.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        });
    texts.collect()
}

fn has(texts: &[String], wanted: &str) -> bool {
    texts.iter().any(|text| text.contains(wanted))
}

/// A ball that hangs on a rod of 2 m.
fn pendulum(app: &mut App) -> [Entity; 2] {
    let bob = app.world_mut().spawn((Particle::new(0.5), Mass(2.0))).id();
    let rod = Joint::distance(None, bob).at(Vec3::Y * 2.0);
    let joint = app.world_mut().spawn((rod, Name::new("Rope"))).id();
    app.update();
    app.update();
    [bob, joint]
}

#[test]
fn a_joint_shows_what_it_bears_and_its_bodies() {
    let mut app = app();
    let [bob, joint] = pendulum(&mut app);
    let texts = shown(&mut app, joint);
    assert!(has(&texts, "Rope") && has(&texts, "the world"), "{texts:?}");
    assert!(has(&texts, &format!("Ball {bob}")), "{texts:?}");
    assert!(has(&texts, "19.62"), "{texts:?}");
    let texts = shown(&mut app, bob);
    assert!(
        has(&texts, "Joints (1)") && has(&texts, "Rope"),
        "{texts:?}"
    );
}

#[test]
fn a_joint_of_every_kind_can_be_shown() {
    let mut app = app();
    let spawn = |app: &mut App| app.world_mut().spawn(Particle::new(0.1)).id();
    let (a, b) = (spawn(&mut app), spawn(&mut app));
    let kinds = [
        Joint::fixed(a, b),
        Joint::spherical(a, b),
        Joint::revolute(a, b, Vec3::X),
        Joint::prismatic(a, b, Vec3::X),
        Joint::distance(a, b),
        Joint::wheel(a, b, Vec3::Y, Vec3::X),
    ];
    for kind in kinds {
        let joint = app.world_mut().spawn(kind).id();
        assert!(has(&shown(&mut app, joint), "joint"));
        app.world_mut().entity_mut(joint).insert((
            JointLimits::new(f32::NEG_INFINITY, f32::INFINITY),
            JointMotor::position(1.0, JointSpring::frequency(1.0, 1.0)),
            JointSpring::stiffness(1.0, 1.0),
            JointStrength::force(10.0),
            SwingLimit(0.5),
            JointDamping(1.0),
        ));
        let texts = shown(&mut app, joint);
        assert!(has(&texts, "% of its strength"), "{texts:?}");
        let limits = app.world().get::<JointLimits>(joint);
        let whole = JointLimits::new(f32::NEG_INFINITY, f32::INFINITY);
        assert_eq!(limits, Some(&whole), "to look at it changes nothing");
    }
}

#[test]
fn a_broken_joint_and_one_without_its_body_do_no_harm() {
    let mut app = app();
    let [bob, joint] = pendulum(&mut app);
    app.world_mut()
        .entity_mut(joint)
        .insert(JointStrength::force(1.0));
    app.update();
    app.update();
    assert!(app.world().get::<JointDisabled>(joint).is_some());
    assert!(has(&shown(&mut app, joint), "off or broken"));
    app.world_mut().despawn(bob);
    app.update();
    assert!(has(&shown(&mut app, joint), "no body any more"));
    app.world_mut().despawn(joint);
    app.update();
    assert!(shown(&mut app, joint).is_empty());
}

#[test]
fn a_break_removes_the_joint_and_leaves_the_entity() {
    let mut app = app();
    let [bob, joint] = pendulum(&mut app);
    break_joint(app.world_mut(), joint);
    assert!(app.world().get::<Joint>(joint).is_none());
    assert!(app.world().get::<JointForce>(joint).is_none());
    assert!(app.world().get::<Name>(joint).is_some());
    let before = place(&app, bob).translation.y;
    for _ in 0..64 {
        app.update();
    }
    let fall = before - place(&app, bob).translation.y;
    assert!((fall - 0.5 * 9.81).abs() < 0.2, "{fall} m");
    // And once more does no harm.
    break_joint(app.world_mut(), joint);
}
