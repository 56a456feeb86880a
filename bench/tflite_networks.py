"""Draws TensorFlow Lite networks: operators wired at random, branches, loops.

Scales and zero points are also drawn where they are extreme. What is drawn has
a definition in tflite_reference.py.
"""

import math
import random

from tflite_reference import NOT_EXACT, RANGES, Value, f32
from tflite_wire import (BOOL, F32, I16, I32, I64, I8, U8, Graph, Model,
                         Vector)

MAKERS = []


def maker(weight=1):
    def register(function):
        MAKERS.extend([function] * weight)
        return function
    return register


class Drawn(Graph):
    """A graph under construction, with the values drawn so far."""

    def __init__(self, model, name, rng):
        super().__init__(model, name)
        self.rng, self.pool, self.exact = rng, [], True
        self.feeds, self.depth = [], 0
        self.flag = None  # a bool tensor that a graph has for branches
        self.passed = []  # constants that were operands of loops

    # -- tensors -------------------------------------------------------------

    def scale(self, kind):
        choice = self.rng.random()
        low, high = (3e-5, 2e-3) if kind == I16 else (0.004, 0.3)
        if choice < 0.15:
            return 2.0 ** self.rng.randint(-10, -2)
        if choice < 0.25:
            low, high = 1e-6, 90.0
        return f32(math.exp(self.rng.uniform(math.log(low), math.log(high))))

    def zero(self, kind):
        rng, (low, high) = self.rng, RANGES[kind]
        return 0 if kind == I16 else rng.choice(
            [(low + high + 1) // 2, low, high, rng.randint(low, high)])

    def add(self, kind, shape, scale=None, zero=None, data=None, **more):
        if kind in RANGES:
            scale = self.scale(kind) if scale is None else scale
            zero = self.zero(kind) if zero is None else zero
        else:
            scale, zero = None, 0
        name = "%s%d" % (self.name, len(self.tensors))
        return self.tensor(name, kind, shape, scale, zero, data, **more)

    def like(self, x, shape):
        """A tensor of the type and scale of `x`."""
        v = self.of(x)
        return self.add(v.kind, shape, v.scale if v.scales else None, v.zero)

    def of(self, number):
        return Value(self.tensors[number])

    def draw(self, kind, count, low=None, high=None):
        rng = self.rng
        if kind == F32:
            return [f32(rng.uniform(-4 if low is None else low,
                                    4 if high is None else high))
                    for _ in range(count)]
        if kind == BOOL:
            return [rng.random() < 0.5 for _ in range(count)]
        if low is None:
            low, high = RANGES.get(kind, (-1000, 1000))
        values = [rng.randint(low, high) for _ in range(count)]
        if rng.random() < 0.2:
            values = [rng.choice([low, high, v]) for v in values]
        return values

    def const(self, kind, shape, scale=None, zero=None, low=None, high=None):
        return self.add(kind, shape, scale, zero,
                        self.draw(kind, math.prod(shape), low, high))

    def ints(self, values, shape=None):
        return self.tensor("%s%d" % (self.name, len(self.tensors)), I32,
                           [len(values)] if shape is None else shape,
                           data=values)

    def input(self, kind, shape, **more):
        number = self.add(kind, shape, **more)
        self.inputs.append(number)
        self.feeds.append(self.draw(kind, math.prod(shape)))
        self.pool.append(number)
        return number

    # -- values --------------------------------------------------------------

    def pick(self, kinds=(F32, I8, I16), rank=None, most=600):
        """A value of the pool, the later the likelier; None without one.
        What takes int8 takes uint8."""
        kinds = (*kinds, U8) if I8 in kinds else kinds
        fit = [n for n in self.pool if self.of(n).kind in kinds
               and (rank is None or len(self.of(n).shape) == rank)
               and math.prod(self.of(n).shape) <= most]
        if not fit:
            return None
        return fit[-1] if self.rng.random() < 0.5 else self.rng.choice(fit)

    def emit(self, code, inputs, outputs, options=0, fields=None):
        outputs = outputs if isinstance(outputs, list) else [outputs]
        self.op(code, inputs, outputs, options, fields)
        self.pool += outputs
        if code in NOT_EXACT or (code == 23 and self.of(outputs[0]).kind == U8):
            self.outputs += [n for n in outputs if n not in self.outputs]
        return outputs[0]

    def show(self, number):
        """Has the evaluator take what was found for a float: the last bit may
        decide."""
        if self.of(number).kind == F32 and number not in self.outputs:
            made = {i for op in self.operators for i in op[2].values}
            self.outputs += [number] if number in made else []

    def activation(self):
        return self.rng.choice([0, 0, 0, 1, 2, 3])

    def result(self, kind, shape, real):
        """A result whose real numbers are about `real` large."""
        if kind == F32:
            return self.add(kind, shape)
        top = RANGES[kind][1] + 1
        spread = 1.5 if self.rng.random() < 0.85 else 9
        return self.add(kind, shape, f32(max(real, 1e-30) / top * math.exp(
            self.rng.uniform(-spread, spread))))

    def span(self, x):
        v = self.of(x)
        return v.scale * (RANGES[v.kind][1] + 1) if v.scales else 4


# -- sums --------------------------------------------------------------------

def weights(g, kind, shape, channels, axis):
    """Weights of one scale or one per channel; channels may be 0 throughout or
    of a tiny scale."""
    if kind == F32:
        return g.const(F32, shape), None
    if kind == U8:
        w = g.const(U8, shape, f32(10 ** g.rng.uniform(-4, -1)))
        return w, [g.of(w).scale]
    size = f32(10 ** g.rng.uniform(-4, -1))
    is_single = g.rng.random() < 0.4
    scales = [f32(size * 2 ** g.rng.uniform(-6, 2))
              for _ in range(1 if is_single else channels)]
    data = g.draw(I8, math.prod(shape), -127, 127)
    return g.tensor("%s%d" % (g.name, len(g.tensors)), I8, shape,
                    scales if len(scales) > 1 else scales[0], 0, data,
                    axis), scales


def bias_for(g, kind, channels, x, scales, terms, wide=I64):
    if g.rng.random() < 0.2:
        return -1
    if kind == F32:
        return g.const(F32, [channels])
    kind = g.rng.choice([wide, I64]) if kind == I16 else I32
    own = [f32(g.of(x).scale * s) for s in scales]
    most = 128 * terms * 20
    data = g.draw(I32, channels, -most, most)
    return g.tensor("%s%d" % (g.name, len(g.tensors)),
                    kind, [channels],
                    own if len(own) > 1 else own[0], 0, data)


def sum_result(g, kind, shape, x, scales, terms):
    return g.result(kind, shape, 0 if kind == F32 else
                    g.span(x) * max(scales) * 60 * terms ** 0.5)


def window(g, extent):
    """Kernel, stride, dilation, padding and the extent of the result."""
    rng = g.rng
    kernel = [rng.randint(1, 4) for _ in extent]
    stride = [rng.choice([1, 1, 2, 3]) for _ in extent]
    dilation = [rng.choice([1, 1, 1, 2, 3]) if s == 1 else 1 for s in stride]
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    valid = rng.random() < 0.5 and all(r <= n for r, n in zip(reach, extent))
    out = [-(-(n - r + 1) // s) if valid else -(-n // s)
           for n, r, s in zip(extent, reach, stride)]
    return kernel, stride, dilation, int(valid), out


@maker(4)
def conv(g):
    x = g.pick(rank=4)
    if x is None:
        return
    v = g.of(x)
    kernel, stride, dilation, valid, out = window(g, v.shape[1:3])
    channels = g.rng.randint(1, 6)
    shape = [channels] + kernel + [v.shape[3]]
    w, scales = weights(g, v.kind, shape, channels, 0)
    terms = math.prod(shape[1:])
    b = bias_for(g, v.kind, channels, x, scales, terms, I32)
    y = sum_result(g, v.kind, v.shape[:1] + out + [channels], x, scales, terms)
    g.emit(3, [x, w, b], y, 1, {
        0: ("b", valid), 1: ("i", stride[1]), 2: ("i", stride[0]),
        3: ("b", g.activation()), 4: ("i", dilation[1]),
        5: ("i", dilation[0])})


@maker(3)
def depthwise(g):
    x = g.pick(rank=4)
    if x is None:
        return
    v = g.of(x)
    kernel, stride, dilation, valid, out = window(g, v.shape[1:3])
    times = g.rng.choice([1, 1, 2, 3])
    channels = v.shape[3] * times
    w, scales = weights(g, v.kind, [1] + kernel + [channels], channels, 3)
    b = bias_for(g, v.kind, channels, x, scales, math.prod(kernel))
    y = sum_result(g, v.kind, v.shape[:1] + out + [channels], x, scales,
                   math.prod(kernel))
    g.emit(4, [x, w, b], y, 2, {
        0: ("b", valid), 1: ("i", stride[1]), 2: ("i", stride[0]),
        3: ("i", times), 4: ("b", g.activation()), 5: ("i", dilation[1]),
        6: ("i", dilation[0])})


@maker()
def transpose_conv(g):
    x = g.pick(rank=4, most=150)
    if x is None:
        return
    v = g.of(x)
    kernel = [g.rng.randint(1, 4) for _ in range(2)]
    stride = [g.rng.randint(1, 3) for _ in range(2)]
    valid = g.rng.randint(0, 1)
    # SAME: what a convolution with this stride makes `v` of.
    out = [(n - 1) * s + k + (g.rng.randint(0, s - 1) if k >= s else 0)
           if valid else n * s - g.rng.randint(0, s - 1)
           for n, s, k in zip(v.shape[1:3], stride, kernel)]
    channels = g.rng.randint(1, 4)
    w, scales = weights(g, v.kind, [channels] + kernel + [v.shape[3]],
                        channels, 0)
    terms = math.prod(kernel) * v.shape[3]
    b = bias_for(g, v.kind, channels, x, scales, terms)
    shape = v.shape[:1] + out + [channels]
    y = sum_result(g, v.kind, shape, x, scales, terms)
    g.emit(67, [g.ints(shape), w, x] + ([b] if b >= 0 else []), y, 49, {
        0: ("b", valid), 1: ("i", stride[1]), 2: ("i", stride[0]),
        3: ("b", g.activation())})


@maker(2)
def fully_connected(g):
    x = g.pick(most=300)
    if x is None:
        return
    v = g.of(x)
    if not v.shape:
        return
    keeps = len(v.shape) > 1 and g.rng.random() < 0.4
    length = v.shape[-1] if keeps or len(v.shape) == 2 else \
        math.prod(v.shape[1:]) if len(v.shape) > 2 else v.shape[0]
    rows = math.prod(v.shape) // length
    channels = g.rng.randint(1, 8)
    w, scales = weights(g, v.kind, [channels, length], 1, 0)
    b = bias_for(g, v.kind, channels, x, scales, length, I32)
    y = sum_result(g, v.kind, v.shape[:-1] + [channels] if keeps else
                   [rows, channels], x, scales, length)
    g.emit(9, [x, w, b], y, 8, {0: ("b", g.activation()), 2: ("?", keeps)})


@maker()
def batch_matmul(g):
    x = g.pick(most=100)
    if x is None or len(g.of(x).shape) < 2:
        return
    v = g.of(x)
    adj_x, adj_y = g.rng.random() < 0.4, g.rng.random() < 0.4
    *lead, m, k = v.shape
    if adj_x:
        m, k = k, m
    n = g.rng.randint(1, 5)
    y = g.input(v.kind, g.rng.choice([lead, [1] * len(lead), []])
                + ([n, k] if adj_y else [k, n]))
    z = g.result(v.kind, lead + [m, n], g.span(x) * g.span(y) * k ** 0.5 / 2)
    g.emit(126, [x, y], z, 101, {0: ("?", adj_x), 1: ("?", adj_y)})


@maker(2)
def pool(g):
    x = g.pick(rank=4)
    if x is None:
        return
    v = g.of(x)
    kernel, stride, _, valid, _ = window(g, v.shape[1:3])
    valid = valid and all(k <= n for k, n in zip(kernel, v.shape[1:3]))
    out = [-(-(n - k + 1) // s) if valid else -(-n // s)
           for n, k, s in zip(v.shape[1:3], kernel, stride)]
    g.emit(g.rng.choice([1, 17]), [x],
           g.like(x, v.shape[:1] + out + v.shape[3:]), 5, {
               0: ("b", valid), 1: ("i", stride[1]), 2: ("i", stride[0]),
               3: ("i", kernel[1]), 4: ("i", kernel[0]),
               5: ("b", g.activation())})


# -- two operands ------------------------------------------------------------

def partner(g, x):
    """Another operand for `x`: of the same shape, or one that is broadcast."""
    v = g.of(x)
    same = [n for n in g.pool if n != x and g.of(n).kind == v.kind
            and g.of(n).shape == v.shape]
    if same and g.rng.random() < 0.6:
        return g.rng.choice(same)
    shape = [n if g.rng.random() < 0.6 else 1 for n in v.shape]
    shape = shape[g.rng.randint(0, len(shape)) if g.rng.random() < 0.3 else 0:]
    return g.const(v.kind, shape) if g.rng.random() < 0.6 else \
        g.input(v.kind, shape)


@maker(5)
def arithmetic(g):
    x = g.pick()
    if x is None:
        return
    v = g.of(x)
    y = partner(g, x)
    code = g.rng.choice([0, 0, 41, 18, 99])
    real = g.span(x) + g.span(y) if code in (0, 41) else g.span(x) * g.span(y)
    # The kernel's shifts leave room for scales that are not far apart.
    if v.scales and not 2 ** -18 < g.of(y).scale / v.scale < 2 ** 18:
        return
    z = g.result(v.kind, v.shape, real / 2)
    pair = [x, y] if g.rng.random() < 0.5 else [y, x]
    options = {0: 11, 41: 28, 18: 21, 99: 0}[code]
    g.emit(code, pair, z, options, {0: ("b", g.activation())})


@maker()
def extremes(g):
    x = g.pick()
    if x is None:
        return
    y = g.const(g.of(x).kind, [1] * g.rng.randint(0, 2), g.of(x).scale
                if g.of(x).scales else None, g.of(x).zero)
    g.emit(g.rng.choice([55, 57]), [x, y], g.like(x, g.of(x).shape))


@maker()
def choose(g):
    """SELECT_V2 by a comparison."""
    x = g.pick((F32, I8))
    if x is None:
        return
    v = g.of(x)
    y = partner(g, x)
    if v.scales and (max(v.scale, g.of(y).scale) >= 1
                     or min(v.scale, g.of(y).scale) < 1e-5):
        return
    g.show(x)
    g.show(y)
    c = g.add(BOOL, v.shape)
    g.op(g.rng.choice([58, 61, 62, 63, 71, 72]), [x, y], [c])
    other = g.const(v.kind, [1] * len(v.shape), v.scale if v.scales else None,
                    v.zero)
    g.emit(123, [c, x, other], g.like(x, v.shape))


@maker()
def prelu(g):
    x = g.pick((F32, I8), 4)
    if x is None:
        return
    v = g.of(x)
    slope = g.const(v.kind, [1, 1, v.shape[3]])
    g.emit(54, [x, slope], g.result(v.kind, v.shape, g.span(x)))


# -- one operand -------------------------------------------------------------

@maker(2)
def activation(g):
    x = g.pick()
    if x is None:
        return
    v = g.of(x)
    code = g.rng.choice([19, 21, 98, 20])
    y = g.like(x, v.shape) if g.rng.random() < 0.5 else \
        g.result(v.kind, v.shape, g.span(x))
    if code == 98:
        g.emit(98, [x], y, 75, {0: ("f", g.rng.choice(
            [0.1, 0.01, 0.3, 1.7, -0.5, 0.0]))})
    else:
        g.emit(code, [x], y)


@maker(2)
def curve(g):
    x = g.pick((F32, I8))
    if x is None:
        return
    v = g.of(x)
    code = g.rng.choice([14, 28, 111, 117, 25, 50])
    if v.kind == F32:
        y = g.add(F32, v.shape)
    else:
        fixed = {14: (1 / 256, -128), 28: (1 / 128, 0), 25: (1 / 256, -128),
                 50: (1 / 16, 127)}.get(code)
        if fixed and v.kind == U8:
            fixed = (fixed[0], fixed[1] + 128)
        if not 1e-3 < v.scale < 0.5 or (code == 50 and v.scale > 0.1):
            return
        y = g.add(v.kind, v.shape, *(fixed or (f32(v.scale * 1.25), None)))
    if code in (25, 50) and not v.shape:
        return
    g.emit(code, [x], y, {25: 9, 50: 36}.get(code, 0),
           {0: ("f", 1.0)} if code == 25 else None)


@maker(2)
def quantize(g):
    x = g.pick((F32, I8, I16))
    if x is None:
        return
    v = g.of(x)
    kind = g.rng.choice([I8, I8, I16, U8] if v.kind == F32 else
                        [I8, U8] if v.kind == U8 else [I8, I8, I16])
    if v.kind == F32:
        y = g.add(kind, v.shape)
    elif (v.kind, kind) == (I16, I16) or g.rng.random() < 0.7:
        y = g.result(kind, v.shape, g.span(x))
    else:
        g.emit(6, [x], g.add(F32, v.shape))
        return
    g.emit(114, [x], y)


@maker()
def reduce(g):
    x = g.pick((F32, I8))
    if x is None or not g.of(x).shape:
        return
    v = g.of(x)
    axes = g.rng.sample(range(len(v.shape)), g.rng.randint(1, len(v.shape)))
    keep = g.rng.random() < 0.5
    shape = [1 if d in axes else n for d, n in enumerate(v.shape)
             if keep or d not in axes]
    given = [a - g.rng.choice([0, len(v.shape)]) for a in axes]
    code = g.rng.choice([40, 74, 82, 89])
    count = math.prod(v.shape[a] for a in axes)
    y = g.like(x, shape) if code in (82, 89) else g.result(
        v.kind, shape, g.span(x) * (count if code == 74 else 1) / 2)
    g.emit(code, [x, g.ints(given)], y, 27, {0: ("?", keep)})


@maker()
def place(g):
    """ARG_MAX or ARG_MIN, of few values."""
    x = g.pick((F32, I8))
    if x is None or not g.of(x).shape:
        return
    g.show(x)
    shape = g.of(x).shape
    axis = g.rng.randrange(len(shape))
    y = g.add(I32, shape[:axis] + shape[axis + 1:])
    code = g.rng.choice([56, 79])
    g.op(code, [x, g.ints([axis - g.rng.choice([0, len(shape)])], [])], [y],
         40 if code == 56 else 57, {0: ("b", I32)})
    g.outputs.append(y)


# -- moves -------------------------------------------------------------------

@maker()
def reshape(g):
    x = g.pick()
    if x is None:
        return
    left, shape = math.prod(g.of(x).shape), []
    for _ in range(g.rng.randint(0, 3)):
        part = g.rng.choice([d for d in range(1, 13) if left % d == 0])
        shape.append(part)
        left //= part
    shape = shape + [left]
    g.emit(22, [x, g.ints(shape)], g.like(x, shape), 17,
           {0: Vector("i", shape)})


@maker()
def concatenation(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    v = g.of(x)
    axis, parts, total = g.rng.randrange(len(v.shape)), [x], v.shape
    size = v.shape[axis]
    for _ in range(g.rng.randint(0, 2)):
        own = list(v.shape)
        own[axis] = g.rng.randint(1, 3)
        part = (g.const if g.rng.random() < 0.5 else g.input)(
            v.kind, own, scale=v.scale if v.scales else None, zero=v.zero)
        parts.insert(g.rng.randint(0, len(parts)), part)
        size += own[axis]
    shape = total[:axis] + [size] + total[axis + 1:]
    g.emit(2, parts, g.like(x, shape), 10,
           {0: ("i", axis - g.rng.choice([0, len(shape)])), 1: ("b", 0)})


@maker(2)
def pad(g):
    x = g.pick(most=200)
    if x is None or not g.of(x).shape:
        return
    v = g.of(x)
    code = g.rng.choice([34, 60, 100])
    mode = g.rng.randint(0, 1)
    most = [n - 1 + mode if code == 100 else 2 for n in v.shape]
    pads = [g.rng.choice([0, g.rng.randint(0, min(m, 2))])
            for m in most for _ in range(2)]
    shape = [n + a + b for n, a, b in zip(v.shape, pads[::2], pads[1::2])]
    operands = [x, g.ints(pads, [len(shape), 2])]
    if code == 60:
        operands.append(g.const(v.kind, [1], v.scale if v.scales else None,
                                v.zero))
    g.emit(code, operands, g.like(x, shape), 77 if code == 100 else 0,
           {0: ("b", mode)})


@maker(2)
def transpose(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    shape = g.of(x).shape
    order = g.rng.sample(range(len(shape)), len(shape))
    g.emit(39, [x, g.ints(order)], g.like(x, [shape[d] for d in order]))


@maker(2)
def strided_slice(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    rng, shape = g.rng, g.of(x).shape
    begin, end, stride, out, masks = [], [], [], [], [0, 0, 0]
    for d, n in enumerate(shape):
        while True:
            b, e = rng.randint(-n, n - 1), rng.randint(-n - 1, n + 1)
            s = rng.choice([1, 1, 2, 3, -1, -2])
            flags = [rng.random() < 0.3, rng.random() < 0.4]
            drops = rng.random() < 0.1
            if drops:
                s, e, flags = 1, b + 1 if b != -1 else n, [False, False]
            cut = range(n)[None if flags[0] else b:None if flags[1] else e:s]
            if len(cut) > 0:
                break
        begin.append(b)
        end.append(e)
        stride.append(s)
        for i, flag in enumerate(flags + [drops]):
            masks[i] |= flag << d
        if not drops:
            out.append(len(cut))
    g.emit(45, [x] + [g.ints(v) for v in (begin, end, stride)], g.like(x, out),
           32, {0: ("i", masks[0]), 1: ("i", masks[1]), 4: ("i", masks[2])})


@maker()
def split(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    shape = g.of(x).shape
    axis = g.rng.randrange(len(shape))
    count = g.rng.choice([d for d in (1, 2, 3, 4) if shape[axis] % d == 0])
    part = shape[:axis] + [shape[axis] // count] + shape[axis + 1:]
    if g.rng.random() < 0.5 or shape[axis] < 2:
        g.emit(49, [g.ints([axis - g.rng.choice([0, len(shape)])], []), x],
               [g.like(x, part) for _ in range(count)], 35, {0: ("i", count)})
        return
    sizes = [g.rng.randint(1, shape[axis] - 1)]
    sizes.append(shape[axis] - sizes[0])
    g.emit(102, [x, g.ints([sizes[0], g.rng.choice([-1, sizes[1]])]),
                 g.ints([axis], [])],
           [g.like(x, shape[:axis] + [n] + shape[axis + 1:]) for n in sizes],
           79, {0: ("i", 2)})


@maker()
def first_places(g):
    """TOPK_V2; places are shown, as few values decide them."""
    x = g.pick((F32, I8, I16))
    if x is None or not g.of(x).shape:
        return
    g.show(x)
    shape = g.of(x).shape[:]
    shape[-1] = g.rng.randint(1, shape[-1])
    places = g.add(I32, shape)
    g.emit(48, [x, g.ints([shape[-1]], [])], [g.like(x, shape), places])
    g.pool.remove(places)
    g.outputs.append(places)


@maker()
def angles(g):
    """SIGN, ATAN2, REDUCE_PROD of few elements."""
    x = g.pick((F32,))
    if x is None:
        return
    g.show(x)
    shape, choice = g.of(x).shape, g.rng.randrange(3)
    if choice == 0 or not shape:
        g.emit(158, [x], g.add(F32, shape))
    elif choice == 1:
        other = g.const(F32, shape)
        g.emit(156, g.rng.choice([[x, other], [other, x]]), g.add(F32, shape))
    elif min(shape) <= 4:
        axis = shape.index(min(shape))
        y = g.add(F32, [1 if d == axis else n for d, n in enumerate(shape)])
        g.emit(81, [x, g.ints([axis])], y, 27, {0: ("?", True)})


@maker()
def truths(g):
    """REDUCE_ALL or REDUCE_ANY of a comparison."""
    x = g.pick((F32, I8))
    if x is None or not g.of(x).shape:
        return
    v = g.of(x)
    if v.scales and not 1e-5 < v.scale < 1:
        return
    g.show(x)
    c, axis = g.add(BOOL, v.shape), g.rng.randrange(len(v.shape))
    low = g.const(v.kind, [1] * len(v.shape), v.scale if v.scales else None,
                  v.zero)
    g.op(61, [x, low], [c])
    y = g.add(BOOL, [1 if d == axis else n for d, n in enumerate(v.shape)])
    g.op(g.rng.choice([91, 140]), [c, g.ints([axis])], [y], 27,
         {0: ("?", True)})
    g.outputs.append(y)


@maker()
def classes(g):
    """ONE_HOT and RANGE."""
    rng = g.rng
    if rng.random() < 0.3:
        first, step = rng.randint(-5, 5), rng.choice([-3, 1, 2])
        count = rng.randint(1, 6)
        last = first + step * count
        y = g.add(I32, [count])
        g.op(96, [g.ints([v], []) for v in (first, last, step)], [y])
        g.outputs.append(y)
        return
    depth = rng.randint(1, 5)
    places = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
    i = g.const(I32, places, low=-2, high=depth + 1)
    axis = rng.randint(0, len(places))
    kind = rng.choice([F32, I32])
    on, off = (g.const(kind, []) for _ in range(2))
    y = g.add(kind, places[:axis] + [depth] + places[axis:])
    given = -1 if axis == len(places) and rng.random() < 0.5 else axis
    g.op(85, [i, g.ints([depth], []), on, off], [y], 61, {0: ("i", given)})
    g.outputs.append(y)


@maker()
def scatter(g):
    """SCATTER_ND, of places that may be equal."""
    shape = [g.rng.randint(1, 4) for _ in range(g.rng.randint(1, 3))]
    depth, count = g.rng.randint(1, len(shape)), g.rng.randint(1, 4)
    places = [g.rng.randrange(shape[d]) for _ in range(count)
              for d in range(depth)]
    kind = g.rng.choice([F32, I32])
    updates = g.const(kind, [count] + shape[depth:])
    y = g.add(kind, shape)
    g.op(122, [g.ints(places, [count, depth]), updates, g.ints(shape)], [y])
    g.outputs.append(y)


@maker()
def gather(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    shape = g.of(x).shape
    axis = g.rng.randrange(len(shape))
    places = [g.rng.randint(1, 3) for _ in range(g.rng.randint(0, 2))]
    i = g.const(I32, places, low=0, high=shape[axis] - 1)
    g.emit(36, [x, i], g.like(x, shape[:axis] + places + shape[axis + 1:]),
           23, {0: ("i", axis - g.rng.choice([0, len(shape)]))})


@maker()
def stack(g):
    x = g.pick(most=150)
    if x is None:
        return
    shape = g.of(x).shape
    axis = g.rng.randint(0, len(shape))
    if len(shape) < 4 and g.rng.random() < 0.5:
        parts = [x] * g.rng.randint(1, 3)
        g.emit(83, parts, g.like(x, shape[:axis] + [len(parts)]
                                 + shape[axis:]),
               59, {0: ("i", len(parts)), 1: ("i", axis)})
    elif shape:
        axis = axis % len(shape)
        part = shape[:axis] + shape[axis + 1:]
        g.emit(88, [x], [g.like(x, part) for _ in range(shape[axis])], 64,
               {0: ("i", shape[axis]), 1: ("i", axis - len(shape))})


@maker()
def tile(g):
    x = g.pick(most=60)
    if x is None or not g.of(x).shape:
        return
    times = [g.rng.randint(1, 3) for _ in g.of(x).shape]
    g.emit(69, [x, g.ints(times)], g.like(x, [
        n * t for n, t in zip(g.of(x).shape, times)]))


@maker()
def reverse(g):
    x = g.pick()
    if x is None or not g.of(x).shape:
        return
    axis = g.rng.randrange(len(g.of(x).shape))
    g.emit(105, [x, g.ints([axis])], g.like(x, g.of(x).shape))


@maker()
def depth_and_space(g):
    x = g.pick(rank=4)
    if x is None:
        return
    n, h, w, c = g.of(x).shape
    block = g.rng.choice([2, 3])
    if c % (block * block) == 0:
        g.emit(5, [x], g.like(x, [n, h * block, w * block, c // block ** 2]),
               94, {0: ("i", block)})
    elif h % block == 0 and w % block == 0:
        g.emit(26, [x], g.like(x, [n, h // block, w // block, c * block ** 2]),
               19, {0: ("i", block)})


@maker()
def batch_and_space(g):
    x = g.pick(rank=4)
    if x is None:
        return
    n, h, w, c = g.of(x).shape
    block = [g.rng.randint(1, 2), g.rng.randint(1, 2)]
    if n % math.prod(block) == 0 and g.rng.random() < 0.7:
        crops = [g.rng.randint(0, b - 1) for b in block for _ in range(2)]
        out = [h * block[0] - crops[0] - crops[1],
               w * block[1] - crops[2] - crops[3]]
        if min(out) > 0:
            g.emit(37, [x, g.ints(block), g.ints(crops, [2, 2])],
                   g.like(x, [n // math.prod(block)] + out + [c]))
        return
    pads = [0, -h % block[0], g.rng.choice([0, block[1]]), -w % block[1]]
    g.emit(38, [x, g.ints(block), g.ints(pads, [2, 2])], g.like(x, [
        n * math.prod(block), (h + pads[1]) // block[0],
        (w + pads[2] + pads[3]) // block[1], c]))


@maker(2)
def resize(g):
    x = g.pick((F32, I8), 4, most=200)
    if x is None:
        return
    shape = g.of(x).shape
    out = [g.rng.randint(1, 9) for _ in range(2)]
    mode = g.rng.randint(0, 2)
    flags = [("?", mode == 1), ("?", mode == 2)]
    y = g.like(x, shape[:1] + out + shape[3:])
    if g.rng.random() < 0.5:
        g.emit(23, [x, g.ints(out)], y, 15, {2: flags[0], 3: flags[1]})
    else:
        g.emit(97, [x, g.ints(out)], y, 74, {0: flags[0], 1: flags[1]})


# -- control flow ------------------------------------------------------------

def inner(g, name, values):
    """A graph of the model whose inputs are like `values`."""
    graph = Drawn(g.model, "%s%d" % (name, len(g.model.graphs)), g.rng)
    graph.depth = g.depth + 1
    for number in values:
        v = g.of(number)
        tensor = graph.add(v.kind, v.shape, v.scale if v.scales else None,
                           v.zero)
        graph.inputs.append(tensor)
        graph.pool.append(tensor)
    return graph


def twin(g, table, buffer=0):
    """A tensor like that of a table, in `g`."""
    g.tensors.append(type(table)({
        **table, 2: ("I", buffer), 3: "%s%d" % (g.name, len(g.tensors))}))
    return len(g.tensors) - 1


def lift(g, graphs, owner, number):
    """Makes a constant of a called graph one of `g`, passed to all `graphs`."""
    table = owner.tensors[number]
    constant = twin(g, table, table[2][1])
    table[2] = ("I", 0)
    for graph in graphs:
        graph.inputs.append(number if graph is owner else twin(graph, table))
    return constant


def lifted(g, graphs):
    """Passes constants of called graphs as operands, as TensorFlow's converter
    does, and sometimes one that none of them uses."""
    operands = [lift(g, graphs, graph, number) for graph in graphs
                for number, table in enumerate(list(graph.tensors))
                if table[2][1] and g.rng.random() < 0.7]
    if g.rng.random() < 0.2:
        unused = graphs[-1].const(I8, [g.rng.randint(1, 4)])
        operands.append(lift(g, graphs, graphs[-1], unused))
    return operands


def redrawn(g, operands):
    """The same operands with some of the constants drawn anew."""
    given = []
    for number in operands:
        v = g.of(number)
        if v.kind in (F32, I8) and g.rng.random() < 0.5:
            quantisation = g.tensors[number][4]
            most = 4 if v.kind == F32 else 127
            number = g.const(v.kind, v.shape, low=-most, high=most)
            g.tensors[number][4] = quantisation
        given.append(number)
    return given


def body_of(g, graph, first, like):
    """Draws exact operators that take no further input; gives a value like
    `like`."""
    for _ in range(g.rng.randint(0, 3)):
        nested = graph.depth < 3 and g.rng.random() < 0.2
        g.rng.choice([branch, loop] if nested else INNER)(graph)
    v = g.of(like)
    fit = [n for n in graph.pool[::-1] if graph.of(n).shape == v.shape
           and graph.of(n).kind == v.kind
           and (graph.of(n).scales, graph.of(n).zero) == (v.scales, v.zero)]
    return fit[0] if g.rng.random() < 0.8 else first


def common_weights(g, ways, x, results):
    """Has both arms multiply by the same operand; returns the operand."""
    v = g.of(x)
    if len(v.shape) != 4 or v.kind not in (F32, I8) or g.rng.random() < 0.6:
        return []
    w, scales = weights(g, v.kind, [v.shape[3], 1, 1, v.shape[3]], 1, 0)
    for graph, result in zip(ways, results):
        own = twin(graph, g.tensors[w])
        graph.inputs.append(own)
        y = graph.like(graph.inputs[0], v.shape)
        graph.op(3, [result[0], own, -1], [y], 1, {1: ("i", 1), 2: ("i", 1)})
        result[0] = y
    return [w]


def choice_of(g):
    """A flag of the graph: an input of the main graph."""
    if g.name != "main":
        return g.flag
    flag = g.tensor("%s%d" % (g.name, len(g.tensors)), BOOL,
                    g.rng.choice([[], [1]]))
    g.inputs.append(flag)
    g.feeds.append([g.rng.random() < 0.5])
    return flag


@maker(2)
def branch(g):
    x = g.pick((F32, I8))
    flag = None if x is None else choice_of(g)
    if flag is None:
        return
    second = [choice_of(g)] if g.rng.random() < 0.5 else []
    ways, results = [], []
    for name in ("then", "else"):
        graph = inner(g, name, [x] + second)
        graph.flag = graph.pool.pop(1) if second else None
        result = body_of(g, graph, graph.inputs[0], x)
        if g.rng.random() < 0.7 or result == graph.inputs[0]:
            y = graph.like(graph.inputs[0], g.of(x).shape)
            graph.op(g.rng.choice([19, 21]), [result], [y])
            result = y
        ways.append(graph)
        results.append([result])
    operands = common_weights(g, ways, x, results)
    for graph, result in zip(ways, results):
        graph.outputs = result
    operands += lifted(g, ways)
    for again in range(g.rng.choice([1, 1, 2])):
        given = redrawn(g, operands) if again else operands
        x = g.emit(118, [flag, x] + second + given, g.like(x, g.of(x).shape),
                   92, {i: ("i", g.model.graphs.index(graph))
                        for i, graph in enumerate(ways)})


def count_of(g):
    """Where a counter starts: an input of the main graph."""
    if g.name != "main":
        return g.ints([g.rng.randint(1, 4)])
    start = g.tensor("%s%d" % (g.name, len(g.tensors)), I32, [1])
    g.inputs.append(start)
    g.feeds.append([g.rng.randint(-1, 4)])
    return start


@maker(2)
def loop(g):
    """WHILE with a counter, a value, and constants that it does not change;
    perhaps another that takes what it returns."""
    x = g.pick((F32, I8), most=200)
    changed = [n for n in g.passed if g.of(n).kind in (F32, I8)
               and len(g.of(n).scales) < 2]
    if changed and g.rng.random() < 0.5:
        x = g.rng.choice(changed)
    if x is None:
        return
    start = count_of(g)
    condition = inner(g, "cond", [start, x])
    go = condition.add(BOOL, [1])
    condition.op(58, [condition.inputs[0], condition.ints([3])], [go])
    condition.outputs = [go]
    body = inner(g, "body", [start, x])
    body.pool.pop(0)
    body.flag = body.add(BOOL, [1])
    body.op(58, [body.inputs[0], body.ints([1])], [body.flag])
    following = body.add(I32, [1])
    body.op(0, [body.inputs[0], body.ints([1])], [following], 11, {})
    result = body_of(g, body, body.inputs[1], x)
    if result == body.inputs[1] or g.rng.random() < 0.3:
        y = body.like(body.inputs[1], g.of(x).shape)
        v = g.of(x)
        near = v.scale * 2.0 ** g.rng.uniform(-4, 4) if v.scales else None
        other = body.const(v.kind, [1], near)
        body.op(0, [result, other], [y], 11, {0: ("b", g.activation())})
        result = y
    operands = lifted(g, [condition, body])
    g.passed += operands
    body.outputs = [following, result] + body.inputs[2:]
    for again in range(g.rng.choice([1, 1, 2])):
        given = redrawn(g, operands) if again else operands
        ends = [g.add(I32, [1]), g.like(x, g.of(x).shape)] + [
            twin(g, g.tensors[n]) for n in operands]
        g.op(119, [start, x] + given, ends, 93,
             {0: ("i", g.model.graphs.index(condition)),
              1: ("i", g.model.graphs.index(body))})
        g.pool += ends[:2]
        start, x, operands = count_of(g), ends[1], ends[2:]
    g.pool += [n for n in operands if g.rng.random() < 0.3 and g.of(n).scales
               and len(g.of(n).scales) < 2]


INNER = [conv, depthwise, pool, activation, pad, transpose, reverse,
         strided_slice, split, extremes, reshape]


CONTROL = [branch, loop, branch, loop, conv, activation, extremes]


def network(seed, makers=MAKERS):
    """Returns the main graph of a network, its feeds in `feeds`."""
    rng = random.Random(seed)
    g = Drawn(Model("drawn"), "main", rng)
    kind = rng.choice([I8, I8, I8, I8, F32, F32, I16, U8])
    for _ in range(rng.randint(1, 2)):
        g.input(kind, [rng.choice([1, 1, 2]), rng.randint(1, 8),
                       rng.randint(1, 8), rng.randint(1, 5)])
    for _ in range(rng.randint(1, 8)):
        rng.choice(makers)(g)
    read = {i for op in g.operators for i in op[1].values}
    made = [i for op in g.operators for i in op[2].values]
    ends = [n for n in made if n not in read]
    g.outputs += [n for n in ends if n not in g.outputs]
    g.outputs += [n for n in made if n not in g.outputs
                  and rng.random() < 0.1]
    is_complete = made and (makers is MAKERS or len(g.model.graphs) > 1)
    return g if is_complete else network(seed + 1000003, makers)
