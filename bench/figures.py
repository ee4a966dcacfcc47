# SPDX-License-Identifier: Apache-2.0
"""matplotlib, set up so that the same data give the same bytes: no date, no random identifiers, text that stays text."""

import io
import re

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update(
    {"svg.fonttype": "none", "svg.hashsalt": "aioli", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
)
import matplotlib.pyplot as plt  # noqa: E402


def svg(figure):
    """The figure's text, with a line for each path; closes it."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(figure)
    return re.sub(r" +\n|\n(?=z)", " ", out.getvalue()).rstrip() + "\n"
