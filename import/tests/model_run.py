"""Runs a model on given values by lunac; needs nothing but Python."""

import ast
import os
import struct
import subprocess

FORMATS = {"<f4": "f", "<f8": "d", "<f2": "e", "|i1": "b", "<i2": "h", "<i4": "i",
           "<i8": "q", "|b1": "?", "|u1": "B"}
# What the models with live sizes read.
X = [[((7 * r + 3 * c) % 11 - 5) / 4 for c in range(4)] for r in range(6)]


def read_npy(path):
    """Returns the shape and the elements of a file."""
    with open(path, "rb") as file:
        data = file.read()
    size, = struct.unpack_from("<H", data, 8)
    head = ast.literal_eval(data[10:10 + size].decode())
    form = FORMATS[head["descr"]]
    raw = data[10 + size:]
    count = len(raw) // struct.calcsize(form)
    return head["shape"], list(struct.unpack("<%d%s" % (count, form), raw))


def run(lunac, model, folder, cases, *options):
    """Compiles a model and runs it, checked against the upstream path, on cases
    of inputs {name: (kind, values)}; returns outputs {name: (shape, values)} of
    each."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    command = [lunac, "run", model, "--check", "--output=" + folder, *options]
    for name in cases[0]:
        path = os.path.join(folder, name + ".bin")
        with open(path, "wb") as out:
            for case in cases:
                kind, values = case[name]
                out.write(struct.pack("<%d%s" % (len(values), kind), *values))
        command.append("--input=%s=%s" % (name, path))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s\n%s%s" % (" ".join(command), done.stdout,
                                       done.stderr))
    found = [{} for _ in cases]
    for name in os.listdir(folder):
        base, ending = os.path.splitext(name)
        if ending == ".npy":
            base, case = base.rsplit(".", 1) if len(cases) > 1 else (base, 0)
            found[int(case)][base] = read_npy(os.path.join(folder, name))
    return found


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit("%s: expected %s, found %s" % (what, wanted, found))


def expect_rows(what, outputs, name, rows, axis=0):
    """Expects an output whose size only the running program knows: these rows
    along an axis of a list or matrix, zeros behind, and how many there are."""
    shape, values = outputs[name]
    step = 1
    for size in shape[axis + 1:]:
        step *= size
    live = len(rows[0]) if axis == 1 and rows else len(rows)
    flat = [x for row in rows for x in (row if isinstance(row, list) else [row])]
    kept = [x for i, x in enumerate(values) if i // step % shape[axis] < live]
    rest = [x for i, x in enumerate(values) if i // step % shape[axis] >= live]
    expect("%s: %s.size" % (what, name), outputs[name + ".size"][1], [live])
    expect_close("%s: %s" % (what, name), kept, flat)
    expect("%s: %s behind" % (what, name), any(rest), False)


def expect_close(what, found, wanted):
    if len(found) != len(wanted) or any(
            f != w and f == f and not abs(f - w) <= 1e-5 * max(1, abs(w))
            for f, w in zip(found, wanted)):
        raise SystemExit("%s: expected %s, found %s" % (what, wanted, found))
