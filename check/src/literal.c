#include "luna/literal.h"

#include <string.h>

#include "literal_log.h"
#include "literal_probe.h"
#include "literal_promote.h"
#include "literal_run.h"
#include "luna-c/ir.h"
#include "reference_branches.h"
#include "reference_compile.h"

//===- Transposed convolutions --------------------------------------------===//

// What a module has that decides how they are decomposed.
typedef struct Convolutions {
  bool has_transposed, has_padded_depthwise;
} Convolutions;

static bool is_padded_1x1(MlirOperation op) {
  int64_t pad[4] = {0};
  MlirType weight = mlirValueGetType(mlirOperationGetOperand(op, 1));
  luna_attr_ints(op, "pad", pad, 4);
  return mlirShapedTypeGetDimSize(weight, 0) == 1 &&
         mlirShapedTypeGetDimSize(weight, 1) == 1 &&
         (pad[0] || pad[1] || pad[2] || pad[3]);
}

static bool find_convolution(MlirOperation op, void *data) {
  Convolutions *found = data;
  if (luna_op_is(op, LUNA_OP_TOSA_TRANSPOSE_CONV2D))
    found->has_transposed = true;
  if (luna_op_is(op, LUNA_OP_TOSA_DEPTHWISE_CONV2D) && is_padded_1x1(op))
    found->has_padded_depthwise = true;
  return true;
}

// Upstream's way, but where it would take a convolution apart wrongly.
static bool decompose(MlirModule module, LunaError *error) {
  Convolutions found = {false, false};
  luna_walk(mlirModuleGetOperation(module), find_convolution, &found);
  return !found.has_transposed ||
         luna_reference_step(module,
                             found.has_padded_depthwise
                                 ? LUNA_UPSTREAM_DECOMPOSE
                                 : LUNA_LITERAL_DECOMPOSE,
                             error);
}

//===- Compiling ----------------------------------------------------------===//

// States come from the other reference.
static bool drop_attributes(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is(op, LUNA_OP_FUNC_FUNC)) {
    mlirOperationRemoveAttributeByName(op, luna_str("arg_attrs"));
    mlirOperationRemoveAttributeByName(op, luna_str("res_attrs"));
  }
  return true;
}

static bool compile(MlirModule module, LunaReference *function,
                    LunaError *error) {
  luna_literal_replace(module);
  luna_reference_hook_branches(module, true, function);
  if (!luna_reference_step(module, LUNA_LITERAL_QUANTIZE, error) ||
      !luna_reference_step(module, LUNA_UPSTREAM_UNIT, error) ||
      !decompose(module, error) ||
      !luna_reference_step(module, LUNA_UPSTREAM_LINALG, error))
    return false;
  luna_walk(mlirModuleGetOperation(module), drop_attributes, NULL);
  luna_literal_promote(module);
  return luna_reference_note_entry(module, false, function, error) &&
         luna_reference_step(module, LUNA_LITERAL_BUFFERIZE, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_SIMPLIFY, error) &&
         luna_reference_to_llvm(module, error);
}

bool luna_literal_create(MlirModule module, int optimisation_level,
                         LunaArena *arena, LunaLiteral *literal,
                         LunaError *error) {
  LunaQuantizers quantizers = {0};
  luna_literal_list(module, arena, &quantizers);
  *literal = (LunaLiteral){
      .quantizers = quantizers.items,
      .tallies = LUNA_ARENA_ARRAY(arena, LunaQuantizerTally, quantizers.count),
      .count = (uint32_t)quantizers.count,
  };
  return compile(module, &literal->function, error) &&
         luna_reference_generate(module, optimisation_level, &literal->function,
                                 error);
}

void luna_literal_destroy(LunaLiteral *literal) {
  luna_reference_destroy(&literal->function);
}

//===- Running ------------------------------------------------------------===//

// Gives the literal function a value of the other: f32 as f64.
static void take_value(const LunaReferenceValue *from, LunaReferenceValue *to) {
  if (from->bytes == to->bytes) {
    memcpy(to->data, from->data, to->bytes);
    return;
  }
  for (size_t i = 0; i < from->bytes / sizeof(float); ++i) {
    float number;
    memcpy(&number, from->data + i * sizeof number, sizeof number);
    double wide = (double)number;
    memcpy(to->data + i * sizeof wide, &wide, sizeof wide);
  }
}

bool luna_literal_run(LunaReference *reference, const LunaDecision *decisions,
                      uint32_t count) {
  LunaLiteral *literal = reference->literal;
  LunaLiteralLog log;
  for (uint32_t i = 0; i < reference->argument_count; ++i)
    take_value(&reference->values[i], &literal->function.values[i]);
  for (uint32_t i = 0; i < literal->count; ++i)
    literal->tallies[i].wrong = 0;
  luna_literal_begin(&log, literal->quantizers, literal->tallies,
                     literal->count);
  bool is_done = luna_reference_call(reference, decisions, count);
  luna_literal_follow(&log);
  is_done =
      is_done && luna_reference_call(&literal->function, decisions, count);
  luna_literal_end(&log);
  literal->strays += log.strays;
  return is_done;
}

//===- Counting -----------------------------------------------------------===//

uint32_t luna_literal_compared(const LunaLiteral *literal) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < literal->count; ++i)
    count += literal->tallies[i].values > 0;
  return count;
}

uint64_t luna_literal_ties(const LunaLiteral *literal) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < literal->count; ++i)
    count += literal->tallies[i].ties;
  return count;
}
