#include "luna/literal.h"

#include <math.h>
#include <string.h>

#include "literal_bias.h"
#include "literal_log.h"
#include "literal_probe.h"
#include "literal_promote.h"
#include "literal_run.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
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

//===- Structure ----------------------------------------------------------===//

static bool is_open(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAShaped(type) && !mlirShapedTypeHasStaticShape(type);
}

static bool is_static(MlirOperation op, void *data) {
  (void)data;
  bool has_open =
      LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_COND_IF, LUNA_OP_TOSA_WHILE_LOOP);
  for (intptr_t i = 0; !has_open && i < mlirOperationGetNumResults(op); ++i)
    has_open = is_open(mlirOperationGetResult(op, i));
  return !has_open;
}

static bool is_quantised(MlirOperation op, void *data) {
  *(bool *)data |=
      LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_QUANTIZE, LUNA_OP_LUNA_DEQUANTIZE,
                     LUNA_OP_MATH_ROUNDEVEN);
  return !*(bool *)data;
}

static bool has_buffers(MlirOperation op, void *data) {
  (void)data;
  MlirAttribute type = luna_attr(op, "function_type");
  for (intptr_t i = 0;
       luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
       i < mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
       ++i)
    if (mlirTypeIsAMemRef(
            mlirFunctionTypeGetInput(mlirTypeAttrGetValue(type), i)))
      return false;
  return true;
}

bool luna_literal_is_for(MlirModule module) {
  bool is_found = false;
  MlirOperation root = mlirModuleGetOperation(module);
  luna_walk(root, is_quantised, &is_found);
  return is_found && luna_walk(root, has_buffers, NULL);
}

static MlirModule clone(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
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

static bool to_linalg(MlirModule module, LunaReference *function,
                      LunaError *error) {
  luna_literal_replace(module);
  luna_reference_hook_branches(module, true, function);
  luna_walk(mlirModuleGetOperation(module), drop_attributes, NULL);
  return luna_reference_step(module, LUNA_UPSTREAM_UNIT, error) &&
         decompose(module, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_LINALG, error);
}

static bool to_code(MlirModule module, int optimisation_level,
                    LunaReference *function, LunaError *error) {
  return luna_reference_note_entry(module, false, function, error) &&
         luna_reference_step(module, LUNA_LITERAL_BUFFERIZE, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_SIMPLIFY, error) &&
         luna_reference_to_llvm(module, error) &&
         luna_reference_generate(module, optimisation_level, function, error);
}

// Compiles both functions of a module with its structure.
static bool compile(MlirModule module, int optimisation_level,
                    LunaLiteral *literal, LunaError *error) {
  if (!to_linalg(module, &literal->exact, error))
    return false;
  MlirModule single = clone(module);
  luna_literal_promote(module);
  bool is_done = to_code(module, optimisation_level, &literal->exact, error) &&
                 to_code(single, optimisation_level, &literal->single, error);
  mlirModuleDestroy(single);
  return is_done;
}

// Returns a copy of the module with its control flow in scf: by upstream's
// passes alone where they are enough, and leave each luna.quantize.
static MlirModule structure(MlirModule module, MlirModule structured,
                            LunaArena *arena, LunaQuantizers *quantizers) {
  LunaError error = {0};
  LunaQuantizers plain = {0};
  luna_literal_list(structured, LUNA_OP_LUNA_QUANTIZE, arena, quantizers);
  if (!luna_walk(mlirModuleGetOperation(module), is_static, NULL))
    return clone(structured);
  MlirModule copy = clone(module);
  bool is_done = luna_reference_step(copy, LUNA_LITERAL_STRUCTURE, &error);
  luna_literal_list(copy, LUNA_OP_LUNA_QUANTIZE, arena, &plain);
  if (is_done && plain.count == quantizers->count)
    return copy;
  mlirModuleDestroy(copy);
  return clone(structured);
}

// The results, with what rounded biases do to them.
typedef struct Results {
  LunaArena *arena;
  LunaLiteralOutput *outputs;
} Results;

static bool list_results(MlirOperation op, void *data) {
  Results *results = data;
  if (!luna_op_is(op, LUNA_OP_FUNC_RETURN) || results->outputs)
    return true;
  intptr_t count = mlirOperationGetNumOperands(op);
  results->outputs = LUNA_ARENA_ARRAY(results->arena, LunaLiteralOutput, count);
  for (intptr_t i = 0; i < count; ++i)
    results->outputs[i].bias_slack =
        luna_literal_bias_slack(mlirOperationGetOperand(op, i));
  return true;
}

bool luna_literal_create(MlirModule module, MlirModule structured,
                         int optimisation_level, LunaArena *arena,
                         LunaLiteral *literal, LunaError *error) {
  LunaQuantizers quantizers = {0}, dequantizers = {0};
  Results results = {.arena = arena};
  MlirModule copy = structure(module, structured, arena, &quantizers);
  luna_literal_list(copy, LUNA_OP_LUNA_DEQUANTIZE, arena, &dequantizers);
  luna_walk(mlirModuleGetOperation(copy), list_results, &results);
  *literal = (LunaLiteral){
      .quantizers = quantizers.items,
      .tallies = LUNA_ARENA_ARRAY(arena, LunaQuantizerTally, quantizers.count),
      .count = (uint32_t)quantizers.count,
      .dequantizers = dequantizers.items,
      .dequantizer_count = (uint32_t)dequantizers.count,
      .outputs = results.outputs,
  };
  bool is_done = compile(copy, optimisation_level, literal, error);
  mlirModuleDestroy(copy);
  return is_done;
}

void luna_literal_destroy(LunaLiteral *literal) {
  luna_reference_destroy(&literal->exact);
  luna_reference_destroy(&literal->single);
}

//===- Outputs ------------------------------------------------------------===//

// Element `i` as a number; integers are signed.
static double number_at(const LunaReferenceValue *value, size_t i) {
  const uint8_t *at = value->data + i * value->element_bytes;
  float single;
  double exact;
  uint64_t raw = 0;
  if (value->is_float)
    return memcpy(&single, at, sizeof single), (double)single;
  if (value->is_double)
    return memcpy(&exact, at, sizeof exact), exact;
  memcpy(&raw, at, value->element_bytes);
  unsigned unused = 64 - 8 * (unsigned)value->element_bytes;
  return (double)((int64_t)(raw << unused) >> unused);
}

// Binary32 rounds sums by less.
static double slack_of(const LunaReferenceValue *exact, size_t count) {
  double largest = 0;
  for (size_t i = 0; exact->is_double && i < count; ++i)
    if (isfinite(number_at(exact, i)))
      largest = fmax(largest, fabs(number_at(exact, i)));
  return largest / (1 << 18);
}

static bool is_right(const LunaReferenceValue *found, double number,
                     const LunaReferenceValue *single, double expected,
                     double slack, size_t i) {
  size_t at = i * found->element_bytes;
  return memcmp(found->data + at, single->data + at, found->element_bytes) ==
             0 ||
         (float)number == (float)expected || fabs(number - expected) <= slack ||
         (isnan(number) && isnan(expected));
}

static void judge_output(const LunaReferenceValue *found,
                         const LunaReferenceValue *exact,
                         const LunaReferenceValue *single,
                         LunaLiteralOutput *output) {
  size_t count = found->bytes / found->element_bytes;
  double slack = slack_of(exact, count) + output->bias_slack;
  output->wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    double expected = number_at(exact, i), number = number_at(found, i);
    if (is_right(found, number, single, expected, slack, i) ||
        output->wrong++ > 0)
      continue;
    output->first = (int64_t)i;
    output->found = number;
    output->expected = expected;
  }
}

//===- Running ------------------------------------------------------------===//

// Gives a literal function a value of the reference: f32 perhaps as f64.
static void take_value(const LunaReferenceValue *from, LunaReferenceValue *to) {
  if (!to->is_double || !from->is_float) {
    memcpy(to->data, from->data, to->bytes);
    return;
  }
  for (size_t i = 0; i < from->bytes / from->element_bytes; ++i) {
    double number = number_at(from, i);
    memcpy(to->data + i * sizeof number, &number, sizeof number);
  }
}

static void take_arguments(const LunaReference *reference, LunaReference *to) {
  for (uint32_t i = 0; i < reference->argument_count; ++i)
    take_value(&reference->values[i], &to->values[i]);
}

static void judge_outputs(const LunaReference *reference,
                          LunaLiteral *literal) {
  for (uint32_t i = 0; i < reference->result_count; ++i) {
    uint32_t at = reference->argument_count + i;
    judge_output(&reference->values[at], &literal->exact.values[at],
                 &literal->single.values[at], &literal->outputs[i]);
  }
}

bool luna_literal_run(LunaReference *reference, const LunaDecision *decisions,
                      uint32_t count) {
  LunaLiteral *literal = reference->literal;
  LunaLiteralLog log;
  take_arguments(reference, &literal->exact);
  take_arguments(reference, &literal->single);
  for (uint32_t i = 0; i < literal->count; ++i)
    literal->tallies[i].wrong = 0;
  luna_literal_begin(&log, literal);
  bool is_done = luna_reference_call(reference, decisions, count);
  luna_literal_follow(&log, false);
  is_done = is_done && luna_reference_call(&literal->single, decisions, count);
  luna_literal_follow(&log, true);
  is_done = is_done && luna_reference_call(&literal->exact, decisions, count);
  literal->strays += luna_literal_end(&log);
  if (is_done)
    judge_outputs(reference, literal);
  return is_done;
}

//===- Counting -----------------------------------------------------------===//

uint32_t luna_literal_compared(const LunaLiteral *literal) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < literal->count; ++i)
    count += literal->tallies[i].values > 0;
  return count;
}

LunaQuantizerTally luna_literal_sum(const LunaLiteral *literal) {
  LunaQuantizerTally sum = {.values = 0};
  for (uint32_t i = 0; i < literal->count; ++i) {
    sum.values += literal->tallies[i].values;
    sum.ties += literal->tallies[i].ties;
    sum.single += literal->tallies[i].single;
    sum.biases += literal->tallies[i].biases;
  }
  return sum;
}
