//! Rollback over the network with `bevy_ggrs`: predicted frames are taken back, and all peers see the same bits.

mod rollback_app;

use std::{net::SocketAddr, thread::sleep, time::Duration};

use bevy::prelude::*;
use bevy_ggrs::{
    ggrs::{DesyncDetection, GgrsEvent, PlayerType, SessionBuilder},
    prelude::{Session, SyncTestMismatch},
};
use bevy_impulse_collide::prelude::*;
use laws::*;
use rollback_app::{
    Checksums, Config, Loads, LossySocket, Player, RollbackPhysics, push_players, read_inputs,
};

/// A table with walls, a rack of balls, and a ball for each of two players.
fn table() -> App {
    let mut app = app_with_gravity(60.0);
    app.add_plugins(RollbackPhysics)
        .add_systems(bevy_ggrs::ReadInputs, read_inputs);
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(0.2)));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        world.spawn((Plane::new(side), Transform::from_translation(-0.8 * side)));
    }
    let ball = (Particle::new(0.05), Restitution(0.9), Friction(0.1));
    for row in 0..6 {
        for k in 0..=row {
            let x = 0.1 * (k as f32 - 0.5 * row as f32);
            let place = Transform::from_xyz(x, 0.05, 0.0866 * row as f32);
            world.spawn((ball, place));
        }
    }
    for (handle, x) in [(0, -0.3), (1, 0.3)] {
        world.spawn((ball, Player(handle), Transform::from_xyz(x, 0.05, -0.5)));
    }
    // A heap, which falls while they play.
    for k in 0..40 {
        let turn = k as f32 * 2.4;
        let place = Vec3::new(0.2 * turn.cos(), 0.5 + 0.05 * k as f32, 0.2 * turn.sin());
        let place = Transform::from_translation(place);
        if k % 4 == 0 {
            world.spawn((Capsule::new(0.04, 0.1), place));
        } else {
            world.spawn((Particle::new(0.04), place));
        }
    }
    app.add_systems(
        bevy_ggrs::GgrsSchedule,
        push_players.before(rollback_app::step),
    );
    app
}

/// Number of frames that a session takes back and computes again, in every frame.
const CHECK_DISTANCE: usize = 7;

/// Plays with every frame taken back [`CHECK_DISTANCE`] times. Returns the number of frames that were played, and how often a frame
/// had another checksum than before.
fn sync_test(mut app: App) -> (usize, usize) {
    #[derive(Resource, Default)]
    struct Mismatches(usize);

    let session = SessionBuilder::<Config>::new()
        .with_num_players(2)
        .expect("two players")
        .with_check_distance(CHECK_DISTANCE)
        .add_player(PlayerType::Local, 0)
        .and_then(|builder| builder.add_player(PlayerType::Local, 1))
        .and_then(SessionBuilder::start_synctest_session)
        .expect("a session with two local players");
    app.init_resource::<Mismatches>()
        .insert_resource(Session::SyncTest(session))
        .add_observer(
            |_: On<SyncTestMismatch>, mut mismatches: ResMut<Mismatches>| {
                mismatches.0 += 1;
            },
        );
    steps(&mut app, 301);
    let frames = app.world().resource::<Checksums>().0.len();
    (frames, app.world().resource::<Mismatches>().0)
}

#[test]
fn frames_that_are_taken_back_end_in_the_same_bits() {
    let (frames, mismatches) = sync_test(table());
    assert!(frames >= 300, "{frames} frames");
    assert_eq!(mismatches, 0);
}

/// The check finds a world that is not put back.
#[test]
fn without_its_snapshots_a_session_differs() {
    let mut app = table();
    app.insert_resource(Loads {
        are_ignored: true,
        ..default()
    });
    let (_, mismatches) = sync_test(app);
    assert!(mismatches > 100, "{mismatches} mismatches");
}

/// Two peers, each with an app of its own, over sockets that lose and delay packets.
#[test]
fn two_peers_over_a_bad_network_see_the_same_bits() {
    let sockets = [1, 2].map(LossySocket::bind);
    let addresses = sockets.each_ref().map(LossySocket::address);
    let mut sockets = sockets.into_iter();
    let mut peers = [0, 1].map(|local| {
        let socket = sockets.next().expect("there are two");
        let mut app = table();
        app.insert_resource(Session::P2P(session(local, addresses[1 - local], socket)));
        app
    });
    // Frames up to which all inputs had come before the last update: they are computed with the true inputs.
    let mut confirmed = [0; 2];
    for _ in 0..20_000 {
        for (app, confirmed) in peers.iter_mut().zip(&mut confirmed) {
            if let Session::P2P(session) = &mut *app.world_mut().resource_mut::<Session<Config>>() {
                *confirmed = session.confirmed_frame();
                for event in session.events() {
                    let differ = matches!(event, GgrsEvent::DesyncDetected { .. });
                    assert!(!differ, "{event:?}");
                }
            }
            app.update();
        }
        if confirmed.iter().all(|&frame| frame >= FRAMES) {
            break;
        }
        // Packets that were sent and not lost arrive meanwhile.
        sleep(Duration::from_millis(1));
    }
    let shown = peers.each_ref();
    let shown = shown.map(|app| &app.world().resource::<Checksums>().0);
    let last = confirmed[0].min(confirmed[1]);
    assert!(last >= FRAMES, "{last} frames were confirmed");
    for frame in 1..=last {
        assert_eq!(shown[0].get(&frame), shown[1].get(&frame), "frame {frame}");
        assert!(shown[0].contains_key(&frame));
    }
    for app in &peers {
        // How many there are depends on when packets arrive.
        let loads = app.world().resource::<Loads>().count;
        assert!(loads > 5, "{loads} rollbacks");
    }
}

/// Frames that both peers play.
const FRAMES: i32 = 300;

fn session(
    local: usize,
    other: SocketAddr,
    socket: LossySocket,
) -> bevy_ggrs::ggrs::P2PSession<Config> {
    SessionBuilder::<Config>::new()
        .with_num_players(2)
        .expect("two players")
        .with_max_prediction_window(8)
        .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
        // A busy machine may let a peer wait.
        .with_disconnect_timeout(Duration::from_secs(60))
        .add_player(PlayerType::Local, local)
        .and_then(|builder| builder.add_player(PlayerType::Remote(other), 1 - local))
        .and_then(|builder| builder.start_p2p_session(socket))
        .expect("a session of two peers")
}
