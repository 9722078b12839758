//! What the overlay draws in the 3D view, on top of everything: the physics' gizmos, and the switches for their parts.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use crate::{Overlay, Selection, drag::Drag};

/// The group of the line between a dragged body and the cursor: it is there while the overlay is hidden, too.
#[derive(Reflect, GizmoConfigGroup, Default)]
struct DragGizmos;

pub(crate) fn plugin(app: &mut App) {
    let on_top = GizmoConfig {
        depth_bias: -1.0,
        ..default()
    };
    app.insert_gizmo_config(DragGizmos, on_top)
        .add_systems(PostUpdate, draw_drag.after(TransformSystems::Propagate));
    if !app.is_plugin_added::<ImpulseGizmosPlugin>() {
        app.add_plugins(ImpulseGizmosPlugin).add_systems(
            Update,
            show_with_overlay.run_if(resource_changed::<Overlay>),
        );
        let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
        let (_, gizmos) = store.config_mut::<ImpulseGizmos>();
        // The app's own meshes show them.
        gizmos.bodies = false;
        gizmos.colliders = false;
        gizmos.selected_only = true;
    }
}

/// The spring between the dragged body and the cursor, with a cross at each end.
fn draw_drag(
    mut gizmos: Gizmos<DragGizmos>,
    drag: Res<Drag>,
    places: Query<&GlobalTransform>,
    store: Res<GizmoConfigStore>,
    cameras: Query<&GlobalTransform, With<Camera>>,
) {
    let Some(ends) = drag.ends(&places) else {
        return;
    };
    let (_, draw) = store.config::<ImpulseGizmos>();
    let color = draw.selected_color;
    gizmos.line(ends[0], ends[1], color);
    let eyes = cameras
        .iter()
        .map(|eye| eye.translation().distance(ends[1]));
    let size = 0.01 * eyes.reduce(f32::min).unwrap_or(1.0);
    for end in ends {
        gizmos.cross(Isometry3d::from_translation(end), size, color);
    }
}

/// The gizmos show and hide with the overlay, unless the app has added them itself.
fn show_with_overlay(overlay: Res<Overlay>, mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<ImpulseGizmos>().0.enabled = overlay.open;
}

pub(crate) fn outline_selected(
    overlay: Res<Overlay>,
    selection: Res<Selection>,
    mut store: ResMut<GizmoConfigStore>,
) {
    let (_, gizmos) = store.config_mut::<ImpulseGizmos>();
    gizmos.selected = selection.filter(|_| overlay.open);
}

pub(crate) fn show(InMut(ui): InMut<egui::Ui>, mut store: ResMut<GizmoConfigStore>) {
    let (_, draw) = store.config_mut::<ImpulseGizmos>();
    let colored = |text: &str, color: Color| {
        let [r, g, b, _] = color.to_srgba().to_u8_array();
        egui::RichText::new(text).color(egui::Color32::from_rgb(r, g, b))
    };
    ui.horizontal(|ui| {
        ui.checkbox(&mut draw.contacts, colored("Contacts", draw.contact_color))
            .on_hover_text("Contact points, and normals one radius of the smaller body long");
        ui.checkbox(&mut draw.impulses, colored("Impulses", draw.impulse_color))
            .on_hover_text("Two radii long is the impulse that carries the lighter body's weight for one substep");
        ui.checkbox(&mut draw.velocities, colored("Velocities", draw.velocity_color))
            .on_hover_text("To where the body would be after this many seconds");
        let seconds = egui::DragValue::new(&mut draw.velocity_seconds)
            .speed(0.01)
            .range(0.01..=10.0)
            .suffix(" s");
        ui.add_enabled(draw.velocities, seconds);
    });
    ui.checkbox(&mut draw.selected_only, "Of the selected body only");
    ui.horizontal(|ui| {
        ui.checkbox(&mut draw.bodies, colored("Bodies", draw.dynamic_color))
            .on_hover_text("Balls, capsules and planes. The colour tells kind and sleep");
        ui.checkbox(&mut draw.colliders, colored("Colliders", draw.static_color))
            .on_hover_text("Edges of colliders, and triangles of curved meshes");
        ui.checkbox(&mut draw.bounds, colored("Boxes", draw.bounds_color))
            .on_hover_text("The boxes of the broad phase");
        ui.checkbox(&mut draw.islands, "Islands").on_hover_text(
            "Lines between bodies that press on each other, a colour for each island",
        );
        ui.checkbox(&mut draw.joints, colored("Joints", draw.joint_color))
            .on_hover_text(
                "Points, axes and limits of joints. Red: near to break, or a gap. Grey: off or broken",
            );
    });
}
