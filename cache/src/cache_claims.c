#define _GNU_SOURCE // flock

#include "cache_claims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static LunaCacheName claim_name(const LunaCacheDigest *digest) {
  LunaCacheName entry = luna_cache_entry_name("claim", digest), name;
  snprintf(name.text, sizeof name.text, "tmp/%s", strchr(entry.text, '-') + 1);
  return name;
}

// Opens the file of a claim, which whoever held it may be about to remove.
static int open_claim(int root, const char *name) {
  const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  int file = openat(root, name, flags, 0644);
  if (file >= 0 || errno != ENOENT)
    return file;
  mkdirat(root, "tmp", 0755);
  return openat(root, name, flags, 0644);
}

static bool is_current(int root, const char *name, int file) {
  struct stat held, named;
  return fstat(file, &held) == 0 &&
         fstatat(root, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

// Returns a file that is locked; -1 if others hold it, with `may_wait`, or if
// there is none.
static int try_claim(int root, const char *name, bool *may_wait) {
  int file = open_claim(root, name);
  *may_wait = file >= 0;
  if (file < 0)
    return -1;
  if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_current(root, name, file))
    return file;
  close(file);
  return -1;
}

static int await_claim(int root, const char *name) {
  enum { STEP_MS = 5 };
  bool may_wait = true;
  int file = try_claim(root, name, &may_wait);
  for (int waited = 0; file < 0 && may_wait && waited < LUNA_CACHE_CLAIM_MS;
       waited += STEP_MS) {
    nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000}, NULL);
    file = try_claim(root, name, &may_wait);
  }
  return file;
}

void luna_cache_claim(LunaCache *cache, const LunaCacheDigest *digest) {
  int root = cache->claim_count < LUNA_CACHE_CLAIMS_MAX
                 ? luna_cache_open_root(cache, true)
                 : -1;
  if (root < 0)
    return;
  int file = await_claim(root, claim_name(digest).text);
  if (file >= 0)
    cache->claims[cache->claim_count++] = (LunaCacheClaim){*digest, file};
  close(root);
}

// Removed before it is unlocked: who opened it before sees that.
static void release(LunaCache *cache, const LunaCacheClaim *claim) {
  int root = luna_cache_open_root(cache, false);
  if (root >= 0) {
    unlinkat(root, claim_name(&claim->digest).text, 0);
    close(root);
  }
  close(claim->file);
}

void luna_cache_release(LunaCache *cache, const LunaCacheDigest *digest) {
  for (int i = 0; i < cache->claim_count; ++i)
    if (memcmp(&cache->claims[i].digest, digest, sizeof *digest) == 0) {
      release(cache, &cache->claims[i]);
      cache->claims[i] = cache->claims[--cache->claim_count];
      return;
    }
}

void luna_cache_release_all(LunaCache *cache) {
  while (cache->claim_count > 0)
    release(cache, &cache->claims[--cache->claim_count]);
}
