"""Computes TensorFlow Lite graphs from the definition of their operators.

Written from the reference kernels of TensorFlow Lite Micro, of which integers
have the bits: products with a quantised multiplier are rounded twice. It shares
nothing with the importer, and needs nothing but Python. Graphs are those of
import/tests/tflite/tflite_wire.py.
"""

import itertools
import math
import struct

from tflite_wire import BOOL, F32, FORMATS, I16, I32, I64, I8, U8

RANGES = {I8: (-128, 127), U8: (0, 255), I16: (-32768, 32767)}
KERNELS = {}


def kernel(*codes):
    def register(function):
        for code in codes:
            KERNELS[code] = function
        return function
    return register


def f32(number):
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


class Value:
    """A tensor with its elements in row-major order."""

    def __init__(self, table, data=None):
        self.shape = list(table[0].values)
        self.kind, self.name, self.data = table[1][1], table[3], data
        quant = table[4]
        self.scales = [f32(s) for s in quant[2].values] if 2 in quant else []
        self.zero = quant[3].values[0] if 3 in quant else 0

    @property
    def scale(self):
        return self.scales[0]

    @property
    def is_integer(self):
        return self.kind in RANGES

    def at(self, *index):
        return self.data[offset_of(self.shape, index)]

    def copy(self, data, shape=None):
        other = Value.__new__(Value)
        other.__dict__ = dict(self.__dict__, data=data)
        if shape is not None:
            other.shape = list(shape)
        return other


class Call:
    """An operator with its operands."""

    def __init__(self, graph, table, values):
        self.graph, self.values = graph, values
        self.code = graph.model.codes[table[0][1]][0]
        self.inputs = [values[i] if i >= 0 else None for i in table[1].values]
        self.outputs = [Value(graph.tensors[i]) for i in table[2].values]
        self.options = table.get(4, {})

    def option(self, field, default=0):
        value = self.options.get(field, default)
        return value[1] if isinstance(value, tuple) else value

    def ints(self, i):
        return list(self.inputs[i].data)


def run_graph(graph, inputs, found=None):
    """Computes all tensors of a graph, by number. What `found` has for an
    operator without KERNELS, or one that is not exact, is taken instead."""
    values = {}
    for number, table in enumerate(graph.tensors):
        raw = graph.model.buffers[table[2][1]].get(0)
        if table[2][1] and raw is not None:
            value = Value(table)
            form = FORMATS[value.kind]
            packed = bytes(raw.values)
            value.data = list(struct.unpack(
                "<%d%s" % (len(packed) // struct.calcsize(form), form), packed))
            values[number] = value
    for number, data in zip(graph.inputs, inputs):
        values[number] = Value(graph.tensors[number], list(data))
    for table in graph.operators:
        call = Call(graph, table, values)
        for number, value, data in zip(table[2].values, call.outputs,
                                       KERNELS[call.code](call)):
            value.data = data
            values[number] = value
            if found is not None:
                found(call, number, value)
    return values


# -- indices -----------------------------------------------------------------

def offset_of(shape, index):
    at = 0
    for extent, i in zip(shape, index):
        at = at * extent + i
    return at


def indices(shape):
    return itertools.product(*[range(n) for n in shape])


def of_shape(shape, function):
    return [function(*index) for index in indices(shape)]


def stretched(value, shape):
    """Returns the elements of `value`, repeated where `shape` is larger."""
    lead = len(shape) - len(value.shape)
    return of_shape(shape, lambda *index: value.at(*[
        0 if extent == 1 else i
        for i, extent in zip(index[lead:], value.shape)]))


# -- fixed point -------------------------------------------------------------

def half_away(number):
    return math.floor(abs(number) + 0.5) * (-1 if number < 0 else 1)


def divide(number, divisor):
    """Towards zero."""
    quotient = abs(number) // abs(divisor)
    return quotient if (number < 0) == (divisor < 0) else -quotient


def quantize_multiplier(real):
    if real == 0:
        return 0, 0
    fraction, exponent = math.frexp(real)
    multiplier = half_away(fraction * 2.0 ** 31)
    if abs(multiplier) == 1 << 31:
        multiplier, exponent = divide(multiplier, 2), exponent + 1
    return (0, 0) if exponent < -31 else (multiplier, exponent)


def doubling_high(a, b):
    product = a * b
    return divide(product + (1 << 30 if product >= 0 else 1 - (1 << 30)),
                  1 << 31)


def divide_by_power(number, exponent):
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (number < 0)
    return (number >> exponent) + ((number & mask) > threshold)


class Undefined(Exception):
    """What the reference kernels compute is undefined in C."""


def multiply(number, by):
    multiplier, exponent = by
    shifted = number << max(exponent, 0)
    if not -1 << 31 <= shifted < 1 << 31:
        raise Undefined
    return divide_by_power(doubling_high(shifted, multiplier),
                           max(-exponent, 0))


def multiply_wide(number, by):
    """Of 64-bit sums: a multiplier of 16 bits, rounded once."""
    multiplier, exponent = by
    half = (multiplier + (1 << 15)) >> 16 if multiplier < 0x7FFF0000 else 0x7FFF
    shift = 15 - exponent
    return (number * half + (1 << (shift - 1))) >> shift


def bounds(value, activation):
    if value.kind == F32 or value.kind in (I32, I64):
        low, high = {0: (-math.inf, math.inf), 1: (0, math.inf), 2: (-1, 1),
                     3: (0, 6)}[activation]
        return low, high
    low, high = RANGES[value.kind]

    def quantized(real):
        return value.zero + half_away(f32(real / value.scale))
    if activation in (1, 3):
        low = max(low, quantized(0))
    if activation == 3:
        high = min(high, quantized(6))
    if activation == 2:
        low, high = max(low, quantized(-1)), min(high, quantized(1))
    return low, high


def clamp(number, limits):
    return min(max(number, limits[0]), limits[1])


def rescaled(value, by, limits=None):
    """Gives a function from what `by` scales to elements of `value`."""
    limits = limits or RANGES[value.kind]
    return lambda number: clamp(multiply(number, by) + value.zero, limits)


# -- windows -----------------------------------------------------------------

class Window:
    """Where a kernel that slides over rows and columns reads."""

    def __init__(self, extent, kernel_shape, stride, dilation, valid):
        self.out, self.pad = [], []
        self.extent, self.kernel = extent, kernel_shape
        self.stride, self.dilation = stride, dilation
        for n, k, s, d in zip(extent, kernel_shape, stride, dilation):
            reach = (k - 1) * d + 1
            out = -(-(n - reach + 1) // s) if valid else -(-n // s)
            self.out.append(out)
            self.pad.append(max((out - 1) * s + reach - n, 0) // 2)

    def taps(self, row, column):
        """Yields kernel row and column, and the row and column read."""
        for k in indices(self.kernel):
            at = [o * s - p + i * d for o, s, p, i, d in zip(
                (row, column), self.stride, self.pad, k, self.dilation)]
            if all(0 <= a < n for a, n in zip(at, self.extent)):
                yield k, at


def sums_to(call, out, inputs, bias, activation, single_product=False):
    """Gives the function from a sum of channel c to an element."""
    x, w = inputs
    limits = bounds(out, activation)
    if x.kind == F32:
        return lambda c, total: clamp(total + (bias.data[c] if bias else 0),
                                      limits)
    single_product = single_product or x.kind == U8
    scales = w.scales if len(w.scales) > 1 else [w.scale] * 4096
    # CONV_2D and FULLY_CONNECTED sum int16 in 32 bits, unless the bias has 64.
    is_wide = x.kind == I16 and (bias.kind == I64 if bias else
                                 call.code not in (3, 9))
    scale = multiply_wide if is_wide else multiply

    def finish(c, total):
        product = f32(x.scale * scales[c]) if single_product else \
            x.scale * scales[c]
        total += bias.data[c] if bias else 0
        by = quantize_multiplier(product / out.scale)
        return clamp(scale(total, by) + out.zero, limits)
    return finish


def conv_window(call, first, kernel_shape):
    return Window(call.inputs[0].shape[1:3], kernel_shape,
                  [call.option(2), call.option(1)],
                  [call.option(first + 1, 1), call.option(first, 1)],
                  call.option(0))


def bias_of(call, i):
    return call.inputs[i] if len(call.inputs) > i else None


@kernel(3)
def conv_2d(call):
    x, w = call.inputs[:2]
    out = call.outputs[0]
    window = conv_window(call, 4, w.shape[1:3])
    finish = sums_to(call, out, (x, w), bias_of(call, 2), call.option(3))

    def element(n, row, column, c):
        return finish(c, sum(
            (x.at(n, *at, i) - x.zero) * (w.at(c, *k, i) - w.zero)
            for k, at in window.taps(row, column) for i in range(w.shape[3])))
    return [of_shape(out.shape, element)]


@kernel(4)
def depthwise_conv_2d(call):
    x, w = call.inputs[:2]
    out = call.outputs[0]
    times = w.shape[3] // x.shape[3]
    window = conv_window(call, 5, w.shape[1:3])
    finish = sums_to(call, out, (x, w), bias_of(call, 2), call.option(4))

    def element(n, row, column, c):
        return finish(c, sum(
            (x.at(n, *at, c // times) - x.zero) * (w.at(0, *k, c) - w.zero)
            for k, at in window.taps(row, column)))
    return [of_shape(out.shape, element)]


@kernel(67)
def transpose_conv(call):
    _, w, x = call.inputs[:3]
    out = call.outputs[0]
    stride = [call.option(2), call.option(1)]
    finish = sums_to(call, out, (x, w), bias_of(call, 3), call.option(3))
    pad = [max((n - 1) * s + k - o, 0) // 2 if call.option(0) == 0 else 0
           for n, s, k, o in zip(x.shape[1:3], stride, w.shape[1:3],
                                 out.shape[1:3])]
    sums = [0] * math.prod(out.shape)
    for n, row, column in indices(x.shape[:3]):
        for k in indices(w.shape[1:3]):
            at = [o * s - p + i for o, s, p, i in zip((row, column), stride,
                                                      pad, k)]
            if not all(0 <= a < m for a, m in zip(at, out.shape[1:3])):
                continue
            for c, i in indices([w.shape[0], x.shape[3]]):
                sums[offset_of(out.shape, [n, *at, c])] += (
                    (x.at(n, row, column, i) - x.zero)
                    * (w.at(c, *k, i) - w.zero))
    return [[finish(i % out.shape[3], total) for i, total in enumerate(sums)]]


@kernel(9)
def fully_connected(call):
    x, w = call.inputs[:2]
    out = call.outputs[0]
    finish = sums_to(call, out, (x, w), bias_of(call, 2), call.option(0), True)
    length, rows = w.shape[1], len(x.data) // w.shape[1]
    return [[finish(c, sum((x.data[r * length + i] - x.zero)
                           * (w.at(c, i) - w.zero) for i in range(length)))
             for r, c in indices([rows, w.shape[0]])]]


@kernel(126)
def batch_matmul(call):
    x, y = call.inputs
    out = call.outputs[0]
    lead = out.shape[:-2]
    limits = bounds(out, 0)

    def at(value, index, row, column, is_turned):
        inner = (column, row) if is_turned else (row, column)
        own = value.shape[:-2]
        kept = index[len(lead) - len(own):]
        return value.at(*[0 if n == 1 else i for i, n in zip(kept, own)],
                        *inner) - value.zero
    length = x.shape[-2 if call.option(0) else -1]

    def element(*index):
        *batch, row, column = index
        total = sum(at(x, batch, row, i, call.option(0))
                    * at(y, batch, i, column, call.option(1))
                    for i in range(length))
        if x.kind == F32:
            return total
        by = quantize_multiplier(f32(x.scale * y.scale) / out.scale)
        scale = multiply_wide if x.kind == I16 else multiply
        return clamp(scale(total, by) + out.zero, limits)
    return [of_shape(out.shape, element)]


def pool(call, reduce):
    x, out = call.inputs[0], call.outputs[0]
    window = Window(x.shape[1:3], [call.option(4), call.option(3)],
                    [call.option(2), call.option(1)], [1, 1], call.option(0))
    limits = bounds(out, call.option(5))
    return [of_shape(out.shape, lambda n, row, column, c: clamp(reduce(
        [x.at(n, *at, c) for _, at in window.taps(row, column)]), limits))]


@kernel(1)
def average_pool(call):
    def mean(values):
        total, count = sum(values), len(values)
        if call.inputs[0].kind == F32:
            return total / count
        half = count // 2
        return divide(total + (half if total > 0 else -half), count)
    return pool(call, mean)


@kernel(17)
def max_pool(call):
    return pool(call, max)


# -- two operands ------------------------------------------------------------

def pairs(call):
    out = call.outputs[0]
    return zip(*(stretched(value, out.shape) for value in call.inputs))


ARITHMETIC = {0: lambda a, b: a + b, 41: lambda a, b: a - b,
              18: lambda a, b: a * b, 99: lambda a, b: (a - b) * (a - b)}


@kernel(0, 41, 18, 99)
def arithmetic(call):
    x, y = call.inputs
    out = call.outputs[0]
    apply = ARITHMETIC[call.code]
    limits = bounds(out, 0 if call.code == 99 else call.option(0))
    if out.kind == F32:
        return [[clamp(f32(apply(a, b)), limits) for a, b in pairs(call)]]
    if not out.is_integer:
        return [[clamp(apply(a, b), limits) for a, b in pairs(call)]]
    if call.code == 18:
        by = quantize_multiplier(x.scale * y.scale / out.scale)
        return [[rescaled(out, by, limits)((a - x.zero) * (b - y.zero))
                 for a, b in pairs(call)]]
    left = 15 if out.kind == I16 else 20
    twice = 2 * max(x.scale, y.scale)
    square = call.code == 99
    if square:
        left = 0 if out.kind == I16 else 7
    # SUB divides scales as floats.
    single = f32 if call.code == 41 else float
    to_x, to_y = (quantize_multiplier(single(v.scale / twice)) for v in (x, y))
    to_out = quantize_multiplier(
        twice * twice / ((1 << left * 2) * out.scale) if square else
        single(twice / single((1 << left) * out.scale)))
    if to_out[1] > 0 and not square:
        raise Undefined
    finish = rescaled(out, to_out, limits)
    return [[finish(apply(multiply((a - x.zero) << left, to_x),
                          multiply((b - y.zero) << left, to_y)))
             for a, b in pairs(call)]]


COMPARISONS = {71: lambda a, b: a == b, 72: lambda a, b: a != b,
               61: lambda a, b: a > b, 62: lambda a, b: a >= b,
               58: lambda a, b: a < b, 63: lambda a, b: a <= b}


@kernel(*COMPARISONS)
def compare(call):
    apply = COMPARISONS[call.code]
    if not call.inputs[0].is_integer:
        return [[apply(a, b) for a, b in pairs(call)]]
    left = 8

    def scaled(value, number):
        return multiply((number - value.zero) << left,
                        quantize_multiplier(value.scale))
    x, y = call.inputs
    return [[apply(scaled(x, a), scaled(y, b)) for a, b in pairs(call)]]


@kernel(55, 57)
def extremes(call):
    apply = max if call.code == 55 else min
    return [[apply(a, b) for a, b in pairs(call)]]


@kernel(84, 86)
def logic(call):
    return [[(a or b) if call.code == 84 else (a and b)
             for a, b in pairs(call)]]


@kernel(123)
def select_v2(call):
    shape = call.outputs[0].shape
    return [[b if a else c for a, b, c in zip(*(
        stretched(value, shape) for value in call.inputs))]]


@kernel(54)
def prelu(call):
    x, slope = call.inputs
    out = call.outputs[0]
    if x.kind == F32:
        return [[a if a >= 0 else a * b for a, b in pairs(call)]]
    above = rescaled(out, quantize_multiplier(x.scale / out.scale))
    below = rescaled(out, quantize_multiplier(x.scale * slope.scale
                                              / out.scale))
    return [[above(a - x.zero) if a >= x.zero else
             below((a - x.zero) * (b - slope.zero)) for a, b in pairs(call)]]


# -- one operand -------------------------------------------------------------

@kernel(98)
def leaky_relu(call):
    x, out = call.inputs[0], call.outputs[0]
    alpha = f32(call.option(0))
    if x.kind == F32:
        return [[a if a >= 0 else a * alpha for a in x.data]]
    above = rescaled(out, quantize_multiplier(f32(x.scale / out.scale)))
    below = rescaled(out, quantize_multiplier(
        f32(f32(x.scale * alpha) / out.scale)))
    return [[(above if a >= x.zero else below)(a - x.zero) for a in x.data]]


@kernel(19, 20, 21)
def relu(call):
    x, out = call.inputs[0], call.outputs[0]
    limits = bounds(out, {19: 1, 20: 2, 21: 3}[call.code])
    if x.kind == F32:
        return [[clamp(a, limits) for a in x.data]]
    if (x.scale, x.zero) == (out.scale, out.zero):
        return [[clamp(a, limits) for a in x.data]]
    finish = rescaled(out, quantize_multiplier(f32(x.scale / out.scale)),
                      limits)
    return [[finish(a - x.zero) for a in x.data]]


@kernel(114)
def quantize(call):
    x, out = call.inputs[0], call.outputs[0]
    if x.kind == F32:
        return [[clamp(half_away(f32(a / out.scale)) + out.zero,
                       RANGES[out.kind]) for a in x.data]]
    finish = rescaled(out, quantize_multiplier(x.scale / out.scale))
    return [[finish(a - x.zero) for a in x.data]]


@kernel(6)
def dequantize(call):
    x = call.inputs[0]
    return [[f32((a - x.zero) * x.scale) for a in x.data]]


FUNCTIONS = {
    8: math.floor, 47: math.exp, 59: lambda a: -a, 66: math.sin, 92:
    lambda a: a * a, 104: math.ceil, 108: math.cos, 101: abs,
    14: lambda a: 1 / (1 + math.exp(-a)) if a > -700 else 0.0, 28: math.tanh,
    111: lambda a: a if a >= 0 else math.expm1(a),
    117: lambda a: a * min(max(a + 3, 0), 6) / 6, 116: round,
    73: lambda a: math.log(a) if a > 0 else math.nan,
    75: lambda a: math.sqrt(a) if a >= 0 else math.nan,
    76: lambda a: 1 / math.sqrt(a) if a > 0 else math.nan,
}
NOT_EXACT = {14, 28, 111, 117, 76, 25, 50, 11, 40, 74, 101, 128, 106}


def is_exact(call):
    """False where a step or the last bit of a float may differ."""
    return call.code not in NOT_EXACT and call.outputs[0].kind != F32 and \
        (call.code, call.outputs[0].kind) != (23, U8)


def real_of(value, number):
    return (number - value.zero) * value.scale if value.is_integer else number


def number_of(value, real):
    if not value.is_integer:
        return real
    return clamp(half_away(real / value.scale) + value.zero, RANGES[value.kind])


@kernel(*FUNCTIONS)
def function(call):
    x, out = call.inputs[0], call.outputs[0]
    apply = FUNCTIONS[call.code]
    return [[number_of(out, apply(real_of(x, a))) for a in x.data]]


def rows(value):
    length = value.shape[-1]
    return [value.data[i:i + length] for i in range(0, len(value.data), length)]


@kernel(25, 50, 11)
def normalize(call):
    x, out = call.inputs[0], call.outputs[0]
    result = []
    for row in rows(x):
        real = [real_of(x, a) for a in row]
        if call.code == 11:
            total = math.sqrt(max(sum(a * a for a in real), 1e-12))
            found = [a / total for a in real]
        else:
            beta = f32(call.option(0, 1.0)) if call.code == 25 else 1.0
            top = max(real)
            total = sum(math.exp((a - top) * beta) for a in real)
            found = [math.exp((a - top) * beta) / total if call.code == 25 else
                     a - top - math.log(total) for a in real]
        result += [number_of(out, a) for a in found]
    return [result]


@kernel(53)
def cast(call):
    low, high = {I8: (-128, 127), I16: (-32768, 32767), I32: (
        -1 << 31, (1 << 31) - 1), F32: (-math.inf, math.inf)}[
            call.outputs[0].kind]
    is_float = call.outputs[0].kind == F32
    return [[float(a) if is_float else int(a) for a in call.inputs[0].data]]


# -- along axes --------------------------------------------------------------

def grouped(value, axes):
    """Elements by the index without `axes`, in order."""
    groups = {}
    for index, element in zip(indices(value.shape), value.data):
        key = tuple(i for d, i in enumerate(index) if d not in axes)
        groups.setdefault(key, []).append(element)
    return [groups[key] for key in sorted(groups)]


def axes_of(call):
    rank = len(call.inputs[0].shape)
    return {axis % rank for axis in call.ints(1)}


@kernel(40, 74)
def mean_or_sum(call):
    x, out = call.inputs[0], call.outputs[0]
    groups = grouped(x, axes_of(call))
    return [[number_of(out, sum(real_of(x, a) for a in g)
                       / (len(g) if call.code == 40 else 1)) for g in groups]]


@kernel(82, 89)
def reduce_extreme(call):
    apply = max if call.code == 82 else min
    return [[apply(g) for g in grouped(call.inputs[0], axes_of(call))]]


@kernel(56, 79)
def arg_extreme(call):
    apply = max if call.code == 56 else min
    return [[g.index(apply(g)) for g in grouped(call.inputs[0],
                                                axes_of(call))]]


@kernel(48)
def first_places(call):
    x, k = call.inputs[0], call.inputs[1].data[0]
    places = [sorted(range(len(row)), key=lambda i: (-row[i], i))[:k]
              for row in rows(x)]
    return [[row[i] for row, own in zip(rows(x), places) for i in own],
            sum(places, [])]


@kernel(158)
def sign(call):
    return [[float((a > 0) - (a < 0)) for a in call.inputs[0].data]]


@kernel(156)
def angle(call):
    return [[f32(math.atan2(y, x))
             for y, x in zip(*(v.data for v in call.inputs))]]


@kernel(81)
def product(call):
    return [[f32(math.prod(g)) for g in grouped(call.inputs[0],
                                                axes_of(call))]]


@kernel(91, 140)
def truths(call):
    apply = any if call.code == 91 else all
    return [[apply(g) for g in grouped(call.inputs[0], axes_of(call))]]


@kernel(85)
def one_hot(call):
    places, depth, on, off = call.inputs
    axis = call.option(0) % len(call.outputs[0].shape)
    return [of_shape(call.outputs[0].shape, lambda *index: (
        on if places.at(*index[:axis], *index[axis + 1:]) == index[axis]
        else off).data[0])]


@kernel(96)
def span(call):
    return [list(range(*(v.data[0] for v in call.inputs)))]


@kernel(122)
def scatter(call):
    places, updates, _ = call.inputs
    out, depth = call.outputs[0], places.shape[-1]
    found = {}
    for n in range(math.prod(places.shape[:-1])):
        at = tuple(places.data[n * depth:(n + 1) * depth])
        for rest in indices(updates.shape[1:]):
            key = at + rest
            found[key] = found.get(key, 0) + updates.at(n, *rest)
            if out.kind == F32:
                found[key] = f32(found[key])
    return [of_shape(out.shape, lambda *index: found.get(index, 0))]


@kernel(128)
def cumsum(call):
    x, out = call.inputs[0], call.outputs[0]
    axis = call.ints(1)[0] % len(x.shape)
    exclusive, reverse = call.option(0), call.option(1)

    def element(*index):
        i, extent = index[axis], x.shape[axis]
        span = range(i + bool(exclusive), extent) if reverse else \
            range(0, i + (not exclusive))
        return number_of(out, sum(real_of(x, x.at(
            *index[:axis], j, *index[axis + 1:])) for j in span))
    return [of_shape(out.shape, element)]


@kernel(106)
def add_n(call):
    out = call.outputs[0]
    return [[number_of(out, sum(real_of(v, a) for v, a in zip(call.inputs, each)))
             for each in zip(*(v.data for v in call.inputs))]]


# -- moves -------------------------------------------------------------------

@kernel(22, 43, 70)
def reshape(call):
    return [list(call.inputs[0].data)]


@kernel(2)
def concatenation(call):
    out = call.outputs[0]
    axis = call.option(0) % len(out.shape)
    places = [(v, i) for v in call.inputs for i in range(v.shape[axis])]
    limits = bounds(out, call.option(1))

    def element(*index):
        value, i = places[index[axis]]
        return clamp(value.at(*index[:axis], i, *index[axis + 1:]), limits)
    return [of_shape(out.shape, element)]


@kernel(34, 60, 100)
def pad(call):
    x, out = call.inputs[0], call.outputs[0]
    widths = call.inputs[1].data
    before = widths[::2]
    filler = x.zero if x.is_integer else 0
    if call.code == 60:
        filler = call.inputs[2].data[0]

    def element(*index):
        at = [i - b for i, b in zip(index, before)]
        if call.code == 100:
            # Mode 0 leaves the edge out, mode 1 repeats it.
            skip = 1 if call.option(0) == 0 else 0
            at = [-a - (1 - skip) if a < 0 else
                  2 * n - a - 1 - skip if a >= n else a
                  for a, n in zip(at, x.shape)]
        if all(0 <= a < n for a, n in zip(at, x.shape)):
            return x.at(*at)
        return filler
    return [of_shape(out.shape, element)]


@kernel(39)
def transpose(call):
    x = call.inputs[0]
    order = call.ints(1)

    def element(*index):
        at = [0] * len(order)
        for i, d in zip(index, order):
            at[d] = i
        return x.at(*at)
    return [of_shape(call.outputs[0].shape, element)]


@kernel(45)
def strided_slice(call):
    x = call.inputs[0]
    begin, end, step = (call.ints(i) for i in (1, 2, 3))
    masks = [call.option(i) for i in range(5)]
    spans = []
    for d, n in enumerate(x.shape):
        if d >= len(begin):
            spans.append(list(range(n)))
            continue
        s = step[d]
        low, high = (0, n) if s > 0 else (-1, n - 1)
        first = begin[d] + (n if begin[d] < 0 else 0)
        last = end[d] + (n if end[d] < 0 else 0)
        first = min(max(first, low), high if s < 0 else n)
        last = min(max(last, low), high if s < 0 else n)
        if masks[0] >> d & 1:
            first = 0 if s > 0 else n - 1
        if masks[4] >> d & 1:
            spans.append([begin[d] + (n if begin[d] < 0 else 0)])
            continue
        if masks[1] >> d & 1:
            last = n if s > 0 else -1
        spans.append(list(range(first, last, s)))
    return [[x.at(*index) for index in itertools.product(*spans)]]


@kernel(65)
def slice_of(call):
    x, begin = call.inputs[0], call.ints(1)
    return [of_shape(call.outputs[0].shape, lambda *index: x.at(*[
        i + b for i, b in zip(index, begin)]))]


@kernel(49, 102)
def split(call):
    x = call.inputs[1 if call.code == 49 else 0]
    axis = call.inputs[0 if call.code == 49 else 2].data[0] % len(x.shape)
    start, parts = 0, []
    for out in call.outputs:
        parts.append(of_shape(out.shape, lambda *index: x.at(
            *index[:axis], index[axis] + start, *index[axis + 1:])))
        start += out.shape[axis]
    return parts


@kernel(36)
def gather(call):
    x, places = call.inputs
    axis = call.option(0) % len(x.shape)
    rank = len(places.shape)

    def element(*index):
        at = places.at(*index[axis:axis + rank])
        return x.at(*index[:axis], at, *index[axis + rank:])
    return [of_shape(call.outputs[0].shape, element)]


@kernel(83)
def pack(call):
    out = call.outputs[0]
    axis = call.option(1) % len(out.shape)
    return [of_shape(out.shape, lambda *index: call.inputs[index[axis]].at(
        *index[:axis], *index[axis + 1:]))]


@kernel(88)
def unpack(call):
    x = call.inputs[0]
    axis = call.option(1) % len(x.shape)
    return [of_shape(out.shape, lambda *index: x.at(
        *index[:axis], i, *index[axis:]))
            for i, out in enumerate(call.outputs)]


@kernel(69)
def tile(call):
    x = call.inputs[0]
    return [of_shape(call.outputs[0].shape, lambda *index: x.at(*[
        i % n for i, n in zip(index, x.shape)]))]


@kernel(105)
def reverse(call):
    x, axes = call.inputs[0], axes_of(call)
    return [of_shape(x.shape, lambda *index: x.at(*[
        n - 1 - i if d in axes else i
        for d, (i, n) in enumerate(zip(index, x.shape))]))]


@kernel(26, 5)
def space_to_depth(call):
    x, out, block = call.inputs[0], call.outputs[0], call.option(0)
    depth = (x if call.code == 26 else out).shape[3]

    def to_depth(n, row, column, c):
        part, channel = divmod(c, depth)
        return x.at(n, row * block + part // block,
                    column * block + part % block, channel)

    def to_space(n, row, column, c):
        part = row % block * block + column % block
        return x.at(n, row // block, column // block, part * depth + c)
    return [of_shape(out.shape, to_depth if call.code == 26 else to_space)]


@kernel(38)
def space_to_batch(call):
    x, out = call.inputs[0], call.outputs[0]
    block, pads = call.ints(1), call.ints(2)

    def element(n, *rest):
        part, batch = divmod(n, x.shape[0])
        offsets = [part // block[1], part % block[1]]
        at = [i * b + o - p for i, b, o, p in zip(rest, block, offsets,
                                                  pads[::2])]
        if all(0 <= a < m for a, m in zip(at, x.shape[1:3])):
            return x.at(batch, *at, rest[2])
        return x.zero if x.is_integer else 0
    return [of_shape(out.shape, element)]


@kernel(37)
def batch_to_space(call):
    x, out = call.inputs[0], call.outputs[0]
    block, crops = call.ints(1), call.ints(2)

    def element(n, row, column, c):
        row, column = row + crops[0], column + crops[2]
        part = row % block[0] * block[1] + column % block[1]
        return x.at(part * out.shape[0] + n, row // block[0],
                    column // block[1], c)
    return [of_shape(out.shape, element)]


@kernel(97)
def resize_nearest(call):
    x, out = call.inputs[0], call.outputs[0]
    aligned, half = call.option(0), call.option(1)

    def source(i, before, after):
        factor = f32((before - 1) / (after - 1)) if aligned and after > 1 else \
            f32(before / after)
        at = f32(f32(i + (0.5 if half else 0)) * factor)
        at = half_away(at) if aligned else math.floor(at)
        return max(min(at, before - 1), 0)
    return [of_shape(out.shape, lambda n, row, column, c: x.at(
        n, source(row, x.shape[1], out.shape[1]),
        source(column, x.shape[2], out.shape[2]), c))]


@kernel(23)
def resize_bilinear(call):
    x, out = call.inputs[0], call.outputs[0]
    aligned, half = call.option(2), call.option(3)
    is_fixed = x.kind == I8
    one = 1 << 10 if is_fixed else 1.0

    def source(i, before, after):
        """Both neighbours, and how much of the second."""
        if is_fixed:
            factor = (one * before + after // 2) // after
            if aligned and after > 1:
                factor = (one * (before - 1) + (after - 1) // 2) // (after - 1)
            at = i * factor + (factor // 2 - one // 2 if half else 0)
            low = max(divide(at, one), 0)
            high = min(divide(at + one - 1, one), before - 1)
            return low, high, at - one * low
        factor = (before - 1) / (after - 1) if aligned and after > 1 else \
            before / after
        at = (i + 0.5) * factor - 0.5 if half else i * factor
        low = max(math.floor(at), 0)
        high = min(math.ceil(at), before - 1)
        return min(low, before - 1), high, at - low

    def element(n, row, column, c):
        top, bottom, v = source(row, x.shape[1], out.shape[1])
        left, right, h = source(column, x.shape[2], out.shape[2])
        total = (x.at(n, top, left, c) * (one - v) * (one - h)
                 + x.at(n, bottom, left, c) * v * (one - h)
                 + x.at(n, top, right, c) * (one - v) * h
                 + x.at(n, bottom, right, c) * v * h)
        if x.kind == U8:
            return math.floor(total + 0.5)
        if not is_fixed:
            return total
        return divide(total + (1 << 19 if total > 0 else -(1 << 19)), 1 << 20)
    return [of_shape(out.shape, element)]


# -- control flow ------------------------------------------------------------

def call_graph(call, number, inputs):
    graph = call.graph.model.graphs[number]
    values = run_graph(graph, [value.data for value in inputs])
    return [values[i] for i in graph.outputs]


@kernel(118)
def if_of(call):
    taken = call.option(0) if call.inputs[0].data[0] else call.option(1)
    return [v.data for v in call_graph(call, taken, call.inputs[1:])]


@kernel(119)
def while_of(call):
    values = call.inputs
    while call_graph(call, call.option(0), values)[0].data[0]:
        values = call_graph(call, call.option(1), values)
    return [v.data for v in values]
