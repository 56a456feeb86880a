// Redis, over hiredis: its connections, requests and replies. Reading and
// writing are ours, since hiredis has a time for each system call and none for
// the whole, and takes any number of bytes.

#define _POSIX_C_SOURCE 200809L

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "helper_message.h"
#include "helper_socket.h"
#include "store.h"

static int64_t operation_deadline(int64_t deadline) {
  int64_t own = luna_helper_now() + LUNA_STORE_OPERATION_MS;
  return deadline < own ? deadline : own;
}

//===- Requests and replies -----------------------------------------------===//

static bool send_request(redisContext *context, int count,
                         const char *const *parts, const size_t *lengths,
                         int64_t deadline) {
  char *text = NULL;
  int length =
      redisFormatCommandArgv(&text, count, (const char **)parts, lengths);
  bool is_sent = length > 0 &&
                 luna_helper_write(context->fd, text, (size_t)length, deadline);
  if (length > 0)
    redisFreeCommand(text);
  return is_sent;
}

// What we ask is answered by a line or by bytes: nothing else is read, and no
// more than an entry may have.
static redisReply *receive_reply(redisContext *context, int64_t deadline) {
  enum { CHUNK = 1 << 16 };
  static const uint64_t most = LUNA_HELPER_ENTRY_MAX + CHUNK;
  char chunk[CHUNK];
  void *reply = NULL;
  uint64_t received = 0;
  while (!reply && received < most) {
    size_t count =
        luna_helper_read_some(context->fd, chunk, sizeof chunk, deadline);
    if (count == 0 || (received == 0 && !strchr("$+-:", chunk[0])) ||
        redisReaderFeed(context->reader, chunk, count) != REDIS_OK ||
        redisReaderGetReply(context->reader, &reply) != REDIS_OK)
      return NULL;
    received += count;
  }
  return reply;
}

static redisReply *ask(redisContext *context, int count,
                       const char *const *parts, const size_t *lengths,
                       int64_t deadline) {
  int64_t own = operation_deadline(deadline);
  return send_request(context, count, parts, lengths, own)
             ? receive_reply(context, own)
             : NULL;
}

static bool is_ok(const redisReply *reply) {
  return reply && reply->type == REDIS_REPLY_STATUS &&
         strcmp(reply->str, "OK") == 0;
}

static void free_reply(redisReply *reply) {
  if (reply)
    freeReplyObject(reply);
}

//===- Connections --------------------------------------------------------===//

static void disconnect_redis(void *connection) { redisFree(connection); }

static bool choose_database(redisContext *context, int database) {
  char number[16];
  snprintf(number, sizeof number, "%d", database);
  const char *parts[] = {"SELECT", number};
  const size_t lengths[] = {6, strlen(number)};
  if (database == 0)
    return true;
  redisReply *reply = ask(context, 2, parts, lengths,
                          luna_helper_now() + LUNA_STORE_OPERATION_MS);
  bool is_chosen = is_ok(reply);
  free_reply(reply);
  return is_chosen;
}

static void *connect_redis(const LunaRemoteUrl *url, const char *text) {
  struct timeval time = {.tv_usec = LUNA_STORE_CONNECT_MS * 1000};
  redisContext *context = redisConnectWithTimeout(url->host, url->port, time);
  (void)text;
  if (context && !context->err && choose_database(context, url->database))
    return context;
  if (context)
    redisFree(context);
  return NULL;
}

//===- Operations ---------------------------------------------------------===//

enum { KEY_BYTES = 16 + LUNA_HELPER_NAME_MAX };

static LunaStoreResult take_bytes(const redisReply *reply,
                                  LunaStoreBytes *bytes) {
  if (reply->type == REDIS_REPLY_NIL)
    return LUNA_STORE_ABSENT;
  if (reply->type != REDIS_REPLY_STRING)
    return LUNA_STORE_FAILED;
  bytes->items = malloc(reply->len + 1);
  if (!bytes->items)
    return LUNA_STORE_ABSENT;
  memcpy(bytes->items, reply->str, reply->len);
  bytes->count = reply->len;
  return LUNA_STORE_OK;
}

static LunaStoreResult get_redis(void *connection, const char *name,
                                 int64_t deadline, LunaStoreBytes *bytes) {
  char key[KEY_BYTES];
  snprintf(key, sizeof key, "luna:%s", name);
  const char *parts[] = {"GET", key};
  const size_t lengths[] = {3, strlen(key)};
  redisReply *reply = ask(connection, 2, parts, lengths, deadline);
  LunaStoreResult result = reply ? take_bytes(reply, bytes) : LUNA_STORE_FAILED;
  free_reply(reply);
  return result;
}

static LunaStoreResult put_redis(void *connection, const char *name,
                                 const LunaStoreBytes *bytes,
                                 int64_t deadline) {
  char key[KEY_BYTES];
  snprintf(key, sizeof key, "luna:%s", name);
  const char *parts[] = {"SET", key, (const char *)bytes->items};
  const size_t lengths[] = {3, strlen(key), bytes->count};
  redisReply *reply = ask(connection, 3, parts, lengths, deadline);
  LunaStoreResult result = is_ok(reply) ? LUNA_STORE_OK : LUNA_STORE_FAILED;
  free_reply(reply);
  return result;
}

static LunaStoreResult claim_redis(void *connection, const char *name,
                                   int64_t deadline) {
  char key[KEY_BYTES], time[16];
  snprintf(key, sizeof key, "luna-claim:%s", name);
  snprintf(time, sizeof time, "%d", LUNA_STORE_CLAIM_MS);
  const char *parts[] = {"SET", key, "1", "NX", "PX", time};
  const size_t lengths[] = {3, strlen(key), 1, 2, 2, strlen(time)};
  redisReply *reply = ask(connection, 6, parts, lengths, deadline);
  LunaStoreResult result = is_ok(reply) ? LUNA_STORE_OK
                           : reply && reply->type == REDIS_REPLY_NIL
                               ? LUNA_STORE_ABSENT
                               : LUNA_STORE_FAILED;
  free_reply(reply);
  return result;
}

const LunaStoreKind luna_store_redis = {
    .connect = connect_redis,
    .disconnect = disconnect_redis,
    .get = get_redis,
    .put = put_redis,
    .claim = claim_redis,
};
