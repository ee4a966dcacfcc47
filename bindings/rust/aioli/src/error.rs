// SPDX-License-Identifier: Apache-2.0
use core::ffi::CStr;
use core::fmt;

use aioli_sys as sys;

macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $status:ident),* $(,)?) => {
        /// What a call of the library says when it did not succeed: its statuses but `AIOLI_OK`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Error {
            $($(#[$doc])* $name,)*
            /// A status that this crate does not know: the library is newer.
            Other(i32),
        }

        impl Error {
            pub(crate) fn of(status: sys::aioli_status) -> Self {
                match status {
                    $(sys::$status => Self::$name,)*
                    other => Self::Other(other),
                }
            }

            fn status(self) -> sys::aioli_status {
                match self {
                    $(Self::$name => sys::$status,)*
                    Self::Other(status) => status,
                }
            }
        }

        #[cfg(test)]
        const ALL: &[Error] = &[$(Error::$name),*];
    };
}

errors! {
    /// Well-formed, but not a signature of this message under this key.
    Signature = AIOLI_ERR_SIGNATURE,
    /// A value that is not allowed.
    Argument = AIOLI_ERR_ARGUMENT,
    /// A key, seed, signature or digest does not have its exact length.
    Length = AIOLI_ERR_LENGTH,
    /// A workspace or an output is too small.
    Buffer = AIOLI_ERR_BUFFER,
    /// The source of randomness failed, or gave a seed of zeros.
    Rng = AIOLI_ERR_RNG,
    /// Signing used up its 256 attempts, which does not happen to an honest caller.
    NoSolution = AIOLI_ERR_NO_SOLUTION,
    /// There is no memory.
    Memory = AIOLI_ERR_MEMORY,
    /// An unknown algorithm, or things of two algorithms in one call.
    Algorithm = AIOLI_ERR_ALGORITHM,
    /// The environment variable `AIOLI_BACKEND` names a backend that is unknown or that this processor cannot run.
    Backend = AIOLI_ERR_BACKEND,
    /// A hash object that is not open.
    State = AIOLI_ERR_STATE,
    /// A known answer came out wrong: do not use this library.
    SelfTest = AIOLI_ERR_SELFTEST,
    /// A key file is malformed.
    Format = AIOLI_ERR_FORMAT,
    /// A key file is well-formed but of an unknown algorithm.
    Oid = AIOLI_ERR_OID,
    /// The parts of a key file do not belong together: it was changed or damaged.
    Mismatch = AIOLI_ERR_MISMATCH,
    /// This build of the library leaves the operation out.
    Absent = AIOLI_ERR_ABSENT,
    /// There is no such device.
    NoDevice = AIOLI_ERR_NO_DEVICE,
    /// A device, or its driver, failed.
    Device = AIOLI_ERR_DEVICE,
    /// A key file is under a passphrase.
    Encrypted = AIOLI_ERR_ENCRYPTED,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: never NULL, a constant of the library, ASCII.
        let text = unsafe { CStr::from_ptr(sys::aioli_status_text(self.status())) };
        f.write_str(text.to_str().unwrap_or("?"))
    }
}

impl core::error::Error for Error {}

impl From<Error> for signature::Error {
    #[cfg(feature = "alloc")]
    fn from(error: Error) -> Self {
        Self::from_source(error)
    }
    #[cfg(not(feature = "alloc"))]
    fn from(_: Error) -> Self {
        Self::new()
    }
}

/// A status as a result.
pub(crate) fn check(status: sys::aioli_status) -> Result<(), Error> {
    if status == sys::AIOLI_OK { Ok(()) } else { Err(Error::of(status)) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn each_status_is_an_error_with_a_sentence_of_its_own() {
        let texts: std::collections::BTreeSet<_> = ALL.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), ALL.len());
        assert!(ALL.iter().all(|e| Error::of(e.status()) == *e));
        // The statuses of the header go down without a gap, so one that is missing here shows.
        assert_eq!(ALL.iter().map(|e| -e.status()).max(), i32::try_from(ALL.len()).ok());
        assert_eq!(Error::of(-99), Error::Other(-99));
    }
}
