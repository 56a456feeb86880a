// RUN: luna-opt %s --pass-pipeline='builtin.module(func.func(luna-check-input))' | FileCheck %s

// The greatest rank that is compiled.
// CHECK-LABEL: func.func @rank_16(
// CHECK-SAME: bufferization.writable = false
func.func @rank_16(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xi8>) {
  return
}

// No elements, one, and the last one.
// CHECK-LABEL: func.func @elements(
// CHECK: tensor.extract
// CHECK: tensor.extract
func.func @elements(%none: tensor<0x4xi8>, %one: tensor<i8>, %x: tensor<2x4xi8>) -> tensor<0x4xi8> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract %one[] : tensor<i8>
  %b = tensor.extract %x[%c1, %c3] : tensor<2x4xi8>
  return %none : tensor<0x4xi8>
}

// 32 loops, as deep as they may be.
// CHECK-LABEL: func.func @loops(
// CHECK-COUNT-32: scf.for
func.func @loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i0 = %c0 to %c2 step %c1 {
    scf.for %i1 = %c0 to %c2 step %c1 {
      scf.for %i2 = %c0 to %c2 step %c1 {
        scf.for %i3 = %c0 to %c2 step %c1 {
          scf.for %i4 = %c0 to %c2 step %c1 {
            scf.for %i5 = %c0 to %c2 step %c1 {
              scf.for %i6 = %c0 to %c2 step %c1 {
                scf.for %i7 = %c0 to %c2 step %c1 {
                  scf.for %i8 = %c0 to %c2 step %c1 {
                    scf.for %i9 = %c0 to %c2 step %c1 {
                      scf.for %i10 = %c0 to %c2 step %c1 {
                        scf.for %i11 = %c0 to %c2 step %c1 {
                          scf.for %i12 = %c0 to %c2 step %c1 {
                            scf.for %i13 = %c0 to %c2 step %c1 {
                              scf.for %i14 = %c0 to %c2 step %c1 {
                                scf.for %i15 = %c0 to %c2 step %c1 {
                                  scf.for %i16 = %c0 to %c2 step %c1 {
                                    scf.for %i17 = %c0 to %c2 step %c1 {
                                      scf.for %i18 = %c0 to %c2 step %c1 {
                                        scf.for %i19 = %c0 to %c2 step %c1 {
                                          scf.for %i20 = %c0 to %c2 step %c1 {
                                            scf.for %i21 = %c0 to %c2 step %c1 {
                                              scf.for %i22 = %c0 to %c2 step %c1 {
                                                scf.for %i23 = %c0 to %c2 step %c1 {
                                                  scf.for %i24 = %c0 to %c2 step %c1 {
                                                    scf.for %i25 = %c0 to %c2 step %c1 {
                                                      scf.for %i26 = %c0 to %c2 step %c1 {
                                                        scf.for %i27 = %c0 to %c2 step %c1 {
                                                          scf.for %i28 = %c0 to %c2 step %c1 {
                                                            scf.for %i29 = %c0 to %c2 step %c1 {
                                                              scf.for %i30 = %c0 to %c2 step %c1 {
                                                                scf.for %i31 = %c0 to %c2 step %c1 {
                                                                }
                                                              }
                                                            }
                                                          }
                                                        }
                                                      }
                                                    }
                                                  }
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
