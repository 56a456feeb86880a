// Any words are read without touching what is beyond them; what is read can be
// written again, and gives the same words the second time.

#include <stdlib.h>
#include <string.h>

#include "luna/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t count = size / 4;
  int32_t *words = malloc(size / 4 * 4 + (size < 4));
  if (count > 0)
    memcpy(words, data, size / 4 * 4);
  LunaArena arena = {0};
  LunaProgramInfo info, again;
  if (luna_program_read(words, count, &arena, &info, NULL)) {
    int32_t *first = NULL, *second = NULL;
    uint64_t first_count = 0, second_count = 0;
    if (!luna_program_write(&info, &arena, &first, &first_count, NULL) ||
        !luna_program_read(first, first_count, &arena, &again, NULL) ||
        !luna_program_write(&again, &arena, &second, &second_count, NULL) ||
        first_count != second_count ||
        memcmp(first, second, (size_t)first_count * 4) != 0)
      abort();
  }
  luna_arena_destroy(&arena);
  free(words);
  return 0;
}
