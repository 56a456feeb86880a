#define _POSIX_C_SOURCE 200809L

#include "helper_socket.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

int64_t luna_helper_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits until the socket is ready. Returns false once the deadline has passed.
static bool wait_for(int socket, short events, int64_t deadline) {
  for (;;) {
    struct pollfd polled = {.fd = socket, .events = events};
    int64_t left = deadline - luna_helper_now();
    int ready = left > 0 ? poll(&polled, 1, (int)left) : 0;
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

static bool may_try_again(void) {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

size_t luna_helper_read_some(int socket, void *bytes, size_t size,
                             int64_t deadline) {
  for (;;) {
    ssize_t count = recv(socket, bytes, size, MSG_DONTWAIT);
    if (count >= 0)
      return (size_t)count;
    if (!may_try_again() || !wait_for(socket, POLLIN, deadline))
      return 0;
  }
}

static bool read_all(int socket, void *bytes, size_t size, int64_t deadline) {
  uint8_t *at = bytes;
  while (size > 0) {
    size_t count = luna_helper_read_some(socket, at, size, deadline);
    if (count == 0)
      return false;
    at += count;
    size -= count;
  }
  return true;
}

bool luna_helper_write(int socket, const void *bytes, size_t size,
                       int64_t deadline) {
  const uint8_t *at = bytes;
  while (size > 0) {
    ssize_t count = send(socket, at, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && (!may_try_again() || !wait_for(socket, POLLOUT, deadline)))
      return false;
    at += count < 0 ? 0 : count;
    size -= count < 0 ? 0 : (size_t)count;
  }
  return true;
}

bool luna_helper_send(int socket, const LunaHelperMessage *message,
                      int64_t deadline) {
  uint8_t head[LUNA_HELPER_HEAD_BYTES + 1 + LUNA_HELPER_NAME_MAX];
  size_t size = luna_helper_message_write(message, head);
  return luna_helper_write(socket, head, size, deadline) &&
         luna_helper_write(socket, message->bytes, message->length, deadline);
}

bool luna_helper_receive(int socket, LunaHelperMessage *message, uint8_t **body,
                         int64_t deadline) {
  uint8_t head[LUNA_HELPER_HEAD_BYTES];
  size_t length = 0;
  *body = NULL;
  if (!read_all(socket, head, sizeof head, deadline) ||
      !luna_helper_head_read(head, message, &length))
    return false;
  *body = malloc(length);
  if (*body && read_all(socket, *body, length, deadline) &&
      luna_helper_body_read(*body, length, message))
    return true;
  free(*body);
  *body = NULL;
  return false;
}
