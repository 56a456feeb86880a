#define _POSIX_C_SOURCE 200809L

#include "key_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int digit_at(const char *text) {
  static const char digits[] = "0123456789abcdef";
  const char *found = *text ? strchr(digits, *text) : NULL;
  return found ? (int)(found - digits) : -1;
}

static bool read_key(const char *text, const char *name,
                     uint8_t key[LUNA_KEY_BYTES]) {
  size_t length = strlen(name);
  if (strncmp(text, name, length) != 0 || text[length] != ' ')
    return false;
  text += length + 1;
  for (int i = 0; i < LUNA_KEY_BYTES; ++i, text += 2) {
    int high = digit_at(text), low = high < 0 ? -1 : digit_at(text + 1);
    if (low < 0)
      return false;
    key[i] = (uint8_t)(high << 4 | low);
  }
  return text[strspn(text, "\r\n")] == '\0';
}

static bool read_lines(FILE *file, const char *path, bool is_secret,
                       LunaKeys *keys, char *message, size_t size) {
  const char *name = is_secret ? LUNA_KEY_SECRET : LUNA_KEY_PUBLIC;
  char line[256];
  for (int number = 1; fgets(line, sizeof line, file); ++number) {
    if (*line == '#' || line[strspn(line, " \t\r\n")] == '\0')
      continue;
    if (keys->count == (is_secret ? 1 : LUNA_KEYS_MAX) ||
        !read_key(line, name, keys->keys[keys->count])) {
      snprintf(message, size, "%s:%d: expected %s '%s' and 64 hex digits", path,
               number, is_secret ? "one line," : "lines of", name);
      return false;
    }
    ++keys->count;
  }
  if (keys->count == 0)
    snprintf(message, size, "%s: has no line '%s' and 64 hex digits", path,
             name);
  return keys->count > 0;
}

bool luna_key_file_read(const char *path, bool is_secret, LunaKeys *keys,
                        char *message, size_t size) {
  struct stat status;
  keys->count = 0;
  FILE *file = fopen(path, "re");
  if (!file || fstat(fileno(file), &status) != 0) {
    snprintf(message, size, "cannot read key file '%s': %s", path,
             strerror(errno));
    if (file)
      fclose(file);
    return false;
  }
  bool is_open = is_secret && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (is_open)
    snprintf(message, size,
             "others have access to the secret key '%s'; chmod 600 it", path);
  bool is_read =
      !is_open && read_lines(file, path, is_secret, keys, message, size);
  fclose(file);
  return is_read;
}
