#include <string.h>

#include "luna/map.h"
#include "luna/program.h"
#include "luna/vector.h"

// The words, in order:
//   magic, layout, runtime version, word count
//   word index of the strings, their byte count
//   name, machine
//   input_count, output_count, buffer_count, content_count, operator_count,
//   branch_count, loop_count; in layout 2, version_count
//   arena_bytes, weight_bytes, psram_scratch_bytes, state_bytes (two words
//   each, low first)
//   the tables, in the order of the counts, record after record, field after
//   field as in the structs; a branch ends with its cases and, in layout 2, the
//   number of its ways and their names; the ranks and the versions
//   the strings: NUL-terminated, four bytes a word, first byte lowest
// A name is the index of its first byte in the strings; in layout 2, equal
// names are one.

typedef struct Writer {
  LunaArena *arena;
  int32_t layout;
  LUNA_VECTOR(int32_t) words;
  LUNA_VECTOR(uint8_t) strings;
  LunaMap names;
  LUNA_VECTOR(uint32_t) name_starts;
} Writer;

static void put(Writer *writer, int32_t word) {
  *LUNA_VECTOR_ADD(writer->arena, &writer->words) = word;
}

// Two's complement bits; conversion to a signed type may not go through an
// out-of-range cast.
static int32_t word_of_bits(uint32_t bits) {
  int32_t word;
  memcpy(&word, &bits, sizeof word);
  return word;
}

static void put_long(Writer *writer, int64_t value) {
  put(writer, word_of_bits((uint32_t)((uint64_t)value & 0xffffffffu)));
  put(writer, word_of_bits((uint32_t)((uint64_t)value >> 32)));
}

// Returns where a name stands that was put before; the end, noted, for others.
static uint32_t find_name(Writer *writer, const char *name) {
  uint32_t end = (uint32_t)writer->strings.count;
  if (writer->layout == 1)
    return end;
  uint32_t index = luna_map_add(&writer->names, writer->arena,
                                luna_map_text(name ? name : ""));
  if (index == writer->name_starts.count)
    *LUNA_VECTOR_ADD(writer->arena, &writer->name_starts) = end;
  return writer->name_starts.items[index];
}

static void put_name(Writer *writer, const char *name) {
  uint64_t length = name ? strlen(name) : 0;
  uint32_t start = find_name(writer, name);
  put(writer, word_of_bits(start));
  if (start < writer->strings.count)
    return;
  for (uint64_t i = 0; i <= length; ++i)
    *LUNA_VECTOR_ADD(writer->arena, &writer->strings) =
        i < length ? (uint8_t)name[i] : 0;
}

static void put_tensor(Writer *writer, const LunaProgramTensor *tensor) {
  put_name(writer, tensor->name);
  put(writer,
      tensor->type | (tensor->is_unsigned ? LUNA_PROGRAM_TYPE_UNSIGNED : 0));
  put(writer, tensor->rank);
  for (int i = 0; i < LUNA_PROGRAM_RANK_MAX; ++i)
    put_long(writer, i < tensor->rank ? tensor->dims[i] : 0);
  put_long(writer, tensor->bytes);
  uint32_t scale_bits;
  memcpy(&scale_bits, &tensor->scale, sizeof scale_bits);
  put(writer, word_of_bits(scale_bits));
  put(writer, tensor->zero_point);
  put(writer, tensor->buffer);
}

static void put_buffer(Writer *writer, const LunaProgramBuffer *buffer) {
  put(writer, buffer->id);
  put(writer, buffer->memory);
  put(writer, buffer->argument);
  put(writer, buffer->kind);
  put_long(writer, buffer->offset_bytes);
  put_long(writer, buffer->bytes);
  put_name(writer, buffer->name);
}

static void put_content(Writer *writer, const LunaProgramContent *content) {
  put(writer, content->id);
  put_long(writer, content->offset_bytes);
  put_long(writer, content->bytes);
  put_name(writer, content->name);
}

static int32_t layout_of(const LunaProgramInfo *info) {
  if (info->version_count > 0)
    return LUNA_PROGRAM_LAYOUT;
  for (uint32_t i = 0; i < info->branch_count; ++i)
    if (info->branches[i].ways)
      return LUNA_PROGRAM_LAYOUT;
  return 1;
}

static void put_ways(Writer *writer, const LunaProgramBranch *branch) {
  uint32_t count = branch->ways ? branch->case_count + 1 : 0;
  put(writer, word_of_bits(count));
  for (uint32_t i = 0; i < count; ++i)
    put_name(writer, branch->ways[i]);
}

static void put_branch(Writer *writer, const LunaProgramBranch *branch) {
  put_name(writer, branch->name);
  put(writer, branch->kind);
  put(writer, word_of_bits(branch->case_count));
  for (uint32_t i = 0; i < branch->case_count; ++i)
    put(writer, branch->cases[i]);
}

// The ranks come first, so that the versions end the tables.
static void put_versions(Writer *writer, const LunaProgramInfo *info) {
  uint32_t dims = luna_program_version_dims(info);
  for (uint32_t i = 0; i + 1 < info->input_count + info->output_count; ++i)
    put(writer, info->version_ranks[i]);
  for (uint32_t v = 0; v < info->version_count; ++v) {
    put(writer, info->versions[v].case_index);
    put_long(writer, info->versions[v].arena_bytes);
    for (uint32_t i = 0; i < dims; ++i)
      put(writer, info->versions[v].dims[i]);
  }
}

static void put_tables(Writer *writer, const LunaProgramInfo *info) {
  for (uint32_t i = 0; i < info->input_count; ++i)
    put_tensor(writer, &info->inputs[i]);
  for (uint32_t i = 0; i < info->output_count; ++i)
    put_tensor(writer, &info->outputs[i]);
  for (uint32_t i = 0; i < info->buffer_count; ++i)
    put_buffer(writer, &info->buffers[i]);
  for (uint32_t i = 0; i < info->content_count; ++i)
    put_content(writer, &info->contents[i]);
  for (uint32_t i = 0; i < info->operator_count; ++i)
    put_name(writer, info->operators[i]);
  for (uint32_t i = 0; i < info->branch_count; ++i) {
    put_branch(writer, &info->branches[i]);
    if (writer->layout > 1)
      put_ways(writer, &info->branches[i]);
  }
  for (uint32_t i = 0; i < info->loop_count; ++i)
    put_name(writer, info->loops[i]);
  if (info->version_count > 0)
    put_versions(writer, info);
}

static void put_head(Writer *writer, const LunaProgramInfo *info) {
  put(writer, LUNA_PROGRAM_MAGIC);
  put(writer, writer->layout);
  put(writer, info->runtime_version);
  put(writer, 0); // Word count, string index and length: set at the end.
  put(writer, 0);
  put(writer, 0);
  put_name(writer, info->name);
  put_name(writer, info->machine);
  const uint32_t counts[] = {info->input_count,    info->output_count,
                             info->buffer_count,   info->content_count,
                             info->operator_count, info->branch_count,
                             info->loop_count};
  for (int i = 0; i < 7; ++i)
    put(writer, word_of_bits(counts[i]));
  if (writer->layout > 1)
    put(writer, word_of_bits(info->version_count));
  put_long(writer, info->arena_bytes);
  put_long(writer, info->weight_bytes);
  put_long(writer, info->psram_scratch_bytes);
  put_long(writer, info->state_bytes);
}

static void put_strings(Writer *writer) {
  writer->words.items[4] = word_of_bits((uint32_t)writer->words.count);
  writer->words.items[5] = word_of_bits((uint32_t)writer->strings.count);
  for (uint64_t i = 0; i < writer->strings.count; i += 4) {
    uint32_t bits = 0;
    for (uint64_t k = 0; k < 4 && i + k < writer->strings.count; ++k)
      bits |= (uint32_t)writer->strings.items[i + k] << (8 * k);
    put(writer, word_of_bits(bits));
  }
  writer->words.items[3] = word_of_bits((uint32_t)writer->words.count);
}

bool luna_program_write(const LunaProgramInfo *info, LunaArena *arena,
                        int32_t **words, uint64_t *word_count,
                        LunaError *error) {
  if (!luna_program_check(info, error))
    return false;
  Writer writer = {.arena = arena, .layout = layout_of(info)};
  put_head(&writer, info);
  put_tables(&writer, info);
  if (writer.words.count + writer.strings.count > INT32_MAX)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "program descriptor is longer than 2^31 words");
  put_strings(&writer);
  *words = writer.words.items;
  *word_count = writer.words.count;
  return true;
}

uint64_t luna_program_versions_at(const LunaProgramInfo *info,
                                  const int32_t *words) {
  uint64_t row = LUNA_PROGRAM_VERSION_WORDS + luna_program_version_dims(info);
  return (uint64_t)words[4] - info->version_count * row;
}
