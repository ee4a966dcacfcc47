# SPDX-License-Identifier: Apache-2.0
"""The examples of the documents do what they say."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), flags=re.M | re.S)


PAGES = [
    ("docs/python.md", 5),
    ("docs/columns.md", 3),
    ("docs/start/python.md", 1),
    ("bindings/python/README.md", 1),
    ("README.md", 1),
]


@pytest.mark.parametrize("page, least", PAGES)
def test_examples(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert len(found) >= least
    scope = {}
    for i, block in enumerate(found):
        exec(compile(block, f"{page}, example {i}", "exec"), scope)  # noqa: S102


def test_figures_are_those_of_the_record():
    sys.path.insert(0, str(ROOT / "bindings/python/bench"))
    import columns

    page = (ROOT / "docs/columns.md").read_text()
    (record,) = re.findall(r"\((\.\./bench/results/columns/[^)]*\.json)\)", page)
    assert columns.table(json.loads((ROOT / "docs" / record).read_text())) in page
