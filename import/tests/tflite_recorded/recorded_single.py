"""Operators on one tensor, element by element or along an axis."""

import math

from recorded_case import F32, I16, I32, I8, kind, same


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
