#include "plan_variants.h"

#include "plan_search_state.h"

// What a variant changes.
typedef struct Variant {
  // Sizes are rounded to the nearest multiple of a power of two, so that the
  // bound is at most this many of them, and more than half as many; 0 leaves
  // sizes as they are.
  int64_t grain_count;
  // Before that, sections that are lighter than the heaviest by up to so many
  // thousandths are made as heavy.
  int64_t levelled;
  // Offsets of which this many leading bits are equal (of those of the bound)
  // count as one in orders; 0: all bits.
  int offset_bits;
} Variant;

// Chosen on MiniMalloc's instances A to K with sizes changed by up to 5 % or
// 300 bytes.
static const Variant variant_rows[] = {
    {.grain_count = 1536},
    {.offset_bits = 10},
    {.grain_count = 1536, .levelled = 20},
    {.grain_count = 768, .levelled = 80},
    {.grain_count = 6144, .offset_bits = 10},
    {.grain_count = 768},
};

enum {
  VARIANT_COUNT = sizeof variant_rows / sizeof *variant_rows,
  // The capacities tried between the bound of a variant and the best plan: the
  // bound, and a sixteenth, an eighth and a quarter of the gap above it.
  LEVEL_COUNT = 4,
  // The units in a bound above which sums of sizes are hardly ever equal.
  FINE_UNITS = 8192,
  LEVELLING_ROUNDS = 64,
};

typedef struct View {
  bool is_open;
  LunaPlanWork work;
  // In units.
  int64_t grain;
  LunaPlanRestarts restarts[LEVEL_COUNT];
} View;

struct LunaPlanVariants {
  // The items of the leaf alone, by member.
  LunaPlanItems items;
  uint32_t *members;
  int64_t unit_bytes;
  int64_t *offsets;
  View views[VARIANT_COUNT];
  LunaArena *arena;
};

LunaPlanVariants *luna_plan_variants_create(const LunaPlanItems *items,
                                            const uint32_t *members,
                                            const LunaPlanWork *work,
                                            int64_t unit_bytes,
                                            LunaArena *arena) {
  if (work->bound <= FINE_UNITS)
    return NULL;
  LunaPlanVariants *variants = LUNA_ARENA_ARRAY(arena, LunaPlanVariants, 1);
  uint32_t count = work->count;
  *variants = (LunaPlanVariants){
      .items = {.count = count,
                .point_count = items->point_count,
                .times = items->times},
      .unit_bytes = unit_bytes,
      .arena = arena,
  };
  variants->items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, count);
  variants->members = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  variants->offsets = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    variants->items.items[i] = items->items[members[i]];
    variants->members[i] = i;
  }
  luna_plan_items_connect(&variants->items, arena);
  return variants;
}

static double total_of(const LunaPlanSections *sections, uint32_t section,
                       const double *sizes) {
  double total = 0;
  for (uint32_t i = sections->member_starts[section];
       i < sections->member_starts[section + 1]; ++i)
    total += sizes[sections->members_of[i]];
  return total;
}

// Makes the totals of the heaviest sections equal, by scaling their sizes in
// turn (iterative proportional fitting; Deming and Stephan, 1940). Products and
// sums are never fused, so every machine computes the same.
static void level_sections(const LunaPlanSections *sections,
                           int64_t thousandths, double *sizes) {
  int64_t heaviest = 0;
  for (uint32_t k = 0; k < sections->section_count; ++k)
    if (sections->section_totals[k] > heaviest)
      heaviest = sections->section_totals[k];
  int64_t least = heaviest - heaviest / 1000 * thousandths;
  for (int round = 0; round < LEVELLING_ROUNDS; ++round)
    for (uint32_t k = 0; k < sections->section_count; ++k) {
      if (sections->section_totals[k] < least)
        continue;
      double total = total_of(sections, k, sizes);
      double factor = (double)heaviest / total;
      for (uint32_t i = sections->member_starts[k];
           i < sections->member_starts[k + 1]; ++i)
        sizes[sections->members_of[i]] *= factor;
    }
}

// Returns the sizes of a variant, in grains.
static int64_t *sizes_of(const Variant *variant, const LunaPlanWork *work,
                         int64_t grain, LunaArena *arena) {
  const LunaPlanSections *sections = &work->search->sections;
  double *sizes = LUNA_ARENA_ARRAY(arena, double, work->count);
  for (uint32_t i = 0; i < work->count; ++i)
    sizes[i] = (double)sections->pieces[i].size;
  if (variant->levelled > 0)
    level_sections(sections, variant->levelled, sizes);
  int64_t *grains = LUNA_ARENA_ARRAY(arena, int64_t, work->count);
  for (uint32_t i = 0; i < work->count; ++i) {
    grains[i] = (int64_t)(sizes[i] / (double)grain + 0.5);
    if (grains[i] == 0)
      grains[i] = 1;
  }
  return grains;
}

static int64_t grain_of(const Variant *variant, const LunaPlanWork *work) {
  int64_t grain = 1;
  while (variant->grain_count > 0 && work->bound / grain > variant->grain_count)
    grain *= 2;
  return grain;
}

// Opens the search of a variant: any offsets are fine, since only their order
// counts.
static void open_view(LunaPlanVariants *variants, const Variant *variant,
                      const LunaPlanWork *work, View *view) {
  LunaArena *arena = variants->arena;
  LunaPlanItems items = variants->items;
  view->grain = grain_of(variant, work);
  const int64_t *sizes = sizes_of(variant, work, view->grain, arena);
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, items.count);
  for (uint32_t i = 0; i < items.count; ++i)
    items.items[i] = (LunaPlanItem){
        .size_bytes = sizes[i],
        .align_bytes = 1,
        .fixed_offset_bytes = -1,
        .lifetime = variants->items.items[i].lifetime,
        .id = i,
    };
  view->work = luna_plan_work_make(&items, variants->members, items.count,
                                   variants->offsets, 1,
                                   luna_plan_items_bound(&items).bytes, arena);
  view->work.pulse = work->pulse;
  while (variant->offset_bits > 0 && view->work.bound >>
                                         view->work.offset_shift >>
                                         variant->offset_bits > 0)
    ++view->work.offset_shift;
  view->is_open = true;
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int64_t *offsets = context;
  return offsets[a] < offsets[b];
}

// Places the items again in the order of the plan that a variant found.
static void place_again(LunaPlanVariants *variants, const View *view,
                        LunaPlanWork *work) {
  LunaArena scratch = {0};
  uint32_t count = 0;
  const uint32_t *order = luna_plan_order_items(
      &variants->items, lies_below, view->work.trial, &count, &scratch);
  luna_plan_place_in_order(&variants->items, order, count, PLAN_FIT_LOWEST,
                           variants->offsets, &scratch);
  luna_arena_destroy(&scratch);
  int64_t height = luna_plan_items_peak(&variants->items, variants->offsets) /
                   variants->unit_bytes;
  if (height >= work->best)
    return;
  work->best = height;
  for (uint32_t i = 0; i < work->count; ++i)
    work->offsets[i] = variants->offsets[i] / variants->unit_bytes;
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
  uint64_t left = work->step_budget - work->steps, before = own->steps;
  own->step_budget = before + (share < left ? share : left);
  LunaPlanOutcome outcome =
      luna_plan_insist(own, capacity, &view->restarts[level], own->step_budget);
  work->steps += own->steps - before;
  if (work->pulse && work->pulse->is_stopped)
    work->step_budget = work->steps;
  // Placing again costs a step for each item.
  if (outcome != PLAN_FOUND || work->step_budget - work->steps < work->count)
    return;
  work->steps += work->count;
  place_again(variants, view, work);
}

void luna_plan_variants_search(LunaPlanVariants *variants, LunaPlanWork *work,
                               int64_t enough, uint64_t share) {
  for (int i = 0; i < VARIANT_COUNT; ++i)
    for (int level = 0; level < LEVEL_COUNT; ++level) {
      View *view = &variants->views[i];
      if (!plan_should_continue(work, enough))
        return;
      if (!view->is_open)
        open_view(variants, &variant_rows[i], work, view);
      search_level(variants, view, level, work, share / LEVEL_COUNT);
    }
}
