# SPDX-License-Identifier: Apache-2.0
"""Reads what cuobjdump --dump-sass prints: functions, their instructions, their loops."""

import re
from collections import Counter
from dataclasses import dataclass, field

# By the unit that executes them, on Hopper.  What is in neither is counted as issued only.
ALU = {
    "LOP3", "SHF", "PRMT", "IADD3", "ISETP", "SEL", "LEA", "MOV", "PLOP3", "VOTE", "BMSK", "SGXT", "VIADD", "VIMNMX", "IMNMX",
    "POPC",
    "FLO", "BREV", "IABS", "P2R", "R2P", "CS2R", "VIADDMNMX", "LOP", "REDUX",
}  # fmt: skip
FMA = {"IMAD"}  # as fast as the ALU and beside it; moves among them
SPILLS = {"LDL", "STL"}

ARCHITECTURE = re.compile(r"arch = (\S+)")
RESOURCES = re.compile(r"\s+REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)")
FUNCTION = re.compile(r"\s*Function (?:: )?(\S+)")
INSTRUCTION = re.compile(r"\s+/\*([0-9a-f]{4,6})\*/\s+(.*?);")
BRANCH = re.compile(r"\bBRA(?:\.\w+)*\s+(?:!?U?P\w+,\s*)?(?:`\(\S+\)|(0x[0-9a-f]+))")


@dataclass
class Instruction:
    address: int
    text: str

    @property
    def name(self):  # "LDS.128"
        words = [w for w in self.text.split() if not w.startswith("@")]
        return words[0]

    @property
    def unit(self):  # "LDS"
        return self.name.split(".")[0]

    @property
    def target(self):
        match = BRANCH.search(self.text)
        return int(match.group(1), 16) if match and match.group(1) else None


@dataclass
class Loop:
    first: int
    last: int
    count: Counter = field(default_factory=Counter)  # by unit, what inner loops have left out
    names: Counter = field(default_factory=Counter)
    depth: int = 0


class Code:
    """Of one function."""

    def __init__(self, instructions):
        self.instructions = instructions
        self.loops = []
        for i in instructions:
            if i.target is not None and i.target < i.address:
                self.loops.append(Loop(i.target, i.address))
        # Two branches back to one place are one loop.
        merged = {}
        for loop in self.loops:
            if loop.first in merged:
                merged[loop.first].last = max(merged[loop.first].last, loop.last)
            else:
                merged[loop.first] = loop
        self.loops = sorted(merged.values(), key=lambda loop: (loop.first, -loop.last))
        for loop in self.loops:
            loop.depth = sum(o is not loop and o.first <= loop.first and loop.last <= o.last for o in self.loops)
        self.outside = Loop(0, 1 << 60)
        for i in instructions:
            at = self.innermost(i.address)
            at.count[i.unit] += 1
            at.names[i.name] += 1

    def innermost(self, address):
        inside = [loop for loop in self.loops if loop.first <= address <= loop.last]
        return max(inside, key=lambda loop: loop.depth) if inside else self.outside

    @property
    def spills(self):
        return sum(i.unit in SPILLS for i in self.instructions)


def alu(count):
    return sum(n for unit, n in count.items() if unit in ALU)


def multiplications(count):
    return sum(n for unit, n in count.items() if unit in FMA)


def total(count):
    return sum(n for unit, n in count.items() if unit != "NOP")


def read(text):
    """{function: Code} of a disassembly."""
    functions = {}
    name = None
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            name = match.group(1)
            functions[name] = []
            continue
        match = INSTRUCTION.match(line)
        if match and name:
            functions[name].append(Instruction(int(match.group(1), 16), match.group(2).strip()))
    return {name: Code(instructions) for name, instructions in functions.items()}


def read_resources(text):
    """{architecture: {function: bytes of local memory for a thread}}, which is the stack, spilled registers included; of
    cuobjdump --dump-resource-usage."""
    used = {}
    architecture = name = None
    for line in text.splitlines():
        if match := ARCHITECTURE.match(line):
            architecture = match.group(1)
        elif match := FUNCTION.match(line):
            name = match.group(1).rstrip(":")
        elif (match := RESOURCES.match(line)) and architecture and name:
            used.setdefault(architecture, {})[name] = int(match.group(2)) + int(match.group(3))
    return used
