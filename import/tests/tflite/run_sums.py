#!/usr/bin/env python3
"""Runs FULLY_CONNECTED on int16 with biases of several types: sums of 32 bits
are scaled by 32 bits and rounded twice, those of 64 bits by 16 bits and once.

usage: run_sums.py LUNAC FOLDER
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from model_run import expect, run
from tflite_wire import I16, I32, I64, I8, Graph, Model

X = [-32768, -32767, -20001, -1, 0, 1, 5, 19999, 32766, 32767]
# 5/8 * 2^-1, which ties often, and less half a unit of 16 bits.
MULTIPLIER = 5 << 28
BIAS = -3


def model(path, bias):
    g = Graph(Model(), "main")
    x = g.tensor("x", I16, [len(X), 1], 2.0 ** -10)
    w = g.tensor("w", I8, [1, 1], 5 * 2.0 ** -4, 0, [1])
    y = g.tensor("y", I16, [len(X), 1], 2.0 ** -10)
    inputs = [x, w]
    if bias is not None:
        inputs.append(g.tensor("b", bias, [1], 5 * 2.0 ** -14, 0, [BIAS]))
    g.inputs, g.outputs = [x], [y]
    g.op(9, inputs, [y], 8, {})
    g.model.write(path)


def narrow(total):
    """(total * 5/8 rounded) / 2 rounded, half away from zero."""
    high = (total * MULTIPLIER + (1 << 30)) >> 31
    return (high + 1 - (high < 0)) >> 1


def wide(total):
    return (total * (MULTIPLIER >> 16) + (1 << 15)) >> 16


def main(lunac, folder):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "sums.tflite")
    for bias, added, scaled in ((None, 0, narrow), (I32, BIAS, narrow),
                                (I64, BIAS, wide)):
        model(path, bias)
        found, = run(lunac, path, os.path.join(folder, "out"),
                     [{"x": ("h", X)}])
        expect("bias %s" % bias, found["y"][1], [scaled(x + added) for x in X])


main(*sys.argv[1:])
