#!/usr/bin/env python3
"""Runs slices.tflite from starts within and outside of the dimensions, and
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
X = [[10 * r + c - 30 for c in range(COLUMNS)] for r in range(ROWS)]


def fit(start, room, from_end):
    """A start, moved to where all of the slice lies in its dimension."""
    start += from_end if start < 0 else 0
    return min(max(start, 0), room)


def expected(r, c):
    row, column = fit(r, ROWS - 2, 0), fit(c, COLUMNS - 3, 0)
    first = fit(r, ROWS - 3, ROWS)
    last = COLUMNS - 1 - fit(COLUMNS - 1 - (c + (COLUMNS if c < 0 else 0)),
                             COLUMNS - 2, 0)
    return {
        "window": [line[column:column + 3] for line in X[row:row + 2]],
        "row": X[fit(r, ROWS - 1, ROWS)],
        "pair": [X[first], X[first + 2]],
        "back": [[line[last], line[last - 1]] for line in X],
    }


def flat(value):
    return sum(map(flat, value), []) if isinstance(value, list) else [value]


STARTS = ((0, 0), (3, 1), (5, 3), (4, 2), (6, 4), (-1, -1), (-2, -4),
          (-100, -100), (2**31 - 1, 2**31 - 1), (-2**31, -2**31))
CASES = run(LUNAC, os.path.join(HERE, "slices.tflite"), FOLDER,
            [{"x": ("b", flat(X)), "at": ("i", at)} for at in STARTS], *OPTIONS)
for at, found in zip(STARTS, CASES):
    for name, values in expected(*at).items():
        expect("%s at %s" % (name, at), found[name][1], flat(values))
