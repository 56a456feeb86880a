#define _XOPEN_SOURCE 700

#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "luna/output.h"

char *luna_folder_make(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/luna-cache-XXXXXX", luna_temporary_folder());
  CHECK(mkdtemp(path));
  return strdup(path);
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

void luna_folder_remove(char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(path);
}

void luna_folder_visit(const char *folder,
                       void (*visit)(const char *path, void *context),
                       void *context) {
  DIR *list = opendir(folder);
  for (struct dirent *entry = list ? readdir(list) : NULL; entry;
       entry = readdir(list)) {
    char path[4096];
    struct stat status;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (lstat(path, &status) != 0)
      continue; // another process removed it
    if (S_ISDIR(status.st_mode))
      luna_folder_visit(path, visit, context);
    else
      visit(path, context);
  }
  if (list)
    closedir(list);
}

typedef struct Entry {
  char path[4096];
  int count;
} Entry;

static void note_entry(const char *path, void *context) {
  Entry *entry = context;
  if (!strstr(path, "/test-"))
    return;
  ++entry->count;
  snprintf(entry->path, sizeof entry->path, "%s", path);
}

const char *luna_folder_entry(const char *folder) {
  static Entry entry;
  entry.count = 0;
  luna_folder_visit(folder, note_entry, &entry);
  CHECK_EQ(entry.count, 1);
  return entry.path;
}

uint8_t *luna_folder_read(const char *path, size_t *size) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  CHECK(file && fstat(fileno(file), &status) == 0);
  uint8_t *bytes = malloc((size_t)status.st_size + 1);
  *size = fread(bytes, 1, (size_t)status.st_size, file);
  fclose(file);
  return bytes;
}

void luna_folder_write(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, size, file) == size);
  CHECK(fclose(file) == 0);
}

LunaCacheKey luna_test_key(const char *record) {
  return (LunaCacheKey){
      .kind = "test", .record = record, .record_bytes = strlen(record)};
}

LunaCacheFixture luna_cache_fixture_open(const LunaCacheLimits *limits) {
  LunaCacheFixture fixture = {.folder = luna_folder_make()};
  fixture.cache = luna_cache_open(fixture.folder, limits);
  return fixture;
}

void luna_cache_fixture_close(LunaCacheFixture *fixture) {
  luna_cache_close(fixture->cache);
  luna_folder_remove(fixture->folder);
  luna_arena_destroy(&fixture->arena);
}
