#include "luna/image.h"

#include <inttypes.h>

#include "luna/checked.h"

static int64_t align(int64_t bytes, uint64_t alignment_bytes) {
  int64_t step = (int64_t)alignment_bytes;
  return luna_ceil_div(bytes, step) * step;
}

static int64_t tensors_bytes(const LunaProgramInfo *program,
                             const LunaProgramTensor *tensors, uint32_t count,
                             uint64_t alignment_bytes) {
  int64_t bytes = 0;
  static uint8_t chip;
  for (uint32_t i = 0; i < count; ++i)
    if (!luna_program_argument(program, &tensors[i], &chip))
      bytes += align(tensors[i].bytes, alignment_bytes);
  return bytes;
}

LunaImage luna_image_of(const LunaProgramInfo *program,
                        uint64_t alignment_bytes) {
  return (LunaImage){
      .weight_bytes = program->weight_bytes,
      .arena_bytes = program->arena_bytes,
      .scratch_bytes = align(program->psram_scratch_bytes, alignment_bytes),
      .state_bytes = align(program->state_bytes, alignment_bytes),
      .io_bytes = tensors_bytes(program, program->inputs, program->input_count,
                                alignment_bytes) +
                  tensors_bytes(program, program->outputs,
                                program->output_count, alignment_bytes),
  };
}

int64_t luna_image_loaded_bytes(const LunaImage *image) {
  return image->text_bytes + image->rodata_bytes + image->descriptor_bytes +
         image->weight_bytes;
}

int64_t luna_image_psram_bytes(const LunaImage *image) {
  return image->weight_bytes + image->scratch_bytes + image->state_bytes +
         image->io_bytes;
}

static bool fits(int64_t bytes, const LunaMemory *memory) {
  return (uint64_t)bytes <= memory->bytes;
}

bool luna_image_check(const LunaImage *image, const LunaMachine *machine,
                      LunaError *error) {
  if (!fits(image->arena_bytes, &machine->shared))
    return luna_error_set(error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                          "the arena takes %" PRId64
                          " bytes of shared memory, machine '%s' has %" PRIu64,
                          image->arena_bytes, machine->name,
                          machine->shared.bytes);
  if (!fits(luna_image_psram_bytes(image), &machine->psram))
    return luna_error_set(
        error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
        "the program takes %" PRId64 " bytes of PSRAM (weights %" PRId64
        ", scratch %" PRId64 ", state %" PRId64 ", inputs and outputs %" PRId64
        "), machine '%s' has %" PRIu64,
        luna_image_psram_bytes(image), image->weight_bytes,
        image->scratch_bytes, image->state_bytes, image->io_bytes,
        machine->name, machine->psram.bytes);
  if (!fits(luna_image_loaded_bytes(image), &machine->flash))
    return luna_error_set(
        error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
        "the program takes %" PRId64 " bytes of flash (code %" PRId64
        ", constants %" PRId64 ", descriptors %" PRId64 ", weights %" PRId64
        "), machine '%s' has %" PRIu64,
        luna_image_loaded_bytes(image), image->text_bytes, image->rodata_bytes,
        image->descriptor_bytes, image->weight_bytes, machine->name,
        machine->flash.bytes);
  return true;
}

static void add_region(const char *name, const LunaMemory *memory,
                       int address_bits, LunaText *text) {
  uint64_t mask = (UINT64_C(1) << address_bits) - 1;
  luna_text_printf(text,
                   "  %s : ORIGIN = 0x%08" PRIx64 ", LENGTH = %" PRIu64 "\n",
                   name, memory->base_address & mask, memory->bytes);
}

void luna_image_link_script(const LunaMachine *machine, int address_bits,
                            LunaText *text) {
  luna_text_printf(text,
                   "/* The memories of machine '%s', and what a compiled "
                   "model has in them. */\nMEMORY {\n",
                   machine->name);
  add_region("shared", &machine->shared, address_bits, text);
  add_region("psram", &machine->psram, address_bits, text);
  luna_text_printf(text, "}\nSECTIONS {\n"
                         "  .luna.weights : { *(" LUNA_IMAGE_WEIGHTS ") }"
                         " > psram\n"
                         "  .luna.psram (NOLOAD) : { *(" LUNA_IMAGE_PSRAM ") }"
                         " > psram\n"
                         "  .luna.shared (NOLOAD) : { *(" LUNA_IMAGE_SHARED
                         ") } > shared\n}\n");
}
