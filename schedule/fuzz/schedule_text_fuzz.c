// Reads any bytes as the text of a schedule; what is one prints and reads as
// the same.

#include <stdlib.h>
#include <string.h>

#include "luna/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_again(const LunaSchedule *schedule, LunaArena *arena) {
  LunaSchedule again;
  LunaError error = {0};
  LunaText first = {0}, second = {0};
  luna_schedule_print(schedule, &first);
  if (!luna_schedule_parse(first.data ? first.data : "", first.length, "again",
                           arena, &again, &error))
    abort();
  luna_schedule_print(&again, &second);
  if (again.decisions.count != schedule->decisions.count ||
      first.length != second.length ||
      (first.length > 0 && memcmp(first.data, second.data, first.length) != 0))
    abort();
  luna_text_deinit(&first);
  luna_text_deinit(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaArena arena = {0};
  LunaSchedule schedule;
  LunaError error = {0};
  if (luna_schedule_parse((const char *)data, size, "fuzz", &arena, &schedule,
                          &error))
    print_again(&schedule, &arena);
  luna_arena_destroy(&arena);
  return 0;
}
