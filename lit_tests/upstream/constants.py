#!/usr/bin/env python3
"""Prints a chain of additions of constants, which are all distinct, or one.

    lit_tests/upstream/constants.py COUNT [--shared]
"""

import sys

count, is_shared = int(sys.argv[1]), "--shared" in sys.argv[2:]
print("func.func @main(%a0: tensor<2xi32>) -> tensor<2xi32> {")
for i in range(count):
    if i == 0 or not is_shared:
        print(f"  %c{i} = arith.constant dense<[{i}, 1]> : tensor<2xi32>")
    print(f"  %e{i} = tensor.empty() : tensor<2xi32>\n"
          f"  %a{i + 1} = linalg.add ins(%a{i}, %c{0 if is_shared else i} : "
          f"tensor<2xi32>, tensor<2xi32>) outs(%e{i} : tensor<2xi32>) -> "
          f"tensor<2xi32>")
print(f"  return %a{count} : tensor<2xi32>\n}}")
