// Servers that are down, slow, lying or endless: an operation fails in time,
// and the next at once.

#define _GNU_SOURCE // accept4

#include "store.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "helper_message.h"
#include "helper_socket.h"

#define NAME "plan-0123456789abcdef0123456789abcdef"

// A server that sends `reply` to whatever is asked, or without end; nothing if
// it is NULL, byte after byte if `drips`.
typedef struct Server {
  const char *reply;
  bool is_endless, drips;
  int port;
  pid_t process;
} Server;

static void reply_to(const Server *server, int client) {
  char request[4096];
  if (read(client, request, sizeof request) <= 0)
    return;
  const char *at = server->reply;
  do {
    size_t length = !at ? 0 : server->drips ? 1 : strlen(at);
    if (length == 0 || send(client, at, length, MSG_NOSIGNAL) < 0)
      break;
    at += server->drips ? 1 : 0;
    if (server->drips)
      usleep(50000);
  } while (server->drips ? *at != '\0' : server->is_endless);
}

static void accept_for_ever(const Server *server, int listening) {
  for (;;) {
    int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0)
      reply_to(server, client); // and keeps it open
  }
}

static int listen_somewhere(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(listening >= 0);
  CHECK(bind(listening, (const struct sockaddr *)&address, size) == 0);
  CHECK(listen(listening, 8) == 0);
  CHECK(getsockname(listening, (struct sockaddr *)&address, &size) == 0);
  *port = ntohs(address.sin_port);
  return listening;
}

static void start(Server *server) {
  int listening = listen_somewhere(&server->port);
  server->process = fork();
  if (server->process == 0) {
    accept_for_ever(server, listening);
    exit(0);
  }
  close(listening);
}

static void stop(Server *server) {
  CHECK(kill(server->process, SIGKILL) == 0);
  CHECK(waitpid(server->process, NULL, 0) == server->process);
}

static LunaStore *open_store(const char *scheme, int port) {
  char url[64];
  snprintf(url, sizeof url, "%s://127.0.0.1:%d", scheme, port);
  return luna_store_create(url);
}

enum { WAIT_MS = 300, SLACK_MS = 1500 };

static LunaStoreResult get(LunaStore *store, LunaStoreBytes *bytes) {
  int64_t begin = luna_helper_now();
  LunaStoreResult result = luna_store_get(store, NAME, begin + WAIT_MS, bytes);
  CHECK(luna_helper_now() - begin < WAIT_MS + SLACK_MS);
  return result;
}

static void check_failure(const char *scheme, Server server) {
  start(&server);
  LunaStoreBytes bytes;
  LunaStore *store = open_store(scheme, server.port);
  CHECK_EQ(get(store, &bytes), LUNA_STORE_FAILED);
  CHECK(luna_store_pause_end(store) > 0);
  int64_t begin = luna_helper_now();
  CHECK_EQ(get(store, &bytes), LUNA_STORE_FAILED);
  CHECK(luna_helper_now() - begin < 50);
  luna_store_destroy(store);
  stop(&server);
}

// Asks a server once.
static LunaStoreResult ask_once(const char *scheme, int port,
                                LunaStoreBytes *bytes) {
  LunaStore *store = open_store(scheme, port);
  LunaStoreResult result = get(store, bytes);
  luna_store_destroy(store);
  return result;
}

static void test_down(void) {
  int port = 0;
  close(listen_somewhere(&port));
  LunaStoreBytes bytes;
  CHECK_EQ(ask_once("redis", port, &bytes), LUNA_STORE_FAILED);
  CHECK_EQ(ask_once("http", port, &bytes), LUNA_STORE_FAILED);
}

static void test_silent(void) {
  check_failure("redis", (Server){0});
  check_failure("http", (Server){0});
}

static void test_slow(void) {
  check_failure("redis", (Server){.reply = "$30\r\nabcdefghijklmnopqrstuvwxyz",
                                  .drips = true});
  check_failure("http",
                (Server){.reply = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n",
                         .drips = true});
}

static void test_lying(void) {
  static const char *const redis[] = {
      "nonsense\r\n", "*1000000000\r\n", "$-7\r\n", "$99999999999\r\n",
      "+OK\r\n",      "-ERR no\r\n",     ":7\r\n",
  };
  for (size_t i = 0; i < sizeof redis / sizeof *redis; ++i)
    check_failure("redis", (Server){.reply = redis[i]});
  check_failure("http", (Server){.reply = "nonsense\r\n\r\n"});
  check_failure("http", (Server){.reply = "HTTP/1.1 302 Found\r\nLocation: "
                                          "file:///etc/passwd\r\n\r\n"});
  check_failure("http", (Server){.reply = "HTTP/1.1 500 No\r\n\r\n"});
}

static void test_endless(void) {
  check_failure("redis",
                (Server){.reply = "$300000000\r\n", .is_endless = true});
  check_failure("http", (Server){.reply = "HTTP/1.1 200 OK\r\n\r\nand so on",
                                 .is_endless = true});
}

static void test_answers(void) {
  LunaStoreBytes bytes;
  Server server = {.reply = "$5\r\nvalue\r\n"};
  start(&server);
  CHECK_EQ(ask_once("redis", server.port, &bytes), LUNA_STORE_OK);
  CHECK(bytes.count == 5 && memcmp(bytes.items, "value", 5) == 0);
  free(bytes.items);
  stop(&server);
  server = (Server){.reply = "$-1\r\n"};
  start(&server);
  CHECK_EQ(ask_once("redis", server.port, &bytes), LUNA_STORE_ABSENT);
  stop(&server);
  server = (Server){.reply = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"};
  start(&server);
  CHECK_EQ(ask_once("http", server.port, &bytes), LUNA_STORE_ABSENT);
  stop(&server);
}

int main(void) {
  RUN_TEST(test_down);
  RUN_TEST(test_silent);
  RUN_TEST(test_slow);
  RUN_TEST(test_lying);
  RUN_TEST(test_endless);
  RUN_TEST(test_answers);
  return 0;
}
