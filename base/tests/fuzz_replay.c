// Feeds every file of the folders and files named on the command line to a
// libFuzzer target, so that its corpus is a test without libFuzzer. Folders in
// the folders are left out.

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "luna/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
  LunaText text = {0};
  LunaError error = {0};
  if (!luna_text_read_file(&text, path, (size_t)64 << 20, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  // A copy of the exact size lets the address sanitizer see one byte too far.
  uint8_t *data = malloc(text.length + (text.length == 0));
  if (text.length > 0)
    memcpy(data, text.data, text.length);
  LLVMFuzzerTestOneInput(data, text.length);
  free(data);
  luna_text_deinit(&text);
  return 0;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int replay_folder(const char *folder, int *count) {
  struct dirent **entries = NULL;
  int entry_count = scandir(folder, &entries, NULL, alphasort), failed = 0;
  for (int i = 0; i < entry_count; ++i) {
    LunaText path = {0};
    luna_text_printf(&path, "%s/%s", folder, entries[i]->d_name);
    if (!is_folder(path.data)) {
      failed |= replay_file(path.data);
      ++*count;
    }
    luna_text_deinit(&path);
    free(entries[i]);
  }
  free(entries);
  return failed;
}

int main(int argc, char **argv) {
  int failed = 0, count = 0;
  for (int i = 1; i < argc; ++i) {
    if (is_folder(argv[i])) {
      failed |= replay_folder(argv[i], &count);
    } else {
      failed |= replay_file(argv[i]);
      ++count;
    }
  }
  printf("replayed %d inputs\n", count);
  return failed || count == 0;
}
