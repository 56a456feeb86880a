#!/usr/bin/env python3
"""Writes a network of loops in loops to standard output.

    nests.py LEVELS KINDS [empty]

A level is f, an scf.for of two turns; n, one of as many as input says; w, an
scf.while of as many; or i, an scf.if. KINDS repeats. In each a convolution runs
before the next level, and another and a maximum behind it; "empty" leaves these
out, so that each level only passes on what it carries."""

import random
import sys

T, S = "tensor<1x2x2x8xi8>", "tensor<1x2x2x8xi32>"
W = "tensor<8x1x1x8xi8>"
HEAD = f"""func.func @nests(%x: {T}, %n: tensor<LEVELSxi32>) -> {T} {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%z = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>
%z32 = "tosa.const"() <{{values = dense<0> : tensor<1xi32>}}> : () -> tensor<1xi32>
%m = "tosa.const"() <{{values = dense<1073741824> : tensor<1xi32>}}> : () -> tensor<1xi32>
%s = "tosa.const"() <{{values = dense<36> : tensor<1xi8>}}> : () -> tensor<1xi8>
%b = "tosa.const"() <{{values = dense<3> : tensor<8xi32>}}> : () -> tensor<8xi32>"""
OPEN = {
    "f": "%r{i} = scf.for %k{i} = %c0 to %c2 step %c1 iter_args(%a{i} = {x}) -> {t} {{",
    "n": "%r{i} = scf.for %k{i} = %c0 to %n{i} step %c1 iter_args(%a{i} = {x}) -> {t} {{",
    "w": "%r{i}, %q{i} = scf.while (%v{i} = {x}, %u{i} = %c0) : ({t}, index) -> ({t}, index) {{\n"
         "%e{i} = arith.cmpi ult, %u{i}, %n{i} : index\n"
         "scf.condition(%e{i}) %v{i}, %u{i} : {t}, index\n"
         "}} do {{\n^bb0(%a{i}: {t}, %k{i}: index):",
    "i": "%e{i} = arith.cmpi ne, %n{i}, %c0 : index\n%r{i} = scf.if %e{i} -> {t} {{",
}
CLOSE = {
    "f": "scf.yield {y} : {t}\n}}",
    "n": "scf.yield {y} : {t}\n}}",
    "w": "%j{i} = arith.addi %k{i}, %c1 : index\nscf.yield {y}, %j{i} : {t}, index\n}}",
    "i": "scf.yield {y} : {t}\n}} else {{\nscf.yield {x} : {t}\n}}",
}
GENERATOR = random.Random(1)


def convolution(name, x):
    weights = GENERATOR.randbytes(64).hex().upper()
    print(f"""%w{name} = "tosa.const"() <{{values = dense<"0x{weights}"> : {W}}}> : () -> {W}
%s{name} = tosa.conv2d {x}, %w{name}, %b, %z, %z {{acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}} : ({T}, {W}, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> {S}
%{name} = tosa.rescale %s{name}, %m, %s, %z32, %z {{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}} : ({S}, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> {T}""")
    return f"%{name}"


def write_level(i, levels, kinds, is_empty, x):
    """Writes level `i` and those in it, and returns the value of its result."""
    if i == levels:
        return convolution("y", x)
    kind = kinds[i % len(kinds)]
    print(f"%o{i} = arith.constant {i} : index\n"
          f"%t{i} = tensor.extract %n[%o{i}] : tensor<{levels}xi32>\n"
          f"%n{i} = arith.index_cast %t{i} : i32 to index")
    print(OPEN[kind].format(i=i, x=x, t=T))
    before = x if kind == "i" else f"%a{i}"
    first = before if is_empty else convolution(f"p{i}", before)
    y = write_level(i + 1, levels, kinds, is_empty, first)
    if not is_empty:
        y = convolution(f"g{i}", y)
        print(f"%h{i} = tosa.maximum {y}, {first} : ({T}, {T}) -> {T}")
        y = f"%h{i}"
    print(CLOSE[kind].format(i=i, x=x, y=y, t=T))
    return f"%r{i}"


count = int(sys.argv[1])
print(HEAD.replace("LEVELS", str(count)))
result = write_level(0, count, sys.argv[2], len(sys.argv) > 3, "%x")
print(f"return {result} : {T}\n}}")
