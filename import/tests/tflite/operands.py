"""Models whose graphs get weights as operands, as TensorFlow's converter writes
them."""

from tflite_wire import BOOL, F32, I32, Graph, Model

FIRST, SECOND, ROW = [1.0, 2.0, -3.0, 0.5], [-1.0, 0.25, 2.0, 4.0], [0.5, -2.0]


def vector(g, name, data=None):
    return g.tensor(name, F32, [1, 1, 1, 2], data=data)


def weights(g, name, data=None, shape=(2, 1, 1, 2)):
    return g.tensor(name, F32, list(shape), data=data)


def row(g, name, data=None):
    return g.tensor(name, F32, [2], data=data)


def multiply(g, x, w, b, name):
    y = vector(g, name)
    g.op(3, [x, w, b], [y], 1, {1: ("i", 1), 2: ("i", 1)})
    return y


def add(g, x, y, result):
    g.op(0, [x, y], [result], 11, {})
    return result


def branch(g, flag, operands, ways, name):
    y = vector(g, name)
    g.op(118, [flag] + operands, [y], 92, {0: ("i", ways[0]), 1: ("i", ways[1])})
    return y


def called(model, name):
    """A graph of a flag, a vector, and weights."""
    g = Graph(model, name)
    g.inputs = [g.tensor("f", BOOL, [1]), vector(g, "v"), weights(g, "w")]
    return g


def main_of(model):
    g = Graph(model, "main")
    g.inputs = [g.tensor("flag", BOOL, [1]), vector(g, "x")]
    return g


def ways_of(model):
    """Graphs 1 and 2: one multiplies by its weights, the other does not."""
    way, other = called(model, "way"), called(model, "other")
    way.outputs = [multiply(way, way.inputs[1], way.inputs[2], -1, "product")]
    other.outputs = [other.inputs[1]]


def shared(second=SECOND, shape=(2, 1, 1, 2)):
    """The same branches with two constants; None for a computed second one."""
    model = Model()
    g = main_of(model)
    ways_of(model)
    flag, x = g.inputs
    a, b = weights(g, "a", FIRST), weights(g, "b", second, shape)
    if second is None:
        add(g, a, x, b)
    y = branch(g, flag, [flag, x, a], [1, 2], "y")
    g.outputs = [branch(g, flag, [flag, y, b], [1, 2], "z")]
    return model


def deep(levels):
    """Weights that go through so many levels of branches."""
    model = Model()
    g = main_of(model)
    ways_of(model)
    graphs = [g] + [called(model, "level%d" % i) for i in range(1, levels)]
    for i, graph in enumerate(graphs):
        flag, x = graph.inputs[:2]
        w = graph.inputs[2] if i else weights(g, "a", FIRST)
        inner = model.graphs.index(graphs[i + 1]) if i + 1 < levels else 1
        graph.outputs = [branch(graph, flag, [flag, x, w], [inner, 2], "z")]
    return model


def loop(g, values, graphs, name):
    like = [g.tensor("n" + name, I32, [1]), vector(g, "x" + name),
            weights(g, "w" + name), row(g, "b" + name)]
    g.op(119, values, like, 93, {0: ("i", graphs[0]), 1: ("i", graphs[1])})
    return like


def loops(is_kept=True):
    """A loop that keeps weights and a bias, in one that does, and then a loop
    that changes the bias; or one that multiplies by weights that it changes."""
    model = Model()
    g = Graph(model, "main")
    condition, keep, change, outer = (
        Graph(model, name) for name in ("condition", "keep", "change", "outer"))
    for graph in (condition, keep, change, outer):
        graph.inputs = [graph.tensor("i", I32, [1]), vector(graph, "v"),
                        weights(graph, "w"), row(graph, "b")]
    go = condition.tensor("go", BOOL, [1])
    condition.op(58, [condition.inputs[0],
                      condition.tensor("two", I32, [1], data=[2])], [go])
    condition.outputs = [go]
    following = []
    for graph in (keep, change, outer):
        one = graph.tensor("one", I32, [1], data=[1])
        following.append(add(graph, graph.inputs[0], one,
                             graph.tensor("j", I32, [1])))
    i, v, w, b = keep.inputs
    kept = w if is_kept else add(keep, w, w, weights(keep, "w2"))
    keep.outputs = [following[0], multiply(keep, v, w, b, "p"), kept, b]
    i, v, w, b = change.inputs
    change.outputs = [following[1], add(change, v, b, vector(change, "s")), w,
                      add(change, b, b, row(change, "b2"))]
    i, v, w, b = outer.inputs
    ends = loop(outer, outer.inputs, [1, 2], "_inner")
    outer.outputs = [following[2]] + ends[1:]
    n, x = g.tensor("n", I32, [1]), vector(g, "x")
    ends = loop(g, [n, x, weights(g, "a", FIRST), row(g, "r", ROW)], [1, 4],
                "_kept")
    last = loop(g, [n] + ends[1:], [1, 3], "_changed")
    g.inputs, g.outputs = [n, x], [last[1], last[3]]
    return model
