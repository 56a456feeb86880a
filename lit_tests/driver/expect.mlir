// --expect compares with what should come out: integers and, without a
// tolerance, floats bit for bit; where they differ, how many, the first and the
// largest difference are told.
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<8f', 1, 2, 3, 4, 10, 20, 30, 40))" > %t.x.bin
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<8f', 2, 4, 6, 8, 20, 40, 60, 80))" > %t.right.bin
// RUN: python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<8f', 2, 4, 6, 8, 20, 40.001, 60.3, 80))" > %t.near.bin
// RUN: lunac run %s --input=%t.x.bin --expect=%t.right.bin | FileCheck %s --check-prefix=EQUAL
// RUN: not lunac run %s --input=%t.x.bin --expect=y=%t.near.bin 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not lunac run %s --input=%t.x.bin --expect=%t.near.bin --tolerance=1e-4 2>&1 | FileCheck %s --check-prefix=CLOSER
// RUN: lunac run %s --input=%t.x.bin --expect=%t.near.bin --tolerance=0.01 | FileCheck %s --check-prefix=EQUAL
// RUN: not lunac run %s --input=%t.x.bin --expect=%t.near.bin --tolerance=x 2>&1 | FileCheck %s --check-prefix=BAD

// A file for each case, of inputs and outputs, is the same as one for all.
// RUN: head -c 16 %t.x.bin > %t.x0.bin && tail -c 16 %t.x.bin > %t.x1.bin
// RUN: head -c 16 %t.right.bin > %t.y0.bin && tail -c 16 %t.right.bin > %t.y1.bin
// RUN: lunac run %s --input=%t.x0.bin --input=%t.x1.bin --expect=y=%t.y0.bin --expect=0=%t.y1.bin | FileCheck %s --check-prefix=EQUAL
// RUN: not lunac run %s --input=%t.x1.bin --input=%t.x0.bin --expect=%t.y0.bin --expect=%t.y1.bin 2>&1 | FileCheck %s --check-prefix=ORDER

// ORDER: error: output 'y' differs in 4 of 4 elements{{.*}}case 0
// ORDER: error: output 'y' differs in 4 of 4 elements{{.*}}case 1
// EQUAL: 0 hazards; 2 outputs are as expected
// APART: error: output 'y' differs in 2 of 4 elements, first at 1: 40, expected 40.0009995; by 0.299999 at most, at 2 (path straight, case 1)
// APART: 0 hazards; 1 outputs differ
// CLOSER: error: output 'y' differs in 1 of 4 elements, first at 2
// BAD: lunac: error: --tolerance is 'x', needs a number of at least 0
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {luna.name = "y"}) {
  %y = tosa.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
