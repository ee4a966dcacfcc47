# SPDX-License-Identifier: Apache-2.0
"""What the counting plugin wrote, by function and by class."""

import bisect
import re
import subprocess
from dataclasses import dataclass, field

# The class of a function, by the first pattern that its name (without template arguments) matches.
CLASSES = [
    ("AES", re.compile(r"aes|sub_word", re.I)),
    ("SHAKE", re.compile(r"keccak|shake", re.I)),
    ("field", re.compile(r"aioli::|m4_|gf16")),  # kernels, solver, whipping and what was inlined into the scheme
    ("other", re.compile(r"")),
]


@dataclass
class Region:
    number: int
    instructions: int
    cycles: int
    divisions: int
    trace: str
    addresses: list = field(default_factory=list)  # (address, instructions, cycles)


def regions(lines):
    found = []
    for line in lines:
        words = line.split()
        if words[0] == "region":
            found.append(Region(int(words[1]), int(words[2]), int(words[3]), int(words[4]), words[5]))
        else:
            found[-1].addresses.append((int(words[0], 16), int(words[1]), int(words[2])))
    return found


class Symbols:
    """The functions of an image."""

    def __init__(self, image):
        listed = subprocess.run(["arm-none-eabi-nm", "-n", "-C", image], capture_output=True, text=True, check=True).stdout
        rows = re.findall(r"^([0-9a-f]+) [tTwW] (.+)$", listed, re.M)
        self.addresses = [int(address, 16) for address, _ in rows]
        self.names = [name for _, name in rows]

    def function(self, address):
        at = bisect.bisect_right(self.addresses, address) - 1
        return self.names[at] if at >= 0 else "?"


def short(name):
    """Without template arguments, parameters and our namespaces."""
    plain, depth = "", 0
    for c in name.replace("(anonymous namespace)::", "").replace("operator()", "call"):
        depth += c in "<("
        if depth == 0:
            plain += c
        depth -= c in ">)"
    return plain.split(" const")[0].split(" [clone")[0].split(" ")[-1]


def shares(region, symbols):
    """Of the model's cycles: AES, SHAKE."""
    classes = by_class(region, symbols)
    return classes["AES"][1] / region.cycles, classes["SHAKE"][1] / region.cycles


def class_of(name):
    plain = short(name)
    return next(label for label, pattern in CLASSES if pattern.search(plain))


def by_function(region, symbols):
    """{name: [instructions, cycles]}, most cycles first"""
    sums = {}
    for address, instructions, cycles in region.addresses:
        entry = sums.setdefault(symbols.function(address), [0, 0])
        entry[0] += instructions
        entry[1] += cycles
    return dict(sorted(sums.items(), key=lambda item: -item[1][1]))


def by_class(region, symbols):
    """{class: [instructions, cycles]}"""
    sums = {label: [0, 0] for label, _ in CLASSES}
    for name, (instructions, cycles) in by_function(region, symbols).items():
        entry = sums[class_of(name)]
        entry[0] += instructions
        entry[1] += cycles
    return sums


def annotated(image, region, least):
    """Lines of the disassembly that took at least `least` of the region's cycles, with instructions and cycles before them."""
    counts = {address: (instructions, cycles) for address, instructions, cycles in region.addresses}
    listed = subprocess.run(["arm-none-eabi-objdump", "-d", "-C", image], capture_output=True, text=True, check=True).stdout
    out = []
    for line in listed.splitlines():
        match = re.match(r"\s+([0-9a-f]+):\t(.*)", line)
        if match and counts.get(int(match.group(1), 16), (0, 0))[1] >= least * region.cycles:
            out.append("{:>12,}{:>12,}  {}".format(*counts[int(match.group(1), 16)], line.expandtabs(4).strip()))
        elif line.endswith(">:"):
            out.append(line)
    return [line for i, line in enumerate(out) if not (line.endswith(">:") and (i + 1 == len(out) or out[i + 1].endswith(">:")))]
