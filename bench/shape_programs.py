"""Random TOSA programs of open sizes, with an interpreter of their shapes."""

import random
import re


def tensor(dims, element):
    """A type; dims is None for one without rank, None in it is `?`."""
    if dims is None:
        return f"tensor<*x{element}>"
    return "tensor<" + "".join(f"{'?' if d is None else d}x" for d in dims) + \
        f"{element}>"


# Results of these may be stated where operands are not: upstream's verifiers
# of the others want both.
STATED = set("abs ceil cos erf exp floor log reciprocal rsqrt sigmoid sin tanh "
             "conv2d conv3d depthwise_conv2d avg_pool2d max_pool2d".split())


class Illegal(Exception):
    """The sizes of a binding do not fit."""


def require(condition):
    if not condition:
        raise Illegal()


def window(size, kernel, pads, stride, dilation=1):
    free = size + pads - 1 - (kernel - 1) * dilation
    require(free >= 0 and free % stride == 0)
    return free // stride + 1


def broadcast(*shapes):
    result = []
    for sizes in zip(*shapes):
        rest = {size for size in sizes if size != 1}
        require(len(rest) <= 1)
        result.append(rest.pop() if rest else 1)
    return result


class Value:
    """A tensor or a list of sizes. `fill` gives its shape (or elements) in an
    environment, a dictionary of what was computed before."""

    def __init__(self, name, element, rank):
        self.name, self.element, self.rank = name, element, rank


class Program:
    """Writes one program. Every tensor operator that it draws is `tracked`:
    in textual order, with the names of its results."""

    def __init__(self, seed, operators):
        self.random, self.stated = random.Random(seed), None
        self.lines, self.arguments, self.values = [], [], []
        self.returned = []  # all, so that nothing is dead
        self.results = {}
        self.tracked, self.steps, self.count = [], [], 0
        self.indent = "  "
        for operator in operators:
            getattr(self, "make_" + operator, self.make_by_table)(operator)
        # Some programs state shapes, of one binding, in the midst.
        if self.random.random() < 0.2:
            self.stated = self.bind(random.Random(seed))

    # -- Text ----------------------------------------------------------------

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def typed(self, value):
        """Gives a result an open type, which the text may state instead."""
        self.results[value.name] = (value, tensor(
            None if self.random.random() < 0.5 else [None] * value.rank,
            value.element))
        return f"[[{value.name}]]"

    def result(self, element, rank, fill):
        value = Value(self.fresh(), element, rank)
        value.type = self.typed(value)
        self.steps.append((value.name, fill))
        return value

    def argument(self, element, sizes):
        """sizes: for each extent a number, or a function of the environment
        and the random numbers of the binding: an open size."""
        value = Value(f"%a{len(self.arguments)}", element, len(sizes))
        value.sizes = sizes
        # Written when the text is: open, or of a binding.
        value.type = f"<<{value.name}>>"
        self.arguments.append(value)
        self.steps.append((value.name, lambda env, draw: [
            s(env, draw) if callable(s) else s for s in sizes]))
        self.values.append(value)
        return value

    def constant_shape(self, numbers):
        name = self.fresh()
        rank = len(numbers)
        inner = ", ".join(map(str, numbers))
        self.lines.append(
            f"{self.indent}{name} = tosa.const_shape {{values = dense<[{inner}]>"
            f" : tensor<{rank}xindex>}} : () -> !tosa.shape<{rank}>")
        value = Value(name, "shape", rank)
        value.type = f"!tosa.shape<{rank}>"
        self.steps.append((name, lambda env, draw: list(numbers)))
        return value

    def constant(self, element, dims, number=0):
        name = self.fresh()
        kind = tensor(dims, element)
        if element.startswith("f"):
            number = f"{float(number):e}"
        self.lines.append(f'{self.indent}{name} = "tosa.const"() <{{values = '
                          f"dense<{number}> : {kind}}}> : () -> {kind}")
        value = Value(name, element, len(dims))
        value.type = kind
        self.steps.append((name, lambda env, draw: list(dims)))
        return value

    def emit(self, operator, operands, results, attributes=""):
        names = results[0].name + (f":{len(results)}" if len(results) > 1
                                   else "")
        kinds = ", ".join(v.type for v in operands)
        out = ", ".join(v.type for v in results)
        out = f"({out})" if len(results) > 1 else out
        inner = ", ".join(v.name for v in operands)
        self.lines.append(f"{self.indent}{names} = tosa.{operator} {inner} "
                          f"{attributes}: ({kinds}) -> {out}")
        if results[0].element == "shape":
            return
        for value in results:
            value.operator = operator
        self.tracked.append((operator, [v.name for v in results]))
        if self.indent == "  ":
            many = len(results) > 1
            self.returned += [(f"{results[0].name}#{k}" if many else v.name,
                               v.type) for k, v in enumerate(results)]
        self.values += results if len(results) == 1 else []

    # -- Drawing -------------------------------------------------------------

    def pick(self, low, high):
        return self.random.randint(low, high)

    def size(self, low=1, high=9):
        """A fixed size or an open one."""
        if self.random.random() < 0.4:
            return self.pick(low, high)
        return lambda env, draw: draw.randint(low, high)

    def like(self, value, d):
        """The size of another value's extent."""
        return lambda env, draw: env[value.name][d]

    def some(self, element, rank, low=1, high=9):
        """A value of this kind, one that is there if possible."""
        there = [v for v in self.values
                 if v.element == element and v.rank == rank]
        if there and self.random.random() < 0.7:
            return self.random.choice(there)
        return self.argument(element, [self.size(low, high)
                                       for _ in range(rank)])

    def any_rank(self, element, low=1, high=4):
        there = [v for v in self.values
                 if v.element == element and low <= v.rank <= high]
        if there and self.random.random() < 0.7:
            return self.random.choice(there)
        return self.some(element, self.pick(low, high))

    def partner(self, value):
        """An argument that broadcasts with a value."""
        def extent(d):
            kind = self.pick(0, 3)
            if kind == 0:
                return 1
            if kind == 1:
                return self.like(value, d)
            if kind == 2:
                return lambda env, draw: draw.choice([1, env[value.name][d]])
            return self.like(value, d)
        return self.argument(value.element,
                             [extent(d) for d in range(value.rank)])

    # -- Operators that are alike --------------------------------------------

    UNARY = {
        "f32": "abs ceil cos erf exp floor log negate reciprocal rsqrt sigmoid "
               "sin tanh identity reverse clamp cast table".split(),
        "i32": "bitwise_not clz rescale".split(),
        "i1": ["logical_not"],
    }
    BINARY = {
        "f32": "add sub pow maximum minimum mul equal greater greater_equal"
               .split(),
        "i32": "arithmetic_right_shift bitwise_and bitwise_or bitwise_xor "
               "intdiv logical_left_shift logical_right_shift".split(),
        "i1": "logical_and logical_or logical_xor".split(),
    }
    REDUCE = {"f32": "reduce_max reduce_min reduce_product reduce_sum".split(),
              "i1": "reduce_all reduce_any".split()}

    def make_by_table(self, operator):
        for kinds, make in ((self.UNARY, self.make_unary),
                            (self.BINARY, self.make_binary),
                            (self.REDUCE, self.make_reduce)):
            for element, names in kinds.items():
                if operator in names:
                    return make(operator, element)
        if operator.endswith("_shape"):
            return self.make_shape_arithmetic(operator)
        raise SystemExit(f"error: draws no tosa.{operator}; the table has it")

    def make_unary(self, operator, element):
        attributes, extra, out = "", [], element
        x = self.any_rank("i8" if operator in ("table", "rescale") else element)
        if operator == "reverse":
            attributes = f"{{axis = {self.pick(0, x.rank - 1)} : i32}} "
        if operator == "clamp":
            attributes = "{min_val = 0.0 : f32, max_val = 6.0 : f32} "
        if operator == "negate":
            extra = [self.constant("f32", [1]), self.constant("f32", [1])]
        if operator == "table":
            extra, out = [self.constant("i8", [256])], "i8"
        if operator == "cast":
            out = "i32"
        if operator == "rescale":
            extra = [self.constant("i32", [1], 1073741824),
                     self.constant("i8", [1], 30), self.constant("i8", [1]),
                     self.constant("i32", [1])]
            attributes = ("{scale32 = true, rounding_mode = SINGLE_ROUND, "
                          "per_channel = false, input_unsigned = false, "
                          "output_unsigned = false} ")
            out = "i32"
        y = self.result(out, x.rank, lambda env, draw: env[x.name])
        self.emit(operator, [x] + extra, [y], attributes)

    def make_binary(self, operator, element):
        x = self.any_rank(element)
        y = self.partner(x)
        out = "i1" if operator in ("equal", "greater", "greater_equal") \
            else element
        pair = [x, y] if self.random.random() < 0.5 else [y, x]
        z = self.result(out, x.rank, lambda env, draw: broadcast(
            env[x.name], env[y.name]))
        attributes = "{round = false} " if operator == \
            "arithmetic_right_shift" else ""
        extra = [self.constant("i8", [1])] if operator == "mul" else []
        self.emit(operator, pair + extra, [z], attributes)

    def make_select(self, operator):
        x = self.any_rank("f32")
        y = self.partner(x)
        c = self.argument("i1", [self.like(x, d) for d in range(x.rank)])
        z = self.result("f32", x.rank, lambda env, draw: broadcast(
            env[c.name], env[x.name], env[y.name]))
        self.emit(operator, [c, x, y], [z])

    def make_reduce(self, operator, element):
        x = self.any_rank(element)
        axis = self.pick(0, x.rank - 1)
        y = self.result(element, x.rank, lambda env, draw: [
            1 if d == axis else s for d, s in enumerate(env[x.name])])
        self.emit(operator, [x], [y], f"{{axis = {axis} : i32}} ")

    def make_argmax(self, operator):
        x = self.any_rank("f32", low=2)
        axis = self.pick(0, x.rank - 1)
        y = self.result("i32", x.rank - 1, lambda env, draw: [
            s for d, s in enumerate(env[x.name]) if d != axis])
        self.emit(operator, [x], [y], f"{{axis = {axis} : i32}} ")

    # -- Products and windows ------------------------------------------------

    def make_matmul(self, operator):
        x = self.some("f32", 3)
        y = self.argument("f32", [self.like(x, 0), self.like(x, 2),
                                  self.size()])
        z = self.result("f32", 3, lambda env, draw: [
            env[x.name][0], env[x.name][1], env[y.name][2]])
        zero = [self.constant("f32", [1]), self.constant("f32", [1])]
        self.emit(operator, [x, y] + zero, [z])

    def make_fft2d(self, operator):
        # Sizes are powers of 2.
        power = lambda env, draw: draw.choice([2, 4, 8, 16])
        x = self.argument("f32", [self.size(), power, power])
        y = self.argument("f32", [self.like(x, d) for d in range(3)])
        outs = [self.result("f32", 3, lambda env, draw: env[x.name])
                for _ in range(2)]
        self.emit(operator, [x, y], outs, "{inverse = false} ")

    def make_rfft2d(self, operator):
        power = lambda env, draw: draw.choice([2, 4, 8, 16])
        x = self.argument("f32", [self.size(), power, power])
        outs = [self.result("f32", 3, lambda env, draw: env[x.name][:2] + [
            env[x.name][2] // 2 + 1]) for _ in range(2)]
        self.emit(operator, [x], outs)

    def windowed(self, count, channels):
        """An argument whose extents of space fit windows that are drawn, and
        for each of these kernel, pads, stride, dilation."""
        windows = []
        for _ in range(count):
            kernel = self.pick(1, 3)
            windows.append((kernel, [self.pick(0, kernel - 1),
                                     self.pick(0, kernel - 1)],
                            self.pick(1, 3), self.pick(1, 2)))

        def extent(kernel, pads, stride, dilation):
            least = (kernel - 1) * dilation + 1 - sum(pads)
            def fit(draw):
                size = draw.randint(0, 5) * stride + least
                while size < 1:
                    size += stride
                return size
            if self.random.random() < 0.3:
                return fit(self.random)
            return lambda env, draw: fit(draw)
        x = self.argument("f32", [self.size()] + [extent(*w) for w in windows]
                          + [channels])
        return x, windows

    def attribute(self, name, numbers):
        return f"{name} = array<i64: {', '.join(map(str, numbers))}>"

    def conv_attributes(self, windows):
        return "{acc_type = f32, " + ", ".join([
            self.attribute("pad", [p for w in windows for p in w[1]]),
            self.attribute("stride", [w[2] for w in windows]),
            self.attribute("dilation", [w[3] for w in windows])]) + "} "

    def convolve(self, operator, weight_first, weight_last, out_channels,
                 space):
        channels = self.size()
        x, windows = self.windowed(space, channels)
        inner = self.like(x, space + 1)
        kernels = [w[0] for w in windows]
        weight = self.argument("f32", weight_first + kernels +
                               weight_last(inner))
        bias = self.argument("f32", [lambda env, draw: out_channels(
            env[weight.name])])
        y = self.result("f32", space + 2, lambda env, draw: [
            env[x.name][0]] + [
                window(env[x.name][1 + i], w[0], sum(w[1]), w[2], w[3])
                for i, w in enumerate(windows)] + [
                    out_channels(env[weight.name])])
        zero = [self.constant("f32", [1]), self.constant("f32", [1])]
        self.emit(operator, [x, weight, bias] + zero, [y],
                  self.conv_attributes(windows))

    def make_conv2d(self, operator):
        self.convolve(operator, [self.size()], lambda c: [c], lambda w: w[0], 2)

    def make_conv3d(self, operator):
        self.convolve(operator, [self.size()], lambda c: [c], lambda w: w[0], 3)

    def make_depthwise_conv2d(self, operator):
        self.convolve(operator, [], lambda c: [c, self.size()],
                      lambda w: w[2] * w[3], 2)

    def make_transpose_conv2d(self, operator):
        x = self.some("f32", 4)
        kernel = [self.pick(1, 4), self.pick(1, 4)]
        weight = self.argument("f32", [self.size(), *kernel, self.like(x, 3)])
        bias = self.argument("f32", [self.like(weight, 0)])
        pads, strides = [self.pick(0, 2) for _ in range(4)], \
            [self.pick(1, 3), self.pick(1, 3)]
        y = self.result("f32", 4, lambda env, draw: [env[x.name][0]] + [
            (env[x.name][1 + d] - 1) * strides[d] + sum(pads[2 * d:2 * d + 2])
            + kernel[d] for d in range(2)] + [env[weight.name][0]])
        zero = [self.constant("f32", [1]), self.constant("f32", [1])]
        self.emit(operator, [x, weight, bias] + zero, [y],
                  "{acc_type = f32, " + self.attribute("out_pad", pads) + ", "
                  + self.attribute("stride", strides) + "} ")

    def make_avg_pool2d(self, operator):
        x, windows = self.windowed(2, self.size())
        windows = [(1 + (w[0] - 1) * w[3], w[1], w[2]) for w in windows]
        extra = [self.constant("f32", [1]), self.constant("f32", [1])] if \
            operator == "avg_pool2d" else []
        y = self.result("f32", 4, lambda env, draw: [env[x.name][0]] + [
            window(env[x.name][1 + i], w[0], sum(w[1]), w[2])
            for i, w in enumerate(windows)] + [env[x.name][3]])
        kind = "acc_type = f32, " if extra else ""
        self.emit(operator, [x] + extra, [y], f"{{{kind}" + ", ".join([
            self.attribute("kernel", [w[0] for w in windows]),
            self.attribute("pad", [p for w in windows for p in w[1]]),
            self.attribute("stride", [w[2] for w in windows])]) + "} ")

    make_max_pool2d = make_avg_pool2d

    def make_resize(self, operator):
        x = self.some("f32", 4, low=2)
        up = [self.pick(1, 4), self.pick(1, 4)]
        # Scales 2 * up / 2, with borders that make them exact.
        scale = self.constant_shape([2 * up[0], 2, 2 * up[1], 2])
        offset, border = self.constant_shape([0, 0]), self.constant_shape(
            [2 * self.pick(0, 1), 2 * self.pick(0, 1)])
        borders = self.steps[-1][1](None, None)
        y = self.result("f32", 4, lambda env, draw: [env[x.name][0]] + [
            ((env[x.name][1 + d] - 1) * 2 * up[d] + borders[d]) // 2 + 1
            for d in range(2)] + [env[x.name][3]])
        self.emit(operator, [x, scale, offset, border], [y],
                  '{mode = NEAREST_NEIGHBOR} ')

    # -- Moving elements -----------------------------------------------------

    def make_concat(self, operator):
        x = self.any_rank("f32")
        axis = self.pick(0, x.rank - 1)
        parts = [x] + [self.argument("f32", [
            self.size() if d == axis else self.like(x, d)
            for d in range(x.rank)]) for _ in range(self.pick(1, 2))]
        y = self.result("f32", x.rank, lambda env, draw: [
            sum(env[p.name][d] for p in parts) if d == axis else s
            for d, s in enumerate(env[x.name])])
        self.emit(operator, parts, [y], f"{{axis = {axis} : i32}} ")

    def make_gather(self, operator):
        x = self.some("f32", 3)
        i = self.argument("i32", [self.like(x, 0), self.size()])
        y = self.result("f32", 3, lambda env, draw: [
            env[x.name][0], env[i.name][1], env[x.name][2]])
        self.emit(operator, [x, i], [y])

    def make_scatter(self, operator):
        # At most as many rows are written as there are.
        x = self.some("f32", 3)
        i = self.argument("i32", [self.like(x, 0), lambda env, draw:
                                  draw.randint(1, env[x.name][1])])
        z = self.argument("f32", [self.like(x, 0), self.like(i, 1),
                                  self.like(x, 2)])
        y = self.result("f32", 3, lambda env, draw: env[x.name])
        self.emit(operator, [x, i, z], [y])

    def make_transpose(self, operator):
        x = self.any_rank("f32")
        perms = list(range(x.rank))
        self.random.shuffle(perms)
        y = self.result("f32", x.rank, lambda env, draw: [
            env[x.name][p] for p in perms])
        self.emit(operator, [x], [y], "{perms = array<i32: " +
                  ", ".join(map(str, perms)) + ">} ")

    def make_pad(self, operator):
        x = self.any_rank("f32")
        pads = [self.pick(0, 3) for _ in range(2 * x.rank)]
        y = self.result("f32", x.rank, lambda env, draw: [
            s + pads[2 * d] + pads[2 * d + 1]
            for d, s in enumerate(env[x.name])])
        self.emit(operator, [x, self.constant_shape(pads),
                             self.constant("f32", [1])], [y])

    def make_tile(self, operator):
        x = self.any_rank("f32")
        times = [self.pick(1, 3) for _ in range(x.rank)]
        y = self.result("f32", x.rank, lambda env, draw: [
            s * t for s, t in zip(env[x.name], times)])
        self.emit(operator, [x, self.constant_shape(times)], [y])

    def make_slice(self, operator):
        x = self.any_rank("f32")
        size = self.shape_of(x)
        # All of it, or what is known to be there: one element.
        if self.random.random() < 0.5:
            size = self.constant_shape([1] * x.rank)
        y = self.result("f32", x.rank, lambda env, draw: env[size.name])
        self.emit(operator, [x, self.constant_shape([0] * x.rank), size], [y])

    def make_reshape(self, operator):
        x = self.any_rank("f32")
        if self.random.random() < 0.5:
            shape = self.constant_shape([-1])
            y = self.result("f32", 1, lambda env, draw: [
                self.volume(env[x.name])])
        else:
            # Reversed sizes.
            parts = [self.dim_of(x, d) for d in reversed(range(x.rank))]
            shape = self.concatenated(parts)
            y = self.result("f32", x.rank, lambda env, draw: list(
                reversed(env[x.name])))
        self.emit(operator, [x, shape], [y])

    @staticmethod
    def volume(shape):
        count = 1
        for size in shape:
            count *= size
        return count

    # -- Sizes ---------------------------------------------------------------

    def sizes(self, rank, fill):
        value = Value(self.fresh(), "shape", rank)
        value.type = f"!tosa.shape<{rank}>"
        self.steps.append((value.name, fill))
        return value

    def dim_of(self, x, axis):
        s = self.sizes(1, lambda env, draw: [env[x.name][axis]])
        self.emit("dim", [x], [s], f"{{axis = {axis} : i32}} ")
        return s

    def concatenated(self, parts):
        s = self.sizes(sum(p.rank for p in parts), lambda env, draw: [
            e for p in parts for e in env[p.name]])
        self.emit("concat_shape", parts, [s])
        return s

    def shape_of(self, x):
        return self.concatenated([self.dim_of(x, d) for d in range(x.rank)])

    def use(self, operator, size):
        """A tensor of a computed size: a tile of one of one element. The
        operator counts as known where this is."""
        x = self.argument("f32", [1])
        y = self.result("f32", 1, lambda env, draw: env[size.name])
        self.emit("tile", [x, size], [y])
        self.tracked[-1] = (operator, self.tracked[-1][1])

    def make_const_shape(self, operator):
        self.use(operator, self.constant_shape([self.pick(1, 9)]))

    def make_const(self, operator):
        x = self.constant("f32", [self.pick(1, 5) for _ in range(2)], 1)
        self.values.append(x)
        y = self.result("f32", 2, lambda env, draw: env[x.name])
        self.emit("identity", [x], [y])
        self.tracked[-1] = (operator, self.tracked[-1][1])

    def make_dim(self, operator):
        x = self.any_rank("f32")
        self.use(operator, self.dim_of(x, self.pick(0, x.rank - 1)))

    def make_concat_shape(self, operator):
        x = self.any_rank("f32")
        shape = self.shape_of(x)
        y = self.argument("f32", [1] * x.rank)
        z = self.result("f32", x.rank, lambda env, draw: env[x.name])
        self.emit("tile", [y, shape], [z])
        self.tracked[-1] = (operator, self.tracked[-1][1])

    def make_slice_shape(self, operator):
        x = self.any_rank("f32", low=2)
        shape, axis = self.shape_of(x), self.pick(0, x.rank - 1)
        s = self.sizes(1, lambda env, draw: [env[x.name][axis]])
        self.emit(operator, [shape, self.constant("i32", [1], axis),
                             self.constant("i32", [1], 1)], [s])
        self.use(operator, s)

    ARITHMETIC = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a + b - b,
        "mul": lambda a, b: a * b, "div_ceil": lambda a, b: -(-a // b),
        "div_floor": lambda a, b: a // b, "max": max, "min": min,
        "mod": lambda a, b: a % b,
        "exp2": lambda a, b: 2 ** a, "log2_ceil":
        lambda a, b: (a - 1).bit_length(), "log2_floor":
        lambda a, b: a.bit_length() - 1}

    def make_shape_arithmetic(self, operator):
        kind = operator[:-len("_shape")]
        function = self.ARITHMETIC[kind]
        x = self.any_rank("f32")
        axis = self.pick(0, x.rank - 1)
        a = self.dim_of(x, axis)
        if kind in ("exp2", "log2_ceil", "log2_floor"):
            # Of a constant: of an open size it is not known.
            if self.random.random() < 0.9:
                a = self.constant_shape([self.pick(2, 5)])
            s = self.sizes(1, lambda env, draw: [function(env[a.name][0], 0)])
            self.emit(operator, [a], [s])
            require_positive = 0
        else:
            b = self.constant_shape([self.pick(2, 4)]) if \
                self.random.random() < 0.5 else self.dim_of(x, 0)
            if kind == "sub":
                # What was added before: it stays above 0.
                first = a
                a = self.sizes(1, lambda env, draw: [
                    env[first.name][0] + env[b.name][0]])
                self.emit("add_shape", [first, b], [a])
                s = self.sizes(1, lambda env, draw: env[first.name])
            else:
                s = self.sizes(1, lambda env, draw: [
                    function(env[a.name][0], env[b.name][0])])
            self.emit(operator, [a, b], [s])
            require_positive = kind in ("div_floor", "mod")
        if require_positive:
            one, more = self.constant_shape([1]), s
            s = self.sizes(1, lambda env, draw: [env[more.name][0] + 1])
            self.emit("add_shape", [more, one], [s])
        if kind == "exp2" or kind.startswith("log2"):
            one, more = self.constant_shape([1]), s
            s = self.sizes(1, lambda env, draw: [env[more.name][0] + 1])
            self.emit("add_shape", [more, one], [s])
        self.use(operator, s)

    # -- Control flow --------------------------------------------------------

    def make_custom(self, operator):
        # It gives what comes in, which nobody else knows.
        x = self.any_rank("f32")
        y = self.result("f32", x.rank, lambda env, draw: env[x.name])
        y.type = tensor([None] * x.rank, "f32")
        self.emit(operator, [x], [y], '{operator_name = "op", domain_name = '
                  '"d", implementation_attrs = ""} ')

    def region_result(self, x, differs):
        """An operator in a region: it keeps the shape, or pads by one."""
        before = len(self.values)
        if differs:
            pads = [0] * (2 * x.rank - 1) + [1]
            y = self.result("f32", x.rank, lambda env, draw: env[x.name][:-1] +
                            [env[x.name][-1] + 1])
            self.emit("pad", [x, self.constant_shape(pads),
                              self.constant("f32", [1])], [y])
        else:
            y = self.result("f32", x.rank, lambda env, draw: env[x.name])
            self.emit("exp", [x], [y])
        del self.values[before:]
        return y

    def make_cond_if(self, operator):
        x = self.any_rank("f32")
        c = self.argument("i1", [])
        y = Value(self.fresh(), "f32", x.rank)
        y.type = tensor([None] * x.rank, "f32")
        start = len(self.lines)
        self.lines.append("")
        self.indent = "    "
        a = self.region_result(x, False)
        self.lines.append(f"    tosa.yield {a.name} : {a.type}\n  }} else {{")
        b = self.region_result(x, self.random.random() < 0.3)
        self.lines.append(f"    tosa.yield {b.name} : {b.type}\n  }}")
        self.indent = "  "
        self.lines[start] = (f"  {y.name} = tosa.cond_if {c.name} : {c.type} -> "
                             f"{y.type} {{")
        # A binding decides by a coin.
        key = "taken " + y.name
        self.steps.append((key, lambda env, draw: draw.choice([a, b]).name))
        self.steps.append((y.name, lambda env, draw: env[env[key]]))
        self.identify(operator, y)

    def make_while_loop(self, operator):
        x = self.any_rank("f32")
        x = self.argument("f32", [self.like(x, d) for d in range(x.rank)])
        y = Value(self.fresh(), "f32", x.rank)
        y.type = x.type
        c, inner = self.fresh(), Value(self.fresh(), "f32", x.rank)
        inner.type = x.type
        self.steps.append((inner.name, lambda env, draw: env[x.name]))
        flag = self.constant("i1", [], "true")
        self.lines.append(
            f"  {y.name} = tosa.while_loop ({inner.name}c = {x.name}) : "
            f"({x.type}) -> {x.type} {{\n    tosa.yield {flag.name} : "
            f"tensor<i1>\n  }} do {{\n  ^bb0({inner.name}: {x.type}):")
        self.indent = "    "
        a = self.region_result(inner, False)
        a.type = x.type
        self.lines[-1] = re.sub(r"-> \[\[.*", f"-> {x.type}", self.lines[-1])
        self.lines.append(f"    tosa.yield {a.name} : {x.type}\n  }}")
        self.indent = "  "
        self.steps.append((y.name, lambda env, draw: env[x.name]))
        self.identify(operator, y)

    def identify(self, operator, y):
        """Reads the result of control flow through an operator of one line."""
        z = self.result("f32", y.rank, lambda env, draw: env[y.name])
        self.emit("identity", [y], [z])
        self.tracked[-1] = (operator, self.tracked[-1][1])

    # -- The function --------------------------------------------------------

    def text(self, name, binding=None):
        types = {v.name: tensor(
            binding[v.name] if binding else
            [None if callable(s) else s for s in v.sizes], v.element)
            for v in self.arguments}
        arguments = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        values = ", ".join(value for value, _ in self.returned)
        results = ", ".join(kind for _, kind in self.returned)
        body = "\n".join(self.lines)
        for value, kind in self.results.values():
            is_stated = self.stated and not binding and \
                value.operator in STATED
            types[value.name] = tensor(self.stated[value.name],
                                       value.element) if is_stated else kind
        return re.sub(r"(?:<<|\[\[)(%[av]\d+)(?:>>|\]\])",
                      lambda match: types[match.group(1)],
                      f"func.func @{name}({arguments}) -> ({results}) {{\n"
                      f"{body}\n  return {values} : {results}\n}}\n")

    def bind(self, draw):
        if self.stated:
            return self.stated
        env = {}
        for name, fill in self.steps:
            env[name] = fill(env, draw)
        return env
