#define _POSIX_C_SOURCE 200809L

#include "recent.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "helper_message.h"

typedef struct Item {
  char name[LUNA_HELPER_NAME_MAX + 1];
  LunaStoreBytes bytes;
  uint64_t used;
} Item;

struct LunaRecent {
  pthread_mutex_t mutex;
  Item items[LUNA_RECENT_ENTRIES];
  size_t total;
  uint64_t uses;
};

LunaRecent *luna_recent_create(void) {
  LunaRecent *recent = calloc(1, sizeof *recent);
  if (recent)
    pthread_mutex_init(&recent->mutex, NULL);
  return recent;
}

static LunaStoreBytes copy_of(const LunaStoreBytes *bytes) {
  LunaStoreBytes copy = {malloc(bytes->count + 1), bytes->count};
  if (!copy.items)
    return (LunaStoreBytes){0};
  memcpy(copy.items, bytes->items, bytes->count);
  return copy;
}

static void forget(LunaRecent *recent, Item *item) {
  recent->total -= item->bytes.count;
  free(item->bytes.items);
  *item = (Item){0};
}

void luna_recent_destroy(LunaRecent *recent) {
  for (int i = 0; recent && i < LUNA_RECENT_ENTRIES; ++i)
    forget(recent, &recent->items[i]);
  if (recent)
    pthread_mutex_destroy(&recent->mutex);
  free(recent);
}

static Item *find(LunaRecent *recent, const char *name) {
  for (int i = 0; i < LUNA_RECENT_ENTRIES; ++i)
    if (recent->items[i].bytes.items &&
        strcmp(recent->items[i].name, name) == 0)
      return &recent->items[i];
  return NULL;
}

// Returns the item used longest ago: one that is free, unless `holds_bytes`.
static Item *oldest(LunaRecent *recent, bool holds_bytes) {
  Item *oldest = NULL;
  for (int i = 0; i < LUNA_RECENT_ENTRIES; ++i)
    if ((recent->items[i].bytes.items || !holds_bytes) &&
        (!oldest || recent->items[i].used < oldest->used))
      oldest = &recent->items[i];
  return oldest;
}

void luna_recent_put(LunaRecent *recent, const char *name,
                     const LunaStoreBytes *bytes) {
  LunaStoreBytes copy = {0};
  if (bytes->count <= LUNA_RECENT_BYTES / 4)
    copy = copy_of(bytes);
  if (!copy.items)
    return;
  pthread_mutex_lock(&recent->mutex);
  Item *item = find(recent, name);
  if (item)
    forget(recent, item);
  while (recent->total + copy.count > LUNA_RECENT_BYTES)
    forget(recent, oldest(recent, true));
  item = oldest(recent, false);
  if (item->bytes.items)
    forget(recent, item);
  memcpy(item->name, name, strlen(name) + 1);
  item->bytes = copy;
  item->used = ++recent->uses;
  recent->total += copy.count;
  pthread_mutex_unlock(&recent->mutex);
}

LunaStoreBytes luna_recent_get(LunaRecent *recent, const char *name) {
  LunaStoreBytes copy = {0};
  pthread_mutex_lock(&recent->mutex);
  Item *item = find(recent, name);
  if (item) {
    item->used = ++recent->uses;
    copy = copy_of(&item->bytes);
  }
  pthread_mutex_unlock(&recent->mutex);
  return copy;
}
