// SPDX-License-Identifier: Apache-2.0
//! Calls of the C interface with slices for pointers and lengths.  The library checks every length, and writes no more than the
//! given one; so each of these is safe.

use core::ptr::{null, null_mut};

use aioli_sys as sys;

use crate::algorithm::Algorithm;
use crate::error::{Error, check};

/// Calls `f` with an environment that has this workspace, or with NULL: then the library allocates.
fn with_env(workspace: Option<&mut [u8]>, f: impl FnOnce(*const sys::aioli_env) -> sys::aioli_status) -> Result<(), Error> {
    check(match workspace {
        None => f(null()),
        Some(memory) => f(&sys::aioli_env {
            rng: None,
            rng_context: null_mut(),
            workspace: memory.as_mut_ptr().cast(),
            workspace_bytes: memory.len(),
        }),
    })
}

/// Keys from a seed, which may be the beginning of `sk` already.
pub fn keypair(alg: Algorithm, pk: &mut [u8], sk: &mut [u8], workspace: Option<&mut [u8]>) -> Result<(), Error> {
    // SAFETY: the seed is the beginning of sk, which the call allows.
    with_env(workspace, |env| unsafe {
        let (sk, n) = (sk.as_mut_ptr(), sk.len());
        sys::aioli_keypair_from_seed(alg.raw(), pk.as_mut_ptr(), pk.len(), sk, n, sk, alg.seed_bytes().min(n), env)
    })
}

/// With R of the caller's.
pub fn sign(alg: Algorithm, sig: &mut [u8], msg: &[u8], sk: &[u8], r: &[u8], workspace: Option<&mut [u8]>) -> Result<(), Error> {
    // SAFETY: slices and their lengths; so below.
    with_env(workspace, |env| unsafe {
        sys::aioli_sign_with_randomness(
            alg.raw(),
            sig.as_mut_ptr(),
            sig.len(),
            msg.as_ptr(),
            msg.len(),
            sk.as_ptr(),
            sk.len(),
            r.as_ptr(),
            r.len(),
            env,
        )
    })
}

/// With R from the operating system.
pub fn sign_hedged(alg: Algorithm, sig: &mut [u8], msg: &[u8], sk: &[u8]) -> Result<(), Error> {
    with_env(None, |env| unsafe {
        sys::aioli_sign(alg.raw(), sig.as_mut_ptr(), sig.len(), msg.as_ptr(), msg.len(), sk.as_ptr(), sk.len(), env)
    })
}

pub fn verify(alg: Algorithm, sig: &[u8], msg: &[u8], pk: &[u8], workspace: Option<&mut [u8]>) -> Result<(), Error> {
    with_env(workspace, |env| unsafe {
        sys::aioli_verify(alg.raw(), sig.as_ptr(), sig.len(), msg.as_ptr(), msg.len(), pk.as_ptr(), pk.len(), env)
    })
}

pub fn system_randomness(out: &mut [u8]) -> Result<(), Error> {
    // SAFETY: the context is not used.
    let failed = unsafe { sys::aioli_rng_system(null_mut(), out.as_mut_ptr(), out.len()) };
    if failed == 0 { Ok(()) } else { Err(Error::Rng) }
}
