#include "choose_late.h"

#include <stdlib.h>

typedef struct Search {
  const LunaLateWeights *weights;
  bool (*fits)(void *data);
  void *data;
} Search;

typedef int (*Compare)(const void *left, const void *right);

static int by_number(const LunaWeights *a, const LunaWeights *b) {
  return a < b ? -1 : 1;
}

// What costs few cycles by byte is first.
static int by_price(const void *left, const void *right) {
  const LunaWeights *a = *(LunaWeights *const *)left;
  const LunaWeights *b = *(LunaWeights *const *)right;
  double one = (double)a->hidden_cycles * (double)b->byte_count;
  double other = (double)b->hidden_cycles * (double)a->byte_count;
  if (one < other || one > other)
    return one < other ? -1 : 1;
  return by_number(a, b);
}

static int by_need(const void *left, const void *right) {
  const LunaWeights *a = *(LunaWeights *const *)left;
  const LunaWeights *b = *(LunaWeights *const *)right;
  if (a->live_bytes != b->live_bytes)
    return a->live_bytes > b->live_bytes ? -1 : 1;
  return by_price(left, right);
}

static int by_cycles(const void *left, const void *right) {
  const LunaWeights *a = *(LunaWeights *const *)left;
  const LunaWeights *b = *(LunaWeights *const *)right;
  if (a->hidden_cycles != b->hidden_cycles)
    return a->hidden_cycles > b->hidden_cycles ? -1 : 1;
  return by_number(a, b);
}

// Has the first `late` be late, and the others early.
static void set_late(LunaWeights *const *order, uint64_t count, uint64_t late) {
  for (uint64_t i = 0; i < count; ++i)
    order[i]->is_late = i < late;
}

// Has as few of the first be late as fit; returns how many.
static uint64_t bisect(const Search *search, LunaWeights *const *order) {
  uint64_t count = search->weights->count, least = 0, most = count;
  while (least < most) {
    uint64_t middle = least + (most - least) / 2;
    set_late(order, count, middle);
    if (search->fits(search->data))
      most = middle;
    else
      least = middle + 1;
  }
  set_late(order, count, most);
  return most;
}

// The most weights that are tried to be early again, one by one.
enum { TRIES_MAX = 16 };

// Leaves a choice, which may be better in another order; returns the cycles
// that it does not hide.
static uint64_t choose_in_order(const Search *search, LunaWeights **order,
                                Compare compare) {
  uint64_t count = search->weights->count, cycles = 0;
  qsort(order, count, sizeof *order, compare);
  uint64_t late = bisect(search, order);
  qsort(order, late, sizeof *order, by_cycles);
  for (uint64_t i = 0; i < late && i < TRIES_MAX; ++i) {
    order[i]->is_late = false;
    order[i]->is_late = !search->fits(search->data);
  }
  for (uint64_t i = 0; i < late; ++i)
    cycles += order[i]->is_late ? order[i]->hidden_cycles : 0;
  return cycles;
}

void luna_choose_late(LunaLateWeights *weights, bool (*fits)(void *data),
                      void *data) {
  const Search search = {weights, fits, data};
  uint64_t count = weights->count;
  if (count == 0)
    return;
  LunaWeights **order = LUNA_ARENA_ARRAY(weights->arena, LunaWeights *, count);
  bool *first = LUNA_ARENA_ARRAY(weights->arena, bool, count);
  for (uint64_t i = 0; i < count; ++i)
    order[i] = &weights->items[i];
  uint64_t cycles = choose_in_order(&search, order, by_need);
  for (uint64_t i = 0; i < count; ++i)
    first[i] = weights->items[i].is_late;
  if (choose_in_order(&search, order, by_price) >= cycles)
    for (uint64_t i = 0; i < count; ++i)
      weights->items[i].is_late = first[i];
}
