// Values are numbered in the order in which they are met, those from outside
// first. Names of buffers and locations are no part of a record.

#include "kernel_record.h"

#include "luna-c/ir.h"
#include "luna/record.h"

// The layout of a record.
enum { RECORD_VERSION = 1 };

typedef struct Recorder {
  LunaKernelTexts *texts;
  LunaArena *arena, scratch;
  LunaText *record;
  LunaMap numbers; // of values
} Recorder;

static bool record_op(Recorder *recorder, MlirOperation op);

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

static void append(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

typedef void (*Print)(const void *object, LunaText *text);

static void print_attribute(const void *object, LunaText *text) {
  mlirAttributePrint((MlirAttribute){object}, append, text);
}

static void print_type(const void *object, LunaText *text) {
  mlirTypePrint((MlirType){object}, append, text);
}

// They are unique in their context: each is printed once.
static void record_object(Recorder *recorder, const void *object, Print print) {
  LunaKernelTexts *texts = recorder->texts;
  uint32_t index =
      luna_map_add(&texts->objects, recorder->arena, luna_map_pointer(object));
  if (index == texts->texts.count) {
    LunaText text = {0};
    print(object, &text);
    LunaMapKey *kept = LUNA_VECTOR_ADD(recorder->arena, &texts->texts);
    kept->bytes = luna_arena_strndup(recorder->arena, text.data, text.length);
    kept->number = text.length;
    luna_text_deinit(&text);
  }
  const LunaMapKey *text = &texts->texts.items[index];
  luna_record_bytes(recorder->record, text->bytes, text->number);
}

static void record_attribute(Recorder *recorder, MlirAttribute attribute) {
  record_object(recorder, attribute.ptr, print_attribute);
}

static void record_type(Recorder *recorder, MlirType type) {
  record_object(recorder, type.ptr, print_type);
}

static void record_identifier(Recorder *recorder, MlirIdentifier identifier) {
  MlirStringRef text = mlirIdentifierStr(identifier);
  luna_record_bytes(recorder->record, text.data, text.length);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static uint32_t number_of(Recorder *recorder, MlirValue value) {
  return luna_map_add(&recorder->numbers, &recorder->scratch,
                      luna_map_pointer(value.ptr));
}

static void define(Recorder *recorder, MlirValue value) {
  number_of(recorder, value);
  record_type(recorder, mlirValueGetType(value));
}

// A constant is more than its type.
static void record_outside(Recorder *recorder, const LunaKernelValue *value) {
  bool is_constant = !mlirAttributeIsNull(value->constant);
  number_of(recorder, value->value);
  luna_record_number(recorder->record, is_constant);
  record_type(recorder, value->type);
  if (is_constant)
    record_attribute(recorder, value->constant);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool record_block(Recorder *recorder, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  luna_record_number(recorder->record, (uint64_t)count);
  for (intptr_t i = 0; i < count; ++i)
    define(recorder, mlirBlockGetArgument(block, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!record_op(recorder, op))
      return false;
  luna_record_bytes(recorder->record, "end", 3);
  return true;
}

static bool record_regions(Recorder *recorder, MlirOperation op) {
  intptr_t count = mlirOperationGetNumRegions(op);
  luna_record_number(recorder->record, (uint64_t)count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    luna_record_number(recorder->record, !mlirBlockIsNull(block));
    if (!mlirBlockIsNull(block) && !record_block(recorder, block))
      return false;
  }
  return true;
}

static bool record_op(Recorder *recorder, MlirOperation op) {
  if (mlirOperationGetNumSuccessors(op) > 0)
    return false;
  record_identifier(recorder, mlirOperationGetName(op));
  intptr_t attributes = mlirOperationGetNumAttributes(op);
  luna_record_number(recorder->record, (uint64_t)attributes);
  for (intptr_t i = 0; i < attributes; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    record_identifier(recorder, attribute.name);
    record_attribute(recorder, attribute.attribute);
  }
  intptr_t operands = mlirOperationGetNumOperands(op);
  luna_record_number(recorder->record, (uint64_t)operands);
  for (intptr_t i = 0; i < operands; ++i)
    luna_record_number(recorder->record,
                       number_of(recorder, mlirOperationGetOperand(op, i)));
  intptr_t results = mlirOperationGetNumResults(op);
  luna_record_number(recorder->record, (uint64_t)results);
  for (intptr_t i = 0; i < results; ++i)
    define(recorder, mlirOperationGetResult(op, i));
  return record_regions(recorder, op);
}

bool luna_kernel_record(MlirOperation op, const LunaKernelValue *values,
                        uint64_t count, LunaKernelTexts *texts,
                        LunaArena *arena, LunaText *record) {
  Recorder recorder = {.texts = texts, .arena = arena, .record = record};
  luna_record_number(record, RECORD_VERSION);
  luna_record_number(record, count);
  for (uint64_t i = 0; i < count; ++i)
    record_outside(&recorder, &values[i]);
  bool is_done = record_op(&recorder, op);
  luna_arena_destroy(&recorder.scratch);
  return is_done;
}
