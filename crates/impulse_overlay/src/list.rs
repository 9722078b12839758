//! The searchable list of all bodies.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::{
    Selection,
    body::{Body, BodyItem, IsBody},
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
    /// The selected body when the list was last drawn.
    selected: Option<Entity>,
}

pub(crate) fn show(
    InMut(ui): InMut<egui::Ui>,
    mut list: ResMut<BodyList>,
    mut selection: ResMut<Selection>,
    bodies: Query<Body, IsBody>,
    time: Res<Time<Real>>,
) {
    let search = egui::TextEdit::singleline(&mut list.search)
        .hint_text("Search name, kind or id; or click a body in the view")
        .desired_width(f32::INFINITY);
    let searched = ui.add(search).changed();
    let now = time.elapsed_secs();
    if searched || now >= list.refresh_at {
        list.refresh_at = now + REFRESH;
        let needle = list.search.trim().to_lowercase();
        let matches =
            |body: &BodyItem| needle.is_empty() || body.label().to_lowercase().contains(&needle);
        list.found.clear();
        list.found
            .extend(bodies.iter().filter(matches).map(|body| body.entity));
        list.found.sort_unstable_by_key(|entity| entity.index_u32());
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
                // A row outlives its body until the next refresh.
                let label = bodies
                    .get(entity)
                    .map_or_else(|_| "gone".into(), |body| body.label());
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
}
