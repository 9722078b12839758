//! A world with the physics, that has its own settings and its own time.

use std::{fmt, time::Duration};

use bevy::{
    ecs::{
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::SystemState,
    },
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use crate::{
    clock::{Lead, WorldClock},
    members::Members,
};

/// A world of its own with the physics: with its own [`Gravity`], [`CollisionConfig`], [`SelfGravity`] and [`StepControl`], and its own
/// time.
///
/// It is a value. You may step it yourself, and you may move it to a task:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// use bevy_impulse_worlds::{SubWorld, WorldClock};
///
/// let mut moon = SubWorld::new()
///     .with(Gravity(Vec3::NEG_Y * 1.62))
///     .with_clock(WorldClock::from_hz(100.0));
/// let ball = moon.world_mut().spawn(Particle::new(0.1)).id();
/// moon.step(100);
/// let fallen = -moon.world().get::<Transform>(ball).unwrap().translation.y;
/// assert!((fallen - 0.5 * 1.62).abs() < 1e-4);
/// ```
///
/// It is a component too: with [`SubWorldsPlugin`](crate::SubWorldsPlugin), it steps by itself, and entities of the app are in it by
/// [`InWorld`].
#[derive(Component)]
pub struct SubWorld {
    /// How its time passes when it is a component.
    pub clock: WorldClock,
    world: World,
    /// The schedules of a fixed step that have systems, in order. To run them alone is faster than Bevy's main loop around them.
    schedules: Vec<Schedule>,
    lead: Lead,
    pub(crate) members: Members,
    rays: Option<Box<SystemState<SpatialQuery<'static, 'static>>>>,
}

impl Default for SubWorld {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SubWorld {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("SubWorld")
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}

impl SubWorld {
    /// An empty world with the physics, and with the defaults of its resources.
    pub fn new() -> Self {
        let mut app = App::new();
        app.add_plugins(ImpulseCollidePlugin { interpolate: false })
            .init_resource::<Time>()
            .init_resource::<Time<Fixed>>();
        Self {
            clock: WorldClock::default(),
            ..Self::from_app(app)
        }
    }

    /// The world of an app with [`ImpulseCollidePlugin`], which may have systems of yours: those in its fixed schedules run in each
    /// step, and those in [`First`] after the last of several, all on one thread. Its clock has the steps of the app's `Time<Fixed>`.
    ///
    /// Let the plugins of the app finish first, and run its startup, if they need that.
    pub fn from_app(mut app: App) -> Self {
        let mut world = std::mem::take(app.world_mut());
        let step = world.get_resource_or_init::<Time<Fixed>>().timestep();
        let mut schedules = world.resource_mut::<Schedules>();
        // The systems of a step wait for each other anyway, and the large ones share their work out themselves. A scheduler of Bevy's
        // would wait on its thread without doing the work of others, and several worlds at once would wait for ever.
        for (_, schedule) in schedules.iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let schedules = [
            FixedFirst.intern(),
            FixedPreUpdate.intern(),
            FixedUpdate.intern(),
            FixedPostUpdate.intern(),
            FixedLast.intern(),
        ]
        .into_iter()
        .filter_map(|label| schedules.remove(label))
        .filter(|schedule| schedule.systems_len() > 0)
        .collect();
        Self {
            clock: WorldClock {
                step: Some(step),
                ..default()
            },
            world,
            schedules,
            lead: Lead::default(),
            members: Members::default(),
            rays: None,
        }
    }

    /// The same world, with this resource.
    pub fn with(mut self, resource: impl Resource) -> Self {
        self.world.insert_resource(resource);
        self
    }

    /// The same world, with this clock.
    pub fn with_clock(self, clock: WorldClock) -> Self {
        Self { clock, ..self }
    }

    /// The world itself.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world itself, to spawn bodies in it, or to change its resources. Bodies that are spawned here are no entities of the app.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Stops its clock, or lets it go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.world.resource_mut::<StepControl>().paused = paused;
    }

    /// Makes some steps now, also if its clock stands. Until the app's first step, or without a clock of its own, they are as long as
    /// Bevy's: 1/64 s. The members of the app see them with the app's next fixed step.
    pub fn step(&mut self, count: u32) {
        let mut control = self.world.resource_mut::<StepControl>();
        if control.paused {
            control.pending_steps = control.pending_steps.saturating_add(count);
        }
        let length = self.step_length(None);
        self.make_steps(count, length);
    }

    /// Asks where the bodies of this world are. It names their entities here; [`main_entity`](Self::main_entity) translates.
    pub fn spatial_query(&mut self) -> SpatialQuery<'_, '_> {
        let world = &mut self.world;
        let rays = self
            .rays
            .get_or_insert_with(|| Box::new(SystemState::new(world)));
        rays.get(world)
            .unwrap_or_else(|problem| panic!("the physics is not in this world: {problem}"))
    }

    /// The entity here that stands for a member of the app's.
    pub fn sub_entity(&self, main: Entity) -> Option<Entity> {
        self.members.sub_entity(main)
    }

    /// The member of the app's for which an entity here stands.
    pub fn main_entity(&self, sub: Entity) -> Option<Entity> {
        self.members.main_entity(sub)
    }

    /// The world and its members, apart.
    pub(crate) fn parts(&mut self) -> (&mut World, &mut Members) {
        (&mut self.world, &mut self.members)
    }

    /// The length of its steps, if those of the app are as long as that.
    fn step_length(&self, of_app: Option<Duration>) -> Duration {
        let own = || self.world.resource::<Time<Fixed>>().timestep();
        self.clock.step.or(of_app).unwrap_or_else(own)
    }

    /// Lets time of the app pass. Returns the number of steps that are due, and their length.
    pub(crate) fn pass(&mut self, time: Duration) -> (u32, Duration) {
        let length = self.step_length(Some(time));
        let mut fixed = self.world.resource_mut::<Time<Fixed>>();
        if fixed.timestep() != length && !length.is_zero() {
            fixed.set_timestep(length);
        }
        let control = self.world.resource::<StepControl>();
        let most = match control.paused {
            true => control.pending_steps,
            false => u32::MAX,
        };
        if most == 0 {
            return (0, length);
        }
        let time = time.as_secs_f64() * self.clock.scale;
        let mut due = self.lead.pass(time, length.as_secs_f64());
        if due > most {
            due = most;
            self.lead.wait();
        }
        self.members.between.set_part(self.lead.part());
        (due, length)
    }

    /// Makes some fixed steps, and ends with what an app does once in a frame.
    pub(crate) fn make_steps(&mut self, count: u32, length: Duration) {
        if count == 0 || length.is_zero() {
            return;
        }
        let is_between = self.members.is_open && self.lead.part() < 1.0;
        let mut before = Vec::new();
        for k in 1..=count {
            if k == count && (is_between || !self.members.between.is_empty()) {
                before = self.poses();
            }
            self.make_step(length);
        }
        if !before.is_empty() {
            self.members.between.set_before(before, &self.world);
        }
        if self.members.is_open {
            self.members.post.collect(&self.world);
        }
        // Drops old messages.
        self.world.run_schedule(First);
        self.world.clear_trackers();
    }

    fn make_step(&mut self, length: Duration) {
        let Self {
            world, schedules, ..
        } = self;
        let mut fixed = world.resource_mut::<Time<Fixed>>();
        if fixed.timestep() != length {
            fixed.set_timestep(length);
        }
        fixed.advance_by(length);
        let now = fixed.as_generic();
        *world.resource_mut::<Time>() = now;
        for schedule in schedules {
            schedule.run(world);
        }
    }

    /// The poses of all members.
    fn poses(&mut self) -> Vec<(Entity, Transform)> {
        let mut query = self.world.query::<(Entity, &Transform)>();
        let all = query.iter(&self.world);
        let members = all.filter(|(body, _)| self.members.main_entity(*body).is_some());
        members.map(|(body, pose)| (body, *pose)).collect()
    }
}
