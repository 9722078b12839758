//! Every scene in one program for a page: the address says which one runs, and with which options.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::*;

#[path = "../../examples/billiards.rs"]
mod billiards;
#[path = "../../examples/bounce.rs"]
mod bounce;
#[path = "../../examples/bowling.rs"]
mod bowling;
#[path = "../../examples/colony.rs"]
mod colony;
#[path = "../../examples/cradle.rs"]
mod cradle;
#[path = "../../examples/flat.rs"]
mod flat;
#[path = "../../examples/gas.rs"]
mod gas;
#[path = "../../examples/gltf.rs"]
mod gltf;
#[path = "../../examples/lab.rs"]
mod lab;
#[path = "../../examples/machines.rs"]
mod machines;
#[path = "../../examples/marbles.rs"]
mod marbles;
#[path = "../../examples/pi.rs"]
mod pi;
#[path = "../../examples/pile.rs"]
mod pile;
#[path = "../../examples/pinball.rs"]
mod pinball;
#[path = "../../examples/planet.rs"]
mod planet;
#[path = "../../examples/rubble.rs"]
mod rubble;

/// The browser calls it as soon as the program is loaded.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
    let arguments = scene_kit::console::arguments();
    let scene = arguments.first().map_or("", String::as_str);
    // A scene with a window goes on after this: the browser asks for its frames.
    match scene {
        "billiards" => billiards::main(),
        "bounce" => bounce::main(),
        "bowling" => bowling::main(),
        "colony" => colony::main(),
        "cradle" => cradle::main(),
        "flat" => flat::main(),
        "gas" => gas::main(),
        "gltf" => gltf::main(),
        "lab" => lab::main(),
        "machines" => machines::main(),
        "marbles" => marbles::main(),
        "pi" => pi::main(),
        "pile" => pile::main(),
        "pinball" => pinball::main(),
        "planet" => planet::main(),
        "rubble" => rubble::main(),
        _ => wasm_bindgen::throw_str(&format!("there is no scene {scene:?}")),
    };
}
