#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the library against other implementations of round 2, in both directions, and writes down who understands whom.

usage: tests/interop/matrix.py run [--only PEER]... [--exchange PROGRAM] [--modules DIR] [--peers DIR]
                                                          fetches and builds the peers, compares; exit status 1 if a cell is
                                                          not as LIMITS expects.  Without --only: writes matrix.json and the page
       tests/interop/matrix.py page                       writes docs/interop.md from matrix.json
       tests/interop/matrix.py check                      compares docs/interop.md with matrix.json, and that with LIMITS
       tests/interop/matrix.py self-test                  sees that wrong records and pages are noticed

PROGRAM is exchange (exchange.cpp); DIR of --modules holds the module for OpenSSL, for certificates, and DIR of --peers what is
fetched.  `make interop` runs it.
"""

import argparse
import datetime
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECORD = HERE / "matrix.json"
PAGE = ROOT / "docs/interop.md"
UOV_FORMS = ("", "-pkc", "-pkc-skc")

# Columns of the page: its heading, and the checks that it sums up (exchange.cpp and the peers print them).
COLUMNS = {
    "pair": ("same pair from a seed", ["same pair", "their pair"]),
    "equal": ("same signature", ["same signature"]),
    "theirs": ("we verify theirs", ["we verify"]),
    "ours": ("they verify ours", ["they verify"]),
    "tampered": ("changed ones refused", ["we refuse", "they refuse"]),
    "their public file": ("public key file: theirs", ["their public file"]),
    "our public file": ("ours", ["our public file"]),
    "their secret file": ("secret key file: theirs", ["their secret file"]),
    "our secret file": ("ours", ["our secret file"]),
    "their certificate": ("certificate: theirs", ["their certificate"]),
    "our certificate": ("ours", ["our certificate"]),
}


def uov_sets(name, oid=None):
    """Lines of our name, theirs and their identifier, for the twelve forms of UOV of round 2."""
    lines, count = [], 0
    for size in ("Is", "Ip", "III", "V"):
        for form in UOV_FORMS:
            count += 1
            ours = f"UOV-{size}{form}" + ("" if size == "Is" else "-r2")
            lines.append((ours, name(size, form), f"{oid}.{count}" if oid else "-"))
    return lines


def mayo_sets(name):
    return [(f"MAYO-{n}-r2", name(n), "-") for n in (1, 2, 3, 5)]


# ---- peers: how each is fetched, and the command that answers in a directory ------------------------------------------------


def bouncy_castle(peers):
    jar = output([HERE / "get_bouncy_castle", peers / "bouncy-castle"]).strip()
    return ["java", "-cp", jar, HERE / "BouncyCastle.java"], "1.86"


def liboqs(peers):
    call([ROOT / "bench/peers/get_liboqs", peers])
    library = next(p for v in ("avx2", "ref") if (p := peers / f"liboqs-{v}/liboqs.so").exists())
    return [sys.executable, HERE / "liboqs.py", library], "0.13.0 (crate oqs-sys 0.11.0)"


def liboqs_js(peers):
    modules = peers / "liboqs-js"
    version = "0.15.1"
    package = modules / "node_modules/@oqs/liboqs-js/package.json"
    if not package.exists() or json.loads(package.read_text())["version"] != version:
        modules.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / "liboqs-js" / name, modules)
        call(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", modules])
    return ["node", HERE / "liboqs_js.mjs", modules / "node_modules"], version


def rust(crate, version):
    def build(peers):
        environment = {**os.environ, "CARGO_TARGET_DIR": str(peers / "rust")}
        call(["cargo", "build", "--quiet", "--locked", "--release", "--manifest-path", HERE / "rust/Cargo.toml"], env=environment)
        return [peers / "rust/release/aioli-interop", crate], version

    return build


PEERS = {
    "Bouncy Castle": {
        "where": "Maven: org.bouncycastle:bcprov-jdk18on",
        "build": bouncy_castle,
        "sets": mayo_sets(lambda n: f"mayo-{n}") + uov_sets(lambda s, f: f"uov-{s}{f}".lower(), "1.3.6.1.4.1.22554.2.14"),
    },
    "liboqs": {
        "where": "crates.io: oqs-sys",
        "build": liboqs,
        "sets": mayo_sets(lambda n: f"MAYO-{n}") + uov_sets(lambda s, f: f"OV-{s}{f}"),
    },
    "@oqs/liboqs-js": {
        "where": "npm",
        "build": liboqs_js,
        "sets": mayo_sets(lambda n: f"MAYO{n}") + uov_sets(lambda s, f: f"OV{s}" + f.title().replace("-", "")),
    },
    "pq-mayo": {"where": "crates.io", "build": rust("pq-mayo", "0.6.0"), "sets": mayo_sets(lambda n: f"Mayo{n}")},
    "uov-rs": {
        "where": "crates.io",
        "build": rust("uov-rs", "0.1.1"),
        "sets": uov_sets(lambda s, f: f"uov-{s}{'-classic' if not f else f.replace('-pkc-skc', '-pkc+skc')}"),
    },
}

# What a peer cannot do: peer, pattern of our sets, pattern of columns, why.  A cell that fails without a line here fails the run,
# and so does a cell that passes in spite of one.
LIMITS = [
    ("Bouncy Castle", r"MAYO-.*", r"our (public|secret) file|our certificate",
     "it reads a public key of MAYO only where it is wrapped in a second OCTET STRING, and a secret one not as `[0]`; the "
     "signature of our certificate it does verify, with the key unwrapped"),
    ("Bouncy Castle", r"UOV-.*", r"our secret file", "it reads a secret key of UOV only bare, without any wrapper"),
    ("pq-mayo", r"MAYO-2-r2", r".*",
     "what it calls MAYO-2 is a set of no round (n = 96, m = 64, o = 16, k = 4; public keys of 4,368 bytes)"),
    ("uov-rs", r".*", r"tampered",
     "it does not look at the length of a signature: bytes behind it are ignored, and a shorter one is a panic; all other "
     "changes are refused"),
]

NOTES = {
    "Bouncy Castle": "Files are written under its identifiers, by a table of the caller's "
    "([key-files.md](key-files.md#your-own)) and by openssl.cnf. "
    "There are no certificates with expanded public keys of UOV, which our module for OpenSSL does not have",
    "liboqs": "It has keys and signatures only; files are the business of oqs-provider, whose forms our tests of key files put "
    "together",
    "@oqs/liboqs-js": "It has keys and signatures only",
    "pq-mayo": "Our certificates are read by the crate x509-cert, which hands it the parts; it makes none here",
    "uov-rs": "It has keys and signatures only",
}


def output(command, **options):
    return subprocess.run([str(w) for w in command], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def call(command, **options):
    subprocess.run([str(w) for w in command], check=True, stdin=subprocess.DEVNULL, **options)


# ---- certificates, by the program openssl and our module --------------------------------------------------------------------


def configure(directory, entries):
    """Writes DIR/openssl.cnf, which has our module write the peer's identifiers where it has its own."""
    text = (ROOT / "bindings/openssl/openssl.cnf").read_text()
    own = "".join(f"{ours}.oid = {oid}\n" for ours, _, oid in entries if oid != "-" and has_certificate(ours))
    (directory / "openssl.cnf").write_text(text.replace("[aioli_provider]\n", f"[aioli_provider]\n{own}"))


def openssl(modules, directory, *words):
    environment = {**os.environ, "OPENSSL_MODULES": str(modules), "OPENSSL_CONF": str(directory / "openssl.cnf")}
    done = subprocess.run(["openssl", *words], cwd=directory, env=environment, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def has_certificate(ours):
    return ours.startswith("MAYO") or "-pkc" in ours


def give_certificate(modules, directory, ours):
    """A certificate that signs itself, over the key of SET.key."""
    ok, said = openssl(modules, directory, "req", "-x509", "-key", f"{ours}.key", "-keyform", "DER", "-subj", "/CN=aioli",
                       "-days", "1", "-outform", "DER", "-out", f"{ours}.crt")  # fmt: skip
    if not ok:
        raise RuntimeError(f"{ours}: no certificate: {said}")


def take_certificate(modules, directory, ours):
    """What is wrong with SET.fresh.crt; and a changed one must be refused."""
    file = directory / f"{ours}.fresh.crt"
    changed = bytearray(file.read_bytes())
    changed[-9] ^= 1
    verdicts = []
    for name, data in (("as it is", bytes(file.read_bytes())), ("changed", bytes(changed))):
        (directory / "one.der").write_bytes(data)
        openssl(modules, directory, "x509", "-inform", "DER", "-in", "one.der", "-out", "one.pem")
        ok, said = openssl(modules, directory, "verify", "-check_ss_sig", "-CAfile", "one.pem", "one.pem")
        verdicts.append((name, ok, said))
    if not verdicts[0][1]:
        return " ".join(verdicts[0][2].split())
    return "we accept a changed one" if verdicts[1][1] else ""


# ---- a run ----------------------------------------------------------------------------------------------------------------


def parse(lines):
    """{set: {check: what is wrong, or empty}} of the lines that exchange and the peers print."""
    checks = {}
    for line in lines.splitlines():
        ours, check, verdict, wrong = line.split("\t")
        assert verdict == ("fail" if wrong else "pass"), line
        checks.setdefault(ours, {})[check] = wrong
    return checks


def compare(name, arguments):
    """{set: {column: true | what is wrong}} and the peer's version."""
    peer = PEERS[name]
    command, version = peer["build"](arguments.peers)
    with tempfile.TemporaryDirectory(dir=arguments.peers) as place:
        directory = Path(place)
        (directory / "sets").write_text("".join(" ".join(entry) + "\n" for entry in peer["sets"]))
        call([arguments.exchange, "give", directory])
        entries = peer["sets"] if name in ("Bouncy Castle", "pq-mayo") else []
        certificates = [ours for ours, _, _ in entries if has_certificate(ours)]
        configure(directory, peer["sets"])
        for ours in certificates:
            give_certificate(arguments.modules, directory, ours)
        found = parse(output([*command, directory]))
        for ours, checks in parse(output([arguments.exchange, "take", directory])).items():
            found[ours].update(checks)
        for ours in certificates:
            if (directory / f"{ours}.fresh.crt").exists():
                found[ours]["their certificate"] = take_certificate(arguments.modules, directory, ours)
    rows = {}
    for ours, _, _ in peer["sets"]:
        checks = found.get(ours, {})
        cells = {}
        for column, (_, parts) in COLUMNS.items():
            here = [checks[part] for part in parts if part in checks]
            if here:
                cells[column] = "; ".join(w for w in here if w) or True
        rows[ours] = cells
    return rows, version


def limit(peer, ours, column):
    for name, sets, columns, why in LIMITS:
        if name == peer and re.fullmatch(sets, ours) and re.fullmatch(columns, column):
            return why
    return None


def surprises(record):
    """What is not as LIMITS says, and peers or checks that are missing."""
    wrong = []
    for peer in PEERS:
        rows = record["peers"].get(peer, {}).get("sets", {})
        for ours, _, _ in PEERS[peer]["sets"]:
            cells = rows.get(ours)
            if not cells:
                wrong.append(f"{peer}, {ours}: nothing was compared")
                continue
            for column, cell in cells.items():
                why = limit(peer, ours, column)
                if cell is not True and why is None:
                    wrong.append(f"{peer}, {ours}, {column}: {cell}")
                if cell is True and why is not None and why != ANY_MISS.get((peer, ours)):
                    wrong.append(f"{peer}, {ours}, {column}: passes, although LIMITS says: {why}")
            if limit(peer, ours, "pair") is None:
                missing = [c for c in ("pair", "equal", "theirs", "ours", "tampered") if c not in cells]
                wrong += [f"{peer}, {ours}, {column}: was not compared" for column in missing]
    return wrong


# A whole set that is of no use may still refuse changed signatures and the like: no surprise.
ANY_MISS = {(peer, ours): why for peer, sets, columns, why in LIMITS if columns == ".*"
            for ours, _, _ in PEERS[peer]["sets"] if re.fullmatch(sets, ours)}  # fmt: skip


# ---- the page ---------------------------------------------------------------------------------------------------------------

HEAD = """# Interoperability

<!-- Written by `make interop` from tests/interop/matrix.json; a test compares. -->
Nobody else's round 3 is in any registry, so this is about **round 2**: keys, signatures, key files and certificates of each side
used by the other. `make interop` fetches the others, compares, and writes this page; the run of which these are the results was
on {date}, with aioli {version}.

**yes**: it works, and changed inputs are refused. **NO**: it does not, for the reason below the table, which is the other side's
limit. **-**: the other side has no such thing. "Theirs" is read or verified here, "ours" there. *Same signature* means: from the
same randomness byte for byte the same. *Changed ones refused* are another message, solution and salt, and a byte more or less,
on both sides.
"""


def page(record):
    text = HEAD.format(**record)
    for peer, entry in record["peers"].items():
        text += f"\n## {peer} {entry['version']}\n\n" + wrapped(f"From {entry['where']}. {entry['note']}.") + "\n\n"
        text += "| set | " + " | ".join(heading for heading, _ in COLUMNS.values()) + " |\n"
        text += "|---|" + "---|" * len(COLUMNS) + "\n"
        notes = []
        for ours, cells in entry["sets"].items():
            row = []
            for column in COLUMNS:
                cell = cells.get(column)
                why = entry["limits"].get(f"{ours}: {column}", f"not known: {cell}")
                if cell is None:
                    row.append("-")
                elif cell is True:
                    row.append("yes")
                else:
                    if why not in notes:
                        notes.append(why)
                    row.append(f"NO ({notes.index(why) + 1})")
            text += f"| {ours} | " + " | ".join(row) + " |\n"
        for i, why in enumerate(notes):
            text += "\n" + wrapped(f"({i + 1}) {why[0].upper()}{why[1:]}.") + "\n"
    return text


def wrapped(text, width=130):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def limits_of(peer, rows):
    """The reasons of the cells that failed, which the record keeps, so that the page needs nothing else."""
    return {f"{ours}: {column}": limit(peer, ours, column) or f"not known: {cell}"
            for ours, cells in rows.items() for column, cell in cells.items() if cell is not True}  # fmt: skip


def check():
    record = json.loads(RECORD.read_text())
    wrong = surprises(record)
    for peer, entry in record["peers"].items():
        if entry["limits"] != limits_of(peer, entry["sets"]) or entry["note"] != NOTES[peer]:
            wrong.append(f"{peer}: matrix.json and LIMITS differ")
    expected = page(record)
    if PAGE.read_text() != expected:
        wrong += difflib.unified_diff(PAGE.read_text().splitlines(), expected.splitlines(), "docs/interop.md", "matrix.json",
                                      lineterm="")  # fmt: skip
    return wrong


def self_test():
    good = json.loads(RECORD.read_text())

    def altered(change):
        copy = json.loads(json.dumps(good))
        change(copy["peers"])
        return copy

    planted = {
        "a peer is missing": altered(lambda p: p.pop("uov-rs")),
        "a set is missing": altered(lambda p: p["liboqs"]["sets"].pop("UOV-Is")),
        "a check is missing": altered(lambda p: p["liboqs"]["sets"]["UOV-Is"].pop("tampered")),
        "a cell fails": altered(lambda p: p["pq-mayo"]["sets"]["MAYO-1-r2"].update(ours="refused")),
        "a limit is gone": altered(lambda p: p["Bouncy Castle"]["sets"]["MAYO-1-r2"].update({"our public file": True})),
    }
    wrong = [what for what, record in planted.items() if not surprises(record)]
    wrong += [f"the record as it is: {line}" for line in surprises(good)]
    if page(planted["a cell fails"]) == page(good):
        wrong.append("a failing cell does not show on the page")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "page", "check", "self-test"])
    parser.add_argument("--only", action="append", choices=list(PEERS))
    parser.add_argument("--exchange", type=Path, default=ROOT / "build/tests/interop/interop_exchange")
    parser.add_argument("--modules", type=Path, default=ROOT / "build/ossl-modules")
    parser.add_argument("--peers", type=Path, default=ROOT / "build/peers")
    arguments = parser.parse_args()
    if arguments.what in ("check", "self-test"):
        wrong = check() if arguments.what == "check" else self_test()
        print(*wrong, sep="\n")
        return 1 if wrong else 0
    if arguments.what == "page":
        PAGE.write_text(page(json.loads(RECORD.read_text())))
        return 0
    arguments.peers = arguments.peers.resolve()
    arguments.peers.mkdir(parents=True, exist_ok=True)
    arguments.modules = arguments.modules.resolve()
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    record = {"date": datetime.date.today().isoformat(), "version": version, "peers": {}}
    for peer in arguments.only or PEERS:
        rows, their_version = compare(peer, arguments)
        record["peers"][peer] = {"version": their_version, "where": PEERS[peer]["where"], "note": NOTES[peer], "sets": rows,
                                 "limits": limits_of(peer, rows)}  # fmt: skip
        cells = [cell for row in rows.values() for cell in row.values()]
        print(f"{peer} {their_version}: {len(rows)} sets, {sum(c is True for c in cells)} of {len(cells)} cells work", flush=True)
    wrong = [line for line in surprises(record) if any(line.startswith(f"{peer},") for peer in record["peers"])]
    print(*wrong, sep="\n")
    if not arguments.only:
        RECORD.write_text(json.dumps(record, indent=1) + "\n")
        PAGE.write_text(page(record))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
