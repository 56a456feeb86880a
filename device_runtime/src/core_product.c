#include "core_border.h"
#include "core_chain.h"
#include "core_numbers.h"
#include "luna/core.h"

// Launches, and the requantisation of each tile that the unit leaves as sums.

// The other modes have nothing of each channel, whatever the record says.
static int has_table(const LunaCoreRequant *requant) {
  return requant->per_channel && (requant->mode == LUNA_REQUANT_MULTIPLIER ||
                                  requant->mode == LUNA_REQUANT_FLOAT);
}

// Returns the place of the shifts behind the multipliers; a table of scales has
// none.
static int32_t shifts_at(const LunaProductRecord *record) {
  return record->requant.mode == LUNA_REQUANT_MULTIPLIER
             ? record->table_strides[0]
             : 0;
}

// Requantises the tile of `launch`, whose channels are planes, each by the one
// multiplier of its channel.
static void requant_planes(const LunaProductRecord *record,
                           const LunaCoreRequant *requant,
                           const LunaLaunchRecord *launch,
                           const LunaProductOperands *operands) {
  const LunaCoreChannels no_channels = {0};
  const int32_t *table = operands->table, *sums = operands->scratch;
  const int32_t *strides = record->output_strides;
  int32_t rows = launch->tile[0], columns = launch->tile[1];
  int32_t count = rows * columns;
  LunaCoreRequant plane = *requant;
  if (has_table(requant)) {
    table += launch->channel * record->table_strides[1];
    plane.per_channel = 0;
  } else {
    table = 0;
  }
  if (strides[0] == columns * strides[1]) {
    columns = count; // the rows of the plane have one stride throughout
    rows = 1;
  }
  const LunaCoreRows each = {.rows = rows,
                             .columns = columns,
                             .stride = strides[1],
                             .row_stride = strides[0]};
  uint8_t *to = (uint8_t *)operands->output + launch->output_offset;
  for (int32_t c = 0; c < launch->out_channels; ++c) {
    if (table) {
      plane.multiplier = *table;
      plane.shift = table[shifts_at(record)];
      table += record->table_strides[1] * record->channel_step;
    }
    luna_core_requant_rows(&plane, &no_channels, sums, &each, to,
                           record->output_type);
    sums += count;
    to += strides[2] * luna_element_bytes(record->output_type);
  }
}

// Requantises the tile of `launch`, which is complete.
static void requant_tile(const LunaProductRecord *record,
                         const LunaCoreRequant *requant,
                         const LunaLaunchRecord *launch,
                         const LunaProductOperands *operands) {
  const int32_t *table = operands->table, *sums = operands->scratch;
  LunaCoreChannels channels = {0};
  if (luna_strides_have_planes(record->output_strides)) {
    requant_planes(record, requant, launch, operands);
    return;
  }
  if (has_table(requant)) {
    const int32_t *first = table + launch->channel * record->table_strides[1];
    channels = luna_core_channels(
        first, first + shifts_at(record),
        record->table_strides[1] * record->channel_step, launch->out_channels);
  }
  int32_t bytes = luna_element_bytes(record->output_type);
  int32_t row_bytes = record->output_strides[0] * bytes;
  int32_t count = launch->out_channels, columns = launch->tile[1];
  if (!requant->per_channel &&
      record->output_strides[1] == count * record->output_strides[2]) {
    count *= columns; // a row of the tile has one stride throughout
    columns = 1;
  }
  const LunaCoreRows rows = {.rows = columns,
                             .columns = count,
                             .stride = record->output_strides[2],
                             .row_stride = record->output_strides[1]};
  uint8_t *to = (uint8_t *)operands->output + launch->output_offset;
  for (int32_t y = 0; y < launch->tile[0]; ++y, to += row_bytes) {
    luna_core_requant_rows(requant, &channels, sums, &rows, to,
                           record->output_type);
    sums += columns * count;
  }
}

void luna_core_product(const LunaProductRecord *record,
                       const LunaProductOperands *operands) {
  const LunaLaunchRecord *launch = luna_record_launches(record);
  const LunaLaunchRecord *end = launch + record->launch_count;
  LunaCoreRequant requant;
  if (record->finish == LUNA_FINISH_CORE)
    requant = luna_core_requant_of(&record->requant);
  for (; launch != end; ++launch) {
    luna_unit_start(record, launch, operands);
    luna_unit_await();
    if (launch->flags & LUNA_LAUNCH_OTHER)
      luna_core_add_sums(launch, operands);
    if (!(launch->flags & LUNA_LAUNCH_LAST))
      continue;
    if (record->border_count > 0)
      luna_core_add_borders(record, launch, operands);
    if (record->finish == LUNA_FINISH_CORE)
      requant_tile(record, &requant, launch, operands);
    else if (luna_finish_has_calls(record->finish))
      luna_core_finish_tile(record, launch, operands);
  }
}
