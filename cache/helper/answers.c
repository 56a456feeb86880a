#define _POSIX_C_SOURCE 200809L

#include "answers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "helper_socket.h"

enum { FLUSH_MS = 50000, POLL_MS = 5 };

//===- Getting ------------------------------------------------------------===//

// An entry that is whole; whether a trusted key has signed it.
static bool is_entry(const LunaAnswerer *answerer, const LunaStoreBytes *bytes,
                     bool *is_signed) {
  LunaCacheEntry entry;
  if (!luna_cache_entry_read(bytes->items, bytes->count, &entry))
    return false;
  *is_signed =
      luna_signer_check(&answerer->signer, &entry, bytes->items, bytes->count);
  return true;
}

static LunaStoreResult fetch(LunaAnswerer *answerer, const char *name,
                             int64_t deadline, LunaStoreBytes *bytes) {
  *bytes = luna_recent_get(answerer->recent, name);
  if (bytes->items)
    return LUNA_STORE_OK;
  return luna_store_get(answerer->store, name, deadline, bytes);
}

// Waits for whoever has claimed the value, as long as the claim holds.
static LunaStoreResult await_claimed(LunaAnswerer *answerer, const char *name,
                                     int64_t deadline, LunaStoreBytes *bytes) {
  int64_t end = luna_helper_now() + LUNA_STORE_CLAIM_MS;
  LunaStoreResult result = LUNA_STORE_ABSENT;
  end = end < deadline ? end : deadline;
  while (result == LUNA_STORE_ABSENT && luna_helper_now() < end) {
    nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
    result = luna_store_get(answerer->store, name, deadline, bytes);
  }
  return result;
}

static bool get(LunaAnswerer *answerer, const LunaHelperMessage *question,
                int64_t deadline, LunaHelperMessage *answer,
                LunaStoreBytes *bytes) {
  const char *name = question->name;
  bool is_signed = false;
  LunaStoreResult result = fetch(answerer, name, deadline, bytes);
  if (result == LUNA_STORE_ABSENT && (question->flags & LUNA_HELPER_CLAIM) &&
      luna_store_claim(answerer->store, name, deadline) == LUNA_STORE_ABSENT)
    result = await_claimed(answerer, name, deadline, bytes);
  if (result != LUNA_STORE_OK || !is_entry(answerer, bytes, &is_signed))
    return false;
  answer->flags = is_signed ? LUNA_HELPER_SIGNED : 0;
  luna_recent_put(answerer->recent, name, bytes);
  return is_signed || !(question->flags & LUNA_HELPER_SIGNED);
}

static bool get_in_time(LunaAnswerer *answerer,
                        const LunaHelperMessage *question, pid_t process,
                        LunaHelperMessage *answer, LunaStoreBytes *bytes) {
  int64_t begin = luna_helper_now();
  int64_t left = luna_waits_left(answerer->waits, process);
  if (!answerer->store || left == 0)
    return false;
  bool is_found = get(answerer, question, begin + left, answer, bytes);
  luna_waits_add(answerer->waits, process, luna_helper_now() - begin);
  return is_found;
}

//===- Putting ------------------------------------------------------------===//

// A copy of the entry, signed if there is a key.
static LunaStoreBytes copy_signed(const LunaAnswerer *answerer,
                                  const LunaHelperMessage *question) {
  LunaStoreBytes copy = {malloc(question->length + 1), question->length};
  uint8_t signature[LUNA_CACHE_SIGNATURE_BYTES];
  LunaCacheEntry entry;
  if (!copy.items)
    return (LunaStoreBytes){0};
  memcpy(copy.items, question->bytes, question->length);
  if (!luna_cache_entry_read(copy.items, copy.count, &entry)) {
    free(copy.items);
    return (LunaStoreBytes){0};
  }
  if (entry.signature ||
      !luna_signer_sign(&answerer->signer, copy.items, copy.count, signature))
    return copy;
  uint8_t *larger =
      luna_cache_entry_add_signature(copy.items, &copy.count, signature);
  copy.items = larger ? larger : copy.items;
  return copy;
}

static bool put(LunaAnswerer *answerer, const LunaHelperMessage *question) {
  LunaStoreBytes entry = {0};
  if (answerer->uploads)
    entry = copy_signed(answerer, question);
  if (!entry.items)
    return false;
  luna_recent_put(answerer->recent, question->name, &entry);
  luna_uploads_add(answerer->uploads, question->name, entry);
  return true;
}

//===- Signatures ---------------------------------------------------------===//

static bool sign(const LunaAnswerer *answerer,
                 const LunaHelperMessage *question, LunaStoreBytes *bytes) {
  LunaCacheEntry entry;
  bytes->items = malloc(LUNA_CACHE_SIGNATURE_BYTES);
  bytes->count = bytes->items ? LUNA_CACHE_SIGNATURE_BYTES : 0;
  return bytes->items &&
         luna_cache_entry_read(question->bytes, question->length, &entry) &&
         !entry.signature &&
         luna_signer_sign(&answerer->signer, question->bytes, question->length,
                          bytes->items);
}

static bool check(const LunaAnswerer *answerer,
                  const LunaHelperMessage *question) {
  bool is_signed = false;
  LunaStoreBytes bytes = {(uint8_t *)question->bytes, question->length};
  return is_entry(answerer, &bytes, &is_signed) && is_signed;
}

// Whether there is an entry of this name does not matter.
static bool ping(LunaAnswerer *answerer) {
  LunaStoreBytes bytes = {0};
  LunaStoreResult result =
      answerer->store
          ? luna_store_get(answerer->store, "ping",
                           luna_helper_now() + LUNA_STORE_OPERATION_MS, &bytes)
          : LUNA_STORE_FAILED;
  free(bytes.items);
  return result != LUNA_STORE_FAILED;
}

void luna_answer(LunaAnswerer *answerer, const LunaHelperMessage *question,
                 pid_t process, LunaHelperMessage *answer,
                 LunaStoreBytes *bytes) {
  bool is_yes = false;
  *answer = (LunaHelperMessage){0};
  *bytes = (LunaStoreBytes){0};
  switch (question->word) {
  case LUNA_HELPER_GET:
    is_yes = get_in_time(answerer, question, process, answer, bytes);
    break;
  case LUNA_HELPER_PUT:
    is_yes = put(answerer, question);
    break;
  case LUNA_HELPER_SIGN:
    is_yes = sign(answerer, question, bytes);
    break;
  case LUNA_HELPER_CHECK:
    is_yes = check(answerer, question);
    break;
  case LUNA_HELPER_PING:
    is_yes = ping(answerer);
    break;
  case LUNA_HELPER_FLUSH:
    is_yes =
        !answerer->uploads ||
        luna_uploads_flush(answerer->uploads, luna_helper_now() + FLUSH_MS);
    break;
  case LUNA_HELPER_YES:
  case LUNA_HELPER_NO:
  case LUNA_HELPER_WORDS:
    break;
  }
  answer->word = is_yes ? LUNA_HELPER_YES : LUNA_HELPER_NO;
  answer->bytes = is_yes ? bytes->items : NULL;
  answer->length = is_yes ? bytes->count : 0;
}
