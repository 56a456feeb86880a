// Random operators of the unit, computed by the simulator's kernels, at each
// place where they may be (operator_places.h), and by what luna-to-linalg makes
// of them, on tensors and on memrefs, compiled by upstream MLIR: equal bytes.
// Each fault in a chain of vector calls is counted as seen where it gives
// others.
//
//   unit_semantics_test [COUNT [SEED]]

#include <inttypes.h>

#include "check.h"
#include "kernels.h"
#include "luna/context.h"
#include "luna/reference.h"
#include "operator_faults.h"

// Operators that are compiled at a time.
enum { BATCH = 8 };

// The default computes at each place, as do so many of any seed.
enum { DEFAULT_COUNT = 400, DEFAULT_SEED = 33, ALL_COUNT = 4000 };

typedef struct Batch {
  LunaArena arena;
  RandomOperator ops[BATCH];
  int count;
  OperatorForm form;
  Places *places;
  FaultTally *faults;
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

static void compare(Batch *batch, const RandomOperator *op,
                    const LunaReferenceValue *expected) {
  uint8_t *output = luna_arena_alloc(&batch->arena, expected->bytes, 1);
  // A sum has four bytes, an element of the output at least one.
  void *scratch = luna_arena_alloc(&batch->arena, 4 * expected->bytes, 1);
  LunaKernelOperands operands = kernel_operands(op, scratch, output);
  const char *fault = run_kernel(op, &operands);
  if (fault)
    operator_fail(op, fault);
  expect_equal(op, output, expected->data, "the kernel");
  places_compare(batch->places, op, expected->data, &batch->arena);
  faults_compare(batch->faults, batch->places, op, expected->data,
                 &batch->arena);
}

// One in two is folded, where it has a zero point.
static RandomOperator draw_operator(Forms *forms, LunaArena *arena) {
  RandomOperator op = random_operator(forms, arena), folded;
  bool is_folded = random_in(&forms->random, 0, 1) == 1 && !op.has_long_sums &&
                   product_fold(&op, arena, &folded);
  return is_folded ? folded : op;
}

static void check_batch(MlirContext context, Places *places, FaultTally *faults,
                        OperatorForm form, int count) {
  Batch batch = {
      .count = count, .form = form, .places = places, .faults = faults};
  for (int i = 0; i < count; ++i)
    batch.ops[i] = draw_operator(places->forms, &batch.arena);
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
  int count = argc > 1 ? atoi(argv[1]) : DEFAULT_COUNT;
  Forms forms =
      forms_create(argc > 2 ? strtoull(argv[2], NULL, 10) : DEFAULT_SEED);
  Places places = places_create(&forms);
  FaultTally faults = {.ties = 0};
  LunaArena arena = {0};
  LunaError error = {0};
  MlirContext context;
  CHECK(count > 0 && forms.random.state > 0);
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  for (int done = 0; done < count; done += BATCH)
    check_batch(context, &places, &faults,
                done / BATCH % 2 ? ON_MEMREFS : ON_TENSORS,
                count - done < BATCH ? count - done : BATCH);
  printf("%d operators: kernels and reference give equal bytes, wherever they "
         "are computed\n",
         count);
  forms_print(&forms);
  places_print(&places);
  faults_print(&faults);
  CHECK((argc > 1 && count < ALL_COUNT) ||
        (places_has_all(&places) && faults.ties > 0));
  places_destroy(&places);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
