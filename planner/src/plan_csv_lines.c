// The text of CSV: lines, fields and numbers.

#include "plan_csv_lines.h"

// Returns the number of bytes of the UTF-8 character at `text`, or 0.
static size_t character_length(const unsigned char *text, size_t left) {
  unsigned char lead = text[0];
  size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead == 0 || (lead >= 0x80 && lead < 0xc2) || lead > 0xf4 ||
      length > left)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

bool luna_csv_find_bad_text(const char *bytes, size_t length, uint32_t *line,
                            uint32_t *column) {
  uint32_t number = 1;
  size_t line_start = 0;
  for (size_t at = 0; at < length;) {
    size_t step =
        character_length((const unsigned char *)bytes + at, length - at);
    if (step == 0) {
      *line = number;
      *column = (uint32_t)(at - line_start + 1);
      return true;
    }
    if (bytes[at] == '\n') {
      ++number;
      line_start = at + 1;
    }
    at += step;
  }
  return false;
}

bool luna_csv_next_line(const char *bytes, size_t length, size_t *at,
                        uint32_t *number, LunaCsvLine *line) {
  while (*at < length) {
    size_t start = *at, end = start;
    while (end < length && bytes[end] != '\n')
      ++end;
    *at = end + 1;
    ++*number;
    if (end > start && bytes[end - 1] == '\r')
      --end;
    *line = (LunaCsvLine){bytes + start, (uint32_t)(end - start), *number};
    if (end > start)
      return true;
  }
  return false;
}

uint32_t luna_csv_split(LunaCsvLine line, LunaCsvField *fields) {
  uint32_t count = 0, start = 0;
  for (uint32_t at = 0; at <= line.length; ++at) {
    if (at < line.length && line.text[at] != ',')
      continue;
    if (count == LUNA_CSV_MAX_COLUMNS)
      return LUNA_CSV_MAX_COLUMNS + 1;
    uint32_t first = start, end = at;
    while (first < end && line.text[first] == ' ')
      ++first;
    while (end > first && line.text[end - 1] == ' ')
      --end;
    fields[count++] = (LunaCsvField){line.text + first, end - first, first + 1};
    start = at + 1;
  }
  return count;
}

bool luna_csv_number(const char *text, uint32_t length, int64_t *number) {
  bool is_negative = length > 0 && text[0] == '-';
  uint32_t at = is_negative ? 1 : 0;
  if (at == length)
    return false;
  int64_t value = 0;
  for (; at < length; ++at) {
    if (text[at] < '0' || text[at] > '9')
      return false;
    int digit = text[at] - '0';
    if (value > (INT64_MAX - digit) / 10)
      return false;
    value = 10 * value + digit;
  }
  *number = is_negative ? -value : value;
  return true;
}
