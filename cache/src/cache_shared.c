#define _POSIX_C_SOURCE 200809L

#include "cache_shared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "cache_helper.h"

LunaCache *luna_cache_open_shared(const char *folder,
                                  const LunaCacheLimits *limits,
                                  const LunaCacheRemote *remote) {
  LunaCache *cache = luna_cache_open(folder, limits);
  char message[1];
  bool is_used = cache && (remote->url || remote->key || remote->trust) &&
                 luna_cache_remote_check(remote, message, sizeof message);
  if (is_used)
    cache->helper = luna_cache_helper_create(remote);
  if (cache && remote->log)
    cache->log =
        open(remote->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (!cache || !cache->helper)
    return cache;
  cache->is_remote = remote->url != NULL;
  cache->is_sent = cache->is_remote && remote->mode &&
                   strcmp(remote->mode, "read-write") == 0;
  cache->has_key = remote->key != NULL;
  cache->has_trust = remote->key || remote->trust;
  return cache;
}

// Asks the helper. Returns the answer's bytes, to be freed, if it is yes.
static uint8_t *ask(LunaCache *cache, const LunaHelperMessage *question,
                    LunaHelperMessage *answer) {
  uint8_t *body = NULL;
  if (luna_cache_helper_ask(cache->helper, question, answer, &body) &&
      answer->word == LUNA_HELPER_YES) {
    memmove(body, answer->bytes, answer->length);
    return body;
  }
  free(body);
  return NULL;
}

bool luna_cache_flush(LunaCache *cache) {
  return cache && cache->helper && luna_cache_helper_flush(cache->helper);
}

bool luna_cache_ping(LunaCache *cache) {
  LunaHelperMessage question = {.word = LUNA_HELPER_PING}, answer;
  uint8_t *body =
      cache && cache->is_remote ? ask(cache, &question, &answer) : NULL;
  bool is_there = body != NULL;
  free(body);
  return is_there;
}

static void set_name(LunaHelperMessage *message, const char *name) {
  memcpy(message->name, name, strlen(name) + 1);
}

uint8_t *luna_cache_fetch(LunaCache *cache, const char *name, bool claims,
                          bool *is_signed, size_t *size) {
  LunaHelperMessage question = {.word = LUNA_HELPER_GET}, answer;
  claims &= cache->is_sent;
  // Without keys nothing is trusted; but others are to wait for the caller.
  if (!cache->is_remote || (*is_signed && !cache->has_trust && !claims))
    return NULL;
  question.flags = (uint8_t)((*is_signed ? LUNA_HELPER_SIGNED : 0) |
                             (claims ? LUNA_HELPER_CLAIM : 0));
  set_name(&question, name);
  uint8_t *file = ask(cache, &question, &answer);
  if (file) {
    *is_signed = (answer.flags & LUNA_HELPER_SIGNED) != 0;
    *size = answer.length;
  }
  return file;
}

void luna_cache_send(LunaCache *cache, const char *name, const uint8_t *file,
                     size_t size) {
  LunaHelperMessage question = {
      .word = LUNA_HELPER_PUT, .bytes = file, .length = size};
  LunaHelperMessage answer;
  if (!cache->is_sent || size > LUNA_HELPER_ENTRY_MAX)
    return;
  set_name(&question, name);
  free(ask(cache, &question, &answer));
}

// Asks the helper about an entry.
static uint8_t *ask_about(LunaCache *cache, LunaHelperWord word,
                          const uint8_t *file, size_t size, size_t *length) {
  LunaHelperMessage question = {.word = word, .bytes = file, .length = size};
  LunaHelperMessage answer;
  uint8_t *bytes =
      size <= LUNA_HELPER_ENTRY_MAX ? ask(cache, &question, &answer) : NULL;
  if (bytes)
    *length = answer.length;
  return bytes;
}

uint8_t *luna_cache_sign(LunaCache *cache, uint8_t *file, size_t *size) {
  size_t length = 0;
  uint8_t *signature =
      cache->has_key ? ask_about(cache, LUNA_HELPER_SIGN, file, *size, &length)
                     : NULL;
  uint8_t *larger = signature && length == LUNA_CACHE_SIGNATURE_BYTES
                        ? luna_cache_entry_add_signature(file, size, signature)
                        : NULL;
  free(signature);
  return larger ? larger : file;
}

bool luna_cache_is_signed(LunaCache *cache, const uint8_t *file, size_t size) {
  size_t length = 0;
  uint8_t *answer = cache->has_trust ? ask_about(cache, LUNA_HELPER_CHECK, file,
                                                 size, &length)
                                     : NULL;
  bool is_signed = answer != NULL;
  free(answer);
  return is_signed;
}
