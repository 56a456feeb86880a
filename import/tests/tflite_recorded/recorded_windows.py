"""Convolutions, pools, products and operators with memory."""

import math

from recorded_case import F32, I16, I32, I64, I8, kind, same


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


# -- with memory -------------------------------------------------------------

def add_lstm(g, k, fewest, most):
    rng = g.rng
    batch, steps, inputs, units = (rng.randint(1, 2), rng.randint(fewest, most),
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


@kind(F32, I8, I16)
def lstm(g, k):
    add_lstm(g, k, 1, 4)


@kind(F32, I8, I16)
def long_lstm(g, k):
    add_lstm(g, k, 20, 40)


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
