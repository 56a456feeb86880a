#!/usr/bin/env python3
"""Runs models with sizes that only the running program knows, and compares with
lists of Python.

usage: run_live.py LUNAC FOLDER MODEL [OPTION...]
"""

import math
import os
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import X, expect, expect_close, expect_rows, run

LUNAC, FOLDER, MODEL, OPTIONS = (sys.argv[1], sys.argv[2], sys.argv[3],
                                 sys.argv[4:])


def runs(cases, *options):
    path = os.path.join(HERE, MODEL + ".tflite")
    return run(LUNAC, path, FOLDER, cases, *options, *OPTIONS)


def columns(rows):
    return [list(column) for column in zip(*rows)] or [[]] * 4


def live():
    random = Random(3)
    cases = [(True, 0, 6), (False, 3, 3), (False, 6, 6), (True, 5, -1)] + [
        (random.random() < 0.5, random.randrange(0, 9), random.randrange(-1, 9))
        for _ in range(6)]
    cases += [(True, -3, -1), (True, -2**31, 2**31 - 1)]
    outputs = runs([{"x": ("f", sum(X, [])), "short": ("?", [short]),
                     "n": ("i", [n]), "k": ("i", [k])} for short, n, k in cases])
    weights = [[(i * 7 % 11 - 5) / 4 for i in range(4 * r, 4 * r + 4)]
               for r in range(3)]
    for (short, n, k), found in zip(cases, outputs):
        part, what = X[1:3] if short else [[-x for x in row] for row in X], \
                     "%s %d %d" % (short, n, k)
        each = [[math.exp(x) for x in row] for row in part]
        rows = X[n:k]
        first = min(max(n, 0), 6)
        window = X[first:] if k < 0 else X[first:first + k]
        for name, wanted in (
                ("part", part), ("each", each), ("joined", each + X + part),
                ("product", [[sum(x * y for x, y in zip(row, w))
                              for w in weights] for row in part]),
                ("bytes", [[int(4 * x) + 1 for x in row] for row in part]),
                ("rows", rows), ("others", rows[1::2]), ("last", rows[-2:]),
                ("window", window)):
            expect_rows(what, found, name, wanted)
        expect_rows(what, found, "turned", columns(part), 1)
        expect_close(what, found["largest"][1], [max(c) for c in columns(part)])
        expect_close(what, found["mean"][1],
                     [sum(c) / len(c) for c in columns(part)])
        expect_close(what, found["sum"][1], [sum(c) for c in columns(window)])
        expect(what, found["shape"][1], [len(part), 4])


def grown(n):
    rows = [[0.5, -1.0, 0.25, 2.0]]
    for i in range(n):
        rows += [X[min(i, 5)]] * (2 - i % 2)
    return rows


def grow():
    counts = (0, 1, 2, 3, 6, 5, -4)
    outputs = runs([{"x": ("f", sum(X, [])), "n": ("i", [n])} for n in counts],
                   "--bound=grown=10")
    for n, found in zip(counts, outputs):
        rows, what = grown(n), "%d iterations" % n
        expect_rows(what, found, "grown", rows)
        expect_rows(what, found, "negated", [[-x for x in row] for row in rows])
        expect_close(what, found["total"][1], [sum(c) for c in columns(rows)])


def grow_over():
    """More rows than the bound: the size tells, the rest is as it was."""
    found, = runs([{"x": ("f", sum(X, [])), "n": ("i", [6])}],
                  "--bound=grown=3")
    expect("grown.size", found["grown.size"][1], [10])
    expect("grown", found["grown"][1][:8], sum(grown(6)[:2], []))


CASE = MODEL
MODEL = MODEL.replace("_over", "")
globals()[CASE]()
