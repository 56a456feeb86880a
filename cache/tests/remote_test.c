// Addresses, files of keys, messages between cache and helper.

#define _POSIX_C_SOURCE 200809L

#include "luna/cache_remote.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "helper_message.h"
#include "key_file.h"
#include "remote_url.h"

//===- Addresses ----------------------------------------------------------===//

static void check_url(const char *text, const char *host, int port,
                      int database) {
  LunaRemoteUrl url;
  const char *problem = luna_remote_url_read(text, &url);
  CHECK_STR(problem ? problem : "", "");
  CHECK_STR(url.host, host);
  CHECK_EQ(url.port, port);
  CHECK_EQ(url.database, database);
}

static void test_addresses(void) {
  check_url("redis://cache", "cache", 6379, 0);
  check_url("redis://cache/", "cache", 6379, 0);
  check_url("redis://127.0.0.1:7000/3", "127.0.0.1", 7000, 3);
  check_url("redis://[::1]:7000", "::1", 7000, 0);
  check_url("http://cache", "cache", 80, 0);
  check_url("http://cache:8080/luna/a@b", "cache", 8080, 0);
}

static void check_problem(const char *text, const char *expected) {
  char message[200] = "", whole[200];
  LunaCacheRemote remote = {.url = text};
  snprintf(whole, sizeof whole, "the address of the cache '%s' %s", text,
           expected);
  CHECK(!luna_cache_remote_check(&remote, message, sizeof message));
  CHECK_STR(message, whole);
}

static void test_wrong_addresses(void) {
  static const char port[] = "has a port that is not a number from 1 to 65535";
  static const char database[] =
      "has a database that is not a number up to 999";
  check_problem("cache:6379", "is neither redis://HOST[:PORT][/DATABASE] nor "
                              "http://HOST[:PORT][/PATH]");
  check_problem("https://cache", "is neither redis://HOST[:PORT][/DATABASE] "
                                 "nor http://HOST[:PORT][/PATH]");
  check_problem("redis://", "has no host");
  check_problem("http:///path", "has no host");
  check_problem("redis://[::1", "has no host");
  check_problem("redis://cache:", port);
  check_problem("redis://cache:0", port);
  check_problem("redis://cache:65536", port);
  check_problem("redis://cache:99999999999999999999", port);
  check_problem("redis://cache:1x", port);
  check_problem("http://[::1]x", port);
  check_problem("redis://cache/a", database);
  check_problem("redis://cache/1000", database);
  check_problem("redis://cache/1/2", database);
  check_problem("http://cache/a b",
                "has a space or a character other than ASCII");
  check_problem("redis://me:secret@cache",
                "has a user name, which is not supported");
}

static void test_mode(void) {
  char message[200] = "";
  LunaCacheRemote remote = {.mode = "write"};
  CHECK(!luna_cache_remote_check(&remote, message, sizeof message));
  CHECK_STR(message, "the mode of the cache is 'write', allowed are read-only "
                     "and read-write");
  remote.mode = "read-write";
  CHECK(luna_cache_remote_check(&remote, message, sizeof message));
}

//===- Keys ---------------------------------------------------------------===//

#define DIGITS                                                                 \
  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

typedef struct KeyFile {
  char *folder;
  char path[4096];
} KeyFile;

static KeyFile write_key_file(const char *text) {
  KeyFile file = {.folder = luna_folder_make()};
  snprintf(file.path, sizeof file.path, "%s/key", file.folder);
  luna_folder_write(file.path, text, strlen(text));
  CHECK(chmod(file.path, 0600) == 0);
  return file;
}

// Returns true if the message ends so; in a static buffer.
static bool fails_with(const char *text, bool is_secret, const char *expected) {
  static char message[5000];
  LunaKeys keys;
  KeyFile file = write_key_file(text);
  bool is_read =
      luna_key_file_read(file.path, is_secret, &keys, message, sizeof message);
  luna_folder_remove(file.folder);
  if (is_read)
    return false;
  size_t length = strlen(message), end = strlen(expected);
  CHECK_STR(length >= end ? message + length - end : message, expected);
  return true;
}

static void test_key_files(void) {
  LunaKeys keys;
  char message[100];
  KeyFile file = write_key_file("# ours\n\nluna-cache-public-key " DIGITS
                                "\nluna-cache-public-key " DIGITS "\r\n");
  CHECK(luna_key_file_read(file.path, false, &keys, message, sizeof message));
  CHECK_EQ(keys.count, 2);
  CHECK_EQ(keys.keys[1][0], 0x01);
  CHECK_EQ(keys.keys[1][31], 0xef);
  luna_folder_remove(file.folder);
}

static void test_wrong_key_files(void) {
  static const char lines[] = ":1: expected lines of 'luna-cache-public-key' "
                              "and 64 hex digits";
  CHECK(fails_with("luna-cache-public-key 0123\n", false, lines));
  CHECK(fails_with("luna-cache-public-key " DIGITS "0\n", false, lines));
  CHECK(fails_with("luna-cache-secret-key " DIGITS "\n", false, lines));
  CHECK(fails_with("-----BEGIN PUBLIC KEY-----\n", false, lines));
  CHECK(fails_with("", false,
                   "has no line 'luna-cache-public-key' and 64 hex digits"));
  CHECK(fails_with("luna-cache-secret-key " DIGITS
                   "\nluna-cache-secret-key " DIGITS "\n",
                   true,
                   ":2: expected one line, 'luna-cache-secret-key' and 64 hex "
                   "digits"));
  LunaKeys keys;
  char message[5000];
  CHECK(!luna_key_file_read("/nonexistent/key", true, &keys, message,
                            sizeof message));
  CHECK_STR(message, "cannot read key file '/nonexistent/key': No such file or "
                     "directory");
}

static void test_open_secret_key_is_refused(void) {
  LunaKeys keys;
  char message[5000];
  KeyFile file = write_key_file("luna-cache-secret-key " DIGITS "\n");
  CHECK(luna_key_file_read(file.path, true, &keys, message, sizeof message));
  CHECK(chmod(file.path, 0640) == 0);
  CHECK(!luna_key_file_read(file.path, true, &keys, message, sizeof message));
  CHECK(strstr(message, "others have access to the secret key"));
  luna_folder_remove(file.folder);
}

//===- Messages -----------------------------------------------------------===//

#define NAME "plan-0123456789abcdef0123456789abcdef"

static void test_names(void) {
  CHECK(luna_cache_name_is_valid(NAME));
  CHECK(!luna_cache_name_is_valid(""));
  CHECK(!luna_cache_name_is_valid("plan"));
  CHECK(!luna_cache_name_is_valid("-0123456789abcdef0123456789abcdef"));
  CHECK(!luna_cache_name_is_valid(NAME "0"));
  CHECK(!luna_cache_name_is_valid("../n-0123456789abcdef0123456789abcdef"));
  CHECK(!luna_cache_name_is_valid("plan-0123456789ABCDEF0123456789abcdef"));
}

typedef struct Written {
  uint8_t bytes[LUNA_HELPER_HEAD_BYTES + 1 + LUNA_HELPER_NAME_MAX + 8];
  size_t size;
} Written;

static Written write_sample(void) {
  LunaHelperMessage message = {.word = LUNA_HELPER_PUT,
                               .flags = LUNA_HELPER_CLAIM,
                               .name = NAME,
                               .length = 5};
  Written written;
  written.size = luna_helper_message_write(&message, written.bytes);
  memcpy(written.bytes + written.size, "bytes", 5);
  written.size += 5;
  return written;
}

static bool read_sample(const Written *written, LunaHelperMessage *message) {
  size_t body = 0;
  return luna_helper_head_read(written->bytes, message, &body) &&
         body == written->size - LUNA_HELPER_HEAD_BYTES &&
         luna_helper_body_read(written->bytes + LUNA_HELPER_HEAD_BYTES, body,
                               message);
}

static void test_message_comes_back(void) {
  LunaHelperMessage message;
  Written written = write_sample();
  CHECK(read_sample(&written, &message));
  CHECK_EQ(message.word, LUNA_HELPER_PUT);
  CHECK_EQ(message.flags, LUNA_HELPER_CLAIM);
  CHECK_STR(message.name, NAME);
  CHECK_EQ(message.length, 5);
  CHECK(memcmp(message.bytes, "bytes", 5) == 0);
}

// One byte of the head is set to a value; then it is no message.
static void check_refused(size_t at, uint8_t value) {
  LunaHelperMessage message;
  Written written = write_sample();
  written.bytes[at] = value;
  CHECK(!read_sample(&written, &message));
}

static void test_other_messages_are_refused(void) {
  check_refused(0, 'l');                        // not ours
  check_refused(4, LUNA_HELPER_VERSION + 1);    // another version
  check_refused(5, 1);                          // likewise
  check_refused(6, 0);                          // no word
  check_refused(6, LUNA_HELPER_WORDS);          // likewise
  check_refused(7, LUNA_HELPER_FLAGS + 1);      // no flag
  check_refused(8, 0);                          // no body
  check_refused(14, 1);                         // too long
  check_refused(LUNA_HELPER_HEAD_BYTES, 60);    // name behind the end
  check_refused(LUNA_HELPER_HEAD_BYTES, 3);     // no name of an entry
  check_refused(LUNA_HELPER_HEAD_BYTES + 1, 0); // ends in between
}

int main(void) {
  RUN_TEST(test_addresses);
  RUN_TEST(test_wrong_addresses);
  RUN_TEST(test_mode);
  RUN_TEST(test_key_files);
  RUN_TEST(test_wrong_key_files);
  RUN_TEST(test_open_secret_key_is_refused);
  RUN_TEST(test_names);
  RUN_TEST(test_message_comes_back);
  RUN_TEST(test_other_messages_are_refused);
  return 0;
}
