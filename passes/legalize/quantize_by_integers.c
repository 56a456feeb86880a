// Quantisation of f32 by integers, for cores that compute floats in software:
// the arithmetic of luna/thresholds.h as a body of linalg.generic.

#include "quantize_by_integers.h"

#include "host_work.h"
#include "luna-c/build_tosa.h"
#include "luna-c/ir.h"
#include "luna-c/ops.h"
#include "luna/cost.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue luna_thresholds_table(const LunaBuilder *b,
                                const LunaThresholds *thresholds) {
  return luna_build_data(b, luna_list_type(b->i32, thresholds->count),
                         thresholds->starts);
}

// Returns the bits as an integer that orders numbers.
static MlirValue ordered_bits(const LunaBuilder *b, MlirValue x) {
  MlirValue bits = luna_scalar_to(b, "arith.bitcast", x, b->i32);
  MlirValue sign = luna_scalar_with(b, "arith.shrsi", bits, 31);
  MlirValue flips = luna_scalar_with(b, "arith.andi", sign, INT32_MAX);
  return luna_scalar(b, "arith.xori", bits, flips);
}

static MlirValue fixed_point(const LunaBuilder *b, const LunaThresholds *t,
                             MlirValue magnitude) {
  MlirValue mantissa = luna_scalar_with(b, "arith.andi", magnitude, 0x7fffff);
  mantissa = luna_scalar_with(b, "arith.ori", mantissa, 0x800000);
  MlirValue exponent = luna_scalar_with(b, "arith.shrui", magnitude, 23);
  MlirValue down =
      luna_scalar_sub(b, luna_scalar_i32(b, t->exponent), exponent);
  down = luna_scalar_min(b, down, luna_scalar_i32(b, 31));
  return luna_scalar(b, "arith.shrui", mantissa, down);
}

static MlirValue guess(const LunaBuilder *b, const LunaThresholds *t,
                       MlirValue bits) {
  MlirValue sign = luna_scalar_with(b, "arith.shrsi", bits, 31);
  MlirValue fixed = fixed_point(b, t, luna_scalar(b, "arith.xori", bits, sign));
  MlirValue product = luna_scalar_with(b, "arith.muli", fixed, t->factor);
  product = luna_scalar_with(b, "arith.shrui", product, t->shift);
  product = luna_scalar(b, "arith.xori", product, sign);
  return luna_scalar_with(b, "arith.addi", luna_scalar_sub(b, product, sign),
                          t->bias);
}

// 1 where the bits compare with the start of step `index`, else 0.
static MlirValue compares(const LunaBuilder *b, LunaCompare how, MlirValue bits,
                          MlirValue table, MlirValue index) {
  MlirValue at = luna_scalar_to(b, "arith.index_cast", index, b->index);
  MlirValue start = luna_scalar_extract(b, table, &at);
  return luna_scalar_to(b, "arith.extui",
                        luna_scalar_compare(b, how, bits, start), b->i32);
}

MlirValue luna_quantize_by_integers(const LunaBuilder *b,
                                    const LunaThresholds *t, MlirValue table,
                                    MlirValue x) {
  MlirValue bits = luna_scalar_clamp(b, ordered_bits(b, x), t->least, t->most);
  MlirValue step = guess(b, t, bits);
  MlirValue next = luna_scalar_with(b, "arith.addi", step, 1);
  MlirValue below = compares(b, LUNA_LT, bits, table, step);
  MlirValue above = compares(b, LUNA_GE, bits, table, next);
  MlirValue result = luna_scalar_with(b, "arith.addi", step, t->low - 1);
  return luna_scalar_add(b, luna_scalar_sub(b, result, below), above);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

typedef struct BodyCost {
  const LunaMachine *machine;
  uint64_t hundredths;  // of an element
  uint64_t table_bytes; // of what it reads at places that it computes
} BodyCost;

static bool add_op(MlirOperation op, void *data) {
  BodyCost *cost = data;
  if (luna_op_is(op, LUNA_OP_LINALG_GENERIC))
    return true;
  if (luna_op_is(op, LUNA_OP_TENSOR_EXTRACT)) {
    MlirType table = mlirValueGetType(mlirOperationGetOperand(op, 0));
    cost->hundredths += cost->machine->host[LUNA_HOST_ACCESS];
    cost->table_bytes = (uint64_t)luna_shaped_bytes(table);
    return true;
  }
  LunaHostWork work = luna_host_work(op);
  if (work.cost != LUNA_HOST_COST_COUNT)
    cost->hundredths += (uint64_t)work.times * cost->machine->host[work.cost];
  return true;
}

uint64_t luna_quantize_body_cycles(const LunaMachine *machine,
                                   MlirOperation generic,
                                   int64_t element_count) {
  BodyCost cost = {.machine = machine};
  luna_walk(generic, add_op, &cost);
  uint64_t cycles = cost.hundredths * (uint64_t)element_count / 100;
  return cost.table_bytes == 0
             ? cycles
             : cycles + luna_cost_dma(machine, LUNA_DMA_LOAD, cost.table_bytes);
}
