// Another solver, run by the shell.

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_planner.h"
#include "luna/output.h"

static double seconds_of_children(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double bench_run_other(const BenchOptions *options, const char *path,
                       int64_t capacity_bytes) {
  if (!options->other_command)
    return -1;
  char capacity[32];
  snprintf(capacity, sizeof capacity, "%lld", (long long)capacity_bytes);
  fflush(stdout);
  double start = seconds_of_children();
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", options->other_command, "vs", path, capacity,
          (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
    return -1;
  return seconds_of_children() - start;
}

double bench_run_other_on(const BenchOptions *options, const LunaText *text,
                          int64_t capacity_bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/bench-planner-XXXXXX",
           luna_temporary_folder());
  int file = options->other_command ? mkstemp(path) : -1;
  if (file < 0)
    return -1;
  double seconds = -1;
  if (write(file, text->data, text->length) == (ssize_t)text->length)
    seconds = bench_run_other(options, path, capacity_bytes);
  close(file);
  unlink(path);
  return seconds;
}
