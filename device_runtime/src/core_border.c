#include "core_border.h"

#include "core_numbers.h"
#include "luna/border_lines.h"

// What sums lack whose windows reach padding, where the bias has taken up the
// zero point: a constant for each border and channel.

// The sums of a tile, and the constants of its first channel.
typedef struct Tile {
  int32_t *sums;
  const int32_t *constants;
  int32_t place, width; // from place to place, from row to row
  int32_t plane, step;  // from channel to channel: of sums, of constants
  int32_t size;         // from the first channel to behind the last
} Tile;

static inline void add(int32_t *sum, int32_t constant) {
  *sum = luna_core_add(*sum, constant);
}

static inline void add_pair(int32_t *at, int32_t first, int32_t second) {
  add(at, first);
  add(at + 1, second);
}

//===- Loops over the channels --------------------------------------------===//

// From the sum of the first channel at `at`.
static void add_to_place(const Tile *tile, int32_t border, int32_t *at) {
  const int32_t *constant = tile->constants + border;
  int32_t *end = at + tile->size;
  int32_t plane = tile->plane, step = tile->step;
  for (; at != end; at += plane, constant += step)
    add(at, *constant);
}

// The sums between the first and the last one are pairs.
static void add_to_row(const Tile *tile, const LunaBorderLine *line,
                       int32_t *at) {
  const int32_t *lead = tile->constants + line->lead;
  const int32_t *middle = tile->constants + line->middle;
  const int32_t *tail = tile->constants + line->tail;
  int32_t *end = at + tile->size;
  int32_t columns = line->count[1], step = tile->step;
  int32_t span = (columns - 2) & ~1, rest = tile->plane - (columns - 2);
  do {
    int32_t constant = *middle, *last = at + span;
    add(at, *lead);
    for (; at != last; at += 2)
      add_pair(at + 1, constant, constant);
    if (columns & 1)
      add(++last, constant);
    add(last + 1, *tail);
    at = last + rest;
    lead += step;
    middle += step;
    tail += step;
  } while (at != end);
}

static void add_to_column(const Tile *tile, const LunaBorderLine *line,
                          int32_t *at) {
  const int32_t *constants = tile->constants + line->lead;
  int32_t *end = at + tile->size;
  int32_t rows = line->count[0], width = tile->width, step = tile->step;
  int32_t span = rows * width, rest = tile->plane - span;
  do {
    int32_t constant = *constants, *last = at + span;
    if (rows & 1) {
      add(at, constant);
      at += width;
    }
    while (at != last) {
      add(at, constant);
      at += width;
      add(at, constant);
      at += width;
    }
    at += rest;
    constants += step;
  } while (at != end);
}

// The last sum of a row and the first one of the next are a pair.
static void add_to_sides(const Tile *tile, const LunaBorderLine *line,
                         int32_t *at) {
  const int32_t *left = tile->constants + line->lead;
  const int32_t *right = tile->constants + line->tail;
  int32_t *end = at + tile->size;
  int32_t pairs = line->count[0] - 1, width = tile->width, step = tile->step;
  int32_t span = pairs * width, rest = tile->plane - span - (width - 1);
  do {
    int32_t first = *left, second = *right;
    add(at, first);
    at += width - 1;
    int32_t *last = at + span;
    if (pairs & 1) {
      add_pair(at, second, first);
      at += width;
    }
    while (at != last) {
      add_pair(at, second, first);
      at += width;
      add_pair(at, second, first);
      at += width;
    }
    add(at, second);
    at += rest;
    left += step;
    right += step;
  } while (at != end);
}

//===- Lines --------------------------------------------------------------===//

// Channels that lie side by side have no loops but these.
static void add_to_places(const Tile *tile, const LunaBorderLine *line,
                          int32_t *at) {
  for (int32_t y = 0; y < line->count[0]; ++y, at += tile->width)
    for (int32_t x = 0; x < line->count[1]; ++x)
      add_to_place(tile, line->lead, at + x * tile->place);
}

static void add_to_line(const Tile *tile, const LunaBorderLine *line) {
  int32_t rows = line->count[0], columns = line->count[1];
  int32_t *at =
      tile->sums + line->first[0] * tile->width + line->first[1] * tile->place;
  if (tile->plane == 1 || rows * columns == 1)
    add_to_places(tile, line, at);
  else if (columns == 1)
    add_to_column(tile, line, at);
  else if (luna_border_is_sides(line))
    add_to_sides(tile, line, at);
  else
    for (; rows > 0; --rows, at += tile->width)
      add_to_row(tile, line, at);
}

void luna_core_add_borders(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch,
                           const LunaProductOperands *operands) {
  const LunaBorderRecord *border = luna_record_borders(record);
  const LunaBorderRecord *end = border + record->border_count;
  const LunaOriginRecord *origin =
      luna_record_origins(record) + (launch - luna_record_launches(record));
  int has_planes = luna_strides_have_planes(record->output_strides);
  int32_t columns = launch->tile[1], channels = launch->out_channels;
  int32_t place = has_planes ? 1 : channels;
  int32_t plane = has_planes ? launch->tile[0] * columns : 1;
  const Tile tile = {.sums = operands->scratch,
                     .constants = (const int32_t *)operands->bias +
                                  launch->channel * record->bias_stride,
                     .place = place,
                     .width = place * columns,
                     .plane = plane,
                     .step = record->bias_stride * record->channel_step,
                     .size = channels * plane};
  LunaBorderLine lines[2] = {luna_border_no_line()};
  LunaBorderLine *line = &lines[0], *next = &lines[1];
  for (; border != end; ++border) {
    if (!luna_border_in_tile(border, origin, launch, next->first, next->count))
      continue;
    next->lead = next->middle = next->tail = border->bias;
    if (has_planes && luna_border_join(line, next, columns))
      continue;
    add_to_line(&tile, line);
    LunaBorderLine *done = line;
    line = next;
    next = done;
  }
  add_to_line(&tile, line);
}
