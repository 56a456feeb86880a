#ifndef LUNA_MACHINE_H
#define LUNA_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One memory of the machine.
typedef struct LunaMemory {
  uint64_t bytes;
  uint64_t base_address; ///< as the core sees it
} LunaMemory;

/// One point of a measured transfer table.
typedef struct LunaDmaPoint {
  uint64_t bytes;
  uint64_t cycles;
} LunaDmaPoint;

enum { LUNA_DMA_POINTS_MAX = 32, LUNA_DMA_DIRECTION_COUNT = 3 };

/// What a transfer in one direction costs: the measured table where there is
/// one, beyond its ends and without one startup + bytes * numerator /
/// denominator.
typedef struct LunaDmaCost {
  uint64_t startup_cycles;
  uint64_t cycles_numerator, cycles_denominator; ///< cycles per byte
  uint32_t point_count;
  LunaDmaPoint points[LUNA_DMA_POINTS_MAX];
} LunaDmaCost;

/// Limits of one operator class of the unit; 0 means unlimited.
typedef struct LunaOperatorLimits {
  uint32_t kernel_max;
  uint32_t strides[4]; ///< allowed strides, 0-terminated unless all four
  uint32_t pad_max;
  uint32_t dilations[4];
  uint32_t in_channel_align, out_channel_align;
  uint32_t width_align_per_stride; ///< input width rounds up to this * stride
  uint64_t input_buffer_bytes, weight_buffer_bytes;
  uint64_t launch_cycles;
} LunaOperatorLimits;

/// A machine as its XML file describes it; plain values, no pointers.
typedef struct LunaMachine {
  char name[32];
  LunaMemory shared, psram, flash;
  uint64_t alignment_bytes; ///< of every buffer in shared memory
  uint64_t clock_hz;

  uint32_t dma_channels;
  uint32_t dma_outstanding;
  uint64_t dma_granule_bytes; ///< size and address multiple
  LunaDmaCost dma[LUNA_DMA_DIRECTION_COUNT]; ///< by LunaDmaDirection

  uint64_t read_bytes_per_cycle, write_bytes_per_cycle; ///< unit's ports
  uint64_t macs_per_cycle_i8, macs_per_cycle_i16, macs_per_cycle_i32;

  LunaOperatorLimits conv, depthwise, transposed, matmul;
  uint64_t vector_launch_cycles, vector_bytes_per_cycle;
  uint64_t copy_launch_cycles, copy_bytes_per_cycle;
  uint64_t fill_launch_cycles;

  bool requant_shift, requant_multiplier; ///< what the unit requantises
  uint64_t host_cycles_per_launch;   ///< core's own work to launch an operator
  uint64_t host_cycles_per_requant;  ///< one element, multiplier and shift
  uint64_t host_cycles_per_scalar_op; ///< one arithmetic operation of a loop
  uint64_t host_cycles_per_access;    ///< one load or store of a loop
} LunaMachine;

/// Reads a machine by name or from an XML file.
///
/// `name_or_path` is the name of a machine file in the folder `machines_dir`
/// (without ".xml") or a path that ends in ".xml". The file is validated
/// against the schema in `machines_dir` first. Fails with LUNA_ERROR_SETUP and
/// the line at fault (error->item) for an unknown name (the message lists the
/// known ones), malformed XML or a schema violation.
bool luna_machine_load(const char *name_or_path, const char *machines_dir,
                       LunaMachine *machine, LunaError *error);

/// Gives the folder of the machine files: $LUNA_MACHINES if set, else beside
/// the installed library or the build tree it was configured with.
const char *luna_machine_dir(void);

/// Lists the names of the machines in `machines_dir`, sorted; the array and
/// the strings come from `arena`. Fails with LUNA_ERROR_SETUP if the folder
/// cannot be read.
bool luna_machine_list(const char *machines_dir, LunaArena *arena,
                       const char ***names, uint64_t *count, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MACHINE_H
