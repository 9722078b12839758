//! Drags bodies with the mouse: a spring between a point of the body and the point under the cursor.
//!
//! The spring is a soft ball joint of the engine between the body and the world. So it is as stiff as the body is heavy, no time step
//! is too long for it, and it wakes what it pulls. The body's spin is damped as long.

use bevy::{ecs::system::SystemParam, input::InputSystems, prelude::*};
use bevy_egui::input::EguiWantsInput;
use bevy_impulse_collide::prelude::*;

use crate::{
    Overlay,
    body::{Body, IsBody},
    control::will_step,
    input::{MouseHeld, OverlayPointer},
    pick::nearest_body,
    view::View,
};

/// The part of its spin that a dragged body loses, per second.
const CALMING: f32 = 10.0;

/// In rad/s. A slower spin is left alone: who writes a velocity keeps the body awake.
const LEAST_SPIN: f32 = 1e-3;

/// How bodies are dragged: press Ctrl and the left mouse button on a dynamic body, and move.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct DragSettings {
    /// Whether bodies can be dragged while the overlay is hidden too. Default: false.
    pub while_hidden: bool,
    /// Frequency in Hz of the spring, which is critically damped. A stiffer one lags less behind the cursor, and hangs less.
    /// Default: 6.
    pub frequency: f32,
}

impl Default for DragSettings {
    fn default() -> Self {
        Self {
            while_hidden: false,
            frequency: 6.0,
        }
    }
}

/// The body that the mouse drags.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Drag(Option<Held>);

#[derive(Clone, Copy, Debug)]
struct Held {
    body: Entity,
    /// The entity of the spring.
    joint: Entity,
    /// The camera that it is seen through.
    camera: Entity,
    /// The point of the body, in the frame of its `Transform` before the scale.
    grip: Vec3,
    /// The point under the cursor.
    target: Vec3,
}

impl Drag {
    /// The body, if one is dragged.
    pub fn body(&self) -> Option<Entity> {
        self.0.map(|held| held.body)
    }

    /// The ends of the spring in the world, where the body is drawn.
    pub(crate) fn ends(&self, places: &Query<&GlobalTransform>) -> Option<[Vec3; 2]> {
        let held = self.0?;
        let place = places.get(held.body).ok()?;
        Some([place.transform_point(held.grip), held.target])
    }
}

/// Marks the joint that is the spring of a drag: it is none of the app's.
#[derive(Component)]
pub(crate) struct IsDrag;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Drag>()
        .init_resource::<DragSettings>()
        .init_resource::<MouseHeld>()
        .add_systems(PreUpdate, (grab, pull).chain().after(InputSystems))
        // A step may take the body away, and the next one of the same frame must not look for it.
        .add_systems(
            FixedPostUpdate,
            (let_go_of_the_gone, calm.run_if(will_step))
                .chain()
                .before(ImpulseSystems::Gather),
        );
}

/// What moves freely.
#[derive(SystemParam)]
struct Movers<'w, 's> {
    kinds: Query<'w, 's, &'static RigidBody>,
    parents: Query<'w, 's, &'static ChildOf>,
    compounds: Query<'w, 's, (), With<Compound>>,
}

impl Movers<'_, '_> {
    /// The compound that a body is a part of, or the body.
    fn whole_of(&self, body: Entity) -> Entity {
        let mut above = self.parents.iter_ancestors(body);
        let compound = above.find(|&entity| self.compounds.contains(entity));
        compound.unwrap_or(body)
    }

    /// Whether it is a dynamic body, or a part of one.
    fn contains(&self, body: Entity) -> bool {
        let kind = self.kinds.get(self.whole_of(body));
        self.kinds.contains(body) && kind.is_ok_and(|kind| *kind == RigidBody::Dynamic)
    }
}

fn may_drag(settings: &DragSettings, overlay: Option<&Overlay>) -> bool {
    settings.while_hidden || overlay.is_some_and(|overlay| overlay.open)
}

fn grab(
    mut commands: Commands,
    mut drag: ResMut<Drag>,
    settings: Res<DragSettings>,
    overlay: Option<Res<Overlay>>,
    mouse: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: OverlayPointer,
    egui: Option<Res<EguiWantsInput>>,
    view: View,
    bodies: Query<Body, IsBody>,
    places: Query<&GlobalTransform>,
    movers: Movers,
) {
    let asked = mouse.just_pressed(MouseButton::Left)
        && keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]);
    let is_free = drag.0.is_none()
        && may_drag(&settings, overlay.as_deref())
        && !pointer.is_over()
        && !egui.is_some_and(|egui| egui.is_pointer_over_area());
    if !(asked && is_free) {
        return;
    }
    let Some(cursor) = view.cursor() else {
        return;
    };
    let Some((camera, ray)) = view
        .camera_at(cursor)
        .and_then(|camera| Some((camera, view.ray(camera, cursor)?)))
    else {
        return;
    };
    // What does not move stands in nobody's way: it may be a wall of glass, or one that is not drawn.
    let hit = nearest_body(ray, &bodies, |body| movers.contains(body));
    let Some((body, distance)) = hit else {
        return;
    };
    let target = ray.get_point(distance);
    let Ok(place) = places.get(body) else {
        return;
    };
    let grip = place.affine().inverse().transform_point3(target);
    if !(grip.is_finite() && target.is_finite()) {
        return;
    }
    let joint = Joint::spherical(None, body).between(target, grip);
    let spring = JointSpring::frequency(settings.frequency, 1.0);
    let joint = commands.spawn((joint, spring, IsDrag)).id();
    drag.0 = Some(Held {
        body,
        joint,
        camera,
        grip,
        target,
    });
}

/// Brings the spring's end to the cursor, or lets the body go.
fn pull(
    mut commands: Commands,
    mut drag: ResMut<Drag>,
    mut mouse_held: ResMut<MouseHeld>,
    settings: Res<DragSettings>,
    overlay: Option<Res<Overlay>>,
    mouse: Res<ButtonInput<MouseButton>>,
    view: View,
    mut joints: Query<&mut Joint, With<IsDrag>>,
    movers: Movers,
) {
    let Some(mut held) = drag.0 else {
        mouse_held.0 = false;
        return;
    };
    // A release belongs to the drag too.
    mouse_held.0 = true;
    let goes_on = mouse.pressed(MouseButton::Left)
        && may_drag(&settings, overlay.as_deref())
        && view.has(held.camera)
        && movers.contains(held.body);
    match joints.get_mut(held.joint) {
        Ok(mut joint) if goes_on => {
            let cursor = view.cursor();
            let target = cursor.and_then(|it| view.on_plane_through(held.target, held.camera, it));
            // Outside the window, it stays where it was.
            held.target = target.filter(|it| it.is_finite()).unwrap_or(held.target);
            let place = JointPlace::Local {
                a: JointFrame::at(held.target),
                b: JointFrame::at(held.grip),
            };
            joint.set_if_neq(Joint { place, ..*joint });
            drag.0 = Some(held);
        }
        _ => let_go(&mut commands, &mut drag, held),
    }
}

fn let_go_of_the_gone(mut commands: Commands, mut drag: ResMut<Drag>, movers: Movers) {
    if let Some(held) = drag.0.filter(|held| !movers.contains(held.body)) {
        let_go(&mut commands, &mut drag, held);
    }
}

/// Damps the spin: a body that hangs on one point would swing about it for long.
fn calm(drag: Res<Drag>, movers: Movers, mut spins: Query<&mut AngularVelocity>, time: Res<Time>) {
    let Some(body) = drag.body() else {
        return;
    };
    if let Ok(mut spin) = spins.get_mut(movers.whole_of(body))
        && spin.length() > LEAST_SPIN
    {
        spin.0 *= (-CALMING * time.delta_secs()).exp();
    }
}

fn let_go(commands: &mut Commands, drag: &mut Drag, held: Held) {
    if let Ok(mut joint) = commands.get_entity(held.joint) {
        joint.try_despawn();
    }
    drag.0 = None;
}

#[cfg(test)]
mod tests;
