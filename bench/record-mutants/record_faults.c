#include "record_faults.h"

#include <string.h>

#include "luna/vector_chain.h"

const char *record_fault_name(RecordFault kind) {
  static const char *const names[RECORD_FAULT_COUNT] = {
      [RECORD_ZERO_POINT] = "zero-point-changed",
      [RECORD_REQUANT] = "requant-changed",
      [RECORD_STRIDES] = "strides-exchanged",
      [LAUNCH_DROPPED] = "launch-dropped",
      [LAUNCHES_EXCHANGED] = "launches-exchanged",
      [LAUNCH_CHANNEL] = "channel-moved",
      [LAUNCH_CHANNELS] = "channels-fewer",
      [LAUNCH_PLACE] = "place-moved",
      [LAUNCH_FLAG] = "flag-changed",
      [LAUNCH_WINDOW] = "window-moved",
      [BORDER_MOVED] = "border-moved",
  };
  return kind < (RecordFault)LUNA_CHAIN_FAULT_COUNT
             ? luna_chain_fault_name((LunaChainFault)kind)
             : names[kind];
}

size_t record_bytes(const LunaProductRecord *record) {
  return sizeof *record + (size_t)luna_record_tail_bytes(record);
}

static LunaLaunchRecord *launch_at(LunaProductRecord *record, int32_t index) {
  return (LunaLaunchRecord *)(uintptr_t)luna_record_launches(record) + index;
}

// One more, and with odd numbers one less.
static int32_t step_of(int32_t index) { return index % 2 == 0 ? 1 : -1; }

//===- The operator -------------------------------------------------------===//

static bool change_zero_point(LunaProductRecord *record, int32_t index) {
  int32_t *const fields[] = {&record->input_zero_point,
                             &record->weight_zero_point};
  *fields[index / 2] += step_of(index);
  return true;
}

// What the core requantises by, or the launches.
static bool change_requant(LunaProductRecord *record, int32_t index) {
  LunaRequantDesc *requant = &record->requant;
  int32_t *const fields[] = {&requant->multiplier, &requant->shift,
                             &requant->output_zero_point, &requant->clamp_min,
                             &requant->clamp_max};
  bool has_scale = requant->mode == LUNA_REQUANT_MULTIPLIER ||
                   requant->mode == LUNA_REQUANT_FLOAT;
  bool has_shift = requant->mode == LUNA_REQUANT_MULTIPLIER ||
                   requant->mode == LUNA_REQUANT_SHIFT;
  int field = index / 2;
  if (luna_finish_has_calls(record->finish) ||
      requant->mode == LUNA_REQUANT_NONE ||
      (field == 0 && (!has_scale || requant->per_channel)) ||
      (field == 1 && (!has_shift || requant->per_channel)) ||
      (field == 1 && requant->shift + step_of(index) < 0))
    return false;
  *fields[field] += step_of(index);
  return true;
}

static bool exchange(int32_t *a, int32_t *b) {
  int32_t old = *a;
  if (*a == *b)
    return false;
  *a = *b;
  *b = old;
  return true;
}

// Those of y and x, or of x and channel.
static bool exchange_strides(LunaProductRecord *record, int32_t index) {
  int32_t *const pairs[][2] = {
      {&record->input_strides[0], &record->input_strides[1]},
      {&record->input_strides[1], &record->input_strides[2]},
      {&record->weight_strides[1], &record->weight_strides[2]},
      {&record->weight_strides[0], &record->weight_strides[3]},
      {&record->output_strides[0], &record->output_strides[1]},
      {&record->output_strides[1], &record->output_strides[2]},
      {&record->table_strides[0], &record->table_strides[1]},
  };
  return exchange(pairs[index][0], pairs[index][1]);
}

//===- Launches -----------------------------------------------------------===//

// Of a launch, where there are any; the calls move up.
static void drop_origin(LunaProductRecord *record, int32_t index) {
  uint8_t *origin = (uint8_t *)(uintptr_t)(luna_record_origins(record) + index);
  const uint8_t *end = (const uint8_t *)record + record_bytes(record);
  if (record->border_count > 0)
    memmove(origin, origin + sizeof(LunaOriginRecord),
            (size_t)(end - origin) - sizeof(LunaOriginRecord));
}

static bool drop_launch(LunaProductRecord *record, int32_t index) {
  uint8_t *launch = (uint8_t *)launch_at(record, index);
  size_t behind = record_bytes(record) - (size_t)(launch - (uint8_t *)record) -
                  sizeof(LunaLaunchRecord);
  if (record->launch_count == 1)
    return false;
  drop_origin(record, index);
  memmove(launch, launch + sizeof(LunaLaunchRecord), behind);
  --record->launch_count;
  return true;
}

static bool exchange_launches(LunaProductRecord *record, int32_t index) {
  LunaLaunchRecord *launch = launch_at(record, index);
  const LunaLaunchRecord old = *launch;
  if (index + 1 >= record->launch_count)
    return false;
  launch[0] = launch[1];
  launch[1] = old;
  return true;
}

// The bias and the table of the neighbour.
static bool move_channel(LunaProductRecord *record, int32_t index) {
  LunaLaunchRecord *launch = launch_at(record, index / 2);
  int32_t channel = launch->channel + step_of(index);
  if (channel < 0)
    return false;
  launch->channel = channel;
  return true;
}

static bool take_fewer_channels(LunaProductRecord *record, int32_t index) {
  LunaLaunchRecord *launch = launch_at(record, index / 2);
  uint16_t *channels =
      index % 2 == 0 ? &launch->out_channels : &launch->in_channels;
  if (*channels == 1)
    return false;
  --*channels;
  return true;
}

// By one element of a byte.
static bool move_place(LunaProductRecord *record, int32_t index) {
  LunaLaunchRecord *launch = launch_at(record, index / 8);
  int32_t *const fields[] = {&launch->input_offset, &launch->weight_offset,
                             &launch->output_offset, &launch->sums_offset};
  int field = index / 2 % 4;
  const int32_t bytes[] = {luna_element_bytes(record->input_type),
                           luna_element_bytes(record->weight_type),
                           luna_element_bytes(record->output_type), 1};
  bool has_sums = launch->flags & LUNA_LAUNCH_SUMS;
  if (field == 3 && !has_sums)
    return false;
  *fields[field] += step_of(index) * bytes[field];
  return true;
}

static bool change_flag(LunaProductRecord *record, int32_t index) {
  static const uint16_t flags[] = {LUNA_LAUNCH_FIRST, LUNA_LAUNCH_LAST,
                                   LUNA_LAUNCH_EMPTY};
  launch_at(record, index / 3)->flags ^= flags[index % 3];
  return true;
}

static bool move_window(LunaProductRecord *record, int32_t index) {
  LunaLaunchRecord *launch = launch_at(record, index / 8);
  int axis = index / 2 % 2;
  switch (index / 4 % 2) {
  case 0:
    launch->pad_before[axis] =
        (int16_t)(launch->pad_before[axis] + step_of(index));
    return true;
  default:
    if (launch->taps[axis] == 1 || index % 2 != 0)
      return false;
    --launch->taps[axis];
    return true;
  }
}

//===- Borders ------------------------------------------------------------===//

// By one row, column or channel.
static bool move_border(LunaProductRecord *record, int32_t index) {
  LunaBorderRecord *border =
      (LunaBorderRecord *)(uintptr_t)luna_record_borders(record) + index / 10;
  int field = index / 2 % 5;
  uint16_t *const fields[] = {&border->first[0], &border->first[1],
                              &border->count[0], &border->count[1]};
  if (field == 4)
    border->bias += step_of(index);
  else if (step_of(index) < 0 && *fields[field] == 0)
    return false;
  else
    *fields[field] = (uint16_t)(*fields[field] + step_of(index));
  return true;
}

//===- All ----------------------------------------------------------------===//

int32_t record_fault_limit(RecordFault kind, const LunaProductRecord *record) {
  switch (kind) {
  case RECORD_ZERO_POINT:
    return 4;
  case RECORD_REQUANT:
    return 10;
  case RECORD_STRIDES:
    return 7;
  case LAUNCH_DROPPED:
  case LAUNCHES_EXCHANGED:
    return record->launch_count;
  case LAUNCH_CHANNEL:
  case LAUNCH_CHANNELS:
    return 2 * record->launch_count;
  case LAUNCH_PLACE:
  case LAUNCH_WINDOW:
    return 8 * record->launch_count;
  case LAUNCH_FLAG:
    return 3 * record->launch_count;
  case BORDER_MOVED:
    return 10 * record->border_count;
  case RECORD_FAULT_COUNT:
    return 0;
  }
  return 2 * record->call_count; // of chains
}

bool record_fault_put(RecordFault kind, int32_t index,
                      LunaProductRecord *record) {
  static bool (*const put[RECORD_FAULT_COUNT])(LunaProductRecord *, int32_t) = {
      [RECORD_ZERO_POINT] = change_zero_point,
      [RECORD_REQUANT] = change_requant,
      [RECORD_STRIDES] = exchange_strides,
      [LAUNCH_DROPPED] = drop_launch,
      [LAUNCHES_EXCHANGED] = exchange_launches,
      [LAUNCH_CHANNEL] = move_channel,
      [LAUNCH_CHANNELS] = take_fewer_channels,
      [LAUNCH_PLACE] = move_place,
      [LAUNCH_FLAG] = change_flag,
      [LAUNCH_WINDOW] = move_window,
      [BORDER_MOVED] = move_border,
  };
  if (kind >= (RecordFault)LUNA_CHAIN_FAULT_COUNT)
    return put[kind](record, index);
  LunaVectorCall *calls =
      (LunaVectorCall *)(uintptr_t)luna_record_calls(record);
  return luna_chain_fault_put((LunaChainFault)kind, index, calls,
                              &record->call_count);
}
