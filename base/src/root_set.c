#include "luna/root_set.h"

static bool includes(LunaRootSet a, LunaRootSet b) {
  uint32_t i = 0;
  if (b.has_other && !a.has_other)
    return false;
  for (uint32_t j = 0; j < b.count; ++j) {
    while (i < a.count && a.ids[i] < b.ids[j])
      ++i;
    if (i == a.count || a.ids[i] != b.ids[j])
      return false;
  }
  return true;
}

static LunaRootSet unite(LunaArena *arena, LunaRootSet a, LunaRootSet b) {
  uint32_t *ids =
      LUNA_ARENA_ARRAY(arena, uint32_t, (uint64_t)a.count + b.count);
  uint32_t count = 0, i = 0, j = 0;
  while (i < a.count || j < b.count) {
    bool take_a = j == b.count || (i < a.count && a.ids[i] <= b.ids[j]);
    uint32_t id = take_a ? a.ids[i++] : b.ids[j++];
    if (count == 0 || ids[count - 1] != id)
      ids[count++] = id;
  }
  return (LunaRootSet){ids, count, a.has_other || b.has_other};
}

bool luna_root_set_add(LunaRootSet *set, LunaRootSet more, LunaArena *arena) {
  if (includes(*set, more))
    return false;
  bool is_first = set->count == 0 && !set->has_other;
  *set = is_first ? more : unite(arena, *set, more);
  return true;
}

bool luna_roots_meet(LunaRootSet a, LunaRootSet b) {
  uint32_t i = 0, k = 0;
  while (i < a.count && k < b.count && a.ids[i] != b.ids[k])
    if (a.ids[i] < b.ids[k])
      ++i;
    else
      ++k;
  return (i < a.count && k < b.count) || (a.has_other && b.has_other);
}
