#!/usr/bin/env python3
"""WHERE on random tensors against lists of Python: none, some and all places.

usage: run_where.py LUNAC FOLDER COUNT
"""

import itertools
import math
import os
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect_rows, run
from tflite_wire import BOOL, F32, FORMATS, I32, I64, Graph, Model

LUNAC, FOLDER, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])

for seed in range(COUNT):
    rng = Random(seed)
    kind = rng.choice([BOOL, F32, I32])
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    g = Graph(Model(), "main")
    x = g.tensor("x", kind, shape)
    y = g.tensor("y", I64, [1, len(shape)], open_axes=(0,))
    g.op(109, [x], [y])
    g.inputs, g.outputs = [x], [y]
    path = os.path.join(FOLDER, "..", "where.tflite")
    os.makedirs(FOLDER, exist_ok=True)
    g.model.write(path)
    cases = [[rng.choice([1, -1]) if rng.random() < part and kind != BOOL else
              int(rng.random() < part) for _ in range(math.prod(shape))]
             for part in (0, 0.5, 1)]
    found = run(LUNAC, path, FOLDER,
                [{"x": (FORMATS[kind], data)} for data in cases],
                "--machine=" + ("venus", "arcs")[seed % 2])
    for data, outputs in zip(cases, found):
        places = itertools.product(*map(range, shape))
        expect_rows("seed %d" % seed, outputs, "y", [
            list(place) for place, a in zip(places, data) if a])
