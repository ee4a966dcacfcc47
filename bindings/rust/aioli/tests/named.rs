// SPDX-License-Identifier: Apache-2.0
//! Keys by name, of every set of the build.
#![cfg(feature = "alloc")]
use aioli::signature::{RandomizedSigner, Signer, Verifier};
use aioli::typed::{self, Mayo2};
use aioli::{Algorithm, Error, Message, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;

#[test]
fn named_keys_of_every_set() {
    for algorithm in Algorithm::all() {
        assert_eq!(Algorithm::by_name(algorithm.name()), Ok(algorithm));
        algorithm.self_test().unwrap();
        let key = SigningKey::generate(algorithm).unwrap();
        let public = VerifyingKey::from_bytes(algorithm, key.verifying_key().as_ref()).unwrap();
        let signer = key.expand().unwrap();
        let verifier = public.expand().unwrap();
        assert_eq!((signer.algorithm(), verifier.algorithm()), (algorithm, algorithm));
        let mut message = Message::new(algorithm).unwrap();
        message.update(b"mes");
        message.update(b"sage");
        for signature in [
            key.sign(b"message"),
            signer.sign(b"message"),
            key.sign_message(message.clone()).unwrap(),
            signer.sign_message(message.clone()).unwrap(),
            key.try_sign_with_rng(&mut SysRng, b"message").unwrap(),
        ] {
            public.verify(b"message", &signature).unwrap();
            verifier.verify(b"message", &signature).unwrap();
            public.verify_message(message.clone(), signature.as_ref()).unwrap();
            verifier.verify_message(message.clone(), signature.as_ref()).unwrap();
            assert!(public.verify(b"massage", &signature).is_err());
            assert_eq!(verifier.verify_bytes(b"massage", signature.as_ref()), Err(Error::Signature));
            assert_eq!(verifier.verify_bytes(b"message", &signature.as_ref()[1..]), Err(Error::Length));
        }
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let one = Algorithm::by_name("MAYO-1").unwrap();
    let two = Algorithm::by_name("MAYO-2").unwrap();
    for name in ["", "mayo-1", "MAYO-1\0", "MAYO-1\0x", &"M".repeat(64)] {
        assert_eq!(Algorithm::by_name(name), Err(Error::Algorithm), "{name:?}");
    }
    assert_eq!(SigningKey::from_seed(one, &[1; 23]), Err(Error::Length));
    assert_eq!(VerifyingKey::from_bytes(one, &[1; 1455]), Err(Error::Length));
    let key = SigningKey::from_seed(one, &[1; 24]).unwrap();
    assert_eq!(key.sign_with(b"m", &[0; 23]), Err(Error::Length));
    assert_eq!(key.sign_message(Message::new(two).unwrap()), Err(Error::Algorithm));
    let short = Signature::try_from(&[0_u8; 3][..]).unwrap();
    assert!(key.verifying_key().verify(b"m", &short).is_err());
    let typed = typed::VerifyingKey::<Mayo2>::try_from(key.verifying_key());
    assert_eq!(typed, Err(Error::Algorithm));
}

#[test]
fn debug_shows_no_secret() {
    let seed: Vec<u8> = (100..124).collect();
    let key = SigningKey::from_seed(Algorithm::by_name("MAYO-1").unwrap(), &seed).unwrap();
    for text in [format!("{key:?}"), format!("{:?}", key.expand().unwrap())] {
        assert!(text.contains("MAYO-1"), "{text}");
        assert!(!text.contains("64, 65") && !text.contains("6465") && !text.contains("100, 101"), "{text}");
    }
}
