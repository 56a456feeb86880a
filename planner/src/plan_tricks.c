#include "plan_tricks.h"

#include <string.h>

static const struct {
  const char *name, *without;
} tricks[PLAN_TRICK_COUNT] = {
#define LUNA_PLAN_TRICK(enumerator, name, without) {name, without},
#include "plan_tricks.def"
#undef LUNA_PLAN_TRICK
};

const char *luna_plan_trick_name(LunaPlanTrick trick) {
  return tricks[trick].name;
}

const char *luna_plan_trick_without(LunaPlanTrick trick) {
  return tricks[trick].without;
}

static int find_trick(const char *name, size_t length) {
  int found = 0;
  while (found < PLAN_TRICK_COUNT &&
         (strlen(tricks[found].name) != length ||
          memcmp(tricks[found].name, name, length) != 0))
    ++found;
  return found;
}

bool luna_plan_read_without(const char *names, LunaPlanWithout *without,
                            LunaError *error) {
  *without = (LunaPlanWithout){0};
  while (names && *names != '\0') {
    size_t length = strcspn(names, ",");
    int trick = find_trick(names, length);
    if (trick == PLAN_TRICK_COUNT)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "the planner has nothing named '%.*s' to leave out",
                            (int)length, names);
    without->words[trick / 64] |= (uint64_t)1 << trick % 64;
    names += length + (names[length] == ',');
  }
  return true;
}
