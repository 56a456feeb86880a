#include "plan_samples.h"

#include "luna/checked.h"

enum { GRID_SYMBOLS = 3, MAX_LEVELS = 9 };

// Returns the root of `value`, rounded down.
static int64_t root_of(int64_t value) {
  int64_t root = 0;
  for (int64_t bit = INT64_C(1) << 31; bit > 0; bit >>= 1)
    if ((root | bit) <= value / (root | bit))
      root |= bit;
  return root;
}

// Returns the geometric middle, that of 0 as if it was 1.
static int64_t middle_of(int64_t low, int64_t high) {
  int64_t product = 0;
  if (low == high)
    return low;
  if (!luna_checked_mul(low > 0 ? low : 1, high, &product))
    return low + (high - low) / 2;
  return root_of(product);
}

// Writes values from low to high, each between two others in their geometric
// middle; returns how many differ.
static uint32_t write_levels(const LunaPlanSymbol *symbol, uint32_t count,
                             int64_t *levels) {
  levels[0] = symbol->low;
  levels[count - 1] = symbol->high;
  for (uint32_t step = count - 1; step > 1; step /= 2)
    for (uint32_t i = step / 2; i < count; i += step)
      levels[i] = middle_of(levels[i - step / 2], levels[i + step / 2]);
  uint32_t distinct = 1;
  for (uint32_t i = 1; i < count; ++i)
    if (levels[i] != levels[distinct - 1])
      levels[distinct++] = levels[i];
  return distinct;
}

static LunaPlanSamples make_grid(const LunaPlanSymbol *symbols,
                                 uint32_t symbol_count, LunaArena *arena) {
  static const uint32_t level_counts[GRID_SYMBOLS + 1] = {2, MAX_LEVELS, 5, 3};
  int64_t levels[GRID_SYMBOLS][MAX_LEVELS];
  uint32_t counts[GRID_SYMBOLS];
  LunaPlanSamples samples = {.count = 1, .symbol_count = symbol_count};
  for (uint32_t i = 0; i < symbol_count; ++i) {
    counts[i] =
        write_levels(&symbols[i], level_counts[symbol_count], levels[i]);
    samples.count *= counts[i];
  }
  int64_t *values =
      LUNA_ARENA_ARRAY(arena, int64_t, (uint64_t)samples.count *symbol_count);
  for (uint32_t k = 0; k < samples.count; ++k)
    for (uint32_t i = 0, left = k; i < symbol_count; left /= counts[i++])
      values[(uint64_t)k * symbol_count + i] = levels[i][left % counts[i]];
  samples.values = values;
  return samples;
}

static LunaPlanSamples make_star(const LunaPlanSymbol *symbols,
                                 uint32_t symbol_count, LunaArena *arena) {
  LunaPlanSamples samples = {.count = 2 * symbol_count + 3,
                             .symbol_count = symbol_count};
  int64_t *values =
      LUNA_ARENA_ARRAY(arena, int64_t, (uint64_t)samples.count *symbol_count);
  int64_t *row = values;
  for (uint32_t k = 0; k < samples.count; ++k)
    for (uint32_t i = 0; i < symbol_count; ++i) {
      bool is_low = k == 2 * i || k == 2 * symbol_count;
      bool is_high = k == 2 * i + 1 || k == 2 * symbol_count + 1;
      *row++ = is_low    ? symbols[i].low
               : is_high ? symbols[i].high
                         : middle_of(symbols[i].low, symbols[i].high);
    }
  samples.values = values;
  return samples;
}

LunaPlanSamples luna_plan_samples_make(const LunaPlanSymbol *symbols,
                                       uint32_t symbol_count,
                                       LunaArena *arena) {
  return symbol_count <= GRID_SYMBOLS ? make_grid(symbols, symbol_count, arena)
                                      : make_star(symbols, symbol_count, arena);
}
