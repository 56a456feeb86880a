// Feeds every file of the folders and files named on the command line to a
// libFuzzer target, so that its corpus is a test without libFuzzer.

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv) {
  int failed = 0, count = 0;
  for (int i = 1; i < argc; ++i) {
    struct dirent **entries = NULL;
    int entry_count = scandir(argv[i], &entries, NULL, alphasort);
    if (entry_count < 0) {
      failed |= replay_file(argv[i]);
      ++count;
      continue;
    }
    for (int k = 0; k < entry_count; ++k) {
      if (entries[k]->d_name[0] != '.') {
        LunaText path = {0};
        luna_text_printf(&path, "%s/%s", argv[i], entries[k]->d_name);
        failed |= replay_file(path.data);
        luna_text_deinit(&path);
        ++count;
      }
      free(entries[k]);
    }
    free(entries);
  }
  printf("replayed %d inputs\n", count);
  return failed || count == 0;
}
