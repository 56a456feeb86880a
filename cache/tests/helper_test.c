// What the helper does with entries: signatures, memory, waits.

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include "cache_helper.h"
#include "check.h"
#include "folder.h"
#include "recent.h"
#include "signing.h"
#include "waits.h"

//===- Signatures ---------------------------------------------------------===//

typedef struct Fixture {
  char *folder;
  LunaSigner signer;
  uint8_t *file;
  size_t size;
} Fixture;

static LunaSigner make_signer(const char *folder, const char *name) {
  char path[4096], message[4200] = "";
  LunaSigner signer;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK(luna_signer_make_keys(path, message, sizeof message));
  CHECK(luna_signer_open(&signer, path, ""));
  return signer;
}

// An entry that is signed.
static Fixture set_up(void) {
  Fixture fixture = {.folder = luna_folder_make()};
  uint8_t signature[LUNA_CACHE_SIGNATURE_BYTES];
  LunaCacheKey key = luna_test_key("a record");
  LunaCacheDigest digest = luna_cache_digest(&key, 128);
  fixture.signer = make_signer(fixture.folder, "key");
  fixture.file =
      luna_cache_entry_pack(&key, &digest, "value", 5, &fixture.size);
  CHECK(
      luna_signer_sign(&fixture.signer, fixture.file, fixture.size, signature));
  fixture.file =
      luna_cache_entry_add_signature(fixture.file, &fixture.size, signature);
  CHECK(fixture.file);
  return fixture;
}

static void tear_down(Fixture *fixture) {
  free(fixture->file);
  luna_folder_remove(fixture->folder);
}

static bool is_signed(const LunaSigner *signer, const Fixture *fixture) {
  LunaCacheEntry entry;
  return luna_cache_entry_read(fixture->file, fixture->size, &entry) &&
         luna_signer_check(signer, &entry, fixture->file, fixture->size);
}

static void test_signature_holds(void) {
  Fixture fixture = set_up();
  CHECK(is_signed(&fixture.signer, &fixture));
  // Where an entry lies is no part of what is signed.
  luna_cache_entry_mark(fixture.file, fixture.size, true);
  CHECK(is_signed(&fixture.signer, &fixture));
  tear_down(&fixture);
}

static void test_other_keys_are_not_trusted(void) {
  Fixture fixture = set_up();
  LunaSigner other = make_signer(fixture.folder, "other");
  CHECK(!is_signed(&other, &fixture));
  other = (LunaSigner){0};
  CHECK(!is_signed(&other, &fixture));
  tear_down(&fixture);
}

static void test_public_key_is_enough(void) {
  char path[4096];
  LunaSigner reader;
  Fixture fixture = set_up();
  uint8_t signature[LUNA_CACHE_SIGNATURE_BYTES];
  snprintf(path, sizeof path, "%s/key.pub", fixture.folder);
  CHECK(luna_signer_open(&reader, "", path));
  CHECK(is_signed(&reader, &fixture));
  CHECK(!luna_signer_sign(&reader, fixture.file, fixture.size, signature));
  tear_down(&fixture);
}

// An adversary makes the checksum right, too.
static void test_every_bit_is_signed(void) {
  Fixture fixture = set_up();
  size_t end = fixture.size - LUNA_CACHE_DIGEST_BYTES;
  for (size_t bit = 0; bit < 8 * end; ++bit) {
    if (bit / 8 >= 12 && bit / 8 < 16)
      continue; // flags: below
    fixture.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    luna_cache_entry_mark(fixture.file, fixture.size, false);
    CHECK(!is_signed(&fixture.signer, &fixture));
    fixture.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  luna_cache_entry_mark(fixture.file, fixture.size, false);
  CHECK(is_signed(&fixture.signer, &fixture));
  tear_down(&fixture);
}

// Neither is an entry signed that says that it is, and has no room for it.
static void test_flags(void) {
  Fixture fixture = set_up();
  LunaCacheEntry entry;
  for (uint8_t flags = 0; flags < 8; ++flags) {
    fixture.file[12] = flags;
    luna_cache_entry_mark(fixture.file, fixture.size, (flags & 4) != 0);
    CHECK_EQ(luna_cache_entry_read(fixture.file, fixture.size, &entry),
             (flags & 3) == 2);
  }
  tear_down(&fixture);
}

static void test_keys_are_not_overwritten(void) {
  char path[4096], message[4200] = "";
  Fixture fixture = set_up();
  snprintf(path, sizeof path, "%s/key", fixture.folder);
  CHECK(!luna_signer_make_keys(path, message, sizeof message));
  CHECK(strstr(message, "File exists"));
  tear_down(&fixture);
}

//===- Memory -------------------------------------------------------------===//

static void remember(LunaRecent *recent, int number, size_t count) {
  char name[32];
  LunaStoreBytes bytes = {calloc(1, count + 1), count};
  snprintf(name, sizeof name, "%d", number);
  luna_recent_put(recent, name, &bytes);
  free(bytes.items);
}

static bool remembers(LunaRecent *recent, int number) {
  char name[32];
  snprintf(name, sizeof name, "%d", number);
  LunaStoreBytes bytes = luna_recent_get(recent, name);
  bool is_found = bytes.items != NULL;
  free(bytes.items);
  return is_found;
}

static void test_oldest_are_forgotten(void) {
  LunaRecent *recent = luna_recent_create();
  for (int i = 0; i <= LUNA_RECENT_ENTRIES; ++i) {
    remember(recent, i, 10);
    CHECK(remembers(recent, 0)); // which is a use
  }
  CHECK(!remembers(recent, 1));
  CHECK(remembers(recent, 2) && remembers(recent, LUNA_RECENT_ENTRIES));
  for (int i = 0; i < 5; ++i)
    remember(recent, 1000 + i, LUNA_RECENT_BYTES / 4);
  CHECK(!remembers(recent, 2) && !remembers(recent, 1000));
  CHECK(remembers(recent, 1001) && remembers(recent, 1004));
  remember(recent, 2000, LUNA_RECENT_BYTES / 4 + 1);
  CHECK(!remembers(recent, 2000));
  luna_recent_destroy(recent);
}

//===- Waits --------------------------------------------------------------===//

static void test_each_process_waits_for_itself(void) {
  LunaWaits *waits = luna_waits_create();
  CHECK_EQ(luna_waits_left(waits, getpid()), LUNA_HELPER_SERVER_MS);
  luna_waits_add(waits, getpid(), 4000);
  CHECK_EQ(luna_waits_left(waits, getpid()), LUNA_HELPER_SERVER_MS - 4000);
  CHECK_EQ(luna_waits_left(waits, getppid()), LUNA_HELPER_SERVER_MS);
  luna_waits_add(waits, getpid(), LUNA_HELPER_SERVER_MS);
  CHECK_EQ(luna_waits_left(waits, getpid()), 0);
  free(waits);
}

int main(void) {
  RUN_TEST(test_signature_holds);
  RUN_TEST(test_other_keys_are_not_trusted);
  RUN_TEST(test_public_key_is_enough);
  RUN_TEST(test_every_bit_is_signed);
  RUN_TEST(test_flags);
  RUN_TEST(test_keys_are_not_overwritten);
  RUN_TEST(test_oldest_are_forgotten);
  RUN_TEST(test_each_process_waits_for_itself);
  return 0;
}
