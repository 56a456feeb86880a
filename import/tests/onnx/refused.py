#!/usr/bin/env python3
"""Models of one node that are refused, each with its message.

usage: refused.py LUNAC FOLDER
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
from onnx_wire import *

LUNAC, FOLDER = sys.argv[1:3]
SHAPES = {"scalar": [], "list": [4], "pair": [2], "matrix": [3, 4],
          "wide": [4, 3], "cube": [2, 3, 4], "scores": [2, 5, 3], "image": [1, 2, 5, 5],
          "kernel": [4, 2, 3, 3]}
FLOATS = [value(name, FLOAT, dims) for name, dims in SHAPES.items()]
OTHERS = [value("flag", BOOL, []), value("flags", BOOL, [4]),
          value("ints", INT32, [4]), value("long", INT64, []),
          value("longs", INT64, [4]), value("inner", INT64, [1]), value("bytes", INT8, [3, 4]),
          value("square", INT8, [4, 3]),
          value("picture", INT8, [1, 2, 4, 4]),
          value("taps", INT8, [2, 3, 2, 2])]
CONSTANTS = [tensor("nought", INT64, [1], [0]), tensor("twice", INT64, [], [2]), tensor("first", INT64, [1], [1]),
             tensor("same", INT64, [2], [3, 4]),
             tensor("zero", INT64, [1], [0]), tensor("five", INT64, [1], [5]),
             tensor("half", FLOAT, [], [0.5]), tensor("tiny", INT8, [2], [1, 2]),
             tensor("big", INT64, [4], [0, 0, 9, 9]),
             tensor("cut", INT64, [4], [0, -4, 0, 4]),
             tensor("low", INT64, [1], [-3]),
             tensor("ones", INT64, [13], [4] + [1] * 12)]


def body(inputs, outputs, nodes):
    return graph(nodes, [value(*i) for i in inputs],
                 [value(*o) for o in outputs])


GROWING = body([("i", INT64, []), ("c", BOOL, []), ("h", FLOAT, [4])],
               [("c2", BOOL, []), ("h2", FLOAT, [8])],
               [node("Identity", ["c"], ["c2"]),
                node("Concat", ["h", "h"], ["h2"], axis=0)])
COUNTING = body([("i", INT64, []), ("c", BOOL, [])],
                [("c2", BOOL, []), ("r", INT64, [])],
                [node("Identity", ["c"], ["c2"]), node("Identity", ["i"], ["r"])])
DEEPER = body([("i", INT64, []), ("c", BOOL, []), ("h", FLOAT, [4])],
              [("c2", BOOL, []), ("h2", FLOAT, [1, 4])],
              [node("Identity", ["c"], ["c2"]),
               node("Unsqueeze", ["h", "nought"], ["h2"])])
OPEN_ROW = body([("i", INT64, []), ("c", BOOL, [])],
                [("c2", BOOL, []), ("r", FLOAT, ["r", 4])],
                [node("Identity", ["c"], ["c2"]),
                 node("Identity", ["open"], ["r"])])


def nested(depth):
    """Loops in loops, of two iterations each that add a row."""
    inner = (node("Loop", ["twice", "", "h%d" % depth], ["g%d" % depth],
                  body=nested(depth - 1)) if depth
             else node("Identity", ["h0"], ["g0"]))
    return body([("i%d" % depth, INT64, []), ("c%d" % depth, BOOL, []),
                 ("h%d" % depth, FLOAT, ["r", 4])],
                [("b%d" % depth, BOOL, []), ("o%d" % depth, FLOAT, ["r", 4])],
                [node("Identity", ["c%d" % depth], ["b%d" % depth]), inner,
                 node("Concat", ["g%d" % depth, "matrix"], ["o%d" % depth],
                      axis=0)])


UNSURE = body([("i", INT64, []), ("c", BOOL, [])], [("c2", FLOAT, [])],
              [node("Identity", ["scalar"], ["c2"])])
ADDING = body([("s", FLOAT, [4]), ("row", FLOAT, [4])], [("s2", FLOAT, [4])],
              [node("Add", ["s", "row"], ["s2"])])


def some(name, cut):
    """The rows of the matrix, or fewer of them."""
    return node("If", ["flag"], [name],
                then_branch=body([], [("t", FLOAT, [3, 4])],
                                 [node("Identity", ["matrix"], ["t"])]),
                else_branch=body([], [("e", FLOAT, [1, 4])],
                                 [node("Slice", ["matrix", "nought", cut], ["e"])]))


OPEN = [some("open", "first"), some("other", "first"),
        node("Transpose", ["open"], ["columns"])]


def n(op, *inputs, **attributes):
    return node(op, inputs, ["y"], **attributes)


ROWS = [
    # LUNA's own.
    (n("ConvTranspose2dInt", "picture", "taps", domain="thinker",
       dilations=[2, 2], scale_x=1.0, scale_w=1.0, scale_o=1.0, data_bits=8,
       o_bits=8),
     "dilations are not supported"),
    # Products.
    (n("MatMul", "scalar", "list"),
     "operands of a matrix product must not be scalars"),
    (n("MatMul", "matrix", "matrix"), "inner dimensions are 4 and 3"),
    (n("MatMul", "cube", "image"), "inner dimensions are 4 and 5"),
    (n("MatMul", "matrix", "longs"), "operands are of types float and int64"),
    (n("Gemm", "matrix", "cube"), "operands must be matrices of one type"),
    (n("Gemm", "matrix", "wide", "cube"), "do not broadcast"),
    (n("MatMulInteger", "matrix", "wide"), "operands must be int8 or uint8"),
    (n("MatMulInteger", "bytes", "square", "tiny"),
     "zero point must be one number of type int8, or one per row or column"),
    (n("Einsum", "matrix", "wide", equation="ij,jk"),
     "equation is not of the form 'ij,jk->ik'"),
    (n("Einsum", "matrix", "wide", equation="i.,jk->ik"),
     "equation is not of the form 'ij,jk->ik'"),
    (n("Einsum", "matrix", "wide", equation="ijk,jk->ik"),
     "operand 0 does not fit the equation"),
    (n("Einsum", "matrix", "matrix", equation="ij,jk->ik"),
     "sizes of one index differ"),
    (n("Einsum", "matrix", equation="ij->ii"), "result repeats an index"),
    # Windows.
    (n("Conv", "matrix", "kernel"), "input has 2 and weight 4 dimensions"),
    (n("Conv", "image", "kernel", group=3),
     "2 input channels in 3 groups do not fit a weight for 2"),
    (n("Conv", "image", "kernel", "pair"), "bias must have 4 elements"),
    (n("Conv", "image", "kernel", dilations=[3, 3]),
     "kernel of 7 does not fit into 5 elements"),
    (n("Conv", "image", "kernel", strides=[0, 1]),
     "'strides' has an entry of 0, 1 to 1048576 are possible"),
    (n("Conv", "image", "kernel", pads=[1, 1]), "'pads' must have 4 entries"),
    (n("ConvTranspose", "image", "kernel"),
     "2 input channels do not fit the weight"),
    (n("MaxPool", "image", kernel_shape=[2]),
     "kernel_shape has 1 entries, the input 4 dimensions"),
    (n("MaxPool", "flags", kernel_shape=[2]), "kernel_shape has 1 entries"),
    (n("GlobalAveragePool", "matrix"),
     "needs a float tensor of at least 3 dimensions"),
    (n("LRN", "image", size=0), "size must be 1 to 64, the rank at least 3"),
    # Shapes.
    (n("Reshape", "matrix", "five"), "12 elements cannot take a shape of 5"),
    (n("Squeeze", "matrix", "zero"),
     "dimension 0 has size 3, only 1 can be dropped"),
    (n("Unsqueeze", "matrix"), "has no axes"),
    (n("Transpose", "matrix", perm=[1, 1]), "perm is not a permutation"),
    (n("Transpose", "matrix", perm=[0]),
     "perm has 1 entries, the input 2 dimensions"),
    (n("Concat", "matrix", "wide", axis=0), "input 1 does not fit input 0"),
    (n("Split", "list", "five"), "parts do not sum to 4"),
    (n("Slice", "image", "longs", "longs"),
     "takes parts of two dimensions whose sizes are known while running only"),
    (n("NonZero", "scalar"), "a scalar has no places"),
    (n("Slice", "list", "longs", "longs"),
     "starts and ends must be lists of at most 1 int32 or int64"),
    (n("Slice", "matrix", "inner", "five", "", "low"),
     "step -3 from a computed start is not positive"),
    (n("Slice", "matrix", "inner", "five", "big"),
     "starts, ends, axes and steps do not agree"),
    (n("Expand", "matrix", "five"), "input does not broadcast to the shape"),
    (n("Tile", "list", "low"), "repeats a dimension -3 times"),
    (n("Tile", "matrix", "five"), "needs one number of repeats per dimension"),
    (n("Flatten", "matrix", axis=5), "axis is outside of 2 dimensions"),
    (n("DepthToSpace", "matrix", blocksize=2),
     "needs 4 dimensions and a block size of 1 to 1024"),
    (n("Pad", "matrix", "cut"), "pads cut all of dimension 1"),
    (n("Pad", "matrix", "big", mode="reflect"),
     "pads of dimension 0 are too large"),
    (n("Pad", "matrix", "zero"), "has 1 pads, needs 4"),
    # Elements and indices.
    (n("Add", "matrix", "longs"), "inputs are of types float and int64"),
    (n("Add", "matrix", "wide"), "shapes of inputs 0 and 1 do not broadcast"),
    (n("Not", "matrix"), "inputs of type float are not supported"),
    (n("Clip", "matrix", "ints"), "bounds must be single numbers of type float"),
    (n("Where", "matrix", "matrix", "matrix"),
     "needs a bool condition and two inputs of one type"),
    (n("Gather", "list", "five"), "index 5 is outside of 4 elements"),
    (n("OneHot", "longs", "five", "list"),
     "depth must be positive, values a list of two"),
    (n("TopK", "list", "five"), "k is 5, 0 to 4 are possible"),
    (n("Compress", "list", "flag"), "condition must be a list"),
    (n("NonMaxSuppression", "cube", "image"),
     "needs float boxes [batch, box, 4] and scores [batch, class, box]"),
    (n("NonMaxSuppression", "cube", "cube"),
     "needs float boxes [batch, box, 4] and scores [batch, class, box]"),
    (n("NonMaxSuppression", "cube", "scores"),
     "max_output_boxes_per_class is 0: there are no boxes"),
    (n("NonMaxSuppression", "cube", "scores", "long"),
     "input 'long' must be a constant list of at most 1 integers"),
    (n("NonMaxSuppression", "cube", "scores", "five", "twice"),
     "input 3 must be one float"),
    (n("CumSum", "list", "long"), "axis must be one constant number"),
    (n("Range", "half", "half", "half"), "has no or too many steps"),
    (n("Trilu", "list"), "needs at least 2 dimensions"),
    (n("ReduceMean", "longs"), "type int64 is not supported"),
    (n("ReduceSum", "matrix", "five"), "axis 5 is outside of 2 dimensions"),
    (n("Resize", "image", mode="cubic"),
     "mode must be nearest or linear, without antialias"),
    (n("Resize", "image"), "has neither scales nor sizes"),
    (n("Dropout", "matrix", "half", "flag"), "training mode is not supported"),
    (n("Constant"), "has no value of a known kind"),
    (n("ConstantOfShape", "five", value=tensor("", FLOAT, [2], [0.0, 1.0])),
     "value has more than one element"),
    (n("QuantizeLinear", "matrix", "half", "half"),
     "needs a float scale and a zero point of 8 or 16 bits"),
    (n("DequantizeLinear", "matrix", "half"), "type float is not supported"),
    (n("Reshape", "list", "ones"),
     "input 'ones' must be a constant list of at most 12 integers"),
    (n("DequantizeLinear", "bytes", "list", axis=2),
     "axis 2 is outside of 2 dimensions"),
    (n("Abs", "nothing"), "'nothing' has no value: no node here computes it"),
    (n("If", "flag", then_branch=body(
        [], [("t", FLOAT, [4])], [node("Abs", ["u"], ["t"]),
                                  node("Neg", ["t"], ["u"])]),
       else_branch=body([], [("e", FLOAT, [4])], [n("Abs", "list")])),
     "node 't_node' (Abs): is in a cycle: takes 'u' of 'u_node', which takes "
     "'t' of 't_node'"),
    # Spectra.
    (n("DFT", "matrix"), "signal has 2 dimensions, needs at least 3"),
    (n("DFT", "cube"), "last dimension is 4, needs 1 or 2 parts"),
    (n("DFT", "cube", axis=2), "axis 2 is that of the batch or of the parts"),
    (n("STFT", "matrix", "five"), "signal has 2 dimensions, needs 3"),
    (n("STFT", "cube", "five", "", "five"),
     "frames of 5 points, the signal has 3"),
    # Sequences and control flow.
    (n("LSTM", "matrix", "cube", "cube"), "needs a float input of 3 dimensions"),
    (n("LSTM", "cube", "cube", "cube"),
     "weights or biases do not fit the input"),
    (n("GRU", "cube", "cube", "cube", activations=["Relu", "Tanh"]),
     "clip, input_forget and activations other than the default"),
    (n("GRU", "cube", "cube", "cube", "", "longs"),
     "sequence lengths must be int32, one per batch entry"),
    (n("If", "flag"), "has no subgraph 'then_branch'"),
    # Functions.
    (n("Attention", "cube", "cube", "cube"), "needs numbers of heads"),
    (n("RotaryEmbedding", "cube", "matrix", "matrix"),
     "needs a number of heads"),
    (n("CenterCropPad", "matrix", "longs"),
     "an input that says sizes must be constant"),
    (n("AffineGrid", "cube", "five"), "size must have 4 or 5 entries"),
    (n("CausalConvWithState", "matrix", "cube"),
     "input must have 3 dimensions"),
    (n("FusedMatMul", "matrix", "wide", transBatchA=1, domain="com.microsoft"),
     "batches cannot be transposed"),
    (n("FusedGemm", "matrix", "wide", activation="Elu", domain="com.microsoft"),
     "this activation is not supported"),
    (node("SkipLayerNormalization", ["matrix", "matrix", "list"], ["y", "m"],
          domain="com.microsoft"), "means and deviations are not given"),
    (n("MultiHeadAttention", "cube", "cube", "cube", "", "ints",
       domain="com.microsoft"), "a mask of padded keys is not supported"),
    (n("MultiHeadAttention", "matrix", "matrix", "matrix",
       domain="com.microsoft"),
     "queries, keys and values must have 3 dimensions"),
    # Sizes that only the running program knows.
    (n("TopK", "open", "zero"),
     "the size of 'open', here dimension 0, is known while running only: this "
     "operator is not supported for it"),
    (n("Add", "open", "other"), "the sizes of 'open' and 'other' are known "
     "while running only, and may differ"),
    (n("Add", "open", "matrix"), "it does not broadcast to a known one"),
    (n("Gather", "open", "zero"), "a part of it is taken"),
    (n("Gather", "open", "longs"), "an index into it cannot be checked"),
    (n("Reshape", "open", "same"), "a reshape must keep it as it is"),
    (n("Concat", "open", "matrix", axis=1), "another input has a known one"),
    (n("Concat", "open", "other", axis=1), "and may differ"),
    (n("MatMul", "columns", "matrix"), "the other operand has a known one"),
    (n("MatMul", "columns", "other"), "and may differ"),
    (n("MatMul", "open", "columns"),
     "another dimension of the result is, too"),
    (n("Gemm", "columns", "matrix"), "the other operand has a known one"),
    (n("LayerNormalization", "open", "matrix", axis=0),
     "it does not broadcast to a known one"),
    (n("GlobalMaxPool", "columns"), "only that of the first may be"),
    (n("Conv", "image", "open"), "only that of the first may be"),
    (n("Loop", "list", "", "list", body=GROWING),
     "trip count must be one integer"),
    (n("Loop", "long", "scalar", "list", body=GROWING),
     "condition must be one bool"),
    (n("Loop", "long", "flags", "list", body=DEEPER),
     "value 0 changes its type or shape from iteration to iteration"),
    (n("Loop", "long", "", "list", body=GROWING),
     "the size of 'y' is known while running only: give a bound, --bound=y=N"),
    (n("Loop", "twice", "", "matrix", body=nested(12)),
     "nested so that bodies are read again more than 256 times"),
    (node("Loop", ["long", ""], ["z"], body=OPEN_ROW),
     "a row of 'z' has a size that is known while running only"),
    (node("Loop", ["open", ""], ["z"], body=COUNTING),
     "input 0 has a size that is known while running only"),
    (n("Loop", "long", "", body=UNSURE), "subgraph has 2 inputs and 1 outputs"),
    (node("Loop", ["long", "flag", "list"], ["y", "z"], body=UNSURE),
     "subgraph has 2 inputs and 1 outputs, needs 3 and 3"),
    (n("Loop", "long", "", "list", "list", body=GROWING),
     "has 1 outputs, needs at least 2"),
    (n("Loop", "long", "", "", body=GROWING),
     "carried value 0 is left out"),
    (node("Loop", ["long", ""], ["z"], body=COUNTING),
     "the size of 'z' is known while running only: give a bound, --bound=z=N"),
    (n("Scan", "list", "matrix", num_scan_inputs=3, body=ADDING),
     "numbers of inputs and outputs do not agree"),
    (n("Scan", "list", "matrix", num_scan_inputs=1, body=ADDING,
       scan_input_axes=[0, 0]), "attribute 'scan_input_axes' has 2 entries"),
    (n("Scan", "list", "matrix", num_scan_inputs=1, body=ADDING,
       scan_input_axes=[7]), "axis 7 is outside of 2 dimensions"),
    (n("Scan", "matrix", "list", num_scan_inputs=2, body=ADDING),
     "scan inputs have different lengths"),
]

os.makedirs(FOLDER, exist_ok=True)
path = os.path.join(FOLDER, "refused.onnx")
missed = 0
for made, message in ROWS:
    with open(path, "wb") as out:
        out.write(model(graph(OPEN + [made, node("Identity", ["scalar"], ["last"])],
                              FLOATS + OTHERS, [value("last", FLOAT, [])],
                              CONSTANTS), opset=17,
                        domains=["thinker", "com.microsoft"]))
    done = subprocess.run([LUNAC, "import", path], capture_output=True,
                          text=True)
    if done.returncode != 2 or message not in done.stderr:
        missed += 1
        print(f"expected: {message}\nexit {done.returncode}: {done.stderr}")
print(f"{len(ROWS) - missed} of {len(ROWS)} refused as expected")
sys.exit(missed > 0)
