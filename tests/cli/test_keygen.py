# SPDX-License-Identifier: Apache-2.0
import os
import stat
import subprocess

import pytest
from conftest import FAILURE, fingerprint, pem_body, public_key_bytes, reference

SIZES = {"MAYO-1": (1456, 24), "MAYO-2": (2928, 24), "MAYO-3": (2986, 32), "MAYO-5": (5554, 40), "MAYO-2-r2": (4912, 24),
         "MAYO-3-r1b": (2656, 32)}  # fmt: skip


@pytest.mark.parametrize("alg", SIZES)
def test_key_pair_from_seed_is_the_one_of_the_library(cli, alg):
    public_bytes, seed_bytes = SIZES[alg]
    seed = bytes(range(1, seed_bytes + 1))
    made = cli("keygen", "--alg", alg, "--out", "k", "--seed", seed.hex(), "--json").json
    public_key = bytes.fromhex(reference("public", alg, seed.hex()).stdout.decode())
    assert len(public_key) == public_bytes
    assert public_key_bytes(cli.directory / "k.pub", public_bytes) == public_key
    assert pem_body((cli.directory / "k.key").read_text())[-seed_bytes:] == seed
    assert made == {
        "algorithm": alg,
        "key": fingerprint(alg, public_key),
        "secret_key_file": "k.key",
        "public_key_file": "k.pub",
        "encrypted": False,
    }


def test_default_algorithm_is_mayo_1_and_keys_differ(cli):
    first = cli("keygen", "--out", "a", "--json").json
    second = cli("keygen", "--out", "b", "--json").json
    assert first["algorithm"] == second["algorithm"] == "MAYO-1"
    assert first["key"] != second["key"]
    assert (cli.directory / "a.key").read_bytes() != (cli.directory / "b.key").read_bytes()
    assert "MAYO-1" in cli("keygen", "--help").out


def test_text_output_names_files_and_fingerprint(cli):
    out = cli("keygen", "--out", "k").out
    shown = cli("inspect", "k.pub", "--json").json["key"]
    assert shown in out and "k.key" in out and "k.pub" in out
    assert cli("keygen", "--out", "q", "--quiet").raw_out == b""


def test_seed_from_standard_input(cli):
    seed = "0F" * 24
    cli("keygen", "--out", "a", "--seed", seed)
    cli("keygen", "--out", "b", "--seed", "-", stdin=seed.lower().encode() + b"\n")
    assert (cli.directory / "a.key").read_bytes() == (cli.directory / "b.key").read_bytes()
    assert (cli.directory / "a.pub").read_bytes() == (cli.directory / "b.pub").read_bytes()


@pytest.mark.parametrize("seed", ["", "00" * 23, "00" * 25, "0" * 47, "0g" * 24, " " + "00" * 24, "0x" + "00" * 23])
def test_seed_of_another_form_is_refused(cli, seed):
    error = cli("keygen", "--out", "k", "--seed", seed, status=FAILURE).err
    assert "seed" in error
    assert cli.files() == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_modes_do_not_depend_on_luck(cli, umask):
    cli("keygen", "--out", "k", preexec_fn=lambda: os.umask(umask))
    assert stat.S_IMODE((cli.directory / "k.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((cli.directory / "k.pub").stat().st_mode) == 0o644 & ~umask


def test_a_link_in_the_way_is_replaced_and_not_followed(cli):
    (cli.directory / "k.key").symlink_to("elsewhere")
    cli("keygen", "--out", "k", status=FAILURE)  # a link that leads nowhere is a name that exists
    assert cli.files() == ["k.key"]
    cli("keygen", "--out", "k", "--force", preexec_fn=lambda: os.umask(0))
    assert not (cli.directory / "k.key").is_symlink() and not (cli.directory / "elsewhere").exists()
    assert stat.S_IMODE((cli.directory / "k.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("existing", ["k.key", "k.pub"])
def test_existing_files_are_kept_without_force(cli, existing):
    (cli.directory / existing).write_text("precious")
    error = cli("keygen", "--out", "k", status=FAILURE).err
    assert existing in error and "--force" in error
    assert cli.files() == [existing] and (cli.directory / existing).read_text() == "precious"
    cli("keygen", "--out", "k", "--force")
    assert cli.files() == ["k.key", "k.pub"] and (cli.directory / existing).read_text() != "precious"


def test_force_does_not_replace_a_directory(cli):
    (cli.directory / "k.pub").mkdir()
    assert "directory" in cli("keygen", "--out", "k", "--force", status=FAILURE).err
    assert cli.files() == ["k.pub"]


def test_der(cli):
    seed = "ab" * 24
    cli("keygen", "--out", "p", "--seed", seed)
    cli("keygen", "--out", "d", "--seed", seed, "--der")
    for kind in ("key", "pub"):
        assert (cli.directory / f"d.{kind}").read_bytes() == pem_body((cli.directory / f"p.{kind}").read_text())
    (cli.directory / "m").write_bytes(b"message")
    cli("sign", "--key", "d.key", "m")
    cli("verify", "--key", "d.pub", "m")
    cli("verify", "--key", "p.pub", "m")


def test_prefix_in_another_directory(cli):
    (cli.directory / "sub dir").mkdir()
    cli("keygen", "--out", "sub dir/k ü")
    assert sorted(p.name for p in (cli.directory / "sub dir").iterdir()) == ["k ü.key", "k ü.pub"]
    absolute = cli.directory / "abs"
    cli("keygen", "--out", absolute)
    assert "abs.key" in cli.files()


def test_openssl_reads_the_structure(cli):
    cli("keygen", "--out", "k", "--alg", "MAYO-1-r2")
    for name in ("k.key", "k.pub"):
        shown = subprocess.run(["openssl", "asn1parse", "-in", cli.directory / name], capture_output=True, check=True).stdout
        assert b":1.3.9999.8.1.3" in shown


def test_concurrent_keygen_of_one_name_has_one_winner(cli):
    runs = [cli.start("keygen", "--out", "k", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(8)]
    ends = [(run.communicate(timeout=120), run.returncode) for run in runs]
    assert sorted(code for _, code in ends) == [0] + [FAILURE] * 7
    assert cli.files() == ["k.key", "k.pub"]
    secret, public = (cli("inspect", f"k.{kind}", "--json").json["key"] for kind in ("key", "pub"))
    assert secret == public
    assert all(b"exists" in err for (_, err), code in ends if code != 0)


def test_concurrent_replacement_never_mixes_two_pairs(cli):
    for _ in range(3):
        runs = [cli.start("keygen", "--out", "k", "--force", "--quiet") for _ in range(8)]
        assert [run.wait(120) for run in runs] == [0] * 8
        assert cli.files() == ["k.key", "k.pub"]
        secret, public = (cli("inspect", f"k.{kind}", "--json").json["key"] for kind in ("key", "pub"))
        assert secret == public


def test_another_object_identifier(cli):
    cli("keygen", "--out", "k", "--oid", "MAYO-1=1.2.3.4567")
    shown = subprocess.run(["openssl", "asn1parse", "-in", cli.directory / "k.pub"], capture_output=True, check=True).stdout
    assert b":1.2.3.4567" in shown
    (cli.directory / "m").write_bytes(b"m")
    assert "--oid" in cli("sign", "--key", "k.key", "m", status=FAILURE).err
    cli("sign", "--key", "k.key", "--oid", "MAYO-1=1.2.3.4567", "m")
    cli("verify", "--key", "k.pub", "m", status=FAILURE)
    cli("verify", "--key", "k.pub", "--oid", "MAYO-2=1.2.3.4568", "--oid", "MAYO-1=1.2.3.4567", "m")
    # The fingerprint is that of the key, whatever the identifier.
    assert cli("inspect", "k.pub", "--oid", "MAYO-1=1.2.3.4567", "--json").json["key"] == fingerprint(
        "MAYO-1", public_key_bytes(cli.directory / "k.pub", 1456)
    )
