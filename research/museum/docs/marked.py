# SPDX-License-Identifier: Apache-2.0
"""The parts of pages that programs write: what stands between <!-- NAME: begin --> and <!-- NAME: end -->."""


def with_part(text, name, part):
    """The page `text` with `part` between the two marks."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = text.split(begin)
    return before + begin + "\n" + part + "\n" + end + rest.split(end)[1]
