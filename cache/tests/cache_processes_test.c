// Many processes in one folder: writers that are killed, and writers, readers
// and one that trims at a time. Whatever is found is whole.

#define _XOPEN_SOURCE 700

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"

enum { VALUE_BYTES = 100000, KEYS = 32 };

// The value of a key: every eight bytes are its number and a writer's.
static void fill(uint64_t *words, uint64_t number, uint64_t writer) {
  for (size_t i = 0; i < VALUE_BYTES / sizeof *words; ++i)
    words[i] = (number << 32) + writer;
}

static void put(LunaCache *cache, uint64_t number, uint64_t writer) {
  static uint64_t words[VALUE_BYTES / sizeof(uint64_t)];
  LunaCacheKey key = {.kind = "test",
                      .record = &number,
                      .record_bytes = sizeof number,
                      .is_raw = number % 2 == 0};
  fill(words, number, writer);
  luna_cache_put(cache, &key, words, sizeof words);
}

// Returns true if a value was found; it must be one that was stored.
static bool get(LunaCache *cache, uint64_t number) {
  LunaCacheValue value;
  LunaCacheKey key = {
      .kind = "test", .record = &number, .record_bytes = sizeof number};
  if (!luna_cache_get(cache, &key, &value))
    return false;
  uint64_t words[VALUE_BYTES / sizeof(uint64_t)], first = 0;
  CHECK_EQ(value.length, sizeof words);
  memcpy(&first, value.bytes, sizeof first);
  CHECK_EQ(first >> 32, number);
  fill(words, number, first & 0xffffffff);
  CHECK(memcmp(words, value.bytes, sizeof words) == 0);
  luna_cache_value_deinit(&value);
  return true;
}

static void sleep_microseconds(long count) {
  nanosleep(&(struct timespec){.tv_nsec = count * 1000}, NULL);
}

static void write_for_ever(const char *folder, uint64_t writer) {
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (uint64_t i = writer;; ++i)
    put(cache, i % KEYS, writer);
}

// Each kill hits a writer somewhere else in a write.
static void test_killed_writers(void) {
  enum { KILLS = 1000 / LUNA_TEST_SHARE };
  char *folder = luna_folder_make();
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (uint64_t i = 0; i < KILLS; ++i) {
    pid_t child = fork();
    if (child == 0)
      write_for_ever(folder, i + 1);
    sleep_microseconds(100 + (long)(i * 7919 % 900));
    CHECK(kill(child, SIGKILL) == 0);
    CHECK(waitpid(child, NULL, 0) == child);
    get(cache, i % KEYS);
  }
  uint64_t checked = 0, found = 0;
  CHECK_EQ(luna_cache_verify(cache, &checked), 0);
  for (uint64_t i = 0; i < KEYS; ++i)
    found += get(cache, i);
  CHECK_EQ(found, checked);
  CHECK(found > 0);
  CHECK_EQ(luna_cache_counters(cache).damaged, 0);
  luna_cache_close(cache);
  luna_folder_remove(folder);
}

enum { WRITERS = 8, READERS = 8, OPERATIONS = 150 };

static int write_some(const char *folder, uint64_t writer) {
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (uint64_t i = 0; i < OPERATIONS; ++i)
    put(cache, (writer + i * 5) % KEYS, writer);
  LunaCacheCounters counters = luna_cache_counters(cache);
  CHECK_EQ(counters.stored, OPERATIONS);
  luna_cache_close(cache);
  return 0;
}

static int read_some(const char *folder, uint64_t reader) {
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (uint64_t i = 0; i < 4 * OPERATIONS; ++i)
    get(cache, (reader + i * 3) % KEYS);
  LunaCacheCounters counters = luna_cache_counters(cache);
  CHECK_EQ(counters.damaged + counters.collisions, 0);
  CHECK_EQ(counters.hits + counters.misses, 4 * OPERATIONS);
  luna_cache_close(cache);
  return 0;
}

static int trim_some(const char *folder) {
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (int i = 0; i < OPERATIONS; ++i) {
    luna_cache_trim(cache, &(LunaCacheLimits){.entries = KEYS / 2});
    sleep_microseconds(1000);
  }
  luna_cache_close(cache);
  return 0;
}

static void test_writers_readers_and_a_trimmer(void) {
  char *folder = luna_folder_make();
  pid_t children[WRITERS + READERS + 1];
  for (int i = 0; i < WRITERS + READERS + 1; ++i) {
    children[i] = fork();
    if (children[i] != 0)
      continue;
    exit(i < WRITERS             ? write_some(folder, (uint64_t)i)
         : i < WRITERS + READERS ? read_some(folder, (uint64_t)i)
                                 : trim_some(folder));
  }
  for (int i = 0; i < WRITERS + READERS + 1; ++i) {
    int status = 0;
    CHECK(waitpid(children[i], &status, 0) == children[i]);
    CHECK_EQ(status, 0);
  }
  LunaCache *cache = luna_cache_open(folder, NULL);
  LunaCacheStats stats;
  uint64_t checked = 0;
  CHECK_EQ(luna_cache_verify(cache, &checked), 0);
  luna_cache_stats(cache, &stats);
  CHECK_EQ(stats.unfinished + stats.quarantined, 0);
  luna_cache_close(cache);
  luna_folder_remove(folder);
}

//===- Claims -------------------------------------------------------------===//

static bool claims(LunaCache *cache, const char *record) {
  LunaCacheKey key = luna_test_key(record);
  LunaCacheValue value;
  bool is_found = luna_cache_get_or_claim(cache, &key, &value);
  luna_cache_value_deinit(&value);
  return !is_found;
}

static int compute_all(const char *folder) {
  LunaCache *cache = luna_cache_open(folder, NULL);
  for (int i = 0; i < KEYS; ++i) {
    char record[16];
    snprintf(record, sizeof record, "%d", i);
    LunaCacheKey key = luna_test_key(record);
    if (!claims(cache, record))
      continue;
    sleep_microseconds(2000);
    CHECK(luna_cache_put(cache, &key, record, sizeof record));
  }
  int computed = (int)luna_cache_counters(cache).stored;
  luna_cache_close(cache);
  return computed;
}

static void test_nothing_is_computed_twice(void) {
  char *folder = luna_folder_make();
  pid_t children[WRITERS];
  int computed = 0;
  LunaCacheStats stats;
  for (int i = 0; i < WRITERS; ++i) {
    children[i] = fork();
    if (children[i] == 0)
      exit(compute_all(folder));
  }
  for (int i = 0; i < WRITERS; ++i) {
    int status = 0;
    CHECK(waitpid(children[i], &status, 0) == children[i]);
    CHECK(WIFEXITED(status));
    computed += WEXITSTATUS(status);
  }
  CHECK_EQ(computed, KEYS);
  LunaCache *cache = luna_cache_open(folder, NULL);
  luna_cache_stats(cache, &stats);
  CHECK_EQ(stats.unfinished, 0);
  luna_cache_close(cache);
  luna_folder_remove(folder);
}

static double seconds_of_claim(const char *folder) {
  struct timespec begin, end;
  LunaCache *cache = luna_cache_open(folder, NULL);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  CHECK(claims(cache, "a"));
  clock_gettime(CLOCK_MONOTONIC, &end);
  luna_cache_close(cache);
  return (double)(end.tv_sec - begin.tv_sec) +
         (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

// One that takes long is waited for, for a second; one that was killed is not.
static void test_claims_end(void) {
  char *folder = luna_folder_make();
  int ready[2];
  char byte = 0;
  CHECK(pipe(ready) == 0);
  pid_t child = fork();
  if (child == 0) {
    claims(luna_cache_open(folder, NULL), "a");
    CHECK(write(ready[1], &byte, 1) == 1);
    pause();
  }
  CHECK(read(ready[0], &byte, 1) == 1);
  CHECK(seconds_of_claim(folder) > 0.9);
  CHECK(kill(child, SIGKILL) == 0);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(seconds_of_claim(folder) < 0.9);
  luna_folder_remove(folder);
}

int main(void) {
  RUN_TEST(test_killed_writers);
  RUN_TEST(test_writers_readers_and_a_trimmer);
  RUN_TEST(test_nothing_is_computed_twice);
  RUN_TEST(test_claims_end);
  return 0;
}
