#include "literal_log.h"

#include <string.h>

// That of the run on this thread: compiled code has no argument for it.
static _Thread_local LunaLiteralLog *active;

void luna_literal_begin(LunaLiteralLog *log, const LunaLiteral *literal) {
  *log = (LunaLiteralLog){.literal = literal};
  log->values = LUNA_ARENA_ARRAY(&log->arena, LunaLiteralQueue, literal->count);
  active = log;
}

static void count_strays(LunaLiteralLog *log) {
  for (uint32_t i = 0; log->is_judged && i < log->literal->count; ++i)
    log->strays += log->values[i].values.count - log->values[i].next;
}

void luna_literal_follow(LunaLiteralLog *log, bool is_judged) {
  count_strays(log);
  log->is_followed = true;
  log->is_judged = is_judged;
  for (uint32_t i = 0; i < log->literal->count; ++i)
    log->values[i].next = 0;
  for (uint64_t i = 0; i < log->decisions.count; ++i)
    log->decisions.items[i].next = 0;
}

uint64_t luna_literal_end(LunaLiteralLog *log) {
  count_strays(log);
  luna_arena_destroy(&log->arena);
  active = NULL;
  return log->strays;
}

//===- Decisions ----------------------------------------------------------===//

static LunaLiteralQueue *decisions_of(uint32_t branch) {
  while (active->decisions.count <= branch)
    *LUNA_VECTOR_ADD(&active->arena, &active->decisions) =
        (LunaLiteralQueue){.next = 0};
  return &active->decisions.items[branch];
}

int32_t luna_literal_decide(uint32_t branch, int32_t decision) {
  if (!active)
    return decision;
  LunaLiteralQueue *queue = decisions_of(branch);
  if (!active->is_followed)
    *LUNA_VECTOR_ADD(&active->arena, &queue->decisions) = decision;
  else if (queue->next < queue->decisions.count)
    decision = queue->decisions.items[queue->next++];
  return decision;
}

//===- Values -------------------------------------------------------------===//

static size_t bytes_of(const LunaQuantizer *quantizer) {
  return (size_t)(luna_quantizer_count(quantizer) * quantizer->element_bytes);
}

static void *pointer(int64_t address) { return (void *)(uintptr_t)address; }

void luna_literal_note(int32_t number, int64_t values) {
  if (!active)
    return;
  LunaLiteralQueue *queue = &active->values[number];
  size_t bytes = bytes_of(&active->literal->quantizers[number]);
  void *copy = luna_arena_alloc(&active->arena, bytes, 1);
  memcpy(copy, pointer(values), bytes);
  *LUNA_VECTOR_ADD(&active->arena, &queue->values) = copy;
}

static void judge(const LunaLiteralQueue *queue, int32_t number, int64_t x,
                  int64_t scales, int64_t zeros) {
  const void *single = queue->next < queue->singles.count
                           ? queue->singles.items[queue->next]
                           : NULL;
  luna_quantizer_judge(&active->literal->quantizers[number], pointer(x),
                       pointer(scales), pointer(zeros), single,
                       queue->values.items[queue->next],
                       &active->literal->tallies[number]);
}

void luna_literal_quantize(int32_t number, int64_t x, int64_t scales,
                           int64_t zeros, int64_t result) {
  if (!active)
    return;
  LunaLiteralQueue *queue = &active->values[number];
  const LunaQuantizer *quantizer = &active->literal->quantizers[number];
  size_t bytes = bytes_of(quantizer);
  luna_quantizer_apply(quantizer, pointer(x), pointer(scales), pointer(zeros),
                       active->is_judged, pointer(result));
  if (queue->next == queue->values.count) {
    active->strays += active->is_judged;
    return;
  }
  if (active->is_judged) {
    judge(queue, number, x, scales, zeros);
  } else {
    void *single = luna_arena_alloc(&active->arena, bytes, 1);
    memcpy(single, pointer(result), bytes);
    *LUNA_VECTOR_ADD(&active->arena, &queue->singles) = single;
  }
  memcpy(pointer(result), queue->values.items[queue->next++], bytes);
}

void luna_literal_dequantize(int32_t number, int64_t integers, int64_t scales,
                             int64_t zeros, int64_t result) {
  if (active)
    luna_quantizer_dequantize(
        &active->literal->dequantizers[number], pointer(integers),
        pointer(scales), pointer(zeros), active->is_judged, pointer(result));
}
