#!/usr/bin/env python3
"""Floats of 16 bits: every one of them, what is rounded to them, and models that
store them.

usage: halves.py LUNAC FOLDER [MODEL.onnx …]

A model of float32 is written twice: with what it stores and takes in float16,
and with the same numbers in float32. The outputs of the first are those of the
second, rounded.
"""

import math
import os
import shutil
import struct
import subprocess
import sys
from random import Random

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from model_run import expect, read_npy, run
from onnx_wire import FLOAT, field, graph, model, node, value

LUNAC, FOLDER, MODELS = sys.argv[1], sys.argv[2], sys.argv[3:]
FLOAT16, BFLOAT16 = 10, 16
CASES = 2


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_half(x):
    """The bits of the nearest binary16."""
    try:
        return struct.unpack("<H", struct.pack("<e", x))[0]
    except OverflowError:
        return 0x7c00 if x > 0 else 0xfc00


def to_bfloat(x):
    bits, = struct.unpack("<I", struct.pack("<f", x))
    low, high = bits & 0xffff, bits >> 16
    return high + (low > 0x8000 or (low == 0x8000 and high & 1))


def from_bits(kind, bits):
    return single(bits << 16) if kind == BFLOAT16 else \
        struct.unpack("<e", struct.pack("<H", bits))[0]


def same(a, b):
    return a != a and b != b or \
        (a == b and math.copysign(1, a) == math.copysign(1, b))


def converted(kind, to, code, numbers):
    path = os.path.join(FOLDER, "halves.onnx")
    os.makedirs(FOLDER, exist_ok=True)
    nodes = [node("Cast", ["x"], ["y"], to=kind),
             node("Cast", ["y"], ["z"], to=FLOAT)]
    with open(path, "wb") as out:
        out.write(model(graph(nodes, [value("x", to, [len(numbers)])],
                              [value("z", FLOAT, [len(numbers)])]), 19))
    found, = run(LUNAC, path, os.path.join(FOLDER, "run"), [{"x": (code, numbers)}])
    return found["z"][1]


def numbers():
    rng = Random(1)
    for bits in (0, 1, 0x33000000, 0x33000001, 0x33800000, 0x387fc000,
                 0x387fe000, 0x387ff000, 0x38800000, 0x477fe000, 0x477fefff,
                 0x477ff000, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000,
                 0x7f800001, 0x7fffffff):
        for sign in (0, 1 << 31):
            yield single(bits | sign)
    for _ in range(4000):
        yield single(rng.getrandbits(32))
        yield math.ldexp(rng.getrandbits(13) / 4096, rng.randint(-28, 16))


for kind, narrow in ((FLOAT16, to_half), (BFLOAT16, to_bfloat)):
    patterns = list(range(1 << 16))
    for bits, found in zip(patterns, converted(kind, kind, "H", patterns)):
        wanted = from_bits(kind, bits)
        expect("type %d, bits %#x" % (kind, bits), same(found, wanted), True)
    given = [struct.unpack("f", struct.pack("f", x))[0] for x in numbers()]
    for x, found in zip(given, converted(kind, FLOAT, "f", given)):
        wanted = x if x != x else from_bits(kind, narrow(x))
        expect("type %d, %r: %r, %r" % (kind, x, found, wanted),
               same(found, wanted), True)


#===- Twins -----------------------------------------------------------------===#

def fields(data):
    at = 0
    while at < len(data):
        first = at
        tag, at = number_at(data, at)
        if tag & 7 == 0:
            item, at = number_at(data, at)
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if size is None:
                size, at = number_at(data, at)
            item, at = data[at:at + size], at + size
        yield tag >> 3, item, data[first:at]


def number_at(data, at):
    found = shift = 0
    while True:
        found |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return found, at


def halved(raw, is_half):
    data = b"".join(struct.pack("<H", to_half(x))
                    for x, in struct.iter_unpack("<f", raw))
    return data if is_half else b"".join(
        struct.pack("<f", x) for x, in struct.iter_unpack("<e", data))


def twin_tensor(data, is_half):
    parts = {number: item for number, item, _ in fields(data)}
    if parts.get(2) != FLOAT:
        return data
    raw = parts.get(9, parts.get(4, b""))
    return b"".join(whole for number, _, whole in fields(data)
                    if number not in (2, 4, 9)) + \
        field(2, FLOAT16 if is_half else FLOAT) + field(9, halved(raw, is_half))


def twin_node(data, is_half):
    out = b""
    for number, item, whole in fields(data):
        if number == 5:  # an attribute: a tensor, or a graph
            whole = field(5, b"".join(
                field(5, twin_tensor(i, is_half)) if n == 5 else
                field(6, twin_graph(i, is_half)) if n == 6 else w
                for n, i, w in fields(item)))
        out += whole
    return out


def twin_value(data, is_half):
    """An input or output of float as one of float16."""
    return b"".join(
        field(2, b"".join(
            field(1, b"".join(field(1, FLOAT16) if n == 1 and i == FLOAT and
                              is_half else w for n, i, w in fields(tensor)))
            if number == 1 else whole
            for number, tensor, whole in fields(item)))
        if outer == 2 else all_of for outer, item, all_of in fields(data))


def twin_graph(data, is_half):
    change = {1: twin_node, 5: twin_tensor, 11: twin_value, 12: twin_value}
    return b"".join(field(number, change[number](item, is_half))
                    if number in change else whole
                    for number, item, whole in fields(data) if number != 13)


def twin(data, is_half):
    return b"".join(field(7, twin_graph(item, is_half)) if number == 7
                    else whole for number, item, whole in fields(data))


def outputs_of(path, is_half, given):
    """The outputs of a twin; `given` are numbers of the inputs by name."""
    with open(path, "rb") as file:
        data = twin(file.read(), is_half)
    own = os.path.join(FOLDER, "twin%d.onnx" % is_half)
    made = os.path.join(FOLDER, "outputs%d" % is_half)
    shutil.rmtree(made, ignore_errors=True)
    with open(own, "wb") as out:
        out.write(data)
    command = [LUNAC, "run", own, "--output=" + made]
    for number, (name, values) in enumerate(given.items()):
        file = os.path.join(FOLDER, "in%d.bin" % number)
        with open(file, "wb") as out:
            out.write(struct.pack("<%d%s" % (len(values), "e" if is_half else
                                             "f"), *values))
        command.append("--input=%s=%s" % (name, file))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s\n%s" % (" ".join(command), done.stderr))
    return {name: read_npy(os.path.join(made, name))
            for name in sorted(os.listdir(made)) if name.endswith(".npy")}


def inputs_of(path):
    """The one input of a model: its name and number of elements."""
    with open(path, "rb") as file:
        whole, = [i for n, i, _ in fields(file.read()) if n == 7]
    names = {dict((n, i) for n, i, _ in fields(item)).get(8) for number, item, _
             in fields(whole) if number == 5}
    for number, item, _ in fields(whole):
        parts = {n: i for n, i, _ in fields(item)} if number == 11 else {}
        if number != 11 or parts[1] in names:
            continue
        tensor = dict((n, i) for n, i, _ in fields(
            dict((n, i) for n, i, _ in fields(parts[2]))[1]))
        dims = [dict((n, i) for n, i, _ in fields(d)).get(1, 1)
                for n, d, _ in fields(tensor[2]) if n == 1]
        yield parts[1].decode(), tensor[1], math.prod(dims)


for path in MODELS:
    rng = Random(len(path))
    given = {name: [rng.randint(-512, 512) / 512 for _ in range(count)]
             for name, kind, count in inputs_of(path) if kind == FLOAT}
    half, whole = (outputs_of(path, is_half, given) for is_half in (True, False))
    for name in whole:
        wanted = [from_bits(FLOAT16, to_half(x)) for x in whole[name][1]]
        found = half[name][1]
        bad = [i for i in range(len(wanted)) if not same(found[i], wanted[i])]
        expect("%s: %s: element %s" % (path, name, bad[:1]), bool(bad), False)
    print("%s: %d outputs equal" % (os.path.basename(path), len(whole)))
