// Runs a model on a vendor's library, or a mock of it: the port below it, the
// files of its inputs in turn, then those of its outputs. What the model is,
// model.h says, which bench/port-run writes: MODEL_HEADER, MODEL_<what> for
// LUNA_MODEL_<NAME>_<what>, MODEL_INPUTS and MODEL_OUTPUTS, the sizes of both,
// and model_call, its entry with arrays. BEHIND_ARENA_BYTES is how much more
// shared memory there is.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna/port.h"
#include "model.h"

void luna_set_sharedmem(void *base, uint32_t bytes);
void luna_set_check_enable(int is_enabled);

enum { ALIGN = MODEL_ALIGNMENT_BYTES };

void luna_port_fault(const char *why) {
  fprintf(stderr, "port: %s\n", why);
  exit(4);
}

// Of whole granules: a transfer may touch the padding of a tensor.
static void *allocate(size_t bytes) {
  size_t size = (bytes / ALIGN + 2) * ALIGN;
  void *memory = aligned_alloc(ALIGN, size);
  if (memory)
    return memset(memory, 0, size);
  fprintf(stderr, "error: no memory\n");
  exit(2);
}

static void open_file(const char *path, const char *mode, void *data,
                      size_t bytes) {
  FILE *file = fopen(path, mode);
  size_t done = !file          ? 0
                : *mode == 'r' ? fread(data, 1, bytes, file)
                               : fwrite(data, 1, bytes, file);
  if (!file || done != bytes || fclose(file) != 0) {
    fprintf(stderr, "error: %s does not have %zu bytes\n", path, bytes);
    exit(2);
  }
}

int main(int argc, char **argv) {
  static const size_t input_bytes[] = MODEL_INPUTS;
  static const size_t output_bytes[] = MODEL_OUTPUTS;
  enum {
    INPUTS = sizeof input_bytes / sizeof *input_bytes,
    OUTPUTS = sizeof output_bytes / sizeof *output_bytes,
  };
  void *inputs[INPUTS], *outputs[OUTPUTS];
  const size_t shared_bytes = MODEL_ARENA_BYTES + BEHIND_ARENA_BYTES;
  uint8_t *arena = allocate(shared_bytes);
  void *psram = allocate(MODEL_PSRAM_BYTES), *state = NULL;
  if (argc != 1 + INPUTS + OUTPUTS) {
    fprintf(stderr, "usage: %s INPUT… OUTPUT…\n", argv[0]);
    return 2;
  }
  if (MODEL_STATE_BYTES > 0)
    state = allocate(MODEL_STATE_BYTES);
  for (int i = 0; i < INPUTS; ++i) {
    inputs[i] = allocate(input_bytes[i]);
    open_file(argv[1 + i], "rb", inputs[i], input_bytes[i]);
  }
  for (int i = 0; i < OUTPUTS; ++i)
    outputs[i] = allocate(output_bytes[i]);
  luna_set_sharedmem(arena, (uint32_t)shared_bytes);
  luna_set_check_enable(1);
  model_init(psram, state);
  model_call(inputs, outputs, arena, psram, state);
  for (int i = 0; i < OUTPUTS; ++i)
    open_file(argv[1 + INPUTS + i], "wb", outputs[i], output_bytes[i]);
  return 0;
}
