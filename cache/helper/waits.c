#define _POSIX_C_SOURCE 200809L

#include "waits.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_helper.h"

enum { PROCESSES = 256 };

// A process: numbers are used again, with another start.
typedef struct Process {
  pid_t id;
  uint64_t start;
  int64_t waited_ms;
  uint64_t used;
} Process;

struct LunaWaits {
  pthread_mutex_t mutex;
  Process processes[PROCESSES];
  uint64_t uses;
};

LunaWaits *luna_waits_create(void) {
  LunaWaits *waits = calloc(1, sizeof *waits);
  if (waits)
    pthread_mutex_init(&waits->mutex, NULL);
  return waits;
}

// The start of a process, field 22 of its status; 0 if it cannot be told. The
// name before may have spaces, and ends with the last bracket.
static uint64_t start_of(pid_t process) {
  char path[64], text[1024] = {0};
  uint64_t start = 0;
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  const char *at = length > 0 ? strrchr(text, ')') : NULL;
  for (int field = 2; at && field < 22; ++field)
    at = strchr(at + 1, ' ');
  if (at)
    start = strtoull(at, NULL, 10);
  return start;
}

// Returns the row of a process, which replaces the one used longest ago.
static Process *row_of(LunaWaits *waits, pid_t id) {
  uint64_t start = start_of(id);
  Process *row = &waits->processes[0];
  for (int i = 0; i < PROCESSES; ++i) {
    Process *each = &waits->processes[i];
    if (each->id == id && each->start == start && each->used > 0) {
      row = each;
      break;
    }
    if (each->used < row->used)
      row = each;
  }
  if (row->id != id || row->start != start)
    *row = (Process){.id = id, .start = start};
  row->used = ++waits->uses;
  return row;
}

int64_t luna_waits_left(LunaWaits *waits, pid_t process) {
  pthread_mutex_lock(&waits->mutex);
  int64_t left = LUNA_HELPER_SERVER_MS - row_of(waits, process)->waited_ms;
  pthread_mutex_unlock(&waits->mutex);
  return left > 0 ? left : 0;
}

void luna_waits_add(LunaWaits *waits, pid_t process, int64_t milliseconds) {
  pthread_mutex_lock(&waits->mutex);
  row_of(waits, process)->waited_ms += milliseconds;
  pthread_mutex_unlock(&waits->mutex);
}
