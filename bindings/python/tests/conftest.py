# SPDX-License-Identifier: Apache-2.0
"""The model of the repository is what the package is compared with."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "model"))
settings.register_profile("aioli", deadline=None, database=None, print_blob=True, max_examples=12)
settings.load_profile("aioli")
