// SPDX-License-Identifier: Apache-2.0
//! Keys of a set that is known when the program runs: all of MAYO and UOV.  Here are expanded keys and messages in pieces, too.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ptr::{NonNull, null, null_mut};

use aioli_sys as sys;
use signature::rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::algorithm::Algorithm;
use crate::error::{Error, check};
use crate::raw;
use crate::typed::{self, ParameterSet};

/// A signature, of whichever set.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature(Box<[u8]>);

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Any length: only a key knows which one is right.
impl TryFrom<&[u8]> for Signature {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self(bytes.into()))
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Self {
        signature.0
    }
}

impl signature::SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({} bytes)", self.0.len())
    }
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    algorithm: Algorithm,
    bytes: Box<[u8]>,
}

impl VerifyingKey {
    /// A key from its bytes, as [`AsRef`] gives them.  [`Error::Length`] unless they have the set's exact length.
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != algorithm.public_key_bytes() {
            return Err(Error::Length);
        }
        Ok(Self { algorithm, bytes: bytes.into() })
    }

    /// Its set.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Expands the key once, for many verifications.
    pub fn expand(&self) -> Result<ExpandedVerifyingKey, Error> {
        let mut out = null_mut();
        // SAFETY: a slice and its length; on success `out` is an object of ours.
        check(unsafe { sys::aioli_verifier_new(&raw mut out, self.algorithm.raw(), self.bytes.as_ptr(), self.bytes.len()) })?;
        let object = NonNull::new(out).ok_or(Error::Memory)?;
        Ok(ExpandedVerifyingKey { object, algorithm: self.algorithm })
    }

    /// Verifies a message that came in pieces.
    pub fn verify_message(&self, message: Message, signature: &[u8]) -> Result<(), Error> {
        let mut hash = message.of(self.algorithm)?;
        let (pk, n) = (self.bytes.as_ptr(), self.bytes.len());
        // SAFETY: slices and their lengths.
        check(unsafe { sys::aioli_verify_final(&raw mut hash.hash, signature.as_ptr(), signature.len(), pk, n, null()) })
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({}, {:02x?}..)", self.algorithm, &self.bytes[..4])
    }
}

impl signature::Verifier<Signature> for VerifyingKey {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(raw::verify(self.algorithm, signature.as_ref(), msg, &self.bytes, None)?)
    }
}

impl<P: ParameterSet> From<&typed::VerifyingKey<P>> for VerifyingKey {
    fn from(key: &typed::VerifyingKey<P>) -> Self {
        Self { algorithm: P::algorithm(), bytes: key.as_ref().into() }
    }
}

/// A key of another set is [`Error::Algorithm`].
impl<P: ParameterSet> TryFrom<&VerifyingKey> for typed::VerifyingKey<P> {
    type Error = Error;
    fn try_from(key: &VerifyingKey) -> Result<Self, Error> {
        if key.algorithm == P::algorithm() { Self::from_bytes(&key.bytes) } else { Err(Error::Algorithm) }
    }
}

/// A secret key, together with its public key.  It is zeroed when it is dropped.
#[derive(Clone)]
pub struct SigningKey {
    sk: Zeroizing<Vec<u8>>,
    public: VerifyingKey,
}

impl SigningKey {
    /// A new key from the operating system's randomness.
    pub fn generate(algorithm: Algorithm) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(vec![0; algorithm.seed_bytes()]);
        raw::system_randomness(&mut seed)?;
        Self::from_seed(algorithm, &seed)
    }

    /// A new key from a generator of the caller's; [`Error::Rng`] if it fails or gives zeros alone.
    pub fn generate_from_rng<R: TryCryptoRng + ?Sized>(algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(vec![0; algorithm.seed_bytes()]);
        rng.try_fill_bytes(&mut seed).map_err(|_| Error::Rng)?;
        let zeros: subtle::Choice = seed.ct_eq(&vec![0; seed.len()]);
        if zeros.into() { Err(Error::Rng) } else { Self::from_seed(algorithm, &seed) }
    }

    /// The key of a seed.  Give no two sets the same seed.
    pub fn from_seed(algorithm: Algorithm, seed: &[u8]) -> Result<Self, Error> {
        if seed.len() != algorithm.seed_bytes() {
            return Err(Error::Length);
        }
        let mut sk = Zeroizing::new(vec![0; algorithm.secret_key_bytes()]);
        sk[..seed.len()].copy_from_slice(seed);
        let mut bytes = vec![0; algorithm.public_key_bytes()].into_boxed_slice();
        raw::keypair(algorithm, &mut bytes, &mut sk, None)?;
        Ok(Self { sk, public: VerifyingKey { algorithm, bytes } })
    }

    /// Its set.
    pub fn algorithm(&self) -> Algorithm {
        self.public.algorithm
    }

    /// The seed: keep it secret.
    pub fn as_seed(&self) -> &[u8] {
        &self.sk[..self.algorithm().seed_bytes()]
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.public
    }

    /// R = 0: the same message and key always give the same signature.  Weaker against fault attacks than `sign`.
    pub fn sign_deterministic(&self, msg: &[u8]) -> Result<Signature, Error> {
        self.sign_with(msg, &vec![0; self.algorithm().randomness_bytes()])
    }

    /// R given by the caller, [`Algorithm::randomness_bytes`] of it.
    pub fn sign_with(&self, msg: &[u8], r: &[u8]) -> Result<Signature, Error> {
        sign_by(self.algorithm(), |sig| raw::sign(self.algorithm(), sig, msg, &self.sk, r, None))
    }

    /// Signs a message that came in pieces, hedged.
    pub fn sign_message(&self, message: Message) -> Result<Signature, Error> {
        let mut hash = message.of(self.algorithm())?;
        sign_by(self.algorithm(), |sig| {
            let (sk, n) = (self.sk.as_ptr(), self.sk.len());
            // SAFETY: slices and their lengths.
            check(unsafe { sys::aioli_sign_final(&raw mut hash.hash, sig.as_mut_ptr(), sig.len(), sk, n, null()) })
        })
    }

    /// Expands the key once, for many signatures.
    pub fn expand(&self) -> Result<ExpandedSigningKey, Error> {
        let mut out = null_mut();
        // SAFETY: a slice and its length; on success `out` is an object of ours.
        check(unsafe { sys::aioli_signer_new(&raw mut out, self.algorithm().raw(), self.sk.as_ptr(), self.sk.len()) })?;
        let object = NonNull::new(out).ok_or(Error::Memory)?;
        Ok(ExpandedSigningKey { object, algorithm: self.algorithm() })
    }

    #[cfg(feature = "pkcs8")]
    pub(crate) fn as_secret_key(&self) -> &[u8] {
        &self.sk
    }
}

fn sign_by(algorithm: Algorithm, sign: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Signature, Error> {
    let mut signature = vec![0; algorithm.signature_bytes()].into_boxed_slice();
    sign(&mut signature)?;
    Ok(Signature(signature))
}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.public
    }
}

impl signature::KeypairRef for SigningKey {
    type VerifyingKey = VerifyingKey;
}

/// Hedged, with the operating system's randomness.
impl signature::Signer<Signature> for SigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, signature::Error> {
        Ok(sign_by(self.algorithm(), |sig| raw::sign_hedged(self.algorithm(), sig, msg, &self.sk))?)
    }
}

impl signature::RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, msg: &[u8]) -> Result<Signature, signature::Error> {
        let mut r = Zeroizing::new(vec![0; self.algorithm().randomness_bytes()]);
        rng.try_fill_bytes(&mut r).map_err(|_| Error::Rng)?;
        Ok(self.sign_with(msg, &r)?)
    }
}

/// In a time that does not depend on the keys.
impl PartialEq for SigningKey {
    fn eq(&self, other: &Self) -> bool {
        self.algorithm() == other.algorithm() && bool::from(self.sk.ct_eq(&other.sk))
    }
}
impl Eq for SigningKey {}
impl ZeroizeOnDrop for SigningKey {}

/// Shows the public key alone.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> From<&typed::SigningKey<P>> for SigningKey {
    fn from(key: &typed::SigningKey<P>) -> Self {
        // Of a typed key the secret key is the seed.
        Self { sk: Zeroizing::new(key.as_seed().to_vec()), public: VerifyingKey::from(key.verifying_key()) }
    }
}

/// A secret key made ready for many signatures; zeroed when it is dropped.  It takes 120 KB (MAYO-2) to 2.8 MB (UOV-V).
pub struct ExpandedSigningKey {
    object: NonNull<sys::aioli_signer>,
    algorithm: Algorithm,
}

// SAFETY: it does not change once it is made (aioli.h).
unsafe impl Send for ExpandedSigningKey {}
unsafe impl Sync for ExpandedSigningKey {}

impl ExpandedSigningKey {
    /// Its set.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Signs a message that came in pieces, hedged.
    pub fn sign_message(&self, message: Message) -> Result<Signature, Error> {
        let mut hash = message.of(self.algorithm())?;
        sign_by(self.algorithm(), |sig| {
            // SAFETY: a slice and its length.
            check(unsafe {
                sys::aioli_signer_sign_final(self.object.as_ptr(), &raw mut hash.hash, sig.as_mut_ptr(), sig.len(), null())
            })
        })
    }
}

/// Hedged, with the operating system's randomness.
impl signature::Signer<Signature> for ExpandedSigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, signature::Error> {
        Ok(sign_by(self.algorithm(), |sig| {
            // SAFETY: slices and their lengths.
            check(unsafe {
                sys::aioli_signer_sign(self.object.as_ptr(), sig.as_mut_ptr(), sig.len(), msg.as_ptr(), msg.len(), null())
            })
        })?)
    }
}

impl Drop for ExpandedSigningKey {
    fn drop(&mut self) {
        // SAFETY: of aioli_signer_new, freed once.
        unsafe { sys::aioli_signer_free(self.object.as_ptr()) }
    }
}
impl ZeroizeOnDrop for ExpandedSigningKey {}

impl fmt::Debug for ExpandedSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExpandedSigningKey({})", self.algorithm())
    }
}

/// A public key made ready for many verifications.  It takes 120 KB (MAYO-2) and more.
pub struct ExpandedVerifyingKey {
    object: NonNull<sys::aioli_verifier>,
    algorithm: Algorithm,
}

// SAFETY: it does not change once it is made (aioli.h).
unsafe impl Send for ExpandedVerifyingKey {}
unsafe impl Sync for ExpandedVerifyingKey {}

impl ExpandedVerifyingKey {
    /// Its set.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Verifies the bytes of a signature.
    pub fn verify_bytes(&self, msg: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (sig, n) = (signature.as_ptr(), signature.len());
        // SAFETY: slices and their lengths.
        check(unsafe { sys::aioli_verifier_verify(self.object.as_ptr(), sig, n, msg.as_ptr(), msg.len(), null()) })
    }

    /// Verifies a message that came in pieces.
    pub fn verify_message(&self, message: Message, signature: &[u8]) -> Result<(), Error> {
        let mut hash = message.of(self.algorithm())?;
        let (sig, n) = (signature.as_ptr(), signature.len());
        // SAFETY: a slice and its length.
        check(unsafe { sys::aioli_verifier_verify_final(self.object.as_ptr(), &raw mut hash.hash, sig, n, null()) })
    }
}

impl signature::Verifier<Signature> for ExpandedVerifyingKey {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(self.verify_bytes(msg, signature.as_ref())?)
    }
}

impl Drop for ExpandedVerifyingKey {
    fn drop(&mut self) {
        // SAFETY: of aioli_verifier_new, freed once.
        unsafe { sys::aioli_verifier_free(self.object.as_ptr()) }
    }
}

impl fmt::Debug for ExpandedVerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExpandedVerifyingKey({})", self.algorithm())
    }
}

/// A message that comes in pieces, of any size, in constant memory.
///
/// ```
/// use aioli::{Algorithm, Message, SigningKey};
/// let key = SigningKey::generate(Algorithm::by_name("MAYO-1")?)?;
/// let mut message = Message::new(key.algorithm())?;
/// message.update(b"first part, ");
/// message.update(b"second part");
/// let signature = key.sign_message(message.clone())?;
/// key.verifying_key().verify_message(message, signature.as_ref())?;
/// # Ok::<(), aioli::Error>(())
/// ```
#[derive(Clone)]
pub struct Message {
    hash: sys::aioli_hash,
    algorithm: Algorithm,
}

impl Message {
    /// An empty message, for a key of this set.
    pub fn new(algorithm: Algorithm) -> Result<Self, Error> {
        let mut message = Self { hash: sys::aioli_hash { opaque: [0; 32] }, algorithm };
        // SAFETY: the object is ours.
        check(unsafe { sys::aioli_hash_init(&raw mut message.hash, algorithm.raw()) })?;
        Ok(message)
    }

    /// Appends a piece.
    ///
    /// # Panics
    /// Never: an open message takes any piece.
    pub fn update(&mut self, piece: &[u8]) {
        // SAFETY: a slice and its length.
        check(unsafe { sys::aioli_hash_update(&raw mut self.hash, piece.as_ptr(), piece.len()) }).expect("the message is open");
    }

    /// This message, if it is for a key of this set.
    fn of(self, algorithm: Algorithm) -> Result<Self, Error> {
        if self.algorithm == algorithm { Ok(self) } else { Err(Error::Algorithm) }
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        self.hash.opaque.zeroize(); // the state of a short message tells it
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({})", self.algorithm)
    }
}
