// SPDX-License-Identifier: Apache-2.0
//! Key files through the traits of pkcs8.
#![cfg(feature = "pkcs8")]
use aioli::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use aioli::typed::{self, Mayo1, Mayo2};
use aioli::{Algorithm, Error, SigningKey, VerifyingKey};

#[test]
fn every_set_round_trips() {
    for algorithm in Algorithm::all() {
        let key = SigningKey::generate(algorithm).unwrap();
        let file = key.to_pkcs8_der().unwrap();
        assert_eq!(SigningKey::from_pkcs8_der(file.as_bytes()).unwrap(), key);
        let file = key.verifying_key().to_public_key_der().unwrap();
        assert_eq!(VerifyingKey::from_public_key_der(file.as_bytes()).unwrap(), *key.verifying_key());
        assert_eq!(VerifyingKey::from_key_file(file.as_bytes()).unwrap(), *key.verifying_key());
        assert_eq!(SigningKey::from_key_file(file.as_bytes()), Err(Error::Format));
        assert_eq!(VerifyingKey::from_key_file(&file.as_bytes()[1..]), Err(Error::Format));
        assert!(!aioli::object_identifier(algorithm).is_empty());
    }
}

#[test]
fn a_typed_key_is_of_its_set() {
    let key = typed::SigningKey::<Mayo1>::generate().unwrap();
    let secret = key.to_pkcs8_der().unwrap();
    let public = key.verifying_key().to_public_key_der().unwrap();
    assert_eq!(typed::SigningKey::<Mayo1>::from_pkcs8_der(secret.as_bytes()).unwrap(), key);
    assert_eq!(typed::VerifyingKey::<Mayo1>::from_public_key_der(public.as_bytes()).unwrap(), *key.verifying_key());
    assert!(typed::SigningKey::<Mayo2>::from_pkcs8_der(secret.as_bytes()).is_err());
    assert_eq!(typed::SigningKey::<Mayo2>::from_key_file(secret.as_bytes()), Err(Error::Algorithm));
    assert!(typed::VerifyingKey::<Mayo2>::from_public_key_der(public.as_bytes()).is_err());
}

#[cfg(feature = "pem")]
#[test]
fn der_is_not_pem() {
    let key = typed::SigningKey::<Mayo1>::generate().unwrap();
    let pem = key.to_pkcs8_pem(aioli::pkcs8::LineEnding::LF).unwrap();
    assert_eq!(SigningKey::from_pkcs8_pem(&pem).unwrap(), SigningKey::from(&key));
    assert!(SigningKey::from_pkcs8_der(pem.as_bytes()).is_err());
    assert!(typed::SigningKey::<Mayo1>::from_pkcs8_der(pem.as_bytes()).is_err());
    assert_eq!(SigningKey::from_key_file(pem.as_bytes()).unwrap(), SigningKey::from(&key));
}

#[cfg(all(feature = "pem", feature = "encryption"))]
#[test]
fn under_a_passphrase() {
    let key = typed::SigningKey::<Mayo1>::generate().unwrap();
    let pem = key.to_pkcs8_encrypted_pem(b"passphrase", aioli::pkcs8::LineEnding::LF).unwrap();
    assert_eq!(typed::SigningKey::<Mayo1>::from_pkcs8_encrypted_pem(&pem, b"passphrase").unwrap(), key);
    assert!(typed::SigningKey::<Mayo1>::from_pkcs8_encrypted_pem(&pem, b"another").is_err());
    assert_eq!(SigningKey::from_key_file(pem.as_bytes()), Err(Error::Encrypted));
}
