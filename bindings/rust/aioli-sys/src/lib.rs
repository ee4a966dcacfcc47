// SPDX-License-Identifier: Apache-2.0
//! The C interface of aioli: names, arguments and statuses are those of `aioli/aioli.h`, `aioli/keyfile.h` and
//! `aioli/research.h`, whose comments are its documentation.  Use the crate `aioli` unless you need this.
#![no_std]
#![allow(non_camel_case_types, non_snake_case, missing_docs, clippy::unreadable_literal)]

use core::ffi::{c_char, c_int, c_void};
use core::marker::{PhantomData, PhantomPinned};

/// Memory that only the library looks into.
macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
            _not_ours: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}
opaque!(aioli_alg, aioli_signer, aioli_verifier);

/// `aioli_rng_fn`: fills `out[0..n)` and returns 0; anything else is a failure.
pub type aioli_rng_fn = Option<unsafe extern "C" fn(context: *mut c_void, out: *mut u8, n: usize) -> c_int>;

/// Randomness and memory of a call.
#[repr(C)]
pub struct aioli_env {
    pub rng: aioli_rng_fn,
    pub rng_context: *mut c_void,
    pub workspace: *mut c_void,
    pub workspace_bytes: usize,
}

/// The state of a message that comes in pieces.
#[repr(C)]
#[derive(Clone)]
pub struct aioli_hash {
    pub opaque: [u64; 32],
}

/// An object identifier of the caller's.
#[repr(C)]
pub struct aioli_oid {
    pub algorithm: *const c_char,
    pub oid: *const c_char,
}

include!("bindings.rs");
