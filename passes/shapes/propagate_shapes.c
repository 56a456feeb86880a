// luna-propagate-shapes: finds the shapes that types leave open.
//
// In: functions on tensors: tosa, tensor, linalg, arith on sizes, control flow
// of scf or TOSA; types may be open (`?`, `tensor<*x…>`).
// Out: the same with what is known forward and backward, of shapes and of the
// values that hold sizes (docs/shapes.md): constants are in the types, sizes
// that are constant are constants, with tensor.cast where an operator ties its
// types to its attributes. An operator whose result stays open has its extents
// as `luna.shape`, expressions over the open sizes of the arguments
// (`<name>.<dimension>`) and over sizes known while running only (`u0`), and
// its class as `luna.class`. A function without open shapes is left alone; one
// that is called keeps its type.
// Options: report remarks, for each function, how often an extent or a value
// changed, and how many operators and connected subgraphs have shapes that are
// constant, depend on the open sizes of arguments, or on what only the running
// program knows.
// Refuses: shapes that do not fit whatever the open sizes are, with the nearest
// sizes that do of an argument that is cast to an open type.
// Example: lit_tests/passes/luna-propagate-shapes/doc.mlir

#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "luna/shape_census.h"
#include "mlir-c/BuiltinTypes.h"
#include "shape_writer.h"

enum { OPT_REPORT, OPT_COUNT };

static bool is_open_type(MlirType type) {
  return mlirTypeIsATensor(type) &&
         (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasStaticShape(type));
}

static bool is_static_op(MlirOperation op, void *data) {
  (void)data;
  uint32_t rank;
  if (luna_op_is(op, LUNA_OP_TOSA_CONST_SHAPE))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (is_open_type(type) || luna_is_tosa_shape(type, &rank))
      return false;
  }
  return true;
}

static bool has_open_argument(MlirOperation func) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (is_open_type(mlirValueGetType(mlirBlockGetArgument(block, i))))
      return true;
  return false;
}

typedef struct Callees {
  LunaArena arena;
  LunaMap names;
} Callees;

static bool find_callee(MlirOperation op, void *data) {
  Callees *callees = data;
  if (luna_op_is(op, LUNA_OP_FUNC_CALL)) {
    MlirStringRef name = luna_attr_symbol(op, "callee");
    luna_map_add(&callees->names, &callees->arena,
                 luna_map_bytes(name.data, name.length));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Shapes that do not fit
//===----------------------------------------------------------------------===//

// The type that a cast of an argument gives its users: it was open before a
// size was chosen.
static MlirType type_for_users(MlirValue argument) {
  for (MlirOpOperand use = mlirValueGetFirstUse(argument);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (luna_op_is(user, LUNA_OP_TENSOR_CAST))
      return mlirValueGetType(mlirOperationGetResult(user, 0));
  }
  return mlirValueGetType(argument);
}

// The graph of a function whose sizes are open, and those that were chosen.
typedef struct Sizes {
  LunaShapeReader reader;
  int64_t *chosen, *tried; // by symbol, INT64_MIN where it follows
  uint32_t symbol;
} Sizes;

static bool is_possible(void *data, int64_t size) {
  Sizes *sizes = data;
  LunaFacts *facts = &sizes->reader.graph.facts;
  memcpy(sizes->tried, sizes->chosen,
         facts->exprs.symbols.count * sizeof *sizes->tried);
  sizes->tried[sizes->symbol] = size;
  return luna_facts_check(facts, sizes->tried);
}

// Reads the function with the sizes of its arguments open where its users have
// them so, and notes those that were chosen; the module is given up by now.
static bool read_open(Sizes *sizes, MlirOperation func, LunaArena *arena) {
  MlirBlock entry = luna_body(func, 0);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *types = LUNA_ARENA_ARRAY(arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    types[i] = mlirValueGetType(argument);
    mlirValueSetType(argument, type_for_users(argument));
  }
  LunaShapeGraph *graph = &sizes->reader.graph;
  luna_shape_read(&sizes->reader, func, arena);
  bool fits = luna_shape_solve(graph, 0) == LUNA_NO_CONSTRAINT;
  uint64_t symbols = graph->facts.exprs.symbols.count;
  sizes->chosen = LUNA_ARENA_ARRAY(arena, int64_t, symbols);
  sizes->tried = LUNA_ARENA_ARRAY(arena, int64_t, symbols);
  for (uint64_t s = 0; s < symbols; ++s)
    sizes->chosen[s] = INT64_MIN;
  for (intptr_t i = 0; i < count; ++i) {
    const LunaShapeValue *value = &graph->values.items[i];
    for (uint32_t d = 0; value->decl.is_tensor && d < value->decl.rank; ++d)
      if (value->decl.dims[d] == LUNA_SHAPE_OPEN)
        sizes->chosen[value->own[d]] = mlirShapedTypeGetDimSize(types[i], d);
  }
  return fits;
}

// The sizes next to those that were chosen that fulfil all constraints: of the
// first argument's dimension of which another size alone is enough.
static const char *nearest_sizes(MlirOperation func, LunaArena *arena) {
  enum { TRIES = 1 << 14 };
  Sizes sizes;
  LunaSizeSearch search = {TRIES, is_possible, &sizes};
  const char *text = "";
  if (!read_open(&sizes, func, arena))
    return text;
  const LunaExprs *exprs = &sizes.reader.graph.facts.exprs;
  for (uint32_t s = 0; s < exprs->symbols.count && !*text; ++s) {
    sizes.symbol = s;
    if (sizes.chosen[s] != INT64_MIN)
      text = luna_nearest_sizes(&search, exprs->symbols.items[s].name,
                                sizes.chosen[s], arena);
  }
  return text;
}

// The operator that a constraint came from; of control flow, the function.
static MlirLogicalResult refuse(LunaShapeReader *reader, MlirOperation func,
                                uint32_t failed) {
  LunaText text = {0};
  LunaConstraint constraint = reader->graph.facts.constraints.items[failed];
  MlirOperation op = reader->ops.items[constraint.origin];
  luna_shape_name_symbols(&reader->graph);
  luna_constraint_print(&reader->graph.facts, &constraint, &text);
  const char *sizes = nearest_sizes(func, reader->arena);
  luna_emit_error(op.ptr ? op : func, "shapes do not fit: needs %s%s%s",
                  text.data, *sizes ? "; " : "", sizes);
  luna_text_deinit(&text);
  return mlirLogicalResultFailure();
}

static void report(LunaShapeReader *reader, MlirOperation func) {
  LunaShapeCensus census = luna_shape_census(&reader->graph);
  LunaText text = {0};
  const uint32_t *counts[] = {census.operators, census.subgraphs};
  luna_text_printf(&text, "%llu updates of at most %llu",
                   (unsigned long long)reader->graph.update_count,
                   2 * (unsigned long long)reader->graph.cell_count);
  for (int i = 0; i < 2; ++i)
    luna_text_printf(&text, "; %s: %u constant, %u mixed, %u unknown",
                     i == 0 ? "operators" : "subgraphs", counts[i][0],
                     counts[i][1], counts[i][2]);
  lunaEmitRemark(func, text.data);
  luna_text_deinit(&text);
}

static MlirLogicalResult propagate(MlirOperation func, bool is_called,
                                   bool is_reported) {
  LunaArena arena = {0};
  LunaShapeReader reader;
  luna_shape_read(&reader, func, &arena);
  uint32_t failed = luna_shape_solve(&reader.graph, 0);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (is_reported && failed == LUNA_NO_CONSTRAINT)
    report(&reader, func);
  if (failed != LUNA_NO_CONSTRAINT)
    result = refuse(&reader, func, failed);
  else
    luna_shape_write(&reader, func, is_called);
  luna_arena_destroy(&arena);
  return result;
}

static bool has_body(MlirOperation func) {
  return luna_op_is(func, LUNA_OP_FUNC_FUNC) &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0)));
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *values) {
  Callees callees = {.arena = {0}};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  luna_walk(module, find_callee, &callees);
  for (MlirOperation func = mlirBlockGetFirstOperation(luna_body(module, 0));
       !mlirOperationIsNull(func) && mlirLogicalResultIsSuccess(result);
       func = mlirOperationGetNextInBlock(func)) {
    if (!has_body(func) ||
        (!has_open_argument(func) && luna_walk(func, is_static_op, NULL)))
      continue;
    MlirStringRef name = luna_attr_string(func, "sym_name");
    bool is_called =
        luna_map_find(&callees.names, luna_map_bytes(name.data, name.length)) !=
        LUNA_MAP_ABSENT;
    result = propagate(func, is_called, values[OPT_REPORT].integer);
  }
  luna_arena_destroy(&callees.arena);
  return result;
}

static const char *const dialects[] = {"arith", "tensor", "tosa", NULL};

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_REPORT] = {.name = "report",
                    .help = "remark how much is known of each function",
                    .kind = LUNA_OPTION_BOOL},
};

const LunaPassDesc luna_pass_propagate_shapes = {
    .argument = "luna-propagate-shapes",
    .summary = "Find the shapes that types leave open",
    .anchor = "builtin.module",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
