"""Computes the networks of onnx_networks.py from the definition of ONNX.

It shares nothing with the reader, and needs nothing but Python. Integers wrap;
floats are drawn so that no sum or product is rounded where its order is free.
"""

import itertools
import math
import struct

from onnx_wire import BOOL, FLOAT, INT8, INT32, INT64

BITS = {INT8: 8, INT32: 32, INT64: 64}
LARGEST = 2.0 ** 60
STEPS_MAX = 20000
KERNELS = {}


class Undefined(Exception):
    """ONNX defines no result, or it takes too long."""


class Tensor:
    """A tensor with its elements in row-major order."""

    def __init__(self, kind, shape, data):
        self.kind, self.shape, self.data = kind, list(shape), data

    def at(self, index):
        return self.data[offset_of(self.shape, index)]


def kernel(*names):
    def register(function):
        for name in names:
            KERNELS[name] = function
        return function
    return register


def wrap(kind, value):
    """A number as an element of this kind."""
    if kind == BOOL:
        return bool(value)
    if kind == FLOAT:
        if not abs(value) <= LARGEST:
            raise Undefined("a float is very large")
        return struct.unpack("f", struct.pack("f", value))[0]
    bits = BITS[kind]
    return (int(value) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def offset_of(shape, index):
    offset = 0
    for size, i in zip(shape, index):
        offset = offset * size + i
    return offset


def places(shape):
    return itertools.product(*map(range, shape))


def build(kind, shape, function):
    return Tensor(kind, shape, [wrap(kind, function(i)) for i in places(shape)])


def broadcast(tensor, index):
    """The element of a tensor that stands at a place of a larger shape."""
    last = index[len(index) - len(tensor.shape):]
    return tensor.at([0 if size == 1 else i
                      for size, i in zip(tensor.shape, last)])


def joined_shape(tensors):
    rank = max(len(t.shape) for t in tensors)
    shapes = [[1] * (rank - len(t.shape)) + t.shape for t in tensors]
    return [max(sizes) for sizes in zip(*shapes)]


#===------------------------------------------------------------------------===#
# Element by element
#===------------------------------------------------------------------------===#

def elementwise(function, kind=None):
    def run(node, *inputs):
        return build(kind or inputs[-1].kind, joined_shape(inputs),
                     lambda i: function(*(broadcast(t, i) for t in inputs)))
    return run


KERNELS.update({
    "Add": elementwise(lambda a, b: a + b),
    "Sub": elementwise(lambda a, b: a - b),
    "Mul": elementwise(lambda a, b: a * b),
    "Max": elementwise(max), "Min": elementwise(min),
    "Mod": elementwise(lambda a, b: a % b),
    "Div": elementwise(lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0)
                                                       else -1)),
    "Equal": elementwise(lambda a, b: a == b, BOOL),
    "Greater": elementwise(lambda a, b: a > b, BOOL),
    "Less": elementwise(lambda a, b: a < b, BOOL),
    "And": elementwise(lambda a, b: a and b, BOOL),
    "Or": elementwise(lambda a, b: a or b, BOOL),
    "Xor": elementwise(lambda a, b: a != b, BOOL),
    "Not": elementwise(lambda a: not a, BOOL),
    "Neg": elementwise(lambda a: -a), "Abs": elementwise(abs),
    "Relu": elementwise(lambda a: max(a, 0)),
    "Floor": elementwise(math.floor), "Identity": elementwise(lambda a: a),
    "Clip": elementwise(lambda a, low, high: min(max(a, low), high)),
    "Where": elementwise(lambda c, a, b: a if c else b),
})


@kernel("Cast")
def cast(node, x):
    return Tensor(node.attributes["to"], x.shape,
                  [wrap(node.attributes["to"], v) for v in x.data])


#===------------------------------------------------------------------------===#
# What moves elements
#===------------------------------------------------------------------------===#

@kernel("Reshape", "Flatten")
def reshape(node, x, shape=None):
    return Tensor(x.kind, node.outputs[0].shape, x.data)


@kernel("Transpose")
def transpose(node, x):
    perm = node.attributes["perm"]
    return build(x.kind, [x.shape[p] for p in perm],
                 lambda i: x.at([i[perm.index(d)] for d in range(len(perm))]))


@kernel("Concat")
def concat(node, *inputs):
    axis = node.attributes["axis"]
    rows = [(t, k) for t in inputs for k in range(t.shape[axis])]
    shape = inputs[0].shape[:]
    shape[axis] = len(rows)
    return build(inputs[0].kind, shape, lambda i: rows[i[axis]][0].at(
        [*i[:axis], rows[i[axis]][1], *i[axis + 1:]]))


@kernel("Slice")
def slice_of(node, x, starts, ends, axes, steps):
    axis, = axes.data
    rows = range(x.shape[axis])[starts.data[0]:ends.data[0]:steps.data[0]]
    shape = x.shape[:]
    shape[axis] = len(rows)
    return build(x.kind, shape,
                 lambda i: x.at([*i[:axis], rows[i[axis]], *i[axis + 1:]]))


@kernel("Gather")
def gather(node, x, index):
    row, = index.data
    if not -x.shape[0] <= row < x.shape[0]:
        raise Undefined("an index out of bounds")
    return build(x.kind, x.shape[1:], lambda i: x.at([row % x.shape[0], *i]))


#===------------------------------------------------------------------------===#
# Sums and products
#===------------------------------------------------------------------------===#

@kernel("ReduceSum", "ReduceMax", "ReduceMin")
def reduce(node, x, *axes):
    """Over one axis, or over all."""
    how = {"ReduceSum": sum, "ReduceMax": max, "ReduceMin": min}[node.op]
    given = axes[0].data if axes else node.attributes.get("axes")
    axes = given or list(range(len(x.shape)))
    kept = [1 if d in axes else size for d, size in enumerate(x.shape)]
    rows = {}
    for i in places(x.shape):
        rows.setdefault(tuple(0 if d in axes else k for d, k in enumerate(i)),
                        []).append(x.at(i))
    found = build(x.kind, kept, lambda i: how(rows[i]))
    return Tensor(x.kind, node.outputs[0].shape, found.data)


@kernel("CumSum")
def running_sum(node, x, axis):
    axis, = axis.data
    from_end, left_out = (node.attributes[name]
                          for name in ("reverse", "exclusive"))

    def at(i):
        first, end = (i[axis] + left_out, x.shape[axis]) if from_end else \
            (0, i[axis] + 1 - left_out)
        return sum(x.at([*i[:axis], k, *i[axis + 1:]])
                   for k in range(first, end))
    return build(x.kind, x.shape, at)


@kernel("TopK")
def top_k(node, x, k):
    axis, sign = node.attributes["axis"], -1 if node.attributes["largest"] else 1
    shape = node.outputs[0].shape

    def place(i):
        def at(k):
            return x.at([*i[:axis], k, *i[axis + 1:]])
        return sorted(range(x.shape[axis]),
                      key=lambda k: (sign * at(k), k))[i[axis]]
    return [build(x.kind, shape,
                  lambda i: x.at([*i[:axis], place(i), *i[axis + 1:]])),
            build(INT64, shape, place)]


@kernel("MatMul", "MatMulInteger")
def matmul(node, a, b):
    kind = INT32 if node.op == "MatMulInteger" else a.kind
    return build(kind, [a.shape[0], b.shape[1]],
                 lambda i: sum(a.at((i[0], k)) * b.at((k, i[1]))
                               for k in range(a.shape[1])))


@kernel("Conv")
def conv(node, x, w, bias):
    (north, west, south, east), stride = node.attributes["pads"], \
        node.attributes["strides"]
    group = node.attributes["group"]
    _, channels, height, width = x.shape
    each, taken, (kh, kw) = w.shape[0] // group, channels // group, w.shape[2:]

    def at(i):
        total, first = bias.data[i[1]], i[1] // each * taken
        for c, p, q in itertools.product(range(taken), range(kh), range(kw)):
            y, z = i[2] * stride[0] + p - north, i[3] * stride[1] + q - west
            if 0 <= y < height and 0 <= z < width:
                total += x.at((i[0], first + c, y, z)) * w.at((i[1], c, p, q))
        return total
    return build(x.kind, [x.shape[0], w.shape[0],
                          (height + north + south - kh) // stride[0] + 1,
                          (width + west + east - kw) // stride[1] + 1], at)


@kernel("MaxPool")
def max_pool(node, x):
    kernel_shape = node.attributes["kernel_shape"]
    stride = node.attributes["strides"]
    return build(x.kind, node.outputs[0].shape, lambda i: max(
        x.at((i[0], i[1], i[2] * stride[0] + p, i[3] * stride[1] + q))
        for p in range(kernel_shape[0]) for q in range(kernel_shape[1])))


@kernel("QuantizeLinear")
def quantize(node, x, scale, zero):
    # Scales are powers of two, so that the division is exact.
    return Tensor(INT8, x.shape, [
        min(max(round(v / scale.data[0]) + zero.data[0], -128), 127)
        for v in x.data])


@kernel("DequantizeLinear")
def dequantize(node, x, scale, zero):
    return build(FLOAT, x.shape, lambda i: (x.at(i) - zero.data[0])
                 * scale.data[0])


#===------------------------------------------------------------------------===#
# Graphs
#===------------------------------------------------------------------------===#

class Run:
    """One run of a network; counts the nodes that it executes."""

    def __init__(self):
        self.steps = 0

    def body(self, body, outer, arguments):
        """Runs a graph in the scope `outer`; returns its outputs."""
        scope = dict(outer)
        scope.update((v.name, t) for v, t in zip(body.inputs, arguments))
        scope.update((v.name, t) for v, t in body.constants)
        for node in body.nodes:
            self.steps += 1
            if self.steps > STEPS_MAX:
                raise Undefined("too many steps")
            inputs = [scope[v.name] if v else None for v in node.inputs]
            if node.op in ("If", "Loop", "Scan"):
                results = getattr(self, node.op.lower() + "_")(
                    node, scope, inputs)
            else:
                found = KERNELS[node.op](node, *inputs)
                results = found if isinstance(found, list) else [found]
            for value, result in zip(node.outputs, results):
                scope[value.name] = result
        return [scope[v.name] for v in body.outputs]

    def if_(self, node, scope, inputs):
        return self.body(node.bodies[0 if inputs[0].data[0] else 1], scope, [])

    def loop_(self, node, scope, inputs):
        trips, go, *carried = inputs
        count, rows = len(carried), []
        is_going = True if go is None else go.data[0]
        i = 0
        while is_going and (trips is None or i < trips.data[0]):
            found = self.body(node.bodies[0], scope, [
                Tensor(INT64, [], [i]), Tensor(BOOL, [], [is_going]), *carried])
            is_going, carried = found[0].data[0], found[1:count + 1]
            rows.append(found[count + 1:])
            i += 1
        return carried + [stack(value, list(column)) for value, column in zip(
            node.outputs[count:], zip(*rows) if rows else itertools.repeat([]))]

    def scan_(self, node, scope, inputs):
        taken = node.attributes["num_scan_inputs"]
        states, scanned = inputs[:-taken], inputs[-taken:]
        length, rows = scanned[0].shape[0], []
        backwards = node.attributes["scan_input_directions"]
        for i in range(length):
            found = self.body(node.bodies[0], scope, states + [
                row_of(t, length - 1 - i if b else i)
                for t, b in zip(scanned, backwards)])
            states = found[:len(states)]
            rows.append(found[len(states):])
        columns = [list(c)[::-1] if b else list(c) for c, b in zip(
            zip(*rows), node.attributes["scan_output_directions"])]
        return states + [stack(value, column) for value, column in zip(
            node.outputs[len(states):], columns)]


def row_of(tensor, row):
    step = math.prod(tensor.shape[1:])
    return Tensor(tensor.kind, tensor.shape[1:],
                  tensor.data[row * step:(row + 1) * step])


def stack(value, rows):
    if len(rows) != value.shape[0]:
        raise Undefined("a scan output of another length")
    return Tensor(value.kind, value.shape, sum((t.data for t in rows), []))


def evaluate(network, feeds):
    """Returns the outputs of a network for a list of inputs, as tensors."""
    return Run().body(network, {}, feeds)
