//! Which triangles share an edge, and which vertices an edge joins: the normal cones of edges and vertices.
//!
//! A point is a true contact point if it is nearest among all points near it. A triangle's edge is nearest for that triangle, but
//! perhaps not for the triangle on the other side. Where it is not, a contact there would be a ghost: a ball that rolls on a flat
//! floor of many triangles would stumble over the edges.

use glam::Vec3;

/// No triangle.
const NONE: u32 = u32::MAX;

/// Square of the difference up to which two normals are the same.
const SAME_NORMAL: f32 = 1e-8;

/// Sine of the angle outside its cone up to which a normal counts as inside: above rounding.
pub(super) const CONE_TOLERANCE: f32 = 1e-4;

/// The neighbours of each edge and vertex of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Topology {
    /// For each edge of each triangle, the vertex of the neighbour that is not on the edge, or [`NONE`].
    opposite: Vec<[u32; 3]>,
    /// The same for edges with more than two triangles: the edge's number, and a further vertex. Sorted.
    more: Vec<(u32, u32)>,
    /// For each triangle, a bit for each edge across which the surface goes on without a crease. Empty for a mesh without normals.
    smooth: Vec<u8>,
    /// The vertices at the other ends of each vertex's edges.
    neighbours: Vec<u32>,
    /// First neighbour of each vertex, and the end of the last vertex's.
    starts: Vec<u32>,
    /// The vertices with an edge that only one triangle has. Sorted.
    rim: Vec<u32>,
}

impl Topology {
    /// Of a mesh with this number of vertices. `normals` are those at the corners of each triangle, or none; `lines` are edges
    /// without a triangle.
    pub fn new(
        vertices: usize,
        triangles: &[[u32; 3]],
        normals: &[[Vec3; 3]],
        lines: &[[u32; 2]],
    ) -> Self {
        let edges = sorted_edges(triangles);

        let mut opposite = vec![[NONE; 3]; triangles.len()];
        let mut more = Vec::new();
        let third = |edge: u32| triangles[edge as usize / 3][(edge as usize + 2) % 3];
        let mut ends: Vec<(u32, u32)> = Vec::new();
        let mut rim = Vec::new();
        for shared in edges.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            ends.push((shared[0].0, shared[0].1));
            if shared.len() == 1 {
                rim.extend([shared[0].0, shared[0].1]);
            }
            for &(.., edge) in shared {
                let others = shared.iter().filter(|&&(.., other)| other != edge);
                let mut others = others.map(|&(.., other)| third(other));
                if let Some(first) = others.next() {
                    opposite[edge as usize / 3][edge as usize % 3] = first;
                    more.extend(others.map(|further| (edge, further)));
                }
            }
        }
        more.sort_unstable();
        rim.sort_unstable();
        rim.dedup();
        ends.extend(lines.iter().map(|&[a, b]| (a.min(b), a.max(b))));

        let mut starts = vec![0; vertices + 1];
        for &(a, b) in &ends {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; 2 * ends.len()];
        for (a, b) in ends {
            for (from, to) in [(a, b), (b, a)] {
                neighbours[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        let smooth = match normals.is_empty() {
            true => Vec::new(),
            false => smooth_edges(&edges, triangles, normals),
        };
        Self {
            opposite,
            more,
            smooth,
            neighbours,
            starts,
            rim,
        }
    }

    /// The vertex, off the edge, of a triangle on the other side of edge `k` of a triangle; `None` at the rim.
    pub fn opposite(&self, triangle: usize, k: usize) -> Option<u32> {
        Some(self.opposite[triangle][k]).filter(|&vertex| vertex != NONE)
    }

    /// Whether an edge of a vertex has only one triangle.
    pub fn is_on_rim(&self, vertex: u32) -> bool {
        self.rim.binary_search(&vertex).is_ok()
    }

    /// Whether the surface goes on across edge `k` of a triangle without a crease.
    pub fn is_smooth(&self, triangle: usize, k: usize) -> bool {
        let edges = self.smooth.get(triangle);
        edges.is_some_and(|edges| edges & 1 << k != 0)
    }

    /// Whether the surface goes on across all edges of a triangle without a crease.
    pub fn is_smooth_around(&self, triangle: usize) -> bool {
        (0..3).all(|k| self.is_smooth(triangle, k))
    }

    /// Whether `normal` at a point of edge `k` of a triangle is in the cone of the edge: neither the triangle nor a neighbour has a
    /// nearer point. The edge leads from the first of these `corners` to the second.
    pub fn is_normal_of_edge(
        &self,
        vertices: &[Vec3],
        (triangle, k): (usize, usize),
        corners: [u32; 3],
        normal: Vec3,
    ) -> bool {
        let [start, end, own] = corners;
        let ends = [start, end].map(|vertex| vertices[vertex as usize]);
        let along = (ends[1] - ends[0]).normalize_or_zero();
        let leads_away = |opposite: u32| {
            let into = vertices[opposite as usize] - ends[0];
            let into = into - along * along.dot(into);
            normal.dot(into) <= CONE_TOLERANCE * into.length()
        };
        let first = self.opposite[triangle][k];
        if !leads_away(own) {
            return false;
        }
        if first == NONE {
            return true;
        }
        let edge = (3 * triangle + k) as u32;
        let start = self.more.partition_point(|&(other, _)| other < edge);
        let more = self.more[start..].iter();
        let mut further = more.take_while(|&&(other, _)| other == edge);
        leads_away(first) && further.all(|&(_, opposite)| leads_away(opposite))
    }

    /// Whether `normal` at a vertex is in its cone: no edge of the vertex has a nearer point.
    pub fn is_normal_of_vertex(&self, vertices: &[Vec3], vertex: u32, normal: Vec3) -> bool {
        let vertex = vertex as usize;
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.neighbours[range].iter().all(|&other| {
            let edge = vertices[other as usize] - vertices[vertex];
            normal.dot(edge) <= CONE_TOLERANCE * edge.length()
        })
    }

    /// Whether every edge has two triangles that run along it in opposite directions.
    pub fn is_closed(triangles: &[[u32; 3]]) -> bool {
        let mut directed: Vec<(u32, u32)> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .collect();
        directed.sort_unstable();
        let is_twice = directed.windows(2).any(|pair| pair[0] == pair[1]);
        !is_twice
            && directed
                .iter()
                .all(|&(a, b)| directed.binary_search(&(b, a)).is_ok())
    }
}

/// The two ends of an edge of a triangle, the lower first, and the edge's number.
type NumberedEdge = (u32, u32, u32);

/// Each edge of each triangle, sorted: the edges that triangles share are neighbours.
fn sorted_edges(triangles: &[[u32; 3]]) -> Vec<NumberedEdge> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in (0..).zip(triangles) {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            edges.push((a.min(b), a.max(b), 3 * triangle + k as u32));
        }
    }
    edges.sort_unstable();
    edges
}

/// For each triangle, a bit for each edge on which it and one neighbour have the same normals: there is no crease.
fn smooth_edges(edges: &[NumberedEdge], triangles: &[[u32; 3]], normals: &[[Vec3; 3]]) -> Vec<u8> {
    let mut smooth = vec![0; triangles.len()];
    let normals_of = |edge: u32| {
        let (triangle, k) = (edge as usize / 3, edge as usize % 3);
        [k, (k + 1) % 3].map(|k| normals[triangle][k])
    };
    for shared in edges.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        let [(.., one), (.., other)] = *shared else {
            continue;
        };
        let (mut of_one, of_other) = (normals_of(one), normals_of(other));
        let start = |edge: u32| triangles[edge as usize / 3][edge as usize % 3];
        if start(one) != start(other) {
            of_one.reverse();
        }
        let are_same = |k: usize| of_one[k].distance_squared(of_other[k]) < SAME_NORMAL;
        if are_same(0) && are_same(1) {
            for edge in [one, other] {
                smooth[edge as usize / 3] |= 1 << (edge % 3);
            }
        }
    }
    smooth
}
