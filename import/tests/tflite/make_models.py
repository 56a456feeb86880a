#!/usr/bin/env python3
"""Writes the small TensorFlow Lite models of the tests into this folder.

The models are made here, with arbitrary weights. Run it again after a change
and commit the results.
"""

import os
import struct

from tflite_wire import (BOOL, F32, I16, I32, I64, I8, RESOURCE, U8, Graph,
                         Model, Vector)

HERE = os.path.dirname(os.path.abspath(__file__))


def weights(count, seed):
    """Arbitrary int8 values, the same on every machine."""
    values = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        values.append((seed >> 16) % 255 - 127)
    return values


def conv():
    """CONV_2D with a scale per channel and RELU6, DEPTHWISE_CONV_2D, ADD,
    AVERAGE_POOL_2D, FULLY_CONNECTED, SOFTMAX."""
    g = Graph(Model(), "main")
    x = g.tensor("image", I8, [1, 5, 5, 2], 0.5, -3)
    w = g.tensor("w", I8, [4, 3, 3, 2], [0.01, 0.02, 0.03, 0.04], 0,
                 weights(72, 1))
    b = g.tensor("b", I32, [4], 0.005, 0, [10, -20, 30, -40])
    c = g.tensor("conv1", I8, [1, 3, 3, 4], 0.05, -128)
    g.op(3, [x, w, b], [c], 1, {0: ("b", 0), 1: ("i", 2), 2: ("i", 2),
                                3: ("b", 3)})
    dw = g.tensor("dw", I8, [1, 3, 3, 4], [0.02] * 4, 0, weights(36, 2), 3)
    d = g.tensor("depthwise", I8, [1, 3, 3, 4], 0.04, 5)
    g.op(4, [c, dw, -1], [d], 2, {0: ("b", 0), 1: ("i", 1), 2: ("i", 1),
                                  3: ("i", 1)})
    s = g.tensor("sum", I8, [1, 3, 3, 4], 0.06, 7)
    g.op(0, [c, d], [s], 11, {})
    p = g.tensor("mean", I8, [1, 1, 1, 4], 0.06, 7)
    g.op(1, [s], [p], 5, {0: ("b", 1), 1: ("i", 3), 2: ("i", 3), 3: ("i", 3),
                          4: ("i", 3)})
    fw = g.tensor("fw", I8, [3, 4], 0.03, 0, weights(12, 3))
    f = g.tensor("logits", I8, [1, 3], 0.1, 0)
    g.op(9, [p, fw, -1], [f], 8, {})
    y = g.tensor("classes", I8, [1, 3], 1 / 256, -128)
    g.op(25, [f], [y], 9, {0: ("f", 1.0)})
    g.inputs, g.outputs = [x], [y]
    return g.model


def open_batch():
    """PAD, CONV_2D, RESHAPE, FULLY_CONNECTED, RESIZE_NEAREST_NEIGHBOR and TILE
    of images whose number is open."""
    g = Graph(Model(), "main")

    def tensor(name, shape, scale, zero=0):
        return g.tensor(name, I8, shape, scale, zero, open_axes=(0,))

    x = tensor("image", [1, 3, 3, 2], 0.5, -3)
    pads = g.tensor("pads", I32, [4, 2], data=[0, 0, 1, 1, 1, 1, 0, 0])
    p = tensor("padded", [1, 5, 5, 2], 0.5, -3)
    g.op(34, [x, pads], [p])
    w = g.tensor("w", I8, [4, 3, 3, 2], [0.01, 0.02, 0.03, 0.04], 0,
                 weights(72, 1))
    c = tensor("conv", [1, 3, 3, 4], 0.05, -128)
    g.op(3, [p, w, -1], [c], 1, {0: ("b", 1), 1: ("i", 1), 2: ("i", 1)})
    size = g.tensor("size", I32, [2], data=[4, 2])
    s = tensor("resized", [1, 4, 2, 4], 0.05, -128)
    g.op(97, [c, size], [s], 74, {})
    rows = g.tensor("rows", I32, [2], data=[-1, 16])
    r = tensor("reshaped", [2, 16], 0.05, -128)
    g.op(22, [s, rows], [r])
    fw = g.tensor("fw", I8, [3, 16], 0.03, 0, weights(48, 3))
    y = tensor("y", [2, 3], 0.1, 0)
    g.op(9, [r, fw, -1], [y], 8, {})
    times = g.tensor("times", I32, [2], data=[2, 1])
    z = tensor("z", [4, 3], 0.1, 0)
    g.op(69, [y, times], [z])
    g.inputs, g.outputs = [x], [z]
    return g.model


def reshaped(axes):
    """ADD of two inputs, and a RESHAPE to a shape of two open dimensions, or
    of none."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [1, 4], 0.1, open_axes=(0,))
    n = g.tensor("n", I8, [1, 4], 0.1)
    s = g.tensor("s", I8, [1, 4], 0.1, open_axes=(0,))
    g.op(0, [x, n], [s], 11, {})
    y = g.tensor("y", I8, [2, 2], 0.1, open_axes=axes)
    g.op(22, [s], [y])
    g.inputs, g.outputs = [x, n], [y]
    return g.model


def gate():
    """IF over a comparison; a resource variable assigned in one branch,
    CALL_ONCE; the output is uint8."""
    model = Model()
    g, then, other, once = (Graph(model, name) for name in
                            ("main", "then", "else", "init"))
    x = g.tensor("x", I8, [1, 4], 0.1, 0)
    zero = g.tensor("zero", I8, [1, 1], 0.1, 0, [0])
    lists = [g.tensor("list%d" % i, I32, [2], data=data) for i, data in
             enumerate(([0, 0], [1, 1], [1, 1]))]
    first = g.tensor("first", I8, [1, 1], 0.1, 0)
    g.op(129, [], [], 103, {0: ("i", 3)})
    g.op(45, [x] + lists, [first], 32, {})
    positive = g.tensor("positive", BOOL, [1, 1])
    g.op(61, [first, zero], [positive])
    y = g.tensor("y", I8, [1, 4], 0.1, 0)
    g.op(118, [positive, x], [y], 92, {0: ("i", 1), 1: ("i", 2)})
    u = g.tensor("bytes", U8, [1, 4], 0.1, 128)
    g.op(114, [y], [u])
    g.inputs, g.outputs = [x], [u]
    for graph in (then, other):
        v = graph.tensor("v", I8, [1, 4], 0.1, 0)
        graph.inputs, graph.outputs = [v], [v]
    h = then.tensor("h", RESOURCE, [])
    then.op(142, [], [h], 111, {1: "sum"})
    old = then.tensor("old", I8, [1, 4], 0.1, 0)
    then.op(143, [h], [old])
    new = then.tensor("new", I8, [1, 4], 0.1, 0)
    then.op(0, [old, 0], [new], 11, {})
    then.op(144, [h, new], [])
    then.outputs = [new]
    h = once.tensor("h", RESOURCE, [])
    start = once.tensor("start", I8, [1, 4], 0.1, 0, [1, 2, 3, 4])
    once.op(142, [], [h], 111, {1: "sum"})
    once.op(144, [h, start], [])
    return model


def count():
    """WHILE: doubles a number until it is over 100."""
    model = Model()
    g, condition, body = (Graph(model, name) for name in
                          ("main", "condition", "body"))
    x = g.tensor("x", I32, [1])
    y = g.tensor("y", I32, [1])
    g.op(119, [x], [y], 93, {0: ("i", 1), 1: ("i", 2)})
    g.inputs, g.outputs = [x], [y]
    v = condition.tensor("v", I32, [1])
    limit = condition.tensor("limit", I32, [1], data=[100])
    below = condition.tensor("below", BOOL, [1])
    condition.op(58, [v, limit], [below])
    condition.inputs, condition.outputs = [v], [below]
    v = body.tensor("v", I32, [1])
    twice = body.tensor("twice", I32, [1])
    body.op(0, [v, v], [twice], 11, {})
    body.inputs, body.outputs = [v], [twice]
    return model


def passed():
    """Weights and lists as operands, as TensorFlow's converter writes them: of
    an IF in an IF, of two loops by the same body, and of CALL_ONCE."""
    model = Model()
    g, way, other, inside, condition, body, once = (
        Graph(model, name) for name in
        ("main", "way", "other", "inside", "condition", "body", "init"))

    def image(graph, name):
        return graph.tensor(name, I8, [1, 3, 3, 2], 0.1, 0)

    def weight(graph, data=None):
        return graph.tensor("w", I8, [2, 1, 1, 2], 0.02, 0, data)

    def order(graph, data=None):
        return graph.tensor("order", I32, [4], data=data)

    def flag(graph, name):
        return graph.tensor(name, BOOL, [1])

    def multiply(graph, x, w, name):
        y = image(graph, name)
        graph.op(3, [x, w, -1], [y], 1, {1: ("i", 1), 2: ("i", 1)})
        return y

    def swap(graph, x, by, name):
        y = image(graph, name)
        graph.op(39, [x, by], [y])
        return y

    x, w, by = image(g, "x"), weight(g, weights(4, 5)), order(g, [0, 2, 1, 3])
    flags = [flag(g, "outer"), flag(g, "inner")]
    n, y = g.tensor("n", I32, [1]), image(g, "chosen")
    start = g.tensor("start", I8, [1, 4], 0.1, 0, [1, 2, 3, 4])
    g.op(129, [start], [], 103, {0: ("i", 6)})
    g.op(118, [flags[0], x, flags[1], w, by], [y], 92,
         {0: ("i", 1), 1: ("i", 2)})
    for graph in (way, other, inside):
        graph.inputs = [image(graph, "v"), flag(graph, "f"), weight(graph),
                        order(graph)]
    v, f, w1, by1 = way.inputs
    out = image(way, "out")
    way.op(118, [f, v, f, w1, by1], [out], 92, {0: ("i", 3), 1: ("i", 2)})
    way.outputs = [out]
    v, f, w1, by1 = other.inputs
    other.outputs = [multiply(other, v, w1, "once")]
    v, f, w1, by1 = inside.inputs
    inside.outputs = [multiply(inside, swap(inside, v, by1, "swapped"), w1,
                               "out")]
    for graph in (condition, body):
        graph.inputs = [graph.tensor("i", I32, [1]), image(graph, "v"),
                        weight(graph), order(graph)]
    go = condition.tensor("go", BOOL, [1])
    limit = condition.tensor("limit", I32, [1], data=[3])
    condition.op(58, [condition.inputs[0], limit], [go])
    condition.outputs = [go]
    i, v, w1, by1 = body.inputs
    one, i1 = body.tensor("one", I32, [1], data=[1]), body.tensor("j", I32, [1])
    body.op(0, [i, one], [i1], 11, {})
    body.outputs = [i1, multiply(body, swap(body, v, by1, "s"), w1, "o"), w1,
                    by1]
    values = [n, y, w, by]
    for name in "ab":
        ends = [g.tensor("n" + name, I32, [1]), image(g, "y" + name),
                weight(g), order(g)]
        g.op(119, values, ends, 93, {0: ("i", 4), 1: ("i", 5)})
        values = [n] + ends[1:]
    h, sum_ = g.tensor("h", RESOURCE, []), g.tensor("sum", I8, [1, 4], 0.1, 0)
    g.op(142, [], [h], 111, {1: "sum"})
    g.op(143, [h], [sum_])
    g.inputs, g.outputs = [x, n] + flags, [values[1], sum_]
    h, v = once.tensor("h", RESOURCE, []), once.tensor("v", I8, [1, 4], 0.1, 0)
    once.op(142, [], [h], 111, {1: "sum"})
    once.op(144, [h, v], [])
    once.inputs = [v]
    return model


def shapes():
    """PAD, TRANSPOSE, SPLIT_V, CONCATENATION, a backward STRIDED_SLICE with a
    stride, PACK, UNPACK, SLICE, MEAN, QUANTIZE and DEQUANTIZE."""
    g = Graph(Model(), "main")
    x = g.tensor("x", F32, [2, 3])
    q = g.tensor("q", I8, [2, 3], 0.25, 1)
    g.op(114, [x], [q])
    pads = g.tensor("pads", I32, [2, 2], data=[0, 1, 1, 2])
    p = g.tensor("padded", I8, [3, 6], 0.25, 1)
    g.op(34, [q, pads], [p])
    order = g.tensor("order", I32, [2], data=[1, 0])
    t = g.tensor("transposed", I8, [6, 3], 0.25, 1)
    g.op(39, [p, order], [t])
    sizes = g.tensor("sizes", I32, [2], data=[2, -1])
    axis = g.tensor("axis", I32, [], data=[0])
    s0 = g.tensor("part0", I8, [2, 3], 0.25, 1)
    s1 = g.tensor("part1", I8, [4, 3], 0.25, 1)
    g.op(102, [t, sizes, axis], [s0, s1], 79, {0: ("i", 2)})
    c = g.tensor("joined", I8, [6, 3], 0.25, 1)
    g.op(2, [s1, s0], [c], 10, {0: ("i", 0)})
    lists = [g.tensor("list%d" % i, I32, [2], data=data) for i, data in
             enumerate(([-1, 0], [0, 3], [-2, 2]))]
    r = g.tensor("strided", I8, [3, 2], 0.25, 1)
    g.op(45, [c] + lists, [r], 32, {})
    a, b = (g.tensor("row%d" % i, I8, [2], 0.25, 1) for i in range(2))
    last = g.tensor("row2", I8, [2], 0.25, 1)
    g.op(88, [r], [a, b, last], 64, {0: ("i", 3), 1: ("i", 0)})
    k = g.tensor("packed", I8, [2, 3], 0.25, 1)
    g.op(83, [a, b, last], [k], 59, {0: ("i", 3), 1: ("i", 1)})
    axes = g.tensor("axes", I32, [1], data=[1])
    m = g.tensor("mean", I8, [2], 0.125, -2)
    g.op(40, [k, axes], [m], 27, {})
    y = g.tensor("y", F32, [2])
    g.op(6, [m], [y])
    z = g.tensor("z", I8, [2, 3], 0.25, 1)
    starts = g.tensor("starts", I32, [2], data=[0, 0])
    extents = g.tensor("extents", I32, [2], data=[-1, 3])
    g.op(65, [k, starts, extents], [z])
    g.inputs, g.outputs = [x], [y, z]
    return g.model


def computed():
    """Lists that operators compute: the order of a TRANSPOSE from half of a
    SHAPE and a constant, the pads of a PAD from a sum."""
    g = Graph(Model(), "main")
    x = g.tensor("x", F32, [2, 3, 4])
    sizes = g.tensor("sizes", I32, [3])
    g.op(77, [x], [sizes])
    lists = [g.tensor("list%d" % i, I32, [1], data=[data]) for i, data in
             enumerate((0, 1, 1))]
    two = g.tensor("two", I32, [1])
    g.op(45, [sizes] + lists, [two], 32, {})
    rest = g.tensor("rest", I32, [2], data=[0, 1])
    order = g.tensor("order", I32, [3])
    g.op(2, [two, rest], [order], 10, {0: ("i", 0)})
    t = g.tensor("transposed", F32, [4, 2, 3])
    g.op(39, [x, order], [t])
    pads = [g.tensor("pads%d" % i, I32, [3, 2], data=data) for i, data in
            enumerate(([0, 0, 1, 0, 0, 1], [1, 0, 0, 0, 0, 1]))]
    total = g.tensor("total", I32, [3, 2])
    g.op(0, pads, [total], 11, {})
    y = g.tensor("y", F32, [5, 3, 5])
    g.op(34, [t, total], [y])
    g.inputs, g.outputs = [x], [y]
    return g.model


def slices():
    """SLICE and STRIDED_SLICE from where inputs say: a window, a row,
    every second row, and columns backwards."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [6, 4], 0.1, 3)
    at = g.tensor("at", I32, [2])
    sizes = g.tensor("sizes", I32, [2], data=[2, 3])
    window = g.tensor("window", I8, [2, 3], 0.1, 3)
    g.op(65, [x, at, sizes], [window])
    ends = g.tensor("ends", I32, [2], data=[0, 4])
    ones = g.tensor("ones", I32, [2], data=[1, 1])
    row = g.tensor("row", I8, [4], 0.1, 3)
    g.op(45, [x, at, ends, ones], [row], 32, {0: ("i", 2), 1: ("i", 2),
                                              4: ("i", 1)})
    two, four = (g.tensor("number%d" % i, I32, [1], data=[i]) for i in (2, 4))
    first = g.tensor("first", I32, [1])
    lists = [g.tensor("list%d" % i, I32, [1], data=[i]) for i in range(2)]
    g.op(45, [at] + lists + [lists[1]], [first], 32, {})
    last = g.tensor("last", I32, [1])
    g.op(0, [first, four], [last], 11, {})
    pair = g.tensor("pair", I8, [2, 4], 0.1, 3)
    g.op(45, [x, first, last, two], [pair], 32, {})
    steps = g.tensor("steps", I32, [2], data=[1, -1])
    back = g.tensor("back", I8, [6, 2], 0.1, 3)
    g.op(45, [x, at, ends, steps], [back], 32, {0: ("i", 1), 1: ("i", 1)})
    g.inputs, g.outputs = [x, at], [window, row, pair, back]
    return g.model


def live():
    """An IF of two rows or all, STRIDED_SLICE and SLICE of as many rows as
    inputs say, and what operators make of them."""
    m = Model()
    g, few, all_rows = (Graph(m, name) for name in ("main", "few", "all"))
    for branch, rows in ((few, 2), (all_rows, 6)):
        v = branch.tensor("v", F32, [6, 4])
        part = branch.tensor("taken", F32, [rows, 4])
        first = branch.tensor("first", I32, [2], data=[1, 0])
        if rows == 2:
            size = branch.tensor("size", I32, [2], data=[rows, 4])
            branch.op(65, [v, first, size], [part])
        else:
            branch.op(59, [v], [part])
        branch.inputs, branch.outputs = [v], [part]
    x = g.tensor("x", F32, [6, 4])
    short = g.tensor("short", BOOL, [1])
    n, k = (g.tensor(name, I32, [1]) for name in "nk")
    g.inputs, names = [x, short, n, k], {}

    def out(name, code, inputs, shape, kind=F32, options=0, fields=None,
            open_axes=(0,), **quant):
        names[name] = g.tensor(name, kind, shape, open_axes=open_axes, **quant)
        g.op(code, inputs, [names[name]], options, fields)
        return names[name]

    def ints(name, *numbers):
        return g.tensor(name, I32, [len(numbers)], data=numbers)

    zero, one, two = (ints("number%d" % i, i) for i in range(3))
    part = out("part", 118, [short, x], [1, 4], F32, 92,
               {0: ("i", 1), 1: ("i", 2)})
    each = out("each", 47, [part], [1, 4])
    out("joined", 2, [each, x, part], [1, 4], F32, 10, {0: ("i", 0)})
    w = g.tensor("w", F32, [3, 4], data=[(i * 7 % 11 - 5) / 4 for i in range(12)])
    out("product", 9, [part, w, -1], [1, 3], F32, 8)
    out("largest", 82, [part, zero], [4], open_axes=())
    out("mean", 40, [part, zero], [4], open_axes=())
    out("shape", 77, [part], [2], I32, open_axes=())
    out("turned", 39, [part, ints("swap", 1, 0)], [4, 1], open_axes=(1,))
    out("bytes", 114, [part], [1, 4], I8, scale=0.25, zero=1)
    rows = out("rows", 45, [x, n, k, one], [1, 4], F32, 32)
    out("others", 45, [rows, one, zero, two], [1, 4], F32, 32,
        {1: ("i", 1)})
    out("last", 45, [rows, ints("minus", -2), zero, one], [1, 4], F32, 32,
        {1: ("i", 1)})
    begin, size = (g.tensor(name, I32, [2]) for name in ("begin", "size"))
    g.op(2, [n, zero], [begin], 10, {0: ("i", 0)})
    g.op(2, [k, ints("four", 4)], [size], 10, {0: ("i", 0)})
    window = out("window", 65, [x, begin, size], [1, 4])
    out("sum", 74, [window, zero], [4], open_axes=())
    g.outputs = list(names.values())
    return m


def grow():
    """A WHILE that adds a row to what it carries in each of as many iterations
    as an input says; one more row in every second, by an IF."""
    m = Model()
    g, test, body, even, odd = (Graph(m, name) for name in
                                ("main", "test", "body", "even", "odd"))

    def carried(graph):
        return [graph.tensor("i", I32, [1]), graph.tensor("n", I32, [1]),
                graph.tensor("x", F32, [6, 4]),
                graph.tensor("cache", F32, [1, 4], open_axes=(0,))]

    test.inputs = carried(test)
    below = test.tensor("below", BOOL, [1])
    test.op(58, test.inputs[:2], [below])
    test.outputs = [below]
    i, n, x, cache = body.inputs = carried(body)
    zero, one, two = (body.tensor("number%d" % k, I32, [1], data=[k])
                      for k in range(3))
    begin = body.tensor("begin", I32, [2])
    body.op(2, [i, zero], [begin], 10, {0: ("i", 0)})
    size = body.tensor("size", I32, [2], data=[1, 4])
    row = body.tensor("row", F32, [1, 4])
    body.op(65, [x, begin, size], [row])
    bit = body.tensor("bit", I32, [1])
    body.op(42, [i, two], [bit], 29, {})
    twice = body.tensor("twice", I32, [1])
    body.op(18, [bit, two], [twice], 21, {})
    is_even = body.tensor("is_even", BOOL, [1])
    body.op(71, [twice, i], [is_even])
    rows = body.tensor("rows", F32, [1, 4], open_axes=(0,))
    body.op(118, [is_even, row], [rows], 92, {0: ("i", 3), 1: ("i", 4)})
    for graph, copies in ((even, 2), (odd, 1)):
        v = graph.tensor("v", F32, [1, 4])
        w = graph.tensor("w", F32, [copies, 4])
        graph.op(2, [v] * copies, [w], 10, {0: ("i", 0)})
        graph.inputs, graph.outputs = [v], [w]
    more = body.tensor("more", F32, [1, 4], open_axes=(0,))
    body.op(2, [cache, rows], [more], 10, {0: ("i", 0)})
    after = body.tensor("after", I32, [1])
    body.op(0, [i, one], [after], 11, {})
    body.outputs = [after, n, x, more]
    x, n = g.tensor("x", F32, [6, 4]), g.tensor("n", I32, [1])
    start = g.tensor("start", I32, [1], data=[0])
    first = g.tensor("first", F32, [1, 4], data=[0.5, -1.0, 0.25, 2.0])
    done, same, kept = (g.tensor(name, kind, shape) for name, kind, shape in
                        (("done", I32, [1]), ("same", I32, [1]),
                         ("kept", F32, [6, 4])))
    grown = g.tensor("grown", F32, [1, 4], open_axes=(0,))
    g.op(119, [start, n, x, first], [done, same, kept, grown], 93,
         {0: ("i", 1), 1: ("i", 2)})
    negated = g.tensor("negated", F32, [1, 4], open_axes=(0,))
    g.op(59, [grown], [negated])
    axis = g.tensor("axis", I32, [1], data=[0])
    total = g.tensor("total", F32, [4])
    g.op(74, [grown, axis], [total])
    g.inputs, g.outputs = [x, n], [grown, negated, total, done]
    return m


def tables():
    """Every activation on int8: the whole of its 256 values, once."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [256], 0.05, 10)
    g.inputs = [x]
    for code, name, scale, zero, kind, options in (
            (14, "logistic", 1 / 256, -128, 0, None),
            (28, "tanh", 1 / 128, 0, 0, None),
            (117, "hard_swish", 0.04, -100, 0, None),
            (98, "leaky_relu", 0.06, 3, 75, {0: ("f", 0.1)}),
            (19, "relu", 0.03, -20, 0, None),
            (21, "relu6", 0.05, 10, 0, None)):
        y = g.tensor(name, I8, [256], scale, zero)
        g.op(code, [x], [y], kind, options)
        g.outputs.append(y)
    return g.model


def bytes_of_the_old_kind():
    """uint8 throughout: CONV_2D with zero points of input and weights."""
    g = Graph(Model(), "main")
    x = g.tensor("x", U8, [1, 2, 2, 1], 0.5, 100)
    w = g.tensor("w", U8, [1, 2, 2, 1], 0.25, 130, [131, 128, 140, 5])
    b = g.tensor("b", I32, [1], 0.125, 0, [8])
    y = g.tensor("y", U8, [1, 1, 1, 1], 2.0, 90)
    g.op(3, [x, w, b], [y], 1, {0: ("b", 1), 1: ("i", 1), 2: ("i", 1)})
    g.inputs, g.outputs = [x], [y]
    return g.model


def wide():
    """int16 activations: CONV_2D with an int64 bias, ADD, RELU."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I16, [1, 2, 2, 2], 0.001, 0)
    w = g.tensor("w", I8, [2, 1, 1, 2], [0.01, 0.02], 0, weights(4, 4))
    b = g.tensor("b", I64, [2], 0.00001, 0, [100000, -200000])
    c = g.tensor("conv", I16, [1, 2, 2, 2], 0.002, 0)
    g.op(3, [x, w, b], [c], 1, {0: ("b", 0), 1: ("i", 1), 2: ("i", 1)})
    s = g.tensor("sum", I16, [1, 2, 2, 2], 0.003, 0)
    g.op(0, [x, c], [s], 11, {})
    y = g.tensor("y", I16, [1, 2, 2, 2], 0.003, 0)
    g.op(19, [s], [y])
    g.inputs, g.outputs = [x], [y]
    return g.model


def memory():
    """SVDF on int8 and UNIDIRECTIONAL_SEQUENCE_LSTM on float32: variable
    tensors."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [1, 2], 0.5, 0)
    feature = g.tensor("feature", I8, [4, 2], 1.0, 0, [1, 0, 0, 1, 1, 1, 1, -1])
    time = g.tensor("time", I16, [4, 3], 1.0, 0,
                    [1, 2, 3, 1, 1, 1, 0, 0, 1, -1, 0, 1])
    bias = g.tensor("bias", I32, [2], 0.5, 0, [4, -6])
    state = g.tensor("svdf_state", I16, [1, 12], 0.5, 0, variable=True)
    y = g.tensor("y", I8, [1, 2], 1.0, 3)
    g.op(27, [x, feature, time, bias, state], [y], 6, {0: ("i", 2)})
    s = g.tensor("sequence", F32, [1, 2, 1])
    def gate(name, shape, value):
        size = shape[0] * (shape[1] if len(shape) > 1 else 1)
        return g.tensor(name, F32, shape, data=[value] * size)
    weights = [gate("w%d" % i, [1, 1], 0.5 + 0.25 * i) for i in range(4)]
    recurrent = [gate("r%d" % i, [1, 1], 0.1 * (i + 1)) for i in range(4)]
    biases = [gate("b%d" % i, [1], 0.2 - 0.1 * i) for i in range(4)]
    hidden = g.tensor("hidden", F32, [1, 1], variable=True)
    cell = g.tensor("cell", F32, [1, 1], variable=True)
    z = g.tensor("z", F32, [1, 2, 1])
    g.op(44, [s] + weights + recurrent + [-1] * 3 + biases + [-1] * 2 +
         [hidden, cell] + [-1] * 4, [z], 71, {0: ("b", 4)})
    g.inputs, g.outputs = [x, s], [y, z]
    return g.model


def sequence(steps):
    """UNIDIRECTIONAL_SEQUENCE_LSTM on int8, of this many steps."""
    g = Graph(Model(), "main")
    inputs, units = 4, 16
    def gates(length, seed):
        return [g.tensor("w%d" % (seed + i), I8, [units, length], 0.005, 0,
                         weights(units * length, seed + i)) for i in range(4)]
    x = g.tensor("x", I8, [1, steps, inputs], 0.02, 5)
    w, r = gates(inputs, 1), gates(units, 5)
    b = [g.tensor("b%d" % i, I32, [units], 0.0001, 0, weights(units, 9 + i))
         for i in range(4)]
    hidden = g.tensor("hidden", I8, [1, units], 1 / 128, -3, variable=True)
    cell = g.tensor("cell", I16, [1, units], 2.0 ** -11, 0, variable=True)
    y = g.tensor("y", I8, [1, steps, units], 1 / 128, -3)
    g.op(44, [x] + w + r + [-1] * 3 + b + [-1] * 2 + [hidden, cell] + [-1] * 4,
         [y], 71, {0: ("b", 4)})
    g.inputs, g.outputs = [x], [y]
    return g.model


def images():
    """MUL, SUB, MAXIMUM, PRELU, TRANSPOSE_CONV and both ways of resizing."""
    g = Graph(Model(), "main")
    a = g.tensor("a", I8, [1, 2, 2, 1], 0.1, 5)
    b = g.tensor("b", I8, [1, 2, 2, 1], 0.2, -7)
    shape = [1, 2, 2, 1]
    product = g.tensor("product", I8, shape, 0.5, 3)
    g.op(18, [a, b], [product], 21, {})
    difference = g.tensor("difference", I8, shape, 0.3, 1)
    g.op(41, [a, b], [difference], 28, {})
    same = g.tensor("same", I8, [1, 1, 1, 1], 0.1, 5, [20])
    largest = g.tensor("largest", I8, shape, 0.1, 5)
    g.op(55, [a, same], [largest])
    slopes = g.tensor("slopes", I8, [1], 0.01, 0, [25])
    bent = g.tensor("bent", I8, shape, 0.1, 0)
    g.op(54, [a, slopes], [bent])
    size = g.tensor("size", I32, [2], data=[4, 4])
    near = g.tensor("near", I8, [1, 4, 4, 1], 0.1, 5)
    g.op(97, [a, size], [near], 74, {})
    smooth = g.tensor("smooth", I8, [1, 4, 4, 1], 0.1, 5)
    g.op(23, [a, size], [smooth], 15, {3: ("?", True)})
    w = g.tensor("w", I8, [1, 2, 2, 1], 1.0, 0, [1, 2, 3, 4])
    out = g.tensor("out", I32, [4], data=[1, 4, 4, 1])
    grown = g.tensor("grown", I8, [1, 4, 4, 1], 0.4, -2)
    g.op(67, [out, w, a], [grown], 49, {0: ("b", 0), 1: ("i", 2), 2: ("i", 2)})
    g.inputs = [a, b]
    g.outputs = [product, difference, largest, bent, near, smooth, grown]
    return g.model


def recursive():
    """A graph that calls itself: refused."""
    g = Graph(Model(), "main")
    x = g.tensor("x", BOOL, [1])
    y = g.tensor("y", BOOL, [1])
    g.op(118, [x, x], [y], 92, {0: ("i", 0), 1: ("i", 0)})
    g.inputs, g.outputs = [x], [y]
    return g.model


def unknown():
    """An operator that is not supported: refused."""
    g = Graph(Model(), "main")
    x = g.tensor("x", F32, [4])
    y = g.tensor("topmost", F32, [2])
    g.op(103, [x], [y])
    g.inputs, g.outputs = [x], [y]
    return g.model


def custom():
    """A custom operator: refused by its name."""
    g = Graph(Model(), "main")
    x = g.tensor("x", F32, [4])
    y = g.tensor("y", F32, [4])
    g.op(32, [x], [y], custom="Frobnicate")
    g.inputs, g.outputs = [x], [y]
    return g.model


def pair(kind, shape, data=None, count=None):
    """ABS of one tensor; `count`: how many elements its data is given."""
    g = Graph(Model(), "main")
    x = g.tensor("x", kind, shape, data=data)
    if count is not None:
        g.tensors[x][0] = Vector("i", [count])
    y = g.tensor("y", kind, shape)
    g.op(101, [x], [y])
    g.inputs, g.outputs = [] if data else [x], [y]
    return g.model


def huge():
    """Dimensions whose product overflows: refused."""
    return pair(F32, [1 << 30, 1 << 30, 1 << 30])


def short():
    """A constant with fewer bytes than its shape asks for: refused."""
    return pair(F32, [2], [1.0, 2.0], 4)


def half():
    """Elements of 16-bit floats: refused."""
    return pair(1, [4])


def index():
    """An operator that names a tensor which is not there: refused."""
    model = pair(F32, [2])
    model.graphs[0].operators[0][1] = Vector("i", [9])
    return model


def outside():
    """A buffer said to be longer than the file: refused."""
    return pair(I32, [2], [0x1234567, 0x1234567])


def main():
    for name, make in (("conv", conv), ("gate", gate), ("count", count),
                       ("passed", passed), ("shapes", shapes), ("computed", computed), ("tables", tables),
                       ("slices", slices), ("live", live), ("grow", grow),
                       ("uint8", bytes_of_the_old_kind), ("int16", wide), ("memory", memory),
                       ("images", images),
                       ("sequence", lambda: sequence(200)),
                       ("long_sequence", lambda: sequence(2100)),
                       ("recursive", recursive), ("unknown", unknown),
                       ("custom", custom),
                       ("huge", huge), ("short", short), ("half", half),
                       ("index", index), ("open", open_batch),
                       ("closed", lambda: reshaped(())), ("loose", lambda: reshaped((0, 1)))):
        make().write(os.path.join(HERE, name + ".tflite"))
    # The last buffer's length, in front of its bytes.
    data = outside().encode()
    at = data.index(struct.pack("<3i", 8, 0x1234567, 0x1234567))
    with open(os.path.join(HERE, "outside.tflite"), "wb") as out:
        out.write(data[:at] + struct.pack("<I", 1 << 30) + data[at + 4:])


if __name__ == "__main__":
    main()
