//! Fits the view into the part of the window that no text and no panel covers.

use bevy::{
    camera::{CameraUpdateSystems, SubCameraView},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

use super::camera::OrbitCamera;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FreePart>()
        .add_systems(Update, stay_beside_inspector)
        .add_systems(
            PostUpdate,
            (find_free_part, fit_cameras)
                .chain()
                .before(CameraUpdateSystems),
        );
}

/// A node of Bevy's UI that covers the view where it lies.
#[derive(Component, Default)]
pub struct Covers;

/// A node of Bevy's UI at the right, so many pixels from the edge of the window, or from the inspector.
#[derive(Component)]
#[require(Covers)]
pub struct BesideInspector(pub f32);

fn stay_beside_inspector(
    mut nodes: Query<(&BesideInspector, &mut Node)>,
    mut contexts: Query<&mut EguiContext, With<PrimaryEguiContext>>,
) {
    let Ok(mut context) = contexts.single_mut() else {
        return;
    };
    let context = context.get_mut();
    // Points are the pixels of nodes: both have the same scale.
    let taken = bevy_impulse_overlay::panel_rect(context).map_or(0.0, |panel| panel.width());
    for (beside, mut node) in &mut nodes {
        let right = px(beside.0 + taken.round());
        if node.right != right {
            node.right = right;
        }
    }
}

/// Width over height that each scene's view is made for.
const ASPECT: f32 = 16.0 / 9.0;

/// A view shows nothing at its edge that matters: so much of its height may be covered there.
const EDGE: f32 = 0.03;

/// Seconds in which the view glides all but 1/e of the way.
const GLIDE: f32 = 0.15;

/// The angle of view in radians, from the bottom to the top, that the scene has chosen for its camera.
#[derive(Component)]
struct DesignedFov(f32);

/// The part of the window that the view fits into, in logical pixels from the top left.
#[derive(Resource, Default)]
struct FreePart {
    window: Vec2,
    covers: Vec<Rect>,
    target: Rect,
    /// On the way there; `None` before the first frame.
    shown: Option<Rect>,
}

fn find_free_part(
    mut free: ResMut<FreePart>,
    window: Single<&Window, With<PrimaryWindow>>,
    nodes: Query<(&ComputedNode, &UiGlobalTransform, &InheritedVisibility), With<Covers>>,
    mut contexts: Query<&mut EguiContext>,
    time: Res<Time<Real>>,
) {
    let size = window.size();
    // Physical ones to a logical one. A node's own factor would count the scale of texts too.
    let pixels = window.scale_factor();
    let mut covers: Vec<Rect> = nodes
        .iter()
        .filter(|(.., visibility)| visibility.get())
        .map(|(node, place, _)| {
            let [center, size] = [place.translation, node.size()];
            Rect::from_center_size(center / pixels, size / pixels)
        })
        .collect();
    for mut context in &mut contexts {
        let context = context.get_mut();
        let zoom = context.zoom_factor();
        context.memory(|memory| {
            let layers = memory.areas().visible_layer_ids();
            let windows = layers
                .iter()
                .filter(|layer| layer.order == egui::Order::Middle);
            let areas = windows.filter_map(|layer| memory.area_rect(layer.id));
            covers.extend(areas.map(|area| {
                let [min, max] = [area.min, area.max].map(|corner| zoom * vec2(corner.x, corner.y));
                Rect::from_corners(min, max)
            }));
        });
    }
    // Whole pixels, and in order: a text that changes does not move the view.
    for cover in &mut covers {
        *cover = Rect::from_corners(cover.min.floor(), cover.max.ceil());
    }
    covers.sort_by(|a, b| {
        a.min
            .to_array()
            .partial_cmp(&b.min.to_array())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    if free.window != size || free.covers != covers {
        free.target = free_part(size, &covers);
        (free.window, free.covers) = (size, covers);
    }
    let kept = (-time.delta_secs() / GLIDE).exp();
    let (target, shown) = (free.target, free.shown.unwrap_or(free.target));
    let shown = Rect::from_corners(
        target.min.lerp(shown.min, kept),
        target.max.lerp(shown.max, kept),
    );
    let is_there = shown.min.distance(target.min) + shown.max.distance(target.max) < 0.5;
    free.shown = Some(if is_there { target } else { shown });
}

/// The part of a window of this size in which a view of [`ASPECT`] is largest, clear of the `covers`. A cover that is at no edge of
/// the window, nor beside one that is, lies before the view like a question to the player: it does not count.
fn free_part(window: Vec2, covers: &[Rect]) -> Rect {
    let whole = Rect::from_corners(Vec2::ZERO, window);
    let covers: Vec<Rect> = at_edges(whole, covers)
        .iter()
        .map(|cover| cover.intersect(whole).inflate(-EDGE * window.y))
        .filter(|cover| !cover.is_empty())
        .collect();
    let edges = |low: f32, high: f32, of: fn(&Rect) -> [f32; 2]| {
        let mut edges: Vec<f32> = covers.iter().flat_map(of).chain([low, high]).collect();
        edges.sort_by(f32::total_cmp);
        edges
    };
    let xs = edges(0.0, window.x, |cover| [cover.min.x, cover.max.x]);
    let ys = edges(0.0, window.y, |cover| [cover.min.y, cover.max.y]);
    let spans = |edges: &[f32]| -> Vec<(f32, f32)> {
        let starts = edges.iter().enumerate();
        let spans =
            starts.flat_map(|(at, &low)| edges[at + 1..].iter().map(move |&high| (low, high)));
        spans.collect()
    };
    let (columns, rows) = (spans(&xs), spans(&ys));
    let mut best = whole;
    let mut most = 0.0;
    for &(left, right) in &columns {
        for &(top, bottom) in &rows {
            let part = Rect::new(left, top, right, bottom);
            // Of two parts that show the view as large, the one with more around it.
            let worth =
                (part.width() / ASPECT).min(part.height()) + 1e-3 * part.size().element_sum();
            if worth > most && !covers.iter().any(|cover| overlap(part, *cover)) {
                (best, most) = (part, worth);
            }
        }
    }
    best
}

/// The covers at an edge of the window, and those beside such a cover.
fn at_edges(window: Rect, covers: &[Rect]) -> Vec<Rect> {
    let near = EDGE * window.height();
    let inside = window.inflate(-near);
    let is_inside = |cover: &Rect| inside.contains(cover.min) && inside.contains(cover.max);
    let (mut left, mut found): (Vec<Rect>, Vec<Rect>) =
        covers.iter().partition(|cover| is_inside(cover));
    let mut at = 0;
    while let Some(&cover) = found.get(at) {
        let beside = |other: &mut Rect| overlap(cover.inflate(near), *other);
        found.extend(left.extract_if(.., beside));
        at += 1;
    }
    found
}

fn overlap(a: Rect, b: Rect) -> bool {
    !a.intersect(b).is_empty()
}

/// Shows what the whole window would show in the free part, and more of the world around it. The camera opens its angle where the
/// part is narrower than the view.
fn fit_cameras(
    free: Res<FreePart>,
    mut cameras: Query<
        (Entity, &mut Camera, &mut Projection, Option<&DesignedFov>),
        With<OrbitCamera>,
    >,
    mut commands: Commands,
) {
    let Some(part) = free.shown.filter(|part| !part.is_empty()) else {
        return;
    };
    for (entity, mut camera, mut projection, designed) in &mut cameras {
        let Projection::Perspective(perspective) = projection.bypass_change_detection() else {
            continue;
        };
        let Some(&DesignedFov(designed)) = designed else {
            commands.entity(entity).insert(DesignedFov(perspective.fov));
            continue;
        };
        let wider = (ASPECT * part.height() / part.width()).max(1.0);
        let fov = 2.0 * (wider * (0.5 * designed).tan()).atan();
        if perspective.fov != fov {
            perspective.fov = fov;
            projection.set_changed();
        }
        let view = SubCameraView {
            full_size: part.size().round().as_uvec2(),
            offset: -part.min,
            size: free.window.round().as_uvec2(),
        };
        let is_whole = part.min == Vec2::ZERO && part.max == free.window;
        let view = (!is_whole).then_some(view);
        if camera.sub_camera_view != view {
            camera.sub_camera_view = view;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Vec2 = Vec2::new(1280.0, 720.0);

    #[test]
    fn without_panels_the_view_has_the_whole_window() {
        assert_eq!(
            free_part(WINDOW, &[]),
            Rect::from_corners(Vec2::ZERO, WINDOW)
        );
    }

    #[test]
    fn a_panel_at_a_side_leaves_the_rest() {
        let panel = Rect::new(940.0, 0.0, 1280.0, 720.0);
        let part = free_part(WINDOW, &[panel]);
        let edge = EDGE * WINDOW.y;
        assert_eq!(part, Rect::new(0.0, 0.0, 940.0 + edge, 720.0));
    }

    #[test]
    fn the_part_is_clear_of_panels_in_all_corners() {
        let panels = [
            Rect::new(12.0, 12.0, 500.0, 60.0),
            Rect::new(12.0, 400.0, 300.0, 708.0),
            Rect::new(1090.0, 500.0, 1268.0, 708.0),
        ];
        let part = free_part(WINDOW, &panels);
        for panel in panels {
            assert!(!overlap(part, panel.inflate(-EDGE * WINDOW.y)), "{part:?}");
        }
        assert!(part.width() > 700.0 && part.height() > 400.0, "{part:?}");
    }

    #[test]
    fn a_question_over_the_view_does_not_push_it_away() {
        let question = Rect::new(300.0, 100.0, 900.0, 600.0);
        assert_eq!(free_part(WINDOW, &[question]), free_part(WINDOW, &[]));
    }

    #[test]
    fn a_panel_beside_the_inspector_counts() {
        let inspector = Rect::new(920.0, 0.0, 1280.0, 720.0);
        let controls = Rect::new(617.0, 56.0, 908.0, 490.0);
        let part = free_part(WINDOW, &[inspector, controls]);
        assert!(part.max.x < 660.0 && part.height() > 700.0, "{part:?}");
    }
}
