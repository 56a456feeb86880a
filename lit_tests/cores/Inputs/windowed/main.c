// Runs driver/Inputs/tiny.mlir above a port that has what it needs: transfers;
// its activations by table are the core's. Ends with 0 if both branches are
// right.

#include <stddef.h>
#include <stdint.h>

#include "luna/unit_port.h"
#include "tiny.h"

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  volatile uint8_t *target = to;
  for (size_t i = 0; i < bytes; ++i)
    target[i] = ((const uint8_t *)from)[i];
  return to;
}

void luna_unit_start_table(const LunaTableDesc *desc, const void *input,
                           const void *table, void *output) {
  (void)desc, (void)input, (void)table, (void)output;
}

void luna_unit_await(void) {}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  memcpy(target, source, (size_t)desc->bytes);
  return 1;
}

void luna_unit_await_transfer(int32_t token) { (void)token; }

static _Alignas(16) uint8_t arena[LUNA_MODEL_TINY_ARENA_BYTES];
static _Alignas(16) int8_t x[16] = {-100, -5, 50, 127}, y[16];
static _Alignas(16) uint8_t flag[16];

static int is_equal(const int8_t *expected) {
  void *weights = (void *)(uintptr_t)luna_model_tiny_weights;
  luna_model_tiny(x, flag, y, arena, weights, NULL);
  for (int i = 0; i < 4; ++i)
    if (y[i] != expected[i])
      return 0;
  return 1;
}

int main(void) {
  static const int8_t otherwise[] = {-10, -5, 10, 10};
  static const int8_t then[] = {0, 0, 50, 100};
  if (!is_equal(otherwise))
    return 1;
  flag[0] = 1;
  return is_equal(then) ? 0 : 2;
}
