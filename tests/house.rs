//! The house has rules for its own sources: arrows between folders point one way, no two files import each other, and every file
//! says what it is for. Every page of the documentation is in the book, and its programs are tested.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The folders, and the files beside them, from the bottom up. Each may use those in the lines above it. `lib.rs` may use all.
const LAYERS: [&[&str]; 16] = [
    &["kernel", "parallel"],
    &["shape"],
    &["components"],
    &["config", "messages"],
    &["schedule"],
    &["body"],
    &["flat"],
    &["field", "collision"],
    &["solver"],
    &["sensing", "pairs"],
    &["stages"],
    &["ecs"],
    &["smoothing"],
    &["accretion", "division", "diagnostics", "query", "teleport"],
    &["gizmos", "picking", "snapshot"],
    &["plugin"],
];

/// The arrows that point up all the same, and why.
const UP: [(&str, &str, &str); 1] = [(
    "body/last_step.rs",
    "field/self_gravity.rs",
    "what the last step saw of the resource, so that a change of it is seen",
)];

/// A part of `Bodies` and its methods are in one file, and `Bodies` in another.
const OF_BODIES: &str = "the type of an array of `Bodies`, with the methods of `Bodies` about it";

/// The files that import each other all the same, and why.
const MUTUAL: [(&str, &str, &str); 10] = [
    ("body/blocks.rs", "body/store.rs", OF_BODIES),
    ("body/columns.rs", "body/flags.rs", OF_BODIES),
    ("body/flags.rs", "body/store.rs", OF_BODIES),
    ("body/follower.rs", "body/store.rs", OF_BODIES),
    ("body/last_step.rs", "body/store.rs", OF_BODIES),
    ("body/parts.rs", "body/store.rs", OF_BODIES),
    ("body/renewal.rs", "body/store.rs", OF_BODIES),
    (
        "solver/contact/carried.rs",
        "solver/contact/graph.rs",
        "the graph holds what is carried from step to step, and that has methods of the graph",
    ),
    (
        "solver/contact/heavy/group.rs",
        "solver/contact/heavy/mod.rs",
        "the limits of a group are beside the description of the method",
    ),
    (
        "solver/contact/point.rs",
        "solver/contact/surface.rs",
        "contacts at points keep the terms of surfaces, which have methods of these contacts",
    ),
];

/// A file of the crate, as a module.
struct Source {
    /// The path below `src`.
    file: String,
    /// The module's path from the root of the crate.
    module: Vec<String>,
    /// The first line.
    head: String,
    /// The paths in its code, test code aside, each with the name that it has here if it is imported.
    paths: Vec<(Vec<String>, Option<String>)>,
}

/// All files of the physics, sorted.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/bevy_impulse_collide/src");
    let mut files = Vec::new();
    list(&root, &mut files);
    files.sort();
    let is_test = |path: &PathBuf| path.ends_with("tests.rs");
    let files = files.into_iter().filter(|path| !is_test(path));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let below = path.strip_prefix(&root).unwrap();
        let mut module: Vec<String> = below
            .with_extension("")
            .iter()
            .map(|part| part.to_str().unwrap().to_owned())
            .collect();
        if ["mod", "lib"].contains(&module.last().unwrap().as_str()) {
            module.pop();
        }
        Source {
            file: below.to_str().unwrap().to_owned(),
            module,
            head: text.lines().next().unwrap_or_default().to_owned(),
            paths: paths(&without_tests(tokens(&text))),
        }
    };
    files.map(read).collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => list(&path, files),
            false => files.push(path),
        }
    }
}

/// The words and signs of a text, without comments and without what stands between quotes.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            raw.find('"').map_or(rest.len(), |end| end + 3)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\\") {
            rest[3..].find('\'').map_or(rest.len(), |end| end + 4)
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices()
                .nth(3)
                .map_or(rest.len(), |(end, _)| end)
        } else {
            let length = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false if rest.starts_with("::") => 2,
                false => first.len_utf8(),
            };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The tokens without items for tests alone.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut k = 0;
    while k < tokens.len() {
        if !tokens[k..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"].map(String::from)) {
            kept.push(tokens[k].clone());
            k += 1;
            continue;
        }
        let mut depth = 0;
        while k < tokens.len() {
            let token = tokens[k].as_str();
            depth += i32::from(token == "{") - i32::from(token == "}");
            k += 1;
            if depth == 0 && ["}", ";"].contains(&token) {
                break;
            }
        }
    }
    kept
}

/// The paths of `use` declarations and of expressions, with the names that they get.
fn paths(tokens: &[String]) -> Vec<(Vec<String>, Option<String>)> {
    let mut paths = Vec::new();
    let mut k = 0;
    while k < tokens.len() {
        if tokens[k] == "use" {
            k += 1;
            tree(tokens, &mut k, &[], &mut paths);
        } else if tokens.get(k + 1).is_some_and(|next| next == "::") && is_word(&tokens[k]) {
            // Not `pub(in super::…)`: that names who may look, not what is used.
            let is_used =
                k == 0 || tokens[k - 1] != "in" || tokens.get(k - 2) != Some(&"(".to_owned());
            let mut path = Vec::new();
            tree_path(tokens, &mut k, &mut path);
            if is_used {
                paths.push((path, None));
            }
        } else {
            k += 1;
        }
    }
    paths
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads `a::b::c`.
fn tree_path(tokens: &[String], k: &mut usize, path: &mut Vec<String>) {
    while is_word(&tokens[*k]) {
        path.push(tokens[*k].clone());
        *k += 1;
        if tokens[*k] != "::" {
            break;
        }
        *k += 1;
    }
}

/// Reads one branch of a `use` declaration.
fn tree(
    tokens: &[String],
    k: &mut usize,
    stem: &[String],
    paths: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let mut path = stem.to_vec();
    tree_path(tokens, k, &mut path);
    match tokens[*k].as_str() {
        "{" => {
            while tokens[*k] != "}" {
                *k += 1;
                if tokens[*k] != "}" {
                    tree(tokens, k, &path, paths);
                }
            }
            *k += 1;
        }
        "*" => {
            *k += 1;
            paths.push((path, Some("*".to_owned())));
        }
        _ => {
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let mut name = path.last().cloned();
            if tokens[*k] == "as" {
                name = Some(tokens[*k + 1].clone());
                *k += 2;
            }
            paths.push((path, name));
        }
    }
}

/// The modules of the crate, by their paths.
struct House {
    sources: Vec<Source>,
    places: BTreeMap<Vec<String>, usize>,
}

impl House {
    fn new() -> Self {
        let sources = sources();
        let places = sources.iter().enumerate();
        let places = places
            .map(|(i, source)| (source.module.clone(), i))
            .collect();
        Self { sources, places }
    }

    /// The files that a file names in its paths.
    fn used_by(&self, i: usize) -> BTreeSet<usize> {
        let paths = self.sources[i].paths.iter();
        let used = paths.filter_map(|(path, _)| self.find(i, path, 0));
        used.filter(|&j| j != i).collect()
    }

    /// The file that defines what a path names in the file `i`.
    fn find(&self, i: usize, path: &[String], depth: usize) -> Option<usize> {
        let own = &self.sources[i].module;
        let mut at: Vec<String> = own.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while let Some("super") = rest.first().map(String::as_str) {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                at.push(first.to_owned());
                if !self.places.contains_key(&at) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        while let Some(next) = rest.first() {
            at.push(next.clone());
            if !self.places.contains_key(&at) {
                at.pop();
                break;
            }
            rest = &rest[1..];
        }
        let j = *self.places.get(&at)?;
        let Some(item) = rest.first() else {
            return Some(j);
        };
        // Where the module has the item from, if from elsewhere.
        let named = self.sources[j].paths.iter();
        let from = named.filter(|(_, name)| name.as_ref() == Some(item));
        let from = from.filter(|(path, _)| depth < 9 && !(i == j && path.len() == 1));
        let mut from = from.filter_map(|(path, _)| self.find(j, path, depth + 1));
        Some(from.next().unwrap_or(j))
    }
}

fn layer_of(folder: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&folder));
    found.unwrap_or_else(|| panic!("{folder} is in no layer"))
}

#[test]
fn arrows_between_folders_point_one_way() {
    let house = House::new();
    let (mut arrows, mut up) = (0, BTreeSet::new());
    for (i, source) in house.sources.iter().enumerate() {
        let Some(from) = source.module.first() else {
            continue;
        };
        for j in house.used_by(i) {
            arrows += 1;
            let used = &house.sources[j];
            let is_right = used.module.first().is_some_and(|to| {
                let is_below = layer_of(to) < layer_of(from);
                to == from || is_below
            });
            if !is_right {
                up.insert((source.file.as_str(), used.file.as_str()));
            }
        }
    }
    assert!(arrows > 500, "only {arrows} arrows are found");
    assert_only("an arrow points up", &up, &UP);
}

#[test]
fn no_two_files_import_each_other() {
    let house = House::new();
    let used: Vec<_> = (0..house.sources.len()).map(|i| house.used_by(i)).collect();
    let mut mutual = BTreeSet::new();
    for (i, of_i) in used.iter().enumerate() {
        for &j in of_i.iter().filter(|&&j| j > i && used[j].contains(&i)) {
            let file = |k: usize| house.sources[k].file.as_str();
            mutual.insert((file(i), file(j)));
        }
    }
    assert_only("two files import each other", &mutual, &MUTUAL);
}

/// There are these exceptions, and no others.
fn assert_only(what: &str, found: &BTreeSet<(&str, &str)>, exceptions: &[(&str, &str, &str)]) {
    let known: BTreeSet<_> = exceptions.iter().map(|&(a, b, _)| (a, b)).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "{what}: {new:#?}");
    let mended: Vec<_> = known.difference(found).collect();
    assert!(mended.is_empty(), "no longer an exception: {mended:#?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    for source in House::new().sources {
        let says = source
            .head
            .strip_prefix("//! ")
            .is_some_and(|text| text.len() > 3);
        assert!(says, "{} begins with: {}", source.file, source.head);
    }
}

/// A page that no chapter names is in no book, and a program that no test includes may rot.
#[test]
fn every_page_is_in_the_book_and_its_programs_are_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let book = read("docs/SUMMARY.md");
    let tests = read("tests/common/pages.rs") + &read("crates/scene_kit/src/lib.rs");
    let mut pages = Vec::new();
    list(&root.join("docs"), &mut pages);
    pages.retain(|page| page.extension().is_some_and(|it| it == "md"));
    pages.retain(|page| !page.ends_with("SUMMARY.md"));
    assert!(pages.len() > 30, "only {} pages are found", pages.len());
    for page in pages {
        let name = page.strip_prefix(root.join("docs")).unwrap();
        let name = name.to_str().unwrap().replace('\\', "/");
        assert!(book.contains(&format!("({name})")), "{name} is no chapter");
        let text = fs::read_to_string(&page).unwrap();
        let has_program = text
            .lines()
            .any(|line| line.trim_start().starts_with("```rust"));
        let is_tested = tests.contains(&format!("/docs/{name}\""));
        assert!(is_tested || !has_program, "{name} has an untested program");
    }
}
