//! The class of a contact: it approaches, rests or parts.

/// The class of a contact, by the relative velocity along its normal (ICM b.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactClass {
    /// The bodies approach: v_n < −tolerance.
    Impacting,
    /// The bodies rest on each other: |v_n| ≤ tolerance.
    Resting,
    /// The bodies part: v_n > tolerance.
    Separating,
}

/// Classifies a contact by its relative velocity `v_n` along the normal and a `tolerance` of zero or more, both in m/s.
///
/// The tolerance is necessary, because rounding never gives exactly zero.
pub fn contact_class(v_n: f32, tolerance: f32) -> ContactClass {
    if v_n < -tolerance {
        ContactClass::Impacting
    } else if v_n > tolerance {
        ContactClass::Separating
    } else {
        ContactClass::Resting
    }
}
