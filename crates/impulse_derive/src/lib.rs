//! The derive macro of `bevy_impulse_collide`: use it from there.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result, Variant, parse_macro_input};

/// Layers that a mask of 32 bits holds.
const MAX_LAYERS: usize = 32;

/// Makes an enum the list of an app's collision layers. Each variant is a layer. The variant with `#[default]` is bit 0, or else
/// the first one; the other variants follow in their order.
///
/// The enum has at most 32 variants, and none has fields. Their discriminants play no part.
#[proc_macro_derive(PhysicsLayer)]
pub fn derive_physics_layer(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    physics_layer(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn physics_layer(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(layers) = &input.data else {
        let message = "`PhysicsLayer` can be derived for an enum only";
        return Err(Error::new_spanned(&input.ident, message));
    };
    if layers.variants.len() > MAX_LAYERS {
        let message = format!("there are at most {MAX_LAYERS} layers");
        return Err(Error::new_spanned(&input.ident, message));
    }
    let is_default = |variant: &&Variant| {
        let mut attributes = variant.attrs.iter();
        attributes.any(|attribute| attribute.path().is_ident("default"))
    };
    let default = layers.variants.iter().filter(is_default);
    let others = layers
        .variants
        .iter()
        .filter(|variant| !is_default(variant));
    let mut arms = Vec::new();
    for (bit, variant) in (0u32..).zip(default.chain(others)) {
        if !matches!(variant.fields, Fields::Unit) {
            let message = "a layer has no fields";
            return Err(Error::new_spanned(&variant.fields, message));
        }
        let name = &variant.ident;
        arms.push(quote!(Self::#name => 1 << #bit));
    }
    let name = &input.ident;
    let (generics, of_type, condition) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::bevy_impulse_collide::components::PhysicsLayer for #name #of_type #condition {
            fn to_bits(&self) -> u32 {
                match *self {
                    #(#arms,)*
                }
            }
        }
    })
}
