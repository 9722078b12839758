//! The overlay's drawing in the 3D view, on top of everything: the selected body, contacts, impulses, velocities.

use bevy::{color::palettes::tailwind, prelude::*};
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use crate::{
    Selection,
    body::{Body, IsBody, Shape},
    overlay_open,
};

const SELECTED: Srgba = tailwind::AMBER_300;
const CONTACT: Srgba = tailwind::CYAN_300;
const IMPULSE: Srgba = tailwind::FUCHSIA_400;
const VELOCITY: Srgba = tailwind::LIME_400;

/// Gravity in m/s² that weighs impulses when they are drawn; a scene's own may be zero.
const STANDARD_GRAVITY: f32 = 9.81;
/// Longest impulse arrow, in radii: a hard hit is many thousand times a resting contact.
const LONGEST_IMPULSE: f32 = 8.0;

/// The group of these drawings.
#[derive(Reflect, GizmoConfigGroup)]
struct OverlayGizmos {
    contacts: bool,
    impulses: bool,
    velocities: bool,
    /// All of this for the selected body alone.
    selected_only: bool,
    /// A velocity arrow ends where the body would be after this many seconds.
    velocity_seconds: f32,
}

impl Default for OverlayGizmos {
    fn default() -> Self {
        Self {
            contacts: true,
            impulses: false,
            velocities: false,
            selected_only: false,
            velocity_seconds: 0.1,
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    let config = GizmoConfig {
        depth_bias: -1.0,
        ..default()
    };
    app.insert_gizmo_config(OverlayGizmos::default(), config)
        .add_systems(
            PostUpdate,
            (draw_contacts, draw_velocities, draw_selected)
                .after(TransformSystems::Propagate)
                .run_if(overlay_open),
        );
}

pub(crate) fn show(InMut(ui): InMut<egui::Ui>, mut gizmos: ResMut<GizmoConfigStore>) {
    let (_, draw) = gizmos.config_mut::<OverlayGizmos>();
    let colored = |text: &str, color: Srgba| {
        let [r, g, b, _] = color.to_u8_array();
        egui::RichText::new(text).color(egui::Color32::from_rgb(r, g, b))
    };
    ui.horizontal(|ui| {
        ui.checkbox(&mut draw.contacts, colored("Contacts", CONTACT))
            .on_hover_text("Contact points, and normals one radius of the smaller body long");
        ui.checkbox(&mut draw.impulses, colored("Impulses", IMPULSE))
            .on_hover_text("Two radii long is the impulse that carries the lighter body's weight for one substep");
        ui.checkbox(&mut draw.velocities, colored("Velocities", VELOCITY))
            .on_hover_text("To where the body would be after this many seconds");
        let seconds = egui::DragValue::new(&mut draw.velocity_seconds)
            .speed(0.01)
            .range(0.01..=10.0)
            .suffix(" s");
        ui.add_enabled(draw.velocities, seconds);
    });
    ui.checkbox(&mut draw.selected_only, "Of the selected body only");
}

fn draw_contacts(
    mut gizmos: Gizmos<OverlayGizmos>,
    contacts: Res<Contacts>,
    bodies: Query<(Body, Option<&Mass>), IsBody>,
    selection: Res<Selection>,
    time: Res<Time<Fixed>>,
    config: Res<CollisionConfig>,
) {
    let &OverlayGizmos {
        contacts: points,
        impulses,
        selected_only,
        ..
    } = gizmos.config_ext;
    if !points && !impulses {
        return;
    }
    let substep = time.timestep().as_secs_f32() / config.substeps.max(1) as f32;
    for contact in contacts.iter() {
        if selected_only && ![contact.a, contact.b].map(Some).contains(&selection) {
            continue;
        }
        let pair = [contact.a, contact.b].map(|entity| bodies.get(entity).ok());
        let radius = pair
            .iter()
            .flatten()
            .filter_map(|(body, _)| body.shape()?.radius())
            .reduce(f32::min);
        let Some(radius) = radius else { continue };
        if points {
            let facing = Quat::from_rotation_arc(Vec3::Z, contact.normal);
            gizmos
                .circle(
                    Isometry3d::new(contact.point, facing),
                    0.2 * radius,
                    CONTACT,
                )
                .resolution(12);
            gizmos
                .arrow(
                    contact.point,
                    contact.point + contact.normal * radius,
                    CONTACT,
                )
                .with_tip_length(0.15 * radius);
        }
        if impulses {
            let mass = pair
                .iter()
                .flatten()
                .filter_map(|(_, mass)| Some(mass.as_deref()?.0))
                .reduce(f32::min);
            let Some(mass) = mass else { continue };
            let in_radii = 2.0 * contact.impulse / (mass * STANDARD_GRAVITY * substep);
            let vector = in_radii.clamp_length_max(LONGEST_IMPULSE) * radius;
            arrow(&mut gizmos, contact.point, vector, radius, IMPULSE);
        }
    }
}

fn draw_velocities(
    mut gizmos: Gizmos<OverlayGizmos>,
    bodies: Query<(Body, &LinearVelocity), IsBody>,
    selection: Res<Selection>,
) {
    let &OverlayGizmos {
        velocities,
        velocity_seconds,
        selected_only,
        ..
    } = gizmos.config_ext;
    if !velocities {
        return;
    }
    for (body, velocity) in &bodies {
        if selected_only && **selection != Some(body.entity) {
            continue;
        }
        let Some(radius) = body.shape().and_then(|shape| shape.radius()) else {
            continue;
        };
        let start = body.transform.translation();
        arrow(
            &mut gizmos,
            start,
            velocity.0 * velocity_seconds,
            radius,
            VELOCITY,
        );
    }
}

/// An arrow beside a body of `radius`, with a head in proportion to both. Too short a one is left out.
fn arrow(gizmos: &mut Gizmos<OverlayGizmos>, start: Vec3, vector: Vec3, radius: f32, color: Srgba) {
    let length = vector.length();
    if length > 0.05 * radius {
        gizmos
            .arrow(start, start + vector, color)
            .with_tip_length((0.3 * length).min(0.4 * radius));
    }
}

fn draw_selected(
    mut gizmos: Gizmos<OverlayGizmos>,
    selection: Res<Selection>,
    bodies: Query<Body, IsBody>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
) {
    let Some(body) = selection.and_then(|entity| bodies.get(entity).ok()) else {
        return;
    };
    let Some(shape) = body.shape() else { return };
    let rotation = body.transform.rotation();
    // A little larger than the body, so that the lines do not sink into its silhouette.
    const AROUND: f32 = 1.03;
    match shape {
        Shape::Ball { centre, radius } => {
            gizmos.sphere(Isometry3d::new(centre, rotation), AROUND * radius, SELECTED);
        }
        Shape::Capsule {
            centre,
            half_axis,
            radius,
        } => {
            let capsule = Capsule3d::new(AROUND * radius, 2.0 * half_axis.length());
            gizmos
                .primitive_3d(&capsule, Isometry3d::new(centre, rotation), SELECTED)
                .resolution(8);
        }
        Shape::Plane { point, normal } => {
            // A plane has no size of its own: the patch's size follows from the distance of the camera.
            let distance = cameras
                .iter()
                .filter(|(camera, _)| camera.is_active)
                .map(|(_, eye)| eye.translation().distance(point))
                .reduce(f32::min);
            let cell = 0.1 * distance.unwrap_or(10.0);
            let across = Quat::from_rotation_arc(Vec3::Z, *normal);
            gizmos
                .grid(
                    Isometry3d::new(point, across),
                    UVec2::splat(10),
                    Vec2::splat(cell),
                    SELECTED.with_alpha(0.5),
                )
                .outer_edges();
            gizmos.arrow(point, point + normal * (2.0 * cell), SELECTED);
        }
    }
}
