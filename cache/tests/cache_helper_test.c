// A cache beside helpers that do not start, do not answer, or lie: misses, in
// time. The helper is this program, which says what $FAKE_HELPER names.

#define _GNU_SOURCE

#include "cache_helper.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "helper_socket.h"

//===- The helper ---------------------------------------------------------===//

static LunaCacheKey own_key(void) { return luna_test_key("a record"); }

static uint8_t *make_entry(const char *record, const char *value,
                           size_t *size) {
  LunaCacheKey key = luna_test_key(record);
  LunaCacheDigest digest = luna_cache_digest(&key, 128);
  return luna_cache_entry_pack(&key, &digest, value, strlen(value), size);
}

static void send_entry(int client, const char *record, uint8_t flags) {
  size_t size = 0;
  uint8_t *entry = make_entry(record, "value", &size);
  LunaHelperMessage answer = {
      .word = LUNA_HELPER_YES, .flags = flags, .bytes = entry, .length = size};
  luna_helper_send(client, &answer, luna_helper_now() + 1000);
  free(entry);
}

static void send_bytes(int client, const char *bytes, size_t size) {
  CHECK(send(client, bytes, size, MSG_NOSIGNAL) == (ssize_t)size);
}

static void answer(int client) {
  const char *what = getenv("FAKE_HELPER");
  LunaHelperMessage question;
  uint8_t *body = NULL;
  if (!luna_helper_receive(client, &question, &body, luna_helper_now() + 5000))
    return;
  if (strcmp(what, "right") == 0)
    send_entry(client, "a record", 0);
  if (strcmp(what, "signed") == 0)
    send_entry(client, "a record", LUNA_HELPER_SIGNED);
  if (strcmp(what, "other") == 0)
    send_entry(client, "another record", LUNA_HELPER_SIGNED);
  if (strcmp(what, "garbage") == 0)
    send_bytes(client, "GET / HTTP/1.1\r\n\r\n", 18);
  if (strcmp(what, "version") == 0)
    send_bytes(client, "LCH\n\2\0\7\0\1\0\0\0\0\0\0\0\0", 17);
  if (strcmp(what, "endless") == 0)
    send_bytes(client, "LCH\n\1\0\6\0\0\0\0\0\0\0\0\1\0", 17);
  if (strcmp(what, "no entry") == 0)
    send_bytes(client, "LCH\n\1\0\7\0\4\0\0\0\0\0\0\0\0abc", 20);
  free(body);
}

static int serve(const char *path, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int folder = open(path, O_RDONLY | O_DIRECTORY);
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           folder, name);
  int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  if (folder < 0 || listening < 0 ||
      strcmp(getenv("FAKE_HELPER"), "does not start") == 0 ||
      bind(listening, (const struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listening, 8) != 0)
    return 4;
  if (fork() != 0)
    return 0;
  close(0), close(1), close(2);
  alarm(20); // whatever happens
  struct timeval tick = {.tv_usec = 200000};
  setsockopt(listening, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick);
  while (faccessat(folder, name, F_OK, 0) == 0) {
    int client = accept(listening, NULL, NULL);
    if (client < 0)
      continue;
    answer(client);
    close(client);
  }
  return 0;
}

//===- The cache ----------------------------------------------------------===//

typedef struct Fixture {
  char *folder, *sockets;
  LunaCache *cache;
} Fixture;

static LunaCache *open_cache(const Fixture *fixture) {
  LunaCacheRemote remote = {.url = "redis://127.0.0.1:1",
                            .mode = "read-write",
                            .helper = "/proc/self/exe"};
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  CHECK(length > 0);
  program[length] = '\0';
  remote.helper = program;
  return luna_cache_open_shared(fixture->folder, NULL, &remote);
}

static Fixture set_up(const char *what) {
  Fixture fixture = {.folder = luna_folder_make(),
                     .sockets = luna_folder_make()};
  setenv("FAKE_HELPER", what, 1);
  setenv("XDG_RUNTIME_DIR", fixture.sockets, 1);
  fixture.cache = open_cache(&fixture);
  return fixture;
}

static void tear_down(Fixture *fixture) {
  luna_cache_close(fixture->cache);
  luna_folder_remove(fixture->folder);
  luna_folder_remove(fixture->sockets);
}

static bool finds(LunaCache *cache, bool needs_trust) {
  LunaCacheValue value;
  LunaCacheKey key = own_key();
  key.needs_trust = needs_trust;
  bool is_found = luna_cache_get(cache, &key, &value);
  CHECK(!is_found || strcmp((const char *)value.bytes, "value") == 0);
  luna_cache_value_deinit(&value);
  return is_found;
}

static void test_fetched_values_are_kept(void) {
  Fixture fixture = set_up("right");
  LunaCacheValue value;
  LunaCacheKey key = own_key();
  CHECK(finds(fixture.cache, false));
  CHECK_EQ(luna_cache_counters(fixture.cache).fetched, 1);
  luna_cache_close(fixture.cache);
  // From the folder alone, still not trusted.
  fixture.cache = luna_cache_open(fixture.folder, NULL);
  CHECK(luna_cache_get(fixture.cache, &key, &value));
  CHECK(!value.is_trusted);
  luna_cache_value_deinit(&value);
  CHECK(!finds(fixture.cache, true));
  tear_down(&fixture);
}

static void test_signed_values_are_trusted(void) {
  Fixture fixture = set_up("signed");
  LunaCacheValue value;
  LunaCacheKey key = own_key();
  CHECK(luna_cache_get(fixture.cache, &key, &value));
  CHECK(value.is_trusted);
  luna_cache_value_deinit(&value);
  luna_cache_close(fixture.cache);
  fixture.cache = luna_cache_open(fixture.folder, NULL);
  CHECK(finds(fixture.cache, true));
  tear_down(&fixture);
}

// What was found goes on as without a server: it is stored and found.
static void check_miss(const char *what) {
  Fixture fixture = set_up(what);
  LunaCacheKey key = own_key();
  int64_t begin = luna_helper_now();
  CHECK(!finds(fixture.cache, false));
  CHECK(luna_cache_put(fixture.cache, &key, "value", 5));
  CHECK(finds(fixture.cache, true));
  CHECK(luna_helper_now() - begin < 5000);
  tear_down(&fixture);
}

static void test_lies_are_misses(void) {
  check_miss("other");
  check_miss("garbage");
  check_miss("version");
  check_miss("endless");
  check_miss("no entry");
  check_miss("says nothing");
}

// One that does not start is left alone, by other processes, too.
static void test_helper_does_not_start(void) {
  Fixture fixture = set_up("does not start");
  CHECK(!finds(fixture.cache, false));
  luna_cache_close(fixture.cache);
  setenv("FAKE_HELPER", "right", 1);
  fixture.cache = open_cache(&fixture);
  CHECK(!finds(fixture.cache, false));
  tear_down(&fixture);
}

// A folder that others can enter is no place for a socket.
static void test_open_folder_is_not_used(void) {
  Fixture fixture = set_up("right");
  char path[4096];
  snprintf(path, sizeof path, "%s/luna-cache", fixture.sockets);
  CHECK(mkdir(path, 0700) == 0 && chmod(path, 0755) == 0);
  CHECK(!finds(fixture.cache, false));
  tear_down(&fixture);
}

int main(int argc, char **argv) {
  if (argc == 8 && strcmp(argv[1], "--serve") == 0)
    return serve(argv[2], argv[3]);
  RUN_TEST(test_fetched_values_are_kept);
  RUN_TEST(test_signed_values_are_trusted);
  RUN_TEST(test_lies_are_misses);
  RUN_TEST(test_helper_does_not_start);
  RUN_TEST(test_open_folder_is_not_used);
  return 0;
}
