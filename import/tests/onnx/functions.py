#!/usr/bin/env python3
"""ONNX Runtime's operators that are read as functions, and functions of a model's
own, against their definitions.

usage: functions.py LUNAC FOLDER
"""

import math
import os
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect_close, run
from onnx_wire import *

LUNAC, FOLDER = sys.argv[1:3]
OWN = "com.microsoft"
rng = Random(7)
nodes, inputs, outputs, expected = [], [], [], {}
given = {}


def draw(name, *dims):
    """An input as nested lists."""
    count = math.prod(dims)
    flat = [rng.uniform(-1, 1) for _ in range(count)]
    given[name] = ("f", flat)
    inputs.append(value(name, FLOAT, list(dims)))
    for size in reversed(dims[1:]):
        flat = [flat[i:i + size] for i in range(0, len(flat), size)]
    return flat


def flat_of(x):
    return [y for part in x for y in flat_of(part)] if isinstance(x, list) \
        else [x]


def row(name, op, sources, dims, wanted, **attributes):
    nodes.append(node(op, sources, [name], domain=OWN, **attributes))
    outputs.append(value(name, FLOAT, dims))
    expected[name] = flat_of(wanted)


def each(function, *lists):
    if isinstance(lists[0], list):
        return [each(function, *parts) for parts in zip(*lists)]
    return function(*lists)


def add(a, b):
    """The second one is repeated along the first dimensions."""
    if isinstance(a[0], list) and not isinstance(b[0], list):
        return [add(part, b) for part in a]
    return each(lambda x, y: x + y, a, b)


def turned(a):
    return [list(column) for column in zip(*a)]


def matmul(a, b):
    return [[sum(x * y for x, y in zip(r, c)) for c in turned(b)] for r in a]


def gelu(x):
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) *
                                    (x + 0.044715 * x ** 3)))


def norm(rows, gamma, beta=None, is_centered=True):
    out = []
    for r in rows:
        mean = sum(r) / len(r) if is_centered else 0
        spread = sum((x - mean) ** 2 for x in r) / len(r)
        out.append([(x - mean) / math.sqrt(spread + 1e-5) * g + b for x, g, b in
                    zip(r, gamma, beta or [0] * len(r))])
    return out


A, B, V = draw("a", 3, 4), draw("b", 3, 4), draw("v", 4)
W, G = draw("w", 4), draw("g", 4)
row("bias_gelu", "BiasGelu", ["a", "v"], [3, 4], each(gelu, add(A, V)))
row("gelu", "Gelu", ["a"], [3, 4], each(gelu, A))
row("fast_gelu", "FastGelu", ["a", "v"], [3, 4], each(gelu_tanh, add(A, V)))
row("fast_gelu_alone", "FastGelu", ["a"], [3, 4], each(gelu_tanh, A))
row("quick_gelu", "QuickGelu", ["a"], [3, 4],
    each(lambda x: x / (1 + math.exp(-1.5 * x)), A), alpha=1.5)
row("matmul", "FusedMatMul", ["a", "b"], [3, 3],
    each(lambda x: 0.5 * x, matmul(A, turned(B))), alpha=0.5, transB=1)
row("matmul_first", "FusedMatMul", ["a", "b"], [4, 4], matmul(turned(A), B),
    transA=1)
row("gemm", "FusedGemm", ["a", "b", "w"], [4, 4],
    each(lambda x: max(x, 0), add(matmul(turned(A), B), W)), transA=1,
    activation="Relu")
row("gemm_leaky", "FusedGemm", ["a", "b"], [3, 3],
    each(lambda x: x if x > 0 else 0.25 * x, matmul(A, turned(B))), transB=1,
    activation="LeakyRelu", activation_alpha=0.25)

X, K = draw("x", 1, 2, 3, 3)[0], draw("k", 2, 2, 2, 2)
Z, C = draw("z", 1, 2, 2, 2)[0], draw("c", 2)
CONV = [[[sum(X[i][y + p][x + q] * K[o][i][p][q] for i in range(2)
              for p in range(2) for q in range(2)) + C[o]
          for x in range(2)] for y in range(2)] for o in range(2)]
row("conv", "FusedConv", ["x", "k", "c", "z"], [1, 2, 2, 2],
    each(lambda x, z: max(x + z, 0), CONV, Z), activation="Relu",
    kernel_shape=[2, 2])
row("conv_tanh", "FusedConv", ["x", "k", "c"], [1, 2, 2, 2],
    each(math.tanh, CONV), activation="Tanh")

BOTH = add(A, B)
row("skip", "SkipLayerNormalization", ["a", "b", "v", "w", "g"], [3, 4],
    norm(add(BOTH, G), V, W), epsilon=1e-5)
nodes.append(node("SkipSimplifiedLayerNormalization", ["a", "b", "v"],
                  ["rms", "", "", "sum"], domain=OWN, epsilon=1e-5))
outputs += [value("rms", FLOAT, [3, 4]), value("sum", FLOAT, [3, 4])]
expected["rms"] = flat_of(norm(BOTH, V, is_centered=False))
expected["sum"] = flat_of(BOTH)
row("simple", "SimplifiedLayerNormalization", ["a", "v"], [3, 4],
    norm(A, V, is_centered=False), epsilon=1e-5)

# Two heads of two numbers; queries, keys and values with a bias.
Q, T, U = draw("q", 1, 3, 4)[0], draw("t", 1, 2, 4)[0], draw("u", 1, 2, 4)[0]
BIAS = draw("bias", 12)
rows = [[None] * 4 for _ in range(3)]
for head in range(2):
    at = slice(2 * head, 2 * head + 2)
    q, t, u = ([r[at] for r in add(m, BIAS[4 * i:4 * i + 4])]
               for i, m in enumerate((Q, T, U)))
    for i, scores in enumerate(matmul(q, turned(t))):
        power = [math.exp(s / math.sqrt(2)) for s in scores]
        rows[i][at] = [sum(p * r[k] for p, r in zip(power, u)) / sum(power)
                       for k in range(2)]
row("heads", "MultiHeadAttention", ["q", "t", "u", "bias"], [1, 3, 4], rows,
    num_heads=2)

os.makedirs(FOLDER, exist_ok=True)
path = os.path.join(FOLDER, "..", "functions.onnx")
with open(path, "wb") as out:
    out.write(model(graph(nodes, inputs, outputs), 17, [OWN]))
for machine in ("venus", "arcs"):
    found, = run(LUNAC, path, FOLDER, [given], "--machine=" + machine)
    for name, wanted in expected.items():
        expect_close(name, found[name][1], wanted)
print("%d outputs as defined" % len(expected))
