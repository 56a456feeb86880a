#!/usr/bin/env python3
"""Models that are refused, each with its message.

usage: refused.py LUNAC FOLDER
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
from operands import ROW, deep, loops, shared
from tflite_wire import F32, I32, I64, I8, Graph, Model

LUNAC, FOLDER = sys.argv[1:3]
SLICE, STRIDED_SLICE = (65, 0), (45, 32)


def model(operator, lists, output, options=None, open_axes=(), kind=I32):
    """An operator on a 6x4 tensor; lists that are a number are inputs of so
    many integers."""
    g = Graph(Model(), "main")
    x = g.tensor("x", I8, [6, 4], 0.1)
    ids = []
    for i, data in enumerate(lists):
        is_input = isinstance(data, int)
        ids.append(g.tensor("list%d" % i, kind if is_input else I32,
                            [data if is_input else len(data)],
                            data=None if is_input else data))
    y = g.tensor("y", I8, output, 0.1, open_axes=open_axes)
    g.op(operator[0], [x] + ids, [y], operator[1], options or {})
    g.inputs = [x] + [ids[i] for i, data in enumerate(lists)
                      if isinstance(data, int)]
    g.outputs = [y]
    return g.model


def after(code, shape, data=None, kind=I32, options=None, open_axes=(0,)):
    """An operator on rows of computed places, and perhaps a constant."""
    m = model(STRIDED_SLICE, [2, 2, [1, 1]], [1, 4], {0: ("i", 2), 1: ("i", 2)},
              (0,))
    g = m.graphs[0]
    others = [] if data is None else [
        g.tensor("data", kind, [len(data)], 0.1 if kind == I8 else None,
                 data=data)]
    z = g.tensor("z", I8, shape, 0.1, open_axes=open_axes)
    g.op(code[0], [len(g.tensors) - 2 - len(others)] + others, [z], code[1],
         options or {})
    g.outputs = [z]
    return m


def single(code, inputs, outputs, options=None):
    """An operator on tensors: kinds, shapes, and data of constants."""
    g = Graph(Model(), "main")
    ids = [g.tensor("in%d" % i, kind, shape, data=data)
           for i, (kind, shape, data) in enumerate(inputs)]
    made = [g.tensor("out%d" % i, kind, shape)
            for i, (kind, shape) in enumerate(outputs)]
    g.op(code[0], ids, made, code[1], options or {})
    g.inputs = [n for n, given in zip(ids, inputs) if given[2] is None]
    g.outputs = made
    return g.model


LIVE = "the size of 'y', here dimension 0, is known while running only: "
COMPUTED = "(CONV_2D, output 'p%s'): input 1, 'w', is computed by the model"
ROWS = [
    (shared(None), "subgraph 1, operator 0 " + COMPUTED % "roduct"),
    (shared(ROW, [2]), "operator 1 (IF, output 'z'): 'w' of subgraph 1 has "
     "another type or shape than what it stands for here"),
    (loops(False), "subgraph 2, operator 2 " + COMPUTED % ""),
    (deep(257), "subgraph 258, operator 0 (IF, output 'z'): is nested more than "
     "256 deep"),
    (after((105, 0), [1, 4], [0]),
     LIVE + "this operator is not supported for it"),
    (after((22, 0), [2, 4], open_axes=()), "computes 24 elements"),
    (after((40, 0), [4], [0], open_axes=()),
     LIVE + "a mean along it must be of float32"),
    (model(SLICE, [2, [7, 4]], [7, 4]),
     "takes 7 from a computed start of a dimension of 6; 1 to 6 are possible"),
    (model(SLICE, [2, [0, 4]], [6, 4]),
     "takes 0 from a computed start of a dimension of 6"),
    (model(SLICE, [1, [1, 4]], [1, 4]),
     "has 1 starts and 2 sizes for 2 dimensions"),
    (model(SLICE, [3, [1, 4, 1]], [1, 4]),
     "is not a list of at most 2 int32 or int64"),
    (model(SLICE, [2, [1, 4]], [1, 4], kind=F32),
     "is not a list of at most 2 int32 or int64"),
    (model(STRIDED_SLICE, [2, 2, [-1, 1]], [3, 4], open_axes=(0,)),
     "takes a part of dimension 0 backwards whose size is known while running "
     "only"),
    (model(STRIDED_SLICE, [2, 2, [1, 1]], [3, 4], open_axes=(0, 1)),
     "takes parts of two dimensions whose sizes are known while running only"),
    (model(STRIDED_SLICE, [2, 2, [3, 1]], [3, 4]),
     "takes 3, each 3 apart, of a dimension of 6"),
    (model(STRIDED_SLICE, [2, 2, [1]], [3, 4]),
     "has lists of 2, 2 and 1 integers"),
    (model(STRIDED_SLICE, [2, 2, [0, 1]], [3, 4]), "has stride 0"),
    (single((48, 0), [(F32, [2, 4], None), (I32, [], [5])],
            [(F32, [2, 5]), (I32, [2, 5])]),
     "takes 5 elements of a last dimension that has 4"),
    (single((48, 0), [(F32, [4], None), (I32, [], [2])],
            [(F32, [2]), (I64, [2])]),
     "indices 'out1' are int64, must be int32"),
    (single((85, 61), [(I32, [2], None), (I32, [], [0]), (F32, [], [1.0]),
                       (F32, [], [0.0])], [(F32, [2, 1])], {0: ("i", -1)}),
     "needs a depth of 1 or more and two values"),
    (single((96, 0), [(I32, [], [3]), (I32, [], [3]), (I32, [], [1])],
            [(I32, [1])]), "has no or too many steps"),
    (single((109, 0), [(F32, [], None)], [(I64, [1, 1])]),
     "a scalar has no places"),
    (single((109, 0), [(F32, [4], None)], [(I32, [1, 1])]),
     "places are int64"),
    (single((122, 0), [(I32, [2, 2], None), (F32, [3], None), (I32, [1], [4])],
            [(F32, [4])]), "indices, updates and shape do not go together"),
    (model(STRIDED_SLICE, [2, [3, 4], [1, 1]], [3, 4], {2: ("i", 1)}),
     "ellipsis and new axes are not supported"),
]

os.makedirs(FOLDER, exist_ok=True)
failed = 0
for i, (made, message) in enumerate(ROWS):
    path = os.path.join(FOLDER, "%d.tflite" % i)
    made.write(path)
    done = subprocess.run([LUNAC, "import", path], capture_output=True,
                          text=True)
    if done.returncode != 2 or message not in done.stderr:
        print("%d: expected '%s', got %d: %s" % (i, message, done.returncode,
                                                 done.stderr))
        failed += 1
print("%d models, %d as expected" % (len(ROWS), len(ROWS) - failed))
sys.exit(failed > 0)
