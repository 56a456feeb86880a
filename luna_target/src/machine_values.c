#include "machine_values.h"

#include <stdlib.h>
#include <string.h>

#include "luna/machine.h"

bool luna_machine_refuse(const char *label, const xmlNode *node,
                         const char *what, LunaError *error) {
  long line = xmlGetLineNo(node);
  return luna_error_set(
      error, LUNA_ERROR_SETUP, line > 0 ? (uint64_t)line : LUNA_ERROR_NO_ITEM,
      "%s:%ld: element '%s': %s", label, line, (const char *)node->name, what);
}

xmlNode *luna_machine_child(const xmlNode *node, const char *name) {
  for (xmlNode *at = node->children; at; at = at->next)
    if (at->type == XML_ELEMENT_NODE && !strcmp((const char *)at->name, name))
      return at;
  return NULL;
}

static const char spaces[] = " \t\r\n";

uint64_t luna_machine_number(const xmlNode *node, const char *name) {
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
  const char *digits = text ? (const char *)text : "0";
  digits += strspn(digits, " \t\r\n+");
  bool is_hexadecimal = !strncmp(digits, "0x", 2);
  uint64_t value = strtoull(digits, NULL, is_hexadecimal ? 16 : 10);
  xmlFree(text);
  return value;
}

void luna_machine_list_value(const xmlNode *node, uint32_t values[4]) {
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)"value");
  char *at = (char *)text;
  memset(values, 0, 4 * sizeof values[0]);
  for (int i = 0; at && i < 4; ++i) {
    char *end = at;
    values[i] = (uint32_t)strtoul(at, &end, 10);
    if (end == at)
      break;
    at = end;
  }
  xmlFree(text);
}

bool luna_machine_boolean(const xmlNode *node, const char *name) {
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
  const char *word = text ? (const char *)text : "";
  word += strspn(word, spaces);
  bool value = !strncmp(word, "true", 4) || word[0] == '1';
  xmlFree(text);
  return value;
}

void luna_machine_text(const xmlNode *node, const char *name, char *to,
                       size_t bytes) {
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
  strncpy(to, text ? (const char *)text : "", bytes - 1);
  xmlFree(text);
}

// A word of the schema's types "types" and "memories".
static uint32_t bit_of(const char *word, size_t length) {
  static const struct {
    const char *word;
    uint32_t bit;
  } memories[] = {{"shared", LUNA_IN_SHARED},
                  {"psram", LUNA_IN_PSRAM},
                  {"flash", LUNA_IN_FLASH}};
  for (size_t i = 0; i < sizeof memories / sizeof memories[0]; ++i)
    if (strlen(memories[i].word) == length &&
        !strncmp(word, memories[i].word, length))
      return memories[i].bit;
  return (uint32_t)strtoul(word + 1, NULL, 10); // "i8"
}

uint32_t luna_machine_set(const xmlNode *node, const char *name) {
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
  uint32_t set = 0;
  for (const char *at = text ? (const char *)text : ""; *at;) {
    at += strspn(at, spaces);
    size_t length = strcspn(at, spaces);
    set |= length > 0 ? bit_of(at, length) : 0;
    at += length;
  }
  xmlFree(text);
  return set;
}
