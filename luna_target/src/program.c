#include "luna/program.h"

#include <stddef.h>

#include "luna/checked.h"

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
                          "%s %u has element type %d, allowed are 0 to 8", what,
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
  // Low enough that the sum of two fits 64 bits.
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

// Returns the size of the memory of a buffer, or -1 if there is no such memory.
static int64_t memory_bytes(const LunaProgramInfo *info,
                            const LunaProgramBuffer *buffer) {
  uint32_t argument = (uint32_t)buffer->argument;
  switch (buffer->memory) {
  case LUNA_PROGRAM_ARENA:
    return info->arena_bytes;
  case LUNA_PROGRAM_PSRAM:
    return info->weight_bytes + info->psram_scratch_bytes;
  case LUNA_PROGRAM_STATE:
    return info->state_bytes;
  case LUNA_PROGRAM_INPUT:
    return argument < info->input_count ? info->inputs[argument].bytes : -1;
  case LUNA_PROGRAM_OUTPUT:
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

uint32_t luna_program_version_dims(const LunaProgramInfo *info) {
  uint32_t dims = 0, count = info->input_count + info->output_count;
  for (uint32_t i = 0; info->version_count > 0 && i + 1 < count; ++i)
    dims += (uint32_t)info->version_ranks[i];
  return dims;
}

LunaProgramTensor luna_program_version_tensor(const LunaProgramInfo *info,
                                              uint32_t version,
                                              uint32_t index) {
  const int32_t *dims = info->versions[version].dims;
  LunaProgramTensor tensor = index + 1 < info->input_count
                                 ? info->inputs[index + 1]
                                 : info->outputs[index + 1 - info->input_count];
  for (uint32_t i = 0; i < index; ++i)
    dims += info->version_ranks[i];
  tensor.rank = info->version_ranks[index];
  tensor.bytes = luna_element_bytes(tensor.type);
  for (int32_t d = 0; d < tensor.rank; ++d) {
    tensor.dims[d] = dims[d];
    if (!luna_checked_mul(tensor.bytes, dims[d], &tensor.bytes))
      tensor.bytes = INT64_MAX;
  }
  return tensor;
}

static bool check_version(const LunaProgramInfo *info, uint32_t index,
                          LunaError *error) {
  const LunaProgramVersion *version = &info->versions[index];
  if (version->case_index < 0 || version->arena_bytes < 0 ||
      version->arena_bytes > info->arena_bytes)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "version %u is case %d, which takes %lld bytes of "
                          "the arena's %lld",
                          index, version->case_index,
                          (long long)version->arena_bytes,
                          (long long)info->arena_bytes);
  for (uint32_t i = 0; i < luna_program_version_dims(info); ++i)
    if (version->dims[i] <= 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, index,
                            "version %u has dimension %d, must be positive",
                            index, version->dims[i]);
  for (uint32_t i = 0; i + 1 < info->input_count + info->output_count; ++i) {
    LunaProgramTensor tensor = luna_program_version_tensor(info, index, i);
    const LunaProgramTensor *whole =
        i + 1 < info->input_count ? &info->inputs[i + 1]
                                  : &info->outputs[i + 1 - info->input_count];
    if (tensor.bytes > whole->bytes)
      return luna_error_set(error, LUNA_ERROR_INPUT, index,
                            "version %u of '%s' has %lld bytes, the whole "
                            "tensor has %lld",
                            index, whole->name ? whole->name : "",
                            (long long)tensor.bytes, (long long)whole->bytes);
  }
  return true;
}

static bool check_versions(const LunaProgramInfo *info, LunaError *error) {
  if (info->version_count > 0 &&
      (info->input_count == 0 || info->inputs[0].bytes != sizeof(int32_t)))
    return luna_error_set(error, LUNA_ERROR_INPUT, 0,
                          "a program with versions needs the number of one as "
                          "first input");
  for (uint32_t v = 0; v < info->version_count; ++v)
    if (!check_version(info, v, error))
      return false;
  return true;
}

bool luna_program_check(const LunaProgramInfo *info, LunaError *error) {
  if (!is_identifier(info->name))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "program name '%s' is not a C identifier",
                          info->name ? info->name : "");
  return check_sizes(info, error) && check_buffers(info, error) &&
         check_tensors(info, error) && check_contents(info, error) &&
         check_branches(info, error) && check_versions(info, error);
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
  if (!buffer || buffer->memory != LUNA_PROGRAM_ARENA)
    return NULL;
  return (uint8_t *)arena + buffer->offset_bytes;
}
