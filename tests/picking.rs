//! Bevy's pointer events on bodies: rays of a camera that look along −Z, without a window.

use bevy::{
    camera::{NormalizedRenderTarget, visibility::RenderLayers},
    picking::{
        PickingSystems,
        backend::{
            PointerHits,
            ray::{RayId, RayMap},
        },
        pointer::{Location, PointerAction, PointerId, PointerInput},
    },
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use laws::app;

/// The rays of the next frames.
#[derive(Resource, Default)]
struct Rays(Vec<(RayId, Ray3d)>);

/// An app that picks, and a camera at z = 10.
fn picking_app() -> (App, Entity) {
    let mut app = app(60.0);
    app.add_plugins((PickingPlugin, InteractionPlugin, ImpulsePickingPlugin))
        .init_resource::<Rays>()
        .add_systems(
            PreUpdate,
            (|rays: Res<Rays>, mut map: ResMut<RayMap>| map.map.extend(rays.0.iter().copied()))
                .after(PickingSystems::ProcessInput)
                .before(PickingSystems::Backend),
        );
    app.world_mut().spawn(PointerId::Mouse);
    let camera = add_camera(&mut app, 0);
    (app, camera)
}

/// A camera with a ray down its middle.
fn add_camera(app: &mut App, order: isize) -> Entity {
    let camera = Camera { order, ..default() };
    let camera = app.world_mut().spawn(camera).id();
    let ray = Ray3d::new(Vec3::Z * 10.0, Dir3::NEG_Z);
    let id = RayId::new(camera, PointerId::Mouse);
    app.world_mut().resource_mut::<Rays>().0.push((id, ray));
    camera
}

fn add_ball(app: &mut App, z: f32, more: impl Bundle) -> Entity {
    let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.0, z));
    app.world_mut().spawn((ball, more)).id()
}

/// The hits of the next frame, each group with its order.
fn hits(app: &mut App) -> Vec<(f32, Vec<Entity>)> {
    let mut messages = app.world_mut().resource_mut::<Messages<PointerHits>>();
    messages.clear();
    app.update();
    let messages = app.world().resource::<Messages<PointerHits>>();
    let hits = messages.iter_current_update_messages();
    hits.map(|hit| {
        (
            hit.order,
            hit.picks.iter().map(|(entity, _)| *entity).collect(),
        )
    })
    .collect()
}

/// The entity, distance, point and normal of a hit are those of the smooth ball.
#[test]
fn a_pointer_hits_the_nearest_ball() {
    let (mut app, camera) = picking_app();
    add_ball(&mut app, -3.0, ());
    let near = add_ball(&mut app, 2.0, ());
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .clear();
    app.update();
    let messages = app.world().resource::<Messages<PointerHits>>();
    let hits: Vec<&PointerHits> = messages.iter_current_update_messages().collect();
    let [
        PointerHits {
            pointer: PointerId::Mouse,
            picks,
            order: 0.0,
        },
    ] = hits[..]
    else {
        panic!("{hits:?}");
    };
    let [(entity, data)] = &picks[..] else {
        panic!("{picks:?}");
    };
    assert_eq!((*entity, data.camera, data.depth), (near, camera, 7.5));
    assert_eq!(
        (data.position, data.normal),
        (Some(Vec3::Z * 2.5), Some(Vec3::Z))
    );
}

/// A press and a release on a ball are a click on it.
#[test]
fn a_click_reaches_the_observer_of_the_ball() {
    let (mut app, _) = picking_app();
    let ball = add_ball(&mut app, 0.0, ());
    let other = add_ball(&mut app, -3.0, ());
    for entity in [ball, other] {
        app.world_mut().entity_mut(entity).observe(
            |click: On<Pointer<Click>>, mut balls: Query<&mut LinearVelocity>| {
                balls.get_mut(click.entity).expect("it is a ball").0 = Vec3::Y;
            },
        );
    }
    let location = Location {
        target: NormalizedRenderTarget::None {
            width: 1,
            height: 1,
        },
        position: Vec2::ZERO,
    };
    let act = |app: &mut App, action| {
        let input = PointerInput::new(PointerId::Mouse, location.clone(), action);
        app.world_mut().write_message(input);
        app.update();
    };
    act(&mut app, PointerAction::Move { delta: Vec2::ZERO });
    act(&mut app, PointerAction::Press(PointerButton::Primary));
    assert_eq!(laws::velocity(&app, ball), Vec3::ZERO);
    act(&mut app, PointerAction::Release(PointerButton::Primary));
    assert_eq!(laws::velocity(&app, ball), Vec3::Y);
    assert_eq!(laws::velocity(&app, other), Vec3::ZERO);
}

/// A pointer hits bodies behind one that lets it through, and none that it must ignore or that nobody sees.
#[test]
fn a_pointer_passes_what_cannot_be_picked() {
    let (mut app, _) = picking_app();
    add_ball(&mut app, 4.0, Pickable::IGNORE);
    add_ball(&mut app, 3.0, Visibility::Hidden);
    add_ball(&mut app, 2.0, RenderLayers::layer(1));
    let glass = Pickable {
        should_block_lower: false,
        is_hoverable: true,
    };
    let glass = add_ball(&mut app, 1.0, glass);
    let solid = add_ball(&mut app, 0.0, ());
    add_ball(&mut app, -1.0, ());
    // What is hidden is known only after the first frame with the plugin of visibility; without it, a component tells.
    let mut hidden = app
        .world_mut()
        .query::<(&Visibility, &mut InheritedVisibility)>();
    for (visibility, mut inherited) in hidden.iter_mut(app.world_mut()) {
        if *visibility == Visibility::Hidden {
            *inherited = InheritedVisibility::HIDDEN;
        }
    }
    assert_eq!(hits(&mut app), [(0.0, vec![glass, solid])]);
}

/// Each camera sees its own layers, has its own order, and picks what its filter finds.
#[test]
fn each_camera_picks_what_it_sees() {
    let (mut app, camera) = picking_app();
    let ball = add_ball(&mut app, 2.0, RigidBody::Static);
    let second = add_ball(&mut app, 0.0, RenderLayers::layer(1));
    let third = add_ball(&mut app, -2.0, ());
    let over = add_camera(&mut app, 3);
    app.world_mut()
        .entity_mut(over)
        .insert(RenderLayers::layer(1));
    let mut found = hits(&mut app);
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert_eq!(found, [(0.0, vec![ball]), (3.0, vec![second])]);
    let dynamic = SpatialFilter::of([RigidBody::Dynamic]);
    app.world_mut()
        .entity_mut(camera)
        .insert(ImpulsePickingFilter(dynamic));
    app.world_mut()
        .get_mut::<Camera>(over)
        .expect("a camera")
        .is_active = false;
    assert_eq!(hits(&mut app), [(0.0, vec![third])]);
}

/// If markers are required, only a marked camera picks, and only what has `Pickable`.
#[test]
fn markers_are_required_if_a_user_says_so() {
    let (mut app, camera) = picking_app();
    add_ball(&mut app, 2.0, ());
    let marked = add_ball(&mut app, 0.0, Pickable::default());
    app.insert_resource(ImpulsePickingSettings {
        require_markers: true,
    });
    assert_eq!(hits(&mut app), []);
    app.world_mut()
        .entity_mut(camera)
        .insert(ImpulsePickingCamera);
    assert_eq!(hits(&mut app), [(0.0, vec![marked])]);
}
