#include "sim_unit.h"

#include "kernel_numbers.h"
#include "luna/core.h"
#include "luna/tiles.h"
#include "luna/weight_layout.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_launch_time.h"

// A launch multiplies the patch of each output by the weights of each output
// channel; a depthwise one works along the channels. Inputs and weights are
// unpacked to 16 bits minus their zero points; padding is then 0.

// The product under way.
typedef struct Unit {
  LunaSimulator *sim; // or NULL
  const LunaProductRecord *record;
  const LunaProductOperands *operands; // of the launch
  LunaArena arena;                     // of the arrays
  bool is_wide;                        // int16: sums of 64 bits
  int16_t *weights; // of a launch: [channel][taps][input], depthwise [taps][c]
  const LunaLaunchRecord *packed; // the launch whose weights they are
  int16_t *patch;                 // [taps][input channel]
  int32_t *narrow;                // sums of 32 bits, depthwise
  int64_t *sums;                  // of one output, by channel of the launch
  LunaRequant requant;            // by channel of the output
  LunaLaunchTime time;
  // The sums of the launch in flight, and where they will be.
  uint8_t *arriving, *arrival;
  size_t arriving_bytes;
} Unit;

// The core has no handle of the unit, since a chip has one.
static _Thread_local Unit *unit;

//===- Operands -----------------------------------------------------------===//

static const void *plus(const void *data, int64_t elements, int32_t type) {
  return (const uint8_t *)data + elements * luna_element_bytes(type);
}

// Packs the taps of so many output channels; input channels are `step` apart.
static void pack_taps(const LunaLaunchRecord *launch, const void *from,
                      int32_t channels, int32_t step) {
  const LunaProductRecord *record = unit->record;
  const int32_t *strides = record->weight_strides;
  int16_t *to = unit->weights;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t v = 0; v < launch->taps[0]; ++v)
      for (int64_t w = 0; w < launch->taps[1]; ++w) {
        int64_t at = c * strides[0] + v * strides[1] + w * strides[2];
        luna_load_shorts(to, plus(from, at, record->weight_type),
                         record->weight_type, step, launch->in_channels,
                         record->weight_zero_point);
        to += launch->in_channels;
      }
}

// Unpacks the weights of the library's layout, which has one of int8 a place.
static void unpack_weights(const LunaLaunchRecord *launch, const int8_t *from) {
  const LunaProductRecord *record = unit->record;
  const int32_t *layout = record->weight_layout;
  bool is_depthwise = record->kind == LUNA_LAUNCH_DEPTHWISE;
  const int32_t extents[LUNA_WEIGHT_AXES] = {
      launch->out_channels, launch->taps[0], launch->taps[1],
      is_depthwise ? 1 : launch->in_channels};
  int64_t tap_step = launch->in_channels;
  int64_t channel_step =
      is_depthwise ? 1 : (int64_t)launch->taps[0] * launch->taps[1] * tap_step;
  int32_t at[LUNA_WEIGHT_AXES];
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3])
          unit->weights[at[0] * channel_step +
                        (at[1] * extents[2] + at[2]) * tap_step + at[3]] =
              from[luna_weight_layout_index(layout, extents, at)];
}

static bool has_equal_weights(const LunaLaunchRecord *a,
                              const LunaLaunchRecord *b) {
  return a->weight_offset == b->weight_offset && a->taps[0] == b->taps[0] &&
         a->taps[1] == b->taps[1] && a->out_channels == b->out_channels &&
         a->in_channels == b->in_channels;
}

static void pack_weights(const LunaLaunchRecord *launch) {
  if (unit->packed && has_equal_weights(unit->packed, launch))
    return;
  const void *from =
      (const uint8_t *)unit->operands->weight + launch->weight_offset;
  if (luna_weights_are_packed(unit->record->weight_layout))
    unpack_weights(launch, from);
  else if (unit->record->kind == LUNA_LAUNCH_DEPTHWISE)
    pack_taps(launch, from, 1, unit->record->weight_strides[0]);
  else
    pack_taps(launch, from, launch->out_channels,
              unit->record->weight_strides[3]);
  unit->packed = launch;
}

// Returns the row (axis 0) or column of the view for an output and a tap, -1
// for padding. The taps of a transposed convolution are reversed.
static int32_t view_at(const LunaLaunchRecord *launch, int axis, int32_t out,
                       int32_t tap) {
  if (unit->record->is_transposed)
    tap = launch->taps[axis] - 1 - tap;
  int32_t at = out * launch->stride[axis] + tap * launch->dilation[axis] -
               launch->pad_before[axis];
  return at >= 0 && at < launch->in[axis] ? at : -1;
}

// Reads the input channels of one tap. Returns false for padding.
static bool load_tap(const LunaLaunchRecord *launch, int32_t y, int32_t x,
                     int16_t *to) {
  const LunaProductRecord *record = unit->record;
  if (y < 0 || x < 0)
    return false;
  int64_t at = (int64_t)y * launch->in_step[0] * record->input_strides[0] +
               (int64_t)x * launch->in_step[1] * record->input_strides[1];
  const void *first =
      (const uint8_t *)unit->operands->input + launch->input_offset;
  luna_load_shorts(to, plus(first, at, record->input_type), record->input_type,
                   record->input_strides[2], launch->in_channels,
                   record->input_zero_point);
  return true;
}

//===- Sums ---------------------------------------------------------------===//

static void sum_ordinary(const LunaLaunchRecord *launch, int32_t row,
                         int32_t column) {
  int64_t depth = launch->in_channels;
  int64_t taps = (int64_t)launch->taps[0] * launch->taps[1];
  int16_t *to = unit->patch;
  for (int32_t v = 0; v < launch->taps[0]; ++v)
    for (int32_t w = 0; w < launch->taps[1]; ++w, to += depth)
      if (!load_tap(launch, view_at(launch, 0, row, v),
                    view_at(launch, 1, column, w), to))
        memset(to, 0, (size_t)depth * sizeof *to);
  const int16_t *weights = unit->weights;
  for (int32_t c = 0; c < launch->out_channels; ++c, weights += taps * depth)
    unit->sums[c] = unit->is_wide
                        ? luna_dot_wide(unit->patch, weights, taps * depth)
                        : luna_dot(unit->patch, weights, taps * depth);
}

static void add_products(int32_t *restrict sums, const int16_t *restrict a,
                         const int16_t *restrict b, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    sums[i] = (int32_t)((uint32_t)sums[i] + (uint32_t)(a[i] * b[i]));
}

static void add_products_wide(int64_t *restrict sums, const int16_t *restrict a,
                              const int16_t *restrict b, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    sums[i] += (int64_t)(a[i] * b[i]);
}

static void sum_depthwise(const LunaLaunchRecord *launch, int32_t row,
                          int32_t column) {
  int32_t depth = launch->in_channels;
  const int16_t *weights = unit->weights;
  memset(unit->narrow, 0, (size_t)depth * sizeof *unit->narrow);
  memset(unit->sums, 0, (size_t)depth * sizeof *unit->sums);
  for (int32_t v = 0; v < launch->taps[0]; ++v)
    for (int32_t w = 0; w < launch->taps[1]; ++w, weights += depth) {
      if (!load_tap(launch, view_at(launch, 0, row, v),
                    view_at(launch, 1, column, w), unit->patch))
        continue;
      if (unit->is_wide)
        add_products_wide(unit->sums, unit->patch, weights, depth);
      else
        add_products(unit->narrow, unit->patch, weights, depth);
    }
  if (!unit->is_wide)
    for (int32_t c = 0; c < depth; ++c)
      unit->sums[c] = unit->narrow[c];
}

static void sum_products(const LunaLaunchRecord *launch, int32_t row,
                         int32_t column) {
  if (unit->record->kind == LUNA_LAUNCH_DEPTHWISE)
    sum_depthwise(launch, row, column);
  else
    sum_ordinary(launch, row, column);
}

static int64_t bias_of(const LunaLaunchRecord *launch, int32_t c) {
  const LunaProductRecord *record = unit->record;
  int64_t bias = 0;
  int64_t channel = launch->channel + (int64_t)c * record->channel_step;
  if (unit->operands->bias)
    luna_load_longs(&bias,
                    plus(unit->operands->bias, channel * record->bias_stride,
                         record->bias_type),
                    record->bias_type, 0, 1, 0);
  return bias;
}

//===- Outputs ------------------------------------------------------------===//

// Stores the sums of the output at row and column of the tile.
static void store_sums(const LunaLaunchRecord *launch, int32_t row,
                       int32_t column) {
  const LunaProductRecord *record = unit->record;
  luna_requant_sums(&unit->requant, unit->sums, launch->channel,
                    record->channel_step, launch->out_channels);
  int64_t at = (int64_t)row * record->output_strides[0] +
               (int64_t)column * record->output_strides[1];
  uint8_t *to = (uint8_t *)unit->operands->output + launch->output_offset +
                at * luna_element_bytes(record->output_type);
  luna_store_longs(to, unit->sums, record->output_type,
                   record->output_strides[2], launch->out_channels);
}

static void write_outputs(const LunaLaunchRecord *launch) {
  for (int32_t i = 0; i < launch->out[0]; ++i)
    for (int32_t k = 0; k < launch->out[1]; ++k) {
      sum_products(launch, i, k);
      for (int32_t c = 0; c < launch->out_channels; ++c) {
        int64_t sum = luna_wrap_add(unit->sums[c], bias_of(launch, c));
        unit->sums[c] = unit->is_wide ? sum : luna_wrap_i32(sum);
      }
      store_sums(launch, i, k);
    }
}

// The sums of a tile at one place: those of its channels lie `step` apart.
typedef struct TileSums {
  int32_t *first;
  int64_t step;
} TileSums;

// The tile lies in the scratch, [channel][y][x] or [y][x][channel].
static TileSums sums_at(const LunaLaunchRecord *launch, int32_t row,
                        int32_t column) {
  int32_t *scratch = unit->operands->scratch;
  int64_t place = (int64_t)row * launch->tile[1] + column;
  if (luna_strides_have_planes(unit->record->output_strides))
    return (TileSums){scratch + place,
                      (int64_t)launch->tile[0] * launch->tile[1]};
  return (TileSums){scratch + place * launch->out_channels, 1};
}

static void start_tile(const LunaLaunchRecord *launch) {
  for (int32_t i = 0; i < launch->tile[0]; ++i)
    for (int32_t k = 0; k < launch->tile[1]; ++k) {
      TileSums sums = sums_at(launch, i, k);
      for (int32_t c = 0; c < launch->out_channels; ++c)
        sums.first[c * sums.step] = luna_wrap_i32(bias_of(launch, c));
    }
}

static void add_to_tile(const LunaLaunchRecord *launch) {
  for (int32_t i = 0; i < launch->out[0]; ++i)
    for (int32_t k = 0; k < launch->out[1]; ++k) {
      sum_products(launch, i, k);
      TileSums sums = sums_at(launch, i, k);
      int32_t *sum = sums.first + launch->sums_offset;
      for (int32_t c = 0; c < launch->out_channels; ++c, sum += sums.step)
        *sum = luna_wrap_i32(luna_wrap_add(*sum, unit->sums[c]));
    }
}

// Sums of its own, as planes after those of the tile.
static void write_other(const LunaLaunchRecord *launch) {
  int64_t places = (int64_t)launch->out[0] * launch->out[1];
  int32_t *to = (int32_t *)unit->operands->scratch + luna_launch_sums(launch);
  for (int32_t i = 0; i < launch->out[0]; ++i)
    for (int32_t k = 0; k < launch->out[1]; ++k, ++to) {
      sum_products(launch, i, k);
      for (int32_t c = 0; c < launch->out_channels; ++c)
        to[c * places] = luna_wrap_i32(unit->sums[c]);
    }
}

static void finish_tile(const LunaLaunchRecord *launch) {
  for (int32_t i = 0; i < launch->tile[0]; ++i)
    for (int32_t k = 0; k < launch->tile[1]; ++k) {
      TileSums sums = sums_at(launch, i, k);
      for (int32_t c = 0; c < launch->out_channels; ++c)
        unit->sums[c] = sums.first[c * sums.step];
      store_sums(launch, i, k);
    }
}

//===- Operators ----------------------------------------------------------===//

// The most that one launch of the record needs.
typedef struct Extents {
  int64_t weights, patch, tile_bytes;
  int32_t channels, output_channels;
} Extents;

static int64_t tile_bytes(const LunaLaunchRecord *launch) {
  return (int64_t)sizeof(int32_t) * launch->tile[0] * launch->tile[1] *
         launch->out_channels;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static Extents extents_of(const LunaProductRecord *record) {
  const LunaLaunchRecord *launches = luna_record_launches(record);
  Extents extents = {0};
  for (int32_t i = 0; i < record->launch_count; ++i) {
    const LunaLaunchRecord *launch = &launches[i];
    int64_t patch =
        (int64_t)launch->taps[0] * launch->taps[1] * launch->in_channels;
    int32_t channels = launch->out_channels;
    int64_t last = launch->channel + (channels - 1) * record->channel_step;
    extents.patch = larger(extents.patch, patch);
    extents.weights = larger(extents.weights, patch * channels);
    extents.channels = (int32_t)larger(extents.channels, channels);
    extents.tile_bytes = larger(extents.tile_bytes, tile_bytes(launch));
    extents.output_channels =
        (int32_t)larger(extents.output_channels, last + 1);
  }
  return extents;
}

static LunaRequant requant_of(LunaArena *arena, const LunaProductRecord *record,
                              const void *table, int32_t channels) {
  const LunaTensorDesc desc = {
      .type = LUNA_TYPE_I32,
      .strides = {0, 0, record->table_strides[0], record->table_strides[1]},
  };
  return luna_requant_prepare(arena, &record->requant, &desc, table, channels);
}

// Makes the arrays for a product.
static void open_unit(Unit *own, LunaSimulator *sim,
                      const LunaProductRecord *record,
                      const LunaProductOperands *operands) {
  Extents extents = extents_of(record);
  *own = (Unit){.sim = sim,
                .record = record,
                .operands = operands,
                .is_wide = record->input_type == LUNA_TYPE_I16};
  LunaArena *arena = &own->arena;
  own->weights = LUNA_ARENA_ARRAY(arena, int16_t, extents.weights);
  own->patch = LUNA_ARENA_ARRAY(arena, int16_t, extents.patch);
  own->narrow = LUNA_ARENA_ARRAY(arena, int32_t, extents.channels);
  own->sums = LUNA_ARENA_ARRAY(arena, int64_t, extents.channels);
  own->arriving = LUNA_ARENA_ARRAY(arena, uint8_t, extents.tile_bytes);
  own->requant =
      requant_of(arena, record, operands->table, extents.output_channels);
  if (sim)
    own->time = luna_sim_launches_begin(sim, record);
  unit = own;
}

static void close_unit(void) {
  luna_arena_destroy(&unit->arena);
  unit = NULL;
}

//===- Launches -----------------------------------------------------------===//

static void compute(const LunaLaunchRecord *launch) {
  bool is_empty = launch->flags & LUNA_LAUNCH_EMPTY;
  if (!is_empty)
    pack_weights(launch);
  if (!(launch->flags & LUNA_LAUNCH_SUMS)) {
    write_outputs(launch);
    return;
  }
  if (launch->flags & LUNA_LAUNCH_OTHER) {
    write_other(launch);
    return;
  }
  if (launch->flags & LUNA_LAUNCH_FIRST)
    start_tile(launch);
  if (!is_empty)
    add_to_tile(launch);
  if (launch->flags & LUNA_LAUNCH_LAST &&
      unit->record->finish == LUNA_FINISH_FUSED)
    finish_tile(launch);
}

// Takes away the sums of a launch: until it is awaited, what lies in their
// place is not defined.
static void hide_sums(const LunaLaunchRecord *launch) {
  enum { UNDEFINED = 0xa5 };
  bool is_other = launch->flags & LUNA_LAUNCH_OTHER;
  if (!(launch->flags & LUNA_LAUNCH_SUMS))
    return;
  unit->arriving_bytes = (size_t)tile_bytes(launch);
  unit->arrival = (uint8_t *)unit->operands->scratch +
                  (is_other ? unit->arriving_bytes : 0);
  memcpy(unit->arriving, unit->arrival, unit->arriving_bytes);
  memset(unit->arrival, UNDEFINED, unit->arriving_bytes);
}

static void show_sums(void) {
  if (unit->arriving_bytes > 0)
    memcpy(unit->arrival, unit->arriving, unit->arriving_bytes);
  unit->arriving_bytes = 0;
}

static void arrive(void) {
  show_sums();
  if (unit->sim)
    luna_sim_launch_end(&unit->time);
}

static void launch_unit(const LunaLaunchRecord *launch,
                        const LunaProductOperands *operands) {
  unit->operands = operands;
  if (unit->sim)
    luna_sim_launch_start(&unit->time, launch);
  compute(launch);
  hide_sums(launch);
  luna_sim_at_await(arrive);
}

// Below a runtime without checks, the launches of an operator are its first to
// its last.
static _Thread_local Unit alone;

static void arrive_alone(void) {
  const LunaProductRecord *record = alone.record;
  const LunaLaunchRecord *launch = alone.time.in_flight;
  arrive();
  unit = NULL;
  if (launch + 1 != luna_record_launches(record) + record->launch_count)
    return;
  luna_arena_destroy(&alone.arena);
  luna_sim_clock_end(alone.sim);
}

static void launch_alone(const LunaProductRecord *record,
                         const LunaLaunchRecord *launch,
                         const LunaProductOperands *operands) {
  LunaSimulator *sim = luna_sim_any_active();
  if (launch == luna_record_launches(record)) {
    luna_arena_destroy(&alone.arena); // of an operator that did not end
    open_unit(&alone, sim, record, operands);
    luna_sim_clock_begin(sim, LUNA_NO_ID);
    luna_sim_clock_core(sim, luna_core_product_cycles(
                                 &sim->machine, (LunaFinish)record->finish));
  }
  unit = &alone;
  launch_unit(launch, operands);
  luna_sim_at_await(arrive_alone);
}

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  if (unit && unit != &alone)
    launch_unit(launch, operands);
  else
    launch_alone(record, launch, operands);
}

//===- Products -----------------------------------------------------------===//

void luna_sim_unit_run(LunaSimulator *sim, const LunaProductRecord *record,
                       const LunaProductOperands *operands) {
  Unit own;
  open_unit(&own, sim, record, operands);
  luna_sim_set_timed(sim != NULL);
  luna_core_product(record, operands);
  luna_sim_set_timed(true);
  close_unit();
}
