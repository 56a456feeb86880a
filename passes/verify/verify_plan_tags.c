#include "verify_plan_tags.h"

#include "luna-c/ops.h"

#define NO_TAG UINT32_MAX

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

LunaVerifyEntry *luna_verify_entry(const LunaVerifyValues *values,
                                   MlirValue value) {
  uint32_t index = luna_map_find(&values->keys, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : &values->entries.items[index];
}

static LunaVerifyEntry *entry_of(LunaVerifyValues *values, MlirValue value) {
  uint32_t index =
      luna_map_add(&values->keys, values->arena, luna_map_pointer(value.ptr));
  if (index == values->entries.count)
    *LUNA_VECTOR_ADD(values->arena, &values->entries) =
        (LunaVerifyEntry){.value = value, .tag = NO_TAG};
  return &values->entries.items[index];
}

bool luna_verify_lookup(const LunaVerifyValues *values, MlirValue value,
                        LunaVerifySource *source) {
  const LunaVerifyEntry *entry = luna_verify_entry(values, value);
  if (entry == NULL || entry->tag == NO_TAG)
    return false;
  if (!entry->is_merge && !entry->is_root && entry->sweep != values->sweep)
    return false;
  *source = (LunaVerifySource){entry->tag, entry->base_bytes};
  return true;
}

//===----------------------------------------------------------------------===//
// Places and tags
//===----------------------------------------------------------------------===//

uint32_t luna_verify_add_place(LunaVerifyValues *values,
                               LunaVerifyPlace place) {
  *LUNA_VECTOR_ADD(values->arena, &values->places) = place;
  return (uint32_t)values->places.count - 1;
}

static uint32_t add_tag(LunaVerifyValues *values) {
  LUNA_VECTOR_ADD(values->arena, &values->tags);
  return (uint32_t)values->tags.count - 1;
}

int64_t luna_verify_shift(int64_t base, int64_t by) {
  return base == LUNA_VERIFY_UNKNOWN || by == LUNA_VERIFY_UNKNOWN
             ? LUNA_VERIFY_UNKNOWN
             : base + by;
}

// Adds a home to a tag; two positions in one place make it unknown.
static void add_home(LunaVerifyValues *values, uint32_t tag_index,
                     LunaVerifyHome home) {
  LunaVerifyTag *tag = &values->tags.items[tag_index];
  for (uint32_t i = 0; i < tag->homes.count; ++i) {
    LunaVerifyHome *old = &tag->homes.items[i];
    if (old->place != home.place)
      continue;
    if (old->base_bytes != home.base_bytes &&
        old->base_bytes != LUNA_VERIFY_UNKNOWN) {
      old->base_bytes = LUNA_VERIFY_UNKNOWN;
      values->has_changed = true;
    }
    if (home.bytes < old->bytes)
      old->bytes = home.bytes;
    return;
  }
  *LUNA_VECTOR_ADD(values->arena, &tag->homes) = home;
  values->has_changed = true;
}

static void add_homes_of(LunaVerifyValues *values, uint32_t tag,
                         LunaVerifySource source) {
  if (source.tag == tag)
    return;
  for (uint32_t i = 0; i < values->tags.items[source.tag].homes.count; ++i) {
    LunaVerifyHome home = values->tags.items[source.tag].homes.items[i];
    home.base_bytes = luna_verify_shift(home.base_bytes, source.base_bytes);
    add_home(values, tag, home);
  }
}

bool luna_verify_is_root(const LunaVerifyValues *values, MlirValue value) {
  const LunaVerifyEntry *entry = luna_verify_entry(values, value);
  return entry != NULL && entry->is_root;
}

void luna_verify_bind_root(LunaVerifyValues *values, MlirValue value,
                           uint32_t place) {
  LunaVerifyEntry *entry = entry_of(values, value);
  uint32_t tag = add_tag(values);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
  if (bytes < 0)
    bytes = values->places.items[place].bytes;
  add_home(values, tag, (LunaVerifyHome){place, 0, bytes});
  entry->tag = tag;
  entry->base_bytes = 0;
  entry->is_root = true;
}

void luna_verify_bind_alias(LunaVerifyValues *values, MlirValue value,
                            LunaVerifySource source) {
  LunaVerifyEntry *entry = entry_of(values, value);
  if (entry->is_merge || entry->is_root)
    return;
  entry->tag = source.tag;
  entry->base_bytes = source.base_bytes;
  entry->sweep = values->sweep;
}

void luna_verify_bind_merge(LunaVerifyValues *values, MlirValue value,
                            const MlirValue *sources, intptr_t count) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  bool has_first = false, differ = false;
  LunaVerifySource first = {0}, source;
  for (intptr_t i = 0; i < count; ++i) {
    if (!luna_verify_lookup(values, sources[i], &source))
      continue;
    if (has_first &&
        (source.tag != first.tag || source.base_bytes != first.base_bytes))
      differ = true;
    first = has_first ? first : source;
    has_first = true;
  }
  LunaVerifyEntry *entry = entry_of(values, value);
  if (!entry->is_merge && !differ) {
    if (has_first)
      luna_verify_bind_alias(values, value, first);
    return;
  }
  if (!entry->is_merge) {
    uint32_t tag = add_tag(values);
    *entry = (LunaVerifyEntry){.value = value, .tag = tag, .is_merge = true};
    values->has_changed = true;
  }
  uint32_t tag = entry->tag;
  for (intptr_t i = 0; i < count; ++i)
    if (luna_verify_lookup(values, sources[i], &source))
      add_homes_of(values, tag, source);
}
