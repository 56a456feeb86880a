#!/usr/bin/env python3
"""Runs models with sizes that only the running program knows, and compares with
lists of Python.

usage: run_live.py LUNAC FOLDER MODEL [OPTION...]
"""

import math
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect, expect_close, expect_rows, run

LUNAC, FOLDER, MODEL, OPTIONS = (sys.argv[1], sys.argv[2], sys.argv[3],
                                 sys.argv[4:])
X = [[((7 * r + 3 * c) % 11 - 5) / 4 for c in range(4)] for r in range(6)]
FLAT = sum(X, [])


def runs(inputs, *options):
    path = os.path.join(HERE, MODEL + ".onnx")
    return run(LUNAC, path, FOLDER, inputs, *options, *OPTIONS)


def turned(rows):
    return [list(column) for column in zip(*rows)]


def live_if():
    weights = [[(i * 7 % 11 - 5) / 4 for i in range(3 * r, 3 * r + 3)]
               for r in range(4)]
    for short, none in ((True, True), (False, True), (False, False)):
        found = runs({"x": ("<f4", [6, 4], FLAT), "short": ("|b1", [1], [short]),
                      "none": ("|b1", [1], [none])})
        part = X[:2] if short else [] if none else [[-x for x in r] for r in X]
        each = [[math.exp(x) for x in row] for row in part]
        what = "%d rows" % len(part)
        mean = [sum(column) / len(part) for column in zip(*part)]
        tops = [max(column) for column in zip(*part)]
        low = [[x - m for x, m in zip(row, mean)] for row in part]
        power = [[math.exp(x - t) for x, t in zip(row, tops)] for row in part]
        for name, rows in (
                ("part", part), ("each", each), ("row", list(map(max, part))),
                ("product", [[sum(x * w[k] for x, w in zip(row, weights))
                              for k in range(3)] for row in low]),
                ("weights", [[x / sum(p[k] for p in power)
                              for k, x in enumerate(row)] for row in power]),
                ("joined", each + X + part),
                ("wide", [a + b for a, b in zip(each, part)]),
                ("flattened", part)):
            expect_rows(what, found, name, rows)
        expect_rows(what, found, "turned", turned(each), 1)
        expect_close(what + ": sum", found["sum"][1],
                     [sum(row[k] for row in each) for k in range(4)])
        expect_close(what + ": square", found["square"][1],
                     [sum(e[i] * p[k] for e, p in zip(each, part))
                      for i in range(4) for k in range(4)])
        expect(what + ": shape", found["shape"][1], [len(part), 4])
        if part:
            expect(what + ": best", found["best"][1],
                   [[row[k] for row in part].index(tops[k]) for k in range(4)])


globals()[MODEL]()
