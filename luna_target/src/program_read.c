#include <string.h>

#include "luna/program.h"

// The words are described in program_write.c.

static uint32_t bits_of_word(int32_t word) { return (uint32_t)word; }

typedef struct Reader {
  LunaArena *arena;
  int32_t layout;
  const int32_t *words;
  uint64_t next, end; // words not yet read
  const char *strings;
  uint32_t string_bytes;
  bool failed;
} Reader;

static int32_t take(Reader *reader) {
  if (reader->next >= reader->end) {
    reader->failed = true;
    return 0;
  }
  return reader->words[reader->next++];
}

static int64_t take_long(Reader *reader) {
  uint64_t low = bits_of_word(take(reader));
  uint64_t bits = low | (uint64_t)bits_of_word(take(reader)) << 32;
  int64_t value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Reads a count of records of at least `record_words` each. A count above what
// the remaining words can hold is malformed and must not be allocated.
static uint32_t take_count(Reader *reader, uint64_t record_words) {
  uint32_t count = bits_of_word(take(reader));
  if (count > (reader->end - reader->next) / record_words)
    reader->failed = true;
  return reader->failed ? 0 : count;
}

// The last byte of the strings is NUL (see read_strings), so that every index
// below their length is the start of a terminated string.
static const char *take_name(Reader *reader) {
  uint32_t index = bits_of_word(take(reader));
  if (index >= reader->string_bytes) {
    reader->failed = true;
    return "";
  }
  return reader->strings + index;
}

static void take_tensor(Reader *reader, LunaProgramTensor *tensor) {
  tensor->name = take_name(reader);
  tensor->type = take(reader);
  tensor->is_unsigned = (tensor->type & LUNA_PROGRAM_TYPE_UNSIGNED) != 0;
  tensor->type &= ~LUNA_PROGRAM_TYPE_UNSIGNED;
  tensor->rank = take(reader);
  for (int i = 0; i < LUNA_PROGRAM_RANK_MAX; ++i)
    tensor->dims[i] = take_long(reader);
  tensor->bytes = take_long(reader);
  int32_t scale_bits = take(reader);
  memcpy(&tensor->scale, &scale_bits, sizeof scale_bits);
  tensor->zero_point = take(reader);
  tensor->buffer = take(reader);
}

static void take_buffer(Reader *reader, LunaProgramBuffer *buffer) {
  buffer->id = take(reader);
  buffer->memory = take(reader);
  buffer->argument = take(reader);
  buffer->kind = take(reader);
  buffer->offset_bytes = take_long(reader);
  buffer->bytes = take_long(reader);
  buffer->name = take_name(reader);
}

static void take_content(Reader *reader, LunaProgramContent *content) {
  content->id = take(reader);
  content->offset_bytes = take_long(reader);
  content->bytes = take_long(reader);
  content->name = take_name(reader);
}

static const char *const *take_names(Reader *reader, uint32_t count) {
  const char **names = LUNA_ARENA_ARRAY(reader->arena, const char *, count);
  for (uint32_t i = 0; i < count; ++i)
    names[i] = take_name(reader);
  return names;
}

static void take_branch(Reader *reader, LunaProgramBranch *branch) {
  branch->name = take_name(reader);
  branch->kind = take(reader);
  branch->case_count = take_count(reader, 1);
  int32_t *cases = LUNA_ARENA_ARRAY(reader->arena, int32_t, branch->case_count);
  for (uint32_t i = 0; i < branch->case_count; ++i)
    cases[i] = take(reader);
  branch->cases = cases;
  uint32_t way_count = reader->layout > 1 ? take_count(reader, 1) : 0;
  reader->failed |= way_count != 0 && way_count != branch->case_count + 1;
  if (way_count > 0 && !reader->failed)
    branch->ways = take_names(reader, way_count);
}

static const int32_t *take_words(Reader *reader, uint64_t count) {
  int32_t *words = LUNA_ARENA_ARRAY(reader->arena, int32_t, count);
  for (uint64_t i = 0; i < count; ++i)
    words[i] = take(reader);
  return words;
}

static bool take_ranks(Reader *reader, LunaProgramInfo *info) {
  uint32_t count = info->input_count + info->output_count;
  if (info->input_count == 0)
    return false;
  info->version_ranks = take_words(reader, count - 1);
  for (uint32_t i = 0; i + 1 < count; ++i)
    if (info->version_ranks[i] < 0 ||
        info->version_ranks[i] > LUNA_PROGRAM_RANK_MAX)
      return false;
  return true;
}

static void take_versions(Reader *reader, LunaProgramInfo *info) {
  uint32_t count = info->version_count;
  if (!take_ranks(reader, info)) {
    reader->failed = true;
    return;
  }
  uint32_t dims = luna_program_version_dims(info);
  LunaProgramVersion *versions =
      LUNA_ARENA_ARRAY(reader->arena, LunaProgramVersion, count);
  for (uint32_t v = 0; v < count && !reader->failed; ++v) {
    versions[v].case_index = take(reader);
    versions[v].arena_bytes = take_long(reader);
    versions[v].dims = take_words(reader, dims);
  }
  info->versions = versions;
}

static LunaProgramTensor *take_tensors(Reader *reader, uint32_t count) {
  LunaProgramTensor *tensors =
      LUNA_ARENA_ARRAY(reader->arena, LunaProgramTensor, count);
  for (uint32_t i = 0; i < count; ++i)
    take_tensor(reader, &tensors[i]);
  return tensors;
}

static void take_tables(Reader *reader, LunaProgramInfo *info) {
  info->inputs = take_tensors(reader, info->input_count);
  info->outputs = take_tensors(reader, info->output_count);
  LunaProgramBuffer *buffers =
      LUNA_ARENA_ARRAY(reader->arena, LunaProgramBuffer, info->buffer_count);
  for (uint32_t i = 0; i < info->buffer_count; ++i)
    take_buffer(reader, &buffers[i]);
  info->buffers = buffers;
  LunaProgramContent *contents =
      LUNA_ARENA_ARRAY(reader->arena, LunaProgramContent, info->content_count);
  for (uint32_t i = 0; i < info->content_count; ++i)
    take_content(reader, &contents[i]);
  info->contents = contents;
  info->operators = take_names(reader, info->operator_count);
  LunaProgramBranch *branches =
      LUNA_ARENA_ARRAY(reader->arena, LunaProgramBranch, info->branch_count);
  for (uint32_t i = 0; i < info->branch_count; ++i)
    take_branch(reader, &branches[i]);
  info->branches = branches;
  info->loops = take_names(reader, info->loop_count);
  if (info->version_count > 0)
    take_versions(reader, info);
}

// Unpacks the strings, which take the last words, and ends the words to read
// where they begin.
static void read_strings(Reader *reader) {
  uint64_t first = bits_of_word(take(reader));
  uint64_t bytes = bits_of_word(take(reader));
  if (first > reader->end || bytes == 0 ||
      (bytes + 3) / 4 != reader->end - first) {
    reader->failed = true;
    return;
  }
  char *strings = LUNA_ARENA_ARRAY(reader->arena, char, bytes);
  for (uint64_t i = 0; i < bytes; ++i)
    strings[i] =
        (char)(bits_of_word(reader->words[first + i / 4]) >> (8 * (i % 4)) &
               0xff);
  reader->failed |= strings[bytes - 1] != '\0';
  reader->strings = strings;
  reader->string_bytes = reader->failed ? 0 : (uint32_t)bytes;
  reader->end = first;
}

static void take_head(Reader *reader, LunaProgramInfo *info) {
  read_strings(reader);
  info->name = take_name(reader);
  info->machine = take_name(reader);
  // Least record lengths, so that a wrong count never allocates much.
  info->input_count = take_count(reader, 24);
  info->output_count = take_count(reader, 24);
  info->buffer_count = take_count(reader, 9);
  info->content_count = take_count(reader, 6);
  info->operator_count = take_count(reader, 1);
  info->branch_count = take_count(reader, 3);
  info->loop_count = take_count(reader, 1);
  if (reader->layout > 1)
    info->version_count = take_count(reader, LUNA_PROGRAM_VERSION_WORDS);
  info->arena_bytes = take_long(reader);
  info->weight_bytes = take_long(reader);
  info->psram_scratch_bytes = take_long(reader);
  info->state_bytes = take_long(reader);
}

static bool is_known_layout(int32_t layout) {
  return layout >= 1 && layout <= LUNA_PROGRAM_LAYOUT;
}

uint64_t luna_program_word_count(const int32_t *words) {
  if (words[0] != LUNA_PROGRAM_MAGIC || !is_known_layout(words[1]))
    return 0;
  return bits_of_word(words[3]);
}

bool luna_program_read(const int32_t *words, uint64_t word_count,
                       LunaArena *arena, LunaProgramInfo *info,
                       LunaError *error) {
  *info = (LunaProgramInfo){0};
  if (word_count < LUNA_PROGRAM_HEADER_WORDS || words[0] != LUNA_PROGRAM_MAGIC)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "not a program descriptor: %llu words without its "
                          "magic number",
                          (unsigned long long)word_count);
  if (!is_known_layout(words[1]) || words[2] != LUNA_RUNTIME_VERSION)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "program has layout %d and runtime version %d, "
                          "supported are 1 to %d and %d",
                          words[1], words[2], LUNA_PROGRAM_LAYOUT,
                          LUNA_RUNTIME_VERSION);
  info->runtime_version = words[2];
  Reader reader = {.arena = arena,
                   .layout = words[1],
                   .words = words,
                   .next = LUNA_PROGRAM_HEADER_WORDS,
                   .end = word_count};
  reader.failed = bits_of_word(words[3]) != word_count;
  if (!reader.failed)
    take_head(&reader, info);
  if (!reader.failed)
    take_tables(&reader, info);
  if (reader.failed || reader.next != reader.end)
    return luna_error_set(error, LUNA_ERROR_INPUT, reader.next,
                          "malformed program descriptor: word %llu of %llu",
                          (unsigned long long)reader.next,
                          (unsigned long long)word_count);
  return luna_program_check(info, error);
}
