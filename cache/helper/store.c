#define _POSIX_C_SOURCE 200809L

#include "store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "helper_socket.h"

enum { IDLE_MAX = 8 };

struct LunaStore {
  const LunaStoreKind *kind;
  LunaRemoteUrl url;
  char *text;
  pthread_mutex_t mutex; // of all below
  void *idle[IDLE_MAX];
  int idle_count;
  int64_t pause_end, pause_ms;
};

LunaStore *luna_store_create(const char *url) {
  LunaStore *store = calloc(1, sizeof *store);
  if (!store)
    return NULL;
  store->text = strdup(url);
  luna_remote_url_read(url, &store->url);
  store->kind = store->url.is_http ? &luna_store_http : &luna_store_redis;
  pthread_mutex_init(&store->mutex, NULL);
  return store;
}

//===- Connections --------------------------------------------------------===//

// Returns a connection that was used before, NULL if none is idle.
static void *take_idle(LunaStore *store) {
  pthread_mutex_lock(&store->mutex);
  void *connection =
      store->idle_count > 0 ? store->idle[--store->idle_count] : NULL;
  pthread_mutex_unlock(&store->mutex);
  return connection;
}

static void give_back(LunaStore *store, void *connection) {
  pthread_mutex_lock(&store->mutex);
  bool is_kept = store->idle_count < IDLE_MAX;
  if (is_kept)
    store->idle[store->idle_count++] = connection;
  pthread_mutex_unlock(&store->mutex);
  if (!is_kept)
    store->kind->disconnect(connection);
}

void luna_store_destroy(LunaStore *store) {
  if (!store)
    return;
  while (store->idle_count > 0)
    store->kind->disconnect(store->idle[--store->idle_count]);
  pthread_mutex_destroy(&store->mutex);
  free(store->text);
  free(store);
}

//===- Servers that fail --------------------------------------------------===//

int64_t luna_store_pause_end(LunaStore *store) {
  pthread_mutex_lock(&store->mutex);
  int64_t end = store->pause_end;
  pthread_mutex_unlock(&store->mutex);
  return end > luna_helper_now() ? end : 0;
}

// Each failure in a row doubles the pause; those of one moment count once.
static void note(LunaStore *store, LunaStoreResult result) {
  int64_t now = luna_helper_now();
  pthread_mutex_lock(&store->mutex);
  if (result != LUNA_STORE_FAILED) {
    store->pause_ms = 0;
  } else if (store->pause_end <= now) {
    store->pause_ms =
        store->pause_ms == 0 ? LUNA_STORE_PAUSE_MS : 2 * store->pause_ms;
    if (store->pause_ms > LUNA_STORE_PAUSE_MAX_MS)
      store->pause_ms = LUNA_STORE_PAUSE_MAX_MS;
    store->pause_end = now + store->pause_ms;
  }
  pthread_mutex_unlock(&store->mutex);
}

//===- Operations ---------------------------------------------------------===//

typedef enum Verb { GET, PUT, CLAIM } Verb;

typedef struct Operation {
  Verb verb;
  const char *name;
  int64_t deadline;
  LunaStoreBytes *fetched;
  const LunaStoreBytes *stored;
} Operation;

static LunaStoreResult perform(const LunaStoreKind *kind, void *connection,
                               const Operation *operation) {
  switch (operation->verb) {
  case GET:
    return kind->get(connection, operation->name, operation->deadline,
                     operation->fetched);
  case PUT:
    return kind->put(connection, operation->name, operation->stored,
                     operation->deadline);
  case CLAIM:
    return kind->claim(connection, operation->name, operation->deadline);
  }
  return LUNA_STORE_FAILED;
}

// On this connection, which is given up where that fails.
static LunaStoreResult try_on(LunaStore *store, void *connection,
                              const Operation *operation) {
  LunaStoreResult result = perform(store->kind, connection, operation);
  if (result == LUNA_STORE_FAILED)
    store->kind->disconnect(connection);
  else
    give_back(store, connection);
  return result;
}

// A connection that was idle may be dead: that is no failure of the server.
static LunaStoreResult run(LunaStore *store, const Operation *operation) {
  if (luna_store_pause_end(store))
    return LUNA_STORE_FAILED;
  LunaStoreResult result = LUNA_STORE_FAILED;
  void *connection = take_idle(store);
  if (connection)
    result = try_on(store, connection, operation);
  if (result == LUNA_STORE_FAILED && luna_helper_now() < operation->deadline) {
    connection = store->kind->connect(&store->url, store->text);
    if (connection)
      result = try_on(store, connection, operation);
  }
  note(store, result);
  return result;
}

LunaStoreResult luna_store_get(LunaStore *store, const char *name,
                               int64_t deadline, LunaStoreBytes *bytes) {
  *bytes = (LunaStoreBytes){0};
  return run(store, &(Operation){.verb = GET,
                                 .name = name,
                                 .deadline = deadline,
                                 .fetched = bytes});
}

LunaStoreResult luna_store_put(LunaStore *store, const char *name,
                               const LunaStoreBytes *bytes, int64_t deadline) {
  return run(store, &(Operation){.verb = PUT,
                                 .name = name,
                                 .deadline = deadline,
                                 .stored = bytes});
}

LunaStoreResult luna_store_claim(LunaStore *store, const char *name,
                                 int64_t deadline) {
  if (!store->kind->claim)
    return LUNA_STORE_OK;
  return run(store,
             &(Operation){.verb = CLAIM, .name = name, .deadline = deadline});
}
