# SPDX-License-Identifier: Apache-2.0
"""python3 -m aioli_model: known-answer files from the model, and the model's own check."""

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path

from . import BY_NAME, PARAMETER_SETS, uov
from .drbg import Drbg
from .kat import OUTER_SEED, RECORDS, records

DIGESTS = Path(__file__).resolve().parents[2] / "tests" / "vectors" / "mayo_digests.json"
UOV_DIGESTS = DIGESTS.with_name("uov_digests.json")


def seed_argument(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not hexadecimal: {text!r}") from None
    if len(seed) != Drbg.SEED_BYTES:
        raise argparse.ArgumentTypeError(f"{len(seed)} bytes instead of {Drbg.SEED_BYTES}")
    return seed


def count_argument(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"not a number: {text!r}")
    return int(text)


def print_kat(args: argparse.Namespace) -> int:
    for record in records(BY_NAME[args.alg], args.seed, args.count):
        if record.count:
            print()
        print(record.text(), end="", flush=True)
    return 0


def check(args: argparse.Namespace) -> int:
    """Compares the first record, or with --all all hundred, of every set with the published digests."""
    expected = json.loads(args.digests.read_text())["sets"]
    if missing := {params.name for params in PARAMETER_SETS} ^ expected.keys():
        print(f"{args.digests}: not the sixteen sets of the model: {', '.join(sorted(missing))}", file=sys.stderr)
        return 1
    failures = 0
    for params in PARAMETER_SETS:
        start = time.perf_counter()
        made = list(records(params, number=RECORDS if args.all else 1))
        answers = {"record0": made[0].text()}
        if args.all:
            answers["all100"] = "\n".join(record.text() for record in made)
        good = all(hashlib.sha256(text.encode()).hexdigest() == expected[params.name][what] for what, text in answers.items())
        if args.all:
            restarts = [record.count for record in made if record.attempts > 1]
            good = good and restarts == expected[params.name]["restart_counts"]
        failures += not good
        print(f"{params.name:10}  {'ok' if good else 'WRONG':5}  {time.perf_counter() - start:6.2f} s", flush=True)
    print(f"{failures} of {len(PARAMETER_SETS)} sets wrong" if failures else f"all {len(PARAMETER_SETS)} sets agree")
    return 1 if failures else 0


def check_uov(args: argparse.Namespace) -> int:
    """The same for UOV, whose digests are of whole files."""
    expected = json.loads(UOV_DIGESTS.read_text())["sets"]
    failures = len(expected.keys() ^ uov.BY_NAME.keys())
    for params in uov.PARAMETER_SETS:
        start = time.perf_counter()
        first, file = uov.digests(params, RECORDS if args.all else 1)
        known = expected[params.name]
        good = first == known["record0"] and params.title == known["header"] and (not args.all or file == known["file"])
        failures += not good
        print(f"{params.name:18}  {'ok' if good else 'WRONG':5}  {time.perf_counter() - start:6.2f} s", flush=True)
    print(f"{failures} of {len(expected)} sets wrong" if failures else f"all {len(expected)} sets agree")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="aioli_model", description="The executable specification of MAYO.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    kat = commands.add_parser("kat", help="print the body of a NIST .rsp file")
    kat.add_argument("--alg", required=True, choices=BY_NAME, metavar="NAME", help=", ".join(BY_NAME))
    kat.add_argument("--seed", type=seed_argument, default=OUTER_SEED, metavar="HEX48", help="outer seed (default 00 01 .. 2f)")
    kat.add_argument("--count", type=count_argument, default=RECORDS, metavar="N", help=f"records (default {RECORDS})")
    kat.set_defaults(run=print_kat)

    checker = commands.add_parser("check", help="compare every set with the published digests")
    checker.add_argument("--all", action="store_true", help="all hundred records instead of the first one (minutes)")
    checker.add_argument("--digests", type=Path, default=DIGESTS, metavar="FILE", help=f"default {DIGESTS.name} of the tests")
    checker.set_defaults(run=check)

    other = commands.add_parser("uov", help="compare every set of UOV with the published digests")
    other.add_argument("--all", action="store_true", help="all hundred records instead of the first one (an hour)")
    other.set_defaults(run=check_uov)

    args = parser.parse_args()
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
