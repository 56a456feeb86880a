#include "luna/core_cost.h"

#include "core_part.h"
#include "luna/border_lines.h"
#include "luna/eltwise_rows.h"
#include "luna/tiles.h"

// The loops of device_runtime/src, counted. An average takes channels in pieces
// of so many.
enum { PIECE = 64 };

// From this shift on, a product's upper half is enough (core_requant.c).
enum { HIGH_SHIFT = 33 };

static LunaHostCost element_cost(const LunaRequantDesc *requant) {
  bool is_double = requant->rounding == LUNA_ROUND_DOUBLE;
  switch ((LunaRequantMode)requant->mode) {
  case LUNA_REQUANT_NONE:
    return LUNA_HOST_UNSCALED;
  case LUNA_REQUANT_SHIFT:
    return requant->shift > 0 ? LUNA_HOST_SHIFT : LUNA_HOST_LEFT_SHIFT;
  case LUNA_REQUANT_MULTIPLIER:
    // Shifts of channels are data; hardly any is small.
    if (requant->per_channel)
      return is_double ? LUNA_HOST_CHANNEL_DOUBLE : LUNA_HOST_CHANNEL;
    if (requant->shift < HIGH_SHIFT)
      return LUNA_HOST_SMALL_SHIFT;
    return is_double ? LUNA_HOST_MULTIPLIER_DOUBLE : LUNA_HOST_MULTIPLIER;
  case LUNA_REQUANT_FLOAT:
    return LUNA_HOST_SCALE;
  }
  return LUNA_HOST_UNSCALED;
}

//===- Calls --------------------------------------------------------------===//

uint64_t luna_core_entry_cycles(const LunaMachine *machine, uint64_t pointers) {
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_ENTRY, 1) +
      luna_core_part(machine, LUNA_HOST_POINTER, pointers));
}

uint64_t luna_core_call_cycles(const LunaMachine *machine, LunaHostCost cost) {
  return luna_core_in_cycles(luna_core_part(machine, LUNA_HOST_CALL, 1) +
                             luna_core_part(machine, cost, 1));
}

uint64_t luna_core_product_cycles(const LunaMachine *machine,
                                  LunaFinish finish) {
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_PRODUCT_CALL, 1) +
      luna_core_part(machine, LUNA_HOST_OPERATOR, 1) +
      luna_core_part(machine, LUNA_HOST_REQUANT, finish == LUNA_FINISH_CORE));
}

//===- Tiles --------------------------------------------------------------===//

// A plane has one multiplier, that of its channel.
static LunaHostCost plane_cost(const LunaRequantDesc *requant) {
  if (!requant->per_channel || requant->mode != LUNA_REQUANT_MULTIPLIER)
    return element_cost(requant);
  return requant->rounding == LUNA_ROUND_DOUBLE ? LUNA_HOST_MULTIPLIER_DOUBLE
                                                : LUNA_HOST_MULTIPLIER;
}

LunaCoreTile luna_core_tile(const LunaRequantDesc *requant,
                            const int32_t strides[3]) {
  bool is_scaled = requant->mode == LUNA_REQUANT_MULTIPLIER ||
                   requant->mode == LUNA_REQUANT_FLOAT;
  bool has_planes = luna_strides_have_planes(strides);
  return (LunaCoreTile){
      .element = has_planes ? plane_cost(requant) : element_cost(requant),
      .has_planes = has_planes,
      .has_table = requant->per_channel && is_scaled,
      .has_rows =
          requant->per_channel && requant->mode == LUNA_REQUANT_MULTIPLIER,
      .is_per_channel = requant->per_channel,
      .strides = {strides[0], strides[1], strides[2]},
  };
}

// Returns the hundredths of cycles of a tile beside its elements, plane by
// plane.
static uint64_t planes_part(const LunaMachine *machine,
                            const LunaCoreTile *tile, uint64_t rows,
                            uint64_t columns, uint64_t channels) {
  bool is_joined = tile->strides[0] == (int64_t)columns * tile->strides[1];
  return luna_core_part(machine, LUNA_HOST_TILE, 1) +
         luna_core_part(machine, LUNA_HOST_PLANE, channels) +
         luna_core_part(machine, LUNA_HOST_ROW,
                        is_joined ? channels : channels * rows);
}

// The same, row by row.
static uint64_t rows_part(const LunaMachine *machine, const LunaCoreTile *tile,
                          uint64_t rows, uint64_t columns, uint64_t channels) {
  bool is_joined = !tile->is_per_channel &&
                   tile->strides[1] == (int64_t)channels * tile->strides[2];
  return luna_core_part(machine, LUNA_HOST_TILE, 1) +
         luna_core_part(machine, LUNA_HOST_TILE_CHANNEL,
                        tile->has_table ? channels : 0) +
         luna_core_part(machine, LUNA_HOST_ROW,
                        is_joined || tile->has_rows ? rows : rows * columns) +
         luna_core_part(machine, LUNA_HOST_CHANNEL_ROW,
                        tile->has_rows ? rows * columns : 0);
}

uint64_t luna_core_tile_cycles(const LunaMachine *machine,
                               const LunaCoreTile *tile, uint64_t rows,
                               uint64_t columns, uint64_t channels) {
  uint64_t beside = tile->has_planes
                        ? planes_part(machine, tile, rows, columns, channels)
                        : rows_part(machine, tile, rows, columns, channels);
  return luna_core_in_cycles(
      beside +
      luna_core_part(machine, tile->element, rows * columns * channels));
}

//===- Borders ------------------------------------------------------------===//

// Adds a line; where channels lie side by side, the core loops over those of
// each place.
static void add_line(LunaCoreBorders *all, const LunaBorderLine *line,
                     bool has_planes) {
  uint64_t rows = (uint64_t)line->count[0], columns = (uint64_t)line->count[1];
  uint64_t sums = rows * columns;
  if (!has_planes || sums == 1) {
    all->places += sums;
    all->loops += has_planes ? 0 : sums;
  } else if (columns == 1) {
    all->column += sums;
    all->loops += 1;
  } else if (luna_border_is_sides(line)) {
    all->sides += sums;
    all->loops += 1;
  } else {
    all->row += sums;
    all->loops += rows;
  }
}

LunaCoreBorders luna_core_borders(const LunaBorderRecord *borders,
                                  int32_t count, const LunaOriginRecord *origin,
                                  const LunaLaunchRecord *launch,
                                  bool has_planes) {
  LunaCoreBorders all = {0};
  LunaBorderLine line = luna_border_no_line(), next;
  for (int32_t i = 0; i < count; ++i) {
    if (!luna_border_in_tile(&borders[i], origin, launch, next.first,
                             next.count))
      continue;
    next.lead = next.middle = next.tail = borders[i].bias;
    ++all.borders;
    if (has_planes && luna_border_join(&line, &next, launch->tile[1]))
      continue;
    add_line(&all, &line, has_planes);
    line = next;
  }
  add_line(&all, &line, has_planes);
  return all;
}

uint64_t luna_core_border_cycles(const LunaMachine *machine,
                                 const LunaCoreTile *tile,
                                 const LunaCoreBorders *borders,
                                 uint64_t channels) {
  uint64_t loops = borders->loops * (tile->has_planes ? channels : 1);
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_BORDER_TILE, 1) +
      luna_core_part(machine, LUNA_HOST_BORDER, borders->borders) +
      luna_core_part(machine, LUNA_HOST_BORDER_LOOP, loops) +
      luna_core_part(machine, LUNA_HOST_BORDER_PLACE,
                     borders->places * channels) +
      luna_core_part(machine, LUNA_HOST_BORDER_ROW, borders->row * channels) +
      luna_core_part(machine, LUNA_HOST_BORDER_COLUMN,
                     borders->column * channels) +
      luna_core_part(machine, LUNA_HOST_BORDER_SIDES,
                     borders->sides * channels));
}

//===- Elementwise operators ----------------------------------------------===//

static uint64_t rows_of(const LunaTensorDesc *desc) {
  return (uint64_t)desc->dims[0] * (uint64_t)desc->dims[1] *
         (uint64_t)desc->dims[2];
}

// Returns how many pieces of `most` elements `count` take.
static uint64_t pieces_of(uint64_t count, int32_t most) {
  return (count + (uint64_t)most - 1) / (uint64_t)most;
}

// Returns the hundredths of cycles of `count` elements of an operand that is
// loaded alone.
static uint64_t wide_part(const LunaMachine *machine,
                          const LunaTensorDesc *desc, int32_t multiplier,
                          uint64_t count) {
  LunaHostCost load =
      desc->type == LUNA_TYPE_I8 ? LUNA_HOST_OPERAND : LUNA_HOST_WIDE_OPERAND;
  return luna_core_part(machine, load, count) +
         luna_core_part(machine, LUNA_HOST_WIDE_SCALE,
                        multiplier != 0 ? count : 0);
}

// Returns the hundredths of cycles of `count` elements until they are
// requantised.
static uint64_t operands_part(const LunaMachine *machine,
                              const LunaEltwiseDesc *desc, LunaScaleForm form,
                              uint64_t count) {
  switch (form) {
  case LUNA_SCALE_LINEAR:
    return luna_core_part(machine, LUNA_HOST_OPERAND, 2 * count);
  case LUNA_SCALE_SHALLOW:
    return luna_core_part(machine, LUNA_HOST_OPERAND, 2 * count) +
           luna_core_part(machine, LUNA_HOST_INPUT_SCALE, count);
  case LUNA_SCALE_DEEP:
    return luna_core_part(machine, LUNA_HOST_DEEP_SCALE, 2 * count);
  case LUNA_SCALE_WIDE:
    return wide_part(machine, &desc->lhs, desc->lhs_multiplier, count) +
           wide_part(machine, &desc->rhs, desc->rhs_multiplier, count);
  case LUNA_SCALE_SUM:
    return luna_core_part(machine, LUNA_HOST_SUM, count);
  }
  return 0;
}

// Returns the parts of a row.
static uint64_t parts_of(const LunaEltwiseRows *rows, int32_t most) {
  uint64_t parts = 0;
  for (int32_t first = 0; first < rows->output.dims[3]; ++parts)
    first = luna_eltwise_part_end(rows, first, most);
  return parts;
}

// Returns the hundredths of cycles of requantising sums piece by piece, or a
// table of them.
static uint64_t requant_part(const LunaMachine *machine,
                             const LunaRequantDesc *requant,
                             const LunaEltwiseRows *rows, LunaScaleForm form) {
  LunaHostCost element = element_cost(requant);
  uint64_t count = rows_of(&rows->output);
  uint64_t columns = (uint64_t)rows->output.dims[3];
  int32_t most = luna_eltwise_piece(form);
  if (form == LUNA_SCALE_SUM)
    return luna_core_part(machine, LUNA_HOST_SUM_TABLE, 1) +
           luna_core_part(machine, element, LUNA_SUM_ENTRIES);
  uint64_t pieces = luna_eltwise_is_dense(rows)
                        ? pieces_of(count * columns, most)
                        : count * pieces_of(columns, most);
  return luna_core_part(machine, LUNA_HOST_PIECE, pieces) +
         luna_core_part(machine, element, count * columns);
}

uint64_t luna_core_eltwise_cycles(const LunaMachine *machine,
                                  const LunaEltwiseDesc *desc) {
  LunaEltwiseRows rows;
  luna_eltwise_join_rows(desc, &rows);
  LunaScaleForm form = luna_eltwise_form(desc);
  uint64_t count = rows_of(&rows.output);
  uint64_t elements = count * (uint64_t)rows.output.dims[3];
  uint64_t parts = count * parts_of(&rows, luna_eltwise_piece(form));
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_CALL, 1) +
      luna_core_part(machine, LUNA_HOST_ELTWISE, 1) +
      luna_core_part(machine, LUNA_HOST_PART, parts) +
      operands_part(machine, desc, form, elements) +
      requant_part(machine, &desc->requant, &rows, form));
}

//===- Operators of one launch --------------------------------------------===//

// luna_core_table_cycles, and all that have LUNA_UNIT_LAUNCH in luna/units.def:
// rows of the output, joined where they lie side by side.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  uint64_t luna_core_##name##_cycles(const LunaMachine *machine,               \
                                     const Luna##Type##Desc *desc) {           \
    LunaTensorDesc input = desc->input, output = desc->output;                 \
    luna_join_rows(&input, &output);                                           \
    uint64_t rows = rows_of(&output);                                          \
    return luna_core_in_cycles(                                                \
        luna_core_part(machine, LUNA_HOST_CALL, 1) +                           \
        luna_core_part(machine, LUNA_HOST_##CLASS, 1) +                        \
        luna_core_part(machine, LUNA_HOST_##CLASS##_ROW, rows) +               \
        luna_core_part(machine, LUNA_HOST_##CLASS##_ENTRY,                     \
                       rows * (uint64_t)output.dims[3]));                      \
  }
#include "luna/units.def"

//===- Averages -----------------------------------------------------------===//

// The part of a window along an axis that lies in the input.
static int64_t places_at(const LunaPoolDesc *desc, int axis, int32_t index) {
  int64_t first = (int64_t)index * desc->stride[axis] - desc->pad[2 * axis];
  int64_t end = first + desc->kernel[axis];
  first = first > 0 ? first : 0;
  end = end < desc->input.dims[1 + axis] ? end : desc->input.dims[1 + axis];
  return end > first ? end - first : 0;
}

// Returns the places of all windows along an axis that lie in the input.
static uint64_t places_along(const LunaPoolDesc *desc, int axis) {
  int64_t places = 0;
  for (int32_t i = 0; i < desc->output.dims[1 + axis]; ++i)
    places += places_at(desc, axis, i);
  return (uint64_t)places;
}

// Returns how many windows have other many places than the one before, for
// each of which a reciprocal is computed.
static uint64_t changes_of(const LunaPoolDesc *desc) {
  int32_t rows = desc->output.dims[1], columns = desc->output.dims[2];
  uint64_t in_row = 0, changes = 0;
  for (int32_t x = 1; x < columns; ++x)
    in_row += places_at(desc, 1, x) != places_at(desc, 1, x - 1);
  int64_t last = 0;
  for (int32_t y = 0; y < rows; ++y) {
    int64_t height = places_at(desc, 0, y);
    changes += in_row + (height * places_at(desc, 1, 0) != last);
    last = height * places_at(desc, 1, columns - 1);
  }
  return changes;
}

// The reciprocal of n elements is shifted by 30 and the bits of n - 1.
static LunaHostCost average_cost(const LunaPoolDesc *desc) {
  return (int64_t)desc->kernel[0] * desc->kernel[1] <= 1 << (HIGH_SHIFT - 31)
             ? LUNA_HOST_SMALL_SHIFT
             : LUNA_HOST_MULTIPLIER;
}

uint64_t luna_core_average_cycles(const LunaMachine *machine,
                                  const LunaPoolDesc *desc) {
  uint64_t rows = rows_of(&desc->output),
           channels = (uint64_t)desc->output.dims[3];
  uint64_t pieces = pieces_of(channels, PIECE);
  uint64_t places = (uint64_t)desc->output.dims[0] * places_along(desc, 0) *
                    places_along(desc, 1);
  return luna_core_in_cycles(
      luna_core_part(machine, LUNA_HOST_CALL, 1) +
      luna_core_part(machine, LUNA_HOST_AVERAGE, 1) +
      luna_core_part(machine, LUNA_HOST_WINDOW, rows * pieces) +
      luna_core_part(machine, LUNA_HOST_WINDOW_CHANGE,
                     (uint64_t)desc->output.dims[0] * changes_of(desc)) +
      luna_core_part(machine, LUNA_HOST_WINDOW_PLACE, places * pieces) +
      luna_core_part(machine, LUNA_HOST_WINDOW_ELEMENT, places * channels) +
      luna_core_part(machine, LUNA_HOST_WINDOW_OUTPUT, rows * channels) +
      luna_core_part(machine, average_cost(desc), rows * channels));
}
