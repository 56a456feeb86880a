// luna-plan --dim: one plan for many sizes.

#include "luna_plan_ranges.h"

#include <string.h>

#include "luna/json.h"
#include "luna/plan_check.h"
#include "luna_plan_constants.h"

enum { MAX_BINDINGS = 4096 };

typedef struct Run {
  const LunaPlanRanges *ranges;
  const LunaPlanCsv *csv;
  const LunaPlanSizes *sizes;
  LunaRangePlan plan;
  // The set of each symbol.
  const uint32_t *sets;
  // The sizes of one binding, by set and by symbol, and its plan.
  int64_t set_sizes[LUNA_SIZE_SETS_MAX], *values, *work, *offset_bytes;
  LunaRangeResult result;
  int64_t live_bytes;
  // The largest of all bindings, and the sum and the largest of how far they
  // are above what is live, in thousandths of a percent.
  int64_t largest_bytes, above_sum, above_most;
  LunaJson json;
  LunaText *output;
  LunaArena *arena;
  LunaError *error;
} Run;

//===- Symbols ------------------------------------------------------------===//

static bool fail_input(LunaError *error, const char *message) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                        message);
}

static const char *list_symbols(const LunaPlanSizes *sizes, LunaArena *arena) {
  const char *list = "";
  for (uint32_t i = 0; i < sizes->symbol_count; ++i)
    list = luna_arena_printf(arena, "%s%s%s", list, i > 0 ? ", " : "",
                             sizes->symbols[i].name);
  return *list ? list : "no names";
}

static bool find_set(const LunaSizeSets *sets, const char *name,
                     uint32_t *index) {
  for (*index = 0; *index < sets->count; ++*index)
    if (strcmp(sets->items[*index].name, name) == 0)
      return true;
  return false;
}

static bool check_names(const LunaSizeSets *sets, const LunaPlanSizes *sizes,
                        LunaArena *arena, LunaError *error) {
  for (uint64_t i = 0; i < sets->count; ++i) {
    bool is_known = false;
    for (uint32_t k = 0; k < sizes->symbol_count; ++k)
      is_known |= strcmp(sets->items[i].name, sizes->symbols[k].name) == 0;
    if (!is_known)
      return fail_input(error,
                        luna_arena_printf(arena, "--dim=%s: the sizes have %s",
                                          sets->items[i].name,
                                          list_symbols(sizes, arena)));
  }
  return true;
}

// Gives the symbols the bounds of their sets.
static bool bound_symbols(Run *run, LunaPlanSizes *sizes) {
  LunaPlanSymbol *symbols =
      LUNA_ARENA_ARRAY(run->arena, LunaPlanSymbol, sizes->symbol_count);
  uint32_t *indices =
      LUNA_ARENA_ARRAY(run->arena, uint32_t, sizes->symbol_count);
  for (uint32_t i = 0; i < sizes->symbol_count; ++i) {
    const char *name = sizes->symbols[i].name;
    if (!find_set(run->ranges->sets, name, &indices[i]))
      return fail_input(
          run->error, luna_arena_printf(run->arena,
                                        "no size is given for '%s', needed is "
                                        "--dim=%s=SIZE",
                                        name, name));
    const LunaSizeSet *set = &run->ranges->sets->items[indices[i]];
    symbols[i] = (LunaPlanSymbol){name, set->items[0], set->items[0]};
    for (uint64_t k = 1; k < set->count; ++k) {
      int64_t size = set->items[k];
      symbols[i].low = size < symbols[i].low ? size : symbols[i].low;
      symbols[i].high = size > symbols[i].high ? size : symbols[i].high;
    }
  }
  sizes->symbols = symbols;
  run->sets = indices;
  return check_names(run->ranges->sets, sizes, run->arena, run->error);
}

//===- One binding --------------------------------------------------------===//

// Returns the most bytes that are live at once.
static bool find_live(Run *run) {
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = "naive"};
  if (!luna_plan_solve(run->csv->problem, &options, &solution, run->error))
    return false;
  run->live_bytes = solution.witness.bytes;
  return true;
}

static const char *name_binding(const Run *run) {
  const char *name = "";
  for (uint32_t i = 0; i < run->sizes->symbol_count; ++i)
    name = luna_arena_printf(run->arena, "%s%s%s=%lld", name, *name ? ", " : "",
                             run->sizes->symbols[i].name,
                             (long long)run->values[i]);
  return name;
}

static bool check_capacity(const Run *run) {
  int64_t capacity = run->ranges->capacity_bytes;
  return capacity == 0 || run->result.peak_bytes <= capacity ||
         luna_error_set(run->error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                        "with %s the plan takes %lld bytes, the capacity is "
                        "%lld",
                        name_binding(run), (long long)run->result.peak_bytes,
                        (long long)capacity);
}

static bool eval_binding(Run *run, uint64_t index) {
  LunaProblem *problem = run->csv->problem;
  luna_size_sets_choose(run->ranges->sets, index, run->set_sizes);
  for (uint32_t i = 0; i < run->sizes->symbol_count; ++i)
    run->values[i] = run->set_sizes[run->sets[i]];
  if (!luna_plan_bind_sizes(problem, run->sizes, run->values, run->error))
    return false;
  if (!luna_plan_eval(&run->plan, run->values, run->work, run->offset_bytes,
                      &run->result))
    return luna_error_set(run->error, LUNA_ERROR_INPUT, run->result.item,
                          "with %s all sizes together are 2^62 bytes or more",
                          name_binding(run));
  LunaArena scratch = {0};
  bool ok = luna_plan_check(problem, run->offset_bytes, run->result.peak_bytes,
                            &scratch, run->error);
  luna_arena_destroy(&scratch);
  return ok && check_capacity(run) && find_live(run);
}

static void add_figures(Run *run) {
  int64_t peak = run->result.peak_bytes, live = run->live_bytes;
  int64_t above =
      live > 0
          ? (int64_t)(100000.0 * (double)(peak - live) / (double)live + 0.5)
          : 0;
  run->above_sum += above;
  run->above_most = above > run->above_most ? above : run->above_most;
  run->largest_bytes = peak > run->largest_bytes ? peak : run->largest_bytes;
}

//===- Output -------------------------------------------------------------===//

static void write_header(Run *run, bool is_single) {
  if (run->ranges->is_c) {
    luna_plan_constants_write(&run->plan, run->output);
    return;
  }
  if (run->ranges->is_json) {
    luna_json_begin_object(&run->json, NULL);
    luna_json_integer(&run->json, "orders", run->plan.order_count);
    luna_json_begin_array(&run->json, "bindings");
    return;
  }
  for (uint32_t i = 0; !is_single && i < run->sizes->symbol_count; ++i)
    luna_text_printf(run->output, "%s,", run->sizes->symbols[i].name);
  if (!is_single)
    luna_text_printf(run->output, "bytes,live_bytes,order\n");
}

static void write_json(Run *run) {
  LunaJson *json = &run->json;
  const LunaProblem *problem = run->csv->problem;
  luna_json_begin_object(json, NULL);
  luna_json_begin_object(json, "sizes");
  for (uint32_t i = 0; i < run->sizes->symbol_count; ++i)
    luna_json_integer(json, run->sizes->symbols[i].name, run->values[i]);
  luna_json_end_object(json);
  luna_json_integer(json, "total_bytes", run->result.peak_bytes);
  luna_json_integer(json, "live_bytes", run->live_bytes);
  luna_json_integer(json, "order", run->result.order);
  luna_json_begin_array(json, "buffers");
  for (uint32_t i = 0; i < luna_problem_buffer_count(problem); ++i) {
    const LunaBuffer *buffer = luna_problem_buffer(problem, i);
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "id", buffer->name);
    luna_json_integer(json, "size", buffer->size_bytes);
    luna_json_integer(json, "offset", run->offset_bytes[i]);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
  luna_json_end_object(json);
}

static bool write_binding(Run *run, bool is_single) {
  LunaSolution solution = {.offset_bytes = run->offset_bytes};
  if (run->ranges->is_c)
    return true;
  if (run->ranges->is_json) {
    write_json(run);
  } else if (is_single) {
    return luna_plan_csv_write(run->csv, &solution, run->output, run->error);
  } else {
    for (uint32_t i = 0; i < run->sizes->symbol_count; ++i)
      luna_text_printf(run->output, "%lld,", (long long)run->values[i]);
    luna_text_printf(run->output, "%lld,%lld,%u\n",
                     (long long)run->result.peak_bytes,
                     (long long)run->live_bytes, run->result.order);
  }
  return true;
}

static void write_summary(const Run *run, uint64_t count, LunaText *summary) {
  uint64_t pairs = 0;
  for (uint32_t k = 0; k < run->plan.order_count; ++k)
    pairs += run->plan.orders[k].starts[run->plan.place_count];
  int64_t mean = run->above_sum / (int64_t)count;
  luna_text_printf(
      summary,
      "%llu binding%s, at most %lld bytes; above what is live: %lld.%03lld %% "
      "on average, at most %lld.%03lld %%; %u order%s, %llu pairs\n",
      (unsigned long long)count, count == 1 ? "" : "s",
      (long long)run->largest_bytes, (long long)mean / 1000,
      (long long)mean % 1000, (long long)run->above_most / 1000,
      (long long)run->above_most % 1000, run->plan.order_count,
      run->plan.order_count == 1 ? "" : "s", (unsigned long long)pairs);
}

static bool run_bindings(Run *run, LunaText *summary) {
  uint64_t count = luna_size_sets_product(run->ranges->sets);
  if (count > MAX_BINDINGS)
    return fail_input(
        run->error, luna_arena_printf(run->arena,
                                      "--dim asks for %llu bindings, at most "
                                      "%d are allowed",
                                      (unsigned long long)count, MAX_BINDINGS));
  write_header(run, count == 1);
  for (uint64_t i = 0; i < count; ++i) {
    if (!eval_binding(run, i))
      return false;
    add_figures(run);
    if (!write_binding(run, count == 1))
      return false;
  }
  if (run->ranges->is_json) {
    luna_json_end_array(&run->json);
    luna_json_end_object(&run->json);
  }
  write_summary(run, count, summary);
  return true;
}

bool luna_plan_ranges_run(const LunaPlanRanges *ranges, const LunaPlanCsv *csv,
                          LunaPlanSizes *sizes, LunaArena *arena,
                          LunaText *output, LunaText *summary,
                          LunaError *error) {
  Run run = {.ranges = ranges,
             .csv = csv,
             .sizes = sizes,
             .json = {.text = output},
             .output = output,
             .arena = arena,
             .error = error};
  LunaOrientOptions options = {.step_budget = ranges->step_budget};
  if (!bound_symbols(&run, sizes) ||
      !luna_plan_orient(csv->problem, sizes, &options, &run.plan, error))
    return false;
  run.values = LUNA_ARENA_ARRAY(arena, int64_t, sizes->symbol_count);
  run.work = LUNA_ARENA_ARRAY(arena, int64_t, luna_plan_eval_work(&run.plan));
  run.offset_bytes = LUNA_ARENA_ARRAY(arena, int64_t, run.plan.buffer_count);
  return run_bindings(&run, summary);
}
