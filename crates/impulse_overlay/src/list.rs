//! The searchable list of all bodies and joints.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::{
    Selection,
    body::{Body, IsBody},
    drag::IsDrag,
    joint::JointData,
};

/// Seconds between two looks at the world for the list: thousands of bodies need not be gone through in every frame.
const REFRESH: f32 = 0.25;
const HEIGHT: f32 = 100.0;

#[derive(Resource, Default)]
pub(crate) struct BodyList {
    search: String,
    found: Vec<Entity>,
    /// In seconds of real time since the start of the app.
    refresh_at: f32,
    /// What was selected when the list was last drawn.
    selected: Option<Entity>,
}

pub(crate) fn show(
    InMut(ui): InMut<egui::Ui>,
    mut list: ResMut<BodyList>,
    mut selection: ResMut<Selection>,
    bodies: Query<Body, IsBody>,
    joints: Query<JointData, Without<IsDrag>>,
    time: Res<Time<Real>>,
) {
    let search = egui::TextEdit::singleline(&mut list.search)
        .hint_text("Search name, kind or id; or click in the view")
        .desired_width(f32::INFINITY);
    let searched = ui.add(search).changed();
    let now = time.elapsed_secs();
    if searched || now >= list.refresh_at {
        list.refresh_at = now + REFRESH;
        let needle = list.search.trim().to_lowercase();
        let matches = |label: &dyn Fn() -> String| {
            needle.is_empty() || label().to_lowercase().contains(&needle)
        };
        list.found.clear();
        let found = bodies.iter().filter(|body| matches(&|| body.label()));
        list.found.extend(found.map(|body| body.entity));
        list.found.sort_unstable_by_key(|entity| entity.index_u32());
        // Joints come after the bodies. What is both is there already.
        let found = joints
            .iter()
            .filter(|joint| !bodies.contains(joint.entity) && matches(&|| joint.label()));
        let mut found: Vec<Entity> = found.map(|joint| joint.entity).collect();
        found.sort_unstable_by_key(|entity| entity.index_u32());
        list.found.append(&mut found);
    }

    let row_height =
        ui.text_style_height(&egui::TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let mut rows = egui::ScrollArea::vertical()
        .id_salt("bodies")
        .max_height(HEIGHT)
        .auto_shrink([false, true]);
    if list.selected != **selection {
        // Selected elsewhere: bring its row into view.
        list.selected = **selection;
        if let Some(row) = list
            .found
            .iter()
            .position(|&entity| Some(entity) == **selection)
        {
            let top = row as f32 * (row_height + ui.spacing().item_spacing.y);
            rows = rows.vertical_scroll_offset((top - 0.4 * HEIGHT).max(0.0));
        }
    }
    rows.show_rows(ui, row_height, list.found.len(), |ui, rows| {
        ui.with_layout(egui::Layout::top_down_justified(egui::Align::LEFT), |ui| {
            for row in rows {
                let entity = list.found[row];
                // A row outlives what it names until the next refresh.
                let body = bodies.get(entity).map(|body| body.label());
                let joint = || joints.get(entity).map(|joint| joint.label());
                let label = body.or_else(|_| joint());
                let label = label.unwrap_or_else(|_| "gone".into());
                if ui
                    .selectable_label(**selection == Some(entity), label)
                    .clicked()
                {
                    selection.0 = Some(entity);
                    list.selected = **selection;
                }
            }
        });
    });
    ui.weak("Ctrl and left drag: pull a body by a spring");
}
