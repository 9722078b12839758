//! A scene on the page of a browser: the address of the page is its command line.

use std::io::{self, Write};

use wasm_bindgen::throw_str;
use web_sys::{console, window};

/// The words of the command line that the address stands for: `?pile&balls=1000&drum` is `pile --balls=1000 --drum`. What follows `#`
/// is one more option, which the browser sends to no server.
pub fn arguments() -> Vec<String> {
    let Some(window) = window() else {
        return Vec::new();
    };
    let address = window.location();
    let search = address.search().unwrap_or_default();
    let hash = address.hash().unwrap_or_default();
    let mut words = search.trim_start_matches('?').split('&');
    let scene = words.next().map(decode);
    let options = words.chain([hash.trim_start_matches('#')]);
    let options = options.filter(|option| !option.is_empty());
    let options = options.map(|option| format!("--{}", decode(option)));
    scene.into_iter().chain(options).collect()
}

fn decode(part: &str) -> String {
    js_sys::decode_uri_component(part).map_or_else(|_| part.to_owned(), String::from)
}

/// Where results are written: one message to the console when it is dropped.
pub fn output() -> impl Write {
    Text::default()
}

#[derive(Default)]
struct Text(Vec<u8>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            console::log_1(&String::from_utf8_lossy(&self.0).trim_end().into());
        }
    }
}

/// Says why something failed.
pub fn tell_error(problem: &str) {
    console::error_1(&format!("error: {problem}").into());
}

/// Says what is wrong with the arguments, or the help that they ask for, and ends the program: the page shows the text.
pub fn exit_with(problem: &clap::Error) -> ! {
    throw_str(&problem.to_string())
}
