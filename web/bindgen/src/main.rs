//! Makes the JavaScript that loads a WebAssembly program: `bindgen PROGRAM.wasm FOLDER`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, program, folder] = arguments.as_slice() else {
        return Err("usage: bindgen PROGRAM.wasm FOLDER".into());
    };
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    // A reader of the page needs no names of functions: they are a third of the program.
    bindgen.input_path(program).web(true)?.typescript(false).remove_name_section(true);
    bindgen.generate(folder)?;
    Ok(())
}
