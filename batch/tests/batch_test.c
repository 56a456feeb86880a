// The program of the jobs is this test itself: what it does as a job depends on
// the name of its model.

#define _GNU_SOURCE // mkstemps

#include "luna/batch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "luna/output.h"

//===- As a job -----------------------------------------------------------===//

static const char *value_of(char **words, const char *option) {
  size_t length = strlen(option);
  for (; *words; ++words)
    if (strncmp(*words, option, length) == 0)
      return *words + length;
  return NULL;
}

static void write_file(const char *path, const char *text) {
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    exit(9);
  fputs(text, file);
  fclose(file);
}

static int be_job(char **words) {
  const char *model = words[2];
  if (strcmp(model, "bad.mlir") == 0) {
    fputs("bad.mlir:1:2: error: expected a number\nmore\n", stderr);
    return 2;
  }
  if (strcmp(model, "killed.mlir") == 0)
    raise(SIGKILL);
  write_file(value_of(words, "--stats="),
             strcmp(words[1], "run") == 0
                 ? "{\"plan\": {\"total_bytes\": 7},"
                   " \"simulated\": {\"cycles\": 99}}"
                 : "{\"plan\": {\"total_bytes\": 7},"
                   " \"predicted\": {\"cycles\": 98}}");
  write_file(getenv("LUNA_CACHE_LOG"),
             "missed plan a\nstored plan a\nhit model b\n");
  return value_of(words, "--fast") ? 0 : 3;
}

//===- The test -----------------------------------------------------------===//

static LunaArena arena;

static LunaStrings strings_of(const char *first, const char *second) {
  LunaStrings list = {0};
  *LUNA_VECTOR_ADD(&arena, &list) = first;
  if (second)
    *LUNA_VECTOR_ADD(&arena, &list) = second;
  return list;
}

static void add_job(LunaBatchJobs *jobs, const char *model,
                    const char *option) {
  *LUNA_VECTOR_ADD(&arena, jobs) = (LunaBatchJob){
      .model = model,
      .machine = "venus",
      .options = option,
      .words = strings_of(option, NULL),
  };
}

static void results_are_those_of_the_jobs(void) {
  const LunaBatchRun run = {.program = "/proc/self/exe", .jobs = 2};
  LunaBatchJobs jobs = {0};
  LunaError error = {0};
  uint64_t twice = 0;
  add_job(&jobs, "good.mlir", "--fast");
  add_job(&jobs, "bad.mlir", "--fast");
  add_job(&jobs, "killed.mlir", "--fast");
  add_job(&jobs, "slow.mlir", "--slow");
  CHECK(luna_batch_run(&run, &arena, &jobs, &twice, &error));
  CHECK_EQ(twice, 1);
  const LunaBatchJob *good = &jobs.items[0], *bad = &jobs.items[1];
  CHECK_EQ(good->exit_code, 0);
  CHECK_EQ(good->bytes, 7);
  CHECK_EQ(good->cycles, 98);
  CHECK_EQ(good->hits, 1);
  CHECK_EQ(good->stored, 1);
  CHECK(!good->message);
  CHECK_EQ(bad->exit_code, 2);
  CHECK_EQ(bad->bytes, -1);
  CHECK(!bad->stats && strcmp(bad->message, "expected a number") == 0);
  CHECK_EQ(jobs.items[2].exit_code, 4);
  CHECK_EQ(jobs.items[3].exit_code, 3);
  CHECK_EQ(luna_batch_exit_code(&jobs), 4);
}

static void a_run_counts_simulated_cycles(void) {
  const LunaBatchRun run = {.program = "/proc/self/exe", .runs = true};
  LunaBatchJobs jobs = {0};
  LunaError error = {0};
  uint64_t twice = 0;
  add_job(&jobs, "good.mlir", "--fast");
  CHECK(luna_batch_run(&run, &arena, &jobs, &twice, &error));
  CHECK_EQ(jobs.items[0].cycles, 99);
  CHECK_EQ(twice, 0);
}

static void jobs_are_models_times_machines_times_options(void) {
  char *path = luna_arena_printf(&arena, "%s/batch-test-XXXXXX.mlir",
                                 luna_temporary_folder());
  int file = mkstemps(path, 5);
  CHECK(file >= 0);
  close(file);
  LunaStrings paths = strings_of(path, NULL);
  LunaStrings machines = strings_of("venus,arcs", "own.xml");
  LunaStrings variants = strings_of("--dma=sync  --fast", "");
  LunaBatchJobs jobs = {0};
  LunaError error = {0};
  CHECK(luna_batch_list(&paths, &machines, &variants, &arena, &jobs, &error));
  CHECK_EQ(jobs.count, 6);
  CHECK_STR(jobs.items[0].machine, "venus");
  CHECK_STR(jobs.items[2].machine, "arcs");
  CHECK_STR(jobs.items[5].machine, "own.xml");
  CHECK_EQ(jobs.items[0].words.count, 2);
  CHECK_STR(jobs.items[0].words.items[1], "--fast");
  CHECK_EQ(jobs.items[1].words.count, 0);
  remove(path);
  CHECK(!luna_batch_list(&paths, &machines, &variants, &arena, &jobs, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK(strstr(error.message, path) != NULL);
}

static void no_path_is_no_model(void) {
  const LunaStrings none = {0};
  LunaBatchJobs jobs = {0};
  LunaError error = {0};
  CHECK(!luna_batch_list(&none, &none, &none, &arena, &jobs, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
}

int main(int argc, char **argv) {
  if (argc > 2)
    return be_job(argv);
  RUN_TEST(results_are_those_of_the_jobs);
  RUN_TEST(a_run_counts_simulated_cycles);
  RUN_TEST(jobs_are_models_times_machines_times_options);
  RUN_TEST(no_path_is_no_model);
  luna_arena_destroy(&arena);
  return 0;
}
