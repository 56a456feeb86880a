#include "launch_cost.h"

#include "luna/chain_cost.h"
#include "luna/eltwise_launches.h"
#include "luna/tiling.h"
#include "luna/units.h"

static uint64_t element_count(const LunaTensorDesc *desc) {
  uint64_t count = 1;
  for (int i = 0; i < 4; ++i)
    count *= (uint64_t)desc->dims[i];
  return count;
}

static uint64_t byte_count(const LunaTensorDesc *desc) {
  return element_count(desc) * (uint64_t)luna_element_bytes(desc->type);
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// One launch on the unit.
static LunaCost unit_cost(const LunaMachine *machine, uint64_t cycles) {
  return (LunaCost){
      .unit_cycles = cycles,
      .host_cycles = luna_core_call_cycles(machine, LUNA_HOST_COPY),
      .launches = 1,
  };
}

// Both operands arrive at once, on separate ports.
static uint64_t vector_cycles(const LunaMachine *machine,
                              const LunaEltwiseDesc *desc) {
  uint64_t widest = larger((uint64_t)luna_element_bytes(desc->lhs.type),
                           (uint64_t)luna_element_bytes(desc->rhs.type));
  uint64_t read = luna_cycles_for(element_count(&desc->output) * widest,
                                  machine->vector_bytes_per_cycle);
  uint64_t write = luna_cycles_for(byte_count(&desc->output),
                                   machine->write_bytes_per_cycle);
  return larger(read, write);
}

// Launches that shift operands, and that combine them.
static LunaCost shifted_cost(const LunaMachine *machine,
                             const LunaEltwiseDesc *desc) {
  LunaEltwiseLaunches launches;
  LunaCost cost = {0};
  luna_eltwise_launches_begin(&launches, desc);
  for (; luna_eltwise_launches_next(&launches); ++cost.launches)
    cost.unit_cycles +=
        machine->vector_launch_cycles + vector_cycles(machine, launches.desc);
  cost.host_cycles =
      cost.launches * luna_core_call_cycles(machine, LUNA_HOST_VECTOR) +
      luna_core_shifts_cycles(machine, desc);
  return cost;
}

// Vector launches, or the work of the core.
LunaCost luna_cost_eltwise(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  if (!luna_eltwise_is_native(machine, desc))
    return (LunaCost){.host_cycles = luna_core_eltwise_cycles(machine, desc)};
  if (luna_eltwise_has_launches(desc))
    return shifted_cost(machine, desc);
  if (luna_eltwise_is_chain(machine, desc, &chain))
    return luna_eltwise_chain_cost(machine, desc, &chain);
  uint64_t launches = (uint64_t)luna_eltwise_launches(desc);
  return (LunaCost){
      .unit_cycles = launches * machine->vector_launch_cycles +
                     vector_cycles(machine, desc),
      .host_cycles = luna_core_call_cycles(machine, LUNA_HOST_VECTOR),
      .launches = launches,
  };
}

// That of the depthwise convolution that reads and writes the same, which needs
// no weights; or the work of the core.
LunaCost luna_cost_pool(const LunaMachine *machine, const LunaPoolDesc *desc) {
  LunaConv2dDesc conv;
  LunaError error = {0};
  if (!luna_tiling_pool(machine, desc, &conv, &error))
    return (LunaCost){0};
  if (conv.tiling.finish == LUNA_FINISH_CORE)
    return (LunaCost){.host_cycles = luna_core_average_cycles(machine, desc)};
  LunaCost cost = luna_cost_conv2d(machine, &conv);
  cost.host_cycles = luna_core_call_cycles(machine, LUNA_HOST_POOL);
  return cost;
}

// luna_cost_table, and all that have LUNA_UNIT_LAUNCH in luna/units.def: one
// launch, or the work of the core.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  LunaCost luna_cost_##name(const LunaMachine *machine,                        \
                            const Luna##Type##Desc *desc) {                    \
    const LunaUnitCall *call =                                                 \
        luna_unit_class_call(LUNA_UNIT_##CLASS, machine);                      \
    if (!call)                                                                 \
      return (LunaCost){.host_cycles =                                         \
                            luna_core_##name##_cycles(machine, desc)};         \
    return unit_cost(machine,                                                  \
                     luna_call_cycles(call, element_count(&desc->output), 0)); \
  }
#include "luna/units.def"

// Returns the number of elements that are contiguous in both boxes; `other` may
// be NULL.
static uint64_t run_elements(const LunaTensorDesc *box,
                             const LunaTensorDesc *other) {
  uint64_t run = 1;
  for (int i = 3; i >= 0; --i) {
    if (box->dims[i] == 1)
      continue;
    if ((uint64_t)box->strides[i] != run ||
        (other && (uint64_t)other->strides[i] != run))
      break;
    run *= (uint64_t)box->dims[i];
  }
  return run;
}

// Returns the cycles of a box moved run by run.
static uint64_t run_cycles(const LunaTensorDesc *box,
                           const LunaTensorDesc *other, uint64_t rate) {
  uint64_t run = run_elements(box, other);
  uint64_t bytes = run * (uint64_t)luna_element_bytes(box->type);
  return element_count(box) / run * luna_cycles_for(bytes, rate);
}

// Writes the dimensions of a copy, those joined that lie one in the other at
// both ends. Returns their number.
static int joined_dims(const LunaCopyDesc *desc, int64_t dims[4], int64_t to[4],
                       int64_t from[4]) {
  int count = 0;
  for (int i = 0; i < 4; ++i) {
    int64_t extent = desc->target.dims[i];
    int64_t outer = desc->target.strides[i], inner = desc->source.strides[i];
    if (extent == 1)
      continue;
    if (count > 0 && to[count - 1] == outer * extent &&
        from[count - 1] == inner * extent)
      extent *= dims[--count];
    dims[count] = extent;
    to[count] = outer;
    from[count++] = inner;
  }
  return count;
}

uint64_t luna_transpose_cycles(const LunaMachine *machine,
                               const LunaCopyDesc *desc) {
  int64_t dims[4], to[4], from[4];
  uint32_t bits = 8 * (uint32_t)luna_element_bytes(desc->target.type);
  const LunaUnitCall *call =
      luna_machine_call(machine, LUNA_CALL_TRANS_AXIS, bits, bits);
  if (!call || joined_dims(desc, dims, to, from) != 2 || to[1] != 1 ||
      to[0] != dims[1] || from[0] != 1 || from[1] != dims[0])
    return 0;
  return luna_call_cycles(call, (uint64_t)(dims[0] * dims[1]),
                          (uint64_t)(dims[0] + dims[1]));
}

LunaCost luna_cost_copy(const LunaMachine *machine, const LunaCopyDesc *desc) {
  uint64_t cycles =
      machine->copy_launch_cycles +
      run_cycles(&desc->target, &desc->source, machine->copy_bytes_per_cycle);
  uint64_t transposed = luna_transpose_cycles(machine, desc);
  return unit_cost(machine,
                   transposed > 0 && transposed < cycles ? transposed : cycles);
}

LunaCost luna_cost_fill(const LunaMachine *machine, const LunaFillDesc *desc) {
  return unit_cost(machine, machine->fill_launch_cycles +
                                run_cycles(&desc->target, NULL,
                                           machine->fill_bytes_per_cycle));
}
