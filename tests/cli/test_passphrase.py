# SPDX-License-Identifier: Apache-2.0
"""Secret keys under a passphrase: our own, and those of others."""

import hashlib
import hmac
import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from asn1crypto import algos, core, keys
from conftest import AIOLI, FAILURE, Terminal, interrupted, pem_body
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

SEED = "5a" * 24
CHECK_ATTRIBUTE = "2.25.200908490181738360212580098351516106896"
PASSPHRASE = "correct horse ü"


@pytest.fixture
def work(cli):
    (cli.directory / "pass").write_text(PASSPHRASE + "\n")
    (cli.directory / "wrong").write_text("incorrect\n")
    (cli.directory / "m").write_bytes(b"m")
    cli("keygen", "--out", "plain", "--seed", SEED)
    return cli


def plain_der(work):
    return pem_body((work.directory / "plain.key").read_text())


def aes_cbc(key, iv):
    return Cipher(algorithms.AES(key), modes.CBC(iv))


def openssl(*arguments, **options):
    return subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=False, **options)


def test_round_trip(work):
    made = work("keygen", "--out", "k", "--seed", SEED, "--passphrase-file", "pass", "--json").json
    assert made["encrypted"] is True
    text = (work.directory / "k.key").read_text()
    assert text.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    assert (work.directory / "k.pub").read_bytes() == (work.directory / "plain.pub").read_bytes()
    work("sign", "--key", "k.key", "--passphrase-file", "pass", "m")
    work("verify", "--key", "plain.pub", "m")
    work("sign", "--key", "k.key", "--passphrase-env", "PW", "m", environment={"PW": PASSPHRASE})
    work("verify", "--key", "plain.pub", "m")
    with_key_on_stdin = (work.directory / "k.key").read_bytes()
    work("sign", "--key", "-", "--passphrase-file", "pass", "m", stdin=with_key_on_stdin)
    work("sign", "--key", "k.key", "--passphrase-file", "-", "m", stdin=PASSPHRASE.encode())


def test_der(work):
    work("keygen", "--out", "k", "--der", "--passphrase-file", "pass")
    assert (work.directory / "k.key").read_bytes()[0] == 0x30
    work("sign", "--key", "k.key", "--passphrase-file", "pass", "m")
    work("verify", "--key", "k.pub", "m")


@pytest.mark.parametrize("alg", ["UOV-V-r2", "UOV-III-pkc-skc"])
@pytest.mark.parametrize("form", [[], ["--der"]])
def test_long_keys(work, alg, form):
    """Expanded keys of UOV are megabytes long."""
    work("keygen", "--alg", alg, "--out", "k", *form, "--passphrase-file", "pass")
    work("sign", "--key", "k.key", "--passphrase-file", "pass", "m")
    work("verify", "--key", "k.pub", "m")
    secret = work("inspect", "k.key", "--passphrase-file", "pass", "--json").json
    assert secret["encrypted"] and secret["algorithm"] == alg and secret["key"] == work("inspect", "k.pub", "--json").json["key"]
    assert "wrong passphrase" in work("sign", "--key", "k.key", "--passphrase-file", "wrong", "m", status=FAILURE).err
    content = (work.directory / "k.key").read_bytes()
    (work.directory / "cut.key").write_bytes(content[: len(content) // 2])
    work("sign", "--key", "cut.key", "--passphrase-file", "pass", "m", status=FAILURE)


def test_envelope_opened_by_other_code(work):
    """Parsed by asn1crypto, key from hashlib's scrypt, AES of pyca/cryptography: inside is the key file without passphrase."""
    work("keygen", "--out", "k", "--seed", SEED, "--passphrase-file", "pass")
    envelope = keys.EncryptedPrivateKeyInfo.load(pem_body((work.directory / "k.key").read_text()), strict=True)
    assert envelope["encryption_algorithm"]["algorithm"].native == "pbes2"
    parameters = envelope["encryption_algorithm"]["parameters"]
    kdf = parameters["key_derivation_func"]
    assert kdf["algorithm"].dotted == "1.3.6.1.4.1.11591.4.11"
    salt, n, r, p = list(kdf["parameters"].native.values())[:4]
    assert len(salt) == 16 and n * r * 128 == 16 << 20 and p >= 5
    cipher = parameters["encryption_scheme"]
    assert cipher["algorithm"].native == "aes256_cbc"
    key = hashlib.scrypt(PASSPHRASE.encode(), salt=salt, n=n, r=r, p=p, maxmem=64 << 20, dklen=32)
    decryptor = aes_cbc(key, cipher["parameters"].native).decryptor()
    padded = decryptor.update(envelope["encrypted_data"].native) + decryptor.finalize()
    unpadder = padding.PKCS7(128).unpadder()
    der = unpadder.update(padded) + unpadder.finalize()
    opened = core.Sequence.load(der, strict=True)
    plain = core.Sequence.load(plain_der(work), strict=True)
    assert [opened[i].dump() for i in range(3)] == [plain[i].dump() for i in range(3)]
    # Behind them the check value, as docs/key-files.md has it.
    value = hmac.digest(bytes.fromhex(SEED), b"aioli key check\0MAYO-1", "sha256")
    attribute = core.ObjectIdentifier(CHECK_ATTRIBUTE).dump() + b"\x31\x22" + core.OctetString(value).dump()
    content = b"\x30" + bytes([len(attribute)]) + attribute
    assert len(opened) == 4 and der.endswith(b"\xa0" + bytes([len(content)]) + content)


def test_salt_and_ciphertext_are_fresh(work):
    files = set()
    for name in ("a", "b"):
        work("keygen", "--out", name, "--seed", SEED, "--passphrase-file", "pass")
        files.add((work.directory / f"{name}.key").read_bytes())
    assert len(files) == 2


@pytest.mark.parametrize("prf", ["sha1", "sha256"])
def test_envelope_made_by_other_code(work, prf):
    """PBKDF2, as `openssl pkcs8` has made it by default in its versions."""
    salt, iv = os.urandom(8), os.urandom(16)
    key = hashlib.pbkdf2_hmac(prf, PASSPHRASE.encode(), salt, 2048, 32)
    padder = padding.PKCS7(128).padder()
    encryptor = aes_cbc(key, iv).encryptor()
    data = encryptor.update(padder.update(plain_der(work)) + padder.finalize()) + encryptor.finalize()
    kdf = {"salt": algos.Pbkdf2Salt(name="specified", value=core.OctetString(salt)), "iteration_count": 2048}
    if prf != "sha1":
        kdf["prf"] = {"algorithm": prf}
    envelope = keys.EncryptedPrivateKeyInfo(
        {
            "encryption_algorithm": {
                "algorithm": "pbes2",
                "parameters": {
                    "key_derivation_func": {"algorithm": "pbkdf2", "parameters": kdf},
                    "encryption_scheme": {"algorithm": "aes256_cbc", "parameters": iv},
                },
            },
            "encrypted_data": data,
        }
    )
    (work.directory / "k.key").write_bytes(envelope.dump())
    work("sign", "--key", "k.key", "--passphrase-file", "pass", "m")
    work("verify", "--key", "plain.pub", "m")
    assert "wrong passphrase" in work("sign", "--key", "k.key", "--passphrase-file", "wrong", "m", status=FAILURE).err


@pytest.mark.parametrize(
    "form", [["-v2", "aes-256-cbc"], ["-scrypt"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"], ["-v1", "PBE-SHA1-3DES"]]
)
def test_envelopes_of_openssl_pkcs8_open(work, form):
    """openssl does not encrypt keys that it does not know, so this is one of another algorithm: opened, then refused as that."""
    assert openssl("genpkey", "-algorithm", "ed25519", "-out", "ed", cwd=work.directory).returncode == 0
    done = openssl("pkcs8", "-topk8", *form, "-in", "ed", "-out", "ed.key", "-passout", "file:pass", cwd=work.directory)
    assert done.returncode == 0, done.stderr
    assert "algorithm" in work("sign", "--key", "ed.key", "--passphrase-file", "pass", "m", status=FAILURE).err
    assert "wrong passphrase" in work("sign", "--key", "ed.key", "--passphrase-file", "wrong", "m", status=FAILURE).err


def test_every_change_of_an_encrypted_key_is_refused(work):
    """CBC alone would let bits of the first block be turned at will, those of the identifier among them."""
    work("keygen", "--alg", "MAYO-1-r2", "--out", "k", "--der", "--passphrase-file", "pass")
    der = (work.directory / "k.key").read_bytes()
    envelope = keys.EncryptedPrivateKeyInfo.load(der)
    iv = envelope["encryption_algorithm"]["parameters"]["encryption_scheme"]["parameters"].native
    at_iv, at_data = der.index(iv), len(der) - len(envelope["encrypted_data"].native)
    other = bytearray(der)
    # The first block: 30 len 02 01 00 30 09 06 07 2b ce 0f 08 01 03 ..: 1.3.9999.8.1.3 becomes 1.3.9999.8.2.3.
    turned = next(i for i in range(16) if i > 6 and i == 13)
    other[at_iv + turned] ^= 1 ^ 2
    (work.directory / "turned.key").write_bytes(other)
    error = work("sign", "--key", "turned.key", "--passphrase-file", "pass", "m", status=FAILURE).err
    assert "was changed after it was encrypted" in error, error
    for at in [*range(at_iv, at_iv + 16), *range(at_data, len(der), 3), len(der) - 1]:
        bad = bytearray(der)
        bad[at] ^= 0x10
        (work.directory / "bad.key").write_bytes(bad)
        work("pubkey", "--passphrase-file", "pass", "bad.key", status=FAILURE)
    assert work("inspect", "--json", "--passphrase-file", "pass", "k.key").json["checked"] is True


def test_set_change_and_remove_a_passphrase(work):
    (work.directory / "new").write_text("another\n")
    work("keygen", "--out", "k", "--seed", SEED)
    plain = (work.directory / "k.key").read_bytes()
    work("passphrase", "--new-passphrase-file", "pass", "k.key")
    assert (work.directory / "k.key").read_bytes().startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert (work.directory / "k.key").stat().st_mode & 0o777 == 0o600
    work("passphrase", "--passphrase-file", "pass", "--new-passphrase-file", "new", "k.key")
    assert "wrong passphrase" in work("sign", "--key", "k.key", "--passphrase-file", "pass", "m", status=FAILURE).err
    work("sign", "--key", "k.key", "--passphrase-file", "new", "m")
    before = (work.directory / "k.key").read_bytes()
    work("passphrase", "--remove", "--passphrase-file", "wrong", "k.key", status=FAILURE)
    assert (work.directory / "k.key").read_bytes() == before
    work("passphrase", "--remove", "--passphrase-file", "new", "--out", "other.key", "k.key")
    assert (work.directory / "k.key").read_bytes() == before
    assert (work.directory / "other.key").read_bytes() == plain
    work("passphrase", "--remove", "--new-passphrase-file", "new", "k.key", status=FAILURE)
    assert "public" in work("passphrase", "--remove", "k.pub", status=FAILURE).err


def test_iterations_have_a_bound(work):
    """A file must not keep a program busy for years."""
    salt, iv = os.urandom(8), os.urandom(16)
    pbkdf2 = {"salt": algos.Pbkdf2Salt(name="specified", value=core.OctetString(salt)), "iteration_count": 2**31 - 1}
    envelope = keys.EncryptedPrivateKeyInfo(
        {
            "encryption_algorithm": {
                "algorithm": "pbes2",
                "parameters": {
                    "key_derivation_func": {"algorithm": "pbkdf2", "parameters": pbkdf2},
                    "encryption_scheme": {"algorithm": "aes256_cbc", "parameters": iv},
                },
            },
            "encrypted_data": os.urandom(48),
        }
    )
    work("keygen", "--out", "k", "--der", "--passphrase-file", "pass")
    scrypt = (work.directory / "k.key").read_bytes()
    assert scrypt.count(bytes.fromhex("02024000020108020105")) == 1  # N = 16384, r = 8, p = 5
    scrypt = scrypt.replace(
        bytes.fromhex("02024000020108020105"), bytes.fromhex("0202400002010802017f")[:-6] + bytes.fromhex("02010a02017f")
    )
    for slow in (envelope.dump(), scrypt):
        (work.directory / "slow.key").write_bytes(slow)
        begin = time.monotonic()
        error = work("sign", "--key", "slow.key", "--passphrase-file", "pass", "m", status=FAILURE).err
        assert "iterations" in error or "N r p" in error, error
        assert time.monotonic() - begin < 10


def test_the_page_says_how_openssl_opens_ours(work):
    """The commands of docs/cli.md, as they stand there."""
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    recipe = page.split("<!-- opened by openssl -->")[1].split("```")[1].split("\n", 1)[1]
    work("keygen", "--out", "alice", "--seed", SEED, "--passphrase-file", "pass")
    done = subprocess.run(
        ["sh", "-eu", "-c", recipe],
        cwd=work.directory,
        capture_output=True,
        check=False,
        env={**os.environ, "PASSPHRASE": PASSPHRASE},
    )
    assert done.returncode == 0, done.stderr
    opened = core.Sequence.load((work.directory / "alice.der").read_bytes(), strict=True)
    assert opened[2].native.hex().endswith(SEED)


def test_the_page_says_how_a_key_gets_into_firmware(work):
    """The commands of docs/cortex-m4.md, as they stand there, but for who types the passphrase."""
    page = (Path(__file__).parents[2] / "docs" / "cortex-m4.md").read_text()
    commands = ("    aioli passphrase --remove", "    grep -v -- ----- plain.key")
    recipe = [line.strip() for line in page.splitlines() if line.startswith(commands)]
    assert len(recipe) == 2
    recipe[0] = recipe[0].replace("aioli passphrase", f"{AIOLI} passphrase --passphrase-file pass")
    work("keygen", "--alg", "MAYO-2", "--out", "id", "--seed", SEED, "--passphrase-file", "pass")
    done = subprocess.run(["sh", "-eu", "-c", "\n".join(recipe)], cwd=work.directory, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (work.directory / "secret.bin").read_bytes().hex() == SEED
    public = re.search(r"`(grep [^`]* id.pub [^`]*)`", page).group(1)
    done = subprocess.run(["sh", "-eu", "-c", public], cwd=work.directory, capture_output=True, check=True)
    assert len(done.stdout) == 2928 and (work.directory / "id.pub").exists()


def test_openssl_pkcs8_decrypts_ours_and_stops(work):
    """It cannot use the key inside, but it says so only after decryption."""
    work("keygen", "--out", "k", "--passphrase-file", "pass")
    good = openssl("pkcs8", "-in", "k.key", "-passin", "file:pass", cwd=work.directory)
    assert b"Error converting key" in good.stderr and b"Error decrypting" not in good.stderr, good.stderr
    bad = openssl("pkcs8", "-in", "k.key", "-passin", "file:wrong", cwd=work.directory)
    assert b"Error decrypting key" in bad.stderr, bad.stderr


def test_wrong_passphrase(work):
    work("keygen", "--out", "k", "--passphrase-file", "pass")
    for arguments in (["--passphrase-file", "wrong"], ["--passphrase-env", "PW"]):
        error = work("sign", "--key", "k.key", *arguments, "m", environment={"PW": PASSPHRASE[:-1]}, status=FAILURE).err
        assert "wrong passphrase" in error
    assert "m.sig" not in work.files()


def test_a_wrong_passphrase_never_passes(work):
    """About one in 256 gives correct padding; then the parser has to say no.  PBKDF2 with one round makes many tries cheap."""
    assert openssl("genpkey", "-algorithm", "ed25519", "-out", "ed", cwd=work.directory).returncode == 0
    done = openssl("pkcs8", "-topk8", "-iter", "1", "-in", "ed", "-out", "ed.key", "-passout", "file:pass", cwd=work.directory)
    assert done.returncode == 0
    for i in range(300):
        error = work("inspect", "ed.key", "--passphrase-env", "PW", environment={"PW": f"guess {i}"}, status=FAILURE).err
        assert "wrong passphrase" in error


@pytest.mark.parametrize(("content", "said"), [(b"", "empty"), (b"\n", "empty"), (b"x" * 1024, "longer"), (b"a\0b", "zero byte")])
def test_passphrases_that_cannot_be(work, content, said):
    (work.directory / "p").write_bytes(content)
    assert said in work("keygen", "--out", "k", "--passphrase-file", "p", status=FAILURE).err
    assert "k.key" not in work.files()


def test_only_the_first_line_counts(work):
    for name, content in (("unix", b"secret\nnotes"), ("dos", b"secret\r\n"), ("bare", b"secret")):
        (work.directory / name).write_bytes(content)
    work("keygen", "--out", "k", "--passphrase-file", "unix")
    for name in ("dos", "bare"):
        work("sign", "--key", "k.key", "--passphrase-file", name, "m")


def test_missing_sources(work):
    assert "NOT_SET" in work("keygen", "--out", "k", "--passphrase-env", "NOT_SET", status=FAILURE).err
    assert "absent" in work("keygen", "--out", "k", "--passphrase-file", "absent", status=FAILURE).err
    work("keygen", "--out", "k", "--passphrase-file", "pass", "--passphrase-env", "PW", status=FAILURE)
    assert "k.key" not in work.files()


def test_without_a_terminal_it_says_what_to_do(work):
    work("keygen", "--out", "k", "--passphrase-file", "pass")
    error = work("sign", "--key", "k.key", "m", status=FAILURE, start_new_session=True, stdin=PASSPHRASE.encode()).err
    assert "--passphrase-file" in error
    work("keygen", "--out", "n", "--encrypt", status=FAILURE, start_new_session=True, stdin=PASSPHRASE.encode())
    assert "n.key" not in work.files()


def test_prompt_without_echo(work):
    terminal = Terminal(["keygen", "--out", "k", "--seed", SEED, "--encrypt"], work.directory)
    terminal.wait_for(b"New passphrase for k.key: ")
    assert not terminal.echoes()  # from the moment that there is a prompt
    terminal.type(b"open sesame\n")
    terminal.wait_for(b": ")
    assert not terminal.echoes()
    terminal.type(b"open sesame\n")
    assert terminal.finish() == 0
    assert terminal.echoed_at_the_end
    assert b"sesame" not in terminal.seen

    terminal = Terminal(["sign", "--key", "k.key", "m"], work.directory)
    terminal.wait_for(b"Passphrase for k.key: ")
    assert not terminal.echoes()
    terminal.type(b"open sesame\n")
    assert terminal.finish() == 0
    assert terminal.echoed_at_the_end
    assert b"sesame" not in terminal.seen
    work("verify", "--key", "plain.pub", "m")

    terminal = Terminal(["sign", "--key", "k.key", "--out", "no.sig", "m"], work.directory)
    terminal.wait_for(b"Passphrase for k.key: ")
    terminal.type(b"open barley\n")
    assert terminal.finish() == FAILURE
    assert b"wrong passphrase" in terminal.seen and "no.sig" not in work.files()


def test_two_different_new_passphrases(work):
    terminal = Terminal(["keygen", "--out", "k", "--encrypt"], work.directory)
    terminal.wait_for(b": ")
    terminal.type(b"one passphrase\n")
    terminal.wait_for(b": ")
    terminal.type(b"another one\n")
    assert terminal.finish() == FAILURE
    assert "k.key" not in work.files() and "k.pub" not in work.files()


def test_interrupt_at_the_prompt_leaves_nothing(work):
    before = work.files()
    terminal = Terminal(["keygen", "--out", "k", "--encrypt"], work.directory)
    terminal.wait_for(b"New passphrase for k.key: ")
    terminal.type(b"half a pass")
    time.sleep(0.2)
    terminal.type(b"\x03")
    status = terminal.finish()
    assert status == FAILURE or interrupted(status)
    assert work.files() == before


def test_damaged_envelopes(work):
    work("keygen", "--out", "k", "--passphrase-file", "pass")
    text = (work.directory / "k.key").read_text()
    (work.directory / "cut.key").write_text(text[:100])
    assert "damaged" in work("sign", "--key", "cut.key", "--passphrase-file", "pass", "m", status=FAILURE).err
    lines = text.splitlines()
    lines[1] = lines[1][:-4]
    (work.directory / "short.key").write_text("\n".join(lines) + "\n")
    work("sign", "--key", "short.key", "--passphrase-file", "pass", "m", status=FAILURE)
    der = pem_body(text)
    for name, data in (("trailing", der + b"\0"), ("shorter", der[:-1])):
        (work.directory / name).write_bytes(data)
        work("sign", "--key", name, "--passphrase-file", "pass", "m", status=FAILURE)


@pytest.mark.parametrize("wrong_cost", ["02027f00", "02024001"])
def test_impossible_costs_are_no_wrong_passphrase(work, wrong_cost):
    """scrypt's N must be a power of two."""
    work("keygen", "--out", "k", "--der", "--passphrase-file", "pass")
    der = bytearray((work.directory / "k.key").read_bytes())
    cost = bytes.fromhex("02024000")  # INTEGER 16384
    assert der.count(cost) == 1
    position = der.index(cost)
    der[position : position + 4] = bytes.fromhex(wrong_cost)
    (work.directory / "odd.key").write_bytes(der)
    assert "cannot be undone" in work("sign", "--key", "odd.key", "--passphrase-file", "pass", "m", status=FAILURE).err


def test_more_memory_than_libcrypto_allows_is_refused(work):
    """An envelope can ask for any amount of memory; 64 MiB is above the limit of 32."""
    work("keygen", "--out", "k", "--der", "--passphrase-file", "pass")
    der = bytearray((work.directory / "k.key").read_bytes())
    sizes = bytes.fromhex("02024000020108")  # N = 16384, r = 8
    assert der.count(sizes) == 1
    position = der.index(sizes)
    der[position : position + 7] = bytes.fromhex("02024000020120")  # r = 32
    (work.directory / "large.key").write_bytes(der)
    error = work("sign", "--key", "large.key", "--passphrase-file", "pass", "m", status=FAILURE).err
    assert "cannot be undone" in error and "memory" in error
