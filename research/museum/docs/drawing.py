# SPDX-License-Identifier: Apache-2.0
"""SVG figures for the pages, by hand: matrices, plots, bars and dots.  Standard library only."""

import math

INK, SECOND, THIRD, GREY, PAPER = "#1b4965", "#c1666b", "#222222", "#888888", "#ffffff"


def svg(width, height, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="{PAPER}"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def text(x, y, words, anchor="start", colour="#222222", turn=""):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}"{turn}>{words}</text>'


def matrices(panels, side=240):
    """Matrices side by side, ink where an entry is not zero: neighbours in a row are one stroke."""
    body = []
    for p, (title, matrix) in enumerate(panels):
        left, top, cell = 20 + p * (side + 30), 34, side / len(matrix)
        body.append(text(left, 22, title))
        strokes = []
        for i, row in enumerate(matrix):
            j = 0
            while j < len(row):
                run = j
                while run < len(row) and row[run]:
                    run += 1
                if run > j:
                    strokes.append(f"M{j} {i}h{run - j}v1h-{run - j}z")
                j = max(run, j + 1)
        body.append(f'<path transform="translate({left},{top}) scale({cell:.4g})" fill="{INK}" d="{"".join(strokes)}"/>')
        body.append(f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="{GREY}"/>')
    return svg(20 + len(panels) * (side + 30), side + 54, body)


def plot(series, x_label, y_label, width=560, height=340):
    """Points and lines over a linear x and a logarithmic y.  series: [(name, colour, dashed, [(x, y), ..])]"""
    xs = [x for *_, points in series for x, _ in points]
    ys = [y for *_, points in series for _, y in points]
    low, high = math.floor(math.log10(min(ys))), max(math.ceil(math.log10(max(ys))), math.floor(math.log10(min(ys))) + 1)
    left, right, top, bottom = 70, width - 20, 20, height - 50
    span = (max(xs) - min(xs)) or 1

    def place(x, y):
        return left + 20 + (x - min(xs)) / span * (right - left - 40), bottom - (math.log10(y) - low) / (high - low) * (
            bottom - top
        )

    body = []
    for e in range(low, high + 1):
        _, y = place(xs[0], 10.0**e)
        body.append(f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        body.append(text(left - 6, y + 4, f"{10.0**e:g}", "end"))
    last = -math.inf
    for x in sorted(set(xs)):
        at = place(x, 10.0**low)[0]
        if at - last > 32:  # else one label would stand on the other
            body.append(text(at, bottom + 18, f"{x:g}", "middle"))
            last = at
    body.append(text((left + right) / 2, height - 12, x_label, "middle"))
    body.append(text(16, (top + bottom) / 2, y_label, "middle", turn=f' transform="rotate(-90 16 {(top + bottom) / 2:g})"'))
    for s, (name, colour, dashed, points) in enumerate(series):
        places = [place(x, y) for x, y in points]
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        body.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} '
            f'points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
        )
        if not dashed:
            body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in places]
        body.append(
            f'<line x1="{left + 14}" x2="{left + 40}" y1="{top + 12 + 18 * s}" y2="{top + 12 + 18 * s}" stroke="{colour}" '
            f'stroke-width="2"{dash}/>'
        )
        body.append(text(left + 46, top + 16 + 18 * s, name))
    return svg(width, height, body)


def bars(rows, unit, width=560):
    """Horizontal bars on a linear scale.  rows: [(group, name, value)]"""
    most, body, y, group = max(v for *_, v in rows), [], 14, None
    for g, name, value in rows:
        if g != group:
            y += 18
            body.append(f'<text x="16" y="{y}" font-weight="bold">{g}</text>')
            group = g
        y += 20
        length = max(1.0, value / most * 230)
        body.append(text(16, y, name))
        body.append(f'<rect x="260" y="{y - 11}" width="{length:.1f}" height="14" fill="{INK}"/>')
        body.append(text(266 + length, y, f"{value:.3g}"))
    body.append(text(16, y + 26, unit, colour=GREY))
    return svg(width, y + 40, body)


def dots(rows, key, unit, width=900):
    """Dots on a logarithmic scale, one line for each row.  rows: [(group, name, [(value, colour, filled)])]; key: [(words,
    colour, filled)]"""
    values = [v for *_, marks in rows for v, *_ in marks]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    left, right = 290, width - 30

    def at(value):
        return left + (math.log10(value) - low) / (high - low) * (right - left)

    def mark(x, y, colour, filled):
        return f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{colour if filled else PAPER}" stroke="{colour}" stroke-width="1.5"/>'

    lines, body, y, group = [], [], 40, None
    for g, name, marks in rows:
        if g != group:
            y += 26
            lines.append(text(16, y, g).replace("<text", '<text font-weight="bold"'))
            group = g
        y += 18
        lines.append(text(16, y + 4, name))
        lines.append(f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="#eeeeee"/>')
        lines += [mark(at(value), y, colour, filled) for value, colour, filled in sorted(marks, key=lambda m: m[2])]
    for e in range(low, high + 1):
        body.append(f'<line x1="{at(10.0**e):.1f}" x2="{at(10.0**e):.1f}" y1="44" y2="{y + 10}" stroke="#dddddd"/>')
        body.append(text(at(10.0**e), y + 28, f"{10.0**e:,g}" if e < 6 else f"10^{e}", "middle"))
    x = 16
    for words, colour, filled in key:
        body += [mark(x + 4, 20, colour, filled), text(x + 14, 24, words)]
        x += 34 + 7 * len(words)
    body.append(text((left + right) / 2, y + 50, unit, "middle", GREY))
    return svg(width, y + 66, body + lines)
