#!/usr/bin/env python3
"""Runs models whose graphs get weights as operands, and compares with sums of
Python.

usage: run_operands.py LUNAC FOLDER
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect, run
from operands import FIRST, ROW, SECOND, deep, loops, shared

LUNAC, FOLDER = sys.argv[1:3]
X = [3.0, -1.5]


def product(w, x, b=(0, 0)):
    return [w[0] * x[0] + w[1] * x[1] + b[0], w[2] * x[0] + w[3] * x[1] + b[1]]


def outputs(name, model, cases, *options):
    path = os.path.join(FOLDER, name + ".tflite")
    model.write(path)
    found = run(LUNAC, path, os.path.join(FOLDER, name), cases, *options)
    return [{key: values for key, (_, values) in one.items()} for one in found]


def chosen(name, model, wanted, *options):
    cases = [{"flag": ("?", [flag]), "x": ("f", X)} for flag in (True, False)]
    expect(name, outputs(name, model, cases, *options),
           [{"z": wanted}, {"z": X}])


def looped(n):
    x, b = X, ROW
    for i in range(n, 2):
        for _ in range(i, 2):
            x = product(FIRST, x, b)
    for _ in range(n, 2):
        x, b = [p + q for p, q in zip(x, b)], [2 * q for q in b]
    return {"x_changed": x, "b_changed": b}


os.makedirs(FOLDER, exist_ok=True)
chosen("shared", shared(), product(SECOND, product(FIRST, X)))
chosen("deep", deep(256), product(FIRST, X))
counts = range(0, 3)
expect("loops", outputs("loops", loops(), [
    {"n": ("i", [n]), "x": ("f", X)} for n in counts]), [looped(n) for n in counts])
