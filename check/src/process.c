// posix_spawn
#define _POSIX_C_SOURCE 200809L

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static bool fail(const char *name, const char *what, LunaError *error) {
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "'%s' cannot be run: %s", name, what);
}

static bool await(pid_t child, const char *name, LunaError *error) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return fail(name, strerror(errno), error);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  bool is_killed = WIFSIGNALED(status);
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "'%s' ended with %s %d", name,
                        is_killed ? "signal" : "exit code",
                        is_killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

bool luna_process_run(const char *const *arguments, const char *input,
                      const char *output, LunaError *error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input)
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
  if (output)
    posix_spawn_file_actions_addopen(&actions, 1, output,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int code = posix_spawnp(&child, arguments[0], &actions, NULL,
                          (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code == 0 ? await(child, arguments[0], error)
                   : fail(arguments[0], strerror(code), error);
}
