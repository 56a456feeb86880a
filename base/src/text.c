#define _POSIX_C_SOURCE 200809L

#include "luna/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "luna/arena.h"
#include "luna/output.h"

static void reserve(LunaText *text, size_t extra) {
  size_t needed = text->length + extra + 1;
  if (needed <= text->capacity)
    return;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < needed)
    capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (!data)
    luna_out_of_memory();
  text->data = data;
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
  free(text->data);
  *text = (LunaText){0};
}

bool luna_text_read_file(LunaText *text, const char *path, size_t limit_bytes,
                         LunaError *error) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &status) != 0 || S_ISDIR(status.st_mode)) {
    int reason = file && errno == 0 ? EISDIR : errno;
    if (file)
      fclose(file);
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "cannot open '%s': %s", path,
                          strerror(reason ? reason : EISDIR));
  }
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

bool luna_text_write_file(const char *path, const void *bytes, size_t length,
                          LunaError *error) {
  LunaOutput output;
  if (!luna_output_open(&output, path, error))
    return false;
  luna_output_write(&output, bytes, length);
  return luna_output_close(&output, error);
}
