#!/usr/bin/env python3
"""Writes two small models in the formats of other tools, int8, seeded weights.

    examples/generate_models.py            writes small/look_closer.tflite and
                                           small/two_heads.onnx
    examples/generate_models.py --check    compares instead; exit code 1 on
                                           difference

The files are written byte by byte by the writers of the readers' tests.
"""

import hashlib
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for reader in ("tflite", "onnx"):
    sys.path.append(os.path.join(HERE, "..", "import", "tests", reader))

import onnx_wire as onnx
import tflite_wire as tflite
from generate import BELL


def weights(name, count, scale=1):
    return [round(scale * BELL[byte])
            for byte in hashlib.shake_128(name.encode()).digest(count)]


# -- TensorFlow Lite ---------------------------------------------------------

CONV_2D, FULLY_CONNECTED, MEAN, ADD, LESS, GREATER, IF, WHILE = (
    3, 9, 40, 0, 58, 61, 118, 119)
MAP, SCALE = [1, 8, 8, 8], 0.05


def tflite_conv(graph, name, x, channels, stride, scale):
    """A 3x3 convolution with a ReLU; `scale` is that of its input."""
    inputs, outputs = channels
    w = graph.tensor(name + "_w", tflite.I8, [outputs, 3, 3, inputs],
                     [1 / 512] * outputs, 0,
                     weights(name, 9 * inputs * outputs))
    b = graph.tensor(name + "_b", tflite.I32, [outputs], scale / 512, 0,
                     weights(name + "_b", outputs, 8))
    y = graph.tensor(name, tflite.I8, MAP, SCALE, -128)
    graph.op(CONV_2D, [x, w, b], [y], 1,
             {0: ("b", 0), 1: ("i", stride), 2: ("i", stride), 3: ("b", 1)})
    return y


def tflite_score(graph, name, x, count):
    """The mean of each channel, times a matrix."""
    axes = graph.tensor(name + "_axes", tflite.I32, [2], data=[1, 2])
    mean = graph.tensor(name + "_mean", tflite.I8, [1, 8], SCALE, -128)
    graph.op(MEAN, [x, axes], [mean], 27)
    w = graph.tensor(name + "_w", tflite.I8, [count, 8], 1 / 128, 0,
                     weights(name, 8 * count))
    y = graph.tensor(name, tflite.I8, [1, count], SCALE, 0)
    graph.op(FULLY_CONNECTED, [mean, w, -1], [y], 8)
    return y


def look_closer():
    """A classifier of 16x16 spectrograms. Where its first score is high it
    looks closer: a WHILE of three turns within an IF."""
    model = tflite.Model("made by generate_models.py")
    main, closer, enough, condition, body = (
        tflite.Graph(model, name)
        for name in ("main", "closer", "enough", "again", "turn"))
    x = main.tensor("spectrum", tflite.I8, [1, 16, 16, 1], 1 / 32, 0)
    stem = tflite_conv(main, "stem", x, (1, 8), 2, 1 / 32)
    score = tflite_score(main, "score", stem, 1)
    limit = main.tensor("limit", tflite.I8, [1, 1], SCALE, 0, [0])
    high = main.tensor("high", tflite.BOOL, [1, 1])
    main.op(GREATER, [score, limit], [high])
    seen = main.tensor("seen", tflite.I8, MAP, SCALE, -128)
    main.op(IF, [high, stem], [seen], 92, {0: ("i", 1), 1: ("i", 2)})
    main.inputs = [x]
    main.outputs = [tflite_score(main, "classes", seen, 4)]

    v = enough.tensor("features", tflite.I8, MAP, SCALE, -128)
    enough.inputs, enough.outputs = [v], [v]

    v = closer.tensor("features", tflite.I8, MAP, SCALE, -128)
    zero = closer.tensor("zero", tflite.I32, [1], data=[0])
    turns = closer.tensor("turns", tflite.I32, [1])
    found = closer.tensor("found", tflite.I8, MAP, SCALE, -128)
    closer.op(WHILE, [zero, v], [turns, found], 93,
              {0: ("i", 3), 1: ("i", 4)})
    closer.inputs, closer.outputs = [v], [found]

    for graph in (condition, body):
        i = graph.tensor("i", tflite.I32, [1])
        v = graph.tensor("v", tflite.I8, MAP, SCALE, -128)
        graph.inputs = [i, v]
    three = condition.tensor("three", tflite.I32, [1], data=[3])
    again = condition.tensor("again", tflite.BOOL, [1])
    condition.op(LESS, [i, three], [again])
    condition.outputs = [again]
    one = body.tensor("one", tflite.I32, [1], data=[1])
    following = body.tensor("next", tflite.I32, [1])
    body.op(ADD, [i, one], [following], 11)
    y = tflite_conv(body, "closer", v, (8, 8), 1, SCALE)
    total = body.tensor("sum", tflite.I8, MAP, SCALE, -128)
    body.op(ADD, [v, y], [total], 11)
    body.outputs = [following, total]
    return model.encode()


# -- ONNX --------------------------------------------------------------------

class Quantised:
    """Nodes of a graph on int8 between QuantizeLinear and DequantizeLinear."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, kind, dims, values):
        self.constants.append(onnx.tensor(name, kind, dims, values))
        return name

    def op(self, kind, inputs, output, **attributes):
        self.nodes.append(onnx.node(kind, inputs, [output], **attributes))
        return output

    def quantise(self, x, scale):
        numbers = [self.constant(x + "_scale", onnx.FLOAT, [], [scale]),
                   self.constant(x + "_zero", onnx.INT8, [], [0])]
        q = self.op("QuantizeLinear", [x, *numbers], x + "_q")
        return self.op("DequantizeLinear", [q, *numbers], x + "_dq")

    def weight(self, name, dims, scale):
        count = 1
        for extent in dims:
            count *= extent
        inputs = [self.constant(name + "_w", onnx.INT8, dims,
                                weights(name, count)),
                  self.constant(name + "_w_scale", onnx.FLOAT, [], [scale])]
        return self.op("DequantizeLinear", inputs, name + "_w_dq")

    def conv(self, name, x, dims, stride=1):
        """A convolution with a ReLU."""
        pad = dims[2] // 2
        y = self.op("Conv", [x, self.weight(name, dims, 1 / 512)],
                    name + "_sum", pads=[pad] * 4, strides=[stride] * 2)
        return self.quantise(self.op("Relu", [y], name), 1 / 16)

    def take(self):
        """Returns the nodes so far, and starts over."""
        nodes, self.nodes = self.nodes, []
        return nodes


def two_heads():
    """An 8x8 detector with a head for what is near and one for what is far:
    an If on an input."""
    net = Quantised()
    image = net.quantise("image", 1 / 32)
    stem = net.conv("stem", image, [16, 3, 3, 3], 2)
    start = net.take()
    shape = [1, 16, 8, 8]
    near = net.conv("near_b", net.conv("near_a", stem, [16, 16, 3, 3]),
                    [16, 16, 3, 3])
    then = onnx.graph(net.take(), [], [onnx.value(near, onnx.FLOAT, shape)])
    far = net.conv("far", stem, [16, 16, 1, 1])
    other = onnx.graph(net.take(), [], [onnx.value(far, onnx.FLOAT, shape)])
    net.nodes = start
    net.op("If", ["near"], "head", then_branch=then, else_branch=other)
    mean = net.quantise(net.op("GlobalAveragePool", ["head"], "mean"), 1 / 32)
    flat = net.op("Flatten", [mean], "flat")
    scores = net.op("Gemm", [flat, net.weight("scores", [4, 16], 1 / 256)],
                    "scores", transB=1)
    net.quantise(scores, 1 / 32)
    return onnx.model(onnx.graph(
        net.nodes,
        [onnx.value("image", onnx.FLOAT, [1, 3, 16, 16]),
         onnx.value("near", onnx.BOOL, [])],
        [onnx.value("scores_dq", onnx.FLOAT, [1, 4])], net.constants))


MODELS = {"look_closer.tflite": look_closer, "two_heads.onnx": two_heads}


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    for name, model in MODELS.items():
        path = os.path.join(HERE, "small", name)
        if not check:
            with open(path, "wb") as file:
                file.write(model())
            continue
        with open(path, "rb") as file:
            if file.read() != model():
                sys.exit(f"{name} differs from what generate_models.py writes")


if __name__ == "__main__":
    main()
