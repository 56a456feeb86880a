#!/usr/bin/env python3
"""Ends of detectors, drawn at random, against what ONNX defines: which boxes,
rows and numbers are left, and how many.

usage: run_ends.py LUNAC FOLDER COUNT
"""

import math
import os
import struct
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect, expect_rows, run
from onnx_wire import *

LUNAC, FOLDER, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
CODES = {FLOAT: "f", INT8: "b", INT32: "i", INT64: "q", UINT8: "B", BOOL: "?"}
MACHINES = ("venus", "arcs", "venusa")
CASES = 3


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def runs(what, nodes, inputs, outputs, cases, constants=(), options=()):
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "..", "ends.onnx")
    with open(path, "wb") as out:
        out.write(model(graph(nodes, [value(*i) for i in inputs],
                              [value(*o) for o in outputs], constants), 17))
    return run(LUNAC, path, FOLDER,
               [{name: (CODES[kind], data) for (name, kind, _), data
                 in zip(inputs, case)} for case in cases],
               "--machine=" + MACHINES[what % 3], *options)


def rows_of(flat, shape, axis):
    """Slices along an axis, each a list."""
    step = math.prod(shape[axis + 1:])
    rows = [[] for _ in range(shape[axis])]
    for i, x in enumerate(flat):
        rows[i // step % shape[axis]].append(x)
    return rows


def expect_slices(what, found, name, rows, axis):
    """These slices along an axis, zeros behind them, and their number."""
    shape, flat = found[name]
    expect(what + ": " + name + ".size", found[name + ".size"][1], [len(rows)])
    slices = rows_of(flat, shape, axis)
    expect(what + ": " + name, slices[:len(rows)], rows)
    expect(what + ": " + name + " behind", any(map(any, slices[len(rows):])),
           False)


#===- NonMaxSuppression -----------------------------------------------------===#

def corners(box, is_center):
    if is_center:
        x, y, w, h = box
        return y - h / 2, x - w / 2, y + h / 2, x + w / 2
    return (min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]),
            max(box[1], box[3]))


def overlap(a, b):
    inner = math.prod(max(0, min(a[d + 2], b[d + 2]) - max(a[d], b[d]))
                      for d in (0, 1))
    areas = [(c[2] - c[0]) * (c[3] - c[1]) for c in (a, b)]
    union = sum(areas) - inner
    return single(inner / union) if union else 0.0


def suppress(boxes, scores, limit, most, least, is_center):
    left = sorted(range(len(boxes)), key=lambda i: -scores[i])
    left = [i for i in left if least is None or scores[i] > least]
    kept = []
    for i in left:
        own = corners(boxes[i], is_center)
        if len(kept) < limit and not any(
                overlap(own, corners(boxes[k], is_center)) > most for k in kept):
            kept.append(i)
    return kept


def non_max_suppression(seed):
    rng = Random(seed)
    batches, classes, count = rng.randint(1, 3), rng.randint(1, 3), \
        rng.randint(1, 12)
    is_center, limit = rng.randint(0, 1), rng.randint(1, 14)
    most, least = single(rng.choice([0.0, 0.25, 0.5, 1.0])), \
        rng.choice([None, 0.5])
    cases = []
    for case in range(CASES):
        boxes = [rng.randint(0, 24) / 8 for _ in range(batches * count * 4)]
        low = case == 1 and least is not None  # no box at all
        scores = [rng.randint(0, 4 if low else 16) / 8
                  for _ in range(batches * classes * count)]
        cases.append([boxes, scores])
    inputs = ["boxes", "scores", "limit", "most"] + (["least"] if least else [])
    constants = [tensor("limit", INT64, [1], [limit]),
                 tensor("most", FLOAT, [1], [most])]
    constants += [tensor("least", FLOAT, [1], [least])] if least else []
    found = runs(seed, [node("NonMaxSuppression", inputs, ["kept"],
                             center_point_box=is_center)],
                 [("boxes", FLOAT, [batches, count, 4]),
                  ("scores", FLOAT, [batches, classes, count])],
                 [("kept", INT64, ["n", 3])], cases, constants)
    for (boxes, scores), outputs in zip(cases, found):
        rows = []
        for b in range(batches):
            own = [boxes[4 * i:4 * i + 4]
                   for i in range(b * count, (b + 1) * count)]
            for k in range(classes):
                at = (b * classes + k) * count
                rows += [[b, k, i] for i in suppress(
                    own, scores[at:at + count], limit, most, least, is_center)]
        expect_rows("boxes of seed %d" % seed, outputs, "kept", rows)


#===- Compress --------------------------------------------------------------===#

def compress(seed):
    rng = Random(seed)
    shape = [rng.randint(2, 5) for _ in range(rng.randint(1, 3))]
    kind = rng.choice([FLOAT, INT8, INT64])
    axis = rng.choice([None, *range(-len(shape), len(shape))])
    flat = math.prod(shape)
    extent = flat if axis is None else shape[axis]
    length = rng.choice([extent, max(2, extent - 1)])
    cases = [[[rng.randint(1, 99) for _ in range(flat)],
              [rng.random() < (0.5, 0, 1)[case] for _ in range(length)]]
             for case in range(CASES)]
    dims = ["n"] if axis is None else shape[:]
    if axis is not None:
        dims[axis] = "n"
    found = runs(seed, [node("Compress", ["x", "which"], ["y"],
                             **({} if axis is None else {"axis": axis}))],
                 [("x", kind, shape), ("which", BOOL, [length])],
                 [("y", kind, dims)], cases)
    for (x, which), outputs in zip(cases, found):
        whole = [flat] if axis is None else shape
        at = (axis or 0) % len(whole)
        expect_slices("rows of seed %d" % seed, outputs, "y",
                      [row for row, keep in zip(rows_of(x, whole, at), which)
                       if keep], at)


#===- Unique ----------------------------------------------------------------===#

def unique(seed):
    rng = Random(seed)
    shape = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
    kind = rng.choice([FLOAT, INT8, INT64, UINT8])
    axis = rng.choice([None, *range(-len(shape), len(shape))])
    is_sorted = rng.randint(0, 1)
    low = 0 if kind == UINT8 else -2
    cases = [[[rng.choice([low, 1, 0, 120]) for _ in range(math.prod(shape))]]
             for _ in range(CASES)]
    dims = ["n"] if axis is None else shape[:]
    if axis is not None:
        dims[axis] = "n"
    found = runs(seed, [node("Unique", ["x"], ["y", "at", "from", "times"],
                             sorted=is_sorted,
                             **({} if axis is None else {"axis": axis}))],
                 [("x", kind, shape)],
                 [("y", kind, dims), ("at", INT64, ["n"]),
                  ("from", INT64, [math.prod(shape) if axis is None
                                   else shape[axis]]),
                  ("times", INT64, ["n"])], cases)
    for (x,), outputs in zip(cases, found):
        whole = [len(x)] if axis is None else shape
        at = (axis or 0) % len(whole)
        rows = rows_of(x, whole, at)
        kept = [r for i, r in enumerate(rows) if r not in rows[:i]]
        kept = sorted(kept) if is_sorted else kept
        what = "numbers of seed %d" % seed
        expect_slices(what, outputs, "y", kept, at)
        expect_rows(what, outputs, "at", [rows.index(r) for r in kept])
        expect_rows(what, outputs, "times", [rows.count(r) for r in kept])
        expect(what + ": from", outputs["from"][1],
               [kept.index(r) for r in rows])


for number in range(COUNT):
    for draw in (non_max_suppression, compress, unique):
        draw(number)
