#!/usr/bin/env python3
"""Writes quantised ONNX models, inputs, and the outputs to expect.

The outputs are computed here, in plain Python, from what ONNX says about each
operator: sums of integers for convolutions and products, every other step in
binary32 as written. Nothing of the compiler takes part.
"""

import itertools
import os
import random
import struct

from onnx_wire import *


# Numbers: binary32 by rounding what double gives, which is the same for one
# addition, product, quotient or square root.
def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def quantise(x, scale, zero, low, high):
    return min(max(round(f32(x / scale)) + zero, low), high)


class Tensor:
    """Numbers in row-major order."""

    def __init__(self, dims, values):
        self.dims, self.values = list(dims), list(values)

    def strides(self):
        out, step = [], 1
        for d in reversed(self.dims):
            out.insert(0, step)
            step *= d
        return out

    def at(self, *index):
        return self.values[sum(i * s for i, s in zip(index, self.strides()))]


def broadcast(function, a, b):
    """Applies a function to each pair of elements; `a` has the higher rank."""
    lower = Tensor([1] * (len(a.dims) - len(b.dims)) + b.dims, b.values)
    dims = [max(m, n) for m, n in zip(a.dims, lower.dims)]
    values = []
    for index in itertools.product(*map(range, dims)):
        values.append(function(*[t.at(*[i % d for i, d in zip(index, t.dims)])
                                 for t in (a, lower)]))
    return Tensor(dims, values)


class Quantised:
    """Integers with a scale and a zero point, and the names in the graph."""

    def __init__(self, name, ints, scale, zero, kind):
        self.name, self.ints = name, ints
        self.scale, self.zero, self.kind = scale, zero, kind

    def floats(self):
        return Tensor(self.ints.dims, [f32(f32(q - self.zero) * self.scale)
                                       for q in self.ints.values])


RANGE = {UINT8: (0, 255), INT8: (-128, 127)}


class Graph:
    """Nodes and constants; `case` values are computed along."""

    def __init__(self, seed):
        self.nodes, self.constants = [], []
        self.random = random.Random(seed)
        self.count = 0

    def fresh(self, stem):
        self.count += 1
        return "%s%d" % (stem, self.count)

    def constant(self, stem, kind, dims, values):
        name = self.fresh(stem)
        self.constants.append(tensor(name, kind, dims, values))
        return name

    def op(self, kind, inputs, domain="", **attributes):
        name = self.fresh(kind.lower())
        self.nodes.append(node(kind, inputs, [name], domain, **attributes))
        return name

    def quantise(self, name, values, scale, zero, kind=UINT8):
        """QuantizeLinear of a float value, then DequantizeLinear."""
        scale = f32(scale)
        s = self.constant("scale", FLOAT, [], [scale])
        z = self.constant("zero", kind, [], [zero])
        q = self.op("QuantizeLinear", [name, s, z])
        low, high = RANGE[kind]
        ints = Tensor(values.dims, [quantise(v, scale, zero, low, high)
                                    for v in values.values])
        d = self.op("DequantizeLinear", [q, s, z])
        self.quantised = q
        return Quantised(d, ints, scale, zero, kind)

    def dequantise(self, name, ints, scale, zero, kind=UINT8):
        scale = f32(scale)
        s = self.constant("scale", FLOAT, [], [scale])
        z = self.constant("zero", kind, [], [zero])
        d = self.op("DequantizeLinear", [name, s, z])
        return Quantised(d, ints, scale, zero, kind)

    def requantise(self, name, sums, products, scale, zero, kind, channel_of,
                   low=None, high=None):
        """The same behind sums of integers: one product in binary32."""
        scale = f32(scale)
        s = self.constant("scale", FLOAT, [], [scale])
        z = self.constant("zero", kind, [], [zero])
        q = self.op("QuantizeLinear", [name, s, z])
        first, last = RANGE[kind]
        if low is not None:
            first = max(first, quantise(low, scale, zero, *RANGE[kind]))
        if high is not None:
            last = min(last, quantise(high, scale, zero, *RANGE[kind]))
        ints = []
        for i, total in enumerate(sums.values):
            factor = f32(products[channel_of(i) % len(products)] / scale)
            scaled = f32(f32(total) * factor)
            ints.append(min(max(round(scaled) + zero, first), last))
        d = self.op("DequantizeLinear", [q, s, z])
        self.quantised = q
        return Quantised(d, Tensor(sums.dims, ints), scale, zero, kind)

    def weights(self, dims, axis, per_channel, bound=127):
        count = 1
        for d in dims:
            count *= d
        ints = [self.random.randint(-bound, bound) for _ in range(count)]
        n = dims[axis] if per_channel else 1
        scales = [f32(self.random.uniform(0.002, 0.012)) for _ in range(n)]
        w = self.constant("w", INT8, dims, ints)
        s = self.constant("scale", FLOAT, [n] if per_channel else [], scales)
        z = self.constant("zero", INT8, [n] if per_channel else [], [0] * n)
        name = self.op("DequantizeLinear", [w, s, z], axis=axis)
        return name, Tensor(dims, ints), scales

    def bias(self, products, channels, bound=400):
        ints = [self.random.randint(-bound, bound) for _ in range(channels)]
        n = len(products)
        b = self.constant("b", INT32, [channels], ints)
        s = self.constant("scale", FLOAT, [n] if n > 1 else [], products)
        name = self.op("DequantizeLinear", [b, s], axis=0)
        return name, ints

    def conv(self, x, out, kernel, pad=0, stride=1, group=1, per_channel=True,
             clamp=None, scale=0.05, zero=0, kind=UINT8):
        _, channels, rows, columns = x.ints.dims
        depth = channels // group
        wname, w, scales = self.weights([out, depth, kernel, kernel], 0,
                                        per_channel)
        products = [f32(x.scale * s) for s in scales]
        bname, b = self.bias(products, out)
        name = self.op("Conv", [x.name, wname, bname], pads=[pad] * 4,
                       strides=[stride] * 2, group=group,
                       kernel_shape=[kernel] * 2)
        oh = (rows + 2 * pad - kernel) // stride + 1
        ow = (columns + 2 * pad - kernel) // stride + 1
        sums = []
        for o in range(out):
            first = o // (out // group) * depth
            for y in range(oh):
                for z in range(ow):
                    total = b[o]
                    for i in range(depth):
                        for u in range(kernel):
                            for v in range(kernel):
                                r, s = y * stride + u - pad, z * stride + v - pad
                                if 0 <= r < rows and 0 <= s < columns:
                                    total += ((x.ints.at(0, first + i, r, s) -
                                               x.zero) * w.at(o, i, u, v))
                    sums.append(total)
        low = high = None
        if clamp == "Relu":
            name, low = self.op("Relu", [name]), 0.0
        elif clamp:
            low, high = clamp
            bounds = [self.constant("bound", FLOAT, [], [v]) for v in clamp]
            name = self.op("Clip", [name] + bounds)
        return self.requantise(name, Tensor([1, out, oh, ow], sums), products,
                               scale, zero, kind, lambda i: i // (oh * ow), low,
                               high)

    def conv_transpose(self, x, out, kernel, stride, pad, scale, zero):
        _, channels, rows, columns = x.ints.dims
        wname, w, scales = self.weights([channels, out, kernel, kernel], 1,
                                        True)
        products = [f32(x.scale * s) for s in scales]
        bname, b = self.bias(products, out)
        name = self.op("ConvTranspose", [x.name, wname, bname],
                       pads=[pad] * 4, strides=[stride] * 2,
                       kernel_shape=[kernel] * 2)
        oh = (rows - 1) * stride + kernel - 2 * pad
        ow = (columns - 1) * stride + kernel - 2 * pad
        sums = [b[o] for o in range(out) for _ in range(oh * ow)]
        for o in range(out):
            for i in range(channels):
                for y in range(rows):
                    for z in range(columns):
                        for u in range(kernel):
                            for v in range(kernel):
                                r, s = y * stride + u - pad, z * stride + v - pad
                                if 0 <= r < oh and 0 <= s < ow:
                                    sums[(o * oh + r) * ow + s] += (
                                        (x.ints.at(0, i, y, z) - x.zero) *
                                        w.at(i, o, u, v))
        return self.requantise(name, Tensor([1, out, oh, ow], sums), products,
                               scale, zero, UINT8, lambda i: i // (oh * ow))

    def gemm(self, x, out, scale, zero, kind=UINT8):
        depth = x.ints.dims[1]
        wname, w, scales = self.weights([out, depth], 0, True)
        products = [f32(x.scale * s) for s in scales]
        bname, b = self.bias(products, out)
        name = self.op("Gemm", [x.name, wname, bname], transB=1)
        sums = [b[o] + sum((x.ints.at(0, k) - x.zero) * w.at(o, k)
                           for k in range(depth)) for o in range(out)]
        return self.requantise(name, Tensor([1, out], sums), products, scale,
                               zero, kind, lambda i: i)

    def combine(self, op, a, b, scale, zero, kind=UINT8, relu=False):
        """Add, Sub or Mul of two values that broadcast."""
        function = {"Add": lambda x, y: x + y, "Sub": lambda x, y: x - y,
                    "Mul": lambda x, y: x * y}[op]
        name = self.op(op, [a.name, b.name])
        values = broadcast(lambda x, y: f32(function(x, y)), a.floats(),
                           b.floats())
        if relu:
            name = self.op("Relu", [name])
            values.values = [max(v, 0.0) for v in values.values]
        return self.quantise(name, values, scale, zero, kind)

    def add(self, a, b, scale, zero, kind=UINT8, relu=False):
        return self.combine("Add", a, b, scale, zero, kind, relu)

    def multiply(self, a, b, scale, zero, kind=UINT8):
        return self.combine("Mul", a, b, scale, zero, kind)

    def hard_sigmoid(self, x, scale, zero, kind=UINT8):
        name = self.op("HardSigmoid", [x.name], alpha=0.25, beta=0.5)
        values = [min(max(f32(f32(0.25 * v) + 0.5), 0.0), 1.0)
                  for v in x.floats().values]
        return self.quantise(name, Tensor(x.ints.dims, values), scale, zero,
                             kind)

    def max_pool(self, x):
        name = self.op("MaxPool", [x.name], kernel_shape=[2, 2], strides=[2, 2])
        _, c, h, w = x.ints.dims
        ints = [max(x.ints.at(0, i, 2 * y + u, 2 * z + v)
                    for u in (0, 1) for v in (0, 1))
                for i in range(c) for y in range(h // 2) for z in range(w // 2)]
        return Quantised(name, Tensor([1, c, h // 2, w // 2], ints), x.scale,
                         x.zero, x.kind)

    def average(self, x, scale, zero, kind=UINT8):
        name = self.op("GlobalAveragePool", [x.name])
        _, c, h, w = x.ints.dims
        sums = [sum(x.ints.at(0, i, y, z) - x.zero
                    for y in range(h) for z in range(w)) for i in range(c)]
        scale = f32(scale)
        factor = f32(x.scale / f32(scale * f32(h * w)))
        low, high = RANGE[kind]
        ints = [min(max(round(f32(f32(s) * factor)) + zero, low), high)
                for s in sums]
        s = self.constant("scale", FLOAT, [], [scale])
        z = self.constant("zero", kind, [], [zero])
        q = self.op("QuantizeLinear", [name, s, z])
        d = self.op("DequantizeLinear", [q, s, z])
        return Quantised(d, Tensor([1, c, 1, 1], ints), scale, zero, kind)

    def concat(self, a, b, scale, zero, kind=UINT8):
        name = self.op("Concat", [a.name, b.name], axis=1)
        dims = list(a.ints.dims)
        dims[1] += b.ints.dims[1]
        values = a.floats().values + b.floats().values
        return self.quantise(name, Tensor(dims, values), scale, zero, kind)


def write_bytes(name, values):
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, name + ".bin"), "wb") as out:
        out.write(bytes(v & 255 for v in values))


def write_npy(name, dims, values):
    folder = os.path.dirname(os.path.abspath(__file__))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (
        str(tuple(dims)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(os.path.join(folder, name + ".npy"), "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                  header.encode() +
                  struct.pack("<%df" % len(values), *values))


SIZE = 16


# Convolutions of all kinds, a residual sum, a branch on the input's mean whose
# sides have different scales, a concatenation, an average and a Gemm.
def network(case):
    g = Graph(7)
    noise = random.Random(case)
    shift = 0.5 if case % 2 == 0 else -0.5
    x = Tensor([1, 3, SIZE, SIZE], [f32(noise.uniform(-1.5, 1.5) + shift)
                                    for _ in range(3 * SIZE * SIZE)])
    q = g.quantise("x", x, 1 / 64, 128)
    a = g.conv(q, 8, 3, pad=1, clamp="Relu", scale=0.02, zero=0)
    d = g.conv(a, 8, 3, pad=1, group=8, clamp=(0.0, 6.0), scale=0.03, zero=3)
    p = g.conv(d, 8, 1, scale=0.05, zero=120, per_channel=False)
    r = g.add(a, p, 0.04, 10, relu=True)
    m = g.max_pool(r)
    mean = g.op("ReduceMean", ["x"], keepdims=0)
    none = g.constant("none", FLOAT, [], [0.0])
    gate = g.op("Greater", [mean, none])
    outer, g.nodes = g.nodes, []
    t = g.conv(m, 8, 3, pad=1, clamp="Relu", scale=0.06, zero=0)
    then_branch = graph(g.nodes, [], [value(t.name, FLOAT, t.ints.dims)])
    g.nodes = []
    h = g.hard_sigmoid(m, 1 / 255, 0)
    e = g.multiply(m, h, 0.045, 5)
    else_branch = graph(g.nodes, [], [value(e.name, FLOAT, e.ints.dims)])
    g.nodes = outer
    name = g.op("If", [gate], then_branch=then_branch, else_branch=else_branch)
    chosen = t if sum(x.values) > 0 else e
    i = g.quantise(name, chosen.floats(), 0.05, 2)
    k = g.concat(m, i, 0.05, 0)
    v = g.average(k, 0.03, 0)
    flat = Quantised(g.op("Flatten", [v.name]),
                     Tensor([1, 16], v.ints.values), v.scale, v.zero, v.kind)
    y = g.gemm(flat, 4, 0.06, 128)
    g.nodes.append(node("Identity", [y.name], ["y"]))
    data = model(graph(g.nodes, [value("x", FLOAT, x.dims)],
                       [value("y", FLOAT, [1, 4])], g.constants))
    return data, x, y.floats()


# The same in operators that carry their scales, uint8 in and out. The plain
# graph computes what to expect; what is written are the other operators.
def linear_network():
    g, k = Graph(11), Graph(12)
    noise = random.Random(5)

    def kept(q):
        return [k.constant("scale", FLOAT, [], [q.scale]),
                k.constant("zero", q.kind, [], [q.zero])]

    x = Quantised("x", Tensor([1, 3, 8, 8], [noise.randint(0, 255)
                                             for _ in range(192)]),
                  f32(1 / 64), 128, UINT8)
    def conv(q, name, out, kernel, scale, zero, **options):
        before = g.random.getstate()
        made = g.conv(q, out, kernel, scale=scale, zero=zero, **options)
        g.random.setstate(before)
        group = options.get("group", 1)
        dims = [out, q.ints.dims[1] // group, kernel, kernel]
        _, w, scales = g.weights(dims, 0, True)
        _, b = g.bias(scales, out)
        inputs = ([name] + kept(q) +
                  [k.constant("w", INT8, dims, w.values),
                   k.constant("scale", FLOAT, [out], scales),
                   k.constant("zero", INT8, [out], [0] * out)] + kept(made) +
                  [k.constant("b", INT32, [out], b)])
        pad = options.get("pad", 0)
        return made, k.op("QLinearConv", inputs, pads=[pad] * 4, group=group)

    a, name = conv(x, "x", 8, 3, 0.03, 100, pad=1)
    d, other = conv(a, name, 8, 3, 0.04, 90, pad=1, group=8)
    r = g.add(a, d, 0.05, 110)
    name = k.op("QLinearAdd", [name] + kept(a) + [other] + kept(d) + kept(r),
                "com.microsoft")
    m = g.max_pool(r)
    name = k.op("MaxPool", [name], kernel_shape=[2, 2], strides=[2, 2])
    v = g.average(m, 0.04, 120)
    name = k.op("QLinearGlobalAveragePool", [name] + kept(m) + kept(v),
                "com.microsoft", channels_last=0)
    name = k.op("Reshape", [name, k.constant("shape", INT64, [2], [1, 8])])
    flat = Quantised("flat", Tensor([1, 8], v.ints.values), v.scale, v.zero,
                     v.kind)
    ints = [noise.randint(-127, 127) for _ in range(32)]
    scale_w, scale_y, zero_y = f32(0.002), f32(0.05), 131
    factor = f32(f32(flat.scale * scale_w) / scale_y)
    out = []
    for c in range(4):
        total = sum((flat.ints.values[i] - flat.zero) * ints[4 * i + c]
                    for i in range(8))
        out.append(min(max(round(f32(f32(total) * factor)) + zero_y, 0), 255))
    k.nodes.append(node("QLinearMatMul", [name] + kept(flat) + [
        k.constant("w", INT8, [8, 4], ints),
        k.constant("scale", FLOAT, [], [scale_w]),
        k.constant("zero", INT8, [], [0]),
        k.constant("scale", FLOAT, [], [scale_y]),
        k.constant("zero", UINT8, [], [zero_y])], ["y"]))
    data = model(graph(k.nodes, [value("x", UINT8, x.ints.dims)],
                       [value("y", UINT8, [1, 4])], k.constants), 13,
                 ["com.microsoft"])
    return data, x.ints, Tensor([1, 4], out)


# Sums and products of two values: with scales as training gives them, equal
# ones, powers of two whose ties go to even, and decimals, whose ties f32 breaks
# as it happens; of one shape, along channels, with constants.
def pair_network():
    g = Graph(41)
    noise = random.Random(42)
    dims = [1, 4, 8, 8]
    x, y = [Tensor(dims, [noise.randint(-128, 127) for _ in range(256)])
            for _ in range(2)]
    per_channel = Tensor([4, 1, 1], [noise.randint(-128, 127) for _ in range(4)])
    constant = g.constant("w", INT8, per_channel.dims, per_channel.values)
    names, results = [], []

    def pair(op, a, b, scale, zero, relu=False):
        made = g.combine(op, a, b, scale, zero, INT8, relu)
        names.append(g.quantised)
        results.extend(made.ints.values)

    def both(scale_x, scale_y):
        return (g.dequantise("x", x, scale_x, 0, INT8),
                g.dequantise("y", y, scale_y, -11, INT8))

    a, b = both(0.031135271, 0.017319423)
    k = g.dequantise(constant, per_channel, 0.024793113, -29, INT8)
    pair("Add", a, b, 0.040253731, -8)
    pair("Sub", a, b, 0.035714289, -121, relu=True)
    pair("Mul", a, b, 0.029718652, 3)
    pair("Add", a, k, 0.041931275, 0)
    pair("Mul", a, k, 0.028619374, 0)
    a, b = both(0.021364587, 0.021364587)
    pair("Add", a, b, 0.036187253, 0)
    a, b = both(0.5, 0.25)
    pair("Add", a, b, 0.5, 0)
    a, b = both(0.02, 0.05)
    pair("Add", a, b, 0.04, 0)
    g.nodes.append(node("Concat", names, ["z"], axis=1))
    out = Tensor([1, 4 * len(names), 8, 8], results)
    data = model(graph(g.nodes, [value("x", INT8, dims),
                                 value("y", INT8, dims)],
                       [value("z", INT8, out.dims)], g.constants))
    return data, x, y, out


# A transposed convolution.
def enlarging_network():
    g = Graph(21)
    noise = random.Random(22)
    x = Tensor([1, 3, 4, 5], [f32(noise.uniform(-2, 2)) for _ in range(60)])
    q = g.quantise("x", x, 1 / 64, 120)
    y = g.conv_transpose(q, 2, 4, 2, 1, 0.05, 130)
    g.nodes.append(node("Identity", [y.name], ["y"]))
    return model(graph(g.nodes, [value("x", FLOAT, x.dims)],
                       [value("y", FLOAT, y.ints.dims)], g.constants)), x, y


# A convolution whose input's scale and zero point are known at run time only,
# padded: what lies outside is the zero point.
def runtime_network():
    k = Graph(31)
    noise = random.Random(32)
    x = Tensor([1, 1, 5, 5], [noise.randint(0, 255) for _ in range(25)])
    weights = [noise.randint(-127, 127) for _ in range(9)]
    scale_x, zero_x, scale_w, scale_y, zero_y = (
        f32(0.03), 77, f32(0.01), f32(0.07), 128)
    factor = f32(f32(scale_x * scale_w) / scale_y)
    out = []
    for i in range(5):
        for j in range(5):
            total = sum((x.at(0, 0, i + a - 1, j + b - 1) - zero_x)
                        * weights[3 * a + b]
                        for a in range(3) for b in range(3)
                        if 0 <= i + a - 1 < 5 and 0 <= j + b - 1 < 5)
            out.append(min(max(round(f32(f32(total) * factor)) + zero_y, 0),
                           255))
    k.nodes.append(node("QLinearConv", [
        "x", "scale", "zero", k.constant("w", INT8, [1, 1, 3, 3], weights),
        k.constant("scale", FLOAT, [], [scale_w]),
        k.constant("zero", INT8, [], [0]),
        k.constant("scale", FLOAT, [], [scale_y]),
        k.constant("zero", UINT8, [], [zero_y])], ["y"], pads=[1, 1, 1, 1]))
    data = model(graph(k.nodes, [value("x", UINT8, x.dims),
                                 value("scale", FLOAT, []),
                                 value("zero", UINT8, [])],
                       [value("y", UINT8, x.dims)], k.constants), 13)
    return data, x, scale_x, zero_x, out


# Pools that TOSA does not have: dilated ones, padded, and one of three
# dimensions; the largest of the elements that each window meets, and averages.
def pool_network():
    g = Graph(51)
    noise = random.Random(52)
    x = Tensor([1, 2, 6, 7], [noise.randint(-128, 127) for _ in range(84)])
    q = g.dequantise("x", x, 0.03, 11, INT8)
    names, results = [], []

    def windows(kernel, pad, dims):
        """The elements that each window meets: dilation 2 of height and width,
        strides of 1."""
        out = [d + 2 * p - 2 * (k - 1) for d, p, k in zip(dims, pad, kernel)]
        for c in range(2):
            for at in itertools.product(*map(range, out)):
                met = [[a + 2 * i - p for a, i, p in zip(at, tap, pad)]
                       for tap in itertools.product(*map(range, kernel))]
                yield [x.values[(c * 6 + r) * 7 + s] for r, s in met
                       if 0 <= r < 6 and 0 <= s < 7]

    def keep(made):
        names.append(g.op("Reshape", [g.quantised, flat]))
        results.extend(made.ints.values)

    flat = g.constant("shape", INT64, [2], [1, -1])
    largest = [max(met) for met in windows((3, 2), (2, 1), (6, 7))]
    name = g.op("MaxPool", [q.name], kernel_shape=[3, 2], dilations=[2, 2],
                pads=[2, 1, 2, 1])
    m = g.quantise(name, Quantised(name, Tensor([1, 2, 6, 7], largest), q.scale,
                                   q.zero, INT8).floats(), 0.04, -5, INT8)
    keep(m)
    sums = [sum(v - q.zero for v in met)
            for met in windows((2, 2), (0, 0), (6, 7))]
    name = g.op("AveragePool", [q.name], kernel_shape=[2, 2], dilations=[2, 2])
    keep(g.requantise(name, Tensor([1, 2, 4, 5], sums), [f32(q.scale / 4)],
                      0.02, 3, INT8, lambda i: i))
    cube = g.op("Reshape", [q.name, g.constant("shape", INT64, [5],
                                               [1, 2, 2, 3, 7])])
    largest = [max(x.values[((c * 2 + a) * 3 + y + b) * 7 + z + d]
                   for a in (0, 1) for b in (0, 1) for d in (0, 1, 2))
               for c in range(2) for y in range(2) for z in range(5)]
    name = g.op("MaxPool", [cube], kernel_shape=[2, 2, 3])
    k = Quantised(name, Tensor([1, 2, 1, 2, 5], largest), q.scale, q.zero, INT8)
    keep(g.quantise(name, k.floats(), q.scale, q.zero, INT8))
    g.nodes.append(node("Concat", names, ["y"], axis=1))
    return model(graph(g.nodes, [value("x", INT8, x.dims)],
                       [value("y", INT8, [1, len(results)])], g.constants),
                 19), x, results


def main():
    data, x, y = pool_network()
    write("qdq_pool", data)
    write_bytes("qdq_pool_x", x.values)
    write_bytes("qdq_pool_y", y)
    data, x, scale, zero, out = runtime_network()
    write("qlinear_runtime", data)
    write_bytes("qlinear_runtime_x", x.values)
    write_npy("qlinear_runtime_scale", [], [scale])
    write_bytes("qlinear_runtime_zero", [zero])
    write_bytes("qlinear_runtime_y", out)
    data, x, y, z = pair_network()
    write("qdq_pair", data)
    write_bytes("qdq_pair_x", x.values)
    write_bytes("qdq_pair_y", y.values)
    write_bytes("qdq_pair_z", z.values)
    data, x, y = enlarging_network()
    write("qdq_up", data)
    write_npy("qdq_up_x", x.dims, x.values)
    write_npy("qdq_up_y", y.ints.dims, y.floats().values)
    data, x, y = linear_network()
    write("qlinear", data)
    write_bytes("qlinear_x", x.values)
    write_bytes("qlinear_y", y.values)
    for case in range(2):
        data, x, y = network(case)
        if case == 0:
            write("qdq", data)
        write_npy("qdq_x%d" % case, x.dims, x.values)
        write_npy("qdq_y%d" % case, y.dims, y.values)


main()
