// luna-plan: places the buffers of a CSV file in one memory.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna/cache_remote.h"
#include "luna/json.h"
#include "luna/plan_cache.h"
#include "luna/plan_check.h"
#include "luna/plan_csv.h"
#include "luna/prefix.h"
#include "luna_plan_ranges.h"

static const char usage[] =
    "usage: luna-plan [options] FILE.csv\n"
    "\n"
    "Gives every buffer in FILE.csv an offset in one memory so that no two\n"
    "that are live at the same time overlap, in as few bytes as it can, and\n"
    "says how far from the best possible that is at most. The columns are\n"
    "id, lower, upper (exclusive; or end, inclusive), size, and as wanted\n"
    "alignment, gaps (7-9 11-13) and offset (fixed there). '-' is standard\n"
    "input.\n"
    "\n"
    "options:\n"
    "  --strategy=NAME    how to place them (default best, see --list)\n"
    "  --merge=NAME       path, block, linear or none (default path)\n"
    "  --capacity=N       bytes there are: search stops at the first plan "
    "that\n"
    "                     fits; if none was found, exit code 1\n"
    "  --steps=N          steps that exact search may take\n"
    "  --format=csv|json|c  what to write: the rows with their offsets, a\n"
    "                     report, or with --dim the plan as constants in C\n"
    "                     (default csv)\n"
    "  --dim=NAME=SIZE    the size of a name in sizes such as 4*h*w+64;\n"
    "                     SIZE,SIZE,... and FIRST:LAST:STEP are several: one\n"
    "                     plan for all, and what each combination takes\n"
    "  --compare          also try every strategy: a table on standard error,\n"
    "                     and in the report\n"
    "  --cache[=DIR]      keep plans in a folder, $LUNA_CACHE or "
    "~/.cache/luna if\n"
    "                     none is given (docs/cache.md)\n"
    "  --plan-cache=best  start from the best plan of any options in the "
    "cache,\n"
    "                     and keep a smaller one; default exact: what these\n"
    "                     options gave before\n"
    "  -o FILE            where to write it (default standard output)\n"
    "  --list             print the strategies\n"
    "  --version          print the version\n"
    "  --help             print this\n"
    "\n"
    "exit codes: 0 planned, 1 does not fit, 2 bad input, 3 the plan failed\n"
    "its check, 4 set-up\n";

typedef struct Arguments {
  LunaPlanOptions plan;
  const char *input_path;
  const char *output_path;
  // The folder given; NULL for that of the user.
  const char *cache;
  bool has_cache, takes_best;
  bool is_json, is_c;
  // The values of --dim.
  LunaSizeSets sets;
  LunaArena *arena;
  // An option that --dim excludes, or NULL.
  const char *static_option;
  // Help or a list was printed; there is nothing to plan.
  bool is_done;
} Arguments;

static void print_strategies(void) {
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    printf("%-28s %s\n", luna_strategy_name(i), luna_strategy_summary(i));
}

// Returns the text after `name` if `argument` begins with it.
static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool bad_argument(const char *argument, const char *allowed,
                         LunaError *error) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "found '%s', allowed is %s", argument, allowed);
}

static bool parse_count(const char *argument, const char *digits,
                        int64_t *number, LunaError *error) {
  int64_t value = 0;
  bool ok = *digits != '\0';
  for (; ok && *digits != '\0'; ++digits) {
    int digit = *digits - '0';
    ok = digit >= 0 && digit <= 9 && value <= (INT64_MAX - digit) / 10;
    if (ok)
      value = 10 * value + digit;
  }
  *number = value;
  return (ok && value > 0) ||
         bad_argument(argument, "a positive integer", error);
}

static bool parse_option(const char *argument, Arguments *arguments,
                         LunaError *error) {
  const char *value = NULL;
  int64_t steps = 0;
  if ((value = value_of(argument, "--dim=")))
    return luna_size_sets_add(&arguments->sets, value, arguments->arena, error);
  if ((value = value_of(argument, "--strategy="))) {
    arguments->static_option = "--strategy";
    arguments->plan.strategy = value;
    return luna_strategy_exists(value) ||
           bad_argument(argument, "a strategy of luna-plan --list", error);
  }
  if ((value = value_of(argument, "--merge="))) {
    arguments->static_option = "--merge";
    return luna_merge_from_name(value, &arguments->plan.merge) ||
           bad_argument(argument, "path, block, linear or none", error);
  }
  if ((value = value_of(argument, "--capacity="))) {
    arguments->plan.any_that_fits = true;
    return parse_count(argument, value, &arguments->plan.capacity_bytes, error);
  }
  if ((value = value_of(argument, "--steps="))) {
    bool ok = parse_count(argument, value, &steps, error);
    arguments->plan.step_budget = (uint64_t)steps;
    return ok;
  }
  if ((value = value_of(argument, "--format="))) {
    arguments->is_json = strcmp(value, "json") == 0;
    arguments->is_c = strcmp(value, "c") == 0;
    return arguments->is_json || arguments->is_c || strcmp(value, "csv") == 0 ||
           bad_argument(argument, "csv, json or c", error);
  }
  if ((value = value_of(argument, "--plan-cache="))) {
    arguments->takes_best = strcmp(value, "best") == 0;
    return arguments->takes_best || strcmp(value, "exact") == 0 ||
           bad_argument(argument, "exact or best", error);
  }
  if ((value = value_of(argument, "--cache")) && (!*value || *value == '=')) {
    arguments->static_option = "--cache";
    arguments->has_cache = true;
    arguments->cache = *value ? value + 1 : NULL;
    return true;
  }
  if (strcmp(argument, "--compare") == 0) {
    arguments->static_option = "--compare";
    arguments->plan.compare = true;
    return true;
  }
  return bad_argument(argument, "an option of luna-plan --help", error);
}

static bool print_asked(const char *argument) {
  if (strcmp(argument, "--help") == 0)
    fputs(usage, stdout);
  else if (strcmp(argument, "--list") == 0)
    print_strategies();
  else if (strcmp(argument, "--version") == 0)
    printf("luna-plan %s\n", LUNA_VERSION);
  else
    return false;
  return true;
}

static bool parse_arguments(int count, char **values, Arguments *arguments,
                            LunaError *error) {
  for (int i = 1; i < count; ++i) {
    const char *argument = values[i];
    if (print_asked(argument)) {
      arguments->is_done = true;
      return true;
    }
    if (strcmp(argument, "-o") == 0) {
      if (i + 1 == count)
        return bad_argument(argument, "-o FILE", error);
      arguments->output_path = values[++i];
    } else if (argument[0] == '-' && argument[1] != '\0') {
      if (!parse_option(argument, arguments, error))
        return false;
    } else if (arguments->input_path) {
      return bad_argument(argument, "one file", error);
    } else {
      arguments->input_path = argument;
    }
  }
  if (!arguments->input_path)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "found no file, see luna-plan --help");
  if (arguments->is_c && arguments->sets.count == 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "--format=c is for open sizes, needed is --dim");
  if (arguments->sets.count > 0 && arguments->static_option)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "%s is for one plan, it cannot go with --dim",
                          arguments->static_option);
  return true;
}

static void write_rows(LunaJson *json, const LunaSolution *solution) {
  luna_json_begin_array(json, "per_strategy");
  for (uint32_t i = 0; i < solution->row_count; ++i) {
    const LunaPlanRow *row = &solution->rows[i];
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "strategy", row->strategy);
    luna_json_string(json, "merge", luna_merge_name(row->merge));
    luna_json_integer(json, "total_bytes", row->total_bytes);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

static void write_witness(LunaJson *json, const LunaProblem *problem,
                          const LunaSolution *solution) {
  const LunaWitness *witness = &solution->witness;
  luna_json_begin_object(json, "witness");
  if (witness->step < luna_problem_step_count(problem))
    luna_json_string(json, "step",
                     luna_problem_step_name(problem, witness->step));
  luna_json_integer(json, "bytes", witness->bytes);
  luna_json_begin_array(json, "live");
  for (uint32_t i = 0; i < witness->buffer_count; ++i)
    luna_json_string(json, NULL,
                     luna_problem_buffer(problem, witness->buffers[i])->name);
  luna_json_end_array(json);
  luna_json_end_object(json);
}

static void write_cover(LunaJson *json, const LunaPathCover *cover) {
  luna_json_begin_object(json, "path_cover");
  luna_json_integer(json, "groups", cover->group_count);
  luna_json_integer(json, "paths", cover->path_count);
  luna_json_integer(json, "bytes", cover->bytes);
  luna_json_end_object(json);
}

static void write_json(const LunaProblem *problem, const LunaSolution *solution,
                       LunaText *text) {
  LunaJson json = {.text = text};
  luna_json_begin_object(&json, NULL);
  luna_json_string(&json, "strategy", solution->strategy);
  luna_json_string(&json, "merge", luna_merge_name(solution->merge));
  luna_json_integer(&json, "total_bytes", solution->total.bytes);
  luna_json_integer(&json, "lower_bound_bytes",
                    solution->total.lower_bound_bytes);
  luna_json_integer(&json, "placement_bound_bytes",
                    solution->total.placement_bound_bytes);
  luna_json_bool(&json, "optimal", solution->is_optimal);
  luna_json_string(&json, "proof", luna_proof_name(solution->proof));
  luna_json_integer(&json, "search_steps", (int64_t)solution->search_steps);
  write_witness(&json, problem, solution);
  luna_json_begin_array(&json, "buffers");
  for (uint32_t i = 0; i < solution->buffer_count; ++i) {
    const LunaBuffer *buffer = luna_problem_buffer(problem, i);
    luna_json_begin_object(&json, NULL);
    luna_json_string(&json, "id", buffer->name);
    luna_json_integer(&json, "size", buffer->size_bytes);
    luna_json_integer(&json, "offset", solution->offset_bytes[i]);
    luna_json_end_object(&json);
  }
  luna_json_end_array(&json);
  if (solution->cover.group_count > 0)
    write_cover(&json, &solution->cover);
  write_rows(&json, solution);
  luna_json_end_object(&json);
}

static void print_cover(const LunaPathCover *cover) {
  if (cover->group_count > 0)
    fprintf(stderr, "path cover: %u groups, %u paths, at most %lld bytes\n",
            cover->group_count, cover->path_count, (long long)cover->bytes);
}

static void print_summary(const LunaSolution *solution, bool with_rows) {
  for (uint32_t i = 0; with_rows && i < solution->row_count; ++i)
    fprintf(stderr, "%-28s %-7s %lld\n", solution->rows[i].strategy,
            luna_merge_name(solution->rows[i].merge),
            (long long)solution->rows[i].total_bytes);
  print_cover(&solution->cover);
  const LunaPlanSize *total = &solution->total;
  fprintf(stderr, "%lld bytes by %s, lower bound %lld", (long long)total->bytes,
          solution->strategy, (long long)total->lower_bound_bytes);
  if (total->placement_bound_bytes > total->lower_bound_bytes)
    fprintf(stderr, ", placement bound %lld",
            (long long)total->placement_bound_bytes);
  if (solution->is_optimal)
    fprintf(stderr, ": optimal (%s)\n", luna_proof_name(solution->proof));
  else
    fprintf(stderr, ": gap %lld bytes after %llu steps\n",
            (long long)(total->bytes - total->placement_bound_bytes),
            (unsigned long long)solution->search_steps);
}

// What the cache shares with others, the environment says.
static bool find_remote(const Arguments *arguments, LunaCacheRemote *remote,
                        LunaError *error) {
  enum { MESSAGE_BYTES = 1024 };
  char message[MESSAGE_BYTES];
  if (!arguments->has_cache) {
    *remote = (LunaCacheRemote){0};
    return true;
  }
  *remote = luna_cache_remote_from_environment();
  if (!remote->helper)
    remote->helper =
        luna_prefix_path(arguments->arena, "bin/luna-cache-helper");
  return luna_cache_remote_check(remote, message, sizeof message) ||
         luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM, "%s",
                        message);
}

static bool solve(const Arguments *arguments, LunaProblem *problem,
                  LunaSolution *solution, LunaError *error) {
  LunaCacheRemote remote;
  if (!find_remote(arguments, &remote, error))
    return false;
  char *folder =
      arguments->has_cache ? luna_cache_choose_folder(arguments->cache) : NULL;
  LunaCache *cache = luna_cache_open_shared(folder, NULL, &remote);
  LunaPlanSource source = luna_plan_cache_source(cache, arguments->takes_best);
  bool ok =
      luna_plan_solve_from(&source, problem, &arguments->plan, solution, error);
  luna_cache_close(cache);
  free(folder);
  return ok;
}

static bool plan(const Arguments *arguments, const LunaText *input,
                 LunaArena *arena, LunaText *output, LunaError *error) {
  LunaPlanCsv csv;
  LunaSolution solution = {0};
  if (!luna_plan_csv_read(input->data ? input->data : "", input->length,
                          arguments->input_path, arena, &csv, error) ||
      !solve(arguments, csv.problem, &solution, error) ||
      !luna_plan_check(csv.problem, solution.offset_bytes, solution.total.bytes,
                       arena, error))
    return false;
  if (arguments->is_json)
    write_json(csv.problem, &solution, output);
  else if (!luna_plan_csv_write(&csv, &solution, output, error))
    return false;
  print_summary(&solution, arguments->plan.compare);
  return true;
}

static bool plan_ranges(const Arguments *arguments, const LunaText *input,
                        LunaArena *arena, LunaText *output, LunaError *error) {
  LunaPlanCsv csv;
  LunaPlanSizes sizes;
  LunaText summary = {0};
  LunaPlanRanges ranges = {.sets = &arguments->sets,
                           .capacity_bytes = arguments->plan.capacity_bytes,
                           .step_budget = arguments->plan.step_budget,
                           .is_json = arguments->is_json,
                           .is_c = arguments->is_c};
  bool ok = luna_plan_csv_read_open(input->data ? input->data : "",
                                    input->length, arguments->input_path, arena,
                                    &csv, &sizes, error) &&
            luna_plan_ranges_run(&ranges, &csv, &sizes, arena, output, &summary,
                                 error);
  if (ok)
    fputs(summary.data, stderr);
  luna_text_deinit(&summary);
  return ok;
}

static bool run(const Arguments *arguments, LunaArena *arena, LunaText *input,
                LunaText *output, LunaError *error) {
  const char *path = arguments->input_path;
  bool is_stdin = strcmp(path, "-") == 0;
  if (!luna_text_read_file(input, is_stdin ? "/dev/stdin" : path,
                           (size_t)1 << 30, error))
    return false;
  bool ok = arguments->sets.count > 0
                ? plan_ranges(arguments, input, arena, output, error)
                : plan(arguments, input, arena, output, error);
  return ok && luna_text_write_file(arguments->output_path, output->data,
                                    output->length, error);
}

int main(int argc, char **argv) {
  LunaError error = {0};
  LunaArena arena = {0};
  Arguments arguments = {.output_path = "-", .arena = &arena};
  LunaText input = {0}, output = {0};
  bool ok = parse_arguments(argc, argv, &arguments, &error);
  if (ok && !arguments.is_done)
    ok = run(&arguments, &arena, &input, &output, &error);
  if (!ok)
    fprintf(stderr, "luna-plan: %s\n", error.message);
  luna_text_deinit(&input);
  luna_text_deinit(&output);
  luna_arena_destroy(&arena);
  return ok ? 0 : luna_error_exit_code(error.code);
}
