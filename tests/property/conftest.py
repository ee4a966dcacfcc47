# SPDX-License-Identifier: Apache-2.0
"""Where the library and the model are, and how hard hypothesis tries.

AIOLI_LIB               the shared library under test; there is no default and nothing is skipped without it
AIOLI_PROPERTY_PROFILE  ci (the default: about a minute on one core) or nightly (ten times the examples)
"""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "model")]  # aioli_model, make_vectors

from aioli_model import PARAMETER_SETS, Params  # noqa: E402
from capi import Aioli, Alg  # noqa: E402

# How many examples every property gets per parameter set, as a multiple of the numbers written at the tests.
_FACTORS = {"ci": 1, "nightly": 10}
PROFILE = os.environ.get("AIOLI_PROPERTY_PROFILE", "ci")
if PROFILE not in _FACTORS:
    raise pytest.UsageError(f"AIOLI_PROPERTY_PROFILE is {PROFILE!r}; it must be one of {', '.join(_FACTORS)}")

# Examples are new in every run; a failing one is printed with the line that replays it.  Keys and messages are hashed, so smaller
# ones are seldom simpler: only the nightly profile takes the minutes to shrink them.  A new key takes the model a while, hence no
# deadline.
settings.register_profile(
    "aioli",
    deadline=None,
    database=None,
    print_blob=True,
    phases=[Phase.explicit, Phase.generate] + ([Phase.shrink] if PROFILE == "nightly" else []),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("aioli")


def examples(number: int) -> settings:
    return settings(max_examples=number * _FACTORS[PROFILE])


def pytest_configure(config: pytest.Config) -> None:
    if not os.environ.get("AIOLI_LIB"):
        raise pytest.UsageError("AIOLI_LIB must name the shared library under test")


@pytest.fixture(scope="session")
def lib() -> Aioli:
    return Aioli(os.environ["AIOLI_LIB"])


@pytest.fixture(scope="session", params=PARAMETER_SETS, ids=lambda params: params.name)
def params(request: pytest.FixtureRequest) -> Params:
    return request.param


@pytest.fixture(scope="session")
def alg(lib: Aioli, params: Params) -> Alg:
    return lib.alg(params.name)
