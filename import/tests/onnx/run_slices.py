#!/usr/bin/env python3
"""Runs slices.onnx from starts within and outside of the dimensions, and
compares with slices of lists.

usage: run_slices.py LUNAC FOLDER [OPTION...]
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect, run

LUNAC, FOLDER, OPTIONS = sys.argv[1], sys.argv[2], sys.argv[3:]
ROWS, COLUMNS = 6, 4
X = [[10.0 * r + c for c in range(COLUMNS)] for r in range(ROWS)]


def fit(start, size, taken):
    """A start, moved to where all of the slice lies in its dimension."""
    start += size if start < 0 else 0
    return min(max(start, 0), size - taken)


STARTS = ((0, (0, 0)), (3, (4, 1)), (4, (5, 3)), (-2, (-2, -3)),
          (-7, (-100, -100)), (100, (2**31 - 1, -2**31)),
          (2**63 - 1, (3, 0)), (-2**63, (1, 1)), (2**32 + 1, (0, 0)))
CASES = run(LUNAC, os.path.join(HERE, "slices.onnx"), FOLDER,
            [{"x": ("f", sum(X, [])), "n": ("q", [n]), "at": ("i", at)}
             for n, at in STARTS], *OPTIONS)
for (n, at), found in zip(STARTS, CASES):
    rows, pair = fit(n, ROWS, 2), fit(n, ROWS, 3)
    row, column = fit(at[0], ROWS, 2), fit(at[1], COLUMNS, 3)
    for name, lines in (
            ("rows", X[rows:rows + 2]), ("pair", X[pair:pair + 3:2]),
            ("window", [line[column:column + 3] for line in X[row:row + 2]])):
        expect("%s from %s and %s" % (name, n, at), found[name],
               ((2, len(lines[0])), sum(lines, [])))
