#include "machine_calls.h"

#include <stdio.h>
#include <string.h>

#include "machine_values.h"

// The schema knows no other names.
static LunaCallName name_of(const char *word) {
  LunaCallName name = LUNA_CALL_ADD;
  while (strcmp(luna_call_name(name), word) != 0)
    ++name;
  return name;
}

static LunaUnitCall read_call(const xmlNode *row) {
  char name[24] = {0};
  luna_machine_text(row, "name", name, sizeof name);
  return (LunaUnitCall){
      .name = name_of(name),
      .input_bits = luna_machine_set(row, "in"),
      .output_bits = luna_machine_set(row, "out"),
      .fixed_cycles = (uint32_t)luna_machine_number(row, "fixed_cycles"),
      .cycles = (uint32_t)luna_machine_number(row, "cycles"),
      .elements = (uint32_t)luna_machine_number(row, "elements"),
      .line_cycles = (uint32_t)luna_machine_number(row, "line_cycles"),
      .max_bytes = luna_machine_number(row, "max_bytes"),
      .in_place = luna_machine_boolean(row, "in_place"),
  };
}

// What launches of a class cost by the row for int8: a rate in whole bytes.
typedef struct StreamCost {
  LunaCallName name;
  uint64_t *launch_cycles, *bytes_per_cycle;
} StreamCost;

static bool read_stream(const xmlNode *section, const char *label,
                        const StreamCost *cost, const LunaMachine *machine,
                        LunaError *error) {
  const LunaUnitCall *call = luna_machine_call(machine, cost->name, 8, 8);
  if (!call || call->cycles == 0 || call->elements < call->cycles) {
    char what[80];
    snprintf(what, sizeof what,
             "must have '%s' from i8 to i8, of at least an element a cycle",
             luna_call_name(cost->name));
    return luna_machine_refuse(label, section, what, error);
  }
  *cost->launch_cycles = call->fixed_cycles;
  *cost->bytes_per_cycle = call->elements / call->cycles;
  return true;
}

bool luna_machine_calls_read(const xmlNode *section, const char *label,
                             LunaMachine *machine, LunaError *error) {
  const StreamCost streams[] = {
      {LUNA_CALL_ADD, &machine->vector_launch_cycles,
       &machine->vector_bytes_per_cycle},
      {LUNA_CALL_MEMCPY, &machine->copy_launch_cycles,
       &machine->copy_bytes_per_cycle},
      {LUNA_CALL_MEMSET, &machine->fill_launch_cycles,
       &machine->fill_bytes_per_cycle},
  };
  for (const xmlNode *at = section->children; at; at = at->next)
    if (at->type == XML_ELEMENT_NODE)
      machine->calls[machine->call_count++] = read_call(at);
  for (size_t i = 0; i < sizeof streams / sizeof streams[0]; ++i)
    if (!read_stream(section, label, &streams[i], machine, error))
      return false;
  const LunaUnitCall *table = luna_machine_call(machine, LUNA_CALL_LUT, 8, 8);
  machine->vector_in_place =
      luna_machine_call(machine, LUNA_CALL_ADD, 8, 8)->in_place;
  machine->table_in_place = !table || table->in_place;
  return true;
}

void luna_machine_count_sources(const xmlNode *root, LunaMachine *machine) {
  static const char assumed[] = "assumed";
  for (const xmlNode *at = root->children; at; at = at->next) {
    if (at->type != XML_ELEMENT_NODE)
      continue;
    char source[sizeof assumed] = {0};
    luna_machine_text(at, "source", source, sizeof source);
    machine->value_count += source[0] != 0;
    machine->assumed_count += !strcmp(source, assumed);
    luna_machine_count_sources(at, machine);
  }
}
