// Any bytes are either a machine whose summary can be printed or an error.

#include <stdint.h>
#include <stdlib.h>

#include "luna/cost.h"
#include "luna/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaMachine machine;
  LunaError error = {0};
  if (!luna_machine_parse((const char *)data, size, "fuzz", NULL, &machine,
                          &error)) {
    if (error.code != LUNA_ERROR_SETUP || error.message[0] == 0)
      abort();
    return 0;
  }
  LunaText text = {0};
  luna_machine_describe(&machine, &text);
  luna_text_deinit(&text);
  for (int32_t i = 0; i < LUNA_DMA_DIRECTION_COUNT; ++i)
    if (luna_cost_dma(&machine, i, 4096) > luna_cost_dma(&machine, i, 1 << 20))
      abort();
  return 0;
}
