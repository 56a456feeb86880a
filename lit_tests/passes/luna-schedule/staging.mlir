// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=21439}))' | FileCheck %s
// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-schedule{capacity-bytes=21440}))' | FileCheck %s --check-prefix=FITS

// The tensors fit, 20480 bytes, but not with the weights of the convolution,
// 960: the branch that passes the value through copies it.
#p = #luna.memory<psram>
memref.global "private" constant @params0 : memref<960xi8, #p> = dense<1>
func.func @main(%f: i1, %in: memref<1x16x16x16xi8, #p>, %out: memref<1x16x16x48xi8, #p>) {
  %c0 = arith.constant 0 : index
  %c768 = arith.constant 768 : index
  // CHECK: %[[X:.*]] = memref.alloc()
  %x = memref.alloc() : memref<1x16x16x16xi8>
  memref.copy %in, %x : memref<1x16x16x16xi8, #p> to memref<1x16x16x16xi8>
  // CHECK: %[[Y:.*]] = memref.alloc()
  // CHECK: scf.if
  // FITS: %[[R:.*]] = scf.if
  %r = scf.if %f -> (memref<1x16x16x16xi8>) {
    // CHECK: luna.max_pool2d ins(%[[X]] {{.*}} outs(%[[Y]]
    %y = memref.alloc() : memref<1x16x16x16xi8>
    luna.max_pool2d ins(%x : memref<1x16x16x16xi8>) outs(%y : memref<1x16x16x16xi8>) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
    scf.yield %y : memref<1x16x16x16xi8>
  } else {
    // CHECK: memref.copy %[[X]], %[[Y]]
    // FITS-NOT: memref.copy
    scf.yield %x : memref<1x16x16x16xi8>
  }
  %blob = memref.get_global @params0 : memref<960xi8, #p>
  %weights = memref.view %blob[%c0][] : memref<960xi8, #p> to memref<48x1x1x16xi8, #p>
  %bias = memref.view %blob[%c768][] : memref<960xi8, #p> to memref<48xi32, #p>
  // CHECK: luna.conv2d ins(%[[Y]],
  // FITS: luna.conv2d ins(%[[R]],
  %b = memref.alloc() : memref<1x16x16x48xi8>
  luna.conv2d ins(%r, %weights : memref<1x16x16x16xi8>, memref<48x1x1x16xi8, #p>) bias(%bias : memref<48xi32, #p>) outs(%b : memref<1x16x16x48xi8>) {params = @params0, requant = #luna.requant<mode = shift, shift = 6>}
  memref.copy %b, %out : memref<1x16x16x48xi8> to memref<1x16x16x48xi8, #p>
  return
}
