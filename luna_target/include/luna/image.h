#ifndef LUNA_IMAGE_H
#define LUNA_IMAGE_H

// A compiled model in the memories of a chip.
//
// Code, constants, descriptors and weights are loaded: a flash holds them. The
// weights are linked into PSRAM, with what the program needs there after them:
// scratch, then state, then inputs and outputs. The arena is in shared memory.

#include "luna/machine.h"
#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sections of an object file for a chip's core, and of what a program adds to
/// it: memory that is not loaded.
#define LUNA_IMAGE_WEIGHTS ".luna.weights"
#define LUNA_IMAGE_DESCRIPTORS ".rodata.luna"
#define LUNA_IMAGE_MACHINE ".luna.machine"
#define LUNA_IMAGE_PSRAM ".bss.luna.psram"
#define LUNA_IMAGE_SHARED ".bss.luna.shared"

/// The bytes of each part.
typedef struct LunaImage {
  int64_t text_bytes, rodata_bytes, descriptor_bytes, weight_bytes;
  int64_t arena_bytes;
  int64_t scratch_bytes, state_bytes, io_bytes; ///< in PSRAM, not loaded
} LunaImage;

/// Returns what `program` needs of memory, each part aligned to
/// `alignment_bytes`; code and constants are 0.
LunaImage luna_image_of(const LunaProgramInfo *program,
                        uint64_t alignment_bytes);

/// Returns the bytes that are loaded.
int64_t luna_image_loaded_bytes(const LunaImage *image);

/// Returns the bytes of PSRAM, weights included.
int64_t luna_image_psram_bytes(const LunaImage *image);

/// Returns true if the parts fit the memories of `machine`. Fails with
/// LUNA_ERROR_CAPACITY.
bool luna_image_check(const LunaImage *image, const LunaMachine *machine,
                      LunaError *error);

/// Appends a linker script with the memories of `machine` as regions `shared`
/// and `psram` and the sections above in them. Of addresses the lowest
/// `address_bits` count (32 is all): an emulator may have less.
void luna_image_link_script(const LunaMachine *machine, int address_bits,
                            LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_IMAGE_H
