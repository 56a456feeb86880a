#include "kernel_numbers.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"

// Activations by table.

const char *luna_sim_judge_table(const LunaTableDesc *desc,
                                 const LunaKernelOperands *operands) {
  (void)operands;
  if (!luna_judge_has_extents(&desc->output, 0))
    return "operand with a huge extent";
  if (desc->input.type != LUNA_TYPE_I8 || desc->output.type != LUNA_TYPE_I8 ||
      desc->table.type != LUNA_TYPE_I8)
    return "activation by table is not int8 to int8";
  if (desc->table.dims[0] != 1 || desc->table.dims[1] != 1 ||
      desc->table.dims[2] != 1 || desc->table.dims[3] != 256)
    return "activation table does not have 256 entries";
  return luna_judge_is_same_shape(&desc->input, &desc->output)
             ? NULL
             : "shapes of input and output differ";
}

void luna_kernel_table(const LunaTableDesc *desc,
                       const LunaKernelOperands *operands) {
  const LunaTensorDesc *in = &desc->input, *out = &desc->output;
  if (!luna_has_rows(out->dims))
    return;
  const int8_t *table = operands->table;
  int64_t entry_stride = desc->table.strides[3];
  LunaRow at = {0};
  do {
    const int8_t *from = luna_element(operands->input, in, at.i, at.j, at.k, 0);
    int8_t *to = (int8_t *)operands->output +
                 luna_element_offset(out, at.i, at.j, at.k, 0);
    for (int64_t i = 0; i < out->dims[3]; ++i) {
      int64_t entry = from[i * in->strides[3]] + 128;
      to[i * out->strides[3]] = table[entry * entry_stride];
    }
  } while (luna_next_row(&at, out->dims));
}

static void pass_time(LunaSimulator *sim, const LunaTableDesc *desc) {
  const LunaUnitCall *call =
      luna_unit_class_call(LUNA_UNIT_TABLE, &sim->machine);
  luna_sim_clock_call(sim, LUNA_HOST_COPY);
  if (call)
    luna_sim_clock_launch(
        sim, luna_call_cycles(call, luna_sim_element_count(&desc->output), 0));
}

void luna_unit_start_table(const LunaTableDesc *desc, const void *input,
                           const void *table, void *output) {
  const LunaKernelOperands operands = {
      .input = input, .table = table, .output = output};
  LunaSimulator *sim = luna_sim_any_active();
  bool is_alone = luna_sim_clock_join(sim);
  luna_kernel_table(desc, &operands);
  pass_time(sim, desc);
  luna_sim_clock_leave(sim, is_alone);
}
