#include "timing_flights.h"

typedef LunaTimingFlight Flight;

static const Flight *added(const Flight *older, LunaModelId token,
                           uint64_t end_cycles, LunaArena *arena) {
  Flight *flight = LUNA_ARENA_ARRAY(arena, Flight, 1);
  *flight = (Flight){older, token, end_cycles};
  return flight;
}

static LunaModelId value_of(const LunaModel *model, LunaModelId slice) {
  return slice == LUNA_MODEL_NONE ? LUNA_MODEL_NONE
                                  : model->slices.items[slice].value;
}

const Flight *luna_timing_start(const LunaModel *model,
                                const LunaModelStep *step,
                                const Flight *flights, uint64_t end_cycles,
                                LunaArena *arena) {
  return added(flights, value_of(model, step->token), end_cycles, arena);
}

//===- Awaiting -----------------------------------------------------------===//

static bool is_source(const LunaModel *model, const LunaModelValue *value,
                      LunaModelId source) {
  for (uint32_t i = 0; i < value->source_count; ++i)
    if (model->sources.items[value->first_source + i] == source)
      return true;
  return false;
}

// Returns true if a token that control flow merges may be that of a transfer:
// it accesses whatever the transfer does.
static bool may_be(const LunaModel *model, LunaModelId merged,
                   LunaModelId token) {
  if (token == LUNA_MODEL_NONE || merged == LUNA_MODEL_NONE)
    return true;
  const LunaModelValue *value = &model->values.items[token];
  bool is_part = true;
  for (uint32_t i = 0; i < value->source_count && is_part; ++i)
    is_part = is_source(model, &model->values.items[merged],
                        model->sources.items[value->first_source + i]);
  return is_part;
}

static const Flight *find(const LunaModel *model, LunaModelId token,
                          const Flight *flights) {
  const Flight *same = NULL, *similar = NULL;
  for (const Flight *flight = flights; flight; flight = flight->older) {
    if (flight->token == token)
      same = flight;
    if (may_be(model, token, flight->token))
      similar = flight;
  }
  return same ? same : similar;
}

static const Flight *without(const Flight *flights, const Flight *taken,
                             LunaArena *arena) {
  return flights == taken ? taken->older
                          : added(without(flights->older, taken, arena),
                                  flights->token, flights->end_cycles, arena);
}

uint64_t luna_timing_await(const LunaModel *model, const LunaModelStep *step,
                           const Flight **flights, LunaArena *arena) {
  const LunaModelAccess *access = luna_model_accesses(model, step);
  if (!luna_model_awaits(model, step))
    return 0;
  const Flight *taken =
      find(model, access ? value_of(model, access->slice) : LUNA_MODEL_NONE,
           *flights);
  if (!taken)
    return 0;
  *flights = without(*flights, taken, arena);
  return taken->end_cycles;
}

//===- Comparing ----------------------------------------------------------===//

const Flight *luna_timing_advance(const Flight *flights, uint64_t cycles,
                                  LunaArena *arena) {
  return flights ? added(luna_timing_advance(flights->older, cycles, arena),
                         flights->token, flights->end_cycles + cycles, arena)
                 : NULL;
}

bool luna_timing_exceeds(const Flight *a, const Flight *b) {
  for (; a && b; a = a->older, b = b->older)
    if (a->end_cycles < b->end_cycles)
      return false;
  return !a && !b;
}

bool luna_timing_repeats(const Flight *before, const Flight *after,
                         uint64_t cycles) {
  for (; before && after; before = before->older, after = after->older)
    if (after->end_cycles != before->end_cycles + cycles)
      return false;
  return !before && !after;
}
