#define _GNU_SOURCE // SO_PEERCRED, POSIX_SPAWN_SETSID, pipe2

#include "cache_helper.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "helper_socket.h"

extern char **environ;

enum { NAME_BYTES = 48, FLUSH_MS = 60000 };

struct LunaCacheHelper {
  /// As given, in one piece of memory; "" where there is none.
  const char *url, *mode, *key, *trust, *program;
  char *folder;
  char name[NAME_BYTES]; ///< of the socket: other settings, another helper
  int socket;            ///< -1: not connected
  int64_t waited_ms;
  bool is_off;
};

//===- Settings -----------------------------------------------------------===//

static char *copy(const char *text) { return strdup(text ? text : ""); }

// The folder of sockets, which is the user's alone.
static char *socket_folder(void) {
  char path[4096];
  const char *base = getenv("XDG_RUNTIME_DIR");
  if (base && *base == '/')
    snprintf(path, sizeof path, "%s/luna-cache", base);
  else
    snprintf(path, sizeof path, "/tmp/luna-cache-%ld", (long)geteuid());
  return strdup(path);
}

// A key file counts with what it holds: that may change under its name.
static void add_file(XXH3_state_t *state, const char *path) {
  struct stat status;
  memset(&status, 0, sizeof status);
  XXH3_64bits_update(state, path, strlen(path) + 1);
  if (*path && stat(path, &status) == 0) {
    const int64_t what[] = {(int64_t)status.st_ino, (int64_t)status.st_size,
                            (int64_t)status.st_mtim.tv_sec,
                            (int64_t)status.st_mtim.tv_nsec};
    XXH3_64bits_update(state, what, sizeof what);
  }
}

static bool name_socket(LunaCacheHelper *helper) {
  XXH3_state_t *state = XXH3_createState();
  if (!state)
    return false;
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, helper->url, strlen(helper->url) + 1);
  XXH3_64bits_update(state, helper->mode, strlen(helper->mode) + 1);
  add_file(state, helper->key);
  add_file(state, helper->trust);
  add_file(state, helper->program);
  snprintf(helper->name, sizeof helper->name, "%d-%016" PRIx64,
           LUNA_HELPER_VERSION, (uint64_t)XXH3_64bits_digest(state));
  XXH3_freeState(state);
  return true;
}

LunaCacheHelper *luna_cache_helper_create(const LunaCacheRemote *remote) {
  LunaCacheHelper *helper = calloc(1, sizeof *helper);
  if (!helper)
    return NULL;
  helper->url = copy(remote->url);
  helper->mode = copy(remote->mode);
  helper->key = copy(remote->key);
  helper->trust = copy(remote->trust);
  helper->program = copy(remote->helper);
  helper->folder = socket_folder();
  helper->socket = -1;
  if (helper->url && helper->mode && helper->key && helper->trust &&
      helper->program && helper->folder && name_socket(helper))
    return helper;
  luna_cache_helper_destroy(helper);
  return NULL;
}

static void disconnect(LunaCacheHelper *helper) {
  if (helper->socket >= 0)
    close(helper->socket);
  helper->socket = -1;
}

void luna_cache_helper_destroy(LunaCacheHelper *helper) {
  if (!helper)
    return;
  disconnect(helper);
  free((char *)helper->url);
  free((char *)helper->mode);
  free((char *)helper->key);
  free((char *)helper->trust);
  free((char *)helper->program);
  free(helper->folder);
  free(helper);
}

//===- Connecting ---------------------------------------------------------===//

// Opens the folder; one that others can enter is not used.
static int open_folder(const LunaCacheHelper *helper) {
  struct stat status;
  mkdir(helper->folder, 0700);
  int folder =
      open(helper->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0 ||
      (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
       !(status.st_mode & (S_IRWXG | S_IRWXO))))
    return folder;
  close(folder);
  return -1;
}

static bool is_of_this_user(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

// By way of the descriptor, since an address has few bytes.
static bool connect_to(LunaCacheHelper *helper, int folder) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           folder, helper->name);
  helper->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (helper->socket >= 0 &&
      connect(helper->socket, (const struct sockaddr *)&address,
              sizeof address) == 0 &&
      is_of_this_user(helper->socket))
    return true;
  disconnect(helper);
  return false;
}

// The helper answers on its output, by closing it, that it can be asked.
static void wait_for_start(pid_t process, int output) {
  struct pollfd polled = {.fd = output, .events = POLLIN};
  if (poll(&polled, 1, LUNA_HELPER_START_MS) <= 0)
    kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

static void start(const LunaCacheHelper *helper) {
  const char *program =
      *helper->program ? helper->program : "luna-cache-helper";
  const char *arguments[] = {program,      "--serve",     helper->folder,
                             helper->name, helper->url,   helper->mode,
                             helper->key,  helper->trust, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int output[2];
  pid_t process = 0;
  if (pipe2(output, O_CLOEXEC) != 0)
    return;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  int failure = posix_spawnp(&process, program, &actions, &attributes,
                             (char *const *)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  if (failure == 0)
    wait_for_start(process, output[0]);
  close(output[0]);
}

//===- Helpers that do not answer -----------------------------------------===//

static void name_mark(const LunaCacheHelper *helper, char *name, size_t size) {
  snprintf(name, size, "%s.down", helper->name);
}

static void leave_alone(const LunaCacheHelper *helper, int folder) {
  char name[NAME_BYTES + 8];
  name_mark(helper, name, sizeof name);
  int file =
      openat(folder, name,
             O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  futimens(file, NULL);
  close(file);
}

static bool is_left_alone(const LunaCacheHelper *helper, int folder) {
  char name[NAME_BYTES + 8];
  struct stat status;
  name_mark(helper, name, sizeof name);
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return false;
  int64_t age = (int64_t)time(NULL) - (int64_t)status.st_mtim.tv_sec;
  return age >= 0 && age < LUNA_HELPER_PAUSE_S;
}

// Connects to a helper, one that is started if need be. Others may start one
// meanwhile, or one may be about to end.
static bool reach(LunaCacheHelper *helper, int folder) {
  enum { TRIES = 3 };
  if (is_left_alone(helper, folder))
    return false;
  for (int i = 0; i < TRIES; ++i) {
    if (connect_to(helper, folder))
      return true;
    start(helper);
  }
  if (connect_to(helper, folder))
    return true;
  leave_alone(helper, folder);
  return false;
}

//===- Asking -------------------------------------------------------------===//

static bool exchange(LunaCacheHelper *helper, const LunaHelperMessage *question,
                     int64_t deadline, LunaHelperMessage *answer,
                     uint8_t **body) {
  if (luna_helper_send(helper->socket, question, deadline) &&
      luna_helper_receive(helper->socket, answer, body, deadline))
    return true;
  disconnect(helper);
  return false;
}

// Asks again where a helper ended just as it was asked.
static bool ask(LunaCacheHelper *helper, const LunaHelperMessage *question,
                int64_t deadline, LunaHelperMessage *answer, uint8_t **body) {
  enum { TRIES = 2 };
  int folder = open_folder(helper);
  bool is_answered = false;
  for (int i = 0; folder >= 0 && !is_answered && i < TRIES; ++i) {
    if (helper->socket < 0 && !reach(helper, folder))
      break;
    is_answered = exchange(helper, question, deadline, answer, body);
    if (!is_answered && luna_helper_now() >= deadline) {
      leave_alone(helper, folder);
      break;
    }
  }
  if (folder >= 0)
    close(folder);
  return is_answered;
}

bool luna_cache_helper_ask(LunaCacheHelper *helper,
                           const LunaHelperMessage *question,
                           LunaHelperMessage *answer, uint8_t **body) {
  int64_t begin = luna_helper_now();
  int64_t deadline = begin + LUNA_HELPER_WAIT_MS - helper->waited_ms;
  *body = NULL;
  if (helper->is_off || begin >= deadline)
    return false;
  helper->is_off = !ask(helper, question, deadline, answer, body);
  helper->waited_ms += luna_helper_now() - begin;
  return !helper->is_off;
}

bool luna_cache_helper_flush(LunaCacheHelper *helper) {
  LunaHelperMessage question = {.word = LUNA_HELPER_FLUSH}, answer;
  uint8_t *body = NULL;
  bool is_sent =
      !helper->is_off &&
      ask(helper, &question, luna_helper_now() + FLUSH_MS, &answer, &body) &&
      answer.word == LUNA_HELPER_YES;
  free(body);
  return is_sent;
}
