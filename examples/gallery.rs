//! The gallery: all scenes as pictures. A click opens a scene, and a click comes back.
//!
//! ```sh
//! cargo run --example gallery                                # look around
//! cargo run --example gallery -- planet --comet 2            # a scene at once, with its options
//! cargo run --example gallery -- pictures planet             # take a scene's picture anew
//! cargo run --example gallery -- films                       # take the films of the README anew
//! ```

use bevy::prelude::*;

fn main() -> AppExit {
    gallery::main()
}
