// luna-fold-constants: operators on constants become constants.
//
// In: a module on tensors, any mix of tosa, linalg, tensor, arith and math.
// Out: the same; an operator all of whose operands are constants, or are
// computed from constants, is one itself. Bits are those that the compiled
// program would compute (luna-c/fold.h): what depends on the C library (exp,
// tanh, …) or is undefined stays.
// Constants never grow: operators that share constants are folded together if
// what is new takes no more bytes than what goes; else the largest result stays
// computed. New constants of up to 64 bytes, or whose elements are all alike,
// count as nothing: the code that computes the ones takes more, and who reads
// the others element by element reads one number. Operators that only fill a
// tensor stay. So do those that make 8 and 16 bits wider (tosa.cast,
// tosa.rescale, luna.dequantize) and what is computed from them: patterns look
// for that.
// Control flow and what lies after it is left to upstream's canonicalisation.
// Refuses: nothing. Options: how much is computed before the rest is left as it
// is. Example: lit_tests/passes/luna-fold-constants/doc.mlir

#include "fold_constants.h"

#include "luna-c/fold.h"
#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"

enum { OPT_MAX_STEPS, OPT_MAX_BYTES, OPT_COUNT };
// A shorter constant takes less room than the code that computes it.
enum { SHORT_BYTES = 64 };

typedef struct Folder {
  LunaFold *fold;
  LunaFoldNodes nodes;
} Folder;

//===----------------------------------------------------------------------===//
// What can be folded
//===----------------------------------------------------------------------===//

static bool is_body_of(MlirOperation parent) {
  return luna_op_in_dialect(parent, LUNA_DIALECT_LINALG) ||
         luna_op_in_dialect(parent, LUNA_DIALECT_TENSOR);
}

// The cheapest way to make such a tensor is to fill it.
static bool only_fills(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EMPTY, LUNA_OP_TENSOR_SPLAT,
                        LUNA_OP_LINALG_FILL);
}

// 8 and 16 bits on the way to a type that is computed in: the unit takes them
// as they are, and patterns look for that.
static bool widens(MlirOperation op) {
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_RESCALE, LUNA_OP_TOSA_CAST))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t bytes = luna_element_type_bytes(mlirShapedTypeGetElementType(from));
  return bytes <= 2 &&
         bytes < luna_element_type_bytes(mlirShapedTypeGetElementType(to));
}

// Bytes that the program stores for a constant.
static int64_t stored_bytes(MlirType type) {
  return mlirTypeIsAShaped(type) ? luna_shaped_bytes(type) : 0;
}

// Reads what is known of an operator; false where a result has no value.
static bool read_results(Folder *folder, LunaFoldNode *node) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(node->op); ++i) {
    MlirValue result = mlirOperationGetResult(node->op, i);
    const LunaConstant *constant = luna_fold_value(folder->fold, result);
    if (!constant)
      return false;
    int64_t bytes = stored_bytes(mlirValueGetType(result));
    bool counts = !luna_constant_is_uniform(constant) && bytes > SHORT_BYTES;
    if (node->is_literal || counts)
      node->bytes += bytes;
  }
  node->is_short = node->bytes <= SHORT_BYTES;
  return true;
}

static bool add_node(MlirOperation op, void *data) {
  Folder *folder = data;
  LunaFoldNode node = {.op = op,
                       .is_literal = luna_fold_is_literal(op),
                       .is_folded = !luna_fold_is_literal(op)};
  if (mlirOperationGetNumResults(op) > 0 &&
      !is_body_of(mlirOperationGetParentOperation(op)) && !only_fills(op) &&
      read_results(folder, &node))
    luna_fold_nodes_add(&folder->nodes, &node);
  return true;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

// A constant of the dialect that its neighbours are of.
static void replace(Folder *folder, MlirOperation op, MlirValue result) {
  MlirType type = mlirValueGetType(result);
  bool is_tosa = luna_op_in_dialect(op, LUNA_DIALECT_TOSA);
  MlirAttribute value =
      luna_constant_attr(luna_fold_value(folder->fold, result), type);
  MlirNamedAttribute attribute = luna_named(
      mlirOperationGetContext(op), is_tosa ? "values" : "value", value);
  MlirValue constant =
      luna_build_value_with(op, is_tosa ? "tosa.const" : "arith.constant", type,
                            0, NULL, 1, &attribute);
  mlirValueReplaceAllUsesOfWith(result, constant);
}

static void fold_all(Folder *folder) {
  for (uint64_t i = 0; i < folder->nodes.count; ++i) {
    LunaFoldNode *node = &folder->nodes.items[i];
    if (!node->is_folded || !luna_fold_node_is_demanded(&folder->nodes, node))
      continue;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(node->op); ++r)
      if (luna_is_used(mlirOperationGetResult(node->op, r)))
        replace(folder, node->op, mlirOperationGetResult(node->op, r));
  }
}

// Users first: what they used may have no other use.
static void erase_unused(LunaFoldNodes *nodes) {
  for (uint64_t i = nodes->count; i-- > 0;) {
    MlirOperation op = nodes->items[i].op;
    bool any = false;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      any = any || luna_is_used(mlirOperationGetResult(op, r));
    if (!any)
      mlirOperationDestroy(op);
  }
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  Folder folder = {
      .fold = luna_fold_create(
          mlirOperationGetContext(module),
          &(LunaFoldLimits){.max_steps = options[OPT_MAX_STEPS].integer,
                            .max_bytes = options[OPT_MAX_BYTES].integer,
                            .leaves = widens}),
  };
  luna_walk(module, add_node, &folder);
  luna_fold_nodes_limit(&folder.nodes);
  fold_all(&folder);
  luna_fold_destroy(folder.fold);
  erase_unused(&folder.nodes);
  luna_arena_destroy(&folder.nodes.arena);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc option_descs[OPT_COUNT] = {
    [OPT_MAX_STEPS] = {.name = "max-steps",
                       .help = "scalar operations to spend",
                       .kind = LUNA_OPTION_INT64,
                       .int_default = INT64_C(1) << 30},
    [OPT_MAX_BYTES] = {.name = "max-bytes",
                       .help = "bytes of results to compute, of operators in "
                               "between too",
                       .kind = LUNA_OPTION_INT64,
                       .int_default = INT64_C(1) << 30},
};

static const char *const dialects[] = {"arith",  "func", "linalg", "scf",
                                       "tensor", "tosa", NULL};

const LunaPassDesc luna_pass_fold_constants = {
    .argument = "luna-fold-constants",
    .summary = "Compute operators on constants",
    .anchor = "builtin.module",
    .options = option_descs,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
