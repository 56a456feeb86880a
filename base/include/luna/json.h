#ifndef LUNA_JSON_H
#define LUNA_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes JSON into a text, indented by two spaces, keys in the order given.
///
/// Initialise with `{.text = &text}`. Values inside an object take a key,
/// those inside an array take NULL. Strings are escaped; bytes that are not
/// UTF-8 are written as U+FFFD.
typedef struct LunaJson {
  LunaText *text;
  int depth;
  bool has_items;
} LunaJson;

/// Opens an object; `key` is NULL at the top and inside arrays.
void luna_json_begin_object(LunaJson *json, const char *key);
/// Closes the innermost object.
void luna_json_end_object(LunaJson *json);
/// Opens an array.
void luna_json_begin_array(LunaJson *json, const char *key);
/// Closes the innermost array.
void luna_json_end_array(LunaJson *json);
/// Writes a string value; NULL becomes null.
void luna_json_string(LunaJson *json, const char *key, const char *value);
/// Writes an integer value.
void luna_json_integer(LunaJson *json, const char *key, int64_t value);
/// Writes value / 1000 with its three decimals.
void luna_json_thousandths(LunaJson *json, const char *key, uint64_t value);
/// Writes a value that is JSON already; empty becomes null.
void luna_json_value(LunaJson *json, const char *key, const char *text);
/// Writes true or false.
void luna_json_bool(LunaJson *json, const char *key, bool value);

#ifdef __cplusplus
}
#endif

#endif // LUNA_JSON_H
