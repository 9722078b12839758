//! Which links are parts of loops.

use crate::solver::disjoint_sets::DisjointSets;

/// Whether each link is part of a loop, so that others hold its ends together without it. A link is between two nodes; all that no
/// joint moves is one more node, which the numbers from `nodes` on stand for.
pub(super) fn are_in_loops(nodes: usize, links: &[[usize; 2]]) -> Vec<bool> {
    let links: Vec<[usize; 2]> = links
        .iter()
        .map(|ends| ends.map(|end| end.min(nodes)))
        .collect();
    let mut of_node = vec![Vec::new(); nodes + 1];
    for (number, ends) in links.iter().enumerate() {
        ends.iter().for_each(|&end| of_node[end].push(number));
    }
    // Trees over all nodes: the places of these in the order in which they were found, and the links by which they were.
    let mut place = vec![usize::MAX; nodes + 1];
    let mut found: Vec<(usize, Option<usize>)> = Vec::new();
    let mut is_in_tree = vec![false; links.len()];
    for root in (0..=nodes).rev() {
        let mut next = found.len();
        if place[root] == usize::MAX {
            place[root] = next;
            found.push((root, None));
        }
        while next < found.len() {
            let (node, _) = found[next];
            for &link in &of_node[node] {
                for end in links[link] {
                    if place[end] == usize::MAX {
                        place[end] = found.len();
                        found.push((end, Some(link)));
                        is_in_tree[link] = true;
                    }
                }
            }
            next += 1;
        }
    }
    // Each link beside the trees closes a loop with the ways from its ends to where these ways meet. What loops join is one set, and the
    // lowest place is nearest to the root.
    let mut joined = DisjointSets::default();
    joined.reset(nodes + 1);
    let mut is_in_loop = vec![false; links.len()];
    for (number, ends) in links.iter().enumerate() {
        if is_in_tree[number] {
            continue;
        }
        is_in_loop[number] = true;
        let [mut a, mut b] = ends.map(|end| joined.root(place[end]));
        while a != b {
            let deep = a.max(b);
            if let (_, Some(link)) = found[deep] {
                is_in_loop[link] = true;
                let above = links[link].map(|end| place[end]);
                joined.join(above[0], above[1]);
            }
            [a, b] = [joined.root(a), joined.root(b)];
        }
    }
    is_in_loop
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether links alone lead from one node to another.
    fn are_joined(nodes: usize, links: &[[usize; 2]], [a, b]: [usize; 2]) -> bool {
        let mut joined = DisjointSets::default();
        joined.reset(nodes + 1);
        for [a, b] in links {
            joined.join(*a.min(&nodes), *b.min(&nodes));
        }
        joined.root(a.min(nodes)) == joined.root(b.min(nodes))
    }

    proptest! {
        /// A link is in a loop if the others still lead from its one end to its other one.
        #[test]
        fn a_link_in_a_loop_is_not_needed_for_its_ends_to_be_joined(
            nodes in 1..12usize,
            pairs in prop::collection::vec((0..14usize, 0..14usize), 0..20),
        ) {
            let links: Vec<[usize; 2]> = pairs
                .into_iter()
                .map(|(a, b)| [a, b])
                .filter(|[a, b]| a.min(&nodes) != b.min(&nodes))
                .collect();
            let found = are_in_loops(nodes, &links);
            for (number, &ends) in links.iter().enumerate() {
                let mut others = links.clone();
                others.remove(number);
                prop_assert_eq!(found[number], are_joined(nodes, &others, ends));
            }
        }
    }
}
