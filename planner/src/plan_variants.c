#include "plan_variants.h"

#include "plan_climb.h"

// Sizes are rounded to the nearest multiple of a power of two, so that the
// bound is at most so many of them, and more than half as many. Chosen on
// MiniMalloc's instances A to K with sizes changed by up to 300 bytes.
static const int64_t grain_counts[] = {1536, 768};

enum {
  VARIANT_COUNT = sizeof grain_counts / sizeof *grain_counts,
  // The capacities tried between the bound of a variant and the best plan: the
  // bound, and a sixteenth, an eighth and a quarter of the gap above it.
  LEVEL_COUNT = 4,
  // The units in a bound above which sums of sizes are hardly ever equal.
  FINE_UNITS = 8192,
};

typedef struct View {
  bool is_open;
  LunaPlanWork work;
  // In units.
  int64_t grain;
  LunaPlanRestarts restarts[LEVEL_COUNT];
  LunaPlanClimb climb;
} View;

struct LunaPlanVariants {
  LunaPlanAgain *again;
  // All of them.
  uint32_t *members;
  View views[VARIANT_COUNT];
  LunaArena *arena;
};

LunaPlanVariants *luna_plan_variants_create(LunaPlanAgain *again,
                                            const LunaPlanWork *work,
                                            LunaArena *arena) {
  if (work->bound <= FINE_UNITS)
    return NULL;
  LunaPlanVariants *variants = LUNA_ARENA_ARRAY(arena, LunaPlanVariants, 1);
  *variants = (LunaPlanVariants){
      .again = again,
      .members = LUNA_ARENA_ARRAY(arena, uint32_t, work->count),
      .arena = arena,
  };
  for (uint32_t i = 0; i < work->count; ++i)
    variants->members[i] = i;
  return variants;
}

// Returns the largest power of two of which the bound is more than half of
// `count` times.
static int64_t grain_of(int64_t count, const LunaPlanWork *work) {
  int64_t grain = 1;
  while (work->bound / grain > count)
    grain *= 2;
  return grain;
}

// Opens the search of a variant, which has no plan yet.
static void open_view(LunaPlanVariants *variants, int64_t grain_count,
                      const LunaPlanWork *work, View *view) {
  LunaArena *arena = variants->arena;
  LunaPlanItems items = variants->again->items;
  view->grain = grain_of(grain_count, work);
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, items.count);
  for (uint32_t i = 0; i < items.count; ++i) {
    int64_t grains = (work->sizes[i] + view->grain / 2) / view->grain;
    items.items[i] = (LunaPlanItem){
        .size_bytes = grains > 0 ? grains : 1,
        .align_bytes = 1,
        .fixed_offset_bytes = -1,
        .lifetime = variants->again->items.items[i].lifetime,
        .id = i,
    };
  }
  view->work = luna_plan_work_make(&items, variants->members, items.count,
                                   variants->again->offsets, 1,
                                   luna_plan_items_bound(&items).bytes, arena);
  view->work.best = INT64_MAX;
  view->work.pulse = work->pulse;
  view->work.order.without = work->order.without;
  view->climb = luna_plan_climb_make(&view->work, arena);
  view->is_open = true;
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

static View *view_of(LunaPlanVariants *variants, int index,
                     const LunaPlanWork *work) {
  View *view = &variants->views[index];
  if (!view->is_open)
    open_view(variants, grain_counts[index], work, view);
  return view;
}

// Gives a variant at most `share` steps of `work`.
static void begin_steps(View *view, const LunaPlanWork *work, uint64_t share) {
  uint64_t left = work->step_budget - work->steps;
  view->work.step_budget = view->work.steps + (share < left ? share : left);
}

// Charges `work` with the steps that a variant took since it had taken
// `before`, and places its plan again if there is a new one.
static void end_steps(LunaPlanVariants *variants, const View *view,
                      uint64_t before, const int64_t *found,
                      LunaPlanWork *work) {
  work->steps += view->work.steps - before;
  if (work->pulse && work->pulse->is_stopped)
    work->step_budget = work->steps;
  if (found)
    luna_plan_place_again(variants->again, lies_below, found, work);
}

// Searches at one of the capacities between the bound of a variant and the best
// plan, for at most `share` steps.
static void search_level(LunaPlanVariants *variants, View *view, int level,
                         LunaPlanWork *work, uint64_t share) {
  LunaPlanWork *own = &view->work;
  int64_t gap = work->best / view->grain - own->bound;
  if (gap < 0)
    return;
  int64_t capacity = own->bound + (level == 0 ? 0 : gap >> (5 - level));
  uint64_t before = own->steps;
  begin_steps(view, work, share);
  LunaPlanOutcome outcome =
      luna_plan_insist(own, capacity, &view->restarts[level], own->step_budget);
  end_steps(variants, view, before, outcome == PLAN_FOUND ? own->trial : NULL,
            work);
}

void luna_plan_variants_search(LunaPlanVariants *variants, LunaPlanWork *work,
                               int64_t enough, uint64_t share) {
  int views =
      plan_work_tries(work, PLAN_TRICK_VARIANTS_GRAINS) ? VARIANT_COUNT : 1;
  int levels =
      plan_work_tries(work, PLAN_TRICK_VARIANTS_LEVELS) ? LEVEL_COUNT : 1;
  for (int i = 0; i < views; ++i)
    for (int level = 0; level < levels; ++level) {
      if (!plan_should_continue(work, enough))
        return;
      search_level(variants, view_of(variants, i, work), level, work,
                   share / LEVEL_COUNT);
    }
}

void luna_plan_variants_climb(LunaPlanVariants *variants, LunaPlanWork *work,
                              int64_t enough, uint64_t share) {
  View *view = view_of(variants, 0, work);
  LunaPlanWork *own = &view->work;
  uint64_t until = work->steps + share;
  while (plan_should_continue(work, enough) && work->steps < until) {
    int64_t best = work->best / view->grain;
    own->best = own->best < best ? own->best : best;
    best = own->best;
    if (best <= own->bound)
      return;
    uint64_t before = own->steps;
    begin_steps(view, work, until - work->steps);
    luna_plan_climb(&view->climb, own, best - 1, own->step_budget);
    end_steps(variants, view, before, own->best < best ? own->offsets : NULL,
              work);
  }
}
