//! Triggers the entity events of the bodies that ask for them.

use bevy::prelude::*;

use super::compounds::Compounds;
use crate::{
    components::{CollisionEvents, InWorld},
    messages::{CollisionEnded, CollisionStarted, Impact, SensorEntered, SensorLeft},
};

/// The bodies that listen.
type Listening = (With<CollisionEvents>, Without<InWorld>);

/// Triggers an event for each message of this fixed step and each body of it that listens. A compound hears what its parts do.
pub(crate) fn trigger_events(
    listeners: Query<(), Listening>,
    compounds: Res<Compounds>,
    mut impacts: MessageReader<Impact>,
    mut started: MessageReader<CollisionStarted>,
    mut ended: MessageReader<CollisionEnded>,
    mut entered: MessageReader<SensorEntered>,
    mut left: MessageReader<SensorLeft>,
    mut commands: Commands,
) {
    if listeners.is_empty() {
        impacts.clear();
        started.clear();
        ended.clear();
        entered.clear();
        left.clear();
        return;
    }
    let all = (&listeners, &*compounds);
    for impact in impacts.read() {
        trigger(&mut commands, all, [*impact, impact.swapped()]);
    }
    for start in started.read() {
        trigger(&mut commands, all, [*start, start.swapped()]);
    }
    for end in ended.read() {
        trigger(&mut commands, all, [*end, end.swapped()]);
    }
    for enter in entered.read() {
        trigger(&mut commands, all, [*enter]);
    }
    for leave in left.read() {
        trigger(&mut commands, all, [*leave]);
    }
}

/// An event of a part that its compound can hear.
trait OfPart: EntityEvent + Copy {
    /// The same for another body.
    fn on(self, body: Entity) -> Self;
}

macro_rules! of_parts {
    ($($event:ident $target:ident,)*) => {
        $(impl OfPart for $event {
            fn on(self, body: Entity) -> Self {
                Self { $target: body, ..self }
            }
        })*
    };
}
of_parts! {
    Impact a, CollisionStarted a, CollisionEnded a, SensorEntered sensor, SensorLeft sensor,
}

/// Triggers the events of the bodies that listen. An observer of an earlier event may despawn a body: it gets no more events.
fn trigger<E, const N: usize>(
    commands: &mut Commands,
    (listeners, compounds): (&Query<(), Listening>, &Compounds),
    events: [E; N],
) where
    E: OfPart + EntityEvent<Trigger<'static>: Default>,
{
    let of_wholes = events.map(|event| {
        let part = compounds.part(event.event_target());
        part.map(|part| event.on(part.whole))
    });
    let events = events.into_iter().zip(of_wholes);
    for event in events
        .flat_map(|(event, of_whole)| [Some(event), of_whole])
        .flatten()
    {
        let body = event.event_target();
        if listeners.contains(body) {
            commands.queue(move |world: &mut World| {
                if world.get::<CollisionEvents>(body).is_some() {
                    world.trigger(event);
                }
            });
        }
    }
}
