#include "versions.h"

#include <string.h>

#include "inputs.h"
#include "luna/branch.h"
#include "luna/text.h"

// The branch between versions, or branch_count.
static uint32_t branch_of(const LunaProgramInfo *program) {
  uint32_t branch = 0;
  while (branch < program->branch_count &&
         !luna_branch_is_of_versions(program, branch))
    ++branch;
  return branch;
}

// The tensors of a version, counted as version_ranks counts them.
static LunaProgramTensor *tensors_of(const LunaProgramInfo *program,
                                     uint32_t version, uint32_t first,
                                     uint32_t count, LunaArena *arena) {
  LunaProgramTensor *tensors =
      LUNA_ARENA_ARRAY(arena, LunaProgramTensor, count);
  for (uint32_t i = 0; i < count; ++i)
    tensors[i] = luna_program_version_tensor(program, version, first + i);
  return tensors;
}

const LunaProgramTensor *luna_version_outputs(const LunaProgramInfo *program,
                                              uint32_t version,
                                              LunaArena *arena) {
  return program->version_count == 0
             ? program->outputs
             : tensors_of(program, version, program->input_count - 1,
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

static LunaValues number_of_case(int32_t index, int64_t cases,
                                 LunaArena *arena) {
  int32_t *numbers = LUNA_ARENA_ARRAY(arena, int32_t, cases);
  for (int64_t i = 0; i < cases; ++i)
    numbers[i] = index;
  return (LunaValues){.bytes = (uint8_t *)numbers, .cases = cases};
}

// Reads the files as inputs of a version; those of the program follow the
// number of the case.
static bool read_as(const LunacOptions *options, const LunaProgramInfo *program,
                    uint32_t version, LunaArena *arena, LunaValues *values,
                    int64_t *cases, LunaError *error) {
  uint32_t count = program->input_count - 1;
  const LunaProgramTensor *whole = program->inputs + 1;
  LunaProgramTensor *tensors = tensors_of(program, version, 0, count, arena);
  if (!luna_inputs_read(options, tensors, count, arena, values, cases, error))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    values[i] = spread(&values[i], &tensors[i], &whole[i], arena);
  return true;
}

uint32_t luna_version_of_path(const LunaProgramInfo *program,
                              const LunaPath *path, uint32_t otherwise) {
  uint32_t branch = branch_of(program), count = program->version_count;
  if (branch == program->branch_count || !path->decisions[branch].is_forced)
    return otherwise;
  uint32_t version =
      luna_branch_version(program, branch, path->decisions[branch].value);
  return version < count ? version : otherwise;
}

// Returns the version that --force-branch takes, or the number of versions.
static uint32_t forced_version(const LunacOptions *options,
                               const LunaProgramInfo *program,
                               LunaArena *arena) {
  LunaPath path;
  LunaError error = {0};
  const char *given = options->force_branch ? options->force_branch : "";
  return luna_path_read(program, given, arena, &path, &error)
             ? luna_version_of_path(program, &path, program->version_count)
             : program->version_count;
}

// "2x6": the way to the case of a version.
static const char *name_of(const LunaProgramInfo *program, uint32_t version,
                           LunaArena *arena) {
  LunaText text = {0};
  uint32_t branch = branch_of(program);
  int32_t index = program->versions[version].case_index;
  if (branch == program->branch_count)
    return luna_arena_printf(arena, "%d", index);
  luna_branch_print_way(&text, &program->branches[branch], index);
  const char *name = luna_arena_strndup(arena, text.data, text.length);
  luna_text_deinit(&text);
  return name;
}

// A file of several cases of a version may be fewer cases of a larger one.
static bool read_files(const LunacOptions *options,
                       const LunaProgramInfo *program, LunaArena *arena,
                       LunaValues *values, int64_t *cases, uint32_t *version,
                       LunaError *error) {
  bool is_found = false;
  uint32_t count = program->version_count;
  uint32_t forced = forced_version(options, program, arena);
  for (uint32_t v = 0; v < count; ++v) {
    if (forced < count &&
        program->versions[v].case_index != program->versions[forced].case_index)
      continue;
    LunaValues *own = LUNA_ARENA_ARRAY(arena, LunaValues, program->input_count);
    LunaError why = {0};
    int64_t own_cases = 0;
    bool fits = read_as(options, program, v, arena, own, &own_cases, &why);
    if (!fits && !is_found)
      luna_error_set(error, why.code, why.item, "version %s: %.400s",
                     name_of(program, v, arena), why.message);
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
                              const LunaProgramInfo *program, LunaArena *arena,
                              LunaValues *values, int64_t *cases,
                              uint32_t *version, LunaError *error) {
  *version = 0;
  if (program->version_count == 0)
    return luna_inputs_read(options, program->inputs, program->input_count,
                            arena, values, cases, error);
  *version = forced_version(options, program, arena);
  if (*version == program->version_count)
    --*version;
  bool is_read =
      options->has_random_input
          ? read_as(options, program, *version, arena, values + 1, cases, error)
          : read_files(options, program, arena, values + 1, cases, version,
                       error);
  if (is_read)
    values[0] =
        number_of_case(program->versions[*version].case_index, *cases, arena);
  return is_read;
}
