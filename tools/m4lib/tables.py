# SPDX-License-Identifier: Apache-2.0
"""The rows of m4.json as text: beside the published figures, or as pqm4 prints its own."""

import re

from m4lib import board, targets

PAGE = board.ROOT / "docs/cortex-m4.md"

NAMES = {"keypair": "key pair", "sign": "sign", "verify": "verify", "signer_init": "expand secret",
         "signer_sign": "sign, expanded",
         "verifier_init": "expand public", "verifier_verify": "verify, expanded"}  # fmt: skip


def of_core(rows):
    """Without the ARMv7-M variant, of which there is no code size and no expanded key."""
    return [row for row in rows if row["set"] not in targets.VARIANT]


def plain(rows, published, variant):
    """One line for each set, policy and operation; the ratio is ours to the published implementation, in instructions."""
    lines = [f"{'set':<23}{'policy':<9}{'operation':<17}{'instructions':>13}{'cycles':>13}{'AES':>5}{'SHAKE':>6}"
             f"{'stack':>7}{'workspace':>10}"
             f"{'RAM KiB':>8}{'code':>8}  {'published':>12} {'':<4}{'ratio':>6}"]  # fmt: skip
    for row in rows:
        reference = published.get((row["set"], row["op"]))
        if row["set"] in variant:
            reference = variant[row["set"]][row["op"]], ""
        beside = f"  {reference[0]:>12,} {reference[1]:<4}{row['instructions'] / reference[0]:>6.2f}" if reference else ""
        fits = row.get("fits_kib")
        ram = "-" if fits is None else f"<= {fits}" if fits else "> 640"
        code = f"{row['code_bytes']:,}" if "code_bytes" in row else "-"
        lines.append(
            f"{row['set']:<23}{row['policy']:<9}{NAMES[row['op']]:<17}{row['instructions']:>13,}{row['model_cycles']:>13,}"
            f"{100 * row['aes_share']:>5.0f}{100 * row['shake_share']:>6.1f}{row['stack_bytes']:>7,}{row['workspace_bytes']:>10,}"
            f"{ram:>8}{code:>8}{beside}"
        )
    return "\n".join(lines)


def pqm4(rows):
    """The four tables of pqm4's benchmarks.md.  Its cycles are a chip's; these are the model's.  Its memory is stack, ours stack
    and workspace."""
    found = {}
    for row in of_core(rows):
        found.setdefault((row["set"], row["policy"]), {})[row["op"]] = row
    cycles, memory, hashing, code = [], [], [], []
    for (name, policy), ops in found.items():
        if not all(op in ops for op in ("keypair", "sign", "verify")):
            continue
        three = [ops[op] for op in ("keypair", "sign", "verify")]
        scheme, implementation = name.lower().replace("mayo-", "mayo"), f"aioli-{policy}"
        each = [f"AVG: {r['model_cycles']:,} <br /> MIN: {r['model_cycles']:,} <br /> MAX: {r['model_cycles']:,}" for r in three]
        cycles.append([f"{scheme} (1 executions)", implementation, *each])
        memory.append([scheme, implementation, *(f"{r['stack_bytes'] + r['workspace_bytes']:,}" for r in three)])
        hashing.append([scheme, implementation, *(f"{100 * (r['aes_share'] + r['shake_share']):.1f}" for r in three)])
        text, ram = three[0]["code_bytes"], three[0]["static_ram_bytes"]
        code.append([scheme, implementation, f"{text:,}", "0", f"{ram:,}", f"{text + ram:,}"])
    tables = [
        ("# Speed Evaluation\n## Signature Schemes", ["scheme", "implementation", "key generation [cycles]", "sign [cycles]",
                                                      "verify [cycles]"], cycles),
        ("# Memory Evaluation\n## Signature Schemes", ["Scheme", "Implementation", "Key Generation [bytes]", "Sign [bytes]",
                                                       "Verify [bytes]"], memory),
        ("# Hashing Evaluation\n## Signature Schemes", ["Scheme", "Implementation", "Key Generation [%]", "Sign [%]",
                                                        "Verify [%]"], hashing),
        ("# Size Evaluation\n## Signature Schemes", ["Scheme", "Implementation", ".text [bytes]", ".data [bytes]", ".bss [bytes]",
                                                     "Total [bytes]"], code),
    ]  # fmt: skip
    out = []
    for title, header, lines in tables:
        out += [
            title,
            "| " + " | ".join(header) + " |",
            "|" + " --- |" * len(header),
            *("| " + " | ".join(line) + " |" for line in lines),
            "",
        ]
    return "\n".join(out).rstrip("\n")


def markdown(header, lines):
    rule = "|---|---|" + "--:|" * (len(header) - 2)
    return "\n".join(["| " + " | ".join(header) + " |", rule, *("| " + " | ".join(line) + " |" for line in lines)])


def documents(rows, published, variant):
    """The tables of docs/cortex-m4.md, by name."""
    found, of_uov = {}, {}
    for row in of_core(rows):
        (of_uov if row["set"].startswith("UOV") else found).setdefault((row["set"], row["policy"]), {})[row["op"]] = row
    compact = ("keypair", "sign", "verify")
    uov = []
    for (name, _), ops in of_uov.items():
        three = [ops[op] for op in compact]
        uov.append([name, "/".join(f"{100 * (row['aes_share'] + row['shake_share']):.0f}" for row in three)])
        uov[-1] += [f"{row['instructions'] / 1e6:.2f} / {row['model_cycles'] / 1e6:.2f}" for row in three]
        uov[-1] += [" / ".join(f"{row['stack_bytes'] + row['workspace_bytes']:,}" for row in three)]
        uov[-1] += [" / ".join(f"{row['fits_kib'] or '-'}" for row in three), f"{three[0]['code_bytes']:,}"]
    expanded = ("signer_init", "signer_sign", "verifier_init", "verifier_verify")
    speed, memory, stored, beside = [], [], [], []
    for (name, policy), ops in found.items():
        first = [name, policy]
        speed.append(first + [f"{ops[op]['instructions'] / 1e6:.2f} / {ops[op]['model_cycles'] / 1e6:.2f}" for op in compact])
        speed[-1].append(" / ".join(f"{100 * (ops[op]['aes_share'] + ops[op]['shake_share']):.0f}" for op in compact))
        memory.append(first + [f"{ops[op]['workspace_bytes']:,} + {ops[op]['stack_bytes']:,}" for op in compact])
        memory[-1] += [" / ".join(f"{ops[op]['fits_kib'] or '-'}" for op in compact)]
        memory[-1] += [f"{ops['sign']['code_bytes']:,}", f"{ops['sign']['hashing_code_bytes']:,}"]
        stored.append(first + [f"{ops[op]['instructions'] / 1e6:.2f} / {ops[op]['model_cycles'] / 1e6:.2f}" for op in expanded])
        stored[-1] += [
            f"{max(ops[op]['stack_bytes'] + ops[op]['workspace_bytes'] for op in pair):,}"
            for pair in (expanded[:2], expanded[2:])
        ]
        if (name, "sign") in published:
            both = [(ops[op]["instructions"], published[name, op]) for op in compact]
            beside.append(first + [f"{ours / theirs[0]:.2f}" for ours, theirs in both] + [both[0][1][1]])
    missed = [list(line) for line in targets.lines(rows, published, variant) if line[-1] != "met"]
    return {
        "uov": markdown(
            ["set", "AES and SHAKE, %", "key pair", "sign", "verify", "stack and workspace", "RAM of a part, KiB", "code"], uov
        ),
        "missed": markdown(["target", "set", "policy", "operation", "figure", "at most", ""], missed),
        "speed": markdown(["set", "policy", "key pair", "sign", "verify", "AES and SHAKE, %"], speed),
        "memory": markdown(["set", "policy", "key pair", "sign", "verify", "RAM of a part, KiB", "code", "hashing, AES"], memory),
        "expanded": markdown(
            ["set", "policy", "expand secret", "sign", "expand public", "verify", "memory of signing", "of verifying"], stored
        ),
        "published": markdown(["set", "policy", "key pair", "sign", "verify", "published"], beside),
    }


def published_memory(page):
    """What the page's tables of memory say: {(set, policy, operation): (workspace or None, stack or with the workspace)}."""
    said = {}
    for name, text in re.findall(r"<!-- m4: (\w+) -->\n(.*?)<!-- /m4 -->", page, re.S):
        for line in text.splitlines()[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            numbers = [[int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", cell)] for cell in cells]
            if name == "memory":
                for op, (workspace, stack) in zip(("keypair", "sign", "verify"), numbers[2:5], strict=True):
                    said[cells[0], cells[1], op] = workspace, stack
            elif name == "expanded":
                for pair, (both,) in zip(
                    (("signer_init", "signer_sign"), ("verifier_init", "verifier_verify")), numbers[6:8], strict=True
                ):
                    said[cells[0], cells[1], pair] = None, both
            elif name == "uov":
                for op, both in zip(("keypair", "sign", "verify"), numbers[5], strict=True):
                    said[cells[0], "small", op] = None, both
    return said


def memory_problems(rows, page=None):
    """Where the page names other workspaces than the library wants, or less stack than was used."""
    problems, found = [], {(row["set"], row["policy"], row["op"]): row for row in of_core(rows)}
    for (name, policy, ops), (workspace, stack) in published_memory(page or PAGE.read_text()).items():
        measured = [found[name, policy, op] for op in ([ops] if isinstance(ops, str) else ops) if (name, policy, op) in found]
        for row in measured:
            what, needed = (
                f"{name} {policy} {row['op']}",
                row["stack_bytes"] + (row["workspace_bytes"] if workspace is None else 0),
            )
            if workspace is not None and workspace != row["workspace_bytes"]:
                problems.append(f"{what}: the page says {workspace:,} bytes of workspace, the library {row['workspace_bytes']:,}")
            if needed > stack:
                problems.append(f"{what}: the page says {stack:,} bytes, {needed:,} were used")
    return problems
