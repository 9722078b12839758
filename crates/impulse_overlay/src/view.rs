//! Which camera shows what is under the cursor, and along which ray.

use bevy::{
    camera::{NormalizedRenderTarget, RenderTarget},
    ecs::system::SystemParam,
    prelude::*,
    window::PrimaryWindow,
};

use crate::pick::Beam;

/// A joint's point is picked within this many logical pixels.
const REACH: f32 = 9.0;

/// The primary window and its cameras. Other windows have no overlay.
#[derive(SystemParam)]
pub(crate) struct View<'w, 's> {
    windows: Query<'w, 's, (Entity, &'static Window), With<PrimaryWindow>>,
    cameras: Query<
        'w,
        's,
        (
            Entity,
            &'static Camera,
            Option<&'static RenderTarget>,
            &'static GlobalTransform,
            Has<Camera3d>,
        ),
        Or<(With<Camera3d>, With<Camera2d>)>,
    >,
}

impl View<'_, '_> {
    /// In logical pixels; `None` while it is elsewhere.
    pub fn cursor(&self) -> Option<Vec2> {
        self.windows.single().ok()?.1.cursor_position()
    }

    /// The topmost camera of the window that shows this point of it. A camera for a flat picture may lie over the world's: it
    /// counts where there is no other.
    pub fn camera_at(&self, cursor: Vec2) -> Option<Entity> {
        let (primary, _) = self.windows.single().ok()?;
        let is_in_window = |target: Option<&RenderTarget>| {
            let target = target.cloned().unwrap_or_default();
            let NormalizedRenderTarget::Window(window) = target.normalize(Some(primary))? else {
                return None;
            };
            (window.entity() == primary).then_some(())
        };
        let shown = self.cameras.iter().filter(|(_, camera, target, ..)| {
            let view = camera.logical_viewport_rect();
            let covers = view.is_some_and(|view| view.contains(cursor));
            camera.is_active && covers && is_in_window(*target).is_some()
        });
        shown
            .max_by_key(|(_, camera, _, _, is_3d)| (*is_3d, camera.order))
            .map(|(entity, ..)| entity)
    }

    pub fn ray(&self, camera: Entity, cursor: Vec2) -> Option<Ray3d> {
        let (_, camera, _, place, _) = self.cameras.get(camera).ok()?;
        camera.viewport_to_world(place, cursor).ok()
    }

    pub fn beam(&self, camera: Entity, cursor: Vec2) -> Option<Beam> {
        Some(Beam {
            ray: self.ray(camera, cursor)?,
            edge: self.ray(camera, cursor + Vec2::X * REACH)?,
        })
    }

    /// Where the ray meets the plane through a point that faces the camera.
    pub fn on_plane_through(&self, point: Vec3, camera: Entity, cursor: Vec2) -> Option<Vec3> {
        let (_, _, _, place, _) = self.cameras.get(camera).ok()?;
        let plane = InfinitePlane3d::new(place.forward());
        self.ray(camera, cursor)?
            .plane_intersection_point(point, plane)
    }

    pub fn has(&self, camera: Entity) -> bool {
        self.cameras.contains(camera)
    }
}
