// One function of several versions of a model, read for other sizes each: the
// cases of a switch named `shape`.
//
//   func.func @main(%shape: tensor<1xi32>, %x: tensor<384xi8>) -> … {
//     %r = scf.index_switch …
//     case 0 {
//       luna.label "shape" = "8x8"
//       …  the first 64 elements of %x, as 1x8x8, …

#include "import_dialects.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna-c/ir.h"
#include "luna/import.h"
#include "luna/map.h"
#include "mlir-c/BuiltinAttributes.h"
#include "module_function.h"

// The values on one side of the functions.
typedef struct Side {
  intptr_t count;
  MlirType *types;  // that the one function has
  bool *is_flat;    // a list as long as the longest
  const char *what; // for messages
} Side;

typedef struct Specializer {
  LunaVersion *versions;
  size_t count;
  MlirOperation *funcs;
  MlirBlock *bodies;
  Side inputs, results;
  MlirBlock entry;
  LunaBuilder b;
  LunaArena *arena;
  LunaError *error;
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

static int64_t elements_of(MlirValue value) {
  LunaShape shape = luna_shape_of(value);
  int64_t count = 1;
  for (int d = 0; d < shape.rank; ++d)
    count *= shape.dims[d];
  return count;
}

static bool find_type(Specializer *s, Side *side, intptr_t i) {
  MlirValue first = value_at(s, 0, side, i);
  int64_t most = elements_of(first);
  side->types[i] = mlirValueGetType(first);
  for (size_t v = 1; v < s->count; ++v) {
    MlirValue value = value_at(s, v, side, i);
    int64_t count = elements_of(value);
    most = count > most ? count : most;
    side->is_flat[i] |= !mlirTypeEqual(mlirValueGetType(value), side->types[i]);
  }
  if (side->is_flat[i] && is_state(s, side, i))
    return luna_error_set(s->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the state that is %s %d has a shape that depends "
                          "on the open sizes",
                          side->what, (int)i);
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

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static MlirValue unpack(const LunaBuilder *b, MlirValue list, MlirValue like) {
  LunaShape shape = luna_shape_of(like);
  int64_t start = 0, size = elements_of(like);
  return luna_build_reshape(b, luna_build_slice(b, list, &start, &size),
                            &shape);
}

static MlirValue pack(const LunaBuilder *b, MlirValue value, MlirType list) {
  int64_t size = elements_of(value);
  int64_t pads[2] = {0, mlirShapedTypeGetDimSize(list, 0) - size};
  value = luna_build_reshape(b, value, &(LunaShape){1, {size}});
  return pads[1] == 0 ? value
                      : luna_build_pad(
                            b, value, pads,
                            luna_build_const_one(b, luna_element_of(value), 0));
}

static void add_label(const LunaBuilder *b, const char *way) {
  MlirNamedAttribute attributes[] = {
      luna_named(b->context, "name", luna_string_attr(b->context, "shape")),
      luna_named(b->context, "way", luna_string_attr(b->context, way)),
  };
  luna_build_spec(b, &(LunaOpSpec){.name = "luna.label",
                                   .attributes = attributes,
                                   .attribute_count = 2});
}

// Moves the operators of a version into a block of its own.
static MlirRegion make_case(Specializer *s, size_t version) {
  MlirBlock body = s->bodies[version], block = mlirBlockCreate(0, NULL, NULL);
  MlirOperation end = mlirBlockGetTerminator(body);
  MlirValue *results = LUNA_ARENA_ARRAY(s->arena, MlirValue, s->results.count);
  LunaBuilder b = s->b;
  b.block = block;
  add_label(&b, s->versions[version].name);
  for (intptr_t i = 0; i < s->inputs.count; ++i) {
    MlirValue old = mlirBlockGetArgument(body, i);
    MlirValue value = mlirBlockGetArgument(s->entry, i + 1);
    mlirValueReplaceAllUsesOfWith(
        old, s->inputs.is_flat[i] ? unpack(&b, value, old) : value);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, end); op = mlirBlockGetFirstOperation(body)) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
  }
  for (intptr_t i = 0; i < s->results.count; ++i) {
    results[i] = mlirOperationGetOperand(end, i);
    if (s->results.is_flat[i])
      results[i] = pack(&b, results[i], s->results.types[i]);
  }
  luna_build_end(&b, "scf.yield", s->results.count, results);
  return luna_region_of(block);
}

// The last version is the default.
static MlirOperation add_switch(Specializer *s, const LunaBuilder *b) {
  intptr_t cases = (intptr_t)s->count - 1;
  int64_t *numbers = LUNA_ARENA_ARRAY(s->arena, int64_t, cases);
  MlirRegion *regions = LUNA_ARENA_ARRAY(s->arena, MlirRegion, s->count);
  MlirValue number = luna_scalar_to(
      b, "arith.index_cast",
      luna_scalar_only(b, mlirBlockGetArgument(s->entry, 0)), b->index);
  for (intptr_t i = 0; i < cases; ++i)
    numbers[i] = i;
  for (size_t v = 0; v < s->count; ++v)
    regions[(v + 1) % s->count] = make_case(s, v);
  MlirNamedAttribute attribute = luna_named(
      b->context, "cases", luna_i64s_attr(b->context, cases, numbers));
  return luna_build_spec(b, &(LunaOpSpec){.name = "scf.index_switch",
                                          .operands = &number,
                                          .operand_count = 1,
                                          .results = s->results.types,
                                          .result_count = s->results.count,
                                          .attributes = &attribute,
                                          .attribute_count = 1,
                                          .owned_regions = regions,
                                          .region_count = cases + 1});
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

typedef struct Hoist {
  MlirOperation first; // of the entry
  LunaMap map;
  LUNA_VECTOR(MlirOperation) hoisted;
  LunaMap values; // that they give
  LunaArena *arena;
} Hoist;

// Constants, and what weights go through that a reader lays out anew.
static bool may_hoist(const Hoist *hoist, MlirOperation op) {
  static const LunaOpName names[] = {
      LUNA_OP_ARITH_CONSTANT,   LUNA_OP_TOSA_CONCAT, LUNA_OP_TOSA_CONST,
      LUNA_OP_TOSA_CONST_SHAPE, LUNA_OP_TOSA_PAD,    LUNA_OP_TOSA_RESHAPE,
      LUNA_OP_TOSA_REVERSE,     LUNA_OP_TOSA_SLICE,  LUNA_OP_TOSA_TILE,
      LUNA_OP_TOSA_TRANSPOSE};
  if (!luna_op_is_any(op, names, sizeof names / sizeof *names))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_map_find(&hoist->values,
                      luna_map_pointer(mlirOperationGetOperand(op, i).ptr)) ==
        LUNA_MAP_ABSENT)
      return false;
  return true;
}

// Name, type, operands and attributes: what two equal operators have in common.
static LunaMapKey key_of(const Hoist *hoist, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op), count = 2;
  intptr_t attributes = mlirOperationGetNumAttributes(op);
  const void **key = LUNA_ARENA_ARRAY(hoist->arena, const void *,
                                      count + operands + attributes);
  key[0] = mlirOperationGetName(op).ptr;
  key[1] = mlirValueGetType(mlirOperationGetResult(op, 0)).ptr;
  for (intptr_t i = 0; i < operands; ++i)
    key[count++] = mlirOperationGetOperand(op, i).ptr;
  for (intptr_t i = 0; i < attributes; ++i)
    key[count++] = mlirOperationGetAttribute(op, i).attribute.ptr;
  return luna_map_bytes(key, (uint64_t)count * sizeof *key);
}

// Moves an operator on constants in front of the switch, where equal ones
// become one: so they are stored, and folded, once.
static bool hoist(MlirOperation op, void *data) {
  Hoist *hoist = data;
  if (!may_hoist(hoist, op))
    return true;
  MlirValue value = mlirOperationGetResult(op, 0);
  uint32_t index = luna_map_add(&hoist->map, hoist->arena, key_of(hoist, op));
  if (index < hoist->hoisted.count) {
    mlirValueReplaceAllUsesOfWith(
        value, mlirOperationGetResult(hoist->hoisted.items[index], 0));
    mlirOperationDestroy(op);
    return true;
  }
  *LUNA_VECTOR_ADD(hoist->arena, &hoist->hoisted) = op;
  luna_map_add(&hoist->values, hoist->arena, luna_map_pointer(value.ptr));
  mlirOperationMoveBefore(op, hoist->first);
  return true;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static MlirBlock make_entry(const Specializer *s) {
  MlirType number = luna_list_type(s->b.i32, 1);
  MlirBlock entry = mlirBlockCreate(1, &number, &s->b.location);
  for (intptr_t i = 0; i < s->inputs.count; ++i)
    mlirBlockAddArgument(entry, s->inputs.types[i], s->b.location);
  return entry;
}

// The attributes of a value with its shapes, by version.
static MlirAttribute with_shapes(const Specializer *s, const Side *side,
                                 intptr_t i) {
  MlirAttribute old = attributes_of(s, side, i);
  intptr_t count = mlirDictionaryAttrGetNumElements(old);
  if (is_state(s, side, i))
    return old;
  MlirAttribute *shapes = LUNA_ARENA_ARRAY(s->arena, MlirAttribute, s->count);
  MlirNamedAttribute *all =
      LUNA_ARENA_ARRAY(s->arena, MlirNamedAttribute, count + 1);
  for (size_t v = 0; v < s->count; ++v) {
    LunaShape shape = luna_shape_of(value_at(s, v, side, i));
    shapes[v] = luna_i64s_attr(s->b.context, shape.rank, shape.dims);
  }
  for (intptr_t k = 0; k < count; ++k)
    all[k] = mlirDictionaryAttrGetElement(old, k);
  all[count] =
      luna_named(s->b.context, "luna.shapes",
                 mlirArrayAttrGet(s->b.context, (intptr_t)s->count, shapes));
  return mlirDictionaryAttrGet(s->b.context, count + 1, all);
}

static MlirAttribute side_attributes(const Specializer *s, const Side *side) {
  bool is_input = side == &s->inputs;
  MlirNamedAttribute name = luna_named(s->b.context, "luna.name",
                                       luna_string_attr(s->b.context, "shape"));
  MlirAttribute *all =
      LUNA_ARENA_ARRAY(s->arena, MlirAttribute, side->count + 1);
  all[0] = mlirDictionaryAttrGet(s->b.context, 1, &name);
  for (intptr_t i = 0; i < side->count; ++i)
    all[i + is_input] = with_shapes(s, side, i);
  return mlirArrayAttrGet(s->b.context, side->count + is_input, all);
}

static void build(Specializer *s, MlirModule out) {
  MlirStringRef name = luna_attr_string(s->funcs[0], "sym_name");
  LunaBuilder b = s->b;
  s->entry = b.block = make_entry(s);
  LunaFunctionSpec spec = {
      .name = luna_arena_strndup(s->arena, name.data, name.length),
      .owned_body = s->entry,
      .result_count = s->results.count,
      .results = s->results.types,
      .arg_attrs = side_attributes(s, &s->inputs),
      .res_attrs = side_attributes(s, &s->results),
  };
  MlirOperation branch = add_switch(s, &b);
  MlirValue *results = LUNA_ARENA_ARRAY(s->arena, MlirValue, s->results.count);
  for (intptr_t i = 0; i < s->results.count; ++i)
    results[i] = mlirOperationGetResult(branch, i);
  luna_build_end(&b, "func.return", s->results.count, results);
  Hoist constants = {.first = mlirBlockGetFirstOperation(s->entry),
                     .arena = s->arena};
  luna_walk(branch, hoist, &constants);
  mlirOperationDestroy(s->funcs[0]);
  b.block = mlirModuleGetBody(out);
  luna_build_function(&b, &spec);
}

static const LunaShape *shapes_of(const Specializer *s, size_t version,
                                  const Side *side) {
  LunaShape *shapes = LUNA_ARENA_ARRAY(s->arena, LunaShape, side->count);
  for (intptr_t i = 0; i < side->count; ++i)
    shapes[i] = luna_shape_of(value_at(s, version, side, i));
  return shapes;
}

// The first module becomes the result, with what else it holds.
static bool specialize(Specializer *s, MlirModule *out) {
  s->funcs = LUNA_ARENA_ARRAY(s->arena, MlirOperation, s->count);
  s->bodies = LUNA_ARENA_ARRAY(s->arena, MlirBlock, s->count);
  for (size_t v = 0; v < s->count; ++v) {
    s->funcs[v] = luna_import_function(s->versions[v].module);
    if (mlirOperationIsNull(s->funcs[v]))
      return luna_error_set(s->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "no function with a body to compile");
    s->bodies[v] = luna_body(s->funcs[v], 0);
  }
  if (!find_types(s, &s->inputs) || !find_types(s, &s->results))
    return false;
  for (size_t v = 0; v < s->count; ++v) {
    s->versions[v].inputs = shapes_of(s, v, &s->inputs);
    s->versions[v].outputs = shapes_of(s, v, &s->results);
  }
  build(s, s->versions[0].module);
  *out = s->versions[0].module;
  return true;
}

bool luna_specialize(LunaVersion *versions, size_t count, LunaArena *arena,
                     MlirModule *out, LunaError *error) {
  MlirContext context = mlirModuleGetContext(versions[0].module);
  Specializer s = {.versions = versions,
                   .count = count,
                   .inputs = {.what = "input"},
                   .results = {.what = "output"},
                   .b = luna_builder(context),
                   .arena = arena,
                   .error = error};
  *out = (MlirModule){NULL};
  bool is_done =
      luna_import_load_dialects(context, error) && specialize(&s, out);
  for (size_t v = is_done ? 1 : 0; v < count; ++v)
    mlirModuleDestroy(versions[v].module);
  return is_done;
}
