// tosa-to-luna: converts TOSA operators to operators of the LUNA unit.
//
// In: func.func on tensors, before the upstream TOSA lowering; control flow may
// be scf or tosa, bodies are rewritten too. Out: luna ops in destination style
// on tensor.empty; every other op remains for the host core. An operator
// absorbs its successors (rescale, clamp, requantisation in floating point),
// the scaling of its inputs, pads and slices before a convolution, and pads
// before a max pooling or of the channels of an elementwise operator. A luna
// operator that a reader made absorbs the clamps after it. The average of a
// whole image is a product with ones where the machine takes fewer cycles for
// it. docs/operators.md lists the conversions. With layout=calls, operators of
// the unit are written in the form that the vendor's library has calls for
// (luna/call_form.h), a product by constants as a convolution by 1x1 kernels of
// an image of one row, whose columns are the rows of the left matrix; what has
// no such form is left to the core, with a remark. Refuses: nothing. Options:
// machine=NAME|FILE.xml; layout, as of luna-choose-layout. Example:
// lit_tests/passes/tosa-to-luna/doc.mlir.

#include "tosa_to_luna.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "machine_option.h"

enum { OPT_MACHINE, OPT_LAYOUT, OPT_COUNT };

// All ops under the function that the pass looks at (TOSA's, and generic ones
// that may requantise), parents and producers first.
typedef struct OpList {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation);
} OpList;

// Converts a constant in a resource to dense elements: this and later passes
// read them.
static void use_bytes_of_resource(MlirOperation op) {
  bool is_tosa = luna_op_is(op, LUNA_OP_TOSA_CONST);
  if (!is_tosa && !luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return;
  const char *name = is_tosa ? "values" : "value";
  MlirAttribute values = lunaDenseElementsFromResource(luna_attr(op, name));
  if (!mlirAttributeIsNull(values))
    luna_set_attr(op, name, values);
}

static bool collect(MlirOperation op, void *data) {
  OpList *list = data;
  use_bytes_of_resource(op);
  if (luna_op_in_dialect(op, LUNA_DIALECT_TOSA) ||
      luna_op_is(op, LUNA_OP_LINALG_GENERIC))
    *LUNA_VECTOR_ADD(&list->arena, list) = op;
  return true;
}

// Returns true if `op` is dead: it has results, none is used, and it has no
// side effects.
static bool is_dead(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 &&
         mlirOperationGetNumRegions(op) == 0 &&
         !luna_op_is(op, LUNA_OP_TOSA_CUSTOM) && !luna_has_uses(op);
}

static bool (*const rewrites[])(const LunaTosaChain *chain) = {
#define LUNA_UNIT_CLASS(CLASS, name, Type) luna_tosa_rewrite_##name,
#include "luna/units.def"
};

static bool rewrite(MlirOperation root, const LunaMachine *machine,
                    bool wants_calls) {
  if (mlirOperationGetNumResults(root) != 1 ||
      (mlirOperationGetNumRegions(root) > 0 &&
       !luna_op_is(root, LUNA_OP_LINALG_GENERIC)))
    return false;
  LunaTosaChain chain;
  if (!luna_tosa_chain(root, &chain))
    chain = (LunaTosaChain){.root = root};
  chain.machine = machine;
  chain.wants_calls = wants_calls;
  for (size_t i = 0; i < sizeof rewrites / sizeof rewrites[0]; ++i)
    if (rewrites[i](&chain))
      return true;
  return false;
}

// Clamps of clamps come after them: all become bounds of one operator.
static void fuse_clamps(OpList *list) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < list->count; ++i)
    if (luna_tosa_fuse_clamp(list->items[i]))
      mlirOperationDestroy(list->items[i]);
    else
      list->items[kept++] = list->items[i];
  list->count = kept;
}

// Users come before producers, so that an op is visited after all ops that may
// absorb it; if it is dead then, it was absorbed.
static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  bool wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0;
  OpList list = {0};
  luna_walk(func, collect, &list);
  fuse_clamps(&list);
  for (uint64_t i = list.count; i-- > 0;)
    if (is_dead(list.items[i]) || rewrite(list.items[i], machine, wants_calls))
      mlirOperationDestroy(list.items[i]);
  if (wants_calls)
    luna_tosa_form_calls(func, machine);
  luna_arena_destroy(&list.arena);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_LAYOUT] = {.name = "layout",
                    .help = "as of luna-choose-layout: with calls, operators "
                            "become those that the vendor's library has",
                    .kind = LUNA_OPTION_STRING,
                    .string_default = "auto"},
};
static const char *const dialects[] = {"arith",  "linalg", "luna",
                                       "tensor", "tosa",   NULL};

const LunaPassDesc luna_pass_tosa_to_luna = {
    .argument = "tosa-to-luna",
    .summary = "Give the LUNA unit the TOSA operators that it computes",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
