//! What is selected, and how a click in the 3D view selects it.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    body::{Body, IsBody},
    drag::IsDrag,
    input::OverlayPointer,
    joint::{JointData, JointDataItem},
    pick::{Beam, nearest, nearest_body},
    view::View,
};

/// The body or the joint that the overlay outlines and inspects.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct Selection(pub Option<Entity>);

/// A press and a release further apart than this, in logical pixels, are a drag: most cameras orbit by one.
const CLICK_SLOP: f32 = 4.0;

pub(crate) fn select_clicked(
    mouse: Res<ButtonInput<MouseButton>>,
    pointer: OverlayPointer,
    view: View,
    bodies: Query<Body, IsBody>,
    joints: Query<JointData, Without<IsDrag>>,
    places: Query<&GlobalTransform>,
    mut selection: ResMut<Selection>,
    mut pressed_at: Local<Option<Vec2>>,
) {
    let cursor = view.cursor();
    if mouse.just_pressed(MouseButton::Left) {
        *pressed_at = cursor.filter(|_| !pointer.is_over());
    }
    if !mouse.just_released(MouseButton::Left) {
        return;
    }
    let (Some(pressed), Some(cursor)) = (pressed_at.take(), cursor) else {
        return;
    };
    if pressed.distance(cursor) > CLICK_SLOP {
        return;
    }
    let camera = view.camera_at(cursor);
    if let Some(beam) = camera.and_then(|camera| view.beam(camera, cursor)) {
        selection.0 = picked(beam, &bodies, &joints, &places);
    }
}

/// The body that the beam meets first, or the joint whose point lies before it.
fn picked(
    beam: Beam,
    bodies: &Query<Body, IsBody>,
    joints: &Query<JointData, Without<IsDrag>>,
    places: &Query<&GlobalTransform>,
) -> Option<Entity> {
    let to_joint = |joint: JointDataItem| {
        let points = joint.points(places)?;
        let hits = points.into_iter().filter_map(|point| beam.to_point(point));
        Some((joint.entity, hits.min_by(f32::total_cmp)?))
    };
    let joint = nearest(joints.iter().filter_map(to_joint));
    let body = nearest_body(beam.ray, bodies, |_| true);
    nearest(body.into_iter().chain(joint)).map(|(entity, _)| entity)
}

/// What is gone, or is neither body nor joint any more, is no longer selected.
pub(crate) fn forget_despawned(
    mut selection: ResMut<Selection>,
    known: Query<(), Or<(IsBody, With<Joint>)>>,
) {
    if selection.is_some_and(|entity| !known.contains(entity)) {
        selection.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_app::{add_camera, app, click, point_at};

    /// A ball at the origin on a hinge 2 m to its right, with gravity off.
    fn hinged_ball(app: &mut App) -> [Entity; 2] {
        app.insert_resource(Gravity::ZERO);
        let ball = app.world_mut().spawn(Particle::new(0.5)).id();
        let hinge = Joint::revolute(None, ball, Vec3::Z).at(Vec3::X * 2.0);
        let joint = app.world_mut().spawn(hinge).id();
        app.update();
        [ball, joint]
    }

    fn clicked_at(app: &mut App, point: Vec3) -> Option<Entity> {
        point_at(app, point);
        click(app);
        **app.world().resource::<Selection>()
    }

    #[test]
    fn a_click_selects_a_body_or_a_joint_or_nothing() {
        let mut app = app();
        let [ball, joint] = hinged_ball(&mut app);
        assert_eq!(clicked_at(&mut app, Vec3::ZERO), Some(ball));
        assert_eq!(clicked_at(&mut app, Vec3::X * 2.03), Some(joint));
        assert_eq!(clicked_at(&mut app, Vec3::X * 3.0), None);
    }

    #[test]
    fn a_body_before_a_joint_is_selected() {
        let mut app = app();
        let [_, joint] = hinged_ball(&mut app);
        let before = Transform::from_xyz(1.8, 0.0, 1.0);
        let before = app.world_mut().spawn((Particle::new(0.3), before)).id();
        assert_eq!(clicked_at(&mut app, Vec3::X * 2.0), Some(before));
        // Behind it, it does not matter.
        let behind = Transform::from_xyz(2.0, 0.0, -1.0);
        app.world_mut().entity_mut(before).insert(behind);
        app.update();
        assert_eq!(clicked_at(&mut app, Vec3::X * 2.0), Some(joint));
    }

    /// A joint without its body has no points; and a joint taken off its entity is selected no more.
    #[test]
    fn what_is_gone_is_not_selected() {
        let mut app = app();
        app.add_systems(Update, forget_despawned.after(select_clicked));
        let [ball, joint] = hinged_ball(&mut app);
        assert_eq!(clicked_at(&mut app, Vec3::X * 2.0), Some(joint));
        app.world_mut().entity_mut(joint).insert(JointDisabled);
        app.update();
        assert_eq!(**app.world().resource::<Selection>(), Some(joint));
        app.world_mut().despawn(ball);
        assert_eq!(clicked_at(&mut app, Vec3::X * 2.0), None);
        app.world_mut().resource_mut::<Selection>().0 = Some(joint);
        app.world_mut().despawn(joint);
        app.update();
        assert_eq!(**app.world().resource::<Selection>(), None);
    }

    /// The view of another window lies over nothing of the first one.
    #[test]
    fn a_camera_of_another_window_does_not_count() {
        let mut app = app();
        let [ball, _] = hinged_ball(&mut app);
        let other = app.world_mut().spawn(Window::default()).id();
        let target = bevy::camera::RenderTarget::Window(bevy::window::WindowRef::Entity(other));
        let camera = add_camera(&mut app, target);
        let away = Transform::from_xyz(100.0, 0.0, 10.0);
        app.world_mut().entity_mut(camera).insert(away);
        app.world_mut().get_mut::<Camera>(camera).unwrap().order = 5;
        app.update();
        assert_eq!(clicked_at(&mut app, Vec3::ZERO), Some(ball));
    }
}
