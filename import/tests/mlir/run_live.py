#!/usr/bin/env python3
"""Runs live.mlir for every number of rows, and compares with lists of Python.

usage: run_live.py LUNAC FOLDER [OPTION...]
"""

import math
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import X, expect, expect_close, expect_rows, run

LUNAC, FOLDER, OPTIONS = sys.argv[1], sys.argv[2], sys.argv[3:]
W = [[1.0, -2.0, 0.5], [0.25, 1.0, -1.0], [2.0, 0.0, 1.0], [-0.5, 1.0, 3.0]]
CACHE_BOUND = 5


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def window(row):
    return [sum(x * k for x, k in zip(pair, kernel)) + bias
            for pair in (row[:2], row[2:])
            for kernel, bias in (((1.0, 2.0), 0.5), ((-1.0, 0.5), -0.5))]


outputs = run(LUNAC, os.path.join(HERE, "live.mlir"), FOLDER,
              [{"x": ("f", sum(X, [])), "n": ("i", [n])} for n in range(6)],
              *OPTIONS)
for n, found in enumerate(outputs):
    part, what = X[1:1 + n], "%d rows" % n
    turned = [[row[k] for row in part] for k in range(4)]
    for name, rows in (
            ("part", part), ("product", product(part, W)),
            ("joined", part + X + part), ("flat", sum(part, [])),
            ("again", [[2 * x for x in row] for row in part]),
            ("mapped", [[i * x for x in row] for i, row in enumerate(part)]),
            ("picked", [X[int(abs(4 * row[1])) % 6] for row in part]),
            ("windows", [window(row) for row in part]),
            ("padded", [[0.0] + row + [0.0] for row in part]),
            ("tiled", [row + row for row in part]),
            ("reversed", [row[::-1] for row in part]),
            ("chosen", part + part if n < 4 else
             [[-x for x in row] for row in X]),
            ("pairs", part + [X[5]] * 8)):
        expect_rows(what, found, name, rows)
    expect_rows(what, found, "turned", turned, 1)
    for name, wanted in (
            ("square", sum(product(turned, part) if part else [[0.0] * 4] * 4, [])),
            ("largest", [max(c, default=-math.inf) for c in turned]),
            ("least", [min(c, default=math.inf) for c in turned]),
            ("power", [math.prod(c) for c in turned]),
            ("total", [sum(c) for c in turned]),
            ("placed", sum(part + X[n:], [])), ("last", X[0])):
        expect_close("%s: %s" % (what, name), found[name][1], wanted)
    if part:
        expect(what, found["best"][1], [c.index(max(c)) for c in turned])
    # One row too many is told by the size, and dropped.
    cache = [X[5]] + X[:n]
    expect(what, found["cache.size"][1], [len(cache)])
    kept = cache[:CACHE_BOUND]
    expect_close(what, found["cache"][1][:4 * len(kept)], sum(kept, []))
