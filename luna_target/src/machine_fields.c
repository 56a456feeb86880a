#include "machine_fields.h"

#include <stddef.h>
#include <string.h>

#include "luna/checked.h"
#include "luna/weight_layout.h"
#include "machine_calls.h"
#include "machine_values.h"

// The representation of a value.
typedef enum FieldKind { U32, U64, LIST, BOOLEAN, TEXT, SET } FieldKind;

typedef struct Field {
  const char *name;
  FieldKind kind;
  size_t offset;
  size_t bytes; // of a text
} Field;

#define FIELD(type, element, how, member)                                      \
  {.name = element, .kind = how, .offset = offsetof(type, member)}
#define TEXT_FIELD(type, element, member)                                      \
  {.name = element,                                                            \
   .kind = TEXT,                                                               \
   .offset = offsetof(type, member),                                           \
   .bytes = sizeof((type *)NULL)->member}

static const Field machine_fields[] = {
    FIELD(LunaMachine, "clock_hz", U64, clock_hz),
    FIELD(LunaMachine, "alignment_bytes", U64, alignment_bytes),
};
static const Field core_fields[] = {
    TEXT_FIELD(LunaMachine, "target", core),
    TEXT_FIELD(LunaMachine, "features", core_features),
};
static const Field memory_fields[] = {
    FIELD(LunaMemory, "bytes", U64, bytes),
    FIELD(LunaMemory, "base_address", U64, base_address),
};
static const Field dma_fields[] = {
    FIELD(LunaMachine, "channels", U32, dma_channels),
    FIELD(LunaMachine, "outstanding", U32, dma_outstanding),
    FIELD(LunaMachine, "granule_bytes", U64, dma_granule_bytes),
    FIELD(LunaMachine, "weights_max_bytes", U64, dma_weights_max_bytes),
};
static const Field direction_fields[] = {
    FIELD(LunaDmaCost, "startup_cycles", U64, startup_cycles),
};
static const Field throughput_fields[] = {
    FIELD(LunaMachine, "read_bytes_per_cycle", U64, read_bytes_per_cycle),
    FIELD(LunaMachine, "write_bytes_per_cycle", U64, write_bytes_per_cycle),
    FIELD(LunaMachine, "macs_per_cycle_i8", U64, macs_per_cycle_i8),
    FIELD(LunaMachine, "macs_per_cycle_i16", U64, macs_per_cycle_i16),
    FIELD(LunaMachine, "macs_per_cycle_i32", U64, macs_per_cycle_i32),
};
static const Field convolution_fields[] = {
    FIELD(LunaOperatorLimits, "kernel_max", U32, kernel_max),
    FIELD(LunaOperatorLimits, "strides", LIST, strides),
    FIELD(LunaOperatorLimits, "stride_above_kernel", BOOLEAN,
          stride_above_kernel),
    FIELD(LunaOperatorLimits, "pad_max", U32, pad_max),
    FIELD(LunaOperatorLimits, "dilations", LIST, dilations),
    FIELD(LunaOperatorLimits, "in_channel_align", U32, in_channel_align),
    FIELD(LunaOperatorLimits, "out_channel_align", U32, out_channel_align),
    FIELD(LunaOperatorLimits, "width_align_per_stride", U32,
          width_align_per_stride),
    FIELD(LunaOperatorLimits, "input_buffer_bytes", U64, input_buffer_bytes),
    FIELD(LunaOperatorLimits, "weight_buffer_bytes", U64, weight_buffer_bytes),
    FIELD(LunaOperatorLimits, "launch_cycles", U64, launch_cycles),
    FIELD(LunaOperatorLimits, "repeat_launch_cycles", U64,
          repeat_launch_cycles),
    FIELD(LunaOperatorLimits, "mac_rate_divisor", U32, mac_rate_divisor),
    FIELD(LunaOperatorLimits, "hold_cycles_per_granule", U32,
          hold_cycles_per_granule),
    FIELD(LunaOperatorLimits, "hold_cycles_per_kernel_column", U32,
          hold_cycles_per_kernel_column),
    FIELD(LunaOperatorLimits, "hold_cycles_per_channel_step", U32,
          hold_cycles_per_channel_step),
    TEXT_FIELD(LunaOperatorLimits, "weight_layout", calls.weight_layout),
    FIELD(LunaOperatorLimits, "weight_types", SET, calls.weight_bits),
    FIELD(LunaOperatorLimits, "output_types", SET, calls.output_bits),
    FIELD(LunaOperatorLimits, "input_memories", SET, calls.input_memories),
    FIELD(LunaOperatorLimits, "weight_memories", SET, calls.weight_memories),
    TEXT_FIELD(LunaOperatorLimits, "row_strips", calls.row_strips),
    FIELD(LunaOperatorLimits, "row_strips_plane_bytes", U64,
          calls.row_strips_plane_bytes),
};
static const Field matmul_fields[] = {
    FIELD(LunaOperatorLimits, "row_align", U32, width_align_per_stride),
    FIELD(LunaOperatorLimits, "depth_align", U32, in_channel_align),
    FIELD(LunaOperatorLimits, "column_align", U32, out_channel_align),
    FIELD(LunaOperatorLimits, "left_buffer_bytes", U64, input_buffer_bytes),
    FIELD(LunaOperatorLimits, "right_buffer_bytes", U64, weight_buffer_bytes),
    FIELD(LunaOperatorLimits, "launch_cycles", U64, launch_cycles),
    FIELD(LunaOperatorLimits, "repeat_launch_cycles", U64,
          repeat_launch_cycles),
    FIELD(LunaOperatorLimits, "mac_rate_divisor", U32, mac_rate_divisor),
    FIELD(LunaOperatorLimits, "hold_cycles_per_row_step", U32,
          hold_cycles_per_granule),
    FIELD(LunaOperatorLimits, "output_types", SET, calls.output_bits),
};
static const Field pool_fields[] = {
    FIELD(LunaPoolCalls, "kernel_max", U32, kernel_max),
    FIELD(LunaPoolCalls, "stride_max", U32, stride_max),
    FIELD(LunaPoolCalls, "pad_max", U32, pad_max),
    FIELD(LunaPoolCalls, "max_input_bytes", U64, max_input_bytes),
    FIELD(LunaPoolCalls, "mean_input_bytes", U64, mean_input_bytes),
    FIELD(LunaPoolCalls, "mean_output_types", SET, mean_output_bits),
};
static const Field requantisation_fields[] = {
    FIELD(LunaMachine, "shift", BOOLEAN, requant_shift),
    FIELD(LunaMachine, "multiplier", BOOLEAN, requant_multiplier),
    FIELD(LunaMachine, "channel_shift", BOOLEAN, requant_channel_shift),
};
static const Field host_fields[] = {
#define LUNA_HOST_COST(NAME, name, text)                                       \
  FIELD(LunaMachine, #name, U64, host[LUNA_HOST_##NAME]),
#include "luna/host_costs.def"
};

// A group of values: an element below `parent` (or below the root), and the
// part of LunaMachine that its offsets count from.
typedef struct Section {
  const char *parent, *name;
  const Field *fields;
  size_t count, offset;
} Section;

#define SECTION(up, element, list, member)                                     \
  {.parent = up,                                                               \
   .name = element,                                                            \
   .fields = list,                                                             \
   .count = sizeof list / sizeof list[0],                                      \
   .offset = offsetof(LunaMachine, member)}
#define SECTION_AT_START(element, list) SECTION(NULL, element, list, name)

static const Section sections[] = {
    SECTION_AT_START(NULL, machine_fields),
    SECTION_AT_START("core", core_fields),
    SECTION(NULL, "shared", memory_fields, shared),
    SECTION(NULL, "psram", memory_fields, psram),
    SECTION(NULL, "flash", memory_fields, flash),
    SECTION_AT_START("dma", dma_fields),
    SECTION("dma", "load", direction_fields, dma[0]),
    SECTION("dma", "store", direction_fields, dma[1]),
    SECTION("dma", "on_chip", direction_fields, dma[2]),
    SECTION_AT_START("throughput", throughput_fields),
    SECTION(NULL, "conv", convolution_fields, conv),
    SECTION(NULL, "depthwise", convolution_fields, depthwise),
    SECTION(NULL, "matmul", matmul_fields, matmul),
    SECTION(NULL, "pool", pool_fields, pool),
    SECTION_AT_START("requantisation", requantisation_fields),
    SECTION_AT_START("host", host_fields),
};

static void read_field(const xmlNode *node, const Field *field, char *base) {
  char *target = base + field->offset;
  switch (field->kind) {
  case U32:
    *(uint32_t *)(void *)target = (uint32_t)luna_machine_number(node, "value");
    break;
  case U64:
    *(uint64_t *)(void *)target = luna_machine_number(node, "value");
    break;
  case LIST:
    luna_machine_list_value(node, (uint32_t *)(void *)target);
    break;
  case BOOLEAN:
    *(bool *)(void *)target = luna_machine_boolean(node, "value");
    break;
  case SET:
    *(uint32_t *)(void *)target = luna_machine_set(node, "value");
    break;
  case TEXT:
    luna_machine_text(node, "value", target, field->bytes);
    break;
  }
}

static void read_section(const xmlNode *root, const Section *section,
                         LunaMachine *machine) {
  const xmlNode *node = root;
  if (section->parent)
    node = luna_machine_child(node, section->parent);
  if (section->name)
    node = luna_machine_child(node, section->name);
  for (size_t i = 0; i < section->count; ++i)
    read_field(luna_machine_child(node, section->fields[i].name),
               &section->fields[i], (char *)machine + section->offset);
}

// A set of host costs has those of the scalar code where it says no other.
static void read_vector(const xmlNode *root, LunaMachine *machine) {
  const xmlNode *vector =
      luna_machine_child(luna_machine_child(root, "host"), "vector_core");
  machine->has_vector = vector != NULL;
  memcpy(machine->vector_host, machine->host, sizeof machine->host);
  for (size_t i = 0; vector && i < LUNA_HOST_COST_COUNT; ++i) {
    const xmlNode *row = luna_machine_child(vector, host_fields[i].name);
    if (row)
      machine->vector_host[i] = luna_machine_number(row, "value");
  }
}

// Reads the fitted line and the measured table of one direction; the table
// must grow.
static bool read_direction(const xmlNode *node, const char *label,
                           LunaDmaCost *cost, LunaError *error) {
  const xmlNode *ratio = luna_machine_child(node, "cycles_per_byte");
  cost->cycles_numerator = luna_machine_number(ratio, "numerator");
  cost->cycles_denominator = luna_machine_number(ratio, "denominator");
  cost->point_count = 0;
  const xmlNode *table = luna_machine_child(node, "measured");
  if (!table)
    return true;
  for (xmlNode *at = table->children; at; at = at->next) {
    if (at->type != XML_ELEMENT_NODE)
      continue;
    if (cost->point_count == LUNA_DMA_POINTS_MAX)
      return luna_machine_refuse(label, at, "a table has at most 32 points",
                                 error);
    LunaDmaPoint *point = &cost->points[cost->point_count++];
    point->bytes = luna_machine_number(at, "bytes");
    point->cycles = luna_machine_number(at, "cycles");
    if (cost->point_count > 1 &&
        (point->bytes <= point[-1].bytes || point->cycles < point[-1].cycles))
      return luna_machine_refuse(
          label, at, "a table must grow from point to point", error);
  }
  return true;
}

static bool check_memory(const xmlNode *root, const char *label,
                         const LunaMachine *machine, LunaError *error) {
  if (machine->clock_hz == 0)
    return luna_machine_refuse(label, luna_machine_child(root, "clock_hz"),
                               "must not be 0", error);
  if (!luna_is_power_of_two((int64_t)machine->alignment_bytes))
    return luna_machine_refuse(label,
                               luna_machine_child(root, "alignment_bytes"),
                               "must be a power of two", error);
  if (!luna_is_power_of_two((int64_t)machine->dma_granule_bytes) ||
      machine->alignment_bytes % machine->dma_granule_bytes != 0)
    return luna_machine_refuse(
        label,
        luna_machine_child(luna_machine_child(root, "dma"), "granule_bytes"),
        "must be a power of two that divides alignment_bytes", error);
  return true;
}

// Launches of single taps and single outputs must be legal, so that every
// operator has a legal tiling.
static bool check_limits(const xmlNode *node, const char *label,
                         const LunaOperatorLimits *limits, LunaError *error) {
  uint64_t granule =
      (uint64_t)limits->in_channel_align * limits->width_align_per_stride;
  if (limits->strides[0] != 1)
    return luna_machine_refuse(label, luna_machine_child(node, "strides"),
                               "must start with 1", error);
  if (limits->dilations[0] != 1)
    return luna_machine_refuse(label, luna_machine_child(node, "dilations"),
                               "must start with 1", error);
  if (limits->input_buffer_bytes > 0 &&
      limits->input_buffer_bytes < 4 * granule)
    return luna_machine_refuse(
        label, luna_machine_child(node, "input_buffer_bytes"),
        "must hold one aligned pixel of 32-bit elements", error);
  granule = (uint64_t)limits->in_channel_align * limits->out_channel_align;
  if (limits->weight_buffer_bytes > 0 &&
      limits->weight_buffer_bytes < 4 * granule)
    return luna_machine_refuse(
        label, luna_machine_child(node, "weight_buffer_bytes"),
        "must hold one aligned tap of 32-bit elements", error);
  return true;
}

static bool check_layout(const xmlNode *node, const char *label,
                         const LunaOperatorLimits *limits, LunaError *error) {
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS];
  return luna_weight_layout_read(limits->calls.weight_layout, layout) ||
         luna_machine_refuse(label, luna_machine_child(node, "weight_layout"),
                             "must name each of o (or c), h and w once, and "
                             "the extent of each block",
                             error);
}

static bool check_matmul(const xmlNode *node, const char *label,
                         const LunaOperatorLimits *limits, LunaError *error) {
  uint64_t depth = limits->in_channel_align;
  if (limits->input_buffer_bytes > 0 &&
      limits->input_buffer_bytes < 4 * depth * limits->width_align_per_stride)
    return luna_machine_refuse(
        label, luna_machine_child(node, "left_buffer_bytes"),
        "must hold one aligned row of 32-bit elements", error);
  if (limits->weight_buffer_bytes > 0 &&
      limits->weight_buffer_bytes < 4 * depth * limits->out_channel_align)
    return luna_machine_refuse(
        label, luna_machine_child(node, "right_buffer_bytes"),
        "must hold one aligned column of 32-bit elements", error);
  return true;
}

bool luna_machine_fields_read(const xmlDoc *document, const char *label,
                              LunaMachine *machine, LunaError *error) {
  static const char *const directions[LUNA_DMA_DIRECTION_COUNT] = {
      "load", "store", "on_chip"};
  const xmlNode *root = xmlDocGetRootElement(document);
  *machine = (LunaMachine){0};
  xmlChar *name = xmlGetNoNsProp(root, (const xmlChar *)"name");
  strncpy(machine->name, (const char *)name, sizeof machine->name - 1);
  xmlFree(name);
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i)
    read_section(root, &sections[i], machine);
  read_vector(root, machine);
  luna_machine_count_sources(root, machine);
  const xmlNode *dma = luna_machine_child(root, "dma");
  for (int i = 0; i < LUNA_DMA_DIRECTION_COUNT; ++i)
    if (!read_direction(luna_machine_child(dma, directions[i]), label,
                        &machine->dma[i], error))
      return false;
  return luna_machine_calls_read(luna_machine_child(root, "calls"), label,
                                 machine, error) &&
         check_memory(root, label, machine, error) &&
         check_limits(luna_machine_child(root, "conv"), label, &machine->conv,
                      error) &&
         check_limits(luna_machine_child(root, "depthwise"), label,
                      &machine->depthwise, error) &&
         check_layout(luna_machine_child(root, "conv"), label, &machine->conv,
                      error) &&
         check_layout(luna_machine_child(root, "depthwise"), label,
                      &machine->depthwise, error) &&
         check_matmul(luna_machine_child(root, "matmul"), label,
                      &machine->matmul, error);
}
