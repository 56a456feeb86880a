"""Figures 1, 2 and 5 of the LUNA paper for compiled models, as SVG.

A map has the steps of a program from left to right and bytes of shared memory
upwards; a tensor is a box over the steps at which it is live, in the colour of its
branch. What lunac's report says of each path is drawn in one map.
"""

import html
import os
import re
import subprocess
import tempfile

from bench_util import LUNAC

WIDTH, HEIGHT, MARGIN, TITLE = 420, 260, 60, 44
COLOURS = ("#8a8f98", "#3b74b4", "#d0803a", "#4c9a5b", "#a05fae", "#b84d57")
TITLES = re.compile(
    r"<title>(?P<name>[^<\n]*) \((?P<kind>[a-z]+)\)\n(?P<bytes>[\d,]+) bytes? at "
    r"offset (?P<offset>[\d,]+)\nlive in steps? (?P<first>\d+)(?: to (?P<last>\d+))?"
    r"[^\n]*\n(?P<branch>[^<\n]*)</title>")


def number(text):
    return int(text.replace(",", ""))


def tensors(path, *options):
    """The tensors of a plan: (name, bytes, offset, first, last step, branch)."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([LUNAC, "compile", path, *options, f"--report={folder}"],
                       check=True, capture_output=True)
        with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
            found = TITLES.finditer(file.read())
            return sorted({(html.unescape(t["name"]), number(t["bytes"]),
                            number(t["offset"]), int(t["first"]),
                            int(t["last"] or t["first"]), html.unescape(t["branch"]))
                           for t in found if t["kind"] == "tensor"},
                          key=lambda t: (t[3], t[2], t[0]))


def peak(boxes):
    return max((box[1] + box[2] for box in boxes), default=0)


def text(x, y, words, anchor="start"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
            f"{html.escape(words)}</text>")


def draw_map(boxes, title, most, steps, left):
    """One map, `most` bytes high."""
    branches = sorted({box[5] for box in boxes})
    per_step, per_byte = WIDTH / steps, HEIGHT / max(most, 1)
    lines = [text(left, 18, title), text(left, 34, f"{peak(boxes):,} bytes")]
    for name, size, offset, first, last, branch in boxes:
        colour = COLOURS[0 if branch.startswith("outside")
                         else 1 + branches.index(branch) % (len(COLOURS) - 1)]
        y = TITLE + HEIGHT - (offset + size) * per_byte
        lines.append(
            f'<rect x="{left + first * per_step:.1f}" y="{y:.1f}" fill="{colour}" '
            f'width="{(last - first + 1) * per_step:.1f}" '
            f'height="{size * per_byte:.1f}"><title>{html.escape(name)}, {size:,} '
            f"bytes at {offset:,}, {html.escape(branch)}</title></rect>")
    top = TITLE + HEIGHT - peak(boxes) * per_byte
    lines.append(f'<path d="M{left} {top:.1f}h{WIDTH}" class="peak"/>'
                 f'<path d="M{left} {TITLE}v{HEIGHT}h{WIDTH}"/>')
    return lines


def write(path, lines, width, height):
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}"><style>text{{font:13px sans-serif}}'
            "rect{fill-opacity:.75;stroke:#fff;stroke-width:.5}path{fill:none;"
            "stroke:#444}.peak{stroke:#b22;stroke-dasharray:4 3}</style>"
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
            + "\n".join(lines) + "\n</svg>\n")


def write_maps(path, maps):
    """Writes maps, (title, tensors) each, side by side in one scale."""
    most = max(peak(boxes) for _, boxes in maps)
    steps = 1 + max((box[4] for _, boxes in maps for box in boxes), default=0)
    lines = []
    for i, (title, boxes) in enumerate(maps):
        lines += draw_map(boxes, title, most, steps, MARGIN // 2
                          + i * (WIDTH + MARGIN))
    write(path, lines, len(maps) * (WIDTH + MARGIN), TITLE + HEIGHT + 20)


def write_bars(path, groups):
    """Writes bars: (model, [(title, bytes)]) each, by how much of the first."""
    lines, y = [], 10
    for model, bars in groups:
        most = max(size for _, size in bars)
        lines.append(text(10, y + 14, model))
        for i, (title, size) in enumerate(bars):
            y += 22
            width = WIDTH * size / max(most, 1)
            lines.append(f'<rect x="150" y="{y}" width="{width:.1f}" height="16" '
                         f'fill="{COLOURS[i % len(COLOURS)]}"/>')
            lines.append(text(140, y + 13, title, "end"))
            lines.append(text(156 + width, y + 13, f"{size:,} bytes, "
                              f"{size / max(bars[0][1], 1) - 1:+.1%}"))
        y += 34
    write(path, lines, WIDTH + 330, y + 10)
