#include "luna/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ALIGN = 16, FIRST_CHUNK_BYTES = 64 * 1024 };

typedef struct LunaArenaChunk {
  struct LunaArenaChunk *next;
  size_t used_bytes;
  size_t capacity_bytes;
  size_t padding;
} Chunk;

void luna_out_of_memory(void) {
  fputs("luna: out of memory\n", stderr);
  abort();
}

static Chunk *add_chunk(LunaArena *arena, size_t needed_bytes) {
  size_t capacity = arena->chunks ? 2 * arena->chunks->capacity_bytes
                                  : (size_t)FIRST_CHUNK_BYTES;
  if (capacity > (size_t)64 << 20)
    capacity = (size_t)64 << 20;
  if (capacity < needed_bytes)
    capacity = needed_bytes;
  Chunk *chunk = malloc(sizeof(Chunk) + capacity);
  if (!chunk)
    luna_out_of_memory();
  *chunk = (Chunk){.next = arena->chunks, .capacity_bytes = capacity};
  arena->chunks = chunk;
  return chunk;
}

void *luna_arena_alloc(LunaArena *arena, uint64_t count,
                       uint64_t element_bytes) {
  uint64_t limit = (SIZE_MAX - sizeof(Chunk)) / 2;
  if (element_bytes != 0 && count > limit / element_bytes)
    luna_out_of_memory();
  size_t bytes = (size_t)(count * element_bytes);
  bytes = (bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
  Chunk *chunk = arena->chunks;
  if (!chunk || chunk->capacity_bytes - chunk->used_bytes < bytes)
    chunk = add_chunk(arena, bytes);
  char *block = (char *)(chunk + 1) + chunk->used_bytes;
  chunk->used_bytes += bytes;
  memset(block, 0, bytes);
  return block;
}

void *luna_arena_grow(LunaArena *arena, const void *old, uint64_t old_count,
                      uint64_t new_count, uint64_t element_bytes) {
  void *block = luna_arena_alloc(arena, new_count, element_bytes);
  if (old_count > 0)
    memcpy(block, old, (size_t)(old_count * element_bytes));
  return block;
}

char *luna_arena_strndup(LunaArena *arena, const char *text, size_t length) {
  char *copy = luna_arena_alloc(arena, length + 1, 1);
  if (length > 0)
    memcpy(copy, text, length);
  return copy;
}

char *luna_arena_printf(LunaArena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text =
      luna_arena_alloc(arena, (uint64_t)(length < 0 ? 0 : length) + 1, 1);
  if (length > 0)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void luna_arena_destroy(LunaArena *arena) {
  for (Chunk *chunk = arena->chunks; chunk;) {
    Chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  arena->chunks = NULL;
}
