#include "nesting.h"

#include <stdio.h>

enum { NESTING_MAX = 1000 };

// What the text is in the middle of.
typedef enum Within { WITHIN_CODE, WITHIN_STRING, WITHIN_COMMENT } Within;

typedef struct Scan {
  Within within;
  int last; // the character before
  long long line;
  int depth;
} Scan;

// Arrows and comparisons are not brackets.
static int change_of_depth(int last, int c) {
  if (c == '{' || c == '[' || c == '(' || c == '<')
    return 1;
  bool closes = c == '}' || c == ']' || c == ')' || (c == '>' && last != '-');
  return closes ? -1 : 0;
}

static void scan_code(Scan *scan, int c) {
  if (c == '"')
    scan->within = WITHIN_STRING;
  else if (c == '/' && scan->last == '/')
    scan->within = WITHIN_COMMENT;
  else if (c == '=' && scan->last == '>')
    ++scan->depth; // it closed nothing
  else
    scan->depth += change_of_depth(scan->last, c);
  if (scan->depth < 0)
    scan->depth = 0;
}

static void scan_character(Scan *scan, int c) {
  bool is_escaped = scan->within == WITHIN_STRING && scan->last == '\\';
  if (c == '\n') {
    ++scan->line;
    scan->within = WITHIN_CODE;
  } else if (scan->within == WITHIN_CODE) {
    scan_code(scan, c);
  } else if (scan->within == WITHIN_STRING && c == '"' && !is_escaped) {
    scan->within = WITHIN_CODE;
  }
  scan->last = is_escaped ? 0 : c; // a backslash escapes one character
}

// The line where the text is nested too deeply; 0 if it is nowhere.
static long long find_too_deep(FILE *file) {
  Scan scan = {.line = 1};
  for (int c = 0; (c = getc(file)) != EOF;) {
    if (c == 0xEF && scan.line == 1 && scan.last == 'L')
      return 0; // bytecode
    scan_character(&scan, c);
    if (scan.depth > NESTING_MAX)
      return scan.line;
  }
  return 0;
}

bool luna_nesting_check(const char *path, LunaError *error) {
  FILE *file = fopen(path, "rb");
  long long line = file ? find_too_deep(file) : 0;
  if (file)
    fclose(file);
  return line == 0 ||
         luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "line %lld is nested more than %d deep", line,
                        NESTING_MAX);
}
