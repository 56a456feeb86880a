#!/usr/bin/env python3
"""Writes small models of LUNA's own operators (luna_*.onnx beside this script)
and their inputs (lit_tests/import/onnx/Inputs/luna). The results there were
recorded from ListenAI's runtime for these numbers: when a model changes, they
must be recorded again."""

import os

from onnx_wire import (FLOAT, INT8, INT16, INT32, INT64, graph, model, node,
                       pack, tensor, value, write)

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                    "..", "lit_tests", "import", "onnx", "Inputs", "luna")


def size(dims):
    count = 1
    for d in dims:
        count *= d
    return count


class Model:
    """A model in the making; every tensor has numbers of its own."""

    def __init__(self, name, domain="thinker"):
        self.name, self.seed, self.ops = name, 1, []
        self.domain = domain
        self.inputs, self.weights, self.outputs = {}, {}, {}

    def numbers(self, count, low, high):
        out = []
        for _ in range(count):
            self.seed = (self.seed * 1103515245 + 12345) % (1 << 31)
            out.append(low + (self.seed >> 8) % (high - low + 1))
        return out

    def input(self, name, kind, dims, low=-128, high=127):
        self.inputs[name] = (kind, dims, self.numbers(size(dims), low, high))

    def weight(self, name, kind, dims, low=-128, high=127, values=None):
        if values is None:
            values = self.numbers(size(dims), low, high)
        self.weights[name] = (kind, dims, values)

    def op(self, kind, inputs, output, type_, shape, *more, **attributes):
        """One node; `more` are further outputs (name, type, dims). A result
        whose name starts with _ is none of the model."""
        outputs = [(output, type_, shape)] + list(more)
        for key, exponent in attributes.items():
            if key.startswith("scale_"):
                attributes[key] = 2.0 ** exponent
        self.outputs.update((o[0], o[1:]) for o in outputs
                            if not o[0].startswith("_"))
        self.ops.append((kind, inputs, outputs, attributes))

    def write(self):
        nodes = [node(kind, inputs, [o[0] for o in outputs], self.domain,
                      **attributes)
                 for kind, inputs, outputs, attributes in self.ops]
        write("luna_" + self.name, model(graph(
            nodes,
            [value(n, t[0], t[1]) for n, t in self.inputs.items()],
            [value(n, t[0], t[1]) for n, t in self.outputs.items()],
            [tensor(n, *t) for n, t in self.weights.items()])))
        for name, (kind, _, values) in self.inputs.items():
            path = os.path.join(DATA, "%s.%s.bin" % (self.name, name))
            with open(path, "wb") as out:
                out.write(pack(kind, values))


def products():
    m = Model("product")
    m.input("x", INT8, [1, 3, 6, 7])
    m.input("line", INT8, [1, 4, 9])
    m.input("a", INT8, [2, 3, 5])
    m.input("b", INT8, [2, 5, 4])
    m.weight("w", INT8, [4, 3, 3, 2])
    m.weight("bias", INT32, [4], -20000, 20000)
    m.weight("deep", INT8, [3, 1, 3, 3])
    m.weight("bias3", INT32, [3], -20000, 20000)
    m.weight("w1", INT8, [2, 4, 3])
    m.weight("bias2", INT32, [2], -20000, 20000)
    m.weight("up", INT8, [3, 2, 3, 4])
    m.weight("full", INT8, [3, 9])
    m.input("four", INT8, [1, 4, 3, 5])
    m.weight("halves", INT8, [2, 2, 2, 2])
    m.weight("w4", INT8, [4])
    m.weight("bias4", INT32, [4], -20000, 20000)
    scales = {"scale_x": 6, "scale_w": 7, "scale_o": 3}
    m.op("Conv2dInt", ["x", "w", "bias"], "conv", INT8, [1, 4, 3, 7], o_bits=8,
         kernel_shape=[3, 2], pads=[1, 0, 1, 1], strides=[2, 1],
         dilations=[1, 1], group=1, **scales)
    m.op("Conv2dInt", ["x", "deep", "bias3"], "depthwise", INT16, [1, 3, 4, 5],
         o_bits=16, kernel_shape=[3, 3], pads=[0, 0, 0, 0], strides=[1, 1],
         dilations=[1, 1], group=3, scale_x=6, scale_w=7, scale_o=11)
    m.op("Conv1dInt", ["line", "w1", "bias2"], "conv1", INT8, [1, 2, 5],
         o_bits=8, kernel_shape=[3], pads=[1, 1], strides=[2], dilations=[1],
         group=1, **scales)
    m.op("ConvTranspose2dInt", ["x", "up", "bias2"], "transposed", INT8,
         [1, 2, 12, 14], o_bits=8, kernel_shape=[3, 4], pads=[1, 1, 1, 1],
         strides=[2, 2], output_padding=[1, 0], dilations=[1, 1], group=1,
         **scales)
    m.op("LinearInt", ["line", "full", "bias3"], "linear", INT8, [1, 4, 3],
         o_bits=8, **scales)
    m.op("Conv2dInt", ["four", "halves", "bias2"], "groups", INT8,
         [1, 2, 2, 4], o_bits=8, kernel_shape=[2, 2], pads=[0, 0, 0, 0],
         strides=[1, 1], dilations=[1, 1], group=2, **scales)
    m.op("BatchNorm2dInt", ["four", "w4", "bias4"], "scaled", INT8,
         [1, 4, 3, 5], o_bits=8, **scales)
    m.op("BmmInt", ["a", "b"], "bmm", INT8, [2, 3, 4], o_bits=8, scale_x=6,
         scale_y=5, scale_o=2)
    return m


def elements():
    m = Model("elements")
    dims = [1, 2, 3, 4]
    m.input("x", INT8, dims)
    m.input("y", INT8, dims)
    m.weight("pads", INT64, [4], values=[1, 2, 0, 1])
    m.weight("zero", INT8, [], values=[0])
    m.op("iqAdd", ["x", "y"], "sum", INT8, dims, scale_x=6, scale_y=5,
         scale_o=4)
    m.op("iqSub", ["x", "y"], "difference", INT8, dims, scale_x=4, scale_y=5,
         scale_o=4)
    m.op("iqMul", ["x", "y"], "product", INT8, dims, scale_x=6, scale_y=5,
         scale_o=4)
    m.op("iqDiv", ["x", "y"], "quotient", INT8, dims, scale_x=5, scale_y=5,
         scale_o=1)
    m.op("iqCat", ["x", "y"], "both", INT8, [1, 2, 6, 4], scale_x_0=5,
         scale_x_1=3, scale_o=4, dim=2)
    m.op("Requant", ["x"], "halved", INT8, dims, scale_x=6, scale_o=5)
    for mode in "constant", "reflect", "replicate":
        m.op("iqPad", ["x", "pads", "zero"], mode, INT8, [1, 2, 4, 7],
             mode=mode)
    return m


def pools():
    m = Model("pool")
    m.input("x", INT8, [1, 3, 5, 6])
    scales = {"scale_x": 5, "scale_o": 5}
    m.op("AvgPool2dInt", ["x"], "even", INT8, [1, 3, 2, 3], o_bits=8,
         kernel_shape=[2, 2], strides=[2, 2], pads=[0, 0, 0, 0], **scales)
    m.op("AvgPool2dInt", ["x"], "odd", INT8, [1, 3, 3, 4], o_bits=8,
         kernel_shape=[3, 3], strides=[1, 1], pads=[0, 0, 0, 0], **scales)
    m.op("AvgPool2dInt", ["x"], "six", INT8, [1, 3, 5, 5], o_bits=8,
         kernel_shape=[3, 2], strides=[1, 1], pads=[1, 0, 1, 0], **scales)
    m.op("AvgPool2dInt", ["x"], "whole", INT8, [1, 3, 1, 1], o_bits=8,
         kernel_shape=[5, 6], strides=[1, 1], pads=[0, 0, 0, 0], **scales)
    return m


def activations():
    m = Model("activation")
    m.input("x", INT8, [1, 2, 24])
    m.input("wide", INT16, [1, 2, 24], -32768, 32767)
    m.input("wider", INT32, [1, 2, 24], -(1 << 30), 1 << 30)
    dims = [1, 2, 24]
    for name in "iqSigmoid", "iqTanh":
        m.op(name, ["x"], name, INT8, dims, scale_x=5, scale_o=7,
             platform_quant="luna_quant")
        m.op(name, ["wide"], name + "16", INT8, dims, scale_x=12, scale_o=7,
             platform_quant="luna_quant")
        m.op(name, ["wider"], name + "32", INT8, dims, scale_x=27, scale_o=7,
             platform="arcs")
    m.op("SoftmaxInt", ["x"], "softmax", INT8, dims, scale_x=4, scale_o=7,
         dim=-1, platform_quant="luna_quant")
    for chip in "arcs", "venusA":
        m.op("SoftmaxInt", ["x"], "softmax_" + chip, INT8, dims, scale_x=5,
             scale_o=7, axis=2, platform=chip)
    return m


def norms():
    m = Model("norm")
    m.input("x", INT8, [2, 3, 8])
    m.weight("w", INT16, [8], -300, 300)
    m.weight("b", INT32, [8], -30000, 30000)
    m.weight("w24", INT8, [24])
    m.weight("b24", INT32, [24], -30000, 30000)
    m.op("LayerNormInt", ["x", "w", "b"], "rows", INT8, [2, 3, 8], scale_x=5,
         scale_w=7, scale_o=4)
    m.op("LayerNormInt", ["x", "w24", "b24"], "planes", INT8, [2, 3, 8],
         scale_x=3, scale_w=6, scale_o=5)
    return m


def recurrent(m, gates):
    m.input("x", INT8, [4, 2, 3])
    m.weight("w", INT8, [gates * 5, 3])
    m.weight("r", INT8, [gates * 5, 5])
    m.weight("wb", INT32, [gates * 5], -2000, 2000)
    m.weight("rb", INT32, [gates * 5], -2000, 2000)
    return ["w", "r", "wb", "rb"]


def lstm():
    m = Model("lstm")
    weights = recurrent(m, 4)
    m.input("lengths", INT64, [2], 2, 4)
    m.input("h", INT8, [1, 2, 5])
    m.input("c", INT32, [1, 2, 5], -900, 900)
    scales = {"scale_iw": 7, "scale_hw": 6, "scale_h": 7, "scale_o": 7}
    attributes = {"o_bits": 8, "num_layers": 1, "input_size": 3,
                  "hidden_size": 5, "batch_first": 0}
    m.op("LSTMInt", ["x"] + weights, "plain", INT8, [4, 2, 5],
         ("plain_h", FLOAT, [1, 2, 5]), ("plain_c", FLOAT, [1, 2, 5]),
         scale_i=5, go_forward=1, **scales, **attributes)
    m.op("LSTMInt_Is8_Is64_If32_If32", ["x", "lengths", "h", "c"] + weights,
         "back", INT8, [4, 2, 5], ("back_h", INT8, [1, 2, 5]),
         ("back_c", INT32, [1, 2, 5]), scale_i=5, go_forward=0, **scales,
         **attributes)
    m.op("LSTMInt", ["x"] + weights, "arcs", INT8, [4, 2, 5],
         ("arcs_h", FLOAT, [1, 2, 5]), ("arcs_c", FLOAT, [1, 2, 5]),
         scale_x=5, go_forward=1, platform="arcs", **scales, **attributes)
    return m


def gru():
    m = Model("gru")
    weights = recurrent(m, 3)
    attributes = {"o_bits": 8, "num_layers": 1, "input_size": 3,
                  "hidden_size": 5, "batch_first": 0}
    m.op("GRUInt", ["x"] + weights, "y", INT8, [4, 2, 5],
         ("h", FLOAT, [1, 2, 5]), scale_x=5, go_forward=1, scale_iw=7,
         scale_hw=6, scale_h=8, scale_o=8, **attributes)
    return m


def linger():
    """Both directions, as linger 3 writes them."""
    m = Model("linger", "linger")
    weights = recurrent(m, 4)
    attributes = {"x_bits": 8, "w_bits": 8, "o_bits": 8, "num_layers": 1,
                  "input_size": 3, "hidden_size": 5, "batch_first": 0,
                  "scale_x": 5, "scale_iw": 7, "scale_hw": 6, "scale_h": 7,
                  "scale_c": 15, "scale_o": 7, "platform": "venus"}
    for name, forward in ("to", 1), ("fro", 0):
        m.op("QLSTM", ["x"] + weights, name, INT8, [4, 2, 5],
             (name + "_h", FLOAT, [1, 2, 5]), (name + "_c", FLOAT, [1, 2, 5]),
             go_forward=forward, **attributes)
    m.op("QCat", ["to", "fro"], "both", INT8, [4, 2, 10], axis=2,
         scale_x_0=7, scale_x_1=7, scale_o=7, platform="venus")
    return m


def reductions():
    m = Model("reduce")
    m.input("x", INT8, [1, 4, 3, 8])
    m.op("iqSum", ["x"], "rows", INT8, [1, 4, 3, 1], dims=-1, scale_x=5,
         scale_o=2)
    m.op("iqSum", ["x"], "columns", INT8, [1, 3, 8], dims=1, scale_x=4,
         scale_o=4)
    m.op("iqVar", ["x"], "row_variance", INT8, [1, 4, 3, 1], dim=3,
         unbiased=1, scale_x=6, scale_o=5)
    m.op("iqVar", ["x"], "column_variance", INT8, [1, 4, 1, 8], dim=2,
         unbiased=1, scale_x=6, scale_o=5)
    m.op("ShuffleChannel", ["x"], "shuffled", INT8, [1, 4, 3, 8], groups=2)
    return m


def glu():
    m = Model("glu", "linger")
    m.input("x", INT8, [1, 4, 24])
    for chip in "arcs", "venusA":
        m.op("QGLU", ["x"], chip, INT8, [1, 4, 12], dim=-1, scale_x=5,
             scale_o=6, x_bits=8, o_bits=8, platform=chip)
    return m


def log_softmax():
    m = Model("log_softmax")
    m.input("x", INT8, [1, 5, 24])
    m.op("LogSoftmaxInt", ["x"], "venus", INT8, [1, 5, 24], scale_x=5,
         scale_o=4, o_bits=8, dim=-1, platform_quant="luna_quant")
    for chip in "arcs", "venusA":
        m.op("LogSoftmaxInt", ["x"], chip, INT8, [1, 5, 24], scale_x=6,
             scale_o=5, o_bits=8, axis=2, platform=chip)
    return m


def plain():
    """Operators of ONNX between linger's; a sum is clipped where it is made
    and, where it is an output too, after that."""
    m = Model("plain")
    dims = [1, 4, 6, 6]
    m.input("x", INT8, dims)
    m.input("word", INT64, [3], 0, 4)
    m.weight("zero", FLOAT, [], values=[0.0])
    m.weight("six", FLOAT, [], values=[6.0])
    m.weight("words", INT8, [5, 4])
    scales = {"scale_x": 5, "scale_y": 5, "scale_o": 4}
    m.op("iqAdd", ["x", "x"], "sum", INT8, dims, **scales)
    m.op("Clip", ["sum", "zero", "six"], "clipped", INT8, dims)
    m.op("iqAdd", ["x", "x"], "_sum", INT8, dims, **scales)
    m.op("Clip", ["_sum", "zero", "six"], "clipped_inside", INT8, dims)
    m.op("Relu", ["x"], "positive", INT8, dims)
    m.op("MaxPool", ["x"], "pooled", INT8, [1, 4, 3, 3], kernel_shape=[3, 3],
         strides=[2, 2], pads=[1, 1, 1, 1])
    m.op("ArgMax", ["x"], "places", INT64, [1, 4, 6, 1], axis=3, keepdims=1)
    m.op("Gather", ["words", "word"], "embedded", INT8, [3, 4], scale_w=6,
         scale_o=6, parameter_bits=8, o_bits=8)
    return m


MODELS = [products(), elements(), pools(), activations(), norms(), lstm(),
          gru(), linger(), reductions(), glu(), log_softmax(), plain()]

if __name__ == "__main__":
    os.makedirs(DATA, exist_ok=True)
    for each in MODELS:
        each.write()
