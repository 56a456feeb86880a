#ifndef LUNA_SCHEDULE_H
#define LUNA_SCHEDULE_H

// Decisions about a program, as data: found on its model, printed and read as
// text, applied to the IR by one pass. So far they say how each value that
// control flow merges is passed on.

#include "luna/model.h"
#include "luna/plan_record.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// What is decided. A value is a slice of the model, a body its step; those
/// that decisions add have the next numbers, which stand in the decision.
/// Decisions hold one after the other.
typedef enum LunaDecisionKind {
  /// `value` is a new allocation of `type`, made by `step`.
  LUNA_DECIDE_ALLOCATE,
  /// `step` copies `value` to `by`.
  LUNA_DECIDE_COPY,
  /// `value` is all of `by` as `type`; `step` says so.
  LUNA_DECIDE_VIEW,
  /// `step`, an allocation, copy, view or select, is left out.
  LUNA_DECIDE_ERASE,
  /// `step`, an allocation, stands elsewhere.
  LUNA_DECIDE_MOVE,
  /// What `step` allocates is a tensor like any other.
  LUNA_DECIDE_TENSOR,
  /// All that uses `value` uses `by`.
  LUNA_DECIDE_REPLACE,
  /// Memref `number` of those that `step` takes, or that `body` passes on, is
  /// `by`.
  LUNA_DECIDE_OPERAND,
  /// `step`, a branch or loop, has one more result, of the type of `by`. A loop
  /// carries it, at first `by`: `value` and those behind it are what its bodies
  /// begin with, and the result.
  LUNA_DECIDE_CARRY,
  /// `body` passes on `by`, too.
  LUNA_DECIDE_PASS,
} LunaDecisionKind;

/// A decision. What it does not say is LUNA_MODEL_NONE.
typedef struct LunaDecision {
  LunaDecisionKind kind;
  LunaModelId step, value, by;
  LunaModelId before; ///< the step that a new or moved one stands before
  LunaModelId body;   ///< or that it ends; that passes something on
  uint32_t number, type;
} LunaDecision;

/// Decisions about one model, in order.
typedef struct LunaSchedule {
  LUNA_VECTOR(LunaDecision) decisions;
} LunaSchedule;

/// Appends a schedule as text, a line for each decision.
void luna_schedule_print(const LunaSchedule *schedule, LunaText *text);

/// Reads a schedule, in `arena`. What was printed gives an equal one. Fails
/// with LUNA_ERROR_INPUT and `file:line:column: message`.
bool luna_schedule_parse(const char *bytes, size_t length,
                         const char *file_name, LunaArena *arena,
                         LunaSchedule *schedule, LunaError *error);

/// Makes the model that is left of `model` after `schedule`, which was made for
/// it, in `arena`: the one that joins were decided on. It has no edges, and
/// no first uses of buffers; views are steps of the IR alone.
void luna_schedule_model(const LunaModel *model, const LunaSchedule *schedule,
                         LunaArena *arena, LunaModel *decided);

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// What joins are decided for.
typedef struct LunaScheduleTarget {
  int64_t capacity_bytes; ///< of the shared memory
  int64_t align_bytes;    ///< of each buffer
  int64_t least_bytes;    ///< no plan of the tensors takes less; 0 if unknown
  int64_t op_count;       ///< of the program: what a trial costs of a budget
  /// Returns the cycles of a copy between memrefs of two types.
  uint64_t (*copy_cycles)(uint32_t from_type, uint32_t to_type, void *data);
  void *data;
} LunaScheduleTarget;

/// Decides how each value that control flow of `model` merges is passed on.
/// The schedule is in `arena`. Fails like luna_model_problem and
/// luna_plan_solve.
bool luna_schedule_joins(const LunaModel *model,
                         const LunaScheduleTarget *target, LunaArena *arena,
                         LunaSchedule *schedule, LunaJoinEffort *effort,
                         LunaError *error);

/// As luna_schedule_joins, but decides only about what loops carry: each is
/// coalesced in one buffer, and copied to it.
void luna_schedule_loops(const LunaModel *model, LunaArena *arena,
                         LunaSchedule *schedule);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SCHEDULE_H
