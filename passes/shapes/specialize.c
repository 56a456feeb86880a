// luna-specialize: one function of the versions of a model, read for other
// sizes each.
//
// In: a module with functions that carry `luna.version`, the name of their
// sizes ("8x8"). Out: in place of them one function, named as the first. It
// takes the number of the case first, one i32 named `shape`, and computes it in
// a case of a switch of this name (the last is the default). Versions that are
// the same program are one case; luna.cases has that of each. An input of
// several shapes becomes a list as long as the longest, dense in the shape of
// the version; what the functions return becomes memrefs after the inputs, of
// which a case writes the bytes of its version alone. Equal constants become
// one. So no value on chip is live before or after a case: it is planned as the
// version alone would be. Refuses: one version alone; versions that differ in
// the number of inputs or outputs; a state of several shapes; an input or
// output of several ranks, or of more elements than 2^63 - 1; a branch of the
// model that is named `shape`. No options. Example:
// lit_tests/passes/luna-specialize/doc.mlir

#include "list_values.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "same_code.h"
#include "share_constants.h"

// The values on one side of the functions.
typedef struct Side {
  intptr_t count;
  MlirType *types;  // that the one function has
  bool *is_flat;    // a list as long as the longest
  const char *what; // for messages
} Side;

typedef struct Specializer {
  size_t count; // of versions
  MlirOperation *funcs;
  const char **names; // of their sizes
  MlirBlock *bodies;
  Side inputs, results;
  MlirBlock entry;
  MlirBlock *cases; // case_count that differ
  size_t case_count;
  size_t *case_of; // by version
  LunaBuilder b;
  LunaArena *arena;
} Specializer;

//===----------------------------------------------------------------------===//
// The function's type
//===----------------------------------------------------------------------===//

static intptr_t value_count(const Specializer *s, size_t version,
                            const Side *side) {
  return side == &s->inputs ? mlirBlockGetNumArguments(s->bodies[version])
                            : mlirOperationGetNumOperands(
                                  mlirBlockGetTerminator(s->bodies[version]));
}

static MlirValue value_at(const Specializer *s, size_t version,
                          const Side *side, intptr_t i) {
  return side == &s->inputs
             ? mlirBlockGetArgument(s->bodies[version], i)
             : mlirOperationGetOperand(
                   mlirBlockGetTerminator(s->bodies[version]), i);
}

static MlirAttribute attributes_of(const Specializer *s, const Side *side,
                                   intptr_t i) {
  MlirAttribute all =
      luna_attr(s->funcs[0], side == &s->inputs ? "arg_attrs" : "res_attrs");
  return mlirAttributeIsNull(all) ? mlirDictionaryAttrGet(s->b.context, 0, NULL)
                                  : mlirArrayAttrGetElement(all, i);
}

static bool is_state(const Specializer *s, const Side *side, intptr_t i) {
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
      attributes_of(s, side, i), luna_str("luna.state")));
}

static bool fail_value(const Specializer *s, const Side *side, intptr_t i,
                       const char *why) {
  luna_emit_error(s->funcs[0], "%s %d %s", side->what, (int)i, why);
  return false;
}

static bool find_type(Specializer *s, Side *side, intptr_t i) {
  MlirValue first = value_at(s, 0, side, i);
  int64_t most = 0;
  side->types[i] = mlirValueGetType(first);
  for (size_t v = 0; v < s->count; ++v) {
    MlirValue value = value_at(s, v, side, i);
    int64_t count = luna_list_elements(value);
    if (count < 0)
      return fail_value(s, side, i, "has more than 2^63 - 1 elements");
    most = count > most ? count : most;
    side->is_flat[i] |= !mlirTypeEqual(mlirValueGetType(value), side->types[i]);
    if (luna_rank_of(value) != luna_rank_of(first))
      return fail_value(
          s, side, i,
          luna_arena_printf(s->arena,
                            "has %d dimensions in version %s and %d in %s",
                            luna_rank_of(first), s->names[0],
                            luna_rank_of(value), s->names[v]));
  }
  if (side->is_flat[i] && is_state(s, side, i))
    return fail_value(s, side, i,
                      "is a state whose shape depends on the open sizes; a "
                      "state has one shape, since it outlives a call");
  if (side->is_flat[i])
    side->types[i] = luna_list_type(luna_element_of(first), most);
  return true;
}

static bool find_types(Specializer *s, Side *side) {
  side->count = value_count(s, 0, side);
  side->types = LUNA_ARENA_ARRAY(s->arena, MlirType, side->count);
  side->is_flat = LUNA_ARENA_ARRAY(s->arena, bool, side->count);
  for (intptr_t i = 0; i < side->count; ++i)
    if (!find_type(s, side, i))
      return false;
  return true;
}

// A branch that a parsed model names as the switch is named.
static bool is_not_shape(MlirOperation op, void *data) {
  (void)data;
  return !luna_op_is(op, LUNA_OP_LUNA_LABEL) ||
         !mlirStringRefEqual(luna_attr_string(op, "name"), luna_str("shape"));
}

static bool check_names(const Specializer *s) {
  bool is_free = luna_walk(s->funcs[0], is_not_shape, NULL);
  if (!is_free)
    luna_emit_error(s->funcs[0],
                    "a branch of the model is named 'shape', as is the one "
                    "between its versions");
  return is_free;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static MlirValue argument_of(const Specializer *s, const Side *side,
                             intptr_t i) {
  return mlirBlockGetArgument(
      s->entry, 1 + i + (side == &s->results ? s->inputs.count : 0));
}

// Writes a result of a version to the start of its argument.
static void store(Specializer *s, const LunaBuilder *b, intptr_t i,
                  MlirValue value) {
  MlirValue target = argument_of(s, &s->results, i);
  MlirAttribute unit = mlirUnitAttrGet(b->context);
  MlirNamedAttribute attributes[] = {
      luna_named(b->context, "restrict", unit),
      luna_named(b->context, "writable", unit),
  };
  if (s->results.is_flat[i]) {
    value = luna_list_flatten(b, value);
    target = luna_list_start(b, target, luna_list_elements(value));
  }
  luna_build_spec(
      b, &(LunaOpSpec){.name = "bufferization.materialize_in_destination",
                       .operands = (MlirValue[]){value, target},
                       .operand_count = 2,
                       .attributes = attributes,
                       .attribute_count = 2});
}

// Writes what a version returned; flattened, a reshape may have no use left.
static void store_results(Specializer *s, const LunaBuilder *b,
                          MlirOperation end) {
  intptr_t count = s->results.count;
  MlirValue *values = LUNA_ARENA_ARRAY(s->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    values[i] = mlirOperationGetOperand(end, i);
    store(s, b, i, values[i]);
  }
  mlirOperationDestroy(end);
  for (intptr_t i = 0; i < count; ++i) {
    MlirOperation op = luna_defining_op(values[i]);
    bool is_seen = mlirOperationIsNull(op) || luna_is_used(values[i]);
    for (intptr_t k = 0; k < i; ++k)
      is_seen |= luna_same_value(values[k], values[i]);
    if (!is_seen)
      mlirOperationDestroy(op);
  }
}

// Moves the operators of a version into a block of its own.
static MlirBlock make_case(Specializer *s, size_t version) {
  MlirBlock body = s->bodies[version], block = mlirBlockCreate(0, NULL, NULL);
  MlirOperation end = mlirBlockGetTerminator(body);
  LunaBuilder b = s->b;
  b.block = block;
  for (intptr_t i = 0; i < s->inputs.count; ++i) {
    MlirValue old = mlirBlockGetArgument(body, i);
    MlirValue value = argument_of(s, &s->inputs, i);
    if (s->inputs.is_flat[i])
      luna_list_unpack(&b, value, old);
    else
      mlirValueReplaceAllUsesOfWith(old, value);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, end); op = mlirBlockGetFirstOperation(body)) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
  }
  store_results(s, &b, end);
  luna_build_end(&b, "scf.yield", 0, NULL);
  return block;
}

// Numbers the cases: versions that are the same program are one.
static void merge_cases(Specializer *s) {
  s->case_of = LUNA_ARENA_ARRAY(s->arena, size_t, s->count);
  for (size_t v = 0; v < s->count; ++v) {
    size_t same = 0;
    while (same < s->case_count &&
           !luna_same_code(s->cases[same], s->cases[v], s->arena))
      ++same;
    s->case_of[v] = same;
    if (same < s->case_count)
      mlirBlockDestroy(s->cases[v]);
    else
      s->cases[s->case_count++] = s->cases[v];
  }
}

// "2x6+6x2": the versions that are this case.
static const char *name_of_case(const Specializer *s, size_t index) {
  const char *name = NULL;
  for (size_t v = 0; v < s->count; ++v)
    if (s->case_of[v] == index)
      name = name ? luna_arena_printf(s->arena, "%s+%s", name, s->names[v])
                  : s->names[v];
  return name;
}

static void add_label(const Specializer *s, size_t index) {
  LunaBuilder b = s->b;
  MlirNamedAttribute attributes[] = {
      luna_named(b.context, "name", luna_string_attr(b.context, "shape")),
      luna_named(b.context, "way",
                 luna_string_attr(b.context, name_of_case(s, index))),
  };
  b.block = s->cases[index];
  b.before = mlirBlockGetFirstOperation(b.block);
  luna_build_spec(&b, &(LunaOpSpec){.name = "luna.label",
                                    .attributes = attributes,
                                    .attribute_count = 2});
}

// The last case is the default.
static void add_switch(Specializer *s, const LunaBuilder *b) {
  intptr_t others = (intptr_t)s->case_count - 1;
  int64_t *numbers = LUNA_ARENA_ARRAY(s->arena, int64_t, others);
  MlirRegion *regions = LUNA_ARENA_ARRAY(s->arena, MlirRegion, s->case_count);
  MlirValue number = luna_scalar_to(
      b, "arith.index_cast",
      luna_scalar_only(b, mlirBlockGetArgument(s->entry, 0)), b->index);
  for (intptr_t i = 0; i < others; ++i)
    numbers[i] = i;
  for (size_t i = 0; i < s->case_count; ++i) {
    add_label(s, i);
    regions[(i + 1) % s->case_count] = luna_region_of(s->cases[i]);
  }
  MlirNamedAttribute attribute = luna_named(
      b->context, "cases", luna_i64s_attr(b->context, others, numbers));
  luna_build_spec(b, &(LunaOpSpec){.name = "scf.index_switch",
                                   .operands = &number,
                                   .operand_count = 1,
                                   .attributes = &attribute,
                                   .attribute_count = 1,
                                   .owned_regions = regions,
                                   .region_count = others + 1});
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static MlirBlock make_entry(const Specializer *s) {
  MlirType number = luna_list_type(s->b.i32, 1);
  MlirBlock entry = mlirBlockCreate(1, &number, &s->b.location);
  for (intptr_t i = 0; i < s->inputs.count; ++i)
    mlirBlockAddArgument(entry, s->inputs.types[i], s->b.location);
  for (intptr_t i = 0; i < s->results.count; ++i)
    mlirBlockAddArgument(entry, luna_memref_contiguous(s->results.types[i]),
                         s->b.location);
  return entry;
}

// The attributes of an argument: with its shapes, by version, and what tells
// that it is a result.
static MlirAttribute argument_attributes(const Specializer *s, const Side *side,
                                         intptr_t i) {
  MlirContext context = s->b.context;
  MlirAttribute old = attributes_of(s, side, i);
  intptr_t count = mlirDictionaryAttrGetNumElements(old);
  MlirAttribute *shapes = LUNA_ARENA_ARRAY(s->arena, MlirAttribute, s->count);
  MlirNamedAttribute *all =
      LUNA_ARENA_ARRAY(s->arena, MlirNamedAttribute, count + 2);
  for (intptr_t k = 0; k < count; ++k)
    all[k] = mlirDictionaryAttrGetElement(old, k);
  for (size_t v = 0; v < s->count; ++v) {
    LunaShape shape = luna_shape_of(value_at(s, v, side, i));
    shapes[v] = luna_i64s_attr(context, shape.rank, shape.dims);
  }
  if (side == &s->results)
    all[count++] =
        luna_named(context, "bufferize.result", mlirUnitAttrGet(context));
  if (!is_state(s, side, i))
    all[count++] =
        luna_named(context, "luna.shapes",
                   mlirArrayAttrGet(context, (intptr_t)s->count, shapes));
  return mlirDictionaryAttrGet(context, count, all);
}

// The attributes of the number of the case: its name, and the case of each
// version.
static MlirAttribute number_attributes(const Specializer *s) {
  MlirContext context = s->b.context;
  int32_t *cases = LUNA_ARENA_ARRAY(s->arena, int32_t, s->count);
  for (size_t v = 0; v < s->count; ++v)
    cases[v] = (int32_t)s->case_of[v];
  MlirNamedAttribute all[] = {
      luna_named(context, "luna.cases",
                 luna_i32s_attr(context, (intptr_t)s->count, cases)),
      luna_named(context, "luna.name", luna_string_attr(context, "shape")),
  };
  return mlirDictionaryAttrGet(context, 2, all);
}

// Returns the attributes of all arguments; those of the number of the case are
// not known yet.
static MlirAttribute *list_attributes(const Specializer *s) {
  MlirAttribute *all = LUNA_ARENA_ARRAY(s->arena, MlirAttribute,
                                        1 + s->inputs.count + s->results.count);
  for (intptr_t i = 0; i < s->inputs.count; ++i)
    all[1 + i] = argument_attributes(s, &s->inputs, i);
  for (intptr_t i = 0; i < s->results.count; ++i)
    all[1 + s->inputs.count + i] = argument_attributes(s, &s->results, i);
  return all;
}

static void make_cases(Specializer *s) {
  s->cases = LUNA_ARENA_ARRAY(s->arena, MlirBlock, s->count);
  for (size_t v = 0; v < s->count; ++v)
    s->cases[v] = make_case(s, v);
  luna_share_constants(s->cases, s->count, s->entry, s->arena);
  merge_cases(s);
}

static void build(Specializer *s, MlirBlock module) {
  MlirStringRef name = luna_attr_string(s->funcs[0], "sym_name");
  LunaBuilder b = s->b;
  MlirAttribute *attributes = list_attributes(s);
  s->entry = b.block = make_entry(s);
  make_cases(s);
  attributes[0] = number_attributes(s);
  LunaFunctionSpec spec = {
      .name = luna_arena_strndup(s->arena, name.data, name.length),
      .owned_body = s->entry,
      .arg_attrs = mlirArrayAttrGet(
          b.context, 1 + s->inputs.count + s->results.count, attributes),
      .res_attrs = mlirArrayAttrGet(b.context, 0, NULL),
  };
  add_switch(s, &b);
  luna_build_end(&b, "func.return", 0, NULL);
  for (size_t v = 0; v < s->count; ++v)
    mlirOperationDestroy(s->funcs[v]);
  b.block = module;
  luna_build_function(&b, &spec);
}

static bool is_version(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
         !mlirBlockIsNull(luna_body(op, 0)) &&
         !mlirAttributeIsNull(luna_attr(op, "luna.version"));
}

static void find_versions(Specializer *s, MlirBlock module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    s->count += is_version(op);
  s->funcs = LUNA_ARENA_ARRAY(s->arena, MlirOperation, s->count);
  s->names = LUNA_ARENA_ARRAY(s->arena, const char *, s->count);
  s->bodies = LUNA_ARENA_ARRAY(s->arena, MlirBlock, s->count);
  size_t v = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_version(op))
      continue;
    MlirStringRef name = luna_attr_string(op, "luna.version");
    s->funcs[v] = op;
    s->names[v] = luna_arena_strndup(s->arena, name.data, name.length);
    s->bodies[v++] = luna_body(op, 0);
  }
}

static bool is_uniform(const Specializer *s) {
  if (s->count == 1) {
    luna_emit_error(s->funcs[0], "is one version alone, needs at least two");
    return false;
  }
  for (size_t v = 1; v < s->count; ++v)
    if (value_count(s, v, &s->inputs) != value_count(s, 0, &s->inputs) ||
        value_count(s, v, &s->results) != value_count(s, 0, &s->results)) {
      luna_emit_error(s->funcs[v],
                      "has other numbers of inputs or outputs than version %s",
                      s->names[0]);
      return false;
    }
  return true;
}

static bool specialize(Specializer *s, MlirBlock module) {
  find_versions(s, module);
  if (s->count == 0)
    return true;
  if (!is_uniform(s) || !check_names(s) || !find_types(s, &s->inputs) ||
      !find_types(s, &s->results))
    return false;
  build(s, module);
  return true;
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  (void)options;
  LunaArena arena = {0};
  Specializer s = {.inputs = {.what = "input"},
                   .results = {.what = "output"},
                   .b = luna_builder(mlirOperationGetContext(module)),
                   .arena = &arena};
  bool is_done = specialize(&s, luna_body(module, 0));
  luna_arena_destroy(&arena);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const char *const dialects[] = {"arith",  "bufferization", "func",
                                       "luna",   "memref",        "scf",
                                       "tensor", "tosa",          NULL};

const LunaPassDesc luna_pass_specialize = {
    .argument = "luna-specialize",
    .summary = "Make one function of the versions of a model",
    .anchor = "builtin.module",
    .dependent_dialects = dialects,
    .run = run,
};
