// SPDX-License-Identifier: Apache-2.0
//! Round 2 beside the crate pq-mayo, which knows MAYO-1, MAYO-3 and MAYO-5 of that round (its MAYO-2 is of no round).
#![cfg(feature = "earlier-rounds")]
use aioli::signature::{Signer, Verifier};
use aioli::{Algorithm, Signature, SigningKey, VerifyingKey};

fn both_ways<P: pq_mayo::MayoParameter>(name: &str) {
    let algorithm = Algorithm::by_name(name).unwrap();
    for n in 0..8 {
        let ours = SigningKey::from_seed(algorithm, &vec![n + 1; algorithm.seed_bytes()]).unwrap();
        let theirs = pq_mayo::KeyPair::<P>::from_seed(ours.as_seed()).unwrap();
        assert_eq!(theirs.verifying_key().as_ref(), ours.verifying_key().as_ref());

        let signature = ours.sign(b"message");
        let at_peer = pq_mayo::Signature::<P>::try_from(signature.as_ref()).unwrap();
        theirs.verifying_key().verify(b"message", &at_peer).unwrap();
        assert!(theirs.verifying_key().verify(b"massage", &at_peer).is_err());

        let signature: pq_mayo::Signature<P> = theirs.signing_key().try_sign(b"message").unwrap();
        let here = Signature::try_from(signature.as_ref()).unwrap();
        ours.verifying_key().verify(b"message", &here).unwrap();
        assert!(ours.verifying_key().verify(b"massage", &here).is_err());
    }
}

#[test]
fn keys_and_signatures_are_the_same() {
    both_ways::<pq_mayo::Mayo1>("MAYO-1-r2");
    both_ways::<pq_mayo::Mayo3>("MAYO-3-r2");
    both_ways::<pq_mayo::Mayo5>("MAYO-5-r2");
}

#[cfg(feature = "pkcs8")]
#[test]
fn its_key_files_can_be_read() {
    use aioli::pkcs8::{EncodePrivateKey as _, EncodePublicKey as _};
    let theirs = pq_mayo::KeyPair::<pq_mayo::Mayo1>::from_seed(&[3; 24]).unwrap();
    let ours = SigningKey::from_seed(Algorithm::by_name("MAYO-1-r2").unwrap(), &[3; 24]).unwrap();
    let file = theirs.to_pkcs8_der().unwrap();
    assert_eq!(SigningKey::from_key_file(file.as_bytes()).unwrap(), ours);
    let file = theirs.verifying_key().to_public_key_der().unwrap();
    assert_eq!(VerifyingKey::from_key_file(file.as_bytes()).unwrap(), *ours.verifying_key());
}
