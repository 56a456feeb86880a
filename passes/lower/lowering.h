#ifndef LUNA_LOWERING_H
#define LUNA_LOWERING_H

// What the parts of luna-to-llvm share: the state of one run, the builders of
// LLVM operations and one function for each kind of operation.

#include <stdbool.h>
#include <stdint.h>

#include "kernel_record.h"
#include "luna/arena.h"
#include "luna/launch_rules.h"
#include "luna/machine.h"
#include "luna/map.h"
#include "luna/program.h"
#include "luna/record.h"
#include "luna/runtime.h"
#include "mlir-c/IR.h"

/// What one or several memref.globals hold, in the weight image; its content id
/// is its index.
typedef struct LunaLoweringGlobal {
  const char *name; ///< of the first
  int64_t offset_bytes, bytes;
  uint8_t *data;
} LunaLoweringGlobal;

/// A state variable: an argument that takes it and one that gives it anew, both
/// at one place of the state memory.
typedef struct LunaLoweringState {
  const char *name;
  int64_t offset_bytes, bytes;
  MlirAttribute initial; ///< dense elements, or null for zeros
  MlirType type;
} LunaLoweringState;

/// What an argument of the model function is.
typedef enum LunaArgumentRole {
  LUNA_ARGUMENT_INPUT,
  LUNA_ARGUMENT_OUTPUT,
  LUNA_ARGUMENT_STATE,
} LunaArgumentRole;

typedef struct LunaLoweringArgument {
  LunaArgumentRole role;
  int32_t index; ///< among the inputs, the outputs or the states
} LunaLoweringArgument;

/// A function that computes operators of the host core.
typedef struct LunaLoweringKernel {
  MlirOperation func;
  bool is_shared; ///< by several operators
} LunaLoweringKernel;

/// A branch of the program; its number is its index.
typedef struct LunaLoweringBranch {
  const char *name;
  bool is_switch;
  uint32_t case_count;
  const int32_t *cases;
  const char *const *ways; ///< as in LunaProgramBranch
} LunaLoweringBranch;

/// The address of a memref value.
typedef struct LunaPlace {
  /// True if it is `root` + `offset_bytes` on every path; else it is known at
  /// run time.
  bool is_static;
  /// True, inside luna_place_of, for a loop-carried value that is not yet
  /// known.
  bool is_open;
  MlirValue root; ///< an argument of the entry function
  int64_t offset_bytes;
  int32_t buffer; ///< or LUNA_NO_ID
} LunaPlace;

typedef enum LunaPlaceState {
  LUNA_PLACE_NEW,
  LUNA_PLACE_OPEN, ///< its sources are under examination
  LUNA_PLACE_DONE,
} LunaPlaceState;

typedef struct LunaPlaceEntry {
  LunaPlaceState state;
  LunaPlace place;
} LunaPlaceEntry;

/// The sizes of operators that differ in nothing else.
typedef struct LunaLoweringSizes {
  uint32_t first; ///< of LunaLowering.sized_records
  bool are_several;
} LunaLoweringSizes;

/// A product whose launches a port prepares.
typedef struct LunaLoweringProduct {
  const char *name; ///< of its descriptor
  int32_t launch_count;
} LunaLoweringProduct;

/// One run of luna-to-llvm.
typedef struct LunaLowering {
  LunaArena arena;
  MlirContext context;
  MlirOperation module, func;
  MlirBlock module_block, entry;
  /// The name of the model, and what its symbols start with.
  const char *model, *symbol;
  const LunaMachine *machine;
  MlirType ptr, i8, i32, i64;
  MlirType index; ///< what an index becomes: i64 or i32

  MlirValue arena_base, psram_base, state_base;
  LunaLoweringArgument *arguments; ///< of the function, without the arena
  intptr_t argument_count, input_count, output_count;
  LUNA_VECTOR(LunaLoweringState) states;
  int64_t state_bytes;
  int64_t arena_bytes, weight_bytes;

  LUNA_VECTOR(LunaProgramBuffer) buffers;
  LUNA_VECTOR(LunaLoweringGlobal) globals;
  LunaMap contents; ///< their bytes
  LunaMap global_names;
  LUNA_VECTOR(uint32_t) content_of_name;
  LUNA_VECTOR(const char *) operators;
  LUNA_VECTOR(LunaLoweringBranch) branches;
  LUNA_VECTOR(const char *) loops;
  LUNA_VECTOR(LunaProgramVersion) versions;
  LUNA_VECTOR(int32_t) version_ranks; ///< as in LunaProgramInfo
  intptr_t version_dims;              ///< their sum
  LUNA_VECTOR(MlirOperation) ops;     ///< in program order
  int32_t weight_buffer;
  LunaMap values; ///< with a known place
  LUNA_VECTOR(LunaPlaceEntry) places;
  uint64_t open_hits, open_depth; ///< of loops met in luna_place_of
  bool has_failed;                ///< an address could not be built
  int32_t part_count;
  LunaRecordSet descs;
  /// Those that a port prepares, each once, where it has a block of memory for
  /// each launch.
  LUNA_VECTOR(LunaLoweringProduct) products;
  int64_t block_bytes;
  int64_t launches, calls;         ///< of products; those that are one call
  bool wants_calls;                ///< a launch that is none is an error
  int64_t broken[LUNA_RULE_COUNT]; ///< launches, by the rule
  bool has_ids;
  bool has_size_arguments; ///< functions of the host core may take sizes
  /// Operators of the host core with their sizes and without, and for each of
  /// the latter the former.
  LunaRecordSet sized_records, open_records;
  LUNA_VECTOR(LunaLoweringSizes) open_sizes;
  LUNA_VECTOR(int32_t) ids; ///< of all calls
  LunaRecordSet kernel_records;
  LUNA_VECTOR(LunaLoweringKernel) kernels; ///< by the number of their record
  LunaKernelTexts texts;
  uint32_t declared; ///< bit set of runtime functions
} LunaLowering;

//===- lowering_build.c ---------------------------------------------------===//

/// Creates the constant `value` of an integer type before `before`.
MlirValue luna_build_constant(LunaLowering *run, MlirOperation before,
                              MlirType type, int64_t value);
/// Creates `base` + `offset_bytes` before `before`.
MlirValue luna_build_offset(LunaLowering *run, MlirOperation before,
                            MlirValue base, int64_t offset_bytes);
/// Creates `base` + `offset_bytes` (an i64 value).
MlirValue luna_build_dynamic_offset(LunaLowering *run, MlirOperation before,
                                    MlirValue base, MlirValue offset_bytes);

/// The functions of the runtime API that programs call.
typedef enum LunaRuntimeFunction {
  LUNA_CALL_DMA_START,
  LUNA_CALL_DMA_WAIT,
  LUNA_CALL_COPY,
  LUNA_CALL_FILL,
  LUNA_CALL_HOST_BEGIN,
  LUNA_CALL_HOST_OPERAND,
  LUNA_CALL_HOST_END,
  LUNA_CALL_BRANCH,
  LUNA_CALL_LOOP_ITERATION,
  LUNA_CALL_PREPARE,
  LUNA_CALL_UNIT, ///< and the LunaUnitClass
} LunaRuntimeFunction;

/// Creates a call of a runtime function; returns its result, or a null value
/// for void.
MlirValue luna_build_call(LunaLowering *run, MlirOperation before,
                          LunaRuntimeFunction function,
                          const MlirValue *arguments);
/// Returns the name of a constant descriptor of `count` words, and whether it
/// is new; equal ones share it.
const char *luna_add_desc(LunaLowering *run, const int32_t *words,
                          intptr_t count, bool *is_new);
/// Returns the address of such a descriptor, or of a global.
MlirValue luna_build_desc(LunaLowering *run, MlirOperation before,
                          const int32_t *words, intptr_t count);
MlirValue luna_build_address(LunaLowering *run, MlirOperation before,
                             const char *name);

/// Begins the ids of a call of operator `op` and returns their address; NULL if
/// the program has no ids.
MlirValue luna_begin_ids(LunaLowering *run, MlirOperation before, int32_t op);
/// Appends the ids of the next operand to those that were begun last.
void luna_add_ids(LunaLowering *run, int32_t buffer, int32_t content);
/// Emits `<symbol>_ids`, if there are any.
void luna_emit_ids(LunaLowering *run);
/// Creates a global array at the start of the module: `count` elements of
/// `type` (i8 or i32), `bytes` long; constant, unless `data` is NULL.
void luna_build_array(LunaLowering *run, const char *name, MlirType type,
                      const void *data, int64_t count, int64_t bytes,
                      bool is_internal);
/// Creates an internal function, not to be inlined, before the entry function:
/// its arguments are those of `owned_body`, its results what that returns.
MlirOperation luna_build_internal(LunaLowering *run, const char *name,
                                  MlirLocation location, MlirBlock owned_body);
/// Adds an operator to the program's table and returns its id; LUNA_NO_ID if
/// the program has no ids.
int32_t luna_note_operator(LunaLowering *run, MlirOperation op);

//===- lowering_arguments.c -----------------------------------------------===//

/// Determines the role of each argument of the function and adds those for the
/// bases of PSRAM and state. Returns false after an error.
bool luna_read_arguments(LunaLowering *run);
/// Returns the attribute `name` of argument `number` of the function, or null.
MlirAttribute luna_argument_attr(const LunaLowering *run, intptr_t number,
                                 const char *name);
/// Returns the id of the buffer that argument `number` is.
int32_t luna_argument_buffer(const LunaLowering *run, intptr_t number);
/// Erases the arguments that were moved to the state memory.
void luna_erase_state_arguments(LunaLowering *run);

//===- lowering_place.c ---------------------------------------------------===//

/// Returns the place of a memref value.
LunaPlace luna_place_of(LunaLowering *run, MlirValue value);
/// Returns the address of the first element of a memref value as an !llvm.ptr,
/// created before `before`. A result or block argument of control flow
/// represents itself: luna_lower_control_operands changes its type to a
/// pointer.
MlirValue luna_build_pointer(LunaLowering *run, MlirOperation before,
                             MlirValue value);
/// Returns true if the result of `op` is part of its first operand (or one of
/// its operands, for arith.select), or a memref.get_global.
bool luna_is_view(MlirOperation op);
/// Returns the weight global that a memref is read from, or -1.
int32_t luna_weight_global_of(LunaLowering *run, MlirValue value);

//===- one function for each kind of operation ----------------------------===//
// Each returns false after emitting an error, and erases what it replaced.

bool luna_lower_unit(LunaLowering *run, MlirOperation op);
bool luna_lower_dma_start(LunaLowering *run, MlirOperation op);
bool luna_lower_dma_wait(LunaLowering *run, MlirOperation op);
bool luna_lower_dma_none(LunaLowering *run, MlirOperation op);
/// Lowers memref.copy and linalg.fill: on chip to the unit, else to the host
/// core.
bool luna_lower_copy(LunaLowering *run, MlirOperation op);
bool luna_lower_fill(LunaLowering *run, MlirOperation op);
/// Outlines an operator of the host core.
bool luna_outline_host_op(LunaLowering *run, MlirOperation op);
/// Lowers a memref.load outside operators: a condition.
bool luna_lower_load(LunaLowering *run, MlirOperation op);
/// Announces the decisions of a branch or the iterations of a loop.
bool luna_announce_control(LunaLowering *run, MlirOperation op);
/// Converts memrefs and tokens that pass through control flow to pointers and
/// words, after all other ops: first all operands, then the types of results
/// and block arguments.
void luna_lower_control_operands(LunaLowering *run, MlirOperation op);
void luna_lower_control_values(LunaLowering *run, MlirOperation op);

/// Returns the index of the content of the memref.global of this name, or -1.
int32_t luna_find_global(LunaLowering *run, MlirStringRef name);
/// Lays out the memref.globals of the module. Returns false after an error.
bool luna_collect_weights(LunaLowering *run);
/// Emits the weight image, `<symbol>_init` and `<symbol>_reset`, and erases the
/// memref.globals.
bool luna_emit_weights(LunaLowering *run);
/// Returns the bytes of memory that a port prepares in `_init`.
int64_t luna_prepared_bytes(const LunaLowering *run);

//===- lowering_versions.c ------------------------------------------------===//

/// Fills run->versions from luna.cases and luna.shapes, and the buffers in the
/// cases of the switch. Returns false after an error.
bool luna_collect_versions(LunaLowering *run);
/// Moves parts of long blocks of `op` into functions of their own.
void luna_split_blocks(LunaLowering *run, MlirOperation op);

/// Emits `<symbol>_bind` if the model has versions, the first of which stands
/// at this word of the descriptor.
void luna_emit_bind(LunaLowering *run, uint64_t first_word);

//===- lowering_program.c -------------------------------------------------===//

/// Fills run->buffers: the planned ones from luna.buffers, the weights, then
/// one for each input and output.
bool luna_collect_buffers(LunaLowering *run);
/// Returns true if the planned buffer is a staging buffer.
bool luna_is_staging_buffer(const LunaLowering *run, int32_t id);
/// Emits `<symbol>_program`, and `<symbol>_bind`.
bool luna_emit_program(LunaLowering *run);

#endif // LUNA_LOWERING_H
