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

// What the core does with the sums of a tile, which the unit needs nothing of.
static void work_on_sums(const LunaProductRecord *record,
                         const LunaCoreRequant *requant,
                         const LunaLaunchRecord *launch,
                         const LunaProductOperands *operands) {
  if (record->border_count > 0)
    luna_core_add_borders(record, launch, operands);
  if (record->finish == LUNA_FINISH_CORE)
    requant_tile(record, requant, launch, operands);
}

//===- One tile after the other -------------------------------------------===//

static void run_in_turn(const LunaProductRecord *record,
                        const LunaCoreRequant *requant,
                        const LunaProductOperands *operands) {
  const LunaLaunchRecord *launch = luna_record_launches(record);
  const LunaLaunchRecord *end = launch + record->launch_count;
  for (; launch != end; ++launch) {
    luna_unit_start(record, launch, operands);
    luna_unit_await();
    if (launch->flags & LUNA_LAUNCH_OTHER)
      luna_core_add_sums(launch, operands);
    if (!(launch->flags & LUNA_LAUNCH_LAST))
      continue;
    work_on_sums(record, requant, launch, operands);
    if (luna_finish_has_calls(record->finish))
      luna_core_finish_tile(record, launch, launch->out_channels, operands);
  }
}

//===- Slots --------------------------------------------------------------===//

// The scratch has slots for tiles: the core's part of one is left for when the
// first launch of the next has started.
typedef struct Slots {
  const LunaProductRecord *record;
  const LunaCoreRequant *requant;
  // With the slot of this tile as scratch, and of the one before.
  LunaProductOperands operands, before;
  uint8_t *scratch;
  const LunaLaunchRecord *left;  // the last launch of the tile before, or 0
  const LunaLaunchRecord *first; // of the tile in slot 0
  int32_t slot, channels;        // of complete tiles in slots
} Slots;

// Computes a launch, and meanwhile the core's part of the tile before.
static void run_launch(Slots *slots, const LunaLaunchRecord *launch) {
  luna_unit_start(slots->record, launch, &slots->operands);
  if (slots->left) {
    work_on_sums(slots->record, slots->requant, slots->left, &slots->before);
    slots->left = 0;
  }
  luna_unit_await();
  if (launch->flags & LUNA_LAUNCH_OTHER)
    luna_core_add_sums(launch, &slots->operands);
}

static void select_slot(Slots *slots, int32_t slot) {
  slots->slot = slot;
  slots->operands.scratch = slots->scratch + slot * slots->record->slot_bytes;
}

// Leaves the core's part of a tile for the next launch, or does it where calls
// finish what is in the slots, and at the end.
static void complete_tile(Slots *slots, const LunaLaunchRecord *launch,
                          int is_end) {
  const LunaProductRecord *record = slots->record;
  int has_calls = luna_finish_has_calls(record->finish);
  int is_full = slots->slot + 1 == record->slots;
  if (slots->slot == 0)
    slots->first = launch;
  slots->channels += launch->out_channels;
  if (!is_end && !(is_full && has_calls)) {
    slots->left = launch;
    slots->before.scratch = slots->operands.scratch;
    select_slot(slots, is_full ? 0 : slots->slot + 1);
    return;
  }
  work_on_sums(record, slots->requant, launch, &slots->operands);
  select_slot(slots, 0);
  if (has_calls)
    luna_core_finish_tile(record, slots->first, slots->channels,
                          &slots->operands);
  slots->channels = 0;
}

static void run_in_slots(const LunaProductRecord *record,
                         const LunaCoreRequant *requant,
                         const LunaProductOperands *operands) {
  const LunaLaunchRecord *launch = luna_record_launches(record);
  const LunaLaunchRecord *end = launch + record->launch_count;
  Slots slots;
  slots.record = record;
  slots.requant = requant;
  slots.operands = slots.before = *operands;
  slots.scratch = operands->scratch;
  slots.left = 0;
  slots.slot = slots.channels = 0;
  for (; launch != end; ++launch) {
    run_launch(&slots, launch);
    if (launch->flags & LUNA_LAUNCH_LAST)
      complete_tile(&slots, launch, launch + 1 == end);
  }
}

void luna_core_product(const LunaProductRecord *record,
                       const LunaProductOperands *operands) {
  LunaCoreRequant requant;
  if (record->finish == LUNA_FINISH_CORE)
    requant = luna_core_requant_of(&record->requant);
  if (record->slots > 1)
    run_in_slots(record, &requant, operands);
  else
    run_in_turn(record, &requant, operands);
}
