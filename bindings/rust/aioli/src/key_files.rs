// SPDX-License-Identifier: Apache-2.0
//! Key files through the traits of pkcs8 and spki.  The library writes and reads them (`aioli/keyfile.h`): it reads every form in
//! the wild, and checks what a file has besides the seed.

use alloc::vec;
use alloc::vec::Vec;
use core::ffi::CStr;
use core::ptr::{null, null_mut};

use aioli_sys as sys;
use pkcs8::{DecodePrivateKey, DecodePublicKey, Document, EncodePrivateKey, EncodePublicKey, SecretDocument, spki};
use zeroize::Zeroizing;

use crate::algorithm::Algorithm;
use crate::error::{Error, check};
use crate::named::{SigningKey, VerifyingKey};
use crate::typed::{self, ParameterSet};

fn encode(algorithm: Algorithm, kind: sys::aioli_key_kind, key: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    // SAFETY: slices and their lengths; so below.
    let room = unsafe { sys::aioli_key_encoded_bytes_max(algorithm.raw(), kind, sys::AIOLI_KEY_DER) };
    let mut out = Zeroizing::new(vec![0; room]);
    let mut written = 0;
    check(unsafe {
        sys::aioli_key_encode(
            algorithm.raw(),
            kind,
            sys::AIOLI_KEY_DER,
            out.as_mut_ptr(),
            out.len(),
            &raw mut written,
            key.as_ptr(),
            key.len(),
            null(),
        )
    })?;
    out.truncate(written);
    Ok(out)
}

/// The raw key in a file, which must be of this kind.
fn decode(file: &[u8], kind: sys::aioli_key_kind) -> Result<(Algorithm, Zeroizing<Vec<u8>>), Error> {
    let mut key = Zeroizing::new(vec![0; file.len()]);
    let (mut alg, mut found, mut bytes) = (null(), kind, 0);
    check(unsafe {
        sys::aioli_key_decode(
            file.as_ptr(),
            file.len(),
            &raw mut alg,
            &raw mut found,
            key.as_mut_ptr(),
            key.len(),
            &raw mut bytes,
            null(),
            null_mut(),
        )
    })?;
    if found != kind {
        return Err(Error::Format);
    }
    key.truncate(bytes);
    Ok((Algorithm::of(alg).ok_or(Error::Oid)?, key))
}

// The errors of pkcs8 have no more than this to say; `from_key_file` says it exactly.
fn spki_error(_: Error) -> spki::Error {
    spki::Error::KeyMalformed
}

/// DER begins with a SEQUENCE; the library by itself would also read PEM.
fn only_der(file: &[u8]) -> Result<&[u8], Error> {
    if file.first() == Some(&0x30) { Ok(file) } else { Err(Error::Format) }
}

fn pkcs8_error(_: Error) -> pkcs8::Error {
    pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid)
}

impl SigningKey {
    /// Reads a PKCS#8 key file, PEM or DER, and says exactly what is wrong with it.  The traits of pkcs8 know only "malformed".
    pub fn from_key_file(file: &[u8]) -> Result<Self, Error> {
        let (algorithm, key) = decode(file, sys::AIOLI_KEY_SECRET)?;
        // The rest of an expanded key was compared with the seed.
        Self::from_seed(algorithm, &key[..algorithm.seed_bytes()])
    }
}

impl VerifyingKey {
    /// Reads a public key file, PEM or DER, and says exactly what is wrong with it.
    pub fn from_key_file(file: &[u8]) -> Result<Self, Error> {
        let (algorithm, key) = decode(file, sys::AIOLI_KEY_PUBLIC)?;
        Self::from_bytes(algorithm, &key)
    }
}

// Not by way of PrivateKeyInfoRef and SubjectPublicKeyInfoRef: their object identifiers have no room for numbers of 128 bits,
// which our own identifiers contain.
impl DecodePrivateKey for SigningKey {
    fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, pkcs8::Error> {
        only_der(bytes).and_then(Self::from_key_file).map_err(pkcs8_error)
    }
}

impl DecodePublicKey for VerifyingKey {
    fn from_public_key_der(bytes: &[u8]) -> Result<Self, spki::Error> {
        only_der(bytes).and_then(Self::from_key_file).map_err(spki_error)
    }
}

impl EncodePrivateKey for SigningKey {
    fn to_pkcs8_der(&self) -> Result<SecretDocument, pkcs8::Error> {
        let der = encode(self.algorithm(), sys::AIOLI_KEY_SECRET, self.as_secret_key()).map_err(pkcs8_error)?;
        Ok(SecretDocument::try_from(der.as_slice())?)
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> Result<Document, spki::Error> {
        let der = encode(self.algorithm(), sys::AIOLI_KEY_PUBLIC, self.as_ref()).map_err(spki_error)?;
        Ok(Document::try_from(der.as_slice())?)
    }
}

impl<P: ParameterSet> typed::SigningKey<P> {
    /// Reads a PKCS#8 key file, PEM or DER; [`Error::Algorithm`] if it is of another set.
    pub fn from_key_file(file: &[u8]) -> Result<Self, Error> {
        let key = SigningKey::from_key_file(file)?;
        if key.algorithm() == P::algorithm() { Self::from_seed(key.as_seed()) } else { Err(Error::Algorithm) }
    }
}

impl<P: ParameterSet> DecodePrivateKey for typed::SigningKey<P> {
    fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, pkcs8::Error> {
        only_der(bytes).and_then(Self::from_key_file).map_err(pkcs8_error)
    }
}

impl<P: ParameterSet> typed::VerifyingKey<P> {
    /// Reads a public key file, PEM or DER; [`Error::Algorithm`] if it is of another set.
    pub fn from_key_file(file: &[u8]) -> Result<Self, Error> {
        Self::try_from(&VerifyingKey::from_key_file(file)?)
    }
}

impl<P: ParameterSet> DecodePublicKey for typed::VerifyingKey<P> {
    fn from_public_key_der(bytes: &[u8]) -> Result<Self, spki::Error> {
        only_der(bytes).and_then(Self::from_key_file).map_err(spki_error)
    }
}

impl<P: ParameterSet> EncodePrivateKey for typed::SigningKey<P> {
    fn to_pkcs8_der(&self) -> Result<SecretDocument, pkcs8::Error> {
        SigningKey::from(self).to_pkcs8_der()
    }
}

impl<P: ParameterSet> EncodePublicKey for typed::VerifyingKey<P> {
    fn to_public_key_der(&self) -> Result<Document, spki::Error> {
        VerifyingKey::from(self).to_public_key_der()
    }
}

/// The object identifier that is written for a set, in dotted decimal form.
pub fn object_identifier(algorithm: Algorithm) -> &'static str {
    // SAFETY: never NULL, a constant without overrides.
    unsafe { CStr::from_ptr(sys::aioli_key_oid(algorithm.raw(), null())) }.to_str().unwrap_or("")
}
