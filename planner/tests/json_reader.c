#include "json_reader.h"

#include "check.h"

typedef struct Parser {
  const char *at;
  LunaArena *arena;
} Parser;

static void skip_space(Parser *parser) {
  while (*parser->at == ' ' || *parser->at == '\n' || *parser->at == '\t' ||
         *parser->at == '\r')
    ++parser->at;
}

static bool take(Parser *parser, const char *word) {
  skip_space(parser);
  size_t length = strlen(word);
  if (strncmp(parser->at, word, length) != 0)
    return false;
  parser->at += length;
  return true;
}

static const char *parse_string(Parser *parser) {
  CHECK(take(parser, "\""));
  const char *start = parser->at;
  while (*parser->at != '"' && *parser->at != '\0')
    parser->at += *parser->at == '\\' ? 2 : 1;
  CHECK(*parser->at == '"');
  ++parser->at;
  return luna_arena_strndup(parser->arena, start,
                            (size_t)(parser->at - 1 - start));
}

static Json *parse_value(Parser *parser);

static void parse_members(Parser *parser, Json *value, const char *end) {
  Json **last = &value->first;
  if (take(parser, end))
    return;
  do {
    const char *key = NULL;
    if (value->kind == JSON_OBJECT) {
      key = parse_string(parser);
      CHECK(take(parser, ":"));
    }
    *last = parse_value(parser);
    (*last)->key = key;
    last = &(*last)->next;
  } while (take(parser, ","));
  CHECK(take(parser, end));
}

static Json *parse_value(Parser *parser) {
  Json *value = LUNA_ARENA_ARRAY(parser->arena, Json, 1);
  skip_space(parser);
  if (take(parser, "{")) {
    value->kind = JSON_OBJECT;
    parse_members(parser, value, "}");
  } else if (take(parser, "[")) {
    value->kind = JSON_ARRAY;
    parse_members(parser, value, "]");
  } else if (*parser->at == '"') {
    value->kind = JSON_STRING;
    value->string = parse_string(parser);
  } else if (take(parser, "null")) {
    value->kind = JSON_NULL;
  } else if (take(parser, "true") || take(parser, "false")) {
    value->kind = JSON_BOOL;
  } else {
    char *end = NULL;
    value->kind = JSON_NUMBER;
    value->number = strtoll(parser->at, &end, 10);
    CHECK(end != parser->at);
    // A fraction is cut off.
    end += strspn(end, ".0123456789eE+-");
    parser->at = end;
  }
  return value;
}

Json *json_parse(const char *text, LunaArena *arena) {
  Parser parser = {.at = text, .arena = arena};
  Json *value = parse_value(&parser);
  skip_space(&parser);
  CHECK(*parser.at == '\0');
  return value;
}

const Json *json_get(const Json *object, const char *key) {
  for (const Json *member = object->first; member; member = member->next)
    if (member->key && strcmp(member->key, key) == 0)
      return member;
  return NULL;
}

const Json *json_at(const Json *array, uint32_t index) {
  const Json *element = array->first;
  while (element && index-- > 0)
    element = element->next;
  return element;
}

uint32_t json_count(const Json *value) {
  uint32_t count = 0;
  for (const Json *element = value->first; element; element = element->next)
    ++count;
  return count;
}
