#ifndef LUNA_JSON_READER_H
#define LUNA_JSON_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"

/// A small reader of JSON for test vectors: whole numbers, no escapes.
typedef enum JsonKind {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT,
} JsonKind;

typedef struct Json {
  JsonKind kind;
  /// Key in the object around it, or NULL.
  const char *key;
  int64_t number;
  const char *string;
  struct Json *first;
  struct Json *next;
} Json;

/// Reads a whole text; ends the program when it is malformed.
Json *json_parse(const char *text, LunaArena *arena);

/// The member of an object by key, or NULL.
const Json *json_get(const Json *object, const char *key);

/// The element of an array by index, or NULL.
const Json *json_at(const Json *array, uint32_t index);

/// The number of elements or members.
uint32_t json_count(const Json *value);

#endif // LUNA_JSON_READER_H
