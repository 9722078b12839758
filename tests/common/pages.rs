//! The programs on the pages of the documentation, as tests: `cargo test -p laws --doc` compiles and runs them.

macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        $(
            #[doc = include_str!($page)]
            struct $name;
        )*
    };
}

pages! {
    Guide: "../../docs/guide/index.md",
    Bounce: "../../docs/guide/bounce.md",
    Roll: "../../docs/guide/roll.md",
    Slope: "../../docs/guide/slope.md",
    Push: "../../docs/guide/push.md",
    Hits: "../../docs/guide/hits.md",
    MovingPlatform: "../../docs/guide/moving-platform.md",
    Sensor: "../../docs/guide/sensor.md",
    OneWayPlatform: "../../docs/guide/one-way-platform.md",
    Queries: "../../docs/guide/queries.md",
    Joints: "../../docs/guide/joints.md",
    Compounds: "../../docs/guide/compounds.md",
    Flat: "../../docs/guide/flat.md",
    Planets: "../../docs/guide/planets.md",
    Worlds: "../../docs/guide/worlds.md",
    Save: "../../docs/guide/save.md",
    Network: "../../docs/guide/network.md",
    Report: "../../docs/guide/report.md",
    Headless: "../../docs/guide/headless.md",
    Questions: "../../docs/faq.md",
    SavesAndRollback: "../../docs/saves-and-rollback.md",
}
