#include "verify_plan_tags.h"

#include "luna-c/ops.h"

#define NO_TAG UINT32_MAX

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static uint32_t hash_of(const void *key, uint32_t size) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  return (uint32_t)((bits * 0x9E3779B97F4A7C15u) >> 32) & (size - 1);
}

LunaVerifyEntry *luna_verify_entry(const LunaVerifyValues *values,
                                   MlirValue value) {
  if (values->table_size == 0)
    return NULL;
  for (uint32_t i = hash_of(value.ptr, values->table_size);;
       i = (i + 1) & (values->table_size - 1))
    if (values->table[i].key == value.ptr || values->table[i].key == NULL)
      return &values->table[i];
}

static void grow_table(LunaVerifyValues *values) {
  LunaVerifyValues grown = *values;
  grown.table_size = values->table_size == 0 ? 256 : 2 * values->table_size;
  grown.table =
      LUNA_ARENA_ARRAY(values->arena, LunaVerifyEntry, grown.table_size);
  for (uint32_t i = 0; i < values->table_size; ++i)
    if (values->table[i].key != NULL)
      *luna_verify_entry(&grown, (MlirValue){values->table[i].key}) =
          values->table[i];
  *values = grown;
}

static LunaVerifyEntry *entry_of(LunaVerifyValues *values, MlirValue value) {
  if (2 * (values->entry_count + 1) > values->table_size)
    grow_table(values);
  LunaVerifyEntry *entry = luna_verify_entry(values, value);
  if (entry->key == NULL) {
    *entry = (LunaVerifyEntry){.key = value.ptr, .tag = NO_TAG};
    ++values->entry_count;
  }
  return entry;
}

bool luna_verify_lookup(const LunaVerifyValues *values, MlirValue value,
                        LunaVerifySource *source) {
  const LunaVerifyEntry *entry = luna_verify_entry(values, value);
  if (entry == NULL || entry->key == NULL || entry->tag == NO_TAG)
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
  if (values->place_count == values->place_capacity) {
    uint32_t capacity = values->place_count == 0 ? 64 : 2 * values->place_count;
    values->places =
        luna_arena_grow(values->arena, values->places, values->place_count,
                        capacity, sizeof *values->places);
    values->place_capacity = capacity;
  }
  values->places[values->place_count] = place;
  return values->place_count++;
}

static uint32_t add_tag(LunaVerifyValues *values) {
  if (values->tag_count == values->tag_capacity) {
    uint32_t capacity = values->tag_count == 0 ? 64 : 2 * values->tag_count;
    values->tags =
        luna_arena_grow(values->arena, values->tags, values->tag_count,
                        capacity, sizeof *values->tags);
    values->tag_capacity = capacity;
  }
  values->tags[values->tag_count] = (LunaVerifyTag){0};
  return values->tag_count++;
}

int64_t luna_verify_shift(int64_t base, int64_t by) {
  return base == LUNA_VERIFY_UNKNOWN || by == LUNA_VERIFY_UNKNOWN
             ? LUNA_VERIFY_UNKNOWN
             : base + by;
}

// Adds a home to a tag; two positions in one place make it unknown.
static void add_home(LunaVerifyValues *values, uint32_t tag_index,
                     LunaVerifyHome home) {
  LunaVerifyTag *tag = &values->tags[tag_index];
  for (uint32_t i = 0; i < tag->home_count; ++i) {
    LunaVerifyHome *old = &tag->homes[i];
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
  if (tag->home_count == tag->home_capacity) {
    uint32_t capacity = tag->home_count == 0 ? 2 : 2 * tag->home_count;
    tag->homes = luna_arena_grow(values->arena, tag->homes, tag->home_count,
                                 capacity, sizeof *tag->homes);
    tag->home_capacity = capacity;
  }
  tag->homes[tag->home_count++] = home;
  values->has_changed = true;
}

static void add_homes_of(LunaVerifyValues *values, uint32_t tag,
                         LunaVerifySource source) {
  if (source.tag == tag)
    return;
  for (uint32_t i = 0; i < values->tags[source.tag].home_count; ++i) {
    LunaVerifyHome home = values->tags[source.tag].homes[i];
    home.base_bytes = luna_verify_shift(home.base_bytes, source.base_bytes);
    add_home(values, tag, home);
  }
}

bool luna_verify_is_root(const LunaVerifyValues *values, MlirValue value) {
  const LunaVerifyEntry *entry = luna_verify_entry(values, value);
  return entry != NULL && entry->key != NULL && entry->is_root;
}

void luna_verify_bind_root(LunaVerifyValues *values, MlirValue value,
                           uint32_t place) {
  LunaVerifyEntry *entry = entry_of(values, value);
  uint32_t tag = add_tag(values);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
  if (bytes < 0)
    bytes = values->places[place].bytes;
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
    *entry = (LunaVerifyEntry){.key = value.ptr, .tag = tag, .is_merge = true};
    values->has_changed = true;
  }
  uint32_t tag = entry->tag;
  for (intptr_t i = 0; i < count; ++i)
    if (luna_verify_lookup(values, sources[i], &source))
      add_homes_of(values, tag, source);
}
