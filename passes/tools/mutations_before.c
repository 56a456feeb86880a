#include "mutations_before.h"

#include <stdlib.h>
#include <string.h>

#include "luna-c/ops.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

// A whole number moves by one; another by a part that shows.
static double moved_float(double x, int by) {
  bool is_whole = x > -1e6 && x < 1e6 && x == (double)(int64_t)x;
  return is_whole ? x + by : x * (1 + by / 64.0);
}

// At the end of its range it moves the other way.
static int64_t moved_int(int64_t x, int by, unsigned width) {
  int64_t most = width < 64 ? (INT64_C(1) << (width - 1)) - 1 : INT64_MAX;
  return (by > 0 && x >= most) || (by < 0 && x <= -most - 1) ? x - by : x + by;
}

static bool is_number(MlirType type) {
  return mlirTypeIsAF32(type) ||
         (mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 8 ||
                                       mlirIntegerTypeGetWidth(type) == 16 ||
                                       mlirIntegerTypeGetWidth(type) == 32));
}

// Moves the number of `bytes` at `at`.
static void move_raw(MlirType type, uint8_t *at, int by) {
  if (mlirTypeIsAF32(type)) {
    float number;
    memcpy(&number, at, sizeof number);
    number = (float)moved_float((double)number, by);
    memcpy(at, &number, sizeof number);
    return;
  }
  unsigned width = mlirIntegerTypeGetWidth(type);
  uint32_t raw = 0;
  memcpy(&raw, at, width / 8);
  int64_t number = (int64_t)((uint64_t)raw << (64 - width)) >> (64 - width);
  raw = (uint32_t)moved_int(number, by, width);
  memcpy(at, &raw, width / 8);
}

// The element in the middle, or the one that all are.
static MlirAttribute moved_elements(MlirAttribute elements, int by) {
  MlirType type = mlirAttributeGetType(elements);
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t bytes = luna_element_type_bytes(element);
  int64_t count = mlirDenseElementsAttrIsSplat(elements)
                      ? 1
                      : mlirElementsAttrGetNumElements(elements);
  LunaArena arena = {0};
  uint8_t *raw = luna_arena_alloc(&arena, (uint64_t)(count * bytes), 1);
  memcpy(raw, mlirDenseElementsAttrGetRawData(elements),
         (size_t)(count * bytes));
  move_raw(element, raw + count / 2 * bytes, by);
  MlirAttribute result =
      mlirDenseElementsAttrRawBufferGet(type, (size_t)(count * bytes), raw);
  luna_arena_destroy(&arena);
  return result;
}

// Null where it is no number.
static MlirAttribute moved_attribute(MlirAttribute value, int by) {
  MlirType type = mlirAttributeIsNull(value) ? (MlirType){NULL}
                                             : mlirAttributeGetType(value);
  if (mlirTypeIsNull(type))
    return (MlirAttribute){NULL};
  if (mlirAttributeIsADenseElements(value) &&
      is_number(mlirShapedTypeGetElementType(type)) &&
      mlirElementsAttrGetNumElements(value) > 0)
    return moved_elements(value, by);
  if (mlirAttributeIsAInteger(value) && is_number(type))
    return mlirIntegerAttrGet(type,
                              moved_int(mlirIntegerAttrGetValueInt(value), by,
                                        mlirIntegerTypeGetWidth(type)));
  if (mlirAttributeIsAFloat(value) && mlirTypeIsAF32(type))
    return mlirFloatAttrDoubleGet(
        mlirAttributeGetContext(value), type,
        moved_float(mlirFloatAttrGetValueDouble(value), by));
  return (MlirAttribute){NULL};
}

//===----------------------------------------------------------------------===//
// Kinds: each gives true if it can be put into `op`, and puts it unless `tries`
//===----------------------------------------------------------------------===//

static bool move_attribute(MlirOperation op, const char *name, int by,
                           bool tries) {
  MlirAttribute moved = moved_attribute(luna_attr(op, name), by);
  if (mlirAttributeIsNull(moved))
    return false;
  if (!tries)
    luna_set_attr(op, name, moved);
  return true;
}

static bool is_used_by_call(MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  return !mlirOpOperandIsNull(use) &&
         luna_op_is(mlirOpOperandGetOwner(use), LUNA_OP_FUNC_CALL);
}

static bool move_constant(MlirOperation op, int by, bool tries) {
  if (luna_op_is(op, LUNA_OP_TOSA_CONST))
    return move_attribute(op, "values", by, tries);
  // What a reference passes to its runtime is not of the model.
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT) && !is_used_by_call(op))
    return move_attribute(op, "value", by, tries);
  return luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) &&
         move_attribute(op, "initial_value", by, tries);
}

static bool raise_constant(MlirOperation op, bool tries) {
  return move_constant(op, 1, tries);
}

static bool lower_constant(MlirOperation op, bool tries) {
  return move_constant(op, -1, tries);
}

static void append(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

// Moves the number behind `field` of luna.requant.
static bool move_requant(MlirOperation op, const char *field, int by,
                         bool tries) {
  LunaText text = {0}, moved = {0};
  MlirAttribute requant = luna_attr(op, "requant");
  if (mlirAttributeIsNull(requant))
    return false;
  mlirAttributePrint(requant, append, &text);
  const char *at = strstr(text.data, field);
  bool is_there = at != NULL;
  if (is_there && !tries) {
    at += strlen(field);
    char *end = NULL;
    long number = strtol(at, &end, 10);
    luna_text_printf(&moved, "%.*s%ld%s", (int)(at - text.data), text.data,
                     (long)moved_int(number, by, 8), end);
    luna_set_attr(op, "requant",
                  mlirAttributeParseGet(mlirOperationGetContext(op),
                                        luna_str(moved.data)));
  }
  luna_text_deinit(&text);
  luna_text_deinit(&moved);
  return is_there;
}

static bool move_zero_point(MlirOperation op, bool tries) {
  static const char *const names[] = {"input_zp", "lhs_zp", "rhs_zp",
                                      "weight_zp", "output_zp"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (luna_op_in_dialect(op, LUNA_DIALECT_LUNA) &&
        move_attribute(op, names[i], 1, tries))
      return true;
  return move_requant(op, "zero_point = ", 1, tries);
}

static bool move_result_zero_point(MlirOperation op, bool tries) {
  return move_requant(op, "zero_point = ", -1, tries);
}

static bool move_bound(MlirOperation op, bool tries) {
  return move_attribute(op, "clamp_min", 1, tries) ||
         move_attribute(op, "min_val", 1, tries) ||
         move_requant(op, "clamp_min = ", 1, tries);
}

static bool move_upper_bound(MlirOperation op, bool tries) {
  return move_attribute(op, "clamp_max", -1, tries) ||
         move_attribute(op, "max_val", -1, tries) ||
         move_requant(op, "clamp_max = ", -1, tries);
}

// Moves one row or column of a window's pad to its other side.
static bool move_pad(MlirOperation op, bool tries) {
  int64_t pad[4];
  MlirAttribute list = luna_attr(op, "pad");
  if (mlirAttributeIsNull(list) || !luna_attr_ints(op, "pad", pad, 4))
    return false;
  for (int i = 0; i < 4; i += 2) {
    int from = pad[i] > 0 ? i : i + 1;
    if (pad[from] == 0)
      continue;
    --pad[from];
    ++pad[from ^ 1];
    int32_t narrow[4];
    for (int k = 0; k < 4; ++k)
      narrow[k] = (int32_t)pad[k];
    MlirContext context = mlirOperationGetContext(op);
    if (!tries)
      luna_set_attr(op, "pad",
                    mlirAttributeIsADenseI64Array(list)
                        ? mlirDenseI64ArrayGet(context, 4, pad)
                        : mlirDenseI32ArrayGet(context, 4, narrow));
    return true;
  }
  return false;
}

static bool is_commutative(MlirOperation op) {
  static const char *const names[] = {
      "tosa.add",        "tosa.mul",         "arith.addi",     "arith.addf",
      "arith.muli",      "arith.mulf",       "arith.maximumf", "arith.minimumf",
      "arith.maxsi",     "arith.minsi",      "tosa.maximum",   "tosa.minimum",
      "tosa.logical_or", "arith.andi",       "arith.ori",      "arith.xori",
      "tosa.equal",      "tosa.logical_and", "func.call"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (mlirStringRefEqual(name, luna_str(names[i])))
      return true;
  return false;
}

// Exchanges the first two neighbours of one type that are not one value.
static bool exchange_operands(MlirOperation op, bool tries) {
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i) {
    MlirValue a = mlirOperationGetOperand(op, i);
    MlirValue b = mlirOperationGetOperand(op, i + 1);
    if (is_commutative(op) || luna_same_value(a, b) ||
        !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)))
      continue;
    if (!tries) {
      mlirOperationSetOperand(op, i, b);
      mlirOperationSetOperand(op, i + 1, a);
    }
    return true;
  }
  return false;
}

static const struct {
  const char *name;
  bool (*put)(MlirOperation op, bool tries);
} kinds[] = {
    {"constant-raised", raise_constant},
    {"constant-lowered", lower_constant},
    {"zero-point-raised", move_zero_point},
    {"zero-point-lowered", move_result_zero_point},
    {"lower-bound-raised", move_bound},
    {"upper-bound-lowered", move_upper_bound},
    {"pad-moved", move_pad},
    {"operands-exchanged", exchange_operands},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// The operators of a module, named.
typedef struct Places {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation) ops;
  LUNA_VECTOR(const char *) names;
} Places;

static bool add_place(MlirOperation op, void *data) {
  Places *places = data;
  MlirStringRef where = luna_given_name(op);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *plain =
      luna_arena_printf(&places->arena, "%.*s@%.*s", (int)name.length,
                        name.data, (int)where.length, where.data);
  size_t length = strlen(plain);
  uint32_t number = 0;
  for (uint64_t i = 0; i < places->names.count; ++i)
    number += strncmp(places->names.items[i], plain, length) == 0 &&
              places->names.items[i][length] == '#';
  *LUNA_VECTOR_ADD(&places->arena, &places->ops) = op;
  *LUNA_VECTOR_ADD(&places->arena, &places->names) =
      luna_arena_printf(&places->arena, "%s#%u", plain, (unsigned)number);
  return true;
}

//===----------------------------------------------------------------------===//
// Passes with faults
//===----------------------------------------------------------------------===//

static LunaText *listed_faults;
static const char *put_fault;

static const char fault_mark[] = "fault.done";

static bool has_line(const LunaText *text, const char *line) {
  size_t length = strlen(line);
  for (const char *at = text->length > 0 ? strstr(text->data, line) : NULL; at;
       at = strstr(at + 1, line))
    if ((at == text->data || at[-1] == '\n') && at[length] == '\n')
      return true;
  return false;
}

// Lists the faults at a place, or puts the one that is asked for.
static void visit_place(MlirOperation func, const char *pass, Places *places,
                        uint64_t place) {
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    MlirOperation op = places->ops.items[place];
    const char *fault =
        luna_arena_printf(&places->arena, "%s|%s|%s", pass, kinds[kind].name,
                          places->names.items[place]);
    bool is_asked = put_fault && strcmp(fault, put_fault) == 0;
    if (!(is_asked || listed_faults) || !kinds[kind].put(op, true))
      continue;
    if (listed_faults && !has_line(listed_faults, fault))
      luna_text_printf(listed_faults, "%s\n", fault);
    if (is_asked) {
      kinds[kind].put(op, false);
      luna_set_attr(func, fault_mark,
                    mlirUnitAttrGet(mlirOperationGetContext(op)));
    }
  }
}

// The function of a module, or the op itself.
static MlirOperation function_of(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_FUNC_FUNC))
    return op;
  op = mlirBlockGetFirstOperation(luna_body(op, 0));
  while (!mlirOperationIsNull(op) && (!luna_op_is(op, LUNA_OP_FUNC_FUNC) ||
                                      mlirBlockIsNull(luna_body(op, 0))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

// What comes from here on does not know the mark.
static bool ends_marks(const LunaPassDesc *desc) {
  return desc == &luna_pass_record_program || desc == &luna_pass_check_accesses;
}

static MlirLogicalResult run_right(const LunaPassDesc *desc, MlirOperation op,
                                   const LunaOptionValue *options) {
  if (!desc->visit)
    return desc->run(op, options);
  return luna_walk(op, desc->visit, NULL) ? mlirLogicalResultSuccess()
                                          : mlirLogicalResultFailure();
}

static MlirLogicalResult run_faulty(const LunaPassDesc *desc, MlirOperation op,
                                    const LunaOptionValue *options) {
  MlirOperation func = function_of(op);
  if (ends_marks(desc) && !mlirOperationIsNull(func))
    mlirOperationRemoveAttributeByName(func, luna_str(fault_mark));
  MlirLogicalResult result = run_right(desc, op, options);
  if (mlirLogicalResultIsFailure(result) || ends_marks(desc))
    return result;
  func = function_of(op);
  if (mlirOperationIsNull(func) ||
      !mlirAttributeIsNull(luna_attr(func, fault_mark)))
    return result;
  Places places = {.ops = {0}};
  luna_walk(op, add_place, &places);
  for (uint64_t i = 0; i < places.ops.count; ++i)
    visit_place(func, desc->argument, &places, i);
  luna_arena_destroy(&places.arena);
  return result;
}

#define LUNA_PASS(desc)                                                        \
  static MlirLogicalResult run_##desc(MlirOperation op,                        \
                                      const LunaOptionValue *options) {        \
    return run_faulty(&desc, op, options);                                     \
  }
#include "luna/passes.def"
#undef LUNA_PASS
#undef LUNA_PIPELINE
#undef LUNA_RENAMED

void luna_register_faulty_passes(LunaText *listed, const char *fault) {
  listed_faults = listed;
  put_fault = fault;
#define LUNA_PASS(desc)                                                        \
  static LunaPassDesc faulty_##desc;                                           \
  faulty_##desc = desc;                                                        \
  if (desc.run || desc.visit)                                                  \
    faulty_##desc.run = run_##desc;                                            \
  faulty_##desc.visit = NULL;                                                  \
  luna_register_pass(&faulty_##desc);
#define LUNA_PIPELINE(desc) luna_register_pipeline(&desc);
#include "luna/passes.def"
}
