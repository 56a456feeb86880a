#include "luna/program.h"

#include <string.h>

#include "luna/checked.h"

// The words, in order:
//   magic, layout, runtime version, word count
//   word index of the strings, their byte count
//   name, machine
//   input_count, output_count, buffer_count, content_count, operator_count,
//   branch_count, loop_count
//   arena_bytes, weight_bytes, psram_scratch_bytes, state_bytes (two words
//   each, low first)
//   the tables, in the order of the counts, record after record, field after
//   field as in the structs; a branch ends with its cases
//   the strings: NUL-terminated, four bytes a word, first byte lowest
// A name is the index of its first byte in the strings.

//===- Checking -----------------------------------------------------------===//

static bool is_identifier(const char *name) {
  if (!name || !*name || (*name >= '0' && *name <= '9'))
    return false;
  for (const char *c = name; *c; ++c)
    if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
          (*c >= 'A' && *c <= 'Z')))
      return false;
  return true;
}

static bool is_within(int64_t offset, int64_t bytes, int64_t limit) {
  return offset >= 0 && bytes >= 0 && offset <= limit &&
         bytes <= limit - offset;
}

static bool check_tensor(const LunaProgramInfo *info,
                         const LunaProgramTensor *tensor, const char *what,
                         uint32_t index, LunaError *error) {
  int64_t bytes = luna_element_bytes(tensor->type);
  if (bytes == 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "%s %u has element type %d, allowed are 0 to 6", what,
                          index, tensor->type);
  if (tensor->rank < 0 || tensor->rank > LUNA_PROGRAM_RANK_MAX)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "%s %u has rank %d, allowed are 0 to %d", what, index,
                          tensor->rank, LUNA_PROGRAM_RANK_MAX);
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (!luna_checked_mul(bytes, tensor->dims[i], &bytes))
      return luna_error_set(error, LUNA_ERROR_INPUT, index,
                            "%s %u has dimension %d = %lld, which is negative "
                            "or too large",
                            what, index, i, (long long)tensor->dims[i]);
  if (tensor->bytes != bytes)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "%s %u has %lld bytes, its shape needs %lld", what,
                          index, (long long)tensor->bytes, (long long)bytes);
  const LunaProgramBuffer *buffer = luna_program_buffer(info, tensor->buffer);
  if (!buffer && tensor->buffer != LUNA_NO_ID)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "%s %u names buffer %d, which is not in the table",
                          what, index, tensor->buffer);
  if (buffer && buffer->bytes < bytes)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "%s %u needs %lld bytes, its buffer %d has %lld",
                          what, index, (long long)bytes, buffer->id,
                          (long long)buffer->bytes);
  return true;
}

static bool check_tensors(const LunaProgramInfo *info, LunaError *error) {
  for (uint32_t i = 0; i < info->input_count; ++i)
    if (!check_tensor(info, &info->inputs[i], "input", i, error))
      return false;
  for (uint32_t i = 0; i < info->output_count; ++i)
    if (!check_tensor(info, &info->outputs[i], "output", i, error))
      return false;
  return true;
}

static bool check_sizes(const LunaProgramInfo *info, LunaError *error) {
  // Low enough that sums of two stay in 64 bits.
  const int64_t limit = INT64_MAX / 4;
  const int64_t sizes[] = {info->arena_bytes, info->weight_bytes,
                           info->psram_scratch_bytes, info->state_bytes};
  for (uint32_t i = 0; i < 4; ++i)
    if (sizes[i] < 0 || sizes[i] > limit)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "memory size %u is %lld, allowed are 0 to %lld", i,
                            (long long)sizes[i], (long long)limit);
  if (info->weight_bytes % 16 != 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, 1,
                          "weights have %lld bytes, must be a multiple of 16",
                          (long long)info->weight_bytes);
  return true;
}

// The bytes of the memory that a buffer lies in, -1 if there is no such memory.
static int64_t memory_bytes(const LunaProgramInfo *info,
                            const LunaProgramBuffer *buffer) {
  uint32_t argument = (uint32_t)buffer->argument;
  switch (buffer->memory) {
  case LUNA_MEMORY_ARENA:
    return info->arena_bytes;
  case LUNA_MEMORY_PSRAM:
    return info->weight_bytes + info->psram_scratch_bytes;
  case LUNA_MEMORY_STATE:
    return info->state_bytes;
  case LUNA_MEMORY_INPUT:
    return argument < info->input_count ? info->inputs[argument].bytes : -1;
  case LUNA_MEMORY_OUTPUT:
    return argument < info->output_count ? info->outputs[argument].bytes : -1;
  }
  return -1;
}

static bool check_buffers(const LunaProgramInfo *info, LunaError *error) {
  for (uint32_t i = 0; i < info->buffer_count; ++i) {
    const LunaProgramBuffer *buffer = &info->buffers[i];
    if (buffer->id < 0 || (i > 0 && buffer->id <= info->buffers[i - 1].id))
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "buffer %u has id %d, ids must ascend from 0", i,
                            buffer->id);
    if (buffer->kind < LUNA_BUFFER_TENSOR || buffer->kind > LUNA_BUFFER_STATE)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "buffer %u has kind %d, allowed are 0 to %d", i,
                            buffer->kind, LUNA_BUFFER_STATE);
    int64_t limit = memory_bytes(info, buffer);
    if (!is_within(buffer->offset_bytes, buffer->bytes, limit))
      return luna_error_set(
          error, LUNA_ERROR_INPUT, i,
          "buffer %u has offset %lld and %lld bytes, memory %d has %lld", i,
          (long long)buffer->offset_bytes, (long long)buffer->bytes,
          buffer->memory, (long long)limit);
  }
  if (info->weight_bytes % 16 != 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, 1,
                          "weights have %lld bytes, must be a multiple of 16",
                          (long long)info->weight_bytes);
  return true;
}

static bool check_contents(const LunaProgramInfo *info, LunaError *error) {
  for (uint32_t i = 0; i < info->content_count; ++i) {
    const LunaProgramContent *content = &info->contents[i];
    if (content->id < 0 || (i > 0 && content->id <= info->contents[i - 1].id))
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "content %u has id %d, ids must ascend from 0", i,
                            content->id);
    if (!is_within(content->offset_bytes, content->bytes, info->weight_bytes))
      return luna_error_set(
          error, LUNA_ERROR_INPUT, i,
          "content %u has offset %lld and %lld bytes, the weights have %lld", i,
          (long long)content->offset_bytes, (long long)content->bytes,
          (long long)info->weight_bytes);
  }
  return true;
}

static bool check_branches(const LunaProgramInfo *info, LunaError *error) {
  for (uint32_t i = 0; i < info->branch_count; ++i) {
    const LunaProgramBranch *branch = &info->branches[i];
    bool is_if = branch->kind == LUNA_BRANCH_IF;
    if (!is_if && branch->kind != LUNA_BRANCH_SWITCH)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "branch %u has kind %d, allowed are 0 and 1", i,
                            branch->kind);
    if (is_if && branch->case_count > 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "branch %u is an if with %u cases, allowed are 0",
                            i, branch->case_count);
    for (uint32_t k = 1; k < branch->case_count; ++k)
      if (branch->cases[k] <= branch->cases[k - 1])
        return luna_error_set(error, LUNA_ERROR_INPUT, i,
                              "branch %u has case %d after %d, cases must "
                              "ascend",
                              i, branch->cases[k], branch->cases[k - 1]);
  }
  return true;
}

bool luna_program_check(const LunaProgramInfo *info, LunaError *error) {
  if (!is_identifier(info->name))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "program name '%s' is not a C identifier",
                          info->name ? info->name : "");
  return check_sizes(info, error) && check_buffers(info, error) &&
         check_tensors(info, error) && check_contents(info, error) &&
         check_branches(info, error);
}

//===- Writing ------------------------------------------------------------===//

typedef struct Writer {
  LunaArena *arena;
  int32_t *words;
  uint64_t count, capacity;
  uint8_t *strings;
  uint64_t string_bytes, string_capacity;
} Writer;

static void put(Writer *writer, int32_t word) {
  if (writer->count == writer->capacity) {
    writer->capacity = writer->capacity ? 2 * writer->capacity : 256;
    writer->words = luna_arena_grow(writer->arena, writer->words, writer->count,
                                    writer->capacity, sizeof(int32_t));
  }
  writer->words[writer->count++] = word;
}

// Two's complement bits; conversion to a signed type may not go through an
// out-of-range cast.
static int32_t word_of_bits(uint32_t bits) {
  int32_t word;
  memcpy(&word, &bits, sizeof word);
  return word;
}

static uint32_t bits_of_word(int32_t word) { return (uint32_t)word; }

static void put_long(Writer *writer, int64_t value) {
  put(writer, word_of_bits((uint32_t)((uint64_t)value & 0xffffffffu)));
  put(writer, word_of_bits((uint32_t)((uint64_t)value >> 32)));
}

static void put_name(Writer *writer, const char *name) {
  uint64_t length = name ? strlen(name) : 0;
  put(writer, word_of_bits((uint32_t)writer->string_bytes));
  while (writer->string_capacity - writer->string_bytes < length + 1) {
    uint64_t capacity =
        writer->string_capacity ? 2 * writer->string_capacity : 1024;
    writer->strings = luna_arena_grow(writer->arena, writer->strings,
                                      writer->string_bytes, capacity, 1);
    writer->string_capacity = capacity;
  }
  if (length > 0)
    memcpy(writer->strings + writer->string_bytes, name, length);
  writer->string_bytes += length + 1; // The NUL: grown memory is zero.
}

static void put_tensor(Writer *writer, const LunaProgramTensor *tensor) {
  put_name(writer, tensor->name);
  put(writer, tensor->type);
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

static void put_branch(Writer *writer, const LunaProgramBranch *branch) {
  put_name(writer, branch->name);
  put(writer, branch->kind);
  put(writer, word_of_bits(branch->case_count));
  for (uint32_t i = 0; i < branch->case_count; ++i)
    put(writer, branch->cases[i]);
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
  for (uint32_t i = 0; i < info->branch_count; ++i)
    put_branch(writer, &info->branches[i]);
  for (uint32_t i = 0; i < info->loop_count; ++i)
    put_name(writer, info->loops[i]);
}

static void put_head(Writer *writer, const LunaProgramInfo *info) {
  put(writer, LUNA_PROGRAM_MAGIC);
  put(writer, LUNA_PROGRAM_LAYOUT);
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
  put_long(writer, info->arena_bytes);
  put_long(writer, info->weight_bytes);
  put_long(writer, info->psram_scratch_bytes);
  put_long(writer, info->state_bytes);
}

static void put_strings(Writer *writer) {
  writer->words[4] = word_of_bits((uint32_t)writer->count);
  writer->words[5] = word_of_bits((uint32_t)writer->string_bytes);
  for (uint64_t i = 0; i < writer->string_bytes; i += 4) {
    uint32_t bits = 0;
    for (uint64_t k = 0; k < 4 && i + k < writer->string_bytes; ++k)
      bits |= (uint32_t)writer->strings[i + k] << (8 * k);
    put(writer, word_of_bits(bits));
  }
  writer->words[3] = word_of_bits((uint32_t)writer->count);
}

bool luna_program_write(const LunaProgramInfo *info, LunaArena *arena,
                        int32_t **words, uint64_t *word_count,
                        LunaError *error) {
  if (!luna_program_check(info, error))
    return false;
  Writer writer = {.arena = arena};
  put_head(&writer, info);
  put_tables(&writer, info);
  if (writer.count + writer.string_bytes > INT32_MAX)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "program descriptor is longer than 2^31 words");
  put_strings(&writer);
  *words = writer.words;
  *word_count = writer.count;
  return true;
}

//===- Reading ------------------------------------------------------------===//

typedef struct Reader {
  LunaArena *arena;
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

// A count of records of at least `record_words` each: more than the words left
// would hold is malformed, and must not be allocated.
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

static void take_branch(Reader *reader, LunaProgramBranch *branch) {
  branch->name = take_name(reader);
  branch->kind = take(reader);
  branch->case_count = take_count(reader, 1);
  int32_t *cases = LUNA_ARENA_ARRAY(reader->arena, int32_t, branch->case_count);
  for (uint32_t i = 0; i < branch->case_count; ++i)
    cases[i] = take(reader);
  branch->cases = cases;
}

static const char *const *take_names(Reader *reader, uint32_t count) {
  const char **names = LUNA_ARENA_ARRAY(reader->arena, const char *, count);
  for (uint32_t i = 0; i < count; ++i)
    names[i] = take_name(reader);
  return names;
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
  info->arena_bytes = take_long(reader);
  info->weight_bytes = take_long(reader);
  info->psram_scratch_bytes = take_long(reader);
  info->state_bytes = take_long(reader);
}

uint64_t luna_program_word_count(const int32_t *words) {
  if (words[0] != LUNA_PROGRAM_MAGIC || words[1] != LUNA_PROGRAM_LAYOUT)
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
  if (words[1] != LUNA_PROGRAM_LAYOUT || words[2] != LUNA_RUNTIME_VERSION)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "program has layout %d and runtime version %d, "
                          "supported are %d and %d",
                          words[1], words[2], LUNA_PROGRAM_LAYOUT,
                          LUNA_RUNTIME_VERSION);
  info->runtime_version = words[2];
  Reader reader = {.arena = arena,
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

const LunaProgramBuffer *luna_program_buffer(const LunaProgramInfo *info,
                                             int32_t id) {
  uint32_t low = 0, high = info->buffer_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (info->buffers[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_found = low < info->buffer_count && info->buffers[low].id == id;
  return is_found ? &info->buffers[low] : NULL;
}

void *luna_program_argument(const LunaProgramInfo *info,
                            const LunaProgramTensor *tensor, void *arena) {
  const LunaProgramBuffer *buffer = luna_program_buffer(info, tensor->buffer);
  if (!buffer || buffer->memory != LUNA_MEMORY_ARENA)
    return NULL;
  return (uint8_t *)arena + buffer->offset_bytes;
}
