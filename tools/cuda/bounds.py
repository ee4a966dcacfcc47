# SPDX-License-Identifier: Apache-2.0
"""What one H100 could do at best, from the machine code of the kernels: instructions in loops, times how often the loops go
round.

How often follows from the shapes of cuda/device/kernels.hpp, which a small program prints, and from the structure of the kernels,
which is known here by the instructions that their loops are made of.  Each kernel is bounded by the slowest of: logic (64 lanes a
cycle), multiplications of integers, which moves may be, too (64 lanes), instructions issued (128 lanes), shared memory (128
bytes), memory of the device.  Kernels run one after another.  Not in it: latency, the tail of a launch, copies.
"""

import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from machine_code import alu, multiplications, total

ROOT = Path(__file__).resolve().parent.parent.parent

MULTIPROCESSORS, CLOCK, MEMORY_BYTES = 132, 1.98e9, 3.35e12
BYTES_PER_CYCLE = MEMORY_BYTES / MULTIPROCESSORS / CLOCK
ATTEMPTS = {
    "MAYO-1": 1.071,
    "MAYO-2": 1.0,
    "MAYO-3": 1.0,
    "MAYO-5": 1.0,
}  # for a signature, where it is more than one in a thousand
SHARED_OPS = ("LDS", "STS", "ATOMS")
# Accesses of LDS.128 where all lanes read one place.  Four registers for each lane come back at 128 bytes a cycle, two at a time
# where neighbours read the same (said by NVIDIA of capability 7, forum of its developers, thread 77228; not measured here).
BROADCAST = 2

# Operations per second that a bound has to reach.
GOALS = {"verify, one key": 10e6, "verify, distinct keys": 2.5e6, "sign, one key": 4e6}
TOLERANCE_OF_MODEL = 0.15
# Section "arithmetic options" of the design: instructions of the logic unit, and accesses to shared memory, for the work of each
# kernel.
BY_MASKS, BY_TABLES, TABLE_BYTES = 0.5, 0.114, 0.25  # for each multiplication in GF(16)
AES_LOGIC, AES_LOADS = 237, 148  # for each block
KECCAK_ROUND = 136 + 58
SOLVE = 0.4e6  # for MAYO-1, an estimate

# Whole kernels that may be further over the model than 15 %: how much, and why.  None is.  The innermost loops have no
# exceptions.
EXCEPTIONS = {}

FIELDS = (
    "n m o k v mvector_words P_entries public_words secret_words verify_product_words keygen_product_words "
    "sign_product_words s_bytes solve_M_words whipped_words table_rows table_steps table_columns"
).split()
PRINTER = """#include <stdio.h>
#include "cuda/device/kernels.hpp"
using namespace aioli::cuda;
struct All : SetLayout {
  unsigned solve_M_words, whipped_words;
};
int main() {
  const All s = {set_layout<aioli::PARAMS>(), Layout<aioli::PARAMS>::solve_M_words, Layout<aioli::PARAMS>::whipped_words};
  FIELDS
#define AIOLI_KERNEL(step, Args) \\
  printf("threads %s %u\\nblocks %s %u\\nrows %s %u\\nshared %s %u\\n", #step, s.shape[step_##step].threads, \\
         #step, s.shape[step_##step].blocks, \\
         #step, s.shape[step_##step].rows, #step, s.shape[step_##step].shared_bytes);
#include "cuda/device/kernels.def"
}
"""


class Set:
    """Sizes and shapes of one set, as the kernels have them."""

    def __init__(self, name):
        self.name = name
        registry = (ROOT / "src/abi/registry.def").read_text()
        params = re.search(rf'AIOLI_SET\(\w+, "{name}", \w+, \d, \w+, (\w+)\)', registry).group(1)
        prints = "\n".join(f'  printf("{f} %u\\n", s.{f});' for f in FIELDS)
        with tempfile.TemporaryDirectory() as directory:
            source, program = Path(directory, "layout.cpp"), Path(directory, "layout")
            source.write_text(PRINTER.replace("PARAMS", params).replace("FIELDS", prints))
            subprocess.run(["g++", "-std=c++20", f"-I{ROOT}/src", source, "-o", program], check=True)
            lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        self.threads, self.blocks, self.rows, self.shared = {}, {}, {}, {}
        for line in lines:
            words = line.split()
            if len(words) == 3:
                getattr(self, words[0])[words[1]] = int(words[2])
            else:
                setattr(self, words[0], int(words[1]))
        self.m_bytes = self.m // 2


@dataclass
class Cost:
    """Of one row: instructions of warps, by limit; shared memory in accesses of 128 bytes; bytes of the device's memory."""

    alu: float = 0
    multiplications: float = 0
    issued: float = 0
    shared: float = 0
    memory: float = 0

    def add(self, count, names, times, wide=BROADCAST):
        """`times` executions, by a warp, of what is counted; `wide`: how many accesses LDS.128 takes."""
        self.alu += times * alu(count)
        self.multiplications += times * multiplications(count)
        self.issued += times * total(count)
        for name, n in names.items():
            if name.split(".")[0] in SHARED_OPS:
                self.shared += times * n * (wide if name.endswith(".128") else 2 if name.endswith(".64") else 1)

    @property
    def limits(self):
        return {
            "logic": self.alu / 2,
            "multiplications": self.multiplications / 2,
            "issue": self.issued / 4,
            "shared": self.shared,
            "memory": self.memory / BYTES_PER_CYCLE,
        }

    @property
    def limit(self):
        return max(self.limits, key=self.limits.get)

    @property
    def cycles(self):
        return max(self.limits.values())

    def times(self, factor):
        return Cost(
            self.alu * factor, self.multiplications * factor, self.issued * factor, self.shared * factor, self.memory * factor
        )


@dataclass
class Bound:
    kernels: dict

    def cycles(self, kernel):
        return self.kernels[kernel].cycles if kernel in self.kernels else 0

    @property
    def rate(self):
        return MULTIPROCESSORS * CLOCK / sum(cost.cycles for cost in self.kernels.values())


def logic(loop):
    return loop.count["LOP3"]


def main_loop(code):
    return max(
        (
            loop
            for loop in code.loops
            if not any(loop.first <= other.first and other.last <= loop.last for other in code.loops if other is not loop)
        ),
        key=logic,
    )


def has(loop, unit):
    return loop.count[unit] > 0


# ---- products by masks -----------------------------------------------------------------------------------------------------


TOGETHER = 4  # steps of a walk that a round of its main loop has


class Stretch:
    """32 units, pairs of words, in a row: the steps along a matrix that its warp takes, one at a time and TOGETHER at a time."""

    def __init__(self, number, rows, words):
        pairs = words // 2
        self.first, self.last = 32 * number // pairs, min((32 * number + 31) // pairs, rows - 1)
        self.complete = min((32 * number + 32) // pairs, rows)
        self.single = self.together = 0

    def walk(self, begin, full, end):
        full = max(full, begin)
        full += (end - full) % TOGETHER
        self.single += full - begin
        self.together += end - full


def verify_walk(at, s):
    within = at.last < s.v
    begin = at.complete if within else at.first + 1
    if at.first < s.v:
        at.walk(begin, min(at.last + 1, s.v), s.v)
    at.walk(max(begin, s.v), at.last + 1, s.n)
    return within


def sign_walk(at, s):
    within = at.first >= s.o  # columns of L, all of length v, come first; then the triangle of P1
    at.walk(at.complete - s.o if within else 1, at.last - s.o + 1, s.v)
    return within


def keygen_walk(at, s):
    at.walk(at.complete, at.last + 1, s.v)
    return True


def forms_walk(at, s):  # has nothing in common to leave out
    above = max(0, at.first - 1) // TOGETHER * TOGETHER  # behind step 0, which begins the sums
    at.together += above
    at.walk(1 + above, at.last + 1, s.v)
    return True


def clearing(code):
    """The loop behind everything that clears shared memory, if there is one."""
    last = code.loops[-1]
    return last if last.depth == 0 and total(last.count) < 10 and last.names["STS.128"] == 1 else None


def cost_of_times(code, s, kernel, columns, length, rows, walk, memory):
    """verify_times, sign_times, keygen_times, linear_forms: stretches of 32 units, the elements that its rows have in common
    first, if all are in P1."""
    cost = Cost(memory=memory)
    words, threads = s.mvector_words, s.threads[kernel]
    warps = s.blocks[kernel] * threads // 32
    steps = lambda loop: round(logic(loop) / (8 * columns))  # noqa: E731
    fill = code.loops[0]
    clear = clearing(code)
    outer = max((loop for loop in code.loops[1:] if loop.depth == 0), key=lambda loop: total(loop.count))
    inner = [loop for loop in code.loops if loop.depth == 1]
    main = max((loop for loop in inner if steps(loop) == TOGETHER), key=lambda loop: total(loop.count))
    one = max((loop for loop in inner if steps(loop) == 1), key=lambda loop: total(loop.count))
    # What the outer loop has for each element that rows of a stretch have in common, unrolled; more around it is counted for all
    # stretches.
    each = -(-32 // (words // 2)) // 2
    common = Counter({"LOP3": 8 * columns * each, "LDS": columns * each})
    for number in range(-(-rows * words // 2 // 32)):
        at = Stretch(number, rows, words)
        within = walk(at, s)
        cost.add(main.count, main.names, at.together / TOGETHER)
        cost.add(one.count, one.names, at.single)
        cost.add(outer.count, outer.names, 1, 4)
        if not within:
            cost.add(common, Counter({"LDS.128": common["LDS"]}), -1, 4)
    cost.add(fill.count, fill.names, warps * -(-(-(-length // 2) * columns) // threads), 4)
    if clear:
        cost.add(clear.count, clear.names, warps * -(-length * columns // threads), 4)
    cost.add(code.outside.count, code.outside.names, warps)
    return cost


def cost_of_sums(code, s, kernel, columns, length, memory):
    """A block has several rows of the batch.  Masks lie apart for them, so that LDS.128 takes four accesses where lanes of a warp
    are of two rows."""
    cost = Cost(memory=memory)
    words, threads = s.mvector_words, s.threads[kernel]
    warps, rows = threads // 32, s.rows[kernel]
    steps = lambda loop: round(logic(loop) / (8 * columns))  # noqa: E731
    main = main_loop(code)
    left_over = [loop for loop in code.loops if loop is not main and steps(loop) == 1]  # or no loop, if it is a single step
    for loop in left_over:
        cost.add(loop.count, loop.names, warps * (length % steps(main)), 4)
    before = [loop for loop in code.loops if loop.first < main.first and loop not in left_over]
    after = [loop for loop in code.loops if loop.first > main.first and loop not in left_over]
    cost.add(main.count, main.names, warps * (length // steps(main)), 4)
    for loop in before:
        if loop.depth == 1:  # masks of one row
            trips = rows * -(-(-(-length // 2) * columns) // threads)
        elif any(other.depth == 1 and loop.first < other.first < loop.last for other in before):  # the rows
            trips = rows
        else:  # zeros for the sums to be whipped
            trips = -(-rows * 8 * s.whipped_words // threads)
        cost.add(loop.count, loop.names, trips * warps, 4)
    clear = clearing(code)
    for loop in after:
        if loop is clear:
            trips = -(-s.shared[kernel] // 16 // threads) * warps
        elif has(loop, "STG") and kernel == "keygen_sums":  # P3
            trips = -(-rows * columns * (columns + 1) // 2 * words // threads) * warps
        else:  # whipping, by a warp for each row
            trips = rows
        cost.add(loop.count, loop.names, trips, 4)
    cost.add(code.outside.count, code.outside.names, warps, 4)
    return Cost(cost.alu / rows, cost.multiplications / rows, cost.issued / rows, cost.shared / rows, memory)


# ---- tables, AES, Keccak, the solver ---------------------------------------------------------------------------------------


def cost_of_tables(code, s):
    """A block makes a window of 32 words for a tile of rows; windows further down begin at later steps."""
    cost = Cost(memory=4 * s.verify_product_words)
    main = main_loop(code)
    warps = s.threads["verify_tables"] // 32
    steps = sum(s.table_steps - window * 32 // s.mvector_words // 4 for window in range(s.blocks["verify_tables"]))
    share = warps / s.table_rows
    cost.add(main.count, main.names, steps * share, 4)
    for loop in code.loops:
        if loop is not main:  # times x^b, b = 0 .. 3
            cost.add(loop.count, loop.names, steps * share * 1.5 if loop.depth else share)
    cost.add(code.outside.count, code.outside.names, s.blocks["verify_tables"] * share, 4)
    return cost


def block_loop(code):
    return max(code.loops, key=lambda loop: loop.count["LDS"])


def cost_of_expand(code, s, entries, stored_words):
    cost = Cost(memory=4 * stored_words)
    main = block_loop(code)
    per_task = (16 * 256 - 15) // s.m_bytes
    tasks = -(-entries // per_task)
    blocks = entries * s.m_bytes / 16 + (tasks * 0.5 if s.m_bytes % 16 else 0)
    cost.add(main.count, main.names, blocks / 32)
    for loop in code.loops:
        if loop is not main and loop.first < main.first < loop.last:
            cost.add(loop.count, loop.names, tasks)
        elif main.first < loop.first < main.last:  # words out of what 32 blocks hold
            cost.add(loop.count, loop.names, entries * s.mvector_words / 32)
    return cost


def keccak_loops(code):
    return [loop for loop in code.loops if logic(loop) > 100 and loop.count["SHF"] > 50]


def cost_of_hash(code, permutations):
    """A thread for each row."""
    cost = Cost()
    for loop in keccak_loops(code)[:1]:
        rounds = round(loop.count["SHF"] / 58)
        cost.add(loop.count, loop.names, permutations * 24 / rounds / 32)
    cost.add(code.outside.count, code.outside.names, max(1, permutations) / 32)
    return cost


def cost_of_threads(code, trips=1, lanes=32):
    cost = Cost()
    for loop in code.loops:
        cost.add(loop.count, loop.names, trips / lanes)
    cost.add(code.outside.count, code.outside.names, 1 / lanes)
    return cost


def cost_of_solve(code, s):
    """A warp for each row."""
    cost = Cost(memory=4 * s.k * s.o * s.mvector_words)
    rows_of_oil = -(-s.v // 32)
    inside = lambda loop: loop.depth > 0  # noqa: E731
    for loop in code.loops:
        if has(loop, "REDUX"):
            trips = min(8, s.m)  # elimination of a word's equations; the last word has fewer
        elif has(loop, "STG"):
            trips = -(-s.s_bytes // 32) / loop.count["STG"]
        elif loop.names["LDS.128"] and loop.count["IMAD"] > 10 and not has(loop, "LDG"):
            trips = 8  # and what its pivots are for the words behind
        elif has(loop, "LDC") and loop.count["LDS"] >= s.whipped_words:
            trips = s.k // (loop.count["LDS"] // s.whipped_words)  # columns of A; what is left over of them stands outside
        elif has(loop, "LDG") and has(loop, "STS") and inside(loop):
            trips = rows_of_oil * s.k / loop.count["STS"]  # elements of s
        elif any(inside(other) and loop.first < other.first < loop.last for other in code.loops):
            trips = rows_of_oil
        elif has(loop, "STS") and has(loop, "LDG"):
            trips = -(-s.o * s.mvector_words // 32)  # M
        else:
            trips = s.solve_M_words / 32 / max(1, loop.count["STS"])  # clearing
        cost.add(loop.count, loop.names, trips)
    cost.add(code.outside.count, code.outside.names, 1)
    return cost


# ---- operations ------------------------------------------------------------------------------------------------------------


def permutations(n):
    return n // 136 + 1


def bounds(code, s):
    n, o, k, v, words = s.n, s.o, s.k, s.v, s.mvector_words
    vinegar = k * ((v + 1) // 2) + (k * o + 1) // 2
    oil = (v * o + 1) // 2 + 16
    row = {
        "hash_messages": cost_of_hash(code["hash_messages"], 1),
        "hash_targets": cost_of_hash(code["hash_targets"], 1),
        "schedule_keys": cost_of_threads(code["schedule_keys"], 10),
        "expand (lambda)": cost_of_expand(code["expand"], s, n, n * words),
    }
    public = {
        "schedule_keys ": cost_of_threads(code["schedule_keys"], 10),
        "expand (P)": cost_of_expand(code["expand"], s, s.P_entries, s.secret_words),
    }
    unpack = {"unpack_oil": cost_of_threads(code["unpack_oil"], o * (o + 1) // 2 * words)}
    sums = {"verify_sums": cost_of_sums(code["verify_sums"], s, "verify_sums", k, n, 4 * s.verify_product_words)}
    # A key's P is read by each row; from the second-level cache where it was made for the row alone.
    masks = cost_of_times(code["verify_times"], s, "verify_times", k, n, n, verify_walk, 4 * s.verify_product_words)
    stored = Cost(masks.alu, masks.multiplications, masks.issued, masks.shared, masks.memory + 4 * s.public_words)
    tables = {
        "verify_indices": cost_of_threads(code["verify_indices"], s.table_steps * s.table_columns / s.table_rows),
        "verify_tables": cost_of_tables(code["verify_tables"], s),
    }
    seeds = {"expand_seeds": cost_of_hash(code["expand_seeds"], permutations(oil))}
    attempt = {
        "sign_vinegar": cost_of_hash(code["sign_vinegar"], permutations(vinegar)),
        "sign_times": cost_of_times(code["sign_times"], s, "sign_times", k, v, v + o, sign_walk, 4 * s.sign_product_words),
        "sign_sums": cost_of_sums(code["sign_sums"], s, "sign_sums", k, v, 4 * s.sign_product_words),
        "sign_solve": cost_of_solve(code["sign_solve"], s),
    }
    attempt = {kernel: cost.times(ATTEMPTS.get(s.name, 1)) for kernel, cost in attempt.items()}
    signing = {
        **row,
        "sign_salts": cost_of_hash(code["sign_salts"], 1),
        "sign_oil_terms": cost_of_threads(code["sign_oil_terms"], v / (32 // words), 1),
        **attempt,
    }
    forms = {"linear_forms": cost_of_times(code["linear_forms"], s, "linear_forms", o, v, v, forms_walk, 4 * s.secret_words)}
    keygen = {
        "keygen_times": cost_of_times(code["keygen_times"], s, "keygen_times", o, v, v, keygen_walk, 4 * s.keygen_product_words),
        "keygen_sums": cost_of_sums(code["keygen_sums"], s, "keygen_sums", o, v, 4 * s.keygen_product_words),
    }
    return {
        "verify, one key": Bound({**row, **tables, **sums}),
        "verify, expanded keys kept": Bound({**row, "verify_times": stored, **sums}),
        "verify, distinct keys": Bound({**row, **public, **unpack, "verify_times": masks, **sums}),
        "sign, one key": Bound(signing),
        "sign, distinct keys": Bound({**seeds, **public, **forms, **signing}),
        "keygen": Bound({**seeds, **public, **keygen}),
    }


def model_figures(code, s):
    """{what: (machine code, model, how much more)} of the innermost loops."""
    tables = main_loop(code["verify_tables"])
    lookups = 2 * s.table_columns * 8 // s.threads["verify_tables"]  # of a thread in a step
    # A look-up is 4 words of 8 elements, each the product of two pairs.
    by_tables = lookups * 4 * 8 * 2
    aes = block_loop(code["expand"])
    figures = {}
    for kernel, columns in (
        ("verify_times", s.k),
        ("sign_times", s.k),
        ("keygen_times", s.o),
        ("linear_forms", s.o),
        ("verify_sums", s.k),
        ("sign_sums", s.k),
        ("keygen_sums", s.o),
    ):
        loop = main_loop(code[kernel])
        unroll = round(logic(loop) / (8 * columns))
        figures[f"{kernel}: instructions for each multiplication"] = alu(loop.count) / (unroll * 2 * 8 * columns), BY_MASKS
    figures["verify_tables: instructions for each multiplication"] = alu(tables.count) / by_tables, BY_TABLES
    figures["verify_tables: shared bytes for each multiplication"] = 16 * lookups / by_tables, TABLE_BYTES
    figures["expand: instructions for each block"] = alu(aes.count), AES_LOGIC
    figures["expand: shared loads for each block"] = aes.count["LDS"], AES_LOADS
    for kernel in ("hash_messages", "hash_targets", "expand_seeds", "sign_salts", "sign_vinegar"):
        loop = keccak_loops(code[kernel])[0]
        figures[f"{kernel}: instructions for each round of Keccak"] = (
            alu(loop.count) / round(loop.count["SHF"] / 58),
            KECCAK_ROUND,
        )
    return {what: (figure, model, figure / model - 1) for what, (figure, model) in figures.items()}


def kernel_figures(code, s):
    """{kernel: (instructions of the logic unit for a row, in all lanes, of the whole kernel; model; how much more)}"""
    n, o, k, v, m = s.n, s.o, s.k, s.v, s.m
    model = {
        "verify_times": BY_MASKS * n * (n + 1) / 2 * k * m,
        "sign_times": BY_MASKS * (v * (v + 1) / 2 + o * v) * k * m,
        "keygen_times": BY_MASKS * v * (v + 1) / 2 * o * m,
        "linear_forms": BY_MASKS * v * (v - 1) * o * m,
        "verify_sums": BY_MASKS * k * k * n * m,
        "sign_sums": BY_MASKS * k * k * v * m,
        "keygen_sums": BY_MASKS * o * o * v * m,
        "verify_tables": BY_TABLES * n * (n + 1) / 2 * k * m,
        "expand (P)": AES_LOGIC * s.P_entries * m / 32,
    }
    if s.name == "MAYO-1":
        model["sign_solve"] = SOLVE
    whole = {kernel: cost for bound in bounds(code, s).values() for kernel, cost in bound.kernels.items()}
    whole["sign_solve"] = cost_of_solve(code["sign_solve"], s)
    for kernel in ("sign_times", "sign_sums"):
        whole[kernel] = whole[kernel].times(1 / ATTEMPTS.get(s.name, 1))
    figures = {kernel: (32 * whole[kernel].alu, wanted) for kernel, wanted in model.items()}
    return {kernel: (figure, wanted, figure / wanted - 1) for kernel, (figure, wanted) in figures.items()}
