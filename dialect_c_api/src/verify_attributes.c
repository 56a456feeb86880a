// The verifier of the discardable attributes that luna-c/attributes.def lists.

#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/plan_attr.h"
#include "luna-c/plan_hints.h"
#include "luna/arena.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify.h"

// An attribute and where it stands: `index` is the number of the argument or
// result, -1 on an operation.
typedef struct Use {
  MlirOperation op;
  intptr_t index;
  bool is_result;
  MlirStringRef name;
  MlirAttribute value;
} Use;

static MlirLogicalResult success(void) { return mlirLogicalResultSuccess(); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool is_text(const Use *use) {
  return mlirAttributeIsAString(use->value) &&
         mlirStringAttrGetValue(use->value).length > 0;
}

static bool is_f32(const Use *use) {
  return mlirAttributeIsAFloat(use->value) &&
         mlirTypeIsAF32(mlirAttributeGetType(use->value));
}

static bool is_i64(const Use *use) {
  if (!mlirAttributeIsAInteger(use->value))
    return false;
  MlirType type = mlirAttributeGetType(use->value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
}

static bool is_count(const Use *use) {
  return is_i64(use) && mlirIntegerAttrGetValueInt(use->value) >= 0;
}

static bool is_unit(const Use *use) { return mlirAttributeIsAUnit(use->value); }

// Dense elements of the bytes of a state variable that comes in.
static bool is_initial(const Use *use) {
  MlirAttribute type = luna_attr(use->op, "function_type");
  if (use->is_result || !mlirAttributeIsADenseElements(use->value) ||
      !mlirAttributeIsAType(type))
    return false;
  if (!luna_op_is(use->op, LUNA_OP_FUNC_FUNC))
    return true;
  MlirType argument =
      mlirFunctionTypeGetInput(mlirTypeAttrGetValue(type), use->index);
  MlirAttribute own =
      mlirArrayAttrGetElement(luna_attr(use->op, "arg_attrs"), use->index);
  return luna_shaped_bytes(mlirAttributeGetType(use->value)) ==
             luna_shaped_bytes(argument) &&
         !mlirAttributeIsNull(
             mlirDictionaryAttrGetElementByName(own, luna_str("luna.state")));
}

static bool is_shape(MlirAttribute value) {
  if (!mlirAttributeIsADenseI64Array(value))
    return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i)
    if (mlirDenseI64ArrayGetElement(value, i) <= 0)
      return false;
  return true;
}

static bool are_shapes(const Use *use) {
  intptr_t count = 0;
  if (mlirAttributeIsAArray(use->value))
    count = mlirArrayAttrGetNumElements(use->value);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_shape(mlirArrayAttrGetElement(use->value, i)))
      return false;
  return count >= 2;
}

static bool are_cases(const Use *use) {
  bool is_array = mlirAttributeIsADenseI32Array(use->value) &&
                  mlirDenseArrayGetNumElements(use->value) >= 2;
  for (intptr_t i = 0; is_array && i < mlirDenseArrayGetNumElements(use->value);
       ++i)
    is_array = mlirDenseI32ArrayGetElement(use->value, i) >= 0;
  return is_array;
}

static bool is_kind(const Use *use) {
  LunaAllocationKind kind;
  return mlirAttributeIsAString(use->value) &&
         lunaAllocationKindParse(mlirStringAttrGetValue(use->value), &kind);
}

static bool is_place(const Use *use) {
  return lunaAttributeIsAPlace(use->value);
}

static bool is_one_of(const Use *use, const char *const *words) {
  for (; *words; ++words)
    if (mlirAttributeIsAString(use->value) &&
        mlirStringRefEqual(mlirStringAttrGetValue(use->value),
                           luna_str(*words)))
      return true;
  return false;
}

static bool is_mode(const Use *use) {
  static const char *const modes[] = {"auto", "ping-pong", "sync", NULL};
  return is_one_of(use, modes);
}

static bool is_shape_class(const Use *use) {
  static const char *const classes[] = {"ISDO", "ISDOS", "ISVDOS", "EDO", NULL};
  return is_one_of(use, classes);
}

static bool are_texts(const Use *use) {
  if (!mlirAttributeIsAArray(use->value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(use->value); ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(use->value, i)))
      return false;
  return true;
}

static bool are_extents(const Use *use) {
  return are_texts(use) && mlirArrayAttrGetNumElements(use->value) ==
                               mlirOperationGetNumResults(use->op);
}

enum { BOUND_MAX = 1 << 28 };

static bool are_bounds(const Use *use) {
  if (!mlirAttributeIsADenseI64Array(use->value) ||
      mlirDenseArrayGetNumElements(use->value) !=
          mlirOperationGetNumResults(use->op))
    return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(use->value); ++i) {
    int64_t bound = mlirDenseI64ArrayGetElement(use->value, i);
    if (bound < 0 || bound > BOUND_MAX)
      return false;
  }
  return true;
}

static int64_t field_of(MlirAttribute entry, const char *name) {
  Use field = {.value =
                   mlirDictionaryAttrGetElementByName(entry, luna_str(name))};
  return !mlirAttributeIsNull(field.value) && is_i64(&field)
             ? mlirIntegerAttrGetValueInt(field.value)
             : -1;
}

static bool has_text(MlirAttribute entry, const char *name) {
  Use field = {.value =
                   mlirDictionaryAttrGetElementByName(entry, luna_str(name))};
  return !mlirAttributeIsNull(field.value) && is_text(&field);
}

static bool is_table(const Use *use) {
  int64_t previous = -1;
  if (!mlirAttributeIsAArray(use->value))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(use->value); ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(use->value, i);
    if (!mlirAttributeIsADictionary(entry) ||
        field_of(entry, "id") <= previous ||
        field_of(entry, "id") > LUNA_PLACE_ID_MAX ||
        field_of(entry, "offset") < 0 || field_of(entry, "bytes") < 0 ||
        !has_text(entry, "kind") || !has_text(entry, "name"))
      return false;
    previous = field_of(entry, "id");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

static MlirOperation function_of(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool has_in_function(const Use *use, const char *name) {
  MlirOperation func = function_of(use->op);
  return !mlirOperationIsNull(func) &&
         !mlirAttributeIsNull(luna_attr(func, name));
}

static bool is_in_shared_memory(MlirOperation alloc) {
  if (mlirOperationGetNumResults(alloc) != 1)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  return luna_is_memref(type) && luna_memory_of(type) == LUNA_MEMORY_SHARED;
}

static MlirLogicalResult check_place(const Use *use) {
  if (!is_in_shared_memory(use->op))
    return luna_emit_error(use->op, "has a place in the arena, which is in "
                                    "shared memory; the allocation is not");
  if (!mlirAttributeIsNull(luna_attr(use->op, "luna.kind")))
    return luna_emit_error(use->op, "'luna.place' tells the kind, remove "
                                    "'luna.kind'");
  if (!has_in_function(use, "luna.arena_bytes"))
    return luna_emit_error(use->op, "is planned, but its function has no "
                                    "'luna.arena_bytes'");
  return success();
}

static bool has_place(MlirOperation op, void *data) {
  bool *is_planned = data;
  bool is_alloc =
      LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_ALLOC, LUNA_OP_MEMREF_ALLOCA);
  *is_planned = !is_alloc || !is_in_shared_memory(op) ||
                !mlirAttributeIsNull(luna_attr(op, "luna.place"));
  if (!*is_planned)
    luna_emit_error(op, "allocation in shared memory has no 'luna.place', but "
                        "its function is planned");
  return *is_planned;
}

static MlirLogicalResult check_allocations(const Use *use) {
  bool is_planned = true;
  luna_walk(use->op, has_place, &is_planned);
  return is_planned ? success() : mlirLogicalResultFailure();
}

static bool is_named(const Use *use, const char *name) {
  return mlirStringRefEqual(use->name, luna_str(name));
}

static bool can_read(const Use *use, LunaArena *arena, LunaError *error) {
  union {
    LunaPlanRecord plan;
    LunaBoundRecord bound;
    LunaJoinEffort effort;
    LunaPlanHints hints;
    LunaCodeRecord code;
    LunaCostRecord cost;
  } record;
  return is_named(use, "luna.plan")
             ? luna_plan_read(use->op, arena, &record.plan, error)
         : is_named(use, "luna.bound")
             ? luna_bound_read(use->op, arena, &record.bound, error)
         : is_named(use, "luna.joins_tried")
             ? luna_join_effort_read(use->op, arena, &record.effort, error)
         : is_named(use, "luna.plan_hints")
             ? luna_plan_hints_read(use->op, arena, &record.hints, error)
         : is_named(use, "luna.code")
             ? luna_code_read(use->op, arena, &record.code, error)
             : luna_cost_read(use->op, arena, &record.cost, error);
}

// What ir/ can read is right.
static MlirLogicalResult check_record(const Use *use) {
  LunaArena arena = {0};
  LunaError error = {0};
  bool is_read = can_read(use, &arena, &error);
  luna_arena_destroy(&arena);
  return is_read ? success() : luna_emit_error(use->op, "%s", error.message);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

typedef enum Holder { ARGUMENT, FUNCTION, ALLOCATION, MODULE, OPERATOR } Holder;

static const char *const holders[] = {
    [ARGUMENT] = "arguments and results of functions",
    [FUNCTION] = "func.func",
    [ALLOCATION] = "memref.alloc",
    [MODULE] = "builtin.module",
    [OPERATOR] = "operators with results",
};

typedef struct Value {
  bool (*is_valid)(const Use *use); // NULL: `check` says
  const char *needs;
  MlirLogicalResult (*check)(const Use *use); // may be NULL
} Value;

enum {
  TEXT,
  F32,
  I64,
  UNIT,
  INITIAL,
  SHAPES,
  CASES,
  EXTENTS,
  BOUNDS,
  TEXTS,
  SHAPE_CLASS,
  KIND,
  PLACE,
  ARENA_BYTES,
  RECORD,
  MODE,
  BUFFERS,
};

static const Value values[] = {
    [TEXT] = {is_text, "a string that is not empty", NULL},
    [F32] = {is_f32, "an f32", NULL},
    [I64] = {is_i64, "an i64", NULL},
    [UNIT] = {is_unit, "no value", NULL},
    [INITIAL] = {is_initial,
                 "dense elements of the size of an argument with luna.state",
                 NULL},
    [SHAPES] = {are_shapes, "arrays of positive i64, at least two", NULL},
    [CASES] = {are_cases, "an array of i32 of at least 0, at least two", NULL},
    [EXTENTS] = {are_extents, "a string for each result", NULL},
    [BOUNDS] = {are_bounds, "an i64 of 0 to 2^28 for each result", NULL},
    [TEXTS] = {are_texts, "strings", NULL},
    [SHAPE_CLASS] = {is_shape_class, "one of ISDO, ISDOS, ISVDOS, EDO", NULL},
    [KIND] = {is_kind, "one of tensor, input, output, staging, scratch", NULL},
    [PLACE] = {is_place, "a #luna.place", check_place},
    [ARENA_BYTES] = {is_count, "an i64 of at least 0", check_allocations},
    [RECORD] = {NULL, NULL, check_record},
    [MODE] = {is_mode, "one of auto, ping-pong, sync", NULL},
    [BUFFERS] = {is_table,
                 "dictionaries of bytes, id, kind, name and offset, by "
                 "ascending id",
                 NULL},
};

typedef struct Attribute {
  const char *name;
  Holder holder;
  const Value *value;
} Attribute;

static const Attribute attributes[] = {
#define LUNA_ATTRIBUTE(NAME, HOLDER, VALUE, ...) {NAME, HOLDER, &values[VALUE]},
#include "luna-c/attributes.def"
};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof attributes[0] };

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

static const Attribute *find_attribute(MlirStringRef name) {
  for (size_t i = 0; i < ATTRIBUTE_COUNT; ++i)
    if (mlirStringRefEqual(name, luna_str(attributes[i].name)))
      return &attributes[i];
  return NULL;
}

// Upstream's conversion of functions hands their attributes on to llvm.func.
static bool holds(const Use *use, Holder holder) {
  bool is_function = luna_op_is(use->op, LUNA_OP_FUNC_FUNC);
  switch (holder) {
  case ARGUMENT:
    return use->index >= 0 &&
           (is_function || luna_op_is(use->op, LUNA_OP_LLVM_FUNC));
  case FUNCTION:
    return use->index < 0 && is_function;
  case ALLOCATION:
    return luna_op_is(use->op, LUNA_OP_MEMREF_ALLOC);
  case MODULE:
    return luna_op_is(use->op, LUNA_OP_BUILTIN_MODULE);
  case OPERATOR:
    return use->index < 0 && mlirOperationGetNumResults(use->op) > 0;
  }
  return false;
}

// Suggests what may stand there.
static MlirLogicalResult fail_unknown(const Use *use) {
  enum { TOO_FAR = 3 };
  const char *nearest = NULL;
  size_t least = TOO_FAR;
  for (size_t i = 0; i < ATTRIBUTE_COUNT; ++i) {
    if (!holds(use, attributes[i].holder))
      continue;
    size_t distance = luna_text_distance(use->name.data, use->name.length,
                                         attributes[i].name);
    if (distance < least) {
      least = distance;
      nearest = attributes[i].name;
    }
  }
  if (nearest)
    return luna_emit_error(use->op,
                           "unknown attribute '%.*s'; did you mean '%s'?",
                           (int)use->name.length, use->name.data, nearest);
  return luna_emit_error(use->op, "unknown attribute '%.*s'",
                         (int)use->name.length, use->name.data);
}

static MlirLogicalResult verify_use(const Use *use) {
  const Attribute *attribute = find_attribute(use->name);
  if (!attribute)
    return fail_unknown(use);
  if (!holds(use, attribute->holder))
    return luna_emit_error(use->op, "'%s' belongs on %s", attribute->name,
                           holders[attribute->holder]);
  const Value *value = attribute->value;
  if (value->is_valid && !value->is_valid(use))
    return luna_emit_error(use->op, "'%s' needs %s", attribute->name,
                           value->needs);
  return value->check ? value->check(use) : success();
}

MlirLogicalResult luna_verify_op_attribute(MlirOperation op,
                                           MlirNamedAttribute attribute) {
  return verify_use(&(Use){.op = op,
                           .index = -1,
                           .name = mlirIdentifierStr(attribute.name),
                           .value = attribute.attribute});
}

MlirLogicalResult luna_verify_argument_attribute(MlirOperation op,
                                                 intptr_t index, bool is_result,
                                                 MlirNamedAttribute attribute) {
  return verify_use(&(Use){.op = op,
                           .index = index,
                           .is_result = is_result,
                           .name = mlirIdentifierStr(attribute.name),
                           .value = attribute.attribute});
}
