#define _POSIX_C_SOURCE 200809L

#include "luna/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "luna/arena.h"
#include "luna/output.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

size_t luna_text_distance(const char *a, size_t a_length, const char *b) {
  size_t b_length = strlen(b), row[32];
  if (a_length > 31 || b_length > 31)
    return 32;
  for (size_t j = 0; j <= b_length; ++j)
    row[j] = j;
  for (size_t i = 1; i <= a_length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = smaller(replaced, 1 + smaller(row[j], row[j - 1]));
    }
  }
  return row[b_length];
}

static char *resize(const LunaText *text, size_t capacity) {
  char *data = text->arena ? luna_arena_alloc(text->arena, capacity, 1)
                           : realloc(text->data, capacity);
  if (!data)
    luna_out_of_memory();
  if (text->arena && text->length > 0)
    memcpy(data, text->data, text->length);
  return data;
}

static void reserve(LunaText *text, size_t extra) {
  size_t needed = text->length + extra + 1;
  if (needed <= text->capacity)
    return;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < needed)
    capacity *= 2;
  text->data = resize(text, capacity);
  text->capacity = capacity;
}

void luna_text_append(LunaText *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length > 0)
    memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void luna_text_printf(LunaText *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length >= 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void luna_text_deinit(LunaText *text) {
  if (!text->arena)
    free(text->data);
  *text = (LunaText){.arena = text->arena};
}

static bool cannot_open(const char *path, int reason, LunaError *error) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "cannot open '%s': %s", path, strerror(reason));
}

// Reads and closes `file`.
static bool read_whole(LunaText *text, FILE *file, const char *path,
                       size_t limit_bytes, LunaError *error) {
  char block[65536];
  size_t start = text->length, got = 0;
  while ((got = fread(block, 1, sizeof block, file)) > 0 &&
         text->length - start <= limit_bytes)
    luna_text_append(text, block, got);
  bool failed = ferror(file) != 0;
  fclose(file);
  if (failed)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "cannot read '%s'", path);
  if (text->length - start > limit_bytes)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "'%s' is larger than the %zu bytes allowed", path,
                          limit_bytes);
  return true;
}

bool luna_text_read_file(LunaText *text, const char *path, size_t limit_bytes,
                         LunaError *error) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  if (!file)
    return cannot_open(path, errno, error);
  if (fstat(fileno(file), &status) != 0 || S_ISDIR(status.st_mode)) {
    fclose(file);
    return cannot_open(path, EISDIR, error);
  }
  return read_whole(text, file, path, limit_bytes, error);
}

// Opens `path` below `folder`, one part after the other, without following a
// link or waiting for the writer of a pipe. The descriptor, or -1 with errno.
static int open_below(const char *folder, const char *path) {
  int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  LunaText part = {0};
  while (at >= 0 && *path) {
    size_t length = strcspn(path, "/");
    bool is_last = path[length] == '\0';
    part.length = 0;
    luna_text_append(&part, path, length);
    int next = openat(at, length ? part.data : ".",
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
                          (is_last ? 0 : O_DIRECTORY));
    int reason = errno;
    close(at);
    errno = reason;
    at = next;
    path += length + !is_last;
  }
  luna_text_deinit(&part);
  return at;
}

bool luna_text_read_below(LunaText *text, const char *folder, const char *path,
                          size_t limit_bytes, LunaError *error) {
  struct stat status;
  int descriptor = open_below(folder, path);
  // A link is refused with ELOOP, or ENOTDIR where a folder must be.
  if (descriptor < 0 && errno != ELOOP && errno != ENOTDIR)
    return cannot_open(path, errno, error);
  bool is_file = descriptor >= 0 && fstat(descriptor, &status) == 0 &&
                 S_ISREG(status.st_mode);
  FILE *file = is_file ? fdopen(descriptor, "rb") : NULL;
  if (file)
    return read_whole(text, file, path, limit_bytes, error);
  if (descriptor >= 0)
    close(descriptor);
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "'%s' is not a regular file (links are not followed)",
                        path);
}

bool luna_text_write_file(const char *path, const void *bytes, size_t length,
                          LunaError *error) {
  LunaOutput output;
  if (!luna_output_open(&output, path, error))
    return false;
  luna_output_write(&output, bytes, length);
  return luna_output_close(&output, error);
}
