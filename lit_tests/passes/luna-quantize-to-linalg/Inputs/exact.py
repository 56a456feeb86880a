"""Writes the inputs of executed.mlir and what they have to give.

Numbers are binary32; each step is rounded to it by way of binary64, which is
the same for one quotient, product or sum.
"""

import fractions
import math
import os
import random
import struct
import sys

COUNT = 4096


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def neighbour(x, steps):
    """The binary32 number that many steps away from a positive one."""
    bits = struct.unpack("<i", struct.pack("<f", x))[0]
    return struct.unpack("<f", struct.pack("<i", bits + steps))[0]


def half_even(x):
    return round(x)


def half_away(x):
    exact = fractions.Fraction(x)
    whole = math.floor(abs(exact) + fractions.Fraction(1, 2))
    return whole if exact >= 0 else -whole


def half_up(x):
    return math.floor(f32(x + 0.5))


def quantize(x, scale, zero, low, high, rounding):
    if abs(x) > 1e6 * scale:
        return high if x > 0 else low
    quotient = f32(x / scale)
    return min(max(rounding(quotient) + zero, low), high)


def inputs():
    ties = [(k + 0.5) * 0.125 for k in range(256)]
    near = [neighbour(t, step) for t in ties for step in (-1, 1)]
    large = [16.0, 1e4, 7e4, 3e38, math.inf, 1e-45, 0.0, 8388607.5]
    some = random.Random(1)
    positive = ties + near + large
    positive += [f32(some.uniform(0, 40)) for _ in range(1024 - len(positive))]
    positive += [f32(some.uniform(0, 30000)) for _ in range(1024)]
    return positive + [-x for x in positive]


def write(name, values, kind):
    with open(os.path.join(sys.argv[1], name), "wb") as out:
        if name.endswith(".npy"):
            header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }"
            header = header % len(values)
            header += " " * (63 - (len(header) + 10) % 64) + "\n"
            out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                      header.encode())
        out.write(struct.pack("<%d%s" % (len(values), kind), *values))


def main():
    x = inputs()
    assert len(x) == COUNT
    third = f32(0.3333333)
    q = list(range(-128, 128))
    write("x.npy", x, "f")
    write("q.bin", q, "b")
    for name, rounding in (("even", half_even), ("away", half_away),
                           ("up", half_up)):
        write(name + ".bin",
              [quantize(v, 0.125, -5, -128, 127, rounding) for v in x], "b")
    write("unsigned.bin",
          [quantize(v, third, 251, 0, 255, half_even) for v in x], "B")
    write("wide.bin",
          [quantize(v, third, 10, 0, 65535, half_away) for v in x], "H")
    write("wide_up.bin",
          [quantize(v, third, 10, -32768, 32767, half_up) for v in x], "h")
    write("floats.npy", [f32((v + 5) * third) for v in q], "f")
    write("from_unsigned.npy", [f32((v % 256 - 251) * third) for v in q], "f")


main()
