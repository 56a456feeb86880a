// Random operators of the unit, computed by the simulator's kernels and by what
// luna-to-linalg makes of them, on tensors and on memrefs, compiled by upstream
// MLIR: equal bytes.
//
//   unit_semantics_test [COUNT [SEED]]

#include <inttypes.h>

#include "check.h"
#include "kernels.h"
#include "luna/context.h"
#include "luna/eltwise_launches.h"
#include "luna/reference.h"
#include "random_operator.h"

// Operators that are compiled at a time.
enum { BATCH = 8 };

// A byte behind a scratch.
enum { GUARD = 0x6b };

// Sums that were also computed launch by launch, and of those in place.
typedef struct Drawn {
  int shifted, in_place;
} Drawn;

typedef struct Batch {
  LunaArena arena;
  RandomOperator ops[BATCH];
  int count;
  OperatorForm form;
  Drawn *drawn;
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

static void print_argument(LunaText *text, const Batch *batch, int number,
                           int row) {
  bool is_first = text->data[text->length - 1] == '(';
  luna_text_printf(text, "%s%%x%d_%d: ", is_first ? "" : ", ", number, row);
  operand_type_print(text, &batch->ops[number], batch->form, row);
}

// The types of the outputs, or the values that are returned.
static void print_results(LunaText *text, const Batch *batch, bool are_types) {
  for (int i = 0; i < batch->count; ++i) {
    luna_text_printf(text, i == 0 ? "" : ", ");
    if (are_types)
      operand_type_print(text, &batch->ops[i], batch->form,
                         operand_rows(&batch->ops[i]) - 1);
    else
      luna_text_printf(text, "%%y%d", i);
  }
}

// Outputs are results, or the last arguments.
static void print_function(LunaText *text, const Batch *batch) {
  bool is_on_tensors = batch->form == ON_TENSORS;
  luna_text_printf(text, "func.func @main(");
  for (int i = 0; i < batch->count; ++i)
    for (int k = 0; k < operand_rows(&batch->ops[i]); ++k)
      if (batch->ops[i].data[k])
        print_argument(text, batch, i, k);
  for (int i = 0; i < batch->count && !is_on_tensors; ++i) {
    print_argument(text, batch, i, operand_rows(&batch->ops[i]) - 1);
    luna_text_printf(text, " {bufferize.result}");
  }
  luna_text_printf(text, is_on_tensors ? ") -> (" : ") {\n");
  if (is_on_tensors) {
    print_results(text, batch, true);
    luna_text_printf(text, ") {\n");
  }
  for (int i = 0; i < batch->count; ++i)
    operator_print(text, &batch->ops[i], batch->form, i);
  luna_text_printf(text, "  return ");
  if (is_on_tensors) {
    print_results(text, batch, false);
    luna_text_printf(text, " : ");
    print_results(text, batch, true);
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
  operator_print(&text, op, ON_TENSORS, 0);
  fprintf(stderr, "%s%s\n", text.data, why);
  luna_text_deinit(&text);
  exit(1);
}

static void expect_equal(const RandomOperator *op, const uint8_t *output,
                         const LunaReferenceValue *expected, const char *who) {
  for (size_t i = 0; i < expected->bytes; ++i)
    if (output[i] != expected->data[i]) {
      fprintf(stderr, "byte %zu: %s gives %d, the reference %d\n", i, who,
              output[i], expected->data[i]);
      fail(op, "differs");
    }
}

// Runs the launches of a sum whose operands are shifted; `lhs` may be `output`.
static void run_launches(const LunaEltwiseDesc *desc, uint8_t *lhs,
                         uint8_t *rhs, uint8_t *scratch, uint8_t *output) {
  uint8_t *const data[] = {lhs, rhs, scratch, output};
  LunaEltwiseLaunches launches;
  luna_eltwise_launches_begin(&launches, desc);
  while (luna_eltwise_launches_next(&launches)) {
    const LunaEltwisePlace *places[] = {&launches.lhs, &launches.rhs,
                                        &launches.output};
    uint8_t *at[3];
    for (int i = 0; i < 3; ++i)
      at[i] = data[places[i]->operand] + places[i]->offset_bytes;
    CHECK(!launches.desc->lhs_multiplier && !launches.desc->rhs_multiplier);
    luna_kernel_eltwise(launches.desc, &(LunaKernelOperands){.input = at[0],
                                                             .weight = at[1],
                                                             .output = at[2]});
  }
}

// Launch by launch; in place, too, where the left operand is as the output.
static void compare_launches(Batch *batch, const RandomOperator *op,
                             const LunaReferenceValue *expected) {
  const LunaEltwiseDesc *desc = &op->desc.as.eltwise;
  if (op->desc.unit_class != LUNA_UNIT_ELTWISE ||
      !luna_eltwise_has_launches(desc))
    return;
  size_t bytes = (size_t)desc->scratch.dims[3];
  uint8_t *scratch = luna_arena_alloc(&batch->arena, bytes + 1, 8);
  uint8_t *output = luna_arena_alloc(&batch->arena, expected->bytes, 8);
  scratch[bytes] = GUARD;
  run_launches(desc, op->data[0], op->data[1], scratch, output);
  expect_equal(op, output, expected, "launches");
  ++batch->drawn->shifted;
  if (memcmp(&desc->lhs, &desc->output, sizeof desc->lhs) == 0) {
    memcpy(output, op->data[0], expected->bytes);
    run_launches(desc, output, op->data[1], scratch, output);
    expect_equal(op, output, expected, "launches in place");
    ++batch->drawn->in_place;
  }
  CHECK_EQ(scratch[bytes], GUARD);
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
  expect_equal(op, output, expected, "the kernel");
  compare_launches(batch, op, expected);
}

static void check_batch(MlirContext context, Random *random, OperatorForm form,
                        int count, Drawn *drawn) {
  Batch batch = {.count = count, .form = form, .drawn = drawn};
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
  Drawn drawn = {0};
  LunaArena arena = {0};
  LunaError error = {0};
  MlirContext context;
  CHECK(count > 0 && random.state > 0);
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  for (int done = 0; done < count; done += BATCH)
    check_batch(context, &random, done / BATCH % 2 ? ON_MEMREFS : ON_TENSORS,
                count - done < BATCH ? count - done : BATCH, &drawn);
  printf("%d operators: kernels and reference give equal bytes, launches of "
         "%d sums, too, %d of them in place\n",
         count, drawn.shifted, drawn.in_place);
  CHECK(count < 240 || (drawn.shifted > 0 && drawn.in_place > 0));
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
