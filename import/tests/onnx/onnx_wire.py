"""Writes ONNX models byte by byte; needs nothing but Python."""

import os
import struct

FLOAT, UINT8, INT8, INT16, INT32, INT64, BOOL = 1, 2, 3, 5, 6, 7, 9


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3) + varint(value)


def pack(kind, values):
    code = {FLOAT: "f", UINT8: "B", INT8: "b", INT16: "h", INT32: "i",
            INT64: "q", BOOL: "?"}[kind]
    return struct.pack("<%d%s" % (len(values), code), *values)


class Tensor(bytes):
    pass


def tensor(name, kind, dims, values):
    raw = pack(kind, values)
    return Tensor(b"".join(field(1, d) for d in dims) + field(2, kind) +
                  field(8, name) + field(9, raw))


def attribute(name, value):
    out = field(1, name)
    if isinstance(value, int):
        return out + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return out + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return out + field(4, value) + field(20, 3)
    if isinstance(value, Tensor):
        return out + field(5, value) + field(20, 4)
    if isinstance(value, bytes):
        return out + field(6, value) + field(20, 5)
    number, kind = {float: (7, 6), str: (9, 8)}.get(type(value[0]), (8, 7))
    return out + b"".join(field(number, v) for v in value) + field(20, kind)


def node(op, inputs, outputs, domain="", **attributes):
    return (b"".join(field(1, i) for i in inputs) +
            b"".join(field(2, o) for o in outputs) +
            field(3, outputs[0] + "_node") + field(4, op) +
            (field(7, domain) if domain else b"") +
            b"".join(field(5, attribute(k, v)) for k, v in attributes.items()))


def value(name, kind, dims):
    shape = b"".join(field(1, field(2, d) if isinstance(d, str) else field(1, d))
                     for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def graph(nodes, inputs, outputs, initializers=()):
    return (b"".join(field(1, n) for n in nodes) + field(2, "graph") +
            b"".join(field(5, t) for t in initializers) +
            b"".join(field(11, i) for i in inputs) +
            b"".join(field(12, o) for o in outputs))


def model(contents, opset=13, domains=()):
    sets = [("", opset)] + [(name, 1) for name in domains]
    return (field(1, 8) +
            b"".join(field(8, field(1, d) + field(2, v)) for d, v in sets) +
            field(7, contents))


def counted(n, scale=0.25):
    return [((i * 7) % 11 - 5) * scale for i in range(n)]


def write(name, data):
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, name + ".onnx"), "wb") as out:
        out.write(data)
