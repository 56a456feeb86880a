#include "luna/core.h"

int32_t luna_core_dma_start(const LunaDmaDesc *desc, void *target,
                            const void *source) {
  return luna_unit_start_transfer(desc, target, source);
}

void luna_core_dma_wait(int32_t token) {
  if (token != 0)
    luna_unit_await_transfer(token);
}
