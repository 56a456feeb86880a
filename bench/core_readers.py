"""A model for each operator of the readers' tables: those that the import tests
run (import/tests, and ONNX's node tests where Debian's libonnx-testdata is
there), and of bench/reader_models.py."""

import glob
import math
import os
import re
import shutil
import struct
import subprocess
import sys
from collections import namedtuple

from bench_util import LUNAC, ROOT

IMPORT = os.path.join(ROOT, "import")
NODE_TESTS = "/usr/share/libonnx-testdata/data/node"
sys.path.insert(0, os.path.join(IMPORT, "tests", "tflite_recorded"))
import recorded_archive
import reader_models

# (reader, file of its rows, how one begins)
TABLES = [("ONNX", "onnx/onnx_operators.def", r"^(?:OP_OF\(\w+, |[A-Z]+\()(\w+),"),
          ("com.microsoft", "onnx/onnx_microsoft.def", r"^[A-Z]+\((\w+),"),
          ("TFLite", "tflite/tflite_ops.def", r"^OP(?:_OF\(\w+, |\()(\d+), (\w+),")]

# A row: the operator of a reader; a candidate: a model that has it, its number
# of operators, the bytes that it reads.
Row = namedtuple("Row", "reader name code")
Candidate = namedtuple("Candidate", "path operators bytes")


def rows():
    """The rows of every table, in their order."""
    for reader, file, pattern in TABLES:
        with open(os.path.join(IMPORT, file), encoding="utf-8") as text:
            for match in re.finditer(pattern, text.read(), re.M):
                yield Row(reader, match[match.lastindex], match[1])


def read(path):
    with open(path, "rb") as file:
        return file.read()


#===- ONNX ------------------------------------------------------------------===#

def fields(data):
    """(number, value, where it begins and ends) of each field of a message."""
    at = 0
    while at < len(data):
        first = at
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value, first, at


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def encoded(number, data):
    """A field of bytes."""
    size, out = len(data), bytes([number << 3 | 2])
    while size > 127:
        out += bytes([size & 127 | 128])
        size >>= 7
    return out + bytes([size]) + data


MODEL_GRAPH, GRAPH_NODE, GRAPH_INITIALIZER, GRAPH_INPUT = 7, 1, 5, 11
NODE_OP, NODE_ATTRIBUTE, NODE_DOMAIN, ATTRIBUTE_GRAPH = 4, 5, 7, 6
VALUE_NAME, TENSOR_NAME = 1, 8


def all_of(data, number):
    return [value for own, value, _, _ in fields(data) if own == number]


def operators_of_graph(graph):
    """(reader, name) of each node, those of its subgraphs, too."""
    for node in all_of(graph, GRAPH_NODE):
        domain = b"".join(all_of(node, NODE_DOMAIN)).decode()
        if domain in ("", "ai.onnx", "com.microsoft"):
            yield (domain if domain == "com.microsoft" else "ONNX",
                   all_of(node, NODE_OP)[0].decode())
        for attribute in all_of(node, NODE_ATTRIBUTE):
            for inner in all_of(attribute, ATTRIBUTE_GRAPH):
                yield from operators_of_graph(inner)


def onnx_operators(data):
    return [op for graph in all_of(data, MODEL_GRAPH)
            for op in operators_of_graph(graph)]


def with_constants(model, inputs):
    """The model with inputs of these numbers, {index: tensor}, as constants."""
    graph, = all_of(model, MODEL_GRAPH)
    out, number = b"", 0
    for own, value, first, end in fields(graph):
        if own == GRAPH_INPUT:
            name, = all_of(value, VALUE_NAME)
            if number in inputs:
                out += encoded(GRAPH_INITIALIZER,
                               inputs[number] + encoded(TENSOR_NAME, name))
                number += 1
                continue
            number += 1
        out += graph[first:end]
    return b"".join(encoded(MODEL_GRAPH, out) if own == MODEL_GRAPH
                    else model[first:end]
                    for own, _, first, end in fields(model))


# The least and greatest input of functions that are not defined for all numbers:
# for others they return at once.
DOMAINS = {"Acosh": (1.0, 4.0), "Log": (0.1, 4.0), "Pow": (0.1, 4.0),
           "ReduceLogSum": (0.1, 4.0)}
VALUE_TYPE, TYPE_TENSOR, TENSOR_ELEMENT, TENSOR_SHAPE = 2, 1, 1, 2
SHAPE_DIM, DIM_VALUE, FLOAT_ELEMENT = 1, 1, 1


def extents_of(value):
    """The extents of an input of floats; None of others."""
    kind, = all_of(all_of(value, VALUE_TYPE)[0], TYPE_TENSOR)
    if all_of(kind, TENSOR_ELEMENT) != [FLOAT_ELEMENT]:
        return None
    shape, = all_of(kind, TENSOR_SHAPE)
    return [all_of(dim, DIM_VALUE)[0] for dim in all_of(shape, SHAPE_DIM)]


def inputs_of(row, path, folder):
    """Files of inputs in the domain of a row's function; none if it is all."""
    if row.reader != "ONNX" or row.name not in DOMAINS:
        return []
    low, high = DOMAINS[row.name]
    graph, = all_of(read(path), MODEL_GRAPH)
    files = []
    for value in all_of(graph, GRAPH_INPUT):
        extents = extents_of(value)
        if extents is None:
            return []
        number = math.prod(extents)
        files.append(os.path.join(folder, f"input_{len(files)}.bin"))
        with open(files[-1], "wb") as file:
            file.write(struct.pack(
                f"<{number}f", *(low + (high - low) * (i + 0.5) / number
                                 for i in range(number))))
    return files


def tensors_of_test(folder):
    """The inputs of a node test by index, as messages."""
    files = glob.glob(os.path.join(folder, "test_data_set_0", "input_*.pb"))
    return {int(re.search(r"(\d+)\.pb$", file)[1]): read(file)
            for file in files}


#===- TFLite ----------------------------------------------------------------===#

def tflite_codes(data):
    """The codes of a model's operators, one for each that is listed."""
    def word(at, kind="<I"):
        return struct.unpack_from(kind, data, at)[0]

    def field(table, number):
        entries = table - word(table, "<i")
        at = 4 + 2 * number
        place = word(entries + at, "<H") if at < word(entries, "<H") else 0
        return table + place if place else None
    root = word(0)
    codes = field(root, 1)
    if codes is None:
        return
    codes += word(codes)
    for i in range(word(codes)):
        code = codes + 4 + 4 * i
        code += word(code)
        old, new = field(code, 0), field(code, 3)
        yield max(word(old, "<b") if old else 0, word(new, "<i") if new else 0)


#===- Candidates ------------------------------------------------------------===#

def note(found, path, operators, size):
    for op in set(operators):
        found.setdefault(op, []).append(Candidate(path, len(operators), size))


def add_node_tests(found, folder):
    """ONNX's node tests, as they are and with all inputs but the first as
    constants, which shapes, axes and the like have to be."""
    for model in sorted(glob.glob(os.path.join(NODE_TESTS, "*",
                                               "model.onnx"))):
        test = os.path.dirname(model)
        data, inputs = read(model), tensors_of_test(test)
        operators = onnx_operators(data)
        size = sum(map(len, inputs.values()))
        note(found, model, operators, size)
        inputs.pop(0, None)
        if not inputs or not operators:
            continue
        path = os.path.join(folder, os.path.basename(test) + ".onnx")
        with open(path, "wb") as file:
            file.write(with_constants(data, inputs))
        note(found, path, operators, size - 1)


def candidates(folder):
    """{(reader, name or code): the models that have it}, those of few operators
    first, of these the largest."""
    found = {}
    recorded = os.path.join(folder, "recorded")
    recorded_archive.unpack(os.path.join(IMPORT, "tests", "tflite_recorded",
                                         "recorded"), recorded)
    for path in sorted(glob.glob(os.path.join(recorded, "*.tflite")) +
                       glob.glob(os.path.join(IMPORT, "tests", "tflite",
                                              "*.tflite"))):
        data = read(path)
        inputs = path[:-len("tflite")] + "in"
        note(found, path, [("TFLite", str(code)) for code in
                           tflite_codes(data)],
             os.path.getsize(inputs) if os.path.exists(inputs) else 0)
    for path in sorted(glob.glob(os.path.join(IMPORT, "tests", "onnx",
                                              "*.onnx"))):
        note(found, path, onnx_operators(read(path)), 0)
    add_node_tests(found, folder)
    for operator, path in reader_models.write(folder):
        note(found, path, [operator], 0)
    for models in found.values():
        models.sort(key=lambda model: (model.operators, -model.bytes,
                                       model.path))
    return found


TRIES = 12


def compiles(path):
    return subprocess.run([LUNAC, "compile", path], capture_output=True,
                          check=False).returncode == 0


def models(names, folder):
    """(row, model or None) for each row, or those of these names; the model is
    copied to `folder`, by its operator's name."""
    found = candidates(folder)
    for row in rows():
        if names and row.name not in names:
            continue
        own = found.get((row.reader, row.code), [])[:TRIES]
        path = next((model.path for model in own if compiles(model.path)), None)
        if path:
            copy = os.path.join(folder, f"{row.reader}_{row.name}" +
                                os.path.splitext(path)[1])
            shutil.copyfile(path, copy)
            path = copy
        yield row, path
