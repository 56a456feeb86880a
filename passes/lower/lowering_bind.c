// `<symbol>_bind`: which version of a model the shapes of its inputs ask for,
// and the shapes of the outputs then. Straight-line code without tables.

#include "lowering.h"
#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Bind {
  LunaLowering *run;
  MlirOperation end; // func.return of the function
  intptr_t version_count;
  MlirValue *is_version;   // i1, by version
  MlirValue sizes, shapes; // of inputs, of outputs
} Bind;

static MlirAttribute shapes_of(const LunaLowering *run, intptr_t argument) {
  return luna_argument_attr(run, argument, "luna.shapes");
}

// The number of versions, 0 for a model without.
static intptr_t count_versions(const LunaLowering *run) {
  for (intptr_t i = 0; i < run->argument_count; ++i)
    if (!mlirAttributeIsNull(shapes_of(run, i)))
      return mlirArrayAttrGetNumElements(shapes_of(run, i));
  return 0;
}

static MlirValue constant(Bind *bind, int64_t value) {
  return luna_build_constant(bind->run, bind->end, bind->run->i32, value);
}

static MlirValue address(Bind *bind, MlirValue words, intptr_t index) {
  return luna_build_offset(bind->run, bind->end, words, 4 * (int64_t)index);
}

static MlirValue build(Bind *bind, const char *name, MlirType type, MlirValue a,
                       MlirValue b) {
  return luna_build_value(bind->end, name, type, (MlirValue[]){a, b}, 2);
}

static MlirValue is_equal(Bind *bind, MlirValue a, MlirValue b) {
  enum { EQUAL = 0 };
  MlirContext context = bind->run->context;
  MlirType bit = mlirIntegerTypeGet(context, 1);
  MlirNamedAttribute predicate =
      luna_named(context, "predicate",
                 mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), EQUAL));
  MlirOperation op = luna_build_before(
      bind->end, &(LunaOpSpec){.name = "arith.cmpi",
                               .location = mlirOperationGetLocation(bind->end),
                               .operands = (MlirValue[]){a, b},
                               .operand_count = 2,
                               .results = &bit,
                               .result_count = 1,
                               .attributes = &predicate,
                               .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

// Chooses by the version: the value of each, or `otherwise`.
static MlirValue choose(Bind *bind, MlirValue otherwise,
                        const int64_t *values) {
  MlirValue chosen = otherwise;
  for (intptr_t v = 0; v < bind->version_count; ++v) {
    MlirValue operands[] = {bind->is_version[v], constant(bind, values[v]),
                            chosen};
    chosen = luna_build_value(bind->end, "arith.select", bind->run->i32,
                              operands, 3);
  }
  return chosen;
}

// Reads dimension `d` of an argument in every version; false beyond its rank.
static bool read_sizes(const Bind *bind, MlirAttribute shapes, intptr_t d,
                       int64_t *sizes) {
  for (intptr_t v = 0; v < bind->version_count; ++v) {
    MlirAttribute shape = mlirArrayAttrGetElement(shapes, v);
    if (d >= mlirDenseArrayGetNumElements(shape))
      return false;
    sizes[v] = mlirDenseI64ArrayGetElement(shape, d);
  }
  return true;
}

// Calls `visit` for each dimension of the arguments of a role, in their order,
// with its sizes in every version.
static void each_size(Bind *bind, LunaArgumentRole role,
                      void (*visit)(Bind *bind, intptr_t index,
                                    const int64_t *sizes)) {
  int64_t *sizes =
      LUNA_ARENA_ARRAY(&bind->run->arena, int64_t, bind->version_count);
  intptr_t index = 0;
  for (intptr_t i = 0; i < bind->run->argument_count; ++i) {
    MlirAttribute shapes = shapes_of(bind->run, i);
    if (bind->run->arguments[i].role != role || mlirAttributeIsNull(shapes))
      continue;
    for (intptr_t d = 0; read_sizes(bind, shapes, d, sizes); ++d)
      visit(bind, index++, sizes);
  }
}

static void compare_size(Bind *bind, intptr_t index, const int64_t *sizes) {
  MlirValue at = address(bind, bind->sizes, index);
  MlirValue given =
      luna_build_value(bind->end, "llvm.load", bind->run->i32, &at, 1);
  for (intptr_t v = 0; v < bind->version_count; ++v) {
    MlirValue is_same = is_equal(bind, given, constant(bind, sizes[v]));
    bind->is_version[v] = build(bind, "arith.andi", mlirValueGetType(is_same),
                                bind->is_version[v], is_same);
  }
}

static void store_size(Bind *bind, intptr_t index, const int64_t *sizes) {
  MlirValue operands[] = {choose(bind, constant(bind, 0), sizes),
                          address(bind, bind->shapes, index)};
  luna_build_before(
      bind->end, &(LunaOpSpec){.name = "llvm.store",
                               .location = mlirOperationGetLocation(bind->end),
                               .operands = operands,
                               .operand_count = 2});
}

static MlirOperation make_function(LunaLowering *run) {
  LunaBuilder b = luna_builder(run->context);
  MlirType types[] = {run->ptr, run->ptr};
  MlirLocation locations[] = {mlirOperationGetLocation(run->func),
                              mlirOperationGetLocation(run->func)};
  MlirAttribute empty = mlirDictionaryAttrGet(run->context, 0, NULL);
  MlirAttribute none[] = {empty, empty};
  b.location = locations[0];
  b.block = mlirBlockCreate(2, types, locations);
  luna_build_end(&b, "func.return", 0, NULL);
  LunaFunctionSpec spec = {
      .name = luna_arena_printf(&run->arena, "%s_bind", run->symbol),
      .owned_body = b.block,
      .result_count = 1,
      .results = &run->i32,
      .arg_attrs = mlirArrayAttrGet(run->context, 2, none),
      .res_attrs = mlirArrayAttrGet(run->context, 1, none),
  };
  MlirOperation end = mlirBlockGetTerminator(b.block);
  b.block = mlirOperationGetBlock(run->func);
  luna_build_function(&b, &spec);
  return end;
}

void luna_emit_bind(LunaLowering *run) {
  Bind bind = {.run = run, .version_count = count_versions(run)};
  if (bind.version_count == 0)
    return;
  bind.end = make_function(run);
  bind.sizes = mlirBlockGetArgument(mlirOperationGetBlock(bind.end), 0);
  bind.shapes = mlirBlockGetArgument(mlirOperationGetBlock(bind.end), 1);
  bind.is_version =
      LUNA_ARENA_ARRAY(&run->arena, MlirValue, bind.version_count);
  int64_t *numbers = LUNA_ARENA_ARRAY(&run->arena, int64_t, bind.version_count);
  MlirValue zero = constant(&bind, 0), yes = is_equal(&bind, zero, zero);
  for (intptr_t v = 0; v < bind.version_count; ++v) {
    bind.is_version[v] = yes;
    numbers[v] = v;
  }
  each_size(&bind, LUNA_ARGUMENT_INPUT, compare_size);
  each_size(&bind, LUNA_ARGUMENT_OUTPUT, store_size);
  MlirValue version = choose(&bind, constant(&bind, -1), numbers);
  mlirOperationSetOperands(bind.end, 1, &version);
}
