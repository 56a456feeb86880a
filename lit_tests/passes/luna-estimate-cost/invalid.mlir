// RUN: luna-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-estimate-cost))'

// expected-error @below {{has no luna.plan; run luna-plan-memory first}}
func.func @unplanned(%x: memref<4xi8>) {
  return
}

// -----

// expected-error @below {{plan attribute 'activation_bytes' is missing or malformed}}
func.func @cut(%x: memref<16xi8>) attributes {luna.plan = {machine = "venus", capacity_bytes = 655360 : i64, strategy = "naive", merge = "path", total_bytes = 0 : i64, lower_bound_bytes = 0 : i64, placement_bound_bytes = 0 : i64, tensor_bytes = 0 : i64, tensor_lower_bound_bytes = 0 : i64, tensor_placement_bound_bytes = 0 : i64}} {
  return
}
