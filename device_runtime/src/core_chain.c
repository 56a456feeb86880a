#include "core_chain.h"

#include "luna/core.h"

void luna_core_vector(const LunaVectorCall *call,
                      const LunaCorePlaces *places) {
  const LunaVectorOperands operands = {.input = places->at[call->input],
                                       .other = places->at[call->other],
                                       .output = places->at[call->output],
                                       .count = places->count,
                                       .columns = places->columns};
  luna_unit_start_vector(call, &operands);
  luna_unit_await();
}

// Writes 2^(E - e) of each channel, e its shift beyond 31, and returns E, the
// largest of these.
static int32_t write_powers(const int32_t *shifts, int32_t count,
                            int32_t *powers) {
  int32_t largest = 0;
  for (int32_t i = 0; i < count; ++i)
    if (shifts[i] > largest)
      largest = shifts[i];
  for (int32_t i = 0; i < count; ++i)
    powers[i] = (int32_t)((uint32_t)1 << (largest - shifts[i]));
  return largest - 31;
}

// What the calls on a tile have in common.
typedef struct Tile {
  LunaChainTile tile;
  uint8_t *sums, *output;
  int32_t element_bytes; // of the output
  int32_t count, places; // of the tile, of a plane
  // Of the channels, if they have scales of their own.
  const int32_t *multipliers, *shifts;
  int32_t deepest; // of the shifts, beyond 31
} Tile;

// The runs of results of a tile or plane that lie side by side.
typedef struct Runs {
  int32_t count, rows, columns;
  int32_t row_bytes, column_bytes;
} Runs;

static Runs runs_of(const LunaChainTile *tile, int32_t element_bytes) {
  int32_t run = luna_chain_run(tile), inner = tile->extents[2];
  const Runs runs = {
      .count = run,
      .rows = run > inner * tile->extents[1] ? 1 : tile->extents[0],
      .columns = run > inner ? 1 : tile->extents[1],
      .row_bytes = tile->strides[0] * element_bytes,
      .column_bytes = tile->strides[1] * element_bytes,
  };
  return runs;
}

// A call that writes results: one for each run.
static void write_runs(const LunaVectorCall *call, const Runs *runs,
                       LunaCorePlaces *places) {
  uint8_t *row = places->at[LUNA_VECTOR_OUTPUT];
  places->count = runs->count;
  for (int32_t i = 0; i < runs->rows; ++i, row += runs->row_bytes) {
    places->at[LUNA_VECTOR_OUTPUT] = row;
    for (int32_t k = 0; k < runs->columns; ++k) {
      luna_core_vector(call, places);
      places->at[LUNA_VECTOR_SUMS] += runs->count * 4;
      places->at[LUNA_VECTOR_OUTPUT] += runs->column_bytes;
    }
  }
}

static void shift_by(LunaVectorCall *call, int32_t scalar, int32_t shift) {
  call->shift = (uint8_t)shift;
  call->scalar = (int32_t)((uint32_t)scalar << shift);
}

// A call on each plane of sums, by the multiplier of its channel.
static void scale_planes(LunaVectorCall call, const Tile *tile,
                         LunaCorePlaces *places) {
  places->count = tile->places;
  for (int32_t c = 0; c < tile->tile.extents[0]; ++c) {
    call.scalar = tile->multipliers[c];
    luna_core_vector(&call, places);
    places->at[LUNA_VECTOR_SUMS] += tile->places * 4;
  }
}

// A call that writes each plane, by the shift of its channel.
static void write_planes(LunaVectorCall call, const Tile *tile,
                         LunaCorePlaces *places) {
  const LunaChainTile plane = luna_chain_plane(&tile->tile);
  const Runs runs = runs_of(&plane, tile->element_bytes);
  const int32_t scalar = call.scalar;
  uint8_t *output = tile->output;
  for (int32_t c = 0; c < tile->tile.extents[0]; ++c) {
    shift_by(&call, scalar, tile->shifts[c] - 31);
    places->at[LUNA_VECTOR_OUTPUT] = output;
    write_runs(&call, &runs, places);
    output += tile->tile.strides[0] * tile->element_bytes;
  }
}

static void call_on_tile(LunaVectorCall call, const Tile *tile,
                         LunaCorePlaces *places) {
  bool writes = call.output == LUNA_VECTOR_OUTPUT;
  places->at[LUNA_VECTOR_SUMS] = tile->sums;
  places->at[LUNA_VECTOR_OUTPUT] = tile->output;
  places->count = call.output == LUNA_VECTOR_ONES ? tile->places : tile->count;
  if (call.scope == LUNA_VECTOR_DEEPEST)
    shift_by(&call, call.scalar, tile->deepest);
  if (call.scope == LUNA_VECTOR_PLANE && writes) {
    write_planes(call, tile, places);
  } else if (call.scope == LUNA_VECTOR_PLANE) {
    scale_planes(call, tile, places);
  } else if (writes) {
    const Runs runs = runs_of(&tile->tile, tile->element_bytes);
    write_runs(&call, &runs, places);
  } else {
    luna_core_vector(&call, places);
  }
}

// Prepares what calls with a scale for each channel read.
static void place_channels(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch, int32_t channels,
                           const int32_t *table, Tile *tile,
                           LunaCorePlaces *places) {
  bool has_other = record->finish == LUNA_FINISH_STRIPS ||
                   luna_chain_has_signs(&record->requant);
  int32_t *powers =
      (int32_t *)(void *)tile->sums + tile->count * (has_other ? 2 : 1);
  tile->multipliers = table + launch->channel;
  tile->shifts = tile->multipliers + record->table_strides[0];
  if (record->finish == LUNA_FINISH_PLANES)
    return;
  places->at[LUNA_VECTOR_MULTIPLIERS] = (uint8_t *)(uintptr_t)tile->multipliers;
  places->at[LUNA_VECTOR_POWERS] = (uint8_t *)powers;
  places->at[LUNA_VECTOR_ONES] = (uint8_t *)(powers + channels);
  tile->deepest = write_powers(tile->shifts, channels, powers);
}

void luna_core_finish_tile(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch, int32_t channels,
                           const LunaProductOperands *operands) {
  const LunaVectorCall *call = luna_record_calls(record);
  const LunaVectorCall *end = call + record->call_count;
  const int32_t extents[3] = {launch->tile[0], launch->tile[1], channels};
  Tile tile = {.deepest = 0};
  LunaCorePlaces places;
  tile.tile = luna_chain_tile(record->output_strides, extents);
  tile.sums = operands->scratch;
  tile.output = (uint8_t *)operands->output + launch->output_offset;
  tile.element_bytes = luna_element_bytes(record->output_type);
  tile.places = extents[0] * extents[1];
  tile.count = tile.places * extents[2];
  places.columns =
      record->finish == LUNA_FINISH_STRIPS ? tile.places : extents[2];
  places.at[LUNA_VECTOR_NOWHERE] = 0;
  places.at[LUNA_VECTOR_OTHER] = tile.sums + 4 * tile.count;
  if (record->requant.per_channel)
    place_channels(record, launch, channels, operands->table, &tile, &places);
  for (; call != end; ++call)
    call_on_tile(*call, &tile, &places);
}

//===- Partial sums -------------------------------------------------------===//

void luna_core_add_sums(const LunaLaunchRecord *launch,
                        const LunaProductOperands *operands) {
  static const LunaVectorCall add = {LUNA_CALL_ADD,
                                     32,
                                     32,
                                     0,
                                     LUNA_VECTOR_SUMS,
                                     LUNA_VECTOR_OTHER,
                                     LUNA_VECTOR_SUMS,
                                     LUNA_VECTOR_TILE,
                                     0};
  const int32_t plane = launch->tile[0] * launch->tile[1];
  int32_t channels = launch->out_channels, rows = launch->out[0];
  int32_t *sums = (int32_t *)operands->scratch;
  LunaCorePlaces places;
  places.at[LUNA_VECTOR_OTHER] = (uint8_t *)(sums + luna_launch_sums(launch));
  places.columns = 1;
  places.count = launch->out[1];
  if (launch->flags & LUNA_LAUNCH_COVERS) {
    places.count = plane * channels;
    channels = rows = 1;
  } else if (launch->out[1] == launch->tile[1]) {
    places.count *= rows;
    rows = 1;
  }
  sums += launch->sums_offset;
  for (int32_t c = 0; c < channels; ++c, sums += plane) {
    places.at[LUNA_VECTOR_SUMS] = (uint8_t *)sums;
    for (int32_t y = 0; y < rows; ++y) {
      luna_core_vector(&add, &places);
      places.at[LUNA_VECTOR_OTHER] += 4 * places.count;
      places.at[LUNA_VECTOR_SUMS] += 4 * launch->tile[1];
    }
  }
}

//===- Elementwise operators ----------------------------------------------===//

// Moves an operand on by so many elements.
static void advance(uint8_t **at, const LunaTensorDesc *desc, int32_t count) {
  *at += count * luna_element_bytes(desc->type);
}

// Copies the rows of the padded operand behind the sums, where the calls read
// them.
static void copy_padded(const LunaEltwiseDesc *desc,
                        const LunaEltwiseChain *chain, uint8_t *rows,
                        LunaCorePlaces *places) {
  const LunaCopyDesc copy = luna_chain_copy(desc, chain, places->count);
  luna_core_copy(&copy, places->at[chain->padded], rows);
  places->at[chain->padded] = rows;
}

void luna_core_eltwise_chain(const LunaEltwiseDesc *desc,
                             const LunaEltwiseChain *chain,
                             LunaCorePlaces places) {
  uint8_t *sums = places.at[LUNA_VECTOR_SUMS];
  uint8_t *padded = sums + 8 * chain->piece;
  if (chain->padded) {
    const LunaFillDesc fill = luna_chain_fill(desc, chain);
    luna_core_fill(&fill, padded);
  }
  for (int32_t first = 0, count; first < chain->elements; first += count) {
    const LunaVectorCall *call = chain->chain.calls;
    count = luna_chain_piece_at(chain, first);
    LunaCorePlaces own = places;
    own.count = count;
    own.at[LUNA_VECTOR_OTHER] = sums + 4 * count;
    if (chain->row > 1)
      copy_padded(desc, chain, padded, &own);
    else if (first >= chain->covered)
      own.at[chain->padded] = padded;
    for (int32_t i = chain->chain.count; i > 0; --i, ++call)
      luna_core_vector(call, &own);
    advance(&places.at[LUNA_VECTOR_LHS], &desc->lhs,
            count / chain->row * luna_chain_own(&desc->lhs, chain));
    advance(&places.at[LUNA_VECTOR_RHS], &desc->rhs,
            count / chain->row * luna_chain_own(&desc->rhs, chain));
    advance(&places.at[LUNA_VECTOR_OUTPUT], &desc->output, count);
  }
}
