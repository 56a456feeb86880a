#define _POSIX_C_SOURCE 200809L

#include "uploads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "helper_message.h"
#include "helper_socket.h"

typedef struct Upload {
  struct Upload *next;
  char name[LUNA_HELPER_NAME_MAX + 1];
  LunaStoreBytes bytes;
} Upload;

struct LunaUploads {
  LunaStore *store;
  pthread_mutex_t mutex; // of all below
  pthread_cond_t is_added;
  Upload *first, **last;
  size_t bytes;
  bool is_sending, has_failed;
};

static void sleep_ms(int64_t count) {
  nanosleep(&(struct timespec){.tv_sec = count / 1000,
                               .tv_nsec = count % 1000 * 1000000},
            NULL);
}

//===- Sending ------------------------------------------------------------===//

// A server that failed is asked once more when its pause is over.
static bool send_upload(LunaUploads *uploads, const Upload *upload) {
  enum { TRIES = 2 };
  for (int i = 0; i < TRIES; ++i) {
    int64_t pause_end = luna_store_pause_end(uploads->store);
    if (pause_end)
      sleep_ms(pause_end - luna_helper_now() + 1);
    if (luna_store_put(uploads->store, upload->name, &upload->bytes,
                       luna_helper_now() + LUNA_STORE_OPERATION_MS) ==
        LUNA_STORE_OK)
      return true;
  }
  return false;
}

static void destroy(Upload *upload) {
  free(upload->bytes.items);
  free(upload);
}

static Upload *take(LunaUploads *uploads) {
  pthread_mutex_lock(&uploads->mutex);
  uploads->is_sending = false;
  while (!uploads->first)
    pthread_cond_wait(&uploads->is_added, &uploads->mutex);
  Upload *upload = uploads->first;
  uploads->first = upload->next;
  if (!uploads->first)
    uploads->last = &uploads->first;
  uploads->bytes -= upload->bytes.count;
  uploads->is_sending = true;
  pthread_mutex_unlock(&uploads->mutex);
  return upload;
}

// The server is gone: what waits is dropped.
static void drop_all(LunaUploads *uploads) {
  pthread_mutex_lock(&uploads->mutex);
  uploads->has_failed = true;
  while (uploads->first) {
    Upload *upload = uploads->first;
    uploads->first = upload->next;
    destroy(upload);
  }
  uploads->last = &uploads->first;
  uploads->bytes = 0;
  pthread_mutex_unlock(&uploads->mutex);
}

static void *send_for_ever(void *data) {
  LunaUploads *uploads = data;
  for (;;) {
    Upload *upload = take(uploads);
    if (!send_upload(uploads, upload))
      drop_all(uploads);
    destroy(upload);
  }
  return NULL;
}

LunaUploads *luna_uploads_create(LunaStore *store) {
  LunaUploads *uploads = calloc(1, sizeof *uploads);
  pthread_t thread;
  if (!uploads)
    return NULL;
  uploads->store = store;
  uploads->last = &uploads->first;
  pthread_mutex_init(&uploads->mutex, NULL);
  pthread_cond_init(&uploads->is_added, NULL);
  if (pthread_create(&thread, NULL, send_for_ever, uploads) == 0) {
    pthread_detach(thread);
    return uploads;
  }
  free(uploads);
  return NULL;
}

//===- Adding -------------------------------------------------------------===//

void luna_uploads_add(LunaUploads *uploads, const char *name,
                      LunaStoreBytes owned) {
  Upload *upload = calloc(1, sizeof *upload);
  pthread_mutex_lock(&uploads->mutex);
  bool is_taken = upload && uploads->bytes + owned.count <= LUNA_UPLOADS_BYTES;
  if (is_taken) {
    memcpy(upload->name, name, strlen(name) + 1);
    upload->bytes = owned;
    *uploads->last = upload;
    uploads->last = &upload->next;
    uploads->bytes += owned.count;
    pthread_cond_signal(&uploads->is_added);
  }
  uploads->has_failed |= !is_taken;
  pthread_mutex_unlock(&uploads->mutex);
  if (is_taken)
    return;
  free(owned.items);
  free(upload);
}

bool luna_uploads_are_done(LunaUploads *uploads) {
  pthread_mutex_lock(&uploads->mutex);
  bool is_done = !uploads->first && !uploads->is_sending;
  pthread_mutex_unlock(&uploads->mutex);
  return is_done;
}

bool luna_uploads_flush(LunaUploads *uploads, int64_t deadline) {
  enum { STEP_MS = 2 };
  while (!luna_uploads_are_done(uploads) && luna_helper_now() < deadline)
    sleep_ms(STEP_MS);
  bool is_done = luna_uploads_are_done(uploads);
  pthread_mutex_lock(&uploads->mutex);
  bool is_sent = is_done && !uploads->has_failed;
  uploads->has_failed = false;
  pthread_mutex_unlock(&uploads->mutex);
  return is_sent;
}
