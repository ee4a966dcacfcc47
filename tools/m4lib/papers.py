# SPDX-License-Identifier: Apache-2.0
"""The tables of the two papers that put MAYO on the Cortex-M4, with what is counted here: in the pages of research/ that show
them."""

import json
import re

from m4lib import armv7m, board, nibbling, tables

PAGES = {"nibbling": board.ROOT / "research/nibbling/README.md", "armv7m": board.ROOT / "research/mayo_armv7m/README.md"}


def millions(instructions, cycles):
    return f"{instructions / 1e6:.2f} / {cycles / 1e6:.2f}"


def variant(policies):
    """Signing and verifying of the ARMv7-M variant: what the paper says, what its code takes here, and ours; for one attempt.
    And problems."""
    figures, lines, problems = json.loads(armv7m.FIGURES.read_text()), [], []
    measured = {}
    for policy in policies:
        measured[policy], _, more = armv7m.measure(policy)
        problems += more
    for name, paper in figures["paper_kilocycles"].items():
        for operation in ("sign", "verify"):
            instructions, cycles = figures["published"][name][operation], figures["published_model_cycles"][name][operation]
            line = [name, operation, f"{paper[operation]:,}", millions(instructions, cycles)]
            for policy in policies:
                region = measured[policy][name][operation][0]
                line += [
                    millions(region.instructions, region.cycles),
                    f"{instructions / region.instructions:.2f} / {cycles / region.cycles:.2f}",
                ]
            lines.append(line)
    header = ["set", "operation", "paper, k-cycles", "its code"]
    for policy in policies:
        header += [policy, "ratio"]
    return tables.markdown(header, lines), problems


def documents(rows, policies):
    """Rewrites the tables in the pages; `rows` are nibbling's.  Returns problems."""
    beside, problems = variant(policies)
    print("\n" + beside)
    for name, table in {"nibbling": nibbling.markdown(rows), "armv7m": beside}.items():
        place = re.compile(rf"(<!-- papers: {name} -->\n).*?(<!-- /papers -->)", re.S)
        PAGES[name].write_text(place.sub(lambda match: match.group(1) + table + "\n" + match.group(2), PAGES[name].read_text()))
    return problems
