// One folder, one process: what is stored is found, and what is wrong with the
// folder is never more than a miss.

#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_files.h"
#include "check.h"
#include "folder.h"

static bool put(LunaCache *cache, const char *record, const char *value) {
  LunaCacheKey key = luna_test_key(record);
  return luna_cache_put(cache, &key, value, strlen(value));
}

// Returns true if `value` is found; false if nothing is.
static bool finds(LunaCache *cache, const char *record, const char *value) {
  LunaCacheKey key = luna_test_key(record);
  LunaCacheValue found;
  if (!luna_cache_get(cache, &key, &found))
    return false;
  CHECK_STR((const char *)found.bytes, value);
  CHECK_EQ(found.length, strlen(value));
  luna_cache_value_deinit(&found);
  return true;
}

static bool is_trusted(LunaCache *cache, const char *record) {
  LunaCacheKey key = luna_test_key(record);
  LunaCacheValue found;
  CHECK(luna_cache_get(cache, &key, &found));
  bool is_trusted = found.is_trusted;
  luna_cache_value_deinit(&found);
  return is_trusted;
}

static void test_get_after_put(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  CHECK(!finds(cache, "a", ""));
  CHECK(put(cache, "a", "one") && put(cache, "b", "two"));
  CHECK(finds(cache, "a", "one") && finds(cache, "b", "two"));
  CHECK(put(cache, "a", "three"));
  CHECK(finds(cache, "a", "three"));
  LunaCacheCounters counters = luna_cache_counters(cache);
  CHECK_EQ(counters.hits, 3);
  CHECK_EQ(counters.misses, 1);
  CHECK_EQ(counters.stored, 3);
  CHECK_EQ(counters.damaged + counters.not_stored + counters.removed, 0);
  luna_cache_fixture_close(&fixture);
}

static void test_no_cache(void) {
  LunaCacheStats stats;
  uint64_t checked = 1;
  LunaCache *cache = luna_cache_open(NULL, NULL);
  CHECK(!cache && !put(cache, "a", "one") && !finds(cache, "a", "one"));
  luna_cache_stats(cache, &stats);
  CHECK_EQ(stats.entries, 0);
  CHECK_EQ(luna_cache_verify(cache, &checked) + checked, 0);
  CHECK_EQ(luna_cache_trim(cache, NULL) + luna_cache_clear(cache), 0);
  luna_cache_close(cache);
}

static void test_kind_belongs_to_the_key(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheKey key = luna_test_key("a"), bad = key;
  LunaCacheValue value;
  CHECK(luna_cache_put(fixture.cache, &key, "x", 1));
  key.kind = "other";
  CHECK(!luna_cache_get(fixture.cache, &key, &value));
  bad.kind = "../x";
  CHECK(!luna_cache_put(fixture.cache, &bad, "x", 1));
  luna_cache_fixture_close(&fixture);
}

//===- Damage -------------------------------------------------------------===//

// The entry is damaged by `change`; then it is a miss, in quarantine, and can
// be stored anew.
static void check_damage(void (*change)(const char *path)) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheStats stats;
  CHECK(put(fixture.cache, "a", "the value"));
  change(luna_folder_entry(fixture.folder));
  CHECK(!finds(fixture.cache, "a", ""));
  CHECK_EQ(luna_cache_counters(fixture.cache).damaged, 1);
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.quarantined, 1);
  CHECK_EQ(stats.entries, 0);
  CHECK(put(fixture.cache, "a", "the value"));
  CHECK(finds(fixture.cache, "a", "the value"));
  luna_cache_fixture_close(&fixture);
}

static void flip_last(const char *path) {
  size_t size = 0;
  uint8_t *bytes = luna_folder_read(path, &size);
  bytes[size - 20] ^= 1;
  luna_folder_write(path, bytes, size);
  free(bytes);
}

static void cut(const char *path) { CHECK(truncate(path, 80) == 0); }

static void empty(const char *path) { CHECK(truncate(path, 0) == 0); }

// As a later version of the program might write it: intact but for the format.
static void raise_format(const char *path) {
  size_t size = 0;
  uint8_t *bytes = luna_folder_read(path, &size);
  ++bytes[8];
  luna_folder_write(path, bytes, size);
  free(bytes);
}

// An intact entry of another key under this name.
static void misname(const char *path) {
  LunaCacheFixture other = luna_cache_fixture_open(NULL);
  size_t size = 0;
  CHECK(put(other.cache, "another record", "the value"));
  char *target = strdup(path); // luna_folder_entry has one buffer
  uint8_t *bytes = luna_folder_read(luna_folder_entry(other.folder), &size);
  luna_folder_write(target, bytes, size);
  free(target);
  free(bytes);
  luna_cache_fixture_close(&other);
}

static void test_damaged_entries_are_misses(void) {
  check_damage(flip_last);
  check_damage(cut);
  check_damage(empty);
  check_damage(raise_format);
  check_damage(misname);
}

// A folder, a link and a pipe in the place of an entry are not read.
static void test_only_files_are_read(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  CHECK(put(fixture.cache, "a", "one"));
  char path[4096], moved[4200];
  snprintf(path, sizeof path, "%s", luna_folder_entry(fixture.folder));
  snprintf(moved, sizeof moved, "%s/moved", fixture.folder);
  CHECK(rename(path, moved) == 0);
  CHECK(symlink(moved, path) == 0);
  CHECK(!finds(fixture.cache, "a", "one"));
  CHECK(unlink(path) == 0 && mkdir(path, 0755) == 0);
  CHECK(!finds(fixture.cache, "a", "one"));
  CHECK(rmdir(path) == 0 && mkfifo(path, 0644) == 0);
  CHECK(!finds(fixture.cache, "a", "one"));
  CHECK(unlink(path) == 0 && rename(moved, path) == 0);
  CHECK(finds(fixture.cache, "a", "one"));
  luna_cache_fixture_close(&fixture);
}

static void test_forced_collisions(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  fixture.cache->digest_bits = 0;
  CHECK(put(fixture.cache, "a", "one"));
  CHECK(!finds(fixture.cache, "b", ""));
  CHECK(finds(fixture.cache, "a", "one"));
  CHECK(put(fixture.cache, "b", "two"));
  CHECK(finds(fixture.cache, "b", "two"));
  CHECK(!finds(fixture.cache, "a", ""));
  LunaCacheCounters counters = luna_cache_counters(fixture.cache);
  CHECK_EQ(counters.collisions, 2);
  CHECK_EQ(counters.damaged, 0);
  luna_cache_fixture_close(&fixture);
}

static void test_verify(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  uint64_t checked = 0;
  CHECK(put(fixture.cache, "a", "one"));
  flip_last(luna_folder_entry(fixture.folder));
  CHECK(put(fixture.cache, "b", "two") && put(fixture.cache, "c", "three"));
  CHECK_EQ(luna_cache_verify(fixture.cache, &checked), 1);
  CHECK_EQ(checked, 3);
  CHECK_EQ(luna_cache_verify(fixture.cache, &checked), 0);
  CHECK_EQ(checked, 2);
  CHECK(finds(fixture.cache, "b", "two") && !finds(fixture.cache, "a", ""));
  luna_cache_fixture_close(&fixture);
}

static void test_reject(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheKey key = luna_test_key("a");
  LunaCacheStats stats;
  CHECK(put(fixture.cache, "a", "wrong"));
  luna_cache_reject(fixture.cache, &key);
  CHECK(!finds(fixture.cache, "a", ""));
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.quarantined, 1);
  CHECK_EQ(luna_cache_counters(fixture.cache).damaged, 1);
  luna_cache_fixture_close(&fixture);
}

//===- Size ---------------------------------------------------------------===//

static void set_age(const char *folder, LunaCache *cache, const char *record,
                    int seconds) {
  LunaCacheKey key = luna_test_key(record);
  LunaCacheDigest digest = luna_cache_digest(&key, cache->digest_bits);
  LunaCacheName name = luna_cache_entry_name(key.kind, &digest);
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name.text);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds;
  CHECK(utimensat(AT_FDCWD, path, (struct timespec[2]){now, now}, 0) == 0);
}

static void test_oldest_use_goes_first(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  static const char *const records[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; ++i) {
    CHECK(put(fixture.cache, records[i], "value"));
    set_age(fixture.folder, fixture.cache, records[i], 1000 - 100 * i);
  }
  CHECK(finds(fixture.cache, "a", "value")); // used now
  CHECK_EQ(luna_cache_trim(fixture.cache, &(LunaCacheLimits){.entries = 2}), 2);
  CHECK(finds(fixture.cache, "a", "value"));
  CHECK(finds(fixture.cache, "d", "value"));
  CHECK(!finds(fixture.cache, "b", "") && !finds(fixture.cache, "c", ""));
  CHECK_EQ(luna_cache_trim(fixture.cache, &(LunaCacheLimits){.bytes = 5000}),
           1);
  CHECK_EQ(luna_cache_trim(fixture.cache, &(LunaCacheLimits){.bytes = 5000}),
           0);
  luna_cache_fixture_close(&fixture);
}

// What was last used in the future is what nobody has used since.
static void test_clock_set_back(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  CHECK(put(fixture.cache, "future", "value"));
  set_age(fixture.folder, fixture.cache, "future", -100000);
  CHECK(put(fixture.cache, "used", "value"));
  set_age(fixture.folder, fixture.cache, "used", -100000);
  CHECK(put(fixture.cache, "now", "value"));
  CHECK(finds(fixture.cache, "used", "value"));
  CHECK_EQ(luna_cache_trim(fixture.cache, &(LunaCacheLimits){.entries = 2}), 1);
  CHECK(!finds(fixture.cache, "future", ""));
  CHECK(finds(fixture.cache, "used", "value"));
  luna_cache_fixture_close(&fixture);
}

static void test_puts_keep_limits(void) {
  enum { ENTRIES = 40, PUTS = 300 };
  LunaCacheLimits limits = {.entries = ENTRIES};
  LunaCacheFixture fixture = luna_cache_fixture_open(&limits);
  LunaCacheStats stats;
  char record[16];
  for (int i = 0; i < PUTS; ++i) {
    snprintf(record, sizeof record, "%d", i);
    CHECK(put(fixture.cache, record, "value"));
    luna_cache_stats(fixture.cache, &stats);
    CHECK(stats.entries <= ENTRIES);
  }
  CHECK(stats.entries > ENTRIES / 2);
  CHECK_EQ(luna_cache_counters(fixture.cache).removed, PUTS - stats.entries);
  luna_cache_fixture_close(&fixture);
}

static void test_too_large_is_not_stored(void) {
  LunaCacheLimits limits = {.bytes = 80};
  LunaCacheFixture fixture = luna_cache_fixture_open(&limits);
  CHECK(!put(fixture.cache, "a", "a value"));
  luna_cache_fixture_close(&fixture);
}

static void test_what_writers_left(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheStats stats;
  char path[4200];
  CHECK(put(fixture.cache, "a", "one"));
  snprintf(path, sizeof path, "%s/tmp/12-34", fixture.folder);
  luna_folder_write(path, "half", 4);
  luna_cache_trim(fixture.cache, NULL);
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.unfinished, 1); // somebody may be writing it
  CHECK(utimensat(AT_FDCWD, path, (struct timespec[2]){{1, 0}, {1, 0}}, 0) ==
        0);
  luna_cache_trim(fixture.cache, NULL);
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.unfinished, 0);
  luna_cache_fixture_close(&fixture);
}

static void test_stats_and_clear(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheKey key = luna_test_key("a");
  LunaCacheStats stats;
  char path[4200];
  CHECK(put(fixture.cache, "a", "one") && put(fixture.cache, "b", "two"));
  key.kind = "other";
  CHECK(luna_cache_put(fixture.cache, &key, "x", 1));
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.entries, 3);
  CHECK_EQ(stats.bytes, 3 * 4096);
  CHECK_EQ(stats.kind_count, 2);
  CHECK_STR(stats.kinds[0].kind, "other");
  CHECK_EQ(stats.kinds[1].entries, 2);
  // A file of somebody else stays.
  snprintf(path, sizeof path, "%s/notes.txt", fixture.folder);
  luna_folder_write(path, "mine", 4);
  CHECK_EQ(luna_cache_clear(fixture.cache), 3);
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.entries, 0);
  CHECK(access(path, R_OK) == 0);
  luna_cache_fixture_close(&fixture);
}

//===- Folders that do not serve ------------------------------------------===//

static void test_folder_is_made(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  char path[4200];
  snprintf(path, sizeof path, "%s/x/y/z", fixture.folder);
  LunaCache *cache = luna_cache_open(path, NULL);
  CHECK(!finds(cache, "a", ""));
  CHECK(access(path, F_OK) != 0);
  CHECK(put(cache, "a", "one") && finds(cache, "a", "one"));
  luna_cache_close(cache);
  luna_cache_fixture_close(&fixture);
}

static void test_folder_cannot_be_made(void) {
  LunaCache *cache = luna_cache_open("/dev/null/x", NULL);
  CHECK(!finds(cache, "a", "") && !put(cache, "a", "one"));
  CHECK_EQ(luna_cache_counters(cache).not_stored, 1);
  luna_cache_close(cache);
}

static void test_read_only_folder(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  char path[4200];
  CHECK(put(fixture.cache, "a", "one"));
  // Also for root, who may write where others may not: a file for the folder.
  snprintf(path, sizeof path, "%s/tmp", fixture.folder);
  CHECK(rmdir(path) == 0);
  luna_folder_write(path, "", 0);
  CHECK(chmod(fixture.folder, 0555) == 0);
  CHECK(finds(fixture.cache, "a", "one"));
  CHECK(!put(fixture.cache, "b", "two"));
  CHECK(finds(fixture.cache, "a", "one"));
  CHECK(chmod(fixture.folder, 0755) == 0);
  luna_cache_fixture_close(&fixture);
}

// The limit on the size of files stands for a full disk: a write stops half
// way.
static void test_full_disk(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCacheKey key = luna_test_key("large");
  LunaCacheStats stats;
  struct rlimit old, small;
  enum { BYTES = 20000 };
  uint8_t *value = calloc(1, BYTES);
  CHECK(put(fixture.cache, "a", "one"));
  signal(SIGXFSZ, SIG_IGN);
  CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small = old;
  small.rlim_cur = 4096;
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  key.is_raw = true;
  CHECK(!luna_cache_put(fixture.cache, &key, value, BYTES));
  CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  luna_cache_stats(fixture.cache, &stats);
  CHECK_EQ(stats.entries, 1);
  CHECK_EQ(stats.unfinished, 0);
  CHECK(finds(fixture.cache, "a", "one"));
  free(value);
  luna_cache_fixture_close(&fixture);
}

//===- Trust --------------------------------------------------------------===//

// Returns whether the entry is trusted once `path` has this mode.
static bool is_trusted_with(const char *folder, const char *path, mode_t mode) {
  CHECK(chmod(path, mode) == 0);
  LunaCache *cache = luna_cache_open(folder, NULL);
  bool found = is_trusted(cache, "a");
  luna_cache_close(cache);
  return found;
}

static void test_what_others_can_write_is_not_trusted(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  const char *folder = fixture.folder;
  char entry[4096], above[4096];
  CHECK(put(fixture.cache, "a", "one"));
  snprintf(entry, sizeof entry, "%s", luna_folder_entry(folder));
  snprintf(above, sizeof above, "%s", entry);
  *strrchr(above, '/') = '\0';
  CHECK(is_trusted_with(folder, folder, 0700));
  CHECK(!is_trusted_with(folder, folder, 0770));
  CHECK(!is_trusted_with(folder, folder, 01777));
  CHECK(is_trusted_with(folder, folder, 0755));
  CHECK(!is_trusted_with(folder, above, 0777));
  CHECK(is_trusted_with(folder, above, 0755));
  CHECK(!is_trusted_with(folder, entry, 0664));
  CHECK(is_trusted_with(folder, entry, 0644));
  luna_cache_fixture_close(&fixture);
}

static void test_folder_above_can_be_written(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  char path[4200];
  snprintf(path, sizeof path, "%s/below", fixture.folder);
  LunaCache *cache = luna_cache_open(path, NULL);
  CHECK(put(cache, "a", "one"));
  luna_cache_close(cache);
  CHECK(!is_trusted_with(path, fixture.folder, 0777));
  CHECK(is_trusted_with(path, fixture.folder, 01777)); // as /tmp
  luna_cache_fixture_close(&fixture);
}

//===- The folder of a user -----------------------------------------------===//

static void check_folder(const char *given, const char *expected) {
  char *folder = luna_cache_choose_folder(given);
  CHECK_STR(folder ? folder : "none", expected);
  free(folder);
}

static void test_choice_of_folder(void) {
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("LUNA_CACHE");
  check_folder(NULL, "/home/me/.cache/luna");
  setenv("XDG_CACHE_HOME", "relative", 1);
  check_folder(NULL, "/home/me/.cache/luna");
  setenv("XDG_CACHE_HOME", "/x", 1);
  check_folder(NULL, "/x/luna");
  setenv("LUNA_CACHE", "/l", 1);
  check_folder(NULL, "/l");
  check_folder("/given", "/given");
  check_folder("off", "none");
  setenv("LUNA_CACHE", "off", 1);
  check_folder(NULL, "none");
  setenv("LUNA_CACHE", "", 1);
  check_folder(NULL, "none");
  unsetenv("LUNA_CACHE");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  check_folder(NULL, "none");
}

int main(void) {
  RUN_TEST(test_get_after_put);
  RUN_TEST(test_no_cache);
  RUN_TEST(test_kind_belongs_to_the_key);
  RUN_TEST(test_damaged_entries_are_misses);
  RUN_TEST(test_only_files_are_read);
  RUN_TEST(test_forced_collisions);
  RUN_TEST(test_verify);
  RUN_TEST(test_reject);
  RUN_TEST(test_oldest_use_goes_first);
  RUN_TEST(test_clock_set_back);
  RUN_TEST(test_puts_keep_limits);
  RUN_TEST(test_too_large_is_not_stored);
  RUN_TEST(test_what_writers_left);
  RUN_TEST(test_stats_and_clear);
  RUN_TEST(test_folder_is_made);
  RUN_TEST(test_folder_cannot_be_made);
  RUN_TEST(test_read_only_folder);
  RUN_TEST(test_full_disk);
  RUN_TEST(test_what_others_can_write_is_not_trusted);
  RUN_TEST(test_folder_above_can_be_written);
  RUN_TEST(test_choice_of_folder);
  return 0;
}
