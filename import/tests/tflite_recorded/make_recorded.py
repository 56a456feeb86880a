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
