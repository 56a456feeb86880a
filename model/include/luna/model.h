#ifndef LUNA_MODEL_H
#define LUNA_MODEL_H

// A function of buffers in plain C: what runs when, and which bytes of which
// values it reads and writes. Built from IR by one file of the passes, or read
// from text; the planner's problem and the program's bound are views of it, and
// joins are decided on it. What checks plans does not include it.
//
// All parts stand in arrays and name each other by index. Fields say who reads
// them: P the planner's problem, B the program's bound, O the order, T the
// timing, J joins.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/text.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An index into one of the arrays of a model.
typedef uint32_t LunaModelId;
#define LUNA_MODEL_NONE UINT32_MAX

/// The trip count of a loop that data decides.
#define LUNA_MODEL_TRIPS_UNKNOWN (-1)

/// The most indices of a slice.
enum { LUNA_MODEL_RANK_MAX = 16 };

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

typedef enum LunaModelValueKind {
  LUNA_MODEL_BUFFER,   ///< an allocation
  LUNA_MODEL_MERGED,   ///< what control flow or a select merges, on chip
  LUNA_MODEL_TOKEN,    ///< a transfer: its sources are what it accesses
  LUNA_MODEL_NO_TOKEN, ///< T; of no transfer
  LUNA_MODEL_CONSTANT, ///< a global
  LUNA_MODEL_ARGUMENT, ///< O; both arguments of a state variable are one
  LUNA_MODEL_OTHER,    ///< what is not known
} LunaModelValueKind;

/// What an allocation is for.
typedef enum LunaModelRole {
  LUNA_MODEL_TENSOR,
  LUNA_MODEL_INPUT,
  LUNA_MODEL_OUTPUT,
  LUNA_MODEL_STAGING,
  LUNA_MODEL_SCRATCH,
} LunaModelRole;

/// Anything that names bytes.
typedef struct LunaModelValue {
  LunaModelValueKind kind;
  LunaModelRole role;    ///< P B
  bool is_on_chip;       ///< P B
  int64_t bytes;         ///< P B; -1 if open
  uint32_t element;      ///< P; equal numbers, equal types of elements
  LunaModelId step;      ///< P B; that allocates or merges it
  LunaModelId first_use; ///< P; the first step that accesses it
  /// P B: the buffers that it may be, in `sources`, in ascending order: of a
  /// buffer, itself.
  uint32_t first_source, source_count;
  bool has_other; ///< P; it may be something else, too
} LunaModelValue;

/// An index of a slice.
typedef struct LunaModelDim {
  int64_t extent, stride_bytes;
} LunaModelDim;

/// The bytes of a value that a memref names.
typedef struct LunaModelSlice {
  LunaModelId value;
  int64_t bytes;       ///< P; how many, -1 if open
  bool is_contiguous;  ///< P; without gaps, in whatever order
  bool is_on_chip;     ///< J; its type says so
  uint32_t type;       ///< J; equal numbers, equal types
  uint32_t dense_type; ///< P J; that of the same shape and order without gaps
  bool is_exact;       ///< B; what follows is known, and lies in the value
  int64_t offset_bytes, element_bytes;
  uint32_t first_dim, dim_count; ///< in `dims`
} LunaModelSlice;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

typedef enum LunaModelAccessKind {
  LUNA_MODEL_READ,
  LUNA_MODEL_OVERWRITE, ///< every byte, and reads none of the former
  LUNA_MODEL_UPDATE,    ///< every byte, from the former ones
  LUNA_MODEL_MODIFY,    ///< some of the bytes, or not known
} LunaModelAccessKind;

typedef struct LunaModelAccess {
  LunaModelAccessKind kind;
  LunaModelId slice;
  bool may_be_replaced; ///< P B; the destination may be what is read here
  bool is_destination;  ///< P; the last operand
} LunaModelAccess;

/// At a LUNA_MODEL_PASS, the slice `to` gets what `from` holds. All memrefs
/// that are passed on have one, those off chip, too.
typedef struct LunaModelEdge {
  LunaModelId from, to;
} LunaModelEdge;

typedef enum LunaModelStepKind {
  LUNA_MODEL_OPERATOR, ///< what accesses memory
  LUNA_MODEL_UNIT,     ///< the same, on the unit
  LUNA_MODEL_COPY,     ///< its first access to its second
  LUNA_MODEL_TRANSFER, ///< the same, by the DMA engine, from here on
  LUNA_MODEL_AWAIT,
  LUNA_MODEL_ALLOCATE, ///< the value begins anew, without contents
  LUNA_MODEL_PASS,     ///< edges of control flow, all at once
  /// O; computes names and numbers alone. J: its accesses are those names; the
  /// destination, if there is one, is what it makes of the others.
  LUNA_MODEL_SCALAR,
  LUNA_MODEL_REGION,   ///< one body, without a decision
  LUNA_MODEL_BRANCHES, ///< bodies are alternatives
  LUNA_MODEL_SELECT,   ///< the same; of values alone
  LUNA_MODEL_LOOP,     ///< one body, or that before the exit and that behind
  LUNA_MODEL_BODY,     ///< of one of the four above
} LunaModelStepKind;

/// A step of the program. Steps stand in pre-order: those within one follow it,
/// up to `end`. Step 0 is the body of the function. A body ends with the PASS
/// of what it yields, if there is anything.
typedef struct LunaModelStep {
  LunaModelStepKind kind;
  LunaModelId parent; ///< derived; LUNA_MODEL_NONE of step 0
  LunaModelId end;
  const char *op;   ///< P B; its name in the IR, NULL of a body
  const char *name; ///< P; given to it, or NULL; of a body, that of the way
  uint32_t number;  ///< P; of it, or of the first in it, in the program
  uint32_t first_access, access_count; ///< P B O
  uint32_t first_edge, edge_count;     ///< P B O
  uint32_t first_need, need_count;     ///< O; in `needs`: whose results it uses
  bool is_opaque;                      ///< O; does more than its accesses say
  LunaModelId token; ///< J; of a TRANSFER: the slice that its token names
  /// B: the least working memory, over all tilings that the machine has.
  int64_t scratch_bytes;
  /// T: what it takes of each engine; what the core does comes first. Step 0:
  /// what entering the program and returning from it takes.
  int64_t core_cycles, unit_cycles, dma_cycles;
  /// P B T: what BRANCHES and SELECT go by. Equal numbers go the same way, or
  /// the opposite one; each turn of `condition_loop` has its own.
  uint32_t condition;
  bool is_negated;
  LunaModelId condition_loop;
  /// P: the values that the header of a LOOP merges. J: of a loop of one body,
  /// the slices of its results follow those of its arguments, in their order.
  uint32_t first_carried, carried_count;
  int64_t trips; ///< B T; of a LOOP, or LUNA_MODEL_TRIPS_UNKNOWN
} LunaModelStep;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// A function. The first values are the allocations, in program order.
typedef struct LunaModel {
  LUNA_VECTOR(LunaModelStep) steps;
  LUNA_VECTOR(LunaModelAccess) accesses;
  LUNA_VECTOR(LunaModelEdge) edges;
  LUNA_VECTOR(LunaModelId) needs;
  LUNA_VECTOR(LunaModelValue) values;
  LUNA_VECTOR(LunaModelId) sources;
  LUNA_VECTOR(LunaModelSlice) slices;
  LUNA_VECTOR(LunaModelDim) dims;
  uint32_t buffer_count;
} LunaModel;

/// Returns true if `step` is `outer`, or in it.
static inline bool luna_model_is_within(const LunaModel *model,
                                        LunaModelId step, LunaModelId outer) {
  return step >= outer && step < model->steps.items[outer].end;
}

/// Returns the accesses of a step, NULL if it has none.
static inline const LunaModelAccess *
luna_model_accesses(const LunaModel *model, const LunaModelStep *step) {
  return step->access_count > 0 ? &model->accesses.items[step->first_access]
                                : NULL;
}

/// Returns the body `index` of a step.
static inline LunaModelId luna_model_body(const LunaModel *model,
                                          LunaModelId step, uint32_t index) {
  LunaModelId body = step + 1;
  while (index-- > 0)
    body = model->steps.items[body].end;
  return body;
}

/// Returns the trip count of a LOOP, `unknown` if data decides it.
static inline int64_t luna_model_trips(const LunaModelStep *loop,
                                       int64_t unknown) {
  return loop->trips == LUNA_MODEL_TRIPS_UNKNOWN ? unknown : loop->trips;
}

/// Returns the bytes that a TRANSFER takes.
int64_t luna_model_transfer_bytes(const LunaModel *model,
                                  const LunaModelStep *step);

/// Returns true for an AWAIT that may wait for a transfer.
bool luna_model_awaits(const LunaModel *model, const LunaModelStep *step);

/// Returns the only buffer that a slice can be in, or LUNA_MODEL_NONE.
LunaModelId luna_model_only_source(const LunaModel *model, LunaModelId slice);

/// Appends a model as text: a line for each record, with its fields but for
/// those that are zero, false or none.
void luna_model_print(const LunaModel *model, LunaText *text);

/// Reads a model from text. What was printed gives an equal model. Fails with
/// LUNA_ERROR_INPUT and `file:line:column: message` where the text is no model:
/// views then need not look at indices again. All is in `arena`.
bool luna_model_parse(const char *bytes, size_t length, const char *file_name,
                      LunaArena *arena, LunaModel *model, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_H
