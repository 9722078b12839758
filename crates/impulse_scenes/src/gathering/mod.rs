//! What the scenes [`planet`](crate::planet) and [`rubble`](crate::rubble) share: bodies that gather under their own gravity.
//!
//! - `cloud`: places in the cloud from which they fall
//! - `heap`: what they have become, in a few numbers
//! - `comet`: what hits them
//! - `past`: what a report says of the course of a run
//! - `view`: camera, sun and stars, the tail of a comet, plots

pub(crate) mod cloud;
pub(crate) mod comet;
pub(crate) mod heap;
pub(crate) mod past;
pub(crate) mod view;
