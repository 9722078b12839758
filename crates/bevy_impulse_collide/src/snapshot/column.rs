//! A value for each body, which is often the same for most.

/// A value for each body. Where most have the same, only the others take room.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column<T> {
    Most {
        value: T,
        /// The index and the value of each of the others, sorted.
        others: Vec<(u32, T)>,
    },
    Each(Vec<T>),
}

impl<T: Copy + Default> Column<T> {
    /// The values, of which two are the same if their `bits` are.
    pub fn new<B: PartialEq>(values: Vec<T>, bits: impl Fn(&T) -> B) -> Self {
        let value = majority(&values, &bits);
        let of_most = bits(&value);
        let is_other = |(_, value): &(u32, T)| bits(value) != of_most;
        let others = (0..).zip(values.iter().copied()).filter(is_other);
        if others.clone().count() > values.len() / 2 {
            return Self::Each(values);
        }
        Self::Most {
            value,
            others: others.collect(),
        }
    }

    /// The value of body `k`.
    pub fn get(&self, k: usize) -> T {
        match self {
            Self::Most { value, others } => {
                let found = others.binary_search_by_key(&(k as u32), |&(at, _)| at);
                found.map_or(*value, |at| others[at].1)
            }
            Self::Each(values) => values[k],
        }
    }

    /// The bytes beside this value.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Most { others, .. } => size_of_val(&others[..]),
            Self::Each(values) => size_of_val(&values[..]),
        }
    }
}

impl<T: Default> Default for Column<T> {
    fn default() -> Self {
        Self::Most {
            value: T::default(),
            others: Vec::new(),
        }
    }
}

/// The value that more than half of all have, if there is one (R. Boyer and J Moore, 1981).
fn majority<T: Copy + Default, B: PartialEq>(values: &[T], bits: impl Fn(&T) -> B) -> T {
    let (mut candidate, mut votes) = (T::default(), 0usize);
    for value in values {
        if votes == 0 {
            (candidate, votes) = (*value, 1);
        } else if bits(value) == bits(&candidate) {
            votes += 1;
        } else {
            votes -= 1;
        }
    }
    candidate
}
