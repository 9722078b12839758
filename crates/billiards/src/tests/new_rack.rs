//! Racks in the middle of a frame, as straight pool has them.

use std::f32::consts::PI;

use super::{
    play::{TWO_PLAYERS, ask, begin, check_balls, on, shoot, straight_pool},
    *,
};
use crate::{
    play::{history::Undo, referee::Ask, snapshot::Snapshot},
    rules::{Call, Frame, Player, Potted, ShotRecord},
    table::rack::Gaps,
};

/// A frame of straight pool in which player one has sunk all balls but two. The 14 lies in front of a corner pocket and is called
/// there, the 15 lies at `last`.
fn before_new_rack(app: &mut App, last: Vec2) -> Snapshot {
    let mut snapshot = Snapshot::take(app.world_mut());
    let mut frame = Frame::new(straight_pool(50), Player::One);
    let call = |ball, pocket| {
        let ball = Ball(ball);
        Some(Call::Pot { ball, pocket })
    };
    frame.call(call(1, 0)).unwrap();
    let potted = (1..=13).map(|ball| Potted {
        ball: Ball(ball),
        pocket: 0,
    });
    let shot = ShotRecord {
        first_hit: Some(Ball(1)),
        potted: potted.collect(),
        cushion_after_contact: true,
        past_head_string: true,
        ..default()
    };
    frame.shoot(&shot).unwrap();
    frame.call(call(14, 3)).unwrap();
    snapshot.frame = Some(frame);
    snapshot.pocketed = (1..=13).map(Ball).collect();
    snapshot
        .lying
        .retain(|lying| !(1..=13).contains(&lying.ball.0));
    let pocket = POCKETS[3].center;
    for lying in &mut snapshot.lying {
        let at = match lying.ball.0 {
            0 => pocket - Vec2::splat(0.3),
            14 => pocket - Vec2::splat(0.1),
            _ => last,
        };
        (lying.at[0], lying.at[2]) = (at.x, at.y);
    }
    snapshot
}

#[test]
fn fourteen_balls_are_racked_beside_the_last_one() {
    let free = Vec2::new(0.2, -0.3);
    for (last, expected) in [(free, free), (FOOT_SPOT, HEAD_SPOT)] {
        let mut app = begin(straight_pool(50), TWO_PLAYERS);
        let before = before_new_rack(&mut app, last);
        before.put(app.world_mut());
        shoot(&mut app, 0.25 * PI, 2.0);
        let after = Snapshot::take(app.world_mut());
        check_balls(&after);
        assert_eq!(after.lying.len(), 16, "{:?}", on(&app).news);
        assert_eq!(after.frame.as_ref().unwrap().points(Player::One), Some(14));
        assert!(after.place(Ball(15)).unwrap().distance(expected) < 1e-5);
        let rack = after.rack.places(&POOL_9, Gaps::None);
        for (ball, at) in after.object_balls() {
            let in_place = |(_, place): &(Ball, Vec2)| place.distance(at) < 1e-3;
            let taken = rack[2..].iter().any(in_place);
            assert!(taken || ball == Ball(15), "{ball:?} at {at}");
        }
        // Any other table racks them with the same gaps, and the shot can be taken back.
        let mut other = begin(straight_pool(50), TWO_PLAYERS);
        ask(&mut other, Ask::NextFrame);
        other.world_mut().write_message(Rerack);
        other.update();
        before.put(other.world_mut());
        shoot(&mut other, 0.25 * PI, 2.0);
        assert_eq!(Snapshot::take(other.world_mut()), after);
        other.world_mut().write_message(Undo);
        other.update();
        let back = Snapshot::take(other.world_mut());
        assert_eq!((back.frame, back.pocketed), (before.frame, before.pocketed));
        assert_eq!(back.lying.len(), 3);
    }
}
