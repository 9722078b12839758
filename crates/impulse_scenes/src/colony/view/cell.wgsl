// All cells share one mesh: a capsule as long as the longest cell. Its halves are moved together here until it has the length
// of the cell, which comes in the last byte of the mesh tag, after the colour.

#import bevy_pbr::mesh_functions::{get_tag, get_world_from_local, mesh_normal_local_to_world}
#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::position_world_to_clip

/// Of the longest cell's cylinder, in metres.
@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> longest: vec4<f32>;

struct Vertex {
    @builtin(instance_index) instance: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

struct Seen {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) color: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> Seen {
    let tag = unpack4x8unorm(get_tag(in.instance));
    let inward = 0.5 * longest.x * (1.0 - tag.w);
    let local = in.position - vec3(0.0, sign(in.position.y) * inward, 0.0);
    let world = (get_world_from_local(in.instance) * vec4(local, 1.0)).xyz;
    var out: Seen;
    out.position = position_world_to_clip(world);
    out.world_position = world;
    out.normal = mesh_normal_local_to_world(in.normal, in.instance);
    out.color = pow(tag.xyz, vec3(2.2));
    return out;
}

@fragment
fn fragment(in: Seen) -> @location(0) vec4<f32> {
    let light = normalize(vec3(-0.5, 0.6, 1.0));
    let normal = normalize(in.normal);
    let eye = normalize(view.world_position - in.world_position);
    // Dark where the surface turns away, so that one sees where a cell ends and its neighbour begins.
    let rim = smoothstep(0.0, 0.6, dot(normal, eye));
    let lit = (0.40 + 0.75 * max(dot(normal, light), 0.0)) * mix(0.12, 1.0, rim);
    let gloss = 0.12 * pow(max(dot(normal, normalize(light + eye)), 0.0), 30.0);
    return vec4(lit * in.color + gloss, 1.0);
}
