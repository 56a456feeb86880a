"""Draws ONNX networks: nested If, Loop and Scan around small operators.

Values that bodies capture, that loops carry, exchange and rotate, that branches
forward; trip counts and conditions known and unknown. Floats are multiples of a
power of two, and scales are powers of two, so that onnx_reference.py computes
the same bits in any order.
"""

import math
import random

from onnx_reference import Tensor, wrap
from onnx_wire import BOOL, FLOAT, INT8, INT32, INT64, attribute, field, graph
from onnx_wire import model, tensor, value

OPSET = 17
DEPTH_MAX = 3
KINDS = (FLOAT, FLOAT, INT32, INT64, INT8, INT8, BOOL)
NUMBERS = (FLOAT, INT32, INT64)
SHAPES = ([], [], [1], [3], [4], [2, 3], [3, 4], [4, 2], [1, 2, 3, 3],
          [1, 4, 3, 3], [1, 4, 4, 2])


class Value:
    def __init__(self, name, kind, shape):
        self.name, self.kind, self.shape = name, kind, list(shape)


class Node:
    def __init__(self, op, inputs, outputs, attributes=None, bodies=()):
        self.op, self.inputs, self.outputs = op, list(inputs), list(outputs)
        self.attributes, self.bodies = attributes or {}, list(bodies)


class Body:
    """A graph: the model's, a branch's or a loop's."""

    def __init__(self):
        self.nodes, self.inputs, self.outputs, self.constants = [], [], [], []


#===------------------------------------------------------------------------===#
# Protocol buffers
#===------------------------------------------------------------------------===#

def wire_node(node):
    bodies = {"If": ("then_branch", "else_branch")}.get(node.op, ("body",))
    return (b"".join(field(1, v.name if v else "") for v in node.inputs) +
            b"".join(field(2, v.name) for v in node.outputs) +
            field(3, node.outputs[0].name + "_node") + field(4, node.op) +
            b"".join(field(5, attribute(k, v))
                     for k, v in node.attributes.items() if v != []) +
            b"".join(field(5, attribute(k, wire_graph(b)))
                     for k, b in zip(bodies, node.bodies)))


def wire_value(v):
    return value(v.name, v.kind, v.shape)


def wire_graph(body):
    return graph([wire_node(n) for n in body.nodes],
                 list(map(wire_value, body.inputs)),
                 list(map(wire_value, body.outputs)),
                 [tensor(v.name, v.kind, v.shape, t.data)
                  for v, t in body.constants])


def wire_model(network):
    return model(wire_graph(network), OPSET)


#===------------------------------------------------------------------------===#
# Drawing
#===------------------------------------------------------------------------===#

def random_data(rng, kind, shape):
    count = math.prod(shape)
    if kind == BOOL:
        return [rng.random() < 0.5 for _ in range(count)]
    if kind == FLOAT:
        return [rng.randint(-16, 16) / 4 for _ in range(count)]
    low, high = {INT8: (-128, 127), INT64: (-3, 5)}.get(kind, (-9, 9))
    return [rng.randint(low, high) for _ in range(count)]


class Drawer:
    """Draws one body; what encloses it is visible."""

    def __init__(self, rng, names, outer=None):
        self.rng, self.names, self.outer = rng, names, outer
        self.body, self.pool, self.used = Body(), [], set()
        self.depth = outer.depth + 1 if outer else 0

    # -- values --------------------------------------------------------------

    def new(self, kind, shape):
        self.names[0] += 1
        return Value("v%d" % self.names[0], kind, shape)

    def input(self, kind, shape):
        result = self.new(kind, shape)
        self.body.inputs.append(result)
        self.pool.append(result)
        return result

    def constant(self, kind, shape, data):
        result = self.new(kind, shape)
        self.body.constants.append((result, Tensor(kind, shape, data)))
        return result

    def ints(self, *data):
        return self.constant(INT64, [len(data)], list(data))

    def any_constant(self, kind, shape):
        return self.constant(kind, shape, random_data(self.rng, kind, shape))

    def visible(self):
        return self.pool + (self.outer.visible() if self.outer else [])

    def pick(self, fits, own=0.6):
        """A visible value that fits, later and own ones the likelier."""
        fit = [v for v in self.visible() if fits(v)]
        mine = [v for v in self.pool if fits(v)]
        if mine and self.rng.random() < own:
            fit = mine[-3:] if self.rng.random() < 0.5 else mine
        if not fit:
            return None
        chosen = self.rng.choice(fit)
        self.used.add(chosen.name)
        return chosen

    def like(self, v, own=0.6):
        """A value of the kind and shape of `v`, or a constant."""
        found = self.pick(
            lambda o: (o.kind, o.shape) == (v.kind, v.shape), own)
        return found if found and self.rng.random() < 0.85 else \
            self.any_constant(v.kind, v.shape)

    def emit(self, op, inputs, kind, shape, **attributes):
        result = self.new(kind, shape)
        self.body.nodes.append(Node(op, inputs, [result], attributes))
        self.pool.append(result)
        return result

    def clip(self, x, limit):
        low, high = (self.constant(x.kind, [], [wrap(x.kind, s * limit)])
                     for s in (-1, 1))
        return self.emit("Clip", [x, low, high], x.kind, x.shape)

    # -- operators -----------------------------------------------------------

    def unary(self):
        x = self.pick(lambda v: v.kind in NUMBERS)
        if x:
            ops = ["Neg", "Abs", "Identity"] + (
                ["Relu", "Floor"] if x.kind == FLOAT else [])
            self.emit(self.rng.choice(ops), [x], x.kind, x.shape)

    def other(self, x):
        """A second operand: as large, or one number."""
        return self.like(x) if self.rng.random() < 0.7 else \
            self.like(Value("", x.kind, []))

    def binary(self):
        x = self.pick(lambda v: v.kind in NUMBERS)
        if not x:
            return
        op = self.rng.choice(["Add", "Add", "Sub", "Sub", "Max", "Min", "Mul"])
        if op == "Mul" and x.kind == FLOAT:
            x = self.clip(x, 64)
            result = self.emit("Mul", [x, self.clip(self.other(x), 8)], FLOAT,
                               x.shape)
            self.clip(self.emit("Floor", [result], FLOAT, x.shape), 64)
        else:
            self.emit(op, [x, self.other(x)], x.kind, x.shape)

    def divide(self):
        x = self.pick(lambda v: v.kind in (INT32, INT64))
        if x:
            by = self.constant(x.kind, [], [self.rng.choice([2, 3, 7, -3])])
            self.emit(self.rng.choice(["Div", "Mod"]), [x, by], x.kind, x.shape)

    def compare(self):
        x = self.pick(lambda v: v.kind in NUMBERS)
        if x:
            self.emit(self.rng.choice(["Equal", "Greater", "Less"]),
                      [x, self.other(x)], BOOL, x.shape)

    def logic(self):
        x = self.pick(lambda v: v.kind == BOOL)
        if x and self.rng.random() < 0.3:
            self.emit("Not", [x], BOOL, x.shape)
        elif x:
            self.emit(self.rng.choice(["And", "Or", "Xor"]),
                      [x, self.like(x)], BOOL, x.shape)

    def where(self):
        x = self.pick(lambda v: v.kind in NUMBERS)
        if x:
            self.emit("Where", [self.condition() if self.rng.random() < 0.6
                                else self.like(Value("", BOOL, x.shape)), x,
                                self.like(x)], x.kind, x.shape)

    def cast(self):
        x = self.pick(lambda v: True)
        if not x:
            return
        to = self.rng.choice([k for k in KINDS if k != x.kind])
        if x.kind in NUMBERS:
            x = self.clip(x, 100)
        self.emit("Cast", [x], to, x.shape, to=to)

    def shuffle(self):
        x = self.pick(lambda v: len(v.shape) == 2)
        if x:
            self.emit("Transpose", [x], x.kind, x.shape[::-1], perm=[1, 0])

    def flatten(self):
        x = self.pick(lambda v: len(v.shape) in (2, 4))
        if x:
            count = math.prod(x.shape)
            shape = self.rng.choice([[count], [1, count]])
            self.emit("Reshape", [x, self.ints(*shape)], x.kind, shape)

    def concat(self):
        x = self.pick(lambda v: v.shape and math.prod(v.shape) <= 24)
        if x:
            axis = self.rng.randrange(len(x.shape))
            shape = x.shape[:]
            shape[axis] *= 2
            self.emit("Concat", [x, self.like(x)], x.kind, shape, axis=axis)

    def slice(self):
        x = self.pick(lambda v: any(size > 1 for size in v.shape))
        if not x:
            return
        axis = self.rng.choice([d for d, s in enumerate(x.shape) if s > 1])
        start = self.rng.randrange(x.shape[axis])
        end = self.rng.randint(start + 1, x.shape[axis])
        step = self.rng.choice([1, 1, 2])
        shape = x.shape[:]
        shape[axis] = len(range(start, end, step))
        self.emit("Slice", [x, *map(self.ints, (start, end, axis, step))],
                  x.kind, shape)

    def gather(self):
        x = self.pick(lambda v: v.shape)
        index = self.pick(lambda v: v.kind in (INT64, INT32) and v.shape == [])
        if x and index:
            size = self.constant(index.kind, [], [x.shape[0]])
            row = self.emit("Mod", [index, size], index.kind, [])
            self.emit("Gather", [x, row], x.kind, x.shape[1:], axis=0)

    def reduce(self):
        x = self.pick(lambda v: v.shape and v.kind in NUMBERS)
        if x:
            self.reduced(x, self.rng.random() < 0.4)

    def reduced(self, x, to_one):
        op = self.rng.choice(["ReduceSum", "ReduceMax", "ReduceMin"])
        x = self.clip(x, 1000) if x.kind == FLOAT and op == "ReduceSum" else x
        axis = self.rng.randrange(len(x.shape))
        shape = [] if to_one else x.shape[:]
        if not to_one:
            shape[axis] = 1
        axes = list(range(len(x.shape))) if to_one else [axis]
        more = {} if op == "ReduceSum" else {"axes": axes}
        return self.emit(op, [x] + ([] if more else [self.ints(*axes)]), x.kind,
                         shape, keepdims=0 if to_one else 1, **more)

    def running(self):
        x = self.pick(lambda v: v.shape and v.kind in NUMBERS)
        if x:
            x = self.clip(x, 1000) if x.kind == FLOAT else x
            axis = self.constant(INT64, [], [self.rng.randrange(len(x.shape))])
            self.emit("CumSum", [x, axis], x.kind, x.shape,
                      **{how: int(self.rng.random() < 0.5)
                         for how in ("exclusive", "reverse")})

    def top_k(self):
        x = self.pick(lambda v: v.shape and v.kind in NUMBERS)
        if not x:
            return
        axis = self.rng.randrange(len(x.shape))
        shape = x.shape[:]
        shape[axis] = self.rng.randint(1, x.shape[axis])
        results = [self.new(x.kind, shape), self.new(INT64, shape)]
        self.body.nodes.append(Node(
            "TopK", [x, self.ints(shape[axis])], results,
            {"axis": axis, "largest": self.rng.randint(0, 1)}))
        self.pool += results

    def product(self):
        x = self.pick(lambda v: len(v.shape) == 2 and v.kind in (FLOAT, INT8))
        if not x:
            return
        w = Value("", x.kind, [x.shape[1], self.rng.randint(1, 5)])
        w, shape = self.like(w), [x.shape[0], w.shape[1]]
        if x.kind == INT8:
            self.emit("MatMulInteger", [x, w], INT32, shape)
        else:
            x, w = (self.emit("Floor", [self.clip(t, 32)], FLOAT, t.shape)
                    for t in (x, w))
            self.clip(self.emit("MatMul", [x, w], FLOAT, shape), 64)

    # -- what the unit computes ----------------------------------------------

    def quantised(self, x, more):
        zero = self.constant(INT8, [], [self.rng.randint(-9, 9)])
        scale = self.constant(FLOAT, [], [2.0 ** -self.rng.randint(*more)])
        return scale, zero

    def dequantised(self, x):
        return self.emit("DequantizeLinear", [x, *self.quantised(x, (1, 4))],
                         FLOAT, x.shape)

    def requantise(self, x, more):
        if self.rng.random() < 0.3:
            x = self.emit("Relu", [x], FLOAT, x.shape)
        return self.emit("QuantizeLinear", [x, *self.quantised(x, more)], INT8,
                         x.shape)

    def weight(self, shape):
        w = self.any_constant(INT8, shape)
        zero = self.constant(INT8, [], [0])
        scale = self.constant(FLOAT, [], [2.0 ** -6])
        return self.emit("DequantizeLinear", [w, scale, zero], FLOAT, shape)

    def conv(self):
        x = self.pick(lambda v: len(v.shape) == 4 and v.kind == INT8)
        if not x:
            return
        rng, channels = self.rng, x.shape[1]
        group = channels if rng.random() < 0.3 else 1
        made = channels if group > 1 else rng.choice([channels, 2, 4, 5])
        size = [min(rng.choice([1, 2, 3]), s) for s in x.shape[2:]]
        pads = [size[0] // 2, size[1] // 2, (size[0] - 1) // 2,
                (size[1] - 1) // 2]
        strides = rng.choice([[1, 1], [1, 1], [1, 2]])
        shape = [x.shape[0], made, x.shape[2],
                 (x.shape[3] - 1) // strides[1] + 1]
        bias = self.constant(FLOAT, [made],
                             [rng.randint(-8, 8) / 4 for _ in range(made)])
        result = self.emit("Conv", [
            self.dequantised(x), self.weight([made, channels // group, *size]),
            bias], FLOAT, shape, pads=pads, strides=strides, group=group,
            kernel_shape=size, dilations=[1, 1])
        self.requantise(result, (0, 3))

    def dense(self):
        x = self.pick(lambda v: len(v.shape) == 2 and v.kind == INT8)
        if x:
            made = self.rng.randint(1, 6)
            self.requantise(self.emit(
                "MatMul", [self.dequantised(x),
                           self.weight([x.shape[1], made])],
                FLOAT, [x.shape[0], made]), (0, 3))

    def sum(self):
        x = self.pick(lambda v: v.kind == INT8)
        if x:
            y = self.like(x)
            self.requantise(self.emit(
                self.rng.choice(["Add", "Sub"]),
                [self.dequantised(x), self.dequantised(y)], FLOAT, x.shape),
                (0, 3))

    def pool_of(self):
        x = self.pick(lambda v: len(v.shape) == 4 and v.kind in (INT8, FLOAT)
                      and min(v.shape[2:]) > 1)
        if x:
            self.emit("MaxPool", [x], x.kind,
                      [*x.shape[:2], x.shape[2] - 1, x.shape[3] - 1],
                      kernel_shape=[2, 2], strides=[1, 1])

    # -- control flow --------------------------------------------------------

    def condition(self):
        """One bool."""
        found = self.pick(lambda v: v.kind == BOOL and v.shape == [])
        if found and self.rng.random() < 0.7:
            return found
        x = self.pick(lambda v: v.kind in NUMBERS)
        if not x:
            return self.constant(BOOL, [], [self.rng.random() < 0.5])
        if x.shape:
            x = self.reduced(x, True)
        limit = wrap(x.kind, self.rng.randint(-4, 8))
        return self.emit(self.rng.choice(["Greater", "Less"]),
                         [x, self.constant(x.kind, [], [limit])], BOOL, [])

    def forward(self, v):
        return self.emit("Identity", [v], v.kind, v.shape)

    def result(self, kind, shape, forwarding=0.3):
        """A value that this body gives: computed here, else handed on."""
        wanted = Value("", kind, shape)
        given = {v.name for v in self.body.inputs + self.body.outputs}
        mine = [v for v in self.pool if v.kind == kind and v.shape == shape
                and v.name not in given]
        if mine and self.rng.random() >= forwarding:
            return mine[-1]
        source = self.like(wanted, own=0.5)
        # An output of a graph is one of its own values, and once.
        is_own = any(v is source for v in self.pool) and \
            source.name not in {v.name for v in self.body.outputs}
        return source if is_own else self.forward(source)

    def nested(self, count):
        inner = Drawer(self.rng, self.names, self)
        return inner, lambda: inner.draw(self.rng.randint(0, count))

    def some_value(self):
        v = self.pick(lambda v: True, own=0.4)
        return v or self.any_constant(FLOAT, [3])

    def branch(self):
        results = [self.some_value() for _ in range(self.rng.randint(1, 3))]
        condition, arms = self.condition(), []
        for _ in range(2):
            inner, fill = self.nested(5)
            fill()
            for v in results:
                inner.body.outputs.append(inner.result(v.kind, v.shape, 0.4))
            arms.append(inner.body)
        outputs = [self.new(v.kind, v.shape) for v in results]
        self.body.nodes.append(Node("If", [condition], outputs, bodies=arms))
        self.pool += outputs

    def trips(self):
        """A trip count, and how many these are where that is known."""
        count = self.rng.randint(0, 4)
        choice = self.rng.random()
        if choice < 0.45:
            return self.constant(INT64, [], [count]), count
        x = self.pick(lambda v: v.kind == INT64 and v.shape == [])
        if x is None or choice < 0.6:
            return None, None
        return self.emit("Min", [x, self.constant(INT64, [], [count])], INT64,
                         []), None

    def carried(self, inner, initial):
        """What the next iteration gets: exchanged, rotated or new."""
        order = list(range(len(initial)))
        if self.rng.random() < 0.4:
            self.rng.shuffle(order)
        inputs = inner.body.inputs[-len(initial):]
        outputs = []
        for i, v in zip(order, initial):
            other = inputs[i]
            fits = other.kind == v.kind and other.shape == v.shape
            outputs.append(
                inner.forward(other) if fits and self.rng.random() < 0.35
                else inner.result(v.kind, v.shape, 0.15))
            inner.body.outputs = outputs
        return outputs

    def initial(self):
        found = [self.some_value()]
        for _ in range(self.rng.randint(0, 3)):
            found.append(self.like(found[0], own=0.3)
                         if self.rng.random() < 0.6 else self.some_value())
        return found

    def goes_on(self, inner, trips, counter):
        """The condition of the next iteration."""
        choice = self.rng.random()
        if trips is None or choice < 0.2:
            limit = inner.constant(INT64, [], [self.rng.randint(0, 3)])
            going = inner.emit("Less", [counter, limit], BOOL, [])
            return going if choice < 0.5 else inner.emit(
                "And", [going, inner.condition()], BOOL, [])
        if choice < 0.5:
            return inner.forward(inner.body.inputs[1])
        return inner.forward(inner.condition()) if choice < 0.8 else \
            inner.forward(inner.constant(BOOL, [], [True]))

    def loop(self):
        trips, count = self.trips()
        always = self.constant(BOOL, [], [True])
        go = always if self.rng.random() < 0.6 else self.condition()
        if trips is not None and self.rng.random() < 0.2:
            go = None
        initial = self.initial()
        inner, fill = self.nested(6)
        counter = inner.input(INT64, [])
        inner.input(BOOL, [])
        for v in initial:
            inner.input(v.kind, v.shape)
        fill()
        outputs = self.carried(inner, initial)
        is_counted = count and go in (always, None) and self.rng.random() < 0.5
        stays = inner.forward(inner.constant(BOOL, [], [True])) if is_counted \
            else self.goes_on(inner, trips, counter)
        inner.body.outputs = [stays] + outputs
        results = [self.new(v.kind, v.shape) for v in initial]
        if is_counted:
            row = self.some_value()
            inner.body.outputs.append(inner.result(row.kind, row.shape))
            results.append(self.new(row.kind, [count] + row.shape))
        self.body.nodes.append(Node("Loop", [trips, go, *initial], results,
                                    bodies=[inner.body]))
        self.pool += results

    def scan(self):
        x = self.pick(lambda v: v.shape)
        if not x:
            return
        scanned = [x] + [self.like(x)] * self.rng.randint(0, 1)
        initial = self.initial()
        inner, fill = self.nested(5)
        for v in initial:
            inner.input(v.kind, v.shape)
        for v in scanned:
            inner.input(v.kind, v.shape[1:])
        # What is carried stands last where `carried` looks for it.
        inputs, inner.body.inputs = inner.body.inputs, \
            inner.body.inputs[:len(initial)]
        fill()
        self.carried(inner, initial)
        inner.body.inputs = inputs
        rows = [self.some_value() for _ in range(self.rng.randint(0, 2))]
        for v in rows:
            inner.body.outputs.append(inner.result(v.kind, v.shape))
        results = [self.new(v.kind, v.shape) for v in initial] + \
            [self.new(v.kind, [x.shape[0]] + v.shape) for v in rows]
        self.body.nodes.append(Node(
            "Scan", initial + scanned, results, {
                "num_scan_inputs": len(scanned),
                "scan_input_directions": self.directions(len(scanned)),
                "scan_output_directions": self.directions(len(rows))},
            [inner.body]))
        self.pool += results

    def directions(self, count):
        return [int(self.rng.random() < 0.3) for _ in range(count)]

    MAKERS = ((unary, 8), (binary, 18), (divide, 3), (compare, 5), (logic, 4),
              (where, 5), (cast, 5), (shuffle, 3), (flatten, 3), (concat, 3),
              (slice, 4), (gather, 4), (reduce, 5), (running, 3), (top_k, 3),
              (product, 5), (conv, 8), (dense, 6), (sum, 5), (pool_of, 3), (branch, 16), (loop, 14),
              (scan, 7))

    def draw(self, count):
        makers, weights = zip(*self.MAKERS)
        for _ in range(count):
            make = self.rng.choices(makers, weights)[0]
            if self.depth >= DEPTH_MAX and make in makers[-3:]:
                make = Drawer.binary
            if len(self.pool) < 60:
                make(self)


def read_names(body):
    """The names that the nodes and results of a body read."""
    names = {v.name for v in body.outputs}
    for node in body.nodes:
        names |= {v.name for v in node.inputs if v}
        for inner in node.bodies:
            names |= read_names(inner)
    return names


def prune(body):
    """Leaves out what nothing reads."""
    while True:
        names = read_names(body)
        kept = [n for n in body.nodes
                if any(v.name in names for v in n.outputs)]
        if len(kept) == len(body.nodes):
            break
        body.nodes = kept
    body.constants = [c for c in body.constants if c[0].name in names]
    for node in body.nodes:
        for inner in node.bodies:
            prune(inner)


def network(seed, size=10):
    """Draws a network; returns its graph."""
    rng = random.Random(seed)
    drawer = Drawer(rng, [0])
    drawer.input(BOOL, [])
    drawer.input(INT64, [])
    for _ in range(rng.randint(2, 4)):
        drawer.input(rng.choice(KINDS), rng.choice(SHAPES))
    drawer.input(INT8, rng.choice(SHAPES[-6:]))
    drawer.draw(size)
    if not any(n.op in ("If", "Loop", "Scan") for n in drawer.body.nodes):
        rng.choice([drawer.branch, drawer.loop])()
    body = drawer.body
    names = read_names(body)
    made = [v for n in body.nodes for v in n.outputs]
    body.outputs = [v for v in made if v.name not in names][-6:] or made[-1:]
    prune(body)
    names = read_names(body)
    body.inputs = [v for v in body.inputs if v.name in names] or body.inputs[:1]
    return body


def feeds_of(body, seed):
    """Random values of a network's inputs."""
    rng = random.Random(seed)
    return [Tensor(v.kind, v.shape, random_data(rng, v.kind, v.shape))
            for v in body.inputs]
