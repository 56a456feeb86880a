// Plans some bindings, and keeps the orders that suit all of them best.

#include "luna/plan_orient.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_order.h"
#include "plan_problem.h"
#include "plan_samples.h"
#include "plan_sizes.h"
#include "plan_strategy.h"

typedef struct Orienting {
  LunaProblem *problem;
  const LunaPlanSizes *sizes;
  const LunaOrientOptions *options;
  LunaRangePlan *plan;
  // The buffers that have a place of their own, with the sizes of one binding.
  LunaPlanItems items;
  LunaPlanSamples samples;
  // The least bytes for each sample.
  int64_t *bounds;
  // The orders to choose from, and how far each is above the bound of each
  // sample, in millionths: excess[order * samples + sample].
  LUNA_VECTOR(LunaPlanOrder) orders;
  LUNA_VECTOR(int64_t) excess;
  // Of the eval of one sample.
  int64_t *work, *offsets;
  LunaArena arena;
  LunaError *error;
} Orienting;

//===- Items --------------------------------------------------------------===//

static bool check_free(const LunaProblem *problem, LunaError *error) {
  for (uint32_t i = 0; i < problem->buffers.count; ++i)
    if (problem->buffers.items[i].is_fixed)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "the offset of '%.100s' is fixed, a plan for "
                            "ranges needs free ones",
                            problem->buffers.items[i].name);
  return true;
}

// Makes an item for each place. All have a size, so that all that are live
// together are neighbours.
static bool make_items(Orienting *self, const LunaLifetime *lifetimes) {
  const LunaProblem *problem = self->problem;
  LunaRangePlan *plan = self->plan;
  uint32_t count = problem->buffers.count;
  int64_t *aligns = LUNA_ARENA_ARRAY(problem->arena, int64_t, count);
  uint32_t *places = LUNA_ARENA_ARRAY(problem->arena, uint32_t, count);
  lifetimes = luna_plan_place_lifetimes(problem, lifetimes, &self->arena);
  self->items.items = LUNA_ARENA_ARRAY(&self->arena, LunaPlanItem, count);
  self->items.point_count = problem->step_nodes.count;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t align = problem->buffers.items[i].align_bytes;
    places[i] = luna_plan_place_of(problem, i);
    aligns[places[i]] = align > aligns[places[i]] ? align : aligns[places[i]];
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (places[i] != i)
      continue;
    self->items.items[self->items.count++] =
        (LunaPlanItem){.size_bytes = 1,
                       .align_bytes = aligns[i],
                       .fixed_offset_bytes = -1,
                       .lifetime = lifetimes[i],
                       .id = i};
    plan->padding_bytes += aligns[i] - 1;
  }
  plan->align_bytes = aligns;
  plan->places = places;
  plan->buffer_count = count;
  plan->place_count = self->items.count;
  luna_plan_items_connect(&self->items, &self->arena);
  return self->items.neighbour_starts ||
         luna_error_set(self->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%u buffers conflict in more pairs than a plan for "
                        "ranges can list",
                        self->items.count);
}

static bool fail_overflow(const Orienting *self, uint32_t item) {
  return luna_error_set(self->error, LUNA_ERROR_INPUT, item,
                        "all sizes together are 2^62 bytes or more");
}

// Gives the items their sizes for one binding, at least 1.
static bool bind_items(Orienting *self, const int64_t *values) {
  int64_t total = self->plan->padding_bytes;
  for (uint32_t i = 0; i < self->items.count; ++i) {
    LunaPlanItem *item = &self->items.items[i];
    if (!luna_plan_size_at(self->problem, self->sizes, item->id, values,
                           &item->size_bytes, self->error))
      return false;
    item->size_bytes += item->size_bytes == 0;
    if (!luna_checked_add(total, item->size_bytes, &total) ||
        total >= INT64_C(1) << 62)
      return fail_overflow(self, item->id);
  }
  return true;
}

//===- Candidates ---------------------------------------------------------===//

// Returns how far `bytes` is above `bound` in millionths of it.
static int64_t excess_of(int64_t bytes, int64_t bound) {
  int64_t above = bytes - bound, millionths = 0;
  return luna_checked_mul(above, 1000000, &millionths)
             ? millionths / bound
             : above / (bound / 1000000 + 1);
}

static bool eval_sample(Orienting *self, const LunaPlanOrder *order,
                        uint32_t sample, int64_t *peak_bytes) {
  LunaRangePlan plan = *self->plan;
  LunaRangeResult result;
  plan.orders[0] = *order;
  plan.order_count = 1;
  if (!luna_plan_eval(&plan, plan_sample(&self->samples, sample), self->work,
                      self->offsets, &result))
    return fail_overflow(self, result.item);
  *peak_bytes = result.peak_bytes;
  return true;
}

static bool add_candidate(Orienting *self, const int64_t *offsets) {
  LunaPlanOrder order =
      luna_plan_order_make(&self->items, offsets, self->problem->arena);
  *LUNA_VECTOR_ADD(&self->arena, &self->orders) = order;
  for (uint32_t i = 0; i < self->samples.count; ++i) {
    int64_t peak = 0;
    if (!eval_sample(self, &order, i, &peak))
      return false;
    *LUNA_VECTOR_ADD(&self->arena, &self->excess) =
        excess_of(peak, self->bounds[i]);
  }
  return true;
}

// Plans the binding of a sample in several ways.
static bool add_candidates(Orienting *self, uint32_t sample) {
  static const char *const strategies[] = {"optimal", "large-first"};
  if (!bind_items(self, plan_sample(&self->samples, sample)))
    return false;
  int64_t *offsets = LUNA_ARENA_ARRAY(&self->arena, int64_t, self->items.count);
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof strategies / sizeof *strategies; ++i) {
    LunaArena scratch = {0};
    const LunaPlanStrategy *strategy = luna_plan_strategy_find(strategies[i]);
    LunaPlanContext context = {.step_budget = self->options->step_budget};
    strategy->place(strategy, &self->items, &context, offsets, &scratch);
    luna_arena_destroy(&scratch);
    ok = add_candidate(self, offsets);
  }
  return ok;
}

static bool make_candidates(Orienting *self) {
  self->bounds = LUNA_ARENA_ARRAY(&self->arena, int64_t, self->samples.count);
  for (uint32_t i = 0; i < self->samples.count; ++i) {
    if (!bind_items(self, plan_sample(&self->samples, i)))
      return false;
    self->bounds[i] = luna_plan_items_bound(&self->items).bytes;
    self->bounds[i] += self->bounds[i] == 0;
  }
  for (uint32_t i = 0; i < self->samples.count; ++i)
    if (!add_candidates(self, i))
      return false;
  return true;
}

//===- Choice -------------------------------------------------------------===//

typedef struct Choice {
  uint32_t orders[LUNA_PLAN_MAX_ORDERS];
  uint32_t count;
  // The sum over samples of the least excess of an order chosen.
  int64_t excess;
} Choice;

static int64_t excess_of_choice(const Orienting *self, const Choice *choice) {
  int64_t sum = 0;
  for (uint32_t s = 0; s < self->samples.count; ++s) {
    int64_t least = INT64_MAX / 2048;
    for (uint32_t k = 0; k < choice->count; ++k) {
      uint64_t row = (uint64_t)choice->orders[k] * self->samples.count;
      int64_t excess = self->excess.items[row + s];
      least = excess < least ? excess : least;
    }
    sum += least;
  }
  return sum;
}

// Puts the best order into `slot`, an old one or the next. Returns false if
// none makes the choice better.
static bool improve_slot(const Orienting *self, Choice *choice, uint32_t slot) {
  Choice trial = *choice;
  bool is_better = false;
  if (slot == trial.count)
    ++trial.count;
  for (uint32_t i = 0; i < self->orders.count; ++i) {
    trial.orders[slot] = i;
    trial.excess = excess_of_choice(self, &trial);
    if (trial.excess >= choice->excess)
      continue;
    *choice = trial;
    is_better = true;
  }
  return is_better;
}

static Choice choose_orders(const Orienting *self) {
  Choice choice = {.excess = INT64_MAX};
  uint32_t limit = self->options->order_limit;
  if (limit == 0 || limit > LUNA_PLAN_MAX_ORDERS)
    limit = LUNA_PLAN_MAX_ORDERS;
  while (choice.count < limit && improve_slot(self, &choice, choice.count))
    ;
  bool is_better = true;
  while (is_better) {
    is_better = false;
    for (uint32_t slot = 0; slot < choice.count; ++slot)
      is_better |= improve_slot(self, &choice, slot);
  }
  return choice;
}

// Finds the chains of an order: that of the peak for each sample.
static bool add_chains(Orienting *self, LunaPlanOrder *order) {
  const LunaRangePlan *plan = self->plan;
  LunaPlanSumList chains = {0};
  uint32_t *chain = LUNA_ARENA_ARRAY(&self->arena, uint32_t, plan->place_count);
  for (uint32_t s = 0; s < self->samples.count; ++s) {
    int64_t peak = 0;
    int64_t *coefficients =
        LUNA_ARENA_ARRAY(&self->arena, int64_t, plan->product_count);
    if (!eval_sample(self, order, s, &peak))
      return false;
    const int64_t *ends = self->work + plan->product_count + plan->sizes.count;
    uint32_t length =
        luna_plan_order_chain(order, plan->place_count, ends, chain);
    for (uint32_t i = 0; i < length; ++i) {
      uint32_t size = plan->buffer_sizes[chain[i]];
      for (uint32_t k = plan->sizes.starts[size];
           k < plan->sizes.starts[size + 1]; ++k)
        coefficients[plan->sizes.terms[k].product] +=
            plan->sizes.terms[k].coefficient;
    }
    luna_plan_sums_add(&chains, coefficients, plan->product_count,
                       self->problem->arena);
  }
  order->chains = luna_plan_sums_finish(&chains, self->problem->arena);
  return true;
}

static bool keep_orders(Orienting *self) {
  Choice choice = choose_orders(self);
  self->plan->order_count = choice.count;
  for (uint32_t k = 0; k < choice.count; ++k) {
    self->plan->orders[k] = self->orders.items[choice.orders[k]];
    if (!add_chains(self, &self->plan->orders[k]))
      return false;
  }
  return true;
}

//===- The whole ----------------------------------------------------------===//

static LunaPlanSamples choose_samples(Orienting *self) {
  const LunaOrientOptions *options = self->options;
  uint32_t symbol_count = self->sizes->symbol_count;
  if (options->nominals)
    return (LunaPlanSamples){options->nominals, options->nominal_count,
                             symbol_count};
  return luna_plan_samples_make(self->sizes->symbols, symbol_count,
                                &self->arena);
}

static bool orient(Orienting *self) {
  const LunaLifetime *lifetimes = NULL;
  LunaArena *arena = self->problem->arena;
  *self->plan = (LunaRangePlan){0};
  if (!luna_problem_lifetimes(self->problem, &lifetimes, self->error) ||
      !check_free(self->problem, self->error) ||
      !luna_plan_collect_sizes(self->problem, self->sizes, self->plan, arena,
                               self->error) ||
      !make_items(self, lifetimes))
    return false;
  self->samples = choose_samples(self);
  uint32_t work_count = luna_plan_eval_work(self->plan);
  self->work = LUNA_ARENA_ARRAY(&self->arena, int64_t, work_count);
  self->offsets =
      LUNA_ARENA_ARRAY(&self->arena, int64_t, self->plan->buffer_count);
  return make_candidates(self) && keep_orders(self);
}

static bool call(void *context, LunaError *error) {
  Orienting *self = context;
  self->error = error;
  bool ok = orient(self);
  luna_arena_destroy(&self->arena);
  return ok;
}

bool luna_plan_orient(LunaProblem *problem, const LunaPlanSizes *sizes,
                      const LunaOrientOptions *options, LunaRangePlan *plan,
                      LunaError *error) {
  static const LunaOrientOptions usual = {0};
  Orienting self = {.problem = problem,
                    .sizes = sizes,
                    .options = options ? options : &usual,
                    .plan = plan};
  return luna_arena_guard(problem->arena, NULL, "buffers were oriented", call,
                          &self, error);
}
