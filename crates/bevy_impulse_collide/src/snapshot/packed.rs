//! The pairs of contacts in few bytes: in a heap there are three for each body.

use std::hash::Hasher;

use bevy::prelude::*;

use crate::solver::contact::CarriedPair;

/// What follows a pair, and whether it touches.
const TOUCHES: u32 = 1;
const HAS_FRICTION: u32 = 2;
const HAS_COUPLE: u32 = 4;
const HAS_SHARE: u32 = 8;
const FLAG_BITS: u32 = 4;

/// Sorted pairs and their impulses. An index is the difference to the one before, in as many bytes as it needs, and numbers that
/// are zero are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PackedPairs {
    count: usize,
    bytes: Vec<u8>,
    numbers: Vec<f32>,
}

impl PackedPairs {
    /// The `pairs`. Those that are also in `touching`, which is sorted too, touch.
    pub fn new(pairs: &[CarriedPair], touching: &[(u32, u32)]) -> Self {
        let mut packed = Self {
            count: pairs.len(),
            bytes: Vec::with_capacity(4 * pairs.len()),
            numbers: Vec::with_capacity(4 * pairs.len()),
        };
        let mut touching = touching.iter().peekable();
        let mut before = (0, 0);
        for carried in pairs {
            while touching.next_if(|&&pair| pair < carried.pair).is_some() {}
            let touches = touching.peek() == Some(&&carried.pair);
            packed.push(carried, before, touches);
            before = carried.pair;
        }
        packed.bytes.shrink_to_fit();
        packed.numbers.shrink_to_fit();
        packed
    }

    fn push(&mut self, carried: &CarriedPair, (a_before, b_before): (u32, u32), touches: bool) {
        let CarriedPair {
            pair: (a, b),
            normal,
            friction,
            couple,
            second_share,
        } = *carried;
        // −0 is not left out: it has other bits.
        let is_some = |v: Vec3| v.to_array().iter().any(|x| x.to_bits() != 0);
        let mut flags = 0;
        for (is_set, flag) in [
            (touches, TOUCHES),
            (is_some(friction), HAS_FRICTION),
            (is_some(couple), HAS_COUPLE),
            (second_share.to_bits() != 0, HAS_SHARE),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        let step = a - a_before;
        write(
            &mut self.bytes,
            u64::from(step) << FLAG_BITS | u64::from(flags),
        );
        let from = if step == 0 { b_before } else { a };
        write(&mut self.bytes, u64::from(b - from));
        self.numbers.push(normal);
        if flags & HAS_FRICTION != 0 {
            self.numbers.extend(friction.to_array());
        }
        if flags & HAS_COUPLE != 0 {
            self.numbers.extend(couple.to_array());
        }
        if flags & HAS_SHARE != 0 {
            self.numbers.push(second_share);
        }
    }

    /// The pairs, and whether each touches.
    pub fn iter(&self) -> impl Iterator<Item = (CarriedPair, bool)> {
        let mut bytes = self.bytes.iter().copied();
        let mut numbers = self.numbers.iter().copied();
        let mut before = (0, 0);
        (0..self.count).map(move |_| {
            let mut number = || numbers.next().unwrap_or_default();
            let head = read(&mut bytes);
            let flags = head as u32 & ((1 << FLAG_BITS) - 1);
            let step = (head >> FLAG_BITS) as u32;
            let a = before.0 + step;
            let from = if step == 0 { before.1 } else { a };
            before = (a, from + read(&mut bytes) as u32);
            let normal = number();
            let mut vector = |flag| match flags & flag {
                0 => Vec3::ZERO,
                _ => Vec3::new(number(), number(), number()),
            };
            let (friction, couple) = (vector(HAS_FRICTION), vector(HAS_COUPLE));
            let second_share = if flags & HAS_SHARE == 0 {
                0.0
            } else {
                number()
            };
            let carried = CarriedPair {
                pair: before,
                normal,
                friction,
                couple,
                second_share,
            };
            (carried, flags & TOUCHES != 0)
        })
    }

    pub fn hash(&self, hasher: &mut impl Hasher) {
        hasher.write(&self.bytes);
        for number in &self.numbers {
            hasher.write_u32(number.to_bits());
        }
    }

    /// The bytes beside this value.
    pub fn heap_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.numbers[..])
    }
}

/// Writes a number in base 128, the lowest digit first. A byte above 127 is not the last one (LEB128).
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let mut number = 0;
    for (byte, shift) in bytes.zip((0..).step_by(7)) {
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn packed_pairs_come_back_with_all_their_bits(
            pairs in prop::collection::btree_map(
                (0..100_000u32, 0..100_000u32),
                (any::<[f32; 4]>(), any::<[f32; 3]>(), -1.0..1f32, any::<[bool; 4]>()),
                0..50,
            ),
        ) {
            let pairs: BTreeMap<_, _> = pairs.into_iter().filter(|((a, b), _)| a < b).collect();
            let carried: Vec<CarriedPair> = pairs
                .iter()
                .map(|(&pair, &([normal, x, y, z], couple, share, [slides, turns, two, _]))| {
                    let vector = |has: bool, v: [f32; 3]| if has { Vec3::from(v) } else { Vec3::ZERO };
                    CarriedPair {
                        pair,
                        normal,
                        friction: vector(slides, [x, y, z]),
                        couple: vector(turns, couple),
                        second_share: if two { share } else { 0.0 },
                    }
                })
                .collect();
            let touching: Vec<(u32, u32)> =
                pairs.iter().filter(|(_, of)| of.3[3]).map(|(pair, _)| *pair).collect();
            let packed = PackedPairs::new(&carried, &touching);
            let bits = |carried: &CarriedPair| {
                let CarriedPair { pair, normal, friction, couple, second_share } = *carried;
                let numbers = [friction.to_array(), couple.to_array()].concat();
                let numbers = [numbers, vec![normal, second_share]].concat();
                (pair, numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>())
            };
            prop_assert_eq!(packed.iter().count(), carried.len());
            for (before, (after, touches)) in carried.iter().zip(packed.iter()) {
                prop_assert_eq!(bits(before), bits(&after));
                prop_assert_eq!(touches, touching.contains(&before.pair));
            }
        }
    }
}
