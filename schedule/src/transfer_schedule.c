#include "luna/transfer_schedule.h"

#include <stdlib.h>

typedef LunaBlockTransfer Transfer;

// What is known of a transfer while events are decided.
typedef struct Item {
  Transfer *transfer;
  uint32_t number;
  int64_t due; // it starts at the latest to be in time, if nothing stalls
  int64_t end; // of the engine, once it has started
} Item;

typedef struct Decider {
  LunaTransferBlock *block;
  const LunaTransferLimits *limits;
  LunaArena *arena;
  int64_t *begins; // by step: when it begins, if nothing stalls
  int64_t *staged; // by step: bytes that transfers occupy
  Item *loads, *stores, **queue;
  uint32_t load_count, store_count, queue_count;
  uint32_t next_load, next_store, awaited; // of queue
  int64_t now, engine_free;
} Decider;

//===- Before the first step ----------------------------------------------===//

static int by_latest(const void *left, const void *right) {
  const Item *a = left, *b = right;
  if (a->transfer->latest != b->transfer->latest)
    return a->transfer->latest < b->transfer->latest ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static void sort_transfers(Decider *decider) {
  LunaTransferBlock *block = decider->block;
  for (uint32_t i = 0; i < block->transfers.count; ++i) {
    Transfer *transfer = &block->transfers.items[i];
    transfer->is_late = false;
    if (transfer->kind == LUNA_BLOCK_WEIGHTS)
      decider->staged[transfer->step] += transfer->bytes;
    Item item = {.transfer = transfer, .number = i};
    if (transfer->kind == LUNA_BLOCK_STORE)
      decider->stores[decider->store_count++] = item;
    else
      decider->loads[decider->load_count++] = item;
  }
  if (decider->load_count > 0)
    qsort(decider->loads, decider->load_count, sizeof(Item), by_latest);
  // A store that those behind it wait for is no later than they are.
  for (uint32_t i = decider->store_count; i-- > 1;) {
    uint32_t latest = decider->stores[i].transfer->latest;
    Transfer *before = decider->stores[i - 1].transfer;
    before->latest = before->latest < latest ? before->latest : latest;
  }
}

static void find_times(Decider *decider) {
  const LunaTransferBlock *block = decider->block;
  for (uint32_t i = 0; i < block->step_count; ++i)
    decider->begins[i + 1] = decider->begins[i] + block->cycles[i];
  int64_t next = INT64_MAX;
  for (uint32_t i = decider->load_count; i-- > 0;) {
    Item *load = &decider->loads[i];
    int64_t needed = decider->begins[load->transfer->latest];
    load->due = (needed < next ? needed : next) - load->transfer->cycles;
    next = load->due;
  }
}

//===- Memory -------------------------------------------------------------===//

typedef struct Steps {
  uint32_t first, end;
} Steps;

// Returns the steps at which a transfer that starts before `step` occupies
// memory that its buffer does not occupy anyway (weights do at their operator);
// of a store, up to `end`.
static Steps occupied_by(const Transfer *transfer, uint32_t step,
                         uint32_t end) {
  return transfer->kind == LUNA_BLOCK_STORE ? (Steps){transfer->step + 1, end}
                                            : (Steps){step, transfer->step};
}

// Returns the first of some steps at which there is no room for `bytes` more,
// or `steps.end`.
static uint32_t first_without_room(const Decider *decider, Steps steps,
                                   int64_t bytes) {
  uint32_t i = steps.first;
  while (i < steps.end && i < decider->block->step_count &&
         decider->block->live_bytes[i] + decider->staged[i] + bytes <=
             decider->limits->bytes)
    ++i;
  return i < decider->block->step_count && i < steps.end ? i : steps.end;
}

static void occupy(Decider *decider, Steps steps, int64_t bytes) {
  for (uint32_t i = steps.first;
       i < steps.end && i < decider->block->step_count; ++i)
    decider->staged[i] += bytes;
}

//===- Events -------------------------------------------------------------===//

static void add_event(Decider *decider, uint32_t step, const Item *item,
                      bool is_start) {
  *LUNA_VECTOR_ADD(decider->arena, &decider->block->events) =
      (LunaTransferEvent){step, item->number, is_start};
}

static void start(Decider *decider, uint32_t step, Item *item) {
  decider->now += decider->limits->start_cycles;
  if (decider->engine_free < decider->now)
    decider->engine_free = decider->now;
  decider->engine_free += item->transfer->cycles;
  item->end = decider->engine_free;
  decider->queue[decider->queue_count++] = item;
  add_event(decider, step, item, true);
}

static void await(Decider *decider, uint32_t step) {
  Item *item = decider->queue[decider->awaited++];
  if (decider->now < item->end)
    decider->now = item->end;
  add_event(decider, step, item, false);
}

// Awaits what must have ended before a step, what stores have ended, and what
// was started before those.
static void await_due(Decider *decider, uint32_t step) {
  uint32_t end = decider->awaited;
  for (uint32_t i = end; i < decider->queue_count; ++i) {
    const Item *item = decider->queue[i];
    bool is_over =
        item->transfer->kind == LUNA_BLOCK_STORE && item->end <= decider->now;
    if (item->transfer->latest <= step || is_over)
      end = i + 1;
  }
  while (decider->awaited < end)
    await(decider, step);
}

// Returns true if one more may be started, after a wait for one that has ended
// if need be.
static bool has_room_in_queue(Decider *decider, uint32_t step) {
  if (decider->queue_count - decider->awaited < decider->limits->outstanding)
    return true;
  if (decider->queue[decider->awaited]->end > decider->now)
    return false;
  await(decider, step);
  return true;
}

//===- Loads --------------------------------------------------------------===//

// Returns true if a time of which one without stalls is known comes before the
// next step.
static bool comes_before_next(const Decider *decider, uint32_t step,
                              int64_t time) {
  return step == decider->block->step_count || time < decider->begins[step + 1];
}

static bool may_start_load(Decider *decider, uint32_t step) {
  if (decider->next_load == decider->load_count)
    return false;
  Item *load = &decider->loads[decider->next_load];
  Transfer *transfer = load->transfer;
  bool is_last_chance = transfer->latest == step;
  if (transfer->earliest > step ||
      (!is_last_chance && !comes_before_next(decider, step, load->due)))
    return false;
  Steps steps = occupied_by(transfer, step, 0);
  if (first_without_room(decider, steps, transfer->bytes) == steps.end)
    return true;
  transfer->is_late |= transfer->cycles > 0;
  return is_last_chance;
}

static void start_load(Decider *decider, uint32_t step) {
  Item *load = &decider->loads[decider->next_load++];
  occupy(decider, occupied_by(load->transfer, step, 0), load->transfer->bytes);
  start(decider, step, load);
}

//===- Stores -------------------------------------------------------------===//

// Returns the first step that begins once `time` has come, from `step` on.
static uint32_t step_after(const Decider *decider, uint32_t step,
                           int64_t time) {
  int64_t stalled = decider->now - decider->begins[step];
  while (step < decider->block->step_count &&
         decider->begins[step] + stalled < time)
    ++step;
  return step;
}

// Returns when the next transfer would start.
static int64_t next_begin(const Decider *decider) {
  int64_t now = decider->now + decider->limits->start_cycles;
  return decider->engine_free > now ? decider->engine_free : now;
}

// Returns the bytes of stores before a step that have not started.
static int64_t pending_bytes(const Decider *decider, uint32_t step) {
  int64_t bytes = 0;
  for (uint32_t i = decider->next_store;
       i < decider->store_count && decider->stores[i].transfer->step < step;
       ++i)
    bytes += decider->stores[i].transfer->bytes;
  return bytes;
}

static bool must_start_store(const Decider *decider, uint32_t step) {
  Steps one = {step, step + 1};
  int64_t bytes = pending_bytes(decider, step);
  return decider->next_store < decider->store_count &&
         (decider->stores[decider->next_store].transfer->latest <= step ||
          (bytes > 0 && first_without_room(decider, one, bytes) != one.end));
}

static bool may_start_store(const Decider *decider, uint32_t step) {
  if (decider->next_store == decider->store_count)
    return false;
  const Item *store = &decider->stores[decider->next_store];
  const Transfer *transfer = store->transfer;
  int64_t stalled = decider->now - decider->begins[step];
  int64_t begin = next_begin(decider);
  if (transfer->earliest > step)
    return false;
  if (step == decider->block->step_count ||
      decider->next_load == decider->load_count)
    return true;
  return comes_before_next(decider, step, begin - stalled) &&
         begin + transfer->cycles <=
             decider->loads[decider->next_load].due + stalled;
}

// It is awaited before memory that it holds is needed.
static void start_store(Decider *decider, uint32_t step) {
  Item *store = &decider->stores[decider->next_store++];
  Transfer *transfer = store->transfer;
  uint32_t end =
      step_after(decider, step, next_begin(decider) + transfer->cycles);
  Steps steps = occupied_by(transfer, step, end);
  if (steps.first < step)
    steps.first = step;
  end = first_without_room(decider, steps, transfer->bytes);
  if (end < steps.end && end < transfer->latest)
    transfer->latest = end;
  steps.end = end;
  occupy(decider, steps, transfer->bytes);
  start(decider, step, store);
}

//===- All ----------------------------------------------------------------===//

static void start_due(Decider *decider, uint32_t step) {
  for (;;) {
    bool must = must_start_store(decider, step);
    bool is_load = !must && may_start_load(decider, step);
    if (!must && !is_load && !may_start_store(decider, step))
      return;
    if (is_load)
      must = decider->loads[decider->next_load].transfer->latest == step;
    while (!has_room_in_queue(decider, step)) {
      if (!must)
        return;
      await(decider, step);
    }
    if (is_load)
      start_load(decider, step);
    else
      start_store(decider, step);
    await_due(decider, step);
  }
}

static void decide(Decider *decider) {
  uint32_t end = decider->block->step_count;
  for (uint32_t step = 0; step <= end; ++step) {
    await_due(decider, step);
    start_due(decider, step);
    if (step == end)
      break;
    decider->staged[step] += pending_bytes(decider, step);
    decider->now += decider->block->cycles[step];
  }
  while (decider->awaited < decider->queue_count)
    await(decider, end);
}

void luna_schedule_transfers(LunaTransferBlock *block,
                             const LunaTransferLimits *limits,
                             LunaArena *arena) {
  uint64_t steps = block->step_count, count = block->transfers.count;
  Decider decider = {
      .block = block,
      .limits = limits,
      .arena = arena,
      .begins = LUNA_ARENA_ARRAY(arena, int64_t, steps + 1),
      .staged = LUNA_ARENA_ARRAY(arena, int64_t, steps + 1),
      .loads = LUNA_ARENA_ARRAY(arena, Item, count),
      .stores = LUNA_ARENA_ARRAY(arena, Item, count),
      .queue = LUNA_ARENA_ARRAY(arena, Item *, count),
  };
  block->events.count = 0;
  sort_transfers(&decider);
  find_times(&decider);
  decide(&decider);
}
