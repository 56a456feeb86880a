"""Models of single operators that no import test has alone, for
bench/core_readers.py."""

import os
import sys

from bench_util import ROOT

TESTS = os.path.join(ROOT, "import", "tests")
sys.path[:0] = [os.path.join(TESTS, "onnx"), os.path.join(TESTS, "tflite")]
from onnx_wire import (FLOAT, INT8, INT32, graph, model, node, tensor,
                       value)
from tflite_wire import BOOL, F32, I32, I64, I8, Graph, Model

ROWS = [8, 8]
QUANTISED = "com.microsoft"


#===- ONNX ------------------------------------------------------------------===#

def of_onnx(name, inputs, kind, constants=()):
    """A node on `inputs` inputs of 8 x 8, and constants."""
    names = [f"x{i}" for i in range(inputs)]
    tensors = [tensor(f"c{i}", *constant)
               for i, constant in enumerate(constants)]
    made = node(name, names + [f"c{i}" for i in range(len(constants))], ["y"])
    return model(graph([made], [value(x, kind, ROWS) for x in names],
                       [value("y", kind, ["n"])], tensors), 20)


def of_domain(name, inputs):
    """A node of ONNX Runtime on inputs of float."""
    names = [f"x{i}" for i in range(inputs)]
    made = node(name, names, ["y"], QUANTISED)
    return model(graph([made], [value(x, FLOAT, ROWS) for x in names],
                       [value("y", FLOAT, ["n"])]), 20, [QUANTISED])


def scale(number=0.0625):
    return [(FLOAT, [], [number]), (INT8, [], [3])]


def of_runtime(name, order, dims=None, **attributes):
    """A node of ONNX Runtime; `order`: x for the input, s for a scale and zero
    point, w for a constant of its shape, n for none."""
    names, constants = [], []
    for letter in order:
        if letter == "x":
            names.append("x0")
        for constant in {"s": scale(), "w": [(INT8, ROWS, range(-32, 32))],
                         "n": []}.get(letter, []):
            names.append(f"c{len(constants)}")
            constants.append(constant)
        if letter == "n":
            names.append("")
    dims = dims or ROWS
    made = node(name, names, ["y"], QUANTISED, **attributes)
    return model(graph([made], [value("x0", INT8, dims)],
                       [value("y", INT8, ["n"])],
                       [tensor(f"c{i}", kind, shape, list(values))
                        for i, (kind, shape, values) in enumerate(constants)]),
                 20, [QUANTISED])


def onnx_models():
    """(reader, name), bytes of each."""
    for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        yield ("ONNX", name), of_onnx(name, 2, INT32)
    yield ("ONNX", "BitwiseNot"), of_onnx("BitwiseNot", 1, INT32)
    for name in ("Gelu", "Mish", "Dropout"):
        yield ("ONNX", name), of_onnx(name, 1, FLOAT)
    yield ("ONNX", "RMSNormalization"), of_onnx(
        "RMSNormalization", 1, FLOAT, [(FLOAT, [8], [0.5] * 8)])
    yield ("ONNX", "LpNormalization"), of_onnx("LpNormalization", 1, FLOAT)
    for name in ("SwiGLU", "Swish"):
        yield ("ONNX", name), of_onnx(name, 1 + (name == "SwiGLU"), FLOAT)
    yield ("ONNX", "CenterCropPad"), of_onnx(
        "CenterCropPad", 1, FLOAT, [(INT32, [2], [4, 12])])
    for name in ("FastGelu", "QuickGelu", "Gelu"):
        yield (QUANTISED, name), of_domain(name, 1)
    for name in ("BiasGelu", "FusedGemm", "FusedMatMul"):
        yield (QUANTISED, name), of_domain(name, 2)
    for name in ("BlackmanWindow", "HammingWindow"):
        yield ("ONNX", name), of_onnx(name, 0, FLOAT, [(INT32, [], [16])])
    yield ("ONNX", "Range"), of_onnx(
        "Range", 0, INT32, [(INT32, [], [n]) for n in (1, 33, 2)])
    for name in ("QLinearLeakyRelu", "QLinearSigmoid"):
        yield (QUANTISED, name), of_runtime(name, "xss")
    yield (QUANTISED, "QLinearSoftmax"), of_runtime("QLinearSoftmax", "xss",
                                                    axis=-1, opset=13)
    yield (QUANTISED, "QLinearMul"), of_runtime("QLinearMul", "xswss")
    yield (QUANTISED, "QGemm"), of_runtime("QGemm", "xswsns")
    yield (QUANTISED, "QLinearConcat"), of_runtime("QLinearConcat", "sxsws",
                                                   axis=0)
    yield (QUANTISED, "QLinearAveragePool"), of_runtime(
        "QLinearAveragePool", "xss", [1, 4, 8, 8], kernel_shape=[2, 2],
        strides=[2, 2])


#===- TFLite ----------------------------------------------------------------===#

def of_tflite(code, kinds, output, options=0, fields=None, data=None,
              shape=None):
    """An operator on inputs of these kinds, of 8 x 8, and a constant."""
    made = Model()
    g = Graph(made, "main")
    number = {I8: 0.0625}
    g.inputs = [g.tensor(f"x{i}", kind, ROWS, number.get(kind))
                for i, kind in enumerate(kinds)]
    inputs = list(g.inputs)
    if data is not None:
        inputs.append(g.tensor("c", I32, [len(data)], data=data))
    g.outputs = [g.tensor("y", output, shape or ROWS, number.get(output))]
    g.op(code, inputs, g.outputs, options, fields)
    return made.encode()


def with_constants(code, inputs, outputs, options=0, fields=None):
    """An operator on tensors: kinds, shapes, and data of constants."""
    made = Model()
    g = Graph(made, "main")
    ids = [g.tensor(f"x{i}", kind, shape, data=data)
           for i, (kind, shape, data) in enumerate(inputs)]
    g.outputs = [g.tensor(f"y{i}", kind, shape)
                 for i, (kind, shape) in enumerate(outputs)]
    g.inputs = [n for n, (_, _, data) in zip(ids, inputs) if data is None]
    g.op(code, ids, g.outputs, options, fields)
    return made.encode()


def tflite_models():
    """(reader, code), bytes of each."""
    unary = {8: F32, 66: F32, 104: F32, 108: F32, 20: I8, 152: F32, 87: BOOL,
             158: F32}
    for code, kind in unary.items():
        yield ("TFLite", str(code)), of_tflite(code, [kind], kind)
    yield ("TFLite", "150"), of_tflite(150, [F32], F32, 116,
                                       {0: ("?", False)})
    for code, kind, output in ((62, I8, BOOL), (63, I8, BOOL), (78, F32, F32),
                               (84, BOOL, BOOL), (156, F32, F32)):
        yield ("TFLite", str(code)), of_tflite(code, [kind] * 2, output)
    yield ("TFLite", "64"), of_tflite(64, [BOOL, I8, I8], I8)
    yield ("TFLite", "43"), of_tflite(43, [I8], I8, 30)
    for code, kind in ((81, F32), (91, BOOL), (140, BOOL)):
        yield ("TFLite", str(code)), of_tflite(code, [kind], kind, data=[1],
                                               shape=[8, 1])
    yield ("TFLite", "48"), with_constants(
        48, [(F32, ROWS, None), (I32, [], [3])], [(F32, [8, 3]), (I32, [8, 3])])
    yield ("TFLite", "85"), with_constants(
        85, [(I32, [8], None), (I32, [], [8]), (F32, [], [1.0]),
             (F32, [], [0.0])], [(F32, ROWS)], 61, {0: ("i", -1)})
    yield ("TFLite", "96"), with_constants(
        96, [(I32, [], [n]) for n in (1, 33, 2)], [(I32, [16])])
    yield ("TFLite", "109"), with_constants(
        109, [(F32, ROWS, None)], [(I64, [64, 2])])
    yield ("TFLite", "122"), with_constants(
        122, [(I32, [8, 1], None), (F32, ROWS, None), (I32, [2], ROWS)],
        [(F32, ROWS)])
    yield ("TFLite", "70"), of_tflite(70, [I8], I8, data=[0],
                                      shape=[1] + ROWS)


def write(folder):
    """(operator, path) of each, written to `folder`."""
    for models, ending in ((onnx_models(), "onnx"), (tflite_models(), "tflite")):
        for (reader, name), data in models:
            path = os.path.join(folder, f"alone_{reader}_{name}.{ending}")
            with open(path, "wb") as file:
                file.write(data)
            yield (reader, name), path
