// read, write
#define _POSIX_C_SOURCE 200809L

#include "system.h"

#include <stdlib.h>
#include <unistd.h>

int32_t luna_system_read(int32_t file, void *to, size_t bytes) {
  return (int32_t)read(file, to, bytes < 1 << 30 ? bytes : 1 << 30);
}

int32_t luna_system_write(int32_t file, const void *from, size_t bytes) {
  const char *next = from;
  for (size_t left = bytes; left > 0;) {
    ssize_t count = write(file, next, left);
    if (count <= 0)
      return -1;
    next += count;
    left -= (size_t)count;
  }
  return (int32_t)bytes;
}

_Noreturn void luna_system_exit(int32_t code) { exit(code); }
