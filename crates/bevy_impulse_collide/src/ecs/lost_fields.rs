//! Fields that a system adds outside of the step: they are lost, and that is told.

use bevy::prelude::*;

use super::bad_input::Reports;
use crate::{
    body::Bodies,
    components::Acceleration,
    messages::{BadInput, InputProblem},
};

/// Tells if another system has changed the accelerations in [`Bodies`] since the last step. Only stage 1 of a step makes them, so
/// that change is lost. Nothing is looked at if nobody has had the bodies in hand.
pub(crate) fn report_lost_fields(
    mut bodies: ResMut<Bodies>,
    shown: Query<Ref<Acceleration>>,
    names: Query<NameOrEntity>,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
) {
    if !bodies.are_touched {
        return;
    }
    let is_lost = |&i: &usize| {
        let Ok(shown) = shown.get(bodies.entity[i]) else {
            return false;
        };
        let is_own = bodies.is_pushed(i) && bodies.steps[i] > 0 && shown.steps > 0;
        let (linear, angular) = (bodies.acceleration[i], bodies.angular_acceleration[i]);
        is_own && (linear.as_vec3() != shown.field || angular != shown.angular_field)
    };
    let lost: Vec<usize> = bodies.active().filter(is_lost).collect();
    if let Some(&i) = lost.first() {
        let problem = InputProblem::FieldOutsideStep;
        reports.report(bodies.entity[i], problem, &names, &mut messages);
    }
    // The next step corrects the last half kick: it must know what that was.
    for i in lost {
        bodies.mark_changed(i);
    }
}
