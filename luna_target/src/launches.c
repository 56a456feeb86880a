#include "luna/launches.h"

#include <assert.h>
#include <string.h>

#include "luna/border.h"
#include "luna/checked.h"
#include "luna/slots.h"
#include "luna/vector_chain.h"
#include "luna/weight_layout.h"

static_assert(sizeof(LunaLaunchRecord) == 64, "an entry of a table");
static_assert(sizeof(LunaVectorCall) == 12, "an entry of a table");
static_assert(sizeof(LunaBorderRecord) == 12, "an entry of a table");
static_assert(sizeof(LunaOriginRecord) == 4, "an entry of a table");

bool luna_launch_leaves_sums(const LunaTiling *tiling,
                             const LunaLaunch *launch) {
  return tiling->finish != LUNA_FINISH_FUSED || !launch->is_first ||
         !launch->is_last || !launch->covers_tile || launch->is_empty;
}

//===- Numbers ------------------------------------------------------------===//

// What a record is made from: an operator whose output is
// [batch][y][x][channel] like its input, with the strides of its operands in
// that order.
typedef struct Source {
  LunaProductRecord head;
  int64_t input[4], weight[4], output[4]; // strides in elements
  LunaTiles tiles;
  const LunaTiling *tiling;
  int32_t weight_extents[LUNA_WEIGHT_AXES]; // of packed weights
  LunaBorderAxis borders[2]; // without classes where nothing is added
  int64_t bias_row;          // elements from row to row
  /// Of a matrix product: each batch has a right matrix.
  int64_t weight_batch;
  bool is_matmul;
  bool fits; // until a number does not
} Source;

static int32_t word(Source *source, int64_t value) {
  source->fits &= value >= INT32_MIN && value <= INT32_MAX;
  return (int32_t)value;
}

static uint16_t half(Source *source, int64_t value) {
  source->fits &= value >= 0 && value <= UINT16_MAX;
  return (uint16_t)value;
}

static int16_t signed_half(Source *source, int64_t value) {
  source->fits &= value >= INT16_MIN && value <= INT16_MAX;
  return (int16_t)value;
}

//===- Launches -----------------------------------------------------------===//

// The launch with the columns of a matrix product as its channels.
static LunaLaunch with_channels(const LunaLaunch *launch) {
  const LunaRange one = {.start = 0, .count = 1, .step = 1};
  LunaLaunch turned = *launch;
  turned.out_c = launch->x.tile;
  turned.x.tile = turned.x.out = turned.x.in = one;
  return turned;
}

static int64_t product(int64_t count, int32_t type) {
  return count * luna_element_bytes(type);
}

static int32_t input_offset(Source *source, const LunaLaunch *launch) {
  const int64_t *strides = source->input;
  return word(source, product(launch->batch * strides[0] +
                                  launch->y.in.start * strides[1] +
                                  launch->x.in.start * strides[2] +
                                  launch->in_c.start * strides[3],
                              source->head.input_type));
}

// Packed weights are found by their output channel and row, depthwise ones by
// the input channel and the group.
static int32_t weight_offset(Source *source, const LunaLaunch *launch) {
  const int64_t *strides = source->weight;
  const int32_t *layout = source->head.weight_layout;
  const int32_t first[LUNA_WEIGHT_AXES] = {launch->out_c.start,
                                           launch->y.taps.start};
  if (luna_weights_are_packed(layout))
    return word(source, luna_weight_layout_index(layout, source->weight_extents,
                                                 first));
  int64_t at = launch->batch * source->weight_batch +
               launch->y.taps.start * strides[1] +
               launch->x.taps.start * strides[2];
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    at += launch->in_c.start * strides[0] +
          launch->out_c.start % launch->out_c.step * strides[3];
  else
    at += launch->out_c.start * strides[0] + launch->in_c.start * strides[3];
  return word(source, product(at, source->head.weight_type));
}

static int32_t output_offset(Source *source, const LunaLaunch *launch) {
  const int64_t *strides = source->output;
  return word(source, product(launch->batch * strides[0] +
                                  launch->y.tile.start * strides[1] +
                                  launch->x.tile.start * strides[2] +
                                  launch->out_c.start * strides[3],
                              source->head.output_type));
}

static int32_t sums_offset(Source *source, const LunaLaunch *launch) {
  const LunaLaunchAxis *y = &launch->y, *x = &launch->x;
  int64_t row = (y->out.start - y->tile.start) / y->tile.step;
  int64_t column = (x->out.start - x->tile.start) / x->tile.step;
  int64_t place = row * x->tile.count + column;
  bool has_planes = luna_strides_have_planes(source->head.output_strides);
  return word(source, has_planes ? place : place * launch->out_c.count);
}

static uint16_t flags_of(const Source *source, const LunaLaunch *launch) {
  uint16_t flags = 0;
  flags |= launch->is_first ? LUNA_LAUNCH_FIRST : 0;
  flags |= launch->is_last ? LUNA_LAUNCH_LAST : 0;
  flags |= launch->is_empty ? LUNA_LAUNCH_EMPTY : 0;
  flags |= launch->covers_tile ? LUNA_LAUNCH_COVERS : 0;
  if (luna_launch_leaves_sums(source->tiling, launch))
    flags |= LUNA_LAUNCH_SUMS;
  if (source->tiling->row_strips > 0 && !launch->is_first)
    flags |= LUNA_LAUNCH_OTHER;
  return flags;
}

static LunaLaunchRecord record_of(Source *source, const LunaLaunch *launch) {
  const LunaLaunchAxis *y = &launch->y, *x = &launch->x;
  return (LunaLaunchRecord){
      .input_offset = input_offset(source, launch),
      .weight_offset = weight_offset(source, launch),
      .output_offset = output_offset(source, launch),
      .sums_offset = sums_offset(source, launch),
      .channel = launch->out_c.start,
      .tile = {half(source, y->tile.count), half(source, x->tile.count)},
      .out = {half(source, y->out.count), half(source, x->out.count)},
      .in = {half(source, y->in.count), half(source, x->in.count)},
      .taps = {half(source, y->taps.count), half(source, x->taps.count)},
      .out_channels = half(source, launch->out_c.count),
      .in_channels = half(source, launch->in_c.count),
      .pad_before = {signed_half(source, y->pad_before),
                     signed_half(source, x->pad_before)},
      .pad_after = {signed_half(source, y->pad_after),
                    signed_half(source, x->pad_after)},
      .stride = {half(source, y->stride), half(source, x->stride)},
      .dilation = {half(source, y->dilation), half(source, x->dilation)},
      .in_step = {half(source, y->in.step), half(source, x->in.step)},
      .flags = flags_of(source, launch),
      .row_strips = half(source, y->strips),
  };
}

//===- Borders ------------------------------------------------------------===//

static void set_borders(Source *source, const LunaConv2dDesc *desc) {
  if (!luna_has_borders(&desc->bias))
    return;
  for (int i = 0; i < 2; ++i)
    luna_border_axis(desc, i, &source->borders[i]);
  source->bias_row = desc->bias.strides[2];
  source->head.border_count =
      source->borders[0].class_count * source->borders[1].class_count - 1;
}

static LunaBorderRecord border_of(Source *source, const LunaBorderRun *y,
                                  const LunaBorderRun *x) {
  int64_t row = (int64_t)y->row * source->borders[1].class_count + x->row;
  return (LunaBorderRecord){
      .first = {half(source, y->first), half(source, x->first)},
      .count = {half(source, y->count), half(source, x->count)},
      .bias = word(source, row * source->bias_row),
  };
}

// Writes all classes but 0. Returns the byte after them.
static uint8_t *write_borders(Source *source, uint8_t *to) {
  for (int32_t i = 0; i < source->borders[0].class_count; ++i)
    for (int32_t k = 0; k < source->borders[1].class_count; ++k) {
      const LunaBorderRun *y = &source->borders[0].runs[i];
      const LunaBorderRun *x = &source->borders[1].runs[k];
      if (y->row == 0 && x->row == 0)
        continue;
      const LunaBorderRecord border = border_of(source, y, x);
      memcpy(to, &border, sizeof border);
      to += sizeof border;
    }
  return to;
}

static LunaOriginRecord origin_of(Source *source, const LunaLaunch *launch) {
  return (LunaOriginRecord){
      {half(source, launch->y.tile.start), half(source, launch->x.tile.start)}};
}

//===- Operators ----------------------------------------------------------===//

static void set_strides(int64_t strides[4], const LunaTensorDesc *desc) {
  for (int i = 0; i < 4; ++i)
    strides[i] = desc->strides[i];
}

// The parts of the record that both classes have; `channel_stride` of the bias.
static LunaProductRecord head_of(const LunaTensorDesc *bias,
                                 const LunaTensorDesc *table,
                                 const LunaRequantDesc *requant,
                                 const LunaTiling *tiling) {
  return (LunaProductRecord){
      .requant = *requant,
      .finish = tiling->finish,
      .slots = tiling->slots > 1 ? tiling->slots : 1,
      .slot_bytes = tiling->slots > 1 ? luna_slot_bytes(tiling) : 0,
      .bias_type = bias->type,
      .bias_stride = bias->dims[3] == 1 ? 0 : bias->strides[3],
      .table_strides = {table->strides[2], table->strides[3]},
      .channel_step = 1,
  };
}

// The steps between elements that a launch visits.
static void set_steps(Source *source, int32_t out_step[2],
                      const int32_t tap_step[2]) {
  LunaProductRecord *head = &source->head;
  for (int i = 0; i < 2; ++i) {
    head->input_strides[i] = word(source, source->input[1 + i]);
    head->weight_strides[1 + i] =
        word(source, source->weight[1 + i] * tap_step[i]);
    head->output_strides[i] = word(source, source->output[1 + i] * out_step[i]);
  }
  head->input_strides[2] = word(source, source->input[3]);
  head->weight_strides[0] = word(source, source->weight[0]);
  head->weight_strides[3] = word(source, source->weight[3]);
  head->output_strides[2] =
      word(source, source->output[3] * head->channel_step);
}

static Source source_of_conv2d(const LunaConv2dDesc *desc) {
  Source source = {
      .head = head_of(&desc->bias, &desc->table, &desc->requant, &desc->tiling),
      .tiling = &desc->tiling,
      .fits = true,
  };
  bool is_transposed = desc->kind == LUNA_CONV_TRANSPOSED;
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  set_strides(source.input, &desc->input);
  set_strides(source.weight, &desc->weight);
  set_strides(source.output, &desc->output);
  LunaProductRecord *head = &source.head;
  if (is_depthwise) {
    const int32_t *hwcm = desc->weight.strides;
    bool is_single = desc->input.dims[3] == 1; // an ordinary convolution
    source.weight[0] = is_single ? hwcm[3] : hwcm[2];
    source.weight[1] = hwcm[0];
    source.weight[2] = hwcm[1];
    source.weight[3] = is_single ? 0 : hwcm[3];
    head->kind = is_single ? LUNA_LAUNCH_CONV : LUNA_LAUNCH_DEPTHWISE;
    head->channel_step = is_single ? 1 : luna_conv2d_multiplier(desc);
  }
  if (luna_weights_are_packed(desc->weight_layout)) {
    memset(source.weight, 0, sizeof source.weight);
    memcpy(head->weight_layout, desc->weight_layout,
           sizeof head->weight_layout);
    luna_conv2d_weights(desc, source.weight_extents);
  }
  head->is_transposed = is_transposed;
  head->input_type = desc->input.type;
  head->weight_type = desc->weight.type;
  head->output_type = desc->output.type;
  head->input_zero_point = desc->input_zero_point;
  head->weight_zero_point = desc->weight_zero_point;
  head->has_sums = luna_tiles_conv2d_need_sums(desc);
  set_borders(&source, desc);
  int32_t step[2] = {1, 1};
  if (is_transposed)
    memcpy(step, desc->stride, sizeof step);
  set_steps(&source, step, step);
  luna_tiles_conv2d_begin(&source.tiles, desc);
  return source;
}

static Source source_of_matmul(const LunaMatmulDesc *desc) {
  Source source = {
      .head = head_of(&desc->bias, &desc->table, &desc->requant, &desc->tiling),
      .input = {desc->lhs.strides[1], desc->lhs.strides[2], 0,
                desc->lhs.strides[3]},
      .weight = {desc->rhs.strides[desc->rhs_transposed ? 2 : 3], 0, 0,
                 desc->rhs.strides[desc->rhs_transposed ? 3 : 2]},
      .output = {desc->output.strides[1], desc->output.strides[2], 0,
                 desc->output.strides[3]},
      .weight_batch = desc->rhs.strides[1],
      .tiling = &desc->tiling,
      .is_matmul = true,
      .fits = true,
  };
  LunaProductRecord *head = &source.head;
  head->kind = LUNA_LAUNCH_MATMUL;
  head->input_type = desc->lhs.type;
  head->weight_type = desc->rhs.type;
  head->output_type = desc->output.type;
  head->input_zero_point = desc->lhs_zero_point;
  head->weight_zero_point = desc->rhs_zero_point;
  head->has_sums = luna_tiles_matmul_need_sums(desc);
  int32_t step[2] = {1, 1};
  set_steps(&source, step, step);
  luna_tiles_matmul_begin(&source.tiles, desc);
  return source;
}

// The calls that finish a tile. Returns false if there are none that do.
static bool build_chain(const Source *source, LunaVectorChain *chain) {
  *chain = luna_chain_empty();
  return !luna_finish_has_calls(source->head.finish) ||
         luna_chain_of_product(chain, source->head.finish,
                               &source->head.requant, source->head.output_type);
}

// Writes what follows the head.
static void write_tail(Source *source, const LunaVectorChain *chain,
                       uint8_t *to) {
  const LunaProductRecord *head = &source->head;
  uint8_t *origins = write_borders(source, to + (size_t)head->launch_count *
                                                    sizeof(LunaLaunchRecord));
  LunaLaunch launch;
  while (luna_tiles_next(&source->tiles, &launch)) {
    if (source->is_matmul)
      launch = with_channels(&launch);
    const LunaLaunchRecord record = record_of(source, &launch);
    const LunaOriginRecord origin = origin_of(source, &launch);
    memcpy(to, &record, sizeof record);
    to += sizeof record;
    if (head->border_count == 0)
      continue;
    memcpy(origins, &origin, sizeof origin);
    origins += sizeof origin;
  }
  memcpy(origins, chain->calls, (size_t)chain->count * sizeof *chain->calls);
}

// Walks the launches twice: the record is one piece of memory.
static const LunaProductRecord *build(Source *source, LunaArena *arena,
                                      int32_t *word_count, LunaError *error) {
  LunaTiles tiles = source->tiles;
  LunaLaunch launch;
  LunaVectorChain chain;
  int64_t count = 0;
  if (!build_chain(source, &chain)) {
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                   "no vector calls requantise so, and the tiling leaves it "
                   "to them");
    return NULL;
  }
  while (luna_tiles_next(&tiles, &launch))
    ++count;
  source->head.launch_count = word(source, count);
  source->head.call_count = chain.count;
  int64_t bytes =
      (int64_t)sizeof source->head + luna_record_tail_bytes(&source->head);
  *word_count = word(source, bytes / 4);
  int32_t *words = LUNA_ARENA_ARRAY(arena, int32_t, bytes / 4);
  memcpy(words, &source->head, sizeof source->head);
  write_tail(source, &chain, (uint8_t *)words + sizeof source->head);
  if (source->fits)
    return (const LunaProductRecord *)words;
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "a launch has an extent, stride or dilation above 65535, "
                 "padding above 32767 or an offset of 2 GiB");
  return NULL;
}

const LunaProductRecord *luna_launches_conv2d(const LunaConv2dDesc *desc,
                                              LunaArena *arena,
                                              int32_t *word_count,
                                              LunaError *error) {
  if (!luna_slots_check_conv2d(desc, error))
    return NULL;
  Source source = source_of_conv2d(desc);
  return build(&source, arena, word_count, error);
}

const LunaProductRecord *luna_launches_matmul(const LunaMatmulDesc *desc,
                                              LunaArena *arena,
                                              int32_t *word_count,
                                              LunaError *error) {
  if (!luna_slots_check_matmul(desc, error))
    return NULL;
  Source source = source_of_matmul(desc);
  return build(&source, arena, word_count, error);
}
