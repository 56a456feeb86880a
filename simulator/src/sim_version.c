#include "sim_version.h"

#include "luna/branch.h"
#include "sim_memory.h"

// Returns the bytes of the version's tensor, counted as version_ranks counts
// them; of a run that has taken none, those of the whole.
static uint64_t bytes_of(const LunaSimulator *sim, uint32_t index,
                         uint64_t whole_bytes) {
  if (!sim->has_version)
    return whole_bytes;
  LunaProgramTensor tensor =
      luna_program_version_tensor(sim->program, sim->version, index);
  return (uint64_t)tensor.bytes;
}

static void end_input(LunaSimulator *sim, const LunaSimValue *value) {
  if (!value->tensor || value->tensor == sim->program->inputs)
    return;
  uint32_t index = (uint32_t)(value->tensor - sim->program->inputs) - 1;
  uint64_t bytes = bytes_of(sim, index, value->bytes);
  LunaSimRange *range =
      luna_sim_find_range(sim, value->base, (int64_t)value->bytes);
  luna_sim_mark_undefined(range, value->base + bytes, value->bytes - bytes);
}

void luna_sim_take_version(LunaSimulator *sim, int32_t branch,
                           int32_t decision) {
  const LunaProgramInfo *program = sim->program;
  if (!program || !luna_branch_is_of_versions(program, (uint32_t)branch))
    return;
  sim->version = luna_branch_version(program, (uint32_t)branch, decision);
  sim->has_version = sim->version < program->version_count;
  for (uint64_t i = 0; sim->has_version && i < sim->values.count; ++i)
    end_input(sim, &sim->values.items[i]);
}

uint64_t luna_sim_result_bytes(const LunaSimulator *sim,
                               const LunaSimValue *result) {
  if (!result->tensor)
    return result->bytes;
  uint32_t index = (uint32_t)(result->tensor - sim->program->outputs);
  return bytes_of(sim, sim->program->input_count - 1 + index, result->bytes);
}
