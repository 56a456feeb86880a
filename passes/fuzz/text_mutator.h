#ifndef TEXT_MUTATOR_H
#define TEXT_MUTATOR_H

// Changes of texts of IR that leave most of them readable: numbers, names and
// lines are replaced by others, of the same text where possible.

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

typedef struct Piece {
  size_t begin, end;
} Piece;

typedef struct Dice {
  uint64_t state;
} Dice;

static inline size_t roll(Dice *dice, size_t sides) {
  dice->state = dice->state * UINT64_C(6364136223846793005) + 1;
  return sides == 0 ? 0 : (size_t)((dice->state >> 33) % sides);
}

static inline int is_word(uint8_t c) {
  return isalnum(c) || c == '_' || c == '.' || c == '%' || c == '@' ||
         c == '#' || c == '^' || c == '!' || c == '-';
}

// The word at or behind a random place; empty if there is none.
static inline Piece pick_word(Dice *dice, const uint8_t *data, size_t size) {
  size_t at = roll(dice, size);
  while (at > 0 && is_word(data[at - 1]))
    --at;
  while (at < size && !is_word(data[at]))
    ++at;
  size_t end = at;
  while (end < size && is_word(data[end]))
    ++end;
  return (Piece){at, end};
}

// The line around a random place, with its end.
static inline Piece pick_line(Dice *dice, const uint8_t *data, size_t size) {
  size_t at = roll(dice, size), end = at;
  while (at > 0 && data[at - 1] != '\n')
    --at;
  while (end < size && data[end] != '\n')
    ++end;
  return (Piece){at, end < size ? end + 1 : end};
}

// What sort of word starts with `c`: a number, a name with a sign, or another.
static inline int sort_of(uint8_t c) {
  return isdigit(c) || c == '-' ? '0' : isalpha(c) || c == '_' ? 'a' : c;
}

// Replaces `old` by `count` bytes; gives the new size, the old one if there is
// no room.
static inline size_t replace(uint8_t *data, size_t size, size_t max_size,
                             Piece old, const void *bytes, size_t count) {
  size_t length = old.end - old.begin;
  if (size - length + count > max_size)
    return size;
  memmove(data + old.begin + count, data + old.end, size - old.end);
  memcpy(data + old.begin, bytes, count);
  return size - length + count;
}

static inline size_t replace_number(Dice *dice, uint8_t *data, size_t size,
                                    size_t max_size, Piece word) {
  static const int64_t numbers[] = {
      0,   1,   2,     3,         7,         8,         16,        64,
      255, 256, 65536, INT32_MAX, INT64_MAX, INT32_MIN, INT64_MIN, -1};
  char text[32];
  int64_t number = numbers[roll(dice, sizeof numbers / sizeof numbers[0])];
  int count = snprintf(text, sizeof text, "%" PRId64, number);
  return replace(data, size, max_size, word, text, (size_t)count);
}

// Replaces a word by another of its sort, or a number by another.
static inline size_t change_word(Dice *dice, uint8_t *data, size_t size,
                                 size_t max_size) {
  char text[64];
  Piece word = pick_word(dice, data, size), other = word;
  if (word.begin == word.end)
    return size;
  if (sort_of(data[word.begin]) == '0' && roll(dice, 2) == 0)
    return replace_number(dice, data, size, max_size, word);
  for (int tries = 0; tries < 32; ++tries) {
    other = pick_word(dice, data, size);
    if (other.end - other.begin <= sizeof text && other.begin < other.end &&
        sort_of(data[other.begin]) == sort_of(data[word.begin]))
      break;
    other = word;
  }
  if (other.end - other.begin > sizeof text)
    return size;
  memcpy(text, data + other.begin, other.end - other.begin);
  return replace(data, size, max_size, word, text, other.end - other.begin);
}

// Removes a line, or copies it to another place.
static inline size_t change_lines(Dice *dice, uint8_t *data, size_t size,
                                  size_t max_size) {
  char text[1024];
  Piece line = pick_line(dice, data, size);
  size_t count = line.end - line.begin;
  if (roll(dice, 2) == 0 || count > sizeof text)
    return replace(data, size, max_size, line, "", 0);
  memcpy(text, data + line.begin, count);
  size_t at = pick_line(dice, data, size).begin;
  return replace(data, size, max_size, (Piece){at, at}, text, count);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed) {
  Dice dice = {seed};
  for (size_t changes = 1 + roll(&dice, 3); changes > 0 && size > 0;
       --changes) {
    size_t kind = roll(&dice, 10);
    if (kind == 0)
      data[roll(&dice, size)] = (uint8_t)(32 + roll(&dice, 95));
    else if (kind < 3)
      size = change_lines(&dice, data, size, max_size);
    else
      size = change_word(&dice, data, size, max_size);
  }
  return size;
}

#endif // TEXT_MUTATOR_H
