# SPDX-License-Identifier: Apache-2.0
"""usage: chart.py CHART RESULTS SVG: draws made-up results and measures the bars; SVG must be drawn of a file in the folder
RESULTS."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
HEADER = {"tick_hz": 1e6, "machine": "a <machine> & more", "compiler": "c", "commit": "x", "date": "2026-01-01T", "quick": True}


def row(impl, name, backend, op, median):
    return {"impl": impl, "set": name, "backend": backend, "op": op, "q1": 0.9 * median, "median": median, "q3": 1.5 * median}


def bars_of(picture):
    """Heights of the bars."""
    paths = [group.find(f"{SVG}path").get("d") for group in picture.iter(SVG + "g") if group.get("id", "").startswith("bar ")]
    places = [[float(y) for y in re.findall(r"[ML] \S+ (\S+)", path)] for path in paths]
    return [max(ys) - min(ys) for ys in places]


def main(chart, results, document):
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "in.json"), pathlib.Path(folder, "out.svg")

        def draw(text):
            target.unlink(missing_ok=True)
            source.write_text(text)
            done = subprocess.run([sys.executable, chart, source, target], capture_output=True, text=True, check=False)
            return done, ElementTree.parse(target).getroot() if done.returncode == 0 else None

        rows = [row("aioli", "MAYO-1", "portable", "sign", 400), row("aioli", "MAYO-1", "best", "sign", 100),
                row("aioli", "MAYO-1", "best", "sign_expanded", 50), row("aioli", "MAYO-1-r2", "best", "sign", 150),
                row("liboqs", "MAYO-1-r2", "avx2", "sign", 200), row("liboqs", "MAYO-1-r2", "ref", "sign", 800),
                row("aioli", "MAYO-2", "best", "expand_sk", 7), row("aioli", "MAYO-1-r1", "best", "sign", 9),
                row("libsodium", "Ed25519", "C", "sign", 25), row("liboqs", "ML-DSA-44", "avx2", "sign", 60)]  # fmt: skip
        done, picture = draw(json.dumps({"header": HEADER, "results": rows}))
        assert done.returncode == 0, done.stderr
        heights = bars_of(picture)
        # Left: round 3, expanded, round 2, liboqs; right: round 3 and liboqs in plain code.
        assert len(heights) == 6, heights
        for i, value in enumerate((100, 50, 150, 200)):
            assert abs(heights[i] / heights[0] - value / 100) < 0.01, heights
        assert abs(heights[5] / heights[4] - 2) < 0.01, heights
        levels = [group for group in picture.iter(SVG + "g") if group.get("id", "").startswith("level ")]
        assert len(levels) == 3, "two on the left; on the right Ed25519 alone, for there is no plain ML-DSA-44"
        words = [t.text for t in picture.iter(SVG + "text")]
        for expected in ("200", "Ed25519 25", "ML-DSA-44 60", "Signing, \u00b5s", "MAYO-1"):
            assert expected in words, (expected, words)
        assert "MAYO-2" not in words and "Verification, \u00b5s" not in words, "nothing was measured of these"
        assert any(w.startswith("a <machine> & more") and "quick" in w for w in words), words

        done, picture = draw(json.dumps({"header": HEADER, "results": [row("aioli", "MAYO-5", "portable", "keygen", 3e6)]}))
        assert done.returncode == 0 and "Key generation, ms" in [t.text for t in picture.iter(SVG + "text")], done.stderr

        for bad in ("", "[]", "{}", json.dumps({"header": HEADER, "results": []}), json.dumps({"header": {}, "results": rows}),
                    json.dumps({"header": HEADER, "results": [row("aioli", "MAYO-1-r1", "best", "sign", 9)]})):  # fmt: skip
            done, _ = draw(bad)
            assert done.returncode == 1 and done.stderr.startswith("chart: ") and not target.exists(), (bad, done)
        assert subprocess.run([sys.executable, chart], capture_output=True, check=False).returncode == 2

        kept = {path: json.loads(path.read_text()) for path in pathlib.Path(results).glob("*.json")}
        of_mayo = [
            path for path, document in sorted(kept.items()) if any(r["set"].startswith("MAYO-") for r in document["results"])
        ]
        assert of_mayo
        for path in kept.keys() - set(of_mayo):
            done, _ = draw(path.read_text())
            assert done.returncode == 1 and "nothing to draw" in done.stderr, (path, done.stderr)
        drawn = []
        for path in of_mayo:
            done, picture = draw(path.read_text())
            assert done.returncode == 0 and len(bars_of(picture)) > 20, (path, done.stderr)
            drawn.append(target.read_text())
        assert pathlib.Path(document).read_text() in drawn, f"{document} is not what bench/chart draws of any committed result"


if __name__ == "__main__":
    main(*sys.argv[1:])
