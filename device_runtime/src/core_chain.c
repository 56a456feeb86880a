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

// A call that writes results: one for each run of them that lie side by side.
static void write_runs(const LunaVectorCall *call, LunaCorePlaces places,
                       const int32_t strides[3], const int32_t extents[3],
                       int32_t element_bytes) {
  int32_t run = luna_chain_run(strides, extents);
  int32_t rows = extents[0], columns = extents[1];
  uint8_t *row = places.at[LUNA_VECTOR_OUTPUT];
  if (run > extents[2])
    columns = 1;
  if (run > extents[2] * extents[1])
    rows = 1;
  places.count = run;
  for (int32_t y = 0; y < rows; ++y, row += strides[0] * element_bytes) {
    places.at[LUNA_VECTOR_OUTPUT] = row;
    for (int32_t x = 0; x < columns; ++x) {
      luna_core_vector(call, &places);
      places.at[LUNA_VECTOR_SUMS] += run * 4;
      places.at[LUNA_VECTOR_OUTPUT] += strides[1] * element_bytes;
    }
  }
}

// Prepares what calls with a scale for each channel read, and returns E.
static int32_t place_channels(const LunaProductRecord *record,
                              const LunaLaunchRecord *launch,
                              const int32_t *table, LunaCorePlaces *places) {
  const int32_t *first = table + launch->channel;
  int32_t pieces = luna_chain_has_signs(&record->requant) ? 2 : 1;
  int32_t *powers =
      (int32_t *)(void *)places->at[LUNA_VECTOR_SUMS] + places->count * pieces;
  places->at[LUNA_VECTOR_MULTIPLIERS] = (uint8_t *)(uintptr_t)first;
  places->at[LUNA_VECTOR_POWERS] = (uint8_t *)powers;
  return write_powers(first + record->table_strides[0], launch->out_channels,
                      powers);
}

void luna_core_finish_tile(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch,
                           const LunaProductOperands *operands) {
  const LunaVectorCall *call = luna_record_calls(record);
  const LunaVectorCall *end = call + record->call_count;
  const int32_t extents[3] = {launch->tile[0], launch->tile[1],
                              launch->out_channels};
  int32_t count = extents[0] * extents[1] * extents[2], deepest = 0;
  uint8_t *sums = operands->scratch;
  LunaCorePlaces places = {.count = count, .columns = extents[2]};
  places.at[LUNA_VECTOR_SUMS] = sums;
  places.at[LUNA_VECTOR_OTHER] = sums + 4 * count;
  places.at[LUNA_VECTOR_OUTPUT] =
      (uint8_t *)operands->output + launch->output_offset;
  if (record->requant.per_channel)
    deepest = place_channels(record, launch, operands->table, &places);
  for (; call != end; ++call) {
    LunaVectorCall own = *call;
    if (own.is_shifted_by_channel) {
      own.shift = (uint8_t)deepest;
      own.scalar = (int32_t)((uint32_t)own.scalar << deepest);
    }
    if (own.output == LUNA_VECTOR_OUTPUT)
      write_runs(&own, places, record->output_strides, extents,
                 luna_element_bytes(record->output_type));
    else
      luna_core_vector(&own, &places);
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
    int32_t left = chain->elements - first;
    count = left < chain->piece ? left : chain->piece;
    LunaCorePlaces own = places;
    own.count = count;
    own.at[LUNA_VECTOR_OTHER] = sums + 4 * count;
    if (chain->padded)
      copy_padded(desc, chain, padded, &own);
    for (int32_t i = chain->chain.count; i > 0; --i, ++call)
      luna_core_vector(call, &own);
    advance(&places.at[LUNA_VECTOR_LHS], &desc->lhs,
            count / chain->row * luna_chain_own(&desc->lhs, chain));
    advance(&places.at[LUNA_VECTOR_RHS], &desc->rhs,
            count / chain->row * luna_chain_own(&desc->rhs, chain));
    advance(&places.at[LUNA_VECTOR_OUTPUT], &desc->output, count);
  }
}
