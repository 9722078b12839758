//! Triggers the entity events of the bodies that ask for them.

use bevy::prelude::*;

use crate::{
    components::CollisionEvents,
    messages::{CollisionEnded, CollisionStarted, Impact},
};

/// Triggers an event for each message of this fixed step and each body of it that listens.
pub(crate) fn trigger_events(
    listeners: Query<(), With<CollisionEvents>>,
    mut impacts: MessageReader<Impact>,
    mut started: MessageReader<CollisionStarted>,
    mut ended: MessageReader<CollisionEnded>,
    mut commands: Commands,
) {
    if listeners.is_empty() {
        impacts.clear();
        started.clear();
        ended.clear();
        return;
    }
    let listens = |body: Entity| listeners.contains(body);
    for impact in impacts.read() {
        for event in [*impact, impact.swapped()] {
            if listens(event.a) {
                commands.trigger(event);
            }
        }
    }
    for start in started.read() {
        for event in [*start, start.swapped()] {
            if listens(event.a) {
                commands.trigger(event);
            }
        }
    }
    for end in ended.read() {
        for event in [*end, end.swapped()] {
            if listens(event.a) {
                commands.trigger(event);
            }
        }
    }
}
