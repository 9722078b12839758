//! What a sub-world tells the app: the messages of its steps, and their entity events.

use bevy::{
    ecs::{entity::EntityMapper, message::MessageCursor},
    prelude::*,
};
use bevy_impulse_collide::{ProblemValue, messages::UnloggedBadInput, prelude::*};

use crate::members::{Members, Outwards};

/// A message that names entities.
trait Mapped {
    /// Names the entities of the app instead.
    fn map(&mut self, mapper: &mut Outwards);
}

macro_rules! mapped {
    ($($message:ident { $($field:ident)* })*) => {
        $(impl Mapped for $message {
            fn map(&mut self, mapper: &mut Outwards) {
                $(self.$field = mapper.get_mapped(self.$field);)*
            }
        })*
    };
}
mapped! {
    CollisionStarted { a b }
    CollisionEnded { a b }
    Impact { a b }
    SensorEntered { sensor body }
    SensorLeft { sensor body }
    Merged { survivor absorbed }
    Divided { first second }
}

impl Mapped for JointBroken {
    fn map(&mut self, mapper: &mut Outwards) {
        self.joint = mapper.get_mapped(self.joint);
        self.a = self.a.map(|a| mapper.get_mapped(a));
        self.b = mapper.get_mapped(self.b);
    }
}

impl Mapped for BadInput {
    fn map(&mut self, mapper: &mut Outwards) {
        self.entity = mapper.get_mapped(self.entity);
        if let ProblemValue::Body(body) = &mut self.problem.value {
            *body = mapper.get_mapped(*body);
        }
    }
}

macro_rules! mail {
    ($($name:ident: $message:ident,)*) => {
        /// The messages of some steps.
        #[derive(Default)]
        pub(crate) struct PostBox {
            cursors: Cursors,
            $(pub $name: Vec<$message>,)*
        }

        #[derive(Default)]
        struct Cursors {
            $($name: MessageCursor<$message>,)*
        }

        impl PostBox {
            /// Takes what the world has written since the last time.
            pub fn collect(&mut self, world: &World) {
                $(if let Some(messages) = world.get_resource::<Messages<$message>>() {
                    self.$name.extend(self.cursors.$name.read(messages));
                })*
            }

            /// Takes all messages out.
            pub fn take(&mut self) -> Self {
                Self {
                    cursors: Cursors::default(),
                    $($name: std::mem::take(&mut self.$name),)*
                }
            }

            /// Names the entities of the app.
            pub fn map(&mut self, members: &Members) {
                $(self.$name.iter_mut().for_each(|it| it.map(&mut Outwards(members)));)*
            }

            /// Writes all messages to the app.
            pub fn send(self, app: &mut World) {
                for bad_input in &self.bad_input {
                    bad_input.log(app.get::<Name>(bad_input.entity));
                }
                $(app.write_message_batch(self.$name);)*
            }
        }

        /// The app has all messages of the physics, also without physics of its own.
        pub(crate) fn add_messages(app: &mut App) {
            $(app.add_message::<$message>();)*
        }
    };
}
mail! {
    started: CollisionStarted,
    ended: CollisionEnded,
    impacts: Impact,
    entered: SensorEntered,
    left: SensorLeft,
    merged: Merged,
    divided: Divided,
    broken: JointBroken,
    bad_input: BadInput,
}

/// An entity event.
trait Event: Mapped + Send + Sync {
    /// Triggers it, if its body still listens.
    fn trigger(&self, app: &mut World);
}

/// The entity events of the bodies of a world that listen.
#[derive(Resource, Default)]
pub(crate) struct Heard(Vec<Box<dyn Event>>);

impl Heard {
    /// Takes what the world has heard since the last time.
    pub fn take(world: &mut World) -> Self {
        let heard = world.get_resource_mut::<Self>();
        heard.map_or_else(Self::default, |mut heard| std::mem::take(&mut *heard))
    }

    /// Names the entities of the app.
    pub fn map(&mut self, members: &Members) {
        for event in &mut self.0 {
            event.map(&mut Outwards(members));
        }
    }

    /// Triggers the events in the app. An observer of an earlier one may have despawned a body: it gets no more.
    pub fn trigger(self, app: &mut World) {
        for event in self.0 {
            event.trigger(app);
        }
    }
}

macro_rules! events {
    ($($event:ident)*) => {
        $(impl Event for $event {
            fn trigger(&self, app: &mut World) {
                if app.get::<CollisionEvents>(self.event_target()).is_some() {
                    app.trigger(*self);
                }
            }
        })*

        /// Lets a world note its events for the app, and leave the log to it.
        pub(crate) fn listen(world: &mut World) {
            world.init_resource::<Heard>();
            world.insert_resource(UnloggedBadInput);
            $(world.add_observer(|event: On<$event>, mut heard: ResMut<Heard>| {
                heard.0.push(Box::new(*event));
            });)*
        }
    };
}
events! { Impact CollisionStarted CollisionEnded SensorEntered SensorLeft }
