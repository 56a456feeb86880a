#include "plan_evolve.h"

#include <string.h>

struct LunaPlanEvolution {
  LunaPlanAgain *again;
  LunaPlanSlack *slack;
  // The rules of the next plan; those of the plan that was kept, and their
  // bonuses before they were changed.
  LunaPlanSlackRules rules, kept;
  int64_t *drawn;
  // PLAN_SLACK_NONE - 1 if no plan was kept.
  uint64_t excess;
  // The steps so far; those at which it started last, and improved last.
  uint64_t steps, started_at, improved_at;
};

enum {
  // The steps that go into rules drawn at random, as a multiple of the number
  // of items.
  DRAWN_STEPS = 192,
  MAX_CHANGES = 8,
};

LunaPlanEvolution *luna_plan_evolution_create(LunaPlanAgain *again,
                                              const LunaPlanWork *work,
                                              LunaArena *arena) {
  LunaPlanEvolution *evolution = LUNA_ARENA_ARRAY(arena, LunaPlanEvolution, 1);
  uint32_t count = work->count;
  evolution->again = again;
  evolution->slack = luna_plan_slack_create(work, arena);
  evolution->rules.bonuses = LUNA_ARENA_ARRAY(arena, int64_t, count);
  evolution->kept.bonuses = LUNA_ARENA_ARRAY(arena, int64_t, count);
  evolution->drawn = LUNA_ARENA_ARRAY(arena, int64_t, count);
  evolution->excess = PLAN_SLACK_NONE - 1;
  return evolution;
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const int32_t *offsets = context;
  return offsets[a] < offsets[b];
}

// What the bonus of an item grows with.
typedef enum Worth {
  WORTH_NOTHING,
  WORTH_LENGTH,
  WORTH_AREA,
  WORTH_SIZE,
  WORTH_COUNT,
} Worth;

// Draws what bonuses grow with: nothing in place of what is left out.
static Worth draw_worth(LunaPlanWork *work) {
  static const LunaPlanTrick tricks[WORTH_COUNT] = {
      [WORTH_NOTHING] = PLAN_TRICK_COUNT,
      [WORTH_LENGTH] = PLAN_TRICK_EVOLVE_LENGTH,
      [WORTH_AREA] = PLAN_TRICK_EVOLVE_AREA,
      [WORTH_SIZE] = PLAN_TRICK_EVOLVE_SIZE,
  };
  Worth worth = (Worth)luna_plan_random_below(work, WORTH_COUNT);
  bool is_tried =
      worth == WORTH_NOTHING || plan_work_tries(work, tricks[worth]);
  return is_tried ? worth : WORTH_NOTHING;
}

static int64_t worth_of(const LunaPlanSlack *slack, uint32_t item,
                        Worth worth) {
  int64_t length = luna_plan_slack_length(slack, item);
  int64_t size = luna_plan_slack_size(slack, item);
  switch (worth) {
  case WORTH_LENGTH:
    return length;
  case WORTH_AREA:
    return length * size >> 16;
  case WORTH_SIZE:
    return size;
  case WORTH_NOTHING:
  case WORTH_COUNT:
    break;
  }
  return 0;
}

// Draws the slack that costs a factor of e, and the capacity that slack is
// counted from, both in thousandths of the bound. On A to K with other sizes, a
// fixed capacity costs 0.25 % in the mean, a fixed unit none, but up to 0.8 %
// of one (docs/planning.md).
static void draw_scale(LunaPlanSlackRules *rules, LunaPlanWork *work) {
  static const int units[] = {2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40};
  enum { UNIT_COUNT = sizeof units / sizeof *units };
  // What takes the place of what is left out: some value of the middle.
  enum { ANY_UNIT = 10, LEAST = 1000, RANGE = 40 };
  rules->unit = units[luna_plan_random_below(work, UNIT_COUNT)];
  rules->capacity = LEAST + luna_plan_random_below(work, RANGE);
  if (!plan_work_tries(work, PLAN_TRICK_EVOLVE_UNITS))
    rules->unit = ANY_UNIT;
  if (!plan_work_tries(work, PLAN_TRICK_EVOLVE_CAPACITY))
    rules->capacity = LEAST + RANGE / 2;
}

// Draws rules of all kinds.
static void draw_rules(LunaPlanEvolution *evolution, LunaPlanWork *work) {
  LunaPlanSlackRules *rules = &evolution->rules;
  draw_scale(rules, work);
  Worth worth = draw_worth(work);
  int64_t weight = (PLAN_SLACK_COST / 8) << luna_plan_random_below(work, 11);
  for (uint32_t i = 0; i < work->count; ++i)
    rules->bonuses[i] = weight * worth_of(evolution->slack, i, worth) >> 16;
}

// Changes some of the bonuses that were kept.
static void change_rules(LunaPlanEvolution *evolution, LunaPlanWork *work) {
  LunaPlanSlackRules *rules = &evolution->rules;
  int64_t *kept = evolution->kept.bonuses, mean = 0;
  for (uint32_t i = 0; i < work->count; ++i)
    mean += evolution->drawn[i];
  mean /= work->count;
  rules->unit = evolution->kept.unit;
  rules->capacity = evolution->kept.capacity;
  memcpy(rules->bonuses, kept, sizeof *kept * work->count);
  int64_t most = (PLAN_SLACK_COST / 128) << luna_plan_random_below(work, 11);
  if (most < mean && luna_plan_random_below(work, 2) == 0 &&
      plan_work_tries(work, PLAN_TRICK_EVOLVE_MEAN))
    most = mean;
  for (uint32_t k = luna_plan_random_below(work, MAX_CHANGES) + 1; k > 0; --k) {
    uint32_t item = luna_plan_random_below(work, work->count);
    int64_t drawn = evolution->drawn[item];
    rules->bonuses[item] = drawn;
    if (luna_plan_random_below(work, 4) == 0 &&
        plan_work_tries(work, PLAN_TRICK_EVOLVE_RESET))
      continue;
    rules->bonuses[item] =
        drawn * (512 + luna_plan_random_below(work, 1536)) / 1024 +
        most * ((int64_t)luna_plan_random_below(work, 2049) - 1024) / 1024;
  }
}

// Builds a plan by the rules; keeps both if it is no worse.
static void try_rules(LunaPlanEvolution *evolution, bool follows,
                      LunaPlanWork *work, uint64_t until) {
  uint64_t before = work->steps;
  uint64_t limit = follows ? evolution->excess : PLAN_SLACK_NONE - 1;
  uint64_t excess = luna_plan_slack_build(evolution->slack, &evolution->rules,
                                          follows, limit, work, until);
  if (!plan_pulse(work->pulse, work->steps - before))
    work->step_budget = work->steps;
  if (excess == PLAN_SLACK_NONE || excess > evolution->excess)
    return;
  if (excess < evolution->excess)
    luna_plan_place_again(evolution->again, lies_below,
                          luna_plan_slack_offsets(evolution->slack), work);
  luna_plan_slack_keep(evolution->slack);
  LunaPlanSlackRules kept = evolution->kept;
  evolution->kept = evolution->rules;
  evolution->rules = kept;
  evolution->excess = excess;
}

// Tries rules once: at a start some that are drawn, then changed ones. It
// starts again when it has waited for an improvement for longer than it
// improved.
static void take_turn(LunaPlanEvolution *evolution, LunaPlanWork *work,
                      uint64_t until) {
  uint64_t drawn_steps = DRAWN_STEPS * (uint64_t)work->count;
  uint64_t waited = evolution->steps - evolution->improved_at;
  if (plan_work_tries(work, PLAN_TRICK_EVOLVE_AGAIN) && waited > drawn_steps &&
      waited > evolution->improved_at - evolution->started_at) {
    evolution->started_at = evolution->improved_at = evolution->steps;
    evolution->excess = PLAN_SLACK_NONE - 1;
  }
  uint64_t before = work->steps, excess = evolution->excess;
  bool is_start = evolution->steps - evolution->started_at < drawn_steps ||
                  excess == PLAN_SLACK_NONE - 1;
  ++work->steps;
  if (is_start)
    draw_rules(evolution, work);
  else
    change_rules(evolution, work);
  try_rules(evolution,
            !is_start && plan_work_tries(work, PLAN_TRICK_EVOLVE_FOLLOW), work,
            until);
  evolution->steps += work->steps - before;
  if (is_start && evolution->excess < excess)
    memcpy(evolution->drawn, evolution->kept.bonuses,
           sizeof(int64_t) * work->count);
  if (is_start || evolution->excess < excess)
    evolution->improved_at = evolution->steps;
}

void luna_plan_evolve(LunaPlanEvolution *evolution, LunaPlanWork *work,
                      int64_t enough, uint64_t share) {
  uint64_t left = work->step_budget - work->steps;
  uint64_t until = work->steps + (share < left ? share : left);
  while (plan_should_continue(work, enough) && work->steps < until)
    take_turn(evolution, work, until);
}
