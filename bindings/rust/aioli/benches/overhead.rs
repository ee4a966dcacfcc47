// SPDX-License-Identifier: Apache-2.0
//! What a call of this crate costs over the same call of the C interface: verification with an expanded key of MAYO-2, the
//! shortest operation there is.  Both are called in turn; printed are the medians and the median of the differences,
//! which must be below 100 ns.
use std::hint::black_box;
use std::time::Instant;

use aioli::signature::{Signer, Verifier};
use aioli::{Algorithm, SigningKey};

const CALLS: usize = 50;
const ROUNDS: usize = 2001;

fn nanoseconds(call: impl Fn()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    #[allow(clippy::cast_precision_loss)] // hours would be needed for that
    let total = start.elapsed().as_nanos() as f64;
    total / f64::from(u32::try_from(CALLS).expect("small"))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let key = SigningKey::generate(Algorithm::by_name("MAYO-2").expect("MAYO-2")).expect("randomness");
    let signature = key.sign(b"message");
    let bytes = signature.as_ref().to_vec();
    let verifier = key.verifying_key().expand().expect("memory");
    let pk = key.verifying_key().as_ref();
    let mut raw = std::ptr::null_mut();
    // SAFETY: slices and their lengths; the object lives until the program ends.
    let status = unsafe {
        let alg = aioli_sys::aioli_alg_by_name(c"MAYO-2".as_ptr());
        aioli_sys::aioli_verifier_new(&raw mut raw, alg, pk.as_ptr(), pk.len())
    };
    assert_eq!(status, aioli_sys::AIOLI_OK);

    let (mut rust, mut c, mut difference) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let ours = nanoseconds(|| verifier.verify(black_box(b"message"), black_box(&signature)).expect("valid"));
        let theirs = nanoseconds(|| {
            let (sig, n) = (black_box(&bytes).as_ptr(), bytes.len());
            let msg = black_box(b"message");
            // SAFETY: as above.
            let ok = unsafe { aioli_sys::aioli_verifier_verify(raw, sig, n, msg.as_ptr(), msg.len(), std::ptr::null()) };
            assert_eq!(ok, aioli_sys::AIOLI_OK);
        });
        rust.push(ours);
        c.push(theirs);
        difference.push(ours - theirs);
    }
    let cost = median(&mut difference);
    println!(
        "MAYO-2, verify, expanded key: C {:.0} ns, Rust {:.0} ns, the call costs {:.1} ns",
        median(&mut c),
        median(&mut rust),
        cost
    );
    assert!(cost < 100.0, "a call may cost 100 ns");
}
