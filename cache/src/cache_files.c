#define _XOPEN_SOURCE 700

#include "cache_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char hex[] = "0123456789abcdef";

LunaCacheName luna_cache_entry_name(const char *kind,
                                    const LunaCacheDigest *digest) {
  char digits[2 * LUNA_CACHE_DIGEST_BYTES + 1] = {0};
  LunaCacheName name;
  for (int i = 0; i < LUNA_CACHE_DIGEST_BYTES; ++i) {
    digits[2 * i] = hex[digest->bytes[i] >> 4];
    digits[2 * i + 1] = hex[digest->bytes[i] & 15];
  }
  snprintf(name.text, sizeof name.text, "%.2s/%.*s-%s", digits,
           LUNA_CACHE_KIND_MAX, kind, digits);
  return name;
}

//===- The folder ---------------------------------------------------------===//

// Others may read, where the user's mask lets them, and never write.
enum { FOLDER_MODE = 0755, FILE_MODE = 0644, OTHERS_WRITE = S_IWGRP | S_IWOTH };

static int open_folder(int at, const char *name) {
  return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Makes the folders of `path` that are not there.
static void make_folders(const char *path) {
  char *part = strdup(path);
  for (char *at = part; at && *at; ++at)
    if (*at == '/' && at > part) {
      *at = '\0';
      mkdir(part, FOLDER_MODE);
      *at = '/';
    }
  if (part)
    mkdir(part, FOLDER_MODE);
  free(part);
}

int luna_cache_open_root(const LunaCache *cache, bool makes) {
  int root = open_folder(AT_FDCWD, cache->folder);
  if (root >= 0 || !makes || errno != ENOENT)
    return root;
  make_folders(cache->folder);
  root = open_folder(AT_FDCWD, cache->folder);
  // Has backups leave it out: https://bford.info/cachedir/
  static const char tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                            "# A cache of luna-mlir; may be removed.\n";
  if (root >= 0)
    luna_cache_write_file(root, "CACHEDIR.TAG", tag, sizeof tag - 1);
  return root;
}

//===- Trust --------------------------------------------------------------===//

static bool is_ours(const struct stat *status) {
  return status->st_uid == geteuid() || status->st_uid == 0;
}

static bool is_private(const struct stat *status) {
  return is_ours(status) && !(status->st_mode & OTHERS_WRITE);
}

// In a sticky folder, /tmp, others cannot rename what is ours.
static bool ancestors_are_trusted(const char *folder) {
  char *path = realpath(folder, NULL);
  bool is_trusted = path != NULL;
  for (char *end = path ? strrchr(path, '/') : NULL; is_trusted && end;) {
    struct stat status;
    end[end == path] = '\0';
    is_trusted =
        lstat(path, &status) == 0 && is_ours(&status) &&
        (!(status.st_mode & OTHERS_WRITE) || (status.st_mode & S_ISVTX) != 0);
    end = end == path ? NULL : strrchr(path, '/');
  }
  free(path);
  return is_trusted;
}

bool luna_cache_root_is_trusted(LunaCache *cache, int root) {
  struct stat status;
  if (!cache->is_trust_known)
    cache->is_trusted = fstat(root, &status) == 0 && is_private(&status) &&
                        ancestors_are_trusted(cache->folder);
  cache->is_trust_known = true;
  return cache->is_trusted;
}

bool luna_cache_file_is_trusted(LunaCache *cache, int root, const char *name,
                                const struct stat *status) {
  struct stat folder;
  char subfolder[3] = {name[0], name[1], '\0'};
  return is_private(status) &&
         fstatat(root, subfolder, &folder, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(folder.st_mode) && is_private(&folder) &&
         luna_cache_root_is_trusted(cache, root);
}

//===- Files --------------------------------------------------------------===//

static bool read_all(int file, uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = read(file, bytes + done, size - done);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += got > 0 ? (size_t)got : 0;
  }
  return true;
}

static bool write_all(int file, const uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = write(file, bytes + done, size - done);
    if (got < 0 && errno != EINTR)
      return false;
    done += got > 0 ? (size_t)got : 0;
  }
  return true;
}

// The time of its last use, to the minute: a use is not worth a write each.
static void touch(int file, const struct stat *status) {
  struct timespec now;
  enum { SECONDS = 60 };
  if (clock_gettime(CLOCK_REALTIME, &now) != 0)
    return;
  time_t age = now.tv_sec - status->st_mtim.tv_sec;
  if (age > SECONDS || age < -SECONDS)
    futimens(file, NULL);
}

uint8_t *luna_cache_read_file(int root, const char *name, size_t *size,
                              struct stat *status) {
  int file = openat(root, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  uint8_t *bytes = NULL;
  if (file < 0)
    return NULL;
  if (fstat(file, status) == 0 && S_ISREG(status->st_mode)) {
    *size = (size_t)status->st_size;
    bytes = malloc(*size + 1);
    if (bytes && !read_all(file, bytes, *size)) {
      free(bytes);
      bytes = NULL;
    }
    touch(file, status);
  }
  close(file);
  return bytes;
}

// Opens a new file in tmp/. Names differ between processes and threads, also
// of different computers on one file system.
static int open_temporary(int root, LunaCacheName *name) {
  static atomic_uint counter;
  enum { TRIES = 16 };
  struct timespec now = {0};
  for (int i = 0; i < TRIES; ++i) {
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name->text, sizeof name->text, "tmp/%lx-%lx%x", (long)getpid(),
             now.tv_nsec, atomic_fetch_add(&counter, 1));
    int file =
        openat(root, name->text,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (file >= 0 || (errno != EEXIST && errno != ENOENT))
      return file;
    if (errno == ENOENT)
      mkdirat(root, "tmp", FOLDER_MODE);
  }
  return -1;
}

static bool rename_to(int root, const char *from, const char *name) {
  if (renameat(root, from, root, name) == 0)
    return true;
  char folder[LUNA_CACHE_NAME_BYTES];
  snprintf(folder, sizeof folder, "%.*s", (int)strcspn(name, "/"), name);
  if (errno != ENOENT)
    return false;
  mkdirat(root, folder, FOLDER_MODE); // another process may have done so
  return renameat(root, from, root, name) == 0;
}

bool luna_cache_write_file(int root, const char *name, const void *bytes,
                           size_t size) {
  LunaCacheName temporary;
  int file = open_temporary(root, &temporary);
  if (file < 0)
    return false;
  bool is_written = write_all(file, bytes, size);
  is_written &= close(file) == 0;
  if (is_written && rename_to(root, temporary.text, name))
    return true;
  unlinkat(root, temporary.text, 0);
  return false;
}

void luna_cache_quarantine(int root, const char *name,
                           const LunaCacheDigest *digest) {
  char place[LUNA_CACHE_NAME_BYTES];
  snprintf(place, sizeof place, "quarantine/%c", hex[digest->bytes[0] >> 4]);
  if (!rename_to(root, name, place))
    unlinkat(root, name, 0);
}

//===- Walking ------------------------------------------------------------===//

static bool is_entry_name(const char *name, int subfolder) {
  if (!luna_cache_name_is_valid(name))
    return false;
  const char *digits = strchr(name, '-') + 1;
  return digits[0] == hex[subfolder >> 4] && digits[1] == hex[subfolder & 15];
}

// Names in tmp/ and quarantine/.
static bool is_other_name(const char *name, int subfolder) {
  size_t length = strlen(name);
  (void)subfolder;
  return length < 48 && strspn(name, "0123456789abcdef-") == length;
}

// Entries as a file system stores them: in blocks.
static uint64_t bytes_on_disk(const struct stat *status) {
  enum { BLOCK = 4096 };
  return ((uint64_t)status->st_size + BLOCK - 1) / BLOCK * BLOCK;
}

typedef struct Visitor {
  void (*visit)(void *context, const LunaCacheFile *file);
  void *context;
  bool (*is_name)(const char *name, int subfolder);
} Visitor;

static void visit_folder(int root, const char *folder, int subfolder,
                         const Visitor *visitor) {
  int at =
      openat(root, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *list = at >= 0 ? fdopendir(at) : NULL;
  if (!list) {
    if (at >= 0)
      close(at);
    return;
  }
  for (struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
    LunaCacheFile file;
    struct stat status;
    if (!visitor->is_name(entry->d_name, subfolder) ||
        fstatat(at, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    snprintf(file.name.text, sizeof file.name.text, "%.12s/%.50s", folder,
             entry->d_name);
    file.bytes = bytes_on_disk(&status);
    file.used = status.st_mtim;
    visitor->visit(visitor->context, &file);
  }
  closedir(list);
}

void luna_cache_visit(int root, int subfolder,
                      void (*visit)(void *context, const LunaCacheFile *file),
                      void *context) {
  Visitor visitor = {visit, context, is_entry_name};
  for (int i = 0; i < LUNA_CACHE_SUBFOLDERS; ++i)
    if (subfolder < 0 || subfolder == i) {
      char folder[3] = {hex[i >> 4], hex[i & 15], '\0'};
      visit_folder(root, folder, i, &visitor);
    }
}

void luna_cache_visit_others(int root, const char *name,
                             void (*visit)(void *context,
                                           const LunaCacheFile *file),
                             void *context) {
  visit_folder(root, name, 0, &(Visitor){visit, context, is_other_name});
}
