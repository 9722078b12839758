//! Triggers the entity events of the bodies that ask for them.

use bevy::prelude::*;

use crate::{
    components::CollisionEvents,
    messages::{CollisionEnded, CollisionStarted, Impact, SensorEntered, SensorLeft},
};

/// Triggers an event for each message of this fixed step and each body of it that listens.
pub(crate) fn trigger_events(
    listeners: Query<(), With<CollisionEvents>>,
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
    for impact in impacts.read() {
        trigger(&mut commands, &listeners, [*impact, impact.swapped()]);
    }
    for start in started.read() {
        trigger(&mut commands, &listeners, [*start, start.swapped()]);
    }
    for end in ended.read() {
        trigger(&mut commands, &listeners, [*end, end.swapped()]);
    }
    for enter in entered.read() {
        trigger(&mut commands, &listeners, [*enter]);
    }
    for leave in left.read() {
        trigger(&mut commands, &listeners, [*leave]);
    }
}

/// Triggers the events of the bodies that listen. An observer of an earlier event may despawn a body: it gets no more events.
fn trigger<E, const N: usize>(
    commands: &mut Commands,
    listeners: &Query<(), With<CollisionEvents>>,
    events: [E; N],
) where
    E: EntityEvent<Trigger<'static>: Default>,
{
    for event in events {
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
