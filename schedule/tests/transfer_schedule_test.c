// Blocks of steps, by hand and at random.

#include "luna/transfer_schedule.h"

#include <string.h>

#include "check.h"

enum { STEPS_MAX = 24, TRANSFERS_MAX = 12 };

// What a run of the events takes and holds.
typedef struct Run {
  int64_t cycles, most_bytes;
  uint32_t most_outstanding;
  bool is_sound; // each starts and is awaited once, in its span, in one order
} Run;

typedef struct Case {
  LunaArena arena;
  LunaTransferBlock block;
  int64_t cycles[STEPS_MAX], live_bytes[STEPS_MAX];
} Case;

static LunaBlockTransfer *add(Case *test, LunaBlockTransferKind kind,
                              int64_t cycles, int64_t bytes, uint32_t step) {
  LunaBlockTransfer *transfer =
      LUNA_VECTOR_ADD(&test->arena, &test->block.transfers);
  *transfer = (LunaBlockTransfer){.kind = kind,
                                  .cycles = cycles,
                                  .bytes = bytes,
                                  .step = step,
                                  .latest = step};
  return transfer;
}

// The first step at which a transfer holds bytes of its own, and the one behind
// the last.
static void held(const LunaBlockTransfer *transfer, uint32_t start,
                 uint32_t await, uint32_t *first, uint32_t *end) {
  bool is_store = transfer->kind == LUNA_BLOCK_STORE;
  *first = is_store ? transfer->step + 1 : start;
  *end = is_store                               ? await
         : transfer->kind == LUNA_BLOCK_WEIGHTS ? transfer->step + 1
                                                : transfer->step;
}

static void add_bytes(const Case *test, const uint32_t *starts,
                      const uint32_t *awaits, Run *run) {
  for (uint32_t step = 0; step < test->block.step_count; ++step) {
    int64_t bytes = test->live_bytes[step];
    for (uint32_t i = 0; i < test->block.transfers.count; ++i) {
      const LunaBlockTransfer *transfer = &test->block.transfers.items[i];
      uint32_t first = 0, end = 0;
      held(transfer, starts[i], awaits[i], &first, &end);
      bytes += step >= first && step < end ? transfer->bytes : 0;
    }
    run->most_bytes = bytes > run->most_bytes ? bytes : run->most_bytes;
  }
}

static Run run_events(const Case *test) {
  Run run = {.is_sound = true};
  uint32_t starts[TRANSFERS_MAX] = {0}, awaits[TRANSFERS_MAX] = {0};
  uint32_t order[TRANSFERS_MAX], started = 0, awaited = 0, step = 0;
  int64_t ends[TRANSFERS_MAX] = {0}, engine_free = 0;
  for (uint64_t i = 0; i < test->block.events.count; ++i) {
    LunaTransferEvent event = test->block.events.items[i];
    const LunaBlockTransfer *transfer =
        &test->block.transfers.items[event.transfer];
    run.is_sound &= event.step >= step;
    for (; step < event.step; ++step)
      run.cycles += test->cycles[step];
    if (event.is_start) {
      engine_free = engine_free > run.cycles ? engine_free : run.cycles;
      ends[event.transfer] = engine_free += transfer->cycles;
      starts[event.transfer] = step;
      order[started++] = event.transfer;
      run.is_sound &= step >= transfer->earliest;
    } else {
      run.is_sound &= awaited < started && order[awaited] == event.transfer &&
                      step <= transfer->latest;
      awaits[event.transfer] = step;
      ++awaited;
      if (run.cycles < ends[event.transfer])
        run.cycles = ends[event.transfer];
    }
    if (started - awaited > run.most_outstanding)
      run.most_outstanding = started - awaited;
  }
  for (; step < test->block.step_count; ++step)
    run.cycles += test->cycles[step];
  run.is_sound &= awaited == test->block.transfers.count;
  add_bytes(test, starts, awaits, &run);
  return run;
}

static Run scheduled(Case *test, uint32_t steps, int64_t bytes,
                     uint32_t outstanding) {
  const LunaTransferLimits limits = {.bytes = bytes,
                                     .outstanding = outstanding};
  test->block.step_count = steps;
  test->block.cycles = test->cycles;
  test->block.live_bytes = test->live_bytes;
  luna_schedule_transfers(&test->block, &limits, &test->arena);
  return run_events(test);
}

static void short_steps(Case *test, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i)
    test->cycles[i] = 10;
}

// Four loads of 30 cycles, needed one step after the other, hide behind twelve
// steps before that.
static void loads_start_to_any_depth(void) {
  Case test = {.block = {0}};
  short_steps(&test, 16);
  for (uint32_t i = 12; i < 16; ++i)
    add(&test, LUNA_BLOCK_WEIGHTS, 30, 8, i);
  CHECK_EQ(scheduled(&test, 16, INT64_MAX, 8).cycles, 160);
  CHECK_EQ(run_events(&test).most_bytes, 32);
  CHECK_EQ(scheduled(&test, 16, 24, 8).most_bytes, 24);
  CHECK(test.block.transfers.items[3].is_late);
  CHECK_EQ(scheduled(&test, 16, 0, 8).cycles, 160 + 4 * 30);
  luna_arena_destroy(&test.arena);
}

// With one outstanding, the next load starts between steps, once the one before
// has ended.
static void one_outstanding_is_awaited_first(void) {
  Case test = {.block = {0}};
  short_steps(&test, 16);
  for (uint32_t i = 12; i < 16; ++i)
    add(&test, LUNA_BLOCK_WEIGHTS, 30, 8, i);
  Run run = scheduled(&test, 16, INT64_MAX, 1);
  CHECK_EQ(run.most_outstanding, 1);
  CHECK_EQ(run.cycles, 160);
  CHECK(run.is_sound);
  luna_arena_destroy(&test.arena);
}

// A store is made while the core goes on, but not where a load is due.
static void stores_give_way_to_loads(void) {
  Case test = {.block = {0}};
  short_steps(&test, 8);
  LunaBlockTransfer *store = add(&test, LUNA_BLOCK_STORE, 25, 8, 2);
  store->earliest = 2;
  store->latest = 8;
  add(&test, LUNA_BLOCK_WEIGHTS, 30, 8, 5);
  CHECK_EQ(scheduled(&test, 8, INT64_MAX, 8).cycles, 80);
  CHECK_EQ(test.block.events.items[0].transfer, 1);
  luna_arena_destroy(&test.arena);
}

static uint64_t draw(uint64_t *state, uint64_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) % below;
}

static void fill_at_random(Case *test, uint64_t *state, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i) {
    test->cycles[i] = (int64_t)draw(state, 40);
    test->live_bytes[i] = (int64_t)draw(state, 40);
  }
  uint64_t count = 1 + draw(state, TRANSFERS_MAX);
  uint32_t step = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t left = steps - step;
    step += (uint32_t)draw(state, left < 4 ? left : 4);
    LunaBlockTransferKind kind = (LunaBlockTransferKind)draw(state, 3);
    LunaBlockTransfer *transfer = add(test, kind, (int64_t)draw(state, 50),
                                      (int64_t)draw(state, 30), step);
    if (kind == LUNA_BLOCK_WEIGHTS)
      continue;
    transfer->earliest = (uint32_t)draw(state, step + 1);
    transfer->latest = step + 1 + (uint32_t)draw(state, steps - step);
  }
}

// Never slower than each in place, in the queue and in memory: that is, at most
// what is live where an operator has its weights.
static void random_blocks_are_sound(void) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    Case test = {.block = {0}};
    uint64_t state = seed;
    uint32_t steps = 1 + (uint32_t)draw(&state, STEPS_MAX);
    uint32_t outstanding = 1 + (uint32_t)draw(&state, 4);
    fill_at_random(&test, &state, steps);
    int64_t least = scheduled(&test, steps, 0, outstanding).most_bytes;
    int64_t budget = least + (int64_t)draw(&state, 60);
    Run run = scheduled(&test, steps, budget, outstanding);
    CHECK(run.is_sound);
    CHECK(run.most_outstanding <= outstanding);
    CHECK(run.most_bytes <= budget);
    luna_arena_destroy(&test.arena);
  }
}

int main(void) {
  RUN_TEST(loads_start_to_any_depth);
  RUN_TEST(one_outstanding_is_awaited_first);
  RUN_TEST(stores_give_way_to_loads);
  RUN_TEST(random_blocks_are_sound);
  return 0;
}
