//! Multipoles of cells, and the Taylor expansions of their attraction, both to order 4: W. Dehnen, A Hierarchical O(N) Force
//! Calculation Algorithm, J. Comput. Phys. 179 (2002) 27, in Cartesian form.
//!
//! Let h(R) = 1/√(R² + ε²). Bodies at y from the centre of one cell attract a body at x from the centre of another cell. D is
//! the vector between the centres:
//!
//! a(x) = G·Σ m·∇h(D + x − y) ≈ G·Σ over n + k ≤ 4 of (x·∇)ⁿ⁻¹ (−y·∇)ᵏ ∇h(D)·m/((n−1)!·k!)
//!
//! Summed over y, the powers of y become the moments of the source: mass, zero (first moment about the centre of mass), second
//! and third moments. The coefficients of the powers of x are the expansion of the target.
//!
//! A symmetric tensor of rank n is stored as its (n+1)·(n+2)/2 components xx…x, xx…y, xx…z, …, zz…z. The components with n − r
//! times x begin at r·(r+1)/2.

use glam::{DVec3, Vec3};

use super::cell::TreeCell;

/// Largest number of children of a cell. They are the vector lanes of the walk.
pub(super) const SIBLINGS: usize = 8;

/// Tensors of rank 1 to 4, 3 + 6 + 10 + 15 components: the field, and its derivatives.
pub(super) const TERMS: usize = 34;

/// A field about a centre.
pub(super) type Expansion = [f32; TERMS];

/// Index at which the tensor of rank 2, 3 or 4 begins in an [`Expansion`].
const RANKS: [usize; 3] = [3, 9, 19];

/// The children of a cell, one a lane, with the expansions of the fields that attract them.
#[derive(Clone, Debug)]
pub(super) struct Siblings {
    /// Centres from the parent's centre, along each axis: the rounded value, and the rounding error.
    x: [[f32; SIBLINGS]; 3],
    x_low: [[f32; SIBLINGS]; 3],
    radius: [f32; SIBLINGS],
    body_radius: [f32; SIBLINGS],
    leaves: u32,
    expansion: [[f32; SIBLINGS]; TERMS],
}

impl Siblings {
    pub fn new(parent: &TreeCell, children: &[TreeCell]) -> Self {
        let none = [0.0; SIBLINGS];
        let mut siblings = Self {
            x: [none; 3],
            x_low: [none; 3],
            radius: none,
            body_radius: none,
            leaves: 0,
            expansion: [none; TERMS],
        };
        for (l, child) in children.iter().enumerate() {
            let (x, x_low) = split(child.center - parent.center);
            for k in 0..3 {
                siblings.x[k][l] = x[k];
                siblings.x_low[k][l] = x_low[k];
            }
            siblings.radius[l] = child.radius;
            siblings.body_radius[l] = child.body_radius;
            siblings.leaves |= u32::from(child.is_leaf()) << l;
        }
        siblings
    }

    /// The siblings without children or with a radius below `radius`: a bit a lane.
    #[inline(always)]
    pub fn smaller_or_leaf(&self, radius: f32) -> u32 {
        let mut lanes = self.leaves;
        for l in 0..SIBLINGS {
            lanes |= u32::from(self.radius[l] < radius) << l;
        }
        lanes
    }

    /// The field that attracts sibling `l`, from the field that attracts its parent.
    pub fn field(&self, l: usize, parent_field: &Expansion) -> Expansion {
        let x = Vec3::from(self.x.map(|lanes| lanes[l]));
        let mut field = shift(parent_field, x);
        for (sum, lanes) in field.iter_mut().zip(&self.expansion) {
            *sum += lanes[l];
        }
        field
    }

    /// Adds the attraction by a cell at `d` from the parent's centre to the siblings in `wanted` that are far enough from it
    /// for their size, and that no body of the cell can touch. Returns these siblings: a bit a lane.
    ///
    /// With u = D/√(D² + ε²) and h = 1/√(D² + ε²), the derivatives of h are
    ///
    /// ∂ᵢ = h²·uᵢ, ∂ᵢⱼ = h³·(3uᵢuⱼ − δᵢⱼ), ∂ᵢⱼₖ = h⁴·(15uᵢuⱼuₖ − 3·Σδᵢⱼuₖ),
    /// ∂ᵢⱼₖₗ = h⁵·(105uᵢuⱼuₖuₗ − 15·Σδᵢⱼuₖuₗ + 3·Σδᵢⱼδₖₗ),
    ///
    /// each sum over the different permutations of the indices. Here D points from the target to the source, which changes the
    /// sign of the odd derivatives.
    #[inline(always)]
    pub fn pull(
        &mut self,
        wanted: u32,
        source: &TreeCell,
        d: DVec3,
        opening_angle: f32,
        softening_squared: f32,
    ) -> u32 {
        let (d, d_low) = split(d);
        let mut dx = [0.0f32; SIBLINGS];
        let mut dy = [0.0f32; SIBLINGS];
        let mut dz = [0.0f32; SIBLINGS];
        let mut d2 = [0.0f32; SIBLINGS];
        let mut on = [0u32; SIBLINGS];
        for l in 0..SIBLINGS {
            // For neighbours in a large parent, the first difference is exact, and the second one corrects the rounding.
            dx[l] = (d.x - self.x[0][l]) + (d_low.x - self.x_low[0][l]);
            dy[l] = (d.y - self.x[1][l]) + (d_low.y - self.x_low[1][l]);
            dz[l] = (d.z - self.x[2][l]) + (d_low.z - self.x_low[2][l]);
            d2[l] = dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l];
            let radii = self.radius[l] + source.radius;
            let touch = radii + self.body_radius[l] + source.body_radius;
            let is_far = radii * radii < opening_angle * opening_angle * d2[l];
            let is_apart = touch * touch < d2[l];
            // No branch: a lane that is off gets h = 0.
            on[l] = wanted >> l & u32::from(is_far & is_apart);
        }
        let mut pulled = 0;
        for (l, lane) in on.iter().enumerate() {
            pulled |= lane << l;
        }
        if pulled == 0 {
            return 0;
        }
        let b = &source.moments;
        let [qxx, qxy, qxz, qyy, qyz, qzz] = b.second;
        let trace = qxx + qyy + qzz;
        let [oxxx, oxxy, oxxz, oxyy, oxyz, oxzz, oyyy, oyyz, oyzz, ozzz] = b.third;
        let (sx, sy, sz) = (oxxx + oxyy + oxzz, oxxy + oyyy + oyzz, oxxz + oyyz + ozzz);
        for l in 0..SIBLINGS {
            let s2 = d2[l] + softening_squared;
            let mask = 0u32.wrapping_sub(on[l]);
            let inverse = f32::from_bits((1.0 / s2.sqrt()).to_bits() & mask);
            let (ux, uy, uz) = (dx[l] * inverse, dy[l] * inverse, dz[l] * inverse);
            let h2 = inverse * inverse;
            let h3 = h2 * inverse;
            let h4 = h2 * h2;
            let h5 = h4 * inverse;
            let (xx, xy, xz, yy, yz, zz) = (ux * ux, ux * uy, ux * uz, uy * uy, uy * uz, uz * uz);
            let qx = qxx * ux + qxy * uy + qxz * uz;
            let qy = qxy * ux + qyy * uy + qyz * uz;
            let qz = qxz * ux + qyz * uy + qzz * uz;
            let uqu = ux * qx + uy * qy + uz * qz;
            let ox = oxxx * xx + oxyy * yy + oxzz * zz + 2.0 * (oxxy * xy + oxxz * xz + oxyz * yz);
            let oy = oxxy * xx + oyyy * yy + oyzz * zz + 2.0 * (oxyy * xy + oxyz * xz + oyyz * yz);
            let oz = oxxz * xx + oyyz * yy + ozzz * zz + 2.0 * (oxyz * xy + oxzz * xz + oyzz * yz);
            let ouuu = ux * ox + uy * oy + uz * oz;
            let su = sx * ux + sy * uy + sz * uz;
            let e = &mut self.expansion;

            let along =
                b.mass * h2 + h4 * (7.5 * uqu - 1.5 * trace) - h5 * (17.5 * ouuu - 7.5 * su);
            let (q1, o1, s1) = (-3.0 * h4, 7.5 * h5, -1.5 * h5);
            e[0][l] += along * ux + q1 * qx + o1 * ox + s1 * sx;
            e[1][l] += along * uy + q1 * qy + o1 * oy + s1 * sy;
            e[2][l] += along * uz + q1 * qz + o1 * oz + s1 * sz;

            let m3 = b.mass * h3;
            let uu = 3.0 * m3 + h5 * (52.5 * uqu - 7.5 * trace);
            let id = h5 * (1.5 * trace - 7.5 * uqu) - m3;
            let (uq, q2) = (-15.0 * h5, 3.0 * h5);
            let (wx, wy, wz) = (uq * qx, uq * qy, uq * qz);
            e[3][l] += uu * xx + 2.0 * ux * wx + q2 * qxx + id;
            e[4][l] += uu * xy + (ux * wy + uy * wx) + q2 * qxy;
            e[5][l] += uu * xz + (ux * wz + uz * wx) + q2 * qxz;
            e[6][l] += uu * yy + 2.0 * uy * wy + q2 * qyy + id;
            e[7][l] += uu * yz + (uy * wz + uz * wy) + q2 * qyz;
            e[8][l] += uu * zz + 2.0 * uz * wz + q2 * qzz + id;

            let m4 = b.mass * h4;
            let (m4_3, m4_15) = (3.0 * m4, 15.0 * m4);
            let (tx, ty, tz) = (m4_15 * xx - m4_3, m4_15 * yy - m4_3, m4_15 * zz - m4_3);
            e[9][l] += ux * (tx - 2.0 * m4_3);
            e[10][l] += uy * tx;
            e[11][l] += uz * tx;
            e[12][l] += ux * ty;
            e[13][l] += m4_15 * xy * uz;
            e[14][l] += ux * tz;
            e[15][l] += uy * (ty - 2.0 * m4_3);
            e[16][l] += uz * ty;
            e[17][l] += uy * tz;
            e[18][l] += uz * (tz - 2.0 * m4_3);

            let m5 = b.mass * h5;
            let (m5_3, m5_15, m5_105) = (3.0 * m5, 15.0 * m5, 105.0 * m5);
            let (fx, fy, fz) = (
                m5_105 * xx - m5_15,
                m5_105 * yy - m5_15,
                m5_105 * zz - m5_15,
            );
            let (gx, gy, gz) = (fx - 2.0 * m5_15, fy - 2.0 * m5_15, fz - 2.0 * m5_15);
            // xxxx xxxy xxxz xxyy xxyz xxzz xyyy xyyz xyzz xzzz yyyy yyyz yyzz yzzz zzzz
            e[19][l] += xx * (gx - 3.0 * m5_15) + 3.0 * m5_3;
            e[20][l] += xy * gx;
            e[21][l] += xz * gx;
            e[22][l] += yy * fx - m5_15 * xx + m5_3;
            e[23][l] += yz * fx;
            e[24][l] += zz * fx - m5_15 * xx + m5_3;
            e[25][l] += xy * gy;
            e[26][l] += xz * fy;
            e[27][l] += xy * fz;
            e[28][l] += xz * gz;
            e[29][l] += yy * (gy - 3.0 * m5_15) + 3.0 * m5_3;
            e[30][l] += yz * gy;
            e[31][l] += zz * fy - m5_15 * yy + m5_3;
            e[32][l] += yz * gz;
            e[33][l] += zz * (gz - 3.0 * m5_15) + 3.0 * m5_3;
        }
        pulled
    }
}

/// x in f32, and the rounding error.
#[inline(always)]
fn split(x: DVec3) -> (Vec3, Vec3) {
    let rounded = x.as_vec3();
    (rounded, (x - rounded.as_dvec3()).as_vec3())
}

/// The contraction T·x of a tensor. Its rank is one above the rank of the result; N is the number of components of the result.
fn contract<const N: usize>(tensor: &[f32], x: Vec3) -> [f32; N] {
    let mut out = [0.0; N];
    let (mut i, mut row) = (0, 0);
    while i < N {
        for _ in 0..=row {
            out[i] = tensor[i] * x.x + tensor[i + row + 1] * x.y + tensor[i + row + 2] * x.z;
            i += 1;
        }
        row += 1;
    }
    out
}

/// Acceleration at `x` from the expansion's centre.
pub(super) fn evaluate(e: &Expansion, x: Vec3) -> Vec3 {
    let mut third: [f32; 10] = contract(&e[RANKS[2]..], x);
    for (t, e) in third.iter_mut().zip(&e[RANKS[1]..]) {
        *t = e + *t * (1.0 / 3.0);
    }
    let mut second: [f32; 6] = contract(&third, x);
    for (t, e) in second.iter_mut().zip(&e[RANKS[0]..]) {
        *t = e + *t * 0.5;
    }
    let first: [f32; 3] = contract(&second, x);
    Vec3::new(e[0] + first[0], e[1] + first[1], e[2] + first[2])
}

/// The same field about a new centre at `x` from the old one.
fn shift(e: &Expansion, x: Vec3) -> Expansion {
    let mut shifted = *e;
    shifted[..3].copy_from_slice(&evaluate(e, x).to_array());
    let fourth: [f32; 10] = contract(&e[RANKS[2]..], x);
    let mut third = [0.0; 10];
    for i in 0..10 {
        third[i] = e[9 + i] + 0.5 * fourth[i];
        shifted[9 + i] += fourth[i];
    }
    let second: [f32; 6] = contract(&third, x);
    for (s, t) in shifted[3..9].iter_mut().zip(second) {
        *s += t;
    }
    shifted
}
