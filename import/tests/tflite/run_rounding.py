#!/usr/bin/env python3
"""Runs operators whose results show how they round.

FULLY_CONNECTED on int16: sums of 32 bits are scaled by 32 bits and rounded
twice, those with a bias of 64 bits by 16 bits and once. Comparisons: operands
are scaled by 256 times their scale and rounded twice, also where both have one
scale, so that neighbours of a small scale are equal. AVERAGE_POOL_2D and
RESIZE_BILINEAR on uint8: halves are rounded up.

usage: run_rounding.py LUNAC FOLDER
"""

import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from model_run import expect, run
from tflite_wire import BOOL, I16, I32, I64, I8, U8, Graph, Model

X = [-32768, -32767, -20001, -1, 0, 1, 5, 19999, 32766, 32767]
FACTOR = 5 / 16  # ties often
BIAS = -3


def rounded_twice(number, factor):
    fraction, exponent = math.frexp(factor)
    high = (number * round(fraction * 2 ** 31) + (1 << 30)) >> 31
    if exponent == 0:
        return high
    return (high + (1 << -exponent - 1) - (high < 0)) >> -exponent


def rounded_once(number):
    return (number * int(FACTOR * 2 ** 16) + (1 << 15)) >> 16


def sums_model(path, bias):
    g = Graph(Model(), "main")
    x = g.tensor("x", I16, [len(X), 1], 2.0 ** -10)
    w = g.tensor("w", I8, [1, 1], FACTOR, 0, [1])
    y = g.tensor("y", I16, [len(X), 1], 2.0 ** -10)
    inputs = [x, w]
    if bias is not None:
        inputs.append(g.tensor("b", bias, [1], FACTOR * 2.0 ** -10, 0, [BIAS]))
    g.inputs, g.outputs = [x], [y]
    g.op(9, inputs, [y], 8, {})
    g.model.write(path)


def check_sums(run_model, path):
    for bias, added, scaled in (
            (None, 0, lambda total: rounded_twice(total, FACTOR)),
            (I32, BIAS, lambda total: rounded_twice(total, FACTOR)),
            (I64, BIAS, rounded_once)):
        sums_model(path, bias)
        expect("bias %s" % bias, run_model([{"x": ("h", X)}])["y"][1],
               [scaled(x + added) for x in X])


def compare_model(path, x_scale, y_scale, y_zero):
    """EQUAL and GREATER of all pairs."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [256, 1], x_scale, 3)
    y = g.tensor("y", I8, [1, 256], y_scale, y_zero)
    found = [g.tensor(name, BOOL, [256, 256]) for name in ("same", "more")]
    g.inputs, g.outputs = [x, y], found
    g.op(71, [x, y], found[:1])
    g.op(61, [x, y], found[1:])
    g.model.write(path)


def check_comparisons(run_model, path):
    values = list(range(-128, 128))
    # The first two have one scale, of steps below and above 1 / 256; one
    # multiplication of the last would round otherwise.
    for x_scale, y_scale, y_zero in ((1 / 700, 1 / 700, 3),
                                     (1 / 100, 1 / 100, 3),
                                     (0.3362661, 0.0090312, -7)):
        x_scale, y_scale = (struct.unpack("f", struct.pack("f", s))[0]
                            for s in (x_scale, y_scale))
        compare_model(path, x_scale, y_scale, y_zero)
        found = run_model([{"x": ("b", values), "y": ("b", values)}])
        x = [rounded_twice((v - 3) << 8, x_scale) for v in values]
        y = [rounded_twice((v - y_zero) << 8, y_scale) for v in values]
        what = "scales %g, %g: " % (x_scale, y_scale)
        expect(what + "EQUAL", found["same"][1], [a == b for a in x for b in y])
        expect(what + "GREATER", found["more"][1],
               [a > b for a in x for b in y])


def check_unsigned(run_model, path):
    g = Graph(Model(), "main")
    x = g.tensor("x", U8, [1, 1, 4, 1], 0.5, 3)
    mean = g.tensor("mean", U8, [1, 1, 3, 1], 0.5, 3)
    wide = g.tensor("wide", U8, [1, 1, 7, 1], 0.5, 3)
    size = g.tensor("size", I32, [2], data=[1, 7])
    g.inputs, g.outputs = [x], [mean, wide]
    g.op(1, [x], [mean], 5, {0: ("b", 1), 1: ("i", 1), 2: ("i", 1),
                             3: ("i", 2), 4: ("i", 1)})
    g.op(23, [x, size], [wide], 15, {2: ("?", True)})
    g.model.write(path)
    found = run_model([{"x": ("B", [0, 101, 100, 255])}])
    expect("AVERAGE_POOL_2D", found["mean"][1], [51, 101, 178])
    expect("RESIZE_BILINEAR", found["wide"][1], [0, 51, 101, 101, 100, 178, 255])


def main(lunac, folder):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "model.tflite")

    def run_model(cases):
        return run(lunac, path, os.path.join(folder, "out"), cases)[0]
    check_sums(run_model, path)
    check_comparisons(run_model, path)
    check_unsigned(run_model, path)


main(*sys.argv[1:])
