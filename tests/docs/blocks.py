# SPDX-License-Identifier: Apache-2.0
"""usage: blocks.py LANGUAGE PAGE... DIRECTORY

Writes each fenced block of that language in the pages to DIRECTORY/PAGE-NUMBER.LANGUAGE, for a compiler or a shell.  A page
without one is an error.
"""

import re
import sys
from pathlib import Path


def blocks(page, language):
    found = re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", Path(page).read_text(), flags=re.M | re.S)
    if not found:
        sys.exit(f"{page} has no block of {language}")
    return found


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    for page in sys.argv[2:-1]:
        for i, block in enumerate(blocks(page, sys.argv[1])):
            (Path(sys.argv[-1]) / f"{Path(page).stem}-{i}.{sys.argv[1]}").write_text(block)
