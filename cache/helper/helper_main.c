// luna-cache-helper: what a cache shares with others (luna/cache_remote.h), for
// all processes of a user: the server of entries, signatures. lunac starts it.

#define _GNU_SOURCE // close_range

#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "serve.h"

enum { SET_UP = 4 };

static const char usage[] =
    "usage: luna-cache-helper --make-key FILE\n"
    "       luna-cache-helper --version\n"
    "\n"
    "Speaks to the server of a shared cache for lunac, which starts it; see\n"
    "'lunac help cache'. --make-key makes a pair of keys: FILE, which signs\n"
    "entries, and FILE.pub, which others trust.\n";

static int make_keys(const char *path) {
  char message[8192] = "";
  if (luna_signer_make_keys(path, message, sizeof message))
    return 0;
  fprintf(stderr, "luna-cache-helper: error: %s\n", message);
  return SET_UP;
}

//===- Serving ------------------------------------------------------------===//

// The arguments of --serve, in order.
typedef struct Settings {
  const char *folder, *name, *url, *mode, *key, *trust;
} Settings;

// Returns a descriptor that holds the lock of this socket, -1 if another helper
// does.
static int take_lock(int folder, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s.lock", name);
  int lock =
      openat(folder, path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  if (lock >= 0)
    close(lock);
  return -1;
}

static int listen_at(int folder, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           folder, name);
  int listening =
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  unlinkat(folder, name, 0);
  if (listening >= 0 &&
      bind(listening, (const struct sockaddr *)&address, sizeof address) == 0 &&
      listen(listening, SOMAXCONN) == 0)
    return listening;
  return -1;
}

static bool set_up(const Settings *settings, LunaAnswerer *answerer) {
  *answerer = (LunaAnswerer){.recent = luna_recent_create(),
                             .waits = luna_waits_create()};
  if (sodium_init() < 0 || !answerer->recent || !answerer->waits ||
      !luna_signer_open(&answerer->signer, settings->key, settings->trust))
    return false;
  if (!*settings->url)
    return true;
  answerer->store = luna_store_create(settings->url);
  if (answerer->store && strcmp(settings->mode, "read-write") == 0)
    answerer->uploads = luna_uploads_create(answerer->store);
  return answerer->store != NULL;
}

// Returns true once another helper answers on the socket: it has the lock, and
// is about to.
static bool await_other(int folder, const char *name) {
  enum { TRIES = 500 };
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           folder, name);
  for (int i = 0; i < TRIES; ++i) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answers =
        probe >= 0 &&
        connect(probe, (const struct sockaddr *)&address, sizeof address) == 0;
    if (probe >= 0)
      close(probe);
    if (answers)
      return true;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return false;
}

// Whoever started the helper waits for its output to end.
static void answer_that_it_runs(void) {
  int null = open("/dev/null", O_RDWR);
  for (int i = 0; null >= 0 && i < 3; ++i)
    dup2(null, i);
  if (null > 2)
    close(null);
}

// The one that serves is nobody's child.
static int serve(const Settings *settings) {
  LunaAnswerer answerer;
  int folder =
      open(settings->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int lock = folder >= 0 ? take_lock(folder, settings->name) : -1;
  if (folder >= 0 && lock < 0)
    return await_other(folder, settings->name) ? 0 : SET_UP;
  int listening = lock >= 0 ? listen_at(folder, settings->name) : -1;
  if (listening < 0)
    return SET_UP;
  pid_t child = fork();
  if (child != 0)
    return child > 0 ? 0 : SET_UP;
  signal(SIGPIPE, SIG_IGN);
  if (!set_up(settings, &answerer) || chdir("/") != 0) {
    unlinkat(folder, settings->name, 0);
    return SET_UP;
  }
  answer_that_it_runs();
  luna_serve(&answerer, listening, folder, settings->name);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--make-key") == 0)
    return sodium_init() < 0 ? SET_UP : make_keys(argv[2]);
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    printf("luna-cache-helper %s, protocol %d\n", LUNA_VERSION,
           LUNA_HELPER_VERSION);
    return 0;
  }
  if (argc == 8 && strcmp(argv[1], "--serve") == 0) {
    // What the process that started it had open is not ours.
    close_range(3, ~0u, 0);
    return serve(
        &(Settings){argv[2], argv[3], argv[4], argv[5], argv[6], argv[7]});
  }
  fputs(usage, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
  return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
}
