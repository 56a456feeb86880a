// A reference as a record: its values without their contents, its branches, its
// code, and the literal one that it may have.

#include <string.h>

#include "luna/literal.h"
#include "luna/record.h"
#include "luna/record_reader.h"
#include "reference_load.h"
#include "reference_values.h"

static void save_value(const LunaReferenceValue *value, LunaText *record) {
  luna_record_number(record, value->role);
  luna_record_number(record, value->bytes);
  luna_record_number(record, value->element_bytes);
  luna_record_number(record, value->is_float);
  luna_record_number(record, value->is_double);
  luna_record_string(record, value->state);
  luna_record_bytes(record, value->initial, value->initial ? value->bytes : 0);
  luna_record_bytes(record, value->descriptor, value->descriptor_bytes);
}

static void save_function(const LunaReference *reference, LunaText *record) {
  luna_record_string(record, reference->entry);
  luna_record_number(record, reference->branches.count);
  for (uint64_t i = 0; i < reference->branches.count; ++i)
    luna_record_number(record, reference->branches.items[i]);
  luna_record_number(record, reference->argument_count);
  luna_record_number(record, reference->result_count);
  for (uint32_t i = 0; i < reference->argument_count + reference->result_count;
       ++i)
    save_value(&reference->values[i], record);
  luna_record_bytes(record, reference->code.object,
                    reference->code.object_bytes);
}

static void save_literal(const LunaLiteral *literal, LunaText *record) {
  luna_record_number(record, literal != NULL);
  if (!literal)
    return;
  luna_record_number(record, literal->count);
  for (uint32_t i = 0; i < literal->count; ++i)
    luna_quantizer_save(&literal->quantizers[i], record);
  luna_record_number(record, literal->dequantizer_count);
  for (uint32_t i = 0; i < literal->dequantizer_count; ++i)
    luna_quantizer_save(&literal->dequantizers[i], record);
  luna_record_bytes(record, literal->outputs,
                    literal->exact.result_count * sizeof *literal->outputs);
  save_function(&literal->exact, record);
  save_function(&literal->single, record);
}

void luna_reference_save(const LunaReference *reference, LunaText *record) {
  luna_record_number(record, reference->is_plan);
  luna_record_number(record, reference->quantizer_count);
  save_function(reference, record);
  save_literal(reference->literal, record);
}

// Returns a copy, or NULL for none.
static void *read_copy(LunaRecordReader *reader, LunaArena *arena,
                       size_t *length) {
  const void *bytes = luna_record_read_bytes(reader, length);
  if (*length == 0)
    return NULL;
  void *copy = luna_arena_alloc(arena, *length, 1);
  memcpy(copy, bytes, *length);
  return copy;
}

static bool restore_value(LunaRecordReader *reader, LunaArena *arena,
                          LunaReferenceValue *value) {
  size_t initial_bytes = 0;
  value->role = (LunaReferenceRole)luna_record_read_number(reader);
  value->bytes = (size_t)luna_record_read_number(reader);
  value->element_bytes = (size_t)luna_record_read_number(reader);
  value->is_float = luna_record_read_number(reader) != 0;
  value->is_double = luna_record_read_number(reader) != 0;
  value->state = luna_record_read_string(reader, arena);
  value->initial = read_copy(reader, arena, &initial_bytes);
  value->descriptor = read_copy(reader, arena, &value->descriptor_bytes);
  if (reader->is_damaged || (value->initial && initial_bytes != value->bytes))
    return false;
  value->data = luna_arena_alloc(arena, value->bytes, 1);
  return luna_reference_point_to_data(value);
}

static bool restore_values(LunaRecordReader *reader, LunaReference *reference) {
  LunaArena *arena = &reference->arena;
  uint64_t arguments = luna_record_read_number(reader);
  uint64_t results = luna_record_read_number(reader);
  // Each takes more than a byte of the record.
  if (arguments > reader->length || results > reader->length)
    return false;
  reference->argument_count = (uint32_t)arguments;
  reference->result_count = (uint32_t)results;
  reference->values =
      LUNA_ARENA_ARRAY(arena, LunaReferenceValue, arguments + results);
  for (uint64_t i = 0; i < arguments + results; ++i)
    if (!restore_value(reader, arena, &reference->values[i]))
      return false;
  return true;
}

static bool restore_function(LunaRecordReader *reader,
                             LunaReference *reference) {
  reference->entry = luna_record_read_string(reader, &reference->arena);
  uint64_t branches = luna_record_read_number(reader);
  for (uint64_t i = 0; !reader->is_damaged && i < branches; ++i)
    *LUNA_VECTOR_ADD(&reference->arena, &reference->branches) =
        (LunaBranchKind)luna_record_read_number(reader);
  if (!reference->entry || !restore_values(reader, reference))
    return false;
  reference->code.object =
      read_copy(reader, &reference->arena, &reference->code.object_bytes);
  return reference->code.object && !reader->is_damaged;
}

static LunaQuantizer *restore_quantizers(LunaRecordReader *reader,
                                         LunaArena *arena, uint32_t *count) {
  uint64_t number = luna_record_read_number(reader);
  reader->is_damaged |= number > reader->length;
  *count = reader->is_damaged ? 0 : (uint32_t)number;
  LunaQuantizer *list = LUNA_ARENA_ARRAY(arena, LunaQuantizer, *count);
  for (uint32_t i = 0; i < *count; ++i)
    reader->is_damaged |= !luna_quantizer_restore(reader, arena, &list[i]);
  return list;
}

static bool restore_literal(LunaRecordReader *reader,
                            LunaReference *reference) {
  LunaArena *arena = &reference->arena;
  if (luna_record_read_number(reader) == 0)
    return true;
  LunaLiteral *literal = LUNA_ARENA_ARRAY(arena, LunaLiteral, 1);
  reference->literal = literal;
  literal->quantizers = restore_quantizers(reader, arena, &literal->count);
  literal->dequantizers =
      restore_quantizers(reader, arena, &literal->dequantizer_count);
  literal->tallies =
      LUNA_ARENA_ARRAY(arena, LunaQuantizerTally, literal->count);
  size_t bytes = 0;
  literal->outputs = read_copy(reader, arena, &bytes);
  return restore_function(reader, &literal->exact) &&
         restore_function(reader, &literal->single) &&
         literal->exact.result_count == reference->result_count &&
         bytes == reference->result_count * sizeof *literal->outputs;
}

static bool restore(LunaRecordReader *reader, LunaReference *reference) {
  reference->is_plan = luna_record_read_number(reader) != 0;
  reference->quantizer_count = (uint32_t)luna_record_read_number(reader);
  return restore_function(reader, reference) &&
         restore_literal(reader, reference) && !reader->is_damaged &&
         reader->length == 0;
}

bool luna_reference_restore(const void *record, size_t length,
                            LunaReference *reference, LunaError *error) {
  LunaRecordReader reader = {.bytes = record, .length = length};
  *reference = (LunaReference){0};
  if (!restore(&reader, reference))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "the record is none of a reference");
  return luna_reference_load(reference, error) &&
         (!reference->literal ||
          (luna_reference_load(&reference->literal->exact, error) &&
           luna_reference_load(&reference->literal->single, error)));
}
