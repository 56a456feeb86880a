#!/usr/bin/env python3
"""Writes models of single operators with inputs, to compare their results.

    make_recorded.py                          the models of this folder
    make_recorded.py FOLDER COUNT SEED [NAME...]   COUNT of each kind, at random

Each NAME.tflite gets a NAME.in, the inputs of a few calls one after the other.
NAME.out, the outputs, comes from another implementation (docs/import.md says
which); tflite_recorded_test compares. Shapes, scales and values are drawn at
random, the same for the same seed.
"""

import math
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tflite"))
from make_models import BOOL, F32, FORMATS, I16, I32, I64, I8, Graph, Model

RECORDED_SEED = 1
KINDS = {}


class Case(Graph):
    """A graph under construction, with the values of its inputs."""

    def __init__(self, rng, may_be_large=True):
        super().__init__(Model(), "main")
        self.rng, self.feeds, self.calls = rng, [], 1
        self.is_large = may_be_large and rng.random() < 0.5
        self.used = 0

    def fresh(self):
        self.used += 1
        return "t%d" % self.used

    def real(self, low, high):
        """Log-uniform, as a float32."""
        value = math.exp(self.rng.uniform(math.log(low), math.log(high)))
        return struct.unpack("f", struct.pack("f", value))[0]

    def scale(self, kind):
        return self.real(0.002, 0.5) if kind == I8 else self.real(3e-5, 2e-3)

    def zero(self, kind):
        return self.rng.choice([0, -128, 127, self.rng.randint(-128, 127)]) \
            if kind == I8 else 0

    def shape(self, low=1, high=4, most=6):
        return [self.rng.randint(1, most)
                for _ in range(self.rng.randint(low, high))]

    def value(self, kind, shape, scale=None, zero=None, data=None, **more):
        """A tensor, quantised at random where the kind asks for it."""
        if kind in (I8, I16):
            scale = self.scale(kind) if scale is None else scale
            zero = self.zero(kind) if zero is None else zero
        return self.tensor(self.fresh(), kind, shape, scale, zero or 0, data,
                           **more)

    def draw(self, kind, count, low=None, high=None):
        rng = self.rng
        if kind == F32:
            low, high = (-4, 4) if low is None else (low, high)
            return [rng.uniform(low, high) for _ in range(count)]
        if kind == BOOL:
            return [rng.random() < 0.5 for _ in range(count)]
        if low is None:
            low, high = {I8: (-128, 127), I16: (-32768, 32767),
                         I32: (-1000, 1000), I64: (-1000, 1000)}[kind]
        if kind == I16 and rng.random() < 0.3:
            low, high = low // 64, high // 64
        return [rng.randint(low, high) for _ in range(count)]

    def input(self, kind, shape, scale=None, zero=None, low=None, high=None):
        tensor = self.value(kind, shape, scale, zero)
        self.inputs.append(tensor)
        self.feeds.append((kind, math.prod(shape), low, high))
        return tensor

    def const(self, kind, shape, scale=None, zero=None, low=None, high=None):
        data = self.draw(kind, math.prod(shape), low, high)
        return self.value(kind, shape, scale, zero, data)

    def ints(self, values, shape=None):
        return self.tensor(self.fresh(), I32,
                           [len(values)] if shape is None else shape,
                           data=values)

    def output(self, kind, shape, scale=None, zero=None):
        tensor = self.value(kind, shape, scale, zero)
        self.outputs.append(tensor)
        return tensor

    def finish(self, path):
        """Writes the model and its inputs."""
        self.model.write(path + ".tflite")
        with open(path + ".in", "wb") as out:
            for _ in range(self.calls):
                for kind, count, low, high in self.feeds:
                    values = self.draw(kind, count, low, high)
                    out.write(struct.pack("<%d%s" % (count, FORMATS[kind]),
                                          *values))


def kind(*kinds):
    """Registers a maker of models: NAME_KIND for each element type."""
    def register(make):
        for k in kinds or (None,):
            tag = {F32: "_f32", I8: "_i8", I16: "_i16", I32: "_i32",
                   BOOL: "_bool", None: ""}[k]
            KINDS[make.__name__ + tag] = (make, k)
        return make
    return register


def broadcast(g):
    """Two shapes that go together, and that of the result."""
    shape = g.shape()
    a, b = list(shape), list(shape)
    how = g.rng.randint(0, 4)
    if how == 1:
        b = b[g.rng.randint(0, len(b) - 1):]
    if how == 2:
        a[g.rng.randint(0, len(a) - 1)] = 1
    if how == 3:
        b = [1 if g.rng.random() < 0.5 else n for n in b]
    if how == 4:
        a = [1 if g.rng.random() < 0.5 else n for n in a]
        a, b = b, a
    size = max(len(a), len(b))
    result = [max(x, y) for x, y in zip([1] * (size - len(a)) + a,
                                        [1] * (size - len(b)) + b)]
    return a, b, result


# -- two operands ------------------------------------------------------------

def arithmetic(g, k, code, options):
    """An operator of two scaled operands with a fused activation."""
    a, b, c = broadcast(g)
    if g.is_large:
        a = b = c = [1, 16, 16, 16]
    sa, sb = (None, None) if k not in (I8, I16) else (g.scale(k), g.scale(k))
    largest = max(sa, sb) if sa else None
    so = None
    if sa:
        so = sa * sb * g.real(20, 300) if code == 18 else \
            largest * g.real(0.7, 3)
    x = g.input(k, a, sa)
    y = g.input(k, b, sb) if g.rng.random() < 0.7 else g.const(k, b, sb)
    z = g.output(k, c, so)
    g.op(code, [x, y], [z], options,
         {0: ("b", 0 if k == I32 else g.rng.choice([0, 0, 1, 3]))})


@kind(F32, I8, I16, I32)
def add(g, k):
    arithmetic(g, k, 0, 11)


@kind(F32, I8, I16, I32)
def sub(g, k):
    arithmetic(g, k, 41, 28)


@kind(F32, I8, I16, I32)
def mul(g, k):
    arithmetic(g, k, 18, 21)


@kind(F32, I8, I16)
def squared_difference(g, k):
    a, b, c = broadcast(g)
    sa, sb = (g.scale(k), g.scale(k)) if k != F32 else (None, None)
    so = max(sa, sb) ** 2 * g.real(300, 3000) * (1 if k == I8 else 100) \
        if sa else None
    z = g.output(k, c, so)
    g.op(99, [g.input(k, a, sa), g.input(k, b, sb)], [z])


@kind(F32, I32, I8)
def div(g, k):
    a, b, c = broadcast(g)
    low, high = {F32: (0.5, 4), I32: (1, 50), I8: (-79, 127)}[k]
    # The reference kernel's shifts leave 32 bits for smaller factors.
    sx, sy, sz = (0.5, 0.5 * g.real(0.5, 1), 1 / g.real(65, 120)) \
        if k == I8 else (None, None, None)
    x = g.input(k, a, sx)
    y = g.input(k, b, sy, -80 if k == I8 else None, low, high)
    if k == I8 and g.rng.random() < 0.5:
        y = g.const(k, b, sy, 100, -128, 99)
    g.op(42, [x, y], [g.output(k, c, sz)], 29, {0: ("b", 0 if k == I32 else g.rng.choice([0, 0, 1]))})


@kind(F32)
def floor_div(g, k):
    a, b, c = broadcast(g)
    g.op(90, [g.input(k, a), g.input(k, b, low=0.3, high=2)], [g.output(k, c)])


@kind(F32)
def floor_mod(g, k):
    a, b, c = broadcast(g)
    g.op(95, [g.input(k, a), g.input(k, b, low=-2, high=-0.3)],
         [g.output(k, c)])


@kind(F32, I8)
def add_n(g, k):
    shape, count = g.shape(), g.rng.randint(2, 5)
    scale, zero = g.scale(I8), g.zero(I8)
    inputs = [g.input(k, shape, scale, zero) for _ in range(count)]
    g.op(106, inputs, [g.output(k, shape, scale * g.real(1, 4))])


@kind(F32, I8, I16)
def batch_matmul(g, k):
    rng = g.rng
    m, n, length = (rng.randint(1, 6) for _ in range(3))
    batches = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
    left, right = list(batches), list(batches)
    how = rng.randint(0, 3)
    if how == 1:
        left = [1] * len(left)
    if how == 2:
        right = [1] * len(right)
    if how == 3:
        left, right = [1] * len(left), []
        batches = [1] * len(batches)
    adj_x, adj_y = rng.random() < 0.4, rng.random() < 0.4
    sa, sb = (g.scale(k), g.scale(k)) if k != F32 else (None, None)
    x = g.input(k, left + ([length, m] if adj_x else [m, length]), sa)
    y_shape = right + ([n, length] if adj_y else [length, n])
    y = g.input(k, y_shape, sb)
    so = sa * sb * length * (60 if k == I8 else 9000) if sa else None
    g.op(126, [x, y], [g.output(k, batches + [m, n], so)], 101,
         {0: ("?", adj_x), 1: ("?", adj_y)})


@kind(F32, I8, I32)
def compare(g, k):
    a, b, c = broadcast(g)
    scale = g.scale(k) if k == I8 else None
    other = scale if g.rng.random() < 0.5 else \
        scale * g.real(0.5, 2) if scale else None
    low, high = (-3, 3) if k == I32 else (None, None)
    g.op(g.rng.choice([58, 61, 62, 63, 71, 72]),
         [g.input(k, a, scale, low=low, high=high),
          g.input(k, b, other, low=low, high=high)],
         [g.output(BOOL, c)])


@kind(F32, I8, I16, I32)
def extremes(g, k):
    a, b, c = broadcast(g)
    q = same(g, k)
    g.op(g.rng.choice([55, 57]), [g.input(k, a, *q), g.input(k, b, *q)],
         [g.output(k, c, *q)])


@kind()
def logic(g, k):
    a, b, c = broadcast(g)
    g.op(g.rng.choice([84, 86]), [g.input(BOOL, a), g.input(BOOL, b)],
         [g.output(BOOL, c)])


# -- one operand -------------------------------------------------------------

def unary(g, k, code, options=0, fields=None, output=None, low=None, high=None,
          scale=None, zero=None):
    shape = [1, 16, 16, 16] if g.is_large else g.shape()
    x = g.input(k, shape, scale, zero, low, high)
    y = g.output(k, shape, *(output or ()))
    g.op(code, [x], [y], options, fields)


def fixed(k, signed):
    """Scale and zero point of what lies in [0, 1) or [-1, 1)."""
    if k == I8:
        return (1 / 128, 0) if signed else (1 / 256, -128)
    return (2.0 ** -15, 0) if k == I16 else None


def pot_scale(g, k):
    return 2.0 ** -12 if k == I16 and g.rng.random() < 0.3 else None


@kind(F32, I8, I16)
def logistic(g, k):
    unary(g, k, 14, output=fixed(k, False), scale=pot_scale(g, k))


@kind(F32, I8, I16)
def tanh(g, k):
    unary(g, k, 28, output=fixed(k, True), scale=pot_scale(g, k))


@kind(F32)
def function(g, k):
    code = g.rng.choice([8, 47, 59, 66, 73, 104, 108])
    unary(g, k, code, low=0.1 if code == 73 else -4, high=4)


@kind(F32, I8, I16)
def quantize(g, k):
    shape = [1, 16, 16, 16] if g.is_large else g.shape()
    to = g.rng.choice([I8, I8, I16] if k == F32 else
                      [I8] if k == I8 else [I16, I8])
    sx = g.scale(k) if k != F32 else None
    sy = g.real(0.01, 0.1) if to == I8 else g.real(1e-4, 1e-3)
    if k != F32:
        sy = sx * g.real(0.5, 2) * (1 if k == to else 256)
    g.op(114, [g.input(k, shape, sx)], [g.output(to, shape, sy)])


@kind(I8, I16)
def dequantize(g, k):
    shape = g.shape()
    g.op(6, [g.input(k, shape)], [g.output(F32, shape)])


@kind(F32, I8, I16, I32)
def cast(g, k):
    shape = g.shape()
    to = g.rng.choice([F32, I32, I16, I8])
    low, high = (-100, 100) if k != I8 else (-100, 100)
    x = g.tensor(g.fresh(), k, shape)
    g.inputs.append(x)
    g.feeds.append((k, math.prod(shape), low, high))
    y = g.tensor(g.fresh(), to, shape)
    g.outputs.append(y)
    g.op(53, [x], [y], 37, {})


@kind(F32, I8, I16)
def extremes_of(g, k):
    shape, q = g.shape(2, 4), same(g, k)
    axes = sorted(g.rng.sample(range(len(shape)), g.rng.randint(1, 2)))
    if k == I16:
        k, q = I8, same(g, I8)
    rest = [n for d, n in enumerate(shape) if d not in axes] or [1]
    g.op(g.rng.choice([82, 89]), [g.input(k, shape, *q), g.ints(axes)],
         [g.output(k, rest, *q)], 27, {0: ("?", False)})


@kind(F32, I8, I16)
def leaky_relu(g, k):
    sx = g.scale(k) if k != F32 else None
    unary(g, k, 98, 75, {0: ("f", g.rng.choice([0.1, 0.01, 0.3, 1.7, -0.5]))},
          scale=sx, output=(sx * g.real(0.5, 2),) if sx else None)


@kind(F32, I8, I16)
def absolute(g, k):
    sx = g.scale(k) if k != F32 else None
    unary(g, k, 101, scale=sx,
          output=(sx * g.rng.choice([1, 1, g.real(0.5, 2)]),) if sx else None)


@kind(F32, I8)
def rsqrt(g, k):
    if k == F32:
        unary(g, k, 76, low=0.01, high=9)
    else:
        unary(g, k, 76, zero=-128, output=(g.real(0.005, 0.1),))


@kind(F32)
def sqrt(g, k):
    unary(g, k, 75, low=0, high=9)


@kind(F32)
def square(g, k):
    unary(g, k, 92)


@kind(F32)
def rounded(g, k):
    unary(g, k, 116)


@kind(F32, I8)
def elu(g, k):
    unary(g, k, 111, scale=g.real(0.01, 0.1) if k == I8 else None,
          output=(g.real(0.01, 0.1),) if k == I8 else None)


@kind(F32, I8)
def hard_swish(g, k):
    unary(g, k, 117, scale=g.real(0.02, 0.1) if k == I8 else None,
          output=(g.real(0.03, 0.1),) if k == I8 else None)


@kind(F32, I8, I16)
def relu(g, k):
    sx = g.scale(k) if k != F32 else None
    unary(g, k, 19, scale=sx,
          output=(sx * g.rng.choice([1, g.real(0.5, 2)]),) if sx else None)


@kind(F32, I8, I16)
def relu6(g, k):
    q = same(g, k)
    unary(g, k, 21, scale=q[0], zero=q[1], output=q)


@kind(F32, I8, I16)
def softmax(g, k):
    output = {F32: None, I8: (1 / 256, -128), I16: (2.0 ** -15, 0)}[k]
    shape = g.shape(1, 3, 9)
    if g.is_large:
        shape[-1] = g.rng.randint(20, 300)
    x = g.input(k, shape, g.scale(k) if k == I8 else g.real(1e-4, 1e-3))
    g.op(25, [x], [g.output(k, shape, *(output or ()))], 9,
         {0: ("f", g.rng.choice([1.0, 1.0, 0.5, 2.0]))})


@kind(F32, I8)
def log_softmax(g, k):
    shape = g.shape(1, 3, 9)
    if g.is_large:
        shape[-1] = g.rng.randint(20, 300)
    q = (1 / 16, 127) if k == I8 else ()
    g.op(50, [g.input(k, shape)], [g.output(k, shape, *q)], 36, {})


@kind(F32, I8)
def l2_normalization(g, k):
    shape = g.shape(1, 3, 9)
    if g.is_large:
        shape[-1] = g.rng.randint(20, 300)
    g.op(11, [g.input(k, shape)],
         [g.output(k, shape, *((1 / 128, 0) if k == I8 else ()))], 12, {})


@kind(F32, I8)
def arg_max(g, k):
    shape = g.shape()
    axis = g.rng.randrange(len(shape))
    x = g.input(k, shape, low=-3, high=3)
    rest = shape[:axis] + shape[axis + 1:]
    g.op(56, [x, g.ints([axis - g.rng.choice([0, len(shape)])])],
         [g.output(I32, rest)], 40, {0: ("b", I32)})


@kind(F32, I8)
def arg_min(g, k):
    shape = g.shape()
    axis = g.rng.randrange(len(shape))
    x = g.input(k, shape, low=-3, high=3)
    rest = shape[:axis] + shape[axis + 1:]
    g.op(79, [x, g.ints([axis])], [g.output(I32, rest)], 57, {0: ("b", I32)})


@kind(F32, I8)
def cumsum(g, k):
    shape = g.shape()
    axis = g.rng.randrange(len(shape))
    scale, zero = g.scale(I8), g.zero(I8)
    x = g.input(k, shape, scale, zero)
    g.op(128, [x, g.ints([axis])], [g.output(k, shape, scale * g.real(1, 4))],
         102, {0: ("?", g.rng.random() < 0.5), 1: ("?", g.rng.random() < 0.5)})


# -- windows and products ----------------------------------------------------

def window(g, low=1):
    rng = g.rng
    kernel = [rng.randint(low, 3), rng.randint(1, 3)]
    stride = [rng.randint(1, 2), rng.randint(1, 2)]
    extent = [rng.randint(3, 7), rng.randint(3, 7)]
    return kernel, stride, extent, rng.randint(0, 1)


def slid(extent, kernel, stride, valid):
    return [(e - n + s if valid else e + s - 1) // s
            for e, n, s in zip(extent, kernel, stride)]


def pool(g, k, code):
    kernel, stride, extent, valid = window(g)
    out = slid(extent, kernel, stride, valid)
    batch, depth = g.rng.randint(1, 2), g.rng.randint(1, 5)
    scale, zero = (g.scale(k), g.zero(k)) if k != F32 else (None, None)
    x = g.input(k, [batch] + extent + [depth], scale, zero)
    y = g.output(k, [batch] + out + [depth], scale, zero)
    g.op(code, [x], [y], 5, {0: ("b", valid), 1: ("i", stride[1]),
                             2: ("i", stride[0]), 3: ("i", kernel[1]),
                             4: ("i", kernel[0]),
                             5: ("b", g.rng.choice([0, 0, 1, 3]))})


@kind(F32, I8, I16)
def average_pool(g, k):
    pool(g, k, 1)


@kind(F32, I8, I16)
def max_pool(g, k):
    pool(g, k, 17)


@kind(F32)
def l2_pool(g, k):
    pool(g, k, 12)


def bias_of(g, k, channels, scales):
    if k == F32:
        return g.const(F32, [channels])
    return g.value(I32 if k == I8 else I64, [channels], scales, 0,
                   g.draw(I32, channels, -3000, 3000))


def weights_of(g, k, shape, channels, axis):
    """Weights with a scale per channel, and their scales."""
    if k == F32:
        return g.const(F32, shape), None
    scales = [g.real(0.002, 0.02) for _ in range(channels)]
    tensor = g.value(I8, shape, scales, 0,
                     g.draw(I8, math.prod(shape), -127, 127), axis=axis)
    return tensor, scales


def product_scale(g, k, sx, terms):
    return sx * 0.01 * terms ** 0.5 * g.real(20, 90) if k != F32 else None


@kind(F32, I8, I16)
def conv(g, k):
    kernel, stride, extent, valid = window(g)
    out = slid(extent, kernel, stride, valid)
    inputs, outputs = g.rng.randint(1, 5), g.rng.randint(1, 5)
    sx = g.scale(k) if k != F32 else None
    x = g.input(k, [1] + extent + [inputs], sx)
    w, scales = weights_of(g, k, [outputs] + kernel + [inputs], outputs, 0)
    b = bias_of(g, k, outputs, scales and [sx * n for n in scales])
    y = g.output(k, [1] + out + [outputs],
                 product_scale(g, k, sx, inputs * math.prod(kernel)))
    g.op(3, [x, w, b], [y], 1, {0: ("b", valid), 1: ("i", stride[1]),
                                2: ("i", stride[0]),
                                3: ("b", g.rng.choice([0, 1, 3]))})


@kind(F32, I8, I16)
def depthwise_conv(g, k):
    kernel, stride, extent, valid = window(g)
    stride[1] = stride[0]
    out = slid(extent, kernel, stride, valid)
    inputs, times = g.rng.randint(1, 5), g.rng.randint(1, 2)
    sx = g.scale(k) if k != F32 else None
    x = g.input(k, [1] + extent + [inputs], sx)
    w, scales = weights_of(g, k, [1] + kernel + [inputs * times],
                           inputs * times, 3)
    b = bias_of(g, k, inputs * times, scales and [sx * n for n in scales])
    y = g.output(k, [1] + out + [inputs * times],
                 product_scale(g, k, sx, math.prod(kernel)))
    g.op(4, [x, w, b], [y], 2, {0: ("b", valid), 1: ("i", stride[1]),
                                2: ("i", stride[0]), 3: ("i", times),
                                4: ("b", g.rng.choice([0, 1, 3]))})


@kind(F32, I8, I16)
def transpose_conv(g, k):
    kernel, stride, extent, valid = window(g)
    out = [e * s if not valid else (e - 1) * s + n
           for e, n, s in zip(extent, kernel, stride)]
    inputs, outputs = g.rng.randint(1, 4), g.rng.randint(1, 4)
    sx = g.scale(k) if k != F32 else None
    x = g.input(k, [1] + extent + [inputs], sx)
    w, scales = weights_of(g, k, [outputs] + kernel + [inputs], outputs, 0)
    b = bias_of(g, k, outputs, scales and [sx * n for n in scales])
    y = g.output(k, [1] + out + [outputs],
                 product_scale(g, k, sx, inputs * math.prod(kernel)))
    g.op(67, [g.ints([1] + out + [outputs]), w, x, b], [y], 49,
         {0: ("b", valid), 1: ("i", stride[1]), 2: ("i", stride[0])})


@kind(F32, I8, I16)
def fully_connected(g, k):
    rows, inputs, outputs = (g.rng.randint(1, n) for n in (3, 20, 9))
    sx = g.scale(k) if k != F32 else None
    x = g.input(k, [rows, inputs], sx)
    w, scales = weights_of(g, k, [outputs, inputs], 1, 0)
    b = bias_of(g, k, outputs, scales and sx * scales[0])
    y = g.output(k, [rows, outputs], product_scale(g, k, sx, inputs))
    g.op(9, [x, w, b], [y], 8, {0: ("b", g.rng.choice([0, 1]))})


@kind(F32, I8, I16)
def mean(g, k):
    shape = g.shape(2, 4)
    axes = sorted(g.rng.sample(range(len(shape)), g.rng.randint(1, 2)))
    rest = [n for d, n in enumerate(shape) if d not in axes] or [1]
    sx = g.scale(k) if k != F32 else None
    x = g.input(k, shape, sx)
    y = g.output(k, rest, sx * g.real(0.5, 2) if sx else None)
    g.op(g.rng.choice([40, 74]), [x, g.ints(axes)], [y], 27,
         {0: ("?", False)})


@kind(F32, I8)
def prelu(g, k):
    shape = [1] + [g.rng.randint(1, 5) for _ in range(3)]
    x = g.input(k, shape)
    a = g.const(k, [1, 1, shape[3]], g.real(0.001, 0.02) if k == I8 else None)
    g.op(54, [x, a], [g.output(k, shape)])


@kind(F32, I8)
def resize_bilinear(g, k):
    rng, q = g.rng, same(g, k)
    n, h, w, c = (rng.randint(1, m) for m in (2, 7, 7, 3))
    out = [rng.randint(1, 15), rng.randint(1, 15)]
    mode = rng.randint(0, 2)
    g.op(23, [g.input(k, [n, h, w, c], *q), g.ints(out)],
         [g.output(k, [n] + out + [c], *q)], 15,
         {2: ("?", mode == 1), 3: ("?", mode == 2)})


@kind(F32, I8)
def resize_nearest(g, k):
    rng, q = g.rng, same(g, k)
    n, h, w, c = (rng.randint(1, m) for m in (2, 7, 7, 3))
    out = [rng.randint(1, 15), rng.randint(1, 15)]
    mode = rng.randint(0, 2)
    g.op(97, [g.input(k, [n, h, w, c], *q), g.ints(out)],
         [g.output(k, [n] + out + [c], *q)], 74,
         {0: ("?", mode == 1), 1: ("?", mode == 2)})


# -- moving elements ---------------------------------------------------------

def same(g, k):
    """Scale and zero point for an operator that changes neither."""
    return (g.scale(k), g.zero(k)) if k in (I8, I16) else (None, None)


@kind(F32, I8)
def depth_to_space(g, k):
    n, h, w, c, b = (g.rng.randint(1, 3) for _ in range(5))
    q = same(g, k)
    g.op(5, [g.input(k, [n, h, w, c * b * b], *q)],
         [g.output(k, [n, h * b, w * b, c], *q)], 94, {0: ("i", b)})


@kind(F32, I8)
def space_to_depth(g, k):
    n, h, w, c, b = (g.rng.randint(1, 3) for _ in range(5))
    q = same(g, k)
    g.op(26, [g.input(k, [n, h * b, w * b, c], *q)],
         [g.output(k, [n, h, w, c * b * b], *q)], 19, {0: ("i", b)})


@kind(F32, I8)
def space_to_batch(g, k):
    n, h, w, c, b, d = (g.rng.randint(1, 3) for _ in range(6))
    pads = [g.rng.randint(0, min(1, h * b - 1)), 0,
            0, g.rng.randint(0, min(1, w * d - 1))]
    # The reference kernel pads with 0, TensorFlow Lite with the zero point.
    q = (g.scale(k), 0) if k == I8 else (None, None)
    g.op(38, [g.input(k, [n, h * b - pads[0], w * d - pads[3], c], *q),
              g.ints([b, d]), g.ints(pads, [2, 2])],
         [g.output(k, [n * b * d, h, w, c], *q)])


@kind(F32, I8)
def batch_to_space(g, k):
    n, h, w, c, b, d = (g.rng.randint(1, 3) for _ in range(6))
    crops = [g.rng.randint(0, min(1, h * b - 1)), 0,
             0, g.rng.randint(0, min(1, w * d - 1))]
    q = same(g, k)
    g.op(37, [g.input(k, [n * b * d, h, w, c], *q), g.ints([b, d]),
              g.ints(crops, [2, 2])],
         [g.output(k, [n, h * b - crops[0], w * d - crops[3], c], *q)])


@kind(F32, I8)
def mirror_pad(g, k):
    shape, mode = [g.rng.randint(2, 5) for _ in range(g.rng.randint(1, 4))], \
        g.rng.randint(0, 1)
    pads = [g.rng.randint(0, n - 1 + mode) for n in shape for _ in range(2)]
    out = [n + a + b for n, a, b in zip(shape, pads[::2], pads[1::2])]
    q = same(g, k)
    g.op(100, [g.input(k, shape, *q), g.ints(pads, [len(shape), 2])],
         [g.output(k, out, *q)], 77, {0: ("b", mode)})


@kind(F32, I8, I16, I32)
def reverse(g, k):
    shape, q = g.shape(), same(g, k)
    axes = g.rng.sample(range(len(shape)), 1)
    g.op(105, [g.input(k, shape, *q), g.ints(axes)],
         [g.output(k, shape, *q)])


@kind(F32, I8)
def broadcast_to(g, k):
    shape = g.shape()
    part = [1 if g.rng.random() < 0.5 else n for n in shape]
    part, q = part[g.rng.randint(0, len(part) - 1):], same(g, k)
    g.op(130, [g.input(k, part, *q), g.ints(shape)], [g.output(k, shape, *q)])


@kind(F32, I8)
def gather(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(2, 3)
    axis, batch = rng.randrange(len(shape)), 0
    indices = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
    if axis > 0 and rng.random() < 0.3:
        batch, indices = 1, [shape[0], indices[0]]
    x = g.input(k, shape, *q)
    i = g.input(I32, indices, low=0, high=shape[axis] - 1) \
        if rng.random() < 0.5 else \
        g.const(I32, indices, low=0, high=shape[axis] - 1)
    g.op(36, [x, i],
         [g.output(k, shape[:axis] + indices[batch:] + shape[axis + 1:], *q)],
         23, {0: ("i", axis), 1: ("i", batch)})


@kind(F32, I8)
def gather_nd(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(2, 4)
    depth = rng.randint(1, len(shape))
    places = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
    x = g.input(k, shape, *q)
    i = g.input(I32, places + [depth], low=0, high=min(shape[:depth]) - 1)
    g.op(107, [x, i], [g.output(k, places + shape[depth:], *q)])


@kind(F32, I8, I16, I32)
def update_slice(g, k):
    q, shape = same(g, k), g.shape()
    size = [g.rng.randint(1, n) for n in shape]
    x, u = g.input(k, shape, *q), g.input(k, size, *q)
    i = g.input(I32, [len(shape)], low=-1, high=max(shape))
    g.op(151, [x, u, i], [g.output(k, shape, *q)])


@kind(F32, I8)
def select(g, k):
    a, b, c = broadcast(g)
    q = same(g, k)
    g.op(123, [g.input(BOOL, c), g.input(k, a, *q), g.input(k, b, *q)],
         [g.output(k, c, *q)])


@kind(F32, I8, I32)
def fill(g, k):
    q, shape = same(g, k), g.shape()
    g.op(94, [g.ints(shape), g.input(k, [], *q)], [g.output(k, shape, *q)])


@kind(F32, I8)
def embedding_lookup(g, k):
    q, shape = same(g, k), g.shape(2, 3)
    i = g.input(I32, [3], low=0, high=shape[0] - 1)
    g.op(7, [i, g.const(k, shape, *q)], [g.output(k, [3] + shape[1:], *q)])


@kind(F32, I8, I16, I32)
def concatenation(g, k):
    shape, q = g.shape(), same(g, k)
    axis, parts = g.rng.randrange(len(shape)), []
    total = 0
    for _ in range(g.rng.randint(2, 4)):
        own = list(shape)
        own[axis] = g.rng.randint(1, 4)
        total += own[axis]
        parts.append(g.input(k, own, *q))
    shape[axis] = total
    g.op(2, parts, [g.output(k, shape, *q)], 10,
         {0: ("i", axis - g.rng.choice([0, len(shape)]))})


@kind(F32, I8, I16)
def pad(g, k):
    shape, q = g.shape(), same(g, k)
    pads = [g.rng.randint(0, 3) for _ in range(2 * len(shape))]
    out = [n + a + b for n, a, b in zip(shape, pads[::2], pads[1::2])]
    x = g.input(k, shape, *q)
    y = g.output(k, out, *q)
    p = g.ints(pads, [len(shape), 2])
    if g.rng.random() < 0.5:
        g.op(34, [x, p], [y])
    else:
        g.op(60, [x, p, g.const(k, [1], *q)], [y])


@kind(F32, I8, I16)
def transpose(g, k):
    shape, q = g.shape(2, 4), same(g, k)
    order = g.rng.sample(range(len(shape)), len(shape))
    g.op(39, [g.input(k, shape, *q), g.ints(order)],
         [g.output(k, [shape[d] for d in order], *q)])


@kind(F32, I8, I16, I32)
def strided_slice(g, k):
    rng, q = g.rng, same(g, k)
    shape = g.shape(1, 4, 7)
    begin, end, stride, out, masks = [], [], [], [], [0, 0, 0]
    for d, n in enumerate(shape):
        while True:
            b, e = rng.randint(-n - 1, n), rng.randint(-n - 1, n + 1)
            s = rng.choice([1, 1, 2, 3, -1, -2])
            flags = [rng.random() < 0.2 for _ in range(2)]
            drops = rng.random() < 0.15
            if drops:
                b, s, flags = rng.randint(-n, n - 1), 1, [False, False]
                e = b + 1 if b != -1 else n
            cut = range(n)[None if flags[0] else b:None if flags[1] else e:s]
            if not drops and b < -n and s < 0 and not flags[0]:
                continue
            if len(cut) > 0:
                break
        begin.append(b)
        end.append(e)
        stride.append(s)
        for i, flag in enumerate(flags + [drops]):
            masks[i] |= flag << d
        if not drops:
            out.append(len(cut))
    g.op(45, [g.input(k, shape, *q)] + [g.ints(v) for v in
                                        (begin, end, stride)],
         [g.output(k, out, *q)], 32,
         {0: ("i", masks[0]), 1: ("i", masks[1]), 4: ("i", masks[2])})


@kind(F32, I8, I16, I32)
def slice_(g, k):
    shape, q = g.shape(1, 4), same(g, k)
    begin = [g.rng.randint(0, n - 1) for n in shape]
    size = [g.rng.randint(1, n - b) for n, b in zip(shape, begin)]
    given = [-1 if b + s == n and g.rng.random() < 0.3 else s
             for n, b, s in zip(shape, begin, size)]
    g.op(65, [g.input(k, shape, *q), g.ints(begin), g.ints(given)],
         [g.output(k, size, *q)])


@kind(F32, I8, I16)
def split(g, k):
    shape, q = g.shape(), same(g, k)
    axis, count = g.rng.randrange(len(shape)), g.rng.randint(1, 3)
    part = list(shape)
    shape[axis] *= count
    x = g.input(k, shape, *q)
    g.op(49, [g.ints([axis]), x],
         [g.output(k, part, *q) for _ in range(count)], 35,
         {0: ("i", count)})


@kind(F32, I8)
def pack(g, k):
    shape, q = g.shape(1, 3), same(g, k)
    axis, count = g.rng.randint(0, len(shape)), g.rng.randint(1, 3)
    out = shape[:axis] + [count] + shape[axis:]
    g.op(83, [g.input(k, shape, *q) for _ in range(count)],
         [g.output(k, out, *q)], 59, {0: ("i", count), 1: ("i", axis)})


@kind(F32, I8)
def shape_of(g, k):
    shape = g.shape()
    x = g.input(k, shape)
    g.op(77, [x], [g.output(I32, [len(shape)])], 55, {0: ("b", I32)})
    g.op(93, [x], [g.output(k, shape)])
    g.op(145, [g.ints([1, 3]), g.ints([4, 2, 1])], [g.output(I32, [3])])


# -- with memory -------------------------------------------------------------

@kind(F32, I8, I16)
def lstm(g, k):
    rng = g.rng
    batch, steps, inputs, units = (rng.randint(1, 2), rng.randint(1, 4),
                                   rng.randint(1, 9), rng.randint(1, 9))
    time_major = rng.random() < 0.5
    g.calls = 3
    lead = [steps, batch] if time_major else [batch, steps]
    weight, bias = (F32, F32) if k == F32 else (I8, I32 if k == I8 else I64)
    hs = None if k == F32 else 1 / 128 if k == I8 else 2.0 ** -15
    hz = rng.randint(-10, 10) if k == I8 else 0
    xs = None if k == F32 else g.real(0.01, 0.1) if k == I8 else \
        g.real(1e-4, 1e-3)
    x = g.input(k, lead + [inputs], xs)
    low, high = (-1, 1) if k == F32 else (-127, 127)

    def weights(length):
        return [g.const(weight, [units, length],
                        None if k == F32 else g.real(0.002, 0.02), 0, low, high)
                for _ in range(4)]
    w, r = weights(inputs), weights(units)
    b = [g.const(bias, [units], None, None, *((-1, 1) if k == F32 else
                                             (-2000, 2000))) for _ in range(4)]
    h = g.value(k, [batch, units], hs, hz, variable=True)
    c = g.value(k if k == F32 else I16, [batch, units],
                2.0 ** -rng.randint(10, 15), 0, variable=True)
    y = g.output(k, lead + [units], hs, hz)
    g.op(44, [x] + w + r + [-1] * 3 + b + [-1] * 2 + [h, c] + [-1] * 4, [y], 71,
         {0: ("b", 4), 1: ("f", rng.choice([0.0, 0.0, 0.5, 3.0])),
          3: ("?", time_major)})


@kind(F32, I8)
def svdf(g, k):
    rng = g.rng
    batch, inputs, units, rank, memory = (rng.randint(1, n)
                                          for n in (2, 9, 5, 2, 6))
    filters = units * rank
    g.calls = 3
    sx, sw, st, ss = (g.real(0.01, 0.1), g.real(0.002, 0.02),
                      g.real(1e-4, 1e-3), g.real(1e-4, 1e-3)) \
        if k == I8 else (None,) * 4
    wide = I16 if k == I8 else F32
    x = g.input(k, [batch, inputs], sx)
    w = g.const(k, [filters, inputs], sw, 0)
    t = g.const(wide, [filters, memory], st, 0)
    b = g.const(I32 if k == I8 else F32, [units], None, None,
                *((-3000, 3000) if k == I8 else (-1, 1)))
    v = g.value(wide, [batch, memory * filters], ss, 0, variable=True)
    y = g.output(k, [batch, units], ss * st * 1e8 * g.real(0.02, 0.2)
                 if k == I8 else None)
    g.op(27, [x, w, t, b, v], [y], 6,
         {0: ("i", rank), 1: ("b", rng.choice([0, 1]) if k == F32 else 1)})


# -- writing -----------------------------------------------------------------

def write(folder, name, maker, seed):
    make, k = maker
    g = Case(random.Random("%s %s" % (name, seed)), may_be_large=False)
    make(g, k)
    g.finish(os.path.join(folder, name))


def main(arguments):
    if not arguments:
        folder = HERE
        for name, maker in KINDS.items():
            write(folder, name, maker, RECORDED_SEED)
        with open(os.path.join(folder, "models.def"), "w") as out:
            out.write("// Written by make_recorded.py.\n")
            out.writelines("MODEL(%s)\n" % name for name in sorted(KINDS))
        return
    folder, count, seed, *names = arguments
    os.makedirs(folder, exist_ok=True)
    for name, (make, k) in KINDS.items():
        if names and not any(n in name for n in names):
            continue
        for i in range(int(count)):
            g = Case(random.Random("%s %s %d" % (name, seed, i)))
            make(g, k)
            g.finish(os.path.join(folder, "%s_%d" % (name, i)))


if __name__ == "__main__":
    main(sys.argv[1:])
