#include "reference_runtime.h"

#include <stdlib.h>
#include <string.h>

#include "literal_log.h"
#include "luna-c/upstream.h"

// The state of a run of compiled code, which has no argument for it.
static _Thread_local const LunaDecision *active_decisions;
static _Thread_local uint32_t active_count;

// Memory that a run allocates, freed after it: upstream leaves deallocation to
// a separate pass.
typedef struct Block {
  struct Block *next;
  void *padding; // keeps what follows aligned to 16 bytes
} Block;
static _Thread_local Block *active_blocks;

static int32_t decide(int32_t branch, int32_t decision) {
  bool is_known = branch >= 0 && (uint32_t)branch < active_count;
  if (is_known && active_decisions[branch].is_forced)
    decision = active_decisions[branch].value;
  return luna_literal_decide((uint32_t)branch, decision);
}

static void *allocate(size_t bytes) {
  Block *block = malloc(sizeof *block + bytes);
  if (!block)
    abort();
  block->next = active_blocks;
  active_blocks = block;
  return block + 1;
}

static void release(void *pointer) { (void)pointer; }

// An unranked memref in MLIR's lowering: rank and descriptor.
typedef struct Unranked {
  int64_t rank;
  void *descriptor;
} Unranked;

// The descriptor of a ranked memref, followed by sizes and strides.
typedef struct Ranked {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
} Ranked;

static void copy_box(int64_t rank, int64_t element_bytes, const int64_t *sizes,
                     const char *source, const int64_t *source_strides,
                     char *target, const int64_t *target_strides) {
  if (rank == 0) {
    memcpy(target, source, (size_t)element_bytes);
    return;
  }
  for (int64_t i = 0; i < *sizes; ++i)
    copy_box(rank - 1, element_bytes, sizes + 1,
             source + i * *source_strides * element_bytes, source_strides + 1,
             target + i * *target_strides * element_bytes, target_strides + 1);
}

// The function that upstream lowers a strided memref.copy to.
static void copy_memref(int64_t element_bytes, Unranked *source,
                        Unranked *target) {
  const Ranked *from = source->descriptor;
  Ranked *to = target->descriptor;
  int64_t rank = source->rank;
  copy_box(rank, element_bytes, from->sizes_and_strides,
           from->aligned + from->offset * element_bytes,
           from->sizes_and_strides + rank,
           to->aligned + to->offset * element_bytes,
           to->sizes_and_strides + rank);
}

//===- Transfers ----------------------------------------------------------===//

// A transfer in flight: it copies when it is awaited. Its number in the list
// is its token; 0 is that of no transfer.
typedef struct Transfer {
  struct Transfer *next;
  const void *source;
  void *target;
  size_t bytes;
  int64_t token;
} Transfer;
static _Thread_local Transfer *active_transfers; // the latest first

static int64_t start_transfer(int64_t source, int64_t target, int64_t bytes) {
  Transfer *transfer = allocate(sizeof *transfer);
  *transfer = (Transfer){
      .next = active_transfers,
      .source = (const void *)(uintptr_t)source,
      .target = (void *)(uintptr_t)target,
      .bytes = (size_t)bytes,
      .token = active_transfers ? active_transfers->token + 1 : 1,
  };
  active_transfers = transfer;
  return transfer->token;
}

static int64_t await_transfer(int64_t token) {
  Transfer *transfer = active_transfers;
  while (transfer && transfer->token != token)
    transfer = transfer->next;
  if (transfer)
    memmove(transfer->target, transfer->source, transfer->bytes);
  return token;
}

const LunaRuntimeSymbol *luna_reference_symbols(uint64_t *count) {
  static const LunaRuntimeSymbol symbols[] = {
      {LUNA_REFERENCE_HOOK, (void (*)(void))decide},
      {"malloc", (void (*)(void))allocate},
      {"free", (void (*)(void))release},
      {"memrefCopy", (void (*)(void))copy_memref},
      {LUNA_HOST_DMA_START, (void (*)(void))start_transfer},
      {LUNA_HOST_DMA_WAIT, (void (*)(void))await_transfer},
      {LUNA_LITERAL_HOOK_NOTE, (void (*)(void))luna_literal_note},
      {LUNA_LITERAL_HOOK_QUANTIZE, (void (*)(void))luna_literal_quantize},
      {LUNA_LITERAL_HOOK_DEQUANTIZE, (void (*)(void))luna_literal_dequantize},
  };
  *count = sizeof symbols / sizeof symbols[0];
  return symbols;
}

void luna_reference_begin(const LunaDecision *decisions, uint32_t count) {
  active_decisions = decisions;
  active_count = count;
}

void luna_reference_end(void) {
  active_decisions = NULL;
  active_count = 0;
  active_transfers = NULL;
  while (active_blocks) {
    Block *next = active_blocks->next;
    free(active_blocks);
    active_blocks = next;
  }
}
