#include "attr_record.h"

#include <string.h>

#include "luna/plan.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Members of a record
//===----------------------------------------------------------------------===//

static uint32_t load_u32(const char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static const void *load_pointer(const char *at) {
  const void *value;
  memcpy(&value, at, sizeof value);
  return value;
}

static int64_t load_integer(const char *at, size_t size) {
  int64_t value;
  if (size == sizeof(uint32_t))
    return load_u32(at);
  memcpy(&value, at, sizeof value);
  return value;
}

static void store_u32(char *at, uint32_t value) {
  memcpy(at, &value, sizeof value);
}

static void store_pointer(char *at, const void *value) {
  memcpy(at, &value, sizeof value);
}

static bool store_integer(char *at, size_t size, int64_t value) {
  if (value < 0 || (size == sizeof(uint32_t) && value > UINT32_MAX))
    return false;
  if (size == sizeof(uint32_t))
    store_u32(at, (uint32_t)value);
  else
    memcpy(at, &value, sizeof value);
  return true;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

typedef struct Writer {
  MlirContext context;
  LunaArena *arena;
} Writer;

static MlirAttribute write_record(const Writer *writer,
                                  const LunaAttrLayout *layout,
                                  const char *record);

static MlirAttribute write_strings(const Writer *writer,
                                   const char *const *strings, uint32_t count) {
  MlirAttribute *list = LUNA_ARENA_ARRAY(writer->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] = luna_string_attr(writer->context, strings[i]);
  return mlirArrayAttrGet(writer->context, count, list);
}

static MlirAttribute write_steps(const Writer *writer, const LunaSteps *ranges,
                                 uint32_t count) {
  int64_t *bounds =
      LUNA_ARENA_ARRAY(writer->arena, int64_t, 2 * (uint64_t)count);
  for (uint32_t i = 0; i < count; ++i) {
    bounds[2 * i] = ranges[i].first;
    bounds[2 * i + 1] = ranges[i].end;
  }
  return mlirDenseI64ArrayGet(writer->context, 2 * (intptr_t)count, bounds);
}

static MlirAttribute write_records(const Writer *writer,
                                   const LunaAttrField *field,
                                   const char *record) {
  uint32_t count = load_u32(record + field->count_at);
  const char *records = load_pointer(record + field->at);
  MlirAttribute *list = LUNA_ARENA_ARRAY(writer->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] =
        write_record(writer, field->layout, records + i * field->layout->size);
  return mlirArrayAttrGet(writer->context, count, list);
}

static MlirAttribute write_field(const Writer *writer,
                                 const LunaAttrField *field,
                                 const char *record) {
  MlirContext context = writer->context;
  const char *at = record + field->at;
  switch (field->kind) {
  case LUNA_FIELD_STRING:
    return luna_string_attr(context, load_pointer(at));
  case LUNA_FIELD_INTEGER:
    return luna_i64_attr(context, load_integer(at, field->size));
  case LUNA_FIELD_FLAG:
    return mlirBoolAttrGet(context, *(const bool *)at);
  case LUNA_FIELD_NAME:
    return luna_string_attr(context, field->name_of(load_u32(at)));
  case LUNA_FIELD_STRINGS:
    return write_strings(writer, load_pointer(at),
                         load_u32(record + field->count_at));
  case LUNA_FIELD_STEPS:
    return write_steps(writer, load_pointer(at),
                       load_u32(record + field->count_at));
  case LUNA_FIELD_RECORD:
    return write_record(writer, field->layout, at);
  case LUNA_FIELD_RECORDS:
    return write_records(writer, field, record);
  }
  return mlirAttributeGetNull();
}

static MlirAttribute write_record(const Writer *writer,
                                  const LunaAttrLayout *layout,
                                  const char *record) {
  MlirNamedAttribute *entries =
      LUNA_ARENA_ARRAY(writer->arena, MlirNamedAttribute, layout->field_count);
  intptr_t count = 0;
  for (size_t i = 0; i < layout->field_count; ++i) {
    const LunaAttrField *field = &layout->fields[i];
    if (!field->is_optional || load_u32(record + field->count_at) > 0)
      entries[count++] = luna_named(writer->context, field->key,
                                    write_field(writer, field, record));
  }
  return mlirDictionaryAttrGet(writer->context, count, entries);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool read_record(MlirAttribute attribute, const LunaAttrLayout *layout,
                        LunaArena *arena, char *record, LunaError *error);

static bool read_string(MlirAttribute value, LunaArena *arena, char *at) {
  if (!mlirAttributeIsAString(value))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(value);
  store_pointer(at, luna_arena_strndup(arena, text.data, text.length));
  return true;
}

static bool read_integer(MlirAttribute value, size_t size, char *at) {
  MlirType type = mlirAttributeGetType(value);
  return mlirAttributeIsAInteger(value) && mlirTypeIsAInteger(type) &&
         mlirIntegerTypeGetWidth(type) == 64 &&
         store_integer(at, size, mlirIntegerAttrGetValueInt(value));
}

static bool read_flag(MlirAttribute value, char *at) {
  if (!mlirAttributeIsABool(value))
    return false;
  *(bool *)at = mlirBoolAttrGetValue(value);
  return true;
}

static bool read_name(MlirAttribute value, const LunaAttrField *field,
                      char *at) {
  if (!mlirAttributeIsAString(value))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(value);
  const char *name;
  for (uint32_t i = 0; (name = field->name_of(i)) != NULL; ++i)
    if (mlirStringRefEqual(text, luna_str(name))) {
      store_u32(at, i);
      return true;
    }
  return false;
}

static bool read_strings(MlirAttribute value, LunaArena *arena,
                         const LunaAttrField *field, char *record) {
  if (!mlirAttributeIsAArray(value))
    return false;
  intptr_t count = mlirArrayAttrGetNumElements(value);
  const char **strings = LUNA_ARENA_ARRAY(arena, const char *, count);
  for (intptr_t i = 0; i < count; ++i)
    if (!read_string(mlirArrayAttrGetElement(value, i), arena,
                     (char *)&strings[i]))
      return false;
  store_pointer(record + field->at, strings);
  store_u32(record + field->count_at, (uint32_t)count);
  return true;
}

static bool read_steps(MlirAttribute value, LunaArena *arena,
                       const LunaAttrField *field, char *record) {
  if (!mlirAttributeIsADenseI64Array(value) ||
      mlirDenseArrayGetNumElements(value) % 2 != 0)
    return false;
  intptr_t count = mlirDenseArrayGetNumElements(value) / 2;
  LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, count);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t first = mlirDenseI64ArrayGetElement(value, 2 * i);
    int64_t end = mlirDenseI64ArrayGetElement(value, 2 * i + 1);
    if (first < 0 || end < first || end > UINT32_MAX)
      return false;
    ranges[i] = (LunaSteps){(uint32_t)first, (uint32_t)end};
  }
  store_pointer(record + field->at, ranges);
  store_u32(record + field->count_at, (uint32_t)count);
  return true;
}

static bool read_records(MlirAttribute value, LunaArena *arena,
                         const LunaAttrField *field, char *record,
                         LunaError *error) {
  if (!mlirAttributeIsAArray(value))
    return false;
  intptr_t count = mlirArrayAttrGetNumElements(value);
  char *records = luna_arena_alloc(arena, (uint64_t)count, field->layout->size);
  for (intptr_t i = 0; i < count; ++i)
    if (!read_record(mlirArrayAttrGetElement(value, i), field->layout, arena,
                     records + (size_t)i * field->layout->size, error))
      return false;
  store_pointer(record + field->at, records);
  store_u32(record + field->count_at, (uint32_t)count);
  return true;
}

static bool read_field(MlirAttribute value, LunaArena *arena,
                       const LunaAttrField *field, char *record,
                       LunaError *error) {
  char *at = record + field->at;
  switch (field->kind) {
  case LUNA_FIELD_STRING:
    return read_string(value, arena, at);
  case LUNA_FIELD_INTEGER:
    return read_integer(value, field->size, at);
  case LUNA_FIELD_FLAG:
    return read_flag(value, at);
  case LUNA_FIELD_NAME:
    return read_name(value, field, at);
  case LUNA_FIELD_STRINGS:
    return read_strings(value, arena, field, record);
  case LUNA_FIELD_STEPS:
    return read_steps(value, arena, field, record);
  case LUNA_FIELD_RECORD:
    return read_record(value, field->layout, arena, at, error);
  case LUNA_FIELD_RECORDS:
    return read_records(value, arena, field, record, error);
  }
  return false;
}

bool luna_attr_record_fail(LunaError *error, const char *key) {
  if (error->code != LUNA_ERROR_NONE)
    return false;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "plan attribute '%s' is missing or malformed", key);
}

static bool read_record(MlirAttribute attribute, const LunaAttrLayout *layout,
                        LunaArena *arena, char *record, LunaError *error) {
  if (!mlirAttributeIsADictionary(attribute))
    return false;
  for (size_t i = 0; i < layout->field_count; ++i) {
    const LunaAttrField *field = &layout->fields[i];
    MlirAttribute value =
        mlirDictionaryAttrGetElementByName(attribute, luna_str(field->key));
    if (mlirAttributeIsNull(value) && field->is_optional)
      continue;
    if (mlirAttributeIsNull(value) ||
        !read_field(value, arena, field, record, error))
      return luna_attr_record_fail(error, field->key);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Whole attributes
//===----------------------------------------------------------------------===//

MlirAttribute luna_attr_of_record(MlirContext context,
                                  const LunaAttrLayout *layout,
                                  const void *record, LunaArena *arena) {
  const Writer writer = {context, arena};
  return write_record(&writer, layout, record);
}

bool luna_attr_to_record(MlirAttribute attribute, const char *key,
                         const LunaAttrLayout *layout, LunaArena *arena,
                         void *record, LunaError *error) {
  *error = (LunaError){0};
  return (!mlirAttributeIsNull(attribute) &&
          read_record(attribute, layout, arena, record, error)) ||
         luna_attr_record_fail(error, key);
}
