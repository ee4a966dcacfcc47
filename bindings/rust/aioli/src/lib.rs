// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

mod algorithm;
mod error;
#[cfg(feature = "pkcs8")]
mod key_files;
#[cfg(feature = "alloc")]
mod named;
mod raw;
pub mod typed;

pub use algorithm::Algorithm;
pub use error::Error;
#[cfg(feature = "pkcs8")]
pub use key_files::object_identifier;
#[cfg(feature = "alloc")]
pub use named::{ExpandedSigningKey, ExpandedVerifyingKey, Message, Signature, SigningKey, VerifyingKey};
#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use signature;
