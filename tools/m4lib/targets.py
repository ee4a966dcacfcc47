# SPDX-License-Identifier: Apache-2.0
"""What was aimed at, and whether it is reached: instructions beside the published code's, memory and code of the small policy,
the variant."""

KB = 1000  # bytes; the stricter reading
COMPACT = ("keypair", "sign", "verify")
SPEED = {  # fast policy, instructions relative to the published code, at most
    "MAYO-1-r2": (0.72, 0.65, 0.72),
    "MAYO-2-r2": (0.72, 0.72, 0.75),
    "MAYO-3-r2": (0.72, 0.65, 0.72),
    "MAYO-5-r2": (0.40, 0.30, 0.45),
}
MEMORY = {
    "1": (10, 28, 14),
    "2": (10, 28, 14),
    "3": (16, 48, 24),
    "5": (24, 80, 40),
}  # small policy, stack and workspace, KB, at most
SLOWER = 1.6  # small policy, instructions relative to the fast one's, at most
CODE = 24  # small policy, one set, without hashing and AES, KB, at most
VARIANT = {"MAYO-armv7m-orig-1": 0.6, "MAYO-armv7m-new-1": 0.3, "MAYO-armv7m-new-1-k14": 0.6}  # relative to the published code


def verdict(figure, limit):
    return "met" if figure <= limit else f"missed by {100 * (figure / limit - 1):.1f} %"


def lines(rows, published, variant):
    """(what, set, policy, op, figure, limit, verdict) for every target that the rows say something about, as text"""
    found = {(row["set"], row["policy"], row["op"]): row for row in rows}
    out = []

    def ratio(what, name, policy, op, figure, limit):
        out.append((what, name, policy, op, f"{figure:.3f}", f"{limit:.2f}", verdict(figure, limit)))

    for name, limits in SPEED.items():
        for op, limit in zip(COMPACT, limits, strict=True):
            if row := found.get((name, "fast", op)):
                ratio("instructions / published", name, "fast", op, row["instructions"] / published[name, op][0], limit)
    core = [name for name in dict.fromkeys(row["set"] for row in rows) if name.startswith("MAYO-") and name not in VARIANT]
    for name in (name for name in core if "-r1" not in name):
        for op, limit in zip(COMPACT, MEMORY[name.split("-")[1]], strict=True):
            if row := found.get((name, "small", op)):
                used = row["stack_bytes"] + row["workspace_bytes"]
                out.append(
                    ("stack + workspace, bytes", name, "small", op, f"{used:,}", f"{limit * KB:,}", verdict(used, limit * KB))
                )
    for name in core:
        for op in COMPACT:
            small, fast = found.get((name, "small", op)), found.get((name, "fast", op))
            if small and fast:
                ratio("instructions, small / fast", name, "small", op, small["instructions"] / fast["instructions"], SLOWER)
        row = found.get((name, "small", "sign"))
        if row and "code_bytes" in row:
            size = row["code_bytes"]
            out.append(("code, bytes", name, "small", "all three", f"{size:,}", f"{CODE * KB:,}", verdict(size, CODE * KB)))
    for (name, policy, op), row in found.items():
        if name in VARIANT and op != "keypair":
            ratio("instructions / published", name, policy, op, row["instructions"] / variant[name][op], VARIANT[name])
    return out


def plain(rows, published, variant):
    text = [f"{'target':<28}{'set':<23}{'policy':<8}{'operation':<11}{'figure':>9}{'at most':>9}"]
    text += [f"{w:<28}{s:<23}{p:<8}{o:<11}{f:>9}{m:>9}  {v}" for w, s, p, o, f, m, v in lines(rows, published, variant)]
    return "\n".join(text)
