// luna-plan: places the buffers of a CSV file in one memory.

#include <stddef.h>
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
    "options:\n";
static const char exit_codes[] =
    "\n"
    "exit codes: 0 planned, 1 does not fit, 2 bad input, 3 the plan failed\n"
    "its check, 4 set-up\n";

typedef enum OptionKind {
  OPTION_STRING,
  OPTION_CHOICE,
  OPTION_BOOL,
  OPTION_BYTES,
  OPTION_COUNT,
  OPTION_OWN, // no member of LunaPlanOptions
} OptionKind;

typedef struct Option {
  const char *name, *value, *choices, *help;
  OptionKind kind;
  size_t offset;  // in LunaPlanOptions
  bool is_static; // for one plan: --dim excludes it
} Option;

static const Option options[] = {
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  {"--" name, value,         choices,                                          \
   help,      OPTION_##KIND, offsetof(LunaPlanOptions, member),                \
   true},
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  {"--" command, value,         NULL,                                          \
   help,         OPTION_##KIND, offsetof(LunaPlanOptions, member),             \
   false},
#include "luna/plan_options.def"
    {.name = "--format",
     .value = "KIND",
     .choices = "csv|json|c",
     .help = "what to write: csv (default: the rows with their offsets), json\n"
             "(a report), or with --dim c (the plan as constants)",
     .kind = OPTION_OWN},
    {.name = "--dim",
     .value = "NAME=SIZE",
     .help = "the size of a name in sizes such as 4*h*w+64; SIZE,SIZE,…\n"
             "and FIRST:LAST:STEP are several: one plan for all, and what\n"
             "each combination takes",
     .kind = OPTION_OWN},
    {.name = "--cache",
     .value = "DIR",
     .help = "keep plans in a folder; --cache alone: in $LUNA_CACHE or\n"
             "~/.cache/luna (docs/cache.md)",
     .kind = OPTION_OWN,
     .is_static = true},
    {.name = "--plan-cache",
     .value = "WHICH",
     .choices = "exact|best",
     .help = "best: start from the best plan of any options in the cache,\n"
             "and keep a smaller one; exact: what these options gave before",
     .kind = OPTION_OWN},
    {.name = "-o FILE", .help = "where to write it (default standard output)"},
    {.name = "--list", .help = "print the strategies"},
    {.name = "--version", .help = "print the version"},
    {.name = "--help", .help = "print this"},
};

// In the order of the choices of --format.
typedef enum Format { FORMAT_CSV, FORMAT_JSON, FORMAT_C } Format;

typedef struct Arguments {
  LunaPlanOptions plan;
  const char *input_path;
  const char *output_path;
  // The folder given; NULL for that of the user.
  const char *cache;
  bool has_cache, takes_best;
  Format format;
  // The values of --dim.
  LunaSizeSets sets;
  LunaArena *arena;
  const char *static_option; // an option that --dim excludes, or NULL
  // Help or a list was printed; there is nothing to plan.
  bool is_done;
} Arguments;

static void print_strategies(void) {
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    printf("%-28s %s\n", luna_strategy_name(i), luna_strategy_summary(i));
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

// Returns the index of `value` in "a|b|c", or -1.
static int index_of(const char *choices, const char *value) {
  size_t length = strlen(value);
  for (int index = 0; *choices; ++index) {
    size_t end = strcspn(choices, "|");
    if (end == length && strncmp(choices, value, length) == 0)
      return index;
    choices += end + (choices[end] == '|');
  }
  return -1;
}

static bool parse_choice(const char *argument, const char *choices,
                         const char *value, int *index, LunaError *error) {
  *index = index_of(choices, value);
  return *index >= 0 || bad_argument(argument, choices, error);
}

// Reads an option that is no member of LunaPlanOptions.
static bool parse_own(const Option *option, const char *argument,
                      const char *value, Arguments *arguments,
                      LunaError *error) {
  int index = 0;
  if (strcmp(option->name, "--dim") == 0)
    return luna_size_sets_add(&arguments->sets, value, arguments->arena, error);
  if (strcmp(option->name, "--cache") == 0) {
    arguments->has_cache = true;
    arguments->cache = value;
    return true;
  }
  if (!parse_choice(argument, option->choices, value, &index, error))
    return false;
  if (strcmp(option->name, "--plan-cache") == 0)
    arguments->takes_best = index == 1;
  else
    arguments->format = (Format)index;
  return true;
}

static bool parse_value(const Option *option, const char *argument,
                        const char *value, Arguments *arguments,
                        LunaError *error) {
  void *member = (char *)&arguments->plan + option->offset;
  int64_t number = 0;
  int index = 0;
  bool ok = true;
  switch (option->kind) {
  case OPTION_STRING:
    *(const char **)member = value;
    return true;
  case OPTION_CHOICE:
    ok = parse_choice(argument, option->choices, value, &index, error);
    *(LunaMerge *)member = (LunaMerge)index;
    return ok;
  case OPTION_BOOL:
    *(bool *)member = true;
    return true;
  case OPTION_BYTES:
    return parse_count(argument, value, member, error);
  case OPTION_COUNT:
    ok = parse_count(argument, value, &number, error);
    *(uint64_t *)member = (uint64_t)number;
    return ok;
  case OPTION_OWN:
    return parse_own(option, argument, value, arguments, error);
  }
  return false;
}

static bool parse_option(const char *argument, Arguments *arguments,
                         LunaError *error) {
  size_t length = strcspn(argument, "=");
  const char *value = argument[length] ? argument + length + 1 : NULL;
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    const Option *option = &options[i];
    bool may_stand_alone =
        !option->value || strcmp(option->name, "--cache") == 0;
    if (strlen(option->name) != length ||
        strncmp(option->name, argument, length) != 0 ||
        (value ? !option->value : !may_stand_alone))
      continue;
    if (option->is_static)
      arguments->static_option = option->name;
    return parse_value(option, argument, value, arguments, error);
  }
  return bad_argument(argument, "an option of luna-plan --help", error);
}

static void print_usage(void) {
  enum { COLUMN = 22 };
  fputs(usage, stdout);
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    const Option *option = &options[i];
    int width = printf("  %s%s%s", option->name, option->value ? "=" : "",
                       option->value ? option->value : "");
    printf("%*s", width < COLUMN ? COLUMN - width : 1, "");
    for (const char *at = option->help; *at; ++at)
      if (*at == '\n')
        printf("\n%*s", COLUMN, "");
      else
        putchar(*at);
    putchar('\n');
  }
  fputs(exit_codes, stdout);
}

static bool print_asked(const char *argument) {
  if (strcmp(argument, "--help") == 0)
    print_usage();
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
  if (arguments->plan.strategy &&
      !luna_strategy_exists(arguments->plan.strategy))
    return bad_argument(arguments->plan.strategy,
                        "a strategy of luna-plan --list", error);
  arguments->plan.any_that_fits = arguments->plan.capacity_bytes > 0;
  if (arguments->format == FORMAT_C && arguments->sets.count == 0)
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

static void print_summary(const LunaSolution *solution) {
  for (uint32_t i = 0; solution->is_compared && i < solution->row_count; ++i)
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
  if (arguments->format == FORMAT_JSON)
    write_json(csv.problem, &solution, output);
  else if (!luna_plan_csv_write(&csv, &solution, output, error))
    return false;
  print_summary(&solution);
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
                           .is_json = arguments->format == FORMAT_JSON,
                           .is_c = arguments->format == FORMAT_C};
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
