#include <inttypes.h>

#include "luna/core_cost.h"
#include "luna/machine.h"

static void add_memory(LunaText *text, const char *name,
                       const LunaMemory *memory) {
  luna_text_printf(
      text, "  %-10s %" PRIu64 " bytes (%" PRIu64 " KiB) at 0x%08" PRIx64 "\n",
      name, memory->bytes, memory->bytes / 1024, memory->base_address);
}

static void add_direction(LunaText *text, const char *name,
                          const LunaDmaCost *cost) {
  luna_text_printf(text,
                   "  %-10s %" PRIu64 " cycles + %" PRIu64 "/%" PRIu64
                   " a byte, %u points measured\n",
                   name, cost->startup_cycles, cost->cycles_numerator,
                   cost->cycles_denominator, cost->point_count);
}

static void add_list(LunaText *text, const uint32_t values[4]) {
  for (int i = 0; i < 4 && values[i] != 0; ++i)
    luna_text_printf(text, "%s%u", i == 0 ? "" : ",", values[i]);
}

static void add_limits(LunaText *text, const char *name,
                       const LunaOperatorLimits *limits) {
  luna_text_printf(text, "  %-10s kernel 1..%u, stride ", name,
                   limits->kernel_max);
  add_list(text, limits->strides);
  luna_text_printf(text, ", pad 0..%u, dilation ", limits->pad_max);
  add_list(text, limits->dilations);
  luna_text_printf(text,
                   ", input %" PRIu64 " bytes, weights %" PRIu64
                   " bytes, %" PRIu64 " cycles a launch\n",
                   limits->input_buffer_bytes, limits->weight_buffer_bytes,
                   limits->launch_cycles);
}

static void add_stream(LunaText *text, const char *name, uint64_t launch,
                       uint64_t rate) {
  luna_text_printf(
      text, "  %-10s %" PRIu64 " cycles a launch, %" PRIu64 " bytes a cycle\n",
      name, launch, rate);
}

void luna_machine_describe(const LunaMachine *machine, LunaText *text) {
  luna_text_printf(text, "%s, %" PRIu64 " MHz\n", machine->name,
                   machine->clock_hz / 1000000);
  luna_text_printf(text, "  %-10s %s, %s\n", "core", machine->core,
                   machine->core_features);
  add_memory(text, "shared", &machine->shared);
  add_memory(text, "psram", &machine->psram);
  add_memory(text, "flash", &machine->flash);
  luna_text_printf(text,
                   "  %-10s %u channel(s), %u outstanding, granule %" PRIu64
                   " bytes\n",
                   "dma", machine->dma_channels, machine->dma_outstanding,
                   machine->dma_granule_bytes);
  add_direction(text, "load", &machine->dma[0]);
  add_direction(text, "store", &machine->dma[1]);
  add_direction(text, "on chip", &machine->dma[2]);
  luna_text_printf(text,
                   "  %-10s %" PRIu64 " int8, %" PRIu64 " int16, %" PRIu64
                   " int32 products a cycle\n",
                   "unit", machine->macs_per_cycle_i8,
                   machine->macs_per_cycle_i16, machine->macs_per_cycle_i32);
  add_limits(text, "conv", &machine->conv);
  add_limits(text, "depthwise", &machine->depthwise);
  luna_text_printf(text,
                   "  %-10s left %" PRIu64 " bytes, right %" PRIu64
                   " bytes, %" PRIu64 " cycles a launch\n",
                   "matmul", machine->matmul.input_buffer_bytes,
                   machine->matmul.weight_buffer_bytes,
                   machine->matmul.launch_cycles);
  add_stream(text, "vector", machine->vector_launch_cycles,
             machine->vector_bytes_per_cycle);
  add_stream(text, "table", machine->table_launch_cycles,
             machine->table_bytes_per_cycle);
  add_stream(text, "copy", machine->copy_launch_cycles,
             machine->copy_bytes_per_cycle);
  add_stream(text, "fill", machine->fill_launch_cycles,
             machine->fill_bytes_per_cycle);
  luna_text_printf(text, "  %-10s %s\n", "requant",
                   machine->requant_multiplier ? "multiplier and shift"
                   : machine->requant_shift    ? "shift only"
                                               : "none");
  luna_text_printf(text,
                   "  %-10s %" PRIu64 " cycles an operator, %" PRIu64
                   " a launch, %" PRIu64 " to %" PRIu64
                   " a requantised element\n",
                   "host", luna_core_product_cycles(machine, false),
                   luna_core_launch_cycles(machine),
                   luna_core_cycles(machine, LUNA_HOST_SHIFT, 1),
                   luna_core_cycles(machine, LUNA_HOST_CHANNEL_DOUBLE, 1));
  if (machine->has_vector)
    luna_text_printf(text,
                     "  %-10s %" PRIu64 " to %" PRIu64
                     " a requantised element, by vector instructions\n",
                     "", (machine->vector_host[LUNA_HOST_SHIFT] + 50) / 100,
                     (machine->vector_host[LUNA_HOST_CHANNEL_DOUBLE] + 50) /
                         100);
}
