#include "luna/weight_layout.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "channels.h"
#include "launch.h"
#include "luna/checked.h"

enum { LEVELS_MAX = 8, EXTENT_MAX = 31 };

// A dimension of packed weights.
typedef struct Level {
  int axis;
  int32_t extent; // within a block; 0 outside of blocks
} Level;

// Bits that are no axis end the layout: descriptors may come from anywhere.
static int level_count(const int32_t layout[2]) {
  for (int count = 0; count < LEVELS_MAX; ++count) {
    uint32_t axis = (uint32_t)layout[count / 4] >> (8 * (count % 4)) & 7;
    if (axis < 1 || axis > LUNA_WEIGHT_AXES)
      return count;
  }
  return LEVELS_MAX;
}

static Level level_at(const int32_t layout[2], int index) {
  uint32_t bits = (uint32_t)layout[index / 4] >> (8 * (index % 4)) & 0xff;
  return (Level){(int)(bits & 7) - 1, (int32_t)(bits >> 3)};
}

// Returns the extent of the blocks of an axis: 1 without any.
static int32_t block_of(const int32_t layout[2], int axis) {
  for (int i = level_count(layout); i-- > 0;) {
    Level level = level_at(layout, i);
    if (level.axis == axis && level.extent > 0)
      return level.extent;
  }
  return 1;
}

//===- Text ---------------------------------------------------------------===//

static int axis_of(char letter) {
  static const char letters[] = "ohwi";
  int lower = tolower((unsigned char)letter);
  const char *found = strchr(letters, lower == 'c' ? 'o' : lower);
  return found && *found ? (int)(found - letters) : -1;
}

// What is known of an axis while a layout is read.
typedef struct Axis {
  bool is_named, is_in_blocks, has_extent;
} Axis;

// Reads one dimension. Returns what follows it, or NULL.
static const char *read_level(const char *text, Axis axes[LUNA_WEIGHT_AXES],
                              Level *level) {
  *level = (Level){0};
  for (; isdigit((unsigned char)*text) && level->extent <= EXTENT_MAX; ++text)
    level->extent = 10 * level->extent + (*text - '0');
  level->axis = axis_of(*text);
  if (level->axis < 0 || level->extent > EXTENT_MAX)
    return NULL;
  Axis *axis = &axes[level->axis];
  bool is_upper = isupper((unsigned char)*text);
  bool is_new = level->extent > 0 ? axis->is_in_blocks && !axis->has_extent
                                  : !axis->is_named;
  if (!is_new || (level->extent > 0 && is_upper))
    return NULL;
  axis->is_named = true;
  axis->is_in_blocks |= is_upper;
  axis->has_extent |= level->extent > 0;
  return text + 1;
}

static bool are_complete(const Axis axes[LUNA_WEIGHT_AXES]) {
  for (int i = 0; i < LUNA_WEIGHT_AXES; ++i)
    if ((!axes[i].is_named && i != LUNA_WEIGHT_IN) ||
        axes[i].is_in_blocks != axes[i].has_extent)
      return false;
  return true;
}

bool luna_weight_layout_read(const char *text, int32_t layout[2]) {
  Axis axes[LUNA_WEIGHT_AXES] = {0};
  uint32_t words[2] = {0};
  layout[0] = layout[1] = 0;
  for (int count = 0; *text; ++count) {
    Level level;
    text = count < LEVELS_MAX ? read_level(text, axes, &level) : NULL;
    if (!text)
      return false;
    uint32_t bits = (uint32_t)level.extent << 3 | (uint32_t)(level.axis + 1);
    words[count / 4] |= bits << (8 * (count % 4));
  }
  if (!are_complete(axes))
    return false;
  memcpy(layout, words, sizeof words);
  return true;
}

//===- Places -------------------------------------------------------------===//

int64_t luna_weight_layout_count(const int32_t layout[2],
                                 const int32_t extents[LUNA_WEIGHT_AXES]) {
  int64_t count = 1;
  for (int i = 0; i < LUNA_WEIGHT_AXES; ++i)
    count *= luna_align_up(extents[i], block_of(layout, i));
  return count;
}

int64_t luna_weight_layout_index(const int32_t layout[2],
                                 const int32_t extents[LUNA_WEIGHT_AXES],
                                 const int32_t at[LUNA_WEIGHT_AXES]) {
  int64_t index = 0;
  int count = level_count(layout);
  for (int i = 0; i < count; ++i) {
    Level level = level_at(layout, i);
    int32_t block = block_of(layout, level.axis), where = at[level.axis];
    int64_t extent = level.extent > 0
                         ? level.extent
                         : luna_ceil_div(extents[level.axis], block);
    index = index * extent + (level.extent > 0 ? where % block : where / block);
  }
  return index;
}

LunaWeightAxis luna_weight_layout_axis(const int32_t layout[2],
                                       const int32_t extents[LUNA_WEIGHT_AXES],
                                       int axis) {
  int32_t block = block_of(layout, axis);
  int32_t one[LUNA_WEIGHT_AXES] = {0}, next[LUNA_WEIGHT_AXES] = {0};
  one[axis] = 1;
  next[axis] = block;
  return (LunaWeightAxis){
      .block = block,
      .block_stride = luna_weight_layout_index(layout, extents, next),
      .stride = block > 1 ? luna_weight_layout_index(layout, extents, one) : 0,
  };
}

int32_t luna_weight_layout_step(const int32_t layout[2]) {
  return level_at(layout, 0).axis == LUNA_WEIGHT_OUT
             ? block_of(layout, LUNA_WEIGHT_OUT)
             : 0;
}

bool luna_weight_layout_cut(const char *text, int32_t rows,
                            char cut[LUNA_WEIGHT_LAYOUT_MAX + 1]) {
  int32_t layout[2];
  const char *at = strchr(text, 'h');
  int length = at ? snprintf(cut, LUNA_WEIGHT_LAYOUT_MAX + 1, "H%.*s%d%s",
                             (int)(at - text), text, rows, at)
                  : -1;
  return length > 0 && length <= LUNA_WEIGHT_LAYOUT_MAX &&
         luna_weight_layout_read(cut, layout);
}

int32_t luna_weight_layout_rows(const char *text, const int32_t layout[2]) {
  char cut[LUNA_WEIGHT_LAYOUT_MAX + 1];
  int32_t found[LUNA_WEIGHT_LAYOUT_WORDS];
  int32_t rows = block_of(layout, LUNA_WEIGHT_ROW);
  return luna_weight_layout_cut(text, rows, cut) &&
                 luna_weight_layout_read(cut, found) &&
                 memcmp(found, layout, sizeof found) == 0
             ? rows
             : 0;
}

//===- Convolutions -------------------------------------------------------===//

int32_t luna_conv2d_taps(const LunaConv2dDesc *desc, int axis) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  return luna_weights_are_packed(desc->weight_layout)
             ? desc->weight_kernel[axis]
             : desc->weight.dims[is_depthwise ? axis : 1 + axis];
}

int32_t luna_conv2d_multiplier(const LunaConv2dDesc *desc) {
  return luna_weights_are_packed(desc->weight_layout)
             ? desc->output.dims[3] / desc->input.dims[3]
             : desc->weight.dims[3];
}

const char *luna_conv2d_layout(const LunaMachine *machine,
                               const LunaConv2dDesc *desc) {
  int32_t kind = luna_channels_of_conv2d(desc).kind;
  return luna_launch_limits(machine, kind)->calls.weight_layout;
}

int32_t luna_conv2d_packed_layout(const LunaMachine *machine,
                                  const LunaConv2dDesc *desc,
                                  char text[LUNA_WEIGHT_LAYOUT_MAX + 1]) {
  const char *order = luna_conv2d_layout(machine, desc);
  int32_t rows = luna_weight_layout_rows(order, desc->weight_layout);
  if (rows == 0 || !luna_weight_layout_cut(order, rows, text))
    snprintf(text, LUNA_WEIGHT_LAYOUT_MAX + 1, "%s", order);
  return rows;
}

void luna_conv2d_weights(const LunaConv2dDesc *desc,
                         int32_t extents[LUNA_WEIGHT_AXES]) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  extents[LUNA_WEIGHT_OUT] = desc->output.dims[3];
  extents[LUNA_WEIGHT_ROW] = luna_conv2d_taps(desc, 0);
  extents[LUNA_WEIGHT_COLUMN] = luna_conv2d_taps(desc, 1);
  extents[LUNA_WEIGHT_IN] = is_depthwise ? 1 : desc->input.dims[3];
}
