/// What a contact does, by the relative velocity along its normal (ICM b.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactClass {
    /// The bodies approach: v_n < −tolerance.
    Impacting,
    /// Neither: |v_n| ≤ tolerance.
    Resting,
    /// The bodies part: v_n > tolerance.
    Separating,
}

/// Classifies a contact whose relative velocity along the normal is `v_n`, with a `tolerance` of zero or more, both in m/s.
///
/// Rounding never gives exactly zero, hence the tolerance.
pub fn contact_class(v_n: f32, tolerance: f32) -> ContactClass {
    if v_n < -tolerance {
        ContactClass::Impacting
    } else if v_n > tolerance {
        ContactClass::Separating
    } else {
        ContactClass::Resting
    }
}
