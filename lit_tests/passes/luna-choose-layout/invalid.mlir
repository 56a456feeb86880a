// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{layout=rows})' 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-choose-layout{place=host})' 2>&1 | FileCheck %s --check-prefix=PLACE

// LAYOUT: error: layout is 'rows', allowed are auto, nhwc, planar and calls
// PLACE: error: place is 'host'
func.func @main(%x: memref<4xi8>) {
  return
}
