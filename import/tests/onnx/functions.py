#!/usr/bin/env python3
"""ONNX Runtime's operators that are read as functions, and functions of a model's
own, against their definitions.

usage: functions.py LUNAC FOLDER
"""

import math
import os
import subprocess
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


#===- Functions of the model's own ------------------------------------------===#

def function(name, sources, results, body, attributes=(), more=b""):
    return field(25, field(1, name) + b"".join(field(4, i) for i in sources) +
                 b"".join(field(5, o) for o in results) +
                 b"".join(field(6, a) for a in attributes) +
                 b"".join(field(7, n) for n in body) +
                 field(9, field(1, "") + field(2, 17)) + field(10, "own") + more)


def refers(made, name, to):
    """A node with an attribute that is one of the call."""
    return made + field(5, field(1, name) + field(21, to) + field(20, 1))


def call(op, sources, results, **attributes):
    return node(op, sources, results, domain="own", **attributes)


CHOOSE = graph([refers(node("LeakyRelu", ["y"], ["t"]), "alpha", "slope")], [],
               [value("t", FLOAT, [3, 4])])
OTHER = graph([node("Neg", ["y"], ["e"])], [], [value("e", FLOAT, [3, 4])])
FUNCTIONS = (
    # The third input may be left out: a clip has no upper bound then.
    function("Ramp", ["x", "low", "high"], ["z"],
             [node("Clip", ["x", "low", "high"], ["y"]),
              refers(node("LeakyRelu", ["y"], ["z"]), "alpha", "slope")],
             ["slope"]) +
    function("Twice", ["x", "low"], ["y", "z"],
             [refers(call("Ramp", ["x", "low"], ["y"]), "slope", "slope"),
              call("Ramp", ["y", "low", "low"], ["z"])], ["slope"]) +
    function("Choose", ["x", "c"], ["z"],
             [node("Add", ["x", "x"], ["y"]),
              node("If", ["c"], ["z"], then_branch=CHOOSE, else_branch=OTHER)],
             ["slope"]))


def leaky(x, slope):
    return x if x > 0 else slope * x


def write(body, functions):
    with open(path, "wb") as out:
        out.write(model(body, 17, ["own"]) + functions)


SCALARS = [tensor("low", FLOAT, [], [-0.5])]
own = graph([call("Twice", ["a", "low"], ["once", "twice"], slope=0.25),
             call("Choose", ["a", "flag"], ["chosen"], slope=0.125)],
            [value("a", FLOAT, [3, 4]), value("flag", BOOL, [])],
            [value(name, FLOAT, [3, 4]) for name in ("once", "twice", "chosen")],
            SCALARS)
write(own, FUNCTIONS)
cases = [{"a": given["a"], "flag": ("?", [flag])} for flag in (True, False)]
ONCE = [leaky(max(x, -0.5), 0.25) for x in given["a"][1]]
for case, found in zip(cases, run(LUNAC, path, FOLDER, cases)):
    expect_close("once", found["once"][1], ONCE)
    expect_close("twice", found["twice"][1], [-0.005] * 12)
    expect_close("chosen", found["chosen"][1], [
        leaky(2 * x, 0.125) if case["flag"][1][0] else -2 * x
        for x in given["a"][1]])

DOUBLING = b"".join(
    function("F%d" % i, ["x"], ["y"], [call("F%d" % (i + 1), ["x"], ["z"]),
                                       call("F%d" % (i + 1), ["z"], ["y"])])
    for i in range(20)) + function("F20", ["x"], ["y"],
                                   [node("Neg", ["x"], ["y"])])
REFUSED = (
    (call("F", ["a"], ["y"]),
     function("F", ["x"], ["y"], [call("G", ["x"], ["y"])]) +
     function("G", ["x"], ["y"], [call("F", ["x"], ["y"])]),
     "the function calls itself"),
    (call("F", ["a"], ["y"]),
     function("F", ["x"], ["y"], [node("Add", ["x", "low"], ["y"])]),
     "'low' has no value"),
    (call("F", ["a", "a"], ["y"]),
     function("F", ["x"], ["y"], [node("Neg", ["x"], ["y"])]),
     "has 2 inputs, the function has 1"),
    (call("F", ["a"], ["y", "z"]),
     function("F", ["x"], ["y"], [node("Neg", ["x"], ["y"])]),
     "the function has 1 outputs"),
    (call("F", ["a"], ["y"]),
     function("F", ["x"], ["y"], [node("Neg", ["x"], ["y"])],
              more=field(11, attribute("slope", 0.5))),
     "attributes with defaults, which are not supported"),
    (call("F0", ["a"], ["y"]), DOUBLING,
     "calls of functions have more than 65536 nodes"),
)
for made, functions, message in REFUSED:
    write(graph([made], [value("a", FLOAT, [3, 4])],
                [value("y", FLOAT, [3, 4])], SCALARS), functions)
    done = subprocess.run([LUNAC, "import", path], capture_output=True,
                          text=True)
    if done.returncode != 2 or message not in done.stderr:
        raise SystemExit("expected: %s\nexit %d: %s" % (
            message, done.returncode, done.stderr))
print("%d outputs as defined, %d refused" % (len(expected) + 3, len(REFUSED)))
