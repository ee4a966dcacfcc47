// SPDX-License-Identifier: Apache-2.0
//! What README.md and docs/start/rust.md show; a test compares.
use aioli::signature::{Signer, Verifier};
use aioli::typed::{Mayo1, SigningKey};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = SigningKey::<Mayo1>::generate()?;
    let signature = key.try_sign(b"pass the salt")?;
    key.verifying_key().verify(b"pass the salt", &signature)?;
    if key.verifying_key().verify(b"pass the sugar", &signature).is_err() {
        println!("refused");
    }
    Ok(())
}
