// Remembers what a program computed, in a folder that any number of processes
// share. Needs the cache alone:
//   cc remember.c $(pkg-config --cflags --libs luna-cache)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna/cache.h"

// Stands for something that takes long.
static unsigned long long sum_up_to(unsigned long long last) {
  unsigned long long sum = 0;
  for (unsigned long long i = 1; i <= last; ++i)
    sum += i;
  return sum;
}

static unsigned long long remembered_sum(LunaCache *cache,
                                         unsigned long long last) {
  char record[64];
  snprintf(record, sizeof record, "sum version 1, last %llu", last);
  LunaCacheKey key = {
      .kind = "sum", .record = record, .record_bytes = strlen(record)};
  LunaCacheValue value;
  unsigned long long sum = 0;
  if (luna_cache_get(cache, &key, &value)) {
    memcpy(&sum, value.bytes, value.length == sizeof sum ? sizeof sum : 0);
    luna_cache_value_deinit(&value);
    return sum;
  }
  sum = sum_up_to(last);
  luna_cache_put(cache, &key, &sum, sizeof sum);
  return sum;
}

int main(int argc, char **argv) {
  char *folder = luna_cache_choose_folder(argc > 1 ? argv[1] : NULL);
  LunaCache *cache = luna_cache_open(folder, NULL);
  unsigned long long once = remembered_sum(cache, 1000000);
  unsigned long long again = remembered_sum(cache, 1000000);
  printf("%llu, %llu hits\n", again,
         (unsigned long long)luna_cache_counters(cache).hits);
  luna_cache_close(cache);
  free(folder);
  return once == again ? 0 : 1;
}
