#include "luna/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ALIGN = 16, FIRST_CHUNK_BYTES = 4 * 1024 };

typedef struct LunaArenaChunk {
  struct LunaArenaChunk *next;
  size_t used_bytes;
  size_t capacity_bytes;
  // The arena that it belongs to. Under a guard: the ring of its chunks.
  const LunaArena *arena;
  struct LunaArenaChunk *ring_before, *ring_behind;
} Chunk;

// A call of luna_arena_guard that has not returned.
typedef struct Guard {
  jmp_buf escape;
  struct Guard *outer;
  // The chunks that arenas took since, in a ring that this one closes.
  Chunk ring;
} Guard;

static _Thread_local Guard *innermost_guard;

void luna_out_of_memory(void) {
  if (innermost_guard)
    longjmp(innermost_guard->escape, 1);
  fputs("luna: out of memory\n", stderr);
  abort();
}

static void enter_ring(Chunk *chunk, Chunk *ring) {
  chunk->ring_before = ring;
  chunk->ring_behind = ring->ring_behind;
  ring->ring_behind->ring_before = chunk;
  ring->ring_behind = chunk;
}

static void leave_ring(Chunk *chunk) {
  if (!chunk->ring_before)
    return;
  chunk->ring_before->ring_behind = chunk->ring_behind;
  chunk->ring_behind->ring_before = chunk->ring_before;
  chunk->ring_before = chunk->ring_behind = NULL;
}

// Adds a chunk with room for `needed_bytes`, or returns NULL.
static Chunk *try_chunk(LunaArena *arena, size_t needed_bytes) {
  size_t capacity = arena->chunks ? 2 * arena->chunks->capacity_bytes
                                  : (size_t)FIRST_CHUNK_BYTES;
  if (capacity > (size_t)64 << 20)
    capacity = (size_t)64 << 20;
  if (capacity < needed_bytes)
    capacity = needed_bytes;
  Chunk *chunk = malloc(sizeof(Chunk) + capacity);
  if (!chunk)
    return NULL;
  *chunk = (Chunk){
      .next = arena->chunks, .capacity_bytes = capacity, .arena = arena};
  if (innermost_guard)
    enter_ring(chunk, &innermost_guard->ring);
  arena->chunks = chunk;
  return chunk;
}

static Chunk *add_chunk(LunaArena *arena, size_t needed_bytes) {
  Chunk *chunk = try_chunk(arena, needed_bytes);
  if (!chunk)
    luna_out_of_memory();
  return chunk;
}

bool luna_arena_reserve(LunaArena *arena, uint64_t bytes) {
  const Chunk *chunk = arena->chunks;
  if (chunk && chunk->capacity_bytes - chunk->used_bytes >= bytes)
    return true;
  return bytes <= (SIZE_MAX - sizeof(Chunk)) / 2 &&
         try_chunk(arena, (size_t)bytes) != NULL;
}

// Runs the body in a frame of its own, whose variables a jump may lose. Returns
// false if memory ran out, else true and what the body returns.
static bool run_guarded(Guard *guard,
                        bool (*body)(void *context, LunaError *error),
                        void *context, LunaError *error, bool *result) {
  if (setjmp(guard->escape) != 0)
    return false;
  *result = body(context, error);
  return true;
}

bool luna_arena_guard(const LunaArena *kept, const LunaArena *also_kept,
                      const char *doing,
                      bool (*body)(void *context, LunaError *error),
                      void *context, LunaError *error) {
  Guard guard = {.outer = innermost_guard};
  guard.ring.ring_before = guard.ring.ring_behind = &guard.ring;
  innermost_guard = &guard;
  bool result = false;
  bool ok = run_guarded(&guard, body, context, error, &result);
  innermost_guard = guard.outer;
  Chunk *next = NULL;
  for (Chunk *chunk = guard.ring.ring_behind; chunk != &guard.ring;
       chunk = next) {
    next = chunk->ring_behind;
    leave_ring(chunk);
    if (!ok && chunk->arena != kept && chunk->arena != also_kept)
      free(chunk);
    else if (guard.outer)
      enter_ring(chunk, &guard.outer->ring);
  }
  return ok ? result
            : luna_error_set(error, LUNA_ERROR_MEMORY, LUNA_ERROR_NO_ITEM,
                             "memory ran out while %s", doing);
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
    leave_ring(chunk);
    free(chunk);
    chunk = next;
  }
  arena->chunks = NULL;
}
