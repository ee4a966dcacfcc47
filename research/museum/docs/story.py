#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table and the figures of story.md, the first from one list, and the commands on that page.

usage: story.py docs                  rewrite table and figures
       story.py check                 exit status 1 if the page or a figure shows something else
       story.py run PROGRAMS...       run every command on the page; exit status 1 if one fails, or if there are none
                                      PROGRAMS: the directories that hold museum_kipnis_shamir and the others

Standard library only.
"""

import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from drawing import GREY, INK, PAPER, SECOND, THIRD, svg, text
from make_pages import RANK_PROBLEMS
from marked import with_part

HERE = Path(__file__).resolve().parent
PAGE, FIGURES = HERE / "story.md", HERE / "figures"
NOW = 2026
STATUS = "[status](../../../docs/security-status.md)"
QUARTZ = RANK_PROBLEMS["QUARTZ: HFEv-, n = 103, D = 129"].costs()[1]  # by Wiedemann's algorithm


@dataclass
class Scheme:
    name: str
    line: str  # of the family: "field" or "oil"; or "none"
    born: int
    source: str
    broken: int | None  # by a published attack
    by: str  # or what is known of one that stands
    link: str  # where it is here
    programs: list  # that break it
    short: int | None = None  # since then it, or sets of it, are short of the claim, or broken here alone
    stands: bool = False


SCHEMES = [
    Scheme(
        "C*",
        "field",
        1988,
        "Matsumoto, Imai, EUROCRYPT",
        1995,
        "Patarin, CRYPTO",
        "../schemes/cstar.hpp",
        [("linearization", "linearization.md")],
    ),
    Scheme(
        "HFE",
        "field",
        1996,
        "Patarin, EUROCRYPT",
        1999,
        "Kipnis, Shamir, CRYPTO; Faugère, Joux, CRYPTO 2003",
        "../schemes/gui.hpp",
        [("rank", "hfe-rank.md")],
    ),
    Scheme(
        "Oil and vinegar",
        "oil",
        1997,
        "Patarin, Dagstuhl",
        1998,
        "Kipnis, Shamir, CRYPTO",
        "../schemes/uov.hpp",
        [("Kipnis-Shamir", "kipnis-shamir.md")],
    ),
    Scheme(
        "UOV",
        "oil",
        1999,
        "Kipnis, Patarin, Goubin, EUROCRYPT",
        None,
        f"stands; sets of earlier rounds are short ({STATUS})",
        "../../../docs/uov.md",
        [("small v - o", "unbalanced.md"), ("small: wedge", "wedge.md"), ("after a leak", "one-vector.md")],
        2026,
        stands=True,
    ),
    Scheme(
        "SFLASH (C* minus)",
        "field",
        2001,
        "Patarin, Courtois, Goubin, CT-RSA",
        2007,
        "Dubois, Fouque, Shamir, Stern, CRYPTO",
        "",
        [],
    ),
    Scheme(
        "QUARTZ (HFEv-)",
        "field",
        2001,
        "Patarin, Courtois, Goubin, CT-RSA",
        None,
        f"2021/22: by the formula after ePrint 2021/1677, computed here: about 2<sup>{QUARTZ:.0f}</sup>, claimed 2<sup>80</sup>",
        "",
        [("its cost", "hfe-rank.md")],
        2022,
    ),
    Scheme(
        "Rainbow",
        "oil",
        2005,
        "Ding, Schmidt, ACNS",
        2022,
        "Beullens, CRYPTO (ePrint 2022/214)",
        "../schemes/rainbow.hpp",
        [("simple attack", "rainbow-simple.md"), ("MinRank", "minrank.md"), ("band separation", "band-separation.md")],
    ),
    Scheme(
        "PFLASH",
        "field",
        2008,
        "Ding, Dubois, Yang, Chen, Cheng, ICALP",
        None,
        "2026: the set of 2017, by its subfield, here (this repository, not reviewed); no published break known to us",
        "../schemes/pflash.hpp",
        [("subfield", "subfield.md")],
        2026,
    ),
    Scheme(
        "GUI (HFEv-)",
        "field",
        2015,
        "Petzoldt, Chen, Yang, Tao, Ding, ASIACRYPT",
        2021,
        "Tao, Petzoldt, Ding, CRYPTO (ePrint 2020/1424)",
        "../schemes/gui.hpp",
        [("rank", "hfe-rank.md")],
    ),
    Scheme(
        "MQDSS",
        "none",
        2016,
        "Chen, Hülsing, Rijneveld, Samardjiska, Schwabe, ASIACRYPT",
        2019,
        "Kales, Zaverucha (ePrint 2020/837): too few rounds",
        "../schemes/mqdss.hpp",
        [],
    ),
    Scheme(
        "HmFEv",
        "field",
        2017,
        "Petzoldt, Chen, Ding, Yang, PQCrypto",
        None,
        "2026: the same attack, applied here (this repository, not reviewed)",
        "../schemes/hmfev.hpp",
        [("rank", "hfe-rank.md")],
        2026,
    ),
    Scheme(
        "MAYO",
        "oil",
        2021,
        "Beullens, SAC (ePrint 2021/1144)",
        None,
        f"stands; sets of earlier rounds, and MAYO-2, are short ({STATUS})",
        "../../../README.md",
        [("after a leak", "one-vector.md"), ("small: reconciliation", "reconciliation.md")],
        2025,
        stands=True,
    ),
]


def table():
    lines = ["| scheme | proposed | broken, or short of its claim | its attacks here |", "|---|---|---|---|"]
    for s in SCHEMES:
        name = f"[{s.name}]({s.link})" if s.link else s.name
        end = f"{s.broken}: {s.by}" if s.broken else s.by
        attacks = ", ".join(f"[{what}]({page})" for what, page in s.programs) or "none"
        lines.append(f"| {name} | {s.born}: {s.source} | {end} | {attacks} |")
    return "\n".join(lines)


def figure():
    """A line for each scheme from its year to that of its published break, or on."""
    left, right, top, step = 170, 800, 80, 24
    colours = {"field": SECOND, "oil": INK, "none": GREY}

    def x(year):
        return left + (year - 1986) / (NOW + 2 - 1986) * (right - left)

    body, bottom = [], top + step * len(SCHEMES)
    for year in range(1990, NOW + 1, 5):
        body.append(f'<line x1="{x(year):.1f}" x2="{x(year):.1f}" y1="{top - 14}" y2="{bottom - 8}" stroke="#dddddd"/>')
        body.append(text(round(x(year), 1), bottom + 10, year, "middle"))
    key = 16
    for words, colour in (("a large field in disguise", SECOND), ("oil and vinegar", INK), ("neither", GREY)):
        body.append(f'<line x1="{key}" x2="{key + 24}" y1="20" y2="20" stroke="{colour}" stroke-width="6"/>')
        body.append(text(key + 30, 25, words))
        key += 50 + 7 * len(words)
    marks = "x: published break; ring: short of its claim, or broken here alone; arrow: stands; with a ring: some sets are short"
    body.append(text(16, 43, marks, colour=GREY))
    for i, s in enumerate(SCHEMES):
        y, end = top + step * i, NOW + 1 if s.stands else s.broken or s.short
        colour = colours[s.line]
        body.append(text(left - 150, y + 5, s.name))
        body.append(f'<line x1="{x(s.born):.1f}" x2="{x(end):.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="6"/>')
        if s.broken:
            cross = f"M{x(end) - 5:.1f} {y - 7}l10 14m0 -14l-10 14"
            body.append(f'<path d="{cross}" stroke="{colour}" stroke-width="2.5" fill="none"/>')
        elif s.stands:
            body.append(f'<path d="M{x(end):.1f} {y - 8}l12 8l-12 8z" fill="{colour}"/>')
        if s.short:
            body.append(f'<circle cx="{x(s.short):.1f}" cy="{y}" r="6" fill="{PAPER}" stroke="{colour}" stroke-width="2.5"/>')
    return svg(right + 20, bottom + 24, body)


def hfe_matrix(D=9, n=12, v=3, row=5):
    """The polar form of F over K in the coordinates X, X^2, X^4, .. and w, with its conjugates: those that meet one row have a
    colour each, and a quarter of each cell.  q = 2."""
    slots = [a for a in range(n) if 2**a <= D]
    products = [(a, b) for a in slots for b in slots if a < b and 2**a + 2**b <= D]
    side, left, top = 24, 70, 44
    colours, touched, body = [INK, SECOND, "#6a994e", "#e09f3e"], {}, []
    assert len(slots) <= len(colours)
    for j in range(n):  # F^(2^j)
        cells = [((a + j) % n, (b + j) % n) for a, b in products] + [((a + j) % n, n + w) for a in slots for w in range(v)]
        for i, k in [*cells, *((k, i) for i, k in cells)]:
            touched.setdefault((i, k), set()).add(j)
    meeting = sorted({j for (i, _), conjugates in touched.items() if i == row for j in conjugates}, reverse=True)
    assert meeting == [row - a for a in slots]
    for (i, k), conjugates in sorted(touched.items()):
        x, y = left + side * k, top + side * i
        body.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#eeeeee"/>')
        for quarter, j in enumerate(meeting):
            if j in conjugates:
                at = f'x="{x + side // 2 * (quarter % 2)}" y="{y + side // 2 * (quarter // 2)}"'
                body.append(f'<rect {at} width="{side // 2}" height="{side // 2}" fill="{colours[quarter]}"/>')
    size = side * (n + v)
    for e in range(n + v + 1):
        colour, to = (GREY, 1.5) if e == n else ("#cccccc", 0.5)
        body.append(
            f'<path d="M{left + side * e} {top}v{size}M{left} {top + side * e}h{size}" stroke="{colour}" stroke-width="{to}"/>'
        )
    body.append(
        f'<rect x="{left - 2}" y="{top + side * row - 2}" width="{size + 4}" height="{side + 4}" fill="none" stroke="{THIRD}" '
        'stroke-width="3"/>'
    )
    for e in (0, 1, 2, row, n - 1):
        power = f'X<tspan dy="-5" font-size="9">{2**e}</tspan>' if e else "X"
        body.append(text(left - 8, top + side * e + 16, power, "end"))
    body.append(text(left - 8, top + side * n + 16, "w", "end"))
    body.append(text(left, 26, f"over the large field: D = {D}, and three vinegar variables w"))
    x = left + size + 24
    for quarter, (_, colour) in enumerate(zip(meeting, colours)):
        y = top + side * row - 60 + 24 * quarter
        body.append(f'<rect x="{x}" y="{y}" width="14" height="14" fill="{colour}"/>')
        body.append(text(x + 22, y + 12, f"conjugate {meeting[quarter]} of F"))
    body.append(text(x, top + side * row + 54, "The row in the frame has entries"))
    body.append(text(x, top + side * row + 72, f"of these {len(meeting)} and no others, so in"))
    body.append(text(x, top + side * row + 90, "all public polynomials it is a sum"))
    body.append(text(x, top + side * row + 108, f"of {len(meeting)} vectors: rank {len(meeting)}, vinegar"))
    body.append(text(x, top + side * row + 126, "and all."))
    return svg(x + 230, top + size + 20, body)


DRAWN = {"story": figure, "hfe-matrix": hfe_matrix}


def commands():
    return re.findall(r"^    (museum_\w+.*)$", PAGE.read_text(), re.MULTILINE)


def run(folders):
    failed, lines = [], commands()
    for line in lines:
        program, *arguments = shlex.split(line)
        path = next((Path(f) / program for f in folders if (Path(f) / program).exists()), None)
        if path is None:
            sys.exit(f"story: {program} is not in {', '.join(folders)}")
        start = time.monotonic()
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
        print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {time.monotonic() - start:6.1f} s  {line}", flush=True)
        if done.returncode:
            failed.append(line)
    sys.exit(1 if failed or len(lines) < 8 else 0)


def main():
    command, folders = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if command == "run" and folders:
        run(folders)
    page = with_part(PAGE.read_text(), "table", table())
    drawn = {FIGURES / f"{name}.svg": draw() for name, draw in DRAWN.items()}
    if command == "docs":
        PAGE.write_text(page)
        for path, picture in drawn.items():
            path.write_text(picture)
    elif command == "check":
        if page != PAGE.read_text() or any(not p.exists() or p.read_text() != picture for p, picture in drawn.items()):
            sys.exit("research/museum/docs/story.md does not show its list: run research/museum/docs/story.py docs")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
