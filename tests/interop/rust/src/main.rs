// SPDX-License-Identifier: Apache-2.0
//! usage: aioli-interop pq-mayo|uov-rs DIR: the part of a Rust crate in the comparison; exchange.cpp says what lies in DIR.
//! Prints a line for each check: set, check, pass or fail, what failed.
use std::convert::Infallible;
use std::fmt::Display;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use pq_mayo::{KeyPair, MayoParameter, Signature, VerifyingKey};
use signature::{Signer, Verifier};
use x509_cert::der::{AnyRef, Decode, Encode};
use x509_cert::spki::AssociatedAlgorithmIdentifier;

/// The files of one set.
struct Exchange<'a> {
    dir: &'a str,
    set: &'a str,
}

impl Exchange<'_> {
    fn given(&self, suffix: &str) -> Vec<u8> {
        fs::read(format!("{}/{}.{suffix}", self.dir, self.set)).unwrap()
    }

    fn write(&self, suffix: &str, bytes: &[u8]) {
        fs::write(format!("{}/{}.{suffix}", self.dir, self.set), bytes).unwrap();
    }

    /// `attempt` says what is wrong; empty: nothing.  A panic is wrong, too.
    fn check(&self, what: &str, attempt: impl FnOnce() -> Result<String, String>) {
        let wrong = match catch_unwind(AssertUnwindSafe(attempt)) {
            Ok(Ok(text)) | Ok(Err(text)) => text,
            Err(_) => "a panic".into(),
        };
        let verdict = if wrong.is_empty() { "pass" } else { "fail" };
        println!("{}\t{what}\t{verdict}\t{}", self.set, wrong.replace(['\n', '\t'], " "));
    }

    /// Verification of our signature, and of changed ones.
    fn check_verification(&self, accepts: impl Fn(&[u8], &[u8]) -> bool) {
        let (message, sig) = (self.given("msg"), self.given("sig"));
        self.check("they verify", || expect(accepts(&message, &sig), "refused"));
        let changed = [
            ("another message", flipped(&message, 3), sig.clone()),
            ("another solution", message.clone(), flipped(&sig, 3)),
            ("another salt", message.clone(), flipped(&sig, sig.len() - 1)),
            ("a shorter one", message.clone(), sig[..sig.len() - 1].to_vec()),
            ("a longer one", message.clone(), [&sig[..], &[0]].concat()),
        ];
        self.check("they refuse", || {
            let wrong = changed.iter().filter_map(|(what, message, sig)| {
                match catch_unwind(AssertUnwindSafe(|| accepts(message, sig))) {
                    Ok(false) => None,
                    Ok(true) => Some(format!("accepts {what}")),
                    Err(_) => Some(format!("panics at {what}")),
                }
            });
            Ok(wrong.collect::<Vec<_>>().join("; "))
        });
    }
}

fn expect(condition: bool, otherwise: &str) -> Result<String, String> {
    Ok(if condition { String::new() } else { otherwise.into() })
}

fn text(error: impl Display) -> String {
    error.to_string()
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    copy[at] ^= 1;
    copy
}

/// Hands out given bytes once.
struct Tape(Vec<u8>);

impl Tape {
    fn take(&mut self, n: usize) -> Vec<u8> {
        assert!(n <= self.0.len(), "more randomness was drawn than there should be");
        self.0.drain(..n).collect()
    }
}

impl rand_core::TryRng for Tape {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("drawn by the word")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("drawn by the word")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.copy_from_slice(&self.take(out.len()));
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Tape {}

fn mayo<P>(x: &Exchange)
where
    P: MayoParameter + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    let (seed, message, pk) = (x.given("seed"), x.given("msg"), x.given("pk"));
    let Ok(same) = KeyPair::<P>::from_seed(&seed) else {
        return x.check("same pair", || Err("the seed has another length".into()));
    };
    x.check("same pair", || {
        expect(
            same.verifying_key().as_ref() == pk && same.signing_key().as_ref() == seed,
            &format!("another pair: a public key of {} bytes", same.verifying_key().as_ref().len()),
        )
    });
    x.check("same signature", || {
        let mut tape = Tape(x.given("R"));
        let sig = same.signing_key().sign_with_rng(&mut tape, &message).map_err(text)?;
        expect(sig.as_ref() == x.given("sig") && tape.0.is_empty(), "another signature from the same randomness")
    });
    x.check_verification(|message, sig| match (VerifyingKey::<P>::try_from(&pk[..]), Signature::<P>::try_from(sig)) {
        (Ok(key), Ok(sig)) => key.verify(message, &sig).is_ok(),
        _ => false,
    });
    x.check("our public file", || {
        let key = VerifyingKey::<P>::from_public_key_der(&x.given("pub")).map_err(text)?;
        expect(key.as_ref() == pk, "another key")
    });
    x.check("our secret file", || {
        let pair = KeyPair::<P>::from_pkcs8_der(&x.given("key")).map_err(text)?;
        expect(pair.signing_key().as_ref() == seed && pair.verifying_key().as_ref() == pk, "another key")
    });
    x.check("our certificate", || {
        let file = x509_cert::Certificate::from_der(&x.given("crt")).map_err(text)?;
        let body = file.tbs_certificate();
        let spki = body.subject_public_key_info().to_der().map_err(text)?;
        let key = VerifyingKey::<P>::from_public_key_der(&spki).map_err(text)?;
        let sig = Signature::<P>::try_from(file.signature().raw_bytes()).map_err(text)?;
        let signed = body.to_der().map_err(text)?;
        if key.verify(&flipped(&signed, signed.len() - 1), &sig).is_ok() {
            return Err("accepts a changed one".into());
        }
        key.verify(&signed, &sig).map_err(text)?;
        Ok(String::new())
    });

    x.write("same.pub", same.verifying_key().to_public_key_der().unwrap().as_bytes());
    x.write("same.key", same.to_pkcs8_der().unwrap().as_bytes());
    let mut fresh_seed = vec![0; seed.len()];
    getrandom::fill(&mut fresh_seed).unwrap();
    let fresh = KeyPair::<P>::from_seed(&fresh_seed).unwrap();
    let sig: Signature<P> = fresh.signing_key().try_sign(&message).unwrap();
    x.write("fresh.pk", fresh.verifying_key().as_ref());
    x.write("fresh.sk", fresh.signing_key().as_ref());
    x.write("fresh.sig", sig.as_ref());
    x.write("fresh.pub", fresh.verifying_key().to_public_key_der().unwrap().as_bytes());
    x.write("fresh.key", fresh.to_pkcs8_der().unwrap().as_bytes());
}

fn uov(x: &Exchange, name: &str) {
    let uov = uov_rs::uov_all().into_iter().find(|uov| uov.params.name == name).expect("a set of uov-rs");
    let (message, pk, sk) = (x.given("msg"), x.given("pk"), x.given("sk"));
    x.check("same pair", || {
        let mut tape = Tape(x.given("seed"));
        let (their_pk, their_sk) = uov.keygen(&mut |n| tape.take(n));
        expect(their_pk == pk && their_sk == sk && tape.0.is_empty(), "another pair from the same seed")
    });
    x.check("same signature", || {
        let mut tape = Tape(x.given("R"));
        let sig = uov.sign(&message, &sk, &mut |n| tape.take(n));
        expect(sig == x.given("sig") && tape.0.is_empty(), "another signature from the same randomness")
    });
    x.check_verification(|message, sig| uov.verify(sig, message, &pk));
    let mut random = |n| {
        let mut bytes = vec![0; n];
        getrandom::fill(&mut bytes).unwrap();
        bytes
    };
    let (fresh_pk, fresh_sk) = uov.keygen(&mut random);
    x.write("fresh.sig", &uov.sign(&message, &fresh_sk, &mut random));
    x.write("fresh.pk", &fresh_pk);
    x.write("fresh.sk", &fresh_sk);
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, peer, dir] = &arguments[..] else { panic!("usage: aioli-interop pq-mayo|uov-rs DIR") };
    std::panic::set_hook(Box::new(|_| {})); // each is reported by its check
    for line in fs::read_to_string(format!("{dir}/sets")).unwrap().lines() {
        let [set, name, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let x = Exchange { dir, set };
        match (peer.as_str(), name) {
            ("pq-mayo", "Mayo1") => mayo::<pq_mayo::Mayo1>(&x),
            ("pq-mayo", "Mayo2") => mayo::<pq_mayo::Mayo2>(&x),
            ("pq-mayo", "Mayo3") => mayo::<pq_mayo::Mayo3>(&x),
            ("pq-mayo", "Mayo5") => mayo::<pq_mayo::Mayo5>(&x),
            ("uov-rs", _) => uov(&x, name),
            _ => panic!("{peer} {name}"),
        }
    }
}
