#include "sim_product.h"

#include "kernel_numbers.h"
#include "luna/border.h"
#include "luna/chain_cost.h"
#include "luna/core_cost.h"
#include "luna/finish.h"
#include "luna/launch_rules.h"
#include "luna/slots.h"
#include "sim_clock.h"
#include "sim_hazard.h"
#include "sim_judge.h"
#include "sim_unit.h"

//===- The descriptor -----------------------------------------------------===//

// Sums of int8 are read and stored in up to 32 bits, those of int16 in 64.
static bool is_sum_type(const LunaTensorDesc *desc) {
  return luna_judge_is_between(desc->type, LUNA_TYPE_I8, LUNA_TYPE_I64);
}

static bool is_zero_point(const LunaTensorDesc *desc, int32_t zero_point) {
  return desc->type == LUNA_TYPE_I8
             ? luna_judge_is_between(zero_point, -128, 127)
             : zero_point == 0;
}

// The table of a requantisation per channel: [2][channels], shifts second; in
// floating point [channels].
static const char *judge_table(const LunaRequantDesc *requant,
                               const LunaTensorDesc *desc, const void *table,
                               int32_t channels) {
  if (!luna_requant_has_table(requant))
    return NULL;
  if (!table)
    return "requantises per channel without a table";
  if (requant->mode == LUNA_REQUANT_FLOAT)
    return desc->type != LUNA_TYPE_F32 || desc->dims[0] != 1 ||
                   desc->dims[1] != 1 || desc->dims[2] != 1 ||
                   desc->dims[3] != channels
               ? "requantisation table is not float, one for each channel"
               : NULL;
  if (desc->type != LUNA_TYPE_I32 || desc->dims[0] != 1 || desc->dims[1] != 1 ||
      desc->dims[2] != 2 || desc->dims[3] != channels)
    return "requantisation table is not int32 of 2 rows, one for each channel";
  for (int64_t c = 0; c < channels; ++c) {
    int32_t shift;
    int64_t at = desc->strides[2] + c * desc->strides[3];
    memcpy(&shift, (const uint8_t *)table + at * 4, sizeof shift);
    if (!luna_judge_is_between(shift, 0, 62))
      return "requantisation table has a shift that is not between 0 and 62";
  }
  return NULL;
}

// A row for each class of borders, whose constants the core adds.
static const char *judge_rows(const LunaSimProduct *product) {
  const LunaTensorDesc *desc = product->bias;
  bool fits = desc->type == LUNA_TYPE_I32 && desc->dims[0] == 1 &&
              desc->dims[1] == 1 && desc->dims[2] == product->classes &&
              desc->dims[3] == product->output->dims[3] &&
              product->input_zero_point == 0 &&
              product->input->type == LUNA_TYPE_I8;
  return fits ? NULL : "bias has not a row for each class of borders";
}

static const char *judge_bias(const LunaTensorDesc *desc, const void *bias,
                              int32_t channels) {
  if (!bias)
    return NULL;
  bool fits = (desc->type == LUNA_TYPE_I32 || desc->type == LUNA_TYPE_I64) &&
              desc->dims[0] == 1 && desc->dims[1] == 1 && desc->dims[2] == 1 &&
              (desc->dims[3] == 1 || desc->dims[3] == channels);
  return fits ? NULL : "bias is not int32 or int64, one for each channel";
}

static const char *judge_operands(const LunaSimProduct *desc) {
  const LunaTensorDesc *input = desc->input, *weight = desc->weight;
  const LunaTensorDesc *output = desc->output;
  if (!luna_judge_is_between(input->type, LUNA_TYPE_I8, LUNA_TYPE_I16) ||
      !luna_judge_is_between(weight->type, LUNA_TYPE_I8, LUNA_TYPE_I16))
    return "multiplies types that are not int8 or int16";
  if (weight->type == LUNA_TYPE_I16 && input->type == LUNA_TYPE_I8)
    return "multiplies int8 by int16";
  if (!is_sum_type(output))
    return "result is not int8, int16, int32 or int64";
  if (!luna_judge_has_extents(input, 1) || !luna_judge_has_extents(weight, 1) ||
      !luna_judge_has_extents(output, 1))
    return "operand with an empty or huge extent";
  return NULL;
}

static const char *judge_sums(const LunaSimProduct *desc,
                              const LunaKernelOperands *operands) {
  int32_t channels = desc->output->dims[3];
  if (!is_zero_point(desc->input, desc->input_zero_point) ||
      !is_zero_point(desc->weight, desc->weight_zero_point))
    return "zero point does not fit its type";
  const char *fault = operands->bias && luna_has_borders(desc->bias)
                          ? judge_rows(desc)
                          : judge_bias(desc->bias, operands->bias, channels);
  if (!fault)
    fault = luna_judge_requant(desc->requant, desc->output);
  return fault ? fault
               : judge_table(desc->requant, desc->table, operands->table,
                             channels);
}

const char *luna_sim_product_judge(const LunaSimProduct *product,
                                   const LunaKernelOperands *operands) {
  const char *fault = judge_operands(product);
  if (!fault)
    fault = product->shape_fault;
  return fault ? fault : judge_sums(product, operands);
}

//===- The operands -------------------------------------------------------===//

// Returns the scratch as the kernels use it: 32-bit sums.
static LunaTensorDesc scratch_desc(int32_t bytes) {
  int32_t sums = bytes / LUNA_KERNEL_SUM_BYTES;
  return (LunaTensorDesc){.type = LUNA_TYPE_I32,
                          .dims = {1, 1, 1, sums > 0 ? sums : 0},
                          .strides = {sums, sums, sums, 1}};
}

static bool begin(LunaSimCall *call, const LunaSimProduct *desc,
                  const int32_t *ids, const LunaKernelOperands *operands) {
  bool has_table = luna_requant_has_table(desc->requant);
  const void *const data[] = {
      operands->input,   operands->weight,
      operands->bias,    has_table ? operands->table : NULL,
      operands->scratch, operands->output,
  };
  luna_sim_unit_open(call, desc->unit_class, desc->desc, ids, data);
  if (operands->scratch)
    call->operands[call->operand_count - 2].desc =
        scratch_desc(desc->tiling->scratch_bytes);
  return luna_sim_call_admit(call);
}

//===- The launches -------------------------------------------------------===//

static void report_launch(LunaSimCall *call, const char *fault) {
  luna_sim_hazard(call->sim, LUNA_HAZARD_BAD_LAUNCH,
                  luna_sim_place_of_op(call->op), "%s", fault);
}

// Returns true if the scratch holds the tile of a launch that needs it.
static bool check_scratch(LunaSimCall *call, const LunaTiling *tiling,
                          const LunaVectorChain *chain,
                          const LunaLaunch *launch, bool has_scratch) {
  int32_t slot_bytes = luna_slots_are_joined(tiling) ? tiling->scratch_bytes
                                                     : luna_slot_bytes(tiling);
  int64_t sums = slot_bytes / LUNA_KERNEL_SUM_BYTES;
  int64_t bytes = has_scratch && sums > 0 ? sums * LUNA_KERNEL_SUM_BYTES : 0;
  int64_t tile_bytes = luna_chain_launch_bytes(chain, launch);
  if (!luna_launch_leaves_sums(tiling, launch) || tile_bytes <= bytes)
    return true;
  LunaError error = {0};
  luna_error_set(&error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                 "a tile needs %lld bytes of scratch, the operator has %lld",
                 (long long)tile_bytes, (long long)bytes);
  report_launch(call, error.message);
  return false;
}

// The table is dense: luna_finish_is_legal.
static bool takes_channels(const LunaSimProduct *desc,
                           const LunaKernelOperands *operands) {
  const int32_t *table = operands->table;
  return !luna_requant_has_table(desc->requant) ||
         luna_finish_takes_channels(desc->requant, table,
                                    table + desc->table->strides[2],
                                    desc->output->dims[3]);
}

// Returns true if the sums are finished where they can be.
static bool finishes(const LunaMachine *machine, const LunaSimProduct *desc,
                     const LunaKernelOperands *operands) {
  LunaFinish finish = (LunaFinish)desc->tiling->finish;
  if (luna_finish_has_calls(finish))
    return luna_finish_is_legal(machine, desc->unit_class, desc->desc,
                                finish) &&
           takes_channels(desc, operands);
  return finish == LUNA_FINISH_CORE ||
         luna_is_fused(machine, desc->requant, desc->bias, desc->output->type);
}

// Checks every launch; adds a hazard for what the unit does not support.
// Returns false if one would exceed the scratch.
static bool fits(LunaSimCall *call, LunaSimProduct *desc,
                 const LunaKernelOperands *operands) {
  const LunaMachine *machine = &call->sim->machine;
  LunaLaunch launch;
  LunaError error = {0};
  LunaVectorChain chain;
  bool is_legal = finishes(machine, desc, operands);
  luna_finish_of(desc->tiling->finish, desc->requant, desc->output->type,
                 &chain);
  if (!is_legal)
    report_launch(call, "the unit cannot requantise so, and the tiling does "
                        "not leave it to the core");
  while (luna_tiles_next(&desc->tiles, &launch)) {
    if (!check_scratch(call, desc->tiling, &chain, &launch,
                       operands->scratch != NULL))
      return false;
    if (is_legal &&
        (!luna_chain_fits(machine, &chain,
                          (int64_t)launch.y.tile.count * launch.x.tile.count,
                          &error) ||
         (!launch.is_empty &&
          !luna_launch_check(machine, &launch, desc->input->type,
                             desc->weight->type, &error)))) {
      is_legal = false;
      report_launch(call, error.message);
    }
  }
  return true;
}

static bool agrees(LunaSimCall *call, const LunaProductRecord *expected,
                   const LunaProductRecord *found, const LunaError *error) {
  if (!expected)
    return luna_sim_call_accept(call, error->message);
  size_t bytes = (size_t)luna_record_tail_bytes(expected);
  bool is_equal = found && memcmp(expected, found, sizeof *expected) == 0 &&
                  memcmp(luna_record_launches(expected),
                         luna_record_launches(found), bytes) == 0;
  return luna_sim_call_accept(
      call, is_equal ? NULL : "launches are not those of the descriptor");
}

// Adds a hazard for the first launch that is no call.
static void check_calls(LunaSimCall *call, const LunaProductRecord *record) {
  const LunaLaunchRecord *launches = luna_record_launches(record);
  LunaError error = {0};
  bool are_calls = true;
  for (int32_t i = 0; i < record->launch_count && are_calls; ++i)
    are_calls = luna_launch_check_call(&call->sim->machine, record,
                                       &launches[i], &error);
  if (!are_calls)
    report_launch(call, error.message);
}

static void run(LunaSimCall *call, const LunaSimProduct *product,
                const LunaProductRecord *found,
                const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t word_count = 0;
  const LunaProductRecord *expected =
      product->launches(product->desc, &arena, &word_count, &error);
  if (agrees(call, expected, found, &error)) {
    if (call->sim->options.only_calls)
      check_calls(call, expected);
    luna_sim_clock_core(call->sim,
                        luna_core_product_cycles(&call->sim->machine,
                                                 (LunaFinish)expected->finish));
    luna_sim_unit_run(call->sim, found, operands);
  }
  luna_arena_destroy(&arena);
}

void luna_sim_product_call(LunaSimProduct *product,
                           const LunaProductRecord *found, const int32_t *ids,
                           const LunaKernelOperands *operands) {
  LunaSimCall call = {0};
  if (begin(&call, product, ids, operands) &&
      luna_sim_call_accept(&call, luna_sim_product_judge(product, operands)) &&
      fits(&call, product, operands))
    run(&call, product, found, operands);
  luna_sim_call_finish(&call);
}

void luna_sim_product_compute(const LunaSimProduct *product,
                              const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  int32_t word_count = 0;
  const LunaProductRecord *record =
      product->launches(product->desc, &arena, &word_count, NULL);
  if (record)
    luna_sim_unit_run(NULL, record, operands);
  luna_arena_destroy(&arena);
}
