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
FLAT = sum(X, [])


def runs(cases, *options):
    path = os.path.join(HERE, MODEL + ".onnx")
    return run(LUNAC, path, FOLDER, cases, *options, *OPTIONS)


def turned(rows):
    return [list(column) for column in zip(*rows)]


def live_if():
    weights = [[(i * 7 % 11 - 5) / 4 for i in range(3 * r, 3 * r + 3)]
               for r in range(4)]
    cases = ((True, True), (False, True), (False, False))
    outputs = runs([{"x": ("f", FLAT), "short": ("?", [short]),
                     "none": ("?", [none])} for short, none in cases])
    for (short, none), found in zip(cases, outputs):
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



def sums(rows):
    return [sum(column) for column in zip(*rows)]


def live_loop():
    first = [-1.25, 0.5, -0.5, 1.25]
    cases = ((0, 100.0, (0, 0, 0)), (3, -100.0, (1, 0, 1)),
             (6, 0.5, (1, 1, 1)), (-1, 1.5, (0, 1, 0)))
    outputs = runs([{"x": ("f", FLAT), "n": ("q", [n]), "limit": ("f", [limit]),
                     "flags": ("?", flags)} for n, limit, flags in cases],
                   "--bound=cache=6", "--bound=taken=6", "--bound=twice=64")
    for (n, limit, flags), found in zip(cases, outputs):
        rows = X[:max(n, 0)]
        partial = []
        for i in range(5):
            partial.append(sums(X[:i + 1]))
            if not sum(partial[-1]) < limit:
                break
        what = "%d iterations" % n
        for name, wanted in (
                ("cache", rows), ("minus", [[-x for x in row] for row in rows]),
                ("taken", [sums(X[:i + 1]) for i in range(len(rows))]),
                ("pairs", [first] + [row for row in X[:3] for _ in range(2)]),
                ("twice", [first] * 2 ** len(rows)),
                ("some", [first] + [X[i] for i in range(3) if flags[i]]),
                ("partial", partial), ("joined", rows + partial)):
            expect_rows(what, found, name, wanted)
        expect_close(what + ": sum", found["sum"][1], partial[-1])
        expect_close(what + ": total", found["total"][1], sums(rows) or [0] * 4)
        expect_close(what + ": mean", found["mean"][1],
                     [x / n for x in sums(rows)] or [0] * 4)


def live_loop_over():
    """More rows than the bound: the sizes tell, the rest is as it was."""
    found, = runs([{"x": ("f", FLAT), "n": ("q", [6]), "limit": ("f", [0.0]),
                    "flags": ("?", [1, 1, 1])}],
                  "--bound=cache=2", "--bound=taken=2", "--bound=twice=4",
                  "--bound=some=2", "--bound=partial=1")
    for name, size in (("cache", 6), ("taken", 6), ("twice", 64), ("some", 4)):
        expect(name + ".size", found[name + ".size"][1], [size])
        expect(name, found[name][1][:4],
               [-1.25, 0.5, -0.5, 1.25] if size in (64, 4) else X[0])
    expect_close("total", found["total"][1], sums(X))


def live_branch():
    cases = ((True, True), (True, False), (False, True))
    outputs = runs([{"x": ("f", FLAT), "flag": ("?", [flag]), "go": ("?", [go])}
                    for flag, go in cases])
    for (flag, go), found in zip(cases, outputs):
        wanted = ([[-1.25, 0.5, -0.5, 1.25]] + (X[:4] if go else []) if flag
                  else X[:2] + [[-x for x in row] for row in X])
        what = "flag %d, go %d" % (flag, go)
        expect_rows(what, found, "y", wanted)
        expect_close(what + ": top", found["top"][1],
                     [max(column) for column in zip(*wanted)])



def live_slice():
    cases = ((1, 4), (0, 6), (4, 2), (-3, -1), (-100, 100), (0, 0), (5, 6),
             (2**63 - 1, 2**32), (2**32, -2**63))
    outputs = runs([{"x": ("f", FLAT), "n": ("q", [n]), "m": ("q", [m])}
                    for n, m in cases])
    for (n, m), found in zip(cases, outputs):
        part, what = X[n:m], "%d to %d" % (n, m)
        for name, rows in (
                ("part", part), ("head", X[:m]), ("second", X[n:m:2]),
                ("rest", part[1:]), ("last", part[-2:]), ("inner", part[1:3]),
                ("left", [row[:2] for row in part]),
                ("corner", [row[1:3] for row in part[-3:-1]])):
            expect_rows(what, found, name, rows)
        columns = [row[n:m] for row in X]
        expect_rows(what, found, "columns", columns, 1)


def live_nonzero():
    x = [-90.0, 1.5, -2.25, 3.0, -90.0, 0.5, 4.0, -1.0, -90.0, 2.5, 0.25, -0.5]
    table = [[((3 * r + c) * 7 % 11 - 5) / 4 for c in range(3)] for r in range(4)]
    w = [[((2 * r + c) * 7 % 11 - 5) / 4 for c in range(2)] for r in range(3)]
    limits = (9.0, 0.4, -3.0)
    outputs = runs([{"x": ("f", x), "limit": ("f", [limit])}
                    for limit in limits])
    for limit, found in zip(limits, outputs):
        at = [i for i in range(12) if x[i] > limit]
        kept, columns, what = [x[i] for i in at], [i % 4 for i in at], str(limit)
        rows = [table[i] for i in columns]
        normal = []
        for row in rows:
            mean = sum(row) / 3
            spread = math.sqrt(sum((v - mean) ** 2 for v in row) / 3 + 1e-5)
            normal.append([(v - mean) / spread * s
                           for v, s in zip(row, (1.0, 2.0, -1.0))])
        expect_rows(what, found, "places", [[i // 4 for i in at], columns], 1)
        for name, wanted in (
                ("kept", kept), ("parts", [12 // c for c in columns]),
                ("left", [12 % c for c in columns]),
                ("again", [row[1] for row in rows]),
                ("twice", [[row[0], row[2], row[1], row[1]] for row in rows]),
                ("products", [[sum(a * b[k] for a, b in zip(row, w))
                               for k in range(2)] for row in rows]),
                ("normal", normal)):
            expect_rows(what, found, name, wanted)
        expect_rows(what, found, "where",
                    [[k for k, v in enumerate(kept) if v > 2]], 1)
        expect_close(what, found["sum"][1] + found["least"][1] +
                     found["product"][1],
                     [sum(kept), min(kept, default=math.inf), math.prod(kept)])
        if kept:
            expect_close(what, found["soft"][1],
                         [math.log(sum(map(math.exp, kept)))])
        expect(what, found["count"][1], [len(at)])
        expect(what, found["constant"], ((2, 3), [0, 1, 1, 1, 0, 2]))


def counted(count):
    return [(i * 7 % 11 - 5) / 4 for i in range(count)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def window(row):
    """Two channels over a picture of 2x2, a row of zeros below: 2x1 each."""
    picture, kernel = [row[:2], row[2:], [0, 0]], counted(8)
    return [[sum(picture[r + i][j] * kernel[4 * c + 2 * i + j]
                 for i in range(2) for j in range(2)) + (0.5, -0.5)[c]
             for r in range(2)] for c in range(2)]


def quantized(x, scale, point):
    nearest = round(x / scale)  # ties to even, as ONNX has it
    return (min(max(nearest + point, -128), 127) - point) * scale


def normalized(row):
    mean = sum(row) / max(len(row), 1)
    spread = sum((x - mean) ** 2 for x in row) / max(len(row), 1)
    return [(x - mean) / math.sqrt(spread + 1e-5) for x in row]


def live_ops():
    random = Random(7)
    cases = [(0, 6), (3, 3), (5, 6)] + [
        (random.randrange(-7, 8), random.randrange(-7, 8)) for _ in range(6)]
    outputs = runs([{"x": ("f", FLAT), "n": ("q", [n]), "m": ("q", [m])}
                    for n, m in cases])
    w = [counted(12)[4 * r:4 * r + 4] for r in range(3)]
    w3 = [counted(12)[3 * r:3 * r + 3] for r in range(4)]
    for (n, m), found in zip(cases, outputs):
        part, what = X[n:m], "%d to %d" % (n, m)
        halves = [half for row in part for half in (row[:2], row[2:])]
        found_windows = [window(row) for row in part]
        for name, rows in (
                ("vector", [sum(x * y for x, y in zip(row, counted(4)))
                            for row in part]),
                ("scaled", [[quantized(x, s, p) for x, s, p in
                             zip(row, (0.25, 0.5, 1, 2), (0, 1, 0, -1))]
                            for row in part]),
                ("heads", product(part, w3)),
                ("squares", [sum(product([row[:2], row[2:]],
                                         [row[:2], row[2:]]), [])
                             for row in part]),
                ("halves", halves),
                ("doubled", [[2 * x for x in row] for row in part]),
                ("pooled", [[sum(c) / 2 for c in w] for w in found_windows]),
                ("peaks", [sum(w, []) for w in found_windows]),
                ("channels", [[x - 1 + 1 for x in row] for row in part]),
                ("above", [[max(x, 0) for x in row] for row in part])):
            expect_rows(what, found, name, rows)
        expect_rows(what, found, "flat", [sum(part, [])], 1)
        expect_rows(what, found, "columns", turned(product(part, turned(w)))
                    if part else [[]] * 3, 1)
        expect_rows(what, found, "normal", [normalized(column) for column in
                                            (zip(*part) if part else [[]] * 4)], 1)
        expect_close(what, found["spread"][1],
                     [math.sqrt(sum(x * x for row in part for x in row))])
        expect_close(what, found["low"][1],
                     [min((row[k] for row in part), default=math.inf)
                      for k in range(4)])
        if part:
            tops = [[row[k] for row in part] for k in range(4)]
            expect(what, found["last"][1],
                   [len(c) - 1 - c[::-1].index(max(c)) for c in tops])


CASE = MODEL
MODEL = MODEL.replace("_over", "")
globals()[CASE]()
