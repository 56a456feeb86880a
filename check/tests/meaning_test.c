// Random operators of the unit, computed by the simulator's kernels and by what
// luna-to-linalg makes of them, compiled by upstream MLIR: equal bytes.
//
//   meaning_test [COUNT [SEED]]

#include <inttypes.h>

#include "check.h"
#include "kernels.h"
#include "luna/context.h"
#include "luna/reference.h"
#include "random_operator.h"

// Operators that are compiled at a time.
enum { BATCH = 8 };

typedef struct Batch {
  LunaArena arena;
  RandomOperator ops[BATCH];
  int count;
} Batch;

static int operand_rows(const RandomOperator *op) {
  int count = 0;
  luna_unit_class_operands(op->desc.unit_class, &count);
  return count;
}

//===- By the simulator ---------------------------------------------------===//

// By class and row of luna/units.def; see LunaKernelOperands.
static LunaKernelOperands kernel_operands(const RandomOperator *op,
                                          void *scratch, void *output) {
  LunaKernelOperands operands = {.output = output};
  int count = operand_rows(op);
  const LunaUnitOperand *rows =
      luna_unit_class_operands(op->desc.unit_class, &count);
  for (int i = 0; i < count; ++i)
    switch (rows[i].role) {
    case LUNA_ROLE_INPUT:
      if (i == 0)
        operands.input = op->data[i];
      else
        operands.weight = op->data[i];
      break;
    case LUNA_ROLE_WEIGHT:
      operands.weight = op->data[i];
      break;
    case LUNA_ROLE_BIAS:
      operands.bias = op->data[i];
      break;
    case LUNA_ROLE_TABLE:
      operands.table = op->data[i];
      break;
    case LUNA_ROLE_SCRATCH:
      operands.scratch = scratch;
      break;
    case LUNA_ROLE_OUTPUT:
      break;
    }
  return operands;
}

// Returns why the descriptor is refused, or NULL.
static const char *run_kernel(const RandomOperator *op,
                              const LunaKernelOperands *operands) {
  const char *fault = NULL;
  switch (op->desc.unit_class) {
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  case LUNA_UNIT_##CLASS:                                                      \
    fault = luna_sim_judge_##name(&op->desc.as.name, operands);                \
    if (!fault)                                                                \
      luna_kernel_##name(&op->desc.as.name, operands);                         \
    break;
#include "luna/units.def"
  case LUNA_UNIT_CLASS_COUNT:
    break;
  }
  return fault;
}

//===- By the reference ---------------------------------------------------===//

static void print_function(LunaText *text, const Batch *batch) {
  const char *separator = "func.func @main(";
  for (int i = 0; i < batch->count; ++i)
    for (int k = 0; k < operand_rows(&batch->ops[i]); ++k)
      if (batch->ops[i].data[k]) {
        luna_text_printf(text, "%s%%x%d_%d: ", separator, i, k);
        operand_type_print(text, &batch->ops[i], k);
        separator = ", ";
      }
  separator = ") -> (";
  for (int i = 0; i < batch->count; ++i, separator = ", ") {
    luna_text_printf(text, "%s", separator);
    operand_type_print(text, &batch->ops[i], operand_rows(&batch->ops[i]) - 1);
  }
  luna_text_printf(text, ") {\n");
  for (int i = 0; i < batch->count; ++i)
    operator_print(text, &batch->ops[i], i);
  for (int i = 0; i < batch->count; ++i)
    luna_text_printf(text, "%s%%y%d", i == 0 ? "  return " : ", ", i);
  separator = " : ";
  for (int i = 0; i < batch->count; ++i, separator = ", ") {
    luna_text_printf(text, "%s", separator);
    operand_type_print(text, &batch->ops[i], operand_rows(&batch->ops[i]) - 1);
  }
  luna_text_printf(text, "\n}\n");
}

static LunaReference open_reference(MlirContext context, const Batch *batch) {
  LunaReference reference;
  LunaText text = {0};
  LunaError error = {0};
  print_function(&text, batch);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text.data));
  bool is_open = !mlirModuleIsNull(module) &&
                 luna_reference_create(module, 0, &reference, &error);
  if (!is_open)
    fprintf(stderr, "%s%s\n", text.data, error.message);
  CHECK(is_open);
  mlirModuleDestroy(module);
  luna_text_deinit(&text);
  return reference;
}

static void set_inputs(LunaReference *reference, const Batch *batch) {
  uint32_t next = 0;
  for (int i = 0; i < batch->count; ++i)
    for (int k = 0; k < operand_rows(&batch->ops[i]); ++k)
      if (batch->ops[i].data[k]) {
        LunaReferenceValue *value = luna_reference_input(reference, next++);
        CHECK_EQ(value->bytes, operand_bytes(&batch->ops[i], k));
        memcpy(value->data, batch->ops[i].data[k], value->bytes);
      }
}

//===- Both ---------------------------------------------------------------===//

static void fail(const RandomOperator *op, const char *why) {
  LunaText text = {0};
  operator_print(&text, op, 0);
  fprintf(stderr, "%s%s\n", text.data, why);
  luna_text_deinit(&text);
  exit(1);
}

static void compare(Batch *batch, const RandomOperator *op,
                    const LunaReferenceValue *expected) {
  uint8_t *output = luna_arena_alloc(&batch->arena, expected->bytes, 1);
  // A sum has four bytes, an element of the output at least one.
  void *scratch = luna_arena_alloc(&batch->arena, 4 * expected->bytes, 1);
  LunaKernelOperands operands = kernel_operands(op, scratch, output);
  const char *fault = run_kernel(op, &operands);
  if (fault)
    fail(op, fault);
  for (size_t i = 0; i < expected->bytes; ++i)
    if (output[i] != expected->data[i]) {
      fprintf(stderr, "byte %zu: the kernel gives %d, the reference %d\n", i,
              output[i], expected->data[i]);
      fail(op, "differs");
    }
}

static void check_batch(MlirContext context, Random *random, int count) {
  Batch batch = {.count = count};
  for (int i = 0; i < count; ++i)
    batch.ops[i] = random_operator(random, &batch.arena);
  LunaReference reference = open_reference(context, &batch);
  set_inputs(&reference, &batch);
  CHECK(luna_reference_run(&reference, NULL, 0));
  for (int i = 0; i < count; ++i)
    compare(&batch, &batch.ops[i],
            luna_reference_output(&reference, (uint32_t)i));
  luna_reference_destroy(&reference);
  luna_arena_destroy(&batch.arena);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 240;
  Random random = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
  LunaArena arena = {0};
  LunaError error = {0};
  MlirContext context;
  CHECK(count > 0 && random.state > 0);
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  for (int done = 0; done < count; done += BATCH)
    check_batch(context, &random, count - done < BATCH ? count - done : BATCH);
  printf("%d operators: kernels and reference give equal bytes\n", count);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
