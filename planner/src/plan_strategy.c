// The table of strategies, and the orders of those that sort.

#include "plan_strategy.h"

#include <string.h>

#include "plan_objects.h"
#include "plan_optimal.h"

// Execution order: earlier first point first.
static bool starts_earlier(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  return plan_item_first(&items[a]) < plan_item_first(&items[b]);
}

static bool is_larger(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  return items[a].size_bytes > items[b].size_bytes;
}

static bool lives_shorter(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItems *items = context;
  return luna_plan_item_length(items, a) < luna_plan_item_length(items, b);
}

// The longest lifetime first, then the largest.
static bool lives_longer(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItems *items = context;
  int64_t length_a = luna_plan_item_length(items, a);
  int64_t length_b = luna_plan_item_length(items, b);
  if (length_a != length_b)
    return length_a > length_b;
  return items->items[a].size_bytes > items->items[b].size_bytes;
}

const LunaPlanStrategy luna_plan_strategies[] = {
    {
        .name = "large-first",
        .summary = "largest size first, each at its lowest free offset",
        .trick = PLAN_TRICK_BEST_LARGE_FIRST,
        .place = luna_plan_place_sorted,
        .before = is_larger,
    },
    {
        .name = "tflite-offset-greedy-by-size",
        .summary = "largest size first, each in its smallest free gap",
        .trick = PLAN_TRICK_BEST_SIZE_GAP,
        .place = luna_plan_place_sorted,
        .before = is_larger,
        .fit = PLAN_FIT_SMALLEST,
        .best_limit = 30000,
    },
    {
        .name = "sequential",
        .summary = "in order of execution, each at its lowest free offset",
        .trick = PLAN_TRICK_BEST_SEQUENTIAL,
        .place = luna_plan_place_sorted,
        .before = starts_earlier,
    },
    {
        .name = "short-first",
        .summary = "shortest lifetime first, each at its lowest free offset",
        .trick = PLAN_TRICK_BEST_SHORT_FIRST,
        .place = luna_plan_place_sorted,
        .before = lives_shorter,
        .best_limit = 30000,
    },
    {
        .name = "optimal",
        .summary = "exact search, with proof, within a budget of steps",
        .trick = PLAN_TRICK_COUNT,
        .place = luna_plan_place_optimal,
    },
    {
        .name = "peak-outward",
        .summary = "the heaviest point first, then outwards from it",
        .trick = PLAN_TRICK_BEST_OUTWARD,
        .place = luna_plan_place_outward,
        .best_limit = 30000,
    },
    {
        .name = "leapmind-path-cover",
        .summary = "groups never live together, each on top of what it meets",
        .trick = PLAN_TRICK_BEST_COVER,
        .place = luna_plan_place_path_cover,
        .fit = PLAN_FIT_TOP,
        .best_limit = 30000,
    },
    {
        .name = "leapmind-skyline",
        .summary = "longest and largest first, on top of what it meets",
        .trick = PLAN_TRICK_BEST_SKYLINE,
        .place = luna_plan_place_sorted,
        .before = lives_longer,
        .fit = PLAN_FIT_TOP,
        .best_limit = 30000,
    },
    {
        .name = "tflite-greedy-by-size",
        .summary = "shared objects, by size and distance in time",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_by_size,
        .best_limit = 2000,
    },
    {
        .name = "tflite-greedy-by-breadth",
        .summary = "shared objects, the broadest task first",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_by_breadth,
        .best_limit = 2000,
    },
    {
        .name = "tflite-greedy-best",
        .summary = "the better of the two above",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_best,
        .best_limit = 2000,
    },
    {
        .name = "tflite-greedy-in-order",
        .summary = "shared objects, in order of execution",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_in_order,
        .best_limit = 2000,
    },
    {
        .name = "tflite-min-cost-flow",
        .summary = "shared objects, by minimum-cost flow",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_by_flow,
        .best_limit = 128,
    },
    {
        .name = "tflite-equality",
        .summary = "shared objects of equal size only",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_equality,
        .best_limit = 2000,
    },
    {
        .name = "tflite-naive",
        .summary = "an object for each buffer",
        .trick = PLAN_TRICK_BEST_OBJECTS,
        .place = luna_plan_place_objects,
        .assign = luna_plan_assign_naive,
        .best_limit = 2000,
    },
    {
        .name = "naive",
        .summary = "no reuse: every buffer has a place of its own",
        .trick = PLAN_TRICK_COUNT,
        .place = luna_plan_place_apart,
    },
};

const uint32_t luna_plan_strategy_count =
    sizeof luna_plan_strategies / sizeof *luna_plan_strategies;

static bool same_name(const char *a, const char *b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

const LunaPlanStrategy *luna_plan_strategy_find(const char *name) {
  for (uint32_t i = 0; i < luna_plan_strategy_count; ++i)
    if (same_name(luna_plan_strategies[i].name, name))
      return &luna_plan_strategies[i];
  return NULL;
}

uint32_t luna_strategy_count(void) { return luna_plan_strategy_count + 1; }

const char *luna_strategy_name(uint32_t index) {
  return index < luna_plan_strategy_count ? luna_plan_strategies[index].name
                                          : "best";
}

const char *luna_strategy_summary(uint32_t index) {
  return index < luna_plan_strategy_count
             ? luna_plan_strategies[index].summary
             : "the smallest plan of all strategies and treatments";
}

bool luna_strategy_exists(const char *name) {
  return same_name(name, "best") || luna_plan_strategy_find(name) != NULL;
}

static const char *const merge_names[LUNA_MERGE_COUNT] = {
    [LUNA_MERGE_PATH] = "path",
    [LUNA_MERGE_BLOCK] = "block",
    [LUNA_MERGE_LINEAR] = "linear",
    [LUNA_MERGE_NONE] = "none",
};

const char *luna_merge_name(LunaMerge merge) { return merge_names[merge]; }

const char *luna_proof_name(LunaProof proof) {
  static const char *const names[LUNA_PROOF_COUNT] = {
      [LUNA_PROOF_NONE] = "none",
      [LUNA_PROOF_BOUND] = "bound",
      [LUNA_PROOF_EXHAUSTED] = "exhausted",
      [LUNA_PROOF_PLACEMENT] = "placement",
  };
  return names[proof];
}

bool luna_merge_from_name(const char *name, LunaMerge *merge) {
  for (int i = 0; i < LUNA_MERGE_COUNT; ++i)
    if (same_name(merge_names[i], name)) {
      *merge = (LunaMerge)i;
      return true;
    }
  return false;
}
