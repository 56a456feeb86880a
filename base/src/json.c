#include "luna/json.h"

#include <string.h>

// Length of the UTF-8 sequence at `bytes`, or 0 if it is not valid.
static int utf8_length(const unsigned char *bytes) {
  if (bytes[0] < 0x80)
    return 1;
  int length = bytes[0] >= 0xF0   ? 4
               : bytes[0] >= 0xE0 ? 3
               : bytes[0] >= 0xC2 ? 2
                                  : 0;
  if (bytes[0] > 0xF4)
    return 0;
  for (int i = 1; i < length; ++i)
    if ((bytes[i] & 0xC0) != 0x80)
      return 0;
  return length;
}

static void write_escaped(LunaText *text, const char *value) {
  luna_text_append(text, "\"", 1);
  for (const unsigned char *at = (const unsigned char *)value; *at;) {
    int length = utf8_length(at);
    if (length == 0)
      luna_text_append(text, "\\ufffd", 6);
    else if (*at == '"' || *at == '\\')
      luna_text_printf(text, "\\%c", *at);
    else if (*at < 0x20)
      luna_text_printf(text, "\\u%04x", *at);
    else
      luna_text_append(text, (const char *)at, (size_t)length);
    at += length > 0 ? length : 1;
  }
  luna_text_append(text, "\"", 1);
}

static void new_line(LunaJson *json) {
  luna_text_append(json->text, "\n", 1);
  for (int i = 0; i < json->depth; ++i)
    luna_text_append(json->text, "  ", 2);
}

static void begin_value(LunaJson *json, const char *key) {
  if (json->has_items)
    luna_text_append(json->text, ",", 1);
  if (json->depth > 0)
    new_line(json);
  if (key) {
    write_escaped(json->text, key);
    luna_text_append(json->text, ": ", 2);
  }
  json->has_items = true;
}

static void begin_scope(LunaJson *json, const char *key, const char *bracket) {
  begin_value(json, key);
  luna_text_append(json->text, bracket, 1);
  ++json->depth;
  json->has_items = false;
}

static void end_scope(LunaJson *json, const char *bracket) {
  --json->depth;
  if (json->has_items)
    new_line(json);
  luna_text_append(json->text, bracket, 1);
  json->has_items = true;
  if (json->depth == 0)
    luna_text_append(json->text, "\n", 1);
}

void luna_json_begin_object(LunaJson *json, const char *key) {
  begin_scope(json, key, "{");
}

void luna_json_end_object(LunaJson *json) { end_scope(json, "}"); }

void luna_json_begin_array(LunaJson *json, const char *key) {
  begin_scope(json, key, "[");
}

void luna_json_end_array(LunaJson *json) { end_scope(json, "]"); }

void luna_json_string(LunaJson *json, const char *key, const char *value) {
  begin_value(json, key);
  if (value)
    write_escaped(json->text, value);
  else
    luna_text_append(json->text, "null", 4);
}

void luna_json_integer(LunaJson *json, const char *key, int64_t value) {
  begin_value(json, key);
  luna_text_printf(json->text, "%lld", (long long)value);
}

void luna_json_value(LunaJson *json, const char *key, const char *text) {
  size_t length = text ? strlen(text) : 0;
  while (length > 0 && text[length - 1] == '\n')
    --length;
  begin_value(json, key);
  luna_text_printf(json->text, "%.*s", length > 0 ? (int)length : 4,
                   length > 0 ? text : "null");
}

void luna_json_bool(LunaJson *json, const char *key, bool value) {
  begin_value(json, key);
  luna_text_printf(json->text, "%s", value ? "true" : "false");
}

void luna_json_thousandths(LunaJson *json, const char *key, uint64_t value) {
  begin_value(json, key);
  luna_text_printf(json->text, "%llu.%03llu",
                   (unsigned long long)(value / 1000),
                   (unsigned long long)(value % 1000));
}
