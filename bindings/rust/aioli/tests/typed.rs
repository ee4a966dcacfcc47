// SPDX-License-Identifier: Apache-2.0
//! Keys of sets that are known when the program is compiled; without the feature `alloc` as well.
use aioli::Error;
use aioli::signature::{Keypair, RandomizedSigner, Signer, Verifier};
use aioli::typed::{self, Mayo1, Mayo2, Mayo3, Mayo5, ParameterSet};
use getrandom::SysRng;

fn typed_round_trip<P: ParameterSet>() {
    let key = typed::SigningKey::<P>::generate().unwrap();
    let same = typed::SigningKey::<P>::from_seed(key.as_seed()).unwrap();
    assert_eq!(key, same);
    assert_eq!(Keypair::verifying_key(&key), *same.verifying_key());
    for signature in [
        key.sign(b"message"),
        key.sign_deterministic(b"message").unwrap(),
        key.try_sign_with_rng(&mut SysRng, b"message").unwrap(),
    ] {
        key.verifying_key().verify(b"message", &signature).unwrap();
        assert!(key.verifying_key().verify(b"massage", &signature).is_err());
        let mut bytes = signature.as_ref().to_vec();
        assert_eq!(typed::Signature::<P>::try_from(bytes.as_slice()), Ok(signature));
        bytes[3] ^= 1;
        let forged = typed::Signature::try_from(bytes.as_slice()).unwrap();
        assert!(key.verifying_key().verify(b"message", &forged).is_err());
        bytes.push(0);
        assert_eq!(typed::Signature::<P>::try_from(bytes.as_slice()), Err(Error::Length));
    }
    assert_eq!(key.sign_deterministic(b"m"), key.sign_deterministic(b"m"));
    assert_ne!(key.sign(b"m"), key.sign(b"m"));
}

#[test]
fn typed_keys() {
    typed_round_trip::<Mayo1>();
    typed_round_trip::<Mayo2>();
    typed_round_trip::<Mayo3>();
    typed_round_trip::<Mayo5>();
}

#[test]
fn without_allocation() {
    let mut workspace = vec![0; Mayo1::KEYPAIR_WORKSPACE.max(Mayo1::SIGN_WORKSPACE).max(Mayo1::VERIFY_WORKSPACE)];
    let key = typed::SigningKey::<Mayo1>::from_seed_in(&[5; 24], &mut workspace).unwrap();
    assert_eq!(key, typed::SigningKey::from_seed(&[5; 24]).unwrap());
    let signature = key.sign_in(b"m", &[0; 24], &mut workspace).unwrap();
    assert_eq!(signature, key.sign_deterministic(b"m").unwrap());
    key.verifying_key().verify_in(b"m", &signature, &mut workspace).unwrap();
    assert_eq!(key.verifying_key().verify_in(b"m", &signature, &mut workspace[..1000]), Err(Error::Buffer));
    assert_eq!(key.verifying_key().verify_in(b"n", &signature, &mut workspace), Err(Error::Signature));
}

struct Broken(Option<u8>);
impl aioli::signature::rand_core::TryRng for Broken {
    type Error = getrandom::Error;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unimplemented!()
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unimplemented!()
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(self.0.ok_or(getrandom::Error::UNSUPPORTED)?);
        Ok(())
    }
}
impl aioli::signature::rand_core::TryCryptoRng for Broken {}

#[test]
fn a_broken_generator_is_an_error() {
    for broken in [None, Some(0)] {
        assert_eq!(typed::SigningKey::<Mayo1>::generate_from_rng(&mut Broken(broken)), Err(Error::Rng));
    }
    let key = typed::SigningKey::<Mayo1>::from_seed(&[1; 24]).unwrap();
    assert!(key.try_sign_with_rng(&mut Broken(None), b"m").is_err());
    assert_eq!(key.try_sign_with_rng(&mut Broken(Some(0)), b"m").unwrap(), key.sign_deterministic(b"m").unwrap());
}

#[test]
fn debug_shows_no_secret() {
    let key = typed::SigningKey::<Mayo1>::from_seed(&(100..124).collect::<Vec<u8>>()).unwrap();
    let text = format!("{key:?}");
    assert!(text.contains("MAYO-1"), "{text}");
    assert!(!text.contains("64, 65") && !text.contains("6465") && !text.contains("100, 101"), "{text}");
}
