// A table describes each record in an attribute: a record is a dictionary, a
// list of records an array. One function writes by the tables, one reads.

#include "luna-c/plan_attr.h"

#include <stddef.h>
#include <string.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

typedef enum FieldKind {
  FIELD_STRING,
  FIELD_INTEGER, // of 4 or 8 bytes, not negative
  FIELD_FLAG,
  FIELD_NAME,    // an enumerator, as its name
  FIELD_STRINGS, // an array, and its count elsewhere
  FIELD_STEPS,   // LunaSteps, as first, end, first, end, …, and their count
  FIELD_RECORD,
  FIELD_RECORDS, // an array, and its count elsewhere
} FieldKind;

typedef struct Layout Layout;

typedef struct Field {
  FieldKind kind;
  const char *key;
  size_t at, size; // of the value, or of the pointer to an array
  size_t count_at;
  const Layout *layout;                    // of a record
  const char *(*name_of)(uint32_t number); // NULL behind the last enumerator
  bool is_optional;                        // left out where there are none
} Field;

// A record of `size` bytes.
struct Layout {
  const Field *fields;
  size_t field_count, size;
};

#define FIELD(kind_, key_, type, member)                                       \
  {                                                                            \
      .kind = FIELD_##kind_,                                                   \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .size = sizeof(((type *)NULL)->member),                                  \
  }
#define NAME(key_, type, member, function)                                     \
  {                                                                            \
      .kind = FIELD_NAME,                                                      \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .name_of = function,                                                     \
  }
#define ARRAY(kind_, key_, type, member, count, layout_)                       \
  {                                                                            \
      .kind = FIELD_##kind_,                                                   \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .count_at = offsetof(type, count),                                       \
      .layout = layout_,                                                       \
  }
#define LAYOUT(type, table)                                                    \
  {table, sizeof(table) / sizeof(table)[0], sizeof(type)}

static const char *merge_name(uint32_t merge) {
  return merge < LUNA_MERGE_COUNT ? luna_merge_name((LunaMerge)merge) : NULL;
}

static const char *proof_name(uint32_t proof) {
  return proof < LUNA_PROOF_COUNT ? luna_proof_name((LunaProof)proof) : NULL;
}

static const char *kind_name(uint32_t kind) {
  static const char *const names[] = {
      [LUNA_BUFFER_TENSOR] = "tensor",
      [LUNA_BUFFER_STAGING] = "staging",
      [LUNA_BUFFER_SCRATCH] = "scratch",
  };
  return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

static const Field row_fields[] = {
    FIELD(STRING, "strategy", LunaPlanRow, strategy),
    NAME("merge", LunaPlanRow, merge, merge_name),
    FIELD(INTEGER, "tensor_bytes", LunaPlanRow, tensor_bytes),
    FIELD(INTEGER, "total_bytes", LunaPlanRow, total_bytes),
};
static const Layout row_layout = LAYOUT(LunaPlanRow, row_fields);

static const Field path_fields[] = {
    FIELD(STRING, "path", LunaPathPeak, path),
    FIELD(INTEGER, "peak_bytes", LunaPathPeak, peak_bytes),
    FIELD(INTEGER, "live_bytes", LunaPathPeak, live_bytes),
    FIELD(INTEGER, "heaviest_step", LunaPathPeak, heaviest_step),
    ARRAY(STEPS, "steps", LunaPathPeak, ranges, range_count, NULL),
};
static const Layout path_layout = LAYOUT(LunaPathPeak, path_fields);

static const Field buffer_fields[] = {
    FIELD(INTEGER, "id", LunaRecordBuffer, id),
    FIELD(STRING, "name", LunaRecordBuffer, name),
    NAME("kind", LunaRecordBuffer, kind, kind_name),
    FIELD(INTEGER, "bytes", LunaRecordBuffer, size_bytes),
    FIELD(INTEGER, "offset", LunaRecordBuffer, offset_bytes),
    ARRAY(STEPS, "live", LunaRecordBuffer, live.ranges, live.range_count, NULL),
};
static const Layout buffer_layout = LAYOUT(LunaRecordBuffer, buffer_fields);

static const char *choice_name(uint32_t choice) {
  return choice < LUNA_JOIN_CHOICE_COUNT
             ? luna_join_choice_name((LunaJoinChoice)choice)
             : NULL;
}

static const Field join_fields[] = {
    FIELD(STRING, "name", LunaRecordJoin, name),
    NAME("choice", LunaRecordJoin, choice, choice_name),
    FIELD(INTEGER, "cycles", LunaRecordJoin, cycles),
    FIELD(INTEGER, "bytes", LunaRecordJoin, bytes),
};
static const Layout join_layout = LAYOUT(LunaRecordJoin, join_fields);

static const Field case_fields[] = {
    FIELD(STRING, "name", LunaRecordCase, name),
    FIELD(INTEGER, "total_bytes", LunaRecordCase, total_bytes),
    FIELD(INTEGER, "tensor_bytes", LunaRecordCase, tensor_bytes),
};
static const Layout case_layout = LAYOUT(LunaRecordCase, case_fields);

static const Field witness_fields[] = {
    FIELD(INTEGER, "bytes", LunaRecordWitness, bytes),
    FIELD(STRING, "path", LunaRecordWitness, path),
    FIELD(INTEGER, "step", LunaRecordWitness, step),
    ARRAY(STRINGS, "live", LunaRecordWitness, live, live_count, NULL),
};
static const Layout witness_layout = LAYOUT(LunaRecordWitness, witness_fields);

static const Field bound_fields[] = {
    FIELD(INTEGER, "total_bytes", LunaBoundRecord, total_bytes),
    FIELD(INTEGER, "tensor_bytes", LunaBoundRecord, tensor_bytes),
    FIELD(INTEGER, "activation_bytes", LunaBoundRecord, activation_bytes),
    FIELD(STRING, "path", LunaBoundRecord, path),
    FIELD(STRING, "step", LunaBoundRecord, step),
};
static const Layout bound_layout = LAYOUT(LunaBoundRecord, bound_fields);

static const Field code_fields[] = {
    FIELD(INTEGER, "kernels", LunaCodeRecord, kernels),
    FIELD(INTEGER, "unique_kernels", LunaCodeRecord, unique_kernels),
    FIELD(INTEGER, "kernel_collisions", LunaCodeRecord, kernel_collisions),
    FIELD(INTEGER, "descriptors", LunaCodeRecord, descriptors),
    FIELD(INTEGER, "unique_descriptors", LunaCodeRecord, unique_descriptors),
    FIELD(INTEGER, "descriptor_collisions", LunaCodeRecord,
          descriptor_collisions),
    FIELD(INTEGER, "descriptor_bytes", LunaCodeRecord, descriptor_bytes),
    FIELD(INTEGER, "id_bytes", LunaCodeRecord, id_bytes),
};
static const Layout code_layout = LAYOUT(LunaCodeRecord, code_fields);

// The contents of the attribute: two arrays of as many strings as there are
// steps.
typedef struct StoredPlan {
  LunaPlanRecord plan;
  uint32_t step_path_count;
} StoredPlan;

static const Field plan_fields[] = {
    FIELD(STRING, "machine", StoredPlan, plan.machine),
    FIELD(INTEGER, "capacity_bytes", StoredPlan, plan.capacity_bytes),
    FIELD(STRING, "strategy", StoredPlan, plan.strategy),
    NAME("merge", StoredPlan, plan.merge, merge_name),
    FIELD(INTEGER, "total_bytes", StoredPlan, plan.total.bytes),
    FIELD(INTEGER, "lower_bound_bytes", StoredPlan,
          plan.total.lower_bound_bytes),
    FIELD(INTEGER, "placement_bound_bytes", StoredPlan,
          plan.total.placement_bound_bytes),
    FIELD(INTEGER, "tensor_bytes", StoredPlan, plan.tensor.bytes),
    FIELD(INTEGER, "tensor_lower_bound_bytes", StoredPlan,
          plan.tensor.lower_bound_bytes),
    FIELD(INTEGER, "tensor_placement_bound_bytes", StoredPlan,
          plan.tensor.placement_bound_bytes),
    FIELD(INTEGER, "activation_bytes", StoredPlan, plan.activation.bytes),
    FIELD(INTEGER, "activation_lower_bound_bytes", StoredPlan,
          plan.activation.lower_bound_bytes),
    FIELD(INTEGER, "activation_placement_bound_bytes", StoredPlan,
          plan.activation.placement_bound_bytes),
    FIELD(INTEGER, "scratch_bytes", StoredPlan, plan.scratch_bytes),
    FIELD(INTEGER, "staging_bytes", StoredPlan, plan.staging_bytes),
    FIELD(INTEGER, "state_bytes", StoredPlan, plan.state_bytes),
    FIELD(FLAG, "optimal", StoredPlan, plan.is_optimal),
    NAME("proof", StoredPlan, plan.proof, proof_name),
    FIELD(INTEGER, "search_steps", StoredPlan, plan.search_steps),
    {
        .kind = FIELD_RECORD,
        .key = "witness",
        .at = offsetof(StoredPlan, plan.witness),
        .layout = &witness_layout,
    },
    ARRAY(RECORDS, "per_strategy", StoredPlan, plan.rows, plan.row_count,
          &row_layout),
    ARRAY(RECORDS, "paths", StoredPlan, plan.paths, plan.path_count,
          &path_layout),
    FIELD(INTEGER, "path_count", StoredPlan, plan.possible_path_count),
    FIELD(FLAG, "path_count_is_bound", StoredPlan, plan.is_possible_bound),
    FIELD(INTEGER, "impossible_paths", StoredPlan, plan.impossible_path_count),
    ARRAY(RECORDS, "buffers", StoredPlan, plan.buffers, plan.buffer_count,
          &buffer_layout),
    ARRAY(RECORDS, "joins", StoredPlan, plan.joins, plan.join_count,
          &join_layout),
    {
        .kind = FIELD_RECORDS,
        .key = "cases",
        .at = offsetof(StoredPlan, plan.cases),
        .count_at = offsetof(StoredPlan, plan.case_count),
        .layout = &case_layout,
        .is_optional = true,
    },
    ARRAY(STRINGS, "steps", StoredPlan, plan.step_names, plan.step_count, NULL),
    ARRAY(STRINGS, "step_paths", StoredPlan, plan.step_paths, step_path_count,
          NULL),
};
static const Layout plan_layout = LAYOUT(StoredPlan, plan_fields);

static const Field loop_fields[] = {
    FIELD(STRING, "loop", LunaLoopCost, loop),
    FIELD(INTEGER, "cycles", LunaLoopCost, cycles),
};
static const Layout loop_layout = LAYOUT(LunaLoopCost, loop_fields);

static const Field path_cost_fields[] = {
    FIELD(STRING, "path", LunaPathCost, path),
    FIELD(INTEGER, "cycles", LunaPathCost, cycles),
    FIELD(INTEGER, "compute", LunaPathCost, compute),
    FIELD(INTEGER, "host", LunaPathCost, host),
    FIELD(INTEGER, "stall", LunaPathCost, stall),
    FIELD(INTEGER, "dma", LunaPathCost, dma),
    FIELD(INTEGER, "bound", LunaPathCost, bound),
    FIELD(INTEGER, "transfers", LunaPathCost, transfers),
    FIELD(INTEGER, "dma_bytes", LunaPathCost, dma_bytes),
    ARRAY(RECORDS, "loops", LunaPathCost, loops, loop_count, &loop_layout),
};
static const Layout path_cost_layout = LAYOUT(LunaPathCost, path_cost_fields);

static const Field cost_fields[] = {
    FIELD(INTEGER, "at_most", LunaCostRecord, at_most_cycles),
    ARRAY(RECORDS, "paths", LunaCostRecord, paths, path_count,
          &path_cost_layout),
};
static const Layout cost_layout = LAYOUT(LunaCostRecord, cost_fields);

enum { FIELD_COUNT_MAX = sizeof plan_fields / sizeof plan_fields[0] };

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

static MlirAttribute write_record(const Writer *writer, const Layout *layout,
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

static MlirAttribute write_records(const Writer *writer, const Field *field,
                                   const char *record) {
  uint32_t count = load_u32(record + field->count_at);
  const char *records = load_pointer(record + field->at);
  MlirAttribute *list = LUNA_ARENA_ARRAY(writer->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] =
        write_record(writer, field->layout, records + i * field->layout->size);
  return mlirArrayAttrGet(writer->context, count, list);
}

static MlirAttribute write_field(const Writer *writer, const Field *field,
                                 const char *record) {
  MlirContext context = writer->context;
  const char *at = record + field->at;
  switch (field->kind) {
  case FIELD_STRING:
    return luna_string_attr(context, load_pointer(at));
  case FIELD_INTEGER:
    return luna_i64_attr(context, load_integer(at, field->size));
  case FIELD_FLAG:
    return mlirBoolAttrGet(context, *(const bool *)at);
  case FIELD_NAME:
    return luna_string_attr(context, field->name_of(load_u32(at)));
  case FIELD_STRINGS:
    return write_strings(writer, load_pointer(at),
                         load_u32(record + field->count_at));
  case FIELD_STEPS:
    return write_steps(writer, load_pointer(at),
                       load_u32(record + field->count_at));
  case FIELD_RECORD:
    return write_record(writer, field->layout, at);
  case FIELD_RECORDS:
    return write_records(writer, field, record);
  }
  return mlirAttributeGetNull();
}

static MlirAttribute write_record(const Writer *writer, const Layout *layout,
                                  const char *record) {
  MlirNamedAttribute entries[FIELD_COUNT_MAX];
  intptr_t count = 0;
  for (size_t i = 0; i < layout->field_count; ++i) {
    const Field *field = &layout->fields[i];
    if (!field->is_optional || load_u32(record + field->count_at) > 0)
      entries[count++] = luna_named(writer->context, field->key,
                                    write_field(writer, field, record));
  }
  return mlirDictionaryAttrGet(writer->context, count, entries);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool read_record(MlirAttribute attribute, const Layout *layout,
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

static bool read_name(MlirAttribute value, const Field *field, char *at) {
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
                         const Field *field, char *record) {
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
                       const Field *field, char *record) {
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
                         const Field *field, char *record, LunaError *error) {
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
                       const Field *field, char *record, LunaError *error) {
  char *at = record + field->at;
  switch (field->kind) {
  case FIELD_STRING:
    return read_string(value, arena, at);
  case FIELD_INTEGER:
    return read_integer(value, field->size, at);
  case FIELD_FLAG:
    return read_flag(value, at);
  case FIELD_NAME:
    return read_name(value, field, at);
  case FIELD_STRINGS:
    return read_strings(value, arena, field, record);
  case FIELD_STEPS:
    return read_steps(value, arena, field, record);
  case FIELD_RECORD:
    return read_record(value, field->layout, arena, at, error);
  case FIELD_RECORDS:
    return read_records(value, arena, field, record, error);
  }
  return false;
}

// The error names the innermost key at fault.
static bool fail(LunaError *error, const char *key) {
  if (error->code != LUNA_ERROR_NONE)
    return false;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "plan attribute '%s' is missing or malformed", key);
}

static bool read_record(MlirAttribute attribute, const Layout *layout,
                        LunaArena *arena, char *record, LunaError *error) {
  if (!mlirAttributeIsADictionary(attribute))
    return false;
  for (size_t i = 0; i < layout->field_count; ++i) {
    const Field *field = &layout->fields[i];
    MlirAttribute value =
        mlirDictionaryAttrGetElementByName(attribute, luna_str(field->key));
    if (mlirAttributeIsNull(value) && field->is_optional)
      continue;
    if (mlirAttributeIsNull(value) ||
        !read_field(value, arena, field, record, error))
      return fail(error, field->key);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool luna_has_plan(MlirOperation func) {
  return !mlirAttributeIsNull(luna_attr(func, "luna.plan"));
}

void luna_plan_write(MlirOperation func, const LunaPlanRecord *plan,
                     LunaArena *arena) {
  Writer writer = {mlirOperationGetContext(func), arena};
  StoredPlan stored = {*plan, plan->step_count};
  luna_set_attr(func, "luna.plan",
                write_record(&writer, &plan_layout, (const char *)&stored));
}

bool luna_plan_read(MlirOperation func, LunaArena *arena, LunaPlanRecord *plan,
                    LunaError *error) {
  MlirAttribute attribute = luna_attr(func, "luna.plan");
  StoredPlan stored = {0};
  *error = (LunaError){0};
  if (mlirAttributeIsNull(attribute) ||
      !read_record(attribute, &plan_layout, arena, (char *)&stored, error))
    return fail(error, "luna.plan");
  if (stored.step_path_count != stored.plan.step_count)
    return fail(error, "step_paths");
  *plan = stored.plan;
  return true;
}

void luna_bound_write(MlirOperation func, const LunaBoundRecord *bound,
                      LunaArena *arena) {
  Writer writer = {mlirOperationGetContext(func), arena};
  luna_set_attr(func, "luna.bound",
                write_record(&writer, &bound_layout, (const char *)bound));
}

bool luna_bound_read(MlirOperation func, LunaArena *arena,
                     LunaBoundRecord *bound, LunaError *error) {
  MlirAttribute attribute = luna_attr(func, "luna.bound");
  *error = (LunaError){0};
  return (!mlirAttributeIsNull(attribute) &&
          read_record(attribute, &bound_layout, arena, (char *)bound, error)) ||
         fail(error, "luna.bound");
}

void luna_code_write(MlirOperation module, const LunaCodeRecord *code,
                     LunaArena *arena) {
  Writer writer = {mlirOperationGetContext(module), arena};
  luna_set_attr(module, "luna.code",
                write_record(&writer, &code_layout, (const char *)code));
}

bool luna_code_read(MlirOperation module, LunaArena *arena,
                    LunaCodeRecord *code, LunaError *error) {
  MlirAttribute attribute = luna_attr(module, "luna.code");
  *error = (LunaError){0};
  return (!mlirAttributeIsNull(attribute) &&
          read_record(attribute, &code_layout, arena, (char *)code, error)) ||
         fail(error, "luna.code");
}

void luna_cost_write(MlirOperation func, const LunaCostRecord *cost,
                     LunaArena *arena) {
  Writer writer = {mlirOperationGetContext(func), arena};
  luna_set_attr(func, "luna.cost",
                write_record(&writer, &cost_layout, (const char *)cost));
}

bool luna_cost_read(MlirOperation func, LunaArena *arena, LunaCostRecord *cost,
                    LunaError *error) {
  MlirAttribute attribute = luna_attr(func, "luna.cost");
  *cost = (LunaCostRecord){0};
  *error = (LunaError){0};
  return mlirAttributeIsNull(attribute) ||
         read_record(attribute, &cost_layout, arena, (char *)cost, error) ||
         fail(error, "luna.cost");
}
