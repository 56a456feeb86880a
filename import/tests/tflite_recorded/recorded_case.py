"""A model of one operator under construction, drawn at random."""

import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tflite"))
from tflite_wire import BOOL, F32, FORMATS, I16, I32, I64, I8, Graph, Model

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


def same(g, k):
    """Scale and zero point for an operator that changes neither."""
    return (g.scale(k), g.zero(k)) if k in (I8, I16) else (None, None)
