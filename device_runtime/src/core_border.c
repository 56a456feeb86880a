#include "core_border.h"

#include "core_numbers.h"
#include "luna/core.h"

// What sums lack whose windows reach padding, where the bias has taken up the
// zero point: a constant for each border and channel.

// The sums of a border in a tile.
typedef struct Area {
  int32_t *sums; // the first of channel 0
  int32_t rows, columns;
  int32_t row_step; // from row to row
} Area;

// Adds a constant to an area of a plane. One column is one loop.
static void add_to_plane(const Area *area, int32_t *sums, int32_t constant) {
  int32_t rows = area->rows, columns = area->columns, step = 1;
  if (columns == 1) {
    columns = rows;
    step = area->row_step;
    rows = 1;
  }
  for (; rows > 0; --rows, sums += area->row_step) {
    int32_t *at = sums;
    for (int32_t i = columns; i > 0; --i, at += step)
      *at = luna_core_add(*at, constant);
  }
}

// The channels of a place lie side by side.
static void add_to_places(const Area *area, const int32_t *constants,
                          int32_t step, int32_t channels) {
  int32_t *row = area->sums;
  for (int32_t y = area->rows; y > 0; --y, row += area->row_step) {
    int32_t *at = row;
    for (int32_t x = area->columns; x > 0; --x) {
      const int32_t *constant = constants;
      for (int32_t c = channels; c > 0; --c, ++at, constant += step)
        *at = luna_core_add(*at, *constant);
    }
  }
}

void luna_core_add_borders(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch,
                           const LunaProductOperands *operands) {
  const LunaBorderRecord *border = luna_record_borders(record);
  const LunaBorderRecord *end = border + record->border_count;
  const LunaOriginRecord *origin =
      luna_record_origins(record) + (launch - luna_record_launches(record));
  int has_planes = luna_strides_have_planes(record->output_strides);
  int32_t width = launch->tile[1], channels = launch->out_channels;
  int32_t plane = launch->tile[0] * width;
  int32_t step = record->bias_stride * record->channel_step;
  for (; border != end; ++border) {
    int32_t first[2], count[2];
    if (!luna_border_in_tile(border, origin, launch, first, count))
      continue;
    const int32_t *constants = (const int32_t *)operands->bias + border->bias +
                               launch->channel * record->bias_stride;
    Area area = {.rows = count[0], .columns = count[1], .row_step = width};
    area.sums = (int32_t *)operands->scratch + first[0] * width + first[1];
    if (!has_planes) {
      area.sums = (int32_t *)operands->scratch +
                  (first[0] * width + first[1]) * channels;
      area.row_step = width * channels;
      add_to_places(&area, constants, step, channels);
      continue;
    }
    for (int32_t c = channels; c > 0; --c, constants += step) {
      add_to_plane(&area, area.sums, *constants);
      area.sums += plane;
    }
  }
}
