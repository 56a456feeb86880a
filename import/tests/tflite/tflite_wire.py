"""Writes TensorFlow Lite models byte by byte; needs nothing but Python."""

import struct

F32, I32, U8, BOOL, I16, I8, RESOURCE, I64 = 0, 2, 3, 6, 7, 9, 13, 4
FORMATS = {F32: "f", I32: "i", U8: "B", BOOL: "?", I16: "h", I8: "b", I64: "q"}


# -- flat buffers ------------------------------------------------------------

class Table(dict):
    """Field number -> value: ("i", 5) a scalar by its struct format, or a
    reference: Table, str, Vector, list of Tables or strings."""


class Vector:
    def __init__(self, form, values):
        self.form, self.values = form, list(values)


class Writer:
    def __init__(self):
        self.data = bytearray()

    def align(self, size):
        while len(self.data) % size:
            self.data.append(0)

    def reference(self, at, target):
        struct.pack_into("<I", self.data, at, target - at)

    def table(self, table):
        slots = max(table, default=-1) + 1
        offsets, size = [0] * slots, 4
        for field in sorted(table):
            value = table[field]
            width = struct.calcsize(value[0]) if isinstance(value, tuple) else 4
            size += -size % width
            offsets[field] = size
            size += width
        self.align(2)
        vtable = len(self.data)
        self.data += struct.pack("<HH%dH" % slots, 4 + 2 * slots, size, *offsets)
        self.align(8)
        at = len(self.data)
        self.data += bytes(size)
        struct.pack_into("<i", self.data, at, at - vtable)
        for field, value in sorted(table.items()):
            place = at + offsets[field]
            if isinstance(value, tuple):
                struct.pack_into("<" + value[0], self.data, place, value[1])
            else:
                self.reference(place, self.value(value))
        return at

    def value(self, value):
        if isinstance(value, Table):
            return self.table(value)
        if isinstance(value, str):
            value = Vector("B", value.encode() + b"\0")
            value.cut = True
        if isinstance(value, Vector):
            width = struct.calcsize(value.form)
            while (len(self.data) + 4) % max(width, 4):
                self.data.append(0)
            at = len(self.data)
            count = len(value.values) - hasattr(value, "cut")
            self.data += struct.pack("<I", count)
            self.data += struct.pack("<%d%s" % (len(value.values), value.form),
                                     *value.values)
            return at
        self.align(4)
        at = len(self.data)
        self.data += struct.pack("<I", len(value)) + bytes(4 * len(value))
        for i, item in enumerate(value):
            self.reference(at + 4 + 4 * i, self.value(item))
        return at


def flat_buffer(root, identifier):
    writer = Writer()
    writer.data += bytes(4) + identifier
    writer.reference(0, writer.table(root))
    return bytes(writer.data)


# -- models ------------------------------------------------------------------

class Graph:
    def __init__(self, model, name):
        self.model, self.name = model, name
        self.tensors, self.operators = [], []
        self.inputs, self.outputs = [], []
        model.graphs.append(self)

    def tensor(self, name, kind, shape, scale=None, zero=0, data=None, axis=0,
               variable=False, open_axes=()):
        scales = scale if isinstance(scale, list) else [scale]
        quant = Table()
        if scale is not None:
            quant = Table({2: Vector("f", scales),
                           3: Vector("q", [zero] * len(scales)),
                           6: ("i", axis)})
        buffer = 0
        if data is not None:
            raw = struct.pack("<%d%s" % (len(data), FORMATS[kind]), *data)
            self.model.buffers.append(Table({0: Vector("B", raw)}))
            buffer = len(self.model.buffers) - 1
        table = Table({
            0: Vector("i", shape), 1: ("b", kind), 2: ("I", buffer), 3: name,
            4: quant, 5: ("?", variable)})
        if open_axes:
            table[7] = Vector("i", [-1 if axis in open_axes else size
                                    for axis, size in enumerate(shape)])
        self.tensors.append(table)
        return len(self.tensors) - 1

    def op(self, code, inputs, outputs, kind=0, options=None, custom=None,
           flex=None):
        key = (code, 1, custom)
        if key not in self.model.codes:
            self.model.codes.append(key)
        table = Table({0: ("I", self.model.codes.index(key)),
                       1: Vector("i", inputs), 2: Vector("i", outputs)})
        if kind:
            table[3] = ("B", kind)
            table[4] = Table(options or {})
        if flex is not None:
            table[5] = Vector("B", list(flex))
        self.operators.append(table)

    def table(self):
        return Table({0: self.tensors, 1: Vector("i", self.inputs),
                      2: Vector("i", self.outputs), 3: self.operators,
                      4: self.name})


class Model:
    def __init__(self, description="made by make_models.py"):
        self.graphs, self.buffers, self.codes = [], [Table()], []
        self.description = description

    def encode(self):
        codes = [Table({0: ("b", min(code, 127)), 2: ("i", version),
                        3: ("i", code), **({1: custom} if custom else {})})
                 for code, version, custom in self.codes]
        root = Table({0: ("I", 3), 1: codes,
                      2: [graph.table() for graph in self.graphs],
                      3: self.description, 4: self.buffers})
        return flat_buffer(root, b"TFL3")

    def write(self, path):
        with open(path, "wb") as out:
            out.write(self.encode())
