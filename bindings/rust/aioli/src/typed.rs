// SPDX-License-Identifier: Apache-2.0
//! Keys of a set that is known when the program is compiled: their lengths are constants, and they need no allocation.

use core::ffi::CStr;
use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering};

use aioli_sys as sys;
use signature::rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::raw;

mod sealed {
    /// Arrays of bytes.
    pub trait Bytes: Clone + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + 'static {
        const ZERO: Self;
    }
    impl<const N: usize> Bytes for [u8; N] {
        const ZERO: Self = [0; N];
    }
    pub trait Sealed: Clone + Send + Sync + 'static {}
}
use sealed::{Bytes, Sealed};

/// A parameter set: [`Mayo1`], [`Mayo2`], [`Mayo3`] or [`Mayo5`].
pub trait ParameterSet: Sealed {
    /// A public key.
    type PublicKey: Bytes;
    /// A secret key, which is the seed.
    type SecretKey: Bytes + Zeroize;
    /// A signature.
    type Signature: Bytes;
    /// R, which is drawn for each signature.
    type Randomness: Bytes + Zeroize;

    /// Working memory of [`SigningKey::from_seed_in`] for full speed.
    const KEYPAIR_WORKSPACE: usize;
    /// Working memory of [`SigningKey::sign_in`] for full speed.
    const SIGN_WORKSPACE: usize;
    /// Working memory of [`VerifyingKey::verify_in`] for full speed.
    const VERIFY_WORKSPACE: usize;

    /// The set.
    fn algorithm() -> Algorithm;
}

macro_rules! set {
    ($name:ident, $text:literal, $pk:ident, $sk:ident, $sig:ident, $keypair:ident, $sign:ident, $verify:ident) => {
        #[doc = concat!($text, " of round 3.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Sealed for $name {}
        impl ParameterSet for $name {
            type PublicKey = [u8; sys::$pk];
            type SecretKey = [u8; sys::$sk];
            type Signature = [u8; sys::$sig];
            type Randomness = [u8; sys::$sk]; // R has the length of the seed
            const KEYPAIR_WORKSPACE: usize = sys::$keypair;
            const SIGN_WORKSPACE: usize = sys::$sign;
            const VERIFY_WORKSPACE: usize = sys::$verify;

            fn algorithm() -> Algorithm {
                static FOUND: AtomicPtr<sys::aioli_alg> = AtomicPtr::new(core::ptr::null_mut());
                let found = Algorithm::of(FOUND.load(Ordering::Relaxed));
                found.unwrap_or_else(|| {
                    const NAME: &CStr = match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => panic!(),
                    };
                    // SAFETY: NAME ends with zero.
                    let alg = unsafe { sys::aioli_alg_by_name(NAME.as_ptr()) };
                    FOUND.store(alg.cast_mut(), Ordering::Relaxed);
                    Algorithm::of(alg).expect(concat!("libaioli was built without ", $text))
                })
            }
        }
    };
}
set!(
    Mayo1,
    "MAYO-1",
    AIOLI_MAYO_1_PUBLIC_KEY_BYTES,
    AIOLI_MAYO_1_SECRET_KEY_BYTES,
    AIOLI_MAYO_1_SIGNATURE_BYTES,
    AIOLI_MAYO_1_WORKSPACE_KEYPAIR_BYTES,
    AIOLI_MAYO_1_WORKSPACE_SIGN_BYTES,
    AIOLI_MAYO_1_WORKSPACE_VERIFY_BYTES
);
set!(
    Mayo2,
    "MAYO-2",
    AIOLI_MAYO_2_PUBLIC_KEY_BYTES,
    AIOLI_MAYO_2_SECRET_KEY_BYTES,
    AIOLI_MAYO_2_SIGNATURE_BYTES,
    AIOLI_MAYO_2_WORKSPACE_KEYPAIR_BYTES,
    AIOLI_MAYO_2_WORKSPACE_SIGN_BYTES,
    AIOLI_MAYO_2_WORKSPACE_VERIFY_BYTES
);
set!(
    Mayo3,
    "MAYO-3",
    AIOLI_MAYO_3_PUBLIC_KEY_BYTES,
    AIOLI_MAYO_3_SECRET_KEY_BYTES,
    AIOLI_MAYO_3_SIGNATURE_BYTES,
    AIOLI_MAYO_3_WORKSPACE_KEYPAIR_BYTES,
    AIOLI_MAYO_3_WORKSPACE_SIGN_BYTES,
    AIOLI_MAYO_3_WORKSPACE_VERIFY_BYTES
);
set!(
    Mayo5,
    "MAYO-5",
    AIOLI_MAYO_5_PUBLIC_KEY_BYTES,
    AIOLI_MAYO_5_SECRET_KEY_BYTES,
    AIOLI_MAYO_5_SIGNATURE_BYTES,
    AIOLI_MAYO_5_WORKSPACE_KEYPAIR_BYTES,
    AIOLI_MAYO_5_WORKSPACE_SIGN_BYTES,
    AIOLI_MAYO_5_WORKSPACE_VERIFY_BYTES
);

fn array<B: Bytes>(bytes: &[u8]) -> Result<B, Error> {
    let mut out = B::ZERO;
    if bytes.len() != out.as_ref().len() {
        return Err(Error::Length);
    }
    out.as_mut().copy_from_slice(bytes);
    Ok(out)
}

/// A signature.
#[derive(Clone)]
pub struct Signature<P: ParameterSet>(P::Signature);

impl<P: ParameterSet> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        array(bytes).map(Self)
    }
}

impl<P: ParameterSet> signature::SignatureEncoding for Signature<P> {
    type Repr = SignatureBytes<P>;
}

/// A signature's bytes.
#[derive(Clone)]
pub struct SignatureBytes<P: ParameterSet>(P::Signature);

impl<P: ParameterSet> AsRef<[u8]> for SignatureBytes<P> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<P: ParameterSet> From<Signature<P>> for SignatureBytes<P> {
    fn from(signature: Signature<P>) -> Self {
        Self(signature.0)
    }
}

impl<P: ParameterSet> PartialEq for Signature<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}
impl<P: ParameterSet> Eq for Signature<P> {}

impl<P: ParameterSet> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature<{}>({:02x?}..)", P::algorithm(), &self.as_ref()[..4])
    }
}

/// A public key.
#[derive(Clone)]
pub struct VerifyingKey<P: ParameterSet>(P::PublicKey);

impl<P: ParameterSet> VerifyingKey<P> {
    /// A key from its bytes, as [`AsRef`] gives them.  [`Error::Length`] unless they have the set's exact length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        array(bytes).map(Self)
    }

    /// Verifies with working memory of the caller's and no allocation.  [`ParameterSet::VERIFY_WORKSPACE`] bytes are enough for
    /// full speed; with less than the least ([`Error::Buffer`]) nothing is verified.
    pub fn verify_in(&self, msg: &[u8], signature: &Signature<P>, workspace: &mut [u8]) -> Result<(), Error> {
        raw::verify(P::algorithm(), signature.as_ref(), msg, self.as_ref(), Some(workspace))
    }
}

impl<P: ParameterSet> AsRef<[u8]> for VerifyingKey<P> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<P: ParameterSet> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}
impl<P: ParameterSet> Eq for VerifyingKey<P> {}

impl<P: ParameterSet> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey<{}>({:02x?}..)", P::algorithm(), &self.as_ref()[..4])
    }
}

impl<P: ParameterSet> signature::Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, msg: &[u8], signature: &Signature<P>) -> Result<(), signature::Error> {
        Ok(raw::verify(P::algorithm(), signature.as_ref(), msg, self.as_ref(), None)?)
    }
}

/// A secret key, together with its public key.  It is zeroed when it is dropped.  Moving it may leave a copy behind on the stack,
/// as with any value; box it where that matters.
pub struct SigningKey<P: ParameterSet> {
    sk: P::SecretKey,
    public: VerifyingKey<P>,
}

impl<P: ParameterSet> SigningKey<P> {
    /// A new key from the operating system's randomness.
    pub fn generate() -> Result<Self, Error> {
        Self::generate_by(raw::system_randomness)
    }

    /// A new key from a generator of the caller's; [`Error::Rng`] if it fails or gives zeros alone.
    pub fn generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Self::generate_by(|out| rng.try_fill_bytes(out).map_err(|_| Error::Rng))
    }

    fn generate_by(fill: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(P::SecretKey::ZERO);
        fill((*seed).as_mut())?;
        let zeros: subtle::Choice = (*seed).as_ref().ct_eq(P::SecretKey::ZERO.as_ref());
        if zeros.into() { Err(Error::Rng) } else { Self::build((*seed).as_ref(), None) }
    }

    /// The key of a seed, which of MAYO is the secret key.  Give no two sets the same seed.
    pub fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Self::build(seed, None)
    }

    /// The same with working memory of the caller's, [`ParameterSet::KEYPAIR_WORKSPACE`] bytes for full speed.
    pub fn from_seed_in(seed: &[u8], workspace: &mut [u8]) -> Result<Self, Error> {
        Self::build(seed, Some(workspace))
    }

    fn build(seed: &[u8], workspace: Option<&mut [u8]>) -> Result<Self, Error> {
        let mut key = Self { sk: array(seed)?, public: VerifyingKey(P::PublicKey::ZERO) };
        raw::keypair(P::algorithm(), key.public.0.as_mut(), key.sk.as_mut(), workspace)?;
        Ok(key)
    }

    /// The seed: keep it secret.
    pub fn as_seed(&self) -> &[u8] {
        self.sk.as_ref()
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.public
    }

    /// Signs with R and working memory of the caller's and no allocation; [`ParameterSet::SIGN_WORKSPACE`] bytes for full speed.
    /// R should be fresh randomness.  Zeros make the signature deterministic, which is weaker against faults.
    pub fn sign_in(&self, msg: &[u8], r: &P::Randomness, workspace: &mut [u8]) -> Result<Signature<P>, Error> {
        Self::sign_by(|sig| raw::sign(P::algorithm(), sig, msg, self.sk.as_ref(), r.as_ref(), Some(workspace)))
    }

    /// R = 0: the same message and key always give the same signature.  Weaker against fault attacks than `sign`.
    pub fn sign_deterministic(&self, msg: &[u8]) -> Result<Signature<P>, Error> {
        let zeros = P::Randomness::ZERO;
        Self::sign_by(|sig| raw::sign(P::algorithm(), sig, msg, self.sk.as_ref(), zeros.as_ref(), None))
    }

    fn sign_by(sign: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<Signature<P>, Error> {
        let mut signature: Signature<P> = Signature(P::Signature::ZERO);
        sign(signature.0.as_mut())?;
        Ok(signature)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.public
    }
}

impl<P: ParameterSet> signature::KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

/// Hedged, with the operating system's randomness.
impl<P: ParameterSet> signature::Signer<Signature<P>> for SigningKey<P> {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature<P>, signature::Error> {
        Ok(Self::sign_by(|sig| raw::sign_hedged(P::algorithm(), sig, msg, self.sk.as_ref()))?)
    }
}

impl<P: ParameterSet> signature::RandomizedSigner<Signature<P>> for SigningKey<P> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, msg: &[u8]) -> Result<Signature<P>, signature::Error> {
        let mut r = Zeroizing::new(P::Randomness::ZERO);
        rng.try_fill_bytes((*r).as_mut()).map_err(|_| Error::Rng)?;
        let signature = Self::sign_by(|sig| raw::sign(P::algorithm(), sig, msg, self.sk.as_ref(), (*r).as_ref(), None));
        Ok(signature?)
    }
}

/// In a time that does not depend on the keys.
impl<P: ParameterSet> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.sk.as_ref().ct_eq(other.sk.as_ref()).into()
    }
}
impl<P: ParameterSet> Eq for SigningKey<P> {}

impl<P: ParameterSet> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        Self { sk: self.sk.clone(), public: self.public.clone() }
    }
}

impl<P: ParameterSet> Drop for SigningKey<P> {
    fn drop(&mut self) {
        self.sk.zeroize();
    }
}
impl<P: ParameterSet> ZeroizeOnDrop for SigningKey<P> {}

/// Shows the public key alone.
impl<P: ParameterSet> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}
