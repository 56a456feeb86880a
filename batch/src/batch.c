// Starts the jobs of a batch, each a process, and reads what they leave.

#define _GNU_SOURCE // wait4

#include "luna/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "luna/output.h"

typedef struct Batch {
  const LunaBatchRun *run;
  LunaArena *arena;
  LunaBatchJobs *jobs;
  char *folder; // of the files that jobs write
  // Of each job that runs: its process, and when it began.
  pid_t *processes;
  int64_t *begun;
  uint64_t done;
  sigset_t signals, former_mask; // those that are awaited
  int ended_by;                  // the signal that ended all, or 0
  LunaStrings stored; // lines of logs, for those that are there twice
} Batch;

static int64_t now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static const char *file_of(const Batch *batch, uint64_t job,
                           const char *suffix) {
  return luna_arena_printf(batch->arena, "%s/%" PRIu64 ".%s", batch->folder,
                           job, suffix);
}

//===- Starting -----------------------------------------------------------===//

static bool has_inputs(const LunaBatchJob *job) {
  for (uint64_t i = 0; i < job->words.count; ++i)
    if (strncmp(job->words.items[i], "--input", 7) == 0 ||
        strncmp(job->words.items[i], "--random-input", 14) == 0)
      return true;
  return false;
}

static char **arguments_of(const Batch *batch, uint64_t index) {
  const LunaBatchJob *job = &batch->jobs->items[index];
  LunaArena *arena = batch->arena;
  bool runs = batch->run->runs;
  LunaStrings words = {0};
  *LUNA_VECTOR_ADD(arena, &words) = "lunac";
  *LUNA_VECTOR_ADD(arena, &words) = runs ? "run" : "compile";
  *LUNA_VECTOR_ADD(arena, &words) = job->model;
  *LUNA_VECTOR_ADD(arena, &words) =
      luna_arena_printf(arena, "--machine=%s", job->machine);
  *LUNA_VECTOR_ADD(arena, &words) =
      luna_arena_printf(arena, "--stats=%s", file_of(batch, index, "json"));
  if (runs && !has_inputs(job))
    *LUNA_VECTOR_ADD(arena, &words) = "--random-input=1";
  if (batch->run->plugin)
    *LUNA_VECTOR_ADD(arena, &words) =
        luna_arena_printf(arena, "--plugin=%s", batch->run->plugin);
  for (uint64_t i = 0; i < job->words.count; ++i)
    *LUNA_VECTOR_ADD(arena, &words) = job->words.items[i];
  *LUNA_VECTOR_ADD(arena, &words) = NULL;
  return (char **)words.items;
}

static void redirect(const char *path, int descriptor) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0)
    dup2(file, descriptor);
}

static void start(Batch *batch, uint64_t index) {
  char **arguments = arguments_of(batch, index);
  const char *errors = file_of(batch, index, "err");
  const char *log = file_of(batch, index, "log");
  batch->begun[index] = now();
  batch->processes[index] = fork();
  if (batch->processes[index] != 0)
    return;
  sigprocmask(SIG_SETMASK, &batch->former_mask, NULL);
  redirect("/dev/null", STDOUT_FILENO);
  redirect(errors, STDERR_FILENO);
  setenv("LUNA_CACHE_LOG", log, 1);
  execv(batch->run->program, arguments);
  _exit(4);
}

//===- Results ------------------------------------------------------------===//

// Returns the text of a file, NULL if there is none.
static const char *text_of(const Batch *batch, const char *path) {
  enum { BYTES_MAX = 1 << 28 };
  LunaText text = {0};
  LunaError error;
  const char *copy = NULL;
  if (luna_text_read_file(&text, path, BYTES_MAX, &error) && text.length > 0)
    copy = luna_arena_printf(batch->arena, "%s", text.data);
  luna_text_deinit(&text);
  return copy;
}

// Returns the number behind `key`, the first after `section`, in the statistics
// that lunac wrote; -1 if there is none.
static int64_t number_of(const char *stats, const char *section,
                         const char *key) {
  const char *at = stats ? strstr(stats, section) : NULL;
  at = at ? strstr(at, key) : NULL;
  if (!at)
    return -1;
  at += strlen(key);
  return *at >= '0' && *at <= '9' ? strtoll(at, NULL, 10) : -1;
}

static const char *first_error(const Batch *batch, const char *text) {
  static const char mark[] = "error: ";
  const char *at = text ? strstr(text, mark) : NULL;
  at = at ? at + sizeof mark - 1 : text;
  return at && *at ? luna_arena_strndup(batch->arena, at, strcspn(at, "\n"))
                   : NULL;
}

static void read_log(Batch *batch, LunaBatchJob *job, const char *log) {
  const struct {
    const char *word;
    uint64_t *count;
  } words[] = {{"hit ", &job->hits},
               {"fetched ", &job->fetched},
               {"missed ", &job->missed},
               {"stored ", &job->stored}};
  for (const char *at = log ? log : ""; *at;) {
    size_t length = strcspn(at, "\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
      *words[i].count += strncmp(at, words[i].word, strlen(words[i].word)) == 0;
    if (strncmp(at, "stored ", 7) == 0)
      *LUNA_VECTOR_ADD(batch->arena, &batch->stored) =
          luna_arena_strndup(batch->arena, at, length);
    at += length + (at[length] == '\n');
  }
}

static void read_results(Batch *batch, uint64_t index, int status) {
  LunaBatchJob *job = &batch->jobs->items[index];
  job->milliseconds = (uint64_t)(now() - batch->begun[index]);
  job->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 4;
  job->stats = text_of(batch, file_of(batch, index, "json"));
  job->bytes = number_of(job->stats, "\"plan\": {", "\"total_bytes\": ");
  job->cycles = number_of(job->stats, "\"simulated\": {", "\"cycles\": ");
  if (job->cycles < 0)
    job->cycles = number_of(job->stats, "\"predicted\": {", "\"cycles\": ");
  if (job->exit_code != 0)
    job->message =
        first_error(batch, text_of(batch, file_of(batch, index, "err")));
  read_log(batch, job, text_of(batch, file_of(batch, index, "log")));
  static const char *const suffixes[] = {"json", "err", "log"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i)
    unlink(file_of(batch, index, suffixes[i]));
}

//===- Progress -----------------------------------------------------------===//

static void show_progress(const Batch *batch, const LunaBatchJob *job) {
  bool is_verbose = batch->run->is_verbose;
  if (!is_verbose && !isatty(STDERR_FILENO))
    return;
  fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 ": %s on %s%s%s%s",
          is_verbose ? "" : "\r\033[K", batch->done,
          (uint64_t)batch->jobs->count, job->model, job->machine,
          *job->options ? " " : "", job->options, is_verbose ? "\n" : "");
  if (!is_verbose && batch->done == batch->jobs->count)
    fputs("\r\033[K", stderr);
}

//===- All ----------------------------------------------------------------===//

static void end_job(Batch *batch, uint64_t started, pid_t process, int status) {
  for (uint64_t i = 0; i < started; ++i)
    if (batch->processes[i] == process) {
      batch->processes[i] = 0;
      ++batch->done;
      read_results(batch, i, status);
      if (!batch->ended_by)
        show_progress(batch, &batch->jobs->items[i]);
    }
}

// Waits for a job, or for a signal that ends the batch. Returns false if there
// is no job.
static bool await_one(Batch *batch, uint64_t started) {
  int status = 0, number = 0;
  pid_t process = waitpid(-1, &status, WNOHANG);
  if (process == 0 && sigwait(&batch->signals, &number) == 0 &&
      number != SIGCHLD)
    batch->ended_by = number;
  if (process > 0)
    end_job(batch, started, process, status);
  return process >= 0 || errno == EINTR;
}

// Ends the jobs that run, which leave files.
static void end_all(Batch *batch, uint64_t started) {
  int status = 0;
  pid_t process = 0;
  for (uint64_t i = 0; i < started; ++i)
    if (batch->processes[i] > 0)
      kill(batch->processes[i], SIGTERM);
  while ((process = waitpid(-1, &status, 0)) > 0)
    end_job(batch, started, process, status);
}

static void run_all(Batch *batch) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t at_once = batch->run->jobs > 0 ? (uint64_t)batch->run->jobs
                     : cores > 0          ? (uint64_t)cores
                                          : 1;
  uint64_t started = 0;
  for (bool goes_on = true; goes_on && batch->done < batch->jobs->count;) {
    while (started < batch->jobs->count && started - batch->done < at_once)
      start(batch, started++);
    goes_on = await_one(batch, started) && !batch->ended_by;
  }
  if (batch->ended_by)
    end_all(batch, started);
}

// Has signals wait for await_one, but for those that are ignored.
static void block_signals(Batch *batch) {
  static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  sigemptyset(&batch->signals);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 &&
        action.sa_handler != SIG_IGN)
      sigaddset(&batch->signals, signals[i]);
  }
  sigprocmask(SIG_BLOCK, &batch->signals, &batch->former_mask);
}

// Ends this process as the signal would have, had it not been awaited.
static void end_by_signal(const Batch *batch) {
  raise(batch->ended_by);
  sigprocmask(SIG_SETMASK, &batch->former_mask, NULL);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Returns how often something was stored that another job had stored.
static uint64_t count_twice(const Batch *batch) {
  const LunaStrings *stored = &batch->stored;
  uint64_t twice = 0;
  if (stored->count > 1)
    qsort((void *)stored->items, stored->count, sizeof *stored->items, by_text);
  for (uint64_t i = 1; i < stored->count; ++i)
    twice += strcmp(stored->items[i - 1], stored->items[i]) == 0;
  return twice;
}

static bool make_folder(Batch *batch, LunaError *error) {
  batch->folder = luna_arena_printf(batch->arena, "%s/luna-batch-XXXXXX",
                                    luna_temporary_folder());
  return mkdtemp(batch->folder) ||
         luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "cannot make folder '%s': %s", batch->folder,
                        strerror(errno));
}

int luna_batch_exit_code(const LunaBatchJobs *jobs) {
  int largest = 0;
  for (uint64_t i = 0; i < jobs->count; ++i)
    if (jobs->items[i].exit_code > largest)
      largest = jobs->items[i].exit_code;
  return largest;
}

bool luna_batch_run(const LunaBatchRun *run, LunaArena *arena,
                    LunaBatchJobs *jobs, uint64_t *twice, LunaError *error) {
  Batch batch = {
      .run = run,
      .arena = arena,
      .jobs = jobs,
      .processes = LUNA_ARENA_ARRAY(arena, pid_t, jobs->count),
      .begun = LUNA_ARENA_ARRAY(arena, int64_t, jobs->count),
  };
  if (!make_folder(&batch, error))
    return false;
  block_signals(&batch);
  run_all(&batch);
  rmdir(batch.folder);
  if (batch.ended_by)
    end_by_signal(&batch);
  *twice = count_twice(&batch);
  return true;
}
