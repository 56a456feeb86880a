#!/usr/bin/env python3
"""Writes a network of N sums and poolings to standard output, a branch at every
200th; with a second argument all of it inside a branch, without others."""

import sys

T = "tensor<1x4x4x4xi8>"
BRANCH = "tosa.cond_if %flag (%{a} = {x}, %{b} = {y}) : tensor<i1> ({t}, {t}) -> {t}"

POOL = ("{kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, "
        "stride = array<i64: 1, 1>}")


def write_operators(count, x, has_branches):
    before = x
    for i in range(count):
        if has_branches and i % 200 == 199:
            head = BRANCH.format(a=f"a{i}", b=f"b{i}", x=x, y=before, t=T)
            print(f"%y{i} = {head} {{\n^bb0(%c{i}: {T}, %d{i}: {T}):\n"
                  f"%e{i} = tosa.minimum %c{i}, %d{i} : ({T}, {T}) -> {T}\n"
                  f"tosa.yield %e{i} : {T}\n"
                  f"}} else {{\n^bb0(%c{i}: {T}, %d{i}: {T}):\n"
                  f"tosa.yield %c{i} : {T}\n}}")
        elif i % 3 == 0:
            print(f"%y{i} = tosa.add {x}, {before} : ({T}, {T}) -> {T}")
        else:
            print(f"%y{i} = tosa.max_pool2d {x} {POOL} : ({T}) -> {T}")
        x, before = f"%y{i}", x
    return x


print(f"func.func @long(%in: {T}, %flag: tensor<i1>) -> {T} {{")
if len(sys.argv) == 2:
    result = write_operators(int(sys.argv[1]), "%in", True)
else:
    print("%r = " + BRANCH.format(a="x", b="y", x="%in", y="%in", t=T) +
          f" {{\n^bb0(%p: {T}, %q: {T}):")
    inner = write_operators(int(sys.argv[1]), "%p", False)
    print(f"tosa.yield {inner} : {T}\n}} else {{\n^bb0(%p: {T}, %q: {T}):\n"
          f"tosa.yield %q : {T}\n}}")
    result = "%r"
print(f"return {result} : {T}\n}}")
