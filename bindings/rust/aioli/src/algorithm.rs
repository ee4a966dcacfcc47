// SPDX-License-Identifier: Apache-2.0
use core::ffi::CStr;
use core::fmt;

use aioli_sys as sys;

use crate::error::{Error, check};

/// One parameter set, such as MAYO-1.
#[derive(Clone, Copy)]
pub struct Algorithm(&'static sys::aioli_alg);

// SAFETY: the object is a constant of the library.
unsafe impl Send for Algorithm {}
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// The set of this name: "MAYO-1", "UOV-Ip-pkc" and so on; case matters.  [`Error::Algorithm`] if this build has none.
    ///
    /// ```
    /// use aioli::Algorithm;
    /// assert_eq!(Algorithm::by_name("MAYO-2")?.signature_bytes(), 239);
    /// assert_eq!(Algorithm::by_name("MAYO-4"), Err(aioli::Error::Algorithm));
    /// # Ok::<(), aioli::Error>(())
    /// ```
    pub fn by_name(name: &str) -> Result<Self, Error> {
        // Names are shorter than this.
        let mut text = [0_u8; 64];
        let bytes = text.get_mut(..name.len()).ok_or(Error::Algorithm)?;
        bytes.copy_from_slice(name.as_bytes());
        let text = CStr::from_bytes_until_nul(&text).map_err(|_| Error::Algorithm)?;
        if text.count_bytes() != name.len() {
            return Err(Error::Algorithm);
        }
        // SAFETY: `text` ends with zero; the result is NULL or a constant.
        unsafe { sys::aioli_alg_by_name(text.as_ptr()).as_ref() }.map(Self).ok_or(Error::Algorithm)
    }

    /// All sets of this build.
    pub fn all() -> impl Iterator<Item = Self> {
        // SAFETY: the index is in range, so the result is a constant; were it not, it would be NULL and left out.
        (0..unsafe { sys::aioli_alg_count() }).filter_map(|i| unsafe { sys::aioli_alg_at(i).as_ref() }.map(Self))
    }

    pub(crate) fn of(alg: *const sys::aioli_alg) -> Option<Self> {
        // SAFETY: what the library returns is NULL or a constant.
        unsafe { alg.as_ref() }.map(Self)
    }

    pub(crate) fn raw(self) -> *const sys::aioli_alg {
        self.0
    }

    /// The name of this set.
    pub fn name(self) -> &'static str {
        // SAFETY: a constant of the library, ASCII.
        unsafe { CStr::from_ptr(sys::aioli_alg_name(self.0)) }.to_str().unwrap_or("")
    }

    /// The round of NIST's call: 3, 2 or 1.
    pub fn round(self) -> i32 {
        // SAFETY: self.0 is an algorithm; so in the functions below.
        unsafe { sys::aioli_alg_round(self.0) }
    }

    /// The NIST security category aimed at: 1, 3 or 5.
    pub fn category(self) -> i32 {
        unsafe { sys::aioli_alg_category(self.0) }
    }

    /// Length of a public key.
    pub fn public_key_bytes(self) -> usize {
        unsafe { sys::aioli_public_key_bytes(self.0) }
    }

    /// Length of a secret key.
    pub fn secret_key_bytes(self) -> usize {
        unsafe { sys::aioli_secret_key_bytes(self.0) }
    }

    /// Length of the seed that keys are made from.
    pub fn seed_bytes(self) -> usize {
        unsafe { sys::aioli_seed_bytes(self.0) }
    }

    /// Length of a signature.
    pub fn signature_bytes(self) -> usize {
        unsafe { sys::aioli_signature_bytes(self.0) }
    }

    /// Length of R, which is drawn for each signature.
    pub fn randomness_bytes(self) -> usize {
        unsafe { sys::aioli_randomness_bytes(self.0) }
    }

    /// Length of a message's digest.
    pub fn digest_bytes(self) -> usize {
        unsafe { sys::aioli_digest_bytes(self.0) }
    }

    /// Computes known answers of this set: [`Error::SelfTest`] if one is wrong.
    pub fn self_test(self) -> Result<(), Error> {
        // SAFETY: self.0 is an algorithm.
        check(unsafe { sys::aioli_selftest(self.0) })
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}
impl Eq for Algorithm {}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
