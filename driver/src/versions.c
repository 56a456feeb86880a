#include "versions.h"

#include <string.h>

#include "inputs.h"
#include "luna/branch.h"
#include "luna/paths.h"

// A tensor as a version has it: dense at the start of the program's.
static LunaProgramTensor tensor_of(const LunaProgramTensor *whole,
                                   const LunaShape *shape) {
  LunaProgramTensor tensor = *whole;
  int64_t count = 1, whole_count = 1;
  if (shape->rank > LUNA_PROGRAM_RANK_MAX)
    return tensor;
  for (int d = 0; d < whole->rank; ++d)
    whole_count *= whole->dims[d];
  for (int d = 0; d < shape->rank; ++d)
    count *= tensor.dims[d] = shape->dims[d];
  tensor.rank = shape->rank;
  tensor.bytes = whole_count > 0 ? whole->bytes / whole_count * count : 0;
  return tensor;
}

static LunaProgramTensor *tensors_of(const LunaProgramTensor *whole,
                                     const LunaShape *shapes, uint32_t count,
                                     LunaArena *arena) {
  LunaProgramTensor *tensors =
      LUNA_ARENA_ARRAY(arena, LunaProgramTensor, count);
  for (uint32_t i = 0; i < count; ++i)
    tensors[i] = tensor_of(&whole[i], &shapes[i]);
  return tensors;
}

const LunaProgramTensor *luna_version_outputs(const LunacModel *model,
                                              const LunaProgramInfo *program,
                                              uint32_t version,
                                              LunaArena *arena) {
  return model->version_count == 0
             ? program->outputs
             : tensors_of(program->outputs, model->versions[version].outputs,
                          program->output_count, arena);
}

// The cases of a version's tensor, each at the start of one of the program's.
static LunaValues spread(const LunaValues *values,
                         const LunaProgramTensor *tensor,
                         const LunaProgramTensor *whole, LunaArena *arena) {
  LunaValues all = *values;
  all.bytes =
      luna_arena_alloc(arena, (uint64_t)values->cases, (uint64_t)whole->bytes);
  for (int64_t i = 0; i < values->cases; ++i)
    memcpy(all.bytes + i * whole->bytes, values->bytes + i * tensor->bytes,
           (size_t)tensor->bytes);
  return all;
}

static LunaValues number_of_version(uint32_t version, int64_t cases,
                                    LunaArena *arena) {
  int32_t *numbers = LUNA_ARENA_ARRAY(arena, int32_t, cases);
  for (int64_t i = 0; i < cases; ++i)
    numbers[i] = (int32_t)version;
  return (LunaValues){.bytes = (uint8_t *)numbers, .cases = cases};
}

// Reads the files as inputs of a version; those of the program follow the
// number of the version.
static bool read_as(const LunacOptions *options, const LunaVersion *version,
                    const LunaProgramInfo *program, LunaArena *arena,
                    LunaValues *values, int64_t *cases, LunaError *error) {
  uint32_t count = program->input_count - 1;
  const LunaProgramTensor *whole = program->inputs + 1;
  LunaProgramTensor *tensors = tensors_of(whole, version->inputs, count, arena);
  if (!luna_inputs_read(options, tensors, count, arena, values, cases, error))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    values[i] = spread(&values[i], &tensors[i], &whole[i], arena);
  return true;
}

// Returns the version that --force-branch takes, or the number of versions.
static uint32_t forced_version(const LunacOptions *options,
                               const LunacModel *model,
                               const LunaProgramInfo *program,
                               LunaArena *arena) {
  LunaPath path;
  LunaError error = {0};
  uint32_t branch = 0, count = model->version_count;
  const char *given = options->force_branch ? options->force_branch : "";
  if (!luna_path_read(program, given, arena, &path, &error) ||
      !luna_branch_find(program, "shape", strlen("shape"), &branch, &error) ||
      !path.decisions[branch].is_forced)
    return count;
  int64_t version = path.decisions[branch].value;
  return version >= 0 && version < count ? (uint32_t)version : count - 1;
}

// A file of several cases of a version may be fewer cases of a larger one.
static bool read_files(const LunacOptions *options, const LunacModel *model,
                       const LunaProgramInfo *program, LunaArena *arena,
                       LunaValues *values, int64_t *cases, uint32_t *version,
                       LunaError *error) {
  bool is_found = false;
  uint32_t count = model->version_count;
  uint32_t forced = forced_version(options, model, program, arena);
  for (uint32_t v = 0; v < count; ++v) {
    if (forced < count && v != forced)
      continue;
    LunaValues *own = LUNA_ARENA_ARRAY(arena, LunaValues, program->input_count);
    LunaError why = {0};
    int64_t own_cases = 0;
    bool fits = read_as(options, &model->versions[v], program, arena, own,
                        &own_cases, &why);
    if (!fits && !is_found)
      luna_error_set(error, why.code, why.item, "version %s: %.400s",
                     model->versions[v].name, why.message);
    if (!fits || (is_found && own_cases >= *cases))
      continue;
    is_found = true;
    *cases = own_cases;
    *version = v;
    memcpy(values, own, (program->input_count - 1) * sizeof *values);
  }
  return is_found;
}

bool luna_version_inputs_read(const LunacOptions *options,
                              const LunacModel *model,
                              const LunaProgramInfo *program, LunaArena *arena,
                              LunaValues *values, int64_t *cases,
                              uint32_t *version, LunaError *error) {
  *version = 0;
  if (model->version_count == 0)
    return luna_inputs_read(options, program->inputs, program->input_count,
                            arena, values, cases, error);
  *version = forced_version(options, model, program, arena);
  if (*version == model->version_count)
    --*version;
  bool is_read = options->has_random_input
                     ? luna_inputs_read(options, program->inputs + 1,
                                        program->input_count - 1, arena,
                                        values + 1, cases, error)
                     : read_files(options, model, program, arena, values + 1,
                                  cases, version, error);
  if (is_read)
    values[0] = number_of_version(*version, *cases, arena);
  return is_read;
}
