#ifndef LUNA_PROGRAM_H
#define LUNA_PROGRAM_H

// The interface of a compiled program.
//
// A model named `m` compiles to these symbols, with C linkage; they start with
// LUNA_PROGRAM_SYMBOL_PREFIX, so that no model is taken for a function of libc:
//
//   void luna_model_m(const void *in0, …, void *out0, …, void *arena,
//                     void *psram, void *state);
//       Computes the outputs. Inputs, then outputs, each a dense row-major
//       tensor in PSRAM, allocated in multiples of the machine's
//       alignment_bytes (a transfer may read or write the padding); or in the
//       arena, if it was compiled to lie on chip: then its pointer is what
//       luna_program_argument returns. `arena` is arena_bytes of shared memory,
//       `psram` weight_bytes + psram_scratch_bytes (the scratch after the
//       weights), `state` state_bytes in PSRAM; all aligned to alignment_bytes
//       (16 on the machines that come along). Pointers to nothing (0 bytes) may
//       be NULL.
//   void luna_model_m_init(void *psram, void *state);
//       Copies the weights to `psram`, unless that is where they are linked,
//       and resets `state`. Once, before use.
//   void luna_model_m_reset(void *state);
//       Resets every state variable to its initial value.
//   int32_t luna_model_m_bind(const int32_t *dims, int32_t *output_dims);
//       Of a model compiled for several sizes alone. `dims` are the dimensions
//       of all inputs but `shape`, one after the other. If a version has every
//       one of them, returns its case, the value of the input `shape`, the
//       model's first, and writes the dimensions of all outputs. Else returns
//       -1 - i and writes 0s: no version has dims[i] and all before it. Keeps
//       nothing. Inputs and outputs are dense in these dimensions, the first
//       bytes of tensors as long as the largest version needs.
//   const int32_t luna_model_m_program[];
//       The descriptor below.
//   const uint8_t luna_model_m_weights[];
//       The weight image, weight_bytes long.
//
// The descriptor is an array of words, so that it can be emitted by any tool
// chain and read on any machine. This module writes and reads it.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/buffer_kind.h"
#include "luna/error.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the name of a model follows in its symbols.
#define LUNA_PROGRAM_SYMBOL_PREFIX "luna_model_"
/// First word of a descriptor: "LUNA", first letter in the lowest byte.
#define LUNA_PROGRAM_MAGIC 0x414e554c
/// Layout of the words; changes whenever a field is added or moved. Layout 2
/// has versions and names for the ways of branches, and is written only where
/// there are some; both are read.
#define LUNA_PROGRAM_LAYOUT 2

enum {
  LUNA_PROGRAM_RANK_MAX = 8,
  LUNA_PROGRAM_HEADER_WORDS = 4,
  LUNA_PROGRAM_VERSION_WORDS = 3, ///< case_index, arena_bytes
  /// Beside the type of a tensor in its word: LunaProgramTensor.is_unsigned.
  LUNA_PROGRAM_TYPE_UNSIGNED = 256
};

/// An input or output of the model.
typedef struct LunaProgramTensor {
  const char *name;
  int32_t type; ///< LunaElementType
  /// Its integers are unsigned for the caller; a bit beside the type's word.
  bool is_unsigned;
  int32_t rank; ///< 0 to LUNA_PROGRAM_RANK_MAX
  int64_t dims[LUNA_PROGRAM_RANK_MAX];
  int64_t bytes; ///< product of dims times the element's bytes
  float scale;   ///< of the quantisation; 0 if the tensor has none
  int32_t zero_point;
  /// Id of its entry in the buffer table, or LUNA_NO_ID. An entry in the arena
  /// means that the tensor lies on chip.
  int32_t buffer;
} LunaProgramTensor;

/// The memory of a buffer: the argument of the entry function that its offset
/// is relative to.
typedef enum LunaProgramMemory {
  LUNA_PROGRAM_ARENA = 0,
  LUNA_PROGRAM_PSRAM = 1,
  LUNA_PROGRAM_STATE = 2,
  LUNA_PROGRAM_INPUT = 3,  ///< input number `argument`
  LUNA_PROGRAM_OUTPUT = 4, ///< output number `argument`
} LunaProgramMemory;

/// A planned buffer: the id that operands name, and its location. Buffers may
/// overlap if they are not live together.
typedef struct LunaProgramBuffer {
  int32_t id;       ///< >= 0; ascending in the table
  int32_t memory;   ///< LunaProgramMemory
  int32_t argument; ///< number of the input or output, else 0
  int32_t kind;     ///< LunaBufferKind
  int64_t offset_bytes, bytes;
  const char *name;
} LunaProgramBuffer;

/// A content (LunaTensorDesc.content) that is part of the weight image: a
/// transfer with this content must read these bytes.
typedef struct LunaProgramContent {
  int32_t id; ///< >= 0; ascending in the table
  int64_t offset_bytes, bytes;
  const char *name;
} LunaProgramContent;

typedef enum LunaBranchKind {
  /// Decision 1 is "then", 0 is "else".
  LUNA_BRANCH_IF = 0,
  /// Decisions are the case values; any other is "default".
  LUNA_BRANCH_SWITCH = 1,
} LunaBranchKind;

/// A branch, by the index passed to luna_rt_branch.
typedef struct LunaProgramBranch {
  const char *name;     ///< "if0", "switch1"
  int32_t kind;         ///< LunaBranchKind
  uint32_t case_count;  ///< of a switch, without the default; else 0
  const int32_t *cases; ///< ascending
  /// NULL, or of a switch the names of its ways: of each case, then of the
  /// default. A way is called by its value or "default" otherwise.
  const char *const *ways;
} LunaProgramBranch;

/// A version of a model compiled for several sizes.
typedef struct LunaProgramVersion {
  int32_t case_index;  ///< the value of the first input; versions may share it
  int64_t arena_bytes; ///< of the arena, from its start, that the case uses
  /// The dimensions of all inputs but the first, then those of all outputs, one
  /// after the other; positive.
  const int32_t *dims;
} LunaProgramVersion;

/// The contents of a descriptor. Zero-initialise, then fill in. The writer
/// borrows strings and arrays; the reader allocates them from its arena. Names
/// are UTF-8 text; `name` is a C identifier.
typedef struct LunaProgramInfo {
  const char *name;        ///< of the model and of its entry function
  const char *machine;     ///< that it was compiled for
  int32_t runtime_version; ///< LUNA_RUNTIME_VERSION of the compiler

  const LunaProgramTensor *inputs, *outputs;
  uint32_t input_count, output_count;

  int64_t arena_bytes;
  int64_t weight_bytes; ///< a multiple of 16
  int64_t psram_scratch_bytes, state_bytes;

  const LunaProgramBuffer *buffers;
  uint32_t buffer_count;
  const LunaProgramContent *contents;
  uint32_t content_count;

  const char *const *operators; ///< by the `op` of a descriptor
  uint32_t operator_count;
  const LunaProgramBranch *branches;
  uint32_t branch_count;
  const char *const *loops; ///< by the index passed to luna_rt_loop_iteration
  uint32_t loop_count;

  const LunaProgramVersion
      *versions; ///< none if it was not compiled for several
  uint32_t version_count;
  /// How many of LunaProgramVersion.dims an input or output has; of the
  /// inputs, the first is left out.
  const int32_t *version_ranks;
} LunaProgramInfo;

/// Returns true if `info` satisfies the rules stated at its fields: known
/// types, kinds and memories, byte counts that match the shapes, buffers and
/// contents within their memory, ascending ids. Fails with LUNA_ERROR_INPUT;
/// error->item is the index within the table that the message names.
bool luna_program_check(const LunaProgramInfo *info, LunaError *error);

/// Writes the descriptor of `info`: `words[0..word_count)` from `arena`.
/// Fails as luna_program_check does, or when it would be longer than 2^31
/// words.
bool luna_program_write(const LunaProgramInfo *info, LunaArena *arena,
                        int32_t **words, uint64_t *word_count,
                        LunaError *error);

/// Returns how many dimensions a version of `info` has: the sum of
/// version_ranks.
uint32_t luna_program_version_dims(const LunaProgramInfo *info);

/// Returns the index, in the words of `info`, of the first version's case. A
/// version is LUNA_PROGRAM_VERSION_WORDS words and its dimensions.
uint64_t luna_program_versions_at(const LunaProgramInfo *info,
                                  const int32_t *words);

/// Returns an input or output, counted as in version_ranks, in the shape that
/// it has in a version.
LunaProgramTensor luna_program_version_tensor(const LunaProgramInfo *info,
                                              uint32_t version, uint32_t index);

/// Returns the length in words according to the header, the
/// LUNA_PROGRAM_HEADER_WORDS words at `words`, for a descriptor linked into a
/// program, whose length is not known otherwise; 0 if they are not a header of
/// this layout.
uint64_t luna_program_word_count(const int32_t *words);

/// Reads a descriptor of `word_count` words; strings and arrays of `info` come
/// from `arena`. Never reads out of bounds, even if malformed. Fails with
/// LUNA_ERROR_INPUT for a malformed descriptor and with LUNA_ERROR_SETUP for
/// one of another layout or runtime version.
bool luna_program_read(const int32_t *words, uint64_t word_count,
                       LunaArena *arena, LunaProgramInfo *info,
                       LunaError *error);

/// Returns the entry of the buffer table with this id, or NULL.
const LunaProgramBuffer *luna_program_buffer(const LunaProgramInfo *info,
                                             int32_t id);

/// Returns the address of an input or output that lies on chip, for an arena at
/// `arena`; NULL for one that lies in PSRAM, which the caller allocates.
void *luna_program_argument(const LunaProgramInfo *info,
                            const LunaProgramTensor *tensor, void *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PROGRAM_H
