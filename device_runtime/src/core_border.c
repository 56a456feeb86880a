#include "core_border.h"

#include "core_numbers.h"
#include "luna/core.h"

// What sums lack whose windows reach padding, where the bias has taken up the
// zero point: a constant for each border and channel.

// The loops over the sums of a border in a plane, in elements.
typedef struct Loops {
  int32_t step, span; // of the inner loop
  int32_t row_step, row_span;
} Loops;

// One column is one loop.
static Loops loops_of(int32_t rows, int32_t columns, int32_t width) {
  const Loops column = {width, rows * width, 1, 1};
  const Loops box = {1, columns, width, rows * width};
  return columns == 1 ? column : box;
}

static void add_to_plane(const Loops *loops, int32_t *row, int32_t constant) {
  int32_t step = loops->step, span = loops->span;
  int32_t *last = row + loops->row_span;
  for (; row != last; row += loops->row_step) {
    int32_t *at = row, *end = row + span;
    do {
      *at = luna_core_add(*at, constant);
      at += step;
    } while (at != end);
  }
}

// The channels of a place lie side by side.
static void add_to_places(int32_t *sums, const int32_t count[2], int32_t row,
                          const int32_t *constants, int32_t step,
                          int32_t channels) {
  for (int32_t y = count[0]; y > 0; --y, sums += row) {
    int32_t *at = sums;
    for (int32_t x = count[1]; x > 0; --x) {
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
    int32_t place = first[0] * width + first[1];
    const int32_t *constants = (const int32_t *)operands->bias + border->bias +
                               launch->channel * record->bias_stride;
    int32_t *sums = (int32_t *)operands->scratch;
    if (!has_planes) {
      add_to_places(sums + place * channels, count, width * channels, constants,
                    step, channels);
      continue;
    }
    const Loops loops = loops_of(count[0], count[1], width);
    sums += place;
    for (int32_t c = channels; c > 0; --c, constants += step, sums += plane)
      add_to_plane(&loops, sums, *constants);
  }
}
