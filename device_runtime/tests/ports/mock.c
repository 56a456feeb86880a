#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t shared_begin, shared_end;

// The transfer in flight, of `transfer_bytes` above 0.
static uint8_t *transfer_target;
static const uint8_t *transfer_source;
static int32_t transfer_bytes;
static int transfer_count;
static void (*on_end)(void);

void luna_set_sharedmem(void *base, uint32_t bytes) {
  shared_begin = (uintptr_t)base;
  shared_end = shared_begin + bytes;
}

void luna_set_check_enable(int is_enabled) { (void)is_enabled; }

_Noreturn void mock_refuse(const char *call, const char *rule) {
  fprintf(stderr, "mock: %s: %s\n", call, rule);
  exit(3);
}

void mock_reads(const char *call, const void *data, int64_t count,
                int32_t element_bytes) {
  uintptr_t begin = (uintptr_t)data;
  if (begin < shared_begin ||
      begin + (uintptr_t)(count * element_bytes) > shared_end)
    mock_refuse(call, "an operand is not in shared memory");
  if (begin % (uintptr_t)element_bytes != 0)
    mock_refuse(call, "an operand is not aligned");
}

static int meets(const void *data, int64_t bytes, const void *end) {
  uintptr_t begin = (uintptr_t)data, other = (uintptr_t)end;
  return begin < other + (uintptr_t)transfer_bytes &&
         other < begin + (uintptr_t)bytes;
}

void mock_writes(const char *call, const void *data, int64_t count,
                 int32_t element_bytes) {
  mock_reads(call, data, count, element_bytes);
  if (transfer_bytes > 0 &&
      (meets(data, count * element_bytes, transfer_target) ||
       meets(data, count * element_bytes, transfer_source)))
    mock_refuse(call, "writes into an end of the transfer in flight");
}

// The bytes arrive at the end: what is read before is not there.
void dma_cpy_async(int channel, void *target, void *source, int32_t bytes) {
  static const char call[] = "dma_cpy_async";
  if (channel != 0)
    mock_refuse(call, "channel");
  if (transfer_bytes > 0)
    mock_refuse(call, "another transfer is in flight");
  if (bytes <= 0 || bytes % 4 != 0 || (uintptr_t)target % 4 != 0 ||
      (uintptr_t)source % 4 != 0)
    mock_refuse(call, "a transfer is not of whole granules");
  transfer_target = target;
  transfer_source = source;
  transfer_bytes = bytes;
  ++transfer_count;
  if (on_end)
    on_end();
}

void mock_end_with(void (*callback)(void)) { on_end = callback; }

int mock_transfers(void) { return transfer_count; }

void dma_wait_complete(int channel) {
  (void)channel;
  if (transfer_bytes == 0)
    mock_refuse("dma_wait_complete", "no transfer is in flight");
  memcpy(transfer_target, transfer_source, (size_t)transfer_bytes);
  transfer_bytes = 0;
}

int64_t mock_shift(MockWide value, uint32_t shift) {
  if (shift == 0)
    return mock_saturate(value, 64);
  if (shift > 96)
    return 0;
  return mock_saturate((value + ((MockWide)1 << (shift - 1))) >> shift, 64);
}

int64_t mock_saturate(MockWide value, int32_t bits) {
  MockWide high = ((MockWide)1 << (bits - 1)) - 1;
  return (int64_t)(value > high ? high : value < -high - 1 ? -high - 1 : value);
}

int64_t mock_load(const void *data, int32_t bits, int64_t i) {
  return bits == 8    ? ((const int8_t *)data)[i]
         : bits == 16 ? ((const int16_t *)data)[i]
                      : ((const int32_t *)data)[i];
}

void mock_store(void *data, int32_t bits, int64_t i, int64_t value) {
  if (bits == 8)
    ((int8_t *)data)[i] = (int8_t)value;
  else if (bits == 16)
    ((int16_t *)data)[i] = (int16_t)value;
  else
    ((int32_t *)data)[i] = (int32_t)value;
}
