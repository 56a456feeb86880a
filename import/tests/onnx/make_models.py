#!/usr/bin/env python3
"""Writes the small ONNX models beside this script; needs nothing but Python."""

from onnx_wire import *

# Two convolutions with an activation between: no transpose may be left there.
write("conv", model(graph(
    [node("Conv", ["x", "w0", "b0"], ["a"], pads=[1, 1, 1, 1]),
     node("Relu", ["a"], ["b"]),
     node("Conv", ["b", "w1"], ["c"], strides=[2, 2]),
     node("GlobalAveragePool", ["c"], ["y"])],
    [value("x", FLOAT, [1, 2, 6, 6])], [value("y", FLOAT, [1, 3, 1, 1])],
    [tensor("w0", FLOAT, [4, 2, 3, 3], counted(72)),
     tensor("b0", FLOAT, [4], counted(4)),
     tensor("w1", FLOAT, [3, 4, 2, 2], counted(48))])))

# A transposed convolution in groups whose kernel is turned around, less the same with a kernel that is known when it runs: nothing is left.
deconv = dict(group=2, strides=[2, 3], pads=[0, 1, 1, 0], dilations=[2, 1])
write("deconv", model(graph(
    [node("ConvTranspose", ["x", "w", "b"], ["a"], **deconv),
     node("ReduceMax", ["x"], ["m"]), node("Sub", ["m", "m"], ["nothing"]),
     node("Add", ["w", "nothing"], ["v"]),
     node("ConvTranspose", ["x", "v", "b"], ["c"], **deconv),
     node("Sub", ["a", "c"], ["d"]), node("Abs", ["d"], ["e"]),
     node("ReduceMax", ["e"], ["y"])],
    [value("x", FLOAT, [1, 4, 3, 3])],
    [value("y", FLOAT, [1, 1, 1, 1])],
    [tensor("w", FLOAT, [4, 3, 2, 3], counted(72)),
     tensor("b", FLOAT, [6], counted(6))])))

# Shape arithmetic that must fold, and a branch that reads outer values.
write("branch", model(graph(
    [node("Shape", ["x"], ["s"]),
     node("Gather", ["s", "zero"], ["rows"], axis=0),
     node("Concat", ["rows", "minus"], ["flat"], axis=0),
     node("Reshape", ["x", "flat"], ["r"]),
     node("ReduceMean", ["r"], ["m"], keepdims=0),
     node("Greater", ["m", "half"], ["g"]),
     node("If", ["g"], ["y"],
          then_branch=graph([node("Mul", ["r", "k"], ["t"])], [],
                            [value("t", FLOAT, [2, 6])]),
          else_branch=graph([node("Sub", ["r", "k"], ["e"])], [],
                            [value("e", FLOAT, [2, 6])]))],
    [value("x", FLOAT, [2, 2, 3])], [value("y", FLOAT, [2, 6])],
    [tensor("zero", INT64, [1], [0]), tensor("minus", INT64, [1], [-1]),
     tensor("half", FLOAT, [], [0.5]), tensor("k", FLOAT, [6], counted(6))])))

# What torch writes for F.pad with a list: all of the arithmetic must fold, the
# list without elements too.
write("pad", model(graph(
    [node("ConstantOfShape", ["none"], ["zeros"],
          value=tensor("", INT64, [1], [0])),
     node("Concat", ["list", "zeros"], ["all"], axis=0),
     node("Reshape", ["all", "pairs"], ["table"]),
     node("Slice", ["table", "minus", "first", "zero", "minus"], ["turned"]),
     node("Transpose", ["turned"], ["columns"], perm=[1, 0]),
     node("Reshape", ["columns", "minus"], ["flat"]),
     node("Cast", ["flat"], ["pads"], to=INT64),
     node("Pad", ["x", "pads"], ["y"], mode="reflect")],
    [value("x", FLOAT, [1, 2, 4, 5])], [value("y", FLOAT, [1, 2, 7, 8])],
    [tensor("none", INT64, [1], [0]),
     tensor("list", INT64, [8], [1, 2, 2, 1, 0, 0, 0, 0]),
     tensor("pairs", INT64, [2], [-1, 2]), tensor("minus", INT64, [1], [-1]),
     tensor("first", INT64, [1], [-1 << 63]), tensor("zero", INT64, [1], [0])])))

# Slices from where inputs say: rows, every second row, and a window whose shape
# is declared; and one that takes too much.
def slices(name, extent):
    write(name, model(graph(
        [node("Add", ["n", "extent"], ["end"]),
         node("Slice", ["x", "n", "end", "zero"], ["rows"]),
         node("Add", ["far", "n"], ["last"]),
         node("Slice", ["x", "n", "last", "zero", "two"], ["pair"]),
         node("Add", ["at", "sizes"], ["ends"]),
         node("Slice", ["x", "at", "ends"], ["window"])],
        [value("x", FLOAT, [6, 4]), value("n", INT64, [1]),
         value("at", INT32, [2])],
        [value("rows", FLOAT, ["r", 4]), value("pair", FLOAT, ["p", 4]),
         value("window", FLOAT, [2, 3])],
        [tensor("zero", INT64, [1], [0]), tensor("two", INT64, [1], [2]),
         tensor("extent", INT64, [1], [extent]), tensor("far", INT64, [1], [4]),
         tensor("sizes", INT32, [2], [2, 3])])))

slices("slices", 2)
slices("slices_long", 7)

# Branches of other rows: two of them, none, or what another branch gives; and
# what follows such a value.
live_nodes = [
    node("If", ["short"], ["part"],
         then_branch=graph([node("Slice", ["x", "zero", "two", "zero"], ["t"])],
                           [], [value("t", FLOAT, [2, 4])]),
         else_branch=graph(
             [node("If", ["none"], ["e"],
                   then_branch=graph([node("Slice", ["x", "zero", "zero", "zero"],
                                           ["n"])], [],
                                     [value("n", FLOAT, [0, 4])]),
                   else_branch=graph([node("Neg", ["x"], ["m"])], [],
                                     [value("m", FLOAT, [6, 4])]))], [],
             [value("e", FLOAT, ["r", 4])])),
    node("Exp", ["part"], ["each"]),
    node("ReduceSum", ["each", "zero"], ["sum"], keepdims=0),
    node("ReduceMean", ["part", "zero"], ["mean"]),
    node("ReduceMax", ["part", "one"], ["row"], keepdims=0),
    node("Sub", ["part", "mean"], ["low"]),
    node("MatMul", ["low", "w"], ["product"]),
    node("Transpose", ["each"], ["turned"]),
    node("MatMul", ["turned", "part"], ["square"]),
    node("Softmax", ["part"], ["weights"], axis=0),
    node("ArgMax", ["part"], ["best"], axis=0),
    node("Concat", ["each", "x", "part"], ["joined"], axis=0),
    node("Concat", ["each", "part"], ["wide"], axis=1),
    node("Shape", ["part"], ["shape"]),
    node("Unsqueeze", ["part", "one"], ["lifted"]),
    node("Reshape", ["lifted", "flat"], ["flattened"])]
live_outputs = ["part", "each", "row", "product", "turned", "weights", "joined",
                "wide", "flattened", "sum", "square", "best", "shape"]
write("live_if", model(graph(
    live_nodes,
    [value("x", FLOAT, [6, 4]), value("short", BOOL, [1]),
     value("none", BOOL, [1])],
    [value(name, INT64 if name in ("best", "shape") else FLOAT, ["r"])
     for name in live_outputs],
    [tensor("zero", INT64, [1], [0]), tensor("one", INT64, [1], [1]),
     tensor("two", INT64, [1], [2]), tensor("w", FLOAT, [4, 3], counted(12)),
     tensor("flat", INT64, [3], [-1, 2, 2])])))

# Loops of as many iterations as an input says, or until a sum is large: rows of
# scan outputs, a cache that grows from nothing, one whose bound follows from the
# model, one that doubles, and one that only grows in some iterations.
def growing(rows, name="grown"):
    return [node("Gather", ["x", "i"], ["flat"], axis=0),
            node("Unsqueeze", ["flat", "zero"], ["row"]),
            node("Concat", ["h"] + rows, [name], axis=0)]

def looped(inputs, outputs, nodes):
    return graph(nodes + [node("Identity", ["c"], ["c2"])],
                 [value("i", INT64, []), value("c", BOOL, [])] + inputs,
                 [value("c2", BOOL, [])] + outputs)

h, grown = value("h", FLOAT, ["r", 4]), value("grown", FLOAT, ["r", 4])
live_loops = [
    node("Loop", ["n", "", "nothing", "start"], ["cache", "total", "taken"],
         body=looped([h, value("s", FLOAT, [4])],
                     [grown, value("s2", FLOAT, [4]), value("t", FLOAT, [4])],
                     growing(["row"]) + [node("Add", ["s", "flat"], ["s2"]),
                                         node("Identity", ["s2"], ["t"])])),
    node("Neg", ["cache"], ["minus"]),
    node("ReduceMean", ["cache", "zero"], ["mean"], keepdims=0),
    node("Loop", ["three", "", "first"], ["pairs"],
         body=looped([h], [grown], growing(["row", "row"]))),
    node("Loop", ["n", "", "first"], ["twice"],
         body=looped([h], [grown], growing(["h"]))),
    node("Loop", ["three", "", "first"], ["some"],
         body=looped([h], [grown], [
             node("Gather", ["flags", "i"], ["flag"], axis=0),
             node("If", ["flag"], ["grown"],
                  then_branch=graph(growing(["row"], "more"), [],
                                    [value("more", FLOAT, ["r", 4])]),
                  else_branch=graph([node("Identity", ["h"], ["same"])], [],
                                    [value("same", FLOAT, ["r", 4])]))])),
    node("Loop", ["five", "", "start"], ["sum", "partial"],
         body=graph([node("Gather", ["x", "i"], ["flat"], axis=0),
                     node("Add", ["s", "flat"], ["s2"]),
                     node("Identity", ["s2"], ["t"]),
                     node("ReduceSum", ["s2"], ["all"], keepdims=0),
                     node("Less", ["all", "limit"], ["c2"])],
                    [value("i", INT64, []), value("c", BOOL, []),
                     value("s", FLOAT, [4])],
                    [value("c2", BOOL, []), value("s2", FLOAT, [4]),
                     value("t", FLOAT, [4])])),
    node("Concat", ["cache", "partial"], ["joined"], axis=0)]
live_rows = ["cache", "taken", "minus", "pairs", "twice", "some", "partial",
             "joined"]
write("live_loop", model(graph(
    live_loops,
    [value("x", FLOAT, [6, 4]), value("n", INT64, []), value("limit", FLOAT, []),
     value("flags", BOOL, [3])],
    [value(name, FLOAT, ["r", 4]) for name in live_rows] +
    [value("total", FLOAT, [4]), value("mean", FLOAT, [4]),
     value("sum", FLOAT, [4])],
    [tensor("zero", INT64, [1], [0]), tensor("three", INT64, [], [3]),
     tensor("five", INT64, [], [5]), tensor("nothing", FLOAT, [0, 4], []),
     tensor("start", FLOAT, [4], [0.0] * 4),
     tensor("first", FLOAT, [1, 4], counted(4))])))
# A loop in a branch, of no iteration perhaps; what it makes is read behind it.
write("live_branch", model(graph(
    [node("If", ["flag"], ["rows"],
          then_branch=graph(
              [node("Loop", ["trips", "go", "first"], ["t"],
                    body=looped([h], [grown], growing(["row"])))], [],
              [value("t", FLOAT, ["r", 4])]),
          else_branch=graph([node("Slice", ["x", "zero", "two", "zero"], ["e"])],
                            [], [value("e", FLOAT, [2, 4])])),
     node("Neg", ["x"], ["between"]),
     node("If", ["flag"], ["y"],
          then_branch=graph([node("Identity", ["rows"], ["t2"])], [],
                            [value("t2", FLOAT, ["r", 4])]),
          else_branch=graph([node("Concat", ["rows", "between"], ["e2"], axis=0)],
                            [], [value("e2", FLOAT, ["r", 4])])),
     node("ReduceMax", ["y", "zero"], ["top"])],
    [value("x", FLOAT, [6, 4]), value("flag", BOOL, []), value("go", BOOL, [])],
    [value("y", FLOAT, ["r", 4]), value("top", FLOAT, [1, 4])],
    [tensor("zero", INT64, [1], [0]), tensor("two", INT64, [1], [2]),
     tensor("trips", INT64, [], [4]),
     tensor("first", FLOAT, [1, 4], counted(4))])))

# Slices from one input to another, and slices of what they give.
cuts = {"part": ("x", "n", "m", "zero", "one"), "head": ("x", "zero", "m"),
        "second": ("x", "n", "m", "zero", "two"),
        "rest": ("part", "one", "far"), "last": ("part", "minus", "far"),
        "inner": ("part", "one", "three"), "left": ("part", "zero", "two", "one"),
        "columns": ("x", "n", "m", "one")}
write("live_slice", model(graph(
    [node("Slice", list(inputs), [name]) for name, inputs in cuts.items()] +
    [node("Slice", ["part", "low", "high", "both"], ["corner"])],
    [value("x", FLOAT, [6, 4]), value("n", INT64, [1]), value("m", INT64, [1])],
    [value(name, FLOAT, ["r", "c"]) for name in [*cuts, "corner"]],
    [tensor(name, INT64, [1], [number]) for name, number in
     (("zero", 0), ("one", 1), ("two", 2), ("three", 3), ("far", 2**63 - 1),
      ("minus", -2))] +
    [tensor("low", INT64, [2], [-3, 1]), tensor("high", INT64, [2], [-1, 3]),
     tensor("both", INT64, [2], [0, 1])])))

# What a mask keeps: its places, the elements there, and again of those.
write("live_nonzero", model(graph(
    [node("Greater", ["x", "limit"], ["mask"]),
     node("NonZero", ["mask"], ["places"]),
     node("Transpose", ["places"], ["pairs"]),
     node("GatherND", ["x", "pairs"], ["kept"]),
     node("ReduceSum", ["kept"], ["sum"], keepdims=0),
     node("ReduceMin", ["kept"], ["least"], keepdims=0),
     node("ReduceProd", ["kept"], ["product"], keepdims=0),
     node("ReduceLogSumExp", ["kept"], ["soft"], keepdims=0),
     node("Size", ["kept"], ["count"]),
     node("Gather", ["places", "one"], ["columns"], axis=0),
     node("Div", ["twelve", "columns"], ["parts"]),
     node("Mod", ["twelve", "columns"], ["left"]),
     node("Gather", ["table", "columns"], ["rows"], axis=0),
     node("Gather", ["rows", "one"], ["again"], axis=1),
     node("Gather", ["rows", "list"], ["twice"], axis=1),
     node("MatMul", ["rows", "w"], ["products"]),
     node("LayerNormalization", ["rows", "scale"], ["normal"]),
     node("Greater", ["kept", "two"], ["large"]),
     node("NonZero", ["large"], ["where"]),
     node("NonZero", ["known"], ["constant"])],
    [value("x", FLOAT, [3, 4]), value("limit", FLOAT, [])],
    [value("places", INT64, [2, "n"]), value("kept", FLOAT, ["n"]),
     value("parts", INT64, ["n"]), value("left", INT64, ["n"]),
     value("again", FLOAT, ["n"]), value("twice", FLOAT, ["n", 2, 2]),
     value("products", FLOAT, ["n", 2]), value("normal", FLOAT, ["n", 3]),
     value("where", INT64, [1, "k"]), value("sum", FLOAT, []),
     value("least", FLOAT, []), value("product", FLOAT, []),
     value("soft", FLOAT, []), value("count", INT64, []),
     value("constant", INT64, [2, 3])],
    [tensor("one", INT64, [], [1]), tensor("twelve", INT64, [1], [12]),
     tensor("two", FLOAT, [], [2.0]), tensor("table", FLOAT, [4, 3], counted(12)),
     tensor("list", INT64, [2, 2], [0, 2, 1, 1]),
     tensor("w", FLOAT, [3, 2], counted(6)),
     tensor("scale", FLOAT, [3], [1.0, 2.0, -1.0]),
     tensor("known", FLOAT, [2, 3], [0.0, 1.0, 0.0, 2.0, 0.0, 3.0])], )))

# Weights of an LSTM that are put into ONNX's order of gates, as torch does.
gates = ["w%d" % i for i in range(4)]
cuts = [tensor("at%d" % i, INT64, [1], [8 * i]) for i in range(5)]
write("gates", model(graph(
    [node("Slice", ["w", "at%d" % i, "at%d" % (i + 1), "at0"], [gates[i]])
     for i in range(4)] +
    [node("Concat", [gates[i] for i in [0, 3, 1, 2]], ["iofc"], axis=0),
     node("Unsqueeze", ["iofc", "at0"], ["weight"]),
     node("LSTM", ["x", "weight", "r"], ["rows"], hidden_size=8),
     node("Squeeze", ["rows", "one"], ["y"])],
    [value("x", FLOAT, [3, 1, 16])], [value("y", FLOAT, [3, 1, 8])],
    cuts + [tensor("w", FLOAT, [32, 16], counted(512)),
            tensor("r", FLOAT, [1, 32, 8], counted(256)),
            tensor("one", INT64, [1], [1])])))

# A counted loop with a carried value and a scan output, opset 11.
write("loop", model(graph(
    [node("Loop", ["n", "yes", "x"], ["y", "rows"],
          body=graph([node("Identity", ["c"], ["c2"]),
                      node("Add", ["h", "step"], ["h2"]),
                      node("Identity", ["h2"], ["row"])],
                     [value("i", INT64, []), value("c", BOOL, []),
                      value("h", FLOAT, [2])],
                     [value("c2", BOOL, []), value("h2", FLOAT, [2]),
                      value("row", FLOAT, [2])]))],
    [value("x", FLOAT, [2])],
    [value("y", FLOAT, [2]), value("rows", FLOAT, [3, 2])],
    [tensor("n", INT64, [], [3]), tensor("yes", BOOL, [], [True]),
     tensor("step", FLOAT, [2], [1.0, 2.0])]), 11))

# LUNA's own arithmetic: the ReLU becomes the clamp of the convolution.
write("luna", model(graph(
    [node("Quant", ["x"], ["q"], "thinker", scale_x=64.0, data_bits=8),
     node("Conv2dInt", ["q", "w", "b"], ["c"], "thinker", scale_x=64.0,
          scale_w=32.0, scale_o=16.0, o_bits=8, pads=[0, 0, 0, 0],
          strides=[1, 1], dilations=[1, 1], group=1),
     node("Relu", ["c"], ["r"]),
     node("iqAdd", ["r", "r"], ["a"], "thinker", scale_x=16.0, scale_y=16.0,
          scale_o=8.0),
     node("Dequant", ["a"], ["y"], "thinker", scale_o=8.0)],
    [value("x", FLOAT, [1, 2, 4, 4])], [value("y", FLOAT, [1, 2, 4, 4])],
    [tensor("w", INT8, [2, 2, 1, 1], [40, -30, 25, 100]),
     tensor("b", INT32, [2], [100, -200])])))

# 10 times 1.4, as float32 a little less, are 14 rows.
write("rows", model(graph(
    [node("Resize", ["x", "", "scales"], ["large"], mode="nearest"),
     node("Flatten", ["large"], ["flat"]), node("MatMul", ["flat", "w"], ["y"])],
    [value("x", FLOAT, [1, 1, 10, 1])], [value("y", FLOAT, [1, 1])],
    [tensor("scales", FLOAT, [4], [1.0, 1.0, 1.4, 1.0]),
     tensor("w", FLOAT, [14, 1], counted(14))])))

# A size of 0, which some exporters write for an open dimension.
write("zero", model(graph([node("Relu", ["x"], ["y"])],
                          [value("x", FLOAT, [0, 3])], [value("y", FLOAT, [0, 3])])))

# An open dimension, a recurrent network, integer arithmetic.
write("open", model(graph(
    [node("LSTM", ["x", "w", "r"], ["all", "h"], hidden_size=2),
     node("Cast", ["h"], ["i"], to=INT32),
     node("Mod", ["i", "two"], ["y"])],
    [value("x", FLOAT, ["steps", 1, 3])], [value("y", INT32, [1, 1, 2])],
    [tensor("w", FLOAT, [1, 8, 3], counted(24)),
     tensor("r", FLOAT, [1, 8, 2], counted(16)),
     tensor("two", INT32, [], [2])])))

# As many matrices on both sides, but each with each: 2x1 and 1x2 of them.
write("crossed", model(graph(
    [node("MatMul", ["a", "b"], ["y"])],
    [value("a", FLOAT, [2, 1, 3, 4]), value("b", FLOAT, [1, 2, 4, 5])],
    [value("y", FLOAT, [2, 2, 3, 5])], [])))

# An image halved twice and doubled once, beside the same halved once: its sides
# are multiples of four, or one more.
write("grid", model(graph(
    [node("MaxPool", ["x"], ["half"], kernel_shape=[2, 2], strides=[2, 2]),
     node("MaxPool", ["half"], ["fourth"], kernel_shape=[2, 2],
          strides=[2, 2]),
     node("Resize", ["fourth", "", "scales"], ["again"], mode="nearest"),
     node("Add", ["half", "again"], ["y"])],
    [value("x", FLOAT, [1, 2, "height", "width"])],
    [value("y", FLOAT, [1, 2, "h", "w"])],
    [tensor("scales", FLOAT, [4], [1.0, 1.0, 2.0, 2.0])]), 13))

# An input that is flattened first, and named as the switch between versions is:
# what is computed depends on how many elements it has alone.
write("flat", model(graph(
    [node("Reshape", ["shape", "all"], ["list"]),
     node("Relu", ["list"], ["y"])],
    [value("shape", FLOAT, ["height", "width"])],
    [value("y", FLOAT, ["n"])],
    [tensor("all", INT64, [1], [-1])]), 13))

# An output of as many dimensions as its input has sizes that are not 1.
write("squeeze", model(graph(
    [node("Relu", ["x"], ["r"]), node("Squeeze", ["r"], ["y"])],
    [value("x", FLOAT, ["height", "width"])], [value("y", FLOAT, ["n"])]), 11))

# The front end of a wake word: the mel spectrum of frames under a window.
write("spectrum", model(graph(
    [node("HannWindow", ["length"], ["w"]),
     node("STFT", ["x", "step", "w", "length"], ["s"]),
     node("Mul", ["s", "s"], ["q"]),
     node("ReduceSum", ["q", "parts"], ["p"], keepdims=0),
     node("MelWeightMatrix", ["bands", "length", "rate", "low", "high"],
          ["m"]),
     node("MatMul", ["p", "m"], ["f"]),
     node("Add", ["f", "little"], ["g"]),
     node("Log", ["g"], ["y"])],
    [value("x", FLOAT, [1, 112, 1])], [value("y", FLOAT, [1, 6, 4])],
    [tensor("length", INT64, [], [32]), tensor("step", INT64, [], [16]),
     tensor("parts", INT64, [1], [-1]), tensor("bands", INT64, [], [4]),
     tensor("rate", INT64, [], [16000]), tensor("low", FLOAT, [], [100.0]),
     tensor("high", FLOAT, [], [8000.0]),
     tensor("little", FLOAT, [], [0.001])]), 17))

# Opset 6: operands that start at an axis, and slopes per channel, less the same
# with the operand's shape written out: nothing is left.
aligned = [tensor("s", FLOAT, [3], counted(3)),
           tensor("t", FLOAT, [3, 1], counted(3)),
           tensor("u", FLOAT, [1, 3, 1], counted(3))]
write("opset_6", model(graph(
    [node("Add", ["x", "s"], ["a"], broadcast=1, axis=1),
     node("PRelu", ["a", "s"], ["b"]),
     node("Add", ["x", "t"], ["c"]),
     node("PRelu", ["c", "u"], ["d"]),
     node("Sub", ["b", "d"], ["e"]), node("Abs", ["e"], ["f"]),
     node("ReduceMax", ["f"], ["y"])],
    [value("x", FLOAT, [1, 3, 3])], [value("y", FLOAT, [1, 1, 1])],
    aligned), 6))

# A later opset, with attributes that change nothing; and those that do.
write("opset_28", model(graph(
    [node("QuantizeLinear", ["x", "s", "z"], ["q"], output_dtype=INT8,
          block_size=0, precision=FLOAT, axis=7),
     node("DequantizeLinear", ["q", "s", "z"], ["y"], output_dtype=FLOAT,
          axis=-7)],
    [value("x", FLOAT, [1, 4])], [value("y", FLOAT, [1, 4])],
    [tensor("s", FLOAT, [], [0.5]), tensor("z", INT8, [], [3])]), 28))
for name, op, inputs, opset, attributes in [
        ("opset_blocks", "QuantizeLinear", ["x", "s"], 21,
         dict(block_size=2, axis=1)),
        ("opset_type", "QuantizeLinear", ["x", "s"], 21,
         dict(output_dtype=INT8)),
        ("opset_result", "DequantizeLinear", ["x", "s"], 23,
         dict(output_dtype=10)),
        ("opset_12", "Hardmax", ["x"], 12, dict(axis=1)),
        ("opset_0", "Abs", ["x"], -1, {})]:
    write(name, model(graph(
        [node(op, inputs, ["y"], **attributes)], [value("x", FLOAT, [2, 4])],
        [value("y", FLOAT, [2, 4])], [tensor("s", FLOAT, [], [0.5])]), opset))

# Nodes that need their own outputs: through others, and through a subgraph.
write("cycle", model(graph(
    [node("Exp", ["w"], ["e"]), node("Identity", ["x"], ["w"]),
     node("Add", ["w", "c"], ["a"]), node("Neg", ["a"], ["b"]),
     node("Abs", ["b"], ["c"])],
    [value("x", FLOAT, [1])], [value("c", FLOAT, [1])])))
write("cycle_branch", model(graph(
    [node("If", ["c"], ["y"],
          then_branch=graph([node("Abs", ["z"], ["t"])], [],
                            [value("t", FLOAT, [1])]),
          else_branch=graph([], [], [value("x", FLOAT, [1])])),
     node("Neg", ["y"], ["z"])],
    [value("c", BOOL, []), value("x", FLOAT, [1])], [value("z", FLOAT, [1])])))

# Sizes that no file can hold, types that are refused, an unknown operator.
write("huge", model(graph(
    [node("ConstantOfShape", ["s"], ["y"])], [], [value("y", FLOAT, [1])],
    [tensor("s", INT64, [3], [1 << 40, 1 << 40, 1 << 40])])))
write("greedy", model(graph(
    [node("Range", ["a", "b", "d"], ["y%d" % i]) for i in range(300)], [],
    [value("y0", FLOAT, [1])],
    [tensor("a", FLOAT, [], [0.0]), tensor("b", FLOAT, [], [65536.0]),
     tensor("d", FLOAT, [], [1.0])])))
# A shape that takes billions of additions to know.
write("costly", model(graph(
    [node("ConstantOfShape", ["sizes"], ["ones"]),
     node("CumSum", ["ones", "axis"], ["sums"]),
     node("ReduceSum", ["sums", "axes"], ["shape"], keepdims=0),
     node("Reshape", ["x", "shape"], ["y"])],
    [value("x", FLOAT, [2, 3])], [value("y", FLOAT, [6])],
    [tensor("sizes", INT64, [2], [4096, 4096]), tensor("axis", INT64, [], [1]),
     tensor("axes", INT64, [1], [1])])))
write("short", model(graph(
    [node("Identity", ["w"], ["y"])], [], [value("y", FLOAT, [4])],
    [tensor("w", FLOAT, [4], [1.0, 2.0])])))
write("unknown", model(graph(
    [node("FrobnicateTensor", ["x"], ["y"])], [value("x", FLOAT, [1])],
    [value("y", FLOAT, [1])])))
write("unscaled", model(graph(
    [node("Clip", ["x", "w", "w"], ["y"])], [value("x", INT8, [1])],
    [value("y", INT8, [1])], [tensor("w", FLOAT, [], [6.0])])))
write("biased", model(graph(
    [node("iqVar", ["x"], ["y"], "thinker", scale_x=8.0, scale_o=8.0, dim=1,
          unbiased=0)],
    [value("x", INT8, [1, 4])], [value("y", INT8, [1, 1])])))
write("sequence", model(graph(
    [node("Identity", ["x"], ["y"])],
    [field(1, "x") + field(2, field(4, field(1, field(1, field(1, FLOAT)))))],
    [value("y", FLOAT, [1])])))
write("outside", model(graph(
    [node("Identity", ["w"], ["y"])], [], [value("y", FLOAT, [1])],
    [field(1, 1) + field(2, FLOAT) + field(8, "w") + field(14, 1) +
     field(13, field(1, "location") + field(2, "../../etc/passwd"))])))
write("beside", model(graph(
    [node("Add", ["x", "w"], ["y"])], [value("x", FLOAT, [1])],
    [value("y", FLOAT, [1])],
    [field(1, 1) + field(2, FLOAT) + field(8, "w") + field(14, 1) +
     field(13, field(1, "location") + field(2, "weights/w.bin"))])))
write("float8", model(graph(
    [node("Identity", ["x"], ["y"])], [value("x", 17, [1])],
    [value("y", 17, [1])])))
write("far", model(graph(
    [node("Identity", ["w"], ["y"])], [], [value("y", FLOAT, [1])],
    [field(1, 1) + field(2, FLOAT) + field(8, "w") + field(14, 1) +
     field(13, field(1, "location") + field(2, "short.onnx")) +
     field(13, field(1, "offset") + field(2, "9223372036854775807"))])))

# What operators make of a slice of as many rows as inputs say: windows over a
# batch of pictures, products on both sides, and rows of other sizes.
live_ops = {"flat": ["f", "c"], "last": [1, 4], "vector": ["r"],
            "columns": [3, "r"], "scaled": ["r", 4], "normal": [4, "r"],
            "heads": ["r", 1, 3], "squares": ["r", 2, 2], "halves": ["h", 2],
            "doubled": ["r", 4], "pooled": ["r", 2, 1, 1], "peaks": ["r", 2, 2, 1],
            "channels": ["r", 1, 2, 2], "spread": [], "low": [4], "above": ["r", 4]}
write("live_ops", model(graph(
    [node("Slice", ["x", "n", "m", "zero"], ["part"]),
     node("Flatten", ["part"], ["flat"], axis=0),
     node("ArgMax", ["part"], ["last"], axis=0, select_last_index=1),
     node("MatMul", ["part", "list"], ["vector"]),
     node("Gemm", ["w", "part"], ["columns"], transB=1),
     node("QuantizeLinear", ["part", "scales", "points"], ["bytes"], axis=1),
     node("DequantizeLinear", ["bytes", "scales", "points"], ["scaled"], axis=1),
     node("Transpose", ["part"], ["turned"]),
     node("LayerNormalization", ["turned", "unit"], ["normal"]),
     node("Unsqueeze", ["part", "ones"], ["cube"]),
     node("MatMul", ["cube", "w3"], ["heads"]),
     node("Reshape", ["part", "pairs"], ["pictures"]),
     node("MatMul", ["pictures", "pictures"], ["squares"]),
     node("Reshape", ["part", "two"], ["halves"]),
     node("Reshape", ["halves", "four"], ["again"]),
     node("Add", ["again", "part"], ["doubled"]),
     node("Reshape", ["part", "image"], ["batch"]),
     node("Conv", ["batch", "kernel", "bias"], ["found"], pads=[0, 0, 1, 0]),
     node("GlobalAveragePool", ["found"], ["pooled"]),
     node("MaxPool", ["found"], ["peaks"], kernel_shape=[1, 1]),
     node("BatchNormalization", ["batch", "unit", "unit", "unit", "unit"],
          ["channels"], epsilon=0.0),
     node("ReduceL2", ["part"], ["spread"], keepdims=0),
     node("ReduceMin", ["part", "zero"], ["low"], keepdims=0),
     node("Relu", ["part"], ["above"])],
    [value("x", FLOAT, [6, 4]), value("n", INT64, [1]), value("m", INT64, [1])],
    [value(name, INT64 if name == "last" else FLOAT, shape)
     for name, shape in live_ops.items()],
    [tensor("zero", INT64, [1], [0]), tensor("ones", INT64, [1], [1]),
     tensor("list", FLOAT, [4], counted(4)), tensor("w", FLOAT, [3, 4], counted(12)),
     tensor("w3", FLOAT, [4, 3], counted(12)),
     tensor("scales", FLOAT, [4], [0.25, 0.5, 1.0, 2.0]),
     tensor("points", INT8, [4], [0, 1, 0, -1]), tensor("unit", FLOAT, [1], [1.0]),
     tensor("pairs", INT64, [3], [0, 2, 2]), tensor("two", INT64, [2], [-1, 2]),
     tensor("four", INT64, [2], [-1, 4]), tensor("image", INT64, [4], [-1, 1, 2, 2]),
     tensor("kernel", FLOAT, [2, 1, 2, 2], counted(8)),
     tensor("bias", FLOAT, [2], [0.5, -0.5])])))
