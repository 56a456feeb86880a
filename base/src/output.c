#define _POSIX_C_SOURCE 200809L

#include "luna/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "luna/text.h"

static bool cannot_write(const char *path, int reason, LunaError *error) {
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "cannot write '%s': %s", path, strerror(reason));
}

bool luna_output_open(LunaOutput *output, const char *path, LunaError *error) {
  *output = (LunaOutput){.path = path};
  struct stat status;
  if (strcmp(path, "-") == 0) {
    output->file = stdout;
    return true;
  }
  LunaText temporary = {0};
  // A device or pipe must not be replaced by a file.
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
    luna_text_printf(&temporary, "%s.%ld.part", path, (long)getpid());
  output->temporary = temporary.data;
  output->file = fopen(temporary.data ? temporary.data : path, "wb");
  if (output->file)
    return true;
  cannot_write(path, errno, error);
  luna_text_deinit(&temporary);
  return false;
}

void luna_output_write(LunaOutput *output, const void *bytes, size_t length) {
  if (length > 0 && fwrite(bytes, 1, length, output->file) < length &&
      output->reason == 0)
    output->reason = errno;
}

bool luna_output_close(LunaOutput *output, LunaError *error) {
  int reason = output->reason;
  bool is_written = reason == 0 && fflush(output->file) == 0;
  if (!is_written && reason == 0)
    reason = errno;
  if (output->file != stdout && fclose(output->file) != 0 && is_written) {
    is_written = false;
    reason = errno;
  }
  if (output->temporary && is_written &&
      rename(output->temporary, output->path) != 0) {
    is_written = false;
    reason = errno;
  }
  if (output->temporary && !is_written)
    remove(output->temporary);
  LunaText temporary = {.data = output->temporary};
  luna_text_deinit(&temporary);
  const char *name = output->file == stdout ? "standard output" : output->path;
  output->file = NULL;
  return is_written || cannot_write(name, reason, error);
}

const char *luna_temporary_folder(void) {
  const char *folder = getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}
