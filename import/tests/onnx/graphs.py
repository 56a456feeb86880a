#!/usr/bin/env python3
"""Runs models whose nodes are in any order, and models nested deep.

usage: graphs.py LUNAC FOLDER
"""

import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
from onnx_wire import *

LUNAC, FOLDER = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
# Models of this folder, also with branches, loops and computed shapes.
SHUFFLED = ["branch", "conv", "gates", "live_if", "loop", "pad", "qdq",
            "spectrum"]
# Of a message that holds graphs: its field, and how to go on in it.
GRAPHS = {"model": {7: "graph"}, "graph": {1: "node"}, "node": {5: "attribute"},
          "attribute": {6: "graph"}}


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The fields of a message: number, whether it has a length, and bytes."""
    at, found = 0, []
    while at < len(data):
        key, start = read_varint(data, at)
        if key & 7 == 2:
            size, start = read_varint(data, start)
            end = start + size
        else:
            end = read_varint(data, start)[1] if key & 7 == 0 else \
                start + (4 if key & 7 == 5 else 8)
        whole = data[at:end]
        found.append((key >> 3, data[start:end] if key & 7 == 2 else None,
                      whole))
        at = end
    return found


def shuffled(data, order, kind="model"):
    """The message with the nodes of its graphs in another order."""
    nodes, others = [], b""
    for number, inside, whole in fields(data):
        inner = GRAPHS[kind].get(number)
        if inner and inside is not None:
            whole = field(number, shuffled(inside, order, inner))
        if inner == "node":
            nodes.append(whole)
        else:
            others += whole
    order(nodes)
    return b"".join(nodes) + others


def write_model(name, data):
    path = os.path.join(FOLDER, name + ".onnx")
    with open(path, "wb") as out:
        out.write(data)
    return path


def lunac(*arguments):
    done = subprocess.run([LUNAC, *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr


def outputs(path, name):
    """What the model computes, by output."""
    folder = os.path.join(FOLDER, name)
    code, errors = lunac("run", path, "--random-input=1", "--output=" + folder)
    if code != 0:
        return errors
    return {each: open(os.path.join(folder, each), "rb").read()
            for each in os.listdir(folder)}


def check_order(name):
    path = os.path.join(HERE, name + ".onnx")
    with open(path, "rb") as given:
        data = given.read()
    expected = outputs(path, name)
    for way, order in [("reversed", list.reverse),
                       ("random", random.Random(1).shuffle)]:
        other = name + "_" + way
        found = outputs(write_model(other, shuffled(data, order)), other)
        if found != expected or not isinstance(found, dict) or not found:
            yield "%s: %s" % (other, found if isinstance(found, str)
                              else "other results")


def nested(levels):
    """Branches in branches, of which each reads what the outermost does."""
    inner = graph([node("Neg", ["x"], ["o"])], [], [value("o", FLOAT, [1])])
    other = graph([], [], [value("x", FLOAT, [1])])
    for level in range(levels):
        is_outer = level == levels - 1
        inner = graph(
            [node("If", ["c"], ["o"], then_branch=inner, else_branch=other)],
            [value("c", BOOL, []), value("x", FLOAT, [1])] if is_outer else [],
            [value("o", FLOAT, [1])])
    return model(inner)


def check_depth(levels, words):
    path = write_model("deep%d" % levels, nested(levels))
    code, errors = lunac("run", path, "--random-input=1")
    if (code, words in errors) != ((2 if words else 0), True):
        yield "%d levels: exit code %d: %s" % (levels, code, errors)


os.makedirs(FOLDER, exist_ok=True)
wrong = [line for name in SHUFFLED for line in check_order(name)]
wrong += [*check_depth(256, ""),
          *check_depth(257, "subgraphs are nested deeper than 256"),
          *check_depth(400, "at most 256 levels of subgraphs")]
print("\n".join(wrong))
sys.exit(len(wrong) > 0)
