#ifndef LUNA_MACHINE_H
#define LUNA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/text.h"
#include "luna/unit_calls.h"

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

/// The cost of a transfer in one direction: the measured table if there is one;
/// outside its range, or without it, startup + bytes * numerator / denominator.
typedef struct LunaDmaCost {
  uint64_t startup_cycles;
  uint64_t cycles_numerator, cycles_denominator; ///< cycles per byte
  uint32_t point_count;
  LunaDmaPoint points[LUNA_DMA_POINTS_MAX];
} LunaDmaCost;

/// Memories, each a bit.
typedef enum LunaMemorySet {
  LUNA_IN_SHARED = 1,
  LUNA_IN_PSRAM = 2,
  LUNA_IN_FLASH = 4,
} LunaMemorySet;

/// What a call of the vendor's library takes, beside LunaOperatorLimits:
/// of these, launches obey `row_strips` where calls are asked for
/// (LunaTiling.row_strips). Sets of widths are sums of 4, 8, 16 and 32.
typedef struct LunaProductCalls {
  /// The order of packed weights from the outermost dimension to the innermost,
  /// a letter for each: an upper-case one counts blocks, a number and a
  /// lower-case letter is the extent within one ("OhwI2o8i": pairs of output
  /// channels, rows, columns, blocks of 8 input channels; in these 2 x 8).
  /// Blocks are filled up with zeros.
  char weight_layout[16];
  uint32_t weight_bits, output_bits;
  uint32_t input_memories, weight_memories; ///< LunaMemorySet
  /// Who cuts an input that exceeds the private buffer into rows: "call" (a
  /// a call for that is told the number of pieces), "library" (it does so by
  /// itself) or "caller".
  char row_strips[8];
  uint64_t row_strips_plane_bytes; ///< the largest plane that a "call" cuts
} LunaProductCalls;

/// Pooling, as the vendor's library takes it.
typedef struct LunaPoolCalls {
  uint32_t kernel_max, stride_max, pad_max; ///< the largest that were measured
  /// The largest dense input; 0 is unlimited.
  uint64_t max_input_bytes, mean_input_bytes;
  uint32_t mean_output_bits; ///< a set of widths
} LunaPoolCalls;

/// The limits and costs of one operator class of the unit. A tuple of allowed
/// values ends with the first 0. For a matrix product, rows align to
/// `width_align_per_stride`, depth to `in_channel_align` and columns to
/// `out_channel_align`; the left matrix uses the input buffer and the right one
/// the weight buffer.
typedef struct LunaOperatorLimits {
  uint32_t kernel_max;      ///< rows and columns of a kernel, at least 1
  uint32_t strides[4];      ///< allowed strides
  bool stride_above_kernel; ///< a stride may exceed the kernel
  uint32_t pad_max;         ///< on each side; also at most the kernel's extent
  uint32_t dilations[4];    ///< allowed dilations
  uint32_t in_channel_align, out_channel_align;
  uint32_t width_align_per_stride; ///< input width rounds up to this * stride
  uint64_t input_buffer_bytes, weight_buffer_bytes;
  uint64_t launch_cycles;        ///< the first launch of an operator
  uint64_t repeat_launch_cycles; ///< each further launch of it
  uint32_t mac_rate_divisor;     ///< of the machine's macs_per_cycle
  /// Hold cycles of the array in addition to its products: per granule (one row
  /// of `width_align_per_stride` columns and one step of output channels; of a
  /// matrix product, one step of rows) and per column of the kernel; and once
  /// per step of output channels in a launch.
  uint32_t hold_cycles_per_granule, hold_cycles_per_kernel_column;
  uint32_t hold_cycles_per_channel_step;
  LunaProductCalls calls; ///< of matrix products, without a weight layout
} LunaOperatorLimits;

/// What the host core does (luna/host_costs.def).
typedef enum LunaHostCost {
#define LUNA_HOST_COST(NAME, name, text) LUNA_HOST_##NAME,
#include "luna/host_costs.def"
  LUNA_HOST_COST_COUNT
} LunaHostCost;

/// A machine as described by its XML file; plain values, no pointers.
/// docs/machine-files.md documents each value.
typedef struct LunaMachine {
  char name[40]; ///< "venus", or "venus:vector" where that set is chosen
  /// The core that drives the unit, a target of the compiler ("riscv32"), and
  /// its instructions as LLVM names them ("+m,+f").
  char core[16], core_features[112];
  LunaMemory shared, psram, flash;
  /// Of every buffer in shared memory, and of every constant and state variable
  /// in PSRAM.
  uint64_t alignment_bytes;
  uint64_t clock_hz;

  uint32_t dma_channels;
  uint32_t dma_outstanding;
  uint64_t dma_granule_bytes; ///< size and address multiple
  /// Weights that one transfer may bring; an operator with more is cut.
  uint64_t dma_weights_max_bytes;
  LunaDmaCost dma[LUNA_DMA_DIRECTION_COUNT]; ///< by LunaDmaDirection

  uint64_t read_bytes_per_cycle, write_bytes_per_cycle; ///< unit's ports
  uint64_t macs_per_cycle_i8, macs_per_cycle_i16, macs_per_cycle_i32;

  /// Pooling has the limits of `depthwise`; a transposed convolution runs as
  /// stride * stride ordinary ones.
  LunaOperatorLimits conv, depthwise, matmul;
  uint64_t vector_launch_cycles, vector_bytes_per_cycle; ///< add, sub, mul
  /// True if the output of such an operator, or of an activation by table, may
  /// be its input; of what the core computes it always may.
  bool vector_in_place, table_in_place;
  uint64_t copy_launch_cycles, copy_bytes_per_cycle;
  uint64_t fill_launch_cycles, fill_bytes_per_cycle;
  LunaPoolCalls pool;
  LunaUnitCall calls[LUNA_UNIT_CALLS_MAX]; ///< in the order of the file
  uint32_t call_count;

  bool requant_shift, requant_multiplier; ///< what the unit requantises
  /// True if a convolution of the vendor's library takes a shift for each
  /// output channel; today's launches do not.
  bool requant_channel_shift;
  /// Cycles of a hundred, by LunaHostCost: those of the chosen set.
  uint64_t host[LUNA_HOST_COST_COUNT];
  /// The set "vector": what device_runtime/ would take by the chip's vector
  /// instructions, derived from them and not counted. The set "scalar" is the
  /// code as it is.
  uint64_t vector_host[LUNA_HOST_COST_COUNT];
  bool has_vector, is_vector; ///< whether there is that set; if it is chosen
  /// The values of the file, and those among them whose source is assumed.
  uint32_t value_count, assumed_count;
} LunaMachine;

/// The maximum size of a machine file.
#define LUNA_MACHINE_FILE_LIMIT_BYTES ((size_t)1 << 20)

/// Reads a machine by name or from an XML file.
///
/// `name_or_path` is the name of a machine file in the folder `machines_dir`
/// (NULL: luna_machine_dir's; without ".xml") or a path that ends in ".xml".
/// Either may be followed by a set of host costs, as in "venus:vector".
/// The file is validated against `machines_dir`/machine.xsd first. Fails with
/// LUNA_ERROR_SETUP for an unknown name (the message lists the known ones), a
/// set that the file lacks, malformed XML, a document type declaration
/// (entities are refused), a schema violation or a value that contradicts
/// another; the message of the last four starts with "file:line: " and
/// error->item is the line.
bool luna_machine_load(const char *name_or_path, const char *machines_dir,
                       LunaMachine *machine, LunaError *error);

/// Reads a machine from the XML text of `length` bytes; `label` names it in
/// messages. Its host costs are the set "scalar". Otherwise as
/// luna_machine_load.
bool luna_machine_parse(const char *text, size_t length, const char *label,
                        const char *machines_dir, LunaMachine *machine,
                        LunaError *error);

/// Returns the folder of the machine files, from `arena`: $LUNA_MACHINES if it
/// is set, else `share/luna/machines` of the installation that this code is
/// part of (luna/prefix.h).
const char *luna_machine_dir(LunaArena *arena);

/// Lists the names of the machines in `machines_dir` (NULL:
/// luna_machine_dir's), sorted; the array and the strings come from `arena`.
/// Fails with LUNA_ERROR_SETUP if the folder cannot be read.
bool luna_machine_list(const char *machines_dir, LunaArena *arena,
                       const char ***names, uint64_t *count, LunaError *error);

/// Returns the call that computes `name` from elements of `input_bits` to
/// elements of `output_bits`, NULL if the unit has none.
const LunaUnitCall *luna_machine_call(const LunaMachine *machine,
                                      LunaCallName name, uint32_t input_bits,
                                      uint32_t output_bits);

/// Appends a human-readable summary of `machine` to `text`: memories, DMA
/// engine, throughput, limits and costs, one group per line, the calls of the
/// unit, and how many of the values are assumed.
void luna_machine_describe(const LunaMachine *machine, LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MACHINE_H
