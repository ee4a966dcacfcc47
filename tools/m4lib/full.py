# SPDX-License-Identifier: Apache-2.0
"""All of it for some sets and policies: known answers, counts, memory, sizes; compared with the committed counts, and with the
published code."""

import json

from m4lib import answers, board, counting, profile, sizes, targets

COUNTS = board.ROOT / "firmware/counts.json"
PUBLISHED = board.ROOT / "firmware/published.json"
RESULTS = board.ROOT / "build/m4.json"
TOLERANCE = 0.02  # of the instructions


def published():
    """{(set, op): (instructions, implementation)}: of several implementations the fastest"""
    best = {}
    for row in json.loads(PUBLISHED.read_text())["figures"]:
        key = row["set"], row["op"]
        figure = (row["instructions"], row["implementation"])
        best[key] = min(best.get(key, figure), figure)
    return best


def rows_of(name, policy, quick=False):
    """The objects of m4.json for one set and policy; quick: without code size and the parts whose RAM suffices."""
    measured, image = counting.measure(name, policy, board.OPERATIONS)
    symbols = profile.Symbols(image)
    code = None if quick else sizes.compact(name, policy)
    inputs = counting.inputs(name)
    if not quick:
        counting.check_alone(name, policy)
        said, _ = board.run_script(image, [*inputs, "run keypair", "run sign", "show pk", "show sk", "show sig"])
        made = dict(line.split() for line in said if line.startswith(("pk ", "sk ", "sig ")))
        keys = [bytes.fromhex(made.pop(key)) for key in ("pk", "sk")]
        inputs += [f"set sig {len(made['sig']) // 2} {made['sig']}"]
        # Keys of UOV stay in flash.  A key pair is made in RAM.
        flash = sizes.flash_keys(name, policy, *keys) if name.startswith("UOV") else None
        given = ["flash pk", "flash sk"] if flash else [f"set pk {len(keys[0])} {keys[0].hex()}"]
    rows = []
    for operation, (region, workspace, stack) in measured.items():
        aes, shake = profile.shares(region, symbols)
        row = {"set": name, "policy": policy, "op": operation, "instructions": region.instructions, "model_cycles": region.cycles,
               "aes_share": round(aes, 4), "shake_share": round(shake, 4), "stack_bytes": stack, "workspace_bytes": workspace}
        if not quick:
            row |= {"code_bytes": code["code"], "hashing_code_bytes": code["hashing"], "static_ram_bytes": code["ram"]}
            row["fits_kib"] = sizes.least_part(name, policy, operation, inputs + (given if operation != "keypair" else []), flash)
        rows.append(row)
    return rows


def compare(rows, committed):
    """Problems: instructions that have risen, or that nobody has committed; and what has fallen, which is no problem."""
    problems, better = [], []
    for row in rows:
        before = committed.get(row["set"], {}).get(row["policy"], {}).get(row["op"])
        what = f"{row['set']}, {row['policy']}, {row['op']}"
        if before is None:
            problems.append(f"{what}: no committed count (tools/m4 all --update)")
        elif row["instructions"] > before * (1 + TOLERANCE):
            problems.append(
                f"{what}: {row['instructions']:,} instructions, {100 * (row['instructions'] / before - 1):.1f} % more than "
                "committed"
            )
        elif row["instructions"] < before * (1 - TOLERANCE):
            better.append(
                f"{what}: {100 * (1 - row['instructions'] / before):.1f} % fewer instructions than committed: tools/m4 all "
                "--update"
            )
    return problems, better


def committed_counts():
    return json.loads(COUNTS.read_text()) if COUNTS.exists() else {}


def update(rows):
    counts = committed_counts()
    for row in rows:
        counts.setdefault(row["set"], {}).setdefault(row["policy"], {})[row["op"]] = row["instructions"]
    order = list(board.registered_sets())
    lines = []
    for name in sorted(counts, key=order.index):
        policies = ",\n".join(f"  {json.dumps(policy)}: {json.dumps(ops)}" for policy, ops in sorted(counts[name].items()))
        lines.append(f" {json.dumps(name)}: {{\n{policies}\n }}")
    COUNTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def run(names, policies, quick=False):
    """The rows of these sets and policies, and problems."""

    def one(name, policy):
        wrong = answers.check(name, policy, model=not quick)
        return rows_of(name, policy, quick), wrong

    done = board.side_by_side(one, [(name, policy) for name in names for policy in board.policies_of(name, policies)])
    return [row for rows, _ in done for row in rows], [problem for _, problems in done for problem in problems]


def write(rows, keep=False):
    """Writes build/m4.json.  `keep`: with the rows of sets and policies that it holds already and that are not among these."""
    if keep and RESULTS.exists():
        fresh = {(row["set"], row["policy"]) for row in rows}
        order = {name: i for i, name in enumerate([*board.registered_sets(), *targets.VARIANT])}
        rows = [row for row in json.loads(RESULTS.read_text()) if (row["set"], row["policy"]) not in fresh] + rows
        rows.sort(key=lambda row: (order[row["set"]], row["policy"] == "fast"))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
