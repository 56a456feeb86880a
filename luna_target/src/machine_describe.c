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

// Widths of a set, as "8,32".
static void add_widths(LunaText *text, uint32_t set) {
  const char *separator = "";
  for (uint32_t bits = 4; bits <= 64; bits *= 2) {
    if ((set & bits) == 0)
      continue;
    luna_text_printf(text, "%s%u", separator, bits);
    separator = ",";
  }
}

static void add_memories(LunaText *text, uint32_t set) {
  luna_text_printf(text, "%s%s%s", set & LUNA_IN_SHARED ? " shared" : "",
                   set & LUNA_IN_PSRAM ? " psram" : "",
                   set & LUNA_IN_FLASH ? " flash" : "");
}

static void add_product_calls(LunaText *text, const LunaProductCalls *calls) {
  luna_text_printf(text, "  %-10s weights %s of ", "", calls->weight_layout);
  add_widths(text, calls->weight_bits);
  luna_text_printf(text, " bits, results of ");
  add_widths(text, calls->output_bits);
  luna_text_printf(text, ", inputs in");
  add_memories(text, calls->input_memories);
  luna_text_printf(text, ", weights in");
  add_memories(text, calls->weight_memories);
  luna_text_printf(text, ", rows cut by the %s\n", calls->row_strips);
}

static void add_limit_bytes(LunaText *text, const char *name, uint64_t bytes) {
  if (bytes > 0)
    luna_text_printf(text, ", %s up to %" PRIu64 " bytes", name, bytes);
}

static void add_pool(LunaText *text, const LunaPoolCalls *pool) {
  luna_text_printf(text,
                   "  %-10s kernel 1..%u, stride 1..%u, pad 0..%u, means of ",
                   "pool", pool->kernel_max, pool->stride_max, pool->pad_max);
  add_widths(text, pool->mean_output_bits);
  luna_text_printf(text, " bits");
  add_limit_bytes(text, "max", pool->max_input_bytes);
  add_limit_bytes(text, "mean", pool->mean_input_bytes);
  luna_text_printf(text, "\n");
}

// As "32>8,32 476+n/2 in place".
static void add_call(LunaText *text, const LunaUnitCall *call) {
  luna_text_printf(text, "%u>", call->input_bits);
  add_widths(text, call->output_bits);
  luna_text_printf(text, " %u+", call->fixed_cycles);
  luna_text_printf(text, call->cycles == 1 ? "n" : "%un", call->cycles);
  if (call->elements > 1)
    luna_text_printf(text, "/%u", call->elements);
  if (call->line_cycles > 0)
    luna_text_printf(text, "+%u*lines", call->line_cycles);
  if (call->max_bytes > 0)
    luna_text_printf(text, " to %" PRIu64 " bytes", call->max_bytes);
  luna_text_printf(text, call->in_place ? " in place" : "");
}

// A line for each name.
static void add_calls(LunaText *text, const LunaMachine *machine) {
  const char *heading = "calls";
  for (LunaCallName name = 0; name < LUNA_CALL_NAME_COUNT; ++name) {
    const char *separator = " ";
    for (uint32_t i = 0; i < machine->call_count; ++i) {
      if (machine->calls[i].name != name)
        continue;
      if (separator[0] == ' ')
        luna_text_printf(text, "  %-10s %-14s", heading, luna_call_name(name));
      luna_text_printf(text, "%s", separator);
      add_call(text, &machine->calls[i]);
      separator = "; ";
      heading = "";
    }
    luna_text_printf(text, separator[0] == ';' ? "\n" : "");
  }
}

// Activations by table.
static void add_table(LunaText *text, const LunaMachine *machine) {
  if (luna_machine_call(machine, LUNA_CALL_LUT, 8, 8))
    luna_text_printf(text, "  %-10s by a call of the unit\n", "table");
  else
    luna_text_printf(
        text, "  %-10s by the core, %" PRIu64 " cycles an element\n", "table",
        luna_core_cycles(machine, LUNA_HOST_TABLE_ENTRY, 1));
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
  add_product_calls(text, &machine->conv.calls);
  add_limits(text, "depthwise", &machine->depthwise);
  add_product_calls(text, &machine->depthwise.calls);
  luna_text_printf(text,
                   "  %-10s left %" PRIu64 " bytes, right %" PRIu64
                   " bytes, %" PRIu64 " cycles a launch\n",
                   "matmul", machine->matmul.input_buffer_bytes,
                   machine->matmul.weight_buffer_bytes,
                   machine->matmul.launch_cycles);
  add_pool(text, &machine->pool);
  add_table(text, machine);
  luna_text_printf(text, "  %-10s %s%s\n", "requant",
                   machine->requant_multiplier ? "multiplier and shift"
                   : machine->requant_shift    ? "shift only"
                                               : "none",
                   machine->requant_channel_shift
                       ? "; the library also a shift a channel"
                       : "");
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
  add_calls(text, machine);
  luna_text_printf(text, "  %-10s %u of %u values\n", "assumed",
                   machine->assumed_count, machine->value_count);
}
