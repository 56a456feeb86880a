#define _GNU_SOURCE // SO_PEERCRED, accept4

#include "serve.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helper_socket.h"

enum {
  IDLE_MS = 60000,
  TICK_MS = 500,
  CONNECTIONS_MAX = 64,
  STACK_BYTES = 1 << 19,
  // What a message may take once it has begun, and how long one is awaited.
  MESSAGE_MS = 10000,
  SILENCE_MS = 24 * 3600 * 1000,
};

typedef struct Connection {
  LunaAnswerer *answerer;
  int socket;
  pid_t process;
  atomic_int *count;
} Connection;

//===- One connection -----------------------------------------------------===//

static bool answer_one(const Connection *connection) {
  LunaHelperMessage question, answer;
  LunaStoreBytes bytes;
  uint8_t *body = NULL;
  struct pollfd polled = {.fd = connection->socket, .events = POLLIN};
  if (poll(&polled, 1, SILENCE_MS) <= 0 ||
      !luna_helper_receive(connection->socket, &question, &body,
                           luna_helper_now() + MESSAGE_MS))
    return false;
  luna_answer(connection->answerer, &question, connection->process, &answer,
              &bytes);
  bool is_sent = luna_helper_send(connection->socket, &answer,
                                  luna_helper_now() + MESSAGE_MS);
  free(bytes.items);
  free(body);
  return is_sent;
}

static void *answer_all(void *data) {
  Connection *connection = data;
  while (answer_one(connection))
    continue;
  close(connection->socket);
  atomic_fetch_sub(connection->count, 1);
  free(connection);
  return NULL;
}

static bool is_of_this_user(int socket, pid_t *process) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return false;
  *process = peer.pid;
  return peer.uid == geteuid();
}

static bool start_thread(Connection *connection) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool is_started =
      pthread_create(&thread, &attributes, answer_all, connection) == 0;
  pthread_attr_destroy(&attributes);
  return is_started;
}

static void take_connection(LunaAnswerer *answerer, int listening,
                            atomic_int *count) {
  int socket = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
  Connection *connection = socket >= 0 ? calloc(1, sizeof *connection) : NULL;
  if (connection) {
    *connection = (Connection){answerer, socket, 0, count};
    atomic_fetch_add(count, 1);
    if (is_of_this_user(socket, &connection->process) &&
        atomic_load(count) <= CONNECTIONS_MAX && start_thread(connection))
      return;
    atomic_fetch_sub(count, 1);
  }
  free(connection);
  if (socket >= 0)
    close(socket);
}

//===- All ----------------------------------------------------------------===//

static bool is_there(int folder, const char *name, const struct stat *own) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         status.st_ino == own->st_ino && status.st_dev == own->st_dev;
}

void luna_serve(LunaAnswerer *answerer, int socket, int folder,
                const char *name) {
  static atomic_int count; // outlives the threads
  struct stat own;
  int64_t last = luna_helper_now();
  if (fstatat(folder, name, &own, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  for (;;) {
    struct pollfd polled = {.fd = socket, .events = POLLIN};
    if (poll(&polled, 1, TICK_MS) > 0)
      take_connection(answerer, socket, &count);
    bool is_busy =
        atomic_load(&count) > 0 ||
        (answerer->uploads && !luna_uploads_are_done(answerer->uploads));
    if (is_busy)
      last = luna_helper_now();
    bool is_idle = luna_helper_now() - last > IDLE_MS;
    if (!is_there(folder, name, &own) && !is_busy)
      return;
    if (is_idle) {
      unlinkat(folder, name, 0);
      return;
    }
  }
}
