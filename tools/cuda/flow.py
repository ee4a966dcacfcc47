# SPDX-License-Identifier: Apache-2.0
"""Where secrets go in the machine code of a kernel: no branch, no address, and not whether something is loaded or stored, is to
depend on one.

Whatever a kernel loads counts as secret, from the device's memory or from shared memory, unless the address comes from a pointer
of its arguments that is said to be public; what is computed from a secret is one, too. Arguments and the numbers of threads and
blocks are public. Every path through the code is followed until nothing changes any more. Written for the instructions that our
kernels have on sm_80 to sm_90; of an instruction that it does not know, the first operand counts as written and the others as
read.
"""

import re

OPERAND = re.compile(r"c\[0x0\]\[0x([0-9a-f]+)\]|\b(UR|R|UP|P)(\d+|Z|T)\b(\.64)?")
ARGUMENTS = {"sm_80": 0x160, "sm_86": 0x160, "sm_89": 0x160, "sm_90": 0x210}  # where they are in constant memory
WRITES_NOTHING = {
    "STG", "STS", "STL", "RED", "BRA", "EXIT", "BAR", "BSSY", "BSYNC", "NOP", "WARPSYNC", "DEPBAR", "MEMBAR", "ERRBAR", "CCTL",
    "BREAK", "BMOV",
    "LDGDEPBAR", "RET", "CALL", "KILL",
}  # fmt: skip
LOADS = {"LDG", "LDS", "LD", "LDL"}
ACCESSES = LOADS | {"STG", "STS", "ST", "STL", "ATOMS", "ATOMG", "RED", "LDC", "ULDC"}
JUMPS = {"BRA", "EXIT", "BRX", "JMP", "RET", "CALL", "BREAK"}
SECRET = "secret"


def public_offsets(header, struct, names):
    """Where the pointers of these names are in a struct of arguments of kernels.hpp."""
    body = re.search(rf"struct {struct} {{(.*?)\n}};", header, re.S).group(1)
    body = re.sub(r"//[^\n]*", "", body)
    at, offsets = 0, {}
    for line in body.split(";"):
        for declared in line.split(","):
            if "*" not in declared:
                continue
            offsets[re.search(r"\*\s*(\w+)", declared).group(1)] = at
            at += 8
    return {offsets[name] + half for name in names if name in offsets for half in (0, 4)}


def opposite(condition):
    return condition.replace("@!", "@") if "!" in condition else condition.replace("@", "@!")


def registers(text, pair=False):
    """Registers that an operand names; addresses and what is `pair` take two."""
    found = []
    for match in OPERAND.finditer(text):
        kind, number, wide = match.group(2), match.group(3), match.group(4)
        if kind is None or not number.isdigit():
            continue
        found.append(kind + number)
        if wide or (pair and kind in ("R", "UR")):
            found.append(kind + str(int(number) + 1))
    return found


class Step:
    """One instruction: what it reads and writes, and what of it would show."""

    def __init__(self, instruction):
        self.address, self.text = instruction.address, instruction.text
        words = self.text.split(None, 1)
        self.guard = self.condition = None
        if words[0].startswith("@"):
            self.guard = registers(words[0])[0] if registers(words[0]) else None
            self.condition = words[0] if self.guard else None
            words = words[1].split(None, 1)
        self.name, rest = words[0], words[1] if len(words) > 1 else ""
        self.unit = self.name.split(".")[0]
        self.operands = [o.strip() for o in re.split(r",(?![^\[]*\])", rest) if o.strip()]
        jump = re.search(r"0x([0-9a-f]+)$", rest.strip()) if self.unit in ("BRA", "CALL") else None
        self.target = int(jump.group(1), 16) if jump else None
        parts = self.name.split(".")
        size = (
            4 if "128" in parts else 2 if "64" in parts or "WIDE" in parts or (self.unit == "CS2R" and "32" not in parts) else 1
        )
        writes = 0
        if self.unit not in WRITES_NOTHING:
            writes = 1
            while writes < len(self.operands) - 1 and re.fullmatch(r"U?P(\d|T)", self.operands[writes]) and self.unit in (
                "ISETP", "UISETP", "PLOP3", "UPLOP3", "IADD3", "UIADD3", "LEA", "ULEA", "IMAD",
            ):  # fmt: skip
                writes += 1
                if self.unit in ("ISETP", "UISETP", "PLOP3", "UPLOP3") and writes == 2:
                    break
            if re.fullmatch(r"U?P(\d|T)", self.operands[0]) and self.unit in ("LOP3", "ULOP3", "SHFL", "R2UR"):
                writes = max(writes, 2)
            if self.unit in ("VOTE", "VOTEU") and re.fullmatch(r"U?R(\d+|Z)", self.operands[0]):
                writes = 2  # a register and a predicate
        self.writes = [f"P{i}" for i in range(7)] if self.unit == "R2P" else []
        for operand in self.operands[:writes]:
            for register in registers(operand):
                kind, number = re.fullmatch(r"([A-Z]+)(\d+)", register).groups()
                self.writes += [kind + str(int(number) + i) for i in range(size if kind in ("R", "UR") else 1)]
        self.reads, self.constants, self.places = [f"P{i}" for i in range(7)] if self.unit == "P2R" else [], [], []
        for number, operand in enumerate(self.operands[writes:]):
            wide = (
                number == 2 if "WIDE" in parts else self.unit in ("STG", "STS") and size > 1
            )  # the summand of a wide product is one, too
            self.reads += registers(operand, wide)
            if self.unit in ("STG", "STS") and size == 4 and not operand.startswith(("desc", "[")):
                first = registers(operand)
                self.reads += [f"R{int(first[0][1:]) + i}" for i in range(4)] if first else []
            self.constants += [int(m.group(1), 16) for m in OPERAND.finditer(operand) if m.group(1)]
            if "64" in parts:
                self.constants += [c + 4 for c in self.constants]
            if self.unit in ACCESSES and "[" in operand:
                self.places += registers(operand)


def leaks(code, arch, public):
    """Complaints about a kernel.  `public`: offsets in its arguments of pointers to what may show."""
    steps = [Step(i) for i in code.instructions]
    at = {step.address: i for i, step in enumerate(steps)}
    base = ARGUMENTS[arch]
    states = [None] * len(steps)
    states[0] = {}
    work, found = [0], {}
    while work:
        i = work.pop()
        step, state = steps[i], states[i]

        def of(names):
            labels = frozenset()
            for name in names:
                then = state.get((name, step.condition)) if step.condition else None  # noqa: B023
                labels |= state.get(name, frozenset()) if then is None else then  # noqa: B023
            return labels

        guard = of([step.guard] if step.guard else [])
        what = None
        if step.unit in JUMPS and SECRET in guard | of(step.reads):
            what = "a branch"
        if step.unit in ACCESSES and SECRET in of(step.places):
            what = "an address"
        elif step.unit in ACCESSES and SECRET in guard:
            what = "whether something is loaded or stored"
        if what:
            found[step.address] = f"{what} depends on a secret: {step.address:x}: {step.text}"
        value = guard | of(step.reads) | frozenset(c for c in step.constants if c >= base)
        if step.unit in LOADS or step.unit.startswith("ATOM"):
            pointers = {c - base for c in of(step.places) if c != SECRET}
            value = guard if step.unit == "LDG" and pointers and pointers <= public else guard | {SECRET}
        written = set(step.writes)
        otherwise = opposite(step.condition) if step.condition else None
        after = {}
        for key, labels in state.items():
            if isinstance(key, tuple) and (key[1].lstrip("@!") in written or (key[0] in written and not step.guard)):
                continue
            # Written under another condition: under this one it is what it was or what was written.
            after[key] = labels | value if isinstance(key, tuple) and key[0] in written and key[1] != otherwise else labels
        for name in step.writes:
            if step.condition and not written & {step.guard}:
                after[name, step.condition] = value
            # Written under both conditions, it holds nothing of what was before.
            kept = after.get((name, otherwise), state.get(name, frozenset())) if step.guard else frozenset()
            if kept | value:
                after[name] = kept | value
            else:
                after.pop(name, None)
        always = not step.text.startswith("@")
        ends = step.unit in ("EXIT", "RET") and always
        jumps = step.unit == "BRA" and always and len(step.operands) == 1
        following = [] if ends or jumps or i + 1 >= len(steps) else [i + 1]
        if step.target is not None and step.target in at:
            following.append(at[step.target])
        for j in following:
            if states[j] is None:
                states[j] = dict(after)
                work.append(j)
                continue
            grown = False
            for name in [name for name in states[j] if isinstance(name, tuple) and name not in after]:
                del states[j][name]  # what holds under a condition holds only if it does wherever one comes from
                grown = True
            for name, labels in after.items():
                if isinstance(name, tuple) and name not in states[j]:
                    continue
                if not labels <= states[j].get(name, frozenset()):
                    states[j][name] = states[j].get(name, frozenset()) | labels
                    grown = True
            if grown:
                work.append(j)
    return [found[address] for address in sorted(found)]
