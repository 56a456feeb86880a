#!/usr/bin/env python3
"""Writes the example networks: int8 TOSA with control flow, seeded weights.

    examples/generate.py            writes examples/*.mlir and small/*.mlir
    examples/generate.py --check    compares instead; exit code 1 on difference
    examples/generate.py --list     prints the sizes of the networks

The same bytes come out on every machine: the weights are taken from SHAKE-128
of "<network>/<parameter>", and nothing else is random. Their distribution is
bell-shaped around zero, and every scale is chosen from the variance that this
gives, so that activations neither saturate nor vanish.

Two kinds of arithmetic occur. "shift" is LUNA's own: zero points 0, scales that
are powers of two, SINGLE_ROUND, ReLU as a clamp. "multiplier" is what
TensorFlow Lite leaves: zero points, a 32-bit multiplier and shift per channel,
DOUBLE_ROUND.
"""

import hashlib
import math
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# 256 quantiles of a normal distribution, standard deviation 40.
BELL = [max(-127, min(127, round(
    statistics.NormalDist(0, 40).inv_cdf((b + 0.5) / 256)))) for b in range(256)]
BELL_RMS = math.sqrt(sum(w * w for w in BELL) / 256)
LINEAR_RMS = 45.0  # wanted spread of a result without ReLU


class Value:
    """An SSA value: name, shape, zero point, mean square of (q - zero)."""

    def __init__(self, name, shape, element="i8", zero=0, mean_square=0.0):
        self.name = name
        self.shape = tuple(shape)
        self.element = element
        self.zero = zero
        self.mean_square = mean_square

    @property
    def type(self):
        dims = "".join(f"{d}x" for d in self.shape)
        return f"tensor<{dims}{self.element}>"


class Net:
    """Writes one function, operation by operation."""

    def __init__(self, name, arithmetic, about):
        self.name = name
        self.arithmetic = arithmetic
        self.lines = [f"// {line}".rstrip() for line in about.splitlines()]
        self.lines.append("// Written by examples/generate.py; do not edit.")
        self.indent = 0
        self.depth = 0  # of control flow
        self.head = 0  # line at which shared constants go in
        self.shared = {}
        self.places = []  # lines to be filled in when their `if` is complete
        self.used = {}
        self.inputs = []
        self.weight_bytes = self.multiply_adds = 0
        self.scope = ""  # of SSA names
        self.place = ""  # of location names

    # Text.

    def emit(self, text):
        """Adds a line. The operations of one layer share a name in their
        locations, which plans and reports show."""
        result = re.match(r"%(\w+) = tosa\.(?!const)", text)
        if result and not text.endswith("{"):
            name = result.group(1).removeprefix(self.scope)
            name = re.sub(r"(_(acc|relu|lhs|rhs|sum|prod|score|flag))+$", "",
                          name)
            text += f' loc("{self.place}{name}"("{self.name}.mlir":@LINE@:1))'
        self.lines.append("  " * self.indent + text)

    def comment(self, text):
        self.emit(f"// {text}")

    def fresh(self, name):
        name = self.scope + name
        count = self.used.get(name, 0)
        self.used[name] = count + 1
        return f"%{name}_{count}" if count else f"%{name}"

    def text(self):
        return "".join(line.replace("@LINE@", str(number)) + "\n"
                       for number, line in enumerate(self.lines, 1))

    def begin(self, arguments, results, function="main"):
        listed = ", ".join(f"{a.name}: {a.type}" for a in arguments)
        types = ", ".join(results)
        if len(results) > 1:
            types = f"({types})"
        self.inputs = self.inputs or arguments
        self.emit(f"func.func @{function}({listed}) -> {types} {{")
        self.indent += 1
        self.head = len(self.lines)

    def end(self, results):
        names = ", ".join(r.name for r in results)
        types = ", ".join(r.type for r in results)
        self.emit(f"return {names} : {types}")
        self.indent -= 1
        self.emit("}")

    # Constants.

    def bytes_of(self, parameter, count):
        key = f"{self.name}/{parameter}".encode()
        return hashlib.shake_128(key).digest(count)

    def const(self, name, shape, element, values):
        """A constant; `values` is one integer or a list of them."""
        result = Value(self.fresh(name), shape, element)
        width = {"i8": 1, "i32": 4}[element]
        if isinstance(values, list) and len(set(values)) == 1:
            values = values[0]
        if isinstance(values, list):
            data = b"".join(v.to_bytes(width, "little", signed=True)
                            for v in values)
            text = f'"0x{data.hex().upper()}"'
        else:
            text = str(values)
        self.emit(f'{result.name} = "tosa.const"() <{{values = dense<{text}> : '
                  f"{result.type}}}> : () -> {result.type}")
        return result

    def scalar(self, element, value):
        """A constant of one element, written once at the head of the function."""
        kind = {1 << 30: "half"}.get(value, str(value).replace("-", "m"))
        key = f"%c{kind}_{element}"
        if key not in self.shared:
            result = Value(key, (1,), element)
            self.shared[key] = result
            self.lines.insert(
                self.head, f'  {key} = "tosa.const"() <{{values = dense<{value}>'
                f" : {result.type}}}> : () -> {result.type}")
            self.head += 1
            self.places = [p + 1 for p in self.places]
        return self.shared[key]

    def shape_const(self, name, values):
        result = self.fresh(name)
        n = len(values)
        listed = ", ".join(str(v) for v in values)
        self.emit(f"{result} = tosa.const_shape {{values = dense<[{listed}]> : "
                  f"tensor<{n}xindex>}} : () -> !tosa.shape<{n}>")
        return result, f"!tosa.shape<{n}>"

    def weights(self, name, shape):
        count = math.prod(shape)
        return self.const(name, shape, "i8",
                          [BELL[b] for b in self.bytes_of(name, count)])

    def biases(self, name, count, spread):
        unit = spread / BELL_RMS
        return self.const(name, (count,), "i32", [
            round(BELL[b] * unit) for b in self.bytes_of(name, count)])

    # Scales.

    def rescale(self, name, x, element, in_zero, out_zero, scales, double):
        """tosa.rescale by `scales`: (multiplier, shift) pairs, one or one per
        channel."""
        per_channel = len(scales) > 1
        n = len(scales)
        if per_channel:
            m = self.const(name + "_mult", (n,), "i32", [m for m, _ in scales])
            s = self.const(name + "_shift", (n,), "i8", [s for _, s in scales])
        else:
            m = self.scalar("i32", scales[0][0])
            s = self.scalar("i8", scales[0][1])
        zi = self.scalar(x.element, in_zero)
        zo = self.scalar(element, out_zero)
        result = Value(self.fresh(name), x.shape, element, out_zero)
        rounding = "DOUBLE_ROUND" if double else "SINGLE_ROUND"
        flag = "true" if per_channel else "false"
        self.emit(
            f"{result.name} = tosa.rescale {x.name}, {m.name}, {s.name}, "
            f"{zi.name}, {zo.name} {{scale32 = true, rounding_mode = "
            f"{rounding}, per_channel = {flag}, input_unsigned = false, "
            f"output_unsigned = false}} : ({x.type}, {m.type}, {s.type}, "
            f"{zi.type}, {zo.type}) -> {result.type}")
        return result

    def requantise(self, name, acc, acc_rms, relu, per_channel=None,
                   wanted=None):
        """32-bit sums to int8 with a spread that fills the range."""
        if per_channel is None:
            per_channel = self.arithmetic == "multiplier"
        if self.arithmetic == "shift" and not per_channel:
            return self.requantise_shift(name, acc, acc_rms, relu, wanted)
        spread = wanted or (75.0 if relu else LINEAR_RMS)
        scale = spread / acc_rms
        channels = acc.shape[-1]
        scales = [multiplier_and_shift(scale * (0.7 + 0.6 * b / 255))
                  for b in self.bytes_of(name + "_scales", channels)]
        zero = -128 if relu else self.bytes_of(name + "_zero", 1)[0] % 17 - 8
        if self.arithmetic == "shift":
            zero = 0
        result = self.rescale(name, acc, "i8", 0, zero, scales, True)
        result.mean_square = spread ** 2 * (0.45 if relu else 0.95)
        return result

    def requantise_shift(self, name, acc, acc_rms, relu, wanted):
        spread = wanted or (55.0 if relu else LINEAR_RMS)
        shift = max(0, round(math.log2(acc_rms / spread)))
        result = self.rescale(name, acc, "i8", 0, 0, [(1 << 30, 30 + shift)],
                              False)
        real = acc_rms * 2.0 ** -shift
        result.mean_square = real ** 2 * 0.9
        return self.relu(name + "_relu", result) if relu else result

    def relu(self, name, x):
        result = Value(self.fresh(name), x.shape, "i8", 0, x.mean_square / 2)
        self.emit(f"{result.name} = tosa.clamp {x.name} {{min_val = 0 : i8, "
                  f"max_val = 127 : i8}} : ({x.type}) -> {result.type}")
        return result

    # Operators.

    def conv(self, name, x, channels, kernel, stride=1, relu=True, valid=False,
             per_channel=None, depthwise=False, wanted=None):
        kh, kw = pair(kernel)
        sh, sw = pair(stride)
        _, h, w, c = x.shape
        pad_y, oh = (("0, 0", (h - kh) // sh + 1) if valid else
                     same_padding(h, kh, sh))
        pad_x, ow = (("0, 0", (w - kw) // sw + 1) if valid else
                     same_padding(w, kw, sw))
        if depthwise:
            op, depth, shape = "depthwise_conv2d", kh * kw, (kh, kw, c, 1)
            channels = c
        else:
            op, depth, shape = "conv2d", kh * kw * c, (channels, kh, kw, c)
        acc_rms = math.sqrt(depth * x.mean_square) * BELL_RMS
        weight = self.weights(name + "_w", shape)
        self.weight_bytes += math.prod(shape)
        self.multiply_adds += oh * ow * channels * depth
        bias = self.biases(name + "_b", channels, acc_rms * 0.12)
        zi = self.scalar("i8", x.zero)
        zw = self.scalar("i8", 0)
        acc = Value(self.fresh(name + "_acc"), (1, oh, ow, channels), "i32")
        self.emit(
            f"{acc.name} = tosa.{op} {x.name}, {weight.name}, {bias.name}, "
            f"{zi.name}, {zw.name} {{acc_type = i32, pad = array<i64: {pad_y}, "
            f"{pad_x}>, stride = array<i64: {sh}, {sw}>, dilation = "
            f"array<i64: 1, 1>}} : ({x.type}, {weight.type}, {bias.type}, "
            f"{zi.type}, {zw.type}) -> {acc.type}")
        return self.requantise(name, acc, acc_rms, relu, per_channel, wanted)

    def depthwise(self, name, x, kernel=3, stride=1, relu=True):
        return self.conv(name, x, 0, kernel, stride, relu, depthwise=True)

    def dense(self, name, x, channels, relu=False, **options):
        """Fully connected, as a 1x1 convolution of a 1x1 image."""
        flat = self.reshape(name + "_in", x, (1, 1, 1, math.prod(x.shape)))
        return self.conv(name, flat, channels, 1, relu=relu, **options)

    def widen(self, name, x):
        """int8 to the 32-bit form in which TOSA adds and multiplies."""
        if self.arithmetic == "shift":
            return self.rescale(name, x, "i32", x.zero, 0, [(1 << 30, 30)],
                                False)
        return self.rescale(name, x, "i32", x.zero, 0, [(1 << 30, 12)], True)

    def add(self, name, a, b, relu=False):
        wide_a = self.widen(name + "_lhs", a)
        wide_b = self.widen(name + "_rhs", b)
        total = Value(self.fresh(name + "_sum"), a.shape, "i32")
        self.emit(f"{total.name} = tosa.add {wide_a.name}, {wide_b.name} : "
                  f"({wide_a.type}, {wide_b.type}) -> {total.type}")
        rms = math.sqrt(a.mean_square + b.mean_square)
        if self.arithmetic == "shift":
            result = self.requantise_shift(name, total, rms, relu, None)
            # The shortcut's mean is not zero: more than half remains.
            result.mean_square *= 1.6 if relu else 1.0
            return result
        spread = 60.0 if relu else LINEAR_RMS
        scale = multiplier_and_shift(spread / (rms * 2 ** 18))
        zero = -128 if relu else 3
        result = self.rescale(name, total, "i8", 0, zero, [scale], True)
        result.mean_square = spread ** 2 * (0.75 if relu else 0.95)
        return result

    def mul(self, name, a, b):
        """a * b / 128: the product with a gate."""
        wide_a = self.rescale(name + "_lhs", a, "i32", a.zero, 0,
                              [(1 << 30, 30)], False)
        wide_b = self.rescale(name + "_rhs", b, "i32", b.zero, 0,
                              [(1 << 30, 30)], False)
        none = self.scalar("i8", 0)
        product = Value(self.fresh(name + "_prod"), a.shape, "i32")
        self.emit(f"{product.name} = tosa.mul {wide_a.name}, {wide_b.name}, "
                  f"{none.name} : ({wide_a.type}, {wide_b.type}, {none.type}) "
                  f"-> {product.type}")
        result = self.rescale(name, product, "i8", 0, 0, [(1 << 30, 37)], False)
        result.mean_square = a.mean_square * b.mean_square / 128 ** 2
        return result

    def table(self, name, x, entries, mean_square):
        values = self.const(name + "_tab", (256,), "i8", entries)
        result = Value(self.fresh(name), x.shape, "i8", 0, mean_square)
        self.emit(f"{result.name} = tosa.table {x.name}, {values.name} : "
                  f"({x.type}, {values.type}) -> {result.type}")
        return result

    def sigmoid(self, name, x):
        return self.table(name, x, SIGMOID, 80.0 ** 2)

    def max_pool(self, name, x, size=2):
        _, h, w, c = x.shape
        result = Value(self.fresh(name), (1, h // size, w // size, c), "i8",
                       x.zero, x.mean_square * 2.2)
        self.emit(f"{result.name} = tosa.max_pool2d {x.name} {{kernel = "
                  f"array<i64: {size}, {size}>, pad = array<i64: 0, 0, 0, 0>, "
                  f"stride = array<i64: {size}, {size}>}} : ({x.type}) -> "
                  f"{result.type}")
        return result

    def average_pool(self, name, x, size):
        kh, kw = pair(size)
        _, h, w, c = x.shape
        zi = self.scalar("i8", x.zero)
        zo = self.scalar("i8", x.zero)
        # The mean of a ReLU's output stays, its spread shrinks.
        result = Value(self.fresh(name), (1, h // kh, w // kw, c), "i8",
                       x.zero, x.mean_square * 0.65)
        self.emit(
            f"{result.name} = tosa.avg_pool2d {x.name}, {zi.name}, {zo.name} "
            f"{{acc_type = i32, kernel = array<i64: {kh}, {kw}>, pad = "
            f"array<i64: 0, 0, 0, 0>, stride = array<i64: {kh}, {kw}>}} : "
            f"({x.type}, {zi.type}, {zo.type}) -> {result.type}")
        return result

    def reshape(self, name, x, shape):
        if tuple(shape) == x.shape:
            return x
        to, to_type = self.shape_const(name + "_to", shape)
        result = Value(self.fresh(name), shape, x.element, x.zero,
                       x.mean_square)
        self.emit(f"{result.name} = tosa.reshape {x.name}, {to} : ({x.type}, "
                  f"{to_type}) -> {result.type}")
        return result

    def slice(self, name, x, start, size):
        at, at_type = self.shape_const(name + "_at", start)
        of, of_type = self.shape_const(name + "_of", size)
        result = Value(self.fresh(name), size, "i8", x.zero, x.mean_square)
        self.emit(f"{result.name} = tosa.slice {x.name}, {at}, {of} : "
                  f"({x.type}, {at_type}, {of_type}) -> {result.type}")
        return result

    def pad(self, name, x, after):
        """Pads behind each dimension with the zero point."""
        amounts = [v for n in after for v in (0, n)]
        by, by_type = self.shape_const(name + "_by", amounts)
        zero = self.scalar("i8", x.zero)
        shape = [d + n for d, n in zip(x.shape, after)]
        result = Value(self.fresh(name), shape, "i8", x.zero, x.mean_square)
        self.emit(f"{result.name} = tosa.pad {x.name}, {by}, {zero.name} : "
                  f"({x.type}, {by_type}, {zero.type}) -> {result.type}")
        return result

    def concat(self, name, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(p.shape[axis] for p in parts)
        mean_square = sum(p.mean_square * math.prod(p.shape) for p in parts)
        result = Value(self.fresh(name), shape, "i8", parts[0].zero,
                       mean_square / math.prod(shape))
        names = ", ".join(p.name for p in parts)
        types = ", ".join(p.type for p in parts)
        self.emit(f"{result.name} = tosa.concat {names} {{axis = {axis} : i32}}"
                  f" : ({types}) -> {result.type}")
        return result

    def upsample(self, name, x):
        """Nearest neighbour, twice the rows and columns."""
        scale, scale_type = self.shape_const(name + "_scale", [4, 2, 4, 2])
        offset, offset_type = self.shape_const(name + "_offset", [0, 0])
        border, border_type = self.shape_const(name + "_border", [2, 2])
        _, h, w, c = x.shape
        result = Value(self.fresh(name), (1, 2 * h, 2 * w, c), "i8", x.zero,
                       x.mean_square)
        self.emit(f"{result.name} = tosa.resize {x.name}, {scale}, {offset}, "
                  f"{border} {{mode = NEAREST_NEIGHBOR}} : ({x.type}, "
                  f"{scale_type}, {offset_type}, {border_type}) -> "
                  f"{result.type}")
        return result

    def greater(self, name, x, threshold):
        """x > threshold as tensor<i1>, for a value of one element."""
        ones = (1,) * len(x.shape)
        wide = Value(self.fresh(name + "_score"), ones, "i32")
        self.emit(f"{wide.name} = tosa.cast {x.name} : ({x.type}) -> "
                  f"{wide.type}")
        limit = self.const(name + "_limit", ones, "i32", threshold)
        flag = Value(self.fresh(name + "_flag"), ones, "i1")
        self.emit(f"{flag.name} = tosa.greater {wide.name}, {limit.name} : "
                  f"({wide.type}, {limit.type}) -> {flag.type}")
        return self.reshape(name, flag, ())

    # Control flow.

    def cond_if(self, name, condition, then, other):
        """then() and other() emit a branch and give the list it yields.

        An `if` within an `if` is written as scf.if: tosa-to-scf of MLIR 22
        converts no tosa.cond_if within another.
        """
        is_inner = self.depth > 0
        yield_op = "scf.yield" if is_inner else "tosa.yield"
        if is_inner:
            flag = self.fresh(name + "_taken")
            self.emit(f"{flag} = tensor.extract {condition.name}[] : "
                      f"{condition.type}")
        self.places.append(len(self.lines))
        self.emit("")
        scope, place = self.scope, self.place
        labels = {"then": then.__name__, "else": other.__name__}
        if "<lambda>" in labels.values():
            labels = {"then": "then", "else": "else"}
        self.depth += 1
        yielded = []
        for branch, suffix in ((then, "then"), (other, "else")):
            if suffix == "else":
                self.emit("} else {")
            self.indent += 1
            self.scope = f"{scope}{name}_{suffix}_"
            self.place = f"{place}{labels[suffix]}."
            yielded.append(branch())
            names = ", ".join(v.name for v in yielded[-1])
            types = ", ".join(v.type for v in yielded[-1])
            self.emit(f"{yield_op} {names} : {types}")
            self.indent -= 1
        self.emit("}")
        self.depth -= 1
        self.scope, self.place = scope, place
        result = self.fresh(name)
        count = len(yielded[0])
        results = [Value(f"{result}#{i}" if count > 1 else result, v.shape,
                         v.element, v.zero, max(v.mean_square, w.mean_square))
                   for i, (v, w) in enumerate(zip(*yielded))]
        types = ", ".join(r.type for r in results)
        types = f"({types})" if count > 1 or is_inner else types
        heads = f"{result}:{count}" if count > 1 else result
        test = (f"scf.if {flag}" if is_inner else
                f"tosa.cond_if {condition.name} : {condition.type}")
        self.lines[self.places.pop()] = (
            "  " * self.indent + f"{heads} = {test} -> {types} {{")
        return results if count > 1 else results[0]


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


def same_padding(extent, kernel, stride):
    out = -(-extent // stride)
    total = max(0, (out - 1) * stride + kernel - extent)
    return f"{total // 2}, {total - total // 2}", out


def multiplier_and_shift(scale):
    fraction, exponent = math.frexp(scale)
    multiplier = round(fraction * 2 ** 31)
    if multiplier == 2 ** 31:
        multiplier, exponent = 2 ** 30, exponent + 1
    return multiplier, 31 - exponent


SIGMOID = [round(127 / (1 + math.exp(-x / 24))) for x in range(-128, 128)]
ONE_MINUS_SIGMOID = [127 - v for v in SIGMOID]
TANH = [round(127 * math.tanh(x / 48)) for x in range(-128, 128)]


def image(name, height, width, zero=0):
    return Value(name, (1, height, width, 3), "i8", zero,
                 74.0 ** 2 + (zero and 128.0 ** 2))


# Blocks that several networks use.

def blaze_block(net, name, x, channels, stride=1):
    """Depthwise 3x3, pointwise, and a shortcut that is pooled and padded."""
    y = net.depthwise(name + "_dw", x, 3, stride, relu=False)
    y = net.conv(name + "_pw", y, channels, 1, relu=False)
    if stride == 2:
        x = net.max_pool(name + "_pool", x)
    if channels > x.shape[3]:
        x = net.pad(name + "_pad", x, (0, 0, 0, channels - x.shape[3]))
    return net.add(name, x, y, relu=True)


def inverted_residual(net, name, x, expanded, channels, stride=1):
    """Pointwise up, depthwise 3x3, pointwise down; a sum where shapes allow."""
    y = net.conv(name + "_up", x, expanded, 1)
    y = net.depthwise(name + "_dw", y, 3, stride)
    y = net.conv(name + "_down", y, channels, 1, relu=False)
    return net.add(name, x, y) if y.shape == x.shape else y


def separable(net, name, x, channels, stride=1):
    y = net.depthwise(name + "_dw", x, 3, stride)
    return net.conv(name + "_pw", y, channels, 1)


def gru(net, name, x, state):
    """One step of a gated recurrent unit; gives the new state."""
    units = state.shape[3]
    both = net.concat(name + "_xh", [x, state], 3)
    logits = net.dense(name + "_z", both, units)
    update = net.sigmoid(name + "_update", logits)
    keep = net.table(name + "_keep", logits, ONE_MINUS_SIGMOID, 80.0 ** 2)
    reset = net.sigmoid(name + "_reset", net.dense(name + "_r", both, units))
    old = net.mul(name + "_old", reset, state)
    joined = net.concat(name + "_xr", [x, old], 3)
    fresh = net.table(name + "_cand", net.dense(name + "_c", joined, units),
                      TANH, 85.0 ** 2)
    kept = net.mul(name + "_kept", keep, state)
    new = net.mul(name + "_new", update, fresh)
    result = net.add(name, kept, new)
    result.mean_square = 45.0 ** 2
    return result


# The five networks.

def fusion_detect():
    net = Net("fusion_detect", "shift", """\
Two detectors under one `if`: faces in the middle of the image, or bodies in
all of it. They share the input and differ in size. LUNA's own arithmetic: every
scale is a power of two, so the unit requantises by itself. The body detector
starts with a 7x7 kernel, and several of its inputs exceed the unit's buffer.
  frame  1x96x128x3   the image
  faces  1            true: look for faces
  result 1x3600       scores and boxes, padded with zeros""")
    frame = image("%frame", 96, 128)
    faces = Value("%faces", (1,), "i1")
    net.begin([frame, faces], ["tensor<1x3600xi8>"])
    flag = net.reshape("look_for_faces", faces, ())

    def face():
        x = net.slice("crop", frame, (0, 0, 16, 0), (1, 96, 96, 3))
        x = net.conv("stem", x, 24, 5, 2)
        for i, (channels, stride) in enumerate(
                [(24, 1), (28, 1), (32, 2), (36, 1), (42, 1), (48, 2), (56, 1),
                 (64, 1), (72, 1), (80, 1), (88, 1)]):
            x = blaze_block(net, f"b{i}", x, channels, stride)
        coarse = blaze_block(net, "b11", x, 96, 2)
        coarse = blaze_block(net, "b12", coarse, 96)
        near = net.conv("near", x, 10, 1, relu=False)
        far = net.conv("far", coarse, 30, 1, relu=False)
        boxes = net.concat("boxes", [net.reshape("near_flat", near, (1, 1440)),
                                     net.reshape("far_flat", far, (1, 1080))],
                           1)
        return [net.pad("padded", boxes, (0, 1080))]

    def body():
        x = net.conv("stem", frame, 16, 7, 2)
        x = inverted_residual(net, "r0", x, 48, 24, 2)
        x = inverted_residual(net, "r1", x, 72, 24)
        x = inverted_residual(net, "r2", x, 72, 32, 2)
        x = inverted_residual(net, "r3", x, 128, 32)
        fine = inverted_residual(net, "r4", x, 128, 32)
        x = inverted_residual(net, "r5", fine, 128, 64, 2)
        x = inverted_residual(net, "r6", x, 192, 64)
        x = inverted_residual(net, "r7", x, 160, 64)
        top = net.conv("top", x, 48, 1)
        lateral = net.conv("lateral", fine, 48, 1, relu=False)
        merged = net.add("merged", lateral, net.upsample("up", top), relu=True)
        merged = net.conv("smooth", merged, 48, 3)
        near = net.conv("near", merged, 15, 1, relu=False)
        far = net.conv("far", top, 15, 1, relu=False)
        return [net.concat("boxes",
                           [net.reshape("near_flat", near, (1, 2880)),
                            net.reshape("far_flat", far, (1, 720))], 1)]

    net.end([net.cond_if("detect", flag, face, body)])
    return net


def wake_word():
    net = Net("wake_word", "shift", """\
A wake-word net: a cheap gate decides whether the large classifier runs or a
tiny one; the two branches are far apart in size. The stem's kernel (10x4) is
larger than the unit's. LUNA's own arithmetic.
  audio  1x98x40x1    98 frames of 40 log-mel bands
  result 1x12         scores of the words""")
    audio = Value("%audio", (1, 98, 40, 1), "i8", 0, 74.0 ** 2)
    net.begin([audio], ["tensor<1x12xi8>"])
    stem = net.conv("stem", audio, 32, (10, 4), 2)
    gate = net.conv("gate", stem, 8, 3, 2)
    score = net.dense("score", gate, 1)
    loud = net.greater("loud", score, WAKE_THRESHOLD)

    def large():
        x = separable(net, "s0", stem, 64)
        x = separable(net, "s1", x, 64)
        x = separable(net, "s2", x, 96, 2)
        x = separable(net, "s3", x, 96)
        x = separable(net, "s4", x, 96)
        x = net.conv("mix", x, 48, 3)
        x = net.max_pool("pool", x, 5)
        return [net.reshape("words", net.dense("fc", x, 12), (1, 12))]

    def small():
        x = net.max_pool("pool", gate, 5)
        return [net.reshape("words", net.dense("fc", x, 12), (1, 12))]

    net.end([net.cond_if("classify", loud, large, small)])
    return net


def noise_reduction():
    net = Net("noise_reduction", "shift", """\
Noise reduction with a recurrent part. The two states come in as arguments and
go out as results. An `if` on voice activity runs the second recurrent unit and
the decoder only where there is a voice; inside, a second `if` picks a strong or
a light filter. Without a voice the second state is passed on as it is.
  frames 1x32x128x2   32 frames of 128 complex bands
  state1, state2      1x1x1x64, the recurrent states
  results             the filtered frames, the two new states""")
    frames = Value("%frames", (1, 32, 128, 2), "i8", 0, 74.0 ** 2)
    state1 = Value("%state1", (1, 1, 1, 64), "i8", 0, 45.0 ** 2)
    state2 = Value("%state2", (1, 1, 1, 64), "i8", 0, 45.0 ** 2)
    net.begin([frames, state1, state2],
              [frames.type, state1.type, state2.type])
    enc1 = net.conv("enc1", frames, 16, (3, 5), (1, 2))
    enc2 = net.conv("enc2", enc1, 32, 3, (1, 2))
    enc3 = net.conv("enc3", enc2, 48, 3, (1, 2))
    summary = net.average_pool("summary", enc3, (16, 4))
    features = net.dense("features", summary, 64, relu=True)
    new1 = gru(net, "gru1", features, state1)
    voice = net.greater("voice", net.dense("vad", new1, 1), VOICE_THRESHOLD)

    def speech():
        new2 = gru(net, "gru2", new1, state2)
        gain = net.sigmoid("gain", net.dense("gain_fc", new2, 48))
        x = net.mul("scaled", enc3, gain)
        x.mean_square = enc3.mean_square / 4
        x = net.conv("dec3", x, 64, 1, relu=False)
        x = net.reshape("dec3_wide", x, (1, 32, 32, 32))
        x = net.add("skip2", x, enc2, relu=True)
        x = net.conv("dec2", x, 32, 3, relu=False)
        x = net.reshape("dec2_wide", x, (1, 32, 64, 16))
        x = net.add("skip1", x, enc1, relu=True)
        loud = net.greater("loud", net.dense("level", new2, 1), LOUD_THRESHOLD)

        def strong():
            y = inverted_residual(net, "f0", x, 32, 16)
            y = inverted_residual(net, "f1", y, 32, 16)
            return [net.conv("out", y, 4, 3, relu=False)]

        def light():
            return [net.conv("out", x, 4, 1, relu=False)]

        logits = net.cond_if("filter", loud, strong, light)
        logits = net.reshape("logits", logits, (1, 32, 128, 2))
        return [net.sigmoid("mask", logits), new2]

    def silence():
        floor = [max(8, v // 8) for v in SIGMOID]
        return [net.table("floor", frames, floor, 12.0 ** 2), state2]

    mask, new2 = net.cond_if("enhance", voice, speech, silence)
    net.end([net.mul("filtered", frames, mask), new1, new2])
    return net


def face_align():
    net = Net("face_align", "shift", """\
Facial landmarks, a straight line: inverted residuals, three scales joined, one
fully connected layer. Many weights for its work, so most of them can hide
during the computation. LUNA's own arithmetic.
  face   1x96x96x3
  result 1x136        68 points""")
    face = image("%face", 96, 96)
    net.begin([face], ["tensor<1x136xi8>"])
    x = net.conv("stem", face, 32, 3, 2)
    x = separable(net, "s0", x, 32)
    x = inverted_residual(net, "r0", x, 64, 32, 2)
    x = inverted_residual(net, "r1", x, 96, 32)
    x = inverted_residual(net, "r2", x, 96, 48, 2)
    x = inverted_residual(net, "r3", x, 144, 48)
    x = inverted_residual(net, "r4", x, 144, 64, 2)
    scale1 = net.average_pool("scale1", x, 6)
    x = net.conv("scale2", x, 48, 3, 2)
    scale2 = net.average_pool("scale2_mean", x, 3)
    scale3 = net.conv("scale3", x, 72, 3, valid=True)
    joined = net.concat("joined", [scale1, scale2, scale3], 3)
    net.end([net.reshape("points", net.dense("fc", joined, 136), (1, 136))])
    return net


def face_detect():
    net = Net("face_detect", "multiplier", """\
A face detector, a straight line, quantised as TensorFlow Lite does: zero points
and a 32-bit multiplier and shift per channel, DOUBLE_ROUND. A unit that only
shifts leaves 32-bit results in a scratch buffer for the host core.
  frame  1x112x112x3
  result 1x1960       scores and boxes""")
    frame = image("%frame", 112, 112, -128)
    net.begin([frame], ["tensor<1x1960xi8>"])
    x = net.conv("stem", frame, 16, 5, 2)
    for i, (channels, stride) in enumerate(
            [(16, 1), (24, 1), (32, 2), (32, 1), (40, 1), (48, 2), (56, 1),
             (64, 1), (72, 1)]):
        x = blaze_block(net, f"b{i}", x, channels, stride)
    coarse = blaze_block(net, "b9", x, 80, 2)
    coarse = blaze_block(net, "b10", coarse, 80)
    near = net.conv("near", x, 5, 1, relu=False)
    far = net.conv("far", coarse, 20, 1, relu=False)
    scale = near.zero
    near = net.reshape("near_flat", near, (1, 980))
    far = net.reshape("far_flat", far, (1, 980))
    far.zero = scale
    net.end([net.concat("boxes", [near, far], 1)])
    return net


# Thresholds near the middle of the scores that random inputs give.
WAKE_THRESHOLD = -8
VOICE_THRESHOLD = -40
LOUD_THRESHOLD = 60


# Small siblings for tests: one form of control flow each.

def small_input(name="%x", shape=(1, 8, 8, 8)):
    return Value(name, shape, "i8", 0, 74.0 ** 2)


def small_net(name, about, extra=(), results=1):
    net = Net(name, "shift", about)
    x = small_input()
    net.begin([x, *extra], [x.type] * results)
    return net, x


def flag_argument(net_name):
    return Value(net_name, (), "i1")


def if_yield():
    flag = flag_argument("%flag")
    net, x = small_net("if_yield", "Both branches compute what they yield.",
                       [flag])
    net.end([net.cond_if(
        "r", flag,
        lambda: [net.conv("b", net.conv("a", x, 16, 3), 8, 1)],
        lambda: [net.conv("a", x, 8, 1)])])
    return net


def nested_if():
    outer, inner = flag_argument("%outer"), flag_argument("%inner")
    net, x = small_net("nested_if", """\
An `if` in a branch of an `if`, and a value that lives across both.""",
                       [outer, inner])
    kept = net.conv("kept", x, 8, 1)

    def then():
        y = net.conv("a", kept, 16, 3)
        z = net.cond_if("in", inner,
                        lambda: [net.conv("b", y, 8, 3)],
                        lambda: [net.conv("c", y, 8, 1)])
        return [net.add("d", z, kept)]

    r = net.cond_if("out", outer, then,
                    lambda: [net.depthwise("e", kept)])
    net.end([net.add("sum", r, kept)])
    return net


def two_ifs():
    first, second = flag_argument("%first"), flag_argument("%second")
    net, x = small_net("two_ifs", """\
Two `if`s in a row; the result of the first is used after the second.""",
                       [first, second])
    a = net.cond_if("one", first,
                    lambda: [net.conv("a", x, 8, 3)],
                    lambda: [net.conv("b", x, 8, 1)])
    b = net.cond_if("two", second,
                    lambda: [net.conv("c", a, 8, 3)],
                    lambda: [net.depthwise("d", x)])
    net.end([net.add("sum", a, b)])
    return net


def branch_yields_outer():
    flag = flag_argument("%flag")
    net, x = small_net("branch_yields_outer", """\
One branch does nothing: it yields a value from outside.""", [flag])
    a = net.conv("a", x, 8, 3)
    b = net.cond_if("r", flag,
                    lambda: [net.conv("b", a, 8, 3)],
                    lambda: [a])
    net.end([net.add("sum", a, b)])
    return net


def for_loop():
    net, x = small_net("for_loop", """\
A loop of three turns: the carried value goes through the same layer each time,
and is added to a value from outside the loop.""")
    a = net.conv("a", x, 8, 3)
    for index, value in (("from", 0), ("to", 3), ("step", 1)):
        net.emit(f"%{index} = arith.constant {value} : index")
    net.emit(f"%r = scf.for %i = %from to %to step %step iter_args(%c = "
             f"{a.name}) -> ({a.type}) {{")
    net.indent += 1
    carried = Value("%c", a.shape, "i8", 0, a.mean_square)
    y = net.conv("body", carried, 8, 3, relu=False)
    z = net.add("next", y, a, relu=True)
    net.emit(f"scf.yield {z.name} : {z.type}")
    net.indent -= 1
    net.emit("}")
    net.end([net.conv("last", Value("%r", a.shape, "i8", 0, a.mean_square), 8,
                      1)])
    return net


def while_loop():
    turns = Value("%turns", (), "i32")
    net, x = small_net("while_loop", """\
A loop whose number of turns (0, 1, …) is an input.""", [turns])
    a = net.conv("a", x, 8, 1)
    one = net.const("one", (), "i32", 1)
    types = f"({turns.type}, {a.type})"
    net.emit(f"%r:2 = tosa.while_loop (%n = {turns.name}, %c = {a.name}) : "
             f"{types} -> {types} {{")
    net.indent += 1
    zero = net.const("zero", (), "i32", 0)
    net.emit(f"%go = tosa.greater %n, {zero.name} : ({turns.type}, "
             f"{zero.type}) -> tensor<i1>")
    net.emit("tosa.yield %go : tensor<i1>")
    net.indent -= 1
    net.emit("} do {")
    net.emit(f"^bb0(%n: {turns.type}, %c: {a.type}):")
    net.indent += 1
    carried = Value("%c", a.shape, "i8", 0, a.mean_square)
    y = net.conv("body", carried, 8, 3)
    net.emit(f"%left = tosa.sub %n, {one.name} : ({turns.type}, {one.type}) -> "
             f"{turns.type}")
    net.emit(f"tosa.yield %left, {y.name} : {turns.type}, {y.type}")
    net.indent -= 1
    net.emit("}")
    net.end([net.conv("last", Value("%r#1", a.shape, "i8", 0, a.mean_square),
                      8, 1)])
    return net


NETWORKS = [("", n) for n in (fusion_detect, wake_word, noise_reduction,
                              face_align, face_detect)]
NETWORKS += [("small", n) for n in (if_yield, nested_if, two_ifs,
                                    branch_yields_outer, for_loop, while_loop)]


def print_list():
    print("| network | inputs | weights | multiply-adds |\n|---|---|---|---|")
    for folder, network in NETWORKS:
        net = network()
        if not folder:
            shapes = ", ".join("x".join(map(str, x.shape)) for x in net.inputs)
            print(f"| `{net.name}` | {shapes} | {net.weight_bytes / 1024:.0f} "
                  f"KiB | {net.multiply_adds / 1e6:.0f} M |")


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] == ["--list"]:
        return print_list()
    if sys.argv[1:] and not check:
        sys.exit(f"usage: {sys.argv[0]} [--check | --list]")
    different = []
    for folder, network in NETWORKS:
        net = network()
        path = os.path.join(HERE, folder, net.name + ".mlir")
        if not check:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(net.text())
            continue
        try:
            with open(path, encoding="utf-8", newline="") as file:
                same = file.read() == net.text()
        except OSError:
            same = False
        if not same:
            different.append(os.path.relpath(path, HERE))
    if different:
        sys.exit("differ from what generate.py writes: " + " ".join(different))


if __name__ == "__main__":
    main()
