#!/usr/bin/env python3
"""Runs one model of many operators and compares with what ONNX defines.

usage: computed.py LUNAC FOLDER

What is expected is computed here, in double precision. The rows are what ONNX's
own node tests leave out.
"""

import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from onnx_wire import *

LUNAC, FOLDER = sys.argv[1:3]
X = [-2.0, -0.75, 0.0, 0.5, 1.25, 3.0]
INTS = [-7, -1, 0, 2, 100, -2147483647]
BYTES = [0, 1, 127, 128, 200, 255]
FORWARD = [[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2.0, 1.0, -0.5]]
IMAGE = [1.0, -2.0, 3.0, 4.0]
PLANES = counted(12, 0.75)
SEQUENCE = [[[0.5, -1.0]], [[1.5, 0.25]], [[-0.75, 2.0]]]
WEIGHTS, RECURRENT, BIASES = counted(12), counted(12, 0.125), counted(12, 0.5)


def flat(values):
    if isinstance(values, list):
        return [x for v in values for x in flat(v)]
    return [values]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def mish(x):
    return x * math.tanh(math.log1p(math.exp(x)))


def gelu(x):
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) *
                                    (x + 0.044715 * x ** 3)))


def gru(steps, is_reverse=False):
    """Of hidden size 2, resetting the product with the state; gates z, r, h."""
    h, rows = [0.0, 0.0], [None] * len(SEQUENCE)
    times = range(len(SEQUENCE))
    for t in reversed(times) if is_reverse else times:
        x = SEQUENCE[t][0]
        given = [sum(WEIGHTS[2 * g + k] * x[k] for k in range(2)) + BIASES[g]
                 for g in range(6)]
        back = [sum(RECURRENT[2 * g + k] * h[k] for k in range(2)) +
                BIASES[6 + g] for g in range(6)]
        z = [sigmoid(given[i] + back[i]) for i in range(2)]
        r = [sigmoid(given[2 + i] + back[2 + i]) for i in range(2)]
        fresh = [math.tanh(given[4 + i] + r[i] * back[4 + i])
                 for i in range(2)]
        if t < steps:
            h = [(1 - z[i]) * fresh[i] + z[i] * h[i] for i in range(2)]
        rows[t] = h if t < steps else [0.0, 0.0]
    return rows, h


def doubling(output):
    """Doubles what it carries until it is at least 20."""
    return graph(
        [node("Add", ["h", "h"], ["h2"]), node("Less", ["h2", "limit"], ["go"]),
         node("Identity", ["h2"], [output])],
        [value("i", INT64, []), value("c", BOOL, []), value("h", FLOAT, [])],
        [value("go", BOOL, []), value("h2", FLOAT, []),
         value(output, FLOAT, [])])


def sums():
    """The running sum, and each row as it came."""
    return graph(
        [node("Add", ["s", "row"], ["s2"]), node("Identity", ["s2"], ["sum"])],
        [value("s", FLOAT, [3]), value("row", FLOAT, [3])],
        [value("s2", FLOAT, [3]), value("sum", FLOAT, [3])])


nodes, outputs, expected = [], [], {}


def row(made, *results):
    """A node, and its outputs: name, type, dimensions, values."""
    nodes.append(made)
    for name, kind, dims, values in results:
        outputs.append(value(name, kind, dims))
        expected[name] = pack(kind, flat(values))


row(node("Gelu", ["x"], ["gelu"]), ("gelu", FLOAT, [6], [gelu(x) for x in X]))
row(node("Gelu", ["x"], ["gelu_tanh"], approximate="tanh"),
    ("gelu_tanh", FLOAT, [6], [gelu_tanh(x) for x in X]))
row(node("Mish", ["x"], ["mish"]), ("mish", FLOAT, [6], [mish(x) for x in X]))
row(node("Abs", ["ints"], ["size"]), ("size", INT32, [6], [abs(i) for i in INTS]))
row(node("BitwiseNot", ["ints"], ["flipped"]),
    ("flipped", INT32, [6], [~i for i in INTS]))
row(node("Abs", ["bytes"], ["same"]), ("same", UINT8, [6], BYTES))
row(node("Pad", ["x", "two"], ["wrapped"], mode="wrap"),
    ("wrapped", FLOAT, [10], X[-2:] + X + X[:2]))
row(node("MatMul", ["rows", "list"], ["right"]),
    ("right", FLOAT, [3], [sum(a * b for a, b in zip(r, [1.0, 2.0, -4.0]))
                           for r in FORWARD]))
row(node("MatMul", ["list", "rows"], ["left"]),
    ("left", FLOAT, [3], [sum(a * r[k] for a, r in
                              zip([1.0, 2.0, -4.0], FORWARD))
                          for k in range(3)]))

# Constants that are attributes.
nodes.append(node("Constant", [], ["number"], value_float=0.5))
nodes.append(node("Constant", [], ["numbers"],
                  value_floats=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
nodes.append(node("Constant", [], ["shape"], value_ints=[3, 2]))
nodes.append(node("Mul", ["x", "number"], ["half"]))
nodes.append(node("Add", ["half", "numbers"], ["moved"]))
row(node("Reshape", ["moved", "shape"], ["constants"]),
    ("constants", FLOAT, [3, 2], [x / 2 + i + 1 for i, x in enumerate(X)]))

# Twelve dimensions between two lists: turned around, and summed along the last.
nodes.append(node("Reshape", ["planes_in", "many"], ["folded"]))
nodes.append(node("Transpose", ["folded"], ["turned"]))
nodes.append(node("ReduceSum", ["turned", "last"], ["summed"], keepdims=0))
row(node("Reshape", ["turned", "list_of_all"], ["unfolded"]),
    ("unfolded", FLOAT, [12], [PLANES[6 * i + 2 * j + k] for k in range(2)
                               for j in range(3) for i in range(2)]))
row(node("Reshape", ["summed", "list_of_all"], ["sums"]),
    ("sums", FLOAT, [6], [PLANES[2 * j + k] + PLANES[6 + 2 * j + k]
                          for k in range(2) for j in range(3)]))

# A pad between operators that have channels last.
nodes.append(node("Conv", ["image", "kernel"], ["planes"]))
nodes.append(node("Pad", ["planes", "edges"], ["framed"]))
row(node("Relu", ["framed"], ["padded"]),
    ("padded", FLOAT, [1, 2, 3, 3],
     [[[0.0] * 3] + [[max(k * v, 0) for v in IMAGE[i:i + 2]] + [0.0]
                     for i in (0, 2)] for k in (1, -2)]))

# Loops that end by a condition: with a bound, whose rows are zero where it is
# not reached, with one that comes first, without one.
TWICE = [2.0, 4.0, 8.0, 16.0, 32.0]
row(node("Loop", ["nine", "yes", "one"], ["grown", "steps"], body=doubling("d")),
    ("grown", FLOAT, [], 32.0), ("steps", FLOAT, [9], TWICE + [0.0] * 4))
row(node("Loop", ["three", "yes", "one"], ["bounded", "few"],
         body=doubling("e")),
    ("bounded", FLOAT, [], 8.0), ("few", FLOAT, [3], TWICE[:3]))
row(node("Loop", ["", "yes", "one"], ["free", "rest"], body=doubling("f")),
    ("free", FLOAT, [], 32.0), ("rest", FLOAT, [5], TWICE))

# A scan from the end, whose rows become columns, from the last to the first.
SUMS = [[sum(r[k] for r in FORWARD[i:]) for k in range(3)] for i in (2, 1, 0)]
row(node("Scan", ["zeros", "rows"], ["total", "columns"], num_scan_inputs=1,
         scan_input_directions=[1], scan_output_axes=[1],
         scan_output_directions=[1], body=sums()),
    ("total", FLOAT, [3], SUMS[2]),
    ("columns", FLOAT, [3, 3], [[SUMS[2 - t][k] for t in range(3)]
                                for k in range(3)]))

ROWS, LAST = gru(2)
row(node("GRU", ["sequence", "w", "r", "b", "lengths"], ["gates", "state"],
         hidden_size=2, linear_before_reset=1, activations=["Sigmoid", "Tanh"]),
    ("gates", FLOAT, [3, 1, 1, 2], ROWS), ("state", FLOAT, [1, 1, 2], LAST))
BACK, FIRST = gru(2, is_reverse=True)
row(node("GRU", ["sequence", "w", "r", "b", "lengths"], ["back", "first"],
         hidden_size=2, linear_before_reset=1, direction="reverse"),
    ("back", FLOAT, [3, 1, 1, 2], BACK), ("first", FLOAT, [1, 1, 2], FIRST))

# The only row of windows lies in the padding above.
row(node("Conv", ["image", "kernel", "pair"], ["above"], pads=[2, 0, 0, 0],
         strides=[4, 1]),
    ("above", FLOAT, [1, 2, 1, 2], [0.5, 0.5, -1.5, -1.5]))

# What a given shape leaves out is cut off ahead, with SAME_UPPER behind.
SPREAD = [[a, 2 * a, 4 * a + b, 2 * b, 4 * b]
          for a, b in (IMAGE[:2], IMAGE[2:])]
row(node("ConvTranspose", ["image", "thrice"], ["ahead"], strides=[1, 2],
         output_shape=[2, 4]),
    ("ahead", FLOAT, [1, 1, 2, 4], [r[1:] for r in SPREAD]))
row(node("ConvTranspose", ["image", "thrice"], ["behind"], strides=[1, 2],
         output_shape=[2, 4], auto_pad="SAME_UPPER"),
    ("behind", FLOAT, [1, 1, 2, 4], [r[:4] for r in SPREAD]))

# The mean of a part of a plane, which has gaps in memory.
nodes.append(node("Slice", ["planes_in", "from", "to", "high"], ["lower"]))
row(node("ReduceMean", ["lower", "high_wide"], ["mean"]),
    ("mean", FLOAT, [1, 2, 1, 1], [sum(PLANES[i:i + 4]) / 4 for i in (2, 8)]))

# Sizes that are no multiple of the scale, about the middle.
row(node("Resize", ["line", "", "more"], ["wider"], mode="linear",
         coordinate_transformation_mode="half_pixel_symmetric"),
    ("wider", FLOAT, [3], [1.0, 1.5, 2.0]))

# The first in order along any dimension, of equal numbers the first: NaN is above
# infinity, zeros are equal. Sums from either end.
HARD = [1.0, math.nan, -0.0, math.inf, 0.0, 1.0, -math.inf, math.nan]
SMALL = [3, -128, 127, 3, 127, -128]


def order(value):
    """NaN is above all numbers."""
    return (value != value, 0 if value != value else value)


def best(values, k, largest):
    found = sorted(range(len(values)), key=lambda i: order(values[i]),
                   reverse=largest)
    return found[:k]


def top_k(name, source, kind, dims, k, **attributes):
    values = inputs_of[source]
    axis, largest = attributes.get("axis", -1) % 3, attributes.get("largest", 1)
    shape = dims[:axis] + [k] + dims[axis + 1:]
    step = math.prod(dims[axis + 1:])
    shown, places = [None] * math.prod(shape), [None] * math.prod(shape)
    for outer in range(math.prod(dims[:axis])):
        for inner in range(step):
            column = [values[(outer * dims[axis] + i) * step + inner]
                   for i in range(dims[axis])]
            for at, i in enumerate(best(column, k, largest)):
                place = (outer * k + at) * step + inner
                shown[place], places[place] = column[i], i
    row(node("TopK", [source, "k%d" % k], [name, name + "_at"], **attributes),
        (name, kind, shape, shown), (name + "_at", INT64, shape, places))


inputs_of = {"hard": HARD, "small": SMALL, "ints_3d": INTS, "cube": PLANES * 2}
for largest in (0, 1):
    top_k("hard%d" % largest, "hard", FLOAT, [1, 1, 8], 8, largest=largest)
    top_k("hard_one%d" % largest, "hard", FLOAT, [1, 1, 8], 1, largest=largest)
    top_k("small%d" % largest, "small", INT8, [1, 1, 6], 4, largest=largest)
    top_k("long%d" % largest, "ints_3d", INT64, [1, 2, 3], 2, largest=largest)
    top_k("cube%d" % largest, "cube", FLOAT, [2, 4, 3], 2, axis=1,
          largest=largest)
    top_k("cube_first%d" % largest, "cube", FLOAT, [2, 4, 3], 2, axis=0,
          largest=largest)


def running(values, exclusive, reverse):
    values = values[::-1] if reverse else values
    sums = [sum(values[:i + (not exclusive)]) for i in range(len(values))]
    return sums[::-1] if reverse else sums


for exclusive in (0, 1):
    for reverse in (0, 1):
        kind = dict(exclusive=exclusive, reverse=reverse)
        name = "running%d%d" % (exclusive, reverse)
        columns = [running([(PLANES * 2)[(o * 4 + i) * 3 + c]
                            for i in range(4)], exclusive, reverse)
                   for o in range(2) for c in range(3)]
        row(node("CumSum", ["cube", "k1"], [name], **kind),
            (name, FLOAT, [2, 4, 3], [columns[o * 3 + c][i] for o in range(2)
                                      for i in range(4) for c in range(3)]))
        name += "_small"
        row(node("CumSum", ["small", "k2"], [name], **kind),
            (name, INT8, [1, 1, 6], [(x + 128) % 256 - 128 for x in running(
                SMALL, exclusive, reverse)]))

inputs = {"x": (FLOAT, [6], X), "ints": (INT32, [6], INTS),
          "bytes": (UINT8, [6], BYTES), "rows": (FLOAT, [3, 3], FORWARD),
          "image": (FLOAT, [1, 1, 2, 2], IMAGE),
          "sequence": (FLOAT, [3, 1, 2], SEQUENCE),
          "planes_in": (FLOAT, [1, 2, 3, 2], PLANES),
          "hard": (FLOAT, [1, 1, 8], HARD), "small": (INT8, [1, 1, 6], SMALL),
          "ints_3d": (INT64, [1, 2, 3], INTS),
          "cube": (FLOAT, [2, 4, 3], PLANES * 2),
          "lengths": (INT32, [1], [2]), "one": (FLOAT, [], [1.0])}
constants = [tensor("many", INT64, [12], [2, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 2]),
             tensor("last", INT64, [1], [11]),
             *(tensor("k%d" % k, INT64, [1], [k]) for k in (1, 2, 4, 8)),
             tensor("list_of_all", INT64, [1], [-1]),
             tensor("two", INT64, [2], [2, 2]),
             tensor("list", FLOAT, [3], [1.0, 2.0, -4.0]),
             tensor("kernel", FLOAT, [2, 1, 1, 1], [1.0, -2.0]),
             tensor("edges", INT64, [8], [0, 0, 1, 0, 0, 0, 0, 1]),
             tensor("nine", INT64, [], [9]), tensor("three", INT64, [], [3]),
             tensor("yes", BOOL, [], [True]),
             tensor("limit", FLOAT, [], [20.0]),
             tensor("thrice", FLOAT, [1, 1, 1, 3], [1.0, 2.0, 4.0]),
             tensor("pair", FLOAT, [2], [0.5, -1.5]),
             tensor("from", INT64, [1], [1]), tensor("to", INT64, [1], [3]),
             tensor("high", INT64, [1], [2]),
             tensor("high_wide", INT64, [2], [2, 3]),
             tensor("line", FLOAT, [2], [1.0, 2.0]),
             tensor("more", FLOAT, [1], [1.6]),
             tensor("zeros", FLOAT, [3], [0.0] * 3),
             tensor("w", FLOAT, [1, 6, 2], WEIGHTS),
             tensor("r", FLOAT, [1, 6, 2], RECURRENT),
             tensor("b", FLOAT, [1, 12], BIASES)]

os.makedirs(FOLDER, exist_ok=True)
path = os.path.join(FOLDER, "computed.onnx")
with open(path, "wb") as out:
    out.write(model(graph(nodes, [value(name, kind, dims) for name,
                                  (kind, dims, _) in inputs.items()],
                          outputs, constants), opset=20))
command = [LUNAC, "run", path, "--tolerance=1e-6"]
files = [("input", name, pack(kind, flat(values)))
         for name, (kind, _, values) in inputs.items()]
files += [("expect", name, data) for name, data in expected.items()]
for option, name, data in files:
    file = os.path.join(FOLDER, name + ".bin")
    with open(file, "wb") as out:
        out.write(data)
    command.append(f"--{option}={name}={file}")
sys.exit(subprocess.run(command).returncode)
